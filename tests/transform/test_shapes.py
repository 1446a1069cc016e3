"""Arrays that surely have one shape: their cotangents are not summed back, and nothing is kept for that."""

import numpy as np
import pytest

import zygpy as zg
from zygpy.ir import core
from zygpy.transform import shapes


def central(u):
    return u[2:] * (u[:-2] - 2.0 * u[1:-1])


def five_points(u):
    return u[2:, 1:-1] * u[1:-1, :-2] + u[:-2, 1:-1] / u[1:-1, 2:]


def rows(u):
    return u[0] * u[-1, :]


def in_place(u):
    v = u * 2.0
    v += u
    v[1:-1] += u[2:] * u[:-2]
    return v * u


@pytest.mark.parametrize("function", [central, five_points, rows, in_place])
def test_nothing_is_summed_back(function):
    u = np.random.default_rng(0).uniform(1.0, 2.0, size=(4, 4) if function in (five_points, rows) else 6)
    assert "unbroadcast" not in str(zg.show_adjoint(function, u))
    zg.testing.check_gradient(lambda u: function(u).sum(), u)


def stretched(u):
    return u[1:] * u[:1] + u[2:3] * u[1:] + u[1::2].sum()


def stretched_in_place(u):
    v = u * 2.0
    v[1:] += u[:1]
    return v * u


def row_by_column(u):
    return u[0] * u[:, :1]


@pytest.mark.parametrize("function", [stretched, stretched_in_place, row_by_column])
def test_what_may_be_stretched_is_summed_back(function):
    u = np.random.default_rng(0).uniform(1.0, 2.0, size=(4, 4) if function is row_by_column else 6)
    assert "unbroadcast" in str(zg.show_adjoint(function, u))
    zg.testing.check_gradient(lambda u: function(u).sum(), u)


@pytest.mark.parametrize("size", range(5))
def test_short_arrays(size):
    u = np.linspace(1.0, 2.0, size)
    zg.testing.check_gradient(lambda u: central(u).sum() + in_place(np.append(u, u)).sum(), u)


def test_slices_that_leave_out_as_much_are_of_one_length():
    bounds = [(lower, upper) for lower in (None, 0, 1, 2, 3) for upper in (None, -1, -2, -3)]
    for lower, upper in bounds:
        index = core.Slice(*(None if bound is None else core.Const(bound) for bound in (lower, upper)), None)
        left_out = shapes._left_out(index, lambda atom: pytest.fail("no variable is in it"))
        for size in range(6):
            assert (max(size - left_out[0], 0),) == np.zeros(size)[lower:upper].shape


@pytest.mark.parametrize(
    "bounds", [(None, 2, None), (-1, None, None), (1, 0, None), (1, None, 2), (True, None, None)]
)
def test_other_slices_are_not_known(bounds):
    index = core.Slice(*(None if bound is None else core.Const(bound) for bound in bounds))
    assert shapes._left_out(index, lambda atom: pytest.fail("no variable is in it")) is None


def ragged(x, v):
    total = 0.0
    for i in range(1, 5):
        d = x[:i] * x[:i]
        e = np.exp(0.1 * d)
        total += np.sum(e * v[0:1] * d)
        v[i : i + 1] += e[0] * d[i - 1 : i]
    return total + v.sum()


def scaled_rows(x, v):
    y = x.copy()
    for i in range(len(x)):
        d = y[i] * v
        e = np.tanh(d)
        y[i] += e * d
        if i < 2:
            y[i] -= v[:1] * e
    return np.sum(y * y)


def left_early(x, v):
    y = x.copy()
    for i in range(len(x)):
        d = y[i] * y[i]
        if d.sum() > 9.0:
            y[0] += d * v
            break
        y[i] += d / (near := d @ d + 1.0) * v
        y[i] -= 0.1 * d / near
    return np.sum(y * y)


def opposite_rows(x, v):
    """Views of cotangents that are read twice, with either sign, before rows of the array are written."""
    y = x.copy()
    for i in range(1, len(x)):
        pull = (y[i] - y[i - 1]) / v
        y[i] -= 0.5 * pull
        y[i - 1] += pull * v
        y[0] -= pull * pull
    return np.sum(y * y)


@pytest.mark.parametrize("function", [scaled_rows, left_early, opposite_rows])
@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("seed", range(3))
def test_shapes_in_loops_are_those_of_the_iteration(function, width, seed):
    random = np.random.default_rng(seed)
    x, v = random.normal(size=(4, 4)) * 1.3, random.uniform(0.5, 1.5, size=width)
    zg.testing.check_gradient(function, x, v)


@pytest.mark.parametrize("seed", range(3))
def test_shapes_that_change_from_one_iteration_to_the_next(seed):
    random = np.random.default_rng(seed)
    zg.testing.check_gradient(lambda x, v: ragged(x, v.copy()), random.normal(size=5), random.normal(size=5))


@pytest.mark.parametrize("function", [scaled_rows, opposite_rows])
def test_second_derivatives_of_rows(function):
    random = np.random.default_rng(4)
    x, v = random.normal(size=(3, 4)), random.uniform(0.5, 1.5, size=4)
    zg.testing.check_gradient(function, x, v, order=2)


def by_ones(x):
    return np.sum(np.ones_like(x[0]) * x)


def by_a_quotient(x):
    return np.sum(x / np.array(2.0))


def by_what_was_written(x):
    s = np.array(1.0)
    s *= x[2]
    return np.sum(s * x)


def by_rows(x):
    s = np.array(1.0)
    s += x[2]
    return np.sum(np.sum(s * np.outer(x, x), axis=0) * x)


@pytest.mark.parametrize("program", [by_ones, by_a_quotient, by_what_was_written, by_rows])
def test_an_array_of_rank_zero_stretches_nothing(program):
    """The cotangent of a sum may be held as one number only as long as the other factor has all axes."""
    zg.testing.check_gradient(program, np.array([0.7, 1.3, 0.4]))
