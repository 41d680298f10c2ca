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
    Vec3 gravity;
    double dt;
    Cell cell;
    const std::int64_t* finished;
};

/// What media do to a body: its velocity goes to `towards` at a rate, and its spin to nothing.
struct Slowing {
    double rate{0};                  // [1/s]
    Vec3 towards;                    // rate times a velocity [m/s2]
    Vec3 lift;                       // buoyancy [m/s2]
    double spin_rate{0}, couple{0};  // [1/s]; torque over spin [N m s]
};

SCREE_HD Slowing slowing_of(const FieldKicks& k, Index i, double begin, double end) {
    Slowing all;
    const BodyView& body = k.body;
    const Vec3 x = body.position[i], home = k.cell.any() ? x + k.cell.shift(k.cell.home(x, 0.0)) : x;
    for (Index m = 0; m < k.count; ++m) {
        const MediumView& medium = k.media[m];
        if (!(begin >= medium.from && begin < medium.to)) continue;
        if (!medium.everywhere && !medium.region.contains(home)) continue;
        const double volume = k.volume == nullptr ? 0.0 : k.volume[i], r = std::cbrt(3 / (4 * pi) * volume);
        const Vec3 u = value_at(medium.velocity, end);
        const double mass = 1 / body.inverse_mass[i];
        const double rate =
            drag_rate(medium.law, medium.rate, medium.viscosity, medium.density, medium.coefficient, r, mass, norm(body.velocity[i] - u));
        all.rate += rate;
        all.towards += rate * u;
        if (medium.buoyancy) all.lift -= (medium.density * volume / mass) * k.gravity;
        all.spin_rate += medium.spin_rate;
        if (medium.law == DragLaw::Stokes || medium.law == DragLaw::SchillerNaumann) all.couple += 8 * pi * medium.viscosity * r * r * r;
    }
    return all;
}

/// Twice the energy of its spin [J].
SCREE_HD double spin_energy2(const BodyView& body, Index i) {
    if (!body.is_sphere(i)) return dot(body.angular_momentum[i], body.angular_velocity[i]);
    const double inverse = body.inverse_inertia[i];
    return inverse > 0 ? norm2(body.angular_velocity[i]) / inverse : 0.0;
}

SCREE_HD void slow_spin(const FieldKicks& k, Index i, const Slowing& by) {
    const BodyView& body = k.body;
    if (body.is_sphere(i)) {
        body.angular_velocity.set(i, std::exp(-(by.spin_rate + by.couple * body.inverse_inertia[i]) * k.dt) * body.angular_velocity[i]);
        return;
    }
    // The couple of a ball with the least of its moments: exact of what is round in its moments, and overdone by no step.
    const Vec3 moments = moments_of(body, k.shapes, i), L = body.angular_momentum[i];
    const double yz = moments.y < moments.z ? moments.y : moments.z, least = moments.x < yz ? moments.x : yz;
    const Vec3 against = (-std::expm1(-by.couple * k.dt / least) * least / k.dt) * body.angular_velocity[i];
    kick_polyhedron(body, k.shapes, i, (std::expm1(-by.spin_rate * k.dt) / k.dt) * L - against, k.dt);
}

SCREE_HD void kick_one(const FieldKicks& k, Index i) {
    const BodyView& body = k.body;
    if (body.is_member(i) || !(body.inverse_mass[i] > 0)) return;
    const double begin = static_cast<double>(*k.finished) * k.dt, end = begin + k.dt;
    const Slowing by = slowing_of(k, i, begin, end);
    const Vec3 v = body.velocity[i], a = value_at(k.acceleration, end) + by.towards + by.lift;
    // v' = a - rate v
    const double kept = std::exp(-by.rate * k.dt), acts = by.rate > 0 ? -std::expm1(-by.rate * k.dt) / by.rate : k.dt;
    const Vec3 next = kept * v + acts * a;
    const double before = k.work == nullptr ? 0.0 : norm2(v) / body.inverse_mass[i] + spin_energy2(body, i);
    body.velocity.set(i, next);
    if (by.spin_rate > 0 || by.couple > 0) slow_spin(k, i, by);
    if (k.work != nullptr) k.work[i] += 0.5 * (norm2(next) / body.inverse_mass[i] + spin_energy2(body, i) - before);
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
        MediumView view{d.law,      d.rate,       d.spin_rate, d.viscosity, d.density, d.coefficient,
                        d.buoyancy, d.everywhere, d.region,    d.from,      d.to,      {}};
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
                 model.gravity,
                 model.dt,
                 work.images.cell,
                 work.flags.step()};
    for (int a = 0; a < 3; ++a) k.acceleration[a] = media.acceleration[a];
    for_each(
        work.exec, "motion/fields", state.bodies.count, SCREE_LAMBDA(Index i)->void { kick_one(k, i); }, work.flags.gate());
    kick_members(state, work);
}

}  // namespace scree::SCREE_FLAVOR
