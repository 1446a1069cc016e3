"""Tangents that are found when the code runs: those of rules that have none of their own, and those of calls
and operations of which it is not known before what they are."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import BuiltinFunctionType, CellType, FunctionType, WrapperDescriptorType
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.errors import ZygpyError
from zygpy.load.signatures import PLAIN
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.directions import inner
from zygpy.runtime.lookup import in_class
from zygpy.runtime.tangents import any_seed, in_form
from zygpy.runtime.ways import COPYING
from zygpy.runtime.zeros import TANGENT, CannotPush, Carried, Partner, has_partner, let_pass, zero_tangent
from zygpy.tangent.exceptions import PLAIN_EXCEPTIONS
from zygpy.units import captured_values, unit_of


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
        return type(y)(*parts) if hasattr(y, "_fields") else tuple(parts)
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
    opened: frozenset[str] = frozenset()  # what is carried in cells, of which it is given the contents


def pushed_operation(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What an operator gives for operands that are not known before, and its tangent; in `dots` is None
    for what has no tangent.

    Raises CannotPush before anything is done where the operands are no numbers and arrays, or lists or
    tuples that are joined.
    """
    return operated(operation, args, dots)


def pushed_call(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a function that is not known before gives, and its tangent; `carried` is the tangent of the
    function itself. It may write to what it is given, or carries, if that is `changing`: then everything
    that may be changed has its one tangent.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return called(function, carried, args, dots, changing)


def pushed_method(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of a method; the object, and its tangent, come first.

    Raises CannotPush where it is no method that is written in Python, of an object with a partner.
    """
    return method_called(name, args, dots)


def pushed_store(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """The assignment of an attribute of an object, which comes first, and of its partner's.

    Raises CannotPush where that is perhaps more than to set a field.
    """
    return attribute_stored(name, args, dots)


def pushed_attribute(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """The same of an attribute: a field, what a property gives, or a number that the class has.

    Raises CannotPush where it is none of these.
    """
    return attribute_read(name, args, dots)


def operated(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_operation` does, in code that can be differentiated."""
    if are_joined(operation, args, dots):
        return args[0] + args[1], dots[0] + dots[1]
    return run(ready_operation(operation, args, dots), args, dots, ())


def called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What `pushed_call` does, in the same way."""
    own = carried.pairs() if is_carried(carried) else {}
    ready = ready_call(function, own, args, dots, changing)
    parts = [part.cell_contents if name in ready.opened else part for name in own for part in own[name]]
    y, y_dot = run(ready, args, dots, tuple(parts))
    return y, zeros_of(ready, y) if y_dot is None else y_dot


def method_called(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_method` does, in the same way."""
    function = method_of(args[0], name)
    if function is SET_ANEW:
        args[0].__init__(*args[1:])
        dots[0].args = dots[1:]
        return None, None
    return called(function, None, (owner_of(args[0]), *args[1:]), dots, True)


def attribute_stored(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """What `pushed_store` does, in the same way."""
    check_stored(args[0], dots[0], name)
    setattr(args[0], name, args[1])
    setattr(dots[0], name, dots[1])
    return None, None


def attribute_read(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `pushed_attribute` does, in the same way."""
    found = attribute_of(args[0], dots[0], name)
    if found is FIELD:
        return getattr(args[0], name), getattr(dots[0], name)
    if found is CONSTANT:
        return getattr(args[0], name), 0.0
    if found is CHAINED:
        chained = getattr(args[0], name)
        if chained is not None:
            let_pass(chained)
        return chained, getattr(chained, TANGENT, None)
    return called(found, None, args, dots, True)


FIELD = object()
CONSTANT = object()
CHAINED = object()
"""What an attribute may be."""


def attribute_of(value: Any, dot: Any, name: str) -> Any:
    """What the attribute of an object is: the function of a property, or one of the above.

    Raises CannotPush where that is not known.
    """
    cls = type(value)
    _check_access(value, dot)
    found = in_class(cls, name)
    if isinstance(value, BaseException) and name in ("__cause__", "__context__"):
        return CHAINED
    if isinstance(value, BaseException) and name == "args" and name in vars(dot):
        return FIELD
    if isinstance(found, property) and type(found.fget) is FunctionType:
        return found.fget
    if name in vars(value) and not hasattr(type(found), "__set__") and name in vars(dot):
        return FIELD
    if name not in vars(value) and type(found) in (int, float):
        return CONSTANT
    raise CannotPush


def _check_access(value: Any, dot: Any) -> None:
    """Leave to reverse mode what is no object with a partner, or says itself what its attributes are."""
    own = in_class(type(value), "__getattribute__")
    plain = own is object.__getattribute__ or own is in_class(BaseException, "__getattribute__")
    if not plain or type(dot) is not Partner or not (has_partner(value) or isinstance(value, BaseException)):
        raise CannotPush


def check_stored(value: Any, dot: Any, name: str) -> None:
    """Leave to reverse mode the assignment of an attribute that is perhaps no field."""
    cls = type(value)
    _check_access(value, dot)
    own = in_class(cls, "__setattr__")
    plain = own is object.__setattr__ or own is in_class(BaseException, "__setattr__")
    if not plain or hasattr(type(in_class(cls, name)), "__set__") or name in ("__dict__", TANGENT):
        raise CannotPush


SET_ANEW = object()
"""What an inherited method is that sets the arguments of an exception."""


def method_of(value: Any, name: str) -> Any:
    """The function that a method of an object is; or of what `super` gives, where it may be SET_ANEW.

    Raises CannotPush where that takes more than to look it up in the classes.
    """
    owner = owner_of(value)
    _check_access(owner, PARTNER)
    if owner is value and name in vars(value):
        raise CannotPush
    found = in_class(type(value), name) if owner is value else _inherited(value, name)
    if name == "__init__" and type(found) is WrapperDescriptorType and isinstance(owner, BaseException):
        return SET_ANEW if found.__objclass__ in PLAIN_EXCEPTIONS else _left(name)
    if type(found) is not FunctionType:
        raise CannotPush
    return found


PARTNER = Partner()


def _left(name: str) -> Any:
    raise CannotPush(name)


def _inherited(value: Any, name: str) -> Any:
    """What the classes behind the one that `super` was asked in have by a name."""
    order = type(owner_of(value)).__mro__
    behind = order[order.index(value.__thisclass__) + 1 :]
    return next((vars(cls)[name] for cls in behind if name in vars(cls)), None)


def owner_of(value: Any) -> Any:
    """The object itself, of which `super` gives what is inherited."""
    return getattr(value, "__self__") if type(value) is super else value  # noqa: B009


def run(
    ready: Ready, args: tuple[Any, ...], dots: tuple[Any, ...], carried: tuple[Any, ...]
) -> tuple[Any, Any]:
    """The call of a tangent function that was found."""
    values = (*args, *dots, *carried, *ready.constants)
    found: tuple[Any, Any] = ready.function(*[values[place] for place in ready.order])
    return found


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


def are_joined(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> bool:
    """Whether these are two lists, or two tuples, with their tangents, that are added."""
    cls = type(args[0])
    return operation is operator.add and cls in (list, tuple) and all(type(v) is cls for v in (*args, *dots))


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
    shared = unit_of(function).source.rebound
    if any(name in shared and name not in cells for name in carried):
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
            order.append(count + own[place] if place in given else constant(zero_tangent(value)))
    others = [value for place, value in enumerate(push.values) if place not in given]
    if push.tangent.writes and any(map(_can_change, others)):
        raise CannotPush
    keeps = any(map(_can_change, push.values))
    return Ready(push.tangent.function, tuple(order), tuple(constants), keeps)


def _found(
    function: Any, carried: tuple[str, ...], args: tuple[Any, ...], changing: bool
) -> tuple[Any, dict[int, int]]:
    """The call, and which of what the function carries is at which position."""
    if type(function) is FunctionType and _is_written_in_python(function):
        try:
            return _carrying(function, carried, list(args), changing)
        except (ZygpyError, SyntaxError, NameError) as error:  # which is said by reverse mode
            raise CannotPush from error
    if is_ruled(function) or declare.find(function) is None or not _are_plain(args, listed=True):
        raise CannotPush
    unit = dispatch.unit_of_primitive(function, args, {})
    return FINDERS["push_of_unit"](unit, None, [], list(args), []), {}


def _carrying(
    function: FunctionType, carried: tuple[str, ...], args: list[Any], changing: bool
) -> tuple[Any, dict[int, int]]:
    unit = unit_of(function)
    rest = FINDERS["rest_of"](unit, function, len(args))
    if not isinstance(rest, list):
        raise CannotPush
    own = {place: carried.index(name) for place, name in enumerate(unit.captured) if name in carried}
    captured, active = captured_values(unit, function), frozenset(own)
    push = FINDERS["push_of_unit"](unit, function, captured, args, rest, active=active, changing=changing)
    return push, own


def _can_change(value: Any) -> bool:
    """Whether something that is no function can be changed, or holds what can be."""
    return not (type(value) in PLAIN or isinstance(value, FunctionType | BuiltinFunctionType | type))


def _are_plain(args: Sequence[Any], *, listed: bool = False) -> bool:
    """Whether these are numbers and arrays, in which nothing else is; or if they may be `listed`, lists and
    tuples of such."""
    return all(
        type(value) in PLAIN
        or type(value) is np.ndarray
        or (listed and type(value) in (list, tuple) and _are_plain(value))
        for value in args
    )


def _is_written_in_python(function: FunctionType) -> bool:
    """Whether a function is to be entered, as it has no rule."""
    return not (function in dispatch.SPECIAL or function in declare.REGISTRY or is_ruled(function))


DOORS: Mapping[str, Callable[..., Any]] = {
    "rule": pushed_by_rule,
    "operation": pushed_operation,
    "call": pushed_call,
    "attribute": pushed_attribute,
    "method": pushed_method,
    "store": pushed_store,
}
"""What finds tangents when the code runs, by name."""
