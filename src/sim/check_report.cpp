#include "sim/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>

#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "model/fluid_kernel.hpp"
#include "model/hard_box.hpp"
#include "model/made_bonds.hpp"
#include "output/frame_writer.hpp"
#include "output/run_directory.hpp"
#include "output/solver_log.hpp"
#include "setup/fluid.hpp"
#include "setup/method.hpp"
#include "setup/meshes/process_memory.hpp"
#include "sim/body_count.hpp"
#include "sim/measures.hpp"
#include "sim/memory.hpp"
#include "sim/run_output.hpp"
#include "sim/schedule.hpp"
#include "sim/simulation.hpp"

namespace scree {
namespace {

/// Of a sphere, or of a disk of unit thickness [m3].
double ball_volume(const Model& model, double r) {
    constexpr double pi = std::numbers::pi;
    return model.dimensions == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
}

/// Radii of what is seen, mass and volume of what is a body.
void add_sizes(std::string& text, const Model& model) {
    const BodyTable& bodies = model.bodies;
    const bool planar = model.dimensions == 2;
    double mass = 0, of_named = 0, volume = 0, sum = 0, low = std::numeric_limits<double>::infinity(), high = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double r = bodies.radius[i];
        if (bodies.owner_of(i) == BodyTable::no_owner) {
            const std::int32_t shape = bodies.shape[i];
            (i < bodies.name.size() && !bodies.name[i].empty() ? of_named : mass) += bodies.mass[i];
            volume += shape < 0 ? ball_volume(model, r) : model.shapes[static_cast<std::size_t>(shape)].volume * r * r * (planar ? 1.0 : r);
        }
        if (is_compound(model, i)) continue;
        ++seen;
        sum += r;
        low = std::min(low, r);
        high = std::max(high, r);
    }
    auto out = std::back_inserter(text);
    if (seen > 0) fmt::format_to(out, "radius        {:.6g} to {:.6g} m, mean {:.6g} m\n", low, high, sum / static_cast<double>(seen));
    if (planar) {
        fmt::format_to(out, "mass          {:.6g} kg per metre of thickness, area {:.6g} m2\n", mass + of_named, volume);
    } else {
        fmt::format_to(out, "mass          {:.6g} kg, solid volume {:.6g} m3\n", mass + of_named, volume);
    }
    if (of_named > 0 && mass > 0) fmt::format_to(out, "              {:.6g} kg of it in named bodies\n", of_named);
}

/// "3 named: crank, rod, slider"; the first few of many.
std::string named_bodies(const BodyTable& bodies) {
    constexpr std::size_t shown = 12;
    std::size_t count = 0;
    std::string names;
    for (const std::string& name : bodies.name) {
        if (name.empty()) continue;
        if (++count <= shown) names += (names.empty() ? "" : ", ") + name;
    }
    if (count == 0) return "";
    return fmt::format("              {} named: {}{}\n", count, names, count > shown ? ", …" : "");
}

bool is_named(const BodyTable& bodies, const std::string& name) {
    return std::find(bodies.name.begin(), bodies.name.end(), name) != bodies.name.end();
}

/// "crank", "body 12" or "ground".
std::string body_name(const BodyTable& bodies, std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    return id < 0 ? "ground" : i < bodies.name.size() && !bodies.name[i].empty() ? bodies.name[i] : fmt::format("body {}", id);
}

void add_bodies(std::string& text, const Model& model) {
    const BodyTable& bodies = model.bodies;
    const BodyCount count = count_bodies(bodies);
    auto out = std::back_inserter(text);
    const auto named = std::count_if(bodies.name.begin(), bodies.name.end(), [](const std::string& name) { return !name.empty(); });
    fmt::format_to(out, "bodies        {}{}\n", count.bodies, named > 0 ? fmt::format(", {} of them named", named) : "");
    if (bodies.size() == 0) return;
    if (!bodies.owner.empty()) {
        std::int64_t compounds = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) compounds += is_compound(model, i);
        if (count.members > 0) fmt::format_to(out, "              {} compounds, of {} members\n", compounds, count.members);
        text += named_bodies(bodies);
    }
    add_sizes(text, model);
    // A named body without a shape has a material that nothing touches.
    std::vector<bool> carries(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.owner_of(i) >= 0) carries[static_cast<std::size_t>(bodies.owner_of(i))] = true;
    }
    const auto bare = [&](std::size_t i) { return is_compound(model, i) && !carries[i]; };
    for (std::size_t m = 0; m < model.materials.size(); ++m) {
        std::int64_t of_material = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            of_material += !bare(i) && bodies.owner_of(i) == BodyTable::no_owner && bodies.material[i] == static_cast<std::int32_t>(m);
        if (of_material > 0) fmt::format_to(out, "              {} of {}\n", of_material, model.materials[m].name);
    }
    const auto spheres = std::count(bodies.shape.begin(), bodies.shape.end(), BodyTable::sphere_shape);
    const bool planar = model.dimensions == 2;
    if (spheres > 0 && !model.shapes.empty()) fmt::format_to(out, "              {} {}\n", spheres, planar ? "disks" : "spheres");
    for (std::size_t s = 0; s < model.shapes.size(); ++s) {
        const ConvexShape& shape = model.shapes[s];
        const auto of_shape = std::count(bodies.shape.begin(), bodies.shape.end(), static_cast<std::int32_t>(s));
        if (shape.compound()) {
            if (!is_named(bodies, shape.name)) fmt::format_to(out, "              {} of compound {}\n", of_shape, shape.name);
            continue;
        }
        if (planar) {
            fmt::format_to(out, "              {} of shape {}: {} corners\n", of_shape, shape.name, shape.vertex.size() / 2);
            continue;
        }
        fmt::format_to(out, "              {} of shape {}: {} faces, {} vertices, {} edges\n", of_shape, shape.name, shape.faces(),
                       shape.vertex.size(), shape.edge.size());
    }
}

std::string surfaces_of(const Wall& wall, bool planar) {
    std::string text;
    const auto add = [&text](std::size_t count, const char* one, const char* many) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(wall.planes.size(), "plane", "planes");
    if (planar) {
        // A segment is two triangles, a block twelve, four of them its ends.
        add(wall.cylinders.size(), "arc", "arcs");
        add(wall.mesh.triangles.size() == 2 ? 1 : wall.mesh.triangles.size() / 3, "segment", "segments");
    } else {
        add(wall.cylinders.size(), "cylinder", "cylinders");
        add(wall.mesh.triangles.size(), "triangle", "triangles");
    }
    return text.empty() ? "no surface" : text;
}

std::string motion_of(const Model& model, const Wall& wall) {
    if (wall.body >= 0) {
        // Joints are to keep it off the others: a wall touches bodies, and nothing tells where it meets a wall.
        const bool others = std::any_of(model.walls.begin(), model.walls.end(), [&](const Wall& other) { return other.body != wall.body; });
        return fmt::format(", carried by {}{}", body_name(model.bodies, wall.body), others ? "; does not touch other walls" : "");
    }
    return wall.motion.moves ? ", moves" : "";
}

void add_walls(std::string& text, const Model& model) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "walls         {}\n", model.walls.size());
    for (const Wall& wall : model.walls) {
        std::string active;
        if (wall.active_from > 0 || std::isfinite(wall.active_to))
            active = fmt::format(", from {:.6g} s to {:.6g} s", wall.active_from, wall.active_to);
        const auto material = static_cast<std::size_t>(wall.material);
        fmt::format_to(out, "              {}: {}, {}{}\n", wall.name, surfaces_of(wall, model.dimensions == 2),
                       material < model.materials.size() ? model.materials[material].name : "?", active + motion_of(model, wall));
    }
}

/// length(axis) [m] of each period.
template <class Length>
std::string periods_of(const bool (&periodic)[3], Length length) {
    std::string periods;
    for (int a = 0; a < 3; ++a)
        if (periodic[a]) periods += fmt::format("{}{} every {:.6g} m", periods.empty() ? "" : ", ", "xyz"[a], length(a));
    return fmt::format("periodic      {}\n", periods.empty() ? "none" : periods);
}

/// What hard particles fly in.
void add_hard(std::string& text, const Model& model) {
    const HardBox box = hard_box(model);
    text += periods_of(box.periodic, [&](int a) { return box.length(a); });
    auto out = std::back_inserter(text);
    if (box.volume() == 0) return;
    double solid = 0;
    for (const double r : model.bodies.radius) solid += ball_volume(model, r);
    fmt::format_to(out, "packing       {:.4f} of {}\n", solid / box.volume(),
                   model.dimensions == 2 ? fmt::format("{:.6g} m2", box.volume()) : fmt::format("{:.6g} m3", box.volume()));
}

/// What a fluid's step is chosen by, and how its density is kept.
void add_fluid(std::string& text, const Model& model) {
    if (model.method != Method::Fluid || model.bodies.size() == 0) return;
    const double spacing = 2 * model.bodies.radius.front();
    const FluidRest rest = fluid_rest(model.fluid, model.dimensions);
    const double speed = fluid_speed(model);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "fluid         spacing {:.6g} m, kernel radius {:.6g} m with {} particles in it, {} iterations a step\n", spacing,
                   spacing * model.fluid.support, rest.near, model.fluid.iterations);
    if (speed > 0)
        fmt::format_to(out, "              expected up to {:.3g} m/s, {:.3g} spacings a step; past 0.5 the run stops\n", speed,
                       speed * model.dt / spacing);
}

/// "9.81 m/s2 + 2 m/s2 at 50 Hz"
std::string value_of(const TimeFunction& f, const char* unit) {
    std::string value = fmt::format("{:.6g} {}", f.constant, unit);
    if (f.amplitude != 0) value += fmt::format(" + {:.6g} {} at {:.6g} Hz", f.amplitude, unit, f.frequency);
    if (!f.time.empty()) value += fmt::format(" + a table of {} rows", f.time.size());
    return value;
}

/// "x 2 m/s, z 0 m/s + 1 m/s at 50 Hz"
std::string vector_of(const TimeFunction (&f)[3], const char* unit) {
    std::vector<std::string> parts;
    for (int a = 0; a < 3; ++a)
        if (largest_of(f[a]) > 0) parts.push_back(fmt::format("{} {}", "xyz"[a], value_of(f[a], unit)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Bonds by their tables.
void add_bonds(std::string& text, const Model& model) {
    std::vector<std::int64_t> count(model.bond_kinds.size());
    for (const Bond& bond : model.bonds) ++count[static_cast<std::size_t>(bond.kind)];
    for (std::size_t k = 0; k < count.size(); ++k) {
        const BondKind& kind = model.bond_kinds[k];
        const std::string made = kind.on_touch         ? fmt::format("as bodies touch, from {} s", kind.from)
                                 : is_made_later(kind) ? fmt::format("made at {} s", kind.from)
                                                       : fmt::format("{}", count[k]);
        text += fmt::format("bonds         \"{}\": {}, {}; contacts {}\n", kind.name, made, BondLaws::parts[kind.law - 1]->name,
                            kind.keeps_contact ? "kept" : "skipped while they hold");
    }
}

/// What acts on bodies beside steady gravity.
void add_fields(std::string& text, const Model& model) {
    const Fields& fields = model.fields;
    if (fields.accelerates) text += fmt::format("acceleration  beside gravity: {}\n", vector_of(fields.acceleration, "m/s2"));
    for (const Drag& drag : fields.drags) {
        text += fmt::format("drag          \"{}\": ", drag.name);
        switch (drag.law) {
            case DragLaw::Damping:
                text += fmt::format("damping at {:.6g} 1/s, of spins at {:.6g} 1/s", drag.rate, drag.spin_rate);
                break;
            case DragLaw::Stokes:
                text += fmt::format("Stokes, {:.6g} Pa s", drag.viscosity);
                break;
            case DragLaw::SchillerNaumann:
                text += fmt::format("Schiller-Naumann, {:.6g} Pa s, {:.6g} kg/m3", drag.viscosity, drag.density);
                break;
            case DragLaw::Quadratic:
                text += fmt::format("coefficient {:.6g}, {:.6g} kg/m3", drag.coefficient, drag.density);
                break;
        }
        const std::string velocity = vector_of(drag.velocity, "m/s");
        if (!velocity.empty()) text += ", moves at " + velocity;
        if (drag.buoyancy) text += ", buoyancy";
        if (!drag.everywhere) text += ", in a region";
        if (drag.from > 0 || std::isfinite(drag.to)) text += fmt::format(", {:.6g} to {:.6g} s", drag.from, drag.to);
        text += "\n";
    }
}

/// What drives a periodic cell, stage by stage.
std::string drives_of(const Model& model) {
    const Domain& domain = model.domain;
    std::string text;
    for (const CellStage& stage : domain.stages) {
        std::vector<std::string> parts;
        for (int c = 0; c < kCellComponents; ++c) {
            const CellComponent& of = stage.of[c];
            if (of.by == CellDrive::Held) continue;
            const std::string name =
                c < 3 ? std::string(1, "xyz"[c]) : fmt::format("along {} across {}", "xyz"[domain.shear.along], "xyz"[domain.shear.across]);
            parts.push_back(of.by == CellDrive::Rate ? fmt::format("{} at {}", name, value_of(of.value, "1/s"))
                                                     : fmt::format("{} under {}", name, value_of(of.value, "Pa")));
        }
        const std::string until = std::isfinite(stage.to) ? fmt::format(", to {:.6g} s", stage.to) : "";
        text += fmt::format("{:<14}{}{}\n", domain.shear.at_once ? "shear" : "stage", fmt::join(parts, ", "), until);
    }
    return text;
}

void add_domain(std::string& text, const Model& model) {
    if (model.method == Method::Hard) return add_hard(text, model);  // which nothing leaves
    const Domain& domain = model.domain;
    const Vec3 &a = domain.box.min, &b = domain.box.max;
    if (std::isinf(a.x) && std::isinf(a.y) && std::isinf(a.z) && std::isinf(b.x) && std::isinf(b.y) && std::isinf(b.z)) {
        text += "domain        open on all sides\n";
        return;
    }
    const bool everywhere = domain.periodic[0] && domain.periodic[1] && (model.dimensions == 2 || domain.periodic[2]);
    const std::string along_z = model.dimensions == 2 ? "" : fmt::format(", z {:.6g} to {:.6g}", a.z, b.z);
    text += fmt::format("domain        x {:.6g} to {:.6g}, y {:.6g} to {:.6g}{} m; bodies that leave: {}\n", a.x, b.x, a.y, b.y, along_z,
                        everywhere                      ? "none do"
                        : domain.leave == Leave::Remove ? "removed"
                                                        : "the run stops");
    const Cell cell = cell_of(model);
    if (!cell.any()) return;
    text += periods_of(cell.periodic, [&](int a) { return cell.length[a]; });
    text += drives_of(model);
}

std::string stepping_of(const Model& model) {
    if (model.method != Method::Hard) return "";
    return model.hard.stepping == HardStepping::Events ? ", event by event" : ", in time steps";
}

/// Degrees of freedom as rows are counted: those that depend on others (a plane linkage of hinges) are taken off too often.
void add_joints(std::string& text, const Model& model) {
    if (model.joints.empty()) return;
    std::set<std::int32_t> joined;
    std::int64_t rows = 0;
    std::size_t driven = 0;
    for (const Joint& joint : model.joints) {
        for (const std::int32_t body : {joint.a, joint.b}) {
            if (body != Joint::ground) joined.insert(body);
        }
        rows += rows_of(joint.kind);
        driven += joint.angle_motor.drive != Drive::None || joint.travel_motor.drive != Drive::None;
    }
    const std::int64_t freedom = 6 * static_cast<std::int64_t>(joined.size()) - rows;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "joints        {}: {} bodies joined, {} rows, {} driven\n", model.joints.size(), joined.size(), rows, driven);
    fmt::format_to(out, "              {} degrees of freedom as counted, 6 x bodies - rows{}\n", freedom,
                   freedom < 0 ? "; rows that depend on others hold no more" : "");
    constexpr std::size_t shown = 20;
    for (std::size_t j = 0; j < std::min(shown, model.joints.size()); ++j) {
        const Joint& joint = model.joints[j];
        const auto other = [&](std::int32_t index) { return model.joints[static_cast<std::size_t>(index)].name; };
        if (joint.first >= 0) {
            fmt::format_to(out, "              {}: couples {} and {}\n", joint.name, other(joint.first), other(joint.second));
        } else {
            fmt::format_to(out, "              {}: {} and {}\n", joint.name, body_name(model.bodies, joint.a),
                           body_name(model.bodies, joint.b));
        }
    }
    if (model.joints.size() > shown) fmt::format_to(out, "              and {} more\n", model.joints.size() - shown);
}

/// "solver        apgd (auto), ccp, at most 500 iterations to 0.0001 m/s"
std::string solver_line(const ConeSettings& cone) {
    const auto name = [&cone] {
        switch (cone.solver) {
            case ConeSolver::Auto:
                return "apgd (auto)";
            case ConeSolver::Jacobi:
                return "jacobi";
            case ConeSolver::GaussSeidel:
                return "gauss_seidel";
            case ConeSolver::Apgd:
                return "apgd";
            case ConeSolver::BarzilaiBorwein:
                return "barzilai_borwein";
            case ConeSolver::InteriorPoint:
                return "interior_point";
        }
        return "?";
    };
    return fmt::format("solver        {}, {}, at most {} iterations to {}\n", name(),
                       cone.friction == FrictionLaw::Coulomb ? "coulomb" : "ccp", cone.iterations,
                       cone.tolerance > 0 ? fmt::format("{:.6g} m/s", cone.tolerance) : "1e-2 gravity times step");
}

}  // namespace

std::int64_t rows_of(JointKind kind) {
    switch (kind) {
        case JointKind::Fixed:
            return 6;
        case JointKind::Revolute:
        case JointKind::Prismatic:
            return 5;
        case JointKind::Cylindrical:
        case JointKind::Universal:
            return 4;
        case JointKind::Spherical:
            return 3;
        case JointKind::PointOnLine:
        case JointKind::RevoluteSpherical:
            return 2;
        case JointKind::Distance:
        case JointKind::PointOnPlane:
        case JointKind::Gear:
        case JointKind::Rack:
            return 1;
        case JointKind::Free:
            return 0;
    }
    return 0;
}

std::string check_report(const Scene& scene, const BuiltModel& built, EngineOptions options) {
    options.track_energy = Measures::need_energy(scene);
    if (options.threads <= 0) options.threads = available_threads();
    const Model& model = built.model;
    const Inserter inserter(built.insertions, model);
    const Remover remover(built.removals, model);
    const Stocks stocks(scene, built.insertions, remover, model);
    const Events events(built.events, Measures(scene, model, &inserter, &remover, &stocks).columns());  // what a run would refuse of them
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "scene         {}{}{}\n", scene.file, scene.title.empty() ? "" : ": ", scene.title);
    add_bodies(text, model);
    for (const Insertion& one : built.insertions) {
        if (one.on_call)
            fmt::format_to(out, "              {} of them \"{}\", which calls of a program put in: `scree run` leaves them out\n",
                           one.size(), one.name);
    }
    add_walls(text, model);
    add_joints(text, model);
    add_domain(text, model);
    add_fields(text, model);
    add_bonds(text, model);
    const bool cone = model.method == Method::Cone;
    const std::int64_t steps = steps_to(scene.time.end, model.dt);
    const std::int64_t bodies = count_bodies(model.bodies).bodies;
    fmt::format_to(out, "method        {}{}\n", method_name(model.method), stepping_of(model));
    if (cone) text += solver_line(model.cone);
    add_fluid(text, model);
    fmt::format_to(out, "step          {:.6g} s ({}){}\n", model.dt, scene.time.step ? "as given" : "automatic",
                   model.method != Method::Penalty ? "" : fmt::format("; largest stable step {:.6g} s", built.stable_step));
    fmt::format_to(out, "run           {} steps to t = {:.6g} s, {:.3g} particle-steps\n", steps, scene.time.end,
                   static_cast<double>(steps) * static_cast<double>(bodies));
    const MemoryForecast memory = foresee_memory(scene, model, options);
    text += memory_report(memory, static_cast<std::size_t>(bodies));
    const std::size_t contacts = scene.output.contacts ? 3 * model.bodies.size() : 0;
    const std::int64_t frames = count_frames(scene, model.dt, steps);
    const double lines = cone ? static_cast<double>(steps) * SolverLog::line_bytes : 0;
    const double frame = frame_bytes(model, model.bodies.size(), contacts, frame_choice(scene.output)) +
                         frame_header_bytes(model, model.bodies.size(), contacts);
    fmt::format_to(out, "disk          {} frames, at most about {}\n", frames, format_bytes(static_cast<double>(frames) * frame + lines));
    std::vector<std::string> warnings = built.warnings;
    if (const std::string more = memory_warning(memory, available_memory()); !more.empty()) warnings.push_back(more);
    for (const std::string& warning : warnings) text += "warning: " + warning + "\n";
    return text;
}

}  // namespace scree
