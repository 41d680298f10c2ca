#!/usr/bin/python3
"""Sets what the guide's scenes come to beside formulas and published values.

    examples/guide/check.py CASE RUN      as: examples/guide/check.py silo runs/silo

Each case is one function below: its formula, the columns of series.csv that it needs, and where the formula comes from. Frames are read with
h5py (Debian: python3-h5py).
"""
import csv
import math
import sys
import tomllib
from pathlib import Path

G = 9.81


class Run:
    """series.csv as lists by column, frames, and the scene as it was run."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.scene = tomllib.loads((self.folder / "scene.toml").read_text())
        with open(self.folder / "series.csv") as file:
            self.rows = [{key: float(value) for key, value in row.items() if value} for row in csv.DictReader(file)]

    def column(self, name, start=0.0, end=math.inf):
        return [(row["time"], row[name]) for row in self.rows if name in row and start <= row["time"] <= end]

    def mean(self, name, start=0.0, end=math.inf):
        values = [value for _, value in self.column(name, start, end)]
        return sum(values) / len(values)

    def slope(self, name, start, end=math.inf):
        """Of the straight line through the points, by least squares."""
        points = self.column(name, start, end)
        t, v = (sum(p[k] for p in points) / len(points) for k in (0, 1))
        return sum((p[0] - t) * (p[1] - v) for p in points) / sum((p[0] - t) ** 2 for p in points)

    def frames(self, start=0.0):
        import h5py
        with h5py.File(self.folder / "state.h5") as file:
            for name in sorted(file["frames"]):
                frame = file["frames"][name]
                if frame.attrs["time"] >= start:
                    yield {key: frame[key][:] for key in ("position", "mass", "radius", "material")}


def say(what, formula, run, unit=""):
    print(f"{what:<48} formula {formula:<9.4g} run {run:<9.4g} {unit}".rstrip())


def silo(run):
    """W. A. Beverloo et al., Chem. Eng. Sci. 15:260 (1961): W = C rho_b sqrt(g) (D - k d)^(5/2), C = 0.58, k = 1.5."""
    hole, grain, bulk = 0.030, 0.005, 0.6 * 2500
    say("rate of discharge", 0.58 * bulk * math.sqrt(G) * (hole - 1.5 * grain) ** 2.5, -run.slope("inside.mass", 0.45, 1.0), "kg/s")


def mill(run):
    """What walls give goes into heat. Critical speed: gravity holds a ball on the shell no more. Bond's formula for ball mills (1961), per mass of balls."""
    shell, ball, rate, mass = 0.2, 0.010, 73 / 60, 430 * math.pi / 6 * 0.010**3 * 7850
    print(f"critical speed {60 / (2 * math.pi) * math.sqrt(2 * G / (shell - ball)):.1f} rpm, of which {rate * 2 * math.pi / math.sqrt(2 * G / (shell - ball)):.0%} are run")
    walls = [name.rsplit(".", 1)[0] for name in run.rows[0] if name.endswith(".power")]
    power = sum(run.mean(f"{wall}.power", 0.8) for wall in walls)
    torque = sum(run.mean(f"{wall}.ty", 0.8) for wall in walls)
    say("power: torque times speed", -torque * 2 * math.pi * rate, power, "W")
    say("power: what becomes heat", sum(run.slope(f"energy.dissipated_{way}", 0.8) for way in ("damping", "friction")), power, "W")
    speed, filling = 0.75, mass / 7850 / 0.6 / (math.pi * 0.1**2 * 0.04)
    say("power over mass: Bond, of large wet mills", 4.879 * shell**0.3 * (3.2 - 3 * filling) * speed * (1 - 0.1 / 2 ** (9 - 10 * speed)), power / mass, "W/kg")


def screw(run):
    """A screw that nothing slips back in carries at pitch times rate."""
    feed, discharge = 0.020, 0.020 - run.slope("all.mass", 1.5)
    say("discharge: what is fed", feed, discharge, "kg/s")
    say("speed along the trough: pitch times rate", 0.040 * 2, discharge * 0.08 / run.mean("inside.mass", 1.5), "m/s")
    say("power: torque times speed", -run.mean("load.screw.tx", 1.5) * -2 * math.pi * 2, run.mean("load.screw.power", 1.5), "W")


def belt(run):
    """The belt gives the ore its speed: force = mass rate times belt speed (momentum), power = force times speed."""
    sides = run.mean("load.left.fx", 0.9) + run.mean("load.right.fx", 0.9)
    say("force on belt and sides along it", -0.4 * 0.8, run.mean("load.belt.fx", 0.9) + sides, "N")
    print(f"of which the sides hold back {sides:.3f} N")
    say("power of the belt: force times speed", -0.8 * run.mean("load.belt.fx", 0.9), run.mean("load.belt.power", 0.9), "W")


def parts_of(ring):
    return max(1, round(2 * math.pi * (ring + 0.5)))


def heap(run):
    """Slope of the mean surface between 15 and 75 % of the crest. Y. C. Zhou et al., Powder Technology 125:45 (2002): a fit to heaps of spheres in a box."""
    *_, frame = run.frames()
    centre = [sorted(frame["position"][:, k])[len(frame["mass"]) // 2] for k in (0, 1)]
    width, tops = 0.006, {}  # rings a diameter wide, cut in parts a diameter long
    for (x, y, z), radius in zip(frame["position"] - [*centre, 0], frame["radius"]):
        ring = int(math.hypot(x, y) / width)
        part = int((math.atan2(y, x) / (2 * math.pi) + 0.5) * parts_of(ring)) % parts_of(ring)
        tops[ring, part] = max(tops.get((ring, part), 0), z + radius)
    heights = [sum(top for (r, _), top in tops.items() if r == ring) / parts_of(ring) for ring in range(1 + max(r for r, _ in tops))]
    points = [((ring + 0.5) * width, h) for ring, h in enumerate(heights) if 0.15 * max(heights) < h < 0.75 * max(heights)]
    r, h = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    angle = -math.degrees(math.atan(sum((p[0] - r) * (p[1] - h) for p in points) / sum((p[0] - r) ** 2 for p in points)))
    grain = run.scene["material"]["grain"]
    d, sliding, rolling = 6, grain["friction"], grain["rolling_friction"] * 1.5  # [mm]; the length is rolling_friction times the effective radius
    say("angle of repose", 68.61 * sliding ** (0.27 + 0.22) * rolling ** (0.06 + 0.12) * d**-0.2, angle, "degrees")


def triaxial(run):
    """S. Chialvo et al., Phys. Rev. E 85:021305 (2012): spheres of friction 0.5 flow slowly at a shear stress of 0.382 of the pressure."""
    say("stress on the sides", 10e3, run.mean("stress.xx", 0.06), "Pa")
    z, x = run.mean("stress.zz", 0.12), run.mean("stress.xx", 0.12)
    say("shear over mean stress, sin of the angle", 0.382, (z - x) / (z + x))


def shear_cell(run):
    """The same, with the growth that they found with the inertial number I = rate d sqrt(density / pressure)."""
    say("stress across the planes of shear", 2000, run.mean("stress.yy", 0.2), "Pa")
    pressure = run.mean("stress.pressure", 0.2)
    inertial = 10 * 0.002 * math.sqrt(2500 / pressure)
    say("shear stress over pressure", 0.382 + 0.37 / ((0.32 / inertial) ** 1.5 + 1), abs(run.mean("stress.xy", 0.2)) / pressure)


def ballast(run):
    """The box bears the stones and what presses on them. From 2 s to 3 s are four whole cycles."""
    *_, frame = run.frames()
    say("force on the box", -(sum(frame["mass"]) * G + 650), run.mean("load.bin.fz", 2, 2.999), "N")
    places = [run.column("guide.travel", 0, 1.5 + 0.25 * cycle)[-1][1] for cycle in range(7)]
    print("settlement of each cycle [mm] " + " ".join(f"{1e3 * (a - b):.3f}" for a, b in zip(places, places[1:])))


def turned(run, start):
    """A bed that stays as it is: walls hold it against the torque of its weight, about the axis y."""
    frames = list(run.frames(start))
    weight = sum(frames[0]["mass"]) * G
    offset = sum(float(frame["mass"] @ frame["position"][:, 0]) / sum(frame["mass"]) for frame in frames) / len(frames)
    walls = {name.rsplit(".", 1)[0] for name in run.rows[0] if name.endswith(".ty")}
    say("torque: weight times its distance from the axis", weight * offset, sum(run.mean(f"{wall}.ty", start) for wall in walls), "N m")
    return frames


def coater(run):
    """Lacey's index of mixing: 0 apart, 1 as mixed as chance does it; cells of 16 mm."""
    frames = turned(run, 1.0)

    def lacey(frame):
        cells = {}
        for (x, _, z), material in zip(frame["position"], frame["material"]):
            cells.setdefault((int(x // 0.016), int(z // 0.016)), []).append(material == min(frame["material"]))
        cells = [cell for cell in cells.values() if len(cell) > 3]
        size, blue = sum(map(len, cells)) / len(cells), sum(map(sum, cells)) / sum(map(len, cells))
        spread = sum(len(cell) * (sum(cell) / len(cell) - blue) ** 2 for cell in cells) / sum(map(len, cells))
        return (blue * (1 - blue) - spread) / (blue * (1 - blue) * (1 - 1 / size))

    first = next(run.frames(0.29))
    print(f"Lacey's index of mixing {lacey(first):.2f} before the pan turns, {lacey(frames[-1]):.2f} after {(run.rows[-1]['time'] - 0.3) * 30 / 60:.1f} turns")
    print(f"under the spray at a time {run.mean('spray.count', 1.0) / len(first['mass']):.1%} of the tablets")


def polyhedra(run):
    """The regimes of a drum by its Froude number, J. Mellmann, Powder Technology 118:251 (2001): 1e-4 to 1e-2 rolling, then cascading."""
    turned(run, 1.0)
    print(f"Froude number {(20 / 60 * 2 * math.pi) ** 2 * 0.07 / G:.3f}")


def agglomerate(run):
    """Y. Hiramatsu & Y. Oka, Int. J. Rock Mech. Min. Sci. 3:89 (1966): F = strength d^2 / 0.9; strength of the bonds by H. Rumpf (1970)."""
    peak_time, peak = max(run.column("load.plate.fz"), key=lambda point: point[1])
    bonds = run.rows[0]["bonds.holding"]
    strength = 0.74 * 2 * bonds / 371 * 5e6 * 0.5**2 / 4  # (1 - e) Z F_bond / (pi d^2), F_bond = 5 MPa pi (0.5 d / 2)^2
    say("force that crushes it, at the most", strength * 0.0151**2 / 0.9, peak, "N")
    say("force on the floor: that on the plate", -run.mean("load.plate.fz", 0, peak_time), run.mean("load.floor.fz", 0, peak_time), "N")
    print(f"bonds that broke {1 - run.rows[-1]['bonds.holding'] / bonds:.1%}, parts {run.rows[-1]['bonds.fragments']:.0f}")


def vehicle(run):
    """The bin bears all weight but that of the slide (0.1 kg), which hangs on its guide. A wheel that does not slip rolls at radius times rate."""
    *_, frame = run.frames()
    say("force on the soil bin", -sum(frame["mass"]) * G + 0.1 * G, run.mean("load.bin.fz", 0.5), "N")
    speed, rate = run.mean("carriage.vx", 0.5), math.pi
    print(f"speed {speed:.3f} m/s, of a rolling wheel of 58 mm {0.058 * rate:.3f} m/s: slip {1 - speed / (0.058 * rate):.0%}")
    print(f"torque {run.mean('hub.motor', 0.5):.3f} N m, power {run.mean('hub.motor', 0.5) * rate:.3f} W")


CASES = {f.__name__: f for f in (silo, mill, screw, belt, heap, triaxial, shear_cell, ballast, coater, agglomerate, vehicle, polyhedra)}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CASES:
        sys.exit(f"usage: check.py CASE RUN, of cases {', '.join(CASES)}")
    CASES[sys.argv[1]](Run(sys.argv[2]))


if __name__ == "__main__":
    main()
