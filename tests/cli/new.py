"""scree new: every kind of scene is written, checks and runs, with what can be chosen; nothing is written over; wrong wishes are refused."""

import os
import pty
import re
import select
import subprocess
import unittest

from program import PROGRAM, ProgramTest

MATERIALS = {"glass": (2500, 0.22, 0.092), "steel": (7850, 0.3, 0.42), "sand": (2650, 0.07, 0.5), "plastic": (1319, 0.28, 0.25)}


class New(ProgramTest):
    def kinds(self):
        out, _ = self.scree("new", "--list")
        listed = out.split("\nmaterials")[0].splitlines()
        return {line.split()[0]: re.search(r": (?:(\d+) )?grains of ([0-9.]+) (\w+)(; either method)?", line).groups() for line in listed}

    def bodies(self, scene):
        return int(re.search(r"^bodies +(\d+)", self.scree("check", scene)[0], re.M).group(1))

    def test_every_kind_checks_and_runs(self):
        kinds = self.kinds()
        self.assertEqual(len(kinds), 13)
        for kind in kinds:
            with self.subTest(kind=kind):
                self.scree("new", kind, "-o", f"{kind}/a.toml")
                text = (self.folder / kind / "a.toml").read_text()
                self.assertNotIn("#@", text)
                self.assertGreater(text.count("#"), 2)
                self.scree("run", f"{kind}/a.toml", "--steps", "5", "--threads", "1", "-q", "-o", f"{kind}/run")
                self.assertEqual(self.summary(f"{kind}/run")["steps"], 5)

    def test_size_number_material_and_method(self):
        for kind, (number, size, unit, either) in self.kinds().items():
            with self.subTest(kind=kind):
                smaller = f"{0.85 * float(size):g} {unit}"
                self.scree("new", kind, "-o", f"{kind}_small.toml", "--size", smaller)
                placed = self.bodies(f"{kind}_small.toml")
                for material, (density, poisson, friction) in MATERIALS.items():
                    path = f"{kind}_{material}.toml"
                    self.scree("new", kind, "-o", path, "--material", material)
                    text = (self.folder / path).read_text()
                    for line in (f"density = {density}", f"poisson = {poisson}", f"friction = {friction}"):
                        self.assertIn(line + "\n", text)
                self.bodies(f"{kind}_sand.toml")
                if number:
                    self.assertGreater(placed, 1.4 * int(number))
                    self.scree("new", kind, "-o", f"{kind}_half.toml", "--grains", str(int(number) // 2), "--size", smaller)
                    self.assertLess(abs(self.bodies(f"{kind}_half.toml") - int(number) // 2), 6)  # a vehicle has parts of its own
                    self.scree("new", kind, "-o", f"{kind}_double.toml", "--grains", str(2 * int(number)))
                    self.assertLess(abs(self.bodies(f"{kind}_double.toml") - 2 * int(number)), 6)
                for method in ("penalty", "cone"):
                    path = f"{kind}_{method}.toml"
                    _, err = self.scree("new", kind, "-o", path, "--method", method, code=0 if either else 2)
                    if either:
                        self.assertIn(f'kind = "{method}"', (self.folder / path).read_text())
                        self.bodies(path)
                    else:
                        self.assertIn("one method only", err)

    def test_true_stiffness(self):
        self.scree("new", "blank", "-o", "soft.toml", "--material", "glass")
        self.scree("new", "blank", "-o", "true.toml", "--material", "glass", "--true-stiffness")
        self.assertIn('young = "5 MPa"', (self.folder / "soft.toml").read_text())
        self.assertIn("glass has 71 GPa", (self.folder / "soft.toml").read_text())
        self.assertIn('young = "71 GPa"\n', (self.folder / "true.toml").read_text())

    def test_nothing_is_written_over(self):
        self.scree("new", "silo")
        kept = (self.folder / "silo.toml").read_text()
        _, err = self.scree("new", "silo", "--size", "4 mm", code=2)
        self.assertIn("silo.toml is there already", err)
        self.assertEqual((self.folder / "silo.toml").read_text(), kept)
        self.scree("new", "silo", "-o", "other.toml")  # the same mesh may be there
        mesh = self.folder / "data" / "silo_floor.obj"
        mesh.write_text("mine\n")
        _, err = self.scree("new", "silo", "-o", "third.toml", code=2)
        self.assertIn("data/silo_floor.obj, a name that a mesh of this scene has, is there already with other content", err)
        self.assertIn("name a scene in another folder", err)
        self.assertEqual(mesh.read_text(), "mine\n")
        self.assertFalse((self.folder / "third.toml").exists())

    def test_where_nothing_can_be_written(self):
        """Files where folders should be, and devices that are full: one line, and nothing is left."""
        for place in "data", "scenes":
            (self.folder / place).write_text("mine")
        for scene, wanted in ("silo.toml", "data is a file, not a folder"), ("scenes/a/silo.toml", "scenes is a file, not a folder"):
            self.assertIn(wanted, self.scree("new", "silo", "-o", scene, code=2)[1])
        err = self.scree("new", "silo", "-o", "new/deep/silo.toml", file_limit=20, code=1)[1]
        self.assertIn("cannot write new/deep/silo.toml: File too large", err)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["data", "scenes"])

    def test_wrong_wishes(self):
        for arguments, message in [
            ((), "name a kind of scene, as in `scree new silo -o my_silo.toml`; there are silo, mill"),
            (("sillo",), 'there is no kind of scene "sillo"; did you mean "silo"?'),
            (("silo", "--size", "5"), 'as "4 mm", not "5"'),
            (("silo", "--size", "5 kg"), 'as "4 mm", not "5 kg"'),
            (("silo", "--size", "-5 mm"), 'not "-5 mm"'),
            (("silo", "--size", "50 mm"), "take 1 to 7.5 mm"),
            (("silo", "--size", "5 mm", "--grains", "9000"), "9000 grains of 5 mm do not fit this silo: it takes 2000"),
            (("belt", "--grains", "9"), "give --size instead of --grains"),
            (("silo", "--grains", "0"), "a whole number from 1 to"),
            (("silo", "--material", "glas"), 'did you mean "glass"?'),
            (("silo", "--true-stiffness"), "give --material, too"),
            (("silo", "--method", "hard"), "hard"),
            (("silo", "-o", "silo.txt"), "the name of a scene ends in .toml"),
        ]:
            with self.subTest(arguments=arguments):
                _, err = self.scree("new", *arguments, code=2)
                self.assertIn(message, err)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_asks_on_a_terminal(self):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PROGRAM, "new"], cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
        os.close(theirs)
        said = ""
        for question, answer in [("name)? ", "1"), ("[5 mm]? ", "6 mm"), ("has it]? ", "glass"), ("has it]? ", ""), ("[silo.toml]? ", "mine.toml")]:
            heard = ""
            while not heard.endswith(question):
                self.assertTrue(select.select([ours], [], [], 20)[0], said + heard)
                heard += os.read(ours, 4096).decode().replace("\r\n", "\n")
            said += heard
            os.write(ours, (answer + "\n").encode())
        self.assertEqual(process.wait(20), 0)
        os.close(ours)
        text = (self.folder / "mine.toml").read_text()
        self.assertIn('diameter = "6 mm"', text)
        self.assertIn("friction = 0.092", text)


if __name__ == "__main__":
    unittest.main()
