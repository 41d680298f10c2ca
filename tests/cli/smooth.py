#!/usr/bin/env python3
"""Ellipsoids and superquadrics: as balls where they are balls, energy and momentum, rocking against its closed form, restarts to the bit,
and what is refused."""

import csv
import math
import unittest

from program import BALANCES, ProgramTest

HEAD = """[time]
end = {end}
step = {step}
[domain]
gravity = {gravity}
[method]
overlap_warning = 0.3
{method}
[material.m]
density = 2500
young = "50 MPa"
poisson = 0.25
restitution = {restitution}
friction = {friction}
{shapes}
{bodies}
{more}
"""
R = 0.005
SHAPES = f"""[shape.ball]
kind = "sphere"
radius = {R}
[shape.round]
kind = "ellipsoid"
semi_axes = [{R}, {R}, {R}]
[shape.egg]
kind = "ellipsoid"
semi_axes = [0.004, 0.005, 0.007]
[shape.lens]
kind = "ellipsoid"
semi_axes = [0.006, 0.006, 0.0025]
[shape.pill]
kind = "superquadric"
semi_axes = [0.004, 0.004, 0.006]
n1 = 4
[shape.brick]
kind = "superquadric"
semi_axes = [0.003, 0.004, 0.005]
n1 = 3.5
n2 = 5
"""
BODY = '[[bodies]]\nshape = "{0}"\nmaterial = "m"\nplace = {{ at = [{1}] }}\nvelocity = {2}\nangular_velocity = {3}\n{4}\n'
FLOOR = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'
TUBE = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, -1]\naxis = [0, 0, 1]\nlength = 2\nradius = 0.03\nmaterial = "m"\n'
ROD = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, -1]\naxis = [0, 0, 1]\nlength = 2\nradius = 0.01\nside = "outside"\nmaterial = "m"\n'
MESH = '[[wall]]\nkind = "mesh"\nfile = "floor.stl"\nmaterial = "m"\n'
BOX = '[[wall]]\nkind = "box"\nmin = [{0}, {0}, {0}]\nmax = [{1}, {1}, {1}]\nmaterial = "m"\n'
STATE = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")


def body(shape, at, v=(0, 0, 0), w=(0, 0, 0), more=""):
    return BODY.format(shape, ", ".join(map(str, at)), list(v), list(w), more)


def floor_of_triangles():
    """Four triangles about a point in the middle of a square."""
    corner = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    text = "solid floor\n"
    for k in range(4):
        text += "facet normal 0 0 1\nouter loop\n"
        text += "".join("vertex {} {} {}\n".format(*p) for p in ((0.03, 0.02, 0), corner[k], corner[(k + 1) % 4]))
        text += "endloop\nendfacet\n"
    return text + "endsolid\n"


def turned(k):
    return "orientation = [{}, {}, {}, {}]".format(*(math.sin(1 + 3 * k + q) for q in range(4)))


def heap(shapes, count=3, edge=0.016, at=(0, 0, 0)):
    text, k = "", 0
    for i in range(count):
        for j in range(count):
            for m in range(count):
                v = [0.4 * math.sin(3 * k), 0.4 * math.cos(5 * k), 0.4 * math.sin(7 * k + 1)]
                w = [40 * math.cos(k), 30 * math.sin(2 * k), 50 * math.sin(k)]
                shape = shapes[k % len(shapes)]
                place = [at[0] + edge * (i + 0.5), at[1] + edge * (j + 0.5), at[2] + edge * (m + 0.5)]
                text += body(shape, place, v, w, "" if shape == "ball" else turned(k))
                k += 1
    return text


class SmoothScenes(ProgramTest):
    shapes = SHAPES

    def write_meshes(self):
        (self.folder / "floor.stl").write_text(floor_of_triangles())

    def write(self, bodies, end=0.01, step=2e-6, gravity=(0, 0, -9.81), friction=0.3, restitution=0.5, method="", more="", every=None):
        self.write_meshes()
        text = HEAD.format(end=end, step=step, gravity=list(gravity), friction=friction, restitution=restitution, method=method,
                           shapes=self.shapes, bodies=bodies, more=more)
        (self.folder / "scene.toml").write_text(text + BALANCES.format(every=every or end / 20))

    def series(self, *args, out="run", **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", out, "--overwrite", "-q", *args)
        return self.read_series(out)

    def last(self, run="run"):
        self.scree("export", run, "--to", "csv")
        frame = sorted((self.folder / run / "csv").glob("frame_0*.csv"))[-1]
        with open(frame) as file:
            return {int(row["id"]): row for row in csv.DictReader(file)}

    def refuses(self, cases):
        """Each shape in words is refused with what is told, where it stands, and nothing is written."""
        for text, told in cases:
            with self.subTest(told):
                self.write(bodies=text + body("bad", [0, 0, 0]))
                _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")
                self.assertFalse((self.folder / "refused").exists())


class Smooth(SmoothScenes):
    def test_balls(self):
        """An ellipsoid of equal axes does what a sphere does, on every wall and with a sphere."""
        cases = {
            "plane": (FLOOR, [0, 0, 0.0055], [0.3, 0.1, -0.8], [10, -20, 0]),
            "mesh": (MESH, [0, 0, 0.0055], [0.3, 0.1, -0.8], [10, -20, 0]),
            "tube": (TUBE, [0.0245, 0, 0], [0.7, 0.2, 0.1], [10, -20, 0]),
            "rod": (ROD, [0.0155, 0, 0], [-0.7, 0.2, 0.1], [10, -20, 0]),
        }
        for law in ("hertz", "linear"):
            method = 'law = "linear"\nstiffness = 2e5' if law == "linear" else ""
            for name, (wall, at, v, w) in cases.items():
                with self.subTest(name, law=law):
                    ends = []
                    for shape in ("ball", "round"):
                        rows = self.series(bodies=body(shape, at, v, w), more=wall, end=0.004, step=1e-6, method=method)
                        ends.append((self.last()[0], rows))
                    moved = ends[0][0]
                    for key in STATE:  # arms end in the middle of what overlaps, here 2 % of a radius, or at the wall
                        scale = 100 if key.startswith("w") else (1 if key.startswith("v") else 0.01)
                        self.assertAlmostEqual(float(ends[1][0][key]), float(moved[key]), delta=(1e-2 if key.startswith("w") else 3e-3) * scale, msg=key)
                    self.assertAlmostEqual(ends[0][1][-1]["energy.total"], ends[1][1][-1]["energy.total"], delta=1e-3 * ends[0][1][0]["energy.total"])
            for other in ("ball", "round"):
                with self.subTest(other, law=law):
                    ends = []
                    for pair in (("ball", "ball"), ("round", other)):
                        bodies = body(pair[0], [0, 0, 0], [0.5, 0.1, 0], [3, 4, 5]) + body(pair[1], [0.0102, 0.002, 0], [-0.5, 0, 0.2], [5, -6, 8])
                        self.series(bodies=bodies, gravity=(0, 0, 0), end=0.003, step=1e-6, method=method)
                        ends.append(self.last())
                    for i in (0, 1):
                        for key in STATE:
                            # A contact with faces resists turning on the spot, that of spheres does not.
                            scale = 100 if key.startswith("w") else (1 if key.startswith("v") else 0.01)
                            self.assertAlmostEqual(float(ends[1][i][key]), float(ends[0][i][key]), delta=(2e-2 if key.startswith("w") else 2e-3) * scale, msg=key)

    def test_energy_and_momentum(self):
        """Without losses nothing is lost: in a box, and of two alone momentum and angular momentum too. Hertz's stiffness follows the
        curvature, which changes as bodies turn while they touch: no energy stands for that."""
        for law, shapes in ((law, shapes) for law in ("linear", "hertz") for shapes in (["egg"], ["lens", "egg"], ["pill"], ["brick", "egg", "ball"])):
            with self.subTest(shapes, law=law):
                method = 'law = "linear"\nstiffness = 1e5' if law == "linear" else ""
                rows = self.series(bodies=heap(shapes), more=BOX.format(0, 0.048), friction=0, restitution=1, end=0.03, step=1e-6, method=method)
                for row in rows:
                    self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=(1e-5 if law == "linear" else 3e-3) * rows[0]["energy.total"])
                rows = self.series(bodies=body(shapes[0], [0, 0, 0], [1, 0, 0.2], [30, 40, -10], "orientation = [1, 0.3, -0.2, 0.5]") +
                                   body(shapes[-1], [0.0165, 0.002, 0.001], [-1, 0.1, 0], [5, 60, 9]),
                                   gravity=(0, 0, 0), end=0.02, step=1e-6, friction=0.4, restitution=0.6, method=method)
                lost = rows[0]["energy.total"] - rows[-1]["energy.kinetic_translation"] - rows[-1]["energy.kinetic_rotation"]
                self.assertGreater(lost, 1e-3 * rows[0]["energy.total"])
                self.assertAlmostEqual(rows[-1]["energy.total"], rows[0]["energy.total"], delta=(1e-4 if law == "linear" else 1.5e-2) * rows[0]["energy.total"])
                for name in ("px", "py", "pz", "Lx", "Ly", "Lz"):
                    size = 1e-3 if name[0] == "p" else 1e-5
                    self.assertAlmostEqual(rows[-1]["momentum." + name], rows[0]["momentum." + name], delta=1e-11 * size, msg=name)

    def test_restitution(self):
        """Head on it is the one given, whatever the curvature."""
        for law in ("hertz", "linear"):
            for shape, half in (("egg", 0.007), ("lens", 0.0025), ("pill", 0.006)):
                with self.subTest(shape, law=law):
                    method = f'law = "{law}"\n' + ("stiffness = 2e5" if law == "linear" else "")
                    rows = self.series(bodies=body(shape, [0, 0, half + 1e-5], [0, 0, -1]), more=FLOOR, gravity=(0, 0, 0), friction=0, end=0.003,
                                       step=5e-7, method=method)
                    v = float(self.last()[0]["vz"])
                    self.assertAlmostEqual(v, 0.5, delta=0.01 if law == "linear" else (0.02 if shape == "pill" else 2e-3))
                    self.assertAlmostEqual(rows[-1]["energy.total"], rows[0]["energy.total"], delta=2e-3 * rows[0]["energy.total"])

    def test_rocking(self):
        """An egg that rolls to and fro about its lying place: the period of a body of curvature radius b at height c,
        omega^2 = m g (b - c) / (I + m c^2)."""
        a, b, c = 0.004, 0.007, 0.005  # rolls in the plane of y and z, on its side of half height c
        shapes = f'[shape.rocker]\nkind = "ellipsoid"\nsemi_axes = [{a}, {b}, {c}]\n'
        m = 4 / 3 * math.pi * a * b * c * 2500
        I = m / 5 * (b * b + c * c)
        omega = math.sqrt(m * 9.81 * (b * b / c - c) / (I + m * c * c))
        period = 2 * math.pi / omega
        tilt = 0.02
        turn = f"orientation = [{math.cos(tilt / 2)}, {math.sin(tilt / 2)}, 0, 0]"
        height = math.sqrt((b * math.sin(tilt)) ** 2 + (c * math.cos(tilt)) ** 2)
        sink = (0.75 * m * 9.81 * (1 - 0.0625) * 2 / 2 / 50e6 / math.sqrt(math.sqrt(a * a / c * b * b / c))) ** (2 / 3)
        measure = '[[measure]]\nkind = "body"\nbody = "a"\nevery = 2e-4\n'
        named = f'[[body]]\nname = "a"\nshape = "rocker"\nmaterial = "m"\nposition = [0, 0, {height - sink}]\n{turn}\n'
        rows = self.series(bodies=shapes + named, more=FLOOR + measure, friction=1, restitution=1, end=2.2 * period, step=5e-6, every=2e-4)
        column = next(key for key in rows[0] if key.endswith("wx"))
        w, t = [row[column] for row in rows], [row["time"] for row in rows]
        zeros = [t[k] - w[k] * (t[k + 1] - t[k]) / (w[k + 1] - w[k]) for k in range(1, len(w) - 1) if w[k] * w[k + 1] < 0]
        self.assertGreaterEqual(len(zeros), 3)
        self.assertAlmostEqual(2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1) / period, 1, delta=5e-3)

    def test_lies_still(self):
        """A heap of them in a tube comes to rest."""
        bodies = heap(["egg", "lens", "pill", "ball"], 3, 0.0135)
        rows = self.series(bodies=bodies, more=FLOOR + TUBE.replace("[0, 0, -1]", "[0.02, 0.02, -1]"), end=0.6, step=6e-6, friction=0.5, every=0.02)
        self.assertLess(rows[-1]["energy.kinetic_translation"] + rows[-1]["energy.kinetic_rotation"], 1e-5 * rows[0]["energy.kinetic_translation"])

    def test_restarts_threads_and_searches(self):
        for shapes in (["egg", "ball", "lens"], ["brick", "pill"]):
            for precision in ("double", "mixed"):
                with self.subTest(shapes, precision=precision):
                    how = ("--precision", precision)
                    scene = dict(bodies=heap(shapes), more=MESH + TUBE.replace("[0, 0, -1]", "[0.024, 0.024, -1]").replace("0.03", "0.045"), end=0.02, step=4e-6)
                    self.series(*how, **scene)
                    whole = self.summary("run")["state_hash"]
                    for until in (0.0047, 0.0123):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)
                    for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "1 mm"'):
                        self.series(*how, **dict(scene, method=other))
                        self.assertEqual(self.summary("run")["state_hash"], whole, other)

    def test_mass_and_inertia(self):
        """Those of an ellipsoid in closed form, of superquadrics by sums over a grid."""
        rows = self.series(bodies=body("egg", [0, 0, 0], [1, 0, 0], [20, 0, 0]), gravity=(0, 0, 0), end=1e-4)
        m = 4 / 3 * math.pi * 0.004 * 0.005 * 0.007 * 2500
        self.assertAlmostEqual(rows[0]["momentum.px"] / m, 1, delta=1e-9)
        self.assertAlmostEqual(rows[0]["momentum.Lx"] / (m / 5 * (0.005 ** 2 + 0.007 ** 2) * 20), 1, delta=1e-9)
        n, volume, xx, yy, zz = 60, 0, 0, 0, 0
        a, b, c, n1, n2 = 0.003, 0.004, 0.005, 3.5, 5
        for i in range(n):
            for j in range(n):
                x, y = (i + 0.5) / n, (j + 0.5) / n
                inside = x ** n2 + y ** n2
                if inside >= 1:
                    continue
                z = (1 - inside ** (n1 / n2)) ** (1 / n1)
                volume += 8 * a * b * c * z / n / n
                yy += 8 * a * b * c * z * (b * y) ** 2 / n / n
                zz += 8 * a * b * c * c * c * z ** 3 / 3 / n / n
        rows = self.series(bodies=body("brick", [0, 0, 0], [1, 0, 0], [20, 0, 0]), gravity=(0, 0, 0), end=1e-4)
        self.assertAlmostEqual(rows[0]["momentum.px"] / (2500 * volume), 1, delta=5e-3)
        self.assertAlmostEqual(rows[0]["momentum.Lx"] / (2500 * (yy + zz) * 20), 1, delta=1e-2)

    def test_every_exponent(self):
        """All that may be said is taken: no axes, volume or faces go wrong."""
        shapes = ""
        for k, (n1, n2) in enumerate((n1, n2) for n1 in (2, 3, 5, 8, 10, 15, 20) for n2 in (2, 4, 9, 20)):
            for j, axes in enumerate(((5, 5, 5), (5, 5, 10), (5, 3, 4), (5, 5, 0.5), (14.7, 4, 5.5))):
                shapes += f'[shape.s{k}x{j}]\nkind = "superquadric"\nsemi_axes = {[1e-3 * axis for axis in axes]}\nn1 = {n1}\nn2 = {n2}\n'
                shapes += body(f"s{k}x{j}", [0.04 * k, 0.04 * j, 0], [0.1, 0, 0])
        self.series(bodies=shapes, gravity=(0, 0, 0), end=2e-5, step=1e-6)

    def test_meshes_that_join(self):
        """On plates that join flush, off their edges and over facets nothing is thrown up."""
        def plate(x0, x1, name):
            (self.folder / name).write_text("solid p\n" + "".join(
                "facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {p[0]} {p[1]} 0\n" for p in t) + "endloop\nendfacet\n"
                for t in (((x0, -0.05), (x1, -0.05), (x1, 0.05)), ((x0, -0.05), (x1, 0.05), (x0, 0.05)))) + "endsolid\n")
            return f'[[wall]]\nkind = "mesh"\nfile = "{name}"\nmaterial = "m"\n'
        walls = plate(-0.05, 0, "a.stl") + plate(0, 0.05, "b.stl")
        for shape, half in (("egg", 0.007), ("brick", 0.005), ("pill", 0.006)):
            with self.subTest(shape):
                rows = self.series(bodies=body(shape, [-0.02, 0, half + 1e-4], [0.4, 0, 0]), more=walls, friction=0, restitution=1, end=0.25, step=4e-6)
                for row in rows:
                    self.assertLess(abs(row["energy.total"] / rows[0]["energy.total"] - 1), 0.05)

    def test_cone_method(self):
        """They fall into a heap there, too."""
        text = 'kind = "cone"\n'
        self.write(bodies=heap(["egg", "ball", "pill"], 2), more=FLOOR, end=0.05, step=5e-4, method=text)
        scene = (self.folder / "scene.toml").read_text().replace("overlap_warning = 0.3\n", "")
        (self.folder / "scene.toml").write_text(scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")

    def test_refuses(self):
        shape = '[shape.bad]\nkind = "{}"\n{}\n'
        cases = [
            (shape.format("ellipsoid", ""), "semi_axes"),
            (shape.format("ellipsoid", "semi_axes = [0.001, 0, 0.001]"), "above 0"),
            (shape.format("ellipsoid", "semi_axes = [0.001, 0.03, 0.001]"), "ratio above 20"),
            (shape.format("superquadric", "semi_axes = [0.001, 0.001, 0.001]\nn1 = 1.5"), "n1"),
            (shape.format("superquadric", "semi_axes = [0.001, 0.001, 0.001]\nn2 = 30"), "n2"),
            (shape.format("ellipsoid", "semi_axes = [0.001, 0.001, 0.001]\nn1 = 3"), "n1"),
            (shape.format("box", "edges = [0.001, 0.001, 0.001]\nsemi_axes = [0.001, 0.001, 0.001]"), "semi_axes"),
        ]
        self.write(bodies=body("egg", [0, 0, 0]), method='law = "volume"')
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn("polyhedra alone", error)
        self.refuses(cases)


if __name__ == "__main__":
    unittest.main()
