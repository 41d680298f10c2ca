// The prescribed motion of a wall (model/wall.hpp) as a function of time: pose and velocity, on host and device.
// Both follow from the time alone, so they are exact after any number of steps. With s = clamp(t, from, to) - from the wall's point x is at
//   R(angle) (x - point) + point + shift,   x where the motion found it
//   angle = rate s + sum of harmonics' angle (sin(2 pi f s + phase) - sin phase) + table angle(s), about `axis`
//   shift = velocity s + sum of harmonics' amplitude (sin(2 pi f s + phase) - sin phase) + table shift(s)
// and the velocities are their derivatives, zero outside [from, to). Of a surface that moves along itself, as a belt's, they are all there
// is.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/pose.hpp"
#include "model/wall.hpp"

namespace scree {

/// The numbers of a Motion and where its table and harmonics lie, in whatever memory the reader can read.
struct MotionView {
    double from, to;
    Vec3 velocity;
    Vec3 point, axis;
    double rate;
    const Harmonic* harmonic;
    const double* time;
    const Vec3* shift;
    const double* angle;
    std::int32_t harmonics, rows;  // numbers of them, and of rows of the table
    bool surface;                  // velocities alone: the wall stays in its place
    bool later;                    // an earlier motion has taken the wall to `first`
    Pose first;
};

/// How far the motion has gone: turned by `angle` about the axis [rad], then shifted [m].
struct Displacement {
    double angle;
    Vec3 shift;
};

/// The row of the table that s falls behind: -1 before the first, rows - 1 past the last.
SCREE_HD std::int32_t table_row(const MotionView& m, double s) {
    std::int32_t low = 0, high = m.rows;
    while (low < high) {
        const std::int32_t middle = (low + high) / 2;
        if (m.time[middle] <= s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

SCREE_HD Displacement displacement_at(const MotionView& m, double t) {
    if (m.surface) return {0.0, {}};
    const double s = (t < m.from ? m.from : (t > m.to ? m.to : t)) - m.from;
    Displacement d{m.rate * s, s * m.velocity};
    for (std::int32_t k = 0; k < m.harmonics; ++k) {
        const Harmonic& h = m.harmonic[k];
        const double swing = std::sin(6.283185307179586 * h.frequency * s + h.phase) - std::sin(h.phase);  // 2 pi
        d.angle += swing * h.angle;
        d.shift += swing * h.amplitude;
    }
    if (m.rows == 0) return d;
    const std::int32_t row = table_row(m, s);
    const std::int32_t before = row < 0 ? 0 : row, after = row + 1 < m.rows ? row + 1 : m.rows - 1;
    const double share = after > before ? (s - m.time[before]) / (m.time[after] - m.time[before]) : 0.0;
    d.angle += m.angle[before] + share * (m.angle[after] - m.angle[before]);
    d.shift += m.shift[before] + share * (m.shift[after] - m.shift[before]);
    return d;
}

/// Where the wall is after a displacement, as a turn and shift of the place that its surfaces are given in.
SCREE_HD Pose pose_of(const MotionView& m, const Displacement& d) {
    const double sine = std::sin(0.5 * d.angle);
    const Quat turn{std::cos(0.5 * d.angle), sine * m.axis.x, sine * m.axis.y, sine * m.axis.z};
    const Vec3 shift = m.point - rotate(turn, m.point) + d.shift;
    if (!m.later) return {turn, shift};
    return {normalized(turn * m.first.turn), rotate(turn, m.first.shift) + shift};
}

SCREE_HD Pose pose_at(const MotionView& m, double t) {
    return pose_of(m, displacement_at(m, t));
}

/// About the point of the axis as it is now.
SCREE_HD RigidVelocity velocity_of(const MotionView& m, double t) {
    RigidVelocity v{m.point + displacement_at(m, t).shift, {}, {}};
    if (t < m.from || t >= m.to) return v;
    const double s = t - m.from;
    v.velocity = m.velocity;
    double rate = m.rate;
    for (std::int32_t k = 0; k < m.harmonics; ++k) {
        const Harmonic& h = m.harmonic[k];
        const double circular = 6.283185307179586 * h.frequency;  // 2 pi
        const double swing = circular * std::cos(circular * s + h.phase);
        v.velocity += swing * h.amplitude;
        rate += swing * h.angle;
    }
    const std::int32_t row = m.rows > 0 ? table_row(m, s) : -1;
    if (row >= 0 && row + 1 < m.rows) {
        const double span = m.time[row + 1] - m.time[row];
        rate += (m.angle[row + 1] - m.angle[row]) / span;
        v.velocity += (m.shift[row + 1] - m.shift[row]) / span;
    }
    v.angular = rate * m.axis;
    return v;
}

/// A motion on the host; the view lasts as long as the motion. A wall that does not move gives a view that stays in place.
MotionView view_of(const Motion& motion);
/// The same about a motion as it stands in a model.
Pose pose_at(const Motion& motion, double t);
RigidVelocity velocity_of(const Motion& motion, double t);
/// May the wall leave its first place, by a motion or with the body that carries it?
bool moves(const Wall& wall);
/// Does the motion ever turn the wall?
bool turns(const Motion& motion);

}  // namespace scree
