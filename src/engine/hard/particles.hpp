// Hard particles in time steps: state, and what kernels see of it. Slots are ids. All arithmetic is double: impulses in single precision
// would not keep energy.
#pragma once

#include <vector>

#include "engine/exec/array.hpp"
#include "engine/exec/scan.hpp"
#include "engine/exec/scratch.hpp"
#include "engine/snapshot.hpp"
#include "model/hard_box.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// A wall's plane.
struct HardPlane {
    Vec3 point, normal;
    std::int32_t wall, material;
};

/// What stays as it is, by value for kernels.
struct HardWorld {
    double low[3], period[3], inverse_period[3];  // period 0 where an axis does not repeat itself
    Index bodies;
    std::int32_t planes;
    const HardPlane* plane;
    std::int32_t materials;
    const double* restitution;  // materials × materials
    double elastic_below;       // [m/s]
    double dt;                  // [s]

    /// The shortest of a vector's images. Odd, bit for bit: the image of -r is minus that of r.
    SCREE_HD Vec3 nearest(Vec3 r) const {
        return {r.x - period[0] * rint(r.x * inverse_period[0]), r.y - period[1] * rint(r.y * inverse_period[1]),
                r.z - period[2] * rint(r.z * inverse_period[2])};
    }
};

/// Raw access for kernels; n entries each.
struct HardView {
    RowView position, velocity;
    CompanionView radius, inverse_mass;
    Vec3View<double> reference;
    std::int32_t* material;
    double* flight;
    double *virial, *lost, *lost_time, *impulse;
    std::int64_t *hits, *wall_hits;
};

struct HardParticles {
    RowArray position;             // [m], n, in the box; companion: radius [m], constant
    RowArray velocity;             // [m/s], n; companion: 1 / mass [1/kg], constant
    Vec3Array<double> reference;   // position when rows were made [m], n
    Array<std::int32_t> material;  // n, constant
    Array<double> flight;          // how long a body has flown straight in this step [s], n
    // Sums since the start, at the body with the lower id:
    Array<double> virial;                 // distance times impulse of its collisions, n; at walls radius times impulse [J s]
    Array<double> lost, lost_time;        // kinetic energy that collisions took [J], and the same times when [J s], n
    Array<double> impulse;                // of planes on bodies, planes × n [N s]
    Array<std::int64_t> hits, wall_hits;  // n

    Index size() const { return position.size(); }
    HardView view() {
        return {position.view(), velocity.view(), position.companions(), velocity.companions(), reference.view(),
                material.data(), flight.data(),   virial.data(),         lost.data(),           lost_time.data(),
                impulse.data(),  hits.data(),     wall_hits.data()};
    }
    /// Calls visit(name, array) for all that a checkpoint holds.
    template <class Visit>
    void each_field(Visit visit) {
        visit("hard.position_radius", position.rows);
        visit("hard.velocity_inverse_mass", velocity.rows);
        visit("hard.virial", virial);
        visit("hard.lost", lost);
        visit("hard.lost_time", lost_time);
        visit("hard.impulse", impulse);
        visit("hard.hits", hits);
        visit("hard.wall_hits", wall_hits);
    }
};

/// What the host reads at the end of a step.
struct HardWords {
    std::uint32_t happened{0};  // in the flight or round under way
    std::uint32_t stop{0};      // gates the rounds that follow
    std::int64_t rounds{0};     // in which some collided
};

/// What can be made again, and buffers.
struct HardBuffers {
    Exec exec;
    Scratch scratch;  // of exec
    HardBox box;
    Array<HardPlane> planes;
    Array<double> restitution;
    double largest{0};  // diameter [m]
    // Rows of neighbours: all pairs up to `skin` apart when they were made. Row i is [row_start[i], row_start[i + 1]).
    double skin{0}, reach{0};  // [m]: bodies may leave their reference by `reach`
    double speed_limit{0};     // [m/s] that `skin` allows
    std::int64_t rebuilds{0};  // of rows
    Array<Index> row_start;
    Array<std::int32_t> neighbour;
    Array<std::uint32_t> key, order;
    Array<Index> cell_start;
    Array<std::int32_t> count;
    SortBuffers sort;
    // Rounds of collisions:
    Array<std::int32_t> choice;   // a neighbour, or first_plane - plane, or no_choice
    Array<double> meeting;        // how long ago that was [s]
    Array<std::int32_t> changed;  // round in which a body collided last, n
    std::int32_t round{0};
    std::int64_t expected{4};  // rounds to send before the host looks
    Array<HardWords> words;    // one
};

inline constexpr std::int32_t no_choice = -1, first_plane = -2;

HardWorld world_of(const Model& model, HardParticles& particles, HardBuffers& buffers);

/// Bodies from the model's table, and what is constant. Periods must be three diameters or longer, as setup/ sees to.
void load_hard(const Model& model, HardParticles& particles, HardBuffers& buffers);

}  // namespace scree::SCREE_FLAVOR
