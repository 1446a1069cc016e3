"""Steps of explicit Runge-Kutta methods of `scipy.integrate`, and the states within them."""

from __future__ import annotations

import functools
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


@functools.cache
def rows_of(method: Any) -> Any:
    """For every slope of a step by which earlier ones its place is found, and at which part of the step:
    first those of the step itself, then that at its end, then those that tell the states within it."""
    rows = [(method.A[stage, :stage], method.C[stage]) for stage in range(len(method.C))]
    rows.append((method.B, 1.0))
    if method is si.DOP853:
        for stage, part in enumerate(method.C_EXTRA):
            rows.append((method.A_EXTRA[stage, : len(rows)], part))
    return rows


@functools.cache
def weights_of(method: Any) -> Any:
    """The polynomials in a part of a step that are the weights of its slopes and, in front, of the change of
    the state: a row of coefficients for each, from the constant one."""
    if method is not si.DOP853:
        count, degree = np.shape(method.P)
        return np.concatenate([np.zeros((1, degree + 1)), np.column_stack([np.zeros(count), method.P])])
    factors = [np.array([0.0, 1.0]) if place % 2 == 0 else np.array([1.0, -1.0]) for place in range(7)]
    parts = np.zeros((7, 8))
    product = np.ones(1)
    for place, factor in enumerate(reversed(factors)):
        product = np.convolve(product, factor)
        parts[place, : len(product)] = product
    end = len(method.C)
    weights = np.concatenate([np.zeros((1, 8)), np.transpose(method.D) @ parts[3:]])
    weights[0] += parts[0] - parts[1] + 2 * parts[2]
    weights[1] += parts[1] - parts[2]
    weights[1 + end] -= parts[2]
    return weights


def powers_of(x: Any, count: int) -> list[Any]:
    """The powers of numbers, with their first and second derivatives, a row for each number."""
    order = np.arange(count)
    powers = x[:, None] ** order
    first = np.zeros_like(powers)
    first[:, 1:] = order[1:] * powers[:, :-1]
    second = np.zeros_like(powers)
    second[:, 2:] = (order[2:] * order[1:-1]) * powers[:, :-2]
    return [powers, first, second]


@functools.cache
def weights_of_curve(method: Any) -> Any:
    """The weights, in what tells the states within a step (`curve_of`), of the change of the state and of the
    slopes times the length: a row for each of its rows."""
    if method is not si.DOP853:
        count, degree = np.shape(method.P)
        return np.column_stack([np.zeros(degree), np.transpose(method.P)])
    end, count = len(method.C), np.shape(method.D)[1]
    few = np.zeros((3, 1 + count))
    few[:, 0] = 1.0, -1.0, 2.0
    few[1, 1], few[2, 1], few[2, 1 + end] = 1.0, -1.0, -1.0
    return np.concatenate([few, np.column_stack([np.zeros(len(method.D)), method.D])])
