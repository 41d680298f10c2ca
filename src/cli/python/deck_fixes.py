"""The fixes of a deck: gravity, templates and streams of bodies, meshes, walls and their motions. A part of deck_model.Model."""
import math
import re

import deck_meshes
from deck_lines import DeckError
from deck_words import INF, number_list

AXES = "xyz"


class Fixes:
    """Methods _fix_NAME(command, name of the fix, its style, words behind that), by FIXES."""

    def _fix_gravity(self, command, name, style, words):
        if len(words) < 2:
            self.fail(command, "gravity needs a size and a direction")
        size = self.at(command, words[0], "gravity", self.ACCELERATION)
        kind = words[1]
        if kind == "vector":
            direction = [self.deck.number(command, word, "direction") for word in words[2:5]]
        elif kind == "chute" and len(words) >= 3:
            angle = math.radians(self.deck.number(command, words[2], "angle"))
            direction = [math.sin(angle), 0.0, -math.cos(angle)] if self.dimensions == 3 else [math.sin(angle), -math.cos(angle), 0.0]
        elif kind == "spherical" and len(words) >= 4:
            phi, theta = (math.radians(self.deck.number(command, word, "angle")) for word in words[2:4])
            direction = [math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)]
        else:
            self.note(command, f"gravity {kind}: give domain.gravity or domain.gravity_table by hand")
            return
        length = math.hypot(*direction) if len(direction) == 3 else 0
        if length == 0:
            self.fail(command, "the direction of gravity needs three numbers that are not all 0")
        if self.gravity is not None and self.time > 0:
            self.note(command, "gravity that changes between runs is not converted: domain.gravity_table takes it")
            return
        self.gravity = [size * x / length for x in direction]

    def _fix_property(self, command, name, style, words):
        self.contacts.property_global(command, words)

    def _fix_template(self, command, name, style, words):
        self.liggghts = True
        template = {"command": command, "type": 1, "density": None, "radius": None, "spheres": None}
        rest = words[1:]  # after the seed
        while rest:
            key = rest.pop(0)
            if key == "atom_type" and rest:
                template["type"] = self.type_number(command, rest.pop(0))
            elif key in ("density", "radius") and len(rest) >= 2:
                how = rest.pop(0)
                count = {"constant": 1, "uniform": 3 if rest[0] in ("number", "mass") else 2, "gaussian": 3 if rest[0] in ("number", "mass") else 2}.get(how)
                if count is None or len(rest) < count:
                    self.fail(command, f"{key} {how}: expected constant, uniform or gaussian and its values")
                values, rest = rest[:count], rest[count:]
                by = values.pop(0) if values[0] in ("number", "mass") else "number"
                template[key] = (how, by, [self.at(command, v, key, (1, 0, 0) if key == "radius" else self.DENSITY) for v in values])
            elif key == "nspheres" and rest:
                template["count"] = self.integer(command, rest.pop(0), "nspheres")
            elif key == "ntry" and rest:
                rest.pop(0)
            elif key == "spheres" and rest:
                rest = self._template_spheres(command, template, rest)
            elif key in ("volume_limit", "type", "random_rotation", "set_fix", "mass", "shapetype") and rest:
                rest.pop(0)
            else:
                self.remark(command, f"{key} of a template is left out")
        if template["density"] is None:
            self.fail(command, "the template has no density")
        if template["density"][0] != "constant":
            self.note(command, "densities that differ from body to body are not converted: the mean is taken")
        if template["radius"] is None and not template["spheres"]:
            self.fail(command, "the template has no radius")
        self.density[template["type"]] = sum(template["density"][2]) / len(template["density"][2]) if template["density"][0] == "uniform" else template["density"][2][0]
        self.templates[name] = template

    def _template_spheres(self, command, template, rest):
        if rest[0] == "file":
            path, rest = self.folder / rest[1], rest[2:]
            scale = 1.0
            if rest[:1] == ["scale"]:
                scale, rest = self.deck.number(command, rest[1], "scale"), rest[2:]
            try:
                text = path.read_text(encoding="utf-8", errors="replace").split()
                values = [scale * self.length * float(word) for word in text]
            except (OSError, ValueError) as problem:
                self.fail(command, f"{path}: {problem}")
        else:
            count = 4 * template.get("count", 0)
            if count == 0 or len(rest) < count:
                self.fail(command, "spheres: expected x, y, z and radius of each, as many as nspheres says")
            values, rest = [self.at(command, word, "spheres") for word in rest[:count]], rest[count:]
        if not values or len(values) % 4:
            self.fail(command, "spheres: expected four numbers for each")
        template["spheres"] = [values[k:k + 4] for k in range(0, len(values), 4)]
        return rest

    def _fix_distribution(self, command, name, style, words):
        self.liggghts = True
        if len(words) < 4:
            self.fail(command, "expected a seed, the number of templates, and each with its weight")
        count = self.integer(command, words[1], "number of templates")
        pairs = words[2:2 + 2 * count]
        if len(pairs) != 2 * count:
            self.fail(command, f"{count} templates need {2 * count} words")
        parts = []
        for template, weight in zip(pairs[::2], pairs[1::2]):
            if template not in self.templates:
                self.fail(command, f"there is no template {template} that was converted")
            parts.append((template, self.deck.number(command, weight, "weight")))
        self.distributions[name] = {"parts": parts, "by": "number" if style.endswith("numberbased") else "mass"}

    def _fix_insert(self, command, name, style, words):
        self.liggghts = True
        keys = {"seed": 1, "distributiontemplate": 1, "nparticles": 1, "mass": 1, "particlerate": 1, "massrate": 1, "insert_every": 1, "overlapcheck": 1, "all_in": 1, "region": 1,
                "volumefraction_region": 1, "particles_in_region": 1, "mass_in_region": 1, "ntry_mc": 1, "maxattempt": 1, "insertion_face": 1, "extrude_length": 1, "start": 1,
                "orientation": 1, "duration": 1, "parallel": 1, "verbose": 1, "set_property": 2, "random_distribute": 1, "warn_region": 1, "omega": 4, "rot_period": 1}
        found, rest = {}, list(words)
        while rest:
            key = rest.pop(0)
            if key in ("vel", "velocity") and rest:
                how = rest.pop(0)
                size = {"constant": 3, "uniform": 6, "gaussian": 6}.get(how)
                if size is None or len(rest) < size:
                    self.fail(command, f"{key} {how}: expected constant and three numbers")
                found["vel"], rest = self.vector(command, rest, "velocity", self.SPEED), rest[size:]
                if how != "constant":
                    self.remark(command, "velocities that scatter are taken as their mean; velocity_deviation of [[insert]] scatters them")
            elif key in keys and len(rest) >= keys[key]:
                found[key], rest = rest[0] if keys[key] == 1 else rest[:keys[key]], rest[keys[key]:]
            else:
                self.remark(command, f"{key} is left out")
        if found.get("distributiontemplate") not in self.distributions:
            self.fail(command, f"distributiontemplate: there is no distribution {found.get('distributiontemplate')} that was converted")
        region = self._stream_region(command, found) if style == "insert/stream" else self.region(command, found.get("region", ""), style)
        if region is None:
            return
        entry = {"fix": name, "command": command, "region": region, "distribution": found["distributiontemplate"], "begin": self.time, "end": INF, "vel": found.get("vel"),
                 "seed": self.integer(command, found["seed"], "seed") if "seed" in found else 1}
        for key, power in (("nparticles", None), ("mass", self.MASS), ("particlerate", self.PER_TIME), ("massrate", self.MASS_RATE), ("volumefraction_region", None),
                           ("particles_in_region", None), ("mass_in_region", self.MASS)):
            if key in found and found[key] != "INF":
                entry[key] = self.at(command, found[key], key, power or (0, 0, 0))
        every = found.get("insert_every", "once")
        if "start" in found:
            entry["begin"] = self.integer(command, found["start"], "start") * self.step_of(command)
        entry["once"] = every == "once"
        if style == "insert/pack" and entry["once"] and self.time == 0 and "mass_in_region" not in entry:
            self.bodies.append({"insert": entry, "command": command, "time": 0.0})
            return
        if not entry["once"]:
            entry["every"] = self.integer(command, every, "insert_every") * self.step_of(command)
        self.inserts.append(entry)

    def _stream_region(self, command, found):
        """The box of the face that a stream comes from, as thick as it is extruded, against its velocity."""
        mesh = self.meshes.get(found.get("insertion_face"))
        if mesh is None:
            self.fail(command, f"insertion_face: there is no mesh {found.get('insertion_face')}")
        low, high = deck_meshes.bounds(command, mesh, self)
        depth = self.at(command, found["extrude_length"], "extrude_length") if "extrude_length" in found else None
        velocity = found.get("vel") or [0.0, 0.0, 0.0]
        thin = min(range(3), key=lambda a: high[a] - low[a])
        if depth is None:
            depth = 0.25 * max(h - l for l, h in zip(low, high))
            self.remark(command, f"the stream has no extrude_length; {depth:g} m is taken")
        if velocity[thin] < 0:
            high[thin] += depth
        else:
            low[thin] -= depth
        self.remark(command, "bodies come in the box of the face, extruded against their velocity; a face that is no upright rectangle needs another region")
        for wall in self.walls:
            if wall.get("mesh") == found["insertion_face"]:
                wall["end"] = 0
        return f"{{ box = [{number_list(low)}, {number_list(high)}] }}"

    def _fix_pour(self, command, name, style, words):
        if len(words) < 3:
            self.fail(command, "expected a number, a type, a seed and region")
        count, seed = self.integer(command, words[0], "number"), self.integer(command, words[2], "seed")
        kind = self.type_number(command, words[1])
        entry = {"fix": name, "command": command, "begin": self.time, "end": INF, "type": kind, "nparticles": count, "once": False, "seed": seed, "vel": None,
                 "diam": ("one", [self.diameter.get(kind, self.length)]), "region": None}
        rest = words[3:]
        while rest:
            key = rest.pop(0)
            if key == "region" and rest:
                entry["region"] = self.region(command, rest.pop(0), "fix pour")
            elif key == "diam" and rest:
                how = rest.pop(0)
                if how == "poly":
                    parts = self.integer(command, rest.pop(0) if rest else self.fail(command, "diam poly: expected how many"), "poly")
                    values = [self.deck.number(command, word, "poly") for word in rest[:2 * parts]]
                    rest = rest[2 * parts:]
                    entry["diam"] = (how, [(self.length * d, share) for d, share in zip(values[::2], values[1::2])])
                else:
                    size = 1 if how == "one" else 2
                    entry["diam"] = (how, [self.at(command, word, "diam") for word in rest[:size]])
                    rest = rest[size:]
            elif key == "dens" and len(rest) >= 2:
                low, high = (self.at(command, word, "dens", self.DENSITY) for word in rest[:2])
                rest = rest[2:]
                self.density[kind] = 0.5 * (low + high)
                if low != high:
                    self.note(command, "densities that differ from body to body are not converted: their mean is taken")
            elif key == "vel" and rest:
                size = 5 if self.dimensions == 3 else 3
                values = [self.at(command, word, "vel", self.SPEED) for word in rest[:size]]
                if len(values) < size:
                    self.fail(command, f"vel needs {size} numbers")
                rest = rest[size:]
                entry["vel"] = [0.5 * (values[0] + values[1]), 0.5 * (values[2] + values[3]), values[4]] if self.dimensions == 3 else [0.5 * (values[0] + values[1]), values[2], 0.0]
            elif key in ("vol", "rate", "id", "mol", "rigid", "shake", "ignore"):
                del rest[:{"vol": 2, "ignore": 0}.get(key, 1)]
            else:
                self.remark(command, f"{key} is left out")
        if entry["region"] is None:
            return
        self.diameter[kind] = self._usual_diameter(command, *entry["diam"])
        self.remark(command, "bodies come as there is room in the region, from rest unless vel is given; the deck pours them in layers")
        self.inserts.append(entry)

    def _usual_diameter(self, command, how, values):
        """Of bodies that are poured: of a range the middle, of several sizes the mean by their shares."""
        if how == "poly":
            shares = sum(share for _, share in values)
            if not shares > 0 or min(share for _, share in values) < 0:
                self.fail(command, "diam poly: expected diameters, each with its share of the number, that are together above 0")
            return sum(d * share for d, share in values) / shares
        if len(values) < (2 if how == "range" else 1):
            self.fail(command, f"diam {how}: expected {'two diameters' if how == 'range' else 'a diameter'}")
        return sum(values) / len(values)

    def _fix_mesh(self, command, name, style, words):
        self.liggghts = True
        mesh = {"command": command, "file": None, "type": None, "matrix": [], "surface": None, "time": self.time}
        rest = list(words)
        while rest:
            key = rest.pop(0)
            if key == "file" and rest:
                mesh["file"] = self.folder / rest.pop(0)
            elif key == "type" and rest:
                mesh["type"] = self.type_number(command, rest.pop(0))
            elif key == "scale" and rest:
                mesh["matrix"].append(("scale", self.deck.number(command, rest.pop(0), "scale")))
            elif key == "move" and len(rest) >= 3:
                mesh["matrix"].append(("move", self.vector(command, rest, "move")))
                rest = rest[3:]
            elif key == "rotate" and len(rest) >= 6:
                axis, angle = [self.deck.number(command, word, "axis") for word in rest[1:4]], self.deck.number(command, rest[5], "angle")
                mesh["matrix"].append(("rotate", axis, math.radians(angle)))
                rest = rest[6:]
            elif key == "surface_vel" and len(rest) >= 3:
                mesh["surface"] = {"velocity": self.vector(command, rest, "surface_vel", self.SPEED)}
                rest = rest[3:]
            elif key == "surface_ang_vel" and len(rest) >= 10:  # origin x y z axis x y z omega w
                mesh["surface"] = {"point": self.vector(command, rest[1:], "origin"), "axis": [self.deck.number(command, word, "axis") for word in rest[5:8]],
                                   "rate": self.at(command, rest[9], "omega", self.PER_TIME)}
                rest = rest[10:]
            elif key in ("heal", "curvature", "curvature_tolerant", "mass_temperature", "temperature", "region", "precision", "verbose", "auto_remove_duplicates", "min_feature_length",
                         "element_exclusion_list") and rest:
                rest.pop(0)
            else:
                self.remark(command, f"{key} of a mesh is left out")
        if mesh["file"] is None:
            self.fail(command, "expected file and its name")
        if not mesh["file"].is_file():
            self.fail(command, f"{mesh['file']}: there is no such file")
        if style == "mesh/surface/stress/servo":
            self.note(command, "a wall that a force drives is not converted: see `servo` in [wall.motion]")
        self.meshes[name] = mesh

    def _fix_move(self, command, name, style, words):
        rest = words[1:] if words[:1] == ["mesh"] else list(words)
        target = rest.pop(0) if rest else ""
        if target not in self.meshes:
            self.fail(command, f"there is no mesh {target}")
        how = rest.pop(0) if rest else ""
        motion = {"fix": name, "from": self.time, "to": INF}
        values = {rest[k]: rest[k + 1:] for k in range(len(rest)) if rest[k] in ("origin", "axis", "period", "amplitude", "omega")}

        def of(key, count):
            if len(values.get(key, [])) < count:
                self.fail(command, f"{how} needs {key} and {count} value{'s' * (count > 1)}")
            return values[key][:count]

        if how == "linear":
            motion["velocity"] = self.vector(command, rest, "velocity", self.SPEED)
        elif how == "rotate" or (how == "rotate/variable" and "omega" in values):
            motion["point"] = self.vector(command, of("origin", 3), "origin")
            motion["axis"] = [self.deck.number(command, word, "axis") for word in of("axis", 3)]
            if how == "rotate":
                period = self.at(command, of("period", 1)[0], "period", (0, 0, 1))
                if period == 0:
                    self.fail(command, "the period must not be 0")
                motion["rate"] = 2 * math.pi / period
            else:
                motion["rate"] = self.at(command, of("omega", 1)[0], "omega", self.PER_TIME)
        elif how == "wiggle":
            motion["oscillation"] = (self.vector(command, of("amplitude", 3), "amplitude"), None, 1 / self.at(command, of("period", 1)[0], "period", (0, 0, 1)))
        elif how == "riggle":
            motion["point"] = self.vector(command, of("origin", 3), "origin")
            motion["axis"] = [self.deck.number(command, word, "axis") for word in of("axis", 3)]
            angle = math.radians(self.deck.number(command, of("amplitude", 1)[0], "amplitude"))
            motion["oscillation"] = (None, angle, 1 / self.at(command, of("period", 1)[0], "period", (0, 0, 1)))
        else:
            self.note(command, f"move/mesh {how} is not converted: give the path by `table` in [wall.motion]")
            return
        walls = [wall for wall in self.walls if wall.get("mesh") == target]
        for wall in walls:
            wall["motions"].append(motion)
        self.meshes[target].setdefault("motions", []).append(motion)

    def add_wall(self, command, name, **wall):
        self.walls.append({"fix": name, "command": command, "begin": self.time, "end": INF, "motions": [], **wall})

    def _fix_wall(self, command, name, style, words):
        settings, rest = self.contacts.wall_settings(command, style, words)
        if style.startswith("wall/gran/region"):
            self._region_wall(command, name, rest, settings)
        elif "mesh" in rest and "n_meshes" in rest:
            names = rest[rest.index("meshes") + 1:] if "meshes" in rest else []
            count = self.integer(command, rest[rest.index("n_meshes") + 1], "n_meshes")
            if len(names) < count:
                self.fail(command, f"meshes: expected {count} names")
            for mesh in names[:count]:
                if mesh not in self.meshes:
                    self.fail(command, f"there is no mesh {mesh}")
                self.add_wall(command, name, kind="mesh", mesh=mesh, type=self.meshes[mesh]["type"] or 1, settings=settings)
                self.walls[-1]["motions"] = list(self.meshes[mesh].get("motions", []))
        else:
            self._primitive_wall(command, name, rest, settings)

    def _primitive_wall(self, command, name, rest, settings):
        kind, values = 1, None
        if "primitive" in rest:
            self.liggghts = True
            rest = rest[rest.index("primitive") + 1:]
            if rest[:1] == ["type"]:
                kind, rest = self.type_number(command, rest[1]), rest[2:]
        style = rest[0] if rest else ""
        match = re.fullmatch(r"([xyz])(plane|cylinder)", style)
        if not match:
            self.fail(command, f'there is no wall of style "{style}" that is known: xplane, yplane, zplane and xcylinder, ycylinder, zcylinder are')
        axis, values = AXES.index(match.group(1)), rest[1:]
        motion = self._wall_motion(command, name, values)
        if match.group(2) == "plane":
            both = not self.liggghts or settings.get("lammps")
            places = values[:2] if both else values[:1]
            if not places:
                self.fail(command, "a plane needs a place")
            middle = 0.5 * (self.low[axis] + self.high[axis]) if self.low else 0.0
            for k, word in enumerate(places):
                if word == "NULL":
                    continue
                at = self.at(command, word, "place")
                up = (k == 0) if both else at <= middle
                normal, point = [0, 0, 0], [0.0, 0.0, 0.0]
                normal[axis], point[axis] = 1 if up else -1, at
                if not both and self.low is None:
                    self.remark(command, "which side of the plane bodies are on is a guess, as there is no box: turn `normal` where it is wrong")
                self.add_wall(command, name, kind="plane", point=point, normal=normal, type=kind, settings=settings)
                if motion:
                    self.walls[-1]["motions"].append(motion)
            return
        if not values:
            self.fail(command, "a cylinder needs a radius")
        radius, point, direction = self.at(command, values[0], "radius"), [0.0, 0.0, 0.0], [0, 0, 0]
        direction[axis] = 1
        if not settings.get("lammps") and len(values) >= 3:
            for k, word in zip([a for a in range(3) if a != axis], values[1:3]):
                try:
                    point[k] = self.at(command, word, "centre")
                except DeckError:
                    break
        self.add_wall(command, name, kind="cylinder", point=point, axis=direction, radius=radius, side="inside", type=kind, settings=settings)
        if motion:
            self.walls[-1]["motions"].append(motion)

    def _wall_motion(self, command, name, values):
        for word in ("wiggle", "shear"):
            if word not in values:
                continue
            given = values[values.index(word) + 1:]
            axis = AXES.find(given[0]) if given else -1
            if axis < 0 or len(given) < (3 if word == "wiggle" else 2):
                self.fail(command, f"{word} needs a direction x, y or z and its values")
            along = [0.0, 0.0, 0.0]
            if word == "shear":
                along[axis] = self.at(command, given[1], "shear", self.SPEED)
                return {"fix": name, "from": self.time, "to": INF, "velocity": along, "surface": True}
            along[axis] = self.at(command, given[1], "amplitude")
            # LAMMPS' wall stands at A (1 - cos w t): a sine of a quarter turn's phase.
            return {"fix": name, "from": self.time, "to": INF, "oscillation": ([-x for x in along], None, 1 / self.at(command, given[2], "period", (0, 0, 1))), "phase": math.pi / 2}
        return None

    def _region_wall(self, command, name, rest, settings):
        region = self.regions.get(rest[-1] if rest else "", None)
        if region is None:
            self.fail(command, "expected a region")
        if region["kind"] == "block" and all(math.isfinite(x) for x in region["low"] + region["high"]):
            inside = "out" not in region["command"].words
            self.add_wall(command, name, kind="box", low=region["low"], high=region["high"], side="inside" if inside else "outside", type=1, settings=settings)
        elif region["kind"] == "cylinder":
            point, direction = [0.0] * 3, [0, 0, 0]
            direction[region["axis"]] = 1
            for k, value in zip([a for a in range(3) if a != region["axis"]], region["centre"]):
                point[k] = value
            outside = "out" in region["command"].words
            closed = math.isfinite(region["low"]) and math.isfinite(region["high"])
            self.add_wall(command, name, kind="cylinder", point=point, axis=direction, radius=region["radius"], side="outside" if outside else "inside", type=1, settings=settings)
            for at, sign in ((region["low"], 1), (region["high"], -1)) if closed and not outside and "open" not in region["command"].words else ():
                end, normal = list(point), [0, 0, 0]
                end[region["axis"]], normal[region["axis"]] = at, sign
                self.add_wall(command, name, kind="plane", point=end, normal=normal, type=1, settings=settings)
        else:
            self.note(command, f"a wall of region {rest[-1]} is not converted: put planes, cylinders, boxes or a mesh in its place")


FIXES = {"gravity": "gravity", "property/global": "property", "particletemplate/sphere": "template", "particletemplate/multisphere": "template",
         "particledistribution/discrete": "distribution", "particledistribution/discrete/massbased": "distribution", "particledistribution/discrete/numberbased": "distribution",
         "insert/pack": "insert", "insert/rate/region": "insert", "insert/stream": "insert", "pour": "pour", "mesh/surface": "mesh", "mesh/surface/planar": "mesh",
         "mesh/surface/stress": "mesh", "mesh/surface/stress/servo": "mesh", "move/mesh": "move"}
