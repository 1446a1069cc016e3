"""Eigenvalues of `scipy.linalg` that are not those of one matrix alone, or not all of them, as programs.

The values are SciPy's own; beside them they are computed of one matrix by operations that have rules. What
SciPy chooses (how many, their order, signs and phases) is taken from what it gave. This module is imported
with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import as_given, depending, told_by
from zygpy.runtime.scipy_factors import pairs, values_alone
from zygpy.runtime.scipy_solutions import whole
from zygpy.runtime.scipy_told import check_found, rounding

# Hermitian problems.


def eigh(
    a: Any,
    b: Any = None,
    *,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    """`scipy.linalg.eigh` with any of its options."""
    if eigvals_only:
        return eigvalsh(
            a, b, lower=lower, type=type, check_finite=check_finite, subset_by_index=subset_by_index,
            subset_by_value=subset_by_value, driver=driver,
        )  # fmt: skip
    if is_plain(b, type, subset_by_index, subset_by_value):
        return sl.eigh(a, b, lower=lower, check_finite=check_finite, driver=driver)
    options = {"lower": lower, "type": type, "check_finite": check_finite, "driver": driver}
    subset = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value}
    told, told_vectors = told_by(sl.eigh, (a, b), {**options, **subset})
    values, vectors = solved(a, b, lower, type)
    first = place_of_first(values, subset_by_index, subset_by_value)
    last = first + np.shape(told)[-1]
    some = vectors[..., first:last]
    turned = some * turns(told_vectors, some)
    check_found("eigh", told_vectors, turned)
    return as_given(told, values[..., first:last]), as_given(told_vectors, turned)


def eigvalsh(
    a: Any,
    b: Any = None,
    *,
    lower: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    """`scipy.linalg.eigvalsh` with any of its options."""
    if is_plain(b, type, subset_by_index, subset_by_value):
        return sl.eigvalsh(a, b, lower=lower, check_finite=check_finite, driver=driver)
    options = {"lower": lower, "type": type, "check_finite": check_finite, "driver": driver}
    subset = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value}
    told = told_by(sl.eigvalsh, (a, b), {**options, **subset})
    values, _ = solved(a, b, lower, type)
    first = place_of_first(values, subset_by_index, subset_by_value)
    return as_given(told, values[..., first : first + np.shape(told)[-1]])


def is_plain(b: Any, type: Any, subset_by_index: Any, subset_by_value: Any) -> bool:
    """Whether all eigenvalues are asked for, of a problem of the first type."""
    return (b is None or type == 1) and subset_by_index is None and subset_by_value is None


def solved(a: Any, b: Any, lower: Any, type: Any) -> Any:
    """All eigenvalues and vectors of a Hermitian problem.

    Those of `a @ b` are those of `b @ a @ b` and `b`, and those of `b @ a` those of `a` and the inverse of
    `b`, with vectors as long as LAPACK's (Users' Guide, table 2.6).
    """
    if b is None:
        return sl.eigh(a, lower=lower)
    if type == 1:
        return sl.eigh(a, b, lower=lower)
    first, second = whole(a, "her", lower), whole(b, "her", lower)
    if type == 2:
        return sl.eigh(np.matmul(np.matmul(second, first), second), second)
    return sl.eigh(first, np.linalg.inv(second))


def place_of_first(values: Any, by_index: Any, by_value: Any) -> int:
    """The place of the first of the eigenvalues that are asked for."""
    if by_index is not None:
        return int(by_index[0])
    if by_value is None:
        return 0
    if np.ndim(values) > 1:
        raise refused("eigh", "of stacks with 'subset_by_value='", "call it for one after the other")
    return int(np.sum(values <= by_value[0]))


def turns(told: Any, vectors: Any) -> Any:
    """The sign or phase of each vector in what SciPy gave."""
    along = np.sum(np.conj(vectors) * told, axis=-2, keepdims=True)
    size = np.abs(along)
    return np.where(size > 0, along / np.where(size > 0, size, 1.0), 1.0)


def refused(name: str, what: str, instead: str) -> MissingRuleError:
    return MissingRuleError(
        f"'scipy.linalg.{name}' has no rule {what}.", why="it is not implemented", instead=instead
    )


# Other problems.


def eig(
    a: Any,
    b: Any = None,
    left: Any = False,
    right: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    """`scipy.linalg.eig`."""
    check_ratios("eig", homogeneous_eigvals)
    if b is None and not left:
        a = depending(a, homogeneous_eigvals)
        return pairs(a, check_finite) if right else values_alone(a, check_finite)
    check_single("eig", a)
    told = told_by(sl.eig, (a, b, left, right), {"check_finite": check_finite})
    if not left and not right:
        return eigvals(a, b, check_finite=check_finite)
    check_regular("eig", told[0])
    values, vectors = pairs(of_one(a, b))
    order = places("eig", told[0], values)
    found: Any = (as_given(told[0], values[order]),)
    if left:
        others, lefts = pairs(of_one(adjoint(a), b if b is None else adjoint(b)))
        there = places("eig", np.conj(told[0]), others)
        found = (*found, in_phase(told[1], lefts[:, there]))
    return (*found, in_phase(told[-1], vectors[:, order])) if right else found


def in_phase(told: Any, vectors: Any) -> Any:
    """Vectors that SciPy gave, with the derivatives of those that have another sign or phase."""
    turned = vectors * turns(told, vectors)
    check_found("eig", told, turned)
    return as_given(told, turned)


def eigvals(
    a: Any,
    b: Any = None,
    overwrite_a: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    """`scipy.linalg.eigvals`."""
    check_ratios("eigvals", homogeneous_eigvals)
    if b is None:
        return values_alone(depending(a, homogeneous_eigvals), check_finite)
    check_single("eigvals", a)
    told = told_by(sl.eigvals, (a, b), {"check_finite": check_finite})
    check_regular("eigvals", told)
    values = values_alone(of_one(a, b))
    return as_given(told, values[places("eigvals", told, values)])


def eigvals_of_both(
    a: Any,
    b: Any = None,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    """The same since SciPy 1.18, which may overwrite the second matrix."""
    return eigvals(a, b, overwrite_a, check_finite, homogeneous_eigvals)


def of_one(a: Any, b: Any) -> Any:
    """One matrix with the eigenvalues and right vectors of a problem."""
    return np.asarray(a) if b is None else np.linalg.solve(b, a)


def places(name: str, told: Any, values: Any) -> Any:
    """Which of the eigenvalues is each one that SciPy gave."""
    left = list(range(len(values)))
    order = []
    for one in told:
        order.append(min(left, key=lambda place: abs(values[place] - one)))
        left.remove(order[-1])
    check_found(name, np.asarray(told), np.asarray(values)[order])
    return np.array(order, int)


def check_ratios(name: str, homogeneous: Any) -> None:
    """Raise MissingRuleError for eigenvalues as numerators and denominators, whose scale nothing tells."""
    if homogeneous:
        raise refused(name, "with 'homogeneous_eigvals='", "take the eigenvalues themselves")


def check_single(name: str, a: Any) -> None:
    """Raise MissingRuleError for stacks of matrices."""
    if np.ndim(a) != 2:
        raise refused(name, "for stacks of two matrices", "call it for one after the other")


def check_regular(name: str, values: Any) -> None:
    """Raise MissingRuleError where the second matrix is singular."""
    if not np.isfinite(values).all():
        raise refused(name, "where the second matrix is singular", "exchange the matrices")


# Inverses.


def inv(
    a: Any, overwrite_a: Any = False, check_finite: Any = True, *, assume_a: Any = None, lower: Any = False
) -> Any:
    """`scipy.linalg.inv`, also of a matrix of which a structure is assumed."""
    if assume_a is None:
        return sl.inv(a, check_finite=check_finite)
    told = told_by(sl.inv, (a,), {"check_finite": check_finite, "assume_a": assume_a, "lower": lower})
    found = sl.inv(whole(np.asarray(a), assume_a, lower))
    check_structure(told, found)
    return as_given(told, found)


def check_structure(told: Any, found: Any) -> None:
    """Raise MissingRuleError where SciPy gave the inverse of a matrix that has not the structure."""
    if not np.allclose(told, found, 0, float(rounding(told)) ** 0.5 * np.max(np.abs(told), initial=0.0)):
        raise MissingRuleError(
            "'scipy.linalg.inv' has no rule for a matrix without the structure that is assumed.",
            why="what SciPy gives is no inverse then",
            instead="leave 'assume_a=' out, or give what is meant, as np.triu(a)",
        )
