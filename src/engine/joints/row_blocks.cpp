#include "engine/joints/row_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scree {

namespace {

using Rows = std::vector<std::int32_t>;

/// Which rows depend on each other: all of one group do.
class Groups {
public:
    Groups(std::vector<Rows> groups, std::size_t rows) : groups_(std::move(groups)), of_row_(rows), seen_(groups_.size(), 0) {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            for (const std::int32_t r : groups_[g]) of_row_[static_cast<std::size_t>(r)].push_back(static_cast<std::int32_t>(g));
        }
    }

    /// Rows at each distance from `start`, by rows whose mark is `mark`; they are given the mark `met`.
    std::vector<Rows> levels_from(std::int32_t start, Rows& marks, std::int32_t mark, std::int32_t met) {
        ++walk_;
        std::vector<Rows> levels{{start}};
        marks[static_cast<std::size_t>(start)] = met;
        while (!levels.back().empty()) {
            Rows next;
            for (const std::int32_t r : levels.back()) {
                each_group(r, [&](std::size_t g) {
                    for (const std::int32_t other : groups_[g]) {
                        std::int32_t& at = marks[static_cast<std::size_t>(other)];
                        if (at != mark) continue;
                        at = met;
                        next.push_back(other);
                    }
                });
            }
            levels.push_back(std::move(next));
        }
        levels.pop_back();
        for (Rows& level : levels) std::sort(level.begin(), level.end());
        return levels;
    }

    /// Rows with this mark that depend on one of `rows`; ascending.
    Rows neighbours(const Rows& rows, const Rows& marks, std::int32_t mark) {
        ++walk_;
        Rows out;
        for (const std::int32_t r : rows) {
            each_group(r, [&](std::size_t g) {
                for (const std::int32_t other : groups_[g]) {
                    if (marks[static_cast<std::size_t>(other)] == mark) out.push_back(other);
                }
            });
        }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    /// Groups of these rows, as far as they have this mark.
    std::vector<Rows> of(const Rows& rows, const Rows& marks, std::int32_t mark) {
        ++walk_;
        std::vector<Rows> out;
        for (const std::int32_t r : rows) {
            each_group(r, [&](std::size_t g) {
                Rows& marked = out.emplace_back();
                std::copy_if(groups_[g].begin(), groups_[g].end(), std::back_inserter(marked),
                             [&](std::int32_t other) { return marks[static_cast<std::size_t>(other)] == mark; });
            });
        }
        return out;
    }

    /// What the rows with this mark have in common with each other when all others are eliminated, which leaves those in `more` coupled.
    Groups left(const Rows& marks, std::int32_t mark, std::vector<Rows> more) const {
        for (const Rows& group : groups_) {
            Rows rest;
            for (const std::int32_t r : group) {
                if (marks[static_cast<std::size_t>(r)] == mark) rest.push_back(r);
            }
            if (rest.size() > 1) more.push_back(std::move(rest));
        }
        return {std::move(more), of_row_.size()};
    }

private:
    /// Groups of a row that this walk has not seen before.
    template <class Use>
    void each_group(std::int32_t row, Use use) {
        for (const std::int32_t g : of_row_[static_cast<std::size_t>(row)]) {
            if (std::exchange(seen_[static_cast<std::size_t>(g)], walk_) != walk_) use(static_cast<std::size_t>(g));
        }
    }

    std::vector<Rows> groups_;
    std::vector<Rows> of_row_;        // groups of each row
    std::vector<std::int32_t> seen_;  // the last walk that saw each group
    std::int32_t walk_{0};
};

/// A block that is to be, with the rows of later stages that it is coupled to.
struct Part {
    Rows rows, coupled;
};

/// Marks of rows while a stage is cut.
enum Mark : std::int32_t { Gone = 0, Free, Met, Taken, Waiting, Separator };

void append(Rows& to, const Rows& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Rows all_of(const std::vector<Rows>& levels) {
    Rows out;
    for (const Rows& level : levels) append(out, level);
    std::sort(out.begin(), out.end());
    return out;
}

void mark_all(const Rows& rows, Mark mark, Rows& marks) {
    for (const std::int32_t r : rows) marks[static_cast<std::size_t>(r)] = mark;
}

/// How many of `rows`, which have the mark Taken, hang together at most without those in `without`.
std::size_t largest_without(const Rows& without, const Rows& rows, Groups& groups, Rows& marks) {
    mark_all(without, Gone, marks);
    std::size_t largest = 0;
    for (const std::int32_t start : rows) {
        if (marks[static_cast<std::size_t>(start)] == Taken)
            largest = std::max(largest, all_of(groups.levels_from(start, marks, Taken, Met)).size());
    }
    mark_all(rows, Taken, marks);
    return largest;
}

/// The fewest rows, half of them at most, that leave no more than three fourths of `rows`, which hang together and have the mark Taken,
/// hanging together; empty where none are found. Those of one level, or where these are many, those of one group: a body of a tree.
Rows separator_of(const Rows& rows, const std::vector<Rows>& levels, Groups& groups, Rows& marks) {
    constexpr std::size_t few = 16, most_tried = 256;
    const std::size_t most_left = 3 * rows.size() / 4, most = rows.size() / 2;
    Rows best;
    std::size_t before = 0;
    for (const Rows& level : levels) {
        const std::size_t after = rows.size() - before - level.size();
        if (std::max(before, after) <= most_left && level.size() < (best.empty() ? most : best.size())) best = level;
        before += level.size();
    }
    if (!best.empty() && best.size() <= few) return best;
    const std::vector<Rows> shared = groups.of(rows, marks, Taken);
    const std::size_t stride = shared.size() / most_tried + 1;
    for (std::size_t g = 0; g < shared.size(); g += stride) {
        if (shared[g].size() >= (best.empty() ? most : best.size())) continue;
        if (largest_without(shared[g], rows, groups, marks) <= most_left) best = shared[g];
    }
    return best;
}

/// Free rows -> parts of at most `whole` rows that hang together, or `part` of what is cut, where they can be cut; what separates them
/// keeps the mark Separator, all others are gone.
std::vector<Part> cut_stage(const Rows& active, std::size_t whole, std::size_t part, Groups& groups, Rows& marks) {
    std::vector<Part> parts;
    std::vector<std::pair<Rows, std::size_t>> left{{active, whole}};  // with the size up to which each need not be cut
    while (!left.empty()) {
        const auto [rows, enough] = std::move(left.back());
        left.pop_back();
        for (const std::int32_t r : rows) {
            std::int32_t& mark = marks[static_cast<std::size_t>(r)];
            if (mark == Waiting) mark = Free;
        }
        for (const std::int32_t start : rows) {
            if (marks[static_cast<std::size_t>(start)] != Free) continue;
            std::vector<Rows> levels = groups.levels_from(start, marks, Free, Met);
            Rows together = all_of(levels), separator;
            if (together.size() > enough) {
                levels = groups.levels_from(levels.back().front(), marks, Met, Taken);
                separator = separator_of(together, levels, groups, marks);
            }
            if (separator.empty()) {
                mark_all(together, Taken, marks);
                parts.push_back({std::move(together), {}});
                continue;
            }
            mark_all(together, Waiting, marks);
            mark_all(separator, Separator, marks);
            left.emplace_back(std::move(together), part);
        }
    }
    for (Part& p : parts) p.coupled = groups.neighbours(p.rows, marks, Separator);
    for (const Part& p : parts) mark_all(p.rows, Gone, marks);
    // In the order of their first rows, however they were found.
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rows.front() < b.rows.front(); });
    return parts;
}

std::vector<Rows> rows_of_bodies(const std::vector<JointRow>& rows, std::size_t bodies) {
    std::vector<Rows> at(bodies);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (int k = 0; k < row_terms; ++k) {
            const std::int32_t body = term_of(rows[r], k).body;
            if (body >= 0) at[static_cast<std::size_t>(body)].push_back(static_cast<std::int32_t>(r));
        }
    }
    return at;
}

void add_block(const Part& part, RowBlocks& blocks) {
    const auto first = static_cast<std::int32_t>(blocks.order.size()), count = static_cast<std::int32_t>(part.rows.size());
    const auto coupled = static_cast<std::int32_t>(blocks.coupled.size()), couples = static_cast<std::int32_t>(part.coupled.size());
    blocks.block.push_back({first, count, coupled, couples, blocks.values});
    append(blocks.order, part.rows);
    append(blocks.coupled, part.coupled);
    blocks.values += std::int64_t{count} * (count + couples);
}

}  // namespace

RowBlocks cut_rows(const std::vector<JointRow>& rows, std::size_t bodies, const BlockLimits& limits) {
    const auto part = static_cast<std::size_t>(limits.part);
    Groups groups(rows_of_bodies(rows, bodies), rows.size());
    Rows marks(rows.size(), Free), active;
    for (std::size_t r = 0; r < rows.size(); ++r) active.push_back(static_cast<std::int32_t>(r));
    RowBlocks out;
    out.stage.push_back(0);
    for (auto enough = static_cast<std::size_t>(limits.whole); !active.empty(); enough = part) {
        std::vector<Rows> coupled;
        for (const Part& p : cut_stage(active, enough, part, groups, marks)) {
            add_block(p, out);
            coupled.push_back(p.coupled);
        }
        out.stage.push_back(static_cast<std::int32_t>(out.order.size()));
        groups = groups.left(marks, Separator, std::move(coupled));
        std::erase_if(active, [&](std::int32_t r) { return marks[static_cast<std::size_t>(r)] != Separator; });
        mark_all(active, Free, marks);
    }
    Rows place(rows.size());
    for (std::size_t p = 0; p < rows.size(); ++p) place[static_cast<std::size_t>(out.order[p])] = static_cast<std::int32_t>(p);
    for (std::int32_t& row : out.coupled) row = place[static_cast<std::size_t>(row)];
    for (const RowBlock& b : out.block) std::sort(out.coupled.begin() + b.coupled, out.coupled.begin() + b.coupled + b.couples);
    return out;
}

}  // namespace scree
