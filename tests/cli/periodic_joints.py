#!/usr/bin/env python3
"""Joints in a periodic domain: mechanisms that reach across borders and drift through them do what they do far from any; those without an end
hold on to their own images."""

import math
import unittest

from periodic_scenes import PENALTY, PeriodicTest

EDGE = 0.04
LINK = """[[body]]
name = "{name}"
shape = "{shape}"
material = "m"
position = {position}
velocity = {velocity}
angular_velocity = {spin}
"""
METHODS = (
    ("penalty", PENALTY, "20 us"),
    ("cone", 'kind = "cone"\ntolerance = 1e-10', "200 us"),
    ("cone, whole steps", 'kind = "cone"\ntolerance = 1e-10\njoint_substeps = 1', "200 us"),
    ("cone, iterated", 'kind = "cone"\ntolerance = 1e-10\niterations = 2000\njoints = "iterate"', "200 us"),
)


def joint(name, kind, a, b, point, more=""):
    return f'[[joint]]\nname = "{name}"\nkind = "{kind}"\nbetween = ["{a}", "{b}"]\npoint = {point}\n{more}'


def followed(names, what, every):
    return "".join(f'[[measure]]\nkind = "{what}"\n{what} = "{name}"\nname = "{name}"\nevery = {every}\n' for name in names)


class PeriodicJoints(PeriodicTest):
    def mechanism(self, at=(0, 0, 0), drift=(0, 0, 0), every=0.01, home=False):
        """Three bricks on a hinge with a spring and on a ball joint, a ball on a rod and a spring, one that slides in a brick, and a gear."""
        def place(x):
            x = [a + b for a, b in zip(x, at)]
            return [a - EDGE * math.floor(a / EDGE) if home else a for a in x]

        def near(x):
            return [a + b for a, b in zip(x, at)]

        bodies = [("one", "cube", [0, 0, 0], [3, -4, 20]), ("two", "cube", [0.0065, 0, 0], [3, -4, -30]), ("three", "cube", [0.013, 0, 0], [10, 5, 3]),
                  ("ball", "ball", [0.014, 0.008, 0], [0, 0, 0]), ("slide", "small", [0, 0, 0.006], [3, -4, 20])]
        text = "".join(LINK.format(name=n, shape=s, position=place(x), velocity=list(drift), spin=w) for n, s, x, w in bodies)
        text += joint("hinge", "revolute", "one", "two", near([0.00325, 0, 0]), "axis = [0, 0, 1]\ntorsion = { stiffness = 5e-6 }\n")
        text += joint("knee", "spherical", "two", "three", near([0.00975, 0, 0]))
        text += joint("rod", "distance", "three", "ball", near([0.013, 0.002, 0]), f"point_b = {near([0.014, 0.008, 0])}\n")
        text += joint("line", "free", "one", "ball", near([-0.002, 0.002, 0.001]), f"point_b = {near([0.014, 0.008, 0])}\nspring = {{ stiffness = 3 }}\n")
        text += joint("slot", "prismatic", "one", "slide", near([0, 0, 0.006]), "axis = [0, 0.6, 0.8]\nspring = { stiffness = 2 }\ntravel = [-0.002, 0.002]\n")
        names = [b[0] for b in bodies]
        return text + followed(names, "body", every) + followed(["hinge", "rod", "line", "slot", "knee"], "joint", every), names

    def test_drifts_through_borders(self):
        """The same angles, travels, velocities and energy as in a domain without periods, wherever it starts and however it is given."""
        drift, end = (0.71, -0.43, 0.57), 0.2
        for name, method, step in METHODS:
            with self.subTest(name):
                how = dict(bodies=[], method=method, step=step, end=end, every=end / 20)
                text, names = self.mechanism((0.012, 0.014, 0.016), drift)
                far = self.series(**dict(how, periodic="none", low=(-1, -1, -1), high=(1, 1, 1), more=text))
                self.assertGreater(max(abs(row["hinge.angle"]) for row in far), 0.2)
                self.assertGreater(max(row["line.travel"] for row in far) - min(row["line.travel"] for row in far), 1e-4)
                for at, home in (((0.012, 0.014, 0.016), False), ((0.0335, -0.002, 0.038), True), ((0.0335, -0.002, 0.038), False)):
                    text, _ = self.mechanism(at, drift, home=home)
                    rows = self.series(**dict(how, more=text))
                    unit = math.sqrt(rows[0]["energy.kinetic_translation"])
                    for one, other in zip(far, rows):
                        for key in ("energy.total", "energy.kinetic_rotation"):
                            self.assertAlmostEqual(other[key] / one[key], 1, delta=1e-8, msg=key)
                        for axis in "xyz":
                            self.assertAlmostEqual(other[f"momentum.p{axis}"], rows[0][f"momentum.p{axis}"], delta=1e-12 * unit)
                        for which in ("hinge", "knee", "slot"):
                            self.assertAlmostEqual(other[f"{which}.angle"], one[f"{which}.angle"], delta=1e-7)
                        for which in ("rod", "line", "slot"):
                            self.assertAlmostEqual(other[f"{which}.travel"], one[f"{which}.travel"], delta=1e-9)
                        for body in names:
                            for part in ("qw", "qx", "qy", "qz", "vx", "vy", "vz"):
                                self.assertAlmostEqual(other[f"{body}.{part}"], one[f"{body}.{part}"], delta=1e-6)
                            for axis, shift in zip("xyz", at):
                                way = (other[f"{body}.{axis}"] - one[f"{body}.{axis}"] - shift + (0.012, 0.014, 0.016)["xyz".index(axis)]) / EDGE
                                self.assertAlmostEqual(way, round(way), delta=1e-7)
                    self.assertGreater(sum(abs(row["periods_x"]) + abs(row["periods_y"]) for row in self.last().values()), 20)

    def test_pendulums_at_a_border(self):
        """Joints with the ground: a pendulum that hangs at a border swings as in the middle, and a slider goes round and round."""
        for name, method, step in METHODS[:2]:
            with self.subTest(name):
                ends = []
                for at in (0.02, 0.0, 0.04):
                    text = LINK.format(name="bob", shape="ball", position=[at + 0.006, 0.02, 0.03], velocity=[0, 0, 0], spin=[0, 0, 0])
                    text += joint("pin", "revolute", "ground", "bob", [at, 0.02, 0.03], "axis = [0, 1, 0]\n")
                    text += followed(["pin"], "joint", 0.01) + followed(["bob"], "body", 0.01)
                    rows = self.series(bodies=[], periodic="xy", gravity=(0, 0, -9.81), low=(0, 0, -1), high=(EDGE, EDGE, 1), method=method, step=step, end=0.2, every=0.01, more=text)
                    ends.append([row["pin.angle"] for row in rows])
                    for row in rows:
                        self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=2e-3 * abs(9.81 * 0.006 * 1.5e-4))
                self.assertGreater(max(ends[0]) - min(ends[0]), 2)
                for other in ends[1:]:
                    for a, b in zip(ends[0], other):
                        self.assertAlmostEqual(a, b, delta=1e-8)
                text = LINK.format(name="car", shape="ball", position=[0.02, 0.02, 0.03], velocity=[0.9, 0, 0], spin=[0, 0, 0])
                text += joint("rail", "prismatic", "ground", "car", [0.0, 0.02, 0.03], "axis = [1, 0, 0]\nspring = { stiffness = 0.5, rest = 0.05 }\n")
                text += followed(["rail"], "joint", 0.002)
                rows = self.series(bodies=[], method=method, step=step, end=0.2, every=0.01, more=text)
                mass = 1200 * 4 / 3 * math.pi * 0.0031**3
                omega = math.sqrt(0.5 / mass)
                for row in rows:  # about 0.05 m, with 0 and 0.9 m/s at the start
                    exact = 0.05 * (1 - math.cos(omega * row["time"])) + 0.9 / omega * math.sin(omega * row["time"])
                    self.assertAlmostEqual(row["rail.travel"], exact, delta=2e-3 * 0.05)

    def ring(self, links, edge, copies=1):
        """Balls along x on rods, the last on the next image of the first; the same in each copy."""
        text, all_names = "", []
        for k in range(links * copies):
            n, kick = k % links, 0.3 * ((k % links) % 2) + 0.1 * (k % links == 0)
            text += LINK.format(name=f"b{k}", shape="small", position=[(k + 0.25) * edge / links, 0.02 + 0.001 * (n % 2), 0.02], velocity=[0.2, kick, -0.15 * n], spin=[0, 0, 5])
            all_names.append(f"b{k}")
        for k in range(links * copies):
            n = k + 1
            ends = [[(m + 0.25) * edge / links, 0.02 + 0.001 * (m % links % 2), 0.02] for m in (k, n)]
            text += joint(f"j{k}", "distance", f"b{k}", f"b{n % (links * copies)}", ends[0], f"point_b = {ends[1]}\n")
        return text + followed(all_names, "body", 0.01), all_names

    def test_chains_without_an_end(self):
        """A chain that closes over the border: momentum stays, rods keep their lengths, and two periods of it move as one."""
        for name, method, step in METHODS[:2]:
            with self.subTest(name):
                # Rods of a taut chain are redundant along x: some more length than the period.
                one_text, names = self.ring(4, EDGE)
                how = dict(bodies=[], method=method, step=step, end=0.1, every=0.01)
                one = self.series(**dict(how, more=one_text))
                two_text, _ = self.ring(4, EDGE, copies=2)
                two = self.series(**dict(how, more=two_text, high=(2 * EDGE, EDGE, EDGE)))
                unit = math.sqrt(one[0]["energy.kinetic_translation"])
                length = math.hypot(EDGE / 4, 0.001)
                for a, b in zip(one, two):
                    for axis in "xyz":
                        self.assertAlmostEqual(a[f"momentum.p{axis}"], one[0][f"momentum.p{axis}"], delta=1e-12 * unit)
                    if a["time"] > 0:  # velocities at the start are not those that rods allow
                        self.assertAlmostEqual(a["energy.total"] / one[1]["energy.total"], 1, delta=5e-3)
                    self.assertAlmostEqual(b["energy.total"] / a["energy.total"], 2, delta=1e-6)
                    for k, body in enumerate(names):
                        d = [a[f"{names[(k + 1) % 4]}.{x}"] - a[f"{body}.{x}"] for x in "xyz"]
                        d = [x - EDGE * round(x / EDGE) for x in d]
                        if a["time"] > 0:
                            self.assertAlmostEqual(math.hypot(*d) / length, 1, delta=1e-6)
                        for part in ("vx", "vy", "vz"):
                            self.assertAlmostEqual(a[f"{body}.{part}"], b[f"{body}.{part}"], delta=1e-5)
                            self.assertAlmostEqual(a[f"{body}.{part}"], b[f"b{k + 4}.{part}"], delta=1e-5)

    def test_threads_restarts_and_contacts(self):
        """The same bits over restarts and threads, among bodies that the mechanism meets across borders."""
        from periodic_scenes import loose

        others = [b for b in loose(["small", "ball"], cells=4, edge=0.01, share=0.6, seed=3)
                  if not (0.011 < b[1][0] < 0.036 and 0.006 < b[1][1] < 0.033 and 0.006 < b[1][2] < 0.033)]
        for name, method, step in METHODS[:3]:
            for precision in ("double", "mixed"):
                with self.subTest(name, precision=precision):
                    how = ("--precision", precision)
                    text, _ = self.mechanism((0.016, 0.016, 0.018), (0.71, -0.43, 0.57))
                    method = method.replace("1e-10", "1e-7")
                    rows = self.series(*how, bodies=others, method=method, step=step, end=0.04, more=text + '[[measure]]\nkind = "coordination"\nevery = 0.0002\n')
                    self.assertGreater(max(row["coordination.contacts"] for row in rows), 0)
                    whole = self.summary("run")["state_hash"]
                    for until in (0.0131, 0.0268):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)

    def test_refuses(self):
        pair = "".join(LINK.format(name=n, shape="ball", position=[x, 0.02, 0.02], velocity=[0, 0, 0], spin=[0, 0, 0]) for n, x in (("a", 0.01), ("b", 0.02)))
        rod = joint("r", "distance", "a", "b", [0.005, 0.02, 0.02], "point_b = [0.026, 0.02, 0.02]\n")
        pin = joint("p", "spherical", "a", "b", [0.015, 0.02, 0.02])
        self.refuses(dict(bodies=[]), [
            (dict(more=pair + rod), "0.021 m apart along x, half the period of 0.04 m or more"),
            (dict(more=pair + pin, domain='shear = { along = "x", across = "y", rate = 1 }'), "images of a domain that is sheared or driven move"),
            (dict(more=pair + pin, domain="[[domain.stage]]\nx = { rate = 1 }\n"), "images of a domain that is sheared or driven move"),
        ])


if __name__ == "__main__":
    unittest.main()
