"""Rules of `scipy.special`: Bessel functions, their kin, and Airy functions, by the argument.

Source of the formulas: DLMF chapters 9 (Airy functions), 10 (Bessel and Kelvin functions) and 11 (Struve
functions).
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise
from zygpy.rules.scipy_special_words import COUNT, ORDER, PARAMETER, by, of_parts, several, special, times
from zygpy.runtime import special_derivatives

_V = {"v": ORDER}

# Of any order: DLMF 10.6.1 and 10.29.1.

_HALF_DIFFERENCE = "(sc.{name}(v - 1, z) - sc.{name}(v + 1, z)) / 2"
_HALF_SUM = "(sc.{name}(v - 1, z) + sc.{name}(v + 1, z)) / 2"

for _name in ("jv", "yv", "hankel1", "hankel2"):
    special(
        _name,
        "v, z",
        z_bar=times(_HALF_DIFFERENCE.format(name=_name)),
        kind="complex-or-array" if _name.startswith("hankel") else "",
        domain="v > 0, z > 0",
        refused=_V,
    )
for _name, _turn in (("hankel1e", "-"), ("hankel2e", "+")):
    special(
        _name,
        "v, z",
        z_bar=times(f"({_HALF_DIFFERENCE.format(name=_name)} {_turn} 1j * y)"),
        kind="complex-or-array",
        domain="v > 0, z > 0",
        refused=_V,
    )
special("iv", "v, z", z_bar=times(_HALF_SUM.format(name="iv")), domain="v > 0, z > 0", refused=_V)
special("kv", "v, z", z_bar="-" + times(_HALF_SUM.format(name="kv")), domain="v > 0, z > 0", refused=_V)
special(
    "kve", "v, z", z_bar=times(f"(y - {_HALF_SUM.format(name='kve')})"), domain="v > 0, z > 0", refused=_V
)
for _name, _slope, _part in (
    ("jve", _HALF_DIFFERENCE, "imag"),
    ("yve", _HALF_DIFFERENCE, "imag"),
    ("ive", _HALF_SUM, "real"),
):
    _inner, _sign = _slope.format(name=_name), f"np.sign(np.{_part}(z))"
    _turned = f"{_sign} * np.real(times(y_bar, conj(y)))"
    several(
        _name,
        "v, z",
        z_bar=f"times(y_bar, conj({_inner})) - "
        + (_turned if _part == "real" else f"special.along_imaginary({_turned}, z)"),
        z_dot=f"times(y_bar, {_inner}) - times({_sign} * np.{_part}(y_bar), y)",
        kind="number-or-array",
        domain="v > 0, z > 0",
        refused=_V,
        at="0 comes from the scaling where it has a kink",
    )
for _name in ("yn", "kn"):
    _sign, _sum = ("", "-") if _name == "yn" else ("-", "+")
    special(
        _name,
        "n, x",
        x_bar=f"{_sign}times(y_bar, (sc.{_name[0]}v(special.whole(n) - 1, x)"
        f" {_sum} sc.{_name[0]}v(special.whole(n) + 1, x)) / 2)",
        domain="n == 2, x > 0",
        refused={"n": ORDER},
    )
for _name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"):
    special(
        _name,
        "v, z, n=1",
        z_bar=times(f"sc.{_name}(v, z, n + 1)"),
        kind="complex-or-array" if _name.startswith("h") else "number-or-array",
        domain="v > 0, z > 0, n == 2",
        refused={"v": ORDER, "n": COUNT},
    )

# Of orders 0 and 1.

special("j0", "x", x_bar="-times(y_bar, sc.j1(x))")
special("j1", "x", x_bar="times(y_bar, (sc.j0(x) - sc.jv(2.0, x)) / 2)")
special("y0", "x", x_bar="-times(y_bar, sc.y1(x))", domain="x > 0")
special("y1", "x", x_bar="times(y_bar, (sc.y0(x) - sc.yv(2.0, x)) / 2)", domain="x > 0")
special("i0", "x", x_bar="times(y_bar, sc.i1(x))")
special("i1", "x", x_bar="times(y_bar, (sc.i0(x) + sc.iv(2.0, x)) / 2)")
special("i0e", "x", x_bar="times(y_bar, sc.i1e(x) - np.sign(x) * y)", at="0 at the kink")
special("i1e", "x", x_bar="times(y_bar, (sc.i0e(x) + sc.ive(2.0, x)) / 2 - np.sign(x) * y)")
special("k0", "x", x_bar="-times(y_bar, sc.k1(x))", domain="x > 0")
special("k1", "x", x_bar="-times(y_bar, (sc.k0(x) + sc.kv(2.0, x)) / 2)", domain="x > 0")
special("k0e", "x", x_bar="times(y_bar, y - sc.k1e(x))", domain="x > 0")
special("k1e", "x", x_bar="times(y_bar, y - (sc.k0e(x) + sc.kve(2.0, x)) / 2)", domain="x > 0")

elementwise(
    special_derivatives.along_imaginary,
    "y = along_imaginary(value, z)",
    value_bar="special.imaginary_part(y_bar, z)",
    kind="complex-or-array",
)
elementwise(
    special_derivatives.imaginary_part,
    "y = imaginary_part(value, z)",
    value_bar="special.along_imaginary(y_bar, z)",
    kind="number-or-array",
)

# Spherical ones, DLMF 10.51.1 and 10.51.4: the same for their derivatives.

_WHOLE = "special.whole_beside(n, z)"
for _name, _first, _second in (
    ("spherical_jn", "", "-"),
    ("spherical_yn", "", "-"),
    ("spherical_in", "", "+"),
    ("spherical_kn", "-", "-"),
):
    special(
        _name,
        "n, z, derivative=False",
        z_bar=times(
            f"({_first}{_WHOLE} * sc.{_name}(np.maximum({_WHOLE} - 1, 0), z, derivative)"
            f" {_second} ({_WHOLE} + 1) * sc.{_name}({_WHOLE} + 1, z, derivative)) / (2 * {_WHOLE} + 1)"
        ),
        kind="number-or-array",
        domain="n == 2, z > 0, derivative == False",
        refused={"n": ORDER},
    )
for _name in ("riccati_jn", "riccati_yn"):
    _wave = "(np.arange(n + 1) * np.arange(1, n + 2) / (x * x) - 1) * y[0]"
    several(
        _name,
        "n, x",
        x_bar=f"np.sum(part(y_bar, 0) * y[1] + part(y_bar, 1) * ({_wave}))",
        x_dot=f"(y_bar * y[1], y_bar * ({_wave}))",
        kind="tuple",
        domain="n == 3, x > 0",
        refused={"n": ORDER},
    )

# Airy functions, DLMF 9.2.1; Bi is scaled by a modulus.

several("airy", "z", **by("z", "y[1]", "z * y[0]", "y[3]", "z * y[2]"))
_ROOT = "special.airy_root(z)"
_SIGN = f"np.sign(np.real(z * {_ROOT}))"
_SCALED = "np.real(times(part(y_bar, 2), conj(y[2])) + times(part(y_bar, 3), conj(y[3])))"
_SLOPES = (f"y[1] + {_ROOT} * y[0]", f"z * y[0] + {_ROOT} * y[1]", "y[3]", "z * y[2]")
_SHRUNK = f"{_SIGN} * np.real({_ROOT} * y_bar)"
several(
    "airye",
    "z",
    z_bar=of_parts(*_SLOPES) + f" - {_SIGN} * {_SCALED} * conj({_ROOT})",
    z_dot=f"(times(y_bar, {_SLOPES[0]}), times(y_bar, {_SLOPES[1]}),"
    f" times(y_bar, y[3]) - times({_SHRUNK}, y[2]), times(y_bar, z * y[2]) - times({_SHRUNK}, y[3]))",
    domain="z > 0",
)
elementwise(
    special_derivatives.airy_root,
    "y = airy_root(z)",
    z_bar="divided(y_bar, conj(2 * y))",
    kind="number-or-array",
    domain="z > 0",
)

# Kelvin functions, DLMF 10.61.3.

special("ber", "x", x_bar="times(y_bar, sc.berp(x))")
special("bei", "x", x_bar="times(y_bar, sc.beip(x))")
special("ker", "x", x_bar="times(y_bar, sc.kerp(x))", domain="x > 0")
special("kei", "x", x_bar="times(y_bar, sc.keip(x))", domain="x > 0")
special("berp", "x", x_bar="-times(y_bar, sc.bei(x) + special.per_argument(y, x, 0.0))")
special("beip", "x", x_bar="times(y_bar, sc.ber(x) - special.per_argument(y, x, 0.5))")
special("kerp", "x", x_bar="-times(y_bar, sc.kei(x) + y / x)", domain="x > 0")
special("keip", "x", x_bar="times(y_bar, sc.ker(x) - y / x)", domain="x > 0")
several(
    "kelvin",
    "x",
    kind="complexes",
    domain="x > 0",
    **by(
        "x",
        *("y[2]", "y[3]", "1j * y[0] - special.per_argument(y[2], x, 0.5j)", "1j * y[1] - y[3] / x"),
        real=True,
    ),
)
elementwise(
    special_derivatives.per_argument,
    "y = per_argument(value, x, limit)",
    value_bar="divided(y_bar, conj(x))",
    x_bar="-times(y_bar, conj(special.per_argument(y, x, 0.0)))",
    kind="number-or-array",
    domain="x > 0, limit == 0.5",
)

# Struve functions, DLMF 11.4.27 and 11.4.29.

_TERM = "np.power(x / 2, v) * sc.rgamma(v + 1.5) / math.sqrt(math.pi)"
for _name, _sign in (("struve", "-"), ("modstruve", "+")):
    special(
        _name,
        "v, x",
        x_bar=f"times(y_bar, (sc.{_name}(v - 1, x) {_sign} sc.{_name}(v + 1, x) + {_TERM}) / 2)",
        domain="v > 0, x > 0",
        refused=_V,
    )

# Integrals of them.

special("itstruve0", "x", x_bar="times(y_bar, sc.struve(special.in_precision_of(x, 0.0), x))", domain="x > 0")
special(
    "it2struve0",
    "x",
    x_bar="-times(y_bar, special.per_argument(sc.struve(special.in_precision_of(x, 0.0), x),"
    " x, 2 / math.pi))",
    domain="x > 0",
)
special(
    "itmodstruve0",
    "x",
    x_bar="times(y_bar, sc.modstruve(special.in_precision_of(x, 0.0), x))",
    domain="x > 0",
)
several("itj0y0", "x", domain="x > 0", **by("x", "sc.j0(x)", "sc.y0(x)"))
several("iti0k0", "x", domain="x > 0", **by("x", "sc.i0(x)", "sc.k0(x)"))
several("it2j0y0", "x", domain="x > 0", **by("x", "(1 - sc.j0(x)) / x", "-sc.y0(x) / x"))
several("it2i0k0", "x", domain="x > 0", **by("x", "(sc.i0(x) - 1) / x", "-sc.k0(x) / x"))
several(
    "itairy",
    "x",
    domain="x > 0",
    **by("x", "sc.airy(x)[0]", "sc.airy(x)[2]", "sc.airy(np.negative(x))[0]", "sc.airy(np.negative(x))[2]"),
)
special(
    "besselpoly",
    "a, lmb, nu",
    a_bar="times(y_bar, sc.besselpoly(a, lmb + 1, nu - 1) - sc.besselpoly(a, lmb + 1, nu + 1))",
    domain="a > 0, lmb > 0, nu > 1",
    refused={"lmb": PARAMETER, "nu": ORDER},
)
special(
    "wright_bessel",
    "a, b, x",
    x_bar="times(y_bar, sc.wright_bessel(a, a + b, x))",
    domain="a > 0, b > 0, x > 0",
    refused={"a": PARAMETER, "b": PARAMETER},
    source="E. M. Wright, The asymptotic expansion of the generalized Bessel function, 1935",
)
special(
    "log_wright_bessel",
    "a, b, x",
    x_bar="times(y_bar, np.exp(sc.log_wright_bessel(a, a + b, x) - y))",
    domain="a > 0, b > 0, x > 0",
    refused={"a": PARAMETER, "b": PARAMETER},
)
