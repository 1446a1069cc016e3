"""Filters of `scipy.signal` that run both ways over signals which are mirrored at their ends.

The values are SciPy's own; beside them they are computed in operations that have rules. How the filters start
is told by sums over the mirrored signal, which end where what is added falls below a precision.
This module is imported with the rules of `scipy.signal`, never by zygpy itself.

M. Unser, A. Aldroubi, M. Eden, B-spline signal processing, part II (1993).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime import filtering
from zygpy.runtime.library_values import as_given, told_by


def symiirorder1(signal: Any, c0: Any, z1: Any, precision: Any = -1.0) -> Any:
    """`scipy.signal.symiirorder1`."""
    value = told_by(ss.symiirorder1, (signal, c0, z1, precision), {})
    return as_given(value, c0 * both_ways(np.asarray(signal), z1 + 0.0, precision, value))


def both_ways(rows: Any, z: Any, precision: Any, like: Any) -> Any:
    """A filter with one pole along rows, forth and back."""
    first = rows[..., :1] + summed(rows, z ** np.arange(1.0, rows.shape[-1] + 1.0), precision, like)
    a = np.concatenate([np.ones(1), np.reshape(-z, (1,))])
    forth = ss.lfilter(filtering.one(a), a, np.concatenate([first, rows[..., 1:]], axis=-1))
    last = forth[..., -1:] / (1.0 - z)
    back = ss.lfilter(filtering.one(a), a, np.concatenate([last, np.flip(forth[..., :-1], -1)], axis=-1))
    return np.flip(back, -1)


def symiirorder2(input: Any, r: Any, omega: Any, precision: Any = -1.0) -> Any:
    """`scipy.signal.symiirorder2`."""
    check_angle(r, omega)
    value = told_by(ss.symiirorder2, (input, r, omega, precision), {})
    return as_given(value, swinging(np.asarray(input), r, omega, precision, value))


def swinging(rows: Any, r: Any, omega: Any, precision: Any, like: Any) -> Any:
    """A filter with two poles along rows, forth and back."""
    length = np.shape(rows)[-1]
    turn, square = 2.0 * r * np.cos(omega), r * r
    gain = 1.0 - turn + square
    a = np.stack([1.0, -turn, square])
    # Forth: the samples before the first one are those behind it.
    response = gain * ss.lfilter(filtering.one(a), a, np.eye(1, length + 2)[0])
    first = response[0] * rows[..., :1] + summed(rows, response[1:], precision, like)
    second = response[0] * rows[..., 1:2] + response[1] * rows[..., :1]
    second = second + summed(rows, response[2:], precision, like)
    forth = continued(a, first, second, gain * rows[..., 2:])
    # And back: what stands at the end is told by both ways at once.
    both, turned = overlaps(turn, square, gain, a, length + 2), np.flip(rows, -1)
    least = root_of(precision, like)
    first = summed(turned, both[:-1] + both[1:], least, like)
    second = summed(turned, np.concatenate([both[1:2], both[:-3]]) + both[2:], least, like)
    back = continued(a, first, second, gain * np.flip(forth, -1)[..., 2:])
    return np.flip(back, -1)


def continued(a: Any, first: Any, second: Any, behind: Any) -> Any:
    """Rows that begin with two samples, and go on as a filter without delays of its input does."""
    given = np.concatenate([first, second + a[1] * first, behind], axis=-1)
    return ss.lfilter(filtering.one(a), a, given)


def overlaps(turn: Any, square: Any, gain: Any, a: Any, count: int) -> Any:
    """The sums of products of the response with itself, moved by one sample more each.

    They follow the same recursion as the response does, from the first two of them."""
    whole = 1.0 + square
    first = gain**2 * whole / ((1.0 - square) * (whole**2 - turn**2))
    second = turn * first / whole
    begun = np.concatenate([np.stack([first, second - turn * first]), np.zeros(count - 2)])
    return ss.lfilter(filtering.one(a), a, begun)


def summed(rows: Any, weights: Any, precision: Any, like: Any) -> Any:
    """For each row the sum of its samples with the first of these weights."""
    count = terms(weights[: np.shape(rows)[-1]], precision, like)
    return np.sum(rows[..., :count] * weights[:count], axis=-1, keepdims=True)


def terms(weights: Any, precision: Any, like: Any) -> int:
    """How many of these weights are summed up: those down to the first that is within the precision."""
    return int(np.argmax(np.append(np.abs(weights) <= limit(precision, like), True))) + 1


def limit(precision: Any, like: Any) -> Any:
    """The precision that SciPy takes for results like this."""
    usual = 1e-6 if np.finfo(np.asarray(like).dtype).eps > 1e-10 else 1e-11
    return precision if 0.0 < precision <= 1.0 else usual


def root_of(precision: Any, like: Any) -> Any:
    """The precision of weights whose squares SciPy compares with it."""
    return math.sqrt(limit(precision, like))


def check_angle(r: Any, omega: Any) -> None:
    """Refuse filters that SciPy starts by other formulas than those around them, or by rounding errors."""
    if r < 0.0 or abs(math.sin(omega)) < 1e-6 * abs(omega):
        raise MissingRuleError(
            "'scipy.signal.symiirorder2' has no rule for r < 0, nor for omega at a multiple of pi but 0.",
            why="SciPy starts these filters in another way than those with nearly the same coefficients",
            instead="for poles on the negative axis pass 'abs(r)' and an omega a little less than pi",
        )
