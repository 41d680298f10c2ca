#include "sim/inserter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "setup/sizes.hpp"
#include "setup/placement/sphere_grid.hpp"

namespace scree {

namespace {

constexpr const char* kField = "run.insert";  // of checkpoints
constexpr int kIdle = 50;                     // looks without room after which a stream is said to find none

}  // namespace

Inserter::Inserter(const std::vector<Insertion>& insertions, const Model& model) : model_(model), told_(insertions.size(), false) {
    for (const Insertion& one : insertions) streams_.push_back({&one});
}

/// Look k is at the first step at or after from + k every; no two are at one step.
std::int64_t Inserter::Stream::next_look(std::int64_t step, double dt) const {
    const double every = std::max(of->every, dt), since = static_cast<double>(step) * dt - of->from;
    const auto at = [&](std::int64_t k) {
        const double t = (of->from + static_cast<double>(k) * every) / dt;
        return t < 9e15 ? static_cast<std::int64_t>(std::ceil(t - 1e-6)) : std::numeric_limits<std::int64_t>::max();
    };
    auto k = since > 0 ? static_cast<std::int64_t>(since / every) : 0;
    k = std::max<std::int64_t>(k - 1, 0);
    while (at(k) <= step) ++k;
    const double time = static_cast<double>(at(k)) * dt;
    return in < of->size() && (time < of->to || of->due(time) > in) ? at(k) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t Inserter::next_after(std::int64_t step) const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (const Stream& stream : streams_) next = std::min(next, stream.next_look(step, model_.dt));
    return next;
}

void Inserter::add_rows(const Stream& stream, std::size_t k, Vec3 at, std::vector<std::int32_t>& ids, BodyTable& rows) const {
    const Insertion& of = *stream.of;
    const BodyTable& bodies = model_.bodies;
    const std::int32_t id = of.first_id[k];
    const auto i = static_cast<std::size_t>(id);
    Vec3 v = of.velocity;
    if (of.velocity_deviation > 0) {
        Rng rng = draw_stream(of.seed, Draw::Velocity, k);
        const double x = rng.normal(), y = rng.normal();
        v += of.velocity_deviation * Vec3{x, y, model_.dimensions == 2 ? 0.0 : rng.normal()};
    }
    const Quat q = of.orientation.empty() ? Quat{} : of.orientation[k];
    const std::size_t before = rows.size();
    if (of.shape >= 0 && model_.shapes[static_cast<std::size_t>(of.shape)].compound()) {
        add_compound(rows, of.shape, of.members, {at, q, bodies.radius[i], bodies.mass[i], bodies.material[i], v, of.angular_velocity});
    } else {
        rows.position.push_back(at);
        rows.velocity.push_back(v);
        rows.angular_velocity.push_back(of.angular_velocity);
        rows.radius.push_back(bodies.radius[i]);
        rows.mass.push_back(bodies.mass[i]);
        rows.material.push_back(bodies.material[i]);
        rows.shape.push_back(of.shape);
        rows.orientation.push_back(q);
    }
    for (std::size_t n = before; n < rows.size(); ++n) ids.push_back(id + static_cast<std::int32_t>(n - before));
}

std::string Inserter::insert_due(Engine& engine, std::int64_t step) {
    const double time = static_cast<double>(step) * model_.dt;
    std::string warning;
    std::vector<std::int32_t> ids;
    BodyTable rows;
    struct New {
        Vec3 at;
        double radius;
    };
    std::vector<New> placed;  // of all streams at this step
    looked_ = step;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
        Stream& stream = streams_[s];
        const Insertion& of = *stream.of;
        const std::size_t due = of.due(time);
        if (due <= stream.in || stream.next_look(step - 1, model_.dt) != step) continue;
        const std::size_t before = stream.in;
        const NearBodies near = engine.bodies_in(of.region.bounds());
        double smallest = std::numeric_limits<double>::max();
        for (std::size_t k = stream.in; k < due; ++k)
            smallest = std::min(smallest, model_.bodies.radius[static_cast<std::size_t>(of.first_id[k])]);
        for (const double r : near.radius) smallest = std::min(smallest, r);
        for (const New& one : placed) smallest = std::min(smallest, one.radius);
        SphereGrid grid(smallest, near.radius.size() + placed.size() + due - stream.in);
        std::vector<New> all;
        const auto put = [&](Vec3 at, double radius) {
            grid.insert(static_cast<std::int32_t>(all.size()), at, radius);
            all.push_back({at, radius});
        };
        for (std::size_t k = 0; k < near.radius.size(); ++k) put(near.position[k], near.radius[k]);
        for (const New& one : placed) put(one.at, one.radius);
        for (; stream.in < due; ++stream.in) {
            const double r = model_.bodies.radius[static_cast<std::size_t>(of.first_id[stream.in])];
            Rng rng(of.seed,
                    hash_combine(hash_combine(static_cast<std::uint64_t>(Draw::Position), stream.in), static_cast<std::uint64_t>(step)));
            bool free = false;
            Vec3 at;
            for (std::int64_t i = 0; i < of.tries && !free; ++i) {
                at = of.region.random_centre(rng, r);
                free = true;
                grid.near(at, r, [&](std::int32_t j) {
                    const New& other = all[static_cast<std::size_t>(j)];
                    const double touch = r + other.radius;
                    free = norm2(other.at - at) > touch * touch * (1 + 1e-9);
                    return free;
                });
            }
            if (!free) break;
            put(at, r);
            placed.push_back({at, r});
            add_rows(stream, stream.in, at, ids, rows);
        }
        stream.idle = stream.in > before ? 0 : stream.idle + 1;
        const bool flows = of.rate > 0 || of.mass_rate > 0;
        const bool behind = stream.in < due && ((flows && 2 * stream.in < due && due > 20) || stream.idle >= kIdle);
        if (behind && !told_[s]) {
            told_[s] = true;
            warning = fmt::format(
                "[[insert]] \"{}\" is behind at t = {:.6g} s: {} of {} found room. What waits comes as there is room; give it a "
                "wider region, more velocity, or a lower rate",
                of.name, time, stream.in, due);
        }
    }
    engine.insert(ids, rows);
    return warning;
}

StateField Inserter::saved() const {
    std::vector<std::int64_t> values{looked_};
    for (const Stream& stream : streams_) values.push_back(static_cast<std::int64_t>(stream.in));
    StateField field;
    field.name = kField;
    field.type = StateField::Type::Int64;
    field.bytes.resize(values.size() * sizeof(std::int64_t));
    std::memcpy(field.bytes.data(), values.data(), field.bytes.size());
    return field;
}

void Inserter::restore(const EngineState& from) {
    const StateField* field = from.find(kField);
    std::vector<std::int64_t> values(streams_.size() + 1);
    if (field == nullptr || field->bytes.size() != values.size() * sizeof(std::int64_t))
        throw Error("the checkpoint is damaged: what it says of [[insert]] tables is incomplete");
    std::memcpy(values.data(), field->bytes.data(), field->bytes.size());
    looked_ = values[0];
    for (std::size_t s = 0; s < streams_.size(); ++s) streams_[s].in = static_cast<std::size_t>(values[s + 1]);
}

std::vector<InsertedBodies> Inserter::summary(double time) const {
    std::vector<InsertedBodies> all;
    for (const Stream& stream : streams_) {
        const Insertion& of = *stream.of;
        const std::size_t due = std::max(of.due(time), stream.in);
        all.push_back({of.name, static_cast<std::int64_t>(stream.in), stream.in > 0 ? of.total_mass[stream.in - 1] : 0.0,
                       static_cast<std::int64_t>(due - stream.in),
                       static_cast<std::int64_t>((time < of.to ? of.size() : due) - stream.in)});
    }
    return all;
}

}  // namespace scree
