// Closed meshes that the tests of setup/ share.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "setup/meshes/closed_mesh.hpp"
#include "setup/meshes/hull.hpp"

namespace scree {

/// The box's lower corner at `at`.
inline TriangleMesh box_mesh(Vec3 edges, Vec3 at = {}) {
    TriangleMesh mesh;
    for (int k = 0; k < 8; ++k) mesh.vertices.push_back(at + Vec3{edges.x * (k % 2), edges.y * (k / 2 % 2), edges.z * (k / 4)});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

inline TriangleMesh joined(const TriangleMesh& a, const TriangleMesh& b) {
    TriangleMesh both = a;
    const auto n = static_cast<std::int32_t>(a.vertices.size());
    both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles) both.triangles.push_back({n + t[0], n + t[1], n + t[2]});
    return both;
}

/// A ball of radius 1: the hull of points spread over it.
inline TriangleMesh ball_mesh(int points) {
    TriangleMesh mesh;
    for (int k = 0; k < points; ++k) {
        const double z = 1 - (2 * k + 1.0) / points, angle = k * std::numbers::pi * (3 - std::sqrt(5.0)), r = std::sqrt(1 - z * z);
        mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
    const FaceList hull = convex_hull("ball", mesh.vertices);
    mesh.vertices = hull.vertex;
    for (const auto& face : hull.face)
        for (std::size_t k = 1; k + 1 < face.size(); ++k) mesh.triangles.push_back({face[0], face[k], face[k + 1]});
    return mesh;
}

/// A block 3 x 2 x 1 with a notch 1 x 1 x 1 in a long side: not convex.
inline TriangleMesh notched() {
    TriangleMesh mesh;
    const double outline[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int top = 0; top < 2; ++top)
        for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], static_cast<double>(top)});
    for (const auto& t : {std::array{0, 5, 7}, {5, 6, 7}, {0, 4, 5}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}}) {
        mesh.triangles.push_back({t[0], t[2], t[1]});
        mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    }
    for (std::int32_t k = 0; k < 8; ++k) {
        const std::int32_t next = (k + 1) % 8;
        mesh.triangles.push_back({k, next, next + 8});
        mesh.triangles.push_back({k, next + 8, k + 8});
    }
    return mesh;
}

inline ClosedMesh closed(const TriangleMesh& mesh) {
    return closed_mesh(mesh, "it", {});
}

inline void turn(TriangleMesh& mesh, Quat q, Vec3 shift) {
    for (Vec3& v : mesh.vertices) v = rotate(q, v) + shift;
}

inline std::string obj_of(const TriangleMesh& mesh) {
    std::string text;
    for (const Vec3& v : mesh.vertices) text += "v " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
    for (const auto& t : mesh.triangles)
        text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
    return text;
}

/// An L of two boxes, 2 x 1 x 1 and 1 x 1 x 1 beside its end: its volume is 3.
inline TriangleMesh ell() {
    TriangleMesh mesh;
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int top = 0; top < 2; ++top)
        for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], static_cast<double>(top)});
    for (const auto& t : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
        mesh.triangles.push_back({t[0], t[2], t[1]});
        mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    }
    for (std::int32_t k = 0; k < 6; ++k) {
        const std::int32_t next = (k + 1) % 6;
        mesh.triangles.push_back({k, next, next + 6});
        mesh.triangles.push_back({k, next + 6, k + 6});
    }
    return mesh;
}

/// A ring about z: `around` sections, each of `across` corners.
inline TriangleMesh torus(double R, double r, std::int32_t around, std::int32_t across) {
    TriangleMesh mesh;
    for (std::int32_t i = 0; i < around; ++i)
        for (std::int32_t j = 0; j < across; ++j) {
            const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across, d = R + r * std::cos(b);
            mesh.vertices.push_back({d * std::cos(a), d * std::sin(a), r * std::sin(b)});
            const auto at = [&](std::int32_t k, std::int32_t l) { return k % around * across + l % across; };
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return mesh;
}

}  // namespace scree
