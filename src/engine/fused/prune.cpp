#include "engine/fused/prune.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/fused/fused.hpp"
#include "engine/fused/near_rows.hpp"
#include "engine/fused/order.hpp"
#include "engine/state/relative.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

// Measured on beds at rest and flowing (docs/performance_log.md, "The step of spheres").
constexpr double least_steps = 6;   // between looks at the pairs, from where on these pay
constexpr double look_cost = 1.5;   // of a look, in the time that the pairs of a whole skin take that do not touch
constexpr double worth_it = 0.9;    // of the pairs left: with more, a list is not looked at again
constexpr double alike = 0.8;       // of two gaps: the same, so that most pairs stay where they are
constexpr double rounding = 0.999;  // of the gap: what is left covers the rounding of sums
constexpr double never = 1e300;     // steps, where all bodies rest
constexpr Index ahead = 24;         // pairs whose bodies are asked for
static_assert(fused_stage <= 255, "FusedBuffers::order, FusedBuffers::near");

using Place = std::uint8_t;  // in a stage

/// values[k] = what stood at from[k].
template <class T>
void rearrange(T* values, const Place* from, Index n) {
    T old[fused_stage];
    std::copy(values, values + n, old);
    for (Index k = 0; k < n; ++k) values[k] = old[from[k]];
}

/// All that the list keeps of a stage's pairs.
void rearrange_stage(State& state, Workspace& work, Index at, const Place* from, Index n) {
    ContactList& pairs = state.lists[kSpheres];
    rearrange(pairs.a.data() + at, from, n);
    rearrange(pairs.b.data() + at, from, n);
    if (pairs.law.size() > 0) rearrange(pairs.law.data() + at, from, n);
    rearrange(work.fused.place.data() + at, from, n);
    const Vec3View<Real> stretch = pairs.contacts.stretch.view();
    for (Real* values : {stretch.x, stretch.y, stretch.z}) rearrange(values + at, from, n);
    if (pairs.contacts.bond.size() > 0) rearrange(pairs.contacts.bond.data() + at, from, n);
    if (pairs.contacts.torsion.size() == 0) return;
    const Vec3View<Real> roll = pairs.contacts.roll.view();
    for (Real* values : {roll.x, roll.y, roll.z, pairs.contacts.torsion.data()}) rearrange(values + at, from, n);
}

/// where[order[k]] = k.
void invert(const Place* order, Index n, Place* where) {
    for (Index k = 0; k < n; ++k) where[order[k]] = static_cast<Place>(k);
}

/// Calls stage(number, at, n) for the stages of pairs between ranges, numbered behind all others, then range(k, begin, end) for each range
/// k, a thread each: as steps do.
template <class Stage, class Range>
void each_stage(const Exec& exec, const FusedExtent& extent, Stage stage, Range range) {
    Index number = end_of_stages(extent);
    for (Index at = extent.inner; at < extent.total; at += fused_stage)
        stage(number++, at, std::min<Index>(fused_stage, extent.total - at));
    each_range(exec, extent.rows, extent.length, range);
}

/// Looks at all pairs; near are those that no more than `gap` parts.
void look_at_pairs(State& state, Workspace& work, double gap) {
    FusedBuffers& buffers = work.fused;
    const FusedExtent extent = fused_extent(state, work);
    const bool sorted = buffers.prune.on;
    const BodyView body = state.bodies.view();
    const Slot *slots_a = state.lists[kSpheres].a.data(), *slots_b = state.lists[kSpheres].b.data();
    Contacts& contacts = state.lists[kSpheres].contacts;
    const Vec3View<Real> stretch = contacts.stretch.view(), roll = contacts.roll.view();
    Real* bond = contacts.bond.size() > 0 ? contacts.bond.data() : nullptr;
    Real* torsion = contacts.torsion.size() > 0 ? contacts.torsion.data() : nullptr;
    const double beyond = gap + work.pull_reach;  // what may not touch may pull
    const bool rows = reserve_near_rows(state.bodies.count, work);
    std::uint8_t* near_at = rows ? buffers.near_rows.near_at.data() : nullptr;
    const std::int32_t* place = buffers.place.data();
    const auto look = [&](Index stage, Index at, Index n) {
        Place* order = buffers.order.data() + at;
        const Slot *a = slots_a + at, *b = slots_b + at;
        bool apart[fused_stage];  // by place in the list as it was made
        Place where[fused_stage]{}, from[fused_stage]{};
        for (Index k = 0; k < n && !sorted; ++k) order[k] = static_cast<Place>(k);
        for (Index k = 0; k < n; ++k) {
            const Index soon = std::min(k + ahead, n - 1);          // the next range's pairs may be moved about meanwhile
            fetch(body.position.row + std::max(a[soon], b[soon]));  // met for the first time, as in steps
            const Vec3 d = relative_position(body.position[a[k]], body.position[b[k]]);
            const double reach = body.radius[a[k]] + body.radius[b[k]] + beyond;
            apart[order[k]] = norm2(d) > reach * reach;
            if (rows) near_at[place[at + k]] = apart[order[k]] ? 0 : 1;
        }
        invert(order, n, where);
        Index near = 0, far = n - 1;
        for (Index k = 0; k < n; ++k) {
            order[near] = order[far] = static_cast<Place>(k);  // of the two the one that is not meant is written again
            near += apart[k] ? 0 : 1;
            far -= apart[k] ? 1 : 0;
        }
        bool moved = false;
        for (Index k = 0; k < n; ++k) {
            from[k] = where[order[k]];
            moved = moved || from[k] != k;
        }
        buffers.near.data()[stage] = static_cast<std::uint8_t>(near);
        if (moved) rearrange_stage(state, work, at, from, n);
        for (Index k = near; k < n; ++k) {  // what they will remember of not touching
            stretch.set(at + k, {});
            if (bond != nullptr) bond[at + k] = Real(kNoBond);
            if (torsion == nullptr) continue;
            roll.set(at + k, {});
            torsion[at + k] = Real(0);
        }
    };
    std::atomic<bool> full{false};
    each_stage(work.exec, extent, look, [&](Index, Index begin, Index end) {
        NearRowWriter writer(state.lists[kSpheres], buffers, begin, end);
        by_stages(extent, begin, end, look, [&](Index i) {
            if (rows) writer.write(i);
        });
        if (writer.full()) full = true;
    });
    buffers.near_rows.on = rows && !full;
    Index near = 0;
    for (Index s = 0; s < buffers.near.size(); ++s) near += buffers.near.data()[s];
    buffers.prune.on = true;
    buffers.prune.useless = static_cast<double>(near) > worth_it * static_cast<double>(extent.total);
    ++buffers.prune.looks;
}

}  // namespace

void restore_list(State& state, Workspace& work) {
    FusedBuffers& buffers = work.fused;
    if (!buffers.prune.on) return;
    const FusedExtent extent = fused_extent(state, work);
    const auto restore = [&](Index, Index at, Index n) {
        Place from[fused_stage]{};
        invert(buffers.order.data() + at, n, from);
        rearrange_stage(state, work, at, from, n);
    };
    each_stage(work.exec, extent, restore, [&](Index, Index begin, Index end) { by_stages(extent, begin, end, restore, [](Index) {}); });
    buffers.prune.on = buffers.near_rows.on = false;
}

void end_pruned_step(Workspace& work, double way) {
    work.fused.prune.moved += way;
}

void prune(State& state, Workspace& work, double way) {
    Pruning& pruning = work.fused.prune;
    const bool known = way >= 0, valid = pruning.on && 2 * pruning.moved <= rounding * pruning.gap;
    // A look every n steps costs look_cost / n of the time of a skin's pairs, and the pairs of a gap of 2 n way their share of it: least
    // where both are the same.
    const double steps = way > 0 ? std::sqrt(look_cost * state.skin / (2 * way)) : never;
    if (!known || (!valid && (pruning.useless || steps < least_steps))) return restore_list(state, work);
    if (!valid) {
        const double gap = std::min(2 * steps * way, state.skin);
        if (!pruning.on || gap < alike * pruning.gap || alike * gap > pruning.gap) pruning.gap = gap;
        pruning.moved = 0;
        look_at_pairs(state, work, pruning.gap);
    }
    ++pruning.steps;
    if (work.fused.near_rows.on) ++work.fused.near_rows.steps;
}

}  // namespace scree::SCREE_FLAVOR
