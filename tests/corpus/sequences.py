"""Sequences of a program's own: items by position until an IndexError, and what the abstract classes add."""

import collections.abc

import numpy as np

from tests.corpus.registry import program


class Items(collections.abc.Sequence):
    def __init__(self, items):
        self.items = list(items)

    def __getitem__(self, i):
        return Items(self.items[i]) if isinstance(i, slice) else self.items[i]

    def __len__(self):
        return len(self.items)


class Multiples:
    """Only items."""

    def __init__(self, factor):
        self.factor, self.asked = factor, [1.0]

    def __getitem__(self, i):
        self.asked.append(self.factor * (i + 1))
        if i >= 3:
            self.factor = self.factor * 2
            raise IndexError(i)
        return self.factor * (i + 1)


class Table(collections.abc.MutableMapping):
    def __init__(self):
        self.entries = {}

    def __getitem__(self, key):
        return self.entries[key]

    def __setitem__(self, key, value):
        self.entries[key] = value * 2

    def __delitem__(self, key):
        del self.entries[key]

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)


@program((1.5, 0.5))
def a_sequence_in_a_loop(x, y):
    total = 0.0
    for place, item in enumerate(Items([x, y, x * y])):
        total = total + item * item * (place + 1)
    return total


@program((1.5, 0.5))
def what_is_asked_of_a_sequence(x, y):
    xs = Items([x, y, x * y])
    a, b, c = xs
    backwards = [item * item for item in reversed(xs)]
    found = x if xs.index(y) == 1 and y in xs and xs.count(2.0) == 0 else y
    return sum(xs) * a + b * c + sum(backwards) + found * max(xs) + sum(xs[1:])


@program((1.5,))
def items_until_an_exception_that_changes_something(x):
    multiples = Multiples(x)
    kept = multiples
    total = sum(multiples)
    for item in multiples:
        total = total + item * x
    return total * kept.factor + kept.asked[-1] * 3 + len(kept.asked)


@program((1.5,))
def an_item_that_is_not_there(x):
    multiples = Multiples(x)
    try:
        total = multiples[1] * x
        total = total + multiples[5]
    except IndexError as error:
        total = x * 7 + error.args[0]
    return total + multiples.factor * multiples.asked[-1]


@program((1.5, 0.5))
def a_mapping_of_abstract_methods(x, y):
    table = Table()
    table["a"] = x
    table.update(b=y)
    table.setdefault("c", x * y)
    missing = table.get("d", x * 3)
    taken = table.pop("b")
    return sum(table.values()) + missing * taken + sum(v for _, v in table.items()) * ("a" in table)


@program((np.array([0.5, 1.5, 2.0]),))
def a_generator_over_a_sequence(v):
    def squares(items):
        place = 0
        try:
            while True:
                yield items[place] ** 2
                place += 1
        except IndexError:
            return

    return sum(squares(Items(v))) * v[0] + list(squares(Items(v[1:])))[-1]
