// Which modules serve on the CPU here.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// For each precision a line: the file of its module and the processor that it is made for, or why there is none. Never throws.
std::vector<std::string> describe_host_modules();

}  // namespace scree
