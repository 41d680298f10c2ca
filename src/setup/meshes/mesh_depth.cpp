#include "setup/meshes/mesh_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace scree {

namespace {

constexpr double kMostCells = 1 << 22;
/// By which depths in single precision may be wrong, twice over.
constexpr double kRounding = 2.4e-7;
/// Boxes that are split to find the deepest point, and how near to it, as a share, is enough.
constexpr int kSplits = 4000;
constexpr double kNearly = 1e-4;
/// Steps inwards of one point: near an edge each takes it to the next face.
constexpr int kSteps = 8;

double square(double x) {
    return x * x;
}

Vec3 unit_normal(const ClosedMesh& mesh, const TriangleTree::Triangle& t) {
    const auto at = [&](std::size_t k) { return mesh.vertex[static_cast<std::size_t>(t[k])]; };
    const Vec3 n = cross(at(1) - at(0), at(2) - at(0));
    const double length = norm(n);
    return length > 0 ? n / length : Vec3{};
}

}  // namespace

MeshDepth::MeshDepth(const ClosedMesh& mesh, double cell)
    : mesh_(mesh), tree_(mesh.vertex, mesh.triangle), bounds_(bounds_of(mesh)), corner_normal_(mesh.vertex.size()), cell_(cell) {
    std::map<std::pair<std::int32_t, std::int32_t>, Vec3> edges;
    const auto edge_of = [](const TriangleTree::Triangle& t, std::size_t k) { return std::minmax({t[k], t[(k + 1) % 3]}); };
    for (const TriangleTree::Triangle& t : mesh.triangle) {
        const Vec3 n = unit_normal(mesh, t);
        for (std::size_t k = 0; k < 3; ++k) {
            edges[edge_of(t, k)] += n;
            const auto at = [&](std::size_t j) { return mesh.vertex[static_cast<std::size_t>(t[j % 3])]; };
            const Vec3 a = at(k + 1) - at(k), b = at(k + 2) - at(k);
            corner_normal_[static_cast<std::size_t>(t[k])] += std::atan2(norm(cross(a, b)), dot(a, b)) * n;
        }
    }
    for (const TriangleTree::Triangle& t : mesh.triangle)
        edge_normal_.push_back({edges[edge_of(t, 0)], edges[edge_of(t, 1)], edges[edge_of(t, 2)]});

    const Vec3 size = bounds_.max - bounds_.min;
    cell_ = std::max(cell_, std::cbrt(size.x * size.y * size.z / kMostCells));
    cell_ = std::max(cell_, std::max({size.x, size.y, size.z}) / 1000);
    const double lengths[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; ++k) count_[k] = static_cast<std::int64_t>(lengths[k] / cell_) + 1;
    cells_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]), std::numeric_limits<float>::quiet_NaN());
    find_deepest();
}

MeshDepth::Found MeshDepth::found_at(Vec3 p, const TriangleTree::Nearest& nearest) const {
    const auto t = static_cast<std::size_t>(nearest.triangle);
    const auto k = static_cast<std::size_t>(nearest.feature);
    const Vec3 normal = k < 3   ? corner_normal_[static_cast<std::size_t>(mesh_.triangle[t][k])]
                        : k < 6 ? edge_normal_[t][k - 3]
                                : unit_normal(mesh_, mesh_.triangle[t]);
    const Vec3 way = nearest.point - p;  // outwards from within
    const double distance = norm(way), sign = dot(way, normal) >= 0 ? 1.0 : -1.0;
    if (distance > 0) return {sign * distance, -sign / distance * way};
    const double length = norm(normal);
    return {0.0, length > 0 ? -1 / length * normal : Vec3{}};
}

double MeshDepth::depth_about(Vec3 p, double& away) const {
    const double offset[3] = {p.x - bounds_.min.x, p.y - bounds_.min.y, p.z - bounds_.min.z};
    std::int64_t at[3];
    for (int k = 0; k < 3; ++k) at[k] = std::clamp(static_cast<std::int64_t>(offset[k] / cell_), std::int64_t{0}, count_[k] - 1);
    const Vec3 middle =
        bounds_.min + cell_ * Vec3{static_cast<double>(at[0]) + 0.5, static_cast<double>(at[1]) + 0.5, static_cast<double>(at[2]) + 0.5};
    float& cell = cells_[static_cast<std::size_t>((at[2] * count_[1] + at[1]) * count_[0] + at[0])];
    if (std::isnan(cell)) cell = static_cast<float>(depth(middle));
    away = norm(p - middle);
    return static_cast<double>(cell);
}

std::optional<MeshDepth::Found> MeshDepth::found_shallow(Vec3 p, double least) const {
    // No depth differs from another by more than their points are apart.
    double away = 0;
    const double about = depth_about(p, away), slack = away + kRounding * std::fabs(about);
    if (about - slack >= least) return std::nullopt;
    const bool inside = about - slack > 0;  // where a surface that is far enough does not matter
    const TriangleTree::Nearest nearest = tree_.nearest(p, inside ? least * least : square(std::fabs(about) + slack));
    if (nearest.triangle < 0 && inside) return std::nullopt;
    const Found found = found_at(p, nearest.triangle < 0 ? tree_.nearest(p) : nearest);
    return found.depth < least ? std::optional(found) : std::nullopt;
}

bool MeshDepth::is_deep(Vec3 p, double least) const {
    if (least >= 0 && !bounds_.contains(p)) return false;
    double away = 0;
    const double about = depth_about(p, away);
    return about + away + kRounding * std::fabs(about) >= least && !found_shallow(p, least);
}

Vec3 MeshDepth::moved_inwards(Vec3 p, double least) const {
    const double slack = 1e-9 * least;  // so that rounding does not keep it out
    for (int step = 0; step < kSteps; ++step) {
        const std::optional<Found> here = found_shallow(p, least);
        if (!here) break;
        p += (least - here->depth + slack) * here->inwards;
    }
    return p;
}

/// Boxes are halved along all axes, first the one that may hold the deepest point yet: none is deeper than the middle of a box and half its
/// diagonal. Then uphill from there, in steps that halve where none of 26 gains.
void MeshDepth::find_deepest() {
    struct Box {
        double most;  // that it may hold
        Vec3 middle;
        double half;
        bool operator<(const Box& other) const { return most < other.most; }
    };
    std::vector<Box> heap;
    most_ = -std::numeric_limits<double>::infinity();
    const auto add = [&](Vec3 middle, double half) {
        const double here = depth(middle);
        if (here > most_) {
            most_ = here;
            deepest_ = middle;
        }
        heap.push_back({here + std::numbers::sqrt3 * half, middle, half});
        std::push_heap(heap.begin(), heap.end());
    };
    const Vec3 size = bounds_.max - bounds_.min;
    add(0.5 * (bounds_.min + bounds_.max), 0.5 * std::max({size.x, size.y, size.z}));
    for (int split = 0; split < kSplits && !(heap.front().most <= (1 + kNearly) * most_); ++split) {
        std::pop_heap(heap.begin(), heap.end());
        const Box box = heap.back();
        heap.pop_back();
        for (int k = 0; k < 8; ++k)
            add(box.middle + 0.5 * box.half * Vec3{k % 2 * 2.0 - 1, k / 2 % 2 * 2.0 - 1, k / 4 * 2.0 - 1}, 0.5 * box.half);
    }
    for (double step = 0.1 * most_; step > 1e-9 * most_;) {
        bool gained = false;
        for (int k = 0; k < 27; ++k) {
            const Vec3 p = deepest_ + step * Vec3{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
            const double here = depth(p);
            if (!(here > most_ + 1e-12 * step)) continue;
            most_ = here;
            deepest_ = p;
            gained = true;
        }
        if (!gained) step *= 0.5;
    }
}

}  // namespace scree
