"""Programs that stand for the functions of `np.emath`, which give complex numbers where they have to."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.numpys_value import as_numpy_gives, numpys


def of_wider(wider: Any, function: Any, x: Any) -> Any:
    """A function of NumPy, of the numbers that its counterpart in `np.emath` takes."""
    value = numpys(wider, (x,), {})
    return as_numpy_gives(value, function(np.asarray(x).astype(np.result_type(value))))


def sqrt(x: Any) -> Any:
    """`np.emath.sqrt`."""
    return of_wider(np.emath.sqrt, np.sqrt, x)


def log(x: Any) -> Any:
    """`np.emath.log`."""
    return of_wider(np.emath.log, np.log, x)


def log2(x: Any) -> Any:
    """`np.emath.log2`."""
    return of_wider(np.emath.log2, np.log2, x)


def log10(x: Any) -> Any:
    """`np.emath.log10`."""
    return of_wider(np.emath.log10, np.log10, x)


def arccos(x: Any) -> Any:
    """`np.emath.arccos`."""
    return of_wider(np.emath.arccos, np.arccos, x)


def arcsin(x: Any) -> Any:
    """`np.emath.arcsin`."""
    return of_wider(np.emath.arcsin, np.arcsin, x)


def arctanh(x: Any) -> Any:
    """`np.emath.arctanh`."""
    return of_wider(np.emath.arctanh, np.arctanh, x)


def logn(n: Any, x: Any) -> Any:
    """`np.emath.logn`."""
    return log(x) / log(n)


def power(x: Any, p: Any) -> Any:
    """`np.emath.power`."""
    value = numpys(np.emath.power, (x, p), {})
    kind = np.result_type(value)
    return as_numpy_gives(value, np.power(np.asarray(x).astype(kind), np.asarray(p).astype(kind)))
