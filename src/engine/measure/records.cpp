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

template <class GapOf, class WallOf>
void add_records(const HostBodies& body, ContactList& pairs, GapOf gap_of, WallOf wall_of, std::vector<ContactRecord>& records) {
    const std::vector<Slot> slot = pairs.a.host();
    const std::vector<std::int32_t> surface = pairs.b.host();
    const std::vector<Vec3T<Real>> force = pairs.contacts.force.host();
    for (std::size_t p = 0; p < slot.size(); ++p) {
        const auto i = static_cast<std::size_t>(slot[p]);
        const SurfaceGap gap = gap_of(p, static_cast<std::size_t>(surface[p]), body.position[i]);
        // Under the cone method a contact carries force at a gap within the solver's tolerance of zero, too.
        if (!(gap.distance < body.radius[i]) && norm2(force[p]) == Real(0)) continue;
        records.push_back(surface_record(body, i, gap, wall_of(static_cast<std::size_t>(surface[p])), cast<double>(force[p])));
    }
}

}  // namespace

std::vector<double> HostBodies::thicknesses(const Model& model, Bodies& b) {
    std::vector<double> thickness = b.position.host_companions();
    const std::vector<std::int32_t> shape = b.shape.host();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] >= 0) thickness[i] *= thickness_share(model.shapes[static_cast<std::size_t>(shape[i])].inradius);
    }
    return thickness;
}

std::vector<ContactRecord> body_contact_records(State& state) {
    const HostBodies body(state.bodies);
    const std::vector<Slot> a = state.lists[kSpheres].a.host(), b = state.lists[kSpheres].b.host();
    const std::vector<Vec3T<Real>> force = state.lists[kSpheres].contacts.force.host();
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
        records.push_back(r);
    }
    std::sort(records.begin(), records.end(),
              [](const ContactRecord& x, const ContactRecord& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return records;
}

std::vector<ContactRecord> wall_contact_records(const Model& model, State& state, Workspace& work) {
    const HostBodies body(state.bodies);
    std::vector<ContactRecord> records;
    std::vector<std::int32_t> plane_wall;
    std::vector<Plane> planes;
    const JoinedCylinders& round = work.walls.joined;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        for (const Plane& p : model.walls[w].planes) {
            planes.push_back(p);
            plane_wall.push_back(static_cast<std::int32_t>(w));
        }
    }
    // A wall that moves is met in its own frame.
    const std::vector<Pose> pose = wall_poses(model, state, work);
    const auto met_in_frame = [&](std::int32_t wall, Vec3 c, auto gap_of) {
        const auto w = static_cast<std::size_t>(wall);
        if (!moves(model.walls[w])) return gap_of(c);
        const SurfaceGap gap = gap_of(in_frame(pose[w], c));
        return SurfaceGap{rotate(pose[w].turn, gap.normal), gap.distance};
    };
    add_records(
        body, state.lists[kPlanes],
        [&](std::size_t, std::size_t s, Vec3 c) {
            return met_in_frame(plane_wall[s], c, [&](Vec3 x) { return plane_gap(x, planes[s].point, planes[s].normal); });
        },
        [&](std::size_t s) { return plane_wall[s]; }, records);
    add_records(
        body, state.lists[kCylinders],
        [&](std::size_t, std::size_t s, Vec3 c) {
            return met_in_frame(round.wall[s], c, [&](Vec3 x) { return round_gap(round.cylinders[s], model.dimensions == 2, x); });
        },
        [&](std::size_t s) { return round.wall[s]; }, records);
    for (ContactRecord& r : records) r.wall = round.wall_at(r.wall, r.point);
    const std::vector<Vec3> normal = state.lists[kMeshes].normal.host();
    const std::vector<double> distance = state.lists[kMeshes].distance.host();
    const std::vector<std::int32_t> patch_wall = work.walls.patch_wall.host();
    add_records(
        body, state.lists[kMeshes],
        [&](std::size_t p, std::size_t, Vec3) {
            return SurfaceGap{normal[p], distance[p]};
        },
        [&](std::size_t s) { return patch_wall[s]; }, records);
    // Within a body the lists are in the order of classes and surfaces already: a stable sort by id keeps it.
    std::stable_sort(records.begin(), records.end(), [](const ContactRecord& x, const ContactRecord& y) { return x.a < y.a; });
    return records;
}

std::vector<Pose> wall_poses(const Model& model, const State& state, const Workspace& work) {
    std::vector<WallPlace> places;
    if (work.walls.motions.any_carried) places = work.walls.motions.place.host();
    std::vector<Pose> poses;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const std::int32_t carrier = model.walls[w].body;
        if (carrier < 0) {
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

std::vector<double> wall_powers(const Model& model, const std::vector<Wrench>& loads, double time) {
    std::vector<double> power(loads.size(), 0.0);
    for (std::size_t w = 0; w < loads.size(); ++w) {
        if (!model.walls[w].motion.moves) continue;
        const RigidVelocity v = velocity_of(model.walls[w].motion, time);
        power[w] = 0.0 - dot(loads[w].force, velocity_at(v, {0, 0, 0})) - dot(loads[w].torque, v.angular);
    }
    return power;
}

}  // namespace scree::SCREE_FLAVOR
