#!/usr/bin/env python3
"""Mixtures that come, and bodies that are taken out and come back: shares, balances, energies, restarts to the bit, and what is refused."""

import pathlib
import unittest

from stream_scene import StreamTest, insert

TWO = """[material.heavy]
density = 3000
young = "5 MPa"
poisson = 0.3
restitution = 0.4
friction = 0.35
"""
MIXTURE = """[[insert]]
name = "mix"
mixture = [{{ shape = "ball", material = "m", share = {a} }}, {{ shape = "cube", material = "heavy", share = {b} }}, {{ shape = "rod", material = "m", share = {c} }}]
region = {{ box = [[-0.15, -0.15, 0.06], [0.15, 0.15, 0.12]] }}
orientation = "random"
{how}
velocity = [0, 0, -0.4]
"""
LEDGER = '[[measure]]\nkind = "streams"\nevery = 0.01\n'


def mixture(a=5, b=3, c=2, how="count = 200"):
    return TWO + MIXTURE.format(a=a, b=b, c=c, how=how)


def remove(how="every = 0.004", region="plane = { point = [0, 0, 0.02], normal = [0, 0, -1] }", name="sink", recycle=""):
    return f'[[remove]]\nname = "{name}"\nregion = {{ {region} }}\n{how}\n{recycle}\n'


TOP = "recycle = { region = { box = [[-0.15, -0.15, 0.06], [0.15, 0.15, 0.12]] }, velocity = [0, 0, -0.4], orientation = \"random\", angular_velocity = [0, 3, 0] }"


class Mixtures(StreamTest):
    def test_shares(self):
        """By mass and by number, at the end and on the way: within what ten bodies of the largest kind make."""
        for of in ("mass", "number"):
            self.series(inserts=mixture(how=f'count = 400\nshares_of = "{of}"\nseed = 3'), end=0.2, more=LEDGER)
            came = self.summary("run")["inserts"]["mix"]
            parts = came["parts"]
            self.assertEqual(came["bodies"] + came["to_come"], 400)
            self.assertGreater(came["bodies"], 300)
            self.assertEqual(sum(part["bodies"] for part in parts.values()), came["bodies"])
            self.assertAlmostEqual(sum(part["mass"] for part in parts.values()), came["mass"], delta=1e-12)
            measured = "mass" if of == "mass" else "bodies"
            largest = max(part["mass"] / part["bodies"] for part in parts.values()) if of == "mass" else 1
            for name, share in (("ball/m", 0.5), ("cube/heavy", 0.3), ("rod/m", 0.2)):
                for row in self.read_series("run"):
                    all_of = row["streams.mix." + measured]
                    self.assertLess(abs(row[f"streams.mix.{name}.{measured}"] - share * all_of), 15 * largest)
                self.assertEqual(self.read_series("run")[-1][f"streams.mix.{name}.bodies"], parts[name]["bodies"])

    def test_measured_by_class(self):
        """mass_in by material and by radius: parts make up the whole, and are those of the stream."""
        def look(name, more=""):
            return f'[[measure]]\nkind = "mass_in"\nname = "{name}"\nevery = 0.02\nbox = [[-1, -1, -1], [1, 1, 1]]\n{more}\n'

        looks = look("all") + look("light", 'material = "m"') + look("heavy", 'material = "heavy"')
        looks += look("small", "max_radius = 0.003") + look("large", "min_radius = 0.003000000001") + look("cubes", 'material = "heavy"\nmin_radius = 0.004\nmax_radius = 0.005')
        for method, step in (("overlap_warning = 0.3", '"auto"'), ('kind = "cone"\niterations = 60', "5e-4")):
            rows = self.series(inserts=mixture(), end=0.1, more=LEDGER + looks, method=method, step=step, every=0.02)
            self.assertGreater(rows[-1]["small.count"], 5)
            for row in rows:
                if "all.count" not in row:
                    continue
                for a, b in (("light", "heavy"), ("small", "large")):
                    self.assertEqual(row[a + ".count"] + row[b + ".count"], row["all.count"])
                    self.assertAlmostEqual(row[a + ".mass"] + row[b + ".mass"], row["all.mass"], delta=1e-12)
                self.assertEqual(row["heavy.count"], row["cubes.count"])  # half the diagonal: 4.39 mm
            last = rows[-1]
            self.assertEqual(last["heavy.count"], last["streams.mix.cube/heavy.bodies"])
            self.assertAlmostEqual(last["heavy.mass"], last["streams.mix.cube/heavy.mass"], delta=1e-12)
        self.refused("must not be below min_radius", more=look("odd", "min_radius = 2\nmax_radius = 1"))
        self.refused('there is no material "x"', more=look("odd", 'material = "x"'))
        self.refused("does not apply", more='[[measure]]\nkind = "energy"\nname = "e"\nmaterial = "m"\n')

    def test_by_mass_in_all(self):
        """As much mass as was asked for, by mass and by a rate of mass."""
        for how, wanted in (("mass = 0.05", 0.05), ("mass_rate = 0.5\nto = 0.1", 0.05)):
            self.series(inserts=mixture(how=how), end=0.3)
            came = self.summary("run")["inserts"]["mix"]
            self.assertEqual(came["to_come"], 0)
            self.assertAlmostEqual(came["mass"], wanted, delta=4e-4)

    def test_restarts(self):
        for method, step in (("overlap_warning = 0.3", '"auto"'), ('kind = "cone"\niterations = 60', "5e-4")):
            scene = dict(inserts=mixture(), end=0.08, method=method, step=step)
            self.series(**scene)
            whole = self.summary("run")
            last = int(self.read_series("run")[-1]["step"])
            for at in (last // 3, 2 * last // 3):
                self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", str(at), "-q")
                self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", "-q")
                self.assertEqual(self.summary("half")["state_hash"], whole["state_hash"])
                self.assertEqual(self.summary("half")["inserts"], whole["inserts"])

    def test_refuses(self):
        self.refused('needs "shape", or a mixture', inserts=insert(how="count = 3").replace('shape = "ball"\n', ""))
        self.refused("stands in each part of the mixture", inserts=mixture(how='count = 3\nshape = "ball"'))
        self.refused('does not apply without "mixture"', inserts=insert(how='count = 3\nshares_of = "mass"'))
        self.refused("must be above 0", inserts=mixture(a=0))
        self.refused('has "ball" of "m" twice', inserts=mixture().replace('shape = "rod"', 'shape = "ball"'))
        self.refused('there is no shape "rot"', inserts=mixture().replace('shape = "rod"', 'shape = "rot"'))
        self.refused("turns polyhedra", inserts=insert(how='count = 3\norientation = "random"'))


class Removal(StreamTest):
    DOMAIN = "min = [-1, -1, -1]\nmax = [1, 1, 1]"

    def open_floor(self, **scene):
        """The floor lies below what is taken; spheres, cubes and clumps fall through."""
        self.write(domain=self.DOMAIN, **scene)
        path = self.folder / "scene.toml"
        path.write_text(path.read_text().replace('kind = "plane"\npoint = [0, 0, 0]', 'kind = "plane"\npoint = [0, 0, -0.05]'))

    def run_open(self, *how, **scene):
        self.open_floor(**scene)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q", *how)
        return self.read_series("run"), self.summary("run")

    def test_balances(self):
        """Everything that falls past a plane goes, whole: came = there + gone at every row; energy is that which was brought less that which left."""
        rows, summary = self.run_open(inserts=mixture(how="rate = 800\nto = 0.15") + remove(), end=0.3, more=LEDGER, every=0.01)
        gone = summary["removes"]["sink"]
        self.assertGreater(gone["bodies"], 60)
        self.assertEqual(gone["bodies"], summary["bodies_removed"])
        self.assertEqual(summary["bodies_inserted"], summary["bodies"] + gone["bodies"])
        self.assertNotIn("returned", gone)
        for row in rows:
            self.assertEqual(row["streams.mix.bodies"], row["count.bodies"] + row["streams.sink.bodies"])
            self.assertEqual(row["count.removed"], row["streams.sink.bodies"])
            self.assertAlmostEqual(row["streams.mix.mass"], row["count.mass"] + row["streams.sink.mass"], delta=1e-12)
            self.assertAlmostEqual(row["energy.total"], 0, delta=1e-10)  # nothing touches: what is there and what left is what came

    def test_regions(self):
        """Of a lattice of balls each kind of region takes those whose centres are inside, once."""
        lattice = '[[bodies]]\nshape = "one"\nmaterial = "m"\nplace = { lattice = [9, 9, 9], spacing = 0.01, origin = [-0.04, -0.04, 0.01] }\n'
        one = '[shape.one]\nkind = "sphere"\nradius = 0.002\n'
        centres = [(-0.04 + 0.01 * i, -0.04 + 0.01 * j, 0.01 + 0.01 * k) for i in range(9) for j in range(9) for k in range(9)]
        regions = {
            "box = [[-0.011, -0.021, 0], [0.031, 0.001, 0.035]]": lambda x, y, z: -0.011 <= x <= 0.031 and -0.021 <= y <= 0.001 and z <= 0.035,
            "sphere = { centre = [0, 0, 0.05], radius = 0.025 }": lambda x, y, z: x * x + y * y + (z - 0.05) ** 2 <= 0.025**2,
            "cylinder = { base = [0, 0, 0.005], axis = [0, 0, 3], radius = 0.025, length = 0.03 }": lambda x, y, z: x * x + y * y <= 0.025**2 and 0.005 <= z <= 0.035,
            "plane = { point = [0.005, 0, 0], normal = [2, 0, 0] }": lambda x, y, z: x >= 0.005,
        }
        for region, inside in regions.items():
            with self.subTest(region=region):
                self.write(inserts=one + lattice + remove("at = 0", region), end=0.001, domain="gravity = [0, 0, 0]")
                self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
                wanted = sum(inside(*c) for c in centres)
                self.assertGreater(wanted, 20)
                self.assertEqual(self.summary("run")["removes"]["sink"]["bodies"], wanted)
                self.assertEqual(self.summary("run")["bodies"], 729 - wanted)

    def test_when_and_what(self):
        """Between two times, of one material; a named body stays."""
        named = '[[body]]\nname = "stone"\nshape = "cube"\nmaterial = "m"\nposition = [0.2, 0.2, -0.03]\n'
        rows, summary = self.run_open(inserts=mixture(how="count = 60") + named + remove('every = 0.002\nfrom = 0.1\nto = 0.15\nmaterial = "heavy"'), end=0.2, more=LEDGER, every=0.01)
        self.assertEqual(summary["removes"]["sink"]["bodies"], summary["inserts"]["mix"]["parts"]["cube/heavy"]["bodies"])
        for row in rows:
            if row["time"] <= 0.1 + 1e-9:
                self.assertEqual(row["streams.sink.bodies"], 0)
        self.assertEqual(summary["bodies"], 61 - summary["bodies_removed"])

    def test_shapes(self):
        """Of one shape, or of several, alone or with a material: a compound goes whole, and round shapes of two names are told apart."""
        two = '[shape.pea]\nkind = "sphere"\nradius = 0.002\n[shape.nut]\nkind = "sphere"\nradius = 0.004\n'
        pair = '[shape.pair]\nkind = "compound"\nparts = [{ shape = "nut", at = [-0.004, 0, 0] }, { shape = "cube", at = [0.004, 0, 0] }]\n'
        kinds = {"pea": 5, "nut": 4, "cube": 3, "rod": 2, "pair": 6}
        rows = "".join(f'[[bodies]]\nshape = "{kind}"\nmaterial = "{"m" if k % 2 else "heavy"}"\nplace = {{ lattice = [{count}, 1, 1], spacing = 0.03, origin = [-0.06, {0.03 * k}, 0.05] }}\n'
                       for k, (kind, count) in enumerate(kinds.items()))
        named = '[[body]]\nname = "stone"\nshape = "pea"\nmaterial = "m"\nposition = [0.2, 0.2, 0.05]\n'
        listed = "id,x,y,z,shape\n1,-0.06,0.2,0.05,pair\n2,0,0.2,0.05,nut\n3,0.06,0.2,0.05,cube\n"
        (self.folder / "listed.csv").write_text(listed)
        more = '[[bodies]]\nmaterial = "m"\nplace = { file = "listed.csv" }\n'
        below = "plane = { point = [0, 0, 1], normal = [0, 0, -1] }"
        heavy = TWO[TWO.index("[material.heavy]"):]
        for how, taken in (('"pea"', 5), ('"nut"', 5), ('["nut", "rod"]', 7), ('["pair"]', 7), ('"cube"', 4), ('["pea", "nut", "cube", "rod", "pair"]', 23),
                           ('["nut", "pair"]\nmaterial = "heavy"', 6)):
            with self.subTest(how=how):
                self.write(inserts=heavy + two + pair + rows + more + named + remove(f"at = 0\nshape = {how}", below), end=0.001, domain="gravity = [0, 0, 0]")
                self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
                self.assertEqual(self.summary("run")["removes"]["sink"]["bodies"], taken)
                self.assertEqual(self.summary("run")["bodies"], 24 - taken)
        # A scene as it was run is the same scene.
        self.assertIn('shape = ["nut", "pair"]', (self.folder / "run" / "scene.toml").read_text())
        self.assertEqual(self.hash_of("again", scene="run/scene.toml"), self.summary("run")["state_hash"])

    def test_shapes_of_streams(self):
        """Of what comes and is recycled: the rods go round, all else falls on."""
        rows, summary = self.run_open(inserts=mixture(how="count = 60") + remove('every = 0.004\nshape = "rod"', recycle=TOP), end=0.3, more=LEDGER, every=0.01)
        sink, came = summary["removes"]["sink"], summary["inserts"]["mix"]["parts"]["rod/m"]
        self.assertGreater(sink["returned"], came["bodies"])
        self.assertEqual(summary["bodies"] + sink["waiting"], 60)
        last = int(rows[-1]["step"])
        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", str(last // 2), "-q")
        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", "-q")
        self.assertEqual(self.summary("half")["state_hash"], summary["state_hash"])
        self.assertEqual(self.summary("half")["removes"], summary["removes"])

    def test_recycles(self):
        """What falls out comes back as itself: nothing is lost, and energy is accounted; restarts in the middle, other threads and precisions give the same bits."""
        for method, step in (("overlap_warning = 0.3", '"auto"'), ('kind = "cone"\niterations = 60', "5e-4")):
            scene = dict(inserts=mixture(how="count = 80") + remove(recycle=TOP), end=0.3, more=LEDGER, every=0.01, method=method, step=step)
            for precision in ("double", "mixed") if step == '"auto"' else ("double",):
                with self.subTest(method=method, precision=precision):
                    rows, summary = self.run_open("--precision", precision, **scene)
                    sink = summary["removes"]["sink"]
                    self.assertGreater(sink["returned"], 90)
                    self.assertEqual(sink["bodies"], sink["returned"] + sink["waiting"])
                    self.assertEqual(summary["bodies_removed"], sink["waiting"])
                    self.assertEqual(summary["bodies"] + sink["waiting"], 80)
                    for row in rows:
                        self.assertEqual(row["count.bodies"] + row["streams.sink.waiting"], row["streams.mix.bodies"])
                        self.assertEqual(row["count.removed"], row["streams.sink.waiting"])
                        if precision == "double":  # nothing touches, but for two that meet under the cone method
                            self.assertAlmostEqual(row["energy.total"], 0, delta=1e-9 if step == '"auto"' else 1e-6)
                    last = int(rows[-1]["step"])
                    for at in (last // 3, 2 * last // 3):
                        how = ("--precision", precision, "-q")
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", str(at), *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], summary["state_hash"])
                        self.assertEqual(self.summary("half")["removes"], summary["removes"])

    def test_recycles_in_a_bed(self):
        """Into a heap on a floor with a hole, by contacts: the balance of energy holds as it does without."""
        floor = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, -0.1]\naxis = [0, 0, 1]\nlength = 0.4\nradius = 0.05\nmaterial = "m"\nside = "inside"\n'
        feed = ('[[insert]]\nname = "feed"\nshape = "ball"\nmaterial = "m"\nregion = { cylinder = { base = [0, 0, 0.06], radius = 0.045, length = 0.03 } }\n'
                'rate = 1500\ncount = 400\nvelocity = [0, 0, -0.5]\n')
        top = "recycle = { region = { cylinder = { base = [0, 0, 0.1], radius = 0.045, length = 0.03 } }, velocity = [0, 0, -0.5] }"
        self.write(inserts=feed + remove("every = 0.01", "sphere = { centre = [0, 0, 0], radius = 0.015 }", recycle=top), end=0.5, more=floor + LEDGER, every=0.01)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "-q")
        rows, sink = self.read_series("run"), self.summary("run")["removes"]["sink"]
        self.assertGreater(sink["returned"], 100)
        brought = max(abs(row["energy.removed"]) for row in rows)
        for row in rows:
            self.assertAlmostEqual(row["energy.total"] / brought, 0, delta=0.02)
            self.assertEqual(row["count.bodies"] + row["streams.sink.waiting"], row["streams.feed.bodies"])

    def test_steady_flow(self):
        """The hopper of the example, its grains coarser: the rate of one span of time is that of the next."""
        scene = pathlib.Path(__file__).resolve().parents[2] / "examples" / "hopper_recycle.toml"
        self.scree("run", scene, "-o", "run", "-q", "--set", 'shape.coarse.radius="7 mm"', "--set", "insert.feed.mixture.1.share=0.01", "--set", "time.end=1.8",
                   "--set", 'shape.fine.distribution.sieves=[{aperture=0.012,passing=0},{aperture=0.014,passing=1}]')
        rows, summary = self.read_series("run"), self.summary("run")

        def rate(first, last):
            spans = [row for row in rows if first - 1e-9 <= row["time"] <= last + 1e-9]
            return (spans[-1]["streams.outlet.mass"] - spans[0]["streams.outlet.mass"]) / (spans[-1]["time"] - spans[0]["time"])

        early, late = rate(0.8, 1.3), rate(1.3, 1.8)
        self.assertGreater(early, 0.5)
        self.assertAlmostEqual(late / early, 1, delta=0.15)  # some 400 grains in each span
        self.assertGreater(summary["removes"]["outlet"]["returned"], 500)
        self.assertEqual(summary["bodies"] + summary["removes"]["outlet"]["waiting"], summary["inserts"]["feed"]["bodies"])

    def test_waits_for_room(self):
        """A place that is full: what waits is told once, and none is lost."""
        block = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0, 0, 0.01], [0.1, 0, 0.01], [0.2, 0, 0.01]] }\n'
        full = "recycle = { region = { box = [[-0.004, -0.004, 0.006], [0.004, 0.004, 0.014]] } }"
        self.write(inserts=block + remove("every = 0.0005", "box = [[0.05, -1, -1], [1, 1, 1]]", recycle=full), end=0.06, domain="gravity = [0, 0, 0]")
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "--until", "0.04", "-q")
        self.scree("run", "scene.toml", "-o", "run", "--restart", "run/checkpoint.h5", "-q")
        summary = self.summary("run")
        self.assertEqual(summary["removes"]["sink"], {"bodies": 2, "mass": summary["removes"]["sink"]["mass"], "returned": 0, "waiting": 2})
        self.assertEqual(len([one for one in summary["warnings"] if "finds no room" in one]), 1)

    def test_plane_scenes(self):
        """Disks and polygons."""
        text = ('dimensions = 2\n[time]\nend = 0.4\n[material.m]\ndensity = 1000\nyoung = 5e6\npoisson = 0.3\nrestitution = 0.4\nfriction = 0.3\n[shape.d]\nkind = "disk"\nradius = 0.004\n[shape.p]\nkind = "polygon"\nsides = 5\nradius = 0.004\n'
                '[[insert]]\nmixture = [{ shape = "d", material = "m", share = 1 }, { shape = "p", material = "m", share = 1 }]\nregion = { box = [[-0.1, 0.1], [0.1, 0.15]] }\n'
                'count = 40\nvelocity = [0, -0.5]\nangle = "random"\n'
                '[[remove]]\nregion = { plane = { point = [0, 0], normal = [0, -1] } }\nevery = 0.01\n'
                'recycle = { region = { box = [[-0.1, 0.1], [0.1, 0.15]] }, velocity = [0, -0.5], orientation = "random" }\n'
                '[[measure]]\nkind = "energy"\nevery = 0.01\n')
        (self.folder / "plane.toml").write_text(text)
        self.scree("run", "plane.toml", "-o", "run", "-q")
        summary = self.summary("run")
        self.assertGreater(summary["removes"]["remove1"]["returned"], 40)
        self.assertEqual(summary["bodies"] + summary["removes"]["remove1"]["waiting"], 40)
        last = self.read_series("run")[-1]
        self.assertAlmostEqual(last["energy.total"] / last["energy.removed"], 0, delta=1e-4)  # some meet as they fall

    def test_refuses(self):
        def refused(wanted, *tables, **scene):
            self.refused(wanted, inserts=insert(how="count = 3") + "".join(tables), **scene)

        refused("needs either `at`, for once, or `every`", remove(""))
        refused("needs either `at`, for once, or `every`", remove("at = 1\nevery = 1"))
        refused("goes with `every`, not with `at`", remove("at = 1\nto = 2"))
        refused("goes with `every`, not with `at`", remove("at = 1", recycle=TOP))
        refused("must be above from", remove("every = 1\nfrom = 2\nto = 1"))
        refused("needs one of box, cylinder, sphere, circle, plane", remove(region=""))
        refused("normal: gives a direction", remove(region="plane = { point = [0, 0, 0], normal = [0, 0, 0] }"))
        refused('there is no material "mud"', remove('every = 1\nmaterial = "mud"'))
        refused('[[remove]] shape: there is no shape "bal"; did you mean "ball"?', remove('every = 1\nshape = "bal"'))
        refused('there is no shape "cubes"; did you mean "cube"?', remove('every = 1\nshape = ["ball", "cubes"]'))
        refused("expected a name, or a list of names", remove("every = 1\nshape = []"))
        refused('have the name "feed"', remove(name="feed"))
        refused("does not fit into its region", remove(recycle=TOP.replace("0.06]", "0.119]")))
        refused("deep in wall", remove(recycle=TOP.replace("0.06]", "-0.06]")))
        refused("would be taken again at the next look", remove(region="box = [[-1, -1, -1], [1, 1, 1]]", recycle=TOP))
        refused("reaches out of the domain", remove(recycle=TOP), domain="max = [1, 1, 0.1]\nmin = [-1, -1, -1]")
        self.refused('is of kind = "penalty" and "cone"', inserts='[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0, 0, 0.1]] }\n' + remove(),
                     method='kind = "hard"', step="1e-4", domain="gravity = [0, 0, 0]")


if __name__ == "__main__":
    unittest.main()
