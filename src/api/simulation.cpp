#include "api/inside.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "model/motion.hpp"
#include "output/frame_geometry.hpp"
#include "render/render_run.hpp"
#include "setup/step.hpp"
#include "sim/schedule.hpp"
#include "sim/simulation.hpp"
#include "api/fields_now.hpp"
#include "api/new_bodies.hpp"
#include "api/push_bodies.hpp"
#include "api/set_bodies.hpp"

namespace scree_v0 {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The number of the entry of this name. Throws SceneError.
template <class Named>
std::size_t find_named(const std::vector<Named>& all, const std::string& name, const char* what) {
    std::string known;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].name == name) return k;
        if (!all[k].name.empty()) known += (known.empty() ? "; there are " : ", ") + all[k].name;
    }
    throw SceneError("there is no " + std::string(what) + " \"" + name + "\"" + known);
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Named& one : all) names.push_back(one.name);
    return names;
}

/// Calls what the caller gave. What that throws is no failure of the run: it is kept until the steps are done with.
class Asking {
public:
    bool ask(const std::function<bool()>& what, bool answer_where_it_throws) {
        try {
            return what();
        } catch (...) {
            thrown_ = std::current_exception();
            return answer_where_it_throws;
        }
    }
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    std::exception_ptr thrown_;
};

Energies energies_of(const ::scree::Energy& e, bool cone) {
    return {e.kinetic_translation,
            e.kinetic_rotation,
            e.potential,
            e.elastic_normal,
            e.elastic_tangential,
            e.dissipated_damping,
            e.dissipated_friction,
            e.removed,
            e.work_of_walls,
            e.work_of_fields,
            e.elastic_bonds,
            e.dissipated_bonds,
            cone ? e.mechanical() : e.total()};
}

}  // namespace

struct Simulation::Content {
    std::unique_ptr<::scree::Simulation> run;
    double dt{0}, end{0};  // [s]
    bool closed{false};
    std::string how;  // it ended
    std::unique_ptr<FieldsNow> fields;
    std::optional<::scree::Measurement> sums;
    std::int64_t changes{0};
    std::atomic<int> shown{0};                // of raw_fields(), by whom the engine must stay as it is
    std::vector<std::string> material_names;  // for pictures

    ::scree::Engine& engine() { return run->engine(); }
    const ::scree::Model& model() const { return run->model(); }
    void forget() {
        fields->forget();
        sums.reset();
        ++changes;
    }
    const ::scree::Measurement& measured() {
        if (!sums) sums = engine().measure();
        return *sums;
    }
    void require_open() const {
        if (closed) throw RunError("the simulation is closed");
        if (shown > 0) throw InUseError("arrays of the engine are shown (raw_fields): the simulation can change when they are gone");
    }
    void fail_if_failed() const {
        if (run->failure() != nullptr) throw RunError(run->failure()->message);
    }
    /// Up to step number `last`.
    void advance(std::int64_t last, const std::function<bool()>& stop) {
        require_open();
        fail_if_failed();
        forget();
        run->advance(last, stop);
        fail_if_failed();
    }
    /// Number of the joint of this name, and whether its motor drives the travel. Throws SceneError.
    std::pair<std::size_t, bool> motor(const std::string& name) const {
        const std::size_t number = find_named(model().joints, name, "joint");
        const bool along = model().joints[number].travel_motor.drive != ::scree::Drive::None;
        if (!along && model().joints[number].angle_motor.drive == ::scree::Drive::None)
            throw SceneError("joint \"" + name + "\" has no motor in the scene");
        return {number, along};
    }
    /// Lets f() change the state.
    template <class F>
    auto change(F&& f) -> decltype(f()) {
        return translated([&] {
            require_open();
            fail_if_failed();
            forget();
            return f();
        });
    }
    void retime(const std::function<void(::scree::Wall&, double)>& change, const std::string& name) {
        translated([&] {
            require_open();
            fail_if_failed();
            const std::size_t wall = find_named(model().walls, name, "wall");
            forget();
            run->retime_wall(wall, change);
        });
    }
};

Simulation::Simulation(const Scene& scene, const RunSettings& settings) : content_(std::make_shared<Content>()) {
    translated([&] {
        ::scree::RunOptions options;
        options.directory = settings.output;
        options.in_memory = settings.output.empty();
        options.engine = options_of(settings.engine);
        options.overwrite = settings.overwrite;
        options.restart = settings.checkpoint;
        options.steps = 0;  // as many as are asked for
        options.version = SCREE_VERSION;
        const std::lock_guard lock(one_at_a_time());
        content_->run = std::make_unique<::scree::Simulation>(scene.content_->scene, options);
        content_->dt = content_->run->model().dt;
        content_->end = scene.end();
        content_->fields = std::make_unique<FieldsNow>(content_->engine(), content_->model(),
                                                       options.engine.threads > 0 ? options.engine.threads : ::scree::available_threads());
        for (const ::scree::SceneMaterial& material : scene.content_->scene.materials) content_->material_names.push_back(material.name);
        content_->run->start();
        content_->fail_if_failed();
    });
}

Simulation::~Simulation() {
    try {
        if (content_) close();
    } catch (...) {  // a destructor has nobody to tell
    }
}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

std::int64_t Simulation::step(std::int64_t count, const std::function<bool()>& stop) {
    Asking asking;
    const std::int64_t made = translated([&] {
        const std::int64_t before = step_number();
        if (count < 0 || count > std::numeric_limits<std::int64_t>::max() - before)
            throw SceneError("the number of steps must be at least 0, and not as large as " + std::to_string(count));
        content_->advance(before + count, [&] { return stop && asking.ask(stop, true); });
        return step_number() - before;
    });
    asking.rethrow();
    return made;
}

std::int64_t Simulation::run(double time, double every, const std::function<bool()>& look, const std::function<bool()>& stop) {
    Asking asking;
    const std::int64_t made = translated([&] {
        if (!std::isfinite(time))
            throw SceneError("the time to run to is not finite: set time.end of the scene, or give a number of seconds");
        if (!(every >= 0)) throw SceneError("the time between two looks must be at least 0 s");
        ::scree::require_reachable(time, content_->dt, {});
        const std::int64_t before = step_number(), last = ::scree::steps_to(time, content_->dt);
        const ::scree::Schedule looks(look ? every : 0.0, content_->dt);
        bool stopped = false;
        const auto stop_and_note = [&] { return stopped = stop && asking.ask(stop, true); };
        content_->require_open();
        while (step_number() < last && !stopped && ended().empty()) {
            const std::int64_t next = std::min(last, looks.next_after(step_number()));
            content_->advance(next, stop_and_note);
            if (step_number() == next && looks.due(next) && !asking.ask(look, false)) break;
        }
        return step_number() - before;
    });
    asking.rethrow();
    return made;
}

std::int64_t Simulation::run() {
    return run(content_->end);
}

std::int64_t Simulation::step_number() const {
    return content_->run->step();
}
double Simulation::time() const {
    return content_->engine().counters().time;
}
double Simulation::dt() const {
    return content_->dt;
}
std::string Simulation::ended() const {
    return content_->run->ended();
}
std::vector<std::string> Simulation::warnings() const {
    return content_->run->warnings();
}

State Simulation::state() const {
    return translated([&] { return content_->fields->whole(); });
}

Field Simulation::field(const std::string& name) const {
    return translated([&] {
        const Field* found = content_->fields->find(name);
        return found != nullptr ? *found : content_->fields->whole().field(name);  // which says what there is
    });
}

bool Simulation::has_field(const std::string& name) const {
    return translated([&] { return content_->fields->find(name) != nullptr; });
}

std::vector<RawField> Simulation::raw_fields() const {
    return translated([&] {
        const std::vector<::scree::RawField> raw = content_->engine().raw_fields();
        if (raw.empty()) throw SceneError("the engine of this method has no arrays of bodies to show; field() copies what it has");
        ++content_->shown;
        const std::shared_ptr<const void> owner(content_.get(), [kept = content_](const void*) { --kept->shown; });
        std::vector<RawField> fields;
        for (const ::scree::RawField& f : raw) {
            using From = ::scree::RawField::Type;
            if (f.type == From::Float32) continue;
            const Field::Type type = f.type == From::Float64 ? Field::Type::Float64
                                     : f.type == From::Int32 ? Field::Type::Int32
                                                             : Field::Type::UInt32;
            fields.push_back({f.name, f.unit, type, f.rows, f.components, f.row_bytes, f.component_bytes, f.data, f.device, owner});
        }
        return fields;
    });
}

std::int64_t Simulation::changes() const {
    return content_->changes;
}

std::string Simulation::picture(int width, int height, const std::string& colour) const {
    return translated([&] {
        ::scree::RenderOptions options = picture_options(width, height, colour);
        options.materials = {content_->material_names};
        ::scree::Engine& engine = content_->engine();
        const ::scree::FrameGeometry geometry = ::scree::frame_geometry(content_->model());
        ::scree::FrameParts parts;
        parts.bodies = engine.snapshot();
        parts.shapes = &geometry.shapes;
        parts.walls = &geometry.walls;
        parts.has_contacts = true;
        if (colour == "force" || colour == "coordination") parts.contacts = engine.contacts();
        const std::lock_guard lock(one_at_a_time());
        return ::scree::render_frame(parts, options);
    });
}

std::vector<Contact> Simulation::contacts() const {
    return translated([&] { return contacts_of(content_->engine().contacts()); });
}

Totals Simulation::totals() const {
    return translated([&] {
        const ::scree::Measurement& m = content_->measured();
        Totals totals;
        totals.step = m.step;
        totals.time = m.time;
        totals.bodies = m.bodies;
        totals.mass = m.mass;
        totals.energies = energies_of(m.energy, content_->model().method == ::scree::Method::Cone);
        put(totals.momentum, m.momentum);
        put(totals.angular_momentum, m.angular_momentum);
        totals.contacts = m.contacts;
        totals.wall_contacts = m.wall_contacts;
        totals.coordination = m.coordination;
        totals.max_overlap = m.max_overlap;
        totals.max_speed = m.max_speed;
        return totals;
    });
}

std::uint64_t Simulation::state_hash() const {
    return translated([&] { return content_->engine().state_hash(); });
}

void Simulation::set(const std::string& name, const std::vector<std::uint32_t>& ids, const std::vector<double>& values) {
    content_->change([&] { set_bodies(content_->engine(), content_->model(), name, ids, values); });
}

std::vector<std::uint32_t> Simulation::insert(const NewBodies& bodies) {
    return content_->change([&] { return content_->run->insert(asked_of(bodies)); });
}

void Simulation::remove(const std::vector<std::uint32_t>& ids) {
    content_->change([&] { content_->run->remove(ids); });
}

std::vector<std::uint32_t> Simulation::bodies_in(const std::string& region) const {
    return translated([&] { return content_->run->bodies_in(region); });
}

std::vector<std::string> Simulation::stock_names() const {
    return content_->run->stocks();
}

Stock Simulation::stock(const std::string& name) const {
    return translated([&] { return stock_of(content_->model(), content_->run->left_of(name)); });
}

void Simulation::push(const std::vector<std::uint32_t>& ids, const std::vector<double>& force, const std::vector<double>& torque) {
    content_->change([&] { push_bodies(content_->engine(), content_->model(), ids, force, torque); });
}

std::vector<std::pair<std::string, std::uint32_t>> Simulation::named_bodies() const {
    std::vector<std::pair<std::string, std::uint32_t>> named;
    const std::vector<std::string>& names = content_->model().bodies.name;
    for (std::size_t id = 0; id < names.size(); ++id) {
        if (!names[id].empty()) named.emplace_back(names[id], static_cast<std::uint32_t>(id));
    }
    return named;
}

std::vector<std::string> Simulation::wall_names() const {
    return names_of(content_->model().walls);
}

Load Simulation::wall_load(const std::string& name) const {
    return translated([&] {
        const ::scree::Wrench& wrench = content_->measured().walls.at(find_named(content_->model().walls, name, "wall"));
        Load load;
        put(load.force, wrench.force);
        put(load.torque, wrench.torque);
        return load;
    });
}

bool Simulation::wall_active(const std::string& name) const {
    const ::scree::Wall& wall = content_->model().walls[find_named(content_->model().walls, name, "wall")];
    return time() >= wall.active_from && time() < wall.active_to;
}

void Simulation::set_wall_active(const std::string& name, bool active) {
    if (wall_active(name) == active) return;
    content_->retime(
        [active](::scree::Wall& wall, double now) {
            if (active) wall.active_from = now;
            wall.active_to = active ? std::numeric_limits<double>::infinity() : now;
        },
        name);
}

bool Simulation::wall_moves(const std::string& name) const {
    const ::scree::Motion& motion = content_->model().walls[find_named(content_->model().walls, name, "wall")].motion;
    return motion.moves && time() >= motion.from && time() < motion.to;
}

void Simulation::start_wall(const std::string& name) {
    content_->retime(
        [&name](::scree::Wall& wall, double now) {
            if (!wall.motion.moves) throw SceneError("wall \"" + name + "\" has no motion in the scene");
            if (now >= wall.motion.from) throw SceneError("the motion of wall \"" + name + "\" has begun already");
            wall.motion.from = now;
        },
        name);
}

void Simulation::halt_wall(const std::string& name) {
    content_->retime(
        [&name](::scree::Wall& wall, double now) {
            if (!wall.motion.moves) throw SceneError("wall \"" + name + "\" has no motion in the scene");
            wall.motion.to = std::min(wall.motion.to, now);
        },
        name);
}

void Simulation::move_wall(const std::string& name, const std::string& motion) {
    translated([&] {
        content_->require_open();
        content_->fail_if_failed();
        const std::size_t wall = find_named(content_->model().walls, name, "wall");
        content_->forget();
        content_->run->move_wall(wall, motion);
    });
}

WallPlace Simulation::wall_place(const std::string& name) const {
    return translated([&] {
        const std::size_t number = find_named(content_->model().walls, name, "wall");
        const ::scree::Wall& wall = content_->model().walls[number];
        const ::scree::Pose pose = content_->engine().snapshot_of(0).walls.at(number);
        const bool told = wall.body < 0 && !wall.motion.servo.on;
        const ::scree::Vec3 none{kNone, kNone, kNone};
        const ::scree::RigidVelocity now = told ? ::scree::velocity_of(wall.motion, time()) : ::scree::RigidVelocity{none, none, none};
        WallPlace place;
        const double turn[4]{pose.turn.w, pose.turn.x, pose.turn.y, pose.turn.z};
        std::copy(turn, turn + 4, place.turn);
        put(place.shift, pose.shift);
        put(place.point, now.at);
        put(place.velocity, now.velocity);
        put(place.angular_velocity, now.angular);
        return place;
    });
}

std::vector<std::string> Simulation::joint_names() const {
    return names_of(content_->model().joints);
}

JointLoad Simulation::joint_load(const std::string& name) const {
    return translated([&] {
        const std::size_t joint = find_named(content_->model().joints, name, "joint");
        const std::vector<::scree::JointState>& all = content_->measured().joints;
        if (joint >= all.size()) throw RunError("the engine has no state of joint \"" + name + "\"");
        const ::scree::JointState& from = all[joint];
        JointLoad load;
        put(load.force, from.force);
        put(load.torque, from.torque);
        load.angle = from.angle;
        load.travel = from.travel;
        load.motor = from.motor;
        load.violation = from.violation;
        return load;
    });
}

double Simulation::motor_value(const std::string& joint) const {
    return translated([&] {
        const auto [number, along] = content_->motor(joint);
        const ::scree::Joint& found = content_->model().joints[number];
        return ::scree::value_at((along ? found.travel_motor : found.angle_motor).value, time());
    });
}

void Simulation::drive_motor(const std::string& joint, double value) {
    translated([&] {
        content_->require_open();
        content_->fail_if_failed();
        if (!std::isfinite(value)) throw SceneError("what the motor of joint \"" + joint + "\" is to follow is not finite");
        const auto [number, along] = content_->motor(joint);
        content_->forget();
        content_->run->drive_joint(number, along, value);
    });
}

std::vector<std::string> Simulation::measure_names() const {
    return content_->run->measures().columns();
}

std::vector<double> Simulation::measures() const {
    return translated([&] {
        const ::scree::Measures& measures = content_->run->measures();
        std::vector<double> values;
        for (const std::optional<double>& value : measures.sample(content_->engine(), std::vector<bool>(measures.count(), true)))
            values.push_back(value.value_or(kNone));
        return values;
    });
}

Table Simulation::series() const {
    return translated([&] {
        if (!content_->run->directory().empty()) return series_in(content_->run->directory());
        Table table;
        if (measure_names().empty()) return table;
        table.columns = {"step", "time"};
        for (const std::string& name : measure_names()) table.columns.push_back(name);
        table.values.resize(table.columns.size());
        for (const ::scree::SeriesRow& row : content_->run->rows()) {
            table.values[0].push_back(static_cast<double>(row.step));
            table.values[1].push_back(row.time);
            for (std::size_t c = 0; c < row.values.size(); ++c) table.values[c + 2].push_back(row.values[c].value_or(kNone));
        }
        return table;
    });
}

void Simulation::save(const std::string& path) const {
    translated([&] {
        if (content_->closed) throw RunError("the simulation is closed");
        content_->run->save(path);
    });
}

std::string Simulation::close(bool interrupted) {
    return translated([&] {
        if (content_->closed) return content_->how;
        content_->closed = true;
        if (content_->run->failure() == nullptr) content_->how = "done";
        const std::lock_guard lock(one_at_a_time());
        const ::scree::RunResult result = content_->run->finish(interrupted);
        content_->how = result.message.empty() || result.exit_code == 130 ? result.reason : result.message;
        return content_->how;
    });
}

}  // namespace scree_v0
