"""QR factors of `scipy.linalg` that are multiplied, or those of a matrix that is changed.

The factors of a changed matrix are differentiated as those of that matrix, with the signs or phases that the
library gave, for factors before that are unitary and a triangle. The library finds them by rotations of
those: complex phases, and what stands beside the range, depend on more than the matrix, and of what depends
on them there is no derivative.

Rules mention these programs as `updates.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_told import check_found, norm_of, rounding


def qr_multiply(
    a: Any, c: Any, mode: Any = "right", pivoting: Any = False, conjugate: Any = False,
    overwrite_a: Any = False, overwrite_c: Any = False,
) -> Any:  # fmt: skip
    """`scipy.linalg.qr_multiply`, with a factor that is computed."""
    check_alone("qr_multiply", a, 2)
    value = told_by(sl.qr_multiply, (a, c, mode, pivoting, conjugate), {})
    parts = sl.qr(np.atleast_2d(a), mode="economic", pivoting=pivoting)
    q = np.conj(parts[0]) if conjugate else parts[0]
    product = np.matmul(q, c) if mode == "left" else np.matmul(c, q)
    check_found("qr_multiply", value[0], product)
    first, second = as_given(value[0], product), as_given(value[1], parts[1])
    return (first, second, value[2]) if pivoting else (first, second)


def qr_update(
    Q: Any,  # noqa: N803 (SciPy's names)
    R: Any,  # noqa: N803
    u: Any,
    v: Any,
    overwrite_qruv: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.qr_update`."""
    check_alone("qr_update", Q, 2)
    value = told_by(sl.qr_update, (Q, R, u, v, False, check_finite), {})
    left, right = np.asarray(u), np.conj(v)
    added = np.matmul(as_column(left), as_column(right).T)
    return changed("qr_update", np.matmul(Q, np.triu(R)) + added, value)


def qr_insert(
    Q: Any, R: Any, u: Any, k: Any, which: Any = "row", rcond: Any = None,  # noqa: N803
    overwrite_qru: Any = False, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.qr_insert`."""
    check_alone("qr_insert", Q, 2)
    value = told_by(sl.qr_insert, (Q, R, u, k, which, rcond, False, check_finite), {})
    axis = 0 if which == "row" else 1
    a, added = np.matmul(Q, np.triu(R)), as_column(np.asarray(u))
    if axis == 0:
        added = added.T if np.ndim(u) == 1 else added
    before, after = apart(a, k, k, axis)
    return changed("qr_insert", np.concatenate([before, added, after], axis=axis), value)


def qr_delete(
    Q: Any,  # noqa: N803
    R: Any,  # noqa: N803
    k: Any,
    p: Any = 1,
    which: Any = "row",
    overwrite_qr: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.qr_delete`."""
    check_alone("qr_delete", Q, 2)
    value = told_by(sl.qr_delete, (Q, R, k, p, which, False, check_finite), {})
    axis = 0 if which == "row" else 1
    a = np.matmul(Q, np.triu(R))
    first = k if k >= 0 else k + a.shape[axis]
    before, after = apart(a, first, first + p, axis)
    return changed("qr_delete", np.concatenate([before, after], axis=axis), value)


def check_alone(name: str, a: Any, rank: int) -> None:
    """Refuse stacks of matrices."""
    if np.ndim(a) > rank:
        raise MissingRuleError(
            f"'scipy.linalg.{name}' has no rule for stacks of matrices.",
            why="its arguments may be vectors or matrices, which a stack does not tell",
            instead="call it for each matrix",
        )


def as_column(u: Any) -> Any:
    """A vector as a column of a matrix."""
    return np.expand_dims(u, 1) if u.ndim == 1 else u


def apart(a: Any, end: int, start: int, axis: int) -> Any:
    """The rows or columns of a matrix before a place, and from another one on."""
    return (a[:end], a[start:]) if axis == 0 else (a[:, :end], a[:, start:])


def changed(name: str, a: Any, value: Any) -> Any:
    """The factors of a changed matrix that the library gave."""
    given, triangle = value
    q, r = sl.qr(a, mode="full" if given.shape[0] == given.shape[1] else "economic")
    turn = turning(given, q, min(a.shape))
    q, r = np.matmul(q, turn), np.matmul(adjoint(turn), r)
    check_found(name, given, q)
    check_found(name, triangle, r)
    return told_by_matrix(as_given(given, q), as_given(triangle, r))


def turning(given: Any, computed: Any, count: int) -> Any:
    """The matrix that turns columns to those given: so many by their phases, others in their space."""
    inner = np.matmul(adjoint(computed), given)
    rows = np.arange(len(inner))
    kept = np.where((rows >= count) & (rows[:, None] >= count), inner, 0)
    phases = np.diagonal(inner)[:count]
    sizes = np.where(phases == 0, 1, np.abs(phases))
    return kept + np.diag(np.append(phases / sizes, np.zeros(len(inner) - count, inner.dtype)))


def told_by_matrix(q: Any, r: Any) -> Any:
    """QR factors, of which nothing has a derivative that depends on more than their product."""
    return np.array(q), np.array(r)


def told_cotangents(q: Any, r: Any, bars: Any) -> Any:
    """What comes back to both.

    Raises MissingRuleError for what depends on phases of columns, or on turns of those beside the range.
    """
    q_bar = np.zeros_like(q) if isinstance(bars[0], NoneType) else bars[0]
    r_bar = np.zeros_like(r) if isinstance(bars[1], NoneType) else bars[1]
    check_turns(q, r, q_bar, r_bar)
    return q_bar, r_bar


def check_turns(q: Any, r: Any, q_bar: Any, r_bar: Any) -> None:
    """Raise MissingRuleError for what depends on turns that leave the product of factors as it is."""
    turns = np.matmul(adjoint(q), q_bar) - np.matmul(r, adjoint(r_bar))
    turns, count = turns - adjoint(turns), min(np.shape(r))
    beside = np.diag(np.diagonal(turns)) + np.pad(turns[count:, count:], (count, 0))
    if np.any(np.abs(beside) > 1e3 * rounding(q) * (norm_of(q_bar) + norm_of(r) * norm_of(r_bar))):
        raise MissingRuleError(
            "'scipy.linalg' has no rule for what depends on more than the product of changed QR factors.",
            why="phases of complex columns, and columns beside the range, come from the factors before",
            instead="use 'qr' of the changed matrix, or only the space that the columns span",
        )
