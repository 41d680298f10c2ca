// Rows of neighbours against all pairs: even, flat and far-flung places, rows longer than usual, and a heap that is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/collide/neighbour_rows.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;

TEST_CASE("rows of neighbours are those of all pairs") {
    Rng rng(3, 1);
    const Exec exec{2, false};
    const auto check = [&](std::vector<Vec3> places, double range) {
        RowArray rows;
        rows.assign(places, std::vector<double>(places.size(), 0.0));
        NeighbourRows found;
        find_neighbour_rows(exec, rows.view(), rows.size(), range, 40, found);
        const std::vector<std::int32_t> count = found.count.host();
        const std::vector<std::uint32_t> neighbour = found.neighbour.host();
        int wrong = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto first = neighbour.begin() + static_cast<std::ptrdiff_t>(static_cast<Index>(i) * found.stride);
            std::vector<std::uint32_t> row(first, first + count[i]);
            std::sort(row.begin(), row.end());
            REQUIRE(std::adjacent_find(row.begin(), row.end()) == row.end());  // none twice
            for (std::size_t j = 0; j < places.size(); ++j) {
                const double distance = norm(places[i] - places[j]);
                const bool listed = std::binary_search(row.begin(), row.end(), static_cast<std::uint32_t>(j));
                wrong += (distance <= range && !listed) || (distance > range * 1.01 && listed) ? 1 : 0;
            }
        }
        CHECK(wrong == 0);
    };
    std::vector<Vec3> even, flat, far;
    for (int k = 0; k < 700; ++k) even.push_back({rng.uniform(), rng.uniform(), rng.uniform()});
    for (int k = 0; k < 500; ++k) flat.push_back({rng.uniform(), rng.uniform(), 0});
    far = even;
    for (int k = 0; k < 20; ++k) far.push_back({1e4 * rng.uniform(), -1e3 * rng.uniform(), 1e5 * rng.uniform()});
    check(even, 0.2);
    check(flat, 0.1);
    check(far, 0.2);   // few bodies in a vast box: cells share numbers
    check(even, 1.2);  // rows far longer than usual
    check({{1, 2, 3}}, 0.1);
    check(std::vector<Vec3>(30, Vec3{0.5, 0.5, 0.5}), 0.1);  // all in one place
    // More than memory should be spent on.
    RowArray heap;
    heap.assign(std::vector<Vec3>(3000, Vec3{}), std::vector<double>(3000, 0.0));
    NeighbourRows rows;
    CHECK_THROWS_AS(find_neighbour_rows(exec, heap.view(), heap.size(), 0.1, 40, rows), RunError);
}
