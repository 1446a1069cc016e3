"""What a generated program knows of its values: enough to write only expressions that make sense.

Two invariants hold whenever a statement begins, so that programs do not fail: a list has at least two items,
and a dict has the keys "a" and "b" (and perhaps "c"). Lists of more than six items are not made longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Float:
    """A number, of Python or NumPy."""


@dataclass(frozen=True)
class Array:
    """An array of a shape."""

    shape: tuple[int, ...]


@dataclass(frozen=True)
class List:
    """A list of things of one kind."""

    of: Kind


@dataclass(frozen=True)
class Dict:
    """A dict with text as keys and things of one kind."""

    of: Kind


@dataclass(frozen=True)
class Tuple:
    """A tuple, item by item."""

    of: tuple[Kind, ...]


@dataclass(frozen=True)
class Named:
    """A named tuple `Both(x, y)` of a number and an array."""


@dataclass(frozen=True)
class Texts:
    """A set of "a", "b" and "c"."""


@dataclass(frozen=True)
class Object:
    """An object of a generated class or of one of its subclasses."""

    name: str


@dataclass(frozen=True)
class Stream:
    """A generator; one that is `endless` gives as many items as are asked for, one that `takes` has been
    asked for its first item and takes numbers."""

    of: Kind
    endless: bool = False
    takes: bool = False


@dataclass(frozen=True)
class Function:
    """Something to call; one that `raises` may be called only where its exception is caught, one that is
    `flexible` takes numbers in any way: by position, by the names q and k and others, and unpacked."""

    takes: tuple[Kind, ...]
    gives: Kind
    raises: bool = False
    flexible: bool = False


Kind: TypeAlias = Float | Array | List | Dict | Tuple | Named | Texts | Object | Stream | Function

FLOAT = Float()
UNARY = Function((FLOAT,), FLOAT)
VECTOR, PAIR, FOUR = Array((3,)), Array((2,)), Array((4,))
MATRIX, TALL, SQUARE = Array((2, 3)), Array((3, 2)), Array((2, 2))
ARRAYS = (VECTOR, PAIR, FOUR, MATRIX, TALL, SQUARE)
FLOATS, TABLE, ROWS = List(FLOAT), Dict(FLOAT), List(VECTOR)
NESTED, ARRAY_TABLE = List(FLOATS), Dict(VECTOR)
NAMED, TEXTS = Named(), Texts()
MIXED = Tuple((FLOAT, VECTOR))
PAIRED = Tuple((FLOATS, FLOAT))
CONTAINERS = (FLOATS, TABLE, ROWS, NESTED, ARRAY_TABLE, MIXED, PAIRED, NAMED, Dict(FLOATS))
