"""Rules of `scipy.special`: noncentral distributions, inverses by a parameter, and the one-sided statistic of
Kolmogorov and Smirnov.

Source of the formulas: N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions,
chapters 29 to 31; N. Smirnov, Table for estimating the goodness of fit of empirical distributions (1948).
"""

from __future__ import annotations

from zygpy.rules.declare import library
from zygpy.rules.scipy_special_words import COUNT, PARAMETER, special
from zygpy.runtime import noncentral as _noncentral

library("noncentral", _noncentral)

# The noncentral chi-squared distribution: of its parameters only the noncentrality has a closed form.

_FOUND = "times(y_bar, y > 1e-30)"
_DENSITY = "noncentral.chi_squared_density({x}, df, {nc})"
_SHARE = "(sc.chndtr({x}, df + 2, {nc}) - {p}) / 2"
special(
    "chndtrix",
    "p, df, nc",
    p_bar=f"divided(y_bar, {_DENSITY.format(x='y', nc='nc')})",
    nc_bar=f"-divided(times(y_bar, {_SHARE.format(x='y', nc='nc', p='p')}),"
    f" {_DENSITY.format(x='y', nc='nc')})",
    domain="0.1 < p < 0.9, df > 1, nc > 0",
    refused={"df": PARAMETER},
)
special(
    "chndtrinc",
    "x, df, p",
    x_bar=f"-divided(times({_FOUND}, {_DENSITY.format(x='x', nc='y')}),"
    f" {_SHARE.format(x='x', nc='y', p='p')})",
    p_bar=f"divided({_FOUND}, {_SHARE.format(x='x', nc='y', p='p')})",
    at="0 where no noncentrality gives p",
    domain="4 < x < 6, 1 < df < 2, 0.1 < p < 0.5",
    refused={"df": PARAMETER},
)

# The noncentral F and t distributions. The derivative is nan where the noncentrality is very large.

_DENSITY = "noncentral.f_density({x}, dfn, dfd, {nc})"
_SHARE = "(sc.ncfdtr(dfn + 2, dfd, {nc}, {x} * dfn / (dfn + 2)) - {p}) / 2"
_OTHERS = {"dfn": PARAMETER, "dfd": PARAMETER}
special(
    "ncfdtr",
    "dfn, dfd, nc, f",
    nc_bar=f"times(y_bar, {_SHARE.format(x='f', nc='nc', p='y')})",
    f_bar=f"times(y_bar, {_DENSITY.format(x='f', nc='nc')})",
    domain="dfn > 2, dfd > 2, nc > 0, f > 0",
    refused=_OTHERS,
)
special(
    "ncfdtri",
    "dfn, dfd, nc, p",
    nc_bar=f"-divided(times(y_bar, {_SHARE.format(x='y', nc='nc', p='p')}),"
    f" {_DENSITY.format(x='y', nc='nc')})",
    p_bar=f"divided(y_bar, {_DENSITY.format(x='y', nc='nc')})",
    domain="dfn > 2, dfd > 2, nc > 0, 0.1 < p < 0.9",
    refused=_OTHERS,
)
special(
    "ncfdtrinc",
    "dfn, dfd, p, f",
    p_bar=f"divided({_FOUND}, {_SHARE.format(x='f', nc='y', p='p')})",
    f_bar=f"-divided(times({_FOUND}, {_DENSITY.format(x='f', nc='y')}),"
    f" {_SHARE.format(x='f', nc='y', p='p')})",
    at="0 where no noncentrality gives p",
    domain="dfn > 2, dfd > 2, 0.1 < p < 0.4, 2 < f < 4",
    refused=_OTHERS,
)
special(
    "nctdtr",
    "df, nc, t",
    t_bar="times(y_bar, noncentral.t_density(t, df, nc))",
    nc_bar="-times(y_bar, noncentral.t_shift(t, df, nc))",
    domain="df > 1, -1 < nc < 1",
    refused={"df": PARAMETER},
)
special(
    "nctdtrit",
    "df, nc, p",
    p_bar="divided(y_bar, noncentral.t_density(y, df, nc))",
    nc_bar="divided(times(y_bar, noncentral.t_shift(y, df, nc)), noncentral.t_density(y, df, nc))",
    domain="df > 1, -1 < nc < 1, 0.1 < p < 0.9",
    refused={"df": PARAMETER},
)
special(
    "nctdtrinc",
    "df, p, t",
    p_bar="-divided(y_bar, noncentral.t_shift(t, df, y))",
    t_bar="divided(times(y_bar, noncentral.t_density(t, df, y)), noncentral.t_shift(t, df, y))",
    domain="df > 1, 0.2 < p < 0.8, -1 < t < 1",
    refused={"df": PARAMETER},
)

# The largest deviation of an empirical distribution to one side.

special(
    "smirnov",
    "n, d",
    d_bar="times(y_bar, noncentral.smirnov_slope(special.whole(n), d))",
    domain="n == 4, 0 < d < 1",
    refused={"n": COUNT},
    kind="number-or-array",
)
special(
    "smirnovi",
    "n, p",
    p_bar="divided(y_bar, noncentral.smirnov_slope(special.whole(n), y))",
    domain="n == 4, 0 < p < 1",
    refused={"n": COUNT},
    kind="number-or-array",
)

# Inverses that give a parameter: the derivative by it would be needed.

_INVERSE = "the result is a parameter, by which there is no closed form."
for _name, _parameters in (
    ("chdtriv", "p, x"),
    ("stdtridf", "p, t"),
    ("pdtrik", "p, m"),
    ("gdtrib", "a, p, x"),
    ("btdtria", "p, b, x"),
    ("btdtrib", "a, p, x"),
    ("fdtridfd", "dfn, p, x"),
    ("bdtrik", "p, n, pr"),
    ("bdtrin", "k, p, pr"),
    ("nbdtrik", "p, n, pr"),
    ("nbdtrin", "k, p, pr"),
    ("chndtridf", "x, p, nc"),
    ("nctdtridf", "p, nc, t"),
    ("ncfdtridfn", "p, dfd, nc, f"),
    ("ncfdtridfd", "dfn, p, nc, f"),
):
    special(
        _name,
        _parameters,
        kind="number-or-array",
        refused=dict.fromkeys(_parameters.split(", "), _INVERSE),
    )
