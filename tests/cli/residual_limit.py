#!/usr/bin/env python3
"""Steps that the cone solver can not solve: past method.residual_limit the run stops with a fault, below it the run tells how far they missed."""

import json
import os
import unittest

from program import ProgramTest

# Two plates close on a sphere from either side: there is no way out, and no impulse undoes that.
JAM = """[time]
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
friction = 0.3
[shape.s]
kind = "sphere"
radius = 1e-3
[[body]]
name = "b"
shape = "s"
material = "m"
[[wall]]
kind = "plane"
point = [-1e-3, 0, 0]
normal = [1, 0, 0]
material = "m"
motion = {{ velocity = [{speed}, 0, 0] }}
[[wall]]
kind = "plane"
point = [1e-3, 0, 0]
normal = [-1, 0, 0]
material = "m"
motion = {{ velocity = [-{speed}, 0, 0] }}
"""

# A chain of twelve bars with 300 kg at its end, let go level: in steps of 20 ms its links turn by more than can be put right.
def chain(step, method):
    scene = f"""[time]
step = {step}
end = 2
[domain]
gravity = [0, 0, -9.81]
[method]
kind = "{method}"
[material.steel]
density = 7800
young = 1e8
poisson = 0.3
restitution = 0.1
friction = 0.3
[[body]]
name = "load"
position = [1.25, 0, 0]
mass = 300
inertia = [0.3, 0.3, 0.3]
"""
    for k in range(12):
        scene += f'[[body]]\nname = "l{k}"\nposition = [{0.1 * k + 0.05:.2f}, 0, 0]\nmass = 0.312\ninertia = [2.1e-5, 2.7e-4, 2.7e-4]\n'
    for k in range(13):
        first, second = f"l{k - 1}" if k > 0 else "ground", f"l{k}" if k < 12 else "load"
        scene += f'[[joint]]\nname = "j{k}"\nkind = "spherical"\nbetween = ["{first}", "{second}"]\npoint = [{0.1 * k:.1f}, 0, 0]\n'
    return scene


class ResidualLimit(ProgramTest):
    def run_jam(self, method, speed, code):
        (self.folder / "jam.toml").write_text(JAM.format(method=method, speed=speed))
        out, err = self.scree("run", "jam.toml", "-o", "out", code=code)
        return out + err

    def check_stopped(self, told):
        self.assertIn("past method.residual_limit", told)
        self.assertIn("raise method.iterations", told)
        self.assertEqual(self.summary("out")["exit_code"], 1)
        self.assertTrue((self.folder / "out" / "fault.h5").exists())

    def test_a_limit_stops_what_the_solver_leaves(self):
        # Each plate comes nearer by 10 mm/s, and the sphere can go away from one of them only: half of that is left at least.
        self.check_stopped(self.run_jam('residual_limit = "1 mm/s"', 0.01, 1))

    def test_the_default_is_a_tenth_of_the_radius_in_a_step(self):
        # 0.1 x 1 mm / 0.1 ms = 1 m/s; the plates come nearer by five times that, by half the radius in a step.
        self.check_stopped(self.run_jam("overlap_limit = 1\noverlap_warning = 1", 5, 1))

    def test_below_the_limit_the_end_tells_how_far_steps_missed(self):
        told = self.run_jam("", 0.01, 0)
        self.assertIn("20 of 20 steps did not converge", told)
        self.assertIn("times the tolerance", told)

    def test_joints_that_a_step_leaves_apart_stop_the_run(self):
        for method in ("cone", "penalty"):
            with self.subTest(method=method):
                (self.folder / "chain.toml").write_text(chain(0.02, method))
                out, err = self.scree("run", "chain.toml", "-o", "chain", "--overwrite", "-q", code=1)
                self.assertRegex(out + err, r'joints are apart by [0-9.e+]+ of their mechanism\'s size .* "j[0-9]+" most')
                self.assertEqual(self.summary("chain")["exit_code"], 1)
                self.assertTrue((self.folder / "chain" / "fault.h5").exists())


if __name__ == "__main__":
    unittest.main()
