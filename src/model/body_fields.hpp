// Every quantity that the engine keeps of each body, declared once: slots, checkpoints, snapshots, output files and the forecast of memory
// read this table. A new one is a line here, an array in state/bodies.hpp, and the kernel that writes it; what a fused step writes is kept
// by copy_bodies of fused/plan.cpp too. Flavor-neutral.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "model/model.hpp"
#include "model/pulls.hpp"

namespace scree {

/// Which models have a field.
enum BodyPart : std::uint32_t {
    kAllBodies = 1u << 0,
    kForceSums = 1u << 1,     // may be empty between steps (State::holds_forces)
    kOrientations = 1u << 2,  // that keep orientations
    kAccounts = 1u << 3,      // that account for energy
    kShapes = 1u << 4,        // with polyhedra or compounds
    kOwners = 1u << 5,        // with compounds
    kFluids = 1u << 6,
    kFilms = 1u << 7,          // whose contacts share liquid
    kPeriods = 1u << 8,        // with periods of the penalty or cone method
    kFieldAccounts = 1u << 9,  // that account for energy, of models with fields
    kVolumes = 1u << 10,       // with media that ask for them
};

/// What a checkpoint without the field means: it is damaged, or was written before there was one.
enum class Missing { Damaged, Zero, One };

struct BodyField {
    const char* name;  // in checkpoints
    const char* unit;  // of its numbers; of rows of four of the first three, the fourth in brackets
    BodyPart part;
    const char* writer;  // the stage that writes it, or "constant"
    Missing missing{Missing::Damaged};
    // Name of the column in snapshots and output files; null: snapshots have it in a form of their own, or nobody asks. Fields that share a
    // name are its components, one after the other.
    const char* shown{nullptr};
};

/// In the order of Bodies::each_field.
inline constexpr BodyField body_fields[] = {
    {"body.position_radius", "m (m)", kAllBodies, "motion"},
    {"body.velocity_inverse_mass", "m/s (1/kg)", kAllBodies, "motion"},
    {"body.angular_velocity_inverse_inertia", "rad/s (1/(kg m2))", kAllBodies, "motion"},
    {"body.force.x", "N", kForceSums, "penalty"},
    {"body.force.y", "N", kForceSums, "penalty"},
    {"body.force.z", "N", kForceSums, "penalty"},
    {"body.torque.x", "N m", kForceSums, "penalty"},
    {"body.torque.y", "N m", kForceSums, "penalty"},
    {"body.torque.z", "N m", kForceSums, "penalty"},
    {"body.reference.x", "m", kAllBodies, "step"},
    {"body.reference.y", "m", kAllBodies, "step"},
    {"body.reference.z", "m", kAllBodies, "step"},
    {"body.orientation.w", "1", kOrientations, "motion", Missing::One},
    {"body.orientation.x", "1", kOrientations, "motion", Missing::Zero},
    {"body.orientation.y", "1", kOrientations, "motion", Missing::Zero},
    {"body.orientation.z", "1", kOrientations, "motion", Missing::Zero},
    {"body.work_damping", "J", kAccounts, "penalty, measure", Missing::Zero},
    {"body.work_friction", "J", kAccounts, "penalty, measure", Missing::Zero},
    {"body.work_walls", "J", kAccounts, "penalty, measure", Missing::Zero},
    {"body.work_fields", "J", kFieldAccounts, "motion", Missing::Zero},
    {"body.volume", "m3", kVolumes, "constant"},
    {"body.id", "1", kAllBodies, "constant"},
    {"body.material", "1", kAllBodies, "constant"},
    {"body.shape", "1", kShapes, "constant"},
    {"body.angular_momentum.x", "kg m2/s", kShapes, "motion"},
    {"body.angular_momentum.y", "kg m2/s", kShapes, "motion"},
    {"body.angular_momentum.z", "kg m2/s", kShapes, "motion"},
    {"body.owner", "1", kOwners, "constant"},
    {"body.density", "kg/m3", kFluids, "fluid", Missing::Damaged, "density"},
    {"body.pressure", "Pa", kFluids, "fluid", Missing::Damaged, "pressure"},
    {"body.film", "m3", kFilms, "penalty", Missing::Damaged, "liquid"},
    {"body.periods.x", "1", kPeriods, "space", Missing::Zero, "periods"},
    {"body.periods.y", "1", kPeriods, "space", Missing::Zero, "periods"},
    {"body.periods.z", "1", kPeriods, "space", Missing::Zero, "periods"},
};

/// The parts that a model has. account: energy is accounted for.
inline std::uint32_t body_parts(const Model& model, bool account) {
    bool shapes = false, compounds = false;
    for (const std::int32_t shape : model.bodies.shape) {
        shapes = shapes || shape >= 0;
        compounds = compounds || is_compound_shape(model, shape);
    }
    std::uint32_t parts = kAllBodies | kForceSums;
    if (model.track_orientation || shapes || !model.joints.empty() || !model.bonds.empty()) parts |= kOrientations;
    if (account) parts |= kAccounts;
    if (account && model.fields.any()) parts |= kFieldAccounts;
    if (asks_for_volumes(model.fields)) parts |= kVolumes;
    if (shapes) parts |= kShapes;
    if (compounds) parts |= kOwners;
    if (model.method == Method::Fluid) parts |= kFluids;
    if (shares_liquid(model)) parts |= kFilms;
    if (cell_of(model).any()) parts |= kPeriods;
    return parts;
}

/// Numbers of a body in the columns that snapshots show.
inline std::size_t shown_numbers(std::uint32_t parts) {
    std::size_t sum = 0;
    for (const BodyField& field : body_fields) sum += field.shown != nullptr && (parts & field.part) != 0 ? 1 : 0;
    return sum;
}

/// The field of this name, or null.
inline const BodyField* find_field(std::string_view name) {
    for (const BodyField& field : body_fields) {
        if (name == field.name) return &field;
    }
    return nullptr;
}

}  // namespace scree
