"""Calls inside a `try`: their exceptions are values, and what they did before is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, MethodType
from typing import Any

from zygpy.analyse.machinery import is_tool
from zygpy.analyse.replaced import program_at_once
from zygpy.identity import calls, caught_operations, generators, methods, questions
from zygpy.identity.calls import OfMethod, Prefixed, Trimmed, is_entered, made_caught
from zygpy.identity.caught_operations import Entered
from zygpy.ir.kinds import kind_of
from zygpy.runtime.attempts import check_is_undone
from zygpy.runtime.generators import is_generator
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.operations import operated
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import asked
from zygpy.runtime.ways import Way


def call(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`(function(*args, **kwargs), None)`, or `(None, failure)`."""
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        y, back = call(way, function.__func__, function.__self__, *args, **kwargs)
        return y, OfMethod(back)
    if is_tool(function):
        return _tool(function, args, kwargs)
    made = generators.caught(way, function, args) or _by_method(way, function, args, kwargs)
    for attempt in ATTEMPTS:
        made = attempt(way, function, args, kwargs) if made is None else made
    if made is not None:
        return made
    program = program_at_once(function, [kind_of(value) for value in args], kwargs)
    if program is not None:
        return call(way, program, *args, **kwargs)
    if function is not operated and is_entered(function, args, kwargs):
        return made_caught(way, function, args, kwargs)
    try:
        y, back = _done(way, function, args, kwargs)
    except BaseException as error:
        check_is_undone(error)
        return (None, error), Ignored(1 + len(args) + len(kwargs))
    return (y, None), First(back)


def _tool(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of what gives nothing that has a gradient."""
    nothing = Ignored(1 + len(args) + len(kwargs))
    try:
        return (function(*args, **kwargs), None), nothing
    except BaseException as error:
        check_is_undone(error)
        return (None, error), nothing


ATTEMPTS: list[calls.Attempt] = []
"""What knows of other callables, as those of `calls` do."""


def _by_method(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of what comes down to a method in Python; None of anything else."""
    own = caught_operations.own_call(function, args, kwargs)
    if own is not None:
        y, back = call(way, own, function, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    if kwargs:
        return None
    if function is asked:
        return _question(way, *args)
    entry = caught_operations.entry_of(function, args)
    if entry is None:
        return None
    y, back = call(way, entry.function, *entry.args)
    return y, Entered(back, entry.places)


def _done(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call, made as it is outside of a `try`."""
    if function is not operated:
        return calls.call(way, function, *args, **kwargs)
    y, back = caught_operations.done(way, *args)
    return y, Prefixed(back)


def _question(way: Way, question: str, *values: Any) -> Any:
    """The same of `asked(question, *values)`."""
    asking = Asking(way, values)
    try:
        return (questions.answer(asking, question, *values), None), asking
    except BaseException as error:
        if error is not asking.failure:
            check_is_undone(error)
        return (None, error), asking


class Asking(questions.Asking):
    """What is asked in a `try`: what a method did before it failed is recorded."""

    failure: BaseException | None = None

    def entered(self, method: Any, order: tuple[int, ...], *values: Any) -> Any:
        """The answer of a method in Python; its exception is raised."""
        (y, self.failure), back = call(self.way, method, *values)
        self.calls.append((back, order))
        if self.failure is not None:
            raise self.failure
        return y


def method(way: Way, value: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The same of `value.name(*args, **kwargs)`; the first cotangent is the receiver's."""
    if is_generator(value) and name in generators.METHODS:
        return generators.caught_method(way, value, name, args)
    own = own_fields(value)
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


class First:
    """The pullback of a call whose value is the first of two."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(None if y_bar is None else y_bar[0], store)
