#include "cli/new_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "cli/python_script.hpp"
#include "cli/scene_template.hpp"
#include "scene/plain_file.hpp"
#include "scene/units.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
    std::string kind, output, size;
    SceneChoice choice;
    bool list{false};
};

/// A file of share/scree/examples, where the program is PREFIX/bin/scree, of a build or of an installation.
fs::path example_file(const std::string& name) {
    fs::path file = fs::path(own_program()).parent_path().parent_path() / "share" / "scree" / "examples" / name;
    std::error_code failed;
    if (fs::exists(file, failed)) return file;
    throw Error(fmt::format("this program's file {} is not there: build anew (`make build`), or install again", file.string()));
}

std::string read_example(const std::string& name) {
    return read_plain_file(example_file(name).string(), kMostDataBytes, {});
}

void list_kinds() {
    for (const SceneKind& kind : scene_kinds()) {
        const std::string text = read_example(kind.file);
        const TemplateMarks marks = read_marks(text);
        std::string also;
        for (const std::string& word : kind.also) also += (also.empty() ? "; also called " : ", ") + word;
        std::cout << fmt::format("{:<12} {}: {} of {}{}{}\n", kind.name, title_of(text),
                                 marks.grains > 0 ? fmt::format("{} grains", marks.grains) : "grains", marks.diameter_text,
                                 marks.method ? "; either method" : "", also);
    }
    std::cout << "\nmaterials\n";
    for (const MaterialPreset& m : material_presets())
        std::cout << fmt::format("{:<12} density {} kg/m3, E {}, nu {}, restitution {}, friction {}\n{:<12} {}\n", m.name, m.density,
                                 m.young, m.poisson, m.restitution, m.friction, "", m.source);
}

/// One line from the terminal; empty at its end.
std::string ask(const std::string& question) {
    std::cout << question << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer)) std::cout << "\n";
    const auto from = answer.find_first_not_of(" \t"), to = answer.find_last_not_of(" \t");
    return from == std::string::npos ? std::string() : answer.substr(from, to - from + 1);
}

void ask_for_kind(NewArguments& a) {
    for (std::size_t k = 0; k < scene_kinds().size(); ++k)
        std::cout << fmt::format("{:>3}  {:<12} {}\n", k + 1, scene_kinds()[k].name, title_of(read_example(scene_kinds()[k].file)));
    a.kind = ask("Which one (number or name)? ");
    for (std::size_t k = 0; k < scene_kinds().size(); ++k)
        if (a.kind == std::to_string(k + 1)) a.kind = scene_kinds()[k].name;
    if (a.kind.empty()) throw Error("no kind of scene was named: nothing is written");
}

/// What the command line leaves open, each with what is taken where nothing is answered.
void ask_for_rest(NewArguments& a, const TemplateMarks& marks) {
    if (a.size.empty() && a.choice.grains == 0) a.size = ask(fmt::format("Diameter of the grains [{}]? ", marks.diameter_text));
    if (a.choice.material.empty() && marks.material)
        a.choice.material = ask("Material (glass, steel, sand, plastic) [as the scene has it]? ");
    if (a.choice.method.empty() && marks.method) a.choice.method = ask("Contact method (penalty, cone) [as the scene has it]? ");
    if (!a.choice.method.empty() && a.choice.method != "penalty" && a.choice.method != "cone")
        throw Error(fmt::format("the contact method is penalty or cone, not \"{}\"", a.choice.method));
    if (a.output.empty()) a.output = ask(fmt::format("Scene file [{}.toml]? ", a.kind));
}

/// A file that is to be written.
struct NewFile {
    fs::path path;
    std::string text;
    bool is_data{false};  // a mesh of the scene, in data/ beside it
};

/// Throws Error, before anything is written, where a file is there already with other content or its folder cannot be.
void check_new(const NewFile& file) {
    std::error_code failed;
    const fs::path folder = file.path.parent_path();
    for (fs::path above = folder; !above.empty() && above != above.root_path(); above = above.parent_path())
        if (fs::exists(above, failed) && !fs::is_directory(above, failed))
            throw Error(
                fmt::format("cannot write {}: {} is a file, not a folder; name a scene in another folder, as in -o FOLDER/NAME.toml",
                            file.path.string(), above.string()));
    if (!fs::exists(fs::symlink_status(file.path, failed))) return;
    if (!file.is_data)
        throw Error(fmt::format("{} is there already, and `scree new` writes over nothing: name another file with -o", file.path.string()));
    if (fs::is_regular_file(file.path, failed) && read_plain_file(file.path.string(), kMostDataBytes, {}) == file.text) return;
    throw Error(
        fmt::format("{}, a name that a mesh of this scene has, is there already with other content, and `scree new` writes over "
                    "nothing: name a scene in another folder, as in -o FOLDER/NAME.toml, or move that file away",
                    file.path.string()));
}

/// Writes them all, or leaves nothing behind and throws RunError.
void write_new(const std::vector<NewFile>& files) {
    std::error_code failed;
    std::vector<fs::path> made;  // files and folders, each behind the folder that it is in
    for (const NewFile& file : files) {
        if (fs::exists(file.path, failed)) continue;  // the same mesh
        std::vector<fs::path> folders;
        for (fs::path above = file.path.parent_path(); !above.empty() && !fs::exists(above, failed); above = above.parent_path())
            folders.push_back(above);
        made.insert(made.end(), folders.rbegin(), folders.rend());
        fs::create_directories(file.path.parent_path(), failed);
        made.push_back(file.path);
        errno = 0;
        std::ofstream out(file.path, std::ios::binary);
        out << file.text;
        out.close();
        if (out) continue;
        const int why = errno;
        for (auto path = made.rbegin(); path != made.rend(); ++path) fs::remove(*path, failed);
        throw RunError(fmt::format("cannot write {}: {}", file.path.string(), why != 0 ? std::strerror(why) : "it failed"));
    }
}

void make_new(NewArguments& a) {
    if (a.list) return list_kinds();
    const bool terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
    const bool asks = a.kind.empty();
    if (asks && !terminal) {
        std::string names;
        for (const SceneKind& kind : scene_kinds()) names += (names.empty() ? "" : ", ") + kind.name;
        throw Error(fmt::format("name a kind of scene, as in `scree new silo -o my_silo.toml`; there are {}", names));
    }
    if (asks) ask_for_kind(a);
    const SceneKind& kind = find_scene_kind(a.kind);
    a.kind = kind.name;
    const std::string text = read_example(kind.file);
    if (asks) ask_for_rest(a, read_marks(text));
    if (!a.size.empty()) {
        const Quantity size = parse_quantity(a.size, Dimension::Length);
        if (!size.problem.empty() || !(size.value > 0))
            throw Error(fmt::format("the size of grains is their diameter with its unit, as \"4 mm\", not \"{}\"", a.size));
        a.choice.diameter = size.value;
    }
    if (a.output.empty()) a.output = kind.name + ".toml";
    const fs::path scene = a.output;
    if (scene.extension() != ".toml") throw Error(fmt::format("-o {}: the name of a scene ends in .toml", a.output));
    std::vector<NewFile> files{{scene, fill_template(kind.name, text, a.choice)}};
    for (const std::string& name : data_files_of(files.front().text))
        files.push_back({scene.parent_path() / name, read_example((fs::path(kind.file).parent_path() / name).string()), true});
    for (const NewFile& file : files) check_new(file);
    write_new(files);
    std::string names;
    for (const NewFile& file : files) names += (names.empty() ? "" : ", ") + file.path.string();
    std::cout << "wrote " << names;
    std::cout << fmt::format("\ncheck it:  scree check {0}\nrun it:    scree run {0}\n", scene.string());
}

}  // namespace

void add_new_command(CLI::App& program) {
    const auto a = std::make_shared<NewArguments>();
    std::vector<std::string> kinds, materials;
    for (const SceneKind& kind : scene_kinds()) kinds.push_back(kind.name);
    for (const MaterialPreset& material : material_presets()) materials.push_back(material.name);
    CLI::App* app =
        program.add_subcommand("new", "Write a commented scene to start from; asks for what is not given where there is a terminal");
    app->add_option("KIND", a->kind, "Kind of scene: see --list")->check(such_as(kinds));
    app->add_option("-o,--output", a->output, "Scene file (default: KIND.toml); meshes go into data/ beside it")
        ->check(not_empty())
        ->type_name("FILE");
    app->add_option("--size", a->size, "Diameter of the grains, as \"4 mm\"; their number follows where it is not given")
        ->check(not_empty())
        ->type_name("D");
    app->add_option("--grains", a->choice.grains, "Number of grains; their size follows where it is not given")
        ->check(integer_between(1, 10'000'000))
        ->type_name("N");
    app->add_option("--material", a->choice.material, "Material of the grains: glass, steel, sand or plastic")
        ->check(not_empty())
        ->check(such_as(materials))
        ->type_name("NAME");
    app->add_flag("--true-stiffness", a->choice.true_stiffness,
                  "With --material: its own Young's modulus, in place of a softer one; steps are far shorter");
    app->add_option("--method", a->choice.method, "Contact method: penalty or cone")->check(one_of({"penalty", "cone"}))->type_name("NAME");
    app->add_flag("--list", a->list, "List kinds and materials, and write nothing");
    app->callback([a] { make_new(*a); });
}

}  // namespace scree
