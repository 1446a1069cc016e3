"""Functions that call themselves and each other."""

import math

import numpy as np

from tests.corpus.registry import program


@program((1.3, 4), (1.3, 0), gradient=lambda x, n: (n * x ** (n - 1) if n else 0.0, None))
def recursive_power(x, n):
    if n == 0:
        return 1.0
    return x * recursive_power(x, n - 1)


@program((1.3, 6))
def recursion_twice(x, n):
    if n < 2:
        return x * (n + 1)
    return recursion_twice(x, n - 1) * x + recursion_twice(x, n - 2)


@program((0.7, 5), (0.7, 4))
def mutual_recursion(x, n):
    return even_step(x, n)


def even_step(x, n):
    if n == 0:
        return x
    return odd_step(x * x + 0.1, n - 1)


def odd_step(x, n):
    if n == 0:
        return 3 * x
    return even_step(math.sin(x), n - 1) * 2


@program((1.3, 3))
def recursion_inside_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total = total + recursive_power(x + total / 10, i)
    return total


@program((0.5, 3), (0.5, 0))
def loop_inside_recursion(x, n):
    y = x
    for _ in range(n):
        y = y * 1.5 + loop_inside_recursion(x, n - 1) / 7
    return y


@program(([1.0, [2.0, [3.0, 4.0]], 5.0],), ([],))
def recursion_over_a_nested_list(tree):
    total = 0.0
    for item in tree:
        if isinstance(item, list):
            total += 2 * recursion_over_a_nested_list(item)
        else:
            total += item**2
    return total


@program((1.2, 3))
def nested_recursive_function(x, n):
    def down(y, k):
        if k == 0:
            return y * x
        return down(y * x + k, k - 1)

    return down(x, n)


@program((0.4, 4))
def recursive_lambda(x, n):
    go = lambda y, k: y if k == 0 else go(y * x + 1, k - 1)
    return go(x, n)


@program((np.array([4.0, 1.0, 3.0, 2.0]),), (np.array([5.0]),))
def divide_and_conquer(v):
    if len(v) == 1:
        return v[0] ** 2
    middle = len(v) // 2
    return divide_and_conquer(v[:middle]) * 0.5 + divide_and_conquer(v[middle:]) * v[0]


@program((0.5, 0.0, 1.0, 4))
def adaptive_bisection(y, low, high, depth):
    middle = (low + high) / 2
    value = middle**3 + middle
    if depth == 0:
        return middle + (y - value) / (3 * middle**2 + 1)
    if value > y:
        return adaptive_bisection(y, low, middle, depth - 1)
    return adaptive_bisection(y, middle, high, depth - 1)


HELD = [0.3, 0.1]


def grown_again(q, k=2):
    if k <= 0:
        return HELD
    if z := HELD[0]:
        q += q[0] * z
    grown_again(q, k - 1)
    return k


@program((np.array([-1.0, 1.1, 0.6]),), tags="order1-only writes-arguments")
def array_written_at_every_level(v):
    try:
        HELD[1] = grown_again(v)
    finally:
        HELD[1] = 0.1
    return (v * v).sum()
