"""Calls inside a `try`: their exceptions are values, and what they did before is recorded."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import FunctionType, MemberDescriptorType, MethodType
from typing import Any

from zygpy.analyse.machinery import is_tool
from zygpy.analyse.replaced import BY_CODE, program_at_once
from zygpy.identity import calls, caught_operations, generators, methods, questions
from zygpy.identity.attempts import Attempt
from zygpy.identity.attributes import read_attribute
from zygpy.identity.calls import (
    ITSELF,
    OfMethod,
    Prefixed,
    Trimmed,
    is_entered,
    is_plainly_apart,
    made_caught,
)
from zygpy.identity.caught_operations import Entered
from zygpy.identity.classes import python_method
from zygpy.identity.partials import OfPartial
from zygpy.ir.classes import is_generated
from zygpy.ir.kinds import kind_of
from zygpy.rules import custom
from zygpy.runtime.attempts import check_is_undone
from zygpy.runtime.generators import is_generator
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.operations import operated
from zygpy.runtime.otherwise_given import Reading, by_property
from zygpy.runtime.places import Failed, Ignored
from zygpy.runtime.protocols import asked
from zygpy.runtime.ways import Way


def call(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`(function(*args, **kwargs), None)`, or `(None, failure)`."""
    if is_plainly_apart(function, args):
        return (args[0], None), First(ITSELF)
    bound = _bound(way, function, args, kwargs)
    if bound is not None:
        return bound
    if is_tool(function):
        return _tool(function, args, kwargs)
    made = generators.caught(way, function, args) or _by_method(way, function, args, kwargs)
    for attempt in ATTEMPTS:
        made = attempt(way, function, args, kwargs) if made is None else made
    if made is not None:
        return made
    program = _program(function, args, kwargs)
    if program is not None:
        return call(way, program, *args, **kwargs)
    if function is not operated and is_entered(function, args, kwargs):
        return made_caught(way, function, args, kwargs)
    return _unrecorded(way, function, args, kwargs)


def _program(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The program that stands for a builtin, or for a method that every named tuple has; None for others."""
    if type(function) is FunctionType and function.__code__ in BY_CODE:
        return BY_CODE[function.__code__]
    return program_at_once(function, [kind_of(value) for value in args], kwargs)


def _bound(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of a method with its object, or a partial call; None of anything else."""
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        y, back = call(way, function.__func__, function.__self__, *args, **kwargs)
        return y, OfMethod(back)
    if isinstance(function, functools.partial) and not custom.is_ruled(function):
        return _partial(way, function, args, kwargs)
    return None


def _partial(
    way: Way, function: functools.partial[Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """The same of a partial call."""
    y, back = call(way, function.func, *function.args, *args, **{**function.keywords, **kwargs})
    return y, OfPartial(back, function, len(args), list(kwargs))


def _unrecorded(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of what has done nothing when it fails."""
    try:
        y, back = _done(way, function, args, kwargs)
    except BaseException as error:
        check_is_undone(error)
        return (None, error), Failed(error, 1 + len(args) + len(kwargs))
    return (y, None), First(back)


def _tool(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of what gives nothing that has a gradient."""
    nothing = Ignored(1 + len(args) + len(kwargs))
    try:
        return (function(*args, **kwargs), None), nothing
    except BaseException as error:
        check_is_undone(error)
        return (None, error), nothing


ATTEMPTS: list[Attempt] = []
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
    held = getattr(value, name, None) if isinstance(found, MemberDescriptorType) else own.get(name, found)
    if _keeps_function(held):
        function, read = read_attribute(way, value, name)
        y, back = call(way, function, *args, **kwargs)
        return y, methods.Read(back, read)
    if isinstance(found, property) and name not in own and isinstance(found.fget, FunctionType):
        reading = by_property(found.fget, python_method(value, "__getattr__"), value, name)
        return _given_by_property(way, reading, args, kwargs)
    program = methods.program_of_method(value, name, args) if name not in own else None
    if program is not None:
        y, back = call(way, program, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    try:
        y, back = methods.method(way, value, name, *args, **kwargs)
    except BaseException as error:
        check_is_undone(error)
        return (None, error), Failed(error, 1 + len(args) + len(kwargs))
    return (y, None), First(back)


def _given_by_property(way: Way, reading: Reading, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of a function that a property gives."""
    (function, failure), read = call(way, reading.function, *reading.args)
    if failure is not None:
        return (None, failure), GetterFailed(read, reading.place, len(args) + len(kwargs))
    y, back = call(way, function, *args, **kwargs)
    return y, methods.Read(back, Got(read, reading.place))


class Got:
    """The pullback of what a property gave in a `try`."""

    def __init__(self, read: Any, place: int) -> None:
        self.read, self.place = read, place

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (self.read((y_bar, None), store)[1 + self.place],)


class GetterFailed:
    """The pullback of a call that was not made, as the property that gives the function failed."""

    def __init__(self, read: Any, place: int, count: int) -> None:
        self.read, self.place, self.count = read, place, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (self.read(y_bar, store)[1 + self.place], *(None,) * self.count)


def _keeps_function(held: Any) -> bool:
    """Whether an object, or its class, has a function of the program's by a name."""
    return isinstance(held, KEEPING) and not (isinstance(held, FunctionType) and is_generated(held))


KEEPING = (FunctionType, MethodType, functools.partial, staticmethod, classmethod)
"""What gives a function that is written in Python where an object, or its class, has it."""


class First:
    """The pullback of a call whose value is the first of two."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(None if y_bar is None else y_bar[0], store)
