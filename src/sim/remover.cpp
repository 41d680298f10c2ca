#include "sim/remover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "setup/groups.hpp"
#include "setup/sizes.hpp"
#include "sim/body_rows.hpp"
#include "sim/free_places.hpp"
#include "sim/saved_numbers.hpp"
#include "sim/schedule.hpp"

namespace scree {

namespace {

// Fields of checkpoints: the step of the last look, then of each table what was taken, came back and waits, and the ids of these; masses,
// and the turns of what waits.
constexpr const char *kCounts = "run.remove", *kReals = "run.remove_reals";
constexpr int kIdle = 50;  // looks without room after which it is said

}  // namespace

Remover::Remover(const std::vector<Removal>& removals, const Model& model) : model_(model) {
    for (const Removal& one : removals) sinks_.push_back({&one, 0, 0, 0, {}, 0});
}

std::int64_t Remover::Sink::next_look(std::int64_t step, double dt) const {
    if (of->every == 0) {
        const std::int64_t once = steps_to(of->from, dt);
        return once > step ? once : Schedule::never;
    }
    const std::int64_t next = scree::next_look(of->from, of->every, dt, step);
    return static_cast<double>(next) * dt < of->to || !waiting.empty() ? next : Schedule::never;
}

std::int64_t Remover::next_after(std::int64_t step) const {
    std::int64_t next = Schedule::never;
    for (const Sink& sink : sinks_) next = std::min(next, sink.next_look(step, model_.dt));
    return next;
}

std::string Remover::look(Engine& engine, std::int64_t step) {
    const double time = static_cast<double>(step) * model_.dt;
    std::string warning;
    looked_ = step;
    for (Sink& sink : sinks_) {
        if (sink.next_look(step - 1, model_.dt) != step) continue;
        if (time < sink.of->to) take(engine, sink);
        put_back(engine, sink, step);
        if (sink.idle == kIdle)
            warning = fmt::format(
                "[[remove]] \"{}\" finds no room at t = {:.6g} s: {} wait to come back. They come as there is room; give recycle a wider "
                "region, or more velocity",
                sink.of->name, time, sink.waiting.size());
    }
    return warning;
}

void Remover::take(Engine& engine, Sink& sink) const {
    const Removal& of = *sink.of;
    std::vector<std::int32_t> ids = engine.bodies_with_centres_in(of.region);
    std::erase_if(ids, [&](std::int32_t id) { return !of.takes(model_.bodies, static_cast<std::size_t>(id)); });
    if (ids.empty()) return;
    const std::vector<Quat> turn = engine.remove(ids);
    sink.taken += static_cast<std::int64_t>(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) {
        sink.mass += model_.bodies.mass[static_cast<std::size_t>(ids[k])];
        if (of.recycle) sink.waiting.push_back({ids[k], turn[k]});
    }
}

void Remover::put_back(Engine& engine, Sink& sink, std::int64_t step) const {
    if (sink.waiting.empty()) return;
    const Recycling& by = *sink.of->recycle;
    const auto radius_of = [&](const Waiting& body) { return model_.bodies.radius[static_cast<std::size_t>(body.id)]; };
    double smallest = std::numeric_limits<double>::max();
    for (const Waiting& body : sink.waiting) smallest = std::min(smallest, radius_of(body));
    FreePlaces places(engine.bodies_in(by.region.bounds()), {}, smallest, sink.waiting.size());
    BodyRows rows;
    std::int64_t found = 0;
    for (; !sink.waiting.empty(); sink.waiting.pop_front(), ++found) {
        const Waiting& body = sink.waiting.front();
        Rng rng(by.seed, hash_combine(hash_combine(static_cast<std::uint64_t>(Draw::Position), static_cast<std::uint64_t>(body.id)),
                                      static_cast<std::uint64_t>(step)));
        const std::optional<Vec3> at = places.take(by.region, radius_of(body), by.tries, rng);
        if (!at) break;
        Rng turning(by.seed, hash_combine(hash_combine(static_cast<std::uint64_t>(Draw::Orientation), static_cast<std::uint64_t>(body.id)),
                                          static_cast<std::uint64_t>(step)));
        const Quat turn = by.random_turn ? normalized(random_turn(turning, model_.dimensions == 2)) : body.turn;
        add_body(model_, body.id, {*at, by.velocity, by.angular_velocity, turn}, rows);
    }
    if (found > 0) engine.put_back(rows.ids, rows.start);
    sink.returned += found;
    sink.idle = found > 0 ? 0 : sink.idle + 1;
}

std::vector<StateField> Remover::saved() const {
    std::vector<std::int64_t> counts{looked_};
    std::vector<double> reals;
    for (const Sink& sink : sinks_) {
        counts.insert(counts.end(), {sink.taken, sink.returned, static_cast<std::int64_t>(sink.waiting.size())});
        reals.push_back(sink.mass);
        for (const Waiting& body : sink.waiting) {
            counts.push_back(body.id);
            reals.insert(reals.end(), {body.turn.w, body.turn.x, body.turn.y, body.turn.z});
        }
    }
    return {field_of(kCounts, StateField::Type::Int64, counts), field_of(kReals, StateField::Type::Float64, reals)};
}

void Remover::restore(const EngineState& from) {
    const std::vector<std::int64_t> counts = values_of<std::int64_t>(from, kCounts);
    const std::vector<double> reals = values_of<double>(from, kReals);
    std::size_t at = 0, real = 0;
    const auto require = [](bool there) {
        if (!there) throw Error("the checkpoint is damaged: what it says of [[remove]] tables is incomplete");
    };
    require(!counts.empty());
    looked_ = counts[at++];
    for (Sink& sink : sinks_) {
        require(at + 3 <= counts.size() && real < reals.size());
        sink.taken = counts[at++];
        sink.returned = counts[at++];
        const auto waiting = static_cast<std::size_t>(counts[at++]);
        sink.mass = reals[real++];
        require(waiting <= counts.size() - at && waiting <= (reals.size() - real) / 4);
        for (std::size_t k = 0; k < waiting; ++k, real += 4) {
            const std::int64_t id = counts[at++];
            require(id >= 0 && static_cast<std::size_t>(id) < model_.bodies.size());
            sink.waiting.push_back({static_cast<std::int32_t>(id), {reals[real], reals[real + 1], reals[real + 2], reals[real + 3]}});
        }
    }
    require(at == counts.size() && real == reals.size());
}

std::vector<std::int32_t> Remover::waiting() const {
    std::vector<std::int32_t> ids;
    for (const Sink& sink : sinks_) {
        for (const Waiting& body : sink.waiting) ids.push_back(body.id);
    }
    return ids;
}

std::vector<RemovedBodies> Remover::summary() const {
    std::vector<RemovedBodies> all;
    for (const Sink& sink : sinks_)
        all.push_back({sink.of->name, sink.taken, sink.mass, sink.of->recycle.has_value(), sink.returned,
                       static_cast<std::int64_t>(sink.waiting.size())});
    return all;
}

}  // namespace scree
