"""Formulas that people write in files: numbers, names, + - * / ** and the functions below, and nothing else of Python."""
import ast
import math
import operator

import numpy as np

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos}
_FUNCTIONS = {"sqrt": np.sqrt, "exp": np.exp, "log": np.log, "log10": np.log10, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
              "atan": np.arctan, "atan2": np.arctan2, "abs": np.abs, "min": np.minimum, "max": np.maximum, "degrees": np.degrees, "radians": np.radians}
CONSTANTS = {"pi": np.float64(math.pi)}
FUNCTIONS = sorted(_FUNCTIONS)


class FormulaError(ValueError):
    """What is wrong with a formula."""


def _dotted(node):
    """"a.b.c" of a name with parts; None of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        front = _dotted(node.value)
        return front and f"{front}.{node.attr}"
    return None


class Formula:
    """A formula over names, which may have parts (`stress.xy`). Values may be numbers or arrays of one length. Throws FormulaError."""

    def __init__(self, text):
        self.text = text
        if len(text) > 1000:
            raise FormulaError("this formula is longer than 1000 characters")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            raise FormulaError(f"\"{text}\" is no formula") from None
        self.names = []
        try:
            self._check(self._tree)
        except RecursionError:
            raise FormulaError("this formula is nested too deep") from None

    def _check(self, node):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
                raise FormulaError(f"{node.value!r} in \"{self.text}\" is no number")
        elif isinstance(node, (ast.Name, ast.Attribute)):
            name = _dotted(node)
            if name is None:
                raise FormulaError(f"\"{self.text}\": what stands before a point has to be a name")
            if name not in CONSTANTS and name not in self.names:
                self.names.append(name)
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            self._check(node.left)
            self._check(node.right)
        elif isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            self._check(node.operand)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id not in _FUNCTIONS:
                raise FormulaError(f"\"{self.text}\": there is no function {node.func.id}; there are {', '.join(FUNCTIONS)}")
            wanted = 2 if node.func.id in ("min", "max", "atan2") else 1
            if len(node.args) != wanted:
                raise FormulaError(f"\"{self.text}\": {node.func.id} takes {wanted} value{'s' * (wanted > 1)}")
            for one in node.args:
                self._check(one)
        else:
            raise FormulaError(f"\"{self.text}\": a formula has numbers, names, + - * / ** and {', '.join(FUNCTIONS)}")

    def value(self, values):
        """Of the names' values. Divisions by 0, roots of what is below 0 and the like are nan or inf."""
        with np.errstate(all="ignore"):
            try:
                return self._value(self._tree, values)
            except (OverflowError, ZeroDivisionError):
                return math.nan

    def _value(self, node, values):
        if isinstance(node, ast.Constant):
            return np.float64(node.value)  # whose powers are never complex
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = _dotted(node)
            if name in CONSTANTS:
                return CONSTANTS[name]
            value = values[name]
            return value if isinstance(value, np.ndarray) else np.float64(value)
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](self._value(node.left, values), self._value(node.right, values))
        if isinstance(node, ast.UnaryOp):
            return _OPERATORS[type(node.op)](self._value(node.operand, values))
        return _FUNCTIONS[node.func.id](*(self._value(one, values) for one in node.args))
