"""Modules: found beside the program or where an installation has them; missing ones, and those of another build, are named with the remedy."""

import pathlib
import re
import shutil
import unittest

from program import PILE, PROGRAM, ProgramTest

BUILT = pathlib.Path(PROGRAM).resolve().parent
RUN = ("run", PILE, "-o", "run", "--steps", "5", "--quiet", "--overwrite")


class Modules(ProgramTest):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "prefix" / "bin"
        self.bin.mkdir(parents=True)
        self.copy = self.bin / "scree"
        shutil.copy(PROGRAM, self.copy)

    def ask(self, *arguments, code=0):
        """The copy of the program, with none of the modules but those put beside it."""
        return self.scree(*arguments, code=code, program=self.copy)

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


if __name__ == "__main__":
    unittest.main()
