"""scree cone: what it refuses, with exit code 2 and one message, and that it never writes over the problem that it reads."""

import json
import os
import unittest

from program import ProgramTest

# One contact of mass 1 that comes down at 1 m/s: u = r + q.
PROBLEM = "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0.5\n"


class ConeCommand(ProgramTest):
    def setUp(self):
        super().setUp()
        self.problem = self.folder / "problem.dat"
        self.problem.write_text(PROBLEM)

    def refused(self, *arguments, code=2):
        out, err = self.scree("cone", *arguments, code=code)
        self.assertEqual(out, "")
        self.assertEqual(self.problem.read_text(), PROBLEM)
        return err

    def test_solves(self):
        out, err = self.scree("cone", "problem.dat", "-o", "found.csv")
        report = json.loads(out)
        self.assertEqual(err, "")
        self.assertTrue(report["converged"])
        self.assertAlmostEqual(report["sums"]["normal"], 1, delta=1e-7)  # the impulse that stops it, to the tolerance
        self.assertEqual(len((self.folder / "found.csv").read_text().splitlines()), 2)

    def test_never_overwrites_its_problem(self):
        self.assertIn("would overwrite the problem", self.refused("problem.dat", "-o", "problem.dat"))
        os.symlink("problem.dat", self.folder / "link.dat")
        self.assertIn("would overwrite the problem", self.refused("problem.dat", "-o", "link.dat"))
        self.assertIn("would overwrite the problem", self.refused("link.dat", "-o", self.problem))
        os.link(self.problem, self.folder / "hard.dat")
        self.assertIn("would overwrite the problem", self.refused("problem.dat", "-o", "hard.dat"))
        # The table is written as NAME.tmp and renamed.
        other = self.folder / "found.csv.tmp"
        other.write_text(PROBLEM)
        self.assertIn("would overwrite the problem", self.refused("found.csv.tmp", "-o", "found.csv"))
        self.assertEqual(other.read_text(), PROBLEM)

    def test_refuses_what_cannot_be_written(self):
        self.assertIn("is a folder; name a file", self.refused("problem.dat", "-o", "."))
        self.assertIn("there is no folder nowhere", self.refused("problem.dat", "-o", "nowhere/found.csv"))

    def test_refuses_arguments(self):
        for option, values, message in (
            ("--tolerance", ("0", "-1", "nan", "inf", "1e999", "small", "1e-8x"), "must be a number above 0, not"),
            ("--iterations", ("0", "-3", "1.5", "1e3", "many", "99999999999999999999"), "must be a whole number from 1 to"),
            ("--method", ("newton",), "not in {apgd,auto,barzilai_borwein,gauss_seidel,interior_point,jacobi}"),
            ("--law", ("tresca",), "not in {ccp,coulomb}"),
            ("--device", ("gpu",), "is no device"),
            ("--precision", ("half",), "not in {double,mixed}"),
        ):
            for value in values:
                err = self.refused("problem.dat", f"{option}={value}")
                self.assertIn(option, err)
                self.assertIn(message, err)

    def test_device_that_is_not_there(self):
        version, _ = self.scree("version")
        if "no CUDA device" not in version:
            self.skipTest("there is a GPU")
        for method in ("auto", "interior_point", "apgd"):
            self.assertIn("--device cuda cannot be used", self.refused("problem.dat", "--device", "cuda", "--method", method))

    def test_numbers_out_of_range(self):
        for old, new in (("-1 0 0", "-1e999 0 0"), ("-1 0 0", "1e308 0 0"), ("-1 0 0", "nan 0 0"), ("1 0 0", "inf 0 0"), ("0.5", "1e400")):
            broken = self.folder / "broken.dat"
            broken.write_text(PROBLEM.replace(old, new, 1))
            line = PROBLEM.splitlines().index(old) + 1
            err = self.refused("broken.dat")
            self.assertIn(f"broken.dat:{line}:1: ", err)
            self.assertIn(f'"{new.split()[0]}"', err)
        broken.write_text(PROBLEM + "0.5\n")
        self.assertIn("broken.dat:12:1: the file should end", self.refused("broken.dat"))

    def test_largest_numbers(self):
        """What is read is solved, or fails with exit code 1; a report never lacks its residual."""
        large = self.folder / "large.dat"
        for matrix, q in (("1", "-1e150"), ("1e150", "-1e150"), ("1e-150", "-1e150"), ("1e150", "-1e-150")):
            rows = f"{matrix} 0 0\n0 {matrix} 0\n0 0 {matrix}\n{q} 0 0"
            large.write_text(PROBLEM.replace("1 0 0\n0 1 0\n0 0 1\n-1 0 0", rows))
            for method in ("interior_point", "apgd", "barzilai_borwein", "gauss_seidel", "jacobi"):
                for precision in ("double", "mixed"):
                    process = self.start("cone", large, "--method", method, "--precision", precision, "--iterations", 1000)
                    out, err = process.communicate(timeout=100)
                    if process.returncode == 1 and not out:
                        self.assertIn("found no finite impulses", err)
                        continue
                    report = json.loads(out)
                    self.assertEqual(process.returncode, 0 if report["converged"] else 1)
                    self.assertIsInstance(report["residual"], (int, float), f"{matrix} {q} {method} {precision}")
                    self.assertIsInstance(report["sums"]["normal"], (int, float))


if __name__ == "__main__":
    unittest.main()
