"""Joints and springs one at a time against histories from a commercial multibody code (ADAMS).

Histories and set-ups: Project Chrono's tests of joints, see data/SOURCE.txt.
"""
import numpy as np
from harness import largest
from histories import COLUMNS, GROUPS, compare, history, worst_of_groups

CASES = ["revolute_01", "revolute_02", "prismatic_01", "prismatic_02", "prismatic_03", "distance_01", "distance_02", "distance_03",
         "rotspring_01", "rotspring_02", "transpring_01", "transpring_02"]
TOLERANCES = {"position": 1e-3, "velocity": 1e-3, "quaternion": 1e-3, "spin": 1e-3, "acceleration": 2e-2, "spin_rate": 2e-2, "force": 2e-2,
              "torque": 2e-2}
VIOLATION = 1e-6  # [m] and of unit axes
SHOWN = []  # the table has all


def read_reference(path):
    """A file of data/ as a history."""
    names, *lines = path.read_text().splitlines()
    table = dict(zip(names.split(), np.array([[float(word) for word in line.split()] for line in lines]).T))
    result = {quantity: np.stack([table[column] for column in of], axis=1) for quantity, of in COLUMNS.items()}
    return {"time": table["time"], **result}


def check(runner):
    rows, lines, pictures = [], [], {}
    for case in CASES:
        reference = read_reference(runner.folder / "data" / f"{case}.txt")
        series = runner.run(f"{case}.toml").series()
        found = history(series, "pendulum", "joint")
        pictures[case] = (reference, found)
        rows += compare(case, found, reference, TOLERANCES)
        violation = None
        if not case.startswith("transpring"):
            violation = np.abs(series["joint.violation"]).max()
            rows.append(largest(f"{case}: violation of the joint, largest", violation, VIOLATION, "absolute"))
        lines.append([case, *worst_of_groups(found, reference), "–" if violation is None else f"{violation:.1e}"])

    def draw(axes):
        reference, found = pictures["distance_02"]
        for k, name in enumerate("xyz"):
            axes.plot(reference["time"], reference["position"][:, k], color=f"C{k}", label=f"ADAMS, {name}")
            axes.plot(found["time"][::5], found["position"][::5, k], "o", ms=3, mfc="none", color=f"C{k}")
        axes.set(xlabel="time [s]", ylabel="position [m]", title="a body on a rod without mass; circles: Scree")

    runner.table("Largest errors over 5 s, of max(1, size).", ["set-up", *GROUPS, "violation"], lines)
    runner.plot("distance_02", draw, "distance_02: a body hung at its end on a rod without mass, let go level; lines: ADAMS, circles: Scree.")
    return rows
