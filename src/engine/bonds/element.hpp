// One bond: its potential, stresses and dashpots (engine/bonds/bonds.hpp).
#pragma once

#include <cmath>

#include "base/pose.hpp"
#include "engine/bonds/bonds.hpp"
#include "model/rotation.hpp"

namespace scree::SCREE_FLAVOR {

/// A bond as it is: its bodies' relative motion, and its axes in either.
struct BondNow {
    Vec3 n;
    double length;
    Vec3 a[3], b[3];
    Vec3 velocity, spin_a, spin_b;  // of b against a
    Vec3 arm;                       // from a to b [m]
    double mobility, turn_mobility;
};

/// What an elastic element does.
struct BondForce {
    Vec3 force;               // on b [N]
    Vec3 torque_a, torque_b;  // [N m]
    double axial;             // stretching force, above 0 where it pulls [N]
};

/// What a bond reads of its bodies.
struct BondMotion {
    Vec3 arm, velocity;  // of b against a [m], [m/s]
    Vec3 spin_a, spin_b;
    Quat a, b;
    double mobility, turn_mobility;  // 1 / mass and 1 / moment of inertia of both in series; of a ball where a body has three of its own
};

SCREE_HD BondNow now_of(const BondMotion& m, const BondRow& row) {
    BondNow s;
    s.arm = m.arm;
    s.velocity = m.velocity;
    s.length = norm(s.arm);
    s.n = (1 / s.length) * s.arm;
    const Quat qa = m.a * row.frame_a, qb = m.b * row.frame_b;
    for (int c = 0; c < 3; ++c) {
        s.a[c] = principal_axis(qa, c);
        s.b[c] = principal_axis(qb, c);
    }
    s.spin_a = m.spin_a;
    s.spin_b = m.spin_b;
    s.mobility = m.mobility;
    s.turn_mobility = m.turn_mobility;
    return s;
}

struct BondsView {
    BodyView body;
    const Slot *a, *b;
    BondRowsView rows;
    const BondKindRow* kinds;
    const std::int32_t* kind;
    Cell cell;
    const CellMotion* motion;  // null where the cell rests
    double* damage;
    const std::int32_t* wall;  // null where no bond goes to a wall
    Vec3View<double> foot;
    const WallPlace* places;  // null where no wall moves
    bool at_end;              // velocities are those at the end of a step, else of its middle

    SCREE_HD bool to_wall(Index k) const { return wall != nullptr && wall[k] >= 0; }
    SCREE_HD Pose pose_of_wall(Index k) const { return places == nullptr ? Pose{} : places[wall[k]].pose; }
    SCREE_HD RigidVelocity velocity_of_wall(Index k) const {
        if (places == nullptr) return {};
        return at_end ? places[wall[k]].now : places[wall[k]].mid;
    }
    /// Of the wall that its end is at. What a wall weighs that a body carries does not count: dashpots are those of one that is held.
    SCREE_HD BondMotion motion_to_wall(Index k) const {
        const Index i = a[k];
        const Pose pose = pose_of_wall(k);
        const RigidVelocity moves = velocity_of_wall(k);
        const Vec3 end = placed(pose, foot[k]);
        BondMotion s;
        s.arm = end - body.position[i];
        if (cell.any()) s.arm += cell.shift(cell.nearest_step(s.arm));
        s.velocity = velocity_at(moves, end) - body.velocity[i];
        s.spin_a = body.angular_velocity[i];
        s.spin_b = moves.angular;
        s.a = body.orientation[i];
        s.b = pose.turn;
        s.mobility = body.inverse_mass[i];
        s.turn_mobility = turn_mobility(i);
        return s;
    }
    /// What a wall whose motion is prescribed gives to the bodies through the bond, by its force and couple on the wall [W].
    SCREE_HD double power_of_wall(Index k, Vec3 force, Vec3 couple) const {
        if (places == nullptr || places[wall[k]].inverse_mass > 0) return 0;
        const RigidVelocity moves = velocity_of_wall(k);
        return -(dot(force, velocity_at(moves, placed(pose_of_wall(k), foot[k]))) + dot(couple, moves.angular));
    }

    SCREE_HD BondMotion motion_of(Index k) const {
        if (to_wall(k)) return motion_to_wall(k);
        const Index i = a[k], j = b[k];
        const Cell& at = motion == nullptr ? cell : motion->cell;
        BondMotion s;
        s.arm = body.position[j] - body.position[i];
        s.velocity = body.velocity[j] - body.velocity[i];
        if (at.any()) {
            const ImageStep step = at.nearest_step(s.arm);
            s.arm += at.shift(step);
            s.velocity += at.drift(step);
        }
        s.spin_a = body.angular_velocity[i];
        s.spin_b = body.angular_velocity[j];
        s.a = body.orientation[i];
        s.b = body.orientation[j];
        s.mobility = body.inverse_mass[i] + body.inverse_mass[j];
        s.turn_mobility = turn_mobility(i) + turn_mobility(j);
        return s;
    }
    /// Of the image of b that is next to a [m/s].
    SCREE_HD Vec3 drift_of(Index k) const {
        const Cell& at = motion == nullptr ? cell : motion->cell;
        return at.drift(at.nearest_step(body.position[b[k]] - body.position[a[k]]));
    }
    SCREE_HD BondNow now(Index k) const { return now_of(motion_of(k), rows[k]); }
    SCREE_HD double turn_mobility(Index i) const {
        const double own = body.inverse_inertia[i], r = body.radius[i];
        return own > 0 ? own : body.inverse_mass[i] / (0.4 * r * r);
    }
};

SCREE_HD Vec3 across(Vec3 v, Vec3 n) {
    return v - dot(v, n) * n;
}

/// B2 and B3 of the potential.
struct Slopes {
    double tilt, bend;
};
SCREE_HD Slopes slopes_of(const BondRow& row) {
    const double across2 = row.k[1] * row.length * row.length;
    return {0.5 * across2, row.k[3] - 0.25 * across2 - 0.5 * row.k[2]};
}

SCREE_HD BondForce elastic(const BondRow& row, bool compressed, const BondNow& s) {
    const Slopes B = slopes_of(row);
    BondForce f;
    f.axial = row.k[0] * (s.length - row.length);
    if (!compressed && f.axial < 0) f.axial = 0;
    f.force = -f.axial * s.n + (B.tilt / s.length) * across(s.a[0] + s.b[0], s.n);
    const Vec3 between = B.bend * cross(s.a[0], s.b[0]) + (0.5 * row.k[2]) * (cross(s.a[1], s.b[1]) + cross(s.a[2], s.b[2]));
    f.torque_a = B.tilt * cross(s.a[0], s.n) + between;
    f.torque_b = B.tilt * cross(s.b[0], s.n) - between;
    return f;
}

/// 1 - u . v of unit vectors, for small angles too.
SCREE_HD double turned(Vec3 u, Vec3 v) {
    return 0.5 * norm2(u - v);
}

/// [J]; held: share of what damage has left, of all but compression.
SCREE_HD double energy_of(const BondRow& row, bool compressed, const BondNow& s, double held) {
    const Slopes B = slopes_of(row);
    const double stretch = s.length - row.length;
    const double axial = stretch < 0 ? (compressed ? 1.0 : 0.0) : held;
    return 0.5 * axial * row.k[0] * stretch * stretch +
           held * (B.tilt * (turned(s.a[0], s.n) + turned(s.b[0], s.n)) + B.bend * turned(s.a[0], s.b[0]) +
                   0.5 * row.k[2] * (turned(s.a[1], s.b[1]) + turned(s.a[2], s.b[2])));
}

/// Stresses over strengths.
struct Strained {
    double tension, shear, bending;
    SCREE_HD double most() const {
        const double two = tension > shear ? tension : shear;
        return two > bending ? two : bending;
    }
    SCREE_HD BondBreak how() const {
        return bending >= tension && bending >= shear ? BondBreak::Bending : (tension >= shear ? BondBreak::Tension : BondBreak::Shear);
    }
};

SCREE_HD Strained strained(const BondRow& row, const BondKindRow& kind, const BondForce& f, Vec3 n) {
    const Vec3 middle = 0.5 * (f.torque_b - f.torque_a);
    const double about = dot(middle, n), bent2 = norm2(middle) - about * about;
    const double on_a = dot(f.torque_a, n), on_b = dot(f.torque_b, n);
    const double a2 = norm2(f.torque_a) - on_a * on_a, b2 = norm2(f.torque_b) - on_b * on_b;
    const double ends2 = a2 > b2 ? a2 : b2, moment2 = kind.at_ends > 0 ? ends2 : bent2;
    const double moment = std::sqrt(moment2 > 0 ? moment2 : 0.0), along = dot(f.force, n);
    const double aside2 = norm2(f.force) - along * along;
    const double normal = f.axial * row.inverse_area, bending = moment * row.inverse_bend;
    const double shear = std::sqrt(aside2 > 0 ? aside2 : 0.0) * row.inverse_area + kind.moment_share * std::fabs(about) * row.inverse_twist;
    const double pressed = normal < 0 ? -normal : 0.0;
    return {(normal + kind.moment_share * bending) * (kind.inverse_tensile * row.inverse_strength),
            shear / (kind.shear / row.inverse_strength + kind.friction * pressed), bending * (kind.inverse_bending * row.inverse_strength)};
}

/// What of a stretch past the strength damage takes: what is borne falls in a straight line to nothing at the ductility.
SCREE_HD double damage_at(double stretch, double ductility) {
    if (stretch <= 1) return 0;
    if (stretch >= ductility) return 1;
    return 1 - (ductility - stretch) / (stretch * (ductility - 1));
}

/// How b moves against a at the middle of the bond, and turns.
struct Sliding {
    Vec3 glide, turn;
};
SCREE_HD Sliding sliding_of(const BondNow& s) {
    return {s.velocity - 0.5 * cross(s.spin_a + s.spin_b, s.arm), s.spin_b - s.spin_a};
}

/// What dashpots do.
struct Damped {
    Vec3 push, couple;
};
/// held: share of what damage has left. What bears pull alone has none along it while it is slack.
SCREE_HD Damped damped(const BondRow& row, const BondKindRow& kind, const BondNow& s, double held) {
    const double ratio = held * kind.damping, taut = kind.compressed > 0 || s.length > row.length ? 1.0 : 0.0;
    const double m = 1 / s.mobility, I = 1 / s.turn_mobility;
    const double inertia[4] = {m, m, I, I};
    double c[4];
    for (int q = 0; q < 4; ++q) c[q] = 2 * ratio * std::sqrt(inertia[q] * row.k[q]);
    const auto [glide, turn] = sliding_of(s);
    const double along = dot(glide, s.n), about = dot(turn, s.n);
    const Vec3 aside = glide - along * s.n, bend = turn - about * s.n;
    return {-(taut * c[0] * along) * s.n - c[1] * aside, -(c[2] * about) * s.n - c[3] * bend};
}

SCREE_HD void add_damped(const Damped& own, const BondNow& s, BondForce& f) {
    const Vec3 lever = -0.5 * cross(s.arm, own.push);
    f.force += own.push;
    f.torque_a += lever - own.couple;
    f.torque_b += lever + own.couple;
}

/// What damage leaves of a force; of compression all.
SCREE_HD BondForce left_of(const BondForce& f, double damage, Vec3 n) {
    const double held = 1 - damage, lost = f.axial > 0 ? f.axial * damage : 0.0;
    return {-(f.axial - lost) * n + held * across(f.force, n), held * f.torque_a, held * f.torque_b, f.axial};
}

inline BondsView view_of(State& state, Workspace& work, bool at_end = true) {
    Bonds& bonds = *work.bonds;
    const Images& im = work.images;
    return {state.bodies.view(),
            bonds.a.data(),
            bonds.b.data(),
            bonds.rows_view(),
            bonds.kinds.data(),
            bonds.kind.data(),
            im.cell,
            im.cell.moves ? im.motion.data() : nullptr,
            bonds.damage.data(),
            bonds.to_walls ? bonds.wall.data() : nullptr,
            bonds.foot.view(),
            work.walls.motions.places(),
            at_end};
}

}  // namespace scree::SCREE_FLAVOR
