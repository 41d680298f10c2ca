// log.txt of a run, one dated line per event.
#pragma once

#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace scree {

class RunLog {
public:
    /// `append` goes on in an earlier run's log; an empty path keeps none. Throws RunError where the file cannot be opened.
    RunLog(const std::string& path, bool append);
    ~RunLog();

    // A line that cannot be written is dropped: a full disk shows in the data files first.
    void note(const std::string& text);
    void warn(const std::string& text);
    void error(const std::string& text);

private:
    std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace scree
