// How a program of ours lets itself be timed in turns with other codes (tools/peers): it warms up, and before each timed piece and after
// the last one it calls bench/peers/turn, which says what processor time it has had and waits until it may go on. Output as LAMMPS words
// it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "common/arguments.hpp"
#include "common/clock.hpp"

namespace scree::bench {

/// Options of every such program. --turn: the command that waits; none: no waiting.
inline std::map<std::string, std::string> turn_options(std::map<std::string, std::string> own) {
    own.insert({{"--warm", "1000"}, {"--steps", "100"}, {"--turns", "3"}, {"--turn", ""}});
    return own;
}

inline void wait_for_turn(const Arguments& args) {
    if (!args.text("--turn").empty() && std::system(args.text("--turn").c_str()) != 0) throw std::runtime_error("no turn was given");
}

/// advance(steps) makes that many steps.
template <class Advance>
void take_turns(const Arguments& args, std::int64_t bodies, Advance advance) {
    const auto steps = static_cast<std::int64_t>(args.number("--steps"));
    advance(static_cast<std::int64_t>(args.number("--warm")));
    for (int k = 0; k < static_cast<int>(args.number("--turns")); ++k) {
        wait_for_turn(args);
        const Elapsed took = time_of([&] { advance(steps); });
        std::printf("Loop time of %.9g for %lld steps with %lld atoms\n", took.wall, static_cast<long long>(steps),
                    static_cast<long long>(bodies));
        std::fflush(stdout);
    }
    wait_for_turn(args);
}

/// One figure of the state at the end.
inline void say(const char* name, double value) {
    std::printf("figure %s %.9g\n", name, value);
}

}  // namespace scree::bench
