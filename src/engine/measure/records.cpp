#include "engine/measure/records.hpp"

#include <algorithm>

#include "engine/narrow/sphere_sphere.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/state/thickness.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

ContactRecord surface_record(const HostBodies& body, std::size_t i, const SurfaceGap& gap, std::int32_t wall, Vec3 force) {
    ContactRecord r;
    r.a = body.id[i];
    r.wall = wall;
    r.normal = gap.normal;
    r.overlap = body.radius[i] - gap.distance;
    r.overlap_ratio = r.overlap / body.radius[i];
    r.point = body.position[i] + gap.distance * gap.normal;
    r.force = force;
    return r;
}

SurfaceGap round_gap(const Cylinder& y, bool is_arc, Vec3 x) {
    if (!is_arc) return cylinder_gap(x, y.point, y.axis, y.radius, y.length, y.inside);
    return arc_gap(x, y.point, y.radius, y.middle, arc_cosine(y), arc_sine(y));
}

/// Surfaces on the host, and where they are.
struct HostSurfaces {
    std::vector<Vec3> point, normal;  // of planes
    const JoinedCylinders& round;
    bool arcs;
    std::vector<Pose> pose;           // of each wall
    std::vector<std::uint8_t> moved;  // whether it has one of its own

    HostSurfaces(const Model& model, State& state, Workspace& work)
        : point(work.walls.plane_point.host()),
          normal(work.walls.plane_normal.host()),
          round(work.walls.joined),
          arcs(work.walls.arcs),
          pose(wall_poses(model, state, work)) {
        for (const Wall& wall : model.walls) moved.push_back(moves(wall) ? 1 : 0);
    }

    /// Of a sphere at x to surface s of a class, where the wall began.
    SurfaceGap at_start(Partner partner, std::size_t s, Vec3 x) const {
        return partner == Partner::Plane ? plane_gap(x, point[s], normal[s]) : round_gap(round.cylinders[s], arcs, x);
    }
    /// A wall that moves is met in its own frame.
    SurfaceGap gap(Partner partner, std::size_t s, std::size_t wall, Vec3 x) const {
        if (moved[wall] == 0) return at_start(partner, s, x);
        const SurfaceGap found = at_start(partner, s, in_frame(pose[wall], x));
        return {rotate(pose[wall].turn, found.normal), found.distance};
    }
};

/// Those of one list.
void add_records(const HostBodies& body, const HostSurfaces& surfaces, Partner partner, ContactList& pairs,
                 const std::vector<std::int32_t>& wall_of, std::vector<ContactRecord>& records) {
    const std::vector<Slot> slot = pairs.a.host();
    const std::vector<std::int32_t> surface = pairs.b.host();
    const std::vector<Vec3T<Real>> force = pairs.contacts.force.host(), couple = pairs.contacts.couple.host();
    // Gaps to patches were found with their forces: who owns an edge is settled among all of a body's.
    const std::vector<Vec3> normal = pairs.normal.host();
    const std::vector<double> distance = pairs.distance.host();
    for (std::size_t p = 0; p < slot.size(); ++p) {
        const auto i = static_cast<std::size_t>(slot[p]), s = static_cast<std::size_t>(surface[p]);
        const std::int32_t wall = wall_of[s];
        const SurfaceGap gap = partner == Partner::Patch ? SurfaceGap{normal[p], distance[p]}
                                                         : surfaces.gap(partner, s, static_cast<std::size_t>(wall), body.position[i]);
        // Under the cone method a contact carries force at a gap within the solver's tolerance of zero, too.
        if (!(gap.distance < body.radius[i]) && norm2(force[p]) == Real(0)) continue;
        records.push_back(surface_record(body, i, gap, wall, cast<double>(force[p])));
        if (!couple.empty()) records.back().torque = cast<double>(couple[p]);
        if (partner == Partner::Cylinder) records.back().wall = surfaces.round.wall_at(wall, records.back().point);
    }
}

}  // namespace

namespace {

/// Values of all bodies and images; none where the field is not in use.
template <class T>
std::vector<T> with_images(const Array<T>& values, const Images& images) {
    std::vector<T> all(values.size() == 0 ? 0 : static_cast<std::size_t>(values.size() + images.count));
    if (!all.empty()) copy_to_host(all.data(), values.data(), all.size() * sizeof(T));
    return all;
}

}  // namespace

HostBodies::HostBodies(Bodies& b, const Images& images) : id(with_images(b.id, images)) {
    for (const Row4& r : with_images(b.position.rows, images)) {
        position.push_back({r.value[0], r.value[1], r.value[2]});
        radius.push_back(r.value[3]);
    }
}

std::vector<double> HostBodies::thicknesses(const Model& model, Bodies& b, const Images& images) {
    std::vector<double> thickness;
    for (const Row4& r : with_images(b.position.rows, images)) thickness.push_back(r.value[3]);
    const std::vector<std::int32_t> shape = with_images(b.shape, images);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] >= 0) thickness[i] *= thickness_share(model.shapes[static_cast<std::size_t>(shape[i])].inradius);
    }
    return thickness;
}

std::vector<ContactRecord> body_contact_records(State& state, const Workspace& work) {
    const HostBodies body(state.bodies, work.images);
    const std::vector<Slot> a = state.lists[kSpheres].a.host(), b = state.lists[kSpheres].b.host();
    const std::vector<Vec3T<Real>> force = state.lists[kSpheres].contacts.force.host(),
                                   couple = state.lists[kSpheres].contacts.couple.host();
    std::vector<ContactRecord> records;
    for (std::size_t p = 0; p < a.size(); ++p) {
        const auto i = static_cast<std::size_t>(a[p]), j = static_cast<std::size_t>(b[p]);
        const SphereGap<double> gap =
            sphere_gap<double>(relative_position(body.position[i], body.position[j]), body.radius[i], body.radius[j]);
        if (!(gap.delta > 0) && norm2(force[p]) == Real(0)) continue;
        ContactRecord r;
        r.a = body.id[i];
        r.b = body.id[j];
        r.normal = gap.normal;
        r.overlap = gap.delta;
        r.overlap_ratio = gap.delta / std::min(body.radius[i], body.radius[j]);
        r.point = body.position[i] + (body.radius[i] * gap.distance / (body.radius[i] + body.radius[j])) * gap.normal;
        r.force = cast<double>(force[p]);
        if (!couple.empty()) r.torque = cast<double>(couple[p]);
        records.push_back(r);
    }
    std::sort(records.begin(), records.end(),
              [](const ContactRecord& x, const ContactRecord& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return records;
}

std::vector<ContactRecord> wall_contact_records(const Model& model, State& state, Workspace& work) {
    const HostBodies body(state.bodies, work.images);
    const HostSurfaces surfaces(model, state, work);
    std::vector<ContactRecord> records;
    each_list(
        [&](const ListLayout& layout, ContactList& pairs) {
            if (layout.two_bodies() || layout.has_patch()) return;
            add_records(body, surfaces, layout.partner, pairs, work.walls.walls_of(layout.partner).host(), records);
        },
        state.lists);
    // Within a body the lists are in the order of classes and surfaces already: a stable sort by id keeps it.
    std::stable_sort(records.begin(), records.end(), [](const ContactRecord& x, const ContactRecord& y) { return x.a < y.a; });
    return records;
}

std::vector<Pose> wall_poses(const Model& model, const State& state, const Workspace& work) {
    std::vector<WallPlace> places;
    const WallMotions& motions = work.walls.motions;
    if (motions.any_carried || motions.any_servo) places = motions.place.host();
    std::vector<Pose> poses;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const std::int32_t carrier = model.walls[w].body;
        if (model.walls[w].motion.servo.on) {
            poses.push_back(places[w].pose);
        } else if (carrier < 0) {
            poses.push_back(pose_at(model.walls[w].motion, state.time));
        } else {
            poses.push_back(work.slot_of_id.at(carrier) < 0 ? Pose{} : places[w].pose);
        }
    }
    return poses;
}

std::vector<Wrench> wall_loads(const std::vector<ContactRecord>& records, std::size_t walls) {
    std::vector<Wrench> loads(walls);
    for (const ContactRecord& r : records) {
        Wrench& w = loads[static_cast<std::size_t>(r.wall)];
        w.force -= r.force;
        w.torque -= cross(r.point, r.force) + r.torque;
    }
    return loads;
}

std::vector<double> wall_powers(const Model& model, const Workspace& work, const std::vector<Wrench>& loads, double time) {
    std::vector<double> power(loads.size(), 0.0);
    const std::vector<WallPlace> places = work.walls.motions.any_servo ? work.walls.motions.place.host() : std::vector<WallPlace>{};
    for (std::size_t w = 0; w < loads.size(); ++w) {
        const Motion& motion = model.walls[w].motion;
        if (!motion.moves) continue;
        const RigidVelocity v = motion.servo.on ? places[w].now : velocity_of(motion, time);
        power[w] = 0.0 - dot(loads[w].force, velocity_at(v, {0, 0, 0})) - dot(loads[w].torque, v.angular);
    }
    return power;
}

}  // namespace scree::SCREE_FLAVOR
