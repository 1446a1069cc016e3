"""Branches: if, elif, conditional expressions, boolean operators as values, match, assert, with."""

import contextlib
import math

import numpy as np

from tests.corpus.registry import program


@program((1.5,), (-0.5,), (4.0,), gradient=lambda x: (3 * x**2 if x > 2 else math.cos(x) if x > 0 else 5.0,))
def elif_chain(x):
    if x > 2:
        y = x**3
    elif x > 0:
        y = math.sin(x)
    else:
        y = 5.0 * x
    return y


@program((1.5,), (-1.5,))
def if_without_else(x):
    y = x * x
    if x > 0:
        y = y * math.exp(x)
    return y


@program((0.5, 2.0), (-0.5, 2.0), (-0.5, -2.0), (0.5, -2.0))
def nested_branches(x, y):
    if x > 0:
        if y > 0:
            z = x * y
        else:
            z = x - 3 * y**2
    else:
        if y > 0:
            z = math.sin(x) * y
            x = 7 * x
        else:
            z = x**2 * y
    return z + 2 * x


@program((1.5,), (-1.5,))
def variable_defined_in_one_branch(x):
    if x > 0:
        scale = 2 * x
    if x > 0:
        return scale * x
    return -4 * x


@program((1.5,), (-1.5,))
def branch_that_only_renames(x):
    a = x**2
    b = 3 * x
    if x > 0:
        a, b = b, a
    return a * 2 + b * b


@program((1.5, 0.5), (0.5, 1.5))
def conditional_expression(x, y):
    return (x**2 if x > y else y**3) * (5 if y > 1 else x)


@program((0.3,), (1.3,), (2.3,))
def nested_conditional_expressions(x):
    return x * 2 if x < 1 else math.exp(x) if x < 2 else math.log(x)


@program((2.0, 3.0), (None, 3.0), (False, 3.0))
def or_as_value(x, y):
    return (x or y) * y**2


@program((2.0, 3.0), (None, 3.0))
def and_as_value(x, y):
    z = x and x * y
    return 4 * y if z is None else z + x


@program((2.0, 3.0, 0.5), (False, False, 0.5), (False, 3.0, 0.5))
def chained_or_with_calls(x, y, z):
    return (x * 2 or (y and math.sin(y)) or math.exp(z)) + x * y * z


@program((2.0, None), (2.0, 1.5))
def or_with_none(x, scale):
    scale = scale or 3.0
    return x * scale**2


@program((0.5,), (1.5,), (3.5,))
def chained_comparison(x):
    if 0 < x < 1:
        return x**2
    if 1 <= x < 3 != 7:
        return 6 * x**3
    return 1 / x


@program((1.5, 1), (1.5, 2), (1.5, 3))
def boolean_conditions(x, n):
    if n == 1 and x > 1 or n == 3:
        y = x**3
    elif not n == 2:
        y = x
    else:
        y = math.cos(x)
    return y * n


@program((2.0,), (-2.0,))
def comparison_used_as_a_number(x):
    return x**2 * (x > 0) + 3 * x * (x <= 0)


@program((2.0, "square"), (2.0, "cube"), (2.0, "other"))
def match_on_strings(x, mode):
    match mode:
        case "square":
            return x**2
        case "cube":
            return x**3
        case _:
            return 7 * x


@program((2.0, (1, 3.0)), (2.0, (2, 3.0)), (2.0, (2, -3.0)), (2.0, [4.0, 5.0, 6.0]), (2.0, None))
def match_on_structure(x, shape):
    match shape:
        case (1, scale):
            y = x * scale
        case (2, scale) if scale > 0:
            y = x**2 * scale
        case (2, scale):
            y = x**3 + scale
        case [first, *rest]:
            y = first * x + sum(rest) ** 2
        case None:
            y = math.sin(x)
    return y


@program((2.0, {"kind": "line", "slope": 3.0}), (2.0, {"kind": "power", "n": 3}), (2.0, {}))
def match_on_mappings(x, settings):
    match settings:
        case {"kind": "line", "slope": slope}:
            return slope * x
        case {"kind": "power", "n": int(n)}:
            return x**n
    return 11 * x


@program((2.0, 1), (2.0, 3), (2.0, 5), (2.0, "two"))
def match_with_alternatives(x, n):
    match n:
        case 1 | 2:
            return x
        case int() as count if count > 4:
            return x**4
        case int():
            return x**3
        case str(word):
            return x * len(word) ** 2


@program((2.0,))
def asserts_that_hold(x):
    assert x > 0, f"{x} is not positive"
    y = math.log(x)
    assert y * y < 10
    return y * x


@program((-2.0,), tags="raises")
def assert_that_fails(x):
    y = x * 2
    assert y > 0, "must be positive"
    return y


@program((2.0,), (3.0,))
def raise_that_is_not_reached(x):
    if x > 100:
        raise ValueError("too large")
    return x**3


@program((200.0,), tags="raises")
def raise_that_is_reached(x):
    y = x**2
    if y > 100:
        raise ValueError("too large", 1)
    return y


@program((0.0,), tags="raises")
def division_by_zero(x):
    y = x * 3
    return 1 / y


@program((2.0,))
def with_block(x):
    with np.errstate(divide="ignore"):
        y = np.log(x) * x
        z = y * y
    return z + x


@program((2.0,), (-2.0,))
def branch_inside_with(x):
    with contextlib.nullcontext(3.0) as scale:
        if x > 0:
            y = scale * x**2
        else:
            y = x
        x = x * y
    return x + y


@program((2.0,), (-2.0,))
def return_inside_with(x):
    with contextlib.nullcontext():
        if x > 0:
            return x**2
        x = x - 1
    return x**3


@program((2.0,), (0.5,))
def walrus_in_condition(x):
    if (y := x**2) > 1:
        return y * 3
    return y + x


@program((0.5, 1.5))
def walrus_among_arguments(x, y):
    return x * (x := y * 2) + x**2 - (z := x + 1) * z


@program((2.0,))
def del_of_a_name(x):
    y = x * x
    z = y + x
    del y
    y = z * 3
    return y * z


@program((2.0,), (-3.0,))
def pass_and_constants(x):
    if x > 0:
        pass
    else:
        x = 3.0
    """A string statement."""
    ...
    return x * x


@program((0.5,))
def unreachable_code(x):
    return x * x
    x = x / 0
    return x


@program((2.0, True), (2.0, False))
def flag_argument(x, flag):
    y = 2 * x if flag else x**3
    if flag is True:
        y = y + x
    return y


@program((0.7,), tags="analytic")
def straight_line(x):
    a = x * x
    b = a + x
    a = b / a
    x = a * b - x
    return x * a + b
