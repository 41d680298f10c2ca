#!/usr/bin/env python3
"""Coulomb's law, the default of the cone method: what a closing wedge pushes out leaves as fast as its plates tell, and what slides stays down."""

import csv
import math
import unittest

from program import ProgramTest

WEDGE = """[time]
step = 1e-4
end = 0.002
[domain]
gravity = [0, 0, 0]
[method]
kind = "cone"
{method}
[material.m]
density = 2500
restitution = 0
friction = {mu}
[shape.s]
kind = "sphere"
radius = 1e-3
[[body]]
name = "b"
shape = "s"
material = "m"
[[wall]]
kind = "plane"
name = "left"
point = [{x}, 0, {z}]
normal = [{c}, 0, {s}]
material = "m"
motion = {{ velocity = [0.01, 0, 0] }}
[[wall]]
kind = "plane"
name = "right"
point = [{x2}, 0, {z}]
normal = [{c2}, 0, {s}]
material = "m"
motion = {{ velocity = [-0.01, 0, 0] }}
"""
SLIDE = """[time]
step = 1e-3
end = {end}
[domain]
gravity = {gravity}
[method]
kind = "cone"
{method}
[material.m]
density = 1000
restitution = 0
friction = {mu}
[shape.b]
kind = "box"
edges = [0.2, 0.2, 0.1]
[[body]]
name = "b"
shape = "b"
material = "m"
position = [0, 0, 0.05]
velocity = [{speed}, 0, 0]
[[wall]]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
motion = {{ velocity = [{belt}, 0, 0] }}
"""
MEASURE = '[[measure]]\nkind = "body"\nname = "of"\nbody = "b"\nevery = 1e-3\n'


class Coulomb(ProgramTest):
    def rows(self, text):
        (self.folder / "case.toml").write_text(text + MEASURE)
        self.scree("run", "case.toml", "-o", "case", "-q", "--overwrite")
        with open(self.folder / "case" / "series.csv") as file:
            return [{key[3:]: float(value) for key, value in row.items() if key.startswith("of.")} for row in csv.DictReader(file)]

    def out_of_wedge(self, angle, mu, method=""):
        """Speed along -z over that which the plates tell, v / tan(angle)."""
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        text = WEDGE.format(method=method, mu=mu, x=-1e-3 * c, x2=1e-3 * c, z=1e-3 * s, c=c, c2=-c, s=-s)
        return -self.rows(text)[-1]["vz"] * math.tan(math.radians(angle)) / 0.01

    def test_a_closing_wedge_pushes_out_what_friction_does_not_hold(self):
        """Both contacts slide out while tan(angle) > mu, down to half a degree from where they hold. The tolerance of a solve, 1e-6 m/s, is
        1e-4 of the speeds."""
        for mu, angles in ((0.1, (6, 10)), (0.3, (17, 17.5, 18, 19, 20, 21, 25, 40)), (0.5, (27.1, 30)), (0.8, (39.2, 45)), (1.0, (45.5, 60))):
            for angle in angles:
                with self.subTest(mu=mu, angle=angle):
                    self.assertAlmostEqual(self.out_of_wedge(angle, mu), 1, delta=1e-3)

    def test_other_solvers_agree(self):
        for solver in ("apgd", "gauss_seidel", "jacobi", "barzilai_borwein", "interior_point"):
            for angle in (20, 25):
                with self.subTest(solver=solver, angle=angle):
                    self.assertAlmostEqual(self.out_of_wedge(angle, 0.3, f'solver = "{solver}"'), 1, delta=1e-3)

    def test_a_box_on_a_belt_stays_down(self):
        """A belt that climbs 30 degrees, friction 0.8: the box is carried along within v / (mu g cos - g sin) = 0.53 s."""
        rows = self.rows(SLIDE.format(end=0.8, gravity="[4.905, 0, -8.4957]", method="", mu=0.8, speed=0, belt=-1))
        self.assertAlmostEqual(rows[-1]["vx"], -1, delta=1e-3)
        for row in rows:
            self.assertAlmostEqual(row["z"], 0.05, delta=1e-6)

    def test_a_box_that_slides_stays_down_and_stops_in_time(self):
        """2 m/s, friction 0.3: vx = 2 - 0.3 g t."""
        rows = self.rows(SLIDE.format(end=0.4, gravity="[0, 0, -9.81]", method="", mu=0.3, speed=2, belt=0))
        self.assertAlmostEqual(rows[-1]["vx"], 2 - 0.3 * 9.81 * 0.4, delta=2e-3)
        for row in rows:
            self.assertAlmostEqual(row["z"], 0.05, delta=1e-6)

    def test_the_relaxation_dilates(self):
        """friction = "ccp": what slides rides step mu v above its support, 0.6 mm at first."""
        rows = self.rows(SLIDE.format(end=0.1, gravity="[0, 0, -9.81]", method='friction = "ccp"', mu=0.3, speed=2, belt=0))
        self.assertGreater(max(row["z"] for row in rows) - 0.05, 5e-4)


if __name__ == "__main__":
    unittest.main()
