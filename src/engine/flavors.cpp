// Loads modules from the program's own folder, as a build leaves them, or from ../lib/scree beside that, as an installation has them; where
// this code is in a shared library, from that library's folder, or scree/ in it or beside it. They stay until the program ends. A program
// must start without any of them, and without a GPU's driver: a missing one is an answer. Of the host's modules for several levels of
// processors (engine/levels.hpp) that for the highest that this one can run is taken, or what SCREE_LEVEL in the environment names.
#include "engine/flavors.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "engine/build_id.hpp"
#include "engine/host_modules.hpp"
#include "engine/levels.hpp"
#include "engine/module.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

struct Loaded {
    const Flavor* flavor{nullptr};
    std::string problem;         // where there is none
    std::string file, made_for;  // of the module, where there is one
};

/// The folder of the shared library that holds this code; empty where that is the program itself.
fs::path library_folder() {
    Dl_info info{};
    link_map* library = nullptr;
    const auto* here = reinterpret_cast<const void*>(&library_folder);
    if (dladdr1(here, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0 || library == nullptr) return {};
    if (library->l_name == nullptr || *library->l_name == '\0') return {};
    std::error_code failed;
    return fs::weakly_canonical(library->l_name, failed).parent_path();
}

/// Empty where it lies in none of the folders.
fs::path find_module(const std::string& file) {
    std::error_code failed;
    const fs::path library = library_folder();
    std::vector<fs::path> folders;
    if (library.empty()) {
        const fs::path own = fs::read_symlink("/proc/self/exe", failed).parent_path();
        folders = {own, own.parent_path() / "lib" / "scree"};
    } else {
        folders = {library, library / "scree", library.parent_path() / "scree", library.parent_path() / "lib" / "scree"};
    }
    for (const fs::path& folder : folders) {
        if (fs::exists(folder / file, failed)) return folder / file;
    }
    return {};
}

std::string file_of(const std::string& module) {
    return "libscree_" + module + ".so";
}

/// How a module comes about that is not there, or is not of this build.
std::string remedy(const std::string& name, const std::string& flavor) {
    if (name != flavor) return "builds with SCREE_HOST_LEVELS (a setting of CMake) and packages have it";
    return std::string("`make build` builds it") + (name.rfind("cuda", 0) == 0 ? " where nvcc is found" : "");
}

/// The first of these modules that is there. `flavor` is the one without a level.
Loaded load_one(const std::vector<std::string>& names, const std::string& flavor) {
    std::string name = names.back();
    fs::path path;
    for (auto one = names.begin(); one != names.end() && path.empty(); ++one) {
        path = find_module(file_of(*one));
        if (!path.empty()) name = *one;
    }
    const std::string how = remedy(name, flavor);
    if (path.empty()) return {nullptr, "this program's module " + file_of(name) + " is not built: " + how, "", ""};
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) return {nullptr, "the module " + path.string() + " cannot be loaded: " + dlerror(), "", ""};
    auto* entry = reinterpret_cast<ModuleEntry*>(dlsym(module, module_entry_name));
    if (entry == nullptr) return {nullptr, path.string() + " is no module of this program: " + how, "", ""};
    const ModuleHead* head = entry();
    if (std::string(head->build) != build_id) {
        return {nullptr,
                "the module " + path.string() + " is of another build (" + head->build + ") than this program (" + build_id + "): " + how +
                    (name == flavor ? " anew" : ""),
                "", ""};
    }
    return {head->flavor, "", path.filename(), head->made_for};
}

Loaded load(const std::string& flavor) {
    if (flavor.rfind("cuda", 0) == 0) return load_one({flavor}, flavor);
    const char* asked = std::getenv("SCREE_LEVEL");
    try {
        return load_one(module_names(flavor, processor_features(), asked == nullptr ? "" : asked), flavor);
    } catch (const Error& problem) {
        return {nullptr, problem.what(), "", ""};
    }
}

const Loaded& loaded(bool cuda, Precision precision) {
    if (cuda && precision == Precision::Mixed) {
        static const Loaded module = load("cuda_mixed");
        return module;
    }
    if (cuda) {
        static const Loaded module = load("cuda_double");
        return module;
    }
    if (precision == Precision::Mixed) {
        static const Loaded module = load("host_mixed");
        return module;
    }
    static const Loaded module = load("host_double");
    return module;
}

}  // namespace

const Flavor& flavor(bool cuda, Precision precision) {
    const Loaded& module = loaded(cuda, precision);
    if (module.flavor != nullptr) return *module.flavor;
    const bool mixed = precision == Precision::Mixed;
    const char* asked = cuda ? "--device cuda" : mixed ? "--precision mixed" : "--device cpu";
    throw Error(std::string(asked) + " cannot be used: " + module.problem + (mixed ? ". Or use --precision double." : ""));
}

std::string engine_build() {
    return build_id;
}

std::vector<std::string> describe_host_modules() {
    std::vector<std::string> lines;
    for (const auto& [words, precision] : {std::pair("double", Precision::Double), std::pair("mixed", Precision::Mixed)}) {
        const Loaded& module = loaded(false, precision);
        const std::string processor = module.made_for.empty()       ? "any processor of this kind"
                                      : module.made_for == "native" ? "the kind of processor that it was built on"
                                                                    : module.made_for;
        lines.push_back(std::string("CPU, ") + words + ": " +
                        (module.flavor != nullptr ? module.file + ", made for " + processor : module.problem));
    }
    return lines;
}

std::string cuda_problem(Precision precision) {
    const Loaded& module = loaded(true, precision);
    return module.flavor != nullptr ? module.flavor->problem() : module.problem;
}

}  // namespace scree
