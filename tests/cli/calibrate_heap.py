"""scree calibrate on examples/calibrate: sliding and rolling friction of a heap are found again within 10 % in 30 runs."""

import json
import sys
import unittest

from program import HERE, ProgramTest

try:
    import matplotlib  # noqa: F401
    import sklearn  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TRUE = {"friction": 0.35, "rolling": 0.15}  # of examples/calibrate/truth.toml


class Heap(ProgramTest):
    def test_both_frictions_are_found(self):
        process = self.start("calibrate", HERE.parents[1] / "examples" / "calibrate" / "heap_calibration.toml", "-o", "out")
        out, err = process.communicate(timeout=1100)
        self.assertEqual(process.returncode, 0, out + err)
        found = json.loads((self.folder / "out" / "best.json").read_text())
        print({name: found["unknowns"][name] for name in TRUE})
        self.assertLessEqual(found["runs"], 30)
        for name, value in TRUE.items():
            entry = found["unknowns"][name]
            self.assertLess(abs(entry["best"] / value - 1), 0.1, name)
            self.assertTrue(entry["95%"][0] < value < entry["95%"][1], name)


if __name__ == "__main__":
    unittest.main()
