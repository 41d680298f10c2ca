// The host threads of an engine, as its options have them.
#pragma once

#include "engine/engine.hpp"
#include "engine/exec/device_choice.hpp"
#include "engine/exec/thread_choice.hpp"
#include "engine/exec/scratch.hpp"

namespace scree::SCREE_FLAVOR {

inline Exec exec_of(const EngineOptions& options, Scratch* scratch) {
    Exec exec{options.threads > 0 ? options.threads : thread_limit(), options.shuffle, scratch};
    exec.most_threads = exec.threads;
    return exec;
}

/// For so many bodies: few begin on one thread.
inline ThreadChoice choice_of(const EngineOptions& options, const Exec& exec, std::size_t bodies) {
    constexpr std::size_t few = 1000;
    if (on_device || !options.choose_threads) return ThreadChoice(exec.threads);
    return {exec.threads, bodies < few ? 1 : exec.threads};
}

}  // namespace scree::SCREE_FLAVOR
