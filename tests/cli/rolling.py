#!/usr/bin/env python3
"""Rolling friction of the penalty method: against closed forms, over every wall, with momentum and energy kept, and restarts to the bit."""

import itertools
import math
import unittest

from program import BALANCES, ProgramTest, named_sphere

G, R, MU = 9.81, 0.01, 0.05
SCENE = """{head}
[time]
step = {step}
end = {end}
[domain]
gravity = {gravity}
[method]
law = "{law}"
{springs}
rolling = "{rolling}"
[material.m]
density = 2500
young = 1e8
poisson = 0.25
restitution = {restitution}
friction = {friction}
rolling_friction = {mu}
rolling_damping = {damping}
{bodies}
{wall}
""" + BALANCES + "MEASURE"
DISK = """[shape.d]
kind = "disk"
radius = {radius}
[[bodies]]
shape = "d"
material = "m"
place = {{ at = [[0, {height}]] }}
velocity = [{speed}, 0]
angular_velocity = {spin}
"""
PLANE = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = {normal}\nmaterial = "m"\n'
QUAD = '[[wall]]\nkind = "quad"\ncorners = [[-0.1, -0.1, 0], [3, -0.1, 0], [3, 0.13, 0], [-0.1, 0.13, 0]]\nmaterial = "m"\n'
LINEAR = "stiffness = 2e4\ntangential_ratio = 10"
SINK = 2500 * 4 / 3 * math.pi * R**3 * G / 2e4  # under its weight, linear law [m]
SINK_OF_DISK = 2500 * math.pi * R**2 * G / 2e6  # of a metre of it


def body(name="a", radius=R, position=(0, 0, R - SINK), velocity=(0, 0, 0), spin=(0, 0, 0)):
    return named_sphere(name, radius, position, velocity, spin)


class Rolling(ProgramTest):
    def series(self, rolling, end, bodies, law="linear", gravity=(0, 0, -G), wall=None, mu=MU, damping=0.3, friction=0.9, step=2e-5,
               every=None, head="", run=("-q",), springs=None, restitution=0.5):
        text = SCENE.format(head=head, step=step, end=end, gravity=list(gravity), law=law, springs=springs if springs is not None else
                            LINEAR if law == "linear" else "", rolling=rolling, friction=friction, restitution=restitution, mu=mu, damping=damping, bodies=bodies,
                            wall=PLANE.format(normal=[0, 0, 1]) if wall is None else wall, every=every or end / 50)
        measure = 'kind = "extent"' if head else 'kind = "body"\nbody = "a"'
        text = text.replace("MEASURE", f'[[measure]]\n{measure}\nname = "of"\nevery = {every or end / 50}\n')
        (self.folder / "scene.toml").write_text(text)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", *run)
        return self.read_series("run")

    def test_way_until_rest(self):
        """7/5 m a = -mu_r m g of a ball, 3/2 m a of a disk: both models, plane and triangles, as the slider holds from the start."""
        v = 0.2
        ball = body(velocity=(v, 0, 0), spin=(0, v / R, 0))
        way = 7 * v * v / (10 * MU * G)
        for rolling in ("constant", "epsd"):
            for wall in (PLANE.format(normal=[0, 0, 1]), QUAD):
                with self.subTest(rolling=rolling, wall=wall[:30]):
                    rows = self.series(rolling, 0.8, ball, wall=wall)
                    # The lever is R less the overlap, 5e-4; half of what a spring holds it gives back, 4e-4 of the way.
                    self.assertAlmostEqual(rows[-1]["of.x"] / way, 1, delta=2e-3)
                    self.assertLess(abs(rows[-1]["of.vx"]), 1e-3 * v)
        disk = DISK.format(radius=R, height=R - SINK_OF_DISK, speed=v, spin=-v / R)
        rows = self.series("epsd", 0.9, disk, gravity=(0, -G), wall=PLANE.replace("[0, 0, 0]", "[0, 0]").format(normal=[0, 1]), head="dimensions = 2",
                           springs="stiffness = 2e6\ntangential_ratio = 10")
        self.assertAlmostEqual((rows[-1]["of.max_x"] - R) / (3 * v * v / (4 * MU * G)), 1, delta=2e-3)

    def test_begins_from_rest(self):
        """A ball that falls without spin, and one at rest beside it: spins are numbers, and stay zero."""
        for rolling in ("constant", "epsd"):
            rows = self.series(rolling, 0.05, body(position=(0, 0, R + 1e-3)) + body("b", R, (0.05, 0, R - SINK)))
            self.assertEqual(rows[-1]["energy.kinetic_rotation"], 0)
            self.assertEqual(rows[-1]["of.x"], 0)

    def test_slope(self):
        """A spring holds a ball on a slope whose tangent is below mu_r; above it the ball rolls with 5/7 g (sin - mu_r cos)."""
        for share in (0.9, 1.5):
            angle = math.atan(share * MU)
            rows = self.series("epsd", 0.5, body(), gravity=(G * math.sin(angle), 0, -G * math.cos(angle)))
            if share < 1:
                self.assertLess(abs(rows[-1]["of.vx"]), 1e-7)
            else:
                wanted = 5 / 7 * G * (math.sin(angle) - MU * math.cos(angle))
                half = rows[len(rows) // 2]
                found = (rows[-1]["of.vx"] - half["of.vx"]) / (rows[-1]["time"] - half["time"])
                self.assertAlmostEqual(found / wanted, 1, delta=2e-3)

    def test_rocks_as_a_damped_oscillator(self):
        """Below the limit (7/5) m R^2 a'' + c_r a' + k_r a = 0 of the angle rolled, k_r = 9/4 k_n (mu_r R)^2, c_r = 2 eta sqrt(k_r I)."""
        inertia = 7 / 5 * 2500 * 4 / 3 * math.pi * R**5
        stiffness = 2.25 * 2e4 * (MU * R) ** 2
        root = math.sqrt(stiffness / inertia)
        for eta in (0.0, 0.2):
            v = 1e-4
            rows = self.series("epsd", 0.5, body(velocity=(v, 0, 0), spin=(0, v / R, 0)), damping=eta, every=2e-3)
            swing = root * math.sqrt(1 - eta * eta)
            largest = v / root
            for row in rows:
                t = row["time"]
                wanted = v / swing * math.exp(-eta * root * t) * math.sin(swing * t)
                # Friction's own spring is in series: 0.06 % of the stiffness; over 40 rad that is 1.2 % of the swing, and the lever R - delta.
                self.assertAlmostEqual(row["of.x"], wanted, delta=0.03 * largest)

    def test_pair_keeps_momentum_and_energy(self):
        """With and without twisting: two balls that strike off centre and turn in free space: couples are opposite, and what rolling takes is accounted for."""
        pair = body(position=(0, 0, 0), velocity=(0.3, 0, 0), spin=(20, -30, 50)) + body(
            "b", 0.8 * R, (1.8 * R + 1e-4, 0.5 * R, 0.2 * R), (-0.2, 0, 0), (-40, 25, 10))
        for law, rolling, twisting in itertools.product(("linear", "hertz"), ("constant", "epsd"), ("none", "marshall", "epsd")):
                with self.subTest(law=law, rolling=rolling, twisting=twisting):
                    rows = self.series(rolling, 0.01, pair, law=law, gravity=(0, 0, 0), wall="", mu=0.3, step=2.5e-7, every=1e-4,
                                       springs=(LINEAR if law == "linear" else "") + f'\ntwisting = "{twisting}"',
                                       damping="0.3\nspinning_friction = 0.2" if twisting == "epsd" else 0.3)
                    first, last = rows[0], rows[-1]
                    for part in ("px", "py", "pz", "Lx", "Ly", "Lz"):
                        self.assertAlmostEqual(first[f"momentum.{part}"], last[f"momentum.{part}"], delta=1e-12)
                    scale = first["energy.total"]
                    for row in rows:  # with what was dissipated
                        self.assertAlmostEqual(row["energy.total"] / scale, 1, delta=3e-4)  # of first order in the step
                    self.assertGreater(last["energy.dissipated_damping"] + last["energy.dissipated_friction"], 0.05 * scale)

    def test_never_feeds_a_ball_that_rocks(self):
        """Between two planes that press it in turn a Hertz contact's rolling spring stiffens and softens: no energy comes of it."""
        rows = self.series("epsd", 0.2, body(position=(0, 0, R + 2e-3), spin=(0, 3, 0)), law="hertz", damping=0.0, step=5e-6, mu=0.3)
        left = [row["energy.total"] - row["energy.dissipated_damping"] - row["energy.dissipated_friction"] for row in rows]
        self.assertTrue(all(b <= a + 1e-6 * left[0] for a, b in zip(left, left[1:])))
        for row in rows:
            self.assertAlmostEqual(row["energy.total"] / left[0], 1, delta=1e-4)

    def test_restart_and_threads(self):
        balls = "".join(body(f"{chr(97 + k)}", R * (1 - 0.05 * k), (0.013 * (k % 3), 0.013 * (k // 3), R + 0.021 * (k % 2)),
                             (0.1 * (k - 4), 0.05, 0), (10, 5 * k, -7)) for k in range(9))
        for precision in ("double", "mixed"):
            how = ("--precision", precision, "-q")
            self.series("epsd", 0.1, balls, law="hertz", step=1e-5, run=how, springs='twisting = "marshall"')
            whole = self.summary("run")["state_hash"]
            self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", "4321", *how)
            self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", *how)
            self.assertEqual(self.summary("half")["state_hash"], whole)

    def test_spin_slows_down(self):
        """A ball that spins about the normal is slowed by 2/3 a mu m g (Marshall 2009), or mu_s R m g: after an elastic turn, evenly."""
        weight = 2500 * 4 / 3 * math.pi * R**3 * G
        inertia = 0.4 * weight / G * R * R
        for twisting, couple in (("marshall", 2 / 3 * math.sqrt(R * SINK) * 0.9 * weight), ("epsd", 0.02 * R * weight)):
            for wall in (PLANE.format(normal=[0, 0, 1]), QUAD):
                with self.subTest(twisting=twisting, wall=wall[:30]):
                    rate = couple / inertia
                    rows = self.series("none", 1.0, body(spin=(0, 0, rate)), wall=wall, springs=LINEAR + f'\ntwisting = "{twisting}"',
                                       damping="0.3\nspinning_friction = 0.02", every=0.02)
                    for row in rows:
                        if 0.1 < row["time"] < 0.9:
                            self.assertAlmostEqual(row["of.wz"] / rate, 1 - row["time"], delta=0.01)
                    self.assertLess(abs(rows[-1]["of.wz"]), 0.02 * rate)
                    self.assertLess(abs(rows[-1]["of.x"]) + abs(rows[-1]["of.vx"]), 1e-9)

    def test_twists_as_an_oscillator(self):
        """Below the limit (2/5) m R^2 a'' + k a = 0, k = S_t a^2 / 2 of the tangential spring S_t, without a dashpot."""
        inertia = 0.4 * 2500 * 4 / 3 * math.pi * R**5
        stiffness = 0.5 * 2e5 * R * SINK
        root = math.sqrt(stiffness / inertia)
        spin = 1e-3
        rows = self.series("none", 0.2, body(spin=(0, 0, spin)), springs=LINEAR + '\ntwisting = "marshall"', every=5e-4, restitution=1.0)
        for row in rows:
            self.assertAlmostEqual(row["of.wz"] / spin, math.cos(root * row["time"]), delta=0.02)
        self.assertGreater(root * 0.2, 6)  # a swing and more

    def test_what_is_refused(self):
        cases = (({"law": "power", "springs": "stiffness = 1e5"}, 'rolling: "epsd" needs a law with springs'),
                 ({"mu": 0}, "rolling_friction"), ({"springs": LINEAR + '\ntwisting = "epsd"'}, 'twisting: "epsd" has nothing to go by'))
        for change, wanted in cases:
            with self.subTest(wanted=wanted):
                with self.assertRaises(AssertionError):
                    self.series(**{"rolling": "epsd", "end": 0.1, "bodies": body(), **change})
                _, err = self.scree("check", "scene.toml", code=2)
                self.assertIn(wanted, err)
                self.assertRegex(err, r"scene.toml:\d+:\d+: ")

    def test_what_nobody_reads(self):
        """Of damping that nobody reads the user is told where they wrote it, and not by the resolved scene of those who did not."""
        (self.folder / "scene.toml").write_text(SCENE.format(
            head="", step=5e-6, end=1e-4, gravity=[0, 0, -G], law="linear", springs=LINEAR, rolling="constant", friction=0.5, restitution=0.5, mu=MU, damping=0.3,
            bodies=body(), wall="", every=1e-4).replace("rolling_damping = 0.3\n", "").replace("MEASURE", ""))
        said = "rolling_damping: is read with rolling or twisting"
        for change, wanted in ((), False), (("--set", "material.m.rolling_damping=0.4"), True), (("--set", 'method.kind="cone"'), False):
            with self.subTest(change=change):
                self.scree("run", "scene.toml", "-q", "-o", "run", "--overwrite", *change)
                self.assertIn("rolling_damping", (self.folder / "run" / "scene.toml").read_text())
                for scene, changes in ("scene.toml", change), ("run/scene.toml", ()):
                    self.assertEqual(said in "".join(self.scree("check", scene, *changes)), wanted, scene)


if __name__ == "__main__":
    unittest.main()
