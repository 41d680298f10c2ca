"""What a run writes, read by other programs: HDF5 through h5py, XDMF and VTK as XML, CSV, LAMMPS dumps. Skipped (77) without h5py."""

import csv
import struct
import sys
import unittest
import xml.etree.ElementTree as ET

try:
    import h5py
    import numpy
except ImportError:
    print("h5py is not installed")
    sys.exit(77)

from program import PILE, ProgramTest


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
        root = ET.parse(self.results / "state.xdmf").getroot()
        self.assertEqual((root.tag, root.get("Version")), ("Xdmf", "3.0"))
        grids = root.findall("./Domain/Grid/Grid")
        self.assertEqual(len(grids), 4)
        with h5py.File(self.results / "state.h5", "r") as file:
            for grid in grids:
                self.assertEqual(grid.find("Topology").get("TopologyType"), "Polyvertex")
                for item in grid.iter("DataItem"):
                    name, path = item.text.strip().split(":", 1)
                    self.assertEqual(name, "state.h5")
                    dimensions = tuple(int(d) for d in item.get("Dimensions").split())
                    self.assertEqual(file[path].shape, dimensions)
                    self.assertEqual(file[path].dtype.itemsize, int(item.get("Precision")))
                points = grid.find("Topology/DataItem").text.split(":")[1]
                numpy.testing.assert_array_equal(file[points][:], numpy.arange(file[points].shape[0]))

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


if __name__ == "__main__":
    unittest.main()
