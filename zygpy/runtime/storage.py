"""Storage: whether values share it."""

from __future__ import annotations

from typing import Any

import numpy as np


def overlap(arrays: list[Any]) -> bool:
    """Whether two of these values are arrays that may share memory."""
    found = [value for value in arrays if isinstance(value, np.ndarray)]
    return any(np.may_share_memory(a, b) for k, a in enumerate(found) for b in found[:k])
