#include "api/push_bodies.hpp"

#include <cmath>

#include "api/inside.hpp"

namespace scree_v0 {
namespace {

/// A vector for each of the ids; `planar_zero`: the component that is 0 in two dimensions, z of forces, x and y of torques.
std::vector<::scree::Vec3> vectors_of(const std::vector<double>& values, const std::vector<std::uint32_t>& ids, const char* what,
                                      bool planar, bool turns) {
    std::vector<::scree::Vec3> vectors(ids.size());
    if (values.empty()) return vectors;
    if (values.size() != 3 * ids.size()) {
        throw SceneError(std::string(what) + " takes 3 numbers for each of " + std::to_string(ids.size()) + " bodies, not " +
                         std::to_string(values.size()));
    }
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const ::scree::Vec3 v{values[3 * k], values[3 * k + 1], values[3 * k + 2]};
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
            throw SceneError(std::string(what) + " on body " + std::to_string(ids[k]) + " is not finite");
        if (planar && (turns ? v.x != 0 || v.y != 0 : v.z != 0))
            throw SceneError(std::string(what) + ": in two dimensions " + (turns ? "x and y are 0" : "z is 0"));
        vectors[k] = v;
    }
    return vectors;
}

}  // namespace

void push_bodies(::scree::Engine& engine, const ::scree::Model& model, const std::vector<std::uint32_t>& ids,
                 const std::vector<double>& force, const std::vector<double>& torque) {
    const bool planar = model.dimensions == 2;
    const std::vector<::scree::Vec3> forces = vectors_of(force, ids, "force", planar, false),
                                     torques = vectors_of(torque, ids, "torque", planar, true);
    std::vector<std::uint8_t> there(model.bodies.size());
    for (const std::uint32_t id : engine.snapshot_of(0).id) there[id] = 1;
    std::vector<std::int32_t> chosen;
    chosen.reserve(ids.size());
    for (const std::uint32_t id : ids) {
        const std::string body = "body " + std::to_string(id);
        if (id >= there.size() || there[id] == 0) throw SceneError("there is no " + body + " now");
        const std::int32_t owner = model.bodies.owner_of(id);
        if (owner >= 0) throw SceneError(body + " is a member of a compound: push the compound, body " + std::to_string(owner));
        chosen.push_back(static_cast<std::int32_t>(id));
    }
    engine.push(chosen, forces, torques);
}

}  // namespace scree_v0
