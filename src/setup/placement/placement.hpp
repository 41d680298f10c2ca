// Where the bodies of one group are at the start: one function per way of placing. Body k of a group has a radius that depends on (seed, k)
// only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cell.hpp"
#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/sizes.hpp"

namespace scree {

/// Spheres of one group, n of them; of polyhedra those that bound them.
struct Placed {
    std::vector<Vec3> position;  // centres [m]
    std::vector<double> radius;  // [m]; 0: that of the shape which the file names
    // From a file only: empty, or n values.
    std::vector<Vec3> velocity;          // [m/s]
    std::vector<Vec3> angular_velocity;  // [rad/s]
    std::vector<std::int32_t> material;  // index into the scene's materials
    std::vector<Quat> orientation;       // frame in which the shape is given -> world, not normalised; see `principal`
    std::vector<std::int32_t> shape;     // index into `shapes`
    std::vector<double> mass;            // [kg], of a frame that scree exported
    std::vector<std::string> shapes;     // names; empty: a sphere
    bool principal{false};               // orientations are those of principal frames
};

/// Does `available` memory [bytes] hold what so many bodies are placed into?
bool has_room(double bodies, double available);
/// Throws scree::Error at `place` where it does not, or where ids cannot number so many.
void require_room(double bodies, double available, const SourcePlace& place);

/// The centres listed under `at`.
Placed place_at(const ScenePlacement& placement, const Sizes& sizes);

/// Sites of a lattice, layer by layer upwards, each moved by its jitter; with a region only spheres that lie inside it.
/// `spacing` is the distance of nearest neighbours. A cell is one sphere (sc), or four: a cube of edge sqrt(2) spacing (fcc), or a block of
/// 1 × sqrt(3) × sqrt(8/3) spacings (hcp, close-packed layers across z).
/// In two dimensions one layer of it: sc is a square, hcp a triangular lattice with two sites a cell (fcc is none).
Placed place_lattice(const ScenePlacement& placement, const Sizes& sizes, std::uint64_t seed, const SourcePlace& place, int dimensions = 3);

/// Places spheres at random in the region, clear of each other and of the bodies of earlier groups.
/// First by random sequential addition, the largest first; where that stalls, the remaining spheres are put anywhere and all overlaps are
/// pushed apart (placement_relax.hpp). `solid` is the share of its bounding sphere that a body fills, for the wanted fraction. Throws
/// scree::Error with the fraction reached where that fails, near 0.6 for equal spheres. A region that is a periodic cell is packed across
/// its borders.
Placed place_random(const ScenePlacement& placement, const Sizes& sizes, std::uint64_t seed, const BodyTable& earlier,
                    const SourcePlace& place, double solid = 1.0, int dimensions = 3, const Cell& cell = {});

/// Reads bodies from a file. Dumps and data files of LAMMPS and LIGGGHTS, VTK and GSD files are told by their content (body_columns.hpp):
/// bodies in the order of their ids, materials by type where the placement names them, of the density that the file has, to 1 %.
/// Otherwise text [m, m/s, rad/s]: named columns x, y, z, with radius (r) or diameter (d) unless `sizes` gives radii (of
/// bodies that are not round, `round`, the file may give those of the bounding spheres all the same), and any of vx, vy, vz, wx, wy, wz,
/// material, qw, qx, qy, qz (all four, for polyhedra), shape (a name of the scene's, or "sphere"), id (ids are row numbers; a column id is
/// not read); or, without names, four columns radius x y z apart by blanks. Missing velocities are those of the group. A column mass marks
/// a frame that scree exported: its materials are numbers, its shapes stand in shape_name, its orientations are those of principal frames,
/// and members of compounds are left out. Lengths and velocities are in the placement's unit of length. Errors name file and line, or of
/// VTK files the point, of GSD files the particle.
Placed place_file(const Scene& scene, const SceneBodies& group, const std::optional<Sizes>& sizes, bool round = true);

}  // namespace scree
