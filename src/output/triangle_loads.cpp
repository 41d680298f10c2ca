#include "output/triangle_loads.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/aabb.hpp"
#include "model/surfaces/triangle_distance.hpp"

namespace scree {

namespace {

struct Corners {
    Vec3 corner[3];
};

double distance_to(const Aabb& box, Vec3 p) {
    const auto off = [](double x, double low, double high) { return x < low ? low - x : (x > high ? x - high : 0.0); };
    return norm(Vec3{off(p.x, box.min.x, box.max.x), off(p.y, box.min.y, box.max.y), off(p.z, box.min.z, box.max.z)});
}

/// Boxes around ever fewer triangles, halved along their longest side.
class TriangleTree {
public:
    explicit TriangleTree(std::vector<Corners> triangles) : triangle_(std::move(triangles)), order_(triangle_.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        if (!order_.empty()) build(0, order_.size());
    }
    /// The nearest, of several the first.
    std::size_t nearest(Vec3 p) const {
        Best best;
        look(0, p, best);
        return best.index;
    }

private:
    struct Node {
        Aabb box;
        std::size_t first, last, right;  // right: the second half's node; the first's follows. 0: a leaf
    };
    struct Best {
        double distance{std::numeric_limits<double>::infinity()};
        std::size_t index{0};
    };
    static constexpr std::size_t leaf = 4;

    std::size_t build(std::size_t first, std::size_t last) {
        Aabb box;
        for (std::size_t k = first; k < last; ++k)
            for (const Vec3& c : triangle_[order_[k]].corner) box.include(c);
        const std::size_t node = nodes_.size();
        nodes_.push_back({box, first, last, 0});
        if (last - first <= leaf) return node;
        const Vec3 size = box.max - box.min;
        const Vec3 axis = size.x >= size.y && size.x >= size.z ? Vec3{1, 0, 0} : (size.y >= size.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
        const auto place = [&](std::size_t t) {
            return dot(axis, triangle_[t].corner[0] + triangle_[t].corner[1] + triangle_[t].corner[2]);
        };
        const std::size_t middle = (first + last) / 2;
        std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.begin() + static_cast<std::ptrdiff_t>(middle),
                         order_.begin() + static_cast<std::ptrdiff_t>(last), [&](std::size_t a, std::size_t b) {
                             const double x = place(a), y = place(b);
                             return x < y || (x == y && a < b);
                         });
        build(first, middle);
        const std::size_t right = build(middle, last);
        nodes_[node].right = right;
        return node;
    }
    void look(std::size_t n, Vec3 p, Best& best) const {
        const Node& node = nodes_[n];
        if (distance_to(node.box, p) > best.distance) return;
        if (node.right == 0) {
            for (std::size_t k = node.first; k < node.last; ++k) {
                const double d = distance_to_triangle(p, triangle_[order_[k]].corner);
                if (d < best.distance || (d == best.distance && order_[k] < best.index)) best = {d, order_[k]};
            }
            return;
        }
        const bool right_first = distance_to(nodes_[node.right].box, p) < distance_to(nodes_[n + 1].box, p);
        look(right_first ? node.right : n + 1, p, best);
        look(right_first ? n + 1 : node.right, p, best);
    }

    std::vector<Corners> triangle_;
    std::vector<std::size_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace

std::vector<Vec3> triangle_forces(const std::vector<ContactRecord>& contacts, std::size_t wall, const std::vector<Vec3>& vertex,
                                  const std::vector<std::array<std::int32_t, 3>>& triangle) {
    std::vector<Vec3> force(triangle.size());
    if (triangle.empty()) return force;
    std::vector<Corners> corners;
    for (const auto& t : triangle)
        corners.push_back({{vertex.at(static_cast<std::size_t>(t[0])), vertex.at(static_cast<std::size_t>(t[1])),
                            vertex.at(static_cast<std::size_t>(t[2]))}});
    const TriangleTree tree(std::move(corners));
    for (const ContactRecord& c : contacts) {
        if (c.wall != static_cast<std::int32_t>(wall)) continue;
        force[tree.nearest(c.point)] -= c.force;  // which is that on the body
    }
    return force;
}

Vec3 area_vector2(const std::vector<Vec3>& vertex, const std::array<std::int32_t, 3>& triangle) {
    const Vec3 a = vertex.at(static_cast<std::size_t>(triangle[0]));
    return cross(vertex.at(static_cast<std::size_t>(triangle[1])) - a, vertex.at(static_cast<std::size_t>(triangle[2])) - a);
}

}  // namespace scree
