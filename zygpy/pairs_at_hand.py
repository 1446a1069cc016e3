"""Gradients by a pair that is known from a call before: what is left of such a call are a look-up, the
conditions that everything is as it was, and the calls of the pair.

Whatever takes more than that is left to the run-time door (`zygpy/dispatch`): None is returned then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from zygpy import dispatch as dispatch
from zygpy.kept import has_own_rule, is_plain_call
from zygpy.layout import Layout
from zygpy.load.code import annotate
from zygpy.load.guards import Checks, check_not_replaced
from zygpy.load.signatures import signature_of
from zygpy.pipeline import pair_at_once
from zygpy.prepared import Pullback, each_of
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.project import UNCHANGING
from zygpy.runtime.ways import PLAIN, Way
from zygpy.units import NEAR, OPTIONS, UNITS, Options, Pair


class Ready(NamedTuple):
    """The pair of a function for arguments of some kinds, with what its calls look at."""

    checks: Checks
    forward: Callable[..., Any]
    pair: Pair
    slots: tuple[str, ...]  # of the arguments
    first: int  # so many captured variables stand in front of them
    layout: Layout


class Known(NamedTuple):
    """What is known of functions with one code: `reference` is to the one that was called last."""

    code: CodeType
    namespace: dict[str, Any]
    options: Options
    reference: ref[FunctionType]
    captures: bool
    found: dict[Any, Ready]  # by the signature of the captured variables and arguments, or of a single array


PAIRS: dict[int, Known] = NEAR["pairs"]
"""By the identity of the code."""

COPYING_PAIRS: dict[int, Known] = NEAR["copying pairs"]
"""The same of those for pullbacks, which are called later."""


@is_deeper
def run(
    function: FunctionType, args: tuple[Any, ...], pairs: dict[int, Known] = PAIRS
) -> tuple[Any, Any, Ready] | None:
    """The value of a function, the stash, and the pair that it was called by."""
    code = function.__code__
    known = pairs.get(id(code))
    if known is None:
        return None
    own, namespace, options, reference, captures, found = known
    if (
        own is not code
        or namespace is not function.__globals__
        or options is not OPTIONS.get()
        or (reference() is not function and has_own_rule(function))
    ):
        return None
    if captures:
        args = _with_captured(function, args)
    if len(args) == 1 and type(value := args[0]) is np.ndarray:
        ready = found.get((value.dtype, value.ndim))
    else:
        ready = found.get(signature_of(args))
    if ready is None or not ready[0].hold():
        return None
    try:
        y, stash = ready[1](*args)
    except Exception as error:
        annotate(error)
        raise
    if BEGUN:
        check_end(sys._getframe())
    return y, stash, ready


def _with_captured(function: FunctionType, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments behind what the function captures; too few where a variable has no value yet, of which
    the door says so."""
    try:
        return (*[cell.cell_contents for cell in function.__closure__ or ()], *args)
    except ValueError:
        return ()


def pulled(ready: Ready, stash: Any, seed: Any) -> Any:
    """The cotangents of the arguments."""
    pair, first = ready.pair, ready.first
    try:
        bars = pair.adjoint(stash, seed)
    except Exception as error:
        annotate(error)
        raise
    if pair.single is not None:
        bars = each_of(pair, bars)
    return bars[first:] if first else bars


def back_of(ready: Ready, stash: Any) -> Pullback:
    """The pullback of a call, as the door gives it."""
    return Pullback(ready.pair, stash, ready.layout)


def keep(function: Any, args: tuple[Any, ...], way: Way = PLAIN) -> None:
    """Let the next call of a function with such arguments find its pair, if it is found by that alone."""
    if (
        type(function) is not FunctionType
        or has_own_rule(function)
        or not all(isinstance(arg, UNCHANGING) for arg in args)
    ):
        return
    code, namespace, options = function.__code__, function.__globals__, OPTIONS.get()
    known = pair_at_once(function, args, way)
    unit = UNITS.get((id(code), id(namespace)))
    if known is None or unit is None or not is_plain_call(unit, *known, len(args)):
        return
    pair, values = known[0], known[1]
    pairs = COPYING_PAIRS if way.copying else PAIRS
    before = pairs.get(id(code))
    same = before is not None and before.code is code and before.namespace is namespace
    found = before.found if before is not None and same and before.options is options else {}
    if len(pairs) >= PAIRS_KEPT:
        pairs.clear()
    if len(found) >= KINDS_KEPT:
        found.clear()
    first = len(unit.captured)
    signature: Any = signature_of(values)
    if len(values) == 1 and type(values[0]) is np.ndarray:
        (signature,) = signature
    found[signature] = Ready(pair.checks, _forward_of(pair), pair, pair.slots[first:], first, known[2])
    pairs[id(code)] = Known(code, namespace, options, ref(function), bool(unit.captured), found)


def _forward_of(pair: Pair) -> Callable[..., Any]:
    """The forward of a pair; one that is looked at if the pair rests on what it may replace."""
    if not pair.checks.functions:
        return pair.forward

    def looked_at(*values: Any) -> Any:
        returned = pair.forward(*values)
        check_not_replaced(pair.program.name, pair.checks)
        return returned

    return looked_at


PAIRS_KEPT, KINDS_KEPT = 256, 16
"""Of so many functions at most, and of each for arguments of so many kinds."""
