#include "engine/penalty/convex_forces.hpp"

#include "engine/exec/batches.hpp"
#include "engine/laws/laws.hpp"
#include "engine/penalty/convex_capacity.hpp"
#include "engine/penalty/ellipsoid_groups.hpp"
#include "engine/penalty/flush_overlaps.hpp"
#include "engine/penalty/flush_spheres.hpp"
#include "engine/state/thickness.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What all kernels share, by value.
struct ConvexSettings {
    PatchSettings patch;
    Law law;
    const LawRow* rows;
    const GeneralRow* general;
    Real dt;
    Real warning, limit;  // overlap over the smaller bounding radius
};

/// Flags of one contact. NaN raises kNotFinite: it fails every comparison.
SCREE_HD std::uint32_t patch_flags(Real depth, Real radius, Real normal_force, const ConvexSettings& s) {
    const std::uint32_t warned = depth > s.warning * radius ? kOverlapWarning : 0u;
    const std::uint32_t stopped = depth > s.limit * radius ? kOverlapLimit : 0u;
    const Real larger = depth + std::fabs(normal_force);
    return warned | stopped | (larger < Real(1e30) ? 0u : kNotFinite);
}

/// Leaves nothing of a contact that has ended.
SCREE_HD void clear(const ContactView& c, const PatchView& patch, Index p) {
    const Vec3T<Real> zero{};
    if (norm2(patch.axis[p]) == Real(0) && norm2(c.force[p]) == Real(0) && norm2(c.stretch[p]) == Real(0)) return;
    c.force.set(p, zero);
    c.twist.set(p, zero);
    c.stretch.set(p, zero);
    patch.axis.set(p, zero);
    patch.turn[p] = Real(0);
    if (patch.torque_b.x != nullptr) patch.torque_b.set(p, zero);
}

SCREE_HD void write(const ContactView& c, const PatchView& patch, Index p, const PatchOutput<Real>& out) {
    c.force.set(p, out.force);
    c.twist.set(p, out.torque_a);
    c.stretch.set(p, out.stretch);
    patch.axis.set(p, out.axis);
    patch.turn[p] = out.turn;
    if (patch.torque_b.x != nullptr) patch.torque_b.set(p, out.torque_b);
}

/// Pairs of two polyhedra whose regions are cut together: as many as the first-level cache holds.
constexpr int regions_at_once = 8;
using Regions = small::Batch<regions_at_once, Real>;

template <bool Couple>
SCREE_HD_SHARED void finish_regions(Regions& regions) {
    small::finish_pairs<Couple>(regions);
}

/// A pair that may touch.
struct NearPair {
    Index p;
    bool together;  // its region is cut with those of others
    bool smooth;    // both bodies are
    bool ellipsoids;
    Vec3T<Real> n;   // axis for that
    Vec3T<Real> to;  // from A to B
};

/// Lists the pairs of [begin, end) that may touch, and clears the others, but for those that lie flush with more; returns how many.
template <std::size_t Most>
SCREE_HD int list_near(const BodyView& body, const ConvexPairView& v, Index begin, Index end, const PatchSettings& s,
                       NearPair (&near)[Most]) {
    int count = 0;
    for (Index p = begin; p < end; ++p) {
        const Index i = v.a[p], j = v.b[p];
        if (is_flush(body, s, i, j)) continue;
        const Vec3 d = relative_position(body.position[i], body.position[j]);
        const double reach = body.radius[i] + body.radius[j];
        if (!(norm2(d) < reach * reach)) {
            clear(v.contact, v.patch, p);
            continue;
        }
        NearPair pair{p, false, is_smooth(body, s.shapes, i) && is_smooth(body, s.shapes, j), false, {}, cast<Real>(d)};
        if (pair.smooth) {
            pair.ellipsoids = four_at_once && is_ellipsoid(body, s.shapes, i) && is_ellipsoid(body, s.shapes, j);
            near[count++] = pair;
            continue;
        }
        pair.together =
            s.mode != Patch::Vertices && s.shapes.entry[body.shape[i]].is_small != 0 && s.shapes.entry[body.shape[j]].is_small != 0;
        const Vec3T<Real> axis = v.patch.axis[p];
        const Real size = norm(axis);
        pair.n = axis / (size > Real(0) ? size : Real(1));
        if (pair.together && !(size > Real(0))) {
            const PlacedConvex<Real> A = placed(body, s.shapes, i, {}), B = placed(body, s.shapes, j, pair.to);
            std::int32_t& feature = v.patch.feature[p];
            const bool apart = feature != Patches::none && (feature_separates(A, B, feature) || test_feature(A, B, feature).gap > Real(0));
            const Axis<Real> found = apart ? Axis<Real>{Real(1), {}, feature} : axis_of(A, B);
            if (found.gap > Real(0)) {
                feature = found.feature;
                clear(v.contact, v.patch, p);
                continue;
            }
            pair.n = found.normal;
        }
        near[count++] = pair;
    }
    return count;
}

/// Force of a pair in `found`; returns its flags.
SCREE_HD std::uint32_t pair_force(const BodyView& body, const ConvexPairView& v, Index p, const PatchGeometry<Real>& found,
                                  const ConvexSettings& s) {
    if (!found.touching) {
        clear(v.contact, v.patch, p);
        return 0;
    }
    const Index i = v.a[p], j = v.b[p];
    PatchInput<Real> in = pair_input(body, s.patch, i, j, found);
    read_history(in, v.contact.stretch[p], v.patch.axis[p], v.patch.turn[p]);
    PatchOutput<Real> out = patch_force(s.law, s.general[v.law[p]], in, s.dt);
    if (found.share < Real(1)) take_share(out, found.share);
    write(v.contact, v.patch, p, out);
    return patch_flags(found.depth, static_cast<Real>(thickness_of(body, s.patch.shapes, i, j)), out.normal_force, s);
}

/// Pair p by itself, where it does not lie flush with more.
template <int Capacity>
SCREE_HD std::uint32_t one_force(const BodyView& body, const ConvexPairView& v, Index p, const ConvexSettings& s) {
    if (is_flush(body, s.patch, v.a[p], v.b[p])) return 0;
    return pair_force(body, v, p, lone_patch<Capacity>(body, v, p, s.patch, v.patch.feature[p]), s);
}

/// The pairs [begin, end): as find_patch, with the regions of several cut together.
template <int Capacity>
SCREE_HD std::uint32_t batch_forces(const BodyView& body, const ConvexPairView& v, Index begin, Index end, const ConvexSettings& s) {
    NearPair near[longest_batch];
    PlacedConvex<Real> A[regions_at_once], B[regions_at_once];
    Regions regions;
    const int count = list_near(body, v, begin, end, s.patch, near);
    EllipsoidGroups ellipsoids;
    for (int k = 0; k < count; ++k)
        if (near[k].ellipsoids) ellipsoids.add(near[k].p);
    ellipsoids.search(body, v, s.patch);
    int next_ellipsoids = 0;
    std::uint32_t bits = 0;
    for (int from = 0; from < count; from += regions_at_once) {
        const int some = count - from < regions_at_once ? count - from : regions_at_once;
        regions.regions = 0;
        for (int k = 0; k < some; ++k) {
            const NearPair& pair = near[from + k];
            if (pair.smooth) continue;
            A[k] = placed(body, s.patch.shapes, v.a[pair.p], {});
            B[k] = placed(body, s.patch.shapes, v.b[pair.p], pair.to);
            if (pair.together) small::begin_pair(regions, A[k], B[k], pair.n, clip::slack_of(A[k], B[k]));
        }
        if (s.patch.gradient) {
            finish_regions<true>(regions);
        } else {
            finish_regions<false>(regions);
        }
        int next = 0;
        for (int k = 0; k < some; ++k) {
            const NearPair& pair = near[from + k];
            PatchGeometry<Real> found;
            bool known = pair.smooth;
            if (pair.ellipsoids) {
                found = ellipsoids.patch(next_ellipsoids++, s.law);
            } else if (pair.smooth) {
                found = lone_patch<Capacity>(body, v, pair.p, s.patch, v.patch.feature[pair.p]);
            }
            if (pair.together) {
                const small::Region<Real>& region = regions.region[next++];
                Overlap<Real> o = s.patch.gradient ? small::moments<true>(region) : small::moments<false>(region);
                known = region.fits && (o.volume > Real(0) || !(norm2(v.patch.axis[pair.p]) > Real(0)));
                if (s.patch.gradient) o.direction = o.area;
                found = patch_of(o, pair.n);
            }
            if (!known) found = find_patch<Capacity>(A[k], B[k], v.patch.axis[pair.p], s.patch, v.patch.feature[pair.p]);
            bits |= pair_force(body, v, pair.p, found, s);
        }
    }
    return bits;
}

/// The pairs [begin, end), together where that pays.
template <int Capacity>
SCREE_HD std::uint32_t range_forces(const BodyView& body, const ConvexPairView& v, Index begin, Index end, const ConvexSettings& s) {
    if constexpr (eight_at_once) {
        return batch_forces<Capacity>(body, v, begin, end, s);
    } else {
        std::uint32_t bits = 0;
        for (Index p = begin; p < end; ++p) bits |= one_force<Capacity>(body, v, p, s);
        return bits;
    }
}

template <int Capacity>
void convex_pair_forces(Workspace& work, BodyView body, ContactList& pairs, ConvexSettings s) {
    const ConvexPairView v = convex_pair_view(pairs);
    flag_each_batch(
        work.exec, "penalty/convex_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index begin, Index end)->std::uint32_t { return range_forces<Capacity>(body, v, begin, end, s); }, work.flags.gate());
}

/// Pairs that lie flush with more, in a kernel of their own: the others' would spill half as many registers again.
template <int Capacity>
void flush_pair_forces(Workspace& work, BodyView body, ContactList& pairs, MeshPatches<Capacity> walls, ConvexSettings s) {
    if (!s.patch.flush.any()) return;
    const ConvexPairView v = convex_pair_view(pairs);
    flag_each(
        work.exec, "penalty/flush_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            if (!is_flush(body, s.patch, v.a[p], v.b[p])) return 0;
            return pair_force(body, v, p, pair_patch<Capacity>(body, v, walls, p, s.patch, v.patch.feature[p]), s);
        },
        work.flags.gate());
}

template <class Law>
void mixed_pair_forces(Workspace& work, BodyView body, ContactList& pairs, ConvexSettings s) {
    const ConvexPairView v = convex_pair_view(pairs);
    flag_each(
        work.exec, "penalty/mixed_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const MixedContact m = mixed_contact(body, v, p, s.patch);
            if (!(m.in.delta > Real(0))) {
                clear(v.contact, v.patch, p);
                return 0;
            }
            ContactOutput<Real> out;
            if constexpr (is_general_law<Law>) {
                out = general_contact<Law>(s.general[v.law[p]], m.in, s.dt);
            } else {
                out = contact_force<Law>(s.rows[v.law[p]], m.in, s.dt);
            }
            v.contact.force.set(p, out.force);
            v.contact.twist.set(p, cross(m.arm_a, out.force));
            v.patch.torque_b.set(p, -cross(m.arm_b, out.force));
            v.contact.stretch.set(p, out.stretch);
            return patch_flags(m.in.delta, static_cast<Real>(thickness_of(body, s.patch.shapes, v.a[p], v.b[p])), out.normal_force, s);
        },
        work.flags.gate());
}

/// Surfaces of one class: patch(i, p) finds the patch of body i with the surface of pair p, wall(p) the wall it belongs to.
template <class Surfaces>
void wall_forces(Workspace& work, const char* label, BodyView body, Surfaces surfaces, ContactList& pairs, const WallPlace* places,
                 ConvexSettings s) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const PatchView patch = pairs.patches.view();
    flag_each(
        work.exec, label, pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = slot[p];
            const PatchGeometry<Real> found = surfaces.patch(i, p);
            if (!found.touching) {
                clear(c, patch, p);
                return 0;
            }
            const RigidVelocity motion = places == nullptr ? RigidVelocity{} : velocity_in(&places[surfaces.wall(p)].mid);
            PatchInput<Real> in = wall_input(body, s.patch, i, found, surfaces.wall(p), motion);
            if (!(found.extent > Real(0))) in.patch.extent = surfaces.extent(i, p, found.normal);
            read_history(in, c.stretch[p], patch.axis[p], patch.turn[p]);
            PatchOutput<Real> out = patch_force(s.law, s.general[law[p]], in, s.dt);
            if (found.share < Real(1)) take_share(out, found.share);
            write(c, patch, p, out);
            return patch_flags(found.depth, static_cast<Real>(thickness_of(body, s.patch.shapes, i)), out.normal_force, s);
        },
        work.flags.gate());
}

template <int Capacity>
void all_forces(State& state, Workspace& work, const ConvexSettings& s) {
    const BodyView body = state.bodies.view();
    const WallPlace* places = work.walls.motions.places();
    convex_pair_forces<Capacity>(work, body, state.lists[kConvex], s);
    flush_pair_forces<Capacity>(work, body, state.lists[kConvex], mesh_patches<Capacity>(state, work, s.patch), s);
    wall_forces(work, "penalty/convex_planes", body, plane_patches<Capacity>(state, work, s.patch), state.lists[kConvexPlanes], places, s);
    wall_forces(work, "penalty/convex_cylinders", body, cylinder_patches<Capacity>(state, work, s.patch), state.lists[kConvexCylinders],
                places, s);
    wall_forces(work, "penalty/convex_meshes", body, mesh_patches<Capacity>(state, work, s.patch), state.lists[kConvexMeshes], places, s);
}

}  // namespace

void convex_forces(const Model& model, State& state, Workspace& work, double dt) {
    const BodyView body = state.bodies.view();
    const ConvexSettings s{patch_settings(model, work),
                           model.penalty.law,
                           work.laws.data(),
                           work.general.data(),
                           static_cast<Real>(dt),
                           static_cast<Real>(model.penalty.overlap_warning),
                           static_cast<Real>(model.penalty.overlap_limit)};
    mark_covered(model, state, work);
    with_round_law(model.penalty, [&](auto law) {
        if (state.lists[kMixed].size() > 0) mixed_pair_forces<decltype(law)>(work, body, state.lists[kMixed], s);
    });
    with_capacity(work.shapes.most_corners, [&](auto buffers) { all_forces<decltype(buffers)::value>(state, work, s); });
}

}  // namespace scree::SCREE_FLAVOR
