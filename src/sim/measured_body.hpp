// A named body as the measure "body" sees it: its place in the ids, its inertia and the frame it was given in.
// In: the model and a snapshot; out: the values of one row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

struct MeasuredBody {
    std::uint32_t id{0};
    Vec3 moments;     // principal [kg m2]
    Quat from_given;  // frame as given -> principal frame
};

/// The body of this name; none where the model names none so.
std::optional<MeasuredBody> find_body(const Model& model, const std::string& name);

/// Columns of a body, after its name: centre of mass, orientation of the frame as given, velocity, angular velocity, acceleration of the
/// centre [m/s2] and angular acceleration [rad/s2], all in the world frame.
const std::vector<std::string>& body_columns();

/// Their values; no values where the body is no longer there. Acceleration: force / mass + gravity; angular acceleration: of Euler's
/// equations, I alpha = torque - w x (I w).
std::vector<std::optional<double>> body_values(const MeasuredBody& body, const Snapshot& snapshot, const Vec3& gravity);

}  // namespace scree
