"""Rules of `scipy.special`: gamma and beta functions, complete and incomplete, and zeta functions.

Source of the formulas: F. W. J. Olver et al., NIST Digital Library of Mathematical Functions (DLMF),
chapters 5 (gamma function), 8 (incomplete gamma and beta functions) and 25 (zeta functions).
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise, library, non_differentiable
from zygpy.rules.scipy_special_words import COUNT, ORDER, special, times
from zygpy.runtime import incomplete_functions, special_derivatives
from zygpy.runtime import special_poles as poles

library("poles", poles)
library("incomplete", incomplete_functions)
non_differentiable(poles.at_pole, kind="array")

special("gamma", "x", x_bar=times("y", "sc.psi(x)"), domain="x > 0")
special("loggamma", "x", x_bar=times("sc.psi(x)"), domain="x > 0")
special("gammaln", "x", x_bar="times(y_bar, sc.psi(x))", domain="x > 0")
special("rgamma", "x", x_bar=times("special.rgamma_derivative(x, 1)"))
elementwise(
    special_derivatives.rgamma_derivative,
    "y = rgamma_derivative(x, order)",
    x_bar="times(y_bar, conj(special.rgamma_derivative(x, order + 1)))",
    kind="number-or-array",
    domain="order == 1",
)
special("psi", "x", x_bar=times("special.polygamma(1, x)"), domain="x > 0")
elementwise(
    special_derivatives.polygamma,
    "y = polygamma(order, x)",
    x_bar="times(y_bar, conj(special.polygamma(order + 1, x)))",
    kind="number-or-array",
    domain="order == 1, x > 0",
)
special(
    "polygamma",
    "n, x",
    x_bar="times(y_bar, sc.polygamma(n + 1, x)[()])",
    kind="number-or-array",
    domain="n == 2, x > 0",
    refused={"n": ORDER},
)
special(
    "multigammaln",
    "a, d",
    a_bar="times(y_bar, np.sum(sc.psi(np.expand_dims(a, -1) - np.arange(d) / 2), axis=-1))",
    kind="number-or-array",
    domain="a > 2, d == 3",
    refused={"d": COUNT},
)
special(
    "zeta",
    "x, q=None",
    kind="number-or-array",
    q_bar="-times(y_bar, x * sc.zeta(x + 1, q))",
    domain="x == 3, q > 0",
    refused={"x": "there is no closed form."},
)
special("zetac", "x", domain="x > 1", refused={"x": "there is no closed form."})
special(
    "poch",
    "z, m",
    z_bar="times(y_bar, poles.poch_by_first(z, m, y))",
    m_bar="times(y_bar, poles.poch_by_second(z, m, y))",
    domain="z > 0, m > 0",
    at="nan by z where z + m alone is 0 or a negative integer, by m where z + m is",
)
special(
    "binom",
    "n, k",
    n_bar="times(y_bar, poles.binom_by_first(n, k, y))",
    k_bar="times(y_bar, poles.binom_by_second(n, k, y))",
    domain="n > 3, 0 < k < 2",
    at="nan where n is a negative integer",
)
special(
    "beta",
    "a, b",
    a_bar="times(y_bar, poles.beta_by_first(a, b, y))",
    b_bar="times(y_bar, poles.beta_by_first(b, a, y))",
    domain="a > 0, b > 0",
)
special(
    "betaln",
    "a, b",
    a_bar="times(y_bar, poles.gap(a, a + b))",
    b_bar="times(y_bar, poles.gap(b, a + b))",
    domain="a > 0, b > 0",
)

# Incomplete functions: by the argument, DLMF 8.8.13 and 8.17.21; by a parameter, integrals of the same
# integrands times logarithms.

_GAMMA_DENSITY = "np.exp(sc.xlogy(a - 1, {x}) - {x} - sc.gammaln(a))"
_GAMMA_SLOPE = "np.exp(sc.xlogy(a, x) - x - sc.gammaln(a))"
_GAMMA_RATIO = "incomplete.gamma_ratio(a, special.logarithm({x}), 1)"
_BETA_DENSITY = "np.exp(sc.xlogy(a - 1, {x}) + sc.xlog1py(b - 1, -{x}) - sc.betaln(a, b))"
_BETA_SLOPE = "np.exp(sc.xlogy(a, x) + sc.xlog1py(b, -x) - sc.betaln(a, b))"
_BETA_RATIO = "incomplete.beta_ratio(a, b, sc.logit({x}), {orders})"

for _name, _sign in (("gammainc", ""), ("gammaincc", "-")):
    special(
        _name,
        "a, x",
        a_bar=f"{_sign}times(times(y_bar, {_GAMMA_SLOPE}), {_GAMMA_RATIO.format(x='x')})",
        x_bar=f"{_sign}times(y_bar, {_GAMMA_DENSITY.format(x='x')})",
        domain="a > 0, x > 0",
    )
    special(
        f"{_name}inv",
        "a, p",
        a_bar=f"-times(times(y_bar, y), {_GAMMA_RATIO.format(x='y')})",
        p_bar=f"{_sign}divided(y_bar, {_GAMMA_DENSITY.format(x='y')})",
        domain="a > 0, 0 < p < 1",
    )
for _name, _sign in (("betainc", ""), ("betaincc", "-")):
    special(
        _name,
        "a, b, x",
        a_bar=f"{_sign}times(times(y_bar, {_BETA_SLOPE}), {_BETA_RATIO.format(x='x', orders='1, 0')})",
        b_bar=f"{_sign}times(times(y_bar, {_BETA_SLOPE}), {_BETA_RATIO.format(x='x', orders='0, 1')})",
        x_bar=f"{_sign}times(y_bar, {_BETA_DENSITY.format(x='x')})",
        domain="a > 0, b > 0, 0 < x < 1",
    )
    special(
        f"{_name}inv",
        "a, b, p",
        a_bar=f"-times(times(y_bar, y * (1 - y)), {_BETA_RATIO.format(x='y', orders='1, 0')})",
        b_bar=f"-times(times(y_bar, y * (1 - y)), {_BETA_RATIO.format(x='y', orders='0, 1')})",
        p_bar=f"{_sign}divided(y_bar, {_BETA_DENSITY.format(x='y')})",
        domain="a > 0, b > 0, 0 < p < 1",
    )
elementwise(
    incomplete_functions.gamma_ratio,
    "y = gamma_ratio(a, u, order)",
    a_bar="times(y_bar, incomplete.gamma_ratio(a, u, order + 1) - incomplete.gamma_bell(a, u, 1) * y)",
    u_bar="times(y_bar, incomplete.gamma_bell(a, u, order) - (a - np.exp(u)) * y)",
    kind="number-or-array",
    domain="a > 0, order == 1",
)
elementwise(
    incomplete_functions.gamma_bell,
    "y = gamma_bell(a, u, order)",
    a_bar="times(y_bar, incomplete.gamma_bell(a, u, order + 1) - incomplete.gamma_bell(a, u, 1) * y)",
    u_bar="times(y_bar, order * incomplete.gamma_bell(a, u, order - 1))",
    kind="number-or-array",
    domain="a > 0, order == 1",
)
elementwise(
    incomplete_functions.beta_ratio,
    "y = beta_ratio(a, b, u, order, other)",
    a_bar="times(y_bar, incomplete.beta_ratio(a, b, u, order + 1, other)"
    " - incomplete.beta_bell(a, b, u, 1, 0) * y)",
    b_bar="times(y_bar, incomplete.beta_ratio(a, b, u, order, other + 1)"
    " - incomplete.beta_bell(a, b, u, 0, 1) * y)",
    u_bar="times(y_bar, incomplete.beta_bell(a, b, u, order, other)"
    " - (a * sc.expit(-u) - b * sc.expit(u)) * y)",
    kind="number-or-array",
    domain="a > 0, b > 0, order == 1, other == 0",
)
elementwise(
    incomplete_functions.beta_bell,
    "y = beta_bell(a, b, u, order, other)",
    a_bar="times(y_bar, incomplete.beta_bell(a, b, u, order + 1, other)"
    " - incomplete.beta_bell(a, b, u, 1, 0) * y)",
    b_bar="times(y_bar, incomplete.beta_bell(a, b, u, order, other + 1)"
    " - incomplete.beta_bell(a, b, u, 0, 1) * y)",
    u_bar="times(y_bar, order * sc.expit(-u) * incomplete.beta_bell(a, b, u, order - 1, other)"
    " - other * sc.expit(u) * incomplete.beta_bell(a, b, u, order, other - 1))",
    kind="number-or-array",
    domain="a > 0, b > 0, order == 1, other == 0",
)
