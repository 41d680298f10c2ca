// Random placement: fraction reached, no overlap by trying all pairs, inside the region, the same for a seed. The grid against all pairs.
#include <algorithm>
#include <cmath>

#include "model/cell.hpp"
#include "setup/placement/overlaps.hpp"
#include "setup/placement/placement.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/sphere_grid.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

ScenePlacement in_box(double edge) {
    ScenePlacement p;
    p.kind = ScenePlacement::Kind::Random;
    p.region = "box";
    p.box_min = {-1, 2, 3};
    p.box_max = Vec3{-1, 2, 3} + Vec3{edge, edge, edge};
    return p;
}

Placed place(const ScenePlacement& p, const SizeDistribution& d, const BodyTable& earlier = {}, std::uint64_t seed = 1) {
    return place_random(p, Sizes(d, seed, {}), seed, earlier, {"s.toml", 2, 1});
}

double solid_volume(const Placed& placed) {
    double sum = 0.0;
    for (const double r : placed.radius) sum += 4.0 / 3.0 * std::acos(-1.0) * r * r * r;
    return sum;
}

void check_packing(const Placed& placed, const ScenePlacement& p) {
    CHECK(smallest_gap(placed.position, placed.radius) >= 0.0);
    const PlaceRegion region = *PlaceRegion::of(p, {});
    for (std::size_t k = 0; k < placed.position.size(); ++k) CHECK(region.holds(placed.position[k], placed.radius[k]));
}

SizeDistribution wide_sizes() {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::LogNormal;
    d.mean = 0.3;
    d.deviation = 0.15;
    d.min = 0.05;
    d.max = 1.0;
    return d;
}

}  // namespace

TEST_CASE("fractions from dilute to 0.58, equal spheres in a box") {
    for (const double fraction : {0.02, 0.3, 0.45, 0.55, 0.58}) {
        ScenePlacement p = in_box(14);
        p.fraction = fraction;
        const Placed placed = place(p, equal_size(0.5));
        CAPTURE(fraction);
        // The number is rounded to whole bodies: half a body of 2744 volume units at most.
        CHECK(std::fabs(solid_volume(placed) / 2744.0 - fraction) <= 0.5 * 0.5236 / 2744.0 * (1 + 1e-9));
        check_packing(placed, p);
    }
}

TEST_CASE("cylinder, sphere, and sizes that differ twentyfold") {
    ScenePlacement p;
    p.kind = ScenePlacement::Kind::Random;
    p.fraction = 0.5;
    p.radius = 4;
    p.length = 8;
    p.axis = {1, -1, 2};
    p.centre = {1, 1, 1};
    for (const char* region : {"cylinder", "sphere"}) {
        p.region = region;
        check_packing(place(p, equal_size(0.4)), p);
        const Placed placed = place(p, wide_sizes());
        check_packing(placed, p);
        const Sizes sizes(wide_sizes(), 1, {});
        for (std::size_t k = 0; k < placed.radius.size(); k += 17) CHECK(placed.radius[k] == sizes.radius(k));
    }
}

TEST_CASE("a wanted number, the same for a seed") {
    ScenePlacement p = in_box(10);
    p.bodies = 700;
    const Placed a = place(p, equal_size(0.5));
    CHECK(a.position.size() == 700);
    CHECK(a.position == place(p, equal_size(0.5)).position);
    CHECK(a.position != place(p, equal_size(0.5), {}, 2).position);
    p.bodies = 1050;  // 0.55: relaxation
    const Placed b = place(p, equal_size(0.5));
    check_packing(b, p);
    CHECK(b.position == place(p, equal_size(0.5)).position);
}

TEST_CASE("sequential addition fills evenly") {
    // 4000 spheres at fraction 0.02 over 8 octants: 500 each, five standard errors.
    ScenePlacement p = in_box(47.1);
    p.bodies = 4000;
    const Placed placed = place(p, equal_size(0.5));
    int count[8] = {};
    const Vec3 middle = 0.5 * (p.box_min + p.box_max);
    for (const Vec3& at : placed.position) ++count[(at.x > middle.x) + 2 * (at.y > middle.y) + 4 * (at.z > middle.z)];
    for (const int c : count) CHECK(std::abs(c - 500) < 5 * std::sqrt(500.0));
}

TEST_CASE("bodies of earlier groups are kept clear of, however large or small") {
    BodyTable earlier;
    earlier.add_sphere({2, 5, 6}, 2.5, 0, 1.0);
    earlier.add_sphere({5, 9, 10}, 0.01, 0, 1.0);
    earlier.add_sphere({5, 9, 9}, 0.7, 0, 1.0);
    for (const double fraction : {0.1, 0.45}) {
        ScenePlacement p = in_box(8);
        p.fraction = fraction;
        Placed placed = place(p, equal_size(0.3), earlier);
        check_packing(placed, p);
        placed.position.insert(placed.position.end(), earlier.position.begin(), earlier.position.end());
        placed.radius.insert(placed.radius.end(), earlier.radius.begin(), earlier.radius.end());
        // The earlier ones touch nothing of each other: spheres 2 and 3 are 0.29 apart.
        CHECK(smallest_gap(placed.position, placed.radius) >= 0.0);
    }
}

TEST_CASE("too much is an error that tells what was reached") {
    ScenePlacement p = in_box(6);
    p.fraction = 0.7;
    const std::string message = error_of([&] { place(p, equal_size(0.5)); });
    CHECK(contains(message, "s.toml:2:1: 289 bodies would fill 0.7006 of the region without overlap; about 0.5"));
    CHECK(contains(error_of([&] { place(p, equal_size(3.5)); }), "does not fit into the region"));
    p.fraction.reset();
    CHECK(contains(error_of([&] { place(p, equal_size(0.5)); }), "needs fraction or bodies"));
    p.region = "";
    CHECK(contains(error_of([&] { place(p, equal_size(0.5)); }), "needs a region"));
    {
        const LoweredMemory machine(1e8);
        p = in_box(6);
        p.bodies = 1000000;
        CHECK(contains(error_of([&] { place(p, equal_size(1e-3)); }), "s.toml:2:1: 1e+06 bodies take 0.16 GB"));
        p.bodies.reset();
        p.fraction = 0.1;
        CHECK(contains(error_of([&] { place(p, equal_size(5e-3)); }),
                       "s.toml:2:1: 4.13e+07 bodies take 6.6 GB"));  // once a million are drawn
    }
    p = in_box(6);
    p.bodies = 1000;
    CHECK(contains(error_of([&] { place(p, equal_size(0.5)); }), "times the volume of their region"));
}

TEST_CASE("regions: volume, bounds, nearest centre") {
    ScenePlacement p;
    p.region = "cylinder";
    p.axis = {0, 3, 4};
    p.radius = 2;
    p.length = 5;
    p.centre = {1, 2, 3};
    const PlaceRegion tube = *PlaceRegion::of(p, {});
    CHECK(tube.volume() == doctest::Approx(20 * std::acos(-1.0)));
    CHECK(tube.inradius() == 2.0);
    const Aabb box = tube.bounds();
    CHECK(norm(box.min - Vec3{-1, 2 - 1.6, 3 - 1.2}) < 1e-12);
    CHECK(norm(box.max - Vec3{3, 5 + 1.6, 7 + 1.2}) < 1e-12);
    Rng rng(1, 1);
    for (const char* kind : {"box", "cylinder", "sphere"}) {
        p.region = kind;
        p.box_min = {-1, -1, -1};
        p.box_max = {3, 4, 5};
        const PlaceRegion region = *PlaceRegion::of(p, {});
        for (int i = 0; i < 500; ++i) {
            const Vec3 inside = region.random_centre(rng, 0.7);
            CHECK(region.holds(inside, 0.7));
            CHECK(norm(region.nearest_centre(inside, 0.7) - inside) < 1e-14);
            const Vec3 far{rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(-20, 20)};
            const Vec3 nearest = region.nearest_centre(far, 0.7);
            CHECK(region.holds(nearest, 0.7 - 1e-12));
            // No other point of the shrunk region is nearer.
            CHECK(norm(far - nearest) <= norm(far - inside) + 1e-12);
        }
    }
}

TEST_CASE("polyhedra that start in each other are found with the depth of a closed form") {
    const std::vector<ConvexShape> shapes{box_shape("cube", {1, 1, 1})};
    const double r = std::sqrt(0.75), size = 0.85, diagonal = std::sqrt(0.5);  // 1.7 inradii are less than the bounding radius
    const Quat turned{std::cos(M_PI / 8), 0, 0, std::sin(M_PI / 8)};           // 45 degrees about z
    const auto overlap = [&](Vec3 at, Quat q) {
        BodyTable bodies;
        bodies.add_convex({0.1, 0.2, 0.3}, {}, 0, shapes[0], r, 0, 1.0);
        bodies.add_convex(Vec3{0.1, 0.2, 0.3} + at, q, 0, shapes[0], r, 0, 1.0);
        return find_overlaps(bodies, shapes, 0.05, 0.3);
    };
    CHECK(overlap({0.8, 0.1, 0.1}, {}).worst == doctest::Approx(0.2 / size));                     // face to face
    CHECK(overlap({1.0, 0, 0}, turned).worst == doctest::Approx((diagonal + 0.5 - 1.0) / size));  // an edge through a face
    CHECK(overlap({0.8, 0.8, 0}, turned).worst == doctest::Approx((diagonal + 0.5 - 0.8 * std::sqrt(2.0)) / size));  // a face on an edge
    CHECK(overlap({1.0 + 1e-9, 0.3, 0}, {}).past_warning == 0);                                                      // side by side
    CHECK(overlap({1.01, 0, 0}, {}).past_warning == 0);
    CHECK(overlap({0.8, 0, 0}, {}).past_warning == 1);
    CHECK(overlap({0.1, 0, 0}, {}).past_limit == 0);  // left to the engine, which knows the mean depth
    const auto ball = [&](Vec3 at) {
        BodyTable bodies;
        bodies.add_sphere(at, 0.5, 0, 1.0);
        bodies.add_convex({}, {}, 0, shapes[0], r, 0, 1.0);
        return find_overlaps(bodies, shapes, 0.05, 0.3).worst * 0.5;
    };
    CHECK(ball({0.9, 0, 0}) == doctest::Approx(0.1));                                 // against a face
    CHECK(ball({0.8, 0.8, 0}) == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));        // against an edge
    CHECK(ball({0.75, 0.75, 0.75}) == doctest::Approx(0.5 - 0.25 * std::sqrt(3.0)));  // against a vertex
    CHECK(ball({0.95, 0.95, 0}) == 0);                                                // within the edge's bounding box, but apart
}

TEST_CASE("the grid finds all overlaps that trying all pairs finds") {
    BodyTable bodies;
    Rng rng(4, 4);
    for (int i = 0; i < 1500; ++i) {
        const Vec3 p{rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)};
        bodies.add_sphere(p, std::exp(rng.uniform(std::log(0.02), std::log(1.5))), 0, 1.0);
    }
    std::int64_t past_warning = 0, past_limit = 0;
    double worst = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double smaller = std::min(bodies.radius[i], bodies.radius[j]);
            const double share = (bodies.radius[i] + bodies.radius[j] - norm(bodies.position[i] - bodies.position[j])) / smaller;
            past_warning += share > 0.05;
            past_limit += share > 0.3;
            worst = std::max(worst, share);
        }
    const Overlaps found = find_overlaps(bodies, {}, 0.05, 0.3);
    CHECK(past_limit > 100);
    CHECK(found.past_warning == past_warning);
    CHECK(found.past_limit == past_limit);
    CHECK(found.worst == doctest::Approx(worst));
    CHECK(found.first < found.second);
}

TEST_CASE("a periodic cell is packed across its borders, sparse and dense, of one size and of many") {
    for (const double fraction : {0.2, 0.4, 0.57}) {
        for (const bool many : {false, true}) {
            ScenePlacement p = in_box(9);
            p.fraction = fraction;
            Cell cell;
            for (int a = 0; a < 3; ++a) {
                cell.periodic[a] = a != 1;  // walls along y
                cell.length[a] = 9;
            }
            cell.low[0] = -1;
            cell.low[2] = 3;
            const SizeDistribution sizes = many ? wide_sizes() : equal_size(0.5);
            const Placed placed = place_random(p, Sizes(sizes, 1, {}), 1, {}, {"s.toml", 2, 1}, 1.0, 3, cell);
            double least = 1e30;
            int across = 0;
            for (std::size_t i = 0; i < placed.position.size(); ++i) {
                const Vec3 x = placed.position[i];
                const double r = placed.radius[i];
                CHECK((x.x >= -1 && x.x < 8 && x.z >= 3 && x.z < 12));
                CHECK((x.y - r >= 2 - 1e-9 && x.y + r <= 11 + 1e-9));
                across += x.x - r < -1 || x.x + r > 8 ? 1 : 0;
                for (std::size_t j = 0; j < i; ++j)
                    least = std::min(least, norm(cell.nearest(placed.position[j] - x)) - r - placed.radius[j]);
            }
            CHECK(least >= -1e-12);
            CHECK(across > 10);
        }
    }
}

TEST_CASE("images of a sheared cell: home, nearest and shift agree") {
    Cell cell;
    for (int a = 0; a < 3; ++a) {
        cell.periodic[a] = true;
        cell.low[a] = -0.5 * (a + 1);
        cell.length[a] = 1.0 + 0.3 * a;
    }
    cell.moves = cell.sheared = true;
    cell.along = 0;
    cell.across = 1;
    Rng rng(8, 1);
    for (int k = 0; k < 2000; ++k) {
        cell.offset = rng.uniform(-20, 20);
        for (double& growth : cell.growth) growth = rng.uniform(-1, 1);
        cell.speed = rng.uniform(-3, 3);
        const Vec3 x{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)}, y{rng.uniform(-9, 9), rng.uniform(-9, 9), 0};
        const Vec3 in = x + cell.shift(cell.home(x, 0));
        const double at[3] = {in.x, in.y, in.z};
        for (int a = 0; a < 3; ++a) CHECK((at[a] >= cell.low[a] - 1e-12 && at[a] <= cell.low[a] + cell.length[a] + 1e-12));
        // What is nearest does not depend on which images are asked.
        const Vec3 d = cell.nearest(y - x), of_home = cell.nearest(y - in);
        CHECK(norm(cell.nearest(of_home - d)) == doctest::Approx(0).epsilon(1e-9));
        CHECK(std::fabs(d.y) <= 0.5 * cell.length[1] + 1e-12);
        CHECK(std::fabs(d.x) <= 0.5 * cell.length[0] + 1e-12);
        // What flows with the cell moves from x to its image as the images do.
        const ImageStep to{{2, -1, 3}};
        CHECK(norm(cell.flow(x + cell.shift(to)) - cell.flow(x) - cell.drift(to)) < 1e-12 * (norm(x) + 60));
        // In a short time the flow carries a point of the lattice along: to first order, past which the cell's own growth counts.
        Cell later = cell;
        later.advance(1e-6);
        CHECK(norm(later.shift(to) - cell.shift(to) - 1e-6 * cell.drift(to)) < 1e-14);
        CHECK(later.strain - cell.strain == doctest::Approx(1e-6 * cell.shear_rate()).epsilon(1e-6));
    }
}
