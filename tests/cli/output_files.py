"""What a run writes, read by other programs: HDF5 through h5py, XDMF and VTK as XML, CSV, LAMMPS dumps. Skipped (77) without h5py."""

import csv
import importlib.util
import struct
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

try:
    import h5py
    import numpy
except ImportError:
    print("h5py is not installed")
    sys.exit(77)

from program import GAS, HERE, PILE, ProgramTest

BLOCKS = HERE / "scenes" / "blocks.toml"  # polyhedra


def xdmf_grids(test, results):
    """The grids of each time by name, after checking that every array state.xdmf names is in state.h5 as it says."""
    root = ET.parse(results / "state.xdmf").getroot()
    test.assertEqual((root.tag, root.get("Version")), ("Xdmf", "3.0"))
    with h5py.File(results / "state.h5", "r") as file:
        for item in root.iter("DataItem"):
            name, path = item.text.strip().split(":", 1)
            test.assertEqual(name, "state.h5")
            test.assertEqual(file[path].shape, tuple(int(d) for d in item.get("Dimensions").split()))
            test.assertEqual(file[path].dtype.itemsize, int(item.get("Precision")))
            test.assertEqual(file[path].dtype.kind, {"Float": "f", "Int": "i", "UInt": "u"}[item.get("NumberType")])
    times = root.findall("./Domain/Grid/Grid")
    for time in times:
        test.assertEqual(time.get("CollectionType"), "Spatial")
        test.assertIsNotNone(time.find("Time"))
    return [{grid.get("Name"): grid for grid in time.findall("Grid")} for time in times]


class OutputFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.scree("run", PILE, "-o", "run", "-q", "--set", "output.orientation=true", "--until", "0.03")
        self.results = self.folder / "run"

    def test_frames(self):
        with h5py.File(self.results / "state.h5", "r") as file:
            frames = file["frames"]
            self.assertEqual(sorted(frames), [f"{k:06d}" for k in range(4)])
            for k in range(4):
                frame = frames[f"{k:06d}"]
                self.assertEqual(frame.attrs["step"], 500 * k)
                self.assertAlmostEqual(frame.attrs["time"], 0.01 * k, places=12)
                n = len(frame["id"])
                for name, columns in (("position", 3), ("velocity", 3), ("angular_velocity", 3), ("orientation", 4)):
                    self.assertEqual(frame[name].shape, (n, columns))
                    self.assertEqual(frame[name].dtype, numpy.float64)
                for name in ("radius", "mass", "material"):
                    self.assertEqual(frame[name].shape, (n,))
                self.assertTrue(numpy.all(numpy.diff(frame["id"][:].astype(int)) > 0))
                numpy.testing.assert_allclose(numpy.linalg.norm(frame["orientation"][:], axis=1), 1, atol=1e-12)
            volume = 4 / 3 * numpy.pi * frames["000000/radius"][:] ** 3
            numpy.testing.assert_allclose(frames["000000/mass"][:], 2500 * volume, rtol=1e-12)

    def test_contacts(self):
        with h5py.File(self.results / "state.h5", "r") as file:
            frame = file["frames/000003"]
            contacts = frame["contacts"]
            a, b, wall = (contacts[name][:] for name in ("a", "b", "wall"))
            self.assertGreater(len(a), 50)
            index = {body: i for i, body in enumerate(frame["id"][:])}
            position, radius = frame["position"][:], frame["radius"][:]
            for k in range(len(a)):
                i = index[a[k]]
                if wall[k] >= 0:
                    self.assertEqual(b[k], 0xFFFFFFFF)
                    continue
                j = index[b[k]]
                self.assertLess(a[k], b[k])
                gap = position[j] - position[i]
                distance = numpy.linalg.norm(gap)
                # 1e-12 m is far below the overlaps and far above the rounding of coordinates of a few centimetres.
                self.assertAlmostEqual(contacts["overlap"][k], radius[i] + radius[j] - distance, delta=1e-12)
                numpy.testing.assert_allclose(contacts["normal"][k], gap / distance, atol=1e-9)
            self.assertTrue(numpy.all(contacts["overlap"][:] > 0))

    def test_xdmf_points_to_arrays_that_are_there(self):
        times = xdmf_grids(self, self.results)
        self.assertEqual(len(times), 4)
        for time in times:
            self.assertEqual(list(time)[:2], ["bodies", "ramp"])  # the rod is gone before the end
        self.assertIn("rod", times[0])
        with h5py.File(self.results / "state.h5", "r") as file:
            for time in times:
                self.assertEqual(time["bodies"].find("Topology").get("TopologyType"), "Polyvertex")
                points = time["bodies"].find("Topology/DataItem").text.split(":")[1]
                numpy.testing.assert_array_equal(file[points][:], numpy.arange(file[points].shape[0]))
            self.assertEqual(time["ramp"].find("Topology").get("NumberOfElements"), "2")

    def test_series(self):
        with open(self.results / "series.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(int(rows[0]["step"]), 0)
        self.assertTrue(all(rows[0].values()))  # everything is measured at the start
        by_step = {int(row["step"]): row for row in rows}
        self.assertTrue(by_step[100]["energy.total"])       # 2 ms
        self.assertFalse(by_step[100]["left.mass"])         # every 3 ms
        self.assertTrue(by_step[150]["left.count"])
        self.assertFalse(by_step[150]["energy.total"])
        self.assertTrue(by_step[500]["max_overlap.ratio"])  # with frames
        self.assertEqual([int(row["step"]) for row in rows], sorted(by_step))
        self.assertIn("wall_load.ramp.fz", rows[0])

    def test_checkpoint_holds_the_scene(self):
        with h5py.File(self.results / "checkpoint.h5", "r") as file:
            self.assertEqual(file["scene"][()].decode(), (self.results / "scene.toml").read_text())
            self.assertEqual(file.attrs["step"], 1500)

    def test_info(self):
        out, _ = self.scree("info", "run")
        for part in ("4 frames", "0.03 s (step 1500)", "216 at first", "energy.total"):
            self.assertIn(part, out)
        self.assertIn("checkpoint of scree", self.scree("info", "run/checkpoint.h5")[0])
        (self.folder / "tetra.txt").write_text("0 0 0 1 0 0 0 1 0\n0 0 0 0 1 0 0 0 1\n0 0 0 0 0 1 1 0 0\n1 0 0 0 0 1 0 1 0\n")
        out, _ = self.scree("info", "tetra.txt")
        for part in ("triangles  4", "vertices   4 after welding, 6 edges, 0 of them open", "patches    4"):
            self.assertIn(part, out)
        (self.folder / "empty").mkdir()
        self.scree("info", "empty", code=2)

    def test_export_csv(self):
        self.scree("export", "run", "--to", "csv")
        with open(self.results / "csv" / "frame_000003.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        with h5py.File(self.results / "state.h5", "r") as file:
            position = file["frames/000003/position"][:]
        self.assertEqual([[float(row[c]) for c in "xyz"] for row in rows], position.tolist())

    def test_export_lammps(self):
        self.scree("export", "run", "--to", "lammps", "-o", "out")
        text = (self.folder / "out" / "bodies.dump").read_text()
        self.assertEqual(text.count("ITEM: TIMESTEP\n"), 4)
        last = text[text.rindex("ITEM: TIMESTEP"):].splitlines()
        self.assertEqual((last[1], last[3]), ("1500", "216"))
        columns = last[8].split()[2:]
        row = dict(zip(columns, last[9].split()))
        with h5py.File(self.results / "state.h5", "r") as file:
            frame = file["frames/000003"]
            self.assertEqual([float(row[c]) for c in ("x", "y", "z")], frame["position"][0].tolist())
            self.assertEqual(float(row["radius"]), frame["radius"][0])

    def test_export_vtk(self):
        self.scree("export", "run", "--to", "vtk")
        data_sets = ET.parse(self.results / "vtk" / "frames.pvd").getroot().findall("./Collection/DataSet")
        numpy.testing.assert_allclose([float(d.get("timestep")) for d in data_sets], [0, 0.01, 0.02, 0.03], rtol=1e-12)
        raw = (self.results / "vtk" / data_sets[3].get("file")).read_bytes()
        start = raw.index(b'<AppendedData encoding="raw">')
        head = ET.fromstring(raw[:start] + b"</VTKFile>")
        arrays = {a.get("Name"): a for a in head.iter("DataArray")}
        block = raw.index(b"_", start) + 1 + int(arrays["position"].get("offset"))
        (size,) = struct.unpack("<Q", raw[block:block + 8])
        points = numpy.frombuffer(raw[block + 8:block + 8 + size], dtype="<f8").reshape(-1, 3)
        with h5py.File(self.results / "state.h5", "r") as file:
            numpy.testing.assert_array_equal(points, file["frames/000003/position"][:])


class Polyhedra(ProgramTest):
    """50 polyhedra and 25 spheres on a plate that rises."""

    def setUp(self):
        super().setUp()
        self.scree("run", BLOCKS, "-o", "run", "-q")
        self.results = self.folder / "run"

    def test_shapes_and_poses(self):
        with h5py.File(self.results / "state.h5", "r") as file:
            names = [file["shapes"][key].attrs["name"].decode() for key in sorted(file["shapes"])]
            self.assertEqual(sorted(names), ["brick", "nut"])
            for frame in file["frames"].values():
                count = numpy.bincount(frame["shape"][:] + 1, minlength=3)
                numpy.testing.assert_array_equal(count, [25, 25, 25])
                numpy.testing.assert_allclose(numpy.linalg.norm(frame["orientation"][:], axis=1), 1, atol=1e-12)
            # Bounding radii and masses of bricks: half the diagonal of 8 x 6 x 4 mm, 2500 kg/m3.
            first = file["frames/000000"]
            bricks = first["shape"][:] == names.index("brick")
            numpy.testing.assert_allclose(first["radius"][:][bricks], 0.5 * numpy.sqrt(64 + 36 + 16) * 1e-3, rtol=1e-12)
            numpy.testing.assert_allclose(first["mass"][:][bricks], 2500 * 192e-9, rtol=1e-12)
            # The plate rose by 0.05 m/s.
            walls = file[first.attrs["walls"].decode()]
            plate = int(walls["plate"].attrs["index"])
            for frame in file["frames"].values():
                rise = 0.05 * frame.attrs["time"]
                numpy.testing.assert_allclose(frame["wall_shift"][plate], [0, 0, rise], atol=1e-12)
                numpy.testing.assert_allclose(frame["wall_points/plate"][:, 2], 0.001 + rise, rtol=1e-6)
            self.assertEqual(walls["box/plane_point"].shape, (6, 3))

    def test_surface_is_closed_and_moves_with_its_body(self):
        with h5py.File(self.results / "state.h5", "r") as file:
            for frame in file["frames"].values():
                surface = frame["surface"]
                points, triangles, body = surface["points"][:].astype(float), surface["topology"][:], surface["body"][:]
                self.assertEqual(len(triangles), 25 * 12 + 25 * 20)
                edges = numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
                self.assertEqual(len(numpy.unique(edges, axis=0)), len(edges))
                numpy.testing.assert_array_equal(numpy.unique(edges, axis=0), numpy.unique(edges[:, ::-1], axis=0))
                # By the divergence theorem; single precision of the points allows 1e-4.
                a, b, c = (points[triangles[:, k]] - frame["position"][:][body] for k in range(3))
                volume = numpy.bincount(body, numpy.einsum("ij,ij->i", a, numpy.cross(b, c)) / 6, minlength=75)
                solid = frame["shape"][:] >= 0
                numpy.testing.assert_allclose(volume[solid] * 2500, frame["mass"][:][solid], rtol=1e-4)

    def test_contacts_and_series(self):
        with h5py.File(self.results / "state.h5", "r") as file:
            contacts = file["frames/000004/contacts"]
            kind = contacts["kind"][:]
            self.assertEqual(kind.dtype, numpy.uint8)
            self.assertTrue(numpy.all(kind <= 4))
            self.assertGreater(numpy.count_nonzero(kind), 0)
            self.assertEqual(contacts["torque"].shape, (len(kind), 3))
            self.assertTrue(numpy.all(contacts["volume"][:] >= 0) and numpy.all(contacts["area"][:] >= 0))
            found = [numpy.count_nonzero(kind == k) for k in (1, 2, 3, 4)]
        with open(self.results / "series.csv", newline="") as file:
            last = [row for row in csv.DictReader(file) if row["contact_kinds.vertex_face"]][-1]
        columns = ("vertex_face", "edge_edge", "edge_face", "face_face")
        self.assertEqual([float(last["contact_kinds." + name]) for name in columns], found)

    def test_xdmf_shows_polyhedra_and_walls(self):
        times = xdmf_grids(self, self.results)
        self.assertEqual([sorted(time) for time in times], [["bodies", "plate", "polyhedra"]] * 5)
        for k, time in enumerate(times):
            self.assertEqual(time["polyhedra"].find("Topology").get("TopologyType"), "Triangle")
            self.assertEqual({a.get("Name") for a in time["polyhedra"].findall("Attribute")}, {"id", "material", "speed"})
            self.assertIn(f"/frames/{k:06d}/wall_points/plate", time["plate"].find("Geometry/DataItem").text)

    def test_exports(self):
        self.scree("export", "run", "--to", "vtk")
        raw = (self.results / "vtk" / "frame_000004.vtp").read_bytes()
        start = raw.index(b'<AppendedData encoding="raw">')
        piece = ET.fromstring(raw[:start] + b"</VTKFile>").find("./PolyData/Piece")
        self.assertEqual((piece.get("NumberOfVerts"), piece.get("NumberOfPolys")), ("25", str(25 * 6 + 25 * 8)))
        self.assertEqual(piece.get("NumberOfPoints"), str(25 + 25 * 8 + 25 * 12))
        self.assertTrue((self.results / "vtk" / "walls_000004.vtp").exists())
        self.scree("export", "run", "--to", "csv")
        with open(self.results / "csv" / "frame_000000.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["shape"] for row in rows}, {"-1", "0", "1"})
        self.assertTrue((self.results / "csv" / "shapes.csv").exists())

    def test_info_and_picture(self):
        out, _ = self.scree("info", "run")
        for part in ("25 brick", "25 nut", "25 spheres", "plate (2 triangles, moves)", "box (6 planes)"):
            self.assertIn(part, out)
        if importlib.util.find_spec("matplotlib") is None:
            return
        tool = HERE.parent.parent / "tools" / "plot_polyhedra"
        done = subprocess.run([sys.executable, "-B", tool, self.results, "--size", "200", "150", "-o", self.folder / "picture.png"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("frame 4", done.stdout)
        self.assertEqual((self.folder / "picture.png").read_bytes()[:4], b"\x89PNG")


class HardParticles(ProgramTest):
    def test_steps_cut_short_are_counted_and_told(self):
        self.scree("run", GAS, "-o", "run", "-q", "--steps", 40, "--set", "method.stepping=steps", "--set", "method.iterations=1")
        with open(self.folder / "run" / "series.csv", newline="") as file:
            unfinished = float(list(csv.DictReader(file))[-1]["pressure.unfinished"])
        self.assertGreater(unfinished, 10)
        self.assertIn(f"{unfinished:.0f} of 40 steps ended after method.iterations = 1 rounds", self.summary("run")["warnings"][-1])

    def test_collapse_stops_the_run_and_says_what_to_set(self):
        dense = self.folder / "dense.toml"
        dense.write_text(GAS.read_text().replace("radius = 0.3,", "radius = 0.45,").replace("radius = 0.4,", "radius = 0.49,"))
        _, err = self.scree("run", dense, "-o", "run", "-q", "--set", "material.hard.restitution=0.05", code=1)
        self.assertIn("elastic_below", err)
        self.assertEqual(self.summary("run")["exit_code"], 1)


class FullDisk(ProgramTest):
    def test_a_file_that_cannot_grow_stops_the_run_cleanly(self):
        # 1.3 MB: some frames fit (each claims a megabyte ahead), then none; the checkpoint does.
        _, err = self.scree("run", PILE, "-o", "run", "-q", "--set", "output.every=0.0001", code=1, file_limit=1300000)
        self.assertIn("state.h5", err)
        self.assertIn("File too large", err)
        self.assertEqual(self.summary("run")["exit_reason"], "failed")
        with h5py.File(self.folder / "run" / "state.h5", "r") as file:
            frames = len(file["frames"])
        self.assertGreater(frames, 1)
        self.assertLess(frames, 601)
        whole = self.hash_of("whole", "--set", "output.every=0.0001")
        self.assertEqual(self.hash_of("run", "--set", "output.every=0.0001", "--restart", "run/checkpoint.h5"), whole)
        with h5py.File(self.folder / "run" / "state.h5", "r") as file:
            self.assertEqual(len(file["frames"]), 601)

    def test_a_fault_leaves_the_state_found(self):
        _, err = self.scree("run", PILE, "-o", "run", "-q", "--set", "method.overlap_limit=0.011", "--set", "method.overlap_warning=0.01", code=1)
        self.assertIn("method.overlap_limit", err)
        with h5py.File(self.folder / "run" / "fault.h5", "r") as file:
            self.assertGreater(len(file["frames/000000/contacts/a"]), 0)
            self.assertIn("overlap", file["message"][()].decode())
        self.assertFalse((self.folder / "run" / "checkpoint.h5").exists())
        self.assertIn("fault", self.scree("info", "run/fault.h5")[0])



class WallLoads(ProgramTest):
    SCENE = """[time]
end = 0.1
[method]
skin = "0.05 mm"
[material.m]
density = 2500
young = "5 MPa"
poisson = 0.3
restitution = 0.1
friction = 0.4
[shape.ball]
kind = "sphere"
radius = 0.001
[shape.cube]
kind = "cube"
edge = 0.002
[[bodies]]
shape = "ball"
material = "m"
place = { lattice = [6, 6, 3], spacing = 0.0021, origin = [-0.006, -0.006, 0.0011], jitter = 0.1 }
[[bodies]]
shape = "cube"
material = "m"
place = { at = [[0, 0, 0.009], [0.004, 0, 0.009]] }
[[wall]]
name = "side"
kind = "box"
min = [-0.0075, -0.0075, -1]
max = [0.0075, 0.0075, 1]
material = "m"
[[wall]]
name = "floor"
kind = "quad"
corners = [[-0.01, -0.01, 0], [0.01, -0.01, 0], [0.01, 0.01, 0], [-0.01, 0.01, 0]]
material = "m"
motion = { oscillation = { amplitude = [0, 0, 1e-4], frequency = 30 } }
[output]
every = 0.025
contacts = true
[[measure]]
kind = "wall_load"
every = 0.025
"""

    def test_of_each_triangle(self):
        """What the triangles of a wall bear makes up its load, frame by frame."""
        (self.folder / "scene.toml").write_text(self.SCENE)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        self.scree("export", "run", "--to", "vtk")
        rows = self.read_series("run")
        self.assertEqual(len(rows), 5)
        for k, row in enumerate(rows):
            raw = (self.folder / "run" / "vtk" / f"walls_{k:06d}.vtp").read_bytes()
            start = raw.index(b'<AppendedData encoding="raw">')
            head = ET.fromstring(raw[:start] + b"</VTKFile>")

            def array(name, kind, width):
                block = raw.index(b"_", start) + 1 + int({a.get("Name"): a for a in head.iter("DataArray")}[name].get("offset"))
                (size,) = struct.unpack("<Q", raw[block:block + 8])
                return numpy.frombuffer(raw[block + 8:block + 8 + size], dtype=kind).reshape(-1, width)

            force, wall = array("force", "<f8", 3), array("wall", "<i4", 1)[:, 0]
            self.assertEqual(len(force), 2)
            self.assertTrue((wall == 1).all())
            numpy.testing.assert_allclose(force.sum(axis=0), [row["wall_load.floor.f" + axis] for axis in "xyz"], atol=1e-12)
            # Each triangle has half of the square.
            numpy.testing.assert_allclose(array("pressure", "<f8", 1)[:, 0], abs(force[:, 2]) / 2e-4, atol=1e-9)
            numpy.testing.assert_allclose(array("shear", "<f8", 1)[:, 0], numpy.hypot(force[:, 0], force[:, 1]) / 2e-4, atol=1e-9)
        self.assertLess(rows[-1]["wall_load.floor.fz"], 0)


if __name__ == "__main__":
    unittest.main()
