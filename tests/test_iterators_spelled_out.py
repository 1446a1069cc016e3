"""Iterators, queues and the functions of `itertools`: what is known of them is spelled out, and right."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

Program = Callable[[float, float], float]


def slope(f: Program, x: float, y: float, place: int) -> float:
    """A derivative by central differences, extrapolated."""

    def quotient(h: float) -> float:
        at, to = [x, y], [x, y]
        at[place], to[place] = at[place] - h, to[place] + h
        return (f(*to) - f(*at)) / (2 * h)

    first, second = quotient(1e-3), quotient(5e-4)
    return (4 * second - first) / 3


def walks_that_choose(x: float, y: float) -> float:
    xs, total = [x, y, x * y], 0.0
    for a, b in itertools.product(xs, repeat=2):
        total += a * b * b
        xs[0] = 5.0  # all was taken before
    for a, b, c in itertools.product((x, 2.0), [y], [x, y]):
        total += a * b * c
    for a, b in itertools.combinations([x, y, x * y, 3.0], 2):
        if a * b > 4:
            break
        total += a * b * b
    else:
        total += 100 * x
    for a, b in itertools.permutations((x, y, 2.0), 2):
        total += a / b
    return total + sum(a * b for a, b in itertools.combinations_with_replacement([x, y], 2))


def walks_that_call(x: float, y: float) -> float:
    seen: list[float] = []

    def noted(v: float) -> float:
        seen.append(v)
        return v * len(seen)

    def below(v: float) -> bool:
        return v < limit

    xs, total, limit = [x, y, x * y], 0.0, 1.0
    for v in map(noted, xs):
        total += v * seen[0] * len(seen)
        seen.append(v)
        xs[-1] = v
    for v in itertools.takewhile(below, [x, y, 0.5, 3.0]):
        total += v * v
        limit = 2.0
    for v in itertools.dropwhile(lambda v: v < 1.0, [x, y, 0.5 * x]):
        total += v**3
    for v in itertools.filterfalse(lambda v: v > 1.0, [x, y]):
        total += v**4
    shares = itertools.starmap(lambda a, b: a / b, [(x, y), (y, 2.0)])
    for v in shares:
        total += v
    return total


def neighbours(x: float, y: float) -> float:
    xs, total = [x, y, x * y, 1.0], 0.0
    for k, (a, b) in enumerate(itertools.pairwise(xs)):
        total += a * b * b
        xs[k + 1] = 2 * y
        if k < 3:
            xs.append(x)
    return total


def longest_and_groups(x: float, y: float) -> float:
    total = 0.0
    for a, b in itertools.zip_longest([x, y, x * y], [y], fillvalue=x):
        total += a * b
    rows = [(0, x), (0, y), (1, x * y), (0, 2 * x)]
    for key, group in itertools.groupby(rows, key=lambda row: row[0]):
        total += sum(v for _, v in group) ** 2 * (key + 1)
    kept = [group for _, group in itertools.groupby([x, x, y])]  # which are empty behind
    return total + len([v for group in kept for v in group])


def iterator_in_places(x: float, y: float) -> float:
    it = iter([x, y, x * y, x + y, x - y])
    total = next(it)
    for v in it:
        total += v * v
        total += 2 * next(it, y)
    return total + next(it, 3 * x)


def list_under_an_iterator(x: float, y: float) -> float:
    xs = [x, y, x * y]
    it = iter(xs)
    first = next(it)
    xs[0], xs[1] = 3.0, x * x
    total = first * next(it) + xs[0]
    for v in it:
        total += v * v
        if len(xs) < 6:
            xs.append(v * 0.5)
    return total + next(it, y)  # it has ended for good


def iterators_used_otherwise(x: float, y: float) -> float:
    rest = iter((x, y, 2.0))
    scaled = [v * x for v in rest]
    some = iter([x, y, 3.0])
    first = next(some)
    xs: list[Any] = [x]
    mixed, total = iter(xs), 0.0
    xs.append("ab")
    for v in mixed:
        total += v * v if isinstance(v, float) else len(v) * y
    return total + sum(scaled) + len(list(rest)) + first * sum(some)


def until_it_ends(x: float, y: float) -> float:
    it, total = iter([x, y, x * y]), 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        total += v * y
    round_and_round = itertools.cycle([x, y])
    for k in range(5):
        total += next(round_and_round) * k
    for k, w in zip(range(4), itertools.cycle((y, x)), strict=False):
        total += w * w * k
    return total


def moving(x: float, y: float) -> float:
    last, total = deque(maxlen=3), 0.0  # type: deque[float], float
    for k in range(7):
        last.append(x * k + math.sin(y * k))
        total += sum(last) / len(last)
        if len(last) == last.maxlen:
            total += last[0] * last[-1]
    return total + (x if 2 * x in last else y)


def searched(x: float, y: float) -> float:
    waiting, total = deque([(x, 0)]), 0.0
    while waiting:
        v, depth = waiting.popleft()
        total += v * v * (depth + 1)
        if depth < 3:
            waiting.append((v * y, depth + 1))
            waiting.appendleft((v * 0.5, depth + 1))
    try:
        waiting.popleft()
    except IndexError:
        total *= y
    return total


def turned(x: float, y: float, most: int | None = 4) -> float:
    queue = deque([x, y, x * y, 1.0, 2 * x], most)
    queue.rotate(2)
    queue.rotate(-1)
    queue.rotate(most or 1)
    queue.extend([x * x, y])
    queue.extendleft(v * y for v in (x, 2.0))
    queue[1] *= x
    del queue[0]
    queue.reverse()
    return sum((k + 1) * v * v for k, v in enumerate(queue)) + (queue.maxlen or 7)


def endless_queue(x: float, y: float) -> float:
    return turned(x, y, None)


def queue_of_another_name(x: float, y: float) -> float:
    queue = deque([x, y])
    other = queue
    other.append(x * y)
    queue[0] = y * y
    lists = deque([[x, 1.0], [y, 2.0]])
    first = lists[0]
    first[0] = x * y
    lists.append(lists.popleft())
    lists[1][0] *= 2
    return queue[0] + other[2] * queue.popleft() + sum(other) + first[0] * lists[0][0]


def changed_while_walked(x: float, y: float) -> float:
    queue, total = deque([x, y]), 0.0
    try:
        for v in queue:
            total += v
            queue.append(v)
    except RuntimeError:
        total += 10 * x * y
    return total


def numbered_elements(x: float, y: float) -> float:
    array = np.array([[x, y, 1.0], [y, x * y, 2.0]])
    total, held = 0.0, np.zeros((2, 3))
    for (i, j), value in np.ndenumerate(array):
        held[i, j] = value * value * held[0, 0] + value
        total += held[i, j] * (i + 1) * value
        if i == 1 and j == 1:
            break
    for place, item in np.ndenumerate([[x, y], [y, 2.0]]):
        total += item**3 * place[1]
    return total + max(value * x for _, value in np.ndenumerate(np.array(y)))


def in_chunks(x: float, y: float) -> float:
    it, total = iter([x, y, x * y, 3.0, x + y]), 0.0
    while chunk := list(itertools.islice(it, 2)):
        total = total * y + chunk[0] * chunk[-1] * len(chunk)
    return total


def batched(items: Any, size: int) -> Any:
    it = iter(items)
    while chunk := tuple(itertools.islice(it, size)):
        yield chunk


def in_batches(x: float, y: float) -> float:
    total = 0.0
    for some in batched([x * i + y for i in range(5)], 2):
        for one in batched(some, 1):
            total = total * y + one[0] * some[-1]
    return total


def beginnings_of_any_number(x: float, y: float) -> float:
    it, total = iter([x, y, x * y, 3.0, x + y, y * y]), 0.0
    for size in (0, np.int64(1), True, 2, None):
        total = total * y + sum(itertools.islice(it, size))
    for size in (-1, 1.5):
        try:
            total += sum(itertools.islice([x, y], size))
        except ValueError:
            total += x * y
    return total


def two_names(x: float, y: float) -> float:
    it = iter([x, y, 3.0, x * y])
    other = it
    total = next(other) * next(it)
    it = iter([y, 2.0])
    for v in other:
        total = total * v + next(it)
    last, left = None, 0.0
    for i in range(3):
        left = left + (next(last) * y if last is not None else 0.0)
        it = iter([x * i, y, x])
        last = it
        left = left * x + next(it)
    return total + left


PROGRAMS: list[Program] = [
    *(walks_that_choose, walks_that_call, neighbours, longest_and_groups, numbered_elements),
    *(iterator_in_places, list_under_an_iterator, iterators_used_otherwise, until_it_ends),
    *(moving, searched, turned, endless_queue, queue_of_another_name, changed_while_walked),
    *(in_chunks, in_batches, beginnings_of_any_number, two_names),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradient(program: Program) -> None:
    x, y = 0.7, 1.3
    value, found = zg.withgradient(program, x, y)
    assert value == program(x, y)
    assert found == pytest.approx([slope(program, x, y, 0), slope(program, x, y, 1)], rel=1e-6)


SPELLED = [walks_that_choose, iterator_in_places, until_it_ends, moving, searched, in_chunks, in_batches]


@pytest.mark.parametrize("program", SPELLED, ids=lambda program: program.__name__)
def test_nothing_is_found_by_identity(program: Program) -> None:
    assert "store" not in zg.show_adjoint(program, 0.7, 1.3)


def test_numbered_elements_twice() -> None:
    def twice(x: float) -> Any:
        return zg.gradient(numbered_elements, x, 1.3)[0]

    step = 1e-6
    expected = (twice(0.7 + step) - twice(0.7 - step)) / (2 * step)
    assert zg.gradient(twice, 0.7)[0] == pytest.approx(expected, rel=1e-6)


def test_a_queue_that_is_given_back_is_one() -> None:
    def kept(x: float) -> Any:
        queue = deque([x], maxlen=2)
        queue.append(x * x)
        queue.append(3 * x)
        return queue

    value, back = zg.pullback(kept, 2.0)
    assert value == deque([4.0, 6.0], maxlen=2) and value.maxlen == 2
    assert back(deque([1.0, 10.0])) == (34.0,)
