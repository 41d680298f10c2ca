#include "engine/fused/near_rows.hpp"

#include <algorithm>

#include "engine/fused/fused.hpp"

namespace scree::SCREE_FLAVOR {

bool reserve_near_rows(Index bodies, Workspace& work) {
    NearRows& near = work.fused.near_rows;
    if (work.fused.wrench.size() > near.most_places) return false;
    const Index entries = NearRows::length * bodies, longer = near.longer_of_body * bodies;
    SCREE_ASSERT(saved_of_body * bodies * Index{sizeof(double)} + (entries + longer) * Index{sizeof(std::uint16_t)} <=
                 work.rows.size() * Index{sizeof(Row4)});
    auto* buffers = reinterpret_cast<std::uint16_t*>(reinterpret_cast<double*>(work.rows.data()) + saved_of_body * bodies);
    near.entry.borrow(buffers, entries);
    near.longer.borrow(buffers + entries, longer);
    near.near_at.resize(work.fused.wrench.size());
    return true;
}

NearRowWriter::NearRowWriter(const ContactList& pairs, FusedBuffers& buffers, Index begin, Index end)
    : row_start_(pairs.row_start.data()),
      entry_(pairs.entry.data()),
      near_at_(buffers.near_rows.near_at.data()),
      row_(buffers.near_rows.entry.data()),
      longer_(buffers.near_rows.longer.data()),
      blank_(static_cast<std::uint16_t>(2 * (buffers.wrench.size() - 1))),
      at_(buffers.near_rows.longer_of_body * begin),
      end_(buffers.near_rows.longer_of_body * end) {
}

Index NearRowWriter::pick(Index i, std::uint16_t* to) const {
    Index count = 0;
    for (Index k = row_start_[i]; k < row_start_[i + 1]; ++k) {
        to[count] = static_cast<std::uint16_t>(entry_[k]);  // written again unless it is near
        count += near_at_[entry_[k] >> 1];
    }
    return count;
}

void NearRowWriter::write(Index i) {
    constexpr Index length = NearRows::length;
    std::uint16_t* row = row_ + length * i;
    const Index listed = row_start_[i + 1] - row_start_[i];
    if (listed <= length) {
        std::uint16_t picked[length];
        std::fill(std::copy(picked, picked + pick(i, picked), row), row + length, blank_);
        return;
    }
    if (listed > longer_row || at_ + listed + 1 > end_) {
        full_ = true;
        return;
    }
    std::uint16_t* all = longer_ + at_;
    const Index count = pick(i, all + 1);
    if (count <= length) {
        std::fill(std::copy(all + 1, all + 1 + count, row), row + length, blank_);
        return;
    }
    all[0] = static_cast<std::uint16_t>(count);
    row[length - 3] = static_cast<std::uint16_t>(at_);
    row[length - 2] = static_cast<std::uint16_t>(at_ >> 16);
    row[length - 1] = longer_row;
    at_ += 1 + count;
}

}  // namespace scree::SCREE_FLAVOR
