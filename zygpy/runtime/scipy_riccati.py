"""Riccati equations of `scipy.linalg` with mixed weights and a matrix beside the unknown one, as programs.

They are turned into the equations that have rules: with a state that is scaled, and with the part of the
input that the mixed weight asks for (A. J. Laub, A Schur method for solving algebraic Riccati equations,
1979). This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import as_given, told_by


def solve_continuous_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: Any = True
) -> Any:
    """`scipy.linalg.solve_continuous_are`."""
    value = told_by(sl.solve_continuous_are, (a, b, q, r, e, s, balanced), {})
    state, weight = reduced(a, b, q, r, e, s)
    found = sl.solve_continuous_are(state, b, weight, r)
    check_solution(value, found)
    return as_given(value, found)


def solve_discrete_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: Any = True
) -> Any:
    """`scipy.linalg.solve_discrete_are`."""
    value = told_by(sl.solve_discrete_are, (a, b, q, r, e, s, balanced), {})
    state, weight = reduced(a, b, q, r, e, s)
    found = sl.solve_discrete_are(state, b, weight, r)
    check_solution(value, found)
    return as_given(value, found)


def reduced(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    """The matrix of the state and the weight of the equation with the same solution, without `e` and `s`."""
    a, b, q, r = np.atleast_2d(a), np.atleast_2d(b), np.atleast_2d(q), np.atleast_2d(r)
    if s is not None:
        s = np.atleast_2d(s)
        a = a - np.matmul(b, np.linalg.solve(r, adjoint(s)))
        q = q - np.matmul(s, np.linalg.solve(r, adjoint(s)))
    if e is not None:
        inverse = np.linalg.inv(np.atleast_2d(e))
        a, q = np.matmul(a, inverse), np.matmul(np.matmul(adjoint(inverse), q), inverse)
    return a, (q + adjoint(q)) / 2


def check_solution(value: Any, found: Any) -> None:
    """Raise MissingRuleError where SciPy gave no solution, as some versions do of balanced pencils."""
    if not np.allclose(value, found, 0, 1e-6 * np.max(np.abs(found), initial=0.0)):
        raise MissingRuleError(
            "'scipy.linalg' has no rule for this Riccati equation.",
            why="what SciPy gives does not solve it",
            instead="try 'balanced=False'",
        )
