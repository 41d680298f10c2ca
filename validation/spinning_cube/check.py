"""A cube that spins freely for a second, Govender, Wilke & Kok 2015, figure 23: angle and the path of a vertex.

Exact: 360 degrees, a circle; the paper has 359.944 degrees.
"""
import math

import h5py
import numpy as np
from harness import largest, relative

EDGE = 0.005
VERTEX = np.array([0.5, 0.5, 0.5]) * EDGE


def rotated(q, v):
    """v turned by the quaternion q = (w, x, y, z)."""
    t = 2 * np.cross(q[1:], v)
    return v + q[0] * t + np.cross(q[1:], t)


def check(runner):
    run = runner.run("scene.toml")
    frames = run.frames()
    time = np.array([frame["time"] for frame in frames])
    q = np.array([frame["orientation"][0] for frame in frames])
    angle = np.unwrap(2 * np.arctan2(q[:, 1], q[:, 0]))
    path = np.array([rotated(k, VERTEX) for k in q])
    with h5py.File(run.directory / "state.h5") as file:
        drawn = np.array([np.linalg.norm(group["surface/points"], axis=1) for group in file["frames"].values()])
    radius = EDGE / math.sqrt(2)

    def draw(axes):
        axes.plot(1e3 * path[:, 1], 1e3 * path[:, 2], ".", label="vertex, every 10 ms")
        circle = np.linspace(0, 2 * math.pi, 400)
        axes.plot(1e3 * radius * np.cos(circle), 1e3 * radius * np.sin(circle), "k:", label="circle")
        axes.set(xlabel="y [mm]", ylabel="z [mm]", aspect="equal")

    runner.plot("figure23", draw)
    return [
        relative("angle after 1 s [deg]", 360.0, math.degrees(angle[-1] - angle[0]), 1e-5),
        largest("angle against time, largest error", np.abs(np.degrees(angle - angle[0]) - 360 * time).max() / 360, 1e-5, "of a turn"),
        largest("vertex off its circle, largest", np.abs(np.hypot(path[:, 1], path[:, 2]) / radius - 1).max(), 1e-12, "of its radius"),
        largest("vertex off its plane, largest", np.abs(path[:, 0] / VERTEX[0] - 1).max(), 1e-12, "of half an edge"),
        largest("vertices as written for pictures, change of radius", np.abs(drawn / (EDGE * math.sqrt(0.75)) - 1).max(), 1e-6, "relative"),
    ]
