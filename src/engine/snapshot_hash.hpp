// Hash of a snapshot: equal hashes mean equal bits. One for all engines.
#pragma once

#include "base/hash.hpp"
#include "engine/snapshot.hpp"

namespace scree {

inline std::uint64_t hash_of(const Snapshot& s) {
    std::uint64_t h = hash_combine(static_cast<std::uint64_t>(s.step), s.id.size());
    const auto add = [&h](double value) { h = hash_combine(h, bits_of(value)); };
    const auto add3 = [&add](Vec3 v) {
        add(v.x);
        add(v.y);
        add(v.z);
    };
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        h = hash_combine(h, s.id[i]);
        add3(s.position[i]);
        add3(s.velocity[i]);
        add3(s.angular_velocity[i]);
        add3(s.force[i]);
        if (!s.torque.empty()) add3(s.torque[i]);
        if (!s.owner.empty()) h = hash_combine(h, static_cast<std::uint64_t>(s.owner[i]));
        add(s.radius[i]);
        if (s.orientation.empty()) continue;
        add(s.orientation[i].w);
        add3({s.orientation[i].x, s.orientation[i].y, s.orientation[i].z});
    }
    return h;
}

}  // namespace scree
