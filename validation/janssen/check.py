"""The load at the bottom of a filled tube stays below the weight: Janssen's profile of stress, with K of a granular solid.

sigma(h) = rho g lambda (1 - exp(-h / lambda)), lambda = D / (4 mu K): h depth, D width, mu wall friction, K horizontal over vertical stress.
"""
import numpy as np
from harness import largest, relative, within

GRAVITY, DIAMETER, FRICTION = 9.81, 0.04, 0.5
TUBE, FLOOR = 0, 6  # numbers of the walls in the scene
BALL = 0.005


def profile(frame, heights):
    """Mean vertical stress [Pa] at each height [m]: weight above less what the tube carries above."""
    contacts = frame["contacts"]
    on_tube = contacts["wall"] == TUBE
    z, lift = contacts["point"][on_tube, 2], contacts["force"][on_tube, 2]
    weight = frame["mass"] * GRAVITY
    area = np.pi / 4 * DIAMETER**2
    return np.array([weight[frame["position"][:, 2] > h].sum() - lift[z > h].sum() for h in heights]) / area


def janssen(depth, weight_density, length):
    return weight_density * length * (1 - np.exp(-depth / length))


def fitted_length(depth, stress, weight_density):
    """lambda [m] with the least sum of squares, by a fine search: the only parameter."""
    lengths = np.geomspace(0.1 * DIAMETER, 20 * DIAMETER, 4000)
    misfit = [np.sum((janssen(depth, weight_density, length) - stress) ** 2) for length in lengths]
    return lengths[int(np.argmin(misfit))]


def check(runner):
    frame = runner.run("scene.toml").last_frame()
    z, mass = frame["position"][:, 2], frame["mass"]
    weight = mass.sum() * GRAVITY
    # The bulk's top: what a column of the mean density would have, which uneven ends do not disturb.
    low, high = np.quantile(z, [0.1, 0.9])
    inside = (z > low) & (z < high)
    weight_density = mass[inside].sum() * GRAVITY / ((high - low) * np.pi / 4 * DIAMETER**2)
    top = z.min() - BALL / 2 + weight / (weight_density * np.pi / 4 * DIAMETER**2)
    heights = np.arange(z.min() + BALL, top - BALL, BALL / 2)
    stress, depth = profile(frame, heights), top - heights
    length = fitted_length(depth, stress, weight_density)
    fit = janssen(depth, weight_density, length)
    K = DIAMETER / (4 * FRICTION * length)

    contacts = frame["contacts"]
    on_tube, on_floor = contacts["wall"] == TUBE, contacts["wall"] == FLOOR
    lift = contacts["force"][on_tube, 2].sum()
    load = contacts["force"][on_floor, 2].sum()
    # K at the wall, over the middle of the tube: normal forces per area over the mean vertical stress.
    bottom, upper = heights[0] + DIAMETER, top - DIAMETER
    there = on_tube & (contacts["point"][:, 2] > bottom) & (contacts["point"][:, 2] < upper)
    push = np.abs((contacts["force"][there] * contacts["normal"][there]).sum(axis=1)).sum()
    at_wall = push / (np.pi * DIAMETER * (upper - bottom)) / stress[(heights > bottom) & (heights < upper)].mean()

    def draw(axes):
        axes.plot(stress, heights, "o", mfc="none", ms=4, label="Scree")
        axes.plot(fit, heights, label=f"Janssen, K = {K:.2f}")
        axes.plot(weight_density * depth, heights, "k:", label="hydrostatic")
        axes.set(xlabel="vertical stress [Pa]", ylabel="height [m]")

    runner.plot("stress", draw, "Vertical stress in a tube of eight ball diameters.")
    return [
        relative("floor and wall carry the weight [N]", weight, load + lift, 2e-3),
        within("load on the floor over weight", 0.05, 0.5, load / weight, ""),
        largest("stress profile, rms distance from Janssen's", np.sqrt(np.mean((stress - fit) ** 2)) / stress.max(), 0.15, "of largest stress"),
        within("K that fits the profile, friction fully mobilised", 0.1, 1.0, K, ""),
        within("K at the wall, from normal forces", 1 / 3, 3.0, at_wall, ""),
    ]
