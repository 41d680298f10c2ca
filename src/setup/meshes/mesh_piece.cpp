#include "setup/meshes/mesh_piece.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace scree {

namespace {

/// Edges that are bent less than this are those of a flat face [rad].
constexpr double kBent = 1e-3;

std::size_t at(std::int32_t k) {
    return static_cast<std::size_t>(k);
}

std::uint64_t edge_key(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
}

/// Where an edge from a to b passes a plane that these are h_a and h_b above, of opposite signs.
Vec3 crossing(Vec3 a, Vec3 b, double h_a, double h_b) {
    return a + h_a / (h_a - h_b) * (b - a);
}

/// One side of a cut while it is made: points are taken over as they are needed.
struct Side {
    std::vector<std::int32_t> number;  // of each point of the whole; -1 where it is not needed
    std::vector<Vec3> point;
    std::vector<std::array<std::int32_t, 3>> own, closing;
    std::map<std::array<std::int32_t, 2>, int> open;  // edges in the plane, with how often a triangle goes along them

    void add(std::vector<std::array<std::int32_t, 3>>& list, const std::int32_t* loop, int count) {
        for (int k = 2; k < count; ++k) list.push_back({loop[0], loop[k - 1], loop[k]});
    }
    void open_edge(std::int32_t a, std::int32_t b) {
        const auto back = open.find({b, a});
        if (back == open.end()) {
            ++open[{a, b}];
        } else if (--back->second == 0) {
            open.erase(back);
        }
    }
    /// A fan from one of its points closes the cut.
    void close() {
        if (open.empty()) return;
        const std::int32_t apex = open.begin()->first[0];
        for (const auto& [edge, times] : open)
            for (int k = 0; k < times && edge[0] != apex && edge[1] != apex; ++k) closing.push_back({apex, edge[1], edge[0]});
    }
};

}  // namespace

MeshPiece::MeshPiece(const ClosedMesh& mesh, double rounding)
    : rounding_(rounding), point_(mesh.vertex), triangle_(mesh.triangle), own_(mesh.triangle.size()) {
    complete();
}

/// What follows from points and triangles.
void MeshPiece::complete() {
    area_.clear();
    volume_ = 0;
    const Vec3 from = point_.empty() ? Vec3{} : point_[0];
    for (const Triangle& t : triangle_) {
        const Vec3 a = point_[at(t[0])];
        area_.push_back(cross(point_[at(t[1])] - a, point_[at(t[2])] - a));
        volume_ += dot(area_.back(), a - from) / 6;
    }
    edge_.clear();
    for (std::size_t k = 0; k < own_; ++k)
        for (std::size_t j = 0; j < 3; ++j) {
            const std::int32_t a = triangle_[k][j], b = triangle_[k][(j + 1) % 3];
            edge_.push_back({std::min(a, b), std::max(a, b)});
        }
    std::sort(edge_.begin(), edge_.end());
    edge_.erase(std::unique(edge_.begin(), edge_.end()), edge_.end());
    find_concave_edges();
}

std::vector<Vec3> MeshPiece::corners() const {
    std::vector<char> used(point_.size(), 0);
    for (const Edge& e : edge_) used[at(e[0])] = used[at(e[1])] = 1;
    std::vector<Vec3> found = corner_;
    for (std::size_t k = 0; k < point_.size(); ++k)
        if (used[k] != 0) found.push_back(point_[k]);
    return found;
}

Moments MeshPiece::moments() const {
    return moments_of({point_, triangle_});
}

std::vector<double> MeshPiece::heights(const CutPlane& plane) const {
    std::vector<double> height;
    height.reserve(point_.size());
    for (const Vec3& p : point_) {
        const double h = dot(plane.normal, p) - plane.offset;
        height.push_back(std::fabs(h) <= rounding_ ? 0.0 : h);
    }
    return height;
}

/// Where the plane meets two earlier cuts inside the solid.
std::vector<Vec3> MeshPiece::new_corners(const CutPlane& plane, const Inside& inside) const {
    std::vector<Vec3> found;
    for (std::size_t i = 0; i < cut_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3 across = cross(cut_[i].normal, cut_[j].normal);
            const double six = dot(plane.normal, across);
            if (std::fabs(six) < 1e-6) continue;
            const Vec3 p = (plane.offset * across + cut_[i].offset * cross(cut_[j].normal, plane.normal) +
                            cut_[j].offset * cross(plane.normal, cut_[i].normal)) /
                           six;
            bool within = std::isfinite(norm2(p));
            for (std::size_t k = 0; k < cut_.size() && within; ++k)
                within = k == i || k == j || dot(cut_[k].normal, p) <= cut_[k].offset + rounding_;
            if (within && inside(p)) found.push_back(p);
        }
    return found;
}

CutSides MeshPiece::sides(const CutPlane& plane, const Inside& inside) const {
    const std::vector<double> height = heights(plane);
    CutSides sides;
    std::vector<char> on(point_.size(), 0);  // bit 0: of the side below, bit 1: above
    const Vec3 apex = plane.offset * plane.normal;
    double below = 0, twice_area = 0;
    for (std::size_t k = 0; k < triangle_.size(); ++k) {
        const Triangle& t = triangle_[k];
        const double h[3] = {height[at(t[0])], height[at(t[1])], height[at(t[2])]};
        const int under = (h[0] < 0) + (h[1] < 0) + (h[2] < 0), over = (h[0] > 0) + (h[1] > 0) + (h[2] > 0);
        if (under == 0) {
            if (over > 0 || k >= own_) continue;
            // In the plane: the solid is behind it.
            const char side = dot(area_[k], plane.normal) > 0 ? 1 : 2;
            for (const std::int32_t v : t) on[at(v)] = static_cast<char>(on[at(v)] | side);
            if (side == 1) twice_area -= dot(area_[k], plane.normal);
            continue;
        }
        // A tetrahedron from a point of the plane, less the corner that is cut off: the cut itself adds nothing.
        double share = 1;
        const auto cut_off = [&](int lone) {
            const double own = h[lone], b = h[(lone + 1) % 3], c = h[(lone + 2) % 3];
            return own / (own - b) * (own / (own - c));
        };
        if (over > 0) {
            int lone = 0;
            while ((h[lone] < 0) != (under == 1)) ++lone;
            share = under == 1 ? cut_off(lone) : 1 - cut_off(lone);
        }
        below += share * dot(area_[k], point_[at(t[0])] - apex) / 6;
        twice_area -= share * dot(area_[k], plane.normal);
    }
    sides.area = 0.5 * std::fabs(twice_area);
    for (const ConcaveEdge& e : concave_)
        if (height[at(e.ends[0])] == 0 && height[at(e.ends[1])] == 0) sides.parted += e.weight / bent_;
    sides.volume = {below, volume_ - below};
    for (const Edge& e : edge_) {
        const double a = height[at(e[0])], b = height[at(e[1])];
        const auto mark = [&](char side) {
            if (a * b >= 0 || (a < 0) == (side == 1)) on[at(e[0])] = static_cast<char>(on[at(e[0])] | side);
            if (a * b >= 0 || (b < 0) == (side == 1)) on[at(e[1])] = static_cast<char>(on[at(e[1])] | side);
        };
        if (a < 0 || b < 0) mark(1);
        if (a > 0 || b > 0) mark(2);
        if (a * b < 0) {
            const Vec3 p = crossing(point_[at(e[0])], point_[at(e[1])], a, b);
            sides.corners[0].push_back(p);
            sides.corners[1].push_back(p);
        }
    }
    for (std::size_t k = 0; k < point_.size(); ++k)
        for (std::size_t s = 0; s < 2; ++s)
            if ((on[k] & (1 << s)) != 0) sides.corners[s].push_back(point_[k]);
    for (const Vec3& p : corner_) {
        const double h = dot(plane.normal, p) - plane.offset;
        if (h <= rounding_) sides.corners[0].push_back(p);
        if (h >= -rounding_) sides.corners[1].push_back(p);
    }
    for (const Vec3& p : new_corners(plane, inside))
        for (auto& list : sides.corners) list.push_back(p);
    return sides;
}

std::array<MeshPiece, 2> MeshPiece::cut(const CutPlane& plane, const Inside& inside) const {
    std::vector<double> height = heights(plane);
    std::vector<Vec3> point = point_;
    std::unordered_map<std::uint64_t, std::int32_t> crossings;
    const auto crossing_of = [&](std::int32_t a, std::int32_t b) {
        if (b < a) std::swap(a, b);  // the same for both triangles
        const auto [entry, is_new] = crossings.emplace(edge_key(a, b), static_cast<std::int32_t>(point.size()));
        if (is_new) {
            point.push_back(crossing(point_[at(a)], point_[at(b)], height[at(a)], height[at(b)]));
            height.push_back(0.0);
        }
        return entry->second;
    };
    Side sides[2];
    for (std::size_t k = 0; k < triangle_.size(); ++k) {
        const Triangle& t = triangle_[k];
        const bool flat = height[at(t[0])] == 0 && height[at(t[1])] == 0 && height[at(t[2])] == 0;
        for (int s = 0; s < 2; ++s) {
            const double sign = s == 0 ? 1 : -1;  // kept where sign * height <= 0
            if (flat && (dot(area_[k], plane.normal) > 0) != (s == 0)) continue;
            std::int32_t loop[6];
            int count = 0;
            bool strictly = flat;
            for (std::size_t j = 0; j < 3; ++j) {
                const std::int32_t a = t[j], b = t[(j + 1) % 3];
                const double h_a = sign * height[at(a)], h_b = sign * height[at(b)];
                if (h_a <= 0) loop[count++] = a;
                strictly = strictly || h_a < 0;
                if (h_a * h_b < 0) loop[count++] = crossing_of(a, b);
            }
            if (!strictly || count < 3) continue;
            Side& side = sides[s];
            side.add(k < own_ ? side.own : side.closing, loop, count);
            for (int j = 0; j < count; ++j) {
                const std::int32_t a = loop[j], b = loop[(j + 1) % count];
                if (height[at(a)] == 0 && height[at(b)] == 0) side.open_edge(a, b);
            }
        }
    }
    const std::vector<Vec3> met = new_corners(plane, inside);
    std::array<MeshPiece, 2> pieces{MeshPiece(), MeshPiece()};
    for (std::size_t s = 0; s < 2; ++s) {
        Side& side = sides[s];
        side.close();
        MeshPiece& piece = pieces[s];
        piece.rounding_ = rounding_;
        side.number.assign(point.size(), -1);
        for (const auto* list : {&side.own, &side.closing})
            for (Triangle t : *list) {
                for (std::int32_t& v : t) {
                    std::int32_t& number = side.number[at(v)];
                    if (number < 0) {
                        number = static_cast<std::int32_t>(piece.point_.size());
                        piece.point_.push_back(point[at(v)]);
                    }
                    v = number;
                }
                piece.triangle_.push_back(t);
            }
        piece.own_ = side.own.size();
        piece.cut_ = cut_;
        piece.cut_.push_back(s == 0 ? plane : CutPlane{-plane.normal, -plane.offset});
        for (const Vec3& p : corner_)
            if ((s == 0 ? 1 : -1) * (dot(plane.normal, p) - plane.offset) <= rounding_) piece.corner_.push_back(p);
        piece.corner_.insert(piece.corner_.end(), met.begin(), met.end());
        piece.complete();
    }
    return pieces;
}

void MeshPiece::find_concave_edges() {
    std::unordered_map<std::uint64_t, std::size_t> first;
    concave_.clear();
    bent_ = 0;
    for (std::size_t k = 0; k < own_; ++k)
        for (std::size_t j = 0; j < 3; ++j) {
            const std::int32_t a = triangle_[k][j], b = triangle_[k][(j + 1) % 3];
            const auto [entry, is_new] = first.emplace(edge_key(a, b), k);
            if (is_new) continue;
            const double one = norm(area_[k]), other = norm(area_[entry->second]);
            if (!(one > 0 && other > 0)) continue;
            const Vec3 n = area_[k] / one, m = area_[entry->second] / other;
            // Along the edge as triangle k goes, its own plane's inside is to the left: m leans towards it where the edge is concave.
            const Vec3 along = point_[at(b)] - point_[at(a)];
            const double sine = dot(cross(n, m), along) / norm(along);
            const double angle = std::atan2(-sine, dot(n, m));
            if (!(angle > kBent)) continue;
            concave_.push_back({point_[at(a)], point_[at(b)], {n, m}, angle, angle * norm(along), {a, b}});
            bent_ += concave_.back().weight;
        }
}

}  // namespace scree
