"""Heights of a ball that bounces: h_k = e^(2k) h_0, at times that follow from free fall.

Of an instantaneous bounce; a real contact lasts a little and gravity acts meanwhile, which the tolerance allows for.
"""
import math

import numpy as np
from harness import bodies_file, relative

GRAVITY, RADIUS, HEIGHT = 9.81, 0.005, 0.5
BALLS = [("lively", 0.9, 2), ("middling", 0.7, 2), ("dull", 0.5, 2)]  # material, restitution, bounces to look at
SHOWN = ["*height after*"]


def bounce_time(e, k):
    """Time of bounce k = 1, 2, … [s]."""
    fall = math.sqrt(2 * HEIGHT / GRAVITY)
    return fall * (1 + 2 * sum(e**j for j in range(1, k)))


def check(runner):
    rows_of_file = [(0.1 * k, 0, RADIUS + HEIGHT, RADIUS, name) for k, (name, *_) in enumerate(BALLS)]
    run = runner.run("scene.toml", files={"bodies.txt": bodies_file(["x", "y", "z", "radius", "material"], rows_of_file)})
    frames = run.frames()
    time = np.array([frame["time"] for frame in frames])
    height = np.array([frame["position"][:, 2] for frame in frames]) - RADIUS
    speed = np.array([frame["velocity"][:, 2] for frame in frames])
    rows = []
    for b, (name, e, bounces) in enumerate(BALLS):
        for k in range(1, bounces + 1):
            top = 0.5 * (bounce_time(e, k) + bounce_time(e, k + 1))
            n = int(np.argmin(np.abs(time - top)))
            # In free flight the height still to come is v |v| / 2g, so any frame of the flight gives its top.
            found = height[n, b] + speed[n, b] ** 2 / (2 * GRAVITY)
            rows.append(relative(f"e = {e}: height after bounce {k} [m]", e ** (2 * k) * HEIGHT, found, 1e-2))
            rows.append(relative(f"e = {e}: time of top {k} [s]", top, time[n] + speed[n, b] / GRAVITY, 2e-3))

    def draw(axes):
        for b, (name, e, _) in enumerate(BALLS):
            line = axes.plot(time, height[:, b], label=f"e = {e}")[0]
            for k in range(5):
                top = 0.5 * (bounce_time(e, k) + bounce_time(e, k + 1)) if k else 0.0
                if top < time[-1]:
                    axes.plot(top, e ** (2 * k) * HEIGHT, "o", mfc="none", color=line.get_color())
        axes.set(xlabel="time [s]", ylabel="height [m]", title="circles: tops by free fall and restitution")

    runner.plot("heights", draw)
    return rows
