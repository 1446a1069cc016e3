"""Linear equations and least squares of `scipy.sparse.linalg` that are solved in steps, as programs.

What has a gradient is the solution, and not the steps that were needed to find it: for a right side that is
an eigenvector one step is enough, and its derivative tells nothing of the other directions.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.rules.declare import library, non_differentiable, only_looks, rule, stands_for
from zygpy.runtime.library_values import as_given
from zygpy.runtime.refused_interpolators import opaque
from zygpy.runtime.sparse_entries import entries
from zygpy.runtime.sparse_products import parts_of, solved
from zygpy.runtime.sparse_solutions import compressed
from zygpy.solvers.unchanged import unchanged


def found_by(solver: Any, given: Any, keywords: Any) -> Any:
    """What a solver finds, without gradients; keywords that are None are left out. It is refused if operators
    or what it is told to call changed what others know."""
    told = {name: value for name, value in keywords.items() if value is not None}
    functions = [parts_of_operator(value) for value in (given[0], *told.values())]
    return unchanged(lambda: solver(*given, **told), functions)


def parts_of_operator(value: Any) -> Any:
    """The functions that an operator was made of, and the operator itself."""
    return [value, *vars(value).values()] if isinstance(value, sl.LinearOperator) else value


def cg(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.cg`."""
    found = found_by(sl.cg, (A, b, x0), options)
    if is_large_operator(A):
        return refined(sl.cg, A, b, found, options)
    return in_steps("cg", found, A, b)


def minres(A: Any, b: Any, x0: Any = None, *, shift: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.minres`, of the equations without the shift if there is none."""
    found = found_by(sl.minres, (A, b, x0), {"shift": shift, **options})
    if is_large_operator(A):
        check_shift(shift)
        return refined(sl.minres, A, b, found, options)
    return in_steps("minres", found, A, b, shift)


def bicg(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.bicg`."""
    return in_steps("bicg", found_by(sl.bicg, (A, b, x0), options), A, b)


def bicgstab(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.bicgstab`."""
    return in_steps("bicgstab", found_by(sl.bicgstab, (A, b, x0), options), A, b)


def cgs(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.cgs`."""
    return in_steps("cgs", found_by(sl.cgs, (A, b, x0), options), A, b)


def qmr(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.qmr`."""
    return in_steps("qmr", found_by(sl.qmr, (A, b, x0), options), A, b)


def tfqmr(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.tfqmr`."""
    return in_steps("tfqmr", found_by(sl.tfqmr, (A, b, x0), options), A, b)


def gmres(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.gmres`."""
    return in_steps("gmres", found_by(sl.gmres, (A, b, x0), options), A, b)


def lgmres(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.lgmres`."""
    return in_steps("lgmres", found_by(sl.lgmres, (A, b, x0), options), A, b)


def gcrotmk(A: Any, b: Any, x0: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.gcrotmk`."""
    return in_steps("gcrotmk", found_by(sl.gcrotmk, (A, b, x0), options), A, b)


def in_steps(name: str, found: Any, A: Any, b: Any, shift: Any = None) -> Any:  # noqa: N803
    """What was found, with the derivatives of the solution."""
    check_converged(name, found[1] == 0)
    right = np.reshape(np.asarray(b), (-1,))
    if sp.issparse(A):
        data, first, second, shape, form = equations(A, shift)
        computed = solved(data, first, second, shape, form, right)
    else:
        computed = np.linalg.solve(shifted(elements(name, A), shift), right)
    return as_given(found[0], computed), found[1]


def check_converged(name: str, converged: Any) -> None:
    """Refuse what is no solution."""
    if not converged:
        raise MissingRuleError(
            f"'scipy.sparse.linalg.{name}' has no rule where it has not converged.",
            why="what it gives is no solution, and depends on each of its steps",
            instead="give it a larger tolerance or more steps",
        )


def shifted(matrix: Any, shift: Any) -> Any:
    """A dense matrix, less the shift on its diagonal."""
    return matrix if shift is None else matrix - shift * np.eye(len(matrix))


def equations(array: Any, shift: Any) -> tuple[Any, Any, Any, Any, str]:
    """The entries of a sparse array and their places, less the shift on its diagonal."""
    if array.format in ("csr", "csc", "coo") and shift is None:
        first, second, shape, form = parts_of(array)
        return array.data, first, second, shape, form
    values, rows, columns = entries(array)
    if shift is None:
        return assembled(values, rows, columns, array.shape)
    line = np.arange(array.shape[0])
    return assembled(
        np.concatenate([values, -shift * np.ones(len(line))]),
        np.append(rows, line),
        np.append(columns, line),
        array.shape,
    )


def assembled(values: Any, rows: Any, columns: Any, shape: Any) -> tuple[Any, Any, Any, Any, str]:
    """Entries in the form "csc", and their places."""
    where, first, second = compressed(rows, columns, shape[1])
    return values[where], first, second, shape, "csc"


# Operators.

LARGEST = 200
"""How many columns of an operator are computed to know its matrix."""


def is_operator(system: Any) -> bool:
    """Whether equations are given by what multiplies vectors."""
    return not (sp.issparse(system) or isinstance(system, np.ndarray))


def is_large_operator(system: Any) -> bool:
    """Whether that is so of more equations than have their matrix computed."""
    return is_operator(system) and max(system.shape) > LARGEST


def elements(name: str, system: Any) -> Any:
    """A dense matrix, or that of an operator."""
    if not is_operator(system):
        return system
    check_size(name, system)
    return np.stack([system.matvec(unit) for unit in np.eye(system.shape[1])], axis=1)


def check_size(name: str, system: Any) -> None:
    """Refuse operators of which nothing is known but products, where a transposed one is needed."""
    if max(system.shape) > LARGEST:
        raise MissingRuleError(
            f"'scipy.sparse.linalg.{name}' has no rule for operators of more than {LARGEST} equations.",
            why="the equations of the transpose have to be solved, and are not known by their entries",
            instead="give it a matrix, or call 'cg' or 'minres' if the operator is symmetric",
        )


def check_shift(shift: Any) -> None:
    """Refuse a shift of a large operator."""
    if shift is not None:
        raise MissingRuleError(
            "'scipy.sparse.linalg.minres' has no rule for 'shift' of large operators.",
            why="the equations that are solved are others than those of the operator",
            instead="give it the operator that is shifted",
        )


def refined(solver: Any, system: Any, b: Any, found: Any, options: Any) -> Any:
    """What was found, with the derivatives of the solution of symmetric equations.

    Corrections by solutions of the equations as they were, of what is left over, have each one derivative
    more than what they correct: there are those of the first three orders."""
    check_converged(solver.__name__, found[1] == 0)
    right = np.reshape(np.asarray(b), (-1,))
    solution = as_given(found[0], np.zeros(len(right)))
    for _ in range(3):
        solution = solution + corrected(solver, system, right - system.matvec(solution), options)
    return as_given(found[0], solution), found[1]


def corrected(solver: Any, system: Any, residual: Any, options: Any) -> Any:
    """The solution of symmetric equations that are held for another right side; nan where there is none."""
    told = {name: value for name, value in options.items() if name in ("rtol", "maxiter", "M")}
    found = solver(system, residual, **told)[0]
    missed = np.linalg.norm(residual - system.matvec(found)) > 0.01 * np.linalg.norm(residual)
    return found * np.nan if missed else found


# Least squares.

CONVERGED = (0, 1, 2, 4, 5)
"""Why `lsqr` and `lsmr` stop where they have a solution."""


def lsqr(
    A: Any, b: Any, damp: Any = None, atol: Any = None, btol: Any = None, conlim: Any = None,  # noqa: N803
    iter_lim: Any = None, show: Any = False, calc_var: Any = False, x0: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.lsqr`: of the solution and lengths there are derivatives."""
    told = {"damp": damp, "atol": atol, "btol": btol, "conlim": conlim, "iter_lim": iter_lim, "x0": x0}
    found = found_by(sl.lsqr, (A, b), {**told, "show": show, "calc_var": calc_var})
    check_converged("lsqr", found[1] in CONVERGED)
    x, left, start = least("lsqr", found[0], A, b, damp, x0)
    damped = np.concatenate([left, (damp or 0.0) * (x - start)])
    lengths = as_given(found[3], np.linalg.norm(left)), as_given(found[4], np.linalg.norm(damped))
    rest = [beside(value, x) for value in found[5:8]]
    size = as_given(found[8], np.linalg.norm(x))
    return (x, found[1], found[2], *lengths, *rest, size, beside(found[9], x))


def lsmr(
    A: Any, b: Any, damp: Any = None, atol: Any = None, btol: Any = None, conlim: Any = None,  # noqa: N803
    maxiter: Any = None, show: Any = False, x0: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.lsmr`: of the solution and its length there are derivatives."""
    told = {"damp": damp, "atol": atol, "btol": btol, "conlim": conlim, "maxiter": maxiter, "x0": x0}
    found = found_by(sl.lsmr, (A, b), {**told, "show": show})
    check_converged("lsmr", found[1] in CONVERGED)
    x = least("lsmr", found[0], A, b, damp, x0)[0]
    return (
        *(x, found[1], found[2]),
        *[beside(value, x) for value in found[3:7]],
        as_given(found[7], np.linalg.norm(x)),
    )


def least(name: str, found: Any, A: Any, b: Any, damp: Any, x0: Any) -> tuple[Any, Any, Any]:  # noqa: N803
    """What was found, with the derivatives of the solution; what is left over, and where the search began."""
    right = np.reshape(np.asarray(b), (-1,))
    start = np.zeros(A.shape[1]) if x0 is None else np.reshape(np.asarray(x0), (-1,))
    if sp.issparse(A):
        step = least_of_entries(A, right - A @ start, damp)
        left = right - A @ (start + step)
    else:
        matrix = elements(name, A)
        step = least_of_elements(matrix, right - matrix @ start, damp)
        left = right - matrix @ (start + step)
    check_found(name, found, start + step)
    return as_given(found, start + step), left, start


def least_of_elements(matrix: Any, right: Any, damp: Any) -> Any:
    """The solution of least squares of a dense matrix."""
    if damp is not None:
        matrix = np.concatenate([matrix, damp * np.eye(matrix.shape[1])])
        right = np.concatenate([right, np.zeros(matrix.shape[1])])
    return np.linalg.lstsq(matrix, right, rcond=None)[0]


def least_of_entries(array: Any, right: Any, damp: Any) -> Any:
    """The same of a sparse one, by the equations of the solution and what is left over: A x + r = b and
    A^T r = damp^2 x; without damping, of fewer equations than unknowns, A x = b and A^T r = x."""
    count, width = array.shape
    values, rows, columns = entries(array)
    wide = count < width and not np.any(damp or 0.0)
    above, below = (0.0, -1.0) if wide else (1.0, -((damp or 0.0) ** 2))
    line = np.arange(count + width)
    data, first, second, shape, form = assembled(
        np.concatenate([above * np.ones(count), below * np.ones(width), values, np.conj(values)]),
        np.concatenate([line, rows, columns + count]),
        np.concatenate([line, columns + count, rows]),
        (count + width, count + width),
    )
    return solved(data, first, second, shape, form, np.concatenate([right, np.zeros(width)]))[count:]


def check_found(name: str, found: Any, computed: Any) -> None:
    """Refuse least squares that more than one point solves, or whose solution was not found."""
    away = np.linalg.norm(np.asarray(computed) - found)
    if not away <= 0.01 * np.linalg.norm(found):
        raise MissingRuleError(
            f"'scipy.sparse.linalg.{name}' has no rule where its matrix has no full rank, or the solution"
            " lies elsewhere.",
            why="which point is found there depends on each of its steps",
            instead="give it a smaller tolerance, 'damp', or a dense matrix",
        )


def beside(value: Any, solution: Any) -> Any:
    """What is reported beside the solution."""
    return value


def lobpcg(*args: Any, **options: Any) -> Any:
    """`scipy.sparse.linalg.lobpcg`, which is refused."""
    refuse_vectors()
    return opaque((args, options))


def refuse_vectors() -> None:
    """Raise the error for eigenvectors that are found in steps."""
    raise MissingRuleError(
        "'scipy.sparse.linalg.lobpcg' has no rule.",
        why="its steps depend on where they begin, and there are none where that is a solution",
        instead="use 'eigsh'",
    )


library("sparse_steps", sys.modules[__name__])

for _name in ("cg", "minres", "bicg", "bicgstab", "cgs", "qmr", "tfqmr", "gmres", "lgmres", "gcrotmk"):
    stands_for(getattr(sl, _name), globals()[_name])
stands_for(sl.lsqr, lsqr)
stands_for(sl.lsmr, lsmr)
stands_for(sl.lobpcg, lobpcg)

rule(
    corrected,
    "y = corrected(solver, system, residual, options)",
    residual_bar="sparse_steps.corrected(solver, system, y_bar, options)",
    kind="array",
)
rule(
    beside,
    "y = beside(value, solution)",
    refused={"solution": "it is what a solver reports beside the solution."},
    kind="unknown",
)
non_differentiable(found_by, kind="unknown")
non_differentiable(check_converged, check_size, check_shift, check_found, refuse_vectors, kind="none")
non_differentiable(is_operator, is_large_operator, kind="bool")
only_looks(is_operator, is_large_operator, check_size)
