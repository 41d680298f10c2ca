#include "cli/many_runs_command.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "cli/option_checks.hpp"
#include "cli/python_script.hpp"
#include "output/json.hpp"

namespace scree {
namespace {

struct ManyRunsArguments {
    std::string file, output;
    std::int64_t jobs{0}, threads{0}, run{-1};
    bool dry_run{false}, retry{false}, overwrite{false}, slurm{false}, collect{false};
};

/// What both commands take.
void add_shared_options(CLI::App& app, ManyRunsArguments& a) {
    app.add_option("-o,--output", a.output,
                   "Folder of the runs and results; what has been run there is kept (default: runs/NAME of the file)")
        ->check(not_empty())
        ->type_name("DIR");
    app.add_option("--jobs", a.jobs, "Runs at a time (default: as many as there are processors for their threads)")
        ->check(integer_between(1, most_threads()))
        ->type_name("N");
    app.add_option("--threads", a.threads, "CPU threads of each run (default: what the file says, else 1); results do not depend on it")
        ->check(thread_count())
        ->type_name("N");
    app.add_flag("--dry-run", a.dry_run, "Only check the file and its scene, and say what would run");
    app.add_flag("--retry", a.retry, "Run those anew that failed before");
    app.add_flag("--overwrite", a.overwrite, "Remove the runs and results of an earlier call from the folder first");
}

int start(const char* script, const ManyRunsArguments& a) {
    JsonWriter json;
    json.add("file", a.file);
    json.add("output", a.output);
    json.add("jobs", a.jobs);
    json.add("threads", a.threads);
    json.add("run", a.run);
    json.add("dry_run", a.dry_run);
    json.add("retry", a.retry);
    json.add("overwrite", a.overwrite);
    json.add("slurm", a.slurm);
    json.add("collect", a.collect);
    json.add("most_threads", most_threads());
    json.add("program", own_program());
    return run_python_script(script, json.finish());
}

}  // namespace

void add_many_runs_commands(CLI::App& program, int& exit_code) {
    const auto s = std::make_shared<ManyRunsArguments>();
    CLI::App* app = program.add_subcommand("sweep", "Run a scene over many settings, several at a time, into one table of results");
    app->add_option("SWEEP", s->file, "What to run (TOML)")->required()->check(not_empty());
    add_shared_options(*app, *s);
    CLI::Option* slurm = app->add_flag("--slurm", s->slurm, "Run nothing, but write a script that runs all as an array of Slurm");
    CLI::Option* collect = app->add_flag("--collect", s->collect, "Run nothing, but write the table of what has been run")->excludes(slurm);
    app->add_option("--run", s->run, "Run this one alone, by its number from 0: what the array of Slurm calls")
        ->check(integer_between(0, std::numeric_limits<std::int32_t>::max()))
        ->excludes(slurm)
        ->excludes(collect)
        ->type_name("K");
    app->callback([s, &exit_code] { exit_code = start("sweep.py", *s); });

    const auto c = std::make_shared<ManyRunsArguments>();
    app = program.add_subcommand("calibrate", "Find settings of scenes such that runs give what was measured, and how sure they are");
    app->add_option("CALIBRATION", c->file, "What to find, from what (TOML)")->required()->check(not_empty());
    add_shared_options(*app, *c);
    app->callback([c, &exit_code] { exit_code = start("calibrate.py", *c); });
}

}  // namespace scree
