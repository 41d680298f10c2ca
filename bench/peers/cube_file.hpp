// Beds of cubes as text, so that every code starts from one state and is checked on the state it ends with.
// A line `# edge E width W depth D` [m], a line of names, then a row per cube; the box's floor is z = 0, its sides x = 0, W and y = 0, D.
#pragma once

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace scree::bench {

struct Cube {
    double position[3];     // of the centre [m]
    double orientation[4];  // unit quaternion w, x, y, z, cube to world
    double velocity[3];     // [m/s]
    double spin[3];         // angular velocity, world frame [rad/s]
};

struct CubeBed {
    double edge{0}, width{0}, depth{0};  // of a cube; of the box along x and y [m]
    std::vector<Cube> cubes;
};

/// Throws std::runtime_error with file and line where a row is not thirteen numbers.
inline CubeBed read_cubes(const std::string& path) {
    std::ifstream file(path);
    CubeBed bed;
    std::string line;
    if (!std::getline(file, line) || std::sscanf(line.c_str(), "# edge %lf width %lf depth %lf", &bed.edge, &bed.width, &bed.depth) != 3)
        throw std::runtime_error(path + ":1: expected `# edge E width W depth D`");
    std::getline(file, line);
    for (int row = 3; std::getline(file, line); ++row) {
        Cube c{};
        double* const part[] = {c.position, c.orientation, c.velocity, c.spin};
        const int length[] = {3, 4, 3, 3};
        std::istringstream in(line);
        char comma = ',';
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < length[k]; ++j) {
                if (k + j > 0) in >> comma;
                in >> part[k][j];
            }
        if (!in || comma != ',') throw std::runtime_error(path + ":" + std::to_string(row) + ": expected thirteen numbers between commas");
        bed.cubes.push_back(c);
    }
    return bed;
}

/// Digits are enough to read the same numbers again. Throws std::runtime_error.
inline void write_cubes(const std::string& path, const CubeBed& bed) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    std::fprintf(file, "# edge %.17g width %.17g depth %.17g\nx,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", bed.edge, bed.width, bed.depth);
    for (const Cube& c : bed.cubes) {
        std::fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", c.position[0], c.position[1], c.position[2], c.orientation[0],
                     c.orientation[1], c.orientation[2], c.orientation[3]);
        std::fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", c.velocity[0], c.velocity[1], c.velocity[2], c.spin[0], c.spin[1],
                     c.spin[2]);
    }
    if (std::fclose(file) != 0) throw std::runtime_error("cannot write " + path);
}

}  // namespace scree::bench
