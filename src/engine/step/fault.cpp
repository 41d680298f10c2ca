#include "engine/step/fault.hpp"

#include <cmath>
#include <utility>

#include "engine/cone/respond.hpp"
#include "engine/measure/patches.hpp"
#include "engine/measure/records.hpp"
#include "engine/motion/verlet.hpp"

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
    std::vector<ContactRecord> records = body_contact_records(state);
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

}  // namespace

Fault settle_fault(const Model& model, State& state, Workspace& work, std::uint32_t flags) {
    if (state.drifted) {
        finish_step(model, state, work);
        state.drifted = false;
        ++state.step;
        state.time = static_cast<double>(state.step) * model.dt;
    }
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
