#!/usr/bin/env python3
"""Bonds that come and go while a run goes on: made at a time or as bodies touch, broken in a region; closed forms, momentum and energy,
restarts to the bit, and what is refused."""

import math
import struct
import unittest

from bonds import E, NU, R, BondScenes, body, cluster

M = 2500 * 4 / 3 * math.pi * R**3
A = math.pi * R**2
BALL = '[[body]]\nname = "{0}"\nshape = "ball"\nmaterial = "m"\nposition = {1}\nvelocity = {2}\n[[measure]]\nkind = "body"\nbody = "{0}"\nname = "{0}"\nevery = {3}\n'


class BondsMade(BondScenes):
    def assert_balanced(self, rows, scale, share=1e-3):
        for row in rows:
            self.assertAlmostEqual(row["energy.total"] - row["energy.work_of_walls"], rows[0]["energy.total"], delta=share * scale)

    def assert_moves_as_one(self, rows, scale):
        for row in rows:
            for part in "pL":
                for axis in "xyz":
                    self.assertAlmostEqual(row[f"momentum.{part}{axis}"], rows[0][f"momentum.{part}{axis}"], delta=1e-12 * max(1, scale))

    def two(self, distance, speed, bond, end, step, **more):
        bodies = BALL.format("one", "[0, 0, 0]", [speed, 0, 0], end / 100) + BALL.format("other", [distance, 0, 0], [-speed, 0, 0], end / 100)
        return self.series(bodies=bodies, bonds=bond, end=end, step=step, every=end / 100, **more)

    def test_sinter(self):
        """Two balls that meet stick, and swing about where they met at sqrt(2 k / m)."""
        speed, apart = 0.05, 1e-5
        omega = math.sqrt(2 * E * A / (2 * R) / M)
        period = 2 * math.pi / omega
        step, met = period / 4000, apart / (2 * speed)
        for contact in ("skip", "keep"):
            bond = f'[[bond]]\non_touch = true\nevery = {step}\nyoung = {E if contact == "skip" else 1e3 * E}\ncontact = "{contact}"\n'
            rows = self.two(2 * R + apart, speed, bond, met + 2 * period, step)
            self.assertEqual((rows[0]["bonds.holding"], rows[-1]["bonds.holding"]), (0, 1))
            self.assert_moves_as_one(rows, 0)
            self.assert_balanced(rows, rows[0]["energy.total"])
            if contact == "keep":
                continue
            for row in rows:
                since = row["time"] - met
                if since > 2 * step:
                    self.assertAlmostEqual(row["other.vx"] / -speed, math.cos(omega * since), delta=5e-3)

    def test_sinters_from_until(self):
        """It is looked from `from` on, before `until`, at bodies of the materials alone."""
        speed, apart = 0.05, 1e-5
        times = {"": 1, "from = 0.5\n": 0, "until = 1e-6\n": 0, 'materials = ["n"]\n': 0, 'materials = ["m"]\n': 1}
        for keys, holding in times.items():
            rows = self.two(2 * R + apart, speed, f'[[bond]]\non_touch = true\nevery = 1e-6\nyoung = {E}\n{keys}', 2e-4, 1e-6)
            self.assertEqual(rows[-1]["bonds.holding"], holding, keys)

    def test_at_a_time(self):
        """Balls within the gap at the time are bonded, as far apart as they are then, without load."""
        speed, apart, at = 0.05, 4e-4, 2e-3
        length = 2 * R + apart - 2 * speed * at
        omega = math.sqrt(2 * E * A / length / M)
        period = 2 * math.pi / omega
        bond = f'[[bond]]\ngap = 3e-4\nat = {at}\nyoung = {E}\n'
        rows = self.two(2 * R + apart, speed, bond, at + 2 * period, period / 2000)
        self.assertEqual((rows[0]["bonds.holding"], rows[-1]["bonds.holding"]), (0, 1))
        self.assert_balanced(rows, rows[0]["energy.total"])
        for row in rows:
            since = row["time"] - at
            if since > 0:
                self.assertAlmostEqual(row["other.vx"] / -speed, math.cos(omega * since), delta=5e-3)
        rows = self.two(2 * R + apart, speed, bond.replace("3e-4", "1e-4"), at + period, period / 200)
        self.assertEqual(rows[-1]["bonds.holding"], 0)
        self.assertIn("bonds nothing at t = 0.002", " ".join(self.summary("run")["warnings"]))

    def test_what_overlaps_as_it_is_bonded(self):
        """What a contact held is lost as its bond skips it, and counted."""
        rows = self.two(2 * R - 2e-4, 0, f'[[bond]]\ngap = 0\nat = 2e-6\nyoung = {E}\n', 2e-4, 2e-7)
        held = rows[0]["energy.elastic_normal"]
        self.assertGreater(held, 0)
        self.assertEqual(rows[-1]["energy.elastic_normal"], 0)
        self.assertGreater(rows[-1]["bonds.dissipated"], 0.9 * held)
        self.assert_balanced(rows, held)

    def test_energy_and_momentum(self):
        """Kept by bodies of all kinds that meet, stick and break again, and by what is bonded and broken by tables."""
        tables = (f'[[bond]]\nname = "late"\ngap = 0.001\nat = 2e-3\nyoung = {E}\n{{0}}'
                  f'[[bond]]\nname = "sinter"\non_touch = true\nevery = 1e-4\nyoung = {E}\ntensile_strength = 3e5\nshear_strength = 3e5\ndamping = 0.02\n{{0}}'
                  '[[break]]\nevery = 1.7e-3\nbond = ["late"]\nregion = { box = [[-1, -1, -1], [0.014, 1, 1]] }\n')
        for kind in ("spheres", "disks", "mixed", "rods"):
            with self.subTest(kind):
                planar, keep = kind == "disks", 'contact = "keep"\n' if kind == "rods" else ""
                text = tables.replace("{0}", keep)
                if planar:
                    text = text.replace("[[-1, -1, -1], [0.014, 1, 1]]", "[[-1, -1], [0.014, 1]]")
                rows = self.series(bodies=cluster(kind), bonds=text, planar=planar, step=5e-7, end=0.006)
                last = rows[-1]
                self.assertGreater(last["bonds.region"], 0)
                self.assertGreater(last["bonds.holding"] + sum(last[f"bonds.{how}"] for how in ("tension", "shear", "region")), 4)
                self.assert_moves_as_one(rows, rows[0]["energy.total"])
                self.assert_balanced(rows, rows[0]["energy.total"])

    def test_broken_in_a_region(self):
        """A bond stretched by all that its balls had frees this as it is broken, and only where it is."""
        omega = math.sqrt(2 * E * A / (2 * R) / M)
        quarter = 0.5 * math.pi / omega
        region = "[[break]]\nat = {}\nregion = {{ {} }}\n".format(quarter, "sphere = [{}, 0, 0, 0.001]")
        for x, broken in ((R, 1), (R + 0.002, 0)):
            bond = f'[[bond]]\nname = "glue"\ngap = 1e-6\nyoung = {E}\n' + region.replace("sphere = [{}, 0, 0, 0.001]", f"sphere = {{ centre = [{x}, 0, 0], radius = 0.001 }}")
            rows = self.two(2 * R, -0.05, bond, 2 * quarter, quarter / 1000)
            self.assertEqual(rows[-1]["bonds.region"], broken)
            self.assert_balanced(rows, rows[0]["energy.total"])
            self.assert_moves_as_one(rows, 0)
            if not broken:
                continue
            row = self.lines("bonds.csv")[0]
            self.assertEqual((row["bond"], row["how"]), ("glue", "region"))
            self.assertAlmostEqual(float(row["time"]) / quarter, 1, delta=2e-3)
            self.assertAlmostEqual(float(row["energy"]) / rows[0]["energy.total"], 1, delta=2e-3)
            self.assertAlmostEqual(rows[-1]["bonds.dissipated"] / rows[0]["energy.total"], 1, delta=2e-3)

    def test_restarts_threads_and_searches(self):
        for kind in ("spheres", "disks", "mixed", "rods"):
            for precision in ("double", "mixed"):
                with self.subTest(kind, precision=precision):
                    how, planar = ("--precision", precision), kind == "disks"
                    keep = 'contact = "keep"\n' if kind == "rods" else ""
                    box = "[[-1, -1], [0.014, 1]]" if planar else "[[-1, -1, -1], [0.014, 1, 1]]"
                    scene = dict(bodies=cluster(kind), planar=planar, step=4e-6, end=0.006, bonds=(
                        f'[[bond]]\nname = "late"\ngap = 0.001\nat = 1e-3\nyoung = {E}\ndamping = 0.1\n{keep}'
                        f'[[bond]]\nname = "sinter"\non_touch = true\nevery = 2e-4\nlaw = "softening"\nductility = 2\nyoung = {E}\ntensile_strength = 4e4\nshear_strength = 6e4\ndamping = 0.1\nweibull = 4\n{keep}'
                        f'[[break]]\nevery = 1.3e-3\nregion = {{ box = {box} }}\n'))
                    names = ("bonds.csv", "fragments.csv", "series.csv")
                    self.series(*how, **scene)
                    whole, files = self.summary("run")["state_hash"], [(self.folder / "run" / name).read_text() for name in names]
                    for until in (0.0007, 0.001, 0.0026, 0.0041):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)
                        self.assertEqual([(self.folder / "half" / name).read_text() for name in names[:2]], files[:2])
                    for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "1 mm"'):
                        self.series(*how, **dict(scene, method=other))
                        self.assertEqual(self.summary("run")["state_hash"], whole, other)

    def test_across_borders(self):
        """A chain is bonded over a periodic border, at a time and as it touches."""
        n, edge = 6, 0.00999
        domain = f'min = [0, -1, -1]\nmax = [{n * edge}, 1, 1]\nperiodic = "x"\n'
        bodies = "".join(body("ball", [(i + 0.5) * edge, 0, 0], [0.2, 0, 0]) for i in range(n))
        for keys in ("gap = 0\nat = 1e-4\n", "on_touch = true\nevery = 1e-4\n"):
            rows = self.series(bodies=bodies, bonds=f'[[bond]]\nyoung = {E}\n{keys}', domain=domain, end=0.002)
            self.assertEqual(rows[-1]["bonds.holding"], n)
            self.assertEqual(rows[-1]["bonds.fragments"], 1)

    def test_what_comes_later(self):
        """Bodies that are put in sinter, too."""
        more = ('[[insert]]\nshape = "ball"\nmaterial = "m"\ncount = 12\nvelocity = [0, 0, -0.5]\n'
                'region = { box = [[-0.011, -0.011, 0.02], [0.011, 0.011, 0.05]] }\n'
                '[[wall]]\nname = "floor"\nmaterial = "m"\nkind = "plane"\npoint = [0, 0, -0.005]\nnormal = [0, 0, 1]\n')
        rows = self.series(bodies=body("ball", [0, 0, 0]), bonds=f'[[bond]]\non_touch = true\nevery = 1e-4\nyoung = {E}\n', more=more, gravity=(0, 0, -9.81), end=0.1)
        self.assertGreater(rows[-1]["bonds.holding"], 3)

    def at_wall(self, wall, position, end, step, bond="gap = 1e-4\n", v=(0, 0, 0), more="", load=True, **scene):
        """A ball bonded to a wall."""
        ball = BALL.format("ball", list(position), list(v), end / 100)
        load = f'[[measure]]\nkind = "wall_load"\nwall = "w"\nname = "load"\nevery = {end / 100}\n' if load else ""
        bonds = f'[[bond]]\nname = "glue"\nwall = "w"\nyoung = {E}\n{bond}'
        return self.series(bodies=ball, bonds=bonds, end=end, step=step, every=end / 100, more=f'[[wall]]\nname = "w"\nmaterial = "m"\n{wall}\n' + load + more, **scene)

    def test_ball_on_a_wall(self):
        """A ball on a bond to a wall at rest swings at sqrt(k / m), whatever the wall is made of, and the wall bears what it loses."""
        far = R + 5e-5
        walls = {
            "plane": 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]',
            "box": 'kind = "box"\nmin = [-1, -1, 0]\nmax = [1, 1, 1]',
            "block": 'kind = "box"\nside = "outside"\nmin = [-1, -1, -1]\nmax = [1, 1, 0]',
            "tube": 'kind = "cylinder"\npoint = [0, -1, 0.1]\naxis = [0, 1, 0]\nradius = 0.1\nlength = 2',
            "rod": 'kind = "cylinder"\nside = "outside"\npoint = [0, -1, -0.1]\naxis = [0, 1, 0]\nradius = 0.1\nlength = 2',
            "cap": 'kind = "cylinder"\nside = "outside"\npoint = [0, 0, -1]\naxis = [0, 0, 1]\nradius = 0.1\nlength = 1',
            "quad": 'kind = "quad"\ncorners = [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0]]',
        }
        k = E * A / far
        omega = math.sqrt(k / M)
        period = 2 * math.pi / omega
        for name, wall in walls.items():
            with self.subTest(name):
                rows = self.at_wall(wall, (0, 0, far), 2 * period, period / 2000, v=(0, 0, 0.01))
                self.assertEqual(rows[0]["bonds.holding"], 1)
                for row in rows:
                    self.assertAlmostEqual(row["ball.vz"] / 0.01, math.cos(omega * row["time"]), delta=3e-3)
                    self.assertAlmostEqual(row["load.w.fz"] / (k * 0.01 / omega), math.sin(omega * row["time"]), delta=1e-2)
                self.assert_balanced(rows, rows[0]["energy.total"])
        # Across: moving and turning are coupled; the energy is kept.
        rows = self.at_wall(walls["plane"], (0, 0, far), 2 * period, period / 2000, v=(0.01, 0.02, 0))
        self.assert_balanced(rows, rows[0]["energy.total"])

    def test_contact_with_the_wall(self):
        """Pressed into the wall a ball on a bond touches it with contact = "keep" alone, and again once the bond is broken."""
        plane = 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]'
        for contact, touches in (("skip", 0), ("keep", 1)):
            rows = self.at_wall(plane, (0, 0, R - 1e-5), 1e-4, 1e-7, bond=f'gap = 0\ncontact = "{contact}"\n', more='[[measure]]\nkind = "coordination"\nname = "touching"\nevery = 1e-6\n')
            self.assertEqual(rows[0]["touching.wall_contacts"], touches)
            self.assert_balanced(rows, max(rows[0]["energy.total"], 1e-9))
        rows = self.at_wall(plane, (0, 0, R - 1e-4), 4e-4, 1e-7, bond='gap = 0\n[[break]]\nat = 1e-4\nregion = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }\n')
        self.assertEqual(rows[-1]["bonds.region"], 1)
        self.assertGreater(rows[-1]["ball.vz"], 0.01)
        self.assertEqual(self.lines("bonds.csv")[0]["b"], "w")
        self.assert_balanced(rows, abs(rows[-1]["bonds.dissipated"]))

    def test_walls_that_move(self):
        """A wall that sets off drags a ball: its speed is v (1 - cos(omega t)); of any motion the account counts the work."""
        far = R + 5e-5
        k = E * A / far
        omega, v = math.sqrt(k / M), 0.02
        period = 2 * math.pi / omega
        plane = 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
        rows = self.at_wall(plane + f"motion = {{ velocity = [0, 0, {v}] }}", (0, 0, far), 2 * period, period / 4000)
        for row in rows:
            self.assertAlmostEqual(row["ball.vz"] / v, 1 - math.cos(omega * row["time"]), delta=1e-2)
        self.assert_balanced(rows, 0.5 * M * v**2)
        tube = 'kind = "cylinder"\npoint = [0, -1, 0]\naxis = [0, 1, 0]\nradius = 0.1\nlength = 2\n'
        for damping in (0, 0.05):
            rows = self.at_wall(tube + f"motion = {{ point = [0, 0, 0], axis = [0, 1, 0], rate = 3 }}", (0, 0, 0.1 - far), 20 * period, period / 400, bond=f"gap = 1e-4\ndamping = {damping}\n")
            self.assertGreater(rows[-1]["ball.vx"], 0.2)
            self.assert_balanced(rows, rows[-1]["energy.total"])
        self.assertAlmostEqual(rows[-1]["ball.vx"] / (3 * (0.1 - far)), 1, delta=0.3)

    def test_made_at_a_wall(self):
        """Bodies are bonded to a wall as it comes by, where it is then, and go with it."""
        plane = 'kind = "plane"\npoint = [0, 0, -0.001]\nnormal = [0, 0, 1]\nmotion = { velocity = [0, 0, 0.1], to = 0.01 }\n'
        rows = self.at_wall(plane, (0, 0, R), 0.03, 2e-6, bond="gap = 1e-4\nat = 0.0095\ndamping = 0.2\n")
        self.assertEqual((rows[0]["bonds.holding"], rows[-1]["bonds.holding"]), (0, 1))
        self.assertAlmostEqual(rows[-1]["ball.vz"], 0, delta=1e-6)
        # The wall stops within a step, in which it works by what the bond bears then.
        self.assert_balanced(rows, 0.5 * M * 0.1**2, 0.03)
        rows = self.at_wall(plane + "active = [0, 0.02]\n", (0, 0, R), 0.03, 2e-6, bond="gap = 1e-4\nat = 0.0095\n")
        self.assertEqual(rows[-1]["bonds.removed"], 1)

    def test_wall_with_a_mass(self):
        """A ball and a plate that is free swing about each other; momentum and energy are kept."""
        plate = 'kind = "quad"\ncorners = [[-0.02, -0.02, 0], [0.02, -0.02, 0], [0.02, 0.02, 0], [-0.02, 0.02, 0]]\nmass = 0.004\ninertia = [1e-6, 1e-6, 2e-6]\ncentre = [0, 0, 0]\n'
        far = R + 5e-5
        omega = math.sqrt(E * A / far * (1 / M + 1 / 0.004))
        period = 2 * math.pi / omega
        rows = self.at_wall(plate, (0, 0, far), 2 * period, period / 2000, v=(0, 0, 0.01))
        for row in rows:
            mean = 0.01 * M / (M + 0.004)
            self.assertAlmostEqual((row["ball.vz"] - mean) / (0.01 - mean), math.cos(omega * row["time"]), delta=5e-3)
        self.assert_balanced(rows, rows[0]["energy.total"])
        self.assert_moves_as_one(rows, 0)
        rows = self.at_wall(plate, (0.012, 0.005, far), 2 * period, period / 2000, v=(0.01, 0.02, 0.01))
        self.assert_balanced(rows, rows[0]["energy.total"])
        self.assert_moves_as_one(rows, 0)

    def test_servo(self):
        """A plate that holds a force pulls by bonds what it does not touch: it answers what they bear."""
        base = '[[wall]]\nname = "base"\nmaterial = "m"\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
        second = f'[[bond]]\nname = "below"\nwall = "base"\nyoung = {E}\ngap = 1e-4\ndamping = 0.1\n'
        plate = f'kind = "plane"\npoint = [0, 0, {2 * R}]\nnormal = [0, 0, -1]\nmotion = {{ servo = {{ force = 0.2, direction = [0, 0, -1] }} }}\n'
        rows = self.at_wall(plate, (0, 0, R), 0.1, 5e-6, bond="gap = 1e-4\ndamping = 0.1\n" + second, more=base)
        self.assertEqual(rows[-1]["bonds.holding"], 2)
        self.assertAlmostEqual(rows[-1]["load.w.fz"], 0.2, delta=2e-3)

    def test_restarts_at_walls(self):
        """To the bit, with bonds to walls that move, made at the start and later, broken and not."""
        walls = ('kind = "plane"\npoint = [0, 0, -0.006]\nnormal = [0, 0, 1]\nmotion = { harmonics = [{ amplitude = [1e-4, 0, 2e-4], frequency = 300 }] }\n'
                 '[[wall]]\nname = "side"\nmaterial = "m"\nkind = "plane"\npoint = [-0.0055, 0, 0]\nnormal = [1, 0, 0]\n')
        bonds = (f'[[bond]]\nname = "side"\nwall = "side"\ngap = 0.001\nyoung = {E}\ntensile_strength = 2e5\n'
                 f'[[bond]]\nname = "floor"\nwall = "w"\ngap = 0.0012\nat = 1e-3\nyoung = {E}\n'
                 f'[[bond]]\nname = "touch"\non_touch = true\nevery = 1e-3\nyoung = {E}\n')
        more = f'[[wall]]\nname = "w"\nmaterial = "m"\n{walls}[[measure]]\nkind = "wall_load"\nname = "load"\nevery = 1e-4\n'
        for precision in ("double", "mixed"):
            how = ("--precision", precision)
            scene = dict(bodies=cluster("mixed", 0.1), bonds=bonds, more=more, step=2e-6, end=0.005)
            rows = [row for row in self.series(*how, **scene) if "energy.total" in row]
            self.assertGreater(rows[-1]["bonds.holding"], 10)
            self.assert_balanced(rows, max(row["energy.total"] for row in rows), 5e-3)
            whole = self.summary("run")["state_hash"]
            for until in (0.001, 0.0026):
                self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                self.assertEqual(self.summary("half")["state_hash"], whole, until)
            for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "1 mm"'):
                self.series(*how, **dict(scene, method=other))
                self.assertEqual(self.summary("run")["state_hash"], whole, other)
        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", 0.001)
        text = (self.folder / "scene.toml").read_text().replace("-0.0055", "-0.0056")
        (self.folder / "scene.toml").write_text(text)
        _, error = self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", code=2)
        self.assertIn("bonds hold bodies to", error)

    def test_refuses_at_walls(self):
        ball = body("ball", [0, 0, 0.006])
        plane = '[[wall]]\nname = "w"\nmaterial = "m"\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
        bond = "[[bond]]\nyoung = 1e7\n"
        cases = [
            (bond + 'wall = "x"\ngap = 0.01\n', plane, '"x"'),
            (bond + 'wall = "w"\n', plane, "give one of gap"),
            (bond + 'wall = "w"\npairs = [0, 0]\n', plane, "goes with gap"),
            (bond + 'wall = "w"\non_touch = true\nevery = 1\n', plane, "goes with gap"),
            (bond + 'wall = "w"\ngap = 0.01\nwithin = true\n', plane, "chooses two bodies"),
            (bond + 'wall = "w"\ngap = 1e-4\n', plane, "bonds nothing"),
            (bond + 'wall = "w"\ngap = 0.01\n', plane + "active = [1, 2]\n", "is not there"),
            (bond + 'wall = "w"\ngap = 0.01\n', plane + "motion = { velocity = [1, 0, 0], surface = true }\n", "stays in its place"),
        ]
        for bonds, more, told in cases:
            with self.subTest(bonds, more=more):
                self.write(bodies=ball, bonds=bonds, more=more)
                _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")

    def test_refuses(self):
        two = body("ball", [0, 0, 0]) + body("ball", [0.01, 0, 0])
        bond, cut = "[[bond]]\nyoung = 1e7\n", "[[break]]\nregion = { sphere = { centre = [0, 0, 0], radius = 1 } }\n"
        cases = [
            (bond + "gap = 1e-6\non_touch = true\nevery = 1\n", "give one of gap"),
            (bond + "on_touch = true\n", "needs every"),
            (bond + "on_touch = true\nevery = 0\n", "above 0"),
            (bond + "on_touch = true\nevery = 1\nfrom = 2\nuntil = 1\n", "must be above from"),
            (bond + "on_touch = true\nevery = 1\nat = 1\n", "goes with gap"),
            (bond + "on_touch = true\nevery = 1\nwithin = true\n", "all that touch"),
            (bond + "gap = 1e-6\nevery = 1\n", "goes with on_touch"),
            (bond + "pairs = [0, 1]\nat = 1\n", "goes with gap"),
            (bond + "gap = 1e-6\nat = -1\n", "at"),
            (bond + 'gap = 1e-6\nlaw = "fibre"\nshear_strength = 1\n', "nothing but pull"),
            (bond + 'gap = 1e-6\nlaw = "fibre"\nbending_strength = 1\n', "nothing but pull"),
            (bond + "gap = 1e-6\nfriction_angle = 0.5\n", "without shear_strength"),
            (bond + "gap = 1e-6\nweibull = 4\n", "without a strength"),
            (bond + "gap = 1e-6\nseed = 4\n", "without weibull"),
            (bond + "gap = 1e-6\nmoment_share = 0.5\n", "without tensile_strength"),
            (cut + "at = 1\n", "has no [[bond]]"),
            (bond + "gap = 1e-6\n" + cut, "either `at`"),
            (bond + "gap = 1e-6\n" + cut + "at = 1\nevery = 1\n", "either `at`"),
            (bond + "gap = 1e-6\n" + cut + "at = 1\nuntil = 2\n", "goes with `every`"),
            (bond + "gap = 1e-6\n" + cut + 'at = 1\nbond = ["glue"]\n', '"glue"'),
            (bond + "gap = 1e-6\n[[break]]\nat = 1\n", "region"),
        ]
        for bonds, told in cases:
            with self.subTest(bonds):
                self.write(bodies=two, bonds=bonds)
                _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")
                self.assertEqual(error.count("\n"), 1)
                self.assertFalse((self.folder / "refused").exists())
        self.write(bodies=body("rod", [0, 0, 0]) + body("ball", [0.012, 0, 0]), bonds=bond + "on_touch = true\nevery = 1\n")
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn('contact = "keep"', error)
        self.write(bodies=two, bonds=bond + "gap = 0.01\nat = 1\n", domain='min = [0, -1, -1]\nmax = [0.03, 1, 1]\nperiodic = "x"\n')
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn("0.4 of the period", error)

    def test_shown_as_lines(self):
        """Frames with `output.bonds` have the bonds that hold, which exports to VTK show as lines."""
        plane = '[[wall]]\nname = "w"\nmaterial = "m"\nkind = "plane"\npoint = [0, 0, -0.005]\nnormal = [0, 0, 1]\n'
        bodies = "".join(body("ball", [0.01 * i, 0, 0], [-0.1 if i < 2 else 0.1, 0, 0]) for i in range(3))
        bonds = f'[[bond]]\npairs = [0, 1]\nyoung = {E}\n[[bond]]\nname = "weak"\npairs = [1, 2]\nyoung = {E}\ntensile_strength = 1\n[[bond]]\nwall = "w"\ngap = 1e-6\nyoung = {E}\n'
        self.write(bodies=bodies, bonds=bonds, more=plane, end=0.001)
        text = (self.folder / "scene.toml").read_text().replace("[output]\n", "[output]\nbonds = true\n")
        (self.folder / "scene.toml").write_text(text)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        self.scree("export", "run", "--to", "vtk")
        files = sorted((self.folder / "run" / "vtk").glob("bonds_*.vtp"))
        lines = [path.read_bytes().split(b'NumberOfLines="')[1].split(b'"')[0] for path in (files[0], files[-1])]
        self.assertEqual(lines, [b"5", b"4"])
        data = files[0].read_bytes()
        offset = int(data.split(b'Name="position"')[1].split(b'offset="')[1].split(b'"')[0])
        start = data.index(b'encoding="raw">\n_') + len(b'encoding="raw">\n_') + offset
        (size,) = struct.unpack_from("<Q", data, start)
        points = struct.unpack_from(f"<{size // 8}d", data, start + 8)
        self.assertEqual([round(x, 9) for x in points[:6]], [0, 0, 0, 0.01, 0, 0])
        self.assertEqual([round(x, 9) for x in points[12:18]], [0, 0, 0, 0, 0, -0.005])
        self.assertIn("bonds.pvd", [path.name for path in (self.folder / "run" / "vtk").iterdir()])
        (self.folder / "scene.toml").write_text("\n".join(line for line in text.split("[[bond]]")[0].splitlines()) + "\n" + plane + "[output]\nbonds = true\n")
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn("has no [[bond]]", error)

    def test_a_scene_as_it_was_run_runs_again(self):
        two = body("ball", [0, 0, 0]) + body("ball", [0.01, 0, 0])
        bonds = (f'[[bond]]\npairs = [0, 1]\nlaw = "fibre"\nyoung = {E}\n[[bond]]\ngap = 1e-6\nat = 1e-4\nyoung = {E}\n'
                 f'[[bond]]\non_touch = true\nevery = 1e-4\nyoung = {E}\n[[break]]\nat = 1e-3\nregion = {{ sphere = {{ centre = [0, 0, 0], radius = 1 }} }}\n')
        self.series(bodies=two, bonds=bonds, end=0.002)
        self.scree("run", "run/scene.toml", "-o", "again", "-q")
        self.assertEqual(self.summary("again")["state_hash"], self.summary("run")["state_hash"])


if __name__ == "__main__":
    unittest.main()
