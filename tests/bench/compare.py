"""bench/compare: ratios and their spread against what a pencil gives, and words for files that do not fit each other."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from results import MACHINE, ROOT, bed_row, micro_part, result, run, write  # noqa: E402

sys.path.insert(0, str(ROOT / "bench" / "common"))
import uniform  # noqa: E402


class Compare(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.a = write(self.folder, "a.json", result([bed_row(1000, 1, [1.0, 1.1, 1.25]), bed_row(2000, 1, [1.0, 1.2])]))

    def tearDown(self):
        self.scratch.cleanup()

    def test_ratio_and_spread(self):
        # 1,000 bodies: best 0.5 s after 1 s is 2; the worst of B over the best of A 1 / 0.625, the best of B over the worst of A 1.25 / 0.5.
        # 2,000 bodies: 1.1 to 1.3 s after 1.0 to 1.2 s may be no change.
        b = write(self.folder, "b.json", result([bed_row(1000, 1, [0.5, 0.55, 0.625]), bed_row(2000, 1, [1.1, 1.3]), bed_row(3000, 1, [1.0])]))
        status, text = run("compare", self.a, b)
        self.assertEqual(status, 0, text)
        self.assertRegex(text, r"bed/equal/1000/double/1 +2\.000 +\(1\.600 to 2\.500\) +faster\n")
        self.assertNotIn("bed/equal/2000", text)
        self.assertIn("2 figures in both, 1 differ; 0 only in A, 1 only in B", text)
        status, text = run("compare", self.a, b, "--all")
        self.assertRegex(text, r"bed/equal/2000/double/1 +0\.909 +\(0\.769 to 1\.091\)\n")
        status, text = run("compare", b, self.a)
        self.assertRegex(text, r"bed/equal/1000/double/1 +0\.500 +\(0\.400 to 0\.625\) +slower\n")

    def test_same_file_does_not_differ(self):
        for clock in ("wall", "cpu"):
            self.assertIn("2 figures in both, 0 differ", run("compare", self.a, self.a, "--clock", clock)[1])

    def test_memory(self):
        b = write(self.folder, "b.json", result([bed_row(1000, 1, [1.0, 1.1, 1.25], bytes_per_body=600), bed_row(2000, 1, [1.0, 1.2], 502)]))
        text = run("compare", self.a, b)[1]
        self.assertRegex(text, r"bed/equal/1000/double/1 .*memory x 1\.20\n")
        self.assertIn("2 figures in both, 1 differ", text)  # 502 bytes are 0.4 % more than 500

    def refused(self, words, *files):
        status, text = run("compare", *files)
        self.assertEqual(status, 2, text)
        self.assertIn(words, text)
        self.assertEqual(text.count("\n"), 1, text)

    def test_refusals(self):
        self.refused("none.json: No such file", self.a, Path(self.folder) / "none.json")
        self.refused("broken.json:2:1: not JSON", self.a, write(self.folder, "broken.json", '{"machine":\n}'))
        self.refused("it names no machine", self.a, write(self.folder, "list.json", "[1, 2]"))
        self.refused("it holds no figures", self.a, write(self.folder, "empty.json", {"machine": MACHINE}))
        self.refused("its rows are not those", self.a, write(self.folder, "odd.json", result([{"bodies": 3}])))
        other = write(self.folder, "other.json", {**result([bed_row(1000, 1, [1.0])]), "machine": {**MACHINE, "cores": 8}})
        self.refused("different machines (cores 2 and 8)", self.a, other)
        self.assertEqual(run("compare", self.a, other, "--any-machine")[0], 0)
        models = [write(self.folder, f"{model}.json", {**result([bed_row(1000, 1, [1.0])]), "machine": {**MACHINE, "processor_model": model}})
                  for model in ("family 25", "family 26")]
        self.refused("different machines (processor_model family 25 and family 26)", *models)
        self.assertEqual(run("compare", self.a, models[0])[0], 0)  # older results have none
        self.refused("no figure is in both files", self.a, write(self.folder, "micro.json", {"machine": MACHINE, "micro": {"host_double": micro_part()}}))
        self.refused("--only cone was asked for", self.a, self.a, "--only", "cone")

    def test_figures(self):
        """What every result says: ten microseconds of a step, one of them for lists, measuring not counted."""
        one = uniform.figures_of(result([bed_row(1000, 2, [0.5, 0.4, 1.0])]))[0]
        self.assertEqual(one["particle_steps_per_second"], 25000)
        self.assertEqual(one["particle_steps_per_second_median"], 20000)
        self.assertEqual(one["particle_steps_per_cpu_second"], 12500)
        self.assertAlmostEqual(one["cpu_seconds"], 0.08, places=12)
        self.assertAlmostEqual(one["pair_list_share"], 0.1, places=12)
        self.assertAlmostEqual(one["seconds_per_stage"]["contacts"], 6e-6, places=15)
        self.assertNotIn("measure", one["seconds_per_stage"])
        self.assertEqual((one["bytes_per_body"], one["peak_memory_bytes"]), (500, 7e6))
        # bench_cone and bench_fluid give seconds of one step.
        cone = {"bodies": 100, "threads": 1, "precision": "mixed", "solver": "apgd", "steps": 30, "body_steps_per_second": 1000.0,
                "wall_seconds": [0.1, 0.2], "cpu_seconds": [0.1, 0.2], "memory_bytes": 5000, "stage_seconds_per_step": {"contacts": 0.1}}
        one = uniform.figures_of({"machine": MACHINE, "cone": {"silo": {"results": [cone]}}})[0]
        self.assertEqual((one["name"], one["rates"], one["bytes_per_body"]), ("cone/silo/apgd/100/mixed/1", [1000.0, 500.0], 50))

    def test_kept_results(self):
        """Results in the repository can be compared, old ones too."""
        found = 0
        for path in sorted((ROOT / "bench" / "results").glob("*/*.json")):
            try:
                found += len(uniform.read(path)[1]) > 0
            except uniform.Unusable as error:
                self.assertNotIn("its rows are not those", str(error), path.name)
        self.assertGreaterEqual(found, 2)


if __name__ == "__main__":
    unittest.main()
