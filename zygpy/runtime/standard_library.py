"""Functions of the standard library that are written in C, as programs that do the same to the same lists.

`heapq` and `bisect` have the algorithms of D. E. Knuth, The Art of Computer Programming, volume 3,
sections 5.2.3 and 6.2.1. A heap is laid out here as the C code lays it out, item by item.
"""

from __future__ import annotations

import functools
import gc
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any

from zygpy.runtime.comparing import key_by_comparing
from zygpy.runtime.lookup import NotGiven, described_attribute, is_plain_attribute, static_place
from zygpy.runtime.replaced import in_order


def count_elements(mapping: Any, iterable: Any) -> None:
    """How a `Counter` counts what it is given."""
    for element in iterable:
        mapping[element] = mapping.get(element, 0) + 1


def path_to_root(heap: Any, place: Any, above: Any) -> tuple[int, ...]:
    """The places through which an item rises in a heap, as long as it belongs above its parent."""
    item = heap[place]
    path = [place]
    while place > 0:
        place = (place - 1) >> 1
        if not above(item, heap[place]):
            break
        path.append(place)
    return tuple(path)


def path_to_leaf(heap: Any, place: Any, above: Any) -> tuple[int, ...]:
    """The places through which an item sinks in a heap: down to a leaf, along the children that belong above
    the others, and up again where it belongs above what has risen."""
    end = len(heap)
    item = heap[place]
    path = [place]
    child = 2 * place + 1
    while child < end:
        if child + 1 < end and not above(heap[child], heap[child + 1]):
            child += 1
        path.append(child)
        child = 2 * child + 1
    while len(path) > 1 and above(item, heap[path[-1]]):
        path.pop()
    return tuple(path)


def moved(heap: Any, path: Any) -> None:
    """Move what is at the first of some places to the last, and everything on the way by one place."""
    here, *others = path
    item = heap[here]
    for there in others:
        heap[here] = heap[there]
        here = there
    heap[here] = item


def smaller(a: Any, b: Any) -> Any:
    """Which of two items is on top of a heap."""
    return a < b


def larger(a: Any, b: Any) -> Any:
    """Which of two items is on top of a heap whose largest item is its first."""
    return b < a


def pushed(heap: Any, item: Any, /) -> None:
    """`heapq.heappush(heap, item)`."""
    heap.append(item)
    moved(heap, path_to_root(heap, len(heap) - 1, smaller))


def popped(heap: Any, /) -> Any:
    """`heapq.heappop(heap)`."""
    last = heap.pop()
    if not heap:
        return last
    return exchanged_top(heap, last, smaller)


def popped_largest(heap: Any, /) -> Any:
    """`heappop` of a heap whose largest item is its first."""
    last = heap.pop()
    if not heap:
        return last
    return exchanged_top(heap, last, larger)


def exchanged_top(heap: Any, item: Any, above: Any) -> Any:
    """The first item of a heap, in whose place another one is put."""
    first = heap[0]
    heap[0] = item
    moved(heap, path_to_leaf(heap, 0, above))
    return first


def replaced_top(heap: Any, item: Any, /) -> Any:
    """`heapq.heapreplace(heap, item)`."""
    return exchanged_top(heap, item, smaller)


def replaced_largest(heap: Any, item: Any, /) -> Any:
    """`heapreplace` of a heap whose largest item is its first."""
    return exchanged_top(heap, item, larger)


def pushed_and_popped(heap: Any, item: Any, /) -> Any:
    """`heapq.heappushpop(heap, item)`."""
    if heap and heap[0] < item:
        return exchanged_top(heap, item, smaller)
    return item


def heaped(heap: Any, /) -> None:
    """`heapq.heapify(heap)`."""
    for place in range(len(heap) // 2 - 1, -1, -1):
        moved(heap, path_to_leaf(heap, place, smaller))


def heaped_largest(heap: Any, /) -> None:
    """`heapify` that puts the largest item first."""
    for place in range(len(heap) // 2 - 1, -1, -1):
        moved(heap, path_to_leaf(heap, place, larger))


# The same for heaps that may be of classes that the C code does not ask.


def done_to_list(program: Any, items: Any, /, *args: Any) -> Any:
    """What a program does to a list, whatever its class; known to the run-time door."""
    return program(items, *args)


def pushed_anywhere(heap: Any, item: Any, /) -> None:
    """`heapq.heappush(heap, item)`."""
    done_to_list(pushed, heap, item)


def popped_anywhere(heap: Any, /) -> Any:
    """`heapq.heappop(heap)`."""
    return done_to_list(popped, heap)


def popped_largest_anywhere(heap: Any, /) -> Any:
    """`heappop` of a heap whose largest item is its first."""
    return done_to_list(popped_largest, heap)


def replaced_top_anywhere(heap: Any, item: Any, /) -> Any:
    """`heapq.heapreplace(heap, item)`."""
    return done_to_list(replaced_top, heap, item)


def replaced_largest_anywhere(heap: Any, item: Any, /) -> Any:
    """`heapreplace` of a heap whose largest item is its first."""
    return done_to_list(replaced_largest, heap, item)


def pushed_and_popped_anywhere(heap: Any, item: Any, /) -> Any:
    """`heapq.heappushpop(heap, item)`."""
    return done_to_list(pushed_and_popped, heap, item)


def heaped_anywhere(heap: Any, /) -> None:
    """`heapq.heapify(heap)`."""
    done_to_list(heaped, heap)


def heaped_largest_anywhere(heap: Any, /) -> None:
    """`heapify` that puts the largest item first."""
    done_to_list(heaped_largest, heap)


def largest_items(n: Any, iterable: Any, key: Any = None) -> Any:
    """`heapq.nlargest(n, iterable, key)`."""
    return in_order(iterable, key=key, reverse=True)[: max(n, 0)]


def smallest_items(n: Any, iterable: Any, key: Any = None) -> Any:
    """`heapq.nsmallest(n, iterable, key)`."""
    return in_order(iterable, key=key)[: max(n, 0)]


def left_place(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_left(a, x, lo, hi, key=key)`, with what the key does."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def right_place(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_right(a, x, lo, hi, key=key)`, with what the key does."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


def contained(a: Any, b: Any, /) -> Any:
    """`operator.contains(a, b)`."""
    return b in a


def negated(a: Any, /) -> Any:
    """`operator.not_(a)`."""
    return not a


def counted_items(a: Any, b: Any, /) -> int:
    """`operator.countOf(a, b)`."""
    count = 0
    for item in a:
        if item is b or item == b:
            count += 1
    return count


def first_place(a: Any, b: Any, /) -> int:
    """`operator.indexOf(a, b)`."""
    for place, item in enumerate(a):
        if item is b or item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def inserted(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_right(a, x, lo, hi, key=key)`."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def inserted_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_left(a, x, lo, hi, key=key)`."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


# What `operator` makes of names and keys, as functions.


def item_getter(*keys: Any) -> Any:
    """`operator.itemgetter(*keys)`."""
    if len(keys) == 1:
        (key,) = keys

        def get_item(things: Any) -> Any:
            return things[key]

        return get_item

    def get_items(things: Any) -> Any:
        return tuple([things[key] for key in keys])

    return get_items


def attribute(thing: Any, name: str) -> Any:
    """An attribute of an attribute, by a dotted name."""
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def attribute_getter(*names: str) -> Any:
    """`operator.attrgetter(*names)`."""
    if len(names) == 1:
        (name,) = names

        def get_attribute(thing: Any) -> Any:
            return attribute(thing, name)

        return get_attribute

    def get_attributes(thing: Any) -> Any:
        return tuple([attribute(thing, name) for name in names])

    return get_attributes


def method_caller(name: str, *args: Any, **kwargs: Any) -> Any:
    """`operator.methodcaller(name, *args, **kwargs)`."""

    def call_method(thing: Any) -> Any:
        return getattr(thing, name)(*args, **kwargs)

    return call_method


KEYS: Any = type(functools.cmp_to_key(max))
"""What `functools.cmp_to_key` makes."""

GETTERS: Mapping[type, Any] = {
    operator.itemgetter: item_getter,
    operator.attrgetter: attribute_getter,
    operator.methodcaller: method_caller,
    KEYS: key_by_comparing,
}


def as_function(getter: Any) -> Any:
    """The function that does what an object of `operator` does, which was made of names or keys, or one of
    `functools`, which was made of a function."""
    if isinstance(getter, KEYS):
        (compare,) = [found for found in gc.get_referents(getter) if found is not KEYS]
        return key_by_comparing(compare)
    maker, args = getter.__reduce__()[:2]
    if type(maker) is not type:  # a partial, of a method with keywords
        return GETTERS[maker.func](*maker.args, *args, **maker.keywords)
    return GETTERS[maker](*args)


def unwrapped(func: Any, *, stop: Any = None) -> Any:
    """`inspect.unwrap`."""
    met = [id(func)]
    while hasattr(func, "__wrapped__") and (stop is None or not stop(func)):
        func = func.__wrapped__
        if id(func) in met:
            raise ValueError(f"wrapper loop when unwrapping {func!r}")
        met.append(id(func))
    return func


def found_statically(obj: Any, attr: Any, default: Any = NotGiven) -> Any:
    """`inspect.getattr_static`."""
    place = static_place(obj, attr)
    if place == "own":
        return vars(obj)[attr]
    if place is None and default is not NotGiven:
        return default
    if place is not None and is_plain_attribute(place, attr):
        return getattr(place, attr)
    return described_attribute(obj, attr)
