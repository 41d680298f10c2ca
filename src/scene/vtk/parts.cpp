#include "scene/vtk/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "scene/files_of.hpp"
#include "scene/plain_file.hpp"

namespace scree {

namespace {

/// Most bytes of a file that only names others: a hundred thousand of them.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

double time_of(const VtkXmlFile& file, pugi::xml_node data_set) {
    const std::string_view text = data_set.attribute("timestep").value();
    if (text.empty()) return 0;
    double time = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(time))
        throw Error(file.place(data_set), fmt::format("timestep \"{}\" is not a finite number", text));
    return time;
}

std::vector<pugi::xml_node> last_of_collection(const VtkXmlFile& file) {
    std::vector<pugi::xml_node> last;
    double latest = 0;
    for (const pugi::xml_node data_set : file.root().child("Collection").children("DataSet")) {
        const double time = time_of(file, data_set);
        if (last.empty() || time > latest) {
            last.clear();
            latest = time;
        }
        if (time == latest) last.push_back(data_set);
    }
    return last;
}

/// The first bytes of a file, in which one that names others says so.
std::string head_of(const std::string& path) {
    std::error_code fault;
    if (!std::filesystem::is_regular_file(path, fault)) return {};
    std::ifstream in(path, std::ios::binary);
    std::array<char, 4096> head{};
    in.read(head.data(), head.size());
    return {head.data(), static_cast<std::size_t>(in.gcount())};
}

void add_parts(const std::string& path, bool of_collection, std::vector<std::string>& parts) {
    const std::string head = head_of(path);
    const auto says = [&](const char* word) { return head.find(word) != std::string::npos; };
    if (!is_xml(head) || !(says("Collection") || says("PPolyData") || says("PUnstructuredGrid"))) return;
    const VtkXmlFile file(path, read_plain_file(path, kMostBytes, {path, 0, 0}));
    if (!names_pieces(file) && (of_collection || !is_collection(file))) return;
    for (const VtkPart& part : parts_of(file)) {
        parts.push_back(part.path);
        if (is_collection(file)) add_parts(part.path, true, parts);
    }
}

}  // namespace

bool is_collection(const VtkXmlFile& file) {
    return file.kind() == "Collection";
}

bool names_pieces(const VtkXmlFile& file) {
    return file.kind() == "PPolyData" || file.kind() == "PUnstructuredGrid";
}

std::vector<VtkPart> parts_of(const VtkXmlFile& file) {
    const char* name = is_collection(file) ? "file" : "Source";
    std::vector<pugi::xml_node> nodes;
    if (is_collection(file))
        nodes = last_of_collection(file);
    else
        for (const pugi::xml_node piece : file.root().child(std::string(file.kind()).c_str()).children("Piece")) nodes.push_back(piece);
    if (nodes.empty()) throw Error(file.place(file.root()), fmt::format("the {} names no files", file.kind()));
    const std::string folder = std::filesystem::path(file.path()).parent_path().string();
    std::vector<VtkPart> parts;
    for (const pugi::xml_node node : nodes) {
        const std::string part = node.attribute(name).value();
        if (part.empty()) throw Error(file.place(node), fmt::format("{} has no attribute {}, which names a file", node.name(), name));
        parts.push_back({resolved_path(folder, part), file.place(node)});
    }
    std::vector<std::string> paths;
    paths.reserve(parts.size());
    for (const VtkPart& part : parts) paths.push_back(part.path);
    std::sort(paths.begin(), paths.end());
    const auto twice = std::adjacent_find(paths.begin(), paths.end());
    if (twice != paths.end())
        throw Error(file.place(file.root()),
                    fmt::format("\"{}\" stands twice{}: its bodies would, too", *twice, is_collection(file) ? " at the last time" : ""));
    return parts;
}

std::vector<std::string> all_parts_of(const std::string& path) {
    std::vector<std::string> parts;
    try {
        add_parts(path, false, parts);
    } catch (const Error&) {
        // What is wrong is told where bodies are read.
        parts.clear();
    }
    return parts;
}

}  // namespace scree
