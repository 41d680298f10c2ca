#include "engine/measure/measure.hpp"

#include <cmath>

#include "engine/bonds/bonds.hpp"
#include "engine/cone/respond.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/laws/laws.hpp"
#include "engine/measure/contact_sums.hpp"
#include "engine/measure/patches.hpp"
#include "engine/measure/records.hpp"
#include "engine/state/unwrapped.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Bodies by id: what sums run over.
struct ById {
    BodyView body;
    const Slot* slot;
};

SCREE_HD double mass_of(const BodyView& b, Index i) {
    return 1.0 / b.inverse_mass[i];
}
SCREE_HD double inertia_of(const BodyView& b, Index i) {
    return 1.0 / b.inverse_inertia[i];
}

/// Sum of Value{}(body, slot) over all bodies present; members of compounds count with what they are part of.
template <class Value>
double sum_bodies(const Workspace& work, const ById& by, Value value) {
    return sum_of(
        work.exec, "measure/sum_bodies", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            const Slot i = by.slot[id];
            return i < 0 || by.body.is_member(i) ? 0.0 : value(by.body, i);
        });
}
/// The same over all entries, for what contacts add up: members have contacts of their own.
template <class Value>
double sum_entries(const Workspace& work, const ById& by, Value value) {
    return sum_of(
        work.exec, "measure/sum_entries", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            const Slot i = by.slot[id];
            return i < 0 ? 0.0 : value(by.body, i);
        });
}

struct Mass {
    SCREE_HD double operator()(const BodyView& b, Index i) const { return mass_of(b, i); }
};
struct KineticTranslation {
    SCREE_HD double operator()(const BodyView& b, Index i) const { return 0.5 * mass_of(b, i) * norm2(b.velocity[i]); }
};
/// Angular momentum about the body's own centre.
SCREE_HD Vec3 spin_of(const BodyView& b, Index i) {
    return b.is_sphere(i) ? inertia_of(b, i) * b.angular_velocity[i] : b.angular_momentum[i];
}
struct KineticRotation {
    SCREE_HD double operator()(const BodyView& b, Index i) const {
        if (!b.is_sphere(i)) return 0.5 * dot(b.angular_momentum[i], b.angular_velocity[i]);
        return 0.5 * inertia_of(b, i) * norm2(b.angular_velocity[i]);
    }
};
struct Potential {
    Vec3 gravity;
    Unwrapped place;
    SCREE_HD double operator()(const BodyView& b, Index i) const { return -mass_of(b, i) * dot(gravity, place(b, i)); }
};
struct Along {
    Vec3 direction;
    SCREE_HD double operator()(const BodyView& b, Index i) const { return mass_of(b, i) * dot(direction, b.velocity[i]); }
};
struct AngularAlong {
    Vec3 direction;
    SCREE_HD double operator()(const BodyView& b, Index i) const {
        return dot(direction, mass_of(b, i) * cross(b.position[i], b.velocity[i]) + spin_of(b, i));
    }
};
struct WorkDamping {
    SCREE_HD double operator()(const BodyView& b, Index i) const { return b.work_damping[i]; }
};
struct WorkFriction {
    SCREE_HD double operator()(const BodyView& b, Index i) const { return b.work_friction[i]; }
};
struct WorkWalls {
    SCREE_HD double operator()(const BodyView& b, Index i) const { return b.work_walls[i]; }
};
struct WorkFields {
    const double* work;  // null where the model has no fields
    SCREE_HD double operator()(const BodyView&, Index i) const { return work == nullptr ? 0.0 : work[i]; }
};
struct InRegion {
    Region region;
    bool count;
    Cell cell;
    SCREE_HD double operator()(const BodyView& b, Index i) const {
        if (!region.takes(b.material[i], b.radius[i])) return 0.0;
        const Vec3 x = b.position[i];
        const Vec3 home = cell.any() ? x + cell.shift(cell.home(x, 0.0)) : x;
        return region.contains(home) ? (count ? 1.0 : mass_of(b, i)) : 0.0;
    }
};

WorkFields work_of_fields(State& state) {
    return {state.bodies.work_fields.size() > 0 ? state.bodies.work_fields.data() : nullptr};
}

template <class Value>
double sum_removed(const Workspace& work, const ById& by, const std::int32_t* keep, bool members, Value value) {
    return sum_of(
        work.exec, "measure/sum_removed", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            const Slot i = by.slot[id];
            return i < 0 || keep[i] != 0 || (!members && by.body.is_member(i)) ? 0.0 : value(by.body, i);
        });
}

double top_speed(const Exec& exec, const BodyView& body, Index n) {
    return std::sqrt(max_of(
        exec, "measure/top_speed", n, 0.0, SCREE_LAMBDA(Index i)->double { return body.is_member(i) ? 0.0 : norm2(body.velocity[i]); }));
}

Vec3 sum_along(const Workspace& work, const ById& by, bool angular) {
    const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double c[3];
    for (int k = 0; k < 3; ++k) c[k] = angular ? sum_bodies(work, by, AngularAlong{axes[k]}) : sum_bodies(work, by, Along{axes[k]});
    return {c[0], c[1], c[2]};
}

}  // namespace

namespace {

/// Adds what contacts of polyhedra hold and gives the records of those with walls.
std::vector<ContactRecord> add_patches(const Model& model, State& state, Workspace& work, Measurement& m) {
    std::vector<ContactRecord> walls;
    const auto add = [&m](const PatchRecord& r) {
        m.energy.elastic_normal += r.elastic_normal;
        m.energy.elastic_tangential += r.elastic_tangential;
        ++m.kinds[static_cast<int>(r.contact.kind)];
        m.max_overlap = std::max(m.max_overlap, r.contact.overlap_ratio);
    };
    for (const PatchRecord& r : convex_pair_records(model, state, work)) {
        add(r);
        ++m.contacts;
    }
    for (const PatchRecord& r : convex_wall_records(model, state, work)) {
        add(r);
        walls.push_back(r.contact);
    }
    return walls;
}

}  // namespace

Measurement measure_state(const Model& model, State& state, Workspace& work) {
    const ById by{state.bodies.view(), work.slot_of_id.data()};
    Measurement m;
    m.step = state.step;
    m.time = state.time;
    m.bodies = state.bodies.count - state.members;
    m.mass = sum_bodies(work, by, Mass{});
    m.energy.kinetic_translation = sum_bodies(work, by, KineticTranslation{});
    m.energy.kinetic_rotation = sum_bodies(work, by, KineticRotation{});
    m.energy.potential = sum_bodies(work, by, Potential{model.gravity, unwrapped(state, work)});
    m.energy.removed = state.removed_energy;
    m.momentum = sum_along(work, by, false);
    m.angular_momentum = sum_along(work, by, true);
    m.max_speed = top_speed(work.exec, by.body, state.bodies.count);
    m.bonds = sums_of_bonds(state, work, 0.5 * model.dt);
    const ContactSums sums = work.fluid ? ContactSums{} : sum_contacts(model, state, work);
    m.energy.elastic_normal = sums.elastic_normal;
    m.energy.elastic_tangential = sums.elastic_tangential;
    m.contacts = sums.contacts;
    m.max_overlap = sums.max_overlap;
    std::vector<ContactRecord> walls = wall_contact_records(model, state, work);
    const std::vector<ContactRecord> patches = add_patches(model, state, work, m);
    walls.insert(walls.end(), patches.begin(), patches.end());
    if (state.account) {
        m.energy.dissipated_damping = sum_entries(work, by, WorkDamping{}) + state.removed_work[0];
        // What tangential springs took and do not hold any more went into sliding.
        m.energy.dissipated_friction = sum_entries(work, by, WorkFriction{}) + state.removed_work[1] - m.energy.elastic_tangential;
        m.energy.work_of_walls = sum_entries(work, by, WorkWalls{}) + state.removed_work[2] + m.bonds.work_of_cell;
        m.energy.work_of_fields = sum_entries(work, by, work_of_fields(state)) + state.removed_work[3];
    }
    m.energy.elastic_bonds = m.bonds.elastic;
    m.energy.dissipated_bonds = m.bonds.dissipated;
    if (work.cone) m.cone = work.cone->report;
    m.wall_contacts = static_cast<std::int64_t>(walls.size());
    m.walls = wall_loads(walls, model.walls.size());
    add_bond_loads(model, state, work, m.walls);
    m.wall_power = wall_powers(model, work, m.walls, state.time);
    for (const ContactRecord& r : walls) m.max_overlap = std::max(m.max_overlap, r.overlap_ratio);
    if (m.bodies > 0) m.coordination = static_cast<double>(2 * m.contacts + m.wall_contacts) / static_cast<double>(m.bodies);
    return m;
}

RegionSum sum_in_region(State& state, Workspace& work, const Region& region) {
    const ById by{state.bodies.view(), work.slot_of_id.data()};
    const Cell& cell = work.images.cell;
    return {sum_bodies(work, by, InRegion{region, false, cell}),
            static_cast<std::int64_t>(sum_bodies(work, by, InRegion{region, true, cell}))};
}

RemovedEnergy energy_of_removed(const Model& model, State& state, Workspace& work, const Array<std::int32_t>& keep) {
    const ById by{state.bodies.view(), work.slot_of_id.data()};
    RemovedEnergy e{};
    e.mechanical = sum_removed(work, by, keep.data(), false, KineticTranslation{}) +
                   sum_removed(work, by, keep.data(), false, KineticRotation{}) +
                   sum_removed(work, by, keep.data(), false, Potential{model.gravity, unwrapped(state, work)});
    if (state.account) {
        e.work_damping = sum_removed(work, by, keep.data(), true, WorkDamping{});
        e.work_friction = sum_removed(work, by, keep.data(), true, WorkFriction{});
        e.work_walls = sum_removed(work, by, keep.data(), true, WorkWalls{});
        e.work_fields = sum_removed(work, by, keep.data(), true, work_of_fields(state));
    }
    return e;
}

}  // namespace scree::SCREE_FLAVOR
