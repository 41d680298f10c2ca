#include "engine/penalty/general_forces.hpp"

#include "engine/laws/laws.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/flush_patches.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "engine/penalty/sphere_pairs.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// A list's contacts, and what all of them share.
struct GeneralView {
    ContactView contact;
    PlasticView plastic;
    const std::int32_t* law;
    const GeneralRow* rows;
    ForceSettings settings;
    bool planar;  // of disks n x xi is kept (penalty/forces.cpp)
};

GeneralView general_view(ContactList& list, const Workspace& work, const ForceSettings& s, bool planar) {
    return {list.contacts.view(), plastic_view(list), list.law.data(), work.general.data(), s, planar};
}

/// What yielding took in the step that led to `in` [W].
template <class Law>
SCREE_HD double spent_in_step(const GeneralRow& q, const ContactInput<Real>& in, double dt) {
    const double now = static_cast<double>(in.delta), before = now + static_cast<double>(dot(in.velocity, in.normal)) * dt;
    const PlasticMemory<double> memory = wide(in.memory);
    if (!(dt > 0) || (!(now > 0) && !(memory.deepest > 0))) return 0.0;
    return yield_loss<Law>(wide(q), static_cast<double>(in.R_eff), before > 0 ? before : 0.0, memory, now > 0 ? now : 0.0) / dt;
}

/// Finds and writes the force of pair p.
template <class Law>
SCREE_HD LaneFlags put_contact(const GeneralView& v, Index p, ContactInput<Real> in, Real lever, Real radius) {
    const GeneralRow& q = v.rows[law_of(v.law, p)];
    if (v.planar) in.stretch = cross(in.stretch, in.normal);
    if constexpr (has_memory<Law>()) {
        in.memory = v.plastic.memory(p);
        if (v.plastic.spent != nullptr) v.plastic.spent[p] = spent_in_step<Law>(q, in, static_cast<double>(v.settings.dt));
    }
    const ContactOutput<Real> out = general_contact<Law>(q, in, v.settings.dt);
    v.contact.force.set(p, out.force);
    v.contact.twist.set(p, lever * out.twist);
    v.contact.stretch.set(p, v.planar ? cross(in.normal, out.stretch) : out.stretch);
    if constexpr (has_memory<Law>()) {
        v.plastic.deepest[p] = out.memory.deepest;
        v.plastic.softened[p] = out.memory.softened;
    }
    return contact_flags(in.delta, radius, out.normal_force, v.settings);
}

template <class Law>
void body_forces(Workspace& work, const BodyView& body, ContactList& pairs, const GeneralView& v) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    flag_each(
        work.exec, "penalty/general_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = a[p], j = b[p];
            const double r_a = body.radius[i], r_b = body.radius[j];
            Real lever;
            const ContactInput<Real> in = sphere_contact<Real>(body, i, j, v.contact.stretch[p], lever);
            return static_cast<std::uint32_t>(put_contact<Law>(v, p, in, lever, static_cast<Real>(r_a < r_b ? r_a : r_b)));
        },
        work.flags.gate());
}

SCREE_HD ContactInput<Real> wall_contact(const BodyView& body, Index i, const SurfaceGap& gap, const WallPlace* places, std::int32_t wall,
                                         Vec3T<Real> stretch, Real& lever) {
    if (places == nullptr) return surface_contact<Real>(body, i, gap, stretch, lever);
    return surface_contact<Real>(body, i, gap, velocity_in(&places[wall].mid), places[wall].inverse_mass, stretch, lever);
}

template <class Law, class Surfaces>
void surface_forces(Workspace& work, const BodyView& body, const Surfaces& surfaces, ContactList& pairs, const GeneralView& v) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const WallPlace* places = work.walls.motions.places();
    flag_each(
        work.exec, "penalty/general_walls", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = slot[p], s = surface[p];
            const SurfaceGap gap = gap_to(surfaces, s, places, body.position[i]);
            Real lever;
            const ContactInput<Real> in = wall_contact(body, i, gap, places, surfaces.wall(s), v.contact.stretch[p], lever);
            return static_cast<std::uint32_t>(put_contact<Law>(v, p, in, lever, static_cast<Real>(body.radius[i])));
        },
        work.flags.gate());
}

/// Nothing under a law without a memory.
template <class Law>
SCREE_HD void pass_memory(const MeshView& mesh, const MeshPairView& pairs, const PlasticView& plastic, Index first, Index last,
                          double radius) {
    if constexpr (has_memory<Law>()) pass_history(mesh, pairs, PlasticHistory{plastic.deepest, plastic.softened}, first, last, radius);
}

template <class Law>
void mesh_forces(Workspace& work, const BodyView& body, const MeshView& mesh, ContactList& list, const GeneralView& v, bool found) {
    const MeshPairView pairs = view_of(list);
    const WallPlace* places = work.walls.motions.places();
    const double pulls = work.pull_reach;
    flag_each(
        work.exec, "penalty/general_meshes", list.near_body.size(), work.flags.pending(),
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Index i = pairs.near_body[k];
            const Index first = pairs.row_start[i], last = pairs.row_start[i + 1];
            const double radius = body.radius[i];
            if (!found) find_touched_patches(mesh, pairs, places, first, last, body.position[i], radius + pulls);
            pass_on(mesh, pairs, pairs.contact.stretch, first, last, radius);
            pass_memory<Law>(mesh, pairs, v.plastic, first, last, radius);
            std::uint32_t flags = 0;
            for (Index p = first; p < last; ++p) {
                const SurfaceGap gap{pairs.normal[p], pairs.distance[p]};
                Real lever = 0;
                ContactInput<Real> in{};
                in.normal = cast<Real>(gap.normal);
                in.delta = Real(-1);  // of a patch that is too far to be looked at
                in.stretch = pairs.contact.stretch[p];
                if (gap.distance < radius) in = wall_contact(body, i, gap, places, mesh.patch_wall[pairs.patch[p]], in.stretch, lever);
                flags |= static_cast<std::uint32_t>(put_contact<Law>(v, p, in, lever, static_cast<Real>(radius)));
            }
            return flags;
        },
        work.flags.gate());
}

template <class Law>
void all_forces(State& state, Workspace& work, const ForceSettings& s, bool bodies, bool gaps_found) {
    const BodyView body = state.bodies.view();
    const auto view = [&](int list) { return general_view(state.lists[list], work, s, list == kSpheres && state.planar); };
    if (bodies) body_forces<Law>(work, body, state.lists[kSpheres], view(kSpheres));
    surface_forces<Law>(work, body, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes], view(kPlanes));
    surface_forces<Law>(work, body, RoundSurfaces{work.walls.cylinder_view(), work.walls.arcs}, state.lists[kCylinders], view(kCylinders));
    mesh_forces<Law>(work, body, work.walls.mesh_view(), state.lists[kMeshes], view(kMeshes), gaps_found);
}

}  // namespace

void general_forces(const Model& model, State& state, Workspace& work, double dt, bool bodies, bool gaps_found) {
    const ForceSettings s = force_settings(model, work, dt);
    with_round_law(model.penalty, [&](auto law) {
        if constexpr (is_general_law<decltype(law)>) all_forces<decltype(law)>(state, work, s, bodies, gaps_found);
    });
}

}  // namespace scree::SCREE_FLAVOR
