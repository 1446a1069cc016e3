"""Values apart from those that they are copies of."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from zygpy.runtime.named_tuples import fields_beside, like_tuple

ALIKE = (int, float, complex, str, bytes, np.generic, type(None))
"""What need not be copied, as it cannot be changed."""


def separate(value: Any) -> Any:
    """A value that shares nothing with the given one that could be changed.

    >>> separate(1.5), separate([np.zeros(1)])
    (1.5, [array([0.])])
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and not fields_beside(type(value)):
        return like_tuple(type(value), copy.deepcopy([*tuple.__iter__(value)]))
    return value if isinstance(value, ALIKE) else copy.deepcopy(value)
