"""Signatures: hashable stand-ins for the kinds of actual arguments that are cheap to find."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy.analyse.fields import argument_kind

PLAIN = frozenset(
    {
        float,
        int,
        bool,
        complex,
        Fraction,
        str,
        bytes,
        type(None),
        np.float64,
        np.float32,
        np.complex128,
        np.int64,
        np.int32,
        np.bool_,
    }
)
"""Types that determine the kinds of their values."""


def signature_of(values: Sequence[Any]) -> tuple[Any, ...]:
    """A key for these values: where two keys are equal, so are the kinds.

    >>> signature_of([1.0, "text"]) == signature_of([2.0, ""]), signature_of([1.0]) == signature_of([1])
    (True, False)
    """
    return tuple([cls if (cls := type(value)) in PLAIN else _other(value, cls) for value in values])


def _other(value: Any, cls: type) -> Any:
    return (value.dtype, value.ndim) if cls is np.ndarray else argument_kind(value)
