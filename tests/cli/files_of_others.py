"""Bodies from files of other programs: what `scree export --to lammps` writes is read again to the last digit, and dumps, data files and VTK
files, written by hand and where it is installed by LAMMPS, give the scene that they should."""

import csv
import shutil
import subprocess
import unittest

from program import PILE, ProgramTest

HEAD = """[time]
step = 1e-6
end = 1e-6
[domain]
gravity = [0, 0, 0]
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
[[bodies]]
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
COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius", "mass", "material")


class FilesOfOthers(ProgramTest):
    def placed(self, file, more='types = ["grain", "steel"]', head=HEAD):
        """Rows of the first frame of a scene with the bodies of `file`, in the order of bodies."""
        (self.folder / "again.toml").write_text(f'{head}place = {{ file = "{file}", {more} }}\n')
        self.scree("run", "again.toml", "-o", "again", "-q", "--overwrite")
        self.scree("export", "again", "--to", "csv")
        return self.rows("again/csv/frame_000000.csv")

    def rows(self, path):
        with open(self.folder / path) as file:
            return [[float(row[column]) for column in COLUMNS] for row in csv.DictReader(file)]

    def refusal(self, file, text, more='types = ["grain", "steel"]'):
        (self.folder / file).write_text(text)
        (self.folder / "again.toml").write_text(f'{HEAD}place = {{ file = "{file}", {more} }}\n')
        return self.scree("check", "again.toml", code=2)[1]

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
        (self.folder / "one.dump").write_text(DUMP.format(columns="x y z", rows="".join(map(str.format, ROWS, PLACES))))
        (self.folder / "atoms.data").write_text(DATA)
        (self.folder / "points.vtk").write_text(VTK)
        one = self.placed("one.dump")
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
        # VTK's XML, to which frames are exported, is another format.
        self.scree("run", PILE, "-o", "run", "-q", "--until", "0.0001")
        self.scree("export", "run", "--to", "vtk")
        frame = (self.folder / "run" / "vtk" / "frame_000000.vtp").read_bytes().decode("latin-1")
        self.assertIn("is an XML file: of VTK's formats the legacy one (.vtk) is read; of a frame of Scree's, export csv",
                      self.refusal("frame.vtp", frame))

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
