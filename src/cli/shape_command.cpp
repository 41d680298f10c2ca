#include "cli/shape_command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include "cli/option_checks.hpp"
#include "sim/shape_report.hpp"

namespace scree {

void add_shape_command(CLI::App& program) {
    struct Arguments {
        ShapeOptions options;
        std::string fill{"regular"};
    };
    const auto a = std::make_shared<Arguments>();
    ShapeOptions& o = a->options;
    CLI::App* app = program.add_subcommand("shape", "Mass, inertia and a fill by spheres of a closed mesh");
    app->add_option("FILE", o.input, "Mesh file: STL, OBJ, PLY, glTF and others")->required()->check(not_empty());
    app->add_option("--scale", o.scale, "Factor from the file's unit to metres (0.001 for millimetres)")
        ->check(positive_number())
        ->type_name("S");
    app->add_option("--density", o.density, "Density [kg/m3] (default 1000)")->check(positive_number())->type_name("D");
    CLI::Option* radius =
        app->add_option("--radius", o.radius, "Fill it with spheres of this radius [m]")->check(positive_number())->type_name("R");
    app->add_option("--fill", a->fill, "regular (hexagonal close packing) or random")
        ->check(CLI::IsMember({"regular", "random"}).description(""))
        ->type_name("NAME")
        ->default_str("regular")
        ->needs(radius);
    app->add_option("--surface", o.surface, "Share of its radius by which a sphere may stick out, from 0 to 1 (default 0.1)")
        ->check(number_that<double>([](double value) { return value >= 0 && value <= 1; }, "a number from 0 to 1"))
        ->type_name("S")
        ->needs(radius);
    app->add_option("--seed", o.seed, "Seed of a random fill")
        ->check(integer_between(0, std::numeric_limits<std::int64_t>::max()))
        ->type_name("N")
        ->needs(radius);
    app->add_option("-o,--output", o.output, "Write the spheres here (CSV), for place = { file = … }")
        ->check(not_empty())
        ->type_name("FILE")
        ->needs(radius);
    app->add_flag("--json", o.json, "Print JSON, with all digits");
    app->callback([a] {
        a->options.random = a->fill == "random";
        std::cout << shape_report(a->options);
    });
}

}  // namespace scree
