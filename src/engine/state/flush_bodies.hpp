// Polyhedra that joints hold to the ground and whose faces lie flush with others' or with meshes, edge along edge: what slides over them
// finds one surface, as over walls (model/surfaces/flush_groups.hpp). In: bodies and joints at the start. Out: of each such body the faces
// that go on in another.
#pragma once

#include "engine/exec/array.hpp"
#include "model/surfaces/flush_groups.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// A face that joins others.
struct FlushFace {
    std::int32_t group;  // the same for all that join
    Vec3 normal, point;  // unit, out of the body; of its plane [m]
};

struct FlushView {
    const std::int32_t* start;  // ids + 1: faces of a body are [start[id], start[id + 1]); null where no bodies join
    const FlushFace* face;
    bool walls;  // some join meshes

    SCREE_HD bool any() const { return start != nullptr; }
    SCREE_HD bool joins(std::uint32_t id) const { return start != nullptr && start[id + 1] > start[id]; }
    /// Is x before the face's plane?
    SCREE_HD bool before(const FlushFace& f, Vec3 x) const { return dot(x - f.point, f.normal) > 0; }
    /// Has the body a face of this group, before which x is?
    SCREE_HD bool has_before(std::uint32_t id, std::int32_t group, Vec3 x) const {
        for (std::int32_t k = start[id]; k < start[id + 1]; ++k) {
            if (face[k].group == group && before(face[k], x)) return true;
        }
        return false;
    }
    /// Has the body a face of this group?
    SCREE_HD bool has(std::uint32_t id, std::int32_t group) const {
        for (std::int32_t k = start[id]; k < start[id + 1]; ++k) {
            if (face[k].group == group) return true;
        }
        return false;
    }
    /// Are the two one surface to what is at x?
    SCREE_HD bool joined_before(std::uint32_t one, std::uint32_t other, Vec3 x) const {
        for (std::int32_t k = start[one]; k < start[one + 1]; ++k) {
            if (before(face[k], x) && has(other, face[k].group)) return true;
        }
        return false;
    }
};

struct FlushBodies {
    Array<std::int32_t> start;  // empty where no bodies join
    Array<FlushFace> face;
    bool walls{false};

    FlushView view() const { return {start.size() > 0 ? start.data() : nullptr, face.data(), walls}; }
    std::size_t bytes() const { return start.bytes() + face.bytes(); }
};

/// Polyhedra that are held, and their surfaces where they are at the start.
struct HeldBodies {
    std::vector<std::size_t> body;
    std::vector<MeshTopology> surface;  // of each
};
HeldBodies held_bodies(const Model& model);

/// Fills the table from joints whose groups of the held bodies' patches begin at first_patch; those before are of meshes. Bodies that move
/// as joints are not exact stay where they began.
void load_flush_bodies(const Model& model, const HeldBodies& held, const FlushJoints& joints, std::size_t first_patch, FlushBodies& flush);

}  // namespace scree::SCREE_FLAVOR
