// Any bytes as a friction problem, in text or HDF5: refused with a message, or read into one whose sizes fit.
#include <cmath>

#include "fuzz/input_file.hpp"
#include "problems/friction_problem.hpp"

using namespace scree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::InputFile file(bytes, size, ".dat");
    fuzz::expect_error_or_success([&] {
        const FrictionProblem read = read_friction_problem(file.path());
        fuzz::require(read.dimensions == 2 || read.dimensions == 3, "there are two or three dimensions");
        fuzz::require(std::isfinite(asymmetry(read.problem.matrix)), "the matrix is finite");
    });
    return 0;
}
