// The file as a whole, and the tables time, domain and output.
#include <fmt/format.h>

#include <algorithm>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {

void check_box(const Vec3& min, const Vec3& max, const TableReading& reading, const std::string& key) {
    const double low[3]{min.x, min.y, min.z}, high[3]{max.x, max.y, max.z};
    for (int i = 0; i < reading.scene.dimensions; ++i)
        if (!(low[i] < high[i]))
            reading.fail(key,
                         fmt::format("min must be below max in every direction; along {} they are {} and {}", "xyz"[i], low[i], high[i]));
}

void check_direction(const Vec3& direction, const TableReading& reading, const std::string& key) {
    // Far from where the square under- or overflows.
    const double length = norm(direction);
    if (!(length > 1e-100 && length < 1e100))
        reading.fail(key, fmt::format("gives a direction, so its length must be above 0 and ordinary, not {}", length));
}

namespace {

TablePtr steps_table() {
    TableOf<SceneSteps> t("step", "A step for each contact method, so that changing `method.kind` alone gives a run.");
    t.number("cone", &SceneSteps::cone, Dimension::Time, "Under `kind = \"cone\"`.").above(0).empty_as("auto");
    t.number("fluid", &SceneSteps::fluid, Dimension::Time, "Under `kind = \"fluid\"`.").above(0).empty_as("auto");
    t.number("hard", &SceneSteps::hard, Dimension::Time, "Under `kind = \"hard\"`.").above(0).empty_as("auto");
    t.number("penalty", &SceneSteps::penalty, Dimension::Time, "Under `kind = \"penalty\"`.").above(0).empty_as("auto");
    return t.build();
}

/// One step for whatever method, or a table of one for each.
void add_step(TableOf<SceneTime>& t) {
    Key& key = t.optional_table(
        "step", &SceneTime::steps, steps_table(),
        "Time step. \"auto\": under `kind = \"penalty\"` from the stiffest contact; under `kind = \"cone\"` 0.05 "
        "sqrt(smallest radius / gravity), at most 1e-3 s, and with bonds twenty times what these ask for under `\"penalty\"`; under `kind "
        "= \"hard\"` what a body of mean speed needs for "
        "0.02 of the smallest radius, at most 0.01 `end`; under `kind = \"fluid\"` a tenth of a spacing at the speed of a fall through the "
        "fluid's height. A table gives each method its own: `{ cone = \"1 ms\", penalty = \"auto\" }`.");
    key.type = Type::Function;
    key.dimension = Dimension::Time;
    key.set = [](void* object, const Value& value) {
        auto& step = static_cast<SceneTime*>(object)->step;
        step = std::holds_alternative<double>(value) ? std::optional(std::get<double>(value)) : std::nullopt;
    };
    key.get = [](const void* object) -> std::optional<Value> {
        const auto& time = *static_cast<const SceneTime*>(object);
        if (time.steps) return std::nullopt;
        return time.step ? written(*time.step) : written(std::string("auto"));
    };
    key.above(0).empty_as("auto").otherwise("`\"auto\"`");
}

}  // namespace

bool is_plain(const SceneFunction& f) {
    return f.amplitude == 0 && f.frequency == 0 && f.phase == 0 && f.table.empty();
}

TablePtr function_table(Dimension dimension) {
    TableOf<SceneFunction> t("function", "A value over time: constant + amplitude sin(2 pi frequency t + phase) + table(t).");
    t.number("constant", &SceneFunction::constant, dimension, "Steady part.");
    t.number("amplitude", &SceneFunction::amplitude, dimension, "Of the sine.");
    t.number("frequency", &SceneFunction::frequency, Dimension::Frequency, "Periods per second.").from(0);
    t.number("phase", &SceneFunction::phase, Dimension::Angle, "Of the sine at t = 0.");
    t.key("table", Type::Path, &SceneFunction::table,
          "Text file with columns time and value in SI units; straight between rows, steady before the first and after the last.");
    t.place(&SceneFunction::place);
    t.check([](SceneFunction& f, const TableReading& reading) {
        f.table_place = reading.at("table");
        if (f.amplitude != 0 && f.frequency == 0 && f.phase == 0) reading.fail("amplitude", "needs a frequency above 0");
        if (f.amplitude == 0 && f.frequency != 0) reading.fail("frequency", "needs an amplitude");
    });
    return t.build();
}

TablePtr time_table() {
    TableOf<SceneTime> t("[time]", "How long to simulate, and in which steps.");
    add_step(t);
    t.number("end", &SceneTime::end, Dimension::Time, "Simulated time at which the run ends.").required().above(0);
    t.place(&SceneTime::step_place);
    t.check([](SceneTime& time, const TableReading& reading) {
        time.step_place = reading.at("step");
        const SceneSteps steps = time.steps.value_or(SceneSteps{time.step, time.step, time.step, time.step});
        for (const std::optional<double>& step : {steps.cone, steps.fluid, steps.hard, steps.penalty})
            if (step && *step > time.end)
                reading.fail("step", fmt::format("must not be longer than the run: step {} s, end {} s", *step, time.end));
    });
    return t.build();
}

TablePtr domain_table() {
    TableOf<SceneDomain> t("[domain]", "Gravity, and the box that bodies may not leave.");
    t.vector("gravity", &SceneDomain::gravity, Dimension::Acceleration, "Acceleration of gravity.")
        .otherwise("`[0, 0, -9.81]`; in two dimensions `[0, -9.81]`");
    t.key(
        "gravity_table", Type::Path, &SceneDomain::gravity_table,
        "Gravity that changes: text file with a header line of names, then rows: `time` and any of `x`, `y`, `z`, in SI units, in place of "
        "`gravity`. Straight between rows, steady before the first and after the last. Its first row is what energies count as gravity.");
    t.optional_table(
        "acceleration", &SceneDomain::acceleration,
        along_axes_table("acceleration",
                         "Acceleration of all bodies beside gravity, over time: of a frame that shakes, of gravity that turns.",
                         Dimension::Acceleration),
        "Beside gravity, over time.");
    t.vector("min", &SceneDomain::min, Dimension::Length, "Lower corner of the domain; `-inf` is open.")
        .infinite()
        .completed_by(-kInfinity);
    t.vector("max", &SceneDomain::max, Dimension::Length, "Upper corner of the domain; `inf` is open.").infinite().completed_by(kInfinity);
    t.word("leave", &SceneDomain::leave, {"stop", "remove"},
           "What happens when the centre of a body leaves the domain: stop the run, or remove the body and count it.");
    t.key("check_every", Type::Integer, &SceneDomain::check_every, "Steps between two looks for bodies that left.").from(1).to(kMostBodies);
    t.word("periodic", &SceneDomain::periodic, {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"},
           "Directions in which the domain repeats itself from min to max; not of fluids.");
    t.optional_table("shear", &SceneDomain::shear, shear_table(),
                     "Shears a periodic domain (Lees-Edwards): the images of the bodies across it move along. Penalty and cone method.");
    t.tables("stage", &SceneDomain::stages, stage_table(), "Drives a periodic domain: compression, triaxial tests, shear under stress.");
    t.place(&SceneDomain::place);
    t.check([](SceneDomain& domain, const TableReading& reading) {
        check_box(domain.min, domain.max, reading, reading.has("max") ? "max" : "min");
        const Vec3 usual = reading.scene.dimensions == 2 ? Vec3{0, -9.81, 0} : Vec3{0, 0, -9.81};
        if (reading.has("gravity_table") && norm(domain.gravity - usual) != 0)
            reading.fail("gravity_table", "is in place of `gravity`: leave one of them out");
        domain.gravity_table_place = reading.at("gravity_table");
    });
    return t.build();
}

namespace {

/// A key that the resolved scene holds only where it is `given`.
void only_where(Key& key, const char* otherwise, bool (*given)(const SceneOutput&)) {
    key.otherwise(otherwise);
    key.get = [get = key.get, given](const void* object) {
        return given(*static_cast<const SceneOutput*>(object)) ? get(object) : std::optional<Value>();
    };
}

}  // namespace

TablePtr output_table() {
    TableOf<SceneOutput> t("[output]", "What is written while the run goes on; never changes its results.");
    t.number("every", &SceneOutput::every, Dimension::Time, "Simulated time between frames; 0 writes the first and the last only.").from(0);
    t.key("contacts", Type::Flag, &SceneOutput::contacts, "Write the touching contacts into each frame.");
    only_where(t.key("bonds", Type::Flag, &SceneOutput::bonds, "Write the bonds that hold into each frame."), "false",
               [](const SceneOutput& output) { return output.bonds; });
    t.key("orientation", Type::Flag, &SceneOutput::orientation, "Integrate and write orientations.");
    t.number("checkpoint_every", &SceneOutput::checkpoint_every, Dimension::Time,
             "Wall-clock time between checkpoints; 0 writes one at the end and when interrupted only.")
        .from(0);
    only_where(
        t.word("precision", &SceneOutput::precision, {"double", "single"},
               "Of the numbers in frames; `single` rounds each to the nearest of 32 bits, a relative error below 6e-8, but for radii and "
               "masses. Checkpoints, and so restarts, keep all bits."),
        "double", [](const SceneOutput& output) { return output.precision != "double"; });
    only_where(t.key("compress", Type::Flag, &SceneOutput::compress, "Deflate all arrays of frames, without loss."), "false",
               [](const SceneOutput& output) { return output.compress; });
    static const std::vector<std::string> parts = {"velocity", "angular_velocity", "surface"};
    t.key("leave_out", Type::Names, &SceneOutput::leave_out,
          "What frames do not hold; `surface`: the triangles of bodies with faces, which `scree export` makes anew from places and "
          "orientations.")
        .otherwise("nothing")
        .words = parts;
    t.check([](SceneOutput& output, const TableReading& reading) {
        for (const std::string& name : output.leave_out) {
            if (std::find(parts.begin(), parts.end(), name) == parts.end())
                reading.fail("leave_out", fmt::format("\"{}\" is not one of {}", name, fmt::join(parts, ", ")));
        }
    });
    t.place(&SceneOutput::place);
    return t.build();
}

const Table& scene_schema() {
    static const TablePtr schema = [] {
        TableOf<Scene> t("", "Keys before the first table.");
        t.key("title", Type::Text, &Scene::title, "A line for people.").otherwise("empty");
        t.key(
             "dimensions", Type::Integer,
             [](Scene& scene, const Value& value) {
                 scene.dimensions = std::get<std::int64_t>(value);
                 if (scene.dimensions == 2) scene.domain.gravity = {0, -9.81, 0};
             },
             [](const Scene& scene) { return written(scene.dimensions); },
             "Dimensions of space. With 2, bodies are disks and convex polygons that move in the plane; a vector is [x, y], what turns is "
             "one number, and masses and moments of inertia are those of unit thickness.")
            .from(2)
            .to(3);
        t.table("time", &Scene::time, time_table(), "").required();
        t.table("domain", &Scene::domain, domain_table(), "");
        t.table("method", &Scene::method, method_table(), "");
        t.named_tables("material", &Scene::materials, material_table(), "");
        t.tables("material_pair", &Scene::material_pairs, material_pair_table(), "");
        t.named_tables("shape", &Scene::shapes, shape_table(), "");
        t.tables("bodies", &Scene::bodies, bodies_table(), "");
        t.tables("insert", &Scene::inserts, insert_table(), "");
        t.tables("remove", &Scene::removals, remove_table(), "");
        t.tables("body", &Scene::named_bodies, body_table(), "").only_in(3);
        t.tables("wall", &Scene::walls, wall_table(), "");
        t.tables("joint", &Scene::joints, joint_table(), "").only_in(3);
        t.tables("measure", &Scene::measures, measure_table(), "");
        t.tables("event", &Scene::events, event_table(), "");
        t.tables("drag", &Scene::drags, drag_table(), "");
        t.tables("bond", &Scene::bonds, bond_table(), "");
        t.tables("break", &Scene::breaks, break_table(), "");
        t.table("output", &Scene::output, output_table(), "");
        t.check(check_scene);
        return t.build();
    }();
    return *schema;
}

}  // namespace scree
