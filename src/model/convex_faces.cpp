// Steps: weld -> loops without repeated vertices -> each edge has two faces -> orient by walking over edges -> convex at each edge ->
// merge coplanar neighbours -> loops of the merged faces -> drop vertices with two faces -> convex as a whole.
#include "model/convex_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace scree {

namespace {

using Loop = std::vector<std::int32_t>;
using Directed = std::pair<std::int32_t, std::int32_t>;

/// Lengths below this share of the size count as zero: ten times the rounding of a mesh in single precision.
constexpr double kFlat = 1e-6;

const char* const kAdvice = "Set hull = true to take the convex hull, or split the body into convex parts";

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

class Cleaner {
public:
    Cleaner(const std::string& name, const std::vector<Vec3>& vertices) : name_(name) {
        Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        for (const Vec3& p : vertices) {
            if (!std::isfinite(norm2(p))) fail("has a vertex that is not finite");
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        tolerance_ = vertices.empty() ? 0.0 : kFlat * norm(high - low);
        if (!(tolerance_ > 0.0)) fail("has no extent: all its vertices are one");
    }

    ConvexFaces run(const std::vector<Vec3>& vertices, const std::vector<Loop>& faces) {
        weld(vertices, faces);
        pair_edges();
        orient();
        check_edges();
        merge();
        drop_collinear();
        check_whole();
        return std::move(out_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw Error("shape \"" + name_ + "\" " + what); }

    /// Fills vertex_ and face_: one vertex for all within the tolerance (a sweep along x), faces without repeated neighbours.
    void weld(const std::vector<Vec3>& vertices, const std::vector<Loop>& faces) {
        std::vector<std::int32_t> order(vertices.size()), to(vertices.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return vertices[at(a)].x < vertices[at(b)].x; });
        std::size_t window = 0;  // kept vertices from here on may be near
        for (const std::int32_t i : order) {
            const Vec3 p = vertices[at(i)];
            while (window < vertex_.size() && vertex_[window].x < p.x - tolerance_) ++window;
            std::size_t k = window;
            while (k < vertex_.size() && norm2(vertex_[k] - p) > tolerance_ * tolerance_) ++k;
            if (k == vertex_.size()) vertex_.push_back(p);
            to[at(i)] = static_cast<std::int32_t>(k);
        }
        for (const Loop& given : faces) {
            Loop loop;
            for (const std::int32_t i : given) {
                if (i < 0 || at(i) >= vertices.size()) fail("has a face with vertex " + std::to_string(i) + ", which does not exist");
                if (loop.empty() || loop.back() != to[at(i)]) loop.push_back(to[at(i)]);
            }
            while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
            if (loop.size() >= 3) face_.push_back(std::move(loop));
        }
        if (face_.size() < 4) fail("has " + std::to_string(face_.size()) + " faces with an area; a solid has four or more");
    }

    /// Finds the two faces at each edge.
    void pair_edges() {
        for (std::size_t f = 0; f < face_.size(); ++f)
            for (std::size_t k = 0; k < face_[f].size(); ++k) {
                const auto [low, high] = std::minmax(face_[f][k], face_[f][(k + 1) % face_[f].size()]);
                edge_[{low, high}].push_back(static_cast<std::int32_t>(f));
            }
        for (const auto& [ends, owners] : edge_) {
            if (owners.size() == 2) continue;
            const Vec3 a = vertex_[at(ends.first)], b = vertex_[at(ends.second)];
            fail("is not closed: the edge from " + text(a) + " to " + text(b) + " has " + std::to_string(owners.size()) +
                 (owners.size() == 1 ? " face" : " faces") + " instead of two. Mend the mesh, or set hull = true to take the convex hull");
        }
    }

    static std::string text(Vec3 p) {
        char buffer[96];
        std::snprintf(buffer, sizeof buffer, "(%.6g, %.6g, %.6g)", p.x, p.y, p.z);
        return buffer;
    }

    bool runs(std::size_t f, Directed edge) const {
        const Loop& loop = face_[f];
        for (std::size_t k = 0; k < loop.size(); ++k)
            if (loop[k] == edge.first && loop[(k + 1) % loop.size()] == edge.second) return true;
        return false;
    }

    /// Turns loops so that the two faces of an edge run along it in opposite senses, and the volume is positive.
    void orient() {
        std::vector<char> seen(face_.size(), 0);
        std::vector<std::size_t> stack{0};
        std::size_t count = 1;
        seen[0] = 1;
        while (!stack.empty()) {
            const std::size_t f = stack.back();
            stack.pop_back();
            for (std::size_t k = 0; k < face_[f].size(); ++k) {
                const Directed edge{face_[f][k], face_[f][(k + 1) % face_[f].size()]};
                const auto& owners = edge_.at(std::minmax(edge.first, edge.second));
                const std::size_t g = at(owners[0]) == f ? at(owners[1]) : at(owners[0]);
                if (g == f) fail("has a face that meets itself along an edge. " + std::string(kAdvice));
                const bool same_sense = runs(g, edge);
                if (seen[g] && same_sense) fail("has faces that cannot be turned outwards together (a one-sided surface)");
                if (seen[g]) continue;
                if (same_sense) std::reverse(face_[g].begin(), face_[g].end());
                seen[g] = 1;
                ++count;
                stack.push_back(g);
            }
        }
        if (count < face_.size()) fail("is in several pieces. " + std::string(kAdvice));
        double volume6 = 0.0;
        for (const Loop& loop : face_) volume6 += dot(vertex_[at(loop[0])] - vertex_[0], twice_area(vertex_, loop));
        if (volume6 < 0.0)
            for (Loop& loop : face_) std::reverse(loop.begin(), loop.end());
        for (const Loop& loop : face_) area_.push_back(twice_area(vertex_, loop));
    }

    /// The largest height of the corners of `loop` above the plane of face f, and the largest distance either way.
    std::pair<double, double> height(std::size_t f, const Loop& loop) const {
        const Vec3 n = normalized(area_[f]), origin = middle(face_[f]);
        double up = -std::numeric_limits<double>::infinity(), off = 0.0;
        for (const std::int32_t v : loop) {
            const double h = dot(n, vertex_[at(v)] - origin);
            up = std::max(up, h);
            off = std::max(off, std::fabs(h));
        }
        return {up, off};
    }
    Vec3 middle(const Loop& loop) const {
        Vec3 sum;
        for (const std::int32_t v : loop) sum += vertex_[at(v)];
        return sum / static_cast<double>(loop.size());
    }
    double longest(const Loop& loop) const {
        double length2 = 0.0;
        for (std::size_t k = 0; k < loop.size(); ++k)
            length2 = std::max(length2, norm2(vertex_[at(loop[(k + 1) % loop.size()])] - vertex_[at(loop[k])]));
        return std::sqrt(length2);
    }
    /// Thinner than the tolerance: such a face has no plane of its own.
    bool is_sliver(std::size_t f) const { return norm(area_[f]) <= tolerance_ * longest(face_[f]); }

    /// Flat faces, no neighbour above another's plane.
    void check_edges() const {
        for (std::size_t f = 0; f < face_.size(); ++f)
            if (!is_sliver(f) && height(f, face_[f]).second > tolerance_)
                fail("has a face that is not flat, at " + text(middle(face_[f])) + ". Cut it into triangles");
        for (const auto& [ends, owners] : edge_)
            for (const auto& [f, g] : {std::pair{at(owners[0]), at(owners[1])}, std::pair{at(owners[1]), at(owners[0])}})
                if (!is_sliver(f) && !is_sliver(g) && norm2(area_[f]) >= norm2(area_[g]) && height(f, face_[g]).first > tolerance_)
                    fail("is not convex, at " + text(0.5 * (vertex_[at(ends.first)] + vertex_[at(ends.second)])) + ". " + kAdvice);
    }

    std::int32_t root(std::int32_t f) {
        while (group_[at(f)] != f) f = group_[at(f)] = group_[at(group_[at(f)])];
        return f;
    }

    /// Joins coplanar neighbours and chains the border of each group into a loop.
    void merge() {
        group_.resize(face_.size());
        std::iota(group_.begin(), group_.end(), 0);
        for (const auto& [ends, owners] : edge_) {
            const std::size_t f = at(owners[0]), g = at(owners[1]);
            const std::size_t wide = norm2(area_[f]) >= norm2(area_[g]) ? f : g, thin = wide == f ? g : f;
            if (is_sliver(wide)) continue;
            const double length = norm(vertex_[at(ends.first)] - vertex_[at(ends.second)]);
            // A sliver goes to the neighbour across its longest edge; its own normal says nothing.
            const bool join = is_sliver(thin) ? length > 0.999 * longest(face_[thin])
                                              : dot(area_[f], area_[g]) > 0.0 && height(wide, face_[thin]).second <= tolerance_;
            if (join) group_[at(root(owners[0]))] = root(owners[1]);
        }
        std::map<std::int32_t, std::map<std::int32_t, std::int32_t>> border;  // of each group: from vertex to vertex
        for (std::size_t f = 0; f < face_.size(); ++f) {
            const std::int32_t own = root(static_cast<std::int32_t>(f));
            for (std::size_t k = 0; k < face_[f].size(); ++k) {
                const std::int32_t a = face_[f][k], b = face_[f][(k + 1) % face_[f].size()];
                const auto& owners = edge_.at(std::minmax(a, b));
                if (root(owners[0]) == root(owners[1])) continue;
                if (!border[own].emplace(a, b).second) fail("is not convex: a flat part of it touches itself. " + std::string(kAdvice));
            }
        }
        for (auto& [own, next] : border) {
            Loop loop{next.begin()->first};
            while (loop.size() <= next.size() && next.at(loop.back()) != loop.front()) loop.push_back(next.at(loop.back()));
            if (loop.size() != next.size()) fail("is not convex: a flat part of it has a hole. " + std::string(kAdvice));
            out_.face.push_back(std::move(loop));
        }
    }

    /// Keeps vertices where three or more merged faces meet, and sets the normals.
    void drop_collinear() {
        std::vector<int> faces_at(vertex_.size(), 0);
        for (const Loop& loop : out_.face)
            for (const std::int32_t v : loop) ++faces_at[at(v)];
        std::vector<std::int32_t> to(vertex_.size(), -1);
        for (std::size_t v = 0; v < vertex_.size(); ++v)
            if (faces_at[v] >= 3) {
                to[v] = static_cast<std::int32_t>(out_.vertex.size());
                out_.vertex.push_back(vertex_[v]);
            }
        for (Loop& loop : out_.face) {
            Loop kept;
            for (const std::int32_t v : loop)
                if (to[at(v)] >= 0) kept.push_back(to[at(v)]);
            loop = std::move(kept);
            if (loop.size() < 3) fail("has no volume, or a face thinner than 1e-6 of its size");
            out_.normal.push_back(normalized(twice_area(out_.vertex, loop)));
        }
        if (out_.face.size() < 4) fail("is flat: it has no volume");
    }

    void check_whole() const {
        std::size_t corners = 0;
        for (const Loop& loop : out_.face) corners = std::max(corners, loop.size());
        if (out_.face.size() + corners > kMostFacesAndCorners)
            fail("has " + std::to_string(out_.face.size()) + " faces and a face with " + std::to_string(corners) +
                 " corners; together they may be " + std::to_string(kMostFacesAndCorners) + " at most. Use a coarser mesh");
        for (std::size_t f = 0; f < out_.face.size(); ++f) {
            const Vec3 n = out_.normal[f], origin = out_.vertex[at(out_.face[f][0])];
            double depth = 0.0;
            for (const Vec3& p : out_.vertex) {
                const double h = dot(n, p - origin);
                // Twice: the plane of a merged face may lie a tolerance off each of its parts.
                if (h > 2.0 * tolerance_) fail("is not convex, at " + text(p) + ". " + kAdvice);
                depth = std::max(depth, -h);
            }
            if (depth <= 2.0 * tolerance_) fail("is flat: it has no volume");
        }
    }

    std::string name_;
    double tolerance_{0};
    std::vector<Vec3> vertex_;                            // welded
    std::vector<Loop> face_;                              // of welded vertices
    std::vector<Vec3> area_;                              // twice the area of each face, as a vector
    std::map<Directed, std::vector<std::int32_t>> edge_;  // low and high vertex -> faces
    std::vector<std::int32_t> group_;                     // of faces, union-find
    ConvexFaces out_;
};

}  // namespace

Vec3 twice_area(const std::vector<Vec3>& vertex, const std::vector<std::int32_t>& loop) {
    Vec3 sum;
    const Vec3 origin = vertex[at(loop[0])];
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) sum += cross(vertex[at(loop[k])] - origin, vertex[at(loop[k + 1])] - origin);
    return sum;
}

ConvexFaces clean_convex_faces(const std::string& name, const std::vector<Vec3>& vertices, const std::vector<Loop>& faces) {
    return Cleaner(name, vertices).run(vertices, faces);
}

}  // namespace scree
