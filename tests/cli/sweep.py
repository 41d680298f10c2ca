"""scree sweep: points of every method, results as the series has them, runs that are kept, cut off, go on and fail, Slurm's array, and wrong input."""

import csv
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from program import HERE, PROGRAM, ProgramTest
from wrong_input import check_refusals

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
    from scipy import stats
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SCRIPTS = HERE.parents[1] / "src" / "cli" / "python"
sys.path.insert(0, str(SCRIPTS))
import expressions  # noqa: E402
import reductions  # noqa: E402
import samples  # noqa: E402
from scree_run import Problem, Run  # noqa: E402
from sweep import Sweep  # noqa: E402
from toml_places import places_of, read_toml  # noqa: E402

EXAMPLES = HERE.parents[1] / "examples"
HIT = EXAMPLES / "calibrate" / "hit.toml"
PILE = HERE / "scenes" / "pile.toml"
TWO = """scene = "hit.toml"
[[parameter]]
name = "e"
key = "material.m.restitution"
values = [0.3, 0.6]
[[parameter]]
name = "mu"
key = "material.m.friction"
{mu}
[[result]]
name = "rebound"
column = "body.vz"
[[result]]
name = "lost"
column = "3 - body.vx"
take = "max"
"""


class Sweeps(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(HIT, self.folder / "hit.toml")

    def sweep(self, text, *arguments, code=0, name="sweep.toml", **how):
        (self.folder / name).write_text(text)
        return self.scree("sweep", name, "-o", "out", "--jobs", "2", *arguments, code=code, **how)

    def table(self, name="results.csv"):
        with open(self.folder / "out" / name) as file:
            return list(csv.DictReader(file))

    def points(self, text):
        """Values of the parameters, as a dry run tells them."""
        out, _ = self.sweep(text, "--dry-run")
        self.assertFalse((self.folder / "out").exists())
        return [dict(part.split("=", 1) for part in line.split()[1:]) for line in out.splitlines()[:-1]]


class Runs(Sweeps):
    def test_results_are_those_of_the_runs(self):
        out, _ = self.sweep(TWO.format(mu="range = [0.05, 0.2]\nsteps = 3\nscale = \"log\"") + """
[[parameter]]
name = "density"
key = "material.m.density"
value = "2 + 10 * mu"
unit = "g/cm3"
[set]
"time.end" = 0.015
shape.ball.radius = "5 mm"
""", "--threads", "1")
        self.assertIn("6 of 6 runs done: out/results.csv", out)
        rows = self.table()
        self.assertEqual([(float(row["e"]), float(row["mu"])) for row in rows], [(e, mu) for e in (0.3, 0.6) for mu in (0.05, 0.1, 0.2)])
        for row in rows:
            e, mu = float(row["e"]), float(row["mu"])
            self.assertAlmostEqual(float(row["density"]), 2 + 10 * mu, places=9)
            # Where friction slips all the time: e times the speed, and mu (1 + e) of it lost along the floor.
            self.assertAlmostEqual(float(row["rebound"]), e, delta=0.004)
            self.assertAlmostEqual(float(row["lost"]), mu * (1 + e), delta=0.003)
            series = self.read_series(f"out/{row['folder']}")
            self.assertEqual(float(row["rebound"]), series[-1]["body.vz"])
            self.assertEqual(float(row["lost"]), 3 - min(line["body.vx"] for line in series))
            summary = self.summary(f"out/{row['folder']}")
            self.assertEqual((row["status"], row["state_hash"], int(row["steps"]), float(row["time"])), ("done", summary["state_hash"], summary["steps"], summary["time"]))
            self.assertGreater(float(row["wall_seconds"]), 0)
        by_hand = self.hash_of("hand", "--set", "time.end=0.015", "--set", "material.m.restitution=0.6", "--set", "material.m.friction=0.2", "--set", 'material.m.density="4 g/cm3"', scene="hit.toml")
        self.assertEqual(rows[-1]["state_hash"], by_hand)

    def test_runs_are_kept_and_new_ones_added(self):
        self.sweep(TWO.format(mu="values = [0.1]"))
        first = [(self.folder / "out" / "runs" / name / "summary.json").stat().st_mtime_ns for name in ("0000", "0001")]
        out, _ = self.sweep(TWO.format(mu="values = [0.1]"))
        self.assertIn("out has 2 of these runs from before", out)
        out, _ = self.sweep(TWO.format(mu="values = [0.1, 0.2]").replace("[0.3, 0.6]", "[0.6, 0.7]"))
        self.assertIn("out has 1 of these runs from before, 3 are new; 1 that it has are not in the file", out)
        self.assertEqual([(self.folder / "out" / "runs" / name / "summary.json").stat().st_mtime_ns for name in ("0000", "0001")], first)
        self.assertEqual([(row["run"], row["e"], row["mu"], row["status"]) for row in self.table()],
                         [("1", "0.6", "0.1", "done"), ("2", "0.6", "0.2", "done"), ("3", "0.7", "0.1", "done"), ("4", "0.7", "0.2", "done")])
        # Another scene: its runs are others.
        (self.folder / "hit.toml").write_text(HIT.read_text().replace("velocity = [3, 0, -1]", "velocity = [3, 0, -2]"))
        self.sweep(TWO.format(mu="values = [0.1]"))
        self.assertEqual([row["run"] for row in self.table()], ["5", "6"])
        self.assertAlmostEqual(float(self.table()[1]["rebound"]), 1.2, delta=0.01)
        out, _ = self.sweep(TWO.format(mu="values = [0.1]"), "--overwrite")
        self.assertEqual([row["run"] for row in self.table()], ["0", "1"])
        self.assertEqual(len(list((self.folder / "out" / "runs").glob("*.json"))), 2)

    def test_points_with_the_same_settings_are_run_once(self):
        out, _ = self.sweep(TWO.format(mu="values = [0.1, 0.1]").replace("[0.3, 0.6]", "[0.5]"))
        self.assertEqual(out.count("done in"), 1)
        first, second = self.table()
        self.assertEqual((first["run"], first["point"], second["point"]), (second["run"], "0", "1"))
        self.assertEqual(first["state_hash"], second["state_hash"])

    def test_a_result_that_is_asked_for_later_needs_no_new_runs(self):
        text = TWO.format(mu="values = [0.1]")
        self.sweep(text)
        self.sweep(text + "[[result]]\nname = \"when\"\ncolumn = \"body.z\"\ntake = \"time_of_min\"\n", "--collect")
        for row in self.table():
            series = self.read_series(f"out/{row['folder']}")
            self.assertEqual(float(row["when"]), min(series, key=lambda line: line["body.z"])["time"])

    def test_runs_that_fail_are_told_and_others_go_on(self):
        out, _ = self.sweep(TWO.format(mu="values = [-1, 0.1]").replace("[0.3, 0.6]", "[0.5]").replace("[-1, 0.1]", "[0.1, -1]")
                            + "[[result]]\nname = \"none\"\ncolumn = \"body.heat\"\n", code=1)
        self.assertIn("1 of 2 runs done, 1 failed, 1 without some result", out)
        good, bad = self.table()
        self.assertEqual((good["status"], bad["status"], bad["rebound"]), ("done", "failed", ""))
        self.assertIn("none: series.csv has no column body.heat", good["reason"])
        self.assertIn("must be at least 0, not -1", bad["reason"])
        before = (self.folder / "out" / "runs" / "0001.json").stat().st_mtime_ns
        text = (self.folder / "sweep.toml").read_text()
        self.sweep(text, code=1)
        self.assertEqual((self.folder / "out" / "runs" / "0001.json").stat().st_mtime_ns, before)
        self.sweep(text, "--retry", code=1)
        self.assertNotEqual((self.folder / "out" / "runs" / "0001.json").stat().st_mtime_ns, before)

    def test_a_run_that_takes_too_long_is_ended(self):
        out, _ = self.sweep(TWO.format(mu="values = [0.1]").replace("[0.3, 0.6]", "[0.5]").replace("scene", "limit = 0.5\nscene", 1) + "[set]\n\"time.end\" = 1e4\n", code=1)
        self.assertIn("stopped at its limit of 0.5 s", self.table()[0]["reason"])

    def test_repeats_with_seeds(self):
        self.sweep(f"""scene = "{PILE}"
repeats = 3
seeds = ["bodies.0.seed"]
first_seed = 5
also = ["hdf5"]
[set]
"time.end" = 0.01
[[parameter]]
name = "mu"
key = ["material.grain.friction"]
values = [0.2, 0.4]
[[result]]
name = "energy"
column = "energy.kinetic_translation + energy.kinetic_rotation"
take = "mean"
from = 0.002
to = 0.008
""")
        rows = self.table()
        self.assertEqual([(row["point"], row["repeat"], row["seed"]) for row in rows], [(str(p), str(r), str(5 + r)) for p in range(2) for r in range(3)])
        self.assertEqual(len({row["state_hash"] for row in rows}), 6)
        for row in rows:
            series = [line for line in self.read_series(f"out/{row['folder']}") if 0.002 <= line["time"] <= 0.008 and "energy.kinetic_translation" in line]
            t = [line["time"] for line in series]
            y = [line["energy.kinetic_translation"] + line["energy.kinetic_rotation"] for line in series]
            area = sum(0.5 * (b + a) * (s - r) for a, b, r, s in zip(y, y[1:], t, t[1:]))
            self.assertAlmostEqual(float(row["energy"]), area / (t[-1] - t[0]), delta=1e-12 * abs(area) + 1e-12)
        for k, point in enumerate(self.table("points.csv")):
            values = [float(row["energy"]) for row in rows if row["point"] == str(k)]
            self.assertEqual(point["repeats"], "3")
            self.assertAlmostEqual(float(point["energy"]), sum(values) / 3, delta=1e-12)
            self.assertAlmostEqual(float(point["energy deviation"]), np.std(values, ddof=1), delta=1e-12)
        with h5py.File(self.folder / "out" / "results.h5") as file:
            self.assertEqual(set(file), set(rows[0]))
            self.assertEqual(file["energy"][:].tolist(), [float(row["energy"]) for row in rows])
            self.assertEqual([one.decode() for one in file["state_hash"][:]], [row["state_hash"] for row in rows])


class Scripts(Sweeps):
    """examples/python, over what sweeps and calibrations write."""

    def test_a_plot_of_a_sweep(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        self.sweep((EXAMPLES / "calibrate" / "hit_sweep.toml").read_text())
        script = EXAMPLES / "python" / "plot_sweep.py"
        out = subprocess.run([sys.executable, script, "out", "mu", "slowed", "--by", "e", "-o", "a.svg"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        self.assertEqual(out, "12 runs: a.svg\n")
        for words in ("e = 0.3", "e = 0.9", "slowed"):
            self.assertIn(f"<!-- {words} -->", (self.folder / "a.svg").read_text())

    def test_a_check_of_a_calibration(self):
        (self.folder / "c" / "best_hit").mkdir(parents=True)
        shutil.copy(EXAMPLES / "calibrate" / "hit_calibration.toml", self.folder / "c" / "calibration.toml")
        (self.folder / "c" / "best_hit" / "scene.toml").write_text(HIT.read_text().replace("restitution = 0.5", "restitution = 0.7").replace("friction = 0.5", "friction = 0.2"))
        out = subprocess.run([sys.executable, EXAMPLES / "python" / "check_calibration.py", "c", "--seeds", "bodies.0.seed", "--scree", PROGRAM], cwd=self.folder, capture_output=True, text=True,
                             check=True).stdout
        found = re.findall(r"(\w+) ([\d.]+) \(± 0 a run\), measured [\d.]+ ± 0.01: ([+-][\d.]+) tolerances", out)
        self.assertEqual([name for name, _, _ in found], ["rebound", "slowed"])
        for (_, value, missed), wanted, measured in zip(found, (0.7, 0.34), (0.6, 0.4)):
            self.assertAlmostEqual(float(value), wanted, delta=0.003)
            self.assertAlmostEqual(float(missed), (float(value) - measured) / 0.01, delta=0.06)


class CutOff(Sweeps):
    TEXT = f"""scene = "{PILE}"
[set]
"output.checkpoint_every" = 0.1
[[parameter]]
name = "mu"
key = "material.grain.friction"
values = [0.2, 0.4]
"""

    def wait_for(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.05)
        self.fail("it did not come to that")

    whole = []  # hashes of runs that nothing cuts off

    def hashes(self):
        if not self.whole:
            self.whole += [self.hash_of(f"whole{k}", "--set", f"material.grain.friction={mu}", "--until", "0.3") for k, mu in enumerate((0.2, 0.4))]
        return self.whole

    def start_and_cut(self, cut, end):
        """Starts a sweep, cuts something off once both runs have checkpoints, and returns the exit code."""
        (self.folder / "sweep.toml").write_text(self.TEXT.replace("[set]", f"[set]\n\"time.end\" = {end}"))
        process = self.start("sweep", "sweep.toml", "-o", "out", "--jobs", "2")
        self.wait_for(lambda: all((self.folder / "out" / "runs" / name / "checkpoint.h5").exists() for name in ("0000", "0001")))
        cut(process)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_a_sweep_that_is_told_to_stop_goes_on_where_it_was(self):
        code, out, err = self.start_and_cut(lambda process: process.send_signal(signal.SIGTERM), 0.3)
        self.assertEqual(code, 130, (out, err))
        self.assertIn("the same call goes on", err)
        self.assertEqual([row["status"] for row in self.table()], ["cut", "cut"])
        self.scree("sweep", "sweep.toml", "-o", "out", "--jobs", "2")
        rows = self.table()
        for row in rows:
            self.assertRegex(self.summary(f"out/{row['folder']}")["restarted_from"], "checkpoint.h5$")
        self.assertEqual([row["state_hash"] for row in rows], self.hashes())

    def test_a_run_that_is_killed_goes_on_at_the_next_call(self):
        def kill_one(process):
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes().split(b"\0")
                    here = os.readlink(folder / "cwd")
                except OSError:
                    continue
                if b"out/runs/0001" in words and Path(here) == self.folder.resolve():
                    os.kill(int(folder.name), signal.SIGKILL)
                    return
            self.fail("the run is not there")
        code, out, _ = self.start_and_cut(kill_one, 0.3)
        self.assertEqual(code, 1)
        self.assertIn("1 of 2 runs done, 1 not yet", out)
        self.assertIn("ended by signal 9", self.table()[1]["reason"])
        self.scree("sweep", "sweep.toml", "-o", "out")
        self.assertEqual([row["status"] for row in self.table()], ["done", "done"])
        self.assertEqual([row["state_hash"] for row in self.table()], self.hashes())

    def test_a_run_that_signals_end_again_and_again_fails(self):
        """One that crashes is tried once more, then it counts as failed; a call that is stopped does not count."""
        (self.folder / "sweep.toml").write_text(f'scene = "{PILE}"\n[set]\n"time.end" = 0.001\n[[parameter]]\nname = "mu"\nkey = "material.grain.friction"\nvalues = [0.2, 0.4]\n')
        options = {"file": "sweep.toml", "output": "out", "jobs": 1, "threads": 1, "run": -1, "dry_run": False, "retry": False, "overwrite": False, "slurm": False, "collect": False,
                   "most_threads": 64, "program": str(self.folder / "crashes")}
        # A program that ends by SIGSEGV where friction is 0.4, and waits for the end of time where a file "wait" is.
        (self.folder / "crashes").write_text(f'#!/bin/sh\ncase "$*" in\n*friction=0.4*) [ "$1" = run ] && {{ [ -e wait ] && touch waits && exec sleep 100; kill -SEGV $$; }} ;;\nesac\nexec {PROGRAM} "$@"\n')
        (self.folder / "crashes").chmod(0o755)

        def call(code, **changed):
            process = subprocess.Popen([sys.executable, "-B", SCRIPTS / "sweep.py", json.dumps(options | changed)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if (self.folder / "wait").exists():
                self.wait_for(lambda: (self.folder / "waits").exists())
                process.send_signal(signal.SIGTERM)  # the second one kills
                time.sleep(0.3)
                process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, (out, err))
            row = self.table()[1]
            return row["status"], row["reason"], out
        crashed = "ended by signal 11 (SIGSEGV)"
        self.assertEqual(call(1)[:2], ("cut", crashed))
        (self.folder / "wait").touch()
        self.assertEqual(call(130)[0], "cut")
        (self.folder / "wait").unlink()
        status, reason, out = call(1)
        self.assertEqual((status, reason), ("failed", f"{crashed}, as it was by a signal when it ran before"))
        self.assertIn(f"FAILED: {crashed}", out)
        self.assertNotIn("0001", call(1)[2])  # not run any more
        status, _, out = call(1, retry=True)
        self.assertEqual((status, "0001" in out), ("failed", True))
        self.assertEqual(call(0, retry=True, program=PROGRAM)[:2], ("done", "done"))

    def test_two_calls_at_once_do_not_mix(self):
        def another(process):
            _, err = self.scree("sweep", "sweep.toml", "-o", "out", code=2)
            self.assertIn("out: another call works here, or runs that it started still go on", err)
            process.send_signal(signal.SIGTERM)
        code, out, err = self.start_and_cut(another, 2)
        self.assertEqual(code, 130, (out, err))


class Points(Sweeps):
    def test_grids_and_formulas(self):
        points = self.points("""scene = "hit.toml"
[[parameter]]
name = "a"
key = "material.m.friction"
range = [0.1, 0.5]
steps = 5
[[parameter]]
name = "b"
key = ["material.m.restitution", "material.m.poisson"]
value = "min(0.4, sqrt(a) / 2) + 0 * twice"
[[parameter]]
name = "twice"
value = "2 * a"
[[parameter]]
name = "title"
key = "title"
values = ["x", "y"]
""")
        self.assertEqual([(one["a"], one["title"]) for one in points], [(a, t) for a in ("0.1", "0.2", "0.3", "0.4", "0.5") for t in ("x", "y")])
        for one in points:
            self.assertAlmostEqual(float(one["b"]), min(0.4, math.sqrt(float(one["a"])) / 2), delta=1e-5)

    def spread(self, method, count, seed=1):
        return self.points(f"""scene = "hit.toml"
method = "{method}"
points = {count}
seed = {seed}
[[parameter]]
name = "mu"
key = "material.m.friction"
range = [0.1, 0.9]
[[parameter]]
name = "young"
key = "material.m.young"
range = [1e6, 1e8]
scale = "log"
[[parameter]]
name = "e"
key = "material.m.restitution"
values = [0.3, 0.5]
[[parameter]]
name = "rho"
key = "material.m.density"
distribution = {{ kind = "normal", mean = 2500, deviation = 200, min = 2000 }}
""")

    def test_latin_hypercubes_have_a_point_in_each_part(self):
        points = self.spread("latin", 20)
        parts = {"mu": [(float(one["mu"]) - 0.1) / 0.8 for one in points], "young": [math.log10(float(one["young"]) / 1e6) / 2 for one in points]}
        law = stats.norm(2500, 200)
        below = law.cdf(2000)
        parts["rho"] = [(law.cdf(float(one["rho"])) - below) / (1 - below) for one in points]
        for name, shares in parts.items():
            self.assertEqual(sorted(int(20 * share - 1e-4) for share in shares), list(range(20)), name)
        self.assertEqual(sorted(one["e"] for one in points), ["0.3"] * 10 + ["0.5"] * 10)
        self.assertNotEqual(points, self.spread("latin", 20, seed=2))

    def test_sobol_sequences_go_on(self):
        points = self.spread("sobol", 16)
        self.assertEqual(points, self.spread("sobol", 24)[:16])
        mu = [(float(one["mu"]) - 0.1) / 0.8 for one in points]
        self.assertEqual(sorted(int(16 * share - 1e-6) for share in mu), list(range(16)))

    def test_distributions_have_their_moments(self):
        u = (np.arange(3000) + 0.5) / 3000
        for text, mean, deviation in (('{ kind = "uniform", min = 1, max = 3 }', 2, 2 / math.sqrt(12)), ('{ kind = "normal", mean = 5, deviation = 2 }', 5, 2),
                                      ('{ kind = "lognormal", mean = 5, deviation = 2 }', 5, 2), ('{ kind = "triangular", min = 0, max = 3, mode = 1 }', 4 / 3, math.sqrt((9 + 1 - 3) / 18)),
                                      ('{ kind = "normal", mean = 0, deviation = 1, min = 0 }', math.sqrt(2 / math.pi), math.sqrt(1 - 2 / math.pi))):
            with self.subTest(text=text):
                path = self.folder / "p.toml"
                path.write_text(f"name = \"a\"\nkey = \"b\"\ndistribution = {text}\n")
                one = samples.Parameter(read_toml(path))
                values = np.array([one.quantile(float(v)) for v in u])
                self.assertAlmostEqual(values.mean(), mean, delta=6e-3 * deviation)
                self.assertAlmostEqual(values.std(), deviation, delta=6e-3 * deviation)


class Slurm(Sweeps):
    def test_the_tasks_of_an_array_are_the_runs(self):
        text = TWO.format(mu="values = [0.1, 0.2]") + "[slurm]\noptions = [\"--partition=short\", \"--time=1:00\"]\n"
        out, _ = self.sweep(text, "--slurm", "--threads", "3")
        self.assertIn("4 tasks: sbatch ", out)
        script = self.folder / "out" / "sweep.sbatch"
        lines = script.read_text().splitlines()
        for line in ("#SBATCH --array=0-3%2", "#SBATCH --cpus-per-task=3", "#SBATCH --partition=short", "#SBATCH --time=1:00"):
            self.assertIn(line, lines)
        for task in (2, 0):
            subprocess.run(["sh", str(script)], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True, capture_output=True, cwd="/")
        out, _ = self.sweep(text, "--collect")
        self.assertIn("2 of 4 runs done, 2 not yet", out)
        self.assertEqual([row["status"] for row in self.table()], ["done", "waiting", "done", "waiting"])
        self.assertEqual(self.summary("out/runs/0002")["threads"], 3)
        self.sweep(text, "--slurm")
        self.assertIn("#SBATCH --array=1,3%2", script.read_text())
        _, err = self.sweep(text, "--run", "9", code=2)
        self.assertIn("--run 9: the plan in out has no such run", err)


class Reductions(Sweeps):
    """Against shapes whose answer is known."""

    def run_of(self, position, radius, series="", scene="", density=1000.0, flat=False):
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "scene.toml").write_text(("dimensions = 2\n" if flat else "") + scene)
        radius = np.full(len(position), radius) if np.isscalar(radius) else radius
        with h5py.File(folder / "state.h5", "w") as file:
            frame = file.create_group("frames/000000")
            frame.attrs["time"] = 1.0
            frame["position"], frame["radius"] = position, radius
            frame["velocity"] = np.zeros_like(position)
            frame["mass"] = density * (math.pi * radius**2 if flat else 4 / 3 * math.pi * radius**3)
        if series:
            (folder / "series.csv").write_text(series)
        return Run(folder)

    def value(self, run, text):
        path = self.folder / "r.toml"
        path.write_text(text)
        table = read_toml(path)
        reduction = reductions.Reduction(table)
        table.finish()
        return reduction.value(run)

    def lattice(self, spacing, low, high):
        grid = np.meshgrid(*(np.arange(a + spacing / 2, b, spacing) for a, b in zip(low, high)), indexing="ij")
        return np.stack([part.ravel() for part in grid], axis=1)

    def test_slopes_of_a_cone_and_of_a_wedge(self):
        r = 0.001
        at = self.lattice(2 * r, (-0.1, -0.1, 0), (0.1, 0.1, 0.044))
        for angle in (15, 25):
            slope = math.tan(math.radians(angle))
            high = 0.09 * slope
            cone = at[at[:, 2] < high - slope * np.hypot(at[:, 0], at[:, 1])] + [0.3, -0.2, 0.1]
            self.assertAlmostEqual(self.value(self.run_of(cone, r), 'kind = "angle_of_repose"'), angle, delta=1.5)
            wedge = at[at[:, 2] < high - slope * np.abs(at[:, 0])] + [0.3, 0, 0.1]
            run = self.run_of(wedge, r)
            for flank in ("left", "right", "both"):
                self.assertAlmostEqual(self.value(run, f'kind = "angle_of_repose"\nalong = "x"\nflank = "{flank}"'), angle, delta=1.5)
            self.assertAlmostEqual(self.value(run, 'kind = "heap_height"\nalong = "x"'), high, delta=2 * r + 4 * r * slope)
        # In two dimensions y is up.
        disks = at[np.abs(at[:, 1]) < 1.5 * r][:, [0, 2, 1]] * [1, 1, 0]
        disks = np.unique(disks, axis=0)
        disks = disks[disks[:, 1] < 0.09 * math.tan(math.radians(20)) - math.tan(math.radians(20)) * np.abs(disks[:, 0])]
        run = self.run_of(disks, r, flat=True)
        self.assertAlmostEqual(self.value(run, 'kind = "angle_of_repose"'), 20, delta=1.5)
        with self.assertRaisesRegex(reductions.NoValue, "in two dimensions heaps lie along x"):
            self.value(run, 'kind = "angle_of_repose"\nalong = "y"')

    def test_run_out_of_a_disk(self):
        random = np.random.default_rng(1)
        at = random.uniform(-1, 1, (200000, 3)) * [1, 1, 0]
        at = at[np.hypot(at[:, 0], at[:, 1]) < 1]
        self.assertAlmostEqual(self.value(self.run_of(at, 0.001), 'kind = "run_out"\nshare = 0.81'), 0.9, delta=0.005)

    def test_densities_of_lattices(self):
        at = self.lattice(0.01, (0, 0, 0), (0.1, 0.1, 0.1))
        run = self.run_of(at, 0.005)
        text = 'box = [[0.017, 0.02, 0.02], [0.077, 0.08, 0.08]]'
        self.assertAlmostEqual(self.value(run, f'kind = "bulk_density"\n{text}'), 1000 * math.pi / 6, delta=3)
        self.assertAlmostEqual(self.value(run, f'kind = "solid_fraction"\n{text}'), math.pi / 6, delta=0.003)
        with self.assertRaisesRegex(reductions.NoValue, "a volume takes three"):
            self.value(run, 'kind = "bulk_density"\nbox = [[0, 0], [1, 1]]')
        flat = at[at[:, 2] < 0.01] * [1, 1, 0]
        self.assertAlmostEqual(self.value(self.run_of(flat, 0.005, flat=True), 'kind = "solid_fraction"\nbox = [[0.02, 0.02], [0.075, 0.08]]'), math.pi / 4, delta=0.003)

    def test_nothing_is_taken_from_a_damaged_file(self):
        at = self.lattice(0.01, (0, 0, 0), (0.1, 0.1, 0.1))
        folder = self.run_of(at, 0.005).folder
        with h5py.File(folder / "state.h5", "r+") as file:
            file.copy("frames/000000", "frames/000001")
            file.copy("frames/000000", "frames/000002")
            del file["frames/000001/radius"]
        (folder / "summary.json").write_text("{}")
        for kind in ("bulk_density", "solid_fraction"):
            with self.assertRaisesRegex(reductions.NoValue, r"state\.h5: frame 1, /frames/000001, cannot be read \(it has no radius\); left out are this frame and those after it, 2 of 3$"):
                self.value(Run(folder), f'kind = "{kind}"\nbox = [[0.02, 0.02, 0.02], [0.08, 0.08, 0.08]]')

    def test_discharge_and_shear(self):
        t = np.linspace(0, 4, 401)
        mass = np.interp(t, [0, 0.5, 3], [2, 2, 0])
        series = "step,time,above.mass,stress.xy,stress.yy\n" + "".join(f"{k},{a:.6g},{m:.9g},{-300 - 200 * (a < 1)},1000\n" for k, (a, m) in enumerate(zip(t, mass)))
        scene = '[[measure]]\nkind = "mass_in"\nname = "above"\n[[measure]]\nkind = "stress"\n'
        run = self.run_of(np.zeros((1, 3)), 0.1, series, scene)
        self.assertAlmostEqual(self.value(run, 'kind = "discharge_time"\nmeasure = "above"\nfrom = 0.5'), 2.5 * 0.95, delta=1e-6)
        self.assertAlmostEqual(self.value(run, 'kind = "discharge_rate"\nmeasure = "above"'), 0.8, delta=1e-6)
        self.assertEqual(self.value(run, 'kind = "shear_strength"'), 500)
        self.assertAlmostEqual(self.value(run, 'kind = "friction_angle"\ntake = "mean"\nfrom = 1.5'), math.degrees(math.atan(0.3)), delta=1e-9)
        with self.assertRaisesRegex(reductions.NoValue, "no column abve.mass; did you mean \"above.mass\""):
            self.value(run, 'kind = "discharge_time"\nmeasure = "abve"')


class WrongInput(Sweeps):
    def test_formulas_have_nothing_else_of_python(self):
        for text, said in (("__import__('os')", "there is no function __import__"), ("a if b else c", "a formula has"), ("(1).real", "has to be a name"), ("a[0]", "a formula has"),
                           ("lambda: 1", "a formula has"), ("'x'", "is no number"), ("1 +", "is no formula"), ("sqrt(1, 2)", "sqrt takes 1 value"), ("a.b(2)", "a formula has"), ("1 < 2", "a formula has")):
            with self.assertRaises(expressions.FormulaError, msg=text) as caught:
                expressions.Formula(text)
            self.assertIn(said, str(caught.exception))
        self.assertAlmostEqual(expressions.Formula("2 * a.b**2 - atan2(1, 1) / pi").value({"a.b": 3.0}), 17.75)
        for text in ("a ** 0.5", "a * (-1) ** 0.5", "(-pi) ** 0.5", "a + 0 / 0"):
            self.assertTrue(math.isnan(expressions.Formula(text).value({"a": -1.0})), text)

    def test_places(self):
        found = places_of('a = 1\n[t]\nb = [\n  1, # x = 2\n]\n  c.d = """\nq = 3\n"""\n[[l]]\nk = 1\n[[l]]\n"k k" = "[["\n[l.sub]\nz = 1\n')
        self.assertEqual(found, {("a",): (1, 1), ("t",): (2, 1), ("t", "b"): (3, 1), ("t", "c"): (6, 3), ("t", "c", "d"): (6, 3), ("l", 0): (9, 1), ("l", 0, "k"): (10, 1), ("l", 1): (11, 1),
                                 ("l", 1, "k k"): (12, 1), ("l", 1, "sub"): (13, 1), ("l", 1, "sub", "z"): (14, 1)})

    def test_messages_have_place_and_remedy(self):
        whole = TWO.format(mu="values = [0.1]")
        cases = (
            ("values = [0.3, 0.6]", "values = [0.3, 0.6", "sweep.toml:6:1: "),
            ("scene = \"hit.toml\"", "scene = \"hti.toml\"", "sweep.toml:1:1: there is no scene hti.toml"),
            ("scene = \"hit.toml\"\n", "", "the file needs scene = "),
            ("values = [0.1]", "valeus = [0.1]", "sweep.toml:6:1: parameter \"mu\" needs one of values"),
            ("values = [0.1]", "values = [0.1]\nrange = [1, 2]", "sweep.toml:10:1: parameter \"mu\" needs one of values = [...], range = [a, b], distribution = { ... } and value = \"formula\", and has "
             "values and range"),
            ("values = [0.1]", "values = [0.1]\nunti = \"m\"", "sweep.toml:10:1: unknown key \"unti\" in [[parameter]]; did you mean \"unit\"?"),
            ("values = [0.1]", "range = [0.1, 0.1]", "sweep.toml:9:1: range = [0.1, 0.1]: [least, largest], two numbers, the first below the second, is wanted"),
            ("values = [0.1]", "values = [0.1]\nwhole = true", "sweep.toml:10:1: whole rounds ranges"),
            ("name = \"mu\"", "name = \"pi\"", "sweep.toml:7:1: name = \"pi\": formulas take this word for something else"),
            ("name = \"mu\"", "name = \"status\"", "sweep.toml:7:1: \"status\" is the name of a column of the table already"),
            ("name = \"rebound\"", "name = \"e\"", "sweep.toml:11:1: \"e\" is the name of a parameter, and so of a column of the table already"),
            ("name = \"rebound\"", "name = \"time\"", "sweep.toml:11:1: \"time\" is the name of a column of the table already"),
            ("values = [0.1]", "range = [0.1, 0.2]", "sweep.toml:9:1: parameter \"mu\" needs steps = N in a grid"),
            ("values = [0.1]", "range = [0, 0.2]\nsteps = 3\nscale = \"log\"", "sweep.toml:9:1: scale = \"log\" needs a range above 0"),
            ("values = [0.1]", "distribution = { kind = \"norml\", mean = 1 }", "sweep.toml:9:1: kind = \"norml\": one of uniform, normal, lognormal, triangular is wanted; did you mean \"normal\"?"),
            ("values = [0.1]", "value = \"2 * ee\"", "sweep.toml:9:1: \"2 * ee\": there is no parameter ee"),
            ("values = [0.1]", "value = \"2 * mu\"", "sweep.toml:9:1: \"2 * mu\" needs mu itself"),
            ("values = [0.1]", "value = \"log(e - 0.3)\"", "\"log(e - 0.3)\" has no finite value at e = 0.3"),
            ("material.m.friction", "material.m.restitution", "sweep.toml:8:1: material.m.restitution is set by parameter \"e\" as well"),
            ("material.m.friction", "material.m.fricton", "sweep.toml:8:1: unknown key \"fricton\"; did you mean \"friction\"?; this is material.m.fricton of hit.toml"),
            ("name = \"mu\"", "name = \"e\"", "sweep.toml:7:1: there are two parameters \"e\""),
            ("name = \"mu\"", "name = \"m u\"", "sweep.toml:7:1: name = \"m u\": letters, digits and _ are wanted"),
            ("column = \"body.vz\"", "column = \"2 * \"", "sweep.toml:12:1: \"2 * \" is no formula"),
            ("column = \"body.vz\"", "kind = \"angle\"", "sweep.toml:12:1: kind = \"angle\": one of column, angle_of_repose"),
            ("take = \"max\"", "take = \"maximum\"", "take = \"maximum\": one of last, first"),
            ("take = \"max\"", "take = \"max\"\nfrom = 2\nto = 1", "from = 2 has to lie before to = 1"),
            ("scene = ", "method = \"sobl\"\nscene = ", "sweep.toml:1:1: method = \"sobl\": one of grid, latin, sobol is wanted"),
            ("scene = ", "method = \"sobol\"\nscene = ", "the file needs points = "),
            ("scene = ", "points = 3\nscene = ", "sweep.toml:1:1: points goes with method"),
            ("scene = ", "repeats = 3\nscene = ", "sweep.toml:1:1: repeats = 3 of the same scene would all give the same bits"),
            ("scene = ", "also = \"exel\"\nscene = ", "sweep.toml:1:1: also = \"exel\": hdf5 or parquet is wanted"),
            ("scene = ", "threads = 0\nscene = ", "sweep.toml:1:1: threads = 0: a whole number of at least 1 is wanted"))

        def read(text):
            (self.folder / "sweep.toml").write_text(text)
            Sweep("sweep.toml")

        check_refusals(self, whole, cases, lambda old, new: "fricton" in new or "[0.3, 0.6" in old, lambda text: self.sweep(text, code=2)[1], read, Problem)

    def test_threads_that_no_run_would_take(self):
        """Refused once, before anything is written; a script for other machines may ask for more than this one has."""
        most = max(64, 4 * os.cpu_count())
        text = TWO.format(mu="values = [0.1]").replace("[[parameter]]", "  threads = 100000\n[[parameter]]", 1)
        for more in ((), ("--dry-run",)):
            _, err = self.sweep(text, *more, code=2)
            self.assertEqual(err, f"error: sweep.toml:2:3: threads = 100000: at most {most} are taken on this machine\n")
            self.assertFalse((self.folder / "out").exists())
        out, _ = self.sweep(text, "--dry-run", "--threads", "1")
        self.assertIn("2 runs", out)
        self.sweep(text, "--slurm")
        self.assertIn("--threads 100000", (self.folder / "out" / "sweep.sbatch").read_text())

    def test_folders_of_others_are_left_alone(self):
        text = TWO.format(mu="values = [0.1]")
        (self.folder / "out").mkdir()
        (self.folder / "out" / "mine.txt").write_text("mine")
        _, err = self.sweep(text, "--overwrite", code=2)
        self.assertIn("-o out: this folder holds other things", err)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["mine.txt"])
        _, err = self.scree("sweep", "no.toml", code=2)
        self.assertIn("no.toml: there is no such file", err)
        (self.folder / "out" / "mine.txt").unlink()
        (self.folder / "out").rmdir()
        _, err = self.sweep(text, "--collect", code=2)
        self.assertIn("out holds no runs of a sweep yet", err)


if __name__ == "__main__":
    unittest.main()
