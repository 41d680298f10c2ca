"""The impact tests of Chung & Ooi 2011 on planes made of triangles: tests 2, 3 and 4 as they are, 1 and 7 by symmetry on a mirror.

Bars, references and code are those of the case chung_ooi.
"""
import importlib.util
import math
from pathlib import Path

import numpy as np
from harness import bodies_file, largest, relative
from hertz import Impact, effective_modulus

spec = importlib.util.spec_from_file_location("chung_ooi_check", Path(__file__).parent.parent / "chung_ooi" / "check.py")
chung_ooi = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chung_ooi)

LOW, HIGH = (-0.5, -0.5), (1.5, 0.5)  # corners of the plane [m]
SPINS = [5, 45, 85]  # angles of the spin, tan(angle) = R spin / v [deg]
SHOWN = ["16000 triangles: 1 glass: peak*", "16000 triangles: 3 *", "16000 triangles: 4 Al oxide: e_t*", "16000 triangles: 7 copper*"]


def two_triangles():
    """OBJ text of the plane, its diagonal through the first impact."""
    corners = [(LOW[0], LOW[1]), (HIGH[0] - 1.0, LOW[1]), (HIGH[0] - 1.0, HIGH[1]), (LOW[0], HIGH[1])]
    stretched = [(x + (1.0 if x > 0 else 0.0), y) for x, y in corners]
    return "".join(f"v {x!r} {y!r} 0\n" for x, y in stretched) + "f 1 2 3\nf 1 3 4\n"


def many_triangles(cells=(200, 40)):
    """OBJ text: squares of 1 x 2.5 cm cut along either diagonal by turns, vertices and edges under the first impact."""
    n, m = cells
    x, y = np.linspace(LOW[0], HIGH[0], n + 1), np.linspace(LOW[1], HIGH[1], m + 1)
    lines = [f"v {float(a)!r} {float(b)!r} 0" for b in y for a in x]
    for j in range(m):
        for i in range(n):
            a = j * (n + 1) + i + 1
            b, c, d = a + 1, a + n + 2, a + n + 1
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"] if (i + j) % 2 else [f"f {a} {b} {d}", f"f {b} {c} {d}"]
    return "\n".join(lines) + "\n"


class OnMesh:
    """A Runner whose scenes find a mesh beside them; names of runs and pictures get a tag."""

    def __init__(self, runner, tag, mesh):
        self.runner, self.tag, self.mesh = runner, tag, mesh

    def either(self, double, mixed):
        return self.runner.either(double, mixed)

    def run(self, scene, name=None, files=None, **settings):
        name = f"{name or Path(scene).stem}_{self.tag}"
        return self.runner.run(scene, name=name, files={**(files or {}), "plane.obj": self.mesh}, **settings)

    def plot(self, name, draw, caption=""):
        """The page shows these pictures for chung_ooi only: `caption` is dropped."""
        self.runner.plot(f"{name}_{self.tag}", draw)


def test1(runner):
    """Two spheres, elastic: half the overlap of the pair, the same force, on a rigid mirror."""
    radius, v, ceiling = 0.010, 10.0, 1.0
    columns = ["x", "y", "z", "radius", "vx", "vy", "vz", "material"]
    rows_of_file = [(0, 0, radius, radius, 0, 0, -v, "glass"), (0, 0, ceiling - radius, radius, 0, 0, v, "limestone")]
    text = bodies_file(columns, rows_of_file)
    frames, rows = runner.run("test1.toml", files={"bodies.txt": text}).frames(), []
    gaps = [lambda f: f["position"][0][2] - radius, lambda f: ceiling - f["position"][1][2] - radius]
    for k, (name, density, young, poisson) in enumerate([("glass", 2800, 4.8e10, 0.20), ("limestone", 2500, 2.0e10, 0.25)]):
        pair = Impact(chung_ooi.ball_mass(density, radius) / 2, radius / 2, effective_modulus(young, poisson, young, poisson), 2 * v)
        time, overlap, force = chung_ooi.force_curves(frames, k, gaps[k])
        curves = (time, 2 * overlap, force)
        rows += chung_ooi.impact_rows(runner, f"1 {name}", pair, curves)
        if name == "glass":
            names = ["test1_force_overlap_limestone_or_glass.dat", "test1_force_time.dat"]
            rows += chung_ooi.digitised_rows(runner, "1 glass", names, curves)
    return rows


def test7(runner):
    """A sphere whose surface moves as the mirror does, but for the overlap: its lever is R - overlap, so slip of spin times overlap arises.

    A contact that sticks and gives all of it back turns a slip s into a tangential velocity of 4/7 s and a spin of 10/7 s / R.
    """
    radius, v = 0.1, 0.2
    spins = [v / radius * math.tan(math.radians(angle)) for angle in SPINS] * 2
    columns = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz", "material"]
    # Spin about y moves the lowest point along -x.
    text = bodies_file(columns, [(0, 0, k + radius, radius, 0, 0, -v, 0, spin, 0, "alloy" if k < 3 else "copper")
                                 for k, spin in enumerate(spins)])
    settings = {f"wall__{k}__motion__velocity": [-spin * radius, 0, 0] for k, spin in enumerate(spins)}
    last = runner.run("test7.toml", files={"bodies.txt": text}, **settings).last_frame()
    rows = []
    for name, part, density, young, poisson in [("Al alloy", slice(0, 3), 2700, 7.0e10, 0.33), ("copper", slice(3, 6), 8900, 1.2e11, 0.35)]:
        E_eff = young / (1 - poisson**2)
        slip = np.array(spins[part]) * Impact(chung_ooi.ball_mass(density, radius), radius, E_eff, v).largest_overlap
        tangential = np.abs(last["velocity"][part][:, 0])
        spin = np.abs(last["angular_velocity"][part][:, 1] - np.array(spins[part]))
        across = np.abs(last["velocity"][part][:, 1]).max()
        e = last["velocity"][part][:, 2].mean() / v
        rows += [largest(f"7 {name}: tangential velocity, largest", (tangential / (4 / 7 * slip)).max(), 1.0, "of 4/7 spin overlap"),
                 largest(f"7 {name}: change of spin, largest", (spin / (10 / 7 * slip / radius)).max(), 1.0, "of 10/7 spin overlap / R"),
                 largest(f"7 {name}: velocity across the mirror's, largest", across, runner.either(1e-12, 1e-6), "absolute [m/s]"),
                 relative(f"7 {name}: normal restitution", 0.5, e, 5e-3)]
    return rows


def check(runner):
    rows = []
    for tag, title, mesh in [("two", "2 triangles", two_triangles()), ("many", "16000 triangles", many_triangles())]:
        on_mesh = OnMesh(runner, tag, mesh)
        for test in (test1, chung_ooi.test2, chung_ooi.test3, chung_ooi.test4, test7):
            for row in test(on_mesh):
                row.quantity = f"{title}: {row.quantity}"
                rows.append(row)
    return rows
