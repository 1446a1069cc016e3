"""Methods and operators of sets that tangent code meets when it runs: what they do to the elements is done to
the tangents under them (`zygpy.runtime.set_tangents`)."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from zygpy.runtime.set_tangents import (
    SETS,
    beside_elements,
    check_elements,
    is_set_with_dot,
    of_operands,
)
from zygpy.runtime.tangent_items import items_of
from zygpy.runtime.zeros import CannotPush, zero_tangent


def method_of_set(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a set, and what it does to the tangents of the elements."""
    check_method_of_set(name, args, dots)
    if name in ("add", "discard", "remove"):
        return _of_one(name, args, dots)
    s, s_dot = args[0], dots[0]
    if name in ("pop", "clear", "copy"):
        return _of_all(name, s, s_dot)
    if name in ASKING:
        return getattr(s, name)(*args[1:]), None
    others, beside = _as_sets(args, dots)
    if name == "update":
        return joined(s, s_dot, others, beside)
    y, y_dot = combined(OPERATORS[name], (s, others), (s_dot, beside))
    return y, y_dot


def _of_one(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[None, None]:
    """An element is put in, or taken out."""
    s, s_dot, item = args[0], dots[0], args[1]
    if name == "add":
        s.add(item)
        if item not in s_dot:
            s_dot[item] = zero_tangent(item) if dots[1] is None else dots[1]
        return None, None
    if name == "discard":
        s.discard(item)
    else:
        s.remove(item)
    if item in s_dot:
        del s_dot[item]
    return None, None


def _of_all(name: str, s: Any, s_dot: Any) -> tuple[Any, Any]:
    """What is done without an argument."""
    if name == "pop":
        item = s.pop()
        return item, s_dot.pop(item)
    if name == "copy":
        return s.copy(), s_dot.copy()
    s.clear()
    s_dot.clear()
    return None, None


def _as_sets(args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The only argument of a method, as a set with its tangent."""
    if is_set_with_dot(args[1], dots[1]):
        return args[1], dots[1]
    items = list(args[1])
    beside = zeros_for(items) if dots[1] is None else list(items_of(dots[1], args[1]))
    return set(items), beside_elements(items, beside)


def zeros_for(items: list[Any]) -> list[Any]:
    """The tangents of items that do not vary."""
    return [zero_tangent(item) for item in items]


def joined(s: Any, s_dot: Any, others: Any, beside: Any) -> tuple[None, None]:
    """What is new is put into a set."""
    s.update(others)
    for item in beside:
        if item not in s_dot:
            s_dot[item] = beside[item]
    return None, None


def check_method_of_set(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangents of the elements in the same way."""
    if type(dots[0]) is not dict or len(args) - 1 != OF_SETS.get(name, -1):
        raise CannotPush
    if name in ("add", "discard", "remove"):
        check_elements(args[1:])
    elif len(args) == 2:
        _check_items(name, args[1], dots[1])


def _check_items(name: str, items: Any, dot: Any) -> None:
    """The same of what is taken one by one out of an argument."""
    listed = type(items) in (list, tuple, range, *SETS)
    if not listed or (name in MEETING and type(items) not in SETS):
        raise CannotPush
    if not (dot is None or is_set_with_dot(items, dot) or type(dot) is type(items)):
        raise CannotPush
    check_elements(items)


MEETING = ("intersection", "symmetric_difference")
"""Methods that keep of equal elements those of sets, and those of other things, differently."""

ASKING = ("issubset", "issuperset", "isdisjoint")
"""Methods that give truth values."""

OF_SETS: Mapping[str, int] = {
    **dict.fromkeys(("add", "discard", "remove", "update", *ASKING), 1),
    **dict.fromkeys(("union", "difference", *MEETING), 1),
    **dict.fromkeys(("pop", "clear", "copy"), 0),
}
"""Methods of sets that are followed, and how many arguments they have."""

OPERATORS: Mapping[str, Any] = {
    "union": operator.or_,
    "intersection": operator.and_,
    "difference": operator.sub,
    "symmetric_difference": operator.xor,
}
"""The operators that do what these methods do."""

OF_OPERATORS = (operator.or_, operator.and_, operator.sub, operator.xor)


def combines_sets(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> bool:
    """Whether an operator is one of two sets that have tangents, or do not vary.

    Raises CannotPush where their tangents are not of that form.
    """
    if operation not in OF_OPERATORS or not all(type(arg) in SETS for arg in args):
        return False
    if not all(dot is None or type(dot) is dict for dot in dots):
        raise CannotPush
    return True


def combined(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What an operator makes of two sets, and its tangent."""
    a, b = args
    a_dot = zero_tangent(a) if dots[0] is None else dots[0]
    b_dot = zero_tangent(b) if dots[1] is None else dots[1]
    y = operation(a, b)
    if operation is operator.and_ and len(b) <= len(a):  # the smaller is walked over, and its elements kept
        return y, of_operands(y, b_dot, a_dot)
    return y, of_operands(y, a_dot, b_dot)


def changed_set(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What an operator in place makes of a set."""
    s, s_dot = args[0], dots[0]
    if type(s) is frozenset:
        return combined(operation, args, dots)
    _, made_dot = combined(operation, args, dots)
    if operation is operator.or_:
        s |= args[1]
    elif operation is operator.and_:
        s &= args[1]
    elif operation is operator.sub:
        s -= args[1]
    else:
        s ^= args[1]
    s_dot.clear()
    s_dot.update(made_dot)
    return s, s_dot


def set_made(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`set(xs)`, or `frozenset(xs)`, and its tangent."""
    items = list(args[0])
    beside = list(items_of(dots[0], args[0]))
    return cls(items), beside_elements(items, beside)
