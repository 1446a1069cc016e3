"""Second derivatives of programs that walk over trees by generator methods, in a `try`.

(To derive the first one takes long, and for minutes where kinds of tangents grow without end.)
"""

from __future__ import annotations

from typing import Any

import pytest

import zygpy


class TooLarge(Exception):
    pass


class Node:
    def __init__(self, v: Any, left: Any = None, right: Any = None) -> None:
        self.v, self.left, self.right = v, left, right

    def walk(self) -> Any:
        if self.left is not None:
            yield from self.left.walk()
        yield self.v
        if self.right is not None:
            yield from self.right.walk()


def squared(v: Any) -> Any:
    if v > 1.0:
        raise TooLarge(v)
    return v * v


def walked_in_a_try(x: Any) -> Any:
    tree = Node(x, Node(x * 2.0, Node(x * 0.5)), Node(x * x))
    total = 0.0
    for v in tree.walk():
        try:
            total = total + squared(v)
        except TooLarge as _:
            total = total + v * v * v
    return total


@pytest.mark.parametrize("x", [0.3, 0.7])
def test_walked_in_a_try(x: float) -> None:
    """The squares of x, x / 2 and x * x; 2 * x to the third power where it is above 1."""
    doubled = 8.0 if 2.0 * x <= 1.0 else 48.0 * x
    assert zygpy.hvp(walked_in_a_try, x, 1.0) == pytest.approx(2.5 + 12.0 * x * x + doubled, rel=1e-12)
