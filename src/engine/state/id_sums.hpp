// Sums over bodies in the order of ids, so that neither slots nor lists nor threads show in them: blocks of ids one after the other, then
// the sums of these.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr Index id_block = 64;  // ids summed one after the other; then so many sums of these

/// Blocks of ids.
inline Index id_parts(const Workspace& work) {
    return (work.slot_of_id.size() + id_block - 1) / id_block;
}

/// part: `columns` sums for each block of ids, from add(slot, sums of its block) of the bodies in it, by ascending id: the pair list does
/// not show.
template <class Sum, class Add>
void sum_by_ids(Workspace& work, const char* label, Index columns, Sum* part, Add add) {
    const Slot* slot = work.slot_of_id.data();
    const Index ids = work.slot_of_id.size();
    for_each(
        work.exec, label, id_parts(work),
        SCREE_LAMBDA(Index b)->void {
            Sum* sums = part + b * columns;
            for (Index n = 0; n < columns; ++n) sums[n] = {};
            const Index last = (b + 1) * id_block < ids ? (b + 1) * id_block : ids;
            for (Index id = b * id_block; id < last; ++id) {
                if (slot[id] >= 0) add(Index{slot[id]}, sums);
            }
        },
        work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
