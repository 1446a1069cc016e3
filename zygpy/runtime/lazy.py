"""Builtins and `itertools` functions that compute their items when they are asked for, as generators.

Each takes as many items as the one it stands for, in the same order, so that what is left in an iterator,
and what was printed, is what it would have been.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.iteration import END


def zipped(*iterables: Any, strict: Any = False) -> Iterator[Any]:
    """`zip`."""
    iterators = [iter(iterable) for iterable in iterables]
    while iterators:
        items = _one_of_each(iterators, strict)
        if items is END:
            return
        yield items


def _one_of_each(iterators: list[Any], strict: Any) -> Any:
    """The next item of each iterator; END where one has ended, behind which none is asked. (A function of its
    own: where it fails, that is one place for `zipped`, whose adjoint has to know all of these.)"""
    items: list[Any] = []
    for position, iterator in enumerate(iterators):
        item = next(iterator, END)
        if item is END:
            if strict:
                _check_strict(iterators, position)
            return END
        items.append(item)
    return tuple(items)


def _check_strict(iterators: list[Any], ended: int) -> None:
    """`zip(..., strict=True)` where an iterator ended."""
    if ended > 0:
        plural = "s 1-" if ended > 1 else " "
        raise ValueError(f"zip() argument {ended + 1} is shorter than argument{plural}{ended}")
    for position in range(1, len(iterators)):
        if next(iterators[position], END) is not END:
            plural = "s 1-" if position > 1 else " "
            raise ValueError(f"zip() argument {position + 1} is longer than argument{plural}{position}")


def enumerated(iterable: Any, start: Any = 0) -> Iterator[Any]:
    """`enumerate`."""
    count = start
    for item in iterable:
        yield count, item
        count += 1


def backwards(sequence: Any, /) -> Iterator[Any]:
    """`reversed`, which begins where the sequence ends when it is called."""
    return _from_behind(sequence, len(sequence) - 1)


def _from_behind(sequence: Any, index: int) -> Iterator[Any]:
    while 0 <= index < len(sequence):
        yield sequence[index]
        index -= 1


def mapped(function: Any, /, *iterables: Any) -> Iterator[Any]:
    """`map`."""
    if len(iterables) == 1:
        return _mapped_over_one(function, iterables[0])
    return _mapped_over_several(function, iterables)


def _mapped_over_one(function: Any, iterable: Any) -> Iterator[Any]:
    for item in iterable:
        yield function(item)


def _mapped_over_several(function: Any, iterables: tuple[Any, ...]) -> Iterator[Any]:
    for items in zipped(*iterables):
        yield function(*items)


def filtered(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`filter`."""
    for item in iterable:
        if item if function is None else function(item):
            yield item


def filtered_out(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.filterfalse`."""
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def starmapped(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.starmap`."""
    for items in iterable:
        yield function(*items)


def chained(*iterables: Any) -> Iterator[Any]:
    """`itertools.chain`."""
    for iterable in iterables:
        yield from iterable


def chained_each(iterables: Any, /) -> Iterator[Any]:
    """`itertools.chain.from_iterable`."""
    for iterable in iterables:
        yield from iterable


def sliced(iterable: Any, /, *bounds: Any) -> Iterator[Any]:
    """`itertools.islice`."""
    chosen = slice(*bounds)
    following, stop, step = chosen.start or 0, chosen.stop, chosen.step or 1
    iterator, position = iter(iterable), 0
    while True:
        while position < following:
            if next(iterator, END) is END:
                return
            position += 1
        if stop is not None and position >= stop:
            return
        item = next(iterator, END)
        if item is END:
            return
        position += 1
        yield item
        following = following + step if stop is None else min(following + step, stop)


def taken_while(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.takewhile`."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropped_while(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.dropwhile`."""
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def accumulated(iterable: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    """`itertools.accumulate`."""
    iterator, total = iter(iterable), initial
    if initial is None:
        total = next(iterator, END)
        if total is END:
            return
    yield total
    combine = operator.add if func is None else func
    for item in iterator:
        total = combine(total, item)
        yield total


def neighbours(iterable: Any, /) -> Iterator[Any]:
    """`itertools.pairwise`."""
    iterator = iter(iterable)
    before = next(iterator, END)
    if before is END:
        return
    for item in iterator:
        yield before, item
        before = item


def compressed(data: Any, selectors: Any) -> Iterator[Any]:
    """`itertools.compress`."""
    for item, selected in zipped(data, selectors):
        if selected:
            yield item


def repeated(object: Any, times: Any = None) -> Iterator[Any]:
    """`itertools.repeat`."""
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def numbered_elements(arr: Any) -> Iterator[Any]:
    """`np.ndenumerate`."""
    array = np.asarray(arr)
    for index in np.ndindex(array.shape):
        yield index, array[index]


def counted(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count`."""
    value = start
    while True:
        yield value
        value = value + step


def cycled(iterable: Any, /) -> Iterator[Any]:
    """`itertools.cycle`."""
    kept = []
    for item in iterable:
        kept.append(item)
        yield item
    while kept:
        yield from kept


def zipped_longest(*iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    """`itertools.zip_longest`."""
    iterators: list[Any] = [iter(iterable) for iterable in iterables]
    left = len(iterators)
    while left:
        items: list[Any] = []
        for position, iterator in enumerate(iterators):
            item = END if iterator is None else next(iterator, END)
            if item is END and iterator is not None:
                iterators[position] = None
                left -= 1
                if not left:
                    return
            items.append(fillvalue if item is END else item)
        yield tuple(items)


class _Groups:
    """The iterator that groups share, with the item that comes next and its key."""

    def __init__(self, iterator: Any, key: Any) -> None:
        self.iterator, self.key = iterator, key
        self.number = 0
        self.found: Any = None
        self.advance()

    def advance(self) -> None:
        self.item: Any = next(self.iterator, END)
        if self.item is not END:
            self.found = self.item if self.key is None else self.key(self.item)

    def group(self, sought: Any, number: int) -> Iterator[Any]:
        while self.number == number and self.item is not END and self.found == sought:
            yield self.item
            if self.number != number:
                return
            self.advance()


def grouped(iterable: Any, key: Any = None) -> Iterator[Any]:
    """`itertools.groupby`, whose groups share its iterator and end when it goes on."""
    groups = _Groups(iter(iterable), key)
    while groups.item is not END:
        groups.number += 1
        sought = groups.found
        yield sought, groups.group(sought, groups.number)
        while groups.item is not END and groups.found == sought:
            groups.advance()


def product(*iterables: Any, repeat: Any = 1) -> Iterator[Any]:
    """`itertools.product`, which takes all items at once."""
    pools = [tuple(iterable) for iterable in iterables] * repeat
    return _products(pools, itertools.product(*[range(len(pool)) for pool in pools]))


def _products(pools: list[Any], places: Iterator[Any]) -> Iterator[Any]:
    for chosen in places:
        yield tuple([pool[place] for pool, place in zip(pools, chosen, strict=True)])


def permuted(iterable: Any, r: Any = None) -> Iterator[Any]:
    """`itertools.permutations`, which takes all items at once."""
    pool = tuple(iterable)
    return _chosen(pool, itertools.permutations(range(len(pool)), r))


def combined(iterable: Any, r: Any) -> Iterator[Any]:
    """`itertools.combinations`, which takes all items at once."""
    pool = tuple(iterable)
    return _chosen(pool, itertools.combinations(range(len(pool)), r))


def combined_again(iterable: Any, r: Any) -> Iterator[Any]:
    """`itertools.combinations_with_replacement`, which takes all items at once."""
    pool = tuple(iterable)
    return _chosen(pool, itertools.combinations_with_replacement(range(len(pool)), r))


def _chosen(pool: tuple[Any, ...], places: Iterator[Any]) -> Iterator[Any]:
    for chosen in places:
        yield tuple([pool[place] for place in chosen])


def teed(iterable: Any, n: Any = 2, /) -> tuple[Any, ...]:
    """`itertools.tee`."""
    check_teed(iterable, n)
    iterator = iter(iterable)
    queues: list[Any] = [[] for _ in range(n)]
    return tuple([branch_of_tee(iterator, queues, number) for number in range(n)])


def check_teed(iterable: Any, n: Any) -> None:
    """Raise what `itertools.tee` raises before it does anything, and refuse one of its own iterators: that
    goes on as the first of those that it gives."""
    if n < 0:
        raise ValueError("n must be >= 0")
    if getattr(getattr(iterable, "run", iterable), "name", None) == branch_of_tee.__name__:
        raise UnsupportedSyntaxError(
            "`tee` of an iterator that `tee` has given.",
            why="it is the first of the new ones too, and both would take the same items",
            instead="ask for as many iterators at once: `tee(items, 3)`",
        )


def branch_of_tee(iterator: Any, queues: list[Any], number: int) -> Iterator[Any]:
    queue = queues[number]
    while True:
        if not queue:
            item = next(iterator, END)
            if item is END:
                return
            for other in queues:
                other.append(item)
        yield queue.pop(0)


def called_until(function: Any, sentinel: Any, /) -> Iterator[Any]:
    """`iter(function, sentinel)`."""
    while True:
        item = function()
        if item is sentinel or item == sentinel:
            return
        yield item


def sought(iterable: Any, item: Any) -> bool:
    """`item in iterable` for an iterator, which is left behind the item."""
    return any(other is item or other == item for other in iterable)


def any_true(iterable: Any, /) -> bool:
    """`any` of an iterator, which is left behind the item that decides."""
    return any(item for item in iterable)


def all_true(iterable: Any, /) -> bool:
    """`all` of an iterator, which is left behind the item that decides."""
    return all(item for item in iterable)


ASKING: Mapping[Any, Any] = {any: any_true, all: all_true, itertools.tee: teed}
"""Builtins that ask an iterator for items, and are no iterators themselves."""

LAZY: Mapping[Any, Any] = {
    zip: zipped,
    enumerate: enumerated,
    reversed: backwards,
    map: mapped,
    filter: filtered,
    itertools.filterfalse: filtered_out,
    itertools.starmap: starmapped,
    itertools.chain: chained,
    itertools.chain.from_iterable: chained_each,
    itertools.islice: sliced,
    itertools.takewhile: taken_while,
    itertools.dropwhile: dropped_while,
    itertools.accumulate: accumulated,
    itertools.pairwise: neighbours,
    itertools.compress: compressed,
    itertools.repeat: repeated,
    itertools.count: counted,
    np.ndenumerate: numbered_elements,
    itertools.cycle: cycled,
    itertools.zip_longest: zipped_longest,
    itertools.groupby: grouped,
    itertools.product: product,
    itertools.permutations: permuted,
    itertools.combinations: combined,
    itertools.combinations_with_replacement: combined_again,
}
"""The generator function that stands for a builtin."""


def check_taken(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise what a lazy builtin raises when it is called with too few arguments, or with something that is no
    iterable: an exception that a generator would raise only when it is asked for an item.

    >>> check_taken(zip, ([1.5], 2.5), {})
    Traceback (most recent call last):
    TypeError: 'float' object is not iterable
    >>> check_taken(map, (abs, [1.5]), {})
    """
    if function is not reversed and not any(map(_counts_by_code, args)):  # `reversed` asks when it is called
        function(*map(_as_empty, args), **kwargs)


def _counts_by_code(value: Any) -> bool:
    """Whether something may run code of its own where a builtin makes a whole number of it."""
    return not isinstance(value, int | np.generic | np.ndarray) and hasattr(type(value), "__index__")


def _as_empty(value: Any) -> Any:
    """An iterable without items in place of another one; anything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value
    cls = type(value)
    asked = getattr(cls, "__iter__", getattr(cls, "__getitem__", None))
    return value if asked is None else ()
