// Solids -> compounds: a template without faces for mass and inertia, and members that carry the surfaces.
#pragma once

#include <string>
#include <vector>

#include "setup/solids.hpp"

namespace scree {

/// A collider in the principal frame of its compound, lengths over the compound's bounding radius.
struct Member {
    Vec3 offset;
    Quat turn;  // member's principal frame -> that of the compound
    double radius{0};
    std::int32_t shape{BodyTable::sphere_shape};
};

struct Compound {
    ConvexShape shape;  // without faces; its bounding radius is 1 m where there is no part
    std::vector<Member> members;
};

/// The compound of a solid: principal axes of `inertia`, the tensor about `centre` in the solid's frame over mass [m2].
Compound compound_of(const std::string& name, const Solid& solid, Vec3 centre, const Mat3& inertia, const Model& model);
/// The same with the solid's own centre and inertia.
Compound compound_of(const std::string& name, const Solid& solid, const Model& model);

/// One compound as it starts.
struct CompoundStart {
    Vec3 position;     // of the centre of mass [m]
    Quat orientation;  // principal frame -> world
    double radius{0};  // bounding [m]
    double mass{0};    // [kg]
    std::int32_t material{0};
    Vec3 velocity, angular_velocity;
};

/// Appends a compound, then its members, which move with it and have its mass; `index`: of its template in the model.
void add_compound(BodyTable& bodies, std::int32_t index, const std::vector<Member>& members, const CompoundStart& start);

/// Gives every entry an owner, an offset and a turn where any entry has one: what the model promises.
void complete_owners(BodyTable& bodies);

}  // namespace scree
