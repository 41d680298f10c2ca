#!/usr/bin/env python3
"""Bonds between bodies: closed forms of their stiffnesses and strengths, momentum and energy, breaking, restarts to the bit, and what is
refused."""

import csv
import math
import unittest

from program import BALANCES, ProgramTest

HEAD = """{dimensions}
[time]
end = {end}
step = {step}
[domain]
gravity = {gravity}
{domain}
[method]
overlap_warning = 0.3
{method}
[material.m]
density = 2500
young = "50 MPa"
poisson = 0.25
restitution = 0.5
friction = {friction}
[material.n]
density = 3100
young = "50 MPa"
poisson = 0.25
restitution = 0.5
friction = {friction}
{shapes}
{bodies}
{bonds}
[[measure]]
kind = "bonds"
every = {every}
{more}
"""
SHAPES = """[shape.ball]
kind = "sphere"
radius = 0.005
[shape.small]
kind = "sphere"
radius = 0.003
[shape.cube]
kind = "box"
edges = [0.008, 0.007, 0.006]
[shape.rod]
kind = "clump"
spheres = [[-0.003, 0, 0, 0.004], [0.003, 0, 0, 0.003]]
"""
DISK = '[shape.disk]\nkind = "disk"\nradius = 0.005\n'
BODY = '[[bodies]]\nshape = "{0}"\nmaterial = "{4}"\nplace = {{ at = [{1}] }}\nvelocity = {2}\nangular_velocity = {3}\n'
HELD = '[[body]]\nname = "{0}"\nshape = "ball"\nmaterial = "m"\nposition = {1}\nmass = 1e9\ninertia = [1e9, 1e9, 1e9]\n'
R, E, NU = 0.005, 1e7, 0.2


def body(shape, at, v=(0, 0, 0), w=(0, 0, 0), material="m"):
    return BODY.format(shape, ", ".join(map(str, at)), list(v), list(w) if not isinstance(w, (int, float)) else w, material)


def cluster(kind, speed=0.5):
    """A block of bodies, moving as one with a shudder that breaks some of its bonds."""
    shapes = {"spheres": ["ball"], "disks": ["disk"], "mixed": ["ball", "cube", "small"], "rods": ["rod", "ball"]}[kind]
    planar, text, k = kind == "disks", "", 0
    edge = 0.0125 if kind == "rods" else 0.0101
    for i in range(4):
        for j in range(3):
            for m in range(1 if planar else 3):
                v = [speed * math.sin(3 * k), speed * math.cos(5 * k), speed * math.sin(7 * k + 1)]
                w = [40 * math.cos(k), 30 * math.sin(2 * k), 50 * math.sin(k)]
                at = [edge * i, edge * j, edge * m]
                text += body(shapes[k % len(shapes)], at[:2] if planar else at, v[:2] if planar else v, w[2] if planar else w, "mn"[k % 2])
                k += 1
    return text


# A cube of 27 grains is crushed, and looked at after each step.
CRUSHED = """[time]
end = 4e-4
[domain]
gravity = [0, 0, 0]
[method]
rolling = "constant"
overlap_limit = 0.9
[material.m]
density = 2600
young = "1 GPa"
poisson = 0.25
restitution = 0.2
friction = 0.5
rolling_friction = 0.1
[shape.s]
kind = "sphere"
radius = "1 mm"
[[bodies]]
shape = "s"
material = "m"
place = { lattice = [3, 3, 3], spacing = "2 mm", origin = [0, 0, "1 mm"] }
[[bond]]
gap = "0.01 mm"
young = "500 MPa"
tensile_strength = "5 MPa"
shear_strength = "5 MPa"
weibull = 4
[[wall]]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
[[wall]]
kind = "plane"
point = [0, 0, "6 mm"]
normal = [0.1, 0, -1]
material = "m"
motion = { velocity = [0, 0, -3] }
[[measure]]
kind = "stress"
box = [[-1, -1, -1], [1, 1, 1]]
every = 1e-7
"""


class BondScenes(ProgramTest):
    def write(self, bodies, bonds, end=0.01, step='"auto"', gravity=(0, 0, 0), planar=False, friction=0.3, domain="", method="", more="",
              every=None, shapes=None):
        text = HEAD.format(dimensions="dimensions = 2" if planar else "", end=end, step=step, gravity=list(gravity[:2] if planar else gravity),
                           friction=friction, shapes=shapes or (DISK if planar else SHAPES), bodies=bodies, bonds=bonds, domain=domain,
                           method=method, more=more, every=every or end / 20)
        (self.folder / "scene.toml").write_text(text + BALANCES.format(every=every or end / 20))

    def series(self, *args, out="run", **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", out, "--overwrite", "-q", *args)
        return self.read_series(out)

    def lines(self, name, run="run"):
        with open(self.folder / run / name) as file:
            return list(csv.DictReader(file))

    def last(self, run="run"):
        self.scree("export", run, "--to", "csv")
        frame = sorted((self.folder / run / "csv").glob("frame_0*.csv"))[-1]
        with open(frame) as file:
            return {int(row["id"]): row for row in csv.DictReader(file)}

    def stiffness(self, law, radius, length, values):
        """Axial, shear, twist, bend: written down from the papers."""
        A, I = math.pi * radius**2, math.pi * radius**4 / 4
        if law == "beam":
            G = E / (2 * (1 + NU))
            phi = 12 * E * I / (6 * (1 + NU) / (7 + 6 * NU) * G * A * length**2)
            return E * A / length, 12 * E * I / (length**3 * (1 + phi)), G * 2 * I / length, E * I / length
        if law == "fibre":
            return E * A / length, 0, 0, 0
        return E * A / length, E * A / (2.5 * length), E * 2 * I / (2.5 * length), E * I / length

    def breaks_without_trace(self, step, delta):
        bodies = body("ball", [0, 0, 0], [0.5, 0.1, 0], [3, 4, 5]) + body("ball", [0.0101, 0, 0], [-0.5, 0, 0.2], [5, -6, 8])
        for contact in ("skip", "keep"):
            with self.subTest(contact):
                for bonds in (f'[[bond]]\ngap = 0.001\nyoung = 1e-3\ntensile_strength = 1e-9\nshear_strength = 1e-9\ncontact = "{contact}"\n', ""):
                    self.series(bodies=bodies, bonds=bonds, end=0.002, step=step)
                    here = self.last()
                    if bonds:
                        bonded = here
                        self.assertEqual(len(self.lines("bonds.csv")), 1)
                for i, row in here.items():
                    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
                        self.assertAlmostEqual(float(bonded[i][name]), float(row[name]), delta=delta)


class Bonds(BondScenes):
    def test_frequencies(self):
        """A ball on a bond to one that is held swings at sqrt(k / m) of each of its stiffnesses."""
        m = 2500 * 4 / 3 * math.pi * R**3
        inertia = 0.4 * m * R**2
        for law, values in (("parallel", "stiffness_ratio = 2.5"), ("beam", f"poisson = {NU}"), ("fibre", "")):
            L, radius = 2 * R, 0.8 * R
            k = self.stiffness(law, radius, L, values)
            bond = f'[[bond]]\ngap = 1e-6\nlaw = "{law}"\nyoung = {E}\n{values}\nradius = 0.8\n'
            held = HELD.format("held", "[0, 0, 0]")
            # Stretching, and turning about the bond; across it moving and turning are coupled.
            K = ((k[1], -k[1] * L / 2), (-k[1] * L / 2, k[1] * L**2 / 4 + k[3]))
            a, b, c = K[0][0] / m, K[1][1] / inertia, K[0][1] ** 2 / (m * inertia)
            modes = [0.5 * (a + b) + s * math.sqrt(0.25 * (a - b) ** 2 + c) for s in (-1, 1)]
            cases = [("axial", (1e-4, 0, 0), (0, 0, 0), k[0] / m, "vx")]
            if k[1] > 0:
                cases.append(("twist", (0, 0, 0), (0.1, 0, 0), k[2] / inertia, "wx"))
                for which, square in zip("slow fast".split(), modes):
                    # Of a mode (y, angle): (a - w2) y + K01 / m angle = 0.
                    ratio = (square - a) * m / K[0][1]
                    cases.append((which, (0, 1e-5, 0), (0, 0, 1e-5 * ratio), square, "vy"))
            for name, v, w, square, column in cases:
                with self.subTest(law, mode=name):
                    omega = math.sqrt(square)
                    period = 2 * math.pi / omega
                    more = f'[[body]]\nname = "free"\nshape = "ball"\nmaterial = "m"\nposition = [{L}, 0, 0]\nvelocity = {list(v)}\nangular_velocity = {list(w)}\n'
                    more += '[[measure]]\nkind = "body"\nbody = "free"\nname = "free"\nevery = {}\n'.format(period / 40)
                    rows = self.series(bodies=held, bonds=bond, end=0.24 * period if law == "fibre" else 2 * period, step=period / 2000, more=more)
                    start = float(rows[0][f"free.{column}"])
                    for row in rows:
                        if f"free.{column}" not in row:
                            continue
                        self.assertAlmostEqual(float(row[f"free.{column}"]) / start, math.cos(omega * float(row["time"])), delta=2e-4)

    def test_momentum_and_energy(self):
        """Kept through breaking, in all kinds of bodies; the account closes as the step shrinks."""
        bond = f'[[bond]]\ngap = 0.002\nlaw = "{{}}"\nyoung = {E}\n{{}}\ntensile_strength = 4e4\nshear_strength = 6e4\nweibull = 4\n{{}}'
        laws = {"parallel": "", "beam": f"poisson = {NU}", "softening": "ductility = 3"}
        for kind in ("spheres", "disks", "mixed", "rods"):
            for law, values in laws.items():
                with self.subTest(kind, law=law):
                    planar, off = kind == "disks", []
                    keep = 'contact = "keep"\n' if kind == "rods" else ""
                    for step in (2e-6, 5e-7):
                        rows = self.series(bodies=cluster(kind), bonds=bond.format(law, values, keep + "damping = 0.05\n"), planar=planar, step=step, end=0.006)
                        first, last = rows[0], rows[-1]
                        broken = sum(last[f"bonds.{how}"] for how in ("tension", "shear", "bending"))
                        self.assertGreater(broken, 2)
                        self.assertEqual(last["bonds.holding"] + broken, first["bonds.holding"])
                        scale = first["energy.kinetic_translation"]
                        for row in rows:
                            for part, size in (("p", 1e-12), ("L", 1e-12)):
                                for axis in "xyz":
                                    self.assertAlmostEqual(row[f"momentum.{part}{axis}"], first[f"momentum.{part}{axis}"], delta=size * max(1, abs(scale)))
                        off.append(max(abs(row["energy.total"] - first["energy.total"]) for row in rows) / first["energy.total"])
                    self.assertLess(off[1], 1e-3)
                    self.assertLess(off[1], 0.5 * off[0] + 2e-4)

    def test_strengths(self):
        """Pulled, sheared and twisted apart slowly, a bond breaks at the force of its strength, and says how."""
        radius, L = 0.6 * R, 2 * R
        A, I = math.pi * radius**2, math.pi * radius**4 / 4
        strength = 2e4
        k = self.stiffness("parallel", radius, L, "")
        for how, v, w, expected in (("tension", (0.02, 0, 0), (0, 0, 0), strength * A / k[0] / 0.02),
                                    ("shear", (0, 0, 0), (20, 0, 0), strength * 2 * I / radius / k[2] / 20),
                                    ("bending", (0, 0, 0), (0, 0, 20), None)):
            with self.subTest(how):
                own = {"tension": "tensile_strength", "shear": "shear_strength", "bending": "bending_strength"}[how]
                bond = f'[[bond]]\nname = "glue"\ngap = 1e-6\nyoung = {E}\nradius = 0.6\n{own} = {strength}\n'
                free = f'[[body]]\nname = "free"\nshape = "ball"\nmaterial = "m"\nposition = [{L}, 0, 0]\nvelocity = {list(v)}\nangular_velocity = {list(w)}\nmass = 1e6\ninertia = [1e6, 1e6, 1e6]\n'
                if how == "bending":
                    # Turned about the held one's centre: the middle is not sheared where both ends lean the same way against the chord.
                    free = free.replace("velocity = [0, 0, 0]", f"velocity = [0, {20 * L / 2}, 0]", 1)
                    expected = strength * I / radius / k[3] / 20
                self.series(bodies=HELD.format("held", "[0, 0, 0]"), bonds=bond, end=1.5 * expected, step=expected / 2000, more=free)
                broken = self.lines("bonds.csv")
                self.assertEqual([row["how"] for row in broken], [how])
                self.assertEqual(broken[0]["bond"], "glue")
                self.assertAlmostEqual(float(broken[0]["time"]) / expected, 1, delta=2e-3)
                stiff = {"tension": k[0] * (0.02 * expected) ** 2, "shear": k[2] * (20 * expected) ** 2, "bending": k[3] * (20 * expected) ** 2}[how]
                self.assertAlmostEqual(float(broken[0]["energy"]) / (0.5 * stiff), 1, delta=5e-3)

    def test_friction_of_shear(self):
        """Mohr and Coulomb: pressed by p a bond bears shear of c + p tan(phi)."""
        radius, L, c, p = R, 2 * R, 1e4, 2e4
        k = self.stiffness("parallel", radius, L, "")
        A, I = math.pi * radius**2, math.pi * radius**4 / 4
        for degrees in (0, 40):
            bond = f'[[bond]]\ngap = 1e-6\nyoung = {E}\nshear_strength = {c}\nfriction_angle = "{degrees} deg"\n'
            # Pressed at once by a speed, then twisted.
            press = p * A / k[0]
            time = 1e-3
            rate = (c + p * math.tan(math.radians(degrees))) * 2 * I / radius / k[2] / time
            free = f'[[body]]\nname = "free"\nshape = "ball"\nmaterial = "m"\nposition = [{L}, 0, 0]\nvelocity = [{-press / time}, 0, 0]\nangular_velocity = [{rate}, 0, 0]\nmass = 1e6\ninertia = [1e6, 1e6, 1e6]\n'
            self.series(bodies=HELD.format("held", "[0, 0, 0]"), bonds=bond, end=1.5 * time, step=time / 2000, more=free)
            # Both grow in time: c + p t / T tan = (c + p tan) t / T, at T.
            self.assertAlmostEqual(float(self.lines("bonds.csv")[0]["time"]) / time, 1, delta=2e-3)

    def test_softening(self):
        """What is borne falls in a straight line to nothing: half the strength times the stretch at the end is the energy it takes."""
        radius, L, strength, ductility = R, 2 * R, 2e5, 4
        k = self.stiffness("parallel", radius, L, "")
        A = math.pi * radius**2
        u0 = strength * A / k[0]
        bond = f'[[bond]]\ngap = 1e-6\nlaw = "softening"\nyoung = {E}\ntensile_strength = {strength}\nductility = {ductility}\n'
        free = f'[[body]]\nname = "free"\nshape = "ball"\nmaterial = "m"\nposition = [{L}, 0, 0]\nvelocity = [0.02, 0, 0]\nmass = 1e6\ninertia = [1e6, 1e6, 1e6]\n'
        end = 1.2 * ductility * u0 / 0.02
        rows = self.series(bodies=HELD.format("held", "[0, 0, 0]"), bonds=bond, end=end, step=end / 20000, more=free)
        self.assertAlmostEqual(float(self.lines("bonds.csv")[0]["time"]), ductility * u0 / 0.02, delta=2e-3 * end)
        self.assertAlmostEqual(rows[-1]["bonds.dissipated"] / (0.5 * strength * A * ductility * u0), 1, delta=2e-3)

    def test_broken_is_as_never_bonded(self):
        """From the step on at which its bond broke, a pair touches as one that never had one: the same bits."""
        self.breaks_without_trace(step=1e-6, delta=1e-9)

    def test_restarts_threads_and_searches(self):
        for kind in ("spheres", "disks", "mixed", "rods"):
            for precision in ("double", "mixed"):
                with self.subTest(kind, precision=precision):
                    how = ("--precision", precision)
                    keep = 'contact = "keep"\n' if kind == "rods" else ""
                    scene = dict(bodies=cluster(kind), planar=kind == "disks", step=4e-6, end=0.006,
                                 bonds=f'[[bond]]\ngap = 0.002\nlaw = "softening"\nductility = 2\nyoung = {E}\ntensile_strength = 4e4\nshear_strength = 6e4\ndamping = 0.1\nweibull = 4\n{keep}')
                    self.series(*how, **scene)
                    whole, files = self.summary("run")["state_hash"], [(self.folder / "run" / name).read_text() for name in ("bonds.csv", "fragments.csv")]
                    for until in (0.0007, 0.0023, 0.0041):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", until, *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole, until)
                        self.assertEqual([(self.folder / "half" / name).read_text() for name in ("bonds.csv", "fragments.csv")], files)
                    for other in ('search = "brute"', 'skin = "0.1 mm"', 'skin = "1 mm"'):
                        self.series(*how, **dict(scene, method=other))
                        self.assertEqual(self.summary("run")["state_hash"], whole, other)

    def test_across_borders(self):
        """A chain that closes over a periodic border: shifted, it moves the same, and all of it holds together."""
        n, L = 6, 0.01
        domain = f'min = [0, -1, -1]\nmax = [{n * L}, 1, 1]\nperiodic = "x"\n'
        text = lambda by: "".join(body("ball", [(i + 0.5) * L + by, 0, 0], [0.2 * math.sin(i), 0.1 * math.cos(2 * i), 0.05 * i]) for i in range(n))
        bonds = f'[[bond]]\ngap = 1e-6\nyoung = {E}\n'
        runs = [self.series(bodies=text(by), bonds=bonds, domain=domain, end=0.005) for by in (0, 0.0273)]
        self.assertEqual(runs[0][0]["bonds.holding"], n)
        for one, other in zip(*runs):
            for name in ("energy.kinetic_translation", "energy.kinetic_rotation", "bonds.elastic", "momentum.px", "momentum.py"):
                self.assertAlmostEqual(one[name], other[name], delta=1e-9 * runs[0][0]["energy.total"] if "momentum" not in name else 1e-12)
            self.assertAlmostEqual(one["energy.total"], runs[0][0]["energy.total"], delta=5e-3 * runs[0][0]["energy.total"])

    def test_streams_over_borders(self):
        """Bodies that go and come back while bonds break, with the account of energy: the same bits as without it, and it holds."""
        domain = 'min = [-0.006, -0.006, -0.5]\nmax = [0.0255, 0.0255, 0.5]\nperiodic = "xy"\n'
        bodies = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nvelocity = [0.1, 0.03, -1]\nplace = { lattice = [3, 3, 12], spacing = 0.01, origin = [0, 0, 0] }\n'
        more = ('[[remove]]\nevery = 0.002\nregion = { box = [[-0.006, -0.006, -1], [0.0255, 0.0255, -0.003]] }\n'
                'recycle = { region = { box = [[-0.006, -0.006, 0.15], [0.0255, 0.0255, 0.25]] }, velocity = [0, 0, -1] }\n')
        bonds = f'[[bond]]\ngap = 1e-6\nyoung = {E}\ntensile_strength = 1e5\n'
        hashes = []
        for account in (True, False):
            self.write(bodies=bodies, bonds=bonds, domain=domain, more=more, end=0.06)
            text = (self.folder / "scene.toml").read_text()
            if not account:
                text = text.replace('kind = "energy"', 'kind = "max_overlap"')
            (self.folder / "scene.toml").write_text(text)
            self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
            hashes.append(self.summary("run")["state_hash"])
        self.assertEqual(*hashes)

    def test_what_overlaps_as_its_bond_breaks(self):
        """Contacts that begin overlapped as bonds break are charged, also over a restart in the step in which one breaks."""
        bodies = body("ball", [0, 0, 0], [0, 0, 0]) + body("ball", [0.0095, 0, 0], [0, 0.3, 0], material="n")
        scene = dict(bodies=bodies, bonds=f'[[bond]]\ngap = 1e-6\nyoung = {E}\nshear_strength = 1e4\n', end=0.001, step=1e-6)
        rows = self.series(**scene)
        self.assertEqual(rows[-1]["bonds.shear"], 1)
        self.assertLess(rows[-1]["bonds.dissipated"], 0)
        for row in rows:
            self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=5e-3 * abs(rows[-1]["bonds.dissipated"]))
        at = float(self.lines("bonds.csv")[0]["time"])
        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", at)
        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q")
        # The charge is taken half a step on, by speeds that a run which ends there has not kicked yet.
        for one, other in zip(rows, self.read_series("half")):
            for name, value in one.items():
                self.assertAlmostEqual(value, other[name], delta=1e-5 * abs(rows[-1]["bonds.dissipated"]) if "energy" in name or "bonds" in name else 0)

    def test_forces_are_there_at_the_step_at_which_a_bond_breaks(self):
        """Stress from the forces of pairs is the same whether energy is measured or not, and does not jump as bonds break, whose grains touch on."""
        (self.folder / "alone.toml").write_text(CRUSHED)
        (self.folder / "both.toml").write_text(CRUSHED + '[[measure]]\nkind = "energy"\nevery = 1e-7\n')
        for name in ("alone", "both"):
            self.scree("run", f"{name}.toml", "-o", name, "-q")
        self.assertEqual(self.summary("alone")["state_hash"], self.summary("both")["state_hash"])
        alone, both = self.read_series("alone"), self.read_series("both")
        broken = (self.folder / "alone" / "bonds.csv").read_text().splitlines()[1:]
        self.assertGreater(len(broken), 8)
        pressure = [row["stress.pressure"] for row in alone]
        self.assertEqual(pressure, [row["stress.pressure"] for row in both])
        largest = max(pressure)
        self.assertLess(max(abs(b - a) for a, b in zip(pressure, pressure[1:])), 0.05 * largest)  # forces that are lost make 0.055

    def test_strain_of_a_cell(self):
        """A bonded lattice in a cell that is strained bears E A / d^2 times the strain, and the cell's work is what it holds."""
        n, d = 4, 0.01
        domain = f'min = [0, 0, 0]\nmax = [{n * d}, {n * d}, {n * d}]\nperiodic = "xyz"\n[[domain.stage]]\nz = {{ rate = 0.05 }}\n'
        bodies = f'[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = {{ lattice = [{n}, {n}, {n}], spacing = {d}, origin = [0.005, 0.005, 0.005] }}\n'
        rows = self.series(bodies=bodies, bonds=f'[[bond]]\ngap = 1e-6\nyoung = {E}\n', domain=domain, end=0.1, more='[[measure]]\nkind = "stress"\nevery = 0.01\n')
        row = [row for row in rows if "stress.zz" in row][-1]
        strain = math.exp(0.05 * row["time"]) - 1
        self.assertAlmostEqual(-row["stress.zz"] / (E * math.pi * R**2 / d**2 * strain), 1, delta=0.02)
        self.assertAlmostEqual(rows[-1]["energy.work_of_walls"] / rows[-1]["energy.total"], 1, delta=0.01)
        scene = dict(bodies=bodies, bonds=f'[[bond]]\ngap = 1e-6\nyoung = {E}\n', domain=domain.replace("rate = 0.05", "stress = 100"))
        self.write(**scene)
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn("answers to contacts alone", error)

    def test_strong_dashpots_and_clumps(self):
        """The automatic step holds where dashpots are far past critical, and where a clump has many bonds."""
        for kind, more in (("spheres", "damping = 10\n"), ("rods", 'contact = "keep"\ndamping = 2\n'), ("disks", "damping = 4\n")):
            with self.subTest(kind):
                rows = self.series(bodies=cluster(kind), bonds=f'[[bond]]\ngap = 0.005\nyoung = {E}\n{more}', planar=kind == "disks", end=0.002)
                for row in rows:
                    self.assertAlmostEqual(row["energy.total"] / rows[0]["energy.total"], 1, delta=0.02)

    def test_fragments(self):
        """A chain cut by a weak table in its middle falls into two parts, told with their masses."""
        bodies = "".join(body("ball", [0.01 * i, 0, 0], [-1 if i < 4 else 1, 0, 0]) for i in range(7))
        bonds = f'[[bond]]\nname = "weak"\npairs = [3, 4]\nyoung = {E}\ntensile_strength = 1\n[[bond]]\nname = "strong"\ngap = 1e-6\nyoung = {E}\n'
        rows = self.series(bodies=bodies, bonds=bonds, end=0.001)
        m = 2500 * 4 / 3 * math.pi * R**3
        self.assertEqual((rows[0]["bonds.fragments"], rows[-1]["bonds.fragments"]), (1, 2))
        self.assertAlmostEqual(rows[-1]["bonds.largest_mass"] / (4 * m), 1, delta=1e-12)
        self.assertEqual([int(row["bodies"]) for row in self.lines("fragments.csv")], [4, 3])
        self.assertEqual([(row["bond"], row["a"], row["b"], row["how"]) for row in self.lines("bonds.csv")], [("weak", "3", "4", "tension")])

    def test_file_and_columns(self):
        """Bonds from a file, as bonds.csv names them; frames tell of each body's damage and part, and start a scene again."""
        bodies = "".join(body("ball", [0.01 * i, 0, 0], [-1 if i < 2 else 1, 0, 0]) for i in range(4))
        (self.folder / "pairs.csv").write_text("a,b,strength\n2,1,x\n")
        rows = self.series(bodies=bodies, end=0.001, bonds=f'[[bond]]\nfile = "pairs.csv"\nyoung = {E}\ntensile_strength = 1\n[[bond]]\npairs = [0, 1]\nyoung = {E}\n')
        self.assertEqual((rows[0]["bonds.holding"], rows[-1]["bonds.holding"]), (2, 1))
        last = self.last()
        self.assertEqual([float(last[i]["damage"]) for i in range(4)], [0, 0.5, 1, 0])
        self.assertEqual([float(last[i]["fragment"]) for i in range(4)], [0, 0, 2, -1])
        frame = sorted((self.folder / "run" / "csv").glob("frame_0*.csv"))[-1]
        again = f'[[bodies]]\nmaterial = "m"\nplace = {{ file = "{frame}" }}\n'
        self.series(bodies=again, bonds=f'[[bond]]\nfile = "run/bonds.csv"\nyoung = {E}\n', end=0.001, out="again")
        for text, told in (("a,c\n", 'no column "b"'), ("a,b\n0\n", "expected 2 fields"), ("a,b\n0,9\n", "the bodies are 0 to 3"), ("a,b\n0,x\n", "x")):
            (self.folder / "pairs.csv").write_text(text)
            self.write(bodies=bodies, bonds=f'[[bond]]\nfile = "pairs.csv"\nyoung = {E}\n')
            _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
            self.assertIn(told, error)
            self.assertRegex(error, r"pairs\.csv:\d+")

    def test_removed_bodies(self):
        """A body that leaves takes its bonds with it."""
        bodies = "".join(body("ball", [0.01 * i, 0, 0], [1, 0, 0]) for i in range(3))
        rows = self.series(bodies=bodies, bonds=f'[[bond]]\ngap = 1e-6\nyoung = {E}\n', end=0.02, domain='min = [-1, -1, -1]\nmax = [0.03, 1, 1]\nleave = "remove"\n')
        self.assertEqual(rows[-1]["bonds.removed"], rows[0]["bonds.holding"] - rows[-1]["bonds.holding"])
        self.assertGreater(rows[-1]["bonds.removed"], 0)
        self.assertEqual({row["how"] for row in self.lines("bonds.csv")}, {"removed"})

    def test_what_comes_back_touches(self):
        """A body that leaves its bond behind and comes back touches what it was bonded to."""
        bodies = body("ball", [0, 0, 0]) + body("ball", [0.01, 0, 0])
        more = ('[[remove]]\nevery = 0.001\nregion = { box = [[0.006, -0.01, -0.01], [0.02, 0.01, 0.01]] }\n'
                'recycle = { region = { box = [[-0.0051, -0.0051, 0.03], [0.0051, 0.0051, 0.045]] }, velocity = [0, 0, -1] }\n')
        for contact in ("skip", "keep"):
            rows = self.series(bodies=bodies, bonds=f'[[bond]]\ngap = 1e-6\nyoung = {E}\ncontact = "{contact}"\n', more=more, end=0.06)
            self.assertEqual(rows[-1]["bonds.removed"], 1)
            self.assertLess(float(self.last()[0]["vz"]), -0.1)

    def test_refuses(self):
        two = body("ball", [0, 0, 0]) + body("ball", [0.01, 0, 0])
        bond = "[[bond]]\nyoung = 1e7\n"
        cases = [
            (bond, "give one of gap, pairs, file and on_touch"),
            (bond + "gap = 1e-6\npairs = [0, 1]\n", "give one of gap, pairs, file and on_touch"),
            (bond + "pairs = [0, 1, 0]\n", "odd number"),
            (bond + "pairs = [0, 7]\n", "the bodies are 0 to 1"),
            (bond + "pairs = [1, 1]\n", "which are one"),
            (bond + "pairs = [0, 1, 1, 0]\n", "twice"),
            (bond + "gap = 1e-6\n" + 'materials = ["n"]\n', "bonds nothing"),
            ("[[bond]]\ngap = 1e-6\n", "young"),
            (bond + "gap = 1e-6\ntensile_strength = 0\n", "above 0"),
            (bond + 'gap = 1e-6\nlaw = "softening"\nductility = 3\n', "weakens past a strength"),
            (bond + 'gap = 1e-6\nlaw = "softening"\nductility = 1\ntensile_strength = 1\n', "must be above 1"),
            (bond + "gap = 1e-6\npoisson = 0.2\n", "poisson"),
            (bond + 'name = "a"\ngap = 1e-6\n' + bond + 'name = "a"\ngap = 1e-6\n', "its own name"),
        ]
        for bonds, told in cases:
            with self.subTest(told):
                self.write(bodies=two, bonds=bonds)
                _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
                self.assertIn(told, error)
                self.assertRegex(error, r"scene\.toml:\d+:\d+")
                self.assertFalse((self.folder / "refused").exists())
        for method, told in (('kind = "hard"', "compounds or joints"),):
            self.write(bodies=two, bonds=bond + "gap = 1e-6\n", method=method)
            text = (self.folder / "scene.toml").read_text().replace("overlap_warning = 0.3\n", "")
            (self.folder / "scene.toml").write_text(text)
            _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
            self.assertIn(told, error)
        rods = body("rod", [0, 0, 0]) + body("ball", [0.012, 0, 0])
        self.write(bodies=rods, bonds=bond + "gap = 0.002\n")
        _, error = self.scree("run", "scene.toml", "-o", "refused", "-q", code=2)
        self.assertIn('contact = "keep"', error)


if __name__ == "__main__":
    unittest.main()
