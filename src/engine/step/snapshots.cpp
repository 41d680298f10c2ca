#include "engine/step/snapshots.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "engine/bonds/bonds.hpp"
#include "engine/exec/borrowed.hpp"
#include "engine/exec/device.hpp"
#include "engine/exec/loops.hpp"
#include "engine/measure/records.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/step/fluid_step.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The slots of bodies in the order of their ids.
struct ById {
    std::vector<std::uint32_t> id;
    Array<Slot> slot;  // where kernels run
    Index size() const { return slot.size(); }
};

/// Free: lambdas of kernels stand in functions of their own.
void map_slots(const Exec& exec, const std::uint32_t* id, Index bodies, Slot* slot, Index ids) {
    if (bodies < ids) {
        for_each(
            exec, "snapshot/clear_map", ids, SCREE_LAMBDA(Index i)->void { slot[i] = -1; });
    }
    for_each(
        exec, "snapshot/map_ids", bodies, SCREE_LAMBDA(Index i)->void { slot[id[i]] = static_cast<Slot>(i); });
}

/// A pass over ids, since bodies may have gone since Workspace::slot_of_id was made. `ids`: they are below that.
ById by_id(const Exec& exec, const Bodies& bodies, Index ids) {
    ById order;
    order.slot.resize(ids);
    map_slots(exec, bodies.id.data(), bodies.count, order.slot.data(), ids);
    order.id.resize(static_cast<std::size_t>(bodies.count));
    if (bodies.count == ids) {
        std::iota(order.id.begin(), order.id.end(), 0u);
        return order;
    }
    std::vector<Slot> present = order.slot.host();
    std::size_t k = 0;
    for (std::size_t id = 0; id < present.size(); ++id) {
        if (present[id] < 0) continue;
        order.id[k] = static_cast<std::uint32_t>(id);
        present[k++] = present[id];
    }
    SCREE_ASSERT(k == order.id.size());
    present.resize(k);
    order.slot.assign(present);
    return order;
}

template <class T, class Read>
void gather_into(const Exec& exec, const Slot* slot, Index n, T* to, Read read) {
    for_each(
        exec, "snapshot/gather", n, SCREE_LAMBDA(Index k)->void { to[k] = read(slot[k]); });
}

/// read(slot) of every body.
template <class T, class Read>
std::vector<T> gathered(const Exec& exec, const ById& order, Read read) {
    std::vector<T> values(order.id.size());
    if (values.empty()) return values;
    if constexpr (on_device) {
        Array<T> there(order.size());
        gather_into(exec, order.slot.data(), order.size(), there.data(), read);
        copy_to_host(values.data(), there.data(), values.size() * sizeof(T));
    } else {
        gather_into(exec, order.slot.data(), order.size(), values.data(), read);
    }
    return values;
}

struct ReadCompanion {
    CompanionView of;
    SCREE_HD double operator()(Index i) const { return of[i]; }
};
struct ReadInverse {
    CompanionView of;
    SCREE_HD double operator()(Index i) const { return 1.0 / of[i]; }
};
/// Of anything with an operator[].
template <class T, class View>
struct Read {
    View of;
    SCREE_HD T operator()(Index i) const { return of[i]; }
};
/// As the numbers of columns.
template <class T>
struct ReadNumber {
    const T* of;
    SCREE_HD double operator()(Index i) const { return static_cast<double>(of[i]); }
};

template <class T, class View>
Read<T, View> read(View view) {
    return {view};
}

/// Makes one snapshot.
class Look {
public:
    Look(const Model& model, State& state, Workspace& work)
        : model_(model), state_(state), work_(work), body_(state.bodies.view()), order_(by_id(work.exec, state.bodies, ids_of(model))) {}

    Snapshot take(std::uint32_t parts) {
        const auto asked = [parts](std::uint32_t part) { return (parts & part) != 0; };
        const bool home = work_.images.cell.any() && asked(kSnapshotPositions | kSnapshotVelocities | kSnapshotColumns);
        Snapshot s;
        s.step = state_.step;
        s.time = state_.time;
        s.id = order_.id;
        if (asked(kSnapshotPositions) || home) s.position = all<Vec3>(read<Vec3>(body_.position));
        if (asked(kSnapshotVelocities)) s.velocity = all<Vec3>(read<Vec3>(body_.velocity));
        if (asked(kSnapshotSpins)) s.angular_velocity = all<Vec3>(read<Vec3>(body_.angular_velocity));
        if (asked(kSnapshotForces)) add_forces(s);
        if (asked(kSnapshotConstants)) add_constants(s);
        if (asked(kSnapshotColumns)) add_columns(s);
        if (home) bring_home(s, asked(kSnapshotColumns));
        if (asked(kSnapshotOrientations) && state_.bodies.qw.size() > 0) s.orientation = all<Quat>(read<Quat>(body_.orientation));
        s.walls = wall_poses(model_, state_, work_);
        s.cell = work_.images.cell;
        return s;
    }

private:
    static Index ids_of(const Model& model) { return static_cast<Index>(model.bodies.size()); }

    template <class T, class R>
    std::vector<T> all(R how) const {
        return gathered<T>(work_.exec, order_, how);
    }
    template <class T>
    std::vector<T> all(const Array<T>& values) const {
        return all<T>(read<T>(values.data()));
    }

    void add_forces(Snapshot& s) const {
        const ForcesAtHand forces(state_, work_);
        const BodyView body = state_.bodies.view();  // as they are now
        s.force = all<Vec3>(read<Vec3>(body.force));
        if (state_.has_compounds) s.torque = all<Vec3>(read<Vec3>(body.torque));
    }

    void add_constants(Snapshot& s) const {
        s.radius = all<double>(ReadCompanion{body_.radius});
        s.material = all(state_.bodies.material);
        s.mass = all<double>(ReadInverse{body_.inverse_mass});
        if (state_.bodies.shape.size() > 0) s.shape = all(state_.bodies.shape);
        if (!state_.has_compounds) return;
        s.owner = all(state_.bodies.owner);
        for (std::size_t k = 0; k < s.owner.size(); ++k) {
            if (s.owner[k] >= 0) {
                s.mass[k] = model_.bodies.mass[s.id[k]];  // kernels have its compound's in its place
            } else {
                s.owner[k] = BodyTable::no_owner;
            }
        }
    }

    /// Fields that are shown, but for those of periods.
    void add_columns(Snapshot& s) const {
        state_.bodies.each_field([&](const BodyField& field, auto& array) {
            using T = typename std::remove_reference_t<decltype(array)>::Value;
            if constexpr (std::is_arithmetic_v<T>) {
                if (field.shown == nullptr || field.part == kPeriods || array.size() == 0) return;
                const std::vector<double> values = all<double>(ReadNumber<T>{array.data()});
                s.add_column(field.shown, field.unit, [&](std::size_t k) { return values[k]; });
            } else {
                SCREE_ASSERT(field.shown == nullptr);
            }
        });
        add_bond_columns(s);
    }

    /// How much of its bonds a body has lost, and which part it is in.
    void add_bond_columns(Snapshot& s) const {
        if (!work_.bonds) return;
        const std::vector<std::int32_t> how = work_.bonds->how.host();
        std::vector<bool> gone;
        std::vector<double> bonds(model_.bodies.size()), broken(model_.bodies.size());
        for (std::size_t k = 0; k < how.size(); ++k) {
            gone.push_back(how[k] != 0);
            for (const std::int32_t id : {model_.bonds[k].a, model_.bonds[k].b}) {
                if (id < 0) continue;  // a wall
                bonds[static_cast<std::size_t>(id)] += 1;
                broken[static_cast<std::size_t>(id)] += gone[k] ? 1 : 0;
            }
        }
        const std::vector<std::int32_t> part = parts_of(model_, gone);
        s.add_column("damage", "1", [&](std::size_t k) { return bonds[s.id[k]] > 0 ? broken[s.id[k]] / bonds[s.id[k]] : 0.0; });
        s.add_column("fragment", "1", [&](std::size_t k) { return static_cast<double>(part[s.id[k]]); });
    }

    /// Into the cell, whatever steps have passed since bodies were last brought back; columns tell the way.
    void bring_home(Snapshot& s, bool columns) const {
        const Cell& cell = work_.images.cell;
        const std::size_t n = s.id.size();
        std::vector<ImageStep> step(n);
        for (std::size_t k = 0; k < n; ++k) step[k] = cell.home(s.position[k], 0.0);
        if (state_.bodies.owner.size() > 0) {  // members stay with their compound
            const std::vector<std::int32_t> owner = all(state_.bodies.owner);
            std::vector<std::size_t> row_of_id(model_.bodies.size());
            for (std::size_t k = 0; k < n; ++k) row_of_id[s.id[k]] = k;
            for (std::size_t k = 0; k < n; ++k) {
                if (owner[k] >= 0) step[k] = step[row_of_id[static_cast<std::size_t>(owner[k])]];
            }
        }
        for (std::size_t k = 0; k < n; ++k) s.position[k] += cell.shift(step[k]);
        for (std::size_t k = 0; k < s.velocity.size(); ++k) s.velocity[k] += cell.drift(step[k]);
        if (!columns) return;
        const Bodies& b = state_.bodies;
        int a = 0;
        for (const Array<std::int32_t>* periods : {&b.periods_x, &b.periods_y, &b.periods_z}) {
            const std::vector<std::int32_t> gone = all(*periods);
            s.add_column("periods", "1", [&](std::size_t k) { return static_cast<double>(gone[k] - step[k].k[a]); });
            ++a;
        }
    }

    const Model& model_;
    State& state_;
    Workspace& work_;
    BodyView body_;
    ById order_;
};

template <class T>
constexpr RawField::Type type_of() {
    if constexpr (std::is_same_v<T, double>) return RawField::Type::Float64;
    if constexpr (std::is_same_v<T, float>) return RawField::Type::Float32;
    if constexpr (std::is_same_v<T, std::int32_t>) return RawField::Type::Int32;
    if constexpr (std::is_same_v<T, std::uint32_t>) return RawField::Type::UInt32;
}

/// A vector and its companion, row by row.
void add_rows(const Array<Row4>& rows, const char* name, const char* unit, const char* companion, const char* companion_unit,
              std::vector<RawField>& fields) {
    const double* first = reinterpret_cast<const double*>(rows.data());
    const auto n = static_cast<std::size_t>(rows.size());
    fields.push_back({name, unit, first, n, 3, sizeof(Row4), sizeof(double), RawField::Type::Float64, -1});
    fields.push_back(
        {companion, companion_unit, n > 0 ? first + 3 : first, n, 1, sizeof(Row4), sizeof(double), RawField::Type::Float64, -1});
}

}  // namespace

Snapshot take_snapshot(const Model& model, State& state, Workspace& work, std::uint32_t parts) {
    if (work.fluid && (parts & kSnapshotColumns) != 0) update_density(model, state, work);
    return Look(model, state, work).take(parts);
}

std::vector<RawField> raw_body_fields(State& state, int device) {
    std::vector<RawField> fields;
    Bodies& b = state.bodies;
    add_rows(b.position.rows, "position", "m", "radius", "m", fields);
    add_rows(b.velocity.rows, "velocity", "m/s", "inverse_mass", "1/kg", fields);
    add_rows(b.angular_velocity.rows, "angular_velocity", "rad/s", "inverse_inertia", "1/(kg m2)", fields);
    b.each_field([&](const BodyField& field, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        if constexpr (std::is_arithmetic_v<T>) {
            std::string name = std::string(field.name).substr(std::string("body.").size());
            // Forces and densities that are made for who looks are no arrays to show; references are the search's own.
            const bool made = (field.part == kForceSums && !state.holds_forces) || name == "density" || std::string(field.writer) == "step";
            if (array.size() == 0 || made) return;
            std::replace(name.begin(), name.end(), '.', '_');
            fields.push_back(
                {name, field.unit, array.data(), static_cast<std::size_t>(array.size()), 1, sizeof(T), sizeof(T), type_of<T>(), -1});
        }
    });
    if constexpr (on_device) {
        for (RawField& field : fields) field.device = device;
        synchronize("snapshot/raw_fields");
    }
    return fields;
}

}  // namespace scree::SCREE_FLAVOR
