"""The commands of an input deck of LAMMPS or LIGGGHTS, in the order in which they would be carried out: comments and continued lines taken care of, files of
`include` put in, variables put in for their names, arithmetic done. In: the path of a deck; out: Command objects with the file and line each stands in."""
import ast
import math
import operator
import re
from pathlib import Path

MOST_COMMANDS = 200000  # of all files together
MOST_INCLUDES = 20


class DeckError(Exception):
    """The deck's mistake, or what cannot be read: where, and what to change."""


class Circle(ValueError):
    """Variables that refer to each other."""


class Unknown(Exception):
    """A value that only a running simulation has."""


class Command:
    """One command: its words, and where it stands. `text` is the line as written."""

    def __init__(self, words, text, file, line):
        self.words, self.text, self.file, self.line = words, text, file, line

    def place(self):
        return f"{self.file}:{self.line}"


FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "log": math.log10, "abs": abs, "sin": math.sin, "cos": math.cos, "tan": math.tan,
             "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2, "ceil": math.ceil, "floor": math.floor, "round": round}
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: math.pow, ast.Mod: math.fmod}


def evaluate(text, variables, within=()):
    """The number that a formula of a deck is. `variables` maps names to numbers or texts; `within` are those that are being worked out. Throws Unknown, Circle, or
    ValueError with what is wrong."""
    names = {}

    def named(match):
        names[f"v{len(names)}"] = match.group(1)
        return f"v{len(names) - 1}"

    plain = re.sub(r"\bv_(\w+)", named, text.strip().strip('"')).replace("^", "**")
    try:
        tree = ast.parse(plain, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f'"{text}" is no number or formula') from None

    def value(node):
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return float(node.value)  # as decks reckon; whole numbers of any length would take any time
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return -value(node.operand) if isinstance(node.op, ast.USub) else value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and not node.keywords:
            return float(FUNCTIONS[node.func.id](*map(value, node.args)))
        if isinstance(node, ast.Name) and node.id == "PI":
            return math.pi
        if isinstance(node, ast.Name) and node.id in names:
            name = names[node.id]
            if name not in variables:
                raise ValueError(f"there is no variable {name}")
            if name in within:
                circle = [*within[within.index(name):], name]
                raise Circle(f"variable {circle[0]} refers to itself" if len(circle) == 2 else f"variables refer to each other: {', '.join(circle[:-1])} and again {name}")
            found = variables[name]
            return evaluate(found[1] if isinstance(found, tuple) else str(found), variables, (*within, name))
        raise Unknown(text)

    try:
        found = float(value(tree))
    except Circle:
        raise
    except OverflowError:
        raise ValueError(f'"{text}" is too large a number') from None
    except RecursionError:
        raise ValueError(f'"{text[:60]}": the formula is too deep') from None
    except (ArithmeticError, TypeError, ValueError) as problem:
        raise ValueError(str(problem) if '"' in str(problem) or "variable" in str(problem) else f'"{text}": {problem}') from None
    if not math.isfinite(found):
        raise ValueError(f'"{text}" is not a finite number')
    return found


def split_words(text):
    """Words of a line; those in quotes stay together. Throws ValueError where a quote does not end."""
    words, at = [], 0
    for match in re.finditer(r'\s*("""(?:.|\n)*?"""|"[^"]*"|\'[^\']*\'|[^\s"\']\S*|["\'])', text):
        word = match.group(1)
        if word in ('"', "'"):
            raise ValueError("a quote is opened and not closed")
        quoted = word[0] in "\"'"
        words.append(word.strip('"') if word.startswith('"') else word[1:-1] if quoted else word)
        at = match.end()
    if text[at:].strip():
        raise ValueError("a quote is opened and not closed")
    return words


def without_comment(text):
    """A line up to a # that is in no quotes."""
    quote = ""
    for k, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return text[:k]
    return text


class Deck:
    """Goes through a deck. `commands()` yields Command objects, with variables put in; `notes` are (command, what was done about it)."""

    def __init__(self, path):
        self.path = Path(path)
        self.variables = {}
        self.notes = []
        self._count = 0

    def commands(self):
        yield from self._of_file(self.path, 0)

    def number(self, command, word, what):
        """A word as a number; of a formula or a variable (v_NAME) its value. Throws DeckError."""
        try:
            return evaluate(word, self.variables)
        except Unknown:
            raise DeckError(f"{command.place()}: {what}: \"{word}\" is known only as a simulation runs; put a number in its place") from None
        except ValueError as problem:
            raise DeckError(f"{command.place()}: {what}: {problem}") from None

    def _of_file(self, path, depth, place=""):
        """`place`: of the `include`, as text before a message."""
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise DeckError(f"{place}{path}: cannot read it: {problem.strerror}") from None
        if b"\0" in data[:65536]:
            raise DeckError(f"{place}{path}: this is no text; give the input deck")
        lines = data.decode("utf-8", errors="replace").splitlines()
        number = 0
        while number < len(lines):
            first = number + 1
            text = lines[number].rstrip()
            number += 1
            while without_comment(text).rstrip().endswith("&"):
                if number >= len(lines):
                    raise DeckError(f"{path}:{first}: the line goes on (&), but the file ends")
                text = without_comment(text).rstrip()[:-1] + " " + lines[number].strip()
                number += 1
            plain = without_comment(text).strip()
            if not plain:
                continue
            self._count += 1
            if self._count > MOST_COMMANDS:
                raise DeckError(f"{path}:{first}: more than {MOST_COMMANDS} commands; is this an input deck?")
            place = Command([], plain, str(path), first)
            try:
                words = split_words(self._put_in(place, plain))
            except ValueError as problem:
                raise DeckError(f"{path}:{first}: {problem}") from None
            if not words:
                continue
            command = Command(words, plain, str(path), first)
            if words[0] == "variable":
                self._variable(command)
            elif words[0] == "include":
                if len(words) != 2:
                    raise DeckError(f"{command.place()}: include: expected the name of a file")
                if depth >= MOST_INCLUDES:
                    raise DeckError(f"{command.place()}: include: files include each other more than {MOST_INCLUDES} deep")
                yield from self._of_file(self.path.parent / words[1], depth + 1, f"{command.place()}: include: ")
            else:
                yield command

    def _put_in(self, command, text):
        """The line with ${name}, $x and $(formula) replaced."""
        out, at = "", 0
        while at < len(text):
            if text[at] != "$":
                out += text[at]
                at += 1
                continue
            if text[at + 1:at + 2] == "(":
                depth, end = 1, at + 2
                while end < len(text) and depth:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                if depth:
                    raise DeckError(f"{command.place()}: $( is opened and not closed")
                formula = text[at + 2:end - 1]
                form = re.fullmatch(r"(.*):%(\S+)", formula)
                value = self.number(command, form.group(1) if form else formula, "$()")
                out += f"{value:.15g}"
            elif match := re.match(r"\$\{(\w+)\}|\$(\w)", text[at:]):
                name = match.group(1) or match.group(2)
                if name not in self.variables:
                    raise DeckError(f"{command.place()}: there is no variable {name}; define it before with `variable {name} ...`")
                value = self.variables[name]
                try:
                    out += f"{evaluate(value[1], self.variables, (name,)):.15g}" if isinstance(value, tuple) else str(value)
                except Circle as problem:
                    raise DeckError(f"{command.place()}: {problem}") from None
                except ValueError as problem:
                    raise DeckError(f"{command.place()}: variable {name}: {problem}") from None
                except Unknown:
                    raise DeckError(f"{command.place()}: variable {name} ({value[1]}) has a value only as a simulation runs; put a number in its place") from None
                end = at + match.end()
            else:
                raise DeckError(f"{command.place()}: $ without a name: write ${{name}}")
            at = end
        return out

    def _variable(self, command):
        words = command.words
        if len(words) < 3:
            raise DeckError(f"{command.place()}: variable: expected a name, a style and a value")
        name, style, values = words[1], words[2], words[3:]
        if style in ("equal", "internal") and values:
            self.variables[name] = Formula(" ".join(values))
        elif style in ("string", "getenv") and values:
            self.variables[name] = values[0]
        elif style in ("index", "world", "universe", "uloop") and values:
            if name not in self.variables:
                self.variables[name] = values[0]
            if len(values) > 1:
                self.notes.append((command, f"only the first value of variable {name}, {values[0]}, is used: make a scene for each other one"))
        elif style == "loop" and values:
            first = values[0] if len(values) > 1 and values[1] != "pad" else "1"
            self.variables[name] = first
            self.notes.append((command, f"what is repeated over variable {name} is done once, with {first}"))
        elif style in ("atom", "vector", "file", "atomfile", "format", "python", "timer"):
            self.notes.append((command, f"variable {name} of style {style} has values only as a simulation runs: what uses it is left out"))
        elif style != "delete":
            raise DeckError(f"{command.place()}: variable: there is no style \"{style}\" with {len(values)} values")


class Formula(tuple):
    """A formula that is worked out where it is used."""

    def __new__(cls, text):
        return super().__new__(cls, ("formula", text))

    def __str__(self):
        return f"({self[1]})"
