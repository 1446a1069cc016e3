"""Bands: which entries of a vector the entries of a result depend on, read off a tangent function.

Code without branches and loops that works element by element, on a vector and on slices of it, gives a
Jacobian with few diagonals: entry `j` of the result depends on the entries from `j + low` to `j + high` of
the argument alone. Directions that are so far apart that no entry of the result depends on two of them can be
taken as one, so that there are as many as the band is wide, however long the vector is (A. R. Curtis,
M. J. D. Powell and J. K. Reid, "On the estimation of sparse Jacobian matrices", 1974).

The lengths of vectors are known as differences to that of the argument. Whatever is not known here has no
bands, which costs time alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from zygpy.runtime import derivatives
from zygpy.runtime.tangents import in_form_each


class Unbanded(Exception):
    """Something of which no bands are known."""


class Number(NamedTuple):
    """A number, the same for every direction."""


class Count(NamedTuple):
    """How many directions there are."""


class Vector(NamedTuple):
    """A vector that is by so much shorter than the argument."""

    shorter: int


class Shape(NamedTuple):
    """The shape of such a vector."""

    shorter: int


class Band(NamedTuple):
    """Tangents of such a vector; with `high < low` they are zero."""

    shorter: int
    low: int
    high: int


NOTHING = (1, 0)
"""The bounds of no diagonals."""


@dataclass
class _Reading:
    """The reading of one function: what the variables hold, and how much shorter the shortest vector is."""

    resolve: Callable[[str], Any]
    held: dict[str, Any]
    shortest: int = field(default=0)

    def statement(self, node: ast.stmt) -> None:
        """Read a statement that is not the last."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.held[name] = self.value(value)
            case (
                ast.Assign(targets=[ast.Subscript() as part], value=value)
                | ast.AugAssign(target=ast.Subscript() as part, op=ast.Add() | ast.Sub(), value=value)
            ):
                self.stored(part, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                self.held[name] = self.combined(op, self.value(ast.Name(name)), self.value(value))
            case ast.Expr(value=value):
                self.value(value)
            case _:
                raise Unbanded

    def stored(self, part: ast.Subscript, value: Any) -> None:
        """Read what is stored in a part of a vector, or added to it."""
        if not isinstance(part.value, ast.Name):
            raise Unbanded
        name, old = part.value.id, self.value(part.value)
        picked, start = self.picked(old, part.slice)
        if isinstance(value, Number) and isinstance(old, Vector):
            return
        if type(value) is not type(old) or value.shorter != picked.shorter:
            raise Unbanded
        if isinstance(old, Band):
            moved = _moved(value, -start)
            self.held[name] = Band(old.shorter, *_hull(old[1:], moved[1:]))

    def value(self, node: Any) -> Any:
        """What an expression gives."""
        match node:
            case ast.Constant(value=number) if type(number) in (int, float):
                return Number()
            case ast.Name(id=name):
                return self.held[name] if name in self.held else self.constant(node)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self.numeric(self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combined(op, self.value(left), self.value(right))
            case ast.Subscript(value=value, slice=index):
                return self.item(self.value(value), index)
            case ast.Call(func=func, args=args):
                return self.called(self.found(func), args, node.keywords)
        return self.attribute(node)

    def attribute(self, node: Any) -> Any:
        """What an attribute gives, if the expression is one."""
        match node:
            case ast.Attribute(value=value, attr="shape"):
                return self.shape(self.value(value))
            case ast.Attribute():
                return self.constant(node)
        raise Unbanded

    def constant(self, node: Any) -> Number:
        """What is no variable of the function, if it is a number."""
        if type(self.found(node)) in (int, float):
            return Number()
        raise Unbanded

    def found(self, node: Any) -> Any:
        """What a path of names refers to outside."""
        match node:
            case ast.Name(id=name) if name not in self.held:
                return self.resolve(name)
            case ast.Attribute(value=value, attr=name):
                return getattr(self.found(value), name, None)
        raise Unbanded

    def numeric(self, value: Any) -> Any:
        """The value, if it can be computed with."""
        if isinstance(value, Number | Vector | Band):
            return value
        raise Unbanded

    def shape(self, value: Any) -> Shape:
        """The shape of a vector."""
        if isinstance(value, Vector):
            return Shape(value.shorter)
        raise Unbanded

    def combined(self, op: Any, left: Any, right: Any) -> Any:
        """What an operation on two operands gives."""
        if not isinstance(op, ARITHMETIC):
            raise Unbanded
        if not (isinstance(left, Band) or isinstance(right, Band)):
            return self.aligned([left, right])
        linear = isinstance(op, ast.Mult) or (isinstance(op, ast.Div) and isinstance(left, Band))
        if linear:
            return self.aligned([left, right])
        if isinstance(op, ast.Add | ast.Sub) and isinstance(left, Band) and isinstance(right, Band):
            if left.shorter != right.shorter:
                raise Unbanded
            return Band(left.shorter, *_hull(left[1:], right[1:]))
        raise Unbanded

    def aligned(self, values: Sequence[Any]) -> Any:
        """What is computed of these element by element, the tangents among them not with each other."""
        lengths = {self.numeric(value).shorter for value in values if not isinstance(value, Number)}
        bands = [value for value in values if isinstance(value, Band)]
        if len(lengths) > 1 or len(bands) > 1:
            raise Unbanded
        return bands[0] if bands else Vector(lengths.pop()) if lengths else Number()

    def item(self, value: Any, index: Any) -> Any:
        """An item, or a part, of a vector."""
        if isinstance(value, Vector) and type(_whole(index)) is int:
            return Number()
        return self.picked(value, index)[0]

    def picked(self, value: Any, index: Any) -> tuple[Any, int]:
        """The part of a vector, or of its tangents, that a slice picks, and where that starts."""
        if isinstance(value, Band):
            match index:
                case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), ast.Slice() as index]):
                    pass
                case _:
                    raise Unbanded
        if not isinstance(value, Vector | Band) or not isinstance(index, ast.Slice) or index.step is not None:
            raise Unbanded
        start = 0 if index.lower is None else _whole(index.lower)
        stop = 0 if index.upper is None else _whole(index.upper)
        if start is None or start < 0 or stop is None or stop > 0 or (stop == 0 and index.upper is not None):
            raise Unbanded
        shorter = value.shorter + start - stop
        self.shortest = max(self.shortest, shorter)
        if isinstance(value, Vector):
            return Vector(shorter), start
        return Band(shorter, *_moved(value, start)[1:]), start

    def called(self, function: Any, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Any:
        """What a function gives."""
        if function in (np.zeros, np.empty, np.ones, np.full) and not keywords:
            return self.made(function, args)
        if any(isinstance(arg, ast.Starred) for arg in args):
            raise Unbanded
        if function is np.shape and len(args) == 1 and not keywords:
            return self.shape(self.value(args[0]))
        values = [self.value(arg) for arg in args]
        if (
            function in (np.sum, np.mean)
            and len(values) == 1
            and isinstance(values[0], Vector)
            and not keywords
        ):
            return Number()
        if function is in_form_each and len(values) == 3 and not keywords:
            return self.aligned([part for part in values if not isinstance(part, Count)])
        values += [self.value(keyword.value) for keyword in keywords]
        bands = [value for value in values if isinstance(value, Band)]
        if function in LINEAR and (not bands or isinstance(values[0], Band)):
            return self.aligned(values)
        if _is_elementwise(function) and not bands and not keywords and len(values) == function.nin:
            return self.aligned(values)
        raise Unbanded

    def made(self, function: Any, args: Sequence[ast.expr]) -> Any:
        """A new array."""
        match args[0]:
            case ast.Tuple(elts=[ast.Name(id=count), ast.Starred(value=shape)]) if function is np.zeros:
                if not isinstance(self.held.get(count), Count):
                    raise Unbanded
                found = self.value(shape)
                return Band(self.shorter_of(found), *NOTHING)
        made = Vector(self.shorter_of(self.value(args[0])))
        for filling in args[1:2] if function is np.full else ():
            if not isinstance(self.value(filling), Number):
                raise Unbanded
        return made

    def shorter_of(self, value: Any) -> int:
        """By how much what has a shape is shorter than the argument."""
        if isinstance(value, Shape):
            return value.shorter
        raise Unbanded


LINEAR = frozenset(
    {
        *(derivatives.times, derivatives.divided, derivatives.power_base, derivatives.power_exponent),
        *(derivatives.picked, derivatives.passed_over, derivatives.clipped_low, derivatives.clipped_high),
        derivatives.divisor_cotangent,
    }
)
"""Helpers that work element by element, are linear in what they are given first, and make new arrays."""

ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow
"""Operators that work element by element."""


def _is_elementwise(function: Any) -> bool:
    """Whether a function of NumPy gives one array, whose entries come of the entries at the same place."""
    return isinstance(function, np.ufunc) and function.signature is None and function.nout == 1


def _whole(node: Any) -> int | None:
    """A whole number that is spelled out; None of anything else."""
    match node:
        case ast.Constant(value=number) if type(number) is int:
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)) if type(number) is int:
            return -number
    return None


def _hull(one: Sequence[int], other: Sequence[int]) -> tuple[int, int]:
    """The least bounds that hold both.

    >>> _hull((0, 1), (-1, 0)), _hull(NOTHING, (2, 3))
    ((-1, 1), (2, 3))
    """
    if tuple(one) == NOTHING or tuple(other) == NOTHING:
        low, high = one if tuple(other) == NOTHING else other
        return low, high
    return min(one[0], other[0]), max(one[1], other[1])


def _moved(band: Band, by: int) -> Band:
    """Tangents whose entries are found so much earlier than before."""
    if band[1:] == NOTHING:
        return band
    return Band(band.shorter, band.low + by, band.high + by)


class Bands(NamedTuple):
    """The bands of what a tangent function returns, None where it returns none, and how long the argument has
    to be for that."""

    result: Any
    least: int


def bands_of(source: str, start: Mapping[str, Any], resolve: Callable[[str], Any]) -> Bands | None:
    """The bands of a tangent function of several directions, or None; `start` is what the parameters are, and
    `resolve` what other names refer to.

    >>> text = "def f(x, x_dot, n):\\n    return x[1:] * x[:-1], x_dot[:, 1:] * x[:-1] + x_dot[:, :-1]"
    >>> start = {"x": Vector(0), "x_dot": Band(0, 0, 0), "n": Count()}
    >>> bands_of(text, start, vars(np).get)
    Bands(result=Band(shorter=1, low=0, high=1), least=3)
    """
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    *body, last = function.body
    own = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _is_stored(node)}
    own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    reading = _Reading(lambda name: None if name in own else resolve(name), dict(start))
    if _may_share(function):
        return None
    try:
        for statement in body:
            reading.statement(statement)
        match last:
            case ast.Return(value=ast.Tuple(elts=[_, dots])):
                result = _returned(reading, dots)
                return Bands(result, reading.shortest + 2)
    except Unbanded:
        pass
    return None


def _is_stored(node: ast.Name | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def _may_share(function: ast.FunctionDef) -> bool:
    """Whether what is written into may be reached by another name too, or was given."""
    written = {arg.arg for arg in function.args.args} & _written_into(function)
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Subscript() as value):
                written |= {name, _root(value)} & _written_into(function)
    return bool(written)


def _written_into(function: ast.FunctionDef) -> set[str]:
    """The variables whose arrays are written into, or may be."""
    parts = {
        _root(node) for node in ast.walk(function) if isinstance(node, ast.Subscript) and _is_stored(node)
    }
    return parts | {_root(node.target) for node in ast.walk(function) if isinstance(node, ast.AugAssign)}


def _root(node: ast.expr) -> str:
    """The variable in front of an index."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _returned(reading: _Reading, dots: ast.expr) -> Any:
    match dots:
        case ast.Tuple(elts=items):
            return tuple([_returned(reading, item) for item in items])
        case ast.Constant(value=None):
            return None
    found = reading.value(dots)
    return found if isinstance(found, Band) else None
