#include "scenes/compared_models.hpp"

#include <cmath>

#include "base/rng.hpp"
#include "scenes/beds.hpp"
#include "scenes/disk_beds.hpp"
#include "scenes/solids.hpp"
#include "scenes/water.hpp"

namespace scree::bench {

namespace {

constexpr double radius = 1e-3;  // of the models' bodies, unless they vary about it [m]

/// Falling spheres of three sizes in a tube with a mesh roof and a tilted plane: every kind of wall and hundreds of new contacts.
Model tube_model(Law law) {
    Model m;
    m.penalty.law = law;
    Material grain;
    grain.name = "grain";
    grain.density = 2500;
    grain.young = 1e7;
    m.materials = {grain};
    m.pairs = PairTable(1);
    PairProperties p;
    p.restitution = 0.5;
    p.friction = 0.4;
    p.stiffness = 500;
    m.pairs.set(0, 0, p);
    m.dt = 1e-5;
    Wall tube, roof;
    tube.name = "tube";
    tube.planes = {{{0, 0, -0.004}, {0.6, 0, 0.8}}};
    tube.cylinders = {{{0, 0, -0.1}, {0, 0, 1}, 0.02, 0.2, true}};
    roof.name = "roof";
    roof.mesh.vertices = {{-0.03, -0.01, 0.008}, {0.03, -0.01, 0.008}, {0.03, 0, 0.014},
                          {-0.03, 0, 0.014},     {0.03, 0.01, 0.008},  {-0.03, 0.01, 0.008}};
    roof.mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
    m.walls = {tube, roof};
    Rng rng(5, 0);
    const double spacing = 2.5 * radius;
    for (int k = 0; k < 14 * 14 * 12; ++k) {
        const Vec3 x{(k % 14 - 6.5) * spacing, (k / 14 % 14 - 6.5) * spacing, 0.0165 + k / 196 * spacing};
        if (std::sqrt(x.x * x.x + x.y * x.y) > 0.0185) continue;
        const double r = radius * rng.uniform(0.6, 1.2);
        m.bodies.add_sphere(x, r, 0, grain.density, {rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), -1}, {rng.uniform(-50, 50), 0, 0});
    }
    return m;
}

/// Cubes, and spheres where asked, that fall into a box; one side of it swings.
Model cubes_model(bool with_spheres, Method method) {
    constexpr double edge = 1.6e-3;
    Model m = tube_model(Law::Hertz);
    m.method = method;
    m.gravity = {0, 0, -9.81};
    m.bodies = {};
    m.shapes = {solid("cube")};
    const double bounding = 0.5 * std::sqrt(3.0) * edge, spacing = 2.1 * bounding, side = 6 * spacing;
    Wall box, swing;
    box.name = "box";
    box.planes = {
        {{0, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 1, 0}}, {{side, 0, 0}, {-1, 0, 0}}, {{0, side, 0}, {0, -1, 0}}, {{0, 0, 0}, {1, 0, 0}}};
    swing.name = "swing";
    swing.planes = {{{-1e-4, 0, 0}, {1, 0, 0}}};
    swing.motion.moves = true;
    swing.motion.axis = {0, 0, 1};
    swing.motion.harmonics = {{{3e-4, 0, 0}, 0, 100, 0}};
    m.walls = {box, swing};
    m.dt = method == Method::Cone ? 1e-4 : 5e-6;
    m.cone.iterations = 50;
    Rng rng(9, 0);
    for (int k = 0; k < 6 * 6 * 12; ++k) {
        const Vec3 x{(k % 6 + 0.5) * spacing, (k / 6 % 6 + 0.5) * spacing, (k / 36 + 0.5) * spacing};
        const Vec3 v{rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), -0.5},
            axis{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        if (with_spheres && k % 3 == 0) {
            m.bodies.add_sphere(x, 0.5 * edge, 0, 2500, v, {});
        } else {
            m.bodies.add_convex(x, rotation_by(axis), 0, m.shapes[0], bounding, 0, 2500, v, {});
        }
    }
    return m;
}

/// Spheres of a settled bed under the cone method, tilted until they flow.
Model cone_model(ConeSolver solver, const std::string& beds) {
    Model m = bed_model(settled_bed(2000, 1, beds), 0, 30);
    m.method = Method::Cone;
    m.cone.solver = solver;
    m.cone.iterations = 30;
    m.dt = 1e-4;
    return m;
}

/// Dumbbells of two balls that fall into a trough, each body a compound; by sixes in chains of ball joints, the first of which is hung up.
Model dumbbells_model(Method method, bool chained) {
    constexpr double half = radius, reach = half + radius, apart = 2.1 * reach;
    constexpr int chain = 6, wide = 4, high = 6;
    Model m = tube_model(Law::Hertz);
    m.method = method;
    m.gravity = {0, 0, -9.81};
    m.bodies = {};
    m.dt = method == Method::Cone ? 1e-4 : 5e-6;
    m.cone.iterations = 50;
    Wall trough;
    trough.name = "trough";
    trough.planes = {{{0, 0, 0}, {0.6, 0, 0.8}}, {{0, -0.0015, 0}, {0, 1, 0}}, {{0, wide * 2.2 * radius, 0}, {0, -1, 0}}};
    m.walls = {trough};

    const double ball = 2500 * 4.18879020478639098 * radius * radius * radius, mass = 2 * ball, own = 0.8 * ball * radius * radius;
    ConvexShape frame;
    frame.name = "dumbbell";
    frame.inertia = Vec3{own, own + 2 * ball * half * half, own + 2 * ball * half * half} / (mass * reach * reach);
    m.shapes = {frame};
    BodyTable& t = m.bodies;
    Rng rng(13, 0);
    Vec3 v;
    for (int k = 0; k < chain * wide * high; ++k) {
        const auto id = static_cast<std::int32_t>(t.size());
        const Vec3 at{(k % chain - 2.5) * apart, (k / chain % wide) * 2.2 * radius, 0.0101 + k / (chain * wide) * 2.2 * radius};
        if (!chained || k % chain == 0) v = {0, rng.uniform(-0.1, 0.1), -0.3};
        t.add_sphere(at, reach, 0, 2500, chained && k < chain ? Vec3{} : v);
        t.mass.back() = mass;
        t.shape.back() = 0;
        for (const double x : {half, -half}) t.add_sphere(at + Vec3{x, 0, 0}, radius, 0, 2500, t.velocity[static_cast<std::size_t>(id)]);
        t.owner.insert(t.owner.end(), {BodyTable::no_owner, id, id});
        t.offset.insert(t.offset.end(), {{}, {half, 0, 0}, {-half, 0, 0}});
        t.offset_turn.resize(t.size());
        if (!chained || (k % chain == 0 && k > 0)) continue;
        Joint j;
        j.name = "joint";
        j.kind = JointKind::Spherical;
        j.a = k == 0 ? Joint::ground : id - 3;
        j.b = id;
        j.frame_a.shift = k == 0 ? at - Vec3{0.5 * apart, 0, 0} : Vec3{0.5 * apart, 0, 0};
        j.frame_b.shift = {-0.5 * apart, 0, 0};
        m.joints.push_back(j);
    }
    return m;
}

/// Hard spheres in a box of planes, dilute: some three collisions each in 1,000 steps, each of which multiplies a difference tenfold.
Model gas_model() {
    Model m = tube_model(Law::Hertz);
    m.method = Method::Hard;
    m.hard.stepping = HardStepping::Steps;
    m.penalty = {};
    m.bodies = {};
    m.dt = 1e-5;
    const double spacing = 4 * radius;
    constexpr int edge = 10;
    Rng rng(11, 0);
    for (int k = 0; k < edge * edge * edge; ++k) {
        const Vec3 x{(k % edge + 0.5) * spacing, (k / edge % edge + 0.5) * spacing, (k / (edge * edge) + 0.5) * spacing};
        m.bodies.add_sphere(x, radius, 0, 2500, {rng.normal(), rng.normal(), rng.normal()}, {});
    }
    const Vec3 low{0, 0, 0}, high{edge * spacing, edge * spacing, edge * spacing};
    Wall box;
    box.name = "box";
    box.planes = {{low, {1, 0, 0}}, {low, {0, 1, 0}}, {low, {0, 0, 1}}, {high, {-1, 0, 0}}, {high, {0, -1, 0}}, {high, {0, 0, -1}}};
    m.walls = {box};
    return m;
}

}  // namespace

std::vector<ComparedModel> compared_models(const std::string& beds) {
    return {{"settled bed, Hertz", bed_model(settled_bed(2000, 1, beds), 0, 0)},
            {"flowing bed, Hertz", bed_model(settled_bed(2000, 1, beds), 0, 45)},
            {"rain on walls, Hertz", tube_model(Law::Hertz)},
            {"rain on walls, linear", tube_model(Law::Linear)},
            {"cubes, moving wall", cubes_model(false, Method::Penalty), false},
            {"cubes and spheres", cubes_model(true, Method::Penalty), false},
            {"disks", falling_disks(1000, {32}, 0), false},
            {"cone, APGD", cone_model(ConeSolver::Apgd, beds), false},
            {"cone, Gauss-Seidel", cone_model(ConeSolver::GaussSeidel, beds), false},
            {"cone, cubes", cubes_model(false, Method::Cone), false},
            {"sizes 1 : 10", bed_model(settled_bed(1000, 10, beds), 0, 30), false},
            {"dumbbells", dumbbells_model(Method::Penalty, false), false},
            {"chains", dumbbells_model(Method::Penalty, true), false},
            {"cone, dumbbells", dumbbells_model(Method::Cone, false), false},
            {"cone, chains", dumbbells_model(Method::Cone, true), false},
            {"hard particles", gas_model(), false},
            {"fluid", water_column(4000, 3, 4, 2), false},
            {"fluid in a plane", water_column(1000, 2, 4, 2), false}};
}

}  // namespace scree::bench
