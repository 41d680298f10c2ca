"""Angle of repose against rolling friction (Zhou et al. 2002) and against cohesion (Mohr & Coulomb with Rumpf's strength)."""
import numpy as np
from harness import Row, largest, within

DIAMETER, DENSITY, THICKNESS, GRAVITY = 0.01, 2500.0, 4, 9.81  # the container's thickness in diameters
HALF = 15  # of the plate, in diameters
WEIGHT = DENSITY * np.pi / 6 * DIAMETER**3 * GRAVITY
WALLS = 1 + np.exp(-0.18 * THICKNESS)  # what the front and back walls add to the angle, Zhou et al. 2002
SEEDS = (1, 2, 3)
ROLLING = {0.02: 7.0, 0.05: 6.5, 0.1: 5.5}  # between balls, with walls twice that [mm]: when the heap lies [s]
BASE = 0.05  # of the cohesive heaps [mm]
PULLS = {0.5: 5.0, 2.0: 3.5}  # of a contact, in weights of a ball: when the heap lies [s]
JKR = 0.5  # the pull that is JKR's as well
SOLID = 0.58  # share of volume in a loose bed of balls
BULK = SOLID * DENSITY * GRAVITY  # weight of a volume of it [N/m3]


def correlation(rolling):
    """What Zhou et al. fitted to their simulations [degrees]; the frictions of sliding are 0.4 and, of walls, 0.6."""
    return WALLS * 68.61 * 0.4**0.27 * 0.6**0.22 * rolling**0.06 * (2 * rolling) ** 0.12 * (DIAMETER * 1e3) ** -0.2


def glass_beads():
    """What Zhou et al. fitted to their measurements of glass beads [degrees]."""
    return WALLS * 29.6 * (DIAMETER * 1e3) ** -0.206


def surface(frame):
    """x of columns a diameter wide, and their height: of the centres of the highest balls, mean over the thickness; in diameters."""
    x, y, z = frame["position"].T / DIAMETER - [[0], [0], [0.5]]
    column, layer = (np.clip(np.floor(v).astype(int), 0, n - 1) for v, n in ((x + HALF, 2 * HALF), (y, THICKNESS)))
    height = np.zeros((2 * HALF, THICKNESS))
    np.maximum.at(height, (column, layer), z)
    return np.arange(0.5 - HALF, HALF), height.mean(axis=1)


def crest_of(height):
    return np.sort(height)[-4:].mean()


def flanks(frame):
    """Angles of the left and right slope [degrees]: fits to the columns between 10 and 90 % of the crest, without tail and top."""
    x, height = surface(frame)
    crest, angles = crest_of(height), []
    for side in (-1, 1):
        there = (side * x > 0) & (height > 0.1 * crest) & (height < 0.9 * crest)
        angles.append(-np.degrees(np.arctan(np.polyfit(side * x[there], height[there], 1)[0])))
    return angles


class Heaps:
    """Heaps of one kind of ball from all packings. pull: of a contact, in weights of a ball."""

    def __init__(self, runner, name, pull=0.0, **settings):
        frames = [runner.run("scene.toml", name=f"{name}_{seed}", bodies__0__seed=seed, **settings).frames()[-2:] for seed in SEEDS]
        last = [end for _, end in frames]
        self.leaving = max(1 - len(end["id"]) / len(before["id"]) for before, end in frames)
        self.flanks = np.array([flanks(frame) for frame in last])
        self.angle = self.flanks.mean()
        self.counts = [len(frame["id"]) for frame in last]
        coordination = np.mean([2 * (frame["contacts"]["wall"] < 0).sum() / len(frame["id"]) for frame in last])
        self.strength = SOLID * coordination * pull * WEIGHT / (np.pi * DIAMETER**2)  # Rumpf's [Pa]
        self.crest = DIAMETER * (0.5 + np.mean([crest_of(surface(frame)[1]) for frame in last]))
        self.depth = np.mean(self.counts) * WEIGHT / (2 * HALF * THICKNESS * DIAMETER**2 * BULK)  # mean over the plate [m]

    def line(self, name, expected):
        each = " ".join(f"{angle:.1f}" for angle in self.flanks.ravel())
        return [name, expected, f"{self.angle:.1f}", each, " ".join(map(str, self.counts))]


def layer(dry, strength, depth):
    """Steepest layer of a depth (vertical): tan(angle) = tan(dry) (1 + strength / (bulk depth cos^2(angle))), Halsey & Levine [degrees]."""
    k, s = np.tan(np.radians(dry)), strength / (BULK * depth)
    return np.degrees(np.arctan((1 - np.sqrt(1 - 4 * k * s * k * (1 + s))) / (2 * k * s)))


def culmann(dry, strength, height):
    """Steepest flank of a height that does not break along a plane through its toe [degrees]: Culmann 1875, cohesion tan(dry) strength."""
    phi, low, high = np.radians(dry), np.radians(dry), np.pi / 2
    for _ in range(60):
        middle = 0.5 * (low + high)
        stable = 4 * np.tan(phi) * strength * np.sin(middle) * np.cos(phi) > BULK * height * (1 - np.cos(middle - phi))
        low, high = (middle, high) if stable else (low, middle)
    return np.degrees(low)


def dry_heaps(runner):
    heaps = {}
    for length, end in ROLLING.items():
        share = length / (0.25 * DIAMETER * 1e3)  # R_eff of two balls is a quarter of the diameter, with a wall half of it
        places = ("material__ball", "material_pair__0")
        frictions = {f"{place}__{key}_friction": share for place in places for key in ("rolling", "spinning")}
        heaps[length] = Heaps(runner, f"rolling_{length:g}", time__end=end, **frictions)
    return heaps


def cohesive_heaps(runner):
    return {pull: Heaps(runner, f"pull_{pull:g}", pull, time__end=end, method__cohesion="constant", material__ball__cohesion=pull * WEIGHT)
            for pull, end in PULLS.items()}


def jkr_heaps(runner, pull):
    return Heaps(runner, f"jkr_{pull:g}", pull, time__end=PULLS[pull], method__cohesion="jkr", material__wall__surface_energy=0,
                 material__ball__surface_energy=pull * WEIGHT / (3 * np.pi * 0.25 * DIAMETER))


def absolute(quantity, reference, found, tolerance):
    return Row(quantity, reference, found, abs(found - reference), tolerance, "absolute [deg]")


def draw_heaps(axes, places, heaps):
    for k, (place, heap) in enumerate(zip(places, heaps)):
        flank, mean = (None, None) if k else ("Scree, flanks", "Scree, mean")
        axes.plot([place] * heap.flanks.size, heap.flanks.ravel(), ".", color="C0", ms=4, label=flank)
        axes.plot(place, heap.angle, "o", color="C0", label=mean)
    axes.set(ylabel="angle of repose [deg]")


def check(runner):
    dry, cohesive = dry_heaps(runner), cohesive_heaps(runner)
    jkr, start = jkr_heaps(runner, JKR), dry[BASE].angle
    bounds = {pull: (layer(start, heap.strength, heap.crest), culmann(start, heap.strength, heap.crest)) for pull, heap in cohesive.items()}

    runner.table("Heaps from three packings.", ["heap", "expected [deg]", "found [deg]", "each flank [deg]", "balls"],
                 [heap.line(f"rolling friction {length:g} mm", f"{correlation(length):.1f}") for length, heap in dry.items()]
                 + [heap.line(f"pull of {pull:g} weights", "{:.1f} to {:.1f}".format(*bounds[pull])) for pull, heap in cohesive.items()]
                 + [jkr.line(f"JKR, pull of {JKR:g} weights", f"{cohesive[JKR].angle:.1f}")])

    def draw_rolling(axes):
        lengths = np.geomspace(0.015, 0.12, 100)
        line = correlation(lengths)
        axes.fill_between(lengths, line - 2, line + 2, color="0.85", label="its standard deviation")
        axes.plot(lengths, line, "k", lw=1, label="Zhou et al. 2002")
        axes.plot(BASE, glass_beads(), "s", mfc="none", color="k", label="glass beads, measured")
        draw_heaps(axes, dry, dry.values())
        axes.set(xscale="log", xlabel="rolling friction between balls [mm]", xticks=list(ROLLING), xticklabels=map(str, ROLLING))
        axes.minorticks_off()

    def draw_cohesion(axes):
        pulls, heaps = [0.0, *PULLS], [dry[BASE], *cohesive.values()]
        low, high = zip((start, start), *bounds.values())
        axes.fill_between(pulls, low, high, color="0.9", label="layer as deep as the crest to Culmann's plane")
        middle = [start] + [layer(start, heap.strength, heap.depth) for heap in cohesive.values()]
        axes.plot(pulls, middle, "k", lw=1, label="layer as deep as the mean")
        draw_heaps(axes, pulls, heaps)
        axes.plot(JKR, jkr.angle, "D", mfc="none", color="C1", label="Scree, JKR")
        axes.set(xlabel="pull of a contact over the weight of a ball", ylim=(20, 75))

    runner.plot("rolling", draw_rolling, "Angle of repose against rolling friction.")
    runner.plot("cohesion", draw_cohesion, "Angle of repose against cohesion.")
    angles = [heap.angle for heap in dry.values()]
    power = np.polyfit(np.log(list(ROLLING)), np.log(angles), 1)[0]
    rises = np.diff([start] + [heap.angle for heap in cohesive.values()])
    leaving = max(heap.leaving for heap in [*dry.values(), *cohesive.values(), jkr])
    return [
        *[absolute(f"rolling friction {length:g} mm: angle [deg]", correlation(length), heap.angle, 6.0) for length, heap in dry.items()],
        absolute("rolling friction, mean of all: angle [deg]", np.mean([correlation(length) for length in ROLLING]), np.mean(angles), 4.0),
        absolute("rolling friction 0.05 mm: angle of glass beads [deg]", glass_beads(), start, 5.0),
        Row("power of rolling friction in the angle", 0.18, power, abs(power - 0.18), 0.15, "absolute"),
        within("least growth from one rolling friction to the next [deg]", 0.0, 20.0, min(np.diff(angles)), "deg"),
        *[within(f"pull of {pull:g} weights: angle [deg]", *bounds[pull], heap.angle, "deg") for pull, heap in cohesive.items()],
        within("least growth from one pull to the next [deg]", 0.0, 20.0, min(rises), "deg"),
        absolute("JKR and a constant pull of 0.5 weights: angle [deg]", cohesive[JKR].angle, jkr.angle, 5.0),
        largest("balls that leave in the last half second", leaving, 0.08, "share"),
    ]
