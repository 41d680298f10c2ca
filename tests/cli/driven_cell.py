#!/usr/bin/env python3
"""Periodic domains that are driven: strain rates, stresses, shear by tables and by stress. Closed forms, copies, shifts, energy, restarts to
the bit, and what is refused."""

import math
import unittest

from periodic_scenes import KINDS, PENALTY, PeriodicTest

CELL = '[[measure]]\nkind = "cell"\nevery = {every}\n[[measure]]\nkind = "stress"\nevery = {every}\n'
PRESSED = """
[[domain.stage]]
to = {to}
x = {{ stress = {p} }}
y = {{ stress = {p} }}
z = {{ stress = {p} }}
max_rate = 20
"""
SHEARED = """
[[domain.stage]]
x = {{ rate = 0 }}
y = {{ stress = {p} }}
z = {{ rate = {rate} }}
max_rate = 20
shear = {{ along = "x", across = "y", {shear} }}
"""


def stages(planar=False, p=400, to=0.02, rate=-0.4, shear="rate = 6"):
    text = PRESSED.format(p=p, to=to) + SHEARED.format(p=p, rate=rate, shear=shear)
    return "\n".join(line for line in text.splitlines() if not (planar and line.startswith("z")))


def lattice(n, edge, sites=((0, 0, 0),), shape="ball"):
    return [[shape, [edge * (k + s) for k, s in zip((i, j, k), site)], [0, 0, 0], [0, 0, 0]]
            for i in range(n) for j in range(n) for k in range(n) for site in sites]


class DrivenCell(PeriodicTest):
    def driven(self, kind, end=0.04, every=None, **how):
        scene = dict(KINDS[kind], end=end, restitution=0.3)
        planar = scene.get("planar", False)
        every = every or end / 10
        return dict(scene, domain=stages(planar), more=CELL.format(every=every), every=every, **how)

    def test_flows_with_the_cell(self):
        """Bodies that meet nothing keep their places in a cell that grows along x, shrinks along z and is sheared: L(t) = L exp(rate t)."""
        for method, step in ((PENALTY, 1e-5), ('kind = "cone"', 2e-5)):
            with self.subTest(method):
                self.flow_with_the_cell(method, step)

    def flow_with_the_cell(self, method, step):
        rates, end = (0.7, 0.0, -1.1), 0.5
        stage = f'[[domain.stage]]\nx = {{ rate = {rates[0]} }}\nz = {{ rate = {rates[2]} }}\n'
        stage += 'shear = { along = "x", across = "y", rate = { amplitude = 2.0, frequency = 1.5 } }\n'
        bodies = [["small", [0.004 + 0.012 * i, 0.004 + 0.012 * j, 0.004 + 0.012 * k], [0, 0, 0], [0, 0, 0]]
                  for i in range(3) for j in range(3) for k in range(3)]
        rows = self.series(bodies=bodies, domain=stage, end=end, step=f"{step} s", method=method, more=CELL.format(every=end / 10))
        for row in rows:
            t = row["time"]
            for axis, rate in zip("xyz", rates):
                self.assertAlmostEqual(row[f"cell.strain_{axis}"], rate * t, delta=2 * step)
                self.assertAlmostEqual(row[f"cell.length_{axis}"], 0.04 * math.exp(rate * t), delta=0.04 * 4 * step)
            # The shear's strain is the integral of its rate; each step begins with the rate of the one before.
            self.assertAlmostEqual(row["cell.shear"], 2 * (1 - math.cos(3 * math.pi * t)) / (3 * math.pi), delta=4 * step)
        last, frame = rows[-1], self.last()
        gamma, length = last["cell.shear"], [last[f"cell.length_{axis}"] for axis in "xyz"]
        # Relative to body 0: d = F d(0), F of dF/dt = L F: along x from the shear, as x grows by exp(a t), by the integral of its rate.
        n = 20000
        slope = sum(2 * math.sin(3 * math.pi * t) * math.exp(-rates[0] * t) for t in ((k + 0.5) * end / n for k in range(n))) * end / n
        for i, body in enumerate(bodies):
            d0 = [a - b for a, b in zip(body[1], bodies[0][1])]
            expected = [math.exp(rates[0] * end) * (d0[0] + slope * d0[1]), d0[1], d0[2] * math.exp(rates[2] * end)]
            for axis, want, period in zip("xyz", expected, length):
                off = (frame[i][axis] - frame[0][axis] - want) / period
                self.assertAlmostEqual(off - round(off), 0, delta=20 * step, msg=(i, axis, gamma))

    def test_lattices_bear_what_they_are_held_at(self):
        """Simple cubic and face-centred lattices under a stress: the lengths at which their contacts bear it, in closed form."""
        r, p, n = 0.0031, 2e4, 4
        modulus = 5e6 / (2 * (1 - 0.3**2))
        for name, sites, bonds in (("sc", [(0, 0, 0)], 1), ("fcc", [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)], 2 * math.sqrt(2))):
            with self.subTest(name):
                far = 1 if name == "sc" else math.sqrt(2)
                bodies = lattice(n, 2 * r * far * 0.999, sites)
                rows = self.series(bodies=bodies, high=[n * 2 * r * far * 0.999] * 3, end=0.1, step="5 us", friction=0, restitution=0.2,
                                   domain=PRESSED.format(p=p, to="inf"), every=0.01, more=CELL.format(every=0.01))
                row = rows[-1]
                for part in ("xx", "yy", "zz"):
                    self.assertAlmostEqual(row[f"stress.{part}"] / p, 1, delta=1e-4)
                low, high = 1.0, 2.0  # distance of neighbours over the diameter, by bisection of p near^2 = bonds F
                low, high = 0.5, 1.0
                for _ in range(60):
                    near = 0.5 * (low + high)
                    force = 4 / 3 * modulus * math.sqrt(r / 2) * (2 * r * (1 - near)) ** 1.5
                    low, high = (near, high) if bonds * force / (2 * r * near) ** 2 > p else (low, near)
                for axis in "xyz":
                    self.assertAlmostEqual(row[f"cell.length_{axis}"] / (n * 2 * r * far * near), 1, delta=1e-5)

    def test_stresses_are_held(self):
        """Each stress where it is asked for, all the while the cell shears and dilates; the stress is measured another way."""
        for kind in KINDS:
            with self.subTest(kind):
                planar = KINDS[kind].get("planar", False)
                p, to = (300, 0.6) if planar else (4000, 0.1)  # disks have a metre's thickness
                scene = self.driven(kind, end=to + 0.1, every=0.004, step="10 us")
                scene["domain"] = stages(planar, p=p, to=to, rate=0, shear="rate = 1")
                rows = self.series(**scene)
                pressed = [row for row in rows if to - 0.02 < row["time"] <= to]
                for part in ("xx", "yy") + (() if planar else ("zz",)):
                    mean = sum(row[f"stress.{part}"] for row in pressed) / len(pressed)
                    self.assertAlmostEqual(mean / p, 1, delta=0.01)
                sheared = [row for row in rows if row["time"] > to + 0.02]
                mean = sum(row["stress.yy"] for row in sheared) / len(sheared)
                self.assertAlmostEqual(mean / p, 1, delta=0.12)  # a few dozen bodies rearrange
                # What lies above comes to push on what lies below along x.
                of = [sum(row["stress.xy"] for row in some) / len(some) for some in (pressed, sheared)]
                self.assertLess(of[1], of[0] - 0.03 * p)
                self.assertAlmostEqual(rows[-1]["cell.shear"], 0.1, delta=1e-4)

    def test_energy(self):
        """What the cell gives is the work of walls, to first order in the step."""
        for kind in KINDS:
            with self.subTest(kind):
                off = []
                for step in (20, 5):
                    rows = self.series(step=f"{step} us", **self.driven(kind))
                    first, last = rows[0], rows[-1]
                    work = last["energy.work_of_walls"]
                    self.assertGreater(abs(work), 0.02 * first["energy.total"])
                    off.append(max(abs(row["energy.total"] - row["energy.work_of_walls"] - first["energy.total"]) for row in rows) / first["energy.total"])
                self.assertLess(off[1], 0.01)
                if kind != "cubes":  # whose law has no potential: 0.3 % of what goes through contacts, at any step
                    self.assertLess(off[1], 0.7 * off[0] + 5e-4)  # collisions are others at another step

    def test_copies_and_shifts(self):
        """A cell of two periods moves as one does, and a shift of all bodies changes nothing but where they are."""
        for kind in ("spheres", "disks", "cubes", "rods"):
            with self.subTest(kind):
                scene = self.driven(kind, end=0.008)
                scene["domain"] = stages(scene.get("planar", False), to=0.004)
                bodies = scene.pop("bodies")
                high = list(scene.pop("high", [0.04] * 3))
                one_rows = self.series(bodies=bodies, high=high, **scene)
                one = self.last()
                by = (0.0171, -0.0093, 0.0 if scene.get("planar") else 0.0212)
                moved = [[s, [a + b for a, b in zip(x, by)], v, w] for s, x, v, w in bodies]
                self.series(bodies=moved, high=high, **scene)
                shifted = self.last()
                copies = bodies + [[s, [x[0] + high[0], *x[1:]], v, w] for s, x, v, w in bodies]
                two_rows = self.series(bodies=copies, high=[2 * high[0], *high[1:]], **scene)
                two = self.last()
                rate = one_rows[-1]
                for axis in "xyz"[:2 if scene.get("planar") else 3]:
                    self.assertAlmostEqual(rate[f"cell.strain_{axis}"], two_rows[-1][f"cell.strain_{axis}"], delta=1e-10)
                    self.assertAlmostEqual(rate[f"cell.rate_{axis}"], two_rows[-1][f"cell.rate_{axis}"], delta=1e-6)
                for i, row in one.items():
                    for name in ("wx", "wy", "wz"):
                        for which, other in (("shift", shifted[i]), ("copy", two[i]), ("other copy", two[i + len(one)])):
                            self.assertAlmostEqual(row[name], other[name], delta=1e-4, msg=which)
                    # Velocities but for the flow at where a body is: of images of the same place, by the periods between them.
                    for other in (shifted, two):
                        for axis in "yz"[:1 if scene.get("planar") else 2]:
                            period, growth = rate[f"cell.length_{axis}"], rate[f"cell.length_{axis}"] * rate[f"cell.rate_{axis}"]
                            d = [(f[i][axis] - f[0][axis]) / period for f in (one, other)]
                            periods = round(d[1] - d[0])
                            self.assertAlmostEqual(d[1] - d[0] - periods, 0, delta=1e-7)
                            dv = [f[i][f"v{axis}"] - f[0][f"v{axis}"] for f in (one, other)]
                            self.assertAlmostEqual(dv[1] - dv[0], periods * growth, delta=1e-6)

    def test_searches_threads_and_restarts(self):
        """The same bits for any search, skin and number of threads, and over restarts within each stage and where they meet."""
        for kind in KINDS:
            for precision in ("double", "mixed"):
                with self.subTest(kind, precision=precision):
                    how = ("--precision", precision)
                    scene = self.driven(kind, step="20 us")
                    self.series(*how, **scene)
                    whole = self.summary("run")["state_hash"]
                    self.scree("run", "scene.toml", "-o", "two", "--overwrite", "-q", "--threads", "2", *how)
                    self.assertEqual(self.summary("two")["state_hash"], whole)
                    for until in (0.0113, 0.02, 0.0317):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)
                    for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "0.9 mm"'):
                        self.series(*how, **dict(scene, method=PENALTY + "\n" + other))
                        self.assertEqual(self.summary("run")["state_hash"], whole, other)

    def cone(self, kind, end):
        """Loose bodies in a cell that shrinks, then is sheared by a harmonic and stretched, by rates alone."""
        scene = dict(KINDS[kind], end=end, method='kind = "cone"\ntolerance = 1e-9', step="0.1 ms")
        planar, rate = scene.get("planar", False), {"rods": -21, "disks": -7}.get(kind, -11)
        text = f'[[domain.stage]]\nto = {end / 2}\nx = {{ rate = {rate} }}\ny = {{ rate = {rate} }}\nz = {{ rate = {rate} }}\n'
        text += '[[domain.stage]]\ny = { rate = 3 }\nshear = { along = "x", across = "y", rate = { amplitude = 10, frequency = 30 } }\n'
        text = "\n".join(line for line in text.splitlines() if not (planar and line.startswith("z")))
        return dict(scene, domain=text, more=CELL.format(every=end / 10) + f'[[measure]]\nkind = "coordination"\nevery = {end / 10}\n', every=end / 10)

    def test_rates_under_the_cone_method(self):
        """The same bits over restarts and threads, while bodies meet and stay apart."""
        for kind in KINDS:
            for precision in ("double", "mixed"):
                with self.subTest(kind, precision=precision):
                    how = ("--precision", precision)
                    rows = self.series(*how, **self.cone(kind, 0.04))
                    whole = self.summary("run")["state_hash"]
                    self.assertGreater(sum(row["coordination.contacts"] for row in rows), 5)
                    self.assertLess(self.summary("run")["max_overlap_ratio"], 0.02)
                    for until in (0.0113, 0.02, 0.0317):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)

    def test_nothing_pressed_and_nothing_asked_for(self):
        """A stress of 0 on bodies that do not touch leaves the cell as it is."""
        rows = self.series(bodies=[["ball", [0.01, 0.01, 0.01], [0, 0, 0], [0, 0, 0]]], end=0.01, more=CELL.format(every=0.001),
                           domain="[[domain.stage]]\nx = { stress = 0 }\nmax_rate = 1\n")
        self.assertEqual(rows[-1]["cell.strain_x"], 0)

    def test_other_stages_from_a_checkpoint(self):
        """One compressed state, sheared in two ways."""
        scene = self.driven("spheres", end=0.02)
        scene["domain"] = PRESSED.format(p=400, to="inf")
        self.series(**scene)
        for rate in (-3, 3):
            self.write(**dict(scene, end=0.03, domain=PRESSED.format(p=400, to=0.02) + f"[[domain.stage]]\nz = {{ rate = {rate} }}\n"))
            self.scree("run", "scene.toml", "-o", "more", "--restart", "run/checkpoint.h5", "--overwrite", "-q")
            rows = self.read_series("more")
            self.assertAlmostEqual(rows[-1]["cell.strain_z"] - rows[0]["cell.strain_z"], rate * (rows[-1]["time"] - rows[0]["time"]), delta=1e-3)
        shear = 'to = 0.03\nx = {{ stress = 400 }}\nshear = {{ along = "{}", across = "{}", rate = 5 }}\n'
        self.series(**dict(scene, domain="[[domain.stage]]\n" + shear.format("x", "y")), out="sheared")
        self.write(**dict(scene, end=0.03, domain="[[domain.stage]]\n" + shear.format("x", "z")))
        _, error = self.scree("run", "scene.toml", "-o", "more", "--restart", "sheared/checkpoint.h5", "--overwrite", "-q", code=2)
        self.assertIn("or another way", error)
        self.write(**dict(scene, end=0.03, domain=""))
        _, error = self.scree("run", "scene.toml", "-o", "more", "--restart", "run/checkpoint.h5", "--overwrite", "-q", code=2)
        self.assertIn("domain is driven", error)

    def test_refuses(self):
        box = dict(bodies=[["ball", [0.01, 0.01, 0.01], [0, 0, 0], [0, 0, 0]]])
        stage, press = "[[domain.stage]]\n", "x = { stress = 100 }\n"
        shear = 'shear = { along = "x", across = "y", rate = 1 }\n'
        cases = [
            (dict(domain=stage + press, periodic="xy"), "periodic along every axis"),
            (dict(domain=stage + press, method='kind = "cone"'), 'a stress is held through forces'),
            (dict(domain=stage + press, gravity=(0, 0, -9.81)), "has no gravity"),
            (dict(domain=stage + "to = 1\n"), "a stage drives something"),
            (dict(domain=stage + "x = { stress = 0 }\n"), "give max_rate"),
            (dict(domain=stage + press + stage + press), "this one never comes"),
            (dict(domain=stage + "to = 0.2\n" + press + stage + "to = 0.1\n" + press), "is not after 0.2 s"),
            (dict(domain=shear + stage + press), "give the shear in these"),
            (dict(domain=stage + shear + stage.replace("[[", "to = 1\n[[", 0) + shear.replace('"x"', '"z"')), "never comes"),
            (dict(domain=stage + "to = 1\n" + shear + stage + shear.replace('"x"', '"z"')), "all shear the same way"),
            (dict(domain=shear.replace("rate", "stress")), "part of a stage"),
            (dict(domain=stage + "x = { rate = 1, stress = 2 }\n"), "stress"),
            (dict(domain=stage + "x = { rate = 1, gain = 2 }\n"), "gain"),
            (dict(domain=stage + "x = { rate = 1e7 }\n"), "a fifth of the smallest radius"),
            (dict(domain=stage + press, method='law = "walton_braun"\nstiffness = 1000', values="unloading_stiffness = 2000"), "does not know its contacts' stiffness"),
            (dict(domain=stage + press, more='[[insert]]\nname = "i"\nshape = "ball"\nmaterial = "m"\nrate = 10\ncount = 5\nvelocity = [0, 0, -1]\n'
                  'region = { box = [[0, 0, 0], [0.04, 0.04, 0.04]] }\n'), "a stress may shorten that by any amount"),
            (dict(domain=stage + press, more='[[wall]]\nname = "w"\nmaterial = "m"\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'),
             "held back at another speed than its images"),
        ]
        self.refuses(box, cases)


if __name__ == "__main__":
    unittest.main()
