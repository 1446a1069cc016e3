"""Variables that functions share and that are bound behind the place where these are made, or may have no
value, or are deleted: lists, dicts, arrays, objects and functions in them have the gradient that comes in by
the functions that read them."""

from __future__ import annotations

import functools
import itertools
import os
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from tests.written import module_of
from zygpy.units import options

CONTENT = {
    "list": ("[{a}, {b}]", "t[0] * t[1]", "t[0] = t[0] * 2.0"),
    "dict": ("dict(p={a}, q={b})", "t['p'] * t['q']", "t['p'] = t['p'] * 2.0"),
    "array": ("np.array([{a}, {b}])", "t[0] * t[1]", "t[:] = t * 2.0"),
    "object": ("Thing({a}, {b})", "t.p * t.q", "t.p = t.p * 2.0"),
    "nested": ("[[{a}], dict(q={b})]", "t[0][0] * t[1]['q']", "t[0][0] = t[0][0] * 2.0"),
    "tuple": ("([{a}], {b})", "t[0][0] * t[1]", "t[0][0] = t[0][0] * 2.0"),
    "number": ("{a} * {b}", "t * x", "pass"),
    "function": ("made({a}, {b})", "t()", "pass"),
    "arrays": ("[np.array([{a}]), np.array([{b}])]", "t[0][0] * t[1][0]", "t[0] *= 2.0"),
}
"""What is in the variable, how it is read, and how it is changed."""

BOUND = {
    "behind": ["{defs}", "t = {first}", "{calls}"],
    "in an arm": ["if x > 0:", "    t = {first}", "{defs}", "{calls}"],
    "in a loop": [
        *("{defs}", "y = 0.0", "for i in range(2):", "    t = {second}", "    y = y + h() * (i + 1)"),
        "t = None",
    ],
    "twice": ["{defs}", "t = {first}", "y = h()", "t = {third}", "y = y * x + h()", "t = 1.0"],
    "by another": [
        *("t = None", "def bind(v):", "    nonlocal t", "    t = v", "{defs}", "bind({first})", "{calls}"),
    ],
    "deleted": ["t = {first}", "{defs}", "{calls}", "del t"],
    "read too soon": [
        *("{defs}", "try:", "    y = h()", "except NameError:", "    y = x", "t = {first}", "y = y * h()"),
    ],
    "by two names": ["{defs}", "u = {first}", "t = u", "{calls}", "t = u", "y = y * x + h()"],
}
"""Where it is bound."""

READ = {
    "lambda": "h = lambda: {use}",
    "function": "def h(): return {use}",
    "changed": "def h():\n        {change}\n        return {use}",
    "further in": "def h():\n        def g(): return {use}\n        return g() * x",
}

CALLED = {
    "once": "y = h()",
    "by another": "y = applied(h, x)",
    "twice": "y = h() + h() * x",
    "in a list": "y = sum(g() for g in [h, h])",
    "in a dict": "d = dict(k=h); y = d['k']() * x",
}

_TEXT = """
import numpy as np


class Thing:
    def __init__(self, p, q): self.p, self.q = p, q


def made(a, b):
    held = [a, b]
    return lambda: held[0] * held[1]


def applied(g, v): return g() * v
"""


def _program(place: int, content: str, bound: str, read: str, called: str) -> str:
    form, use, change = CONTENT[content]
    values = {"first": ("x", "x * x"), "second": ("x * (i + 1)", "x + i"), "third": ("x * 3.0", "x - 2.0")}
    made = {name: form.format(a=a, b=b) for name, (a, b) in values.items()}
    defs = READ[read].format(use=use, change=change)
    body = "\n    ".join(BOUND[bound]).format(defs=defs, calls=CALLED[called], **made)
    return f"\n\ndef program_{place}(x):\n    {body}\n    return y\n"


ALL = list(enumerate(itertools.product(CONTENT, BOUND, READ, CALLED)))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[::37]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "contents_of_shared_variables", tmp_path_factory)


def slope(f: Any, x: float) -> float:
    return float(differences(lambda v: f(float(v[0])), np.array([x]))[0])


@pytest.mark.parametrize(("place", "case"), CASES)
def test_what_functions_read_there_has_its_gradient(
    place: int, case: tuple[str, ...], programs: ModuleType
) -> None:
    program = getattr(programs, f"program_{place}")
    expected = slope(program, 0.7)
    found: list[Any] = []
    for specialise in (True, False):
        with options(specialise=specialise):
            found.append(zg.gradient(program, 0.7)[0])
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def bound_behind(x: float) -> Any:

    def h() -> Any:
        return t[0] * t[1]

    t = [x, x * x]
    return h()


def bound_in_an_arm(x: float) -> Any:
    if x > 0:
        t = np.array([x, x * x])

    def h() -> Any:
        return t[0] * t[1]

    y = h()
    t = None
    return y


def in_a_loop(x: float) -> Any:

    def h() -> Any:
        return t["a"] * t["b"]

    y = 0.0
    for i in range(3):
        t = {"a": x, "b": x * x * i}
        y = y * x + h()
    t = None
    return y


def deleted(x: float) -> Any:
    t = [x, x * x]

    def h() -> Any:
        return t[0] * t[1]  # noqa: F821

    y = h()
    del t, h
    return y


def deleted_and_bound_anew(x: float) -> Any:
    t = x

    def g() -> None:
        nonlocal t
        t = t * x

    g()
    y = t
    del t
    t = y * y
    g()
    return t


def deleted_by_another(x: float) -> Any:
    def g() -> None:
        nonlocal t
        del t

    t = x * x
    y = t
    g()
    try:
        return t
    except NameError:
        return y * 2.0


def read_when_deleted(x: float) -> Any:
    t = x * 2.0

    def g() -> Any:
        return t * x  # noqa: F821

    y = g()
    del t
    try:
        return g()
    except NameError:
        return y * 3.0


def read_further_in_before_it_is_bound(x: float) -> Any:
    def h() -> Any:
        def g() -> Any:
            return t * x

        return g() * x

    try:
        y = h()
    except NameError:
        y = x
    t = x * x
    return y * h()


def deleted_twice(x: float) -> Any:
    t = x * x

    def h() -> Any:
        return t  # noqa: F821

    y = h()
    for _ in range(2):
        try:
            del t
            y = y * x
        except NameError:
            y = y * 3.0
    return y


def number_in_a_checkpoint(x: float) -> Any:
    def h(v: Any) -> Any:
        return t * v

    t = x * x
    return zg.checkpoint(h, x)


def list_in_a_checkpoint(x: float) -> Any:
    def h(v: Any) -> Any:
        return t[0] * v

    t = [x * x]
    y = zg.checkpoint(h, x)
    t = [x * 3.0]
    return y + zg.checkpoint(h, x)


def array_in_a_checkpoint(x: float) -> Any:
    if x > 0:
        t = np.array([x, x * x])
    return zg.checkpoint(lambda v: np.sum(t * v), x)


def generator(x: float) -> Any:
    def g() -> Any:
        yield t[0] * x
        yield t[1] * 2.0

    t = [x, x * x]
    return sum(g())


def partial_calls(x: float) -> Any:
    def h(k: int, v: Any) -> Any:
        return t[k] * v

    t = [x, x * x]
    return functools.partial(h, 1)(x) + functools.partial(h, v=2.0)(0)


def method(x: float) -> Any:
    class Reading:
        def product(self) -> Any:
            return t[0] * t[1]

    t = [x, x * x]
    return Reading().product()


def each_calls_the_other(x: float) -> Any:
    def even(n: int) -> Any:
        return t[0] if n == 0 else odd(n - 1) * x

    def odd(n: int) -> Any:
        return t[1] if n == 0 else even(n - 1) * 2.0

    t = [x, x * x]
    return even(3) + odd(2)


def given_back_and_changed(x: float) -> Any:
    def h() -> Any:
        return t

    t = [x, x * x]
    u = h()
    u[0] = u[0] * 3.0
    return h()[0] * u[1]


WRITTEN = [bound_behind, bound_in_an_arm, in_a_loop, deleted, deleted_and_bound_anew, deleted_by_another]
WRITTEN += [read_when_deleted, read_further_in_before_it_is_bound, deleted_twice]
WRITTEN += [number_in_a_checkpoint, list_in_a_checkpoint, array_in_a_checkpoint, generator, partial_calls]
WRITTEN += [method, each_calls_the_other, given_back_and_changed]


@pytest.mark.parametrize("program", WRITTEN)
def test_first_and_second_derivatives(program: Any) -> None:
    expected = slope(program, 0.7)
    y, back = zg.pullback(program, 0.7)
    assert y == program(0.7)
    np.testing.assert_allclose([back(1.0)[0], back(2.0)[0] / 2.0], expected, rtol=1e-7)
    with options(specialise=False):
        np.testing.assert_allclose(zg.gradient(program, 0.7)[0], expected, rtol=1e-7)
    np.testing.assert_allclose(zg.pushforward(program, 0.7)(1.0), expected, rtol=1e-7)


@pytest.mark.parametrize("program", [bound_behind, deleted, read_further_in_before_it_is_bound])
def test_second_derivatives(program: Any) -> None:
    expected = slope(lambda x: zg.gradient(program, x)[0], 0.7)
    np.testing.assert_allclose(zg.hvp(program, 0.7, 1.0), expected, rtol=1e-6)
    np.testing.assert_allclose(zg.gradient(lambda x: zg.gradient(program, x)[0], 0.7)[0], expected, rtol=1e-6)
