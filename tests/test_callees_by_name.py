"""Builtins and functions of libraries called by a name of the program's own: a parameter, an item."""

from __future__ import annotations

import copy
import functools
import heapq
import itertools
import math
import operator
import types
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

Pair = namedtuple("Pair", "a b c")

CALLS: dict[str, tuple[Any, Callable[[Any, Any], Any]]] = {
    "list": (list, lambda f, x: f([x, x * x, 2.0])[1]),
    "list of a tuple": (list, lambda f, x: f((x, x * x, 2.0))[1] * f((x, 1.0))[0]),
    "tuple": (tuple, lambda f, x: f([x, x * x, 2.0])[1]),
    "dict": (dict, lambda f, x: f(a=x * x)["a"]),
    "dict of pairs": (dict, lambda f, x: f([("a", x * x)])["a"]),
    "sum": (sum, lambda f, x: f([x, x * x])),
    "max": (max, lambda f, x: f(x, x * x)),
    "sorted": (sorted, lambda f, x: f([x * x, x])[1]),
    "abs": (abs, lambda f, x: f(-x * x)),
    "pow": (pow, lambda f, x: f(x, 3)),
    "float": (float, lambda f, x: f(x * x)),
    "complex": (complex, lambda f, x: f(x, x * x).imag),
    "map": (map, lambda f, x: sum(f(lambda v: v * v, [x, 2 * x]))),
    "zip": (zip, lambda f, x: sum(a * b for a, b in f([x, 2.0], [x, x]))),
    "enumerate": (enumerate, lambda f, x: sum(k * v for k, v in f([x, x * x]))),
    "reversed": (reversed, lambda f, x: sum(k * v for k, v in enumerate(f([x * x, x])))),
    "iter": (iter, lambda f, x: next(f([x * x]))),
    "reduce": (functools.reduce, lambda f, x: f(operator.mul, [x, x, x])),
    "partial": (functools.partial, lambda f, x: f(operator.mul, x)(x)),
    "accumulate": (itertools.accumulate, lambda f, x: list(f([x, x * x]))[1]),
    "chain": (itertools.chain, lambda f, x: sum(f([x], [x * x]))),
    "copy": (copy.copy, lambda f, x: f([x * x])[0]),
    "deepcopy": (copy.deepcopy, lambda f, x: f([[x * x]])[0][0]),
    "namedtuple": (Pair, lambda f, x: f(x, b=x * x, c=1.0).b),
    "make": (Pair._make, lambda f, x: f([x, x * x, 1.0]).b),
    "deque": (deque, lambda f, x: f([x, x * x])[1]),
    "OrderedDict": (OrderedDict, lambda f, x: f(a=x * x)["a"]),
    "heappushpop": (heapq.heappushpop, lambda f, x: f([x], x * x)),
    "sin": (math.sin, lambda f, x: f(x * x)),
    "fsum": (math.fsum, lambda f, x: f([x, x * x])),
    "hypot": (math.hypot, lambda f, x: f(x, x * x)),
    "mul": (operator.mul, lambda f, x: f(x, x)),
    "itemgetter": (operator.itemgetter(1), lambda f, x: f([1.0, x * x])),
    "getitem": (operator.getitem, lambda f, x: f([1.0, x * x], 1)),
    "np.array": (np.array, lambda f, x: f([x, x * x])[1]),
    "np.stack": (np.stack, lambda f, x: f([x * np.ones(2), np.ones(2)]).sum()),
    "np.prod": (np.prod, lambda f, x: f([x, x * x])),
    "np.where": (np.where, lambda f, x: f(True, x * x, 1.0)),
    "np.dot": (np.dot, lambda f, x: f([x, 1.0], [x, 2.0])),
    "np.add": (np.add, lambda f, x: f(x, x * x)),
    "np.float64": (np.float64, lambda f, x: f(x * x)),
    "method": ([1.0, 2.0].index, lambda f, x: x * x * f(2.0)),
    "str.join": (", ".join, lambda f, x: x * x * len(f(["a", "b"]))),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_gradient_is_that_of_a_call_by_the_callees_own_name(name: str) -> None:
    callee, program = CALLS[name]
    x, step = 1.3, 1e-6

    def captured(x: Any) -> Any:
        return program(callee, x)

    def from_a_list(callees: Any, x: Any) -> Any:
        return program(callees[0], x)

    expected = (captured(x + step) - captured(x - step)) / (2 * step)
    value, (bar,) = zg.withgradient(captured, x)
    assert value == captured(x)
    assert bar == pytest.approx(expected, rel=1e-6)
    assert zg.gradient(program, callee, x)[1] == pytest.approx(expected, rel=1e-6)
    assert zg.gradient(from_a_list, [callee], x)[1] == pytest.approx(expected, rel=1e-6)


# ------------------------------------------------------------------------------ modules as arguments


def through_a_module(xp, x):
    y = xp.exp(-x) * xp.linalg.norm(x) + xp.pi
    return xp.sum(y * xp.clip(x, 0.2, 0.8)) + inner_of_module(xp, x)


def inner_of_module(m, x):
    return m.sum(m.tanh(x)) * m.mean(x)


def test_the_functions_of_a_module_that_is_an_argument():
    x = np.array([0.1, 0.5, 0.9])
    zg.testing.check_gradient(lambda x: through_a_module(np, x), x)
    none, gradient = zg.gradient(through_a_module, np, x)
    assert none is None
    np.testing.assert_allclose(gradient, zg.gradient(lambda x: through_a_module(np, x), x)[0])
    text = str(zg.show_adjoint(through_a_module, np, x))
    assert "pull" not in text and "xp.exp(-x)" in text
    zg.testing.check_gradient(lambda x: through_a_module(np, x), x, order=2)


def test_one_function_with_several_modules():
    def product(m, x):
        return m.exp(x) * m.sin(x)

    expected = math.exp(0.5) * (math.sin(0.5) + math.cos(0.5))
    for module in (math, np, math):
        assert zg.gradient(product, module, 0.5)[1] == pytest.approx(expected)


def test_a_function_of_a_module_is_replaced(monkeypatch):
    space = types.ModuleType("space")
    space.scaled = lambda x: 2.0 * x

    def f(m, x):
        return m.scaled(x) * x

    assert zg.gradient(f, space, 3.0) == (None, 12.0)
    space.scaled = lambda x: 5.0 * x
    assert zg.gradient(f, space, 3.0) == (None, 30.0)
    del space.scaled
    with pytest.raises(AttributeError):
        zg.gradient(f, space, 3.0)
