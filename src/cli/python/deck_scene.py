"""A Model of a deck as a scene: TOML with a comment on the line of the deck that each table comes from, and on all that is not in it."""
import math
import os
from pathlib import Path

import deck_meshes
from deck_words import INF, number, number_list


def word(text):
    """A TOML string."""
    escaped = "".join(f"\\u{ord(c):04x}" if ord(c) < 32 or c == "\x7f" else c for c in text.replace("\\", "\\\\").replace('"', '\\"'))
    return f'"{escaped}"'


def times(begin, end):
    return f"[{number(begin)}, {number(end)}]"


class Scene:
    """`text()` is the scene; `files` are further files by path, to be written beside it."""

    def __init__(self, model, path):
        self.model, self.path = model, Path(path)
        self.files = {}
        self.shapes = {}
        self.used = set()

    def relative(self, path):
        """A file as the scene names it: from its folder."""
        return os.path.relpath(path, self.path.resolve().parent)

    def text(self):
        model = self.model
        bodies = self._bodies()
        inserts = self._inserts()
        walls = self._walls()
        mass, radius = self._usual_body()
        method, materials, pairs = model.contacts.tables(mass, radius)
        head = self._time() + self._domain() + self._method(method)
        laws = self._materials(materials, pairs)
        output = self._output()
        return self._comments() + head + laws + "".join(self.shapes.values()) + bodies + inserts + walls + output

    def _comments(self):
        model = self.model
        lines = [f"# Converted from {Path(model.deck.path).name} by `scree import`. Lengths in metres, all in SI units."]
        if model.notes:
            lines.append("#\n# Not converted; do it by hand where it matters:")
            lines += [f"#   line {c.line}{self._file(c)}: {c.text[:100]}\n#     {text}" for c, text in model.notes]
        if model.remarks:
            lines.append("#\n# Converted in another way:")
            lines += [f"#   line {c.line}{self._file(c)}: {text}" for c, text in model.remarks]
        if model.needless:
            lines.append(f"#\n# Without a counterpart, and not needed: {', '.join(sorted(model.needless))}.")
        title = f"From {Path(model.deck.path).name}"
        return "\n".join(lines) + f"\ntitle = {word(title)}\n" + ("dimensions = 2\n" if model.dimensions == 2 else "")

    def _file(self, command):
        return "" if Path(command.file) == Path(self.model.deck.path) else f" of {command.file}"

    def _time(self):
        model = self.model
        end = model.time if model.time > 0 else 1.0
        note = "" if model.time > 0 else "    # the deck runs no steps: put in how long"
        step = number(model.step) if model.step else '"auto"'
        return f"\n[time]\nstep = {step}\nend = {number(end)}{note}\n"

    def _domain(self):
        model = self.model
        out = "\n[domain]\n"
        gravity = model.gravity or [0.0, 0.0, 0.0]
        out += f"gravity = {number_list(gravity, model.dimensions)}\n"
        if model.low is None:
            return out
        # Shrink-wrapped borders go with the bodies: the domain is open there.
        low = [x if kind[:1] in "pf" else -INF for x, kind in zip(model.low, model.boundary)]
        high = [x if kind[-1:] in "pf" else INF for x, kind in zip(model.high, model.boundary)]
        axes = "".join(axis for axis, kind in zip("xyz"[:model.dimensions], model.boundary) if kind == "p")
        out += f"min = {number_list(low, model.dimensions)}\nmax = {number_list(high, model.dimensions)}\n"
        if axes:
            out += f'periodic = "{axes}"\n'
        if any("f" in kind for kind in model.boundary):
            out += 'leave = "remove"    # fixed borders: what passes them is lost\n'
        return out

    def _method(self, method):
        out = '\n[method]\nkind = "penalty"\n'
        for key, value in method.items():
            out += f"{key} = {word(value) if isinstance(value, str) else number(value)}\n"
        return out

    def _density(self, kind):
        return self.model.density.get(kind)

    def _usual_body(self):
        """Mass and radius of the first body that the deck tells of."""
        model = self.model
        for template in model.templates.values():
            radius = mean_radius(template)
            density = model.density[template["type"]]
            return 4 / 3 * math.pi * radius ** 3 * density, radius
        kind = next((entry["type"] for entry in model.bodies + model.inserts if "type" in entry), 1)
        radius = 0.5 * model.diameter.get(kind, model.length)
        return 4 / 3 * math.pi * radius ** 3 * (model.density.get(kind) or 1000.0), radius

    def _materials(self, materials, pairs):
        out = ""
        for name, values in materials.items():
            if name not in self.used:
                continue
            density = self._density(int(name[4:])) if name.startswith("type") else None
            note = "" if density else "    # of walls alone: any does" if name in self.walls_of else "    # the deck gives none: put it in"
            out += f"\n[material.{name}]\ndensity = {number(density or 2500.0)}{note}\n"
            out += "".join(f"{key} = {number(value)}\n" for key, value in values.items())
        for (a, b), values in pairs.items():
            if a in self.used and b in self.used and values:
                out += f'\n[[material_pair]]\nbetween = ["{a}", "{b}"]\n' + "".join(f"{key} = {number(value)}\n" for key, value in values.items())
        return out

    # Bodies.
    def _shape_of_template(self, name):
        template = self.model.templates[name]
        key = f"{name}"
        shape = safe(key)
        if key in self.shapes:
            return shape
        line = template["command"].line
        if template["spheres"]:
            spheres = ", ".join(number_list(sphere, 4) for sphere in template["spheres"])
            body = f'kind = "clump"\nspheres = [{spheres}]\n'
        else:
            body = f'kind = "{self._round()}"\n' + self._radius(*template["radius"])
        self.shapes[key] = f"\n[shape.{shape}]    # line {line}\n{body}"
        return shape

    def _round(self):
        return "sphere" if self.model.dimensions == 3 else "disk"

    def _radius(self, how, by, values):
        if how == "constant":
            return f"radius = {number(values[0])}\n"
        share = f', share_by = "{by}"'
        if how == "uniform":
            return f'distribution = {{ kind = "uniform", min = {number(values[0])}, max = {number(values[1])}{share} }}\n'
        mean, deviation = values
        return (f'distribution = {{ kind = "normal", mean = {number(mean)}, deviation = {number(deviation)}, min = {number(max(0.1 * mean, mean - 3 * deviation))}, '
                f'max = {number(mean + 3 * deviation)}{share} }}\n')

    def _shape_of_type(self, kind, diam=None):
        how, values = diam or ("one", [self.model.diameter.get(kind, self.model.length)])
        key = f"type{kind}:{how}{values}"
        if key in self.shapes:
            return self.shapes[key].split("]")[0].rsplit(".", 1)[1]
        shape = f"grain{sum(':' in other for other in self.shapes) + 1}"
        if how == "one":
            size = f"diameter = {number(values[0])}\n"
        elif how == "range":
            size = f'distribution = {{ kind = "uniform", min = {number(0.5 * values[0])}, max = {number(0.5 * values[1])} }}\n'
        else:
            classes = ", ".join(f"{{ radius = {number(0.5 * d)}, share = {number(share)} }}" for d, share in values)
            size = f"classes = [{classes}]\n"
        self.shapes[key] = f'\n[shape.{shape}]\nkind = "{self._round()}"\n{size}'
        return shape

    def _use(self, material):
        self.used.add(material)
        return material

    def _bodies(self):
        model, out = self.model, ""
        for entry in model.bodies:
            command = entry["command"]
            if entry["time"] > 0:
                model.note(command, "bodies that are made between runs are not converted: see [[insert]]")
                continue
            if "insert" in entry:
                out += self._pack(entry["insert"])
                continue
            velocity = f"velocity = {number_list(model.velocity, model.dimensions)}\n" if model.velocity and any(model.velocity) else ""
            if "file" in entry:
                types = ", ".join(f'"{self._use(f"type{t + 1}")}"' for t in range(entry["types"]))
                scale = f", scale = {number(model.length)}" if model.length != 1 else ""
                if model.length != model.length / model.time_unit:
                    model.note(command, "velocities of the file are in other units than metres per second: scale reads those of places and speeds alike")
                place = f"file = {word(self.relative(entry['file']))}, types = [{types}]{scale}"
                out += f"\n[[bodies]]    # line {command.line}\nmaterial = \"type1\"\n{velocity}place = {{ {place} }}\n"
                continue
            shape = self._shape_of_type(entry["type"])
            seed = f"seed = {entry['seed']}\n" if "seed" in entry else ""
            material = self._use(f"type{entry['type']}")
            out += f'\n[[bodies]]    # line {command.line}\nshape = "{shape}"\nmaterial = "{material}"\n{velocity}{seed}place = {{ {entry["place"]} }}\n'
        return out

    def _parts(self, entry):
        """(shape, material, share) of each template of a distribution, and what shares are of."""
        distribution = self.model.distributions[entry["distribution"]]
        parts = [(self._shape_of_template(name), self._use(f"type{self.model.templates[name]['type']}"), share) for name, share in distribution["parts"]]
        return parts, distribution["by"]

    def _pack(self, entry):
        """insert/pack once at the start: bodies at random, a group for each template."""
        model, command = self.model, entry["command"]
        parts, by = self._parts(entry)
        total = sum(share for _, _, share in parts)
        velocity = f"velocity = {number_list(entry['vel'])}\n" if entry["vel"] else ""
        out = ""
        for k, (shape, material, share) in enumerate(parts):
            share /= total
            if "volumefraction_region" in entry:
                how = f"fraction = {number(share * entry['volumefraction_region'])}"
                if by == "number" and len(parts) > 1:
                    model.remark(command, "shares of number are taken as shares of volume")
            elif "particles_in_region" in entry:
                how = f"bodies = {max(1, round(share * entry['particles_in_region']))}"
                if by == "mass" and len(parts) > 1:
                    model.remark(command, "shares of mass are taken as shares of number")
            else:
                model.note(command, "says neither volumefraction_region nor particles_in_region: give `bodies` or `fraction`")
                return ""
            out += (f"\n[[bodies]]    # line {command.line}\nshape = \"{shape}\"\nmaterial = \"{material}\"\nseed = {entry['seed'] + k}\n{velocity}"
                    f"place = {{ random = true, region = {entry['region']}, {how} }}\n")
        return out

    def _inserts(self):
        model, out = self.model, ""
        for entry in model.inserts:
            command = entry["command"]
            lines = [f"\n[[insert]]    # line {command.line}", f"name = {word(safe(entry['fix']))}"]
            if "type" in entry:  # LAMMPS' pour
                lines += [f'shape = "{self._shape_of_type(entry["type"], entry["diam"])}"', f'material = "{self._use("type" + str(entry["type"]))}"']
            else:
                parts, by = self._parts(entry)
                if len(parts) == 1:
                    lines += [f'shape = "{parts[0][0]}"', f'material = "{parts[0][1]}"']
                else:
                    mixture = ", ".join(f'{{ shape = "{shape}", material = "{material}", share = {number(share)} }}' for shape, material, share in parts)
                    lines += [f"mixture = [{mixture}]", f'shares_of = "{by}"']
            lines.append(f"region = {entry['region']}")
            if "particlerate" in entry:
                lines.append(f"rate = {number(entry['particlerate'])}")
            elif "massrate" in entry:
                lines.append(f"mass_rate = {number(entry['massrate'])}")
            count, mass = entry.get("nparticles", entry.get("particles_in_region")), entry.get("mass", entry.get("mass_in_region"))
            if count is not None:
                lines.append(f"count = {max(1, round(count))}")
            elif mass is not None:
                lines.append(f"mass = {number(mass)}")
            if count is None and mass is None and "particlerate" not in entry and "massrate" not in entry:
                model.note(command, "says neither how many nor how fast: a body every hundredth of the run comes until you put in `rate`, `count` or `mass`")
                lines.append(f"rate = {number(100 / (model.time or 1.0))}")
            if entry["begin"] > 0:
                lines.append(f"from = {number(entry['begin'])}")
            ends = entry["end"]
            if ends < INF or (count is None and mass is None):
                lines.append(f"to = {number(ends if ends < INF else max(model.time, entry['begin'] + (model.step or 1e-6)))}")
            if entry.get("every"):
                lines.append(f"every = {number(entry['every'])}")
            if entry["vel"] and any(entry["vel"]):
                lines.append(f"velocity = {number_list(entry['vel'], model.dimensions)}")
            lines.append(f"seed = {entry['seed']}")
            out += "\n".join(lines) + "\n"
        return out

    # Walls.
    def _walls(self):
        model, out, names = self.model, "", set()
        self.walls_of = set()
        for wall in model.walls:
            command = wall["command"]
            if wall["end"] <= wall["begin"]:
                continue
            if model.dimensions == 2 and wall["kind"] != "plane":
                model.note(command, "only planes are converted in two dimensions: see `segment` and `arc` of [[wall]]")
                continue
            if model.dimensions == 2 and wall["normal"][2]:
                continue
            material = self._use(model.contacts.material_of_wall(wall))
            self.walls_of.add(material)
            base = name = safe(wall.get("mesh") or wall["fix"])
            k = 1
            while name in names:
                k += 1
                name = f"{base}_{k}"
            names.add(name)
            lines = [f"\n[[wall]]    # line {command.line}", f'name = "{name}"', f'kind = "{wall["kind"]}"', f'material = "{material}"']
            count = model.dimensions
            if wall["kind"] == "plane":
                lines += [f"point = {number_list(wall['point'], count)}", f"normal = {number_list(wall['normal'], count)}"]
            elif wall["kind"] == "box":
                lines += [f"min = {number_list(wall['low'])}", f"max = {number_list(wall['high'])}", f'side = "{wall["side"]}"']
            elif wall["kind"] == "cylinder":
                lines += [f"point = {number_list(wall['point'])}", f"axis = {number_list(wall['axis'])}", f"radius = {number(wall['radius'])}", f'side = "{wall["side"]}"']
            else:
                lines += self._mesh(model.meshes[wall["mesh"]], name)
                surface = model.meshes[wall["mesh"]]["surface"]
                if surface:
                    wall["motions"].append({"fix": None, "from": 0.0, "to": INF, "surface": True, **surface})
            if wall["begin"] > 0 or wall["end"] < INF:
                lines.append(f"active = {times(wall['begin'], wall['end'])}")
            out += "\n".join(lines) + "\n" + self._motion(wall)
        return out

    def _mesh(self, mesh, name):
        placing = deck_meshes.scale_and_offset(mesh, self.model)
        if placing is None:
            path = self.path.parent / f"{self.path.stem}_{name}.stl"
            self.files[path] = deck_meshes.stl_bytes(deck_meshes.placed(mesh["command"], mesh, self.model))
            return [f"file = {word(path.name)}    # {mesh['file'].name}, turned as in line {mesh['command'].line}"]
        scale, offset = placing
        lines = [f"file = {word(self.relative(mesh['file']))}"]
        if scale != 1:
            lines.append(f"scale = {number(scale)}")
        if any(offset):
            lines.append(f"offset = {number_list(offset)}")
        return lines

    def _motion(self, wall):
        model = self.model
        motions = [motion for motion in wall["motions"] if motion["to"] > motion["from"]]
        if not motions:
            return ""
        first = motions[0]
        keys = ["velocity", "rate", "axis", "point"]
        merged = dict(first)
        for motion in motions[1:]:
            same_time = (motion["from"], motion["to"]) == (first["from"], first["to"])
            shared = [key for key in ("velocity", "rate", "oscillation") if key in motion and key in merged]
            if not same_time or shared or motion.get("surface") != first.get("surface"):
                model.note(wall["command"], "the wall has several motions, one after the other or of one kind: only the first is converted; give all by `table` in [wall.motion]")
                continue
            merged.update({key: value for key, value in motion.items() if key in keys or key == "oscillation"})
        lines = ["[wall.motion]"]
        for key in keys:
            if key in merged:
                value = merged[key]
                lines.append(f"{key} = {number(value) if key == 'rate' else number_list(value, model.dimensions if key != 'axis' else 3)}")
        if "oscillation" in merged:
            amplitude, angle, frequency = merged["oscillation"]
            size = f"amplitude = {number_list(amplitude, model.dimensions)}" if amplitude else f"angle = {number(angle)}"
            phase = f", phase = {number(merged['phase'])}" if "phase" in merged else ""
            lines.append(f"oscillation = {{ {size}, frequency = {number(frequency)}{phase} }}")
        if merged.get("surface"):
            lines.append("surface = true")
        if merged["from"] > 0:
            lines.append(f"from = {number(merged['from'])}")
        if merged["to"] < INF:
            lines.append(f"to = {number(merged['to'])}")
        return "\n".join(lines) + "\n"

    def _output(self):
        model = self.model
        every = [steps * (step or model.step) for steps, step in model.dump_steps if (step or model.step) and steps > 0]
        out = "\n[output]\n"
        out += f"every = {number(min(every))}\n" if every else f"every = {number((model.time or 1.0) / 50)}    # the deck dumps nothing\n"
        return out + ("contacts = true\n" if model.contacts.dumped else "")


def mean_radius(template):
    if template["radius"] is None:
        return (sum(sphere[3] ** 3 for sphere in template["spheres"])) ** (1 / 3)
    how, _, values = template["radius"]
    return values[0] if how != "uniform" else 0.5 * (values[0] + values[1])


def safe(name):
    """A name as scenes take it."""
    plain = "".join(c if c.isalnum() and c.isascii() or c in "_-" else "_" for c in name)
    return plain if plain[:1].isalpha() else f"n{plain}"
