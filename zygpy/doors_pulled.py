"""Calls that are found when tangent code runs, in reverse mode: each is the call of the tangent function that
is found, and no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import CellType, FunctionType
from typing import Any, NamedTuple

from zygpy import dispatch
from zygpy.arranged import arrangement_of, in_places
from zygpy.door_pullbacks import (
    ArrangedPullback,
    CalleePullback,
    DefaultsPullback,
    DoorPullback,
    OwnPullback,
    Paired,
    Suspended,
)
from zygpy.identity import attempts, calls, caught
from zygpy.identity.attributes import read_attribute
from zygpy.pushed.arrays import is_written
from zygpy.pushed.asking import generator_made, iterated
from zygpy.pushed.attributes import (
    CHAINED,
    CONSTANT,
    FIELD,
    GIVEN,
    METHOD,
    VARS,
    attribute_of,
    attribute_read,
    attribute_stored,
    owner_of,
)
from zygpy.pushed.classes import is_class, is_of_class
from zygpy.pushed.containers import is_container, method_for, updated_by_name
from zygpy.pushed.copies import copies_things
from zygpy.pushed.defaults import has_defaults, with_defaults
from zygpy.pushed.doors import (
    pushed_attribute,
    pushed_call,
    pushed_change,
    pushed_generator,
    pushed_iteration,
    pushed_method,
    pushed_operation,
    pushed_store,
)
from zygpy.pushed.entries import is_entry
from zygpy.pushed.found import Ready, is_carried, ready_call, ready_operation, stand_in, zeros_of
from zygpy.pushed.generators import asks_iterators, is_by_rule, iteration_method, ready_generator
from zygpy.pushed.in_order import dots_in_places
from zygpy.pushed.methods import (
    INHERITED,
    SET_ANEW,
    container_made,
    copied,
    function_called,
    is_bound,
    makes_container,
    method_called,
    method_of,
    unbound,
)
from zygpy.pushed.operators import changed, is_operator, joined_as, methods_of_operator, operated
from zygpy.pushed.sets import combined, combines_sets
from zygpy.rules.custom import is_ruled
from zygpy.runtime.mirrors import has_table, held_dot, mirror_of, put_there
from zygpy.runtime.paired_generators import is_paired
from zygpy.runtime.partials import RECEIVER
from zygpy.runtime.partner_partials import is_partial
from zygpy.runtime.places import Ignored
from zygpy.runtime.subclasses import bare, is_unbound
from zygpy.runtime.ways import Way
from zygpy.runtime.zeros import CannotPush, bring, has_partner

APART: frozenset[Any] = frozenset({bare, bring, held_dot, mirror_of, put_there})
"""What puts tangents where they are found again: no gradient goes through it."""


class Found(NamedTuple):
    """The call that a door makes: the tangent function, with the arguments, their tangents, and what has
    tangents of the function's own: values that it has captured, and variables that it shares with others."""

    ready: Ready
    args: tuple[Any, ...]
    dots: tuple[Any, ...]
    parts: tuple[Any, ...]
    places: tuple[tuple[Any, ...], int] | None = None  # which of the door's arguments these are, of how many
    captured: Captured | None = None
    defaults: Defaults | None = None
    first: bool = False  # whether the first argument is what is called, with its tangent

    def given(self) -> list[Any]:
        """What the tangent function is given."""
        values = (*self.args, *self.dots, *self.parts, *self.ready.constants)
        return [values[place] for place in self.ready.order]


class Captured(NamedTuple):
    """Values that the tangent of a function tells: `carried` is that tangent, `names` those of the pairs."""

    carried: Any
    names: tuple[str, ...]

    def read(self, way: Way) -> Any:
        """The pairs, by name, and the pullback of their reading."""
        told, back_of_told = read_attribute(way, self.carried, "captured")
        pairs, back_of_pairs = calls.call(way, told)
        return pairs, CapturedRead(back_of_told, back_of_pairs)


class CapturedRead:
    """The pullback of what a function's tangent tells: what the pairs got goes where they were captured."""

    def __init__(self, back_of_told: Any, back_of_pairs: Any) -> None:
        self.back_of_told = back_of_told
        self.back_of_pairs = back_of_pairs

    def __call__(self, store: Any) -> None:
        (told_bar,) = self.back_of_pairs(None, store)
        self.back_of_told(told_bar, store)


class Defaults(NamedTuple):
    """Default values, with their tangents, that a call is given behind its arguments."""

    pairs: Mapping[str, Any]
    names: tuple[str, ...]


def pulled(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A door of forward mode in reverse mode: what it does is followed where that is more than to call the
    tangent function that it finds. None for anything else."""
    if type(function) is FunctionType and function in APART:
        return function(*args), Ignored(1 + len(args))
    if type(function) is not FunctionType or function not in FINDS:
        return None
    found = FINDS[function](*args)
    if found is None:
        return calls.call(way, followed(function, args), *args)
    read = None if found.captured is None else found.captured.read(way)
    both, back = calls.call(way, found.ready.function, *found.given())
    return _with_tangent(found, both, _owned(found, back, read), PLACES[function], len(args))


def pulled_plainly(function: Any, args: tuple[Any, ...]) -> Any:
    """The same of the work of a door in code that finds nothing by identity; None also for what writes."""
    found = FINDS[WORKING[function]](*args)
    if found is None or found.parts or found.ready.writes or found.ready.suspended is not None:
        return None
    if found.defaults is not None or found.first:
        return None
    both, back = dispatch.pull(found.ready.function, *found.given())
    return _with_tangent(found, both, back, PLACES[WORKING[function]], len(args))


def pulled_caught(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same in a `try`: `(y, None), back` or `(None, failure), back`."""
    if type(function) is FunctionType and function in APART:
        return (function(*args), None), Ignored(1 + len(args))
    if type(function) is not FunctionType or function not in FINDS:
        return None
    found = FINDS[function](*args)
    if found is None:
        return caught.call(way, followed(function, args), *args)
    read = None if found.captured is None else found.captured.read(way)
    (both, failure), back = caught.call(way, found.ready.function, *found.given())
    back = _owned(found, Paired(back), read)
    if failure is not None:
        made = _pullback(found, back, PLACES[function], len(args), moves=False)
        return (None, failure), caught.First(made)
    both, made = _with_tangent(found, both, back, PLACES[function], len(args))
    return (both, None), caught.First(made)


def _with_tangent(found: Found, both: tuple[Any, Any], back: Any, place: int, given: int) -> Any:
    """What a tangent function gave, with the tangent where there is none, and the pullback of the door."""
    if found.ready.suspended is not None:
        made = _pullback(found, Suspended(back), place, given, moves=False)
        return (stand_in(found.ready), both), made
    y, y_dot = both
    dot = zeros_of(found.ready, y) if y_dot is None else y_dot
    return (y, dot), _pullback(found, back, place, given, moves=y_dot is not None)


def _pullback(found: Found, back: Any, place: int, given: int, *, moves: bool) -> Any:
    made: Any = DoorPullback(back, found.ready.order, len(found.args), place, given, moves)
    made = made if found.places is None else ArrangedPullback(made, *found.places, 1 + place)
    made = CalleePullback(made, 1 + place) if found.first else made
    return made if found.defaults is None else DefaultsPullback(made, found.defaults, 1 + place)


def _owned(found: Found, back: Any, read: Any) -> Any:
    """The pullback of a tangent function, which brings what a function has captured its cotangents."""
    if read is None or found.captured is None:
        return back
    values = [*found.args, *found.dots]
    return OwnPullback(back, found.ready.order, len(values), found.captured.names, *read)


def _operation(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Found | None:
    if combines_sets(operation, args, dots) or joined_as(operation, args, dots) is not None:
        return None
    methods = methods_of_operator(operation, args)
    if methods is None:
        return Found(ready_operation(operation, args, dots), args, dots, ())
    return None


def _call(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> Found | None:
    """The call of a function that is given what it takes."""
    if is_entry(function, carried):
        raise CannotPush
    if _is_followed(function, carried, args):
        return None
    if is_bound(function, carried):
        return _of_bound(function, carried, args, dots, changing)
    if has_partner(function):
        found = None if is_ruled(function) else _method("__call__", (function, *args), (carried, *dots))
        return None if found is None else found._replace(first=True)
    if has_defaults(carried):
        return _with_defaults(function, carried, args, dots, changing)
    return _in_order(function, carried, args, dots, changing)


def _is_followed(function: Any, carried: Any, args: tuple[Any, ...]) -> bool:
    """Whether what is called does more than to call one function."""
    if _is_pythons_own(function, args) or is_unbound(function) or is_partial(function, carried):
        return True
    return is_class(function) or is_of_class(function)


def _in_order(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> Found | None:
    """The call of a function, which is given an argument for each of its parameters."""
    arranged = arrangement_of(function, len(args))
    if arranged is not None and arranged.makes_dict:
        return None  # whose cotangents are found by identity
    if arranged is not None:
        given = in_places(arranged.places, (*args, *arranged.constants))
        found = _call(arranged.function, carried, given, dots_in_places(arranged, args, dots), changing)
        return None if found is None else found._replace(places=(arranged.places, len(args)))
    own = carried.pairs() if is_carried(carried) else {}
    ready = ready_call(function, own, args, dots, changing)
    if ready.opened:
        return None
    parts = tuple([part for name in own for part in own[name]])
    captured = None if all(type(part) is CellType for part in parts) else Captured(carried, tuple(own))
    return Found(ready, args, dots, parts, captured=captured)


def _of_bound(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> Found | None:
    """The same of a method that was read of an object, which is what it carries."""
    called, own = unbound(function), carried.pairs()[RECEIVER]
    found = _call(called, None, (own[0], *args), (own[1], *dots), changing)
    if found is None or found.places is not None:
        return None
    count = len(args)
    moved = {0: 2 * count, count + 1: 2 * count + 1}
    order = tuple(
        [
            moved.get(place, place if place > 2 * count + 1 else place - 1 - (place > count))
            for place in found.ready.order
        ]
    )
    return Found(replace(found.ready, order=order), args, dots, own, captured=Captured(carried, (RECEIVER,)))


def _with_defaults(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> Found | None:
    """The same of a function with default values that have tangents."""
    called, own, given, along = with_defaults(function, carried, args, dots)
    found = _call(called, own, given, along, changing)
    if found is None:
        return None
    names = called.names[len(called.names) - (len(given) - len(args)) :] if len(given) > len(args) else ()
    captured = found.captured and found.captured._replace(carried=carried)
    return found._replace(captured=captured, defaults=Defaults(carried.defaults, names))


def _is_pythons_own(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether what is called makes containers, copies things, is an operator, or asks them for items."""
    makes = makes_container(function) or copies_things(function) or is_operator(function, args)
    return makes or (asks_iterators(function) and not is_by_rule(function, args))


def _generator(function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]) -> Found:
    return Found(ready_generator(function, names, args, dots), args, dots, ())


def _iteration(args: tuple[Any], dots: tuple[Any]) -> Found | None:
    """The call of an `__iter__` that is a generator function."""
    method = iteration_method(args[0], "__iter__")
    if method is None:
        return None
    found = _call(method, None, args, dots, True)
    return found if found is not None and found.ready.suspended is not None else None


def _method(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Found | None:
    if is_container(args[0]) or is_paired(args[0]) or is_written(args[0], name):
        return None
    found = method_of(args[0], name)
    return (
        None
        if found in (SET_ANEW, CONSTANT, FIELD, INHERITED, GIVEN)
        else _call(found, None, (owner_of(args[0]), *args[1:]), dots, True)
    )


def _attribute(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Found | None:
    if has_table(args[0]):
        return None
    found = attribute_of(args[0], dots[0], name)
    return (
        None
        if found in (FIELD, CONSTANT, CHAINED, VARS, METHOD, GIVEN)
        else _call(found, None, args, dots, True)
    )


def _none(what: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> None:
    """Nothing is called, or it is not known what."""


FINDS: Mapping[Any, Callable[..., Found | None]] = {
    pushed_operation: _operation,
    pushed_call: _call,
    pushed_generator: _generator,
    pushed_iteration: _iteration,
    pushed_method: _method,
    pushed_attribute: _attribute,
    pushed_store: _none,
    pushed_change: _none,
}
"""What finds the call that a door makes."""

PLACES: Mapping[Any, int] = {
    pushed_operation: 1,
    pushed_call: 2,
    pushed_generator: 2,
    pushed_iteration: 0,
    pushed_method: 1,
    pushed_attribute: 1,
}
"""Which argument of each are the arguments; behind these are their tangents."""

FOLLOWED: Mapping[Any, Callable[..., Any]] = {
    pushed_operation: operated,
    pushed_call: function_called,
    pushed_generator: generator_made,
    pushed_iteration: iterated,
    pushed_attribute: attribute_read,
    pushed_method: method_called,
    pushed_store: attribute_stored,
    pushed_change: changed,
}
"""What each does otherwise."""


def followed(function: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
    """What a door does, of which that part is taken alone that is there for containers: less is derived."""
    if function is pushed_method and is_container(args[1][0]):
        return method_for(args[1][0]) if type(args[0]) is str else updated_by_name
    if function is pushed_call and makes_container(args[0]):
        return container_made
    if function is pushed_call and copies_things(args[0]):
        return copied
    if function is pushed_operation and combines_sets(*args):
        return combined
    return FOLLOWED[function]


attempts.ask_first(attempts.knowing(pulled, [*APART, *FINDS]))
caught.ATTEMPTS.append(pulled_caught)

WORKING: Mapping[Any, Any] = {FOLLOWED[door]: door for door in PLACES}
"""The doors by the functions that do their work."""

dispatch.DOORS.update(dict.fromkeys(WORKING, pulled_plainly))
