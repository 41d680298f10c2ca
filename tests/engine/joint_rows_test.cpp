// Joints that kernels hold and correct, against the host's exact solution.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/cone/respond.hpp"
#include "engine/step/joint_forces.hpp"
#include "joined.hpp"
#include "step_run.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

constexpr double size = 4e-3;  // of the bodies [m]

/// A driven arm over balls on a floor, and a head on it by a joint of this kind.
Model arm_and_head(JointKind kind) {
    Model m = empty_model(Law::Hertz, 0.2, 0);
    m.method = Method::Cone;
    m.cone.tolerance = by_precision(1e-9, 1e-5);
    m.cone.iterations = 20000;
    m.gravity = {0, 0, -9.81};
    m.dt = 5e-4;
    const Vec3 hinge{0, 0, 1.6 * size}, between{2 * size, 0, 1.5 * size};
    const std::int32_t arm = add_clump(m, cross_of(6e-3, 3e-3, 1.5e-3), {size, 0, 1.5 * size}, turn({1, 2, 3}, 0.4), {}, {0, 2, 0});
    const std::int32_t head = add_clump(m, dumbbell(2e-3, 3e-3), {3 * size, 0, 1.3 * size}, turn({1, 0, 0}, 0.3), {}, {1, 2, 3});
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, arm, hinge, {0, 1, 0}), joined(m, kind, arm, head, between, {1, 0, 0.2})};
    m.joints[0].angle_motor.drive = Drive::Speed;
    m.joints[0].angle_motor.value.constant = 3;
    if (kind == JointKind::Distance || kind == JointKind::RevoluteSpherical) {
        m.joints[1].length = 0.5 * size;
        m.joints[1].frame_b.shift.z -= 0.5 * size;
    }
    for (int k = 0; k < 24; ++k) add_sphere(m, {(k % 6 - 1) * 1.05 * size, (k / 6 - 1.5) * 1.05 * size, 0.45 * size}, 0.45 * size);
    fill_owners(m.bodies);
    m.walls = {box_wall("box", {{-2 * size, -2 * size, 0}, {6 * size, 2 * size, 1}})};
    m.penalty.overlap_limit = 1e6;
    return m;
}

/// The head on a joint of its own, turning, or with a rack sliding, as the arm does.
Model coupled(JointKind kind) {
    Model m = arm_and_head(JointKind::Spherical);
    const bool slides = kind == JointKind::Rack;
    m.joints[1] = joined(m, slides ? JointKind::Prismatic : JointKind::Revolute, Joint::ground, m.joints[1].b, {3 * size, 0, 1.3 * size},
                         slides ? Vec3{0, 0, 1} : Vec3{0, 1, 0});
    Joint coupling;
    coupling.kind = kind;
    coupling.name = "coupling";
    coupling.first = 0;
    coupling.second = 1;
    coupling.ratio = slides ? 0.5 * size : 1.5;
    m.joints.push_back(coupling);
    return m;
}

/// The arm on two hinges in one line: five rows too many.
Model redundant() {
    Model m = arm_and_head(JointKind::Spherical);
    m.joints.push_back(joined(m, JointKind::Revolute, Joint::ground, m.joints[0].b, {0, size, 1.6 * size}, {0, 1, 0}));
    return m;
}

double farthest(const std::vector<Row4>& a, const std::vector<Row4>& b) {
    double far = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (int k = 0; k < 3; ++k) far = std::max(far, std::fabs(a[i].value[k] - b[i].value[k]));
    }
    return far;
}

/// Runs the model by kernels and by the host, and compares what joints do and where bodies go.
void compare(const Model& m) {
    constexpr int steps = 60;
    Run kernels(m), host(m);
    CHECK_FALSE(kernels.work.cone->miss_told);  // what the start missed is in the report
    std::int64_t touched = 0;
    for (int step = 0; step < steps; ++step) {
        host.work.cone->bodies.joints.most_rows = 0;
        for (Run* run : {&kernels, &host}) run->advance(1);
        REQUIRE(kernels.work.cone->report.converged);
        REQUIRE(host.work.cone->report.converged);
        const bool alone = !kernels.work.joints->alone.middle.empty();
        REQUIRE(alone == !host.work.joints->alone.middle.empty());
        touched += alone ? 0 : 1;
        if (!alone) {
            REQUIRE(kernels.work.cone->bodies.joints.by_kernels);
            REQUIRE(!host.work.cone->bodies.joints.by_kernels);
        }
        // Solutions are as good as their tolerance, 1e-9 m/s over 0.03 s, and what contacts make of it.
        CHECK(farthest(kernels.positions(), host.positions()) < by_precision(1e-9, 1e-5));
        CHECK(kernels.work.cone->report.joint_miss < by_precision(1e-10, 1e-6));
        const std::vector<JointState> a = joint_states(kernels.work), b = joint_states(host.work);
        for (std::size_t j = 0; j < a.size(); ++j) {
            CHECK(std::fabs(a[j].angle - b[j].angle) < by_precision(1e-7, 1e-3));
            CHECK(std::fabs(a[j].travel - b[j].travel) < by_precision(1e-9, 1e-5));
            CHECK(a[j].violation < by_precision(1e-9, 1e-5));
        }
    }
    CHECK(touched > 20);
}

}  // namespace

TEST_CASE("joints of every kind go by kernels where the host puts them, among balls") {
    for (const JointKind kind :
         {JointKind::Spherical, JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Universal, JointKind::Fixed,
          JointKind::Distance, JointKind::PointOnLine, JointKind::PointOnPlane, JointKind::RevoluteSpherical, JointKind::Free}) {
        CAPTURE(static_cast<int>(kind));
        compare(arm_and_head(kind));
    }
}
TEST_CASE("gears and racks too") {
    for (const JointKind kind : {JointKind::Gear, JointKind::Rack}) {
        CAPTURE(static_cast<int>(kind));
        compare(coupled(kind));
    }
}
TEST_CASE("and rows that depend on each other") {
    compare(redundant());
}
