"""Programs that differentiate inside: second and third order, perturbation confusion, loops."""

import math

import numpy as np

import zygpy as zg
from tests.corpus.registry import program


def cube(x):
    return x**3


def power(x, n):
    r = 1.0
    for _ in range(n):
        r = r * x
    return r


@program((1.5,), tags="nested", gradient=lambda x: (6 * x,))
def gradient_inside(x):
    return zg.gradient(cube, x)[0]


@program((1.5,), tags="nested", gradient=lambda x: (math.exp(x) + 2 * x,))
def derivative_inside(x):
    return zg.derivative(lambda t: math.exp(t) + t**3 / 3)(x)


@program((1.5, 5), tags="nested", gradient=lambda x, n: (n * (n - 1) * x ** (n - 2), None))
def gradient_of_a_loop(x, n):
    return zg.gradient(power, x, n)[0]


@program((1.5,), tags="nested order1-only", gradient=lambda x: (24 * x,))
def third_order(x):
    def second(t):
        return zg.gradient(lambda s: zg.gradient(lambda r: r**4, s)[0], t)[0]

    return second(x)


@program((1.5,), tags="nested", gradient=lambda x: (2 * x,))
def perturbation_confusion(x):
    return x * zg.gradient(lambda y: x * y, 2.0)[0]


@program((1.5,), tags="nested", gradient=lambda x: (1.0,))
def perturbation_confusion_with_a_sum(x):
    return x * zg.gradient(lambda y: x + y, 1.0)[0]


@program((1.5, 0.5), tags="nested")
def inner_closure_over_outer_variable(x, y):
    def energy(q):
        return x * q**2 / 2 + math.cos(q * y)

    return zg.gradient(energy, y * x)[0] * x


@program((0.5, 3), tags="nested")
def gradient_descent_inside(x, steps):
    w = 0.0
    for _ in range(steps):
        w = w - 0.1 * zg.gradient(lambda v: (v - x) ** 2 + v**4, w)[0]
    return w


@program((np.array([0.5, -1.0, 2.0]), 0.3), tags="nested")
def array_gradient_inside(v, x):
    g = zg.gradient(lambda u: (np.sin(u) * u).sum() * x, v)[0]
    return g @ v


@program((np.array([0.5, -1.0, 2.0]),), tags="nested")
def gradient_penalty(v):
    y, back = zg.pullback(lambda u: np.tanh(u * v[0]).sum(), v)
    return y + (back(2.0)[0] ** 2).sum()


@program((np.array([0.5, -1.0]), 3), tags="nested")
def gradient_of_an_array_loop(v, n):
    def roll_out(u):
        h = np.zeros(2)
        for _ in range(n):
            h = np.tanh(u * h + v)
        return h.sum()

    return zg.gradient(roll_out, v * 2)[0].sum()


@program((np.array([0.5, -1.0, 2.0]),), tags="nested")
def gradient_through_writes_inside(v):
    def fill(u):
        y = np.zeros(3)
        for i in range(3):
            y[i] = u[i] ** 2 * v[0]
            y[0] += y[i]
        return y.sum()

    return zg.gradient(fill, v)[0]


@program((1.5,), tags="nested")
def withgradient_inside(x):
    val, grad = zg.withgradient(lambda t: t**2 * x, x + 1)
    return val * grad[0]


@program((1.5,), tags="nested")
def gradient_in_a_branch_of_a_recursion(x):
    def go(y, depth):
        if depth == 0:
            return zg.gradient(cube, y)[0]
        return go(y * x, depth - 1) + y

    return go(x, 2)


def moved_on(a, xs, d):
    xs.append(a * xs[0])
    total = sum(xs)
    xs.pop(0)
    xs.pop(0)
    d["c"] = a * d.pop("a")
    return total * a * a * d["c"]


@program((1.3, 2.0, 1.5), tags="nested")
def gradient_of_what_changes_its_arguments(a, x, y):
    xs, d = [x, 3.0], {"a": y}
    found = zg.gradient(moved_on, a, xs, d)
    value, more = zg.withgradient(moved_on, a, [x, y], {"a": x})
    return found[0] * len(xs) + found[1][0] * found[1][1] + found[2]["a"] + value * more[1][1]


def sum_beside(a, values):
    return sum(values) + a


@program((1.5, [0.5, 2.0]))
def gradient_of_a_sum_by_what_stands_beside(a, values):
    return zg.gradient(sum_beside, a, values)[0] * a + sum(values)
