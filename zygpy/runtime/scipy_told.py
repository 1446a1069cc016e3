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


def norm_of(numbers: Any) -> Any:
    """How large numbers are, without a gradient."""
    return np.linalg.norm(numbers)


def check_separate(name: str, t: Any) -> None:
    """Raise MissingRuleError where two eigenvalues are equal but for rounding errors, each of which moves by
    what its condition number says (Golub and Van Loan, Matrix Computations, section 7.2.2)."""
    values, vectors = np.linalg.eig(t)
    try:
        inverse = np.linalg.inv(vectors)
    except np.linalg.LinAlgError:
        inverse = np.full_like(vectors, np.inf)
    moved = np.linalg.norm(inverse, axis=1) * np.linalg.norm(vectors, axis=0) * rounding(t) * norm_of(t)
    gaps = np.abs(np.expand_dims(values, 1) - values)[~np.eye(len(values), dtype=bool)]
    near = (np.expand_dims(moved, 1) + moved)[~np.eye(len(values), dtype=bool)]
    refuse_equal(name, np.all(gaps > 100 * near))


def refuse_equal(name: str, separate: Any) -> None:
    """Raise MissingRuleError where eigenvalues are not separate."""
    if not separate:
        raise MissingRuleError(
            f"'scipy.linalg.{name}' has no rule for this matrix.",
            why="two of its eigenvalues are equal but for rounding errors, of which the vectors are not told",
            instead="use functions of the matrix, such as 'expm', 'sqrtm' and 'logm', or its trace",
        )


def check_phases(name: str, turns: Any, noise: Any) -> None:
    """Raise MissingRuleError where a result depends on the phases of complex vectors."""
    if np.any(np.abs(np.imag(turns)) > noise):
        raise MissingRuleError(
            f"'scipy.linalg.{name}' has no rule for what depends on the phases of complex vectors.",
            why="the iteration chooses them, and they are no function of the matrix",
            instead="use what does not depend on them, such as absolute values, or the real form of a real"
            " matrix",
        )
