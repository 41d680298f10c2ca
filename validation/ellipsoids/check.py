"""Random packings of ellipsoids without friction (Donev et al. 2004; Man et al. 2005)."""
from harness import relative, within

VOLUME = 0.0005**3  # a b c of every grain [m3]
# Axes; solid fraction and what it may miss, contacts of a grain that bears and what they may miss.
PACKED = {
    "spheres": ((1, 1, 1), (0.64, 0.01), (6.0, 0.5)),
    "oblate, 1 : 1.9": ((1.9, 1.9, 1), (0.695, 0.02), (9.8, 0.7)),
    "axes 1.25 : 1 : 0.8": ((1.25, 1, 0.8), (0.735, 0.02), (11.4, 0.9)),
}


def check(runner):
    rows = []
    for name, (axes, (fraction, may_miss), (contacts, may_differ)) in PACKED.items():
        size = (VOLUME / (axes[0] * axes[1] * axes[2])) ** (1 / 3)
        series = runner.run("pack.toml", name="pack_" + "_".join(f"{axis:g}" for axis in axes),
                            shape__grain__semi_axes=[axis * size for axis in axes]).series()
        rows.append(within(f"{name}: solid fraction", fraction, may_miss, series["stress.solid_fraction"][-1], ""))
        rows.append(within(f"{name}: contacts of a grain that bears", contacts, may_differ, series["stress.mechanical"][-1], ""))
        for part in ("xx", "yy", "zz"):
            rows.append(relative(f"{name}: stress {part} [Pa]", 5000.0, series[f"stress.{part}"][-1], 0.005))
        work = series["energy.work_of_walls"][-1]
        rows.append(within(f"{name}: energy that is missing over the cell's work", 0.0, 5e-3,
                           abs(series["energy.total"][-1] - series["energy.total"][0] - work) / work, ""))
    return rows
