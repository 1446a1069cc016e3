"""What calls of array functions are made of: well-conditioned numbers away from kinks and ties."""

from __future__ import annotations

from typing import Any

import numpy as np

Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


def array(*shape: int, start: int = 0) -> Any:
    """Distinct numbers of both signs between -2 and 2, in no order."""
    count = int(np.prod(shape))
    return (1.9 * np.sin(1.0 + 2.3 * np.arange(start, start + count))).reshape(shape)


def square(*shape: int, start: int = 0) -> Any:
    """Well-conditioned square matrices."""
    return array(*shape, start=start) + 4 * np.eye(shape[-1])


def hermitian(*shape: int) -> Any:
    """Symmetric positive definite matrices with distinct eigenvalues."""
    half = array(*shape)
    return np.matmul(half, np.swapaxes(half, -1, -2)) + np.diag(np.arange(1.0, shape[-1] + 1))


def call(function: Any, *args: Any, **keywords: Any) -> Call:
    return function, args, keywords
