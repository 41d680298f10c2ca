"""What `scree export` writes is what the run's own HDF5 holds, as independent readers find it: VTK's for .vtp, gsd's for .gsd, h5py by the layout that VTK documents for .vtkhdf,
assimp's (through `scree info`) and the bytes themselves for .glb, and plain text for dumps. One run has balls, polyhedra, ellipsoids, a compound, a wall that moves, planes, contacts and bonds."""

import csv
import importlib.util
import json
import re
import shutil
import struct
import unittest
import xml.etree.ElementTree as ET

from program import ProgramTest

WITH_VTK = importlib.util.find_spec("vtkmodules") is not None
WITH_GSD = importlib.util.find_spec("gsd") is not None
WITH_H5PY = importlib.util.find_spec("h5py") is not None

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
[material.grain]
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
[shape.ball]
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
[material.grain]
density = 2500
young = "5 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.5
[shape.ball]
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


def quaternion_product(a, b):
    w, x, y, z = a
    p, q, r, s = b
    return [w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p]


@unittest.skipUnless(WITH_H5PY, "h5py is not installed")
class Exports(ProgramTest):
    folder_of_class = None

    @classmethod
    def setUpClass(cls):
        import pathlib
        import tempfile
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

    # VTK's XML.
    def read_vtp(self, path):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(path))
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0)
        data = reader.GetOutput()
        arrays = []
        for values in (data.GetPointData(), data.GetCellData()):
            arrays.append({values.GetArrayName(k): vtk_to_numpy(values.GetArray(k)) for k in range(values.GetNumberOfArrays())})
        points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else None
        return data, points, arrays[0], arrays[1]

    def listed(self, path):
        """Files and times of a .pvd."""
        return [(path.parent / entry.get("file"), float(entry.get("timestep"))) for entry in ET.parse(path).getroot().iter("DataSet")]

    @unittest.skipUnless(WITH_VTK, "VTK is not installed")
    def test_vtk(self):
        import numpy
        from vtkmodules.vtkCommonCore import vtkDataArray
        from vtkmodules.util.numpy_support import vtk_to_numpy

        frames, shapes = self.frames("mixed"), self.shapes("mixed")
        for more in ((), ("--compress",)):
            out = self.export("mixed", "vtk", *more)
            for (path, time), (surface, _), frame in zip(self.listed(out / "bodies.pvd"), self.listed(out / "frames.pvd"), frames, strict=True):
                self.assertEqual(time, frame["time"])
                data, points, values, _ = self.read_vtp(path)
                self.assertEqual(vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))[0], time)
                self.assertEqual(data.GetNumberOfVerts(), len(frame["id"]))
                numpy.testing.assert_array_equal(points, frame["position"])
                for name in ("id", "radius", "mass", "material", "velocity", "angular_velocity", "orientation", "shape", "owner"):
                    numpy.testing.assert_array_equal(values[name], frame[name], name)
                units = {name: data.GetPointData().GetArray(name).GetInformation().Get(vtkDataArray.UNITS_LABEL()) for name in ("radius", "velocity", "angular_velocity", "mass")}
                self.assertEqual(units, {"radius": "m", "velocity": "m/s", "angular_velocity": "rad/s", "mass": "kg"})
                data, points, values, cells = self.read_vtp(surface)
                corners, rows = self.surface_points(frame, shapes)
                balls = data.GetNumberOfVerts()
                self.assertEqual(balls, 18)
                numpy.testing.assert_allclose(points[balls:], corners, atol=1e-15)
                numpy.testing.assert_array_equal(values["id"][balls:], frame["id"][rows])
                self.assertEqual(set(cells["id"][balls:]), set(frame["id"][[k for k, s in enumerate(frame["shape"]) if s >= 0 and shapes[s][0] is not None]]))
        for (path, _), frame in zip(self.listed(out / "walls.pvd"), frames, strict=True):
            data, points, _, cells = self.read_vtp(path)
            self.assertEqual(data.GetNumberOfPolys(), 2)
            self.assertAlmostEqual(points[0][0], -0.02 + 0.2 * frame["time"], 12)
            self.assertEqual(set(cells["wall"]), {1})
        data, points, _, cells = self.read_vtp(self.listed(out / "planes.pvd")[-1][0])
        self.assertGreater(data.GetNumberOfPolys(), 1)
        numpy.testing.assert_allclose(points[:, 2], 0, atol=1e-12)
        self.assertLess(points[:, 0].min(), -0.015)
        touching = 0
        for (path, _), (chain, _), frame in zip(self.listed(out / "contacts.pvd"), self.listed(out / "chains.pvd"), frames, strict=True):
            contacts = frame["contacts"]
            data, points, values, _ = self.read_vtp(path)
            touching += data.GetNumberOfPoints()
            if points is not None:
                numpy.testing.assert_array_equal(points, contacts["point"])
                numpy.testing.assert_array_equal(values["force"], contacts["force"])
            data, points, _, cells = self.read_vtp(chain)
            self.assertEqual(data.GetNumberOfLines(), len(contacts["a"]))
            row = {int(name): k for k, name in enumerate(frame["id"])}
            for k, (a, b, wall) in enumerate(zip(contacts["a"], contacts["b"], contacts["wall"])):
                numpy.testing.assert_array_equal(points[2 * k], frame["position"][row[int(a)]])
                numpy.testing.assert_allclose(points[2 * k + 1], contacts["point"][k] if wall >= 0 else frame["position"][row[int(b)]], atol=1e-15)
        self.assertGreater(touching, 10)

    # VTKHDF, by its layout.
    def vtkhdf_steps(self, path, counted):
        """Steps of a file as VTK's reader takes them from it: points, cells by topology, arrays. `counted`: offsets as later readers find them, by counting cells."""
        import h5py
        found = []
        with h5py.File(path) as file:
            root = file["VTKHDF"]
            self.assertEqual(list(root.attrs["Version"]), [2, 0])
            self.assertEqual(bytes(root.attrs["Type"]), b"PolyData")
            self.assertEqual(root.attrs.get_id("Type").get_type().get_cset(), h5py.h5t.CSET_ASCII)
            steps = root["Steps"]
            for k in range(int(steps.attrs["NSteps"])):
                part = int(steps["PartOffsets"][k])
                self.assertEqual(steps["NumberOfParts"][k], 1)
                first, count = int(steps["PointOffsets"][k]), int(root["NumberOfPoints"][part])
                step = {"time": float(steps["Values"][k]), "points": root["Points"][first:first + count]}
                cells = 0
                for t, name in enumerate(("Vertices", "Lines", "Polygons", "Strips")):
                    group, start, number = root[name], int(steps["CellOffsets"][k, t]), int(root[name]["NumberOfCells"][part])
                    before = part
                    if counted:
                        before, total = 0, 0
                        for cell_count in group["NumberOfCells"][:part]:
                            if total >= start:
                                break
                            before += 1
                            total += cell_count
                    offsets = group["Offsets"][start + before:start + before + number + 1]
                    ids = int(steps["ConnectivityIdOffsets"][k, t])
                    connectivity = group["Connectivity"][ids:ids + int(group["NumberOfConnectivityIds"][part])]
                    self.assertEqual(len(offsets), number + 1)
                    self.assertEqual((offsets[0], offsets[-1]), (0, len(connectivity)))
                    step[name] = [list(connectivity[a:b]) for a, b in zip(offsets, offsets[1:])]
                    cells += number
                for data, rows in (("PointData", count), ("CellData", cells)):
                    step[data] = {}
                    for name in root[data]:
                        at = int(steps[data + "Offsets"][name][k])
                        step[data][name] = root[data][name][at:at + rows]
                        self.assertEqual(len(step[data][name]), rows)
                found.append(step)
        return found

    def test_vtkhdf(self):
        import numpy
        import h5py

        frames, shapes = self.frames("mixed"), self.shapes("mixed")
        for more in ((), ("--compress",)):
            out = self.export("mixed", "vtkhdf", *more)
            self.assertEqual(sorted(path.name for path in out.iterdir()), [f"{name}.vtkhdf" for name in ("bodies", "chains", "contacts", "planes", "surfaces", "walls")])
            for counted in (False, True):
                for step, frame in zip(self.vtkhdf_steps(out / "bodies.vtkhdf", counted), frames, strict=True):
                    self.assertEqual(step["time"], frame["time"])
                    numpy.testing.assert_array_equal(step["points"], frame["position"])
                    self.assertEqual(step["Vertices"], [[k] for k in range(len(frame["id"]))])
                    for name in ("id", "radius", "velocity", "orientation", "owner"):
                        numpy.testing.assert_array_equal(step["PointData"][name], frame[name], name)
                for step, frame in zip(self.vtkhdf_steps(out / "surfaces.vtkhdf", counted), frames, strict=True):
                    corners, rows = self.surface_points(frame, shapes)
                    numpy.testing.assert_allclose(step["points"], corners, atol=1e-15)
                    numpy.testing.assert_array_equal(step["PointData"]["id"], frame["id"][rows])
                    for polygon, body in zip(step["Polygons"], step["CellData"]["id"], strict=True):
                        self.assertEqual({int(x) for x in step["PointData"]["id"][polygon]}, {int(body)})
                for step, frame in zip(self.vtkhdf_steps(out / "chains.vtkhdf", counted), frames, strict=True):
                    self.assertEqual(len(step["Lines"]), len(frame["contacts"]["a"]))
                    numpy.testing.assert_array_equal(step["CellData"]["force"], frame["contacts"]["force"])
        with h5py.File(out / "bodies.vtkhdf") as file:
            self.assertEqual(bytes(file["VTKHDF/PointData/velocity"].attrs["unit"]), b"m/s")
        bonds = self.vtkhdf_steps(self.export("bonded", "vtkhdf") / "bonds.vtkhdf", True)
        self.assertEqual([len(step["Lines"]) for step in bonds], [2, 2, 2])

    @unittest.skipUnless(importlib.util.find_spec("vtkmodules.vtkIOHDF"), "this VTK reads no HDF")
    def test_vtkhdf_by_vtk(self):
        import numpy
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkCommonCore import vtkVersion
        from vtkmodules.vtkIOHDF import vtkHDFReader

        if (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) < (9, 3):
            self.skipTest("VTK before 9.3 reads no PolyData from HDF")
        out, frames = self.export("mixed", "vtkhdf"), self.frames("mixed")
        for k in (0, 3, 4):
            reader = vtkHDFReader()
            reader.SetFileName(str(out / "bodies.vtkhdf"))
            reader.SetStep(k)
            reader.Update()
            data = reader.GetOutputDataObject(0)
            numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), frames[k]["position"])
            numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPointData().GetArray("velocity")), frames[k]["velocity"])

    # GSD.
    @unittest.skipUnless(WITH_GSD, "gsd is not installed")
    def test_gsd(self):
        import gsd.fl
        import gsd.hoomd
        import numpy

        frames, shapes = self.frames("mixed"), self.shapes("mixed")
        out = self.export("mixed", "gsd")
        with gsd.hoomd.open(name=str(out / "run.gsd"), mode="rb") as trajectory:
            self.assertEqual(len(trajectory), len(frames))
            for k, frame in enumerate(frames):
                read, rows = trajectory[k], [r for r, s in enumerate(frame["shape"]) if s < 0 or shapes[s][0] is not None]
                particles = read.particles
                self.assertEqual((read.configuration.dimensions, particles.N), (3, len(rows)))
                self.assertEqual(read.log["time"][0], frame["time"])
                for name, mine in (("position", "position"), ("velocity", "velocity"), ("mass", "mass"), ("orientation", "orientation")):
                    numpy.testing.assert_allclose(getattr(particles, name), frame[mine][rows], rtol=2e-7, atol=1e-9, err_msg=name)
                numpy.testing.assert_allclose(particles.diameter, 2 * frame["radius"][rows], rtol=2e-7)
                numpy.testing.assert_array_equal(read.log["particles/id"], frame["id"][rows])
                box = particles.position.max(axis=0), particles.position.min(axis=0)
                self.assertTrue((box[0] <= read.configuration.box[:3] / 2).all() and (box[1] >= -read.configuration.box[:3] / 2).all())
                # Spins from angular momenta: p = 2 q (0, L), w = q L / I q*.
                for n, r in enumerate(rows):
                    q = [float(x) for x in particles.orientation[n]]
                    inverse = [q[0], -q[1], -q[2], -q[3]]
                    momentum = quaternion_product(inverse, [0.5 * float(x) for x in particles.angmom[n]])
                    spin = [0] + [L / float(moment) for L, moment in zip(momentum[1:], particles.moment_inertia[n])]
                    world = quaternion_product(quaternion_product(q, spin), inverse)[1:]
                    numpy.testing.assert_allclose(world, frame["angular_velocity"][r], atol=1e-4 * (1 + numpy.abs(frame["angular_velocity"][r]).max()))
                types = [particles.types[t] for t in particles.typeid]
                for n, r in enumerate(rows):
                    shape, kind = particles.type_shapes[particles.typeid[n]], frame["shape"][r]
                    name = "sphere" if kind < 0 else shapes[kind][1]
                    self.assertTrue(types[n].startswith(f"{name}_m{frame['material'][r]}"), types[n])
                    if name == "brick":
                        self.assertEqual(shape["type"], "ConvexPolyhedron")
                        numpy.testing.assert_allclose(numpy.abs(shape["vertices"]), [[sorted((0.003, 0.0025, 0.002))[c] for c in numpy.argsort(numpy.argsort(numpy.abs(shape["vertices"][0])))]] * 8,
                                                      rtol=1e-6)
                        a, b, c = (2 * numpy.abs(shape["vertices"][0]))
                        numpy.testing.assert_allclose(particles.moment_inertia[n], frame["mass"][r] / 12 * numpy.array([b * b + c * c, a * a + c * c, a * a + b * b]), rtol=1e-5)
                    elif name == "egg":
                        axes = [shape[axis] for axis in "abc"]
                        numpy.testing.assert_allclose(sorted(axes), [0.002, 0.003, 0.004], rtol=1e-5)
                        a, b, c = axes
                        numpy.testing.assert_allclose(particles.moment_inertia[n], frame["mass"][r] / 5 * numpy.array([b * b + c * c, a * a + c * c, a * a + b * b]), rtol=1e-5)
        # What stays the same is written once.
        with gsd.fl.open(name=str(out / "run.gsd"), mode="rb", application="", schema="hoomd", schema_version=[1, 4]) as file:
            self.assertTrue(file.chunk_exists(frame=0, name="particles/mass"))
            self.assertFalse(file.chunk_exists(frame=1, name="particles/mass"))
        with gsd.hoomd.open(name=str(self.export("bonded", "gsd") / "run.gsd"), mode="rb") as trajectory:
            self.assertEqual(trajectory[1].bonds.group.tolist(), [[0, 1], [1, 2]])
            self.assertEqual(trajectory[1].bonds.types, ["bond_0"])
            self.assertEqual(trajectory[0].particles.type_shapes, [{"type": "Sphere", "diameter": 0.004}])

    @unittest.skipUnless(WITH_GSD, "gsd is not installed")
    def test_gsd_of_a_sheared_cell(self):
        import gsd.hoomd
        import numpy

        frames = self.frames("gas")
        with gsd.hoomd.open(name=str(self.export("gas", "gsd") / "run.gsd"), mode="rb") as trajectory:
            for read, frame in zip(trajectory, frames, strict=True):
                low, edges = frame["cell"][0], frame["cell"][1:]
                lx, ly, lz, xy, _, _ = read.configuration.box
                numpy.testing.assert_allclose([lx, ly, lz], numpy.diag(edges), rtol=1e-6)
                tilt = edges[1][0] - lx * round(edges[1][0] / lx)
                self.assertAlmostEqual(xy * ly, tilt, 8)
                numpy.testing.assert_allclose(read.particles.position + read.log["origin"][0], frame["position"], atol=1e-8)
                numpy.testing.assert_array_equal(read.particles.image, frame["periods"])
                # The corner of the box, from its middle, is that of the cell.
                corner = read.log["origin"][0] - 0.5 * numpy.array([lx + xy * ly, ly, lz])
                numpy.testing.assert_allclose(corner, low, atol=1e-8)

    # Dumps.
    def test_lammps(self):
        frames, shapes = self.frames("mixed"), self.shapes("mixed")
        lines = (self.export("mixed", "lammps") / "bodies.dump").read_text().splitlines()
        starts = [k for k, line in enumerate(lines) if line == "ITEM: TIMESTEP"]
        self.assertEqual(len(starts), len(frames))
        for start, frame in zip(starts, frames):
            count = int(lines[start + 3])
            names = lines[start + 8].split()[2:]
            self.assertEqual(names, "id type x y z vx vy vz omegax omegay omegaz radius mass quatw quati quatj quatk shapex shapey shapez mol".split())
            row = {int(name): k for k, name in enumerate(frame["id"])}
            for line in lines[start + 9:start + 9 + count]:
                values = dict(zip(names, map(float, line.split())))
                k = row[int(values["id"]) - 1]
                self.assertEqual([values[name] for name in ("x", "y", "z")], list(frame["position"][k]))
                self.assertEqual([values["quat" + part] for part in ("w", "i", "j", "k")], list(frame["orientation"][k]))
                self.assertEqual([values["omega" + axis] for axis in "xyz"], list(frame["angular_velocity"][k]))
                self.assertEqual((values["type"] - 1, values["radius"], values["mol"] - 1), (frame["material"][k], frame["radius"][k], frame["owner"][k]))
                if frame["shape"][k] >= 0 and shapes[frame["shape"][k]][1] == "egg":
                    for found, wanted in zip(sorted(values["shape" + axis] for axis in "xyz"), (0.004, 0.006, 0.008)):
                        self.assertAlmostEqual(found, wanted, 12)

    # glTF.
    def read_glb(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        self.assertEqual((magic, version, length), (b"glTF", 2, len(data)))
        size, kind = struct.unpack_from("<I4s", data, 12)
        self.assertEqual((kind, size % 4), (b"JSON", 0))
        document, at = json.loads(data[20:20 + size]), 20 + size
        size, kind = struct.unpack_from("<I4s", data, at)
        self.assertEqual((kind, size % 4, at + 8 + size), (b"BIN\0", 0, len(data)))
        return document, data[at + 8:]

    def accessor(self, document, binary, number):
        import numpy
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        parts = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        self.assertEqual(view["byteLength"], 4 * parts * accessor["count"])
        values = numpy.frombuffer(binary[view["byteOffset"]:view["byteOffset"] + view["byteLength"]], kind).reshape(-1, parts)
        if "min" in accessor:
            numpy.testing.assert_allclose([values.min(axis=0), values.max(axis=0)], [accessor["min"], accessor["max"]], rtol=1e-6, atol=1e-12)
        return values

    def test_gltf(self):
        import numpy

        frame, shapes = self.frames("mixed")[2], self.shapes("mixed")
        rows = {int(frame["id"][r]): r for r, s in enumerate(frame["shape"]) if s < 0 or shapes[s][0] is not None}
        out = self.export("mixed", "gltf", "--time", frame["time"], "--colour", "radius")
        document, binary = self.read_glb(out / "frame_000002.glb")
        self.assertEqual(document["extensionsUsed"], ["EXT_mesh_gpu_instancing"])
        self.assertEqual(document["asset"]["extras"]["time_s"], frame["time"])
        seen, colours = {}, {}
        for node in document["nodes"][1:]:
            instancing = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
            mesh = document["meshes"][node["mesh"]]["primitives"][0]
            if instancing is None:
                self.assertTrue(node["name"].startswith("wall "), node)
                continue
            parts = {name: self.accessor(document, binary, number) for name, number in instancing["attributes"].items()}
            for n, name in enumerate(parts["_ID"][:, 0]):
                r = rows[int(name)]
                seen[int(name)] = node["name"]
                numpy.testing.assert_allclose(parts["TRANSLATION"][n], frame["position"][r], rtol=1e-6, atol=1e-9)
                numpy.testing.assert_allclose(parts["ROTATION"][n], frame["orientation"][r][[1, 2, 3, 0]], rtol=1e-6, atol=1e-7)
                numpy.testing.assert_allclose(parts["SCALE"][n], 3 * [frame["radius"][r]], rtol=1e-6)
                colours[int(name)] = document["materials"][mesh["material"]]["pbrMetallicRoughness"]["baseColorFactor"][:3]
            corners = self.accessor(document, binary, mesh["attributes"]["POSITION"])
            numpy.testing.assert_allclose(numpy.linalg.norm(corners, axis=1).max(), 1, rtol=1e-6)
            self.assertLess(self.accessor(document, binary, mesh["indices"]).max(), len(corners))
        self.assertEqual(set(seen), set(rows))
        radii = {name: frame["radius"][r] for name, r in rows.items()}
        least, most = min(radii, key=radii.get), max(radii, key=radii.get)
        self.assertNotEqual(colours[least], colours[most])
        # As nodes, read back by assimp: as many triangles as all bodies and walls have, z up turned to y up.
        self.scree("export", self.runs / "mixed", "--to", "gltf", "--time", frame["time"], "--nodes", "-o", self.folder / "nodes")
        document, binary = self.read_glb(self.folder / "nodes" / "frame_000002.glb")
        self.assertNotIn("extensionsUsed", document)
        self.assertEqual(sum(not node["name"].startswith("wall") for node in document["nodes"][1:]), len(rows))
        triangles = sum(document["accessors"][document["meshes"][node["mesh"]]["primitives"][0]["indices"]]["count"] // 3 for node in document["nodes"][1:])
        told = self.scree("info", self.folder / "nodes" / "frame_000002.glb")[0]
        self.assertEqual(int(re.search(r"triangles +(\d+)", told).group(1)), triangles)
        box = [float(x) for x in re.findall(r"[xyz] (\S+) to (\S+?),", told)[1]]
        self.assertGreater(box[1], max(frame["position"][r][2] for r in rows.values()))
        self.assertLess(abs(box[0]), 1e-3 + 0.01)

    def test_words(self):
        self.assertIn("no library that writes it; export to csv", self.scree("export", self.runs / "gas", "--to", "parquet", code=2)[1])
        self.assertIn("choose one of vtk, vtkhdf, csv, lammps, gsd, gltf", self.scree("export", self.runs / "gas", "--to", "pdf", code=2)[1])
        self.assertIn("--nodes goes with --to gltf only", self.scree("export", self.runs / "gas", "--to", "csv", "--nodes", code=2)[1])
        self.assertIn("--compress goes with --to vtk and vtkhdf only", self.scree("export", self.runs / "gas", "--to", "gsd", "--compress", code=2)[1])
        for option in (("--time", "0"), ("--colour", "x"), ("--range", "0:1"), ("--map", "viridis")):
            self.assertIn(f"{option[0]} goes with --to gltf only", self.scree("export", self.runs / "gas", "--to", "csv", *option, code=2)[1])
        # A wrong choice leaves nothing behind, not even a folder.
        for option, words in ((("--colour", "mist"), "--colour mist: there is no such field"), (("--time", "nan"), "--time")):
            self.assertIn(words, self.scree("export", self.runs / "gas", "--to", "gltf", *option, "-o", "wrong", code=2)[1])
            self.assertFalse((self.folder / "wrong").exists())

    def names(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def test_no_frames_of_an_earlier_export(self):
        """Fewer frames, and none with contacts, into the folder of an export of more."""
        import os
        less = ("--set", "output.contacts=false", "--set", "output.every=100")
        self.scree("run", self.runs / "mixed.toml", "-o", "less", "-q", "--until", "0.001", *less)
        for to in ("csv", "vtk", "vtkhdf", "lammps", "gsd"):
            with self.subTest(to=to):
                self.scree("export", "less", "--to", to, "-o", f"less_{to}")
                out = self.export("mixed", to)
                (out / "mine.txt").write_text("mine")
                (out / "frame_7.csv").write_text("mine")
                before = {name: (out / name).read_bytes() for name in self.names(to)}
                error = self.scree("export", "less", "--to", to, "-o", to, code=2)[1]
                self.assertIn("of an earlier export", error)
                self.assertIn("--overwrite", error)
                self.assertEqual({name: (out / name).read_bytes() for name in self.names(to)}, before)
                self.scree("export", "less", "--to", to, "-o", to, "--overwrite")
                self.assertEqual(self.names(to), sorted(self.names(f"less_{to}") + ["mine.txt", "frame_7.csv"]))
                for name in self.names(f"less_{to}"):
                    if to != "vtkhdf":  # whose library stamps times
                        self.assertEqual((out / name).read_bytes(), (self.folder / f"less_{to}" / name).read_bytes(), name)
        # Exports of two kinds stand in one folder, and the folder in the run is the program's own.
        self.scree("export", "less", "--to", "vtk", "-o", "less_csv")
        os.makedirs(self.folder / "less" / "csv")
        (self.folder / "less" / "csv" / "frame_000123.csv").write_text("old")
        self.scree("export", "less", "--to", "csv")
        self.assertNotIn("frame_000123.csv", self.names("less/csv"))
        # A folder beside a file is not.
        self.scree("export", "less/state.h5", "--to", "csv", code=2)
        # Each frame of glTF is an export: it goes beside others where that is asked for.
        self.scree("export", self.runs / "mixed", "--to", "gltf", "--time", "0", "-o", "glb")
        self.scree("export", self.runs / "mixed", "--to", "gltf", "-o", "glb", code=2)
        self.assertEqual(self.names("glb"), ["frame_000000.glb"])
        self.scree("export", self.runs / "mixed", "--to", "gltf", "-o", "glb", "--overwrite")
        self.assertEqual(len(self.names("glb")), 2)


@unittest.skipUnless(WITH_H5PY, "h5py is not installed")
class SmallFrames(ProgramTest):
    """Frames of single precision, deflated, without what is left out."""

    def sizes(self, run):
        import h5py
        places, total, bodies = set(), 0, 0
        with h5py.File(self.folder / run / "state.h5") as file:
            for frame in file["frames"].values():
                bodies += int(frame.attrs["bodies"])
                for item in frame.values():
                    if isinstance(item, h5py.Dataset) and h5py.h5o.get_info(item.id).addr not in places:
                        places.add(h5py.h5o.get_info(item.id).addr)
                        total += item.id.get_storage_size()
        return total / bodies

    def read(self, run, name):
        import h5py
        with h5py.File(self.folder / run / "state.h5") as file:
            return [frame[name][:] for _, frame in sorted(file["frames"].items()) if name in frame]

    def test_small(self):
        import h5py
        import numpy
        from program import PILE

        small = ("--set", "output.precision=single", "--set", "output.compress=true")
        for run, more in (("full", ()), ("packed", ("--set", "output.compress=true")), ("small", small), ("least", (*small, "--set", "output.leave_out=[\"angular_velocity\"]"))):
            self.scree("run", PILE, "-o", run, "-q", "--until", "0.05", "--set", "output.every=0.005", *more)
        self.assertEqual(len({self.summary(run)["state_hash"] for run in ("full", "packed", "small", "least")}), 1)
        for name in ("position", "velocity", "angular_velocity", "radius", "mass", "id"):
            for wide, deflated, single in zip(self.read("full", name), self.read("packed", name), self.read("small", name), strict=True):
                numpy.testing.assert_array_equal(wide, deflated)  # to the bit
                if name in ("radius", "mass", "id"):
                    numpy.testing.assert_array_equal(wide, single)
                else:
                    self.assertEqual(single.dtype, numpy.float32)
                    numpy.testing.assert_array_equal(wide.astype(numpy.float32), single)  # the nearest number of 32 bits
        sizes = {run: self.sizes(run) for run in ("full", "packed", "small", "least")}
        self.assertLess(sizes["full"], 80)
        self.assertLess(sizes["small"], 40)
        self.assertLess(sizes["least"], 27)
        self.assertLess(sizes["packed"], sizes["full"])
        # A column that stays as it was is one array for all frames.
        with h5py.File(self.folder / "full" / "state.h5") as file:
            places = {h5py.h5o.get_info(frame["radius"].id).addr for frame in file["frames"].values()}
            self.assertEqual(len(places), 1)
        # What is left out is in no table, and asked for in a picture it is told.
        self.scree("export", "least", "--to", "csv")
        with open(self.folder / "least" / "csv" / "frame_000001.csv") as file:
            columns = next(csv.reader(file))
        self.assertEqual(columns, ["id", "x", "y", "z", "vx", "vy", "vz", "radius", "mass", "material"])
        self.assertNotIn("angular_velocity", (self.folder / "least" / "state.xdmf").read_text())
        self.assertIn('Precision="4"', (self.folder / "least" / "state.xdmf").read_text())
        self.scree("run", PILE, "-o", "still", "-q", "--steps", "10", *small, "--set", 'output.leave_out=["velocity", "angular_velocity"]')
        listed = self.scree("plot", "still", "--list")[0]
        self.assertIn("profile.mass", listed)
        self.assertNotIn("profile.vx", listed)
        error = self.scree("export", "least", "--to", "gltf", "--colour", "spin", code=2)[1]
        self.assertIn("--colour spin: the frames hold no angular velocities, which leave_out in [output] names; choose another field", error)
        # Where no colour was asked for, bodies without speeds are grey.
        self.scree("export", "still", "--to", "gltf")
        self.assertIn(b'"colour": "none"', next((self.folder / "still" / "gltf").glob("*.glb")).read_bytes())
        self.scree("render", "still", "-q", "--size", "64x48", "--samples", "1", "--threads", "1")
        self.assertTrue((self.folder / "still" / "render.png").exists())
        self.assertIn("--colour speed: the frames hold no velocities", self.scree("render", "still", "--overwrite", "--colour", "speed", code=2)[1])
        # A restart goes on in another precision.
        self.scree("run", PILE, "-o", "half", "-q", "--until", "0.02", "--set", "output.every=0.005")
        self.scree("run", PILE, "-o", "half", "-q", "--until", "0.05", "--set", "output.every=0.005", *small, "--restart", "half/checkpoint.h5")
        self.assertEqual([array.dtype for array in self.read("half", "position")], 5 * [numpy.float64] + 6 * [numpy.float32])
        self.assertEqual(self.summary("half")["state_hash"], self.summary("full")["state_hash"])
        self.scree("export", "half", "--to", "csv")

    def test_surface_left_out(self):
        (self.folder / "scene.toml").write_text(SCENE.replace("contacts = true", 'leave_out = "surface"'))
        self.scree("run", "scene.toml", "-o", "run", "-q", "--until", "0.001")
        import h5py
        with h5py.File(self.folder / "run" / "state.h5") as file:
            self.assertNotIn("surface", file["frames/000000"])
        self.scree("export", "run", "--to", "vtk")
        self.assertIn(b'NumberOfPolys="', (self.folder / "run" / "vtk" / "frame_000000.vtp").read_bytes())
        (self.folder / "wrong.toml").write_text(SCENE.replace("contacts = true", 'leave_out = ["radius"]'))
        self.assertIn('leave_out: "radius" is not one of velocity, angular_velocity, surface', self.scree("check", "wrong.toml", code=2)[1])


if __name__ == "__main__":
    unittest.main()
