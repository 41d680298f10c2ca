"""A simulation that a program steps, looks at and changes."""

import collections.abc
import os
import sys
import time

import numpy

from . import _core
from ._raw import Raw
from ._scene import Scene
from ._tables import html_table, table_of
from ._toml import key_text, value_text


def rows_of(name, values, ids, components):
    """A row for each id; one serves all."""
    try:
        return numpy.broadcast_to(numpy.asarray(values, dtype=float), (ids.size, components))
    except ValueError:
        raise ValueError(f"{name}: give {components} numbers for all, or a row of {components} for each of {ids.size} bodies") from None


def whole_ids(ids):
    """Ids as whole numbers of 32 bits."""
    ids = numpy.ravel(ids)
    if ids.size > 0 and (ids.dtype.kind not in "iu" or ids.min() < 0 or ids.max() > 0xFFFFFFFF):
        raise ValueError("ids are whole numbers from 0, of 32 bits")
    return ids.astype(numpy.uint32)


def rows_or_none(name, values, components):
    """Numbers as rows of so many; none where there are no values."""
    if values is None:
        return numpy.empty((0, components))
    rows = numpy.atleast_2d(numpy.asarray(values, dtype=float))
    if rows.ndim != 2 or (rows.size > 0 and rows.shape[1] != components):
        raise ValueError(f"{name} are rows of {components} numbers")
    return rows


class Bodies:
    """All bodies now, in the order of their ids: `bodies.position`, `bodies.velocity`, … as frames hold them (`names()`).

    Arrays are read-only and show one copy, made when that field is first looked at after steps; they keep what they show when the
    simulation goes on. Simulation.raw() shows the engine's own.
    """

    _own = ()  # attributes that are no fields

    def __init__(self, core, state):
        self._core, self._state = core, state

    def names(self):
        return self._state().names()

    def unit(self, name):
        return self._state().unit(name)

    @property
    def named(self):
        """Ids of the bodies that the scene names."""
        return {} if self._core is None else dict(self._core.named_bodies())

    def __getitem__(self, name):
        return self._state().field(name)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        state = self._state()
        if not state.has(name):
            raise AttributeError(f"bodies have no field \"{name}\" here; there are " + ", ".join(state.names()))
        return state.field(name)

    def __setattr__(self, name, value):
        # An attribute of this object would hide the field of that name, and change nothing of the bodies.
        if not name.startswith("_") and name not in self._own:
            raise AttributeError(f"bodies are changed by bodies.set(\"{name}\", values), not by assigning")
        object.__setattr__(self, name, value)

    def __len__(self):
        return len(self._state())

    def __dir__(self):
        return [*self.names(), *super().__dir__()]

    def set(self, name, values, ids=None):
        """Sets "position", "velocity", "angular_velocity" (of spheres) or "orientation" of these bodies, or of all in the order of their
        ids; one row of values serves all. Costs about as much as a checkpoint; contacts that stay keep their memory."""
        if self._core is None:
            raise AttributeError("bodies of a frame cannot be set")
        ids = self._chosen(ids)
        self._core.set(name, ids, rows_of(name, values, ids, 4 if name == "orientation" else 3))

    def push(self, force=None, torque=None, ids=None):
        """Pushes these bodies from now on, until it is called again, beside all else: force [N], and torque about their centres [N m], one
        row each or one for all; what is left out is zero, and without ids all bodies are meant (members of compounds go with them). Its
        work counts as that of fields; checkpoints keep it."""
        if self._core is None:
            raise AttributeError("bodies of a frame cannot be pushed")
        ids = self._chosen(ids, self._pushed)
        nothing = numpy.empty(0)
        given = (("force", force), ("torque", torque))
        self._core.push(ids, *(nothing if v is None else rows_of(name, v, ids, 3) for name, v in given))

    def within(self, region):
        """Ids of the bodies whose centres of mass are in a region, as [[remove]] names it: {"box": [[0, 0, 0], [1, 1, "5 cm"]]}, or cylinder,
        sphere, circle or plane."""
        if self._core is None:
            raise AttributeError("bodies of a frame are not looked for by regions")
        if not isinstance(region, collections.abc.Mapping):
            raise TypeError(f"a region is a dict, as {{'box': [[0, 0, 0], [1, 1, 1]]}}, not {region!r}")
        return self._core.bodies_in("\n".join(f"{key_text(key)} = {value_text(value)}" for key, value in region.items()))

    def _pushed(self):
        """Those that are no members of compounds."""
        return self.id[self.owner < 0] if "owner" in self.names() else self.id

    def _chosen(self, ids, all_of_them=None):
        if ids is None:
            return all_of_them() if all_of_them else self.id
        return whole_ids(ids)


class Stock:
    """Bodies for calls, an [[insert]] with on_call = true: what of them is not in, in the order in which they come."""

    def __init__(self, core, name):
        self._core, self.name = core, name

    @property
    def ids(self):
        return self._core.stock(self.name)[0]

    @property
    def radius(self):
        """Of spheres, else of the spheres that bound them [m]."""
        return self._core.stock(self.name)[1]

    @property
    def mass(self):
        """[kg]"""
        return self._core.stock(self.name)[2]

    def __len__(self):
        return len(self.ids)

    def __repr__(self):
        return f"<stock {self.name}: {len(self)} bodies>"


class Wall:
    """One wall of a simulation."""

    __slots__ = ("_core", "name")  # so that nothing else can be assigned

    def __init__(self, core, name):
        self._core, self.name = core, name

    @property
    def force(self):
        """What bodies press on it with [N]."""
        return self._core.wall_load(self.name)[0]

    @property
    def torque(self):
        """The same about the world's origin [N m]."""
        return self._core.wall_load(self.name)[1]

    @property
    def active(self):
        """Is it there? May be set."""
        return self._core.wall_active(self.name)

    @active.setter
    def active(self, value):
        self._core.set_wall_active(self.name, bool(value))

    @property
    def moves(self):
        """Is its motion under way?"""
        return self._core.wall_moves(self.name)

    def start(self):
        """Lets its motion begin now, where it has not begun."""
        self._core.start_wall(self.name)

    def halt(self):
        """Halts its motion for good."""
        self._core.halt_wall(self.name)

    def move(self, **motion):
        """Gives it another motion that begins where it is now: keys and values as in `motion` of a [[wall]], such as velocity, rate, axis,
        point, oscillation, table; at once, or at the time `from` (written move(**{"from": 2.0})), until `to` [s]. Without any it halts. The
        first motion of a wall that was at rest costs about as much as a checkpoint."""
        self._core.move_wall(self.name, value_text(motion or {"velocity": [0, 0, 0]}))

    @property
    def motion(self):
        """How it moves now, as a steady motion: velocity [m/s] of a point, and rate [rad/s] about an axis through it. A dict of what move()
        takes may be set, or None to halt it."""
        now = self._core.wall_pose(self.name)
        if not numpy.isfinite(now["velocity"]).all():
            raise AttributeError(f"wall {self.name} moves as a servo or its body does, and has no motion that could be told")
        rate = float(numpy.linalg.norm(now["angular_velocity"]))
        axis = now["angular_velocity"] / rate if rate > 0 else numpy.array([0.0, 0.0, 1.0])
        return {"velocity": now["velocity"], "rate": rate, "axis": axis, "point": now["point"]}

    @motion.setter
    def motion(self, value):
        if not isinstance(value, (collections.abc.Mapping, type(None))):
            raise TypeError(f"a motion is a dict of what move() takes, or None, not {value!r}")
        self.move(**(value or {}))

    @property
    def shift(self):
        """A point x of the wall as the scene has it is now at R(turn) x + shift [m]."""
        return self._core.wall_pose(self.name)["shift"]

    @property
    def turn(self):
        """The quaternion (w, x, y, z) that it is turned by."""
        return self._core.wall_pose(self.name)["turn"]

    def __repr__(self):
        return f"<wall {self.name}>"


class Joint:
    """One joint of a simulation: `force`, `torque`, `angle`, `travel`, `motor` (its effort) and `violation` as they are now, and `target`,
    what its motor follows, which may be set."""

    __slots__ = ("_core", "name")  # so that nothing else can be assigned
    _measured = ("force", "torque", "angle", "travel", "motor", "violation")

    def __init__(self, core, name):
        self._core, self.name = core, name

    @property
    def target(self):
        """What its motor asks for: an angle [rad], speed [rad/s] or torque [N m], a travel [m], velocity [m/s] or force [N], as the scene
        has it. Once set, it replaces what the scene says over time."""
        return self._core.motor_value(self.name)

    @target.setter
    def target(self, value):
        self._core.drive_motor(self.name, value)

    def __getattr__(self, name):
        if name in Joint._measured:
            return self._core.joint_load(self.name)[name]
        raise AttributeError(f"a joint has no \"{name}\"")

    def __dir__(self):
        return [*Joint._measured, *super().__dir__()]


class ByName(collections.abc.Mapping):
    def __init__(self, core, names, make, what):
        self._core, self._names, self._make, self._what = core, names, make, what

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(f"there is no {self._what} \"{name}\"; there are " + (", ".join(n for n in self._names if n) or "none with a name"))
        return self._make(self._core, name)

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __repr__(self):
        return f"<{self._what}s: {', '.join(self._names)}>"


class Bar:
    """How far simulated time has come from `begin` to `end` [s], and the wall time left, on one line of standard error."""

    def __init__(self, begin, end):
        self._begin, self._end, self._clock = begin, end, time.monotonic()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        print(file=sys.stderr)

    def show(self, now):
        share = min(max((now - self._begin) / (self._end - self._begin), 0.0), 1.0)
        left = (time.monotonic() - self._clock) * (1 - share) / share if share > 0 else 0
        line = f"\r[{'#' * round(30 * share):30}] {100 * share:5.1f} %  t = {now:.5g} s  {left:.0f} s left"
        print(f"{line:80}", end="", file=sys.stderr, flush=True)


class Simulation:
    """A simulation of a scene (a Scene, or what Scene() takes). It makes the steps of `scree run`, bit for bit.

    device: "auto", "cpu", "cuda", "cuda:1"; precision: "double" or "mixed"; threads: 0 for as many as make steps fast, results do not depend
    on it. output: a run directory, as `scree run -o` writes it, or None: nothing is written. checkpoint: what save() or a run wrote, to go
    on from. As a context manager it closes itself. One thread at a time uses it; several simulations step beside each other. Ctrl-C
    ends step() and run() with KeyboardInterrupt between two steps; they may be called again. Raises SceneError and RunError.
    """

    def __init__(self, scene, *, device="auto", precision="double", threads=0, output=None, overwrite=False, checkpoint=None):
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self.output = None if output is None else os.fspath(output)
        if self.output == "":
            raise ValueError("output is empty: name a folder, or give None")
        self._core = _core.Simulation(
            self.scene._compiled(), device, precision, threads, self.output or "", overwrite, os.fspath(checkpoint) if checkpoint is not None else ""
        )
        self._end = self.scene.end
        self.bodies = Bodies(self._core, lambda: self._core)
        self._drawn = None
        self.walls = ByName(self._core, self._core.wall_names(), Wall, "wall")
        self.joints = ByName(self._core, self._core.joint_names(), Joint, "joint")
        self.stocks = ByName(self._core, self._core.stock_names(), Stock, "stock")

    def step(self, count=1):
        """Makes steps; fewer where an event of the scene ends the run. Returns how many."""
        return self._core.step(count)

    def run(self, until=None, every=None, callback=None, progress=False):
        """Steps until this time [s], or until time.end. callback(simulation) is called every `every` seconds of simulated time; where it
        returns False the call ends. progress: a bar on standard error, which notebooks show too. Returns the number of steps made."""
        if (every is None) != (callback is None):
            raise ValueError("give every and callback together")
        if every is not None and not every > 0:
            raise ValueError("every must be above 0 s")
        end = self._end if until is None else until

        def look():
            answer = None if callback is None else callback(self)
            return answer is None or bool(answer)

        if not progress or not end > self.time:
            return self._core.run(end, every or 0.0, None if callback is None else look)
        with Bar(self.time, end) as bar:

            def look_and_tell():
                bar.show(self.time)
                return look()

            done = self._core.run(end, every or (end - self.time) / 100, look_and_tell)
            bar.show(self.time)
            return done

    def insert(self, stock=None, positions=None, *, count=None, velocities=None, angular_velocities=None, orientations=None, ids=None):
        """Puts bodies in, now: the next ones of a stock, or those with these ids, of a stock or that remove() has taken out. Returns their ids.

        positions: centres of mass [m], a row for each; without, `count` bodies (or those with the ids) come at random where there is room in
        the stock's region. velocities [m/s], angular_velocities [rad/s] and orientations (w, x, y, z, as `bodies.orientation`): a row for
        each, or one for all; without, as the scene has them for the stock, else at rest and turned as they were. All come, or none: raises
        SceneError where the stock has too few, where one would touch another body with the sphere that bounds it, or be in a wall or out of
        the domain. Checkpoints keep it."""
        if isinstance(count, bool) or (count is not None and count < 0):
            raise ValueError("count is a whole number from 0")
        if stock is not None and positions is None and count is None and ids is None:
            raise ValueError("give positions, a count or ids")
        asked = numpy.empty(0, numpy.uint32) if ids is None else whole_ids(ids)
        rows = rows_or_none("positions", positions, 3)
        if (positions is not None and len(rows) == 0) or (ids is not None and asked.size == 0) or count == 0:
            return numpy.empty(0, numpy.uint32)
        return self._core.insert(
            stock or "", asked, count or 0, rows, rows_or_none("velocities", velocities, 3), rows_or_none("angular_velocities", angular_velocities, 3),
            rows_or_none("orientations", orientations, 4),
        )  # fmt: skip

    def remove(self, ids):
        """Takes bodies out, now, compounds with their members. Of a stock they go back to it; others may be put in again by their ids. All go,
        or none: raises SceneError where one is not there, is a member of a compound, or has a name or a joint. Checkpoints keep it."""
        self._core.remove(whole_ids(ids))

    @property
    def time(self):
        """Simulated time [s]."""
        return self._core.time

    @property
    def steps(self):
        """Number of steps made since the start."""
        return self._core.step_number

    @property
    def dt(self):
        """The step [s]."""
        return self._core.dt

    @property
    def ended(self):
        """What the event says that has ended the run; empty where none has."""
        return self._core.ended

    @property
    def warnings(self):
        return self._core.warnings

    @property
    def contacts(self):
        """Contacts that touch, as a structured array: a, b (bodies; b has no meaning where wall is not -1), wall, kind, point, normal,
        overlap, force (on a), torque, area. Made anew at each look."""
        return self._core.contacts()

    def raw(self):
        """Arrays of bodies where the engine has them, without a copy and read-only:

            with sim.raw() as raw:
                heights = raw["position"][:, 2]     # in the engine's order of bodies, which raw["id"] tells

        On a GPU they are for CuPy, Numba or torch.from_dlpack. Until the block has ended and all arrays from it are gone, what would change
        the simulation raises BufferError."""
        return Raw(self._core)

    def picture(self, file=None, *, size=(800, 600), colour=""):
        """Draws bodies and walls as they are now, as `scree render` does, into a .png file; without one, returns the bytes of such a file."""
        if file is not None and os.path.splitext(os.fspath(file))[1] != ".png":
            raise ValueError(f"{os.fspath(file)}: the name of a picture ends in .png")
        picture = self._core.picture(size[0], size[1], colour)
        if file is None:
            return picture
        with open(file, "wb") as out:
            out.write(picture)

    @property
    def energies(self):
        """[J]; what was dissipated counts where the scene has a measure of kind "energy"."""
        return self._core.energies()

    @property
    def totals(self):
        """Sums over all bodies: mass, momentum, number of contacts, largest overlap and speed, …"""
        return self._core.totals()

    @property
    def measures(self):
        """What the scene's measures say now, by their columns; NaN: there is no value."""
        return dict(zip(self._core.measure_names(), self._core.measures()))

    @property
    def series(self):
        """What they said so far at their times: a pandas DataFrame, or without pandas a dict of arrays."""
        return table_of(self._core.series())

    @property
    def state_hash(self):
        """Of all body state; equal hashes mean equal bits. summary.json tells it, too."""
        return self._core.state_hash

    def save(self, path):
        """Writes a checkpoint, from which a Simulation or `scree run --restart` goes on bit for bit."""
        self._core.save(os.fspath(path))

    def close(self, interrupted=False):
        """Writes the last frame, a checkpoint and summary.json where there is an output. Steps are refused from then on. Returns how the run
        ended: "done", or why it failed. interrupted: it has not come to its end, as where an exception leaves a `with`: there is no last
        frame, and a run that goes on from the checkpoint has the frames of one that never stopped."""
        return self._core.close(interrupted)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close(interrupted=kind is not None)

    def __repr__(self):
        return f"<scree.Simulation of {self.scene.name}: t = {self.time:.6g} s, step {self.steps}, {len(self.bodies)} bodies>"

    def _repr_png_(self):
        if len(self.bodies) == 0:
            return None
        if self._drawn is None or self._drawn[0] != self._core.changes:
            self._drawn = (self._core.changes, self.picture())
        return self._drawn[1]

    def _repr_html_(self):
        totals = self.totals
        rows = {
            "time": f"{self.time:.6g} s of {self._end:.6g} s",
            "steps": self.steps,
            "bodies": totals["bodies"],
            "contacts": totals["contacts"] + totals["wall_contacts"],
            "largest overlap": f"{totals['max_overlap']:.3g}",
            "largest speed": f"{totals['max_speed']:.3g} m/s",
        }
        return html_table(f"Simulation of {self.scene.name}", rows, self._repr_png_())
