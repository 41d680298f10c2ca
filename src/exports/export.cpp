#include "exports/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "exports/vtk_piece.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Is it "STEM_NNNNNN.ENDING", with six digits or more?
bool is_numbered(std::string_view name, std::string_view stem, std::string_view ending) {
    if (name.size() < stem.size() + 1 + 6 + ending.size() || !name.starts_with(stem) || !name.ends_with(ending)) return false;
    const std::string_view rest = name.substr(stem.size(), name.size() - stem.size() - ending.size());
    return rest.front() == '_' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// May an export of this kind have written a file of this name?
bool is_export_file(std::string_view name, std::string_view to) {
    if (to == "csv")
        return name == "frames.csv" || name == "shapes.csv" || is_numbered(name, "frame", ".csv") || is_numbered(name, "contacts", ".csv");
    if (to == "lammps") return name == "bodies.dump";
    if (to == "gsd") return name == "run.gsd";
    if (to == "gltf") return is_numbered(name, "frame", ".glb");
    return std::any_of(vtk_kinds().begin(), vtk_kinds().end(), [&](const VtkKind& kind) {
        return to == "vtk" ? name == std::string(kind.list) + ".pvd" || is_numbered(name, kind.stem, ".vtp")
                           : name == std::string(kind.list) + ".vtkhdf";
    });
}

/// Names in a folder, sorted; none where it is not there.
std::vector<std::string> earlier_files(const std::string& directory, const std::string& to) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code unknown;
        if (is_export_file(name, to) && !at->is_directory(unknown)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Exported export_frames(const FrameReader& reader, const std::string& to, const std::string& directory, const ExportOptions& options) {
    if (to == "gltf") return export_gltf(reader, directory, options.gltf);
    make_export_directory(directory);
    if (to == "vtk") return export_vtk(reader, directory, options.compress);
    if (to == "vtkhdf") return export_vtkhdf(reader, directory, options.compress);
    if (to == "csv") return export_csv(reader, directory);
    if (to == "lammps") return export_lammps(reader, directory);
    return export_gsd(reader, directory);
}

}  // namespace

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> formats = {"vtk", "vtkhdf", "csv", "lammps", "gsd", "gltf"};
    return formats;
}

std::string default_export_directory(const std::string& run, const std::string& to) {
    std::error_code error;
    return (fs::is_directory(run, error) ? fs::path(run) / to : fs::absolute(run).parent_path() / to).string();
}

void make_export_directory(const std::string& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw Error(directory + ": cannot make the folder: " + error.message());
}

Exported export_run(const std::string& run, const std::string& to, const std::string& directory, const ExportOptions& options) {
    std::error_code error;
    if (!fs::exists(run, error)) throw Error(run + ": no such run directory or file");
    if (to == "parquet")
        throw Error(
            "cannot export to Parquet: Debian 12 has no library that writes it; export to csv, which pandas and DuckDB turn into Parquet");
    const std::vector<std::string>& known = export_formats();
    if (std::find(known.begin(), known.end(), to) == known.end())
        throw Error(fmt::format("cannot export to '{}': choose one of {}", to, fmt::join(known, ", ")));
    const FrameReader reader(fs::is_directory(run, error) ? run_file(run, RunFiles::frames) : run);
    if (reader.frames().empty()) throw Error(run + ": holds no frames yet");
    const std::vector<std::string> earlier = earlier_files(directory, to);
    if (!earlier.empty() && !options.overwrite)
        throw Error(fmt::format("{}: holds {} of an earlier export{}; give --overwrite to {}, or name another folder", directory,
                                earlier.front(), earlier.size() > 1 ? fmt::format(" and {} more", earlier.size() - 1) : "",
                                to == "gltf" ? "write this frame beside or over it" : "replace them"));
    const Exported done = export_frames(reader, to, directory, options);
    if (to == "gltf") return done;
    std::set<std::string> fresh;
    for (const std::string& file : done.files) fresh.insert(fs::path(file).filename().string());
    for (const std::string& name : earlier) {
        if (fresh.contains(name)) continue;
        fs::remove(fs::path(directory) / name, error);
        if (error) throw RunError(fmt::format("{}/{}: cannot remove this file of an earlier export: {}", directory, name, error.message()));
    }
    return done;
}

}  // namespace scree
