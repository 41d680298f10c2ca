// The memory of an engine's arrays from the bytes of their rows (step/row_bytes.hpp) and how many rows there will be. Arrays count with
// what is written to: growing leaves room behind, but a page that nobody wrote to takes no memory.
#include "engine/step/forecast.hpp"

#include <algorithm>
#include <cmath>

#include "engine/bonds/bonds.hpp"
#include "engine/cone/bond_rows.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/fused/fused.hpp"
#include "engine/hard/particles.hpp"
#include "engine/measure/patches.hpp"
#include "engine/step/row_bytes.hpp"
#include "model/compounds.hpp"
#include "model/fluid_kernel.hpp"
#include "model/made_bonds.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What the sizes of arrays depend on.
struct Kind {
    double bodies, bonds;
    std::uint32_t parts;
    bool spheres{false}, polyhedra{false}, compounds{false}, orientation, account, ranges, cone, fluid, fused, held, meshes{false};
    ListParts lists;
    double threads;
};

Kind kind_of(const Model& model, const EngineOptions& options) {
    Kind k{};
    k.bodies = static_cast<double>(model.bodies.size());
    k.bonds = static_cast<double>(model.bonds.size()) + bonds_to_come(model);
    k.parts = body_parts(model, options.track_energy);
    for (const std::int32_t shape : model.bodies.shape) {
        const bool compound = is_compound_shape(model, shape);
        (compound ? k.compounds : shape < 0 ? k.spheres : k.polyhedra) = true;
    }
    k.orientation = (k.parts & kOrientations) != 0;
    k.account = options.track_energy;
    k.threads = std::max(1, options.threads);
    k.ranges = !on_device && k.threads > 1 && (!k.polyhedra || k.spheres);
    k.cone = model.method == Method::Cone;
    k.fluid = model.method == Method::Fluid;
    k.lists = list_parts(model, options.track_energy);
    const bool stores = k.compounds || !model.joints.empty() || k.bonds > 0 || k.cone || k.lists.rolls || k.lists.pulls;
    k.fused = !on_device && !k.cone && !k.fluid && (!stores || fuses_laws(model, k.account, k.compounds)) && model.dimensions == 3 &&
              !k.polyhedra && !options.shuffle && can_fuse(model.penalty);
    k.held = stores || model.dimensions == 2 || k.polyhedra || k.fluid || k.account;
    for (const Wall& wall : model.walls) k.meshes = k.meshes || !wall.mesh.triangles.empty();
    return k;
}

/// Bytes of a body in the table of body fields; those that this kind does not use left out.
double body_row(const Kind& k) {
    Bodies none;
    double sum = 0;
    none.each_field([&](const BodyField& field, auto& array) {
        const bool passing = field.part == kForceSums && !k.held;
        if ((k.parts & field.part) != 0 && !passing) sum += sizeof(*array.data());
    });
    return sum;
}

double pairs_of(const PairCounts& c, int list) {
    const auto with = [](const PairCounts::WithWalls& w, int surface_class) {
        return surface_class == 0 ? w.planes : (surface_class == 1 ? w.cylinders : w.meshes);
    };
    const ListLayout& layout = list_layouts[list];
    if (layout.two_bodies()) return layout.polyhedra == 0 ? c.spheres : (layout.polyhedra == 1 ? c.mixed : c.polyhedra);
    return with(layout.has_patch() ? c.polyhedron_walls : c.sphere_walls, layout.surface_class());
}

struct ListBytes {
    double now{0}, old{0};
};

/// All lists, and what is carried from the ones before.
ListBytes list_bytes(const PairCounts& c, const Kind& k, bool laws) {
    ListBytes sum;
    for (int list = 0; list < kPairLists; ++list) {
        const ListLayout& layout = list_layouts[list];
        const bool spheres = list == kSpheres, bodies = layout.two_bodies();
        if ((layout.has_patch() && !k.polyhedra) || (spheres && k.fluid)) continue;
        const double pairs = pairs_of(c, list), each_body = bodies || pairs > 0 ? k.bodies : 0;
        const bool lent = spheres && k.fused;
        const std::uint32_t all = groups_of(layout, k.lists), kept = spheres && !k.cone ? all & ~std::uint32_t{kForces} : all;
        const ListRows now = list_rows(layout, groups_of(layout, k.lists, !lent), laws || !lent), old = old_rows(kept);
        sum.now += pairs * now.pair + each_body * now.body;
        sum.old += pairs * old.pair + each_body * old.body;
    }
    const double triangles = c.sphere_walls.triangles + (k.polyhedra ? c.polyhedron_walls.triangles : 0);
    sum.now += triangles * row_bytes(&ContactList::triangle);
    return sum;
}

/// Vectors of a problem that a method works with: those that begin() shapes, and the impulses; Gauss–Seidel's two, and the impulses.
constexpr int solver_vectors = 8, more_of_coulomb = 4, vectors_of_sweeps = 3;

/// What sweeps over bodies keep. A pair of polyhedra has all of the points that a manifold can have (sim/memory.cpp counts so).
double sweep_bytes(const Model& model, const Kind& k, const PairCounts& c) {
    if (model.cone.solver != ConeSolver::GaussSeidel) return 0;
    const double manifolds = k.polyhedra ? c.points / most_points : c.points;
    return c.points * sweep_point_row + manifolds * sweep_manifold_row + k.bodies * sweep_body_row;
}

double cone_bytes(const Model& model, const Kind& k, const PairCounts& c) {
    bool rolling = false;
    for (std::size_t a = 0; a < model.pairs.count(); ++a) {
        for (std::size_t b = 0; b < model.pairs.count(); ++b)
            rolling = rolling || model.pairs(a, b).rolling_friction > 0 || model.pairs(a, b).spinning_friction > 0;
    }
    const bool coulomb = model.cone.friction == FrictionLaw::Coulomb, sweeps = model.cone.solver == ConeSolver::GaussSeidel;
    const int vectors = coulomb ? solver_vectors + more_of_coulomb : (sweeps ? vectors_of_sweeps : solver_vectors);
    const auto all = [](const PairCounts::WithWalls& w) { return w.planes + w.cylinders + w.meshes; };
    const double manifolds = c.mixed + c.polyhedra + all(c.polyhedron_walls);
    return c.points * cone_point_row(rolling, vectors) + (c.spheres + all(c.sphere_walls) + manifolds) * cone_pair_row +
           manifolds * cone_manifold_row + k.bodies * cone_body_row + sweep_bytes(model, k, c);
}

/// Workspace::rows: permuting and sorting bodies take one row and a half; fused steps three, or the twists of all pairs.
double rows_bytes(const Kind& k, const PairCounts& c) {
    constexpr double sorting = 1.5, saved = 3;
    if (!k.fused) return sorting * k.bodies * row_bytes(&Workspace::rows);
    return std::max(saved * k.bodies * row_bytes(&Workspace::rows), c.spheres * row_bytes(&Contacts::twist));
}

/// Rooms of the search and of sorting bodies.
double search_bytes(const Kind& k, const PairCounts& c) {
    double sum = k.bodies * row_bytes(&Workspace::slot_of_id, &Workspace::old_slot_of_id, &Workspace::count, &Workspace::others);
    sum += c.cells * row_bytes(&Workspace::cell_start);
    if (k.ranges) sum += k.bodies * row_bytes(&Workspace::crossing);
    if (k.meshes) sum += k.bodies * row_bytes(&Workspace::runs, &Workspace::offset);
    return sum + rows_bytes(k, c);
}

/// Places for forces that wait at one time, by the order of slots: one layer of cells of the domain, the layer of tiles above it, and those
/// between ranges.
double fused_places(const Kind& k, const PairCounts& c) {
    const double face = std::pow(k.bodies, 2.0 / 3.0), each = c.spheres / std::max(1.0, k.bodies);
    return std::min(c.spheres, each * face * (1 + (k.ranges ? k.threads - 1 : 0)));
}

double fluid_bytes(const Model& model, const Kind& k, const PairCounts& c) {
    using F = FluidBuffers;
    const double near = static_cast<double>(fluid_rest(model.fluid, model.dimensions).near) + 40;
    const double sorted = row_bytes(&GridBuffers::x, &GridBuffers::y, &GridBuffers::z, &GridBuffers::id) + sizeof(EqualRow);
    return k.bodies *
               (row_bytes(&F::place, &F::next, &F::changed, &F::way, &F::change, &F::multiplier, &F::curl, &F::wall_count, &F::listed) +
                sorted + 4 * near) +
           (c.sphere_walls.planes + c.sphere_walls.cylinders + c.sphere_walls.meshes) * row_bytes(&F::walls);
}

EngineForecast forecast_hard(const Model& model, const PairCounts& c) {
    using P = HardParticles;
    using R = HardBuffers;
    const double n = static_cast<double>(model.bodies.size());
    EngineForecast f;
    f.bodies = n * (row_bytes(&P::position, &P::velocity, &P::reference, &P::material, &P::flight, &P::virial, &P::lost, &P::lost_time,
                              &P::hits, &P::wall_hits) +
                    row_bytes(&R::choice, &R::meeting, &R::changed)) +
               n * row_bytes(&P::impulse) * static_cast<double>(model.walls.size());
    f.pairs = n * row_bytes(&R::row_start) + 2 * c.spheres * row_bytes(&R::neighbour);
    f.scratch = n * (row_bytes(&R::key, &R::order, &R::count) + row_bytes(&SortBuffers::keys, &SortBuffers::values)) +
                c.cells * (row_bytes(&R::cell_start) + row_bytes(&SortBuffers::counts));
    return f;
}

/// Snapshot of snapshots.cpp: all its vectors, and at the most one of them on its way there.
double snapshot_bytes(const Kind& k) {
    double row = sizeof(std::uint32_t) + 4 * sizeof(Vec3) + 2 * sizeof(double) + sizeof(std::int32_t) + sizeof(std::size_t);
    if (k.orientation) row += sizeof(Quat);
    if (k.polyhedra || k.compounds) row += sizeof(std::int32_t);
    if (k.compounds) row += sizeof(Vec3) + sizeof(std::int32_t);
    row += static_cast<double>(shown_numbers(k.parts) + (k.bonds > 0 ? 2 : 0)) * sizeof(double);
    return k.bodies * row;
}

/// Of save_state: rows of four on their way into one field, or what tells the pairs to keep with one of their fields.
double checkpoint_bytes(const Kind& k, const PairCounts& c) {
    constexpr double copies = 3;  // an array on the host, its numbers, its bytes
    const double rows = copies * sizeof(Row4) * k.bodies;
    const double longest = std::max({c.spheres, c.mixed, c.polyhedra});
    const double list = c.touching * sizeof(std::size_t);
    const double pairs = longest * (sizeof(Slot) + sizeof(Slot) + list) + longest * c.touching * (3 * sizeof(std::uint32_t));
    const double field = longest * (sizeof(double) + list) + longest * c.touching * 2 * sizeof(double);
    const double kept = k.cone ? c.polyhedra * sizeof(KeptPoints) * (1 + 3 * c.touching) : 0;
    return k.bodies * sizeof(std::uint32_t) + std::max({rows, pairs, field, kept});
}

}  // namespace

EngineForecast forecast(const Model& model, const EngineOptions& options, const PairCounts& counts) {
    const Kind k = kind_of(model, options);
    const bool laws = model.materials.size() > 1;
    if (model.method == Method::Hard) {
        EngineForecast f = forecast_hard(model, counts);
        f.snapshot = snapshot_bytes(k);
        f.checkpoint = 3.0 * sizeof(Row4) * k.bodies;
        return f;
    }
    const ListBytes lists = list_bytes(counts, k, laws);
    EngineForecast f;
    f.bodies = k.bodies * body_row(k);
    // Twice what the model says of a bond, which two models do, its pair on the host, and its row, state and forces.
    constexpr double bond_row = 2 * sizeof(Bond) + 2 * sizeof(std::uint64_t) + sizeof(BondRow) + 2 * sizeof(std::uint32_t) +
                                2 * sizeof(Slot) + 2 * sizeof(std::int32_t) + 18 * sizeof(double) + sizeof(std::int64_t) +
                                2 * sizeof(std::uint32_t) + 6 * sizeof(double);
    f.bodies += k.bonds * bond_row + (k.bonds > 0 ? k.bodies * sizeof(Index) : 0);
    if (k.polyhedra && std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& j) { return j.kind == JointKind::Fixed; }))
        f.bodies += k.bodies * row_bytes(&FlushBodies::start);
    f.pairs = lists.now;
    f.history = lists.old;
    f.scratch = search_bytes(k, counts);
    if (k.fused) {
        f.pairs += counts.spheres * fused_pair_row + fused_places(k, counts) * fused_place_row(k.account || k.lists.rolls);
        f.history += k.bodies * fused_body_row(k.orientation, k.account);
    }
    if (k.cone) f.scratch += cone_bytes(model, k, counts);
    if (k.cone && k.bonds > 0) {
        // What each bore, and its rows: unknowns of all vectors, bounds, steps and what else rows have (cone/bond_rows.hpp).
        const bool blocks = model.cone.solver == ConeSolver::GaussSeidel;
        const double values =
            kBondValues + bond_push_values + (blocks ? bond_block_values : 0) + bond_parts * (6 + solver_vectors + more_of_coulomb);
        f.bodies += k.bonds * bond_parts * sizeof(double);
        f.scratch +=
            k.bonds * (values * sizeof(Real) + 2 * sizeof(Slot) + (blocks ? 3 : 2) * sizeof(std::uint32_t)) + k.bodies * sizeof(Index);
    }
    if (k.fluid) f.scratch += fluid_bytes(model, k, counts);
    if (k.polyhedra) {
        // A state of each pair where energy is accounted for, else of a piece of the list; and a record of each that touches, in a vector
        // that grows.
        const double longest = std::max(counts.mixed, counts.polyhedra),
                     seen = k.account ? longest : std::min<double>(longest, patch_piece);
        f.measures = row_bytes(&Workspace::patch_states) * seen;
        f.records = f.measures + 1.5 * sizeof(PatchRecord) * counts.touching * (counts.mixed + counts.polyhedra) +
                    k.bodies * (sizeof(std::uint32_t) + sizeof(Vec3) + sizeof(double) + sizeof(Row4));
    }
    const double passing = k.held ? 0 : k.bodies * row_bytes(&Bodies::force, &Bodies::torque);
    f.snapshot = passing + snapshot_bytes(k);
    f.checkpoint = passing + checkpoint_bytes(k, counts);
    return f;
}

}  // namespace scree::SCREE_FLAVOR
