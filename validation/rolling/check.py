"""A sliding ball that ends up rolling: 5/7 of its speed, after 2 v0 / (7 mu g) and 12 v0^2 / (49 mu g).

Solid sphere with Coulomb friction on a rigid floor (any textbook of mechanics); on a plane and on a quad of triangles.
"""
import numpy as np
from harness import bodies_file, largest, relative
from hertz import effective_modulus

GRAVITY, RADIUS, SPEED, FRICTION = 9.81, 0.02, 1.0, 0.2


def resting_height():
    """Height of the centre of a ball at rest on the floor [m]: R less the Hertz overlap under its weight."""
    weight = 2500 * 4 / 3 * np.pi * RADIUS**3 * GRAVITY
    k = 4 / 3 * effective_modulus(1e9, 0.25, 1e9, 0.25) * np.sqrt(RADIUS)
    return RADIUS - (weight / k) ** (2 / 3)


def motion(runner, floor):
    """Time [s], place [m], speed [m/s] and slip of the contact point [m/s] in each frame."""
    text = bodies_file(["x", "y", "z", "radius", "vx", "vy", "vz"], [(0, 0, resting_height(), RADIUS, SPEED, 0, 0)])
    other = "quad" if floor == "plane" else "plane"
    # A wall that begins to exist after the end does not act.
    run = runner.run("scene.toml", name=floor, files={"bodies.txt": text}, **{f"wall__{other}__active": [100, 101]})
    frames = run.frames()
    time = np.array([frame["time"] for frame in frames])
    place, speed = (np.array([frame[name][0, 0] for frame in frames]) for name in ("position", "velocity"))
    spin = np.array([frame["angular_velocity"][0, 1] for frame in frames])
    return time, place, speed, speed - RADIUS * spin


def rows_of(floor, curves):
    time, place, speed, slip = curves
    early = slip > 0.1 * SPEED
    slope, start = np.polyfit(time[early], slip[early], 1)
    rolls_at = -start / slope
    # Distance by then: cubic between the two frames around it, from places and speeds.
    distance = np.interp(rolls_at, time, place)
    n = int(np.searchsorted(time, rolls_at)) - 1
    h = time[n + 1] - time[n]
    s = (rolls_at - time[n]) / h
    distance += h * s * (1 - s) / 2 * (speed[n] - speed[n + 1])
    return [
        relative(f"{floor}: final speed over first", 5 / 7, speed[-1] / SPEED, 1e-3),
        relative(f"{floor}: time until rolling [s]", 2 * SPEED / (7 * FRICTION * GRAVITY), rolls_at, 1e-3),
        relative(f"{floor}: distance until rolling [m]", 12 * SPEED**2 / (49 * FRICTION * GRAVITY), distance, 2e-3),
    ]


def check(runner):
    curves = {floor: motion(runner, floor) for floor in ("plane", "quad")}
    apart = max(np.abs(a - b).max() for a, b in zip(curves["plane"], curves["quad"]))

    def draw(axes):
        time, _, speed, slip = curves["plane"]
        axes.plot(time, speed, label="speed of the centre")
        axes.plot(time, slip, label="slip of the contact point")
        axes.axhline(5 / 7 * SPEED, color="k", ls=":", label="5/7 of the first speed")
        axes.axvline(2 * SPEED / (7 * FRICTION * GRAVITY), color="0.6", ls="--", label="2 v0 / (7 mu g)")
        axes.set(xlabel="time [s]", ylabel="speed [m/s]")

    runner.plot("rolling", draw)
    rows = [row for floor in curves for row in rows_of(floor, curves[floor])]
    return rows + [largest("plane against quad, largest difference", apart, runner.either(1e-12, 1e-6), "absolute [m, m/s]")]
