#!/usr/bin/env python3
"""Walls and streams in periodic domains that are sheared or driven: what is the same for bodies and for their images, which move by themselves, and
what is refused since it is not."""

import math
import unittest

from periodic_scenes import CONE, PENALTY, PeriodicTest, loose

SMOOTH = """[material.smooth]
density = 1200
young = "5 MPa"
poisson = 0.3
restitution = 0.5
friction = 0
[[material_pair]]
between = ["m", "smooth"]
restitution = 0.5
friction = 0
"""
PLANE = '[[wall]]\nname = "{name}"\nmaterial = "smooth"\nkind = "plane"\npoint = [0, 0, {z}]\nnormal = [0, 0, {n}]\n'
FLOOR = SMOOTH + PLANE.format(name="floor", z=0, n=1)
SHEAR = 'shear = { along = "x", across = "y", rate = 25 }'
RATES = '[[domain.stage]]\nx = { rate = -2 }\ny = { rate = { amplitude = 3, frequency = 20 } }\nshear = { along = "y", across = "x", rate = 4 }\n'
FEED = """[[insert]]
name = "feed"
shape = "{shape}"
material = "m"
count = {count}
rate = {rate}
velocity = [0, 0, {down}]
region = {{ box = {box} }}
"""


def load(every):
    return f'[[measure]]\nkind = "wall_load"\nwall = "floor"\nname = "load"\nevery = {every}\n'


class MovingDomain(PeriodicTest):
    def bed(self, kind="spheres", **how):
        shapes = {"spheres": ["ball", "small", "ball"], "cubes": ["cube", "ball"], "rods": ["rod", "ball"]}[kind]
        cells = 4 if kind == "rods" else 5
        bodies = loose(shapes, cells=cells, edge=0.04 / cells, depth=3)
        return dict(dict(bodies=bodies, periodic="xy", low=(0, 0, -1), high=(0.04, 0.04, 1), gravity=(0, 0, -9.81)), **how)

    def test_a_sheared_bed_looks_the_same_from_anywhere(self):
        """On a smooth floor: moved along y, and faster by the rate times that, all goes the same way."""
        for kind in ("spheres", "cubes", "rods"):
            for method, step in ((PENALTY, "20 us"), (CONE, "100 us")):
                with self.subTest(kind, method=method):
                    scene = self.bed(kind, domain=SHEAR, method=method, step=step, end=0.02, more=FLOOR + load(0.0005), gravity=(0, 0, -30))
                    bodies = [[s, x, [v[0] + 25 * (x[1] - 0.02), *v[1:]], w] for s, x, v, w in scene.pop("bodies")]
                    rows = self.series(bodies=bodies, **scene)
                    self.assertGreater(max(-row.get("load.floor.fz", 0) for row in rows), 1e-4)
                    one = self.last()
                    by = (0.0171, -0.0093, 0.0)
                    moved = [[s, [a + b for a, b in zip(x, by)], [v[0] + 25 * by[1], *v[1:]], w] for s, x, v, w in bodies]
                    self.series(bodies=moved, **scene)
                    for i, row in self.last().items():
                        for axis in ("z", "vy", "vz", "wx", "wy", "wz"):
                            self.assertAlmostEqual(row[axis], one[i][axis], delta=1e-3 if axis[0] == "w" else 1e-6)
                        faster = (row["vx"] - one[i]["vx"] - 25 * by[1]) / (25 * 0.04)
                        self.assertAlmostEqual(faster - round(faster), 0, delta=1e-6)

    def test_a_sheared_bed_weighs_what_it_weighs(self):
        """The floor bears the weight on the mean, momentum across the shear stays, and energy is what the images do."""
        scene = self.bed(domain='shear = { along = "x", across = "y", rate = 5 }', restitution=0.2, step="20 us", end=0.6, more=FLOOR + load(0.0005), every=0.05)
        rows = self.series(**scene)
        weight = sum(b["mass"] for b in self.last().values()) * 9.81
        late = [-row["load.floor.fz"] for row in rows if row["time"] > 0.3 and "load.floor.fz" in row]
        self.assertAlmostEqual(sum(late) / len(late) / weight, 1, delta=0.02)
        some = [row for row in rows if "energy.total" in row]
        unit = math.sqrt(some[0]["energy.kinetic_translation"])
        self.assertGreater(some[-1]["energy.work_of_walls"], 0.1 * some[0]["energy.kinetic_translation"])
        for row in some:
            self.assertAlmostEqual(row["energy.total"] - row["energy.work_of_walls"], some[0]["energy.total"], delta=0.02 * some[0]["energy.total"])
            self.assertAlmostEqual(row["momentum.py"], some[0]["momentum.py"], delta=1e-12 * unit)

    def test_a_layer_between_planes(self):
        """A square layer of balls between planes that just touch it, pressed along x by a rate: the force of its contacts in closed form."""
        r, n, rate, end = 0.0031, 4, -0.025, 0.4
        bodies = [["ball", [(2 * i + 1) * r, (2.2 * j + 1) * r, r], [0, 0, 0], [0, 0, 0]] for i in range(n) for j in range(n)]
        edge = [2 * r * n, 2.2 * r * n, 2 * r]
        more = SMOOTH + PLANE.format(name="floor", z=0, n=1) + PLANE.format(name="lid", z=2 * r, n=-1)
        more += f'[[measure]]\nkind = "stress"\nevery = {end}\nbox = [[0, 0, 0], {edge}]\n[[measure]]\nkind = "cell"\nevery = {end}\n'
        row = self.series(bodies=bodies, periodic="xy", low=(0, 0, -1), high=(*edge[:2], 1), gravity=(0, 0, 0), restitution=0.3, step="5 us", end=end, more=more,
                          domain=f"[[domain.stage]]\nx = {{ rate = {rate} }}\n")[-1]
        near = 2 * r * math.exp(rate * end)
        self.assertAlmostEqual(row["cell.length_x"], n * near, delta=1e-5 * near)  # of the first order in the step
        force = 4 / 3 * 5e6 / (2 * (1 - 0.3**2)) * math.sqrt(r / 2) * (2 * r - near) ** 1.5
        self.assertAlmostEqual(row["stress.xx"] * math.prod(edge) / (n * n * force * near), 1, delta=1e-3)  # a dashpot gives some, in proportion to the rate
        self.assertAlmostEqual(row["stress.yy"] / row["stress.xx"], 0, delta=1e-6)

    def test_rates_between_walls(self):
        """Driven along x and y on a floor: the same wherever the borders are, over restarts and threads to the bit."""
        for method, step in ((PENALTY, "20 us"), (CONE, "100 us")):
            for kind in ("spheres", "rods"):
                with self.subTest(method, kind=kind):
                    scene = self.bed(kind, domain=RATES, method=method, step=step, end=0.02, more=FLOOR)
                    bodies = scene.pop("bodies")
                    self.series(bodies=bodies, **scene)
                    whole, one = self.summary("run")["state_hash"], self.last()
                    for until in (0.0113, 0.0166):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2")
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)
                    self.series(bodies=[[s, [x[0] + 0.0171, x[1] - 0.0093, x[2]], v, w] for s, x, v, w in bodies], **scene)
                    for i, row in self.last().items():
                        for axis in ("z", "vz", "wx", "wy", "wz"):
                            self.assertAlmostEqual(row[axis], one[i][axis], delta=1e-3 if axis[0] == "w" else 1e-6)

    def test_what_comes_goes_with_the_domain(self):
        """Bodies that come into a domain that shrinks, and touch nothing, keep their places in it."""
        for method, step in ((PENALTY, "20 us"), (CONE, "100 us")):
            with self.subTest(method):
                feeds = '[[measure]]\nkind = "cell"\nevery = 0.25\n' + "".join(FEED.format(shape="small", count=1, rate=1000, down=0, box=[[x - 0.0015, y - 0.0015, 0.018], [x + 0.0015, y + 0.0015, 0.021]]).replace(
                    'rate = 1000', 'from = 0.05\nevery = 0.01').replace('"feed"', f'"feed{k}"') for k, (x, y) in enumerate(((0.01, 0.012), (0.028, 0.03))))
                rows = self.series(bodies=[["small", [0.02, 0.02, 0.005], [0, 0, 0], [0, 0, 0]]], method=method, step=step, end=0.25, every=0.25, more=feeds,
                                   domain="[[domain.stage]]\nx = { rate = -1 }\ny = { rate = 0.5 }\n", gravity=(0, 0, 0))
                self.assertEqual(self.summary("run")["bodies_inserted"], 2)
                frame = self.last()
                for axis, rate in (("x", -1), ("y", 0.5)):
                    # What is apart grows at the rate of the domain, whatever the places at which they came.
                    apart, faster = frame[2][axis] - frame[1][axis], frame[2][f"v{axis}"] - frame[1][f"v{axis}"]
                    self.assertAlmostEqual(faster / apart, rate, delta=2e-3)
                    for i in (1, 2):
                        self.assertAlmostEqual(rows[-1][f"cell.length_{axis}"] / 0.04, math.exp(rate * 0.25), delta=1e-3)
                        self.assertGreater(abs(frame[i][f"v{axis}"]), 1e-4)

    def test_streams_into_a_domain_that_shrinks(self):
        """They come without overlaps, their energy is accounted, and restarts are the same to the bit."""
        for method, step in ((PENALTY + "\noverlap_limit = 0.5", "20 us"), (CONE, "100 us")):
            for shape in ("ball", "rod"):
                with self.subTest(method, shape=shape):
                    feed = FEED.format(shape=shape, count=15, rate=180, down=-0.5, box=[[0.006, 0.006, 0.03], [0.034, 0.034, 0.05]])
                    scene = self.bed(domain="[[domain.stage]]\nx = { rate = -1.5 }\ny = { rate = -1 }\n", method=method, step=step, end=0.1, more=FLOOR + feed, every=0.005)
                    rows = self.series(**scene)
                    self.assertEqual(self.summary("run")["bodies_inserted"], 15)
                    self.assertLess(self.summary("run")["max_overlap_ratio"], 0.05)
                    if method != CONE:
                        for row in rows:
                            self.assertAlmostEqual(row["energy.total"] - row["energy.work_of_walls"], rows[0]["energy.total"], delta=0.02 * rows[0]["energy.total"])
                    whole = self.summary("run")["state_hash"]
                    self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", 0.0266)
                    self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2")
                    self.assertEqual(self.summary("half")["state_hash"], whole)

    def test_refuses(self):
        ball = dict(bodies=[["ball", [0.01, 0.01, 0.01], [0, 0, 0], [0, 0, 0]]], periodic="xy", low=(0, 0, -1), high=(0.04, 0.04, 1))
        shrinks = "[[domain.stage]]\nx = { rate = -1 }\n"
        feed = FEED.format(shape="ball", count=5, rate=100, down=-1, box=[[0, 0, 0.02], [0.04, 0.04, 0.04]])
        rough = PLANE.format(name="w", z=0, n=1).replace("smooth", "m")
        quad = SMOOTH + '[[wall]]\nname = "w"\nmaterial = "smooth"\nkind = "quad"\ncorners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]\n'
        event = '[[event]]\nname = "e"\nmeasure = "energy.total"\nabove = 1\nnext_stage = true\n'
        self.refuses(ball, [
            (dict(domain=SHEAR, more=rough), 'between = ["m", "m"] with friction = 0'),
            (dict(domain=shrinks, more=rough), "held back at another speed than its images"),
            (dict(domain=SHEAR, more=quad), 'use kind = "plane"'),
            (dict(domain=SHEAR, more=FLOOR.replace("[0, 0, 1]", "[0, 1, 0]")), "is not the same in each period along y"),
            (dict(domain=shrinks.replace("x =", "z =")), "has no length along z"),
            (dict(domain="[[domain.stage]]\nx = { stress = 10 }\n"), "periodic along every axis"),
            (dict(domain=shrinks, gravity=(1, 0, 0)), "no gravity along x"),
            (dict(domain=shrinks, end=0.2, more=feed), "reaches from x = 0 to 0.04 m, but the domain shrinks about its centre to 0.00362538"),
            (dict(domain="[[domain.stage]]\nx = { stress = 10 }\n", periodic="xyz", high=(0.04, 0.04, 0.04), low=(0, 0, 0), more=feed), "a stress may shorten that"),
            (dict(domain=shrinks + "[[domain.stage]]\ny = { rate = 1 }\n", more=feed + event), "an event says how long a stage shortens"),
        ])


if __name__ == "__main__":
    unittest.main()
