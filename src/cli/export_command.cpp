#include "cli/export_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "cli/colour_options.hpp"
#include "cli/option_checks.hpp"
#include "exports/export.hpp"

namespace scree {
namespace {

struct ExportArguments {
    std::string run, to, directory, range;
    ExportOptions options;
    std::vector<CLI::Option*> of_gltf;
    CLI::Option* compress{nullptr};
};

void run_export(ExportArguments& a) {
    const bool gltf = a.to == "gltf", vtk = a.to == "vtk" || a.to == "vtkhdf";
    const auto only_with = [&](const CLI::Option* option, bool fits, const char* formats) {
        if (option->count() > 0 && !fits) throw Error(fmt::format("{} goes with --to {} only", option->get_name(), formats));
    };
    for (const CLI::Option* option : a.of_gltf) only_with(option, gltf, "gltf");
    only_with(a.compress, vtk, "vtk and vtkhdf");
    a.options.gltf.range = range_of(a.range);
    if (gltf) a.options.gltf.materials = materials_of(a.run);
    // The folder in a run directory is the program's own.
    std::error_code error;
    if (a.directory.empty() && std::filesystem::is_directory(a.run, error)) a.options.overwrite = true;
    const std::string directory = a.directory.empty() ? default_export_directory(a.run, a.to) : a.directory;
    const Exported done = export_run(a.run, a.to, directory, a.options);
    std::cout << done.frames << (done.frames == 1 ? " frame" : " frames") << " in " << done.files.size()
              << (done.files.size() == 1 ? " file" : " files") << " under " << directory << "\n";
}

}  // namespace

void add_export_command(CLI::App& program) {
    const auto a = std::make_shared<ExportArguments>();
    CLI::App* app = program.add_subcommand("export", "Write the frames of a run for other programs");
    app->add_option("RUN", a->run, "Run directory, or a file with frames")->required();
    app->add_option(
           "--to", a->to,
           "vtk (ParaView, all versions), vtkhdf (ParaView from 5.12 on: one file over time), gsd (OVITO, HOOMD, freud), lammps (OVITO), "
           "gltf (viewers, Blender: one frame) or csv (spreadsheets)")
        ->required()
        ->check(such_as(export_formats()))
        ->type_name("KIND");
    app->add_option("-o,--output", a->directory, "Folder to write to (default: RUN/KIND)")->check(not_empty())->type_name("DIR");
    app->add_flag(
        "--overwrite", a->options.overwrite,
        "Replace an earlier export of this kind in the folder of -o (that in a run directory is replaced anyway); other frames of "
        "glTF stay");
    a->compress = app->add_flag("--compress", a->options.compress, "vtk, vtkhdf: deflate the arrays, without loss");
    const char* group = "glTF";
    GltfOptions& gltf = a->options.gltf;
    CLI::Option* time = app->add_option("--time", gltf.time, "The frame nearest to this time [s] (default: the last)")
                            ->check(not_empty())
                            ->type_name("T")
                            ->group(group);
    CLI::Option* colour =
        add_colour_options(*app, gltf.colour, a->range, gltf.map, "default speed; none without velocities", "from the frame", group);
    CLI::Option* nodes =
        app->add_flag("--nodes", gltf.nodes, "A node for each body, for readers without EXT_mesh_gpu_instancing")->group(group);
    a->of_gltf = {time, colour, app->get_option("--range"), app->get_option("--map"), nodes};
    app->callback([a] { run_export(*a); });
}

}  // namespace scree
