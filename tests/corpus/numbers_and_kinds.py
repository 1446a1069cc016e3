"""The same text at different kinds of values: ints, floats, complex, Fraction, NumPy scalars, arrays."""

import math
import operator
from fractions import Fraction

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])


@program(
    (2.0,), (3,), (Fraction(1, 4),), (np.float32(1.5),), (np.float64(1.5),), (1.5 + 2j,), (V,),
    (np.array(2.0),),
    (V.astype(np.float32),), (np.array([1, 2]),), (V + 1j,), (np.complex64(1 + 2j),), (np.int64(3),),
)  # fmt: skip
def polynomial(x):
    return 3 * x**2 + 2 * x + 1


@program(
    (2.0, V), (V, 2.0), (2, V), (V, V), (V[:1], V), (np.float32(2), V), (np.float64(2), V.astype(np.float32))
)  # fmt: skip
def product_of_two_kinds(a, b):
    return a * b + b / 2 - a


@program((2, 3), (2, 3.0), (2.0, 3), (Fraction(1, 2), 3), (Fraction(1, 2), 1.5), (3, 1j))
def mixed_numbers(a, b):
    return a * b + a / 4 - b * b


@program((Fraction(3, 4), 3), (Fraction(3, 4), 0))
def fractions_in_a_loop(x, n):
    total = 0
    for i in range(n):
        total = total * x + Fraction(1, i + 1)
    return total + x / 3


@program((3, 2), (7, 4))
def integer_arithmetic(n, k):
    return n * k + n**2 - k


@program((0.5, 3), (0.5, 2))
def integers_control_the_program(x, n):
    if n % 2 and n // 2 == 1:
        x = x * n
    return x ** (n - 1) + (n >> 1) * x + (n & 1 | 4 ^ 1) * x


@program((0.0, 2), (V[:2], 2), (0.0, 0))
def zero_that_becomes_something_else(start, n):
    s = 0
    for i in range(n):
        s = s + start + i
    return s * s + start


@program((V, 3), (V, 0))
def scalar_that_becomes_an_array(v, n):
    acc = 1.0
    for i in range(n):
        acc = acc * v + i
    return acc


@program((0.5, V, True), (0.5, V, False))
def number_or_array(x, v, flag):
    y = x if flag else v
    z = y * y + x
    return z * 3


@program((4.0,), (2.25,))
def power_with_a_float_exponent(x):
    return x**0.5 + x**-1.5 + 0.25**x


@program((-4.0,))
def real_that_becomes_complex(x):
    y = x**0.5
    return abs(y) + (y * y).real


@program((1.3,), (0.7,))
def power_of_a_negative_number(n):
    y = (-4.0) ** n
    return y.imag + (y * (1 - 2j)).real


@program((-2.0,), (3.0,))
def complex_powers_of_a_real_number(x):
    y = x**1.7
    return abs((x + 1j) * y) ** 2 + (np.array([x, 2.0]) * (x + 0j)) ** (0.5 + x * 1j)


@program((0.7,))
def complex_roots_of_what_functions_give(x):
    y = operator.sub(x, 5.0) ** 0.5 * pow(x - 6, 0.5) + (abs(x) - 5) ** 0.5 - (x.conjugate() - 7) ** 0.5
    return (y * (1 + 2j)).real


@program((1.5,), (0.5,))
def complex_root_of_a_number_or_array(x):
    y = np.ones(2) * x if x > 1 else x - 5
    return (y**0.5 * (1 + 2j)).real


@program((0.5 + 1j, 2.0), (0.5 + 1j, 1 - 1j))
def complex_to_real(z, w):
    return (z * w).imag + abs(z) ** 2 + (z.conjugate() * w).real


@program((0.5 + 1j,))
def complex_to_complex(z):
    return z**3 + 1 / z - z.conjugate()


@program((0.5, 1.5 + 1j))
def real_argument_of_a_complex_program(x, z):
    return (x * z + x**2 * 1j) * z


@program((True, 2.0), (False, 2.0))
def bools(flag, x):
    return (flag + 1) * x**2 + (not flag) * x


@program((np.float32(0.5), np.float32(2.0)))
def single_precision_scalars(a, b):
    return a * b + a / b - np.float32(3) * a


@program((np.float64(0.5), 2.0))
def numpy_scalar_with_float(a, x):
    return a * x + math.sin(a) + x**a


@program((np.array([1, 2, 3]), 0.5))
def integer_array_with_float(v, x):
    return (v * x + v**2).sum() * x


@program((V, np.array([True, False, True])))
def boolean_array_as_number(v, mask):
    return v * mask + (v[mask] * 2).sum() + (~mask) * v**2


@program((V, np.array([0, 2])))
def index_array_argument(v, index):
    return (v[index] ** 2).sum() * len(index)


@program((V,))
def numbers_taken_out_of_arrays(v):
    a = v[0]
    b = float(v[1])
    c = v[2].item()
    return a * b + math.exp(c) * b + v.tolist()[1] * a


@program((0.5, None), (0.5, "twice"), (0.5, 3))
def argument_of_any_kind(x, how):
    if how is None:
        return x
    if isinstance(how, str):
        return 2 * x**2
    return x**how


@program((0.5, (1.5, 2.0)), (0.5, [1.5, 2.0]), (0.5, np.array([1.5, 2.0])))
def any_sequence(x, pair):
    first, second = pair
    return first * x + second**2 * len(pair)


@program((0.5,))
def variable_of_several_kinds(x):
    y = x
    y = [y, 2 * y]
    y = (y[0], len(y))
    y = y[0] * y[1]
    y = np.array([y, x])
    return y.sum() * x


@program((1.5, 3), (1.5, 4))
def kind_differs_from_round_to_round(x, n):
    y = x
    for i in range(n):
        y = np.array([y, 1.0]) * x if i % 2 == 0 else y.sum()
    return y * 2


@program((0.5,))
def exact_constants(x):
    return x * Fraction(1, 3) + x**2 * 10**20 / 10**19 + x * 1_000 + 0x10 * x


@program((np.longdouble(1.5),), tags="order1-only")
def extended_precision(x):
    return x * x + x


@program((V + 1j,), (np.array([0.5 + 1j, 1.2 - 0.3j]),))
def complex_array_whose_first_cotangent_is_real(z):
    s = 0.0
    for i in range(2):
        s = s + (z[i] * z[i - 1]).imag
    return s + (z[:1] * z[1:]).imag.sum() + np.sum(z * np.arange(len(z))).real


def spread_and_summed(value):
    return np.repeat(value, 2)[1]


@program((0.3, 0.4), tags="order2")
def cotangents_of_rank_zero_belong_to_two_numbers(x, y):
    total = 0.0
    for given in (
        lambda c: np.atleast_1d(c)[0],
        lambda c: np.cumsum(c)[0],
        lambda c: np.linspace(c, 2.0, 3)[1],
        lambda c: np.outer(c, 2.0)[0, 0],
        spread_and_summed,
        lambda c: np.where(c > 0.0, c, 0.0) * 1.0,
        lambda c: np.roll(c, 1) * 1.0,
        lambda c: np.nansum(c),
        lambda c: np.heaviside(0.0, c),
        lambda c: np.append(c, 2.0)[0],
    ):
        a = x * 2.0
        s = math.sin(a)
        c = a + y
        total = total + given(c) + s
    return total


@program((0.3, 0.4), tags="order2")
def cotangent_of_rank_zero_of_a_sum(x, y):
    a = x * 2.0
    s = math.sin(a)
    c = a + y
    v = np.atleast_1d(c)[0] * 1.5
    return v + s


@program((0.3, 0.4), tags="order2")
def cotangent_of_rank_zero_further_in_and_handed_on(x, y):
    a = x * 2.0
    s = math.sin(a) * a
    c = a + y
    d = spread_and_summed(c)
    return d * c + s


@program((0.3, 0.4), tags="order2")
def cotangents_of_rank_zero_in_a_list(x, y):
    values = [x, y, x * y]
    total = 0.0
    for value in values:
        total = total + value * value
    u = values[0] + values[1]
    spread = np.repeat(u, 2)
    values[2] = u
    return total + spread[0] * spread[1] + math.sin(values[0]) * values[2]


@program((0.3, 0.4), tags="order2")
def cotangent_of_rank_zero_in_a_loop(x, y):
    a = x
    total = y
    for k in range(3):
        b = a - total
        a = math.sin(a) * 2.0 + k
        total = total + np.transpose(b) * np.squeeze(b)
    return total * a


@program((0.3, 0.4), (0.9, 0.2), tags="order2")
def cotangent_of_rank_zero_of_all_in_a_list(x, y):
    values = [x, y]
    a = values[0] * 3.0
    return spread_and_summed(sum(values)) + a


@program((0.3, 0.4), tags="order2")
def cotangent_of_rank_zero_of_all_in_a_list_added_exactly(x, y):
    values = [x, y]
    a = values[0] * 3.0
    return np.where(a < 10.0, math.fsum(values), 0.0) * 1.0 + a


@program((0.3, 0.4), tags="order2")
def cotangents_of_rank_zero_in_a_list_that_changes(x, y):
    values = [x, y, x * y]
    a = values[0] * 3.0
    for k in range(2):
        values[k + 1] = values[k] + values[k + 1]
        values[k] += np.roll(values[k + 1], 1)
    return max(values) + a + spread_and_summed(min(values)) + values[0] * values[1]


@program((0.3, 0.4), tags="order2")
def cotangents_of_rank_zero_taken_over_in_turn(x, y):
    a, b = x + y, x - y
    c = a + b
    for _ in range(3):
        a, b = b, a + b
        c = c + np.roll(b, 1)
    return c * a
