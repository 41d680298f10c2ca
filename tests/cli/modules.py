"""Modules: found beside the program or where an installation has them; missing ones, and those of another build, are named with the remedy."""

import json
import os
import pathlib
import platform
import re
import shutil
import unittest

from program import PILE, PROGRAM, ProgramTest

BUILT = pathlib.Path(PROGRAM).resolve().parent
# What each level of x86-64 asks for, by the system's words (/proc/cpuinfo), beside what those below it do.
LEVELS = {"v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3", "v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe", "v4": "avx512f avx512bw avx512cd avx512dq avx512vl"}
RUN = ("run", PILE, "-o", "run", "--steps", "5", "--quiet", "--overwrite")


def levels_of_this_machine():
    if platform.machine() != "x86_64":
        return []
    flags = set(re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    found = []
    for level, wanted in LEVELS.items():
        if not flags.issuperset(wanted.split()):
            break
        found.append(level)
    return found


class Modules(ProgramTest):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "prefix" / "bin"
        self.bin.mkdir(parents=True)
        self.copy = self.bin / "scree"
        shutil.copy(PROGRAM, self.copy)

    def ask(self, *arguments, code=0, level=None):
        """The copy of the program, with none of the modules but those put beside it."""
        environment = {name: value for name, value in os.environ.items() if name != "SCREE_LEVEL"} | ({} if level is None else {"SCREE_LEVEL": level})
        return self.scree(*arguments, code=code, program=self.copy, env=environment)

    def put(self, *levels):
        """The host's module in double precision beside the copy, under the names of these levels; "": without one."""
        for level in levels:
            shutil.copy(BUILT / "libscree_host_double.so", self.bin / f"libscree_host_double{level and '_'}{level}.so")

    def used(self, level=None):
        """The file that serves in double precision."""
        return re.search(r"^CPU, double: (\S+), made for .+$", self.ask("version", level=level)[0], re.M)[1]

    def test_without_modules_the_program_starts_and_says_what_is_missing(self):
        self.assertRegex(self.ask("version")[0], r"no CUDA device: .*libscree_cuda_double\.so is not built.*make build")
        for options, file in (((), "libscree_host_double.so"), (("--precision", "mixed"), "libscree_host_mixed.so"),
                              (("--device", "cuda"), "libscree_cuda_double.so"),
                              (("--device", "cuda", "--precision", "mixed"), "libscree_cuda_mixed.so")):
            with self.subTest(options=options):
                _, err = self.ask(*RUN, *options, code=2)
                self.assertRegex(err, r"\Aerror: [^\n]*" + re.escape(file) + r" is not built: `make build` builds it[^\n]*\n\Z")
        self.assertFalse((self.folder / "run").exists())

    def test_a_module_serves_from_either_folder(self):
        for place in (self.bin, self.bin.parent / "lib" / "scree"):
            with self.subTest(place=place):
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(BUILT / "libscree_host_double.so", place)
                self.ask(*RUN)
                self.ask(*RUN, "--device", "auto")
                self.assertIn("libscree_host_mixed.so", self.ask(*RUN, "--precision", "mixed", code=2)[1])
                (place / "libscree_host_double.so").unlink()

    def test_modules_of_another_build_are_refused(self):
        build = re.search(r"build ([0-9a-f]{16})", self.ask("version")[0]).group(1)
        code = (BUILT / "libscree_host_double.so").read_bytes()
        self.assertIn(build.encode(), code)
        module = self.bin / "libscree_host_double.so"
        module.write_bytes(code.replace(build.encode(), b"0123456789abcdef"))
        _, err = self.ask(*RUN, code=2)
        self.assertRegex(err, rf"\Aerror: [^\n]*is of another build \(0123456789abcdef\) than this program \({build}\): `make build`[^\n]*\n\Z")

    def test_files_that_are_no_modules_are_refused(self):
        module = self.bin / "libscree_host_double.so"
        module.write_bytes(b"no module")
        self.assertIn("cannot be loaded", self.ask(*RUN, code=2)[1])
        library = next(pathlib.Path("/lib").glob("*/libm.so.6"), None)
        if library is not None:
            shutil.copy(library, module)
            self.assertIn("is no module of this program", self.ask(*RUN, code=2)[1])

    def test_the_module_for_the_highest_level_of_this_processor_serves(self):
        here = levels_of_this_machine()
        self.put("", "v2", "v3", "v4")
        self.assertEqual(self.used(), f"libscree_host_double_{here[-1]}.so" if here else "libscree_host_double.so")
        self.assertEqual(self.used("base"), "libscree_host_double.so")
        for level in here:
            self.assertEqual(self.used(level), f"libscree_host_double_{level}.so")
        hashes = set()
        for level in ["base", *here]:
            self.ask(*RUN, level=level)
            hashes.add(json.loads((self.folder / "run" / "summary.json").read_text())["state_hash"])
        self.assertEqual(len(hashes), 1)
        for k in reversed(range(len(here))):  # the one below it, where that is missing, and the one without a level at last
            (self.bin / f"libscree_host_double_{here[k]}.so").unlink()
            self.assertEqual(self.used(), f"libscree_host_double_{here[k - 1]}.so" if k else "libscree_host_double.so")

    def test_levels_that_cannot_be_had(self):
        here = levels_of_this_machine()
        self.put("")
        beyond = [level for level in LEVELS if level not in here]
        for level, words in [("v9", r"use base, v2, v3 or v4"), *((one, rf"this processor cannot run code of x86-64-{one}: it lacks [A-Z0-9_, ]+; use a lower level") for one in beyond),
                             *((one, rf"module libscree_host_double_{one}\.so is not built: builds with SCREE_HOST_LEVELS") for one in here)]:
            with self.subTest(level=level):
                _, err = self.ask(*RUN, code=2, level=level)
                self.assertRegex(err, r"\Aerror: --device cpu cannot be used: [^\n]*" + words + r"[^\n]*\n\Z")
                self.assertRegex(self.ask("version", level=level)[0], rf"CPU, double: [^\n]*{words}")
        self.assertFalse((self.folder / "run").exists())

    def test_a_damaged_module_of_a_level_is_not_passed_over(self):
        here = levels_of_this_machine()
        if not here:
            self.skipTest("this processor has no levels")
        self.put("")
        (self.bin / f"libscree_host_double_{here[0]}.so").write_bytes(b"no module")
        self.assertRegex(self.ask(*RUN, code=2)[1], rf"libscree_host_double_{here[0]}\.so cannot be loaded")
        self.ask(*RUN, level="base")


if __name__ == "__main__":
    unittest.main()
