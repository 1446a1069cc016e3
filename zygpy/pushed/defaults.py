"""Functions whose default values have tangents: calls are given these values as arguments."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.zeros import CannotPush, Carried


def has_defaults(carried: Any) -> bool:
    """Whether the tangent of a function tells default values.

    >>> has_defaults(Carried(dict)), has_defaults(Carried(dict, {"by": (2.0, 0.5)}))
    (False, True)
    """
    return type(carried) is Carried and carried.defaults is not None


def with_defaults(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[Any, Carried, tuple[Any, ...], tuple[Any, ...]]:
    """The same call with those that are not given as arguments behind the others, by keyword, and the tangent
    of what the function captures alone."""
    callee, names = function if type(function) is ByKeyword else (function, ())
    missing = missing_in(callee, tuple(carried.defaults), len(args) - len(names), names)
    pairs = [carried.defaults[name] for name in missing]
    given = ByKeyword(callee, (*names, *missing)) if names or missing else callee
    values, along = tuple([pair[0] for pair in pairs]), tuple([pair[1] for pair in pairs])
    return given, Carried(carried.captured), (*args, *values), (*dots, *along)


def missing_in(
    function: Any, defaults: tuple[str, ...], count: int, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Those of the parameters that are given neither by position, which so many are, nor by name.

    >>> missing_in(lambda x, by=1.0, *, to=2.0: x, ("by", "to"), 1, ("to",))
    ('by',)

    Raises CannotPush where one cannot be given by name.
    """
    if type(function) is not FunctionType:
        raise CannotPush
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    missing = tuple([name for name in defaults if name not in names and name not in positional[:count]])
    if not set(missing).isdisjoint(positional[: code.co_posonlyargcount]):
        raise CannotPush
    return missing
