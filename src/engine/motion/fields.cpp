#include "engine/motion/fields.hpp"

#include <algorithm>
#include <cmath>

#include "engine/motion/members.hpp"
#include "engine/motion/moves.hpp"
#include "engine/state/flags.hpp"
#include "engine/state_fields.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double pi = 3.14159265358979324;

SCREE_HD Vec3 value_at(const FunctionView (&f)[3], double t) {
    return {scree::value_at(f[0], t), scree::value_at(f[1], t), scree::value_at(f[2], t)};
}

struct FieldKicks {
    BodyView body;
    ShapeView shapes;
    const double* volume;  // of bodies [m3]; null where no medium asks for it
    double* work;          // null where no account is kept
    const MediumView* media;
    Index count;
    FunctionView acceleration[3];
    MotionSettings motion;
    bool shifts;   // places too; not of joined bodies, whose joints say where they are
    bool at_once;  // a step of the cone method
    Cell cell;
    const std::int64_t* finished;
    const Vec3 *force, *torque;  // of callers, by id; null where nobody pushes
};

/// What a body is in, at a place and a time.
struct Surroundings {
    Vec3 x;              // in the domain [m]
    double begin, half;  // of the step; in its middle [s]
    double mass, volume, radius;

    SCREE_HD bool holds(const MediumView& medium) const {
        return begin >= medium.from && begin < medium.to && (medium.everywhere || medium.region.contains(x));
    }
};

/// v after the time h among media and under a steady pull: each medium's rate is held but that of the quadratic law, which is that of its
/// own exact solution.
SCREE_HD Vec3 relaxed(const FieldKicks& k, const Surroundings& at, Vec3 v, Vec3 pull, double h) {
    double rate = 0;
    Vec3 towards;
    for (Index m = 0; m < k.count; ++m) {
        const MediumView& medium = k.media[m];
        if (!at.holds(medium)) continue;
        const Vec3 u = value_at(medium.velocity, at.half);
        double own = drag_rate(medium, at.radius, at.mass, norm(v - u));
        if (medium.law == DragLaw::Quadratic) own = std::log1p(own * h) / h;
        rate += own;
        towards += own * u;
    }
    const double taken = -std::expm1(-rate * h);
    return (1 - taken) * v + (rate * h > 1e-12 ? taken / rate : h) * (towards + pull);
}

/// Twice the energy of its spin [J].
SCREE_HD double spin_energy2(const BodyView& body, Index i) {
    if (!body.is_sphere(i)) return dot(body.angular_momentum[i], body.angular_velocity[i]);
    const double inverse = body.inverse_inertia[i];
    return inverse > 0 ? norm2(body.angular_velocity[i]) / inverse : 0.0;
}

/// For a step. rate [1/s]; couple: torque over spin [N m s].
SCREE_HD void slow_spin(const FieldKicks& k, Index i, double rate, double couple) {
    const BodyView& body = k.body;
    const double dt = k.motion.dt;
    if (body.is_sphere(i)) {
        body.angular_velocity.set(i, std::exp(-(rate + couple * body.inverse_inertia[i]) * dt) * body.angular_velocity[i]);
        return;
    }
    // The couple of a ball with the least of its moments: exact of what is round in its moments, and overdone by no step.
    const Vec3 moments = moments_of(body, k.shapes, i), L = body.angular_momentum[i];
    const double yz = moments.y < moments.z ? moments.y : moments.z, least = moments.x < yz ? moments.x : yz;
    const Vec3 against = (-std::expm1(-couple * dt / least) * least / dt) * body.angular_velocity[i];
    kick_polyhedron(body, k.shapes, i, (std::expm1(-rate * dt) / dt) * L - against, dt);
}

/// What a caller's torque does to body i in a step: half a kick, the turn of a step, and the same in reverse. The turn has been made with
/// the spin as it was before, so the orientation is put right for the first half, where bodies are turned before contacts come (`shifts`).
SCREE_HD void turn_by(const FieldKicks& k, Index i, Vec3 torque) {
    const BodyView& body = k.body;
    const double h = k.motion.dt;
    const Vec3 before = body.angular_velocity[i];
    if (body.is_sphere(i)) {
        body.angular_velocity.set(i, before + (h * body.inverse_inertia[i]) * torque);
    } else {
        kick_polyhedron(body, k.shapes, i, torque, h);
    }
    if (k.at_once || !k.shifts || body.orientation.w == nullptr) return;
    const Vec3 missed = (0.5 * h) * (body.angular_velocity[i] - before);
    body.orientation.set(i, normalized(rotation_by(missed) * body.orientation[i]));
    if (!body.is_sphere(i)) kick_polyhedron(body, k.shapes, i, {}, 0.0);  // its spin where it is now
}

/// Half of what pulls and half of what media take, the drift, and the same in reverse: the drift has been made with the velocity as it was
/// before, so the place is put right for the first half. Under the cone method, which moves bodies by velocities that its contacts allow
/// alone, what its contacts begin from: the whole step's solution with gravity, which they add. Returns the flags of a drift.
SCREE_HD std::uint32_t kick_one(const FieldKicks& k, Index i) {
    const BodyView& body = k.body;
    if (body.is_member(i) || !(body.inverse_mass[i] > 0)) return 0;
    const double h = k.motion.dt, begin = static_cast<double>(*k.finished) * h;
    Vec3 x = body.position[i];
    const double volume = k.volume == nullptr ? 0.0 : k.volume[i];
    const Surroundings at{k.cell.any() ? x + k.cell.shift(k.cell.home(x, 0.0)) : x,
                          begin,
                          begin + 0.5 * h,
                          1 / body.inverse_mass[i],
                          volume,
                          std::cbrt(3 / (4 * pi) * volume)};
    const Vec3 more = value_at(k.acceleration, at.half), weight = k.motion.gravity + more;
    Vec3 pull = more;
    double spin_rate = 0, couple = 0;
    for (Index m = 0; m < k.count; ++m) {
        const MediumView& medium = k.media[m];
        if (!at.holds(medium)) continue;
        if (medium.buoyancy) pull -= (medium.density * volume / at.mass) * weight;
        spin_rate += medium.spin_rate;
        if (medium.law == DragLaw::Stokes || medium.law == DragLaw::SchillerNaumann)
            couple += 8 * pi * medium.viscosity * at.radius * at.radius * at.radius;
    }
    if (k.force != nullptr) pull += body.inverse_mass[i] * k.force[body.id[i]];
    const Vec3 v = body.velocity[i];
    const double before = k.work == nullptr ? 0.0 : at.mass * norm2(v) + spin_energy2(body, i);
    Vec3 next;
    if (k.at_once) {
        next = relaxed(k, at, v, weight + (pull - more), h) - h * k.motion.gravity;
    } else {
        const Vec3 middle = relaxed(k, at, v + (0.5 * h) * pull, {}, 0.5 * h);
        next = relaxed(k, at, middle, {}, 0.5 * h) + (0.5 * h) * pull;
        if (k.shifts) {
            x += h * (middle - v);
            body.position.set(i, x);
        }
    }
    body.velocity.set(i, next);
    if (spin_rate > 0 || couple > 0) slow_spin(k, i, spin_rate, couple);
    if (k.torque != nullptr && norm2(k.torque[body.id[i]]) > 0) turn_by(k, i, k.torque[body.id[i]]);
    if (k.work != nullptr) k.work[i] += 0.5 * (at.mass * norm2(next) + spin_energy2(body, i) - before);
    std::uint32_t flags = drift_flags(body, i, norm2(x - body.reference[i]), k.motion);
    // A list of the cone method looks as far as the fastest body goes in a step: it must know of one that is faster now.
    if (k.at_once && h * norm(v) <= k.motion.most_way && h * norm(next) > k.motion.most_way) flags |= kSkinExhausted;
    return flags;
}

}  // namespace

void load_fields(const Model& model, Workspace& work) {
    Media& media = work.media;
    if (!model.fields.any()) return;
    std::vector<const TimeFunction*> functions;
    for (const TimeFunction& f : model.fields.acceleration) functions.push_back(&f);
    for (const Drag& drag : model.fields.drags)
        for (const TimeFunction& f : drag.velocity) functions.push_back(&f);
    media.functions.load(functions);
    std::size_t next = 0;
    for (FunctionView& f : media.acceleration) f = media.functions.view(next++);
    std::vector<MediumView> views;
    for (const Drag& d : model.fields.drags) {
        MediumView view{d, {}};
        for (FunctionView& f : view.velocity) f = media.functions.view(next++);
        views.push_back(view);
    }
    media.medium.assign(views);
    media.any = true;
}

namespace {

/// Holds forces and torques by id, or none where all are zero; the account of what they do begins with them.
void hold_pushes(const Model& model, const std::vector<Vec3>& force, const std::vector<Vec3>& torque, State& state, Workspace& work) {
    const auto any = [](const std::vector<Vec3>& values) {
        return std::any_of(values.begin(), values.end(), [](Vec3 v) { return norm2(v) > 0; });
    };
    const auto hold = [](Array<Vec3>& where, const std::vector<Vec3>& values, bool needed) {
        needed ? where.assign(values) : where.drop();
    };
    Media& media = work.media;
    hold(media.force, force, any(force));
    hold(media.torque, torque, any(torque));
    const bool pushed = media.force.size() > 0 || media.torque.size() > 0;
    media.any = model.fields.any() || pushed;
    work.replay.forget();
    if (!pushed || !state.account || (work.body_parts & kFieldAccounts) != 0) return;
    work.body_parts |= kFieldAccounts;
    state.bodies.work_fields.resize_zero(state.bodies.count);
}

constexpr const char *force_field = "push.force", *torque_field = "push.torque";  // by id, three numbers each

std::vector<double> flat(const std::vector<Vec3>& values) {
    std::vector<double> out;
    out.reserve(3 * values.size());
    for (const Vec3& v : values) out.insert(out.end(), {v.x, v.y, v.z});
    return out;
}

std::vector<Vec3> vectors_of(const EngineState& saved, const char* name, std::size_t bodies) {
    std::vector<Vec3> out(bodies);
    if (saved.find(name) == nullptr) return out;
    const std::vector<double> values = take_field<double>(saved, name);
    if (values.size() != 3 * bodies) throw Error(std::string("the checkpoint is damaged: field ") + name + " is of other bodies");
    for (std::size_t k = 0; k < bodies; ++k) out[k] = {values[3 * k], values[3 * k + 1], values[3 * k + 2]};
    return out;
}

}  // namespace

void push_bodies(const Model& model, State& state, Workspace& work, const std::vector<std::int32_t>& ids, const std::vector<Vec3>& force,
                 const std::vector<Vec3>& torque) {
    if (model.method == Method::Fluid) throw RunError("particles of a fluid take no forces from outside");
    if (force.size() != ids.size() || torque.size() != ids.size()) throw RunError("a push needs a force and a torque for each body");
    const auto held = [&](const Array<Vec3>& of) { return of.size() > 0 ? of.host() : std::vector<Vec3>(model.bodies.size()); };
    std::vector<Vec3> forces = held(work.media.force), torques = held(work.media.torque);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        forces.at(static_cast<std::size_t>(ids[k])) = force[k];
        torques.at(static_cast<std::size_t>(ids[k])) = torque[k];
    }
    hold_pushes(model, forces, torques, state, work);
}

void save_pushes(const Workspace& work, EngineState& out) {
    if (work.media.force.size() > 0) put(out, force_field, flat(work.media.force.host()));
    if (work.media.torque.size() > 0) put(out, torque_field, flat(work.media.torque.host()));
}

void load_pushes(const Model& model, const EngineState& saved, State& state, Workspace& work) {
    const std::size_t n = model.bodies.size();
    hold_pushes(model, vectors_of(saved, force_field, n), vectors_of(saved, torque_field, n), state, work);
}

void kick_by_fields(const Model& model, State& state, Workspace& work) {
    Media& media = work.media;
    if (!media.any) return;
    FieldKicks k{state.bodies.view(),
                 work.shapes.view(),
                 state.bodies.volume.size() > 0 ? state.bodies.volume.data() : nullptr,
                 state.bodies.work_fields.size() > 0 ? state.bodies.work_fields.data() : nullptr,
                 media.medium.data(),
                 media.medium.size(),
                 {},
                 motion_settings(model, state),
                 work.joints == nullptr,
                 model.method == Method::Cone,
                 work.images.cell,
                 work.flags.step(),
                 media.force.size() > 0 ? media.force.data() : nullptr,
                 media.torque.size() > 0 ? media.torque.data() : nullptr};
    for (int a = 0; a < 3; ++a) k.acceleration[a] = media.acceleration[a];
    flag_each(
        work.exec, "motion/fields", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t { return kick_one(k, i); }, work.flags.gate());
    drift_members(state, work, k.motion);
}

}  // namespace scree::SCREE_FLAVOR
