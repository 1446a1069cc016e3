"""Generator expressions that are kept or handed on, in comprehensions whose variables they mention."""

import math

import pytest

import zygpy as zg

GIVEN = [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 1.0}]


def total(*items):
    return sum(items)


def given(items):
    return items


def mapped(function, *trees):
    """A function of the leaves of trees of one form."""
    first = trees[0]
    if isinstance(first, dict):
        return {key: mapped(function, *(tree[key] for tree in trees)) for key in first}
    if isinstance(first, tuple | list):
        return type(first)(mapped(function, *parts) for parts in zip(*trees, strict=True))
    return function(*trees)


def handed_on_as_arguments(rows):
    return sum(v * v for v in {key: total(*(row[key] for row in rows)) for key in "ab"}.values())


def in_lists_and_tests(rows):
    return sum([math.hypot(*(row[key] for row in rows if row[key] > k)) * k for k, key in enumerate("ab")])


def kept(rows):
    """All of them see what the variable is at the end."""
    kept = [(row[key] * weight for row in rows) for key, weight in (("a", 2), ("b", 3))]
    return sum(sum(items) for items in kept)


def handed_on(rows):
    return sum([sum(given(row[key] ** k for row in rows)) for k, key in enumerate("ab", 1)])


def beside_a_walrus(rows):
    return sum([total(*(row[key] for row in rows)) * (last := len(key)) * last for key in "ab"])


def unpacked_at_once(rows):
    """Of `map`, `zip` and displays."""
    a, b = map(sum, zip(*((row["a"], row["b"]) for row in rows), strict=True))
    return a * b + math.prod([*(row["a"] for row in rows), *(row["b"] for row in rows)])


def nested(rows):
    found = {key: tuple(total(*(row[key] ** k for row in rows)) for k in (1, 2)) for key in "ab"}
    return found["a"][1] * found["b"][0]


def beside_any(rows):
    return sum([any(row[key] > 2 for row in rows) * total(*(row[key] for row in rows)) for key in "ab"])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (handed_on_as_arguments, ([8.0, 6.0], [8.0, 6.0])),
        (in_lists_and_tests, ([0.0, 1.0], [0.0, 0.0])),
        (handed_on, ([1.0, 4.0], [1.0, 2.0])),
        (beside_a_walrus, ([1.0, 1.0], [1.0, 1.0])),
        (unpacked_at_once, ([9.0, 7.0], [5.0, 10.0])),
        (kept, ([None, 6.0], [None, 6.0])),
        (nested, ([6.0, 10.0], [18.0, 10.0])),
        (beside_any, ([1.0, 0.0], [1.0, 0.0])),
    ],
)
def test_each_has_the_variables_of_its_own_comprehension(function, expected):
    (bars,) = zg.gradient(function, GIVEN)
    found = [[0.0 if row.get(key) is None else row[key] for key in "ab"] for row in bars]
    assert found == [[0.0 if bar is None else bar for bar in row] for row in expected]


def test_trees_of_parameters():
    def loss(tree):
        moved = mapped(lambda x, y: x * y, tree, mapped(lambda x: x + 1.0, tree))
        return moved["a"][0] * moved["b"]["c"]

    assert zg.gradient(loss, {"a": [2.0, 3.0], "b": {"c": 5.0}}) == ({"a": [150.0, 0.0], "b": {"c": 66.0}},)


def test_beside_a_walrus_they_are_refused():
    def refused(rows):
        return sum([sum(given(row[key] for row in rows)) + (last := len(key)) + last for key in "ab"])

    with pytest.raises(zg.UnsupportedSyntaxError, match="a comprehension whose variable"):
        zg.gradient(refused, GIVEN)
