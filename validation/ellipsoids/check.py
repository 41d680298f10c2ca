"""Random packings of ellipsoids without friction: solid fraction and contacts (Donev et al. 2004)."""
import numpy as np
from harness import relative, within

COUNT, RADIUS = 200, 0.0005  # of all packings; of the sphere of a grain's volume [m]
START = {"spheres": 0.4, "prolate, 1 : 1 : 1.9": 0.12, "axes 1.25 : 1 : 0.8": 0.2}  # solid fractions at which bounding spheres are put at random
# Axes; solid fraction and what it may miss; contacts of a grain that bears and what they may miss (of spheres: where they just bear).
PACKED = {
    "spheres": ((1, 1, 1), (0.64, 0.01), (5.97, 0.3)),
    "prolate, 1 : 1 : 1.9": ((1, 1, 1.9), (0.705, 0.02), (9.8, 0.5)),
    "axes 1.25 : 1 : 0.8": ((1.25, 1, 0.8), (0.735, 0.02), (11.0, 1.1)),
}
SHOWN = ["*solid fraction*", "*contacts*", "*less that*"]
LOOSE = 0.5  # solid fraction at the end of the first stage


def bearing(frame, least=4):
    """Contacts of a grain that bears, and how many bear: grains with fewer than `least` contacts with others that bear are left out, again and again."""
    a, b, count = frame["contacts"]["a"], frame["contacts"]["b"], len(frame["position"])
    bears = np.ones(count, bool)
    while True:
        kept = bears[a] & bears[b]
        touches = np.bincount(a[kept], minlength=count) + np.bincount(b[kept], minlength=count)
        loose = bears & (touches < least)
        if not loose.any():
            return 2 * kept.sum() / bears.sum(), int(bears.sum())
        bears &= ~loose


def check(runner):
    rows, lines = [], []
    for name, (axes, (fraction, may_miss), (contacts, may_differ)) in PACKED.items():
        axes = np.array(axes) * RADIUS / np.prod(axes) ** (1 / 3)
        edge = float((COUNT * 4 / 3 * np.pi * np.prod(axes) / START[name]) ** (1 / 3))
        begin = float(np.log(LOOSE / START[name]) / 3 / 150)
        run = runner.run("pack.toml", name="pack_" + "_".join(f"{1e6 * axis:.0f}" for axis in axes), shape__grain__semi_axes=axes.tolist(), domain__max=[edge] * 3,
                         bodies__0__place__region__box=[[0, 0, 0], [edge] * 3], domain__stage__0__to=begin, domain__stage__1__to=begin + 0.01, time__end=begin + 0.02)
        series, frame = run.series(), run.last_frame()
        found, bears = bearing(frame)
        solid = series["stress.solid_fraction"][-1]
        rows.append(within(f"{name}: solid fraction", fraction - may_miss, fraction + may_miss, solid, ""))
        overlap = np.mean(frame["contacts"]["overlap"]) / (2 * RADIUS)
        if name == "spheres":  # pressed beyond where they just bear by 3 overlaps over the diameter, of the solid fraction
            contacts += 7.8 * np.sqrt(3 * overlap * solid)
        rows.append(within(f"{name}: contacts of a grain that bears", contacts - may_differ, contacts + may_differ, found, ""))
        for part in ("xx", "yy", "zz"):
            rows.append(relative(f"{name}: stress {part} [Pa]", 2000.0, series[f"stress.{part}"][-1], 0.03))
        moving = series["energy.kinetic_translation"][-1] + series["energy.kinetic_rotation"][-1]
        volume = COUNT * 4 / 3 * np.pi * RADIUS**3 / solid
        rows.append(within(f"{name}: two thirds of the kinetic energy a volume, over the stress", 0, 1e-3, 2 / 3 * moving / volume / 2000, ""))
        work, total = series["energy.work_of_walls"][-1], series["energy.total"]
        rows.append(within(f"{name}: energy that is missing over the cell's work", 0, 5e-3, abs(total[-1] - total[0] - work) / work, ""))
        rows.append(within(f"{name}: mean overlap over the diameter", 0, 3e-3, overlap, ""))
        lines.append([name, f"{solid:.4f}", f"{fraction:g}", f"{found:.2f}", f"{contacts:.3g}", str(COUNT - bears), f"{1e3 * overlap:.2f}"])
    solids = [float(line[1]) for line in lines]
    rows.append(within("prolate ellipsoids: solid fraction less that of spheres", 0.045, 0.085, solids[1] - solids[0], ""))
    rows.append(within("axes 1.25 : 1 : 0.8: solid fraction less that of spheres", 0.075, 0.115, solids[2] - solids[0], ""))
    runner.table(f"Packings of {COUNT} grains.", ["grains", "solid fraction", "published", "contacts", "published", "rattlers", "overlap / diameter [1e-3]"], lines)
    return rows
