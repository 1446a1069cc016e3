"""What can be undone by identity: reading and changing builtin containers, fields and arrays.

Every function here does what Python does and returns how it is pulled back: an object that, called with
the store of cotangents, brings it to the state before. All of it is plain Python in the language that can
be differentiated.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime import object_arrays
from zygpy.runtime.accumulate import accumulate, dtype_of, refuse_key, snapshot
from zygpy.runtime.array_writes import at_places, cycled_transpose, refuse_overlap
from zygpy.runtime.indexing import add_at, dtype_kept, setitem_cotangent
from zygpy.runtime.memory import base_of
from zygpy.runtime.native import SEQUENCES, is_of_another_class, items_of, native, size_of, stored_keys
from zygpy.runtime.nesting import nesting, unnest
from zygpy.runtime.protocols import check_stored

# ------------------------------------------------------------------------------------------ reading


class EntryRead:
    """`y = xs[i]` for a list."""

    def __init__(self, owner: Any, length: int, index: int, value: Any) -> None:
        self.owner, self.length, self.index, self.value = owner, length, index, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_entry(self.owner, self.length, self.index, store.add(self.value, y_bar))
        return (None, None, None)


class SliceRead:
    """`y = xs[a:b]` for a list: a new list."""

    def __init__(self, owner: Any, length: int, where: slice, value: Any) -> None:
        self.owner, self.length, self.where, self.value = owner, length, where, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_entries(self.value)
        if taken is not None:
            for position, bar in zip(range(self.length)[self.where], taken, strict=True):
                store.add_entry(self.owner, self.length, position, bar)
        return (None, None, None)


class TupleRead:
    """`y = t[i]` for a tuple, whose cotangent belongs to its variable."""

    def __init__(self, length: int, index: Any) -> None:
        self.length, self.index = length, index

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is None:
            return (None, None, None)
        items: list[Any] = [None] * self.length
        if isinstance(self.index, slice):
            for position, bar in zip(range(self.length)[self.index], y_bar, strict=True):
                items[position] = bar
        else:
            items[self.index] = y_bar
        return (None, tuple(items), None)


class KeyRead:
    """`y = d[k]` and `y = o.name`."""

    def __init__(self, owner: Any, key: Any, value: Any) -> None:
        self.owner, self.key, self.value = owner, key, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_key(self.owner, self.key, store.add(self.value, y_bar))
        return (None, None, None)


class ItemRead:
    """`y = x[i]` for an array: a view has its place in the array's cotangent already."""

    def __init__(self, array: Any, index: Any, value: Any) -> None:
        self.array, self.index, self.value = array, index, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if not (isinstance(self.value, np.ndarray) and base_of(self.value) is base_of(self.array)):
            bar = store.exchange(self.value, y_bar)
            if bar is not None:
                add_at(store.memory.view(self.array), self.index, bar)
        return (None, None, None)


class FlatRead:
    """`y = x.flat[i]`: a number or a new array; `places` are numbers in the order of `x.flat`."""

    def __init__(self, array: Any, places: Any, value: Any) -> None:
        self.array, self.places, self.value = array, places, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = store.exchange(self.value, y_bar)
        if bar is not None:
            add_at(store.memory.view(self.array), at_places(self.array, self.places), bar)
        return (None, None, None)


def flat_places(flat: Any, index: Any) -> Any:
    """The numbers of the elements that an index of `x.flat` selects."""
    return np.arange(len(flat))[index]


class Nothing:
    """What is read has no cotangent."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None, None)


NOTHING = Nothing()


def read_entry(value: Any, index: Any) -> Any:
    """`value[index]` for a list, tuple, dict or array."""
    result = native(value, "__getitem__")(index) if is_of_another_class(value) else value[index]
    if isinstance(value, np.ndarray | np.flatiter):
        return _read_array(value, index, result)
    if isinstance(value, dict):
        return result, KeyRead(value, index, result)
    if isinstance(value, tuple):
        return result, TupleRead(size_of(value), index)
    if isinstance(value, SEQUENCES):
        if isinstance(index, slice):
            return result, SliceRead(value, size_of(value), index, result)
        return result, EntryRead(value, size_of(value), operator.index(index), result)
    if isinstance(value, np.number):
        return result, ScalarRead(result)
    refuse_item(value, result)
    return result, NOTHING


def _read_array(value: Any, index: Any, result: Any) -> Any:
    """The same for an array, or its elements in a row."""
    if isinstance(value, np.flatiter):
        return result, FlatRead(value.base, flat_places(value, index), result)
    if object_arrays.holds_objects(value):
        return object_arrays.read(value, index)
    return result, ItemRead(value, snapshot(index), result)


class ScalarRead:
    """`y = x[..., None]` for a number of NumPy."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = store.exchange(self.value, y_bar)
        return (None, None if bar is None else np.sum(bar), None)


def refuse_item(value: Any, item: Any) -> None:
    """Refuse a number that comes out of a container, or iterator, of which nothing is known."""
    if isinstance(item, float | complex | np.inexact | np.ndarray):
        raise UnsupportedSyntaxError(
            f"an item of a {type(value).__name__} is read.",
            why="only lists, tuples, dicts and arrays are known to hold values with gradients",
            instead="use one of these",
        )


# ------------------------------------------------------------------------------------------ writing


class EntryWrite:
    """`xs[i] = v` for a list."""

    def __init__(self, owner: Any, length: int, index: int) -> None:
        self.owner, self.length, self.index = owner, length, index

    def __call__(self, store: Any) -> Any:
        entries = store.entries(self.owner, self.length)
        bar = entries[self.index]
        entries[self.index] = None
        return bar


class KeyWrite:
    """`d[k] = v` and `o.name = v`."""

    def __init__(self, owner: Any, key: Any) -> None:
        self.owner, self.key = owner, key

    def __call__(self, store: Any) -> Any:
        return store.take_key(self.owner, self.key)


class ItemWrite:
    """`x[i] = v` for an array."""

    def __init__(self, array: Any, index: Any, value: Any) -> None:
        self.array, self.index, self.value, self.shape = array, index, value, np.shape(value)

    def __call__(self, store: Any) -> Any:
        place = store.memory.view(self.array)
        dtype = dtype_kept(self.array.dtype, dtype_of(self.value))
        bar = setitem_cotangent(place, self.index, self.shape, dtype)
        place[self.index] = 0.0
        if isinstance(self.value, list | tuple):
            bar = list(bar) if isinstance(self.value, list) else tuple(bar)
        elif isinstance(self.value, float):
            bar = bar.real
        return store.add(self.value, bar)


class FlatWrite:
    """`x.flat[i] = v`: the values come again and again until all places are filled."""

    def __init__(self, array: Any, places: Any, value: Any) -> None:
        self.array, self.places, self.value = array, places, value
        self.shape, self.nesting = np.shape(value), nesting(value)

    def __call__(self, store: Any) -> Any:
        view, where = store.memory.view(self.array), at_places(self.array, self.places)
        dtype = dtype_kept(self.array.dtype, dtype_of(self.value))
        part = setitem_cotangent(view, where, np.shape(self.places), dtype)
        view[where] = 0.0
        bar = cycled_transpose(np.ravel(part), self.shape, np.ravel(self.places), False)[()]
        return store.add(self.value, unnest(bar, self.nesting))


class Rearranged:
    """A list was changed: `sources` has for every item where it was before; -1 - k where it is the k-th
    new one.

    Called, it returns the cotangents of the new items in order.
    """

    def __init__(self, owner: Any, length: int, sources: Any) -> None:
        self.owner, self.length, self.sources = owner, length, sources

    def __call__(self, store: Any) -> Any:
        after = store.entries(self.owner, len(self.sources))
        before: list[Any] = [None] * self.length
        new: list[Any] = [None] * len([source for source in self.sources if source < 0])
        for bar, source in zip(after, self.sources, strict=True):
            if source < 0:
                new[-1 - source] = bar
            else:
                before[source] = accumulate(before[source], bar)
        store.replace_entries(self.owner, before)
        return new


def write_entry(value: Any, index: Any, stored: Any) -> Any:
    """`value[index] = stored` for a list, dict or array: how the cotangent of `stored` is found."""
    if object_arrays.holds_objects(value):
        return object_arrays.write(value, index, stored)
    if isinstance(value, np.ndarray | np.flatiter):
        check_stored(stored)
    if isinstance(value, np.ndarray):
        value[index] = stored
        return ItemWrite(value, snapshot(index), stored)
    if isinstance(value, list) and isinstance(index, slice):
        return SliceWrite(*rearranged(value, "__setitem__", (index, stored)))
    if isinstance(value, np.flatiter):
        places = flat_places(value, index)
        refuse_overlap(type(value), value.base, stored)
        value[index] = stored
        return FlatWrite(value.base, places, stored)
    if is_of_another_class(value):
        native(value, "__setitem__")(index, stored)
    else:
        value[index] = stored
    if isinstance(value, SEQUENCES):
        return EntryWrite(value, size_of(value), operator.index(index))
    return KeyWrite(value, index)


class SliceWrite:
    """`xs[a:b] = ys`."""

    def __init__(self, result: Any, back: Any) -> None:
        del result
        self.back = back

    def __call__(self, store: Any) -> Any:
        return self.back(None, store)[2]


def delete_entry(value: Any, index: Any) -> Any:
    """`del value[index]`."""
    if isinstance(value, SEQUENCES):
        length = size_of(value)
        sources: list[Any] = list(range(length))
        del sources[index]
        native(value, "__delitem__")(index)
        return Rearranged(value, length, sources)
    if is_of_another_class(value):
        native(value, "__delitem__")(index)
    else:
        del value[index]
    return KeyWrite(value, index)


# ------------------------------------------------------------------------------- methods of containers


class Popped:
    """`y = xs.pop(i)`."""

    def __init__(self, change: Rearranged, position: int, value: Any, count: int) -> None:
        self.change, self.position, self.value, self.count = change, position, value, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.change(store)
        left = store.add(self.value, y_bar)
        store.add_entry(self.change.owner, self.change.length, self.position, left)
        return (None,) * self.count


class Appended:
    """`xs.append(v)`."""

    def __init__(self, owner: Any, length: int) -> None:
        self.owner, self.length = owner, length

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, store.entries(self.owner, self.length + 1).pop())


class Removed:
    """`y = xs.pop()`."""

    def __init__(self, owner: Any, length: int, value: Any) -> None:
        self.owner, self.length, self.value = owner, length, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.entries(self.owner, self.length - 1).append(store.add(self.value, y_bar))
        return (None,)


class Changed:
    """A method that changed a list; with `given`, the position of the argument whose items are new."""

    def __init__(self, change: Rearranged, count: int, given: int, items: Any, single: bool) -> None:
        self.change, self.count, self.given, self.items, self.single = change, count, given, items, single

    def __call__(self, y_bar: Any, store: Any) -> Any:
        new = self.change(store)
        bars: list[Any] = [None] * self.count
        if self.given and self.single:
            bars[self.given] = new[0]
        elif self.given:
            store_items(store, self.items, new)
            bars[self.given] = tuple(new) if isinstance(self.items, tuple) else None
        return tuple(bars)


def store_items(store: Any, items: Any, bars: Any) -> None:
    """Add the cotangents of items that were taken from a list, a queue or an array."""
    if isinstance(items, SEQUENCES):
        store.add_entries(items, bars)
    elif isinstance(items, np.ndarray):
        for position, bar in enumerate(bars):
            if bar is not None:
                store.memory.view(items)[position] += bar


class CopyOf:
    """`y = xs.copy()`."""

    def __init__(self, owner: Any, value: Any) -> None:
        self.owner, self.value = owner, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if isinstance(self.owner, SEQUENCES):
            store.add_entries(self.owner, store.take_entries(self.value))
        else:
            store.add_keys(self.owner, store.take_keys(self.value))
        return (None,)


def sequence(items: Any) -> Any:
    """What a list is to take items from, as a list, tuple or array.

    Raises UnsupportedSyntaxError for other iterables of values that may have gradients.
    """
    if isinstance(items, list | tuple | np.ndarray):
        return items
    taken = list(items)
    for item in taken:
        if not isinstance(item, str | bytes | bool | int | None):
            raise UnsupportedSyntaxError(
                f"a list takes its items from a {type(items).__name__}.",
                why="what belongs to the items would have to be handed back through it",
                instead="make a list of it first: `list(...)`",
            )
    return taken


def rearranged(value: Any, name: str, args: Any) -> Any:
    """A method that inserts, removes or moves items of a list, done to their positions as well."""
    length, count = size_of(value), 1 + len(args)
    sources: list[Any] = list(range(length))
    items: Any = None
    given = 0
    if name == "insert":
        sources.insert(args[0], -1)
        given = 2
    elif name == "remove":
        sources.pop(native(value, "index")(args[0]))
    elif name in ("extend", "__iadd__"):
        items = sequence(args[0])
        args = (items,)
        sources += [-1 - place for place in range(size_of(items))]
        given = 1
    elif name == "__setitem__":
        items = sequence(args[1])
        args = (args[0], items)
        sources[args[0]] = [-1 - place for place in range(size_of(items))]
        given = 2
    else:  # reverse, clear, __imul__
        getattr(sources, name)(*args)
    snapshot_of = items_of(items) if isinstance(items, list) and items is value else items
    result = native(value, name)(*args)
    change = Rearranged(value, length, sources)
    if items is value:
        return result, SelfExtended(change, count)
    return result, Changed(change, count, given, snapshot_of, name == "insert")


class SelfExtended:
    """`xs.extend(xs)` and `xs += xs`."""

    def __init__(self, change: Rearranged, count: int) -> None:
        self.change, self.count = change, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        new = self.change(store)
        store.add_entries(self.change.owner, new)
        return (None,) * self.count


def list_method(value: Any, name: str, args: Any) -> Any:
    """`value.name(*args)` for a list: the result and its pullback."""
    if name == "append":
        back: Any = Appended(value, size_of(value))
        native(value, name)(*args)
        return None, back
    if name == "pop":
        length = size_of(value)
        if not args:
            result = native(value, name)()
            return result, Removed(value, length, result)
        sources = list(range(length))
        position = sources.pop(*args)
        result = native(value, name)(*args)
        return result, Popped(Rearranged(value, length, sources), position, result, 2)
    if name == "copy":
        result = native(value, name)()
        return result, CopyOf(value, result)
    if name in ("insert", "remove", "extend", "reverse", "clear", "__iadd__", "__imul__"):
        return rearranged(value, name, args)
    return answered(value, name, args, {})


def answered(value: Any, name: str, args: Any, keywords: Any) -> Any:
    """A method of a container through which no gradient goes: its result and its pullback."""
    result = native(value, name)(*args, **keywords)
    refuse_result(value, name, result)
    return result, Ignored(1 + len(args) + len(keywords))


def refuse_result(value: Any, name: str, result: Any) -> None:
    """Refuse what a method gives that may hold items.

    >>> refuse_result([1.0], "index", 0)
    """
    if isinstance(result, WITHOUT_ITEMS) or type(result).__name__.endswith("iterator"):
        return  # whose steps are known where they are taken
    raise UnsupportedSyntaxError(
        f"'{name}' of a {type(value).__name__} is called.",
        why=f"where what is in the {type(result).__name__} that it gives came from is not recorded",
        instead="use the operator or the function that calls it",
    )


WITHOUT_ITEMS: tuple[type, ...] = (int, str, type(None), type(NotImplemented), type({}.keys()))
"""What methods of containers give besides items: answers, positions, texts, views of keys."""


class Ignored:
    """A method through which no gradient goes."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None,) * self.count


class Failed:
    """A call that ended with an exception, of which nothing is recorded: a result may not depend on what the
    exception brings."""

    def __init__(self, error: BaseException, count: int) -> None:
        self.error, self.count = error, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.check_inert(self.error)
        return (None,) * self.count


class Got:
    """`y = d.get(k)`, `d.pop(k)` and `d.setdefault(k)` with or without a default: what was there before
    the call, or the default; `stored` if the default was stored."""

    def __init__(self, owner: Any, key: Any, value: Any, found: bool, count: int, stored: bool) -> None:
        self.owner, self.key, self.value, self.found = owner, key, value, found
        self.count, self.stored = count, stored

    def __call__(self, y_bar: Any, store: Any) -> Any:
        left = store.add(self.value, y_bar)
        bars: list[Any] = [None] * self.count
        if self.found:
            store.add_key(self.owner, self.key, left)
        else:
            if self.stored:
                left = accumulate(left, store.take_key(self.owner, self.key))
            if self.count > 2:
                bars[2] = left
        return tuple(bars)


class Updated:
    """`d.update(other)`: what stands under these keys is the other's."""

    def __init__(self, owner: Any, other: Any, keys: Any, named: Any) -> None:
        self.owner, self.other, self.keys, self.named = owner, other, keys, named
        self.others = [] if other is None else [key for key in stored_keys(other) if key not in named]

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = {key: store.take_key(self.owner, key) for key in self.keys}
        if self.other is not None:
            store.add_keys(self.other, {key: taken[key] for key in self.others})
        given = () if self.other is None else (None,)
        return (None, *given, *[taken[key] for key in self.named])


class Merged:
    """`a | b`: what stands under the keys of `b` is its own, the rest is of `a`."""

    def __init__(self, first: Any, second: Any, result: Any) -> None:
        self.first, self.second, self.result = first, second, result
        self.keys = dict.fromkeys(stored_keys(second))

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_keys(self.result) or {}
        for key, bar in taken.items():
            store.add_key(self.second if key in self.keys else self.first, key, bar)
        return (None, None, None)


def merge(first: Any, second: Any) -> Any:
    """`first | second` for dicts."""
    result = first | second
    return result, Merged(first, second, result)


class ItemPopped:
    """`k, y = d.popitem()`."""

    def __init__(self, owner: Any, pair: Any, count: int) -> None:
        self.owner, self.pair, self.count = owner, pair, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is not None:
            refuse_key(self.pair[0], y_bar[0])
            store.add_key(self.owner, self.pair[0], store.add(self.pair[1], y_bar[1]))
        return (None,) * self.count


class ViewRead:
    """`d.values()` and `d.items()`: cotangents by position."""

    def __init__(self, owner: Any, keys: Any, values: Any, pairs: bool) -> None:
        self.owner, self.keys, self.values, self.pairs = owner, keys, values, pairs

    def __call__(self, y_bar: Any, store: Any) -> Any:
        for position in list(y_bar or ()):
            bar = y_bar[position]
            if self.pairs and bar is not None:
                refuse_key(self.keys[position], bar[0])
                bar = bar[1]
            store.add_key(self.owner, self.keys[position], store.add(self.values[position], bar))
        return (None,)


def dict_method(value: Any, name: str, args: Any, keywords: Any) -> Any:
    """`value.name(*args, **keywords)` for a dict: the result and its pullback."""
    if name in ("get", "pop", "setdefault") and args:
        found = native(value, "__contains__")(args[0])
        result = native(value, name)(*args, **keywords)
        return result, Got(value, args[0], result, found, 1 + len(args), name == "setdefault")
    if name in ("update", "__ior__"):
        other = args[0] if args else None
        known = other is None or isinstance(other, dict)
        keys = [*stored_keys({} if other is None else other), *keywords] if known else None
        if keys is None:
            raise UnsupportedSyntaxError(
                f"a dict takes its items from a {type(other).__name__}.",
                why="what belongs to the items would have to be handed back through it",
                instead="make a dict of it first: `dict(...)`",
            )
        changed = Updated(value, other, list(dict.fromkeys(keys)), list(keywords))
        return native(value, name)(*args, **keywords), changed
    if name == "popitem":
        pair = native(value, name)(*args, **keywords)
        return pair, ItemPopped(value, pair, 1 + len(args) + len(keywords))
    if name == "copy":
        result = native(value, name)()
        return result, CopyOf(value, result)
    if name in ("values", "items"):
        keys, values = stored_keys(value), list(native(value, "values")())
        return native(value, name)(), ViewRead(value, keys, values, name == "items")
    return answered(value, name, args, keywords)
