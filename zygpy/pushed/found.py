"""Tangents that are found when the code runs: those of rules that have none of their own, and those of calls
and operations of which it is not known before what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import BuiltinFunctionType, CellType, FunctionType
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.arranged import Each
from zygpy.errors import ZygpyError
from zygpy.identity.left_behind import is_watchful
from zygpy.load.signatures import PLAIN
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.directions import inner
from zygpy.runtime.lookup import is_among
from zygpy.runtime.mirrors import mirror_of
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.paired_generators import InPairs
from zygpy.runtime.tangents import any_seed, in_form
from zygpy.runtime.ways import COPYING
from zygpy.runtime.zeros import CannotPush, Carried, zero_tangent
from zygpy.units import captured_values, suspended_unit, unit_of


def pushed_by_rule(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], dots: Any) -> Any:
    """The tangent of what a function with a rule gives: its pullback, which is linear, is differentiated by
    the seed; `dots` has a tangent, or None, for each positional argument.

    Raises CannotPush where the rule cannot be differentiated.
    """
    try:
        y, back = dispatch.pull_with(function, args, kwargs, way=COPYING)

        def along(seed: Any) -> Any:
            return inner(back(seed)[1 : 1 + len(dots)], dots)

        _, again = dispatch.pull_with(along, (any_seed(y),), {}, way=COPYING)
        return _like(again(1.0)[1], y)
    except Exception as error:  # which is none of the program's, that has called the function before
        raise CannotPush from error


def tangent_by_users_rule(stand_in: FunctionType, active: Sequence[bool]) -> Callable[..., Any]:
    """A function of the arguments, and behind each that is active of its tangent, that gives the value by a
    rule of the user's and the tangent by its pullback."""

    def tangent(*given: Any) -> tuple[Any, Any]:
        rest = iter(given)
        pairs = [(next(rest), next(rest) if moves else None) for moves in active]
        prepared = dispatch.prepare_given(stand_in, tuple(arg for arg, _ in pairs), {}, COPYING)
        if prepared is None or prepared.pair.carries:
            raise CannotPush
        y, back = dispatch.made(prepared)
        return y, _transposed(y, back, tuple(dot for _, dot in pairs))

    return tangent


def _transposed(y: Any, back: Callable[[Any], Any], dots: tuple[Any, ...]) -> Any:
    """The tangent of a number or array out of what a pullback gives for seeds: by the derivative of that, or
    for one seed after another where it has none.

    Raises CannotPush where neither can be done.
    """

    def along(seed: Any) -> Any:
        return inner(back(seed)[1 : 1 + len(dots)], dots)

    try:
        _, again = dispatch.pull_with(along, (any_seed(y),), {}, way=COPYING)
        return _like(again(1.0)[1], y)
    except Exception as error:
        if np.iscomplexobj(y):
            raise CannotPush from error
    try:
        seeds = np.eye(np.size(y)).reshape(-1, *np.shape(y)) if isinstance(y, np.ndarray) else [1.0]
        entries = [along(seed) for seed in seeds]
    except Exception as error:  # which comes again where all is done in reverse mode
        raise CannotPush from error
    return _like(np.reshape(entries, y.shape) if isinstance(y, np.ndarray) else entries[0], y)


def _like(dot: Any, y: Any) -> Any:
    """A tangent in the form of a result, zeros where there is none."""
    if isinstance(y, tuple):
        parts = [_like(None if dot is None else part, item) for part, item in zip(dot or y, y, strict=True)]
        return like_tuple(type(y), parts)
    if dot is None:
        return zero_tangent(y)
    return in_form(dot, y) if isinstance(y, np.ndarray) else dot


OPERANDS = (int, float, complex, np.generic, np.ndarray, Fraction)
"""What operators work on without running any code that is not known."""

FINDERS: dict[str, Callable[..., Any]] = {}
"""What makes calls ready along directions (`push_of_unit`), and tells the default values of parameters that
are not given (`rest_of`); it stands in a room above, which fills it in."""


@dataclass(frozen=True)
class Ready:
    """A tangent function that was found for a call, and what it is given: which of the arguments, their
    tangents, what the function carries, and constants, in which order."""

    function: FunctionType
    order: tuple[int, ...]
    constants: tuple[Any, ...]
    keeps: bool  # whether what it gives may be one of the things that it was given, or in them
    writes: bool = False  # whether it may write to what it is given
    opened: frozenset[str] = frozenset()  # what is carried in cells, of which it is given the contents
    suspended: tuple[str, bool] | None = None  # what is known of the generator that it gives, if it gives one


def called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a function gives, and its tangent: what `pushed_call` does where it is a function."""
    own = carried.pairs() if is_carried(carried) else {}
    ready = ready_call(function, own, args, dots, changing)
    parts = [part.cell_contents if name in ready.opened else part for name in own for part in own[name]]
    if ready.suspended is not None:
        return stand_in(ready), run(ready, args, dots, tuple(parts))
    y, y_dot = run(ready, args, dots, tuple(parts))
    return y, zeros_of(ready, y) if y_dot is None else y_dot


def run(
    ready: Ready, args: tuple[Any, ...], dots: tuple[Any, ...], carried: tuple[Any, ...]
) -> tuple[Any, Any]:
    """The call of a tangent function that was found. (It has a name, so that in a `try` what it did before it
    fails is recorded: that is not done of generated functions in fields.)"""
    values = (*args, *dots, *carried, *ready.constants)
    function = ready.function
    found: tuple[Any, Any] = function(*[values[place] for place in ready.order])
    return found


def stand_in(ready: Ready) -> InPairs:
    """What the program has in the place of the generator that a tangent function gives."""
    assert ready.suspended is not None
    return InPairs(*ready.suspended)


def zeros_of(ready: Ready, y: Any) -> Any:
    """The tangent of what a call gives without one.

    Raises CannotPush where that may be something that has a tangent already.
    """
    if ready.keeps and _can_change(y):
        raise CannotPush
    return zero_tangent(y)


def is_carried(value: Any) -> bool:
    """Whether a function's tangent tells those of what it captures."""
    return type(value) is Carried


def ready_operation(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Ready:
    """The tangent function of an operator.

    Raises CannotPush for operands that are no numbers and arrays.
    """
    if not _are_plain(args) or not all(isinstance(value, OPERANDS) for value in args):
        raise CannotPush
    unit = dispatch.unit_of_primitive(operation, args, {})
    return _ready(FINDERS["push_of_unit"](unit, None, [], list(args), []), dots, {}, 0)


def ready_call(
    function: Any,
    carried: Mapping[str, Any],
    args: tuple[Any, ...],
    dots: tuple[Any, ...],
    changing: bool,
) -> Ready:
    """The tangent function of what is called; `carried` are those variables that the function captures which
    have tangents, or their cells.

    Raises CannotPush where there is none.
    """
    push, own = _found(function, tuple(carried), args, changing)
    ready = _ready(push, dots, own, len(carried))
    cells = {name for name in carried if type(carried[name][0]) is CellType}
    if not cells and not own:
        return ready
    shared = unit_of(function.function if type(function) is Each else function).source.rebound
    if any(name in shared and name not in cells for name in carried):
        raise CannotPush
    if ready.suspended is not None and not cells <= set(shared):  # it reads them while it runs
        raise CannotPush
    return replace(ready, opened=frozenset(name for name in cells if name not in shared))


def _ready(push: Any, dots: tuple[Any, ...], carried: Mapping[int, int], pairs: int) -> Ready:
    """The call that was found with its arguments in order; of the `pairs` of what is carried those that it
    takes, by position."""
    if not hasattr(push, "along"):
        raise CannotPush(push.why)
    constants: list[Any] = []
    count = len(dots)
    behind = 2 * (count + pairs)
    own = {place: which for which, place in enumerate(push.own)}
    given = {push.own[which] for which, dot in enumerate(dots) if dot is not None} | set(carried)

    def constant(value: Any) -> int:
        constants.append(value)
        return behind + len(constants) - 1

    order = []
    for place, (is_paired, value) in enumerate(zip(push.tangent.places, push.values, strict=True)):
        if place in carried:
            order.append(2 * (count + carried[place]))
        else:
            order.append(own[place] if place in own else constant(value))
        if is_paired and place in carried:
            order.append(2 * (count + carried[place]) + 1)
        elif is_paired:
            order.append(count + own[place] if place in given else constant(mirror_of(value)))
    others = [value for place, value in enumerate(push.values) if place not in given]
    if push.tangent.writes and any(map(_can_change, others)) and not push.tangent.everywhere:
        raise CannotPush
    keeps = any(map(_can_change, push.values))
    own_name = push.tangent.program
    suspended = (own_name.name, push.found.unit.delegates) if own_name.generator else None
    function, writes = push.tangent.function, bool(push.tangent.writes)
    return Ready(function, tuple(order), tuple(constants), keeps, writes, suspended=suspended)


def _found(
    function: Any, carried: tuple[str, ...], args: tuple[Any, ...], changing: bool
) -> tuple[Any, dict[int, int]]:
    """The call, and which of what the function carries is at which position."""
    each = type(function) is Each
    if each or (type(function) is FunctionType and _is_written_in_python(function)):
        try:
            return _carrying(function, carried, list(args), changing)
        except (ZygpyError, SyntaxError, NameError) as error:  # which is said by reverse mode
            raise CannotPush from error
    kwargs: dict[str, Any] = {}
    positional = args
    if type(function) is ByKeyword:
        positional, kwargs = function.split(args)
        function = function.function
    if is_ruled(function) or declare.find(function) is None or not _are_plain(args, listed=True):
        raise CannotPush
    unit = dispatch.unit_of_primitive(function, positional, kwargs)
    return FINDERS["push_of_unit"](unit, None, [], list(args), []), {}


def _carrying(
    called: Any, carried: tuple[str, ...], args: list[Any], changing: bool
) -> tuple[Any, dict[int, int]]:
    each = type(called) is Each
    function: FunctionType = called.function if each else called
    unit = unit_of(function)
    unit = _suspended(function, unit) if unit.program.generator else unit
    rest = [] if each else FINDERS["rest_of"](unit, function, len(args))
    if not isinstance(rest, list):
        raise CannotPush
    own = {place: carried.index(name) for place, name in enumerate(unit.captured) if name in carried}
    captured, active = captured_values(unit, function), frozenset(own)
    push = FINDERS["push_of_unit"](unit, function, captured, args, rest, active=active, changing=changing)
    return push, own


def _suspended(function: FunctionType, unit: Any) -> Any:
    """The unit of a generator function in tangent code.

    Raises CannotPush where its handlers may change something: when these run that are left in the middle, is
    decided by the garbage collector.
    """
    if is_watchful(function, unit):
        raise CannotPush
    return suspended_unit(unit)


def _can_change(value: Any) -> bool:
    """Whether something that is no function can be changed, or holds what can be."""
    same = isinstance(value, FunctionType | BuiltinFunctionType | type | np.dtype) or value is NotImplemented
    return not (type(value) in PLAIN or same)


def _are_plain(args: Sequence[Any], *, listed: bool = False) -> bool:
    """Whether these are numbers and arrays, in which nothing else is; or if they may be `listed`, lists and
    tuples of such, in which there may be others."""
    return all(
        type(value) in PLAIN
        or type(value) is np.ndarray
        or _is_of_numbers(value)
        or (listed and type(value) in (list, tuple) and _are_plain(value, listed=True))
        for value in args
    )


def _is_of_numbers(value: Any) -> bool:
    """Whether something is a class of numbers, or what NumPy makes of one."""
    return isinstance(value, np.dtype) or (isinstance(value, type) and is_among(value, CLASSES))


CLASSES = frozenset({float, int, complex, bool, np.float64, np.float32, np.int64, np.complex128})
"""The classes by which functions of NumPy are told what to make."""


def _is_written_in_python(function: FunctionType) -> bool:
    """Whether a function is to be entered, as it has no rule."""
    return not (function in dispatch.SPECIAL or function in declare.REGISTRY or is_ruled(function))
