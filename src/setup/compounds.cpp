#include "setup/compounds.hpp"

#include <algorithm>

#include "model/symmetric3.hpp"

namespace scree {

Compound compound_of(const std::string& name, const Solid& solid, Vec3 centre, const Mat3& inertia, const Model& model) {
    const Axes3 axes = principal_axes(inertia);
    const double radius = bounding_radius(solid, centre, model), R = radius > 0.0 ? radius : 1.0;
    Compound compound;
    ConvexShape& shape = compound.shape;
    shape.name = name;
    shape.bounding_radius = R;
    shape.to_given = conjugate(quaternion_of(axes.axis));
    shape.centre = centre;
    shape.volume = solid.volume / (R * R * R);
    shape.inertia = axes.value / (R * R);
    shape.box_min = {-1, -1, -1};
    shape.box_max = {1, 1, 1};
    for (const Part& part : solid.parts) {
        const Vec3 offset = rotate(conjugate(shape.to_given), part.pose.shift - centre) / R;
        compound.members.push_back({offset, normalized(conjugate(shape.to_given) * part.pose.turn), part.radius / R, part.shape});
    }
    return compound;
}

Compound compound_of(const std::string& name, const Solid& solid, const Model& model) {
    Mat3 inertia = solid.inertia;
    for (Vec3& row : inertia.row) row = row / solid.volume;
    return compound_of(name, solid, solid.centre, inertia, model);
}

void add_compound(BodyTable& bodies, std::int32_t index, const std::vector<Member>& members, const CompoundStart& start) {
    const auto add = [&](Vec3 at, Quat q, Vec3 v, double radius, std::int32_t shape) {
        bodies.position.push_back(at);
        bodies.velocity.push_back(v);
        bodies.angular_velocity.push_back(start.angular_velocity);
        bodies.radius.push_back(radius);
        bodies.mass.push_back(start.mass);
        bodies.material.push_back(start.material);
        bodies.shape.push_back(shape);
        bodies.orientation.push_back(q);
    };
    complete_owners(bodies);
    const std::int32_t owner = static_cast<std::int32_t>(bodies.size());
    add(start.position, start.orientation, start.velocity, start.radius, index);
    bodies.owner.resize(bodies.size(), BodyTable::no_owner);
    bodies.offset.resize(bodies.size());
    bodies.offset_turn.resize(bodies.size());
    for (const Member& member : members) {
        const Vec3 offset = start.radius * member.offset, arm = rotate(start.orientation, offset);
        add(start.position + arm, normalized(start.orientation * member.turn), start.velocity + cross(start.angular_velocity, arm),
            start.radius * member.radius, member.shape);
        bodies.owner.push_back(owner);
        bodies.offset.push_back(offset);
        bodies.offset_turn.push_back(member.turn);
    }
}

void complete_owners(BodyTable& bodies) {
    bodies.owner.resize(bodies.size(), BodyTable::no_owner);
    bodies.offset.resize(bodies.size());
    bodies.offset_turn.resize(bodies.size());
}

}  // namespace scree
