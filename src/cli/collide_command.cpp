#include "cli/collide_command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "cli/device_option.hpp"
#include "cli/option_checks.hpp"
#include "collide/collide_file.hpp"

namespace scree {
namespace {

const std::map<std::string, CollideMethod> methods{{"auto", CollideMethod::Auto},
                                                   {"brute", CollideMethod::Brute},
                                                   {"grid", CollideMethod::Grid},
                                                   {"levels", CollideMethod::Levels},
                                                   {"bins", CollideMethod::Bins}};

struct CollideArguments {
    std::string method{"auto"}, device{"auto"}, precision{"double"}, memory;
    CollideOptions options;
};

void run_collide(CollideArguments& a) {
    CollideOptions& o = a.options;
    o.settings.method = methods.at(a.method);
    o.devices = parse_devices(a.device);
    o.precision = a.precision == "mixed" ? Precision::Mixed : Precision::Double;
    if (!a.memory.empty()) o.memory = parse_bytes(a.memory);
    std::cout << collide_file(o) << std::flush;
}

}  // namespace

void add_collide_command(CLI::App& program) {
    const auto a = std::make_shared<CollideArguments>();
    CLI::App* app = program.add_subcommand("collide", "Find all contacts among the bodies of a file; prints JSON");
    app->add_option("FILE", a->options.input,
                    "CSV with columns x, y, z, r named in its first line, HDF5 with arrays of these names, or a checkpoint")
        ->required()
        ->check(not_empty());
    app->add_option("--method", a->method,
                    "auto, brute (all pairs), grid (one grid of cells), levels (a grid per octave of size) or bins (nine stages); all find "
                    "the same contacts")
        ->check(one_of({"auto", "brute", "grid", "levels", "bins"}))
        ->type_name("NAME")
        ->default_str("auto");
    app->add_option("-o,--output", a->options.output,
                    "Write contacts here (.csv or .h5), sorted by ids: ids, both points, normal, distance")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_option("--memory", a->memory, "Keep within this much memory, as in 4GB: space is worked through in boxes")
        ->check(not_empty())
        ->type_name("SIZE");
    add_device_option(*app, a->device, "auto, cpu, cuda (every GPU), or those named, as cuda:0,cuda:1: space is dealt out in boxes",
                      parse_devices);
    app->add_option("--precision", a->precision, "double or mixed: the engine's flavor; contacts are decided in double in both")
        ->check(one_of({"double", "mixed"}))
        ->type_name("NAME")
        ->default_str("double");
    app->add_option("--threads", a->options.settings.threads, "CPU threads (default: all)")->check(thread_count())->type_name("N");
    app->callback([a] { run_collide(*a); });
}

}  // namespace scree
