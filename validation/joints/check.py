"""Joints and springs one at a time against histories from a commercial multibody code (ADAMS).

Histories and set-ups: Project Chrono's tests of joints, see data/SOURCE.txt.
"""
import numpy as np
from harness import largest
from histories import COLUMNS, compare, history

CASES = ["revolute_01", "revolute_02", "prismatic_01", "prismatic_02", "prismatic_03", "distance_01", "distance_02", "distance_03",
         "rotspring_01", "transpring_01", "transpring_02"]
TOLERANCES = {"position": 1e-3, "velocity": 1e-3, "quaternion": 1e-3, "spin": 1e-3, "acceleration": 2e-2, "spin_rate": 2e-2, "force": 2e-2,
              "torque": 2e-2}
VIOLATION = 1e-6  # [m] and of unit axes
# Stiffness, damping, rest and, of a spring that turns, its axis. Scree's reactions are of rows and motors; the reference's hold the spring.
SPRINGS = {"rotspring_01": (200, 10, 0, np.array([0, 1, 0])), "transpring_01": (10, 0.5, 0, None), "transpring_02": (100, 5, 2, None)}


def read_reference(path):
    """A file of data/ as a history."""
    names, *lines = path.read_text().splitlines()
    table = dict(zip(names.split(), np.array([[float(word) for word in line.split()] for line in lines]).T))
    result = {quantity: np.stack([table[column] for column in of], axis=1) for quantity, of in COLUMNS.items()}
    return {"time": table["time"], **result}


def add_spring(case, found, series):
    """Adds to force or torque what the spring of a case does to the ground."""
    stiffness, damping, rest, axis = SPRINGS[case]
    if axis is not None:
        found["torque"] += np.outer(stiffness * (series["joint.angle"] - rest) + damping * found["spin"] @ axis, axis)
        return
    length = np.linalg.norm(found["position"], axis=1)
    along = found["position"] / np.maximum(length, 1e-12)[:, None]
    rate = np.sum(found["velocity"] * along, axis=1)
    found["force"] += (stiffness * (series["joint.travel"] - rest) + damping * rate)[:, None] * along


def check(runner):
    rows, pictures = [], {}
    for case in CASES:
        reference = read_reference(runner.folder / "data" / f"{case}.txt")
        series = runner.run(f"{case}.toml").series()
        found = history(series, "pendulum", "joint")
        if case in SPRINGS:
            add_spring(case, found, series)
        pictures[case] = (reference, found)
        rows += compare(case, found, reference, TOLERANCES)
        if not case.startswith("transpring"):
            rows.append(largest(f"{case}: violation of the joint, largest", np.abs(series["joint.violation"]).max(), VIOLATION, "absolute"))

    def draw(axes):
        reference, found = pictures["distance_02"]
        for k, name in enumerate("xyz"):
            axes.plot(reference["time"], reference["position"][:, k], color=f"C{k}", label=f"ADAMS, {name}")
            axes.plot(found["time"][::5], found["position"][::5, k], "o", ms=3, mfc="none", color=f"C{k}")
        axes.set(xlabel="time [s]", ylabel="position [m]", title="a body on a rod without mass; circles: Scree")

    runner.plot("distance_02", draw)
    return rows
