"""The arguments of a program: made from numbers of their kinds, and the numbers of their cotangents."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any, TypeAlias

import numpy as np

from tests.random_programs.kinds import (
    FLOAT,
    VECTOR,
    Array,
    Dict,
    Float,
    Function,
    Kind,
    List,
    Named,
    Object,
    Tuple,
)

Fields: TypeAlias = Mapping[str, tuple[tuple[str, Kind], ...]]
"""The fields of objects, by class."""

Path: TypeAlias = tuple[Any, ...]
"""The way to a number: ("item", key) and ("field", name) steps, and an index behind "entry"."""


def paths(kind: Kind, fields: Fields) -> Iterator[Path]:
    """The ways to the numbers in a thing of a kind."""
    match kind:
        case Float():
            yield ()
        case Array(shape=shape):
            yield from (("entry", index) for index in np.ndindex(shape))
        case _:
            for key, part in parts(kind, fields):
                yield from ((key, *path) for path in paths(part, fields))


def parts(kind: Kind, fields: Fields) -> list[tuple[Any, Kind]]:
    """What a container of a kind is made with."""
    match kind:
        case List(of=of):
            return [(("item", k), of) for k in range(3 if of == FLOAT else 2)]
        case Dict(of=of):
            return [(("item", key), of) for key in "ab"]
        case Tuple(of=of):
            return [(("item", k), item) for k, item in enumerate(of)]
        case Named():
            return [(("item", 0), FLOAT), (("item", 1), VECTOR)]
        case Function():
            return [(("field", "p"), FLOAT)]
        case Object(name=name):
            return [(("field", key), part) for key, part in fields[name]]
    raise TypeError(f"arguments are not of kind {kind}")


def made(kind: Kind, numbers: Iterator[float], fields: Fields, names: Mapping[str, Any], dtype: str) -> Any:
    """A thing of a kind, of the next numbers; `names` has the classes."""
    match kind:
        case Float():
            return next(numbers)
        case Array(shape=shape):
            return np.array([next(numbers) for _ in np.ndindex(shape)], dtype).reshape(shape)
    items = [made(part, numbers, fields, names, dtype) for _, part in parts(kind, fields)]
    match kind:
        case Object(name=name):
            return names[name](*items)
        case Named():
            return names["Both"](*items)
        case Function():
            return names["scaling"](*items)
        case Dict():
            return dict(zip("ab", items, strict=True))
    return tuple(items) if isinstance(kind, Tuple) else items


def leaves(thing: Any, bar: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers in a thing, each with what its cotangent has in the same place.

    Objects that hold each other are entered as far as there are cotangents, which end where the program does
    not read on.
    """
    if bar is None:
        return
    if isinstance(thing, np.ndarray):
        yield from ((thing[index], bar[index]) for index in np.ndindex(thing.shape))
    elif isinstance(thing, float | int | np.number):
        yield thing, bar
    else:
        for (how, key), part in held(thing):
            yield from leaves(part, looked_up(bar, how, key))


def held(thing: Any) -> list[tuple[Any, Any]]:
    """What a container, an object or a function holds, as its cotangent names it."""
    match thing:
        case list() | tuple():
            return [(("item", k), item) for k, item in enumerate(thing)]
        case dict():
            return [(("item", key), item) for key, item in thing.items()]
        case functools.partial():
            found = {f"args[{k}]": item for k, item in enumerate(thing.args)}
            found |= {"__wrapped__": thing.func, **thing.keywords}
        case FunctionType():
            found = dict(zip(thing.__code__.co_freevars, map(contents, thing.__closure__ or ()), strict=True))
            names = thing.__code__.co_varnames[: thing.__code__.co_argcount]
            defaults = thing.__defaults__ or ()
            found |= {f"{name}=": value for name, value in zip(names[::-1], defaults[::-1], strict=False)}
        case MethodType():
            found = {"__self__": thing.__self__}
        case _:
            found = fields_of(thing)
    return [(("field", name), part) for name, part in found.items()]


def contents(cell: CellType) -> Any:
    """What a captured variable holds; None where it has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def fields_of(thing: Any) -> dict[str, Any]:
    """The fields of an object of a generated class, its slots too."""
    if isinstance(thing, type) or type(thing).__module__ != "generated":
        return {}
    slots = [name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ())]
    return {name: getattr(thing, name) for name in slots if hasattr(thing, name)} | getattr(
        thing, "__dict__", {}
    )


def gathered(probe: Any, bar: Any, count: int) -> np.ndarray:
    """The derivatives by the numbers that something was made of: number k stands wherever the probe, which is
    made in the same way, has the k-th of `probing` numbers, and what comes to the places is added."""
    found = np.zeros(count)
    for leaf, part in leaves(probe, bar):
        k = int(leaf) - PROBED
        if leaf == int(leaf) and 0 <= k < count:
            found[k] += float(np.real(part))
    return found


PROBED = 5000


def probing(count: int) -> list[float]:
    """Numbers that are told apart."""
    return [float(PROBED + k) for k in range(count)]


def looked_up(bar: Any, how: str, key: Any) -> Any:
    """A part of a cotangent; keys and fields that were not touched are not there."""
    if isinstance(bar, dict):  # also of an object, before it is made a record
        return bar.get(key)
    return getattr(bar, key, None) if how == "field" else bar[key]


def scrambled(tree: Any, seen: set[int] | None = None) -> None:
    """Write over all the numbers in the arrays, lists, dicts and objects of something, once."""
    seen = set() if seen is None else seen
    if id(tree) in seen:
        return
    seen.add(id(tree))
    if isinstance(tree, np.ndarray):
        tree += 17.0
        return
    for (how, key), part in held(tree):
        if not isinstance(part, float):
            scrambled(part, seen)
        elif isinstance(tree, list | dict):
            tree[key] = 1e3
        elif how == "field" and fields_of(tree):
            object.__setattr__(tree, key, 1e3)
