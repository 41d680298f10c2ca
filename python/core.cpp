// The module scree._core: the library's classes for Python, with arrays of NumPy that show its memory. The Python files of scree/ make of
// it what users see. No engine works while Python's lock is held.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <scree/scree.hpp>

#include "leaving.hpp"
#include "raw_arrays.hpp"

namespace py = pybind11;

namespace {

using scree_python::Apart;
using scree_python::dtype_of;
using scree_python::shown;

py::array array_of(const scree::Field& field) {
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(field.rows)};
    if (field.components > 1) shape.push_back(static_cast<py::ssize_t>(field.components));
    return shown(dtype_of(field.type), shape, {}, field.data, field.owner);
}

py::array array_of(std::vector<scree::Contact> contacts) {
    const auto held = std::make_shared<const std::vector<scree::Contact>>(std::move(contacts));
    return shown(py::dtype::of<scree::Contact>(), {static_cast<py::ssize_t>(held->size())}, {}, held->data(), held);
}

template <class T>
py::array array_of(const std::vector<T>& values) {
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array array_of(const double (&values)[3]) {
    return py::array_t<double>(3, values);
}

py::dict columns_of(const scree::Table& table) {
    py::dict columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) columns[py::str(table.columns[c])] = array_of(table.values[c]);
    return columns;
}

py::dict dict_of(const scree::Energies& e) {
    py::dict d;
    d["kinetic_translation"] = e.kinetic_translation;
    d["kinetic_rotation"] = e.kinetic_rotation;
    d["potential"] = e.potential;
    d["elastic_normal"] = e.elastic_normal;
    d["elastic_tangential"] = e.elastic_tangential;
    d["dissipated_damping"] = e.dissipated_damping;
    d["dissipated_friction"] = e.dissipated_friction;
    d["removed"] = e.removed;
    d["work_of_walls"] = e.work_of_walls;
    d["work_of_fields"] = e.work_of_fields;
    d["elastic_bonds"] = e.elastic_bonds;
    d["dissipated_bonds"] = e.dissipated_bonds;
    d["total"] = e.total;
    return d;
}

py::dict dict_of(const scree::Totals& t) {
    py::dict d;
    d["step"] = t.step;
    d["time"] = t.time;
    d["bodies"] = t.bodies;
    d["mass"] = t.mass;
    d["momentum"] = array_of(t.momentum);
    d["angular_momentum"] = array_of(t.angular_momentum);
    d["contacts"] = t.contacts;
    d["wall_contacts"] = t.wall_contacts;
    d["coordination"] = t.coordination;
    d["max_overlap"] = t.max_overlap;
    d["max_speed"] = t.max_speed;
    return d;
}

/// A simulation that one thread of Python uses at a time; another is told so, and does not wait.
class Guarded {
public:
    Guarded(const scree::Scene& scene, const scree::RunSettings& settings) : simulation_(scene, settings) {}

    /// f(simulation), with this thread's claim to it.
    template <class F>
    auto with(F f) {
        const std::unique_lock lock(claim_, std::try_to_lock);
        if (!lock) throw py::value_error("another thread is using this simulation");
        return f(simulation_);
    }
    /// The same without Python's lock.
    template <class F>
    auto apart(F f) {
        return with([&](scree::Simulation& simulation) {
            const Apart apart;
            return f(simulation);
        });
    }

private:
    scree::Simulation simulation_;
    std::recursive_mutex claim_;
};

/// What Ctrl-C asks for: throws KeyboardInterrupt where a signal's handler has. True where Python is about to end.
bool look_at_signals() {
    if (scree_python::leaving()) return true;
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
}

scree::EngineSettings engine_of(const std::string& device, const std::string& precision, int threads) {
    scree::EngineSettings settings;
    settings.device = device;
    settings.precision = precision;
    settings.threads = threads;
    return settings;
}

/// Raises scree.NAME, a class of Python's own.
void raise(const char* name, const char* message, const std::function<void(py::object&)>& fill) {
    try {
        const py::object type = py::module_::import("scree._errors").attr(name);
        py::object error = type(message);
        fill(error);
        PyErr_SetObject(type.ptr(), error.ptr());
    } catch (py::error_already_set& e) {
        e.restore();
    }
}

void translate(std::exception_ptr pointer) {
    try {
        if (pointer) std::rethrow_exception(pointer);
    } catch (const scree::SceneError& e) {
        raise("SceneError", e.what(), [&](py::object& error) {
            if (!e.file().empty()) error.attr("file") = e.file();
            if (e.line() > 0) error.attr("line") = e.line();
            if (e.column() > 0) error.attr("column") = e.column();
        });
    } catch (const scree::InUseError&) {
        PyErr_SetString(PyExc_BufferError,
                        "arrays of sim.raw() are in use: the simulation can go on and be changed when the with block has ended and no name "
                        "holds such an array (del NAME; copies may stay)");
    } catch (const scree::RunError& e) {
        raise("RunError", e.what(), [](py::object&) {});
    }
}

void add_scene(py::module_& m) {
    py::class_<scree::Scene>(m, "Scene")
        .def_static("from_file", &scree::Scene::from_file, py::call_guard<Apart>())
        .def_static("from_text", &scree::Scene::from_text, py::call_guard<Apart>())
        .def("with_overrides", &scree::Scene::with, py::call_guard<Apart>())
        .def("check",
             [](const scree::Scene& scene, const std::string& device, const std::string& precision, int threads) {
                 const Apart apart;
                 return scene.check(engine_of(device, precision, threads));
             })
        .def_property_readonly("title", &scree::Scene::title)
        .def_property_readonly("name", &scree::Scene::name)
        .def_property_readonly("end", &scree::Scene::end)
        .def_property_readonly("resolved", &scree::Scene::resolved);
}

void add_state(py::module_& m) {
    py::class_<scree::State>(m, "State")
        .def_property_readonly("step", &scree::State::step)
        .def_property_readonly("time", &scree::State::time)
        .def("__len__", &scree::State::size)
        .def("names", &scree::State::names)
        .def("has", &scree::State::has)
        .def("unit", [](const scree::State& state, const std::string& name) { return state.field(name).unit; })
        .def("field", [](const scree::State& state, const std::string& name) { return array_of(state.field(name)); });
}

using Look = std::function<bool()>;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::vector<double> numbers_of(const Numbers& values) {
    return {values.data(), values.data() + values.size()};
}

void add_simulation(py::module_& m) {
    using scree::Simulation;
    const auto read = [](auto member) {
        return [member](Guarded& s) { return s.with([&](Simulation& simulation) { return (simulation.*member)(); }); };
    };
    const auto of_name = [](auto member) {
        return [member](Guarded& s, const std::string& name) {
            return s.with([&](Simulation& simulation) { return (simulation.*member)(name); });
        };
    };
    const auto of_name_apart = [](auto member) {
        return [member](Guarded& s, const std::string& name) {
            return s.apart([&](Simulation& simulation) { return (simulation.*member)(name); });
        };
    };
    py::class_<Guarded>(m, "Simulation")
        .def(py::init([](const scree::Scene& scene, const std::string& device, const std::string& precision, int threads,
                         const std::string& output, bool overwrite, const std::string& checkpoint) {
            scree::RunSettings settings;
            settings.engine = engine_of(device, precision, threads);
            settings.output = output;
            settings.overwrite = overwrite;
            settings.checkpoint = checkpoint;
            const Apart apart;
            return std::make_unique<Guarded>(scene, settings);
        }))
        .def("step", [](Guarded& s, std::int64_t count) { return s.apart([&](Simulation& x) { return x.step(count, look_at_signals); }); })
        .def("run",
             [](Guarded& s, double time, double every, const py::object& callback) {
                 const Look look = [&] {
                     const scree_python::Within within;
                     const py::object answer = callback();
                     return answer.is_none() || answer.cast<bool>();
                 };
                 return s.apart([&](Simulation& x) { return x.run(time, every, callback.is_none() ? Look() : look, look_at_signals); });
             })
        .def_property_readonly("step_number", read(&Simulation::step_number))
        .def_property_readonly("time", read(&Simulation::time))
        .def_property_readonly("dt", read(&Simulation::dt))
        .def_property_readonly("ended", read(&Simulation::ended))
        .def_property_readonly("warnings", read(&Simulation::warnings))
        .def("state", [](Guarded& s) { return s.apart([](Simulation& x) { return x.state(); }); })
        .def("names", [](Guarded& s) { return s.apart([](Simulation& x) { return x.state(); }).names(); })
        .def("has", of_name_apart(&Simulation::has_field))
        .def("unit", [](Guarded& s, const std::string& name) { return s.apart([&](Simulation& x) { return x.field(name); }).unit; })
        .def("field", [](Guarded& s, const std::string& name) { return array_of(s.apart([&](Simulation& x) { return x.field(name); })); })
        .def("__len__", [](Guarded& s) { return s.apart([](Simulation& x) { return x.field("id"); }).rows; })
        .def("raw_fields", [](Guarded& s) { return s.apart([](Simulation& x) { return x.raw_fields(); }); })
        .def_property_readonly("changes", read(&Simulation::changes))
        .def("picture",
             [](Guarded& s, int width, int height, const std::string& colour) {
                 return py::bytes(s.apart([&](Simulation& x) { return x.picture(width, height, colour); }));
             })
        .def("contacts", [](Guarded& s) { return array_of(s.apart([](Simulation& x) { return x.contacts(); })); })
        .def("totals", [](Guarded& s) { return dict_of(s.apart([](Simulation& x) { return x.totals(); })); })
        .def("energies", [](Guarded& s) { return dict_of(s.apart([](Simulation& x) { return x.totals(); }).energies); })
        .def_property_readonly("state_hash", [](Guarded& s) { return s.apart([](Simulation& x) { return x.state_hash(); }); })
        .def("set",
             [](Guarded& s, const std::string& name, const std::vector<std::uint32_t>& ids, const Numbers& values) {
                 const std::vector<double> numbers = numbers_of(values);
                 s.apart([&](Simulation& x) { x.set(name, ids, numbers); });
             })
        .def("push",
             [](Guarded& s, const std::vector<std::uint32_t>& ids, const Numbers& force, const Numbers& torque) {
                 const std::vector<double> forces = numbers_of(force), torques = numbers_of(torque);
                 s.apart([&](Simulation& x) { x.push(ids, forces, torques); });
             })
        .def("insert",
             [](Guarded& s, const std::string& stock, const std::vector<std::uint32_t>& ids, std::size_t count, const Numbers& position,
                const Numbers& velocity, const Numbers& angular_velocity, const Numbers& orientation) {
                 const scree::NewBodies bodies{
                     stock, ids, count, numbers_of(position), numbers_of(velocity), numbers_of(angular_velocity), numbers_of(orientation)};
                 return array_of(s.apart([&](Simulation& x) { return x.insert(bodies); }));
             })
        .def("remove", [](Guarded& s, const std::vector<std::uint32_t>& ids) { s.apart([&](Simulation& x) { x.remove(ids); }); })
        .def("bodies_in",
             [](Guarded& s, const std::string& region) { return array_of(s.apart([&](Simulation& x) { return x.bodies_in(region); })); })
        .def("stock_names", read(&Simulation::stock_names))
        .def("stock",
             [](Guarded& s, const std::string& name) {
                 const scree::Stock stock = s.apart([&](Simulation& x) { return x.stock(name); });
                 return py::make_tuple(array_of(stock.ids), array_of(stock.radius), array_of(stock.mass));
             })
        .def("named_bodies", read(&Simulation::named_bodies))
        .def("wall_names", read(&Simulation::wall_names))
        .def("wall_load",
             [](Guarded& s, const std::string& name) {
                 const scree::Load load = s.apart([&](Simulation& x) { return x.wall_load(name); });
                 return py::make_tuple(array_of(load.force), array_of(load.torque));
             })
        .def("wall_active", of_name(&Simulation::wall_active))
        .def("set_wall_active",
             [](Guarded& s, const std::string& name, bool active) { s.apart([&](Simulation& x) { x.set_wall_active(name, active); }); })
        .def("wall_moves", of_name(&Simulation::wall_moves))
        .def("start_wall", of_name(&Simulation::start_wall))
        .def("halt_wall", of_name(&Simulation::halt_wall))
        .def("move_wall", [](Guarded& s, const std::string& name,
                             const std::string& motion) { s.apart([&](Simulation& x) { x.move_wall(name, motion); }); })
        .def("wall_pose",
             [](Guarded& s, const std::string& name) {
                 const scree::WallPlace place = s.apart([&](Simulation& x) { return x.wall_place(name); });
                 py::dict d;
                 d["turn"] = py::array_t<double>(4, place.turn);
                 d["shift"] = array_of(place.shift);
                 d["point"] = array_of(place.point);
                 d["velocity"] = array_of(place.velocity);
                 d["angular_velocity"] = array_of(place.angular_velocity);
                 return d;
             })
        .def("motor_value", of_name(&Simulation::motor_value))
        .def("drive_motor",
             [](Guarded& s, const std::string& joint, double value) { s.apart([&](Simulation& x) { x.drive_motor(joint, value); }); })
        .def("joint_names", read(&Simulation::joint_names))
        .def("joint_load",
             [](Guarded& s, const std::string& name) {
                 const scree::JointLoad load = s.apart([&](Simulation& x) { return x.joint_load(name); });
                 py::dict d;
                 d["force"] = array_of(load.force);
                 d["torque"] = array_of(load.torque);
                 d["angle"] = load.angle;
                 d["travel"] = load.travel;
                 d["motor"] = load.motor;
                 d["violation"] = load.violation;
                 return d;
             })
        .def("measure_names", read(&Simulation::measure_names))
        .def("measures", [](Guarded& s) { return s.apart([](Simulation& x) { return x.measures(); }); })
        .def("series", [](Guarded& s) { return columns_of(s.apart([](Simulation& x) { return x.series(); })); })
        .def("save", [](Guarded& s, const std::string& path) { s.apart([&](Simulation& x) { x.save(path); }); })
        .def("close", [](Guarded& s, bool interrupted) { return s.apart([&](Simulation& x) { return x.close(interrupted); }); });
}

void add_reader(py::module_& m) {
    using scree::RunReader;
    py::class_<RunReader>(m, "RunReader")
        .def(py::init<const std::string&>(), py::call_guard<Apart>())
        .def("__len__", [](const RunReader& run) { return run.frames().size(); })
        .def("info",
             [](const RunReader& run, std::size_t k) {
                 const scree::FrameInfo& frame = run.frames().at(k);
                 return py::make_tuple(frame.step, frame.time, frame.bodies, frame.contacts);
             })
        .def("damage", &RunReader::damage)
        .def("frame", &RunReader::frame, py::call_guard<Apart>())
        .def("contacts",
             [](const RunReader& run, std::size_t k) {
                 std::vector<scree::Contact> contacts;
                 {
                     const Apart apart;
                     contacts = run.contacts(k);
                 }
                 return array_of(std::move(contacts));
             })
        .def("series", [](const RunReader& run) { return columns_of(run.series()); })
        .def("summary", &RunReader::summary)
        .def("scene", &RunReader::scene)
        .def("picture", &RunReader::picture, py::call_guard<Apart>());
}

}  // namespace

PYBIND11_MODULE(_core, m) {
    PYBIND11_NUMPY_DTYPE(scree::Contact, a, b, wall, kind, point, normal, overlap, force, torque, area);
    m.attr("__version__") = scree::version();
    m.def("scene_keys", &scree::scene_keys);
    m.def("scene_reference", &scree::scene_reference);
    py::register_exception_translator(translate);
    add_scene(m);
    add_state(m);
    add_simulation(m);
    add_reader(m);
    scree_python::add_raw_arrays(m);
    scree_python::add_leaving();
}
