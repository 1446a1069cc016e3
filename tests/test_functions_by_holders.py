"""Functions of Python and its library that are called as attributes of what a variable holds: of a module
under another name, of a class that has them among its own, of an object that was given them."""

from __future__ import annotations

import builtins
import collections
import copy
import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([0.7, 1.3])
Pair = collections.namedtuple("Pair", "a b")


def listed_by_a_name(x: Any) -> Any:
    m = builtins
    return m.list((x[0], x[1]))[0] * m.tuple([x[1]])[0] * m.tuple((x[0], 2.0))[0]


def partial_by_a_name(x: Any) -> Any:
    tools = functools
    by_place = tools.partial(lambda a, b: a * b, x[0])
    by_keyword = tools.partial(lambda a, b: a - b * b, b=x[1])
    return by_place(x[1]) * by_keyword(x[0]) * tools.reduce(lambda a, b: a * b, [x[0], 2.0, x[1]])


def by_turns(x: Any) -> Any:
    t = 0.0
    for m, power in [(builtins, 1), (builtins, 2)]:
        t = t + m.list((x[0], x[1]))[power - 1] ** m.max([power, 1])
    for tools in (itertools, itertools):
        t = t + sum(tools.accumulate([x[0], x[1]])) * next(tools.chain([x[1]]))
    return t


class Tools:
    lists, tuples, partial, deep, pairs = list, tuple, functools.partial, copy.deepcopy, Pair


class Given:
    def __init__(self, x: Any) -> None:
        self.lists, self.tuples, self.partial, self.pairs = list, tuple, functools.partial, Pair
        self.spaces, self.x = types.SimpleNamespace, x


def of_a_class(x: Any) -> Any:
    tools = Tools
    value = tools.lists((x[0], x[1]))[1] * tools.tuples([x[0]])[0]
    return value * tools.pairs(b=x[0], a=x[1]).b * tools.deep([x[1]])[0] * tools.partial(max, x[0])(0.0)


def of_an_object(x: Any) -> Any:
    given = Given(x)
    value = given.lists((x[0], x[1]))[1] * given.tuples([given.x[0]])[0] * given.tuples((x[1],))[0]
    return value * given.pairs(x[0], 2.0).a * given.spaces(k=x[1]).k * given.partial(min, x[0])(9.0)


PROGRAMS = [listed_by_a_name, partial_by_a_name, by_turns, of_a_class, of_an_object]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("by", [lambda f: f, lambda f: lambda x: [f][0](x)], ids=["known", "found"])
def test_they_have_their_derivatives(program: Any, by: Callable[[Any], Any]) -> None:
    f = by(program)
    wanted = differences(program, X)
    y, back = zg.pullback(f, X)
    assert y == program(X)
    np.testing.assert_allclose(back(1.0)[0], wanted, rtol=1e-7)
    np.testing.assert_allclose(back(2.0)[0], 2 * wanted, rtol=1e-7)
    np.testing.assert_allclose(zg.pushforward(f, X)(np.array([1.0, -2.0])), wanted @ [1.0, -2.0], rtol=1e-7)


@pytest.mark.parametrize("program", [listed_by_a_name, partial_by_a_name], ids=lambda f: f.__name__)
def test_they_have_second_derivatives(program: Any) -> None:
    along = np.array([1.0, -2.0])
    wanted = differences(lambda x: along @ zg.gradient(program, x)[0], X)
    np.testing.assert_allclose(zg.hvp(program, X, along), wanted, rtol=1e-6)
