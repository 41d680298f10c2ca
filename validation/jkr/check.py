"""Adhesive elastic spheres: the pull against the gap of Johnson, Kendall & Roberts 1971, and restitution of Thornton & Ning 1998."""
import numpy as np
from harness import bodies_file, largest, relative
from hertz import effective_modulus

RADIUS, DENSITY, GAMMA = 5e-4, 2500.0, 0.05
MODULUS = effective_modulus(1e7, 0.3, 1e7, 0.3)
MASS = DENSITY * 4 / 3 * np.pi * RADIUS**3
SHARES = np.array([0.5, 0.8, 0.95, 1.05, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0])


def gap_and_force(contact_radius, radius):
    """Gap [m] (negative: overlap) and force that presses the two apart [N]."""
    gap = 2 * np.sqrt(np.pi * GAMMA * contact_radius / MODULUS) - contact_radius**2 / radius
    return gap, 4 * MODULUS * contact_radius**3 / (3 * radius) - 4 * np.sqrt(np.pi * GAMMA * MODULUS) * contact_radius**1.5


def pulls(runner):
    """Gap, force and the force of the theory while the two hold on; gap at which they part."""
    series = runner.run("pull.toml").series()
    gap = -1e-6 + 1e-4 * series["time"]
    force = -series["load.plate.fz"]  # presses the plate down
    parting = (np.pi * GAMMA * RADIUS**2 / (4 * MODULUS)) ** (1 / 3)
    curve = np.linspace(parting, 6 * parting, 200001)
    gaps, forces = gap_and_force(curve, RADIUS)
    holds = force != 0
    wanted = np.interp(-gap, -gaps, forces)
    return gap, force, wanted, holds, gaps[0]


def restitutions(runner):
    stick = np.sqrt(14.18 / (MASS / 2)) * ((2 * GAMMA) ** 5 * (RADIUS / 2) ** 4 / MODULUS**2) ** (1 / 6)
    rows = []
    for k, share in enumerate(SHARES):
        for side in (-1, 1):
            rows.append((side * (RADIUS + 1e-7), 10 * RADIUS * k, 0, -side * share * stick / 2))
    run = runner.run("impact.toml", files={"bodies.txt": bodies_file(["x", "y", "z", "vx"], rows)})
    frame = run.last_frame()
    order = np.argsort(frame["id"])
    place, speed = frame["position"][order], frame["velocity"][order]
    apart = place[1::2, 0] - place[::2, 0] - 2 * RADIUS
    return (speed[1::2, 0] - speed[::2, 0]) / (SHARES * stick), apart


def check(runner):
    gap, force, wanted, holds, parting = pulls(runner)
    pull_off = 3 * np.pi * GAMMA * RADIUS
    found, apart = restitutions(runner)
    theory = np.sqrt(np.maximum(0, 1 - 1 / SHARES**2))
    above = SHARES > 1

    def draw_force(axes):
        axes.plot(gap[holds] * 1e6, force[holds] * 1e6, ".", ms=2, label="found")
        axes.plot(gap[holds] * 1e6, wanted[holds] * 1e6, lw=1, label="Johnson, Kendall & Roberts 1971")
        axes.axhline(-pull_off * 1e6, color="0.6", ls="--", label="3 pi gamma R")
        axes.set(xlabel="gap [um]", ylabel="force [uN]")

    def draw_restitution(axes):
        v = np.linspace(1, 8, 400)
        axes.plot(v, np.sqrt(1 - 1 / v**2), lw=1, label="(1 - (V_s/V)^2)^(1/2)")
        axes.plot(SHARES, np.where(above, found, 0), "o", ms=4, label="found")
        axes.set(xlabel="V / V_s", ylabel="restitution")

    runner.plot("pull", draw_force)
    runner.plot("restitution", draw_restitution)
    last = gap[holds].max()
    return [
        largest("force against gap, largest difference", np.abs(force - wanted)[holds].max() / pull_off, runner.either(1e-6, 1e-4), "of the pull-off force"),
        relative("pull-off force 3 pi gamma R [N]", pull_off, -force.min(), 1e-5),
        relative("gap of parting [m]", parting, last, 5e-3),
        largest("restitution, largest difference above V_s", np.abs(found - theory)[above].max(), 0.002, "absolute"),
        largest("pairs slower than V_s that part", np.count_nonzero(apart[~above] > parting), 0, "count"),
        largest("pairs faster than V_s that do not", np.count_nonzero(apart[above] < parting), 0, "count"),
    ]
