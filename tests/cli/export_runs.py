"""What tests of exports and of files of other programs share: which of those programs are there, materials, and runs whose frames are looked at in many ways."""

import importlib.util
import pathlib
import shutil
import tempfile
import unittest

from program import ProgramTest

WITH_VTK = importlib.util.find_spec("vtkmodules") is not None
WITH_GSD = importlib.util.find_spec("gsd") is not None
WITH_H5PY = importlib.util.find_spec("h5py") is not None

MATERIALS = """[material.grain]
density = 2500
young = "5 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.5
[material.steel]
density = 7800
young = "5 MPa"
poisson = 0.3
restitution = 0.6
friction = 0.3
"""
GRAIN = MATERIALS[:MATERIALS.index("[material.steel]")]
SCENE = """[time]
step = 2e-5
end = 0.02
[domain]
min = [-0.1, -0.1, -0.1]
max = [0.1, 0.1, 0.2]
leave = "remove"
[method]
overlap_warning = 0.2
overlap_limit = 0.9
""" + MATERIALS + """[shape.ball]
kind = "sphere"
distribution = { kind = "uniform", min = 0.002, max = 0.003 }
[shape.brick]
kind = "box"
edges = [0.006, 0.005, 0.004]
[shape.egg]
kind = "ellipsoid"
semi_axes = [0.004, 0.003, 0.002]
[shape.pair]
kind = "clump"
spheres = [[0, 0, 0, 0.003], [0.003, 0, 0, 0.002]]
[[bodies]]
shape = "ball"
material = "grain"
place = { lattice = [4, 4, 1], spacing = 0.0057, origin = [-0.008, -0.008, 0.0025] }
[[bodies]]
shape = "brick"
material = "steel"
orientation = "random"
place = { lattice = [2, 2, 1], spacing = 0.012, origin = [-0.01, -0.01, 0.012] }
[[bodies]]
shape = "egg"
material = "grain"
orientation = "random"
angular_velocity = [10, 20, 30]
place = { lattice = [2, 2, 1], spacing = 0.012, origin = [-0.01, -0.01, 0.021] }
[[bodies]]
shape = "pair"
material = "grain"
velocity = [0.1, 0, -0.2]
place = { at = [0, 0, 0.032] }
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "steel"
[[wall]]
kind = "quad"
name = "paddle"
corners = [[-0.02, -0.02, 0], [-0.02, 0.02, 0], [-0.02, 0.02, 0.03], [-0.02, -0.02, 0.03]]
material = "steel"
motion = { velocity = [0.2, 0, 0] }
[output]
every = 0.005
contacts = true
orientation = true
"""
BONDED = """[time]
step = 1e-5
end = 0.002
[domain]
gravity = [0, 0, -9.81]
""" + GRAIN + """[shape.ball]
kind = "sphere"
radius = 0.002
[[bodies]]
shape = "ball"
material = "grain"
place = { lattice = [3, 1, 1], spacing = 0.004, origin = [0, 0, 0.003] }
[[bond]]
materials = ["grain"]
gap = 1e-5
young = "10 MPa"
tensile_strength = "1 MPa"
shear_strength = "1 MPa"
[output]
every = 0.001
bonds = true
"""
GAS = """[time]
step = 1e-5
end = 0.02
[domain]
gravity = [0, 0, 0]
min = [0, 0, 0]
max = [0.03, 0.04, 0.05]
periodic = "xyz"
shear = { along = "x", across = "y", rate = 20 }
[material.grain]
density = 2500
young = "5 MPa"
poisson = 0.25
restitution = 0.9
friction = 0.1
[shape.ball]
kind = "sphere"
radius = 0.002
[[bodies]]
shape = "ball"
material = "grain"
velocity_deviation = 0.5
place = { random = true, bodies = 60, region = { box = [[0, 0, 0], [0.03, 0.04, 0.05]] } }
[output]
every = 0.01
"""


@unittest.skipUnless(WITH_H5PY, "h5py is not installed")
class ExportTest(ProgramTest):
    """Of the runs `mixed`, `bonded` and `gas`, made once for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.runs = pathlib.Path(tempfile.mkdtemp(prefix="scree-cli-"))
        maker = cls()
        maker.folder = cls.runs
        for name, text in (("mixed", SCENE), ("bonded", BONDED), ("gas", GAS)):
            (cls.runs / f"{name}.toml").write_text(text)
            maker.scree("run", f"{name}.toml", "-o", name, "-q")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.runs, ignore_errors=True)

    def export(self, run, to, *more):
        self.scree("export", self.runs / run, "--to", to, "-o", self.folder / to, "--overwrite", *more)
        return self.folder / to

    def frames(self, run):
        """Frames of state.h5 as dictionaries of arrays with `time`."""
        import h5py
        found = []
        with h5py.File(self.runs / run / "state.h5") as file:
            for name in sorted(file["frames"]):
                group = file["frames"][name]
                frame = {"time": group.attrs["time"], "contacts": {}, "bonds": {}}
                for key in group:
                    if isinstance(group[key], h5py.Dataset):
                        frame[key] = group[key][:]
                for part in ("contacts", "bonds"):
                    if part in group:
                        frame[part] = {key: group[part][key][:] for key in group[part]}
                found.append(frame)
        return found

    def shapes(self, run):
        import h5py
        with h5py.File(self.runs / run / "state.h5") as file:
            return [(group["vertices"][:] if len(group.get("vertices", ())) else None, str(group.attrs["name"], "utf-8") if isinstance(group.attrs["name"], bytes) else group.attrs["name"]) for _, group in sorted(file["shapes"].items())]

    def surface_points(self, frame, shapes):
        """Corners of all bodies with faces, in the order of bodies, and the row of each."""
        import numpy
        points, rows = [], []
        for k, shape in enumerate(frame["shape"]):
            if shape < 0 or shapes[shape][0] is None:
                continue
            w, x, y, z = frame["orientation"][k]
            turn = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            points.append(frame["position"][k] + frame["radius"][k] * shapes[shape][0] @ turn.T)
            rows += [k] * len(points[-1])
        return numpy.concatenate(points), numpy.array(rows)
