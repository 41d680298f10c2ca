#!/usr/bin/env python3
"""Normal laws with a memory, dashpots and laws of friction of the penalty method: restitution against closed forms, sliding, energy, restarts."""

import math
import unittest

from program import BALANCES, FOLLOWED, ProgramTest, named_sphere

R, RHO, YOUNG, NU = 5e-3, 2500.0, 1e9, 0.25
MASS = RHO * 4 / 3 * math.pi * R**3
E = YOUNG / (1 - NU * NU) / 2  # of two like surfaces
SCENE = """{head}
[time]
step = {step}
end = {end}
[domain]
gravity = {gravity}
[method]
law = "{law}"
{method}
[material.m]
density = 2500
young = 1e9
poisson = 0.25
restitution = {restitution}
friction = {friction}
{values}
{bodies}
{wall}
""" + BALANCES
SPRING = 1e5
LAWS = {
    "walton_braun": (f"stiffness = {SPRING}", f"unloading_stiffness = {4 * SPRING}"),
    "luding": (f"stiffness = {SPRING}", f"unloading_stiffness = {4 * SPRING}\nadhesion_stiffness = {SPRING / 2}\nplastic_depth = 0.01"),
    "thornton_ning": ("", "yield_stress = 1e7"),
    "eepa": ("", "plasticity_ratio = 0.6\nadhesion_energy = 2"),
}
PLANE = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'
QUAD = '[[wall]]\nkind = "quad"\ncorners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]\nmaterial = "m"\n'
TUBE = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, 1e3]\naxis = [1, 0, 0]\nlength = 10\nradius = 1e3\nside = "inside"\nmaterial = "m"\n'


class NormalLaws(ProgramTest):
    def series(self, law, end, bodies, wall="", gravity=(0, 0, 0), restitution=1, friction=0.0, step=1e-7, every=None, run=("-q",), values=None,
               method=None, head="", follow=FOLLOWED):
        known = LAWS.get(law, ("", ""))
        text = (SCENE + follow).format(head=head, step=step, end=end, gravity=list(gravity), law=law, method=known[0] if method is None else method,
                            restitution=restitution, friction=friction, values=known[1] if values is None else values, bodies=bodies, wall=wall,
                            every=every or end / 20)
        (self.folder / "scene.toml").write_text(text)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", *run)
        return self.read_series("run")

    def restitution(self, law, speed, end=1e-3, **how):
        """Of two like spheres head on."""
        pair = named_sphere("a", R, (-R - 1e-7, 0, 0), (speed / 2, 0, 0)) + named_sphere("b", R, (R + 1e-7, 0, 0), (-speed / 2, 0, 0))
        return -2 * self.series(law, end, pair, **how)[-1]["of.vx"] / speed

    def test_walton_braun(self):
        """The root of the ratio of the two stiffnesses at all speeds; on every wall too."""
        for speed in (0.05, 0.5, 2.0):
            self.assertAlmostEqual(self.restitution("walton_braun", speed), 0.5, delta=1e-4)
        for wall in (PLANE, QUAD, TUBE):
            rows = self.series("walton_braun", 1e-3, named_sphere("a", R, (0, 0, R + 1e-7), (0, 0, -0.5)), wall)
            self.assertAlmostEqual(rows[-1]["of.vz"] / 0.5, 0.5, delta=2e-4)

    def test_luding(self):
        """Without adhesion (k_1 / k_2(m))^{1/2} of the m reached, up to m* = k_2 / (k_2 - k_1) 2 phi R_eff; from there what yielding took stays
        the same. With adhesion a slow ball sticks: k_c / k_1 (k_2 - k_1) / (k_2 + k_c) is above 1, or its loss is that of both branches."""
        k_1, k_2, phi, half, m = SPRING, 4 * SPRING, 0.01, R / 2, MASS / 2
        deepest = k_2 / (k_2 - k_1) * 2 * phi * half
        values = f"unloading_stiffness = {k_2}\nplastic_depth = {phi}"
        for share in (0.3, 0.7, 1.0):
            reached = share * deepest
            speed = reached * math.sqrt(k_1 / m)
            wanted = math.sqrt(k_1 / (k_1 + (k_2 - k_1) * share))
            self.assertAlmostEqual(self.restitution("luding", speed, values=values), wanted, delta=1e-3)
        # Beyond: loss = 1/2 k_1 m*^2 - (k_1 m*)^2 / (2 k_2).
        speed = 2 * deepest * math.sqrt(k_1 / m)
        lost = 0.5 * k_1 * deepest**2 * (1 - k_1 / k_2)
        self.assertAlmostEqual(self.restitution("luding", speed, values=values), math.sqrt(1 - lost / (0.5 * m * speed**2)), delta=1e-3)
        # With adhesion and one unloading stiffness: what comes back of k_1 x^2 / 2 is (k_1 x)^2 / (2 k_2), and then k_c delta draws from
        # delta_m = (k_2 - k_1) x / (k_2 + k_c) on, and before it the unloading line below zero.
        for k_c, sticks in ((0.2 * SPRING, False), (2 * SPRING, True)):
            x = 1e-5
            speed = x * math.sqrt(k_1 / m)
            rest, least = (1 - k_1 / k_2) * x, (k_2 - k_1) * x / (k_2 + k_c)
            drawn = 0.5 * k_2 * (rest - least) ** 2 + 0.5 * k_c * least**2
            back = (k_1 * x) ** 2 / (2 * k_2) - drawn
            got = self.restitution("luding", speed, values=f"unloading_stiffness = {k_2}\nadhesion_stiffness = {k_c}")
            if sticks:
                self.assertLess(back, 0)
                self.assertLess(abs(got), 0.6)  # swings to and fro in touch
                rows = self.read_series("run")
                self.assertLess(abs(rows[-1]["of.x"] + R), x)
            else:
                self.assertAlmostEqual(got, math.sqrt(back / (0.5 * m * speed**2)), delta=1e-3)

    def test_thornton_ning(self):
        """1 below the speed of yield V_y, above it (6 sqrt 3 / 5)^{1/2} (1 - v^2 / 6)^{1/2} (v / (v + 2 sqrt(6/5 - v^2 / 5)))^{1/4} with
        v = V_y / V (Thornton & Ning 1998, eqs. 45 and 53)."""
        p_y, half, m = 1e7, R / 2, MASS / 2
        yields = (math.pi / (2 * E)) ** 2 * math.sqrt(8 * math.pi * half**3 / (15 * m)) * p_y**2.5
        for share in (0.5, 1.5, 4.0, 20.0, 100.0):
            v = 1 / share
            wanted = 1.0
            if share > 1:
                wanted = math.sqrt(6 * math.sqrt(3) / 5 * (1 - v * v / 6)) * (v / (v + 2 * math.sqrt(6 / 5 - v * v / 5))) ** 0.25
            got = self.restitution("thornton_ning", share * yields, end=4e-3 if share < 5 else 1e-3)
            self.assertAlmostEqual(got, wanted, delta=2e-3)

    def test_eepa(self):
        """Without adhesion e^2 = (1 - 5/2 lambda + 3/2 lambda^{5/3}) / (1 - lambda) at all speeds; with the pull f_0 less, by what no spring gives
        back; a strong enough pull holds."""
        for ratio in (0.0, 0.3, 0.6, 0.9):
            wanted = math.sqrt((1 - 2.5 * ratio + 1.5 * ratio ** (5 / 3)) / (1 - ratio))
            for speed in (0.1, 1.0):
                self.assertAlmostEqual(self.restitution("eepa", speed, values=f"plasticity_ratio = {ratio}"), wanted, delta=1e-3)
        # f_0 acts on the way in and on the way out: nothing is lost by it.
        got = self.restitution("eepa", 0.5, values="plasticity_ratio = 0\npull_off = 0.5")
        self.assertAlmostEqual(got, 1, delta=1e-3)
        self.restitution("eepa", 0.01, end=4e-3, values="plasticity_ratio = 0.6\nadhesion_energy = 10")
        self.assertLess(abs(self.read_series("run")[-1]["of.x"] + R), 1e-5)

    def test_bodies_with_faces(self):
        """A cube that falls flat has the restitution of Tsuji's dashpot, and slides on a plane as each law of friction says: viscous as exp(-c t / m)
        below Coulomb's limit, Stribeck's as its equation m v' = -mu(v) m g."""
        cube = ('[shape.cube]\nkind = "box"\nedges = [0.01, 0.01, 0.01]\n[[body]]\nname = "a"\nshape = "cube"\nmaterial = "m"\nposition = [0, 0, {}]\n'
                'velocity = {}\n')
        mass = RHO * 1e-6
        for law, more in (("hertz", ""), ("linear", f"stiffness = {SPRING}")):
            for e in (0.9, 0.5):
                rows = self.series(law, 1e-3, cube.format(0.005 + 1e-7, [0, 0, -0.2]), PLANE, restitution=e, method=f'dashpot = "tsuji"\n{more}', step=1e-7)
                self.assertAlmostEqual(rows[-1]["of.vz"] / 0.2, e, delta=2e-3)
        depth = mass * 9.81 / SPRING
        method = f'stiffness = {SPRING}\ntangential = '
        c, v = 0.01, 0.05
        rows = self.series("linear", 0.2, cube.format(0.005 - depth, [v, 0, 0]), PLANE, (0, 0, -9.81), friction=0.5, method=method + '"viscous"', step=1e-5,
                           values=f"sliding_damping = {c}", restitution=0.5)
        self.assertAlmostEqual(rows[-1]["of.vx"] / v, math.exp(-c * 0.2 / mass), delta=5e-3)
        rows = self.series("linear", 0.04, cube.format(0.005 - depth, [0.4, 0, 0]), PLANE, (0, 0, -9.81), friction=0.5, method=method + '"stribeck"', step=2e-6,
                           values="dynamic_friction = 0.2\nstribeck_speed = 0.2", restitution=0.1)
        v = 0.4
        for k in range(4000):
            v -= (0.2 + 0.3 / (1 + (v / 0.2) ** 2)) * 9.81 * 1e-5
        self.assertAlmostEqual(rows[-1]["of.vx"] / v, 1, delta=0.02)
        for row in rows:
            self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.kinetic_translation"], rows[0]["energy.total"] / rows[0]["energy.kinetic_translation"], delta=2e-3)
        rows = self.series("linear", 0.1, cube.format(0.005 - depth, [0.3, 0, 0]), PLANE, (0, 0, -9.81), friction=0.5, method=method + '"none"', step=1e-5)
        self.assertAlmostEqual(rows[-1]["of.vx"], 0.3, delta=1e-12)

    def test_dashpots(self):
        """Tsuji's with the whole force has the restitution it is given, though the contact ends with the overlap; Brilliantov's falls with
        speed as 1 - C_1 A kappa^{2/5} v^{1/5} + C_2 (...)^2 (Ramirez et al. 1999: C_1 = 1.15344, C_2 = 3/5 C_1^2), its error that of the next
        term."""
        for law, more in (("hertz", ""), ("linear", f"stiffness = {SPRING}")):
            for e in (0.9, 0.6, 0.3):
                got = self.restitution(law, 0.5, restitution=e, method=f'dashpot = "tsuji"\n{more}', step=2e-8)
                self.assertAlmostEqual(got, e, delta=2e-3)
        kappa = 4 / 3 * E * math.sqrt(R / 2) / (MASS / 2)
        last = 1.0
        for speed in (0.05, 0.5, 2.0):
            A = 1e-6
            got = self.restitution("hertz", speed, method='dashpot = "brilliantov"', values=f"viscous_time = {A}", end=2e-3)
            x = 1.15344 * 1.5 * A * kappa**0.4 * speed**0.2  # their A is 3/2 of the viscous time's here with the force k (x^1.5 + A 3/2 x^.5 v)
            self.assertAlmostEqual(got, 1 - x + 0.6 * x * x, delta=0.5 * x**3 + 1e-4)
            self.assertLess(got, last)
            last = got

    def test_friction_laws(self):
        """A ball that slides on a plane without turning for long: the speed that friction leaves after a time, by its law."""
        press, mu, v = MASS * 9.81, 0.5, 0.1
        ball = named_sphere("a", R, (0, 0, R), (v, 0, 0))
        # Rolling at rest in the end: v falls to 5/7 of what it was under Coulomb friction, whatever the law that gives it.
        for tangential, values in (("spring", ""), ("linear", "tangential_stiffness = 2e4"), ("viscous", "sliding_damping = 5"),
                                   ("stribeck", "dynamic_friction = 0.2\nstribeck_speed = 0.05")):
            with self.subTest(tangential=tangential):
                rows = self.series("hertz", 0.12, ball, PLANE, (0, 0, -9.81), friction=mu, restitution=0.3, method=f'tangential = "{tangential}"',
                                   values=values, step=2e-6)
                self.assertAlmostEqual(rows[-1]["of.vx"] / v, 5 / 7, delta=2e-3)
        rows = self.series("hertz", 0.05, ball, PLANE, (0, 0, -9.81), friction=mu, restitution=0.3, method='tangential = "none"', values="", step=2e-6)
        self.assertAlmostEqual(rows[-1]["of.vx"], v, delta=1e-12)
        # Stribeck: dv/dt = -mu(s) g with s = v - w r = 7/2 v - 5/2 v_0, integrated.
        fast, speed = 0.2, 0.05
        s, dt, now = v, 1e-6, 0.0
        for _ in range(4000):
            now += dt
            s -= 3.5 * 9.81 * (fast + (mu - fast) / (1 + (s / speed) ** 2)) * dt
        rows = self.series("hertz", 0.004, ball, PLANE, (0, 0, -9.81), friction=mu, restitution=0.3, method='tangential = "stribeck"',
                           values=f"dynamic_friction = {fast}\nstribeck_speed = {speed}", step=1e-6)
        slid = 3.5 * rows[-1]["of.vx"] - 2.5 * v
        self.assertAlmostEqual(slid / s, 1, delta=0.02)  # the ball comes to rest on its plane meanwhile
        # Viscous friction below its limit: s falls as exp(-7/2 c t / m).
        c = 1e-3
        rows = self.series("hertz", 0.5, ball, PLANE, (0, 0, -9.81), friction=mu, restitution=0.3, method='tangential = "viscous"',
                           values=f"sliding_damping = {c}", step=4e-6)
        self.assertLess(c * v, 0.1 * mu * press)
        slid = 3.5 * rows[-1]["of.vx"] - 2.5 * v
        self.assertAlmostEqual(slid / (v * math.exp(-3.5 * c * 0.5 / MASS)), 1, delta=0.01)

    def test_energy_and_momentum(self):
        """A ball strikes two others off centre: what yields, damps and rubs closes the balance, and forces add to nothing."""
        three = (named_sphere("a", R, (0, 0, 0), (0.6, 0.1, 0), (20, -30, 50)) + named_sphere("b", 0.8 * R, (1.9 * R, 0.2 * R, 0.3 * R)) +
                 named_sphere("c", 1.2 * R, (4.05 * R, -0.5 * R, 0), (-0.2, 0, 0)))
        cases = [(law, LAWS[law][0], LAWS[law][1]) for law in LAWS]
        cases += [("hertz", 'dashpot = "tsuji"', ""), ("hertz", 'dashpot = "brilliantov"', "viscous_time = 1e-6"),
                  ("hertz", 'tangential = "linear"', "tangential_stiffness = 2e4"), ("hertz", 'tangential = "viscous"', "sliding_damping = 5"),
                  ("hertz", 'tangential = "stribeck"', "dynamic_friction = 0.1\nstribeck_speed = 0.1"),
                  ("walton_braun", LAWS["walton_braun"][0] + '\nrolling = "epsd"\ntwisting = "marshall"\ndashpot = "tsuji"',
                   LAWS["walton_braun"][1] + "\nrolling_friction = 0.1"),
                  ("thornton_ning", 'cohesion = "jkr"\nrolling = "epsd"', "yield_stress = 1e7\nsurface_energy = 1\nrolling_friction = 0.1")]
        for law, method, values in cases:
            with self.subTest(law=law, method=method):
                rows = self.series(law, 0.02, three, friction=0.4, restitution=0.8, method=method, values=values, step=1e-7, every=2e-4)
                self.assertLess(rows[-1]["energy.kinetic_translation"], 0.95 * rows[0]["energy.kinetic_translation"])
                for part in ("px", "py", "pz", "Lx", "Ly", "Lz"):
                    self.assertAlmostEqual(rows[0][f"momentum.{part}"], rows[-1][f"momentum.{part}"], delta=1e-15)
                for row in rows:
                    self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.total"], 1, delta=3e-4)

    def test_friction_goes_by_the_pull_that_there_is(self):
        """Of the Edinburgh law with next to no plasticity: no pull is left, whatever the adhesion, and friction is Coulomb's."""
        ball = named_sphere("a", R, (0, 0, R), (0.5, 0, 0))
        for precision in ("double", "mixed"):
            for exponent in (1.5, 20):
                for mu in (0.0, 0.1):
                    rows = self.series("eepa", 0.01, ball, PLANE, (0, 0, -9.81), friction=mu, restitution=0.3, step=1e-6, run=("-q", "--precision", precision),
                                       values=f"plasticity_ratio = 0.001\nadhesion_energy = 1\nadhesion_exponent = {exponent}")
                    self.assertAlmostEqual(rows[-1]["of.vx"], 0.5 - mu * 9.81 * 0.01, delta=5e-4)

    def test_disks(self):
        """The same restitution in a plane."""
        for law, wanted in (("walton_braun", 0.5), ("eepa", math.sqrt((1 - 1.5 + 1.5 * 0.6 ** (5 / 3)) / 0.4))):
            values = "plasticity_ratio = 0.6" if law == "eepa" else LAWS[law][1]
            pair = "".join(f'[shape.{name}]\nkind = "disk"\nradius = {R}\n[[bodies]]\nshape = "{name}"\nmaterial = "m"\n'
                           f'place = {{ at = [[{-side * (R + 1e-7)}, 0]] }}\nvelocity = [{side * 0.25}, 0]\n' for name, side in (("a", 1), ("b", -1)))
            rows = self.series(law, 3e-2, pair, gravity=(0, 0), values=values, head="dimensions = 2", step=1e-6, follow="")
            kept = rows[-1]["energy.kinetic_translation"] / rows[0]["energy.kinetic_translation"]
            self.assertAlmostEqual(math.sqrt(kept), wanted, delta=2e-3)

    def test_restart_and_threads(self):
        """In the middle of contacts, bit for bit; both precisions."""
        balls = "".join(named_sphere(f"{chr(97 + k)}", R * (1 - 0.05 * k), (1.95 * R * (k % 3), 1.95 * R * (k // 3), R + R * (k % 2)),
                                     (0.2 * (k - 4), 0.5, 0), (10, 5 * k, -7)) for k in range(9))
        for precision in ("double", "mixed"):
            for law in LAWS:
                with self.subTest(precision=precision, law=law):
                    how = ("--precision", precision, "-q")
                    self.series(law, 0.01, balls, QUAD, (0, 0, -9.81), friction=0.4, restitution=0.8, step=1e-6, run=how)
                    whole = self.summary("run")["state_hash"]
                    self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", "4321", *how)
                    self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", *how)
                    self.assertEqual(self.summary("half")["state_hash"], whole)

    def refused(self, wanted, law="hertz", **how):
        with self.subTest(wanted=wanted):
            ball = how.pop("bodies", named_sphere("a", R, (0, 0, R)))
            known = LAWS.get(law, ("", ""))
            text = SCENE.format(head="", step=1e-6, end=1e-3, gravity=[0, 0, 0], law=law, method=how.get("method", known[0]), restitution=0.5,
                                friction=0.4, values=how.get("values", known[1]), bodies=ball, wall=PLANE, every=1e-4)
            (self.folder / "bad.toml").write_text(text)
            err = self.scree("check", "bad.toml", code=2)[1]
            self.assertRegex(err, r"bad.toml:\d+:\d+: ")
            self.assertRegex(err, wanted)

    def test_refuses(self):
        self.refused("unloading_stiffness 90000 N/m is below the stiffness of loading, 1e\\+05 N/m|unloading_stiffness 90000 N/m is below",
                     "walton_braun", values="unloading_stiffness = 9e4")
        self.refused('law = "thornton_ning" needs yield_stress', "thornton_ning", values="")
        self.refused('yield_stress: read with law = "thornton_ning" in .method., which has law = "hertz"', values="yield_stress = 1e7")
        self.refused('viscous_time: read with dashpot = "brilliantov"', values="viscous_time = 1e-6")
        self.refused("dynamic_friction 0.6 is above friction", method='tangential = "stribeck"',
                     values="dynamic_friction = 0.6\nstribeck_speed = 0.1")
        self.refused("stribeck_speed", method='tangential = "stribeck"', values="dynamic_friction = 0.1")
        self.refused("adhesion_stiffness: read with law = \"luding\"", "walton_braun",
                     values=f"unloading_stiffness = {2 * SPRING}\nadhesion_stiffness = 1")
        self.refused("needs a law with springs for round bodies", "power", method='stiffness = 1e6\ndashpot = "tsuji"')
        cube = '[shape.c]\nkind = "box"\nedges = [0.01, 0.01, 0.01]\n[[body]]\nname = "a"\nshape = "c"\nmaterial = "m"\nposition = [0, 0, 0.01]\n'
        self.refused("is of spheres and disks, but the scene has bodies with faces", "eepa", bodies=cube)
        self.refused("plasticity_ratio", "eepa", values="plasticity_ratio = 1.5")
        self.refused("draws spheres of radius", "eepa", values="plasticity_ratio = 0.5\npull_off = 1e6")
        self.refused("has none: leave one of the two out", method='twisting = "marshall"\ntangential = "none"')


if __name__ == "__main__":
    unittest.main()
