// How deep cubes of a file (cube_file.hpp) are in each other or in their box at most, in edges: one check for all codes, by separating
// axes, apart from the search of any of them.
#include <cstdio>
#include <exception>

#include "peers/cube_file.hpp"
#include "scenes/cone_beds.hpp"

int main(int argc, char** argv) {
    using namespace scree;
    if (argc != 2) {
        std::fputs("peer_overlap FILE\n", stderr);
        return 2;
    }
    try {
        const bench::CubeBed bed = bench::read_cubes(argv[1]);
        Model box;
        box.walls.emplace_back().planes = {{{0, 0, 0}, {1, 0, 0}},
                                           {{bed.width, 0, 0}, {-1, 0, 0}},
                                           {{0, 0, 0}, {0, 1, 0}},
                                           {{0, bed.depth, 0}, {0, -1, 0}},
                                           {{0, 0, 0}, {0, 0, 1}}};
        Snapshot at;
        for (const bench::Cube& c : bed.cubes) {
            at.position.push_back({c.position[0], c.position[1], c.position[2]});
            at.orientation.push_back({c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3]});
        }
        std::printf("figure deepest_overlap_over_edge %.9g\n", bench::deepest_of_cubes(at, box));
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "peer_overlap: %s\n", e.what());
        return 1;
    }
}
