"""`count` and `index` of tuples answer questions: no gradient goes through them."""

from collections import namedtuple

import pytest

import zygpy as zg

Point = namedtuple("Point", "x y")
Counted = namedtuple("Counted", "count y")


class Changing:
    """Comparing it changes it."""

    def __init__(self, value):
        self.value, self.asked = value, 0.0

    def __eq__(self, other):
        self.asked += other.value
        return self.value == other.value

    __hash__ = None


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: (x, 2.0, x).count(x) * x, 2.0),
        (lambda x: (2.0, x).index(x) * x, 1.0),
        (lambda x: (2.0, x).__len__() * x + (x,).__contains__(x) * x, 3.0),
        (lambda x: Point(x, x).count(x) * x, 2.0),
        (lambda x: Counted(lambda v: v * v, x).count(x), 5.0),
        (lambda x: tuple(x for _ in range(3)).count(x) * x, 3.0),
    ],
)
def test_numbers_of_places_are_constant(function, expected):
    assert zg.gradient(function, 2.5) == (expected,)
    assert zg.pushforward(function, 2.5)(1.0) == expected


def test_comparisons_that_change_something_are_refused():
    def asked(x):
        changing = Changing(x)
        return (changing, 1.0).count(Changing(x)) * changing.asked

    with pytest.raises(zg.UnsupportedSyntaxError, match="a method that may change something"):
        zg.gradient(asked, 2.5)
