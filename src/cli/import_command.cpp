#include "cli/import_command.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include "cli/option_checks.hpp"
#include "cli/python_script.hpp"
#include "output/json.hpp"

namespace scree {

void add_import_command(CLI::App& program, int& exit_code) {
    struct Arguments {
        std::string deck, output;
        bool overwrite{false};
    };
    const auto a = std::make_shared<Arguments>();
    CLI::App* app =
        program.add_subcommand("import", "Turn an input deck of LAMMPS or LIGGGHTS into a scene, and say what is left to do by hand");
    app->add_option("DECK", a->deck, "Input deck")->required()->check(not_empty());
    app->add_option("-o,--output", a->output, "Scene to write (default: the deck's name with .toml, here)")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_flag("--overwrite", a->overwrite, "Replace the scene where it is there");
    app->callback([a, &exit_code] {
        namespace fs = std::filesystem;
        if (a->output.empty()) {
            // "in.hopper" is hopper.toml, "hopper.lammps" too.
            const fs::path name = fs::path(a->deck).filename();
            a->output =
                (name.stem() == "in" && name.has_extension() ? name.extension().string().substr(1) : name.stem().string()) + ".toml";
        }
        JsonWriter json;
        json.add("deck", a->deck);
        json.add("output", a->output);
        json.add("overwrite", a->overwrite);
        json.add("program", own_program());
        exit_code = run_python_script("import_deck.py", json.finish());
    });
}

}  // namespace scree
