"""tools/plot_silo: the rate it fits to falls that are known, and the cut through meshes, boxes and moving walls."""

import importlib.machinery
import importlib.util
import math
import pathlib
import sys
import unittest

from program import ProgramTest

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "plot_silo"

try:
    import numpy as np
    loader = importlib.machinery.SourceFileLoader("plot_silo", str(TOOL))
    plot_silo = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot_silo", loader))
    loader.exec_module(plot_silo)
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SCENE = """
[time]
step = 1e-4
end = 0.001
[material.glass]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.grain]
kind = "sphere"
radius = 0.05
[[bodies]]
shape = "grain"
material = "glass"
place.at = [0.3, 0.01, 0.3]
[[wall]]
kind = "mesh"
name = "funnel"
file = "funnel.stl"
material = "glass"
[[wall]]
kind = "box"
name = "box"
min = [-2, -2, -1]
max = [2, 2, 3]
material = "glass"
[[wall]]
kind = "quad"
name = "gate"
corners = [[0, -1, 5], [1, -1, 5], [1, 1, 5], [0, 1, 5]]
material = "glass"
motion = { velocity = [100, 0, 0] }
"""

# A square funnel, 2 m wide above and 1 m below, 1 m high, as triangles of a text STL.
FUNNEL = [((-1, -1, 1), (1, -1, 1), (0.5, -0.5, 0), (-0.5, -0.5, 0)), ((1, -1, 1), (1, 1, 1), (0.5, 0.5, 0), (0.5, -0.5, 0)),
          ((1, 1, 1), (-1, 1, 1), (-0.5, 0.5, 0), (0.5, 0.5, 0)), ((-1, 1, 1), (-1, -1, 1), (-0.5, -0.5, 0), (-0.5, 0.5, 0))]


def stl():
    lines = ["solid funnel"]
    for a, b, c, d in FUNNEL:
        for triangle in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x} {y} {z}" for x, y, z in triangle), "endloop", "endfacet"]
    return "\n".join(lines + ["endsolid funnel", ""])


class PlotSilo(ProgramTest):
    def rate(self, time, mass):
        return plot_silo.discharge_rate(plot_silo.steady_lines(time, mass))

    def test_one_fall_with_a_slow_start_and_end(self):
        time = np.linspace(0, 10, 1001)
        mass = np.interp(time, [0, 1, 1.5, 7.5, 10], [20, 20, 19.5, 3.5, 3])
        self.assertAlmostEqual(self.rate(time, mass), 16 / 6, places=9)

    def test_a_saw_tooth_has_the_rate_of_its_falls(self):
        # Four batches of 5 kg, each in 0.1 s, and 2 kg/s that leave all the time: a line through all of it would say 0.
        random = np.random.default_rng(1)
        time = np.linspace(0, 10, 2001)
        mass = 5 + sum(np.clip((time - start) / 0.1, 0, 1) * 5 for start in (2.5, 5, 7.5)) - 2 * time
        mass += 0.02 * random.standard_normal(len(time))
        self.assertEqual(len(plot_silo.falls(mass)), 4)
        # Noise of 0.02 kg over some 220 points in 1.1 s: a slope is good to 4e-3 or so.
        self.assertAlmostEqual(self.rate(time, mass), 2, delta=0.02)

    def test_leaps_do_not_matter(self):
        time = np.linspace(0, 10, 1001)
        mass = 20 - 2 * time
        mass[300:310] += 0.5  # a clump that comes back
        self.assertAlmostEqual(self.rate(time, mass), 2, delta=0.01)

    def test_nothing_left(self):
        self.assertEqual(plot_silo.steady_lines(np.linspace(0, 1, 100), np.full(100, 3.0)), [])

    def test_the_cut_shows_stl_walls_boxes_and_what_moved(self):
        (self.folder / "funnel.stl").write_text(stl())
        (self.folder / "scene.toml").write_text(SCENE)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        with plot_silo.h5py.File(self.folder / "run" / "state.h5") as state:
            frame = plot_silo.frame_nearest(state, 1)
            segments, planes = plot_silo.cut_walls(state, frame)
            lengths = {}
            for (x1, z1), (x2, z2) in segments:
                key = "gate" if z1 > 4 else "right" if x1 > 0 else "left"
                lengths[key] = lengths.get(key, 0) + math.hypot(x2 - x1, z2 - z1)
            slope = math.hypot(0.5, 1)
            self.assertAlmostEqual(lengths["left"], slope, places=6)
            self.assertAlmostEqual(lengths["right"], slope, places=6)
            self.assertAlmostEqual(lengths["gate"], 1, places=6)
            # Moved by 100 m/s for 1 ms.
            gate = [x for segment in segments for x, z in segment if z > 4]
            self.assertAlmostEqual(min(gate), 0.1, places=6)
            self.assertAlmostEqual(max(gate), 1.1, places=6)
            self.assertEqual(len(planes), 1)
            low, high = np.array([-9, -9]), np.array([9, 9])
            box = [plot_silo.cut_plane(p, n, planes[0][:k] + planes[0][k + 1:], low, high) for k, (p, n) in enumerate(planes[0])]
            sides = sorted(round(math.dist(*side[0]), 6) for side in box if side)
            self.assertEqual(sides, [4, 4, 4, 4])
            plot_silo.draw_cut(self.folder / "picture.png", frame, segments, planes)
        self.assertGreater((self.folder / "picture.png").stat().st_size, 5000)


if __name__ == "__main__":
    unittest.main()
