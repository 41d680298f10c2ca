// Lanes of Gauss–Seidel sweeps: rows to registers and back, projection and steps against their definitions one point at a time, and blocks
// side by side against each on its own.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/rng.hpp"
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/sweeps/sweep_lanes.hpp"

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

/// A point of a pair on its own, and a body.
struct OnePoint {
    Vec3R arm, normal, base, impulse;
    Real along, across, mu;
};
struct OneBody {
    Vec3R v, w;
    BodyMass mass;
};
/// Pairs with so many points each, one a lane. Steps are at most a tenth: an eigenvalue of the points' block of N is below
/// 2 (1 + 1.2 |arm|^2) < 10, so that rounding does not grow from step to step. A fourth of the points move nothing.
struct Block {
    std::vector<std::array<OneBody, 2>> body;     // by lane
    std::vector<std::array<OnePoint, 4>> point;   // by lane
    std::vector<Vec3R> between;                   // by lane
    std::array<std::vector<BodyTwist>, 2> twist;  // rows
    std::array<std::vector<BodyMass>, 2> mass;    // rows
};
OneBody random_body(Rng& rng) {
    OneBody b{vector_in(rng, 1), vector_in(rng, 1), {}};
    b.mass.inverse_mass = uniform(rng, 0.1, 1);
    for (int k = 0; k < 6; ++k) b.mass.inverse_inertia[k] = k < 3 ? uniform(rng, 0.5, 1) : uniform(rng, -0.1, 0.1);
    return b;
}
Block random_block(Rng& rng, int points) {
    Block block;
    for (int l = 0; l < lane_count; ++l) {
        block.body.push_back({random_body(rng), random_body(rng)});
        block.between.push_back(vector_in(rng, 0.5));
        block.point.emplace_back();
        for (int q = 0; q < points; ++q) {
            const bool moves = rng.uniform() < 0.75;
            OnePoint& p = block.point.back()[static_cast<std::size_t>(q)];
            p = {vector_in(rng, 0.5), normalized(vector_in(rng, 1)), vector_in(rng, 1), {}, {}, {}, uniform(rng, 0, 1)};
            p.along = moves ? uniform(rng, 0.02, 0.1) : Real(0);
            p.across = moves ? uniform(rng, 0.02, 0.1) : Real(0);
            p.impulse = moves ? project_cone(vector_in(rng, 1), p.normal, p.mu) : vector_in(rng, 1);
        }
        for (std::size_t side = 0; side < 2; ++side) {
            const OneBody& b = block.body.back()[side];
            block.twist[side].push_back({b.v, Real(0), b.w, Real(0)});
            block.mass[side].push_back(b.mass);
        }
    }
    return block;
}

/// As sweeps lay them out.
std::vector<Real> values_of(const Block& block, int points) {
    std::vector<Real> value(static_cast<std::size_t>(block_values(points)));
    for (int l = 0; l < lane_count; ++l) {
        const auto put = [&](int at, Vec3R v) {
            value[static_cast<std::size_t>(at * lane_count + l)] = v.x;
            value[static_cast<std::size_t>((at + 1) * lane_count + l)] = v.y;
            value[static_cast<std::size_t>((at + 2) * lane_count + l)] = v.z;
        };
        put(0, block.between[static_cast<std::size_t>(l)]);
        for (int q = 0; q < points; ++q) {
            const OnePoint& p = block.point[static_cast<std::size_t>(l)][static_cast<std::size_t>(q)];
            const int at = head_values + q * kPointValues;
            put(at + kArm, p.arm);
            put(at + kNormal, p.normal);
            put(at + kBase, p.base);
            put(at + kImpulse, p.impulse);
            const Real steep = p.across > Real(0) ? p.mu * (p.along / p.across) : p.mu;
            const Real scalars[] = {p.along, p.across, p.mu, steep, Real(1) / (Real(1) + p.mu * steep)};
            for (int k = 0; k < 5; ++k) value[static_cast<std::size_t>((at + kAlong + k) * lane_count + l)] = scalars[k];
        }
    }
    return value;
}

constexpr double omega = 0.9;
constexpr int sweep_rounds = 3;

/// The step by its definition: x <- P(x - omega H u) in the metric of H^-1, and M^-1 D of what changed.
void relax_one(OnePoint& p, Vec3R between, OneBody& a, OneBody& b) {
    if (!(p.across > Real(0))) return;
    const Vec3R arm_b = p.arm - between;
    const Vec3R u = b.v + cross(b.w, arm_b) - (a.v + cross(a.w, p.arm)) + p.base;
    const Vec3R moved = p.impulse - static_cast<Real>(omega) * scaled({p.along, p.across}, p.normal, u);
    const Vec3R now = project_cone(moved, p.normal, p.mu, std::sqrt(p.along / p.across)), g = now - p.impulse;
    p.impulse = now;
    b.v += b.mass.inverse_mass * g;
    b.w += times(b.mass, cross(arm_b, g));
    a.v -= a.mass.inverse_mass * g;
    a.w -= times(a.mass, cross(p.arm, g));
}

template <int Count>
struct PairBodies {
    MassLanes<Count> mass[2];
    BodyLanes<Count> body[2];
};
template <int Count>
void load(Block& block, int j, PairBodies<Count>& to) {
    for (std::size_t side = 0; side < 2; ++side) {
        const Real *twist[lane_count], *mass[lane_count];
        for (int l = 0; l < lane_count; ++l) {
            twist[l] = reinterpret_cast<const Real*>(&block.twist[side][static_cast<std::size_t>(l)]);
            mass[l] = reinterpret_cast<const Real*>(&block.mass[side][static_cast<std::size_t>(l)]);
        }
        load_twists(twist, j, to.body[side]);
        load_masses(mass, j, to.mass[side]);
    }
}

/// Rounds over the points of blocks that follow each other in `value`.
template <int Count>
void relax(std::vector<Real>& value, int points, PairBodies<Count>& b) {
    const PointValues<Count> head{value.data(), block_values(points)};
    const Vec3Group<Count> between = head.vector(0);
    const auto relaxation = LaneGroup<Count>::all(Lanes(static_cast<Real>(omega)));
    for (int round = 0; round < sweep_rounds; ++round) {
        for (int q = 0; q < points; ++q)
            relax_lanes<false>(head.after(head_values + q * kPointValues), between, relaxation, b.mass, b.body[0], b.body[1]);
    }
}

/// v and w of A, then of B, each component by lane.
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

bool same_bits(const Real* a, const Real* b, std::size_t count) {
    return std::memcmp(a, b, count * sizeof(Real)) == 0;
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
            // On the edge of the cone, and on that of the polar one, where either side is right.
            if (trial % 13 == 0) {
                mu[l] += Real(0.1);
                steep[l] = mu[l] * stretch[l] * stretch[l];
                gn[l] = std::hypot(gx[l], gy[l]) / mu[l];
            }
            if (trial % 13 == 1) gn[l] = -steep[l] * std::hypot(gx[l], gy[l]);
            shrink[l] = Real(1) / (Real(1) + mu[l] * steep[l]);
        }
        const LaneGroup<1> zero = LaneGroup<1>::all(Lanes(Real(0)));
        const Vec3Group<1> gt{group_of(gx), group_of(gy), zero};
        const Projected<1> p = project_lanes(group_of(gn), gt, group_of(mu), group_of(steep), group_of(shrink));
        const std::vector<Real> normal = values_of(p.normal), tangential = values_of(p.tangential);
        for (std::size_t l = 0; l < gn.size(); ++l) {
            const Vec3R wanted = project_cone(Vec3R{gx[l], gy[l], gn[l]}, Vec3R{0, 0, 1}, mu[l], stretch[l]);
            // A few roundings of numbers up to fourteen.
            const Real tolerance = 14 * 16 * std::numeric_limits<Real>::epsilon();
            CHECK(std::fabs(normal[l] - wanted.z) <= tolerance);
            CHECK(std::fabs(tangential[l] * gx[l] - wanted.x) <= tolerance);
            CHECK(std::fabs(tangential[l] * gy[l] - wanted.y) <= tolerance);
        }
    }
}

TEST_CASE("lanes: the steps of a sweep are those of the definition, pair by pair") {
    Rng rng(11, 0);
    for (int trial = 0; trial < 40; ++trial) {
        const int points = trial % most_points + 1;
        Block block = random_block(rng, points);
        std::vector<Real> value = values_of(block, points);
        const std::vector<Real> start = value;
        PairBodies<1> bodies;
        load(block, 0, bodies);
        relax(value, points, bodies);
        const std::vector<Real> got = part_of(bodies, 0);
        // Twelve steps of some hundred operations with numbers up to two.
        const double tolerance = 2 * 12 * 100 * static_cast<double>(std::numeric_limits<Real>::epsilon());
        for (std::size_t l = 0; l < lane_count; ++l) {
            auto& [a, b] = block.body[l];
            for (int round = 0; round < sweep_rounds; ++round) {
                for (int q = 0; q < points; ++q) relax_one(block.point[l][static_cast<std::size_t>(q)], block.between[l], a, b);
            }
            const Vec3R wanted[4] = {a.v, a.w, b.v, b.w};
            for (std::size_t k = 0; k < 4; ++k) {
                const Vec3R is{got[3 * k * lane_count + l], got[(3 * k + 1) * lane_count + l], got[(3 * k + 2) * lane_count + l]};
                CHECK(static_cast<double>(norm(is - wanted[k])) <= tolerance);
            }
            for (int q = 0; q < points; ++q) {
                const OnePoint& p = block.point[l][static_cast<std::size_t>(q)];
                const auto at = [&](int component) {
                    return static_cast<std::size_t>((head_values + q * kPointValues + kImpulse + component) * lane_count) + l;
                };
                const Vec3R is{value[at(0)], value[at(1)], value[at(2)]};
                CHECK(static_cast<double>(norm(is - p.impulse)) <= tolerance);
                if (p.across > Real(0)) continue;
                for (int component = 0; component < 3; ++component) CHECK(same_bits(&value[at(component)], &start[at(component)], 1));
            }
        }
    }
}

TEST_CASE("lanes: blocks side by side give the bits of each on its own, and what is no number stays in its lane") {
    Rng rng(13, 0);
    for (const bool broken : {false, true}) {
        for (int points = 1; points <= most_points; ++points) {
            Block first = random_block(rng, points), second = random_block(rng, points);
            if (broken) first.twist[0][0].v.x = std::numeric_limits<Real>::quiet_NaN();
            std::vector<Real> together = values_of(first, points);
            const std::vector<Real> rest = values_of(second, points);
            together.insert(together.end(), rest.begin(), rest.end());
            PairBodies<2> both;
            load(first, 0, both);
            load(second, 1, both);
            relax(together, points, both);
            int j = 0;
            for (Block* block : {&first, &second}) {
                PairBodies<1> alone;
                load(*block, 0, alone);
                std::vector<Real> value = values_of(*block, points);
                relax(value, points, alone);
                const std::vector<Real> after = part_of(alone, 0), in_pair = part_of(both, j);
                const Real* beside = together.data() + j * block_values(points);
                for (std::size_t k = 0; k < after.size(); ++k) {
                    const bool lost = broken && j == 0 && k % lane_count == 0;
                    if (!lost) CHECK((same_bits(&after[k], &in_pair[k], 1) && std::isfinite(after[k])));
                }
                for (std::size_t k = 0; k < value.size(); ++k) {
                    const bool lost = broken && j == 0 && k % lane_count == 0;
                    if (!lost) CHECK((same_bits(&value[k], beside + k, 1) && std::isfinite(value[k])));
                }
                if (broken && j == 0) CHECK(std::isnan(after[0]));
                ++j;
            }
        }
    }
}
