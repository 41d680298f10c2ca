"""Error of the restitution against the time step: first order, as damping uses velocities half a step old.

Each step is tried at sixteen phases of touch-down within a step; the largest error counts. e = 0.5, both contact laws.
"""
import math

import numpy as np
from harness import Row, bodies_file, largest
from hertz import Impact, effective_modulus

RADIUS, SPEED, RESTITUTION, PHASES, STIFFNESS = 0.005, 1.0, 0.5, 16, 1e6
MASS = 2500 * 4 / 3 * math.pi * RADIUS**3
STEPS = [25, 50, 100, 200, 400]  # per duration of the undamped contact
SHOWN = ["*order*", "* 25 *", "* 400 *"]


def duration(law):
    """Of the undamped contact [s]."""
    if law == "linear":
        return math.pi * math.sqrt(MASS / STIFFNESS)
    return Impact(MASS, RADIUS, effective_modulus(1e9, 0.25, 1e9, 0.25), SPEED).duration


def largest_error(runner, law, steps):
    """Largest |e found - e| over the phases."""
    dt = duration(law) / steps
    rows = [(0.02 * k, 0, RADIUS + SPEED * dt * k / PHASES, RADIUS, 0, 0, -SPEED) for k in range(PHASES)]
    settings = {"method__law": law, **({"method__stiffness": STIFFNESS} if law == "linear" else {})}
    run = runner.run("scene.toml", name=f"{law}_{steps}", files={"bodies.txt": bodies_file(["x", "y", "z", "radius", "vx", "vy", "vz"], rows)},
                     time__step=dt, time__end=2 * duration(law), **settings)
    return np.abs(run.last_frame()["velocity"][:, 2] / SPEED - RESTITUTION).max()


def check(runner):
    errors = {law: np.array([largest_error(runner, law, steps) for steps in STEPS]) for law in ("hertz", "linear")}

    def draw(axes):
        for law, error in errors.items():
            axes.loglog(STEPS, error, "o-", label=law)
        axes.loglog(STEPS, errors["hertz"][0] * STEPS[0] / np.array(STEPS), "k:", label="first order")
        axes.set(xlabel="steps per contact", ylabel="largest error of e")

    runner.plot("convergence", draw)
    rows = []
    for law, error in errors.items():
        order = -np.polyfit(np.log(STEPS), np.log(error), 1)[0]
        rows.append(Row(f"{law}: order of convergence", 1.0, order, max(0.0, 1.0 - order), 0.1, "below first order"))
        rows += [largest(f"{law}: e at {steps} steps per contact, largest error", e, 0.5 / steps, "absolute") for steps, e in zip(STEPS, error)]
    return rows
