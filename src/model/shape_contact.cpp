// Symbols: n direction of the force, p where it acts, I principal moments (over m R^2), J sum of (p x n)(p x n)^T; the inverse mass of a
// force along n at p is 1 + (p x n) . I^-1 (p x n).
#include "model/shape_contact.hpp"

#include <algorithm>
#include <cmath>

#include "model/symmetric3.hpp"

namespace scree {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

/// v with each component over the square root of its moment: norm2 of it is v . I^-1 v.
Vec3 scaled(Vec3 v, Vec3 inertia) {
    return {v.x / std::sqrt(inertia.x), v.y / std::sqrt(inertia.y), v.z / std::sqrt(inertia.z)};
}

void add_square(Mat3& m, double weight, Vec3 v) {
    m.row[0] += weight * v.x * v;
    m.row[1] += weight * v.y * v;
    m.row[2] += weight * v.z * v;
}

/// The inverse mass at p in the worst direction: 1 + the largest eigenvalue of [p]x^T I^-1 [p]x.
double worst_inverse_mass(Vec3 p, Vec3 inertia) {
    Mat3 m{};
    // The rows of I^-1/2 [p]x.
    for (const Vec3& row :
         {Vec3{0, -p.z, p.y} / std::sqrt(inertia.x), Vec3{p.z, 0, -p.x} / std::sqrt(inertia.y), Vec3{-p.y, p.x, 0} / std::sqrt(inertia.z)})
        add_square(m, 1.0, row);
    return 1.0 + largest_eigenvalue(m);
}

/// Area of the section normal to the unit vector n, at `depth` below the farthest vertex.
double section_area(const ConvexShape& shape, Vec3 n, double depth) {
    double top = 0.0;
    for (const Vec3& p : shape.vertex) top = std::max(top, dot(n, p));
    const double height = top - depth;
    const Vec3 u = normalized(std::fabs(n.x) < 0.7 ? cross(n, Vec3{1, 0, 0}) : cross(n, Vec3{0, 1, 0})), w = cross(n, u);
    // The section is convex and the middle of its corners inside it, so their order is that of the angle.
    struct Corner {
        double x, y, angle;
    };
    std::vector<Corner> corner;
    double x = 0.0, y = 0.0;
    for (const auto& [a, b] : shape.edge) {
        const Vec3 p = shape.vertex[at(a)], q = shape.vertex[at(b)];
        const double hp = dot(n, p) - height, hq = dot(n, q) - height;
        if ((hp > 0.0) == (hq > 0.0)) continue;
        const Vec3 cut = p + hp / (hp - hq) * (q - p);
        corner.push_back({dot(u, cut), dot(w, cut), 0.0});
        x += corner.back().x;
        y += corner.back().y;
    }
    if (corner.size() < 3) return 0.0;
    const double count = static_cast<double>(corner.size());
    for (Corner& c : corner) {
        c.x -= x / count;
        c.y -= y / count;
        c.angle = std::atan2(c.y, c.x);
    }
    std::sort(corner.begin(), corner.end(), [](const Corner& a, const Corner& b) { return a.angle < b.angle; });
    double area2 = 0.0;
    for (std::size_t k = 0; k < corner.size(); ++k) {
        const Corner &a = corner[k], &b = corner[(k + 1) % corner.size()];
        area2 += a.x * b.y - b.x * a.y;
    }
    return 0.5 * area2;
}

/// One face as the loops below need it.
struct Face {
    std::vector<Vec3> corner;
    Vec3 normal, centre;
    double area{0};
};

Face face_of(const ConvexShape& shape, std::size_t f) {
    Face face;
    face.normal = shape.normal[f];
    for (std::int32_t k = shape.face_start[f]; k < shape.face_start[f + 1]; ++k)
        face.corner.push_back(shape.vertex[at(shape.face_vertex[at(k)])]);
    for (std::size_t k = 1; k + 1 < face.corner.size(); ++k) {
        const Vec3 a = face.corner[0], b = face.corner[k], c = face.corner[k + 1];
        const double part = 0.5 * dot(face.normal, cross(b - a, c - a));
        face.area += part;
        face.centre += part / 3.0 * (a + b + c);
    }
    face.centre = face.centre / face.area;
    return face;
}

/// Springs spread over the face: the largest eigenvalue of I^-1 J_n. Mean over a triangle of v v^T, v = p x n linear in p: as for the
/// tetrahedron of convex_shape.cpp, (a a^T + b b^T + c c^T + s s^T) / 12.
double turn_of(const Face& face, Vec3 inertia) {
    Mat3 J{};
    const auto arm = [&](Vec3 p) { return scaled(cross(p, face.normal), inertia); };
    for (std::size_t k = 1; k + 1 < face.corner.size(); ++k) {
        const Vec3 a = face.corner[0], b = face.corner[k], c = face.corner[k + 1];
        const double share = 0.5 * dot(face.normal, cross(b - a, c - a)) / face.area;
        for (const Vec3& v : {arm(a), arm(b), arm(c), arm(a) + arm(b) + arm(c)}) add_square(J, share / 12.0, v);
    }
    return largest_eigenvalue(J);
}

/// Tangential springs at the middle of the face: the largest eigenvalue of I^-1 J_t.
double slide_of(const Face& face, Vec3 inertia) {
    const Vec3 t = normalized(face.corner[1] - face.corner[0]);
    Mat3 J{};
    for (const Vec3& direction : {t, cross(face.normal, t)}) add_square(J, 1.0, scaled(cross(face.centre, direction), inertia));
    return largest_eigenvalue(J);
}

/// Largest product of relative contact radius and inverse mass of patches of one face that shrink towards the middle of an edge: of a share
/// s of the area, about the share 1 - s of the way there.
double wide_of(const Face& face, double largest_area, Vec3 inertia) {
    double worst = 0.0;
    for (std::size_t k = 0; k < face.corner.size(); ++k) {
        const Vec3 end = 0.5 * (face.corner[k] + face.corner[(k + 1) % face.corner.size()]);
        for (int i = 1; i <= 10; ++i) {
            const double s = 0.1 * i;
            const Vec3 p = face.centre + (1.0 - s) * (end - face.centre);
            worst = std::max(worst, std::sqrt(s * face.area / largest_area) * (1.0 + norm2(scaled(cross(p, face.normal), inertia))));
        }
    }
    return worst;
}

}  // namespace

ShapeContact shape_contact(const ConvexShape& shape, double overlap) {
    ShapeContact found;
    std::vector<Face> faces;
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        faces.push_back(face_of(shape, f));
        found.face_area = std::max(found.face_area, faces.back().area);
    }
    for (const Face& face : faces) {
        found.wide = std::max(found.wide, wide_of(face, found.face_area, shape.inertia));
        found.face_turn = std::max(found.face_turn, turn_of(face, shape.inertia));
        found.face_slide = std::max(found.face_slide, slide_of(face, shape.inertia));
    }
    const auto add_corner = [&](Vec3 p, Vec3 outward) {
        const double area = std::min(section_area(shape, normalized(outward), overlap), found.face_area);
        found.corner = std::max(found.corner, std::sqrt(area / found.face_area) * worst_inverse_mass(p, shape.inertia));
    };
    for (std::size_t e = 0; e < shape.edge.size(); ++e) {
        const auto [a, b] = shape.edge[e];
        const auto [f, g] = shape.edge_face[e];
        add_corner(0.5 * (shape.vertex[at(a)] + shape.vertex[at(b)]), shape.normal[at(f)] + shape.normal[at(g)]);
    }
    for (const Vec3& p : shape.vertex) {
        found.point = std::max(found.point, worst_inverse_mass(p, shape.inertia));
        add_corner(p, p);
    }
    return found;
}

}  // namespace scree
