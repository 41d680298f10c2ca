// [[insert]] of a scene -> bodies of the model that come later (BodyTable::later), and what says when, where and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/compounds.hpp"
#include "setup/placement/region.hpp"

namespace scree {

/// Bodies of a stream that are of one shape and material.
struct StreamPart {
    std::string name;                             // "shape/material"; of a stream that is no mixture empty
    std::int32_t shape{BodyTable::sphere_shape};  // in the model
    std::vector<Member> members;                  // of a compound
};

/// A stream of bodies, in the order in which they come.
struct Insertion {
    std::string name;
    PlaceRegion region;
    std::vector<StreamPart> parts;
    std::vector<std::uint8_t> part;      // of each body; empty: all of the first
    std::vector<std::int32_t> first_id;  // of each body; the ids of its members follow
    std::vector<Quat> orientation;       // of each; empty: round
    std::vector<double> total_mass;      // of each and those before it [kg]
    double rate{0}, mass_rate{0};        // [1/s], [kg/s]; both 0: as there is room
    double from{0}, to{0}, every{0};     // [s]
    std::int64_t tries{0};
    Vec3 velocity, angular_velocity;
    double velocity_deviation{0};
    std::uint64_t seed{0};
    bool on_call{false};            // a stock, of which calls alone put bodies in: none is ever due
    bool has_region{false};         // else calls say where
    std::int32_t begin{0}, end{0};  // ids of all of them and their members

    std::size_t size() const { return first_id.size(); }
    std::size_t part_of(std::size_t k) const { return part.empty() ? 0 : part[k]; }
    std::int32_t lowest_id() const;
    /// How body k is turned, principal frame -> world.
    Quat turn_of(std::size_t k) const { return orientation.empty() ? Quat{} : orientation[k]; }
    /// With what velocity a body comes that is number `come` of those that did.
    Vec3 velocity_of(std::uint64_t come, bool planar) const;
    /// How many are due at a time, whatever room there is.
    std::size_t due(double time) const;
};

/// Appends all that come to the bodies of the model, which has its materials and walls. Throws scree::Error at the table.
std::vector<Insertion> build_insertions(const Scene& scene, Model& model);

}  // namespace scree
