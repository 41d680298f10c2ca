"""A pile that settles: kinetic, potential, elastic and dissipated energy add up to what there was at the start.

The error is compared with the potential energy turned over. Run at the automatic step, and at a quarter of it.
"""
import numpy as np
from harness import largest, within

PARTS = ["kinetic_translation", "kinetic_rotation", "potential", "elastic_normal", "elastic_tangential", "dissipated_damping",
         "dissipated_friction"]


def balance(series):
    """Largest |total - total at the start| over the potential energy turned over, and the share that is kinetic at the end."""
    total, potential = series["energy.total"], series["energy.potential"]
    turned = potential[0] - potential[-1]
    kinetic = series["energy.kinetic_translation"][-1] + series["energy.kinetic_rotation"][-1]
    return np.abs(total - total[0]).max() / turned, kinetic / turned


def check(runner):
    run = runner.run("scene.toml", name="automatic_step")
    series, fine = run.series(), runner.run("scene.toml", name="quarter_step", time__step=run.summary["dt"] / 4).series()

    def draw(axes):
        for part in PARTS:
            axes.plot(series["time"], series[f"energy.{part}"], label=part.replace("_", " "))
        axes.plot(series["time"], series["energy.total"], "k--", label="total")
        axes.set(xlabel="time [s]", ylabel="energy [J]")

    runner.plot("energies", draw)
    error, kinetic = balance(series)
    finer = balance(fine)[0]
    return [
        largest("automatic step: balance, largest error", error, 1e-3, "of energy turned over"),
        largest("quarter of it: balance, largest error", finer, 2e-4, "of energy turned over"),
        within("kinetic energy at the end, share", 0.0, 1e-3, kinetic, ""),
    ]
