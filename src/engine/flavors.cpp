// Loads modules from the program's own folder, as a build leaves them, or from ../lib/scree beside that, as an installation has them; where
// this code is in a shared library, from that library's folder, or scree/ in it or beside it. They stay until the program ends. A program
// must start without any of them, and without a GPU's driver: a missing one is an answer.
#include "engine/flavors.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "engine/build_id.hpp"
#include "engine/module.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

struct Loaded {
    const Flavor* flavor{nullptr};
    std::string problem;  // where there is none
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

Loaded load(const std::string& name) {
    const std::string file = "libscree_" + name + ".so";
    const bool cuda = name.rfind("cuda", 0) == 0;
    const std::string how = std::string("`make build` builds it") + (cuda ? " where nvcc is found" : "");
    const fs::path path = find_module(file);
    if (path.empty()) return {nullptr, "this program's module " + file + " is not built: " + how};
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) return {nullptr, "the module " + path.string() + " cannot be loaded: " + dlerror()};
    auto* entry = reinterpret_cast<ModuleEntry*>(dlsym(module, module_entry_name));
    if (entry == nullptr) return {nullptr, path.string() + " is no module of this program: " + how};
    const ModuleHead* head = entry();
    if (std::string(head->build) != build_id) {
        return {nullptr, "the module " + path.string() + " is of another build (" + head->build + ") than this program (" + build_id +
                             "): " + how + " anew"};
    }
    return {head->flavor, ""};
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

std::string cuda_problem(Precision precision) {
    const Loaded& module = loaded(true, precision);
    return module.flavor != nullptr ? module.flavor->problem() : module.problem;
}

}  // namespace scree
