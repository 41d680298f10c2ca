#include "engine/fused/watch.hpp"

#include <algorithm>
#include <cmath>

#include "engine/exec/reduce.hpp"
#include "engine/motion/moves.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double margin_for_speed = 1.25;  // of the fastest: speeds grow a little before one is told of
constexpr double steps_worth_a_look = 8;   // that must be left after it: it reads 88 bytes a body, a sixth of what a step moves
constexpr int steps_between_looks = 8;     // where too few were left: bodies may since have come nearer to where the list looks for them
constexpr double rounding = 1e-15;         // of a position, in a step: that of three sums is below 2e-16 of the farthest coordinate
constexpr double nowhere = 1e300;          // stands for squares that are no number

struct Largest {
    double moved2, speed2;  // from where the list looks for it [m2], now [m2/s2]
};

Largest largest_of(State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const auto most = maxima_of(
        work.exec, "fused/look", state.bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double {
            const double moved2 = norm2(body.position[i] - body.reference[i]);
            return moved2 < nowhere ? moved2 : nowhere;
        },
        SCREE_LAMBDA(Index i)->double {
            const double speed2 = norm2(body.velocity[i]);
            return speed2 < nowhere ? speed2 : nowhere;
        });
    return {most[0], most[1]};
}

/// Do so many steps more keep all bodies within their share of the skin?
bool lasts(const Model& model, const State& state, const Workspace& work, double steps) {
    const double half = 0.499 * state.skin;  // what is left covers the rounding of sums
    return work.fused.watch.moved + steps * longest_way(model, work) < half;
}

/// Looks at all bodies. Returns the square of how far one has moved.
double look(const Model& model, State& state, Workspace& work) {
    SkinWatch& watch = work.fused.watch;
    const Largest most = largest_of(state, work);
    watch.moved = std::sqrt(most.moved2);
    watch.speed = margin_for_speed * std::sqrt(most.speed2);
    watch.on = lasts(model, state, work, steps_worth_a_look);
    watch.unwatched = 0;
    ++watch.looks;
    return most.moved2;
}

}  // namespace

double longest_way(const Model& model, const Workspace& work) {
    const Aabb& box = work.bounds;
    double far = 0;
    for (const Vec3 corner : {box.min, box.max}) far = std::max({far, std::fabs(corner.x), std::fabs(corner.y), std::fabs(corner.z)});
    return model.dt * work.fused.watch.speed + rounding * far;
}

void begin_watch(const Model& model, State& state, Workspace& work) {
    look(model, state, work);
}

double speed_to_tell(const Model& model, State& state, Workspace& work) {
    SkinWatch& watch = work.fused.watch;
    if (watch.on ? !lasts(model, state, work, 1) : watch.unwatched == steps_between_looks) look(model, state, work);
    if (!watch.on) {
        ++watch.unwatched;
        return -1.0;
    }
    ++watch.spared;
    return watch.speed * watch.speed;
}

void end_watched_step(const Model& model, State& state, Workspace& work, bool passed) {
    if (!passed) {
        work.fused.watch.moved += longest_way(model, work);
        return;
    }
    const double moved2 = look(model, state, work), far2 = motion_settings(model, state).far2;
    std::uint32_t& pending = *work.flags.pending();
    if (moved2 > far2) pending |= kSkinExhausted;
    if (!(moved2 < 1e60)) pending |= kNotFinite;
}

}  // namespace scree::SCREE_FLAVOR
