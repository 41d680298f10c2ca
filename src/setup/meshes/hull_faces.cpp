#include "setup/meshes/hull_faces.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/aabb.hpp"
#include "setup/meshes/hull.hpp"

namespace scree {

namespace {

using Loop = std::vector<Vec3>;

Vec3 twice_area(const Loop& loop) {
    Vec3 sum;
    for (std::size_t k = 2; k < loop.size(); ++k) sum += cross(loop[k - 1] - loop[0], loop[k] - loop[0]);
    return sum;
}

std::vector<Loop> loops_of(const FaceList& hull) {
    std::vector<Loop> loops;
    for (const auto& face : hull.face) {
        Loop& loop = loops.emplace_back();
        for (const std::int32_t v : face) loop.push_back(hull.vertex[static_cast<std::size_t>(v)]);
    }
    return loops;
}

Aabb box_of(const FaceList& hull) {
    Aabb box;
    for (const Vec3& p : hull.vertex) box.include(p);
    return box;
}

/// What of a convex polyhedron is behind a plane: each face is clipped, and a face of what was cut closes it.
std::vector<Loop> behind(const std::vector<Loop>& faces, Vec3 normal, double offset, double rounding) {
    double lowest = 0, highest = 0;
    for (const Loop& face : faces)
        for (const Vec3& p : face) {
            lowest = std::min(lowest, dot(normal, p) - offset);
            highest = std::max(highest, dot(normal, p) - offset);
        }
    if (highest <= rounding) return faces;
    if (lowest >= -rounding) return {};
    std::vector<Loop> kept;
    Loop rim;
    for (const Loop& face : faces) {
        Loop loop;
        bool strictly = false;
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Vec3 a = face[k], b = face[(k + 1) % face.size()];
            const double h_a = dot(normal, a) - offset, h_b = dot(normal, b) - offset;
            const bool in_a = h_a <= rounding, in_b = h_b <= rounding;
            strictly = strictly || h_a < -rounding;
            if (in_a) loop.push_back(a);
            if (in_a && std::fabs(h_a) <= rounding) rim.push_back(a);
            if (in_a != in_b) {
                loop.push_back(a + h_a / (h_a - h_b) * (b - a));
                rim.push_back(loop.back());
            }
        }
        if (strictly && loop.size() >= 3) kept.push_back(std::move(loop));
    }
    if (rim.size() < 3) return kept;
    // Around the middle, by angle: the cut is convex.
    Vec3 middle;
    for (const Vec3& p : rim) middle += p / static_cast<double>(rim.size());
    const Vec3 other = std::fabs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(normal, other)), v = cross(normal, u);
    std::stable_sort(rim.begin(), rim.end(), [&](Vec3 a, Vec3 b) {
        return std::atan2(dot(a - middle, v), dot(a - middle, u)) < std::atan2(dot(b - middle, v), dot(b - middle, u));
    });
    kept.push_back(std::move(rim));
    return kept;
}

double volume_of(const std::vector<Loop>& faces) {
    double sum = 0;
    if (faces.empty()) return 0;
    const Vec3 from = faces[0][0];
    for (const Loop& face : faces) sum += dot(twice_area(face), face[0] - from) / 6;
    return sum;
}

std::size_t faces_and_corners(const FaceList& hull) {
    std::size_t largest = 0;
    for (const auto& face : hull.face) largest = std::max(largest, face.size());
    return hull.face.size() + largest;
}

struct FacePlane {
    Vec3 normal;
    double offset;
};

std::vector<FacePlane> planes_of(const FaceList& hull) {
    std::vector<FacePlane> planes;
    for (const Loop& loop : loops_of(hull)) {
        const Vec3 area = twice_area(loop);
        if (!(norm(area) > 0)) continue;
        const Vec3 n = normalized(area);
        planes.push_back({n, dot(n, loop[0])});
    }
    return planes;
}

/// So few corners are all taken at once.
constexpr std::size_t kFew = 16;

/// Corners farthest along 14 directions.
std::vector<char> outermost(const std::vector<Vec3>& vertex) {
    std::vector<char> chosen(vertex.size(), vertex.size() <= kFew ? 1 : 0);
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const int zeros = (x == 0) + (y == 0) + (z == 0);
                if (zeros == 3 || zeros == 1) continue;
                const Vec3 way{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                std::size_t best = 0;
                for (std::size_t k = 1; k < vertex.size(); ++k)
                    if (dot(way, vertex[k]) > dot(way, vertex[best])) best = k;
                chosen[best] = 1;
            }
    return chosen;
}

}  // namespace

FaceList hull_of(const std::vector<Vec3>& points) {
    FaceList hull = convex_hull("the hull", points);
    if (volume_of(hull) < 0)
        for (auto& loop : hull.face) std::reverse(loop.begin(), loop.end());
    return hull;
}

double volume_of(const FaceList& hull) {
    return volume_of(loops_of(hull));
}

double common_volume(const FaceList& a, const FaceList& b) {
    if (!overlaps(box_of(a), box_of(b))) return 0;
    std::vector<Loop> rest = loops_of(a);
    const Aabb box = box_of(a);
    const double rounding = 1e-12 * norm(box.max - box.min);
    for (const FacePlane& plane : planes_of(b)) {
        rest = behind(rest, plane.normal, plane.offset, rounding);
        if (rest.empty()) return 0;
    }
    return std::max(0.0, volume_of(rest));
}

FaceList with_fewer_faces(const FaceList& hull, double loss) {
    const double wanted = volume_of(hull) - loss;
    std::vector<char> chosen = outermost(hull.vertex);
    FaceList best;
    for (;;) {
        std::vector<Vec3> points;
        for (std::size_t k = 0; k < chosen.size(); ++k)
            if (chosen[k] != 0) points.push_back(hull.vertex[k]);
        const bool all = points.size() == hull.vertex.size();
        FaceList now = all ? hull : hull_of(points);
        if (!best.face.empty() && faces_and_corners(now) > kMostFacesAndCorners) return best;
        best = std::move(now);
        if (all || volume_of(best) >= wanted) return best;
        // Corners that are farthest outside, and not beside one that was just taken.
        struct Outside {
            std::size_t corner, plane;
            double height;
        };
        std::vector<Outside> outside;
        const std::vector<FacePlane> planes = planes_of(best);
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (chosen[k] != 0) continue;
            Outside found{k, 0, 0};
            for (std::size_t f = 0; f < planes.size(); ++f) {
                const double height = dot(planes[f].normal, hull.vertex[k]) - planes[f].offset;
                if (height > found.height) found = {k, f, height};
            }
            outside.push_back(found);
        }
        std::stable_sort(outside.begin(), outside.end(), [](const Outside& a, const Outside& b) { return a.height > b.height; });
        std::vector<char> used(planes.size(), 0);
        const std::size_t at_once = std::max<std::size_t>(1, points.size() / 10);
        std::size_t taken = 0;
        for (const Outside& o : outside) {
            if (taken == at_once) break;
            if (used[o.plane] != 0) continue;
            used[o.plane] = 1;
            chosen[o.corner] = 1;
            ++taken;
        }
    }
}

}  // namespace scree
