#include "engine/cone/leave_out.hpp"

#include "engine/cone/points/point_search.hpp"
#include "engine/narrow/convex_axis.hpp"
#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The rows of a list's pairs, and what moves them.
struct SolvedRows {
    BodyView body;
    ShapeView shapes;
    RigidView rigid;
    const BodyTwist* twist;
    const BodyMass* mass;
    const WallPlace* places;
    double dt;
    std::int32_t* count;
    const std::int32_t* first;
    const Real *gap, *pull;
    const Vec3R* normal;
    UnknownsView x;
    Vec3R* base;
    Real *eta, *along, *across;

    SCREE_HD Real inradius(Index i) const { return static_cast<Real>(shapes.entry[body.shape[i]].inradius); }
    SCREE_HD RigidVelocity velocity_of(Index i) const {
        const Slot r = rigid.body_of(i);
        const RigidVelocity whole{body.position[r], cast<double>(twist[r].v), cast<double>(twist[r].w)};
        return {body.position[i], velocity_at(whole, body.position[rigid.images(i)]) + rigid.drift_of(body, i), whole.angular};
    }
    /// What an impulse of one along n does to the speeds of both at their centres [m/s].
    SCREE_HD Real mobility(Index i, Slot b) const {
        return mass[rigid.body_of(i)].inverse_mass + (b >= 0 ? mass[b].inverse_mass : Real(0));
    }
};

/// An open pair's push, and its motion without it.
struct OpenPair {
    Vec3R normal;  // of its first row
    Way<Real> way;
    Real freed;  // speed along the normal that the push takes [m/s]
};

/// Do all rows of pair p stand open or no deeper than rounding and solutions leave them, and push, and do none pull? B: body j, or a wall
/// of this motion, carried by slot b or -1.
SCREE_HD bool open_pair(const SolvedRows& s, Index p, Index i, const RigidVelocity& of_b, Slot b, double thickness, OpenPair& out) {
    const Real slack = static_cast<Real>(Way<Real>::share * thickness);
    Real push = 0;
    for (std::int32_t q = 0; q < s.count[p]; ++q) {
        const Index k = static_cast<Index>(s.first[p]) + q;
        if (!(s.gap[k] >= -slack) || !(s.eta[k] > Real(0)) || s.pull[k] != Real(0)) return false;
        push += dot(s.x.impulse[k], s.normal[k]);
    }
    if (!(push > Real(0))) return false;
    const RigidVelocity a = s.velocity_of(i);
    out.normal = s.normal[s.first[p]];
    out.freed = push * s.mobility(i, b);
    out.way = {cast<Real>(s.dt * (velocity_at(of_b, a.at) - a.velocity)), cast<Real>(s.dt * (of_b.angular - a.angular)), slack};
    out.way.along -= (static_cast<Real>(s.dt) * out.freed) * out.normal;
    return true;
}

/// Is n, of a plane, across the contact's normal?
SCREE_HD bool is_across(const OpenPair& pair, Vec3R n) {
    constexpr Real most = Real(0.1);
    return std::fabs(dot(n, pair.normal)) < most;
}

/// Does a plane with the normal n, from A to B, part them through the step? x: of B's points the nearest to it.
SCREE_HD bool parts(const OpenPair& pair, Vec3R n, Vec3R x, Real gap) {
    return gap >= -pair.way.slack && gap - pair.way.nearer(n, x) >= -pair.way.slack;
}

/// The pair counts as one without points from here on, so that the next step does not recall them.
SCREE_HD void leave_rows_out(const SolvedRows& s, Index p, Real freed) {
    constexpr Real past_all = Real(100);
    for (std::int32_t q = 0; q < s.count[p]; ++q) {
        const Index k = static_cast<Index>(s.first[p]) + q;
        s.eta[k] = s.along[k] = s.across[k] = Real(0);
        s.base[k] += (past_all * freed) * s.normal[k];
        s.x.impulse[k] = {};
        if (s.x.couple != nullptr) s.x.couple[k] = {};
    }
    s.count[p] = 0;
}

/// A plane of a face of `owner` across the contact. inradius: of the other [m]; sign: 1 where the owner is A.
SCREE_HD bool a_face_parts(const PlacedConvex<Real>& owner, const PlacedConvex<Real>& other, Real inradius, Real sign,
                           const OpenPair& pair) {
    const Vec3R between = other.at - owner.at;
    for (std::int32_t f = 0; f < owner.shape.faces; ++f) {
        const Vec3R n = owner.normal(f);
        if (!is_across(pair, n)) continue;
        const Real centre = dot(n, between) - owner.scale * owner.shape.h[f];
        if (centre - inradius < -pair.way.slack) continue;
        const axis::Lowest<Real> low = axis::lowest_vertex(other.shape, transposed_times(other.turn, n));
        if (parts(pair, sign * n, other.vertex(low.vertex), centre + other.scale * low.value)) return true;
    }
    return false;
}

SolvedRows solved_rows(const Model& model, State& state, Workspace& work, const BodyMass* mass, const BodyTwist* twist, PairList list,
                       ContactTable& t, Unknowns& x) {
    PairRows& rows = t.rows[list];
    return {state.bodies.view(),
            work.shapes.view(),
            rigid_view(state, work),
            twist,
            mass,
            work.walls.motions.places(),
            model.dt,
            rows.count.data(),
            rows.first.data(),
            t.gap.data(),
            t.pull.data(),
            t.normal.data(),
            view_of(x),
            t.base.data(),
            t.eta.data(),
            t.along.data(),
            t.across.data()};
}

void look_at_pairs(Workspace& work, ContactList& pairs, SolvedRows s, LeaveOutControl* control) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    flag_each(
        work.exec, "cone/leave_out_pairs", pairs.size(), &control->found,
        SCREE_LAMBDA(Index p)->std::uint32_t {
            if (s.count[p] == 0) return 0;
            const Index i = a[p], j = b[p];
            OpenPair pair;
            if (!open_pair(s, p, i, s.velocity_of(j), s.rigid.body_of(j), thickness_of(s.body, s.shapes, i, j), pair)) return 0;
            const Vec3R d = cast<Real>(relative_position(s.body.position[i], s.body.position[j]));
            const PlacedConvex<Real> A = placed(s.body, s.shapes, i, {}), B = placed(s.body, s.shapes, j, d);
            const Real in_a = A.scale * s.inradius(i), in_b = B.scale * s.inradius(j);
            if (!a_face_parts(A, B, in_b, Real(1), pair) && !a_face_parts(B, A, in_a, Real(-1), pair)) return 0;
            leave_rows_out(s, p, pair.freed);
            return 1;
        },
        Gate{&control->done, OuterControl::stop});
}

/// Triangles of a patch near a body, in their wall's frame.
struct NearTriangles {
    MeshView mesh;
    const Index *start, *end;
    const std::int32_t* triangle;
};

/// The plane of a patch through `point`, both in the world's frame.
SCREE_HD bool patch_parts(const PlacedConvex<Real>& a, Vec3 centre, Vec3 point, Vec3 normal, const OpenPair& pair) {
    const double height = dot(relative_position(point, centre), normal);
    const Vec3R n = cast<Real>(height > 0 ? -normal : normal);  // from the body
    if (!is_across(pair, n)) return false;
    const Vec3R x = a.vertex(axis::lowest_vertex(a.shape, -transposed_times(a.turn, n)).vertex);
    return parts(pair, n, x, static_cast<Real>(std::fabs(height)) - dot(x, n));
}

/// The plane of a face of the body.
SCREE_HD bool face_parts(const NearTriangles& near, Index p, const PlacedConvex<Real>& a, Vec3 centre, const Pose* pose,
                         const OpenPair& pair) {
    const auto corner = [&](Index k, int c) {
        const Vec3 v = near.mesh.vertex[near.mesh.triangle[3 * near.triangle[k] + c]];
        return cast<Real>(relative_position(centre, pose == nullptr ? v : scree::placed(*pose, v)));
    };
    for (std::int32_t f = 0; f < a.shape.faces; ++f) {
        const Vec3R n = a.normal(f);
        if (!is_across(pair, n)) continue;
        const Real h = a.scale * a.shape.h[f];
        Real least = Real(1e30);
        Vec3R x{};
        for (Index k = near.start[p]; k < near.end[p]; ++k) {
            for (int c = 0; c < 3; ++c) {
                const Vec3R v = corner(k, c);
                const Real above = dot(n, v) - h;
                if (!(above < least)) continue;
                least = above;
                x = v;
            }
        }
        if (least < Real(1e30) && parts(pair, n, x, least)) return true;
    }
    return false;
}

/// Against patches of meshes.
void look_at_patches(Workspace& work, ContactList& pairs, SolvedRows s, LeaveOutControl* control) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* patch = pairs.b.data();
    const MeshView mesh = work.walls.mesh_view();
    const NearTriangles near{mesh, pairs.triangle_start.data(), pairs.triangle_end.data(), pairs.triangle.data()};
    flag_each(
        work.exec, "cone/leave_out_patches", pairs.size(), &control->found,
        SCREE_LAMBDA(Index p)->std::uint32_t {
            if (s.count[p] == 0) return 0;
            const Index i = slot[p];
            const std::int32_t wall = mesh.patch_wall[patch[p]];
            const Slot b = s.rigid.carrier_of(wall);
            RigidVelocity of_wall{};
            if (b >= 0) {
                of_wall = {s.body.position[b], cast<double>(s.twist[b].v), cast<double>(s.twist[b].w)};
            } else if (s.places != nullptr) {
                of_wall = velocity_in(&s.places[wall].mid);
            }
            OpenPair pair;
            if (!open_pair(s, p, i, of_wall, b, thickness_of(s.body, s.shapes, i), pair)) return 0;
            Vec3 point = mesh.patch_point[patch[p]], normal = mesh.patch_normal[patch[p]];
            if (s.places != nullptr) {
                const Pose pose = pose_in(&s.places[wall]);
                point = scree::placed(pose, point);
                normal = rotate(pose.turn, normal);
            }
            const PlacedConvex<Real> A = placed(s.body, s.shapes, i, {});
            const Vec3 centre = s.body.position[i];
            if (!patch_parts(A, centre, point, normal, pair) &&
                !face_parts(near, p, A, centre, s.places == nullptr ? nullptr : &s.places[wall].pose, pair))
                return 0;
            leave_rows_out(s, p, pair.freed);
            return 1;
        },
        Gate{&control->done, OuterControl::stop});
}

}  // namespace

void start_looking(const Exec& exec, double tolerance, LeaveOutControl* control) {
    LeaveOutControl start;
    start.inner_tolerance = tolerance;
    for_each(
        exec, "cone/start_looking", 1, SCREE_LAMBDA(Index)->void { *control = start; });
}

void leave_out(const Model& model, State& state, Workspace& work, const BodyMass* mass, const BodyTwist* twist, ContactTable& table,
               Unknowns& x, LeaveOutControl* control) {
    look_at_pairs(work, state.lists[kConvex], solved_rows(model, state, work, mass, twist, kConvex, table, x), control);
    look_at_patches(work, state.lists[kConvexMeshes], solved_rows(model, state, work, mass, twist, kConvexMeshes, table, x), control);
    for_each(
        work.exec, "cone/looked", 1, SCREE_LAMBDA(Index)->void {
            if (control->found == 0) control->done |= OuterControl::stop;
        });
}

}  // namespace scree::SCREE_FLAVOR
