// What the searches for points of pairs with polyhedra have in common: where they read bodies, how far they look, where points are kept.
#pragma once

#include "engine/cone/points/contact_geometry.hpp"
#include "engine/narrow/passing.hpp"
#include "engine/narrow/planar_points.hpp"
#include "engine/state/reach.hpp"

namespace scree::SCREE_FLAVOR {

struct PointSearch {
    BodyView body;
    ShapeView shapes;
    double envelope, dt;
    bool planar;
    ContactPoints<Real>* points;
    std::int32_t* count;
    const WallPlace* places;  // of walls; null: all stand
    Gate gate;                // of the kernels that search

    SCREE_HD double reach(Index i, Index j) const {
        const double turn = (body.is_sphere(i) ? 0.0 : norm(body.angular_velocity[i]) * body.radius[i]) +
                            (body.is_sphere(j) ? 0.0 : norm(body.angular_velocity[j]) * body.radius[j]);
        return contact_reach(envelope, dt * (norm(body.velocity[j] - body.velocity[i]) + turn));
    }
    SCREE_HD double reach_to_wall(Index i, std::int32_t wall) const {
        return contact_reach(envelope, dt * fastest_point(body, i, places == nullptr ? nullptr : &places[wall]));
    }

    SCREE_HD RigidVelocity velocity_of(Index i) const {
        return {body.position[i], body.velocity[i], body.is_sphere(i) ? Vec3{} : body.angular_velocity[i]};
    }
    /// Motion of `b` against body i in the step, about the centre of i; the slack is of a body of this thickness.
    SCREE_HD Way<Real> way(Index i, const RigidVelocity& b, double thickness) const {
        const RigidVelocity a = velocity_of(i);
        return {cast<Real>(dt * (velocity_at(b, a.at) - a.velocity)), cast<Real>(dt * (b.angular - a.angular)),
                static_cast<Real>(Way<Real>::share * thickness)};
    }
    SCREE_HD Way<Real> way(Index i, Index j) const { return way(i, velocity_of(j), thickness_of(body, shapes, i, j)); }
    SCREE_HD Way<Real> way_to_wall(Index i, std::int32_t wall) const {
        return way(i, places == nullptr ? RigidVelocity{} : velocity_in(&places[wall].mid), thickness_of(body, shapes, i));
    }
};

SCREE_HD void keep(const PointSearch& s, Index p, const ContactPoints<Real>& found) {
    s.count[p] = found.count;
    if (found.count > 0) s.points[p] = found;
}
/// Points as the model's space has them. `size` [m]: bounding radius of the pair's smaller body.
SCREE_HD ContactPoints<Real> in_space(const PointSearch& s, const ContactPoints<Real>& found, double size) {
    return s.planar ? planar_points(found, static_cast<Real>(size)) : found;
}
SCREE_HD double smaller(const BodyView& body, Index i, Index j) {
    return body.radius[i] < body.radius[j] ? body.radius[i] : body.radius[j];
}

/// Points of two polyhedra, from where `placed`, filled here, has them.
void find_pair_points(State& state, Workspace& work, const PointSearch& s, Array<PlacedBody>& placed);
/// Points of a polyhedron and the patches of meshes; its cost is that of its largest shape.
void find_mesh_points(const Model& model, State& state, Workspace& work, const PointSearch& s);
/// Points of a polyhedron and cylinders or arcs.
void find_cylinder_points(State& state, Workspace& work, const PointSearch& s);

}  // namespace scree::SCREE_FLAVOR
