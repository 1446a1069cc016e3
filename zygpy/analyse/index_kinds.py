"""The kind of `x[index]` for an array: what every part of the index does to the rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    INT,
    Array,
    Kind,
    List,
    Never,
    Nothing,
    NumberOrArray,
    NumpyScalar,
    Tuple,
    is_real,
)

Kinds = Callable[[core.Atom], Kind]


@dataclass(frozen=True)
class Part:
    """What one part of an index does: the axes it takes, those it gives, and how.

    `advanced`: it is an array (or list), broadcast with others. `array`: the result is an array
    whatever its rank. `known` is False where nothing of this is known.
    """

    taken: int = 0
    given: int = 0
    advanced: bool = False
    array: bool = False
    known: bool = True


INTEGER, SLICE, NEW_AXIS = Part(1), Part(1, 1, array=True), Part(0, 1, array=True)
ELLIPSIS, SOME_ARRAY, UNCLEAR = Part(array=True), Part(array=True, known=False), Part(known=False)


def array_item(kind: Array, index: core.Index, kinds: Kinds) -> Kind:
    """The kind of an item of an array; `kinds` maps an atom to its kind."""
    parts = list(index_parts(index, kinds))
    array = any(part.array for part in parts)
    if kind.rank is None or not all(part.known for part in parts):
        return Array(kind.dtype, None) if array else NumberOrArray(is_real(kind))
    advanced = [part.given for part in parts if part.advanced]
    given = max(advanced, default=0) + sum(part.given for part in parts if not part.advanced)
    rank = max(kind.rank - sum(part.taken for part in parts) + given, 0)
    return Array(kind.dtype, rank) if rank or array else NumpyScalar(kind.dtype)


def index_parts(index: core.Index, kinds: Kinds) -> Iterator[Part]:
    """The parts of an index; a tuple held in a variable counts as its items."""
    if isinstance(index, core.IndexTuple):
        for item in index.items:
            yield _of_slice_or_atom(item, kinds)
        return
    kind = None if isinstance(index, core.Slice) else kinds(index)
    if isinstance(kind, Tuple):
        yield from (_of_kind(item) for item in kind.items)
    else:
        yield _of_slice_or_atom(index, kinds)


def _of_slice_or_atom(item: Any, kinds: Kinds) -> Part:
    if isinstance(item, core.Slice):
        return SLICE
    if isinstance(item, core.Const) and item.value is None:
        return NEW_AXIS
    if isinstance(item, core.Const) and item.value is Ellipsis:
        return ELLIPSIS
    return _of_kind(kinds(item))


def _of_kind(kind: Kind) -> Part:
    if kind == INT or kind == NumpyScalar("i"):
        return INTEGER
    if kind == BOOL or kind == NumpyScalar("b"):
        return Part(0, 1, advanced=True, array=True)
    if isinstance(kind, Nothing):
        return SOME_ARRAY
    if isinstance(kind, List):
        return _of_list(kind)
    return _of_array(kind) if isinstance(kind, Array) else UNCLEAR


def _of_list(kind: List) -> Part:
    if kind.element in (INT, BOOL) or isinstance(kind.element, Never | NumpyScalar):
        return Part(1, 1, advanced=True, array=True)
    return SOME_ARRAY if isinstance(kind.element, List) else UNCLEAR


def _of_array(kind: Array) -> Part:
    rank = kind.rank
    if rank is None or rank == 0:
        return UNCLEAR
    if kind.dtype == "b":
        return Part(rank, 1, advanced=True, array=True)
    known = kind.dtype == "i" or rank == 1  # a mask of rank one takes and gives as much as numbers do
    return Part(1, rank, advanced=True, array=True, known=known)
