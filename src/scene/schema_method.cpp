// The table method: the penalty method with its laws, and the cone method.
#include <fmt/format.h>

#include <algorithm>

#include "laws/kinds.hpp"
#include "scene/tables.hpp"

namespace scree {

std::vector<std::string> laws_with_springs() {
    std::vector<std::string> laws{"linear"};
    for (const LawPart* part : PlasticLaws::parts)
        if (!part->needs_modulus) laws.emplace_back(part->name);
    return laws;
}

bool law_is(const Scene& scene, std::initializer_list<const char*> laws) {
    return std::any_of(laws.begin(), laws.end(), [&](const char* law) { return scene.method.law == law; });
}

Dimension stiffness_dimension(const Scene& scene) {
    return law_is(scene, {"power"}) ? Dimension::Number : Dimension::Stiffness;
}

namespace {

void add_cone_keys(TableOf<SceneMethod>& t) {
    t.word("solver", &SceneMethod::solver, {"auto", "jacobi", "gauss_seidel", "apgd", "barzilai_borwein", "interior_point"},
           "Cone: the method that solves a step's problem. \"auto\" is `apgd`, whatever the scene: of the iterative methods it needs the "
           "fewest "
           "iterations or nearly so, and joints slow it least. `interior_point`, for up to some hundred contacts without joints or rolling "
           "friction, reaches any tolerance.");
    t.word(
        "friction", &SceneMethod::friction, {"coulomb", "ccp"},
        "Cone: `coulomb` is Coulomb's law; `ccp` its convex relaxation, whose solves need half the iterations, in which a sliding contact "
        "dilates: it opens at friction times sliding speed, so bodies that slide on ride step times that above their support, what lies on "
        "a fast belt or drum is thrown up as it starts to slide, and what a closing wedge pushes out leaves several times too fast.");
    t.key("iterations", Type::Integer, &SceneMethod::iterations,
          "Cone: most iterations of a solve. A step that reaches them goes on with the best impulses found: its row of `solver.csv` has "
          "`converged` "
          "0 and the residual that is left, the summary counts such steps, and a run warns of them. What is missing shows as bodies that "
          "sink "
          "into each other or lag, which later steps put right. Hard, in time steps: most rounds of impulses in a step.")
        .from(1)
        .to(kMostBodies);
    t.number("tolerance", &SceneMethod::tolerance, Dimension::Velocity,
             "Cone: largest residual of a contact or joint at which a solve ends; \"auto\" is 1e-2 gravity times step, or 1e-6 m/s without "
             "gravity.")
        .above(0)
        .empty_as("auto");
    t.number(
         "residual_limit", &SceneMethod::residual_limit, Dimension::Velocity,
         "Cone: a step whose solve leaves more than this stops the run, with a checkpoint of it: what is missing would throw bodies or let "
         "them through each other. \"auto\" is a tenth of the smallest radius (of polyhedra: inscribed) in a step.")
        .above(0)
        .empty_as("auto");
    t.number("omega", &SceneMethod::omega, Dimension::Number,
             "Cone: relaxation of Jacobi and Gauss-Seidel steps; past 1 for the latter only.")
        .above(0)
        .to(2)
        .empty_as("auto");
    t.number("lambda", &SceneMethod::lambda, Dimension::Number, "Cone: share of the new in each Jacobi iterate.")
        .above(0)
        .to(1)
        .empty_as("auto");
    t.number("recovery_speed", &SceneMethod::recovery_speed, Dimension::Velocity, "Cone: fastest way out of an overlap.")
        .above(0)
        .empty_as("auto");
    t.number("restitution_threshold", &SceneMethod::restitution_threshold, Dimension::Velocity,
             "Cone: an approach slower than this ends without rebound; \"auto\" is twice what gravity and a moving wall's acceleration "
             "cause in "
             "a step, or twice `tolerance` where that is more, so that a bouncing body comes to rest and no other rebound is lost.")
        .from(0)
        .empty_as("auto");
    t.number("envelope", &SceneMethod::envelope, Dimension::Length,
             "Cone: gaps up to this are contacts of the step's problem; \"auto\" is a twentieth of the smallest radius (of polyhedra: "
             "inscribed), or, of spheres, half of what falls, walls and bodies of the scene move in a step, at most 0.3 of that radius.")
        .above(0)
        .empty_as("auto");
    t.key("warm_start", Type::Flag, &SceneMethod::warm_start, "Cone: start from the impulses of the step before.");
    t.word("joints", &SceneMethod::joints, {"direct", "iterate"},
           "Cone: joints exactly within each iteration, or row by row like contacts.");
    t.number("joint_tolerance", &SceneMethod::joint_tolerance, Dimension::Number,
             "Largest miss of a joint after a step, over the mechanism's size.")
        .above(0)
        .to(0.1);
    t.key("joint_substeps", Type::Integer, &SceneMethod::joint_substeps,
          "Cone: equal parts of a step that mechanisms take while nothing touches them; the error falls with the square.")
        .from(1)
        .to(1000);
    t.key("coulomb_iterations", Type::Integer, &SceneMethod::coulomb_iterations, "Cone: most outer iterations of `friction = \"coulomb\"`.")
        .from(1)
        .to(kMostBodies);
}

}  // namespace

namespace {

void add_hard_keys(TableOf<SceneMethod>& t) {
    t.word("stepping", &SceneMethod::stepping, {"events", "steps"},
           "Hard: `events` carries out one collision after the other, exactly, on the CPU; `steps` all those of a time step together, on "
           "any device, with an error that falls with the step.");
    t.number(
         "elastic_below", &SceneMethod::elastic_below, Dimension::Velocity,
         "Hard: an approach slower than this rebounds with restitution 1, so that clusters of inelastic particles do not collide without "
         "end.")
        .from(0);
}

void add_fluid_keys(TableOf<SceneMethod>& t) {
    t.number("support_radius", &SceneMethod::support_radius, Dimension::Number,
             "Fluid: radius of the kernel, in spacings of particles; a particle has some 4 pi / 3 times its cube neighbours.")
        .from(1.5)
        .to(4);
    t.key("density_iterations", Type::Integer, &SceneMethod::density_iterations,
          "Fluid: iterations of the density constraint in a step. The density error falls with them, and with the square of the step.")
        .from(1)
        .to(1000);
    t.number(
         "relaxation", &SceneMethod::relaxation, Dimension::Number,
         "Fluid: what is added to the response of each constraint, over the largest response of a lattice (the epsilon of Macklin & "
         "M\u00fcller's eq. 11). Smaller corrects faster; near 0 neighbours correct the same error more than twice and the fluid boils.")
        .from(0.1)
        .to(100);
    t.number(
         "artificial_pressure", &SceneMethod::artificial_pressure, Dimension::Number,
         "Fluid: repulsion of near neighbours against clumping (the k of eq. 13), as the excess of density that pushes as hard; it thins "
         "the fluid.")
        .from(0)
        .to(1);
    t.key("artificial_pressure_power", Type::Integer, &SceneMethod::artificial_pressure_power,
          "Fluid: power of the kernel in it (n of eq. 13).")
        .from(1)
        .to(16);
    t.number("artificial_pressure_at", &SceneMethod::artificial_pressure_at, Dimension::Number,
             "Fluid: distance, in support radii, at which it is `artificial_pressure` (delta q of eq. 13).")
        .from(0)
        .to(0.9);
    t.number("xsph_viscosity", &SceneMethod::xsph_viscosity, Dimension::Number,
             "Fluid: share of its neighbours' velocity that a particle takes on in each step (the c of eq. 17).")
        .from(0)
        .to(0.5);
    t.number("vorticity_confinement", &SceneMethod::vorticity_confinement, Dimension::Velocity,
             "Fluid: strength of the force along N x omega that keeps vortices turning (epsilon of eq. 16): acceleration over vorticity.")
        .from(0);
}

}  // namespace

namespace {

/// A key whose words are the declared laws of a kind.
void add_law_words(TableOf<SceneMethod>& t, const char* key, std::string SceneMethod::*member, const std::string& doc) {
    std::vector<std::string> words;
    std::string all = doc;
    for (const LawKind& kind : law_kinds()) {
        if (std::string_view(kind.key) != key) continue;
        for (const LawPart* part : kind.parts) {
            words.emplace_back(part->name);
            all += fmt::format("{} `{}`: {}", words.size() == 1 ? "." : ";", part->name, part->doc);
        }
    }
    t.word(key, member, words, all + ". Other than the usual one needs a law with springs.");
}

}  // namespace

TablePtr method_table() {
    TableOf<SceneMethod> t("[method]",
                           "How contacts are resolved. Keys of either kind may stand whatever the kind, so that changing `kind` suffices.");
    t.word(
        "kind", &SceneMethod::kind, {"penalty", "cone", "hard", "fluid"},
        "Contact method: `penalty` resolves each contact by springs, dashpots and friction; `cone` finds the impulses of all contacts and "
        "joints of a step together, without overlap and with far longer steps; `hard` lets smooth spheres or disks fly straight between "
        "collisions that take no time, without gravity, between planes at rest or in a periodic domain; `fluid` makes equal particles a "
        "liquid, which keeps its density by moving them (position-based fluid).");
    std::vector<std::string> laws, given = laws_with_springs();
    for (const LawPart* part : law_kinds().front().parts) laws.emplace_back(part->name);
    given.emplace_back("power");
    std::string law_words;
    for (const LawPart* part : PlasticLaws::parts) {
        law_words += fmt::format("; `{}`, of spheres and disks: {}", part->name, part->doc);
    }
    t.word(
        "law", &SceneMethod::law, laws,
        "Contact law: Hertz-Mindlin from the elastic constants; linear springs of one stiffness; `volume`, for scenes of polyhedra alone, "
        "from the elastic constants with the volume shared as potential; or `power`: stiffness times overlap^1.5 with viscous damping "
        "and friction and no memory (BLAZE-DEM), which has no use for restitution" +
            law_words + ". Restitution is that of dashpots alone, beside what yielding takes.");
    t.key(
         "normal", Type::Word, [](SceneMethod& method, const Value& value) { method.law = std::get<std::string>(value); },
         [](const SceneMethod&) -> std::optional<Value> { return std::nullopt; },
         "Another name of `law`, beside `tangential` and the others.")
        .otherwise("`law`")
        .words = laws;
    t.number(
         "stiffness", &SceneMethod::stiffness, Dimension::Stiffness,
         "Normal spring of the linear law, and of loading of `walton_braun` and `luding`; under `power` K_r, a plain number in N/m^1.5.")
        .required()
        .above(0)
        .only_for(given)
        .dimension_when = stiffness_dimension;
    t.number("tangential_ratio", &SceneMethod::tangential_ratio, Dimension::Number,
             "Tangential over normal spring of laws that have a `stiffness`.")
        .above(0)
        .to(10)
        .only_for(laws_with_springs());
    add_law_words(t, "dashpot", &SceneMethod::dashpot, "Penalty: the dashpot beside the normal spring of round bodies");
    add_law_words(t, "tangential", &SceneMethod::tangential, "Penalty: friction of round bodies");
    t.number("damping", &SceneMethod::damping, Dimension::Number,
             "Normal dashpot K_D of the power law, a plain number in N s/m^1.5: the force is K_D times overlap^0.5 times speed.")
        .from(0)
        .only_for({"power"});
    t.number("tangential_damping", &SceneMethod::tangential_damping, Dimension::Damping,
             "Tangential dashpot K_T of the power law, up to the friction limit.")
        .from(0)
        .only_for({"power"});
    add_law_words(t, "rolling", &SceneMethod::rolling,
                  "Penalty: how contacts of spheres and disks resist rolling, up to `rolling_friction` of their materials");
    add_law_words(t, "twisting", &SceneMethod::twisting, "Penalty: how contacts of spheres resist turning about their normal");
    add_law_words(t, "cohesion", &SceneMethod::cohesion,
                  "Penalty: how spheres and walls pull on each other, beside what the normal law gives; friction and rolling friction are "
                  "held by the normal law's force alone");
    t.word(
        "patch", &SceneMethod::patch, {"overlap", "vertices"},
        "How the contact of polyhedra becomes one force: from the volume they share, or from the vertices inside the other body (pairs and "
        "planes; cylinders and meshes use the volume always).");
    t.number("overlap_warning", &SceneMethod::overlap_warning, Dimension::Number,
             "Overlap over the smaller radius past which a warning is given; the automatic step is chosen for it.")
        .above(0)
        .to(1);
    t.number("overlap_limit", &SceneMethod::overlap_limit, Dimension::Number,
             "Overlap over the smaller radius past which the run stops; of polyhedra the mean depth (cone: of the deepest point) over the "
             "bounding radius, or over 1.7 inradii of flat ones.")
        .above(0)
        .to(1);
    t.number("skin", &SceneMethod::skin, Dimension::Length, "Margin of the pair list; results do not depend on it.")
        .from(0)
        .empty_as("auto");
    t.word("search", &SceneMethod::search, {"auto", "brute", "grid", "levels"},
           "Broad phase: all pairs, one grid, or one grid per size class; results do not depend on it.");
    add_cone_keys(t);
    add_hard_keys(t);
    add_fluid_keys(t);
    t.place(&SceneMethod::place);
    t.select_by("law", [](const SceneMethod& method) { return method.law; });
    t.check([](SceneMethod& method, const TableReading& reading) {
        if (reading.has("law") && reading.has("normal")) reading.fail("normal", "is another name of law: give one of the two");
        method.law_place = reading.at(reading.has("normal") ? "normal" : "law");
        method.dashpot_place = reading.at("dashpot");
        method.tangential_place = reading.at("tangential");
        method.solver_place = reading.at("solver");
        method.rolling_place = reading.at("rolling");
        method.cohesion_place = reading.at("cohesion");
        method.twisting_place = reading.at("twisting");
        if (method.overlap_limit < method.overlap_warning)
            reading.fail(reading.has("overlap_limit") ? "overlap_limit" : "overlap_warning",
                         fmt::format("the limit ({}) must not be below the warning ({})", method.overlap_limit, method.overlap_warning));
        if (method.omega && *method.omega > 1 && method.solver != "gauss_seidel")
            reading.fail("omega", fmt::format("must be at most 1, not {}; only solver = \"gauss_seidel\" takes up to 2", *method.omega));
    });
    return t.build();
}

}  // namespace scree
