#!/usr/bin/env python3
"""Events: what happens once a measure passes a value. Each against a run that has the same by times of its own; restarts to the bit."""

import math
import unittest

import h5py

from program import ProgramTest

SCENE = """[time]
end = {end}
step = "50 us"
[domain]
{domain}
[method]
{method}
[material.m]
density = 1200
young = "5 MPa"
poisson = 0.3
restitution = 0.3
friction = 0.35
[shape.ball]
kind = "sphere"
radius = "3 mm"
[[bodies]]
shape = "ball"
material = "m"
place = {{ at = [{places}] }}
[[wall]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
[[wall]]
name = "gate"
kind = "quad"
corners = [[-0.05, -0.05, 0.1], [0.05, -0.05, 0.1], [0.05, 0.05, 0.1], [-0.05, 0.05, 0.1]]
material = "m"
{gate}
{more}
[[measure]]
kind = "energy"
every = "2 ms"
[[measure]]
kind = "mass_in"
name = "below"
box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.08]]
every = "2 ms"
{events}
"""
PLACES = ", ".join(f"[{0.008 * i - 0.012:.4f}, {0.008 * j - 0.012:.4f}, 0.11]" for i in range(4) for j in range(4))
SETTLED = '[[event]]\nname = "settled"\nmeasure = "energy.kinetic_translation"\nbelow = 1e-6\nfrom = 0.02\n{action}\n'
METHODS = ("overlap_warning = 0.2", 'kind = "cone"')


PRESSED = """[time]
end = 0.08
step = "20 us"
[domain]
gravity = [0, 0, 0]
min = [0, 0, 0]
max = [0.03, 0.03, 0.03]
periodic = "xyz"
[[domain.stage]]
{to}
x = {{ stress = 2000 }}
y = {{ stress = 2000 }}
z = {{ stress = 2000 }}
max_rate = 20
[[domain.stage]]
{second}
y = {{ stress = 2000 }}
shear = {{ along = "x", across = "y", rate = 5 }}
max_rate = 20
[method]
overlap_warning = 0.3
[material.m]
density = 1200
young = "5 MPa"
poisson = 0.3
restitution = 0.3
friction = 0.35
[shape.ball]
kind = "sphere"
radius = "2.2 mm"
[[bodies]]
shape = "ball"
material = "m"
place = {{ random = true, region = {{ box = [[0, 0, 0], [0.03, 0.03, 0.03]] }}, fraction = 0.45 }}
[[measure]]
kind = "stress"
every = "1 ms"
{events}
"""


class Events(ProgramTest):
    def run_scene(self, *how, out="run", events="", gate="", more="", end=0.4, method=METHODS[0], domain="gravity = [0, 0, -9.81]", code=0, name="scene.toml"):
        (self.folder / name).write_text(SCENE.format(end=end, domain=domain, method=method, places=PLACES, gate=gate, more=more, events=events))
        return self.scree("run", name, "-o", out, "--overwrite", "-q", *how, code=code)

    def hash_of(self, out="run"):
        return self.summary(out)["state_hash"]

    def test_a_gate_opens_once_all_rests(self):
        """Balls fall on a gate, come to rest, and fall through once they have: as with a gate that is gone at that time."""
        for method in METHODS:
            with self.subTest(method):
                events = SETTLED.format(action='remove = "gate"')
                self.run_scene(events=events, method=method)
                report = self.summary("run")["events"]["settled"]
                self.assertTrue(report["happened"])
                t = report["time"]
                rows = self.read_series("run")
                before = [row for row in rows if row["time"] < t + 1e-9]
                self.assertGreater(t, 0.02)
                self.assertTrue(all(row["energy.kinetic_translation"] >= 1e-6 for row in before[:-1] if row["time"] >= 0.02))
                self.assertLess(before[-1]["energy.kinetic_translation"], 1e-6)
                self.assertTrue(all(row["below.count"] == 0 for row in before))
                self.assertEqual(rows[-1]["below.count"], 16)
                # Frames behind it show no gate.
                with h5py.File(self.folder / "run/state.h5") as file:
                    frames = [file["frames"][k] for k in sorted(file["frames"])]
                    gone = [file[f.attrs["walls"]]["gate"].attrs["active_to"] for f in frames]
                    self.assertEqual(gone, [math.inf if f.attrs["time"] <= t else t for f in frames])
                    self.assertEqual(gone[-1], t)
                whole = self.hash_of()
                self.run_scene(out="timed", gate=f"active = [0, {t!r}]", method=method)
                self.assertEqual(self.hash_of("timed"), whole)
                # Restarts before, at and after it.
                for until in (0.5 * t, t, t + 0.05):
                    self.run_scene("--until", until, out="half", events=events, method=method)
                    self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2")
                    self.assertEqual(self.hash_of("half"), whole, until)
                    self.assertEqual(self.summary("half")["events"]["settled"]["time"], t)

    def test_walls_come_start_and_halt(self):
        """The same bits as with the event's times in the wall."""
        lift = 'motion = {{ velocity = [0, 0, -0.2]{times} }}'
        for method in METHODS:
            with self.subTest(method):
                starts = SETTLED.format(action='move = "gate"')
                halts = '[[event]]\nname = "low"\nmeasure = "gate.gate.z"\nbelow = -0.01\nhalt = "gate"\n'
                place = '[[measure]]\nkind = "wall_place"\nwall = "gate"\nname = "gate"\nevery = "2 ms"\n'
                self.run_scene(gate=lift.format(times=""), more=place, events=starts + halts, method=method)
                events = self.summary("run")["events"]
                times = [events[name]["time"] for name in ("settled", "low")]
                self.assertAlmostEqual(self.read_series("run")[-1]["gate.gate.z"], -0.2 * (times[1] - times[0]), delta=1e-12)
                self.assertAlmostEqual(times[1] - times[0], 0.05, delta=0.0041)
                self.run_scene(out="timed", gate=lift.format(times=f", from = {times[0]!r}, to = {times[1]!r}"), more=place, method=method)
                self.assertEqual(self.hash_of("timed"), self.hash_of())
                lid = '[[wall]]\nname = "lid"\nkind = "plane"\npoint = [0, 0, 0.2]\nnormal = [0, 0, -1]\nmaterial = "m"\n{times}'
                self.run_scene(more=lid.format(times=""), events=SETTLED.format(action='add = "lid"'), method=method)
                t = self.summary("run")["events"]["settled"]["time"]
                self.run_scene(out="timed", more=lid.format(times=f"active = [{t!r}, inf]\n"), method=method)
                self.assertEqual(self.hash_of("timed"), self.hash_of())

    def test_stops(self):
        """The run ends where it is told to, in good order, and goes on from its checkpoint."""
        self.run_scene(out="whole")
        self.run_scene(events=SETTLED.format(action="stop = true"))
        summary = self.summary("run")
        t = summary["events"]["settled"]["time"]
        self.assertEqual(summary["exit_reason"], "done")
        self.assertIn('ended by event "settled"', summary["exit_message"])
        self.assertAlmostEqual(summary["time"], t, delta=1e-12)
        self.assertLess(t, 0.4)
        self.scree("run", "scene.toml", "-o", "run", "--restart", "run/checkpoint.h5", "-q")
        self.assertEqual(self.hash_of(), self.hash_of("whole"))

    def test_is_looked_for_from_the_start(self):
        self.run_scene(events='[[event]]\nname = "now"\nmeasure = "energy.total"\nabove = -1\nstop = true\n')
        self.assertEqual(self.summary("run")["events"]["now"]["time"], 0)
        self.assertEqual(self.summary("run")["steps"], 0)

    def test_stages_follow_events(self):
        """A domain that is sheared once it is pressed: as by the time at which it was."""
        event = '[[event]]\nname = "pressed"\nmeasure = "stress.pressure"\nabove = 1800\nnext_stage = true\n'
        (self.folder / "scene.toml").write_text(PRESSED.format(to="", second="", events=event))
        self.scree("run", "scene.toml", "-o", "run", "-q")
        t = self.summary("run")["events"]["pressed"]["time"]
        self.assertLess(t, 0.06)
        # The rates of the next step are told already when the measure is taken: the stage ends with that.
        (self.folder / "timed.toml").write_text(PRESSED.format(to=f"to = {t + 1e-5!r}", second="", events=""))
        self.scree("run", "timed.toml", "-o", "timed", "-q")
        self.assertEqual(self.hash_of("timed"), self.hash_of())
        for until in (0.7 * t, t, t + 0.01):
            self.scree("run", "scene.toml", "-o", "half", "-q", "--overwrite", "--until", until)
            self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q")
            self.assertEqual(self.hash_of("half"), self.hash_of())

    def test_refuses(self):
        on = '[[event]]\nmeasure = "energy.total"\n'
        cases = [
            (on + "below = 1\nabove = 2\nstop = true\n", "one of above and below"),
            (on + "below = 1\n", "stop"),
            (on + "below = 1\nstop = false\n", "leave the event out"),
            (on + 'below = 1\nadd = "gatt"\n', "gatt"),
            (on + 'below = 1\nmove = "gate"\n', "no motion that could start"),
            (on + "below = 1\nnext_stage = true\n", "give [[domain.stage]]"),
            (on.replace("total", "totl") + "below = 1\nstop = true\n", "there are energy.kinetic_translation"),
            (on.replace("energy", "enrgy") + "below = 1\nstop = true\n", "add a [[measure]]"),
            (2 * (on + 'below = 1\nadd = "gate"\n'), "does the same to this wall"),
            (on + 'name = "a"\nbelow = 1\nstop = true\n' + on + 'name = "a"\nbelow = 1\nstop = true\n', "two events are named"),
        ]
        for events, told in cases:
            with self.subTest(told):
                _, error = self.run_scene(out="refused", events=events, code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")
                self.assertFalse((self.folder / "refused").exists())
        event = '[[event]]\nname = "{}"\nmeasure = "stress.pressure"\nabove = 1800\nnext_stage = true\n'
        for second, events, told in (("", event.format("a") + event.format("b"), "no stage to go on to"), ("to = 0.1", event.format("a"), "leave it out, and end it by an event")):
            (self.folder / "scene.toml").write_text(PRESSED.format(to="", second=second, events=events))
            _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
            self.assertIn(told, error)
        # What a run refuses of events, a check does, too.
        (self.folder / "scene.toml").write_text(SCENE.format(end=0.1, domain="", method="", places=PLACES, gate="", more="",
                                                             events=on.replace("total", "totl") + "below = 1\nstop = true\n"))
        _, error = self.scree("check", "scene.toml", code=2)
        self.assertIn("no measure gives the column", error)
        _, error = self.run_scene(out="refused", events=on + 'below = 1\nadd = "gate"\n', gate="active = [0.1, inf]", code=2)
        self.assertIn("leave out its active", error)


if __name__ == "__main__":
    unittest.main()
