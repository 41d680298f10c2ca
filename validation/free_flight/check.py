"""Thrown bodies that turn: parabola and constant spin over half a million steps.

x = x0 + v0 t + g t^2 / 2, v = v0 + g t, orientation = turn by omega t about the axis of spin.
"""
import numpy as np
from harness import bodies_file, largest

GRAVITY = np.array([0.3, 0.0, -9.81])
COLUMNS = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"]
BODIES = np.array([[0, 0, 0, 0.001, 3, 0, 4, 0, 0, 1e-3], [1000, 2000, 3000, 0.01, -2, 5, 0, 10, -20, 5], [0, 9, 0, 0.3, 0, 0, 0, 0, 0.7, 0]])


def check(runner):
    run = runner.run("scene.toml", files={"bodies.txt": bodies_file(COLUMNS, BODIES)})
    last = run.last_frame()
    t = last["time"]
    position = BODIES[:, :3] + BODIES[:, 4:7] * t + 0.5 * GRAVITY * t**2
    velocity = BODIES[:, 4:7] + GRAVITY * t
    spin = BODIES[:, 7:]
    angle = np.linalg.norm(spin, axis=1) * t
    # The quaternion of the exact turn; q and -q are the same turn.
    exact = np.column_stack([np.cos(angle / 2), np.sin(angle / 2)[:, None] * spin / np.linalg.norm(spin, axis=1)[:, None]])
    turn = 2 * np.minimum(np.linalg.norm(exact - last["orientation"], axis=1), np.linalg.norm(exact + last["orientation"], axis=1))
    return [
        largest("position, largest error", np.abs(last["position"] - position).max(), 1e-7, "absolute [m]"),
        largest("velocity, largest error", np.abs(last["velocity"] - velocity).max(), 1e-9, "absolute [m/s]"),
        largest("spin, largest change", np.abs(last["angular_velocity"] - spin).max(), 0.0, "absolute [rad/s]"),
        largest("orientation, largest error", turn.max(), 1e-8, "absolute [rad]"),
    ]
