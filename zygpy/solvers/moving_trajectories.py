"""Solutions of initial value problems along a direction: the steps of an explicit Runge-Kutta method (see
`trajectories.py`) for the states together with their tangents.

The tangent of such a step is the step of the same method for the equations and their tangents, since a step is
linear in the slopes. Where the ends of a step move, its length changes at a rate: every slope counts once more
with that rate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate as si

from zygpy.api import pullback
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.runtime.zeros import CannotPush
from zygpy.solvers.implicit import in_form_of
from zygpy.solvers.moving import Moving, moving_call
from zygpy.solvers.steps import asked_in, curve_of, stages_of, state_on, time_at


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


def slope_along(
    t: Any, z: Any, equations: Any, own: Any, start: Any, start_dot: Any, rate: Any
) -> Any:  # fmt: skip
    """What the equations say of the derivative of a state, and of its tangent, in a step that begins at a time
    and grows at a rate."""
    return _slope_along(t, z, equations, own, start, start_dot, rate)[0]


def _slope_along(
    t: Any, z: Any, equations: Any, own: Any, start: Any, start_dot: Any, rate: Any
) -> Any:  # fmt: skip
    given = equations.given(own, t, start_dot + (t - start) * rate, z)
    value, value_dot, pull = equations.call.with_given(given).pulled()
    n = len(z) // 2
    slope, slope_dot = vector_of(value, n), vector_of(value_dot, n)

    def back(bar: Any) -> Any:
        seeds = in_form_of(bar[:n] + rate * bar[n:], value), in_form_of(bar[n:], value_dot)
        t_bar, dot_bar, z_bar, rest = equations.taken(pull(seeds), z)
        rate_bar = np.dot(slope, bar[n:]) + (t - start) * dot_bar
        return t_bar + rate * dot_bar, z_bar, None, rest, -rate * dot_bar, dot_bar, rate_bar

    return np.concatenate([slope, slope_dot + rate * slope]), back


def vector_of(value: Any, count: int) -> Any:
    """What equations give, as a vector of so many real numbers.

    Raises CannotPush where it is something else.
    """
    vector = np.array(value)
    if vector.dtype.kind not in "fiu" or vector.size != count or vector.ndim > 1:
        raise CannotPush
    return np.reshape(vector, count) * 1.0


def replayed_along(
    equations: Any, own: Any, z: Any, span: Any, span_dot: Any, ends: Any, times: Any, times_dot: Any, method: Any
) -> Any:  # fmt: skip
    """The states with their tangents at these times, as columns, from steps that end at these times; with None
    for the times those at the ends of the steps."""
    states = np.zeros((len(z), len(ends) if times is None else len(times)))
    wanted = asked_in(ends, times)
    last = len(ends) - 2
    if times is None:
        states[:, 0] = z
    for step in range(len(ends) - 1):
        t = time_at(ends, step, span)
        h = time_at(ends, step + 1, span) - t
        t_dot = span_dot[0] if step == 0 else 0.0
        rate = ((span_dot[1] if step == last else 0.0) - t_dot) / h
        args = (equations, own, t, t_dot, rate)
        slopes = stages_of(slope_along, t, z, slope_along(t, z, *args), h, args, True, method)
        after = z + h * np.dot(method.B, np.stack(slopes))
        if times is None:
            states[:, step + 1] = after
        elif len(wanted[step]) > 0:
            slopes.append(slope_along(t + h, after, *args))
            rows = curve_of(slope_along, t, z, after, slopes, h, args, True, method)
            for place in wanted[step]:
                passed = times[place] - t
                states[:, place] = state_on(rows, z, passed / h, method)
                if times_dot is not None or step == 0 or step == last:
                    own_dot = 0.0 if times_dot is None else times_dot[place]
                    along = (own_dot - t_dot - passed * rate) / h
                    half = len(z) // 2
                    moved = along * slope_on(rows[:, :half], passed / h, method)
                    states[half:, place] = states[half:, place] + moved
        z = after
    return states


def slope_on(rows: Any, x: Any, method: Any) -> Any:
    """The derivative of the state by the part `x` of one step."""
    if method is not si.DOP853:
        powers = np.arange(len(rows))
        return np.dot((powers + 1) * x**powers, rows)
    total = rows[len(rows) - 1] * x
    slope = rows[len(rows) - 1] * 1.0
    for place in range(1, len(rows)):
        total = total + rows[len(rows) - 1 - place]
        slope = slope * x + total if place % 2 == 0 else slope * (1 - x) - total
        total = total * (x if place % 2 == 0 else 1 - x)
    return slope


def trajectory_tangent(
    fun: Any, fun_dot: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any,
    times_dot: Any, args: Any, args_dot: Any, first: Any, method: Any,
) -> Any:  # fmt: skip
    """The states and their tangents."""
    given = along(fun, fun_dot, y0, y0_dot, span, span_dot, ends, times, times_dot, args, args_dot, first)
    states = replayed_along(*given, method)
    return states[: len(y0)], states[len(y0) :]


def along(
    fun: Any, fun_dot: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any,
    times_dot: Any, args: Any, args_dot: Any, first: Any,
) -> Any:  # fmt: skip
    """What the steps are computed of.

    Raises CannotPush for states that are no vectors of real numbers.
    """
    if y0.dtype != np.float64 or y0.ndim != 1:
        raise CannotPush
    dots, t, zeros = or_zero(args_dot, args), float(span[0]), np.zeros(len(y0))
    given = (t, y0, *args) if first else (y0, t, *args)
    call = moving_call(fun, fun_dot, given, (0.0, zeros, *dots) if first else (zeros, 0.0, *dots))
    z = np.concatenate([y0, np.reshape(or_zero(y0_dot, y0), len(y0))])
    ends_dot = tuple([float(dot) for dot in or_zero(span_dot, span)])
    return Equations(call, first), call.given, z, span, ends_dot, ends, times, times_dot


def _trajectory_tangent(
    fun: Any, fun_dot: Any, y0: Any, y0_dot: Any, span: Any, span_dot: Any, ends: Any, times: Any,
    times_dot: Any, args: Any, args_dot: Any, first: Any, method: Any,
) -> Any:  # fmt: skip
    given = along(fun, fun_dot, y0, y0_dot, span, span_dot, ends, times, times_dot, args, args_dot, first)
    states, pulled = pullback(replayed_along, *given, method)
    n = len(y0)
    both = states[:n], states[n:]

    def back(bars: Any) -> Any:
        seed = np.concatenate([or_zero(bar, both[0]) for bar in bars])
        _, own_bar, z_bar, span_bar, span_dot_bar, _, times_bar, times_dot_bar, _ = pulled(seed)
        fun_dot_bar, args_bar, dots_bar = given[0].call.split(list(own_bar))
        of_states = z_bar[:n], z_bar[n:]
        of_args = args_bar[2:], dots_bar[2:]
        of_times = span_bar, span_dot_bar, None, times_bar, times_dot_bar
        return None, fun_dot_bar, *of_states, *of_times, *of_args, None, None

    return both, back


custom.add(custom.made(slope_along, _slope_along, "slope_along", keeps="nothing"))
custom.add(custom.made(trajectory_tangent, _trajectory_tangent, "trajectory_tangent", keeps="nothing"))
non_differentiable(asked_in, kind="unknown")
