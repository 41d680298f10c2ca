"""The library, as a user has it: installed, found by CMake, and linked by a program of its own that makes the steps of `scree run`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD, PROGRAM = os.environ["SCREE_BUILD"], os.environ["SCREE_PROGRAM"]
EXAMPLE = ROOT / "examples" / "cpp"


def run(*command, **how):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **how)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-library-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = cls.folder / "prefix"
        for component in ("library", "modules"):
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)
        run("cmake", "-S", EXAMPLE, "-B", cls.folder / "build", f"-DCMAKE_PREFIX_PATH={cls.prefix}", "-DCMAKE_BUILD_TYPE=Debug")
        run("cmake", "--build", cls.folder / "build")

    def test_example_makes_the_steps_of_the_program(self):
        out = run(self.folder / "build" / "falling_column")
        self.assertEqual(out.count("the top is at"), 10)
        self.assertRegex(out, r"refused: .*density")
        went, there = map(int, re.search(r"(\d+) lay low and went, one came again: (\d+) are there", out).groups())
        self.assertGreater(went, 10)
        self.assertEqual(went + there, 161)
        scene = self.folder / "column.toml"
        scene.write_text(re.search(r'R"\((.*?)\)"', (EXAMPLE / "falling_column.cpp").read_text(), re.S)[1])
        run(PROGRAM, "run", scene, "-o", self.folder / "run", "-q", "--device", "cpu", env={**os.environ, "SCREE_NO_RECORD": "1"})
        state_hash = re.search(r'"state_hash": "(\w+)"', (self.folder / "run" / "summary.json").read_text())[1]
        self.assertIn(state_hash, out.splitlines())

    def test_library_is_versioned_and_shows_its_own_names_only(self):
        library = next(self.prefix.rglob("libscree.so"))
        self.assertRegex(run("readelf", "-d", library), r"SONAME.*\[libscree\.so\.0\]")
        names = [line.split(maxsplit=2)[2] for line in run("nm", "-DC", "--defined-only", library).splitlines()]
        names = [re.sub(r"@@?SCREE_0$", "", name) for name in names]
        others = [n for n in names if not re.match(r"(typeinfo for |typeinfo name for |vtable for )?scree_v0::", n) and n != "SCREE_0"]
        self.assertEqual(others, [])
        self.assertTrue(any(n.startswith("scree_v0::Simulation::step(") for n in names))

    def test_another_version_is_not_taken(self):
        project = self.folder / "later"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(later CXX)\nfind_package(scree 9.0 REQUIRED)\n")
        done = subprocess.run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("9.0", done.stderr)


if __name__ == "__main__":
    if shutil.which("cmake") is None or shutil.which("readelf") is None:
        print("skipped: no cmake or no binutils")
        sys.exit(77)
    unittest.main()
