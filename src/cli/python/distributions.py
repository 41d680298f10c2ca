"""Distributions and profiles of the bodies in a frame, as columns to draw."""
import csv

import numpy as np

from scree_run import Column

NAMES = ("distribution.size_by_number", "distribution.size_by_mass", "distribution.speed", "distribution.vx", "distribution.vy", "distribution.vz",
         "distribution.contact_force", "distribution.fragment_mass", "profile.mass", "profile.vx", "profile.vy", "profile.vz")
SLABS = 24


def bodies_of(frame):
    """Rows of the frame that are bodies with an extent of their own: members of clumps and compounds are left out, and their compounds, which have no radius."""
    rows = frame["radius"] > 0
    if "owner" in frame:
        free = rows & (frame["owner"] < 0)
        rows = free if free.any() else rows
    return rows


def passing(size, weight):
    """Steps of a cumulative distribution: sizes in ascending order, each twice, and the share [%] that is below and up to it."""
    sizes, place = np.unique(size, return_inverse=True)
    share = np.concatenate([[0], np.cumsum(np.bincount(place, weights=weight))])
    share = 100 * share / share[-1]
    return np.repeat(sizes, 2), np.stack([share[:-1], share[1:]], axis=1).ravel()


def density(values):
    """Middles of classes and the probability density there; classes by Freedman and Diaconis (1981), at most 60 of them."""
    if len(values) < 2 or values.max() == values.min():
        return None
    spread = np.subtract(*np.percentile(values, [75, 25]))
    width = 2 * spread / len(values) ** (1 / 3)
    count = int(np.clip(np.ceil((values.max() - values.min()) / width) if width > 0 else 10, 4, 60))
    height, edges = np.histogram(values, bins=count, density=True)
    return 0.5 * (edges[1:] + edges[:-1]), height


def of_frame(run, time=None):
    """Columns of the frame nearest to `time` (the last one without) that have anything to show, by name."""
    found = {}

    def add(name, unit, quantity, x, y, x_name, x_unit, kind, label=""):
        found[name] = Column(name, unit, quantity, x, y, x_name, x_unit, kind, label)

    frame = run.frame(time)
    if frame is not None and len(frame["radius"]):
        rows = bodies_of(frame)
        at = f"at t = {frame['time']:.4g} s"
        _add_sizes(add, frame, rows, at)
        _add_speeds(add, frame, rows, at)
        if "contact_force" in frame and len(frame["contact_force"]):
            force = np.abs(np.sum(frame["contact_force"] * frame["contact_normal"], axis=1))
            _add_density(add, "distribution.contact_force", force[force > 0], "normal force", "N", at)
        _add_profiles(add, frame, rows, run.two_dimensional, at)
    path = run.folder / "fragments.csv"
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            mass = np.array([float(row["mass"]) for row in csv.DictReader(file)])
        if len(mass):
            x, y = passing(mass, mass)
            add("distribution.fragment_mass", "%", "share of mass in parts up to this", x, y, "mass of a part", "kg", "distribution")
    return found


def _add_sizes(add, frame, rows, at):
    if not rows.any():
        return
    for way, weight in (("number", np.ones(rows.sum())), ("mass", frame["mass"][rows])):
        if weight.sum() > 0:
            x, y = passing(2 * frame["radius"][rows], weight)
            add(f"distribution.size_by_{way}", "%", "passing", x, y, "diameter", "m", "distribution", at)


def _add_density(add, name, values, x_name, x_unit, at):
    steps = density(values)
    if steps is not None:
        add(name, {"m/s": "s/m"}.get(x_unit, f"1/{x_unit}"), "probability density", *steps, x_name, x_unit, "distribution", at)


def _add_speeds(add, frame, rows, at):
    if "velocity" not in frame or not rows.any():
        return
    velocity = frame["velocity"][rows]
    _add_density(add, "distribution.speed", np.linalg.norm(velocity, axis=1), "speed", "m/s", at)
    for k, axis in enumerate("xyz"):
        _add_density(add, f"distribution.v{axis}", velocity[:, k], f"velocity along {axis}", "m/s", at)


def _add_profiles(add, frame, rows, two_dimensional, at):
    """Slabs of equal height: mass in each over its height, and the mean velocity, by mass; y is up in two dimensions, z in three."""
    up = 1 if two_dimensional else 2
    height, mass = frame["position"][rows, up], frame["mass"][rows]
    if len(height) < 2 or height.max() == height.min():
        return
    edges = np.linspace(height.min(), height.max(), SLABS + 1)
    held = np.histogram(height, bins=edges, weights=mass)[0]
    middle = 0.5 * (edges[1:] + edges[:-1])
    add("profile.mass", "kg/m", "mass over height", middle, held / (edges[1] - edges[0]), "yz"[up - 1], "m", "profile", at)
    for k, axis in enumerate("xyz"[:up + 1] if "velocity" in frame else ""):
        velocity = frame["velocity"][rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.histogram(height, bins=edges, weights=mass * velocity[:, k])[0] / held
        add(f"profile.v{axis}", "m/s", "mean velocity", middle, mean, "yz"[up - 1], "m", "profile", at)
