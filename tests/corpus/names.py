"""Names that collide with what a transformation might use, shadowed builtins, unicode."""

import math

import numpy
import numpy as np

from tests.corpus.registry import program

scale = 3.0
math_sin = math.sin
y_bar_global = 2.0


@program((1.5, 3))
def names_of_generated_variables(x, n):
    tape = [x]
    stash = x * 2
    x_bar = stash * x
    y_bar = 1.0
    for r in range(n):
        r_bar = r * x
        tape.append(r_bar + y_bar)
        y_bar = y_bar * x_bar
    return tape[-1] * stash + y_bar


@program((1.5, 0.5))
def parameters_named_like_cotangents(stash, y_bar):
    stash_bar = stash * y_bar
    y = stash_bar**2
    return y * stash


@program((1.5,))
def local_np_and_zygpy(x):
    np = x * 2
    zygpy = np * x
    zg = zygpy + numpy.sin(np)
    return zg * np


@program((1.5,))
def underscore_as_a_value(x):
    _ = x * x
    __ = _ + 1
    for _ in range(3):
        __ = __ * x + _
    return __ * _


@program((1.5, [1.0, 2.0]))
def shadowed_builtins(sum, list):
    range = sum * 2
    len = range * list[0]
    zip = [len, sum]
    max = zip[0] * zip[1]
    reversed = max + sum
    return reversed * len


@program((1.5, 0.5))
def sorted(x, abs):
    """A program named like a builtin, with a parameter named like another."""

    def min(a, b):
        return a * b

    return min(x, abs) + abs


@program((1.5,))
def print(x):
    return x**3


@program((0.5, 2.0))
def größe(µ, σ):
    δ = µ - σ
    λ_2 = δ**2 / σ
    return λ_2 * math.exp(-δ) + µ


@program((1.5,))
def temporaries(x):
    _t0 = x * 2
    t1 = _t0 + x
    tmp = t1 * _t0
    _1 = tmp - x
    y1 = _1 * t1
    return y1 + _1


@program((1.5,))
def forward(x):
    adjoint = x * x
    back = adjoint + x
    gradient = back * 2
    return gradient * adjoint


@program((1.5,))
def accumulate(x):
    def unbroadcast(z):
        return z * accumulate_scale

    accumulate_scale = 2.0 * x
    shape, conj = x, unbroadcast(x)
    return shape * conj


@program((1.5,))
def global_reads(x):
    return math_sin(x) * scale + y_bar_global * np.pi * x


@program((1.5,))
def local_shadows_global(x):
    scale = x * 2
    return scale * x


@program((1.5,))
def name_of_the_function_itself(x):
    name_of_the_function_itself = x * 3
    return name_of_the_function_itself * x


@program((1.5,))
def keyword_like_names(x):
    match = x * 2
    case = match + x
    type = case * match
    return type


class Private:
    """Its method's private names are mangled."""

    @staticmethod
    def method(__x):
        __secret = __x * 3
        return __secret * __x


@program((1.5,))
def mangled_names(x):
    return Private.method(x) * x


@program((1.2,))
def what_is_thrown_away_by_name(x):
    def pair(z):
        return z * 3, "text"

    _ = x * x
    total = 0.0
    for _i, (a, flag) in enumerate([(x, True), (2.0, False)]):
        total += a * _ if flag else _
    first, _rest = pair(x)
    return total + _ + first
