// Mesh walls as solids for polyhedra: each triangle carries a slab behind it, cut along the bisectors of its edges, so that the slabs of
// neighbours meet without gap or overlap. In: topology of each wall. Out: per triangle, where its corners go with depth.
// Order of triangles and patches: that of the joint mesh tables (state/walls.hpp).
#pragma once

#include "engine/exec/array.hpp"
#include "engine/state/flush_bodies.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

struct TileView {
    Vec3View<double> way;           // 3 per triangle: where a corner goes per depth, seen from the side its normal points to
    const double* depth;            // 2 per triangle: greatest depth before the slab closes up, seen from that side and from the other [m]
    const std::int32_t* component;  // of each triangle: parts connected over edges with two triangles
    const std::int8_t* sign;        // of each triangle: times its patch's normal, the normals of a component point to one side of it
    const std::int32_t* group;      // of each patch: model/surfaces/flush_groups.hpp; null where no patch joins another
    const std::int32_t* behind;     // four for each patch, as there; null likewise
};

struct Tiles {
    Vec3Array<double> way;
    Array<double> depth;
    Array<std::int32_t> component;
    Array<std::int8_t> sign;
    Array<std::int32_t> group, behind;  // empty where no patch joins another

    TileView view() {
        const bool joins = group.size() > 0;
        return {way.view(), depth.data(), component.data(), sign.data(), joins ? group.data() : nullptr, joins ? behind.data() : nullptr};
    }
    std::size_t bytes() const { return way.bytes() + depth.bytes() + component.bytes() + sign.bytes() + group.bytes() + behind.bytes(); }
};

/// Fills the tables from the meshes of the model's walls and, under the penalty method, the bodies that are held.
void load_tiles(const Model& model, Tiles& tiles, FlushBodies& flush);

}  // namespace scree::SCREE_FLAVOR
