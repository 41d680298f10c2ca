// The tables insert and remove: bodies that come and go while a run goes on.
#include <fmt/format.h>

#include <cmath>

#include "scene/tables.hpp"

namespace scree {

namespace {

/// A key of the stream of a group.
template <class M>
Key& stream_key(TableOf<SceneBodies>& t, const char* name, Type type, M SceneStream::*member, std::string doc) {
    return t.key(
        name, type, [member](SceneBodies& bodies, const Value& value) { detail::assign(bodies.stream.*member, value); },
        [member](const SceneBodies& bodies) { return detail::fetch(bodies.stream.*member); }, std::move(doc));
}
template <class M>
Key& stream_number(TableOf<SceneBodies>& t, const char* name, M SceneStream::*member, Dimension dimension, std::string doc) {
    Key& key = stream_key(t, name, Type::Number, member, std::move(doc));
    key.dimension = dimension;
    return key;
}

TablePtr mixture_table() {
    TableOf<SceneMixturePart> t("mixture", "One part of a mixture.");
    t.key("shape", Type::Name, &SceneMixturePart::shape, "Name of a shape.").required().reference("shape");
    t.key("material", Type::Name, &SceneMixturePart::material, "Name of a material.").required().reference("material");
    t.number("share", &SceneMixturePart::share, Dimension::Number, "Share of the part; shares are relative and need not add up to 1.")
        .required()
        .above(0);
    return t.build();
}

std::vector<SceneMixturePart> all_parts(const SceneBodies& bodies) {
    return bodies.stream.mixture;
}

void append_part(SceneBodies& bodies, const SceneMixturePart& part) {
    bodies.stream.mixture.push_back(part);
}

/// A scene as it was run does not have the key where bodies come by calls, with which it could not be read again.
void goes_without_calls(Key& key) {
    key.get = [get = key.get](const void* object) {
        const auto& bodies = *static_cast<const SceneBodies*>(object);
        return bodies.stream.on_call ? std::optional<Value>() : get(object);
    };
}

/// Either one shape and material, or several that differ.
void check_mixture(SceneBodies& bodies, const TableReading& reading) {
    const std::vector<SceneMixturePart>& parts = bodies.stream.mixture;
    if (parts.empty()) {
        for (const char* key : {"shape", "material"})
            if (!reading.has(key)) throw Error(reading.place, fmt::format("[[insert]] needs \"{}\", or a mixture", key));
        if (reading.has("shares_of")) reading.fail("shares_of", "does not apply without \"mixture\"");
        settle_turn(bodies, reading, is_round(reading.scene, bodies.shape));
        return;
    }
    for (const char* key : {"shape", "material"})
        if (reading.has(key)) reading.fail(key, "stands in each part of the mixture; leave it out here");
    bool round = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        round = round && is_round(reading.scene, parts[i].shape);
        for (std::size_t j = 0; j < i; ++j)
            if (parts[i].shape == parts[j].shape && parts[i].material == parts[j].material)
                reading.fail("mixture", fmt::format("has \"{}\" of \"{}\" twice: add up their shares", parts[i].shape, parts[i].material));
    }
    settle_turn(bodies, reading, round);
}

/// What is put in by calls has no time of its own, and a region only where that chooses places.
void check_stock(const SceneBodies& bodies, const TableReading& reading) {
    const SceneStream& s = bodies.stream;
    for (const char* key : {"rate", "mass_rate", "from", "to", "every"})
        if (reading.has(key)) reading.fail(key, "does not go with on_call = true: what calls put in comes when they say");
    if (reading.has("tries") && bodies.placement.region.empty()) reading.fail("tries", "does not apply without \"region\"");
    if (!s.count && !s.mass) reading.fail("on_call", "says not how many there are for calls: give count or mass");
}

void check_insert(SceneBodies& bodies, const TableReading& reading) {
    const SceneStream& s = bodies.stream;
    bodies.given = reading.given;
    if (s.count && s.mass) reading.fail("mass", "give either count or mass of all that comes, not both");
    if (s.on_call) {
        check_stock(bodies, reading);
        check_mixture(bodies, reading);
        return;
    }
    if (s.rate && s.mass_rate) reading.fail("mass_rate", "give either rate or mass_rate, not both");
    if (!(s.from < s.to)) reading.fail("to", fmt::format("must be above from = {}, not {}", s.from, s.to));
    const bool ends = (s.rate || s.mass_rate) && std::isfinite(s.to);
    if (!s.count && !s.mass && !ends)
        reading.fail(s.rate        ? "rate"
                     : s.mass_rate ? "mass_rate"
                                   : "shape",
                     "says not how much comes in all: give count or mass, or a rate and `to`, when it ends");
    if (bodies.placement.region.empty()) throw Error(reading.place, "[[insert]] needs \"region\"");
    check_mixture(bodies, reading);
}

}  // namespace

TablePtr insert_table() {
    TableOf<SceneBodies> t("[[insert]]",
                           "Bodies that come while the run goes on: at a rate, or as there is room, each where its bounding sphere touches "
                           "that of no other. The region "
                           "is to be clear of walls while they come. What finds "
                           "no room comes later; summary.json counts what is behind.");
    stream_key(t, "name", Type::Name, &SceneStream::name, "Name, for messages and the summary; every one has its own.")
        .otherwise("insert1, insert2, …");
    t.key("shape", Type::Name, &SceneBodies::shape, "Name of a shape.").reference("shape").otherwise("by `mixture`");
    t.key("material", Type::Name, &SceneBodies::material, "Name of a material.").reference("material").otherwise("by `mixture`");
    t.list<SceneMixturePart>(
         "mixture", append_part, all_parts, mixture_table(),
         "In place of `shape` and `material`: several of them, drawn in a random order that keeps their shares at all times, "
         "to about ten bodies.")
        .from(1)
        .to(100);
    Key& shares = stream_key(t, "shares_of", Type::Word, &SceneStream::shares_of, "What the shares of `mixture` are of.");
    shares.words = {"mass", "number"};
    shares.get = [get = shares.get](const void* object) {
        return static_cast<const SceneBodies*>(object)->stream.mixture.empty() ? std::nullopt : get(object);
    };
    t.table_if(
         "region", [](const SceneBodies& bodies) { return !bodies.placement.region.empty(); }, &SceneBodies::placement, region_table(),
         "Where they appear, wholly inside. With `on_call` where those appear that a call gives no places.")
        .otherwise("required, but with `on_call`");
    stream_number(t, "rate", &SceneStream::rate, Dimension::Frequency, "Bodies per time.").above(0).otherwise("as there is room");
    stream_number(t, "mass_rate", &SceneStream::mass_rate, Dimension::MassFlow, "Mass per time.").above(0).otherwise("as there is room");
    stream_key(t, "count", Type::Integer, &SceneStream::count, "How many come in all.")
        .from(1)
        .to(kMostBodies)
        .otherwise("by `mass`, or by the rate until `to`");
    stream_number(t, "mass", &SceneStream::mass, Dimension::Mass, "Mass of all that comes.")
        .above(0)
        .otherwise("by `count`, or the rate until `to`");
    Key& on_call = stream_key(
        t, "on_call", Type::Flag, &SceneStream::on_call,
        "These are a stock: a program that steps the simulation (docs/python.md, docs/library.md) puts them in by calls, and nothing "
        "else does, so that `scree run` leaves them out. What of them is taken out may be put in again.");
    on_call.otherwise("`false`").get = [](const void* object) {
        return static_cast<const SceneBodies*>(object)->stream.on_call ? written(true) : std::optional<Value>();
    };
    goes_without_calls(
        stream_number(t, "from", &SceneStream::from, Dimension::Time, "Simulated time at which the first may come.").from(0));
    goes_without_calls(stream_number(t, "to", &SceneStream::to, Dimension::Time,
                                     "Simulated time at which the stream ends; what was due by then and found no room still comes.")
                           .infinite());
    goes_without_calls(
        stream_number(
            t, "every", &SceneStream::every, Dimension::Time,
            "Simulated time between two looks for room; 0: that in which a body of the largest size gets out of the way of the next, by "
            "its velocity and gravity.")
            .from(0));
    Key& tries = stream_key(t, "tries", Type::Integer, &SceneStream::tries,
                            "Places tried for a body at each look, before it and those behind it wait.")
                     .from(1)
                     .to(1e6);
    tries.get = [get = tries.get](const void* object) {
        const auto& bodies = *static_cast<const SceneBodies*>(object);
        return bodies.stream.on_call && bodies.placement.region.empty() ? std::optional<Value>() : get(object);
    };
    t.vector("velocity", &SceneBodies::velocity, Dimension::Velocity,
             "Velocity with which they come; where the lengths of a periodic domain change, beside its own there.");
    t.number("velocity_deviation", &SceneBodies::velocity_deviation, Dimension::Velocity,
             "Standard deviation of each component of normally distributed velocities, which are added to `velocity`.")
        .from(0);
    t.vector("angular_velocity", &SceneBodies::angular_velocity, Dimension::AngularVelocity, "Angular velocity with which they come.")
        .turning();
    add_orientation_keys(t);
    t.key("seed", Type::Integer, &SceneBodies::seed, "Seed of the random numbers of sizes, places, velocities and orientations.").from(0);
    t.place(&SceneBodies::place);
    t.check(check_insert);
    return t.build();
}

namespace {

TablePtr recycle_table() {
    TableOf<SceneRecycling> t("recycle", "Where what was taken comes back, as the body that it was, as soon as there is room.");
    t.table("region", &SceneRecycling::region, region_table(), "Where they appear, wholly inside, clear of walls.").required();
    t.vector("velocity", &SceneRecycling::velocity, Dimension::Velocity, "Velocity with which they come back.");
    t.vector("angular_velocity", &SceneRecycling::angular_velocity, Dimension::AngularVelocity,
             "Angular velocity with which they come back.")
        .turning();
    t.word("orientation", &SceneRecycling::orientation, {"kept", "random"}, "As it was when taken, or uniformly random.");
    t.key("tries", Type::Integer, &SceneRecycling::tries, "Places tried for a body at each look, before it and those behind it wait.")
        .from(1)
        .to(1e6);
    t.key("seed", Type::Integer, &SceneRecycling::seed, "Seed of the random numbers of places and orientations.").from(0);
    t.place(&SceneRecycling::place);
    t.check([](SceneRecycling& recycling, const TableReading& reading) { recycling.given = reading.given; });
    return t.build();
}

/// Where bodies are taken once, a scene as it was run does not have the key, with which it could not be read again.
void goes_with_every(Key& key) {
    key.get = [get = key.get](const void* object) {
        return static_cast<const SceneRemoval*>(object)->at ? std::optional<Value>() : get(object);
    };
}

void check_remove(SceneRemoval& removal, const TableReading& reading) {
    if (reading.has("at") == reading.has("every"))
        throw Error(reading.has("at") ? reading.at("at") : reading.place,
                    "[[remove]] needs either `at`, for once, or `every`, the time between two looks");
    for (const char* key : {"from", "to", "recycle"})
        if (reading.has("at") && reading.has(key)) reading.fail(key, "goes with `every`, not with `at`");
    if (!(removal.from < removal.to)) reading.fail("to", fmt::format("must be above from = {}, not {}", removal.from, removal.to));
}

}  // namespace

TablePtr remove_table() {
    TableOf<SceneRemoval> t(
        "[[remove]]",
        "Takes bodies out while the run goes on: those whose centres are in a region when it is looked at. Named bodies "
        "([[body]] tables, and walls with a mass) are parts of machines and stay. With `recycle` they come back elsewhere.");
    t.key("name", Type::Name, &SceneRemoval::name, "Name, for messages and the summary; every one has its own.")
        .otherwise("remove1, remove2, …");
    t.table("region", &SceneRemoval::region, region_table(true), "Where bodies are taken.").required();
    t.key("material", Type::Name, &SceneRemoval::material, "Only bodies of this material are taken.")
        .reference("material")
        .otherwise("all");
    t.key("shape", Type::Names, &SceneRemoval::shape,
          "Only bodies of this shape, or of one of these, are taken; a compound goes whole, by its own.")
        .reference("shape")
        .otherwise("all");
    t.number("at", &SceneRemoval::at, Dimension::Time, "Simulated time at which bodies are taken, once.").from(0);
    t.number("every", &SceneRemoval::every, Dimension::Time, "Simulated time between two looks.").above(0);
    goes_with_every(t.number("from", &SceneRemoval::from, Dimension::Time, "Simulated time of the first look.").from(0));
    goes_with_every(t.number("to", &SceneRemoval::to, Dimension::Time,
                             "Simulated time from which on nothing is taken; what waits to come back still comes.")
                        .infinite());
    t.optional_table("recycle", &SceneRemoval::recycle, recycle_table(), "Where what was taken comes back; without, it is gone.");
    t.place(&SceneRemoval::place);
    t.check(check_remove);
    return t.build();
}

}  // namespace scree
