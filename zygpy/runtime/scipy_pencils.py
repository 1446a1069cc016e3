"""The generalised Schur form of two matrices of `scipy.linalg`, real and complex.

With A = Q S Z^H and B = Q T Z^H, P = Q^H dA Z and R = Q^H dB Z, and the turns X = Q^H dQ and Y = Z^H dZ,
which are skew, dS = P + S Y - X S and dT = R + T Y - X T. What is below the blocks stays zero, which tells
both turns there, column by column. In a block of two rows T stays diagonal, and on the diagonal of complex
matrices real, which tells the turns there. Signs are constants, also where a zero on the diagonal of T may
change them. The phases that the vectors of one pair have in common are chosen by the iteration: of what
depends on them there is no derivative.

Rules mention these programs as `pencils.NAME`; a second derivative enters their source. This module is
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
from zygpy.runtime.scipy_schur import blocks_of, places_of
from zygpy.runtime.scipy_told import (
    check_phases,
    gathered,
    in_form_of,
    matrices,
    norm_of,
    refuse_equal,
    rounding,
)


def qz(
    A: Any, B: Any, output: Any = "real", lwork: Any = None, sort: Any = None,  # noqa: N803 (SciPy's names)
    overwrite_a: Any = False, overwrite_b: Any = False, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.qz`."""
    value = told_by(sl.qz, (A, B, output, lwork, sort, False, False, check_finite), {})
    return in_form_of(value, of_two(A, B, value[0], value[1], value[2], value[3]))


def of_two(a: Any, b: Any, s: Any, t: Any, q: Any, z: Any) -> Any:
    """The four factors that the library gave."""
    stack = np.shape(s)[:-2]
    both = np.stack([matrices(a, stack), matrices(b, stack)], axis=1)
    firsts, seconds = matrices(s, stack), matrices(t, stack)
    lefts, rights = matrices(q, stack), matrices(z, stack)
    found = [decomposed(both[k], firsts[k], seconds[k], lefts[k], rights[k]) for k in range(len(firsts))]
    return gathered(s, found, 0), gathered(t, found, 1), gathered(q, found, 2), gathered(z, found, 3)


def decomposed(both: Any, s: Any, t: Any, q: Any, z: Any) -> Any:
    """The factors of two matrices, which the library gave."""
    return s, t, q, z


def decomposed_cotangent(y: Any, bars: Any) -> Any:
    """What comes back to `both` in `decomposed(both, s, t, q, z)`."""
    s, t, q, z = y
    size = places_of(s)
    s_bar = np.zeros_like(s) if isinstance(bars[0], NoneType) else np.where(size, bars[0], 0)
    t_bar = np.zeros_like(t) if isinstance(bars[1], NoneType) else np.triu(bars[1])
    q_bar = np.zeros_like(q) if isinstance(bars[2], NoneType) else bars[2]
    z_bar = np.zeros_like(z) if isinstance(bars[3], NoneType) else bars[3]
    check_separate_pairs(s, t)
    left = np.matmul(adjoint(q), q_bar) - np.matmul(s_bar, adjoint(s)) - np.matmul(t_bar, adjoint(t))
    right = np.matmul(adjoint(z), z_bar) + np.matmul(adjoint(s), s_bar) + np.matmul(adjoint(t), t_bar)
    bars_of_form = norm_of(s) * norm_of(s_bar) + norm_of(t) * norm_of(t_bar)
    check_phases(
        "qz", np.diagonal(left + right), 1e3 * rounding(s) * (bars_of_form + norm_of(q_bar) + norm_of(z_bar))
    )
    held = kept_real(t, right) if np.iscomplexobj(t) else kept_diagonal(s, t, left, right)
    left = np.where(size, 0, left - adjoint(left) - np.matmul(held, adjoint(t)))
    right = np.where(size, 0, right - adjoint(right) + np.matmul(adjoint(t), held))
    first, second = below_blocks(s, t, left, right)
    core = np.stack([s_bar - first, t_bar + held - second])
    return np.matmul(np.matmul(q, core), adjoint(z))


def kept_real(t: Any, right: Any) -> Any:
    """What comes back to the diagonal of a complex T, kept real by turning the right vectors."""
    turns = np.imag(np.diagonal(right))
    values = np.real(np.diagonal(t))
    check_regular(values, turns, t)
    return -1j * np.diag(turns / np.where(values == 0, 1, values))


def check_regular(values: Any, turns: Any, t: Any) -> None:
    """Raise MissingRuleError where a phase is to be kept that a zero does not have."""
    noise = 1e3 * rounding(t)
    if np.any((np.abs(values) <= noise * norm_of(t)) & (np.abs(turns) > noise * norm_of(turns))):
        refuse_block("the second matrix is singular, so that the phases of some vectors are not told")


def refuse_block(why: str) -> None:
    """Raise MissingRuleError."""
    raise MissingRuleError(
        "'scipy.linalg.qz' has no rule for these matrices.",
        why=why,
        instead="use 'eigvals' of 'solve(B, A)', or 'schur' of it",
    )


def kept_diagonal(s: Any, t: Any, left: Any, right: Any) -> Any:
    """What comes back to blocks of a real T, kept diagonal by turning two vectors of both sides.

    With a, b on the diagonal, turns by x and y change what is beside it by b x - a y and b y - a x.
    """
    held = np.zeros_like(t)
    for block in blocks_of(s):
        first, last = block.start, block.stop - 1
        if first < last:
            x, y = left[last, first] - left[first, last], right[last, first] - right[first, last]
            a, b = t[first, first], t[last, last]
            check_apart(a, b, t)
            over, under = a * y + b * x, b * y + a * x
            held = held + (over * unit(len(t), first, last) + under * unit(len(t), last, first)) / (
                a**2 - b**2
            )
    return held


def unit(count: int, row: int, column: int) -> Any:
    """A square matrix of zeros and a one.

    >>> unit(2, 0, 1)
    array([[0., 1.],
           [0., 0.]])
    """
    return np.outer(np.arange(count) == row, np.arange(count) == column) * 1.0


def check_apart(a: Any, b: Any, t: Any) -> None:
    """Raise MissingRuleError where a block of T is a multiple of the unit matrix."""
    if abs(a - b) <= 1e5 * rounding(t) * norm_of(t):
        refuse_block(
            "a block of the second matrix is a multiple of the unit matrix, which any turn leaves so"
        )


def below_blocks(s: Any, t: Any, left: Any, right: Any) -> Any:
    """The U and V below the blocks with S^H U + T^H V equal to `right` there, and U S^H + V T^H to `-left`,
    found from the last columns on."""
    first, second = np.zeros_like(s)[:, len(s) :], np.zeros_like(t)[:, len(t) :]
    for block in blocks_of(s)[::-1]:
        rest = slice(block.stop, None)
        known = np.matmul(first[rest], adjoint(s[block, rest]))
        known = known + np.matmul(second[rest], adjoint(t[block, rest])) + left[rest, block]
        one, other = np.zeros_like(s[: block.stop, block]), np.zeros_like(t[: block.stop, block])
        if block.stop < len(s):
            found = solved(s, t, block, right[rest, block], -known)
            one, other = np.concatenate([one, found[0]]), np.concatenate([other, found[1]])
        first, second = np.concatenate([one, first], axis=1), np.concatenate([other, second], axis=1)
    return first, second


def solved(s: Any, t: Any, block: slice, above: Any, beside: Any) -> Any:
    """The columns of U and V that belong to a block, as linear equations for all their entries."""
    rest, (rows, columns) = slice(block.stop, None), above.shape
    upper = [from_left(adjoint(each[rest, rest]), columns) for each in (s, t)]
    lower = [from_right(np.conj(each[block, block]), rows) for each in (s, t)]
    whole = np.concatenate([np.concatenate(upper, axis=1), np.concatenate(lower, axis=1)])
    given = np.concatenate([np.ravel(above), np.ravel(beside)])
    return np.reshape(np.linalg.solve(whole, given), (2, rows, columns))


def from_left(a: Any, columns: int) -> Any:
    """The matrix that multiplies the entries of a matrix of so many columns as `a` does from the left."""
    rows = len(a)
    wide = np.expand_dims(a, (1, 3)) * np.expand_dims(np.eye(columns, dtype=a.dtype), (0, 2))
    return np.reshape(wide, (rows * columns, rows * columns))


def from_right(a: Any, rows: int) -> Any:
    """The matrix that multiplies the entries of a matrix of so many rows as `a.T` does from the right."""
    columns = len(a)
    wide = np.expand_dims(np.eye(rows, dtype=a.dtype), (1, 3)) * np.expand_dims(a, (0, 2))
    return np.reshape(wide, (rows * columns, rows * columns))


def check_separate_pairs(s: Any, t: Any) -> None:
    """Raise MissingRuleError where two eigenvalues are equal but for rounding errors.

    Their chordal distance is, which moves by what condition numbers say (Stewart and Sun, Matrix Perturbation
    Theory, 1990, section VI.2).
    """
    if len(s) < 2:
        return
    pairs, left, right = sl.eig(s, t, left=True, homogeneous_eigvals=True)
    tops = [np.sum(np.conj(left) * np.matmul(each, right), axis=0) for each in (s, t)]
    size = np.hypot(norm_of(s), norm_of(t))
    lengths = np.linalg.norm(left, axis=0) * np.linalg.norm(right, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = rounding(s) * size * lengths / np.hypot(np.abs(tops[0]), np.abs(tops[1]))
        pairs = pairs / np.linalg.norm(pairs, axis=0)
        gaps = np.abs(np.outer(pairs[0], pairs[1]) - np.outer(pairs[1], pairs[0]))
    others = ~np.eye(len(s), dtype=bool)
    refuse_equal("qz", np.all(gaps[others] > 100 * (moved[:, None] + moved)[others]))


def ordqz(
    A: Any, B: Any, sort: Any = "lhp", output: Any = "real", overwrite_a: Any = False,  # noqa: N803
    overwrite_b: Any = False, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.ordqz`, with eigenvalues in the order that LAPACK puts them in."""
    value = told_by(sl.ordqz, (A, B, sort, output, False, False, check_finite), {})
    s, t, q, z = of_two(A, B, value[0], value[1], value[4], value[5])
    stack = np.shape(s)[:-2]
    firsts, seconds = matrices(s, stack), matrices(t, stack)
    alphas, betas = [np.reshape(each, (len(firsts), -1)) for each in (value[2], value[3])]
    found = [fractions(firsts[k], seconds[k], alphas[k], betas[k]) for k in range(len(firsts))]
    return in_form_of(value, (s, t, gathered(value[2], found, 0), gathered(value[3], found, 1), q, z))


def fractions(s: Any, t: Any, alpha: Any, beta: Any) -> Any:
    """The numerators and denominators of eigenvalues, of which the library gave these.

    They are on the diagonals. Those of a block of two rows have a scale that is not told by it.
    """
    tops, bottoms = np.diagonal(s) + np.zeros_like(alpha), np.diagonal(t) + np.zeros_like(beta)
    scaled = np.zeros(len(s), bool)
    for block in blocks_of(s):
        first, last = block.start, block.stop - 1
        if first < last:
            here = (np.arange(len(s)) >= first) & (np.arange(len(s)) <= last)
            shares = s[block, block] / np.expand_dims(np.diagonal(t[block, block]), 1)
            half = (shares[0, 0] - shares[1, 1]) / 2
            beside = np.sqrt(-(half * half) - shares[0, 1] * shares[1, 0])
            value = (shares[0, 0] + shares[1, 1]) / 2 + 1j * beside * np.sign(np.imag(alpha))
            tops, bottoms = np.where(here, value * beta, tops), np.where(here, beta, bottoms)
            scaled = scaled | here
    return ratios_alone(tops, bottoms, scaled)


def ratios_alone(alpha: Any, beta: Any, scaled: Any) -> Any:
    """Numerators and denominators: where they have any scale, only what depends on their ratio has a
    derivative."""
    return np.array(alpha), np.array(beta)


def ratios_cotangents(alpha: Any, beta: Any, scaled: Any, bars: Any) -> Any:
    """What comes back to both."""
    tops = np.zeros_like(alpha) if isinstance(bars[0], NoneType) else bars[0]
    bottoms = np.zeros_like(beta) if isinstance(bars[1], NoneType) else bars[1]
    check_scales(alpha, beta, scaled, tops, bottoms)
    return tops, bottoms


def check_scales(alpha: Any, beta: Any, scaled: Any, tops: Any, bottoms: Any) -> None:
    """Raise MissingRuleError for what depends on scales that are not told."""
    parts = np.stack([np.conj(tops) * alpha, np.conj(bottoms) * beta])
    noise = 1e3 * rounding(alpha) * np.sum(np.abs(parts), axis=0)
    if np.any(scaled & (np.abs(np.sum(np.real(parts), axis=0)) > noise)):
        raise MissingRuleError(
            "'scipy.linalg.ordqz' has no rule for 'alpha' and 'beta' of a pair of complex eigenvalues apart.",
            why="LAPACK scales both of them by what is no function of the matrices",
            instead="use 'alpha / beta', or output='complex'",
        )
