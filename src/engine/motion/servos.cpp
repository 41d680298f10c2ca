#include "engine/motion/servos.hpp"

#include <cmath>

#include "engine/penalty/wall_reactions.hpp"
#include "engine/state/flags.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double waits = 1000;     // integral time, in times of a contact: a bed of 250 diameters still answers without swinging
constexpr double close = 0.1;      // of the target: what may be missing for the integral to run
constexpr double approach = 0.01;  // fastest way, in diameters per time of a contact: what is met is overlapped by that share

/// What bodies bear of a wall.
struct Load {
    double along{0};   // force along its direction [N], or torque about its axis [N m]
    double weight{0};  // contacts, of torques each by its squared arm [m2]
    double contacts{0};
};

struct ServoSums {
    WallContacts contacts;
    Index walls;
    const ServoView* servo;
    const MotionView* motion;
    Load* part;  // parts x walls
};

struct AddLoad {
    const ServoSums& s;
    Vec3 x;
    Load* sums;
    SCREE_HD void operator()(std::int32_t wall, Vec3 force, Vec3 couple) const {
        const ServoView& servo = s.servo[wall];
        if (!servo.on) return;
        Load& to = sums[wall];
        to.contacts += 1;
        if (!servo.turns) {
            to.along += dot(force, servo.direction);
            to.weight += 1;
            return;
        }
        const Vec3 axis = s.motion[wall].axis, arm = x - s.motion[wall].point;
        to.along += dot(axis, cross(arm, force) + couple);
        to.weight += norm2(cross(axis, arm));
    }
};

struct AddLoads {
    ServoSums s;
    SCREE_HD void operator()(Index i, Load* sums) const {
        each_wall_reaction(s.contacts, i, AddLoad{s, s.contacts.body.position[i], sums});
    }
};

/// Impedances add up, those of dashpots too, whose forces answer a speed at once and would have it flicker from step to step: a plate that
/// gives way by its missing force over that of its contacts swallows what runs towards it, and does not swing. radius: largest arm of a
/// point of a wall that turns; target: at this time.
SCREE_HD void drive(const ServoView& servo, const ContactScale& c, const Load& load, double target, double radius, double dt,
                    ServoState& state) {
    const double missing = target - load.along, contacts = load.contacts > 1 ? load.contacts : 1.0;
    const double most_arm = !servo.turns ? 1.0 : (radius > c.diameter ? radius : c.diameter);
    const double arm2 = servo.turns ? (load.weight > 0 ? load.weight / contacts : most_arm * most_arm) : 1.0;
    const double arm = std::sqrt(arm2);
    const double larger = std::fabs(target) > std::fabs(load.along) ? std::fabs(target) : std::fabs(load.along);
    const double k = c.stiffness_at(larger / (arm * contacts));
    const double gain = servo.gain > 0 ? servo.gain : 1.0 / (contacts * arm2 * (std::sqrt(c.mass) + c.damping) * std::sqrt(k));
    const double time = servo.integral_time > 0 ? servo.integral_time : waits * std::sqrt(c.mass / k);
    const double stiff = c.hertz ? 1.5 * c.stiffness * std::sqrt(approach * c.diameter) : c.stiffness;  // where it overlaps so far
    const double most = servo.max_speed > 0 ? servo.max_speed : approach * c.diameter * std::sqrt(stiff / c.mass) / most_arm;
    // Far off the integral rests: what piled up on the way would carry the wall past its target.
    const bool near = std::fabs(missing) < close * std::fabs(target);
    state.load = load.along;
    state.speed = controlled_rate(gain, missing, time, most, near, dt, state.integral);
    state.way += state.speed * dt;
}

}  // namespace

void drive_servos(const Model& model, State& state, Workspace& work) {
    WallMotions& motions = work.walls.motions;
    if (!motions.any_servo) return;
    const Index walls = motions.servo.size(), parts = id_parts(work);
    work.servo_part.resize(3 * parts * walls);
    const ServoSums s{wall_contacts(state, work), walls, motions.servo.data(), motions.motion.data(),
                      reinterpret_cast<Load*>(work.servo_part.data())};
    sum_by_ids(work, "motion/servo_loads", walls, s.part, AddLoads{s});
    const ContactScale contact = motions.servo_contact;
    ServoState* states = motions.servo_state.data();
    const std::uint8_t* active = work.walls.active.data();
    const WallReach* reach = motions.reach.data();
    const std::int64_t* finished = work.flags.step();
    const double dt = model.dt;
    for_each(
        work.exec, "motion/servos", walls,
        SCREE_LAMBDA(Index w)->void {
            if (!s.servo[w].on) return;
            Load load;
            for (Index b = 0; b < parts; ++b) {
                load.along += s.part[b * s.walls + w].along;
                load.weight += s.part[b * s.walls + w].weight;
                load.contacts += s.part[b * s.walls + w].contacts;
            }
            const double time = static_cast<double>(*finished) * dt;
            if (active[w] == 0 || time < s.motion[w].from || time >= s.motion[w].to) {
                states[w].speed = 0;
                states[w].load = load.along;
                return;
            }
            const double target = value_at(s.servo[w].target, time - s.motion[w].from);
            drive(s.servo[w], contact, load, target, reach[w].radius, dt, states[w]);
        },
        work.flags.gate());
}

void keep_servos(Workspace& work) {
    WallMotions& motions = work.walls.motions;
    if (!motions.any_servo) return;
    motions.servo_kept.resize(motions.servo_state.size());
    copy_within(motions.servo_kept.data(), motions.servo_state.data(),
                static_cast<std::size_t>(motions.servo_state.size()) * sizeof(ServoState));
}

void restore_servos(Workspace& work) {
    if (work.walls.motions.any_servo) work.walls.motions.servo_state.swap(work.walls.motions.servo_kept);
}

}  // namespace scree::SCREE_FLAVOR
