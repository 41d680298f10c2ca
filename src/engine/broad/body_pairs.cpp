#include "base/error.hpp"
#include "engine/broad/broad.hpp"
#include "engine/broad/cells.hpp"
#include "engine/exec/counters.hpp"
#include "engine/state/relative.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Which pairs a list is for: by the number of polyhedra in the pair.
enum class PairClass { Spheres, Mixed, Polyhedra, Any };

/// Images of bodies, by cell.
struct ImageSearch {
    const Index* cell_start;
    Index bodies, count;  // slots before the first image; images
    ImagesOf of;
    double skin;  // gap up to which pairs with them are listed [m]
    Cell cell;
    Vec3 low, high;  // of bodies [m]
    double reach;    // of the largest body and the skin [m]

    /// May a body here meet an image? Images of bodies are a period away from them.
    SCREE_HD bool near(Vec3 x, double radius) const {
        const double at[3] = {x.x, x.y, x.z}, from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
        for (int a = 0; a < 3; ++a) {
            if (!cell.periodic[a]) continue;
            if (at[a] + radius + reach >= from[a] + cell.length[a] || at[a] - radius - reach <= to[a] - cell.length[a]) return true;
        }
        return false;
    }
};

struct SearchView {
    Levels levels;
    BodyView body;
    const Index* cell_start;
    double skin;
    Index count;
    std::int32_t materials;
    PairClass wanted;
    ApartView apart;
    bool with_law;  // the law of each pair is kept
    bool all_free;  // every two bodies within reach make a pair
    SearchLattice lattice;
    ImageSearch images;
    const double* shorter;  // by how much pairs of two materials reach less than others [m]; null where none does
};

/// Are the two, within the skin, of the class that is looked for, near enough for their materials, and free to touch?
SCREE_HD bool may_touch(const SearchView& s, Index i, Index j) {
    if (s.all_free) return true;
    if (s.shorter != nullptr) {
        const double skin = (j < s.count ? s.skin : s.images.skin) - s.shorter[s.body.material[i] * s.materials + s.body.material[j]];
        const double reach = s.body.radius[i] + s.body.radius[j] + skin;
        if (!(norm2(relative_position(s.body.position[i], s.body.position[j])) < reach * reach)) return false;
    }
    if (s.apart.bodies(i, j)) return false;
    if (s.wanted == PairClass::Any) return true;
    const int polyhedra = (s.body.is_sphere(i) ? 0 : 1) + (s.body.is_sphere(j) ? 0 : 1);
    return polyhedra == static_cast<int>(s.wanted);
}

SCREE_HD bool within_skin(const SearchView& s, Index i, Index j) {
    const double reach = s.body.radius[i] + s.body.radius[j] + s.skin;
    return norm2(relative_position(s.body.position[i], s.body.position[j])) < reach * reach && may_touch(s, i, j);
}

/// Second look at what is near by the lattice alone.
SCREE_HD_ONCE std::uint32_t decide(const SearchView& s, Index i, Index from, LaneMask near) {
    std::uint32_t hit = 0;
    for (int k = 0; k < lanes; ++k) {
        const std::uint32_t bit = 1u << k;
        if ((near.hit & bit) == 0) continue;
        if ((near.sure & bit) != 0 ? may_touch(s, i, from + k) : within_skin(s, i, from + k)) hit |= bit;
    }
    return hit;
}

/// Slots [from, to) against i, which is `me` on the lattice: found(j).
template <class Found>
SCREE_HD void visit_run(const SearchView& s, Index i, const LatticeBody& me, Index from, Index to, Found found) {
    for (; from < to; from += lanes) {
        const LaneMask near = s.lattice.equal ? near_lanes<true>(s.lattice.body, from, to - from, me)
                                              : near_lanes<false>(s.lattice.body, from, to - from, me);
        const std::uint32_t hit = near.hit == near.sure && s.all_free ? near.hit : decide(s, i, from, near);
        each_bit(hit, [&](int k) { found(from + k); });
    }
}

/// Cells x0 to x1 of a row along x; rest: what y and z add to their numbers. Slots below `after` are left out.
template <class Found>
SCREE_HD void visit_row(const SearchView& s, const Level& l, Index x0, Index x1, Index rest, Index after, Index i, const LatticeBody& me,
                        Found found) {
    const Index low = l.along[0][x0] + rest, high = l.along[0][x1] + rest;
    const auto visit = [&](Index first, Index last) {
        const Index from = s.cell_start[first];
        visit_run(s, i, me, from > after ? from : after, s.cell_start[last + 1], found);
    };
    if (high - low == x1 - x0) {
        visit(low, high);  // no tile ends between: their bodies are one run
        return;
    }
    for (Index x = x0; x <= x1; ++x) visit(l.along[0][x] + rest, l.along[0][x] + rest);
}

/// Visits each partner j of i that i is to find: found(j). Every pair is found from one side only, by the lower slot: a finer body's
/// partners in coarser levels have higher slots (cells.hpp).
template <class Found>
SCREE_HD void visit_own_level(const SearchView& s, const Level& l, Index i, const LatticeBody& me, Found found) {
    const CellCoordinates c = cell_of(s.levels, l, s.body.position[i]);
    const Index x0 = c.x > 0 ? c.x - 1 : 0, x1 = c.x + 1 < l.count[0] ? c.x + 1 : c.x;
    const Index y0 = c.y > 0 ? c.y - 1 : 0, y1 = c.y + 1 < l.count[1] ? c.y + 1 : c.y;
    const Index z0 = c.z > 0 ? c.z - 1 : 0, z1 = c.z + 1 < l.count[2] ? c.z + 1 : c.z;
    for (Index z = z0; z <= z1; ++z) {
        for (Index y = y0; y <= y1; ++y) visit_row(s, l, x0, x1, l.along[1][y] + l.along[2][z], i + 1, i, me, found);
    }
}

template <class Found>
SCREE_HD void visit_coarser_level(const SearchView& s, const Level& l, Index i, const LatticeBody& me, Found found) {
    const double reach = s.body.radius[i] + 0.5 * l.size + s.skin;
    const Vec3 x = s.body.position[i], r{reach, reach, reach};
    const CellCoordinates low = cell_of(s.levels, l, x - r), high = cell_of(s.levels, l, x + r);
    for (Index z = low.z; z <= high.z; ++z) {
        for (Index y = low.y; y <= high.y; ++y) visit_row(s, l, low.x, high.x, l.along[1][y] + l.along[2][z], 0, i, me, found);
    }
}

/// Images in slots [first, last) against i.
template <class Found>
SCREE_HD void visit_images_in(const SearchView& s, Index i, Index first, Index last, Found found) {
    for (Index j = s.images.bodies + first; j < s.images.bodies + last; ++j) {
        const double reach = s.body.radius[i] + s.body.radius[j] + s.images.skin;
        if (norm2(relative_position(s.body.position[i], s.body.position[j])) < reach * reach && may_touch(s, i, j)) found(j);
    }
}

/// Visits each image that i is to find, of any level.
template <bool Brute, class Found>
SCREE_HD void visit_images(const SearchView& s, Index i, Found found) {
    const ImageSearch& im = s.images;
    if (im.count == 0) return;
    const Vec3 x = s.body.position[i];
    const double radius = s.body.radius[i];
    if (!im.near(x, radius)) return;
    if constexpr (Brute) {
        visit_images_in(s, i, 0, im.count, found);
    } else {
        for (int k = 0; k < s.levels.levels; ++k) {
            const Level& l = s.levels.level[k];
            const double reach = radius + 0.5 * l.size + im.skin;
            const Vec3 r{reach, reach, reach};
            const CellCoordinates low = cell_of(s.levels, l, x - r), high = cell_of(s.levels, l, x + r);
            for (Index z = low.z; z <= high.z; ++z) {
                for (Index y = low.y; y <= high.y; ++y) {
                    for (Index c = low.x; c <= high.x; ++c) {
                        const Index cell = cell_number(l, c, y, z);
                        visit_images_in(s, i, im.cell_start[cell], im.cell_start[cell + 1], found);
                    }
                }
            }
        }
    }
}

template <bool Brute, class Found>
SCREE_HD void visit_partners(const SearchView& s, Index i, Found found) {
    if (s.body.is_compound(i)) return;
    visit_images<Brute>(s, i, found);
    if (Brute) {
        for (Index j = i + 1; j < s.count; ++j) {
            if (within_skin(s, i, j)) found(j);
        }
        return;
    }
    const LatticeBody me = s.lattice.at(i);
    const int own = level_of(s.levels, s.body.radius[i]);
    visit_own_level(s, s.levels.level[own], i, me, found);
    for (int k = own + 1; k < s.levels.levels; ++k) visit_coarser_level(s, s.levels.level[k], i, me, found);
}

/// Buffers for the partners that a body finds while pairs are counted, so that those to be written need not be searched for again.
struct PartnerBuffers {
    Slot* first{nullptr};
    Index places{0};          // of each body; one that finds more searches again
    Index body{0}, place{0};  // strides
    SCREE_HD Slot* of(Index i, Index k) const { return first + i * body + k * place; }
};

/// What the rows of the workspace have behind the lattice. Neighbouring threads of a device write neighbouring places.
PartnerBuffers partner_buffers(Workspace& work, Index n) {
    constexpr Index most = 16, numbers_per_row = sizeof(Row4) / sizeof(Slot);
    const Index lattice = lattice_numbers(n), free = work.rows.size() * numbers_per_row - lattice;
    if (free < n || n == 0) return {};
    const Index places = std::min(most, free / n);
    return {reinterpret_cast<Slot*>(work.rows.data()) + lattice, places, on_device ? 1 : places, on_device ? n : 1};
}

template <bool Alone>
struct CountPartners {
    Index i, range_end;
    PartnerBuffers buffers;
    ImagesOf of;
    std::int32_t *inner, *crossing, *others;
    SCREE_HD void operator()(Index j) const {
        const Index k = *inner + *crossing;
        if (k < buffers.places) *buffers.of(i, k) = static_cast<Slot>(j);
        ++*(j < range_end ? inner : crossing);
        add_to<Alone>(others + of(j), 1);
    }
};

/// The end of the range of slots that slot i is in. Images are in none.
SCREE_HD Index range_end_of(const SearchView& s, Index range, Index i) {
    const Index end = (i / range + 1) * range;
    return end < s.count ? end : s.count;
}

/// Do some pairs reach from one range into another, or across a border?
bool some_cross(const SearchView& s, Index range) {
    return range < s.count || s.images.count > 0;
}

/// Writes pairs with the lower id as a, and an entry for either body: of the lower slot from the start of its row on, of the higher one
/// from the end of its own down.
template <bool Alone>
struct WritePartners {
    const std::uint32_t* id;
    const std::int32_t* material;
    std::int32_t materials;
    Index i;
    Slot *a, *b;
    std::int32_t* law;
    const RowStart* row_start;
    std::uint32_t* entry;
    std::int32_t* others;
    ImagesOf of;
    Index range_end;
    Index *inner, *crossing, *next;
    SCREE_HD void operator()(Index j) const {
        const bool first = id[i] < id[j];
        const Index lower = first ? i : j, higher = first ? j : i;
        const Index p = (*(j < range_end ? inner : crossing))++;
        a[p] = static_cast<Slot>(lower);
        b[p] = static_cast<Slot>(higher);
        if (law != nullptr) law[p] = material[lower] * materials + material[higher];
        const std::uint32_t e = static_cast<std::uint32_t>(p) * 2;
        entry[(*next)++] = e + (first ? 0u : 1u);
        const Index row = of(j);
        entry[Index{row_start[row + 1]} - add_to<Alone>(others + row, -1)] = e + (first ? 1u : 0u);
    }
};

template <bool Brute, bool Alone>
void count_partners(const SearchView& s, Workspace& work, Index range, const PartnerBuffers& buffers) {
    work.count.resize(s.count + 1);  // and one for lay_crossing
    work.crossing.resize(some_cross(s, range) ? s.count : 0);
    work.others.resize_zero(s.count);
    std::int32_t *count = work.count.data(), *others = work.others.data();
    std::int32_t* crossing = work.crossing.size() > 0 ? work.crossing.data() : nullptr;
    for_each(
        work.exec, "broad/count_pairs", s.count, SCREE_LAMBDA(Index i)->void {
            std::int32_t inner = 0, outer = 0;
            visit_partners<Brute>(s, i, CountPartners<Alone>{i, range_end_of(s, range, i), buffers, s.images.of, &inner, &outer, others});
            count[i] = inner;
            if (crossing != nullptr) crossing[i] = outer;
        });
}

template <bool Brute, bool Alone>
void write_partners(const SearchView& s, Workspace& work, ContactList& pairs, const RowStart* first_crossing,
                    const PartnerBuffers& buffers) {
    Slot* a = pairs.a.data();
    Slot* b = pairs.b.data();
    std::int32_t* law = s.with_law ? pairs.law.data() : nullptr;
    const RowStart *row_start = pairs.row_start.data(), *first = pairs.first.data();
    std::uint32_t* entry = pairs.entry.data();
    std::int32_t* others = work.others.data();
    const Index range = pairs.range, inner = pairs.inner;
    for_each(
        work.exec, "broad/write_pairs", s.count, SCREE_LAMBDA(Index i)->void {
            Index next = first[i], next_crossing = inner + (first_crossing != nullptr ? first_crossing[i] : 0), row = row_start[i];
            const WritePartners<Alone> write{s.body.id, s.body.material, s.materials, i,      a,           b,
                                             law,       row_start,       entry,       others, s.images.of, range_end_of(s, range, i),
                                             &next,     &next_crossing,  &row};
            const Index count = first[i + 1] - first[i] + (first_crossing != nullptr ? first_crossing[i + 1] - first_crossing[i] : 0);
            if (count > buffers.places) {
                visit_partners<Brute>(s, i, write);
                return;
            }
            for (Index k = 0; k < count; ++k) write(*buffers.of(i, k));
        });
}

/// Id of the other body of an entry.
struct PartnerOf {
    const Slot *a, *b;
    const std::uint32_t* id;
    SCREE_HD std::uint32_t operator()(std::uint32_t e) const { return id[(e & 1u) != 0 ? a[e >> 1] : b[e >> 1]]; }
};

constexpr Index short_row = 16;

/// Sorts a short row: each entry goes to the place that the number of smaller ids gives it.
SCREE_HD void rank_row(const PartnerOf& partner, std::uint32_t* entry, Index n) {
    std::uint32_t key[short_row], value[short_row], rank[short_row];
    for (Index k = 0; k < short_row; ++k) {
        key[k] = rank[k] = 0;
        if (k >= n) continue;
        value[k] = entry[k];
        key[k] = partner(value[k]);
    }
    for (Index j = 0; j < n; ++j) {
        for (Index k = 0; k < short_row; ++k) rank[k] += key[j] < key[k] ? 1u : 0u;
    }
    for (Index k = 0; k < n; ++k) entry[rank[k]] = value[k];
}

/// Sorts a row of any length by a heap.
SCREE_HD void sort_row(const PartnerOf& partner, std::uint32_t* entry, Index n) {
    Index start = n / 2, end = n;
    while (end > 1) {
        std::uint32_t value;
        if (start > 0) {
            value = entry[--start];
        } else {
            value = entry[--end];
            entry[end] = entry[0];
        }
        const std::uint32_t key = partner(value);
        Index root = start;
        for (Index child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && partner(entry[child + 1]) > partner(entry[child])) ++child;
            if (partner(entry[child]) <= key) break;
            entry[root] = entry[child];
            root = child;
        }
        entry[root] = value;
    }
}

/// Brings the entries of each row into the order of ids.
void sort_rows(Bodies& bodies, Workspace& work, ContactList& pairs) {
    const RowStart* row_start = pairs.row_start.data();
    std::uint32_t* entry = pairs.entry.data();
    const PartnerOf partner{pairs.a.data(), pairs.b.data(), bodies.id.data()};
    for_each(
        work.exec, "broad/sort_rows", bodies.count, SCREE_LAMBDA(Index i)->void {
            const Index n = row_start[i + 1] - row_start[i];
            (n <= short_row ? rank_row : sort_row)(partner, entry + row_start[i], n);
        });
}

/// Where the rows of all slots start, from what was counted. Returns the number of pairs.
Index lay_rows(Workspace& work, Index n, ContactList& pairs) {
    std::int32_t* count = work.count.data();
    const std::int32_t *crossing = work.crossing.size() > 0 ? work.crossing.data() : nullptr, *others = work.others.data();
    for_each(
        work.exec, "broad/add_counts", n, SCREE_LAMBDA(Index i)->void { count[i] += others[i] + (crossing != nullptr ? crossing[i] : 0); });
    return scan_counts(work.exec, count, n, pairs.row_start) / 2;
}

/// Where the pairs of each slot that leave its range start, counted from the first of them; none where there is one range. They stand where
/// the counts did that lay_rows added up.
void lay_crossing(Workspace& work, Index n, Array<RowStart>& first_crossing) {
    if (work.crossing.size() == 0) return;
    first_crossing.borrow(work.count.data(), n + 1);
    scan_starts(work.exec, work.crossing.data(), n, first_crossing);
}

/// Slots of a range: on the host one range a thread, for the fused step of spheres (fused/fused.hpp).
Index range_of(const SearchView& s, const Exec& exec) {
    const Index all = std::max<Index>(s.count, 1);
    if (on_device || exec.most() == 1 || (s.wanted != PairClass::Any && s.wanted != PairClass::Spheres)) return all;
    const Index share = (all + exec.most() - 1) / exec.most();
    return std::min(all, (share + block_size - 1) / block_size * block_size);
}

template <bool Brute, bool Alone>
void find_with(const SearchView& s, State& state, Workspace& work, ContactList& pairs) {
    pairs.range = range_of(s, work.exec);
    const PartnerBuffers buffers = partner_buffers(work, s.count);
    count_partners<Brute, Alone>(s, work, pairs.range, buffers);
    scan_starts(work.exec, work.count.data(), s.count, pairs.first);
    const Index total = lay_rows(work, s.count, pairs);
    require_within<RunError>(static_cast<double>(total), count_limits().pairs, "pairs of bodies in one list", fewer_pairs);
    pairs.inner = some_cross(s, pairs.range) ? Index{pairs.first.at(s.count)} : total;
    Array<RowStart> first_crossing;
    lay_crossing(work, s.count, first_crossing);
    pairs.a.resize(total);
    pairs.b.resize(total);
    pairs.law.resize(s.with_law ? total : 0);
    pairs.entry.resize(2 * total + 3);  // rows may be read by fours (fused/fused.cpp)
    write_partners<Brute, Alone>(s, work, pairs, first_crossing.data(), buffers);
    sort_rows(state.bodies, work, pairs);
}

ImageSearch image_search(const State& state, const Workspace& work) {
    const Images& im = work.images;
    const double skin = list_margin(state) + image_margin(state, work);
    return {im.cell_start.data(),  im.bodies, im.count, images_of(im), skin, im.cell, work.bounds.min, work.bounds.max,
            work.max_radius + skin};
}

void find_class(const Model& model, PairClass wanted, State& state, Workspace& work, PairList list) {
    const bool fused = list == kSpheres && work.fused.used;
    ContactList& pairs = state.lists[list];
    const ApartView apart = work.compounds.apart_view(state.bodies);
    const SearchView s{work.levels,
                       state.bodies.view(),
                       work.cell_start.data(),
                       list_margin(state),
                       state.bodies.count,
                       static_cast<std::int32_t>(model.materials.size()),
                       wanted,
                       apart,
                       !fused || model.materials.size() > 1,
                       wanted == PairClass::Any && apart.none() && work.reach_shorter.size() == 0,
                       work.lattice,
                       image_search(state, work),
                       work.reach_shorter.size() > 0 ? work.reach_shorter.data() : nullptr};
    const bool alone = !on_device && work.exec.most() == 1;
    if (model.penalty.search == Search::BruteForce) {
        (alone ? find_with<true, true> : find_with<true, false>)(s, state, work, pairs);
    } else {
        (alone ? find_with<false, true> : find_with<false, false>)(s, state, work, pairs);
    }
    // Of fused steps forces have room when they are computed.
    resize_columns(work.exec, pairs, pairs.size(), groups_of(list_layouts[list], list_parts(model, state.account), !fused));
}

/// A list of a class that the model does not have: empty from the start, but rows are read.
void no_pairs(ContactList& pairs, Index bodies) {
    pairs.row_start.resize_zero(bodies + 1);
}

}  // namespace

void find_body_pairs(const Model& model, State& state, Workspace& work) {
    if (!state.has_polyhedra) {
        find_class(model, PairClass::Any, state, work, kSpheres);
        return;
    }
    if (state.has_spheres) {
        find_class(model, PairClass::Spheres, state, work, kSpheres);
        find_class(model, PairClass::Mixed, state, work, kMixed);
    } else {
        no_pairs(state.lists[kSpheres], state.bodies.count);
        no_pairs(state.lists[kMixed], state.bodies.count);
    }
    find_class(model, state.has_spheres ? PairClass::Polyhedra : PairClass::Any, state, work, kConvex);
}

}  // namespace scree::SCREE_FLAVOR
