#include "output/summary.hpp"

#include <fmt/format.h>

#include "output/json.hpp"

namespace scree {
namespace {

/// The penalty method has springs; contacts of all others are rigid, or none.
bool has_springs(const Summary& s) {
    return s.method == "penalty" && !s.cone_method;
}

/// What is not known is null: dissipated energies that were not tracked; where there are no springs, also elastic ones.
void add_energy(JsonWriter& json, const Summary& s) {
    const Energy& energy = s.end.energy;
    const auto add_if = [&json](bool known, const char* key, double value) { known ? json.add(key, value) : json.add_null(key); };
    const bool elastic = has_springs(s), dissipated = elastic && s.energy_tracked;
    json.begin_object("energies");
    json.add("kinetic_translation", energy.kinetic_translation);
    json.add("kinetic_rotation", energy.kinetic_rotation);
    json.add("potential", energy.potential);
    add_if(elastic, "elastic_normal", energy.elastic_normal);
    add_if(elastic, "elastic_tangential", energy.elastic_tangential);
    add_if(dissipated, "dissipated_damping", energy.dissipated_damping);
    add_if(dissipated, "dissipated_friction", energy.dissipated_friction);
    add_if(dissipated || !elastic, "removed", energy.removed);
    add_if(dissipated || !elastic, "total", elastic ? energy.total() : energy.mechanical() + energy.elastic_bonds);
    json.end_object();
}

/// At the end of the run.
void add_fluid(JsonWriter& json, const FluidReport& fluid) {
    json.begin_object("fluid");
    json.add("mean_compression", fluid.mean_compression);
    json.add("max_compression", fluid.max_compression);
    json.add("max_pressure", fluid.max_pressure);
    json.end_object();
}

void add_cone(JsonWriter& json, const ConeTotals& cone) {
    json.begin_object("cone");
    json.add("steps", cone.steps);
    json.add("contacts", cone.contacts);
    json.add("iterations_mean", cone.mean_iterations());
    json.add("iterations_max", cone.most_iterations);
    json.add("residual_max", cone.residual);
    json.add("steps_not_converged", cone.not_converged);
    json.end_object();
}

void add_events(JsonWriter& json, const std::vector<EventReport>& events) {
    json.begin_object("events");
    for (const EventReport& one : events) {
        json.begin_object(one.name);
        if (one.time) json.add("time", *one.time);
        json.add("happened", one.time.has_value());
        json.end_object();
    }
    json.end_object();
}

void add_inserts(JsonWriter& json, const std::vector<InsertedBodies>& inserts) {
    json.begin_object("inserts");
    for (const InsertedBodies& one : inserts) {
        json.begin_object(one.name);
        json.add("bodies", one.bodies);
        json.add("mass", one.mass);
        json.add("behind", one.behind);
        json.add("to_come", one.to_come);
        if (!one.parts.empty()) {
            json.begin_object("parts");
            for (const InsertedPart& part : one.parts) {
                json.begin_object(part.name);
                json.add("bodies", part.bodies);
                json.add("mass", part.mass);
                json.end_object();
            }
            json.end_object();
        }
        json.end_object();
    }
    json.end_object();
}

void add_removes(JsonWriter& json, const std::vector<RemovedBodies>& removes) {
    json.begin_object("removes");
    for (const RemovedBodies& one : removes) {
        json.begin_object(one.name);
        json.add("bodies", one.bodies);
        json.add("mass", one.mass);
        if (one.recycles) {
            json.add("returned", one.returned);
            json.add("waiting", one.waiting);
        }
        json.end_object();
    }
    json.end_object();
}

void add_stages(JsonWriter& json, const std::vector<StageTime>& stages) {
    json.begin_object("seconds_per_stage");
    for (const StageTime& stage : stages) json.add(stage.name, stage.seconds);
    json.end_object();
}

/// Whether it went well: what was looked at, and the lines that the terminal shows.
void add_verdicts(JsonWriter& json, const Summary& s) {
    json.add("bodies_at_start", s.start_bodies);
    json.add("mass_at_start", s.start_mass);
    if (s.overlap.looks > 0) {
        json.begin_object("largest_overlap");
        json.add("ratio", s.overlap.ratio);
        json.add("time", s.overlap.time);
        json.add("between", s.overlap.between);
        json.add("looks", s.overlap.looks);
        json.end_object();
    }
    if (s.energy_error) {
        json.begin_object("energy_error");
        json.add("relative", s.energy_error->relative());
        json.add("largest_change", s.energy_error->largest_change);
        json.add("turned_over", s.energy_error->turned_over);
        json.add("samples", s.energy_error->samples);
        json.end_object();
    }
    json.add("stepping_speed", s.stepping_speed);
    if (s.usual.runs > 0) {
        json.begin_object("usual_speed");
        json.add("speed", s.usual.speed);
        json.add("runs", s.usual.runs);
        json.end_object();
    }
    if (!s.repeated.empty()) {
        json.begin_object("warnings_repeated");
        for (const auto& [text, times] : s.repeated) json.add(text, times);
        json.end_object();
    }
    json.begin_object("verdicts");
    for (const Finding& one : s.findings) {
        json.begin_object(one.name);
        json.add("verdict", verdict_word(one.verdict));
        json.add("text", one.text);
        json.add("advice", one.advice);
        json.end_object();
    }
    json.end_object();
}

}  // namespace

const char* verdict_word(Verdict verdict) {
    return verdict == Verdict::Ok ? "ok" : verdict == Verdict::Look ? "look" : "bad";
}

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
    json.add("method", s.cone_method ? "cone" : s.method);
    json.add("bodies", s.counters.bodies);
    if (s.members > 0) json.add("members", s.members);
    if (s.joints > 0) json.add("joints", s.joints);
    json.add("steps", s.counters.step);
    json.add("steps_this_run", s.steps_this_run);
    json.add("time", s.counters.time);
    json.add("dt", s.dt);
    if (!has_springs(s)) {
        json.add_null("stable_step");
    } else {
        json.add("stable_step", s.stable_step);
    }
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
    if (s.cone_method) add_cone(json, s.cone);
    if (s.method == "fluid") add_fluid(json, s.end.fluid);
    add_energy(json, s);
    json.add("state_hash", fmt::format("{:016x}", s.state_hash));
    json.add("bodies_inserted", s.counters.inserted);
    if (!s.inserts.empty()) add_inserts(json, s.inserts);
    if (!s.events.empty()) add_events(json, s.events);
    json.add("bodies_removed", s.counters.removed);
    if (!s.removes.empty()) add_removes(json, s.removes);
    json.add("frames", s.frames);
    json.add("memory_bytes", s.memory_bytes);
    json.add("memory_peak_bytes", s.memory_peak);
    json.add("memory_foretold_bytes", s.memory_foretold);
    json.add("warnings", s.warnings);
    add_verdicts(json, s);
    return json.finish();
}

}  // namespace scree
