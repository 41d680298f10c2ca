// Builds one layout and searches it so many times, for tools that count instructions and cache misses: what one more build or one more
// search adds is what it costs.
#include <cstdio>
#include <exception>

#include "common/arguments.hpp"
#include "layouts/layout.hpp"

namespace {

using namespace scree::layouts;

constexpr const char* usage =
    "layouts_once [--structure csr] [--storage points] [--stencil half|full] [--walk particles|cells] [--order unsorted|sorted]\n"
    "             [--n 1e5] [--near 6|packed] [--cell 1] [--builds 1] [--searches 1]\n";

int run(const scree::bench::Arguments& args) {
    const double near = args.text("--near") == "packed" ? packed : args.number("--near");
    Scene scene = make_scene(static_cast<Id>(args.number("--n")), near);
    const Grid grid(scene.lower, scene.upper, 1, args.number("--cell"));
    if (args.text("--order") == "sorted") sort_by_cells(scene, grid);
    const auto layout = make_layout(args.text("--structure"), args.text("--storage"));
    layout->load(scene);
    for (int k = 0; k < static_cast<int>(args.number("--builds")); ++k) layout->build(grid);
    PairSum pairs;
    for (int k = 0; k < static_cast<int>(args.number("--searches")); ++k) {
        pairs = layout->search(grid, args.text("--stencil") == "full" ? Stencil::Full : Stencil::Half,
                               args.text("--walk") == "cells" ? Walk::Cells : Walk::Particles);
    }
    std::printf("%lld pairs, sum %016llx\n", static_cast<long long>(pairs.count), static_cast<unsigned long long>(pairs.sum));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const scree::bench::Arguments args(argc, argv,
                                       {{"--structure", "csr"},
                                        {"--storage", "points"},
                                        {"--stencil", "half"},
                                        {"--walk", "particles"},
                                        {"--order", "unsorted"},
                                        {"--n", "1e5"},
                                        {"--near", "6"},
                                        {"--cell", "1"},
                                        {"--builds", "1"},
                                        {"--searches", "1"}},
                                       usage);
    try {
        return run(args);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "layouts_once: %s\n", e.what());
        return 1;
    }
}
