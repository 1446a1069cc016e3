"""Steps of explicit Runge-Kutta methods of `scipy.integrate`, and the states within them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate as si


def slope_at(fun: Any, t: Any, y: Any, args: Any, first: Any) -> Any:
    """What an equation says of the derivative; `first` tells whether the time comes first."""
    slope = np.asarray(fun(t, y, *args) if first else fun(y, t, *args))
    return slope if slope.ndim > 0 else np.reshape(slope, 1)


def stages_of(fun: Any, t: Any, y: Any, slope: Any, h: Any, args: Any, first: Any, method: Any) -> Any:
    """The slopes of one step, from that at its beginning, as rows."""
    slopes = [slope]
    for stage in range(1, len(method.C)):
        change = np.dot(method.A[stage, :stage], np.stack(slopes)) * h
        slopes.append(slope_at(fun, t + method.C[stage] * h, y + change, args, first))
    return slopes


def curve_of(
    fun: Any, t: Any, y: Any, after: Any, slopes: Any, h: Any, args: Any, first: Any, method: Any
) -> Any:
    """What tells the states within one step: rows that belong to polynomials."""
    if method is not si.DOP853:
        return h * np.dot(np.transpose(method.P), np.stack(slopes))
    known = list(slopes)
    for stage in range(len(method.C_EXTRA)):
        row = method.A_EXTRA[stage, : len(known)]
        change = np.dot(row, np.stack(known)) * h
        known.append(slope_at(fun, t + method.C_EXTRA[stage] * h, y + change, args, first))
    change = after - y
    beginning, end = known[0], known[len(slopes) - 1]
    few = np.stack([change, h * beginning - change, 2 * change - h * (end + beginning)])
    return np.concatenate([few, h * np.dot(method.D, np.stack(known))])


def state_on(rows: Any, y: Any, x: Any, method: Any) -> Any:
    """The state at a part `x` of one step."""
    if method is not si.DOP853:
        return y + np.dot(x ** np.arange(1, len(rows) + 1), rows)
    total = rows[len(rows) - 1] * x
    for place in range(1, len(rows)):
        row = rows[len(rows) - 1 - place]
        total = (total + row) * (x if place % 2 == 0 else 1 - x)
    return y + total


def time_at(ends: Any, step: Any, span: Any) -> Any:
    """The time at which a step begins: the first and the last follow the range."""
    if step == 0:
        return span[0]
    return span[1] if step == len(ends) - 1 else ends[step]


def asked_in(ends: Any, times: Any) -> Any:
    """For every step the places of the times in it; those at an end belong to the step that ends there."""
    if times is None:
        return []
    sign = 1 if ends[-1] >= ends[0] else -1
    steps = np.searchsorted(sign * ends, sign * np.asarray(times), side="left") - 1
    steps = np.clip(steps, 0, len(ends) - 2)
    return [np.flatnonzero(steps == step).tolist() for step in range(len(ends) - 1)]
