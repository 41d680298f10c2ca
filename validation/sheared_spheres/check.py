"""Frictionless spheres sheared at a constant normal stress: macroscopic friction without dilatancy (Peyneau & Roux 2008)."""
import math

import numpy as np
from harness import relative, within

STRESS, MASS, DIAMETER = 1000.0, 1e-6, 1e-3
INERTIAL = (0.1, 0.03, 0.01)  # rate times sqrt(mass / (stress times diameter))
FRICTION, SCATTER = math.tan(math.radians(5.76)), math.tan(math.radians(0.22))  # of the limit of slow flow and many spheres
FRACTION = 0.64
POWER = 0.4  # of the inertial number, by which friction and volume are taken to rise
EDGES = (0.008, 0.012)
SHOWN = ["*"]


class Flow:
    def __init__(self, runner, inertial, edge=0.01, strain=4.0):
        rate = inertial / math.sqrt(MASS / (STRESS * DIAMETER))
        series = runner.run("flow.toml", name=f"flow_{inertial:g}_{edge:g}", time__end=0.1 + strain / rate, domain__max=[edge] * 3, domain__stage__1__shear__rate=rate,
                            bodies__0__place__region__box=[[0, 0, 0], [edge] * 3], measure__0__every=0.005 / rate, measure__1__every=0.005 / rate).series()
        late = series["cell.shear"] > 1.5
        self.normal = series["stress.yy"][late].mean()
        self.friction = -series["stress.xy"][late].mean() / self.normal
        self.fraction = series["stress.solid_fraction"][late].mean()
        # Of means over strains of a half, which are taken for independent.
        parts = np.array_split(-series["stress.xy"][late] / self.normal, max(2, int((strain - 1.5) / 0.5)))
        self.scatter = np.std([part.mean() for part in parts]) / math.sqrt(len(parts))


def check(runner):
    flows = {inertial: Flow(runner, inertial) for inertial in INERTIAL}
    friction = np.array([flows[i].friction for i in INERTIAL])
    raised = np.array(INERTIAL) ** POWER
    slope, limit = np.polyfit(raised, friction, 1)
    fraction = np.array([flows[i].fraction for i in INERTIAL])
    _, dense = np.polyfit(raised, 1 / fraction, 1)
    rows = [within("friction in the limit of slow flow", FRICTION - 4 * SCATTER - 0.01, FRICTION + 4 * SCATTER + 0.01, limit, ""),
            relative("solid fraction in the limit of slow flow", FRACTION, 1 / dense, 0.02)]
    lines = []
    for inertial, flow in flows.items():
        rows.append(relative(f"inertial number {inertial:g}: normal stress [Pa]", STRESS, flow.normal, 0.02 if inertial < 0.05 else 0.05))
        lines.append([f"{inertial:g}", "10", f"{flow.friction:.4f}", f"{flow.scatter:.4f}", f"{flow.fraction:.4f}"])
    for edge in EDGES:
        flow = Flow(runner, 0.03, edge)
        lines.append(["0.03", f"{edge / DIAMETER:.0f}", f"{flow.friction:.4f}", f"{flow.scatter:.4f}", f"{flow.fraction:.4f}"])
        rows.append(relative(f"cell of {edge / DIAMETER:.0f} diameters: friction as that of 10", flows[0.03].friction, flow.friction, 0.06))
        rows.append(relative(f"cell of {edge / DIAMETER:.0f} diameters: solid fraction as that of 10", flows[0.03].fraction, flow.fraction, 0.005))
    runner.table("Spheres without friction.", ["inertial number", "diameters across", "friction", "its scatter", "solid fraction"], lines)

    def draw(axes):
        line = np.linspace(0, max(raised), 50)
        axes.plot(line, limit + slope * line, lw=1, label="fit to slow flows")
        axes.plot(raised, friction, "o", label="Scree")
        axes.errorbar([0], [FRICTION], [SCATTER], fmt="s", label="Peyneau & Roux: limit of slow flow")
        axes.set(xlabel="inertial number ^ 0.4", ylabel="shear stress over normal stress")

    runner.plot("friction", draw, "Friction of flows of frictionless spheres against a power of the inertial number.")
    return rows
