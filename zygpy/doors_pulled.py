"""Calls that are found when tangent code runs, in reverse mode: each is the call of the tangent function that
is found, and no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CellType, FunctionType
from typing import Any, NamedTuple

from zygpy import dispatch
from zygpy.arranged import arrangement_of, in_places, out_of_places
from zygpy.identity import attempts, calls, caught
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
from zygpy.pushed.defaults import has_defaults
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
)
from zygpy.pushed.operators import changed, is_operator, joined_as, methods_of_operator, operated
from zygpy.pushed.sets import combined, combines_sets
from zygpy.runtime.accumulate import accumulate, entries
from zygpy.runtime.mirrors import has_table, held_dot, mirror_of, put_there
from zygpy.runtime.paired_generators import is_paired
from zygpy.runtime.partner_partials import is_partial
from zygpy.runtime.places import Ignored
from zygpy.runtime.subclasses import bare, is_unbound
from zygpy.runtime.ways import Way
from zygpy.runtime.zeros import CannotPush, bring, has_partner

APART: frozenset[Any] = frozenset({bare, bring, held_dot, mirror_of, put_there})
"""What puts tangents where they are found again: no gradient goes through it."""


class Found(NamedTuple):
    """The call that a door makes: the tangent function, with the arguments, their tangents, and the variables
    that it shares with others."""

    ready: Ready
    args: tuple[Any, ...]
    dots: tuple[Any, ...]
    cells: tuple[CellType, ...]
    places: tuple[tuple[Any, ...], int] | None = None  # which of the door's arguments these are, of how many

    def given(self) -> list[Any]:
        """What the tangent function is given."""
        values = (*self.args, *self.dots, *self.cells, *self.ready.constants)
        return [values[place] for place in self.ready.order]


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
    both, back = calls.call(way, found.ready.function, *found.given())
    return _with_tangent(found, both, back, PLACES[function], len(args))


def pulled_plainly(function: Any, args: tuple[Any, ...]) -> Any:
    """The same of the work of a door in code that finds nothing by identity; None also for what writes."""
    found = FINDS[WORKING[function]](*args)
    if found is None or found.cells or found.ready.writes or found.ready.suspended is not None:
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
    (both, failure), back = caught.call(way, found.ready.function, *found.given())
    back = Paired(back)
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
    made = DoorPullback(back, found.ready.order, len(found.args), place, given, moves)
    return made if found.places is None else ArrangedPullback(made, *found.places, 1 + place)


class Paired:
    """The pullback of a call that may have failed as that of what it gives."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        nothing = y_bar is None or all(part is None for part in y_bar)
        return self.back(None if nothing else (y_bar, None), store)


class Suspended:
    """The pullback of a call that gave a generator of pairs: what its items got went there."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, *store: Any) -> Any:
        return self.back(None, *store)


class DoorPullback:
    """The pullback of a door: that of the tangent function, each cotangent where its argument was given."""

    def __init__(
        self, back: Any, order: tuple[int, ...], count: int, place: int, given: int, moves: bool
    ) -> None:
        self.back = back
        self.order = order
        self.count = count
        self.place = place
        self.given = given
        self.moves = moves

    def __call__(self, bar: Any, *store: Any) -> tuple[Any, ...]:
        y_bar, dot_bar = entries(bar, 2)
        bars = self.back((y_bar, dot_bar if self.moves else None), *store)
        parts: list[Any] = [None] * (2 * self.count)
        for place, part in zip(self.order, bars[1:], strict=True):
            if place < 2 * self.count:
                parts[place] = accumulate(parts[place], part)
        args, dots = tuple(parts[: self.count]), tuple(parts[self.count :])
        front: list[Any] = [None] * (1 + self.place)
        behind: list[Any] = [None] * (self.given - self.place - 2)
        return (*front, args, dots, *behind)


class ArrangedPullback:
    """The pullback of a door that has arranged its arguments: each gets its own cotangent."""

    def __init__(self, back: DoorPullback, places: tuple[Any, ...], count: int, at: int) -> None:
        self.back = back
        self.places = places
        self.count = count
        self.at = at

    def __call__(self, bar: Any, *store: Any) -> tuple[Any, ...]:
        found = self.back(bar, *store)
        front, behind = found[: self.at], found[self.at + 2 :]
        both = [out_of_places(self.places, bars, self.count) for bars in found[self.at : self.at + 2]]
        return (*front, *both, *behind)


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
    """The call of a function that carries no more than variables that others share."""
    if is_entry(function, carried):
        raise CannotPush
    if _is_pythons_own(function, args):
        return None
    if is_unbound(function) or is_partial(function, carried) or has_defaults(carried):
        return None
    if is_class(function) or has_partner(function) or is_of_class(function) or is_bound(function, carried):
        return None
    arranged = arrangement_of(function, len(args))
    if arranged is not None and arranged.makes_dict:
        return None  # whose cotangents are found by identity
    if arranged is not None:
        given = in_places(arranged.places, (*args, *arranged.constants))
        found = _call(arranged.function, carried, given, dots_in_places(arranged, args, dots), changing)
        return None if found is None else found._replace(places=(arranged.places, len(args)))
    own = carried.pairs() if is_carried(carried) else {}
    cells = tuple([part for name in own for part in own[name]])
    if not all(type(part) is CellType for part in cells):
        return None
    ready = ready_call(function, own, args, dots, changing)
    return None if ready.opened else Found(ready, args, dots, cells)


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
