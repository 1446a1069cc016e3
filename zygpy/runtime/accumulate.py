"""Adding cotangents whose kinds are known only at run time."""

from __future__ import annotations

import gc
import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.lookup import in_class, makes_array
from zygpy.runtime.native import is_copied_by_c, is_set, size_of, stored_keys
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.records import Record

RE_ITERABLE: tuple[type, ...] = (type({}.values()), type({}.items()))
"""What is iterated without indices: its cotangent is a dict by position."""


KEYS: type = type({}.keys())


def is_nothing(bar: Any) -> bool:
    """Whether there is no cotangent, neither of a value nor of its items.

    >>> is_nothing((None, [None])), is_nothing((None, 0.0))
    (True, False)
    """
    return bar is None or (isinstance(bar, tuple | list) and all(map(is_nothing, bar)))


def refuse_key(key: Any, bar: Any) -> None:
    """Refuse a cotangent of a dict's key that is a number with a point, or a function that carries something.

    >>> refuse_key("a", None), refuse_key(2, 1.0)
    (None, None)
    """
    if bar is None:
        return
    if isinstance(key, tuple) and isinstance(bar, tuple | list):
        for item, part in zip(key, bar, strict=True):
            refuse_key(item, part)
    elif isinstance(key, float | complex | np.inexact):
        raise UnsupportedSyntaxError(
            "a key of a dict is used as a number.",
            why="what gradient a number has is not kept with it when it becomes a key",
            instead="keep the number among the values too: `d[name] = (x, y)`",
        )
    elif is_function_like(type(key)) and not carries_nothing(bar):
        raise UnsupportedSyntaxError(
            "a key of a dict is called, a function that carries what has a gradient.",
            why="what gradient it carries is not kept with it when it becomes a key",
            instead="keep the function among the values too: `d[name] = (f, y)`",
        )


def carries_nothing(bar: Any) -> bool:
    """Whether a function's cotangent has none of anything that it carries.

    >>> carries_nothing({"k": None, "f": {}}), carries_nothing({"k": 1.0})
    (True, False)
    """
    return all(map(carries_nothing, bar.values())) if isinstance(bar, dict) else is_nothing(bar)


def accumulate(a: Any, b: Any) -> Any:
    """The sum of two cotangents; None is zero, containers add entry by entry. Nothing is written.

    >>> accumulate(None, 2.0), accumulate((1.0, None), (2.0, 3.0)), accumulate({"a": 1.0}, {"b": 2.0})
    (2.0, (3.0, 3.0), {'a': 1.0, 'b': 2.0})
    """
    if a is None:
        return b
    if b is None:
        return a
    if isinstance(a, CONTAINERS):
        return a if _is_plain_zero(b) else _of_parts(a, b)
    if isinstance(b, CONTAINERS) and _is_plain_zero(a):
        return b
    if isinstance(b, dict):
        raise split_object(a)
    if isinstance(b, tuple | list) and isinstance(a, np.ndarray):
        return _entrywise(b, a)  # what is read as an array is a list
    return a + b


CONTAINERS = (dict, tuple, list, Record)
"""Classes of cotangents that have parts."""


def _is_plain_zero(bar: Any) -> bool:
    """Whether a cotangent is zero whatever it belongs to: the tangent of a cotangent that is None."""
    return type(bar) is float and bar == 0.0


def _of_parts(a: Any, b: Any) -> Any:
    if isinstance(a, dict):
        if not isinstance(b, dict):
            raise split_object(b)
        return {**a, **{key: accumulate(a.get(key), value) for key, value in b.items()}}
    if isinstance(a, Record):
        return Record(accumulate(a._asdict(), b._asdict()))
    return _entrywise(a, b)


def split_object(bar: Any, cls: type | None = None) -> UnsupportedSyntaxError:
    """The error for a cotangent that is an object, as a rule of the user's gave it, where one by fields is
    needed; of an object of class `cls` that was made there."""
    name = type(bar).__name__
    instead = f"declare a rule for every attribute of '{name}' that is read"
    if cls is not None:
        instead = f"declare how the constructor is differentiated: @zg.adjoint({cls.__name__})"
    return UnsupportedSyntaxError(
        f"the gradient of an object is given as a '{name}' and needed by its fields.",
        why="how the fields' gradients are found from an object of that class is not known",
        instead=instead,
    )


def _entrywise(a: tuple[Any, ...] | list[Any], b: Any) -> Any:
    if len(a) != len(b):
        raise ValueError(f"cotangents of containers of different lengths: {len(a)} and {len(b)}")
    added = [accumulate(x, y) for x, y in zip(a, b, strict=True)]
    return added if isinstance(a, list) and isinstance(b, list) else tuple(added)


def owned(value: Any, shape: tuple[int, ...], dtype: Any = None) -> Any:
    """A fresh array of this shape, and of this dtype if one is given, holding `value` (None is zero)."""
    if value is None:
        return np.zeros(shape, dtype)
    array = np.array(value, dtype)
    if array.dtype.kind not in "fcO":
        array = array.astype(float)
    if array.shape != tuple(shape):
        array = np.array(unbroadcast(array, tuple(shape)))
    return array


def owned_list(value: Any, length: int, entry: Any) -> list[Any]:
    """A fresh list of cotangents, `entry` where nothing has come in: of numbers, if it is one."""
    if value is None or _is_plain_zero(value):
        return [entry] * length
    if entry is not None:
        return [entry if item is None else item + entry for item in value]
    return [entry if item is None else item for item in value]


def taken(value: Any, shape: tuple[int, ...], dtype: Any = None) -> Any:
    """The same of an array that is handed over, which is it as long as it has that shape and dtype."""
    if type(value) is not np.ndarray or value.shape != tuple(shape) or not value.flags.writeable:
        return owned(value, shape, dtype)
    fits = value.dtype.kind in "fcO" if dtype is None else value.dtype == dtype
    return value if fits else owned(value, shape, dtype)


def taken_list(value: Any, length: int, entry: Any) -> list[Any]:
    """The same of a list that is handed over, with entries of that sort: it is that list."""
    return value if type(value) is list else owned_list(value, length, entry)


def entries(value: Any, length: int) -> Any:
    """The entries of a tuple's or list's cotangent, all None if it is None."""
    return (None,) * length if value is None else value


def with_entry(value: Any, length: int, index: int, added: Any) -> tuple[Any, ...]:
    """A tuple's cotangent with one more contribution to one entry."""
    items = list(entries(value, length))
    items[index] = accumulate(items[index], added)
    return tuple(items)


def with_key(value: dict[Any, Any] | None, key: Any, added: Any) -> dict[Any, Any] | None:
    """A dict's cotangent with one more contribution to one key."""
    return add_key(owned_dict(value), key, added)


def add_key(value: dict[Any, Any] | None, key: Any, added: Any) -> dict[Any, Any] | None:
    """The same of a dict that nobody else holds: it is written to."""
    if added is None:
        return value
    if value is None:
        return {key: added}
    value[key] = accumulate(value.get(key), added)
    return value


def owned_dict(value: dict[Any, Any] | None) -> dict[Any, Any] | None:
    """A fresh dict of the same cotangents, by keys or by fields."""
    return None if value is None or _is_plain_zero(value) else dict(checked_keys(value))


def checked_keys(value: Any) -> dict[Any, Any]:
    """The cotangents by keys or fields, where a rule of the user's may have given an object."""
    if not isinstance(value, dict):
        raise split_object(value)
    return value


def key_of(value: dict[Any, Any] | None, key: Any) -> Any:
    """The cotangent of one key of a dict."""
    if value is None:
        return None
    if _is_plain_zero(value):
        return value
    if not isinstance(value, dict):
        raise split_object(value, type(value))
    return value.get(key)


def holds_key(value: Any, key: Any) -> bool:
    """Whether a dict has a key; a method of the key's class that makes its hash is not called.

    >>> holds_key({"a": 1.0}, "a"), holds_key({"a": 1.0}, "b")
    (True, False)
    """
    made_in_python = isinstance(in_class(type(key), "__hash__"), FunctionType)
    return key in (list(value) if made_in_python else value)


def without_key(value: dict[Any, Any] | None, key: Any) -> dict[Any, Any] | None:
    """A dict's cotangent without one key."""
    return drop_key(owned_dict(value), key)


def drop_key(value: dict[Any, Any] | None, key: Any) -> dict[Any, Any] | None:
    """The same of a dict that nobody else holds: it is written to."""
    if value is not None:
        value.pop(key, None)
    return value


def take_out(items: list[Any], index: int) -> Any:
    """Undo `insert(index, ...)` on a list's cotangent and return what stood there."""
    before = len(items) - 1
    return items.pop(min(index, before) if index >= 0 else max(before + index, 0))


def put_back(items: list[Any], index: int, entry: Any) -> None:
    """Undo `pop(index)` on a list's cotangent."""
    items.insert(index if index >= 0 else len(items) + 1 + index, entry)


def put_back_slice(items: list[Any], where: slice, length: int, entry: Any) -> None:
    """Undo `del xs[where]` on the cotangent of a list that was so long before."""
    for position in sorted(range(length)[where]):
        items.insert(position, entry)


def position_of(items: list[Any], value: Any) -> int:
    """Where `remove(value)` finds it; -1 where it does not."""
    return items.index(value) if value in items else -1


def as_tuple(items: Any, length: int) -> tuple[Any, ...]:
    """A list's cotangent as that of a tuple."""
    return tuple(entries(items, length))


def split_tail(items: list[Any], count: int) -> list[Any]:
    """Remove the last `count` entries of a list cotangent and return them."""
    start = len(items) - count
    tail = items[start:]
    del items[start:]
    return tail


def snapshot(value: Any) -> Any:
    """A copy of what may be written later: arrays and containers, not what is immutable."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return _copied(value, ()) if type(value) in (list, tuple, dict) else value


def _copied(value: Any, inside: tuple[int, ...]) -> Any:
    """The same inside of other containers; one that holds itself is left as it is there."""
    if type(value) not in (list, tuple, dict):
        return snapshot(value)
    if id(value) in inside:
        return value
    inside = (*inside, id(value))
    if type(value) is dict:
        return {key: _copied(item, inside) for key, item in value.items()}
    items = [_copied(item, inside) for item in value]
    return tuple(items) if type(value) is tuple else items


def containers_now(value: Any, inside: tuple[int, ...] = ()) -> Any:
    """The containers of a value as they are now, with what is in them itself.

    >>> rows = [(1.0, [2.0]), 3.0]
    >>> now = containers_now(rows)
    >>> rows[0][1].append(4.0)
    >>> now
    [(1.0, [2.0]), 3.0]
    """
    if not isinstance(value, list | tuple | dict) or id(value) in inside:
        return value
    inside = (*inside, id(value))
    if isinstance(value, dict):
        return {key: containers_now(item, inside) for key, item in dict.items(value)}
    items = [containers_now(item, inside) for item in value]
    return tuple(items) if isinstance(value, tuple) else items


def shapes_of(values: Any) -> tuple[tuple[int, ...], ...]:
    """The shapes of the arrays in a sequence."""
    return tuple([np.shape(value) for value in values])


def which_are_real(values: Any) -> Any:
    """Whether a number or an array is real; of a list or tuple, which of its items are.

    >>> which_are_real([1.0, (2j, 3)])
    (True, (False, True))
    """
    if isinstance(values, list | tuple):
        return tuple([which_are_real(value) for value in values])
    return isinstance(values, int | float) or getattr(getattr(values, "dtype", None), "kind", "O") in "fiub"


def real_parts(bars: Any, reals: Any) -> Any:
    """The cotangents of items, of which those of real ones are made real.

    >>> real_parts([1 + 2j, None, 3 + 4j], (True, True, False))
    [1.0, None, (3+4j)]
    """
    if bars is None or not isinstance(reals, tuple):
        return np.real(bars) if reals and np.iscomplexobj(bars) else bars
    return [real_parts(bar, real) for bar, real in zip(bars, reals, strict=True)]


def count_of(value: Any) -> int:
    """The length of what is iterated, where it has one.

    >>> count_of([1.0, 2.0]), count_of(iter([1.0])), count_of(np.array(1.0))
    (2, 0, 0)
    """
    if isinstance(value, SIZED) and not isinstance(value, np.ndarray):
        return size_of(value)
    return len(value) if hasattr(value, "__len__") and getattr(value, "shape", True) != () else 0


def places_of(value: Any) -> list[Any] | None:
    """The keys of a dict, or of what a view of one shows, or the elements of a set, else None."""
    if isinstance(value, dict):
        return stored_keys(value)
    if is_set(value):
        return list(value)
    return stored_keys(gc.get_referents(value)[0]) if isinstance(value, (*RE_ITERABLE, KEYS)) else None


def place_at(keys: list[Any] | None, index: int) -> Any:
    """The key of one element, where there are keys."""
    return None if keys is None else keys[index]


def dtype_of(value: Any) -> np.dtype[Any]:
    """The dtype that NumPy gives a number or array."""
    cls: Any = type(value)
    known = DTYPES.get(cls)
    if known is None and not makes_array(cls):
        return np.dtype(object)
    return np.asarray(value).dtype if known is None else known


DTYPES: dict[type, np.dtype[Any]] = {float: np.dtype(float), complex: np.dtype(complex)}
"""Those of Python's numbers that have one."""


def with_element(value: Any, like: Any, index: int, added: Any) -> Any:
    """The cotangent of the iterable `like`, with one more contribution to one element."""
    return value if added is None else accumulate(value, from_positions({index: added}, like))


WITHOUT_COTANGENT: tuple[type, ...] = (
    *(dict, str, bytes, range, type({}.keys())),
    *(type(iter(range(0))), type(iter(range(1 << 64))), type(iter("")), type(iter(b""))),
)
"""What is iterated whose items are keys, characters or numbers of a range."""

COUNTING: tuple[type, ...] = (
    *(itertools.product, itertools.permutations, itertools.combinations),
    *(itertools.combinations_with_replacement, itertools.count, zip, enumerate),
)
"""Iterators whose items are made of what they hold."""

COUNTS: tuple[type, ...] = (int, type(None), np.integer, np.bool_, *WITHOUT_COTANGENT)
"""What such an iterator may hold to have no gradient (and no dict, which may change)."""


def gives_counts(iterator: Any) -> bool:
    """Whether an iterator holds nothing but whole numbers, texts and ranges, as that over pairs of places.

    >>> gives_counts(itertools.product(range(3), "ab")), gives_counts(itertools.product([0.5], [1]))
    (True, False)
    """
    if not isinstance(iterator, COUNTING):
        return False
    held = list(_referents(iterator))
    while held:
        value = held.pop()
        if isinstance(value, tuple):
            held += value
        elif not isinstance(value, COUNTS) or isinstance(value, dict):
            return False
    return True


def _referents(iterator: Any) -> Iterator[Any]:
    return (value for value in gc.get_referents(iterator) if not isinstance(value, type))


def from_positions(positions: dict[int, Any], like: Any) -> Any:
    """The cotangent of the iterable `like` from those of its elements, by position.

    >>> from_positions({1: 2.0}, [5.0, 6.0]), from_positions({0: 2.0}, np.ones(2))
    ([None, 2.0], array([2., 0.]))
    """
    if not positions or isinstance(like, WITHOUT_COTANGENT) or gives_counts(like):
        return None
    if isinstance(like, RE_ITERABLE):
        count = len(like)  # type: ignore[arg-type]  # views have a length
        return {place % count: bar for place, bar in positions.items()}
    if not isinstance(like, np.ndarray | list | tuple | deque):
        raise UnsupportedSyntaxError(
            f"no gradient through iteration over a {type(like).__name__}.",
            why="Which of its parts an element came from is not known.",
            instead="Iterate over a list or tuple of its elements.",
        )
    items: list[Any] = [None] * len(like)
    for position, value in positions.items():
        items[position] = value
    return as_cotangent(items, like)


def add_slice(items: list[Any], where: slice, added: Any) -> None:
    """Add the cotangents of a list's slice to the list's, in place."""
    if added is not None:
        for position, value in zip(range(len(items))[where], added, strict=True):
            items[position] = accumulate(items[position], value)


def add_numbers(items: list[Any], where: slice, added: Any) -> None:
    """The same where all of them are numbers.

    >>> bars = [1.0, 0.0, 0.0]
    >>> add_numbers(bars, slice(1, None), [2.0, 3.0])
    >>> bars
    [1.0, 2.0, 3.0]
    """
    for place, position in enumerate(range(*bounds_in(where, len(items)))):
        items[position] += added[place]


def bounds_in(where: slice, count: int) -> tuple[int, int, int]:
    """The bounds and the step of a slice of so many items."""
    return where.indices(count)


def stacked(items: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The cotangent of an array from those of its items along the first axis (None is zero)."""
    given = () if items is None else items
    dtypes = [np.asarray(item).dtype for item in given if item is not None]
    result = np.zeros(shape, np.result_type(float, *dtypes))
    for position, item in enumerate(given):
        if item is not None:
            result[position] = item
    return result


def as_array(items: list[Any]) -> Any:
    """The cotangent of an array whose items' cotangents are these."""
    first = next((np.shape(item) for item in items if item is not None), ())
    return stacked(items, (len(items), *first))


def listed(value: np.ndarray[Any, Any]) -> list[Any]:
    """The cotangents of an array's items along the first axis."""
    return list(value)


def as_cotangent(items: list[Any], like: Any) -> Any:
    """The cotangent of the sequence `like` from those of its items."""
    if isinstance(like, np.ndarray):
        return stacked(items, like.shape)
    if isinstance(like, RE_ITERABLE):
        return dict(enumerate(items))
    if isinstance(like, dict):
        refuse_key(tuple(like), tuple(items))
    if isinstance(like, dict | str | bytes | range):
        return None
    if not isinstance(like, list | tuple | deque):
        raise UnsupportedSyntaxError(
            f"a {type(like).__name__} is unpacked.",
            why="which of its parts the items came from is not known",
            instead="unpack a tuple or list of its parts",
        )
    return tuple(items) if isinstance(like, tuple) else list(items)


def as_unpacked(items: list[Any], like: Any) -> Any:
    """The cotangent of what was unpacked into a list, from those of its items."""
    return as_cotangent(items, like) if isinstance(like, (*RE_ITERABLE, dict, np.ndarray)) else items


SIZED: tuple[type, ...] = (list, tuple, dict, deque, np.ndarray, str, bytes, range, set, *RE_ITERABLE)


def is_single(value: Any) -> bool:
    """Whether a value has no items, and what walks over it raises a TypeError.

    >>> is_single(np.float64(1.0)), is_single(np.array(1.0)), is_single("ab"), is_single(iter([]))
    (True, True, False, False)
    """
    if isinstance(value, np.ndarray | np.generic):
        return value.ndim == 0 and not isinstance(value, np.void | np.str_ | np.bytes_)
    return not any(hasattr(type(value), method) for method in ("__iter__", "__getitem__"))


def item_count(value: Any) -> int:
    """The length of what is unpacked; 0 of what cannot be: it is asked for in front of the place where it
    would be unpacked, which may not be reached.

    Raises UnsupportedSyntaxError for objects with an iteration of their own.

    >>> item_count([1.0, 2.0]), item_count(1.0), item_count(None)
    (2, 0, 0)
    """
    if is_single(value):
        return 0
    if not isinstance(value, SIZED):
        raise UnsupportedSyntaxError(
            f"a {type(value).__name__} is unpacked.",
            why="which of its parts the items came from is not known",
            instead="unpack a tuple or list of its parts",
        )
    return size_of(value)


def keys_unpacked(value: Any) -> list[Any]:
    """The keys of what is unpacked into a dict.

    Raises UnsupportedSyntaxError for mappings that are no dicts, whose methods say what they have.

    >>> keys_unpacked({"a": 1.0})
    ['a']
    """
    if not isinstance(value, dict | MappingProxyType):  # that of a class is refused where it is read
        raise UnsupportedSyntaxError(
            f"a {type(value).__name__} is unpacked into a dict.",
            why="which of its parts the values came from is not known",
            instead="make a dict of it first: `{**dict(d)}`",
        )
    return _keys_taken(value) if isinstance(value, dict) else list(value)


def _keys_taken(table: Any) -> list[Any]:
    """The keys of a dict in the order in which `{**table}` takes them."""
    for name in () if is_copied_by_c(table) else ("keys", "__getitem__"):
        if isinstance(in_class(type(table), name), FunctionType):
            raise UnsupportedSyntaxError(
                f"a {type(table).__name__} is unpacked, which has a '{name}' of its own.",
                why="which of its items the values came from is not known",
                instead="make a dict of it first: `{**dict(d)}`",
            )
    return stored_keys(table)


def spread(items: list[Any], star: int, length: int) -> list[Any]:
    """Cotangents of unpacked names as those of the sequence: the starred one is a list of its own."""
    middle = length - (len(items) - 1)
    return [*items[:star], *entries(items[star], middle), *items[star + 1 :]]


def folded(value: Any, length: int) -> list[Any] | None:
    """The cotangent of `xs` in `xs * n`, xs of this length."""
    if value is None:
        return None
    result: list[Any] = [None] * length
    for position, item in enumerate(value):
        result[position % length] = accumulate(result[position % length], item)
    return result


def split_keys(items: dict[Any, Any], keys: Any) -> dict[Any, Any]:
    """Remove these keys from a dict's cotangent and return them."""
    return {key: items.pop(key) for key in keys if key in items}


def from_values(positions: dict[int, Any] | None, keys: Any) -> dict[Any, Any] | None:
    """The cotangent of a dict from that of its values, by position."""
    if positions is None:
        return None
    result: dict[Any, Any] = {}
    for position, value in positions.items():
        result[keys[position]] = accumulate(result.get(keys[position]), value)
    return result


def from_items(positions: dict[int, Any] | None, keys: Any) -> dict[Any, Any] | None:
    """The cotangent of a dict from that of its items, pairs by position."""
    if positions is None:
        return None
    found = {position: pair for position, pair in positions.items() if pair is not None}
    for position, pair in found.items():
        if is_function_like(type(keys[position])):
            refuse_key(keys[position], pair[0])
    return from_values({position: pair[1] for position, pair in found.items()}, keys)


def values_dot(positions: Any, keys: Any) -> dict[Any, Any] | None:
    """The tangent of `from_values`, out of that of the cotangent by position: zero, where that was None.

    >>> values_dot({0: 1.0, 1: 0.0}, ["a", "b"]), values_dot(0.0, ["a"])
    ({'a': 1.0, 'b': 0.0}, None)
    """
    return None if _is_plain_zero(positions) else from_values(positions, keys)


def items_dot(positions: Any, keys: Any) -> dict[Any, Any] | None:
    """The tangent of `from_items` in the same way: of the keys, which have none, nothing is asked.

    >>> items_dot({0: (0.0, 1.0), 1: 0.0}, ["a", "b"])
    {'a': 1.0}
    """
    if positions is None or _is_plain_zero(positions):
        return None
    found = {position: pair for position, pair in positions.items() if isinstance(pair, tuple | list)}
    return from_values({position: pair[1] for position, pair in found.items()}, keys)


def values_at(value: Any, keys: Any, positions: Any) -> dict[int, Any] | None:
    """The entries of a dict's cotangent by those positions of which `from_values` has made it.

    >>> values_at({"b": 2.0}, ["a", "b"], {0: 1.0, -1: 3.0})
    {-1: 2.0}
    """
    if value is None or positions is None or _is_plain_zero(value):
        return None
    return {position: value[keys[position]] for position in positions if keys[position] in value}


def items_at(value: Any, keys: Any, positions: Any) -> dict[int, Any] | None:
    """The same as pairs, of which `from_items` has made it.

    >>> items_at({"b": 2.0}, ["a", "b"], {1: (None, 1.0)})
    {1: (None, 2.0)}
    """
    found = values_at(value, keys, positions)
    return None if found is None else {position: (None, entry) for position, entry in found.items()}


def keys_of(value: Any) -> list[Any]:
    """The keys of a dict, in order."""
    return stored_keys(value)


def layout_of(value: Any) -> Any:
    """What is needed to gather cotangents into the form of an unpacked argument: its length or keys, or the
    shape of an array."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fciub":
        return np.shape(value)
    if isinstance(value, RE_ITERABLE):
        return list(range(len(value)))  # type: ignore[arg-type]  # views have a length
    if isinstance(value, MappingProxyType) or is_set(value):
        return list(value)
    return _keys_taken(value) if isinstance(value, dict) else item_count(value)


class KeysWalked:
    """The layout of a dict whose keys were handed over one by one, as in `f(*d)`."""

    def __init__(self, keys: list[Any]) -> None:
        self.keys = keys


def walked_layout_of(value: Any) -> Any:
    """The same of an argument of which all is handed over that a loop over it would get."""
    return KeysWalked(list(value)) if isinstance(value, dict | MappingProxyType) else layout_of(value)


def gathered(items: list[Any], layout: Any) -> Any:
    """Take the cotangents of an unpacked argument from the end of a list."""
    return _in_layout(split_tail(items, entries_of(layout)), layout)


def entries_of(layout: Any) -> int:
    """How many entries an argument of this layout is unpacked into."""
    if isinstance(layout, tuple):
        return int(layout[0])
    if isinstance(layout, KeysWalked):
        return len(layout.keys)
    return len(layout) if isinstance(layout, list) else int(layout)


def _in_layout(bars: Sequence[Any], layout: Any) -> Any:
    """The cotangents of all entries in the form of the argument: a dict by its keys, the rows of an array,
    which are zero where there is none, else a tuple."""
    if isinstance(layout, list):
        return dict(zip(layout, bars, strict=True))
    if isinstance(layout, KeysWalked):
        refuse_key(tuple(layout.keys), tuple(bars))
        return None
    if not isinstance(layout, tuple):
        return tuple(bars)
    if all(bar is None for bar in bars):
        return None
    return np.stack([np.broadcast_to(0.0 if bar is None else bar, layout[1:]) for bar in bars])


def unrolled(value: dict[Any, Any] | None, key: Any) -> dict[Any, Any] | None:
    """The cotangent of a function that captures itself as `key`: shares of its inner calls added in."""
    total: dict[Any, Any] | None = None
    while value is not None:
        total = accumulate(total, {name: part for name, part in value.items() if name != key})
        value = value.get(key)
    return total


def between(bars: Any, first: int, after: int, layout: Any) -> Any:
    """The cotangent of an argument that was unpacked: all entries but the `first` first and the
    `after` last, in the form that `layout` tells."""
    return _in_layout(bars[first : len(bars) - after], layout)


def put_between(bar: Any, bars: Any, first: int, layout: Any) -> tuple[Any, ...]:
    """The transpose of `between`: entries for all of `bars`, None where nothing was taken."""
    result: list[Any] = [None] * len(bars)
    if bar is not None and not isinstance(layout, KeysWalked):
        chosen = [bar.get(key) for key in layout] if isinstance(layout, list) else list(bar)
        result[first : first + len(chosen)] = chosen
    return tuple(result)


def remaining(bars: Any, first: int, layout: Any) -> int:
    """How many entries there are behind those that an unpacked argument takes."""
    return len(bars) - first - entries_of(layout)
