// Cubes in ODE: boxes, dWorldQuickStep with the iterations asked for, up to eight points a pair, error reduction and constraint softness as
// ODE has them, no body is ever disabled. Lengths are in edges, gravity in edges/s2, as for Bullet.
#include <string>
#include <vector>

#include <ode/ode.h>

#include "common/program.hpp"
#include "peers/cube_file.hpp"
#include "peers/turns.hpp"

namespace {

using namespace scree::bench;

constexpr const char* usage =
    "peer_ode --state FILE [--iterations N] [--dt SECONDS] [--end FILE] [--warm STEPS] [--steps N] [--turns N] [--turn COMMAND]\n";

constexpr int most_points = 8;  // of a pair of boxes: what dBoxBox may give

struct World {
    dWorldID world{dWorldCreate()};
    dSpaceID space{nullptr};
    dJointGroupID contacts{dJointGroupCreate(0)};
    std::vector<dBodyID> bodies;
    std::int64_t points{0};  // of the last step
};

void touch(void* data, dGeomID a, dGeomID b) {
    auto& w = *static_cast<World*>(data);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact contact[most_points];
    const int n = dCollide(a, b, most_points, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < n; ++k) {
        contact[k].surface.mode = dContactApprox1;  // friction in proportion to the normal force, a pyramid
        contact[k].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(w.world, w.contacts, &contact[k]), body_a, body_b);
    }
    w.points += n;
}

void fill(World& w, const CubeBed& bed, int iterations) {
    const double scale = 1 / bed.edge;
    // Cells of one edge to eight: cubes of one edge and endless planes.
    w.space = dHashSpaceCreate(nullptr);
    dHashSpaceSetLevels(w.space, 0, 3);
    dWorldSetGravity(w.world, 0, 0, -9.81 * scale);
    dWorldSetQuickStepNumIterations(w.world, iterations);
    dWorldSetAutoDisableFlag(w.world, 0);
    dMass mass;
    dMassSetBox(&mass, 1, 1, 1, 1);
    for (const Cube& c : bed.cubes) {
        const dBodyID body = dBodyCreate(w.world);
        const dGeomID geom = dCreateBox(w.space, 1, 1, 1);
        dBodySetMass(body, &mass);
        dGeomSetBody(geom, body);
        dBodySetPosition(body, c.position[0] * scale, c.position[1] * scale, c.position[2] * scale);
        const dQuaternion turn = {c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3]};
        dBodySetQuaternion(body, turn);
        dBodySetLinearVel(body, c.velocity[0] * scale, c.velocity[1] * scale, c.velocity[2] * scale);
        dBodySetAngularVel(body, c.spin[0], c.spin[1], c.spin[2]);
        w.bodies.push_back(body);
    }
    dCreatePlane(w.space, 1, 0, 0, 0);
    dCreatePlane(w.space, -1, 0, 0, -bed.width * scale);
    dCreatePlane(w.space, 0, 1, 0, 0);
    dCreatePlane(w.space, 0, -1, 0, -bed.depth * scale);
    dCreatePlane(w.space, 0, 0, 1, 0);
}

void take(const World& w, CubeBed& bed) {
    for (std::size_t i = 0; i < bed.cubes.size(); ++i) {
        const dReal *x = dBodyGetPosition(w.bodies[i]), *q = dBodyGetQuaternion(w.bodies[i]), *v = dBodyGetLinearVel(w.bodies[i]),
                    *s = dBodyGetAngularVel(w.bodies[i]);
        bed.cubes[i] = {{x[0] * bed.edge, x[1] * bed.edge, x[2] * bed.edge},
                        {q[0], q[1], q[2], q[3]},
                        {v[0] * bed.edge, v[1] * bed.edge, v[2] * bed.edge},
                        {s[0], s[1], s[2]}};
    }
}

int run(const Arguments& args) {
    CubeBed bed = read_cubes(args.text("--state"));
    dInitODE2(0);
    World w;
    fill(w, bed, static_cast<int>(args.number("--iterations")));
    const double dt = args.number("--dt");
    take_turns(args, static_cast<std::int64_t>(bed.cubes.size()), [&](std::int64_t steps) {
        for (std::int64_t k = 0; k < steps; ++k) {
            w.points = 0;
            dSpaceCollide(w.space, &w, touch);
            dWorldQuickStep(w.world, dt);
            dJointGroupEmpty(w.contacts);
        }
    });
    say("contact_points", static_cast<double>(w.points));
    take(w, bed);
    if (!args.text("--end").empty()) write_cubes(args.text("--end"), bed);
    dJointGroupDestroy(w.contacts);
    dSpaceDestroy(w.space);
    dWorldDestroy(w.world);
    dCloseODE();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments args(argc, argv, turn_options({{"--state", ""}, {"--iterations", "20"}, {"--dt", "0.0041666667"}, {"--end", ""}}),
                         usage);
    return run_program("peer_ode", run, args);
}
