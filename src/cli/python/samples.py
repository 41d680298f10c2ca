"""The points of a sweep: parameters with lists, ranges or distributions, by a grid, a Latin hypercube or a Sobol sequence; others by formulas of these."""
import itertools
import keyword
import math

import numpy as np

from expressions import CONSTANTS, Formula, FormulaError
from scree_run import Problem
from toml_places import is_number, near

METHODS = ("grid", "latin", "sobol")
MOST_POINTS = 1_000_000


def need_scipy(what):
    """The module scipy.stats; throws Problem where it is not installed."""
    try:
        from scipy import stats
        from scipy.stats import qmc
        return stats, qmc
    except ImportError:
        raise Problem(f"{what} needs SciPy, which this Python lacks: install the Debian package python3-scipy") from None


def tidy(value):
    """A number without the noise of its last digits: 0.3 instead of 0.30000000000000004."""
    return float(f"{value:.12g}")


class Parameter:
    """A `[[parameter]]` table. `quantile(u)` is its value for u in [0, 1); a derived one has `formula` instead."""

    def __init__(self, table):
        self.table = table
        self.name = table.text("name", required=True)
        if not self.name.isidentifier():
            raise table.problem(f"name = \"{self.name}\": letters, digits and _ are wanted, since formulas and tables use it", "name")
        if keyword.iskeyword(self.name) or self.name in CONSTANTS:
            raise table.problem(f"name = \"{self.name}\": formulas take this word for something else; give another name", "name")
        self.keys, self.unit = table.texts("key"), table.text("unit", "")
        self.whole = table.boolean("whole")
        self.values = self.formula = self.steps = None
        ways = [key for key in ("values", "range", "distribution", "value") if table.has(key)]
        if len(ways) != 1:
            raise table.problem(f"parameter \"{self.name}\" needs one of values = [...], range = [a, b], distribution = {{ ... }} and value = \"formula\""
                                + (f", and has {' and '.join(ways)}" if ways else ""), *ways[1:2])
        {"values": self._values, "range": self._range, "distribution": self._distribution, "value": self._formula}[ways[0]]()
        table.finish()

    def _values(self):
        values = self.table.raw("values")
        if not isinstance(values, list) or not values:
            raise self.table.problem("values = [...] has to be a list that is not empty", "values")
        if self.unit and not all(map(is_number, values)):
            raise self.table.problem("unit goes with numbers; these values are none", "unit")
        if self.whole:
            raise self.table.problem("whole rounds ranges, distributions and formulas; write values = [...] as they are to be", "whole")
        self.values = values
        self.quantile = lambda u: values[min(int(u * len(values)), len(values) - 1)]

    def _scaled(self):
        low, high = self.table.pair("range", required=True)
        if self.table.word("scale", ("linear", "log"), "linear") == "linear":
            return lambda u: low + u * (high - low)
        if low <= 0:
            raise self.table.problem(f"scale = \"log\" needs a range above 0, not from {low:g}", "range")
        return lambda u: low * (high / low) ** u

    def _steps(self):
        return self.table.integer("steps", None, least=2)

    def _range(self):
        self.quantile, self.steps = self._scaled(), self._steps()

    def _distribution(self):
        d = self.table.table("distribution")
        kind = d.word("kind", ("uniform", "normal", "lognormal", "triangular"))
        stats, _ = need_scipy("distribution")
        low, high = d.number("min", -math.inf), d.number("max", math.inf)
        if low >= high:
            raise d.problem(f"min = {low:g} has to be below max = {high:g}", "min")
        if kind in ("uniform", "triangular"):
            if not (math.isfinite(low) and math.isfinite(high)):
                raise d.problem(f"kind = \"{kind}\" needs min and max", "kind")
            mode = d.number("mode", 0.5 * (low + high)) if kind == "triangular" else low
            if not low <= mode <= high:
                raise d.problem(f"mode = {mode:g} has to lie between min and max", "mode")
            law = stats.uniform(low, high - low) if kind == "uniform" else stats.triang((mode - low) / (high - low), low, high - low)
        else:
            mean, deviation = d.number("mean", required=True), d.number("deviation", required=True, above=0)
            if kind == "lognormal":
                if mean <= 0:
                    raise d.problem(f"mean = {mean:g}: of a log-normal distribution it is above 0", "mean")
                spread = math.log1p((deviation / mean) ** 2)
                law = stats.lognorm(math.sqrt(spread), scale=mean * math.exp(-0.5 * spread))
            else:
                law = stats.norm(mean, deviation)
        d.finish()
        below, above = law.cdf(low), law.cdf(high)
        if above <= below:
            raise d.problem("no value of this distribution lies between min and max", "kind")
        # Quantiles of the part between min and max; never those of 0 and 1, which may be infinite.
        self.quantile = lambda u: float(law.ppf(below + min(max(u, 1e-12), 1 - 1e-12) * (above - below)))
        self.steps = self._steps()

    def _formula(self):
        try:
            self.formula = Formula(self.table.text("value", required=True))
        except FormulaError as problem:
            raise self.table.problem(str(problem), "value") from None

    def rounded(self, value):
        if self.values is not None:
            return value
        return round(value) if self.whole else tidy(value)

    def grid(self):
        """The values of a grid: a list, equal steps of a range, or middles of equal parts of a distribution."""
        if self.values is not None:
            return self.values
        if self.steps is None:
            raise self.table.problem(f"parameter \"{self.name}\" needs steps = N in a grid", "range" if self.table.has("range") else "distribution")
        at = [k / (self.steps - 1) for k in range(self.steps)] if self.table.has("range") else [(k + 0.5) / self.steps for k in range(self.steps)]
        return list(dict.fromkeys(self.rounded(self.quantile(u)) for u in at))

    def setting(self, value):
        """What `--set` gets, with the unit."""
        return f"{value!r} {self.unit}" if self.unit else value


def read_parameters(tables):
    """All, those by formulas in an order in which each has what it needs. Throws Problem."""
    parameters = [Parameter(table) for table in tables]
    names, keys = {}, {}
    for one in parameters:
        if one.name in names:
            raise one.table.problem(f"there are two parameters \"{one.name}\"", "name")
        names[one.name] = one
        for key in one.keys:
            if key in keys:
                raise one.table.problem(f"{key} is set by parameter \"{keys[key].name}\" as well", "key")
            keys[key] = one
    used = {name for one in parameters if one.formula for name in one.formula.names}
    for one in parameters:
        if not one.keys and one.name not in used:
            raise one.table.problem(f"parameter \"{one.name}\" needs key = \"path.of.a.key\", since no formula uses it")
        for name in one.formula.names if one.formula else ():
            if name not in names:
                raise one.table.problem(f"\"{one.formula.text}\": there is no parameter {name}{near(name, names)}", "value")
            if names[name].values is not None and not all(map(is_number, names[name].values)):
                raise one.table.problem(f"\"{one.formula.text}\": the values of {name} are no numbers", "value")
    ordered, left = [one for one in parameters if not one.formula], [one for one in parameters if one.formula]
    while left:
        known = {one.name for one in ordered}
        ready = [one for one in left if set(one.formula.names) <= known]
        if not ready:
            raise left[0].table.problem(f"\"{left[0].formula.text}\" needs {left[0].name} itself, by way of {' and '.join(one.name for one in left)}", "value")
        ordered += ready
        left = [one for one in left if one not in ready]
    return parameters, ordered


def free_points(parameters, table, method, seed):
    """Values of the parameters without formula at each point, a dictionary each."""
    free = [one for one in parameters if not one.formula]
    if not free:
        raise table.problem("a sweep needs at least one [[parameter]] with values, range or distribution")
    if method == "grid":
        if table.has("points"):
            raise table.problem("points goes with method = \"latin\" and \"sobol\"; a grid has as many as its parameters' values give", "points")
        axes = [one.grid() for one in free]
        if math.prod(map(len, axes)) > MOST_POINTS:
            raise table.problem(f"this grid has {math.prod(map(len, axes))} points, and {MOST_POINTS} are the most", "method")
        return [dict(zip((one.name for one in free), values)) for values in itertools.product(*axes)]
    count = table.integer("points", required=True, least=1)
    if count > MOST_POINTS:
        raise table.problem(f"points = {count}: {MOST_POINTS} are the most", "points")
    unit = unit_points(method, len(free), count, seed)
    return [{one.name: one.rounded(one.quantile(float(u))) for one, u in zip(free, row)} for row in unit]


def unit_points(method, dimensions, count, seed):
    """Points in the unit cube. Of Sobol's sequence the first are the same whatever their number."""
    _, qmc = need_scipy(f"method = \"{method}\"")
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers that are no powers of 2 are balanced a little less
        return (qmc.Sobol(dimensions, seed=seed) if method == "sobol" else qmc.LatinHypercube(dimensions, seed=seed)).random(count)


def complete(ordered, values):
    """The values with those by formulas; numbers in the units of their parameters. Throws Problem where a formula has no finite value."""
    values = dict(values)
    for one in ordered:
        if one.formula:
            found = float(one.formula.value({name: values[name] for name in one.formula.names}))
            if not math.isfinite(found):
                at = ", ".join(f"{name} = {values[name]}" for name in one.formula.names)
                raise one.table.problem(f"\"{one.formula.text}\" has no finite value at {at}", "value")
            values[one.name] = one.rounded(found)
    return values


def settings_of(parameters, values):
    """Values by key path, as the scene gets them."""
    return {key: one.setting(values[one.name]) for one in parameters for key in one.keys}


def fixed_settings(table):
    """The table `set`: values by key path, for all runs alike."""
    found = table.table("set")
    settings = {}
    for key, value in _leaves(found.values):
        settings[key] = value
        found.raw(key.split(".")[0])
    return settings


def _leaves(values, path=""):
    for key, value in values.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, dict) and value:
            yield from _leaves(value, name)
        else:
            yield name, value


def program_options(table):
    """Options of `scree run` that a file may give: --precision and --device."""
    found = []
    for key in ("precision", "device"):
        if table.has(key):
            found += [f"--{key}", table.text(key)]
    return found


def read_repeats(table):
    """(number, keys that get seeds, first seed)."""
    repeats, keys, first = table.integer("repeats", 1, least=1), table.texts("seeds"), table.integer("first_seed", 1)
    if repeats > 1 and not keys:
        raise table.problem(f"repeats = {repeats} of the same scene would all give the same bits: name the keys that get a seed, such as seeds = \"bodies.0.seed\"", "repeats")
    return repeats, keys, first
