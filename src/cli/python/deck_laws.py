"""Contact laws of decks of LAMMPS and LIGGGHTS as those of scenes: `pair_style gran/...` and `granular` with coefficients of contacts, `pair_style gran model ...` with
properties of materials, and what walls have of their own. In: commands; out: keys of [method], [material.NAME] and [[material_pair]], see Contacts.tables()."""
import math

DEFAULT_POISSON = 0.25
ROLLING_STIFFNESS = ("coefficientrollingstiffness", "coeffrollingstiffness", "rollingstiffness")  # names of it, of one version and another
OF_TYPES = {"youngsmodulus": ("young", (-1, 1, -2)), "poissonsratio": ("poisson", (0, 0, 0)), "kn": ("kn", (0, 1, -2))}
OF_PAIRS = {"coefficientrestitution": ("restitution", (0, 0, 0)), "coefficientfriction": ("friction", (0, 0, 0)), "coefficientrollingfriction": ("rolling_friction", (0, 0, 0)),
            "coefficientrollingviscousdamping": ("rolling_damping", (0, 0, 0)), "cohesionenergydensity": ("cohesion_energy_density", (-1, 1, -2)),
            "kn": ("kn", (0, 1, -2)), "kt": ("kt", (0, 1, -2)), "gamman": ("gamman", (0, 0, -1)), "gammat": ("gammat", (0, 0, -1)),
            "gamman_abs": ("gamman_abs", (0, 1, -1)), "gammat_abs": ("gammat_abs", (0, 1, -1))}


def restitution_of(rate, stiffness, mass):
    """Of a linear spring with a force of damping mass x rate x speed: exp(-pi b / sqrt(w^2 - b^2)), b = rate / 2; 0 where it creeps."""
    b, square = 0.5 * rate, stiffness / mass
    return math.exp(-math.pi * b / math.sqrt(square - b * b)) if square > b * b else 0.0


# What acts on friction and rebound and has nothing in a scene that is like it: key, and the word that asks for it.
UNLIKE = {("torsionTorque", "on"): "there is no such couple in the scene", ("viscous", "on"): "the restitution does not follow the Stokes number",
          ("tangential_damping", "off"): "springs of friction have their dashpot", ("absolute_damping", "on"): "damping coefficients are taken as rates, times the mass"}


class Contacts:
    def __init__(self, model):
        self.model = model
        self.style = None       # of the pair_style: "gran" of LIGGGHTS, "lammps"
        self.command = None
        self.normal = "hertz"
        self.words = {}         # of LIGGGHTS' pair_style
        self.values = {}        # of types and pairs of them, and of the whole ("scalar")
        self.lammps = {}        # of a pair_style of LAMMPS
        self.dumped = False
        self.wall_list = []     # settings of walls that differ from those of bodies, in the order of their materials

    # Reading.
    def pair_style(self, command):
        model, words = self.model, command.words[1:]
        if not words:
            model.fail(command, "expected a style")
        if words[0] in ("hybrid", "hybrid/overlay"):
            model.note(command, "several styles at a time are not converted: the first granular one is taken")
            words = words[1:]
        if words[0] in ("gran/omp", "gran"):
            self.style, self.command = "gran", command
            model.liggghts = True
            self.words = self._model_words(command, words[1:])
            return
        if words[0].startswith(("gran/hooke", "gran/hertz")):
            self.style, self.command = "lammps", command
            self.lammps = self._gran_values(command, words[0].split("/", 1)[1], words[1:])
            return
        if words[0] == "granular":
            self.style, self.command = "lammps", command
            return
        model.note(command, f"pair_style {words[0]} is none of grains: the contacts are Hertz's, of the values in [material]; put yours in")

    def pair_coeff(self, command):
        if self.style != "lammps" or len(command.words) < 4 or command.words[3] not in ("hooke", "hertz", "hertz/material", "dmt", "jkr"):
            return
        if command.words[1:3] not in (["*", "*"], ["1", "1"]):
            self.model.note(command, "coefficients that differ between types are not converted: those of * * or 1 1 are taken; see [[material_pair]]")
            return
        self.lammps = self._granular_values(command, command.words[3:])

    def property_global(self, command, words):
        """fix ID all property/global NAME scalar|peratomtype|peratomtypepair ..."""
        model = self.model
        model.liggghts = True
        if len(words) < 3:
            model.fail(command, "property/global needs a name, a kind and values")
        name, kind, values = words[0].lower(), words[1], words[2:]
        if kind in ("peratomtype", "vector") and name in OF_TYPES:
            key, power = OF_TYPES[name]
            self.values[key] = {t + 1: model.at(command, word, words[0], power) for t, word in enumerate(values)}
            model.types = max(model.types, len(values))
        elif kind in ("peratomtypepair", "matrix") and name in OF_PAIRS:
            count = model.integer(command, values[0], "number of types")
            key, power = OF_PAIRS[name]
            if len(values) < 1 + count * count:
                model.fail(command, f"{words[0]}: {count} types have {count * count} values, here are {len(values) - 1}")
            self.values[key] = {(i + 1, j + 1): model.at(command, values[1 + i * count + j], words[0], power) for i in range(count) for j in range(count)}
        elif kind == "scalar" and name == "characteristicvelocity":
            self.values["speed"] = model.at(command, values[0], words[0], model.SPEED)
        elif kind == "scalar" and name in ROLLING_STIFFNESS:
            self.values["rolling_stiffness"] = model.deck.number(command, values[0], words[0])
        elif name in ("thermalcapacity", "thermalconductivity", "maxheat"):
            model.note(command, "heat is not simulated")
        else:
            model.note(command, f"property {words[0]} is not converted")

    def _model_words(self, command, words):
        """KEY WORD pairs of a style of LIGGGHTS."""
        found = {"model": "hertz", "tangential": "history", "rolling_friction": "off", "cohesion": "off"}
        rest = list(words)
        while len(rest) >= 2:
            key, word = rest[0], rest[1]
            if key in ("mesh", "primitive"):
                break
            rest = rest[2:]
            if key in found:
                found[key] = word
            elif key in ("limitForce", "torsionTorque", "viscous", "tangential_damping", "absolute_damping", "ktToKnUser", "computeElasticPotential", "surface", "heating_normal_model",
                         "rolling_stiffness", "roughness"):
                found[key] = word
                if (key, word) in UNLIKE:
                    self.model.note(command, f"{key} {word} is not converted: {UNLIKE[key, word]}")
            else:
                self.model.remark(command, f"{key} {word} is left out")
        return found

    def _gran_values(self, command, style, words):
        """Kn Kt gamma_n gamma_t xmu dampflag of gran/hooke, gran/hertz and walls of these."""
        model, hertz = self.model, style.startswith("hertz")
        if len(words) < 6:
            model.fail(command, f"{style} needs Kn, Kt, gamma_n, gamma_t, xmu and dampflag")
        kn = model.at(command, words[0], "Kn", (-1, 1, -2) if hertz else (0, 1, -2))
        kt = None if words[1] == "NULL" else model.at(command, words[1], "Kt", (-1, 1, -2) if hertz else (0, 1, -2))
        rate = model.at(command, words[2], "gamma_n", (-1, 0, -1) if hertz else (0, 0, -1))
        if kn <= 0 or rate < 0:
            model.fail(command, "Kn must be above 0, and gamma_n not below")
        return {"normal": "hertz" if hertz else "hooke", "kn": kn, "kt": 2 / 7 * kn if kt is None else kt, "friction": model.deck.number(command, words[4], "xmu"),
                "rate": rate, "history": "history" in style or hertz, "damping": "mass_velocity" if not hertz else "viscoelastic", "command": command}

    def _granular_values(self, command, words):
        """The parts of `granular`: hooke kn eta, hertz, hertz/material, dmt, jkr; tangential ..., rolling ..., twisting ..., damping ..."""
        model = self.model
        if not words:
            model.fail(command, "granular needs a normal model: hooke, hertz, hertz/material, dmt or jkr")
        counts = {"hooke": 2, "hertz": 2, "hertz/material": 3, "dmt": 4, "jkr": 4}
        if words[0] not in counts:
            model.fail(command, f"granular {words[0]}: there is no such normal model; {', '.join(counts)} are known")
        count = counts[words[0]]
        if len(words) < 1 + count:
            model.fail(command, f"{words[0]} needs {count} values")
        found = {"normal": words[0].split("/")[0], "command": command, "history": True, "damping": "viscoelastic", "kt": None, "friction": 0.0}
        if words[0] in ("hooke", "hertz"):
            found["kn"] = model.at(command, words[1], "kn", (0, 1, -2) if words[0] == "hooke" else (-1, 1, -2))
        else:
            found["young"], found["poisson"] = model.at(command, words[1], "E", (-1, 1, -2)), model.deck.number(command, words[3], "nu")
        found["eta"] = words[2]
        if words[0] in ("dmt", "jkr"):
            found["cohesion"], found["surface_energy"], found["normal"] = words[0], model.at(command, words[4], "gamma", (0, 1, -2)), "hertz"
        rest = words[1 + count:]
        sizes = {"tangential": {"linear_nohistory": 2, "linear_history": 3, "mindlin": 3, "mindlin/force": 3, "mindlin_rescale": 3, "mindlin_rescale/force": 3, "mindlin/rescale": 3,
                                "mindlin/rescale/force": 3}, "rolling": {"none": 0, "sds": 3}, "twisting": {"none": 0, "marshall": 0, "sds": 3},
                 "damping": {"velocity": 0, "mass_velocity": 0, "viscoelastic": 0, "tsuji": 0, "coeff_restitution": 0}}
        while rest:
            part = rest.pop(0)
            if part not in sizes:
                if part == "limit_damping":
                    found["limit"] = True
                else:
                    model.remark(command, f"{part} is left out")
                continue
            kind = rest.pop(0) if rest else ""
            if kind not in sizes[part] or len(rest) < sizes[part][kind]:
                model.fail(command, f'{part} "{kind}" is not known, or lacks values')
            values, rest = rest[:sizes[part][kind]], rest[sizes[part][kind]:]
            if part == "tangential":
                found["friction"] = model.deck.number(command, values[-1], "friction")
                found["history"] = kind != "linear_nohistory"
                if kind == "linear_history":
                    found["kt"] = model.at(command, values[0], "k_t", (0, 1, -2))
                    found["tangential"] = "linear"
                elif kind == "linear_nohistory":
                    found["tangential"] = "viscous"
            elif part == "rolling" and kind == "sds":
                found["rolling"] = model.deck.number(command, values[2], "rolling friction")
            elif part == "twisting":
                found["twisting"] = {"marshall": "marshall", "sds": "epsd", "none": "none"}[kind]
                if kind == "sds":
                    found["spinning"] = model.deck.number(command, values[2], "twisting friction")
            elif part == "damping":
                found["damping"] = kind
        powers = {"velocity": (0, 1, -1), "mass_velocity": (0, 0, -1), "viscoelastic": (-1, 0, -1)}
        eta = model.at(command, found["eta"], "damping", powers.get(found["damping"], (0, 0, 0)))
        found["rate" if found["damping"] in powers else "restitution"] = eta
        return found

    def wall_settings(self, command, style, words):
        """What a wall has of its own, and the words that follow."""
        if words[:1] == ["model"] or "primitive" in words or "mesh" in words:  # LIGGGHTS: materials say all
            found = self._model_words(command, words)
            if self.words and found["model"] != self.words["model"]:
                self.model.remark(command, f"the wall is of model {found['model']}; the scene has one law, {self.words['model']}")
            return {}, words
        if words[:1] == ["granular"]:
            end = next((k for k, word in enumerate(words) if word in ("xplane", "yplane", "zplane", "zcylinder", "xcylinder", "ycylinder", "region")), len(words))
            return {"lammps": self._granular_values(command, words[1:end])}, [word for word in words[end:] if word != "region"]
        if words and words[0].split("/")[0] in ("hooke", "hertz"):
            return {"lammps": self._gran_values(command, words[0], words[1:7])}, words[7:]
        if style == "wall/gran" and len(words) > 6 or style != "wall/gran":  # before styles had names
            return {"lammps": self._gran_values(command, style[len("wall/gran/"):] or "hooke/history", words[:6])}, words[6:]
        self.model.fail(command, "expected a style such as hooke/history, hertz/history or granular")

    # Writing.
    def material_of_wall(self, wall):
        """Name of a wall's material."""
        own = wall["settings"].get("lammps")
        if self.style == "gran" or own is None:
            return f"type{wall['type']}"
        same = {key: value for key, value in own.items() if key not in ("command", "history")}
        # A restitution that follows from masses is another one at a wall.
        if self.lammps and "rate" not in own and same == {key: value for key, value in self.lammps.items() if key not in ("command", "history")}:
            return "type1"
        for k, other in enumerate(self.wall_list):
            if {key: value for key, value in other.items() if key not in ("command", "history")} == same:
                return f"wall{k + 1}"
        self.wall_list.append(own)
        return f"wall{len(self.wall_list)}"

    def tables(self, mass, radius):
        """(method, materials, pairs): keys of [method], of [material.NAME] by name without densities, and of [[material_pair]] by names. `mass` and `radius`: those of a usual body."""
        if self.style == "gran":
            return self._of_materials(mass, radius)
        if self.lammps:
            return self._of_coefficients(mass, radius)
        if self.style == "lammps":
            self.model.note(self.command, "there is no pair_coeff with coefficients: Hertz's law of the values in [material] stands in; put yours in")
        return {"law": "hertz"}, {f"type{t + 1}": {"young": 1e7, "poisson": 0.25, "restitution": 0.5, "friction": 0.5} for t in range(self.model.types)}, {}

    def _of_materials(self, mass, radius):
        model, command, words, types = self.model, self.command, self.words, range(1, self.model.types + 1)
        method = {"law": "hertz", "dashpot": "restitution" if words.get("limitForce") == "on" else "tsuji"}
        if words["model"] not in ("hertz", "hertz/stiffness", "hooke", "hooke/stiffness"):
            model.note(command, f"model {words['model']} is not converted: Hertz's law stands in; see docs/laws.md for those that yield")
        method["tangential"] = {"history": "spring", "no_history": "viscous", "off": "none"}.get(words["tangential"], "spring")
        if method["tangential"] == "viscous":
            model.note(command, "tangential no_history is converted with springs (tangential = \"spring\"), as its dashpot follows the overlap")
            method["tangential"] = "spring"
        rolling = {"cdt": "constant", "epsd": "epsd", "epsd2": "epsd", "epsd3": "epsd", "off": "none"}.get(words["rolling_friction"])
        if rolling is None:
            model.note(command, f"rolling_friction {words['rolling_friction']} is not converted")
        elif rolling != "none":
            method["rolling"] = rolling
        sjkr = {"sjkr": 1.0, "sjkr2": 2.0, "off": 0.0}.get(words["cohesion"])
        if sjkr is None:
            model.note(command, f"cohesion {words['cohesion']} is not converted; docs/laws.md has the laws that there are")
            sjkr = 0.0
        if sjkr:
            method["cohesion"] = "sjkr"

        def of(key, i, j, otherwise=None):
            values = self.values.get(key, {})
            if (i, j) not in values and otherwise is None:
                model.fail(command, f"the deck gives no {key} of types {i} and {j}: add its fix property/global")
            return values.get((i, j), otherwise)

        def pair(i, j):
            found = {"restitution": of("restitution", i, j), "friction": of("friction", i, j, 0.0 if words["tangential"] == "off" else None)}
            if rolling not in (None, "none"):
                found["rolling_friction"] = of("rolling_friction", i, j)
                if words["rolling_friction"] == "epsd2":
                    found["rolling_damping"] = 0.0
                elif words["rolling_friction"] == "epsd" or words["rolling_friction"] == "epsd3" and "rolling_damping" in self.values:
                    found["rolling_damping"] = of("rolling_damping", i, j)
            if sjkr:
                found["cohesion_energy_density"] = sjkr * of("cohesion_energy_density", i, j)
            return found

        materials = {}
        linear = words["model"].startswith("hooke")
        for t in types:
            elastic = {}
            for key in ("young", "poisson"):
                if t in self.values.get(key, {}):
                    elastic[key] = self.values[key][t]
                elif words["model"] in ("hertz", "hooke"):
                    model.fail(command, f"the deck gives no {'youngsModulus' if key == 'young' else 'poissonsRatio'} of type {t}: add its fix property/global")
            if not linear and not elastic:
                elastic = {"young": 1e7, "poisson": DEFAULT_POISSON}
            if words["model"] == "hooke/stiffness" and (1, 1) in self.values.get("gamman", {}) and (1, 1) in self.values.get("kn", {}):
                self.values.setdefault("restitution", {})[(t, t)] = restitution_of(self.values["gamman"][(1, 1)], self.values["kn"][(1, 1)], 0.5 * mass)
                for u in types:
                    self.values["restitution"][(t, u)] = self.values["restitution"][(t, t)]
            materials[f"type{t}"] = {**elastic, **pair(t, t)}
        pairs = {(f"type{i}", f"type{j}"): pair(i, j) for i in types for j in types if i < j}
        if words["model"] == "hooke":
            method["law"] = "linear"
            speed, young, poisson = self.values.get("speed"), self.values["young"][1], self.values["poisson"][1]
            if speed is None:
                model.fail(command, "model hooke needs characteristicVelocity: add its fix property/global")
            plane, effective, half = young / (2 * (1 - poisson ** 2)), 0.5 * radius, 0.5 * mass
            root = math.sqrt(effective)
            method["tangential_ratio"] = self._tangential_share({}, {})
            method["stiffness"] = 16 / 15 * root * plane * (15 * half * speed ** 2 / (16 * root * plane)) ** 0.2
            model.remark(command, f"the stiffness of hooke follows each pair's size; here it is that of two bodies of diameter {2 * radius:.4g} m")
        elif words["model"] == "hooke/stiffness":
            method["law"], method["stiffness"] = "linear", of("kn", 1, 1)
            method["tangential_ratio"] = min(10.0, of("kt", 1, 1) / method["stiffness"])
            model.remark(command, f"one stiffness holds for all contacts: kn and kt of type 1; the restitution is that of gamman between two bodies of diameter {2 * radius:.4g} m")
        elif words["model"] == "hertz/stiffness":
            model.note(command, "stiffnesses of hertz/stiffness are not converted: young and poisson stand in")
        self._tell_of_rolling({**{(f"type{t}", f"type{t}"): materials[f"type{t}"] for t in types}, **pairs}, materials)
        return method, materials, pairs

    def _tell_of_rolling(self, pairs, materials):
        """What differs between springs of rolling of LIGGGHTS and of `epsd`, k_r = 9/4 k_n (mu_r R)^2 (of disks 3), k_n the secant of the normal spring: epsd2 has k_t R^2,
        and epsd3 a factor of its own in place of 9/4."""
        model, command, kind = self.model, self.command, self.words["rolling_friction"]
        factor = 3.0 if model.dimensions == 2 else 2.25
        if kind == "epsd2":
            ratios = [self._tangential_share(*(materials[name] for name in names)) / (factor * values["rolling_friction"] ** 2)
                      for names, values in pairs.items() if values["rolling_friction"] > 0]
            if ratios:
                low, high = f"{min(ratios):.3g}", f"{max(ratios):.3g}"
                model.remark(command, f"rolling_friction epsd2 as rolling = \"epsd\" without damping: the couple has the same limit, but the deck's rolling spring, k_t R^2, is "
                             f"{low if low == high else f'{low} to {high}'} times as stiff as that of the scene, {factor:g} k_n (rolling_friction R)^2")
        elif kind == "epsd3":
            given = self.values.get("rolling_stiffness")
            if given is None:
                model.note(command, f"rolling_friction epsd3: the deck gives no coefficientRollingStiffness; rolling = \"epsd\" has {factor:g}")
            elif abs(given - factor) > 1e-3 * factor:
                model.remark(command, f"rolling_friction epsd3 as rolling = \"epsd\": the couple has the same limit, but the deck's rolling spring, {given:g} k_n (rolling_friction R)^2, is "
                             f"{given / factor:.3g} times as stiff as that of the scene, whose factor is {factor:g}")
            if "rolling_damping" not in self.values:
                model.note(command, "rolling_friction epsd3: the deck gives no coefficientRollingViscousDamping; the scene has the usual rolling_damping, 0.3")

    def _tangential_share(self, one, other):
        """k_t / k_n of LIGGGHTS, of contacts of two materials."""
        words = self.words
        if words["model"].endswith("/stiffness") and all((1, 1) in self.values.get(key, {}) for key in ("kt", "kn")):
            return self.values["kt"][(1, 1)] / self.values["kn"][(1, 1)]
        if words.get("ktToKnUser") == "on":
            return 2 / 7
        if words["model"] == "hooke":
            return 1.0
        # Hertz and Mindlin: 8 G* sqrt(R delta) over the secant 4/3 E* sqrt(R delta).
        both = [(m.get("young", 1e7), m.get("poisson", DEFAULT_POISSON)) for m in (one, other)]
        return 6 * sum((1 - nu ** 2) / young for young, nu in both) / sum(2 * (2 - nu) * (1 + nu) / young for young, nu in both)

    def _of_coefficients(self, mass, radius):
        model, base = self.model, self.lammps
        method, grain = self._of_contact(base, 0.5 * mass, radius)
        if base.get("limit") or base["damping"] == "coeff_restitution":
            method["dashpot"] = "restitution"
        materials = {f"type{t + 1}": dict(grain) for t in range(model.types)}
        pairs = {}
        for k, own in enumerate(self.wall_list):
            other, wall = self._of_contact(own, mass, radius)
            name = f"wall{k + 1}"
            materials[name] = wall
            if other.get("law") != method.get("law") or abs(other.get("stiffness", 0) - method.get("stiffness", 0)) > 1e-6 * method.get("stiffness", 0):
                model.remark(own["command"], "the wall's law or stiffness is not that of bodies, whose holds for all")
            if "young" in wall and "young" in grain:
                # Of the contact: 1 / E* = (1 - nu^2) / E of both.
                of_wall, of_grain = 2 * (1 - wall["poisson"] ** 2) / wall["young"], (1 - grain["poisson"] ** 2) / grain["young"]
                if of_wall > of_grain:
                    wall["young"] = (1 - wall["poisson"] ** 2) / (of_wall - of_grain)
                else:
                    model.remark(own["command"], "the wall is too stiff for a material of its own: it has the modulus of bodies")
                    wall["young"], wall["poisson"] = grain["young"], grain["poisson"]
            for t in range(model.types):
                pairs[(f"type{t + 1}", name)] = {key: value for key, value in wall.items() if key in
                                                 ("restitution", "friction", "rolling_friction", "spinning_friction", "surface_energy", "viscous_time", "tangential_stiffness")}
        return method, materials, pairs

    def _of_contact(self, values, mass, radius):
        """([method], [material]) that act alike between two bodies of this effective mass; `radius`: of the body that the mass is of."""
        model, command = self.model, values["command"]
        method, material = {}, {"friction": values["friction"]}
        if values["normal"] == "hooke":
            method.update(law="linear", stiffness=values["kn"], dashpot="tsuji")
            ratio = 2 / 7 if values.get("kt") is None else values["kt"] / values["kn"]
            if ratio > 0:
                method["tangential_ratio"] = min(10.0, ratio)
            if "restitution" in values:
                material["restitution"] = values["restitution"]
            else:
                rate = values["rate"] / mass if values["damping"] == "velocity" else values["rate"]
                material["restitution"] = round(restitution_of(rate, values["kn"], mass), 6)
                model.remark(command, f"gamma_n as the restitution of a body of diameter {2 * radius:.4g} m, {material['restitution']:g}; bodies of other sizes have another one in the deck")
        else:
            method["law"] = "hertz"
            if "young" in values:
                young, poisson = values["young"], values["poisson"]
            else:
                # Kn = 4/3 E*, and of one material Kt / Kn = 3 (1 - nu) / (2 - nu).
                share = (values["kt"] / values["kn"]) if values.get("kt") else None
                poisson = DEFAULT_POISSON if share is None else (3 - 2 * share) / (3 - share)
                if not 0 <= poisson <= 0.5:
                    model.remark(command, f"no material has this ratio of Kt and Kn: Poisson's ratio is taken as {DEFAULT_POISSON}, where Kt / Kn is 1.29")
                    poisson = DEFAULT_POISSON
                young = 1.5 * values["kn"] * (1 - poisson ** 2)
            material["young"], material["poisson"] = young, round(poisson, 9)
            if "restitution" in values:
                method["dashpot"], material["restitution"] = "tsuji", values["restitution"]
            else:
                # mass rate sqrt(R delta) = A 2 E* sqrt(R delta)
                method["dashpot"] = "brilliantov"
                plane = young / (2 * (1 - poisson ** 2))
                material["viscous_time"] = values["rate"] * mass / (2 * plane)
                model.remark(command, f"damping in proportion to the width of the contact: dashpot = \"brilliantov\", with viscous_time of a body of diameter {2 * radius:.4g} m")
        if not values["history"]:
            model.note(command, "friction without memory is converted with springs (tangential = \"spring\")")
        if values.get("tangential") == "linear" and values["normal"] != "hooke" and values.get("kt"):
            method["tangential"], material["tangential_stiffness"] = "linear", values["kt"]
        if values.get("rolling"):
            method["rolling"], material["rolling_friction"] = "epsd", values["rolling"]
            model.remark(command, "rolling sds as rolling = \"epsd\", whose spring follows the contact's own stiffness")
        if values.get("twisting", "none") != "none":
            method["twisting"] = values["twisting"]
            if "spinning" in values:
                material["spinning_friction"] = values["spinning"]
        if values.get("cohesion"):
            method["cohesion"], material["surface_energy"] = values["cohesion"], values["surface_energy"]
        return method, material
