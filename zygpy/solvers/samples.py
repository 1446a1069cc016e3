"""Simpson's rule on samples, as `scipy.integrate` has it, of which the values are taken.

An even number of samples has the correction of K. V. Cartwright, Simpson's rule cumulative integration with
MS Excel and irregularly-spaced data (2017), whose formulas the running integrals are made of too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
import scipy.integrate as si

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.solvers.reports import carried, found


def simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: Any = -1) -> Any:
    """`scipy.integrate.simpson`."""
    value = found(si.simpson, (y,), {"x": x, "dx": dx, "axis": axis})
    rows = np.moveaxis(np.asarray(y), axis, -1)
    count = rows.shape[-1]
    steps = steps_of(x, dx, axis, rows)
    if count % 2 == 1:
        return carried(value, whole_parabolas(rows, steps))
    if count == 2:
        return carried(value, 0.5 * steps[..., 0] * (rows[..., 0] + rows[..., 1]))
    before, last = steps[..., -2], steps[..., -1]
    end = last_interval(rows, before, last)
    return carried(value, whole_parabolas(rows[..., :-1], steps[..., :-1]) + end)


def steps_of(x: Any, dx: Any, axis: Any, rows: Any) -> Any:
    """The distances between samples, which stand in rows."""
    if x is None:
        return np.ones(rows.shape[-1] - 1) * dx
    return between_places(np.asarray(x) if KEEPS_ALL else np.real(np.asarray(x)), axis)


KEEPS_ALL = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)
"""Whether SciPy's `simpson` computes with complex places: before, with their real parts."""


def between_places(x: Any, axis: Any) -> Any:
    """The distances between places, which are the same for all rows or stand along an axis."""
    return np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1), axis=-1)


def whole_parabolas(rows: Any, steps: Any) -> Any:
    """The integral over an even number of intervals, by parabolas through three samples each."""
    first, middle, last = rows[..., :-2:2], rows[..., 1:-1:2], rows[..., 2::2]
    h, k = steps[..., ::2], steps[..., 1::2]
    both = h + k
    parts = first * (2 - ratio(k, h)) + middle * both * ratio(both, h * k) + last * (2 - ratio(h, k))
    return np.sum(both / 6 * parts, axis=-1)


def ratio(a: Any, b: Any) -> Any:
    """Quotients, 0 where samples lie in one place."""
    return np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))


def last_interval(rows: Any, before: Any, last: Any) -> Any:
    """The integral over the last interval, by the parabola through the last three samples."""
    alpha = ratio(2 * last**2 + 3 * before * last, 6 * (last + before))
    beta = ratio(last**2 + 3 * before * last, 6 * before)
    eta = ratio(last**3, 6 * before * (before + last))
    return alpha * rows[..., -1] + beta * rows[..., -2] - eta * rows[..., -3]


def cumulative_simpson(y: Any, *, x: Any = None, dx: Any = 1.0, axis: Any = -1, initial: Any = None) -> Any:
    """`scipy.integrate.cumulative_simpson`."""
    value = found(si.cumulative_simpson, (y,), {"x": x, "dx": dx, "axis": axis, "initial": initial})
    rows = np.moveaxis(np.asarray(y), axis, -1)
    steps = running_steps(x, dx, axis, rows)
    parts = np.moveaxis(np.cumsum(running_parts(rows, steps), axis=-1), -1, axis)
    if initial is not None:
        parts = np.concatenate([0.0 * np.take(parts, [0], axis=axis), parts], axis=axis) + initial
    return carried(value, parts)


def running_steps(x: Any, dx: Any, axis: Any, rows: Any) -> Any:
    """The distances between samples, as many as there are intervals in each row."""
    if x is not None:
        return between_places(np.asarray(x), axis) + np.zeros_like(rows[..., 1:])
    width = np.moveaxis(dx, axis, -1) if np.ndim(dx) else dx
    return width + np.zeros_like(rows[..., 1:])


def running_parts(rows: Any, steps: Any) -> Any:
    """The integrals over single intervals."""
    if rows.shape[-1] < 3:
        return 0.5 * steps * (rows[..., 1:] + rows[..., :-1])
    ahead = first_intervals(rows, steps)
    back = np.flip(first_intervals(np.flip(rows, -1), np.flip(steps, -1)), -1)
    count = steps.shape[-1]
    places = np.arange(count)
    from_back = (places % 2 == 1) | (places == count - 1)
    padded = np.concatenate([ahead, ahead[..., -1:]], axis=-1)
    shifted = np.concatenate([back[..., :1], back], axis=-1)
    return np.where(from_back, shifted, padded)


def first_intervals(rows: Any, steps: Any) -> Any:
    """For every three samples in a row the integral over the first of the two intervals."""
    first, second = steps[..., :-1], steps[..., 1:]
    u, v = ratio(first, first + second), ratio(first, second)
    parts = (3 - u) * rows[..., :-2] + (3 + u * v + u) * rows[..., 1:-1] - u * v * rows[..., 2:]
    return first / 6 * parts


stands_for(si.simpson, simpson)
stands_for(si.cumulative_simpson, cumulative_simpson)
non_differentiable(si.newton_cotes, kind="unknown")
if hasattr(si, "lebedev_rule"):  # since SciPy 1.15
    non_differentiable(si.lebedev_rule, kind="unknown")
