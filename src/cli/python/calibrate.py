"""`scree calibrate`: finds settings of scenes such that runs give what was measured, says how sure they are, and writes a page on it.

Called by the program (src/cli/many_runs_command.cpp), with its options as one JSON document. docs/sweeps.md says what the file may hold.
"""
import os

# Matrices are small: threads that wait for each other, beside runs, make these slower by far. Before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from scree_run import Problem, run_script, write_whole  # noqa: E402

import json  # noqa: E402
import math  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

import calibration  # noqa: E402
import calibration_page  # noqa: E402
import many_runs  # noqa: E402
import responses  # noqa: E402
from calibration import Calibration  # noqa: E402
from samples import need_scipy, unit_points  # noqa: E402
from sweep import as_csv, default_folder  # noqa: E402
from toml_places import is_number, shown_value  # noqa: E402

LEVELS = (0.025, 0.16, 0.5, 0.84, 0.975)
PENALTY = 1e6  # misfit of a point at which a run failed, for the simplex


class Stopped(Exception):
    """A signal asked for it."""


def read_evaluations(path):
    """What Search.evaluate has listed: values, way and draw of each evaluation that was ever begun; nothing where there is no file. Throws Problem where it is damaged."""
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        wrong = "" if isinstance(listed, list) and all(map(is_evaluation, listed)) else "it is no list of evaluations"
    except FileNotFoundError:
        return []
    except OSError as problem:
        wrong = problem.strerror
    except ValueError as problem:
        wrong = str(problem)
    if wrong:
        raise Problem(f"{path}: the evaluations of earlier calls cannot be read: {wrong}. Restore this file, or remove it: the search then begins anew, with those runs that it asks for again and "
                      "that are there")
    return listed


def is_evaluation(entry):
    return (isinstance(entry, dict) and set(entry) == {"values", "way", "draw"} and isinstance(entry["way"], str) and isinstance(entry["draw"], int)
            and isinstance(entry["values"], dict) and all(is_number(value) for value in entry["values"].values()))


class Search:
    """Evaluates points, those of an earlier call first, until the runs are used up. Throws Problem where the list of those is damaged."""

    def __init__(self, calibration, store, pool, batch):
        self.c, self.store, self.pool, self.batch = calibration, store, pool, batch
        self.done = []  # evaluations whose runs have ended, in their order
        self._file = store.folder / "evaluations.json"
        self._listed = []  # all that were ever begun: values and way
        self._earlier = read_evaluations(self._file)

    def take_up(self):
        """Evaluations of an earlier call: those that have ended, and runs those that were cut off."""
        known, strange = [], 0
        for entry in self._earlier:
            if self.c.x_of(entry["values"]) is None:
                strange += 1
                continue
            one = self.c.evaluation(entry["values"], entry["way"], entry["draw"])
            if all(job.identity() in self.store.numbers for job in one.jobs):
                known.append(one)
            else:
                strange += 1
        if strange:
            print(f"{strange} evaluations of before are of other bounds, scenes or settings, and are left out")
        if known:
            print(f"{self.store.folder} has {len(known)} evaluations from before")
            self.evaluate(known)

    def left(self):
        return self.c.evaluations - len(self.done)

    def evaluate(self, evaluations):
        """Runs them all, several at a time, and reads their results. Throws Stopped where a signal came before."""
        for one in evaluations:
            self.store.add(one.jobs)
            entry = {"values": one.values, "way": one.way, "draw": one.draw}
            if entry not in self._listed:
                self._listed.append(entry)
        write_whole(self._file, json.dumps(self._listed, indent=1))
        self.pool.run(self.store.waiting([job for one in evaluations for job in one.jobs], self.pool.retry))
        ended = [self.c.read(one, self.store) for one in evaluations]
        self.done += [one for one, whole in zip(evaluations, ended) if whole]
        if self.pool.stopped or not all(ended):
            raise Stopped
        for one in evaluations:
            for reason in one.reasons:
                print(f"  {reason}")

    def evaluate_at(self, points, way):
        first = 1 + max((entry["draw"] for entry in self._listed), default=-1)
        self.evaluate([self.c.evaluation(self.c.values_at(x), way, first + k if self.c.method == "bayesian" else 0) for k, x in enumerate(points)])

    def good(self):
        """Evaluations that have a value of every target."""
        return [one for one in self.done if one.misfit(self.c.targets) is not None]

    def model(self):
        """Of what is known so far; None where that is too little."""
        good = self.good()
        if len(good) < len(self.c.unknowns) + 1:
            return None
        data = []
        for target in self.c.targets:
            x = np.array([one.x for one in good for _ in one.found[target.name]])
            data.append((x, np.array([value for one in good for value in one.found[target.name]])))
        return responses.Model(data, [one.value for one in self.c.targets], [one.tolerance for one in self.c.targets], self.c.seed)

    def bayesian(self):
        start = unit_points("sobol", len(self.c.unknowns), self.c.start, self.c.seed)
        missing = start[len(self.done):]
        if len(missing):
            self.evaluate_at(missing, "start")
        while self.left() > 1:
            model = self.model()
            if model is None:
                raise self._too_few()
            failed = [one.x for one in self.done if one.misfit(self.c.targets) is None]
            known, chosen = np.array([one.x for one in self.good()]), []
            for k in range(min(self.batch, self.left() - 1)):
                chosen.append(model.next_point(known, failed, len(self.done) + k))
                if k + 1 < self.batch:
                    model, known = model.believing(chosen[-1][None]), np.vstack([known, chosen[-1]])
            self.evaluate_at(chosen, "search")
            self._tell()
        if self.left() == 1:
            model = self.model()
            if model is None:
                raise self._too_few()
            self.evaluate_at([model.best()], "best")
            self._tell()

    def _too_few(self):
        return Problem(f"{len(self.done) - len(self.good())} of {len(self.done)} evaluations have no value of some target: {self._reasons()}; narrow the ranges, or change tests or "
                       "targets")

    def _reasons(self):
        return next((one.reasons[0] for one in self.done if one.reasons), "no reason was given")

    def _tell(self):
        good = [one.misfit(self.c.targets) for one in self.good()]
        if good:
            print(f"  {len(self.done)} of {self.c.evaluations} evaluations, least misfit {min(good):.4g}", flush=True)

    def nelder_mead(self):
        from scipy import optimize
        size = len(self.c.unknowns)
        known = {tuple(one.values.values()): one for one in self.done}

        def misfit(x):
            values = self.c.values_at(np.clip(x, 0, 1))
            one = known.get(tuple(values.values()))
            if one is None:
                if self.left() <= 0:
                    raise StopIteration
                self.evaluate_at([np.clip(x, 0, 1)], "search")
                one = known[tuple(values.values())] = self.done[-1]
                self._tell()
            found = one.misfit(self.c.targets)
            return PENALTY if found is None else found
        simplex = np.full((size + 1, size), 0.4)
        for k in range(size):
            simplex[k + 1, k] = 0.65
        try:
            optimize.minimize(misfit, simplex[0], method="Nelder-Mead", bounds=[(0, 1)] * size,
                              options={"initial_simplex": simplex, "maxfev": 100 * self.c.evaluations, "xatol": 1e-4, "fatol": 1e-4})
        except StopIteration:
            pass


def conclusions(search):
    """What is known at the end: best values, intervals, correlation, targets, as plain numbers; and the model, None where there is none."""
    c, good = search.c, search.good()
    nearest = min(good, key=lambda one: one.misfit(c.targets))
    model = None
    try:
        model = search.model()
    except Problem as problem:
        print(f"no confidence of the best values: {problem}", file=sys.stderr)
    if model is not None and (c.method == "bayesian" or len(good) >= 3 * len(c.unknowns)):
        x = model.best()
        points, weights = model.posterior()
    else:
        model, x, points = None, nearest.x, None
    values = c.values_at(x)
    found = {"method": c.method, "evaluations": len(search.done), "failed": len(search.done) - len(good), "runs": sum(len(one.jobs) for one in search.done), "unknowns": {}, "targets": {},
             "least_misfit": nearest.misfit(c.targets), "nearest": nearest.values, "remarks": []}
    for k, one in enumerate(c.unknowns):
        entry = {"best": values[one.name], "unit": one.unit, "keys": one.keys, "range": [one.quantile(0.0), one.quantile(1.0)]}
        if points is not None:
            at = [one.quantile(float(u)) for u in responses.quantiles(points[:, k], weights, LEVELS)]
            entry |= {"68%": [at[1], at[3]], "95%": [at[0], at[4]], "median": at[2]}
            share = float(np.diff(responses.quantiles(points[:, k], weights, (0.16, 0.84)))[0])
            if share > 0.5:
                found["remarks"].append(f"the targets hardly tell {one.name}: 68 % of its probability take {100 * share:.0f} % of its range; add a target that depends on it")
        if min(x[k], 1 - x[k]) < 0.005:
            found["remarks"].append(f"{one.name} is at the border of its range: widen it")
        found["unknowns"][one.name] = entry
    if points is not None and len(c.unknowns) > 1:
        found["correlation"] = correlation(points, weights).tolist()
    means, variances = model.at(x[None]) if model is not None else (None, None)
    for k, one in enumerate(c.targets):
        entry = {"test": one.test.name, "unit": one.unit, "measured": one.value, "tolerance": one.tolerance, "nearest_run": nearest.mean(one)}
        entry["at_best"] = float(means[k, 0]) if model is not None else nearest.mean(one)
        entry["at_best_deviation"] = math.sqrt(variances[k, 0]) if model is not None else None
        entry["scatter"] = model.responses[k].scatter() if model is not None else None
        entry["missed_by"] = (entry["at_best"] - one.value) / one.tolerance
        if abs(entry["missed_by"]) > 2:
            missed = f"missed by {abs(entry['missed_by']):.1f} tolerances"
            found["remarks"].append(f"no values in these ranges give {one.name} together with the other targets: it is {missed}" if model is not None else
                                    f"{one.name} is {missed} at the best values found: give the search more runs, or wider ranges")
        found["targets"][one.name] = entry
    return found, model, x


def correlation(points, weights):
    offset = points - weights @ points
    covariance = (offset * weights[:, None]).T @ offset
    deviation = np.sqrt(np.diag(covariance))
    return covariance / np.outer(deviation, deviation)


def write_evaluations(search):
    c = search.c
    names = [*calibration.COLUMNS[:2], *(one.name for one in c.unknowns), *(name for one in c.targets for name in (one.name, f"{one.name} deviation")), *calibration.COLUMNS[2:]]
    rows = []
    for k, one in enumerate(search.done):
        row = [k, one.way, *one.values.values()]
        for target in c.targets:
            values = one.found[target.name]
            row += [one.mean(target), float(np.std(values, ddof=1)) if len(values) > 1 else None]
        rows.append([*row, one.misfit(c.targets), " ".join(f"{job.number:04d}" for job in one.jobs), "; ".join(one.reasons)])
    write_whole(search.store.folder / "evaluations.csv", as_csv(names, rows))


def write_best(search, found, program):
    """best.toml, the settings of each test, and best_TEST/scene.toml, the scenes that run with them."""
    c, folder = search.c, search.store.folder
    values = {name: entry["best"] for name, entry in found["unknowns"].items()}
    lines = [f"# What {c.table.file} came to. These are values of --set, and of [set] in files of sweeps.\n"]
    for test in c.tests:
        settings = c.settings(test, values)
        lines.append(f"[{test.name if test.name.replace('_', '').replace('-', '').isalnum() and test.name.isascii() else shown_value(test.name)}]\n"
                     + "".join(f"{shown_value(key)} = {shown_value(value)}\n" for key, value in settings.items()))
        target = folder / f"best_{test.name}"
        made = subprocess.run([program, "run", str(test.scene.path), *many_runs.as_options(settings), "--steps", "0", "-q", "--overwrite", "-o", str(target)], capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            print(f"the scene of the best values cannot be written: {made.stderr.strip()}", file=sys.stderr)
            continue
        for path in target.iterdir():
            if path.name != "scene.toml":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    write_whole(folder / "best.toml", "\n".join(lines))
    write_whole(folder / "best.json", json.dumps(clean(found), indent=2))


def clean(value):
    from report_facts import clean as without_nan
    return without_nan(value)


def main(options):
    c = Calibration(options["file"])
    need_scipy("scree calibrate")
    if c.method == "bayesian":
        responses.need_sklearn("method = \"bayesian\"")
    threads = many_runs.threads_of(options, c)
    folder = Path(options["output"] or default_folder(options["file"]))
    middle = c.evaluation(c.values_at([0.5] * len(c.unknowns)), "start", 0)
    for test in c.tests:
        job = next(job for job in middle.jobs if job.test is test)
        places = {**c.places(), **{key: test.table.place("set") for key in test.fixed}, **{key: test.table.place("seeds") for key in test.seeds}}
        test.scene.check(options["program"], job.settings, test.table, places)
    at_a_time = many_runs.at_a_time(options, threads)
    if options["dry_run"]:
        print(f"{c.evaluations} evaluations of {c.runs_each} run{'s' * (c.runs_each > 1)} each by {c.method}, {at_a_time} runs at a time, into {folder}")
        for one in c.unknowns:
            print(f"  {one.name}: {', '.join(one.keys)} from {one.quantile(0.0):g} to {one.quantile(1.0):g} {one.unit}".rstrip())
        for one in c.targets:
            print(f"  {one.name} of {one.test.name}: {one.value:g} ± {one.tolerance:g} {one.unit}".rstrip())
        return
    store = many_runs.Store(folder, "calibration", options["overwrite"])
    if options["overwrite"]:
        (folder / "evaluations.json").unlink(missing_ok=True)
    pool = many_runs.Pool(store, options["program"], at_a_time, threads, c.limit)
    pool.retry = options["retry"]
    search = Search(c, store, pool, c.batch or max(1, at_a_time // c.runs_each))
    write_whole(folder / "calibration.toml", c.table.file.read_text(encoding="utf-8"))
    try:
        search.take_up()
        {"bayesian": search.bayesian, "nelder-mead": search.nelder_mead}[c.method]()
    except Stopped:
        write_evaluations(search)
        print("interrupted; the same call goes on", file=sys.stderr)
        sys.exit(many_runs.INTERRUPTED)
    write_evaluations(search)
    if not search.good():
        raise Problem(f"no evaluation has a value of every target: {search._reasons()}")
    found, model, x = conclusions(search)
    write_best(search, found, options["program"])
    write_whole(folder / "report.html", calibration_page.page(search, found, model, x))
    tell(found, folder)


def tell(found, folder):
    for name, entry in found["unknowns"].items():
        sure = f", 68 %: {entry['68%'][0]:.4g} to {entry['68%'][1]:.4g}, 95 %: {entry['95%'][0]:.4g} to {entry['95%'][1]:.4g}" if "68%" in entry else ""
        print(f"{name} = {entry['best']:.4g}{' ' * bool(entry['unit'])}{entry['unit']}{sure}")
    for name, entry in found["targets"].items():
        print(f"  {name}: {entry['at_best']:.5g}, measured {entry['measured']:.5g} ± {entry['tolerance']:.3g} {entry['unit']}".rstrip())
    for remark in found["remarks"]:
        print(f"note: {remark}")
    print(f"{found['evaluations']} evaluations, {found['runs']} runs: {folder / 'report.html'}, {folder / 'best.toml'}")


if __name__ == "__main__":
    run_script(main)
