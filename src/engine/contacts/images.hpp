// Images of bodies across the borders of a periodic cell. They stand in the slots behind those of the bodies, in room that every array of
// bodies then has past its end, so that pairs name them as they name bodies and no kernel of contacts asks for borders; what acts on an
// image is in the row of its body. Of two bodies near a border one has an image that the other meets: the one whose image is some way up
// the axes, which depends on the two alone.
#pragma once

#include <cmath>

#include "engine/contacts/contact_scale.hpp"
#include "engine/contacts/function_tables.hpp"
#include "engine/exec/array.hpp"
#include "model/cell.hpp"
#include "model/cell_stage.hpp"

namespace scree::SCREE_FLAVOR {

/// A cell that moves, and what drives it: read and written on the device.
struct CellMotion {
    Cell cell;                           // where positions are
    double growth[3]{}, speed{0};        // of it in the step after the one at hand [m/s]
    double integral[kCellComponents]{};  // of what stresses lack, over the integral time [Pa]
    double missing[kCellComponents]{};   // of stresses in the last step, on the way to their targets; 0 once these were reached [Pa]
    double target[kCellComponents]{};    // of the last step [Pa]
    double stress[kCellComponents]{};  // of contacts in the last step: on faces across the axes, above 0 where pressed, and along the shear
                                       // [Pa]
    Vec3 centre;                       // of mass [m]
    double way{0};                     // of images since the list was made [m]
    Vec3 faster[3];                    // gradients along x, y, z of the flow that the last change of speeds gave to bodies [1/s]

    /// To the end of a step, and on as it was last told.
    SCREE_HD void move(double dt) {
        way += (std::fabs(cell.shear_rate()) * cell.length[cell.across] + std::fabs(cell.growth[0]) + std::fabs(cell.growth[1]) +
                std::fabs(cell.growth[2])) *
               dt;
        cell.advance(dt);
        const double more[3] = {growth[0] - cell.growth[0], growth[1] - cell.growth[1], growth[2] - cell.growth[2]};
        const double gliding = speed - cell.speed;
        faster[0] = cell.flow({1, 0, 0}, more, gliding);
        faster[1] = cell.flow({0, 1, 0}, more, gliding);
        faster[2] = cell.flow({0, 0, 1}, more, gliding);
        for (int a = 0; a < 3; ++a) cell.growth[a] = growth[a];
        cell.speed = speed;
    }
};

/// A stage of the cell, as kernels read it.
struct CellStageView {
    double to;
    double max_rate;
    struct {
        CellDrive by;
        FunctionView value;
        double gain, integral_time;
    } of[kCellComponents];
};

/// Sums over bodies of what drives a cell.
struct CellSums {
    double stress[kCellComponents];  // times the volume [N m]
    double weight[kCellComponents];  // of contacts: their stiffness over that of one, times the volume [m2]
    double force, contacts;          // sum of normal forces [N]; number
    double mass;
    Vec3 moment;  // [kg m]
};

struct Images {
    Cell cell;                              // of the model; where it moves, when the host last looked
    double way{0};                          // of images one period away, in a step, at the most [m]
    double fastest[kCellComponents]{};      // rates of its components [1/s]
    bool driven{false};                     // by stages: it does more than shear at one rate
    Array<CellMotion> motion, motion_kept;  // one, where it moves; kept by fused steps
    Array<CellStageView> stages;
    FunctionTables stage_functions;  // of the stages
    ContactScale contact;            // what stresses are answered by
    Array<CellSums> sums;            // of blocks of ids
    Index count{0};                  // of the list at hand
    Index bodies{0};                 // slots before the first of them
    Array<Slot> of;                  // slot of each image's body, count, written by space
    Array<ImageStep> step;           // from the body to it, count, written by space
    Array<Index> cell_start;         // images of each cell of the search, while a list is made; written by space
    // While they are looked for:
    Array<ImageStep> wanted;  // steps that some body may have an image at
    Array<Index> offset;
    Array<Slot> found;
    Array<ImageStep> found_step;
    Array<std::uint32_t> key, order;

    std::size_t bytes() const {
        return of.bytes() + step.bytes() + cell_start.bytes() + wanted.bytes() + offset.bytes() + found.bytes() + found_step.bytes() +
               key.bytes() + order.bytes();
    }
};

/// Which body a slot is of.
struct ImagesOf {
    const Slot* of;
    Index bodies;
    SCREE_HD Index operator()(Index slot) const { return slot < bodies ? slot : Index{of[slot - bodies]}; }
};
inline ImagesOf images_of(const Images& images) {
    return {images.of.data(), images.count > 0 ? images.bodies : Index{1} << 62};
}

}  // namespace scree::SCREE_FLAVOR
