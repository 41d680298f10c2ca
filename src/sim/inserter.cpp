#include "sim/inserter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "setup/sizes.hpp"
#include "model/compounds.hpp"
#include "sim/free_places.hpp"
#include "sim/schedule.hpp"

namespace scree {

namespace {

constexpr const char* kField = "run.insert";  // of checkpoints
constexpr int kIdle = 50;                     // looks without room after which a stream is said to find none

}  // namespace

Inserter::Inserter(const std::vector<Insertion>& insertions, const Model& model) : model_(model), told_(insertions.size(), false) {
    for (const Insertion& one : insertions)
        if (!one.on_call) streams_.push_back({&one});
}

std::int64_t Inserter::Stream::next_look(std::int64_t step, double dt) const {
    const std::int64_t next = scree::next_look(of->from, of->every, dt, step);
    const double time = static_cast<double>(next) * dt;
    return in < of->size() && (time < of->to || of->due(time) > in) ? next : Schedule::never;
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
    const Vec3 v = of.velocity_of(k, model_.dimensions == 2);
    const Quat q = of.turn_of(k);
    const StreamPart& part = of.parts[of.part_of(k)];
    const std::size_t before = rows.size();
    if (is_compound_shape(model_, part.shape)) {
        add_compound(rows, part.shape, part.members, {at, q, bodies.radius[i], bodies.mass[i], bodies.material[i], v, of.angular_velocity});
    } else {
        rows.position.push_back(at);
        rows.velocity.push_back(v);
        rows.angular_velocity.push_back(of.angular_velocity);
        rows.radius.push_back(bodies.radius[i]);
        rows.mass.push_back(bodies.mass[i]);
        rows.material.push_back(bodies.material[i]);
        rows.shape.push_back(part.shape);
        rows.orientation.push_back(q);
    }
    for (std::size_t n = before; n < rows.size(); ++n) ids.push_back(id + static_cast<std::int32_t>(n - before));
}

std::string Inserter::insert_due(Engine& engine, std::int64_t step) {
    const double time = static_cast<double>(step) * model_.dt;
    std::string warning;
    std::vector<std::int32_t> ids;
    BodyTable rows;
    std::vector<Ball> placed;  // of all streams at this step
    looked_ = step;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
        Stream& stream = streams_[s];
        const Insertion& of = *stream.of;
        const std::size_t due = of.due(time);
        if (due <= stream.in || stream.next_look(step - 1, model_.dt) != step) continue;
        const std::size_t before = stream.in;
        double smallest = std::numeric_limits<double>::max();
        for (std::size_t k = stream.in; k < due; ++k)
            smallest = std::min(smallest, model_.bodies.radius[static_cast<std::size_t>(of.first_id[k])]);
        FreePlaces places(engine.bodies_in(of.region.bounds()), placed, smallest, due - stream.in);
        for (; stream.in < due; ++stream.in) {
            const double r = model_.bodies.radius[static_cast<std::size_t>(of.first_id[stream.in])];
            Rng rng(of.seed,
                    hash_combine(hash_combine(static_cast<std::uint64_t>(Draw::Position), stream.in), static_cast<std::uint64_t>(step)));
            const std::optional<Vec3> at = places.take(of.region, r, of.tries, rng);
            if (!at) break;
            placed.push_back({*at, r});
            add_rows(stream, stream.in, *at, ids, rows);
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
        InsertedBodies one{of.name,
                           static_cast<std::int64_t>(stream.in),
                           stream.in > 0 ? of.total_mass[stream.in - 1] : 0.0,
                           static_cast<std::int64_t>(due - stream.in),
                           static_cast<std::int64_t>((time < of.to ? of.size() : due) - stream.in),
                           {}};
        if (!of.part.empty()) {
            for (const StreamPart& part : of.parts) one.parts.push_back({part.name, 0, 0});
            for (std::size_t k = 0; k < stream.in; ++k) {
                InsertedPart& part = one.parts[of.part[k]];
                ++part.bodies;
                part.mass += model_.bodies.mass[static_cast<std::size_t>(of.first_id[k])];
            }
        }
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace scree
