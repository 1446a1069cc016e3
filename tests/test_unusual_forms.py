"""What sweeps over calls in unusual forms have found: elements that lie in one place, numbers that do not fit
what their derivatives need, branches known beforehand, weights of counts, methods found by `super()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st
from numpy.lib.stride_tricks import sliding_window_view
from scipy.spatial.distance import cdist

import zygpy as zg
from zygpy.testing import check_gradient

KEPT: list[Any] = []
X = np.array([0.3, -0.7, 1.2, 0.4, 0.9])
MASK = np.array([[True, False, True], [True, True, True], [False, True, True]])
LOW = np.array([True, False, False])


def stored(out: Any, mask: Any, value: Any) -> Any:
    out[mask] = value
    return out


def chosen(mask: Any, f: Any, *args: Any) -> Any:
    """What array libraries do where a function is defined by cases."""
    out = np.zeros_like(mask, dtype=float)
    out = stored(out, ~mask, f(*(one[~mask] for one in args)))
    return stored(out, mask, np.add(*(one[mask] for one in args)))


def by_cases(x: Any) -> Any:
    return chosen(LOW, np.multiply, *np.broadcast_arrays(x, X[:3])) @ X[2:]


def windows(x: Any) -> Any:
    kept = x * 2
    KEPT.append([kept])
    view = sliding_window_view(kept, 3)
    KEPT[-1].append(view)
    return view[MASK] @ np.arange(1.0, 8.0) + view[MASK[0], 1:].sum() * 3


def rows(x: Any) -> Any:
    kept = x * 2
    KEPT.append([kept])
    holder = [np.broadcast_to(kept, (3, 5)), MASK[1]]
    KEPT[-1].append(holder)
    return np.cos(holder[0][holder[1]]).sum() + holder[0][holder[1]][:, 1].sum()


@pytest.mark.parametrize(("program", "x"), [(by_cases, 2.0), (windows, X), (rows, X)])
def test_masks_on_views_that_overlap_themselves(program: Callable[[Any], Any], x: Any) -> None:
    check_gradient(program, x)
    direction = np.cos(np.arange(np.size(x))).reshape(np.shape(x))[()]
    by_gradient = np.vdot(zg.gradient(program, x)[0], direction)
    assert zg.pushforward(program, x)(direction) == pytest.approx(float(by_gradient))
    KEPT.clear()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float16", "bool"])
def test_samples_whose_differences_do_not_fit(dtype: str) -> None:
    places = np.array([-100, 0, 100] if dtype == "int8" else [0, 1] if dtype == "bool" else [0, 100, 250])
    values = np.array([100, 0, -100] if dtype == "int8" else [1, 0] if dtype == "bool" else [200, 100, 50])
    places, values = places.astype(dtype), values.astype(dtype)
    at = np.array([0.25, 0.75]) * float(places[-1])
    check_gradient(lambda x: np.interp(x, places, values), at)
    check_gradient(lambda x: np.interp(at, x, values), places.astype(float))
    check_gradient(lambda x: np.interp(at, places, x), values.astype(float))
    check_gradient(lambda x: np.polyval(values, x), at / (1 + at))


def test_weights_of_half_precision() -> None:
    a = np.sin(np.arange(24.0)).reshape(2, 3, 4)
    weights = (np.abs(np.cos(np.arange(24.0))) + 0.5).reshape(2, 3, 4).astype(np.float16)
    check_gradient(lambda x: np.average(x, weights=weights), a)
    check_gradient(lambda x: np.average(x, axis=1, weights=weights), a)


def summed_or_raised(x: Any, xs: Any) -> Any:
    if np.iterable(xs):
        total = 1.0
        for one in xs:
            total = total * x + np.sin(total) * one
    elif xs is not None:
        raise ValueError("not a list")
    return total


def test_branches_known_to_raise_beside_a_loop() -> None:
    check_gradient(lambda x: summed_or_raised(x, [1.0, 2.0, 3.0]), 1.5)


def test_nested_lists_split_as_numpy_divides_them() -> None:
    nested = np.sin(np.arange(8.0)).reshape(2, 4).tolist()
    with pytest.raises(zg.ZygpyError, match="nested list"):
        zg.gradient(lambda x: np.array_split(x, 2, axis=-1)[0].sum(), nested)


def test_frequencies_by_weights() -> None:
    a, w = np.cos(np.arange(9.0) ** 1.2), np.linspace(1.0, 2.0, 9)
    check_gradient(lambda w: st.cumfreq(a, weights=w).cumcount, w, order=2)
    check_gradient(lambda w: st.relfreq(a, 4, (-0.5, 0.9), w).frequency, w)
    with pytest.raises(zg.MissingRuleError):
        zg.gradient(lambda a: st.relfreq(a).binsize, a)


class Doubled(st.rv_continuous):
    """A distribution with a method of its own, which calls that of all."""

    def _pdf(self, x: Any) -> Any:
        return np.exp(-x)

    def pdf(self, x: Any, *args: Any, **kwds: Any) -> Any:
        return 2 * super().pdf(x, *args, **kwds)


def test_methods_of_all_distributions_by_super() -> None:
    doubled = Doubled(a=0, name="doubled")
    check_gradient(lambda x: doubled.pdf(x, loc=0.1, scale=x[0]), np.array([0.5, 0.6]))


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="newer than this NumPy")
def test_stacks_of_matrices_by_starred_arguments() -> None:
    a, v = np.sin(np.arange(30.0)).reshape(5, 1, 2, 3), np.cos(np.arange(12.0)).reshape(4, 3)
    given = (a,)
    pushed = zg.pushforward(lambda x: np.matvec(*given, x), v)(np.ones((4, 3)))
    np.testing.assert_allclose(pushed, np.matvec(a, np.ones((4, 3))))


def by_counts(h: Any) -> Any:
    return st.rv_histogram((h, np.arange(4.0)), density=False).pdf(X[4:])


@pytest.mark.parametrize("program", [by_counts, lambda w: cdist(np.eye(3), np.ones((2, 3)), "hamming", w=w)])
def test_directions_without_derivative_are_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(zg.MissingRuleError):
        zg.pushforward(program, X[2:])(np.ones(3))
