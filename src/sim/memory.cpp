#include "sim/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/compounds.hpp"
#include "output/frame_geometry.hpp"
#include "output/frame_writer.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/run_directory.hpp"
#include "setup/placement/sphere_grid.hpp"
#include "model/limits.hpp"
#include "model/size_levels.hpp"
#include "model/way_limit.hpp"

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

/// The program with its libraries and the buffers of files, before the first body, and 2 MB of what it looks at later: a run of one sphere
/// on Debian 12 with one thread has 28 MB; each further thread brings its stack and caches.
constexpr double kProgram = 30e6, kThread = 0.5e6;

/// A triangle of a wall's mesh while its edges, patches and grid are made: from meshes of 20,000 to 980,000 triangles [bytes].
constexpr double kTriangle = 750;

/// A bed at rest: share of space that bodies fill; of spheres with friction the contacts of each, the neighbours at less than a few
/// hundredths of a diameter, contacts among them, and the density of further ones over that of the bed. From 73,000 spheres amid a settled
/// bed of equal ones (docs/memory.md); of disks by the same reasoning, with the four contacts that disks need.
constexpr double kPacking = 0.62, kPackingOfDisks = 0.82, kContacts = 5.6, kNeighbours = 6.7, kNeighboursOfDisks = 4.2, kCrowding = 1.02;
/// A polyhedron in a bed under the cone method touches with so many points: six neighbours, four points each, halved.
constexpr double kPointsOfPolyhedron = 12, kPointsOfSphere = 3;

/// What pairs are looked for among: everything with a surface.
struct Colliders {
    std::vector<std::size_t> index;
    double smallest{std::numeric_limits<double>::infinity()}, largest{0};
    double solid{0};      // volume of all [m3, m2]
    double polyhedra{0};  // how many
    Aabb box;
    double sum_r{0}, sum_r2{0}, sum_r3{0};
};

bool is_sphere(const Model& model, std::size_t i) {
    return model.bodies.shape[i] < 0;
}

Colliders colliders_of(const Model& model) {
    const BodyTable& bodies = model.bodies;
    Colliders c;
    c.index.reserve(bodies.size());
    const Vec3 far{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
    c.box = {far, -far};
    const bool planar = model.dimensions == 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t shape = bodies.shape[i];
        if (is_compound_shape(model, shape)) continue;
        c.index.push_back(i);
        const double r = bodies.radius[i];
        c.smallest = std::min(c.smallest, r);
        c.largest = std::max(c.largest, r);
        c.sum_r += r;
        c.sum_r2 += r * r;
        c.sum_r3 += r * r * r;
        const double unit = shape >= 0 ? model.shapes[static_cast<std::size_t>(shape)].volume : (planar ? kPi : 4 * kPi / 3);
        c.solid += unit * r * r * (planar ? 1.0 : r);
        c.polyhedra += shape >= 0 ? 1 : 0;
        const Vec3 p = bodies.position[i];
        c.box.min = {std::min(c.box.min.x, p.x), std::min(c.box.min.y, p.y), std::min(c.box.min.z, p.z)};
        c.box.max = {std::max(c.box.max.x, p.x), std::max(c.box.max.y, p.y), std::max(c.box.max.z, p.z)};
    }
    return c;
}

/// The skin of lists [m], as adapt_skin of engine/step/step.cpp will have it: wide where bodies use it up within thirty steps, at the speed
/// given or that of a fall through a diameter.
double skin_of(const Model& model, const Colliders& c, double speed) {
    if (model.penalty.skin > 0) return model.penalty.skin;
    const double d = 2 * c.smallest, way = 30 * model.dt * std::max(speed, std::sqrt(norm(model.gravity) * d));
    return way > 0.5 * 0.1 * d ? 0.25 * d : 0.1 * d;
}

/// Gaps up to which there are contacts [m]: none under the penalty method.
double envelope_of(const Model& model, const Colliders& c) {
    if (model.method != Method::Cone) return 0;
    if (model.cone.envelope > 0) return model.cone.envelope;
    double half = c.smallest;
    for (const ConvexShape& shape : model.shapes)
        if (!shape.compound()) half = std::min(half, shape.inradius * c.smallest);
    return 0.05 * half;
}

/// Gaps that lists have [m]: skin, and under the cone method what bodies may close in a step.
double list_margin(const Model& model, const Colliders& c) {
    double fastest = 0, square = 0;
    for (const Vec3& v : model.bodies.velocity) {
        fastest = std::max(fastest, norm(v));
        square += norm2(v);
    }
    const double usual = 2 * std::sqrt(square / std::max(1.0, static_cast<double>(model.bodies.size())));
    if (model.method == Method::Hard) return c.largest + 9 * fastest * model.dt;           // as engine/hard/neighbours.cpp
    if (model.method == Method::Fluid) return (2 * model.fluid.support + 1) * c.smallest;  // of walls, as engine/step/fluid_step.cpp
    const double margin = skin_of(model, c, usual);
    if (model.method != Method::Cone) return margin;
    const double envelope = envelope_of(model, c);
    const Vec3 extent = c.box.max - c.box.min + Vec3{1, 1, 1} * (2 * c.largest);
    const double way =
        limited_way(1.25 * model.dt * fastest, static_cast<double>(c.index.size()), extent.x * extent.y * extent.z, c.largest);
    return margin + 0.5 * envelope + 2 * std::max(0.25 * envelope, way);
}

/// How far a body reaches from its centre along a unit vector [m].
double reach_along(const Model& model, std::size_t i, Vec3 n) {
    const double r = model.bodies.radius[i];
    if (is_sphere(model, i)) return r;
    const ConvexShape& shape = model.shapes[static_cast<std::size_t>(model.bodies.shape[i])];
    const Vec3 own = rotate(conjugate(model.bodies.orientation[i]), n);
    double most = 0;
    for (const Vec3& vertex : shape.vertex) most = std::max(most, dot(vertex, own));
    return r * most;
}

/// Does no face of the first keep the two from being so deep in each other? Edges are not tried, so some pairs that are apart count as
/// touching.
bool faces_meet(const Model& model, std::size_t i, std::size_t j, double depth) {
    const Vec3 d = model.bodies.position[j] - model.bodies.position[i];
    const auto apart_along = [&](Vec3 n) { return dot(d, n) > reach_along(model, i, n) + reach_along(model, j, -n) - depth; };
    if (norm2(d) > 0 && apart_along(normalized(d))) return false;
    if (is_sphere(model, i)) return true;
    const ConvexShape& shape = model.shapes[static_cast<std::size_t>(model.bodies.shape[i])];
    return std::none_of(shape.normal.begin(), shape.normal.end(),
                        [&](const Vec3& n) { return apart_along(rotate(model.bodies.orientation[i], n)); });
}

/// 1 where two bodies touch; a half where they do so by less than a hundredth of the smaller radius, as on a lattice: of those about half
/// open once bodies move.
double touch(const Model& model, std::size_t i, std::size_t j) {
    const double slight = 0.01 * std::min(model.bodies.radius[i], model.bodies.radius[j]);
    const auto meet = [&](double depth) { return faces_meet(model, i, j, depth) && faces_meet(model, j, i, depth); };
    return 0.5 * (meet(0) ? 1 : 0) + 0.5 * (meet(slight) ? 1 : 0);
}

struct StartingPairs {
    PairCounts counts;
    double touching_spheres{0}, touching_polyhedra{0};  // pairs, with at least one polyhedron the second
};

/// How many bodies to look at: fewer where margins are so wide that each has very many others or cells of the search about it.
std::size_t bodies_to_sample(const Colliders& c, double margin) {
    constexpr double usual = 20000, least = 100, looks = 1e9;  // the last takes seconds
    const double across = margin / c.smallest + 3, each = std::min(across * across * across, static_cast<double>(c.index.size()));
    return static_cast<std::size_t>(std::clamp(looks / each, least, usual));
}

/// Pairs of a sample of the bodies as they start, for all of them. A pair is found from both bodies, or from the smaller one where the
/// other is more than twice as large: the search about a large one would come by every cell of the small ones.
StartingPairs pairs_at_start(const Model& model, const Colliders& c, double margin) {
    constexpr int looked_into = 10;  // of those sampled one in so many has its faces looked at
    const BodyTable& bodies = model.bodies;
    StartingPairs start;
    PairCounts& counts = start.counts;
    if (c.index.empty()) return start;
    SphereGrid grid(c.smallest, c.index.size());
    for (const std::size_t i : c.index) grid.insert(static_cast<std::int32_t>(i), bodies.position[i], bodies.radius[i]);
    const std::size_t stride = std::max<std::size_t>(1, c.index.size() / bodies_to_sample(c, margin));
    const double envelope = envelope_of(model, c);
    double looked_at = 0;
    int until_faces = 0;
    for (std::size_t k = stride / 2; k < c.index.size(); k += stride, ++looked_at) {
        const std::size_t i = c.index[k];
        const bool faces = until_faces == 0;
        until_faces = faces ? looked_into - 1 : until_faces - 1;
        const double r = bodies.radius[i];
        const auto look_at = [&](std::int32_t other) {
            const auto j = static_cast<std::size_t>(other);
            if (j == i || 2 * bodies.radius[j] < r) return true;
            const double gap = norm(bodies.position[j] - bodies.position[i]) - r - bodies.radius[j];
            const bool one_body = bodies.owner_of(i) >= 0 && bodies.owner_of(i) == bodies.owner_of(j);
            if (gap >= margin || one_body) return true;
            const double pair = bodies.radius[j] > 2 * r ? 1.0 : 0.5;
            const int polyhedra = (is_sphere(model, i) ? 0 : 1) + (is_sphere(model, j) ? 0 : 1);
            (polyhedra == 0 ? counts.spheres : polyhedra == 1 ? counts.mixed : counts.polyhedra) += pair;
            start.touching_spheres += gap < envelope && polyhedra == 0 ? pair : 0;
            if (faces && polyhedra > 0 && gap < 0) start.touching_polyhedra += pair * looked_into * touch(model, i, j);
            return true;
        };
        grid.near(bodies.position[i], r + margin, look_at, 0.5 * r);
    }
    const double share = static_cast<double>(c.index.size()) / std::max(1.0, looked_at);
    for (double* count : {&counts.spheres, &counts.mixed, &counts.polyhedra, &start.touching_spheres, &start.touching_polyhedra})
        *count *= share;
    return start;
}

/// Pairs of all with all once they lie in a bed: those that touch, and those in the shell of the margin about each. Of polyhedra, whose
/// bounding spheres overlap, whoever is within the sum of radii and margin.
double pairs_in_bed(const Model& model, const Colliders& c, double margin) {
    const double n = static_cast<double>(c.index.size());
    if (n == 0 || c.solid == 0) return 0;
    const double r = c.sum_r / n, r2 = c.sum_r2 / n, r3 = c.sum_r3 / n;
    if (model.dimensions == 2) {
        const double density = kPackingOfDisks * n / c.solid;
        if (c.polyhedra == 0) return n * (0.5 * kNeighboursOfDisks + density * kPi * kCrowding * margin * 2 * r);
        return 0.5 * n * std::max(0.0, density * kPi * (2 * r2 + 2 * r * r + 4 * r * margin + margin * margin) - 1);
    }
    const double density = kPacking * n / c.solid, reach2 = 2 * r2 + 2 * r * r;
    const double spheres = n * (0.5 * kNeighbours + 2 * kPi * density * kCrowding * reach2 * margin);
    const double reach3 = 2 * r3 + 6 * r2 * r + 3 * reach2 * margin + 6 * r * margin * margin + margin * margin * margin;
    const double polyhedra = 0.5 * n * std::max(0.0, density * 4 * kPi / 3 * reach3 - 1);
    const double share = c.polyhedra / n;
    return (1 - share) * spheres + share * polyhedra;
}

void add_walls(const Model& model, const Colliders& c, double margin, PairCounts& counts) {
    const double n = static_cast<double>(c.index.size());
    const double r = n > 0 ? c.sum_r / n : 1, layer = std::pow(n, 2.0 / 3.0);
    PairCounts::WithWalls all;
    constexpr std::size_t sampled = 100000;
    const std::size_t stride = std::max<std::size_t>(1, c.index.size() / sampled);
    for (const Wall& wall : model.walls) {
        for (const Plane& plane : wall.planes) {
            double near = 0;
            for (std::size_t k = 0; k < c.index.size(); k += stride) {
                const std::size_t i = c.index[k];
                near += dot(model.bodies.position[i] - plane.point, plane.normal) < model.bodies.radius[i] + margin ? 1 : 0;
            }
            all.planes += std::max(near * static_cast<double>(stride), dot(plane.normal, model.gravity) < 0 ? 0.5 * layer : 0.0);
        }
        all.cylinders += static_cast<double>(wall.cylinders.size()) * std::min(n, 2 * layer);
        double area = 0, covered = 0;
        for (const auto& t : wall.mesh.triangles) {
            const Vec3 a = wall.mesh.vertices[static_cast<std::size_t>(t[0])], b = wall.mesh.vertices[static_cast<std::size_t>(t[1])],
                       d = wall.mesh.vertices[static_cast<std::size_t>(t[2])];
            area += 0.5 * norm(cross(b - a, d - a));
            covered += 1;
        }
        const double beside = std::min(n, area / (4 * r * r));
        all.meshes += beside;
        all.triangles += beside * std::min(covered, 2.0 + 4 * covered * r * r / std::max(area, 1e-300));
    }
    const double share = n > 0 ? c.polyhedra / n : 0;
    const auto part = [&](double of) {
        return PairCounts::WithWalls{of * all.planes, of * all.cylinders, of * all.meshes, of * all.triangles};
    };
    counts.sphere_walls = part(1 - share);
    counts.polyhedron_walls = part(share);
}

/// As lay_cells of engine/broad/cells.cpp.
double cells_of(const Model& model, const Colliders& c, double margin) {
    const double n = static_cast<double>(c.index.size());
    if (n == 0) return 1;
    const Vec3 e = c.box.max - c.box.min;
    double sum = 0;
    for (const double size : size_levels(model)) {
        const double cell = size + margin;
        const double all = (std::floor(e.x / cell) + 1) * (std::floor(e.y / cell) + 1) * (std::floor(e.z / cell) + 1);
        sum += std::min(all, 16 * n + 4096);
    }
    return sum;
}

/// Of a table that the start is forgotten of (BodyTable::forget_start).
double table_row(const BodyTable& bodies) {
    double row = sizeof(Vec3) + 2 * sizeof(double) + 2 * sizeof(std::int32_t);
    if (!bodies.owner.empty()) row += sizeof(std::int32_t);
    return row;
}

/// Bytes of a body in all copies of the model's table: of the run and of the engine, of hard particles as they started.
double tables(const Model& model) {
    const double kept = table_row(model.bodies), whole = kept + 2 * sizeof(Vec3) + sizeof(Quat);
    if (model.method != Method::Hard) return 2 * kept;
    return kept + whole * (model.hard.stepping == HardStepping::Events ? 2 : 1);
}

}  // namespace

PairCounts foresee_pairs(const Model& model) {
    const Colliders c = colliders_of(model);
    const double n = static_cast<double>(c.index.size());
    const bool events = model.method == Method::Hard && model.hard.stepping == HardStepping::Events;  // they need no lists
    if (n == 0 || events) return {};
    const double margin = list_margin(model, c);
    StartingPairs first;
    if (model.method != Method::Fluid) first = pairs_at_start(model, c, margin);
    PairCounts counts = first.counts;
    const double start = counts.spheres + counts.mixed + counts.polyhedra, touching = first.touching_spheres;
    const bool settles = norm(model.gravity) > 0 && (model.method == Method::Penalty || model.method == Method::Cone);
    const double bed = settles ? pairs_in_bed(model, c, margin) : 0;
    if (bed > start) {
        const double share = c.polyhedra / n;
        counts.spheres = bed * (1 - share) * (1 - share);
        counts.mixed = bed * 2 * share * (1 - share);
        counts.polyhedra = bed * share * share;
    }
    const double pairs = std::max(1.0, counts.spheres + counts.mixed + counts.polyhedra);
    counts.touching = std::clamp(std::max(touching + first.touching_polyhedra, settles ? 0.5 * kContacts * n : 0.0) / pairs, 0.0, 1.0);
    add_walls(model, c, margin, counts);
    counts.cells = cells_of(model, c, margin);
    if (model.method == Method::Cone) {
        const double spheres = n - c.polyhedra,
                     walls = counts.sphere_walls.planes + counts.sphere_walls.cylinders + counts.sphere_walls.meshes;
        counts.points = std::max(touching, std::min(kPointsOfSphere * spheres, counts.spheres + walls)) + kPointsOfPolyhedron * c.polyhedra;
    }
    return counts;
}

void require_limits(const PairCounts& counts) {
    for (const double pairs : {counts.spheres, counts.mixed, counts.polyhedra}) {
        require_within<Error>(pairs, count_limits().pairs, "pairs of bodies in one list, as foreseen from how dense they lie,",
                              fewer_pairs);
    }
    require_within<Error>(counts.points, count_limits().points, "contact points in a step, as foreseen,", fewer_points);
    require_within<Error>(counts.cells, count_limits().cells, "cells of the pair search, as foreseen,", fewer_bodies);
}

MemoryForecast foresee_memory(const Scene& scene, const Model& model, const EngineOptions& options) {
    const double n = static_cast<double>(model.bodies.size());
    MemoryForecast f;
    f.counts = foresee_pairs(model);
    require_limits(f.counts);
    const EngineForecast engine = forecast_engine(model, options, f.counts);
    const bool on_gpu = runs_on_cuda(options.device, options.precision);
    if (on_gpu) f.device = engine.engine();
    // A frame: radii as drawn, the triangles of polyhedra with their points, and records of contacts.
    const double touching = (f.counts.spheres + f.counts.mixed + f.counts.polyhedra) * f.counts.touching;
    double frame = engine.snapshot + sizeof(double) * n + (scene.output.contacts ? 2.0 * sizeof(ContactRecord) * touching : 0.0);
    if (!model.shapes.empty() && n > 0) {
        const SurfaceSize size = surface_size(frame_geometry(model).shapes, model.bodies.shape);
        const double points = static_cast<double>(size.points), triangles = static_cast<double>(size.triangles);
        constexpr double face = 5 * sizeof(std::int32_t), point = sizeof(Vec3) + sizeof(std::uint32_t);
        frame += point * points + (face + sizeof(float)) * triangles + std::max(3.0 * sizeof(float) * points, 8.0 * triangles);
    }
    const double output = std::max({frame, engine.records, engine.checkpoint});
    f.parts.push_back({"program", kProgram + kThread * std::max(1, options.threads)});
    f.parts.push_back({"model", tables(model) * n});
    double triangles = 0;
    for (const Wall& wall : model.walls) triangles += static_cast<double>(wall.mesh.triangles.size());
    if (triangles > 0) f.parts.push_back({"meshes", kTriangle * triangles});
    if (!on_gpu) {
        f.parts.push_back({"bodies", engine.bodies});
        f.parts.push_back({"pairs", engine.pairs});
        f.parts.push_back({"history", engine.history});
        f.parts.push_back({"scratch", engine.scratch + engine.measures});
    }
    f.parts.push_back({"output", output});
    for (const MemoryPart& part : f.parts) f.peak += part.bytes;
    return f;
}

std::string memory_warning(const MemoryForecast& forecast, double available) {
    if (forecast.peak <= available) return "";
    return fmt::format(
        "the run is expected to take {} of memory at its peak, but the machine has {} to give now; use fewer bodies, --precision mixed, or "
        "a machine with more memory",
        format_bytes(forecast.peak), format_bytes(available));
}

std::string memory_report(const MemoryForecast& forecast, std::size_t bodies) {
    const double n = std::max(1.0, static_cast<double>(bodies));
    std::string text =
        fmt::format("memory        about {} at the peak of a run, {:.0f} bytes a body\n", format_bytes(forecast.peak), forecast.peak / n);
    for (const MemoryPart& part : forecast.parts)
        text += fmt::format("              {:<8} {:>8}  {:>6.0f} bytes a body\n", part.name, format_bytes(part.bytes), part.bytes / n);
    if (forecast.device > 0) text += fmt::format("              and about {} on the GPU\n", format_bytes(forecast.device));
    const PairCounts& c = forecast.counts;
    text += fmt::format("              for {:.3g} pairs of bodies", c.spheres + c.mixed + c.polyhedra);
    if (c.points > 0) text += fmt::format(", {:.3g} contact points", c.points);
    return text + "\n";
}

}  // namespace scree
