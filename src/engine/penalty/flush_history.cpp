#include "engine/penalty/flush_history.hpp"

#include "engine/penalty/convex_pairs.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Among patches of meshes.
void among_patches(Workspace& work, ContactList& pairs, const std::int32_t* group) {
    if (group == nullptr) return;
    const Slot* body = pairs.a.data();
    const RowStart* row_start = pairs.row_start.data();
    const std::int32_t* surface = pairs.b.data();
    const ContactView c = pairs.contacts.view();
    const PatchView patch = pairs.patches.view();
    for_each(
        work.exec, "penalty/share_history", pairs.size(),
        SCREE_LAMBDA(Index first)->void {
            const Index i = body[first];
            if (first != row_start[i]) return;  // one for each row
            const Index last = row_start[i + 1];
            for (Index p = first; p < last; ++p) {
                const std::int32_t own = group[surface[p]];
                if (own < 0 || norm2(patch.axis[p]) > Real(0)) continue;
                for (Index q = first; q < last; ++q) {
                    // Patches before p may have taken it already; that is the same.
                    if (group[surface[q]] != own || !(norm2(patch.axis[q]) > Real(0))) continue;
                    c.stretch.set(p, c.stretch[q]);
                    patch.axis.set(p, patch.axis[q]);
                    patch.turn[p] = patch.turn[q];
                    break;
                }
            }
        },
        work.flags.gate());
}

/// Among held bodies, for each body that touches them. What is known of a contact is about B against A, which may be either of the two.
void among_bodies(Workspace& work, BodyView body, Index bodies, ContactList& pairs, FlushView flush) {
    const ConvexPairView v = convex_pair_view(pairs);
    if (!flush.any() || pairs.size() == 0) return;
    for_each(
        work.exec, "penalty/share_flush_history", bodies,
        SCREE_LAMBDA(Index i)->void {
            if (flush.joins(body.id[i])) return;
            const Index first = v.row_start[i], last = v.row_start[i + 1];
            for (Index k = first; k < last; ++k) {
                const Index p = static_cast<Index>(v.entry[k] >> 1);
                const bool second = (v.entry[k] & 1u) != 0;
                const std::uint32_t held = body.id[second ? v.a[p] : v.b[p]];
                if (!flush.joins(held) || norm2(v.patch.axis[p]) > Real(0) || norm2(v.contact.stretch[p]) > Real(0)) continue;
                for (Index m = first; m < last; ++m) {
                    const Index q = static_cast<Index>(v.entry[m] >> 1);
                    const bool turned = ((v.entry[m] & 1u) != 0) != second;
                    if (!(norm2(v.patch.axis[q]) > Real(0)) && !(norm2(v.contact.stretch[q]) > Real(0))) continue;
                    const std::uint32_t other = body.id[(v.entry[m] & 1u) != 0 ? v.a[q] : v.b[q]];
                    if (!flush.joins(other) || !flush.joined_before(held, other, body.position[i])) continue;
                    v.contact.stretch.set(p, turned ? -v.contact.stretch[q] : v.contact.stretch[q]);
                    v.patch.axis.set(p, turned ? -v.patch.axis[q] : v.patch.axis[q]);
                    v.patch.turn[p] = v.patch.turn[q];
                    break;
                }
            }
        },
        work.flags.gate());
}

/// What a list remembers of its contacts; spheres have no patches with walls.
struct History {
    ContactView contact;
    PatchView patch;

    SCREE_HD bool any(Index p) const {
        return norm2(contact.stretch[p]) > Real(0) || (patch.axis.x != nullptr && norm2(patch.axis[p]) > Real(0));
    }
    SCREE_HD void take(Index p, const History& from, Index q, bool turned) const {
        contact.stretch.set(p, turned ? -from.contact.stretch[q] : from.contact.stretch[q]);
        if (patch.axis.x == nullptr || from.patch.axis.x == nullptr) return;
        patch.axis.set(p, turned ? -from.patch.axis[q] : from.patch.axis[q]);
        patch.turn[p] = from.patch.turn[q];
    }
};

/// Between patches of meshes and held bodies. Spheres hand on to the patches that they touch when that is known (flush_spheres.hpp): what
/// else has a history counts as having ended (pass_on).
void between_both(Workspace& work, BodyView body, Index bodies, ContactList& patches, ContactList& pairs, const std::int32_t* group,
                  FlushView flush) {
    if (!flush.walls || group == nullptr || patches.size() == 0 || pairs.size() == 0) return;
    const ConvexPairView v = convex_pair_view(pairs);
    const RowStart* row_start = patches.row_start.data();
    const std::int32_t* surface = patches.b.data();
    const History of_walls{patches.contacts.view(), patches.patches.view()}, of_bodies{v.contact, v.patch};
    for_each(
        work.exec, "penalty/share_with_walls", bodies,
        SCREE_LAMBDA(Index i)->void {
            if (flush.joins(body.id[i])) return;
            const Vec3 x = body.position[i];
            for (Index k = v.row_start[i]; k < v.row_start[i + 1]; ++k) {
                const Index q = static_cast<Index>(v.entry[k] >> 1);
                const bool second = (v.entry[k] & 1u) != 0;
                const std::uint32_t held = body.id[second ? v.a[q] : v.b[q]];
                if (!flush.joins(held)) continue;
                for (Index p = row_start[i]; p < row_start[i + 1]; ++p) {
                    const std::int32_t own = group[surface[p]];
                    if (own < 0 || !flush.has_before(held, own, x) || of_walls.any(p) == of_bodies.any(q)) continue;
                    if (of_bodies.any(q)) {
                        if (of_walls.patch.axis.x != nullptr) of_walls.take(p, of_bodies, q, second);
                    } else {
                        of_bodies.take(q, of_walls, p, second);
                    }
                }
            }
        },
        work.flags.gate());
}

}  // namespace

void share_history(State& state, Workspace& work) {
    if (!state.has_polyhedra) return;
    const FlushView flush = work.flush_bodies.view();
    const BodyView body = state.bodies.view();
    const std::int32_t* group = work.tiles.view().group;
    const Index bodies = state.bodies.count;
    among_patches(work, state.lists[kConvexMeshes], group);
    for (const int list : {kMixed, kConvex}) among_bodies(work, body, bodies, state.lists[list], flush);
    between_both(work, body, bodies, state.lists[kMeshes], state.lists[kMixed], group, flush);
    between_both(work, body, bodies, state.lists[kConvexMeshes], state.lists[kConvex], group, flush);
}

}  // namespace scree::SCREE_FLAVOR
