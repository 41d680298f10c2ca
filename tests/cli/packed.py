#!/usr/bin/env python3
"""Bodies that spheres fill a mesh for: rigid ones move as the mesh's solid, loose ones are bonded within themselves; `scree shape`; what is
refused."""

import csv
import json
import math
import unittest

from program import ProgramTest

HEAD = """[time]
end = {end}
step = {step}
[domain]
gravity = [0, 0, 0]
[material.m]
density = 2000
young = "50 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.3
[shape.block]
kind = "packed"
file = "{file}"
scale = 0.01
radius = {radius}
{keys}
[[bodies]]
shape = "block"
material = "m"
place = {place}
velocity = {v}
angular_velocity = {w}
{more}
[output]
every = {end}
[[measure]]
kind = "energy"
every = {every}
[[measure]]
kind = "momentum"
every = {every}
"""
EDGES = (2, 3, 4)  # of the block, in the file's unit
MASS = 2000 * 24e-6


def block(edges=EDGES, at=(0, 0, 0), without=0, first=0):
    """Text of an OBJ file, its triangles less the last so many; numbers of vertices begin after `first`."""
    text = "".join(f"v {at[0] + edges[0] * (k & 1)} {at[1] + edges[1] * (k >> 1 & 1)} {at[2] + edges[2] * (k >> 2)}\n" for k in range(8))
    faces = ["0 2 3 1", "4 5 7 6", "0 1 5 4", "2 6 7 3", "0 4 6 2", "1 3 7 5"]
    triangles = []
    for face in faces:
        a, b, c, d = (int(k) + 1 + first for k in face.split())
        triangles += [f"f {a} {b} {c}\n", f"f {a} {c} {d}\n"]
    return text + "".join(triangles[:len(triangles) - without])


class Packed(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "block.obj").write_text(block())

    def write(self, keys="", place="{ at = [0, 0, 0] }", v=(0, 0, 0), w=(0, 0, 0), more="", end=1e-3, step=1e-5, radius=0.002, file="block.obj", every=None):
        (self.folder / "scene.toml").write_text(HEAD.format(keys=keys, place=place, v=list(v), w=list(w), more=more, end=end, step=step, radius=radius,
                                                            file=file, every=every or end / 20))

    def run_scene(self, **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
        return self.read_series("run")

    def last_frame(self):
        self.scree("export", "run", "--to", "csv")
        with open(sorted((self.folder / "run" / "csv").glob("frame_0*.csv"))[-1]) as file:
            return list(csv.DictReader(file))

    def test_a_rigid_body_turns_as_the_solid(self):
        """Energy and angular momentum at the start are those of a cuboid, and stay; it precesses as Euler's equations say."""
        w = [40.0, 3.0, 25.0]
        a, b, c = (0.01 * e for e in EDGES)
        I = [MASS / 12 * (b * b + c * c), MASS / 12 * (a * a + c * c), MASS / 12 * (a * a + b * b)]
        rows = self.run_scene(w=w, v=(1, 2, 3), end=0.2, step=2e-5)
        kinetic = 0.5 * sum(i * x * x for i, x in zip(I, w))
        # Vertices of files come in single precision.
        self.assertAlmostEqual(rows[0]["energy.kinetic_translation"] / (0.5 * MASS * 14), 1, delta=1e-6)
        for row in rows:
            self.assertAlmostEqual(row["energy.kinetic_rotation"] / kinetic, 1, delta=1e-5)
            for k, axis in enumerate("xyz"):
                self.assertAlmostEqual(row[f"momentum.p{axis}"] / (MASS * (k + 1)), 1, delta=1e-6)
        # Euler's equations in the body's frame, by Runge and Kutta, with the frame.
        def slope(s):
            q, o = s[:4], s[4:]
            turn = [-q[1] * o[0] - q[2] * o[1] - q[3] * o[2], q[0] * o[0] + q[2] * o[2] - q[3] * o[1],
                    q[0] * o[1] + q[3] * o[0] - q[1] * o[2], q[0] * o[2] + q[1] * o[1] - q[2] * o[0]]
            return [0.5 * t for t in turn] + [(I[1] - I[2]) / I[0] * o[1] * o[2], (I[2] - I[0]) / I[1] * o[2] * o[0], (I[0] - I[1]) / I[2] * o[0] * o[1]]
        state, h = [1.0, 0, 0, 0, *w], 0.2 / 4000
        for _ in range(4000):
            k1 = slope(state)
            k2 = slope([s + h / 2 * k for s, k in zip(state, k1)])
            k3 = slope([s + h / 2 * k for s, k in zip(state, k2)])
            k4 = slope([s + h * k for s, k in zip(state, k3)])
            state = [s + h / 6 * (p + 2 * q + 2 * r + t) for s, p, q, r, t in zip(state, k1, k2, k3, k4)]
        q0, x, y, z = state[:4]
        o = state[4:]
        turned = [(1 - 2 * (y * y + z * z)) * o[0] + 2 * (x * y - q0 * z) * o[1] + 2 * (x * z + q0 * y) * o[2],
                  2 * (x * y + q0 * z) * o[0] + (1 - 2 * (x * x + z * z)) * o[1] + 2 * (y * z - q0 * x) * o[2],
                  2 * (x * z - q0 * y) * o[0] + 2 * (y * z + q0 * x) * o[1] + (1 - 2 * (x * x + y * y)) * o[2]]
        body = self.last_frame()[0]
        for axis, value in zip("xyz", turned):
            self.assertAlmostEqual(float(body[f"w{axis}"]), value, delta=0.02)

    def test_an_agglomerate_has_the_mass_of_the_mesh(self):
        """Each of several, turned and in motion; bonds hold each together, and none to another."""
        for fill in ("", 'fill = "random"\nseed = 3\n'):
            with self.subTest(fill):
                bonds = '[[bond]]\ngap = "0.8 mm"\nyoung = 1e7\n{}[[measure]]\nkind = "bonds"\nevery = 1e-4\n'
                # So near that spheres of the two are within the gap.
                scene = {"keys": "rigid = false\n" + fill, "place": "{ at = [[0, 0, 0], [0.0205, 0, 0]] }", "v": (1, 0, 0), "step": '"auto"'}
                rows = self.run_scene(more=bonds.format(""), **scene)
                self.assertAlmostEqual(rows[0]["momentum.px"] / (2 * MASS), 1, delta=1e-6)
                self.assertEqual(rows[-1]["bonds.fragments"], 2)
                within = rows[0]["bonds.holding"]
                self.assertEqual(self.run_scene(more=bonds.format("within = true\n"), **scene)[0]["bonds.holding"], within)
                rows = self.run_scene(more=bonds.format("within = false\n"), **scene)
                self.assertGreater(rows[0]["bonds.holding"], within)
                self.assertEqual(rows[0]["bonds.fragments"], 1)

    def test_every_placement(self):
        places = {"lattice": ("{ lattice = [2, 2, 1], spacing = 0.06 }", 4), "random": ("{ random = true, bodies = 5, region = { box = [[0, 0, 0], [0.2, 0.2, 0.2]] } }", 5),
                  "file": ('{ file = "places.csv" }', 2)}
        (self.folder / "places.csv").write_text("x,y,z,vx,vy,vz,qw,qx,qy,qz\n0,0,0,1,0,0,1,0,0,0\n0.1,0,0,1,0,0,1,1,0,0\n")
        for name, (place, count) in places.items():
            for rigid in ("true", "false"):
                with self.subTest(name, rigid=rigid):
                    turn = "" if name == "file" else 'orientation = "random"\n'
                    rows = self.run_scene(place=place, keys=f"rigid = {rigid}\n", v=(1, 0, 0), more=turn, radius=0.004)
                    self.assertAlmostEqual(rows[-1]["momentum.px"] / (count * MASS), 1, delta=1e-6)

    def test_shape_command(self):
        out, _ = self.scree("shape", "block.obj", "--scale", 0.01, "--density", 2000, "--radius", 0.002, "--json", "--output", "spheres.csv")
        found = json.loads(out)
        a, b, c = (0.01 * e for e in EDGES)
        self.assertAlmostEqual(found["volume"] / (a * b * c), 1, delta=1e-6)
        self.assertAlmostEqual(found["area"] / (2 * (a * b + b * c + a * c)), 1, delta=1e-6)
        self.assertAlmostEqual(found["mass"] / MASS, 1, delta=1e-6)
        self.assertAlmostEqual(found["centre"]["z"] / (c / 2), 1, delta=1e-6)
        self.assertAlmostEqual(found["inertia"]["xx"] / (MASS / 12 * (b * b + c * c)), 1, delta=1e-6)
        self.assertAlmostEqual(found["principal_moments"]["z"] / (MASS / 12 * (a * a + b * b)), 1, delta=1e-6)
        with open(self.folder / "spheres.csv") as file:
            spheres = list(csv.DictReader(file))
        self.assertEqual(found["fill"]["spheres"], len(spheres))
        self.assertAlmostEqual(found["fill"]["solid_fraction"], len(spheres) * 4 / 3 * math.pi * 8e-9 / 24e-6, delta=1e-6)
        self.assertLess(found["fill"]["solid_fraction"], 0.7405)
        self.assertGreater(found["fill"]["solid_fraction"], 0.5)
        # The farthest corner from the nearest sphere; they fill some of the surface.
        farthest = max(min(math.dist(corner, [float(s[k]) for k in "xyz"]) - 0.002 for s in spheres)
                       for corner in [(a * (k & 1), b * (k >> 1 & 1), c * (k >> 2)) for k in range(8)])
        self.assertGreaterEqual(found["fill"]["surface_distance"], farthest - 1e-9)
        self.assertLess(found["fill"]["surface_distance"], 0.006)
        text, _ = self.scree("shape", "block.obj", "--scale", 0.01, "--radius", 0.002, "--fill", "random")
        self.assertIn("random spheres of radius 0.002 m", text)
        # The spheres are what a scene places.
        (self.folder / "loose.toml").write_text('[time]\nend = 1e-4\nstep = 1e-5\n[material.m]\ndensity = 2000\nyoung = 1e7\npoisson = 0.25\nrestitution = 0.5\n'
                                                'friction = 0.3\n[[bodies]]\nmaterial = "m"\nplace = { file = "spheres.csv" }\n')
        self.scree("run", "loose.toml", "-o", "loose", "-q")
        self.assertEqual(self.summary("loose")["bodies"], len(spheres))

    def test_bad_meshes(self):
        cases = {"open": (block(without=1), "is not closed: the edge from (", "3 edges are such"),
                 "crossing": (block() + block(at=(1, 1, 1), first=8), "crosses itself: triangle ("),
                 "part.step": ("ISO-10303-21;\n", "holds exact surfaces, not triangles: convert it to STL")}
        for name, (text, *messages) in cases.items():
            with self.subTest(name):
                file = name if "." in name else f"{name}.obj"
                (self.folder / file).write_text(text)
                self.write(file=file)
                for command in (("shape", file), ("check", "scene.toml")):
                    _, err = self.scree(*command, code=2)
                    self.assertEqual(len(err.splitlines()), 1)
                    for message in messages:
                        self.assertIn(message, err)
                self.assertIn("scene.toml:14:8", err)

    def test_refused(self):
        insert = '[[insert]]\nshape = "block"\nmaterial = "m"\ncount = 1\nregion = { box = [[0, 0, 1], [1, 1, 2]] }\n'
        cases = [({"radius": 0.02}, "no sphere of radius 0.02 m fits into the mesh of \"{folder}/block.obj\": it holds radii up to 0.0111"),
                 ({"radius": 1e-8}, "spheres in one shape pass the limit of 2147483647"),
                 ({"keys": "surface = 1.5"}, "surface: must be"),
                 ({"keys": "seed = 1"}, 'is of fill = "random"'),
                 ({"keys": "rigid = false", "more": insert}, "set rigid = true"),
                 ({"more": "[[bond]]\npairs = [0, 1]\nyoung = 1e7\nwithin = true\n"}, "within: chooses bodies with gap")]
        for scene, message in cases:
            with self.subTest(message):
                self.write(**scene)
                _, err = self.scree("check", "scene.toml", code=2)
                self.assertIn(message.format(folder=self.folder), err)
        (self.folder / "flat.toml").write_text("dimensions = 2\n" + (self.folder / "scene.toml").read_text().replace("gravity = [0, 0, 0]", "gravity = [0, 0]"))
        self.assertIn('"packed" has three dimensions', self.scree("check", "flat.toml", code=2)[1])
        _, err = self.scree("shape", "block.obj", "--fill", "random", code=2)
        self.assertIn("--radius", err)

    def test_the_same_again(self):
        """A fill depends on its seed alone, not on the number of threads."""
        scene = {"keys": 'rigid = false\nfill = "random"\nseed = 5\n', "v": (1, 0, 0), "end": 1e-4}
        self.run_scene(**scene)
        first = self.last_frame()
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q", "--threads", 2)
        self.assertEqual(self.last_frame(), first)


if __name__ == "__main__":
    unittest.main()
