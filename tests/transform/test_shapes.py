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
