#!/usr/bin/env python3
"""Walls that press: a plate holds a force over a bed that settles, a vane a torque; energy, restarts to the bit, and what is refused."""

import math
import unittest

from program import BALANCES, ProgramTest

SCENE = """dimensions = {dimensions}
[time]
end = {end}
step = {step}
[domain]
gravity = {gravity}
{domain}
[method]
{method}
[material.m]
density = 2500
young = "{young}"
poisson = 0.3
restitution = {restitution}
friction = 0.4
[shape.ball]
kind = "{ball}"
{size}
{bodies}
{walls}
[[measure]]
kind = "wall_load"
name = "load"
every = {every}
[[measure]]
kind = "wall_place"
name = "place"
every = {every}
[[measure]]
kind = "count"
every = {every}
""" + BALANCES
BED = """[[bodies]]
shape = "ball"
material = "m"
seed = 3
place = { random = true, region = { box = [[0, 0, 0], [0.02, 0.02, 0.03]] }, fraction = 0.5 }
"""
FLOOR = """[[wall]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
"""
PLATE = """[[wall]]
name = "plate"
kind = "plane"
point = [0, 0, {height}]
normal = [0, 0, -1]
material = "m"
motion = {{ servo = {{ {target}, direction = [0, 0, -1]{more} }}{when} }}
"""


class Servo(ProgramTest):
    def series(self, *run, end=0.3, step='"auto"', gravity="[0, 0, -9.81]", domain='min = [0, 0, -1]\nmax = [0.02, 0.02, 1]\nperiodic = "xy"',
               method="", young="5 MPa", restitution=0.4, bodies=BED, walls="", every=None, out="run", dimensions=3, ball="sphere",
               size='distribution = { kind = "uniform", min = "0.8 mm", max = "1.2 mm" }'):
        text = SCENE.format(end=end, step=step, gravity=gravity, domain=domain, method=method, young=young, restitution=restitution, bodies=bodies,
                            walls=walls, every=every or end / 30, dimensions=dimensions, ball=ball, size=size)
        (self.folder / "scene.toml").write_text(text)
        self.scree("run", "scene.toml", "-o", out, "--overwrite", "-q", *run)
        return self.read_series(out)

    def plate(self, target="pressure = 1000, area = 4e-4", more="", when="", height=0.032):
        return FLOOR + PLATE.format(target=target, more=more, when=when, height=height)

    def test_holds_a_pressure(self):
        """1 kPa on a bed that settles: within 0.5 % once it has, from the plate's side, and the floor bears that and the weight."""
        for method in ("", 'law = "linear"\nstiffness = 2000'):
            with self.subTest(method=method):
                rows = self.series(walls=self.plate(), method=method)
                late = rows[len(rows) // 2:]
                for row in late:
                    self.assertAlmostEqual(row["load.plate.fz"] / 0.4, 1, delta=5e-3)
                last, first = rows[-1], rows[0]
                self.assertAlmostEqual(-last["load.floor.fz"] / (0.4 + 9.81 * last["count.mass"]), 1, delta=5e-3)
                self.assertLess(last["place.plate.z"], -2e-4)  # it came down to the bed
                self.assertAlmostEqual(last["place.plate.z"], late[0]["place.plate.z"], delta=1e-4)
                for row in rows:
                    kept = row["energy.total"] - row["energy.work_of_walls"]
                    self.assertAlmostEqual(kept / first["energy.total"], 1, delta=5e-3)

    def test_follows_a_target(self):
        """A pressure that swings, and one from a table since the motion began: within 4 % of the largest of them, to the bit over a restart."""
        (self.folder / "load.csv").write_text("time,value\n0,500\n0.1,500\n0.2,1500\n")
        for target, expected in (("pressure = { constant = 1000, amplitude = 300, frequency = 5 }", lambda t: 1000 + 300 * math.sin(10 * math.pi * t)),
                                 ('pressure = { table = "load.csv" }', lambda t: 500 + 1000 * min(max(t - 0.1, 0) / 0.1, 1))):
            with self.subTest(target):
                rows = self.series(walls=self.plate(target=target + ", area = 4e-4", when=", from = 0.05"), end=0.4)
                largest = max(expected(row["time"] - 0.05) for row in rows)
                for row in rows:
                    if row["time"] > 0.15:
                        self.assertAlmostEqual(row["load.plate.fz"] / 4e-4 / largest, expected(row["time"] - 0.05) / largest, delta=0.04)
                self.assertAlmostEqual(rows[-1]["load.plate.fz"] / 4e-4 / expected(0.35), 1, delta=0.01 if "table" in target else 0.04)
                whole = self.summary("run")["state_hash"]
                self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", 0.23)
                self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q")
                self.assertEqual(self.summary("half")["state_hash"], whole)

    VANE = """[[wall]]
name = "stop"
kind = "plane"
point = [0, 0.004, 0]
normal = [0, -1, 0]
material = "m"
[[wall]]
name = "vane"
kind = "quad"
corners = [[-0.012, 0.0015, 0], [0.012, 0.0015, 0], [0.012, 0.0015, 0.01], [-0.012, 0.0015, 0.01]]
material = "m"
motion = { servo = { torque = 1e-4 }, axis = [0, 0, 1], point = [0, 0.0015, 0] }
"""
    TWO = "".join(f'[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = {{ at = [[{x}, 0.0030, 0.005]] }}\n' for x in (0.006, 0.009))

    def test_restarts(self):
        """Over a restart, on two threads and for any skin: the same bits, of a plate and of a vane that turns."""
        cases = [("plate", dict(walls=self.plate(), end=0.05)),
                 ("vane", dict(bodies=self.TWO, size="radius = 0.001", gravity="[0, 0, 0]", domain="", end=0.02, walls=FLOOR + self.VANE))]
        for precision in ("double", "mixed"):
            for name, scene in cases:
                with self.subTest(name, precision=precision):
                    how = ("--precision", precision)
                    last = self.series(*how, **scene)[-1]
                    whole = self.summary("run")["state_hash"]
                    places = [key for key in last if key.startswith("place.")]
                    for part in (0.026, 0.614):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", part * scene["end"], *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole)
                        again = self.read_series("half")[-1]
                        self.assertEqual([again[key] for key in places], [last[key] for key in places])
                    self.series(*how, method='skin = "0.05 mm"', **scene)
                    self.assertEqual(self.summary("run")["state_hash"], whole)

    def test_answers_as_its_law_says(self):
        """One ball between a plate and the floor: with a given gain and no integral the force comes up as its equation, e' = -k G e."""
        k, gain = 1000.0, 2e-4
        ball = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0.01, 0.01, 0.001]] }\n'
        rows = self.series(bodies=ball, size="radius = 0.001", gravity="[0, 0, 0]", method='law = "linear"\nstiffness = 1000', end=0.05, step="2e-6",
                           restitution=0.1, every=0.001,
                           walls=self.plate(target="force = 0.02", more=f", gain = {gain}, integral_time = 1e9, max_speed = 1", height=0.002))
        for row in rows[1:]:
            expected = 0.02 * (1 - math.exp(-0.5 * k * gain * row["time"]))  # two contacts in a row: half the stiffness
            self.assertAlmostEqual(row["load.plate.fz"], expected, delta=2e-4)

    def test_speed_limit_and_times(self):
        """Nothing to press on: the plate goes at its limit, from when it is told to until when."""
        rows = self.series(bodies='[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0.01, 0.01, 0.005]] }\nvelocity = [0, 0, 0]\n', gravity="[0, 0, 0]",
                           walls=self.plate(more=", max_speed = 0.05", when=", from = 0.02, to = 0.06", height=0.1), end=0.1, step="1e-4", every=0.01)
        for row in rows:
            gone = 0.05 * min(max(row["time"] - 0.02, 0), 0.04)
            self.assertAlmostEqual(row["place.plate.z"], -gone, delta=1.01e-5)

    def test_torque(self):
        """A vane that bodies hold back turns until its torque is the target's, and then creeps."""
        rows = self.series(bodies=self.TWO, size="radius = 0.001", gravity="[0, 0, 0]", domain="", end=0.05, restitution=0.1, walls=FLOOR + self.VANE)
        # Of the wall's own torque about the world's origin: less that of its force at the axis.
        for row in rows[-10:]:
            torque = row["load.vane.tz"] - (0 * row["load.vane.fy"] - 0.0015 * row["load.vane.fx"])
            self.assertAlmostEqual(-torque / 1e-4, 1, delta=0.01)
        self.assertGreater(rows[-1]["place.vane.angle"], 0.01)

    def test_refuses(self):
        cases = [
            (dict(walls=self.plate(), method='kind = "cone"', step="1e-3"), "a servo goes by forces"),
            (dict(walls=self.plate(target="force = 1, torque = 2")), "give only one of force, pressure, torque"),
            (dict(walls=self.plate(target="pressure = 1")), 'needs "area"'),
            (dict(walls=self.plate(target="force = 1, area = 1")), 'it belongs to "pressure"'),
            (dict(walls=self.plate(target="pressure = -1, area = 1")), "at least 0"),
            (dict(walls=self.plate(target='force = { table = "none.csv" }')), "none.csv"),
            (dict(walls=self.plate(when=", velocity = [0, 0, 1]")), "a servo moves the wall by itself"),
            (dict(walls=self.plate(when=", surface = true")), "a servo moves the wall by itself"),
            (dict(walls=self.plate().replace("[0, 0, -1] } }", "[0, 0, 0] } }")), "direction"),
            (dict(walls=self.plate(), method='law = "power"\nstiffness = 1e6\ndamping = 0.1\ntangential_damping = 0.1'), "give gain, integral_time and max_speed"),
        ]
        for change, told in cases:
            with self.subTest(told):
                with self.assertRaises(AssertionError) as failed:
                    self.series(**change)
                self.assertIn("2 != 0", str(failed.exception))
                self.assertIn(told, str(failed.exception))
                self.assertFalse((self.folder / "run").exists())


if __name__ == "__main__":
    unittest.main()
