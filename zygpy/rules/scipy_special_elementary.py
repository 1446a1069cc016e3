"""Rules of `scipy.special`: elementary functions that are exact near their zeros, those of information
theory and of machine learning, and inverses of `w exp(w)`.

Source of the formulas: DLMF chapter 4, 4.13 for Lambert's function.
"""

from __future__ import annotations

import scipy.special as sc

from zygpy.rules.declare import elementwise, rule, zero_gradient
from zygpy.rules.scipy_special_words import COUNT, TOLERANCE, special, times
from zygpy.runtime import special_derivatives

# Exponentials, powers, angles in degrees.

special("expm1", "x", x_bar=times("np.exp(x)"))
special("log1p", "x", x_bar="divided(y_bar, conj(1 + x))", domain="x > -1", at="infinite at -1")
special("exp2", "x", x_bar="times(y_bar, y) * math.log(2)")
special("exp10", "x", x_bar="times(y_bar, y) * math.log(10)")
special("cbrt", "x", x_bar="divided(y_bar, 3 * y * y)", domain="x > 0", at="infinite at 0")
special("cosm1", "x", x_bar="-times(y_bar, np.sin(x))")
special(
    "powm1",
    "a, b",
    a_bar="power_base(y_bar, a, n=b)",  # by keyword: what it comes to on numbers takes `y` for the power
    b_bar="times(y_bar, sc.xlogy(y + 1, a))",
    domain="a > 0",
)
special("exprel", "x", x_bar="times(y_bar, special.exprel_derivative(x, 1))")
elementwise(
    special_derivatives.exprel_derivative,
    "y = exprel_derivative(x, order)",
    x_bar="times(y_bar, special.exprel_derivative(x, order + 1))",
    kind="number-or-array",
    domain="order == 1",
)
_DEGREE = "(math.pi / 180)"
special("sindg", "x", x_bar=f"times(y_bar, sc.cosdg(x)) * {_DEGREE}")
special("cosdg", "x", x_bar=f"-times(y_bar, sc.sindg(x)) * {_DEGREE}")
special("tandg", "x", x_bar=f"times(y_bar, 1 + y * y) * {_DEGREE}")
special("cotdg", "x", x_bar=f"-times(y_bar, 1 + y * y) * {_DEGREE}", domain="x > 1")
special(
    "radian",
    "d, m, s",
    d_bar=f"y_bar * {_DEGREE}",
    m_bar=f"y_bar * ({_DEGREE} / 60)",
    s_bar=f"y_bar * ({_DEGREE} / 3600)",
)
special(
    "diric",
    "x, n",
    x_bar="times(y_bar, special.diric_derivative(x, n, 1))",
    kind="number-or-array",
    domain="n == 4",
    refused={"n": COUNT},
)
elementwise(
    special_derivatives.diric_derivative,
    "y = diric_derivative(x, n, order)",
    x_bar="times(y_bar, special.diric_derivative(x, n, order + 1))",
    kind="number-or-array",
    domain="n == 4, order == 1",
    refused={"n": COUNT},
)
if hasattr(sc, "round"):
    zero_gradient(sc.round, "y = round(x)")
if hasattr(sc, "gammasgn"):
    zero_gradient(sc.gammasgn, "y = gammasgn(x)")

# Inverses of w exp(w).

special(
    "lambertw",
    "z, k=0, tol=1e-8",
    z_bar="divided(y_bar, conj(np.exp(y) * (1 + y)))",
    kind="complex-or-array",
    domain="z > 0, k == 0, tol == 1e-8",
    at="infinite at -1/e",
    refused={"k": COUNT, "tol": TOLERANCE},
)
special("wrightomega", "z", z_bar="divided(times(y_bar, conj(y)), conj(1 + y))")

# Logistic functions.

special("expit", "x", x_bar="times(y_bar, y * (1 - y))")
special("logit", "x", x_bar="divided(y_bar, x * (1 - x))", domain="0 < x < 1", at="infinite at 0 and 1")
special("log_expit", "x", x_bar="times(y_bar, sc.expit(-x))")
special("softplus", "x", x_bar="times(y_bar, sc.expit(x))")
if hasattr(sc._ufuncs, "_log1mexp"):  # the logarithm of 1 - exp(x), by which `scipy.stats` complements others
    elementwise(
        sc._ufuncs._log1mexp,
        "y = _log1mexp(x)",
        x_bar="-divided(y_bar, np.expm1(-x))",
        kind="number-or-array",
        domain="-2 < x < -0.1",
        at="infinite at 0",
    )

# Entropies and losses.

special(
    "xlogy",
    "x, z",
    x_bar=times("sc.xlogy(special.in_precision_of(z, 1.0), z)"),
    z_bar="divided(times(y_bar, conj(x)), conj(z))",
    at="0 by z where x == 0",
    domain="z > 0",
)
special(
    "xlog1py",
    "x, z",
    x_bar=times("sc.xlog1py(special.in_precision_of(z, 1.0), z)"),
    z_bar="divided(times(y_bar, conj(x)), conj(1 + z))",
    at="0 by z where x == 0",
    domain="z > -1",
)
special("entr", "x", x_bar="-times(y_bar, special.logarithm(x) + 1)", domain="x > 0", at="infinite at 0")
special(
    "rel_entr",
    "x, z",
    x_bar="times(y_bar, special.logarithm(x) - special.logarithm(z) + 1)",
    z_bar="-divided(times(y_bar, x), z)",
    domain="x > 0, z > 0",
    at="infinite by x where x == 0, 0 by z",
)
special(
    "kl_div",
    "x, z",
    x_bar="times(y_bar, special.logarithm(x) - special.logarithm(z))",
    z_bar="y_bar - divided(times(y_bar, x), z)",
    domain="x > 0, z > 0",
    at="infinite by x where x == 0, 1 by z",
)
special(
    "huber",
    "delta, r",
    delta_bar="times(y_bar, np.maximum(np.abs(r) - delta, 0))",
    r_bar="times(y_bar, np.clip(r, -delta, delta))",
    domain="delta > 0",
)
special(
    "pseudo_huber",
    "delta, r",
    delta_bar="divided(times(y_bar, (r * r / (np.hypot(delta, r) + delta)) ** 2), np.hypot(delta, r))",
    r_bar="divided(times(y_bar, r * delta), np.hypot(delta, r))",
    domain="delta > 0",
)

# Box and Cox's transformation: log(x) * exprel(lmbda * log(x)).

for _name, _logarithm in (("boxcox", "xlogy"), ("boxcox1p", "xlog1py")):
    special(
        _name,
        "x, lmbda",
        x_bar=f"times(y_bar, np.exp(sc.{_logarithm}(lmbda - 1, x)))",
        lmbda_bar="times(y_bar, poles.transform_by_power("
        f"sc.{_logarithm}(special.in_precision_of(x, 1.0), x), sc.{_logarithm}(lmbda, x), lmbda))",
        domain="x > 0",
        source="G. E. P. Box and D. R. Cox, An analysis of transformations, 1964",
    )
for _name, _value in (("inv_boxcox", "y"), ("inv_boxcox1p", "(y + 1)")):
    special(
        _name,
        "z, lmbda",
        z_bar=f"times(y_bar, np.exp(sc.xlogy(1 - lmbda, {_value})))",
        lmbda_bar=f"-times(y_bar, {_value} * z * z * special.log_ratio_derivative(1 + lmbda * z, 1))",
        domain="0 < z < 1, 0 < lmbda < 1",
    )

# Along axes. With `b` the sum is of its products with the exponentials; its sign may be asked for.

_SHAPE = "(shape(a) if b is None else np.broadcast_shapes(shape(a), shape(b)))"
_SEED = "(part(y_bar, 0) + special.phase_share(part(y_bar, 1), y[1]) if return_sign else y_bar)"
_BAR = f"unreduce({_SEED}, {_SHAPE}, axis, keepdims)"
_SHARE = f"exp_difference(a, unreduce(y[0] if return_sign else y, {_SHAPE}, axis, keepdims))"
_PHASE = f"(unreduce(y[1], {_SHAPE}, axis, keepdims) if return_sign else 1.0)"
_MOVED = f"(times(y_bar, {_SHARE}) if b is None else times(y_bar, b * {_SHARE}))"
rule(
    sc.logsumexp,
    "y = logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False)",
    a_bar=f"times({_BAR}, conj({_SHARE})) * {_PHASE} if b is None"
    f" else unbroadcast(times({_BAR}, conj(b * {_SHARE})) * {_PHASE}, shape(a))",
    b_bar=f"unbroadcast(times({_BAR}, conj({_SHARE})) * {_PHASE}, shape(b))",
    a_dot=f"special.signed_along(np.sum({_MOVED}, axis=axis, keepdims=keepdims), y) if return_sign"
    f" else np.sum({_MOVED}, axis=axis, keepdims=keepdims)",
    b_dot=f"special.signed_along(np.sum(times(y_bar, {_SHARE}), axis=axis, keepdims=keepdims), y)"
    f" if return_sign else np.sum(times(y_bar, {_SHARE}), axis=axis, keepdims=keepdims)",
    at="0 for what has no share",
    kind="logarithm of sum",
)
elementwise(
    special_derivatives.phase_share,
    "y = phase_share(g, phase)",
    g_bar="special.phase_share(y_bar, phase)",
    kind="number-or-array",
)
rule(
    sc.softmax,
    "y = softmax(x, axis=None)",
    x_bar="conj(y) * (y_bar - np.sum(y_bar * conj(y), axis=axis, keepdims=True))",
    x_dot="y * (y_bar - np.sum(y_bar * y, axis=axis, keepdims=True))",
)
rule(
    sc.log_softmax,
    "y = log_softmax(x, axis=None)",
    x_bar="y_bar - conj(np.exp(y)) * np.sum(y_bar, axis=axis, keepdims=True)",
    x_dot="y_bar - np.sum(y_bar * np.exp(y), axis=axis, keepdims=True)",
)
