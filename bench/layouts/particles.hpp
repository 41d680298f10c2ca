// How particles lie in memory: position and velocity of each, in one of three ways behind one signature.
// Invariant: position(i) gives the bits that were stored, so all ways find the same pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace scree::layouts {

using Id = std::uint32_t;  // number of a particle, or of an entry of a cell structure

/// An array of structs: position and velocity side by side, 48 bytes.
class Structs {
public:
    static constexpr const char* name = "structs";
    void resize(Id n) { all_.resize(n); }
    Id size() const { return static_cast<Id>(all_.size()); }
    Vec3 position(Id i) const { return all_[i].position; }
    Vec3 velocity(Id i) const { return all_[i].velocity; }
    void set(Id i, Vec3 position, Vec3 velocity) { all_[i] = {position, velocity}; }

private:
    struct Particle {
        Vec3 position, velocity;
    };
    std::vector<Particle> all_;
};

/// Two arrays of structs: positions, which the search reads, and velocities, which it does not.
class Points {
public:
    static constexpr const char* name = "points";
    void resize(Id n) {
        position_.resize(n);
        velocity_.resize(n);
    }
    Id size() const { return static_cast<Id>(position_.size()); }
    Vec3 position(Id i) const { return position_[i]; }
    Vec3 velocity(Id i) const { return velocity_[i]; }
    void set(Id i, Vec3 position, Vec3 velocity) {
        position_[i] = position;
        velocity_[i] = velocity;
    }

private:
    std::vector<Vec3> position_, velocity_;
};

/// A struct of arrays: an array for each of the six components.
class Components {
public:
    static constexpr const char* name = "components";
    void resize(Id n) {
        for (std::vector<double>& component : value_) component.resize(n);
    }
    Id size() const { return static_cast<Id>(value_[0].size()); }
    Vec3 position(Id i) const { return {value_[0][i], value_[1][i], value_[2][i]}; }
    Vec3 velocity(Id i) const { return {value_[3][i], value_[4][i], value_[5][i]}; }
    void set(Id i, Vec3 position, Vec3 velocity) {
        const double values[6] = {position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};
        for (int c = 0; c < 6; ++c) value_[c][i] = values[c];
    }

private:
    std::vector<double> value_[6];
};

/// Particle k of `to` is particle order[k] of `from`: how particles are brought into the order of cells.
template <class Particles>
void reorder(const Particles& from, const std::vector<Id>& order, Particles& to) {
    to.resize(from.size());
    for (Id k = 0; k < from.size(); ++k) to.set(k, from.position(order[k]), from.velocity(order[k]));
}

}  // namespace scree::layouts
