"""Rules of the `math` module, all of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from zygpy.rules.declare import Rule, elementwise, non_differentiable, rule, zero_gradient


def _unary(function: Callable[..., Any], x_bar: str, *, at: str = "", domain: str = "") -> Rule:
    call = f"y = {function.__name__}(x)"
    return elementwise(function, call, x_bar=x_bar, kind="float", at=at, domain=domain)


_unary(math.sin, "y_bar * math.cos(x)")
_unary(math.cos, "-y_bar * math.sin(x)")
_unary(math.tan, "y_bar * (1 + y * y)", domain="-1.4 < x < 1.4")
_unary(
    math.asin,
    "divided(y_bar, math.sqrt((1 - x) * (1 + x)))",
    at="infinite at -1 and 1",
    domain="-1 < x < 1",
)
_unary(
    math.acos,
    "divided(-y_bar, math.sqrt((1 - x) * (1 + x)))",
    at="infinite at -1 and 1",
    domain="-1 < x < 1",
)
_unary(math.atan, "y_bar / (1 + x * x)")
_unary(math.sinh, "y_bar * math.cosh(x)")
_unary(math.cosh, "y_bar * math.sinh(x)")
_unary(math.tanh, "y_bar * (1 - y * y)")
_unary(math.asinh, "y_bar / math.hypot(1, x)")
_unary(math.acosh, "divided(y_bar, math.sqrt(x - 1) * math.sqrt(x + 1))", at="infinite at 1", domain="x > 1")
_unary(math.atanh, "y_bar / ((1 - x) * (1 + x))", domain="-1 < x < 1")
_unary(math.exp, "y_bar * y")
_unary(math.exp2, "y_bar * y * math.log(2)")
_unary(math.expm1, "y_bar * math.exp(x)")
_unary(math.log2, "y_bar / (x * math.log(2))", domain="x > 0")
_unary(math.log10, "y_bar / (x * math.log(10))", domain="x > 0")
_unary(math.log1p, "y_bar / (1 + x)", domain="x > -1")
_unary(math.sqrt, "y_bar / (2 * y) if y else divided(y_bar, y)", at="infinite at 0", domain="x > 0")
_unary(math.cbrt, "divided(y_bar, 3 * y * y)", at="infinite at 0", domain="x > 0")
_unary(math.fabs, "times(y_bar, unit(x))", at="0 where x == 0")
_unary(math.degrees, "y_bar * (180 / math.pi)")
_unary(math.radians, "y_bar * (math.pi / 180)")
_unary(math.erf, "y_bar * math.exp(-x * x) * (2 / math.sqrt(math.pi))")
_unary(math.erfc, "-y_bar * math.exp(-x * x) * (2 / math.sqrt(math.pi))")
_unary(math.gamma, "y_bar * y * polygamma(0, x)", domain="x > 0")
_unary(math.lgamma, "y_bar * polygamma(0, x)", domain="x > 0")
elementwise(
    math.log,
    "y = log(x, base=None)",
    x_bar="y_bar / x if base is None else y_bar / x / math.log(base)",
    base_bar="-y * y_bar / base / math.log(base)",
    kind="float",
    domain="x > 0, base > 1",
)
elementwise(
    math.pow,
    "y = pow(a, b)",
    a_bar="power_base(y_bar, a, b)",
    b_bar="power_exponent(y_bar, a, b)",
    kind="float",
    at="as a ** b",
    domain="a > 0",
)
elementwise(
    math.atan2,
    "y = atan2(a, b)",
    a_bar="y_bar * (b / math.hypot(a, b)) / math.hypot(a, b) if a or b else 0.0",
    b_bar="-y_bar * (a / math.hypot(a, b)) / math.hypot(a, b) if a or b else 0.0",
    kind="float",
    at="0 where a == 0 and b == 0",
)
elementwise(
    math.fmod, "y = fmod(a, b)", a_bar="y_bar", b_bar="-y_bar * ((a - y) / b)", kind="float", domain="b > 1.5"
)
elementwise(
    math.remainder,
    "y = remainder(a, b)",
    a_bar="y_bar",
    b_bar="-y_bar * ((a - y) / b)",
    kind="float",
    domain="b > 1.5",
)
elementwise(
    math.copysign,
    "y = copysign(a, b)",
    a_bar="y_bar * math.copysign(1.0, a) * math.copysign(1.0, b) if a else 0.0",
    b_bar="zero(y_bar)",
    kind="float",
    at="0 where a == 0",
)
elementwise(math.ldexp, "y = ldexp(x, i)", x_bar="scaled_by_power(y_bar, i)", kind="float", domain="i == 3")
rule(
    math.frexp,
    "y = frexp(x)",
    x_bar="scaled_by_power(part(y_bar, 0), -y[1])",
    x_dot="(scaled_by_power(y_bar, -y[1]), 0.0)",
    kind="fraction and exponent",
)
rule(math.modf, "y = modf(x)", x_bar="part(y_bar, 0)", x_dot="(y_bar, 0.0)", kind="fraction and whole")
elementwise(
    math.nextafter, "y = nextafter(a, b, steps=None)", a_bar="y_bar", b_bar="zero(y_bar)", kind="float"
)
zero_gradient(math.ulp, "y = ulp(x)", kind="float")
for _rounding in (math.floor, math.ceil, math.trunc):
    zero_gradient(_rounding, f"y = {_rounding.__name__}(x)", kind="int")

rule(
    math.hypot,
    "y = hypot(*coordinates)",
    coordinates_bar="each_times(divided(y_bar, y), coordinates)",
    coordinates_dot="divided(sum_of_products(y_bar, coordinates), y)",
    kind="float",
    at="0 where y == 0",
)
rule(
    math.dist,
    "y = dist(p, q)",
    p_bar="each_times(divided(y_bar, y), differences(p, q))",
    q_bar="each_times(divided(y_bar, y), differences(q, p))",
    p_dot="divided(sum_of_products(y_bar, differences(p, q)), y)",
    q_dot="divided(sum_of_products(y_bar, differences(q, p)), y)",
    kind="float",
    at="0 where y == 0",
)
rule(math.fsum, "y = fsum(seq)", seq_bar="each_added(y_bar, seq)", kind="float", tangent="together")
rule(
    math.prod,
    "y = prod(iterable, start=1)",
    iterable_bar="mirrored(pairwise("
    "scan(seeded(start, length(iterable)), iterable)[:-1], "
    "flipped(scan(seeded(y_bar, length(iterable)), flipped(iterable)))[1:]), iterable)",
    start_bar="y_bar * math.prod(iterable)",
    iterable_dot="sum_of_products(y_bar, pairwise("
    "scan(seeded(start, length(iterable)), iterable)[:-1], "
    "flipped(scan(seeded(1, length(iterable)), flipped(iterable)))[1:]))",
    start_dot="y_bar * math.prod(iterable)",
    kind="product of items",
)
if hasattr(math, "sumprod"):  # Python 3.12
    rule(
        math.sumprod,
        "y = sumprod(p, q)",
        p_bar="mirrored(each_times(y_bar, q), p)",
        q_bar="mirrored(each_times(y_bar, p), q)",
        kind="number-or-array",
    )
if hasattr(math, "fma"):  # Python 3.13
    elementwise(
        math.fma, "y = fma(a, b, c)", a_bar="y_bar * b", b_bar="y_bar * a", c_bar="y_bar", kind="float"
    )

non_differentiable(math.comb, math.factorial, math.gcd, math.isqrt, math.lcm, math.perm, kind="int")
non_differentiable(math.isclose, math.isfinite, math.isinf, math.isnan, kind="bool")
