"""Rules of the helpers in scalar and elementwise contributions, so that those can be differentiated.

A helper `h(g, x)` is `g` times the conjugate of a derivative `d(x)`: linear in `g`, where the
cotangent comes back through `h(y_bar, conj(x))`, and antiholomorphic in `x`.
"""

from __future__ import annotations

from zygpy.rules.declare import elementwise, non_differentiable, rule, zero_gradient
from zygpy.runtime import (
    branches,
    caching,
    columns,
    derivatives,
    numbers,
    sequences,
    special,
    unknown_derivatives,
)

# Kinds of numbers.
elementwise(numbers.conj, "y = conj(x)", x_bar="conj(y_bar)", shares="x")
rule(
    numbers.as_real_as,
    "y = as_real_as(value, dtype)",
    value_bar="y_bar",
    shares="value",
    kind="number-or-array",
)
rule(
    numbers.conj_as,
    "y = conj_as(value, dtype)",
    value_bar="conj_as(y_bar, dtype)",
    value_dot="conj_as(y_bar, dtype)",
    shares="value",
    kind="number-or-array",
)
elementwise(numbers.widened, "y = widened(x)", x_bar="y_bar", shares="x", kind="number-or-array")
elementwise(numbers.unit, "y = unit(x)", x_bar="unit_cotangent(y_bar, x)")
zero_gradient(numbers.zero, "y = zero(x)")
rule(
    numbers.real_like,
    "y = real_like(value, model)",
    value_bar="real_like(y_bar, value)",
    value_dot="real_like(y_bar, model)",
    shares="value",
)
rule(
    numbers.part,
    "y = part(bars, index)",
    bars_bar="placed(y_bar, index, length(bars))",
    kind="number-or-array",
)
rule(
    numbers.part_inside,
    "y = part_inside(bars, index, place, count)",
    bars_bar="placed_inside(y_bar, bars, index, place, count)",
    kind="number-or-array",
)
rule(
    numbers.placed_inside,
    "y = placed_inside(value, bars, index, place, count)",
    value_bar="0.0 if y_bar is None else part_inside(y_bar, index, place, count)",
    kind="unknown",
)
rule(
    numbers.placed,
    "y = placed(value, index, count)",
    value_bar="part(y_bar, index)",
    kind="tuple",
)
elementwise(
    numbers.unless,
    "y = unless(modulus, value)",
    value_bar="unless(modulus, y_bar)",
    shares="value",
    kind="number-or-array",
    domain="modulus == None",
)

# Products, quotients and powers.
elementwise(
    derivatives.times, "y = times(a, b)", a_bar="times(y_bar, conj(b))", b_bar="times(y_bar, conj(a))"
)
elementwise(
    derivatives.divided,
    "y = divided(value, by)",
    value_bar="divided(y_bar, conj(by))",
    by_bar="divisor_cotangent(y_bar, y, by)",
    domain="by > 0",
)
elementwise(
    derivatives.divisor_cotangent,
    "y = divisor_cotangent(g, quotient, by)",
    g_bar="divisor_cotangent(y_bar, conj(quotient), conj(by))",
    quotient_bar="-divided(conj(y_bar) * g, conj(by))",
    by_bar="-divided(divisor_cotangent(conj(y_bar) * g, quotient, by), conj(by))",
    domain="by > 0",
)
rule(
    derivatives.divisor_sum,
    "y = divisor_sum(g, quotient, by)",
    g_dot="divisor_sum(y_bar, quotient, by)",
    quotient_dot="-np.sum(divided(y_bar * g, by))",
    by_dot="-np.sum(divided(divisor_cotangent(g, quotient, by) * y_bar, by))",
    g_bar="divisor_cotangent(y_bar, conj(quotient), conj(by))",
    quotient_bar="-divided(conj(y_bar) * g, conj(by))",
    by_bar="-divided(divisor_sum(conj(y_bar) * g, quotient, by), conj(by))",
    kind="divisor sum",
)
elementwise(
    derivatives.turning,
    "y = turning(a, b)",
    a_bar="times(y_bar, turning(b, a) ** 2 - y * y)",
    b_bar="-2 * times(y_bar, y * turning(b, a))",
    at="0 where a == 0 and b == 0",
)
elementwise(derivatives.root, "y = root(x)", x_bar="divided(y_bar, conj(y)) / 2", domain="x > 0")
elementwise(
    branches.circle_root,
    "y = circle_root(x)",
    x_bar="-divided(y_bar * conj(x), conj(y))",
    domain="-1 < x < 1",
)
elementwise(
    branches.hyperbola_root,
    "y = hyperbola_root(x)",
    x_bar="divided(y_bar * conj(x), conj(y))",
    domain="x > 1",
)
elementwise(branches.hypotenuse, "y = hypotenuse(x)", x_bar="divided(y_bar * conj(x), conj(y))")
elementwise(
    derivatives.raised,
    "y = raised(x, n)",
    x_bar="power_base(y_bar, x, n)",
    n_bar="power_exponent(y_bar, x, n)",
    kind="power",
    domain="x > 0",
)
elementwise(
    derivatives.logarithm,
    "y = logarithm(x, n)",
    x_bar="divided(y_bar, conj(x))",
    kind="power",
    domain="x > 0",
)
# A negative number on the branch cut is its own conjugate, and its powers are not.
elementwise(
    derivatives.power_base,
    "y = power_base(g, x, n)",
    g_bar="conj(power_base(conj(y_bar), x, n))",
    x_bar="times(conj(n), power_base(conj(y_bar) * g, x, n - 1))",
    n_bar="times(conj(y_bar) * g, conj(raised(x, n - 1)))"
    " + times(conj(n), power_exponent(conj(y_bar) * g, x, n - 1))",
    kind="power",
    domain="x > 0",
)
elementwise(
    derivatives.power_exponent,
    "y = power_exponent(g, x, n)",
    g_bar="conj(power_exponent(conj(y_bar), x, n))",
    x_bar="times(power_base(conj(y_bar) * g, x, n), conj(logarithm(x, n)))"
    " + times(conj(y_bar) * g, conj(raised(x, n - 1)))",
    n_bar="times(power_exponent(conj(y_bar) * g, x, n), conj(logarithm(x, n)))",
    kind="power",
    domain="x > 0",
)
elementwise(
    derivatives.unit_cotangent,
    "y = unit_cotangent(g, x)",
    g_bar="unit_cotangent(y_bar, x)",
    x_bar="-divided(unit(x) * (np.imag(conj(unit(x)) * y_bar) * np.imag(conj(unit(x)) * g)"
    " + 1j * np.imag(conj(unit(x)) * y_bar) * np.real(conj(unit(x)) * g)"
    " + 1j * np.real(conj(unit(x)) * y_bar) * np.imag(conj(unit(x)) * g)), np.abs(x) * np.abs(x))",
    at="0 where x == 0",
)

# Choices.
elementwise(derivatives.picked, "y = picked(g, a, chosen)", g_bar="picked(y_bar, a, chosen)")
elementwise(derivatives.passed_over, "y = passed_over(g, a, chosen)", g_bar="passed_over(y_bar, a, chosen)")
elementwise(
    derivatives.clipped_low,
    "y = clipped_low(g, a, low, clipped)",
    g_bar="clipped_low(y_bar, a, low, clipped)",
)
elementwise(
    derivatives.clipped_high,
    "y = clipped_high(g, a, low, clipped)",
    g_bar="clipped_high(y_bar, a, low, clipped)",
)
elementwise(
    derivatives.finite_part,
    "y = finite_part(g, x, copy)",
    g_bar="finite_part(y_bar, x, copy)",
    domain="copy == True",
)

# Particular functions.
elementwise(
    derivatives.exp_difference,
    "y = exp_difference(a, b)",
    a_bar="times(y_bar, conj(y))",
    b_bar="-times(y_bar, conj(y))",
)
elementwise(
    derivatives.per_degree, "y = per_degree(g, deg)", g_bar="per_degree(y_bar, deg)", domain="deg == True"
)
elementwise(
    derivatives.scaled_by_power,
    "y = scaled_by_power(g, exponent)",
    g_bar="scaled_by_power(y_bar, exponent)",
    domain="exponent == 3",
)
elementwise(
    special.polygamma,
    "y = polygamma(order, x)",
    x_bar="y_bar * polygamma(order + 1, x)",
    kind="float",
    domain="order == 1, x > 0",
)
elementwise(
    special.sinc_derivative,
    "y = sinc_derivative(x, order)",
    x_bar="y_bar * conj(sinc_derivative(x, order + 1))",
    domain="order == 1",
)
elementwise(
    special.bessel_i,
    "y = bessel_i(x, order)",
    x_bar="times(y_bar, bessel_i(x, order - 1) + bessel_i(x, order + 1)) / 2",
    domain="order == 1",
)

# What has no derivative that could be computed.
elementwise(
    unknown_derivatives.unknown_derivative,
    "y = unknown_derivative(g, x, why, result=0.0)",
    g_bar="unknown_derivative(y_bar, x, why, result)",
    x_bar="unknown_derivative(times(y_bar, g), x, why, result)",
    result_bar="unknown_derivative(times(y_bar, g), x, why, result)",
    kind="number-or-array",
    domain="x == 2, why == 'f by x'",
)
rule(
    unknown_derivatives.unknown_cotangent,
    "y = unknown_cotangent(g, x, why, result=0.0)",
    g_bar="unknown_parts(y_bar, g, why)",
    x_bar="unknown_cotangent(times(y_bar, y), x, why)",
    result_bar="unknown_parts(times(y_bar, y), result, why)",
    containers=True,
)
rule(
    unknown_derivatives.unknown_parts,
    "y = unknown_parts(g, parts, why)",
    g_bar="unknown_cotangent(y_bar, g, why)",
    parts_bar="unknown_parts(unknown_cotangent(y_bar, 0.0, why), parts, why)",
    kind="unknown",
    containers=True,
)
rule(
    unknown_derivatives.unknown_by_whole,
    "y = unknown_by_whole(g, why)",
    g_bar="unknown_cotangent(y_bar, g, why)",
    domain="why == 'f by x'",
)
rule(
    unknown_derivatives.unknown_by_parts,
    "y = unknown_by_parts(g, value, why)",
    g_bar="unknown_parts(y_bar, g, why)",
    kind="unknown",
    containers=True,
)
_KEY = "what a function under a cache gives, by a whole number"
rule(
    caching.alone,
    "y = alone(value)",
    value_bar=f"unknown_by_parts(y_bar, value, {_KEY!r})",
    value_dot=f"unknown_cotangent(y_bar, 0.0, {_KEY!r})",
    kind="same value",
    containers=True,
)
rule(
    caching.alone_and_whole,
    "y = alone_and_whole(number)",
    number_bar=f"unknown_by_whole(y_bar, {_KEY!r})",
    number_dot=f"unknown_by_whole(y_bar, {_KEY!r})",
    kind="int",
)
non_differentiable(unknown_derivatives.check_known, unknown_derivatives.check_entries, kind="none")

# Sequences of numbers.
rule(
    sequences.each_added,
    "y = each_added(g, items)",
    g_bar="unbroadcast(total(y_bar), shape(g))",
    kind="unknown",
    containers=True,
)
rule(
    sequences.total,
    "y = total(parts)",
    parts_bar="each_added(y_bar, parts)",
    parts_dot="total(y_bar)",
    containers=True,
)
rule(
    sequences.each_times,
    "y = each_times(factor, items)",
    factor_bar="sum_of_products(y_bar, items)",
    items_bar="each_times(factor, y_bar)",
    kind="unknown",
    containers=True,
)
rule(
    sequences.mirrored,
    "y = mirrored(values, items)",
    values_bar="mirrored(y_bar, values)",
    values_dot="mirrored(y_bar, items)",
    kind="unknown",
    containers=True,
)
rule(
    sequences.pairwise,
    "y = pairwise(a, b)",
    a_bar="mirrored(pairwise(y_bar, b), a)",
    b_bar="mirrored(pairwise(y_bar, a), b)",
    a_dot="pairwise(y_bar, b)",
    b_dot="pairwise(a, y_bar)",
    kind="unknown",
    containers=True,
)
rule(
    sequences.sum_of_products,
    "y = sum_of_products(a, b)",
    a_bar="mirrored(each_times(y_bar, b), a)",
    b_bar="mirrored(each_times(y_bar, a), b)",
    a_dot="sum_of_products(y_bar, b)",
    b_dot="sum_of_products(a, y_bar)",
    containers=True,
)
rule(
    sequences.differences,
    "y = differences(p, q)",
    p_bar="mirrored(y_bar, p)",
    q_bar="mirrored(each_times(-1, y_bar), q)",
    p_dot="mirrored(y_bar, p)",
    q_dot="mirrored(each_times(-1, y_bar), p)",
    kind="unknown",
    containers=True,
)
rule(
    columns.columns,
    "y = columns(rows)",
    rows_bar="rows_of(y_bar, rows)",
    rows_dot="columns(y_bar)",
    kind="columns",
    containers=True,
)
rule(
    columns.rows_of,
    "y = rows_of(bars, rows)",
    bars_bar="columns_of(y_bar, bars)",
    bars_dot="rows_of(y_bar, rows)",
    kind="unknown",
    containers=True,
)
rule(
    columns.columns_of,
    "y = columns_of(rows, bars)",
    rows_bar="rows_of(y_bar, rows)",
    rows_dot="columns_of(y_bar, bars)",
    kind="unknown",
    containers=True,
)
rule(
    sequences.flipped,
    "y = flipped(items)",
    items_bar="mirrored(flipped(y_bar), items)",
    items_dot="flipped(y_bar)",
    kind="list",
    containers=True,
)
rule(sequences.seeded, "y = seeded(value, count)", value_bar="part(y_bar, 0)", kind="list", containers=True)
rule(
    sequences.scan,
    "y = scan(inputs, factors)",
    inputs_bar="flipped(scan(flipped(y_bar), flipped(factors)))",
    factors_bar="mirrored(pairwise(flipped(scan(flipped(y_bar), flipped(factors)))[1:], y[:-1]), factors)",
    inputs_dot="scan(y_bar, factors)",
    factors_dot="scan(seeded(0.0, 0) + mirrored(pairwise(y_bar, y[:-1]), y), factors)",
    kind="list",
    containers=True,
)
rule(
    sequences.extreme_cotangent,
    "y = extreme_cotangent(g, chosen, args)",
    g_bar="extreme_entry(y_bar, chosen, args)",
    kind="tuple",
)
rule(
    sequences.extreme_entry,
    "y = extreme_entry(bars, chosen, args)",
    bars_bar="extreme_cotangent(y_bar, chosen, args)",
)
