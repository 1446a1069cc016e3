"""Values apart from those that they are copies of."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

ALIKE = (int, float, complex, str, bytes, np.generic, type(None))
"""What need not be copied, as it cannot be changed."""


def separate(value: Any) -> Any:
    """A value that shares nothing with the given one that could be changed.

    >>> separate(1.5), separate([np.zeros(1)])
    (1.5, [array([0.])])
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    return value if isinstance(value, ALIKE) else copy.deepcopy(value)
