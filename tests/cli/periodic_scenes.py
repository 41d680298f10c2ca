"""Scenes of bodies in a periodic domain, for the tests of periods and of what drives them."""

import csv
import math
import shutil

from program import BALANCES, ProgramTest

HEAD = """dimensions = {dimensions}
[time]
end = {end}
step = {step}
[domain]
gravity = {gravity}
min = {low}
max = {high}
periodic = "{periodic}"
{domain}
[method]
{method}
[material.m]
density = 1200
young = "5 MPa"
poisson = 0.3
restitution = {restitution}
friction = {friction}
{values}
{shapes}{bodies}
{more}
"""
ROUND = """[shape.disk]
kind = "disk"
radius = 0.0031
"""
SOLID = """[shape.ball]
kind = "sphere"
radius = 0.0031
[shape.small]
kind = "sphere"
radius = 0.0014
[shape.cube]
kind = "box"
edges = [0.006, 0.005, 0.004]
[shape.rod]
kind = "clump"
spheres = [[-0.002, 0, 0, 0.003], [0.002, 0, 0, 0.002]]
"""
BODY = """[[bodies]]
shape = "{shape}"
material = "m"
place = {{ at = [{position}] }}
velocity = {velocity}
angular_velocity = {spin}
"""


WORDS = ("shape_name",)


class Random:
    """Numbers in [0, 1), the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2**53


def loose(shapes, cells=5, edge=0.008, low=0.0, speed=0.4, seed=5, depth=None, share=1.0):
    """Bodies of these shapes in turn about the points of a lattice; `share` of the points."""
    random, bodies = Random(seed), []
    for i in range(cells):
        for j in range(cells):
            for k in range(cells if depth is None else depth):
                place = [low + (n + 0.5 + 0.1 * (random() - 0.5)) * edge for n in (i, j, k)]
                velocity = [speed * (random() - 0.5) for _ in range(3)]
                spin = [40 * (random() - 0.5) for _ in range(3)]
                if depth == 1:
                    place[2], velocity[2], spin[0], spin[1] = 0.0, 0.0, 0.0, 0.0
                if random() < share:
                    bodies.append([shapes[len(bodies) % len(shapes)], place, velocity, spin])
    return bodies


def text_of(bodies, planar=False):
    cut = 2 if planar else 3
    return "".join(BODY.format(shape=b[0], position=b[1][:cut], velocity=b[2][:cut], spin=b[3][2] if planar else b[3]) for b in bodies)


KINDS = {
    "spheres": dict(bodies=loose(["ball", "small", "ball"])),
    "disks": dict(bodies=loose(["disk"], cells=7, edge=0.0072, depth=1), planar=True, high=[0.0504, 0.0504]),
    "cubes": dict(bodies=loose(["cube", "ball", "cube"])),
    "rods": dict(bodies=loose(["rod", "ball", "rod"], edge=0.011, cells=4), high=[0.044] * 3),
}
PENALTY, CONE = "overlap_warning = 0.3", 'kind = "cone"\niterations = 300'


class PeriodicTest(ProgramTest):
    """Scenes of loose bodies in a periodic domain."""

    def write(self, bodies, high=(0.04, 0.04, 0.04), low=None, end=0.05, step="20 us", periodic=None, domain="", method=PENALTY,
              restitution=0.7, friction=0.3, values="", more="", gravity=None, planar=False, every=None, name="scene.toml"):
        n = 2 if planar else 3
        text = HEAD.format(dimensions=n, end=end, step=f'"{step}"', gravity=list(gravity or [0] * n), low=list(low or [0] * n), high="[" + ", ".join("inf" if h == math.inf else str(h) for h in high) + "]",
                           periodic=periodic or "xyz"[:n], domain=domain, method=method, restitution=restitution, friction=friction,
                           values=values, shapes=ROUND if planar else SOLID, bodies=text_of(bodies, planar), more=more)
        (self.folder / name).write_text(text + BALANCES.format(every=every or end / 10))

    def series(self, *run, out="run", **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", out, "--overwrite", "-q", *run)
        return self.read_series(out)

    def last(self, run="run"):
        """Rows of the last frame by id; positions unwrapped as `way`."""
        shutil.rmtree(self.folder / run / "csv", ignore_errors=True)
        self.scree("export", run, "--to", "csv")
        frame = sorted((self.folder / run / "csv").glob("frame_0*.csv"))[-1]
        with open(frame) as file:
            return {int(row["id"]): {k: float(v) for k, v in row.items() if v and k not in WORDS} for row in csv.DictReader(file)}

    def refuses(self, scene, cases):
        """Each change of a scene is told of at its place, and nothing is written."""
        for change, told in cases:
            with self.subTest(told):
                self.write(**dict(scene, **change))
                _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")
                self.assertFalse((self.folder / "refused").exists())
