"""Calls of a sort that was made before: their pairs are found at once.

A call is of the same sort where the function is the same, and the kinds of its arguments are: then the same
stands for it, as long as what the pair rests on holds, which has all declarations of rules in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

import numpy as np

from zygpy.layout import Layout
from zygpy.load.signatures import signature_of
from zygpy.pipeline import note_entered, pair_at_once
from zygpy.prepared import Prepared, as_it_is
from zygpy.rules import custom
from zygpy.runtime.ways import COPYING
from zygpy.units import NEAR, OPTIONS, Pair

Ready: TypeAlias = "tuple[Pair, Sequence[Any], Layout]"
"""A pair, its arguments and their layout."""

KEPT = 1024
"""So many sorts of calls of builtins are remembered."""

_PAIRS: dict[Any, tuple[Pair, Layout]] = NEAR["calls of builtins"]


def again(function: Any, args: tuple[Any, ...]) -> Ready | None:
    """What such a call was made with; None where it was not, or may be made in another way now."""
    if type(function) is FunctionType:
        found = pair_at_once(function, args, COPYING, entered=True)
        return None if found is None or custom.is_ruled(function) or not _is_plain(found[0]) else found
    if not _is_primitive(function):
        return None
    known = _PAIRS.get((function, signature_of(args), OPTIONS.get()))
    return (known[0], args, known[1]) if known is not None and known[0].checks.hold() else None


def note(function: Any, args: tuple[Any, ...], prepared: Prepared) -> None:
    """Remember what a call is made with that is prepared as it was given."""
    pair, same = prepared.pair, len(prepared.values) == len(args)
    if prepared.finish is not as_it_is or not _is_plain(pair):
        return
    if type(function) is FunctionType:
        note_entered(function, pair, prepared.values, COPYING)
    elif _is_primitive(function) and same and all(map(_is, prepared.values, args)):
        if len(_PAIRS) >= KEPT:
            _PAIRS.clear()
        _PAIRS[function, signature_of(args), OPTIONS.get()] = pair, prepared.layout


def _is(one: Any, other: Any) -> bool:
    return one is other


def _is_plain(pair: Pair) -> bool:
    """Whether a call needs nothing but its pair: it changes nothing, and shares no variables."""
    return not (pair.identity or pair.changes or pair.writes or pair.carries)


def _is_primitive(function: Any) -> bool:
    """Whether a callable is a function that is not written in Python, of a module, and has no state."""
    cls = type(function)
    if cls is BuiltinFunctionType:
        return isinstance(function.__self__, ModuleType)
    return cls is np.ufunc or cls is OF_NUMPY


OF_NUMPY = type(np.sum)
