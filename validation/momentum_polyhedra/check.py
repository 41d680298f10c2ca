"""Pairs of different polyhedra collide: momentum and angular momentum stay, and the volume law keeps energy to second order in the step.

Both hold for any shapes: forces are equal and opposite, both torques act about one point, and the volume law's force has a potential.
"""
import itertools

import numpy as np
from harness import Row, bodies_file, largest, within

SHAPES, ROUNDS, SEED, SPACING = ["brick", "octahedron", "tetrahedron", "nut", "ball"], 4, 11, 0.06
COLUMNS = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz"]


def pairs():
    """Files of bodies by shape: every shape meets every shape ROUNDS times, off centre, spinning, turned at random."""
    random = np.random.default_rng(SEED)
    rows = {shape: [] for shape in SHAPES}
    meetings = [pair for pair in itertools.combinations_with_replacement(SHAPES, 2)] * ROUNDS
    for k, pair in enumerate(meetings):
        centre = SPACING * np.array([k % 8, k // 8, 0]) - [0.2, 0.2, 0]
        way = random.normal(size=3)
        way /= np.linalg.norm(way)
        aside = np.cross(way, random.normal(size=3))
        aside *= 0.003 * random.random() / np.linalg.norm(aside)
        drift = random.normal(0, 0.1, 3)
        for side, shape in zip((-1, 1), pair):
            q = random.normal(size=4)
            place = centre + side * (0.009 * way + 0.5 * aside)
            rows[shape].append((*place, *(drift - side * way), *random.normal(0, 50, 3), *(q / np.linalg.norm(q))))
    return {f"{shape}.txt": bodies_file(COLUMNS, rows[shape]) for shape in SHAPES}


def momenta(series):
    return [np.column_stack([series[f"momentum.{kind}{axis}"] for axis in "xyz"]) for kind in "pL"]


def magnitudes(frame):
    """Sums of |m v| [kg m/s] and of |m x × v| [kg m2/s]: what errors are measured against."""
    mass = frame["mass"][:, None]
    return (np.linalg.norm(mass * frame["velocity"], axis=1).sum(),
            np.linalg.norm(np.cross(frame["position"], mass * frame["velocity"]), axis=1).sum())


def conservation(runner, files, law):
    """One frictional, damped run."""
    run = runner.run("scene.toml", name=law, files=files, method__law=law)
    series, first = run.series(), run.frames()[0]
    p, L = momenta(series)
    scale_p, scale_L = magnitudes(first)
    kinetic = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"]
    return [
        largest(f"{law}: momentum, largest change", np.abs(p - p[0]).max() / scale_p, 1e-12, "of sum |m v|"),
        largest(f"{law}: angular momentum, largest change", np.abs(L - L[0]).max() / scale_L, runner.either(1e-12, 1e-7), "of sum |L|"),
        within(f"{law}: kinetic energy lost meanwhile, share", 0.2, 1.0, 1 - kinetic[-1] / kinetic[0], ""),
    ]


def energy(runner, files):
    """The volume law without friction and damping, by step."""
    steps, errors, series = [1.6e-5 / 2**k for k in range(runner.either(5, 2))], [], None
    settings = {"material__stone__restitution": 1, "material__stone__friction": 0, "method__law": "volume"}
    for step in steps:
        series = runner.run("scene.toml", name=f"energy_{step:.3g}", files=files, time__step=step, **settings).series()
        total = series["energy.total"]
        errors.append(np.abs(total / total[0] - 1).max())
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    most = (series["energy.elastic_normal"] / series["energy.total"]).max()

    def draw(axes):
        axes.loglog(steps, errors, "o-", label="Scree")
        axes.loglog(steps, errors[0] * (np.array(steps) / steps[0]) ** 2, "k:", label="second order")
        axes.set(xlabel="step [s]", ylabel="largest error of the total energy")

    runner.plot("energy", draw)
    rows = [Row("volume, elastic: order of the energy's error in the step", 2.0, order, max(0.0, 2 - order), 0.1, "below second order")]
    return (rows if runner.precision == "double" else []) + [
        largest("volume, elastic: energy error at the smallest step", errors[-1], runner.either(1e-5, 1e-4), "relative"),
        within("volume, elastic: largest share of energy in contacts", 0.05, 1.0, most, ""),
    ]


def check(runner):
    files = pairs()
    rows = []
    for law in ("hertz", "volume"):
        rows += conservation(runner, files, law)
    return rows + energy(runner, files)
