"""Sets of numbers: which of equal elements counts, sets as arguments and results, and what is refused."""

import operator
import random
from collections import OrderedDict, defaultdict
from functools import reduce

import pytest

import zygpy as zg
from zygpy.runtime.sets import COMBINING, combined_origins

EQUAL = [
    (lambda x, y: sum({x, y}), (1.0, 0.0)),
    (lambda x, y: sum({y, x}), (0.0, 1.0)),
    (lambda x, y: sum(set([x, y])), (1.0, 0.0)),  # noqa: C405
    (lambda x, y: sum(frozenset((y, x))), (0.0, 1.0)),
    (lambda x, y: sum({v for v in (x, y)}), (1.0, 0.0)),  # noqa: C416
    (lambda x, y: sum({x} | {y}), (1.0, 0.0)),
    (lambda x, y: sum({x}.union([y, x])), (1.0, 0.0)),
    (lambda x, y: sum({x} & {y}), (0.0, 1.0)),
    (lambda x, y: sum({x, 9.0} & {y}), (0.0, 1.0)),
    (lambda x, y: sum({x} & {y, 9.0}), (1.0, 0.0)),
    (lambda x, y: sum({x}.intersection([y])), (0.0, 1.0)),
]
"""Sums of sets of two equal elements, and the gradient by Python's rule of which object stays."""


def known(bars):
    """Gradients, zeros for those that no path was taken to."""
    return tuple(0.0 if bar is None else bar for bar in bars)


@pytest.mark.parametrize("number", range(len(EQUAL)))
@pytest.mark.parametrize("point", [(2.0, 2.0), (2, 2.0)])
def test_of_equal_elements_the_one_that_is_kept_counts(number, point):
    function, expected = EQUAL[number]
    assert known(zg.gradient(function, *point)) == expected


class Same:
    """Equal to its like, and another object."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return hash(self.number)


@pytest.mark.parametrize("name", COMBINING)
def test_origins_name_the_very_objects_that_python_keeps(name):
    choose = random.Random(5)
    for _ in range(200):
        operands = [[Same(choose.randrange(6)) for _ in range(choose.randrange(7))] for _ in range(3)]
        owner = set(operands[0])
        others = [set(operands[1]) if choose.random() < 0.5 else operands[1]]
        if name not in ("symmetric_difference",) and choose.random() < 0.5:
            others.append(frozenset(operands[2]))
        origins = combined_origins(COMBINING[name], owner, others)
        given = [owner, *others]
        brought = {id(list(given[number])[position]) for number, position in origins.values()}
        result = getattr(owner, name)(*others)
        kept = owner if result is None else result
        assert {id(item) for item in kept} == brought


def test_adding_what_is_there_keeps_the_first():
    def changed(x, y):
        s = {x}
        s.add(y)
        s.update([y])
        s |= {y}
        return sum(s)

    assert known(zg.gradient(changed, 2.0, 2.0)) == (1.0, 0.0)


def test_intersecting_in_place_takes_the_other_elements():
    def changed(x, y):
        s = alias = {x}
        s &= {y}
        return sum(alias)

    assert known(zg.gradient(changed, 2.0, 2.0)) == (0.0, 1.0)


def test_the_gradient_of_a_set_is_a_dict_from_its_elements():
    squares = zg.gradient(lambda s: sum([v * v for v in s]), {1.5, 0.5})
    assert squares == ({1.5: 3.0, 0.5: 1.0},)
    assert zg.gradient(lambda s: max(s), frozenset({1.5, 0.5})) == (
        {1.5: 1.0},
    )  # the other has no part in it


def test_a_set_that_is_changed_has_the_gradient_of_what_it_held():
    given = {1.5, 0.5}

    def emptied(s):
        total = 0.0
        while s:
            total = total + s.pop() ** 2
        s.add(7.0)
        return total + sum(s)

    assert zg.gradient(emptied, given) == ({1.5: 3.0, 0.5: 1.0},)
    assert given == {7.0}


def test_a_set_that_is_returned_takes_seeds_by_element():
    y, back = zg.pullback(lambda a, b: {a * b, a + b}, 3.0, 5.0)
    assert y == {15.0, 8.0}
    assert back({15.0: 1.0}) == (5.0, 3.0)
    assert back({8.0: 1.0, 15.0: 2.0}) == (11.0, 7.0)
    assert back({15.0: 1.0}) == (5.0, 3.0)


def test_second_derivatives_go_through_sets():
    slope = zg.derivative(lambda x: sum({x * x, x**3}) * max({x, x * x}))  # of x^4 + x^5
    assert zg.derivative(slope)(2.0) == pytest.approx(12 * 4 + 20 * 8)


def product(a, b):
    return zg.gradient(lambda p: sum({p * b, p * p}), a)[0] * b


def test_a_gradient_inside():
    assert zg.gradient(product, 3.0, 5.0) == (10.0, 16.0)


class Counted(set):
    """A set of another class."""


REFUSED = [
    (lambda x: sum({x}.__or__({2.0})), "'__or__' of a set"),
    (lambda x: sum({x: 1}.keys() | {2.0}), "or_"),
    (lambda x: sum(Counted([x])), "Counted"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_not_followed_is_refused(number):
    function, reason = REFUSED[number]
    with pytest.raises(zg.ZygpyError, match=reason):
        zg.gradient(function, 3.0)


class Shape:
    """Joins by an operator that numbers have without a gradient."""

    def __init__(self, size):
        self.size = size

    def __or__(self, other):
        return Shape(self.size * other.size)


def test_operators_by_function_are_those_of_dicts_and_objects():
    both = zg.gradient(lambda x, y: reduce(operator.or_, [Shape(x), Shape(y), Shape(x)]).size, 3.0, 5.0)
    assert both == (30.0, 9.0)
    dicts = zg.gradient(lambda x, y: sum(operator.or_({"a": x}, {"a": y, "b": y}).values()), 3.0, 5.0)
    assert dicts == (None, 2.0)


def table(x):
    """A dict that only identity follows."""
    made = defaultdict(float)
    made["a"] += x
    made[1] += 2 * x
    return made


KEYS = [
    (lambda x, d: sum(d[k] * x for k in d.keys() & {"a": 0}.keys()), 2.6),
    (lambda x, d: sum(d[k] * x for k in d.keys() | {"a"}), 7.8),
    (lambda x, d: sum(d[k] * x for k in {"a", "b"} & d.keys()), 2.6),
    (lambda x, d: sum(d[k] * x for k in d.keys() - ["a"]), 5.2),
    (lambda x, d: sum(d[k] * x for k in d.keys() ^ {1: 0}.keys()), 2.6),
    (lambda x, d: sum(d[k] * x for k in (k for k in "ab") & d.keys()), 2.6),
    (lambda x, d: sum({x, 2 * x} - d.keys()), 3.0),
    (lambda x, d: sum(v for v in d.keys() ^ {x, "a", 1}), 1.0),
    (lambda x, d: sum(d[k] * x for k in OrderedDict(a=x).keys() & d.keys()), 2.6),
]
"""Operators on the keys of a dict, and the derivative at 1.3."""


@pytest.mark.parametrize("number", range(len(KEYS)))
def test_operators_on_keys_make_sets(number):
    function, expected = KEYS[number]
    assert zg.gradient(lambda x: function(x, table(x)), 1.3)[0] == pytest.approx(expected, rel=1e-14)


def test_sets_of_keys_have_the_order_of_a_plain_call():
    def order(x):
        d = table(x)
        d.update(dict.fromkeys("zyxwvuts", x))
        kept.append(list(d.keys() | {"q", "r"}))
        return sum(d.values())

    kept = []
    order(1.0)
    zg.gradient(order, 1.0)
    assert kept[0] == kept[1]


def test_numbers_that_come_out_of_keys_are_refused():
    def total(x):
        d = table(x)
        d[x] = x
        return sum(k for k in d.keys() - {"a"})

    with pytest.raises(zg.UnsupportedSyntaxError, match="a key of a dict is used as a number"):
        zg.gradient(total, 1.3)


def cubes(given):
    return sum(item**3 for item in sorted(given))


def test_tangents_and_derivatives_by_sets_are_dicts_from_their_elements():
    given = {1.0, 2.0}
    assert zg.gradient(lambda x: zg.gradient(cubes, {x})[0][x], 1.0) == (6.0,)
    assert zg.jacobian(cubes, given) == ({1.0: 3.0, 2.0: 12.0},)
    with pytest.raises(zg.ZygpyError, match="the direction a set"):
        zg.hvp(cubes, given, given)
