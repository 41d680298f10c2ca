"""Polyhedra at rest and on a slope: a tower, a wall of bricks, a heavy load, sticking, sliding and tipping boxes.

Loads, tan(angle) = mu, g (sin(angle) - mu cos(angle)) and tan(angle) = base / height are those of rigid bodies.
"""
import math

import numpy as np
from harness import Row, bodies_file, largest, relative, within
from hertz import effective_modulus

GRAVITY, ANGLE = 9.81, math.radians(25)
LIMIT = math.tan(ANGLE)
SHOWN = ["*drift", "*heights*", "tan*", "mu = 0.3*", "base*"]


def sinking(load, area, E_eff):
    """Depth [m] of a face that carries a load [N]: F = 2 E_eff a d, a = sqrt(area / pi)."""
    return load / (2 * E_eff * math.sqrt(area / math.pi))


def stack(heights, masses, areas, E_eff):
    """Heights of the centres [m] of a stack in equilibrium. E_eff: of all contacts."""
    z, result = 0.0, []
    for k, height in enumerate(heights):
        z -= sinking(sum(masses[k:]) * GRAVITY, areas[k], E_eff)
        result.append(z + height / 2)
        z += height
    return np.array(result)


def tilt(frame):
    """Largest angle [rad] of a body's own z from the world's."""
    q = frame["orientation"]
    return np.arccos(np.clip(1 - 2 * (q[:, 1] ** 2 + q[:, 2] ** 2), -1, 1)).max()


def drift(frames, edge):
    """Largest way of any body from its first place, over an edge."""
    first = frames[0]["position"]
    return max(np.linalg.norm(frame["position"] - first, axis=1).max() for frame in frames) / edge


def tower(runner):
    """Built by hand: each cube up to 2 % of an edge aside of the axis and turned by up to 3 degrees."""
    edge, E_eff, random = 0.1, effective_modulus(1e8, 0.25, 1e8, 0.25), np.random.default_rng(5)
    z = stack([edge] * 10, [2500 * edge**3] * 10, [edge**2] * 10, E_eff)
    turn = np.radians(random.uniform(-3, 3, 10)) / 2
    rows = [(*random.uniform(-0.02, 0.02, 2) * edge, h, math.cos(t), 0, 0, math.sin(t)) for h, t in zip(z, turn)]
    run = runner.run("tower.toml", files={"bodies.txt": bodies_file(["x", "y", "z", "qw", "qx", "qy", "qz"], rows)})
    frames, series = run.frames(), run.series()
    kinetic = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"]

    def draw(axes):
        moved = np.array([np.linalg.norm(frame["position"] - frames[0]["position"], axis=1) for frame in frames])
        axes.plot([frame["time"] for frame in frames], 100 * moved / edge)
        axes.set(xlabel="time [s]", ylabel="way of each cube [% of an edge]")

    runner.plot("tower", draw)
    return [
        largest("tower of ten cubes, 10 s: drift", drift(frames, edge), 0.01, "of an edge"),
        largest("tower: tilt at the end", tilt(frames[-1]), 0.005, "absolute [rad]"),
        largest("tower: speed in the last second", math.sqrt(2 * kinetic[-100:].max() / 25), 1e-3, "absolute [m/s]"),
    ]


def bricks(runner):
    length, width, height, courses = 0.24, 0.12, 0.08, 10
    E_eff, mass = effective_modulus(1e8, 0.25, 1e8, 0.25), 2000 * 0.24 * 0.12 * 0.08
    z = stack([height] * courses, [mass] * courses, [length * width] * courses, E_eff)
    rows = [((k + 0.25 * (course % 2)) * length, 0, z[course]) for course in range(courses) for k in range(10)]
    run = runner.run("bricks.toml", files={"bodies.txt": bodies_file(["x", "y", "z"], rows)})
    frames = run.frames()
    speed = np.linalg.norm(frames[-1]["velocity"], axis=1).max()
    return [
        largest("wall of 100 bricks, 1 s: drift", drift(frames, height), 0.01, "of its height"),
        largest("wall: tilt at the end", tilt(frames[-1]), 1e-3, "absolute [rad]"),
        largest("wall: speed at the end", speed, 1e-4, "absolute [m/s]"),
    ]


def load(runner):
    edge, masses = 0.1, [0.25, 25.0]
    z = stack([edge] * 2, masses, [edge**2] * 2, effective_modulus(1e8, 0.25, 1e8, 0.25))
    files = {f"{name}.txt": bodies_file(["x", "y", "z"], [(0, 0, h)]) for name, h in zip(["light", "heavy"], z)}
    frames = runner.run("load.toml", files=files).frames()
    off = np.abs(frames[-1]["position"][:, 2] - z)
    return [
        largest("100 : 1 in mass, heavy on light, 3 s: drift", drift(frames, edge), 0.01, "of an edge"),
        largest("100 : 1: tilt at the end", tilt(frames[-1]), 1e-3, "absolute [rad]"),
        largest("100 : 1: heights in equilibrium, largest error", off.max() / edge, 1e-6, "of an edge"),
    ]


def resting_height(edges, density, young):
    """Height of the centre of a box at rest on the slope [m]."""
    load = density * math.prod(edges) * GRAVITY * math.cos(ANGLE)
    return edges[2] / 2 - sinking(load, edges[0] * edges[1], effective_modulus(young, 0.25, young, 0.25))


def slope(runner):
    """Ways [m] of sticking and acceleration [m/s2] of sliding boxes."""
    text = bodies_file(["x", "y", "z"], [(0, 0, resting_height((0.1, 0.1, 0.02), 2500, 1e9))])
    rows, pictures = [], []
    for mu in (LIMIT / 0.99, LIMIT / 1.01, 0.4, 0.3, 0.2, 0.1):
        frames = runner.run("slope.toml", name=f"slope_{mu:.3f}", files={"bodies.txt": text}, material_pair__0__friction=mu).frames()
        time = np.array([frame["time"] for frame in frames])
        x, v = np.array([[frame["position"][0, 0], frame["velocity"][0, 0]] for frame in frames]).T
        first = int(np.searchsorted(time, 0.1))
        a = (v[-1] - v[first]) / (time[-1] - time[first])
        pictures.append((mu, a))
        if mu > LIMIT:
            rows.append(largest("tan(angle) 1 % below mu: way in 0.5 s", x.max() / 0.1, 1e-4, "of an edge"))
            rows.append(largest("tan(angle) 1 % below mu: speed at the end", abs(v[-1]), 1e-6, "absolute [m/s]"))
        else:
            note = "tan(angle) 1 % above mu" if mu > 0.45 else f"mu = {mu:.1f}"
            rows.append(relative(f"{note}: acceleration [m/s2]", GRAVITY * (math.sin(ANGLE) - mu * math.cos(ANGLE)), a, 0.01))

    def draw(axes):
        mu = np.linspace(0, 0.6, 200)
        axes.plot(mu, GRAVITY * np.maximum(math.sin(ANGLE) - mu * math.cos(ANGLE), 0), label="rigid box")
        axes.plot(*np.array(pictures).T, "o", mfc="none", label="Scree")
        axes.axvline(LIMIT, color="0.6", ls="--", label="tan(angle)")
        axes.set(xlabel="friction", ylabel="acceleration [m/s2]")

    runner.plot("slope", draw)
    return rows


def tip(runner):
    frames = runner.run("tip.toml").frames()
    time = [frame["time"] for frame in frames]
    # The box falls down the slope, about y.
    angle = np.array([2 * np.arctan2(frame["orientation"][:, 2], frame["orientation"][:, 0]) for frame in frames])

    def draw(axes):
        axes.plot(time, np.degrees(angle[:, 0]), label="base 1 % longer")
        axes.plot(time, np.degrees(angle[:, 1]), label="base 1 % shorter")
        axes.set(xlabel="time [s]", ylabel="tilt [deg]")

    runner.plot("tip", draw)
    tipped = abs(np.degrees(angle[-1, 1]))
    return [
        largest("base 1 % longer than height tan(angle): largest tilt in 1.5 s", np.abs(angle[:, 0]).max(), 1e-3, "absolute [rad]"),
        within("base 1 % shorter: tilt after 1.5 s [deg]", 60, 120, tipped, "deg"),
    ]


def check(runner):
    return tower(runner) + bricks(runner) + load(runner) + slope(runner) + tip(runner)
