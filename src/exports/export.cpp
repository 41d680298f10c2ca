#include "exports/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/error.hpp"
#include "output/run_directory.hpp"

namespace scree {

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> formats = {"vtk", "vtkhdf", "csv", "lammps", "gsd", "gltf"};
    return formats;
}

std::string default_export_directory(const std::string& run, const std::string& to) {
    namespace fs = std::filesystem;
    std::error_code error;
    return (fs::is_directory(run, error) ? fs::path(run) / to : fs::absolute(run).parent_path() / to).string();
}

Exported export_run(const std::string& run, const std::string& to, const std::string& directory, const ExportOptions& options) {
    namespace fs = std::filesystem;
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
    fs::create_directories(directory, error);
    if (error) throw Error(directory + ": cannot make the folder: " + error.message());
    if (to == "vtk") return export_vtk(reader, directory, options.compress);
    if (to == "vtkhdf") return export_vtkhdf(reader, directory, options.compress);
    if (to == "csv") return export_csv(reader, directory);
    if (to == "lammps") return export_lammps(reader, directory);
    if (to == "gsd") return export_gsd(reader, directory);
    return export_gltf(reader, directory, options.gltf);
}

}  // namespace scree
