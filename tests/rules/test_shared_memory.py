"""Results that lie in the memory of an argument: their rules have to say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.rules import reference
from tests.rules.array_calls import CALLS, Call
from tests.rules.test_arrays import again, bound, label, leaves
from tests.rules.test_elementwise import WIDE, generator_for, shapes_for
from zygpy.rules.declare import REGISTRY, Rule, sharing_of
from zygpy.testing import check_gradient


def undeclared(rule: Rule, values: dict[str, Any], y: Any) -> list[str]:
    """The parameters whose memory a result shares, and of which the rule does not say so."""
    declared = [sharing_of(text.strip())[0] for text in (rule.shares or "").split(",")]
    declared = [text.removeprefix("in ").removeprefix("single ") for text in declared]
    results = [leaf for leaf in leaves(structured(y)) if isinstance(leaf, np.ndarray)]
    return [
        name
        for name, value in values.items()
        for leaf in leaves(value)
        if isinstance(leaf, np.ndarray) and name not in declared
        if any(np.shares_memory(leaf, result) for result in results)
    ]


def structured(y: Any) -> Any:
    """Results of NumPy that are named tuples, as plain ones."""
    return tuple(y) if isinstance(y, tuple) else y


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_calls(entry: Call) -> None:
    values = bound(entry)
    assert undeclared(REGISTRY[entry[0]], values, again(entry, values)) == []


@pytest.mark.parametrize("rule", WIDE, ids=reference.name_of)
def test_elementwise(rule: Rule) -> None:
    generator = generator_for(rule)
    for shapes in shapes_for(rule):
        case = reference.case_of(rule, generator, shapes)
        assert undeclared(rule, case.values, reference.call(rule, case.values)) == []


def test_the_conjugate_of_a_real_array_may_be_the_array() -> None:
    check_gradient(lambda x: np.sum(np.geomspace(x, 3.0, 4) ** 2), 1.5, order=2)


@pytest.mark.parametrize(
    "same",
    [
        lambda y: y.conj(),
        lambda y: y.conjugate(),
        lambda y: np.float64(y),
        lambda y: np.diff(y, n=0),
        lambda y: np.fft.fftn(y, axes=()),
        lambda y: np.linalg.matrix_power(np.reshape(y, (2, 2)), 1)[0],
    ],
)
def test_what_is_written_to_a_result_is_written_to_the_argument(same: Callable[[Any], Any]) -> None:
    def changed(x: Any) -> Any:
        y = x * 2
        z = same(y)
        z[0] = 5
        return np.sum(y**2)

    assert zg.gradient(changed, np.array([1.0, 2.0, 3.0, 4.0]))[0].tolist() == [0.0, 16.0, 24.0, 32.0]
