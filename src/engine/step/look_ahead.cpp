#include "engine/step/look_ahead.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double lead = 0.8;                  // of half the skin: a body must not use up the list with its next step
constexpr double steps_ahead = 64;            // a slower body is looked for where it would be after so many, times the lead
constexpr std::int64_t lists_to_a_trial = 8;  // of the other way to look

}  // namespace

bool looks_ahead(const State& state, const Workspace& work) {
    return state.envelope == 0 && !work.walls.motions.any_carried;
}

void adapt_look_ahead(State& state, double skin) {
    LookAhead& look = state.look;
    const double lasted = static_cast<double>(state.step - state.list_step) / skin;
    double &life = look.life[look.on ? 1 : 0], &other = look.life[look.on ? 0 : 1];
    life = look.turned || life == 0 ? lasted : 0.5 * (life + lasted);  // what was known before it turned is old
    ++look.ended;
    look.turned = other > life || look.ended % lists_to_a_trial == 0;
    if (look.turned) look.on = !look.on;
}

void put_ahead(const Model& model, State& state, const Workspace& work) {
    const BodyView body = state.bodies.view();
    const double share = looks_ahead(state, work) && state.look.on ? lead : 0.0;
    const double time = share * steps_ahead * model.dt, most = share * 0.5 * state.skin;
    for_each(
        work.exec, "step/put_ahead", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            const Vec3 x = body.position[i], v = body.velocity[i];
            body.reference.set(i, x);
            const double way = time * norm(v);
            // Not of a speed that is no number: that it is one is found elsewhere.
            if (way > 0 && way < 1e30) body.position.set(i, x + (way < most ? time : time * (most / way)) * v);
        });
}

void put_back(State& state, const Workspace& work) {
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "step/put_back", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            const Vec3 ahead = body.position[i];
            body.position.set(i, body.reference[i]);
            body.reference.set(i, ahead);
        });
}

}  // namespace scree::SCREE_FLAVOR
