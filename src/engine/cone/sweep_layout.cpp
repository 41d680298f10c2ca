// Rows by colour and number of points -> blocks of manifolds, a lane each, and the values of their points.
#include <algorithm>

#include "engine/cone/body_sweeps.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// By bucket, and the end.
using SweepStarts = std::array<SweepStart, kRowBuckets + 1>;

SCREE_HD Index block_values(int points) {
    return (head_values + static_cast<Index>(points) * kPointValues) * lane_count;
}

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

/// Rows by bucket, and where each bucket starts.
void group_rows_by_bucket(const Exec& exec, Index rows, SortRoom& sort, SweepRoom& room) {
    group_by(exec, room.colours.bucket.data(), rows, kRowBuckets, room.bucket_start, room.by_bucket, sort);
    room.start.resize(kRowBuckets + 1);
    const Index* first = room.bucket_start.data();
    SweepStart* start = room.start.data();
    for_each(
        exec, "cone/place_colours", most_colours + 1, SCREE_LAMBDA(Index c)->void { place_colour(first, start, c); });
}

SweepStarts read_starts(SweepRoom& room) {
    SweepStarts starts;
    copy_to_host(starts.data(), room.start.data(), sizeof(starts));
    return starts;
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

void lay_blocks(const Exec& exec, ContactTable& table, const SweepStart& end, SweepRoom& room) {
    room.manifold.resize(end.block * lane_count);
    room.block.resize(end.block);
    room.value.resize(end.value);
    const Touch* touch = table.touch.data();
    const std::uint32_t* row = room.by_bucket.data();
    const SweepStart* start = room.start.data();
    Manifold* manifold = room.manifold.data();
    SweepBlock* block = room.block.data();
    for_each(
        exec, "cone/lay_blocks", end.block, SCREE_LAMBDA(Index k)->void {
            const Index bucket = bucket_of_block(start, k), before = k - start[bucket].block;
            const std::int32_t points = static_cast<std::int32_t>(bucket % most_points) + 1;
            block[k] = {start[bucket].value + before * block_values(points), points};
            for (int l = 0; l < lane_count; ++l) {
                const Index m = start[bucket].manifold + before * lane_count + l;
                manifold[k * lane_count + l] = m < start[bucket + 1].manifold ? manifold_at(touch, row[m], points) : Manifold{-1, -1, 0, 0};
            }
        });
}

/// The manifolds that begin with these rows.
void lay_manifolds(const Exec& exec, ContactTable& table, const std::uint32_t* row, Index count, Array<Manifold>& out) {
    out.resize(count);
    const Touch* touch = table.touch.data();
    const PairRuns runs{table.origin.data(), table.count};
    Manifold* manifold = out.data();
    for_each(
        exec, "cone/lay_manifolds", count,
        SCREE_LAMBDA(Index m)->void { manifold[m] = manifold_at(touch, row[m], runs.points(static_cast<Index>(row[m]))); });
}

/// What found no colour, in the order of keys.
void lay_series(const Exec& exec, ContactTable& table, Index begin, Index end, SortRoom& sort, SweepRoom& room) {
    Array<std::uint32_t>&keys = room.colours.key, &rows = room.colours.row;
    keys.resize(end - begin);
    rows.resize(end - begin);
    const std::uint32_t *from = room.by_bucket.data() + begin, *key_of = table.key.data();
    std::uint32_t *key = keys.data(), *row = rows.data();
    for_each(
        exec, "cone/keys_in_series", end - begin, SCREE_LAMBDA(Index m)->void {
            row[m] = from[m];
            key[m] = key_of[from[m]];
        });
    sort_pairs(exec, keys, rows, 32, sort);
    lay_manifolds(exec, table, rows.data(), end - begin, room.in_series);
}

/// What points are while a problem is solved; zero in lanes that are empty, which then keep their impulse of zero.
void lay_points(const Exec& exec, SweepRoom& room, ContactTable& t) {
    const Manifold* manifold = room.manifold.data();
    const SweepBlock* block = room.block.data();
    Real* value = room.value.data();
    const Arms* arms = t.arms.data();
    const Vec3R* normal = t.normal.data();
    const Real *along = t.along.data(), *across = t.across.data(), *mu = t.mu.data(), *eta = t.eta.data();
    for_each(
        exec, "cone/lay_sweep", room.manifold.size(), SCREE_LAMBDA(Index m)->void {
            const SweepBlock at = block[m / lane_count];
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
                const Real stretch = moves ? std::sqrt(along[k] / across[k]) : Real(1);
                put(p + kArm * lane_count, used ? arms[k].a : Vec3R{});
                put(p + kNormal * lane_count, used ? normal[k] : Vec3R{});
                put(p + kBase * lane_count, {});
                put(p + kImpulse * lane_count, {});
                p[kAlong * lane_count] = moves ? along[k] : Real(0);
                p[kAcross * lane_count] = moves ? across[k] : Real(0);
                p[kSlope * lane_count] = used ? mu[k] * stretch : Real(0);
                p[kStretch * lane_count] = stretch;
                p[kEta * lane_count] = moves ? eta[k] : Real(0);
            }
        });
}

}  // namespace

void lay_out_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortRoom& sort, SweepRoom& room) {
    colour_manifolds(exec, table, bodies, sort, room.colours);
    group_rows_by_bucket(exec, table.count, sort, room);
    SweepStarts start = read_starts(room);
    while (start[kOpen].manifold < start[kInside].manifold) {
        colour_further(exec, table, bodies, room.colours);
        group_rows_by_bucket(exec, table.count, sort, room);
        start = read_starts(room);
    }
    for (std::size_t c = 0; c <= most_colours; ++c) {
        const SweepStart& of_colour = start[c * most_points];
        room.colour_start[c] = table.rolling ? of_colour.manifold : of_colour.block;
    }
    lay_series(exec, table, start[kInSeries].manifold, start[kOpen].manifold, sort, room);
    if (table.rolling) {
        lay_manifolds(exec, table, room.by_bucket.data(), start[kInSeries].manifold, room.manifold);
        room.block.resize(0);
        return;
    }
    lay_blocks(exec, table, start[kInSeries], room);
    lay_points(exec, room, table);
}

}  // namespace scree::SCREE_FLAVOR
