"""What programs for factors of `scipy.linalg` have in common: stacks of matrices, and checks against what the
library gave.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given

# One matrix counts as a stack, so that programs have one path: that makes what is derived of them short.


def matrices(a: Any, stack: Any) -> Any:
    """The matrices of stacks one after the other, as many as there are in stacks of this shape."""
    shape = np.shape(a)[-2:]
    return np.reshape(np.broadcast_to(a, (*stack, *shape)), (int(np.prod(stack)), *shape))


def gathered(given: Any, found: Any, place: int) -> Any:
    """What the library gave, with the derivatives of what was computed for each matrix."""
    return as_given(given, np.reshape(np.stack([each[place] for each in found]), np.shape(given)))


def in_form_of(value: Any, parts: Any) -> Any:
    """Parts of what the library gave in a tuple; of stacks it is a list in some versions."""
    return list(parts) if isinstance(value, list) else parts


def check_found(name: str, given: Any, computed: Any) -> None:
    """Raise MissingRuleError where a factor is another one than the library gave."""
    size = np.max(np.abs(given), initial=0.0)
    near = size * rounding(given) ** (1 / 3)
    if np.shape(given) != np.shape(computed) or not np.allclose(given, computed, 0, near):
        raise MissingRuleError(
            f"'scipy.linalg.{name}' has no rule for this matrix.",
            why="its factors change suddenly close by, or are lost in rounding errors",
            instead="use functions of the factors that are told by the matrix, such as eigenvalues",
        )


def check_nonzero(name: str, part: Any, whole: Any, why: str) -> None:
    """Raise MissingRuleError where a part of a matrix is nothing but rounding errors, if at all."""
    size = np.linalg.norm(whole)
    if not np.linalg.norm(part) > 10 * rounding(whole) * size:
        raise MissingRuleError(
            f"'scipy.linalg.{name}' has no rule for this matrix.",
            why=why,
            instead="treat the parts of the matrix that are independent of each other one by one",
        )


def rounding(numbers: Any) -> Any:
    """The error of rounding to the precision in which numbers, which may be whole, are computed with.

    >>> float(rounding(np.float32(1)) / rounding(np.ones(2, int))) == 2.0**29
    True
    """
    return np.finfo(np.result_type(np.asarray(numbers), np.float32)).eps
