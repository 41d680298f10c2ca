// Runs the engine tests of one flavor; exits with 77 (skipped) where its device does not answer.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "engine/exec/device.hpp"

int main(int argc, char** argv) {
    const std::string problem = scree::SCREE_FLAVOR::device_problem();
    if (!problem.empty()) {
        std::printf("skipped: %s\n", problem.c_str());
        return 77;
    }
    doctest::Context context(argc, argv);
    return context.run();
}
