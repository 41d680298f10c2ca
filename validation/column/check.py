"""A column of balls at rest: the floor carries its weight, and each contact is as deep as its law says.

Contact k from the top carries k weights; Hertz: overlap (F / (4/3 E_eff sqrt(R_eff)))^(2/3), linear: F / k_n.
"""
import math

import numpy as np
from harness import largest, relative
from hertz import effective_modulus

GRAVITY, RADIUS, COUNT, DENSITY, STIFFNESS = 9.81, 0.005, 10, 2500, 1e4
WEIGHT = DENSITY * 4 / 3 * math.pi * RADIUS**3 * GRAVITY


def expected_overlaps(law):
    """Overlap of each contact [m], from the one on the floor upwards."""
    force = WEIGHT * np.arange(COUNT, 0, -1)
    if law == "linear":
        return force / STIFFNESS
    R_eff = np.full(COUNT, RADIUS / 2)
    R_eff[0] = RADIUS  # on the floor
    return (force / (4 / 3 * effective_modulus(1e7, 0.25, 1e7, 0.25) * np.sqrt(R_eff))) ** (2 / 3)


def found_overlaps(contacts):
    """The same from contact records: on the floor first, then in order of the lower ball."""
    wall = contacts["wall"] >= 0
    between = contacts["overlap"][~wall][np.argsort(contacts["a"][~wall])]
    return np.concatenate([contacts["overlap"][wall], between])


def check(runner):
    rows = []
    for law in ("hertz", "linear"):
        settings = {"method__law": law, **({"method__stiffness": STIFFNESS} if law == "linear" else {})}
        run = runner.run("scene.toml", name=law, **settings)
        last = run.last_frame()
        found, wanted = found_overlaps(last["contacts"]), expected_overlaps(law)
        if len(found) != COUNT:
            found = np.full(COUNT, np.nan)
        load = -run.series()["load.floor.fz"][-1]
        rows += [
            relative(f"{law}: load on the floor [N]", COUNT * WEIGHT, load, runner.either(1e-9, 1e-5)),
            largest(f"{law}: overlaps, largest error", np.abs(found / wanted - 1).max(), runner.either(1e-7, 1e-4), "relative"),
            largest(f"{law}: speed at the end, largest", np.abs(last["velocity"]).max(), runner.either(1e-9, 1e-6), "absolute [m/s]"),
        ]
    return rows
