"""Real and imaginary parts and flat views of arrays, when they are assigned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

X = np.array([1.1, 0.7, 1.3])


def whole(x: Any) -> Any:
    b = x * 2.0
    b.real = b.real * x[2]
    return np.sum(b * b)


def view(x: Any) -> Any:
    b = x * 2.0
    v = b[1:]
    v.real = x[:2] * 3.0
    return np.sum(b * b)


def number(x: Any) -> Any:
    b = x * 2.0
    b.real = x[0] * 3.0
    return np.sum(b * b)


def both_parts(x: Any) -> Any:
    b = x * (2.0 + 1j)
    b.imag = x * x
    b.real = b.imag * x
    return np.sum(np.abs(b) ** 2)


def in_a_loop(x: Any) -> Any:
    b = x * 2.0
    for k in range(3):
        b.real = b.real * x[k]
        b.real[0] *= x[1]
    return np.sum(b * b)


def argument(x: Any) -> Any:
    x.real = x * x
    return np.sum(x * x)


def flat(x: Any) -> Any:
    b = x * 2.0
    b.flat = x * 3.0
    b.flat[1] = x[0] * 3.0
    return np.sum(b * b)


def _set_real(b: Any, value: Any) -> None:
    b.real = value


def by_a_function(x: Any) -> Any:
    b = x * 2.0
    _set_real(b, x * x)
    return np.sum(b * b)


def changed_later(x: Any) -> Any:
    b, c = x * 2.0, x * x
    b.real = c
    c[0] = 5.0
    return np.sum(b * b) + np.sum(c)


def of_zeros(x: Any) -> Any:
    b = np.zeros(3, complex)
    b.real = x
    b.imag = x * x
    return np.sum(np.abs(b) ** 2)


def augmented(x: Any) -> Any:
    b = x * 2.0
    b.real += x * x
    return np.sum(b * b)


PROGRAMS = (
    whole,
    view,
    number,
    both_parts,
    in_a_loop,
    argument,
    flat,
    by_a_function,
    changed_later,
    of_zeros,
    augmented,
)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradient(program: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        zg.testing.check_gradient(program, X.copy(), order=1)
