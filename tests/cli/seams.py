#!/usr/bin/env python3
"""Flush seams and near misses under the cone method: what slides over a seam without friction keeps its speed and its height, whoever owns the two
surfaces; what flies past a corner keeps its way."""

import csv
import json
import math
import unittest

from program import ProgramTest

HEAD = """[time]
step = 1e-3
end = {end}
{domain}
[method]
kind = "cone"
[material.m]
density = 1000
young = 1e7
poisson = 0.3
restitution = 0
friction = 0
[[measure]]
kind = "body"
body = "b"
every = 0.01
"""
BOX = """[shape.b]
kind = "box"
edges = [0.2, 0.2, 0.2]
[[body]]
name = "b"
shape = "b"
material = "m"
position = [-0.3, 0.013, 0.1]
velocity = [{speed}, 0, 0]
rotation = {{ axis = [0, 0, 1], angle = {angle} }}
"""
QUADS = """[[wall]]
kind = "quad"
corners = [[-4, -2, 0], [0, -2, 0], [0, 2, 0], [-4, 2, 0]]
material = "m"
[[wall]]
kind = "quad"
corners = [[0, -2, {z}], [4, -2, {z}], [4, 2, {z}], [0, 2, {z}]]
material = "m"
"""
BLOCKS = """[[wall]]
kind = "box"
side = "outside"
min = [-4, -2, -1]
max = [0, 2, 0]
material = "m"
[[wall]]
kind = "box"
side = "outside"
min = [0, -2, -1]
max = [4, 2, 0]
material = "m"
"""
TILES = """[shape.tile]
kind = "box"
edges = [1, 1, 0.5]
[[body]]
name = "left"
shape = "tile"
material = "m"
position = [-0.5, 0, -0.25]
[[body]]
name = "right"
shape = "tile"
material = "m"
position = [0.5, 0, -0.25]
[[joint]]
name = "hold_left"
kind = "fixed"
between = ["ground", "left"]
point = [-0.5, 0, -0.25]
[[joint]]
name = "hold_right"
kind = "fixed"
between = ["ground", "right"]
point = [0.5, 0, -0.25]
"""
BALL = """[shape.s]
kind = "sphere"
radius = {r}
[[body]]
name = "b"
shape = "s"
material = "m"
position = [{x}, 0, {z}]
velocity = [{vx}, 0, {vz}]
"""
NO_GRAVITY = "[domain]\ngravity = [0, 0, 0]"


class Seams(ProgramTest):
    def last(self, scene):
        (self.folder / "scene.toml").write_text(scene)
        self.scree("run", "scene.toml", "-o", "out", "--overwrite")
        with open(self.folder / "out" / "series.csv") as f:
            rows = list(csv.DictReader(f))
        return [{key: float(value) for key, value in row.items() if value} for row in rows]

    def check_slides(self, floor, speed, angle, end, rise=1e-5):
        rows = self.last(HEAD.format(end=end, domain="") + BOX.format(speed=speed, angle=angle) + floor)
        # A tenth of a per mille of the speed, and a ten thousandth of the edge: what solves leave at their tolerance of 0.1 mm/s. It passes
        # the seam at the middle of the run.
        self.assertGreater(rows[-1]["body.x"], 0)
        for row in rows:
            self.assertAlmostEqual(row["body.vx"], speed, delta=1e-4 * max(speed, 1))
            self.assertAlmostEqual(row["body.z"], 0.1, delta=2e-5 + rise)
            self.assertAlmostEqual(row["body.vz"], 0, delta=1e-3 + rise / 1e-3)

    def test_a_box_slides_over_flush_quads(self):
        for angle in (0, 0.3, 0.785):
            with self.subTest(angle=angle):
                self.check_slides(QUADS.format(z=0), 2, angle, 0.4)

    def test_slow_boxes_slide_over_seams_too(self):
        for speed, end in ((0.1, 0.5), (0.01, 2.2)):
            for floor in (QUADS.format(z=0), BLOCKS, TILES):
                with self.subTest(speed=speed):
                    scene = HEAD.format(end=end, domain="") + BOX.format(speed=speed, angle=0.3) + floor
                    rows = self.last(scene.replace("[-0.3, 0.013", "[-0.13, 0.013"))  # its first corner meets the seam at -0.125
                    self.assertAlmostEqual(rows[-1]["body.x"], -0.13 + speed * end, delta=2e-6 + 1e-4 * speed)

    def test_a_seam_of_ten_micrometres_is_flush(self):
        self.check_slides(QUADS.format(z=-1e-5), 2, 0.3, 0.4, rise=1e-5)

    def test_a_box_slides_over_flush_blocks(self):
        for angle in (0, 0.3):
            with self.subTest(angle=angle):
                self.check_slides(BLOCKS, 2, angle, 0.4)

    def test_a_box_slides_over_flush_tiles(self):
        for angle in (0, 0.3):
            with self.subTest(angle=angle):
                self.check_slides(TILES, 2, angle, 0.4)

    def test_a_ball_slides_over_flush_quads_and_blocks(self):
        for floor in (QUADS.format(z=0), BLOCKS):
            rows = self.last(HEAD.format(end=0.3, domain="") + BALL.format(r=0.1, x=-0.3, z=0.1, vx=2, vz=0) + floor)
            for row in rows:
                self.assertAlmostEqual(row["body.vx"], 2, delta=2e-4)
                self.assertAlmostEqual(row["body.z"], 0.1, delta=2e-5)

    def test_a_ball_that_misses_a_corner_keeps_its_way(self):
        for clearance in (1e-4, 1e-3):
            for floor in (BLOCKS, QUADS.format(z=0)):
                head = HEAD.format(end=0.008, domain=NO_GRAVITY)
                # Past the end of the right block at x = 4.
                rows = self.last(head + BALL.format(r=0.005, x=4.005 + clearance, z=0.02, vx=0, vz=-5) + floor)
                self.assertEqual((rows[-1]["body.vx"], rows[-1]["body.vz"]), (0, -5))

    def test_what_hits_an_edge_is_stopped(self):
        # A millimetre of the ball over the block: it must not pass.
        rows = self.last(HEAD.format(end=0.02, domain=NO_GRAVITY) + BALL.format(r=0.005, x=3.999, z=0.02, vx=0, vz=-5) + BLOCKS)
        self.assertAlmostEqual(rows[-1]["body.vz"], 0, delta=1e-3)
        # A tile's side, and the rim of a quad, in the way of a box. The rim meets it above its centre and turns it.
        head = HEAD.format(end=0.4, domain=NO_GRAVITY)
        rows = self.last(head + BOX.format(speed=2, angle=0) + TILES.replace("[0.5, 0, -0.25]", "[0.5, 0, -0.1]"))
        self.assertAlmostEqual(rows[-1]["body.x"], -0.1, delta=1e-4)
        self.assertAlmostEqual(rows[-1]["body.vx"], 0, delta=1e-3)
        rows = self.last(head + BOX.format(speed=2, angle=0) + QUADS.format(z=0.15))
        self.assertLess(max(row["body.x"] for row in rows), -0.09)
        self.assertLess(rows[-1]["body.vx"], 0.1)

    def struck(self, ahead, floor, restitution=0, more="", box=BOX, end=0.06):
        """A box at rest whose front is so far before the seam, and one that strikes it from behind at 2 m/s in step 20."""
        head = HEAD.format(end=end, domain="").replace("restitution = 0", f"restitution = {restitution}")
        resting = box.format(speed=0, angle=0).replace("-0.3, 0.013", f"{-0.1 - ahead}, 0.013")
        striking = box.format(speed=2, angle=0).replace('name = "b"', 'name = "c"').replace("-0.3, 0.013", f"{-0.3 - ahead - 0.0395}, 0.013")
        return self.last(head + resting + striking[striking.index("[[body]]"):] + floor + more)

    def test_what_is_struck_beside_a_seam_goes_over_it(self):
        # Its motion before the blow leads nowhere: what the step sets moving decides. From less to more than the way of a step, 1 mm.
        for floor in (QUADS.format(z=0), BLOCKS, TILES):
            for restitution in (0, 0.5):
                speed = 1 + restitution
                for ahead in (0, 1e-5, 1e-4, 3e-4, 7e-4, 1.4e-3):
                    with self.subTest(ahead=ahead, restitution=restitution):
                        rows = self.struck(ahead, floor, restitution)
                        self.assertAlmostEqual(rows[-1]["body.vx"], speed, delta=3e-4)
                        self.assertAlmostEqual(min(row["body.vx"] for row in rows if row["time"] > 0.0215), speed, delta=3e-4)
                        self.assertAlmostEqual(rows[-1]["body.z"], 0.1, delta=2e-5)

    def test_what_is_struck_before_a_step_up_is_stopped_by_it(self):
        for ahead in (0, 3e-4, 1.4e-3):
            for rise in (0.1, 0.15):
                with self.subTest(ahead=ahead, rise=rise):
                    rows = self.struck(ahead, TILES.replace("[0.5, 0, -0.25]", f"[0.5, 0, {rise - 0.25}]"), end=0.03)
                    self.assertLess(max(row["body.x"] for row in rows), -0.1 + 1e-3)
                    self.assertLess(rows[-1]["body.vx"], 0.2)

    def test_cubes_slide_down_a_slope_of_tiles_as_down_a_plane(self):
        # 36 of them, 0.2 of friction on 25 degrees, strips of 0.1 m or tiles of 0.2 m under edges of 0.05 m.
        slope, mu, end = math.radians(25), 0.2, 0.3
        pull, push = 9.81 * math.sin(slope), 9.81 * math.cos(slope)
        scene = HEAD.format(end=end, domain=f"[domain]\ngravity = [{pull}, 0, {-push}]").replace("friction = 0", f"friction = {mu}")
        scene = scene[:scene.index("[[measure]]")] + '[shape.c]\nkind = "box"\nedges = [0.05, 0.05, 0.05]\n'
        for k in range(36):
            place = f"position = [{0.06 * (k // 6)}, {0.06 * (k % 6)}, 0.025]"
            scene += f'[[body]]\nname = "c{k}"\nshape = "c"\nmaterial = "m"\n{place}\n[[measure]]\nkind = "body"\nbody = "c{k}"\nname = "c{k}"\nevery = 0.05\n'
        strips = "".join(f'[[wall]]\nkind = "quad"\nmaterial = "m"\ncorners = [[{x / 10}, -1, 0], [{x / 10 + 0.1}, -1, 0], [{x / 10 + 0.1}, 1, 0], [{x / 10}, 1, 0]]\n'
                         for x in range(-2, 10))
        tiles = '[shape.tile]\nkind = "box"\nedges = [0.2, 1, 0.1]\n'
        for k in range(-1, 5):
            tiles += f'[[body]]\nname = "t{k + 1}"\nshape = "tile"\nmaterial = "m"\nposition = [{0.2 * k}, 0.15, -0.05]\n'
            tiles += f'[[joint]]\nname = "h{k + 1}"\nkind = "fixed"\nbetween = ["ground", "t{k + 1}"]\npoint = [{0.2 * k}, 0, -0.05]\n'
        for floor in (strips, tiles):
            row = self.last(scene + floor)[-1]
            for k in range(36):
                # What solves leave at their tolerance of 0.1 mm/s.
                self.assertAlmostEqual(row[f"c{k}.vx"], (pull - mu * push) * end, delta=1e-4)
                self.assertAlmostEqual(row[f"c{k}.z"], 0.025, delta=1e-5)

    def test_disks_and_squares_slide_over_flush_segments(self):
        head = "dimensions = 2\n" + HEAD.format(end=0.4, domain="").replace('kind = "body"\nbody = "b"', 'kind = "momentum"')
        head += '[[measure]]\nkind = "energy"\nevery = 0.01\n'
        floor = "".join(f'[[wall]]\nkind = "segment"\nmaterial = "m"\nfrom = [{a}, 0]\nto = [{b}, 0]\n' for a, b in ((-4, 0), (0, 4)))
        square = 'kind = "polygon"\ncorners = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]'
        for shape, mass in ((square, 40), ('kind = "disk"\nradius = 0.1', 10 * math.pi)):
            body = f'[shape.b]\n{shape}\n[[bodies]]\nshape = "b"\nmaterial = "m"\nplace = {{ at = [-0.3, 0.1] }}\nvelocity = [2, 0]\n'
            for row in self.last(head + body + floor):
                self.assertAlmostEqual(row["momentum.px"] / mass, 2, delta=2e-4)
                self.assertAlmostEqual(row["energy.potential"] / (9.81 * mass), 0.1, delta=2e-5)


class PenaltySeams(ProgramTest):
    """Balls, disks and boxes under the penalty method."""

    HEAD = HEAD.replace('kind = "cone"', 'kind = "penalty"').replace("step = 1e-3", 'step = "auto"').replace("restitution = 0", "restitution = 0.5")
    # A ball at rest in its bed: m g = 4/3 E* sqrt(R) d^1.5, two of E = 1e7 and nu = 0.3.
    DEPTH = (4 / 3 * math.pi * 1e3 * 1e-3 * 9.81 / (4 / 3 * 1e7 / (2 * (1 - 0.09)) * math.sqrt(0.1))) ** (2 / 3)

    last = Seams.last

    def head(self, end, law, friction):
        text = self.HEAD.format(end=end, domain="").replace("friction = 0", f"friction = {friction}")
        return text.replace('kind = "penalty"', f'kind = "penalty"\nlaw = "{law}"' + ("\nstiffness = 1e6" if law == "linear" else ""))

    def check_rolls(self, floor, speed=3, end=0.5, friction=0, spin=0):
        head = self.HEAD.format(end=end, domain="").replace("friction = 0", f"friction = {friction}")
        ball = BALL.format(r=0.1, x=-0.8, z=0.1 - self.DEPTH, vx=speed, vz=0) + f"angular_velocity = [0, {spin}, 0]\n"
        rows = self.last(head + ball + floor)
        self.assertGreater(rows[-1]["body.x"], 0.5)
        # Nothing acts along the way: the speed stays to rounding, or, of a ball that rolls, to the swings about rolling that are left of its start. The
        # depth stays but for what its first value, of a bed of forces, leaves swinging.
        before = [row for row in rows if row["body.x"] < -0.05][-1]
        for row in [row for row in rows if row["body.x"] >= -0.05]:
            self.assertAlmostEqual(row["body.vx"], before["body.vx"], delta=1e-9 if friction == 0 else 1e-4)
            self.assertAlmostEqual(row["body.z"], 0.1 - self.DEPTH, delta=1e-3 * self.DEPTH)

    def test_a_ball_slides_over_flush_quads_blocks_and_bodies_and_rolls(self):
        for floor in (QUADS.format(z=0), BLOCKS, TILES):
            self.check_rolls(floor)
            # Rolling: friction holds nothing back and keeps what it holds across the seam.
            self.check_rolls(floor, friction=0.5, spin=30)

    def test_disks_slide_over_flush_segments(self):
        head = "dimensions = 2\n" + self.HEAD.format(end=0.4, domain="").replace('kind = "body"\nbody = "b"', 'kind = "momentum"')
        floor = "".join(f'[[wall]]\nkind = "segment"\nmaterial = "m"\nfrom = [{a}, 0]\nto = [{b}, 0]\n' for a, b in ((-4, 0), (0, 4)))
        body = '[shape.b]\nkind = "disk"\nradius = 0.1\n[[bodies]]\nshape = "b"\nmaterial = "m"\nplace = { at = [-0.3, 0.1] }\nvelocity = [2, 0]\n'
        for row in self.last(head + body + floor):
            self.assertAlmostEqual(row["momentum.px"] / (10 * math.pi), 2, delta=1e-9)

    def test_squares_slide_over_flush_segments(self):
        head = "dimensions = 2\n" + self.HEAD.format(end=0.4, domain="").replace('kind = "body"\nbody = "b"', 'kind = "momentum"')
        floor = "".join(f'[[wall]]\nkind = "segment"\nmaterial = "m"\nfrom = [{a}, 0]\nto = [{b}, 0]\n' for a, b in ((-4, 0), (0, 4)))
        body = '[shape.b]\nkind = "polygon"\nsides = 4\nedge = 0.2\n[[bodies]]\nshape = "b"\nmaterial = "m"\nplace = { at = [-0.3, 0.1] }\nvelocity = [2, 0]\n'
        for row in self.last(head + body + floor):
            self.assertAlmostEqual(row["momentum.px"] / 40, 2, delta=1e-9)

    def test_boxes_slide_over_four_flush_bodies(self):
        """Over the corner where four meet, as over one block of their size; the mover's number is below or above theirs."""
        def held(name, x, y, edges):
            at = f"[{x}, {y}, -0.25]"
            return (f'[shape.{name}]\nkind = "box"\nedges = [{edges}, {edges}, 0.5]\n[[body]]\nname = "{name}"\nshape = "{name}"\nmaterial = "m"\nposition = {at}\n'
                    f'[[joint]]\nname = "hold_{name}"\nkind = "fixed"\nbetween = ["ground", "{name}"]\npoint = {at}\n')
        four = "".join(held(f"t{k}", (k % 2) - 0.5, (k // 2) - 0.5, 1) for k in range(4))
        box = BOX.format(speed=2, angle=0.3)
        for law in ("hertz", "linear", "volume"):
            for friction in (0, 0.1):
                with self.subTest(law=law, friction=friction):
                    head = self.head(0.4, law, friction)
                    one = self.last(head + box + held("block", 0, 0, 2))[-1]
                    for text in (box + four, four + box):
                        row = self.last(head + text)[-1]
                        # The volume law's stiffness goes by the volumes of the two bodies, and so does how deep the box lies.
                        for key, delta in (("body.vx", 1e-6), ("body.z", 2e-5 if law == "volume" else 1e-6), ("body.wy", 1e-5)):
                            self.assertAlmostEqual(row[key], one[key], delta=delta if friction == 0 else max(delta, 2e-3))
                        self.assertAlmostEqual(row["body.vx"], 2 - friction * 9.81 * 0.4, delta=1e-6 if friction == 0 else 0.01)

    def test_what_goes_from_walls_onto_held_bodies_and_back(self):
        """From a quad or a block of a wall onto a body that is held flush with it, and the other way: boxes and balls, sliding and rolling."""
        tile = TILES[:TILES.index("[[body]]")] + TILES[TILES.index('[[body]]\nname = "right"'):TILES.index("[[joint]]")] + TILES[TILES.index('[[joint]]\nname = "hold_right"'):]
        quad, block = QUADS[:QUADS.index("[[wall]]", 5)], BLOCKS[:BLOCKS.index("[[wall]]", 5)]
        for wall in (quad, block):
            for law in ("hertz", "linear", "volume"):
                for friction in (0, 0.1):
                    for way in (1, -1):
                        with self.subTest(law=law, friction=friction, way=way):
                            box = BOX.format(speed=2 * way, angle=0.3).replace("-0.3, 0.013", f"{-0.3 * way}, 0.013")
                            row = self.last(self.head(0.4, law, friction) + box + wall + tile)[-1]
                            self.assertAlmostEqual(row["body.vx"], way * (2 - friction * 9.81 * 0.4), delta=1e-9 if friction == 0 else 0.01)
                            self.assertAlmostEqual(row["body.wy"], 0, delta=1e-9 if friction == 0 else 0.02)
            for friction, spin in ((0, 0), (0.5, 30)):
                self.check_rolls(wall + tile, friction=friction, spin=spin, end=0.45)

    def test_balls_cross_from_blocks_onto_held_bodies_along_every_axis(self):
        """Whichever side of a block is the floor, and wherever its sides stand in the order of patches."""
        for up in range(3):
            for along in {0, 1, 2} - {up}:
                def turned(x, y, z):  # x: along the floor over the seam at 0, z: up
                    out = [y, y, y]
                    out[along], out[up] = x, z
                    return out
                low, high = turned(-4, -2, -1), turned(0, 2, 0)
                low, high = [min(a, b) for a, b in zip(low, high)], [max(a, b) for a, b in zip(low, high)]
                block = f'[[wall]]\nkind = "box"\nside = "outside"\nmin = {low}\nmax = {high}\nmaterial = "m"\n'
                at, edges = turned(0.5, 0, -0.25), turned(1, 1, 0.5)
                tile = (f'[shape.tile]\nkind = "box"\nedges = {edges}\n[[body]]\nname = "tile"\nshape = "tile"\nmaterial = "m"\nposition = {at}\n'
                        f'[[joint]]\nname = "hold"\nkind = "fixed"\nbetween = ["ground", "tile"]\npoint = {at}\n')
                head = self.head(0.3, "hertz", 0).replace("[method]", f"[domain]\ngravity = {turned(0, 0, -9.81)}\n[method]", 1)
                for way in (1, -1):
                    ball = BALL.format(r=0.1, x=0, z=0, vx=0, vz=0)
                    place, speed = turned(-0.3 * way, 0, 0.1 - self.DEPTH), turned(2 * way, 0, 0)
                    ball = ball.replace("position = [0, 0, 0]", f"position = {place}").replace("velocity = [0, 0, 0]", f"velocity = {speed}")
                    with self.subTest(up=up, along=along, way=way):
                        row = self.last(head + ball + block + tile)[-1]
                        self.assertAlmostEqual(row["body.v" + "xyz"[along]], 2 * way, delta=1e-9)

    def test_what_crosses_flush_bodies_has_the_same_bits_on_any_number_of_threads(self):
        head = self.HEAD.format(end=0.1, domain="").replace("friction = 0", "friction = 0.3")
        ball = BALL.format(r=0.1, x=-0.05, z=0.0999, vx=1, vz=0)
        more = ball.replace('"b"', '"c"').replace("[-0.05, 0,", "[-0.05, 0.3,") + ball[ball.index("[[body]]"):].replace('"b"', '"d"').replace("[-0.05, 0,", "[-0.05, -0.3,")
        (self.folder / "bits.toml").write_text(head + BOX.format(speed=2, angle=0.3).replace("-0.3, 0.013", "-0.08, 0.013") + TILES + more)
        hashes = set()
        for threads in (1, 2, 3):
            self.scree("run", "bits.toml", "-o", "bits", "-q", "--overwrite", "--threads", threads)
            hashes.add(json.loads((self.folder / "bits" / "summary.json").read_text())["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_boxes_slide_over_flush_tiles(self):
        """Without friction, and with it, which takes mu g t."""
        tiles = "".join(f"""[[wall]]
kind = "quad"
material = "m"
corners = [[{x}, {y}, 0], [{x + 0.5}, {y}, 0], [{x + 0.5}, {y + 0.5}, 0], [{x}, {y + 0.5}, 0]]
""" for x in (-1, -0.5, 0, 0.5) for y in (-0.5, 0))
        box = BOX.format(speed=2, angle=0.3)
        for law in ("hertz", "linear", "volume"):
            for friction in (0, 0.1):
                with self.subTest(law=law, friction=friction):
                    head = self.head(0.5, law, friction)
                    seen = {}
                    for name, floor in (("tiles", tiles), ("blocks", BLOCKS), ("plane", '[[wall]]\nkind = "plane"\nmaterial = "m"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n')):
                        row = self.last(head + box + floor)[-1]
                        seen[name] = (row["body.vx"], row["body.z"], row["body.wy"])
                    for name in ("tiles", "blocks"):
                        self.assertAlmostEqual(seen[name][0], 2 - friction * 9.81 * 0.5, delta=1e-9 if friction == 0 else 0.01)
                        for a, b in zip(seen[name], seen["plane"]):
                            self.assertAlmostEqual(a, b, delta=1e-6 if friction == 0 else 1e-3)

    def test_a_step_up_is_no_seam(self):
        # 5 mm of a ball of 100 mm: it hits the edge.
        rows = self.last(self.HEAD.format(end=0.4, domain="") + BALL.format(r=0.1, x=-0.8, z=0.1 - self.DEPTH, vx=3, vz=0) + QUADS.format(z=0.005))
        self.assertGreater(max(row["body.vz"] for row in rows), 0.1)
        self.assertLess(rows[-1]["body.vx"], 2.95)


def rounds(side, radius, z, cuts, y=0):
    """Cylinders end to end along x, their axis at height z."""
    where = "n" if y < 0 else "p"
    return "".join(f'[[wall]]\nkind = "cylinder"\nside = "{side}"\nname = "{side}{k}{where}"\nmaterial = "m"\npoint = [{a}, {y}, {z}]\naxis = [1, 0, 0]\nradius = {radius}\nlength = {b - a}\n'
                   for k, (a, b) in enumerate(zip(cuts, cuts[1:])))


class RoundSeams(ProgramTest):
    """Tubes and rods that go on flush, end to end, and arcs: as one surface, under both methods."""

    last = Seams.last
    CUTS = (-2, -0.35, 0, 0.1, 2)
    WHOLE = (-2, 2)

    def heads(self, end):
        yield "cone", HEAD.format(end=end, domain="")
        for law in ("hertz", "linear"):
            yield law, PenaltySeams.head(PenaltySeams, end, law, 0)
        yield "friction", PenaltySeams.head(PenaltySeams, end, "hertz", 0.1)

    def test_balls_and_boxes_slide_in_tubes_and_on_rods(self):
        ball = BALL.format(r=0.1, x=-0.3, z=0.1, vx=2, vz=0)
        box = BOX.format(speed=2, angle=0).replace("0.013", "0")
        # The box lies with two edges in a tube, with a face on two rods; the ball on the tube's lowest line, between the rods.
        box_in_tube = box.replace("0, 0.1]", f"0, {0.5 - math.sqrt(0.25 - 0.01) + 0.1}]")
        ball_on_rods = ball.replace("0, 0.1]", f"0, {math.sqrt(0.2 ** 2 - 0.07 ** 2) - 0.1}]")
        tube = lambda cuts: rounds("inside", 0.5, 0.5, cuts)
        rods = lambda cuts: rounds("outside", 0.1, -0.1, cuts, -0.07) + rounds("outside", 0.1, -0.1, cuts, 0.07)
        for name, body, floor in (("ball, tube", ball, tube), ("box, tube", box_in_tube, tube), ("ball, rods", ball_on_rods, rods), ("box, rods", box, rods)):
            for method, head in self.heads(0.3):
                with self.subTest(name, method=method):
                    parts, whole = self.last(head + body + floor(self.CUTS))[-1], self.last(head + body + floor(self.WHOLE))[-1]
                    self.assertGreater(parts["body.x"], 0.1)
                    self.assertAlmostEqual(parts["body.z"], float(body[body.index("position"):].split("]")[0].split(",")[2]), delta=2e-3)  # it lies
                    for key in whole:
                        if key.startswith("body."):
                            self.assertAlmostEqual(parts[key], whole[key], delta=1e-9)
                    if method in ("hertz", "linear"):
                        self.assertAlmostEqual(parts["body.vx"], 2, delta=1e-9)

    def test_each_part_bears_what_lies_on_it(self):
        head = PenaltySeams.head(PenaltySeams, 0.2, "hertz", 0).replace("[[measure]]", '[[measure]]\nkind = "wall_load"\nwall = "inside2p"\nname = "w"\nevery = 0.01\n[[measure]]', 1)
        for x, load in ((-0.1, 0), (0.05, 1), (0.2, 0)):
            row = self.last(head + BALL.format(r=0.02, x=x, z=0.02, vx=0, vz=0) + rounds("inside", 0.5, 0.5, self.CUTS))[-1]
            self.assertAlmostEqual(row["w.inside2p.fz"], -load * 4 / 3 * math.pi * 8e-6 * 1e3 * 9.81, delta=0.02 * 0.33)

    def test_the_ends_of_all_are_ends(self):
        # A ball that flies at the wall of a tube where it ends, at x = 2, and one past it.
        head = PenaltySeams.head(PenaltySeams, 0.02, "hertz", 0).replace("[method]", NO_GRAVITY + "\n[method]", 1)
        for x, meets in ((1.99, True), (2.011, False)):
            row = self.last(head + BALL.format(r=0.01, x=x, z=0.03, vx=0, vz=-5) + rounds("inside", 0.5, 0.5, self.CUTS))[-1]
            self.assertEqual(row["body.vz"] > -4.9, meets)

    def test_disks_slide_over_arcs(self):
        # From rest at 60 degrees through the lowest point, over a seam there and others beside it, up to as high as it came from.
        cuts = [math.radians(k) for k in (180, 235, 270, 272, 360)]
        arcs = "".join(f'[[wall]]\nkind = "arc"\nmaterial = "m"\ncentre = [0, 1]\nradius = 1\nangles = [{a}, {b}]\n' for a, b in zip(cuts, cuts[1:]))
        one = f'[[wall]]\nkind = "arc"\nmaterial = "m"\ncentre = [0, 1]\nradius = 1\nangles = [{cuts[0]}, {cuts[-1]}]\n'
        at = f"[{-0.9 * math.sin(math.radians(60))}, {1 - 0.9 * math.cos(math.radians(60))}]"
        body = f'[shape.b]\nkind = "disk"\nradius = 0.1\n[[bodies]]\nshape = "b"\nmaterial = "m"\nplace = {{ at = {at} }}\n'
        for method, head in self.heads(0.8):
            with self.subTest(method):
                head = "dimensions = 2\n" + head.replace('kind = "body"\nbody = "b"', 'kind = "momentum"')
                parts, whole = self.last(head + body + arcs), self.last(head + body + one)
                for a, b in zip(parts, whole):
                    self.assertAlmostEqual(a["momentum.px"], b["momentum.px"], delta=1e-6)


if __name__ == "__main__":
    unittest.main()
