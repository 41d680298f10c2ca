#!/usr/bin/env python3
"""Periodic domains and their shear: momentum and energy, copies that stay equal, shifts that change nothing, restarts to the bit, and what is
refused. Nothing here knows how images are kept: a domain of two periods, or one that is shifted, is an independent way to the same motion."""

import math
import unittest

from periodic_scenes import CONE, KINDS, PENALTY, PeriodicTest, loose

class Periods(PeriodicTest):
    def test_balances(self):
        """Momentum stays, energy too but for what dashpots and friction are charged with; bodies stay in the cell."""
        for kind, scene in KINDS.items():
            with self.subTest(kind):
                rows = self.series(**scene)
                scale = sum(math.hypot(*b[2]) for b in scene["bodies"]) / len(scene["bodies"])
                mass = scene.get("mass", 1)
                first, last = rows[0], rows[-1]
                unit = math.sqrt(first["energy.kinetic_translation"])  # of momentum, over the root of the mass
                self.assertGreater(last["energy.dissipated_damping"], 0.02 * first["energy.total"])
                for row in rows:
                    for axis in [key for key in row if key.startswith("momentum.p")]:
                        self.assertAlmostEqual(row[axis], first[axis], delta=1e-13 * unit)
                    self.assertAlmostEqual(row["energy.total"] / first["energy.total"], 1, delta=0.01)
                self.assertGreater(scale * mass, 0)
                high = scene.get("high", [0.04] * 3)
                frame = self.last()
                left = 0
                for row in frame.values():
                    for axis, most in zip("xyz", high):
                        if row.get("owner", -1) >= 0:
                            continue  # members reach out with their compounds
                        self.assertTrue(0 <= row[axis] < most, row)
                        left += abs(row[f"periods_{axis}"])
                self.assertGreater(left, 0)

    SHEAR = 'shear = { along = "x", across = "y", rate = 25 }'

    def test_sheared_balances(self):
        """What the images' way gives is work; momentum across the shear stays."""
        for kind in KINDS:
            with self.subTest(kind):
                scene = dict(KINDS[kind], domain=self.SHEAR)
                bodies = scene.pop("bodies")
                high = scene.get("high", [0.04] * 3)
                bodies = [[s, x, [v[0] + 25 * (x[1] - high[1] / 2), *v[1:]], w] for s, x, v, w in bodies]
                rows = self.series(bodies=bodies, end=0.06, step="10 us", every=0.006, **scene)
                first = rows[0]
                work = rows[-1]["energy.work_of_walls"]
                self.assertGreater(work, 0.05 * first["energy.total"])
                for row in rows:
                    self.assertAlmostEqual((row["energy.total"] - row["energy.work_of_walls"] - first["energy.total"]) / work, 0, delta=0.02)
                    self.assertAlmostEqual(row["momentum.py"], first["momentum.py"], delta=1e-12 * math.sqrt(first["energy.kinetic_translation"]))

    def test_sheared_shifts(self):
        """Shear looks the same from any place: moved by y, and faster by the rate times that, all goes the same way."""
        for kind in ("spheres", "disks", "cubes", "rods"):
            for method, step in ((PENALTY, "20 us"), (CONE, "100 us")):
                with self.subTest(kind, method=method):
                    scene = dict(KINDS[kind], domain=self.SHEAR, method=method, step=step, end=0.008)
                    bodies = scene.pop("bodies")
                    bodies = [[s, x, [v[0] + 25 * (x[1] - 0.02), *v[1:]], w] for s, x, v, w in bodies]
                    self.series(bodies=bodies, **scene)
                    one = self.last()
                    by = (0.0171, -0.0093, 0.0 if kind == "disks" else 0.0212)
                    moved = [[s, [a + b for a, b in zip(x, by)], [v[0] + 25 * by[1], *v[1:]], w] for s, x, v, w in bodies]
                    self.series(bodies=moved, **scene)
                    high = scene.get("high", [0.04] * 3)
                    for i, row in self.last().items():
                        for axis in ("vy", "vz", "wx", "wy", "wz"):
                            self.assertAlmostEqual(row[axis], one[i][axis], delta=1e-6 if axis[0] == "v" else 1e-3)
                        faster = (row["vx"] - one[i]["vx"] - 25 * by[1]) / (25 * high[1])
                        self.assertAlmostEqual(faster - round(faster), 0, delta=1e-6)

    def test_crosses_a_sheared_border(self):
        """A body alone: what leaves above comes back below, further along and slower, as Lees and Edwards have it."""
        high, rate, v = 0.04, 25.0, [0.3, 0.9, 0.0]
        x = [0.011, 0.015, 0.02]
        self.series(bodies=[["ball", x, v, [0, 0, 0]]], domain=self.SHEAR, end=0.1, step="20 us")
        row = self.last()[0]
        times = [(n * high - x[1]) / v[1] for n in (1, 2)]
        self.assertEqual(row["periods_y"], 2)
        self.assertAlmostEqual(row["vx"], v[0] - 2 * rate * high, delta=1e-12)
        self.assertAlmostEqual(row["y"], x[1] + v[1] * 0.1 - 2 * high, delta=1e-12)
        along = x[0] + v[0] * times[0] + (v[0] - rate * high) * (times[1] - times[0]) + (v[0] - 2 * rate * high) * (0.1 - times[1])
        along -= sum(rate * high * t for t in times)  # where the images above had come to
        self.assertAlmostEqual((row["x"] - along) / high - round((row["x"] - along) / high), 0, delta=1e-10)

    def test_copies_stay_equal(self):
        """A domain of two periods with a copy in either moves as one period does: each copy to rounding, which collisions make grow."""
        for kind in ("spheres", "disks", "cubes"):
            with self.subTest(kind):
                scene = dict(KINDS[kind])
                high = list(scene.pop("high", [0.04] * 3))
                bodies = scene.pop("bodies")
                self.series(bodies=bodies, high=high, end=0.01, **scene)
                one = self.last()
                copies = bodies + [[s, [x[0] + high[0], *x[1:]], v, w] for s, x, v, w in bodies]
                self.series(bodies=copies, high=[2 * high[0], *high[1:]], end=0.01, **scene)
                two = self.last()
                for i, row in one.items():
                    for copy in (two[i], two[i + len(bodies)]):
                        for axis in ("vx", "vy", "vz"):
                            self.assertAlmostEqual(row[axis], copy[axis], delta=1e-8)
                        way = copy["x"] - row["x"]
                        self.assertAlmostEqual(way / high[0] - round(way / high[0]), 0, delta=1e-8)

    def test_shifts(self):
        """All bodies moved by any vector: the same velocities to rounding, whichever borders they now cross."""
        for kind in ("spheres", "cubes", "rods"):
            with self.subTest(kind):
                scene = dict(KINDS[kind])
                bodies = scene.pop("bodies")
                self.series(bodies=bodies, end=0.01, **scene)
                one = self.last()
                moved = [[s, [x[0] + 0.0171, x[1] - 0.0093, x[2] + 0.0212], v, w] for s, x, v, w in bodies]
                self.series(bodies=moved, end=0.01, **scene)
                for i, row in self.last().items():
                    for axis in ("vx", "vy", "vz"):
                        self.assertAlmostEqual(row[axis], one[i][axis], delta=1e-8)

    def test_searches_threads_and_restarts(self):
        """The same bits for any search, skin and number of threads, and over a restart between two times at which bodies come back."""
        for kind, scene in KINDS.items():
            for method in (PENALTY, CONE):
                step = "20 us" if method == PENALTY else "100 us"
                with self.subTest(kind, method=method):
                    domain = 'shear = { along = "x", across = "y", rate = 8 }'
                    for more in ("", domain):
                        self.series(step=step, method=method, domain=more, **scene)
                        whole = self.summary("run")["state_hash"]
                        self.scree("run", "scene.toml", "-o", "two", "--overwrite", "-q", "--threads", "2")
                        self.assertEqual(self.summary("two")["state_hash"], whole)
                        half = 0.0267 if method == PENALTY else 0.0266
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", half)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2")
                        self.assertEqual(self.summary("half")["state_hash"], whole)
                        for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "0.9 mm"'):
                            self.series(step=step, method=method + "\n" + other, domain=more, **scene)
                            self.assertEqual(self.summary("run")["state_hash"], whole, other)


    FLOOR = """[[wall]]
name = "floor"
kind = "{kind}"
{where}
material = "m"
"""

    def floored(self, kind="plane", where="point = [0, 0, 0]\nnormal = [0, 0, 1]", **how):
        bodies = [[s, x, v, w] for s, x, v, w in loose(["ball", "small", "ball"])]
        return dict(bodies=bodies, periodic="xy", gravity=(0, 0, -9.81), low=(0, 0, -1), high=(0.04, 0.04, 1),
                    more=self.FLOOR.format(kind=kind, where=where), **how)

    def test_beds_on_floors(self):
        """A floor that is a plane, or a mesh that reaches past the borders, carries the weight, all of it; restarts and searches to the bit."""
        wide = "corners = [[-0.02, -0.02, 0], [0.06, -0.02, 0], [0.06, 0.06, 0], [-0.02, 0.06, 0]]"
        for kind, where in (("plane", "point = [0, 0, 0]\nnormal = [0, 0, 1]"), ("quad", wide)):
            with self.subTest(kind):
                scene = self.floored(kind, where, end=0.6, restitution=0.1)
                scene["more"] += '[[measure]]\nkind = "wall_load"\nwall = "floor"\nname = "floor"\nevery = 0.06\n'
                rows = self.series(**scene)
                mass = 1200 * 4 / 3 * math.pi * sum({"ball": 0.0031, "small": 0.0014}[b[0]] ** 3 for b in scene["bodies"])
                self.assertAlmostEqual(rows[-1]["floor.floor.fz"] / (-9.81 * mass), 1, delta=0.01)
                for row in rows:
                    self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.total"], 1, delta=2e-3)
                whole = self.summary("run")["state_hash"]
                self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", 0.2417)
                self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2")
                self.assertEqual(self.summary("half")["state_hash"], whole)
                self.series(**dict(scene, method=PENALTY + '\nskin = "0.2 mm"'))
                self.assertEqual(self.summary("run")["state_hash"], whole)

    def test_removal_at_the_step_of_a_return(self):
        """Compounds that come back while others leave the domain keep their place; the same bits for any skin and over a restart."""
        bodies = [["rod", [0.04 - 0.0005 * k, 0.005 + 0.009 * k, 0.02], [0.4, 0, 0], [0, 0, 0]] for k in range(4)]
        bodies += [["ball", [0.02, 0.004 + 0.008 * k, -0.0004 - 0.004 * k], [0.1, 0, -2], [0, 0, 0]] for k in range(4)]
        scene = dict(bodies=bodies, periodic="xy", low=(0, 0, -0.05), domain='leave = "remove"\ncheck_every = 1', end=0.05)
        hashes = set()
        for skin in ("", '\nskin = "0.1 mm"', '\nskin = "0.9 mm"'):
            self.series(**dict(scene, method=PENALTY + skin))
            hashes.add(self.summary("run")["state_hash"])
        self.assertEqual(len(hashes), 1)
        rows = self.last()
        for row in rows.values():
            if row["owner"] < 0 and row["mass"] > 0 and row["vx"] > 0.3:
                self.assertAlmostEqual(row["vx"], 0.4, delta=1e-12)
                self.assertAlmostEqual(row["vy"], 0.0, delta=1e-12)
        self.assertEqual(len([row for row in rows.values() if row["owner"] < 0]), 4)

    def test_liquid_across_borders(self):
        """A bridge across a border takes and leaves as one inside does."""
        pair = [["ball", [0.01, 0.02, 0.02], [0.1, 0, 0], [0, 0, 0]], ["ball", [0.016633, 0.02, 0.02], [-0.0973, 0, 0], [0, 0, 0]]]
        found = []
        for shift in (0.0, 0.0267):
            bodies = [[s, [x[0] + shift, *x[1:]], v, w] for s, x, v, w in pair]
            self.series(bodies=bodies, end=0.02, step="5 us", method='cohesion = "capillary_shared"', values="surface_tension = 0.07\nliquid_content = 1e-3")
            found.append([(row["liquid"], row["vx"]) for row in self.last().values()])
        for one, other in zip(*found):
            self.assertAlmostEqual(one[0] / other[0], 1, delta=1e-9)
            self.assertAlmostEqual(one[1], other[1], delta=1e-9)

    def test_walls_inside_are_met_at_any_speed(self):
        """A fast body meets a block inside the cell whichever border it has crossed."""
        block = "[[wall]]\nname = \"block\"\nmaterial = \"m\"\nkind = \"box\"\nside = \"outside\"\nmin = [0.010, 0.01, 0.01]\nmax = [0.016, 0.03, 0.03]\n"
        for method, step, v in ((PENALTY, "10 us", 2.0), (CONE, "500 us", 0.4)):
            with self.subTest(method=method):
                for start in (0.004, 0.030):
                    self.series(bodies=[["small", [start, 0.02, 0.02], [v, 0, 0], [0, 0, 0]]], more=block, method=method, step=step,
                                restitution=0.7, end=0.03 / v)
                    self.assertLess(self.last()[0]["vx"], 0.01)

    def test_regular_packings(self):
        """Stress of simple cubic and face-centred lattices pressed together, against their closed forms."""
        r, e = 0.0031, 0.02  # overlap over the distance of neighbours
        modulus = 5e6 / (2 * (1 - 0.3**2))
        for name, sites, per_cell in (("sc", [(0, 0, 0)], 1), ("fcc", [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)], 4)):
            with self.subTest(name):
                near = 2 * r * (1 - e)
                edge = near if name == "sc" else math.sqrt(2) * near
                bodies = [["ball", [edge * (n + s) for n, s in zip((i, j, k), site)], [0, 0, 0], [0, 0, 0]]
                          for i in range(3) for j in range(3) for k in range(3) for site in sites]
                row = self.series(bodies=bodies, high=[3 * edge] * 3, end=1e-5, step="1 us",
                                  more='[[measure]]\nkind = "stress"\nevery = 1e-5\n')[0]
                force = 4 / 3 * modulus * math.sqrt(r / 2) * (2 * r * e) ** 1.5
                pressure = force / near**2 * (1 if name == "sc" else 2 * math.sqrt(2))
                for part in ("pressure", "xx", "yy", "zz"):
                    self.assertAlmostEqual(row[f"stress.{part}"] / pressure, 1, delta=1e-9)
                for part in ("xy", "xz", "yz"):
                    self.assertAlmostEqual(row[f"stress.{part}"] / pressure, 0, delta=1e-9)
                self.assertEqual(row["stress.coordination"], 6 if name == "sc" else 12)
                self.assertAlmostEqual(row["stress.solid_fraction"], per_cell * 4 / 3 * math.pi * r**3 / edge**3, delta=1e-12)
                self.assertAlmostEqual(row["stress.fabric_xx"], 1 / 3, delta=1e-12)

    def test_mixed_precision_and_inserts(self):
        """Bodies that come into a periodic domain keep clear of images; mixed precision restarts to the bit."""
        feed = """[[insert]]
name = "feed"
shape = "ball"
material = "m"
region = { box = [[0, 0, 0.06], [0.04, 0.04, 0.09]] }
count = 60
velocity = [0.2, 0, -0.5]
velocity_deviation = 0.1
"""
        scene = self.floored(end=0.12, method="overlap_warning = 0.1\noverlap_limit = 0.2")
        scene["more"] += feed
        for precision in ("double", "mixed"):
            how = ("--precision", precision)
            self.series(*how, **scene)
            self.assertEqual(self.summary("run")["bodies_inserted"], 60)
            whole = self.summary("run")["state_hash"]
            self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", 0.0613, *how)
            self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
            self.assertEqual(self.summary("half")["state_hash"], whole)

    def test_refuses(self):
        box = dict(bodies=[["ball", [0.01, 0.01, 0.01], [0, 0, 0], [0, 0, 0]]])
        wall = "[[wall]]\nname = \"w\"\nmaterial = \"m\"\n"
        cases = [
            (dict(high=(0.013, 0.04, 0.04)), "the period along x is 0.013 m"),
            (dict(high=(math.inf, 0.04, 0.04)), "the period along x is max less min"),
            (dict(domain='shear = { along = "x", across = "x", rate = 1 }'), "two different directions"),
            (dict(periodic="xz", domain='shear = { along = "x", across = "y", rate = 1 }'), "needs both in domain.periodic"),
            (dict(gravity=(0, -9.81, 0), domain='shear = { along = "x", across = "y", rate = 1 }'), "takes no gravity"),
            (dict(more=wall + 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0.1, 0, 1]\n'), "is not the same in each period along x"),
            (dict(more=wall + 'kind = "quad"\ncorners = [[0, 0, 0.02], [0.04, 0, 0.02], [0.04, 0.04, 0.02], [0, 0.04, 0.02]]\n', periodic="xy"),
             "near or across a border of the period from 0 to 0.04 m: let it end 1.25 of the largest diameters ("),
            (dict(more=wall + 'kind = "cylinder"\nside = "outside"\npoint = [0.02, 0.02, 0]\naxis = [0, 0.1, 1]\nradius = 0.004\n'), "aslant"),
            (dict(method='kind = "fluid"'), "a fluid has no periods"),
            (dict(more=wall + 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n', domain=self.SHEAR), "held back at another speed than its images"),
            (dict(more=wall + 'kind = "quad"\ncorners = [[-0.02, -0.02, 0], [0.06, -0.02, 0.01], [0.06, 0.06, 0.01], [-0.02, 0.06, 0]]\n', periodic="xy"),
             "a triangle of it rises along x"),
            (dict(more=wall + 'kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmotion = { rate = 1, axis = [0, 0, 1], point = [0, 0, 0] }\n',
                  periodic="xy"), "only tubes about an axis along x may turn"),
            (dict(domain='shear = { along = "x", across = "y", rate = 1e6 }'), "a fifth of the smallest radius"),
            (dict(bodies=[["ball", [0.001, 0.01, 0.01], [0, 0, 0], [0, 0, 0]], ["ball", [0.0385, 0.01, 0.01], [0, 0, 0], [0, 0, 0]]]), "overlap by"),
        ]
        feed = '[[insert]]\nname = "i"\nshape = "ball"\nmaterial = "m"\nrate = 10\ncount = 5\nvelocity = [0, 0, -1]\nregion = { box = [[0, 0, 0.02], [0.04, 0.04, 0.04]] }\n'
        small = [["small", [0.02, 0.02, 0.03], [0, 0, 0], [0, 0, 0]]]
        exact = wall + 'kind = "quad"\ncorners = [[-0.002, -0.002, 0], [0.042, -0.002, 0], [0.042, 0.042, 0], [-0.002, 0.042, 0]]\n'
        cases += [
            (dict(bodies=small, more=exact + feed, periodic="xy", high=(0.04, 0.04, 1)), "near or across a border of the period"),
            (dict(bodies=small, more=feed.replace("0.04, 0.04, 0.04", "0.0136, 0.04, 0.04"), high=(0.0136, 0.04, 0.04)), "the period along x is 0.0136 m"),
        ]
        self.refuses(box, cases)


if __name__ == "__main__":
    unittest.main()
