"""scree plot: the three kinds of files, that what is drawn is what the tables hold, several runs and data of others beside, distributions, and wrong input."""

import csv
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from program import PROGRAM, ProgramTest

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

# Four balls of 2 mm and four of 3 mm fall on a floor.
SCENE = """
title = "Eight balls"
[time]
step = 2e-5
end = 0.03
[material.glass]
density = 2500
young = 5e6
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.small]
kind = "sphere"
radius = 2e-3
[shape.large]
kind = "sphere"
radius = 3e-3
[[bodies]]
shape = "small"
material = "glass"
place = { lattice = [2, 2, 1], spacing = 0.007, origin = [0, 0, 0.004] }
velocity = [0.1, 0, -0.3]
[[bodies]]
shape = "large"
material = "glass"
place = { lattice = [2, 2, 1], spacing = 0.007, origin = [0, 0, 0.011] }
velocity = [0, 0, -0.5]
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "glass"
[[measure]]
kind = "energy"
every = 5e-4
[[measure]]
kind = "momentum"
every = 5e-4
[[measure]]
kind = "wall_load"
every = 5e-4
[[measure]]
kind = "count"
every = 1e-3
[[measure]]
kind = "max_overlap"
every = 1e-3
[output]
every = 0.01
contacts = true
"""
SVG = "{http://www.w3.org/2000/svg}"


def make_runs():
    """A folder with the runs `soft` and `hard`, which all tests read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-plot-"))
    (folder / "balls.toml").write_text(SCENE)
    for name, more in (("soft", ()), ("hard", ("--set", "material.glass.young=2e7", "--set", "material.glass.friction=0.2"))):
        subprocess.run([PROGRAM, "run", "balls.toml", "-o", name, "-q", "--threads", "1", *more], cwd=folder, check=True, capture_output=True)
    return folder


def read_column(run, name):
    """Times and values of a column of series.csv, without empty cells."""
    with open(run / "series.csv", newline="") as file:
        return np.array([(float(row["time"]), float(row[name])) for row in csv.DictReader(file) if row[name]]).T


def points_of(svg, mark):
    """Points of the line with this id, in the figure's own units; y goes down."""
    group = next(one for one in svg.iter(f"{SVG}g") if one.get("id") == mark)
    path = group.find(f".//{SVG}path").get("d")
    return np.array([[float(x), float(y)] for x, y in re.findall(r"[ML] ([-\d.e]+) ([-\d.e]+)", path)])


def ticks_of(svg, axis):
    """Numbers at the ticks of the figure's first axes, and where they stand."""
    found = []
    number = 1
    while True:
        group = next((one for one in svg.iter(f"{SVG}g") if one.get("id") == f"{axis}tick_{number}"), None)
        if group is None:
            return np.array(found)
        text = "".join("".join(one.itertext()) for one in group.iter(f"{SVG}text")).strip().replace("−", "-")
        uses = list(group.iter(f"{SVG}use"))
        found.append((float(text), float(uses[-1].get(axis))))
        number += 1


class Plot(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.runs = make_runs()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.runs, ignore_errors=True)

    def plot(self, *arguments, **how):
        return self.scree("plot", *arguments, **how)

    def svg(self, name):
        return ElementTree.parse(self.folder / name).getroot()

    def check_line(self, svg, mark, time, values, factors):
        """Its points are those of the table, on the scale that the ticks show."""
        points = points_of(svg, mark)
        self.assertEqual(len(points), len(time))
        for k, (axis, wanted) in enumerate((("x", time * factors[0]), ("y", values * factors[1]))):
            label, place = ticks_of(svg, axis).T
            slope, start = np.polyfit(place, label, 1)
            # Places are written with six decimals of a point of some 300; ticks may be rounded to a pixel of 1/100 point.
            self.assertLess(np.abs(slope * points[:, k] + start - wanted).max(), 1e-4 * np.ptp(label))

    def test_points_are_those_of_the_table(self):
        self.plot(self.runs / "soft", "--series", "energy.kinetic_translation", "-o", "one.svg")
        svg = self.svg("one.svg")
        time, value = read_column(self.runs / "soft", "energy.kinetic_translation")
        self.assertEqual(len(time), 61)
        self.check_line(svg, "soft:energy.kinetic_translation", time, value, (1e3, 1e6 if value.max() < 1e-3 else 1e3))
        text = " ".join("".join(one.itertext()) for one in svg.iter(f"{SVG}text"))
        self.assertIn("time [ms]", text)
        self.assertIn("kinetic translation [µJ]" if value.max() < 1e-3 else "kinetic translation [mJ]", text)

    def test_without_series_it_lists_and_draws_energies(self):
        out, _ = self.plot(self.runs / "soft", "-o", "default.svg")
        self.assertRegex(out, r"wall_load\.floor\.fz +\[N\]")
        self.assertRegex(out, r"count\.mass +\[kg\] +31 values")
        self.assertRegex(out, r"distribution\.size_by_mass")
        marks = {one.get("id") for one in self.svg("default.svg").iter(f"{SVG}g")}
        self.assertIn("soft:energy.potential", marks)
        self.assertNotIn("soft:energy.removed", marks)  # 0 all the time
        self.assertNotIn("soft:momentum.px", marks)
        out, _ = self.plot(self.runs / "soft", "--list")
        self.assertIn("momentum.Lz", out)
        self.assertFalse((self.runs / "soft" / "plot.svg").exists())

    def test_files_of_every_kind_are_whole_and_the_same_again(self):
        for ending in ("png", "pdf", "svg"):
            self.plot(self.runs / "soft", "--series", "momentum.p?", "-o", f"a.{ending}")
        self.plot(self.runs / "soft", "--series", "momentum.p?", "-o", "b.svg")
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())
        data = (self.folder / "a.png").read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((width, height), (1320, 840))  # 6.6 by 4.2 inches with 200 dots
        self.assertGreater(len(data), 20000)
        data = (self.folder / "a.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF") and b"%%EOF" in data[-10:])
        self.assertGreater(len(data), 5000)
        text = "".join(self.svg("a.svg").itertext())
        for label in ("momentum [", "px", "py", "pz"):
            self.assertIn(label, text)

    def test_runs_and_data_of_others_over_each_other(self):
        (self.folder / "measured.csv").write_text("# from a film\ntime [s],floor.fz [N]\n0.002,-0.1\n0.01,-0.25\n0.02,\n0.03,-0.5\n")
        (self.folder / "named.csv").write_text("time,wall_load.floor.fz\n0.002,-0.1\n")
        out, _ = self.plot(self.runs / "soft", self.runs / "hard", "--series", "wall_load.floor.fz", "--reference", "measured.csv", "--title", "Loads", "-o", "two.svg")
        self.assertIn("1 column of 2 runs in 1 panel", out)
        svg = self.svg("two.svg")
        text = [t for t in ("".join(one.itertext()).strip() for one in svg.iter(f"{SVG}text")) if t]
        for label in ("soft", "hard", "measured", "Loads", "fz [N]"):
            self.assertIn(label, text)
        for run in ("soft", "hard"):
            self.check_line(svg, f"{run}:wall_load.floor.fz", *read_column(self.runs / run, "wall_load.floor.fz"), (1e3, 1))
        colours = [re.search(r"stroke: (#\w+)", "".join(path.get("style", "") for path in group.iter(f"{SVG}path")))[1]
                   for group in svg.iter(f"{SVG}g") if group.get("id") in ("soft:wall_load.floor.fz", "hard:wall_load.floor.fz")]
        self.assertEqual(len(set(colours)), 2)
        marks = [one for group in svg.iter(f"{SVG}g") if group.get("id") == "reference:measured" for one in group.iter(f"{SVG}use")]
        self.assertEqual(len(marks), 3)  # the row without a value has no point
        label, place = ticks_of(svg, "y").T
        slope, start = np.polyfit(place, label, 1)
        for mark, value in zip(marks, (-0.1, -0.25, -0.5)):
            self.assertAlmostEqual(slope * float(mark.get("y")) + start, value, delta=1e-4 * np.ptp(label))
        self.plot(self.runs / "soft", "--series", "wall_load.*", "--reference", "named.csv", "-o", "named.svg")
        named = "".join(self.svg("named.svg").itertext())
        self.assertIn("force [N]", named)
        self.assertIn("named", named)

    def test_another_column_along_the_axis(self):
        self.plot(self.runs / "soft", "--series", "energy.total", "--x", "energy.potential", "-o", "over.svg")
        points = points_of(self.svg("over.svg"), "soft:energy.total")
        _, x = read_column(self.runs / "soft", "energy.potential")
        slope, start = np.polyfit(x, points[:, 0], 1)
        self.assertLess(np.abs(slope * x + start - points[:, 0]).max(), 1e-3)
        self.assertIn("energy.potential [", "".join(self.svg("over.svg").itertext()))

    def test_distributions_and_profiles_of_a_frame(self):
        run = self.runs / "soft"
        self.plot(run, "--series", "distribution.size*", "-o", "sizes.svg", "--time", 0)
        svg = self.svg("sizes.svg")
        self.assertIn("diameter [mm]", "".join(svg.itertext()))
        label, place = ticks_of(svg, "y").T
        slope, start = np.polyfit(place, label, 1)
        # Half of the balls are of 4 mm; of the mass these have 8 of 8 + 27 parts.
        for way, share in (("number", 50), ("mass", 100 * 8 / 35)):
            shares = slope * points_of(svg, f"soft:distribution.size_by_{way}")[:, 1] + start
            self.assertLess(np.abs(shares - [0, share, share, 100]).max(), 0.01)
        self.plot(run, "--series", "distribution.speed", "profile.mass", "-o", "frame.svg", "--time", 0)
        svg = self.svg("frame.svg")
        text = "".join(svg.itertext())
        self.assertIn("speed [m/s]", text)
        self.assertIn("z [mm]", text)
        self.assertIn("at t = 0 s", text)
        with h5py.File(run / "state.h5") as state:
            speed = np.linalg.norm(state["frames/000000/velocity"][:], axis=1)
        # Each class of a profile lies at its height: four balls lie at 4 mm, in the lowest slab, four at 11 mm, in the highest.
        held = points_of(svg, "soft:profile.mass")
        self.assertEqual(len(held), 24)
        self.assertEqual(sorted(np.argsort(held[:, 0])[-2:].tolist()), [0, 23])
        self.assertLess(held[23, 1], held[0, 1])  # heights go up the figure
        points = points_of(svg, "soft:distribution.speed")
        self.assertGreater(len(points), 3)
        # Two speeds: the first and the last class hold half of the balls each, so those points are equally high and all between are lower.
        self.assertEqual(len(set(np.round(speed, 6))), 2)
        self.assertAlmostEqual(points[0, 1], points[-1, 1], places=3)
        self.assertGreater(points[1:-1, 1].min(), points[0, 1])

    def test_logarithmic_axes(self):
        self.plot(self.runs / "soft", "--series", "energy.dissipated_damping", "--log", "y", "-o", "log.svg")
        points = points_of(self.svg("log.svg"), "soft:energy.dissipated_damping")
        _, value = read_column(self.runs / "soft", "energy.dissipated_damping")
        shown = value[value > 0]
        self.assertEqual(len(points), len(shown))
        logs = np.array([math.log(v) for v in shown])
        slope, start = np.polyfit(logs, points[:, 1], 1)
        self.assertLess(np.abs(slope * logs + start - points[:, 1]).max(), 1e-3)

    def test_wrong_input(self):
        run = self.runs / "soft"
        (self.folder / "there.svg").write_text("mine")
        (self.folder / "words.csv").write_text("time,total\n0,many\n")
        (self.folder / "other.csv").write_text("time,pressure\n0,1\n")
        (self.folder / "empty").mkdir()
        for arguments, said in (
                (("nowhere",), "nowhere: no such run directory"),
                (("empty",), "empty: this is no run directory, it holds no scene.toml"),
                ((run, "-o", "plot.bmp"), "the name must end in .svg, .pdf or .png"),
                ((run, "-o", "there.svg"), "there.svg is there already: --overwrite replaces it"),
                ((run, "-o", "no/plot.svg"), "there is no folder no"),
                ((run, run, "-o", "p.svg"), "is given twice"),
                ((run, "--series", "energy.kinetic_translaton", "-o", "p.svg"), "no such series; near it: energy.kinetic_translation"),
                ((run, "--series", "energy.total", "--x", "momentm.px", "-o", "p.svg"), "near it: momentum.p"),
                ((run, "--series", "energy.total", "--reference", "words.csv", "-o", "p.svg"), 'words.csv:2: "many" in column "total" is no number'),
                ((run, "--series", "energy.total", "momentum.px", "--reference", "other.csv", "-o", "p.svg"), 'its column "pressure" has the name of nothing that is drawn'),
                ((run, "--series", "energy.removed", "--log", "y", "-o", "p.svg"), "has no number above 0 along y"),
                ((run, "--log", "z", "-o", "p.svg"), "--log")):
            with self.subTest(arguments=arguments):
                out, err = self.plot(*arguments, code=2)
                self.assertIn(said, err)
                self.assertTrue(err.startswith("error: "))
                self.assertNotIn("Traceback", err)
        self.assertEqual((self.folder / "there.svg").read_text(), "mine")
        self.assertFalse((self.folder / "p.svg").exists())
        self.plot(run, "--series", "energy.total", "-o", "there.svg", "--overwrite")
        self.assertIn("total [", (self.folder / "there.svg").read_text())

    def test_python_that_cannot_draw(self):
        bare = self.folder / "python3"
        for text, said in (("#!/bin/sh\nexit 76\n", "lacks NumPy, Matplotlib or h5py"), (None, "there is no ")):
            if text is None:
                bare.unlink()
            else:
                bare.write_text(text)
                bare.chmod(0o755)
            _, err = self.plot(self.runs / "soft", "-o", "p.svg", code=2, prefix=("env", f"SCREE_PYTHON={bare}"))
            self.assertIn(said, err)
            self.assertIn("python3-matplotlib", err)


if __name__ == "__main__":
    unittest.main()
