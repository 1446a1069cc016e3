"""Rules of `scipy.special`: hypergeometric, parabolic cylinder, Mathieu and spheroidal functions.

Source of the formulas: DLMF chapters 12 (parabolic cylinder functions), 13 and 15 (hypergeometric functions),
16, 28 (Mathieu functions) and 30 (spheroidal wave functions).
"""

from __future__ import annotations

from zygpy.rules.scipy_special_words import ORDER, PARAMETER, by, several, special, times

special(
    "hyp0f1",
    "v, z",
    z_bar=times("sc.hyp0f1(v + 1, z) / v"),
    domain="v > 0, z > 0",
    refused={"v": PARAMETER},
)
special(
    "hyp1f1",
    "a, b, x",
    x_bar=times("np.divide(a, b) * sc.hyp1f1(a + 1, np.where(a == -1, 1.0, b + 1), x)"),
    domain="a > 0, b > 0",
    refused={"a": PARAMETER, "b": PARAMETER},
)
special(
    "hyp2f1",
    "a, b, c, z",
    z_bar=times(
        "a * b / np.where(np.equal(c, 0), np.nan, c)"
        " * sc.hyp2f1(np.where(a * b == 0, 0.0, a + 1.0), b + 1, c + 1, z)"
    ),
    domain="a > 0, b > 0, c > 0, 0 < z < 1",
    refused={"a": PARAMETER, "b": PARAMETER, "c": PARAMETER},
)
special(
    "hyperu",
    "a, b, x",
    x_bar="-times(y_bar, a * sc.hyperu(a + 1, b + 1, x))",
    domain="a > 0, b > 0, x > 0",
    refused={"a": PARAMETER, "b": PARAMETER},
)

# Functions that come with their derivatives: those follow from the differential equation.

for _name in ("pbdv", "pbvv"):
    several(_name, "v, x", refused={"v": ORDER}, **by("x", "y[1]", "(x * x / 4 - v - 0.5) * y[0]"))
several("pbwa", "a, x", refused={"a": PARAMETER}, **by("x", "y[1]", "(a - x * x / 4) * y[0]"))

_DEGREE = "(math.pi / 180)"
_CHARACTERISTIC = "special.in_precision_of(x, sc.mathieu_{}, q))"
for _name, _value in (("cem", "a(m"), ("sem", "b(np.maximum(m, 1)")):  # se 0 is 0, and has no value
    several(
        f"mathieu_{_name}",
        "m, q, x",
        domain="m == 2, q > 0",
        refused={"m": ORDER, "q": PARAMETER},
        **by(
            "x",
            f"{_DEGREE} * y[1]",
            f"{_DEGREE} * (2 * q * np.cos(2 * {_DEGREE} * x) - {_CHARACTERISTIC.format(_value)}) * y[0]",
        ),
    )
for _name, _value in (("modcem1", "a"), ("modcem2", "a"), ("modsem1", "b"), ("modsem2", "b")):
    several(
        f"mathieu_{_name}",
        "m, q, x",
        domain="m == 2, q > 0, x > 0",
        refused={"m": ORDER, "q": PARAMETER},
        **by(
            "x",
            "y[1]",
            f"(special.in_precision_of(x, sc.mathieu_{_value}(m, q)) - 2 * q * np.cosh(2 * x)) * y[0]",
        ),
    )
for _name in ("mathieu_a", "mathieu_b"):
    special(_name, "m, q", domain="m == 2, q > 0", refused={"m": ORDER, "q": PARAMETER})

# (Those of the second kind are too rough in SciPy for their derivatives to agree with them.)
_REFUSED = {"m": ORDER, "n": ORDER, "c": PARAMETER}
_INSIDE = "(2 * x * y[1] - ({value} {sign} c * c * x * x - m * m / (1 - x * x)) * y[0]) / (1 - x * x)"
_OUTSIDE = "(({value} - c * c * x * x - m * m / (1 + x * x)) * y[0] - 2 * x * y[1]) / (1 + x * x)"
for _name, _equation, _sign, _place in (
    ("pro_ang1", _INSIDE, "-", "0 < x < 1"),
    ("pro_rad1", _INSIDE, "-", "x > 1"),
    ("obl_ang1", _INSIDE, "+", "0 < x < 1"),
    ("obl_rad1", _OUTSIDE, "", "x > 1"),
):
    several(
        _name,
        "m, n, c, x",
        domain=f"m == 1, n == 2, c == 1.5, {_place}",
        refused=_REFUSED,
        **by("x", "y[1]", _equation.format(value=f"sc.{_name[:3]}_cv(m, n, c)", sign=_sign)),
    )
    several(
        f"{_name}_cv",
        "m, n, c, cv, x",
        domain=f"m == 1, n == 2, c == 1.5, cv == 6.0, {_place}",
        refused=_REFUSED | {"cv": PARAMETER},
        **by("x", "y[1]", _equation.format(value="cv", sign=_sign)),
    )
for _name in ("pro_cv", "obl_cv"):
    special(_name, "m, n, c", domain="m == 1, n == 2, c == 1.5", refused=_REFUSED)
