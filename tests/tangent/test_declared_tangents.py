"""Tangents that rules declare of functions of one complex number, of sequences, and of filters by their
coefficients."""

from __future__ import annotations

import cmath
import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.rules import reference
from tests.tangent.test_rules import compare
from zygpy.pushing import Push, push_of
from zygpy.rules import declare
from zygpy.runtime import complexes, filtering

HOLOMORPHIC = (
    *("exp", "sqrt", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)
POINTS = (0.3 + 0.7j, -1.2 + 0.4j, 0.5 - 2.0j)


@pytest.mark.parametrize("name", HOLOMORPHIC)
@pytest.mark.parametrize("z", POINTS)
def test_holomorphic_functions(name: str, z: complex) -> None:
    """Against differences along both axes, which are each other turned by a quarter."""
    function = getattr(cmath, name)
    assert compare(function, [z], {}, [0])
    for turn in (1.0, 1j):
        found = zg.pushforward(lambda z: function(z), z)(turn)
        expected = reference.directional(lambda t, turn=turn: function(z + t * turn))
        np.testing.assert_allclose(found, complex(expected), rtol=1e-8)
        assert type(found) is complex


@pytest.mark.parametrize("name", [name for name in HOLOMORPHIC if name != "acosh"])
def test_holomorphic_functions_of_real_numbers(name: str) -> None:
    function = getattr(cmath, name)
    found = zg.pushforward(lambda x: function(x), 0.6)(2.0)
    np.testing.assert_allclose(
        found, complex(reference.directional(lambda t: function(0.6 + 2 * t))), rtol=1e-8
    )


@pytest.mark.parametrize("z", POINTS)
def test_other_functions_of_complex_numbers(z: complex) -> None:
    for function, args in (
        (cmath.phase, [z]),
        (cmath.polar, [z]),
        (cmath.log, [z, 2.5]),
        (cmath.log, [z, 2.5 - 1j]),
        (cmath.rect, [1.3, 0.4]),
        (complexes.turned, [0.7, z]),
        (complexes.per_complex_log, [z, 2.5 + 1j]),
    ):
        every = list(range(len(args)))
        for moving in (every, *([place] for place in every if len(args) > 1)):
            assert compare(function, args, {}, moving), function


VALUES = np.array([1.3, 0.4, 2.2, 3.1])
SIGNAL = np.cos(np.arange(12.0))
SECTIONS = np.array([[1.0, 0.5, 0.2, 1.0, 0.3, 0.1], [1.0, 0.2, 0.1, 1.0, -0.3, 0.1]])

PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "spectrum": (lambda t: abs(cmath.exp(1j * t) + cmath.sqrt(t - 2j)) ** 2, 0.4),
    "angles": (lambda t: cmath.phase(t + 1j) * cmath.polar(t * t + 2j)[1], 0.4),
    "logarithms": (lambda t: cmath.log(t + 1j, t).real + cmath.rect(t, t * t).imag, 1.4),
    "mean": (lambda t: statistics.mean([t, t * t, 1.0]) ** 2, 0.4),
    "harmonic mean": (lambda t: statistics.harmonic_mean([t, t * t, 1.0]), 0.4),
    "weighted harmonic mean": (lambda t: statistics.harmonic_mean([t, t * t, 1.0], [1.0, t, 2.0]), 0.4),
    "quantile of a normal": (lambda t: statistics._normal_dist_inv_cdf(t / 2, t, t * t), 0.4),
    "spread": (lambda t: statistics.stdev([t, t * t, 1.0]) * statistics.pstdev((t, 2.0, t**3)), 0.4),
    "squares": (lambda t: statistics.variance([t, t * t, 1.0]) + statistics.pvariance([t, 2.0]), 0.4),
    "about a centre": (
        lambda t: statistics.variance([t, t * t, 1.0], t) * statistics.pvariance([t, 2.0, 3.0], t * t),
        0.4,
    ),
    "two": (lambda t: statistics.covariance([t, 2.0, t * t], [1.0, t, 3.0 * t]), 0.4),
    "correlated": (lambda t: statistics.correlation([t, 2.0, t * t], [1.0, t, 5.0]), 0.4),
    "recursive filter": (lambda a: np.sum(ss.lfilter([1.0, 0.5], a, SIGNAL) ** 3), np.array([1.2, 0.3, 0.1])),
    "all of a filter": (lambda a: np.sum(ss.lfilter(a[:2], a, a * a) ** 3), np.array([1.2, 0.3, 0.1])),
    "parts of a number": (lambda t: math.modf(t * 7)[0] ** 3 * math.frexp(t * t)[0] ** 2, 0.6),
    "remainder": (lambda t: divmod(t * t * 9, t)[1] ** 3 * divmod(7.0, t)[1], 0.6),
    "product": (lambda t: math.prod([t, t * t, t + 1.0]) + math.prod([t, 2.0], start=t), 0.6),
    "product of an array": (lambda x: math.prod(x * x), np.array([0.3, 1.2, 0.7, 2.0])),
    "distance": (lambda t: math.dist([t, t * t], [1.0, t**3]) ** 3, 0.6),
    "distance of arrays": (lambda x: math.dist(x, x * x[0]) ** 3, np.array([0.3, 1.2, 0.7, 2.0])),
    "parts of an array": (lambda x: np.sum(np.modf(x * x)[0] ** 3), np.array([0.3, 1.2, 0.7, 2.1])),
    "mantissas": (lambda x: np.sum(np.frexp(x * x)[0] ** 3), np.array([0.3, 1.2, 0.7, 2.1])),
    "remainders": (lambda x: np.sum(np.divmod(x * x, x[0])[1] ** 3), np.array([0.3, 1.2, 0.7, 2.1])),
    "distinct": (lambda x: np.sum(np.unique(x * x)[:2] ** 3), np.array([0.3, 1.2, 0.7, 2.1])),
    "distinct and counts": (lambda x: np.unique_counts(x * x).values[1] ** 3, np.array([0.3, 1.2, 0.7])),
    "range": (lambda t: np.sum(np.arange(t, 2.0, t * t) ** 3), 0.6),
    "range to": (lambda t: np.sum(np.arange(2.7 + t) ** 3) * t, 0.6),
    "function of a list": (lambda t: np.sum(np.exp([t, t * t, 1.0]) ** 2), 0.6),
    "median of a list": (lambda t: np.median([t, t * t, t**3]) ** 2, 0.6),
    "norm of a tuple": (lambda t: np.linalg.norm((t, t * t, 1)) ** 3, 0.6),
    "spacing": (lambda d: np.sum(ss.savgol_filter(SIGNAL * d, 5, 3, 2, d) ** 3), 0.6),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    """By code of their own, against differences, to second order."""
    program, x = PROGRAMS[name]
    v = np.cos(1.0 + np.arange(len(x))) if isinstance(x, np.ndarray) else 0.7
    found = push_of(program, (x,))
    assert isinstance(found, Push), found
    assert "pushed_by_rule" not in found.tangent.text.source
    _, y_dot = found.run([v])
    np.testing.assert_allclose(y_dot, reference.directional(lambda t: program(x + t * v)), rtol=1e-8)
    slopes = reference.directional(lambda t: zg.gradient(program, x + t * v)[0])
    np.testing.assert_allclose(zg.hvp(program, x, v), slopes, rtol=1e-7)


def test_results_are_plain_numbers() -> None:
    for function in (statistics.mean, statistics.stdev, statistics.harmonic_mean):
        assert type(zg.pushforward(lambda t, f=function: f([t, 1.0, 2.5]), 0.5)(1.0)) is float


def test_what_is_no_list_of_numbers() -> None:
    """Iterators, which are read once, and exact numbers."""
    found = zg.pushforward(lambda t: statistics.mean(map(lambda v: v * t, [1.0, 2.0])), 0.5)(1.0)  # noqa: C417
    assert found == pytest.approx(1.5)
    found = zg.pushforward(lambda t: statistics.stdev(v * t for v in (1.0, 2.0, 4.0)), 0.5)(1.0)
    assert found == pytest.approx(statistics.stdev([1.0, 2.0, 4.0]))
    assert zg.pushforward(lambda t: statistics.mean([t, Fraction(1, 2)]), 0.5)(1.0) == 0.5


@pytest.mark.parametrize("axis", [0, -1])
def test_filters_in_sections(axis: int) -> None:
    signal = np.cos(np.arange(24.0)).reshape(4, 6)
    assert compare(filtering.in_sections, [SECTIONS, signal, axis], {}, [0])
    assert compare(filtering.in_sections, [SECTIONS, signal, axis], {}, [0, 1])
    along = np.sin(np.arange(12.0)).reshape(2, 6)
    found = filtering.along_sections(SECTIONS, signal, along, axis)
    expected = reference.directional(lambda t: ss.sosfilt(with_ones(SECTIONS + t * along), signal, axis))
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


def with_ones(sections: Any) -> Any:
    return sections / sections[:, 3:4]


def test_every_function_of_complex_numbers_declares_its_tangent() -> None:
    found = [
        rule for function, rule in declare.REGISTRY.items() if getattr(function, "__module__", "") == "cmath"
    ]
    assert len(found) > 15
    assert all(set(rule.bars) == set(rule.dots) for rule in found)


def test_tangents_of_lists_are_added_item_by_item() -> None:
    """The factor and the items of `each_times` both vary in the gradient of a distance: their lists of
    tangents are no longer list."""

    def f(x: Any) -> Any:
        return math.dist([x[0], x[1] ** 2, 1.0], (x[1], x[2], x[0] * x[2])) ** 3

    x, v = np.array([0.3, 1.2, 0.7]), np.array([1.0, -0.5, 2.0])
    expected = reference.directional(lambda t: zg.gradient(f, x + t * v)[0])
    np.testing.assert_allclose(zg.hvp(f, x, v), expected, rtol=1e-8)
