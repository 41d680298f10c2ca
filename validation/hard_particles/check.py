"""Hard particles against equations of state, Maxwell's speeds and Haff's cooling law; energy and wall pressure; error of time steps."""
from pathlib import Path

import numpy as np
from harness import bodies_file, largest, load, relative, within
from scipy.special import erf
from scipy.stats import chi2

eq = load(Path(__file__).parent / "equations.py")

BODIES = 4096
ROWS = 25  # of the series; the first fifth is forgotten


def radius_of(dimensions, packing):
    """Of particles one to a unit of space."""
    return np.sqrt(packing / np.pi) if dimensions == 2 else np.cbrt(packing * 3 / (4 * np.pi))


def factors(series, bodies, dimensions):
    """P V / (N k T) between the rows after the first fifth. k T is that of a box at rest as a whole, 2 K / (d (N - 1))."""
    first = len(series["time"]) // 5
    time, virial = series["time"][first:], series["pressure.virial"][first:]
    thermal = 2 * series["pressure.kinetic"][first] / (dimensions * (bodies - 1))
    return 1 + np.diff(virial) / np.diff(time) / (dimensions * bodies * thermal)


def measured(runner, scene, dimensions, packing, expected):
    """Mean of P V / (N k T) and its standard error, event by event. Close to freezing that of 25,600 particles, and for longer."""
    radius, near_freezing = radius_of(dimensions, packing), dimensions == 2 and packing > 0.6
    bodies, collisions = (160 * 160, 1000) if near_freezing else (BODIES, 500 if dimensions == 2 else 300)
    files = {f"{scene}.toml": (runner.folder / f"{scene}.toml").read_text().replace("64", "160")} if near_freezing else None
    end = collisions / eq.collision_rate(dimensions, expected, 2 * radius, 1.0)
    settings = {f"shape__{scene[:-1]}__radius": radius, "time__end": end, "time__step": end / ROWS, "output__every": end / ROWS}
    found = factors(runner.run(f"{scene}.toml", f"{scene}_{packing}", files=files, **settings).series(), bodies, dimensions)
    return found.mean(), found.std(ddof=1) / np.sqrt(len(found))


def equations_of_state(runner):
    packings = {"disks": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65], "spheres": [0.1, 0.2, 0.3, 0.4, 0.45]}
    expected = {"disks": eq.disks, "spheres": eq.carnahan_starling}
    rows, found = [], {}
    for scene, dimensions, tolerance in (("disks", 2, 0.005), ("spheres", 3, 0.01)):
        found[scene] = np.array([measured(runner, scene, dimensions, y, expected[scene](y)) for y in packings[scene]])
        for packing, (mean, _) in zip(packings[scene], found[scene]):
            rows.append(relative(f"{scene} at packing {packing}: P V / (N k T)", float(expected[scene](packing)), mean, tolerance))

    def pressure(axes):
        fine = np.linspace(0.02, 0.68, 200)
        axes.plot(fine, eq.disks(fine), color="C0", label="disks: [5/4] approximant of ten virial coefficients")
        axes.plot(fine, eq.henderson(fine), "--", color="C0", label="disks: Henderson")
        fine = np.linspace(0.02, 0.48, 200)
        axes.plot(fine, eq.carnahan_starling(fine), color="C1", label="spheres: Carnahan and Starling")
        for scene, colour in (("disks", "C0"), ("spheres", "C1")):
            axes.plot(packings[scene], found[scene][:, 0], "o", color=colour, label=f"{scene}, event by event")
        axes.set(xlabel="packing", ylabel="P V / (N k T)", yscale="log")

    def deviation(axes):
        fine = np.linspace(0.02, 0.66, 200)
        axes.plot(fine, 100 * (eq.henderson(fine) / eq.disks(fine) - 1), "--", color="C0", label="Henderson")
        for scene, colour in (("disks", "C0"), ("spheres", "C1")):
            reference = expected[scene](np.array(packings[scene]))
            axes.errorbar(packings[scene], 100 * (found[scene][:, 0] / reference - 1), 200 * found[scene][:, 1] / reference, fmt="o",
                          color=colour, capsize=2, label=f"{scene}, with two standard errors")
        axes.set(xlabel="packing", ylabel="deviation [%]")

    runner.plot("pressure", pressure, "Pressure of hard disks and spheres over packing, event by event, with equations of state.")
    runner.plot("pressure_deviation", deviation, "The same as deviations: disks, and Henderson's equation, from the [5/4] approximant of ten virial "
                "coefficients (Clisby & McCoy 2006); spheres from Carnahan & Starling's equation.")
    own = np.array(packings["disks"])
    worst = np.abs(eq.henderson(own) / eq.disks(own) - 1).max()
    return rows + [largest("Henderson's equation against the approximant", worst, 0.02, "largest relative, for comparison")]


def time_steps(runner):
    """The error of the pressure at packing 0.6 for three steps."""
    expected, steps = float(eq.disks(0.6)), np.array([0.12, 0.06, 0.03])
    errors = []
    for step, end in zip(steps, [15.0, 40.0, 40.0]):  # the first error is far larger than the scatter
        run = runner.run("disks.toml", f"disks_step_{step}", shape__disk__radius=radius_of(2, 0.6), method__stepping="steps",
                         time__step=step, time__end=end, output__every=end / ROWS)
        errors.append(abs(factors(run.series(), BODIES, 2).mean() / expected - 1))
    order = np.log2(errors[0] / errors[1])

    def draw(axes):
        axes.loglog(steps, errors, "o-", label="time steps, packing 0.6")
        axes.loglog(steps, errors[0] * (steps / steps[0]) ** 2, "--", label="second order")
        axes.set(xlabel="step times thermal speed [m]; diameter 0.87", ylabel="relative error of P V / (N k T)")

    runner.plot("time_steps", draw, "Error of the pressure of disks at packing 0.6 over the length of time steps.")
    return [within("time steps: order of the pressure's error, 0.12 s to 0.06 s", 1.5, 2.5, order, ""),
            largest("time steps: error of the pressure at 0.03 s", errors[2], 0.005, "relative")]


def chi_squared(speeds, thermal):
    """(chi squared, degrees of freedom) of speeds against Maxwell's distribution in 40 bins of equal share."""
    bins = 40
    x = np.linspace(0, 8, 20001)
    below = erf(x / np.sqrt(2)) - np.sqrt(2 / np.pi) * x * np.exp(-x * x / 2)
    edges = np.interp(np.arange(1, bins) / bins, below, x)
    counts = np.bincount(np.searchsorted(edges, speeds / thermal), minlength=bins)
    share = len(speeds) / bins
    # One degree for the number of particles, one for their energy, which is given.
    return ((counts - share) ** 2 / share).sum(), bins - 2


def maxwell(runner, stepping):
    """Spheres that start with speed 1 in random directions have Maxwell's speeds 20 collisions later."""
    random = np.random.default_rng(5)
    place = np.stack(np.meshgrid(*[np.arange(16)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) + 0.5
    velocity = random.normal(size=place.shape)
    velocity /= np.linalg.norm(velocity, axis=1)[:, None]
    velocity -= velocity.mean(axis=0)
    radius = radius_of(3, 0.3)
    text = bodies_file(["x", "y", "z", "r", "vx", "vy", "vz"], np.column_stack([place, np.full(BODIES, radius), velocity]))
    thermal = np.sqrt((velocity**2).sum() / (3 * (BODIES - 1)))
    every = 10 / eq.collision_rate(3, eq.carnahan_starling(0.3), 2 * radius, thermal)
    frames = runner.run("speeds.toml", f"speeds_{stepping}", files={"bodies.txt": text}, method__stepping=stepping, time__end=12.5 * every,
                        time__step=every / 100, output__every=every).frames()
    speed = [np.linalg.norm(frame["velocity"], axis=1) for frame in frames]
    start, _ = chi_squared(speed[0], thermal)
    # Ten frames, ten collisions apart, from the second on: as good as apart for all time.
    parts = [chi_squared(one, thermal) for one in speed[2:12]]
    total, freedom = sum(part[0] for part in parts), sum(part[1] for part in parts)
    if stepping == "events":

        def draw(axes):
            x = np.linspace(0, 4.5, 200)
            axes.hist(np.concatenate(speed[2:12]) / thermal, 60, density=True, alpha=0.5, label="spheres, 20 to 110 collisions after one speed")
            axes.plot(x, np.sqrt(2 / np.pi) * x**2 * np.exp(-x * x / 2), label="Maxwell")
            axes.set(xlabel="speed / sqrt(k T / m)", ylabel="density")

        runner.plot("speeds", draw)
    return [within(f"{stepping}: Maxwell's speeds, probability of a larger chi squared", 0.001, 1.0, chi2.sf(total, freedom), ""),
            within(f"{stepping}: chi squared over its mean at the start, log10", 2, 6, np.log10(start / 38), "")]


def haff(runner, stepping):
    """T(t) = T(0) / (1 + t / tau)^2, 1 / tau = (1 - e^2) rate / 6, down to a thirty-sixth."""
    e, packing = 0.95, 0.1
    rate = eq.collision_rate(3, eq.carnahan_starling(packing), 2 * radius_of(3, packing), 1.0)
    tau = 6 / ((1 - e * e) * rate)
    series = runner.run("cooling.toml", f"cooling_{stepping}", method__stepping=stepping, time__end=5 * tau, time__step=tau / 1000,
                        output__every=tau / 10).series()
    # The thermal speed at the start is 1 but for the draw of the velocities.
    time, kinetic = series["time"], series["pressure.kinetic"]
    mass = 4 / 3 * np.pi * radius_of(3, packing) ** 3
    speed = np.sqrt(2 * kinetic[0] / (3 * (BODIES - 1) * mass))
    root = np.sqrt(kinetic[0] / kinetic)  # 1 + t / tau
    slope = (time * (root - 1)).sum() / (time**2).sum()
    law = (1 + slope * time) ** -2

    def draw(axes):
        axes.loglog(1 + time / tau, kinetic / kinetic[0], ".", label="4,096 spheres, e = 0.95")
        axes.loglog(1 + time / tau, (1 + time * speed / tau) ** -2, label="Haff, with Enskog's rate")
        axes.set(xlabel="1 + t / tau", ylabel="T / T(0)")

    runner.plot(f"cooling_{stepping}", draw)
    return [relative(f"{stepping}: cooling time tau", tau / speed, 1 / slope, 0.02),
            largest(f"{stepping}: temperature against Haff's law with that tau", np.abs(kinetic / kinetic[0] / law - 1).max(), 0.03,
                    "largest relative")]


def conservation(runner, stepping):
    """Energy and momentum through ten thousand collisions of every particle."""
    series = runner.run("energy.toml", f"energy_{stepping}", method__stepping=stepping, time__end=1000.0, time__step=0.04,
                        output__every=20.0).series()
    each = 2 * series["pressure.collisions"][-1] / 64
    kinetic = series["pressure.kinetic"]
    return [within(f"{stepping}: collisions of each particle", 1e4, 2e4, each, ""),
            largest(f"{stepping}: energy, largest change", np.abs(kinetic / kinetic[0] - 1).max(), 1e-13, "relative")]


def walls(runner, stepping):
    """The pressure on the walls is that of the virial."""
    series = runner.run("box.toml", f"box_{stepping}", method__stepping=stepping, time__end=400.0, time__step=0.05,
                        output__every=40.0).series()
    return [relative(f"{stepping}: pressure on walls, against the virial's", series["pressure.mean"][-1],
                     series["pressure.mean_on_walls"][-1], 0.003)]


def check(runner):
    rows = equations_of_state(runner) + time_steps(runner)
    for stepping in ("events", "steps"):
        rows += maxwell(runner, stepping) + haff(runner, stepping) + conservation(runner, stepping) + walls(runner, stepping)
    return rows
