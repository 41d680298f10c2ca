"""Units and quantities of columns by the kind of their measure (docs/output.md), and SI prefixes for axes."""
import re

# Of each kind of measure: last part of a column -> (unit, quantity); "*" for all others.
_FORCES = {"fx": ("N", "force"), "fy": ("N", "force"), "fz": ("N", "force"), "tx": ("N m", "torque"), "ty": ("N m", "torque"), "tz": ("N m", "torque"), "power": ("W", "power")}
_COUNT, _MASS = ("", "number"), ("kg", "mass")
KINDS = {
    "energy": {"*": ("J", "energy"), "work_of_walls": ("J", "energy"), "work_of_fields": ("J", "energy")},
    "momentum": {"*": ("kg m/s", "momentum"), **{f"L{axis}": ("kg m²/s", "angular momentum") for axis in "xyz"}},
    "mass_in": {"mass": _MASS, "*": _COUNT},
    "count": {"mass": _MASS, "*": _COUNT},
    "bonds": {"elastic": ("J", "energy"), "dissipated": ("J", "energy"), "largest_mass": _MASS, "*": _COUNT},
    "streams": {"mass": _MASS, "*": _COUNT},
    "coordination": {"mean": ("", "contacts per body"), "*": ("", "number of contacts")},
    "max_overlap": {"*": ("", "overlap / radius")},
    "contact_kinds": {"*": ("", "number of contacts")},
    "wall_load": _FORCES,
    "cell": {"*": ("", "strain"), **{f"length_{axis}": ("m", "length") for axis in "xyz"}, **{f"rate_{axis}": ("1/s", "rate") for axis in "xyz"}, "shear_rate": ("1/s", "rate")},
    "wall_place": {"angle": ("rad", "angle"), "*": ("m", "way")},
    "body": {**{axis: ("m", "position") for axis in "xyz"}, **{f"q{part}": ("", "quaternion") for part in "wxyz"}, **{f"v{axis}": ("m/s", "velocity") for axis in "xyz"},
             **{f"w{axis}": ("rad/s", "angular velocity") for axis in "xyz"}, **{f"a{axis}": ("m/s²", "acceleration") for axis in "xyz"},
             **{f"alpha{axis}": ("rad/s²", "angular acceleration") for axis in "xyz"}},
    "solver": {"residual": ("m/s", "residual"), "*": _COUNT},
    "pressure": {"kinetic": ("J", "energy"), "kinetic_time": ("J s", "kinetic energy over time"), "virial": ("J s", "virial"), "mean": ("Pa", "pressure"),
                 "mean_on_walls": ("Pa", "pressure"), "impulse": ("N s", "impulse"), "*": _COUNT},
    "density": {"max_pressure": ("Pa", "pressure"), "*": ("", "compression")},
    "extent": {"*": ("m", "position")},
    "stress": {"solid_fraction": ("", "solid fraction"), "coordination": ("", "contacts per body"), "mechanical": ("", "contacts per body"),
               **{f"fabric_{pair}": ("", "fabric") for pair in ("xx", "yy", "zz", "xy", "xz", "yz")}, "*": ("Pa", "stress")},
}
STEPS = {"residual": ("m/s", "residual"), "converged": ("", "converged"), "*": _COUNT}


def measures(scene):
    """Kind of each measure by its name, the longest names first."""
    named = {entry.get("name", entry["kind"]): entry for entry in scene.get("measure", []) if "kind" in entry}
    return dict(sorted(named.items(), key=lambda item: -len(item[0])))


def of_column(name, scene):
    """(unit, quantity) of a column NAME.COLUMN; ("", "") where it is not known. A unit of "" is a pure number."""
    if name.startswith("steps."):
        return STEPS.get(name[6:], STEPS["*"])
    for measure, entry in measures(scene).items():
        if name.startswith(measure + "."):
            rest = name[len(measure) + 1:]
            if entry["kind"] == "joint":
                return _of_joint(rest, entry, scene)
            table = KINDS.get(entry["kind"], {})
            return table.get(rest.rsplit(".", 1)[-1], table.get("*", ("", "")))
    return "", ""


def _of_joint(column, measure, scene):
    """Motors along a way push with a force, those about an axis with a torque."""
    joint = next((one for one in scene.get("joint", []) if one.get("name") == measure.get("joint")), {})
    table = {"angle": ("rad", "angle"), "travel": ("m", "way"), "violation": ("m or rad", "violation")}
    if column.startswith("force."):
        return "N", "force"
    if column.startswith("torque."):
        return "N m", "torque"
    if column == "motor":
        slides = joint.get("kind") in ("prismatic", "distance") or any(key in str(joint.get("motor", "")) for key in ("'force'", "'velocity'"))
        return ("N", "force of the motor") if slides else ("N m", "torque of the motor")
    return table.get(column, ("", ""))


def split_label(text):
    """"mass [kg]" or "mass (kg)" as ("mass", "kg"); ("mass", "") without unit."""
    found = re.fullmatch(r"\s*(.*?)\s*[\[(]\s*([^\])]*)\s*[\])]\s*", text)
    return (found[1], found[2]) if found else (text.strip(), "")


_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
_SCALED = ("J", "N", "W", "Pa", "m", "s", "rad")  # symbols that take a prefix, at the front of a unit


def scale(unit, largest):
    """(factor, unit with an SI prefix) such that factor x largest lies between 1 and 1000. Numbers from 0.1 to 1000 stay as they are, and units that take
    no prefix always do. Mass goes by way of the gram, and by the tonne."""
    if not 0 < largest < float("inf") or 0.1 <= largest < 1000 or " or " in unit:
        return 1.0, unit
    first, _, rest = unit.partition(" ")
    head, slash, tail = first.partition("/")
    base = 3 if head == "kg" else 0
    symbol = "g" if head == "kg" else head.rstrip("²")
    if symbol not in _SCALED + ("g",) or head.endswith("²"):
        return 1.0, unit
    power = 0
    while largest * 10.0 ** -power >= 1000:
        power += 3
    while largest * 10.0 ** -power < 1:
        power -= 3
    if symbol == "g" and power > 0:
        return (1e-3, "t") if not rest and not slash else (1.0, unit)
    if power + base not in _PREFIXES or (symbol == "s" and power > 0):
        return 1.0, unit
    if symbol == "rad" and power > 0:
        return 1.0, unit
    return 10.0 ** -power, f"{_PREFIXES[power + base]}{symbol}{slash}{tail}{' ' + rest if rest else ''}"
