#include "engine/space/images.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "engine/broad/cells.hpp"
#include "engine/exec/scan.hpp"
#include "engine/state/flags.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of the two bodies of a pair one has its image up the axes: z before y before x, but first across a sheared cell.
bool goes_up(const Cell& cell, const ImageStep& s) {
    if (cell.sheared && s.k[cell.across] != 0) return s.k[cell.across] > 0;
    for (int a = 2; a >= 0; --a) {
        if (s.k[a] != 0) return s.k[a] > 0;
    }
    return false;
}

/// Steps at which images of bodies in `box` may be within `reach` of it.
std::vector<ImageStep> steps_near(const Cell& cell, const Aabb& box, double reach) {
    std::int32_t most[3];
    for (int a = 0; a < 3; ++a) {
        const double far = cell.periodic[a] ? (along(box.max, a) - along(box.min, a) + reach) / cell.length[a] : 0.0;
        most[a] = static_cast<std::int32_t>(std::min(far, 8.0));  // who strays further has no images until it is brought back
    }
    std::vector<ImageStep> steps;
    for (std::int32_t z = -most[2]; z <= most[2]; ++z) {
        for (std::int32_t y = -most[1]; y <= most[1]; ++y) {
            for (std::int32_t x = -most[0]; x <= most[0]; ++x) {
                ImageStep s{{x, y, z}};
                if (!cell.sheared) {
                    if (goes_up(cell, s)) steps.push_back(s);
                    continue;
                }
                // Those across have moved along by some periods, and a part of one.
                const std::int32_t forth = s.k[cell.along], across = s.k[cell.across];
                s.k[cell.along] = forth - static_cast<std::int32_t>(std::floor(across * cell.offset / cell.length[cell.along]));
                if (goes_up(cell, s)) steps.push_back(s);
                if (across == 0 || forth != -most[cell.along]) continue;
                --s.k[cell.along];
                if (goes_up(cell, s)) steps.push_back(s);
            }
        }
    }
    return steps;
}

struct Wanted {
    Cell cell;
    const ImageStep* step;
    Index count;
    Vec3 low, high;  // of bodies [m]
    double reach;    // beyond the radius of the body that has the image [m]

    SCREE_HD bool near(Vec3 x, double radius, Index s) const {
        const Vec3 there = x + cell.shift(step[s]);
        const double r = radius + reach;
        return there.x + r >= low.x && there.x - r <= high.x && there.y + r >= low.y && there.y - r <= high.y && there.z + r >= low.z &&
               there.z - r <= high.z;
    }
};

/// Sorts what was found by cell of the search; equal cells in the order of slots.
void sort_images(Workspace& work, const BodyView& body, const Levels& g) {
    Images& im = work.images;
    const Index n = im.count;
    im.key.resize(n);
    im.order.resize(n);
    std::uint32_t *key = im.key.data(), *order = im.order.data();
    const Slot* found = im.found.data();
    const ImageStep* found_step = im.found_step.data();
    const Cell cell = im.cell;
    for_each(
        work.exec, "space/image_keys", n, SCREE_LAMBDA(Index k)->void {
            const Index i = found[k];
            const Level& l = g.level[level_of(g, body.radius[i])];
            const CellCoordinates c = cell_of(g, l, body.position[i] + cell.shift(found_step[k]));
            key[k] = static_cast<std::uint32_t>(cell_number(l, c.x, c.y, c.z));
            order[k] = static_cast<std::uint32_t>(k);
        });
    sort_pairs(work.exec, im.key, im.order, bits_for(g.cells), work.sort);
    find_starts(work.exec, im.key.data(), n, g.cells, im.cell_start);
    im.of.resize(n);
    im.step.resize(n);
    order = im.order.data();
    Slot* of = im.of.data();
    ImageStep* step = im.step.data();
    for_each(
        work.exec, "space/sort_images", n, SCREE_LAMBDA(Index k)->void {
            of[k] = found[order[k]];
            step[k] = found_step[order[k]];
        });
}

template <class T>
void lay_values(const Exec& exec, Array<T>& values, Index bodies, Index images, const Slot* of) {
    values.reserve(bodies + images);
    T* value = values.data();
    for_each(
        exec, "space/lay_images", images, SCREE_LAMBDA(Index k)->void { value[bodies + k] = value[of[k]]; });
}

/// Behind the slots of the bodies: what does not change while a list lasts.
void lay_images(State& state, Workspace& work) {
    Images& im = work.images;
    const Index n = state.bodies.count, images = im.count;
    const Slot* of = im.of.data();
    state.bodies.each_field([&](const BodyField&, auto& array) {
        if (array.size() != n || n == 0) return;  // not in use
        lay_values(work.exec, array, n, images, of);
    });
}

/// What changes with the body's motion: where it is, how it moves and is turned.
struct MovedImages {
    BodyView body;
    Cell cell;
    const CellMotion* motion;  // null where it rests
    const Slot* of;
    const ImageStep* step;
    Index bodies;

    SCREE_HD void move(Index k) const {
        const Index i = of[k], to = bodies + k;
        const Cell& now = motion == nullptr ? cell : motion->cell;
        body.position.set(to, body.position[i] + now.shift(step[k]));
        body.velocity.set(to, motion == nullptr ? body.velocity[i] : body.velocity[i] + now.drift(step[k]));
        body.angular_velocity.set(to, body.angular_velocity[i]);
        if (body.orientation.w != nullptr) body.orientation.set(to, body.orientation[i]);
    }
};

MovedImages moved_images(State& state, Workspace& work) {
    const Images& im = work.images;
    return {state.bodies.view(), im.cell, im.cell.moves ? im.motion.data() : nullptr, im.of.data(), im.step.data(), im.bodies};
}

}  // namespace

void limit_skin(State& state, const Workspace& work) {
    const Cell& cell = work.images.cell;
    const double shares = cell.moves ? 2.0 : 1.0;  // of the skin, by which pairs with images are listed beyond the reach
    for (int a = 0; a < 3; ++a) {
        const double most = (0.499 * cell.length[a] - 2 * work.max_radius - state.reach - 2 * work.images.way) / shares;
        if (cell.periodic[a] && most > 0) state.skin = std::min(state.skin, most);
    }
}

void check_reach(const State& state, const Workspace& work) {
    const Cell& cell = work.images.cell;
    const double far = 2 * work.max_radius + list_margin(state) + image_margin(state, work);
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a] || far <= 0.5 * cell.length[a]) continue;
        throw RunError("bodies as far apart as " + std::to_string(far) + " m may meet in a step, more than half the period along " +
                       "xyz"[a] + ", " + std::to_string(cell.length[a]) + " m: make the domain longer there, or time.step shorter");
    }
}

void find_images(State& state, Workspace& work) {
    Images& im = work.images;
    im.count = 0;
    if (im.cell.moves) {
        CellMotion* motion = im.motion.data();
        for_each(
            work.exec, "space/start_watch", 1, SCREE_LAMBDA(Index)->void { motion->way = 0; });
    }
    if (!im.cell.any() || state.bodies.count == 0) return;
    check_reach(state, work);
    const double reach = work.max_radius + list_margin(state) + image_margin(state, work);
    const Index n = state.bodies.count;
    im.bodies = n;
    im.wanted.assign(steps_near(im.cell, work.bounds, reach + work.max_radius));
    const Wanted wanted{im.cell, im.wanted.data(), im.wanted.size(), work.bounds.min, work.bounds.max, reach};
    const BodyView body = state.bodies.view();
    work.count.resize(n);
    std::int32_t* count = work.count.data();
    for_each(
        work.exec, "space/count_images", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t here = 0;
            for (Index s = 0; s < wanted.count && !body.is_compound(i); ++s)
                here += wanted.near(body.position[i], body.radius[i], s) ? 1 : 0;
            count[i] = here;
        });
    im.count = scan_counts(work.exec, count, n, im.offset);
    require_within<RunError>(static_cast<double>(n + im.count), count_limits().bodies, "bodies and their images", fewer_bodies);
    im.found.resize(im.count);
    im.found_step.resize(im.count);
    Slot* found = im.found.data();
    ImageStep* found_step = im.found_step.data();
    const Index* offset = im.offset.data();
    for_each(
        work.exec, "space/write_images", n, SCREE_LAMBDA(Index i)->void {
            Index k = offset[i];
            if (k == offset[i + 1]) return;
            for (Index s = 0; s < wanted.count; ++s) {
                if (!wanted.near(body.position[i], body.radius[i], s)) continue;
                found[k] = static_cast<Slot>(i);
                found_step[k++] = wanted.step[s];
            }
        });
    sort_images(work, body, work.levels);
    lay_images(state, work);
    move_images(state, work);
}

void move_images(State& state, Workspace& work) {
    if (work.images.count == 0) return;
    const MovedImages images = moved_images(state, work);
    for_each(
        work.exec, "space/move_images", work.images.count, SCREE_LAMBDA(Index k)->void { images.move(k); });
}

void weigh_images(State& state, Workspace& work) {
    if (work.images.count == 0 || !state.has_compounds) return;
    Row4* velocity = state.bodies.velocity.rows.data();
    const Slot* of = work.images.of.data();
    const Index first = work.images.bodies;
    for_each(
        work.exec, "space/weigh_images", work.images.count,
        SCREE_LAMBDA(Index k)->void { velocity[first + k].value[3] = velocity[of[k]].value[3]; }, work.flags.gate());
}

void move_images_in_step(State& state, Workspace& work) {
    if (work.images.count == 0) return;
    const MovedImages images = moved_images(state, work);
    for_each(
        work.exec, "space/move_images", work.images.count, SCREE_LAMBDA(Index k)->void { images.move(k); }, work.flags.gate());
    if (images.motion == nullptr) return;
    const double most = 0.999 * state.skin;
    flag_each(
        work.exec, "space/watch_images", 1, work.flags.pending(),
        SCREE_LAMBDA(Index)->std::uint32_t { return images.motion->way > most ? kSkinExhausted : 0u; }, work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
