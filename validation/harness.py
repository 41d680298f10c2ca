"""What every validation case shares: running scenes, reading run directories, and rows of the table of results.

A case is a folder of validation/ with a check.py that defines check(runner) -> list of Row, and may define SHOWN, patterns (as of
fnmatch) of the quantities that docs/validation.md shows; without it all are shown. Tables and pictures with a caption are shown there
as well. All quantities are in SI units unless a name says otherwise.
"""
import csv
import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

TIMEOUT = 900  # [s] of wall time for one run of scree; the longest takes about a minute


class CaseError(Exception):
    """A case that could not be carried through: scree failed, or wrote something else than expected."""


@dataclass
class Row:
    """One line of the table. `error` and `tolerance` share a unit; `measure` says in words what the error is.

    ranged: any value from reference - tolerance to reference + tolerance is as good as another.
    """

    quantity: str
    reference: float
    found: float
    error: float
    tolerance: float
    measure: str
    ranged: bool = False

    @property
    def passed(self):
        return bool(np.isfinite(self.error) and abs(self.error) <= self.tolerance)

    @property
    def ratio(self):
        """Error over tolerance; where nothing is tolerated, 0 for no error and infinity else."""
        if self.tolerance > 0:
            return abs(self.error) / self.tolerance
        return 0.0 if self.error == 0 else float("inf")


def load(path):
    """The module in a file, as for what lies beside a case's check.py."""
    path = Path(path)
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def relative(quantity, reference, found, tolerance):
    """A row whose error is |found - reference| / |reference|."""
    return Row(quantity, reference, found, abs(found - reference) / abs(reference), tolerance, "relative")


def largest(quantity, error, tolerance, measure):
    """A row for the largest or mean of many errors, or for a value that ought to be zero."""
    return Row(quantity, 0.0, float(error), float(error), tolerance, measure)


def within(quantity, low, high, found, unit):
    """A row that passes where low <= found <= high; the reference is the middle of the range."""
    middle = 0.5 * (low + high)
    return Row(quantity, middle, found, abs(found - middle), 0.5 * (high - low), f"absolute [{unit}]" if unit else "absolute", ranged=True)


class Run:
    """A finished run directory."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.summary = json.loads((self.directory / "summary.json").read_text())

    def frames(self):
        """All frames in order of time: dicts of "time" [s], the arrays of state.h5, and "contacts", a dict of arrays where written."""
        with h5py.File(self.directory / "state.h5") as file:
            return [read_frame(file["frames"][name]) for name in sorted(file["frames"])]

    def last_frame(self):
        with h5py.File(self.directory / "state.h5") as file:
            return read_frame(file["frames"][sorted(file["frames"])[-1]])

    def series(self):
        """Columns of series.csv as arrays; a blank cell is NaN."""
        with open(self.directory / "series.csv", newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def read_frame(group):
    """One frame of state.h5 as a dict."""
    frame = {name: np.asarray(item) for name, item in group.items() if isinstance(item, h5py.Dataset)}
    frame["time"] = float(group.attrs["time"])
    if "contacts" in group:
        frame["contacts"] = {name: np.asarray(item) for name, item in group["contacts"].items()}
    return frame


class Runner:
    """Runs scenes for one case. `folder`: of the case; `out`: where its runs and plots go."""

    def __init__(self, program, folder, out, precision="double", device="cpu", threads=1):
        self.program, self.folder, self.out = program, Path(folder), Path(out)
        self.precision, self.device, self.threads = precision, device, threads
        self.tables, self.pictures = [], []  # for docs/validation.md: (title, head, lines), (name, caption)
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)

    def either(self, double, mixed):
        """The first or second value, by the precision of contacts."""
        return double if self.precision == "double" else mixed

    def run(self, scene, name=None, files=None, **settings):
        """Runs a scene of the case's folder, or one that `files` holds; returns its Run.

        name: of the run directory; files: name -> text, written beside the scene; settings: scene keys, "__" for the dot, as
        time__step=1e-6. Raises CaseError where scree fails.
        """
        name = name or Path(scene).stem
        place = self.out / name
        place.mkdir()
        if scene not in (files or {}):
            shutil.copy(self.folder / scene, place / scene)
        for file, text in (files or {}).items():
            (place / file).write_text(text)
        command = [self.program, "run", place / scene, "-o", place / "run", "--threads", str(self.threads), "--precision", self.precision,
                   "--device", self.device, "--quiet"]
        for key, value in settings.items():
            command += ["--set", f"{key.replace('__', '.')}={json.dumps(value)}"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            raise CaseError(f"run {name} ended with exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
        return Run(place / "run")

    def table(self, title, head, lines):
        """A table for docs/validation.md: names of its columns, and lines of as many texts."""
        self.tables.append((title, head, lines))

    def plot(self, name, draw, caption=""):
        """Writes the picture NAME.png: draw(axes) fills it. One with a caption is shown in docs/validation.md.

        Does nothing where matplotlib is missing.
        """
        try:
            import matplotlib
        except ImportError:
            return
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6.4, 4.4), dpi=130)
        draw(axes)
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize=8)
        figure.tight_layout()
        figure.savefig(self.out / f"{name}.png")
        plt.close(figure)
        if caption:
            self.pictures.append((name, caption))


def bodies_file(columns, rows):
    """Text of a placement file: one line of column names, one line per body, all digits."""
    lines = [" ".join(columns)]
    lines += [" ".join(value if isinstance(value, str) else repr(float(value)) for value in row) for row in rows]
    return "\n".join(lines) + "\n"


def read_blocks(path):
    """Blocks of a reference file, apart by blank lines or comments: list of (comment before it, array of rows)."""
    blocks, title, rows = [], "", []
    for line in Path(path).read_text().splitlines() + [""]:
        if line.strip() and not line.startswith("#"):
            rows.append([float(word) for word in line.split()])
            continue
        if rows:
            blocks.append((title, np.array(rows)))
            rows = []
        title = line.lstrip("# ") if line.startswith("#") else title
    return blocks
