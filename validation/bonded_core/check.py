"""A core of bonded spheres pressed along its axis: stiffness against the lattice of its bonds, strength against that in a Brazilian test, and how it fails."""
import csv
from pathlib import Path

import numpy as np
from harness import largest, load, relative, within
from scipy.spatial import cKDTree

SHOWN = ["*"]
RADIUS, LENGTH = 0.015, 0.06  # of the core
GAP, YOUNG, RATIO = 4e-4, 10e9, 2.5  # of its bonds, as in core.toml
DISC, THICKNESS, FLAT = 0.0225, 0.015, 0.0216  # of the disc: radius, length, distance of the flats from the axis
lattice = load(Path(__file__).with_name("lattice.py"))


def prism(radius, length, flat=np.inf, sides=72):
    """Wavefront OBJ of a cylinder along z from 0 to `length`, cut flat at y = +-flat."""
    angle = 2 * np.pi * (np.arange(sides) + 0.5) / sides
    x, y = radius * np.cos(angle), np.clip(radius * np.sin(angle), -flat, flat)
    lines = [f"v {x[i]!r} {y[i]!r} {z!r}" for z in (0.0, length) for i in range(sides)] + ["v 0 0 0", f"v 0 0 {length!r}"]
    for i in range(sides):
        j = (i + 1) % sides
        for face in ((i, j, sides + j), (i, sides + j, sides + i), (2 * sides, j, i), (2 * sides + 1, sides + i, sides + j)):
            lines.append("f " + " ".join(str(corner + 1) for corner in face))
    return "\n".join(lines) + "\n"


class Pressed:
    """A run between two plates: load [N], mean of both, and the difference; up to the peak and beyond."""

    def __init__(self, run, component):
        self.run, self.series = run, run.series()
        top, bottom = self.series[f"wall_load.top.f{component}"], -self.series[f"wall_load.bottom.f{component}"]
        self.load, self.difference, self.time = 0.5 * (top + bottom), top - bottom, self.series["time"]
        self.peak = int(np.argmax(self.load))
        self.broken = self.series["bonds.tension"] + self.series["bonds.shear"]
        with open(run.directory / "bonds.csv", newline="") as file:
            self.breaks = list(csv.DictReader(file))
        self.when = np.array([float(each["time"]) for each in self.breaks])
        self.where = np.array([[float(each[axis]) for axis in "xyz"] for each in self.breaks])
        self.tensile = np.array([each["how"] == "tension" for each in self.breaks])

    def before_peak(self, low, high):
        """Rows from the last one below low times the peak load to the first one above high."""
        share = self.load[: self.peak] / self.load[self.peak]
        return np.arange(np.flatnonzero(share < low)[-1], np.flatnonzero(share > high)[0])

    def missing(self):
        """Largest energy that is missing, over the work of the plates by the end."""
        work = self.series["energy.work_of_walls"]
        return np.max(np.abs(self.series["energy.total"] - self.series["energy.total"][0] - work)) / work[-1]


def gathered(points, among, near=0.005):
    """Pairs of points nearer than `near` to each other, over those of as many that are drawn from `among` (mean of 20 draws)."""
    rng = np.random.default_rng(1)

    def pairs(places):
        return len(cKDTree(places).query_pairs(near, output_type="ndarray"))

    return pairs(points) / np.mean([pairs(among[rng.choice(len(among), len(points), replace=False)]) for _ in range(20)])


def check(runner):
    core = Pressed(runner.run("core.toml", files={"core.obj": prism(RADIUS, LENGTH)}), "z")
    frames = core.run.frames()
    start, radius = frames[0]["position"], frames[0]["radius"]
    shortened = core.series["wall_place.bottom.z"] - core.series["wall_place.top.z"]
    shortened = shortened - shortened[0]
    area = np.pi * RADIUS**2
    bonds, stiffness, moved = lattice.pressed(start, radius, GAP, (0, LENGTH), YOUNG, RATIO)
    rows = [relative("bonds, counted from the places of the spheres", bonds, core.series["bonds.holding"][0], 0)]
    for low, high in ((0.05, 0.2), (0.2, 0.4)):
        part = core.before_peak(low, high)
        found = np.polyfit(shortened[part], core.load[part], 1)[0]
        rows.append(relative(f"Young's modulus of the core from {100 * low:.0f} to {100 * high:.0f} % of the peak, the lattice's [GPa]", stiffness * LENGTH / area / 1e9,
                             found * LENGTH / area / 1e9, 0.01))
    third = min(frames, key=lambda frame: abs(np.interp(frame["time"], core.time[: core.peak], core.load[: core.peak]) - 0.3 * core.load[core.peak]))
    way = np.interp(third["time"], core.time, shortened)
    off = third["position"] - start - way * (moved[:, :3] + [0, 0, 0.5])
    rows.append(largest("places of spheres at a third of the peak, off the lattice's (mean square) [of the shortening]", np.sqrt(np.mean(np.sum(off**2, axis=1))) / way, 0.01, "absolute"))
    part = core.before_peak(0.1, 0.9)
    rows.append(largest("load of one plate less that of the other, from 10 to 90 % of the peak (mean square) [of the peak]", np.sqrt(np.mean(core.difference[part] ** 2)) / core.load[core.peak],
                        0.02, "absolute"))
    strength = core.load[core.peak] / area

    disc = Pressed(runner.run("disc.toml", files={"disc.obj": prism(DISC, THICKNESS, FLAT)}), "y")
    tensile = disc.load[disc.peak] / (np.pi * DISC * THICKNESS)
    rows.append(within("strength of the core over that of the disc, 2 P / (pi D t)", 3, 10, strength / tensile, ""))
    rows.append(within("strength of the core over the bonds' tensile strength", 0.5, 3, strength / 10e6, ""))
    half = core.before_peak(0.1, 0.5)[-1]
    rows.append(within("bonds broken at half the peak load, of those broken at the peak", 0, 0.1, core.broken[half] / core.broken[core.peak], ""))
    quarter = core.before_peak(0.1, 0.75)[-1]
    rows.append(within("the same at three quarters of it", 0, 0.5, core.broken[quarter] / core.broken[core.peak], ""))
    early = core.when <= core.time[core.peak]
    rows.append(within("share of tension in what breaks up to the peak", 0.9, 1, np.mean(core.tensile[early]), ""))
    ends = np.array([[int(each["a"]), int(each["b"])] for each in core.breaks])
    arm = start[ends[:, 1]] - start[ends[:, 0]]
    steep = np.mean((np.abs(arm[:, 2]) / np.linalg.norm(arm, axis=1))[early & core.tensile])
    rows.append(within("mean |cos| between bonds that tension breaks up to the peak and the axis (all directions alike: 0.5)", 0, 0.35, steep, ""))
    pairs = lattice.touching(start, radius, GAP)
    middles, broke = 0.5 * (start[pairs[:, 0]] + start[pairs[:, 1]]), 0.5 * (start[ends[:, 0]] + start[ends[:, 1]])
    fallen = core.time[core.peak + np.flatnonzero(core.load[core.peak :] < 0.95 * core.load[core.peak])[0]]
    for name, use, least in (("up to the peak", early, 1.3), ("from the peak until the load has fallen by 5 %", ~early & (core.when <= fallen), 2)):
        rows.append(within(f"pairs of breaks within 5 mm, {name}, over those of bonds drawn at random", least, 10, gathered(broke[use], middles), ""))
    rows.append(within("load that is left at the end, of the peak", -0.1, 0.2, np.mean(core.load[-20:]) / core.load[core.peak], ""))
    at_peak = disc.when <= disc.time[disc.peak]
    rows.append(within("disc: mean distance from the loaded plane of bonds that tension breaks up to the peak, over the radius (evenly spread: 0.42)", 0, 0.3,
                       np.mean(np.abs(disc.where[at_peak & disc.tensile][:, 0])) / DISC, ""))
    for name, run in (("core", core), ("disc", disc)):
        rows.append(largest(f"{name}: energy that is missing [of the plates' work]", run.missing(), 1e-3, "absolute"))
    runner.table("Strengths.", ["", "strength [MPa]", "bonds broken at the peak", "of them by tension", "bonds broken at the end"],
                 [["core, uniaxial", f"{strength / 1e6:.2f}", f"{core.broken[core.peak]:.0f}", f"{core.series['bonds.tension'][core.peak]:.0f}", f"{core.broken[-1]:.0f}"],
                  ["disc, Brazilian", f"{tensile / 1e6:.2f}", f"{disc.broken[disc.peak]:.0f}", f"{disc.series['bonds.tension'][disc.peak]:.0f}", f"{disc.broken[-1]:.0f}"]])

    def draw(axes):
        axes.plot(100 * shortened / LENGTH, core.load / area / 1e6, label="stress on the plates")
        most = shortened[core.peak]
        axes.plot([0, 100 * most / LENGTH], [0, stiffness * most / area / 1e6], "--", lw=1, label="lattice of the bonds")
        axes.set(xlabel="strain [%]", ylabel="stress [MPa]")
        right = axes.twinx()
        right.plot(100 * shortened / LENGTH, core.broken, color="C3", lw=1, label="bonds broken (right)")
        right.set_ylabel("bonds broken")
        right.legend(frameon=False, fontsize=8, loc="center left")

    runner.plot("stress", draw, "A core of bonded spheres under uniaxial compression: stress, the static solution for its bonds, and bonds broken.")

    def draw_breaks(axes):
        late = (core.when > core.time[core.peak]) & (core.when <= core.time[core.peak] + 5e-4)
        for use, colour, name in ((late, "0.7", "within 0.5 ms after it"), (early, "C3", "up to the peak")):
            axes.plot(1e3 * core.where[use][:, 0], 1e3 * core.where[use][:, 2], ".", ms=3, color=colour, label=f"core, {name}")
        axes.plot(1e3 * disc.where[at_peak][:, 0] + 50, 1e3 * disc.where[at_peak][:, 1] + 30, ".", ms=3, color="C0", label="disc, up to the peak")
        axes.plot(*([1e3 * RADIUS * k for k in (-1, 1, 1, -1, -1)], [1e3 * LENGTH * k for k in (0, 0, 1, 1, 0)]), lw=1, color="0.5")
        angle = np.linspace(0, 2 * np.pi, 200)
        axes.plot(1e3 * DISC * np.cos(angle) + 50, 1e3 * np.clip(DISC * np.sin(angle), -FLAT, FLAT) + 30, lw=1, color="0.5")
        axes.set(xlabel="x [mm]", ylabel="z; of the disc y [mm]", aspect="equal")

    runner.plot("breaks", draw_breaks, "Where bonds broke: the core from the side, the disc along its axis; plates press from above and below.")
    return rows
