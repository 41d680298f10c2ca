// Rows by colour and number of points -> blocks of manifolds, a lane each, and the values of their points.
#include <algorithm>

#include "engine/cone/sweeps/body_sweeps.hpp"
#include "engine/exec/late.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The start of bucket k + 1 from that of k, which has one colour and this number of points.
SCREE_HD SweepStart next_start(SweepStart s, Index manifolds, int points) {
    const Index blocks = (manifolds + lane_count - 1) / lane_count;
    return {s.manifold + manifolds, s.block + blocks, s.value + blocks * block_values(points)};
}

/// Starts of the buckets of colour c from the numbers of manifolds; c = most_colours: of the rest.
SCREE_HD void place_colour(const Index* first, SweepStart* start, Index c) {
    SweepStart s{};
    Index k = 0;
    for (; k < c * most_points; ++k) s = next_start(s, first[k + 1] - first[k], static_cast<int>(k % most_points) + 1);
    if (c < most_colours) {
        for (int points = 1; points <= most_points; ++points, ++k) {
            start[k] = s;
            s = next_start(s, first[k + 1] - first[k], points);
        }
    } else {
        for (; k <= kRowBuckets; ++k) start[k] = {first[k], s.block, s.value};
    }
}

SCREE_HD void size_up(const SweepStart* start, bool blocks, SweepSizes& s) {
    for (Index c = 0; c < most_colours; ++c) s.colour[c] = count_between(start[c * most_points], start[(c + 1) * most_points], blocks);
    s.blocks = count_between(start[0], start[kInSeries], blocks);
    s.values = blocks ? start[kInSeries].value : 0;
    s.series = start[kOpen].manifold - start[kInSeries].manifold;
    s.open = start[kInside].manifold - start[kOpen].manifold;
}

/// Whether there is a series is known to the host: with one, the residual is looked at in another way.
SCREE_HD bool fits(const SweepSizes& s, const SweepSizes& most) {
    bool all = s.open == 0 && s.blocks <= most.blocks && s.values <= most.values && s.series <= most.series;
    all = all && (s.series > 0) == (most.series > 0);
    for (int c = 0; c < most_colours; ++c) all = all && s.colour[c] <= most.colour[c];
    return all;
}

/// Rows by bucket, where each bucket starts, and whether `most` has room for them; null: it will have. Where it has not, all buckets are
/// empty to what comes after.
void group_rows_by_bucket(const Exec& exec, const ContactTable& table, const SweepSizes* most, SortBuffers& sort, SweepBuffers& buffers) {
    group_by(exec, buffers.colours.bucket.data(), table.count, kRowBuckets, buffers.bucket_start, buffers.by_bucket, sort);
    buffers.start.resize(kRowBuckets + 1);
    const Index* first = buffers.bucket_start.data();
    SweepStart* start = buffers.start.data();
    for_each(
        exec, "cone/place_colours", most_colours + 1, SCREE_LAMBDA(Index c)->void { place_colour(first, start, c); });
    buffers.fit.resize(1);
    SweepFit* fit = buffers.fit.data();
    const bool blocks = !table.rolling;
    const bool bounded = most != nullptr;
    const SweepSizes bound = bounded ? *most : SweepSizes{};
    for_each(
        exec, "cone/size_sweeps", 1, SCREE_LAMBDA(Index)->void {
            size_up(start, blocks, fit->sizes);
            fit->misfit = !bounded || fits(fit->sizes, bound) ? 0u : 1u;
            for (Index k = 0; fit->misfit != 0 && k <= kRowBuckets; ++k) start[k] = {};
        });
}

SCREE_HD Manifold no_manifold() {
    return {-1, -1, 0, 0};
}
SCREE_HD Manifold manifold_at(const Touch* touch, std::uint32_t row, std::int32_t points) {
    return {touch[row].a, touch[row].b, row, points};
}

/// The bucket of a block: the last one that starts with it or before, since those between are empty.
SCREE_HD Index bucket_of_block(const SweepStart* start, Index block) {
    Index low = 0, high = kInSeries;
    while (high - low > 1) {
        const Index middle = (low + high) / 2;
        (start[middle].block <= block ? low : high) = middle;
    }
    return low;
}

void lay_blocks(const Exec& exec, ContactTable& table, const SweepSizes& most, SweepBuffers& buffers) {
    buffers.manifold.resize(most.blocks * lane_count);
    buffers.block.resize(most.blocks);
    buffers.value.resize(most.values);
    const Touch* touch = table.touch.data();
    const std::uint32_t* row = buffers.by_bucket.data();
    const SweepStart* start = buffers.start.data();
    Manifold* manifold = buffers.manifold.data();
    SweepBlock* block = buffers.block.data();
    for_each(
        exec, "cone/lay_blocks", most.blocks, SCREE_LAMBDA(Index k)->void {
            if (k >= start[kInSeries].block) {
                block[k] = {0, 0};
                for (int l = 0; l < lane_count; ++l) manifold[k * lane_count + l] = no_manifold();
                return;
            }
            const Index bucket = bucket_of_block(start, k), before = k - start[bucket].block;
            const std::int32_t points = static_cast<std::int32_t>(bucket % most_points) + 1;
            block[k] = {start[bucket].value + before * block_values(points), points};
            for (int l = 0; l < lane_count; ++l) {
                const Index m = start[bucket].manifold + before * lane_count + l;
                manifold[k * lane_count + l] = m < start[bucket + 1].manifold ? manifold_at(touch, row[m], points) : no_manifold();
            }
        });
}

/// The manifolds that begin with these rows, as many as there are from one start to the other; what lies past them is empty.
void lay_manifolds(const Exec& exec, ContactTable& table, const std::uint32_t* row, Index most, const SweepStart* from,
                   const SweepStart* to, Array<Manifold>& out) {
    out.resize(most);
    const Touch* touch = table.touch.data();
    const PairRuns runs{table.origin.data(), table.count};
    Manifold* manifold = out.data();
    for_each(
        exec, "cone/lay_manifolds", most, SCREE_LAMBDA(Index m)->void {
            const bool used = m < to->manifold - from->manifold;
            manifold[m] = used ? manifold_at(touch, row[m], runs.points(static_cast<Index>(row[m]))) : no_manifold();
        });
}

/// What found no colour, in the order of keys; what lies past it has the largest key, and stays there, as equal keys keep their order.
void lay_series(const Exec& exec, ContactTable& table, Index most, SortBuffers& sort, SweepBuffers& buffers) {
    Array<std::uint32_t>&keys = buffers.colours.key, &rows = buffers.colours.row;
    keys.resize(most);
    rows.resize(most);
    const std::uint32_t *from = buffers.by_bucket.data(), *key_of = table.key.data();
    const SweepStart *begin = buffers.start.data() + kInSeries, *end = buffers.start.data() + kOpen;
    std::uint32_t *key = keys.data(), *row = rows.data();
    for_each(
        exec, "cone/keys_in_series", most, SCREE_LAMBDA(Index m)->void {
            const bool used = m < end->manifold - begin->manifold;
            row[m] = used ? from[begin->manifold + m] : 0u;
            key[m] = used ? key_of[row[m]] : 0xffffffffu;
        });
    sort_pairs(exec, keys, rows, 32, sort);
    lay_manifolds(exec, table, rows.data(), most, begin, end, buffers.in_series);
}

/// What points are while a problem is solved; zero in lanes that are empty, which then keep their impulse of zero.
void lay_points(const Exec& exec, SweepBuffers& buffers, ContactTable& t) {
    const Manifold* manifold = buffers.manifold.data();
    const SweepBlock* block = buffers.block.data();
    Real* value = buffers.value.data();
    const Arms* arms = t.arms.data();
    const Vec3R* normal = t.normal.data();
    const Real *along = t.along.data(), *across = t.across.data(), *mu = t.mu.data(), *eta = t.eta.data();
    for_each(
        exec, "cone/lay_sweep", buffers.manifold.size(), SCREE_LAMBDA(Index m)->void {
            const SweepBlock at = block[m / lane_count];
            if (at.points == 0) return;
            Real* to = value + at.data + m % lane_count;
            const auto put = [](Real* first, Vec3R v) {
                first[0] = v.x;
                first[lane_count] = v.y;
                first[2 * lane_count] = v.z;
            };
            const Manifold own = manifold[m];
            const bool two = own.count > 0 && own.b >= 0;
            put(to, two ? arms[own.first].a - arms[own.first].b : Vec3R{});
            for (std::int32_t q = 0; q < at.points; ++q) {
                Real* p = to + (head_values + q * kPointValues) * lane_count;
                const bool used = own.count > 0;
                const Index k = used ? static_cast<Index>(own.first) + q : 0;
                const bool moves = used && across[k] > Real(0);
                const Real own_mu = used ? mu[k] : Real(0), steep = moves ? own_mu * (along[k] / across[k]) : own_mu;
                put(p + kArm * lane_count, used ? arms[k].a : Vec3R{});
                put(p + kNormal * lane_count, used ? normal[k] : Vec3R{});
                put(p + kBase * lane_count, {});
                put(p + kImpulse * lane_count, {});
                p[kAlong * lane_count] = moves ? along[k] : Real(0);
                p[kAcross * lane_count] = moves ? across[k] : Real(0);
                p[kMu * lane_count] = own_mu;
                p[kSteep * lane_count] = steep;
                p[kShrink * lane_count] = Real(1) / (Real(1) + own_mu * steep);
                p[kEta * lane_count] = moves ? eta[k] : Real(0);
            }
        });
}

/// With the room that there is.
void lay(const Exec& exec, ContactTable& table, SortBuffers& sort, SweepBuffers& buffers) {
    const SweepSizes most = buffers.most.value_or(SweepSizes{});
    lay_series(exec, table, most.series, sort, buffers);
    if (table.rolling) {
        const SweepStart* start = buffers.start.data();
        lay_manifolds(exec, table, buffers.by_bucket.data(), most.blocks, start, start + kInSeries, buffers.manifold);
        buffers.block.resize(0);
        return;
    }
    lay_blocks(exec, table, most, buffers);
    lay_points(exec, buffers, table);
}

}  // namespace

SweepSizes expected_after(const SweepSizes& sizes) {
    constexpr Index further_colours = 2, least = 64;
    const auto more = [](Index n) { return n + n / 16 + least; };
    SweepSizes most;
    int used = most_colours;
    while (used > 0 && sizes.colour[used - 1] == 0) --used;
    for (int c = 0; c < std::min<int>(used + further_colours, most_colours); ++c) most.colour[c] = more(sizes.colour[c]);
    most.blocks = more(sizes.blocks);
    most.values = sizes.values + sizes.values / 16 + least * block_values(most_points);
    most.series = sizes.series > 0 ? more(sizes.series) : 0;
    return most;
}

void lay_out_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, SweepBuffers& buffers) {
    colour_manifolds(exec, table, bodies, sort, buffers.colours);
    if (buffers.colours.in_turn()) {
        group_rows_by_bucket(exec, table, nullptr, sort, buffers);
        buffers.most = Late<SweepFit>::at(buffers.fit.data()).now().sizes;
    } else if (buffers.most) {
        group_rows_by_bucket(exec, table, &*buffers.most, sort, buffers);
    } else {
        fit_sweeps(exec, table, bodies, sort, buffers);
        return;
    }
    lay(exec, table, sort, buffers);
}

void fit_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, SweepBuffers& buffers) {
    const auto sizes = [&] {
        group_rows_by_bucket(exec, table, nullptr, sort, buffers);
        return buffers.fit.at(0).sizes;
    };
    SweepSizes found = sizes();
    while (found.open > 0) {
        colour_further(exec, table, bodies, buffers.colours);
        found = sizes();
    }
    buffers.most = expected_after(found);
    lay(exec, table, sort, buffers);
}

}  // namespace scree::SCREE_FLAVOR
