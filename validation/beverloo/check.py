"""Discharge of a silo through holes of five widths, steady by recycling, against the law of Beverloo et al. 1961: W ~ (D - k d)^(5/2)."""
import numpy as np
from harness import relative, largest, within

GRAVITY, DIAMETER, DENSITY, SHELL = 9.81, 0.005, 2500.0, 0.0605
WIDTHS = [5, 6, 7, 8.5, 10]  # of the hole, in diameters of a grain
SIDES = 96
FROM = 0.5  # the flow is steady from here on [s]


def floor(width):
    """Wavefront text of a ring from the hole to beyond the shell; the hole has the area of a circle of this width."""
    inner = 0.5 * width / np.sqrt(np.sinc(2 / SIDES))
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    lines = [f"v {r * np.cos(a):.9g} {r * np.sin(a):.9g} 0" for r in (inner, 1.2 * SHELL) for a in angle]
    for i in range(SIDES):
        j = (i + 1) % SIDES
        lines += [f"f {i + 1} {SIDES + i + 1} {SIDES + j + 1}", f"f {i + 1} {SIDES + j + 1} {j + 1}"]
    return "\n".join(lines) + "\n"


def rate(run):
    """Mass per time through the hole [kg/s], and the relative standard error from ten spans of time."""
    series = run.series()
    there = series["time"] >= FROM
    time, mass = series["time"][there], series["streams.outlet.mass"][there]
    slope = np.polyfit(time, mass, 1)[0]
    edges = np.linspace(time[0], time[-1], 11)
    rates = np.diff(np.interp(edges, time, mass)) / np.diff(edges)
    return slope, rates.std(ddof=1) / np.sqrt(10) / slope


def check(runner):
    runs = [runner.run("scene.toml", f"d{width:g}".replace(".", "_"), files={"floor.obj": floor(width * DIAMETER)}) for width in WIDTHS]
    widths = DIAMETER * np.array(WIDTHS)
    flows, errors = np.array([rate(run) for run in runs]).T
    slope, offset = np.polyfit(widths, flows**0.4, 1)
    hole = -offset / slope  # k d
    exponent = np.polyfit(np.log(widths - hole), np.log(flows), 1)[0]
    fit = slope * (widths - hole)
    # C of W = C rho_b sqrt(g) (D - k d)^(5/2), with the bulk density of a random bed.
    C = slope**2.5 / (0.6 * DENSITY * np.sqrt(GRAVITY))
    lost = max(abs(run.summary["bodies"] + run.summary["removes"]["outlet"]["waiting"] - 8500) for run in runs)

    def draw(axes):
        axes.plot(widths / DIAMETER, flows**0.4, "o", mfc="none", label="Scree")
        axes.plot(widths / DIAMETER, fit, label=f"(D − {hole / DIAMETER:.2f} d), C = {C:.2f}")
        axes.set(xlabel="width of the hole / diameter of a grain", ylabel="W$^{2/5}$ [(kg/s)$^{2/5}$]")

    runner.plot("flow", draw, "Steady discharge of a flat-bottomed silo: W to the power 2/5 against the width of the hole.")
    runner.table("Steady discharge", ["D / d", "W [kg/s]", "standard error"],
                 [[f"{w:g}", f"{flow:.4f}", f"{100 * error:.1f} %"] for w, flow, error in zip(WIDTHS, flows, errors)])
    return [
        relative("exponent of W against D - k d", 2.5, exponent, 0.04),
        largest("W^(2/5) from a straight line in D", np.max(np.abs(flows**0.4 / fit - 1)), 0.03, "relative"),
        within("k", 1.0, 3.0, hole / DIAMETER, ""),
        within("C, of a bulk density 0.6 of the solid's", 0.5, 0.7, C, ""),
        largest("grains lost", lost, 0, "bodies"),
    ]
