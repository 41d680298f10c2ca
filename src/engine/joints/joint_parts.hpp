// The inside of a JointSystem: what is constant, what a step makes, and what it remembers.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/joints/bilateral_solver.hpp"
#include "engine/joints/joint_measure.hpp"
#include "engine/joints/joint_system.hpp"
#include "model/cell.hpp"

namespace scree {

/// Angle (over full turns) and travel of a joint as they are, with their gradients.
struct Coordinates {
    Row angle, travel;
    const Row& of(bool along) const { return along ? travel : angle; }
};

/// A coordinate and its rates over the last step and the one before it, from its own values [rad/s] or [m/s].
struct RateHistory {
    double value{0}, now{0}, before{0};
    /// At the end of the step, half a step after `now`.
    double ahead() const { return 1.5 * now - 0.5 * before; }
};

struct JointSystem::Parts {
    struct Link {
        std::int32_t a{-1}, b{-1};  // index into bodies, -1: ground
        const HoldingKind* holding{nullptr};
        const CouplingKind* coupling{nullptr};
        double crowd{1};                                           // dampers on the same bodies, this one too
        bool meshes{false}, pinion_is_a{false}, rack_is_a{false};  // a rack whose joints say where its teeth are
    };

    std::vector<Joint> joints;
    std::vector<Link> links;          // of each joint
    std::vector<JointPart> measured;  // of each joint
    std::vector<std::uint32_t> ids;
    std::vector<JointBody> bodies;
    double size{0};

    // Made by evaluate().
    double dt{0};
    std::vector<JointPlace> places;        // of each joint
    std::vector<Coordinates> coordinates;  // of each joint
    std::vector<JointRow> bilateral, bounded;
    std::vector<RowInfo> bilateral_info, bounded_info;
    std::vector<Wrench> applied;  // on each body, about its centre
    std::vector<double> sprung;   // of springs and dampers, placed as `effort`
    std::vector<double> missed;   // of each joint, by its bilateral rows and stops after the drift that correct() last looked at
    std::vector<double> effort;   // prescribed by motors: of joint j about z at 2 j, along its travel at 2 j + 1; 0 without
    BilateralSolver solver;

    // Remembered from step to step, in checkpoints.
    double last_time{-std::numeric_limits<double>::infinity()};
    std::vector<double> angle;                         // of each joint over full turns [rad]
    std::vector<RateHistory> angle_rate, travel_rate;  // of each joint

    // Scratch.
    std::vector<Pose> poses;
    std::vector<MovedJoint> moved;
    std::vector<double> held, miss, bounded_miss;
    std::vector<Twist> pushed;

    Pose pose_of(std::int32_t body) const { return body < 0 ? Pose{} : poses[static_cast<std::size_t>(body)]; }
    Twist twist_of(std::int32_t body) const { return body < 0 ? Twist{} : bodies[static_cast<std::size_t>(body)].now; }
    /// Rate of a quantity of a joint by the twists `now`.
    double rate_now(std::size_t joint, const Gradient& g) const;
    void poses_now();
    void poses_after(const std::vector<Twist>* v);  // a drift; null: by the twists `now`
    bool along_axis(std::size_t joint) const { return links[joint].holding != nullptr && links[joint].holding->travels; }

    static std::vector<JointPart> measured_parts(const std::vector<Joint>& joints, const std::vector<Link>& links);

    // joint_system.cpp: values at `poses`.
    void look();                       // places, coordinates and angle
    void remember_rates(double time);  // angle_rate and travel_rate
    /// Psi of all rows with the bodies at `poses`; angles are the ones nearest to those of now.
    void measure(std::vector<double>& of_bilateral, std::vector<double>& of_bounded);
    void hold();                         // rows of joints themselves
    void find_images(const Cell& cell);  // JointFrames::image: that of B which is nearest to where A has the joint at the start
    void find_meshes();
    /// The row of a pinion and its rack on one base: it pushes them where they mesh, so that the pinion's bearing and the rack's guide bear
    /// what teeth push.
    JointRow meshing_row(std::size_t joint) const;
    JointRow row_of(std::size_t joint, const Gradient& g, double sign, double low, double high) const;
    void look_ahead();  // biases

    // joint_drives.cpp.
    void drive(double time);  // rows of motors and stops
    void apply(double time);  // springs, dampers, prescribed efforts; after factorise()
    double damping_borne(std::size_t joint, const Gradient& g, double damping);
};

}  // namespace scree
