#include "setup/meshes/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"

extern "C" {
#include <libqhull_r/libqhull_r.h>
// In this order.
#include <libqhull_r/poly_r.h>
}

namespace scree {

namespace {

constexpr double kFlat = 1e-6;  // as in make_convex_shape()

/// Index of the point with the largest value of `of`.
template <class F>
std::size_t farthest(const std::vector<Vec3>& points, const F& of) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (of(points[i]) > of(points[best])) best = i;
    return best;
}

/// Fails where the points have no volume; Qhull would say so too, in words of its own.
void check_spread(const std::string& name, const std::vector<Vec3>& points) {
    for (const Vec3& p : points)
        if (!std::isfinite(norm2(p))) throw Error(fmt::format("shape \"{}\" has a vertex that is not finite", name));
    if (points.size() < 4) throw Error(fmt::format("shape \"{}\" has {} vertices; a solid needs four or more", name, points.size()));
    const Vec3 a = points[0], b = points[farthest(points, [&](Vec3 p) { return norm2(p - a); })];
    const double extent = norm(b - a);
    if (!(extent > 0.0)) throw Error(fmt::format("shape \"{}\" has no extent: all its vertices are one", name));
    const Vec3 along = (b - a) / extent;
    const Vec3 c = points[farthest(points, [&](Vec3 p) { return norm2(cross(along, p - a)); })];
    const Vec3 normal = cross(along, c - a);
    if (norm(normal) <= kFlat * extent) throw Error(fmt::format("shape \"{}\" has no volume: its vertices lie on one line", name));
    const Vec3 n = normalized(normal), d = points[farthest(points, [&](Vec3 p) { return std::fabs(dot(n, p - a)); })];
    if (std::fabs(dot(n, d - a)) <= kFlat * extent)
        throw Error(fmt::format("shape \"{}\" has no volume: its vertices lie in one plane", name));
}

/// Qhull's state, its messages kept in memory.
class Qhull {
public:
    Qhull() : errors_(open_memstream(&text_, &length_)) { qh_zero(&qh_, errors_); }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;
    ~Qhull() {
        qh_freeqhull(&qh_, !qh_ALL);
        int blocks = 0, bytes = 0;
        qh_memfreeshort(&qh_, &blocks, &bytes);
        std::fclose(errors_);
        std::free(text_);
    }

    FaceList run(const std::string& name, const std::vector<Vec3>& points) {
        static_assert(sizeof(Vec3) == 3 * sizeof(coordT));
        std::vector<Vec3> copy = points;
        char command[] = "qhull";
        const int fault = qh_new_qhull(&qh_, 3, static_cast<int>(copy.size()), &copy[0].x, False, command, nullptr, errors_);
        if (fault != 0) {
            std::fflush(errors_);
            throw Error(
                fmt::format("the convex hull of shape \"{}\" failed: {}", name, std::string(text_, std::min<std::size_t>(length_, 300))));
        }
        FaceList hull;
        std::vector<std::int32_t> number(copy.size(), -1);
        qhT* qh = &qh_;  // the name that Qhull's FOR macros read
        facetT* facet = nullptr;
        FORALLfacets {
            setT* loop = qh_facet3vertex(qh, facet);
            std::vector<std::int32_t>& face = hull.face.emplace_back();
            vertexT *vertex = nullptr, **vertexp = nullptr;
            FOREACHvertex_(loop) {
                const std::size_t i = static_cast<std::size_t>(qh_pointid(qh, vertex->point));
                if (number[i] < 0) {
                    number[i] = static_cast<std::int32_t>(hull.vertex.size());
                    hull.vertex.push_back(points[i]);
                }
                face.push_back(number[i]);
            }
            qh_settempfree(qh, &loop);
        }
        return hull;
    }

private:
    qhT qh_{};
    char* text_{nullptr};
    std::size_t length_{0};
    FILE* errors_;
};

}  // namespace

FaceList convex_hull(const std::string& name, const std::vector<Vec3>& points) {
    check_spread(name, points);
    Qhull qhull;
    return qhull.run(name, points);
}

}  // namespace scree
