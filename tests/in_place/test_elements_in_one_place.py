"""Arrays of which several elements lie in one place: changes of several elements are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options

POINT = np.array([0.7, 0.9, 1.1, 0.3])
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])

windows = np.lib.stride_tricks.sliding_window_view


def stored(b: Any, x: Any, s: Any) -> None:
    b[1:] = s * x[0]


def stored_by_indices(b: Any, x: Any, s: Any) -> None:
    b[[0, 1]] = s * x[0]


def stored_under_mask(b: Any, x: Any, s: Any) -> None:
    b[np.array([True, False, True])] *= s


def stored_in_order(b: Any, x: Any, s: Any) -> None:
    b.flat[0:5] = s * x[0]


def augmented(b: Any, x: Any, s: Any) -> None:
    b += x[:3, None] * s


def copied(b: Any, x: Any, s: Any) -> None:
    np.copyto(b, x[:3, None] * s, where=[True, False])


def given_for_results(b: Any, x: Any, s: Any) -> None:
    np.add(b, x[:3, None] * s, out=b)


def filled(b: Any, x: Any, s: Any) -> None:
    b.fill(s)


def sorted_in_place(b: Any, x: Any, s: Any) -> None:
    b[...] = s * x[:3, None]
    b.sort()


def put(b: Any, x: Any, s: Any) -> None:
    np.put(b, [1, 2], [s * x[0], s])


def under_mask(b: Any, x: Any, s: Any) -> None:
    np.putmask(b, b < 7.0, b * s + x[0])


CHANGES = (
    *(stored, stored_by_indices, stored_under_mask, stored_in_order, augmented, copied, given_for_results),
    *(filled, sorted_in_place, put, under_mask),
)


@pytest.mark.parametrize("start", ["computed", "zeros"])
@pytest.mark.parametrize("change", CHANGES)
def test_changes_of_several_are_refused(change: Callable[..., None], start: str) -> None:
    def program(x, s):
        a = x * 2.0 if start == "computed" else np.zeros(4)
        b = windows(a, 2, writeable=True)
        change(b, x, s)
        return np.sum(a * WEIGHTS)

    assert np.isfinite(program(POINT, 0.5))
    with pytest.raises(zg.UnsupportedSyntaxError, match="whose elements overlap is changed"):
        zg.gradient(program, POINT, 0.5)
    with pytest.raises(zg.UnsupportedSyntaxError, match="whose elements overlap is changed"):
        zg.pushforward(program, POINT, 0.5)(POINT, 1.0)


@pytest.mark.parametrize("specialise", [True, False])
def test_one_element_and_parts_apart_may_be_changed(specialise: bool) -> None:
    def program(x, s):
        a = x * 2.0
        b = windows(a, 2, writeable=True)
        b[0, 1] = s * x[3]  # a[1]
        b[1][:] = b[1] * s  # a[1], a[2]
        b[:, 0] += s  # a[0], a[1], a[2]
        return np.sum(b * x[:3, None]) + a[3]

    with options(specialise=specialise):
        _, back = zg.pullback(program, POINT, 0.5)
    (p, q, r, t), s = POINT, 0.5
    # a = [2p + s, s^2 t + s, 2 r s + s, 2 t]; the result p (a0 + a1) + q (a1 + a2) + r (a2 + a3) + a3
    first, second, third = 2 * p + s, s * s * t + s, 2 * r * s + s
    by_x = [
        first + second + 2 * p,
        second + third,
        third + 2 * t + 2 * s * (q + r),
        s * s * (p + q) + 2 * r + 2,
    ]
    by_s = p + (2 * s * t + 1) * (p + q) + (2 * r + 1) * (q + r)
    for _ in range(2):
        x_bar, s_bar = back(1.0)
        assert x_bar == pytest.approx(np.array(by_x))
        assert s_bar == pytest.approx(by_s)
