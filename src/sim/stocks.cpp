#include "sim/stocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/compounds.hpp"
#include "setup/method.hpp"
#include "setup/sizes.hpp"
#include "setup/wall_overlaps.hpp"
#include "sim/body_rows.hpp"
#include "sim/free_places.hpp"
#include "sim/saved_numbers.hpp"

namespace scree {

namespace {

// Fields of checkpoints: what came without a stock and what went, of each stock where its search begins and what came of each part, then
// what was taken and may come again; masses alike, and how those were turned.
constexpr const char *kCounts = "run.stocks", *kReals = "run.stocks_reals";
constexpr double kTouch = 1e-9;  // of a radius, that rounding may bring into a wall

bool finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Row k of what has one for all, or one for each.
template <class T>
const T& row_of(const std::vector<T>& rows, std::size_t k) {
    return rows.size() == 1 ? rows.front() : rows[k];
}

void require_rows(const char* what, std::size_t rows, std::size_t bodies) {
    if (rows > 1 && rows != bodies)
        throw Error(fmt::format("{}: give none, one for all, or one for each of {} bodies, not {}", what, bodies, rows));
}

Quat unit(const Quat& q, std::size_t k) {
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0) || !std::isfinite(length)) throw Error(fmt::format("orientation of number {} of the call has no direction", k));
    return std::fabs(length - 1) < 1e-12 ? q : Quat{q.w / length, q.x / length, q.y / length, q.z / length};
}

bool keeps_orientations(const Model& model) {
    const auto& shape = model.bodies.shape;
    return model.track_orientation || !model.joints.empty() || !model.bond_kinds.empty() ||
           std::any_of(shape.begin(), shape.end(), [](std::int32_t s) { return s >= 0; });
}

std::string body_text(const Model& model, std::uint32_t id) {
    const std::vector<std::string>& names = model.bodies.name;
    if (id < names.size() && !names[id].empty()) return fmt::format("body \"{}\"", names[id]);
    const std::int32_t owner = model.bodies.owner_of(id);
    return owner < 0 ? fmt::format("body {}", id) : fmt::format("body {}, a member of {}", id, owner);
}

/// The body with a surface that is nearest to a sphere.
std::string nearest_body(const Model& model, const Snapshot& now, Vec3 at, double radius) {
    double least = std::numeric_limits<double>::infinity();
    std::string found = "another body";
    for (std::size_t i = 0; i < now.id.size(); ++i) {
        if (is_compound(model, now.id[i])) continue;
        const Vec3 way = now.position[i] - at;
        const double gap = norm(now.cell.any() ? now.cell.nearest(way) : way) - radius - now.radius[i];
        if (gap >= least) continue;
        least = gap;
        found = body_text(model, now.id[i]);
    }
    return found;
}

/// Into the cell, with the velocity of the image there. What the cell gives bodies as its lengths change comes later.
void bring_home(const Cell& cell, BodyStart& start) {
    const ImageStep home = cell.home(start.at, 0.0);
    const Vec3 shift = cell.shift(home);
    start.at += shift;
    start.velocity += cell.drift(home);
    if (cell.any()) start.velocity -= cell.flow(shift, cell.growth, cell.sheared ? cell.speed_at(0, cell.growth) : 0.0);
}

/// Shows walls what a body is like: polyhedra as they are, all else by the sphere about it.
void add_trial(const Model& model, std::size_t id, Vec3 at, const Quat& turn, BodyTable& trial) {
    trial.add_sphere(at, model.bodies.radius[id], model.bodies.material[id], 1.0);
    const std::int32_t shape = model.bodies.shape[id];
    if (shape < 0) return;
    const ConvexShape& of = model.shapes[static_cast<std::size_t>(shape)];
    if (of.compound() || of.smooth.any()) return;
    trial.shape.back() = shape;
    trial.orientation.back() = turn;
}

}  // namespace

struct Stocks::Coming {
    std::int32_t id;
    Stock* stock;   // null: of none
    std::size_t k;  // which of it
    BodyStart start{};
    std::size_t index() const { return static_cast<std::size_t>(id); }
};

struct Stocks::Presence {
    std::vector<bool> there, waits;
    Presence(const Snapshot& now, const Remover& remover, std::size_t bodies) : there(bodies), waits(bodies) {
        for (const std::uint32_t id : now.id) there[id] = true;
        for (const std::int32_t id : remover.waiting()) waits[static_cast<std::size_t>(id)] = true;
    }
    bool is_free(std::int32_t id) const { return !there[static_cast<std::size_t>(id)] && !waits[static_cast<std::size_t>(id)]; }
};

std::int64_t Stocks::Stock::all() const {
    std::int64_t sum = 0;
    for (const Sum& part : came) sum += part.bodies;
    return sum;
}

Stocks::Stocks(const Scene& scene, const std::vector<Insertion>& insertions, const Remover& remover, const Model& model)
    : scene_(scene), remover_(remover), model_(model) {
    for (const Insertion& one : insertions) {
        if (one.on_call) stocks_.push_back({&one, 0, std::vector<Sum>(one.parts.size())});
    }
}

void Stocks::require_method(const char* what) const {
    if (model_.method != Method::Penalty && model_.method != Method::Cone)
        throw Error(fmt::format("bodies of method.kind = \"{}\" are there from the start to the end: none can be {}",
                                method_name(model_.method), what));
}

const Stocks::Stock& Stocks::find(const std::string& name) const {
    std::string known;
    for (const Stock& stock : stocks_) {
        if (stock.of->name == name) return stock;
        known += (known.empty() ? "" : ", ") + stock.of->name;
    }
    if (known.empty()) throw Error(fmt::format("there is no stock \"{}\": the scene has no [[insert]] with on_call = true", name));
    throw Error(fmt::format("there is no stock \"{}\"; there are {}", name, known));
}

std::vector<std::string> Stocks::names() const {
    std::vector<std::string> names;
    names.reserve(stocks_.size());
    for (const Stock& stock : stocks_) names.push_back(stock.of->name);
    return names;
}

std::vector<std::size_t> Stocks::free_of(const Stock& stock, const Presence& now) const {
    std::vector<std::size_t> free;
    const std::size_t size = stock.of->size();
    for (std::size_t j = 0; j < size; ++j) {
        const std::size_t k = (stock.next + j) % size;
        if (now.is_free(stock.of->first_id[k])) free.push_back(k);
    }
    return free;
}

std::vector<std::uint32_t> Stocks::left(Engine& engine, const std::string& name) const {
    const Stock& stock = find(name);
    const Presence now(engine.snapshot_of(0), remover_, model_.bodies.size());
    std::vector<std::uint32_t> ids;
    for (const std::size_t k : free_of(stock, now)) ids.push_back(static_cast<std::uint32_t>(stock.of->first_id[k]));
    return ids;
}

std::vector<Stocks::Coming> Stocks::choose(const AskedBodies& asked, const Presence& now) {
    const std::size_t n = !asked.position.empty() ? asked.position.size() : !asked.ids.empty() ? asked.ids.size() : asked.count;
    if (!asked.ids.empty() && asked.ids.size() != n) throw Error(fmt::format("{} positions for {} ids", n, asked.ids.size()));
    if (asked.count > 0 && asked.count != n) throw Error(fmt::format("{} positions or ids, but a count of {}", n, asked.count));
    if (asked.stock.empty() && asked.ids.empty()) throw Error("name a stock of the scene, or give ids of bodies that calls have taken out");
    Stock* stock = asked.stock.empty() ? nullptr : &stocks_[static_cast<std::size_t>(&find(asked.stock) - stocks_.data())];
    std::vector<Coming> bodies;
    if (asked.ids.empty()) {
        const std::vector<std::size_t> free = free_of(*stock, now);
        if (free.size() < n)
            throw Error(
                fmt::format("stock \"{}\" has {} of {} bodies left, not {}: raise count (or mass) of its [[insert]], or take bodies "
                            "of it out first",
                            asked.stock, free.size(), stock->of->size(), n));
        for (std::size_t j = 0; j < n; ++j) bodies.push_back({stock->of->first_id[free[j]], stock, free[j]});
        return bodies;
    }
    std::map<std::int32_t, std::size_t> row;
    for (const std::uint32_t id : asked.ids) {
        const std::string who = fmt::format("body {}", id);
        if (id >= model_.bodies.size()) throw Error(fmt::format("there is no {}: the scene has {}", who, model_.bodies.size()));
        const auto known = static_cast<std::int32_t>(id);
        if (!row.emplace(known, bodies.size()).second) throw Error(who + " is named twice");
        if (now.there[id]) throw Error(who + " is there already");
        if (now.waits[id]) throw Error(who + " waits to come back by recycle of a [[remove]]");
        bodies.push_back({known, nullptr, 0});
    }
    for (Stock& of : stocks_) {
        for (std::size_t k = 0; k < of.of->size() && (stock == nullptr || stock == &of); ++k) {
            const auto at = row.find(of.of->first_id[k]);
            if (at == row.end()) continue;
            bodies[at->second].stock = &of;
            bodies[at->second].k = k;
        }
    }
    for (const Coming& body : bodies) {
        if (body.stock != nullptr) continue;
        if (stock != nullptr) throw Error(fmt::format("body {} is none of stock \"{}\"", body.id, asked.stock));
        if (!taken_.contains(body.id))
            throw Error(fmt::format("body {} is none that a call has taken out, and of no stock: it cannot be put in", body.id));
    }
    return bodies;
}

void Stocks::give_starts(const AskedBodies& asked, std::vector<Coming>& bodies) const {
    const std::size_t n = bodies.size();
    const bool planar = model_.dimensions == 2;
    require_rows("velocities", asked.velocity.size(), n);
    require_rows("angular velocities", asked.angular_velocity.size(), n);
    require_rows("orientations", asked.orientation.size(), n);
    if (!asked.orientation.empty() && !keeps_orientations(model_))
        throw Error("this scene keeps no orientations of bodies: leave them out, or set output.orientation = true");
    std::map<const Stock*, std::int64_t> come;
    for (std::size_t k = 0; k < n; ++k) {
        Coming& body = bodies[k];
        BodyStart& start = body.start;
        if (body.stock != nullptr) {
            const auto number = static_cast<std::uint64_t>(body.stock->all() + come[body.stock]++);
            start = {{}, body.stock->of->velocity_of(number, planar), body.stock->of->angular_velocity, body.stock->of->turn_of(body.k)};
        } else {
            start.turn = taken_.at(body.id);
        }
        if (!asked.position.empty()) start.at = asked.position[k];
        if (!asked.velocity.empty()) start.velocity = row_of(asked.velocity, k);
        if (!asked.angular_velocity.empty()) start.angular_velocity = row_of(asked.angular_velocity, k);
        if (!asked.orientation.empty()) start.turn = unit(row_of(asked.orientation, k), k);
        const auto require_finite = [k](const char* what, Vec3 v) {
            if (!finite(v)) throw Error(fmt::format("{} of number {} of the call is not finite", what, k));
        };
        require_finite("position", start.at);
        require_finite("velocity", start.velocity);
        require_finite("angular velocity", start.angular_velocity);
        if (planar && (start.at.z != 0 || start.velocity.z != 0 || start.angular_velocity.x != 0 || start.angular_velocity.y != 0 ||
                       start.turn.x != 0 || start.turn.y != 0))
            throw Error(
                fmt::format("number {} of the call leaves the plane: in two dimensions z of position and velocity is 0, and bodies "
                            "turn about z",
                            k));
    }
}

void Stocks::find_places(Engine& engine, std::int64_t step, std::vector<Coming>& bodies) const {
    for (const Coming& body : bodies) {
        if (body.stock == nullptr)
            throw Error(fmt::format("give positions: body {} is of no stock, whose region would say where", body.id));
        if (!body.stock->of->has_region)
            throw Error(fmt::format("give positions, or the [[insert]] \"{}\" a region", body.stock->of->name));
    }
    for (const Stock& stock : stocks_) {
        const Insertion& of = *stock.of;
        std::vector<std::size_t> rows;
        std::vector<Ball> placed;
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            if (bodies[k].stock != &stock) continue;
            rows.push_back(k);
            smallest = std::min(smallest, model_.bodies.radius[bodies[k].index()]);
        }
        if (rows.empty()) continue;
        FreePlaces places(engine.bodies_in(of.region.bounds()), placed, smallest, rows.size());
        for (std::size_t j = 0; j < rows.size(); ++j) {
            Rng rng(of.seed,
                    hash_combine(hash_combine(static_cast<std::uint64_t>(Draw::Position), static_cast<std::uint64_t>(stock.all()) + j),
                                 static_cast<std::uint64_t>(step)));
            const std::optional<Vec3> at = places.take(of.region, model_.bodies.radius[bodies[rows[j]].index()], of.tries, rng);
            if (!at)
                throw Error(
                    fmt::format("none is put in: {} of {} find room in the region of stock \"{}\". Ask for fewer, wait until what is "
                                "there leaves, make the region wider, or give positions",
                                j, rows.size(), of.name));
            bodies[rows[j]].start.at = *at;
        }
    }
}

std::string Stocks::name_of(const std::vector<Coming>& bodies, std::size_t k) const {
    const Vec3 at = bodies[k].start.at;
    return fmt::format("none is put in: number {} of the call, of radius {:.6g} m at ({:.6g}, {:.6g}, {:.6g}) m,", k,
                       model_.bodies.radius[bodies[k].index()], at.x, at.y, at.z);
}

void Stocks::check_places(Engine& engine, const Snapshot& now, const std::vector<Coming>& bodies) const {
    const auto radius = [&](std::size_t k) { return model_.bodies.radius[bodies[k].index()]; };
    const Aabb domain = open_box(model_.domain);
    Aabb around;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Vec3 at = bodies[k].start.at, reach{radius(k), radius(k), radius(k)};
        if (!domain.contains(at)) throw Error(name_of(bodies, k) + " is out of the domain");
        around.include(at - reach);
        around.include(at + reach);
        smallest = std::min(smallest, radius(k));
    }
    const NearBodies near = engine.bodies_in(around);
    FreePlaces places(near, {}, smallest, bodies.size());
    std::vector<std::size_t> of;  // what was put
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Vec3 at = bodies[k].start.at;
        if (const std::optional<std::size_t> other = places.touched(at, radius(k)))
            throw Error(fmt::format("{} would touch {}", name_of(bodies, k),
                                    *other < near.radius.size() ? nearest_body(model_, now, at, radius(k))
                                                                : fmt::format("number {} of the call", of[*other - near.radius.size()])));
        for (const ImageStep& step : nearest_images(now.cell, at)) {
            places.put({at + now.cell.shift(step), radius(k)});
            of.push_back(k);
        }
    }
}

void Stocks::check_walls(const Snapshot& now, const Presence& present, const std::vector<Coming>& bodies) const {
    if (model_.walls.empty()) return;
    WallsNow walls{now.walls, {}};
    for (const Wall& wall : model_.walls) {
        const double t = now.time + 1e-6 * model_.dt;  // as the engine forgives rounding
        const bool carried = wall.body < 0 || present.there[static_cast<std::size_t>(wall.body)];
        walls.there.push_back(carried && t >= wall.active_from && t < wall.active_to);
    }
    BodyTable trial;
    std::vector<std::size_t> of;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        for (const ImageStep& step : nearest_images(now.cell, bodies[k].start.at)) {
            add_trial(model_, bodies[k].index(), bodies[k].start.at + now.cell.shift(step), bodies[k].start.turn, trial);
            of.push_back(k);
        }
    }
    const std::vector<WallOverlap> found = find_wall_overlaps(scene_, model_, trial, walls, kTouch, kTouch);
    for (std::size_t w = 0; w < found.size(); ++w) {
        if (found[w].past_warning > 0)
            throw Error(fmt::format("{} would be {:.3g} m deep in wall \"{}\"",
                                    name_of(bodies, of[static_cast<std::size_t>(found[w].body)]), found[w].depth, model_.walls[w].name));
    }
}

std::vector<std::uint32_t> Stocks::insert(Engine& engine, std::int64_t step, const AskedBodies& asked) {
    require_method("put in");
    const Snapshot now = engine.snapshot_of(kSnapshotPositions | kSnapshotConstants);
    const Presence present(now, remover_, model_.bodies.size());
    std::vector<Coming> bodies = choose(asked, present);
    if (bodies.empty()) return {};
    give_starts(asked, bodies);
    if (asked.position.empty()) find_places(engine, step, bodies);
    for (Coming& body : bodies) {
        bring_home(now.cell, body.start);
    }
    check_places(engine, now, bodies);
    check_walls(now, present, bodies);
    BodyRows rows;
    std::vector<std::uint32_t> ids;
    for (const Coming& body : bodies) {
        add_body(model_, body.id, body.start, rows);
        ids.push_back(static_cast<std::uint32_t>(body.id));
    }
    engine.insert(rows.ids, rows.start);
    for (const Coming& body : bodies) {
        Sum& sum = body.stock == nullptr ? in_ : body.stock->came[body.stock->of->part_of(body.k)];
        ++sum.bodies;
        sum.mass += model_.bodies.mass[body.index()];
        if (body.stock == nullptr) taken_.erase(body.id);
        if (body.stock != nullptr && asked.ids.empty()) body.stock->next = (body.k + 1) % body.stock->of->size();
    }
    return ids;
}

void Stocks::remove(Engine& engine, const std::vector<std::uint32_t>& asked) {
    require_method("taken out");
    const Presence now(engine.snapshot_of(0), remover_, model_.bodies.size());
    std::vector<std::int32_t> ids;
    for (const std::uint32_t id : asked) {
        if (id >= now.there.size() || !now.there[id]) throw Error(fmt::format("there is no body {} now", id));
        const auto known = static_cast<std::int32_t>(id);
        const std::int32_t owner = model_.bodies.owner_of(id);
        if (owner >= 0) throw Error(fmt::format("body {} is a member of a compound: take the compound out, body {}", id, owner));
        const auto joined = [known](const Joint& joint) { return joint.a == known || joint.b == known; };
        const bool named = id < model_.bodies.name.size() && !model_.bodies.name[id].empty();
        if (named || std::any_of(model_.joints.begin(), model_.joints.end(), joined))
            throw Error(body_text(model_, id) + " is part of a machine, and stays");
        ids.push_back(known);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.empty()) return;
    const std::vector<Quat> turned = engine.remove(ids);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        ++out_.bodies;
        out_.mass += model_.bodies.mass[static_cast<std::size_t>(ids[k])];
        if (!is_of_stock(ids[k])) taken_[ids[k]] = turned[k];
    }
}

bool Stocks::is_of_stock(std::int32_t id) const {
    return std::any_of(stocks_.begin(), stocks_.end(), [id](const Stock& stock) { return stock.of->begin <= id && id < stock.of->end; });
}

std::vector<StateField> Stocks::saved() const {
    std::vector<std::int64_t> counts;
    std::vector<double> reals;
    const auto add = [&](const Sum& sum) {
        counts.push_back(sum.bodies);
        reals.push_back(sum.mass);
    };
    add(in_);
    add(out_);
    for (const Stock& stock : stocks_) {
        counts.push_back(static_cast<std::int64_t>(stock.next));
        for (const Sum& part : stock.came) add(part);
    }
    for (const auto& [id, turn] : taken_) {
        counts.push_back(id);
        reals.insert(reals.end(), {turn.w, turn.x, turn.y, turn.z});
    }
    return {field_of(kCounts, StateField::Type::Int64, counts), field_of(kReals, StateField::Type::Float64, reals)};
}

void Stocks::restore(const EngineState& from) {
    const std::vector<std::int64_t> counts = values_of<std::int64_t>(from, kCounts);
    const std::vector<double> reals = values_of<double>(from, kReals);
    if (from.find(kCounts) == nullptr && stocks_.empty()) return;
    std::size_t at = 0, real = 0;
    const auto require = [](bool there) {
        if (!there) throw Error("the checkpoint is damaged: what it says of bodies that calls put in and took out is incomplete");
    };
    const auto next = [&](Sum& sum) {
        require(at < counts.size() && real < reals.size());
        sum = {counts[at++], reals[real++]};
    };
    next(in_);
    next(out_);
    for (Stock& stock : stocks_) {
        require(at < counts.size() && counts[at] >= 0 && static_cast<std::size_t>(counts[at]) < stock.of->size());
        stock.next = static_cast<std::size_t>(counts[at++]);
        for (Sum& part : stock.came) next(part);
    }
    require(reals.size() - real == 4 * (counts.size() - at));
    for (; at < counts.size(); ++at, real += 4) {
        require(counts[at] >= 0 && static_cast<std::size_t>(counts[at]) < model_.bodies.size());
        taken_[static_cast<std::int32_t>(counts[at])] = {reals[real], reals[real + 1], reals[real + 2], reals[real + 3]};
    }
}

std::vector<InsertedBodies> Stocks::summary() const {
    std::vector<InsertedBodies> all;
    for (const Stock& stock : stocks_) {
        InsertedBodies one{stock.of->name, 0, 0, 0, 0, {}};
        for (std::size_t p = 0; p < stock.came.size(); ++p) {
            one.bodies += stock.came[p].bodies;
            one.mass += stock.came[p].mass;
            if (!stock.of->part.empty()) one.parts.push_back({stock.of->parts[p].name, stock.came[p].bodies, stock.came[p].mass});
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::optional<InsertedBodies> Stocks::others() const {
    if (in_.bodies == 0) return std::nullopt;
    return InsertedBodies{"by calls", in_.bodies, in_.mass, 0, 0, {}};
}

std::optional<RemovedBodies> Stocks::removed() const {
    if (out_.bodies == 0) return std::nullopt;
    return RemovedBodies{"by calls", out_.bodies, out_.mass, false, 0, 0};
}

}  // namespace scree
