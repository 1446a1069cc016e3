"""Splines of `scipy.signal` as programs: their coefficients by filters that run both ways, and their values.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.

Source of the formulas: M. Unser, A. Aldroubi, M. Eden, B-spline signal processing, parts I and II (IEEE
Transactions on Signal Processing 41, 1993).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.ndimage as ni
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime import filtering
from zygpy.runtime.image_splines import shares
from zygpy.runtime.library_values import depending, like_given, told_by
from zygpy.runtime.symmetric_filters import both_ways, continued, swinging

CUBIC, QUADRATIC = math.sqrt(3.0) - 2.0, 2.0 * math.sqrt(2.0) - 3.0
"""The poles of the filters that give coefficients, of splines of degree 3 and 2."""
LEAST = 1.0 / 144.0
"""Images are smoothed by what is above this."""

# Coefficients of signals.


def cspline1d(signal: Any, lamb: Any = 0.0) -> Any:
    """`scipy.signal.cspline1d`."""
    check_line("cspline1d", signal)
    value = told_by(ss.cspline1d, (signal, lamb), {})
    found = smoothed(np.asarray(signal), lamb) if lamb != 0.0 else filtered(np.asarray(signal), CUBIC, 6.0)
    check_same("cspline1d", value, found)
    return finished(value, found)


def qspline1d(signal: Any, lamb: Any = 0.0) -> Any:
    """`scipy.signal.qspline1d`, which does not smooth."""
    check_line("qspline1d", signal)
    value = told_by(ss.qspline1d, (signal, lamb), {})
    found = filtered(np.asarray(signal), QUADRATIC, 8.0)
    check_same("qspline1d", value, found)
    return finished(value, depending(found, lamb))


def filtered(x: Any, pole: float, gain: float) -> Any:
    """A recursive filter with one pole, forth and back over a signal that is mirrored at its ends.

    One sample alone SciPy does not multiply by the gain.
    """
    a = np.array([1.0, -pole])
    first = x[:1] + pole * np.sum(pole ** np.arange(len(x)) * x)
    forth = ss.lfilter(filtering.one(a), a, np.concatenate([first, x[1:]]))
    last = pole / (pole - 1.0) * forth[-1:]
    back = ss.lfilter(filtering.one(a), a, np.concatenate([last, -pole * np.flip(forth[:-1])]))
    return np.flip(back) * (gain if len(x) > 1 else 1.0)


def smoothed(x: Any, amount: Any) -> Any:
    """The coefficients of a smoothing spline: a filter with two poles, forth and back.

    How it starts is told by sums over all samples, those before the first being the first ones turned round.
    """
    radius, angle = poles(amount)
    gain = 1.0 - 2.0 * radius * np.cos(angle) + radius**2
    a = np.stack([1.0, -2.0 * radius * np.cos(angle), radius**2])
    places = np.arange(len(x) + 2)
    response = gain / np.sin(angle) * radius**places * np.sin(angle * (places + 1))
    first = response[0] * x[:1] + np.sum(response[1:-1] * x)
    second = response[0] * x[:1] + response[1] * x[1:2] + np.sum(response[2:] * x)
    forth = continued(a, first, second, gain * x[2:])
    both, turned = overlaps(places, gain, radius, angle), np.flip(x)
    first = np.sum((both[:-2] + both[1:-1]) * turned, keepdims=True)
    second = np.sum((np.concatenate([both[1:2], both[:-3]]) + both[2:]) * turned, keepdims=True)
    return np.flip(continued(a, first, second, gain * np.flip(forth)[2:]))


def poles(amount: Any) -> Any:
    """The radius and the angle of the poles of the filter that smooths so much."""
    root = np.sqrt(3.0 + 144.0 * amount)
    xi = 1.0 - 96.0 * amount + 24.0 * amount * root
    radius = (24.0 * amount - 1.0 - np.sqrt(xi)) / (24.0 * amount)
    radius = radius * np.sqrt((48.0 * amount + 24.0 * amount * root) / xi)
    return radius, np.arctan2(np.sqrt(144.0 * amount - 1.0), np.sqrt(xi))


def overlaps(places: Any, gain: Any, radius: Any, angle: Any) -> Any:
    """The sums of products of the filter's response with itself, moved by so many samples."""
    square = radius**2
    first = gain**2 * (1.0 + square) / (1.0 - square)
    first = first / (1.0 - 2.0 * square * np.cos(2.0 * angle) + square**2)
    slope = (1.0 - square) / (1.0 + square) / np.tan(angle)
    return first * radius**places * (np.cos(angle * places) + slope * np.sin(angle * places))


# Coefficients of images.


def cspline2d(signal: Any, lamb: Any = 0.0, precision: Any = -1.0) -> Any:
    """`scipy.signal.cspline2d`."""
    check_image("cspline2d", signal)
    value = told_by(ss.cspline2d, (signal, lamb, precision), {})
    found = along_both(np.asarray(signal), lamb, CUBIC, 6.0, least(precision, value))
    check_same("cspline2d", value, found)
    return finished(value, found)


def qspline2d(signal: Any, lamb: Any = 0.0, precision: Any = -1.0) -> Any:
    """`scipy.signal.qspline2d`, which does not smooth."""
    check_image("qspline2d", signal)
    value = told_by(ss.qspline2d, (signal, lamb, precision), {})
    found = along_both(np.asarray(signal), 0.0, QUADRATIC, 8.0, least(precision, value))
    check_same("qspline2d", value, found)
    return finished(value, depending(found, lamb))


def spline_filter(Iin: Any, lmbda: Any = 5.0) -> Any:  # noqa: N803
    """`scipy.signal.spline_filter`, which is the smoothing spline at the samples."""
    check_image("spline_filter", Iin)
    value = told_by(ss.spline_filter, (Iin, lmbda), {})
    c = along_both(np.asarray(Iin), lmbda, CUBIC, 6.0, least(-1.0, np.real(value)))
    weights = np.array([1.0, 4.0, 1.0]) / 6.0
    found = ni.convolve1d(ni.convolve1d(c, weights, 1), weights, 0)
    check_same("spline_filter", value, found)
    return finished(value, found)


def along_both(x: Any, amount: Any, pole: float, gain: float, precision: float) -> Any:
    """The coefficients along the rows of an image, and then along its columns."""
    return np.transpose(along_rows(np.transpose(along_rows(x, amount, pole, gain, precision)),
                                   amount, pole, gain, precision))  # fmt: skip


def along_rows(x: Any, amount: Any, pole: float, gain: float, precision: float) -> Any:
    """The coefficients along the rows of an image."""
    if amount <= LEAST:
        return -pole * gain * both_ways(x, pole, precision, x)
    radius, angle = poles(amount)
    return swinging(x, radius, angle, precision, x)


def least(precision: Any, like: Any) -> float:
    """The precision that SciPy takes for images like this where none is given."""
    usual = 1e-3 if np.asarray(like).dtype in (np.float32, np.complex64) else 1e-6
    return usual if precision < 0.0 or precision >= 1.0 else float(precision)


# Values between samples.


def cspline1d_eval(cj: Any, newx: Any, dx: Any = 1.0, x0: Any = 0) -> Any:
    """`scipy.signal.cspline1d_eval`."""
    value = told_by(ss.cspline1d_eval, (cj, newx, dx, x0), {})
    return finished(value, between(np.asarray(cj), (np.asarray(newx) - x0) / dx, 3))


def qspline1d_eval(cj: Any, newx: Any, dx: Any = 1.0, x0: Any = 0) -> Any:
    """`scipy.signal.qspline1d_eval`."""
    value = told_by(ss.qspline1d_eval, (cj, newx, dx, x0), {})
    return finished(value, between(np.asarray(cj), (np.asarray(newx) - x0) / dx, 2))


def between(c: Any, t: Any, order: int) -> Any:
    """The values of a spline at places, which are turned back at the first and at the last sample.

    Between the samples next to an end the coefficient that is missing is the last one once more.
    """
    signs, moved, first = turned_back(t, len(c), order)
    weights = shares(signs * t + moved - first + (order + 1) % 2 / 2, order)
    found = 0.0
    for place in range(order + 1):
        found = found + c[np.clip(first - order // 2 + place, 0, len(c) - 1)] * weights[place]
    return found


def turned_back(t: Any, length: int, order: int) -> tuple[Any, Any, Any]:
    """By which sign and how far places are moved to lie between the samples, and the sample next to each."""
    last = length - 1
    turns = np.zeros(np.shape(t)) if last == 0 else np.ceil(t / last) - 1
    turns = np.where(t >= 0, np.maximum(turns, 0), np.floor(np.divide(t, max(last, 1))))
    signs = np.where(turns % 2 == 0, 1.0, -1.0)
    moved = np.where(turns % 2 == 0, -turns, turns + 1) * last
    inner = np.clip(signs * t + moved, 0, last)
    return signs, moved, np.floor(inner + (order + 1) % 2 / 2).astype(np.intp)


# What is as SciPy has it.


def finished(value: Any, computed: Any) -> Any:
    """SciPy's value, whose derivative is that of what was computed; 0 if it is one of integers."""
    return like_given(value, computed.astype(np.asarray(value).dtype))


def check_line(name: str, signal: Any) -> None:
    """Refuse arrays of samples in which SciPy mixes rows."""
    if np.ndim(signal) != 1:
        raise MissingRuleError(
            f"'scipy.signal.{name}' has no rule for signals of more than one dimension.",
            why="it is about one signal",
            instead="call it for each row, or use 'scipy.ndimage.spline_filter1d'",
        )


def check_image(name: str, image: Any) -> None:
    """Refuse arrays that are not images."""
    if np.ndim(image) != 2:
        raise MissingRuleError(
            f"'scipy.signal.{name}' has no rule for arrays that have not two dimensions.",
            why="it is about images",
            instead="call it for each image, or use 'scipy.ndimage.spline_filter'",
        )


def check_same(name: str, value: Any, computed: Any) -> None:
    """Refuse what another version of SciPy computes in another way."""
    whole = np.max(np.abs(value), initial=0.0, where=np.isfinite(value))
    if np.all(np.isfinite(value)) and not np.allclose(value, computed, rtol=1e-3, atol=2e-3 * whole):
        raise MissingRuleError(
            f"'scipy.signal.{name}' has no rule in this version of SciPy.",
            why="it gives something else than what is differentiated",
            instead="use the filters of splines of 'scipy.ndimage'",
        )
