#include "output/export.hpp"

#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "output/run_directory.hpp"

namespace scree {

std::string default_export_directory(const std::string& run, const std::string& to) {
    namespace fs = std::filesystem;
    std::error_code error;
    return (fs::is_directory(run, error) ? fs::path(run) / to : fs::absolute(run).parent_path() / to).string();
}

Exported export_run(const std::string& run, const std::string& to, const std::string& directory) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(run, error)) throw Error(run + ": no such run directory or file");
    if (to != "vtk" && to != "csv" && to != "lammps") throw Error("cannot export to '" + to + "': choose vtk, csv or lammps");
    const FrameReader reader(fs::is_directory(run, error) ? run_file(run, RunFiles::frames) : run);
    if (reader.frames().empty()) throw Error(run + ": holds no frames yet");
    fs::create_directories(directory, error);
    if (error) throw Error(directory + ": cannot make the folder: " + error.message());
    if (to == "vtk") return export_vtk(reader, directory);
    if (to == "csv") return export_csv(reader, directory);
    return export_lammps(reader, directory);
}

}  // namespace scree
