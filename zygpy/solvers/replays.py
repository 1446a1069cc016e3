"""Steps of an explicit Runge-Kutta method (see `trajectories.py`), pulled back one by one.

Every slope is the call of one function on a time and a state, whose pullback is kept; what stands between the
slopes are sums with the weights of the method, whose cotangents are written down here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.dispatch import pull
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.directions import or_zero
from zygpy.solvers.implicit import in_form_of
from zygpy.solvers.steps import asked_in, powers_of, rows_of, time_at, weights_of
from zygpy.tools.levels import nestlevel


def real_vector(value: Any, count: int) -> Any:
    """What equations give, as a vector of so many real numbers in double precision; None if it is none."""
    vector = np.asarray(value)
    if vector.dtype.kind not in "fiu" or vector.size != count or vector.ndim > 1:
        return None
    if vector.dtype.kind == "f" and vector.dtype != np.float64:
        return None
    return np.reshape(vector, count) * 1.0


class NoVectors(Exception):
    """The equations give something else than vectors of real numbers."""


class Slopes:
    """What the equations say of the derivative at times and states, and what comes back to all that they are
    given beside: the function and its further arguments. `first` tells whether the time comes first."""

    def __init__(self, fun: Any, args: Any, first: bool) -> None:
        self.fun, self.args = fun, args
        self.time, self.state = (1, 2) if first else (2, 1)

    def at(self, t: Any, y: Any) -> tuple[Any, Any]:
        """The slope, and its pullback to the time and the state, which adds what comes back to the rest.

        Raises NoVectors where the slope is none.
        """
        given = (float(t), y) if self.time == 1 else (y, float(t))
        value, back = pull(self.fun, *given, *self.args)
        vector = real_vector(value, len(y))
        if vector is None:
            raise NoVectors

        def pulled(bar: Any, rest: list[Any]) -> tuple[Any, Any]:
            bars = back(in_form_of(bar, value))
            for place, one in enumerate((bars[0], *bars[3:])):
                rest[place] = accumulate(rest[place], one)
            t_bar, y_bar = or_zero(bars[self.time], 0.0), or_zero(bars[self.state], y)
            return float(t_bar), np.reshape(y_bar, len(y))

        return vector, pulled


class Step:
    """A step from a state and the slope there: its slopes, with their pullbacks, and the state behind it."""

    def __init__(self, slopes: Slopes, limits: Any, y: Any, begun: Any, rows: Any, end: int) -> None:
        t, h = limits[0], limits[1] - limits[0]
        self.y, self.h, self.rows, self.end = y, h, rows, end
        self.slopes = np.zeros((len(rows), len(y)))
        self.slopes[0], self.backs = begun[0], [begun[1]]
        for place in range(1, len(rows)):
            row, part = rows[place]
            at = y + h * (row @ self.slopes[: len(row)])
            if place == end:
                self.after = at
            self.slopes[place], back = slopes.at(t + part * h, at)
            self.backs.append(back)
        self.ended = self.slopes[end], self.backs[end]

    def combined(self, weights: Any) -> Any:
        """Sums with such weights of the change of the state and of the slopes times the length, as rows."""
        return np.multiply.outer(weights[:, 0], self.after - self.y) + self.h * (weights[:, 1:] @ self.slopes)

    def pulled(self, after_bar: Any, slopes_bar: Any, rest: list[Any]) -> tuple[Any, Any, Any]:
        """The cotangents of the time at which the step begins, of its length, and of the state before it; of
        `slopes_bar` the first is that of the slope there."""
        zeros = np.zeros_like(self.y)
        t_bar, h_bar, y_bar = 0.0, 0.0, zeros
        for place in reversed(range(1, len(self.rows))):
            row, part = self.rows[place]
            at_bar: Any = zeros
            if slopes_bar[place].any():
                of_time, at_bar = self.backs[place](slopes_bar[place], rest)
                t_bar, h_bar = t_bar + of_time, h_bar + part * of_time
            if place == self.end:
                at_bar = at_bar + after_bar
            y_bar = y_bar + at_bar
            h_bar = h_bar + (row @ self.slopes[: len(row)]) @ at_bar
            slopes_bar[: len(row)] += (self.h * row)[:, None] * at_bar
        return t_bar, h_bar, y_bar


class Steps:
    """Steps between given ends, from a state, and the states at the ends, as rows; the states within those
    that are `asked` for are told by further slopes."""

    def __init__(self, slopes: Slopes, y0: Any, ends: Any, asked: Any, method: Any) -> None:
        self.given, end, rows = slopes, len(method.C), rows_of(method)
        self.states = np.zeros((len(ends), len(y0)))
        self.states[0] = y = y0
        self.begun = begun = slopes.at(ends[0], y0)
        self.steps: list[Step] = []
        for place in range(len(ends) - 1):
            own = rows if asked[place] else rows[: end + 1]
            step = Step(slopes, ends[place : place + 2], y, begun, own, end)
            self.states[place + 1] = y = step.after
            begun = step.ended
            self.steps.append(step)


class Cotangents:
    """What comes back to steps: to the states at the ends, to the ends, and to the slopes."""

    def __init__(self, steps: Steps) -> None:
        self.all, self.steps = steps, steps.steps
        self.states, self.ends = np.zeros_like(steps.states), np.zeros(len(steps.states))
        self.slopes = [np.zeros_like(step.slopes) for step in steps.steps]

    def take(self, place: int, weights: Any, bar: Any) -> None:
        """Take what has come to sums of a step's slopes."""
        step, parts_bar = self.steps[place], np.transpose(weights) @ bar
        self.states[place] -= parts_bar[0]
        self.states[place + 1] += parts_bar[0]
        self.slopes[place] += step.h * parts_bar[1:]
        self.lengthen(place, np.sum(parts_bar[1:] * step.slopes))

    def lengthen(self, place: int, h_bar: Any) -> None:
        """Take what has come to the length of a step."""
        self.ends[place] -= h_bar
        self.ends[place + 1] += h_bar

    def pulled(self) -> tuple[Any, Any, list[Any]]:
        """The cotangents of the first state, of the ends, and of the function and what else it is given."""
        rest: list[Any] = [None] * (1 + len(self.all.given.args))
        y_bar = self.states[-1]
        begun_bar: Any = np.zeros_like(y_bar)
        for place in reversed(range(len(self.steps))):
            step, slopes_bar = self.steps[place], self.slopes[place]
            slopes_bar[step.end] += begun_bar
            t_bar, h_bar, y_bar = step.pulled(y_bar, slopes_bar, rest)
            y_bar, begun_bar = y_bar + self.states[place], slopes_bar[0]
            self.lengthen(place, h_bar)
            self.ends[place] += t_bar
        of_time, of_state = self.all.begun[1](begun_bar, rest)
        self.ends[0] += of_time
        return y_bar + of_state, self.ends, rest


class Replay:
    """The states at some times, as columns; with None for the times those at the ends of the steps."""

    def __init__(self, steps: Steps, ends: Any, times: Any, wanted: Any, method: Any) -> None:
        self.steps, self.times, self.states = steps, times, np.transpose(steps.states)
        self.within: list[Any] = []
        if times is None:
            return
        self.states, factors = np.zeros((steps.states.shape[1], len(times))), weights_of(method)
        for place, asked in enumerate(wanted):
            if len(asked) > 0:
                step = steps.steps[place]
                x = (np.asarray(times)[asked] - ends[place]) / step.h
                powers, slopes, _ = powers_of(x, factors.shape[1])
                weights, moved = powers @ np.transpose(factors), slopes @ np.transpose(factors)
                self.within.append((place, asked, x, weights, step.combined(moved)))
                self.states[:, asked] = np.transpose(step.y + step.combined(weights))

    def pulled(self, bars: Any) -> tuple[Any, Any, Any, list[Any]]:
        """The cotangents of the first state, of the limits, of the times, and of the function and what else
        it is given."""
        found, times_bar = Cotangents(self.steps), np.zeros(bars.shape[1])
        if self.times is None:
            found.states += np.transpose(bars)
        for place, asked, x, weights, moved in self.within:
            own = np.transpose(bars[:, asked])
            found.states[place] += np.sum(own, axis=0)
            found.take(place, weights, own)
            times_bar[asked] = of_times = np.sum(own * moved, axis=1) / self.steps.steps[place].h
            found.ends[place] -= np.sum(of_times)
            found.lengthen(place, -np.sum(x * of_times))
        y_bar, ends_bar, rest = found.pulled()
        return y_bar, (float(ends_bar[0]), float(ends_bar[-1])), times_bar, rest


def steps_of(
    fun: Any, y0: Any, ends: Any, asked: Any, args: Any, first: Any, method: Any
) -> Steps | None:  # fmt: skip
    """The steps; None where states are no vectors of real numbers in double precision, and in gradients of
    gradients, where the steps are a program that is differentiated once more."""
    vector = type(y0) is np.ndarray and y0.dtype == np.float64 and y0.ndim == 1
    if not vector or len(ends) < 2 or nestlevel() > 1:
        return None
    try:
        return Steps(Slopes(fun, args, bool(first)), y0, ends, asked, method)
    except NoVectors:
        return None


def replay_of(
    fun: Any, y0: Any, span: Any, ends: Any, times: Any, args: Any, first: Any, method: Any
) -> Replay | None:
    """The states at times, by steps whose first and last end follow the range; None as above."""
    ends = np.array([time_at(ends, step, span) for step in range(len(ends))], np.float64)
    wanted = asked_in(ends, times)
    asked = [times is not None and len(wanted[step]) > 0 for step in range(len(ends) - 1)]
    steps = steps_of(fun, y0, ends, asked, args, first, method)
    return None if steps is None else Replay(steps, ends, times, wanted, method)
