"""TOML files of people: tables whose keys are checked one by one, with the line and column of each for messages.

Python's reader keeps no places, so `places_of` finds them by a scan of the lines; what stands in an inline table has the place of the key before it.
"""
import difflib
import math
import re
import tomllib
from pathlib import Path

from scree_run import Problem

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")


def _parts(dotted):
    return [part.strip("\"'") for part in re.findall(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""", dotted)]


def _depth_after(line, depth, quotes):
    """(depth of brackets, quotes of a text over several lines that is open) at the end of a line."""
    at = 0
    while at < len(line):
        if quotes:
            end = line.find(quotes, at)
            if end < 0:
                return depth, quotes
            at, quotes = end + 3, ""
        elif line.startswith(('"""', "'''"), at):
            quotes, at = line[at:at + 3], at + 3
        elif line[at] in "\"'":
            found = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'').match(line, at)
            at = found.end() if found else len(line)
        elif line[at] == "#":
            break
        else:
            depth += (line[at] in "[{") - (line[at] in "]}")
            at += 1
    return depth, quotes


def places_of(text):
    """(line, column) of each table and key by its path: a tuple of names, and of numbers from 0 where tables stand in a list."""
    places, counts, at, depth, quotes = {}, {}, (), 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if depth == 0 and not quotes:
            header, key = _HEADER.match(line), _KEY.match(line)
            if header and not key:
                names, at = _parts(header[2]), ()
                for k, name in enumerate(names):
                    at += (name,)
                    if header[1] == "[[" and k == len(names) - 1:
                        counts[at] = counts.get(at, -1) + 1
                    if at in counts:
                        at += (counts[at],)
                places.setdefault(at, (number, line.index("[") + 1))
                continue
            if key:
                column, path = len(line) - len(line.lstrip()) + 1, at
                for name in _parts(key[1]):
                    path += (name,)
                    places.setdefault(path, (number, column))
                line = line[key.end():]
        depth, quotes = _depth_after(line, depth, quotes)
    return places


class Table:
    """A table of a file, whose keys are taken one by one; `finish` refuses those that nobody took. All methods throw Problem with the place."""

    def __init__(self, file, places, path, values):
        self.file, self._places, self._path, self.values = file, places, path, values
        self._taken = set()

    def place(self, *key):
        """FILE:LINE:COLUMN of a key, or of the nearest table around it."""
        path = self._path + key
        while path and path not in self._places:
            path = path[:-1]
        line, column = self._places.get(path, (1, 1))
        return f"{self.file}:{line}:{column}"

    def problem(self, text, *key):
        return Problem(f"{self.place(*key)}: {text}")

    def has(self, key):
        return key in self.values

    def raw(self, key, default=None):
        self._taken.add(key)
        return self.values.get(key, default)

    def _take(self, key, default, wanted, good):
        value = self.raw(key)
        if key not in self.values:
            if default is _REQUIRED:
                raise self.problem(f"{self.name()} needs {key} = {wanted}")
            return default
        if not good(value):
            raise self.problem(f"{key} = {shown_value(value)}: {wanted} is wanted", key)
        return value

    def name(self):
        """What the file calls it."""
        names = [part for part in self._path if not isinstance(part, int)]
        if not names:
            return "the file"
        return f"[[{'.'.join(names)}]]" if self._path and isinstance(self._path[-1], int) else f"[{'.'.join(names)}]"

    def text(self, key, default=None, required=False):
        return self._take(key, _REQUIRED if required else default, "text, such as \"a\"", lambda value: isinstance(value, str) and value)

    def boolean(self, key, default=False):
        return self._take(key, default, "true or false", lambda value: isinstance(value, bool))

    def word(self, key, words, default=None):
        value = self.text(key, default, required=default is None)
        if value not in words:
            raise self.problem(f"{key} = \"{value}\": one of {', '.join(words)} is wanted{near(value, words)}", key)
        return value

    def number(self, key, default=None, required=False, above=-math.inf):
        wanted = "a number" if above == -math.inf else f"a number above {above:g}"
        value = self._take(key, _REQUIRED if required else default, wanted, lambda value: is_number(value) and value > above)
        return None if value is None else float(value)

    def integer(self, key, default=None, required=False, least=0):
        return self._take(key, _REQUIRED if required else default, f"a whole number of at least {least}",
                          lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least)

    def pair(self, key, default=None, required=False):
        """Two numbers, the first below the second."""
        value = self._take(key, _REQUIRED if required else default, "[least, largest], two numbers, the first below the second,",
                           lambda value: isinstance(value, list) and len(value) == 2 and all(map(is_number, value)) and value[0] < value[1])
        return value if value is None else [float(value[0]), float(value[1])]

    def vector(self, key, size, default=None, required=False):
        value = self._take(key, _REQUIRED if required else default, f"{size} numbers", lambda value: isinstance(value, list) and len(value) == size and all(map(is_number, value)))
        return value if value is None else [float(one) for one in value]

    def texts(self, key, default=()):
        """A list of texts; one text stands for a list of it."""
        value = self._take(key, list(default), "a list of texts, such as [\"a\", \"b\"]",
                           lambda value: isinstance(value, str) and value or isinstance(value, list) and all(isinstance(one, str) and one for one in value))
        return [value] if isinstance(value, str) else value

    def table(self, key):
        """The table of this key, an empty one where there is none."""
        value = self._take(key, {}, f"a table [{key}]", lambda value: isinstance(value, dict))
        return Table(self.file, self._places, (*self._path, key), value)

    def tables(self, key, required=True):
        if required and key not in self.values:
            raise self.problem(f"{self.name()} needs a table [[{key}]], or several")
        value = self._take(key, [], f"a table [[{key}]], or several,", lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value))
        return [Table(self.file, self._places, (*self._path, key, k), one) for k, one in enumerate(value)]

    def finish(self):
        """Refuses keys that nobody asked for."""
        for key in self.values:
            if key not in self._taken:
                raise self.problem(f"unknown key \"{key}\" in {self.name()}{near(key, self._taken)}", key)


_REQUIRED = object()


def near(word, words):
    """"; did you mean ...?" where one of the words is near."""
    found = difflib.get_close_matches(word, [str(one) for one in words], n=1, cutoff=0.6)
    return f"; did you mean \"{found[0]}\"?" if found else ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def shown_value(value):
    """A value as a TOML file has it: what `--set` takes. Throws ValueError of values that have no such form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(shown_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key if re.fullmatch(r'[A-Za-z0-9_-]+', key) else shown_value(key)} = {shown_value(one)}" for key, one in value.items()) + "}"
    return str(value)


def read_toml(path):
    """The file as a Table. Throws Problem with line and column where it is none."""
    path = Path(path)
    if not path.is_file():
        raise Problem(f"{path}: there is no such file")
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        found = re.search(r"^(.*?) \(at line (\d+), column (\d+)\)$", str(problem))
        if found:
            raise Problem(f"{path}:{found[2]}:{found[3]}: {found[1][0].lower()}{found[1][1:]}") from None
        raise Problem(f"{path}:{len(text.splitlines()) or 1}:1: {str(problem).removesuffix(' (at end of document)')}, at the end of the file") from None
    except UnicodeDecodeError:
        raise Problem(f"{path}: this is no text in UTF-8") from None
    return Table(path, places_of(text), (), values)
