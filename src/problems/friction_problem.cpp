#include "problems/friction_problem.hpp"

#include <cstring>
#include <fstream>

namespace scree {

FrictionProblem read_friction_problem(const std::string& path) {
    static constexpr char signature[] = "\x89HDF\r\n\x1a\n";
    char start[8] = {};
    std::ifstream(path, std::ios::binary).read(start, sizeof start);
    return std::memcmp(start, signature, sizeof start) == 0 ? read_fclib_problem(path) : read_text_problem(path);
}

}  // namespace scree
