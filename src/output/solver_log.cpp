#include "output/solver_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "base/error.hpp"

namespace scree {
namespace {

constexpr const char* kHeader = "step,time,contacts,iterations,residual,converged";

std::int64_t step_of(const std::string& line) {
    return std::strtoll(line.c_str(), nullptr, 10);
}

/// Where the header and the whole lines up to a step end.
struct Kept {
    std::uintmax_t bytes{0};
    std::int64_t last_step{0};
};

/// Read line by line: a long run's file need not fit into memory.
Kept kept_lines(const std::string& path, std::int64_t step) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || in.eof() || line != kHeader) {
        throw Error(path + ": not the solver.csv of an earlier run; remove it, or restart into a new directory with -o");
    }
    Kept kept{line.size() + 1, 0};
    while (std::getline(in, line) && !in.eof() && step_of(line) <= step) {
        kept.bytes += line.size() + 1;
        kept.last_step = step_of(line);
    }
    return kept;
}

}  // namespace

SolverLog::SolverLog(const std::string& path, double dt) : path_(path), dt_(dt) {
    open("w");
    put(std::string(kHeader) + "\n");
}

SolverLog::SolverLog(const std::string& path, double dt, std::int64_t step, const std::string& unwritten) : path_(path), dt_(dt) {
    const Kept kept = kept_lines(path, step);
    std::error_code error;
    std::filesystem::resize_file(path, kept.bytes, error);
    if (error) throw RunError("cannot write " + path + ": " + error.message());
    open("a");
    std::istringstream lines(unwritten);
    std::string line, missing;
    while (std::getline(lines, line)) {
        if (step_of(line) > kept.last_step && step_of(line) <= step) missing += line + "\n";
    }
    put(missing);
}

void SolverLog::open(const char* mode) {
    file_.reset(std::fopen(path_.c_str(), mode));
    if (!file_) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
}

void SolverLog::put(const std::string& text) {
    unwritten_ += text;
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) {
        throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    }
    unwritten_.clear();
}

void SolverLog::add(const std::vector<ConeReport>& steps) {
    std::string text;
    auto out = std::back_inserter(text);
    for (const ConeReport& report : steps) {
        // The shortest digits that read back exactly.
        fmt::format_to(out, "{},{},{},{},{},{}\n", report.step, static_cast<double>(report.step) * dt_, report.contacts, report.iterations,
                       report.residual, report.converged ? 1 : 0);
    }
    put(text);
}

}  // namespace scree
