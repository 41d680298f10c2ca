// What every benchmark program of ours ends with: its JSON in a file, and its failure told in one line.
#pragma once

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "common/arguments.hpp"
#include "common/json.hpp"

namespace scree::bench {

/// Writes to the file that --json names, if any. Throws std::runtime_error.
inline void write_json(const JsonWriter& json, const Arguments& args) {
    if (args.text("--json").empty()) return;
    std::ofstream file(args.text("--json"));
    file << json.text();
    if (!file.flush()) throw std::runtime_error("cannot write " + args.text("--json"));
}

/// The exit status of `run`; 1, with a line that says why, where it throws.
inline int run_program(const char* name, int (*run)(const Arguments&), const Arguments& args) {
    try {
        return run(args);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", name, e.what());
        return 1;
    }
}

}  // namespace scree::bench
