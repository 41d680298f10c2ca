#include "engine/step/fault.hpp"

#include <cmath>
#include <utility>

#include "engine/cone/respond.hpp"
#include "engine/measure/patches.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/measure/records.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/state/thickness.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

bool finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void name_broken_body(State& state, Fault& f) {
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    const std::vector<Vec3> position = state.bodies.position.host(), velocity = state.bodies.velocity.host();
    const std::vector<Vec3> spin = state.bodies.angular_velocity.host();
    for (std::size_t i = 0; i < id.size(); ++i) {
        if (id[i] > f.body) continue;
        // Beyond a thousand light seconds counts as lost too: kernels stop there.
        if (finite(position[i]) && finite(velocity[i]) && finite(spin[i]) && norm(position[i]) < 1e29) continue;
        f.body = id[i];
        f.position = position[i];
    }
}

void name_worst_contact(const Model& model, State& state, Workspace& work, Fault& f) {
    std::vector<ContactRecord> records = body_contact_records(state, work);
    const std::vector<ContactRecord> walls = wall_contact_records(model, state, work);
    records.insert(records.end(), walls.begin(), walls.end());
    add_patch_records(model, state, work, records);
    for (const ContactRecord& r : records) {
        if (!(r.overlap_ratio > f.value)) continue;
        f.value = r.overlap_ratio;
        f.body = r.a;
        f.other = r.b;
        f.wall = r.wall;
        f.position = r.point;
    }
}

void name_worst_joint(const Model& model, const Workspace& work, Fault& f) {
    tell_joints(work);
    const std::vector<double>& missed = work.joints->system.missed();
    f.value = model.method == Method::Cone ? work.cone->report.joint_miss : work.joints->response.miss;
    double most = -1;
    for (std::size_t j = 0; j < missed.size(); ++j) {
        if (!(missed[j] > most)) continue;
        most = missed[j];
        f.joint = static_cast<std::int32_t>(j);
    }
}

/// The state is one in time.
void complete_step(const Model& model, State& state, Workspace& work) {
    if (!state.drifted) return;
    finish_step(model, state, work);
    state.drifted = false;
    ++state.step;
    state.time = static_cast<double>(state.step) * model.dt;
}

}  // namespace

Fault too_fast(const Model& model, State& state, Workspace& work) {
    Fault f;
    const bool alone = model.walls.empty() && state.bodies.count - state.members < 2;  // there is nothing to pass
    if (model.method != Method::Penalty || alone) return f;
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const double dt = model.dt;
    const double most = max_of(
        work.exec, "step/way", state.bodies.count, 0.0, SCREE_LAMBDA(Index i)->double {
            return body.is_compound(i)
                       ? 0.0
                       : dt * norm(body.velocity[i]) / (most_thicknesses(body.is_sphere(i)) * thickness_of(body, shapes, i));
        });
    if (!(most > 1)) return f;
    complete_step(model, state, work);
    f.kind = FaultKind::TooFast;
    f.step = state.step;
    f.time = state.time;
    const std::vector<double> thickness = HostBodies::thicknesses(model, state.bodies, work.images);
    const std::vector<Vec3> velocity = state.bodies.velocity.host(), position = state.bodies.position.host();
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    const std::vector<std::int32_t> shape = state.bodies.shape.host();
    double worst = 0;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const bool sphere = shape.empty() || shape[i] < 0;
        if (!sphere && model.shapes[static_cast<std::size_t>(shape[i])].compound()) continue;
        const double share = most_thicknesses(sphere), here = dt * norm(velocity[i]) / (share * thickness[i]);
        if (!(here > worst)) continue;
        worst = here;
        f.value = share * here;
        f.body = id[i];
        f.position = position[i];
    }
    return f;
}

Fault settle_fault(const Model& model, State& state, Workspace& work, std::uint32_t flags) {
    complete_step(model, state, work);
    Fault f;
    f.step = state.step;
    f.time = state.time;
    const std::pair<Flag, FaultKind> kinds[] = {{kNotFinite, FaultKind::NotFinite},
                                                {kJointsApart, FaultKind::JointsApart},
                                                {kOverlapLimit, FaultKind::Overlap},
                                                {kNotSolved, FaultKind::NotSolved}};
    for (const auto& [flag, kind] : kinds) {
        if (f.kind == FaultKind::None && (flags & flag) != 0) f.kind = kind;
    }
    if (f.kind == FaultKind::JointsApart) {
        name_worst_joint(model, work, f);
        return f;
    }
    if (f.kind == FaultKind::NotSolved) {
        f.value = work.cone->report.residual;
        return f;
    }
    if (f.kind == FaultKind::NotFinite) name_broken_body(state, f);
    if (f.kind == FaultKind::Overlap || f.body == ContactRecord::none) name_worst_contact(model, state, work, f);
    return f;
}

}  // namespace scree::SCREE_FLAVOR
