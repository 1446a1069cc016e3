"""The logarithm of a sum of exponentials of 10^5 numbers, safe from overflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]


def log_sum_exp(x: Array) -> Any:
    largest = np.max(x)
    return largest + np.log(np.sum(np.exp(x - largest)))


def hand(x: Array) -> tuple[Any, tuple[Array]]:
    largest = np.max(x)
    powers = np.exp(x - largest)
    total = np.sum(powers)
    return largest + np.log(total), (powers / total,)


def over(np: Any) -> Callable[..., Any]:
    def program(x: Any) -> Any:
        largest = np.max(x)
        return largest + np.log(np.sum(np.exp(x - largest)))

    return program


def _arguments() -> tuple[Array]:
    return (np.random.default_rng(0).normal(size=10**5),)


CASE = Case("log-sum-exp", log_sum_exp, hand, _arguments, over, 1.3)
