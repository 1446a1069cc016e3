"""Classes that are found as attributes of an object, and called there: `self.Node(value)`."""

import pytest

import zygpy as zg


class Node:
    __slots__ = ("after", "value")

    def __init__(self, value, after=None):
        self.value, self.after = value, after


class Chain:
    class Link:
        def __init__(self, value, after=None):
            self.value, self.after = value, after

    def __init__(self, values=()):
        self.head = None
        for value in values:
            self[0] = value

    def __setitem__(self, place, value):
        self.head = self.Link(value, after=self.head)

    def total(self):
        link, weight, sum_ = self.head, 1.0, 0.0
        while link is not None:
            sum_ += weight * link.value**2
            link, weight = link.after, weight * 0.5
        return sum_


class Slotted(Chain):
    Link = Node


class Doubled(Chain):
    class Link(Chain.Link):
        def __init__(self, value, after=None):
            super().__init__(2 * value, after)


class Made:
    kind = Node

    @classmethod
    def of(cls, x):
        made = cls()
        made.root = made.kind(x, made)
        return made

    def tried(self):
        try:
            raise ValueError(self.kind(self.root.value))
        except ValueError as error:
            return error.args[0].value * self.root.after.root.value


def same_name(x):
    b = Made()
    b = b.kind(x)
    return b.value**2


def of_a_field(x):
    b = Made()
    b.kind = Doubled.Link
    return b.kind(x).value ** 2 + Made().kind(x).value


@pytest.mark.parametrize(("cls", "scale"), [(Chain, 1.0), (Slotted, 1.0), (Doubled, 4.0)])
def test_lists_of_links(cls, scale):
    (bars,) = zg.gradient(lambda values: cls(values).total(), [1.0, 2.0, 3.0])
    assert bars == [scale * 0.5, scale * 2.0, scale * 6.0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: Made.of(x).root.value ** 2, 4.0),
        (lambda x: Made.of(x).tried(), 4.0),
        (same_name, 4.0),
        (of_a_field, 17.0),
    ],
)
def test_made_in_methods(function, expected):
    assert zg.gradient(function, 2.0) == (expected,)


def test_with_tangents():
    assert zg.pushforward(same_name, 2.0)(1.0) == 4.0


def test_of_an_object_that_is_given():
    assert zg.gradient(lambda x, made: made.kind(x).value ** 2, 2.0, Made()) == (4.0, None)
