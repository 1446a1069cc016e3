"""Methods of which nothing is known keep a list in which nothing varies; what varies is put there later."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg


class Keeping:
    """Keeps a list when it is called, asked or computed with; `None` is what it has noted before."""

    def __init__(self):
        self.kept = [7.0]
        self.noted = None

    def __iadd__(self, value):
        return self

    def __call__(self, value):
        self.kept = value

    def put(self, value):
        self.kept = value

    def put_by_name(self, *, value):
        self.kept = value

    def __add__(self, value):
        self.kept = value
        return 1.0

    __radd__ = __or__ = __add__

    def __neg__(self):
        self.kept = self.noted
        return 1.0

    def __eq__(self, value):
        self.kept = value
        return True

    __hash__ = None

    def __contains__(self, value):
        self.kept = value
        return True

    def __lt__(self, value):
        self.kept = value
        return True

    def __delitem__(self, value):
        self.kept = value

    def __getitem__(self, value):
        self.kept = value
        return 1.0

    def __len__(self):
        self.kept = self.noted
        return 2

    def __str__(self):
        self.kept = self.noted
        return "text"

    def __iter__(self):
        self.kept = self.noted
        return iter([1.0])

    def __float__(self):
        self.kept = self.noted
        return 1.0

    @property
    def first(self):
        self.kept = self.noted
        return 1.0

    def __enter__(self):
        self.kept = self.noted

    def __exit__(self, *raised):
        return None


def unknown():
    """One of which nothing is known where it is used."""
    it = Keeping()
    it += 1.0
    return it


def called(it, c):
    it(c)


def method(it, c):
    it.put(c)


def method_by_keyword(it, c):
    it.put_by_name(value=c)


def unpacked(it, c):
    it(*[c])


def added(it, c):
    return it + c


def added_to_a_list(it, c):
    return c + it


def joined(it, c):
    return it | c


def negated(it, c):
    return -it


def equal(it, c):
    return it == c


def less(it, c):
    return it < c


def looked_for(it, c):
    return c in it


def item_deleted(it, c):
    del it[c]


def measured(it, c):
    len(it)


def truth(it, c):
    return 1 if it else 2


def negation(it, c):
    return not it


def item(it, c):
    return it[c]


def text(it, c):
    str(it)


def formatted(it, c):
    return f"{it}"


def walked(it, c):
    for _ in it:
        pass


def comprehended(it, c):
    return [v for v in it if v]


def converted(it, c):
    float(it)


def attribute(it, c):
    return it.first


def context(it, c):
    with it:
        pass


def by_operator(it, c):
    operator.add(it, c)


def summed(it, c):
    sum(it)


def any_of(it, c):
    any(it)


WAYS = [
    *(called, method, method_by_keyword, item, unpacked, added, added_to_a_list, joined, negated),
    *(equal, less),
    *(looked_for, item_deleted, measured, truth, negation, text, formatted, walked, comprehended, converted),
    *(attribute, context, by_operator, summed, any_of),
]


def kept_by(way: Callable[..., Any], made: Callable[[], Keeping]) -> Callable[[float], float]:
    def program(x):
        it, c = made(), []
        it.noted = c
        way(it, c)
        c.append(3.0 * x * x)
        return sum(it.kept)

    return program


REFUSED = (equal, less, measured, truth, negation, text, formatted, any_of)
"""What asks, of something of which nothing is known: reverse mode refuses methods that change something."""


@pytest.mark.parametrize("way", WAYS)
def test_what_is_kept_has_its_tangent(way: Callable[..., Any]) -> None:
    program = kept_by(way, Keeping)
    assert program(2.0) == 12.0
    assert zg.gradient(program, 2.0)[0] == 12.0
    assert zg.pushforward(program, 2.0)(1.0) == 12.0


@pytest.mark.parametrize("way", [way for way in WAYS if way not in REFUSED])
def test_what_unknown_things_keep_has_its_tangent(way: Callable[..., Any]) -> None:
    program = kept_by(way, unknown)
    assert program(2.0) == 12.0
    assert zg.gradient(program, 2.0)[0] == 12.0
    assert zg.pushforward(program, 2.0)(1.0) == 12.0


@pytest.mark.parametrize("way", [called, added, looked_for])
def test_arrays_that_are_kept(way: Callable[..., Any]) -> None:
    def program(x):
        it, c = unknown(), np.zeros(2)
        way(it, c)
        c[1] = 3.0 * x * x
        return np.sum(it.kept)

    assert program(2.0) == 12.0
    assert zg.gradient(program, 2.0)[0] == 12.0
    assert zg.pushforward(program, 2.0)(1.0) == 12.0


@pytest.mark.parametrize("way", [added, item, equal])
def test_what_varies_is_kept_or_refused(way: Callable[..., Any]) -> None:
    """By operations that are not expected to keep anything, in things of which nothing is known."""

    def program(x):
        it = unknown()
        y = way(it, x)
        return (y or 1.0) * it.kept

    assert program(2.0) == 2.0
    for derivative in (lambda: zg.gradient(program, 2.0)[0], lambda: zg.pushforward(program, 2.0)(1.0)):
        with pytest.raises(zg.UnsupportedSyntaxError, match="changes"):
            derivative()
