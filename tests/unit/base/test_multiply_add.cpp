#include "base/multiply_add.hpp"

#include <doctest/doctest.h>

using scree::Vec3;

TEST_CASE("multiply_add: a product and its sum are rounded once where the processor can") {
    const double a = 1 + 0x1p-30, exact_low = 0x1p-60;  // a a = 1 + 2^-29 + 2^-60, of which a double holds all but the last
    const double left = scree::multiply_add(a, a, -(a * a));
    const float b = 1 + 0x1p-13f, narrow = scree::multiply_add(b, b, -(b * b));  // b b = 1 + 2^-12 + 2^-26
#if defined(__FMA__)
    CHECK(left == exact_low);
    CHECK(narrow == 0x1p-26f);
#else
    CHECK(left == 0);
    CHECK(narrow == 0);
#endif
    CHECK(scree::multiply_add(3.0, 4.0, 5.0) == 17.0);
    CHECK(scree::multiply_add(2.0, Vec3{1, -2, 3}, Vec3{10, 20, 30}) == Vec3{12, 16, 36});
}

TEST_CASE("multiply_add: sums of products agree with those of the operators") {
    const Vec3 a{0.1, -2.3, 4.7}, b{-5.9, 0.2, 1.3};
    // Three roundings at the most that each term passes, of either sum.
    const double bound = 6 * 0x1p-53 * (0.59 + 0.46 + 6.11);
    CHECK(std::abs(scree::fused_dot(a, b) - dot(a, b)) <= bound);
    CHECK(std::abs(scree::fused_norm2(a) - norm2(a)) <= 6 * 0x1p-53 * norm2(a));
    const Vec3 difference = scree::fused_cross(a, b) - cross(a, b);
    CHECK(norm(difference) <= 8 * 0x1p-53 * norm(a) * norm(b));
    CHECK(scree::fused_cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1});
}
