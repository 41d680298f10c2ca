#!/usr/bin/env python3
"""Bodies that come while a run goes on, and walls whose surface moves: balances, places, restarts to the bit, and what is refused."""

import csv
import math
import unittest

from stream_scene import StreamTest, insert


class Insert(StreamTest):
    THREE = (insert("balls", "ball", -0.09, how="rate = 400\nto = 0.08") + insert("cubes", "cube", 0.0, how="mass_rate = 0.02\ncount = 12\norientation = \"random\"") +
             insert("rods", "rod", 0.07, how="count = 30\norientation = \"random\"\nvelocity_deviation = 0.05\nseed = 4"))

    def test_balances(self):
        """Numbers, mass, energy and momentum: what came is what is there, and brought what it had."""
        rows = self.series(inserts=self.THREE, end=0.12)
        summary = self.summary("run")
        came = summary["inserts"]
        self.assertEqual(came["balls"]["bodies"], 32)
        self.assertEqual(came["cubes"]["bodies"], 12)
        self.assertEqual(came["rods"]["bodies"], 30)
        self.assertEqual([came[name]["behind"] + came[name]["to_come"] for name in came], [0, 0, 0])
        self.assertEqual(summary["bodies_inserted"], 74)
        self.assertEqual(rows[-1]["count.bodies"], 74)
        self.assertAlmostEqual(rows[-1]["count.mass"], sum(one["mass"] for one in came.values()), delta=1e-15)
        self.assertAlmostEqual(came["cubes"]["mass"], 12 * 1200 * 0.006 * 0.005 * 0.004, delta=1e-12)
        brought = -rows[-1]["energy.removed"]
        self.assertGreater(brought, 0)
        for row in rows:  # what the account of patches that change their form misses (docs/theory.md)
            self.assertAlmostEqual(row["energy.total"] / brought, 0, delta=0.01)

    def test_free_flight_is_exact(self):
        """Before anything touches, energy is that which was brought, and each falls as one that was there: z = z_0 + v t - g t^2 / 2."""
        rows = self.series(inserts=insert(how="count = 20"), end=0.01, more="", domain="")
        self.assertAlmostEqual(rows[-1]["energy.total"], 0, delta=1e-13)
        self.scree("export", "run", "--to", "csv")
        frames = []
        for frame in sorted((self.folder / "run" / "csv").glob("frame_0*.csv")):
            with open(frame) as file:
                frames.append({int(row["id"]): row for row in csv.DictReader(file)})
        times = [row["time"] for row in rows]
        self.assertEqual([len(frame) for frame in frames[:2]], [0, 20])  # the first is of what was there
        for body, last in frames[-1].items():
            first = frames[1][body]
            t = times[-1] - times[1]
            self.assertAlmostEqual(float(last["z"]), float(first["z"]) + float(first["vz"]) * t - 0.5 * 9.81 * t * t, delta=2e-9)
            self.assertAlmostEqual(float(last["x"]), float(first["x"]), delta=1e-15)
        fallen = 0.4 * times[1] + 0.5 * 9.81 * times[1] ** 2
        for i, a in frames[1].items():  # began inside the region, apart from each other
            r = float(a["radius"])
            self.assertLessEqual(0.06 + r - 1e-7, float(a["z"]) + fallen)
            self.assertLessEqual(float(a["z"]) + fallen, 0.09 - r + 1e-7)
            for j, b in frames[1].items():
                if i < j:
                    self.assertGreater(math.dist(*[[float(one[k]) for k in "xyz"] for one in (a, b)]), r + float(b["radius"]))

    def test_restarts_and_threads(self):
        """At a step between two looks, at one, and before the first: the same bits; both precisions, both methods, two dimensions, liquid."""
        wet = 'cohesion = "capillary_shared"\noverlap_warning = 0.3'
        cases = [("overlap_warning = 0.3", "", '"auto"', self.THREE), ('kind = "cone"\niterations = 60', "", "5e-4", insert(how="rate = 500\nto = 0.08")),
                 (wet, "surface_tension = 0.07\nliquid_content = 1e-3", '"auto"', insert(how="count = 40"))]
        for method, values, step, inserts in cases:
            for precision in ("double", "mixed"):
                with self.subTest(method=method, precision=precision):
                    how = ("--precision", precision, "-q")
                    self.series(how, method=method, values=values, step=step, inserts=inserts, end=0.08)
                    whole = self.summary("run")["state_hash"]
                    last = int(self.read_series("run")[-1]["step"])
                    for at in (1, last // 3, 2 * last // 3):
                        self.scree("run", "scene.toml", "-o", "half", "--overwrite", "--steps", str(at), *how)
                        self.scree("run", "scene.toml", "-o", "half", "--restart", "half/checkpoint.h5", "--threads", "2", *how)
                        self.assertEqual(self.summary("half")["state_hash"], whole)
                        self.assertEqual(self.summary("half")["inserts"], self.summary("run")["inserts"])

    def test_what_leaves(self):
        """A stream past an edge: came = there + left, at every row, and over a restart."""
        domain = 'min = [-1, -1, -0.05]\nmax = [1, 1, 1]\nleave = "remove"'
        more = ""
        self.write(inserts=insert(how="rate = 600\nto = 0.2"), end=0.3, domain=domain, more=more)
        text = (self.folder / "scene.toml").read_text().replace('kind = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]',
                                                                'kind = "quad"\ncorners = [[-0.01, -0.04, 0], [0.04, -0.04, 0.01], [0.04, 0.04, 0.01], [-0.01, 0.04, 0]]')
        (self.folder / "scene.toml").write_text(text)
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "--until", "0.15", "-q")
        self.scree("run", "scene.toml", "-o", "run", "--restart", "run/checkpoint.h5", "-q")
        rows, summary = self.read_series("run"), self.summary("run")
        self.assertGreater(summary["bodies_removed"], 20)
        self.assertEqual(summary["bodies"] + summary["bodies_removed"], summary["inserts"]["feed"]["bodies"])
        self.assertEqual(summary["inserts"]["feed"]["bodies"], 120)
        for row in rows:
            self.assertLessEqual(row["count.bodies"] + row["count.removed"], 600 * row["time"] + 1e-6)

    def test_jams(self):
        """A stream into a space that fills: it is told once, goes on, and what has no room waits."""
        walls = '[[wall]]\nkind = "cylinder"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nlength = 0.2\nradius = 0.02\nmaterial = "m"\nside = "inside"\n'
        feed = ('[[insert]]\nname = "feed"\nshape = "ball"\nmaterial = "m"\nregion = { cylinder = { base = [0, 0, 0.01], radius = 0.019, length = 0.03 } }\n'
                'rate = 1000\ncount = 400\nvelocity = [0, 0, -0.5]\nevery = 0.005\n')
        self.write(inserts=feed, end=0.6, more=walls)
        out, err = self.scree("run", "scene.toml", "-o", "run", "--overwrite")
        came = self.summary("run")["inserts"]["feed"]
        self.assertGreater(came["behind"], 20)
        self.assertEqual(came["bodies"] + came["to_come"], 400)
        warned = [warning for warning in self.summary("run")["warnings"] if "is behind" in warning]
        self.assertEqual(len(warned), 1)

    def test_refuses(self):
        self.refused("says not how much comes in all", inserts=insert(how="rate = 100"))
        self.refused("give either rate or mass_rate", inserts=insert(how="rate = 100\nmass_rate = 0.1\ncount = 3"))
        self.refused("times what it can hold would come", inserts=insert(how="rate = 1e6\nto = 1"))
        self.refused("does not fit into its region", inserts=insert(how="count = 3", width=0.004))
        self.refused("may start", inserts=insert(how="count = 3").replace("0.06]", "-0.06]").replace("-0.03, 0.06]", "-0.03, -0.01]"))
        self.refused("must be above from", inserts=insert(how="rate = 100\nfrom = 2\nto = 1"))
        self.refused('two [[insert]] have the name "feed"', inserts=insert() + insert(x=0.05))
        self.refused("less than one body comes in all", inserts=insert(how="rate = 100\nto = 0.001"))
        self.refused('is of kind = "penalty" and "cone"', inserts=insert(), method='kind = "hard"', step="1e-4", domain="gravity = [0, 0, 0]")
        self.refused("reaches out of the domain", inserts=insert(), domain="max = [1, 1, 0.08]\nmin = [-1, -1, -1]")
        self.refused("bodies", inserts=insert(how="count = 2000000000"))
        self.refused('[[insert]] needs "region"', inserts='[[insert]]\nshape = "ball"\nmaterial = "m"\ncount = 3\nvelocity = [0, 0, -1]\n')
        self.refused("rate: does not go with on_call = true", inserts=insert(how="rate = 100\ncount = 3\non_call = true"))
        self.refused("from: does not go with on_call = true", inserts=insert(how="count = 3\non_call = true\nfrom = 1"))
        self.refused("says not how many there are for calls", inserts=insert(how="on_call = true"))
        self.refused('does not apply without "region"', inserts='[[insert]]\nshape = "ball"\nmaterial = "m"\ncount = 3\non_call = true\ntries = 3\n')
        self.refused("does not fit into its region", inserts=insert(how="count = 3\non_call = true", width=0.004))
        self.refused("would move along its normal", more='[[wall]]\nkind = "quad"\ncorners = [[1, 1, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0]]\nmaterial = "m"\n'
                     'motion = { velocity = [0, 0, 1], surface = true }\n')
        self.refused("stays where it appears", inserts=insert().replace("velocity = [0, 0, -0.4]", ""), domain="gravity = [0, 0, 0]")

    def test_many_by_mass(self):
        """More than a first guess of bodies with faces, by mass."""
        for how in ("mass = 0.0144", "mass_rate = 0.288\nto = 0.05"):
            rows = self.series(inserts=insert(shape="cube", x=-0.3, width=0.6, how=how).replace("-0.03, 0.06]", "-0.3, 0.06]").replace("0.03, 0.09]", "0.3, 0.12]"),
                               end=0.06)
            self.assertEqual(rows[-1]["count.bodies"], 100)

    def test_what_never_came_did_not_leave(self):
        """A stream of clumps without a rate that ends before all have come."""
        rows = self.series(inserts=insert(shape="rod", how="count = 400\nto = 0.02"), end=0.03)
        summary = self.summary("run")
        self.assertLess(summary["bodies_inserted"], 400)
        self.assertEqual((summary["bodies_removed"], rows[-1]["count.removed"]), (0, 0))
        self.assertEqual(summary["bodies"], summary["bodies_inserted"])

    def test_streams_do_not_meet(self):
        """What comes of one stream does not depend on another, far away."""
        one = insert(how="count = 300\nevery = 0.02\ntries = 2")
        far = insert("far", x=0.3, how="rate = 100\ncount = 10\nevery = 0.001")
        self.series(inserts=one)
        alone = self.summary("run")["inserts"]["feed"]
        self.series(inserts=one + far)
        self.assertEqual(self.summary("run")["inserts"]["feed"], alone)

    def test_finds_no_room(self):
        """A stream without a rate into a full place says so, once, over a restart too."""
        block = '[[bodies]]\nshape = "ball"\nmaterial = "m"\nplace = { at = [[0, 0, 0.01]] }\n'
        feed = insert(how="count = 5\nevery = 0.0005").replace("[[-0.03, -0.03, 0.06], [0.03, 0.03, 0.09]]", "[[-0.004, -0.004, 0.006], [0.004, 0.004, 0.014]]")
        self.write(inserts=block + feed, end=0.06, domain="gravity = [0, 0, 0]")
        self.scree("run", "scene.toml", "-o", "run", "--overwrite", "--until", "0.04", "-q")
        self.scree("run", "scene.toml", "-o", "run", "--restart", "run/checkpoint.h5", "-q")
        self.assertEqual(len([one for one in self.summary("run")["warnings"] if "is behind" in one]), 1)

    def test_belt(self):
        """A ball laid on a belt of a quad, which stays in its place, slips until 2/7 of the belt's speed, for 2 V / (7 mu g); so on a mesh and by
        both methods. Work of the wall is what the ball has and friction took."""
        belt = ('[time]\nend = 0.15\nstep = {step}\n[method]\n{method}\n[material.m]\ndensity = 2500\nyoung = 2e8\npoisson = 0.3\nrestitution = 0.1\nfriction = 0.3\n'
                '[shape.b]\nkind = "sphere"\nradius = 0.005\n[[body]]\nname = "a"\nshape = "b"\nmaterial = "m"\nposition = [0, 0, 0.005]\n'
                '[[wall]]\nkind = "quad"\nname = "belt"\ncorners = [[-0.5, -0.1, 0], [0.5, -0.1, 0], [0.5, 0.1, 0], [-0.5, 0.1, 0]]\nmaterial = "m"\n'
                'motion = {{ velocity = [1, 0, 0], surface = true }}\n[[measure]]\nkind = "body"\nbody = "a"\nname = "of"\nevery = 1e-3\n'
                '[[measure]]\nkind = "energy"\nevery = 1e-3\n[output]\nevery = 0.1\n')
        for method, step in (("", '"auto"'), ('kind = "cone"', "2e-4")):
            (self.folder / "belt.toml").write_text(belt.format(method=method, step=step))
            self.scree("run", "belt.toml", "-o", "belt", "--overwrite", "-q")
            rows = self.read_series("belt")
            self.assertAlmostEqual(rows[-1]["of.vx"], 2 / 7, delta=1e-3)
            slips = next(row["time"] for row in rows if row["of.vx"] > 0.999 * rows[-1]["of.vx"])
            self.assertAlmostEqual(slips / (2 / (7 * 0.3 * 9.81)), 1, delta=0.02)
            if method == "":
                self.assertAlmostEqual(rows[-1]["energy.total"] - rows[0]["energy.total"], rows[-1]["energy.work_of_walls"], delta=2e-3 * rows[-1]["energy.work_of_walls"])


if __name__ == "__main__":
    unittest.main()
