"""Plain data of Python as the text of a scene file."""

import math
import os

import numpy


def quoted(text):
    """A TOML string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c) or (c if ord(c) >= 32 and ord(c) != 127 else f"\\u{ord(c):04x}") for c in text) + '"'


def is_bare(key):
    return key != "" and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)


def key_text(key):
    if not isinstance(key, str):
        raise TypeError(f"keys of a scene are text, not {key!r}")
    return key if is_bare(key) else quoted(key)


def value_text(value):
    """A value as TOML: numbers, text, paths, arrays of NumPy, lists, and dicts as inline tables; None in a dict is left out."""
    if isinstance(value, numpy.generic):
        value = value.item()
    elif isinstance(value, numpy.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        return ("-inf" if value < 0 else "inf") if math.isinf(value) else repr(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, os.PathLike):
        return quoted(os.fspath(value))
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in value.items() if v is not None) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    raise TypeError(f"a scene takes numbers, text, lists and dicts, not {type(value).__name__}: {value!r}")


def is_table_list(value):
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, dict) for v in value)


def document(data):
    """The text of a scene file, one line for each key of a table."""
    lines = [f"{key_text(k)} = {value_text(v)}" for k, v in data.items() if v is not None and not isinstance(v, dict) and not is_table_list(v)]

    def add(header, table):
        lines.extend(["", header])
        lines.extend(f"{key_text(k)} = {value_text(v)}" for k, v in table.items() if v is not None)

    for key, value in data.items():
        if is_table_list(value):
            for table in value:
                add(f"[[{key_text(key)}]]", table)
        elif isinstance(value, dict):
            plain = {k: v for k, v in value.items() if not isinstance(v, dict)}
            if plain or not value:
                add(f"[{key_text(key)}]", plain)
            for name, table in value.items():
                if isinstance(table, dict):
                    add(f"[{key_text(key)}.{key_text(name)}]", table)
    return "\n".join(lines).lstrip("\n") + "\n"
