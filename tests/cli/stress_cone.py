#!/usr/bin/env python3
"""The measure "stress" under the cone method, whose contacts have impulses: against what a collision hands over, the virial of beds at rest, loads of
walls, closed forms of a lattice, and the penalty method on the same bodies."""

import math
import unittest

from periodic_scenes import PENALTY, PeriodicTest, loose

CONE = 'kind = "cone"\ntolerance = 1e-7\niterations = 1000'
WALL = '[[wall]]\nname = "{name}"\nmaterial = "m"\nkind = "plane"\npoint = {point}\nnormal = {normal}\n'
RADIUS, DENSITY, GRAVITY = 0.0031, 1200, 9.81
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3


def measured(kind, every, more="", name=None):
    return f'[[measure]]\nkind = "{kind}"\nname = "{name or kind}"\nevery = {every}\n{more}'


def stress(every, box=None):
    return measured("stress", every, f"box = {box}\n" if box else "")


def load(wall, every):
    return measured("wall_load", every, f'wall = "{wall}"\n', f"load_{wall}")


class StressUnderTheConeMethod(PeriodicTest):
    def test_a_collision(self):
        """Two balls that meet across a border: the stress of contacts, times volume and time, is the impulse times the way between the centres."""
        e, v, dt = 0.6, 0.5, 1e-4
        volume, impulse = 0.04**3, 0.5 * MASS * (1 + e) * v
        for n in ((1, 0, 0), (0.6, 0.8, 0), (0.6, 0, -0.8)):
            with self.subTest(n):
                middle, apart = (0.0395, 0.001, 0.02), 2 * RADIUS + 0.5e-3
                bodies = [["ball", [m + 0.5 * s * apart * k for m, k in zip(middle, n)], [-0.5 * s * v * k for k in n], [0, 0, 0]] for s in (-1, 1)]
                rows = self.series(bodies=bodies, method=CONE, restitution=e, friction=0, step=f"{dt} s", end=0.003, every=dt, more=stress(dt))
                struck = [row for row in rows if row["stress.coordination"] > 0]
                self.assertEqual(len(struck), 1)
                for part, a, b in (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2)):
                    # What bodies carry by their speed: before, after, and in the step between with the mean of the two velocities.
                    before, after, between = (0.5 * MASS * u * u * n[a] * n[b] for u in (v, e * v, 0.5 * (1 - e) * v))
                    for row, carried in ((rows[0], before), (rows[-1], after)):
                        self.assertAlmostEqual(volume * row[f"stress.{part}"], carried, delta=1e-9 * MASS * v * v)
                    handed = dt * (volume * struck[0][f"stress.{part}"] - between)
                    self.assertAlmostEqual(handed / (2 * RADIUS * impulse), n[a] * n[b], delta=1e-6)

    def test_beds(self):
        """At rest the virial says it, of any packing: V zz is the sum of m g z above the floor, which bears the weight."""
        kinds = {"spheres": ["ball", "small", "ball"], "cubes": ["cube", "ball"], "rods": ["rod", "ball"], "disks": ["disk"]}
        for kind, shapes in kinds.items():
            for friction in (0, 0.4):
                with self.subTest(kind, friction=friction):
                    planar = kind == "disks"
                    up, down = ("y", (0, -GRAVITY)) if planar else ("z", (0, 0, -GRAVITY))
                    bodies = loose(shapes, cells=3, edge=0.04 / 3, depth=1 if planar else 4, speed=0.1)
                    floor = WALL.format(name="floor", point=[0] * len(down), normal=[0] * (len(down) - 1) + [1])
                    low, high = ([0, -1], [0.04, 1]) if planar else ([0, 0, -1], [0.04, 0.04, 1])
                    box = [[0, -0.001], [0.04, 0.1]] if planar else [[0, 0, -0.001], [0.04, 0.04, 0.1]]
                    row = self.series(bodies=bodies, periodic="x" if planar else "xy", gravity=down, low=low, high=high, method=CONE, step="0.5 ms", restitution=0,
                                      friction=friction, end=0.8, planar=planar, more=floor + load("floor", 0.1) + stress(0.1, box))[-1]
                    whole = [b for b in self.last().values() if b.get("owner", -1) < 0]
                    weight = sum(b["mass"] for b in whole) * GRAVITY
                    virial = sum(b["mass"] * GRAVITY * b[up] for b in whole)
                    volume = math.prod(b - a for a, b in zip(*box))
                    self.assertAlmostEqual(row[f"stress.{up}{up}"] * volume / virial, 1, delta=1e-4)
                    self.assertAlmostEqual(-row[f"load_floor.floor.f{up}"] / weight, 1, delta=1e-4)
                    self.assertGreater(row["stress.coordination"], 0.9)

    def test_between_planes(self):
        """Bodies that a slanting gravity presses into a corner between planes: along each axis V times the stress is what the planes push over their
        distance, less the weight along it times its place; under the cone method as under the other."""
        pull, edge = (3.0, -2.0, -6.0), (0.03, 0.025, 0.04)
        names = ["x0", "x1", "y0", "y1", "z0", "z1"]
        planes = "".join(WALL.format(name=name, point=[(edge[k] if name[1] == "1" else 0) if k == "xyz".index(name[0]) else 0 for k in range(3)],
                                     normal=[(-1 if name[1] == "1" else 1) if k == "xyz".index(name[0]) else 0 for k in range(3)]) for name in names)
        bodies = [b for b in loose(["ball", "small", "ball"], cells=3, edge=0.0083, speed=0.1)]
        for method, step, end in ((CONE, "0.5 ms", 1.5), (PENALTY, "10 us", 1.5)):
            rows = self.series(bodies=bodies, periodic="none", gravity=pull, low=(-1, -1, -1), high=(1, 1, 1), method=method, step=step, restitution=0.05, friction=0, end=end,
                               more=planes + "".join(load(name, end) for name in names) + stress(end, [[-0.001] * 3, [x + 0.001 for x in edge]]))
            row, frame = rows[-1], self.last().values()
            volume = math.prod(x + 0.002 for x in edge)
            for k, axis in enumerate("xyz"):
                wanted = edge[k] * row[f"load_{axis}1.{axis}1.f{axis}"] - pull[k] * sum(b["mass"] * b[axis] for b in frame)
                self.assertGreater(wanted, 2e-5)
                self.assertAlmostEqual(volume * row[f"stress.{axis}{axis}"] / wanted, 1, delta=1e-4)

    def test_a_lattice(self):
        """Layers whose balls lie in the hollows of four, apart in each layer: forces and stresses in closed form, under both methods."""
        n, layers, d = 3, 4, 2 * RADIUS
        s = 1.1 * d
        h = math.sqrt(d * d - s * s / 2)
        bodies = [["ball", [(i + 0.5 * (k % 2)) * s, (j + 0.5 * (k % 2)) * s, RADIUS + k * h], [0, 0, 0], [0, 0, 0]]
                  for k in range(layers) for i in range(n) for j in range(n)]
        above = sum(range(1, layers))
        top = layers * h + d
        floor = WALL.format(name="floor", point=[0, 0, 0], normal=[0, 0, 1])
        for method, step, near in ((CONE, "1 ms", 5e-5), (PENALTY, "10 us", 5e-3)):  # whose overlaps take 0.2 %
            with self.subTest(method):
                row = self.series(bodies=bodies, periodic="xy", high=(n * s, n * s, 1), low=(0, 0, -1), gravity=(0, 0, -GRAVITY), method=method, step=step, friction=0,
                                  restitution=0.05, end=0.05, more=floor + load("floor", 0.05) + stress(0.05, [[0, 0, -0.001], [n * s, n * s, top]]))[-1]
                per = n * n * MASS * GRAVITY / (n * n * s * s * (top + 0.001))
                self.assertAlmostEqual(row["stress.zz"] / (per * (above * h + layers * RADIUS)), 1, delta=near)
                self.assertAlmostEqual(row["stress.xx"] / (per * above * s * s / (4 * h)), 1, delta=near)
                self.assertAlmostEqual(row["stress.yy"] / row["stress.xx"], 1, delta=1e-9)
                self.assertAlmostEqual(row["stress.xy"] / row["stress.xx"], 0, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
