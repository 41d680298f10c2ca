"""Spheres that yield: restitution against speed of Walton & Braun 1986, Luding 2008, Thornton & Ning 1998 and the Edinburgh law."""
import numpy as np
from harness import bodies_file, largest
from hertz import effective_modulus

RADIUS, DENSITY = 5e-3, 2500.0
HALF, MASS = RADIUS / 2, DENSITY * 4 / 3 * np.pi * RADIUS**3 / 2  # effective
MODULUS = effective_modulus(1e9, 0.25, 1e9, 0.25)
K_1, K_2, DEPTH, YIELD, RATIO = 1e5, 4e5, 0.02, 1e7, 0.6
SPEEDS = np.array([0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0])


def luding(v):
    """Loading takes 1/2 k_1 x^2; up to m* what comes back is (k_1 x)^2 / (2 k_2(x)), beyond it the loss stays that of m*."""
    deepest = K_2 / (K_2 - K_1) * 2 * DEPTH * HALF
    x = v * np.sqrt(MASS / K_1)
    within = np.sqrt(K_1 / (K_1 + (K_2 - K_1) * np.minimum(x, deepest) / deepest))
    lost = 0.5 * K_1 * deepest**2 * (1 - K_1 / K_2)
    return np.where(x <= deepest, within, np.sqrt(np.maximum(0, 1 - lost / (0.5 * MASS * v**2))))


def yield_speed():
    return (np.pi / (2 * MODULUS)) ** 2 * np.sqrt(8 * np.pi * HALF**3 / (15 * MASS)) * YIELD**2.5


def thornton_ning(v):
    share = np.minimum(1, yield_speed() / v)
    return np.sqrt(6 * np.sqrt(3) / 5 * (1 - share**2 / 6)) * (share / (share + 2 * np.sqrt(6 / 5 - share**2 / 5))) ** 0.25


LAWS = {
    "walton_braun": (lambda v: np.full_like(v, np.sqrt(K_1 / K_2)), 1e-3),
    "luding": (luding, 2e-3),
    "thornton_ning": (thornton_ning, 2e-3),
    "eepa": (lambda v: np.full_like(v, np.sqrt((1 - 2.5 * RATIO + 1.5 * RATIO ** (5 / 3)) / (1 - RATIO))), 1e-3),
}


def restitutions(runner, law):
    rows = []
    for k, speed in enumerate(SPEEDS):
        for side in (-1, 1):
            rows.append((side * (RADIUS + 1e-7), 4 * RADIUS * k, 0, -side * speed / 2))
    run = runner.run(f"{law}.toml", files={"bodies.txt": bodies_file(["x", "y", "z", "vx"], rows)})
    frame = run.last_frame()
    speed = frame["velocity"][np.argsort(frame["id"])]
    return (speed[1::2, 0] - speed[::2, 0]) / SPEEDS


def check(runner):
    found = {law: restitutions(runner, law) for law in LAWS}

    def draw(axes):
        v = np.geomspace(SPEEDS[0], SPEEDS[-1], 300)
        for law, (theory, _) in LAWS.items():
            line = axes.semilogx(v, theory(v), lw=1)[0]
            axes.semilogx(SPEEDS, found[law], "o", ms=4, color=line.get_color(), label=law)
        axes.set(xlabel="closing speed [m/s]", ylabel="restitution", ylim=(0, 1.02))

    runner.plot("restitution", draw)
    return [largest(f"restitution against speed, {law}", np.abs(found[law] - theory(SPEEDS)).max(), tolerance, "largest, absolute")
            for law, (theory, tolerance) in LAWS.items()]
