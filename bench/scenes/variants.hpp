// Engines that take turns at being timed on one model: precisions and threads, or recordings. Shared by the programs that time whole steps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/arguments.hpp"
#include "common/json.hpp"
#include "common/program.hpp"
#include "engine/engine.hpp"

namespace scree::bench {

/// One engine that is timed, and what was seen of it.
struct Variant {
    std::string precision;
    std::string kind;  // of model, where variants are of several; else empty
    int threads{0};
    int recorded{-1};  // EngineOptions::recorded
    std::unique_ptr<Engine> engine;
    std::vector<double> wall, cpu;        // of each repeat [s]
    std::map<std::string, double> stage;  // seconds over all repeats
    std::int64_t rebuilds{0};             // over all repeats
    std::int64_t pairs{0}, contacts{0}, wall_contacts{0}, memory{0};
    double skin{0}, max_overlap{0};
};

/// Advances by `steps`; throws RunError where the run stops.
void advance(Engine& engine, std::int64_t steps);
/// One engine for each of the arguments' --precision and --threads (--recorded on a GPU) on --device, after `warm` steps.
std::vector<Variant> make_variants(const Model& model, const Arguments& args, std::int64_t warm);
/// Times `repeats` runs of `steps` of each in turns, and looks at the contacts afterwards.
void time_variants(std::vector<Variant>& variants, std::int64_t steps, int repeats);
/// The figures that bench/README.md explains, as members of the object that is open.
void put_figures(JsonWriter& json, const Variant& v, std::int64_t n, std::int64_t steps);
void print_head();
void print_row(const Variant& v, std::int64_t n, std::int64_t steps);

}  // namespace scree::bench
