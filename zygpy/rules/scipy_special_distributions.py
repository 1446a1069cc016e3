"""Rules of `scipy.special`: distribution functions, their complements and inverses, by the argument.

Source of the formulas: the densities, N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate
Distributions, and Johnson, Kemp and Kotz, Univariate Discrete Distributions; DLMF 8.17.5 and 8.11.10 for the
discrete ones.
"""

from __future__ import annotations

from typing import Any, cast

from zygpy.rules.declare import elementwise, library
from zygpy.rules.scipy_special_words import COUNT, PARAMETER, special
from zygpy.runtime import quantile_shifts, special_derivatives
from zygpy.runtime import special_counts as counts

library("counts", counts)
library("shifts", quantile_shifts)

# The normal distribution.

_ROOT = "math.sqrt(2 * math.pi)"
special("ndtr", "x", x_bar=f"times(y_bar, conj(np.exp(-x * x / 2))) / {_ROOT}")
special("log_ndtr", "x", x_bar="divided(y_bar, conj(sc.erfcx(-x / math.sqrt(2)))) * math.sqrt(2 / math.pi)")
special("ndtri", "p", p_bar=f"times(y_bar, np.exp(y * y / 2)) * {_ROOT}", domain="0 < p < 1")
special("ndtri_exp", "x", x_bar=f"times(y_bar, np.exp(x + y * y / 2)) * {_ROOT}", domain="x < 0")
_QUANTILE = "sc.ndtri(p)"
special(
    "nrdtrimn",
    "p, std, x",
    p_bar=f"-times(y_bar, std * np.exp({_QUANTILE} ** 2 / 2)) * {_ROOT}",
    std_bar=f"-times(y_bar, {_QUANTILE})",
    x_bar="1.0 * y_bar",
    domain="0 < p < 1, std > 0",
)
special(
    "nrdtrisd",
    "mn, p, x",
    mn_bar=f"-divided(y_bar, {_QUANTILE})",
    p_bar=f"-times(y_bar, y / {_QUANTILE} * np.exp({_QUANTILE} ** 2 / 2)) * {_ROOT}",
    x_bar=f"divided(y_bar, {_QUANTILE})",
    domain="mn < 0, 0.6 < p < 1, x > 0",
)


def _continuous(
    names: tuple[str, str, str],
    parameters: str,
    variable: str,
    density: str,
    domain: str,
    *,
    upper: bool,
    **shifts: str,
) -> None:
    """A distribution function, its complement, and the inverse of either (`upper`: of the complement).

    `shifts` says how a quantile moves with each parameter.
    """
    below, above, inverse = names
    for name, sign in ((below, ""), (above, "-")):
        if name:
            slope = f"times(y_bar, {density.format(x=variable)})"
            turned = "" if sign else "-"
            bars = {f"{one}_bar": f"{turned}times({slope}, {text})" for one, text in shifts.items()}
            bars = {key: text.format(x=variable) for key, text in bars.items()}
            bars[f"{variable}_bar"] = sign + slope
            call = f"{parameters}, {variable}"
            special(name, call, domain=f"{domain}, {variable} > 0", **cast(Any, bars))
    bars = {f"{one}_bar": f"times(y_bar, {text.format(x='y')})" for one, text in shifts.items()}
    special(
        inverse,
        f"{parameters}, p",
        p_bar=("-" if upper else "") + f"divided(y_bar, {density.format(x='y')})",
        domain=f"{domain}, 0 < p < 1",
        **cast(Any, bars),
    )


_continuous(
    ("stdtr", "", "stdtrit"),
    "df",
    "t",
    "np.exp(-(df + 1) / 2 * np.log1p(np.divide({x} * {x}, df))"
    " - sc.betaln(special.in_precision_of(df, 0.5), df / 2)) / np.sqrt(df)",
    "df > 1",
    upper=False,
    df="shifts.t_df({x}, df)",
)
_continuous(
    ("chdtr", "chdtrc", "chdtri"),
    "v",
    "x",
    "np.exp(sc.xlogy(v / 2 - 1, {x} / 2) - {x} / 2 - sc.gammaln(v / 2)) / 2",
    "v > 2",
    upper=True,
    v="shifts.chi2_df({x}, v)",
)
_continuous(
    ("fdtr", "fdtrc", "fdtri"),
    "dfn, dfd",
    "x",
    "np.exp(sc.xlogy(dfn / 2 - 1, np.divide({x} * dfn, dfd))"
    " - (dfn + dfd) / 2 * np.log1p(np.divide({x} * dfn, dfd))"
    " - sc.betaln(dfn / 2, dfd / 2)) * np.divide(dfn, dfd)",
    "dfn > 2, dfd > 2",
    upper=False,
    dfn="shifts.f_dfn({x}, dfn, dfd)",
    dfd="shifts.f_dfd({x}, dfn, dfd)",
)

# The gamma distribution, which has a scale.

_GAMMA = "np.exp(sc.xlogy(b - 1, {z}) - {z} - sc.gammaln(b))"
for _name, _sign, _turned in (("gdtr", "", "-"), ("gdtrc", "-", "")):
    special(
        _name,
        "a, b, x",
        a_bar=f"{_sign}times(y_bar, np.exp(sc.xlogy(b, a * x) - a * x - sc.gammaln(b)) / a)",
        b_bar=f"{_turned}times(times(y_bar, {_GAMMA.format(z='(a * x)')}), shifts.gamma_a(a * x, b))",
        x_bar=f"{_sign}times(y_bar, {_GAMMA.format(z='(a * x)')} * a)",
        domain="a > 0, b > 0, x > 0",
    )
special(
    "gdtrix",
    "a, b, p",
    a_bar="-times(y_bar, y / a)",
    b_bar="times(y_bar, shifts.gamma_a(a * y, b) / a)",
    p_bar=f"divided(y_bar, {_GAMMA.format(z='(a * y)')} * a)",
    domain="a > 0, b > 0, 0 < p < 1",
)
special(
    "gdtria",
    "p, b, x",
    x_bar="-times(y_bar, y / x)",
    b_bar="times(y_bar, shifts.gamma_a(x * y, b) / x)",
    p_bar=f"divided(y_bar, {_GAMMA.format(z='(x * y)')} * x)",
    domain="x > 0, b > 0, 0 < p < 1",
)

# Discrete distributions, by their probability or mean.

_POISSON = (
    "np.exp(sc.xlogy(special.in_precision_of({m}, k // 1.0), {m}) - {m}"
    " - special.in_precision_of({m}, sc.gammaln(k // 1 + 1)))"
)
_BINOMIAL = "counts.binomial_slope(k // 1, special.whole(n), {p})"
_NEGATIVE = "counts.negative_slope(special.whole(k), special.whole(n), {p})"
for _end, _sign in (("", "-"), ("c", "")):
    special(
        f"pdtr{_end}",
        "k, m",
        m_bar=f"{_sign}times(y_bar, {_POISSON.format(m='m')})",
        domain="k == 2, m > 0",
        refused={"k": COUNT},
    )
    special(
        f"bdtr{_end}",
        "k, n, p",
        p_bar=f"{_sign}times(y_bar, {_BINOMIAL.format(p='p')})",
        domain="k == 2.0, n == 5, 0 < p < 1",
        refused={"k": COUNT, "n": COUNT},
    )
for _end, _sign in (("", ""), ("c", "-")):
    special(
        f"nbdtr{_end}",
        "k, n, p",
        p_bar=f"{_sign}times(y_bar, {_NEGATIVE.format(p='p')})",
        domain="k == 2, n == 3, 0 < p < 1",
        refused={"k": COUNT, "n": COUNT},
    )
special(
    "pdtri",
    "k, q",
    q_bar=f"-divided(y_bar, {_POISSON.format(m='y').replace('k //', 'special.whole(k) //')})",
    domain="k == 2, 0 < q < 1",
    refused={"k": COUNT},
)
special(
    "bdtri",
    "k, n, q",
    q_bar=f"-divided(y_bar, {_BINOMIAL.format(p='y')})",
    domain="k == 2.0, n == 5, 0 < q < 1",
    refused={"k": COUNT, "n": COUNT},
)
special(
    "nbdtri",
    "k, n, q",
    q_bar=f"divided(y_bar, {_NEGATIVE.format(p='y')})",
    domain="k == 2, n == 3, 0 < q < 1",
    refused={"k": COUNT, "n": COUNT},
)

# Others.

special(
    "chndtr",
    "x, df, nc",
    x_bar="times(y_bar, np.exp(sc.xlogy(df / 2 - 1, x / 2) - (x + nc) / 2 - sc.gammaln(df / 2))"
    " * sc.hyp0f1(df / 2, nc * x / 4)) / 2",
    nc_bar="times(y_bar, sc.chndtr(x, df + 2, nc) - y) / 2",
    domain="x > 0, df > 1, nc > 0",
    refused={"df": PARAMETER},
    source="Johnson, Kotz and Balakrishnan, chapter 29",
)
special("kolmogorov", "x", x_bar="times(y_bar, special.kolmogorov_derivative(x, 1))", domain="x > 0.2")
special("kolmogi", "p", p_bar="divided(y_bar, special.kolmogorov_derivative(y, 1))", domain="0 < p < 1")
elementwise(
    special_derivatives.kolmogorov_derivative,
    "y = kolmogorov_derivative(x, order)",
    x_bar="times(y_bar, special.kolmogorov_derivative(x, order + 1))",
    kind="number-or-array",
    domain="order == 1, x > 0.2",
)
_TUKEY = "(np.exp(sc.xlogy(lmbda - 1, y)) + np.exp(sc.xlog1py(lmbda - 1, -y)))"
special(
    "tklmbda",
    "x, lmbda",
    x_bar=f"divided(times(y_bar, (0 < y) & (y < 1)), {_TUKEY})",
    lmbda_bar="-times(y_bar, counts.tukey_shift(y, lmbda))",
    domain="-0.3 < x < 0.3, 0 < lmbda < 2",
    at="0 beyond the support",
)
