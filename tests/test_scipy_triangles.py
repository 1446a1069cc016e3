"""Factors of `scipy.linalg` that are triangles, or nearly so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

A = np.array([[2.0, 1.0, 0.3], [0.5, -1.0, 0.7], [0.2, 0.9, 1.4]])


@pytest.mark.parametrize("a", [A, A[:2], A * np.exp(1j * A)], ids=["square", "wide", "complex"])
def test_rq(a: Any) -> None:
    mode = "full" if len(a) == a.shape[1] else "economic"

    def both(a: Any) -> Any:
        r, q = sl.rq(a, mode=mode)
        return np.concatenate([np.ravel(r), np.ravel(q)])

    check_gradient(both, a)
    check_gradient(lambda a: sl.rq(a, mode="r")[:, -len(a) :], a)


def test_rq_twice_and_single() -> None:
    check_gradient(lambda a: np.sum(sl.rq(a)[0] ** 3), A, order=2)
    assert zg.gradient(lambda a: np.sum(sl.rq(a)[1]), A.astype(np.float32))[0].dtype == np.float32


def test_rq_that_is_refused() -> None:
    for a, mode in ((A[:2], "full"), (A[:, :2], "economic")):
        with pytest.raises(MissingRuleError, match="mode='economic'"):
            zg.gradient(lambda a, mode=mode: np.sum(sl.rq(a, mode=mode)[0]), a)
