// Cubes in Bullet: boxes, sequential impulses with the iterations asked for, everything else as Bullet has it, sleeping off.
// Lengths are in edges, gravity in edges/s2: Bullet's margins (0.04) and thresholds are meant for bodies of about one unit.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "common/program.hpp"
#include "peers/cube_file.hpp"
#include "peers/turns.hpp"

namespace {

using namespace scree::bench;

constexpr const char* usage =
    "peer_bullet --state FILE [--iterations N] [--dt SECONDS] [--end FILE] [--warm STEPS] [--steps N] [--turns N] [--turn COMMAND]\n";

constexpr double density = 2500;  // any: only ratios of masses matter, and these are equal [kg per cubic edge]

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
    btBoxShape box{btVector3(0.5f, 0.5f, 0.5f)};
    std::vector<std::unique_ptr<btStaticPlaneShape>> planes;
    std::vector<std::unique_ptr<btRigidBody>> bodies, walls;

    ~World() {
        for (const auto& b : bodies) world.removeRigidBody(b.get());
        for (const auto& b : walls) world.removeRigidBody(b.get());
    }

    /// Friction of a contact is the product of both: each has the root of mu.
    std::unique_ptr<btRigidBody> add(btScalar mass, btCollisionShape* shape, const btTransform& at) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = at;
        info.m_friction = static_cast<btScalar>(std::sqrt(0.5));
        info.m_restitution = 0;
        auto body = std::make_unique<btRigidBody>(info);
        body->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(body.get());
        return body;
    }

    void add_plane(const btVector3& normal, btScalar offset) {
        planes.push_back(std::make_unique<btStaticPlaneShape>(normal, offset));
        walls.push_back(add(0, planes.back().get(), btTransform::getIdentity()));
    }
};

btVector3 vector_of(const double* v, double scale) {
    return {static_cast<btScalar>(v[0] * scale), static_cast<btScalar>(v[1] * scale), static_cast<btScalar>(v[2] * scale)};
}

void fill(World& w, const CubeBed& bed, int iterations) {
    const double scale = 1 / bed.edge;
    w.world.setGravity(btVector3(0, 0, static_cast<btScalar>(-9.81 * scale)));
    w.world.getSolverInfo().m_numIterations = iterations;
    for (const Cube& c : bed.cubes) {
        const double* q = c.orientation;
        const btQuaternion turn(static_cast<btScalar>(q[1]), static_cast<btScalar>(q[2]), static_cast<btScalar>(q[3]),
                                static_cast<btScalar>(q[0]));
        w.bodies.push_back(w.add(static_cast<btScalar>(density), &w.box, btTransform(turn, vector_of(c.position, scale))));
        w.bodies.back()->setLinearVelocity(vector_of(c.velocity, scale));
        w.bodies.back()->setAngularVelocity(vector_of(c.spin, 1));
    }
    w.add_plane({1, 0, 0}, 0);
    w.add_plane({-1, 0, 0}, static_cast<btScalar>(-bed.width * scale));
    w.add_plane({0, 1, 0}, 0);
    w.add_plane({0, -1, 0}, static_cast<btScalar>(-bed.depth * scale));
    w.add_plane({0, 0, 1}, 0);
}

void take(const World& w, CubeBed& bed) {
    for (std::size_t i = 0; i < bed.cubes.size(); ++i) {
        const btTransform& at = w.bodies[i]->getWorldTransform();
        const btQuaternion turn = at.getRotation();
        const btVector3 v = w.bodies[i]->getLinearVelocity(), s = w.bodies[i]->getAngularVelocity(), x = at.getOrigin();
        bed.cubes[i] = {{x[0] * bed.edge, x[1] * bed.edge, x[2] * bed.edge},
                        {turn.w(), turn.x(), turn.y(), turn.z()},
                        {v[0] * bed.edge, v[1] * bed.edge, v[2] * bed.edge},
                        {s[0], s[1], s[2]}};
    }
}

int run(const Arguments& args) {
    CubeBed bed = read_cubes(args.text("--state"));
    const auto w = std::make_unique<World>();
    fill(*w, bed, static_cast<int>(args.number("--iterations")));
    const auto dt = static_cast<btScalar>(args.number("--dt"));
    take_turns(args, static_cast<std::int64_t>(bed.cubes.size()), [&](std::int64_t steps) {
        for (std::int64_t k = 0; k < steps; ++k) w->world.stepSimulation(dt, 0);
    });
    int points = 0;
    for (int k = 0; k < w->dispatcher.getNumManifolds(); ++k) points += w->dispatcher.getManifoldByIndexInternal(k)->getNumContacts();
    say("contact_points", points);
    take(*w, bed);
    if (!args.text("--end").empty()) write_cubes(args.text("--end"), bed);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments args(argc, argv, turn_options({{"--state", ""}, {"--iterations", "10"}, {"--dt", "0.0041666667"}, {"--end", ""}}),
                         usage);
    return run_program("peer_bullet", run, args);
}
