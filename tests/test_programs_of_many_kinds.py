"""Programs as people write them, in which many of Python's data and statements come together."""

import heapq
from collections import OrderedDict, defaultdict, deque
from itertools import product

import numpy as np
import pytest

from zygpy.testing import check_gradient


class Tree:
    """A search tree whose nodes are made by a class in the class."""

    class Node:
        __slots__ = ("key", "left", "right", "up", "value")

        def __init__(self, key, value, up=None):
            self.key, self.value, self.up = key, value, up
            self.left = self.right = None

    def __init__(self, items=()):
        self.root = None
        for key, value in items:
            self[key] = value

    def __setitem__(self, key, value):
        if self.root is None:
            self.root = self.Node(key, value)
            return
        node = self.root
        while True:
            if key == node.key:
                node.value = value
                return
            side = "left" if key < node.key else "right"
            following = getattr(node, side)
            if following is None:
                setattr(node, side, self.Node(key, value, node))
                return
            node = following

    def __getitem__(self, key):
        node = self.root
        while node is not None:
            if key == node.key:
                return node.value
            node = node.left if key < node.key else node.right
        raise KeyError(key)

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def items(self, node):
        if node is not None:
            yield from self.items(node.left)
            yield node.key, node.value
            yield from self.items(node.right)


def search_tree(values):
    tree = Tree(zip("dbac", values, strict=True))
    tree["b"] += values[0] * 2
    tree["z"] = tree["a"] ** 2
    total = sum(value * (place + 1) for place, (_, value) in enumerate(tree.items(tree.root)))
    return total + ("q" in tree) + tree["z"] * tree.root.left.up.value


def product_of_polynomials(p, q):
    made = defaultdict(float)
    for (i, a), (j, b) in product(p.items(), q.items()):
        made[i + j] += a * b
    return dict(made)


def polynomials(p, x):
    q = product_of_polynomials(p, {k: p.get(k, 0.0) * x for k in p.keys() | {1: x, 0: 2.0}.keys()})
    slope = {k - 1: k * c for k, c in q.items() if k}
    return sum(c * x**k for k, c in sorted(slope.items())) + max(q.values()) * len(q.keys() - p.keys())


class Lines:
    """Lines through points, for numbers and arrays."""

    def __init__(self, xs, ys):
        self.xs, self.ys = np.asarray(xs), np.asarray(ys, dtype=float)

    def __call__(self, x):
        x = np.asarray(x)
        if x.ndim == 0:
            return self(x[None])[0]
        i = np.clip(np.searchsorted(self.xs, x) - 1, 0, len(self.xs) - 2)
        share = (x - self.xs[i]) / (self.xs[i + 1] - self.xs[i])
        return (1 - share) * self.ys[i] + share * self.ys[i + 1]


def interpolated(ys, x, xs):
    lines = Lines([0.0, 1.0, 2.0, 3.0], ys)
    return lines(x) ** 2 + lines(xs).sum() + lines(lines(0.1))


class World:
    """Processes that are generators, and wait for as long as they say."""

    def __init__(self):
        self.now, self.waiting, self.count = 0.0, [], 0

    def start(self, process, wait=0.0):
        self.count += 1
        heapq.heappush(self.waiting, (self.now + wait, self.count, process))

    def run(self, until):
        while self.waiting and self.waiting[0][0] <= until:
            self.now, _, process = heapq.heappop(self.waiting)
            try:
                wait = next(process)
            except StopIteration:
                continue
            self.start(process, wait)


def processes(pause, other, level):
    world, tank = World(), deque([level], maxlen=2)

    def filling():
        count = 0
        while True:
            yield pause * (1 + 0.1 * count)
            tank.append(tank[-1] + pause * world.now)
            count += 1

    def draining():
        for _ in range(4):
            yield other
            tank[-1] *= 0.9

    world.start(filling())
    world.start(draining())
    world.run(5.0)
    return sum(tank) + world.now


class Cache:
    """The last values of a function."""

    def __init__(self, size, function):
        self.size, self.function, self.kept, self.missed = size, function, OrderedDict(), 0

    def __call__(self, key):
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        self.missed += 1
        value = self.kept[key] = self.function(key)
        if len(self.kept) > self.size:
            self.kept.popitem(last=False)
        return value


def cached(a, b):
    cache = Cache(3, lambda key: a**key + b)
    total = sum(cache(key % 5) * (place + 1) for place, key in enumerate([1, 2, 1, 3, 4, 1, 2, 8]))
    return total + cache.missed * b + sum(cache.kept.values())


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (search_tree, ([3.0, 1.0, 2.0, 5.0],)),
        (polynomials, ({0: 1.0, 3: 2.0, 5: -0.3}, 1.1)),
        (interpolated, ([1.0, 3.0, 2.0, 5.0], 1.3, np.array([0.2, 2.2, 2.9]))),
        (processes, (0.7, 1.1, 0.3)),
        (cached, (1.2, 0.3)),
    ],
)
def test_gradients_are_those_of_differences(program, args):
    check_gradient(program, *args)
