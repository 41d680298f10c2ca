// Levels of x86-64 (System V ABI for AMD64, version 1.0, table 3.1): which of them a processor can run, and so which of a program's modules
// for the CPU serve it. A module libscree_host_double_v3.so is of level v3; libscree_host_double.so is of what the program itself is made
// for.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace scree {

/// What a processor and its system can run, by the names of the ABI's table, as "AVX2".
using Features = std::set<std::string>;

/// Of this processor, as far as the levels ask for it; empty elsewhere than on x86-64.
Features processor_features();

/// The levels that a processor with these features can run, lowest first: {"v2", "v3"}.
std::vector<std::string> levels_of(const Features& features);

/// Names of the modules of a host flavor that may serve, best first: {"host_double_v3", "host_double_v2", "host_double"}. `asked`: the
/// value of SCREE_LEVEL, a level or "base" for the module without one; empty for any. Throws scree::Error, saying what the processor lacks
/// or which words there are, where it cannot be had.
std::vector<std::string> module_names(const std::string& flavor, const Features& features, const std::string& asked);

}  // namespace scree
