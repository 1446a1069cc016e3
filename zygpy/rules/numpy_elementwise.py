"""Rules of NumPy's elementwise functions.

Where a derivative is infinite or not a number at points that a program may mask away, the
contribution goes through `times` or `divided`: a zero cotangent then stays zero.
"""

from __future__ import annotations

import numpy as np
from numpy.lib import _histograms_impl as _histograms

from zygpy.rules.declare import alias, elementwise, non_differentiable, rule, zero_gradient

# Arithmetic.
elementwise(np.add, "y = add(x1, x2)", x1_bar="y_bar", x2_bar="y_bar", kind="arithmetic")
elementwise(np.subtract, "y = subtract(x1, x2)", x1_bar="y_bar", x2_bar="-y_bar", kind="arithmetic")
elementwise(
    np.multiply,
    "y = multiply(x1, x2)",
    x1_bar="y_bar * conj(x2)",
    x2_bar="y_bar * conj(x1)",
    kind="arithmetic",
)
elementwise(
    np.divide,
    "y = divide(x1, x2)",
    x1_bar="divided(y_bar, conj(x2))",
    x2_bar="divisor_cotangent(y_bar, y, x2)",
    at="infinite where x2 == 0",
    domain="x2 > 0",
)
for _power in (np.power, np.float_power):
    elementwise(
        _power,
        f"y = {_power.__name__}(x1, x2)",
        x1_bar="power_base(y_bar, x1, x2)",
        x2_bar="power_exponent(y_bar, x1, x2)",
        at="an exactly zero derivative gives 0 whatever comes in; by the exponent 0 at x1 == 0, and for"
        " x1 < 0 the derivative of the real part",
        domain="x1 > 0",
        kind="arithmetic" if _power is np.power else "double",
    )
elementwise(
    np.remainder,
    "y = remainder(x1, x2)",
    x1_bar="y_bar",
    x2_bar="-times(y_bar, np.floor_divide(x1, x2))",
    domain="x2 > 2.5",
    kind="arithmetic",
)
elementwise(
    np.fmod,
    "y = fmod(x1, x2)",
    x1_bar="y_bar",
    x2_bar="-times(y_bar, np.trunc(np.divide(x1, x2)))",
    domain="x2 > 2.5",
    kind="arithmetic",
)
elementwise(np.negative, "y = negative(x)", x_bar="-y_bar", kind="arithmetic")
elementwise(np.positive, "y = positive(x)", x_bar="y_bar", kind="arithmetic")
elementwise(
    np.reciprocal, "y = reciprocal(x)", x_bar="-times(y_bar, conj(y * y))", domain="x > 0", kind="arithmetic"
)
elementwise(
    np.square, "y = square(x)", x_bar="power_base(y_bar, x, 2)", at="0 where x == 0", kind="arithmetic"
)
elementwise(np.sqrt, "y = sqrt(x)", x_bar="divided(y_bar, conj(y)) / 2", at="infinite at 0", domain="x > 0")
elementwise(np.cbrt, "y = cbrt(x)", x_bar="divided(y_bar, y * y) / 3", at="infinite at 0", domain="x > 0")
zero_gradient(np.floor_divide, "y = floor_divide(x1, x2)", wrt="x1, x2", kind="arithmetic")
rule(
    np.divmod,
    "y = divmod(x1, x2)",
    x1_bar="unbroadcast(part(y_bar, 1), shape(x1))",
    x2_bar="unbroadcast(-times(part(y_bar, 1), y[0]), shape(x2))",
    x1_dot="(zero(y[0]), y_bar + zero(y[1]))",
    x2_dot="(zero(y[0]), -times(y_bar, y[0]))",
    kind="tuple",
)

# Size, sign and parts of numbers.
elementwise(
    np.absolute, "y = absolute(x)", x_bar="times(y_bar, unit(x))", kind="modulus x", at="0 where x == 0"
)
elementwise(np.fabs, "y = fabs(x)", x_bar="times(y_bar, unit(x))", at="0 where x == 0")
elementwise(np.sign, "y = sign(x)", x_bar="unit_cotangent(y_bar, x)", at="0 where x == 0", kind="arithmetic")
elementwise(np.real, "y = real(val)", val_bar="y_bar", kind="real part val", shares="val")
elementwise(np.imag, "y = imag(val)", val_bar="1j * y_bar", kind="real part val", shares="val")
elementwise(np.conjugate, "y = conjugate(x)", x_bar="conj(y_bar)", kind="conjugate x")
elementwise(
    np.angle,
    "y = angle(z, deg=False)",
    z_bar="divided(np.where(np.equal(z, 0), 0, 1j * per_degree(y_bar, deg)), conj(z))",
    kind="unknown",
    at="0 where z == 0",
)
elementwise(
    np.copysign,
    "y = copysign(x1, x2)",
    x1_bar="times(y_bar, unit(x1) * np.copysign(1, x2))",
    x2_bar="zero(y_bar)",
    at="0 where x1 == 0",
)
elementwise(np.nextafter, "y = nextafter(x1, x2)", x1_bar="y_bar", x2_bar="zero(y_bar)")
elementwise(
    np.heaviside,
    "y = heaviside(x1, x2)",
    x1_bar="zero(y_bar)",
    x2_bar="np.where(np.equal(x1, 0), y_bar, 0)",
    at="0 by x1 everywhere",
)
elementwise(
    np.ldexp, "y = ldexp(x1, x2)", x1_bar="scaled_by_power(y_bar, x2)", domain="x2 == 3", kind="scaled"
)
rule(
    np.frexp,
    "y = frexp(x)",
    x_bar="scaled_by_power(part(y_bar, 0), -y[1])",
    x_dot="(scaled_by_power(y_bar, -y[1]), zero(y[1]))",
    kind="tuple",
)
rule(
    np.modf,
    "y = modf(x)",
    x_bar="part(y_bar, 0)",
    x_dot="(y_bar + zero(y[0]), zero(y[1]))",
    kind="fractions and wholes",
)

# Exponentials and logarithms.
elementwise(np.exp, "y = exp(x)", x_bar="times(y_bar, conj(y))")
elementwise(np.exp2, "y = exp2(x)", x_bar="times(y_bar, conj(y)) * math.log(2)")
elementwise(np.expm1, "y = expm1(x)", x_bar="times(y_bar, conj(np.exp(x)))")
elementwise(np.log, "y = log(x)", x_bar="divided(y_bar, conj(x))", at="infinite at 0", domain="x > 0")
elementwise(
    np.log2, "y = log2(x)", x_bar="divided(y_bar, conj(x)) / math.log(2)", at="infinite at 0", domain="x > 0"
)
elementwise(
    np.log10,
    "y = log10(x)",
    x_bar="divided(y_bar, conj(x)) / math.log(10)",
    at="infinite at 0",
    domain="x > 0",
)
elementwise(
    np.log1p, "y = log1p(x)", x_bar="divided(y_bar, 1 + conj(x))", at="infinite at -1", domain="x > -1"
)
elementwise(
    np.logaddexp,
    "y = logaddexp(x1, x2)",
    x1_bar="times(y_bar, exp_difference(x1, y))",
    x2_bar="times(y_bar, exp_difference(x2, y))",
    at="0 where both are minus infinity",
)
elementwise(
    np.logaddexp2,
    "y = logaddexp2(x1, x2)",
    x1_bar="times(y_bar, exp_difference(x1 * math.log(2), y * math.log(2)))",
    x2_bar="times(y_bar, exp_difference(x2 * math.log(2), y * math.log(2)))",
    at="0 where both are minus infinity",
)

# Trigonometric and hyperbolic functions.
elementwise(np.sin, "y = sin(x)", x_bar="y_bar * conj(np.cos(x))")
elementwise(np.cos, "y = cos(x)", x_bar="-y_bar * conj(np.sin(x))")
elementwise(np.tan, "y = tan(x)", x_bar="y_bar * conj(1 + y * y)", domain="-1.4 < x < 1.4")
elementwise(
    np.arcsin,
    "y = arcsin(x)",
    x_bar="divided(y_bar, conj(circle_root(x)))",
    at="infinite at -1 and 1",
    domain="-1 < x < 1",
)
elementwise(
    np.arccos,
    "y = arccos(x)",
    x_bar="-divided(y_bar, conj(circle_root(x)))",
    at="infinite at -1 and 1",
    domain="-1 < x < 1",
)
elementwise(np.arctan, "y = arctan(x)", x_bar="divided(y_bar, conj(1 + x * x))")
elementwise(
    np.arctan2,
    "y = arctan2(x1, x2)",
    x1_bar="times(y_bar, turning(x2, x1))",
    x2_bar="-times(y_bar, turning(x1, x2))",
    at="0 where x1 == 0 and x2 == 0",
)
elementwise(
    np.hypot,
    "y = hypot(x1, x2)",
    x1_bar="times(y_bar, divided(x1, y))",
    x2_bar="times(y_bar, divided(x2, y))",
    at="0 where y == 0",
)
elementwise(np.sinh, "y = sinh(x)", x_bar="times(y_bar, conj(np.cosh(x)))")
elementwise(np.cosh, "y = cosh(x)", x_bar="times(y_bar, conj(np.sinh(x)))")
elementwise(np.tanh, "y = tanh(x)", x_bar="y_bar * conj(1 - y * y)")
elementwise(np.arcsinh, "y = arcsinh(x)", x_bar="divided(y_bar, conj(hypotenuse(x)))")
elementwise(
    np.arccosh,
    "y = arccosh(x)",
    x_bar="divided(y_bar, conj(hyperbola_root(x)))",
    at="infinite at 1",
    domain="x > 1",
)
elementwise(
    np.arctanh,
    "y = arctanh(x)",
    x_bar="divided(y_bar, conj((1 - x) * (1 + x)))",
    at="infinite at -1 and 1",
    domain="-1 < x < 1",
)
for _degrees in (np.rad2deg, np.degrees):
    elementwise(_degrees, f"y = {_degrees.__name__}(x)", x_bar="y_bar * (180 / math.pi)")
for _radians in (np.deg2rad, np.radians):
    elementwise(_radians, f"y = {_radians.__name__}(x)", x_bar="y_bar * (math.pi / 180)")
elementwise(np.sinc, "y = sinc(x)", x_bar="times(y_bar, conj(sinc_derivative(x, 1)))")
elementwise(np.i0, "y = i0(x)", x_bar="times(y_bar, bessel_i(x, 1))", kind="array")

if hasattr(_histograms, "_unsigned_subtract"):  # what histograms are made with
    elementwise(
        _histograms._unsigned_subtract,
        "y = _unsigned_subtract(a, b)",
        a_bar="y_bar",
        b_bar="-y_bar",
        kind="number-or-array",
    )

# Choices.
for _choice in (np.maximum, np.minimum, np.fmax, np.fmin):
    elementwise(
        _choice,
        f"y = {_choice.__name__}(x1, x2)",
        x1_bar="picked(y_bar, x1, y)",
        x2_bar="passed_over(y_bar, x1, y)",
        at="at a tie all to x1",
        kind="arithmetic",
    )
elementwise(
    np.clip,
    "y = clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None)",
    a_bar="picked(y_bar, a, y)",
    a_min_bar="clipped_low(y_bar, a, a_min, y)",
    a_max_bar="clipped_high(y_bar, a, a_min, y)",
    min_bar="clipped_low(y_bar, a, min, y)",
    max_bar="clipped_high(y_bar, a, min, y)",
    at="at a tie all to a, then to the lower bound",
    domain="a_min < -0.5, a_max > 0.5, out == None, min == None, max == None",
    kind="clipped",
)
elementwise(
    np.where,
    "y = where(condition, a, b)",
    a_bar="np.where(condition, y_bar, 0)",
    b_bar="np.where(condition, 0, y_bar)",
    kind="choice",
    note="with the condition alone the result is a tuple of indices, and there is no gradient",
)
elementwise(
    np.nan_to_num,
    "y = nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)",
    x_bar="finite_part(y_bar, x, copy)",
    note="copy=False, which overwrites the argument, has no gradient and says so",
    domain="copy == True, nan == 0, posinf == None, neginf == None",
    kind="arithmetic",
)


rule(
    np.real_if_close,
    "y = real_if_close(a, tol=100)",
    a_bar="y_bar",
    a_dot="real_like(y_bar, y)",
    shares="a",
    kind="number-or-array",
)

# Derivative zero.
for _rounding in (np.rint, np.spacing):
    zero_gradient(_rounding, f"y = {_rounding.__name__}(x)")
for _whole in (np.floor, np.ceil, np.trunc, np.fix):
    zero_gradient(_whole, f"y = {_whole.__name__}(x)", kind="arithmetic")
for _round in (np.round, np.around):
    zero_gradient(_round, f"y = {_round.__name__}(a, decimals=0)", wrt="a", kind="arithmetic")

# Number types as functions.
_TYPES = {
    np.float64: "f8",
    np.float32: "f4",
    np.float16: "real",
    np.longdouble: "real",
    np.complex128: "c16",
    np.complex64: "c8",
    np.clongdouble: "any",
}
for _type, _dtype in _TYPES.items():
    elementwise(_type, f"y = {_type.__name__}(x=0)", x_bar="y_bar", kind=f"made {_dtype}", shares="x")
non_differentiable(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)

# No differentiable path.
for _predicate in (
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    np.equal,
    np.not_equal,
    np.logical_and,
    np.logical_or,
    np.logical_xor,
):
    non_differentiable(_predicate, kind="predicate", call=f"y = {_predicate.__name__}(x1, x2)")
non_differentiable(
    np.isclose, kind="predicate", call="y = isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)"
)
for _property in (np.logical_not, np.isfinite, np.isinf, np.isnan, np.signbit):
    non_differentiable(_property, kind="predicate", call=f"y = {_property.__name__}(x)")
non_differentiable(
    np.isneginf,
    np.isposinf,
    np.isreal,
    np.iscomplex,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.invert,
    np.left_shift,
    np.right_shift,
    np.bitwise_count,
    np.gcd,
    np.lcm,
    np.isnat,
)

for _name, _function in (
    ("absolute", np.absolute),
    ("abs", np.absolute),
    ("pow", np.power),
    ("mod", np.remainder),
    ("true_divide", np.divide),
    ("conj", np.conjugate),
    ("acos", np.arccos),
    ("acosh", np.arccosh),
    ("asin", np.arcsin),
    ("asinh", np.arcsinh),
    ("atan", np.arctan),
    ("atan2", np.arctan2),
    ("atanh", np.arctanh),
    ("bitwise_not", np.invert),
    ("bitwise_invert", np.invert),
    ("bitwise_left_shift", np.left_shift),
    ("bitwise_right_shift", np.right_shift),
):
    alias(getattr(np, _name), _function)
