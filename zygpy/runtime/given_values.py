"""Values that a library gives, with the derivative of what is computed once more in plain operations."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_given(value: Any, computed: Any) -> Any:
    """The value, whose derivative is that of what was computed."""
    return np.array(value)[()]
