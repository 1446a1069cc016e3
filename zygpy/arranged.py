"""Arguments in the order of a function's parameters, however they are given: one for each parameter, those of
`*args` in a tuple and those of `**kwargs` in a dict, and default values behind what is given."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

from zygpy import dispatch
from zygpy.derivation import defaults_of
from zygpy.errors import ZygpyError
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.zeros import CannotPush
from zygpy.units import unit_of


class Each(NamedTuple):
    """A function that is given one argument for each of its parameters."""

    function: Any


class Arranged(NamedTuple):
    """A call of a function written in Python: `places` tells for each parameter which of the arguments, or of
    the `constants` behind them, it is given, or which are put together for it."""

    function: Each
    places: tuple[Any, ...]
    constants: tuple[Any, ...]

    @property
    def makes_dict(self) -> bool:
        """Whether arguments are put together in a dict."""
        return any(isinstance(place, tuple) and place[0] == "**" for place in self.places)


STARRED = 0x04 | 0x08
"""The flags of functions with `*args`, or `**kwargs`."""


def arrangement_of(function: Any, count: int) -> Arranged | None:
    """How a function takes so many arguments; None if one by one, in order, or if it is none in Python.

    Raises CannotPush where it does not take them, which Python says in reverse mode.
    """
    callee: Any = function
    names: tuple[str, ...] = ()
    if type(function) is ByKeyword:
        callee, names = function
    if type(callee) is not FunctionType or (not names and has_plain_parameters(callee)):
        return None
    if callee in dispatch.SPECIAL or declare.find(callee) is not None or is_ruled(callee):
        return None
    try:
        params = unit_of(callee).program.params
        defaults = dict(defaults_of(callee, params))
    except (ZygpyError, SyntaxError) as error:  # which is said by reverse mode
        raise CannotPush from error
    return _Bound(params, defaults, count, names).arranged(callee)


def has_plain_parameters(function: FunctionType) -> bool:
    """Whether all parameters of a function may be given by position, one argument each."""
    code = function.__code__
    return not (code.co_flags & STARRED or code.co_kwonlyargcount)


class _Bound:
    """Arguments, the last of which have names, and the parameters that take them."""

    def __init__(self, params: Any, defaults: dict[str, Any], count: int, names: tuple[str, ...]) -> None:
        self.params = params
        self.defaults = defaults
        self.count = count
        self.first = count - len(names)
        self.named = dict(zip(names, range(self.first, count), strict=True))
        self.constants: list[Any] = []
        if len(self.named) < len(names):
            raise CannotPush

    def arranged(self, function: FunctionType) -> Arranged:
        params = self.params
        ordered = (*params.positional_only, *params.positional)
        places = [self._positional(place, name) for place, name in enumerate(ordered)]
        beyond = tuple(range(len(ordered), self.first))
        if params.vararg:
            places.append(("*", beyond))
        elif beyond:
            raise CannotPush
        places += [self._by_name(name) for name in params.keyword_only]
        if params.kwarg:
            places.append(("**", tuple(self.named.items())))
        elif self.named:
            raise CannotPush
        return Arranged(Each(function), tuple(places), tuple(self.constants))

    def _positional(self, place: int, name: str) -> Any:
        only = name in self.params.positional_only
        if place < self.first:
            if name in self.named and not only:
                raise CannotPush
            return place
        return self._default(name) if only else self._by_name(name)

    def _by_name(self, name: str) -> Any:
        return self.named.pop(name) if name in self.named else self._default(name)

    def _default(self, name: str) -> Any:
        if name not in self.defaults:
            raise CannotPush
        self.constants.append(self.defaults[name])
        return self.count + len(self.constants) - 1


def in_places(places: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """What each parameter takes.

    >>> in_places((0, 3, ("*", (1, 2))), (1.0, 2.0, 3.0, "default"))
    (1.0, 'default', (2.0, 3.0))
    """
    return tuple([_in_place(place, given) for place in places])


def _in_place(place: Any, given: tuple[Any, ...]) -> Any:
    if isinstance(place, int):
        return given[place]
    if place[0] == "*":
        return tuple([given[item] for item in place[1]])
    return {name: given[item] for name, item in place[1]}


def out_of_places(places: tuple[Any, ...], bars: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """The cotangents of so many arguments, out of those of the parameters that took them, none in a dict.

    >>> out_of_places((0, 3, ("*", (1, 2))), (1.0, None, (2.0, 3.0)), 3)
    (1.0, 2.0, 3.0)
    """
    found: list[Any] = [None] * count
    for place, bar in zip(places, bars, strict=True):
        if isinstance(place, int):
            if place < count:
                found[place] = bar
        elif bar is not None:
            for item, part in zip(place[1], bar, strict=True):
                found[item] = part
    return tuple(found)
