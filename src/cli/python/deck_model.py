"""What the commands of a deck of LAMMPS or LIGGGHTS set up, in SI units: box, regions, bodies, streams, walls with their motions and times, gravity, steps. In: a
deck_lines.Deck; out: a Model. What has no counterpart is noted with its command and with what to do; contact laws are those of deck_laws.py."""
import math
import re
from pathlib import Path

import deck_laws
from deck_fixes import AXES, FIXES, Fixes
from deck_lines import DeckError
from deck_words import HINTS, INF, NEEDLESS, NEEDLESS_FIXES, WITHOUT_COUNTERPART, number, number_list


MOST_TYPES = 1000


class Model(Fixes):
    def __init__(self, deck):
        self.deck = deck
        self.folder = Path(deck.path).resolve().parent
        self.length = self.mass = self.time_unit = 1.0
        self.units, self.dimensions = None, 3
        self.boundary = ["p", "p", "p"]  # LAMMPS' own
        self.liggghts = False
        self.low, self.high, self.types = None, None, 1
        self.regions, self.meshes, self.templates, self.distributions, self.groups = {}, {}, {}, {}, {}
        self.walls, self.bodies, self.inserts, self.fixes = [], [], [], {}
        self.lattice = None
        self.diameter, self.density = {}, {}  # by type, where it is set
        self.gravity = None
        self.time, self.step, self.runs = 0.0, None, 0
        self.dump_steps = []
        self.contacts = deck_laws.Contacts(self)
        self.velocity = None
        self.notes, self.remarks, self.needless = [], [], {}
        self._named = {}

    # Units.
    def at(self, command, word, what, power=(1, 0, 0)):
        """A word in SI units: length^a mass^b time^c."""
        value = self.deck.number(command, word, what)
        return value * self.length ** power[0] * self.mass ** power[1] * self.time_unit ** power[2]

    def vector(self, command, words, what, power=(1, 0, 0)):
        if len(words) < 3:
            self.fail(command, f"{what}: expected three numbers")
        return [self.at(command, word, what, power) for word in words[:3]]

    SPEED, PER_TIME, DENSITY, MASS_RATE, ACCELERATION, MASS = (1, 0, -1), (0, 0, -1), (-3, 1, 0), (0, 1, -1), (1, 0, -2), (0, 1, 0)

    def fail(self, command, text):
        raise DeckError(f"{command.place()}: {command.words[0]}: {text}")

    def note(self, command, text):
        """What is not in the scene, and what to do."""
        self.notes.append((command, text))

    def remark(self, command, text):
        """What is in the scene in another way."""
        self.remarks.append((command, text))

    def need(self, command, count):
        if len(command.words) < count + 1:
            self.fail(command, f"expected at least {count} words after it")

    def integer(self, command, word, what):
        value = self.deck.number(command, word, what)
        if value != int(value):
            self.fail(command, f"{what}: expected a whole number, not {word}")
        return int(value)

    def type_number(self, command, word):
        value = self.integer(command, word, "type")
        if not 1 <= value <= MOST_TYPES:
            self.fail(command, f"a type is a number from 1 to {MOST_TYPES}, not {word}")
        return value

    def step_of(self, command):
        if self.step is None:
            self.fail(command, "the deck has given no timestep before; add `timestep`")
        return self.step

    # Commands.
    def read(self):
        for command in self.deck.commands():
            name = command.words[0].replace("/", "_")
            method = getattr(self, f"_do_{name}", None)
            if method:
                try:
                    method(command)
                except (IndexError, KeyError, ValueError, ArithmeticError):
                    self.fail(command, "lacks values, or has other words than those that are known")
            elif command.words[0] in NEEDLESS:
                self.needless.setdefault(command.words[0], command.line)
            elif command.words[0] in WITHOUT_COUNTERPART:
                self.note(command, HINTS.get(command.words[0], "has no counterpart in a scene; see what it is for"))
            else:
                self.fail(command, "this is no command of LAMMPS or LIGGGHTS that is known here; is the file an input deck?")
        self.notes += [(command, text) for command, text in self.deck.notes]
        return self

    def _do_units(self, command):
        self.need(command, 1)
        self.units = command.words[1]
        known = {"si": (1, 1, 1), "cgs": (1e-2, 1e-3, 1), "micro": (1e-6, 1e-15, 1e-6), "nano": (1e-9, 1e-21, 1e-9), "lj": (1, 1, 1)}
        if self.units not in known:
            self.fail(command, f"units {self.units} are those of molecules: only {', '.join(known)} are converted")
        self.length, self.mass, self.time_unit = known[self.units]
        if self.units == "lj":
            self.remark(command, "numbers without units are taken as SI: metres, kilograms, seconds")

    def _do_dimension(self, command):
        self.need(command, 1)
        self.dimensions = self.integer(command, command.words[1], "dimension")
        if self.dimensions == 2:
            self.remark(command, "disks stand for the balls of the deck; their masses are those of a metre of thickness")

    def _do_boundary(self, command):
        self.need(command, 3)
        self.boundary = command.words[1:4]

    def _do_region(self, command):
        self.need(command, 2)
        name, style, words = command.words[1], command.words[2], command.words[3:]
        region = {"kind": style, "command": command}
        counts = {"block": 6, "cylinder": 6, "sphere": 4, "prism": 9}
        if style not in counts:
            region["kind"] = None  # noted where it is used
            self.regions[name] = region
            return
        if len(words) < counts[style]:
            self.fail(command, f"a {style} needs {counts[style]} values")

        def bound(word, axis, upper):
            if word in ("INF", "EDGE"):
                if self.low is None:
                    return INF if upper else -INF
                return (self.high if upper else self.low)[axis]
            return self.at(command, word, f"region {name}")

        if style in ("block", "prism"):
            region["kind"] = "block"
            region["low"] = [bound(words[2 * a], a, False) for a in range(3)]
            region["high"] = [bound(words[2 * a + 1], a, True) for a in range(3)]
            if any(low > high for low, high in zip(region["low"], region["high"])):
                self.fail(command, "a lower bound is above the upper one")
            if style == "prism" and any(self.deck.number(command, word, "tilt") != 0 for word in words[6:9]):
                self.note(command, "a tilted box is not converted: its upright one is taken; [domain.shear] makes one lean as it is sheared")
        elif style == "cylinder":
            axis = AXES.find(words[0])
            if axis < 0:
                self.fail(command, f"a cylinder's axis is x, y or z, not {words[0]}")
            region.update(axis=axis, centre=[self.at(command, words[1], "centre"), self.at(command, words[2], "centre")], radius=self.at(command, words[3], "radius"),
                          low=bound(words[4], axis, False), high=bound(words[5], axis, True))
        else:
            region.update(centre=self.vector(command, words, "centre"), radius=self.at(command, words[3], "radius"))
        self.regions[name] = region

    def region(self, command, name, what):
        """A region as the scene has it: TOML of an inline table. None, with a note, where it has none."""
        if name not in self.regions:
            self.fail(command, f"{what}: there is no region {name}")
        region = self.regions[name]
        if region["kind"] is None:
            self.note(command, f"region {name} (line {region['command'].line}) is of a kind that scenes lack: put a box, cylinder or sphere in its place")
            return None
        if region["kind"] == "block":
            if not all(math.isfinite(x) for x in region["low"] + region["high"]):
                self.note(command, f"region {name} has no ends (INF) and there is no box before it: give it some")
                return None
            return f"{{ box = [{number_list(region['low'], self.dimensions)}, {number_list(region['high'], self.dimensions)}] }}"
        if region["kind"] == "sphere":
            kind = "sphere" if self.dimensions == 3 else "circle"
            return f"{{ {kind} = {{ centre = {number_list(region['centre'], self.dimensions)}, radius = {number(region['radius'])} }} }}"
        if self.dimensions == 2:
            return f"{{ circle = {{ centre = {number_list(region['centre'], 2)}, radius = {number(region['radius'])} }} }}"
        if not (math.isfinite(region["low"]) and math.isfinite(region["high"])):
            self.note(command, f"region {name} has no ends (INF) and there is no box before it: give it some")
            return None
        base, direction, across = [0.0] * 3, [0, 0, 0], [k for k in range(3) if k != region["axis"]]
        base[region["axis"]], direction[region["axis"]] = region["low"], 1
        for k, value in zip(across, region["centre"]):
            base[k] = value
        return (f"{{ cylinder = {{ base = {number_list(base)}, axis = {direction}, radius = {number(region['radius'])}, "
                f"length = {number(region['high'] - region['low'])} }} }}")

    def _do_create_box(self, command):
        self.need(command, 2)
        self.types = self.type_number(command, command.words[1])
        if command.words[2] not in self.regions:
            self.fail(command, f"there is no region {command.words[2]}")
        region = self.regions[command.words[2]]
        if region["kind"] != "block" or not all(math.isfinite(x) for x in region["low"] + region["high"]):
            self.fail(command, f"region {command.words[2]} is no block with ends")
        self.low, self.high = list(region["low"]), list(region["high"])

    def _do_timestep(self, command):
        self.need(command, 1)
        step = self.at(command, command.words[1], "timestep", (0, 0, 1))
        if step <= 0:
            self.fail(command, "must be above 0")
        if self.step is not None and self.runs and step != self.step:
            self.note(command, f"a scene has one time step: that of the first run, {self.step:g} s, holds throughout")
            self.later_step = step
            return
        self.step = step

    def _do_run(self, command):
        self.need(command, 1)
        steps = self.integer(command, command.words[1], "steps")
        step = getattr(self, "later_step", None) or self.step_of(command)
        until = "upto" in command.words
        self.runs += 1
        self.time = steps * step if until else self.time + steps * step

    def _do_dump(self, command):
        self.need(command, 5)
        if command.words[3].startswith(("image", "movie")):
            self.note(command, "pictures are drawn afterwards: `scree render`")
            return
        self.dump_steps.append((self.integer(command, command.words[4], "steps"), getattr(self, "later_step", None) or self.step))
        if "local" in command.words[3]:
            self.remark(command, "contacts are written into the frames (output.contacts)")
            self.contacts.dumped = True

    def _do_lattice(self, command):
        self.need(command, 2)
        self.lattice = (command.words[1], self.at(command, command.words[2], "lattice") if command.words[1] != "none" else 0)
        if self.units in (None, "lj"):
            self.note(command, "in lj units a lattice is given by a density; here the number is taken as the length of its cell")

    def _do_read_data(self, command):
        self.need(command, 1)
        path = self.folder / command.words[1]
        data = read_data_head(command, path, self)
        if self.low is None:
            self.low, self.high, self.types = data["low"], data["high"], max(self.types, data["types"])
        if data["atoms"] == 0:
            return
        self.bodies.append({"file": path, "command": command, "types": data["types"], "time": self.time})
        for kind, values in data["densities"].items():
            low, high = min(values), max(values)
            if high > 1.005 * low:
                self.note(command, f"atoms of type {kind} have densities from {low:g} to {high:g}: bodies have that of their material; give each density a type of its own")
            self.density.setdefault(kind, 0.5 * (low + high))
        for kind, diameter in data["diameters"].items():
            self.diameter.setdefault(kind, diameter)

    def _do_create_atoms(self, command):
        self.need(command, 2)
        kind = self.type_number(command, command.words[1])
        style, words = command.words[2], command.words[3:]
        entry = {"type": kind, "command": command, "time": self.time}
        if style == "single" and len(words) >= 3:
            entry["place"] = f"at = {number_list(self.vector(command, words, 'place'), self.dimensions)}"
        elif style == "random" and len(words) >= 3:
            count = self.integer(command, words[0], "number")
            region = self.box_region(command) if words[2] == "NULL" else self.region(command, words[2], "create_atoms")
            if region is None:
                return
            entry["place"] = f"random = true, region = {region}, bodies = {count}"
            entry["seed"] = self.integer(command, words[1], "seed")
            if "overlap" not in words:
                self.remark(command, "bodies are placed without overlap, where the deck lets them overlap")
        elif style in ("box", "region"):
            lattices = {"sc": ("sc", 1.0), "fcc": ("fcc", math.sqrt(0.5)), "sq": ("sc", 1.0)}
            if self.lattice is None or self.lattice[0] not in lattices:
                self.note(command, "only lattices sc and fcc (sq in two dimensions) are converted: write the atoms into a data file and read that")
                return
            region = self.box_region(command) if style == "box" else self.region(command, words[0] if words else "", "create_atoms")
            if region is None:
                return
            name, share = lattices[self.lattice[0]]
            entry["place"] = f'lattice = "fill", lattice_kind = "{name}", spacing = {number(share * self.lattice[1])}, region = {region}'
            self.remark(command, "lattice points whose bodies would stick out of the region are left out")
        else:
            self.note(command, f"create_atoms {style} is not converted: write the atoms into a data file and read that")
            return
        self.bodies.append(entry)

    def box_region(self, command):
        if self.low is None:
            self.fail(command, "there is no box before it")
        return f"{{ box = [{number_list(self.low, self.dimensions)}, {number_list(self.high, self.dimensions)}] }}"

    def kinds_of(self, command, word):
        """Types that a word such as 2, *, 1*3 means."""
        match = re.fullmatch(r"(\d*)(\*?)(\d*)", word)
        if not match or not word:
            return [self.type_number(command, word)]
        first, star, last = match.groups()
        if not star:
            return [self.type_number(command, first)]
        return list(range(int(first or 1), min(int(last or self.types), MOST_TYPES) + 1))

    def _do_set(self, command):
        self.need(command, 4)
        style, which, words = command.words[1], command.words[2], command.words[3:]
        kinds = self.kinds_of(command, which) if style == "type" else list(range(1, self.types + 1))
        if style == "type" or (style, which) in (("group", "all"), ("atom", "*")):
            rest = list(words)
            while rest:
                key = rest.pop(0)
                if key in ("diameter", "density", "density/disc") and rest:
                    value = self.at(command, rest.pop(0), key, (1, 0, 0) if key == "diameter" else self.DENSITY)
                    for kind in kinds:
                        (self.diameter if key == "diameter" else self.density)[kind] = value
                    if self.bodies and any("file" in body for body in self.bodies) and key == "diameter":
                        self.note(command, "atoms from a file keep their sizes")
                else:
                    self.note(command, f"set {key} is not converted")
                    return
            return
        self.note(command, "is converted for types, or for all atoms: give the atoms types of their own")

    def _do_velocity(self, command):
        words = command.words
        if len(words) >= 6 and words[1] == "all" and words[2] == "set":
            self.velocity = [0.0 if word == "NULL" else self.at(command, word, "velocity", self.SPEED) for word in words[3:6]]
            return
        self.note(command, "velocities at the start are converted where they are set for all atoms; see `velocity` and `velocity_deviation` of [[bodies]]")

    def _do_pair_style(self, command):
        self.contacts.pair_style(command)

    def _do_pair_coeff(self, command):
        self.contacts.pair_coeff(command)

    # Fixes.
    def _do_fix(self, command):
        self.need(command, 3)
        name, style = command.words[1], command.words[3]
        # LIGGGHTS lets accelerated styles end in a device.
        handler = FIXES.get(style)
        if handler is None and style.startswith("wall/gran"):
            handler = "wall"
        self.fixes[name] = command
        if handler not in (None, "property", "template", "distribution") and command.words[2] != "all":
            self.remark(command, f"holds for all bodies: group {command.words[2]} is not converted")
        if handler:
            getattr(self, f"_fix_{handler}")(command, name, style, command.words[4:])
        elif style in NEEDLESS_FIXES:
            self.needless.setdefault(f"fix {style}", command.line)
        else:
            self.note(command, HINTS.get(f"fix {style}", f"fix {style} has no counterpart that is converted"))

    def _do_unfix(self, command):
        self.need(command, 1)
        name = command.words[1]
        for wall in self.walls:
            if wall["fix"] == name or (wall.get("mesh") and wall["mesh"] == name):
                wall["end"] = min(wall["end"], self.time)
            for motion in wall["motions"]:
                if motion["fix"] == name:
                    motion["to"] = min(motion["to"], self.time)
        for insert in self.inserts:
            if insert["fix"] == name:
                insert["end"] = min(insert["end"], self.time)


def read_data_head(command, path, model):
    """Of a data file: atoms, types, box, and by type the densities and the mean diameter, in SI units. Throws DeckError."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as problem:
        model.fail(command, f"{path}: cannot read it: {problem.strerror}")
    data = {"atoms": 0, "types": 1, "low": [-0.5 * model.length] * 3, "high": [0.5 * model.length] * 3, "densities": {}, "diameters": {}}
    sums = {}
    at = 1
    while at < len(lines):
        words = lines[at].split("#")[0].split()
        at += 1
        if words[1:] == ["atoms"]:
            data["atoms"] = int(words[0])
        elif words[1:] == ["atom", "types"]:
            data["types"] = model.type_number(command, words[0])
        elif len(words) == 4 and words[2] in ("xlo", "ylo", "zlo"):
            axis = AXES.index(words[2][0])
            data["low"][axis], data["high"][axis] = (float(word) * model.length for word in words[:2])
        elif words[:1] == ["Atoms"]:
            break
    left = data["atoms"]
    while at < len(lines) and left:
        words = lines[at].split("#")[0].split()
        at += 1
        if not words:
            continue
        try:
            kind, diameter, density = int(words[1]), float(words[2]), float(words[3])
        except (IndexError, ValueError):
            model.fail(command, f"{path}:{at}: expected id, type, diameter, density and place: only atom_style sphere (granular) is read")
        left -= 1
        data["densities"].setdefault(kind, set()).add(density * model.mass / model.length ** 3)
        total, count = sums.get(kind, (0.0, 0))
        sums[kind] = (total + diameter * model.length, count + 1)
    data["diameters"] = {kind: total / count for kind, (total, count) in sums.items()}
    return data
