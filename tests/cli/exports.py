"""What `scree export` writes is what the run's own HDF5 holds, as independent readers find it: VTK's for .vtp, h5py by the layout that VTK documents for .vtkhdf;
and what it says and leaves in folders that hold earlier exports. Other formats: exports_of_bodies.py."""

import importlib.util
import os
import unittest
import xml.etree.ElementTree as ET

from export_runs import WITH_VTK, ExportTest


class Exports(ExportTest):
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


if __name__ == "__main__":
    unittest.main()
