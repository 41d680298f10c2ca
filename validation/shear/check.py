"""Steady simple shear in a periodic cell: friction and pressure against solid fraction, inertial number and rate (Chialvo et al. 2012)."""
import numpy as np
from harness import Row, relative, within

DIAMETER, DENSITY, STIFFNESS, RATE = 1e-3, 2500.0, 1000.0, 20.0
JAMMED = {0.1: 0.613, 0.3: 0.596, 0.5: 0.587}  # friction of grains: solid fraction at which flow jams, and ...
STATIC = {0.1: 0.268, 0.3: 0.357, 0.5: 0.382}  # ... the friction of slow flows, Chialvo et al. 2012
FRACTIONS = (0.555, 0.57, 0.58)
EDGES = (8, 12, 16)  # of the cell, in diameters
SHOWN = ["friction*", "pressure*", "stress*"]


def friction_of(grain, inertial):
    """Shear stress over pressure in steady flow, Chialvo et al. 2012, eq. 11."""
    return STATIC[grain] + 0.37 / ((0.32 / inertial) ** 1.5 + 1)


def pressure_of(grain, fraction):
    """Of flow below jamming, Chialvo et al. 2012, eq. 5 [Pa]."""
    return 0.021 * DENSITY * (RATE * DIAMETER) ** 2 / (JAMMED[grain] - fraction) ** 2


class Flow:
    """The second half of a run."""

    def __init__(self, runner, name, grain, fraction, edge=12, rate=RATE, strain=6):
        side = edge * DIAMETER
        run = runner.run("scene.toml", name=name, time__step=2e-6 * RATE / rate if rate > RATE else 2e-6, time__end=strain / rate,
                         domain__max=[side] * 3, domain__shear__rate=rate, material__grain__friction=grain,
                         bodies__0__place__fraction=fraction, bodies__0__place__region__box=[[0, 0, 0], [side] * 3])
        series = run.series()
        late = series["time"] > 0.5 * series["time"][-1]
        self.pressure = series["stress.pressure"][late].mean()
        self.friction = -series["stress.xy"][late].mean() / self.pressure
        self.fraction = series["stress.solid_fraction"][-1]
        self.inertial = rate * DIAMETER / np.sqrt(self.pressure / DENSITY)
        self.across = [series[f"stress.{part}"][late].mean() / self.pressure for part in ("xz", "yz")]


def check(runner):
    flows = {(grain, fraction): Flow(runner, f"mu{grain:g}_phi{fraction:g}", grain, fraction) for grain in JAMMED for fraction in FRACTIONS}
    sizes = [Flow(runner, f"edge{edge}", 0.5, 0.56, edge) for edge in EDGES]
    slower = Flow(runner, "slower", 0.5, FRACTIONS[0], rate=RATE / 2)

    runner.table("Steady flows.", ["friction of grains", "solid fraction", "inertial number", "friction of the flow", "published",
                                   "pressure [Pa]", "published [Pa]"],
                 [[f"{grain:g}", f"{flow.fraction:.3f}", f"{flow.inertial:.3f}", f"{flow.friction:.3f}",
                   f"{friction_of(grain, flow.inertial):.3f}", f"{flow.pressure:.3g}", f"{pressure_of(grain, flow.fraction):.3g}"]
                  for (grain, _), flow in flows.items()])

    def draw(axes):
        line = np.linspace(0.01, 0.7, 200)
        for k, grain in enumerate(JAMMED):
            axes.plot(line, friction_of(grain, line), color=f"C{k}", lw=1, label=f"published, grains {grain:g}")
            found = [flow for (of, _), flow in flows.items() if of == grain]
            axes.plot([flow.inertial for flow in found], [flow.friction for flow in found], "o", color=f"C{k}", label=f"Scree, grains {grain:g}")
        axes.set(xlabel="inertial number", ylabel="shear stress over pressure")

    runner.plot("friction", draw, "Friction of steady flows against their inertial number.")
    rows = []
    for (grain, fraction), flow in flows.items():
        name = f"grains {grain:g}, solid fraction {fraction:g}"
        rows.append(relative(f"friction: {name}", friction_of(grain, flow.inertial), flow.friction, 0.06))
        near = JAMMED[grain] - fraction < 0.01  # where it jams: the pressure goes by the square of the distance from there
        rows.append(relative(f"pressure: {name} [Pa]", pressure_of(grain, flow.fraction), flow.pressure, 0.4 if near else 0.25))
    rows.append(relative("pressure over rate squared, half the rate [Pa s2]", flows[0.5, FRACTIONS[0]].pressure / RATE**2,
                         slower.pressure / (RATE / 2) ** 2, 0.15))
    rows.append(relative("friction: half the rate", flows[0.5, FRACTIONS[0]].friction, slower.friction, 0.04))
    for edge, flow in zip(EDGES, sizes):
        rows.append(relative(f"friction: cell of {edge} diameters", friction_of(0.5, flow.inertial), flow.friction, 0.06))
    rows.append(within("stress out of the plane of shear over pressure, largest", 0.0, 0.03,
                       max(abs(part) for flow in flows.values() for part in flow.across), ""))
    return rows
