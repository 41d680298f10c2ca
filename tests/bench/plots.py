"""bench/plots: one picture for each kind that a result holds, and words for files that are no results."""
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from results import ROOT, bed_row, micro_part, result, run, write  # noqa: E402

sys.path.insert(0, str(ROOT / "bench" / "common"))
import uniform  # noqa: E402


class Plots(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        rows = [bed_row(n, threads, [n * 2e-7 / threads]) for n in (1000, 10000, 100000) for threads in (1, 2)]
        self.result = result(rows, micro={"host_double": micro_part()})

    def tearDown(self):
        self.scratch.cleanup()

    def test_pictures(self):
        path = write(self.folder, "a.json", self.result)
        status, text = run("plots", path, path, "-o", self.folder / "pictures")
        self.assertEqual(status, 0, text)
        self.assertEqual(sorted(p.name for p in (self.folder / "pictures").iterdir()), ["bed.png", "micro.png"])
        for picture in (self.folder / "pictures").iterdir():
            self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_picture_for_each_bed_of_peers(self):
        row = {"code": "yade", "threads": 1, "bodies": 1000, "steps": 10, "wall_seconds": [1.0, 2.0], "cpu_seconds": [1.0, 2.0],
               "particle_steps_per_second": 1e4, "particle_steps_per_second_median": 5e3}
        peers = {"benchmark": "peers", "machine": self.result["machine"], "cases": [{"case": case, "codes": [row]} for case in ("settled", "cubes")]}
        status, text = run("plots", write(self.folder, "peers.json", peers), "-o", self.folder / "pictures")
        self.assertEqual(status, 0, text)
        self.assertEqual(sorted(p.name for p in (self.folder / "pictures").iterdir()), ["peers_cubes.png", "peers_settled.png"])

    def test_bandwidth(self):
        """That of the thread count asked for, or none."""
        figures = uniform.figures_of(self.result)
        self.assertEqual(uniform.bandwidth(figures, 1), 1e10)
        self.assertIsNone(uniform.bandwidth(figures, 2))

    def test_refusal(self):
        status, text = run("plots", write(self.folder, "bad.json", "{"), "-o", self.folder / "pictures")
        self.assertEqual(status, 2)
        self.assertIn("bad.json:1:2: not JSON", text)
        self.assertFalse((self.folder / "pictures").exists())


if __name__ == "__main__":
    if importlib.util.find_spec("matplotlib") is None:
        sys.exit(77)
    unittest.main()
