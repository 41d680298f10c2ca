// The one name that a module shows; compiled once for each flavor, as C++ for all of them.
#include "engine/module.hpp"

#include "engine/build_id.hpp"

namespace scree {

namespace SCREE_FLAVOR {

std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options);
EngineForecast forecast(const Model& model, const EngineOptions& options, const PairCounts& counts);
ConeSolution solve_explicit(const ExplicitProblem& problem, const ConeProblemSettings& settings);
void use_device(int device);
std::string flavor_problem();
std::vector<std::string> flavor_devices();

namespace {

constexpr Flavor entries{make_flavor, forecast, make_collider, solve_explicit, use_device, flavor_problem, flavor_devices, solve_direct};
constexpr ModuleHead head{build_id, &entries, SCREE_MADE_FOR};

}  // namespace
}  // namespace SCREE_FLAVOR
}  // namespace scree

extern "C" const scree::ModuleHead* scree_module() {
    return &scree::SCREE_FLAVOR::head;
}
