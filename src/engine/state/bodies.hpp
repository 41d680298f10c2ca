// Bodies: what varies while a run goes on, one entry per slot. Slots are permuted by spatial sorting; ids stay.
// Layout: what contacts read at random lies in rows of four (a pair touches 6 cache lines, not 22); the rest by component.
#pragma once

#include <tuple>

#include "model/body_fields.hpp"
#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

/// Quaternions by component.
struct QuatView {
    double *w, *x, *y, *z;
    SCREE_HD Quat operator[](Index i) const { return {w[i], x[i], y[i], z[i]}; }
    SCREE_HD void set(Index i, Quat q) const {
        w[i] = q.w;
        x[i] = q.x;
        y[i] = q.y;
        z[i] = q.z;
    }
};

/// Which bodies a list of pairs is for.
enum class BodyClass { Spheres, Polyhedra };

/// What Bodies::owner says of an entry that is no member: a compound, or a plain body.
inline constexpr std::int32_t compound_entry = -2;

/// Raw access for kernels; n entries each.
struct BodyView {
    RowView position;
    RowView velocity;
    RowView angular_velocity;
    Vec3View<double> force;
    Vec3View<double> torque;
    Vec3View<double> reference;
    QuatView orientation;
    CompanionView radius;
    CompanionView inverse_mass;
    CompanionView inverse_inertia;
    double* work_damping;
    double* work_friction;
    double* work_walls;
    std::uint32_t* id;
    std::int32_t* material;
    std::int32_t* shape;                // null where all bodies are spheres
    Vec3View<double> angular_momentum;  // of polyhedra and compounds; nulls where all bodies are spheres
    std::int32_t* owner;                // null where the model has no compounds

    SCREE_HD bool is_sphere(Index i) const { return shape == nullptr || shape[i] < 0; }
    SCREE_HD bool is_member(Index i) const { return owner != nullptr && owner[i] >= 0; }
    SCREE_HD bool is_compound(Index i) const { return owner != nullptr && owner[i] == compound_entry; }
    /// Of compounds never: they have no surface.
    SCREE_HD bool is_of(BodyClass which, Index i) const { return is_sphere(i) == (which == BodyClass::Spheres) && !is_compound(i); }
};

struct Bodies {
    Index count{0};
    RowArray position;             // centre of mass [m], n, written by motion; companion: radius [m], constant
    RowArray velocity;             // [m/s], n, written by motion; companion: 1 / mass [1/kg], constant; of a member
                                   // its compound's, or what penalty weighs it with (member_mobility.hpp)
    RowArray angular_velocity;     // world frame [rad/s], n, written by motion; companion: of spheres 1 / (2/5 m r^2), of disks 1 / (1/2 m
                                   // r^2) [1/(kg m2)], of polyhedra, compounds and members 0, constant
    Vec3Array<double> force;       // sum of contact forces [N], of a compound with those of joints, n, written by penalty; may be
                                   // empty between steps (State::holds_forces)
    Vec3Array<double> torque;      // the same of torques about the centre [N m], n, written by penalty
    Vec3Array<double> reference;   // where the pair list looks for the body (step/look_ahead.hpp) [m], n, written by step
    Array<double> qw, qx, qy, qz;  // orientation, body to world; n where tracked, else empty; written by motion
    Array<double> work_damping;  // energy taken by dashpots since the start [J], of a pair of spheres half at either, else at the lower id;
                                 // n where tracked
    Array<double> work_friction;   // work done on tangential springs and sliders since the start [J]; n where tracked
    Array<double> work_walls;      // work done by moving walls since the start [J]; n where tracked
    Array<double> work_fields;     // work done by the model's fields since the start [J]; n where there are any and it is tracked
    Array<double> volume;          // [m3]; n where media ask for it, constant
    Array<std::uint32_t> id;       // n, constant
    Array<std::int32_t> material;  // index into the model's materials, n, constant
    // Of fluids, else empty:
    Array<double> density;   // [kg/m3], n, written by fluid when asked for
    Array<double> pressure;  // [Pa], n, written by fluid
    Array<double> film;      // liquid on the body [m3], n where contacts share it, else empty, written by penalty
    // Of models with periods, else empty:
    Array<std::int32_t> periods_x, periods_y, periods_z;  // that the body has gone up the axes since the start beyond what its position
                                                          // tells; of a member its compound's, n, written by space
    // Where the model has polyhedra or compounds, else empty:
    Array<std::int32_t> shape;           // -1: sphere, else index into the shape table, n, constant
    Vec3Array<double> angular_momentum;  // of polyhedra and compounds about the centre, world frame [kg m2/s], n, written by motion
    // Where the model has compounds, else empty:
    Array<std::int32_t> owner;  // of a member the id of its compound, else -1 or compound_entry, n, constant

    /// All arrays, in the order of body_fields. Those that are not in use have size 0.
    auto fields() {
        return std::tie(position.rows, velocity.rows, angular_velocity.rows, force.x, force.y, force.z, torque.x, torque.y, torque.z,
                        reference.x, reference.y, reference.z, qw, qx, qy, qz, work_damping, work_friction, work_walls, work_fields, volume,
                        id, material, shape, angular_momentum.x, angular_momentum.y, angular_momentum.z, owner, density, pressure, film,
                        periods_x, periods_y, periods_z);
    }
    /// Calls visit(field, array) for every array that travels with a body.
    template <class Visit>
    void each_field(Visit visit) {
        std::apply(
            [&visit](auto&... array) {
                static_assert(sizeof...(array) == std::size(body_fields), "a field without an array, or an array without a field");
                const BodyField* field = body_fields;
                (visit(*field++, array), ...);
            },
            fields());
    }

    BodyView view() {
        return {position.view(),
                velocity.view(),
                angular_velocity.view(),
                force.view(),
                torque.view(),
                reference.view(),
                {qw.data(), qx.data(), qy.data(), qz.data()},
                position.companions(),
                velocity.companions(),
                angular_velocity.companions(),
                work_damping.data(),
                work_friction.data(),
                work_walls.data(),
                id.data(),
                material.data(),
                shape.size() > 0 ? shape.data() : nullptr,
                angular_momentum.view(),
                owner.size() > 0 ? owner.data() : nullptr};
    }
};

}  // namespace scree::SCREE_FLAVOR
