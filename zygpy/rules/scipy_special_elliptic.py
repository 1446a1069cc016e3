"""Rules of `scipy.special`: elliptic integrals and functions, and the arithmetic-geometric mean.

Source of the formulas: DLMF chapter 19 (elliptic integrals), of which 19.18 has the derivatives of Carlson's
symmetric ones and 19.25 the others by them, and 22.13 (Jacobian elliptic functions); by the parameter m,
22.13 and P. F. Byrd and M. D. Friedman, Handbook of Elliptic Integrals, 710 and 731.
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise
from zygpy.rules.scipy_special_words import by, several, special, times
from zygpy.runtime import special_derivatives

# Carlson's: each derivative raises an exponent by one.

special(
    "elliprc",
    "a, b",
    a_bar=times("poles.degenerate_by_first(a, b, y)"),
    b_bar=times("poles.degenerate_by_second(a, b, y)"),
    domain="a > 0, b > 0",
    source="DLMF 19.18.1 and 19.18.14 (principal values where b is negative)",
)
special(
    "elliprf",
    "a, b, c",
    a_bar="-" + times("sc.elliprd(b, c, a)") + " / 6",
    b_bar="-" + times("sc.elliprd(c, a, b)") + " / 6",
    c_bar="-" + times("sc.elliprd(a, b, c)") + " / 6",
    domain="a > 0, b > 0, c > 0",
)
special(
    "elliprd",
    "a, b, c",
    a_bar="-" + times("special.carlson(a, b, c, 1.0, 1.5, 0.5, 1.5, 0, 0)") + " * 0.75",
    b_bar="-" + times("special.carlson(a, b, c, 1.0, 0.5, 1.5, 1.5, 0, 0)") + " * 0.75",
    c_bar="-" + times("special.carlson(a, b, c, 1.0, 0.5, 0.5, 2.5, 0, 0)") + " * 2.25",
    domain="a > 0, b > 0, c > 0",
)
special(
    "elliprg",
    "a, b, c",
    a_bar=times("special.carlson(a, b, c, 1.0, 1.5, 0.5, 0.5, 0, 1)") + " * 0.125",
    b_bar=times("special.carlson(a, b, c, 1.0, 0.5, 1.5, 0.5, 0, 1)") + " * 0.125",
    c_bar=times("special.carlson(a, b, c, 1.0, 0.5, 0.5, 1.5, 0, 1)") + " * 0.125",
    domain="a > 0, b > 0, c > 0",
)
special(
    "elliprj",
    "a, b, c, p",
    a_bar="-" + times("special.carlson(a, b, c, p, 1.5, 0.5, 0.5, 1, 0)") + " * 0.75",
    b_bar="-" + times("special.carlson(a, b, c, p, 0.5, 1.5, 0.5, 1, 0)") + " * 0.75",
    c_bar="-" + times("special.carlson(a, b, c, p, 0.5, 0.5, 1.5, 1, 0)") + " * 0.75",
    p_bar="-" + times("special.carlson(a, b, c, p, 0.5, 0.5, 0.5, 2, 0)") + " * 1.5",
    domain="a > 0, b > 0, c > 0, p > 0",
    at="nan where p is negative",
)
elementwise(
    special_derivatives.carlson,
    "y = carlson(a, b, c, p, i, j, k, m, power=0)",
    a_bar="-times(y_bar, conj(i * special.carlson(a, b, c, p, i + 1, j, k, m, power)))",
    b_bar="-times(y_bar, conj(j * special.carlson(a, b, c, p, i, j + 1, k, m, power)))",
    c_bar="-times(y_bar, conj(k * special.carlson(a, b, c, p, i, j, k + 1, m, power)))",
    p_bar="-times(y_bar, conj(m * special.carlson(a, b, c, p, i, j, k, m + 1, power)))",
    kind="number-or-array",
    domain="a > 0, b > 0, c > 0, p > 0, i == 0.5, j == 0.5, k == 1.5, m == 1, power == 0",
)

# Legendre's, by Carlson's. An amplitude beyond a quarter turn has whole periods before it.

_BY_PARAMETER = "sc.elliprd(0.0, 1.0, 1 - m) / 6"
_SECOND_BY_PARAMETER = "sc.elliprd(0.0, 1 - m, 1.0) / 6"
special("ellipk", "m", m_bar=f"times(y_bar, {_BY_PARAMETER})", domain="m < 1")
special("ellipkm1", "p", p_bar="-times(y_bar, sc.elliprd(0.0, 1.0, p) / 6)", domain="0 < p < 2")
special("ellipe", "m", m_bar=f"-times(y_bar, {_SECOND_BY_PARAMETER})", domain="m < 1")

_TURNS = "np.round({phi} / math.pi)"
_SINE = f"np.sin({{phi}} - math.pi * {_TURNS})"
_FIRST = (
    f"({_SINE}**3 * sc.elliprd(np.cos({{phi}})**2, 1.0, 1 - m * {_SINE}**2) / 6"
    f" + 2 * {_TURNS} * {_BY_PARAMETER})"
)
_SECOND = (
    f"({_SINE}**3 * sc.elliprd(np.cos({{phi}})**2, 1 - m * {_SINE}**2, 1.0) / 6"
    f" + 2 * {_TURNS} * {_SECOND_BY_PARAMETER})"
)
special(
    "ellipkinc",
    "phi, m",
    phi_bar="divided(y_bar, np.sqrt(1 - m * np.sin(phi) ** 2))",
    m_bar=f"times(y_bar, {_FIRST.format(phi='phi')})",
    domain="m < 1",
)
special(
    "ellipeinc",
    "phi, m",
    phi_bar="times(y_bar, np.sqrt(1 - m * np.sin(phi) ** 2))",
    m_bar=f"-times(y_bar, {_SECOND.format(phi='phi')})",
    domain="m < 1",
)
_AMPLITUDE = f"y[2] * {_FIRST.format(phi='y[3]')}"
several(
    "ellipj",
    "u, m",
    **by("u", "y[1] * y[2]", "-y[0] * y[2]", "-m * y[0] * y[1]", "y[2]"),
    **by(
        "m",
        f"-y[1] * {_AMPLITUDE}",
        f"y[0] * {_AMPLITUDE}",
        f"m * y[0] * y[1] * {_FIRST.format(phi='y[3]')} - y[0] * y[0] / (2 * y[2])",
        f"-{_AMPLITUDE}",
    ),
    domain="0 < m < 1",
)
special(
    "agm",
    "a, b",
    a_bar="times(y_bar, poles.mean_by_first(a, b, y)) * (2 / (3 * math.pi))",
    b_bar="times(y_bar, poles.mean_by_first(b, a, y)) * (2 / (3 * math.pi))",
    domain="a > 0, b > 0",
    source="DLMF 19.8.5",
)
