// Between a program and the modules it loads. A module is a shared library, libscree_FLAVOR.so, with one name to be found by: scree_module.
// Program and module exchange C++ objects, so both must come from the same sources and compiler; their builds tell (cmake/build_id.cmake).
#pragma once

#include "engine/flavor.hpp"

namespace scree {

struct ModuleHead {
    const char* build;  // of module and program the same, or nothing else of the module may be used; first in every version
    const Flavor* flavor;
    const char* made_for;  // processor that host code of it is made for, as -march names it; empty for the compiler's own choice
};

using ModuleEntry = const ModuleHead*();
inline constexpr char module_entry_name[] = "scree_module";

}  // namespace scree
