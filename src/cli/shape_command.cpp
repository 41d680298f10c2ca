#include "cli/shape_command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "sim/shape_report.hpp"

namespace scree {

void add_shape_command(CLI::App& program) {
    struct Arguments {
        ShapeOptions options;
        std::string fill{"regular"};
        CLI::Option *as{nullptr}, *surface{nullptr}, *output{nullptr};
        std::vector<CLI::Option*> of_packed;  // the radius first
        std::vector<CLI::Option*> of_few;     // spheres and decomposition
    };
    const auto a = std::make_shared<Arguments>();
    ShapeOptions& o = a->options;
    CLI::App* app = program.add_subcommand("shape", "Mass and inertia of a closed mesh, and spheres or convex parts that stand for it");
    app->add_option("FILE", o.input, "Mesh file: STL, OBJ, PLY, glTF and others")->required()->check(not_empty());
    app->add_option("--scale", o.scale, "Factor from the file's unit to metres (0.001 for millimetres)")
        ->check(positive_number())
        ->type_name("S");
    app->add_option("--density", o.density, "Density [kg/m3] (default 1000)")->check(positive_number())->type_name("D");
    a->as = app->add_option("--as", o.as,
                            "Kind of shape that stands for it: packed (spheres that fill it), spheres (few that overlap), or decomposition "
                            "(convex parts)")
                ->check(one_of({"packed", "spheres", "decomposition"}))
                ->type_name("KIND");
    a->of_packed.push_back(
        app->add_option("--radius", o.radius, "Radius of the spheres that fill it [m]")->check(positive_number())->type_name("R"));
    a->of_packed.push_back(app->add_option("--fill", a->fill, "regular (hexagonal close packing) or random")
                               ->check(one_of({"regular", "random"}))
                               ->type_name("NAME")
                               ->default_str("regular")
                               ->needs(a->of_packed[0]));
    a->of_packed.push_back(app->add_option("--seed", o.seed, "Seed of a random fill")
                               ->check(integer_between(0, std::numeric_limits<std::int64_t>::max()))
                               ->type_name("N")
                               ->needs(a->of_packed[0]));
    a->surface = app->add_option("--surface", o.surface, "Share of its radius by which a sphere may stick out, from 0 to 1 (default 0.1)")
                     ->check(number_that<double>([](double value) { return value >= 0 && value <= 1; }, "a number from 0 to 1"))
                     ->type_name("S");
    a->of_few.push_back(app->add_option("--most", o.most, "Most spheres (default 50) or convex parts (default 16)")
                            ->check(integer_between(1, 10000))
                            ->type_name("N"));
    a->of_few.push_back(
        app->add_option("--tolerance", o.tolerance, "Stop at this share of the volume by which they differ from the mesh (default 0.02)")
            ->check(number_that<double>([](double value) { return value > 0 && value <= 1; }, "a number above 0 and up to 1"))
            ->type_name("T"));
    a->output =
        app->add_option("-o,--output", o.output,
                        "Write the spheres here (CSV), for place = { file = … }; or spheres or parts as a mesh (.stl, .obj or .ply)")
            ->check(not_empty())
            ->type_name("FILE");
    app->add_option("--picture", o.picture, "Draw the mesh, and beside it what stands for it, into this file (.png)")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_flag("--overwrite", o.overwrite, "Replace the files of --output and --picture");
    app->add_flag("--json", o.json, "Print JSON, with all digits");
    app->callback([a] {
        ShapeOptions& options = a->options;
        options.random = a->fill == "random";
        if (options.as.empty() && a->of_packed[0]->count() > 0) options.as = "packed";
        const auto refuse = [](const CLI::Option* option, const std::string& why) {
            if (option->count() > 0) throw Error(option->get_name() + " " + why);
        };
        if (options.as == "packed" && a->of_packed[0]->count() == 0) throw Error("--as packed needs --radius");
        if (options.as != "packed")
            for (const CLI::Option* option : a->of_packed) refuse(option, "is of --as packed");
        if (options.as != "spheres" && options.as != "decomposition")
            for (const CLI::Option* option : a->of_few) refuse(option, "needs --as spheres or --as decomposition");
        if (options.as != "spheres" && options.as != "packed") refuse(a->surface, "needs --as spheres, or --radius");
        if (options.as.empty()) refuse(a->output, "needs --as, or --radius");
        std::cout << shape_report(a->options);
    });
}

}  // namespace scree
