#!/usr/bin/env python3
"""tools/new_law: what it writes compiles, passes its own test, and is named in the lists; what is there is never written over."""

import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAIN = "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n"


class NewLaw(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for part in ("src/laws", "src/base"):
            shutil.copytree(ROOT / part, self.root / part)
        (self.root / "src/scene").mkdir()
        shutil.copy(ROOT / "src/scene/laws_page.cpp", self.root / "src/scene/laws_page.cpp")

    def tearDown(self):
        self.folder.cleanup()

    def new_law(self, *words, code=0):
        done = subprocess.run([ROOT / "tools/new_law", *words, "--root", self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_what_is_written_builds_and_passes(self):
        self.new_law("soft_pull", "--kind", "cohesion")
        self.new_law("other", "--kind", "cohesion")  # lists take a second one
        (self.root / "main.cpp").write_text(MAIN)
        tests = [self.root / f"tests/unit/model/cohesion_{name}_test.cpp" for name in ("soft_pull", "other")]
        tests.append(ROOT / "tests/unit/model/cohesion_test.cpp")
        for name in ("stiff", "stiffer"):
            self.new_law(name, "--kind", "normal")
            tests.append(self.root / f"tests/unit/model/normal_{name}_test.cpp")
        tests.append(ROOT / "tests/unit/model/plastic_test.cpp")
        build = subprocess.run(["c++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{self.root / 'src'}", "-o", self.root / "test", self.root / "main.cpp",
                                *tests], capture_output=True, text=True, check=False)
        self.assertEqual(build.returncode, 0, build.stderr)
        run = subprocess.run([self.root / "test"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout)
        for header in ("cohesion/soft_pull", "normal/stiff"):
            self.assertLess(len((self.root / f"src/laws/{header}.hpp").read_text().splitlines()), 60)
        page = (self.root / "src/scene/laws_page.cpp").read_text()
        for key in ('{"cohesion", "soft_pull"}', '{"law", "stiffer"}'):
            self.assertIn(key, page)
        scene = tomllib.loads((self.root / "examples/law_soft_pull.toml").read_text())
        self.assertEqual(scene["method"]["cohesion"], "soft_pull")
        self.assertIn("soft_pull_range", (self.root / "docs/law_soft_pull.md").read_text())

    def test_nothing_is_written_over(self):
        before = (self.root / "src/laws/cohesion.hpp").read_text()
        self.assertIn("is there already", self.new_law("jkr", "--kind", "cohesion", code=2))
        self.assertIn("must be small letters", self.new_law("Soft-Pull", "--kind", "cohesion", code=2))
        self.new_law("soft", "--kind", "rolling", code=2)
        self.assertEqual((self.root / "src/laws/cohesion.hpp").read_text(), before)
        self.assertFalse((self.root / "examples").exists())


if __name__ == "__main__":
    unittest.main()
