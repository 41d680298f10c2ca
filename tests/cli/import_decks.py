"""`scree import`: decks of LIGGGHTS and LAMMPS become scenes that pass `scree check` and run, with the numbers that the decks give; what is not converted is told with
its line; broken decks are refused, and nothing is written."""

import json
import math
import struct
import tomllib
import unittest

from program import ProgramTest

HOPPER = """# grains in a hopper, whose slide opens after the first run
units si
atom_style granular
boundary f f f
newton off
communicate single vel yes
region box block -0.06 0.06 -0.06 0.06 -0.06 0.16 units box
create_box 2 box
neighbor 0.002 bin
variable young equal 5.e6
variable dt equal 2*1e-5/2

fix m1 all property/global youngsModulus peratomtype ${young} 2e8
fix m2 all property/global poissonsRatio peratomtype 0.45 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 2 0.5 0.4 0.4 0.3
fix m4 all property/global coefficientFriction peratomtypepair 2 0.6 0.35 0.35 0.2
fix m5 all property/global coefficientRollingFriction peratomtypepair 2 0.05 0.02 0.02 0.01
fix m6 all property/global cohesionEnergyDensity peratomtypepair 2 3000 0 0 0
pair_style gran model hertz tangential history rolling_friction epsd2 cohesion sjkr
pair_coeff * *
timestep ${dt}
fix g all gravity 9.81 vector 0.0 0.0 -1.0

fix funnel all mesh/surface file funnel.stl type 2 scale 0.001 move 0 0 0.01
fix slide all mesh/surface file slide.stl type 2 scale 0.001
fix walls all wall/gran model hertz tangential history rolling_friction epsd2 mesh n_meshes 2 meshes funnel slide
fix floor all wall/gran model hertz tangential history primitive type 2 zplane -0.05

fix small all particletemplate/sphere 15485863 atom_type 1 density constant 2500 radius constant 0.003
fix large all particletemplate/sphere 15485867 atom_type 1 density constant 2500 radius uniform 0.004 0.005
fix mix all particledistribution/discrete 32452843 2 small 0.4 &
    large 0.6
region fill cylinder z 0.0 0.0 0.03 0.08 0.14 units box
fix ins all insert/rate/region seed 32452867 distributiontemplate mix nparticles 60 massrate 0.4 &
    insert_every 1000 overlapcheck yes vel constant 0 0 -0.4 region fill
fix integr all nve/sphere
compute ke all erotate/sphere
thermo 1000
dump dmp all custom 500 post/dump*.hopper id type x y z radius
run 2000
unfix slide
fix drag all viscous 0.01
run 1000
"""

POUR = """units si
atom_style sphere
boundary p p fm
region box block 0 0.08 0 0.08 0 0.3 units box
create_box 1 box
region slab block 0.01 0.07 0.01 0.07 0.06 0.12 units box
pair_style gran/hooke/history 2000.0 NULL 400.0 NULL 0.4 1
pair_coeff * *
timestep 0.00002
fix 1 all nve/sphere
fix 2 all gravity 9.81 spherical 0.0 180.0
fix 3 all pour 40 1 4711 region slab diam range 0.006 0.008 vol 0.3 50 dens 2000 2000
fix bottom all wall/gran hooke/history 2000.0 NULL 400.0 NULL 0.7 1 zplane 0.0 NULL
compute 1 all stress/atom NULL
dump a all atom 250 dump.pour
run 1000
run 500
"""

DRUM = """units cgs
atom_style sphere
dimension 3
boundary f f f
region box block -6 6 -3 3 -6 6
create_box 1 box
pair_style granular
pair_coeff * * hertz/material 5e7 0.4 0.3 tangential mindlin NULL 0.5 0.55 rolling sds 1000 10 0.1 twisting marshall damping tsuji
read_data atoms.data
timestep 2e-5
fix 1 all nve/sphere
fix g all gravity 981 vector 0 0 -1
fix shell all mesh/surface file drum.stl type 1 rotate axis 1 0 0 angle 90 scale 0.1
fix w all wall/gran model hertz tangential history mesh n_meshes 1 meshes shell
fix ends all wall/gran granular hertz/material 5e7 0.4 0.3 tangential mindlin NULL 0.5 0.2 damping tsuji yplane -2 2
fix turn all move/mesh mesh shell rotate origin 0. 0. 0. axis 0. 1. 0. period 2.0
if "1 > 0" then "print yes"
dump 1 all custom 100 d.dump id type x y z
run 500
"""

DATA = """two dozen grains

{atoms} atoms
1 atom types
-6 6 xlo xhi
-3 3 ylo yhi
-6 6 zlo zhi

Atoms # sphere

{rows}
"""


def stl(path, triangles):
    data = b"by hand".ljust(80) + struct.pack("<I", len(triangles))
    for corners in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *(x for corner in corners for x in corner), 0)
    path.write_bytes(data)


def frustum(low, high, bottom, top, sides=12):
    """Triangles between two rings about z."""
    ring = [(math.cos(2 * math.pi * k / sides), math.sin(2 * math.pi * k / sides)) for k in range(sides)]
    found = []
    for (a, b), (c, d) in zip(ring, ring[1:] + ring[:1]):
        p, q, r, s = (bottom * a, bottom * b, low), (bottom * c, bottom * d, low), (top * c, top * d, high), (top * a, top * b, high)
        found += [(p, q, r), (p, r, s)]
    return found


class ImportDecks(ProgramTest):
    def convert(self, deck, text, *more, code=0):
        (self.folder / deck).write_text(text)
        return self.scree("import", deck, *more, code=code)

    def scene(self, name):
        with open(self.folder / name, "rb") as file:
            return tomllib.load(file)

    def run_scene(self, name, steps):
        self.scree("run", name, "-o", "run", "-q", "--steps", steps, "--overwrite")
        return self.summary("run")

    def meshes(self):
        square = [(-20, -20), (20, -20), (20, 20), (-20, 20)]
        stl(self.folder / "funnel.stl", frustum(0, 60, 12, 50) + frustum(60, 140, 50, 50))
        stl(self.folder / "slide.stl", [tuple((x, y, 10) for x, y in (square[0], square[k], square[k + 1])) for k in (1, 2)])

    def test_hopper(self):
        self.meshes()
        out = self.convert("in.hopper", HOPPER)[0]
        self.assertIn("in.hopper:42: not converted: fix drag all viscous 0.01\n    is not converted: see [[drag]]", out)
        scene = self.scene("hopper.toml")
        self.assertEqual(scene["time"], {"step": 1e-5, "end": 0.03})
        self.assertEqual(scene["domain"]["gravity"], [0, 0, -9.81])
        self.assertEqual((scene["domain"]["min"], scene["domain"]["leave"]), ([-0.06, -0.06, -0.06], "remove"))
        method = scene["method"]
        self.assertEqual([method[key] for key in ("law", "dashpot", "rolling", "cohesion")], ["hertz", "tsuji", "epsd", "sjkr"])
        grain = scene["material"]["type1"]
        self.assertEqual(grain, {"density": 2500, "young": 5e6, "poisson": 0.45, "restitution": 0.5, "friction": 0.6, "rolling_friction": 0.05, "rolling_damping": 0,
                                 "cohesion_energy_density": 3000})
        self.assertEqual(scene["material"]["type2"]["young"], 2e8)
        (pair,) = scene["material_pair"]
        self.assertEqual((pair["between"], pair["restitution"], pair["friction"], pair["cohesion_energy_density"]), (["type1", "type2"], 0.4, 0.35, 0))
        (stream,) = scene["insert"]
        self.assertEqual([part["share"] for part in stream["mixture"]], [0.4, 0.6])
        self.assertEqual((stream["shares_of"], stream["mass_rate"], stream["count"], stream["velocity"]), ("mass", 0.4, 60, [0, 0, -0.4]))
        self.assertEqual(stream["every"], 0.01)
        walls = {wall["name"]: wall for wall in scene["wall"]}
        self.assertEqual((walls["funnel"]["file"], walls["funnel"]["scale"], walls["funnel"]["offset"]), ("funnel.stl", 0.001, [0, 0, 0.01]))
        self.assertEqual(walls["slide"]["active"], [0, 0.02])  # it is taken away after the first run
        self.assertEqual((walls["floor"]["normal"], walls["floor"]["point"]), ([0, 0, 1], [0, 0, -0.05]))
        self.assertEqual(scene["output"]["every"], 0.005)
        text = (self.folder / "hopper.toml").read_text()
        self.assertIn("#   line 42: fix drag all viscous 0.01", text)
        self.assertIn("# Without a counterpart, and not needed: atom_style, communicate, fix nve/sphere, neighbor, newton, thermo.", text)
        summary = self.run_scene("hopper.toml", 2200)
        self.assertGreater(summary["bodies_inserted"], 4)
        # Another conversion is refused, or asked for.
        before = text
        self.assertIn("hopper.toml is there already: --overwrite replaces it", self.scree("import", "in.hopper", code=2)[1])
        (self.folder / "in.hopper").write_text(HOPPER.replace("run 1000", "run 3000"))
        self.scree("import", "in.hopper", "--overwrite")
        self.assertNotEqual((self.folder / "hopper.toml").read_text(), before)
        self.assertEqual(self.scene("hopper.toml")["time"]["end"], 0.05)

    def test_pour(self):
        out = self.convert("pour.lammps", POUR, "-o", "made.toml")[0]
        self.assertIn("pour.lammps:14: not converted: compute 1 all stress/atom NULL", out)
        scene = self.scene("made.toml")
        self.assertEqual(scene["domain"]["periodic"], "xy")
        self.assertEqual(scene["domain"]["max"], [0.08, 0.08, math.inf])
        self.assertAlmostEqual(scene["domain"]["gravity"][2], -9.81, 12)
        self.assertEqual((scene["method"]["law"], scene["method"]["stiffness"]), ("linear", 2000))
        self.assertAlmostEqual(scene["method"]["tangential_ratio"], 2 / 7, 10)
        # x'' + g x' + k / m x = 0 of two bodies of the mean diameter: it rebounds after half a period.
        mass = 0.5 * 2000 * math.pi / 6 * 0.007 ** 3
        b = 200.0
        e = math.exp(-math.pi * b / math.sqrt(2000 / mass - b * b))
        self.assertAlmostEqual(scene["material"]["type1"]["restitution"], e, 5)
        self.assertEqual(scene["material"]["type1"]["friction"], 0.4)
        (pair,) = scene["material_pair"]
        self.assertEqual((sorted(pair["between"]), pair["friction"]), (["type1", "wall1"], 0.7))
        self.assertIn(f"gamma_n as the restitution of a body of diameter 0.007 m, {e:.6f}"[:-1], out)
        b, mass = 200.0, 2 * mass
        self.assertAlmostEqual(pair["restitution"], math.exp(-math.pi * b / math.sqrt(2000 / mass - b * b)), 5)
        (stream,) = scene["insert"]
        self.assertEqual((stream["count"], scene["shape"][stream["shape"]]["distribution"]["max"]), (40, 0.004))
        self.assertEqual(scene["time"], {"step": 2e-5, "end": 0.03})
        summary = self.run_scene("made.toml", 300)
        self.assertEqual(summary["bodies_inserted"], 40)

    def test_pour_of_several_sizes(self):
        out = self.convert("in.poly", POUR.replace("diam range 0.006 0.008", "diam poly 3 0.004 0.5 0.006 0.3 0.01 0.2"))[0]
        mass, b = 0.5 * 2000 * math.pi / 6 * (0.5 * 0.004 + 0.3 * 0.006 + 0.2 * 0.01) ** 3, 200.0
        scene = self.scene("poly.toml")
        self.assertAlmostEqual(scene["material"]["type1"]["restitution"], math.exp(-math.pi * b / math.sqrt(2000 / mass - b * b)), 5)
        self.assertIn("a body of diameter 0.0058 m", out)
        self.assertEqual([one["share"] for one in scene["shape"][scene["insert"][0]["shape"]]["classes"]], [0.5, 0.3, 0.2])

    def test_rolling_springs(self):
        """Springs of rolling that are not those of the scene are told, with how much stiffer the deck's are."""
        self.meshes()
        # epsd2: k_t R^2 over 9/4 k_n (mu_r R)^2, of Hertz's contacts k_t / k_n = 3 (1 - nu) / (2 - nu) of one material.
        out = self.convert("in.rolls", HOPPER)[0]
        ratios = [3 * (1 - nu) / (2 - nu) / (2.25 * mu ** 2) for nu, mu in ((0.45, 0.05), (0.3, 0.01))]
        said = f"the deck's rolling spring, k_t R^2, is {ratios[0]:.3g} to {ratios[1]:.3g} times as stiff"
        self.assertIn(f"in.rolls:19: note: rolling_friction epsd2 as rolling = \"epsd\" without damping: the couple has the same limit, but {said}", out)
        text = (self.folder / "rolls.toml").read_text()
        self.assertIn(said, text[text.index("# Converted in another way:"):])
        # epsd3: a factor of its own, and the same ratio of damping.
        deck = HOPPER.replace("rolling_friction epsd2", "rolling_friction epsd3")
        out = self.convert("in.rolls", deck, "--overwrite")[0]
        self.assertIn("in.rolls:19: not converted: ", out)
        self.assertIn("rolling_friction epsd3: the deck gives no coefficientRollingViscousDamping", out)
        self.assertIn("rolling_friction epsd3: the deck gives no coefficientRollingStiffness", out)
        self.assertNotIn("rolling_damping", self.scene("rolls.toml")["material"]["type1"])
        deck = deck.replace("pair_coeff", "fix m7 all property/global coefficientRollingViscousDamping peratomtypepair 2 0.4 0.2 0.2 0.1\n"
                            "fix m8 all property/global coefficientRollingStiffness scalar 4.5\npair_coeff")
        out = self.convert("in.rolls", deck, "--overwrite")[0]
        self.assertIn("4.5 k_n (rolling_friction R)^2, is 2 times as stiff as that of the scene, whose factor is 2.25", out)
        self.assertNotIn("epsd3: the deck gives no", out)
        scene = self.scene("rolls.toml")
        self.assertEqual((scene["method"]["rolling"], scene["material"]["type1"]["rolling_damping"], scene["material_pair"][0]["rolling_damping"]), ("epsd", 0.4, 0.2))
        # epsd itself has nothing to tell.
        self.assertNotIn("rolling", self.convert("in.rolls", deck.replace("epsd3", "epsd"), "--overwrite")[0].replace("coefficientRollingStiffness", ""))

    def test_restitution(self):
        """Two balls of the deck of which one hits the other leave with the restitution that LAMMPS' spring and dashpot give."""
        diameter, density, kn, gamma, speed = 0.01, 2500.0, 5000.0, 300.0, 0.1
        self.convert("in.two", f"""units si
atom_style sphere
boundary f f f
region box block -0.1 0.1 -0.1 0.1 -0.1 0.1
create_box 2 box
create_atoms 1 single -0.00501 0 0
set type 1 diameter {diameter}
set type 1 density {density}
pair_style gran/hooke {kn} NULL {gamma} NULL 0.0 0
pair_coeff * *
fix w all wall/gran hooke {kn} NULL {gamma} NULL 0.0 0 xplane NULL 0.0
velocity all set {speed} 0 0
timestep 2e-6
run 4000
""")
        self.scree("run", "two.toml", "-o", "run", "-q")
        self.scree("export", "run", "--to", "csv")
        last = sorted((self.folder / "run" / "csv").glob("frame_0*.csv"))[-1].read_text().splitlines()
        after = dict(zip(last[0].split(","), map(float, last[1].split(","))))
        mass = density * math.pi / 6 * diameter ** 3
        b = 0.5 * gamma
        e = math.exp(-math.pi * b / math.sqrt(kn / mass - b * b))
        self.assertAlmostEqual(-after["vx"] / speed, e, 3)

    def test_drum(self):
        stl(self.folder / "drum.stl", frustum(-25, 25, 50, 50, 24))
        spots = [(x, y, z) for z in (-3.0, -2.2, -1.4) for y in (-1.2, 0.0, 1.2) for x in (-1.0, 0.0, 1.0)]
        rows = "\n".join(f"{k + 1} 1 {0.6 + 0.01 * (k % 5)} 1.5 {x} {y} {z}" for k, (x, y, z) in enumerate(spots))
        (self.folder / "atoms.data").write_text(DATA.format(atoms=len(spots), rows=rows))
        out = self.convert("in.liggghts.drum", DRUM, "-o", "drum.toml")[0]
        self.assertIn("in.liggghts.drum:17: not converted: if \"1 > 0\" then \"print yes\"", out)
        scene = self.scene("drum.toml")
        self.assertEqual((scene["time"]["step"], scene["time"]["end"]), (2e-5, 0.01))
        self.assertEqual(scene["domain"]["gravity"], [0, 0, -9.81])
        self.assertEqual(scene["domain"]["max"], [0.06, 0.03, 0.06])
        grain = scene["material"]["type1"]
        self.assertEqual((grain["young"], grain["poisson"], grain["restitution"], grain["friction"], grain["rolling_friction"]), (5e6, 0.3, 0.4, 0.55, 0.1))
        self.assertEqual(grain["density"], 1500)
        self.assertEqual(scene["method"]["twisting"], "marshall")
        walls = {wall["name"]: wall for wall in scene["wall"]}
        shell = walls["shell"]
        self.assertAlmostEqual(shell["motion"]["rate"], math.pi, 10)
        self.assertEqual((shell["motion"]["axis"], shell["motion"]["point"]), ([0, 1, 0], [0, 0, 0]))
        # It is turned from z to y, and from millimetres through the deck's tenths of centimetres to metres.
        data = (self.folder / shell["file"]).read_bytes()
        corners = [struct.unpack_from("<3f", data, 84 + 50 * k + 12 * c) for k in range(48) for c in (1, 2, 3)]
        self.assertEqual(len(data), 84 + 50 * 48)
        for x, y, z in corners:
            self.assertAlmostEqual(math.hypot(x, z), 0.05, 6)
            self.assertAlmostEqual(abs(y), 0.025, 6)
        self.assertEqual(walls["ends"]["material"], "wall1")
        self.assertEqual(walls["ends_2"]["normal"], [0, -1, 0])
        summary = self.run_scene("drum.toml", 100)
        self.assertEqual(summary["bodies"], 27)
        self.scree("export", "run", "--to", "csv")
        first = (self.folder / "run" / "csv" / "frame_000000.csv").read_text().splitlines()[1].split(",")
        self.assertEqual([float(x) for x in first[1:4]], [-0.01, -0.012, -0.03])

    def test_pack_and_motions(self):
        self.meshes()
        self.convert("in.pack", """units si
boundary f f f
region box block -0.1 0.1 -0.1 0.1 -0.1 0.2
create_box 1 box
fix a all property/global youngsModulus peratomtype 1e6
fix b all property/global poissonsRatio peratomtype 0.3
fix c all property/global coefficientRestitution peratomtypepair 1 0.5
fix d all property/global coefficientFriction peratomtypepair 1 0.3
fix e all property/global characteristicVelocity scalar 1.0
pair_style gran model hooke tangential history limitForce on
pair_coeff * *
timestep 1e-5
fix g all gravity 9.81 vector 0 0 -1
fix t all particletemplate/multisphere 15485863 atom_type 1 density constant 1200 nspheres 2 ntry 10000 spheres 0 0 0 0.004 0.004 0 0 0.003 type 1
fix p all particledistribution/discrete/numberbased 17903 1 t 1.0
region r block -0.03 0.03 -0.03 0.03 0.02 0.08
fix i all insert/pack seed 123457 distributiontemplate p insert_every once overlapcheck yes particles_in_region 12 region r
fix plate all mesh/surface file slide.stl type 1 scale 0.003 move 0 0 -0.03 surface_vel 0.2 0 0
fix w all wall/gran model hooke tangential history mesh n_meshes 1 meshes plate
fix shake all move/mesh mesh plate wiggle amplitude 0 0 0.001 period 0.02
run 100
""")
        scene = self.scene("pack.toml")
        (shape,) = scene["shape"].values()
        self.assertEqual((shape["kind"], shape["spheres"]), ("clump", [[0, 0, 0, 0.004], [0.004, 0, 0, 0.003]]))
        (bodies,) = scene["bodies"]
        self.assertEqual(bodies["place"]["bodies"], 12)
        self.assertEqual((scene["method"]["law"], scene["method"]["dashpot"], scene["method"]["tangential_ratio"]), ("linear", "restitution", 1))
        text = (self.folder / "pack.toml").read_text()
        self.assertIn("oscillation = { amplitude = [0, 0, 0.001], frequency = 50 }", text)
        self.assertIn("the wall has several motions", text)  # it runs as a belt, too
        self.assertEqual(self.run_scene("pack.toml", 20)["bodies"], 12)
        # Without a word k_t is k_n; with it, 2/7 of it; and what has nothing like it is told.
        deck = (self.folder / "in.pack").read_text().replace("limitForce on", "limitForce on ktToKnUser on tangential_damping off")
        out = self.convert("in.pack", deck, "--overwrite")[0]
        self.assertAlmostEqual(self.scene("pack.toml")["method"]["tangential_ratio"], 2 / 7)
        self.assertIn("tangential_damping off is not converted: springs of friction have their dashpot", out)

    def test_wall_across_a_period(self):
        """Without bodies, whose size would say how far a wall must keep from borders."""
        stl(self.folder / "tilt.stl", [((-0.01, 0.02, 0.02), (0.05, 0.02, 0.02), (0.02, 0.05, 0.02))])
        err = self.convert("in.tilt", """units si
boundary p p f
region box block 0 0.08 0 0.08 0 0.3 units box
create_box 1 box
pair_style gran/hooke/history 2000.0 NULL 400.0 NULL 0.4 1
timestep 0.00002
fix m all mesh/surface file tilt.stl type 1
fix w all wall/gran model hooke tangential history mesh n_meshes 1 meshes m
run 100
""", code=1)[1]
        self.assertIn('wall "m": it reaches from x = -0.01 to 0.05 m, near or across a border of the period from 0 to 0.08 m: let it end 1.25 of the largest diameters, of bodies that '
                      "the scene does not have yet, or more within the borders", err)

    def refused(self, text, message):
        out, err = self.convert("in.broken", text, code=2)
        self.assertIn(message, err)
        self.assertEqual(out, "")
        self.assertFalse((self.folder / "broken.toml").exists())

    def test_broken(self):
        self.assertIn("a folder, not an input deck", self.scree("import", self.folder, "-o", "x.toml", code=2)[1])
        self.meshes()
        self.refused(HOPPER.replace("${young}", "${yuong}"), "in.broken:13: there is no variable yuong; define it before with `variable yuong ...`")
        self.refused(HOPPER.replace("2*1e-5/2", "2*1e-5/0"), "in.broken:21: ")
        self.refused(HOPPER.replace("funnel.stl", "funel.stl"), "in.broken:24: fix: ")
        self.refused(HOPPER.replace("region fill cyl", "region full cyl"), "in.broken:34: fix: insert/rate/region: there is no region fill")
        self.refused(HOPPER.replace("peratomtypepair 2 0.5 0.4 0.4 0.3", "peratomtypepair 2 0.5 0.4 0.4"), "in.broken:15: fix: coefficientRestitution: 2 types have 4 values, here are 3")
        self.refused(HOPPER.replace("fix m2 ", "#"), "in.broken:19: pair_style: the deck gives no poissonsRatio of type 1: add its fix property/global")
        self.refused(HOPPER.replace("distributiontemplate mix", "distributiontemplate mx"), "there is no distribution mx that was converted")
        self.refused(HOPPER.replace("gravity 9.81", "gravity fast"), "in.broken:22: gravity: \"fast\" is known only as a simulation runs")
        self.refused(POUR.replace("units si", "units real"), "in.broken:1: units: units real are those of molecules")
        self.refused(POUR.replace("run 500", "rum 500"), "in.broken:17: rum: this is no command of LAMMPS or LIGGGHTS that is known here")
        self.refused(POUR.replace("run 500", 'print "open'), "in.broken:17: a quote is opened and not closed")
        self.refused(POUR.replace("timestep 0.00002\n", "") + "fix x all insert/pack seed 1 distributiontemplate d\n", "in.broken:15: run: the deck has given no timestep before")
        self.refused("run 5 &", "in.broken:1: the line goes on (&), but the file ends")
        self.refused("include in.broken\n", "include: files include each other more than 20 deep")
        self.refused("variable a equal v_b\nvariable b equal 2*v_a\ntimestep ${a}\n", "in.broken:3: variables refer to each other: a, b and again a")
        self.refused("variable a equal v_b\nvariable b equal 2*v_a\ntimestep v_b\n", "in.broken:3: timestep: variables refer to each other: b, a and again b")
        self.refused("variable a equal v_a+1\ntimestep v_a\n", "in.broken:2: timestep: variable a refers to itself")
        self.refused("timestep ((9^1000)^1000)^100\n", 'in.broken:1: timestep: "((9^1000)^1000)^100" is too large a number')
        self.refused("variable a equal (9^300)^100\ntimestep ${a}\n", 'in.broken:2: variable a: "(9^300)^100" is too large a number')
        self.refused("timestep 1e300*1e300\n", '"1e300*1e300" is not a finite number')
        self.refused("timestep " + "-" * 5000 + "1\n", "in.broken:1: timestep: ")
        self.refused("units si\ninclude nothere.inc\n", "in.broken:2: include: nothere.inc: cannot read it: No such file or directory")
        self.refused(POUR.replace("diam range 0.006 0.008 vol 0.3 50 dens 2000 2000", "diam poly 2 0.006 0 0.008 0"), "in.broken:12: fix: diam poly: expected diameters")
        self.refused("units si\nrun 0\n", "in.broken:2: run: the deck has given no timestep before")
        self.refused(json.dumps({"a": 1}), "in.broken:1:")
        (self.folder / "in.pour").write_text(POUR)
        self.assertIn("this is the deck itself", self.scree("import", "in.pour", "-o", "in.pour", "--overwrite", code=2)[1])
        self.assertIn("there is no folder", self.scree("import", "in.pour", "-o", "gone/x.toml", code=2)[1])
        self.assertEqual((self.folder / "in.pour").read_text(), POUR)
        self.assertIn("no such file", self.scree("import", "in.gone", code=2)[1])


if __name__ == "__main__":
    unittest.main()
