#!/usr/bin/env python3
"""What acts on bodies wherever they are: gravity that changes, frames that shake, media that slow down; against closed forms, energy, restarts to the bit,
and what is refused."""

import math
import unittest

from program import BALANCES, ProgramTest

SCENE = """dimensions = {dimensions}
{drags}
[time]
end = {end}
step = {step}
[domain]
{domain}
[method]
{method}
[material.m]
density = {density}
young = {young}
poisson = 0.3
restitution = 0.4
friction = 0.4
{shapes}
{bodies}
{walls}
{measures}
"""
SHAPES = """[shape.ball]
kind = "sphere"
radius = 0.001
[shape.box]
kind = "box"
edges = [0.002, 0.002, 0.002]
[shape.brick]
kind = "box"
edges = [0.004, 0.002, 0.001]
[shape.rod]
kind = "clump"
spheres = [[0, 0, 0, 0.001], [0.003, 0, 0, 0.001]]
"""
DISKS = """[shape.ball]
kind = "disk"
radius = 0.001
[shape.box]
kind = "polygon"
corners = [[0, 0], [0.002, 0], [0.002, 0.002], [0, 0.002]]
"""
G = 9.81
RHO, VISCOSITY, FLUID = 2500.0, 0.1, 1000.0  # of the balls; of a thick liquid
VOLUME = {"ball": 4 / 3 * math.pi * 1e-9, "box": 8e-9, "brick": 8e-9, "rod": 8 / 3 * math.pi * 1e-9}


def body(shape="ball", name="b", at="[0, 0, 0]", **more):
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[body]]\nname = "{name}"\nshape = "{shape}"\nmaterial = "m"\nposition = {at}\n{lines}'


def drag(law="stokes", more="", **keys):
    if law != "damping":
        keys = {"density": FLUID, **keys}
    return f'[[drag]]\nlaw = "{law}"\n' + "".join(f"{key} = {value}\n" for key, value in keys.items()) + more


def measure(kind, every, **keys):
    return f'[[measure]]\nkind = "{kind}"\nevery = {every}\n' + "".join(f"{key} = {value}\n" for key, value in keys.items())


class Fields(ProgramTest):
    def write(self, name="scene.toml", end=0.1, step="1e-4", domain="gravity = [0, 0, -9.81]", method="", bodies="", walls="", drags="", measures="", dimensions=3,
              density=RHO, young='"1 mPa"'):
        shapes = SHAPES if dimensions == 3 else DISKS
        text = SCENE.format(end=end, step=step, domain=domain, method=method, bodies=bodies, walls=walls, drags=drags, measures=measures, dimensions=dimensions,
                            shapes=shapes, density=density, young=young)
        (self.folder / name).write_text(text)

    def series(self, *how, out="run", **scene):
        self.write(**scene)
        self.scree("run", "scene.toml", "-o", out, "--overwrite", "-q", *how)
        return self.read_series(out)

    def of(self, rows, name="b", what="vz"):
        return [row[f"{name}.{what}"] for row in rows]

    def test_falls_through_a_liquid(self):
        """Stokes' law with buoyancy: v(t) = v_end (1 - exp(-t / tau)) for any shape by its volume, under both methods; the end to second order of the step."""
        shapes = ["ball", "box", "brick", "rod"]
        bodies = "".join(body(shape, shape, f"[{0.02 * k}, 0, 0]") for k, shape in enumerate(shapes))
        measures = "".join(measure("body", 0.005, name=f'"{shape}"', body=f'"{shape}"') for shape in shapes)
        for method in ("", 'kind = "cone"'):
            with self.subTest(method=method):
                rows = self.series(bodies=bodies, measures=measures, method=method, drags=drag("stokes", viscosity=VISCOSITY, buoyancy="true"), end=0.2)
                for shape in shapes:
                    volume = VOLUME[shape]
                    radius, mass = (3 * volume / (4 * math.pi)) ** (1 / 3), RHO * volume
                    rate = 6 * math.pi * VISCOSITY * radius / mass
                    end = (RHO - FLUID) * volume * G / (rate * mass)
                    for row in rows[1:]:
                        expected = -end * (1 - math.exp(-rate * row["time"]))
                        # Of a step's kick: the first half of it is there before anything slows it down.
                        self.assertAlmostEqual(row[f"{shape}.vz"] / end, expected / end, delta=(1.0 if method else 0.6) * rate * 1e-4)
                    self.assertAlmostEqual(-rows[-1][f"{shape}.vz"] / end, 1, delta=(rate * 1e-4 if method else (rate * 1e-4) ** 2) + 2 * math.exp(-rate * 0.2))

    def test_ways(self):
        """Ways, not velocities alone, to second order of the step: a fall through a liquid, what floats, what stops, and steps that double quarter the error."""
        radius, mass = 0.001, RHO * VOLUME["ball"]
        rate = 6 * math.pi * VISCOSITY * radius / mass
        end = (RHO - FLUID) / RHO * G / rate
        off = []
        for step in (4e-3, 2e-3):
            for method in ("", 'kind = "cone"'):
                with self.subTest(method=method, step=step):
                    rows = self.series(bodies=body(), measures=measure("body", 0.1, name='"b"', body='"b"'), method=method, end=0.4, step=repr(step),
                                       drags=drag("stokes", viscosity=VISCOSITY, buoyancy="true"))
                    speed = (rows[-1]["b.z"] - rows[-2]["b.z"]) / (rows[-1]["time"] - rows[-2]["time"])
                    expected = 1 if method else 0.5 * rate * step / math.sinh(0.5 * rate * step)
                    self.assertAlmostEqual(-speed / end, expected, delta=2 * math.exp(-rate * 0.3) + 1e-6)
                    last = rows[-1]["time"]
                    if not method:
                        off.append(abs(rows[-1]["b.z"] + end * (last - (1 - math.exp(-rate * last)) / rate)))
        self.assertLess(off[1], 0.3 * off[0])
        # As dense as the liquid, whatever gravity does.
        (self.folder / "g.csv").write_text("time, x, z\n0, 0, 0\n0.1, 9.81, -9.81\n")
        for domain in ("gravity = [0, 0, -9.81]", 'gravity_table = "g.csv"', "gravity = [0, 0, -9.81]\nacceleration = { y = { amplitude = 30, frequency = 7 } }"):
            rows = self.series(bodies=body("rod", velocity="[0, 0, 0]"), measures=measure("body", 0.1, name='"b"', body='"b"'), end=0.3, step="3e-3", density=FLUID, domain=domain,
                               drags=drag("stokes", viscosity=VISCOSITY, buoyancy="true"))
            for axis in "xyz":
                self.assertAlmostEqual(rows[-1]["b." + axis], rows[0]["b." + axis], delta=1e-12)
        rows = self.series(bodies=body(velocity="[1, 0, 0]"), measures=measure("body", 0.5, name='"b"', body='"b"'), end=1, step="2e-4", domain="gravity = [0, 0, 0]",
                           drags=drag("damping", rate=1000))
        self.assertAlmostEqual(rows[-1]["b.x"] / 1e-3, 1 - 0.2**2 / 24, delta=1e-4)

    def test_rests_and_swings_as_under_gravity(self):
        """What pulls over time, steadily: a ball lies still and a pendulum and a wall with a mass go as under gravity itself, under both methods."""
        floor = '[[wall]]\nname = "floor"\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n'
        pulls = ("gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]\nacceleration = { z = -9.81 }", 'gravity_table = "steady.csv"')
        (self.folder / "steady.csv").write_text("time, z\n0, -9.80\n1e-9, -9.81\n")
        for method, step in (("", '"auto"'), ('kind = "cone"', "1e-3")):
            ends = []
            for domain in pulls:
                rows = self.series(bodies=body(at="[0, 0, 0.001]"), walls=floor, domain=domain, method=method, step=step, end=0.3, young='"5 MPa"',
                                   measures=measure("body", 0.1, name='"b"', body='"b"') + measure("wall_load", 0.1, name='"load"'))
                self.assertAlmostEqual(rows[-1]["b.z"] / 0.001, 1, delta=1e-3)
                # Of the cone method velocities that are shown are half a kick of what is beside gravity ahead.
                self.assertLess(abs(rows[-1]["b.vz"]), 0.51 * G * float(step) if method else 1e-5)
                self.assertAlmostEqual(-rows[-1]["load.floor.fz"] / (G * RHO * VOLUME["ball"]), 1, delta=1e-2)
                ends.append(rows[-1]["b.az"])
            joint = '[[joint]]\nname = "j"\nkind = "spherical"\nbetween = ["b", "ground"]\npoint = [0, 0, 0]\n'
            for damped in ("", drag("damping", rate=3)):
                ends = []
                for domain in pulls:
                    rows = self.series(bodies=body(at="[0.02, 0, 0]") + joint, domain=domain, method=method, step="1e-4", end=0.2, drags=damped,
                                       measures=measure("body", 0.05, name='"b"', body='"b"'))
                    ends.append(rows[-1])
                self.assertLess(min(row["b.z"] for row in rows), -0.01)
                for other in ends[1:]:
                    for key in ("b.x", "b.z"):
                        self.assertAlmostEqual(other[key] / 0.02, ends[0][key] / 0.02, delta=6e-3)  # joints: half a step behind
                    self.assertAlmostEqual(math.hypot(other["b.x"], other["b.z"]) / 0.02, 1, delta=1e-6)

    def test_nothing_is_missed_that_a_medium_drives(self):
        """A medium that takes a ball along at once does not take it through a wall, under the cone method neither."""
        quad = '[[wall]]\nname = "q"\nkind = "quad"\ncorners = [[-1, -1, 0.003], [1, -1, 0.003], [1, 1, 0.003], [-1, 1, 0.003]]\nmaterial = "m"\n'
        for speed in (0.4, 1, 3, 6, 20):
            for method, step in (("", "1e-5"), ('kind = "cone"', "1e-4"), ('kind = "cone"', "1e-3")):
                with self.subTest(speed=speed, method=method, step=step):
                    self.write(bodies=body(), walls=quad, domain="gravity = [0, 0, 0]", method=method, step=step, end=0.05, young='"5 MPa"',
                               drags=drag("damping", rate=1e6, more=f"from = 0.005\nto = 0.006\nvelocity = {{ z = {speed} }}\n"), measures=measure("body", 0.05, name='"b"', body='"b"'))
                    process = self.start("run", "scene.toml", "-o", "run", "--overwrite", "-q")
                    process.communicate()
                    if process.returncode == 0:  # else it said that the step is too long
                        self.assertLess(self.read_series("run")[-1]["b.z"], 0.003)

    def test_runs_again_as_it_was_resolved(self):
        """The scene with all defaults that a run leaves is one that runs to the same state."""
        (self.folder / "g.csv").write_text("time, x, z\n0, 0, -9.81\n0.1, 9.81, 0\n")
        for more in (dict(drags=drag("damping", rate=5)), dict(domain='gravity_table = "../g.csv"'), dict(domain="gravity = [0, 0, 0]\nacceleration = { x = { amplitude = 3, frequency = 9 } }")):
            self.write(bodies=body(), **more)
            if "domain" in more:
                (self.folder / "scene.toml").write_text((self.folder / "scene.toml").read_text().replace("../g.csv", "g.csv"))
            self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
            resolved = (self.folder / "run" / "scene.toml").read_text()
            (self.folder / "again.toml").write_text(resolved)
            self.scree("run", "again.toml", "-o", "again", "--overwrite", "-q")
            self.assertEqual(self.summary("again")["state_hash"], self.summary("run")["state_hash"])

    def test_walls_keep_their_own_harmonics(self):
        """A wall whose harmonics have no frequency rests, and leaves those of the next to it."""
        ball = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0, 0, 1.00095]] }\n'
        low = '[[wall]]\nname = "low"\nkind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = "m"\n{}'
        high = '[[wall]]\nname = "high"\nkind = "quad"\ncorners = [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]\nmaterial = "m"\nmotion = { harmonics = [{ amplitude = [0, 0, 1e-3], frequency = 50 }] }\n'
        hashes = []
        for still in ("", "motion = { harmonics = [{ amplitude = [0, 0, 5e-3], frequency = 0 }] }\n", "motion = { oscillation = { amplitude = [0, 0, 5e-3], frequency = 0 } }\n"):
            self.series(bodies=ball, walls=low.format(still) + high, end=0.02, step='"auto"', young='"5 MPa"', measures=measure("count", 0.01))
            hashes.append(self.summary("run")["state_hash"])
        self.assertEqual(len(set(hashes)), 1)

    def test_terminal_velocities(self):
        """Schiller-Naumann and the quadratic law: the speed at which drag bears the weight, solved for apart; with steps far longer than it takes to get there."""
        def balance(force):
            low, high = 0.0, 100.0
            weight = (RHO - FLUID) * VOLUME["ball"] * G
            for _ in range(200):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if force(middle) < weight else (low, middle)
            return low

        def schiller_naumann(viscosity):
            def force(v):
                reynolds = 0.002 * FLUID * v / viscosity
                c = 24 / reynolds * (1 + 0.15 * reynolds ** 0.687) if reynolds < 1000 else 0.44
                return 0.5 * c * FLUID * math.pi * 1e-6 * v * v
            return force

        for law, keys, force in [("schiller_naumann", dict(viscosity=1e-3), schiller_naumann(1e-3)), ("schiller_naumann", dict(viscosity=1e-5), schiller_naumann(1e-5)),
                                 ("schiller_naumann", dict(viscosity=1.0), schiller_naumann(1.0)),
                                 ("quadratic", dict(coefficient=0.5), lambda v: 0.5 * 0.5 * FLUID * math.pi * 1e-6 * v * v)]:
            for step in ("1e-4", "5e-3"):
                with self.subTest(law, step=step, **keys):
                    rows = self.series(bodies=body(), measures=measure("body", 0.1, name='"b"', body='"b"'), drags=drag(law, buoyancy="true", **keys), end=2, step=step)
                    expected = balance(force)
                    # The kick of gravity in a step comes between two of drag: its share of the way there is squared.
                    rate = G * (1 - FLUID / RHO) / expected * float(step)
                    self.assertAlmostEqual(-self.of(rows)[-1] / expected, 1, delta=1e-4 + 0.6 * rate if rate < 1 else 1.5 * rate)

    def test_damps_in_a_region_and_time(self):
        """Damping: v and spin decay exponentially, exactly for any step, inside the region and between the times alone, towards the medium's velocity."""
        bodies = body(name="in", at="[0, 0, 0]", velocity="[1, 0, 0]", angular_velocity="[0, 0, 30]") + body(name="out", at="[0, 0.5, 0]", velocity="[1, 0, 0]")
        bodies += body("brick", "brick", at="[0, -0.1, 0]", velocity="[1, 0, 0]", angular_velocity="[0, 0, 30]")
        measures = "".join(measure("body", 0.01, name=f'"{name}"', body=f'"{name}"') for name in ("in", "out", "brick"))
        medium = drag("damping", rate=20, spin_rate=50, more='region = { box = [[-9, -0.2, -1], [9, 0.2, 1]] }\nfrom = 0.02\nto = 0.06\nvelocity = { y = 0.3, x = { constant = 0.1 } }\n')
        for method in ("", 'kind = "cone"'):
            with self.subTest(method=method):
                rows = self.series(bodies=bodies, measures=measures, drags=medium, domain="gravity = [0, 0, 0]", method=method)
                for row in rows:
                    slowed = math.exp(-20 * min(max(row["time"] - 0.02, 0), 0.04))
                    for name in ("in", "brick"):
                        self.assertAlmostEqual(row[f"{name}.vx"], 0.1 + 0.9 * slowed, delta=1e-9)
                        self.assertAlmostEqual(row[f"{name}.vy"], 0.3 * (1 - slowed), delta=1e-9)
                        self.assertAlmostEqual(row[f"{name}.wz"], 30 * slowed ** 2.5, delta=1e-8)
                    self.assertEqual(row["out.vx"], 1)

    def test_couple(self):
        """The couple of Stokes on a ball's spin: w' = -8 pi viscosity r^3 w / I."""
        rows = self.series(bodies=body(angular_velocity="[0, 0, 30]"), measures=measure("body", 0.01, name='"b"', body='"b"'),
                           drags=drag("stokes", viscosity=VISCOSITY, buoyancy="true"), domain="gravity = [0, 0, 0]")
        rate = 8 * math.pi * VISCOSITY * 1e-9 / (0.4 * RHO * VOLUME["ball"] * 1e-6)
        for row in rows:
            self.assertAlmostEqual(row["b.wz"], 30 * math.exp(-rate * row["time"]), delta=1e-9)

    def test_gravity_that_turns(self):
        """A table and a sum: free flight under gravity that changes straight over time, x = v t + g0 t^2 / 2 + g' t^3 / 6."""
        (self.folder / "g.csv").write_text("time, x, z\n0, 0, -9.81\n0.1, 9.81, 0\n")
        rows = self.series(bodies=body(), measures=measure("body", 0.01, name='"b"', body='"b"') + measure("energy", 0.01), domain='gravity_table = "g.csv"')
        for row in rows:
            t = row["time"]
            self.assertAlmostEqual(row["b.vx"], 98.1 * t * t / 2, delta=98.1 * 1e-4 * max(t, 1e-4))
            self.assertAlmostEqual(row["b.x"], 98.1 * t ** 3 / 6, delta=1e-5)
            self.assertAlmostEqual(row["b.z"], -G * t * t / 2 + 98.1 * t ** 3 / 6, delta=1e-5)
            self.assertAlmostEqual(row["energy.total"] - row["energy.work_of_fields"], 0, delta=3e-3 * row["energy.kinetic_translation"])  # half a kick of the change

    HEAP = """[[bodies]]
shape = "ball"
material = "m"
place = { lattice = [5, 5, 4], spacing = 0.00205, origin = [0.0011, 0.0011, 0.0011], jitter = 0.02 }
"""
    BOX = '[[wall]]\nname = "box"\nkind = "box"\nmin = [0, 0, 0]\nmax = [0.0106, 0.0106, 0.05]\nmaterial = "m"\n{motion}'
    SHAKE = "{ amplitude = 40, frequency = 60 }"

    def test_a_frame_that_shakes(self):
        """A box that two harmonics shake, and the same seen from the box: the acceleration of its frame acts on all bodies. Way and speeds agree as both converge."""
        def shaken(inertial, step):
            if inertial:
                # shift'' = -(acceleration of the frame's bodies); from rest: a (1 - cos w t) / w^2 is harmonic, phase -90 degrees
                parts = ", ".join(f"{{ amplitude = [{x}, 0, {z}], frequency = {f}, phase = {-math.pi / 2!r} }}"
                                  for x, z, f in ((4 / (2 * math.pi * 60) ** 2, 0, 60), (0, 3 / (2 * math.pi * 35) ** 2, 35)))
                motion = f"motion = {{ harmonics = [{parts}] }}\n"
                domain = "gravity = [0, 0, -9.81]"
            else:
                motion = ""
                domain = ("gravity = [0, 0, -9.81]\nacceleration = { "
                          f"x = {{ amplitude = -4, frequency = 60, phase = {math.pi / 2!r} }}, z = {{ amplitude = -3, frequency = 35, phase = {math.pi / 2!r} }} }}")
            last = self.series(bodies=body(at="[0.005, 0.005, 0.00099]"), walls=self.BOX.format(motion=motion), measures=measure("body", 0.004, name='"b"', body='"b"'),
                               domain=domain, end=0.04, step=step, method='law = "linear"\nstiffness = 3000')
            out = []
            for row in last[1:]:
                t = row["time"]
                shift = [4 / (2 * math.pi * 60) ** 2 * (1 - math.cos(2 * math.pi * 60 * t)), 3 / (2 * math.pi * 35) ** 2 * (1 - math.cos(2 * math.pi * 35 * t))]
                out.append((row["b.x"] - (shift[0] if inertial else 0), row["b.z"] - (shift[1] if inertial else 0)))
            return out

        apart = []
        for step in ("2e-6", "5e-7", "1.25e-7"):
            one, other = shaken(True, step), shaken(False, step)
            apart.append(max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in zip(one, other)))
        self.assertLess(apart[-1], 2e-7)
        self.assertLess(apart[-1], 0.7 * apart[0])

    def bed(self, **more):
        measures = BALANCES.format(every=0.005) + measure("count", 0.005)
        domain = "gravity = [0, 0, -9.81]\nacceleration = { x = { amplitude = 8, frequency = 40 } }"
        drags = drag("schiller_naumann", viscosity=1e-3, buoyancy="true", more='velocity = { x = 0.2 }\nregion = { plane = { point = [0, 0, 0.002], normal = [0, 0, 1] } }\n')
        return {**dict(bodies=self.HEAP, walls=self.BOX.format(motion=""), measures=measures, domain=domain, drags=drags, end=0.04, step='"auto"', young='"5 MPa"'), **more}

    def test_energy_and_restarts(self):
        """A bed that is shaken in a stream: total less the work of fields stays; same bits over restarts, threads, skins, and the search of all pairs, in fused steps too."""
        mixed_shapes = self.HEAP + '[[bodies]]\nshape = "rod"\nmaterial = "m"\nplace = { at = [[0.003, 0.005, 0.014], [0.003, 0.007, 0.017]] }\n'
        mixed_shapes += '[[bodies]]\nshape = "brick"\nmaterial = "m"\nplace = { at = [[0.005, 0.003, 0.014], [0.004, 0.004, 0.020]] }\n'
        for name, scene in (("balls", self.bed()), ("all", self.bed(bodies=mixed_shapes)), ("cone", self.bed(method='kind = "cone"', step="2e-4"))):
            for precision in ("double", "mixed"):
                with self.subTest(name, precision=precision):
                    how = ("--precision", precision)
                    rows = self.series(*how, **scene)
                    if name != "cone":
                        work = max(abs(row["energy.work_of_fields"]) for row in rows)
                        scale = max(row["energy.kinetic_translation"] for row in rows)
                        self.assertGreater(work, 0.5 * scale)
                        for row in rows:
                            off = row["energy.total"] - row["energy.work_of_fields"] - row["energy.work_of_walls"] - rows[0]["energy.total"]
                            self.assertLess(abs(off) / scale, 0.02)
                    whole = self.summary("run")["state_hash"]
                    for part in (0.31, 0.777):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "-q", "--until", part * scene["end"], *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "-q", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole)
                    if name == "cone":
                        continue
                    for method in ('skin = "0.05 mm"', 'search = "brute"'):
                        self.series(*how, **{**scene, "method": method})
                        self.assertEqual(self.summary("run")["state_hash"], whole)
        # Without an account the steps of spheres are fused; what is measured changes no bit.
        self.series(**self.bed())
        whole = self.summary("run")["state_hash"]
        self.series(**self.bed(measures=measure("count", 0.04)))
        self.assertEqual(self.summary("run")["state_hash"], whole)

    def test_momentum(self):
        """A medium at rest in a periodic box: what it takes is momentum and energy alone; without contacts a cloud keeps its spread of directions."""
        cloud = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0.01, 0.01, 0.01], [0.03, 0.03, 0.03]] }\nvelocity = [0.3, -0.2, 0.1]\n'
        rows = self.series(bodies=cloud, domain='gravity = [0, 0, 0]\nmin = [0, 0, 0]\nmax = [0.04, 0.04, 0.04]\nperiodic = "xyz"',
                           drags=drag("damping", rate=30), measures=measure("momentum", 0.01))
        mass = 2 * RHO * VOLUME["ball"]
        for row in rows:
            for key, v in (("px", 0.3), ("py", -0.2), ("pz", 0.1)):
                self.assertAlmostEqual(row[f"momentum.{key}"] / mass, v * math.exp(-30 * row["time"]), delta=1e-12)

    def test_disks(self):
        """In two dimensions: damping of disks and polygons, and acceleration in the plane."""
        bodies = "".join(f'[[bodies]]\nshape = "{shape}"\nmaterial = "m"\nplace = {{ at = [[{x}, 0.01]] }}\nvelocity = [0.5, 0]\nangular_velocity = 10\n'
                         for shape, x in (("ball", 0.01), ("box", 0.03)))
        rows = self.series(bodies=bodies, dimensions=2, domain="gravity = [0, 0]\nacceleration = { y = 2 }", drags=drag("damping", rate=10),
                           measures=measure("momentum", 0.01) + measure("count", 0.01) + measure("energy", 0.01))
        mass = rows[0]["count.mass"]
        for row in rows:
            slowed = math.exp(-10 * row["time"])
            self.assertAlmostEqual(row["momentum.px"] / mass, 0.5 * slowed, delta=1e-12)
            self.assertAlmostEqual(row["momentum.py"] / mass, 0.2 * (1 - slowed), delta=1e-7)
            self.assertAlmostEqual(row["energy.kinetic_rotation"] / rows[0]["energy.kinetic_rotation"], slowed ** 2, delta=1e-9)
            self.assertAlmostEqual(row["energy.total"] - row["energy.work_of_fields"], rows[0]["energy.total"], delta=1e-12)

    def test_bodies_that_come(self):
        """What is put in while the run goes on is slowed by its own size."""
        stream = '[[insert]]\nname = "s"\nshape = "ball"\nmaterial = "m"\ncount = 5\nrate = 100\nregion = { box = [[-0.01, -0.01, 0], [0.01, 0.01, 0.004]] }\nvelocity = [0, 0, 0]\n'
        rows = self.series(bodies=stream, drags=drag("stokes", viscosity=VISCOSITY, buoyancy="true"), end=0.3, measures=measure("momentum", 0.05) + measure("count", 0.05))
        end = 2 / 9 * (RHO - FLUID) * G * 1e-6 / VISCOSITY
        self.assertEqual(rows[-1]["count.bodies"], 5)
        self.assertAlmostEqual(-rows[-1]["momentum.pz"] / rows[-1]["count.mass"] / end, 1, delta=1e-4)

    def test_refuses(self):
        (self.folder / "bad.csv").write_text("time, x, q\n0, 1, 2\n")
        (self.folder / "down.csv").write_text("time, x\n0, 1\n0, 2\n")
        cases = [
            (dict(drags=drag("stokes", viscosity=-1)), "viscosity"),
            (dict(drags='[[drag]]\nlaw = "stokes"\nviscosity = 1\nbuoyancy = true\n'), 'needs "density"'),
            (dict(drags=drag("damping", rate=1, density=3)), "does nothing"),
            (dict(drags='[[drag]]\nlaw = "damping"\n'), 'needs "rate"'),
            (dict(drags=drag("damping", rate=1, more="from = 2\nto = 1\n")), "must be above"),
            (dict(drags=drag("damping", rate=1, more='name = "a"\n') + drag("damping", rate=1, more='name = "a"\n')), "two [[drag]] tables"),
            (dict(drags=drag("damping", rate=1, more="velocity = {}\n")), "give x, y or z"),
            (dict(domain='gravity = [0, 0, -1.62]\ngravity_table = "bad.csv"'), "leave one of them out"),
            (dict(domain='gravity_table = "bad.csv"'), 'unknown column "q"'),
            (dict(domain='gravity_table = "down.csv"'), "times must rise"),
            (dict(domain='gravity_table = "none.csv"'), "none.csv"),
            (dict(domain='gravity = [0, 0, 0]\nacceleration = { x = 1 }', method='kind = "hard"'), "under \"hard\""),
            (dict(domain='gravity = [0, 0, 0]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nperiodic = "xyz"\nshear = { along = "x", across = "z", rate = 1 }',
                  drags=drag("damping", rate=1)), "a sheared or driven domain"),
            (dict(dimensions=2, domain="gravity = [0, 0]", drags=drag("stokes", viscosity=1, buoyancy="true"),
                  bodies='[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0, 0]] }\n'), "no meaning in two dimensions"),
        ]
        for change, told in cases:
            with self.subTest(told):
                self.write(**{**dict(bodies=body()), **change})
                _, said = self.scree("run", "scene.toml", "-o", "no", "-q", code=2)
                self.assertIn(told, said)
                self.assertRegex(said, r"\.(toml|csv):\d+")
                self.assertFalse((self.folder / "no").exists())


if __name__ == "__main__":
    unittest.main()
