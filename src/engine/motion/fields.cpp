#include "engine/motion/fields.hpp"

#include <cmath>

#include "engine/motion/members.hpp"
#include "engine/motion/moves.hpp"
#include "engine/state/flags.hpp"

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
                 work.flags.step()};
    for (int a = 0; a < 3; ++a) k.acceleration[a] = media.acceleration[a];
    flag_each(
        work.exec, "motion/fields", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t { return kick_one(k, i); }, work.flags.gate());
    drift_members(state, work, k.motion);
}

}  // namespace scree::SCREE_FLAVOR
