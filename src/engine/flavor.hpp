// What a flavor gives: the functions by which the sources outside it reach it. A module (engine/module.hpp) hands one of these over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/collide/collider.hpp"
#include "engine/cone/direct/direct.hpp"
#include "engine/cone/explicit_solution.hpp"
#include "engine/engine.hpp"
#include "engine/forecast.hpp"

namespace scree {

struct Flavor {
    std::unique_ptr<Engine> (*make_engine)(const Model& model, const EngineOptions& options);
    EngineForecast (*forecast)(const Model& model, const EngineOptions& options, const PairCounts& counts);
    std::unique_ptr<Collider> (*make_collider)(int threads, bool shuffle, int device);
    ConeSolution (*solve_explicit)(const ExplicitProblem& problem, const ConeProblemSettings& settings);
    void (*use_device)(int device);         // for solve_explicit, by the calling thread
    std::string (*problem)();               // empty where the flavor can run here, else why not
    std::vector<std::string> (*devices)();  // names of those that it can run on, by number
    DirectReport (*solve_direct)(const ExplicitProblem& problem, const DirectSettings& settings, std::vector<Vec3>& x);
};

}  // namespace scree
