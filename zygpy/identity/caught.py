"""Calls inside a `try`: their exceptions are values, and what they did before is recorded."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType, MethodType
from typing import Any

from zygpy import derivation, dispatch
from zygpy.analyse.machinery import is_tool
from zygpy.analyse.objects import is_followed_by_identity
from zygpy.analyse.replaced import program_at_once
from zygpy.identity import calls, generators, methods
from zygpy.identity.calls import Trimmed, made_caught
from zygpy.ir.kinds import kind_of
from zygpy.rules import custom
from zygpy.runtime.administration import is_administrative
from zygpy.runtime.attempts import check_is_undone
from zygpy.runtime.generators import is_generator
from zygpy.runtime.lookup import in_class
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def call(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`(function(*args, **kwargs), None)`, or `(None, failure)`."""
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        y, back = call(way, function.__func__, function.__self__, *args, **kwargs)
        return y, Trimmed(back, 1, 2)
    asked = generators.caught(way, function, args)
    if asked is not None:
        return asked
    program = program_at_once(function, [kind_of(value) for value in args], kwargs)
    if program is not None:
        return call(way, program, *args, **kwargs)
    if _is_entered(function, args, kwargs):
        return made_caught(way, function, args, kwargs)
    try:
        y, back = calls.call(way, function, *args, **kwargs)
    except BaseException as error:
        check_is_undone(error)
        return (None, error), Ignored(1 + len(args) + len(kwargs))
    return (y, None), First(back)


def method(way: Way, value: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The same of `value.name(*args, **kwargs)`; the first cotangent is the receiver's."""
    if is_generator(value) and name in generators.METHODS:
        return generators.caught_method(way, value, name, args)
    own = getattr(value, "__dict__", {})
    found = in_class(type(value), name, None)
    if isinstance(found, FunctionType) and name not in own:
        y, back = call(way, found, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    program = methods.program_of_method(value, name, args) if name not in own else None
    if program is not None:
        y, back = call(way, program, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    try:
        y, back = methods.method(way, value, name, *args, **kwargs)
    except BaseException as error:
        check_is_undone(error)
        return (None, error), Ignored(1 + len(args) + len(kwargs))
    return (y, None), First(back)


def _is_entered(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a callable is a function of the user's, without a rule or a way of its own."""
    if not isinstance(function, FunctionType) or is_tool(function) or function in calls.ASKED_INSIDE:
        return False
    if is_administrative(function, (*args, *kwargs.values())):
        return False
    if function in derivation.OPAQUE or function in dispatch.SPECIAL or custom.is_ruled(function):
        return False
    if function.__code__.co_flags & inspect.CO_GENERATOR or is_followed_by_identity(function):
        return False
    return not dispatch.has_own_way(function, args, kwargs)


class First:
    """The pullback of a call whose value is the first of two."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(None if y_bar is None else y_bar[0], store)
