"""A free box tumbles about its middle axis: period of the flips by elliptic functions, angular momentum and energy constant.

Landau & Lifshitz, Mechanics, section 37: the angular velocity in the body is made of Jacobi's functions, of period 4 K(m) / Omega.
"""
import math

import numpy as np
from harness import bodies_file, largest, relative

EDGES, DENSITY = np.array([0.03, 0.02, 0.01]), 2500.0
MASS = DENSITY * EDGES.prod()
MOMENTS = MASS / 12 * ((EDGES**2).sum() - EDGES**2)
SPINS = {"beyond the middle axis": (0.05, 10.0, 0.4), "short of it": (0.4, 10.0, 0.05)}  # in the body, about x, y, z [rad/s]


def means(m):
    """Arithmetic-geometric means of 1 and sqrt(1 - m): lists of a and c."""
    a, b, c = [1.0], math.sqrt(1 - m), [math.sqrt(m)]
    while c[-1] > 1e-16 and len(a) < 20:
        c.append(0.5 * (a[-1] - b))
        a_next, b = 0.5 * (a[-1] + b), math.sqrt(a[-1] * b)
        a.append(a_next)
    return a, c


def complete_integral(m):
    """K(m), of the first kind."""
    return math.pi / (2 * means(m)[0][-1])


def jacobi(u, m):
    """sn, cn, dn (Abramowitz & Stegun 16.4)."""
    a, c = means(m)
    n = len(a) - 1
    phase = 2.0**n * a[n] * np.asarray(u)
    for k in range(n, 0, -1):
        phase = 0.5 * (phase + np.arcsin(np.clip(c[k] / a[k] * np.sin(phase), -1, 1)))
    sn = np.sin(phase)
    return sn, np.cos(phase), np.sqrt(1 - m * sn**2)


class FreeTop:
    """Euler's solution through the spin w in the body at time 0. Axes are relabelled so that the spin circles the third."""

    def __init__(self, w):
        L2, E2 = ((MOMENTS * w) ** 2).sum(), (MOMENTS * w**2).sum()
        self.order = [0, 1, 2] if L2 > E2 * MOMENTS[1] else [2, 1, 0]
        I1, I2, I3 = MOMENTS[self.order]
        self.amplitude = np.sqrt([(E2 * I3 - L2) / (I1 * (I3 - I1)), (E2 * I3 - L2) / (I2 * (I3 - I2)), (L2 - E2 * I1) / (I3 * (I3 - I1))])
        self.rate = math.sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3))
        self.m = (I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1))
        self.period = 4 * complete_integral(self.m) / self.rate

    def spins(self, time, flip_time):
        """|spin| about the body's axes; flip_time: when that about the middle axis passes zero. Signs depend on the labels."""
        sn, cn, dn = jacobi(self.rate * (time - flip_time), self.m)
        found = np.empty((len(time), 3))
        for k, values in zip(self.order, (self.amplitude[0] * cn, self.amplitude[1] * sn, self.amplitude[2] * dn)):
            found[:, k] = np.abs(values)
        return found


def in_body(q, v):
    """v of the world as seen from the body with orientation q."""
    u = -q[1:]
    t = 2 * np.cross(u, v)
    return v + q[0] * t + np.cross(u, t)


def zeros(time, y):
    """Where y passes zero, by cubics through four samples."""
    found = []
    for k in np.nonzero(y[:-1] * y[1:] < 0)[0]:
        if 1 <= k < len(y) - 2:
            part = slice(k - 1, k + 3)
            found.append(time[k] + np.polyval(np.polyfit(y[part] / abs(y[k]), time[part] - time[k], 3), 0.0))
    return np.array(found)


def check(runner):
    rows, pictures = [], []
    for title, spin in SPINS.items():
        spin = np.array(spin)
        text = bodies_file(["x", "y", "z", "wx", "wy", "wz"], [(0, 0, 0, *spin)])
        run = runner.run("scene.toml", name=title.replace(" ", "_"), files={"bodies.txt": text})
        frames, series, top = run.frames(), run.series(), FreeTop(spin)
        time = np.array([frame["time"] for frame in frames])
        w = np.array([in_body(frame["orientation"][0], frame["angular_velocity"][0]) for frame in frames])
        flips = zeros(time, w[:, 1])
        found = 2 * np.diff(flips).mean()
        L = np.column_stack([series[f"momentum.L{axis}"] for axis in "xyz"])
        E = series["energy.kinetic_rotation"]
        exact = top.spins(time, flips[0])
        off = np.abs(np.abs(w) - exact).max() / np.linalg.norm(spin)
        rows += [
            relative(f"{title}: period 4 K(m) / Omega [s]", top.period, found, 1e-3),
            largest(f"{title}: spin against Jacobi's functions, largest error", off, 0.01, "of the spin"),
            largest(f"{title}: angular momentum, largest change", np.abs(L - L[0]).max() / np.linalg.norm(L[0]), 1e-12, "relative"),
            largest(f"{title}: energy, largest change", np.abs(E / E[0] - 1).max(), 1e-6, "relative"),
        ]
        pictures.append((title, time, w, exact))

    def draw(axes):
        _, time, w, exact = pictures[0]
        for k, axis in enumerate("xyz"):
            axes.plot(time, w[:, k], label=f"spin about {axis} of the body")
            axes.plot(time, np.sign(w[:, k]) * exact[:, k], "k:", lw=1)
        axes.set(xlabel="time [s]", ylabel="[rad/s]", xlim=(0, 10), title="Dotted: Jacobi's functions")

    runner.plot("spins", draw)
    return rows
