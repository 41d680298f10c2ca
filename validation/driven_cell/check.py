"""A cell driven by stresses: isotropic packings (Agnolin & Roux 2007), and flows at constant normal stress (da Cruz et al. 2005)."""
import numpy as np
from harness import relative, within

PACKED = {0.0: (0.639, 6.0), 0.3: (0.593, 4.5)}  # friction: solid fraction, contacts of a grain that bears; Agnolin & Roux 2007
STRESS, MASS = 10.0, 0.0785  # of the flows [Pa m], [kg]
INERTIAL = (0.01, 0.03, 0.1)
EDGES = (0.15, 0.2, 0.3)  # of the cell [m]
SHOWN = ["*"]


def friction_of(inertial):
    """da Cruz et al. 2005, grains with friction 0.4."""
    return 0.25 + 1.1 * inertial


def fraction_of(inertial):
    return 0.81 - 0.3 * inertial


class Flow:
    """What comes after a strain of 1, up to one of 5."""

    def __init__(self, runner, inertial, edge=0.2):
        rate = inertial * np.sqrt(STRESS / MASS)
        run = runner.run("flow.toml", name=f"flow_{inertial:g}_{edge:g}", time__end=0.5 + 5 / rate, domain__max=[edge, edge],
                         domain__stage__1__shear__rate=rate, bodies__0__place__region__box=[[0, 0], [edge, edge]],
                         measure__0__every=0.002 / rate, measure__1__every=0.002 / rate)
        series = run.series()
        late = series["cell.shear"] > 1
        self.normal = series["stress.yy"][late].mean()
        self.friction = -series["stress.xy"][late].mean() / self.normal
        self.fraction = series["stress.solid_fraction"][late].mean()
        self.rate = series["cell.shear_rate"][late].mean() / rate


def check(runner):
    rows, lines = [], []
    for friction, (fraction, contacts) in PACKED.items():
        series = runner.run("pack.toml", name=f"pack_{friction:g}", material__grain__friction=friction).series()
        name = f"packing, friction {friction:g}"
        rows.append(relative(f"{name}: solid fraction", fraction, series["stress.solid_fraction"][-1], 0.03 if friction else 0.015))
        rows.append(relative(f"{name}: contacts of a grain that bears", contacts, series["stress.mechanical"][-1], 0.08))
        for part in ("xx", "yy", "zz"):
            rows.append(relative(f"{name}: stress {part} [Pa]", 1000.0, series[f"stress.{part}"][-1], 0.005))
        moving = (series["energy.kinetic_translation"][-1] + series["energy.kinetic_rotation"][-1]) / series["energy.elastic_normal"][-1]
        rows.append(within(f"{name}: kinetic over elastic energy", 0.0, 1e-2, moving, ""))
        work = series["energy.work_of_walls"][-1]
        rows.append(within(f"{name}: energy that is missing over the cell's work", 0.0, 5e-3,
                           abs(series["energy.total"][-1] - series["energy.total"][0] - work) / work, ""))
    flows = {(inertial, edge): Flow(runner, inertial, edge) for inertial, edge in
             [(i, 0.2) for i in INERTIAL] + [(0.1, edge) for edge in EDGES if edge != 0.2]}
    for (inertial, edge), flow in flows.items():
        name = f"flow, inertial number {inertial:g}, cell of {edge / 0.01:.0f} diameters"
        rows.append(relative(f"{name}: friction", friction_of(inertial), flow.friction, 0.12))
        rows.append(relative(f"{name}: solid fraction", fraction_of(inertial), flow.fraction, 0.02))
        rows.append(relative(f"{name}: normal stress [Pa m]", STRESS, flow.normal, 0.01 if inertial < 0.05 else 0.04))
        lines.append([f"{inertial:g}", f"{edge / 0.01:.0f}", f"{flow.friction:.3f}", f"{friction_of(inertial):.3f}", f"{flow.fraction:.3f}",
                      f"{fraction_of(inertial):.3f}"])
    runner.table("Flows of disks at a constant normal stress.", ["inertial number", "diameters across", "friction", "published", "solid fraction",
                                                                 "published"], lines)

    def draw(axes):
        line = np.linspace(0, 0.12, 50)
        axes.plot(line, friction_of(line), lw=1, label="published: 0.25 + 1.1 I")
        axes.plot([i for i, _ in flows], [flow.friction for flow in flows.values()], "o", label="Scree")
        axes.set(xlabel="inertial number I", ylabel="shear stress over normal stress")
        axes.legend()

    runner.plot("friction", draw, "Friction of flows of disks against their inertial number.")
    return rows
