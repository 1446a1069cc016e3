"""What is refused on containers: where, why, and what to write instead."""

# ruff: noqa: B905, C417 (what is tested is how people write it)

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import zygpy
from zygpy.errors import UnsupportedSyntaxError


def stored_map(xs: list[float]) -> Any:
    squares = map(lambda a: a * a, xs)
    first = next(squares)
    return first + sum(squares)


def map_walked_over(xs: list[float]) -> Any:
    total = 0.0
    for square in map(lambda a: a * a, xs):
        total += square
    return total


def consumed_twice(xs: list[float]) -> Any:
    pairs = zip(xs, xs)
    total = sum([a * b for a, b in pairs])
    return total + sum([a for a, _ in pairs])


def consumed_later(xs: list[float]) -> Any:
    mine = [x * 2 for x in xs]
    pairs = zip(mine, mine)
    mine.append(xs[0])
    return sum([a * b for a, b in pairs])


ROWS: list[tuple[Callable[..., Any], str, str]] = [
    (stored_map, "squares = map(lambda a: a * a, xs)", "list(map(...))"),
    (map_walked_over, "map(lambda a: a * a, xs)", "list(map(...))"),
    (consumed_twice, "pairs = zip(xs, xs)", "list(zip(...))"),
    (consumed_later, "pairs = zip(mine, mine)", "list(zip(...))"),
]


@pytest.mark.parametrize(("function", "text", "remedy"), ROWS, ids=lambda item: getattr(item, "__name__", ""))
def test_refusals_say_where_and_what_instead(function: Callable[..., Any], text: str, remedy: str) -> None:
    lines, first = inspect.getsourcelines(function)
    line = next(number for number, source in enumerate(lines, first) if text in source)
    column = lines[line - first].index(text) + 1
    with pytest.raises(UnsupportedSyntaxError) as caught:
        zygpy.gradient(function, [1.0, 2.0, 3.0])
    message = str(caught.value)
    assert f"{__file__}:{line}:{column}:" in message
    assert lines[line - first].strip() in message
    assert remedy in message


@pytest.mark.parametrize("function", [row[0] for row in ROWS], ids=lambda item: item.__name__)
def test_what_is_refused_runs_without_a_gradient(function: Callable[..., Any]) -> None:
    assert isinstance(function([1.0, 2.0, 3.0]), float)
