"""Kinds: what specialisation knows of a value, and how two kinds join.

A kind goes by exact type: a subclass of `float` or `ndarray` is an `Object`.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from zygpy import codes
from zygpy.ir.classes import (
    HEAP_TYPE,
    INERT,
    PLAIN_ARRAY,
    UNLIKE,
    carries_values,
    computes,
    is_foreign,
    is_generated,
    is_plain_module_class,
    is_record_class,
    makes_generators,
)
from zygpy.marks import is_marked


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
class Never(Kind):
    """No value yet: the start of fixed points."""


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
_WITH_DTYPE = (NumpyScalar, Array)
MAXIMUM_DEPTH = 6
MAXIMUM_RANK = 8
MAXIMUM_ITEMS = 64

_NUMBERS: dict[type, Kind] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, Fraction: EXACT}
_CHARACTERS = {"f8": "f8", "f4": "f4", "c16": "c16", "c8": "c8", "i8": "i", "b1": "b"}
EXACT_KEYS = (TEXT, INT, BOOL, NEVER)
"""Kinds of keys without a gradient."""

FLOATING = frozenset({"f8", "f4", "c16", "c8"})
"""The dtype classes of floating and complex numbers."""

_REAL = frozenset({"f8", "f4", "i", "b", "real"})


def dtype_class(dtype: np.dtype[Any]) -> str | None:
    """The class of a dtype, or None where no gradient could flow (strings, objects, dates).

    >>> dtype_class(np.dtype(np.float32)), dtype_class(np.dtype(np.int16)), dtype_class(np.dtype("U3"))
    ('f4', 'real', None)
    """
    name = _CHARACTERS.get(dtype.str[1:])
    if name is not None:
        return name
    return {"f": "real", "i": "real", "u": "real", "c": "any"}.get(dtype.kind)


ObjectKind = Callable[[Sequence[Any], int], Kind]
"""Gives the kind of objects of one class, or of a function that carries something, at a depth inside a
value."""


def object_kind(values: Sequence[Any], depth: int) -> Object:
    """The kind of objects of which the class alone is of interest."""
    return Object(type(values[0]))


def kind_of(value: Any, depth: int = 0, of_object: ObjectKind = object_kind) -> Kind:
    """The kind of a live value.

    >>> kind_of(1.5) == FLOAT, kind_of((1, np.ones(2)))
    (True, Tuple(items=(Number(types=frozenset({'int'})), Array(dtype='f8', rank=1)), cls=None))
    """
    cls = type(value)
    number = _NUMBERS.get(cls)
    if number is not None:
        return number
    if value is None:
        return NONE
    if cls is np.ndarray:
        name = dtype_class(value.dtype)
        return Object(cls) if name is None else Array(name, value.ndim)
    if isinstance(value, np.generic) and cls.__module__ == "numpy":
        name = dtype_class(value.dtype)
        if name is None:
            return Object(cls) if cls is np.void else BYTES if cls is np.bytes_ else TEXT
        return NumpyScalar(name)
    return _kind_of_other(value, cls, depth, of_object)


_CALLABLES = (
    np.ufunc,
    types.BuiltinFunctionType,
    types.ModuleType,
    type(np.sum),
)


_EMPTY: dict[Any, Any] = {}
DICT_VIEWS = (type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))


class Absent:
    """Stands where there is no value, and nobody reads one."""


ABSENT = Absent()


def _kind_of_other(value: Any, cls: type, depth: int, of_object: ObjectKind) -> Kind:
    if value is ABSENT:
        return NEVER
    if value is Ellipsis or cls is slice or is_marked(cls, INERT):
        return NOTHING
    if is_marked(cls, PLAIN_ARRAY) or cls is np.memmap:
        return kind_of(value.view(np.ndarray))
    if cls is str or cls is bytes:
        return TEXT if cls is str else BYTES
    if cls in (tuple, list, dict) or (issubclass(cls, tuple) and is_record_class(cls)):
        return _kind_of_container(value, cls, depth, of_object)
    if cls is range:
        return Iterator(INT)
    if cls in DICT_VIEWS:
        return Iterator(UNKNOWN)
    found = _kind_of_callable(value, cls)
    told = found is not None and (type(found) is not Closure or of_object is object_kind)
    return found if found is not None and told else of_object((value,), depth)


def _kind_of_callable(value: Any, cls: type) -> Kind | None:
    if cls is types.FunctionType:
        known = is_generated(value) or not carries_values(value)
        return Known(value) if known else Closure(makes_generators(value), is_foreign(value))
    if isinstance(value, type):
        return None if computes(cls) else Known(value)
    if isinstance(value, types.ModuleType) and not is_plain_module_class(cls):
        return None
    if isinstance(value, _CALLABLES):
        bound = getattr(value, "__self__", None)
        if bound is None or bound is value.__class__:
            return Known(value)
    if isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, types.ModuleType):
        return Known(value)
    return Closure(makes_generators(value)) if isinstance(value, types.MethodType) else None


def _kind_of_container(value: Any, cls: type, depth: int, of_object: ObjectKind) -> Kind:
    if depth >= MAXIMUM_DEPTH:
        return UNKNOWN
    inside = Inside(depth + 1, of_object)
    if cls is list:
        return List(inside.kind_of_items(value))
    if cls is dict:
        if len(value) > MAXIMUM_ITEMS or not all(type(key) is str for key in value):
            keys = exact(Inside(depth + 1, object_kind).kind_of_items(list(value)))
            return Dict(None, inside.kind_of_items(list(value.values())), keys)
        items = tuple((key, kind_of(item, depth + 1, of_object)) for key, item in value.items())
        return Dict(items, join_all(kind for _, kind in items))
    named = None if cls is tuple else cls
    if len(value) > MAXIMUM_ITEMS:
        return _kind_of_many(value, named, inside)
    return Tuple(tuple(kind_of(item, depth + 1, of_object) for item in value), named)


def _kind_of_many(value: tuple[Any, ...], named: type | None, inside: Inside) -> Kind:
    """The kind of a long tuple: its items have one kind that holds them all.

    >>> kind_of((1, 2.5) * 50) == Row(join(INT, FLOAT)), kind_of((1, "a") * 50)
    (True, Unknown())
    """
    item = inside.kind_of_items(value)
    if named is None:
        return row_of(item)
    return Tuple((item,) * len(value), named) if isinstance(item, NUMERIC) else UNKNOWN


def row_of(element: Kind) -> Kind:
    """The kind of a tuple of any number of items of a kind.

    >>> row_of(FLOAT), row_of(UNKNOWN)
    (Row(element=Number(types=frozenset({'float'}))), Unknown())
    """
    return UNKNOWN if may_be_anything(element) else Row(element)


def as_row(kind: Kind) -> Kind:
    """The kind of the tuples of any number of items to which those of a kind belong."""
    return row_of(join_all(kind.items)) if isinstance(kind, Tuple) and kind.cls is None else kind


PLAIN = (np.generic, str, bytes, types.NoneType)
"""Types, beside those of numbers, that tell the kinds of their values."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What is told of things at a depth inside a container."""

    depth: int
    of_object: ObjectKind

    def kind_of_items(self, values: Sequence[Any]) -> Kind:
        """The kind that holds all of some values; of very many, which are looked at no longer than it takes
        to tell them apart: by their types, the items of all of them at once, column by column.

        >>> inside = Inside(1, object_kind)
        >>> inside.kind_of_items([np.ones(2)] * 100)
        Array(dtype='f8', rank=1)
        >>> rows = [[1, 2.5]] * 100
        >>> inside.kind_of_items(rows) == List(join(INT, FLOAT)), inside.kind_of_items([1, "a"] * 50)
        (True, Unknown())
        >>> pairs = [{"x": 1.0, "n": 2}] * 100
        >>> inside.kind_of_items(pairs) == inside.kind_of_items(pairs[:3])
        True
        """
        if len(values) <= MAXIMUM_ITEMS:
            return join_all(kind_of(value, self.depth, self.of_object) for value in values)
        types_of_values = set(map(type, values))
        if types_of_values <= _NUMBERS.keys():
            return join_all(map(_NUMBERS.__getitem__, types_of_values))
        if len(types_of_values) > MAXIMUM_ITEMS:
            return UNKNOWN
        if len(types_of_values) == 1:
            return self._kind_of_alike(type(values[0]), values)
        apart = ([value for value in values if type(value) is cls] for cls in types_of_values)
        return join_all(self._kind_of_alike(type(found[0]), found) for found in apart)

    def _kind_of_alike(self, cls: type, values: Sequence[Any]) -> Kind:
        """The kind of values of one class."""
        if len(values) <= MAXIMUM_ITEMS or cls in _NUMBERS or issubclass(cls, PLAIN):
            return self.kind_of_items(values[:MAXIMUM_ITEMS])
        if cls is np.ndarray:
            examples = {(array.dtype, array.ndim): array for array in values}
            return UNKNOWN if len(examples) > MAXIMUM_ITEMS else self.kind_of_items(list(examples.values()))
        if cls in (list, dict, tuple) or (issubclass(cls, tuple) and is_record_class(cls)):
            return self._kind_of_rows(cls, values) if self.depth < MAXIMUM_DEPTH else UNKNOWN
        return self._kind_of_objects(cls, values)

    def _kind_of_objects(self, cls: type, values: Sequence[Any]) -> Kind:
        """The kind of many values of one class, of objects each of which is looked at once."""
        example = kind_of(values[0], self.depth)
        if not (isinstance(example, Object | Nothing) and cls.__flags__ & HEAP_TYPE):
            return UNKNOWN
        if isinstance(example, Nothing):
            return example
        return self.of_object(list({id(value): value for value in values}.values()), self.depth)

    def _kind_of_rows(self, cls: type, rows: Sequence[Any]) -> Kind:
        """The kind of many containers of one class."""
        inside = Inside(self.depth + 1, self.of_object)
        if cls is list:
            return List(inside.kind_of_items(list(chain.from_iterable(rows))))
        if cls is dict:
            return inside._kind_of_dicts(rows)
        if len(set(map(len, rows))) > 1 or len(rows[0]) > MAXIMUM_ITEMS:
            plain = cls is tuple
            return row_of(inside.kind_of_items(list(chain.from_iterable(rows)))) if plain else UNKNOWN
        columns = (list(map(operator.itemgetter(place), rows)) for place in range(len(rows[0])))
        return Tuple(tuple(map(inside.kind_of_items, columns)), None if cls is tuple else cls)

    def _kind_of_dicts(self, rows: Sequence[dict[Any, Any]]) -> Kind:
        """The kind of many dicts, which tell their items if all have the same keys."""
        names = tuple(rows[0])
        if (
            len(set(map(tuple, rows))) > 1
            or len(names) > MAXIMUM_ITEMS
            or not all(type(name) is str for name in names)
        ):
            keys = exact(Inside(self.depth, object_kind).kind_of_items(list(chain.from_iterable(rows))))
            return Dict(None, self.kind_of_items(list(chain.from_iterable(map(dict.values, rows)))), keys)
        columns = tuple(
            [(name, self.kind_of_items(list(map(operator.itemgetter(name), rows)))) for name in names]
        )
        return Dict(columns, join_all(kind for _, kind in columns))


def join_all(kinds: Any) -> Kind:
    """The join of any number of kinds; NEVER if there are none."""
    result: Kind = NEVER
    for kind in kinds:
        result = join(result, kind)
    return result


def join(a: Kind, b: Kind) -> Kind:
    """The least kind that holds the values of both.

    >>> join(INT, FLOAT) == Number(frozenset({"int", "float"})), join(INT, Array("f8", 1))
    (True, NumberOrArray(real=True))
    >>> join(FLOAT, NumpyScalar("f8"))
    RealScalar(dtype='f8')
    """
    if a is b or a == b or isinstance(b, Never):
        return a
    if isinstance(a, Never):
        return b
    if isinstance(a, NUMERIC) and isinstance(b, NUMERIC):
        return _join_numeric(a, b)
    return _join_different(a, b)


_NONE_OR_ELSE, _TUPLES = (Optional, OnlyNone), (Tuple, Row)


def _join_different(a: Kind, b: Kind) -> Kind:
    """The same of kinds that are not the same, and of which not both are numeric."""
    if isinstance(a, Nothing) and isinstance(b, Nothing):
        return NOTHING
    if isinstance(a, _NONE_OR_ELSE) or isinstance(b, _NONE_OR_ELSE):
        return _join_optional(a, b)
    if isinstance(a, _TUPLES) and isinstance(b, _TUPLES):
        return _join_tuples(a, b)
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return _join_options(a, b)
    if isinstance(a, Object) and isinstance(b, Object) and type(a) is not type(b):
        a, b = as_object(a), as_object(b)
    if isinstance(a, Closure) and isinstance(b, Closure) and type(a) is not type(b):
        a, b = as_closure(a), as_closure(b)
    joined = _join_same(a, b) if type(a) is type(b) else UNKNOWN
    return _join_options(a, b) if type(joined) in (Unknown, Closure) else joined


def options_of(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of which a value of a kind is one.

    >>> options_of(FLOAT) == (FLOAT,), len(options_of(join(Known(len), Known(abs))))
    (True, 2)
    """
    return kind.options if isinstance(kind, OneOf) else (kind,)


def _join_options(a: Kind, b: Kind) -> Kind:
    """The kind of what is one of several functions, or an object of one of several classes.

    >>> join(Known(len), join(Known(abs), Known(len))) == join(Known(abs), Known(len))
    True
    >>> join(Known(len), FLOAT), join(Known(len), CLOSURE), join(Known(len), Known(types))
    (Unknown(), Unknown(), Unknown())
    """
    found: dict[Any, Kind] = {}
    for kind in (*options_of(a), *options_of(b)):
        what = told_by(kind)
        if what is None:
            break
        key = what if type(what) is tuple else id(what)
        known = found.get(key)
        found[key] = kind if known is None else _join_same_option(known, kind)
    else:
        if len(found) <= MAXIMUM_OPTIONS and not any(isinstance(one, Unknown) for one in found.values()):
            kinds = tuple(found.values())
            return kinds[0] if len(kinds) == 1 else OneOf(kinds)
    functions = all(isinstance(kind, Closure) for kind in (*options_of(a), *options_of(b)))
    return CLOSURE if functions else UNKNOWN


def _join_same_option(a: Kind, b: Kind) -> Kind:
    """The kind that holds what is told by the same; unknown where it is not the same nevertheless."""
    if a == b:
        return a
    joined = _join_same(a, b) if type(a) is type(b) else UNKNOWN
    return joined if isinstance(joined, Object | LocalFunction) else UNKNOWN


def told_by(kind: Kind) -> Any:
    """By what a value of a kind is known when the program runs: the class of an object, the code of a
    function, what else is called itself; None where that does not tell what it is."""
    if isinstance(kind, Object):
        return kind.cls if kind.fields is not None or type(kind) is Again else None
    if isinstance(kind, LocalFunction):
        return codes.told_by(kind.function)
    if not isinstance(kind, Known) or isinstance(kind.value, types.ModuleType):
        return None
    function = kind.value
    if type(function) is not types.FunctionType:
        return None if isinstance(function, type) and issubclass(function, CALLED) else function
    ours = is_generated(function) or str(function.__module__).startswith("zygpy.")
    return None if ours or makes_generators(function) else codes.told_by(function)


CALLED = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial, np.ufunc)
"""Classes of what is called itself: where one of these is called, its objects may be called there, too."""


def told_by_itself(what: Any) -> Any:
    """By what is known what something is, of which a class, or a function, is named."""
    return codes.told_by(what) if type(what) is types.FunctionType else what


def is_same(told: Any, other: Any) -> bool:
    """Whether what tells two things is the same."""
    return told is other or (type(told) is tuple and told == other)


MAXIMUM_OPTIONS = 12
"""Of so many kinds at most it is known that a value has one of them."""


def with_options(kind: OneOf | Optional, known: Callable[[Kind], Kind]) -> Kind:
    """The kind of what is one of several, or may be None, with what is `known` of each that it may be; the
    very same if that is what it says itself."""
    if isinstance(kind, Optional):
        something = known(kind.kind)
        return kind if something is kind.kind else join(NONE, something)
    options = [known(option) for option in kind.options]
    same = all(new is old for new, old in zip(options, kind.options, strict=True))
    return kind if same else join_all(options)


def _join_tuples(a: Tuple | Row, b: Tuple | Row) -> Kind:
    """The kind of what is one of two tuples, which may have different lengths.

    >>> join(Row(INT), Tuple((FLOAT,))) == join(Tuple((INT,)), Tuple((INT, FLOAT))), join(Row(INT), FLOAT)
    (True, Unknown())
    """
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        if a.cls is not b.cls:
            return UNKNOWN
        return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), a.cls)
    elements = [row.element for row in (as_row(a), as_row(b)) if isinstance(row, Row)]
    return row_of(join(*elements)) if len(elements) == 2 else UNKNOWN


def _join_optional(a: Kind, b: Kind) -> Kind:
    """The kind of what may be None, and is of a kind that tells what it is otherwise.

    >>> join(NONE, FLOAT) == join(FLOAT, join(FLOAT, NONE)) == Optional(FLOAT), join(NONE, CLOSURE)
    (True, Unknown())
    """
    something = [kind.kind if isinstance(kind, Optional) else kind for kind in (a, b) if kind != NONE]
    joined = join_all(something)
    return Optional(joined) if isinstance(joined, WORTH_ASKING) else UNKNOWN


def something(kind: Kind) -> Kind:
    """The kind of what a value is if it is not None.

    >>> something(Optional(FLOAT)) == FLOAT == something(FLOAT)
    True
    """
    return kind.kind if isinstance(kind, Optional) else kind


def _join_numeric(a: Kind, b: Kind) -> Kind:
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.types | b.types)
    if isinstance(a, Array) and isinstance(b, Array):
        return Array(join_dtype(a.dtype, b.dtype), a.rank if a.rank == b.rank else None)
    if isinstance(a, NumpyScalar) and isinstance(b, NumpyScalar):
        return NumpyScalar(join_dtype(a.dtype, b.dtype))
    if is_real_scalar(a) and is_real_scalar(b):
        return RealScalar("f8" if is_double(a) and is_double(b) else "real")
    return NumberOrArray(is_real(a) and is_real(b))


def is_double(kind: Kind) -> bool:
    """Whether a kind holds floats of Python and NumPy's float64 only."""
    return kind in (FLOAT, NumpyScalar("f8"), RealScalar("f8"))


def is_real_scalar(kind: Kind) -> bool:
    """Whether a `RealScalar` holds the values of a kind."""
    if isinstance(kind, Number):
        return kind.types <= {"bool", "int", "float"}
    return isinstance(kind, RealScalar) or kind == NumpyScalar("f8")


def join_dtype(a: str, b: str) -> str:
    """The class that holds both dtype classes."""
    if a == b:
        return a
    return "real" if a in _REAL and b in _REAL else "any"


def _join_same(a: Kind, b: Kind) -> Kind:
    if isinstance(a, List) and isinstance(b, List):
        return List(join(a.element, b.element))
    if isinstance(a, Dict) and isinstance(b, Dict):
        return Dict(None, join(a.element, b.element), join(keys_of(a), keys_of(b)))
    if isinstance(a, Iterator) and isinstance(b, Iterator):
        return Iterator(join(a.element, b.element))
    if isinstance(a, Object) and isinstance(b, Object) and a.cls is b.cls:
        return join_objects(a, b)
    if isinstance(a, LocalFunction) and isinstance(b, LocalFunction):
        return _join_local_functions(a, b)
    if isinstance(a, Closure) and isinstance(b, Closure):
        return Closure(True, a.foreign or b.foreign)
    return UNKNOWN


def _join_local_functions(a: LocalFunction, b: LocalFunction) -> Closure:
    kinds = dict(b.captured)
    if a.function is not b.function or a.partial is not b.partial or [*dict(a.captured)] != [*kinds]:
        return CLOSURE
    return replace(a, captured=tuple([(name, join(kind, kinds[name])) for name, kind in a.captured]))


def as_closure(kind: Kind) -> Kind:
    """A function that a program has made, as any function that captured something."""
    return CLOSURE if isinstance(kind, LocalFunction) else kind


def join_fields(a: Fields | None, b: Fields | None) -> Fields | None:
    """The fields of an object that is one of two: what only one of them has may be missing."""
    if a is None or b is None:
        return None
    left, right = dict(a), dict(b)
    names = sorted({*left, *right})
    return tuple([(name, join(left.get(name, UNKNOWN), right.get(name, UNKNOWN))) for name in names])


def as_object(kind: Object) -> Object:
    """The kind of an object, where nothing is known of the one in whose fields it is."""
    return Object(kind.cls) if type(kind) is Again else kind


def join_objects(a: Object, b: Object) -> Object:
    """The kind that holds the objects of two kinds of one class: where one of them says more of the objects
    in its fields than that they are as it is itself, the other one does so as well.

    >>> class Node: pass
    >>> end = Object(Node, (("next", NONE),))
    >>> several = folded(Object(Node, (("next", join(end, NONE)),)))
    >>> several == Object(Node, (("next", Optional(Again(Node))),)), join_objects(end, several) == several
    (True, True)
    """
    if a.fields is None or b.fields is None:
        return Object(a.cls)
    if holds_its_own(a) or holds_its_own(b):
        fields = join_fields(*[(kind if holds_its_own(kind) else unfolded(kind)).fields for kind in (a, b)])
        return settled(Object(a.cls, fields))
    return Object(a.cls, join_fields(a.fields, b.fields))


def replaced_objects(kind: Kind, cls: type, known: Callable[[Object], Kind]) -> Kind:
    """A kind with what is `known` in place of the objects of a class in it, in containers or not; the very
    same if that is what it says itself. What is in the fields of objects stays as it is."""
    if isinstance(kind, Object):
        return known(kind) if kind.cls is cls else kind
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: replaced_objects(option, cls, known))
    if isinstance(kind, List | Iterator | Row):
        element = replaced_objects(kind.element, cls, known)
        if element is kind.element:
            return kind
        return row_of(element) if isinstance(kind, Row) else type(kind)(element)
    if isinstance(kind, Tuple):
        items = tuple([replaced_objects(item, cls, known) for item in kind.items])
        return kind if all(map(operator.is_, items, kind.items)) else Tuple(items, kind.cls)
    return _replaced_in_dict(kind, cls, known) if isinstance(kind, Dict) else kind


def _replaced_in_dict(kind: Dict, cls: type, known: Callable[[Object], Kind]) -> Dict:
    element = replaced_objects(kind.element, cls, known)
    if kind.items is None:
        return kind if element is kind.element else Dict(None, element, kind.key)
    items = tuple([(key, replaced_objects(item, cls, known)) for key, item in kind.items])
    same = all(new[1] is old[1] for new, old in zip(items, kind.items, strict=True))
    return kind if same and element is kind.element else Dict(items, element)


def with_own(kind: Object, known: Callable[[Object], Kind]) -> Object:
    """The kind of an object with what is `known` in place of the objects of its class in its fields; the very
    same if that is what it says itself."""
    fields = () if kind.fields is None or is_marked(kind.cls, UNLIKE) else kind.fields
    found = tuple([(name, replaced_objects(item, kind.cls, known)) for name, item in fields])
    same = all(new[1] is old[1] for new, old in zip(found, fields, strict=True))
    return kind if same else Object(kind.cls, found)


def holds_its_own(kind: Object) -> bool:
    """Whether the fields of an object tell what is known of objects of its class in them."""
    return bool(_own_objects(kind))


def is_again(kind: Object) -> bool:
    """Whether there are objects in the fields of an object that are known to be as it is itself.

    >>> is_again(Object(int, (("next", Again(int)),))), is_again(Object(int, (("next", Object(int)),)))
    (True, False)
    """
    return with_own(kind, lambda own: NEVER if type(own) is Again else own) is not kind


def _own_objects(kind: Object) -> list[Object]:
    found: list[Object] = []

    def noted(own: Object) -> Kind:
        if own.fields is not None:
            found.append(own)
        return own

    with_own(kind, noted)
    return found


def unfolded(kind: Object) -> Object:
    """The kind of an object that tells of the objects in its fields what it is known that they are."""
    return with_own(kind, lambda own: kind if type(own) is Again else own)


def folded(kind: Object) -> Object:
    """The kind of an object, and of those of its class that it holds, which says the same of all of them."""
    own = [folded(one) for one in _own_objects(kind)]
    if not own:
        return kind
    result = with_own(kind, lambda one: one if one.fields is None else Again(kind.cls))
    for one in own:
        result = Object(kind.cls, join_fields(result.fields, one.fields))
    return result


def settled(kind: Object) -> Object:
    """The kind of an object whose fields tell of objects of its class in them, as short as that can be told:
    these say the same of all that they hold themselves."""
    if is_again(kind):
        return folded(kind)
    kind = with_own(kind, lambda own: own if own.fields is None else folded(own))
    for own in _own_objects(kind):
        if unfolded(own) == kind:
            return own
    return kind


def keys_of(kind: Dict) -> Kind:
    """The kind of the keys of a dict.

    >>> keys_of(kind_of({"a": 1.0})) == TEXT, keys_of(kind_of({1: 2.0})) == INT, keys_of(kind_of({}))
    (True, True, Never())
    """
    if kind.items is None:
        return kind.key
    return TEXT if kind.items else NEVER


def exact(kind: Kind) -> Kind:
    """The kind of a key of which nothing could have a gradient, or run code; else unknown."""
    if isinstance(kind, Tuple) and kind.cls is None:
        return kind if all(exact(item) == item for item in kind.items) else UNKNOWN
    return kind if kind in EXACT_KEYS else UNKNOWN


def with_any_content(kind: Kind) -> Kind:
    """The same kind of container with anything in it.

    >>> with_any_content(Dict((("k", FLOAT),), FLOAT)), with_any_content(FLOAT) == FLOAT
    (Dict(items=None, element=Unknown(), key=Unknown()), True)
    """
    if isinstance(kind, List | Iterator):
        return type(kind)(UNKNOWN)
    if isinstance(kind, Dict):
        return Dict(None, UNKNOWN)
    if isinstance(kind, Tuple):
        return Tuple(tuple(with_any_content(item) for item in kind.items), kind.cls)
    return kind


def carrying(function: Any, captured: Fields, *, partial: bool = False) -> LocalFunction:
    """The kind of a function that carries something. What functions carry in their turn is known as long as
    none of them carries another one of the same text, and they do not lie too deep in each other, so that
    functions which call themselves with ever new ones know few kinds of them."""
    known = tuple([(name, _carried(kind, (function,))) for name, kind in captured])
    return LocalFunction(False, False, function, known, partial)


def _carried(kind: Kind, around: tuple[Any, ...]) -> Kind:
    """The kind of what is carried by functions that lie in each other."""
    if isinstance(kind, LocalFunction):
        if kind.function in around or len(around) >= MAXIMUM_CARRIED:
            return CLOSURE
        return with_captured(kind, lambda item: _carried(item, (*around, kind.function)))
    if isinstance(kind, Tuple):
        return Tuple(tuple([_carried(item, around) for item in kind.items]), kind.cls)
    if isinstance(kind, List | Iterator):
        return type(kind)(_carried(kind.element, around))
    if isinstance(kind, Row):
        return row_of(_carried(kind.element, around))
    if isinstance(kind, Object) and kind.fields:
        return Object(kind.cls, tuple([(name, _carried(item, around)) for name, item in kind.fields]))
    if isinstance(kind, OneOf):
        return with_options(kind, lambda option: _carried(option, around))
    return _carried_dict(kind, around) if isinstance(kind, Dict) else kind


def _carried_dict(kind: Dict, around: tuple[Any, ...]) -> Dict:
    element = _carried(kind.element, around)
    if kind.items is None:
        return Dict(None, element, kind.key)
    return Dict(tuple([(key, _carried(item, around)) for key, item in kind.items]), element)


def without_local_functions(kind: Kind) -> Kind:
    """The kind of a value, of which it is not known what functions are, or carry.

    >>> without_local_functions(List(carrying(len, (("c", FLOAT),)))) == List(CLOSURE)
    True
    """
    return _carried(kind, (None,) * MAXIMUM_CARRIED)


MAXIMUM_CARRIED = 3
"""How deep functions lie in each other of which is known what they carry."""


def with_captured(kind: LocalFunction, known: Callable[[Kind], Kind]) -> LocalFunction:
    """The kind of a function with what is `known` of the kinds that it has captured; the very same if that
    is what it says itself."""
    captured = tuple([(name, known(item)) for name, item in kind.captured])
    same = all(new[1] is old[1] for new, old in zip(captured, kind.captured, strict=True))
    return kind if same else replace(kind, captured=captured)


HOLDING_KINDS = (List, Dict, Tuple, Row, Object)
"""Kinds of what is no number."""


def are_apart(a: Kind, b: Kind) -> bool:
    """Whether nothing is of both kinds, as one is that of numbers, and the other one of things with something
    in them.

    >>> are_apart(FLOAT, List(FLOAT)), are_apart(FLOAT, INT), are_apart(FLOAT, UNKNOWN)
    (True, False, False)
    """
    return any(map(is_scalar, (a, b))) and (isinstance(a, HOLDING_KINDS) or isinstance(b, HOLDING_KINDS))


def may_lie_in(kind: Kind, holder: Kind) -> bool:
    """Whether a list, a dict or an object of a kind may be a value of another kind, or lie in it.

    >>> may_lie_in(List(FLOAT), List(FLOAT)), may_lie_in(List(FLOAT), Tuple((FLOAT, TEXT)))
    (True, False)
    """
    if not isinstance(kind, List | Dict | Object):
        return True
    if isinstance(holder, List | Dict | Object):
        same = type(holder) is type(kind) and getattr(holder, "cls", None) is getattr(kind, "cls", None)
        return same or _may_lie_inside(kind, holder)
    if isinstance(holder, Tuple | Row | Optional):
        return _may_lie_inside(kind, holder)
    return not isinstance(holder, (*NUMERIC, Text, Nothing))


def _may_lie_inside(kind: Kind, holder: Kind) -> bool:
    """Whether such a value may lie in one of another kind."""
    if isinstance(holder, Object):
        return holder.fields is None or any(may_lie_in(kind, item) for _, item in holder.fields)
    if isinstance(holder, Tuple):
        return any(may_lie_in(kind, item) for item in holder.items)
    if isinstance(holder, Dict):
        return may_lie_in(kind, holder.element) or may_lie_in(kind, keys_of(holder))
    if isinstance(holder, List | Row):
        return may_lie_in(kind, holder.element)
    return not isinstance(holder, Optional) or may_lie_in(kind, holder.kind)


def is_empty(kind: Kind) -> bool:
    """Whether a container of this kind, or one in it, is empty now: nothing is known of what it may hold."""
    if isinstance(kind, List | Iterator):
        return isinstance(kind.element, Never) or is_empty(kind.element)
    if isinstance(kind, Dict):
        return isinstance(kind.element, Never) or any(is_empty(item) for _, item in kind.items or ())
    return isinstance(kind, Tuple) and any(map(is_empty, kind.items))


_NESTED: frozenset[type[Kind]] = frozenset(
    {Tuple, List, Dict, Iterator, Object, Optional, OneOf, Row, LocalFunction}
)
"""Kinds in which there are others, which may be nested too deep."""


def widen(kind: Kind, depth: int = 0) -> Kind:
    """The same kind with containers nested deeper than `MAXIMUM_DEPTH`, and ranks above `MAXIMUM_RANK`,
    forgotten: there are only so many of them, however often a function calls itself."""
    if depth >= MAXIMUM_DEPTH:
        return UNKNOWN
    if type(kind) not in _NESTED:
        if isinstance(kind, Array) and (kind.rank or 0) > MAXIMUM_RANK:
            return Array(kind.dtype, None)
        return kind
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: widen(option, depth))
    if isinstance(kind, (List, Iterator, Row)):
        element = widen(kind.element, depth + 1)
        if isinstance(kind, Row) and element is not kind.element:
            return row_of(element)
        return kind if element is kind.element else type(kind)(element)
    return _widened_items(kind, depth)


def _widened_items(kind: Kind, depth: int) -> Kind:
    """The same of what knows its items one by one."""
    if isinstance(kind, Tuple):
        items = tuple([widen(item, depth + 1) for item in kind.items])
        same = all(map(operator.is_, items, kind.items))
        return kind if same else Tuple(items, kind.cls)
    if isinstance(kind, Object) and kind.fields:
        fields = tuple([(name, widen(field, depth + 1)) for name, field in kind.fields])
        same = all(new[1] is old[1] for new, old in zip(fields, kind.fields, strict=True))
        return kind if same else Object(kind.cls, fields)
    if isinstance(kind, LocalFunction):
        return with_captured(kind, lambda item: widen(item, depth + 1))
    return _widened_dict(kind, depth) if isinstance(kind, Dict) else kind


def _widened_dict(kind: Dict, depth: int) -> Dict:
    element = widen(kind.element, depth + 1)
    if kind.items is None:
        key = widen(kind.key, depth + 1)
        return kind if element is kind.element and key is kind.key else Dict(None, element, key)
    items = tuple([(name, widen(item, depth + 1)) for name, item in kind.items])
    same = all(new[1] is old[1] for new, old in zip(items, kind.items, strict=True))
    return kind if same and element is kind.element else Dict(items, element)


def is_real(kind: Kind) -> bool:
    """Whether a numeric kind is surely not complex."""
    if isinstance(kind, Number):
        return "complex" not in kind.types
    if isinstance(kind, _WITH_DTYPE):
        return kind.dtype in _REAL
    return isinstance(kind, RealScalar) or (isinstance(kind, NumberOrArray) and kind.real)


def is_scalar(kind: Kind) -> bool:
    """Whether a kind is a Python number or a NumPy scalar: immutable, of rank 0."""
    return isinstance(kind, SCALARS)


def is_floating_scalar(kind: Kind) -> bool:
    """Whether a kind is a Python float or a NumPy scalar with a point.

    >>> is_floating_scalar(FLOAT), is_floating_scalar(NumpyScalar("i"))
    (True, False)
    """
    return is_double(kind) or kind == NumpyScalar("f4")


def is_exact(kind: Kind) -> bool:
    """Whether a number may be a `Fraction`."""
    return isinstance(kind, Number) and "exact" in kind.types


def is_boolean(kind: Kind) -> bool:
    """Whether a kind holds truth values only."""
    return kind == BOOL if isinstance(kind, Number) else isinstance(kind, _WITH_DTYPE) and kind.dtype == "b"


def is_whole(kind: Kind) -> bool:
    """Whether a kind holds integers and truth values only."""
    if isinstance(kind, Number):
        return kind.types <= {"int", "bool"}
    return isinstance(kind, _WITH_DTYPE) and kind.dtype in ("i", "b")


def is_floating(kind: Kind) -> bool:
    """Whether a kind holds floating and complex numbers only.

    >>> is_floating(Array("f8", 1)), is_floating(INT), is_floating(UNKNOWN)
    (True, False, False)
    """
    if isinstance(kind, Number):
        return kind.types <= {"float", "complex"}
    return isinstance(kind, NumpyScalar | Array | RealScalar) and kind.dtype in FLOATING


def may_be_object(kind: Kind) -> bool:
    """Whether a value may be an object whose class says what its items, or its length, are.

    >>> may_be_object(UNKNOWN), may_be_object(Row(FLOAT)), may_be_object(List(FLOAT))
    (True, False, False)
    """
    return isinstance(kind, Object) or may_be_anything(kind)


def may_be_anything(kind: Kind) -> bool:
    """Whether not even the class of a value is known.

    >>> may_be_anything(UNKNOWN), may_be_anything(Optional(FLOAT)), may_be_anything(Row(FLOAT))
    (True, True, False)
    """
    return isinstance(kind, Unknown) and not isinstance(kind, Row)


def is_numeric(kind: Kind) -> bool:
    """Whether a kind is a number, NumPy scalar or array of numbers."""
    return isinstance(kind, NUMERIC)


def is_number(value: Any) -> bool:
    """Whether a value is a number, NumPy scalar or array of numbers; containers are not looked through.

    >>> is_number(1.5), is_number(np.ones(2)), is_number([1.5])
    (True, True, False)
    """
    return type(value) not in _CONTAINERS and is_numeric(kind_of(value))


_CONTAINERS = frozenset({list, tuple, dict})


_WITHOUT_GRADIENT: frozenset[type[Kind]] = frozenset({Text, Nothing, OnlyNone, Known, Never})
_WITH_GRADIENT: frozenset[type[Kind]] = frozenset(
    {Unknown, Optional, Object, Again, Closure, LocalFunction, NumberOrArray}
)


def carries_gradient(kind: Kind) -> bool:
    """Whether a value of this kind can have a gradient at all."""
    cls = type(kind)
    if cls in _WITH_GRADIENT:
        return True
    if cls in _WITHOUT_GRADIENT:
        return False
    if isinstance(kind, Tuple):
        return kind.cls is not None or any(carries_gradient(item) for item in kind.items)
    if isinstance(kind, Dict) and kind.items is not None:
        return any(carries_gradient(item) for _, item in kind.items)
    if isinstance(kind, OneOf):
        return any(map(carries_gradient, kind.options))
    if isinstance(kind, _WITH_ELEMENTS):
        return isinstance(kind.element, Never) or carries_gradient(kind.element)
    return not is_boolean(kind)


def may_hold_functions(kind: Kind) -> bool:
    """Whether a value of this kind may be a function, or a container with one in it.

    >>> may_hold_functions(List(FLOAT)), may_hold_functions(Tuple((FLOAT, UNKNOWN)))
    (False, True)
    """
    if isinstance(kind, Tuple):
        return any(may_hold_functions(item) for item in kind.items)
    if isinstance(kind, List | Iterator | Row):
        return may_hold_functions(kind.element)
    return not is_numeric(kind)


_WITH_ELEMENTS = (List, Dict, Iterator, Row)
_MUTABLE: frozenset[type[Kind]] = frozenset(
    {Array, NumberOrArray, List, Dict, Object, Again, Unknown, Optional, Closure, LocalFunction, Iterator}
)


def is_mutable(kind: Kind) -> bool:
    """Whether a value of this kind, or something inside it, may be written in place."""
    if isinstance(kind, Row):
        return is_mutable(kind.element)
    if isinstance(kind, OneOf):
        return any(map(is_mutable, kind.options))
    return type(kind) in _MUTABLE or (isinstance(kind, Tuple) and any(map(is_mutable, kind.items)))


def rank_of(kind: Kind) -> int | None:
    """The rank of a numeric kind, or None where it is not known."""
    if is_scalar(kind):
        return 0
    return kind.rank if isinstance(kind, Array) else None
