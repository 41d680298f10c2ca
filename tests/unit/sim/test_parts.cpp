// The small parts around the loop: measures, scene comparison, messages, progress, signals.
#include <doctest/doctest.h>

#include <sstream>

#include "base/error.hpp"
#include "sim/compare_scenes.hpp"
#include "sim/fault_message.hpp"
#include "sim/progress.hpp"
#include "sim/signals.hpp"
#include "unit/output/temporary_directory.hpp"
#include "unit/sim/fake_engine.hpp"

using namespace scree;

namespace {

SceneMeasure measure(const std::string& kind, const std::string& name = "") {
    SceneMeasure m;
    m.kind = kind;
    m.name = name;
    return m;
}

}  // namespace

TEST_CASE("measures: columns and values of every kind") {
    FakePlan plan;
    const Factories factories = fake_factories(plan);
    Scene scene = fake_scene();
    scene.measures = {measure("count"), measure("coordination", "z"), measure("max_overlap"), measure("wall_load"), measure("momentum")};
    SceneMeasure box = measure("mass_in", "left");
    box.region = "box";
    box.box_min = {-0.05, -1, -1};
    box.box_max = {0.15, 1, 2};
    scene.measures.push_back(box);
    const Model model = factories.build(scene).model;
    const Measures measures(scene, model);
    const std::vector<std::string> expected = {"count.bodies",       "count.mass",
                                               "count.removed",      "z.mean",
                                               "z.contacts",         "z.wall_contacts",
                                               "max_overlap.ratio",  "wall_load.floor.fx",
                                               "wall_load.floor.fy", "wall_load.floor.fz",
                                               "wall_load.floor.tx", "wall_load.floor.ty",
                                               "wall_load.floor.tz", "wall_load.floor.power",
                                               "momentum.px",        "momentum.py",
                                               "momentum.pz",        "momentum.Lx",
                                               "momentum.Ly",        "momentum.Lz",
                                               "left.mass",          "left.count"};
    CHECK(measures.columns() == expected);
    FakeEngine engine(model, {}, plan);
    const auto row = measures.sample(engine, {true, false, true, true, false, true});
    CHECK(row[0] == 3.0);
    CHECK(!row[3].has_value());
    CHECK(row[6] == 0.01);
    CHECK(row[7] == 1.0);
    CHECK(row[12] == 6.0);
    CHECK(row[13] == 7.0);
    CHECK(!row[14].has_value());
    CHECK(row[20] == model.bodies.mass[0] + model.bodies.mass[1]);
    CHECK(row[21] == 2.0);
    CHECK(!Measures::need_energy(scene));
    scene.measures.push_back(measure("energy"));
    CHECK(Measures::need_energy(scene));
    const Measures with_energy(scene, model);
    REQUIRE(with_energy.columns().size() == 33);
    CHECK(with_energy.columns()[30] == "energy.total");
    CHECK(with_energy.columns()[31] == "energy.work_of_walls");
    CHECK(with_energy.columns()[32] == "energy.work_of_fields");
    CHECK(with_energy.sample(engine, {false, false, false, false, false, false, true})[30] == engine.measure().energy.total());
}

TEST_CASE("measures: equal names and unknown walls are refused") {
    FakePlan plan;
    Scene scene = fake_scene();
    const Model model = fake_factories(plan).build(scene).model;
    scene.measures = {measure("count"), measure("count")};
    CHECK(message_of<Error>([&] { Measures(scene, model); }).find("count.bodies") != std::string::npos);
    scene.measures = {measure("wall_load")};
    scene.measures[0].wall = "roof";
    CHECK(message_of<Error>([&] { Measures(scene, model); }).find("roof") != std::string::npos);
}

TEST_CASE("scenes: settings by table, also repeated ones") {
    const auto settings =
        settings_of("title = \"a = b\"\n\n[time]\nend = 1\n\n[material.glass]\nyoung = 1e7\n[[bodies]]\nseed = 1\n[[bodies]]\nseed = 2\n");
    REQUIRE(settings.size() == 5);
    CHECK(settings[0].key == "title");
    CHECK(settings[0].value == "\"a = b\"");
    CHECK(settings[2].key == "material.glass.young");
    CHECK(settings[4].key == "bodies[2].seed");
    CHECK(settings[4].value == "2");
}

TEST_CASE("scenes: a restart may change walls, measures, output, end and title; all else is named") {
    const std::string before =
        "title = \"a\"\n[time]\nstep = 0.1\nend = 1\n[material.glass]\nyoung = 1e7\n[[wall]]\nkind = \"plane\"\n[output]\nevery = 1\n";
    CHECK(changed_settings(before, before).empty());
    CHECK(changed_settings(before,
                           "title = \"b\"\n[time]\nstep = 0.1\nend = 2\n[material.glass]\nyoung = 1e7\n[[measure]]\nkind = \"count\"\n")
              .empty());
    const auto changes = changed_settings(before, "[time]\nstep = 0.2\nend = 1\n[material.glass]\nyoung = 1e7\nfriction = 0.3\n");
    REQUIRE(changes.size() == 2);
    CHECK(changes[0] == "time.step: 0.1 in the checkpoint, 0.2 now");
    CHECK(changes[1] == "material.glass.friction: nothing in the checkpoint, 0.3 now");
    CHECK(changed_settings(before, "[time]\nstep = 0.1\nend = 1\n") ==
          std::vector<std::string>{"material.glass.young: 1e7 in the checkpoint, nothing now"});
    // Hard particles: impulses are summed over the volume between the walls of the start.
    const std::string hard = "[method]\nkind = \"hard\"\n[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\n";
    CHECK(changed_settings(hard, hard + "[output]\nevery = 1\n").empty());
    CHECK(changed_settings(hard, "[method]\nkind = \"hard\"\n[[wall]]\nkind = \"box\"\nmin = [1, 0, 0]\n") ==
          std::vector<std::string>{"wall[1].min: [0, 0, 0] in the checkpoint, [1, 0, 0] now"});
    CHECK(changed_settings(hard, "[method]\nkind = \"hard\"\n").size() == 2);
}

TEST_CASE("faults: the message names bodies, place, time and the setting to change") {
    Model model;
    model.dt = 1e-4;
    model.walls.emplace_back();
    model.walls[0].name = "floor";
    Fault fault;
    fault.kind = FaultKind::Overlap;
    fault.body = 12;
    fault.other = 34;
    fault.step = 99;
    fault.time = 0.0099;
    fault.position = {1, 2, 3};
    fault.value = 0.4;
    std::string text = fault_message(fault, model);
    for (const char* part : {"body 12 and body 34", "(1, 2, 3)", "t = 0.0099 s", "step 99", "time.step", "young", "overlap_limit = 0.3"}) {
        CHECK(text.find(part) != std::string::npos);
    }
    model.penalty.law = Law::Linear;
    fault.other = ContactRecord::none;
    fault.wall = 0;
    text = fault_message(fault, model);
    CHECK(text.find("body 12 and wall \"floor\"") != std::string::npos);
    CHECK(text.find("method.stiffness") != std::string::npos);
    fault.kind = FaultKind::Left;
    CHECK(fault_message(fault, model).find("domain.leave = \"remove\"") != std::string::npos);
    fault.kind = FaultKind::NotFinite;
    CHECK(fault_message(fault, model).find("finite") != std::string::npos);
}

TEST_CASE("progress: percent, time, speed and time left") {
    ProgressState p{0, 250, 1000, 0.25, 1, 2.5e6, 10};
    const ProgressRate rate = rate_between({0, 0, 1000}, p);
    const std::string whole = " 25.0 %  t = 0.25 s of 1 s  30 s left  0.25 M body-steps/s";
    CHECK(progress_line(p, rate) == whole);
    CHECK(progress_line(p, rate, "writing a frame") == " 25.0 %  t = 0.25 s of 1 s  30 s left  writing a frame  0.25 M body-steps/s");
    // What does not fit is left out from the end, whole; the share done always shows.
    CHECK(progress_line(p, rate, "", static_cast<int>(whole.size())) == whole);
    CHECK(progress_line(p, rate, "", static_cast<int>(whole.size()) - 1) == " 25.0 %  t = 0.25 s of 1 s  30 s left");
    CHECK(progress_line(p, rate, "", 5) == " 25.0 %");
    ProgressState later = p;
    later.step = 500, later.wall_seconds = 15, later.particle_steps = 5e6, later.rebuilds = 10;
    const ProgressRate recent = rate_between(p, later);
    CHECK(recent.body_steps == doctest::Approx(0.5e6));
    CHECK(recent.seconds_left == doctest::Approx(10));
    CHECK(recent.steps_per_list == doctest::Approx(25));
    CHECK(format_duration(59.4) == "59 s");
    CHECK(format_duration(60) == "1 min 00 s");
    CHECK(format_duration(3 * 3600 + 125) == "3 h 02 min");
    std::ostringstream terminal;
    Progress rewritten(&terminal, ProgressStyle::Rewrite);
    rewritten.update(p);
    p.wall_seconds = 10.1;  // too soon for another
    rewritten.update(p);
    rewritten.clear();
    CHECK(terminal.str() == "\r" + whole + "\x1b[K\r\x1b[K");
    // What may take long shows at once, and not again where it was short.
    terminal.str("");
    rewritten.doing("writing a frame");
    rewritten.doing("");
    CHECK(terminal.str().find("writing a frame") != std::string::npos);
    rewritten.clear();
    terminal.str("");
    rewritten.doing("writing a frame");
    rewritten.doing("");
    CHECK(terminal.str().empty());
    std::ostringstream narrow;
    Progress thin(&narrow, ProgressStyle::Rewrite, [] { return 20; });
    thin.update(p);
    CHECK(narrow.str() == "\r 25.0 %\x1b[K");
    std::ostringstream objects;
    Progress json(&objects, ProgressStyle::Json);
    json.update(p);
    json.say("warning", "two \"words\"");
    CHECK(objects.str().find("\"step\": 250,") != std::string::npos);
    CHECK(objects.str().find("{\"event\": \"warning\", \"text\": \"two \\\"words\\\"\"}\n") != std::string::npos);
    CHECK(objects.str().find('\r') == std::string::npos);
    std::ostringstream file;
    Progress lines(&file, ProgressStyle::Lines);
    lines.update(p);
    CHECK(file.str().empty());
    p.wall_seconds = 61;
    lines.update(p);
    CHECK(file.str().find('\r') == std::string::npos);
    CHECK(file.str().back() == '\n');
    Progress none(nullptr, ProgressStyle::Rewrite);
    none.update(p);
    none.clear();
}

TEST_CASE("signals: the first is noted, the second takes its default action, and handlers are put back") {
    struct sigaction now {};
    {
        const SignalGuard guard;
        CHECK(guard.received() == 0);
        raise(SIGTERM);
        CHECK(guard.received() == SIGTERM);
        sigaction(SIGINT, nullptr, &now);
        CHECK((now.sa_handler == SIG_DFL));
        sigaction(SIGTERM, nullptr, &now);
        CHECK((now.sa_handler == SIG_DFL));
    }
    const SignalGuard again;
    CHECK(again.received() == 0);
}
