"""A dozen programs whose generated text is kept in this folder.

`python -m tests.golden.programs` writes the texts anew.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

import zygpy

FOLDER = Path(__file__).parent
MATRIX, VECTOR = np.arange(6.0).reshape(2, 3) / 6, np.array([0.5, -1.0, 2.0])


def power(x, n):
    r = 1
    for _ in range(n):
        r = r * x
    return r


def branches(x, y):
    if x > y:
        z = x * y
    elif x > 0:
        z = math.sin(x)
    else:
        return y
    return z + x


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = x - (x * x - a) / (2 * x)
    return x


def first_above(values, limit):
    total = 0.0
    for i, value in enumerate(values):
        total += value * value
        if total > limit:
            return total * i
    return total


def nested(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            total += math.sin(x * j) * i
    return total


def fibonacci(x, n):
    if n < 2:
        return x
    return fibonacci(x, n - 1) * x + fibonacci(x, n - 2)


def layer(weights, bias, x):
    return np.sum(np.tanh(weights @ x + bias) ** 2)


def recurrent(weights, xs):
    h = np.zeros(3)
    for x in xs:
        h = np.tanh(weights @ h + x)
    return h


def heat(u, steps):
    for _ in range(steps):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u = new
    return u


def through_a_view(x):
    y = x * 1.0
    head = y[:2]
    head *= 3.0
    return np.sum(y * x)


def listed(x, n):
    values = [x]
    for i in range(n):
        values.append(values[-1] * x + i)
    return sum(values)


def stepped(x, n):
    def drag(position):
        return x * (1.0 - position)

    r = 0.5
    for _ in range(n):
        r = r + 0.01 * drag(r)
    return r


def closure(x, y):
    def scaled(z):
        return z * x

    return scaled(y) + scaled(x)


def ratio(x, y):
    try:
        z = x / y
    except ZeroDivisionError:
        z = 3.0 * x
    return z * x


def log_sum_exp(x):
    largest = np.max(x)
    return largest + np.log(np.sum(np.exp(x - largest)))


def diffusion(start, rate, steps):
    u = start.copy()
    for _ in range(steps):
        u[1:-1] += rate * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u @ u


def penalty(factor, parameters):
    total = 0.0
    for name in parameters:
        total += factor * parameters[name] * parameters[name]
    return total


def running_sum(values):
    total = 0.0
    for value in values:
        total += value
        total *= value
    return total


GOLDEN: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "power": (power, (2.0, 3)),
    "branches": (branches, (2.0, 1.0)),
    "newton": (newton, (2.0,)),
    "first_above": (first_above, (VECTOR, 1.0)),
    "nested": (nested, (1.5, 4)),
    "fibonacci": (fibonacci, (1.5, 4)),
    "layer": (layer, (MATRIX, np.ones(2), VECTOR)),
    "recurrent": (recurrent, (np.eye(3) / 2, np.ones((2, 3)))),
    "heat": (heat, (VECTOR, 2)),
    "through_a_view": (through_a_view, (VECTOR,)),
    "listed": (listed, (1.5, 3)),
    "stepped": (stepped, (1.5, 3)),
    "closure": (closure, (1.5, 2.0)),
    "ratio": (ratio, (1.5, 2.0)),
    "diffusion": (diffusion, (np.arange(6.0), 0.1, 3)),
    "penalty": (
        penalty,
        (
            2.0,
            {f"p{number}": 0.5 for number in range(100)},
        ),
    ),
    "running_sum": (running_sum, (VECTOR,)),
    "log_sum_exp": (log_sum_exp, (VECTOR,)),
}


def main() -> None:
    """Write every text."""
    for name, (function, args) in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text(zygpy.show_adjoint(function, *args), encoding="utf-8")


if __name__ == "__main__":
    main()
