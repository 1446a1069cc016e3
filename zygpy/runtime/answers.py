"""What Python makes of the answers of an object's own methods."""

from __future__ import annotations

import operator
from typing import Any


def as_length(answer: Any) -> int:
    """What `len` makes of what `__len__` answers.

    >>> as_length(3)
    3
    >>> as_length(-1)
    Traceback (most recent call last):
    ...
    ValueError: __len__() should return >= 0
    """
    count = operator.index(answer)
    if count < 0:
        raise ValueError("__len__() should return >= 0")
    return count


def as_truth(answer: Any) -> bool:
    """What `bool` makes of what `__bool__` answers.

    >>> as_truth(True)
    True
    >>> as_truth(1)
    Traceback (most recent call last):
    ...
    TypeError: __bool__ should return bool, returned int
    """
    if isinstance(answer, bool):
        return answer
    raise TypeError(f"__bool__ should return bool, returned {type(answer).__name__}")
