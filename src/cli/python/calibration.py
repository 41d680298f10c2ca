"""What the file of a calibration says: unknowns with bounds, tests (scenes) and targets, and what runs at given values came to."""
import math

import numpy as np

import many_runs
import samples
from pathlib import Path
from reductions import KINDS, NoValue, Reduction
from scree_run import Problem, Run
from toml_places import near, read_toml

METHODS = ("bayesian", "nelder-mead")
COLUMNS = ("evaluation", "stage", "misfit", "runs", "reason")  # of evaluations.csv, beside unknowns and targets


class Test:
    """A `[[test]]`: a scene that is run for each set of values, `repeats` times with other seeds."""

    def __init__(self, table, folder):
        self.table = table
        scene = table.text("scene", required=True)
        path = folder / scene
        if not path.is_file():
            raise table.problem(f"there is no scene {path}", "scene")
        self.name = table.text("name", path.stem)
        if "/" in self.name or self.name in (".", ".."):
            raise table.problem(f"name = \"{self.name}\": a name without / is wanted, since a folder is called best_NAME", "name")
        self.repeats, self.seeds, self.first = samples.read_repeats(table)
        self.fixed = samples.fixed_settings(table)
        self.scene = many_runs.Scene(path, samples.program_options(table))
        self.keys = None  # keys of unknowns that this scene has; all unless the table says which
        if table.has("unknowns"):
            self.keys = table.texts("unknowns")
        table.finish()


class Target:
    """A `[[target]]`: a number of a test's runs, what was measured, and the standard deviation of that."""

    def __init__(self, table, tests):
        self.table = table
        named = table.text("test", tests[0].name if len(tests) == 1 else None, required=len(tests) > 1)
        self.test = next((one for one in tests if one.name == named), None)
        if self.test is None:
            raise table.problem(f"there is no test \"{named}\"{near(named, [one.name for one in tests])}", "test")
        self.reduction = Reduction(table)
        self.name, self.unit = self.reduction.name, table.text("unit", KINDS[self.reduction.kind][1])
        self.value, self.tolerance = table.number("value", required=True), table.number("tolerance", required=True, above=0)
        table.finish()


class Evaluation:
    """Values of the unknowns by name, the jobs that run them, and by target the values of the runs."""

    def __init__(self, values, x, way, draw):
        self.values, self.x, self.way, self.draw = values, np.array(x), way, draw
        self.jobs, self.found, self.reasons = [], {}, []

    def mean(self, target):
        values = self.found.get(target.name, [])
        return float(np.mean(values)) if values else None

    def misfit(self, targets):
        """Sum of squares of what is missed over tolerances; None where a target has no value."""
        means = [self.mean(one) for one in targets]
        return None if None in means else sum(((mean - one.value) / one.tolerance) ** 2 for mean, one in zip(means, targets))


class Calibration:
    """The file. Throws Problem with the place of what is wrong."""

    def __init__(self, path):
        table = self.table = read_toml(path)
        unknowns, derived = table.tables("unknown"), table.tables("parameter", required=False)
        if not unknowns:
            raise table.problem("a calibration needs at least one [[unknown]]", "unknown")
        for one in unknowns:
            if not one.has("range"):
                raise one.problem("an unknown needs range = [least, largest]")
            if one.has("steps") or one.has("whole"):
                raise one.problem("steps and whole are for sweeps", "steps" if one.has("steps") else "whole")
        for one in derived:
            if not one.has("value"):
                raise one.problem("a [[parameter]] of a calibration needs value = \"formula\" of unknowns")
        self.parameters, self._ordered = samples.read_parameters([*unknowns, *derived])
        self.unknowns = self.parameters[:len(unknowns)]
        if len(self.unknowns) > 12:
            raise unknowns[12].problem(f"these are {len(self.unknowns)} unknowns; 12 are the most")
        self.tests = [Test(one, Path(path).parent) for one in table.tables("test")]
        if not self.tests:
            raise table.problem("a calibration needs at least one [[test]]", "test")
        for k, one in enumerate(self.tests):
            if one.name in [other.name for other in self.tests[:k]]:
                raise one.table.problem(f"there are two tests \"{one.name}\": give one another name", "name")
            self._check_keys(one)
        self.targets = [Target(one, self.tests) for one in table.tables("target")]
        for k, one in enumerate(self.targets):
            if one.name in [other.name for other in self.targets[:k]]:
                raise one.table.problem(f"there are two targets \"{one.name}\": give one another name", "name")
        taken = dict.fromkeys(COLUMNS, "a column of evaluations.csv")
        for one in [*self.unknowns, *self.targets]:
            if one.name in taken:
                raise one.table.problem(f"\"{one.name}\" is {taken[one.name]} already: give another name", "name")
            taken[one.name] = "an unknown"
        for one in self.tests:
            if one not in [target.test for target in self.targets]:
                raise one.table.problem(f"no target is of the test \"{one.name}\": leave it out")
        self.threads, self.limit = table.integer("threads", 1, least=1), table.number("limit", above=0)
        search = table.table("search")
        self.runs_each = sum(one.repeats for one in self.tests)
        self.method = search.word("method", METHODS, "bayesian")
        self.runs = search.integer("runs", 30 * self.runs_each, least=1)
        self.evaluations = self.runs // self.runs_each
        few = len(self.unknowns) + 1  # that a model takes
        self.start = search.integer("start", max(4, few, min(4 * len(self.unknowns), self.evaluations // 3)), least=few)
        self.seed, self.batch = search.integer("seed", 1), search.integer("batch", None, least=1)
        least = self.start + 2 if self.method == "bayesian" else len(self.unknowns) + 2
        if self.evaluations < least:
            raise search.problem(f"runs = {self.runs} are {self.evaluations} evaluations of {self.runs_each} run{'s' * (self.runs_each > 1)} each; {least} are needed at least, "
                                 f"that is {least * self.runs_each} runs", "runs")
        search.finish()
        table.finish()

    def _check_keys(self, test):
        named = [one.name for one in self.parameters]
        for name in test.keys or ():
            if name not in named:
                raise test.table.problem(f"there is no unknown \"{name}\"{near(name, named)}", "unknowns")
        for one in self._of(test):
            for key in one.keys:
                if key in test.fixed or key in test.seeds:
                    raise one.table.problem(f"{key} is in set or seeds of test \"{test.name}\" as well", "key")

    def _of(self, test):
        return [one for one in self.parameters if test.keys is None or one.name in test.keys]

    def values_at(self, x):
        """Values of the unknowns by name, at x in [0, 1]; with six digits, as they stand in scenes."""
        return {one.name: float(f"{one.quantile(float(u)):.6g}") for one, u in zip(self.unknowns, x)}

    def x_of(self, values):
        """The other way round. None where a value is missing or not within the bounds."""
        x = []
        for one in self.unknowns:
            if one.name not in values:
                return None
            low, high = one.quantile(0.0), one.quantile(1.0)
            log = one.table.values.get("scale") == "log"
            place = (math.log(values[one.name] / low) / math.log(high / low)) if log else (values[one.name] - low) / (high - low)
            if not -1e-5 <= place <= 1 + 1e-5:
                return None
            x.append(min(max(place, 0.0), 1.0))
        return np.array(x)

    def settings(self, test, values):
        whole = samples.complete(self._ordered, values)
        return {**test.fixed, **samples.settings_of(self._of(test), whole)}

    def evaluation(self, values, way, draw):
        """The runs of a set of values. Each `draw` has seeds of its own: were they the same all through, so would be what one packing differs by from
        others, and the model would take it for the response. A simplex, which scatter leads astray, has draw 0 alone."""
        one = Evaluation(values, self.x_of(values), way, draw)
        words = " ".join(f"{name}={value:.5g}" for name, value in values.items())
        for test in self.tests:
            settings = self.settings(test, values)
            for repeat in range(test.repeats):
                job = many_runs.Job(test.scene, {**settings, **{key: test.first + draw * test.repeats + repeat for key in test.seeds}}, f"{test.name} {words}" + (f" repeat={repeat}" if test.repeats > 1 else ""))
                job.test = test
                one.jobs.append(job)
        return one

    def read(self, one, store):
        """Fills in what the runs of an evaluation came to. Whether all of them have ended."""
        one.found, one.reasons = {target.name: [] for target in self.targets}, []
        for job in one.jobs:
            record = store.record(job)
            if record is None or record["status"] == "cut":
                return False
            if record["status"] == "failed":
                one.reasons.append(f"run {job.number:04d}: {record['reason']}")
                continue
            try:
                run = Run(store.directory(job))
            except Problem as problem:
                one.reasons.append(str(problem))
                continue
            for target in self.targets:
                if target.test is job.test:
                    try:
                        one.found[target.name].append(target.reduction.value(run))
                    except NoValue as problem:
                        one.reasons.append(f"run {job.number:04d}, {target.name}: {problem}")
        return True

    def places(self):
        return {key: one.table.place("key") for one in self.parameters for key in one.keys}
