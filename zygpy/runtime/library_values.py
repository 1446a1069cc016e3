"""Values that a library computes, with the derivatives of what plain operations compute beside it."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_given(value: Any, computed: Any) -> Any:
    """The value, whose derivative is that of what was computed."""
    return np.array(value)[()]


def cast_as_given(value: Any, computed: Any) -> Any:
    """The same of a value that may have another type: 0 is the derivative of one of integers."""
    return np.array(value)[()]


def like_given(value: Any, computed: Any) -> Any:
    """The same, an array of rank 0 where a library gives that."""
    found = as_given(value, computed)
    return np.asarray(found) if isinstance(value, np.ndarray) else found


def depending(value: Any, options: Any) -> Any:
    """The value of a program in whose result these options have a part that is not followed.

    A program refuses such an option when it runs, and runs only where its result depends on something that
    is differentiated: the option itself may be all that is.
    """
    return value


def told_by(function: Any, given: Any, keywords: Any) -> Any:
    """What a function of a library gives, without gradients; keywords that are None are left out."""
    return function(*given, **{name: value for name, value in keywords.items() if value is not None})
