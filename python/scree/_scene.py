"""Scenes: from a file, from text, from a dict, or made key by key. The names of keys are those of the scene file; they are checked where
the scene is used, by the same schema."""

import copy
import functools
import json
import os
import tomllib

from . import _core, _toml


@functools.cache
def keys():
    """What a scene file may hold, as nested dicts: {"time": {"type": "table", "doc": …, "keys": {…}}, …}."""
    return json.loads(_core.scene_keys())


def _help(schema, name=None):
    if name is not None:
        return _help_of(schema[name])
    return "\n".join(f"{name}: {_help_of(key)}" for name, key in schema.items())


def _help_of(key):
    text = key["doc"]
    if "words" in key:
        text += " One of: " + ", ".join(key["words"]) + "."
    return text + (f" [{key['unit']}]" if key.get("unit", "1") != "1" else "")


class Table(dict):
    """Keys of one table, as items and as attributes: `table["end"] = 2` and `table.end = 2` are the same."""

    def __init__(self, values=(), schema=None):
        super().__init__(values)
        object.__setattr__(self, "_schema", schema or {})

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self:
            return self[name]
        raise AttributeError(f"\"{name}\" is not set here" if name in self._schema else f"there is no key \"{name}\" here")

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self[name]

    def __reduce__(self):
        return Table, (dict(self), self._schema)

    def __call__(self, **values):
        """Sets several keys."""
        self.update(values)
        return self

    def __dir__(self):
        return [*self._schema, *super().__dir__()]

    def help(self, key=None):
        """What the keys mean, or one of them."""
        return _help(self._schema, key)


class Tables(list):
    """A list of tables of one kind, such as the walls."""

    def __init__(self, values, schema):
        self._schema = schema
        super().__init__(Table(v, schema) for v in values)

    def __reduce__(self):
        return Tables, (list(self), self._schema)

    def add(self, **values):
        """Appends a table with these keys, and returns it."""
        self.append(Table(values, self._schema))
        return self[-1]

    def help(self, key=None):
        """What the keys mean, or one of them."""
        return _help(self._schema, key)


class NamedTables(dict):
    """Tables by their names, such as materials."""

    def __init__(self, values, schema):
        self._schema = schema
        super().__init__({name: Table(v, schema) for name, v in values.items()})

    def __reduce__(self):
        return NamedTables, (dict(self), self._schema)

    def add(self, name, **values):
        """Adds or replaces the table of this name, and returns it."""
        self[name] = values
        return self[name]

    def __setitem__(self, name, values):
        super().__setitem__(name, Table(values, self._schema))

    def help(self, key=None):
        """What the keys mean, or one of them."""
        return _help(self._schema, key)


class Scene:
    """What is simulated.

    Scene("silo.toml"), Scene({"time": {"end": 1}, …}), Scene.from_text("…"), or Scene() and then key by key:

        scene = scree.Scene()
        scene.time.end = 2
        scene.material.add("glass", density=2500, young="50 MPa", poisson=0.25, restitution=0.6, friction=0.4)
        scene.shape.add("ball", kind="sphere", radius="5 mm")
        scene.bodies.add(shape="ball", material="glass", place={"lattice": [5, 5, 5], "spacing": "12 mm"})
        scene.wall.add(name="floor", kind="plane", point=[0, 0, 0], normal=[0, 0, 1], material="glass")

    `set` are changes as those of `scree run --set`: ["time.end=2"], or a dict {"time.end": 2}. `folder` is where relative paths in a dict or
    a text start. A file is read once: later changes to it are not seen. Raises SceneError.
    """

    def __init__(self, source=None, *, set=(), folder=".", name=None):
        self._overrides = _overrides(set)
        self._folder = os.fspath(folder)
        self._core = self._data = self._compiled_text = None
        if isinstance(source, Scene):
            self._overrides = source._overrides + self._overrides
            self._text, self._name, self._folder = source._text, source._name, source._folder
            self._data = copy.deepcopy(source.as_dict()) if source._data is not None else None
            if self._data is not None:
                self._data = self._tables_of(self._data)
        elif source is None or isinstance(source, dict):
            self._name = name or "scene"
            self._text = None
            self._data = self._tables_of(source or {})
        else:
            path = os.fspath(source)
            self._name = name or path
            self._folder = os.path.dirname(path) or "."
            self._core = _core.Scene.from_file(path, self._overrides)  # says it where the file cannot be read
            with open(path, encoding="utf-8") as file:
                self._text = file.read()
        if self._text is not None and self._core is None:
            self._compiled()

    @classmethod
    def from_text(cls, text, *, set=(), folder=".", name="scene"):
        """A scene from the text of a scene file."""
        scene = cls.__new__(cls)
        scene._overrides, scene._folder, scene._name = _overrides(set), os.fspath(folder), name
        scene._text, scene._data, scene._core, scene._compiled_text = text, None, None, None
        scene._compiled()
        return scene

    def set(self, changes=None, /, **keys):
        """A new scene with changes as those of `scree run --set`: scene.set({"time.end": 2, "wall.lid.active": [0, 1]})."""
        return Scene(self, set=_overrides(changes or ()) + _overrides(keys))

    def check(self, *, device="auto", precision="double", threads=0):
        """What `scree check` says: counts, sizes, the step, memory. Places the bodies. Raises SceneError."""
        return self._compiled().check(device, precision, threads)

    @property
    def text(self):
        """The scene file that messages count lines of."""
        return self._text if self._data is None else _toml.document(self._data)

    @property
    def resolved(self):
        """All keys that apply, in SI units, as a scene file."""
        return self._compiled().resolved

    @property
    def end(self):
        """time.end [s]."""
        return self._compiled().end

    @property
    def name(self):
        """The file, or what stands for it in messages."""
        return self._name

    def as_dict(self):
        """The tables as plain data, without what `set` changes."""
        return _plain(self._tables())

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        tables = self._tables()
        if name in tables:
            return tables[name]
        key = keys().get(name)
        if key is None:
            raise AttributeError(f"a scene has no key \"{name}\"; it has " + ", ".join(keys()))
        if "keys" not in key:
            raise AttributeError(f"\"{name}\" is not set")
        empty = [] if key["type"] == "tables" else {}
        tables[name] = self._table_of(name, empty)
        return tables[name]

    def __setattr__(self, name, value):
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    def __getitem__(self, name):
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(str(error)) from None

    def __setitem__(self, name, value):
        self._tables()[name] = self._table_of(name, value)

    def __dir__(self):
        return [*keys(), *super().__dir__()]

    def __getstate__(self):
        """Of copies, and for other processes: they check the scene anew."""
        return {**self.__dict__, "_core": None, "_compiled_text": None}

    def __repr__(self):
        return f"<scree.Scene {self._name}>"

    def _repr_html_(self):
        import html

        return f"<details><summary>scree.Scene <b>{html.escape(self._name)}</b></summary><pre>{html.escape(self.text)}</pre></details>"

    def _tables(self):
        if self._data is None:
            self._data = self._tables_of(tomllib.loads(self._text))
        return self._data

    def _tables_of(self, data):
        return {name: self._table_of(name, value) for name, value in data.items()}

    def _table_of(self, name, value):
        key = keys().get(name, {})
        if key.get("type") == "tables" and isinstance(value, (list, tuple)):
            return Tables(value, key["keys"])
        if key.get("type") == "named tables" and isinstance(value, dict):
            return NamedTables(value, key["keys"])
        if key.get("type") == "table" and isinstance(value, dict):
            return Table(value, key["keys"])
        return value

    def _compiled(self):
        """The checked scene, made anew where its tables have changed."""
        if self._data is not None:
            text = _toml.document({name: value for name, value in self._data.items() if not ("keys" in keys().get(name, {}) and len(value) == 0)})
            if self._core is None or text != self._compiled_text:
                self._core = _core.Scene.from_text(text, self._name, self._folder, self._overrides)
                self._compiled_text = text
        elif self._core is None:
            self._core = _core.Scene.from_text(self._text, self._name, self._folder, self._overrides)
        return self._core


def _plain(value):
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def _overrides(changes):
    if isinstance(changes, str):
        return [changes]
    if isinstance(changes, dict):
        return [f"{key}={_toml.value_text(value)}" for key, value in changes.items()]
    return list(changes)
