"""A ball with rolling and twisting friction: the closed forms of Ai et al. 2011 for models A and C, and Marshall's couple about the normal."""
import numpy as np
from harness import largest, relative

GRAVITY, RADIUS, MU, ROLLING, STIFFNESS = 9.81, 0.01, 0.9, 0.05, 2e4
MASS = 2500 * 4 / 3 * np.pi * RADIUS**3
SINK = MASS * GRAVITY / STIFFNESS


def motion(runner, name, floor, angle=0.0, speed=0.0, spin=0.0, **settings):
    other = "quad" if floor == "plane" else "plane"
    down = [GRAVITY * np.sin(angle), 0, -GRAVITY * np.cos(angle)]
    # A wall that begins to exist after the end does not act.
    place = {"body__ball__position": [0, 0, RADIUS - SINK * np.cos(angle)], "body__ball__velocity": [speed, 0, 0],
             "body__ball__angular_velocity": [0, speed / RADIUS, spin], "domain__gravity": down, f"wall__{other}__active": [100, 101]}
    return runner.run("scene.toml", name=name, **place, **settings).series()


def level(runner, model, floor):
    v = 0.2
    series = motion(runner, f"level_{model}_{floor}", floor, speed=v, method__rolling=model)
    time, speed = series["time"], series["ball.vx"]
    rolls = (speed > 0.1 * v) & (time > 0)
    slope, start = np.polyfit(time[rolls], speed[rolls], 1)
    of = f"level, {model}, {floor}: "
    return series, [
        relative(of + "distance [m]", 7 * v * v / (10 * ROLLING * GRAVITY), series["ball.x"][-1], 2e-3),
        relative(of + "time [s]", 7 * v / (5 * ROLLING * GRAVITY), -start / slope, 3e-3),
        largest(of + "speed that is left", abs(speed[-1]) / v, 1e-3, "of the first"),
    ]


def slope(runner, share):
    angle = np.arctan(share * ROLLING)
    series = motion(runner, f"slope_{share:g}", "plane", angle=angle)
    time, speed = series["time"], series["ball.vx"]
    if share < 1:
        return [largest(f"slope of {share:g} mu_r: creep", abs(speed[-1]), 1e-7, "absolute [m/s]")]
    late = time > 0.5 * time[-1]
    wanted = 5 / 7 * GRAVITY * (np.sin(angle) - ROLLING * np.cos(angle))
    return [relative(f"slope of {share:g} mu_r: acceleration [m/s2]", wanted, np.polyfit(time[late], speed[late], 1)[0], 2e-3)]


def spin(runner, floor):
    rate = 2 / 3 * np.sqrt(RADIUS * SINK) * MU * MASS * GRAVITY / (0.4 * MASS * RADIUS**2)
    series = motion(runner, f"spin_{floor}", floor, spin=rate)
    time, turns = series["time"], series["ball.wz"]
    late = time > 0.2
    return [relative(f"spin, {floor}: slowing [rad/s2]", -rate, np.polyfit(time[late], turns[late], 1)[0], 5e-3)]


def check(runner):
    rows, curves = [], {}
    for model in ("constant", "epsd"):
        for floor in ("plane", "quad"):
            curves[model, floor], new = level(runner, model, floor)
            rows += new

    def draw(axes):
        for model in ("constant", "epsd"):
            axes.plot(curves[model, "plane"]["time"], curves[model, "plane"]["ball.vx"], label=model)
        axes.axvline(7 * 0.2 / (5 * ROLLING * GRAVITY), color="0.6", ls="--", label="7 v / (5 mu_r g)")
        axes.set(xlabel="time [s]", ylabel="speed [m/s]")

    runner.plot("level", draw)
    for share in (0.5, 0.9, 1.5, 3.0):
        rows += slope(runner, share)
    for floor in ("plane", "quad"):
        rows += spin(runner, floor)
    return rows
