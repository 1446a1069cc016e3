"""Derivatives of numbers and arrays in containers and objects: of results, and by arguments.

What is given has the form of the container: a tuple, list or dict with derivatives in the places of the
numbers, a `Record` for an object, and None for whatever is no number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy.errors import NotScalarError, UnsupportedSyntaxError
from zygpy.runtime.directions import is_number, is_structure
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.project import Given, GivenFunction, as_given, zero_like
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.tangents import finished

Path = tuple[Any, ...]
"""The positions, keys and names of fields by which a number is found, from the outside to the inside."""

CONTAINERS = (int, float, complex, Fraction, np.generic, np.ndarray, tuple, list, deque, dict)
"""What has zeros of its own in gradients, beside objects."""

Product = Callable[[Any, Any, Any], Any]
"""`hvp`."""


def parts_of(value: Any) -> list[tuple[Any, Any]]:
    """What is in a structure, with the position, key or name of each."""
    if isinstance(value, tuple | list | deque):
        return list(enumerate(value))
    if isinstance(value, Record):
        value = value._asdict()
    return list(value.items()) if isinstance(value, dict) else fields_of(value)


def like(value: Any, parts: list[Any]) -> Any:
    """A structure with other things in the places of its parts."""
    if isinstance(value, list):
        return parts
    if isinstance(value, tuple):
        return like_tuple(type(value), parts)
    if isinstance(value, deque):
        return deque(parts, value.maxlen)
    named = dict(zip([place for place, _ in parts_of(value)], parts, strict=True))
    return named if isinstance(value, dict) else Record(named)


def mirrored(value: Any, of_number: Callable[[Path, Any], Any], path: Path = (), around: Path = ()) -> Any:
    """A structure with what a function gives of each number in it, and None in all other places, also for
    objects without any.

    Raises UnsupportedSyntaxError for a structure that holds itself.

    >>> mirrored({"a": (1.0, "b")}, lambda path, number: path)
    {'a': (('a', 0), None)}
    """
    if is_number(value):
        return of_number(path, value)
    if not is_structure(value):
        return None
    if id(value) in around:
        raise UnsupportedSyntaxError(
            f"{'an object' if type(value) is Given else f'a {type(value).__name__}'} holds itself.",
            why="a structure with a derivative for each number in it would have no end",
            instead="differentiate by the numbers, or use `pullback` with a seed",
        )
    around = (*around, id(value))
    parts = [mirrored(part, of_number, (*path, place), around) for place, part in parts_of(value)]
    if not isinstance(value, tuple | list | deque | dict) and all(map(is_empty, parts)):
        return None  # an object that is about something else
    return like(value, parts)


def is_empty(found: Any) -> bool:
    """Whether there is no derivative in what was found.

    >>> is_empty([None, (None,)]), is_empty([None, 0.0])
    (True, False)
    """
    if isinstance(found, dict):
        return all(map(is_empty, found.values()))
    return all(map(is_empty, found)) if isinstance(found, tuple | list | deque) else found is None


def numbers_in(value: Any) -> Iterator[tuple[Path, Any]]:
    """The numbers and arrays in a structure.

    >>> list(numbers_in({"a": [1.0, None]}))
    [(('a', 0), 1.0)]
    """
    found: list[tuple[Path, Any]] = []
    mirrored(value, lambda path, number: found.append((path, number)))
    return iter(found)


def part_at(found: Any, path: Path) -> Any:
    """What a cotangent or tangent has at a path; None where it has nothing.

    >>> part_at({"a": (1.0, 2.0)}, ("a", 1)), part_at({"a": None}, ("a", 1))
    (2.0, None)
    """
    for place in path:
        if isinstance(found, Record):
            found = found._asdict()
        if isinstance(found, Mapping):
            found = found.get(place)
        elif isinstance(found, tuple | list | deque):
            found = found[place]
        elif found is not None:
            found = dict(fields_of(found)).get(place)
    return found


def seeds_of(y: Any, unit: complex) -> list[Any]:
    """The cotangents with one entry that is not zero, in order."""
    if not isinstance(y, np.ndarray):
        return [unit]
    dtype = y.dtype if y.dtype.kind in "fc" else np.dtype(float)
    return list((unit * np.eye(y.size)).astype(dtype).reshape(y.size, *y.shape))


def along_entry(value: Any, path: Path, entry: Any) -> Any:
    """A direction in which one number moves alone."""
    return mirrored(value, lambda other, number: entry if other == path else np.zeros_like(number)[()] * 1.0)


def seed_of(value: Any, path: Path, entry: Any) -> Any:
    """The cotangent of a structure that is that of one number alone."""
    return mirrored(value, lambda other, number: entry if other == path else None)


# ------------------------------------------------------------------------------------- derivatives


def pushed(y: Any, along: Callable[[Any], Any]) -> Any:
    """The tangent of a result; `along` gives the product of what comes back of a cotangent with the tangents
    of the arguments."""

    def of_number(path: Path, number: Any) -> Any:
        products = [along(seed_of(y, path, entry)) for entry in seeds_of(number, 1.0)]
        if np.iscomplexobj(number):
            turned = [along(seed_of(y, path, entry)) for entry in seeds_of(number, 1.0j)]
            products = [complex(*parts) for parts in zip(products, turned, strict=True)]
        dot = np.reshape(products, np.shape(number))
        return finished(dot if isinstance(number, np.ndarray) else products[0], number)

    return mirrored(y, of_number)


def completed(found: Any, value: Any, around: tuple[int, ...] = ()) -> Any:
    """A gradient by an object with zeros for the numbers in its fields for which it has nothing.

    >>> completed(Record({"a": 2.0, "b": None}), Record({"a": 1.0, "b": np.ones(2)}))
    (a=2.0, b=array([0., 0.]))
    """
    if is_number(value):
        return zero_like(value) if found is None else found
    known = isinstance(value, CONTAINERS) or type(value) is GivenFunction or is_function_like(type(value))
    if known or not (found is None or type(found) is Record) or not is_structure(value):
        return found
    if id(value) in around:  # an object that holds itself
        return found
    parts = {} if found is None else found._asdict()
    inside = (*around, id(value))
    fields = {name: completed(parts.get(name), part, inside) for name, part in parts_of(value)}
    return found if all(map(is_empty, fields.values())) else Record({**parts, **fields})


def diagonal(f: Callable[[Any], Any], x: Any, product: Product) -> Any:
    """The diagonal of the Hessian by the numbers in a structure, which is as it was for every product."""
    given = as_given(x)

    def of_number(path: Path, number: Any) -> Any:
        if isinstance(number, np.ndarray) and number.dtype.kind == "b":
            return np.zeros(number.shape)
        rows = rows_of_products(f, x, given, product, path, number)
        parts = [_or_zeros(part_at(row, path), number) for row, _ in rows]
        if np.iscomplexobj(number):
            check_holomorphic(
                np.stack(parts), np.stack([_or_zeros(part_at(row, path), number) for _, row in rows])
            )
        if not isinstance(number, np.ndarray):
            return parts[0]
        entries = [np.ravel(part)[place] for place, part in enumerate(parts)]
        return np.reshape(np.stack(entries), number.shape) if entries else np.zeros(number.shape)

    return mirrored(given, of_number)


def second(f: Callable[[Any], Any], x: Any, product: Product) -> Any:
    """The Hessian by the numbers in a structure: in the place of each number a structure that has, in the
    place of each other, an array of both shapes. For every product the structure is as it was."""
    given = as_given(x)

    def by(path: Path, number: Any) -> Any:
        rows = rows_of_products(f, x, given, product, path, number)

        def and_by(other: Path, second_number: Any) -> Any:
            parts, turned = parts_of_rows(rows, other, second_number)
            if np.iscomplexobj(number) and np.iscomplexobj(second_number):
                check_holomorphic(parts, turned)
            elif np.iscomplexobj(number):
                parts = parts + 1j * turned
            return np.reshape(parts, (*np.shape(number), *np.shape(second_number)))

        return mirrored(given, and_by)

    return mirrored(given, by)


def rows_of_products(
    f: Callable[[Any], Any], x: Any, given: Any, product: Product, path: Path, number: Any
) -> list[tuple[Any, Any]]:
    """The products of the Hessian with the directions in which the entries of one number move, and where it
    is complex, with those in which their imaginary parts do."""
    rows = [product(f, x, along_entry(given, path, unit)) for unit in seeds_of(number, 1.0)]
    if not np.iscomplexobj(number):
        return [(row, None) for row in rows]
    turned = [product(f, x, along_entry(given, path, unit)) for unit in seeds_of(number, 1.0j)]
    return list(zip(rows, turned, strict=True))


def parts_of_rows(rows: list[tuple[Any, Any]], path: Path, number: Any) -> tuple[Any, Any]:
    """What such products have for one number, zeros where there is no path."""
    found = [[_or_zeros(part_at(row, path), number) for row in pair] for pair in rows]
    empty = np.zeros((0, *np.shape(number)))
    both = [np.stack(parts) for parts in zip(*found, strict=True)]
    return (both[0], both[1]) if both else (empty, empty)


def _or_zeros(part: Any, number: Any) -> Any:
    return np.zeros(np.shape(number)) if part is None else part


def check_holomorphic(rows: Any, turned: Any) -> None:
    """Refuse what has no complex derivative: of a holomorphic function the two are the same but for 1j."""
    size = np.max(np.abs(rows), initial=0.0) + np.max(np.abs(turned), initial=0.0)
    if not np.allclose(turned, 1j * rows, atol=1e-8 * size):
        raise NotScalarError(
            "a function of complex arguments that is not holomorphic has no complex Jacobian.",
            why="its derivative by the real and by the imaginary part of an argument are not related",
            instead="differentiate by real and imaginary part, or use `pullback` with the seeds 1 and 1j",
        )
