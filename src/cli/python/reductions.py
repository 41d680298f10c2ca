"""Single numbers out of a run: reductions of columns of its series, and what laboratories measure, from its last frame or a measure.

A `[[result]]` of a sweep and a `[[target]]` of a calibration say them by the same keys; docs/sweeps.md lists them.
"""
import math

import numpy as np

from expressions import Formula, FormulaError
from toml_places import is_number, near

TAKES = ("last", "first", "mean", "min", "max", "sum", "deviation", "time_of_max", "time_of_min")
SAMPLES = 1 << 15  # points of a region at which a solid fraction is sampled: an error of about 0.3 %, less as they are a sequence


class NoValue(Exception):
    """Why a run gives no such number."""


def _window(time, y, start, end):
    inside = np.isfinite(y) & (time >= start) & (time <= end)
    if not inside.any():
        raise NoValue(f"no values between {start:g} and {end:g} s")
    return time[inside], y[inside]


def _column(run, formula):
    """(time, values) of a formula over columns; those of different times are taken where all have a value."""
    columns = run.columns()
    for name in formula.names:
        if name not in columns:
            raise NoValue(f"series.csv has no column {name}{near(name, columns)}")
    if not formula.names:
        raise NoValue("the formula names no column")
    parts = [columns[name] for name in formula.names]
    time = parts[0].x
    values = {}
    for name, part in zip(formula.names, parts):
        if part.x is time or np.array_equal(part.x, time):
            values[name] = part.y
        else:
            shared = dict(zip(part.x.tolist(), part.y.tolist()))
            values[name] = np.array([shared.get(one, math.nan) for one in time.tolist()])
    return time, np.broadcast_to(formula.value(values), time.shape)


def reduce_column(run, formula, take, start, end):
    time, y = _window(*_column(run, formula), start, end)
    return {"last": lambda: y[-1], "first": lambda: y[0], "mean": lambda: _mean(time, y), "min": y.min, "max": y.max, "sum": y.sum, "deviation": y.std,
            "time_of_max": lambda: time[y.argmax()], "time_of_min": lambda: time[y.argmin()]}[take]()


def _mean(time, y):
    """Over time, by trapezoids."""
    return np.trapz(y, time) / (time[-1] - time[0]) if len(y) > 1 and time[-1] > time[0] else y.mean()


def _last_frame(run):
    if run.damage():
        raise NoValue(run.damage())
    frame = run.frame()
    if frame is None or not len(frame["position"]):
        raise NoValue("the run has no frame with bodies")
    return frame


def _bodies(run, box):
    """Positions, radii and masses of the last frame, of those whose centres lie in the box."""
    frame = _last_frame(run)
    place, radius, mass = frame["position"], frame["radius"], frame["mass"]
    if box is not None:
        inside = np.all((place >= box[0]) & (place <= box[1]), axis=1)
        if not inside.any():
            raise NoValue("no body lies in the box")
        place, radius, mass = place[inside], radius[inside], mass[inside]
    return place, radius, mass


def _median(x, mass):
    order = np.argsort(x, kind="stable")
    return float(x[order][np.searchsorted(np.cumsum(mass[order]), 0.5 * mass.sum())])


class Heap:
    """The surface of the grains of the last frame: of a wedge over x or y (z is up; in two dimensions y), or of a cone over the distance from its middle."""

    def __init__(self, run, along, box):
        place, radius, mass = _bodies(run, box)
        up = 1 if run.two_dimensional else 2
        flat = [axis for axis in range(3) if axis != up][:1 if run.two_dimensional else 2]
        self.diameter = 2 * float(np.mean(radius))
        top = place[:, up] + radius
        self.base = float(np.min(place[:, up] - radius))
        middle = [_median(place[:, axis], mass) for axis in flat]
        if along == "radial" and not run.two_dimensional:
            offset = place[:, flat] - middle
            self.distance, across = np.hypot(*offset.T), np.arctan2(offset[:, 1], offset[:, 0])
            lanes = np.floor((across + math.pi) / (2 * math.pi) * 12).astype(int) % 12
            self.signed = self.distance
        else:
            axis = 0 if along in ("x", "radial") else 1
            if axis == up:
                raise NoValue("in two dimensions heaps lie along x")
            self.signed = place[:, axis] - middle[flat.index(axis)]
            self.distance = np.abs(self.signed)
            other = [one for one in flat if one != axis]
            lanes = np.floor((place[:, other[0]] - place[:, other[0]].min()) / self.diameter).astype(int) if other else np.zeros(len(place), int)
        self.mass = mass
        bins = np.floor(self.signed / self.diameter).astype(int)
        # Height of each bin: the mean over lanes of their highest grain; of lanes without a grain there the base.
        highest = {}
        for one, lane, height in zip(bins.tolist(), lanes.tolist(), (top - self.base).tolist()):
            highest[one, lane] = max(highest.get((one, lane), 0.0), height)
        count = {}
        for one, _ in highest:
            count[one] = count.get(one, 0) + 1
        width = len(set(lanes.tolist()))
        at = sorted(count)
        self.x = (np.array(at) + 0.5) * self.diameter
        sums = dict.fromkeys(at, 0.0)
        for (one, _), height in highest.items():
            sums[one] += height
        # A cone's inmost bins are too small for a grain in every lane.
        self.height = np.array([sums[one] / (width if along != "radial" or one > 1 else count[one]) for one in at])

    def crest(self):
        return float(np.sort(self.height)[-4:].mean()) if len(self.height) >= 4 else float(self.height.max())

    def angle(self, low, high, flank):
        """Slope [degrees] between two shares of the crest's height, the mean of the flanks."""
        crest, angles = self.crest(), []
        sides = [1] if self.signed is self.distance else {"both": [-1, 1], "left": [-1], "right": [1]}[flank]
        for side in sides:
            there = (side * self.x > 0) & (self.height > low * crest) & (self.height < high * crest)
            if there.sum() < 3:
                raise NoValue(f"a flank of the heap has {there.sum()} points between {low:g} and {high:g} of its height, 3 are needed")
            angles.append(-math.degrees(math.atan(np.polyfit(side * self.x[there], self.height[there], 1)[0])))
        return float(np.mean(angles))

    def run_out(self, share):
        order = np.argsort(self.distance, kind="stable")
        held = np.cumsum(self.mass[order])
        return float(self.distance[order][np.searchsorted(held, share * held[-1])])


def solid_fraction(run, low, high):
    """(share of a box that bodies fill, mass of what fills it over its volume [kg/m3]). Spheres and disks are cut at the box exactly but for the sampling;
    other shapes count with all of their mass where their centre lies inside, and have no solid fraction."""
    frame = _last_frame(run)
    size = 2 if run.two_dimensional else 3
    place, radius, mass = frame["position"][:, :size], frame["radius"], frame["mass"]
    low, high = np.array(low[:size]), np.array(high[:size])
    if not np.isfinite(high - low).all():
        raise NoValue("the box has two numbers a corner, and in three dimensions a volume takes three")
    if frame.get("shape") is not None and (frame["shape"] >= 0).any():
        inside = np.all((place >= low) & (place <= high), axis=1)
        return math.nan, float(mass[inside].sum() / np.prod(high - low))
    volume = math.pi * radius**2 if size == 2 else 4 / 3 * math.pi * radius**3
    try:
        from scipy.spatial import cKDTree
        from scipy.stats import qmc
    except ImportError:
        raise NoValue("this needs SciPy: install the Debian package python3-scipy") from None
    points = low + qmc.Sobol(size, scramble=False).random(SAMPLES) * (high - low)
    tree = cKDTree(points)
    density = np.zeros(SAMPLES)
    for centre, one, weight in zip(place, radius, mass / volume):
        if np.all(centre + one > low) and np.all(centre - one < high):
            density[tree.query_ball_point(centre, one)] = weight
    return float((density > 0).mean()), float(density.mean())


def _mass_of(run, measure, start):
    name = f"{measure}.mass"
    if name not in run.columns():
        raise NoValue(f"series.csv has no column {name}{near(name, run.columns())}: measure = the name of a measure of kind mass_in")
    column = run.columns()[name]
    time, mass = _window(column.x, column.y, start, math.inf)
    if mass.max() <= 0:
        raise NoValue(f"{name} is 0 all the time")
    return time, mass


def discharge_time(run, measure, share, start):
    """From `start` until the mass in a region has fallen to a share of what it was at most [s]."""
    time, mass = _mass_of(run, measure, start)
    level = share * mass.max()
    first = int(np.argmax(mass))
    below = np.flatnonzero(mass[first:] <= level)
    if not len(below):
        raise NoValue(f"{measure}.mass does not fall to {share:g} of what it was; its least is {mass.min() / mass.max():.3g}")
    k = first + int(below[0])
    if k == 0 or mass[k - 1] == mass[k]:
        return time[k] - start
    return time[k - 1] + (mass[k - 1] - level) / (mass[k - 1] - mass[k]) * (time[k] - time[k - 1]) - start


def discharge_rate(run, measure, high, low, start):
    """Slope of the mass in a region while it falls from one share of what it was to another [kg/s], above 0."""
    time, mass = _mass_of(run, measure, start)
    inside = (mass <= high * mass.max()) & (mass >= low * mass.max()) & (np.arange(len(mass)) >= np.argmax(mass))
    if inside.sum() < 3:
        raise NoValue(f"{measure}.mass has {inside.sum()} values between {low:g} and {high:g} of what it was, 3 are needed")
    return -np.polyfit(time[inside], mass[inside], 1)[0]


def _angle(table):
    along = table.word("along", ("radial", "x", "y"), "radial")
    low, high = table.pair("between", [0.1, 0.9])
    flank, box = table.word("flank", ("both", "left", "right"), "both"), _box(table)
    return lambda run: Heap(run, along, box).angle(low, high, flank)


def _box(table, required=False):
    """A box [[least corner], [largest corner]] as two arrays."""
    value = table.raw("box")
    if value is None and not required:
        return None
    good = isinstance(value, list) and len(value) == 2 and all(isinstance(one, list) and 2 <= len(one) <= 3 for one in value) and len(value[0]) == len(value[1])
    if not good or not all(is_number(part) for one in value for part in one) or not all(a < b for a, b in zip(*value)):
        raise table.problem("box = [[x, y, z], [x, y, z]] is wanted: the least and the largest corner [m]", "box")
    missing = 3 - len(value[0])
    return np.array([*value[0], *[-math.inf] * missing]), np.array([*value[1], *[math.inf] * missing])


def _share(table, key, default):
    value = table.number(key, default)
    if not 0 < value < 1:
        raise table.problem(f"{key} = {value:g}: a share between 0 and 1 is wanted", key)
    return value


def _heap_height(table):
    along, box = table.word("along", ("radial", "x", "y"), "radial"), _box(table)
    return lambda run: Heap(run, along, box).crest()


def _run_out(table):
    along, box, share = table.word("along", ("radial", "x", "y"), "radial"), _box(table), _share(table, "share", 0.95)
    return lambda run: Heap(run, along, box).run_out(share)


def _density(table):
    low, high = _box(table, required=True)
    return lambda run: solid_fraction(run, low, high)[1]


def _fraction(table):
    low, high = _box(table, required=True)

    def value(run):
        found = solid_fraction(run, low, high)[0]
        if math.isnan(found):
            raise NoValue("the solid fraction of a box is known of spheres and disks; kind = \"stress\" of [[measure]] has it of all shapes")
        return found
    return value


def _shear(table):
    """Shear stress, and the angle whose tangent it is over the normal stress."""
    measure = table.text("measure", "stress")
    pair, take = table.word("plane", ("xy", "xz", "yz"), "xy"), table.word("take", ("mean", "max"), "max")
    normal = table.word("normal", ("xx", "yy", "zz"), {"xy": "yy", "xz": "zz", "yz": "zz"}[pair])
    window = table.number("from", 0.0), table.number("to", math.inf)
    shear, ratio = Formula(f"abs({measure}.{pair})"), Formula(f"abs({measure}.{pair} / {measure}.{normal})")
    if table.values.get("kind") == "shear_strength":
        return lambda run: reduce_column(run, shear, take, *window)
    return lambda run: math.degrees(math.atan(reduce_column(run, ratio, take, *window)))


def _time_to_empty(table):
    measure, share, start = table.text("measure", required=True), _share(table, "share", 0.05), table.number("from", 0.0)
    return lambda run: discharge_time(run, measure, share, start)


def _rate(table):
    measure, start = table.text("measure", required=True), table.number("from", 0.0)
    low, high = table.pair("between", [0.2, 0.8])
    return lambda run: discharge_rate(run, measure, high, low, start)


def _of_column(table):
    text = table.text("column", required=True)
    try:
        formula = Formula(text)
    except FormulaError as problem:
        raise table.problem(str(problem), "column") from None
    if not formula.names:
        raise table.problem(f"column = \"{text}\" names no column of series.csv", "column")
    take = table.word("take", TAKES, "last")
    start, end = table.number("from", -math.inf), table.number("to", math.inf)
    if start >= end:
        raise table.problem(f"from = {start:g} has to lie before to = {end:g}", "from")
    return lambda run: reduce_column(run, formula, take, start, end)


# By kind: what reads its keys and returns the function of a run, and its unit.
KINDS = {"column": (_of_column, ""), "angle_of_repose": (_angle, "deg"), "heap_height": (_heap_height, "m"), "run_out": (_run_out, "m"), "bulk_density": (_density, "kg/m³"),
         "solid_fraction": (_fraction, ""), "shear_strength": (_shear, "Pa"), "friction_angle": (_shear, "deg"), "discharge_time": (_time_to_empty, "s"), "discharge_rate": (_rate, "kg/s")}


class Reduction:
    """One number of a run, as a table of a file says it; `name` and `unit` are for people."""

    def __init__(self, table):
        kind = table.word("kind", tuple(KINDS), "column")
        reader, self.unit = KINDS[kind]
        if kind == "column" and not table.has("column"):
            raise table.problem(f"{table.name()} needs column = \"NAME.COLUMN\", or kind = one of {', '.join(list(KINDS)[1:])}")
        self.table = table
        self._value = reader(table)
        plain = kind if kind != "column" else table.values["column"] + ("" if table.values.get("take", "last") == "last" else f" {table.values['take']}")
        self.name = table.text("name", plain)
        self.kind = kind

    def value(self, run):
        """The number. Throws NoValue where the run does not give it."""
        value = float(self._value(run))
        if not math.isfinite(value):
            raise NoValue("it is no finite number")
        return value
