"""Which expressions may be left out where nobody reads them: they compute with arrays of real floating point
numbers, and with such numbers, what cannot fail."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from zygpy.ir.nodes import argument_list, gast, parameter_name
from zygpy.simplify.purity import path_of
from zygpy.simplify.trees import Node, assigned_name, times_bound
from zygpy.tangent.array_code import UFUNCS

Shape: TypeAlias = "tuple[Any, ...]"
"""What tells the shape of a value: () for numbers; of an array of rank 1 what its length is, less how much,
and the rank; of any other what it is the shape of, 0, and the rank."""

NUMBER: Shape = ()

TOTALS = frozenset({"sum", "mean"})
"""Functions of NumPy, and methods, that make a number of any array."""


COUNTS = {"maximum": 2, "minimum": 2, "where": 3}
"""Functions of NumPy that take so many arrays of one shape, and give one of that shape."""


class Shapes:
    """The shapes of a function's variables, as far as they can be compared.

    `ranks` are those of the variables that never hold anything but arrays, `numbers` are the variables that
    hold numbers, and `modules` the names of NumPy; `like` names variables of the shapes of others.

    >>> from zygpy.ir.nodes import quote, quote_expression
    >>> function = quote("def f(a, b):\\n    c = a[1:] - a[:-1] ** 2\\n    return c")[0]
    >>> shapes = Shapes(function, {"a": 1, "b": 1, "c": 1}, frozenset({"s"}), frozenset({"np"}))
    >>> texts = "100.0 * c ** 2 + a[1:]", "np.sum(a * a) * s", "a + b", "c + a", "a[0]", "1.0 / s", "f(a)"
    >>> [shapes.of(quote_expression(text)) is not None for text in texts]
    [True, True, False, False, False, False, False]
    """

    def __init__(
        self,
        function: Node,
        ranks: Mapping[str, int],
        numbers: frozenset[str],
        modules: frozenset[str],
        like: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        parameters = [parameter_name(parameter) for parameter in argument_list(function.args)]
        bound = times_bound(function) + Counter(parameters)
        self.modules = modules - bound.keys()
        self.known: dict[str, Shape] = dict.fromkeys(numbers, NUMBER)
        self.known.update({name: (name, 0, rank) for name, rank in ranks.items()})
        self.known.update({name: self.known[other] for name, other in like.items() if other in ranks})
        self.several = {name for name in self.known if bound[name] > 1}
        for statement in function.body:
            name = assigned_name(statement)
            if name is not None and bound[name] == 1:
                found = self.of(statement.value)
                if found is not None:
                    self.known[name] = found

    def of(self, node: Node) -> Shape | None:
        """The shape of what an expression gives; None where it may fail, or nothing is known of it."""
        match node:
            case gast.Constant(value=int() | float() as value):
                return NUMBER if type(value) is not bool and abs(value) < LARGEST else None
            case gast.Name(id=name):
                found = self.known.get(name)
                return (object(), *found[1:]) if found and name in self.several else found
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.of(operand)
            case gast.BinOp(left=left, op=op, right=right):
                return self._of_operation(left, op, right)
            case gast.Compare(
                left=left, ops=[gast.Lt() | gast.LtE() | gast.Gt() | gast.GtE()], comparators=[right]
            ):
                return self._together([left, right])
            case gast.Subscript(value=value, slice=gast.Slice() as part):
                return _of_part(self.of(value), part)
            case gast.Call(func=func, args=args, keywords=[]):
                return self._of_call(func, args)
        return None

    def _of_operation(self, left: Node, op: Node, right: Node) -> Shape | None:
        found = self._together([left, right])
        if isinstance(op, gast.Pow):
            return found if isinstance(right, gast.Constant) and found != NUMBER else None
        if isinstance(op, gast.MatMult):
            vectors = [shape for shape in (self.of(left), self.of(right)) if shape and shape[2] == 1]
            return NUMBER if found is not None and len(vectors) == 2 else None
        if isinstance(op, gast.Div):  # numbers of Python refuse to be divided by zero
            return None if found == NUMBER and not getattr(right, "value", 0) else found
        return found if isinstance(op, gast.Add | gast.Sub | gast.Mult) else None

    def _together(self, operands: list[Node]) -> Shape | None:
        """The shape that numbers and arrays of one shape have together."""
        shapes = list(map(self.of, operands))
        arrays = [shape for shape in shapes if shape != NUMBER]
        if any(shape != arrays[0] or shape is None for shape in arrays):
            return None
        return arrays[0] if arrays else NUMBER

    def _of_call(self, func: Node, args: list[Node]) -> Shape | None:
        path = path_of(func)
        if len(path) == 2 and path[0] in self.modules and args:
            found = self._together(args)
            if len(args) == COUNTS.get(path[1], 1 if path[1] in UFUNCS else 0):
                return found
            return NUMBER if found is not None and path[1] in TOTALS and len(args) == 1 else None
        if isinstance(func, gast.Attribute) and func.attr in TOTALS and not args:
            return NUMBER if self.of(func.value) else None
        return None


LARGEST = 2.0**53
"""Larger numbers may not be what arrays can be computed with."""


def _of_part(whole: Shape | None, part: Node) -> Shape | None:
    """The shape of a part of an array, given by literals; of a vector less some at its ends it is known."""
    bounds = [_literal(bound) for bound in (part.lower, part.upper, part.step)]
    if not whole or whole[2] < 1 or any(bound is math.nan for bound in bounds):
        return None
    lower, upper, step = bounds
    if step == 0:
        return None
    thing, less, rank = whole
    if rank == 1 and step in (None, 1) and (lower or 0) >= 0 and (upper is None or upper < 0):
        return thing, less + (lower or 0) - (upper or 0), rank
    return (whole, lower, upper, step), 0, rank


def _literal(bound: Node | None) -> Any:
    """The number that a bound is, None for none, nan for anything else."""
    if bound is None:
        return None
    inner = bound.operand if isinstance(bound, gast.UnaryOp) and isinstance(bound.op, gast.USub) else bound
    if not isinstance(inner, gast.Constant) or type(inner.value) is not int:
        return None if getattr(inner, "value", 0) is None else math.nan
    return inner.value if inner is bound else -inner.value
