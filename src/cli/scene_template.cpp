#include "cli/scene_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "scene/suggest.hpp"
#include "scene/units.hpp"

namespace scree {
namespace {

/// Machines have openings that far larger grains would block, and far smaller ones fall through: the sizes that are taken, over the
/// template's.
constexpr double kLeastFactor = 0.2, kMostFactor = 1.5;
/// Grains take a little more room than their volume says where they are of another size than a lattice was laid out for.
constexpr double kRoomToSpare = 0.97;

const std::regex kHead(R"(^#@grains(?: (\d+))? of ([0-9.]+ [a-z]+)$)");
const std::regex kMark(R"( *#@(size|grains|material|method)\b *(.*)$)");

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

double length_of(const std::string& text) {
    const Quantity length = parse_quantity(text, Dimension::Length);
    if (!length.problem.empty()) throw Error(fmt::format("\"{}\": {}", text, length.problem));
    return length.value;
}

/// The line with every length in quotes multiplied by `factor`, in its own unit.
std::string with_lengths(const std::string& line, double factor) {
    static const std::regex length(R"#("([0-9.]+) *(um|mm|cm|m)")#");
    std::string out;
    auto from = line.cbegin();
    for (std::sregex_iterator match(line.begin(), line.end(), length), none; match != none; ++match) {
        out.append(from, line.cbegin() + match->position());
        out += fmt::format("\"{:.6g} {}\"", std::stod((*match)[1]) * factor, (*match)[2].str());
        from = line.cbegin() + match->position() + match->length();
    }
    return out.append(from, line.cend());
}

std::string with_number(const std::string& line, double factor) {
    static const std::regex number(R"((= )(\d+))");
    std::smatch match;
    if (!std::regex_search(line, match, number)) throw Error(fmt::format("the template has no number in \"{}\"", line));
    const auto changed = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(std::stod(match[2]) * factor + 1e-9)));
    return fmt::format("{}= {}{}", match.prefix().str(), changed, match.suffix().str());
}

/// `text` and, where there is one, its comment at column 38.
std::string with_comment(const std::string& text, const std::string& comment) {
    return comment.empty() ? text : fmt::format("{:<36} # {}", text, comment);
}

/// A line of the grains' material as the preset has it, or as it stands where the preset does not say.
std::string of_preset(const std::string& line, const MaterialPreset& preset, bool true_stiffness) {
    const std::string key = line.substr(0, line.find(' '));
    if (key == "density") return "density = " + preset.density;
    if (key == "poisson") return "poisson = " + preset.poisson;
    if (key == "restitution") return "restitution = " + preset.restitution;
    if (key == "friction") return "friction = " + preset.friction;
    if (key == "young") {
        if (true_stiffness) return fmt::format("young = \"{}\"", preset.young);
        const std::string value = line.substr(0, line.find('"', line.find('"') + 1) + 1);
        return with_comment(value, fmt::format("softened, so that steps can be long; {} has {}", preset.name, preset.young));
    }
    return line;
}

const MaterialPreset& find_preset(const std::string& name) {
    std::vector<std::string> names;
    for (const MaterialPreset& preset : material_presets()) {
        if (preset.name == name) return preset;
        names.push_back(preset.name);
    }
    throw Error(fmt::format("there is no material \"{}\"{}", name, suggestion(name, names)));
}

/// How diameters and numbers of grains change.
struct Growth {
    double size{1}, number{1};
};

Growth growth_of(const std::string& kind, const TemplateMarks& marks, const SceneChoice& choice) {
    Growth growth;
    const bool sized = choice.diameter > 0, counted = choice.grains > 0;
    if (counted && marks.grains == 0)
        throw Error(fmt::format(
            "how many grains {} has follows from their size, by a rate or a share of space in the scene: give --size instead of --grains",
            kind));
    const double wanted = counted ? static_cast<double>(choice.grains) / static_cast<double>(marks.grains) : 1;
    if (sized) growth.size = choice.diameter / marks.diameter;
    if (counted && !sized && choice.grains != marks.grains) growth.size = std::cbrt(kRoomToSpare / wanted);
    if (growth.size < kLeastFactor || growth.size > kMostFactor)
        throw Error(
            fmt::format("grains of {:.3g} mm are not for this {}, which is made for {}: take {:.3g} to {:.3g} mm, or change the machine in "
                        "the scene",
                        growth.size * marks.diameter * 1e3, kind, marks.diameter_text, kLeastFactor * marks.diameter * 1e3,
                        kMostFactor * marks.diameter * 1e3));
    const double room = growth.size == 1 ? 1 : kRoomToSpare / std::pow(growth.size, 3);
    growth.number = counted ? wanted : room;
    if (growth.number > room * (1 + 1e-9))
        throw Error(
            fmt::format("{} grains of {:.3g} mm do not fit this {}: it takes {:.0f}; take smaller ones, or change the machine in the scene",
                        choice.grains, growth.size * marks.diameter * 1e3, kind, std::floor(room * static_cast<double>(marks.grains))));
    return growth;
}

}  // namespace

const std::vector<SceneKind>& scene_kinds() {
    static const std::vector<SceneKind> kinds{
        {"silo", "guide/silo.toml", {"hopper"}},
        {"mill", "guide/mill.toml", {"drum"}},
        {"screw", "guide/screw.toml", {"conveyor"}},
        {"belt", "guide/belt.toml", {"chute"}},
        {"heap", "guide/heap.toml", {"repose"}},
        {"triaxial", "triaxial.toml", {}},
        {"shear_cell", "guide/shear_cell.toml", {"shear"}},
        {"ballast", "guide/ballast.toml", {}},
        {"coater", "guide/coater.toml", {"tablets"}},
        {"agglomerate", "guide/agglomerate.toml", {"bonds"}},
        {"vehicle", "guide/vehicle.toml", {"wheel"}},
        {"polyhedra", "guide/polyhedra.toml", {"cubes"}},
        {"blank", "guide/blank.toml", {"box"}},
    };
    return kinds;
}

const std::vector<MaterialPreset>& material_presets() {
    static const std::vector<MaterialPreset> presets{
        {"glass", "soda-lime glass, Foerster et al., Phys. Fluids 6:1108 (1994); its friction is that of clean, smooth beads", "2500",
         "71 GPa", "0.22", "0.97", "0.092"},
        {"steel",
         "E, nu and density of EN 1993-1-1; sliding friction of dry hard steel, Marks' handbook; restitution falls with speed: measure it",
         "7850", "210 GPa", "0.3", "0.6", "0.42"},
        {"sand", "quartz, K 37 GPa and G 44 GPa, Mavko et al., The Rock Physics Handbook; friction and restitution usual, to be calibrated",
         "2650", "95 GPa", "0.07", "0.3", "0.5"},
        {"plastic", "cellulose acetate, Foerster et al., Phys. Fluids 6:1108 (1994)", "1319", "3.2 GPa", "0.28", "0.87", "0.25"},
    };
    return presets;
}

const SceneKind& find_scene_kind(const std::string& word) {
    std::string wanted = word;
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    std::vector<std::string> words;
    for (const SceneKind& kind : scene_kinds()) {
        if (kind.name == wanted || std::find(kind.also.begin(), kind.also.end(), wanted) != kind.also.end()) return kind;
        words.push_back(kind.name);
    }
    throw Error(fmt::format("there is no kind of scene \"{}\"{}; `scree new --list` lists them", word, suggestion(wanted, words)));
}

TemplateMarks read_marks(const std::string& text) {
    TemplateMarks marks;
    for (const std::string& line : lines_of(text)) {
        std::smatch match;
        if (std::regex_match(line, match, kHead)) {
            marks.grains = match[1].matched ? std::stoll(match[1]) : 0;
            marks.diameter_text = match[2];
            marks.diameter = length_of(match[2]);
        } else if (std::regex_search(line, match, kMark)) {
            marks.material = marks.material || match[1] == "material";
            marks.method = marks.method || match[1] == "method";
        }
    }
    if (!(marks.diameter > 0)) throw Error("the template does not say how large its grains are");
    return marks;
}

std::string title_of(const std::string& text) {
    static const std::regex title(R"#((?:^|\n)title = "([^"]*)")#");
    std::smatch match;
    return std::regex_search(text, match, title) ? match[1].str() : std::string();
}

std::string fill_template(const std::string& kind, const std::string& text, const SceneChoice& choice) {
    const TemplateMarks marks = read_marks(text);
    const Growth growth = growth_of(kind, marks, choice);
    const MaterialPreset* preset = choice.material.empty() ? nullptr : &find_preset(choice.material);
    if (preset != nullptr && !marks.material) throw Error(fmt::format("{} has no material to choose", kind));
    if (choice.true_stiffness && preset == nullptr) throw Error("--true-stiffness is that of a material: give --material, too");
    if (!choice.method.empty() && !marks.method) throw Error(fmt::format("{} runs by one method only: leave --method out", kind));
    std::string out;
    bool in_material = false;
    for (std::string line : lines_of(text)) {
        std::smatch match;
        if (std::regex_match(line, kHead)) continue;
        if (line.empty() || line.front() == '[') in_material = false;
        if (in_material) line = of_preset(line, *preset, choice.true_stiffness);
        if (std::regex_search(line, match, kMark)) {
            const std::string mark = match[1], comment = match[2];
            std::string rest = match.prefix();
            if (mark == "size" && growth.size != 1) rest = with_lengths(rest, growth.size);
            if (mark == "grains" && growth.number != 1) rest = with_number(rest, growth.number);
            if (mark == "method" && !choice.method.empty())
                rest = std::regex_replace(rest, std::regex("\"[a-z]+\""), fmt::format("\"{}\"", choice.method));
            in_material = mark == "material" && preset != nullptr;
            line = with_comment(rest, in_material ? fmt::format("{}: {}", preset->name, preset->source) : comment);
        }
        out += line + "\n";
    }
    return out;
}

std::vector<std::string> data_files_of(const std::string& text) {
    static const std::regex named(R"#(= "(data/[^"]+)")#");
    std::vector<std::string> files;
    for (std::sregex_iterator match(text.begin(), text.end(), named), none; match != none; ++match)
        if (std::find(files.begin(), files.end(), (*match)[1].str()) == files.end()) files.push_back((*match)[1]);
    return files;
}

}  // namespace scree
