// A simulation that a program steps, looks at and changes. It makes the steps of `scree run`, bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <scree/scene.hpp>
#include <scree/state.hpp>

namespace scree_v0 {

struct RunSettings {
    EngineSettings engine;
    std::string output;      // run directory; empty: nothing is written
    bool overwrite{false};   // replace the files of an earlier run in it
    std::string checkpoint;  // to go on from; empty: from the start
};

/// Force, and torque about the world's origin.
struct Load {
    double force[3]{}, torque[3]{};  // [N], [N m]
};

/// [J]. What was dissipated counts since the start, where the scene has a measure of kind "energy".
struct Energies {
    double kinetic_translation{0}, kinetic_rotation{0}, potential{0}, elastic_normal{0}, elastic_tangential{0}, dissipated_damping{0},
        dissipated_friction{0}, removed{0}, work_of_walls{0}, work_of_fields{0}, elastic_bonds{0}, dissipated_bonds{0};
    double total{0};  // work_of_walls and work_of_fields are what it grows by
};

/// Sums over all bodies.
struct Totals {
    std::int64_t step{0};
    double time{0};  // [s]
    std::int64_t bodies{0};
    double mass{0};  // [kg]
    Energies energies;
    double momentum[3]{}, angular_momentum[3]{};  // [kg m/s], about the world's origin [kg m2/s]
    std::int64_t contacts{0}, wall_contacts{0};
    double coordination{0};  // mean number of contacts of a body
    double max_overlap{0};   // over the smaller radius
    double max_speed{0};     // [m/s]
};

/// A point x of the wall, as the scene places it, is at R(turn) x + shift now.
struct WallPlace {
    double turn[4]{1, 0, 0, 0};                   // quaternion w, x, y, z
    double shift[3]{};                            // [m]
    double point[3]{};                            // that moves with `velocity` [m]
    double velocity[3]{}, angular_velocity[3]{};  // [m/s], [rad/s]; NaN of walls that a servo or a body moves
};

struct JointLoad {
    double force[3]{}, torque[3]{};  // of the joint on body A [N], [N m]
    double angle{0}, travel{0};      // [rad], [m]
    double motor{0};                 // torque [N m] or force [N] of its motor
    double violation{0};             // [m] or [rad]
};

/// Columns of numbers; NaN where a cell is empty.
struct Table {
    std::vector<std::string> columns;         // "step" and "time" first
    std::vector<std::vector<double>> values;  // of each column
};

/// What insert() is asked for. Rows of numbers are one for each body, row by row; of velocities and orientations also one for all, or none.
struct NewBodies {
    std::string stock;                     // an [[insert]] with on_call = true; empty: bodies that remove() has taken out, by their ids
    std::vector<std::uint32_t> ids;        // which of the stock; empty: those that come next
    std::size_t count{0};                  // how many, where neither ids nor positions say it
    std::vector<double> position;          // of centres of mass, 3 numbers [m]; empty: at random where there is room in the stock's region
    std::vector<double> velocity;          // 3 [m/s]; empty: as the scene says of the stock, else at rest
    std::vector<double> angular_velocity;  // 3, world frame [rad/s]; alike
    std::vector<double> orientation;       // 4 (w, x, y, z), as State has them; empty: as the stock has them, or as they were taken out
};

/// What of a stock is not in, in the order in which it comes.
struct Stock {
    std::vector<std::uint32_t> ids;
    std::vector<double> radius, mass;  // of spheres, else of the spheres that bound them [m]; [kg]
};

/// Between two calls a whole number of steps is made. One thread at a time; several simulations at a time are well.
class SCREE_API Simulation {
public:
    /// Places the bodies, makes the engine and, where there is an output, opens it and writes the first frame. Throws SceneError and
    /// RunError.
    explicit Simulation(const Scene& scene, const RunSettings& settings = {});
    /// Closes it.
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// Makes `count` steps; fewer where an event of the scene ends the run, or where stop(), asked about five times a second, is true.
    /// Steps may go past time.end. Returns how many were made. Throws RunError where the run fails, from then on at each call; the state is
    /// the one found.
    std::int64_t step(std::int64_t count = 1, const std::function<bool()>& stop = {});
    /// Steps until `time` [s] is reached. Every `every` seconds of simulated time, at the steps at which frames of that interval would be
    /// written, look() is called; its answer false ends the call. As step() otherwise.
    std::int64_t run(double time, double every = 0, const std::function<bool()>& look = {}, const std::function<bool()>& stop = {});
    /// Until time.end.
    std::int64_t run();

    std::int64_t step_number() const;
    double time() const;  // [s]
    double dt() const;    // [s]
    /// What the event says that has ended the run; empty where none has.
    std::string ended() const;
    std::vector<std::string> warnings() const;

    /// The bodies as they are now. Copied at the first call after steps, and shared by further ones.
    State state() const;
    /// One field of state(), without the others: copied at its first look after steps, in about the time that memory takes to copy, and
    /// shared by further looks. Throws SceneError where there is no such field.
    Field field(const std::string& name) const;
    bool has_field(const std::string& name) const;
    /// Arrays of bodies where the engine has them, without a copy, in its own order, which "id" tells: "position", "velocity",
    /// "angular_velocity", "radius", "inverse_mass", "orientation_w", … as the scene has them. In periodic space positions may be outside
    /// of the cell. While any of these lives, calls that would change the simulation throw InUseError. Throws SceneError where the method
    /// has no such arrays.
    std::vector<RawField> raw_fields() const;
    /// Grows with each call that has made steps or changed the state.
    std::int64_t changes() const;
    /// A picture of the bodies and walls as they are now, as `scree render` draws frames: the bytes of a .png file. `colour`: a field,
    /// empty: speed. Throws SceneError.
    std::string picture(int width = 800, int height = 600, const std::string& colour = "") const;
    std::vector<Contact> contacts() const;
    Totals totals() const;
    /// Hash of all body state; equal hashes mean equal bits. The one that summary.json tells.
    std::uint64_t state_hash() const;

    /// Sets "position", "velocity", "angular_velocity" or "orientation" of bodies: `values` has 3 (4) numbers for each of `ids`. The lists
    /// of contacts are made anew, as in a restart, so a call costs about as much as writing a checkpoint; contacts that stay keep their
    /// memory. Throws SceneError where there is no such body, it may not be set, or numbers are not finite.
    void set(const std::string& name, const std::vector<std::uint32_t>& ids, const std::vector<double>& values);

    /// What pushes bodies from now on, beside all else, until it is set anew: `force` [N], and `torque` about their centres [N m], have 3
    /// numbers for each of `ids`, or are empty for none. Its work counts as that of fields. Checkpoints keep it; bodies that are put back
    /// lose it. Throws SceneError where there is no such body, or numbers are not finite.
    void push(const std::vector<std::uint32_t>& ids, const std::vector<double>& force, const std::vector<double>& torque = {});
    /// Puts bodies in, now, and returns their ids in the order asked for; frames and series show them from the next step on. All or none:
    /// throws SceneError, before anything changes, where a stock has too few left, bodies would touch others, or each other, with the
    /// spheres that bound them, or would be in a wall or out of the domain, and where the method takes none. Members of compounds come
    /// with them. Costs about as much as a list of pairs. Checkpoints keep it.
    std::vector<std::uint32_t> insert(const NewBodies& bodies);
    /// Takes bodies out, now; they count as removed, and what they had leaves the account of energies as it does by [[remove]]. Of a
    /// stock they go back to it; others may be put in again by their ids. All or none: throws SceneError, before anything changes, where a
    /// body is not there, is a member of a compound, or has a name or a joint.
    void remove(const std::vector<std::uint32_t>& ids);
    /// Ids of the bodies whose centres of mass are in a region, ascending; of compounds without their members. The region's keys are those
    /// of [[remove]]: "box = [[0, 0, 0], [1, 1, 0.5]]", "sphere = { centre = [0, 0, 0], radius = '5 cm' }". Throws SceneError.
    std::vector<std::uint32_t> bodies_in(const std::string& region) const;
    std::vector<std::string> stock_names() const;
    /// Throws SceneError where there is no such stock.
    Stock stock(const std::string& name) const;

    /// Bodies that the scene names, and their ids.
    std::vector<std::pair<std::string, std::uint32_t>> named_bodies() const;

    std::vector<std::string> wall_names() const;
    /// What bodies press on a wall with. Throws SceneError where there is no such wall.
    Load wall_load(const std::string& name) const;
    bool wall_active(const std::string& name) const;
    /// Lets a wall come or go, now. Checkpoints keep it.
    void set_wall_active(const std::string& name, bool active);
    /// Is its motion under way?
    bool wall_moves(const std::string& name) const;
    /// Lets a motion begin that has not begun yet, or halts one for good, now. Checkpoints keep it.
    void start_wall(const std::string& name);
    void halt_wall(const std::string& name);
    /// Gives a wall another motion that begins where it is now, at `from` or at once. `motion`: what stands behind `motion =` of a
    /// [[wall]] in a scene, as "{ velocity = [0, 0, -0.1] }"; no servo. With a velocity of 0 it halts until the next. Checkpoints keep it.
    /// A wall that was at rest so far costs about as much as writing a checkpoint once, others a new list of contacts. Throws SceneError
    /// where it is no motion for this wall.
    void move_wall(const std::string& name, const std::string& motion);
    /// Where it is and how it moves now.
    WallPlace wall_place(const std::string& name) const;

    std::vector<std::string> joint_names() const;
    JointLoad joint_load(const std::string& name) const;
    /// What the motor of a joint follows at this time: an angle [rad], speed [rad/s] or torque [N m], a travel [m], velocity [m/s] or force
    /// [N], as the scene has it. Throws SceneError where it has none.
    double motor_value(const std::string& joint) const;
    /// Has it ask for this from now on, in place of what the scene says. Checkpoints keep it.
    void drive_motor(const std::string& joint, double value);

    /// Names of the columns that the scene's measures have, and their values now; NaN: there is none.
    std::vector<std::string> measure_names() const;
    std::vector<double> measures() const;
    /// What the measures said so far, at their times.
    Table series() const;

    /// Writes a checkpoint, from which a Simulation or `scree run --restart` goes on bit for bit. Throws RunError.
    void save(const std::string& path) const;

    /// Writes the last frame, a checkpoint and summary.json where there is an output, and says how the run ended: "done", or why it failed.
    /// After it, steps are refused; what was looked at may still be looked at. A second call does nothing. `interrupted`: it has not come
    /// to its end, so there is no last frame, and a run that goes on from the checkpoint has those of one that never stopped.
    std::string close(bool interrupted = false);

private:
    struct Content;
    std::shared_ptr<Content> content_;  // of this and of what raw_fields() has handed out
};

}  // namespace scree_v0
