// Lanes of Gauss–Seidel sweeps: rows to registers and back, the projection against its definition, and blocks side by side against each on
// its own.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.hpp"
#include "engine/cone/sweep_lanes.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;

namespace {

Real uniform(Rng& rng, double low, double high) {
    return static_cast<Real>(low + (high - low) * rng.uniform());
}

Vec3R vector_in(Rng& rng, double size) {
    return {uniform(rng, -size, size), uniform(rng, -size, size), uniform(rng, -size, size)};
}

std::vector<Real> values_of(const LaneGroup<1>& g) {
    std::vector<Real> out(lane_count);
    store_lanes(out.data(), g.part[0]);
    return out;
}

LaneGroup<1> group_of(const std::vector<Real>& values) {
    return {{load_lanes(values.data())}};
}

/// Values of a block of random pairs with so many points, and the rows of their bodies.
struct RandomBlock {
    int points;
    std::vector<Real> value;
    std::array<std::vector<std::array<Real, row_values>>, 2> twist, mass;
};
RandomBlock random_block(Rng& rng, int points) {
    RandomBlock b{points, std::vector<Real>(static_cast<std::size_t>(block_values(points))), {}, {}};
    for (Real& v : b.value) v = uniform(rng, -1, 1);
    for (int q = 0; q < points; ++q) {
        Real* at = b.value.data() + (head_values + q * kPointValues) * lane_count;
        for (int l = 0; l < lane_count; ++l) {
            const Vec3R n = normalized(vector_in(rng, 1));
            at[kNormal * lane_count + l] = n.x;
            at[(kNormal + 1) * lane_count + l] = n.y;
            at[(kNormal + 2) * lane_count + l] = n.z;
            const Real mu = uniform(rng, 0, 1), stretch2 = uniform(rng, 0.5, 2);
            at[kAlong * lane_count + l] = uniform(rng, 0.1, 1);
            at[kAcross * lane_count + l] = l % 3 == 2 ? Real(0) : uniform(rng, 0.1, 1);
            at[kMu * lane_count + l] = mu;
            at[kSteep * lane_count + l] = mu * stretch2;
            at[kShrink * lane_count + l] = Real(1) / (Real(1) + mu * mu * stretch2);
        }
    }
    for (int side = 0; side < 2; ++side) {
        for (int l = 0; l < lane_count; ++l) {
            std::array<Real, row_values> twist{}, mass{};
            for (Real& v : twist) v = uniform(rng, -1, 1);
            for (Real& v : mass) v = uniform(rng, 0.1, 1);
            b.twist[static_cast<std::size_t>(side)].push_back(twist);
            b.mass[static_cast<std::size_t>(side)].push_back(mass);
        }
    }
    return b;
}

template <int Count>
struct PairBodies {
    MassLanes<Count> mass[2];
    BodyLanes<Count> body[2];
};
template <int Count>
void load(RandomBlock& block, int j, PairBodies<Count>& to) {
    for (std::size_t side = 0; side < 2; ++side) {
        const Real *twist[lane_count], *mass[lane_count];
        for (int l = 0; l < lane_count; ++l) {
            twist[l] = block.twist[side][static_cast<std::size_t>(l)].data();
            mass[l] = block.mass[side][static_cast<std::size_t>(l)].data();
        }
        Lanes t[row_values], m[row_values];
        load_rows(twist, t);
        load_rows(mass, m);
        BodyLanes<Count>& b = to.body[side];
        b.v.x.part[j] = t[0];
        b.v.y.part[j] = t[1];
        b.v.z.part[j] = t[2];
        b.w.x.part[j] = t[4];
        b.w.y.part[j] = t[5];
        b.w.z.part[j] = t[6];
        for (int k = 0; k < row_values; ++k) to.mass[side][k].part[j] = m[k];
    }
}

/// Three rounds over the points of blocks that follow each other in `value`.
template <int Count>
void relax(std::vector<Real>& value, int points, PairBodies<Count>& b) {
    const PointValues<Count> head{value.data(), block_values(points)};
    const Vec3Group<Count> between = head.vector(0);
    const auto omega = LaneGroup<Count>::all(Lanes(Real(0.9)));
    for (int round = 0; round < 3; ++round) {
        for (int q = 0; q < points; ++q)
            relax_lanes(head.after(head_values + q * kPointValues), between, omega, b.mass, b.body[0], b.body[1]);
    }
}

template <int Count>
std::vector<Real> part_of(const PairBodies<Count>& b, int j) {
    std::vector<Real> out;
    for (const BodyLanes<Count>& body : b.body) {
        for (const LaneGroup<Count>* g : {&body.v.x, &body.v.y, &body.v.z, &body.w.x, &body.w.y, &body.w.z}) {
            out.resize(out.size() + lane_count);
            store_lanes(out.data() + out.size() - lane_count, g->part[j]);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("lanes: rows go into lanes and back, and lanes without a row are zero and leave nothing behind") {
    std::array<std::array<Real, row_values>, lane_count> rows;
    for (int l = 0; l < lane_count; ++l) {
        for (int k = 0; k < row_values; ++k)
            rows[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)] = static_cast<Real>(100 * l + k + 1);
    }
    for (int missing = 0; missing <= lane_count; ++missing) {  // lane_count: none
        auto written = rows;
        const Real* from[lane_count];
        Real* to[lane_count];
        for (int l = 0; l < lane_count; ++l) {
            const bool here = l != missing;
            from[l] = here ? rows[static_cast<std::size_t>(l)].data() : nullptr;
            to[l] = here ? written[static_cast<std::size_t>(l)].data() : nullptr;
        }
        Lanes value[row_values];
        load_rows(from, value);
        for (int k = 0; k < row_values; ++k) {
            const std::vector<Real> lanes = values_of({{value[k]}});
            for (int l = 0; l < lane_count; ++l)
                CHECK(lanes[static_cast<std::size_t>(l)] == (l == missing ? Real(0) : static_cast<Real>(100 * l + k + 1)));
            value[k] = value[k] + value[k];
        }
        store_rows(value, to);
        for (int l = 0; l < lane_count; ++l) {
            for (int k = 0; k < row_values; ++k)
                CHECK(written[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)] ==
                      static_cast<Real>((l == missing ? 1 : 2) * (100 * l + k + 1)));
        }
    }
}

TEST_CASE("lanes: the projection in parts is that of the definition, also without friction and on the edges of the cone") {
    Rng rng(7, 0);
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<Real> gn(lane_count), gx(lane_count), gy(lane_count), mu(lane_count), steep(lane_count), shrink(lane_count);
        std::vector<Real> stretch(lane_count);
        for (std::size_t l = 0; l < gn.size(); ++l) {
            mu[l] = trial % 5 == 0 ? Real(0) : uniform(rng, 0, 1.5);
            stretch[l] = trial % 2 == 0 ? Real(1) : uniform(rng, 0.5, 2);
            gn[l] = uniform(rng, -1, 1);
            gx[l] = trial % 7 == 0 ? Real(0) : uniform(rng, -1, 1);
            gy[l] = trial % 7 <= 1 ? Real(0) : uniform(rng, -1, 1);
            if (trial % 11 == 0) gn[l] = 0;
            steep[l] = mu[l] * stretch[l] * stretch[l];
            shrink[l] = Real(1) / (Real(1) + mu[l] * steep[l]);
        }
        const LaneGroup<1> zero = LaneGroup<1>::all(Lanes(Real(0)));
        const Vec3Group<1> gt{group_of(gx), group_of(gy), zero};
        const Projected<1> p = project_lanes(group_of(gn), gt, group_of(mu), group_of(steep), group_of(shrink));
        const std::vector<Real> normal = values_of(p.normal), tangential = values_of(p.tangential);
        for (std::size_t l = 0; l < gn.size(); ++l) {
            const Vec3R wanted = project_cone(Vec3R{gx[l], gy[l], gn[l]}, Vec3R{0, 0, 1}, mu[l], stretch[l]);
            // A few roundings of numbers up to one, of a map that does not stretch by more than the square of 2.
            const Real tolerance = 64 * std::numeric_limits<Real>::epsilon();
            CHECK(std::fabs(normal[l] - wanted.z) <= tolerance);
            CHECK(std::fabs(tangential[l] * gx[l] - wanted.x) <= tolerance);
            CHECK(std::fabs(tangential[l] * gy[l] - wanted.y) <= tolerance);
        }
    }
}

TEST_CASE("lanes: blocks side by side give the bits of each on its own, and keep momentum") {
    Rng rng(11, 0);
    for (int points = 1; points <= most_points; ++points) {
        RandomBlock first = random_block(rng, points), second = random_block(rng, points);
        std::vector<Real> together = first.value;
        together.insert(together.end(), second.value.begin(), second.value.end());
        PairBodies<2> both;
        load(first, 0, both);
        load(second, 1, both);
        relax(together, points, both);
        int j = 0;
        for (RandomBlock* block : {&first, &second}) {
            PairBodies<1> alone;
            load(*block, 0, alone);
            const std::vector<Real> before = part_of(alone, 0), mass_a = values_of(alone.mass[0][0]), mass_b = values_of(alone.mass[1][0]);
            std::vector<Real> value = block->value;
            relax(value, points, alone);
            const std::vector<Real> after = part_of(alone, 0);
            CHECK(after == part_of(both, j));
            const auto begin = together.begin() + j * block_values(points);
            CHECK(std::equal(value.begin(), value.end(), begin));
            CHECK(value != block->value);
            // v_A m_A + v_B m_B, by component and lane: of numbers of order one, in some hundred operations.
            const std::size_t lanes = lane_count;
            for (std::size_t k = 0; k < 3 * lanes; ++k) {
                const double a = static_cast<double>(after[k] - before[k]) / static_cast<double>(mass_a[k % lanes]);
                const double b = static_cast<double>(after[6 * lanes + k] - before[6 * lanes + k]) / static_cast<double>(mass_b[k % lanes]);
                const double rounding = static_cast<double>(std::numeric_limits<Real>::epsilon()) * 100 *
                                        (1 / static_cast<double>(mass_a[k % lanes]) + 1 / static_cast<double>(mass_b[k % lanes]));
                CHECK(std::fabs(a + b) <= rounding * (1 + std::fabs(a)));
            }
            ++j;
        }
    }
}
