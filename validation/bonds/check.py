"""Bonds: a cantilever's deflection and frequencies, waves along chains, and how bonded bodies break: a Brazilian test and an agglomerate thrown on a plate."""
import csv

import numpy as np
from harness import bodies_file, largest, relative, within
from scipy.spatial import cKDTree

SHOWN = ["*"]
N, L, R, RADIUS, E, NU, DENSITY = 16, 0.01, 0.005, 0.0025, 1e9, 0.3, 2500.0
AREA, SECOND = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
G = E / (2 * (1 + NU))
COEFFICIENT = 6 * (1 + NU) / (7 + 6 * NU)  # Cowper 1966
MASS = DENSITY * 4 / 3 * np.pi * R**3
INERTIA = 0.4 * MASS * R**2


def row_of_balls(velocity=None, spin=None):
    """x, y, z and velocities of all balls but the held one; velocity(i) and spin(i): along z, about x."""
    lines = []
    for i in range(1, N + 1):
        v = velocity(i) if velocity else (0, 0, 0)
        w = spin(i) if spin else (0, 0, 0)
        lines.append([i * L, 0, 0, *v, *w])
    return bodies_file(["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"], lines)


def beam_matrices():
    """Stiffness and mass matrix of the row (deflections, turns), its first node held: Timoshenko elements as in any textbook, masses in the nodes."""
    phi = 12 * E * SECOND / (COEFFICIENT * G * AREA * L**2)
    k = E * SECOND / (L**3 * (1 + phi)) * np.array([[12, 6 * L, -12, 6 * L], [6 * L, (4 + phi) * L**2, -6 * L, (2 - phi) * L**2], [-12, -6 * L, 12, -6 * L],
                                                    [6 * L, (2 - phi) * L**2, -6 * L, (4 + phi) * L**2]])
    K = np.zeros((2 * N + 2, 2 * N + 2))
    for i in range(N):
        K[2 * i : 2 * i + 4, 2 * i : 2 * i + 4] += k
    return K[2:, 2:], np.diag([MASS, INERTIA] * N)


def first_frequency():
    K, M = beam_matrices()
    return np.sqrt(np.min(np.linalg.eigvals(np.linalg.solve(M, K)).real))


def tip_by_weight(g):
    """Deflection of the end of Euler and Bernoulli's beam under the balls' weights, and what Timoshenko's shear adds."""
    x, tip, load = L * np.arange(1, N + 1), N * L, MASS * g
    return np.sum(load * x**2 * (3 * tip - x)) / (6 * E * SECOND), np.sum(load * x) / (COEFFICIENT * G * AREA)


def tips(run):
    """Time, and deflection of the last ball along z, of all frames."""
    frames = run.frames()
    return np.array([f["time"] for f in frames]), np.array([f["position"][np.argmax(f["position"][:, 0]), 2] for f in frames]), frames


def check_cantilever(runner):
    g = 0.02
    omega = first_frequency()
    bending, shearing = tip_by_weight(g)
    period = 2 * np.pi / omega
    drag = f'[[drag]]\nlaw = "damping"\nrate = {2 * omega!r}\n'
    text = (runner.folder / "beam.toml").read_text()
    still = runner.run("still.toml", files={"still.toml": text + drag, "bodies.txt": row_of_balls()}, time__end=3 * period, output__every=3 * period, domain__gravity=[0, 0, -g])
    _, z, _ = tips(still)
    rows = [relative("cantilever: deflection by its weight, Timoshenko [mm]", 1e3 * (bending + shearing), -1e3 * z[-1], 0.003),
            relative("cantilever: deflection by its weight, Euler and Bernoulli [mm]", 1e3 * bending, -1e3 * z[-1], 0.02)]
    K, M = beam_matrices()
    values, modes = np.linalg.eig(np.linalg.solve(M, K))
    mode = modes[:, np.argmin(values.real)].real
    mode *= 0.01 / mode[-2]
    # z'(x) = turn, and a turn about -y lifts the end.
    swing = runner.run("beam.toml", name="swing", files={"bodies.txt": row_of_balls(lambda i: (0, 0, mode[2 * i - 2]), lambda i: (0, -mode[2 * i - 1], 0))}, time__end=2 * period,
                       output__every=period / 50)
    t, z, _ = tips(swing)
    amplitude = 0.01 / omega
    rows.append(largest("cantilever: first mode, off the elements' frequency [of the amplitude]", np.max(np.abs(z - amplitude * np.sin(omega * t))) / amplitude, 0.005, "absolute"))
    mu = MASS / L
    euler = 1.8751040687**2 * np.sqrt(E * SECOND / (mu * (N * L) ** 4))
    rows.append(relative("cantilever: first frequency, Euler and Bernoulli [Hz]", euler / (2 * np.pi), omega_of(t, z) / (2 * np.pi), 0.08))

    def draw(axes):
        axes.plot(1e3 * t, 1e6 * z, ".", label="end of the row")
        axes.plot(1e3 * t, 1e6 * amplitude * np.sin(omega * t), label="first mode of the elements")
        axes.set(xlabel="time [ms]", ylabel="deflection [um]")

    runner.plot("cantilever", draw, "The end of a cantilever of 16 bonded balls, started in its first mode.")
    return rows


def omega_of(t, z):
    """Of a sine that starts at 0: from where it crosses zero last."""
    cross = [k for k in range(1, len(z) - 1) if z[k] * z[k + 1] < 0]
    times = [t[k] - z[k] * (t[k + 1] - t[k]) / (z[k + 1] - z[k]) for k in cross]
    return np.pi * len(times) / times[-1]


def check_chains(runner):
    """Modes of a chain of N masses, one end held: w = 2 sqrt(k / m) sin((2 j - 1) pi / (4 N + 2)). The wave's speed is L sqrt(k / m)."""
    rows = []
    for name, stiffness, inertia, column, component in (("axial", E * AREA / L, MASS, "velocity", 0), ("twisting", G * 2 * SECOND / L, INERTIA, "angular_velocity", 0)):
        for j in (1, 3):
            wave = (2 * j - 1) * np.pi / (2 * N + 1)
            omega = 2 * np.sqrt(stiffness / inertia) * np.sin(wave / 2)
            shape = lambda i: (1e-3 if name == "axial" else 0.1) * np.sin(i * wave)
            moved = {"velocity": lambda i: (shape(i), 0, 0)} if name == "axial" else {"spin": lambda i: (shape(i), 0, 0)}
            period = 2 * np.pi / omega
            run = runner.run("beam.toml", name=f"{name}_{j}", files={"bodies.txt": row_of_balls(**moved)}, time__end=2 * period, output__every=period / 20)
            off = 0
            for frame in run.frames():
                order = np.argsort(frame["position"][:, 0])[-N:]
                want = np.array([shape(i) for i in range(1, N + 1)]) * np.cos(omega * frame["time"])
                off = max(off, np.max(np.abs(frame[column][order][:, component] - want)) / abs(shape(1) / np.sin(wave)))
            rows.append(largest(f"{name} mode {j}: velocities off the closed form [of the amplitude]", off, 0.02, "absolute"))
    return rows


def packed_circle(radius, small, large, flat, seed=3):
    """Disks at random in a circle that is cut flat at y = +-flat: a lattice, shaken, pushed apart until none overlap by more than a thousandth."""
    rng = np.random.default_rng(seed)
    mean = 0.5 * (small + large)
    n = int(0.83 * radius**2 / (mean**2))
    r = rng.uniform(small, large, n)
    x = np.sqrt(rng.uniform(0, 1, n)) * (radius - mean)
    a = rng.uniform(0, 2 * np.pi, n)
    p = np.stack([x * np.cos(a), x * np.sin(a)], axis=1)
    for _ in range(600):
        a, b = cKDTree(p).query_pairs(2 * large, output_type="ndarray").T
        d = p[a] - p[b]
        far = np.linalg.norm(d, axis=1)
        over = np.maximum(r[a] + r[b] - far, 0)
        push = (0.35 * over / far)[:, None] * d
        np.add.at(p, a, push)
        np.add.at(p, b, -push)
        out = np.sqrt((p**2).sum(1))
        most = radius - r
        outside = out > most
        p[outside] *= (most[outside] / out[outside])[:, None]
        p[:, 1] = np.clip(p[:, 1], r - flat, flat - r)
        if over.max() < 2e-3 * small:
            break
    a, b = cKDTree(p).query_pairs(2 * large, output_type="ndarray").T
    r = r * min(1.0, 0.999 * (np.linalg.norm(p[a] - p[b], axis=1) / (r[a] + r[b])).min())  # what overlaps would be driven apart as its bond breaks
    return p, r


def broken(run):
    with open(run.directory / "bonds.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_brazil(runner):
    radius = 0.05
    flat = 0.96 * radius
    p, r = packed_circle(radius, 0.0012, 0.0018, flat)
    text = (runner.folder / "brazil.toml").read_text()
    text = text.replace("[0, 0.05]", f"[0, {np.max(p[:, 1] + r)!r}]").replace("[0, -0.05]", f"[0, {np.min(p[:, 1] - r)!r}]")
    run = runner.run("brazil.toml", files={"brazil.toml": text, "bodies.txt": bodies_file(["x", "y", "radius"], np.column_stack([p, r]))})
    s = run.series()
    force = 0.5 * (s["wall_load.bottom.fy"] * -1 + s["wall_load.top.fy"])
    force = np.abs(force)
    peak = np.nanargmax(force)
    strength = force[peak] / (np.pi * radius)  # 2 P / (pi D t)
    breaks = [b for b in broken(run) if float(b["time"]) <= s["time"][peak] + 1e-4]
    across = np.array([abs(float(b["x"])) for b in breaks]) / radius
    tension = sum(b["how"] == "tension" for b in breaks) / max(len(breaks), 1)
    rows = [within("Brazilian test: 2 P / (pi D) at the peak over the bonds' tensile strength", 0.2, 1.2, strength / 5e3, ""),
            within("Brazilian test: mean distance from the loaded diameter of bonds broken up to the peak, over the radius", 0, 0.25, float(np.mean(across)), ""),
            within("Brazilian test: share of them broken by tension", 0.6, 1, tension, "")]

    def draw(axes):
        frame = run.last_frame()
        axes.scatter(1e3 * frame["position"][:, 0], 1e3 * frame["position"][:, 1], s=6, c="0.8")
        every = broken(run)
        for how, colour in (("tension", "C3"), ("shear", "C0")):
            axes.plot([1e3 * float(b["x"]) for b in every if b["how"] == how], [1e3 * float(b["y"]) for b in every if b["how"] == how], ".", ms=3, color=colour, label=how)
        axes.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")

    runner.plot("brazil", draw, "Brazilian test: where bonds broke, by what; grey: the disks at the end.")
    return rows


def check_impact(runner):
    spacing, radius = 0.004, 0.022
    ball = []
    for i in range(-8, 9):
        for j in range(-8, 9):
            for k in range(-8, 9):
                for site in ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)):
                    x = np.sqrt(2) * spacing * (np.array((i, j, k)) + site)
                    if np.linalg.norm(x) < radius - 0.002:
                        ball.append(list(x))
    rows, masses, lines = [], [], []
    total = None
    for speed in (0.5, 1.5, 3, 6, 12):
        text = (runner.folder / "impact.toml").read_text().replace("velocity = [0, 0, -1]", f"velocity = [0, 0, {-speed}]")
        run = runner.run("impact.toml", name=f"impact_{speed:g}", files={"impact.toml": text, "bodies.txt": bodies_file(["x", "y", "z"], ball)})
        s = run.series()
        total = s["bonds.largest_mass"][0]
        masses.append(s["bonds.largest_mass"][-1] / total)
        lines.append([f"{speed:g}", f"{masses[-1]:.3f}", f"{int(s['bonds.fragments'][-1])}", f"{1 - s['bonds.holding'][-1] / s['bonds.holding'][0]:.3f}"])
        off = np.max(np.abs(s["energy.total"] - s["energy.total"][0])) / s["energy.total"][0]
        rows.append(largest(f"agglomerate at {speed:g} m/s: energy account off [of the start's]", off, 0.001, "absolute"))
    rows.append(within("agglomerate: largest part at 0.5 m/s, of the whole", 0.99, 1, masses[0], ""))
    rows.append(within("agglomerate: largest part at 12 m/s, of the whole", 0, 0.3, masses[-1], ""))
    rows.append(largest("agglomerate: growth of the largest part from a speed to the next higher one", max(np.diff(masses).max(), 0), 0.0, "absolute"))
    runner.table(f"A ball of {len(ball)} bonded spheres thrown on a plate.", ["speed [m/s]", "largest part", "parts", "bonds broken"], lines)
    return rows


def check(runner):
    return check_cantilever(runner) + check_chains(runner) + check_brazil(runner) + check_impact(runner)
