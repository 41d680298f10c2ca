"""Nothing that should not matter changes a single bit: threads, processors, index order, skin, broad phase, output."""

import shutil
import unittest

from program import GAS, WATER, ProgramTest


class Determinism(ProgramTest):
    STEPS = ("--steps", 1500)

    @classmethod
    def setUpClass(cls):
        cls.reference = {}

    def expect_same(self, name, *arguments, precision="double", **how):
        if precision not in self.reference:
            self.reference[precision] = self.hash_of(f"reference-{precision}", *self.STEPS, "--precision", precision)
            # Equal hashes of nothing happening would prove nothing.
            self.assertGreater(self.summary(f"reference-{precision}")["contacts"], 30)
            self.assertGreater(self.summary(f"reference-{precision}")["pair_list_rebuilds"], 5)
        with self.subTest(name=name, precision=precision):
            got = self.hash_of(name, *self.STEPS, "--precision", precision, *arguments, **how)
            self.assertEqual(got, self.reference[precision])

    def both(self, name, *arguments, **how):
        for precision in ("double", "mixed"):
            self.expect_same(f"{name}-{precision}", *arguments, precision=precision, **how)

    def test_run_to_run(self):
        self.both("again")

    def test_threads(self):
        for threads in (2, 4):
            self.both(f"threads{threads}", "--threads", threads)

    @unittest.skipUnless(shutil.which("taskset"), "no taskset here")
    def test_one_processor(self):
        self.both("taskset", "--threads", 2, prefix=("taskset", "-c", "0"))

    def test_shuffled_indices(self):
        self.both("shuffled", "--shuffle")

    def test_skins(self):
        for k, skin in enumerate(("0.1 mm", "0.4 mm", "2 mm")):
            self.both(f"skin{k}", "--set", f'method.skin="{skin}"')

    def test_broad_phases(self):
        for search in ("brute", "grid", "levels"):
            self.both(search, "--set", f'method.search="{search}"')

    def test_output(self):
        self.both("frames", "--set", "output.every=0.0003", "--set", "output.checkpoint_every=0.01")

    def test_a_motion_of_speed_nothing_is_rest(self):
        """The first of a series of speeds: bit for bit the wall at rest, whatever kind of motion the series is of."""
        scene = self.folder / "belt.toml"
        motions = ("velocity = [0, 0, 0]", "rate = 0", "oscillation = { amplitude = [0, 0, 0], frequency = 5 }",
                   "oscillation = { amplitude = [0.01, 0, 0], frequency = 0 }", "velocity = [0.5, 0, 0]")
        hashes = []
        for motion in ("", *motions):
            scene.write_text(f"""
[time]
end = 0.05
[material.m]
density = 1000
young = 1e7
poisson = 0.3
restitution = 0.5
friction = 0.5
[shape.s]
kind = "sphere"
radius = 0.01
[[bodies]]
shape = "s"
material = "m"
velocity = [0.1, 0, -0.1]
place = {{ at = [0, 0, 0.011] }}
[[wall]]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
{f"motion = {{ {motion} }}" if motion else ""}
""")
            hashes.append(self.hash_of(f"belt{len(hashes)}", scene=scene))
        self.assertEqual(len(set(hashes[:-1])), 1, hashes)
        self.assertNotEqual(hashes[-1], hashes[0])  # a belt that runs does carry the ball

    def test_fluids(self):
        reference = self.hash_of("water", scene=WATER)
        self.assertGreater(self.summary("water")["bodies_removed"], 10)
        self.assertEqual(self.hash_of("threads", "--threads", 2, scene=WATER), reference)
        self.assertEqual(self.hash_of("shuffled", "--shuffle", scene=WATER), reference)
        self.assertEqual(self.hash_of("frames", "--set", "output.every=0.003", scene=WATER), reference)

    def test_removed_bodies(self):
        open_side = ("--until", "0.06", "--set", "domain.max=[0.045, 0.3, 0.5]")
        reference = self.hash_of("removed", *open_side)
        self.assertGreater(self.summary("removed")["bodies_removed"], 10)
        self.assertEqual(self.hash_of("threads", *open_side, "--threads", 3), reference)
        self.assertEqual(self.hash_of("shuffled", *open_side, "--shuffle"), reference)
        self.assertEqual(self.hash_of("brute", *open_side, "--set", 'method.search="brute"'), reference)
        self.hash_of("half", "--steps", "1777", *open_side[2:])
        self.assertEqual(self.hash_of("half", *open_side, "--restart", "half/checkpoint.h5"), reference)
        self.assertEqual(self.summary("half")["bodies_removed"], self.summary("removed")["bodies_removed"])

    def test_hard_particles(self):
        ways = {"threads": ("--threads", 3), "shuffled": ("--shuffle",), "frames": ("--set", "output.every=0.05"), "mixed": ("--precision", "mixed")}
        for stepping in ("events", "steps"):
            how = ("--set", f"method.stepping={stepping}")
            reference = self.hash_of(f"reference-{stepping}", *how, scene=GAS)
            for name, way in ways.items():  # hard particles compute in double throughout
                with self.subTest(stepping=stepping, way=name):
                    self.assertEqual(self.hash_of(f"{name}-{stepping}", *how, *way, scene=GAS), reference)

    def test_precisions_differ(self):
        # Otherwise the tests above would prove nothing about one of them.
        self.assertNotEqual(self.hash_of("a", *self.STEPS), self.hash_of("b", *self.STEPS, "--precision", "mixed"))


if __name__ == "__main__":
    unittest.main()
