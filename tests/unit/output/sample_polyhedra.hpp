// A model with two polyhedra, moving and resting walls, and snapshots of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/model.hpp"
#include "unit/output/sample_frames.hpp"

/// A prism over a regular polygon of `sides` corners on the unit circle, `height` high, scaled to farthest vertex 1.
inline scree::ConvexShape sample_prism(const std::string& name, int sides, double height) {
    constexpr double pi = 3.14159265358979323846;
    scree::ConvexShape shape;
    shape.name = name;
    const double scale = 1 / std::sqrt(1 + height * height / 4);
    for (const double z : {-height / 2, height / 2}) {
        for (int k = 0; k < sides; ++k) {
            const double angle = 2 * pi * k / sides;
            shape.vertex.push_back({scale * std::cos(angle), scale * std::sin(angle), scale * z});
        }
    }
    shape.face_start = {0};
    const auto close_face = [&shape] { shape.face_start.push_back(static_cast<std::int32_t>(shape.face_vertex.size())); };
    for (int k = sides; k-- > 0;) shape.face_vertex.push_back(k);
    close_face();
    for (int k = 0; k < sides; ++k) shape.face_vertex.push_back(sides + k);
    close_face();
    for (int k = 0; k < sides; ++k) {
        const int next = (k + 1) % sides;
        for (const int v : {k, next, sides + next, sides + k}) shape.face_vertex.push_back(v);
        close_face();
    }
    shape.volume = 0.5 * sides * std::sin(2 * pi / sides) * height * scale * scale * scale;
    return shape;
}

/// Shapes "slab" (4 sides) and "nut" (6 sides, said to be smooth); walls "floor" (a plane), "paddle" (two triangles that turn), "rod" (a
/// cylinder).
inline scree::Model sample_model() {
    scree::Model model;
    model.dt = 1e-5;
    model.materials.resize(2);
    model.shapes = {sample_prism("slab", 4, 0.5), sample_prism("nut", 6, 1)};
    model.shapes[1].smooth = {{0.9, 0.8, 0.4}, 4, 3};  // as if its faces stood for a superquadric
    for (int i = 0; i < 4; ++i) {
        const scree::Vec3 at{0.1 * i, 0, 0.05};
        if (i == 1) {
            model.bodies.add_sphere(at, 0.01, 0, 2500);
        } else {
            model.bodies.add_convex(at, {}, i % 2, model.shapes[static_cast<std::size_t>(i % 2)], 0.02, 1, 2500);
        }
    }
    scree::Wall floor, paddle, rod;
    floor.name = "floor";
    floor.planes.push_back({{0, 0, 0}, {0, 0, 1}});
    paddle.name = "paddle";
    paddle.material = 1;
    paddle.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    paddle.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    paddle.motion.moves = true;
    paddle.motion.rate = 1;
    rod.name = "rod";
    rod.cylinders.push_back({{0, 0, 1}, {0, 1, 0}, 0.1, 0.5, false});
    rod.active_to = 0.6;
    model.walls = {floor, paddle, rod};
    return model;
}

/// The model's bodies turned and moved by amounts that differ for each, as at this step; walls turned with it.
inline scree::Snapshot sample_polyhedra(const scree::Model& model, std::int64_t step) {
    scree::Snapshot s = sample_snapshot(model.bodies.size(), step, true);
    s.material = model.bodies.material;
    s.radius = model.bodies.radius;
    s.shape = model.bodies.shape;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const double x = static_cast<double>(i) + 0.1 * static_cast<double>(step);
        s.orientation[i] = scree::rotation_by({x, 1 - x, 0.3});
    }
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        s.walls.emplace_back();
        if (model.walls[w].motion.moves) s.walls.back() = {scree::rotation_by({0, 0, 0.1 * static_cast<double>(step)}), {0, 0, 0.5}};
    }
    return s;
}

inline std::vector<scree::ContactRecord> sample_patches() {
    std::vector<scree::ContactRecord> contacts = sample_contacts();
    contacts[0].kind = scree::ContactKind::FaceFace;
    contacts[0].torque = {1, 2, -3};
    contacts[0].area = 1e-4;
    contacts[0].volume = 2e-9;
    return contacts;
}
