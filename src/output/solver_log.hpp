// solver.csv of a run under the cone method: a line per step with step, time [s], contacts, iterations, residual [m/s] and converged (1,
// 0). In: the reports of a batch; out: lines, handed to the system batch by batch. Invariant: steps ascend, none twice.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"

namespace scree {

class SolverLog {
public:
    /// Bytes of a line, about.
    static constexpr double line_bytes = 64;

    /// Starts an empty file; `dt` [s] turns steps into times. Throws RunError.
    SolverLog(const std::string& path, double dt);
    /// Goes on after an earlier run: lines later than `step`, and a last line cut short, are dropped; then come those of `unwritten` that
    /// are missing. Throws Error where the file is none of these, RunError where it cannot be written.
    SolverLog(const std::string& path, double dt, std::int64_t step, const std::string& unwritten);

    /// Appends a line for each step. Throws RunError; unwritten() then has the lines.
    void add(const std::vector<ConeReport>& steps);

    /// Lines that could not be written, for the checkpoint of a run that stops over it.
    const std::string& unwritten() const { return unwritten_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void open(const char* mode);
    void put(const std::string& text);

    std::string path_;
    double dt_;
    std::string unwritten_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace scree
