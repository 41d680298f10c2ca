// Sets of spheres that searches must all get right, and the pairs a loop over all of them finds.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "engine/collide/problem.hpp"

namespace scree::test {

struct SphereSet {
    std::string name;
    std::vector<double> x, y, z, r;

    void add(Vec3 c, double radius) {
        x.push_back(c.x);
        y.push_back(c.y);
        z.push_back(c.z);
        r.push_back(radius);
    }
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

using IdPair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs with |c_b - c_a| <= r_a + r_b, sorted; by the definition, pair by pair.
inline std::vector<IdPair> pairs_by_definition(const SphereSet& s) {
    std::vector<IdPair> out;
    for (std::uint32_t a = 0; a < s.x.size(); ++a) {
        for (std::uint32_t b = a + 1; b < s.x.size(); ++b) {
            const double dx = s.x[b] - s.x[a], dy = s.y[b] - s.y[a], dz = s.z[b] - s.z[a], reach = s.r[a] + s.r[b];
            if (dx * dx + dy * dy + dz * dz <= reach * reach) out.emplace_back(a, b);
        }
    }
    return out;
}

inline Vec3 anywhere(Rng& rng, double side) {
    const double x = rng.uniform(0, side), y = rng.uniform(0, side);
    return {x, y, rng.uniform(0, side)};
}

/// n spheres anywhere in a cube of the given side, radii between the two, even in their logarithm.
inline SphereSet scattered(const char* name, int n, double side, double smallest, double largest, Vec3 shift = {0, 0, 0}) {
    SphereSet set{name, {}, {}, {}, {}};
    Rng rng(11, static_cast<std::uint64_t>(n));
    for (int k = 0; k < n; ++k) {
        const Vec3 c = anywhere(rng, side);
        set.add(c + shift, smallest == largest ? smallest : smallest * std::pow(largest / smallest, rng.uniform()));
    }
    return set;
}

/// side^3 spheres of radius r on a cubic lattice.
inline SphereSet lattice(const char* name, int side, double spacing, double r) {
    SphereSet set{name, {}, {}, {}, {}};
    for (int k = 0; k < side * side * side; ++k) {
        set.add({spacing * (k % side), spacing * (k / side % side), spacing * (k / side / side)}, r);
    }
    return set;
}

inline std::vector<SphereSet> sphere_sets() {
    std::vector<SphereSet> sets;
    sets.push_back({"empty", {}, {}, {}, {}});
    sets.push_back({"one", {1}, {2}, {3}, {4}});
    sets.push_back(scattered("uniform", 2000, 1, 0.03, 0.03));
    sets.push_back(scattered("sizes within two", 2000, 1, 0.02, 0.035));
    sets.push_back(scattered("sizes within 1000", 2000, 1, 2e-4, 0.2));
    sets.push_back(scattered("sizes within 1e9, far apart", 1500, 1e6, 1e-4, 1e5));
    // Places stay distinct: at 1e6 diameters from the origin doubles are 7e-12 apart, 1e-10 of a diameter.
    sets.push_back(scattered("1e6 diameters from the origin", 2000, 1, 0.03, 0.03, {6e4, -6e4, 6e4}));
    sets.push_back(scattered("dilute", 2000, 100, 0.03, 0.03));
    sets.push_back(lattice("touching", 12, 1.0, 0.5));
    sets.push_back(lattice("touching but for rounding", 12, 0.3, 0.15));
    sets.push_back(lattice("lattice of wide spacing", 12, 8.0, 0.5));
    SphereSet clusters{"clusters", {}, {}, {}, {}}, nested{"nested", {}, {}, {}, {}}, same{"coincident centres", {}, {}, {}, {}},
        row{"row", {}, {}, {}, {}}, stack{"all in one place", {}, {}, {}, {}};
    Rng rng(5, 1);
    for (int k = 0; k < 2000; ++k) {
        const double far = k % 4 == 0 ? 1e7 : 1000.0 * (k % 20);
        clusters.add(Vec3{far, far, -far} + anywhere(rng, 0.3), 0.02);
        nested.add(anywhere(rng, 1), k % 100 == 0 ? 0.3 : 0.004);
        const Vec3 c = k % 3 == 0 ? anywhere(rng, 1) : Vec3{same.x.back(), same.y.back(), same.z.back()};
        same.add(c, rng.uniform(0.001, 0.02));
        row.add({static_cast<double>(k), 0, 0}, 0.5);
    }
    for (int k = 0; k < 150; ++k) stack.add({-3, 2, 1}, 1);
    sets.insert(sets.end(), {clusters, nested, same, row, stack});
    return sets;
}

}  // namespace scree::test
