"""Arrays indexed by what is not known before the program runs: whether an item is a view is found then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.testing import check_gradient


class Choice:
    """Which part of an array is meant."""

    def __init__(self, index: Any) -> None:
        self.index = index


class Kept:
    """Arrays that belong together."""


INDICES = [
    1,
    np.int64(2),
    slice(0, 2),
    slice(None, None, 2),
    [0, 0, 2],
    np.array([0, 0, 2]),
    np.array([True, False, True, True]),
    (slice(1, 3), ...),
    (np.array([1, 1]), 0),
    (None, slice(0, 2)),
    (slice(None), [0, 0]),
    ...,
    None,
    True,
]


def changes_what_it_read(v: Any, choice: Any) -> Any:
    w = v * v
    y = w[choice.index]
    y *= 3.0
    return np.sum(w * v) + np.sum(y * y)


def changes_what_it_read_from(v: Any, choice: Any) -> Any:
    w = v * v
    y = w[choice.index]
    w *= 3.0
    return np.sum(w * v) + np.sum(y * y)


def changes_an_array_of_an_object(v: Any, choice: Any) -> Any:
    kept = Kept()
    kept.w = v * v  # type: ignore[attr-defined]
    kept.y = kept.w[choice.index]  # type: ignore[attr-defined]
    kept.w *= 3.0  # type: ignore[attr-defined]
    return np.sum(kept.w * v) + np.sum(kept.y * kept.y)  # type: ignore[attr-defined]


def writes_into_another_array(v: Any, choice: Any) -> Any:
    w = v * v
    y, z = w[choice.index], w[choice.index]
    np.exp(-w, out=w)
    return np.sum(z * y) + np.sum(w * v)


def stores(v: Any, choice: Any) -> Any:
    w = v * v
    w[choice.index] = 2.0 * v[0, 0] * v[1, 1]
    w[choice.index] *= v[1, 2]
    return np.sum(w * v)


PROGRAMS = [
    changes_what_it_read,
    changes_what_it_read_from,
    changes_an_array_of_an_object,
    writes_into_another_array,
    stores,
]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_gradient(program: Callable[..., Any], index: Any) -> None:
    v = np.linspace(0.3, 1.4, 12).reshape(4, 3)
    check_gradient(lambda v: program(v, Choice(index)), v)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradient_with_the_choice_as_an_argument(program: Callable[..., Any]) -> None:
    v = np.linspace(0.3, 1.4, 12).reshape(4, 3)
    check_gradient(program, v, Choice(np.array([0, 2, 2])))
