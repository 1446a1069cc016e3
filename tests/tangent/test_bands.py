"""Jacobians and Hessians with few diagonals, from as many directions as these are wide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zygpy as zg
from zygpy import gradients_pushed, pushing
from zygpy.columns import columns
from zygpy.derivatives import withjacobian_by_reverse
from zygpy.pushing import Push, Several
from zygpy.tangent.bands import Band, Bands, Count, Vector, bands_of

X = np.linspace(-1.5, 1.7, 40)
FACTOR = 1.5


def rosenbrock(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def chain(x: Any) -> Any:
    return np.sum(np.sin(x[2:] * x[:-2]) * FACTOR) + np.sum(np.exp(-x * x) / 2)


def wave(x: Any) -> Any:
    return x[2:] - 2 * x[1:-1] + np.exp(x[:-2]) * x[1:-1]


def inner_part(x: Any) -> Any:
    made = np.sin(x) * 2.0
    made[1:-1] += x[2:] * x[:-2]
    return made


def far_apart(x: Any) -> Any:
    return x[3:] ** 3 * x[:-3] / (2.0 + x[1:-2] ** 2)


def cut_twice(x: Any) -> Any:
    inside = x[1:-1]
    return inside[1:] * inside[:-1] + x[:-3]


def divided(x: Any) -> Any:
    return 1.0 / (3.0 + x[:-1]) - np.maximum(x[1:], 0.1)


BANDED = [wave, inner_part, far_apart, cut_twice, divided, np.tanh]


def several(push: Any) -> Several:
    assert isinstance(push, Push)
    found = push.several()
    assert found is not None
    return found


class Unbanded:
    """The same call without what is known of its bands."""

    bands, meets_matrices = None, False

    def __init__(self, call: Several) -> None:
        self.call, self.run, self.has_numbers = call, call.run, call.has_numbers


@pytest.mark.parametrize("function", BANDED)
def test_jacobians(function: Any) -> None:
    found = zg.withjacobian(function, X)
    expected = withjacobian_by_reverse(function, X)
    assert found.val.tolist() == expected.val.tolist()
    assert found.grad[0].shape == expected.grad[0].shape
    np.testing.assert_allclose(found.grad[0], expected.grad[0], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("function", [wave, inner_part, far_apart, cut_twice, divided])
def test_these_have_bands(function: Any) -> None:
    call = several(pushing.push_of(function, (X,)))
    assert call.bands is not None
    banded = columns(None, (X,), lambda y: y, several=call)[1]
    assert banded.tolist() == columns(None, (X,), lambda y: y, several=Unbanded(call))[1].tolist()


@pytest.mark.parametrize("function", [rosenbrock, chain])
def test_hessians(function: Any) -> None:
    call = several(gradients_pushed.gradient_push(function, (X,)))
    assert call.bands is not None
    expected = zg.hessian_reverse(function, X)
    np.testing.assert_allclose(zg.hessian(function, X), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(zg.diaghessian(function, X)[0], np.diag(expected), rtol=1e-12, atol=1e-12)


def test_results_are_nobody_elses() -> None:
    first = zg.hessian(rosenbrock, X)
    first[...] = 5.0
    assert zg.hessian(rosenbrock, X)[0, 7] == 0.0


@pytest.mark.parametrize("size", range(1, 26))
def test_vectors_of_all_lengths(size: int) -> None:
    u = np.linspace(0.3, 1.2, size)
    np.testing.assert_allclose(zg.hessian(rosenbrock, u), zg.hessian_reverse(rosenbrock, u), atol=1e-9)
    np.testing.assert_allclose(
        zg.jacobian(np.sinh, u)[0], withjacobian_by_reverse(np.sinh, u).grad[0], rtol=1e-12
    )


LENGTHENED = np.array([2.0])


def by_one_entry(x: Any) -> Any:
    return x[1:] * x[:1]


def by_a_vector_of_one(x: Any) -> Any:
    return x[1:] * LENGTHENED


def backwards(x: Any) -> Any:
    return x[::-1] * x


def every_second(x: Any) -> Any:
    return x[::2] * 2.0


def from_the_end(x: Any) -> Any:
    return x[-39:] * x[:-1]


def up_to(x: Any) -> Any:
    return x[:39] * x[1:]


def running(x: Any) -> Any:
    return np.cumsum(x) * x


def rolled(x: Any) -> Any:
    return np.roll(x, 1) * x


def matrix_of_products(x: Any) -> Any:
    return x[:, None] * x


def with_its_sum(x: Any) -> Any:
    return x * np.sum(x)


def with_one_item(x: Any) -> Any:
    return x * x[3]


def sorted_entries(x: Any) -> Any:
    return np.sort(np.sin(5.0 * x)) * x


def depending_on_values(x: Any) -> Any:
    made = x * 2.0
    if x[0] < 0:
        made = made * x[5]
    return made


def through_another_name(x: Any) -> Any:
    made = x * 2.0
    other = made
    other[1:] += x[:-1] ** 2
    return made * 1.0


def through_a_view(x: Any) -> Any:
    made = x * 2.0
    part = made[1:]
    part[1:] += x[:-2] ** 2
    return made * 1.0


def in_a_loop(x: Any) -> Any:
    made = x * 2.0
    for shift in range(1, 4):
        made[shift:] += x[:-shift] ** 2
    return made


def matrix_product(x: Any) -> Any:
    return x * (x @ x)


NOT_BANDED = [
    *(by_one_entry, by_a_vector_of_one, backwards, every_second, from_the_end, up_to, running, rolled),
    *(matrix_of_products, with_its_sum, with_one_item, sorted_entries, depending_on_values, in_a_loop),
    *(through_another_name, through_a_view, matrix_product),
]


@pytest.mark.parametrize("function", NOT_BANDED)
def test_what_has_no_bands_that_are_known(function: Any) -> None:
    expected = withjacobian_by_reverse(function, X).grad[0]
    np.testing.assert_allclose(zg.jacobian(function, X)[0], expected, rtol=1e-12, atol=1e-14)
    call = pushing.push_of(function, (X,))
    many = call.several() if isinstance(call, Push) else None
    assert many is None or many.bands is None or many.bands.result is None


def test_other_arguments_are_numbers() -> None:
    def scaled(x: Any, factor: Any = FACTOR) -> Any:
        return x[1:] * x[:-1] * factor

    assert zg.jacobian(scaled, X)[0][0, :3].tolist() == [1.5 * X[1], 1.5 * X[0], 0.0]
    by_both = zg.jacobian(scaled, X, 2.0)
    assert by_both[0][0, :3].tolist() == [2.0 * X[1], 2.0 * X[0], 0.0]
    np.testing.assert_allclose(by_both[1], X[1:] * X[:-1])


def test_a_number_that_becomes_an_array_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.linspace(0.1, 1.0, 30)
    zg.hessian(chain, u)
    monkeypatch.setitem(globals(), "FACTOR", np.arange(28.0))
    np.testing.assert_allclose(zg.hessian(chain, u), zg.hessian_reverse(chain, u), rtol=1e-12, atol=1e-12)


SHIFTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4)


@given(SHIFTS)
def test_bounds_hold_what_is_there(shifts: list[tuple[int, int]]) -> None:
    """What random sums of slices depend on is within the bounds, which are met."""
    total = max(start + end for start, end in shifts)
    parts = [f"x_dot[:, {start + (total - start - end)}:{-end or None}]" for start, end in shifts]
    text = f"def f(x, x_dot, n):\n    return None, {' + '.join(parts)}"
    found = bands_of(text, {"x": Vector(0), "x_dot": Band(0, 0, 0), "n": Count()}, {}.get)
    starts = [total - end for _, end in shifts]
    if any(end == 0 for _, end in shifts):
        assert found is None  # None is no whole number that is spelled out
    else:
        assert found == Bands(Band(total, min(starts), max(starts)), total + 2)
