"""Bodies of an exported frame are loaded again by `place.file`: in the same places, of the same shapes, sizes, masses and turns."""

import csv
import unittest

from program import ProgramTest

HEAD = """[time]
step = 1e-6
end = 0.002
[domain]
gravity = [0, 0, 0]
[material.steel]
density = 7800
young = 1e7
poisson = 0.3
restitution = 0.5
friction = 0.5
[material.glass]
density = 2500
young = 1e7
poisson = 0.3
restitution = 0.5
friction = 0.5
[output]
orientation = true
"""
SHAPES = """[shape.ball]
kind = "sphere"
radius = "3 mm"
[shape.rock]
kind = "polyhedron"
vertices = [[0, 0, 0], [0.008, 0.001, 0], [0.001, 0.006, 0], [0, 0.001, 0.005], [0.004, 0.004, 0.004]]
classes = [{ radius = "3 mm", share = 0.5 }, { radius = "4 mm", share = 0.5 }]
[shape.brick]
kind = "box"
edges = ["3 mm", "4 mm", "5 mm"]
[shape.pair]
kind = "clump"
spheres = [[0, 0, 0, 0.003], [0.003, 0.001, 0, 0.002]]
classes = [{ radius = "3 mm", share = 0.5 }, { radius = "5 mm", share = 0.5 }]
"""
GROUP = """[[bodies]]
shape = "{shape}"
material = "{material}"
{turn}velocity = [1, 2, 3]
angular_velocity = [30, -20, 10]
place = {{ lattice = [3, 3, 1], spacing = "14 mm", origin = [0, 0, {z}] }}
"""
AGAIN = """[[bodies]]
material = "glass"
place = {{ file = "{file}" }}
"""


def group(shape, material, z):
    turn = "" if shape == "ball" else 'orientation = "random"\n'
    return GROUP.format(shape=shape, material=material, z=z, turn=turn)


class LoadedFrames(ProgramTest):
    def rows(self, run, frame):
        self.scree("export", run, "--to", "csv", "-o", f"{run}_csv")
        with open(self.folder / f"{run}_csv" / f"frame_{frame:06d}.csv") as file:
            return list(csv.DictReader(file))

    def run_text(self, name, text):
        (self.folder / f"{name}.toml").write_text(text)
        self.scree("run", f"{name}.toml", "-o", name, "-q")

    def compare(self, before, after, exact=True):
        self.assertEqual(len(before), len(after))
        self.assertEqual(before[0].keys(), after[0].keys())
        for a, b in zip(before, after):
            for key in a:
                if key.startswith("q") and a.get("shape_name", "sphere") == "sphere":
                    continue  # what is round starts unturned
                # Masses are densities times volumes again, a compound's size comes from its mass, spins from angular momenta.
                if key in ("mass", "radius", "qw", "qx", "qy", "qz", "wx", "wy", "wz") or (not exact and key not in ("shape_name", "material")):
                    self.assertAlmostEqual(float(a[key]), float(b[key]), delta=1e-14 + 1e-12 * abs(float(a[key])))
                else:
                    self.assertEqual(a[key], b[key], key)

    def test_mixed(self):
        groups = [("ball", "steel"), ("rock", "glass"), ("brick", "steel"), ("rock", "steel")]
        text = "".join(group(s, m, 0.02 * k) for k, (s, m) in enumerate(groups))
        self.run_text("one", HEAD + SHAPES + text)
        rows = self.rows("one", 1)
        self.assertEqual({r["shape_name"] for r in rows}, {"sphere", "rock", "brick"})
        self.run_text("two", HEAD + SHAPES + AGAIN.format(file="one_csv/frame_000001.csv"))
        # Shapes are numbered as they come.
        self.compare(rows, self.rows("two", 0))

    def test_clumps(self):
        self.run_text("one", HEAD + SHAPES + group("pair", "steel", 0) + group("rock", "glass", 0.02))
        before = self.rows("one", 1)
        self.run_text("two", HEAD + SHAPES + AGAIN.format(file="one_csv/frame_000001.csv"))
        self.compare(before, self.rows("two", 0), exact=False)

    def test_spheres(self):
        self.run_text("one", HEAD + SHAPES + group("ball", "steel", 0))
        before = self.rows("one", 1)
        self.run_text("two", HEAD + AGAIN.format(file="one_csv/frame_000001.csv"))
        self.compare(before, self.rows("two", 0))

    def test_plane(self):
        head = "dimensions = 2\n" + HEAD.replace("[0, 0, 0]", "[0, 0]")
        shapes = '[shape.disk]\nkind = "disk"\nradius = "3 mm"\n[shape.tri]\nkind = "polygon"\ncorners = [[0, 0], [0.005, 0.001], [0.001, 0.006]]\n'
        groups = "".join(f'[[bodies]]\nshape = "{s}"\nmaterial = "steel"\n{turn}place = {{ lattice = [3, 3], spacing = "14 mm", origin = [0, {y}] }}\n'
                         'velocity = [1, 2]\nangular_velocity = 3\n' for s, turn, y in (("disk", "", 0), ("tri", 'angle = "random"\n', 0.1)))
        self.run_text("one", head + shapes + groups)
        before = self.rows("one", 1)
        self.run_text("two", head + shapes + AGAIN.format(file="one_csv/frame_000001.csv"))
        self.compare(before, self.rows("two", 0))

    def test_sizes_of_one_shape(self):
        """A file may give the bounding radii of a polyhedron, or name shapes and leave sizes to them."""
        (self.folder / "sizes.csv").write_text("x,y,z,radius\n0,0,0,0.003\n0.02,0,0,0.004\n")
        self.run_text("one", HEAD + SHAPES + '[[bodies]]\nshape = "rock"\nmaterial = "glass"\nplace = { file = "sizes.csv" }\n')
        self.assertEqual([float(r["radius"]) for r in self.rows("one", 0)], [0.003, 0.004])
        (self.folder / "names.csv").write_text('x,y,z,shape\n0,0,0,ball\n0.02,0,0,brick\n0.04,0,0,rock\n')
        self.run_text("two", HEAD + SHAPES + AGAIN.format(file="names.csv"))
        rows = self.rows("two", 0)
        self.assertEqual([r["shape_name"] for r in rows], ["sphere", "brick", "rock"])
        self.assertAlmostEqual(float(rows[0]["radius"]), 0.003)
        self.assertAlmostEqual(float(rows[1]["radius"]), 0.5e-3 * 50**0.5)
        self.assertIn(float(rows[2]["radius"]), (0.003, 0.004))

    def test_refused(self):
        for text, scene, message in (
            ("x,y,z,shape\n0,0,0,ball\n", group("ball", "glass", 0), "leave one out"),
            ("x,y,z,shape\n0,0,0,tree\n", AGAIN, '"tree"'),
            ("x,y,z,radius,mass,shape\n0,0,0,1,1,2\n", AGAIN, "export the frame anew"),
            ("x,y,z,shape\n0,0,0,sphere\n", AGAIN, "add a column radius"),
            ("x,y,z,shape\n0,0,0,tree\n1,0,0,3\n", AGAIN, "bad.csv:3"),
        ):
            with self.subTest(text=text):
                (self.folder / "bad.csv").write_text(text)
                bodies = scene.split("place =")[0] + 'place = { file = "bad.csv" }\n'
                (self.folder / "bad.toml").write_text(HEAD + SHAPES + bodies)
                _, err = self.scree("check", "bad.toml", code=2)
                self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
