"""The arguments of a program: made from numbers of their kinds, and the numbers of their cotangents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from tests.random_programs.kinds import FLOAT, VECTOR, Array, Dict, Float, Kind, List, Named, Object, Tuple

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
        case Dict():
            return dict(zip("ab", items, strict=True))
    return tuple(items) if isinstance(kind, Tuple) else items


def gathered(kind: Kind, bar: Any, fields: Fields) -> list[float]:
    """The numbers of a cotangent, with zeros where it has none."""
    return [float(np.real(number_at(bar, path))) for path in paths(kind, fields)]


def number_at(bar: Any, path: Path) -> Any:
    """One number of a cotangent."""
    steps = list(path)
    while steps and bar is not None:
        step = steps.pop(0)
        if step == "entry":
            return bar[steps.pop(0)]
        bar = looked_up(bar, *step)
    return 0.0 if bar is None else bar


def looked_up(bar: Any, how: str, key: Any) -> Any:
    """A part of a cotangent; keys and fields that were not touched are not there."""
    if isinstance(bar, dict):  # also of an object, before it is made a record
        return bar.get(key)
    return getattr(bar, key, None) if how == "field" else bar[key]


def scrambled(tree: Any) -> None:
    """Write over all the numbers in the arrays, lists and dicts of something."""
    if isinstance(tree, np.ndarray):
        tree += 17.0
    elif isinstance(tree, list | dict):
        for key, item in tree.items() if isinstance(tree, dict) else enumerate(tree):
            if isinstance(item, float):
                tree[key] = 1e3
            else:
                scrambled(item)
