"""Variables that have no value where a `try` reads them, to ask something of them or for nothing at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = np.array([2.3, 1.4])


def asks_for_none(x: Any) -> Any:
    try:
        if w is None:
            c = x[1]
    except NameError:
        c = w = x[0] * x[0]
    return c * w


def multiplies(x: Any) -> Any:
    try:
        c = w * x[1]
    except NameError:
        c = w = x[0] * x[0]
    return c * w


def reads_for_nothing(x: Any) -> Any:
    a = x[0]
    b = a * a
    del a
    try:
        a  # noqa: B018
    except NameError:
        a = b
    return a * b


def keeps_for_nothing(x: Any) -> Any:
    s = x[0]
    for _ in range(2):
        try:
            y = w  # noqa: F841
            z = -w  # noqa: F841
            s = s * 100.0
        except NameError:
            s = x[0] * x[0]
            w = x[0] * x[0]
        else:
            s = s * 0.01
            del w
    return s * s


def tries_around(x: Any) -> Any:
    s = x[0]
    try:
        s = s * x[0]
        try:
            if w is None:
                s = s * 100.0
        except NameError:
            s = s * s
        w = 1.0
    except NameError:
        s = s * 1000.0
    return s * w


PROGRAMS = [asks_for_none, multiplies, reads_for_nothing, keeps_for_nothing, tries_around]


@pytest.mark.parametrize("f", PROGRAMS)
def test_the_handler_is_run(f: Callable[[Any], Any]) -> None:
    assert f(X) == pytest.approx(X[0] ** 4)
    slope, bend = 4 * X[0] ** 3, 12 * X[0] ** 2
    np.testing.assert_allclose(zg.gradient(f, X)[0], [slope, 0])
    assert zg.pushforward(f, X)(np.array([1.0, 0])) == pytest.approx(slope)
    np.testing.assert_allclose(zg.hvp(f, X, np.ones(2)), [bend, 0])


def reads_outside(x: Any) -> Any:
    s = x[0] * x[0]
    if s < 0:
        w = 1.0
    y = w  # noqa: F841
    return s


def test_without_a_handler_the_exception_is_the_programs() -> None:
    for derivative in (lambda: zg.gradient(reads_outside, X), lambda: zg.hvp(reads_outside, X, np.ones(2))):
        with pytest.raises(UnboundLocalError, match="'w'"):
            derivative()
