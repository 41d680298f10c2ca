#include "setup/meshes/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree {

namespace {

constexpr std::int32_t kLeaf = 2;  // triangles

inline double distance2_to(const Aabb& box, Vec3 p) {
    const Vec3 d{std::max({box.min.x - p.x, 0.0, p.x - box.max.x}), std::max({box.min.y - p.y, 0.0, p.y - box.max.y}),
                 std::max({box.min.z - p.z, 0.0, p.z - box.max.z})};
    return norm2(d);
}

/// The point of a triangle nearest to p, by the region of its plane that p is above (Ericson 2005, Real-Time Collision Detection, 5.1.5).
Vec3 nearest_of(Vec3 p, Vec3 a, Vec3 b, Vec3 c, int& feature) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) return feature = 0, a;
    if (d3 >= 0 && d4 <= d3) return feature = 1, b;
    if (d6 >= 0 && d5 <= d6) return feature = 2, c;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return feature = 3, a + d1 / (d1 - d3) * ab;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return feature = 4, b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return feature = 5, a + d2 / (d2 - d6) * ac;
    const double sum = va + vb + vc;
    return feature = 6, a + vb / sum * ab + vc / sum * ac;
}

}  // namespace

TriangleTree::TriangleTree(const std::vector<Vec3>& vertex, const std::vector<Triangle>& triangle)
    : vertex_(vertex), triangle_(triangle), order_(triangle.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::vector<Vec3> middle;
    middle.reserve(triangle.size());
    const auto corner = [&](std::int32_t v) { return vertex[static_cast<std::size_t>(v)]; };
    for (const Triangle& t : triangle) middle.push_back((corner(t[0]) + corner(t[1]) + corner(t[2])) / 3.0);
    nodes_.reserve(2 * triangle.size() / static_cast<std::size_t>(kLeaf) + 2);
    build(0, static_cast<std::int32_t>(order_.size()), middle);
    corners_.reserve(order_.size());
    for (const std::int32_t k : order_) {
        const Triangle& t = triangle[static_cast<std::size_t>(k)];
        corners_.push_back({corner(t[0]), corner(t[1]), corner(t[2])});
    }
}

Aabb TriangleTree::box_of(std::int32_t triangle) const {
    Aabb box;
    for (const std::int32_t v : triangle_[static_cast<std::size_t>(triangle)]) box.include(vertex_[static_cast<std::size_t>(v)]);
    return box;
}

void TriangleTree::build(std::int32_t first, std::int32_t last, const std::vector<Vec3>& middle) {
    const std::size_t self = nodes_.size();
    Aabb box, middles;
    for (std::int32_t k = first; k < last; ++k) {
        const std::int32_t t = order_[static_cast<std::size_t>(k)];
        const Aabb own = box_of(t);
        box.include(own.min);
        box.include(own.max);
        middles.include(middle[static_cast<std::size_t>(t)]);
    }
    nodes_.push_back({box, 0, first, last - first <= kLeaf ? last - first : 0});
    if (last - first <= kLeaf) return;
    const Vec3 size = middles.max - middles.min;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto along = [&](std::int32_t t) {
        const Vec3 m = middle[static_cast<std::size_t>(t)];
        return axis == 0 ? m.x : axis == 1 ? m.y : m.z;
    };
    const std::int32_t half = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last, [&](std::int32_t a, std::int32_t b) {
        const double x = along(a), y = along(b);
        return x != y ? x < y : a < b;  // by number where equal, so that the tree is one on every machine
    });
    build(first, half, middle);
    nodes_[self].right = static_cast<std::int32_t>(nodes_.size());
    build(half, last, middle);
}

TriangleTree::Nearest TriangleTree::nearest(Vec3 p, double within2) const {
    Nearest best;
    best.distance2 = within2;
    struct Entry {
        double distance2;
        std::int32_t node;
    } stack[64];
    int depth = 0;
    stack[depth++] = {distance2_to(nodes_[0].box, p), 0};
    while (depth > 0) {
        const Entry entry = stack[--depth];
        if (entry.distance2 > best.distance2) continue;
        const Node& node = nodes_[static_cast<std::size_t>(entry.node)];
        if (node.count > 0) {
            for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
                const std::int32_t t = order_[static_cast<std::size_t>(k)];
                const auto& [a, b, c] = corners_[static_cast<std::size_t>(k)];
                int feature = 6;
                const Vec3 at = nearest_of(p, a, b, c, feature);
                const double distance2 = norm2(p - at);
                if (distance2 < best.distance2 || (best.triangle < 0 && distance2 <= best.distance2)) best = {distance2, at, t, feature};
            }
            continue;
        }
        const std::int32_t left = entry.node + 1, right = node.right;
        const double to_left = distance2_to(nodes_[static_cast<std::size_t>(left)].box, p);
        const double to_right = distance2_to(nodes_[static_cast<std::size_t>(right)].box, p);
        // The nearer one is looked at first.
        if (to_left < to_right) {
            stack[depth++] = {to_right, right};
            stack[depth++] = {to_left, left};
        } else {
            stack[depth++] = {to_left, left};
            stack[depth++] = {to_right, right};
        }
    }
    return best;
}

}  // namespace scree
