"""Exports of bodies to programs other than VTK, as independent readers find them: gsd's for .gsd, plain text for dumps, assimp's (through `scree info`) and the bytes themselves for
.glb; and frames of single precision, deflated, or without what is left out."""

import csv
import json
import re
import struct
import unittest

from export_runs import SCENE, WITH_GSD, WITH_H5PY, ExportTest
from program import PILE, ProgramTest


def quaternion_product(a, b):
    w, x, y, z = a
    p, q, r, s = b
    return [w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p]


class ExportsOfBodies(ExportTest):
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


if __name__ == "__main__":
    unittest.main()
