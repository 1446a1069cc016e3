"""The rules of `scipy.signal`, call by call."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal as ss

from tests.rules import reference
from tests.rules.array_calls import Call
from tests.rules.signal_calls import CALLS
from tests.rules.test_arrays import (
    again,
    agrees,
    bound,
    contribution,
    converted,
    differentiated,
    in_single,
    is_single,
    label,
    leaves,
    structured,
    to_complex,
)
from zygpy.rules.declare import REGISTRY
from zygpy.runtime import filtering


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_agrees_with_differences(entry: Call) -> None:
    assert differentiated(entry)
    agrees(entry, bound(entry))


REAL = (ss.hilbert, ss.savgol_filter, filtering.smoothing_transpose)


@pytest.mark.parametrize("entry", [one for one in CALLS if one[0] not in REAL], ids=label)
def test_agrees_with_differences_for_complex_operands(entry: Call) -> None:
    values = bound(entry)
    for name in differentiated(entry):
        values[name] = converted(values[name], to_complex)
    agrees(entry, values)


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_keeps_single_precision(entry: Call) -> None:
    values = {name: in_single(value) for name, value in bound(entry).items()}
    y = again(entry, values)
    if not all(is_single(leaf) for leaf in leaves(structured(y))):
        return
    seed = converted(reference.random_like(np.random.default_rng(0), structured(y)), np.float32)
    for name in differentiated(entry):
        if all(is_single(leaf) for leaf in leaves(values[name])):
            bar = contribution(REGISTRY[entry[0]], name, values, y, seed)
            assert all(is_single(leaf) for leaf in leaves(bar)), name
