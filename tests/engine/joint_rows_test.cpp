// Joints that kernels hold and correct: against the host's exact solution, and in blocks of other sizes.
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

/// Twists at random, held by kernels and by the host: twists and impulses are the same.
void compare_projections(Run& run) {
    JointRows rows;
    JointRun& joints = *run.work.joints;
    load_joint_rows(joints, true, rows);
    Rng rng(4, 0);
    std::vector<BodyTwist> twist(static_cast<std::size_t>(run.state.bodies.count), BodyTwist{});
    std::vector<Twist> v;
    for (const JoinedBody& body : joints.seen) {
        BodyTwist& at = twist[static_cast<std::size_t>(body.slot)];
        at.v = cast<Real>(Vec3{rng.normal(), rng.normal(), rng.normal()});
        at.w = cast<Real>(Vec3{rng.normal(), rng.normal(), rng.normal()});
        v.push_back({cast<double>(at.v), cast<double>(at.w)});
    }
    std::vector<double> impulse(joints.system.bilateral().size(), 0.0);
    joints.system.project(v, true, &impulse);
    Array<BodyTwist> held(twist);
    hold_joints(run.work.exec, rows, held.data(), true, {});
    const std::vector<Twist> found = rows.twist.host();
    const std::vector<double> found_impulse = rows.impulse.host();
    double apart = 0, size = 0, off = 0, largest = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
        apart = std::max({apart, norm(found[k].velocity - v[k].velocity), norm(found[k].angular - v[k].angular)});
        size = std::max({size, norm(v[k].velocity), norm(v[k].angular)});
        const BodyTwist at = held.host()[static_cast<std::size_t>(joints.seen[k].slot)];
        apart = std::max(apart, norm(cast<double>(at.v) - v[k].velocity) - by_precision(0.0, 1e-6) * size);
    }
    for (std::size_t p = 0; p < impulse.size(); ++p) {
        const double expected = impulse[static_cast<std::size_t>(joints.system.blocks().order[p])];
        off = std::max(off, std::fabs(found_impulse[p] - expected));
        largest = std::max(largest, std::fabs(expected));
    }
    CHECK(apart < 1e-9 * size);
    CHECK(off < 1e-5 * largest);  // rounding over the shift of rows that depend on each other
}

void check_joints(Run& run) {
    REQUIRE(run.work.cone->report.converged);
    CHECK(run.work.cone->report.joint_miss < by_precision(1e-10, 1e-6));
    for (const JointState& joint : joint_states(run.work)) CHECK(joint.violation < by_precision(1e-9, 1e-5));  // as the host measures it
}

/// Runs the model, and looks at what kernels make of its joints.
void check(const Model& m, int steps = 60) {
    Run run(m);
    CHECK_FALSE(run.work.cone->miss_told);  // what the start missed is in the report
    compare_projections(run);
    std::int64_t touched = 0;
    for (int step = 0; step < steps; ++step) {
        run.advance(1);
        check_joints(run);
        touched += run.work.joints->alone.middle.empty() ? 1 : 0;
    }
    CHECK(touched > 20);
    compare_projections(run);
}

}  // namespace

TEST_CASE("joints of every kind, held by kernels, are held as the host does, among balls") {
    for (const JointKind kind :
         {JointKind::Spherical, JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Universal, JointKind::Fixed,
          JointKind::Distance, JointKind::PointOnLine, JointKind::PointOnPlane, JointKind::RevoluteSpherical, JointKind::Free}) {
        CAPTURE(static_cast<int>(kind));
        check(arm_and_head(kind));
    }
}
TEST_CASE("gears and racks too") {
    for (const JointKind kind : {JointKind::Gear, JointKind::Rack}) {
        CAPTURE(static_cast<int>(kind));
        check(coupled(kind));
    }
}
TEST_CASE("and rows that depend on each other") {
    check(redundant());
}

namespace {

/// A chain of clumps between two points of the ground, above balls: on hinges that are all parallel, so that rows depend on each other, or
/// on ball joints.
Model bridge(int links, JointKind kind) {
    Model m = arm_and_head(JointKind::Spherical);
    m.joints.clear();
    const double top = 1.4 * size;
    std::vector<std::int32_t> id;
    for (int k = 0; k < links; ++k)
        id.push_back(add_clump(m, dumbbell(1e-3, 1.5e-3), {(k + 0.5) * 1.2 * size, 0.5 * size, top}, {}, {}, {0, 0, 0.1}));
    fill_owners(m.bodies);
    for (int k = 0; k <= links; ++k) {
        const Vec3 point{k * 1.2 * size, 0.5 * size, top + (k % 2 - 0.5) * 0.6 * size};  // to and fro: a straight one could not sag
        const std::int32_t a = k == 0 ? Joint::ground : id[static_cast<std::size_t>(k - 1)];
        if (k == links) {
            m.joints.push_back(joined(m, kind, Joint::ground, a, point, {0, 1, 0}));
        } else {
            m.joints.push_back(joined(m, kind, a, id[static_cast<std::size_t>(k)], point, {0, 1, 0}));
        }
    }
    m.walls[0] = box_wall("box", {{-2 * size, -2 * size, 0}, {100 * size, 2 * size, 1}});
    return m;
}

}  // namespace

TEST_CASE("mechanisms of more rows than one block holds are held as the host does") {
    for (const JointKind kind : {JointKind::Spherical, JointKind::Revolute}) {
        CAPTURE(static_cast<int>(kind));
        const Model m = bridge(60, kind);
        REQUIRE(JointSystem(m).blocks().cut());
        check(m, 40);
    }
}

TEST_CASE("into which blocks rows are cut changes nothing but rounding") {
    for (const JointKind kind : {JointKind::Spherical, JointKind::Revolute}) {
        CAPTURE(static_cast<int>(kind));
        const Model m = bridge(16, kind);
        Run whole(m), cut(m);
        cut.work.joints->system.cut({12, 8});
        for (int step = 0; step < 40; ++step) {
            for (Run* run : {&whole, &cut}) {
                run->advance(1);
                check_joints(*run);
            }
            REQUIRE(whole.work.joints->alone.middle.empty() == cut.work.joints->alone.middle.empty());
            // Solutions are as good as their tolerance, 1e-9 m/s over 0.02 s, and what contacts make of it.
            CHECK(farthest(whole.positions(), cut.positions()) < by_precision(1e-9, 1e-5));
        }
        CHECK(whole.work.cone->bodies.joints.stage.size() == 2);
        CHECK(cut.work.cone->bodies.joints.stage.size() > 2);
    }
}
