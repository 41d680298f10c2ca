// Looks at bodies: the parts of snapshots against each other and against what checkpoints hold, and the engine's own arrays.
#include <doctest/doctest.h>

#include <cstring>
#include <map>

#include "clumps.hpp"
#include "engine/exec/config.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr std::uint32_t kEachPart[] = {kSnapshotPositions, kSnapshotVelocities, kSnapshotSpins,  kSnapshotOrientations,
                                       kSnapshotForces,    kSnapshotConstants,  kSnapshotColumns};

/// Spheres whose lowest layer is outside of the domain, and is taken out, and whose second one falls out of it.
Model leaking() {
    Model m = empty_model(Law::Linear, 0.5, 0.4);
    m.gravity = {0, 0, -9.81};
    Rng rng(3, 1);
    for (int k = 0; k < 2500; ++k) {
        const Vec3 jitter{rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5)};
        add_sphere(m, Vec3{1e-3, 1e-3, 1e-3} + 2.1e-3 * Vec3{double(k % 15), double(k / 15 % 15), double(k / 225)} + jitter, 1e-3,
                   {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 0)}, {1, 2, 3});
    }
    m.domain.box = {{-1, -1, 3.07e-3}, {1, 1, 1}};
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 7;
    set_step(m, 1);
    return m;
}

/// Dumbbells and spheres in a periodic box, which some leave.
Model clumps_in_cell() {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    m.materials[0].young = 1e6;
    Rng rng(5, 1);
    const auto in = [&rng](double size) { return Vec3{rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)}; };
    const double pitch = 9e-3;
    for (int k = 0; k < 27; ++k) {
        const Vec3 at{(k % 3 + 0.5) * pitch, (k / 3 % 3 + 0.5) * pitch, (k / 9 + 0.5) * pitch};
        if (k % 2 == 0) {
            add_clump(m, dumbbell(1.4e-3, 1.5e-3), at, rotation_by(in(2)), in(2), in(50));
        } else {
            add_sphere(m, at, 2e-3, in(2), in(50));
        }
    }
    fill_owners(m.bodies);
    m.domain.box = {{0, 0, 0}, {3 * pitch, 3 * pitch, 3 * pitch}};
    for (bool& periodic : m.domain.periodic) periodic = true;
    m.dt = 2e-5;
    return m;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// What the parts say of `all` in `some`.
void check_parts(const Snapshot& some, const Snapshot& all, std::uint32_t parts) {
    CAPTURE(parts);
    CHECK(some.step == all.step);
    CHECK(same(some.id, all.id));
    CHECK(some.walls.size() == all.walls.size());
    if ((parts & kSnapshotPositions) != 0) CHECK(same(some.position, all.position));
    if ((parts & kSnapshotVelocities) != 0) CHECK(same(some.velocity, all.velocity));
    if ((parts & kSnapshotSpins) != 0) CHECK(same(some.angular_velocity, all.angular_velocity));
    if ((parts & kSnapshotOrientations) != 0) CHECK(same(some.orientation, all.orientation));
    if ((parts & kSnapshotForces) != 0) {
        CHECK(same(some.force, all.force));
        CHECK(same(some.torque, all.torque));
    }
    if ((parts & kSnapshotConstants) != 0) {
        CHECK(same(some.radius, all.radius));
        CHECK(same(some.mass, all.mass));
        CHECK(same(some.material, all.material));
        CHECK(same(some.shape, all.shape));
        CHECK(same(some.owner, all.owner));
    }
    if ((parts & kSnapshotColumns) != 0) {
        REQUIRE(some.columns.size() == all.columns.size());
        for (std::size_t c = 0; c < all.columns.size(); ++c) CHECK(same(some.columns[c].values, all.columns[c].values));
    }
}

template <class T>
std::vector<T> saved(const EngineState& state, const std::string& name) {
    const StateField* field = state.find(name);
    REQUIRE(field != nullptr);
    std::vector<T> values(field->bytes.size() / sizeof(T));
    std::memcpy(values.data(), field->bytes.data(), field->bytes.size());
    return values;
}

/// Rows of the state by their ids, sorted by comparing.
void check_against_checkpoint(Engine& engine, const Snapshot& s) {
    const EngineState state = engine.save();
    const auto id = saved<std::uint32_t>(state, "body.id");
    const auto position = saved<double>(state, "body.position_radius"), velocity = saved<double>(state, "body.velocity_inverse_mass"),
               spin = saved<double>(state, "body.angular_velocity_inverse_inertia"), force = saved<double>(state, "body.force.y");
    const auto material = saved<std::int32_t>(state, "body.material");
    std::map<std::uint32_t, std::size_t> slot;
    for (std::size_t k = 0; k < id.size(); ++k) slot[id[k]] = k;
    REQUIRE(slot.size() == s.id.size());
    std::size_t row = 0, wrong = 0;
    for (const auto& [body, at] : slot) {
        const std::size_t k = at;  // which a lambda may hold
        const auto is = [&](const std::vector<double>& rows, const Vec3& v) {
            return rows[4 * k] == v.x && rows[4 * k + 1] == v.y && rows[4 * k + 2] == v.z;
        };
        wrong += s.id[row] == body && is(position, s.position[row]) && is(velocity, s.velocity[row]) && is(spin, s.angular_velocity[row]) &&
                         s.force[row].y == force[k] && s.radius[row] == position[4 * k + 3] && s.mass[row] == 1 / velocity[4 * k + 3] &&
                         s.material[row] == material[k]
                     ? 0
                     : 1;
        ++row;
    }
    CHECK(wrong == 0);
}

const RawField& named(const std::vector<RawField>& fields, const std::string& name) {
    for (const RawField& f : fields) {
        if (f.name == name) return f;
    }
    FAIL("no array " << name);
    return fields.front();
}

template <class T>
T number(const RawField& f, std::size_t row, std::size_t component = 0) {
    T value;
    std::memcpy(&value, static_cast<const char*>(f.data) + row * f.row_bytes + component * f.component_bytes, sizeof(T));
    return value;
}

/// The engine's own arrays say what a snapshot says.
void check_raw(Engine& engine, bool at_home) {
    const Snapshot s = engine.snapshot();
    const std::vector<RawField> raw = engine.raw_fields();
    const RawField &id = named(raw, "id"), &position = named(raw, "position"), &velocity = named(raw, "velocity"),
                   &spin = named(raw, "angular_velocity"), &radius = named(raw, "radius"), &inverse_mass = named(raw, "inverse_mass");
    CHECK(id.rows == s.id.size());
    CHECK(id.type == RawField::Type::UInt32);
    CHECK(position.components == 3);
    CHECK(position.unit == "m");
    for (const RawField& f : raw) {
        CHECK(f.rows == s.id.size());
        CHECK(f.device == (SCREE_FLAVOR::on_device ? 0 : -1));
    }
    if (SCREE_FLAVOR::on_device) return;  // out of reach
    std::map<std::uint32_t, std::size_t> row;
    for (std::size_t k = 0; k < s.id.size(); ++k) row[s.id[k]] = k;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < id.rows; ++k) {
        const std::size_t at = row.at(number<std::uint32_t>(id, k));
        for (std::size_t c = 0; c < 3; ++c) {
            if (at_home) wrong += number<double>(position, k, c) == along(s.position[at], int(c)) ? 0 : 1;
            wrong += number<double>(velocity, k, c) == along(s.velocity[at], int(c)) ? 0 : 1;
            wrong += number<double>(spin, k, c) == along(s.angular_velocity[at], int(c)) ? 0 : 1;
        }
        wrong += number<double>(radius, k) == s.radius[at] ? 0 : 1;
        if (s.owner.empty()) wrong += 1 / number<double>(inverse_mass, k) == s.mass[at] ? 0 : 1;
    }
    CHECK(wrong == 0);
    if (!s.orientation.empty()) CHECK(named(raw, "orientation_w").rows == s.id.size());
}

void check_looks(const Model& m, std::int64_t steps, bool at_home) {
    const auto engine = engine_of(m, 1), other = engine_of(m, 3, true);
    engine->advance(steps);
    other->advance(steps);
    const Snapshot all = engine->snapshot();
    REQUIRE(!all.id.empty());
    CHECK(engine->state_hash() == other->state_hash());
    for (const std::uint32_t part : kEachPart) {
        check_parts(engine->snapshot_of(part), all, part);
        check_parts(other->snapshot_of(part), all, part);
    }
    check_parts(engine->snapshot_of(kSnapshotAll), all, kSnapshotAll);
    check_raw(*engine, at_home);
    if (at_home && all.owner.empty()) check_against_checkpoint(*engine, all);
    CHECK(engine->state_hash() == other->state_hash());  // looks change nothing
}

}  // namespace

TEST_CASE("parts of snapshots of spheres, all of them there") {
    Model m = leaking();
    m.domain = {};
    check_looks(m, 120, true);
}

TEST_CASE("parts of snapshots when bodies have left, at a step at which they are taken out and at the next") {
    const Model m = leaking();
    for (const std::int64_t steps : {140, 141}) {
        const auto engine = engine_of(m);
        engine->advance(steps);
        CHECK(engine->counters().removed > 225);  // more than a layer
        CHECK(engine->snapshot_of(0).id.size() == m.bodies.size() - static_cast<std::size_t>(engine->counters().removed));
        check_looks(m, steps, true);
    }
}

TEST_CASE("parts of snapshots of compounds in a periodic cell are brought home") {
    const Model m = clumps_in_cell();
    check_looks(m, 400, false);
    const auto engine = engine_of(m);
    engine->advance(400);
    const Snapshot s = engine->snapshot_of(kSnapshotPositions);
    std::size_t outside = 0;
    const Snapshot owners = engine->snapshot_of(kSnapshotConstants);
    for (std::size_t k = 0; k < s.id.size(); ++k) outside += owners.owner[k] < 0 && !m.domain.box.contains(s.position[k]) ? 1 : 0;
    CHECK(outside == 0);
}

TEST_CASE("forces that nobody holds are gone after a look, and looks leave the next steps as they are") {
    const Model m = leaking();
    const auto looked = engine_of(m), plain = engine_of(m);
    for (int k = 0; k < 10; ++k) {
        looked->advance(10);
        plain->advance(10);
        for (const std::uint32_t part : kEachPart) looked->snapshot_of(part);
        looked->raw_fields();
    }
    CHECK(looked->state_hash() == plain->state_hash());
}
