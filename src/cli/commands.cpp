#include "cli/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/device_option.hpp"
#include "cli/new_command.hpp"
#include "cli/option_checks.hpp"
#include "cli/plot_command.hpp"
#include "base/error.hpp"
#include "cli/collide_command.hpp"
#include "cli/closing_table.hpp"
#include "cli/command_page.hpp"
#include "cli/cone_command.hpp"
#include "cli/export_command.hpp"
#include "cli/import_command.hpp"
#include "cli/many_runs_command.hpp"
#include "cli/render_command.hpp"
#include "cli/shape_command.hpp"
#include "cli/view_command.hpp"
#include "engine/engine.hpp"
#include "engine/host_modules.hpp"
#include "scene/laws_page.hpp"
#include "scene/parse.hpp"
#include "setup/build_model.hpp"
#include "sim/check_report.hpp"
#include "sim/describe_file.hpp"
#include "sim/simulation.hpp"
#include "sim/speed_record.hpp"
#include "sim/terminal.hpp"

namespace scree {
namespace {

/// What the command line says; each subcommand reads its own part.
struct Arguments {
    std::string scene;
    std::vector<std::string> overrides;
    std::string device{"auto"}, precision{"double"};
    RunOptions run;
    bool quiet{false};
    std::string progress{"auto"};
    std::string path;  // info
    bool with_view{false};
    ViewArguments view;
    int exit_code{0};
};

void add_scene(CLI::App& app, Arguments& a) {
    app.add_option("SCENE", a.scene, "Scene file (TOML)")->required();
    app.add_option("--set", a.overrides, "Change a key of the scene, as key.path=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

/// What `run` and `check` have in common: where, how precisely and on how many threads.
void add_engine_options(CLI::App& app, Arguments& a) {
    add_device_option(app, a.device, "auto, cpu, cuda, or one GPU of several as cuda:1", parse_device);
    app.add_option("--precision", a.precision, "double, or mixed: contacts in single precision, state in double")
        ->check(one_of({"double", "mixed"}))
        ->type_name("NAME")
        ->default_str("double");
    app.add_option("--threads", a.run.engine.threads,
                   "CPU threads (default: up to all, as many as make steps fast); results do not depend on it")
        ->check(thread_count())
        ->type_name("N");
}

void read_engine_options(Arguments& a) {
    a.run.engine.device = parse_device(a.device);
    a.run.engine.precision = a.precision == "mixed" ? Precision::Mixed : Precision::Double;
}

ProgressStyle style_of(const std::string& word) {
    if (word == "none") return ProgressStyle::None;
    if (word == "json") return ProgressStyle::Json;
    if (word == "lines") return ProgressStyle::Lines;
    return word == "line" || can_rewrite(STDERR_FILENO) ? ProgressStyle::Rewrite : ProgressStyle::Lines;
}

void run(Arguments& a) {
    a.run.version = SCREE_VERSION;
    read_engine_options(a);
    a.run.terminal = &std::cerr;
    if (!a.quiet) a.run.progress = style_of(a.progress);
    a.run.terminal_width = [] { return terminal_width(STDERR_FILENO); };
    a.run.speed_record = speed_record_path();
    Scene scene = parse_scene(a.scene, a.overrides);
    std::unique_ptr<ViewBeside> view;
    if (a.with_view) {
        view = std::make_unique<ViewBeside>(a.run.directory.empty() ? default_run_directory(scene.file) : a.run.directory, a.view);
        a.run.control = view->control();
    }
    Simulation simulation(std::move(scene), a.run);
    const RunResult result = simulation.run();
    a.exit_code = result.exit_code;
    if (!result.message.empty() && a.run.progress != ProgressStyle::Json)
        std::cerr << (result.exit_code == 1 ? "error: " : "") << result.message << std::endl;
    if (a.quiet) return;
    const Summary& s = simulation.summary();
    std::cout << fmt::format("{}: {} bodies, t = {:.6g} s after {} steps, {} wall, {:.3g} M body-steps/s; see {}\n", result.reason,
                             s.counters.bodies, s.counters.time, s.counters.step, format_duration(s.wall_seconds),
                             s.wall_seconds > 0 ? s.particle_steps / s.wall_seconds * 1e-6 : 0.0, simulation.directory());
    const bool terminal = can_rewrite(STDOUT_FILENO);
    std::cout << closing_table(s, simulation.directory(), terminal ? terminal_width(STDOUT_FILENO) : 0, wants_colour(STDOUT_FILENO));
}

void add_run(CLI::App& program, Arguments& a) {
    CLI::App* app = program.add_subcommand("run", "Run a scene and write a run directory");
    add_scene(*app, a);
    app->add_option("-o,--output", a.run.directory, "Run directory (default: runs/NAME of the scene file)")
        ->check(not_empty())
        ->type_name("DIR");
    add_engine_options(*app, a);
    auto* until = app->add_option("--until", a.run.until, "Simulated time to end at [s], instead of time.end")
                      ->check(number_from_zero())
                      ->type_name("T");
    app->add_option("--steps", a.run.steps, "Number of steps to make from here, instead of time.end")
        ->check(integer_between(0, std::numeric_limits<std::int64_t>::max()))
        ->excludes(until)
        ->type_name("N");
    app->add_option("--restart", a.run.restart, "Go on from a checkpoint, bit for bit")->type_name("FILE");
    app->add_flag("--overwrite", a.run.overwrite, "Replace the files of an earlier run in the run directory");
    app->add_flag("-q,--quiet", a.quiet, "No progress and no closing table; warnings and errors still show");
    app->add_option("--progress", a.progress,
                    "How progress is told: line (drawn again on one line), lines (one a minute), json (an object a line, for programs), "
                    "none, or auto: line "
                    "on a terminal, else lines")
        ->check(one_of({"auto", "line", "lines", "json", "none"}))
        ->type_name("STYLE")
        ->default_str("auto");
    CLI::Option* with_view = app->add_flag("--view", a.with_view, "Show the run in the browser while it goes on");
    for (CLI::Option* option : add_view_options(*app, a.view, true)) option->needs(with_view);
    app->add_flag("--shuffle", a.run.engine.shuffle)->group("");  // hidden: a test that kernels do not depend on the order of indices
    app->callback([&a] { run(a); });
}

void add_others(CLI::App& program, Arguments& a) {
    CLI::App* check = program.add_subcommand("check", "Parse a scene, place its bodies, and say what would run");
    add_scene(*check, a);
    add_engine_options(*check, a);
    check->callback([&a] {
        read_engine_options(a);
        const Scene scene = parse_scene(a.scene, a.overrides);
        std::cout << check_report(scene, build_model(scene), a.run.engine);
    });

    CLI::App* info = program.add_subcommand("info", "Say what is in a run directory, a checkpoint, a file of frames, or a mesh");
    info->add_option("FILE", a.path, "Run directory or file")->required();
    info->callback([&a] { std::cout << describe_file(a.path); });

    CLI::App* reference = program.add_subcommand("reference", "Print the page of all keys of a scene file (Markdown)");
    CLI::Option* laws = reference->add_flag("--laws")->description("The page of contact laws instead");
    CLI::Option* curves =
        reference->add_flag("--curves")->description("Force against overlap of contact laws instead (CSV)")->excludes(laws);
    reference->callback([laws, curves] {
        std::cout << (laws->count() > 0 ? laws_page() : curves->count() > 0 ? law_curves_csv() : scene_reference());
    });
    CLI::App* completions = program.add_subcommand("completions", "Print a script that completes commands, options and files in a shell");
    CLI::Option* shell = completions->add_option("SHELL", "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
    completions->callback([&program, shell] { std::cout << completion_script(commands_of(program), shell->as<std::string>()); });
    program.add_subcommand("man", "Print the manual page (roff)")->callback([&program] {
        std::cout << manual_page(commands_of(program), SCREE_VERSION);
    });
    program.add_subcommand("version", "Print the version, the GPUs that answer, and the modules for the CPU that are used")->callback([] {
        std::cout << "scree " << SCREE_VERSION << " (build " << engine_build() << ")\n" << describe_cuda() << "\n";
        for (const std::string& line : describe_host_modules()) std::cout << line << "\n";
        const std::vector<std::string> devices = cuda_devices();
        for (std::size_t k = 0; k < devices.size(); ++k) std::cout << "  cuda:" << k << "  " << devices[k] << "\n";
    });
}

}  // namespace

int run_command_line(int argc, char** argv) {
    CLI::App program{"Scree simulates granular matter: spheres that touch, pile up and flow, from one scene file.", "scree"};
    program.require_subcommand(1);
    program.set_version_flag("--version", "scree " SCREE_VERSION);
    Arguments arguments;
    add_new_command(program);
    add_run(program, arguments);
    add_others(program, arguments);
    add_export_command(program);
    add_collide_command(program);
    add_cone_command(program, arguments.exit_code);
    add_shape_command(program);
    add_render_command(program);
    add_view_command(program);
    add_plot_commands(program, arguments.exit_code);
    add_import_command(program, arguments.exit_code);
    add_many_runs_commands(program, arguments.exit_code);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const auto names = program.get_subcommands([&](const CLI::App* app) { return argc > 1 && app->get_name() == argv[1]; });
        if (argc > 1 && argv[1][0] != '-' && names.empty())
            throw Error(fmt::format("there is no subcommand \"{}\": see scree --help", argv[1]));
        // Help and version come this way too, with code 0; all else is wrong input.
        if (e.get_exit_code() == 0) return program.exit(e, std::cout, std::cerr);
        if (e.get_name() == "RuntimeError") return e.get_exit_code();  // of a program that was started, which has said why
        throw Error(fmt::format("{}; see scree {}--help", e.what(), names.empty() ? "" : names.front()->get_name() + " "));
    }
    return arguments.exit_code;
}

}  // namespace scree
