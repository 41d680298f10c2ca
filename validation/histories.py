"""Histories of bodies and joints from series.csv, and rows that compare them with reference histories.

A history is a dict of arrays (times, components): position, velocity, acceleration, quaternion, spin, spin_rate, force, torque. Errors are
the largest over time of |found - reference| / max(1, |reference|), in SI units: absolute below 1, relative above.
"""
import numpy as np
from harness import largest

COLUMNS = {
    "position": ("x", "y", "z"), "quaternion": ("qw", "qx", "qy", "qz"), "velocity": ("vx", "vy", "vz"), "spin": ("wx", "wy", "wz"),
    "acceleration": ("ax", "ay", "az"), "spin_rate": ("alphax", "alphay", "alphaz"),
    "force": ("force.x", "force.y", "force.z"), "torque": ("torque.x", "torque.y", "torque.z"),
}
OF_JOINT = ("force", "torque")
MEASURE = "of max(1, size)"

# How tables for docs/validation.md sum up the quantities.
GROUPS = {"position": ["position"], "velocity": ["velocity"], "orientation, spin": ["quaternion", "spin"],
          "accelerations": ["acceleration", "spin_rate"], "reactions": ["force", "torque"]}


def columns(series, name, quantity):
    """Array (times, components) of a body's or joint's quantity."""
    return np.stack([series[f"{name}.{column}"] for column in COLUMNS[quantity]], axis=1)


def history(series, body=None, joint=None):
    """All quantities of a measured body and joint."""
    result = {"time": series["time"]}
    for quantity in COLUMNS:
        name = joint if quantity in OF_JOINT else body
        if name is not None:
            result[quantity] = columns(series, name, quantity)
    return result


def difference(quantity, found, reference):
    """Errors by time, of max(1, size); a quaternion and its negative are one."""
    apart = np.linalg.norm(found - reference, axis=1)
    if quantity == "quaternion":
        apart = np.minimum(apart, np.linalg.norm(found + reference, axis=1))
    return apart / np.maximum(1, np.linalg.norm(reference, axis=1))


def compare(title, found, reference, tolerances):
    """Rows, one per quantity of `tolerances`; a dict of quantity -> tolerance. Times must be the same."""
    if len(found["time"]) != len(reference["time"]) or np.abs(found["time"] - reference["time"]).max() > 1e-9:
        raise ValueError(f"{title}: histories are of different times")
    return [largest(f"{title}: {quantity}, largest error", difference(quantity, found[quantity], reference[quantity]).max(), tolerance, MEASURE)
            for quantity, tolerance in tolerances.items()]


def worst_of_groups(found, reference):
    """The largest error of each of GROUPS, as text."""
    return [f"{max(difference(quantity, found[quantity], reference[quantity]).max() for quantity in group):.1e}" for group in GROUPS.values()]


def of_mechanism(mechanism, states, times, body, joint):
    """The history of one body and the reaction of one joint of a rigid.Mechanism, as integrated."""
    index = mechanism.names.index(body)
    accelerations = np.array([mechanism.solve(state.reshape(-1))[0][6 * index:6 * index + 6] for state in states])
    reactions = [mechanism.reaction(joint, state) for state in states]
    s = states[:, index]
    return {
        "time": np.asarray(times), "position": s[:, :3], "quaternion": s[:, 3:7], "velocity": s[:, 7:10], "spin": s[:, 10:13],
        "acceleration": accelerations[:, :3], "spin_rate": accelerations[:, 3:],
        "force": np.array([force for force, _ in reactions]), "torque": np.array([torque for _, torque in reactions]),
    }
