"""Mechanisms: each kind of joint, a double pendulum, driven linkages, a governor, gears, a cross joint, and a loop that is held too often.

References: closed forms (closed_forms.py beside this file), and equations of motion in redundant coordinates solved by SciPy
(validation/rigid.py), which reads the same scenes.
"""
from pathlib import Path

import numpy as np
import rigid
from harness import largest, load, relative
from histories import GROUPS, columns, compare, history, of_mechanism, worst_of_groups

forms = load(Path(__file__).parent / "closed_forms.py")

# body, joint and bodies of each mechanism of kinds.toml
KINDS = [("top", "spherical", ["top"]), ("sleeve", "cylindrical", ["sleeve"]), ("bead", "point_on_line", ["bead"]),
         ("sledge", "point_on_plane", ["sledge"]), ("weight", "revolute_spherical", ["weight"]), ("gimbal", "universal", ["gimbal"]),
         ("hand", "fixed", ["arm", "hand"])]
BARS = {"position": 1e-3, "velocity": 1e-3, "quaternion": 1e-3, "spin": 1e-3, "acceleration": 2e-2, "spin_rate": 2e-2, "force": 2e-2,
        "torque": 2e-2}
VIOLATION = 1e-6
SHOWN = ["double pendulum*centres*", "*energy, largest change", "slider-crank: *slider", "slider-crank: torque*", "four-bar: turn of the rocker",
         "four-bar: torque*", "governor*angle*", "Bricard: *link 3*", "gears: ratio*", "gears: turn*", "rack: travel, *", "cross joint: *drive",
         "cross joint: ratio*"]


def turn(series, body, axis):
    """Angle of a body about one of the world's axes it turns about (0, 1, 2), from the start [rad]."""
    half = np.unwrap(2 * np.arctan2(series[f"{body}.q{'xyz'[axis]}"], series[f"{body}.qw"]))
    return half - half[0]


def violation(title, series, tolerance=VIOLATION):
    names = [column for column in series if column.endswith(".violation")]
    return largest(f"{title}: violation of the joints, largest", max(np.abs(series[name]).max() for name in names), tolerance, "absolute")


def total_energy(series):
    return series["energy.kinetic_translation"] + series["energy.kinetic_rotation"] + series["energy.potential"]


def of_peak(title, found, reference, tolerance, first=1):
    """A row for a curve against its closed form, from the `first` sample on: largest error over the largest reference."""
    return largest(title, np.abs(found - reference)[first:].max() / np.abs(reference).max(), tolerance, "of the largest")


def kinds(runner):
    series, rows, lines = runner.run("kinds.toml").series(), [], []
    for body, joint, only in KINDS:
        mechanism = rigid.read(runner.folder / "kinds.toml", only)
        states = mechanism.integrate(series["time"], 1e-10)
        reference = of_mechanism(mechanism, states, series["time"], body, joint)
        found, violation = history(series, body, joint), np.abs(series[f"{joint}.violation"]).max()
        rows += compare(joint, found, reference, BARS)
        rows.append(largest(f"{joint}: violation", violation, VIOLATION, "absolute"))
        lines.append([joint, *worst_of_groups(found, reference), f"{violation:.1e}"])
    runner.table("Each kind of joint (`kinds.toml`): largest errors over 5 s, of max(1, size).", ["joint", *GROUPS, "violation"], lines)
    return rows


def energy_rows(title, series, scale, tolerance):
    """The energy swings with the step but goes nowhere: its largest change, and the slope of a straight line through it."""
    time, energy = series["time"], total_energy(series)
    change = (energy - energy[0]) / scale
    slope = np.polyfit(time, change, 1)[0]
    return [largest(f"{title}: energy, largest change", np.abs(change).max(), tolerance, "of its scale"),
            largest(f"{title}: energy, straight line over the run", abs(slope) * time[-1], 0.5 * tolerance, "of its scale")]


def double_pendulum(runner):
    series = runner.run("double_pendulum.toml").series()
    early = series["time"] < 2.0 + 1e-9
    reference = forms.double_pendulum(series["time"][early])
    found = np.stack([series["upper.x"], series["upper.z"], series["lower.x"], series["lower.z"]], axis=1)[early]

    def draw(axes):
        axes.plot(series["time"], (total_energy(series) - total_energy(series)[0]) / (2 * forms.GRAVITY))
        axes.set(xlabel="time [s]", ylabel="change of energy over m g l")

    runner.plot("double_pendulum_energy", draw)
    return [largest("double pendulum: centres in 2 s, largest error", np.linalg.norm(found - reference, axis=1).max(), 1e-4, "absolute [m]"),
            *energy_rows("double pendulum, 10 s", series, 2 * forms.GRAVITY, 1e-4), violation("double pendulum", series)]


def slider_crank(runner):
    series, form = runner.run("slider_crank.toml").series(), forms.SliderCrank()
    theta = form.speed * series["time"]
    speed = form.speed * forms.derivative(form.slider, theta)

    def draw(axes):
        axes.plot(series["time"], form.torque(theta), label="virtual work")
        axes.plot(series["time"][1::4], series["drive.motor"][1::4], "o", ms=3, mfc="none", label="Scree")
        axes.set(xlabel="time [s]", ylabel="torque of the drive [N m]")

    runner.plot("slider_crank_torque", draw)
    return [of_peak("slider-crank: place of the slider", series["slider.x"], form.slider(theta), 1e-6),
            of_peak("slider-crank: speed of the slider", series["slider.vx"], speed, 1e-5),
            of_peak("slider-crank: turn of the rod", -turn(series, "rod", 1), form.rod_angle(theta), 1e-6),
            of_peak("slider-crank: torque of the drive", series["drive.motor"], form.torque(theta), 1e-3), violation("slider-crank", series)]


def four_bar(runner):
    series, form = runner.run("four_bar.toml").series(), forms.FourBar()
    theta = form.start + form.speed * series["time"]
    w_b, w_c = form.rates(theta)
    coupler, rocker = np.unwrap(form.coupler_angle(theta)), np.unwrap(form.rocker_angle(theta))
    return [of_peak("four-bar: turn of the coupler", -turn(series, "coupler", 1), coupler - coupler[0], 1e-6),
            of_peak("four-bar: turn of the rocker", -turn(series, "rocker", 1), rocker - rocker[0], 1e-6),
            of_peak("four-bar: spin of the coupler", -series["coupler.wy"], form.speed * w_b, 1e-5),
            of_peak("four-bar: spin of the rocker", -series["rocker.wy"], form.speed * w_c, 1e-5),
            of_peak("four-bar: torque of the drive", series["drive.motor"], form.torque(theta), 1e-3), violation("four-bar", series)]


def governor(runner):
    rows = []
    for speed in (12.0, 16.0):
        run = runner.run("governor.toml", name=f"governor_{speed:g}", joint__drive__motor__speed=speed)
        series = run.series()
        place = columns(series, "right_ball", "position")[-1]
        found = np.arctan2(np.hypot(place[0], place[1]), 1.0 - place[2])
        rows.append(relative(f"governor at {speed:g} rad/s: steady angle [rad]", forms.governor_angle(speed), found, 1e-4))
        rows.append(largest(f"governor at {speed:g} rad/s: speed of the sleeve at the end", abs(series["sleeve.vz"][-1]), 1e-4, "absolute [m/s]"))
        rows.append(violation(f"governor at {speed:g} rad/s", series))
    return rows


def bricard(runner):
    series = runner.run("bricard.toml").series()
    mechanism = rigid.read(runner.folder / "bricard.toml")
    early = series["time"] < 5 + 1e-9
    states = mechanism.integrate(series["time"][early], 1e-10)
    rows = []
    for k in range(5):
        error = np.linalg.norm(columns(series, f"link{k + 1}", "position")[early] - states[:, k, :3], axis=1).max()
        rows.append(largest(f"Bricard: centre of link {k + 1} in 5 s, largest error", error, 1e-4, "absolute [m]"))

    def draw(axes):
        for k, name in enumerate("xyz"):
            axes.plot(series["time"][early], states[:, 2, k], color=f"C{k}", label=name)
            axes.plot(series["time"][early][::5], series[f"link3.{name}"][early][::5], "o", ms=3, mfc="none", color=f"C{k}")
        axes.set(xlabel="time [s]", ylabel="centre of link 3 [m]")

    runner.plot("bricard", draw)
    return rows + [*energy_rows("Bricard, 10 s", series, 5 * forms.GRAVITY, 1e-5), violation("Bricard", series)]


def gears(runner):
    series = runner.run("gears.toml").series()
    time = series["time"]
    first, second = turn(series, "small", 1), turn(series, "large", 1)
    pinion, travel = turn(series, "pinion", 1), -(series["rod.z"] - series["rod.z"][0])
    alpha, a = forms.gear_acceleration(), forms.rack_acceleration()
    return [of_peak("gears: ratio of turns", second, -forms.GEARS["ratio"] * first, 1e-9),
            of_peak("gears: turn of the first wheel, T / (I_1 + ratio^2 I_2)", first, 0.5 * alpha * time**2, 1e-9),
            of_peak("gears: spin of the first wheel", series["small.wy"], alpha * time, 1e-9),
            of_peak("rack: travel over turn", travel, forms.RACK["radius"] * pinion, 1e-9),
            of_peak("rack: travel, m g / (m + I / r^2)", travel, 0.5 * a * time**2, 1e-9),
            of_peak("rack: speed", -series["rod.vz"], a * time, 1e-9),
            of_peak("gears: angle of the hinge, counted on past a turn", series["first.angle"], first, 1e-9)]


def cross_joint(runner):
    series, form = runner.run("universal.toml").series(), forms.CrossJoint()
    alpha = turn(series, "input", 0)
    along = np.array([np.cos(form.angle), np.sin(form.angle), 0])
    spin = columns(series, "output", "spin") @ along
    ratio = spin / series["input.wx"]

    def draw(axes):
        fine = np.linspace(0, 2 * np.pi, 200)
        axes.plot(fine, form.ratio(fine), label="cos b / (1 - sin² b cos² a)")
        axes.plot(alpha % (2 * np.pi), ratio, "o", ms=3, mfc="none", label="Scree")
        axes.set(xlabel="angle of the first shaft [rad]", ylabel="ratio of speeds")

    runner.plot("cross_joint", draw)
    return [of_peak("cross joint: ratio of speeds", ratio, form.ratio(alpha), 1e-5, first=0),
            of_peak("cross joint: torque of the drive", series["drive.motor"], form.torque(alpha), 1e-3), violation("cross joint", series)]


def check(runner):
    return (kinds(runner) + double_pendulum(runner) + slider_crank(runner) + four_bar(runner) + governor(runner) + bricard(runner)
            + gears(runner) + cross_joint(runner))
