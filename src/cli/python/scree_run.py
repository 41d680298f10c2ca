"""What a run directory holds, for scripts that draw and report: scene, summary, warnings, tables of series, and frames.

Columns are called NAME.COLUMN, as in series.csv; further tables of the folder are read as well, see `Run.tables`. Numbers are SI, times simulated.
docs/output.md says what each column is; units and quantities stand in units.py.
"""
import csv
import difflib
import fnmatch
import json
import os
import signal
import sys
import time as clock
import tomllib
from pathlib import Path

# Loading modules may take seconds. Ctrl-C then ends a script of the program at once, without a word; from run_script() on it may clean up.
_HEEDS_CTRL_C = sys.argv[1:2] != [] and sys.argv[1].startswith("{") and signal.getsignal(signal.SIGINT) == signal.default_int_handler
if _HEEDS_CTRL_C:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

QUIET_SECONDS = 600  # after which a run that left no summary counts as dead
NEEDED = ("position", "radius", "mass")  # what no frame lacks
NO_MODULES = 76  # exit code by which the program knows that this Python lacks what is imported (src/cli/python_script.cpp)

try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError:
    sys.exit(NO_MODULES)

matplotlib.use("Agg")

import units  # noqa: E402


class Problem(Exception):
    """The user's mistake: what is wrong, where, and what to change."""


def run_script(main):
    """Calls main(arguments) with the JSON document that the program gives; a Problem ends it with code 2, Ctrl-C with 130."""
    if _HEEDS_CTRL_C:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(json.loads(sys.argv[1]))
        sys.stdout.flush()
    except Problem as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as problem:
        print(f"error: {problem.filename or ''}: {problem.strerror or problem}", file=sys.stderr)
        sys.exit(1)


def write_whole(path, text):
    """Writes a file such that it is never there in part."""
    part = Path(f"{path}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def number(cell):
    """A cell of a table: NaN where it is empty."""
    return float(cell) if cell and cell.strip() else float("nan")


def read_table(path):
    """Names of columns, and their values as arrays of one length, of a CSV file whose first line names them; empty cells are NaN, lines that begin
    with # are left out. A last line that is cut short, of a run that goes on, is dropped. Throws Problem with file and line."""
    names, rows, numbers = None, [], []
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        reader = csv.reader(file)
        for row in reader:
            if not row or row[0].lstrip().startswith("#"):
                continue
            if names is None:
                names = [cell.strip() for cell in row]
            else:
                rows.append(row)
                numbers.append(reader.line_num)
    if names is None:
        raise Problem(f"{path}: this table is empty; its first line should name its columns")
    if rows and len(rows[-1]) < len(names):
        rows.pop()
    for line, row in zip(numbers, rows):
        if len(row) != len(names):
            raise Problem(f"{path}:{line}: {len(row)} cells, but the first line names {len(names)} columns")
    columns = []
    for k, name in enumerate(names):
        try:
            columns.append(np.array([row[k] if row[k].strip() else "nan" for row in rows], dtype=float))
        except ValueError:
            for line, row in zip(numbers, rows):
                try:
                    number(row[k])
                except ValueError:
                    raise Problem(f"{path}:{line}: \"{row[k]}\" in column \"{name}\" is no number") from None
    return names, columns


class Column:
    """One column of a table: its `name` (NAME.COLUMN), the `unit` and the `quantity` it stands for, its values `y` over `x`, and of x the name
    and the unit. `kind` is "series", or "distribution" and "profile" of a frame; profiles, over height, are drawn with height along the vertical axis."""

    def __init__(self, name, unit, quantity, x, y, x_name="time", x_unit="s", kind="series", label=""):
        self.name, self.unit, self.quantity, self.x, self.y = name, unit, quantity, x, y
        self.x_name, self.x_unit, self.kind, self.label = x_name, x_unit, kind, label

    def group(self):
        """What comes before the last part of its name."""
        return self.name.rsplit(".", 1)[0] if "." in self.name else self.name

    def own(self):
        return self.name.rsplit(".", 1)[-1]


class Run:
    """A run directory. Throws Problem where its files cannot be read."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = self.folder.name or self.folder.resolve().name
        if self.name in ("", ".", ".."):
            self.name = self.folder.resolve().name
        scene = self.folder / "scene.toml"
        try:
            self.scene = tomllib.loads(scene.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise Problem(f"{scene}: {problem}; give a run directory as `scree run` wrote it") from None
        summary = self.folder / "summary.json"
        try:
            self.summary = json.loads(summary.read_text(encoding="utf-8")) if summary.exists() else {}
        except ValueError as problem:
            raise Problem(f"{summary}: {problem}") from None
        self.two_dimensional = self.scene.get("dimensions", 3) == 2
        self._columns = None
        self._names, self._damage = None, None  # of frames that are whole; see _whole_frames

    def warnings(self):
        """Warnings and errors of log.txt with their wall-clock times, then those that only the summary has, and that frames are damaged."""
        found = []
        log = self.folder / "log.txt"
        if log.exists():
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                parts = line.split("  ", 2)
                if len(parts) == 3 and parts[1] in ("warning", "error", "critical"):
                    found.append({"at": parts[0], "level": parts[1], "text": parts[2]})
        known = {entry["text"] for entry in found}
        more = [text for text in self.summary.get("warnings", []) if text not in known] + ([self.damage()] if self.damage() else [])
        return found + [{"at": None, "level": "warning", "text": text} for text in more]

    def columns(self):
        """All columns of time series by name, in the order of the files: series.csv, the steps of solver.csv as steps.COLUMN, bonds that broke as
        broken.WAY, and of any other table FILE.csv numbers as FILE.COLUMN over its first column, or its time."""
        if self._columns is None:
            self._columns = {}
            for column in self._read_columns():
                self._columns.setdefault(column.name, column)
        return self._columns

    def _read_columns(self):
        series = self.folder / "series.csv"
        if series.exists():
            names, values = read_table(series)
            yield from self._over_time(names, values, lambda name: name)
        solver = self.folder / "solver.csv"
        if solver.exists():
            names, values = read_table(solver)
            yield from self._over_time(names, values, lambda name: f"steps.{name}")
        bonds = self.folder / "bonds.csv"
        if bonds.exists():
            yield from self._broken_bonds(bonds)
        known = {"series.csv", "solver.csv", "bonds.csv", "fragments.csv"}
        for path in sorted(self.folder.glob("*.csv")):
            if path.name in known:
                continue
            try:
                names, values = read_table(path)
            except Problem:
                continue  # a table of others, with words in it
            if "time" in names:
                yield from self._over_time(names, values, lambda name, path=path: f"{path.stem}.{name}")
            else:
                x_name, x_unit = units.split_label(names[0])
                for name, value in list(zip(names, values))[1:]:
                    label, unit = units.split_label(name)
                    yield Column(f"{path.stem}.{label}", unit, label, values[0], value, x_name, x_unit)

    def _over_time(self, names, values, rename):
        if "time" not in names:
            return
        time = values[names.index("time")]
        for name, value in zip(names, values):
            if name in ("step", "time"):
                continue
            unit, quantity = units.of_column(rename(name), self.scene)
            yield Column(rename(name), unit, quantity, time, value)

    def _broken_bonds(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row.get("time") and row.get("how")]
        end = self.summary.get("time")
        for way in ("tension", "shear", "bending"):
            times = sorted(float(row["time"]) for row in rows if row["how"] == way)
            if times:
                x = [0.0, *times] + ([end] if end else [])
                y = list(range(len(times) + 1)) + ([len(times)] if end else [])
                yield Column(f"broken.{way}", "", "number", np.array(x), np.array(y, dtype=float))

    def _goes_on(self, path):
        """May the run be writing this file?"""
        summary, changed = self.folder / "summary.json", path.stat().st_mtime
        return not (summary.exists() and summary.stat().st_mtime >= changed) and clock.time() - changed < QUIET_SECONDS

    def _whole_frames(self, file, path):
        """Names of the frames up to the first that cannot be read. Of a run that goes on that one is not whole yet; else the file is damaged."""
        if self._names is None:
            names = sorted(file.get("frames", {}))
            self._names, self._damage = names, None
            for k, name in enumerate(names):
                try:
                    frame = file["frames"][name]
                    float(frame.attrs["time"])
                    lacking = [array for array in NEEDED if array not in frame]
                    wrong = f"it has no {' and no '.join(lacking)}" if lacking else ""
                except (OSError, KeyError, TypeError, ValueError, RuntimeError) as problem:
                    wrong = str(problem)
                if wrong:
                    self._names = names[:k]
                    if not self._goes_on(path):
                        self._damage = f"{path}: frame {k}, /frames/{name}, cannot be read ({wrong}); left out are this frame and those after it, {len(names) - k} of {len(names)}"
                    break
        return self._names

    def damage(self):
        """Which frame of a run that has ended cannot be read, and why; None where all can. Such a frame and those after it are left out everywhere."""
        self.frame_times()
        return self._damage

    def frame(self, time=None):
        """The frame nearest to `time` (the last one without) as a dictionary of arrays with `time`, and `shapes`, names by number; None without frames.
        See `damage`."""
        path = self.folder / "state.h5"
        if not path.exists():
            return None
        try:
            with h5py.File(path) as file:
                frames, names = file.get("frames", {}), self._whole_frames(file, path)
                if not names:
                    return None
                if time is None:
                    chosen = frames[names[-1]]
                else:
                    chosen = min((frames[name] for name in names), key=lambda frame: abs(float(frame.attrs["time"]) - time))
                found = {name: chosen[name][:] for name in ("position", "velocity", "radius", "mass", "material", "shape", "owner") if name in chosen}
                if "contacts" in chosen:
                    found["contact_force"], found["contact_normal"] = chosen["contacts/force"][:], chosen["contacts/normal"][:]
                found["time"] = float(chosen.attrs["time"])
                found["shapes"] = {int(key): _text(group.attrs["name"]) for key, group in file["shapes"].items()} if "shapes" in file else {}
                found["materials"] = {}
                return found
        except (OSError, KeyError) as problem:
            raise Problem(f"{path}: frames cannot be read: {problem}") from None

    def frame_times(self):
        path = self.folder / "state.h5"
        if not path.exists():
            return []
        try:
            with h5py.File(path) as file:
                return [float(file["frames"][name].attrs["time"]) for name in self._whole_frames(file, path)]
        except (OSError, KeyError) as problem:
            raise Problem(f"{path}: frames cannot be read: {problem}") from None


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def warn_of_damage(runs):
    """Says on the terminal which frames are left out."""
    for run in runs:
        if run.damage():
            print(f"warning: {run.damage()}", file=sys.stderr)


def read_runs(folders):
    """Runs with names that differ: as much of the path as it takes."""
    runs = [Run(folder) for folder in folders]
    seen = set()
    for run in runs:
        path = run.folder.resolve()
        if path in seen:
            raise Problem(f"{run.folder} is given twice")
        seen.add(path)
    parts = 1
    while len({run.name for run in runs}) < len(runs):
        parts += 1
        for run in runs:
            run.name = "/".join(run.folder.resolve().parts[-parts:])
    return runs


def choose(patterns, known):
    """Names among `known` that the patterns match, in the order of `known`; a name without column stands for all of its columns. Throws Problem with
    near names where one matches nothing."""
    chosen = set()
    for pattern in patterns:
        found = [name for name in known if name == pattern] or fnmatch.filter(known, pattern) or [name for name in known if name.startswith(pattern + ".")]
        if not found:
            starts = sorted({name.rsplit(".", 1)[0] for name in known})
            near = difflib.get_close_matches(pattern, list(known) + starts, n=4, cutoff=0.5)
            near += [name for name in known if name.rsplit(".", 1)[-1] == pattern.rsplit(".", 1)[-1] and name not in near][:4 - len(near)]
            hint = f"near it: {', '.join(near)}" if near else "`scree plot RUN --list` says what there is"
            raise Problem(f"--series {pattern}: the runs have no such series; {hint}")
        chosen.update(found)
    return [name for name in known if name in chosen]
