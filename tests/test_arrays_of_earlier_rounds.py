"""Arrays that one round of a loop makes and a later one keeps, where things are found by identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

LOG: list[Any] = []


def kept_a_round_later(v: Any, c: Any, kept: Any) -> Any:
    for _ in range(3):
        kept[1], v = v, 2.0 * c
    LOG.append  # noqa: B018  (by which things are found by identity)
    return kept[1].sum()


def kept_and_changed_by_another_name(v: Any, c: Any, kept: Any) -> Any:
    for _ in range(3):
        made = 2.0 * c
        kept[1] = v
        v = made
    kept[0] = kept[1]
    other = kept[0]
    other *= 1.0
    return kept[1].sum()


def kept_in_a_loop_over_an_array(v: Any, c: Any, kept: Any) -> Any:
    for _ in v:
        kept[1], v = (v, 2.0 * c)
    else:
        LOG.append  # noqa: B018
    return kept[1].sum()


def kept_in_a_dict(v: Any, c: Any, kept: Any) -> Any:
    table = {"last": kept[0]}
    for _ in range(4):
        table["last"] = v
        v = 2.0 * c
    LOG.append  # noqa: B018
    return table["last"].sum()


PROGRAMS = (
    kept_a_round_later,
    kept_and_changed_by_another_name,
    kept_in_a_loop_over_an_array,
    kept_in_a_dict,
)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_kept_counts(program: Callable[..., Any], specialise: bool) -> None:
    given = np.array([0.5, 0.3, 0.1]), np.array([1.0, 2.0, 3.0]), [np.ones(3), np.ones(3)]
    with units.options(specialise=specialise):
        _, bar, _ = zg.gradient(program, *given)
    np.testing.assert_array_equal(bar, [2.0, 2.0, 2.0])
