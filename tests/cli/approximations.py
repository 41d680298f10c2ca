#!/usr/bin/env python3
"""Bodies that few spheres or convex parts stand for: they have the mesh's mass and moments, balance energy and momentum as they fall and hit
each other; `scree shape --as`; what is refused."""

import csv
import json
import math
import unittest

from packed import block
from program import ProgramTest

HEAD = """[time]
end = {end}
step = "auto"
[domain]
gravity = [0, 0, {gravity}]
[method]
kind = "{method}"
{law}[material.m]
density = 2000
young = "20 MPa"
poisson = 0.25
restitution = {restitution}
friction = {friction}
[shape.ell]
kind = "{kind}"
file = "{file}"
{keys}
[[bodies]]
shape = "ell"
material = "m"
place = {place}
velocity = {v}
angular_velocity = {w}
orientation = [0.8, 0.3, -0.2, 0.4]
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
KINDS = ("spheres", "decomposition")
OUTLINE = ((0, 0), (0.02, 0), (0.02, 0.01), (0.01, 0.01), (0.01, 0.02), (0, 0.02))
MASS = 2000 * 3e-6


def ell():
    """Text of an OBJ file: an L of two boxes, 2 cm x 1 cm x 1 cm and a cube of 1 cm."""
    text = "".join(f"v {x} {y} {z}\n" for z in (0, 0.01) for x, y in OUTLINE)
    for a, b, c in ((1, 2, 3), (1, 3, 4), (1, 4, 5), (1, 5, 6)):
        text += f"f {a} {c} {b}\nf {a + 6} {b + 6} {c + 6}\n"
    for k in range(6):
        a, b = k + 1, (k + 1) % 6 + 1
        text += f"f {a} {b} {b + 6}\nf {a} {b + 6} {a + 6}\n"
    return text


def inertia():
    """Of the L about its centre, of two boxes: xx, yy, zz, xy [kg m2], by the parallel axes."""
    centre = [(2 * 0.01 + 0.005) / 3, (2 * 0.005 + 0.015) / 3]
    sums = [0.0] * 4
    for m, (a, b), (x, y) in ((2 / 3 * MASS, (0.02, 0.01), (0.01, 0.005)), (MASS / 3, (0.01, 0.01), (0.005, 0.015))):
        dx, dy, c = x - centre[0], y - centre[1], 0.01
        sums[0] += m * ((b * b + c * c) / 12 + dy * dy)
        sums[1] += m * ((a * a + c * c) / 12 + dx * dx)
        sums[2] += m * ((a * a + b * b) / 12 + dx * dx + dy * dy)
        sums[3] -= m * dx * dy
    return centre, sums


def volume_of(vertices, faces):
    """Volume inside faces that go counterclockwise as seen from outside."""
    total = 0.0
    for face in faces:
        a = vertices[face[0]]
        for i, j in zip(face[1:], face[2:]):
            b, c = vertices[i], vertices[j]
            total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


class Approximations(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "ell.obj").write_text(ell())

    def write(self, kind, keys="", place="{ at = [0, 0, 0.05] }", v=(0, 0, 0), w=(0, 0, 0), more="", end=0.01, file="ell.obj", gravity=0, restitution=0.5, friction=0.3,
              every=None, method="penalty", law=""):
        (self.folder / "scene.toml").write_text(HEAD.format(kind=kind, keys=keys, place=place, v=list(v), w=list(w), more=more, end=end, file=file, gravity=gravity,
                                                            restitution=restitution, friction=friction, every=every or end / 20, method=method, law=law))

    def run_scene(self, kind, threads=1, **scene):
        self.write(kind, **scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q", "--threads", threads)
        return self.read_series("run")

    def test_a_free_body_moves_as_the_solid(self):
        """Momenta and energy are those of the L, whatever stands for it, and stay."""
        w = (30.0, -20.0, 50.0)
        _, (xx, yy, zz, xy) = inertia()
        # The body is turned by q: the tensor turns with it.
        q = [x / math.sqrt(0.93) for x in (0.8, 0.3, -0.2, 0.4)]
        a, b, c, d = q
        R = [[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)], [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
             [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]]
        own = [sum(R[j][k] * w[j] for j in range(3)) for k in range(3)]
        kinetic = 0.5 * (xx * own[0] ** 2 + yy * own[1] ** 2 + zz * own[2] ** 2 + 2 * xy * own[0] * own[1])
        for kind in KINDS:
            with self.subTest(kind):
                for row in self.run_scene(kind, keys="most = 4", v=(1, 2, 3), w=w):
                    # Vertices of files come in single precision.
                    self.assertAlmostEqual(row["energy.kinetic_rotation"] / kinetic, 1, delta=1e-5)
                    for k, axis in enumerate("xyz"):
                        self.assertAlmostEqual(row[f"momentum.p{axis}"] / (MASS * (k + 1)), 1, delta=1e-6)

    def test_energy_and_momentum_balance(self):
        floor = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'
        for kind in KINDS:
            with self.subTest(f"{kind}, dropped"):
                rows = self.run_scene(kind, keys="most = 8", place="{ at = [0, 0, 0.03] }", more=floor, gravity=-9.81, end=0.3, v=(0.1, 0, -0.5), w=(5, 0, 0))
                first = rows[0]["energy.total"]
                scale = MASS * 9.81 * 0.03 + 0.5 * MASS * 0.26
                for row in rows:
                    self.assertAlmostEqual((row["energy.total"] - first) / scale, 0, delta=0.01)
                # It comes to rest on the floor.
                self.assertLess(rows[-1]["energy.kinetic_translation"], 0.02 * scale)
                self.assertGreater(rows[-1]["energy.potential"] / (MASS * 9.81), 0.004)
            with self.subTest(f"{kind}, colliding"):
                # Two that turn fly at each other. Of polyhedra the law by volume alone keeps what springs take.
                law = 'law = "volume"\n' if kind == "decomposition" else ""
                group = ('[[bodies]]\nshape = "ell"\nmaterial = "m"\nplace = { at = [0.04, 0.002, 0.051] }\nvelocity = [-0.3, 0, 0]\nangular_velocity = [0, 5, 2]\n')
                rows = self.run_scene(kind, keys="most = 8", more=group, v=(0.3, 0, 0), w=(0, 0, 8), end=0.15, restitution=1, friction=0, law=law)
                for axis in "xyz":
                    self.assertAlmostEqual(rows[-1][f"momentum.p{axis}"], rows[0][f"momentum.p{axis}"], delta=1e-9 * MASS)
                    self.assertAlmostEqual(rows[-1][f"momentum.L{axis}"], rows[0][f"momentum.L{axis}"], delta=1e-5 * MASS * 0.05)
                self.assertAlmostEqual(rows[-1]["energy.total"] / rows[0]["energy.total"], 1, delta=1e-3)
                self.assertNotAlmostEqual(rows[-1]["energy.kinetic_rotation"] / rows[0]["energy.kinetic_rotation"], 1, delta=1e-3)

    def test_both_methods_and_sizes(self):
        """A few on a floor by the cone method, of two sizes and in a random place; any number of threads."""
        floor = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'
        for kind in KINDS:
            for method in ("cone", "penalty"):
                with self.subTest(kind, method=method):
                    scene = {"keys": 'most = 5\nclasses = [{ radius = "8 mm", share = 0.5 }, { radius = "12 mm", share = 0.5 }]', "more": floor, "gravity": -9.81, "method": method,
                             "place": "{ random = true, bodies = 6, region = { box = [[0, 0, 0], [0.1, 0.1, 0.06]] } }", "restitution": 0, "end": 0.02}
                    rows = self.run_scene(kind, **scene)
                    self.assertEqual(self.run_scene(kind, threads=2, **scene), rows)

    def test_shape_command(self):
        centre, (xx, yy, zz, xy) = inertia()
        for kind in KINDS:
            with self.subTest(kind):
                out, _ = self.scree("shape", "ell.obj", "--density", 2000, "--as", kind, "--most", 20, "--json", "-o", f"{kind}.obj")
                found = json.loads(out)
                self.assertAlmostEqual(found["mass"] / MASS, 1, delta=1e-6)
                self.assertAlmostEqual(found["centre"]["x"] / centre[0], 1, delta=1e-6)
                for name, value in {"xx": xx, "yy": yy, "zz": zz, "xy": xy}.items():
                    self.assertAlmostEqual(found["inertia"][name] / value, 1, delta=1e-5)
                about = found[kind]
                self.assertAlmostEqual(about["error"], about["missing"] + about["excess"], delta=1e-12)
                errors = list(about["error_with"].values())
                self.assertEqual(sorted(errors, reverse=True), errors)
                if kind == "decomposition":
                    self.assertEqual((about["parts"], about["faces"]), (2, 12))
                    self.assertLess(about["error"], 1e-5)
                else:
                    self.assertEqual(about["spheres"], 20)
                    self.assertLess(about["error"], 0.2)
                    self.assertLess(about["surface_distance"], 0.004)
                # What it writes, read here.
                written = {}
                for ending in ("obj", "stl", "ply"):
                    if ending != "obj":
                        self.scree("shape", "ell.obj", "--as", kind, "--most", 20, "-o", f"{kind}.{ending}")
                    written[ending] = self.read_volume(self.folder / f"{kind}.{ending}")
                for value in written.values():
                    self.assertAlmostEqual(value / written["obj"], 1, delta=1e-9)
                if kind == "decomposition":
                    self.assertAlmostEqual(written["obj"] / 3e-6, 1, delta=1e-5)
                self.scree("info", f"{kind}.stl")
                text, _ = self.scree("shape", "ell.obj", "--as", kind, "--most", 3)
                self.assertRegex(text, r"error     0\.\d{4} of the volume: 0\.\d{4} missing, 0\.\d{4} too much")
                self.assertRegex(text, r"\n +1  0\.\d{4}\n")
        # Spheres as a table, which a clump reads.
        self.scree("shape", "ell.obj", "--as", "spheres", "--most", 4, "-o", "spheres.csv")
        with open(self.folder / "spheres.csv") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 4)

    def read_volume(self, path):
        vertices, faces = [], []
        lines = path.read_text().splitlines()
        if path.suffix == ".obj":
            vertices = [tuple(map(float, line.split()[1:])) for line in lines if line.startswith("v ")]
            faces = [[int(k) - 1 for k in line.split()[1:]] for line in lines if line.startswith("f ")]
        elif path.suffix == ".stl":
            vertices = [tuple(map(float, line.split()[1:])) for line in lines if line.startswith("vertex ")]
            faces = [[k, k + 1, k + 2] for k in range(0, len(vertices), 3)]
        else:
            count = int(next(line.split()[-1] for line in lines if line.startswith("element vertex")))
            body = lines[lines.index("end_header") + 1:]
            vertices = [tuple(map(float, line.split())) for line in body[:count]]
            faces = [[int(k) for k in line.split()[1:-1]] for line in body[count:]]
        return volume_of(vertices, faces)

    def test_command_refused(self):
        (self.folder / "there.stl").write_text("mine")
        cases = [(("--as", "spheres", "-o", "there.stl"), "exists; give --overwrite"), (("--as", "decomposition", "-o", "parts.csv"), "ends in .stl, .obj or .ply"),
                 (("--most", 3), "--most needs --as spheres or --as decomposition"), (("--tolerance", 0.1, "--radius", 0.001), "--tolerance needs --as"),
                 (("--as", "packed"), "--as packed needs --radius"), (("--as", "spheres", "--radius", 0.001), "--radius is of --as packed"),
                 (("--as", "decomposition", "--surface", 0.1), "--surface needs --as spheres"), (("-o", "new.stl"), "--output needs --as"), (("--as", "boxes"), "--as"),
                 (("--as", "spheres", "--most", 0), "--most"), (("--as", "spheres", "--tolerance", 0), "--tolerance"), (("--as", "spheres", "-o", "ell.obj"), "--output")]
        for arguments, message in cases:
            with self.subTest(message):
                _, err = self.scree("shape", "ell.obj", *arguments, code=2)
                self.assertEqual(len(err.splitlines()), 1)
                self.assertIn(message, err)
        self.assertEqual((self.folder / "there.stl").read_text(), "mine")
        self.scree("shape", "ell.obj", "--as", "decomposition", "-o", "there.stl", "--overwrite")
        self.assertNotEqual((self.folder / "there.stl").read_text(), "mine")

    def test_refused(self):
        (self.folder / "open.obj").write_text(block(without=1))
        (self.folder / "crossing.obj").write_text(block() + block(at=(1, 1, 1), first=8))
        cases = [({"file": "open.obj"}, "scene.toml:16:8", "is not closed: the edge from ("), ({"file": "crossing.obj"}, "scene.toml:16:8", "crosses itself: triangle ("),
                 ({"keys": "most = 1\ntolerance = 0.01"}, "scene.toml:18:13", "still differs from it by 0."), ({"keys": "most = 0"}, "scene.toml:17:8", "most: must be"),
                 ({"keys": "tolerance = 0"}, "scene.toml:17:13", "tolerance: must be"), ({"keys": "rigid = false"}, "scene.toml:17:", "rigid"),
                 ({"keys": "hull = true"}, "scene.toml:17:", "hull")]
        for kind in KINDS:
            for scene, place, message in cases:
                with self.subTest(kind, message=message):
                    self.write(kind, **scene)
                    _, err = self.scree("check", "scene.toml", code=2)
                    self.assertEqual(len(err.splitlines()), 1)
                    self.assertIn(place, err)
                    self.assertIn(message, err)
        self.write("decomposition", keys="surface = 0.1")
        self.assertIn("surface", self.scree("check", "scene.toml", code=2)[1])
        self.write("packed", keys='radius = "2 mm"\nmost = 3')
        self.assertIn("most", self.scree("check", "scene.toml", code=2)[1])


if __name__ == "__main__":
    unittest.main()
