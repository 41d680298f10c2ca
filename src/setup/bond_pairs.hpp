// Which bodies bonds join: those whose surfaces are near, at the start or at any time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/cell.hpp"
#include "model/model.hpp"
#include "setup/agglomerates.hpp"

namespace scree {

using BodyPair = std::pair<std::int32_t, std::int32_t>;  // the lower id first

inline constexpr std::size_t most_bonds = std::size_t{1} << 30;  // entries name them in 31 bits

/// Are they parts of one compound?
bool are_one(const BodyTable& bodies, std::int32_t a, std::int32_t b);
/// Is it one of several colliders of a compound? Members follow it.
bool is_of_many(const BodyTable& bodies, std::int32_t id);
/// Does a table leave the two apart, as one is of another agglomerate? within: as its key says.
bool are_apart(std::optional<bool> within, const Agglomerates& agglomerates, std::int32_t a, std::int32_t b);

/// Pairs of `ids`, ascending, whose spheres are no farther apart than `gap` [m], across periodic borders, too, and which `may` takes.
/// place: of each body of the model by its id. Stops past most_bonds.
std::vector<BodyPair> pairs_within(double gap, const std::vector<std::int32_t>& ids, const std::vector<Vec3>& place, const Model& model,
                                   const Cell& cell, const std::function<bool(std::int32_t, std::int32_t)>& may);

}  // namespace scree
