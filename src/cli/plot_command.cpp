#include "cli/plot_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "cli/python_script.hpp"
#include "output/json.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
    std::vector<std::string> runs, series;
    std::string x{"time"}, reference, output, log, title;
    double time{0};
    CLI::Option* at{nullptr};
    bool overwrite{false}, list{false};
};

struct ReportArguments {
    std::vector<std::string> runs;
    std::string output;
    bool overwrite{false}, json{false};
};

/// Throws Error where a folder is none that `scree run` wrote.
void check_runs(const std::vector<std::string>& runs) {
    for (const std::string& run : runs) {
        std::error_code failed;
        if (!fs::is_directory(run, failed)) throw Error(fmt::format("{}: no such run directory", run));
        if (!fs::exists(run_file(run, RunFiles::scene), failed))
            throw Error(fmt::format("{}: this is no run directory, it holds no {}; give one that `scree run` wrote", run, RunFiles::scene));
    }
}

/// Throws Error where what is to be written is there already, or has nowhere to go, or is one of the files read.
void check_output(const std::string& output, bool overwrite, const std::string& reference) {
    std::error_code failed;
    if (fs::is_directory(output, failed)) throw Error(fmt::format("-o {}: this is a folder; name a file", output));
    const fs::path folder = fs::path(output).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, failed))
        throw Error(fmt::format("-o {}: there is no folder {}", output, folder.string()));
    if (!reference.empty() && fs::equivalent(output, reference, failed))
        throw Error(fmt::format("-o {}: this is the file of --reference", output));
    if (!overwrite && fs::exists(output, failed)) throw Error(fmt::format("{} is there already: --overwrite replaces it", output));
}

void check_ending(const std::string& output, const std::vector<std::string>& endings, const std::string& words) {
    const std::string ending = fs::path(output).extension().string();
    for (const std::string& known : endings)
        if (ending == known) return;
    throw Error(fmt::format("-o {}: the name must end in {}", output, words));
}

int plot(PlotArguments& a) {
    check_runs(a.runs);
    if (a.output.empty()) a.output = run_file(a.runs.front(), "plot.svg");
    if (!a.list) {
        check_ending(a.output, {".svg", ".pdf", ".png"}, ".svg, .pdf or .png");
        check_output(a.output, a.overwrite, a.reference);
    }
    JsonWriter json;
    json.add("runs", a.runs);
    json.add("series", a.series);
    json.add("x", a.x);
    json.add("log", a.log);
    json.add("title", a.title);
    json.add("reference", a.reference);
    json.add("output", a.output);
    json.add("list", a.list);
    if (a.at->count() > 0) json.add("time", a.time);
    return run_python_script("plot.py", json.finish());
}

int report(ReportArguments& a) {
    check_runs(a.runs);
    if (a.json && !a.output.empty()) throw Error("--json prints to the terminal; leave -o out");
    if (a.output.empty()) a.output = run_file(a.runs.front(), "report.html");
    if (!a.json) {
        check_ending(a.output, {".html", ".htm"}, ".html");
        check_output(a.output, a.overwrite, "");
    }
    JsonWriter json;
    json.add("runs", a.runs);
    json.add("output", a.output);
    json.add("json", a.json);
    json.add("program", own_program());
    return run_python_script("report.py", json.finish());
}

}  // namespace

void add_plot_commands(CLI::App& program, int& exit_code) {
    const auto p = std::make_shared<PlotArguments>();
    CLI::App* app = program.add_subcommand("plot", "Draw series, distributions and profiles of runs, with units (SVG, PDF or PNG)");
    app->add_option("RUN", p->runs, "Run directories; several are drawn over each other")->required()->check(not_empty());
    app->add_option(
           "--series", p->series,
           "What to draw, as NAME.COLUMN or a pattern such as \"energy.*\"; without it what there is gets listed, and energies drawn")
        ->check(not_empty())
        ->type_name("NAME");
    app->add_option("--x", p->x, "Column along the horizontal axis")->check(not_empty())->type_name("NAME")->default_str("time");
    app->add_option("--log", p->log, "Axes with logarithmic scales: x, y or xy")->check(one_of({"x", "y", "xy"}))->type_name("AXES");
    p->at = app->add_option("--time", p->time, "Time of the frame that distributions and profiles are taken from [s] (default: the last)")
                ->check(number_from_zero())
                ->type_name("T");
    app->add_option(
           "--reference", p->reference,
           "Points to draw beside, from a CSV file: its first line names the columns, the first of them goes along the horizontal axis")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_option("--title", p->title, "Title of the figure")->check(not_empty())->type_name("TEXT");
    app->add_option("-o,--output", p->output, "Figure to write, .svg, .pdf or .png (default: plot.svg in the first run directory)")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_flag("--overwrite", p->overwrite, "Replace the file of --output");
    app->add_flag("--list", p->list, "Only list what there is to draw, with units");
    app->callback([p, &exit_code] { exit_code = plot(*p); });

    const auto r = std::make_shared<ReportArguments>();
    app = program.add_subcommand("report", "Write a page on runs: what was simulated, balances, speed, warnings, plots (one HTML file)");
    app->add_option("RUN", r->runs, "Run directories; several are compared")->required()->check(not_empty());
    app->add_option("-o,--output", r->output, "Page to write (default: report.html in the first run directory)")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_flag("--overwrite", r->overwrite, "Replace the file of --output");
    app->add_flag("--json", r->json, "Print the facts as JSON instead, with all digits");
    app->callback([r, &exit_code] { exit_code = report(*r); });
}

}  // namespace scree
