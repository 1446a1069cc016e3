"""Points where a sum of squares is least, as functions of what it depends on.

The derivatives of half the sum of r**2 come from those of the residuals r and of their tangent, so that the
function to be fitted is called by its own tangent function, and not by one of the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zygpy.api import pullback
from zygpy.rules import custom
from zygpy.runtime.directions import or_zero
from zygpy.runtime.solver_reports import start
from zygpy.runtime.zeros import CannotPush
from zygpy.solvers.flat import flat_at, kept_bar, moved_point, pulled_point
from zygpy.solvers.implicit import in_form_of
from zygpy.solvers.moving import Moving, moving_call


def least_at(f: Any, x: Any, held: Any, free: Any, args: Any, data: Any, spread: bool) -> Any:
    """The point `x`, at which the derivatives of half the sum of squares of `f(x, *args)` less the data, if
    there are any, are zero; if `spread` of `f(*args, *x)`. For `held` and `free` see `flat_at`."""
    return start(x) if free is None else np.where(free, x, held)


def half_squares(x: Any, f: Any, args: Any, data: Any, spread: bool) -> Any:
    """What is least at the point."""
    rest = f(*args, *x) if spread else f(x, *args)
    if data is not None:
        rest = rest - data
    return 0.5 * np.sum(np.ravel(rest) ** 2)


def flat_squares(f: Any, x: Any, held: Any, free: Any, args: Any, data: Any, spread: bool) -> Any:
    """The same by the derivatives of that."""
    return flat_at(half_squares, x, held, free, (f, args, data, spread))


def _least_at(f: Any, x: Any, held: Any, free: Any, args: Any, data: Any, spread: bool) -> Any:
    return pullback(flat_squares, f, x, held, free, args, data, spread)


@dataclass(frozen=True, eq=False)
class Squares:
    """Half the sum of squares along a direction, as `Moving` is a function: `data` and their tangent are what
    is taken from the values, `size` is that of a point that is spread behind the other arguments."""

    moving: Moving
    data: Any
    size: int | None

    def along(self, dot: Any) -> Squares:
        """The same with another tangent of the point."""
        return replace(self, moving=self._along(dot))

    def slopes(self, y: Any) -> tuple[Any, Any]:
        """The gradient of the tangent by the point, and by its tangent, which is the gradient."""
        value, value_dot, pulled = self.moving.pulled()
        rest, rest_dot = self._rest(value, value_dot)
        bars = self._ordered(pulled((in_form_of(rest_dot, value), in_form_of(rest, value))))
        return or_zero(bars[0], y), or_zero(bars[self.moving.count - self._further], y)

    def bent(self, first: Any, second: Any) -> list[Any]:
        """The gradient of how the tangent moves, as that of `Moving`; at its end the cotangents of the data
        and of their tangent."""
        rests: list[Any] = []

        def seeds(both: Any, both_dot: Any) -> Any:
            value = both[0]
            rest, rest_dot = self._rest(value, or_zero(both[1], value))
            moved = [np.asarray(or_zero(part, value)) for part in both_dot or (None, None)]
            rests[:] = moved
            inner, outer = (moved[1], moved[0]), (rest_dot, rest)
            return tuple([tuple([in_form_of(part, value) for part in parts]) for parts in (inner, outer)])

        start_at = self._place
        dots = {start_at + at: dot for at, dot in enumerate(self._parts(first))}
        dots |= {self.moving.count + start_at + at: dot for at, dot in enumerate(self._parts(second))}
        bars = self._ordered(self.moving.moved(dots, seeds))
        return [*bars, -rests[1], -rests[0]]

    @property
    def _place(self) -> int:
        return 0 if self.size is None else self.moving.count - self.size

    @property
    def _further(self) -> int:
        return 0 if self.size is None else self.size - 1

    def _along(self, dot: Any) -> Moving:
        return self.moving.along(*self._parts(dot), place=self._place)

    def _parts(self, vector: Any) -> list[Any]:
        return [vector] if self.size is None else list(vector)

    def _rest(self, value: Any, value_dot: Any) -> tuple[Any, Any]:
        """What is squared, and its tangent.

        Raises CannotPush where that is of another form than the values.
        """
        parts = np.asarray(value), np.asarray(value_dot)
        if self.data is None:
            return parts
        rest, rest_dot = (part - data for part, data in zip(parts, self.data, strict=True))
        if np.shape(rest) != np.shape(value):
            raise CannotPush
        return rest, rest_dot

    def _ordered(self, bars: list[Any]) -> list[Any]:
        """The cotangents with those of a point that was spread together, and in front."""
        if self.size is None:
            return bars
        count = self.moving.count
        args, dots, own = bars[:count], bars[count : 2 * count], bars[2 * count :]
        return [*self._together(args), *self._together(dots), *own]

    def _together(self, bars: list[Any]) -> list[Any]:
        point = [or_zero(bar, 0.0) for bar in bars[self._place :]]
        return [np.stack(point), *bars[: self._place]]

    def split(self, bars: list[Any]) -> Any:
        """The cotangents of the tangent of the function, of the point and the other arguments, and of their
        tangents."""
        return replace(self.moving, count=self.moving.count - self._further).split(bars)


def squares_along(f: Any, f_dot: Any, args: Any, data: Any, spread: bool) -> Callable[[Any, Any], Squares]:
    """The sum at a point, along a direction; `args` and `data` are each with their tangent."""
    taken = None if data[0] is None else data

    def call(y: Any, y_dot: Any) -> Squares:
        if spread:
            values, dots = (*args[0], *y), (*args[1], *y_dot)
            return Squares(moving_call(f, f_dot, values, dots), taken, len(y))
        return Squares(moving_call(f, f_dot, (y, *args[0]), (y_dot, *args[1])), taken, None)

    return call


def least_at_tangent(
    f: Any,
    f_dot: Any,
    x: Any,
    held: Any,
    held_dot: Any,
    free: Any,
    args: Any,
    args_dot: Any,
    data: Any,
    data_dot: Any,
    spread: bool,
) -> Any:
    """The same and its tangent."""
    call = squares_along(f, f_dot, (args, args_dot), (data, data_dot), spread)
    _, y, _, y_dot = moved_point(call, x, (held, held_dot, free))
    return y, y_dot


def _least_at_tangent(
    f: Any,
    f_dot: Any,
    x: Any,
    held: Any,
    held_dot: Any,
    free: Any,
    args: Any,
    args_dot: Any,
    data: Any,
    data_dot: Any,
    spread: bool,
) -> Any:
    call = squares_along(f, f_dot, (args, args_dot), (data, data_dot), spread)
    point = moved_point(call, x, (held, held_dot, free))
    squares, y, _, y_dot = point

    def back(bars: Any) -> Any:
        y_bar, dot_bar = [or_zero(bar, y) for bar in bars]
        found = pulled_point(point, free, y_bar, dot_bar)
        f_dot_bar, args_bar, dots_bar = squares.split(found[:-2])
        held_bar = kept_bar(y_bar, args_bar[0], free, y)
        held_dot_bar = kept_bar(dot_bar, dots_bar[0], free, y)
        taken = found[-2:] if data is not None else (None, None)
        return None, f_dot_bar, None, held_bar, held_dot_bar, None, args_bar[1:], dots_bar[1:], *taken, None

    return (y, y_dot), back


custom.add(custom.made(least_at_tangent, _least_at_tangent, "least_at_tangent", keeps="nothing"))
custom.add(
    custom.made(
        least_at,
        _least_at,
        "least_at",
        keeps="nothing",
        pushed=least_at_tangent,
        moving=frozenset({"f", "held", "args", "data"}),
    )
)
