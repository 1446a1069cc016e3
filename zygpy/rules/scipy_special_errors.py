"""Rules of `scipy.special`: error functions, Dawson's and Fresnel's integrals, exponential integrals.

Source of the formulas: DLMF chapters 6 (exponential, sine and cosine integrals) and 7 (error functions), and
25.12 for Spence's function.
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise, library
from zygpy.rules.scipy_special_words import ORDER, by, several, special, times
from zygpy.runtime import special_derivatives
from zygpy.runtime import special_profiles as profiles

library("profiles", profiles)

_BELL = "(2 / math.sqrt(math.pi))"
special("erf", "x", x_bar="times(y_bar, conj(np.exp(-x * x))) * " + _BELL)
special("erfc", "x", x_bar="-times(y_bar, conj(np.exp(-x * x))) * " + _BELL)
special("erfi", "x", x_bar="times(y_bar, conj(np.exp(x * x))) * " + _BELL)
special("erfcx", "x", x_bar=times("special.erfcx_derivative(x, 1)"))
special("wofz", "z", z_bar=times("special.wofz_derivative(z, 1)"), kind="complex-or-array")
special("dawsn", "x", x_bar=times("special.dawsn_derivative(x, 1)"))
for _name in ("erfcx", "wofz", "dawsn"):
    elementwise(
        getattr(special_derivatives, f"{_name}_derivative"),
        f"y = {_name}_derivative(x, order)",
        x_bar=f"times(y_bar, conj(special.{_name}_derivative(x, order + 1)))",
        kind="complex-or-array" if _name == "wofz" else "number-or-array",
        domain="order == 1",
    )
special(
    "erfinv",
    "x",
    x_bar="times(y_bar, np.exp(y * y)) * (math.sqrt(math.pi) / 2)",
    domain="-1 < x < 1",
    at="infinite at -1 and 1",
)
special(
    "erfcinv",
    "x",
    x_bar="-times(y_bar, np.exp(y * y)) * (math.sqrt(math.pi) / 2)",
    domain="0 < x < 2",
    at="infinite at 0 and 2",
)
special(
    "voigt_profile",
    "x, sigma, gamma",
    x_bar="times(y_bar, np.real(profiles.voigt_slope(x, sigma, gamma)))",
    sigma_bar="times(y_bar, sigma * np.real(profiles.voigt_bend(x, sigma, gamma)))",
    gamma_bar="-times(y_bar, np.imag(profiles.voigt_slope(x, sigma, gamma)))",
    domain="sigma > 0, gamma > 0",
    source="by sigma: the profile is a Gaussian one that spreads out as heat does",
)
elementwise(
    special_derivatives.where_right,
    "y = where_right(value, x)",
    value_bar="special.where_right(y_bar, x)",
    kind="number-or-array",
    domain="x > 0",
)
several(
    "fresnel",
    "z",
    source="DLMF 7.2(iii)",
    **by("z", "np.sin(math.pi / 2 * z * z)", "np.cos(math.pi / 2 * z * z)"),
)
for _name, _turn in (("modfresnelp", "1j"), ("modfresnelm", "-1j")):
    several(
        _name,
        "x",
        kind="complexes",
        at="nan for the first result where x < 0, which SciPy gives with another imaginary part",
        **by(
            "x",
            f"special.where_right(-np.exp({_turn} * np.square(x)), x)",
            f"-2 * {_turn} * np.multiply(x, y[1]) - cmath.exp(-{_turn} * math.pi / 4) / math.sqrt(math.pi)",
            real=True,
        ),
    )

special("exp1", "z", z_bar="-" + times("divided(np.exp(-z), z)"), domain="z > 0", at="infinite at 0")
special("expi", "x", x_bar=times("divided(np.exp(x), x)"), domain="x > 0", at="infinite at 0")
special(
    "expn",
    "n, x",
    x_bar="-times(y_bar, special.expn(special.whole(n) - 1, x))",
    domain="n == 1, x > 0",
    refused={"n": ORDER},
    at="infinite at 0 for orders below 2",
)
elementwise(
    special_derivatives.expn,
    "y = expn(n, x)",
    x_bar="-times(y_bar, special.expn(n - 1, x))",
    kind="number-or-array",
    domain="n == -1, x > 0",
    refused={"n": ORDER},
)
several("sici", "x", domain="x > 0", **by("x", "np.sinc(np.divide(x, math.pi))", "divided(np.cos(x), x)"))
several("shichi", "x", domain="x > 0", **by("x", "sc.spherical_in(0, x)", "divided(np.cosh(x), x)"))
special("spence", "z", z_bar=times("special.log_ratio_derivative(z, 0)"), domain="z > 0")
elementwise(
    special_derivatives.log_ratio_derivative,
    "y = log_ratio_derivative(z, order)",
    z_bar="times(y_bar, conj(special.log_ratio_derivative(z, order + 1)))",
    kind="number-or-array",
    domain="order == 1, z > 0",
)
special(
    "owens_t",
    "h, a",
    h_bar="-times(y_bar, np.exp(-h * h / 2) * sc.erf(a * h / math.sqrt(2))) / math.sqrt(8 * math.pi)",
    a_bar="times(y_bar, np.exp(-h * h * (1 + a * a) / 2) / (1 + a * a)) / (2 * math.pi)",
    source="D. B. Owen, Tables for computing bivariate normal probabilities, 1956",
)
