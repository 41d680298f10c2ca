"""A ball on a slope rolls where mu >= 2/7 tan(angle), else it slides: acceleration on both sides of the limit.

a = 5/7 g sin(angle) rolling, a = g (sin(angle) - mu cos(angle)) sliding.
"""
import math

import numpy as np
from harness import bodies_file, relative
from hertz import effective_modulus

GRAVITY, ANGLE, RADIUS = 9.81, math.radians(30), 0.02
LIMIT = 2 / 7 * math.tan(ANGLE)  # 0.165
FRICTIONS = [0.05, 0.10, 0.15, 0.98 * LIMIT, 1.02 * LIMIT, 0.2, 0.5]


def expected(mu):
    """Acceleration down the slope [m/s2]."""
    if mu >= LIMIT:
        return 5 / 7 * GRAVITY * math.sin(ANGLE)
    return GRAVITY * (math.sin(ANGLE) - mu * math.cos(ANGLE))


def resting_height():
    """Height of the centre of a ball at rest on the slope [m]."""
    weight = 2500 * 4 / 3 * math.pi * RADIUS**3 * GRAVITY * math.cos(ANGLE)
    k = 4 / 3 * effective_modulus(1e9, 0.25, 1e9, 0.25) * math.sqrt(RADIUS)
    return RADIUS - (weight / k) ** (2 / 3)


def acceleration(runner, mu):
    """Mean acceleration after the first 50 ms, when the tangential spring has settled [m/s2]."""
    text = bodies_file(["x", "y", "z", "radius"], [(0, 0, resting_height(), RADIUS)])
    frames = runner.run("scene.toml", name=f"mu_{mu:.4f}", files={"bodies.txt": text}, material_pair__0__friction=mu).frames()
    time = np.array([frame["time"] for frame in frames])
    speed = np.array([frame["velocity"][0, 0] for frame in frames])
    first = int(np.searchsorted(time, 0.05))
    return (speed[-1] - speed[first]) / (time[-1] - time[first])


def check(runner):
    found = [acceleration(runner, mu) for mu in FRICTIONS]

    def draw(axes):
        curve = np.linspace(0, 0.5, 400)
        axes.plot(curve, [expected(mu) for mu in curve], label="rigid ball")
        axes.plot(FRICTIONS, found, "o", mfc="none", label="Scree")
        axes.axvline(LIMIT, color="0.6", ls="--", label="2/7 tan(angle)")
        axes.set(xlabel="friction", ylabel="acceleration [m/s2]")

    runner.plot("acceleration", draw)
    return [relative(f"mu = {mu:.3f}: acceleration [m/s2]", expected(mu), a, 1e-3) for mu, a in zip(FRICTIONS, found)]
