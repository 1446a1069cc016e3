"""What specialisation may know of a value.

A kind goes by exact type: a subclass of `float` or `ndarray` is an `Object`.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """Base of all kinds."""


@dataclass(frozen=True, slots=True)
class Number(Kind):
    """A Python number; `types` are names among bool, int, float, complex, exact (a `Fraction`)."""

    types: frozenset[str]


@dataclass(frozen=True, slots=True)
class NumpyScalar(Kind):
    """A NumPy scalar of a dtype class: "f8", "f4", "c16", "c8", "i" (int64), "b", "real" or "any"."""

    dtype: str


@dataclass(frozen=True, slots=True)
class RealScalar(Kind):
    """A number of Python's or a NumPy float64, as in `total = 0.0` and `total += x[i]`: "f8" for a float of
    either, "real" for one that may also be an int or a bool."""

    dtype: str


@dataclass(frozen=True, slots=True)
class Array(Kind):
    """An exact `ndarray`: dtype class and rank (None: any rank)."""

    dtype: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class NumberOrArray(Kind):
    """A Python number, NumPy scalar or array; `real` if surely not complex."""

    real: bool


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """str, or bytes (see `Bytes`)."""


@dataclass(frozen=True, slots=True)
class Bytes(Text):
    """bytes, whose items are numbers."""


@dataclass(frozen=True, slots=True)
class Nothing(Kind):
    """None, Ellipsis, slices of constants and the like: immutable and without a gradient."""


@dataclass(frozen=True, slots=True)
class OnlyNone(Nothing):
    """None itself."""


@dataclass(frozen=True, slots=True)
class Tuple(Kind):
    """A tuple; `cls` is the namedtuple's class or None."""

    items: tuple[Kind, ...]
    cls: type | None = None


@dataclass(frozen=True, slots=True)
class List(Kind):
    """A list whose elements all have a kind below `element`."""

    element: Kind


@dataclass(frozen=True, slots=True)
class Unknown(Kind):
    """Anything."""


@dataclass(frozen=True, slots=True)
class Optional(Unknown):
    """None, or a value of a kind, as it is known to be where a branch has asked: unknown as long as it has
    not."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Row(Unknown):
    """A tuple of any number of items that all have a kind below `element`. Unknown for those who do not
    ask."""

    element: Kind


@dataclass(frozen=True, slots=True, eq=False)
class OneOf(Unknown):
    """A value of one of several kinds, which are told apart when the program runs: functions, or objects of
    several classes. It is known which one it is where a branch has asked: unknown as long as it has not."""

    options: tuple[Kind, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneOf) and frozenset(other.options) == frozenset(self.options)

    def __hash__(self) -> int:
        return hash(frozenset(self.options))


@dataclass(frozen=True, slots=True)
class Dict(Kind):
    """A dict: known constant keys with their values' kinds, or (None) keys of the kind `key` with values of
    the kind `element`."""

    items: tuple[tuple[Any, Kind], ...] | None
    element: Kind
    key: Kind = Unknown()


@dataclass(frozen=True, slots=True)
class Iterator(Kind):
    """Something iterable without indexing: ranges, views of dicts, sets. (Of what shows the items of lists
    nothing else is known.)"""

    element: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Known(Kind):
    """One particular function, class or module."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and (
            other.value is self.value or _is_made_again(self.value, other.value)
        )

    def __hash__(self) -> int:
        return id(self.value.__code__ if type(self.value) is types.FunctionType else self.value)


APART: set[Any] = set()
"""Functions that are told apart from others of the same code, as they have a rule."""


def _is_made_again(a: Any, b: Any) -> bool:
    """Whether two functions come from one `def` or `lambda` and carry nothing that could differ."""
    if type(a) is not types.FunctionType or type(b) is not types.FunctionType:
        return False
    same = a.__code__ is b.__code__ and a.__globals__ is b.__globals__
    return same and not _carries(a) and not _carries(b) and a not in APART and b not in APART


def _carries(function: Any) -> bool:
    own = (function.__closure__, function.__defaults__, function.__kwdefaults__, function.__dict__)
    return any(own)


@dataclass(frozen=True, slots=True)
class Closure(Kind):
    """A function that carries captured variables (or a callable not known beforehand); `generator`: a call
    may make a generator; `foreign`: it is an installed package's, and nobody has looked at what it keeps."""

    generator: bool = False
    foreign: bool = False


Fields = tuple[tuple[str, Kind], ...]


@dataclass(frozen=True, slots=True)
class LocalFunction(Closure):
    """A function whose text is known, and that carries something: one that a program has made itself, a
    method that is bound to its object, a partial call. `function` is, or stands for, what it calls, which is
    given what is `captured`, by name, in front of what it is called with; if `partial`, by name what has no
    position. What is captured are values: the variables are never bound again."""

    function: Any = None
    captured: Fields = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Object(Kind):
    """An instance of exactly this class. `fields` are all that it may have in its own dict, by name, with the
    kinds of what they hold (`UNKNOWN` also where one may not be there); None where nothing is known."""

    cls: type
    fields: Fields | None = None


@dataclass(frozen=True, slots=True)
class Again(Object):
    """Among the fields of an object, in containers or not: another one of its class, of which the same is
    known as of that object. To others it is an object of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Member(Object):
    """An object of one of several classes whose objects hold each other, as the nodes of a tree do: of all
    objects of these classes that can be reached from it the same is known, which `family` has by their class.
    Among these fields, `Again(cls)` is an object of any of the classes of which that is known."""

    family: tuple[tuple[type, Fields], ...] = ()


@dataclass(frozen=True, slots=True)
class Itself(Object):
    """Among the fields of an object, in containers and functions or not: that very object, to which a method
    is bound that it keeps (`self.step = self.euler`). To others it is an object of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Never(Kind):
    """No value yet: the start of fixed points."""


@dataclass(frozen=True, slots=True)
class Perhaps(Unknown):
    """In a field of an object: it may not be there, and is of a kind if it is, that of a number or an array.
    To all who do not ask, nothing is known of it."""

    kind: Kind


UNKNOWN, NEVER, NOTHING, TEXT, CLOSURE = Unknown(), Never(), Nothing(), Text(), Closure()
NONE = OnlyNone()
BYTES = Bytes()
BOOL = Number(frozenset({"bool"}))
INT = Number(frozenset({"int"}))
FLOAT = Number(frozenset({"float"}))
COMPLEX = Number(frozenset({"complex"}))
EXACT = Number(frozenset({"exact"}))
NUMBER_OR_ARRAY = NumberOrArray(False)
REAL_OR_ARRAY = NumberOrArray(True)

WORTH_ASKING = (
    Number,
    NumpyScalar,
    RealScalar,
    NumberOrArray,
    Array,
    Text,
    Object,
    Tuple,
    List,
    Dict,
    Row,
    OneOf,
)
"""Kinds that are kept of what may be None as well."""

SCALARS = (Number, NumpyScalar, RealScalar)
NUMERIC = (*SCALARS, Array, NumberOrArray)
WITH_DTYPE = (NumpyScalar, Array)
MAXIMUM_DEPTH = 6
MAXIMUM_RANK = 8
MAXIMUM_ITEMS = 64
EXACT_KEYS = (TEXT, INT, BOOL, NEVER)
"""Kinds of keys without a gradient."""

FLOATING = frozenset({"f8", "f4", "c16", "c8"})
"""The dtype classes of floating and complex numbers."""

REAL_DTYPES = frozenset({"f8", "f4", "i", "b", "real"})


HOLDING_KINDS = (List, Dict, Tuple, Row, Object)
"""Kinds of what is no number."""
