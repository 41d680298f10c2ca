"""Contacts of the cone method: weights, stacks, an arch, sticking, sliding, rolling, Painleve's rod, restitution, momentum, cohesion.

Closed forms of rigid bodies with Coulomb friction, Newton's restitution, and the known bias of the relaxation ("ccp").
"""
import math
from pathlib import Path

import numpy as np
from harness import bodies_file, largest, relative, within
from harness import load as load_module

GRAVITY, ANGLE = 9.81, math.radians(25)
LIMIT = math.tan(ANGLE)
DOWN = GRAVITY * math.sin(ANGLE)
SHOWN = ["tower*drift", "tower: load*", "100 : 1*", "arch, friction*", "box, tan*", "rolling friction*way*", "sliding cube*gap*",
         "Painleve*paradoxical way: largest rise*", "ball and cube*drift", "e = 0.5*", "cohesion*"]
PLACE = ["x", "y", "z", "qw", "qx", "qy", "qz"]


def tilt(frame):
    """Largest angle [rad] of a body's own z from the world's."""
    q = frame["orientation"]
    return np.arccos(np.clip(1 - 2 * (q[:, 1] ** 2 + q[:, 2] ** 2), -1, 1)).max()


def drift(frames):
    """Largest way of any body from its first place [m]."""
    return max(np.linalg.norm(frame["position"] - frames[0]["position"], axis=1).max() for frame in frames)


def of_first(frames, quantity, component):
    return np.array([frame[quantity][0, component] for frame in frames])


def times(frames):
    return np.array([frame["time"] for frame in frames])


def load(series, wall):
    """Force on a wall, downwards [N]."""
    return -series[f"wall_load.{wall}.fz"]


def load_bar(runner):
    return runner.either(2e-4, 2e-2)


def weight(runner):
    run = runner.run("weight.toml")
    series, mass = run.series(), run.last_frame()["mass"].sum()
    late = load(series, "box")[series["time"] > 1.5]
    return [largest("64 balls in a box: load on its walls at rest, largest error", np.abs(late / (mass * GRAVITY) - 1).max(), load_bar(runner), "of m g")]


def tower(runner):
    edge = 0.1
    run = runner.run("tower.toml", files={"bodies.txt": bodies_file(["x", "y", "z"], [(0, 0, (k + 0.5) * edge) for k in range(20)])})
    frames, series, mass = run.frames(), run.series(), 20 * 2500 * edge**3
    kinetic = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"]
    return [
        largest("tower of twenty cubes, 2 s: drift", drift(frames) / edge, 0.01, "of an edge"),
        largest("tower: tilt at the end", tilt(frames[-1]), 1e-3, "absolute [rad]"),
        largest("tower: speed at the end", math.sqrt(2 * kinetic[-1] / mass), 1e-3, "absolute [m/s]"),
        relative("tower: load on the floor [N]", mass * GRAVITY, load(series, "floor")[-1], load_bar(runner)),
    ]


def heavy_on_light(runner):
    run = runner.run("load.toml")
    frames, total = run.frames(), (0.25 + 25) * GRAVITY
    return [
        largest("100 : 1 in mass, heavy on light, 3 s: drift", drift(frames) / 0.1, 0.01, "of an edge"),
        relative("100 : 1: load on the floor [N]", total, load(run.series(), "floor")[-1], load_bar(runner)),
    ]


def arch(runner):
    """Stands with 0.7 and with 5 % more friction than limit analysis asks for, falls with 10 % less and with 0.2."""
    stone = load_module(Path(__file__).parent / "arch.py")
    corners, rows = stone.stones(11, 1.0, 1.35, 0.4)
    critical = stone.critical_friction(11, 1.0, 1.35)
    files, result, pictures = {"bodies.txt": bodies_file(PLACE, rows)}, [], {}
    for mu, note in ((0.7, "0.7"), (1.05 * critical, "5 % above the critical"), (0.9 * critical, "10 % below the critical"), (0.2, "0.2")):
        run = runner.run("arch.toml", name=f"arch_{mu:.3f}", files=files, shape__voussoir__vertices=corners, material__stone__friction=mu)
        frames = run.frames()
        pictures[mu] = frames
        if mu > critical:
            weight_of_all = frames[0]["mass"].sum() * GRAVITY
            result += [largest(f"arch, friction {note}, 2 s: drift", drift(frames), 0.0035, "absolute [m]"),
                       relative(f"arch, friction {note}: load on the floor [N]", weight_of_all, load(run.series(), "floor")[-1], load_bar(runner))]
        else:
            crown = frames[0]["position"][5, 2] - frames[-1]["position"][5, 2]
            result.append(within(f"arch, friction {note}: the crown has fallen by [m]", 0.1, 1.35, crown, "m"))

    def draw(axes):
        for mu, frames in pictures.items():
            axes.plot(frames[-1]["position"][:, 0], frames[-1]["position"][:, 2], "o", mfc="none", label=f"friction {mu:.3f}, after 2 s")
        axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title=f"critical friction {critical:.3f}")

    runner.plot("arch", draw)
    return result


def solvers(runner):
    """The arch either side of its critical friction, by every solver."""
    stone = load_module(Path(__file__).parent / "arch.py")
    corners, rows = stone.stones(11, 1.0, 1.35, 0.4)
    critical = stone.critical_friction(11, 1.0, 1.35)
    files, result = {"bodies.txt": bodies_file(PLACE, rows)}, []
    for solver in ("jacobi", "gauss_seidel", "apgd", "barzilai_borwein", "interior_point"):
        ways = [drift(runner.run("arch.toml", name=f"{solver}_{factor}", files=files, shape__voussoir__vertices=corners,
                                 material__stone__friction=factor * critical, method__solver=solver, time__end=1.0).frames())
                for factor in (1.05, 0.9)]
        result += [largest(f"arch, {solver}, 5 % above the critical friction: drift in 1 s", ways[0], 0.0035, "absolute [m]"),
                   within(f"arch, {solver}, 10 % below it: farthest way in 1 s [m]", 0.1, 1.35, ways[1], "m")]
    return result


def acceleration(frames, first=0.1):
    """Mean acceleration along x of the only body from a time on [m/s2]."""
    time, v = times(frames), of_first(frames, "velocity", 0)
    k = int(np.searchsorted(time, first - 1e-9))
    return (v[-1] - v[k]) / (time[-1] - time[k])


def slope(runner):
    rows = []
    for mu in (LIMIT / 0.99, LIMIT / 1.01, 0.3, 0.1):
        frames = runner.run("slope.toml", name=f"slope_{mu:.3f}", material__stone__friction=mu).frames()
        if mu > LIMIT:
            rows.append(largest("box, tan(angle) 1 % below mu: way in 0.5 s", np.abs(of_first(frames, "position", 0)).max(), 1e-8, "absolute [m]"))
        else:
            note = "tan(angle) 1 % above mu" if mu > 0.45 else f"mu = {mu:.1f}"
            rows.append(relative(f"box, {note}: acceleration [m/s2]", DOWN - mu * GRAVITY * math.cos(ANGLE), acceleration(frames), 1e-3))
    return rows


def roll(runner):
    rows = []
    for mu in (0.5, 0.1):
        frames = runner.run("roll.toml", name=f"roll_{mu}", material__stone__friction=mu).frames()
        rolls = LIMIT < 3.5 * mu
        expected = 5 / 7 * DOWN if rolls else DOWN - mu * GRAVITY * math.cos(ANGLE)
        rows.append(relative(f"ball, mu = {mu}, {'rolls' if rolls else 'slides'}: acceleration [m/s2]", expected, acceleration(frames), 1e-4))
        if rolls:
            slip = np.abs(of_first(frames, "velocity", 0) - 0.05 * of_first(frames, "angular_velocity", 1)).max()
            rows.append(largest("ball, mu = 0.5: velocity of its lowest point, largest", slip, 1e-6, "absolute [m/s]"))
        else:
            spin = of_first(frames, "angular_velocity", 1)[-1] / times(frames)[-1]
            rows.append(relative("ball, mu = 0.1: angular acceleration 5/2 mu g cos / r [rad/s2]",
                                 2.5 * mu * GRAVITY * math.cos(ANGLE) / 0.05, spin, 1e-3))
    return rows


def rolling_friction(runner):
    """A torque of c r N stops a ball that rolls: 7/5 m a = -c N, so that it goes 7 v^2 / (10 c g)."""
    c, speed = 0.05, 1.0
    frames = runner.run("rolling_friction.toml").frames()
    time, x, v = times(frames), of_first(frames, "position", 0), of_first(frames, "velocity", 0)

    def draw(axes):
        axes.plot(time, np.maximum(speed - 5 / 7 * c * GRAVITY * time, 0), label="closed form")
        axes.plot(time[::10], v[::10], "o", ms=3, mfc="none", label="Scree")
        axes.set(xlabel="time [s]", ylabel="speed [m/s]")

    runner.plot("rolling_friction", draw)
    return [relative("rolling friction 0.05: way until rest [m]", 0.7 * speed**2 / (c * GRAVITY), x[-1], 5e-3),
            largest("rolling friction: speed at rest", np.abs(v[time > 3.5]).max(), 1e-6, "absolute [m/s]")]


def slide(runner):
    """The relaxation lifts a sliding contact by step * mu * speed (Anitescu & Hart 2004); exact friction does not."""
    step, mu, rows, lines = 1e-3, 0.5, [], []
    for law in ("ccp", "coulomb"):
        # The relaxation would throw up a contact that slides without its gap: it starts with it.
        height = 0.02 + (step * mu * 2 if law == "ccp" else 0)
        frames = runner.run("slide.toml", name=f"slide_{law}", method__friction=law, bodies__0__place__at=[0, 0, height]).frames()
        time, v, gap = times(frames), of_first(frames, "velocity", 0), of_first(frames, "position", 2) - 0.02
        moving = (time > 0.05) & (v > 0.1)
        expected = step * mu * v if law == "ccp" else 0 * v
        bar = 2e-2 if law == "ccp" else 1e-2
        rows.append(largest(f"sliding cube, {law}: gap against {'step mu v' if law == 'ccp' else '0'}, largest error",
                            np.abs(gap - expected)[moving].max() / (step * mu * 2), bar, "of step mu v at the start"))
        rows.append(relative(f"sliding cube, {law}: speed at 0.3 s [m/s]", 2 - mu * GRAVITY * 0.3, v[-1], 1e-2))
        for k in (np.argmin(np.abs(time - t)) for t in (0.1, 0.2, 0.3)):
            lines.append([law, f"{time[k]:.2g}", f"{v[k]:.4f}", f"{1e3 * expected[k]:z.4f}", f"{1e3 * gap[k]:z.4f}"])
    runner.table("Gap under a cube that slides, 2 m/s at first, mu = 0.5, steps of 1 ms; expected: step · mu · v (ccp), none (coulomb).",
                 ["friction", "time [s]", "speed [m/s]", "gap expected [mm]", "gap found [mm]"], lines)
    return rows


def painleve(runner):
    rows, pictures = [], {}
    for way in (-1, 1):
        run = runner.run("painleve.toml", name=f"painleve_{'against' if way < 0 else 'along'}", bodies__0__velocity=[3 * way, 0, 0])
        series, frames = run.series(), run.frames()
        energy = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"] + series["energy.potential"]
        pictures[way] = (series["time"], energy)
        # In the step of an impact the velocity is the mean of those before and after, so that the energy dips: the largest of five samples.
        level = np.max([np.roll(energy, k)[2:-2] for k in range(-2, 3)], axis=0)
        rise = (level - np.minimum.accumulate(level)).max() / energy[0]
        note = "Painleve's rod, " + ("paradoxical way" if way < 0 else "other way")
        rows += [largest(f"{note}: largest rise of energy", rise, 2e-3, "of its first"),
                 largest(f"{note}: depth below the floor at the end", max(0.0, 0.005 - frames[-1]["position"][0, 2]), 1e-4, "absolute [m]"),
                 within(f"{note}: energy lost, share", 0.9, 1.0, 1 - energy[-1] / energy[0], "")]

    def draw(axes):
        for way, (time, energy) in pictures.items():
            axes.plot(time, energy / energy[0], label="paradoxical" if way < 0 else "the other way")
        axes.set(xlabel="time [s]", ylabel="energy over its first")

    runner.plot("painleve", draw)
    return rows


def rest(runner):
    rows = []
    for note, bar, settings in (("default tolerance", 1e-5, {}), ("tolerance 1e-10 m/s", runner.either(1e-9, 1e-7), {"method__tolerance": 1e-10})):
        frames = runner.run("rest.toml", name=f"rest_{bar:g}", **settings).frames()
        cube = [{"orientation": frame["orientation"][1:]} for frame in frames]
        rows += [largest(f"ball and cube at rest, 1e5 steps, {note}: drift", drift(frames), bar, "absolute [m]"),
                 largest(f"ball and cube at rest, {note}: tilt of the cube", max(tilt(frame) for frame in cube), 10 * bar, "absolute [rad]")]
    return rows


def bounce(runner):
    frames = runner.run("bounce.toml").frames()
    z = np.array([frame["position"][:, 2] for frame in frames]) - 0.005
    v = np.array([frame["velocity"][:, 2] for frame in frames])
    rows = []
    for b, e in enumerate((0.9, 0.7, 0.5)):
        # In free flight the height still to come is v |v| / 2g; a bounce is where the speed turns up.
        heights = z[:, b] + v[:, b] ** 2 / (2 * GRAVITY)
        hits = np.flatnonzero((v[:-1, b] < -0.2) & (v[1:, b] > 0.2))[:2]
        for k, hit in enumerate(hits):
            rows.append(relative(f"e = {e}: height after bounce {k + 1} over the one before", e**2, heights[hit + 2] / heights[hit - 2], 5e-3))
    return rows


def collision_files():
    """Balls on an inner, cubes on an outer lattice, all flying inwards with some spread, spinning."""
    random = np.random.default_rng(4)
    names, result = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"], {"balls.txt": [], "cubes.txt": []}
    for i in range(4):
        for j in range(4):
            for k in range(4):
                place = 0.032 * (np.array([i, j, k]) - 1.5) + random.uniform(-0.002, 0.002, 3)
                row = [*place, *(-8 * place + random.normal(0, 0.2, 3) + [0.1, 0.2, 0.3]), *random.normal(0, 20, 3)]
                if (i + j + k) % 2:
                    result["balls.txt"].append(row)
                else:
                    q = random.normal(size=4)
                    result["cubes.txt"].append(row + list(q / np.linalg.norm(q)))
    return {"balls.txt": bodies_file(names, result["balls.txt"]),
            "cubes.txt": bodies_file(names + ["qw", "qx", "qy", "qz"], result["cubes.txt"])}


def collision(runner):
    run = runner.run("collision.toml", files=collision_files())
    series, first = run.series(), run.frames()[0]
    p = np.column_stack([series[f"momentum.p{axis}"] for axis in "xyz"])
    L = np.column_stack([series[f"momentum.L{axis}"] for axis in "xyz"])
    mass = first["mass"][:, None]
    scale_p = np.linalg.norm(mass * first["velocity"], axis=1).sum()
    scale_L = np.linalg.norm(np.cross(first["position"], mass * first["velocity"]), axis=1).sum()
    kinetic = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"]
    return [largest("64 bodies collide: momentum, largest change", np.abs(p - p[0]).max() / scale_p, 1e-12, "of sum |m v|"),
            largest("64 bodies collide: angular momentum, largest change", np.abs(L - L[0]).max() / scale_L, runner.either(1e-12, 1e-7), "of sum |x x m v|"),
            largest("64 bodies collide: largest rise of kinetic energy in 2 ms", max(0.0, np.diff(kinetic).max()) / kinetic[0], 1e-3, "of its first"),
            within("64 bodies collide: kinetic energy lost, share", 0.1, 1.0, 1 - kinetic[-1] / kinetic[0], "")]


def cohesion(runner):
    """A pull of 1 N; it is borne up to a gap of a thousandth of the radius, so that the heavier ball gets away slowly at first."""
    frames = runner.run("cohesion.toml").frames()
    z = np.array([frame["position"][:, 2] for frame in frames]) + 0.05
    slow, reach = GRAVITY * (1 - 1 / 1.1), 1e-3 * 0.05
    free = times(frames)[-1] - math.sqrt(2 * reach / slow)
    way = reach + math.sqrt(2 * slow * reach) * free + 0.5 * GRAVITY * free**2
    return [largest("cohesion 1 N, weight 0.9 N: way in 1 s", np.abs(z[:, 0]).max(), 1e-6, "absolute [m]"),
            relative("cohesion 1 N, weight 1.1 N: way in 1 s [m]", way, -z[-1, 1], 5e-3)]


def check(runner):
    cases = (weight, tower, heavy_on_light, arch, solvers, slope, roll, rolling_friction, slide, painleve, rest, bounce, collision, cohesion)
    return [row for case in cases for row in case(runner)]
