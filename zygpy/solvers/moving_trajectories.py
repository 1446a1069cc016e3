"""Solutions of initial value problems along a direction: the steps of an explicit Runge-Kutta method (see
`trajectories.py`) for the states together with their tangents.

The tangent of such a step is the step of the same method for the equations and their tangents, since a step
is linear in the slopes. Where the ends of a step move, its length changes at a rate: every slope counts once
more with that rate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.directions import or_zero
from zygpy.runtime.zeros import CannotPush
from zygpy.solvers.implicit import in_form_of
from zygpy.solvers.moving import Moving, moving_call
from zygpy.solvers.steps import asked_in, powers_of, rows_of, time_at, weights_of


class Equations:
    """The equations along a direction; `first` tells whether the time comes first."""

    def __init__(self, call: Moving, first: bool) -> None:
        self.call = call
        self.time, self.state = (0, 1) if first else (1, 0)

    def given(self, own: Any, t: Any, t_dot: Any, z: Any) -> Any:
        """What the tangent function is given at a time and state, of what else it is given."""
        count, n = self.call.count, len(z) // 2
        values = list(own)
        values[self.time], values[self.time + count] = float(t), float(t_dot)
        values[self.state], values[self.state + count] = z[:n].copy(), z[n:].copy()
        return tuple(values)

    def taken(self, bars: list[Any], z: Any) -> tuple[Any, Any, Any, Any]:
        """The cotangents of the time, of its tangent, of the state with its tangent, and of the rest."""
        count, n = self.call.count, len(z) // 2
        places = (self.time, self.time + count, self.state, self.state + count)
        t_bar, dot_bar, *states = [bars[place] for place in places]
        rest = tuple([None if place in places else bar for place, bar in enumerate(bars)])
        zeros = np.zeros(n)
        z_bar = np.concatenate([np.reshape(zeros if bar is None else bar, n) for bar in states])
        return or_zero(t_bar, 0.0), or_zero(dot_bar, 0.0), z_bar, rest


def slope_along(equations: Equations, own: Any, t: Any, z: Any, growth: Any) -> tuple[Any, Any]:
    """What the equations say of the derivative of a state, and of its tangent, in a step that begins at a
    time with a tangent and grows at a rate; and the pullback of that."""
    start, start_dot, rate = growth
    given = equations.given(own, t, start_dot + (t - start) * rate, z)
    value, value_dot, pull = equations.call.with_given(given).pulled()
    n = len(z) // 2
    slope, slope_dot = vector_of(value, n), vector_of(value_dot, n)

    def back(bar: Any) -> Any:
        seeds = in_form_of(bar[:n] + rate * bar[n:], value), in_form_of(bar[n:], value_dot)
        t_bar, dot_bar, z_bar, rest = equations.taken(pull(seeds), z)
        of_growth = np.array([-rate * dot_bar, dot_bar, np.dot(slope, bar[n:]) + (t - start) * dot_bar])
        return t_bar + rate * dot_bar, z_bar, rest, of_growth

    return np.concatenate([slope, slope_dot + rate * slope]), back


def vector_of(value: Any, count: int) -> Any:
    """What equations give, as a vector of so many real numbers.

    Raises CannotPush where it is something else.
    """
    vector = np.array(value)
    if vector.dtype.kind not in "fiu" or vector.size != count or vector.ndim > 1:
        raise CannotPush
    return np.reshape(vector, count) * 1.0


class Step:
    """A step along a direction: its slopes, of which each has its pullback, and the state behind it."""

    def __init__(self, equations: Equations, own: Any, z: Any, h: Any, growth: Any, within: Any, method: Any):
        self.z, self.h, self.growth = z, h, growth
        self.rows = rows_of(method)[: None if within else len(method.C)]
        self.last = rows_of(method)[len(method.C)]
        self.weights: Any = weights_of(method) if within else None
        self.slopes = np.zeros((len(self.rows), len(z)))
        self.backs = []
        for place, (row, part) in enumerate(self.rows):
            at = self.state(row)
            self.slopes[place], back = slope_along(equations, own, growth[0] + part * h, at, growth)
            self.backs.append(back)
        self.after = self.state(self.last[0])

    def state(self, row: Any) -> Any:
        """The state that slopes with these weights lead to."""
        return self.z + self.h * (row @ self.slopes[: len(row)])

    def within(self, passed: Any, passed_dot: Any) -> tuple[Any, Any]:
        """The states, as rows, when these times have passed, of which `passed_dot` tells how they move."""
        h, (_, start_dot, rate), n = self.h, self.growth, len(self.z) // 2
        x, x_dot = passed / h, (passed_dot - start_dot - passed * rate) / h
        parts = np.concatenate([[self.after - self.z], h * self.slopes])
        powers = powers_of(x, self.weights.shape[1])
        weights, first, second = [one @ np.transpose(self.weights) for one in powers]
        states, moved = self.z + weights @ parts, first @ parts
        states[:, n:] += x_dot[:, None] * moved[:, :n]

        def back(bars: Any) -> Any:
            seed = np.zeros_like(bars)
            seed[:, :n] = x_dot[:, None] * bars[:, n:]
            parts_bar = np.transpose(weights) @ bars + np.transpose(first) @ seed
            dot_bar = np.sum(bars[:, n:] * moved[:, :n], axis=1)
            x_bar = np.sum(bars * moved, axis=1) + np.sum(seed * (second @ parts), axis=1)
            passed_bar = (x_bar - rate * dot_bar) / h
            h_bar = np.sum(parts_bar[1:] * self.slopes) - np.sum(x * x_bar + x_dot * dot_bar) / h
            growth_bar = np.array([0.0, -np.sum(dot_bar) / h, -np.sum(passed * dot_bar) / h])
            return np.sum(bars, axis=0), parts_bar, passed_bar, dot_bar / h, h_bar, growth_bar

        return states, back

    def pulled(self, after_bar: Any, slopes_bar: Any) -> Any:
        """The cotangents of the state before the step, of its length, of how it grows, and of what else the
        equations are given, from those of the state behind it and of the slopes."""
        z_bar, h_bar, growth_bar = np.zeros_like(self.z), 0.0, np.zeros(3)
        rest: list[Any] = []
        within = len(self.rows) > len(self.last[0])
        if not within:
            z_bar, h_bar = self._led(self.last, after_bar, 0.0, slopes_bar)
        for place in reversed(range(len(self.rows))):
            t_bar, at_bar, more, of_growth = self.backs[place](slopes_bar[place])
            if within and place == len(self.last[0]):
                at_bar = at_bar + after_bar
            rest = added(rest, more)
            own, length = self._led(self.rows[place], at_bar, t_bar, slopes_bar)
            z_bar, h_bar = z_bar + own, h_bar + length
            growth_bar += of_growth
            growth_bar[0] += t_bar
        return z_bar, h_bar, growth_bar, rest

    def _led(self, row: Any, at_bar: Any, t_bar: Any, slopes_bar: Any) -> tuple[Any, Any]:
        """The cotangents of the state before the step and of its length, from those of where and when some
        slopes lead, of which the cotangents are added to."""
        weights, part = row
        slopes_bar[: len(weights)] += self.h * np.outer(weights, at_bar)
        return at_bar, (weights @ self.slopes[: len(weights)]) @ at_bar + part * t_bar


def added(bars: Any, more: Any) -> Any:
    """The sums of cotangents."""
    return [accumulate(one, other) for one, other in zip(bars, more, strict=True)] if bars else list(more)


class Replay:
    """The states with their tangents at some times, as columns, from steps that end at given times; with None
    for the times those at the ends of the steps."""

    def __init__(
        self, equations: Equations, z: Any, span: Any, span_dot: Any, ends: Any, times: Any, times_dot: Any,
        method: Any,
    ) -> None:  # fmt: skip
        own, self.wanted, self.times = equations.call.given, asked_in(ends, times), times
        self.states = np.zeros((len(z), len(ends) if times is None else len(times)))
        self.steps: list[Step] = []
        self.within: dict[int, Any] = {}
        last = len(ends) - 2
        if times is None:
            self.states[:, 0] = z
        for place in range(last + 1):
            t = time_at(ends, place, span)
            h = time_at(ends, place + 1, span) - t
            t_dot = span_dot[0] if place == 0 else 0.0
            h_dot = (span_dot[1] if place == last else 0.0) - t_dot
            growth = t, t_dot, h_dot / h if h_dot else 0.0  # of nothing, too, where there is no time between
            inside = times is not None and len(self.wanted[place]) > 0
            step = Step(equations, own, z, h, growth, inside, method)
            z = step.after
            self.steps.append(step)
            if times is None:
                self.states[:, place + 1] = z
            elif inside:
                asked = self.wanted[place]
                moves = np.zeros(len(asked)) if times_dot is None else np.asarray(times_dot)[asked]
                states, self.within[place] = step.within(np.asarray(times)[asked] - t, moves)
                self.states[:, asked] = np.transpose(states)

    def pulled(self, bars: Any) -> Any:
        """The cotangents of the first state, of the limits and their tangents, of the times and theirs, and
        of what else the equations are given."""
        z_bar: Any = np.zeros(len(bars))
        rest: list[Any] = []
        times_bar, times_dot_bar = np.zeros(bars.shape[1]), np.zeros(bars.shape[1])
        limits_bar, last = np.zeros((2, 2)), len(self.steps) - 1
        for place in reversed(range(last + 1)):
            step = self.steps[place]
            slopes_bar, start_bar = np.zeros_like(step.slopes), 0.0
            z_before, h_within, of_growth = 0.0, 0.0, 0.0
            if self.times is None:
                z_bar = z_bar + bars[:, place + 1]
            elif place in self.within:
                asked = self.wanted[place]
                found = self.within[place](np.transpose(bars[:, asked]))
                z_before, parts_bar, times_bar[asked], times_dot_bar[asked], h_within, of_growth = found
                z_before, z_bar = z_before - parts_bar[0], z_bar + parts_bar[0]
                slopes_bar += step.h * parts_bar[1:]
                start_bar = -np.sum(times_bar[asked])
            z_bar, h_bar, growth_bar, more = step.pulled(z_bar, slopes_bar)
            z_bar, growth_bar, rest = z_bar + z_before, growth_bar + of_growth, added(rest, more)
            along = growth_bar[2] / step.h
            h_bar = h_bar + h_within - step.growth[2] * along
            if place == 0:
                limits_bar[:, 0] += growth_bar[0] + start_bar - h_bar, growth_bar[1] - along
            if place == last:
                limits_bar[:, 1] += h_bar, along
        if self.times is None:
            z_bar = z_bar + bars[:, 0]
        return z_bar, limits_bar, times_bar, times_dot_bar, rest


def trajectory_tangent(
    fun: Any, fun_dot: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any,
    times_dot: Any, args: Any, args_dot: Any, first: Any, method: Any,
) -> Any:  # fmt: skip
    """The states and their tangents."""
    moving = (fun, fun_dot, args, args_dot, first)
    given = along(moving, y0, y0_dot, span, span_dot, ends, times, times_dot, method)
    states = Replay(*given).states
    return states[: len(y0)], states[len(y0) :]


def along(
    moving: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any, times_dot: Any,
    method: Any,
) -> Any:  # fmt: skip
    """What the steps are computed of.

    Raises CannotPush for states that are no vectors of real numbers.
    """
    if y0.dtype != np.float64 or y0.ndim != 1:
        raise CannotPush
    fun, fun_dot, args, args_dot, first = moving
    dots, t, zeros = or_zero(args_dot, args), float(span[0]), np.zeros(len(y0))
    given = (t, y0, *args) if first else (y0, t, *args)
    call = moving_call(fun, fun_dot, given, (0.0, zeros, *dots) if first else (zeros, 0.0, *dots))
    z = np.concatenate([y0, np.reshape(or_zero(y0_dot, y0), len(y0))])
    ends_dot = tuple([float(dot) for dot in or_zero(span_dot, span)])
    return Equations(call, first), z, span, ends_dot, ends, times, times_dot, method


def _trajectory_tangent(
    fun: Any, fun_dot: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any,
    times_dot: Any, args: Any, args_dot: Any, first: Any, method: Any,
) -> Any:  # fmt: skip
    moving = (fun, fun_dot, args, args_dot, first)
    given = along(moving, y0, y0_dot, span, span_dot, ends, times, times_dot, method)
    replay, n = Replay(*given), len(y0)
    both = replay.states[:n].copy(), replay.states[n:].copy()

    def back(bars: Any) -> Any:
        seed = np.concatenate([or_zero(bar, both[0]) for bar in bars])
        z_bar, (of_limits, of_dots), times_bar, times_dot_bar, rest = replay.pulled(seed)
        fun_dot_bar, args_bar, dots_bar = given[0].call.split(rest)
        of_states = z_bar[:n], z_bar[n:]
        of_args = args_bar[2:], dots_bar[2:]
        each = (times_bar, times_dot_bar) if times is not None else (None, None)
        of_times = tuple(of_limits.tolist()), tuple(of_dots.tolist()), None, *each
        return None, fun_dot_bar, *of_states, *of_times, *of_args, None, None

    return both, back


custom.add(custom.made(trajectory_tangent, _trajectory_tangent, "trajectory_tangent", keeps="nothing"))
non_differentiable(asked_in, kind="unknown")
