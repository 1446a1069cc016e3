"""The generators that stand for lazy builtins take and give what those do."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zygpy.runtime.lazy import LAZY, sought, teed

CALLS: list[tuple[str, Callable[[Any, Any, Any], Any]]] = [
    ("zip", lambda f, a, b: f(zip)(a, b)),
    ("zip itself", lambda f, a, b: f(zip)(a, a, b)),
    ("zip nothing", lambda f, a, b: f(zip)()),
    ("enumerate", lambda f, a, b: f(enumerate)(a, 3)),
    ("map", lambda f, a, b: f(map)(lambda x, y: x * y, a, b)),
    ("filter", lambda f, a, b: f(filter)(lambda x: x % 2, a)),
    ("filter none", lambda f, a, b: f(filter)(None, a)),
    ("filterfalse", lambda f, a, b: f(itertools.filterfalse)(lambda x: x % 2, a)),
    ("filterfalse none", lambda f, a, b: f(itertools.filterfalse)(None, a)),
    ("starmap", lambda f, a, b: f(itertools.starmap)(operator.add, zip(a, b, strict=False))),
    ("chain", lambda f, a, b: f(itertools.chain)(a, b)),
    ("from_iterable", lambda f, a, b: f(itertools.chain.from_iterable)([a, b])),
    ("islice stop", lambda f, a, b: f(itertools.islice)(a, 3)),
    ("islice none", lambda f, a, b: f(itertools.islice)(a, None)),
    ("islice start", lambda f, a, b: f(itertools.islice)(a, 1, 4)),
    ("islice step", lambda f, a, b: f(itertools.islice)(a, 1, 6, 2)),
    ("islice all", lambda f, a, b: f(itertools.islice)(a, 1, None, 3)),
    ("takewhile", lambda f, a, b: f(itertools.takewhile)(lambda x: x < 3, a)),
    ("dropwhile", lambda f, a, b: f(itertools.dropwhile)(lambda x: x < 3, a)),
    ("accumulate", lambda f, a, b: f(itertools.accumulate)(a)),
    ("accumulate with", lambda f, a, b: f(itertools.accumulate)(a, operator.mul, initial=2)),
    ("pairwise", lambda f, a, b: f(itertools.pairwise)(a)),
    ("compress", lambda f, a, b: f(itertools.compress)(a, b)),
    ("repeat", lambda f, a, b: f(itertools.repeat)(7, 3)),
    ("zip_longest", lambda f, a, b: f(itertools.zip_longest)(a, b, fillvalue=9)),
    ("cycle", lambda f, a, b: itertools.islice(f(itertools.cycle)(a), 12)),
    ("count", lambda f, a, b: itertools.islice(f(itertools.count)(2, 3), 4)),
    ("groupby", lambda f, a, b: ((k, list(g)) for k, g in f(itertools.groupby)(a, lambda x: x // 2))),
    ("groupby keys", lambda f, a, b: (k for k, _ in f(itertools.groupby)(a))),
    ("groupby first", lambda f, a, b: ((k, next(g)) for k, g in f(itertools.groupby)(a))),
    ("product", lambda f, a, b: f(itertools.product)(a, b)),
    ("product again", lambda f, a, b: f(itertools.product)(a, repeat=2)),
    ("permutations", lambda f, a, b: f(itertools.permutations)(a, 2)),
    ("ndenumerate", lambda f, a, b: f(np.ndenumerate)(np.array([*b, 7]))),
    ("combinations", lambda f, a, b: f(itertools.combinations)(a, 2)),
    ("with_replacement", lambda f, a, b: f(itertools.combinations_with_replacement)(a, 2)),
]

numbers = st.lists(st.integers(0, 5), max_size=7)


def outcome(find: Callable[[Any], Any], call: Any, a: list[int], b: list[int], taken: int) -> Any:
    """What comes out first, what is left in the iterators then, and the rest."""
    left, right = iter(a), iter(b)
    made = iter(call(find, left, right))
    first = list(itertools.islice(made, taken))
    return first, operator.length_hint(left), operator.length_hint(right), list(made)


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@given(a=numbers, b=numbers, taken=st.integers(0, 4))
def test_items_are_those_of_the_builtin(name: str, call: Any, a: list[int], b: list[int], taken: int) -> None:
    assert outcome(LAZY.__getitem__, call, a, b, taken) == outcome(lambda f: f, call, a, b, taken)


def test_every_program_is_tried() -> None:
    tried: set[Any] = {reversed}

    def find(builtin: Any) -> Any:
        tried.add(builtin)
        return builtin

    for _, call in CALLS:
        list(call(find, iter([1, 2]), iter([1])))
    assert tried == set(LAZY)


@given(a=numbers)
def test_reversed(a: list[int]) -> None:
    assert list(LAZY[reversed](a)) == a[::-1]


@pytest.mark.parametrize("lengths", [(2, 3), (3, 2), (2, 2, 3), (3, 3, 2), (0, 0)])
def test_strict_zip_says_the_same(lengths: tuple[int, ...]) -> None:
    def message(function: Any) -> str:
        try:
            list(function(*map(range, lengths), strict=True))
        except ValueError as error:
            return str(error)
        return ""

    assert message(LAZY[zip]) == message(zip)


@given(a=numbers, wanted=st.integers(0, 5))
def test_search_stops_behind_the_item(a: list[int], wanted: int) -> None:
    mine, theirs = iter(a), iter(a)
    assert sought(mine, wanted) == (wanted in theirs)
    assert list(mine) == list(theirs)


@given(a=numbers, order=st.lists(st.integers(0, 2), max_size=12))
def test_tee(a: list[int], order: list[int]) -> None:
    def taken(branches: Any, source: Iterator[int]) -> Any:
        return [next(branches[which], None) for which in order], operator.length_hint(source)

    mine, theirs = iter(a), iter(a)
    assert taken(teed(mine, 3), mine) == taken(itertools.tee(theirs, 3), theirs)
