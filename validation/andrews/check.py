"""Andrews' squeezing mechanism: seven bodies in three loops, at the angles of 0.03 s, and the order of convergence.

Reference: the IVP test set's problem "andrews", solved anew in seven angles by mechanism.py beside this file.
"""
from pathlib import Path

import numpy as np
from harness import Row, largest, load

STEPS = [4e-5, 2e-5, 1e-5, 5e-6]
END = 0.03
SHOWN = ["reference: distance*", "beta*", "order*"]


def angles_of(series, mechanism):
    """The seven angles at all times, (times, 7), from the bodies' orientations."""
    turned = np.stack([np.unwrap(2 * np.arctan2(series[f"K{k}.qz"], series[f"K{k}.qw"])) for k in range(1, 8)], axis=1)
    absolute = mechanism.ANGLE_OF @ mechanism.START + turned - turned[0]
    return absolute @ np.linalg.inv(mechanism.ANGLE_OF).T


def check_reference(mechanism, q, rate):
    energies = np.array([mechanism.energy(a, b) for a, b in zip(q, rate)])
    return [
        largest("reference: gaps of its loops", max(np.abs(mechanism.loops(a)).max() for a in q), 1e-11, "absolute [m]"),
        largest("reference: change of its energy less the drive's work", np.ptp(energies) / (mechanism.MOMENT * q[-1, 0]), 1e-10, "of that work"),
        largest("reference: distance from the published one at 0.03 s", np.abs(q[-1] - mechanism.PUBLISHED).max(), 1e-8, "absolute [rad]"),
    ]


def check(runner):
    mechanism = load(Path(__file__).parent / "mechanism.py")
    times = np.linspace(0, END, 751)
    q, rate = mechanism.solve(times)
    rows = check_reference(mechanism, q, rate)

    errors, lines, found = [], [], None
    for step in STEPS:
        name = f"step_{step:g}"
        series = runner.run("scene.toml", name=name, files={"scene.toml": mechanism.scene_text(step, END, every=4e-5)}).series()
        found = angles_of(series, mechanism)
        errors.append(np.abs(found[-1] - q[-1]).max())
        hinges = [column for column in series if column.endswith(".violation") and not column.startswith("spring")]
        violation = max(np.abs(series[column]).max() for column in hinges)
        rows.append(largest(f"step {step:g} s: violation of the hinges, largest", violation, 1e-10, "absolute [m, -]"))
        order = np.log2(errors[-2] / errors[-1]) if len(errors) > 1 else None
        lines.append([f"{step:g}", f"{errors[-1]:.2e}", "–" if order is None else f"{order:.3f}", f"{violation:.1e}"])
    runner.table("Largest error of the seven angles at 0.03 s, by step.", ["step [s]", "error [rad]", "order", "violation of the hinges"], lines)
    for k, name in enumerate(mechanism.NAMES):
        rows.append(Row(f"{name} at 0.03 s [rad]", q[-1, k], found[-1, k], abs(found[-1, k] - q[-1, k]), 1e-4, "absolute [rad]"))
    rows.append(Row("order of convergence in the step", 2.0, order, abs(order - 2), 0.05, "absolute"))

    def draw(axes):
        for k, name in enumerate(mechanism.NAMES):
            axes.plot(1e3 * times, q[:, k] if k not in (0, 1) else q[:, k] / 10, color=f"C{k}", label=name if k > 1 else f"{name} / 10")
            axes.plot(1e3 * times[::25], (found[:, k] if k not in (0, 1) else found[:, k] / 10)[::25], "o", ms=3, mfc="none", color=f"C{k}")
        axes.set(xlabel="time [ms]", ylabel="angle [rad]")

    def draw_errors(axes):
        axes.loglog(STEPS, errors, "o-", label="largest error of the seven angles at 0.03 s")
        axes.loglog(STEPS, [errors[-1] * (step / STEPS[-1]) ** 2 for step in STEPS], "--", color="0.6", label="second order")
        axes.set(xlabel="step [s]", ylabel="error [rad]")

    runner.plot("angles", draw)
    runner.plot("convergence", draw_errors, "Error of the angles at 0.03 s against the step.")
    return rows
