"""Solutions of initial value problems between the ends of steps: at any time, and where an event is.

What is differentiated are the polynomials by which an explicit Runge-Kutta method tells the states within its
steps (see `trajectories.py`); the time of an event follows from the implicit function theorem.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate as si

from zygpy.api import pullback
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.solvers.implicit import root_at
from zygpy.solvers.replays import Cotangents, steps_of
from zygpy.solvers.reports import carried
from zygpy.solvers.steps import curve_of, slope_at, stages_of, weights_of_curve


def pieces(fun: Any, y0: Any, ends: Any, args: Any, method: Any) -> Any:
    """The states at the ends of steps, and for every step what tells the states within it, as rows."""
    y = y0
    states, rows = [y0], []
    slope = slope_at(fun, ends[0], y, args, True)
    for step in range(len(ends) - 1):
        t = ends[step]
        h = ends[step + 1] - t
        slopes = stages_of(fun, t, y, slope, h, args, True, method)
        after = y + h * np.dot(method.B, np.stack(slopes))
        slope = slope_at(fun, t + h, after, args, True)
        slopes.append(slope)
        rows.append(curve_of(fun, t, y, after, slopes, h, args, True, method))
        states.append(after)
        y = after
    return np.stack(states), np.stack(rows)


def curve(fun: Any, y0: Any, ends: Any, args: Any, method: Any) -> Any:
    """The same, whose steps are a program of their own."""
    return pieces(fun, y0, ends, args, method)


def _curve(fun: Any, y0: Any, ends: Any, args: Any, method: Any) -> Any:
    steps = steps_of(fun, y0, ends, [True] * (len(ends) - 1), args, True, method)
    if steps is None:  # a program of its own
        return pullback(pieces, fun, y0, ends, args, method)
    weights = weights_of_curve(method)
    rows = np.stack([step.combined(weights) for step in steps.steps])

    def back(bars: Any) -> Any:
        states_bar, rows_bar = or_zero(bars[0], steps.states), or_zero(bars[1], rows)
        found = Cotangents(steps)
        found.states += states_bar
        for place, bar in enumerate(rows_bar):
            found.take(place, weights, bar)
        y0_bar, ends_bar, (fun_bar, *args_bar) = found.pulled()
        return fun_bar, y0_bar, ends_bar, tuple(args_bar), None

    return (steps.states.copy(), rows.copy()), back


def states_on(made: Any, method: Any, t: Any) -> Any:
    """The states at some times, as rows."""
    ends, states, rows = made
    step = places_of(ends, t)
    x = np.expand_dims((t - ends[step]) / (ends[step + 1] - ends[step]), -1)
    y, parts = states[step], rows[step]
    count = np.shape(rows)[1]
    total = parts[:, count - 1] * x
    for place in range(1, count):
        factor = 1 - x if method is si.DOP853 and place % 2 == 1 else x
        total = (total + parts[:, count - 1 - place]) * factor
    return y + total


def places_of(ends: Any, t: Any) -> Any:
    """In which steps some times are, of two the one that ends there."""
    sign = 1 if ends[-1] >= ends[0] else -1
    return np.clip(np.searchsorted(sign * ends, sign * t, side="left") - 1, 0, len(ends) - 2)


class Curve(si.OdeSolution):  # type: ignore[misc]
    """A solution at all times, that follows what it is computed of."""

    def __init__(self, of: Any, ts: Any, made: Any, method: Any) -> None:
        self.of, self.made, self.method = of, made, method
        self.n_segments, self.interpolants, self.ts = of.n_segments, of.interpolants, ts
        self.ascending, self.side = of.ascending, of.side
        self.t_min, self.t_max = (ts[0], ts[-1]) if of.ascending else (ts[-1], ts[0])
        self.ts_sorted = ts if of.ascending else ts[::-1]

    def __call__(self, t: Any) -> Any:
        """The states at a time, or at times as columns."""
        times = np.reshape(np.asarray(t) * 1.0, -1)
        states = states_on(self.made, self.method, times)
        value = told_at(self.of, t)
        return carried(value, np.transpose(states) if np.ndim(t) else states[0])


def told_at(of: Any, t: Any) -> Any:
    """What SciPy tells of a solution."""
    return of(t)


def event_at(t: Any, event: Any, made: Any, method: Any, args: Any) -> Any:
    """What is zero where an event is."""
    return np.sum(event(t, states_on(made, method, np.reshape(t, 1))[0], *args))


def times_of_event(found: Any, event: Any, made: Any, method: Any, args: Any) -> Any:
    """The times at which an event is found."""
    times = [root_at(event_at, one, (event, made, method, args)) for one in found]
    return np.array(times) if len(times) > 0 else np.zeros(0)


def states_of_event(found: Any, made: Any, method: Any, times: Any) -> Any:
    """The states at these times."""
    return carried(found, states_on(made, method, times)) if len(times) > 0 else found


def listed(events: Any) -> Any:
    """The events, of which one may be given by itself."""
    return (events,) if callable(events) else events


custom.add(custom.made(curve, _curve, "curve", keeps="nothing"))
non_differentiable(places_of, kind="unknown")
non_differentiable(told_at, kind="unknown")
