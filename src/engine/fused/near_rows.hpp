// Rows of bodies in steps that leave pairs out (fused/prune.hpp): eight entries each, those of near pairs first, filled up with one that
// gives nothing, so that they are summed up without a branch that nobody foretells and take half the bytes of rows of a list. A row of more
// than eight near pairs tells where all of them stand. Entries are short: place * 2 + (1 where the slot is b), as in rows of a list.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// In the last place of a row: the two before it tell where in NearRows::longer it is, how many entries and then these.
inline constexpr std::uint16_t longer_row = 0xFFFF;

struct NearRowsView {
    const std::uint16_t* entry;  // null: rows of the list are read
    const std::uint16_t* longer;
};

struct ShortEntries {
    const std::uint16_t* first;
    Index count;
};

inline NearRowsView near_rows_view(const NearRows& rows) {
    return {rows.on ? rows.entry.data() : nullptr, rows.longer.data()};
}

/// The eight of slot i.
SCREE_HD const std::uint16_t* near_entries(const NearRowsView& rows, Index i) {
    return rows.entry + NearRows::length * i;
}

/// Where a row has more than eight: all of them.
SCREE_HD ShortEntries longer_entries(const NearRowsView& rows, const std::uint16_t* row) {
    const std::uint16_t* all = rows.longer + (row[NearRows::length - 3] | static_cast<std::uint32_t>(row[NearRows::length - 2]) << 16);
    return {all + 1, all[0]};
}

/// Room for all rows, behind what fused steps go back to; false where places are too many for short entries.
bool reserve_near_rows(Index bodies, Workspace& work);

/// Writes the rows of slots [begin, end): of each, entries whose place NearRows::near_at says to be near. Each when all of its pairs have
/// been looked at and their places not been given to others: in the order of steps (fused/order.hpp).
class NearRowWriter {
public:
    NearRowWriter(const ContactList& pairs, FusedBuffers& buffers, Index begin, Index end);
    void write(Index i);
    /// Rows of more than eight are more than there is room for: what has been written is not complete.
    bool full() const { return full_; }

private:
    /// Near entries of slot i to `to`, which takes as many as the row has; returns how many.
    Index pick(Index i, std::uint16_t* to) const;

    const RowStart* row_start_;
    const std::uint32_t* entry_;
    const std::uint8_t* near_at_;
    std::uint16_t *row_, *longer_;
    std::uint16_t blank_;
    Index at_, end_;  // in `longer`
    bool full_{false};
};

}  // namespace scree::SCREE_FLAVOR
