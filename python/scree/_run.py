"""Runs that were written: frames, series, pictures."""

import collections.abc
import functools
import json
import os
import tempfile
import warnings

from . import _core
from ._simulation import Bodies
from ._tables import html_table, table_of


class Frame(Bodies):
    """One frame: bodies as in Simulation.bodies, read when they are first looked at."""

    _own = ("index", "step", "time", "count", "has_contacts")

    def __init__(self, run, index):
        self._run, self.index = run, index
        self.step, self.time, self.count, self.has_contacts = run.info(index)
        self._read = None
        super().__init__(None, self._state_once)

    def _state_once(self):
        if self._read is None:
            self._read = self._run.frame(self.index)
        return self._read

    @functools.cached_property
    def contacts(self):
        """As Simulation.contacts; empty where the run wrote none."""
        return self._run.contacts(self.index)

    def __len__(self):
        return self.count

    def __repr__(self):
        return f"<frame {self.index}: t = {self.time:.6g} s, {self.count} bodies>"


class Frames(collections.abc.Sequence):
    """Frames by number; slices are lists of them. Nothing is read before it is looked at."""

    def __init__(self, run):
        self._run = run

    def __len__(self):
        return len(self._run)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Frame(self._run, k) for k in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no frame {index}: there are {len(self)}")
        return Frame(self._run, index % len(self))

    @property
    def times(self):
        """[s]"""
        return [self._run.info(k)[1] for k in range(len(self))]

    def at(self, time):
        """The frame nearest to this time [s]."""
        times = self.times
        if not times:
            raise IndexError("there are no frames")
        return self[min(range(len(times)), key=lambda k: abs(times[k] - time))]


class Run:
    """A run directory, of a run that is done or goes on."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._core = _core.RunReader(self.path)
        self.frames = Frames(self._core)
        if self._core.damage():
            warnings.warn(self._core.damage(), RuntimeWarning, stacklevel=3)

    @property
    def series(self):
        """series.csv as a pandas DataFrame, or without pandas as a dict of arrays."""
        return table_of(self._core.series())

    @property
    def summary(self):
        """summary.json; empty where there is none yet."""
        return json.loads(self._core.summary() or "{}")

    @property
    def scene(self):
        """The text of the scene as it was run."""
        return self._core.scene()

    def picture(self, file, frame=-1, *, size=(800, 600), colour=""):
        """Draws a frame into a .png file, as `scree render` does; one that is there is replaced."""
        self._core.picture(os.fspath(file), frame, size[0], size[1], colour)

    def _repr_png_(self):
        if len(self.frames) == 0:
            return None
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "frame.png")
            self.picture(file)
            with open(file, "rb") as picture:
                return picture.read()

    def _repr_html_(self):
        summary = self.summary
        rows = {"frames": len(self.frames), "last time": f"{self.frames[-1].time:.6g} s" if len(self.frames) else "none"}
        rows.update({k: v for k, v in summary.items() if k in ("title", "exit_reason", "wall_seconds")})
        return html_table(f"Run in {self.path}", rows, self._repr_png_())

    def __repr__(self):
        return f"<scree.Run in {self.path}: {len(self.frames)} frames>"


def open_run(path):
    """Opens a run directory, or a file with frames. Raises SceneError. Warns (RuntimeWarning) where a run that has ended has frames that cannot be read: these are left out."""
    return Run(path)
