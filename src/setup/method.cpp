#include "setup/method.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "setup/law_values.hpp"

namespace scree {

Method build_method(const SceneMethod& given) {
    if (given.kind == "penalty") return Method::Penalty;
    if (given.kind == "cone") return Method::Cone;
    if (given.kind == "hard") return Method::Hard;
    if (given.kind == "fluid") return Method::Fluid;
    throw Error(given.place, fmt::format("method \"{}\" is not available: use penalty, cone, hard or fluid", given.kind));
}

const char* method_name(Method method) {
    switch (method) {
        case Method::Penalty:
            return "penalty";
        case Method::Cone:
            return "cone";
        case Method::Hard:
            return "hard";
        case Method::Fluid:
            return "fluid";
    }
    return "?";
}

HardSettings build_hard(const SceneMethod& given) {
    if (given.stepping != "events" && given.stepping != "steps")
        throw Error(given.place, fmt::format("unknown stepping \"{}\": use events or steps", given.stepping));
    HardSettings hard;
    hard.stepping = given.stepping == "events" ? HardStepping::Events : HardStepping::Steps;
    hard.elastic_below = given.elastic_below;
    hard.rounds = given.iterations;
    return hard;
}

PenaltySettings build_penalty(const SceneMethod& given) {
    if (!(given.overlap_warning > 0.0 && given.overlap_warning <= given.overlap_limit))
        throw Error(given.place, fmt::format("overlap_warning {} must be positive and not above overlap_limit {}", given.overlap_warning,
                                             given.overlap_limit));
    PenaltySettings penalty;
    static_cast<ContactLaws&>(penalty) = build_laws(given, LawWords(given));
    penalty.patch = given.patch == "vertices" ? Patch::Vertices : Patch::Overlap;
    if (given.kind == "penalty" && penalty.patch == Patch::Vertices && penalty.law != Law::Power && penalty.law != Law::Linear)
        throw Error(given.place,
                    fmt::format("patch = \"vertices\" has no area, which law = \"{}\" needs: use law = \"power\" or \"linear\", or "
                                "patch = \"overlap\"",
                                given.law));
    penalty.overlap_warning = given.overlap_warning;
    penalty.overlap_limit = given.overlap_limit;
    penalty.skin = given.skin.value_or(0.0);
    if (given.search == "auto")
        penalty.search = Search::Auto;
    else if (given.search == "brute")
        penalty.search = Search::BruteForce;
    else if (given.search == "grid")
        penalty.search = Search::Grid;
    else if (given.search == "levels")
        penalty.search = Search::Levels;
    else
        throw Error(given.place, fmt::format("unknown search \"{}\": use auto, brute, grid or levels", given.search));
    return penalty;
}

ConeSettings build_cone(const SceneMethod& given) {
    constexpr std::array<std::pair<std::string_view, ConeSolver>, 6> solvers{{{"auto", ConeSolver::Auto},
                                                                              {"jacobi", ConeSolver::Jacobi},
                                                                              {"gauss_seidel", ConeSolver::GaussSeidel},
                                                                              {"apgd", ConeSolver::Apgd},
                                                                              {"barzilai_borwein", ConeSolver::BarzilaiBorwein},
                                                                              {"interior_point", ConeSolver::InteriorPoint}}};
    ConeSettings cone;
    bool known = false;
    for (const auto& [word, solver] : solvers)
        if (given.solver == word) {
            cone.solver = solver;
            known = true;
        }
    if (!known) throw Error(given.place, fmt::format("unknown solver \"{}\"", given.solver));
    cone.friction = given.friction == "coulomb" ? FrictionLaw::Coulomb : FrictionLaw::Ccp;
    cone.iterations = given.iterations;
    cone.tolerance = given.tolerance.value_or(0.0);
    cone.residual_limit = given.residual_limit.value_or(0.0);
    cone.omega = given.omega.value_or(0.0);
    cone.lambda = given.lambda.value_or(0.0);
    cone.recovery_speed = given.recovery_speed.value_or(0.0);
    cone.restitution_threshold = given.restitution_threshold.value_or(-1.0);
    cone.envelope = given.envelope.value_or(0.0);
    cone.warm_start = given.warm_start;
    cone.direct_joints = given.joints == "direct";
    cone.joint_tolerance = given.joint_tolerance;
    cone.joint_substeps = given.joint_substeps;
    cone.coulomb_iterations = given.coulomb_iterations;
    return cone;
}

}  // namespace scree
