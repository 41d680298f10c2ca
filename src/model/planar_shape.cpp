#include "model/planar_shape.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace scree {

namespace {

constexpr double kHeld = 1e9;  // moments about x and y over that about z; motion and solver leave those turns out anyway

double turn(Vec3 a, Vec3 b) {
    return a.x * b.y - a.y * b.x;
}

/// Area, centre, and moment about the centre of unit density, by triangles from the first corner.
struct Area {
    double area{0};
    Vec3 centre;
    double moment{0};
};

Area area_of(const std::vector<Vec3>& corners) {
    const Vec3 origin = corners.front();
    Area sum;
    double second = 0;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        const Vec3 a = corners[k] - origin, b = corners[k + 1] - origin;
        const double A = 0.5 * turn(a, b);
        sum.area += A;
        sum.centre += A / 3 * (a + b);
        second += A / 6 * (dot(a, a) + dot(a, b) + dot(b, b));
    }
    sum.centre = sum.centre / sum.area;
    sum.moment = second - sum.area * norm2(sum.centre);
    sum.centre += origin;
    return sum;
}

/// Caps 0 and 1, then the side from corner k to the next as face k + 2; corner k below is vertex k, above n + k.
void add_faces(ConvexShape& shape, std::int32_t n) {
    const auto close = [&] { shape.face_start.push_back(static_cast<std::int32_t>(shape.face_vertex.size())); };
    close();
    for (std::int32_t k = n - 1; k >= 0; --k) shape.face_vertex.push_back(k);
    close();
    for (std::int32_t k = 0; k < n; ++k) shape.face_vertex.push_back(n + k);
    close();
    shape.normal = {{0, 0, -1}, {0, 0, 1}};
    shape.offset = {0.5, 0.5};
    for (std::int32_t k = 0; k < n; ++k) {
        const std::int32_t next = k + 1 == n ? 0 : k + 1, before = k == 0 ? n - 1 : k - 1;
        for (const std::int32_t v : {k, next, n + next, n + k}) shape.face_vertex.push_back(v);
        close();
        const Vec3 a = shape.vertex[static_cast<std::size_t>(k)], along = shape.vertex[static_cast<std::size_t>(next)] - a;
        const Vec3 normal = Vec3{along.y, -along.x, 0} / norm(along);
        shape.normal.push_back(normal);
        shape.offset.push_back(dot(normal, a));
        shape.inradius = std::min(shape.inradius, shape.offset.back());
        const auto edge = [&](std::int32_t p, std::int32_t q, std::int32_t other) {
            shape.edge.push_back({std::min(p, q), std::max(p, q)});
            shape.edge_face.push_back({std::min(k + 2, other), std::max(k + 2, other)});
        };
        edge(k, next, 0);
        edge(n + k, n + next, 1);
        edge(k, n + k, before + 2);
    }
}

}  // namespace

std::vector<Vec3> planar_hull(std::vector<Vec3> points) {
    std::sort(points.begin(), points.end(), [](Vec3 a, Vec3 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    double size = 0;
    for (const Vec3& p : points) size = std::max({size, std::fabs(p.x - points.front().x), std::fabs(p.y - points.front().y)});
    std::vector<Vec3> hull;
    const auto add = [&](Vec3 p, std::size_t fixed) {
        while (hull.size() > fixed && turn(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 1e-9 * size * size) hull.pop_back();
        hull.push_back(p);
    };
    for (const Vec3& p : points) add(p, 1);
    const std::size_t fixed = hull.size();
    for (auto p = points.rbegin() + 1; p < points.rend(); ++p) add(*p, fixed);
    if (hull.size() > 1) hull.pop_back();
    return hull;
}

ConvexShape planar_shape(const std::string& name, const std::vector<Vec3>& corners) {
    if (corners.size() < 3) throw Error("shape \"" + name + "\" has no area: its corners lie on a line");
    const auto n = static_cast<std::int32_t>(corners.size());
    if (corners.size() > (kMostFacesAndCorners - 2) / 2) throw Error("shape \"" + name + "\" has more than 255 corners");
    const Area whole = area_of(corners);
    double R = 0;
    for (const Vec3& p : corners) R = std::max(R, norm(p - whole.centre));
    if (!(whole.area > 0 && std::isfinite(R) && std::isnormal(whole.area / (R * R)))) throw Error("shape \"" + name + "\" has no area");
    ConvexShape shape;
    shape.name = name;
    shape.bounding_radius = R;
    shape.centre = whole.centre;
    shape.volume = whole.area / (R * R);
    const double moment = whole.moment / (whole.area * R * R);
    shape.inertia = {kHeld * moment, kHeld * moment, moment};
    for (const double z : {-0.5, 0.5})
        for (const Vec3& p : corners) shape.vertex.push_back({(p.x - whole.centre.x) / R, (p.y - whole.centre.y) / R, z});
    shape.inradius = 1;
    add_faces(shape, n);
    if (!(shape.inradius > 0)) throw Error("shape \"" + name + "\" is not convex, or its corners are not counterclockwise");
    shape.box_min = shape.box_max = shape.vertex[0];
    for (const Vec3& p : shape.vertex) {
        shape.box_min = {std::min(shape.box_min.x, p.x), std::min(shape.box_min.y, p.y), std::min(shape.box_min.z, p.z)};
        shape.box_max = {std::max(shape.box_max.x, p.x), std::max(shape.box_max.y, p.y), std::max(shape.box_max.z, p.z)};
    }
    return shape;
}

}  // namespace scree
