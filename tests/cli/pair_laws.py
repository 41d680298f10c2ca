#!/usr/bin/env python3
"""Laws of two materials in [[material_pair]]: the same as where the whole scene has them, balances of scenes that mix them, restarts, refusals."""

import unittest

from program import BALANCES, FOLLOWED, ProgramTest, named_sphere

R = 5e-3
SCENE = """{head}
[time]
step = {step}
end = {end}
[domain]
gravity = {gravity}
[method]
{method}
[material.m]
density = 2500
young = 1e8
poisson = 0.25
restitution = 0.6
friction = 0.4
rolling_friction = 0.05
{values}
[material.n]
density = 3500
young = 2e8
poisson = 0.3
restitution = 0.8
friction = 0.3
rolling_friction = 0.02
{values}
{pairs}
{bodies}
{wall}
""" + BALANCES + FOLLOWED
PAIR = '[[material_pair]]\nbetween = ["m", "n"]\n{}\n'
# An oblique collision of two materials, both turning.
COLLISION = (named_sphere("a", R, (-R - 1e-7, 0, 0), (0.3, 0.1, 0.02), (10, -20, 30)) +
             named_sphere("b", 0.7 * R, (0.7 * R + 1e-7, 0, 0), (-0.4, 0, 0), (0, 5, -40)).replace('"m"', '"n"'))
# Words, what they stand beside, and values of materials.
LAWS = {
    "law = \"thornton_ning\"": "yield_stress = 1e6",
    "law = \"eepa\"": "plasticity_ratio = 0.5",
    "dashpot = \"tsuji\"": "",
    "dashpot = \"brilliantov\"": "viscous_time = 1e-6",
    "tangential = \"none\"": "",
    "tangential = \"viscous\"": "sliding_damping = 0.5",
    "tangential = \"linear\"": "tangential_stiffness = 1e5",
    "tangential = \"stribeck\"": "dynamic_friction = 0.2\nstribeck_speed = 0.1",
    "rolling = \"epsd\"": "",
    "rolling = \"constant\"": "",
    "twisting = \"marshall\"": "",
    "cohesion = \"jkr\"": "surface_energy = 0.5",
    "cohesion = \"capillary\"": "surface_tension = 0.07\nbridge_volume = 1e-11",
    "cohesion = \"sjkr\"": "cohesion_energy_density = 1e6",
}


class PairLaws(ProgramTest):
    def series(self, method="", pairs="", values="", bodies=COLLISION, end=4e-4, gravity=(0, 0, 0), step=2e-7, wall="", head="", run=("-q",)):
        (self.folder / "scene.toml").write_text(SCENE.format(head=head, step=step, end=end, gravity=list(gravity), method=method, pairs=pairs, values=values,
                                                             bodies=bodies, wall=wall, every=end / 10))
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", *run)
        return self.read_series("run")

    def same(self, one, other):
        for a, b in zip(one, other):
            for key in a:
                self.assertAlmostEqual(a[key], b[key], delta=1e-12 * max(1, abs(a[key])), msg=key)

    def test_as_of_the_whole_scene(self):
        """A pair's law is that which a scene with this law alone has, and "none" of a pair takes it away."""
        for law, values in LAWS.items():
            with self.subTest(law=law):
                wanted, plain = self.series(law, values=values), self.series()
                self.same(self.series(pairs=PAIR.format(law.replace("cohesion =", "cohesion_law =")), values=values), wanted)
                self.assertNotEqual([row["of.vx"] for row in wanted] + [row["of.wz"] for row in wanted],
                                    [row["of.vx"] for row in plain] + [row["of.wz"] for row in plain])
                key = law.split()[0]
                if key in ("rolling", "twisting", "cohesion"):
                    self.same(self.series(law, values=values, pairs=PAIR.format(f'{key} = "none"'.replace("cohesion", "cohesion_law"))), plain)
        springs = "stiffness = 2e5"
        self.same(self.series(pairs=PAIR.format('normal = "linear"\n' + springs)), self.series('normal = "linear"\n' + springs))
        self.same(self.series(pairs=PAIR.format('law = "linear"\n' + springs)), self.series('law = "linear"\n' + springs))
        self.same(self.series('law = "linear"\n' + springs, pairs=PAIR.format('law = "hertz"')), self.series())

    def three(self):
        """Balls of both materials thrown together over a plane: pairs m-m, m-n, n-n and both on it."""
        text = ""
        for k in range(8):
            place = (2.05 * R * (k % 2), 2.02 * R * (k // 2 % 2), R + 2.03 * R * (k // 4))
            ball = named_sphere("abcdefgh"[k], R * (1 - 0.03 * k), place, (0.1 * (0.5 - k % 2), 0.08 * (0.5 - k // 2 % 2), -0.1), (10, 5 * k, -7))
            text += ball.replace('"m"', '"n"') if k % 3 == 1 else ball
        return text

    MIXED = {
        "rolling": ('rolling = "epsd"\ntwisting = "marshall"', 'rolling = "none"\ntwisting = "none"', ""),
        "normal": ('law = "thornton_ning"\nrolling = "constant"', 'law = "hertz"\ndashpot = "tsuji"\ntangential = "linear"',
                   "yield_stress = 2e6\ntangential_stiffness = 1e5"),
        "cohesion": ('cohesion = "jkr"', 'cohesion_law = "capillary"', "surface_energy = 0.2\nsurface_tension = 0.07\nbridge_volume = 1e-11"),
        "memory": ('law = "eepa"\ncohesion = "none"', 'law = "linear"\nstiffness = 1e5\ncohesion_law = "dmt"', "plasticity_ratio = 0.4\nsurface_energy = 0.1"),
    }
    PLANE = '[[wall]]\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'

    def test_balances(self):
        """Energy of all forms stays what it was, the momentum that of what the plane gave: scenes whose pairs have different laws."""
        for name, (method, pair, values) in self.MIXED.items():
            with self.subTest(name):
                rows = self.series(method, PAIR.format(pair), values, self.three(), end=0.02, gravity=(0, 0, -9.81), wall=self.PLANE, step=5e-7)
                scale = max(row["energy.kinetic_translation"] for row in rows)
                self.assertGreater(rows[0]["energy.kinetic_translation"] - rows[-1]["energy.kinetic_translation"], 0.02 * scale)
                for row in rows:
                    self.assertAlmostEqual((row["energy.total"] - rows[0]["energy.total"]) / scale, 0, delta=2e-3)

    def test_restarts_and_threads(self):
        for precision in ("double", "mixed"):
            for name, (method, pair, values) in self.MIXED.items():
                with self.subTest(name, precision=precision):
                    how = ("--precision", precision, "-q")
                    self.series(method, PAIR.format(pair), values, self.three(), end=0.004, gravity=(0, 0, -9.81), wall=self.PLANE, run=how)
                    whole = self.summary("run")["state_hash"]
                    self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", "9321", *how)
                    self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", *how)
                    self.assertEqual(self.summary("half")["state_hash"], whole)

    def refused(self, wanted, **scene):
        with self.subTest(wanted=wanted):
            with self.assertRaises(AssertionError) as caught:
                self.series(**scene)
            self.assertIn(wanted, str(caught.exception))

    def test_refuses(self):
        self.refused("is another name of law", method='law = "hertz"\nnormal = "hertz"')
        self.refused("is another name of law", pairs=PAIR.format('law = "hertz"\nnormal = "hertz"'))
        self.refused("needs a stiffness", pairs=PAIR.format('law = "linear"'))
        self.refused("needs yield_stress [Pa] of every material or of the pair", pairs=PAIR.format('law = "thornton_ning"'))
        self.refused('[[material_pair]] rolling: "constant" can not stand beside "epsd"', method='rolling = "epsd"', pairs=PAIR.format('rolling = "constant"'))
        self.refused('yield_stress: read with law = "thornton_ning"', pairs=PAIR.format('law = "hertz"\nyield_stress = 1e6'))
        self.refused("belongs to law", pairs=PAIR.format("stiffness = 1e5"))
        self.refused('[[material_pair]] cohesion_law: "jkr" needs a law that loads as law = "hertz", not "linear"',
                     pairs=PAIR.format('law = "linear"\nstiffness = 1e5\ncohesion_law = "jkr"'), values="surface_energy = 0.1")
        self.refused('[[material_pair]] twisting: "marshall" spreads', pairs=PAIR.format('tangential = "none"\ntwisting = "marshall"'))


if __name__ == "__main__":
    unittest.main()
