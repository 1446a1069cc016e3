"""Partial calls: how they are made and called, and what is read of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import FunctionType
from typing import Any, NoReturn

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import call
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import (
    FUNCTION,
    carried_count,
    carried_parts,
    carried_values,
    is_function_like,
    name_of_wrapped,
    not_captured,
    position,
)
from zygpy.runtime.ways import Way

PARTIAL: Any = functools.partial


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`functools.partial(...)`, and the call of what that has made; None for anything else."""
    if function is PARTIAL:
        y = PARTIAL(*args, **kwargs)
        return y, Made(carried_count(args[0]), len(args) - 1, tuple(kwargs))
    if not isinstance(function, functools.partial):
        return None
    keywords = {**function.keywords, **kwargs}
    y, back = call(way, function.func, *function.args, *args, **keywords)
    return y, OfPartial(back, function, len(args), list(kwargs))


class Made:
    """A partial call was made, of one that carried so many arguments or of another function."""

    def __init__(self, inner: int | None, count: int, keywords: tuple[str, ...]) -> None:
        self.inner, self.count, self.keywords = inner, count, keywords

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, *carried_parts(y_bar, self.inner, self.count, self.keywords))


class OfPartial:
    """The pullback of a partial call: what the partial object carries, and the arguments."""

    def __init__(self, back: Any, function: Any, count: int, keywords: list[str]) -> None:
        self.back, self.function, self.count, self.keywords = back, function, count, keywords

    def __call__(self, y_bar: Any, store: Any) -> Any:
        own, *bars = self.back(y_bar, store)
        carried = len(self.function.args)
        names = {**self.function.keywords, **dict.fromkeys(self.keywords)}
        named = dict(zip(names, bars[carried + self.count :], strict=True))
        mine = {position(place): bar for place, bar in enumerate(bars[:carried])}
        mine |= {name: bar for name, bar in named.items() if name not in self.keywords}
        given = bars[carried : carried + self.count]
        return ({FUNCTION: own, **mine}, *given, *[named[name] for name in self.keywords])


def read_part(value: Any, name: str) -> Any:
    """`value.name`; None where that is no part of a partial call."""
    if not isinstance(value, functools.partial) or name not in PARTS:
        return None
    if in_class(type(value), name) is not in_class(functools.partial, name):
        return None
    if name == "func":
        return value.func, FunctionRead(value.func)
    if name == "args":
        return value.args, ArgumentsRead(value.args)
    keywords = Keywords(value.keywords)
    return keywords, KeywordsRead(keywords)


PARTS = ("func", "args", "keywords")


def has_parts(value: Any) -> bool:
    """Whether a value is a partial call, or something else whose parts are read as those of a function."""
    return isinstance(value, functools.partial | FunctionType) or is_function_like(type(value))


def read_of_function(function: Any, name: str) -> Any:
    """`function.__call__`, and `function.__wrapped__` where it carries what it wraps; None of anything
    else."""
    if name == "__call__" and is_function_like(type(function)):
        return getattr(function, name), SelfRead()
    if name != "__wrapped__" or type(function) is not FunctionType or name not in vars(function):
        return None
    wrapped = getattr(function, name)
    carrying = name_of_wrapped(function)
    if carrying is None and carried_values(wrapped):
        raise not_captured()
    return None if carrying is None else (wrapped, WrappedRead(carrying))


class SelfRead:
    """`y = f.__call__`; called, the cotangent of `f`."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None if y_bar is None else y_bar.get("__self__"),)


class WrappedRead:
    """`y = f.__wrapped__` of a function that has it in a captured variable; called, the cotangent of `f`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None if y_bar is None else {self.name: y_bar},)


class FunctionRead:
    """`y = p.func`; called, the cotangent of `p`."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, y_bar: Any, store: Any) -> Any:
        left = store.add(self.function, y_bar)
        return (None if left is None else {FUNCTION: left},)


class ArgumentsRead:
    """`y = p.args`; called, the cotangent of `p`."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is None:
            return (None,)
        bars = enumerate(zip(self.args, y_bar, strict=True))
        return ({position(place): store.add(arg, bar) for place, (arg, bar) in bars},)


class KeywordsRead:
    """`y = p.keywords`; called, the cotangent of `p`."""

    def __init__(self, keywords: Keywords) -> None:
        self.keywords = keywords

    def __call__(self, y_bar: Any, store: Any) -> Any:
        found = self.keywords
        return ({name: store.add(found[name], store.take_key(found, name)) for name in found},)


class Keywords(dict[str, Any]):
    """The keywords of a partial call, in which nothing can be stored: what is stored in a partial call would
    have to be followed where it is called."""

    def _refused(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedSyntaxError(
            "the keywords of a partial call are changed.",
            why="the cotangents of what a partial call carries are found when it is called",
            instead="make another one: `functools.partial(p, k=...)`",
        )

    __setitem__ = __delitem__ = __ior__ = _refused
    clear = pop = popitem = setdefault = update = _refused
