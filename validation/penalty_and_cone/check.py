"""The same scenes under both contact methods: discharge rate of a hopper, and slope of the bed in a drum that turns.

The two methods have nothing in common but materials, geometry and motion: soft contacts with short steps, rigid ones with long steps.
"""
import numpy as np
from harness import Row, largest, relative

HOPPER_STEP = 4e-4  # [s] of the cone method; half of its automatic one
FIRST, LAST = 0.95, 0.20  # shares of the mass between which the rate is taken
STEADY = 1.2  # [s] from when the drum's bed has found its slope: four tenths of a turn


def discharge(run):
    """Times [s], mass in the hopper [kg], and the mean rate [kg/s] from 95 % to 20 % of the mass."""
    series = run.series()
    time, mass = series["time"], series["inside.mass"]
    begin, end = np.interp([-FIRST * mass[0], -LAST * mass[0]], -mass, time)
    return time, mass, (FIRST - LAST) * mass[0] / (end - begin)


def slope(run):
    """Times [s], and how far the bed's centre of mass is turned out of the vertical by the drum [degrees]."""
    frames = run.frames()
    centre = np.array([np.average(frame["position"], axis=0, weights=frame["mass"]) for frame in frames])
    return np.array([frame["time"] for frame in frames]), np.degrees(np.arctan2(-centre[:, 0], -centre[:, 2]))


def check(runner):
    hopper = {kind: discharge(runner.run("hopper.toml", f"hopper_{kind}", method__kind=kind, time__step=step))
              for kind, step in (("penalty", "auto"), ("cone", HOPPER_STEP))}
    drum_runs = {kind: runner.run("drum.toml", f"drum_{kind}", method__kind=kind) for kind in ("penalty", "cone")}
    drum = {kind: slope(run) for kind, run in drum_runs.items()}

    def draw_hopper(axes):
        for kind, (time, mass, rate) in hopper.items():
            axes.plot(time, mass, label=f"{kind}: {rate:.3f} kg/s")
        axes.set(xlabel="time [s]", ylabel="mass in the hopper [kg]")

    def draw_drum(axes):
        for kind, (time, angle) in drum.items():
            axes.plot(time, angle, label=kind)
        axes.axvline(STEADY, color="0.6", ls="--")
        axes.set(xlabel="time [s]", ylabel="angle of the bed [degrees]")

    runner.plot("hopper", draw_hopper, "Mass in the hopper under both contact methods.")
    runner.plot("drum", draw_drum)
    angle = {kind: angles[time > STEADY].mean() for kind, (time, angles) in drum.items()}
    return [
        relative("hopper: discharge rate, cone against penalty [kg/s]", hopper["penalty"][2], hopper["cone"][2], 0.05),
        Row("drum: mean angle of the bed, cone against penalty", angle["penalty"], angle["cone"], abs(angle["cone"] - angle["penalty"]), 2.0,
            "absolute [degrees]"),
        largest("drum: deepest overlap at the end under the cone method", drum_runs["cone"].summary["max_overlap_ratio"], 0.01, "of the radius"),
    ]
