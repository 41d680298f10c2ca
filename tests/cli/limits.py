"""What the program does where the system or its user takes something away, or gives too much of it: it says so and ends, in time."""

import os
import time
import unittest

from program import PILE, ProgramTest


class Limits(ProgramTest):
    def test_a_file_size_limit_before_the_first_step_is_a_message(self):
        _, err = self.scree("run", PILE, "-o", "run", "-q", code=2, file_limit=0)
        self.assertRegex(err, r"\Aerror: .*(File too large|cannot)")

    def test_a_removed_series_ends_the_run_with_a_checkpoint(self):
        process = self.start("run", PILE, "-o", "run", "-q", "--set", "time.end=1000", "--set", "output.every=1000")
        series = self.folder / "run" / "series.csv"
        end = time.monotonic() + 60
        while time.monotonic() < end and not (series.exists() and series.stat().st_size > 500):
            time.sleep(0.02)
        series.unlink()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("series.csv: it was removed or replaced while the run went on", err)
        self.assertIn("its state is in run/checkpoint.h5", err)
        self.assertEqual(self.summary("run")["exit_code"], 1)
        self.assertIn("run/checkpoint.h5", self.scree("info", "run/checkpoint.h5")[0])

    def test_of_many_materials_those_in_use_count(self):
        def scene(materials, used, file):
            text = "[time]\nstep = 1e-5\nend = 1e-3\n[method]\nkind = \"penalty\"\n"
            for k in materials:
                text += f"[material.m{k}]\ndensity = 2500\nyoung = 1e7\npoisson = 0.3\nrestitution = {0.3 + 1e-4 * k}\nfriction = {0.2 + 1e-5 * k}\n"
            text += '[[material_pair]]\nbetween = ["m0", "m50"]\nfriction = 0.9\n[shape.g]\nkind = "sphere"\nradius = "5 mm"\n'
            text += '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m50"\n'
            for n, k in enumerate(used):
                text += f'[[bodies]]\nshape = "g"\nmaterial = "m{k}"\nvelocity = [1, 0, 0]\nplace = {{ at = [{0.0101 * n}, 0, 0.00499] }}\n'
            (self.folder / file).write_text(text)
            return self.folder / file

        few = range(0, 5000, 50)
        many = self.hash_of("many", scene=scene(range(5000), few, "many.toml"))
        self.assertEqual(many, self.hash_of("few", scene=scene(few, few, "few.toml")))
        # A table of all pairs would take 3.3 GB.
        process = self.start("run", "many.toml", "-o", "again", "-q")
        process.stdout.close()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss, 300_000)
        _, err = self.scree("check", scene(range(5000), range(1001), "all.toml"), code=2)
        self.assertRegex(err, r"all\.toml:\d+:\d+: bodies and walls are of 1001 materials: 1000 is the most")

    def test_messages_have_a_length_that_is_read(self):
        (self.folder / "long.toml").write_text("x" * 3_000_000 + " = 1\n[time]\nend = 1\n")
        _, err = self.scree("check", "long.toml", code=2)
        self.assertLess(len(err), 2200)
        self.assertIn("bytes left out", err)
        self.assertTrue(err.startswith("error: long.toml:1:1: "))

    def test_what_is_no_file_is_refused_at_once(self):
        for path in ("/dev/zero", "/dev/stdin", "/"):
            with self.subTest(path=path):
                begin = time.monotonic()
                self.scree("check", path, code=2)
                self.assertLess(time.monotonic() - begin, 10)  # reading it would not end


if __name__ == "__main__":
    unittest.main()
