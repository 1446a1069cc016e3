"""Functions of a module's own that have names of builtins: they are what is called, whenever they come."""

from __future__ import annotations

import builtins
import linecache
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg

PROGRAMS = {
    "range": "s = 0.0\nfor i in range(4):\n    s = s + x * i\nreturn s",
    "zip": "s = 0.0\nfor a, b in zip((x, x), (1.0, 2.0)):\n    s = s + a * b * x\nreturn s",
    "enumerate": "s = 0.0\nfor i, a in enumerate((x, x)):\n    s = s + a * i * x\nreturn s",
    "reversed": "s = 0.0\nfor a in reversed((x, x * x)):\n    s = s * x + a\nreturn s",
    "any": "return x * any(v > 0 for v in (x, -x))",
    "all": "return x * all(v > 0 for v in (x, -x)) + x",
    "sum": "return x * sum(v * v for v in (x, 2.0))",
    "max": "return x * max(v * v for v in (x, 2.0))",
    "sorted": "return x * sorted(v * v for v in (x, 2.0))[0]",
    "list": "return x * list(v * v for v in (x, 2.0))[1]",
    "map": "return x * sum(map(lambda v: v * v, (x, 2.0)))",
    "filter": "return x * sum(filter(lambda v: v > 1.0, (x, 2.0)))",
}

OTHERS: dict[str, Callable[..., Any]] = {
    "range": lambda n: [3, n],
    "zip": lambda a, b: [(a[0], 5.0)],
    "enumerate": lambda a: [(7, a[1])],
    "reversed": lambda a: [a[0], a[0]],
    "any": lambda items: 5.0 * len([*items]),
    "all": lambda items: 3.0 * len([*items]),
    "sum": lambda items: 2.0 + next(items),
    "max": lambda items: 2.0 - next(items),
    "sorted": lambda items: [3.0, next(items)],
    "list": lambda items: [3.0, next(items)],
    "map": lambda f, items: [f(items[0]), 4.0],
    "filter": lambda f, items: [items[0], 3.0],
}


def module_of(name: str) -> dict[str, Any]:
    """A module with one of the programs."""
    body = "\n".join(f"    {line}" for line in PROGRAMS[name].splitlines())
    text = f"def program(x):\n{body}\n"
    filename = f"<names of builtins {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), space)
    return space


def slope(f: Callable[[float], float], x: float) -> float:
    once = [(f(x + h) - f(x - h)) / (2 * h) for h in (1e-3, 5e-4)]
    return (4 * once[1] - once[0]) / 3


def check(program: Callable[[float], float]) -> None:
    y, back = zg.pullback(program, 1.5)
    assert y == program(1.5)
    assert back(1.0)[0] == pytest.approx(slope(program, 1.5), abs=1e-8)
    assert zg.pushforward(program, 1.5)(1.0) == pytest.approx(slope(program, 1.5), abs=1e-8)
    twice = slope(lambda x: zg.derivative(program)(x), 1.5)
    assert zg.derivative(zg.derivative(program))(1.5) == pytest.approx(twice, abs=1e-7)


@pytest.fixture(params=sorted(PROGRAMS))
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    return request.param


def test_another_function_of_the_module(name: str) -> None:
    space = module_of(name)
    space[name] = OTHERS[name]
    check(space["program"])


def test_one_that_comes_and_goes(name: str) -> None:
    space = module_of(name)
    check(space["program"])
    space[name] = OTHERS[name]
    check(space["program"])
    del space[name]
    check(space["program"])


def test_the_builtin_itself_by_a_name_of_the_module(name: str) -> None:
    space = module_of(name)
    space[name] = getattr(builtins, name)
    check(space["program"])
    assert np.isfinite(zg.gradient(space["program"], 2)[0])
