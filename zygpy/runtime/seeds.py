"""What is given as a seed, or as a direction, in the form of the value that it belongs to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from zygpy.errors import CotangentShapeError
from zygpy.runtime.accumulate import KEYS, RE_ITERABLE
from zygpy.runtime.cells import cells_of
from zygpy.runtime.generators import Generator
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.project import NUMBERS
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.shown import shown_dict
from zygpy.runtime.store import carried_by
from zygpy.runtime.zeros import has_partner


class Words(NamedTuple):
    """How a message calls what is given, and the value that it belongs to."""

    given: str
    value: str
    kind: str


SEED = Words("seed", "result", "cotangent")
DIRECTION = Words("direction", "argument", "tangent")


def as_direction(x: Any, v: Any) -> Any:
    """A tangent of an argument in the form of that, as `as_seed` has it.

    >>> as_direction({"a": 1.0, "b": [2.0]}, {"b": [1]})
    {'b': [1.0]}
    """
    return _formed(x, v, DIRECTION)


def as_directions(args: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
    """The tangents of all arguments, for each one.

    Raises TypeError if there are more or fewer.
    """
    if len(tangents) != len(args):
        raise TypeError(f"{len(tangents)} tangents are given for {len(args)} arguments")
    return [as_direction(arg, tangent) for arg, tangent in zip(args, tangents, strict=True)]


def as_seed(like: Any, value: Any) -> Any:
    """A seed in the form that the cotangent of `like` has: numbers and arrays of floating point of the same
    precision, real ones for what is real; dicts for objects. None is zero everywhere.

    >>> as_seed(np.ones(2), [1, 2]), as_seed((1.0, 2.0), (None, 3))
    (array([1., 2.]), (None, 3.0))
    >>> as_seed({"a": np.ones(2)}, {"a": np.ones(3)})
    Traceback (most recent call last):
    zygpy.errors.CotangentShapeError: the seed has shape (3,), but the result has shape (2,)
    Why: a cotangent has the shape of the value that it belongs to
    Instead: pass an array of shape (2,)
    """
    return _formed(like, value, SEED)


def _formed(y: Any, y_bar: Any, words: Words) -> Any:
    if y_bar is None or isinstance(y, WITHOUT):
        return None
    if is_alike(y, y_bar):
        return y_bar
    y, y_bar = shown_dict(y), shown_dict(y_bar)
    for classes, seed_of in FORMS:
        if isinstance(y, classes):
            return seed_of(y, y_bar, words)
    return (_of_function if is_function_like(type(y)) else _of_object)(y, y_bar, words)


def _of_object(y: Any, y_bar: Any, words: Words) -> Any:
    """The seeds of the fields of an object."""
    if isinstance(y_bar, Record) or (isinstance(y_bar, Mapping) and type(y_bar) is not type(y)):
        return _entries(y, y_bar, words, dict(fields_of(y)))
    for test, fields_for in GIVEN_AS_ARRAYS:
        if test(y):
            return fields_for(y, y_bar, words)
    if words is DIRECTION and has_partner(y) and type(y_bar) is not type(y):
        raise of_no_form(y, y_bar, words, "its fields")
    return y_bar


def _of_function(y: Any, y_bar: Any, words: Words) -> Any:
    """The seed of what a function carries: by names, or from another function of the same code."""
    if not isinstance(y_bar, Mapping | Record):
        if type(y_bar) is not type(y) or _code_of(y_bar) is not _code_of(y):
            raise of_no_form(y, y_bar, words, "the names of what it carries")
        y_bar = dict(_carried(y_bar))
    return _entries(y, y_bar, words, dict(_carried(y)))


def _code_of(function: Any) -> Any:
    """What two functions have in common that differ in what they carry alone."""
    return getattr(getattr(function, "func", function), "__code__", function)


def is_alike(y: Any, y_bar: Any) -> bool:
    """Whether a seed is a number or an array like the result.

    >>> is_alike(np.ones(2), np.zeros(2)), is_alike(1.0, 1)
    (True, False)
    """
    if type(y) is np.ndarray is type(y_bar):
        return bool(y.shape == y_bar.shape and y.dtype == y_bar.dtype)
    return type(y) is float is type(y_bar)


def as_it_is(value: Any) -> Any:
    """A value whose form alone is asked for."""
    return value


def check_seed(y: Any, y_bar: Any) -> None:
    """Refuse what is no seed, and one with a list for an array, where a seed is taken as it is.

    >>> check_seed(np.ones(2), [1.0, 2.0])
    Traceback (most recent call last):
    zygpy.errors.CotangentShapeError: the seed is a list, but the result is an array
    Why: a seed is taken as it is in differentiated code
    Instead: pass an array: `np.array(...)` of the seed
    """
    pairs = [(as_seed(y, y_bar), y_bar)]
    while pairs:
        seed, given = pairs.pop()
        if isinstance(seed, np.ndarray) and isinstance(given, list | tuple):
            raise CotangentShapeError(
                f"the seed is a {type(given).__name__}, but the result is an array",
                why="a seed is taken as it is in differentiated code",
                instead="pass an array: `np.array(...)` of the seed",
            )
        if isinstance(seed, list | tuple):
            pairs += zip(seed, given, strict=True)
        elif isinstance(seed, dict):
            entries = given._asdict() if isinstance(given, Record) else given
            if not isinstance(entries, Mapping):
                raise CotangentShapeError(
                    f"the seed is a {type(given).__name__}, but the cotangent has fields",
                    why="a seed is taken as it is in differentiated code",
                    instead=f"pass a dict of {', '.join(map(repr, seed))}",
                )
            pairs += [(part, entries[key]) for key, part in seed.items()]


WITHOUT = (str, bytes, type(None), type, ModuleType)
"""Classes of what no derivative leads to, with whatever seed."""


def _number(y: Any, y_bar: Any, words: Words) -> Any:
    if type(y_bar) is float and isinstance(y, float):
        return y_bar
    dtype = y.dtype if isinstance(y, np.ndarray | np.generic) else _dtype(y)
    given = _numbers(y_bar, dtype)
    if given is None:
        raise CotangentShapeError(
            f"the {words.given} is a {type(y_bar).__name__}; the {words.value} is a {type(y).__name__}"
        )
    if given.shape != np.shape(y):
        raise CotangentShapeError(
            f"the {words.given} has shape {given.shape}, but the {words.value} has shape {np.shape(y)}",
            why=f"a {words.kind} has the shape of the value that it belongs to",
            instead=f"pass an array of shape {np.shape(y)}",
        )
    if isinstance(y, np.ndarray):
        own = type(y) is not np.ndarray and type(y) is type(y_bar)  # a matrix, multiplied in its own way
        return y_bar if own or dtype.kind not in "biufc" else given
    return given.item() if isinstance(y, int | float | complex) else given[()]


def _dtype(y: Any) -> np.dtype[Any]:
    return np.dtype(complex if isinstance(y, complex) else float)


def _numbers(y_bar: Any, dtype: np.dtype[Any]) -> Any:
    """A seed as an array of numbers, as precise as those of a type are; None if it is none."""
    if not isinstance(y_bar, (np.ndarray, *NUMBERS, list, tuple)) and not hasattr(y_bar, "numerator"):
        return None
    single = dtype if dtype.kind in "fc" else np.dtype(float)
    try:
        given = np.asarray(y_bar)
        if dtype.kind not in "biufc":
            return given
        given = given if given.dtype.kind in "fc" else given.astype(single)
    except (TypeError, ValueError):
        return None
    if dtype.kind != "c":
        return given.real.astype(single, copy=False)
    return given if given.dtype.kind == "f" else given.astype(single, copy=False)


def _items(y: Any, y_bar: Any, words: Words) -> Any:
    if not isinstance(y_bar, SEQUENCES) or len(y_bar) != len(y):
        found = f"of length {len(y_bar)}" if isinstance(y_bar, SEQUENCES) else type(y_bar).__name__
        raise CotangentShapeError(
            f"the {words.given} is {found}, but the {words.value} is a {type(y).__name__} of length {len(y)}",
            why=f"the {words.kind} of a sequence has an entry for each of its entries",
            instead=f"pass a sequence of that length, with None where there is no {words.kind}",
        )
    seeds = [_formed(value, bar, words) for value, bar in zip(y, y_bar, strict=True)]
    return tuple(seeds) if isinstance(y, tuple) else seeds


def _keys(y: Any, y_bar: Any, words: Words) -> Any:
    if not isinstance(y_bar, Mapping | Record):
        raise of_no_form(y, y_bar, words, "its keys")
    return _entries(y, y_bar, words, y)


def of_no_form(y: Any, y_bar: Any, words: Words, keys: str) -> CotangentShapeError:
    cls = type(y).__name__
    return CotangentShapeError(
        f"the {words.given} is a {type(y_bar).__name__}, but the {words.value} is a {cls}",
        why=f"the {words.kind} of a {cls} has entries under {keys}",
        instead=f"pass a dict with those that have a {words.kind}",
    )


def _entries(
    y: Any, y_bar: Mapping[Any, Any] | Record, words: Words, held: Mapping[Any, Any]
) -> dict[Any, Any]:
    """The seeds of what a dict has under its keys, or an object in its fields."""
    entries = y_bar._asdict() if isinstance(y_bar, Record) else y_bar
    for key, bar in entries.items():
        if bar is not None and key not in held:
            raise CotangentShapeError(
                f"the {words.given} has an entry {key!r}; the {words.value}, a {type(y).__name__}, has none",
                why="it would be lost",
                instead=f"what the {words.value} has is: {', '.join(map(repr, held)) or 'nothing'}",
            )
    return {key: _formed(held[key], bar, words) for key, bar in entries.items() if bar is not None}


def _elements(y: Any, y_bar: Any, words: Words) -> Any:
    if not isinstance(y_bar, Mapping):
        raise CotangentShapeError(
            f"the {words.value} is a {type(y).__name__}, and the {words.given} a {type(y_bar).__name__}",
            why="equal elements are one in a set, so that those of another set have no places",
            instead="give a dict from the elements, such as `{element: 1.0}`",
        )
    return _entries(y, y_bar, words, {item: item for item in y})


def _carried(function: Any) -> Iterator[tuple[str, Any]]:
    """What a function carries, by the names that a cotangent has for it."""
    yield from ((name, None) for name in cells_of(function))
    yield from carried_by(function)


def _refused(y: Any, y_bar: Any, words: Words) -> Any:
    raise CotangentShapeError(
        f"the {words.value} is a {type(y).__name__}, of which a {words.kind} has no form",
        why="what it gives when it is walked over has no names or positions yet",
        instead=f"make the {words.value} a list of its items",
    )


SEQUENCES = (tuple, list, deque)
VIEWS: Any = (KEYS, *RE_ITERABLE, np.flatiter, Generator, Iterator)

FORMS: tuple[tuple[Any, Callable[[Any, Any, Words], Any]], ...] = (
    ((np.ndarray, *NUMBERS), _number),
    (SEQUENCES, _items),
    (dict, _keys),
    ((set, frozenset), _elements),
    (VIEWS, _refused),
)
"""What makes the seeds of classes that are no objects with fields."""

GIVEN_AS_ARRAYS: list[tuple[Callable[[Any], bool], Callable[[Any, Any, Words], Any]]] = []
"""What makes the seeds of objects that may also be given as arrays, such as sparse ones: the rules of a
library add to it. What it is given is no dict of fields."""
