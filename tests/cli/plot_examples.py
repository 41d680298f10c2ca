"""tools/plot_examples: each scene of its table writes what its picture is drawn from, and the figures are those of series that are known."""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import unittest

from program import ProgramTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "plot_examples"

loader = importlib.machinery.SourceFileLoader("plot_examples", str(TOOL))
plot_examples = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot_examples", loader))
try:
    loader.exec_module(plot_examples)
except SystemExit as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import h5py
import numpy as np


def known(name, t):
    """Columns of the series of an example at the time t [s]."""
    if name == "belt_feed":
        return {"bin.mass": max(0.0, 0.35 * (t - 0.8)), "count.mass": 0.4 * min(t, 1.2)}
    if name == "shear_cell":
        return {"stress.xy": -0.3 * 500, "stress.pressure": 500}
    if name == "oedometer":
        return {"load.plate.fz": 250 * min(t, 0.1), "load.floor.fz": -200 * min(t, 0.1), "place.plate.z": -0.02 * t}
    if name == "drum_filled":
        return {"drum.mass": 0.25 * min(t, 1.6), "shell.drum.ty": -0.1 if t >= 2 else 0}
    if name == "hopper_recycle":
        return {"streams.outlet.mass": 3 * max(0.0, t - 0.5), "count.mass": 0.5}
    if name == "triaxial":
        pressed = t >= 0.03
        return {"stress.xx": 1e4, "stress.yy": 1e4, "stress.zz": 2.2e4 if pressed else 1e4, "stress.solid_fraction": 0.6,
                "cell.strain_z": -0.08 - 2 * max(0.0, t - 0.03)}
    return {}


# Of two bodies in each frame: one at the origin, the other where it is at the time t [m].
PLACES = {"drum_filled": lambda t: (-0.05, 0, 0), "vibrated_box": lambda t: (0, 0, 0.002 + 0.003 * max(0, t - 0.3))}

# By hand: 0.35 kg/s for 1.4 s; 150 of 500 Pa; 25 N on 1.2566e-3 m2, and 20 of 25 N; 0.1 N m over 9.81 m/s2 and 0.4 kg, and 0.192 of 0.4 kg at
# 50 mm; 2 mm and 3 mm/s for 5.7 s; 3 kg/s for 1 s; 22 over 10 kPa.
FIGURES = {
    "belt_feed": "fills with 0.35 of 0.4 kg/s, and holds 0.49 of 0.48 kg",
    "shear_cell": "is 0.300 ± 0.000 of the pressure",
    "oedometer": "holds 19.9 kPa, 4.00 mm down; 80 % of that",
    "drum_filled": "takes 0.100 N m, as if they were 25.5 mm off the axis; in the frames they are 24.0 mm",
    "hopper_recycle": "discharges 3 kg/s, and 6.0 times what it holds",
    "triaxial": "bears 2.20 times the stress of its sides, and its solid fraction goes from 0.600 to 0.600",
    "vibrated_box": "rise from 2.0 to 19.1 mm above the small ones",
}


class PlotExamples(ProgramTest):
    def prepare(self, name):
        """A run directory as one step of the scene leaves it, with a series and frames that are known in place of its own."""
        run = self.folder / name
        self.scree("run", ROOT / "examples" / f"{name}.toml", "-o", run, "-q", "--steps", 1)
        end = plot_examples.Run(run).scene["time"]["end"]
        times = np.linspace(0, end, 1001)
        header = ["step", "time"]
        if (run / "series.csv").exists():
            with open(run / "series.csv", newline="") as file:
                header = next(csv.reader(file))
        with open(run / "series.csv", "w", newline="") as file:
            rows = csv.DictWriter(file, header, restval="")
            rows.writeheader()
            rows.writerows({"step": k, "time": t, **known(name, t)} for k, t in enumerate(times))
        if name in PLACES:
            with h5py.File(run / "state.h5", "w") as file:
                for k, t in enumerate(times[::10]):
                    frame = file.create_group(f"frames/{k:06d}")
                    frame.attrs["time"] = t
                    frame["position"] = [(0, 0, 0), PLACES[name](t)]
                    frame["radius"], frame["mass"] = [0.0025, 0.005], [0.208, 0.192]
        return run

    def test_every_picture(self):
        self.assertEqual(set(FIGURES), set(plot_examples.EXAMPLES))
        for name, figure in FIGURES.items():
            with self.subTest(name):
                text, picture = plot_examples.draw(name, self.prepare(name))
                self.assertIn(figure, text)
                self.assertEqual(picture, self.folder / f"{name}.png")
                self.assertGreater(picture.stat().st_size, 5000)

    def test_a_column_that_is_not_there(self):
        run = plot_examples.Run(self.prepare("belt_feed"))
        with self.assertRaisesRegex(SystemExit, r"has no column bin\.volume"):
            run.series("bin.mass", "bin.volume")

    def test_an_example_without_a_picture(self):
        told = io.StringIO()
        sys.argv[1:] = ["silos"]
        with contextlib.redirect_stderr(told), self.assertRaises(SystemExit):
            plot_examples.main()
        self.assertIn("no picture of silos", told.getvalue())


if __name__ == "__main__":
    unittest.main()
