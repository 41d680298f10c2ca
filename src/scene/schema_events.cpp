// The table event.
#include <fmt/format.h>

#include "scene/tables.hpp"

namespace scree {

TablePtr event_table() {
    TableOf<SceneEvent> t(
        "[[event]]",
        "What happens once a measure passes a value: the run stops, a wall comes, goes, starts or halts, a driven domain "
        "goes on to its next "
        "stage. Looked for at the start and whenever the measure is taken by its `every`, or with a frame; each happens once.");
    t.key("name", Type::Name, &SceneEvent::name, "Name, for messages and the summary; every one has its own.")
        .otherwise("event1, event2, …");
    t.key("measure", Type::Text, &SceneEvent::measure, "Column of `series.csv` that is looked at, as \"energy.kinetic_translation\".")
        .required();
    t.number("above", &SceneEvent::above, Dimension::Number, "It happens once the column is above this, in its SI unit.");
    t.number("below", &SceneEvent::below, Dimension::Number, "It happens once the column is below this.");
    t.number("from", &SceneEvent::from, Dimension::Time, "Simulated time from which on it is looked for.").from(0);
    t.key("stop", Type::Flag, &SceneEvent::on, "The run ends, with its last frame and a checkpoint.");
    t.key("add", Type::Name, &SceneEvent::wall, "Wall that is there from then on, and not before.").reference("wall");
    t.key("remove", Type::Name, &SceneEvent::wall, "Wall that is gone from then on.").reference("wall");
    t.key("move", Type::Name, &SceneEvent::wall, "Wall whose motion starts then; its times count from there.").reference("wall");
    t.key("halt", Type::Name, &SceneEvent::wall, "Wall whose motion ends then.").reference("wall");
    t.key("next_stage", Type::Flag, &SceneEvent::on, "The stage of a driven domain ends, and the next begins.");
    t.place(&SceneEvent::place);
    t.one_of(
        {"stop", "add", "remove", "move", "halt", "next_stage"}, [](SceneEvent& event, const std::string& key) { event.action = key; },
        [](const SceneEvent& event) { return event.action; });
    t.check([](SceneEvent& event, const TableReading& reading) {
        if (event.above.has_value() == event.below.has_value()) reading.fail("measure", "an event has one of above and below");
        if (!event.on) reading.fail(event.action, fmt::format("{} = false says nothing: leave the event out", event.action));
    });
    return t.build();
}

}  // namespace scree
