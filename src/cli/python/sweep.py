"""`scree sweep`: a scene over many settings, several runs at a time, into one table of results.

Called by the program (src/cli/many_runs_command.cpp), with its options as one JSON document. docs/sweeps.md says what the file may hold.
"""
from scree_run import Problem, Run, run_script, write_whole

import csv  # noqa: E402
import io  # noqa: E402
import math  # noqa: E402
import shlex  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

import many_runs  # noqa: E402
import samples  # noqa: E402
from reductions import NoValue, Reduction  # noqa: E402
from toml_places import read_toml  # noqa: E402

FACTS = ("status", "reason", "bodies", "steps", "time", "wall_seconds", "state_hash", "folder")


class Point(many_runs.Job):
    """A run of a sweep: which point it is of, which repeat, and the values of its parameters by name."""

    def __init__(self, scene, settings, words, point, repeat, seed, values):
        super().__init__(scene, settings, words)
        self.point, self.repeat, self.seed, self.values = point, repeat, seed, values


class Sweep:
    """What a file asks for. Throws Problem with the place of what is wrong."""

    def __init__(self, path):
        table = self.table = read_toml(path)
        scene = table.text("scene", required=True)
        self.scene_file = Path(path).parent / scene
        if not self.scene_file.is_file():
            raise table.problem(f"there is no scene {self.scene_file}", "scene")
        self.options = samples.program_options(table)
        self.threads, self.limit = table.integer("threads", 1, least=1), table.number("limit", above=0)
        self.also = table.texts("also")
        for one in self.also:
            check_format(table, one)
        method = table.word("method", samples.METHODS, "grid")
        seed = table.integer("seed", 1)
        self.parameters, ordered = samples.read_parameters(table.tables("parameter"))
        points = samples.free_points(self.parameters, table, method, seed)
        self.repeats, self.seed_keys, first = samples.read_repeats(table)
        fixed = samples.fixed_settings(table)
        self.results = read_results(table)
        slurm = table.table("slurm")
        self.slurm_options = slurm.texts("options")
        for one in self.slurm_options:
            if not one.isprintable():
                raise slurm.problem("each of options has to be on one line", "options")
        slurm.finish()
        table.finish()
        self._refuse_doubles(fixed)
        self._refuse_clashes()
        self.scene = many_runs.Scene(self.scene_file, self.options)
        self.jobs = []
        for k, free in enumerate(points):
            values = samples.complete(ordered, free)
            words = " ".join(f"{one.name}={shown(values[one.name])}" for one in self.parameters)
            for repeat in range(self.repeats):
                settings = {**fixed, **samples.settings_of(self.parameters, values), **{key: first + repeat for key in self.seed_keys}}
                self.jobs.append(Point(self.scene, settings, words + (f" repeat={repeat}" if self.repeats > 1 else ""), k, repeat, first + repeat if self.seed_keys else None, values))

    def _refuse_doubles(self, fixed):
        for one in self.parameters:
            for key in one.keys:
                if key in fixed:
                    raise one.table.problem(f"{key} is in [set] as well", "key")
                if key in self.seed_keys:
                    raise one.table.problem(f"{key} gets the seeds as well", "key")

    def _refuse_clashes(self):
        taken = {"run": "a column", "point": "a column", **(dict.fromkeys(("repeat", "seed"), "a column") if self.seed_keys else {}), **dict.fromkeys(FACTS, "a column"),
                 **({"repeats": "a column of points.csv"} if self.repeats > 1 else {})}
        for one in [*self.parameters, *self.results]:
            if one.name in taken:
                raise one.table.problem(f"\"{one.name}\" is the name of {taken[one.name]} of the table already: give another name", "name")
            taken[one.name] = "a parameter, and so of a column"

    def places(self):
        """Where the file sets each key."""
        found = {key: self.table.place("set") for key in samples.fixed_settings(self.table)}
        found |= {key: self.table.place("seeds") for key in self.seed_keys}
        return found | {key: one.table.place("key") for one in self.parameters for key in one.keys}


def shown(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def read_results(table):
    results, names = [], set()
    for one in table.tables("result", required=False):
        result = Reduction(one)
        one.finish()
        if result.name in names:
            raise one.problem(f"there are two results \"{result.name}\": give one another name", "name")
        names.add(result.name)
        results.append(result)
    return results


def check_format(table, name):
    """Refuses tables that cannot be written."""
    if name == "parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise table.problem("Parquet needs pyarrow, which Debian 12 does not have and this Python lacks: results.csv is always written, and also = \"hdf5\" writes "
                                "results.h5", "also") from None
    elif name != "hdf5":
        raise table.problem(f"also = \"{name}\": hdf5 or parquet is wanted, beside results.csv", "also")


def results_of(store, job, results):
    """(values by name, None where there is none; why not) of a run that is done."""
    values, reasons = dict.fromkeys((one.name for one in results)), []
    if not results:
        return values, reasons
    try:
        run = Run(store.directory(job))
    except Problem as problem:
        return values, [str(problem)]
    for one in results:
        try:
            values[one.name] = one.value(run)
        except (NoValue, Problem) as problem:
            reasons.append(f"{one.name}: {problem}")
    return values, reasons


def rows_of(sweep, store):
    """The table: names of columns, and a list for each run."""
    names = ["run", "point", *(["repeat", "seed"] if sweep.seed_keys else []), *(one.name for one in sweep.parameters), *(one.name for one in sweep.results), *FACTS]
    rows = []
    for job in sweep.jobs:
        record = store.record(job) or {"status": "waiting", "reason": ""}
        values, reasons = results_of(store, job, sweep.results) if record["status"] == "done" else (dict.fromkeys((one.name for one in sweep.results)), [])
        row = [job.number, job.point, *([job.repeat, job.seed] if sweep.seed_keys else []), *(job.values[one.name] for one in sweep.parameters), *values.values()]
        facts = {**record, "reason": "; ".join([record["reason"] or "", *reasons]).strip("; "), "folder": str(store.directory(job).relative_to(store.folder))}
        rows.append(row + [facts.get(key) for key in FACTS])
    return names, rows


def as_csv(names, rows):
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(names)
    out.writerows([["" if cell is None else cell for cell in row] for row in rows])
    return text.getvalue()


def means_of(sweep, names, rows):
    """Of each point the parameters, how many repeats are done, and of each result mean and deviation (of a sample) over them."""
    results = [one.name for one in sweep.results]
    head = ["point", *(one.name for one in sweep.parameters), "repeats", *(f"{name}{end}" for name in results for end in ("", " deviation"))]
    table = {}
    for row in rows:
        table.setdefault(row[names.index("point")], []).append(row)
    found = []
    for point, group in table.items():
        line = [point, *(group[0][names.index(one.name)] for one in sweep.parameters), sum(row[names.index("status")] == "done" for row in group)]
        for name in results:
            values = [row[names.index(name)] for row in group if row[names.index(name)] is not None]
            line += [float(np.mean(values)) if values else None, float(np.std(values, ddof=1)) if len(values) > 1 else None]
        found.append(line)
    return head, found


def write_tables(sweep, store):
    names, rows = rows_of(sweep, store)
    write_whole(store.folder / "results.csv", as_csv(names, rows))
    if sweep.repeats > 1:
        write_whole(store.folder / "points.csv", as_csv(*means_of(sweep, names, rows)))
    if "hdf5" in sweep.also:
        write_hdf5(store.folder / "results.h5", names, rows)
    if "parquet" in sweep.also:
        import pyarrow
        import pyarrow.parquet
        pyarrow.parquet.write_table(pyarrow.table({name: [row[k] for row in rows] for k, name in enumerate(names)}), store.folder / "results.parquet")
    return names, rows


def write_hdf5(path, names, rows):
    """A dataset for each column: numbers, nan where there is none, or text. "/" in a name, which would part groups, becomes "÷"."""
    import h5py
    part = Path(f"{path}.part")
    with h5py.File(part, "w") as file:
        for k, name in enumerate(one.replace("/", "÷") for one in names):
            cells = [row[k] for row in rows]
            if all(cell is None or isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells):
                file[name] = np.array([math.nan if cell is None else cell for cell in cells], dtype=float)
            else:
                file.create_dataset(name, data=["" if cell is None else str(cell) for cell in cells], dtype=h5py.string_dtype())
    part.replace(path)


def write_slurm(sweep, store, options, threads):
    """The script of an array, a task for each run that has not ended; says how to submit it."""
    waiting = store.waiting(sweep.jobs, options["retry"])
    if not waiting:
        print("every run has ended: there is nothing for an array to do")
        return
    limit = f"%{options['jobs']}" if options["jobs"] else ""
    extra = "".join(f"#SBATCH {one}\n" for one in sweep.slurm_options)
    folder = store.folder.resolve()
    call = [options["program"], "sweep", str(sweep.table.file.resolve()), "-o", str(folder), "--threads", str(threads)]
    script = folder / "sweep.sbatch"
    write_whole(script, f"#!/bin/sh\n# The runs of {sweep.table.file} that have not ended, each a task: sbatch {shlex.quote(str(script))}\n# Afterwards the table: {shlex.join([*call[:5], '--collect'])}\n"
                        f"#SBATCH --job-name=scree-sweep\n#SBATCH --array={ranges([job.number for job in waiting])}{limit}\n#SBATCH --cpus-per-task={threads}\n"
                        f"#SBATCH --output={folder}/runs/slurm-%a.log\n{extra}\nexec {shlex.join(call)} --run \"$SLURM_ARRAY_TASK_ID\"{' --retry' if options['retry'] else ''}\n")
    print(f"{len(waiting)} tasks: sbatch {script}\nand once they have ended: {shlex.join(['scree', *call[1:5], '--collect'])}")


def ranges(numbers):
    """"0-3,7" of 0, 1, 2, 3 and 7."""
    text, numbers = [], sorted(numbers)
    for number in numbers:
        if text and number == text[-1][1] + 1:
            text[-1][1] = number
        else:
            text.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in text)


def run_one(sweep, options, threads, folder):
    """The run of one number, for an array."""
    if not (folder / "plan.json").exists():
        raise Problem(f"{folder} holds no plan of runs: `scree sweep {sweep.table.file} -o {folder} --slurm` makes it")
    store = many_runs.Store(folder, "sweep", alone=False)
    known = dict(store.numbers)
    job = next((one for one in sweep.jobs if known.get(one.identity()) == options["run"]), None)
    if job is None:
        raise Problem(f"--run {options['run']}: the plan in {folder} has no such run of this file; call --slurm again after changes")
    job.number = options["run"]
    if not store.waiting([job], options["retry"]):
        print(f"{job.number:04d}  {job.words}  has ended before")
        return 0 if store.record(job)["status"] == "done" else 1
    pool = many_runs.Pool(store, options["program"], 1, threads, sweep.limit)
    pool.run([job])
    return {"done": 0, "failed": 1}.get(store.record(job)["status"], many_runs.INTERRUPTED)


def default_folder(path):
    return Path("runs") / Path(path).stem


def main(options):
    sweep = Sweep(options["file"])
    threads = many_runs.threads_of(options, sweep)
    folder = Path(options["output"] or default_folder(options["file"]))
    if options["run"] >= 0:
        sys.exit(run_one(sweep, options, threads, folder))
    if not options["collect"]:
        sweep.scene.check(options["program"], sweep.jobs[0].settings, sweep.table, sweep.places())
    if options["dry_run"]:
        for job in sweep.jobs:
            print(f"{job.point:04d}  {job.words}")
        print(f"{len(sweep.jobs)} runs, {many_runs.at_a_time(options, threads)} at a time, into {folder}")
        return
    if options["collect"] and not (folder / "plan.json").exists():
        raise Problem(f"{folder} holds no runs of a sweep yet")
    store = many_runs.Store(folder, "sweep", options["overwrite"], alone=not options["collect"])
    earlier = len(store.numbers)
    new = store.add(sweep.jobs)
    write_whole(folder / "sweep.toml", sweep.table.file.read_text(encoding="utf-8"))
    if earlier:
        kept, left = len({job.number for job in sweep.jobs}) - new, earlier - (len({job.number for job in sweep.jobs}) - new)
        print(f"{folder} has {kept} of these runs from before{f', {new} are new' if new else ''}"
              + (f"; {left} that it has are not in the file, or are of another scene: they stay, and are left out of the table" if left else ""))
    if options["slurm"]:
        write_slurm(sweep, store, options, threads)
        return
    pool = None
    if not options["collect"]:
        pool = many_runs.Pool(store, options["program"], many_runs.at_a_time(options, threads), threads, sweep.limit)
        pool.run(store.waiting(sweep.jobs, options["retry"]))
    names, rows = write_tables(sweep, store)
    finish(folder, names, rows, pool)


def finish(folder, names, rows, pool):
    """Says what came of it, and ends with the code of that."""
    status = [row[names.index("status")] for row in rows]
    failed, left = status.count("failed"), len(status) - status.count("failed") - status.count("done")
    without = sum(one == "done" and bool(row[names.index("reason")].strip()) and row[names.index("reason")] != "done" for one, row in zip(status, rows))
    print(f"{status.count('done')} of {len(status)} runs done" + (f", {failed} failed" if failed else "") + (f", {left} not yet" if left else "")
          + (f", {without} without some result (see reason)" if without else "") + f": {folder / 'results.csv'}")
    if pool is not None and pool.stopped and left:
        print("interrupted; the same call goes on", file=sys.stderr)
        sys.exit(many_runs.INTERRUPTED)
    sys.exit(1 if failed or pool is not None and left else 0)


if __name__ == "__main__":
    run_script(main)
