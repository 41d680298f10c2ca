// Lattices: counts, nearest distances, densities, jitter and clipping.
#include <algorithm>
#include <cmath>

#include "setup/placement/placement.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/placement/region.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

ScenePlacement lattice(const std::string& kind, std::int64_t nx, std::int64_t ny, std::int64_t nz, double spacing) {
    ScenePlacement p;
    p.kind = ScenePlacement::Kind::Lattice;
    p.lattice = kind;
    p.count[0] = nx;
    p.count[1] = ny;
    p.count[2] = nz;
    p.spacing = spacing;
    return p;
}

Placed place(const ScenePlacement& p, double radius = 0.5, std::uint64_t seed = 1) {
    return place_lattice(p, Sizes(equal_size(radius), seed, {}), seed, {"s.toml", 2, 1});
}

/// Number of other centres within (1 + 1e-9) of `spacing` about the centre nearest to the middle of all.
int neighbours_in_the_middle(const Placed& placed, double spacing) {
    Aabb box;
    for (const Vec3& p : placed.position) box.include(p);
    const Vec3 middle = 0.5 * (box.min + box.max);
    const Vec3 centre = *std::min_element(placed.position.begin(), placed.position.end(),
                                          [&](Vec3 a, Vec3 b) { return norm2(a - middle) < norm2(b - middle); });
    int count = -1;
    for (const Vec3& p : placed.position) count += norm(p - centre) < spacing * (1 + 1e-9);
    return count;
}

}  // namespace

TEST_CASE("counts, nearest distance and coordination: 6 in sc, 12 in fcc and hcp") {
    for (const auto& [lattice_kind, per_cell, coordination] :
         {std::tuple{"sc", 1, 6}, std::tuple{"fcc", 4, 12}, std::tuple{"hcp", 4, 12}}) {
        const auto* kind = lattice_kind;
        CAPTURE(kind);
        const Placed placed = place(lattice(kind, 6, 5, 4, 1.1));
        CHECK(placed.position.size() == static_cast<std::size_t>(6 * 5 * 4 * per_cell));
        CHECK(smallest_gap(placed.position, placed.radius) == doctest::Approx(0.1).epsilon(1e-12));
        CHECK(neighbours_in_the_middle(placed, 1.1) == coordination);
        CHECK(std::is_sorted(placed.position.begin(), placed.position.end(), [](Vec3 a, Vec3 b) { return a.z < b.z - 1e-12; }));
        CHECK(norm(placed.position[0] - Vec3{0.55, 0.55, 0.55}) < 1e-15);
    }
}

TEST_CASE("densities in bulk: pi / 6 for sc, pi / sqrt 18 = 0.7405 for fcc and hcp") {
    // Centres in a ball of radius 12 diameters in an endless lattice; the count is off by its surface, less than 1 %.
    const double pi = std::acos(-1.0);
    for (const auto& [name, density] :
         {std::pair{"sc", pi / 6}, std::pair{"fcc", pi / std::sqrt(18.0)}, std::pair{"hcp", pi / std::sqrt(18.0)}}) {
        const std::string kind = name;
        ScenePlacement p = lattice(kind, 0, 0, 0, 1.0);
        p.region = "sphere";
        p.radius = 12.5;
        p.centre = {3, -2, 1};
        const Placed placed = place(p);
        CAPTURE(kind);
        CHECK(static_cast<double>(placed.position.size()) / 8.0 / (12.0 * 12.0 * 12.0) == doctest::Approx(density).epsilon(0.01));
        for (const Vec3& at : placed.position) CHECK(norm(at - p.centre) < 12.0 + 1e-9);
        CHECK(smallest_gap(placed.position, placed.radius) > -1e-12);
    }
}

TEST_CASE("a filled box holds what fits, from its corner or through an origin") {
    ScenePlacement p = lattice("sc", 0, 0, 0, 1.0);
    p.region = "box";
    p.box_min = {-2, 1, 5};
    p.box_max = {2, 4, 10};
    Placed placed = place(p);
    CHECK(placed.position.size() == 4 * 3 * 5);
    CHECK(norm(placed.position[0] - Vec3{-1.5, 1.5, 5.5}) < 1e-15);
    p.origin = Vec3{0, 2, 7};  // sites at whole numbers: the box holds -1..1, 2..3, 6..9
    CHECK(place(p).position.size() == 3 * 2 * 4);
    p.count[2] = 1;  // one layer from the origin on
    CHECK(place(p).position.size() == 3 * 2);
    p.bodies = 5;
    CHECK(place(p).position.size() == 5);
}

TEST_CASE("a lattice clipped to a tilted cylinder stays inside") {
    ScenePlacement p = lattice("hcp", 0, 0, 0, 1.0);
    p.region = "cylinder";
    p.axis = {1, 2, 2};
    p.radius = 4;
    p.length = 9;
    const Placed placed = place(p);
    CHECK(placed.position.size() > 300);  // 0.74 of the volume would be 640
    for (const Vec3& at : placed.position) {
        const double s = dot(at, p.axis) / 3.0;
        CHECK(s > 0.5 - 1e-9);
        CHECK(s < 8.5 + 1e-9);
        CHECK(norm(at - s / 3.0 * p.axis) < 3.5 + 1e-9);
    }
}

TEST_CASE("jitter uses the free gap and never makes an overlap") {
    ScenePlacement p = lattice("fcc", 5, 5, 5, 1.2);
    const Placed still = place(p);
    p.jitter = 1.0;
    const Placed placed = place(p);
    CHECK(smallest_gap(placed.position, placed.radius) >= 0.0);
    double farthest = 0.0;
    for (std::size_t k = 0; k < placed.position.size(); ++k) farthest = std::max(farthest, norm(placed.position[k] - still.position[k]));
    CHECK(farthest <= 0.1);
    CHECK(farthest > 0.09);
    CHECK(placed.position == place(p).position);
    CHECK(placed.position != place(p, 0.5, 2).position);
    p.spacing = 1.0;
    CHECK(contains(error_of([&] { place(p); }), "jitter needs a gap"));
}

TEST_CASE("bodies that the machine cannot hold are refused before they are placed") {
    const SourcePlace at{"s.toml", 2, 1};
    CHECK_NOTHROW(require_room(1e6, 1e9, at));
    CHECK(error_of([&] { require_room(1e8, 1e9, at); }) ==
          "s.toml:2:1: 1e+08 bodies take 16 GB of memory to be placed, and several times that to be simulated, but the machine has 1 GB to "
          "give now: use fewer bodies, or a machine with more memory");
    const LoweredMemory machine(1e8);
    ScenePlacement p = lattice("sc", 100, 100, 100, 1.0);
    CHECK(contains(error_of([&] { place(p); }), "s.toml:2:1: 1e+06 bodies take 0.16 GB"));
    p.bodies = 10;  // the most it places
    CHECK(place(p).position.size() == 10);
    p.bodies.reset();
    p.region = "box";
    p.box_max = {50, 50, 50};  // holds an eighth of the sites
    CHECK(place(p).position.size() == 125000);
    for (std::int64_t& count : p.count) count = 0;  // to be filled
    CHECK(place(p).position.size() == 125000);
    p.region = "sphere";
    p.radius = 60;  // 904,779 sites
    CHECK(contains(error_of([&] { place(p); }), "s.toml:2:1: 9.05e+05 bodies take"));
}

TEST_CASE("lattice errors") {
    ScenePlacement p = lattice("bcc", 2, 2, 2, 1.0);
    CHECK(contains(error_of([&] { place(p); }), "s.toml:2:1: unknown lattice \"bcc\""));
    p = lattice("sc", 2, 0, 2, 1.0);
    CHECK(contains(error_of([&] { place(p); }), "or a region to fill"));
    p = lattice("sc", 3000, 3000, 3000, 1.0);
    CHECK(contains(error_of([&] { place(p); }), "more than ids can number"));
    p = lattice("sc", 0, 0, 0, 1.0);
    p.region = "sphere";
    p.radius = 0.3;
    CHECK(contains(error_of([&] { place(p); }), "holds no site"));
}
