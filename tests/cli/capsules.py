#!/usr/bin/env python3
"""Smooth bodies at edges, corners, rims and polyhedra, capsules, cylinders and rounded polyhedra: as balls where they are balls, energy and
momentum, collisions against closed forms, masses, restarts to the bit, and what is refused."""

import math
import unittest

from smooth import BOX, FLOOR, R, SHAPES, STATE, TUBE, SmoothScenes, body, heap, turned

MORE = """[shape.rod]
kind = "capsule"
base_radius = 0.003
height = 0.014
[shape.long]
kind = "capsule"
base_radius = 0.002
height = 0.03
[shape.needle]
kind = "ellipsoid"
semi_axes = [0.002, 0.002, 0.012]
[shape.cube]
kind = "box"
edges = [0.009, 0.01, 0.008]
[shape.soft]
kind = "box"
edges = [0.01, 0.01, 0.009]
rounding = 0.002
bevels = 1
[shape.tin]
kind = "cylinder"
base_radius = 0.004
height = 0.01
"""


def triangles(name, faces):
    text = f"solid {name}\n"
    for face in faces:
        text += "facet normal 0 0 0\nouter loop\n" + "".join("vertex {:.17g} {:.17g} {:.17g}\n".format(*p) for p in face) + "endloop\nendfacet\n"
    return text + f"endsolid {name}\n"


def terrain(n, edge, height):
    """Hills on a grid of n by n squares, each of two triangles."""
    def at(i, j):
        return (i * edge, j * edge, height * math.sin(1.7 * i + 0.3 * j) * math.cos(0.9 * j - 0.4 * i))
    faces = []
    for i in range(n):
        for j in range(n):
            faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1))]
    return triangles("hills", faces)


def pyramid(edge, height):
    a, top = edge / 2, (0, 0, height)
    corner = [(-a, -a, 0), (a, -a, 0), (a, a, 0), (-a, a, 0)]
    faces = [(corner[k], corner[(k + 1) % 4], top) for k in range(4)]
    return triangles("pyramid", faces + [(corner[0], corner[2], corner[1]), (corner[0], corner[3], corner[2])])


def mesh(file):
    return f'[[wall]]\nkind = "mesh"\nfile = "{file}"\nmaterial = "m"\n'


class Capsules(SmoothScenes):
    shapes = SHAPES + MORE

    def write_meshes(self):
        (self.folder / "hills.stl").write_text(terrain(6, 0.01, 0.004))
        (self.folder / "pyramid.stl").write_text(pyramid(0.012, 0.005))

    def test_balls(self):
        """An ellipsoid of equal axes does at edges, corners and rims what a sphere does."""
        rod = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, -0.03]\naxis = [0, 0, 1]\nlength = 0.03\nradius = 0.008\nside = "outside"\nmaterial = "m"\n'
        h = 0.99 * R
        cases = {
            "apex": (mesh("pyramid.stl"), [0.0002, 0.0001, 0.005 + h]),
            "ridge": (mesh("pyramid.stl"), [0.0032, 0.003, 0.0025 + 1.17 * h]),
            "rim of the pyramid": (mesh("pyramid.stl"), [0.0062 + 0.7 * h, 0.001, 0.7 * h]),
            "hills": (mesh("hills.stl"), [0.0302, 0.0203, 0.0005 + h]),
            "end of a rod": (rod, [0.004, 0.001, h]),
            "rim of a rod": (rod, [0.0083 + 0.5 * h, 0.001, 0.85 * h]),
        }
        for name, (wall, at) in cases.items():
            with self.subTest(name):
                ends = []
                for shape in ("ball", "round"):
                    self.series(bodies=body(shape, at, [0.05, 0.02, -0.5], [10, -20, 0]), more=wall, end=0.004, step=1e-6,
                                method='law = "linear"\nstiffness = 2e5')
                    ends.append(self.last()[0])
                for key in STATE:
                    scale = 100 if key.startswith("w") else (1 if key.startswith("v") else 0.01)
                    self.assertAlmostEqual(float(ends[1][key]), float(ends[0][key]), delta=(1e-2 if key.startswith("w") else 3e-3) * scale, msg=key)

    def test_polyhedra(self):
        """An ellipsoid of equal axes meets faces, edges and corners of a box as a sphere does."""
        for name, way, reach in (("face", (1, 0.1, 0.1), 0.0045), ("edge", (1, 1.05, 0.1), 0.0066), ("corner", (1, 1.1, 0.9), 0.0077)):
            with self.subTest(name):
                size = math.sqrt(sum(x * x for x in way))
                to, ends = [x / size for x in way], []
                for shape in ("ball", "round"):
                    bodies = body("cube", [0, 0, 0], [0, 0, 0], [1, 2, 3]) + body(shape, [(reach + R + 5e-4) * x for x in to], [-x for x in to], [10, 0, 5])
                    self.series(bodies=bodies, gravity=(0, 0, 0), end=0.004, step=1e-6, method='law = "linear"\nstiffness = 2e5')
                    ends.append(self.last())
                self.assertGreater(abs(float(ends[0][0]["vx"])), 0.05)
                for i in (0, 1):
                    for key in STATE:
                        # The arm ends in the middle of what overlaps, that of a sphere on the polyhedron.
                        scale = 300 if key.startswith("w") else (1 if key.startswith("v") else 0.01)
                        self.assertAlmostEqual(float(ends[1][i][key]), float(ends[0][i][key]), delta=2e-2 * scale, msg=key)

    def test_energy_and_momentum(self):
        """Without losses nothing is lost on hills and pyramids, on and off the rim of a rod, and between smooth bodies and polyhedra."""
        stiff = 'law = "linear"\nstiffness = 1e5'
        rod = '[[wall]]\nkind = "cylinder"\npoint = [0.024, 0.024, 0.002]\naxis = [0, 0, 1]\nlength = 0.012\nradius = 0.009\nside = "outside"\nmaterial = "m"\n'
        walls = {
            "hills": (mesh("hills.stl") + BOX.format(0.001, 0.055).replace("min = [0.001, 0.001, 0.001]", "min = [0.001, 0.001, -0.01]"), (0.004, 0.004, 0.012)),
            "rod": (rod + BOX.format(0, 0.08), (0.001, 0.001, 0.02)),
        }
        for shapes in (["egg"], ["lens", "ball"], ["pill"], ["rod"], ["rod", "egg", "ball"]):
            for name, (wall, at) in walls.items():
                with self.subTest(shapes, walls=name):
                    rows = self.series(bodies=heap(shapes, 2, 0.018, at), more=wall, friction=0, restitution=1, end=0.08, step=2e-6, method=stiff)
                    for row in rows:
                        self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.total"], 1, delta=1e-4)
        # In and out of both mouths of a pipe, and about it.
        pipe = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, 0.012]\naxis = [0, 0, 1]\nlength = 0.02\nradius = 0.013\nmaterial = "m"\n'
        box = '[[wall]]\nkind = "box"\nmin = [-0.03, -0.03, 0]\nmax = [0.03, 0.03, 0.05]\nmaterial = "m"\n'
        for shape, seed in (("egg", 3), ("lens", 4), ("rod", 3), ("rod", 5)):
            with self.subTest(shape, walls="pipe", seed=seed):
                rows = self.series(bodies=body(shape, [0.002, 0.001, 0.022], [0.4, 0.1, -0.5], [20, 50, 10], turned(seed)), more=pipe + box,
                                   friction=0, restitution=1, end=0.2, step=2e-6, method=stiff)
                for row in rows:
                    self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.total"], 1, delta=3e-4)
        for a in ("egg", "lens", "rod", "brick"):
            for b in ("cube", "tin", "soft", "rod"):
                with self.subTest(a, other=b):
                    scene = dict(bodies=body(a, [0, 0, 0], [1, 0, 0.2], [30, 40, -10], turned(1)) + body(b, [0.0165, 0.002, 0.001], [-1, 0.1, 0], [5, 60, 9], turned(4)),
                                 gravity=(0, 0, 0), end=0.02, step=1e-6)
                    rows = self.series(friction=0, restitution=1, method=stiff, **scene)
                    self.assertAlmostEqual(rows[-1]["energy.total"] / rows[0]["energy.total"], 1, delta=1e-4)
                    rows = self.series(friction=0.4, restitution=0.6, **scene)
                    lost = rows[0]["energy.total"] - rows[-1]["energy.kinetic_translation"] - rows[-1]["energy.kinetic_rotation"]
                    self.assertGreater(lost, 1e-3 * rows[0]["energy.total"])
                    for name in ("px", "py", "pz", "Lx", "Ly", "Lz"):
                        size = 1e-3 if name[0] == "p" else 1e-5
                        self.assertAlmostEqual(rows[-1]["momentum." + name], rows[0]["momentum." + name], delta=1e-11 * size, msg=name)

    def test_tips_over_edges(self):
        """What lies across the edge of a sheet or plate tips over it, and what leans beside it without touching stays as it is."""
        def plate(x, low):
            corner = [(-x, -x), (x, -x), (x, x), (-x, x)]
            top, bottom = [(*c, 0) for c in corner], [(*c, low) for c in corner]
            faces = [(top[0], top[1], top[2]), (top[0], top[2], top[3])]
            if low < 0:
                faces += [(bottom[0], bottom[2], bottom[1]), (bottom[0], bottom[3], bottom[2])]
                for k in range(4):
                    m = (k + 1) % 4
                    faces += [(bottom[k], bottom[m], top[m]), (bottom[k], top[m], top[k])]
            return triangles("plate", faces)
        for low in (0, -0.0005, -0.02):
            (self.folder / "plate.stl").write_text(plate(0.05, low))
            lying = 'rotation = { axis = [0, 1, 0], angle = "90 deg" }'
            for shape, r in (("long", 0.002), ("needle", 0.002)):
                for law in ('law = "linear"\nstiffness = 1e5', 'law = "hertz"'):
                    with self.subTest(shape, low=low, law=law):
                        free = "linear" in law
                        rows = self.series(bodies=body(shape, [0.0512, 0.003, r + 1e-5], more=lying), more=mesh("plate.stl"), friction=0 if free else 0.6,
                                           restitution=1 if free else 0.3, end=0.15, step=4e-6, method=law)
                        self.assertLess(float(self.last()[0]["z"]), -0.01)
                        if free:
                            size = rows[0]["energy.potential"] - rows[-1]["energy.potential"]
                            self.assertGreater(size, 0)
                            for row in rows:
                                self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=2e-3 * abs(size))
            rows = self.series(bodies=body("long", [0.0585, 0.003, -0.002], more='rotation = { axis = [0, 1, 0], angle = "-60 deg" }'), more=mesh("plate.stl"),
                               gravity=(0, 0, 0), end=1e-4)
            self.assertEqual(rows[-1]["energy.total"], 0)

    def test_hit_at_the_end(self):
        """A ball that hits a capsule at its end without friction: the impulse is (1 + e) v over 1/m + 1/M + l^2/I."""
        r, half = 0.003, 0.004
        M = 2500 * math.pi * r * r * (2 * half + 4 / 3 * r)
        I = 2500 * (math.pi * r * r * 2 * half * (r * r / 4 + half * half / 3) + 4 / 3 * math.pi * r ** 3 * (0.4 * r * r + half * half + 0.75 * half * r))
        m = 2500 * 4 / 3 * math.pi * R ** 3
        for e in (1, 0.5):
            for law in ("hertz", "linear"):
                with self.subTest(law=law, e=e):
                    method = f'law = "{law}"\n' + ("stiffness = 1e6" if law == "linear" else "")
                    bodies = body("rod", [0, 0, 0]) + body("ball", [0, R + r + 1e-6, half], [0, -0.1, 0])
                    self.series(bodies=bodies, gravity=(0, 0, 0), friction=0, restitution=e, end=8e-4, step=2e-7, method=method)
                    ends = self.last()
                    impulse = 0.1 * (1 + e) / (1 / m + 1 / M + half * half / I)
                    self.assertAlmostEqual(float(ends[1]["vy"]), -0.1 + impulse / m, delta=5e-4)
                    self.assertAlmostEqual(float(ends[0]["vy"]), -impulse / M, delta=5e-3 * impulse / M)
                    self.assertAlmostEqual(float(ends[0]["wx"]), impulse * half / I, delta=5e-3 * impulse * half / I)

    def test_masses(self):
        """Of capsule and cylinder in closed form, of rounded boxes between the round one and that with chamfers."""
        def mass(shape):
            return self.series(bodies=body(shape, [0, 0, 0], [1, 0, 0], [20, 0, 0]), gravity=(0, 0, 0), end=1e-4)[0]
        row, r, half = mass("rod"), 0.003, 0.004
        I = 2500 * (math.pi * r * r * 2 * half * (r * r / 4 + half * half / 3) + 4 / 3 * math.pi * r ** 3 * (0.4 * r * r + half * half + 0.75 * half * r))
        self.assertAlmostEqual(row["momentum.px"] / (2500 * math.pi * r * r * (2 * half + 4 / 3 * r)), 1, delta=1e-9)
        self.assertAlmostEqual(row["momentum.Lx"] / (I * 20), 1, delta=1e-9)
        self.assertAlmostEqual(mass("tin")["momentum.px"] / (2500 * math.pi * 0.004 ** 2 * 0.01), 1, delta=1e-9)
        a, b, c, r = 0.01, 0.01, 0.009, 0.002
        u, v, w = a - 2 * r, b - 2 * r, c - 2 * r
        flat = u * v * w + 2 * r * (u * v + v * w + w * u)
        # An edge has a quarter of a disc, or the polygon within it; a corner an eighth of a ball, or the hull within it.
        round_box, chamfered = flat + math.pi * r * r * (u + v + w) + 4 / 3 * math.pi * r ** 3, flat + 2 * r * r * (u + v + w) + 8 * r ** 3 / 6
        self.assertAlmostEqual(mass("soft")["momentum.px"] / 2500 / chamfered, 1, delta=1e-9)
        text = MORE.replace("bevels = 1\n", "")
        self.write(bodies=body("soft", [0, 0, 0], [1, 0, 0]), gravity=(0, 0, 0), end=1e-4)
        scene = (self.folder / "scene.toml").read_text().replace(MORE, text)
        (self.folder / "scene.toml").write_text(scene)
        self.scree("run", "scene.toml", "-o", "finer", "--overwrite", "-q")
        finer = self.read_series("finer")[0]["momentum.px"] / 2500
        self.assertGreater(finer, chamfered)
        self.assertLess(finer, round_box)
        self.assertLess(round_box - finer, 0.3 * (round_box - chamfered))

    def test_lies_still(self):
        """A capsule that is laid on a plane stays there on both ends; a heap on hills comes to rest, and nothing falls through."""
        rows = self.series(bodies=body("rod", [0, 0, 0.003 - 1e-7], more="rotation = { axis = [0, 1, 0], angle = \"90 deg\" }"), more=FLOOR, end=0.2, step=5e-6)
        self.assertLess(rows[-1]["energy.kinetic_translation"] + rows[-1]["energy.kinetic_rotation"], 1e-13)
        # Each end bears half of the weight, as a ball does by Hertz.
        weight = 9.81 * 2500 * math.pi * 0.003 ** 2 * (0.008 + 4 / 3 * 0.003)
        sunk = (0.75 * weight / 2 * 2 * (1 - 0.0625) / 50e6 / math.sqrt(0.003)) ** (2 / 3)
        self.assertAlmostEqual(float(self.last()[0]["z"]), 0.003 - sunk, delta=1e-8)
        wall = mesh("hills.stl") + BOX.format(0.001, 0.059).replace("min = [0.001, 0.001, 0.001]", "min = [0.001, 0.001, -0.02]")
        rows = self.series(bodies=heap(["rod", "egg", "cube", "pill"], 3, 0.0165, (0.004, 0.004, 0.008)), more=wall, end=0.5, step=5e-6, friction=0.5, every=0.02)
        self.assertLess(rows[-1]["energy.kinetic_translation"] + rows[-1]["energy.kinetic_rotation"], 2e-3 * rows[0]["energy.kinetic_translation"])
        self.assertGreater(min(float(row["z"]) for row in self.last().values()), -0.003)

    def test_restarts_threads_and_searches(self):
        walls = mesh("hills.stl") + mesh("pyramid.stl") + TUBE.replace("[0, 0, -1]", "[0.024, 0.024, -1]").replace("0.03", "0.045")
        for precision in ("double", "mixed"):
            with self.subTest(precision=precision):
                how = ("--precision", precision)
                scene = dict(bodies=heap(["rod", "egg", "cube", "ball", "tin"], 3, 0.0165, (0, 0, 0.006)), more=walls, end=0.02, step=4e-6)
                self.series(*how, **scene)
                whole = self.summary("run")["state_hash"]
                self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", "0.0123", *how)
                self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                self.assertEqual(self.summary("half")["state_hash"], whole)
                for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "1 mm"'):
                    self.series(*how, **dict(scene, method=other))
                    self.assertEqual(self.summary("run")["state_hash"], whole, other)

    def test_cone_method(self):
        """They fall into a heap there, and a capsule lies still on two points."""
        def run(**scene):
            self.write(step=5e-4, method='kind = "cone"\n', **scene)
            text = (self.folder / "scene.toml").read_text().replace("overlap_warning = 0.3\n", "")
            (self.folder / "scene.toml").write_text(text)
            self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
            return self.read_series("run")
        rows = run(bodies=body("rod", [0, 0, 0.0031], more="rotation = { axis = [0, 1, 0], angle = \"90 deg\" }"), more=FLOOR, end=0.2, restitution=0)
        self.assertLess(rows[-1]["energy.kinetic_translation"] + rows[-1]["energy.kinetic_rotation"], 1e-12)
        wall = mesh("hills.stl") + BOX.format(0.001, 0.059).replace("min = [0.001, 0.001, 0.001]", "min = [0.001, 0.001, -0.02]")
        rows = run(bodies=heap(["rod", "egg", "cube", "ball"], 2, 0.0165, (0.012, 0.012, 0.008)), more=wall, end=0.4, restitution=0, friction=0.5)
        self.assertLess(rows[-1]["energy.kinetic_translation"] + rows[-1]["energy.kinetic_rotation"], 0.1 * rows[0]["energy.kinetic_translation"])
        self.assertGreater(min(float(row["z"]) for row in self.last().values()), -0.003)

    def test_refuses(self):
        shape = '[shape.bad]\nkind = "{}"\n{}\n'
        cases = [
            (shape.format("capsule", "base_radius = 0.002\nheight = 0.004"), "twice its base_radius"),
            (shape.format("capsule", "base_radius = 0.0002\nheight = 0.04"), "40 times"),
            (shape.format("capsule", "base_radius = 0.0002"), "height"),
            (shape.format("box", "edges = [0.01, 0.01, 0.01]\nrounding = 0.006"), "less than 0.004995 m"),
            (shape.format("box", "edges = [0.01, 0.01, 0.01]\nbevels = 1"), "rounding"),
            (shape.format("cube", "radius = 0.01\nrounding = 0.001"), "edge"),
            (shape.format("capsule", "base_radius = 0.002\nheight = 0.01\nrounding = 0.001"), "rounding"),
        ]
        self.refuses(cases)


if __name__ == "__main__":
    unittest.main()
