#include "base/error.hpp"
#include "engine/broad/broad.hpp"
#include "engine/broad/cells.hpp"
#include "engine/state/relative.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Which pairs a list is for: by the number of polyhedra in the pair.
enum class PairClass { Spheres, Mixed, Polyhedra, Any };

struct SearchView {
    Levels levels;
    BodyView body;
    const Index* cell_start;
    double skin;
    Index count;
    std::int32_t materials;
    PairClass wanted;
    ApartView apart;
};

/// Are the two within the skin, of the class that is looked for, and free to touch?
SCREE_HD bool within_skin(const SearchView& s, Index i, Index j) {
    const double reach = s.body.radius[i] + s.body.radius[j] + s.skin;
    const bool near = norm2(relative_position(s.body.position[i], s.body.position[j])) < reach * reach;
    if (!near || s.apart.bodies(i, j)) return false;
    if (s.wanted == PairClass::Any) return true;
    const int polyhedra = (s.body.is_sphere(i) ? 0 : 1) + (s.body.is_sphere(j) ? 0 : 1);
    return polyhedra == static_cast<int>(s.wanted);
}

/// Visits each partner j of i that i is to find: found(j). Every pair is found from one side only, by the lower slot: slots are sorted by
/// level, finer ones first, then by cell.
template <class Found>
SCREE_HD void visit_own_level(const SearchView& s, const Level& l, Index i, const CellCoordinates& c, Found found) {
    const Index own = cell_number(l, c.x, c.y, c.z), own_end = s.cell_start[own + 1];
    for (Index j = i + 1; j < own_end; ++j) {
        if (within_skin(s, i, j)) found(j);
    }
    // Those of the 26 neighbours that are numbered after the own cell; in a plane of the 8.
    const bool flat = l.count[2] == 1;
    for (int k = flat ? 9 : 0; k < (flat ? 18 : 27); ++k) {
        const Index x = c.x + k % 3 - 1, y = c.y + k / 3 % 3 - 1, z = c.z + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= l.count[0] || y >= l.count[1] || z >= l.count[2]) continue;
        const Index cell = cell_number(l, x, y, z);
        if (cell <= own) continue;
        const Index end = s.cell_start[cell + 1];
        for (Index j = s.cell_start[cell]; j < end; ++j) {
            if (within_skin(s, i, j)) found(j);
        }
    }
}

template <class Found>
SCREE_HD void visit_coarser_level(const SearchView& s, const Level& l, Index i, Found found) {
    const double reach = s.body.radius[i] + 0.5 * l.size + s.skin;
    const Vec3 x = s.body.position[i], r{reach, reach, reach};
    const CellCoordinates low = cell_of(s.levels, l, x - r), high = cell_of(s.levels, l, x + r);
    for (Index cz = low.z; cz <= high.z; ++cz) {
        for (Index cy = low.y; cy <= high.y; ++cy) {
            for (Index cx = low.x; cx <= high.x; ++cx) {
                const Index cell = cell_number(l, cx, cy, cz);
                const Index end = s.cell_start[cell + 1];
                for (Index j = s.cell_start[cell]; j < end; ++j) {
                    if (within_skin(s, i, j)) found(j);
                }
            }
        }
    }
}

template <bool Brute, class Found>
SCREE_HD void visit_partners(const SearchView& s, Index i, Found found) {
    if (s.body.is_compound(i)) return;
    if (Brute) {
        for (Index j = i + 1; j < s.count; ++j) {
            if (within_skin(s, i, j)) found(j);
        }
        return;
    }
    const int own = level_of(s.levels, s.body.radius[i]);
    const Level& l = s.levels.level[own];
    visit_own_level(s, l, i, cell_of(s.levels, l, s.body.position[i]), found);
    for (int k = own + 1; k < s.levels.levels; ++k) visit_coarser_level(s, s.levels.level[k], i, found);
}

struct CountPartners {
    Index range_end;
    std::int32_t *inner, *crossing;
    SCREE_HD void operator()(Index j) const { ++*(j < range_end ? inner : crossing); }
};

/// The end of the range of slots that slot i is in.
SCREE_HD Index range_end_of(Index range, Index i) {
    return (i / range + 1) * range;
}

/// Writes pairs with the lower id as a.
struct WritePartners {
    SearchView search;
    Index i;
    Slot *a, *b;
    std::int32_t* law;
    std::uint32_t* found;
    Index range_end;
    Index *inner, *crossing;
    SCREE_HD void operator()(Index j) const {
        const bool first = search.body.id[i] < search.body.id[j];
        const Index lower = first ? i : j, higher = first ? j : i;
        const Index p = (*(j < range_end ? inner : crossing))++;
        a[p] = static_cast<Slot>(lower);
        b[p] = static_cast<Slot>(higher);
        law[p] = search.body.material[lower] * search.materials + search.body.material[higher];
        found[p] = static_cast<std::uint32_t>(j);
    }
};

template <bool Brute>
void count_partners(const SearchView& s, Workspace& work, Index range) {
    work.count.resize(s.count);
    work.crossing.resize(range < s.count ? s.count : 0);
    std::int32_t* count = work.count.data();
    std::int32_t* crossing = range < s.count ? work.crossing.data() : nullptr;
    for_each(
        work.exec, "broad/count_pairs", s.count, SCREE_LAMBDA(Index i)->void {
            std::int32_t inner = 0, outer = 0;
            visit_partners<Brute>(s, i, CountPartners{range_end_of(range, i), &inner, &outer});
            count[i] = inner;
            if (crossing != nullptr) crossing[i] = outer;
        });
}

template <bool Brute>
void write_partners(const SearchView& s, Workspace& work, BodyPairs& pairs) {
    Slot* a = pairs.a.data();
    Slot* b = pairs.b.data();
    std::int32_t* law = pairs.law.data();
    std::uint32_t* found = work.key.data();
    const Index* first = pairs.first.data();
    const Index* first_crossing = pairs.first_crossing.size() > 0 ? pairs.first_crossing.data() : nullptr;
    const Index range = pairs.range, inner = pairs.inner;
    for_each(
        work.exec, "broad/write_pairs", s.count, SCREE_LAMBDA(Index i)->void {
            Index next = first[i], next_crossing = inner + (first_crossing != nullptr ? first_crossing[i] : 0);
            visit_partners<Brute>(s, i, WritePartners{s, i, a, b, law, found, range_end_of(range, i), &next, &next_crossing});
        });
}

/// Sorts n entries by ascending partner id: insertion for short rows, a heap for long ones. Ids are unique, so the order is too.
SCREE_HD void sort_row(std::uint32_t* partner, std::uint32_t* entry, Index n) {
    if (n <= 48) {
        for (Index k = 1; k < n; ++k) {
            const std::uint32_t key = partner[k], value = entry[k];
            Index to = k;
            for (; to > 0 && partner[to - 1] > key; --to) {
                partner[to] = partner[to - 1];
                entry[to] = entry[to - 1];
            }
            partner[to] = key;
            entry[to] = value;
        }
        return;
    }
    Index start = n / 2, end = n;
    while (end > 1) {
        std::uint32_t key, value;
        if (start > 0) {
            --start;
            key = partner[start];
            value = entry[start];
        } else {
            --end;
            key = partner[end];
            value = entry[end];
            partner[end] = partner[0];
            entry[end] = entry[0];
        }
        Index root = start;
        for (Index child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && partner[child + 1] > partner[child]) ++child;
            if (partner[child] <= key) break;
            partner[root] = partner[child];
            entry[root] = entry[child];
            root = child;
        }
        partner[root] = key;
        entry[root] = value;
    }
}

/// A row while it is written.
struct RowWriter {
    const Slot *a, *b;
    const std::uint32_t* id;
    std::uint32_t *entry, *partner;
    Index i, next;
    SCREE_HD void add(Index p) {
        const bool is_b = b[p] == i;
        entry[next] = static_cast<std::uint32_t>(p) * 2 + (is_b ? 1u : 0u);
        partner[next] = id[is_b ? a[p] : b[p]];
        ++next;
    }
};

/// Rows from the two sides of each pair: those of which a body is the lower slot, and those of which it is the higher (other_start).
void write_rows(Bodies& bodies, Workspace& work, BodyPairs& pairs) {
    const Index n = bodies.count;
    pairs.row_start.resize(n + 1);
    pairs.entry.resize(2 * pairs.size());
    pairs.partner.resize(2 * pairs.size());
    Index* row_start = pairs.row_start.data();
    std::uint32_t* entry = pairs.entry.data();
    std::uint32_t* partner = pairs.partner.data();
    const Index* own = pairs.first.data();
    const Index* crossing = pairs.first_crossing.size() > 0 ? pairs.first_crossing.data() : nullptr;
    const Index inner = pairs.inner;
    const Index* other = work.other_start.data();
    const std::uint32_t* order = work.other_order.data();
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::uint32_t* id = bodies.id.data();
    for_each(
        work.exec, "broad/write_rows", n, SCREE_LAMBDA(Index i)->void {
            const Index start = own[i] + other[i] + (crossing != nullptr ? crossing[i] : 0);
            RowWriter row{a, b, id, entry, partner, i, start};
            for (Index p = own[i]; p < own[i + 1]; ++p) row.add(p);
            if (crossing != nullptr) {
                for (Index p = inner + crossing[i]; p < inner + crossing[i + 1]; ++p) row.add(p);
            }
            for (Index q = other[i]; q < other[i + 1]; ++q) row.add(order[q]);
            row_start[i] = start;
            sort_row(partner + start, entry + start, row.next - start);
        });
    pairs.row_start.put(n, 2 * pairs.size());
}

/// Slots of a range: on the host one range a thread, for the fused step of spheres (fused/fused.hpp).
Index range_of(const SearchView& s, const Exec& exec) {
    const Index all = std::max<Index>(s.count, 1);
    if (on_device || exec.threads == 1 || (s.wanted != PairClass::Any && s.wanted != PairClass::Spheres)) return all;
    const Index share = (all + exec.threads - 1) / exec.threads;
    return std::min(all, (share + block_size - 1) / block_size * block_size);
}

template <bool Brute>
void find_with(const SearchView& s, State& state, Workspace& work, BodyPairs& pairs) {
    pairs.range = range_of(s, work.exec);
    count_partners<Brute>(s, work, pairs.range);
    pairs.inner = scan_counts(work.exec, work.count.data(), s.count, pairs.first);
    Index total = pairs.inner;
    pairs.first_crossing.resize(0);
    if (pairs.range < s.count) total += scan_counts(work.exec, work.crossing.data(), s.count, pairs.first_crossing);
    require_within<RunError>(static_cast<double>(total), count_limits().pairs, "pairs of bodies in one list", fewer_pairs);
    pairs.a.resize(total);
    pairs.b.resize(total);
    pairs.law.resize(total);
    pairs.contacts.resize_zero(total);
    work.key.resize(std::max(total, s.count));
    write_partners<Brute>(s, work, pairs);
    group_by(work.exec, work.key.data(), total, s.count, work.other_start, work.other_order, work.sort);
    write_rows(state.bodies, work, pairs);
}

void find_class(const Model& model, PairClass wanted, State& state, Workspace& work, BodyPairs& pairs) {
    const SearchView s{work.levels,
                       state.bodies.view(),
                       work.cell_start.data(),
                       list_margin(state),
                       state.bodies.count,
                       static_cast<std::int32_t>(model.materials.size()),
                       wanted,
                       work.compounds.apart_view(state.bodies)};
    if (model.penalty.search == Search::BruteForce) {
        find_with<true>(s, state, work, pairs);
    } else {
        find_with<false>(s, state, work, pairs);
    }
}

/// A list of a class that the model does not have: empty from the start, but rows are read.
void no_pairs(BodyPairs& pairs, Index bodies) {
    pairs.row_start.resize_zero(bodies + 1);
}

}  // namespace

void find_body_pairs(const Model& model, State& state, Workspace& work) {
    if (!state.has_polyhedra) {
        find_class(model, PairClass::Any, state, work, state.pairs);
        return;
    }
    if (state.has_spheres) {
        find_class(model, PairClass::Spheres, state, work, state.pairs);
        find_class(model, PairClass::Mixed, state, work, state.mixed_pairs);
    } else {
        no_pairs(state.pairs, state.bodies.count);
        no_pairs(state.mixed_pairs, state.bodies.count);
    }
    find_class(model, state.has_spheres ? PairClass::Polyhedra : PairClass::Any, state, work, state.convex_pairs);
    const bool points = model.method == Method::Cone;
    state.mixed_pairs.patches.resize(state.mixed_pairs.size(), true, points);
    state.convex_pairs.patches.resize(state.convex_pairs.size(), true, points, true);
}

}  // namespace scree::SCREE_FLAVOR
