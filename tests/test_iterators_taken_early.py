"""What iterators take when they are made, what two that are the same take in turn, and queues that are given
to themselves."""

from collections import deque
from itertools import chain, combinations, combinations_with_replacement, permutations, product

import pytest

import zygpy as zg


def product_before(x, y):
    xs = [x, y, x * y]
    pairs = product(xs, [y, x])
    xs[0] = y * y
    xs.append(x)
    return sum(a * a * b for a, b in pairs) * xs[0]


def product_of_one_before(x, y):
    xs = [x, y, x * y]
    pairs = product(xs, repeat=2)
    xs.clear()
    total = 0.0
    for a, b in pairs:
        total = total * 0.7 + a * a * b
        xs.append(total)
    return total + xs[2]


def combinations_before(x, y):
    xs = [x, y, x * y]
    pairs = combinations(xs, 2)
    xs.pop(0)
    total = 0.0
    for a, b in pairs:
        total = total * 0.7 + a * a * b
    return total


def repeated_before(x, y):
    xs = [x, y]
    pairs = combinations_with_replacement(xs, 2)
    xs += [x]
    total = 0.0
    for count, (a, b) in enumerate(pairs):
        total = total * 0.7 + a * a * b * (count + 1)
        xs[0] = total
    return total


def permutations_before(x, y):
    xs = [x, y, x * y]
    pairs = permutations(xs, 2)
    xs[1] = x + y
    return sum([a * a * b for a, b in pairs])


def of_a_generator_before(x, y):
    xs = [x, y]
    pairs = product((v * y for v in xs), xs)
    xs[0] = 7.0 * x
    total = 0.0
    for a, b in pairs:
        total = total * 0.7 + a * a * b
    return total


def in_turn(x, y):
    it = chain([x, y], [3.0 * x, 2.0 * y, x])
    total = 0.0
    for a, b in zip(it, it, strict=False):
        total = total * 0.7 + a * a * b
    return total


def in_turn_backwards(x, y):
    it = reversed([x, y, x * y, y])
    return sum([a * a * b for a, b in zip(it, it, strict=True)])


def twice_in_a_list(x, y):
    it = chain([x, y], [3.0 * x])
    items = [*it, *it]
    return sum(items) * x + len(items) * y


def queue_before_itself(x, y):
    q = deque([x, y, x * y], maxlen=5)
    q.extendleft(q)
    return sum((place + 1) * item * item for place, item in enumerate(q))


def queue_behind_itself(x, y):
    q = deque([x, y])
    q.extend(q)
    q += q
    return sum((place + 1) * item * item for place, item in enumerate(q))


PROGRAMS = (
    product_before,
    product_of_one_before,
    combinations_before,
    repeated_before,
    permutations_before,
    of_a_generator_before,
    in_turn,
    in_turn_backwards,
    twice_in_a_list,
    queue_before_itself,
    queue_behind_itself,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f):
    x, y, h = 0.7, 1.3, 1e-30
    expected = f(x + h * 1j, y).imag / h, f(x, y + h * 1j).imag / h
    found = zg.withgradient(f, x, y)
    assert found.val == f(x, y)
    assert found.grad == pytest.approx(expected, rel=1e-12)
    assert zg.pushforward(f, x, y)(1.0, 0.5) == pytest.approx(expected[0] + 0.5 * expected[1], rel=1e-12)
