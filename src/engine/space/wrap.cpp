#include <algorithm>
#include <cmath>

#include "engine/exec/reduce.hpp"
#include "engine/motion/members.hpp"
#include "engine/space/drive.hpp"
#include "engine/space/images.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Where bodies come back in.
struct Outside {
    BodyView body;
    Cell cell;
    double beyond;

    SCREE_HD ImageStep home(Index i) const { return cell.home(body.position[i], beyond); }
};
SCREE_HD bool stays(const ImageStep& s) {
    return (s.k[0] | s.k[1] | s.k[2]) == 0;
}

}  // namespace

std::int64_t steps_to_next_wrap(const Model& model, State& state, Workspace& work) {
    const std::int64_t most = model.method == Method::Cone ? 10 : 200;  // a step of the cone method is as long as many others
    const BodyView body = state.bodies.view();
    const double speed2 = max_of(
        work.exec, "space/speed", state.bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double { return body.is_member(i) ? 0.0 : norm2(body.velocity[i]); });
    // A quarter of the smallest radius: walls end, or are the same, up to the largest diameter past a border.
    const double steps = 0.25 * work.min_radius / (model.dt * std::sqrt(speed2));
    return steps < static_cast<double>(most) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(steps)) : most;
}

bool wrap_bodies(const Model& model, State& state, Workspace& work) {
    look_at_cell(model, work);
    const Cell cell = work.images.cell;
    if (!cell.any() || state.bodies.count == 0) return false;
    double beyond = work.max_radius;  // bodies that jitter about a border stay on their side
    for (int a = 0; a < 3; ++a) {
        if (cell.periodic[a]) beyond = std::min(beyond, 0.1 * cell.length[a]);
    }
    Bodies& bodies = state.bodies;
    const BodyView body = bodies.view();
    std::int32_t *x = bodies.periods_x.data(), *y = bodies.periods_y.data(), *z = bodies.periods_z.data();
    const Slot* slot = work.slot_of_id.data();
    const Outside outside{body, cell, beyond};
    const double any = max_of(
        work.exec, "space/outside", bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double { return body.is_member(i) || stays(outside.home(i)) ? 0.0 : 1.0; });
    if (!(any > 0)) return false;
    const bool accounts = state.account;
    for_each(
        work.exec, "space/wrap", bodies.count, SCREE_LAMBDA(Index i)->void {
            if (body.is_member(i)) return;
            const ImageStep s = outside.home(i);
            if (stays(s)) return;
            body.position.set(i, body.position[i] + cell.shift(s));
            x[i] -= s.k[0];
            y[i] -= s.k[1];
            z[i] -= s.k[2];
            if (!cell.moves) return;
            const Vec3 before = body.velocity[i], after = before + cell.drift(s);
            body.velocity.set(i, after);
            if (accounts) body.work_walls[i] += 0.5 / body.inverse_mass[i] * (norm2(after) - norm2(before));
        });
    if (!state.has_compounds) return true;
    for_each(
        work.exec, "space/wrap_members", bodies.count, SCREE_LAMBDA(Index i)->void {
            if (!body.is_member(i)) return;
            const Index c = slot[body.owner[i]];
            x[i] = x[c];
            y[i] = y[c];
            z[i] = z[c];
        });
    place_members(state, work);
    return true;
}

}  // namespace scree::SCREE_FLAVOR
