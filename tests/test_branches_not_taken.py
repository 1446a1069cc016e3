"""What a branch that is not taken does with an argument asks nothing of what comes there."""

from __future__ import annotations

import functools
import itertools
import linecache
import operator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

OPERATIONS = """
c[0] * x
c['a'] * x
sum(c) * x
np.sum(c) * x
np.sum(np.asarray(c) * x)
len(c) * x
dict(c)['a'] * x
{**c}['a'] * x
list(c)[0] * x
max(c) * x
sorted(c)[0] * x
c.copy()['a'] * x
c.get('a') * x
c.v * x
c(x)
c + x
np.dot(c, c) * x
np.concatenate([c, c]).sum() * x
c.sum() * x
np.reshape(c, (-1, 1))[0, 0] * x
c[::-1][0] * x
sum(e * x for e in c)
[e * x for e in c][0]
{k: v * x for k, v in c.items()}['a']
next(iter(c)) * x
functools.reduce(lambda a, b: a + b, c) * x
sum(map(lambda e: e * x, c))
list(zip(c, c))[0][0] * x
np.where(np.asarray(c) > 0, c, x).sum()
np.stack([c, c]).sum() * x
list(itertools.chain(c, [x]))[0] * x
c @ c * x
np.linalg.norm(c) * x
c.pop('a') * x
abs(c) * x
-c * x
np.exp(c) * x
np.cumsum(c)[0] * x
""".strip().splitlines()

MATCH = """
def work(c, x, ends):
    match c:
        case {'a': first, **rest} if not ends:
            return first * rest['b'] * x
    return x * x
"""

BRANCH = """
def work(c, x, ends):
    if ends:
        return x * x
    return OPERATION
"""

LOOP = """
def work(c, x, ends):
    r = x * x
    for _ in range(0 if ends else 1):
        r = r + OPERATION
    return r
"""

CALLED = """
TABLE = [work]
def program(c, x, ends):
    return TABLE[0](c, x, ends)
"""

VALUES = (None, 2.0, "s", {"a": 2.0}, [2.0, 3.0], np.array([2.0, 3.0]), (2.0, [3.0]), 3, [])

TEXTS = {"match": MATCH} | {
    f"{form} {operation}": text.replace("OPERATION", operation)
    for operation in OPERATIONS
    for form, text in (("branch", BRANCH), ("loop", LOOP))
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_branch_that_is_not_taken(name: str) -> None:
    text = TEXTS[name] + CALLED
    file = f"<branch not taken: {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"np": np, "itertools": itertools, "functools": functools, "__name__": "branch"}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    try:
        for value in VALUES:
            for function in (names["work"], names["program"]):
                assert zg.gradient(function, value, 1.5, True)[1] == 3.0
    finally:
        linecache.cache.pop(file, None)


def product_of(node: Any) -> Any:
    if not isinstance(node, tuple):
        return node
    first, *rest = node
    return product_of(first) * product_of(rest[0])


def total_of(node: Any) -> Any:
    if isinstance(node, float) or node is None:
        return node
    return sum([*node, 1.0])


def called_with(node: Any) -> Any:
    return node if isinstance(node, float | np.ndarray) else operator.mul(*node)


def by_pattern(node: Any) -> Any:
    match node:
        case (first, *rest):
            return by_pattern(first) * by_pattern(rest[0])
        case _:
            return node


@pytest.mark.parametrize("evaluated", [product_of, total_of, called_with, by_pattern])
def test_what_has_no_items_is_not_unpacked(evaluated: Any) -> None:
    """The counts of what would be unpacked are taken in front of the branches in which it is."""

    def function(x: Any, y: Any) -> Any:
        return evaluated((x, y)) * evaluated(x) * evaluated(y)

    check_gradient(function, 0.7, 0.4, order=2)
    assert zg.pushforward(function, 0.7, 0.4)(1.0, 0.0) == pytest.approx(zg.gradient(function, 0.7, 0.4)[0])


def test_an_array_without_axes_is_not_unpacked() -> None:
    def function(x: Any) -> Any:
        return called_with([x, x]) * called_with(x)

    check_gradient(function, np.array(0.7), order=2)
