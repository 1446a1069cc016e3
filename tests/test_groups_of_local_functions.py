"""Functions that a function defines, and that call themselves or each other: called directly where that can
be told, and right where it cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = 0.7


def parsed(x: float) -> float:
    """A parser by recursive descent."""
    tokens, place = [*"2*(x+3)+x*(2+x)", ""], [0]

    def take() -> str:
        token = tokens[place[0]]
        place[0] += 1
        return token

    def atom() -> float:
        token = take()
        if token == "(":
            value = expression()
            take()
            return value
        return {"x": x, "2": 2.0, "3": 3.0}[token]

    def term() -> float:
        value = atom()
        while tokens[place[0]] == "*":
            take()
            value = value * atom()
        return value

    def expression() -> float:
        value = term()
        while tokens[place[0]] == "+":
            take()
            value = value + term()
        return value

    return expression()


def deep(x: float, count: int = 300) -> float:
    def even(n: int, v: float) -> float:
        return odd(n - 1, v * 1.01) if n else v

    def odd(n: int, v: float) -> float:
        return even(n - 1, v + 0.1) if n else 2 * v

    return even(count, x)


def two_groups(x: float) -> float:
    def built(n: int) -> Any:
        return (x * n, built(n - 1), built(n - 1)) if n else None

    def total(tree: Any) -> float:
        return 0.0 if tree is None else tree[0] + total(tree[1]) + total(tree[2]) * x

    return total(built(4))


def rebound(x: float) -> float:
    def a(n: int, v: float) -> float:
        return b(n - 1, v * x) if n else v

    def b(n: int, v: float) -> float:
        return a(n - 1, v + x) if n else v

    before = a(5, x)
    b = lambda n, v: v * v  # noqa: E731, F811
    return before + a(3, x)


def called_too_early(x: float) -> float:
    def a(n: int) -> float:
        return b(n - 1) * x if n else x

    try:
        s = a(3)
    except NameError:
        s = x * x * x

    def b(n: int) -> float:
        return a(n - 1) + x if n else x * x

    return s * a(4)


def handed_on(x: float) -> float:
    def a(n: int) -> float:
        return b(n - 1) * x if n else x

    def b(n: int) -> float:
        return a(n - 1) + x if n else x * x

    return sum(map(a, [1, 2])) + max(f(3) for f in [a, b])


def counted(x: float) -> float:
    count, total = 0, 0.0

    def a(n: int) -> float:
        nonlocal count, total
        count += 1
        total = total + x * count
        return b(n - 1) * x if n else x

    def b(n: int) -> float:
        nonlocal count
        count += 2
        return a(n - 1) + x if n else x * x

    return a(4) * count + total


def in_a_loop(x: float) -> float:
    later = []
    s = 0.0
    for k in range(3):

        def a(n: int) -> float:
            return b(n - 1) * x + k if n else x  # noqa: B023

        def b(n: int) -> float:
            return a(n - 1) + x * k if n else x * x  # noqa: B023

        s = s + a(4)
        later.append(lambda: a(3))
    return s + sum(f() for f in later)


def under_a_branch(x: float) -> float:
    if x > 0:

        def a(n: int) -> float:
            return b(n - 1) * x if n else x

        def b(n: int) -> float:
            return a(n - 1) + x if n else x * x

        s = a(4)
    else:
        s = x
    return s * x


def variable_rebound(x: float) -> float:
    w = x

    def a(n: int) -> float:
        return b(n - 1) * w if n else w

    def b(n: int) -> float:
        return a(n - 1) + w if n else w * w

    s = 0.0
    for i in range(3):
        w = w * 1.5 + i
        s = s + a(3)
    return s + b(2) + a((w := 2) * 1) * w


def read_later(x: float) -> float:
    """What a call has made reads the variable when it is bound to something else."""
    w = x

    def a(n: int) -> Any:
        return b(n - 1) if n else (lambda: w * x)

    def b(n: int) -> Any:
        return a(n - 1) if n else (lambda: w + x)

    f, g = a(3), a(4)
    w = x * x * 3
    return f() * g()


def hidden(x: float) -> float:
    """The names of what is taken mean something else further in."""

    def a(n: int, x: float) -> float:
        return b(n - 1) * x if n else x

    def b(n: int) -> float:
        return a(n - 1, x * 2) + x if n else x * x

    return a(4, x + 1) + sum([b(x) for x in (1, 2)])


def by_keywords(x: float) -> float:
    def a(n: int, /, v: float = 1.0, *, k: float = 2.0) -> float:
        return b(n - 1, k=v) * x if n else x * k

    def b(n: int, *rest: float, k: float = 3.0) -> float:
        return a(n - 1, k, k=x) + x if n else x * k + sum(rest)

    return a(4) + b(3, 1, 2) + b(0, x, k=x)


def further_in(x: float) -> float:
    def a(n: int) -> float:
        def c(m: int) -> float:
            return d(m - 1) * x if m else b(n - 1)

        def d(m: int) -> float:
            return c(m - 1) + x if m else x * n

        return c(3) if n > 0 else x

    def b(n: int) -> float:
        return a(n - 1) + x if n > 0 else x * x

    return a(4)


def in_place(x: float) -> float:
    out = np.zeros(6)
    top = out[:3]

    def a(n: int) -> Any:
        top[n % 3] += x
        return b(n - 1) + top[0] * out[1] if n else out.sum()

    def b(n: int) -> Any:
        out[n % 6] *= x
        return a(n - 1) * top[1] if n else x

    return a(7) + out[2]


def left_by_an_exception(x: float) -> float:
    """What is known of the recursion settles."""
    t = [x]

    def a(n: int) -> None:
        t[0] = t[0] * x + 1
        if n == 0:
            raise ValueError(t[0])
        a(n - 1)

    try:
        a(3)
    except ValueError as error:
        return t[0] * float(error.args[0])
    return x


def place_rebound(x: float) -> float:
    """A parser that moves on by a variable of its own."""
    text, place, seen = "(x+2)*x-3", 0, 0.0

    def factor() -> float:
        nonlocal place, seen
        token = text[place]
        place += 1
        seen = seen * x + place
        if token == "(":
            value = expression()
            place += 1
            return value
        return x if token == "x" else float(token)

    def expression() -> float:
        nonlocal place
        value = factor()
        while place < len(text) and text[place] in "+-*":
            operator = text[place]
            place += 1
            value = value * factor() if operator == "*" else value + factor()
        return value

    return expression() * seen + place


def known_to_others(x: float) -> float:
    """Variables that are rebound inside, and that others know, or whose names mean something else there."""
    t, u = x, x * 2
    other = lambda: t * x  # noqa: E731

    def a(n: int) -> float:
        nonlocal t
        t = t * x + 1
        return a(n - 1) + other() if n else t

    def b(n: int) -> float:
        nonlocal u
        u += x
        return c(n - 1, u) if n else u

    def c(n: int, u: float) -> float:
        u = u * 2
        return b(n - 1) + u if n else u

    return a(3) * t + b(4) * u + sum([u * 2 for u in (x, 1.0)])


PROGRAMS = [
    left_by_an_exception,
    place_rebound,
    known_to_others,
    parsed,
    deep,
    two_groups,
    rebound,
    called_too_early,
    handed_on,
    counted,
    in_a_loop,
    under_a_branch,
    variable_rebound,
    read_later,
    hidden,
    by_keywords,
    further_in,
    in_place,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_gradient_is_right(program: Any) -> None:
    check_gradient(program, X)
    assert zg.pullback(program, X)[0] == program(X)
    (slope,) = zg.gradient(program, X)
    assert zg.pushforward(program, X)(1.0) == pytest.approx(slope, rel=1e-12)


def test_the_second_derivative_is_right() -> None:
    check_gradient(under_a_branch, X, order=2)


@pytest.mark.parametrize("program", [parsed, deep, under_a_branch])
def test_such_functions_are_called_directly(program: Any) -> None:
    text = str(zg.show_adjoint(program, X))
    assert "pull(" not in text, "nothing is looked up while the program runs"
    assert "cell_of" not in text


def test_variables_that_they_rebind_are_handed_on() -> None:
    text = str(zg.show_adjoint(place_rebound, X))
    assert "expression_forward(" in text
    assert "pull(expression" not in text
    assert "cell_of" not in text
