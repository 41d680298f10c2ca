#include "output/summary.hpp"

#include <fmt/format.h>

#include "output/json.hpp"

namespace scree {
namespace {

void add_energy(JsonWriter& json, const Energy& energy, bool tracked) {
    json.begin_object("energies");
    json.add("kinetic_translation", energy.kinetic_translation);
    json.add("kinetic_rotation", energy.kinetic_rotation);
    json.add("potential", energy.potential);
    json.add("elastic_normal", energy.elastic_normal);
    json.add("elastic_tangential", energy.elastic_tangential);
    if (tracked) {
        json.add("dissipated_damping", energy.dissipated_damping);
        json.add("dissipated_friction", energy.dissipated_friction);
        json.add("removed", energy.removed);
        json.add("total", energy.total());
    } else {
        for (const char* key : {"dissipated_damping", "dissipated_friction", "removed", "total"}) json.add_null(key);
    }
    json.end_object();
}

void add_stages(JsonWriter& json, const std::vector<StageTime>& stages) {
    json.begin_object("seconds_per_stage");
    for (const StageTime& stage : stages) json.add(stage.name, stage.seconds);
    json.end_object();
}

}  // namespace

std::string summary_text(const Summary& s) {
    JsonWriter json;
    json.add("version", s.version);
    json.add("title", s.title);
    json.add("scene", s.scene_file);
    json.add("device", s.device);
    json.add("precision", s.precision);
    json.add("threads", s.threads);
    if (s.restarted_from.empty()) {
        json.add_null("restarted_from");
    } else {
        json.add("restarted_from", s.restarted_from);
    }
    json.add("exit_reason", s.exit_reason);
    json.add("exit_message", s.exit_message);
    json.add("exit_code", s.exit_code);
    json.add("bodies", s.counters.bodies);
    json.add("steps", s.counters.step);
    json.add("steps_this_run", s.steps_this_run);
    json.add("time", s.counters.time);
    json.add("dt", s.dt);
    json.add("stable_step", s.stable_step);
    json.add("wall_seconds", s.wall_seconds);
    json.add("cpu_seconds", s.cpu_seconds);
    json.add("particle_steps_per_second", s.wall_seconds > 0 ? s.particle_steps / s.wall_seconds : 0.0);
    add_stages(json, s.stages);
    json.add("pair_list_rebuilds", s.counters.rebuilds);
    json.add("pairs", s.counters.pairs);
    json.add("skin", s.counters.skin);
    json.add("contacts", s.end.contacts);
    json.add("wall_contacts", s.end.wall_contacts);
    json.add("max_overlap_ratio", s.end.max_overlap);
    json.add("mass", s.end.mass);
    add_energy(json, s.end.energy, s.energy_tracked);
    json.add("state_hash", fmt::format("{:016x}", s.state_hash));
    json.add("bodies_inserted", s.inserted);
    json.add("bodies_removed", s.counters.removed);
    json.add("frames", s.frames);
    json.add("memory_bytes", s.memory_bytes);
    json.add("warnings", s.warnings);
    return json.finish();
}

}  // namespace scree
