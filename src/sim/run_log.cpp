#include "sim/run_log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/null_sink.h>

#include "base/error.hpp"

namespace scree {

RunLog::RunLog(const std::string& path, bool append) {
    if (path.empty()) {
        logger_ = std::make_shared<spdlog::logger>("scree", std::make_shared<spdlog::sinks::null_sink_mt>());
        return;
    }
    try {
        auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, !append);
        logger_ = std::make_shared<spdlog::logger>("scree", std::move(sink));
    } catch (const spdlog::spdlog_ex& e) {
        throw RunError(std::string("cannot write the log: ") + e.what());
    }
    logger_->set_pattern("%Y-%m-%d %H:%M:%S  %l  %v");
    logger_->set_error_handler([](const std::string&) {});
    logger_->flush_on(spdlog::level::info);
}

RunLog::~RunLog() = default;

void RunLog::note(const std::string& text) {
    logger_->log(spdlog::level::info, text);
}
void RunLog::warn(const std::string& text) {
    logger_->log(spdlog::level::warn, text);
}
void RunLog::error(const std::string& text) {
    logger_->log(spdlog::level::err, text);
}

}  // namespace scree
