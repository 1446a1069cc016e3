"""Scalar arithmetic, `math`, `operator` and the builtins on numbers."""

import cmath
import math
import operator

from tests.corpus.registry import program


@program((1.5, 0.5), tags="analytic", gradient=lambda x, y: (y + 1 / y, x - x / y**2))
def arithmetic(x, y):
    return x * y + x / y


@program((1.5, 0.5))
def every_operator(x, y):
    return -x + +y - x * y / (x + 2) ** y + x**3 - 2**x + (x - y) ** -2 + x**0


@program((7.3, 2.1), (-7.3, 2.1))
def floor_division_and_remainder(x, y):
    return (x // y) * x + x % y * 3 + divmod(x, y)[1] * y


@program((0.7,))
def math_exponentials(x):
    y = math.exp(x) + math.log(x) * math.log(x, 3) + math.log2(x) - math.log10(x) + math.sqrt(x)
    return y * math.log1p(x) + math.expm1(x) * math.exp2(x) + math.cbrt(x) - math.pow(x, 2.5)


@program((0.3,))
def math_trigonometry(x):
    y = math.sin(x) * math.cos(x) + math.tan(x) - math.asin(x) * math.acos(x) + math.atan(x)
    y = y + math.atan2(x, 2.0) * math.atan2(2.0, x)
    return y + math.hypot(x, 3.0, x) + math.degrees(x) * math.radians(x)


@program((0.3,))
def math_hyperbolics(x):
    y = math.sinh(x) * math.cosh(x) + math.tanh(x) - math.asinh(x)
    return y * math.atanh(x) + math.acosh(1 + x)


@program((1.7,))
def math_special(x):
    return math.erf(x) * math.erfc(x) + math.gamma(x) - math.lgamma(x) * x


@program((-1.7, 2.4))
def math_rounding(x, y):
    z = math.floor(x) * y + math.ceil(y) * x + math.trunc(x) * x + round(y, 1) * y
    return z + math.fmod(y, 0.7) * math.copysign(y, x) + math.fabs(x) * math.modf(y)[0]


@program(([1.0, 2.0, 3.0], [0.5, -1.0, 2.0]))
def math_over_sequences(xs, ys):
    return math.fsum(xs) * math.prod(ys) + math.dist(xs, ys)


@program((0.5, 2.0))
def math_constants_and_predicates(x, y):
    if math.isclose(x, y) or math.isnan(x) or not math.isfinite(y):
        return x
    return x * math.pi + y**math.e + math.gcd(4, 6) * x + math.factorial(3) * y + math.comb(4, 2) * x * y


@program((1.5, -0.5))
def operator_module(x, y):
    a = operator.add(x, y) * operator.sub(x, y) + operator.mul(x, 3) / operator.truediv(x, y)
    b = operator.neg(x) + operator.pos(y) + operator.pow(x, 2) + operator.itemgetter(1)((x, y * 2))
    return a * b + operator.abs(y) * operator.getitem([x, y], 0)


@program((1.5, -0.5, 2.0))
def builtins_on_numbers(x, y, z):
    a = abs(y) * pow(x, 3) + sum([x, y, z]) ** 2 + min(x, y, z) * max(x, y)
    return a + pow(x, z) + float(x) * round(2.6)


@program((2.5, 3))
def conversions(x, n):
    k = int(x) + n
    return x * k + float(n) * x + bool(x) * x + len(str(n)) * x + isinstance(x, float) * x**2


@program((1.5,))
def augmented_assignments(x):
    y = x
    y += x * 2
    y -= 3
    y *= x
    y /= 2.5
    y **= 2
    z = y
    z %= 4.0
    return y + z * x


@program((2.0,))
def long_expression(x):
    return ((x + 1) * (x - 1) / (x * x + 1) - (x**2 - (3 - x) * (2 - x / (1 + x)))) ** 2 / (1 + x * (1 + x))


@program((0.5,))
def repeated_use_of_one_value(x):
    y = x * x
    y = y * y + y
    y = y * y - y * x
    return y + y + y * x


@program((1.5, 0.3), gradient=lambda x, y: (0.0, math.cos(y)))
def x_that_cancels(x, y):
    return (x - x) * y + math.sin(y)


@program((3.0,))
def unused_argument_path(x):
    y = math.sin(x)
    y = 4.0
    return y * x


@program((1.5,))
def constants_only(x):
    return 2.0 * 3


@program((0.5,))
def horner(x):
    result = 0.0
    for coefficient in (3.0, -1.0, 4.0, 1.0, -5.0):
        result = result * x + coefficient
    return result


@program((0.5, 1.2))
def complex_intermediates(x, y):
    z = complex(x, y)
    w = z * z + 1j * z - cmath.exp(z)
    return w.real * w.imag + abs(w) + (z * z.conjugate()).real


@program((1.2, 0.4))
def polar_to_cartesian(r, theta):
    return r * math.cos(theta), r * math.sin(theta)


@program((1e3, 1e-3))
def wide_range_of_magnitudes(x, y):
    return x * y + math.sqrt(x) / y + math.log(x * y + 1)


@program((1.5, -0.5), (-0.7, 1.2))
def cmath_module(x, y):
    z = complex(x, y)
    a = cmath.exp(z) * cmath.sqrt(z) + cmath.log(z) / cmath.log10(z) + cmath.log(z, 3.0)
    b = cmath.sin(z) * cmath.cos(z) + cmath.tan(z) - cmath.asin(z) * cmath.acos(z) + cmath.atan(z)
    c = cmath.sinh(z) * cmath.cosh(z) + cmath.tanh(z) - cmath.asinh(z) * cmath.acosh(z) + cmath.atanh(z)
    radius, angle = cmath.polar(a)
    return (a * b * c).real + cmath.phase(b) * radius * angle + cmath.rect(x, y).imag + cmath.exp(x).real
