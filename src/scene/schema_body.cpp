// The table body: one rigid body with a name, which joints, walls and measures refer to.
#include <fmt/format.h>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {
namespace {

void check_body(SceneBody& body, const TableReading& reading) {
    if (body.shape.empty()) {
        for (const char* key : {"mass", "inertia"})
            if (!reading.has(key)) throw Error(reading.place, fmt::format("[[body]] without a shape needs \"{}\"", key));
        if (reading.has("centre")) reading.fail("centre", "does not apply without a shape: position is the centre of mass then");
    } else if (body.material.empty()) {
        throw Error(reading.place, "[[body]] with a shape needs \"material\"");
    }
    body.orientation = settled_orientation(body.orientation, body.rotation_axis, body.rotation_angle, reading);
    if (body.inertia.empty()) return;
    const std::string problem = problem_of_inertia(body.inertia);
    if (!problem.empty()) reading.fail("inertia", problem);
}

}  // namespace

TablePtr body_table() {
    TableOf<SceneBody> t("[[body]]", "One rigid body with a name; in three dimensions.");
    t.key("name", Type::Name, &SceneBody::name, "Name, for joints, walls and measures; `ground` is taken.").required();
    t.key("shape", Type::Name, &SceneBody::shape, "Shape of one size; left out, nothing touches the body.").reference("shape");
    t.key("material", Type::Name, &SceneBody::material, "Material; required with a shape.").reference("material");
    t.vector("position", &SceneBody::position, Dimension::Length,
             "Where the origin of the frame is in which the shape is given; without a shape the centre of mass.");
    add_turn_keys(t, &SceneBody::orientation, &SceneBody::rotation_axis, &SceneBody::rotation_angle,
                  "Quaternion that turns the frame in which the shape is given into the world, of any length but 0.");
    t.vector("velocity", &SceneBody::velocity, Dimension::Velocity, "Velocity of the centre of mass at the start.");
    t.vector("angular_velocity", &SceneBody::angular_velocity, Dimension::AngularVelocity,
             "Angular velocity at the start, along the world's axes.");
    t.number("mass", &SceneBody::mass, Dimension::Mass, "Mass; required without a shape.").above(0).otherwise("that of the shape");
    t.key("inertia", Type::Numbers, &SceneBody::inertia,
          "Entries xx, yy, zz, or xx, yy, zz, xy, xz, yz of the inertia tensor about the centre of mass, along the axes of the shape's "
          "frame.")
        .from(3)
        .to(6)
        .otherwise("that of the shape, scaled by mass")
        .dimension = Dimension::Inertia;
    t.vector("centre", &SceneBody::centre, Dimension::Length,
             "Centre of mass in the shape's frame; the inertia about it is the one given, or the shape's as it is.")
        .otherwise("that of the shape");
    t.key("collide", Type::Flag, &SceneBody::collide, "Whether its surfaces touch anything.");
    t.place(&SceneBody::place);
    t.check(check_body);
    return t.build();
}

}  // namespace scree
