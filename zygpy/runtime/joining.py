"""Functions of NumPy that join arrays, for lists of which it is known that they hold arrays.

The functions of NumPy themselves are given rows of any sort, and programs stand for them (`replaced.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def stack(arrays: Any, axis: Any = 0) -> Any:
    """`np.stack`."""
    return np.stack(arrays, axis)


def concatenate(arrays: Any, axis: Any = 0) -> Any:
    """`np.concatenate`."""
    return np.concatenate(arrays, axis)


def vstack(tup: Any) -> Any:
    """`np.vstack`."""
    return np.vstack(tup)


def hstack(tup: Any) -> Any:
    """`np.hstack`."""
    return np.hstack(tup)


def column_stack(tup: Any) -> Any:
    """`np.column_stack`."""
    return np.column_stack(tup)


def dstack(tup: Any) -> Any:
    """`np.dstack`."""
    return np.dstack(tup)


JOINING = (stack, concatenate, vstack, hstack, column_stack, dstack)
