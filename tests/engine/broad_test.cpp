// Every search finds the pairs of a loop over all pairs; rows, ids and history hold together.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <utility>

#include "engine/broad/broad.hpp"
#include "engine/narrow/sphere_surface.hpp"
#include "engine/step/rebuild.hpp"
#include "engine/step/step.hpp"
#include "engine/step/storage.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// State and lists of a model, without an engine around them.
struct Lists {
    State state;
    Workspace work;
    StageTimers timers;
    Lists(const Model& m, int threads, bool shuffle) {
        work.exec = {threads, shuffle};
        load_model(m, false, state, work);
        prepare(m, state, work, timers, true);
    }
    std::vector<Pair> pairs() {
        const std::vector<std::uint32_t> id = state.bodies.id.host();
        const std::vector<Slot> a = state.lists[kSpheres].a.host(), b = state.lists[kSpheres].b.host();
        std::vector<Pair> out;
        for (std::size_t p = 0; p < a.size(); ++p) out.emplace_back(id[static_cast<std::size_t>(a[p])], id[static_cast<std::size_t>(b[p])]);
        std::sort(out.begin(), out.end());
        return out;
    }
};

/// All pairs nearer than the skin, by a loop over all pairs.
std::vector<Pair> all_pairs(const BodyTable& b, double skin) {
    std::vector<Pair> out;
    for (std::uint32_t i = 0; i < b.size(); ++i) {
        for (std::uint32_t j = i + 1; j < b.size(); ++j) {
            const double reach = b.radius[i] + b.radius[j] + skin;
            if (norm2(b.position[j] - b.position[i]) < reach * reach) out.emplace_back(i, j);
        }
    }
    return out;
}

/// Spheres anywhere in a box, overlapping or not; radii spread evenly in their logarithm.
Model scattered(int n, const Aabb& box, double smallest, double largest, std::uint64_t seed) {
    Model m = empty_model(Law::Linear, 1, 0);
    Rng rng(seed, 3);
    for (int k = 0; k < n; ++k) {
        const Vec3 x{rng.uniform(box.min.x, box.max.x), rng.uniform(box.min.y, box.max.y), rng.uniform(box.min.z, box.max.z)};
        add_sphere(m, x, smallest * std::pow(largest / smallest, rng.uniform()));
    }
    return m;
}

void check_rows(Lists& l) {
    const std::vector<std::uint32_t> id = l.state.bodies.id.host();
    const std::vector<Slot> a = l.state.lists[kSpheres].a.host(), b = l.state.lists[kSpheres].b.host();
    const std::vector<RowStart> start = l.state.lists[kSpheres].row_start.host();
    const std::vector<std::uint32_t> entry = l.state.lists[kSpheres].entry.host();
    REQUIRE(start.size() == id.size() + 1);
    REQUIRE(start.front() == 0);
    REQUIRE(start.back() == 2 * a.size());
    std::vector<int> seen(2 * a.size(), 0);
    bool ascending = true, consistent = true;
    for (std::size_t i = 0; i < id.size(); ++i) {
        std::uint32_t last = 0;
        for (Index k = start[i]; k < start[i + 1]; ++k) {
            const std::size_t at = static_cast<std::size_t>(k), p = entry[at] >> 1;
            const bool is_b = (entry[at] & 1u) != 0;
            ++seen[entry[at]];
            const std::uint32_t partner = id[static_cast<std::size_t>(is_b ? a[p] : b[p])];
            ascending = ascending && (k == start[i] || last < partner);
            last = partner;
            consistent = consistent && static_cast<std::size_t>(is_b ? b[p] : a[p]) == i;
            consistent = consistent && is_b == (partner < id[i]);
        }
    }
    CHECK(ascending);
    CHECK(consistent);
    CHECK(seen == std::vector<int>(2 * a.size(), 1));
}

/// Pairs within a range stand in the row of their lower slot, as the fused step moves a body once its row is done; those that leave it come
/// last, by their lower slots, as history is looked up by them.
void check_owners(Lists& l) {
    const ContactList& pairs = l.state.lists[kSpheres];
    const std::vector<Slot> a = pairs.a.host(), b = pairs.b.host();
    const std::vector<RowStart> first = pairs.first.host();
    std::vector<Slot> owner;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) owner.insert(owner.end(), first[i + 1] - first[i], static_cast<Slot>(i));
    REQUIRE(static_cast<Index>(owner.size()) == pairs.inner);
    std::size_t wrong = 0;
    Slot before = 0;
    for (std::size_t p = 0; p < a.size(); ++p) {
        const auto [low, high] = std::minmax(a[p], b[p]);
        const bool inner = p < owner.size();
        const Slot expected = inner ? owner[p] : std::max(before, low);
        wrong += low != expected || inner != (low / pairs.range == high / pairs.range) ? 1 : 0;
        before = inner ? 0 : low;
    }
    CHECK(wrong == 0);
}

/// Slots hold the bodies their ids say, and the map back agrees.
void check_slots(Lists& l, const Model& m) {
    const std::vector<std::uint32_t> id = l.state.bodies.id.host();
    const std::vector<Slot> slot = l.work.slot_of_id.host();
    const std::vector<Vec3> position = l.state.bodies.position.host();
    const std::vector<double> radius = l.state.bodies.position.host_companions();
    bool same = id.size() == m.bodies.size();
    for (std::size_t i = 0; i < id.size() && same; ++i) {
        same = static_cast<std::size_t>(slot[id[i]]) == i && position[i] == m.bodies.position[id[i]] && radius[i] == m.bodies.radius[id[i]];
    }
    CHECK(same);
}

void check_searches(Model m) {
    for (const Search search : {Search::BruteForce, Search::Grid, Search::Levels, Search::Auto}) {
        m.penalty.search = search;
        for (const double skin : {0.0, 1e-3, 2e-2}) {
            m.penalty.skin = skin;
            for (const bool shuffle : {false, true}) {
                Lists l(m, search == Search::Grid && skin > 0 ? 2 : 1, shuffle);
                CHECK(l.pairs() == all_pairs(m.bodies, l.state.skin));
                check_rows(l);
                check_owners(l);
                check_slots(l, m);
            }
        }
    }
}

const Aabb unit_box{{0, 0, 0}, {1, 1, 1}};

}  // namespace

TEST_CASE("searches agree with all pairs: equal spheres, evenly spread") {
    check_searches(scattered(1500, unit_box, 0.03, 0.03, 1));
}

TEST_CASE("searches agree with all pairs: negative coordinates and a flat box") {
    check_searches(scattered(600, {{-3, -7, -1.01}, {-1, -5, -0.99}}, 0.03, 0.04, 2));
}

TEST_CASE("searches agree with all pairs: clusters apart") {
    Model m = scattered(200, {{0, 0, 0}, {0.2, 0.2, 0.2}}, 0.02, 0.03, 3);
    const Model other = scattered(200, {{-4, 5, 2}, {-3.8, 5.2, 2.2}}, 0.02, 0.03, 4);
    for (std::size_t k = 0; k < other.bodies.size(); ++k) add_sphere(m, other.bodies.position[k], other.bodies.radius[k]);
    check_searches(m);
}

TEST_CASE("searches agree with all pairs: sizes 1:100 over many tiles, in a flat box") {
    check_searches(scattered(1500, {{-1, 2, 0}, {1, 3.5, 0.1}}, 0.002, 0.2, 7));
}

TEST_CASE("searches agree with all pairs: sizes 1:5 and 1:50") {
    check_searches(scattered(800, unit_box, 0.02, 0.1, 5));
    Model m = scattered(800, unit_box, 0.005, 0.01, 6);
    for (const Vec3 x : {Vec3{0.3, 0.3, 0.3}, Vec3{0.9, 0.5, 0.5}, Vec3{0.5, 0.5, 1.2}}) add_sphere(m, x, 0.25);
    check_searches(m);
}

TEST_CASE("searches agree with all pairs: bodies far away from the others") {
    Model m = scattered(400, unit_box, 0.03, 0.06, 7);
    add_sphere(m, {1000, 0.5, 0.5}, 0.05);
    add_sphere(m, {1000.05, 0.5, 0.5}, 0.05);
    add_sphere(m, {-900, -900, 900}, 0.03);
    check_searches(m);
}

TEST_CASE("searches agree with all pairs: centres in one point and on the borders of cells") {
    Model m = empty_model(Law::Linear, 1, 0);
    for (int k = 0; k < 70; ++k) add_sphere(m, {0.5, 0.5, 0.5}, 0.01);  // a row of more than 64 entries
    for (int k = 0; k < 64; ++k) add_sphere(m, {0.1 * (k % 4), 0.1 * (k / 4 % 4), 0.1 * (k / 16)}, 0.05);
    check_searches(m);
}

TEST_CASE("no body, one body and two bodies make lists too") {
    Model m = empty_model(Law::Linear, 1, 0);
    check_searches(m);
    add_sphere(m, {0, 0, 0}, 0.1);
    check_searches(m);
    add_sphere(m, {0.2, 0, 0}, 0.1);
    check_searches(m);
}

TEST_CASE("plane and cylinder pairs hold every body that is within the skin of an active wall") {
    Model m = scattered(500, unit_box, 0.02, 0.05, 8);
    m.walls = {box_wall("box", unit_box)};
    Wall tube;
    tube.name = "tube";
    tube.cylinders = {{{0.5, 0.5, 0}, {0, 0, 1}, 0.4, 0.6, true}, {{0.5, 0.5, 0}, {0, 0, 1}, 0.1, 0.6, false}};
    m.walls.push_back(tube);
    m.penalty.skin = 0.01;
    Lists l(m, 1, false);
    const std::vector<std::uint32_t> id = l.state.bodies.id.host();
    std::set<Pair> planes, cylinders;
    const std::vector<Slot> body = l.state.lists[kPlanes].a.host(), near = l.state.lists[kCylinders].a.host();
    const std::vector<std::int32_t> plane = l.state.lists[kPlanes].b.host(), cylinder = l.state.lists[kCylinders].b.host();
    for (std::size_t p = 0; p < body.size(); ++p) planes.insert({id[static_cast<std::size_t>(body[p])], plane[p]});
    for (std::size_t p = 0; p < near.size(); ++p) cylinders.insert({id[static_cast<std::size_t>(near[p])], cylinder[p]});
    CHECK(planes.size() == body.size());
    CHECK(cylinders.size() == near.size());
    std::size_t missing = 0;
    for (std::uint32_t i = 0; i < m.bodies.size(); ++i) {
        const Vec3 x = m.bodies.position[i];
        const double reach = m.bodies.radius[i] + 0.01;
        for (std::uint32_t s = 0; s < 6; ++s) {
            const Plane& p = m.walls[0].planes[s];
            if (dot(x - p.point, p.normal) < reach && planes.count({i, s}) == 0) ++missing;
        }
        for (std::uint32_t s = 0; s < 2; ++s) {
            const Cylinder& c = m.walls[1].cylinders[s];
            const SurfaceGap gap = cylinder_gap(x, c.point, c.axis, c.radius, c.length, c.inside);
            if (gap.distance < reach && cylinders.count({i, s}) == 0) ++missing;
        }
    }
    CHECK(missing == 0);
}

TEST_CASE("a rebuild carries each history to the same two ids") {
    Model m = scattered(1200, unit_box, 0.02, 0.05, 9);
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1}), mesh_wall("side", subdivided(box_mesh(unit_box), 2))};
    for (const int threads : {1, 4}) {
        Lists l(m, threads, false);
        // History that names its pair.
        const std::vector<Pair> before = l.pairs();
        const std::vector<std::uint32_t> id = l.state.bodies.id.host();
        const auto mark = [](const Array<Slot>& first, auto&& second, const std::vector<std::uint32_t>& ids, Contacts& contacts) {
            const std::vector<Slot> a = first.host();
            std::vector<Vec3T<Real>> marks;
            for (std::size_t p = 0; p < a.size(); ++p)
                marks.push_back({Real(1 + ids[static_cast<std::size_t>(a[p])]), Real(1 + second(p)), Real(0)});
            contacts.stretch.assign(marks);
            contacts.force.assign(marks);
            contacts.twist.assign(marks);
        };
        const std::vector<Slot> b = l.state.lists[kSpheres].b.host();
        const std::vector<std::int32_t> plane = l.state.lists[kPlanes].b.host(), patch = l.state.lists[kMeshes].b.host();
        mark(
            l.state.lists[kSpheres].a, [&](std::size_t p) { return id[static_cast<std::size_t>(b[p])]; }, id,
            l.state.lists[kSpheres].contacts);
        mark(
            l.state.lists[kPlanes].a, [&](std::size_t p) { return plane[p]; }, id, l.state.lists[kPlanes].contacts);
        mark(
            l.state.lists[kMeshes].a, [&](std::size_t p) { return patch[p]; }, id, l.state.lists[kMeshes].contacts);
        std::set<Pair> had(before.begin(), before.end()), had_patch;
        const std::vector<Slot> near = l.state.lists[kMeshes].a.host();
        for (std::size_t p = 0; p < near.size(); ++p) had_patch.insert({id[static_cast<std::size_t>(near[p])], patch[p]});

        std::vector<Vec3> moved = l.state.bodies.position.host();
        Rng rng(10, 1);
        for (Vec3& x : moved) x += {rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03)};
        l.state.bodies.position.assign(moved, l.state.bodies.position.host_companions());
        l.state.drifted = true;  // forces of pairs of spheres are found anew
        rebuild(m, l.state, l.work, l.timers, false);
        check_rows(l);

        const std::vector<std::uint32_t> new_id = l.state.bodies.id.host();
        const auto wrong = [&](const Array<Slot>& first, auto&& second, Contacts& contacts, const std::set<Pair>& known, int& kept,
                               bool with_twist) {
            const std::vector<Slot> a = first.host();
            const std::vector<Vec3T<Real>> stretch = contacts.stretch.host(), twist = contacts.twist.host();
            int errors = 0;
            for (std::size_t p = 0; p < a.size(); ++p) {
                const std::uint32_t i = new_id[static_cast<std::size_t>(a[p])], j = static_cast<std::uint32_t>(second(p));
                const bool old = known.count({i, j}) > 0;
                const Vec3T<Real> expected = old ? Vec3T<Real>{Real(1 + i), Real(1 + j), Real(0)} : Vec3T<Real>{};
                kept += old ? 1 : 0;
                if (!(stretch[p] == expected) || (with_twist && !(twist[p] == expected))) ++errors;
            }
            return errors;
        };
        int kept = 0, kept_patches = 0;
        const std::vector<Slot> new_b = l.state.lists[kSpheres].b.host();
        const std::vector<std::int32_t> new_patch = l.state.lists[kMeshes].b.host();
        CHECK(wrong(
                  l.state.lists[kSpheres].a, [&](std::size_t p) { return new_id[static_cast<std::size_t>(new_b[p])]; },
                  l.state.lists[kSpheres].contacts, had, kept, false) == 0);
        CHECK(wrong(
                  l.state.lists[kMeshes].a, [&](std::size_t p) { return new_patch[p]; }, l.state.lists[kMeshes].contacts, had_patch,
                  kept_patches, true) == 0);
        CHECK(kept > 100);
        CHECK(kept_patches > 20);
        CHECK(kept < static_cast<int>(l.pairs().size()));
    }
}
