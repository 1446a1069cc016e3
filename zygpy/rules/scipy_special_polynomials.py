"""Rules of `scipy.special`: orthogonal polynomials, Legendre functions and spherical harmonics.

Source of the formulas: DLMF chapter 18, 18.9(iii) above all, and 14.10 (Legendre functions).
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise, library, non_differentiable
from zygpy.rules.scipy_special_words import ORDER, several, special, times
from zygpy.runtime import special_derivatives
from zygpy.runtime import special_polynomials as by_parameters

library("by_parameters", by_parameters)
non_differentiable(by_parameters.degrees_below, kind="unknown")
non_differentiable(by_parameters.apart, by_parameters.unknown_beside, kind="number-or-array")

_N = {"n": ORDER}
_WHOLE = "refused by the parameter for degrees that are not whole"

special(
    "eval_chebyt",
    "n, x",
    x_bar=times("n * sc.eval_chebyu(n - (n != 0), x)"),
    domain="n == 3, -1 < x < 1",
    refused=_N,
)
special(
    "eval_chebyc", "n, x", x_bar=times("n * sc.eval_chebyu(n - (n != 0), x / 2)"), domain="n == 3", refused=_N
)
special(
    "eval_sh_chebyt",
    "n, x",
    x_bar=times("2 * n * sc.eval_chebyu(n - (n != 0), 2 * x - 1)"),
    domain="n == 3, 0 < x < 1",
    refused=_N,
)
# Those of the second kind and Legendre's go on below order 0.
_BELOW = "np.abs(n + 1) - 2"
_SECOND = (
    f"np.sign(n + 1) * special.present({_BELOW}) * sc.eval_gegenbauer(special.shown({_BELOW}), 2.0, {{x}})"
)
special(
    "eval_chebyu",
    "n, x",
    x_bar=times("2 * " + _SECOND.format(x="x")),
    domain="n == 3, -1 < x < 1",
    refused=_N,
)
special("eval_chebys", "n, x", x_bar=times(_SECOND.format(x="x / 2")), domain="n == 3", refused=_N)
special(
    "eval_sh_chebyu",
    "n, x",
    x_bar=times("4 * " + _SECOND.format(x="(2 * x - 1)")),
    domain="n == 3, 0 < x < 1",
    refused=_N,
)
_BELOW = "np.maximum(n, -1 - n) - 1"
_LEGENDRE = f"special.present({_BELOW}) * sc.eval_gegenbauer(special.shown({_BELOW}), 1.5, {{x}})"
special(
    "eval_legendre", "n, x", x_bar=times(_LEGENDRE.format(x="x")), domain="n == 3, -1 < x < 1", refused=_N
)
special(
    "eval_sh_legendre",
    "n, x",
    x_bar=times("2 * " + _LEGENDRE.format(x="2 * x - 1")),
    domain="n == 3, 0 < x < 1",
    refused=_N,
)
special(
    "eval_gegenbauer",
    "n, alpha, x",
    x_bar=times(
        "2 * alpha * special.present(n - 1) * sc.eval_gegenbauer(special.shown(n - 1), alpha + 1, x)"
    ),
    alpha_bar=times("by_parameters.gegenbauer_by_parameter(n, alpha, x, y)"),
    domain="n == 3, alpha > 0, -1 < x < 1",
    refused=_N,
    at=_WHOLE,
)
special(
    "eval_jacobi",
    "n, alpha, beta, x",
    x_bar=times(
        "(n + alpha + beta + 1) / 2 * special.present(n - 1)"
        " * sc.eval_jacobi(special.shown(n - 1), alpha + 1, beta + 1, x)"
    ),
    alpha_bar=times("by_parameters.jacobi_by_first(n, alpha, beta, x, y)"),
    beta_bar=times("by_parameters.jacobi_by_second(n, alpha, beta, x, y)"),
    domain="n == 3, alpha > 0, beta > 0, -1 < x < 1",
    refused=_N,
    at=_WHOLE,
)
special(
    "eval_sh_jacobi",
    "n, p, q, x",
    x_bar=times(
        "(n + p) * special.present(n - 1) * sc.eval_jacobi(special.shown(n - 1), p - q + 1, q, 2 * x - 1)"
        " / sc.binom(2 * n + p - 1, n)"
    ),
    p_bar=times("by_parameters.shifted_by_first(n, p, q, x, y)"),
    q_bar=times("by_parameters.shifted_by_second(n, p, q, x, y)"),
    domain="n == 3, p > 2, 0 < q < 2, 0 < x < 1",
    refused=_N,
    at=_WHOLE,
)
special(
    "eval_laguerre",
    "n, x",
    x_bar="-" + times("special.present(n - 1) * sc.eval_genlaguerre(special.shown(n - 1), 1.0, x)"),
    domain="n == 3",
    refused=_N,
)
special(
    "eval_genlaguerre",
    "n, alpha, x",
    x_bar="-" + times("special.present(n - 1) * sc.eval_genlaguerre(special.shown(n - 1), alpha + 1, x)"),
    alpha_bar=times("by_parameters.laguerre_by_parameter(n, alpha, x)"),
    domain="n == 3, alpha > 0",
    refused=_N,
    at=_WHOLE,
)
special(
    "assoc_laguerre",
    "x, n, k=0.0",
    x_bar="-" + times("special.present(n - 1) * sc.eval_genlaguerre(special.shown(n - 1), k + 1, x)"),
    k_bar=times("by_parameters.laguerre_by_parameter(n, k, x)"),
    domain="n == 3, k > 0",
    refused=_N,
    at=_WHOLE,
)
special(
    "eval_hermite",
    "n, x",
    x_bar="times(y_bar, 2 * n * sc.eval_hermite(special.one_less(n), x))",
    domain="n == 3",
    refused=_N,
)
special(
    "eval_hermitenorm",
    "n, x",
    x_bar="times(y_bar, n * sc.eval_hermitenorm(special.one_less(n), x))",
    domain="n == 3",
    refused=_N,
)

# Legendre functions, DLMF 14.10.5, and those of the sphere.

special(
    "lpmv",
    "m, v, x",
    x_bar="times(y_bar, np.where(special.is_smooth(v, x), (v * x * y"
    " - np.where(v + m == 0, 0.0, (v + m) * sc.lpmv(m, v - 1, x)))"
    " / np.where(special.is_smooth(v, x), x * x - 1, 1.0), special.legendre_edge(m, v, x)))",
    domain="m == 1, v == 3, -1 < x < 1",
    refused={"m": ORDER, "v": ORDER},
    at="infinite at -1 and 1 for the orders -1 and 1; nan beyond for degrees that are not whole",
)
elementwise(
    special_derivatives.legendre_edge,
    "y = legendre_edge(m, v, x)",
    x_bar="times(y_bar, special.legendre_edge(m, np.nan, x))",
    refused={"m": ORDER, "v": ORDER},
    kind="number-or-array",
    domain="m == 0, v == 3, -1 < x < 1",
)
non_differentiable(special_derivatives.is_smooth, kind="array")
# These have an axis more than their arguments.

_UP = "np.sqrt(np.maximum((n - m) * (n + m + 1), 0))"  # orders beyond the degree are 0
_DOWN = "np.sqrt(np.maximum((n + m) * (n - m + 1), 0))"
_SIDE = "np.where(np.sin(theta) < 0, -1.0, 1.0)"  # SciPy takes the cosine of theta, whose sign is lost
for _name, _parameters, _derivative in (
    ("legendre_p", "n, z", f"special.as_wide_as({_LEGENDRE.format(x='z')}, y)"),
    (
        "assoc_legendre_p",
        "n, m, z",
        "(n * z * y - (n + m) * sc.assoc_legendre_p(n - 1, m, z)) / (z * z - 1)",
    ),
    (
        "sph_legendre_p",
        "n, m, theta",
        f"({_UP} * sc.sph_legendre_p(n, m + 1, theta) - {_DOWN} * sc.sph_legendre_p(n, m - 1, theta))"
        f" / 2 * {_SIDE}",
    ),
):
    _last = _parameters.rpartition(" ")[2]
    several(
        _name,
        _parameters,
        domain="n == 3, m == 1, -1 < z < 1, 0 < theta < 3",
        refused=_N | {"m": ORDER} if "m" in _parameters else _N,
        at="nan at -1 and 1" if "assoc" in _name else "",
        **{f"{_last}_bar": times(_derivative), f"{_last}_dot": f"times(y_bar, {_derivative})"},
        kind="number-or-array",
    )
special(
    "sph_harm_y",
    "n, m, theta, phi",
    theta_bar=times(
        f"({_UP} * np.exp(-1j * phi) * sc.sph_harm_y(n, m + 1, theta, phi)"
        f" - {_DOWN} * np.exp(1j * phi) * sc.sph_harm_y(n, m - 1, theta, phi)) / 2 * {_SIDE}"
    ),
    phi_bar=times("1j * m * y"),
    kind="complex-or-array",
    domain="n == 3, m == 1, -3 < theta < 3",
    refused=_N | {"m": ORDER},
    source="DLMF 14.30.1 and 14.10",
)
