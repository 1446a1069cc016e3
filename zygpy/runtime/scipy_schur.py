"""Schur's form of `scipy.linalg`, real and complex.

With A = Z T Z^H, P = Z^H dA Z and the turn X = Z^H dZ, which is skew, there is dT = P + T X - X T. What is
below the blocks of T stays zero, which tells the turn below the blocks, column by column; a block of two
rows keeps equal entries on its diagonal, which tells the turn in it. Signs are constants, and so is which of
its two forms such a block has. The phases of complex vectors are chosen by the iteration, and told by
nothing: of what depends on them there is no derivative.

Rules mention these programs as `schurs.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import told_by
from zygpy.runtime.scipy_blocks import blocks
from zygpy.runtime.scipy_told import (
    check_found,
    check_phases,
    check_separate,
    gathered,
    in_form_of,
    matrices,
    norm_of,
    rounding,
)


def schur(
    a: Any,
    output: Any = "real",
    lwork: Any = None,
    overwrite_a: Any = False,
    sort: Any = None,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.schur`, with eigenvalues in the order that LAPACK puts them in."""
    value = told_by(sl.schur, (a, output, lwork, False, sort, check_finite), {})
    t, z = value[0], value[1]
    stack = np.shape(t)[:-2]
    every, forms, bases = matrices(a, stack), matrices(t, stack), matrices(z, stack)
    found = [decomposed(every[k], forms[k], bases[k]) for k in range(len(forms))]
    t, z = gathered(t, found, 0), gathered(z, found, 1)
    return in_form_of(value, (t, z) if len(value) == 2 else (t, z, value[2]))


def decomposed(a: Any, t: Any, z: Any) -> Any:
    """Schur's form of one matrix and its vectors, which the library gave."""
    return t, z


def decomposed_cotangent(y: Any, bars: Any) -> Any:
    """What comes back to `a` in `decomposed(a, t, z)`."""
    t, z = y
    size = places_of(t)
    t_bar = np.zeros_like(t) if isinstance(bars[0], NoneType) else np.where(size, bars[0], 0)
    z_bar = np.zeros_like(z) if isinstance(bars[1], NoneType) else bars[1]
    check_separate("schur", t)
    turn = np.matmul(adjoint(t), t_bar) - np.matmul(t_bar, adjoint(t)) + np.matmul(adjoint(z), z_bar)
    noise = 1e3 * rounding(t) * (norm_of(t) * norm_of(t_bar) + norm_of(z_bar))
    check_phases("schur", np.diagonal(turn), noise)
    turn = np.tril(turn - adjoint(turn), -1)
    held = kept_equal(t, turn, noise)
    turn = np.where(size, 0, turn + np.matmul(adjoint(t), held) - np.matmul(held, adjoint(t)))
    core = t_bar + held - below_blocks(t, turn)
    return np.matmul(np.matmul(z, core), adjoint(z))


def places_of(t: Any) -> Any:
    """Where there may be numbers in a matrix of Schur's form: above the diagonal, and in blocks."""
    found = np.triu(np.ones(np.shape(t), bool))
    for block in blocks_of(t):
        found[block, block] = True
    return found


def blocks_of(t: Any) -> list[slice]:
    """The blocks on the diagonal of Schur's form."""
    return blocks(t) if np.isrealobj(t) else [slice(k, k + 1) for k in range(len(t))]


def kept_equal(t: Any, turn: Any, noise: Any) -> Any:
    """What comes back to blocks of two rows from the turns in them: their diagonals are kept equal.

    A block [[a, b], [c, a]] turned by a small angle w has 2 w (b + c) as the difference on its diagonal.
    """
    held = np.zeros_like(t)
    for block in blocks_of(t):
        first, last = block.start, block.stop - 1
        if first < last and not is_free(t[first, last] + t[last, first], turn[last, first], t, noise):
            part = turn[last, first] / (2 * (t[first, last] + t[last, first]))
            held = held + part * difference(len(t), first)
    return held


def difference(count: int, first: int) -> Any:
    """The matrix by which the diagonal of a block tells how far it is from equal: -1 and 1.

    >>> np.diagonal(difference(3, 1))
    array([ 0., -1.,  1.])
    """
    return np.diag(np.arange(count) == first + 1) * 1.0 - np.diag(np.arange(count) == first) * 1.0


def is_free(slope: Any, turn: Any, t: Any, noise: Any) -> bool:
    """Whether a block may be turned, as its diagonal stays equal then, and nothing depends on the turn.

    Raises MissingRuleError where something does.
    """
    size = norm_of(t)
    if not abs(slope) <= np.sqrt(rounding(t)) * size:
        return False
    if abs(turn) <= noise:
        return True
    if abs(slope) <= 1e3 * rounding(t) * size:
        raise MissingRuleError(
            "'scipy.linalg' has no rule for this block of Schur's form.",
            why="it is a multiple of a rotation, so that the two vectors may be turned into each other",
            instead="use something that does not depend on how these vectors are turned, or output='complex'",
        )
    return False


def below_blocks(t: Any, turn: Any) -> Any:
    """The Y below the blocks with T^H Y - Y T^H equal to `turn` there, found from the last columns on."""
    found = np.zeros_like(t)[:, len(t) :]
    for block in blocks_of(t)[::-1]:
        rest = slice(block.stop, None)
        given = turn[rest, block] + np.matmul(found[rest], adjoint(t[block, rest]))
        column = np.zeros_like(t[: block.stop, block])
        if block.stop < len(t):
            solved = sl.solve_sylvester(adjoint(t[rest, rest]), -adjoint(t[block, block]), given)
            column = np.concatenate([column, solved])
        found = np.concatenate([column, found], axis=1)
    return found


# The complex form of a real one.


def rsf2csf(T: Any, Z: Any, check_finite: Any = True) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.linalg.rsf2csf`, by a rotation for each block (Golub and Van Loan, section 7.4.1).

    It is a function of matrices of Schur's real form: what is zero there counts as constant.
    """
    value = told_by(sl.rsf2csf, (T, Z, check_finite), {})
    t, z = value
    stack = np.shape(t)[:-2]
    forms, bases = matrices(T, stack), matrices(Z, stack)
    lefts, rights = matrices(t, stack), matrices(z, stack)
    found = [rotated(forms[k], bases[k], lefts[k], rights[k]) for k in range(len(forms))]
    return in_form_of(value, (gathered(t, found, 0), gathered(z, found, 1)))


def rotated(t: Any, z: Any, given: Any, basis: Any) -> Any:
    """The complex form of one matrix and its vectors, of which the library gave these."""
    t, z = t + np.zeros_like(given), z + np.zeros_like(basis)
    rows = np.arange(len(t))
    for last in range(len(t) - 1, 0, -1):
        if is_block(t, last):
            turn = np.eye(len(t)) + rotation(t[last - 1 : last + 1, last - 1 : last + 1], len(t), last)
            t = np.where(rows >= last - 1, np.matmul(turn, t), t)
            t = np.where(np.expand_dims(rows <= last, 1), np.matmul(t, adjoint(turn)), t)
            z = np.matmul(z, adjoint(turn))
        t = np.where((np.expand_dims(rows, 1) == last) & (rows == last - 1), 0, t)
    check_found("rsf2csf", given, t)
    check_found("rsf2csf", basis, z)
    return t, z


def is_block(t: Any, last: int) -> bool:
    """Whether the entry left of the diagonal counts, as SciPy has it."""
    size = np.abs(t[last - 1, last - 1]) + np.abs(t[last, last])
    return bool(np.abs(t[last, last - 1]) > np.finfo(np.float64).eps * size)


def rotation(block: Any, count: int, last: int) -> Any:
    """What a rotation that makes a block triangular has beside the unit matrix, in two of so many rows."""
    shift, below = sl.eigvals(block)[0] - block[1, 1], block[1, 0]
    length = np.sqrt(np.abs(shift) ** 2 + np.abs(below) ** 2)
    cosine, sine = shift / length, below / length
    first, second = np.eye(count)[:, last - 1], np.eye(count)[:, last]
    rows = (np.conj(cosine) - 1) * first + sine * second, (cosine - 1) * second - sine * first
    return np.expand_dims(first, 1) * rows[0] + np.expand_dims(second, 1) * rows[1]
