"""Bodies from files of other programs: what `scree export --to lammps` and `--to vtk` write is read again to the last digit, and dumps, data
files, VTK and GSD files, written by hand and where they are installed by LAMMPS, VTK and gsd, give the scene that they should."""

import base64
import csv
import itertools
import shutil
import struct
import subprocess
import unittest
import zlib

from export_runs import MATERIALS, WITH_GSD, WITH_VTK
from program import PILE, ProgramTest

HEAD = """[time]
step = 1e-6
end = 1e-6
[domain]
gravity = [0, 0, 0]
""" + MATERIALS + """[[bodies]]
material = "grain"
"""
DUMP = """ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
3
ITEM: BOX BOUNDS pp pp pp
0 0.1
0 0.1
0 0.2
ITEM: ATOMS id type type {columns} ix iy iz vx vy vz fx fy fz omegax omegay omegaz radius
{rows}"""
ROWS = ["1 1 1 {} 0 0 0 0.1 0 0 nan 0 0 0 0 1 0.002\n", "2 2 2 {} 0 0 0 0 0.1 0 0 0 0 0 2 0 0.003\n",
        "3 1 1 {} 0 0 0 0 0 0.1 0 0 0 3 0 0 0.004\n"]
PLACES = ["0.01 0.02 0.03", "0.02 0.03 0.01", "0.03 0.01 0.02"]
SHARES = ["0.1 0.2 0.15", "0.2 0.3 0.05", "0.3 0.1 0.1"]  # of the box above
DATA = """by hand

3 atoms
2 atom types

0 0.1 xlo xhi
0 0.1 ylo yhi
0 0.2 zlo zhi

Atoms # sphere

3 1 0.008 2500 0.03 0.01 0.02
1 1 0.004 2500 0.01 0.02 0.03
2 2 0.006 7800 0.02 0.03 0.01

Velocities

1 0.1 0 0 0 0 1
2 0 0.1 0 0 2 0
3 0 0 0.1 3 0 0
"""
VTK = """# vtk DataFile Version 3.0
by hand
ASCII
DATASET POLYDATA
POINTS 3 float
10 20 30
20 30 10
30 10 20
POINT_DATA 3
SCALARS diameter float 1
LOOKUP_TABLE default
4 6 8
FIELD FieldData 3
velocity 3 3 float
100 0 0 0 100 0 0 0 100
omega 3 3 float
0 0 1 0 2 0 3 0 0
type 1 3 int
1 2 1
"""
# What LAMMPS does in two dozen lines: two types in a tilted box, some steps, all that it writes of them.
LAMMPS = """units si
atom_style sphere
boundary p p p
region b prism 0 0.1 -0.02 0.1 0.01 0.12 0.03 0.02 -0.015
create_box 2 b
create_atoms 1 random 30 4711 b
create_atoms 2 random 20 4712 b
set type 1 diameter 0.004 density 2500
set type 2 diameter 0.006 density 7800
velocity all set 0.1 0.2 -0.3
set atom * omega 1 2 3
pair_style gran/hooke/history 1000.0 NULL 10.0 NULL 0.5 1
pair_coeff * *
comm_modify vel yes
timestep 1e-5
fix 1 all nve/sphere
dump 1 all custom 10 places.dump id type element x y z vx vy vz omegax omegay omegaz radius
dump 2 all custom 10 shares.dump id type xs ys zs vx vy vz omegax omegay omegaz diameter
dump_modify 1 format float %.17g
dump_modify 2 format float %.17g units yes time yes
run 20
write_data atoms.data
"""
# The bodies of the files above, as arrays.
POINTS = {"position": [[0.01, 0.02, 0.03], [0.02, 0.03, 0.01], [0.03, 0.01, 0.02]], "radius": [0.002, 0.003, 0.004], "type": [1, 2, 1],
          "velocity": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], "omega": [[0, 0, 1], [0, 2, 0], [3, 0, 0]]}
POLYHEDRA = """[shape.cube]
kind = "box"
edges = [0.01, 0.02, 0.03]
[[bodies]]
shape = "cube"
material = "grain"
place = { at = [0.05, 0.05, 0.05] }
"""
COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius", "mass", "material")


def xml_file(encode, attributes="", appended=None):
    """A VTK file of the points above, whose arrays `encode` puts into elements."""
    def array(name):
        rows = POINTS[name]
        parts = len(rows[0]) if isinstance(rows[0], list) else 1
        return encode(name, parts, [number for row in rows for number in (row if parts > 1 else [row])])

    arrays = "".join(array(name) for name in ("radius", "velocity", "type", "omega"))
    head = (f'<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" {attributes}>\n<UnstructuredGrid>\n<Piece NumberOfPoints="3" NumberOfCells="0">\n'
            f'<PointData>\n{arrays}</PointData>\n<Points>\n{array("position")}</Points>\n</Piece>\n</UnstructuredGrid>\n').encode()
    return head + (b"" if appended is None else b'<AppendedData encoding="raw">_' + bytes(appended) + b"</AppendedData>\n") + b"</VTKFile>\n"


def element(name, parts, how, content="/>", type="Float64"):
    return f'<DataArray type="{type}" Name="{name}" NumberOfComponents="{parts}" {how}{content}\n'


def xml_ascii():
    return xml_file(lambda name, parts, numbers: element(name, parts, 'format="ascii"', ">\n" + "\n".join(map(repr, numbers)) + "</DataArray>"))


def xml_zlib():
    def encode(name, parts, numbers):
        data = struct.pack(f">{len(numbers)}d", *numbers)
        blocks = [zlib.compress(data[k:k + 40]) for k in range(0, len(data), 40)]
        header = struct.pack(f">{3 + len(blocks)}Q", len(blocks), 40, len(data) % 40, *map(len, blocks))
        text = base64.b64encode(header).decode() + base64.b64encode(b"".join(blocks)).decode()
        return element(name, parts, 'format="binary"', f">{text}</DataArray>")

    return xml_file(encode, 'byte_order="BigEndian" header_type="UInt64" compressor="vtkZLibDataCompressor"')


def xml_raw():
    data = bytearray()

    def encode(name, parts, numbers):
        offset = len(data)
        data.extend(struct.pack(f"<I{len(numbers)}d", 8 * len(numbers), *numbers))
        return element(name, parts, f'format="appended" offset="{offset}"')

    return xml_file(encode, 'byte_order="LittleEndian"', data)


class FilesOfOthers(ProgramTest):
    TYPED = 'types = ["grain", "steel"]'

    def write_scene(self, file, more=TYPED, head=HEAD):
        (self.folder / "again.toml").write_text(f'{head}place = {{ file = "{file}"{", " * bool(more)}{more} }}\n')

    def placed(self, file, more=TYPED, head=HEAD):
        """Rows of the first frame of a scene with the bodies of `file`, in the order of bodies."""
        self.write_scene(file, more, head)
        self.scree("run", "again.toml", "-o", "again", "-q", "--overwrite")
        self.scree("export", "again", "--to", "csv")
        return self.rows("again/csv/frame_000000.csv")

    def rows(self, path):
        with open(self.folder / path) as file:
            return [[float(row[column]) for column in COLUMNS] for row in csv.DictReader(file)]

    def refusal(self, file, text, more=TYPED):
        (self.folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.refusal_of(file, more)

    def refusal_of(self, file, more=TYPED):
        self.write_scene(file, more)
        return self.scree("check", "again.toml", code=2)[1]

    def bodies(self):
        """Rows of the bodies that the files written by hand hold."""
        (self.folder / "one.dump").write_text(DUMP.format(columns="x y z", rows="".join(map(str.format, ROWS, PLACES))))
        return self.placed("one.dump")

    def assert_close(self, found, wanted, tolerance):
        self.assertEqual(len(found), len(wanted))
        for one, other in zip(found, wanted):
            for a, b in zip(one, other):
                self.assertLessEqual(abs(a - b), tolerance * max(1, abs(b)))

    def test_round_trip(self):
        self.scree("run", PILE, "-o", "run", "-q", "--until", "0.03")
        self.scree("export", "run", "--to", "lammps")
        self.scree("export", "run", "--to", "csv")
        frames = sorted((self.folder / "run" / "csv").glob("frame_*.csv"))
        last = self.rows(frames[-1])
        self.assertEqual(len(last), 216)
        self.assertNotEqual(last, self.rows(frames[0]))
        # Seventeen digits are all that a number has.
        self.assertEqual(self.placed("run/lammps/bodies.dump"), last)

    def test_dump(self):
        def dump(columns, places, order):
            return DUMP.format(columns=columns, rows="".join(ROWS[k].format(places[k]) for k in order))

        (self.folder / "one.dump").write_text(dump("x y z", PLACES, (0, 1, 2)))
        (self.folder / "two.dump").write_text(dump("x y z", PLACES, (2, 0, 1)))
        (self.folder / "shares.dump").write_text(dump("xs ys zs", SHARES, (1, 2, 0)))
        one = self.placed("one.dump")
        self.assertEqual([row[:11] for row in one], [
            [0.01, 0.02, 0.03, 0.1, 0, 0, 0, 0, 1, 0.002, one[0][10]],
            [0.02, 0.03, 0.01, 0, 0.1, 0, 0, 2, 0, 0.003, one[1][10]],
            [0.03, 0.01, 0.02, 0, 0, 0.1, 3, 0, 0, 0.004, one[2][10]]])
        self.assertEqual([row[11] for row in one], [0, 1, 0])
        self.assertAlmostEqual(one[1][10] / one[0][10], 7800 / 2500 * 1.5 ** 3, places=12)
        # Two processes write the same rows in another order.
        self.assertEqual(self.placed("two.dump"), one)
        self.assert_close(self.placed("shares.dump"), one, 1e-15)
        # Without names of types all are of the group's material.
        self.assertEqual([row[11] for row in self.placed("one.dump", "scale = 1")], [0, 0, 0])
        # A scene as it was run is the same scene.
        again = self.summary("again")["state_hash"]
        self.assertEqual(self.hash_of("resolved", scene="again/scene.toml"), again)

    def test_data_file_and_vtk_file(self):
        (self.folder / "atoms.data").write_text(DATA)
        (self.folder / "points.vtk").write_text(VTK)
        one = self.bodies()
        self.assert_close(self.placed("atoms.data"), one, 1e-15)
        # The VTK file is in millimetres.
        self.assert_close(self.placed("points.vtk", 'types = ["grain", "steel"], scale = 0.001'), one, 1e-15)
        flat = self.placed("atoms.data", head=HEAD.replace("gravity = [0, 0, 0]", "gravity = [0, 0]").replace("[time]", "dimensions = 2\n[time]", 1))
        for row, wanted in zip(flat, one):
            self.assertEqual(row[:10], wanted[:2] + [0] + wanted[3:5] + [0, 0, 0] + wanted[8:10])

    def test_messages(self):
        self.assertIn("atoms.data:14: type 2 has no material: types names those of 1 to 1; add a name to it",
                      self.refusal("atoms.data", DATA, 'types = ["grain"]'))
        self.assertIn("again.toml:20:50: [[bodies]] place types: there is no material \"stel\"; did you mean \"steel\"?",
                      self.refusal("atoms.data", DATA, 'types = ["grain", "stel"]'))
        self.assertIn("types: expected a name, or a list of names", self.refusal("atoms.data", DATA, "types = []"))
        self.assertIn("scale: must be above 0, not 0", self.refusal("atoms.data", DATA, "scale = 0"))
        self.assertIn("atoms.data:14: the density 7800 kg/m^3 of type 2 is not that of material \"grain\", 2500 kg/m^3",
                      self.refusal("atoms.data", DATA, "scale = 1"))
        self.assertIn("atoms.data:10: the atoms are of style \"full\": only those of atom_style sphere are read",
                      self.refusal("atoms.data", DATA.replace("# sphere", "# full")))
        self.assertIn("points.vtk: point 2: radius -4 m must be positive", self.refusal("points.vtk", VTK.replace("4 6 8", "4 6 -8")))
        (self.folder / "again.toml").write_text(f'{HEAD}place = {{ at = [0, 0, 0], types = ["grain"] }}\n')
        self.assertIn("types: does not apply to \"at\"; it belongs to \"file\"", self.scree("check", "again.toml", code=2)[1])

    def test_frames_as_vtk(self):
        self.scree("run", PILE, "-o", "run", "-q", "--until", "0.03")
        self.scree("export", "run", "--to", "vtk")
        self.scree("export", "run", "--to", "csv")
        frames = sorted((self.folder / "run" / "vtk").glob("frame_*.vtp"))
        last, first = (self.rows(f"run/csv/{frame.stem}.csv") for frame in (frames[-1], frames[0]))
        self.assertEqual(len(last), 216)
        self.assertNotEqual(last, first)
        # A frame has all 64 bits of a number, and its list names the last one.
        for file, wanted in (("frames.pvd", last), (frames[-1].name, last), (frames[0].name, first)):
            self.assertEqual(self.placed(f"run/vtk/{file}", ""), wanted)
        self.placed("run/vtk/frames.pvd", "")

        # A restart needs the frame, too, as it was.
        self.scree("run", "again.toml", "-o", "half", "-q", "--steps", "0")
        self.scree("run", "again.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q")
        shutil.copy(frames[0], frames[-1])
        error = self.scree("run", "again.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", code=2)[1]
        self.assertIn(f"{frames[-1].name}\" is not as it was when", error)

    def test_vtk_xml_by_hand(self):
        one = self.bodies()
        for write in (xml_ascii, xml_zlib, xml_raw):
            with self.subTest(write=write.__name__):
                (self.folder / "points.vtu").write_bytes(write())
                self.assertEqual(self.placed("points.vtu"), one)
        (self.folder / "frames").mkdir()
        (self.folder / "frames" / "last.vtu").write_bytes(xml_raw())
        sets = "".join(f'<DataSet timestep="{time}" part="0" file="{file}"/>\n' for time, file in ((0, "gone.vtu"), (10, "last.vtu"), (9, "gone.vtu")))
        collection = f'<VTKFile type="Collection">\n<Collection>\n{sets}</Collection>\n</VTKFile>\n'
        (self.folder / "frames" / "all.pvd").write_text(collection)
        self.assertEqual(self.placed("frames/all.pvd"), one)
        # A scene as it was run is the same scene, from another folder.
        again = self.summary("again")["state_hash"]
        self.assertEqual(self.hash_of("resolved", scene="again/scene.toml"), again)

        self.assertRegex(self.refusal("cut.vtu", xml_raw()[:-200]), "cut.vtu:16: AppendedData does not end: the file is cut off")
        self.assertIn("cut.vtu:10: this is no well-formed XML", self.refusal("cut.vtu", xml_ascii()[:300]))
        self.assertIn('the data of "points" are 72 bytes, but 4 tuples of 3 Float64 are 96', self.refusal("more.vtu", xml_raw().replace(b'Points="3"', b'Points="4"')))
        self.assertIn('"points" has 9 numbers where 4 points have 12', self.refusal("more.vtu", xml_ascii().replace(b'Points="3"', b'Points="4"')))
        block = base64.b64encode(zlib.compress(struct.pack(">3d", *POINTS["radius"])))
        self.assertIn('bad.vtu:6: block 0 of the compressed data of "radius" is damaged', self.refusal("bad.vtu", xml_zlib().replace(block, block[:8] + b"AAAA" + block[12:])))
        self.assertIn('bad.vtu:6: a byte 0x2d in the data of "radius" is not one of base64', self.refusal("bad.vtu", xml_zlib().replace(block, b"-" + block[1:])))
        self.assertIn("cannot read", self.refusal("frames/lost.pvd", collection.replace("last.vtu", "lost.vtu")))
        self.assertIn("the Collection is itself named by another file of its kind", self.refusal("frames/cyclic.pvd", collection.replace("last.vtu", "cyclic.pvd")))

    def test_polyhedra_as_vtk(self):
        (self.folder / "cube.toml").write_text(HEAD.replace('[[bodies]]\nmaterial = "grain"\n', POLYHEDRA))
        self.scree("run", "cube.toml", "-o", "run", "-q")
        self.scree("export", "run", "--to", "vtk")
        self.assertIn("frame_000000.vtp:24: this frame of Scree has the corners of polyhedra or compounds, which are no bodies: export the frame as csv",
                      self.refusal_of("run/vtk/frame_000000.vtp"))

    @unittest.skipUnless(WITH_VTK, "VTK is not installed")
    def test_what_vtk_writes(self):
        from vtkmodules.util.numpy_support import numpy_to_vtk
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkUnstructuredGrid
        from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter, vtkXMLUnstructuredGridWriter
        from vtkmodules.vtkIOParallelXML import vtkXMLPPolyDataWriter
        import numpy

        def filled(data, number=numpy.float64):
            points = vtkPoints()
            points.SetData(numpy_to_vtk(numpy.array(POINTS["position"], number), deep=True))
            data.SetPoints(points)
            for name in ("radius", "velocity", "omega", "type"):
                array = numpy_to_vtk(numpy.array(POINTS[name], numpy.int64 if name == "type" else number), deep=True)
                array.SetName(name)
                data.GetPointData().AddArray(array)
            return data

        one = self.bodies()
        for mode, compressor, order, header in itertools.product(("Ascii", "Binary", "Appended"), ("None", "ZLib"), ("LittleEndian", "BigEndian"), ("UInt32", "UInt64")):
            for coded in (0, 1) if mode == "Appended" else (0,):
                with self.subTest(mode=mode, compressor=compressor, order=order, header=header, coded=coded):
                    for writer, data in ((vtkXMLPolyDataWriter(), vtkPolyData()), (vtkXMLUnstructuredGridWriter(), vtkUnstructuredGrid())):
                        writer.SetInputData(filled(data))
                        writer.SetFileName(str(self.folder / "points.vtx"))
                        getattr(writer, f"SetDataModeTo{mode}")()
                        getattr(writer, f"SetCompressorTypeTo{compressor}")()
                        getattr(writer, f"SetByteOrderTo{order}")()
                        getattr(writer, f"SetHeaderTypeTo{header}")()
                        writer.SetEncodeAppendedData(coded)
                        writer.SetBlockSize(48)  # the least: data are in several blocks
                        self.assertEqual(writer.Write(), 1)
                        self.assertEqual(self.placed("points.vtx"), one)
        writer = vtkXMLPPolyDataWriter()
        writer.SetInputData(filled(vtkPolyData(), numpy.float32))
        writer.SetFileName(str(self.folder / "points.pvtp"))
        writer.Write()
        self.assert_close(self.placed("points.pvtp"), one, 1e-7)
        writer.SetCompressorTypeToLZ4()
        writer.Write()
        self.assertIn("data are compressed by vtkLZ4DataCompressor: write the file with vtkZLibDataCompressor, or without", self.refusal_of("points.pvtp"))

    @unittest.skipUnless(WITH_GSD, "gsd is not installed")
    def test_what_gsd_writes(self):
        import gsd.hoomd
        import numpy

        one = self.bodies()
        with gsd.hoomd.open(name=str(self.folder / "run.gsd"), mode="wb") as trajectory:
            for shift in (1, 0):
                frame = gsd.hoomd.Snapshot()
                frame.configuration.box = [1, 1, 1, 0, 0, 0]
                frame.particles.N = 3
                frame.particles.types = ["A", "B"]
                frame.particles.typeid = [number - 1 for number in POINTS["type"]]
                frame.particles.position = numpy.array(POINTS["position"]) + shift
                frame.particles.velocity = numpy.array(POINTS["velocity"]) + shift
                frame.particles.diameter = [2 * radius for radius in POINTS["radius"]]
                # L of the frame of the body, turned by nothing: p = 2 (0, L), of moments of inertia 1, 2, 4.
                frame.particles.moment_inertia = 3 * [[1, 2, 4]]
                frame.particles.angmom = [[0, 2 * x, 4 * y, 8 * z] for x, y, z in POINTS["omega"]]
                trajectory.append(frame)
        # Numbers are of single precision; what the second frame shares with the first stands there alone.
        again = self.placed("run.gsd")
        self.assert_close(again, one, 1e-7)
        single = lambda number: float(numpy.float32(number))
        self.assertEqual([row[:6] for row in again], [list(map(single, place + v)) for place, v in zip(POINTS["position"], POINTS["velocity"])])
        self.assertEqual([row[11] for row in again], [0, 1, 0])
        self.assertIn("run.gsd: particle 1: type 2 has no material: types names those of 1 to 1", self.refusal_of("run.gsd", 'types = ["grain"]'))
        whole = (self.folder / "run.gsd").read_bytes()
        self.assertIn("cut.gsd: the header of a GSD file has 256 bytes: the file is cut off", self.refusal("cut.gsd", whole[:100]))
        self.assertIn("ends past the file: it is cut off or damaged", self.refusal("cut.gsd", whole[:300]))
        with gsd.hoomd.open(name=str(self.folder / "ones.gsd"), mode="wb") as trajectory:
            frame = gsd.hoomd.Snapshot()
            frame.particles.N = 2
            frame.particles.position = [[0, 0, 0], [2, 0, 0]]
            trajectory.append(frame)
        self.assertEqual([row[9] for row in self.placed("ones.gsd", "scale = 0.01")], [0.005, 0.005])

    @unittest.skipUnless(shutil.which("lmp"), "LAMMPS is not installed")
    def test_what_lammps_writes(self):
        (self.folder / "in.lammps").write_text(LAMMPS)
        done = subprocess.run(["lmp", "-in", "in.lammps", "-log", "none"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # The bodies lie at random: some overlap more than a run would have it.
        head = HEAD.replace("[[bodies]]", "[method]\noverlap_limit = 0.9\n[[bodies]]")
        places, shares, data = (self.placed(file, head=head) for file in ("places.dump", "shares.dump", "atoms.data"))
        self.assertEqual(len(places), 50)
        self.assertEqual([row[11] for row in places], 30 * [0] + 20 * [1])
        self.assertEqual(places[0][3:10], [0.1, 0.2, -0.3, 1, 2, 3, 0.002])
        # Shares of the box are rounded once more than places; the data file has sixteen digits.
        self.assert_close(shares, places, 1e-15)
        self.assert_close(data, places, 1e-15)


if __name__ == "__main__":
    unittest.main()
