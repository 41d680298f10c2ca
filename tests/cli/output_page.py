"""docs/output.md names every file, column, dataset and attribute that runs of all methods write."""

import csv
import pathlib
import re
import sys
import unittest

from program import GAS, HERE, MILL, PILE, WATER, ProgramTest

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "output.md").read_text()
BLOCKS = HERE / "scenes" / "blocks.toml"

# Named bodies, a compound, a clump, joints and every measure that the cone method has.
MACHINE = """
[time]
step = 1e-3
end = 0.004
[method]
kind = "cone"
[material.glass]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.brick]
kind = "box"
edges = [0.1, 0.05, 0.02]
[shape.pair]
kind = "clump"
spheres = [[0, 0, 0, 0.02], [0.02, 0, 0, 0.02]]
[[bodies]]
shape = "pair"
material = "glass"
place.at = [0, 0, 0.0199]
[[body]]
name = "arm"
shape = "brick"
material = "glass"
position = [0, 0, 0.5]
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "glass"
[[joint]]
name = "hinge"
kind = "revolute"
between = ["ground", "arm"]
point = [0, 0, 0.5]
axis = [0, 1, 0]
[output]
contacts = true
every = 0.002
""" + "".join(f'[[measure]]\nkind = "{kind}"\n{more}' for kind, more in (
    ("energy", ""), ("momentum", ""), ("count", ""), ("coordination", ""), ("max_overlap", ""), ("wall_load", ""), ("solver", ""), ("extent", ""),
    ("contact_kinds", ""), ("body", 'body = "arm"\n'), ("joint", 'joint = "hinge"\n'), ("mass_in", "box = [[-1, -1, -1], [1, 1, 1]]\n")))


# Liquid on bodies that come.
WET = """
[time]
end = 0.01
[method]
cohesion = "capillary_shared"
[material.m]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
surface_tension = 0.07
liquid_content = 1e-3
[shape.ball]
kind = "sphere"
radius = 1e-3
[[insert]]
shape = "ball"
material = "m"
count = 5
region = { box = [[0, 0, 0], [0.01, 0.01, 0.01]] }
[[insert]]
name = "mix"
mixture = [{ shape = "ball", material = "m", share = 1 }]
count = 5
region = { box = [[0, 0, 0.02], [0.01, 0.01, 0.03]] }
[[remove]]
region = { plane = { point = [0, 0, 0], normal = [0, 0, -1] } }
every = 0.001
recycle = { region = { box = [[0, 0, 0], [0.01, 0.01, 0.01]] } }
[[measure]]
kind = "streams"
[output]
every = 0.005
"""


# Bonds that break.
BONDED = """
[time]
end = 0.002
[material.m]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.ball]
kind = "sphere"
radius = 1e-3
[[bodies]]
shape = "ball"
material = "m"
place = { lattice = [3, 3, 3], spacing = 0.002, origin = [0, 0, 0] }
velocity = [0.1, 0, 0]
[[bond]]
gap = 1e-5
young = 1e7
tensile_strength = 1e3
weibull = 4
[[measure]]
kind = "bonds"
[output]
every = 0.001
bonds = true
"""


# A space that repeats itself.
PERIODS = """
[time]
end = 0.01
[domain]
min = [0, 0, 0]
max = [0.01, 0.01, 0.01]
periodic = "xy"
[material.m]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.ball]
kind = "sphere"
radius = 1e-3
[[bodies]]
shape = "ball"
material = "m"
place = { at = [[0.001, 0.002, 0.005]] }
[[wall]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
[[measure]]
kind = "wall_place"
[[measure]]
kind = "cell"
[[measure]]
kind = "stress"
box = [[0, 0, 0], [0.01, 0.01, 0.01]]
[output]
every = 0.005
"""


def words(text):
    return set(re.findall(r"`([^`]+)`", text))


def section(title, level):
    """The text under a heading, up to the next one of its level or above."""
    found = re.search(rf"^{'#' * level} {re.escape(title)}\n(.*?)(?=^#{{1,{level}}} |\Z)", PAGE, re.M | re.S)
    if not found:
        raise AssertionError(f"docs/output.md has no section {title!r}")
    return found[1]


def pattern_of(path):
    """A path of state.h5 as the page writes it."""
    path = re.sub(r"^/frames/\d+", "/frames/NNNNNN", path)
    path = re.sub(r"^/shapes/\d+", "/shapes/NNN", path)
    path = re.sub(r"^/points/\d+", "/points/N", path)
    path = re.sub(r"^(/walls)(_\d+)?/[^/]+", r"\1/NAME", path)
    return re.sub(r"wall_points/.+", "wall_points/NAME", path)


class OutputPage(ProgramTest):
    def kinds_of(self, run):
        """Kind of each measure by its name, from the scene as it was run."""
        blocks = (self.folder / run / "scene.toml").read_text().split("[[measure]]\n")[1:]
        texts = [dict(re.findall(r'^(kind|name) = "(.*)"$', block, re.M)) for block in blocks]
        return {block.get("name", block["kind"]): block["kind"] for block in texts}

    def check_series(self, run):
        with open(self.folder / run / "series.csv", newline="") as file:
            columns = next(csv.reader(file))
        self.assertLessEqual(set(columns[:2]), words(section("series.csv", 2)))
        kinds = self.kinds_of(run)
        for column in columns[2:]:
            name, rest = column.split(".", 1)
            kind = kinds[name]
            known = words(section(f"`{kind}`", 3))
            if kind in ("wall_load", "wall_place", "streams"):
                rest = rest.rsplit(".", 1)[1]
            if rest.endswith(".impulse"):
                rest = "WALL.impulse"
            self.assertIn(rest, known, f"{column} of {run} is not in docs/output.md")
            self.seen.add((kind, rest))

    def check_state(self, run):
        text = section("state.h5", 2)
        known = words(text)

        def visit(name, item):
            path = pattern_of("/" + name)
            if path.count("/") > 1:
                self.assertIn(path, known, f"{name} of {run} is not in docs/output.md")
                self.seen.add(path)
            row = next((line for line in text.splitlines() if line.startswith(f"| `{path}` ")), "")
            for attribute in item.attrs:
                self.assertIn(attribute, words(row), f"attribute {attribute} of {name} is not in docs/output.md")

        with h5py.File(self.folder / run / "state.h5") as file:
            self.assertLessEqual(set(file.attrs), known)
            file.visititems(visit)
            for frame in file["frames"].values():  # links are visited once only
                for name in frame.get("surface", {}):
                    self.assertIn(f"/frames/NNNNNN/surface/{name}", known)

    def test_all_that_is_written_is_on_the_page(self):
        self.seen = set()
        (self.folder / "machine.toml").write_text(MACHINE)
        (self.folder / "wet.toml").write_text(WET)
        (self.folder / "bonded.toml").write_text(BONDED)
        (self.folder / "periods.toml").write_text(PERIODS)
        files = words(section("The run directory", 2))
        for run, scene, more in (("pile", PILE, ("--set", "output.orientation=true", "--steps", 200)), ("mill", MILL, ("--steps", 200)),
                                 ("gas", GAS, ("--until", 0.1)), ("water", WATER, ("--until", 0.02)), ("blocks", BLOCKS, ("--steps", 200)),
                                 ("machine", "machine.toml", ()), ("wet", "wet.toml", ()), ("bonded", "bonded.toml", ()), ("periods", "periods.toml", ())):
            with self.subTest(run=run):
                self.scree("run", scene, "-o", run, "-q", *more)
                for path in (self.folder / run).iterdir():
                    self.assertIn(path.name, files)
                self.check_series(run)
                self.check_state(run)
                self.scree("export", run, "--to", "csv")
                for frame in (self.folder / run / "csv").glob("frame_*.csv"):
                    with open(frame, newline="") as file:
                        self.assertLessEqual(set(next(csv.reader(file))), words(section("Exports", 2)))
        with open(self.folder / "machine" / "solver.csv", newline="") as file:
            self.assertLessEqual(set(next(csv.reader(file))), words(section("solver.csv", 2)))
        # The runs show so much that what is missing on the page is found: every kind of measure, and nearly all datasets.
        kinds = set(re.findall(r"^### `(\w+)`$", PAGE, re.M))
        self.assertEqual({entry[0] for entry in self.seen if isinstance(entry, tuple)}, kinds)
        rows = set(re.findall(r"^\| `(/[^`]+)` ", PAGE, re.M))
        self.assertEqual(rows - {entry for entry in self.seen if isinstance(entry, str)}, set())

    def test_measures_of_the_reference_are_on_the_page(self):
        row = next(line for line in self.scree("reference")[0].split("## `[[measure]]`")[1].splitlines() if line.startswith("| `kind` "))
        for kind in words(row.split("|")[2]):
            section(f"`{kind}`", 3)


if __name__ == "__main__":
    unittest.main()
