"""Octahedra hit a cube's face, Govender, Wilke & Kok 2015 (BLAZE-DEM), section 4: rebound, depth, force, damping, oblique slide, energy.

Found values against the closed solution of a 3/2-power spring, against the paper's equations (6) to (8) integrated here, and against what
the paper says of its figures.
"""
import math

import numpy as np
from harness import Row, bodies_file, largest, relative
from hertz import Impact

RADIUS, DENSITY = 0.0025, 4193.0
MASS = DENSITY * 4 / 3 * RADIUS**3
THICKNESS = 1.7 * RADIUS / math.sqrt(3)  # 1.7 inradii of an octahedron: what overlaps of a body this flat are held against
K_R, GRAVITY = 1e7, 9.81
SPEEDS = [0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0]  # of table 1 [m/s]
STEP = 1e-5  # of the paper [s]
PHASES = 16  # places within a step at which contacts begin
SHOWN = ["vertices, plane*", "vertices: largest depth*", "vertices: force*", "fig. 13: depth*", "fig. 16: rest*", "fig. 18: height*",
         "fig. 20, vertices: s*sl*", "fig. 22*"]
COLUMNS = ["x", "y", "z", "vx", "vy", "vz"]


def closed(v, share=1.0):
    """The elastic impact of a particle. share: depth of the law over depth of the tip."""
    return Impact(MASS, 1.0, 0.75 * K_R * share**1.5, v)


def fall(v, damping, mass=MASS, gravity=0.0, steps=4000):
    """(time, depth, speed into the floor) of one impact by equations (6) and (7), Runge-Kutta; ends where the tip is out again."""
    h = 2 * Impact(mass, 1.0, 0.75 * K_R, v).duration / steps

    def acceleration(x, p):
        return gravity - (K_R * max(x, 0.0) ** 1.5 + damping * math.sqrt(max(x, 0.0)) * p) / mass

    time, depth, speed = [0.0], [0.0], [v]
    x, p = 0.0, v
    while (x > 0 or len(time) == 1) and len(time) < 100 * steps:
        a1 = acceleration(x, p)
        p2, a2 = p + 0.5 * h * a1, acceleration(x + 0.5 * h * p, p + 0.5 * h * a1)
        p3, a3 = p + 0.5 * h * a2, acceleration(x + 0.5 * h * p2, p + 0.5 * h * a2)
        p4, a4 = p + h * a3, acceleration(x + h * p3, p + h * a3)
        x += h / 6 * (p + 2 * p2 + 2 * p3 + p4)
        p += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        time.append(time[-1] + h)
        depth.append(x)
        speed.append(p)
    return np.array(time), np.array(depth), np.array(speed)


def octahedra(step):
    """Rows of a file: each speed, with contacts that begin at PHASES places within a step."""
    return [(0.012 * k, 0.012 * j, RADIUS + k / PHASES * v * step, 0, 0, -v) for j, v in enumerate(SPEEDS) for k in range(PHASES)]


def rebound(runner, scene, step, patch):
    """Speed after over speed before, by speed and phase."""
    rows = octahedra(step)
    files = {"bodies.txt": bodies_file(COLUMNS, rows)}
    if scene == "cubes.toml":
        files["cubes.txt"] = bodies_file(["x", "y", "z"], [(row[0], row[1], -0.005) for row in rows])
    name = f"{scene.split('.')[0]}_{patch}_{step:.3g}"
    run = runner.run(scene, name=name, files=files, time__step=step, time__end=1e-3, method__patch=patch)
    v = run.last_frame()["velocity"][:len(rows), 2].reshape(len(SPEEDS), PHASES)
    return v / np.array(SPEEDS)[:, None]


def table1(runner):
    """Rebound at the paper's step, and how its error falls with the step."""
    rows = []
    for patch, scene in [("vertices", "impact.toml"), ("vertices", "cubes.toml"), ("overlap", "block.toml"), ("overlap", "cubes.toml")]:
        steps = [STEP / 2**k for k in range(runner.either(5, 2))]
        errors = [rebound(runner, scene, step, patch) - 1 for step in steps]
        sizes = [math.sqrt((error**2).mean()) for error in errors]
        order = np.polyfit(np.log(steps), np.log(sizes), 1)[0]
        floor = {"impact.toml": "plane", "block.toml": "fixed block", "cubes.toml": "heavy cube"}[scene]
        rows.append(largest(f"{patch}, {floor}: rebound of table 1's speeds, largest error", np.abs(errors[0]).max(), 3.6e-3, "relative"))
        rows.append(Row(f"{patch}, {floor}: order of the rebound's error in the step", 2.0, order, max(0.0, 2 - order), 0.1,
                        "below second order"))
        if scene == "impact.toml":
            table, by_step = np.abs(errors[0]), (steps, sizes)

    def draw_table(axes):
        axes.plot(SPEEDS, 100 * table.max(axis=1), "o", label="Scree, largest of 16 phases")
        axes.plot(SPEEDS, 100 * np.sqrt((table**2).mean(axis=1)), "x", label="Scree, root mean square")
        axes.plot(SPEEDS, [0.1312, 0.1992, 0.0608, 0.3595, 0.3201, 0.13695, 0.32772], "k+", label="Govender et al., table 1")
        axes.set(xscale="log", xlabel="speed [m/s]", ylabel="error of the rebound speed [%]")

    def draw_order(axes):
        axes.loglog(*by_step, "o-", label="Scree")
        axes.loglog(by_step[0], by_step[1][0] * (np.array(by_step[0]) / by_step[0][0]) ** 2, "k:", label="second order")
        axes.set(xlabel="step [s]", ylabel="error of the rebound speed, rms")

    runner.plot("table1", draw_table)
    runner.plot("order", draw_order)
    return rows


class Impact1:
    """One impact at a speed, first touch at time 0, as its series: time [s], depth of the tip [m], force up [N], speed up [m/s]."""

    def __init__(self, runner, name, v, step, every, **settings):
        text = bodies_file(COLUMNS, [(0, 0, RADIUS, 0, 0, -v)])
        end = 1.6 * closed(v, 1 / 3).duration
        run = runner.run("impact.toml", name=f"{name}_{v:g}", files={"bodies.txt": text}, time__step=step, time__end=end,
                         **{f"measure__{k}__every": every for k in range(4)}, **settings)
        series = run.series()
        self.time, self.depth = series["time"], THICKNESS * series["max_overlap.ratio"]
        self.force, self.speed = -series["wall_load.floor.fz"], series["momentum.pz"] / MASS
        self.touching = self.depth > 0

    @property
    def duration(self):
        """When the tip comes out [s], at constant speed since the last sample below."""
        k = int(np.nonzero(self.touching)[0][-1])
        return self.time[k] + self.depth[k] / self.speed[k]


def top(y):
    """Largest value of a smooth curve: the vertex of the parabola through the three highest samples."""
    k = int(np.argmax(y))
    a, b, c = np.polyfit([-1.0, 0.0, 1.0], y[k - 1:k + 2], 2)
    return c - b**2 / (4 * a)


def depth_and_force(runner, patch, share):
    """Figures 13 and 14. share: depth of the law over depth of the tip, 1/3 where the depth is volume over area."""
    peaks, ends, law, legs, impacts = [], [], [], [], []
    for v in SPEEDS:
        exact, impact = closed(v, share), Impact1(runner, f"depth_{patch}", v, 1e-7, 1e-7, method__patch=patch)
        peaks.append(top(impact.depth) / exact.largest_overlap - 1)
        ends.append(impact.duration / exact.duration - 1)
        law.append(np.abs(impact.force - exact.force_of_overlap(impact.depth)).max() / exact.largest_force)
        depth, force = impact.depth[impact.touching], impact.force[impact.touching]
        last = int(np.argmax(depth))
        back = np.interp(depth[1:last], depth[last:][::-1], force[last:][::-1])
        legs.append(np.abs(back - force[1:last]).max() / exact.largest_force)
        impacts.append(impact)
    rows = [
        largest(f"{patch}: largest depth (5/4 m v^2 / K)^(2/5), largest error", np.abs(peaks).max(), 1e-4, "relative"),
        largest(f"{patch}: contact time, largest error", np.abs(ends).max(), 1e-4, "relative"),
        largest(f"{patch}: force against depth, largest error", max(law), runner.either(1e-9, 1e-4), "of peak force"),
        largest(f"{patch}: loading against unloading, largest distance", max(legs), 1e-4, "of peak force"),
    ]
    if patch == "vertices":
        rows += figure13(runner, impacts)
        figure14(runner, impacts[SPEEDS.index(2.0)])
    return rows


def figure13(runner, fine):
    """Depths at the paper's step, which are samples of the same curves; the parabola gets sharper with speed."""
    coarse = [Impact1(runner, "depth_paper_step", v, STEP, STEP) for v in SPEEDS]
    distance = [np.abs(c.depth - np.interp(c.time, f.time, f.depth)).max() / f.depth.max() for c, f in zip(coarse, fine)]
    sharpness = np.array([top(f.depth) / f.duration**2 for f in fine])

    def draw(axes):
        for v, c, f in zip(SPEEDS, coarse, fine):
            line = axes.plot(f.time * 1e6, 1e6 * f.depth, label=f"{v:g} m/s")[0]
            axes.plot(c.time * 1e6, 1e6 * c.depth, "o", ms=3, color=line.get_color())
        axes.axhline(0.05 * RADIUS * 1e6, color="0.6", ls="--", label="5 % of the radius")
        axes.set(xlabel="time [us]", ylabel="depth [um]", xlim=(0, 250), title="Lines: step 0.1 us; dots: the paper's 10 us")

    runner.plot("figure13", draw)
    rises = float(np.diff(sharpness).min() / sharpness[0])
    return [largest("fig. 13: depth at the paper's step, largest distance from the curve", max(distance), 0.02, "of largest depth"),
            Row("fig. 13: sharper at every higher speed, least rise", 0.0, rises, min(rises, 0.0), 0.0, "below zero"),
            relative("fig. 13: largest depth at 4 m/s [m]", 0.05 * RADIUS, top(fine[-1].depth), 1e-4)]


def figure14(runner, impact):
    depth, force = impact.depth[impact.touching], impact.force[impact.touching]
    last = int(np.argmax(depth))

    def draw(axes):
        axes.plot(1e6 * depth[:last + 1], force[:last + 1], label="loading")
        axes.plot(1e6 * depth[last:], force[last:], "--", label="unloading")
        axes.set(xlabel="depth [um]", ylabel="force [N]", title="2 m/s")

    runner.plot("figure14", draw)


def hysteresis(runner, patch, share):
    """Figures 16 and 17: K_D = 5e4 dyn s/cm^1.5. Area of the loop, energy lost, restitution, and where the dashpot outdoes the spring."""
    damping = 500.0
    impacts = [Impact1(runner, f"damped_{patch}", v, 1e-7, 1e-7, method__patch=patch, method__damping=damping) for v in SPEEDS]
    impact = impacts[SPEEDS.index(2.0)]
    area = 0.5 * ((impact.force[1:] + impact.force[:-1]) * np.diff(impact.depth)).sum()
    found = np.array([i.speed[-1] / v for i, v in zip(impacts, SPEEDS)])
    rows = [relative(f"{patch}: area of the loop at 2 m/s [J]", 0.5 * MASS * 4 * (1 - found[SPEEDS.index(2.0)] ** 2), area, 1e-3)]
    if share != 1:
        return rows
    reference = [fall(v, damping) for v in SPEEDS]
    expected = np.array([-speed[-1] / v for v, (_, _, speed) in zip(SPEEDS, reference)])
    inside = np.nonzero(impact.touching)[0]
    elastic = K_R * impact.depth**1.5
    dashpot_first = impact.force[inside[0]] > 2 * elastic[inside[0]]
    pulls_last = impact.force[inside[-1]] < 0
    more = np.diff(1 - found**2).min() > 0 and np.diff([i.duration for i in impacts]).max() < 0

    def draw(axes):
        axes.plot(1e6 * impact.depth[inside], impact.force[inside], label="Scree")
        depth, speed = np.maximum(reference[5][1], 0), reference[5][2]
        axes.plot(1e6 * depth, K_R * depth**1.5 + damping * np.sqrt(depth) * speed, "k:", label="equations (6) and (7)")
        axes.set(xlabel="depth [um]", ylabel="force [N]", title="K_D = 5e4 dyn s/cm^1.5, 2 m/s")

    runner.plot("figure16", draw)
    return rows + [
        largest("fig. 16: restitution of the seven speeds, largest error", np.abs(found / expected - 1).max(), 2e-3, "relative"),
        holds("fig. 16: dashpot outdoes the spring first and pulls at the end", dashpot_first and pulls_last),
        holds("fig. 17: faster impacts lose a larger share, in a shorter contact", more),
    ]


def holds(quantity, value):
    """A row for a statement: 1 where it holds."""
    return Row(quantity, 1.0, float(value), 1.0 - float(value), 0.0, "1: true")


def finite(series, names):
    """Columns where all of them have values: measures differ in when they are taken."""
    columns = np.array([series[name] for name in names])
    return columns[:, np.isfinite(columns).all(axis=0)]


def to_rest(runner):
    """Figures 18 and 19: dropped from rest 0.75 cm above the floor, K_D = 5e4 dyn s/cm^1.5."""
    drop, damping = 0.0075, 500.0
    text = bodies_file(COLUMNS, [(0, 0, RADIUS + drop, 0, 0, 0)])
    v, expected = math.sqrt(2 * GRAVITY * drop), []
    for _ in range(4):
        v = -fall(v, damping, gravity=GRAVITY)[2][-1]
        expected.append(v**2 / (2 * GRAVITY))
    curves, rows = {}, []
    for step, tolerance in [(STEP, 0.12), (STEP / 10, 0.015)]:
        run = runner.run("impact.toml", name=f"to_rest_{step:g}", files={"bodies.txt": text}, time__step=step, time__end=0.2,
                         method__damping=damping, domain__gravity=[0, 0, -GRAVITY], measure__0__every=STEP, measure__1__every=STEP)
        time, height, speed = finite(run.series(), ["time", "energy.potential", "momentum.pz"])
        tip, speed = height / (MASS * GRAVITY) - RADIUS, speed / MASS
        curves[step] = (time, tip, speed)
        tops = [k for k in range(1, len(tip) - 1) if tip[k - 1] < tip[k] >= tip[k + 1] and tip[k] > 1e-6]
        found = np.array([top(tip[k - 1:k + 2]) for k in tops[:4]])
        rows.append(largest(f"fig. 18: height of four bounces, step {1e6 * step:.0f} us, largest error",
                            np.abs(found / np.array(expected) - 1).max(), tolerance, "relative"))

    def draw(axes):
        time, tip, speed = curves[STEP]
        axes.plot(time, 1e3 * tip, label="height of the tip [mm]")
        axes.plot(time, 10 * speed, label="velocity [0.1 m/s]")
        axes.set(xlabel="time [s]", title="K_D = 5e4 dyn s/cm^1.5")

    runner.plot("figure18_19", draw)
    _, tip, speed = curves[STEP]
    return rows + [
        relative("fig. 18: depth at rest (m g / K)^(2/3) [m]", (MASS * GRAVITY / K_R) ** (2 / 3), -tip[-1], runner.either(1e-6, 1e-3)),
        largest("fig. 19: speed at the end", abs(speed[-1]), runner.either(1e-9, 1e-6), "absolute [m/s]"),
    ]


def slide_reference(mass, damping, mu, K_T, height, v, u, end, h=2e-7):
    """(time, height, tangential speed) by equations (6) to (8) without rotation, second order in h."""
    n = int(end / h)
    time, z, x_speed = np.empty(n), np.empty(n), np.empty(n)
    p = -v

    def force(s, p, u):
        d = max(-s, 0.0)
        f_n = K_R * d**1.5 - damping * math.sqrt(d) * p
        return f_n / mass - GRAVITY, -min(mu * abs(f_n), K_T * abs(u)) / mass * (1 if u > 0 else -1)

    for k in range(n):
        time[k], z[k], x_speed[k] = k * h, height, u
        a, b = force(height, p, u)
        a, b = force(height + 0.5 * h * p, p + 0.5 * h * a, u + 0.5 * h * b)
        height += h * (p + 0.5 * h * a)
        p += h * a
        u += h * b
    return time, z, x_speed


def touchdowns(time, height):
    """Times at which the height falls below 0."""
    return time[1:][(height[:-1] >= 0) & (height[1:] < 0)]


def plateaus(time, speed, at):
    """Speeds midway between the times given."""
    return np.interp(0.5 * (at[:-1] + at[1:]), time, speed)


def slide(runner):
    """Figure 20: four oblique impacts, then sliding."""
    mass, mu = 1.9e-3, 1.54
    reference = slide_reference(mass, 2000.0, mu, 4.0, 0.0075, 0.5, 2.0, 0.1)
    rows, curves = [], {}
    for patch in ("vertices", "overlap"):
        series = runner.run("slide.toml", name=f"slide_{patch}", method__patch=patch).series()
        time, u, height = finite(series, ["time", "momentum.px", "energy.potential"])
        u, height = u / mass, height / (mass * GRAVITY) - 0.000125
        curves[patch] = (time, height, u)
        down, wanted = touchdowns(time, height), touchdowns(reference[0], reference[1])
        error = np.abs(plateaus(time, u, down[:4]) - plateaus(reference[0], reference[2], wanted[:4])).max()
        # Sliding in lasting contact, well before it ends.
        part = (time > 0.065) & (time < time[np.nonzero(u > 0.05)[0][-1]])
        slope = np.polyfit(time[part], u[part], 1)[0]
        # Impacts that end a flight higher than 5 um, 1/500 of the radius of the paper's particle: what its picture can show.
        starts = np.concatenate([[0.0], down])
        impacts = sum(bool(height[(time >= a) & (time <= b)].max() > 5e-6) for a, b in zip(starts, down) if b < 0.055)
        rows += [
            Row(f"fig. 20, {patch}: impacts before 0.055 s", 4, impacts, abs(impacts - 4.0), 0.0, "absolute"),
            largest(f"fig. 20, {patch}: speed after impacts 1 to 3, largest error", error, 0.02, "absolute [m/s]"),
            relative(f"fig. 20, {patch}: slope of the speed while sliding [m/s2]", -mu * GRAVITY, slope, 1e-3),
            largest(f"fig. 20, {patch}: speed at the end", abs(u[-1]), 1e-6, "absolute [m/s]"),
        ]

    def draw(axes):
        time, height, u = curves["vertices"]
        axes.plot(time, u, label="tangential speed [m/s]")
        axes.plot(reference[0][::100], reference[2][::100], "k:", label="equations (6) to (8)")
        axes.plot(time, 100 * height, label="height [cm]")
        axes.set(xlabel="time [s]", title="K_D = 2e5, K_T = 4e3, mu = 1.54")

    runner.plot("figure20", draw)
    return rows


def energy_rows(runner):
    """Figure 22: octahedra bounce for a second without damping; error of the total energy against the step."""
    text = bodies_file(COLUMNS, [(0.012 * k, 0, RADIUS + 0.002 + 0.0011 * k, 0, 0, 0) for k in range(12)])
    steps = [2e-5, 1e-5, 5e-6, 2.5e-6][:runner.either(4, 2)]
    errors = []
    for step in steps:
        run = runner.run("impact.toml", name=f"energy_{step:.3g}", files={"bodies.txt": text}, time__step=step, time__end=1.0,
                         domain__gravity=[0, 0, -GRAVITY], measure__0__every=1e-3)
        total = finite(run.series(), ["energy.total"])[0]
        errors.append(np.abs(total / total[0] - 1).max())
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]

    def draw(axes):
        axes.loglog(steps, errors, "o-", label="Scree, largest within 1 s")
        axes.loglog(steps, errors[0] * (np.array(steps) / steps[0]) ** 2, "k:", label="second order")
        axes.set(xlabel="step [s]", ylabel="error of the total energy")

    runner.plot("figure22", draw)
    return [Row("fig. 22: order of the energy's error in the step", 2.0, order, max(0.0, 2 - order), 0.1, "below second order"),
            largest("fig. 22: energy error at the paper's step", errors[1], 0.02, "relative")]


def check(runner):
    rows = table1(runner)
    for patch, share in [("vertices", 1.0), ("overlap", 1 / 3)]:
        rows += depth_and_force(runner, patch, share)
        rows += hysteresis(runner, patch, share)
    return rows + to_rest(runner) + slide(runner) + energy_rows(runner)
