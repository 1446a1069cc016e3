"""Loops over several things at once that ask the same iterator: each tangent is that of its item."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

POINT = np.array([0.7, 1.3, 0.4, 2.1, 0.9, 1.7])
ALONG = np.array([0.3, 0.5, -0.2, 0.6, 0.1, -0.4])


def with_a_chain(x: Any) -> Any:
    it = iter(x)
    return sum(p * q for p, q in zip(it, itertools.chain(it, [x[0]]), strict=False))


def with_a_cycle(x: Any) -> Any:
    it, total = iter(x), 0.0
    for p, q in zip(it, itertools.cycle(it)):
        total += p * q
    return total


def with_sums(x: Any) -> Any:
    it, total = iter(x), 0.0
    for p, q in zip(it, itertools.accumulate(it), strict=False):
        total += p * q
    return total


def with_neighbours(x: Any) -> Any:
    it, total = iter(x), 0.0
    for p, (q, r) in zip(it, itertools.pairwise(it), strict=False):
        total += p * q * r
    return total


def with_a_part(x: Any) -> Any:
    it, total = iter(x), 0.0
    for place, (p, q) in enumerate(zip(it, itertools.islice(it, 1), strict=False)):
        total += p * q * (place + 1)
    return total * next(it)


def with_a_filter(x: Any) -> Any:
    it, total = iter(x), 0.0
    for p, q in zip(it, filter(None, it), strict=False):
        total += p * q
    return total


def with_the_iterator_on_both_sides(x: Any) -> Any:
    it = iter(x)
    found = [p * q * r for p, q, r in zip(it, itertools.chain(it), it, strict=False)]
    return found[0] + found[-1] * 2.0


def mapped_together(x: Any) -> Any:
    it = iter(x)
    return sum(map(lambda p, q: p * q, it, itertools.chain(it)))


def taken(it: Any, count: int) -> Any:
    return [next(it) for _ in range(count)]


def asked_again_behind(x: Any) -> Any:
    it, total = iter(x), 0.0
    others = taken(it, 2)
    for p, q in zip(it, others, strict=False):
        total += p * q
    return total * next(it)


def asked_again_in_a_generator(x: Any) -> Any:
    def pairs(it: Any) -> Any:
        for p, q in zip(it, [x[0]], strict=False):
            yield p * q
        yield next(it)

    return sum(v * (place + 1) for place, v in enumerate(pairs(iter(x))))


PROGRAMS = [with_a_chain, with_a_cycle, with_sums, with_neighbours, with_a_part, with_a_filter]
PROGRAMS += [with_the_iterator_on_both_sides, mapped_together, asked_again_behind, asked_again_in_a_generator]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_tangents_are_those_of_their_items(program: Any) -> None:
    expected = differences(program, POINT) @ ALONG
    assert zg.pushforward(program, POINT)(ALONG) == pytest.approx(expected, rel=1e-8)
    listed = zg.pushforward(lambda x: program(list(x)), POINT)(ALONG)
    assert listed == pytest.approx(expected, rel=1e-8)
    assert zg.gradient(program, POINT)[0] @ ALONG == pytest.approx(expected, rel=1e-8)
