"""The parts of tools/peers that need no other code: reading output, ratios, agreement, and turns, with a stand-in that burns time."""
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "peers"), str(ROOT / "bench" / "common"), str(Path(__file__).resolve().parent)]
import figures  # noqa: E402
import page  # noqa: E402
import results  # noqa: E402
import turns  # noqa: E402
import uniform  # noqa: E402

# Lines as LAMMPS and LIGGGHTS write them: warming up, two pieces, and a run of no steps that looks at the end.
OUTPUT = """Loop time of 0.92446 on 1 procs for 1000 steps with 10000 atoms
Step Atoms
Loop time of 1.5 on 2 procs for 200 steps with 10000 atoms
Loop time of 1.25 on 1 procs for 200 steps with 10000 atoms, finish time Sat Nov 21 21:52:11 2026
Loop time of 2.754e-06 on 1 procs for 0 steps with 10000 atoms
print           "figure contacts ${contacts}"
figure contacts 26389
figure kinetic_translation 4.5e-09
"""

# A code that takes turns: each piece burns a tenth of a second of processor time and writes when it ran.
CODE = """
import os, sys, time
name, out, turn = sys.argv[1:4]
for k in range(3):
    if os.system(turn) != 0:
        raise SystemExit(3)
    if name == "dies" and k == 1:
        raise SystemExit("out of luck")
    if k < 2:
        begin = time.process_time()
        while time.process_time() < begin + 0.1:
            pass
        with open(out, "a") as file:
            file.write(name + "\\n")
"""


def row(code, threads, wall, **more):
    return {**figures.row_of(code, threads, 1000, 10, wall, [0, 1, 2], 10 ** 6, {}), **more}


class Reading(unittest.TestCase):
    def test_pieces_and_figures(self):
        pieces, seen = figures.read_output(OUTPUT, 200, 2)
        self.assertEqual(pieces, [1.5, 1.25])
        self.assertEqual(seen, {"contacts": 26389, "kinetic_translation": 4.5e-9})

    def test_warming_up_in_as_many_steps(self):
        self.assertEqual(figures.read_output(OUTPUT.replace("for 1000 steps", "for 200 steps"), 200, 2)[0], [1.5, 1.25])

    def test_too_few_pieces(self):
        with self.assertRaisesRegex(figures.Unreadable, "2 pieces of 200 steps in the output, 3 expected"):
            figures.read_output(OUTPUT, 200, 3)
        with self.assertRaises(figures.Unreadable):
            figures.read_output("ERROR: Lost atoms", 200, 1)

    def test_rates(self):
        one = figures.row_of("lammps_history", 1, 1000, 10, [2.0, 1.0, 4.0], [5.0, 6.5, 7.0, 9.0], 3, {"contacts": 7})
        self.assertEqual(one["particle_steps_per_second"], 10000)
        self.assertEqual(one["particle_steps_per_second_median"], 5000)
        self.assertEqual(one["cpu_seconds"], [1.5, 0.5, 2.0])
        self.assertEqual(one["particle_steps_per_cpu_second"], 20000)

    def test_ratios(self):
        rows = [row("scree_double", 1, [1.0, 2.0]), row("lammps_history", 1, [3.0, 4.0]), row("lammps_history", 2, [1.0, 1.0])]
        found = figures.ratios(rows)
        self.assertEqual([(r["of"], r["over"], r["threads"]) for r in found], [("scree_double", "lammps_history", 1)])
        self.assertEqual([found[0][key] for key in ("wall", "wall_median", "wall_least", "wall_most")], [3.0, 2.5, 2.0, 3.0])
        # Cubes: equal iterations only.
        rows = [row(code, 1, [1.0, 1.0]) for code in ("scree_mixed_10", "scree_mixed_20", "bullet_10", "ode_20")]
        self.assertEqual([(r["of"], r["over"]) for r in figures.ratios(rows)], [("scree_mixed_10", "bullet_10"), ("scree_mixed_20", "ode_20")])

    def test_agreement(self):
        rest = SimpleNamespace(cubes=False, tilt=0)
        flow = SimpleNamespace(cubes=False, tilt=45)
        first = row("scree_double", 1, [1, 1], contacts=2600, kinetic_translation=1.0)
        self.assertEqual(figures.disagreements(rest, [first], 1.0e3), [])
        self.assertEqual(len(figures.disagreements(rest, [first], 0.9)), 1)  # 0.001 J a body of 0.9 J
        self.assertEqual(len(figures.disagreements(rest, [first, {**first, "contacts": 2550}], 1e3)), 1)
        self.assertEqual(figures.disagreements(flow, [first, {**first, "contacts": 2550, "kinetic_translation": 1.1}], 1.0), [])
        self.assertEqual(len(figures.disagreements(flow, [first, {**first, "kinetic_translation": 1.3}], 1.0)), 1)
        cubes = SimpleNamespace(cubes=True, tilt=0, dt=1e-3)
        self.assertEqual(len(figures.disagreements(cubes, [{**first, "mean_drop_over_edge": 1.2}], 1.0)), 1)


class Page(unittest.TestCase):
    """Tables between marks: speeds, bounds and bandwidth from results of tools/bench, ratios from one of tools/peers; what is outside stays."""

    TEXT = "before\n<!-- bandwidth -->\nold\n<!-- /bandwidth -->\nbetween\n<!-- peers of spheres -->\n<!-- /peers of spheres -->\nafter\n"

    NAMES = {"scree_double": "Scree, double", "scree_double_own": "Scree, own", "liggghts": "LIGGGHTS"}

    def test_tables(self):
        rows = [row(code, 1, [1.0, 2.0], contacts=2600, kinetic_translation=0.0) for code in ("scree_double", "scree_double_own", "liggghts")]
        rows[1]["cpu_seconds"] = [0.5, 0.5]
        case = {"case": "settled", "bodies": 1000, "codes": rows, "ratios": figures.ratios(rows)}
        with tempfile.TemporaryDirectory() as folder:
            path = results.write(folder, "page.md", self.TEXT)
            files = [results.write(folder, "bench.json", results.result([], micro={"host_double": results.micro_part()})),
                     results.write(folder, "peers.json", {"benchmark": "peers", "machine": results.MACHINE, "cases": [case]})]
            page.write(files, path, self.NAMES)
            text = path.read_text()
            self.assertIn("| triad | 10,000,000 | 1 | 10.0 |", text)
            self.assertEqual(text.count(f"| {results.MACHINE['processor']} (`bench.json`) |"), 1)
            self.assertIn("| settled | 1,000 | LIGGGHTS | 1 | 0.01 | 0.01 | 1.00 (1.00–1.00) |  | 2.00 (2.00–2.00) |  | 1 | 2.600 |", text)
            self.assertNotIn("old", text)
            self.assertEqual([line for line in text.splitlines() if line in ("before", "between", "after")], ["before", "between", "after"])
            page.write(files, path, self.NAMES)
            self.assertEqual(path.read_text(), text)
            # Of two results the first gives the speeds: a million bodies in 10 steps of 1 s, and 100 bytes in 1000 ns at 10 GB/s of 10 ns.
            one_pass = {"stage_microseconds_per_step": {"contacts and motion": 9.0, "pair list": 1.0}, "pairs_per_body": 4, "least_bytes_per_body_step": 100.0}
            rows = [{**results.bed_row(10 ** 6, threads, [10.0 / threads]), **one_pass} for threads in (1, 2)]
            files = [results.write(folder, f"{name}.json", results.result(rows[:count], micro={"host_double": results.micro_part()}))
                     for name, count in (("first", 2), ("second", 1))]
            path.write_text(self.TEXT + "<!-- speeds -->\n<!-- /speeds -->\n<!-- bounds -->\n<!-- /bounds -->\n")
            page.write(files, path, self.NAMES)
            text = path.read_text()
            self.assertIn("| spheres at rest, skin of 0.2 mm | 1,000,000 | 1 | 2 |  |  | 10 % | 500 |", text)
            self.assertIn("| spheres at rest | 1,000,000 | 100 | 10 | 1,100 | 1,000 | 1 % | 1.1 |", text)
            self.assertIn("ns at 10 GB/s", text)
            path.write_text(self.TEXT)
            with self.assertRaisesRegex(uniform.Unusable, "has no marks <!-- speeds -->"):
                page.write(files, path, self.NAMES)
            files = [results.write(folder, "bench.json", results.result([], micro={"host_double": results.micro_part()}))]
            path.write_text("no marks")
            with self.assertRaisesRegex(uniform.Unusable, "has no marks <!-- bandwidth -->"):
                page.write(files, path, {})


class Turns(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        self.code = self.folder / "code.py"
        self.code.write_text(CODE)

    def tearDown(self):
        self.scratch.cleanup()

    def starts(self, *names):
        def start(name):
            return lambda: turns.Participant(name, lambda turn: [sys.executable, self.code, name, self.folder / "order", turn], self.folder / name)
        return [start(name) for name in names]

    def test_order_and_processor_time(self):
        ran = turns.take_turns(self.starts("one", "two"), 2, lambda words: None)
        self.assertEqual((self.folder / "order").read_text().split(), ["one", "two", "one", "two"])
        for participant, _ in ran:
            self.assertEqual(participant.process.returncode, 0)
            self.assertEqual(len(participant.cpu), 3)
            for before, after in zip(participant.cpu, participant.cpu[1:]):
                # A tenth of a second, of which the count in hundredths may miss some; waiting costs it nothing.
                self.assertGreater(after - before, 0.07)
                self.assertLess(after - before, 0.5)
            self.assertGreater(participant.peak, 10 ** 6)

    def test_a_code_that_dies(self):
        begin = time.monotonic()
        with self.assertRaisesRegex(turns.Failed, "dies ended by itself, with status 1: out of luck"):
            turns.take_turns(self.starts("one", "dies"), 2, lambda words: None)
        self.assertLess(time.monotonic() - begin, 60)


if __name__ == "__main__":
    unittest.main()
