"""Calls of functions that move, made by the tangent functions that are found for them.

A tangent function is given all that moves, with its tangent: the arguments, and what the function captures.
So what it gives can be pulled back, and moved along a further direction, as often as an equation's solution
asks for that, and nothing has to be looked up in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import Any, TypeAlias

import numpy as np

from zygpy import dispatch
from zygpy.api import pullback
from zygpy.pushed.entries import is_entry
from zygpy.pushed.found import FINDERS, Ready, is_carried, ready_call
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.directions import or_zero
from zygpy.runtime.zeros import CannotPush, has_partner, zero_tangent
from zygpy.units import unit_of

Pulled: TypeAlias = Callable[[Any], "list[Any]"]
"""The cotangents of what a tangent function is given: the arguments, their tangents, and what is carried."""


@dataclass(frozen=True, eq=False)
class Moving:
    """The call of a function along a direction: `given` are the arguments, their tangents, and what the
    function carries with its tangents, `told` tells the cotangents of the tangent of the function."""

    ready: Ready
    given: tuple[Any, ...]
    count: int  # of the arguments
    names: tuple[str, ...]  # of what is carried
    told: Callable[[Any], Any]

    def along(self, *dots: Any, place: int = 0) -> Moving:
        """The same with other tangents of the first argument, or of those from a place on."""
        first = self.count + place
        given = (*self.given[:first], *dots, *self.given[first + len(dots) :])
        return Moving(self.ready, given, self.count, self.names, self.told)

    def at(self, x: Any, x_dot: Any) -> Moving:
        """The same with another first argument and its tangent."""
        given = (x, *self.given[1 : self.count], x_dot, *self.given[self.count + 1 :])
        return Moving(self.ready, given, self.count, self.names, self.told)

    def with_given(self, given: tuple[Any, ...]) -> Moving:
        """The same of other things in the same places."""
        return Moving(self.ready, given, self.count, self.names, self.told)

    def pulled(self) -> tuple[Any, Any, Pulled]:
        """The value, its tangent, and the pullback of both."""
        (y, y_dot), back = dispatch.pull(self.ready.function, *self._ordered(self.given))
        moves = y_dot is not None

        def pull(bars: Any) -> list[Any]:
            return self._placed(back((bars[0], bars[1] if moves else None))[1:])

        return y, y_dot if moves else zero_tangent(y), pull

    def slopes(self, y: Any) -> tuple[Any, Any]:
        """The gradient of the tangent of the function by the first argument, and by its tangent, which is
        the gradient of the function."""
        _, value_dot, pulled = self.pulled()
        bars = pulled((None, one_of(value_dot)))
        return or_zero(bars[0], y), or_zero(bars[self.count], y)

    def bent(self, first: Any, second: Any) -> list[Any]:
        """The gradient of how the tangent of a number moves, along `first` for the first argument and
        `second` for its tangent.

        Raises CannotPush where no code is written for that.
        """
        return self.moved({0: first, self.count: second}, seed_of_tangent)

    def moved(self, dots: Mapping[int, Any], seeds: Callable[[Any, Any], Any]) -> list[Any]:
        """The cotangents of what is given, from those of the value and its tangent, and of how both move
        along the tangents of what is given at some places."""
        function, order = self.ready.function, self.ready.order
        values = self._ordered(self.given)
        push = FINDERS["push_of_unit"](unit_of(function), function, [], values, [])
        if not hasattr(push, "along") or push.tangent.writes:
            raise CannotPush
        moving = {order.index(place): dot for place, dot in dots.items() if place in order}
        (both, both_dot), back = dispatch.pull(push.tangent.function, *push.with_tangents(moving))
        seed = seeds(both, both_dot)
        if seed is None:
            return self._placed([None] * len(values))
        bars = iter(back(seed)[1:])
        found = []
        for paired in push.tangent.places:
            found.append(next(bars))
            if paired:
                next(bars)
        return self._placed(found)

    def split(self, bars: list[Any]) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
        """The cotangents of the tangent of the function, of the arguments, and of their tangents."""
        args, dots = bars[: self.count], bars[self.count : 2 * self.count]
        own = bars[2 * self.count :]
        pairs = {name: (own[2 * at], own[2 * at + 1]) for at, name in enumerate(self.names)}
        return self.told(pairs) if pairs else None, tuple(args), tuple(dots)

    def _ordered(self, given: tuple[Any, ...]) -> list[Any]:
        values = (*given, *self.ready.constants)
        return [values[place] for place in self.ready.order]

    def _placed(self, bars: Any) -> list[Any]:
        found: list[Any] = [None] * len(self.given)
        for place, bar in zip(self.ready.order, bars, strict=True):
            if place < len(found):
                found[place] = accumulate(found[place], bar)
        return found


def moving_call(f: Any, f_dot: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Moving:
    """The call of a function, which carries what `f_dot` tells, along a direction.

    Raises CannotPush where there is no tangent function that is given all that moves.
    """
    if is_entry(f, f_dot) or isinstance(f, type) or has_partner(f):
        raise CannotPush
    pairs, told = carried_pairs(f_dot)
    parts = [part for name in pairs for part in pairs[name]]
    if any(type(part) is CellType for part in parts):
        raise CannotPush
    ready = ready_call(f, pairs, args, dots, False)
    if ready.opened or ready.writes or type(ready.function) is not FunctionType:
        raise CannotPush
    return Moving(ready, (*args, *dots, *parts), len(args), tuple(pairs), told)


def carried_pairs(f_dot: Any) -> tuple[Mapping[str, Any], Callable[[Any], Any]]:
    """What the tangent of a function tells of what it captures, and the pullback of that."""
    if not is_carried(f_dot):
        return {}, nothing
    pairs, back = pullback(pairs_of, f_dot)
    return pairs, lambda bars: back(bars)[0]


def pairs_of(f_dot: Any) -> Any:
    """The variables that a function captures, each with its tangent."""
    return f_dot.pairs()


def nothing(bars: Any) -> None:
    """The cotangent of a tangent that tells of nothing."""


def seed_of_tangent(both: Any, both_dot: Any) -> Any:
    """The seed of how the tangent of a number moves; None if it does not."""
    still = both_dot is None or both_dot[1] is None
    return None if still else (None, (None, one_of(both_dot[1])))


def one_of(value: Any) -> Any:
    """Ones in the form of a real number or array.

    >>> one_of(2.5), one_of(np.zeros(1))
    (1.0, array([1.]))
    """
    return np.ones_like(value) if isinstance(value, np.ndarray | np.generic) else 1.0


non_differentiable(moving_call, one_of, kind="unknown")
