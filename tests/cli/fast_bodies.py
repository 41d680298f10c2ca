#!/usr/bin/env python3
"""Bodies that move further in a step than a share of what they are thick stop a run of the penalty method, before they could pass a wall without thickness unseen."""

import csv
import unittest

from program import ProgramTest

SCENE = """dimensions = {dimensions}
[time]
step = {step}
end = {end}
[domain]
gravity = {gravity}
[method]
kind = "penalty"
[material.m]
density = 2500
young = "10 MPa"
poisson = 0.25
restitution = 0.6
friction = 0.4
[shape.s]
{shape}
[[bodies]]
shape = "s"
material = "m"
velocity = {velocity}
place = {{ at = {at} }}
[[wall]]
kind = "{kind}"
name = "plate"
{wall}
material = "m"
[[measure]]
kind = "momentum"
every = {step}
[[measure]]
kind = "energy"
every = {every}
"""
QUAD = dict(dimensions=3, kind="quad", wall="corners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]", gravity=[0, 0, 0])
SEGMENT = dict(dimensions=2, kind="segment", wall="from = [-1, 0]\nto = [1, 0]", gravity=[0, 0])
# With the most that each may move in a step: half a radius; a quarter of 1.7 inradii, 8.5 mm; half a radius.
BODIES = {"sphere": (QUAD, 'kind = "sphere"\nradius = "5 mm"', 0.0025), "cube": (QUAD, 'kind = "cube"\nedge = "1 cm"', 0.002125),
          "disk": (SEGMENT, 'kind = "disk"\nradius = "5 mm"', 0.0025)}
STEP = 1e-5


class FastBodies(ProgramTest):
    def run_at(self, name, share, code, with_energy, start=0.0707):
        """share: of the most, moved in a step. The body flies at the wall."""
        where, shape, thickness = BODIES[name]
        speed = share * thickness / STEP
        down = [0, -speed] if where is SEGMENT else [0, 0, -speed]
        at = [0, start] if where is SEGMENT else [0, 0, start]
        scene = SCENE.format(step=STEP, end=2 * start / speed, velocity=down, at=at, shape=shape, every=STEP, **where)
        if not with_energy:
            scene = scene[:scene.index('[[measure]]\nkind = "energy"')]
        (self.folder / "fast.toml").write_text(scene)
        out, err = self.scree("run", "fast.toml", "-o", "out", "--overwrite", "-q", code=code)
        return out + err

    def test_past_its_share_in_a_step_a_body_stops_the_run(self):
        for name in BODIES:
            for with_energy in (False, True):
                with self.subTest(name=name, with_energy=with_energy):
                    told = self.run_at(name, 1.02, 1, with_energy)
                    self.assertIn("1 bodies start so fast", told)
                    self.assertRegex(told, r"error: body 0 moves 0\.\d+ times its thickness")
                    self.assertTrue((self.folder / "out" / "fault.h5").exists())

    def test_below_that_nothing_passes_unseen(self):
        # Deep in the wall it is an overlap past the limit.
        for name in BODIES:
            for n in range(8):
                with self.subTest(name=name, n=n):
                    told = self.run_at(name, 0.98, 1, False, start=0.0707 + n * 0.98 * BODIES[name][2] / 8)
                    self.assertRegex(told, 'error: body 0 and wall "plate" overlap by')


if __name__ == "__main__":
    unittest.main()
