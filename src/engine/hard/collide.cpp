#include "engine/hard/collide.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/hard/neighbours.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double none = -1;

/// Two bodies seen from the first.
struct Relative {
    Vec3 r, v;   // [m], [m/s]
    double sum;  // of radii [m]
};

SCREE_HD Relative relative(const HardWorld& world, const HardView& p, Index i, Index j) {
    return {world.nearest(p.position[i] - p.position[j]), p.velocity[i] - p.velocity[j], p.radius[i] + p.radius[j]};
}

/// How long before the end of the step i and j met, on the straight flights that both have behind them; `none` if they did not.
/// The same bits seen from either. c: square of distance less that of contact, at the start of the shorter flight.
SCREE_HD double meeting_of(const HardWorld& world, const HardView& p, Index i, Index j) {
    const Relative a = relative(world, p, i, j);
    const double flight = p.flight[i] < p.flight[j] ? p.flight[i] : p.flight[j];
    const Vec3 r = a.r - flight * a.v;
    const double rv = dot(r, a.v), vv = norm2(a.v);
    // Only what approached; 1e-14: two that just collided without rebound are apart but for rounding of their own velocities.
    const double speeds2 = norm2(p.velocity[i]) + norm2(p.velocity[j]);
    if (!(rv < 0) || rv * rv < 1e-28 * a.sum * a.sum * speeds2) return none;
    const double c = norm2(r) - a.sum * a.sum;
    if (c <= 0) return flight;
    const double root2 = rv * rv - vv * c;
    if (root2 < 0) return none;
    const double after = c / (-rv + sqrt(root2));
    return after <= flight ? flight - after : none;
}

SCREE_HD double meeting_of_plane(const HardWorld& world, const HardView& p, Index i, Index k) {
    const HardPlane& plane = world.plane[k];
    const Vec3 v = p.velocity[i];
    const double approach = -dot(plane.normal, v), flight = p.flight[i];
    // 1e-14: what slides after a bounce without rebound approaches by rounding, which no bounce ends.
    if (!(approach > 0) || approach * approach < 1e-28 * norm2(v) * norm2(plane.normal)) return none;
    const double gap = dot(plane.normal, p.position[i] - flight * v - plane.point) - p.radius[i];
    if (gap <= 0) return flight;
    return gap <= approach * flight ? flight - gap / approach : none;
}

/// Order of meetings at one time: any that all agree on and that does not follow space.
SCREE_HD std::uint64_t rank_of(Index i, Index j) {
    return i < j ? hash_combine(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j))
                 : hash_combine(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i));
}

/// The earliest meeting of one body.
struct Earliest {
    double meeting{none};
    std::uint64_t rank{0};
    std::int32_t choice{no_choice};
    SCREE_HD void offer(double other, std::int32_t partner, Index i, Index number) {
        if (other < 0 || other < meeting) return;
        const std::uint64_t own = rank_of(i, number);
        if (other == meeting && own >= rank && choice != no_choice) return;
        meeting = other;
        rank = own;
        choice = partner;
    }
};

SCREE_HD bool any_changed(const std::int32_t* changed, std::int32_t round, const Index* row, const std::int32_t* neighbour, Index i) {
    if (changed[i] == round) return true;
    for (Index k = row[i]; k < row[i + 1]; ++k)
        if (changed[neighbour[k]] == round) return true;
    return false;
}

/// Restitution of two materials at this speed of approach.
SCREE_HD double restitution_of(const HardWorld& world, std::int32_t a, std::int32_t b, double approach) {
    return approach < world.elastic_below ? 1.0 : world.restitution[a * world.materials + b];
}

SCREE_HD void lose(const HardView& p, Index i, double energy, double time) {
    p.lost[i] += energy;
    p.lost_time[i] += energy * time;
}

/// Gives body i a new velocity at `ago` before the end of the step.
SCREE_HD void turn(const HardView& p, Index i, Vec3 change, double ago) {
    p.velocity.set(i, p.velocity[i] + change);
    p.position.set(i, p.position[i] + ago * change);
    p.flight[i] = ago;
}

SCREE_HD void collide_pair(const HardWorld& world, const HardView& p, Index i, Index j, double ago, double now) {
    const Relative a = relative(world, p, i, j);
    const Vec3 r = a.r - ago * a.v;
    // By r and not by a unit vector: the reciprocal of the same distance rounds the same way each time, and energy would drift.
    const double rv = dot(r, a.v), rr = norm2(r), distance = sqrt(rr), approach = -rv / distance;
    const double e = restitution_of(world, p.material[i], p.material[j], approach);
    const double w_i = p.inverse_mass[i], w_j = p.inverse_mass[j], w = w_i + w_j, m_eff = 1 / w;
    const double impulse = (1 + e) * approach * m_eff, change = (1 + e) * rv / rr;
    turn(p, i, (-change * (w_i / w)) * r, ago);
    turn(p, j, (change * (w_j / w)) * r, ago);
    p.virial[i] += distance * impulse;
    ++p.hits[i];
    lose(p, i, 0.5 * m_eff * (1 - e * e) * approach * approach, now - ago);
}

SCREE_HD void collide_plane(const HardWorld& world, const HardView& p, Index i, Index k, double ago, double now) {
    const HardPlane& plane = world.plane[k];
    const double approach = -dot(plane.normal, p.velocity[i]);
    const double e = restitution_of(world, p.material[i], plane.material, approach);
    const double mass = 1 / p.inverse_mass[i], impulse = (1 + e) * approach * mass;
    turn(p, i, ((1 + e) * approach / norm2(plane.normal)) * plane.normal, ago);
    p.virial[i] += p.radius[i] * impulse;
    p.impulse[k * world.bodies + i] += impulse;
    ++p.wall_hits[i];
    lose(p, i, 0.5 * mass * (1 - e * e) * approach * approach, now - ago);
}

SCREE_HD double into(double x, double low, double period) {
    return x < low ? x + period : x >= low + period ? x - period : x;
}

enum Happened : std::uint32_t { Collided = 1, RowsOld = 2, Over = 4 };

Gate gate_of(HardBuffers& buffers) {
    return {&buffers.words.data()->stop, RowsOld | Over};
}

/// Round `before` changed some bodies; they and their neighbours choose anew. 0: all choose.
void choose(const HardWorld& world, HardParticles& particles, HardBuffers& buffers, std::int32_t before) {
    const HardView p = particles.view();
    const Index* row = buffers.row_start.data();
    const std::int32_t *neighbour = buffers.neighbour.data(), *changed = buffers.changed.data();
    std::int32_t* choice = buffers.choice.data();
    double* meeting = buffers.meeting.data();
    for_each(
        buffers.exec, "hard/choose", particles.size(),
        SCREE_LAMBDA(Index i)->void {
            if (before != 0 && !any_changed(changed, before, row, neighbour, i)) return;
            Earliest first;
            for (Index k = row[i]; k < row[i + 1]; ++k) {
                const Index j = neighbour[k];
                first.offer(meeting_of(world, p, i, j), static_cast<std::int32_t>(j), i, j);
            }
            for (std::int32_t k = 0; k < world.planes; ++k)
                first.offer(meeting_of_plane(world, p, i, k), first_plane - k, i, world.bodies + k);
            choice[i] = first.choice;
            meeting[i] = first.meeting;
        },
        gate_of(buffers));
}

void exchange(const HardWorld& world, HardParticles& particles, HardBuffers& buffers, double now) {
    const HardView p = particles.view();
    const std::int32_t* choice = buffers.choice.data();
    const double* meeting = buffers.meeting.data();
    std::int32_t* changed = buffers.changed.data();
    const std::int32_t round = buffers.round;
    const double speed2 = buffers.speed_limit * buffers.speed_limit;
    flag_each(
        buffers.exec, "hard/exchange", particles.size(), &buffers.words.data()->happened,
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const std::int32_t j = choice[i];
            if (j == no_choice) return 0;
            if (j <= first_plane) {
                collide_plane(world, p, i, first_plane - j, meeting[i], now);
                changed[i] = round;
                return Collided;  // which makes no body faster
            }
            if (j < i || choice[j] != i) return 0;
            collide_pair(world, p, i, j, meeting[i], now);
            changed[i] = round;
            changed[j] = round;
            return norm2(p.velocity[i]) <= speed2 && norm2(p.velocity[j]) <= speed2 ? Collided : Collided | RowsOld;
        },
        gate_of(buffers));
}

/// Ends the flight, or a round: where nobody collided it was the last.
void count_round(HardBuffers& buffers, bool flight) {
    HardWords* words = buffers.words.data();
    for_each(
        buffers.exec, "hard/count_round", 1, SCREE_LAMBDA(Index)->void {
            if (words->stop != 0) return;
            const std::uint32_t happened = words->happened;
            words->happened = 0;
            words->stop = happened & RowsOld;
            if ((happened & Collided) != 0) ++words->rounds;
            if (!flight && (happened & Collided) == 0) words->stop = Over;
        });
}

/// Nothing counted; rounds may run.
void begin_rounds(HardBuffers& buffers) {
    fill_bytes(buffers.words.data(), 0, sizeof(HardWords));
}

}  // namespace

void fly(const HardWorld& world, HardParticles& particles, HardBuffers& buffers) {
    const HardView p = particles.view();
    const double reach2 = buffers.reach * buffers.reach, speed2 = buffers.speed_limit * buffers.speed_limit;
    begin_rounds(buffers);
    flag_each(
        buffers.exec, "hard/fly", particles.size(), &buffers.words.data()->happened, SCREE_LAMBDA(Index i)->std::uint32_t {
            const Vec3 v = p.velocity[i];
            const Vec3 x = p.position[i] + world.dt * v;
            const Vec3 in{world.period[0] > 0 ? into(x.x, world.low[0], world.period[0]) : x.x,
                          world.period[1] > 0 ? into(x.y, world.low[1], world.period[1]) : x.y,
                          world.period[2] > 0 ? into(x.z, world.low[2], world.period[2]) : x.z};
            p.position.set(i, in);
            p.flight[i] = world.dt;
            const double moved2 = norm2(world.nearest(in - p.reference[i]));
            // Written so that what is not a number counts too.
            return moved2 <= reach2 && norm2(v) <= speed2 ? 0u : RowsOld;
        });
    count_round(buffers, true);
}

Rounds collide(const HardWorld& world, HardParticles& particles, HardBuffers& buffers, double now, std::int64_t most) {
    if (buffers.round > (1 << 30)) {  // long before it runs over
        buffers.changed.resize_zero(particles.size());
        buffers.round = 0;
    }
    std::int32_t before = 0;  // any may have new neighbours
    std::int64_t sent = 0;
    while (sent < most) {
        for (const std::int64_t until = std::min(most, sent + buffers.expected); sent < until; ++sent) {
            choose(world, particles, buffers, before);
            before = ++buffers.round;
            exchange(world, particles, buffers, now);
            count_round(buffers, false);
        }
        const HardWords words = buffers.words.at(0);
        if (words.stop == 0) continue;
        // Kernels that find the gate closed cost little, a look more of them would not.
        buffers.expected = std::max(words.rounds + 2, buffers.expected - 1);
        if ((words.stop & RowsOld) == 0) return {words.rounds, false};
        begin_rounds(buffers);  // which may go on with others
        return {words.rounds, true};
    }
    return {most, false};
}

double largest_overlap(const HardWorld& world, HardParticles& particles, HardBuffers& buffers) {
    const HardView p = particles.view();
    const Index* row = buffers.row_start.data();
    const std::int32_t* neighbour = buffers.neighbour.data();
    return max_of(
        buffers.exec, "hard/overlap", particles.size(), 0.0, SCREE_LAMBDA(Index i)->double {
            const double radius = p.radius[i];
            double worst = 0;
            for (Index k = row[i]; k < row[i + 1]; ++k) {
                const Index j = neighbour[k];
                const Relative a = relative(world, p, i, j);
                const double smaller = radius < p.radius[j] ? radius : p.radius[j], share = (a.sum - sqrt(norm2(a.r))) / smaller;
                if (share > worst) worst = share;
            }
            for (std::int32_t k = 0; k < world.planes; ++k) {
                const HardPlane& plane = world.plane[k];
                const double share = 1 - dot(plane.normal, p.position[i] - plane.point) / radius;
                if (share > worst) worst = share;
            }
            return worst;
        });
}

}  // namespace scree::SCREE_FLAVOR
