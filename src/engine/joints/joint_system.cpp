#include "engine/joints/joint_system.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/joints/joint_parts.hpp"

namespace scree {

namespace {

JointBody start_of(const Model& model, std::size_t id) {
    const BodyTable& bodies = model.bodies;
    const double m = bodies.mass[id], r = bodies.radius[id];
    const std::int32_t shape = bodies.shape[id];
    const Vec3 inertia = shape < 0 ? Vec3{0.4, 0.4, 0.4} : model.shapes[static_cast<std::size_t>(shape)].inertia;
    return {bodies.position[id], bodies.orientation[id], {bodies.velocity[id], bodies.angular_velocity[id]}, 1 / m, (m * r * r) * inertia};
}

void check(const Model& model) {
    const auto wrong = [](const Joint& joint, const char* what) { throw Error("joint '" + joint.name + "': " + what); };
    const auto count = static_cast<std::int32_t>(model.bodies.size());
    const auto joints = static_cast<std::int32_t>(model.joints.size());
    for (const Joint& joint : model.joints) {
        if (coupling_kind(joint.kind) != nullptr) {
            for (std::int32_t other : {joint.first, joint.second}) {
                if (other < 0 || other >= joints) wrong(joint, "couples a joint that is not there");
                if (holding_kind(model.joints[static_cast<std::size_t>(other)].kind) == nullptr) wrong(joint, "couples a gear or rack");
            }
            continue;
        }
        if (std::min(joint.a, joint.b) < Joint::ground || std::max(joint.a, joint.b) >= count)
            wrong(joint, "joins a body that is not there");
        if (joint.a == joint.b) wrong(joint, "joins a body with itself");
    }
}

/// Dampers on each body.
std::vector<double> dampers_at(const std::vector<Joint>& joints, std::size_t bodies, const std::vector<std::uint32_t>& ids) {
    std::vector<double> count(bodies, 0.0);
    for (const Joint& joint : joints) {
        const double dampers = (joint.angle_spring.damping != 0 ? 1 : 0) + (joint.travel_spring.damping != 0 ? 1 : 0);
        for (std::int32_t id : {joint.a, joint.b}) {
            if (id < 0 || dampers == 0) continue;
            const auto at = std::lower_bound(ids.begin(), ids.end(), static_cast<std::uint32_t>(id));
            count[static_cast<std::size_t>(at - ids.begin())] += dampers;
        }
    }
    return count;
}

}  // namespace

std::vector<JointPart> JointSystem::Parts::measured_parts(const std::vector<Joint>& joints, const std::vector<Link>& links) {
    std::vector<JointPart> parts;
    std::int32_t held = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const Joint& joint = joints[j];
        JointPart part;
        part.kind = joint.kind;
        part.frames = {joint.frame_a, joint.frame_b, joint.length};
        part.a = links[j].a;
        part.b = links[j].b;
        part.first_held = held;
        if (const HoldingKind* kind = links[j].holding; kind != nullptr) {
            part.travels = kind->travels;
            held += kind->rows;
        }
        if (const CouplingKind* kind = links[j].coupling; kind != nullptr) {
            part.couples = true;
            part.second_travels = kind->second_travels;
            part.first = joint.first;
            part.second = joint.second;
            part.weight = kind->weight_of_first(joint.ratio);
        }
        parts.push_back(part);
    }
    return parts;
}

JointSystem::JointSystem(const Model& model) : parts_(std::make_unique<Parts>()) {
    check(model);
    Parts& p = *parts_;
    p.joints = model.joints;
    const std::size_t count = p.joints.size();
    for (const Joint& joint : p.joints) {
        if (coupling_kind(joint.kind) != nullptr) continue;
        for (std::int32_t id : {joint.a, joint.b}) {
            if (id >= 0) p.ids.push_back(static_cast<std::uint32_t>(id));
        }
    }
    std::sort(p.ids.begin(), p.ids.end());
    p.ids.erase(std::unique(p.ids.begin(), p.ids.end()), p.ids.end());
    for (std::uint32_t id : p.ids) p.bodies.push_back(start_of(model, id));
    const std::vector<double> crowd = dampers_at(p.joints, p.bodies.size(), p.ids);
    for (const Joint& joint : p.joints) {
        Parts::Link link;
        link.holding = holding_kind(joint.kind);
        link.coupling = coupling_kind(joint.kind);
        if (link.coupling != nullptr) {
            p.links.push_back(link);
            continue;
        }
        p.size = std::max(p.size, joint.length);
        const auto use = [&](std::int32_t id, const Pose& frame) {
            if (id < 0) return id;
            const auto k = std::lower_bound(p.ids.begin(), p.ids.end(), static_cast<std::uint32_t>(id)) - p.ids.begin();
            const JointBody& body = p.bodies[static_cast<std::size_t>(k)];
            const double gyration2 = std::max({body.moments.x, body.moments.y, body.moments.z}) * body.inverse_mass;
            p.size = std::max({p.size, norm(frame.shift), std::sqrt(gyration2)});
            link.crowd += std::max(0.0, crowd[static_cast<std::size_t>(k)] - 1);
            return static_cast<std::int32_t>(k);
        };
        link.a = use(joint.a, joint.frame_a);
        link.b = use(joint.b, joint.frame_b);
        p.links.push_back(link);
    }
    p.places.resize(count);
    p.coordinates.resize(count);
    p.moved.resize(count);
    p.angle.assign(count, 0.0);
    p.angle_rate.resize(count);
    p.travel_rate.resize(count);
    p.effort.assign(2 * count, 0.0);
    p.measured = Parts::measured_parts(p.joints, p.links);
    p.poses_now();
    p.find_images(cell_of(model));
    p.look();
    p.find_meshes();
    for (std::size_t j = 0; j < count; ++j) p.moved[j] = {p.coordinates[j].angle.value, p.coordinates[j].travel.value};
    for (JointPart& part : p.measured) part.coupled_at = part.couples ? coupled_sum(part, p.moved.data()) : 0.0;
    p.hold();
    p.drive(0);
    p.solver.analyse(p.bilateral, p.bodies.size());
}

JointSystem::~JointSystem() = default;
JointSystem::JointSystem(JointSystem&&) noexcept = default;

bool JointSystem::any() const {
    return !parts_->joints.empty();
}
const std::vector<std::uint32_t>& JointSystem::ids() const {
    return parts_->ids;
}
std::vector<JointBody>& JointSystem::bodies() {
    return parts_->bodies;
}
const std::vector<JointBody>& JointSystem::bodies() const {
    return parts_->bodies;
}
const std::vector<JointRow>& JointSystem::bilateral() const {
    return parts_->bilateral;
}
const std::vector<JointRow>& JointSystem::bounded() const {
    return parts_->bounded;
}
const std::vector<RowInfo>& JointSystem::bilateral_info() const {
    return parts_->bilateral_info;
}
const std::vector<JointPart>& JointSystem::parts() const {
    return parts_->measured;
}
const std::vector<double>& JointSystem::angles() const {
    return parts_->angle;
}
const RowBlocks& JointSystem::blocks() const {
    return parts_->solver.blocks();
}
void JointSystem::inverse(RowInverse& out) const {
    parts_->solver.inverse(parts_->bilateral, parts_->bodies.size(), out);
}
void JointSystem::cut(const BlockLimits& limits) {
    parts_->solver.cut(parts_->bilateral, parts_->bodies.size(), limits);
}
Wrench JointSystem::applied(std::size_t k) const {
    return parts_->applied[k];
}
double JointSystem::size() const {
    return parts_->size;
}

void JointSystem::evaluate(double time, double dt) {
    Parts& p = *parts_;
    p.dt = dt;
    p.poses_now();
    p.look();
    p.remember_rates(time);
    p.hold();
    p.drive(time);
    p.look_ahead();
    p.solver.factorise(p.bilateral, p.bodies);
    p.apply(time);
}

void JointSystem::project(std::vector<Twist>& v, bool with_bias, std::vector<double>* impulse) const {
    parts_->solver.project(parts_->bilateral, v, with_bias, impulse);
}

double JointSystem::correct(const std::vector<Twist>& v, double dt) {
    look_after(v, dt);
    Parts& p = *parts_;
    double largest = 0;
    for (std::size_t i = 0; i < p.bilateral.size(); ++i) {
        p.bilateral[i].bias += p.miss[i] / dt;
        largest = std::max(largest, std::fabs(p.miss[i]) / (p.bilateral[i].is_length() ? p.size : 1.0));
    }
    return largest;
}

void JointSystem::look_after(const std::vector<Twist>& v, double dt) {
    Parts& p = *parts_;
    p.dt = dt;
    p.poses_after(&v);
    p.measure(p.miss, p.bounded_miss);
    p.missed.assign(p.joints.size(), 0.0);
    const auto note = [&](const JointRow& row, double miss) {
        double& most = p.missed[static_cast<std::size_t>(row.joint)];
        most = std::max(most, miss);
    };
    for (std::size_t i = 0; i < p.bounded.size(); ++i) {
        if (p.bounded_info[i].role == RowRole::Stop) note(p.bounded[i], -p.bounded_miss[i]);
    }
    for (std::size_t i = 0; i < p.bilateral.size(); ++i) note(p.bilateral[i], std::fabs(p.miss[i]));
}

void JointSystem::drive(std::size_t joint, bool along, const TimeFunction& value) {
    Joint& of = parts_->joints.at(joint);
    (along ? of.travel_motor : of.angle_motor).value = value;
}
const std::vector<double>& JointSystem::missed() const {
    return parts_->missed;
}

double JointSystem::Parts::rate_now(std::size_t joint, const Gradient& g) const {
    const Twist a = twist_of(links[joint].a), b = twist_of(links[joint].b);
    return dot(g.linear_a, a.velocity) + dot(g.angular_a, a.angular) + dot(g.linear_b, b.velocity) + dot(g.angular_b, b.angular);
}

void JointSystem::Parts::poses_now() {
    poses.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) poses[k] = {bodies[k].orientation, bodies[k].position};
}

void JointSystem::Parts::poses_after(const std::vector<Twist>* v) {
    poses.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) poses[k] = drifted(bodies[k], v != nullptr ? (*v)[k] : bodies[k].now, dt);
}

void JointSystem::Parts::look() {
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (links[j].holding == nullptr) continue;
        places[j] = place_joint(measured[j].frames, pose_of(links[j].a), pose_of(links[j].b));
        coordinates[j] = {turn_about_axis(places[j]), travel_of(places[j], along_axis(j))};
        angle[j] = unwrapped(coordinates[j].angle.value, angle[j]);
        coordinates[j].angle.value = angle[j];
    }
}

void JointSystem::Parts::remember_rates(double time) {
    if (time == last_time) return;
    const bool first = last_time == -std::numeric_limits<double>::infinity();
    const auto remember = [&](RateHistory& history, std::size_t j, const Row& x) {
        const double rate = first ? rate_now(j, x.gradient) : (x.value - history.value) / (time - last_time);
        history = {x.value, rate, first ? rate : history.now};
    };
    for (std::size_t j = 0; j < joints.size(); ++j) {
        remember(angle_rate[j], j, coordinates[j].angle);
        remember(travel_rate[j], j, coordinates[j].travel);
    }
    last_time = time;
}

void JointSystem::Parts::measure(std::vector<double>& of_bilateral, std::vector<double>& of_bounded) {
    of_bilateral.resize(bilateral.size());
    of_bounded.resize(bounded.size());
    held.resize(bilateral.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const JointPart& part = measured[j];
        if (!part.couples) moved[j] = measure_joint(part, pose_of(part.a), pose_of(part.b), angle[j], held.data() + part.first_held);
    }
    const auto missed = [&](const RowInfo& row) { return missed_by(row, measured.data(), moved.data(), held.data()); };
    for (std::size_t i = 0; i < bilateral.size(); ++i) of_bilateral[i] = missed(bilateral_info[i]);
    for (std::size_t i = 0; i < bounded.size(); ++i) of_bounded[i] = missed(bounded_info[i]);
}

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Adds a term of a coupling: to a body that the row has already, or as one more.
void add_term(JointRow& row, std::int32_t body, Vec3 linear, Vec3 angular) {
    if (body < 0) return;
    if (row.a == body) {
        row.linear_a += linear;
        row.angular_a += angular;
    } else if (row.b == body) {
        row.linear_b += linear;
        row.angular_b += angular;
    } else if (row.c < 0) {
        row.c = body;
        row.linear_c = linear;
        row.angular_c = angular;
    } else {
        row.d = body;
        row.linear_d = linear;
        row.angular_d = angular;
    }
}

}  // namespace

void JointSystem::Parts::hold() {
    bilateral.clear();
    bilateral_info.clear();
    bounded.clear();
    bounded_info.clear();
    Row rows[most_rows];
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const HoldingKind* kind = links[j].holding;
        if (kind == nullptr) continue;
        kind->place(places[j], rows);
        for (int k = 0; k < kind->rows; ++k) {
            bilateral.push_back(row_of(j, rows[k].gradient, 1, -unbounded, unbounded));
            bilateral_info.push_back({RowRole::Held, false, 1, 0, static_cast<std::int32_t>(j), measured[j].first_held + k});
        }
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (links[j].coupling == nullptr) continue;
        const auto first = static_cast<std::size_t>(joints[j].first), second = static_cast<std::size_t>(joints[j].second);
        JointRow row =
            links[j].meshes ? meshing_row(j) : row_of(first, coordinates[first].angle.gradient, measured[j].weight, -unbounded, unbounded);
        if (!links[j].meshes) {
            const Gradient& g = coordinates[second].of(links[j].coupling->second_travels).gradient;
            add_term(row, links[second].a, g.linear_a, g.angular_a);
            add_term(row, links[second].b, g.linear_b, g.angular_b);
        }
        row.joint = static_cast<std::int32_t>(j);
        bilateral.push_back(row);
        bilateral_info.push_back({RowRole::Coupled, false, 1, 0, static_cast<std::int32_t>(j), -1});
    }
}

void JointSystem::Parts::find_images(const Cell& cell) {
    if (!cell.any()) return;
    for (JointPart& part : measured) {
        if (part.couples) continue;
        const JointPlace at = place_joint(part.frames, pose_of(part.a), pose_of(part.b));
        part.frames.image = cell.shift(cell.nearest_step(at.between()));
    }
}

void JointSystem::Parts::find_meshes() {
    for (std::size_t j = 0; j < joints.size(); ++j) {
        Link& link = links[j];
        if (link.coupling == nullptr) continue;
        const auto first = static_cast<std::size_t>(joints[j].first), second = static_cast<std::size_t>(joints[j].second);
        if (!meshes(joints[j].kind, joints[first].kind, joints[second].kind)) continue;
        if (std::fabs(dot(places[first].axis_a[Z], places[second].axis_a[Z])) > 0.01) continue;
        const Link &pinion = links[first], &rack = links[second];
        for (const bool pinion_is_a : {false, true}) {
            for (const bool rack_is_a : {false, true}) {
                if (link.meshes || (pinion_is_a ? pinion.b : pinion.a) != (rack_is_a ? rack.b : rack.a)) continue;
                if ((pinion_is_a ? pinion.a : pinion.b) < 0 || (rack_is_a ? rack.a : rack.b) < 0) continue;
                link.meshes = true;
                link.pinion_is_a = pinion_is_a;
                link.rack_is_a = rack_is_a;
            }
        }
    }
}

JointRow JointSystem::Parts::meshing_row(std::size_t joint) const {
    const Link& link = links[joint];
    const auto first = static_cast<std::size_t>(joints[joint].first), second = static_cast<std::size_t>(joints[joint].second);
    const JointPlace &at = places[first], &on = places[second];
    // Angle and travel are those of B against A: of the other sign where the pinion, or the rack, is A.
    const Vec3 axis = at.axis_a[Z], along = (link.rack_is_a ? -1.0 : 1.0) * on.axis_a[Z];
    const double skew = dot(axis, along), turn = link.pinion_is_a ? -joints[joint].ratio : joints[joint].ratio;
    const Vec3 point = (link.pinion_is_a ? at.point_a : at.point_b) + (turn / (1 - skew * skew)) * cross(along, axis);
    // In a periodic domain the two joints may have their shared base at different images.
    const Vec3 bases = (link.pinion_is_a ? at.centre_b : at.centre_a) - (link.rack_is_a ? on.centre_b : on.centre_a);
    JointRow row;
    row.a = link.pinion_is_a ? links[first].a : links[first].b;
    row.linear_a = -along;
    row.angular_a = -cross(point - (link.pinion_is_a ? at.centre_a : at.centre_b), along);
    row.b = link.rack_is_a ? links[second].a : links[second].b;
    row.linear_b = along;
    row.angular_b = cross(point - ((link.rack_is_a ? on.centre_a : on.centre_b) + bases), along);
    row.low = -unbounded;
    row.high = unbounded;
    return row;
}

JointRow JointSystem::Parts::row_of(std::size_t joint, const Gradient& g, double sign, double low, double high) const {
    JointRow row;
    row.a = links[joint].a;
    row.b = links[joint].b;
    row.linear_a = sign * g.linear_a;
    row.angular_a = sign * g.angular_a;
    row.linear_b = sign * g.linear_b;
    row.angular_b = sign * g.angular_b;
    row.low = low;
    row.high = high;
    row.joint = static_cast<std::int32_t>(joint);
    return row;
}

void JointSystem::Parts::look_ahead() {
    poses_after(nullptr);
    measure(miss, bounded_miss);
    const auto set = [&](std::vector<JointRow>& rows, const std::vector<double>& ahead) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double rate = 0;
            for (int k = 0; k < row_terms; ++k) {
                const RowTerm t = term_of(rows[i], k);
                const Twist now = twist_of(t.body);
                rate += dot(t.linear, now.velocity) + dot(t.angular, now.angular);
            }
            rows[i].bias = ahead[i] / dt - rate;
        }
    };
    set(bilateral, miss);
    set(bounded, bounded_miss);
}

}  // namespace scree
