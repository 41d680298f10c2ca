"""A ball of 320 triangles and a sphere: rebound and rolling are alike within what the ball is rough.

Rough: one less the ratio of inscribed and bounding radius. The sphere itself is checked against closed results.
"""
import math

import numpy as np
from harness import largest, relative
from hertz import effective_modulus

RADIUS, GRAVITY, ANGLE = 0.01, 9.81, math.radians(10)


def triangles_of_ball():
    """Corners (320, 3, 3) of the icosahedron's triangles cut in four twice, on the unit sphere."""
    g = (1 + math.sqrt(5)) / 2
    corner = np.array([(a, b * g, 0) for a in (-1, 1) for b in (-1, 1)])
    corner = np.vstack([corner, corner[:, [2, 0, 1]], corner[:, [1, 2, 0]]]) / math.hypot(1, g)
    near = np.linalg.norm(corner[:, None] - corner[None], axis=2) < 1.1
    t = np.array([corner[[i, j, k]] for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[i, k]])
    for _ in range(2):
        m = [t[:, i] + t[:, (i + 1) % 3] for i in range(3)]
        m = [x / np.linalg.norm(x, axis=1)[:, None] for x in m]
        t = np.concatenate([np.stack(x, axis=1) for x in ((t[:, 0], m[0], m[2]), (m[0], t[:, 1], m[1]), (m[2], m[1], t[:, 2]), m)])
    return t


def roughness():
    """1 - inscribed radius / bounding radius."""
    t = triangles_of_ball()
    normal = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    return 1 - np.abs((normal * t[:, 0]).sum(axis=1) / np.linalg.norm(normal, axis=1)).min()


def impacts(runner, rough):
    rows = []
    for e in (1.0, 0.8):
        v = runner.run("impact.toml", name=f"impact_{e:g}", material__rubber__restitution=e).last_frame()["velocity"][:, 2]
        balls, sphere = v[:-1], v[-1]
        rows.append(relative(f"e = {e:g}: rebound of the sphere [m/s]", e, sphere, 1e-3))
        if e == 1:
            difference = np.abs(balls / sphere - 1).max()
            rows.append(largest("e = 1: rebound of 32 balls against the sphere's, largest difference", difference, rough, "relative"))
        else:
            rows.append(relative(f"e = {e:g}: mean rebound of the balls [m/s]", e, balls.mean(), rough))
            spread = np.abs(balls / balls.mean() - 1).max()
            rows.append(largest(f"e = {e:g}: rebound of 32 balls, largest distance from their mean", spread, rough, "relative"))
    return rows


def rolling(runner, rough):
    frames = runner.run("roll.toml").frames()
    time = np.array([frame["time"] for frame in frames])
    way = np.array([frame["position"][:, 0] - frames[0]["position"][:, 0] for frame in frames])
    aside = np.abs(frames[-1]["position"][:, 1] - frames[0]["position"][:, 1])
    balls, sphere = way[-1, :-1], way[-1, -1]
    mass = 2500 * 4 / 3 * math.pi * RADIUS**3
    k = 4 / 3 * effective_modulus(1e5, 0.25, 1e5, 0.25) * math.sqrt(RADIUS)
    lever = RADIUS - (mass * GRAVITY * math.cos(ANGLE) / k) ** (2 / 3)
    exact = GRAVITY * math.sin(ANGLE) / (1 + 0.4 * (RADIUS / lever) ** 2)

    def draw(axes):
        axes.plot(time, 100 * way[:, :-1], color="0.6", lw=0.8)
        axes.plot(time, 100 * way[:, -1], "k", label="sphere; grey: 16 balls of 320 triangles")
        axes.plot(time, 50 * exact * time**2, "r:", label="rigid, lever R - overlap")
        axes.set(xlabel="time [s]", ylabel="way [cm]")

    runner.plot("rolling", draw)
    return [
        relative("sphere: way down the slope [m]", 0.5 * exact * time[-1] ** 2, sphere, 2e-3),
        largest("16 balls: way against the sphere's, largest difference", np.abs(balls / sphere - 1).max(), rough, "relative"),
        largest("16 balls: way aside, largest", (aside[:-1] / sphere).max(), rough, "of the way"),
    ]


def check(runner):
    rough = roughness()
    return impacts(runner, rough) + rolling(runner, rough)
