"""What entry points, and calls of what is not known, go through: value and pullback."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zygpy.derivation import ELSEWHERE
from zygpy.dispatch import calls_made
from zygpy.dispatch.callables import carry_gradients, is_special, prepare
from zygpy.dispatch.constructing import constructing
from zygpy.dispatch.found_once import check_found_once, check_given_once, share_memory
from zygpy.dispatch.making import Pulled, made, made_unseen, run_pair, shares_what_it_writes
from zygpy.dispatch.refusals import made_late
from zygpy.errors import SourceNotFoundError, missing_rule
from zygpy.load.known import is_known_elsewhere, may_ask_which, may_write_to_arrays
from zygpy.pipeline import pair_at_once
from zygpy.prepared import Prepared, Pullback, shared_by
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.callables import arrays_found_by, functions_in
from zygpy.runtime.changes import are_given_fields
from zygpy.runtime.generators import is_generator
from zygpy.runtime.lenders import changed_by_another_name, lending
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.lookup import in_class
from zygpy.runtime.shown_apart import EitherWay, Lent, ShownApart
from zygpy.runtime.storage import overlap
from zygpy.runtime.ways import BY_IDENTITY, COPYING, Way
from zygpy.runtime.without_derivative import stands_as_it_is
from zygpy.units import Pair, unit_of

DOORS: dict[Any, Callable[[Any, tuple[Any, ...]], Pulled | None]] = {}
"""How doors of forward mode are gone through in reverse mode (None: as any other function); they stand in a
room above, which fills it in."""


def pull(function: Any, /, *args: Any, **kwargs: Any) -> Pulled:
    """Call a function and return its value and `back`.

    Raises UnsupportedSyntaxError if the function writes an argument in place, which generated code
    that goes through here did not know when it was written.
    """
    if type(function) is types.FunctionType and function in DOORS:
        through = DOORS[function](function, args)
        if through is not None:
            return through
    ready = None if kwargs else calls_made.again(function, args)
    if ready is not None:
        pair, values, layout = ready
        y, stash = run_pair(pair, values)
        return y, Pullback(pair, stash, layout, None, ())
    prepared = prepare_unseen(function, args, kwargs)
    if prepared is None:
        return _untouched(function, args, kwargs)
    if not kwargs:
        calls_made.note(function, args, prepared)
    return made_unseen(prepared)


def prepare_unseen(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Prepared | None:
    """A call for a caller who has not known the callee: what that stores in things outside is looked at."""
    prepared = prepare(function, args, kwargs, COPYING)
    if prepared is None or ELSEWHERE not in prepared.pair.changes:
        lost = (
            prepared is not None
            and not prepared.pair.identity
            and any(map(is_generator, (*args, *kwargs.values())))
        )
        return prepare(function, args, kwargs, BY_IDENTITY) if lost else prepared
    return prepare(function, args, kwargs, BY_IDENTITY._replace(guarded=True))


@is_deeper
def pull_with(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, way: Way) -> Pulled:
    """The same; found in the way that is asked for."""
    if type(function) is types.FunctionType and not kwargs and not is_special(function):
        known = pair_at_once(function, args, way)
        other = known is None or known[0].writes or known[0].identity or known[0].outside
        if known is not None and not (other or are_given_fields(args)):
            pair, given, layout = known
            values = _own_arrays(function, pair, given, args) if pair.carries else given
            y, stash = run_pair(pair, values)
            if BEGUN:
                check_end(sys._getframe())
            _check_still_the_same(given, values)
            shared = shared_by(pair, values) if pair.carries else ()
            return y, Pullback(pair, stash, layout, None, shared)
    found = _found_way(function, args, kwargs, way)
    if BEGUN:
        check_end(sys._getframe())
    return found


def _found_way(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Pulled:
    """The same where the way depends on what the function does."""
    prepared = prepare_given(function, args, kwargs, way)
    if prepared is None:
        return _untouched(function, args, kwargs)
    pair = prepared.pair
    elsewhere = (pair.changes or pair.identity or pair.outside) and _is_known_elsewhere(function, prepared)
    if elsewhere and ELSEWHERE not in pair.changes:  # else it is derived so that globals may be active
        prepared = prepare(function, args, kwargs, BY_IDENTITY._replace(everywhere=True)) or prepared
    twice = prepared.pair.identity and (elsewhere or share_memory(args))
    if twice and not may_ask_which(function, prepared.values):
        return _made_apart(function, prepared, len(args))
    if not (prepared.pair.identity or prepared.pair.carries):
        return made(prepared)
    values = _own_arrays(function, prepared.pair, prepared.values, args)
    pulled = made(replace(prepared, values=values))
    _check_still_the_same(prepared.values, values)
    return pulled


def _made_apart(function: Any, prepared: Prepared, count: int) -> Pulled:
    """A call of which the last `count` values are arguments, whose arrays the program finds in another one of
    them, or by the name of a global or captured variable too: where it changes nothing in them, that is no
    part of the argument."""
    carried = len(prepared.values) - count
    shown = ShownApart(prepared.values[carried:])
    with lending(shown):
        y, back = made(replace(prepared, values=[*prepared.values[:carried], *shown.values]))
        shown.settle()
    may_have_changed = prepared.pair.changes and may_write_to_arrays(function, prepared.values)
    if shown.nothing_changed() and may_have_changed:
        back = EitherWay(back)
    for value in shown.given:
        shown.as_given(value)
    return shown.as_given(y), Lent(back, shown)


def _own_arrays(function: Any, pair: Pair, values: Sequence[Any], args: tuple[Any, ...]) -> list[Any]:
    """The values that a call is given, with copies of those arguments that the program finds by a global or
    captured variable as well: that is no part of the argument. (What is changed, it has to find by all of
    its names.)"""
    arrays = [value for value in args if type(value) is np.ndarray]
    found = list(arrays_found_by(function)) if arrays and ELSEWHERE not in pair.changes else []
    common = [value for value in arrays if any(np.may_share_memory(value, array) for array in found)]
    if not common:
        return list(values)
    given = dict(zip(pair.program.params.names, values, strict=True))
    changed = [given[name] for name in pair.changes]
    own = [value for value in common if _is_apart(value, [*changed, *args])]
    count = len(values) - len(args)  # what the function carries stands in front
    return [
        np.array(value) if place >= count and any(value is one for one in own) else value
        for place, value in enumerate(values)
    ]


def _check_still_the_same(given: Sequence[Any], own: Sequence[Any]) -> None:
    """Refuse a call that was given a copy of an array, and has changed the array itself by another name."""
    for value, copy in zip(given, own, strict=True):
        if value is not copy and not np.array_equal(value, copy, equal_nan=value.dtype.kind in "fc"):
            raise changed_by_another_name()


def _is_apart(array: Any, others: list[Any]) -> bool:
    """Whether an array is one of some values, and shares memory with no other."""
    same = [value for value in others if value is array]
    return len(same) == 1 and not any(overlap([array, value]) for value in others if value is not array)


def prepare_given(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """The call of what an entry point is given: by identity, where its arguments share what it writes to, or
    functions among them keep something in their fields."""
    prepared = prepare(function, args, kwargs, way)
    if prepared is None and (_is_made_in_python(function) or _has_own_new(function)):
        prepared = prepare(constructing(function, args, kwargs), args, kwargs, way)
    if prepared is not None and (shares_what_it_writes(prepared) or are_given_fields(args)):
        prepared = prepare(function, args, kwargs, BY_IDENTITY) or prepared
    return prepared


def prepare_inside(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Prepared | None:
    """The same of an entry point in differentiated code: by identity too, where functions among the arguments
    have variables that functions share, whose cotangents are taken out of the store there."""
    prepared = prepare_given(function, args, kwargs, COPYING)
    if prepared is None:
        return None
    check_found_once(function, (*args, *kwargs.values()), prepared)
    check_given_once(function, args, prepared)
    if prepared.pair.identity or not prepared.pair.carries:
        return prepared
    shared = any(map(_shares_variables, functions_in(prepared.values)))
    return prepare(function, args, kwargs, BY_IDENTITY) or prepared if shared else prepared


def _shares_variables(function: types.FunctionType) -> bool:
    """Whether a function knows one of its variables by its cell."""
    try:
        return bool(function.__closure__ and unit_of(function).source.rebound)
    except SourceNotFoundError:
        return False


def _is_known_elsewhere(function: Any, prepared: Prepared) -> bool:
    """Whether what a call may change is known by a global variable that the program reads. (Where things are
    found by identity, functions that are found when the call is made may change them, and what is in them.
    A program that changes what others can reach may change its arguments by that name.)
    """
    pair = prepared.pair
    if pair.followed:
        return False
    given = dict(zip(pair.program.params.names, prepared.values, strict=True))
    any_of_them = pair.identity or pair.outside
    changed = prepared.values if any_of_them else [given[name] for name in pair.changes]
    return is_known_elsewhere(function, pair.checks, changed)


def _untouched(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Pulled:
    """A callable without rule or source: harmless as long as nothing differentiable reaches it."""
    if carry_gradients((*args, *kwargs.values())) and not stands_as_it_is(function, args, kwargs):
        raise made_late(function) if _is_made_in_python(function) else missing_rule(function)
    nothing = (None,) * (1 + len(args) + len(kwargs))
    return function(*args, **kwargs), lambda y_bar, cells=None: nothing


def _has_own_new(cls: Any) -> bool:
    new = in_class(cls, "__new__") if isinstance(cls, type) and not issubclass(cls, tuple) else None
    return isinstance(getattr(new, "__func__", None), types.FunctionType)


def _is_made_in_python(cls: Any) -> bool:
    found = [in_class(cls, name) for name in ("__init__", "__new__")] if isinstance(cls, type) else []
    return any(isinstance(method, types.FunctionType) for method in found)
