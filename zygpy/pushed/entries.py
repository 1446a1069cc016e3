"""Tangents of derivatives: of what entry points give in the code of tangents.

What an entry point does is to call a function that is generated: `gradient` that of a pair, `pushforward`
and `hvp` tangent functions. Its tangent is that of this function, and the tangent of a door in tangent code
is that of the tangent function which the door finds; so that all goes by forward mode, to any order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CellType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from zygpy import dispatch, nested
from zygpy.layout import plain
from zygpy.load.guards import check_not_replaced
from zygpy.pushed.found import FINDERS, Ready, is_carried, ready_call, ready_operation, zeros_of
from zygpy.rules.custom import is_ruled
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.directions import is_number, or_zero
from zygpy.runtime.instead import ENTRIES, KEPT, entry_point, is_entry_point
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.modes import CHECKING
from zygpy.runtime.tangents import direction_of, finished
from zygpy.runtime.zeros import Begun, CannotPush, Carried, let_go, zero_tangent
from zygpy.units import unit_of


class Behind:
    """The tangent of what `pushforward` gave: those of the function and of its arguments."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)


class Moved:
    """The tangent of a function's tangent: `parts` tells those of the pairs that this tells, by name."""

    def __init__(self, pairs: Any, carried: Any) -> None:
        self.pairs = pairs
        self.carried = carried

    def parts(self) -> dict[str, tuple[Any, Any]]:
        """They are asked for when the function is called, as the pairs are."""
        slots = Slots(self.pairs, self.carried, (), ())
        plan = planned(slots, True)
        _, found = plan.result(plan.run(plan.given(slots, True)), True)
        return {} if found is None else dict(found)


class Slots(NamedTuple):
    """What the door of calls is given, or the tangent of that along one more direction: then None stands for
    what has none."""

    function: Any
    carried: Any
    args: Any
    dots: Any


class Plan(NamedTuple):
    """A call that gives a value and its tangent: the tangent function, what it is given, and what is made of
    what it gives. Both are asked of the values themselves, which comes `first`, and, where the call is pushed
    forward, of their tangents."""

    function: Any
    given: Callable[[Slots, bool], list[Any]]
    result: Callable[[Any, bool], Any]
    deeper: int = 0  # how many levels of nesting the call is below the door's

    def run(self, given: list[Any]) -> Any:
        """The call."""
        return _run(self.function, given, self.deeper)


def is_entry(function: Any, carried: Any) -> bool:
    """Whether what is called is an entry point, what one has given, or a door."""
    if type(carried) is Behind:
        return True
    return is_entry_point(function) or (type(function) is FunctionType and hasattr(function, KEPT))


def entered(slots: Slots, changing: bool) -> tuple[Any, Any]:
    """What an entry point gives, and its tangent.

    Raises CannotPush, before anything is done, where no tangent code is written for it.
    """
    if CHECKING.get():
        raise CannotPush
    plan = planned(slots, changing)
    try:
        with Begun():
            found = plan.run(plan.given(slots, True))
    except BaseException as error:
        let_go(error)
        raise
    y, y_dot = plan.result(found, True)
    return y, y_dot


def _run(function: Any, given: list[Any], deeper: int) -> Any:
    return _run_deeper(function, given, deeper - 1) if deeper else function(*given)


@is_deeper
def _run_deeper(function: Any, given: list[Any], deeper: int) -> Any:
    found = _run(function, given, deeper)
    if BEGUN:
        check_end(sys._getframe())
    return found


def planned(slots: Slots, changing: bool, along: Slots | None = None) -> Plan:
    """The call that gives what the door is asked for, to be pushed forward `along` what varies.

    Raises CannotPush where there is none.
    """
    function = slots.function
    if function is together:
        return _of_parts(slots)
    if is_entry_point(function):
        found: Plan = PLANS[ENTRIES[function]](slots, changing)
        return found
    if hasattr(function, KEPT):
        return _of_push(slots, changing)
    return _of_function(slots, changing, along)


def items(values: Any, count: int) -> Sequence[Any]:
    """The items of a tuple, or of its tangent, which may be None as a whole."""
    found: Sequence[Any] = (None,) * count if values is None else values
    if len(found) != count:
        raise CannotPush
    return found


def _of_function(slots: Slots, changing: bool, along: Slots | None) -> Plan:
    """The call of a function, by its tangent function: what the function captures that varies along the new
    direction alone has tangents of zeros there."""
    own = dict(slots.carried.pairs()) if is_carried(slots.carried) else {}
    if not own:
        _pairs_of(slots.carried)
    if along is not None and is_carried(along.function):
        for name, (value, _) in along.function.pairs().items():
            own.setdefault(name, (value, zero_tangent(value)))
    ready = ready_call(slots.function, own, tuple(slots.args), tuple(slots.dots), changing)
    return _of_ready(ready, own, len(slots.args))


def _of_ready(ready: Ready, own: dict[str, tuple[Any, Any]], count: int) -> Plan:
    """The same of one that was found, which carries variables with their tangents."""
    if (
        ready.suspended is not None
        or ready.writes
        or any(type(part) is CellType for pair in own.values() for part in pair)
    ):
        raise CannotPush

    def given(asked: Slots, first: bool) -> list[Any]:
        pairs = own if first else _moved(own, asked.function, asked.carried)
        parts = [part for name in own for part in pairs[name]]
        constants = ready.constants if first else (None,) * len(ready.constants)
        values = (*items(asked.args, count), *items(asked.dots, count), *parts, *constants)
        return [values[place] for place in ready.order]

    def result(found: Any, first: bool) -> Any:
        y, y_dot = items(found, 2)
        return (y, zeros_of(ready, y)) if first and y_dot is None else (y, y_dot)

    return Plan(ready.function, given, result)


def _moved(own: Iterable[str], function: Any, carried: Any) -> dict[str, tuple[Any, Any]]:
    """The tangents of the variables that a function carries, and of their tangents, out of those of the
    function and of what it carries.

    Raises CannotPush where more of what it captures varies.
    """
    values, tangents = _pairs_of(function), _pairs_of(carried)
    if not {*values, *tangents} <= set(own):
        raise CannotPush
    found = {}
    for name in own:
        value = values[name][1] if name in values else tangents.get(name, (None, None))[0]
        found[name] = value, tangents.get(name, (None, None))[1]
    return found


def _pairs_of(dot: Any) -> Mapping[str, tuple[Any, Any]]:
    """What the tangent of a function tells, or that of such a tangent, by name: behind is what is asked for.

    Raises CannotPush for anything else.
    """
    if type(dot) is Moved:
        return dot.parts()
    if not is_carried(dot):
        _check_none(dot)
        return {}
    pairs: Mapping[str, tuple[Any, Any]] = dot.pairs()
    if any(type(part) is CellType for pair in pairs.values() for part in pair):
        raise CannotPush
    return pairs


def _of_carried(slots: Slots, changing: bool) -> Plan:
    """What tells what a function carries, as it is made in tangent code."""

    def given(asked: Slots, first: bool) -> list[Any]:
        if not first:
            raise CannotPush
        return [asked.args[0], items(asked.dots, 1)[0]]

    def result(found: Any, first: bool) -> Any:
        pairs, dot = found
        return Carried(pairs), None if dot is None else Moved(pairs, dot)

    return Plan(together, given, result)


def _of_door(slots: Slots, changing: bool) -> Plan:
    """The call of the door of calls, in tangent code that is pushed forward: that of the tangent function
    of the one which the door finds."""
    inner, dots = Slots(*slots.args[:4]), Slots(*items(slots.dots, 5)[:4])
    first_plan = planned(inner, slots.args[4], dots)
    function = first_plan.function
    given_now, given_dots = first_plan.given(inner, True), first_plan.given(dots, False)
    plan = planned(Slots(function, None, given_now, given_dots), changing)

    def given(asked: Slots, first: bool) -> list[Any]:
        values = first_plan.given(Slots(*items(asked.args, 5)[:4]), first)
        tangents = first_plan.given(Slots(*items(asked.dots, 5)[:4]), False)
        return plan.given(Slots(function if first else None, None, values, tangents), first)

    def result(found: Any, first: bool) -> Any:
        y, y_dot = plan.result(found, first)
        return first_plan.result(y, first), first_plan.result(y_dot, False)

    return Plan(plan.function, given, result, first_plan.deeper + plan.deeper)


def _of_operation(slots: Slots, changing: bool) -> Plan:
    """The door of operators in such code, for numbers and arrays."""
    operation, args, dots = slots.args
    ready, count = ready_operation(operation, args, dots), len(args)
    plan = _of_ready(ready, {}, count)
    inner = Slots(None, None, args, dots)
    along = Slots(None, None, *items(slots.dots, 3)[1:])
    given_now, given_dots = plan.given(inner, True), plan.given(along, False)
    outer = planned(Slots(ready.function, None, given_now, given_dots), changing)

    def given(asked: Slots, first: bool) -> list[Any]:
        values = plan.given(Slots(None, None, *items(asked.args, 3)[1:]), first)
        tangents = plan.given(Slots(None, None, *items(asked.dots, 3)[1:]), False)
        return outer.given(Slots(None, None, values, tangents), first)

    def result(found: Any, first: bool) -> Any:
        y, y_dot = outer.result(found, first)
        return plan.result(y, first), plan.result(y_dot, False)

    return Plan(outer.function, given, result)


def _of_change(slots: Slots, changing: bool) -> Plan:
    """The door of operators in place, where these give something new."""
    if any(isinstance(value, np.ndarray) for value in slots.args[1]):
        raise CannotPush
    return _of_operation(slots, changing)


def _of_none(slots: Slots, changing: bool) -> Plan:
    raise CannotPush


def together(*parts: Any) -> tuple[Any, ...]:
    """What it is given, as the tangent function of what gives its arguments themselves."""
    return parts


def _of_parts(slots: Slots) -> Plan:
    count = len(slots.args)

    def given(asked: Slots, first: bool) -> list[Any]:
        return [tuple(items(asked.args, count)), tuple(items(asked.dots, count))]

    return Plan(together, given, lambda found, first: found)


# ----------------------------------------------------------------------------------- the entry points


def _of_pushforward(slots: Slots, changing: bool) -> Plan:
    """`pushforward(f, *args)`, which gives a function that holds these."""
    as_they_were, count = FINDERS["as_they_were"], len(slots.args)
    _found_push(slots.args)

    def given(asked: Slots, first: bool) -> list[Any]:
        kept = as_they_were(items(asked.args, count))
        return [tuple(kept), tuple(as_they_were(items(asked.dots, count)))]

    def result(found: Any, first: bool) -> Any:
        values, dots = found
        return entry_point("pushforward")(*values) if first else Behind(values), Behind(dots)

    return Plan(together, given, result)


def _found_push(given: Sequence[Any]) -> Any:
    """The call of the tangent function of a function on its arguments."""
    function, *args = given
    found = FINDERS["push_of"](function, args, at_once=True)
    if not hasattr(found, "run"):
        raise CannotPush(found.why)
    return found


def _of_push(slots: Slots, changing: bool) -> Plan:
    """The call of what `pushforward` gave."""
    kept = getattr(slots.function, KEPT)
    push, xs = _found_push(kept), kept[1:]

    def given_by(which: Any, along: Any, first: bool) -> list[Any]:
        parts = kept if first else items(_parts_of(which), len(kept))
        return _with_directions(push, kept, parts, items(along, len(xs)), first)

    def made(found: Any, like: Any) -> Any:
        if not is_number(like):
            raise CannotPush
        return finished(items(found, 2)[1], like)

    def split(asked: Slots, first: bool) -> tuple[list[Any], list[Any]]:
        now = given_by(asked.function, asked.args, first)
        return now, given_by(asked.carried, asked.dots, False)

    def check() -> None:
        check_not_replaced(push.tangent.program.name, push.tangent.checks)

    return _twice(push.tangent.function, slots, changing, split, made, check)


def _parts_of(dot: Any) -> Any:
    """The tangents of what `pushforward` was given; None where there are none."""
    if type(dot) is Behind:
        return dot.parts
    _check_none(dot)
    return None


def _check_none(dot: Any) -> None:
    """Leave to reverse mode what is no tangent of a function that does not vary, which may be a number."""
    if dot is not None and type(dot) is not float:
        raise CannotPush


def _twice(
    function: Any,
    slots: Slots,
    changing: bool,
    split: Callable[[Slots, bool], tuple[list[Any], list[Any]]],
    made: Callable[[Any, Any], Any],
    check: Callable[[], None],
    deeper: int = 1,
) -> Plan:
    """The call of the tangent function of a generated function, which is given what `split` makes of what
    the door is; `made` makes the result of what the generated function gives, in the form of its value."""
    now, dots = split(slots, True)
    plan = planned(Slots(function, None, now, dots), changing)

    def given(asked: Slots, first: bool) -> list[Any]:
        values, tangents = split(asked, first)
        return plan.given(Slots(function if first else None, None, values, tangents), first)

    def result(found: Any, first: bool) -> Any:
        y, y_dot = plan.result(found, first)
        check()
        like = y[0]
        return made(y, like), made(y_dot, like)

    return Plan(plan.function, given, result, plan.deeper + deeper)


def _with_directions(
    push: Any, kept: Sequence[Any], parts: Sequence[Any], along: Any, first: bool
) -> list[Any]:
    """What a tangent function is given for the function and arguments that are `kept`, along directions; or
    the tangents of all that, those of `kept` being the `parts`."""
    function, *xs = kept
    captured = push.own[0] if push.own else len(push.values)
    values = list(push.values)
    if not first:
        values = [None] * len(values)
        values[:captured] = _captured_dots(function, parts[0], captured)
        for place, dot in zip(push.own, parts[1:], strict=True):
            values[place] = dot
    directions: dict[int, Any] = {}
    for place, direction, x in zip(push.own, along, xs, strict=True):
        directions[place] = None if direction is None and not first else direction_of(direction, x)
    given = []
    for place, value in enumerate(values):
        given.append(value)
        if push.tangent.places[place]:
            given.append(directions.get(place))
    return given


def _captured_dots(function: Any, dot: Any, count: int) -> list[Any]:
    """The tangents of the variables that a function captures, in order.

    Raises CannotPush where it shares them with others.
    """
    if not is_carried(dot) and type(dot) is not Moved:
        _check_none(dot)
        return [None] * count
    if type(function) is not FunctionType or is_ruled(function):
        raise CannotPush
    unit, pairs = unit_of(function), _pairs_of(dot)
    names = list(unit.captured)
    if len(names) != count or not set(pairs) <= set(names) - set(unit.source.rebound):
        raise CannotPush
    return [pairs[name][1] if name in pairs else None for name in names]


def _of_product(slots: Slots, changing: bool) -> Plan:
    """`hvp(f, x, v)`."""
    if len(slots.args) != 3:
        raise CannotPush
    kept = slots.args[:2]
    function, x = kept
    push = FINDERS["gradient_push"](function, (x,))
    if not hasattr(push, "run"):
        raise CannotPush(push.why)

    def split(asked: Slots, first: bool) -> tuple[list[Any], list[Any]]:
        now, dots = items(asked.args, 3), items(asked.dots, 3)
        return (
            _with_directions(push, kept, now[:2], now[2:], first),
            _with_directions(push, kept, dots[:2], dots[2:], False),
        )

    def made(found: Any, like: Any) -> Any:
        grads_dot = items(found, 2)[1]
        product = or_zero(None if grads_dot is None else grads_dot[push.first], x)
        return float(product) if type(x) is float else product

    def check() -> None:
        check_not_replaced(push.tangent.program.name, push.tangent.checks)

    return _twice(push.tangent.function, slots, changing, split, made, check)


def _of_gradient(slots: Slots, changing: bool) -> Plan:
    """`gradient(f, *args)`."""
    function, *args = slots.args
    if any(hasattr(type(arg), "__zygpy_implicit__") for arg in args):
        raise CannotPush
    inner = dispatch.prepare_inside(function, tuple(args), {})
    count = len(args)
    if inner is None or inner.pair.identity or inner.pair.writes or inner.pair.carries:
        raise CannotPush
    captured = len(inner.values) - count
    if not args or inner.layout.arguments != plain(("",) * captured, count).arguments:
        raise CannotPush

    def dots_of(dots: Sequence[Any]) -> list[Any]:
        return [*_captured_dots(function, dots[0], captured), *dots[1:]]

    def split(asked: Slots, first: bool) -> tuple[list[Any], list[Any]]:
        now, dots = items(asked.args, count + 1), items(asked.dots, count + 1)
        return list(inner.values) if first else dots_of(now), dots_of(dots)

    def made(found: Any, like: Any) -> Any:
        return tuple(items(found, count))

    gradient = nested.gradient_function(inner, count)  # which is a level deeper itself
    return _twice(gradient, slots, changing, split, made, lambda: None, deeper=0)


PLANS: dict[str, Callable[[Slots, bool], Plan]] = {
    "door": _of_door,
    "carried": _of_carried,
    "operation": _of_operation,
    "change": _of_change,
    "attribute": _of_none,
    "method": _of_none,
    "generator": _of_none,
    "pushforward": _of_pushforward,
    "hvp": _of_product,
    "gradient": _of_gradient,
}
"""What plans the calls of entry points, by what these are."""
