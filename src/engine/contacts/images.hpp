// Images of bodies across the borders of a periodic cell. They stand in the slots behind those of the bodies, in room that every array of
// bodies then has past its end, so that pairs name them as they name bodies and no kernel of contacts asks for borders; what acts on an
// image is in the row of its body. Of two bodies near a border one has an image that the other meets: the one whose image is some way up
// the axes, which depends on the two alone.
#pragma once

#include "engine/exec/array.hpp"
#include "model/cell.hpp"

namespace scree::SCREE_FLAVOR {

struct Images {
    Cell cell;                // of the model
    double way{0};            // of images one period across a sheared cell, in a step [m]
    Index count{0};           // of the list at hand
    Index bodies{0};          // slots before the first of them
    Array<Slot> of;           // slot of each image's body, count, written by space
    Array<ImageStep> step;    // from the body to it, count, written by space
    Array<Index> cell_start;  // images of each cell of the search, while a list is made; written by space
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
