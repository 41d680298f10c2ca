#include "cli/cone_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "cli/device_option.hpp"
#include "cli/option_checks.hpp"
#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/json.hpp"
#include "problems/friction_problem.hpp"

namespace scree {
namespace {

const std::map<std::string, ConeSolver> methods{{"auto", ConeSolver::Auto},
                                                {"jacobi", ConeSolver::Jacobi},
                                                {"gauss_seidel", ConeSolver::GaussSeidel},
                                                {"apgd", ConeSolver::Apgd},
                                                {"barzilai_borwein", ConeSolver::BarzilaiBorwein},
                                                {"interior_point", ConeSolver::InteriorPoint}};

struct ConeArguments {
    std::string file, method{"auto"}, law{"ccp"}, device{"auto"}, precision{"double"}, output;
    ConeProblemSettings settings;
};

std::string name_of(ConeSolver solver) {
    for (const auto& [name, value] : methods) {
        if (value == solver) return name;
    }
    return "auto";
}

/// One line per contact: impulse and velocity in the contact's frame.
std::string table_of(const FrictionProblem& read, const ConeSolution& solution) {
    const std::vector<Vec3> u = velocities(read.problem, solution.impulse);
    std::string text = "contact,r_normal,r_tangent1,r_tangent2,u_normal,u_tangent1,u_tangent2\n";
    for (std::size_t k = 0; k < u.size(); ++k) {
        const Vec3 r = solution.impulse[k];
        text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", k, r.x, r.y, r.z, u[k].x, u[k].y, u[k].z);
    }
    return text;
}

/// Processor time of this program [s].
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string report_of(const ConeArguments& a, const FrictionProblem& read, const ConeSolution& solution, double seconds, double cpu) {
    const ExplicitProblem& problem = read.problem;
    const std::vector<Vec3> u = velocities(problem, solution.impulse);
    double objective = 0;
    Vec3 sum{0, 0, 0};
    for (std::size_t k = 0; k < u.size(); ++k) {
        objective += 0.5 * dot(solution.impulse[k], u[k] + problem.r[k]);
        sum += solution.impulse[k];
    }
    const double skew = asymmetry(problem.matrix);
    JsonWriter json;
    json.add("file", a.file);
    json.add("nc", static_cast<std::int64_t>(problem.mu.size()));
    json.add("dim", static_cast<std::int64_t>(read.dimensions));
    json.add("law", a.law);
    json.add("method", name_of(solution.solver));
    json.add("iterations", solution.iterations);
    json.add("converged", solution.converged);
    json.add("residual", solution.residual);
    json.add("objective", objective);
    json.begin_object("sums");
    json.add("normal", sum.x);
    json.add("tangent1", sum.y);
    json.add("tangent2", sum.z);
    json.end_object();
    json.add("symmetric", skew <= 1e-12);
    json.add("asymmetry", skew);
    json.add("seconds", seconds);
    json.add("cpu_seconds", cpu);
    return json.finish();
}

bool is_finite(const ConeSolution& solution) {
    return std::isfinite(solution.residual) && std::all_of(solution.impulse.begin(), solution.impulse.end(), [](Vec3 r) {
               return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z);
           });
}

int run_cone(ConeArguments& a) {
    const Device device = parse_device(a.device);
    const Precision precision = a.precision == "mixed" ? Precision::Mixed : Precision::Double;
    runs_on_cuda(device, precision);  // refused for every method
    if (!a.output.empty()) check_destination("--output", a.output, a.file, "the problem");
    const FrictionProblem read = read_friction_problem(a.file);
    a.settings.solver = methods.at(a.method);
    a.settings.law = a.law == "coulomb" ? FrictionLaw::Coulomb : FrictionLaw::Ccp;
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    const ConeSolution solution = solve_cone_problem(read.problem, a.settings, device, precision);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cpu = cpu_seconds() - cpu_start;
    if (!is_finite(solution)) {
        throw RunError(
            fmt::format("{}: {} found no finite impulses: numbers of very different sizes, or a matrix that is not positive semidefinite. "
                        "Scale the problem, or try another --method",
                        a.file, name_of(solution.solver)));
    }
    if (!a.output.empty()) write_file_atomically(a.output, table_of(read, solution));
    std::cout << report_of(a, read, solution, seconds, cpu) << std::flush;
    return solution.converged ? 0 : 1;
}

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    names.reserve(std::size(methods));
    for (const auto& [name, value] : methods) names.push_back(name);
    return names;
}

}  // namespace

void add_cone_command(CLI::App& program, int& exit_code) {
    const auto a = std::make_shared<ConeArguments>();
    CLI::App* app =
        program.add_subcommand("cone", "Solve a friction problem u = M r + q from a file (Siconos text, FCLIB HDF5); prints JSON");
    app->add_option("PROBLEM", a->file, "Problem file")->required();
    app->add_option("--method", a->method,
                    "auto, interior_point, apgd, barzilai_borwein, gauss_seidel or jacobi; auto: interior_point up to 4000 contacts, then "
                    "apgd, and interior_point where that does not converge")
        ->check(one_of(method_names()))
        ->type_name("NAME")
        ->default_str("auto");
    app->add_option("--law", a->law, "ccp: the convex relaxation; coulomb: exact friction, with mu |u_t| added to the normal velocity")
        ->check(one_of({"ccp", "coulomb"}))
        ->type_name("NAME")
        ->default_str("ccp");
    app->add_option("--tolerance", a->settings.tolerance, "Residual to reach, |P_K(r - u) - r| / |q|")
        ->check(positive_number())
        ->type_name("X")
        ->default_str("1e-8");
    app->add_option("--iterations", a->settings.iterations, "Sweeps, applications of M, or factorisations at most (default: by the method)")
        ->check(positive_integer())
        ->type_name("N");
    add_device_option(*app, a->device, "auto, cpu, cuda, or one GPU of several as cuda:1; interior_point runs on the CPU", parse_device);
    app->add_option("--precision", a->precision, "double, or mixed; interior_point computes in double")
        ->check(one_of({"double", "mixed"}))
        ->type_name("NAME")
        ->default_str("double");
    app->add_option("-o,--output", a->output, "Write impulses r and velocities u of each contact here (CSV)")->type_name("FILE");
    app->callback([a, &exit_code] { exit_code = run_cone(*a); });
}

}  // namespace scree
