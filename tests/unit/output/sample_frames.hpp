// Snapshots and contacts with values that differ in every component, for writing and reading back.
#pragma once

#include <vector>

#include "engine/snapshot.hpp"

inline scree::Snapshot sample_snapshot(std::size_t bodies, std::int64_t step, bool orientation = false) {
    scree::Snapshot s;
    s.step = step;
    s.time = 0.1 * static_cast<double>(step);  // not exactly representable, on purpose
    for (std::size_t i = 0; i < bodies; ++i) {
        const double x = static_cast<double>(i) + static_cast<double>(step) / 3;
        s.id.push_back(static_cast<std::uint32_t>(2 * i));
        s.position.push_back({x, -x / 7, x * x});
        s.velocity.push_back({1 / (1 + x), 2, x});
        s.angular_velocity.push_back({-x, 0, 3});
        s.force.push_back({0, 0, 0});
        s.radius.push_back(0.001 * static_cast<double>(1 + i % 3));
        s.mass.push_back(0.5 + static_cast<double>(i));
        s.material.push_back(static_cast<std::int32_t>(i % 2));
        if (orientation) s.orientation.push_back({1, x, 2 * x, 3 * x});
    }
    return s;
}

inline std::vector<scree::ContactRecord> sample_contacts() {
    scree::ContactRecord pair;
    pair.a = 0;
    pair.b = 2;
    pair.point = {1, 2, 3};
    pair.normal = {0, 1, 0};
    pair.overlap = 1e-5;
    pair.force = {0, -4, 0};
    scree::ContactRecord wall = pair;
    wall.b = scree::ContactRecord::none;
    wall.wall = 1;
    return {pair, wall};
}

inline bool same(const scree::Vec3& a, const scree::Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Equal bit for bit in every array that a frame stores.
inline bool same(const scree::Snapshot& a, const scree::Snapshot& b) {
    if (a.step != b.step || a.time != b.time || a.id != b.id || a.radius != b.radius || a.mass != b.mass || a.material != b.material)
        return false;
    if (a.position.size() != b.position.size() || a.orientation.size() != b.orientation.size()) return false;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        if (!same(a.position[i], b.position[i]) || !same(a.velocity[i], b.velocity[i])) return false;
        if (!same(a.angular_velocity[i], b.angular_velocity[i])) return false;
    }
    return a.orientation == b.orientation;
}
