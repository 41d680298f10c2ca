// Triangles by place: a tree of boxes, halved at the median of the longest side, for the nearest point of a surface and for crossings.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/aabb.hpp"

namespace scree {

class TriangleTree {
public:
    using Triangle = std::array<std::int32_t, 3>;

    /// Keeps references to both, which outlive the tree.
    TriangleTree(const std::vector<Vec3>& vertex, const std::vector<Triangle>& triangle);

    /// Where on a triangle a point is: at corner 0 to 2, on edge 3 to 5 (from corner k - 3 to the next), or within (6).
    struct Nearest {
        double distance2{std::numeric_limits<double>::infinity()};  // [m2]
        Vec3 point;
        std::int32_t triangle{-1};
        int feature{6};
    };
    /// The point of the surface nearest to p; triangle -1 where none is within the square root of `within2`.
    Nearest nearest(Vec3 p, double within2 = std::numeric_limits<double>::infinity()) const;

    /// Calls found(triangle) for each whose box meets this one, until found returns false.
    template <class F>
    void meeting(const Aabb& box, F&& found) const {
        std::int32_t stack[64], depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const Node& node = nodes_[static_cast<std::size_t>(stack[--depth])];
            if (!overlaps(node.box, box)) continue;
            if (node.count == 0) {
                stack[depth++] = node.right;
                stack[depth++] = static_cast<std::int32_t>(&node - nodes_.data()) + 1;
                continue;
            }
            for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
                const std::int32_t t = order_[static_cast<std::size_t>(k)];
                if (overlaps(box_of(t), box) && !found(t)) return;
            }
        }
    }
    Aabb box_of(std::int32_t triangle) const;

private:
    struct Node {
        Aabb box;
        std::int32_t right{0};            // the left child follows its parent
        std::int32_t first{0}, count{0};  // of a leaf, into order_
    };
    void build(std::int32_t first, std::int32_t last, const std::vector<Vec3>& middle);

    const std::vector<Vec3>& vertex_;
    const std::vector<Triangle>& triangle_;
    std::vector<std::int32_t> order_;
    std::vector<std::array<Vec3, 3>> corners_;  // of the triangles in this order
    std::vector<Node> nodes_;
};

}  // namespace scree
