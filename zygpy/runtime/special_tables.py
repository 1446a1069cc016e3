"""Functions of `scipy.special` that give whole tables, as programs; imported with its rules alone.

The values are SciPy's own; beside them the tables are computed in operations that have rules. Source of the
formulas: DLMF 14.10 and 18.9 (Legendre functions), 10.16.9 (Bessel functions divided by a power).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def lmbda(v: Any, x: Any) -> Any:
    """`scipy.special.lmbda`, which is a function of `x**2` that SciPy computes where x is greater than 0."""
    check_sign(v, x)
    values, slopes = told_by(sc.lmbda, (v, x), {})
    orders, square = v - int(v) + np.arange(len(values)), -x * x / 4
    found = sc.hyp0f1(orders + 1, square)
    steep = -x / (2 * (orders + 1)) * sc.hyp0f1(orders + 2, square)
    return as_given(values, found), as_given(slopes, steep)


def check_sign(v: Any, x: Any) -> None:
    """Refuse what SciPy does not compute as the limit of what is near."""
    if x == 0 or (x < 0 and v != int(v)):
        raise MissingRuleError(
            "'scipy.special.lmbda' has no rule at 0, nor for whole orders and a half where x is less than 0.",
            why="what SciPy gives there is not the function",
            instead="use 'hyp0f1(v + 1, -x * x / 4)'",
        )


# Polynomials of Legendre, with derivatives.


def legendre_p_all(n: Any, z: Any, *, diff_n: Any = 0) -> Any:
    """`scipy.special.legendre_p_all`."""
    value = told_by(sc.legendre_p_all, (n, z), {"diff_n": diff_n})
    z = np.asarray(z) * 1.0
    rows = [polynomials(n, z)]
    for _ in range(diff_n):
        rows.append(slopes_of(rows[-1]))
    return as_given(value, np.reshape(np.stack([np.stack(row) for row in rows]), np.shape(value)))


def polynomials(n: int, z: Any) -> list[Any]:
    """Legendre's polynomials up to a degree."""
    rows = [0.0 * z + 1.0, z]
    for degree in range(1, n):
        rows.append(((2 * degree + 1) * z * rows[degree] - degree * rows[degree - 1]) / (degree + 1))
    return rows[: n + 1]


def slopes_of(rows: list[Any]) -> list[Any]:
    """The derivatives of Legendre's polynomials, or of derivatives of them."""
    found = [0.0 * rows[0], rows[0]]
    for degree in range(1, len(rows) - 1):
        found.append((2 * degree + 1) * rows[degree] + found[degree - 1])
    return found[: len(rows)]


# Functions of a degree and an order.


def degrees(n: Any, m: Any, rank: int) -> tuple[Any, Any]:
    """The degrees along the first axis of a table, the orders along the second: negative ones are last."""
    orders = np.concatenate([np.arange(abs(m) + 1), np.arange(-abs(m), 0)])
    return np.arange(n + 1).reshape(-1, 1, *[1] * rank), orders.reshape(1, -1, *[1] * rank)


def assoc_legendre_p_all(
    n: Any, m: Any, z: Any, *, branch_cut: Any = 2, norm: Any = False, diff_n: Any = 0
) -> Any:
    """`scipy.special.assoc_legendre_p_all` on its first branch."""
    check_table("assoc_legendre_p_all", branch_cut == 2 and diff_n == 0, "another branch, or derivatives,")
    given = {"branch_cut": branch_cut, "norm": norm, "diff_n": diff_n}
    value = told_by(sc.assoc_legendre_p_all, (n, m, z), given)
    each, orders = degrees(n, m, np.ndim(z))
    found = sc.assoc_legendre_p(each, orders, np.asarray(z)) * (weights(each, orders) if norm else 1.0)
    return as_given(value, np.reshape(found, np.shape(value)))


def weights(each: Any, orders: Any) -> Any:
    """What functions of a degree and an order are multiplied by for squares of integral 1."""
    there = np.abs(orders) <= each
    sums = sc.gammaln(np.where(there, each - orders, 0) + 1) - sc.gammaln(
        np.where(there, each + orders, 0) + 1
    )
    return np.where(there, np.sqrt((each + 0.5) * np.exp(sums)), 0.0)


def sph_legendre_p_all(n: Any, m: Any, theta: Any, *, diff_n: Any = 0) -> Any:
    """`scipy.special.sph_legendre_p_all`."""
    check_table("sph_legendre_p_all", diff_n == 0, "derivatives")
    value = told_by(sc.sph_legendre_p_all, (n, m, theta), {"diff_n": diff_n})
    found = sc.sph_legendre_p(*degrees(n, m, np.ndim(theta)), np.asarray(theta))
    return as_given(value, np.reshape(found, np.shape(value)))


def sph_harm_y_all(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: Any = 0) -> Any:
    """`scipy.special.sph_harm_y_all`."""
    check_table("sph_harm_y_all", diff_n == 0, "derivatives")
    value = told_by(sc.sph_harm_y_all, (n, m, theta, phi), {"diff_n": diff_n})
    theta, phi = np.asarray(theta), np.asarray(phi)
    found = sc.sph_harm_y(*degrees(n, m, max(np.ndim(theta), np.ndim(phi))), theta, phi)
    return as_given(value, np.reshape(found, np.shape(value)))


def check_table(name: str, known: bool, what: str) -> None:
    """Refuse tables of something else."""
    if not known:
        raise MissingRuleError(
            f"'scipy.special.{name}' has no rule for {what} in the table.",
            why="only the functions themselves are computed again",
            instead="differentiate a table without them, or call the function of one order",
        )


def pbdn_seq(n: Any, z: Any) -> Any:
    """`scipy.special.pbdn_seq`, which is refused."""
    refuse("pbdn_seq")
    return opaque((n, z))


def refuse(name: str) -> None:
    """Raise the error for a table whose derivatives do not agree with its values."""
    raise MissingRuleError(
        f"'scipy.special.{name}' has no rule.",
        why="what SciPy gives are not values of one function and its derivatives",
        instead="use 'pbdv' of a real argument",
    )


def opaque(given: Any) -> Any:
    """What is given, of which nothing is known: any part of it that had no gradient would be a constant."""
    return given


# Tables with the derivative of each function, whose own derivative is told by a differential equation.


def lqn(n: Any, z: Any) -> Any:
    """`scipy.special.lqn`."""
    return second_kind((n,), np.asarray(z))


def lqmn(m: Any, n: Any, z: Any) -> Any:
    """`scipy.special.lqmn`."""
    return second_kind((m, n), np.asarray(z))


def second_kind(orders: Any, z: Any) -> Any:
    """Legendre functions of the second kind and their derivatives, by the degree or by order and degree."""
    return sc.lqn(*orders, z[()]) if len(orders) == 1 else sc.lqmn(*orders, z[()])


def degree(table: Any, orders: Any) -> Any:
    """The degrees beside a table."""
    return numbers(table, len(orders) - 1)


def square(table: Any, orders: Any) -> Any:
    """The squares of the orders beside a table, 0 where it has none."""
    return numbers(table, 0) ** 2 if len(orders) == 2 else 0


def numbers(table: Any, axis: int) -> Any:
    """The whole numbers along an axis of a table."""
    shape = np.shape(table)
    return np.arange(shape[axis]).reshape([-1 if one == axis else 1 for one in range(len(shape))])


def pbdv_seq(v: Any, x: Any) -> Any:
    """`scipy.special.pbdv_seq`."""
    check_order(v)
    return parabolic("pbdv_seq", v, x)


def pbvv_seq(v: Any, x: Any) -> Any:
    """`scipy.special.pbvv_seq`."""
    check_order(v)
    return parabolic("pbvv_seq", v, x)


def parabolic(name: str, v: Any, x: Any) -> Any:
    """Parabolic cylinder functions of this name, of orders from the share of a whole one up."""
    return getattr(sc, name)(v, x)


def order(table: Any, v: Any) -> Any:
    """The orders beside a table."""
    return v - int(v) + numbers(table, 0)


def check_order(v: Any) -> None:
    """Refuse negative orders, of which SciPy gives something else."""
    if v < 0:
        raise MissingRuleError(
            "'scipy.special.pbdv_seq' and 'pbvv_seq' have no rule for negative orders.",
            why="what SciPy gives there are not values of one function and its derivatives",
            instead="call 'pbdv' or 'pbvv' for each order",
        )
