"""Programs in plain Python that stand for builtins on containers: the engine differentiates them.

Each has its builtin's value, calls what it is given as often and in the same order, and raises the
same exceptions. Those of lazy builtins return a list: they are used only where the whole of it is
consumed at once, so that nobody can tell.
"""

# ruff: noqa: B905, C403, C416, PERF403
# Loops where `list(...)` would do: what these programs stand for cannot be called in them.

from __future__ import annotations

import copy
import functools
import itertools
import math
import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np

from zygpy.runtime import joining
from zygpy.runtime.columns import columns
from zygpy.runtime.copies import (
    UNEXPECTED,
    duplicate,
    duplicate_deeply,
    is_dataclass_instance,
    is_named_tuple,
    kept_fields,
    names_of_fields,
)
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.native import is_copied_by_c, plain_dict
from zygpy.runtime.nesting import as_rows
from zygpy.runtime.orders import permutation, place_of_largest, place_of_smallest
from zygpy.runtime.partials import label


def listed(iterable: Any = (), /) -> Any:
    """`list` of an iterator."""
    return [item for item in iterable]


def tupled(iterable: Any = (), /) -> Any:
    """`tuple` of an iterator."""
    return (*[item for item in iterable],)


def collected(iterable: Any = (), /) -> Any:
    """`set` of an iterator."""
    return set([item for item in iterable])


def collected_for_good(iterable: Any = (), /) -> Any:
    """`frozenset` of an iterator."""
    return frozenset([item for item in iterable])


def in_order(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted`."""
    items = [item for item in iterable]
    keys = items if key is None else [key(item) for item in items]
    return [items[position] for position in permutation(keys, reverse)]


def in_order_of_items(iterable: Any, /, *, reverse: Any = False) -> Any:
    """`sorted` without a key, of what runs no code when it is compared."""
    items = [item for item in iterable]
    return [items[position] for position in permutation(items, reverse)]


def put_in_order_of_items(items: Any, /, *, reverse: Any = False) -> None:
    """`list.sort` of such things."""
    old = [item for item in items]
    for position, source in enumerate(permutation(old, reverse)):
        items[position] = old[source]


def put_in_order(items: Any, /, *, key: Any = None, reverse: Any = False) -> None:
    """`list.sort`."""
    old = [item for item in items]
    keys = old if key is None else [key(item) for item in old]
    for position, source in enumerate(permutation(keys, reverse)):
        items[position] = old[source]


def reduced(function: Any, sequence: Any, /) -> Any:
    """`functools.reduce` over a sequence, from its first item."""
    if len(sequence) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    result = sequence[0]
    for position in range(1, len(sequence)):
        result = function(result, sequence[position])
    return result


def reduced_lazily(function: Any, iterable: Any, /) -> Any:
    """`functools.reduce` over any iterable, from its first item."""
    empty, result = True, None
    for item in iterable:
        if empty:
            empty, result = False, item
        else:
            result = function(result, item)
    if empty:
        raise TypeError("reduce() of empty iterable with no initial value")
    return result


def reduced_from(function: Any, iterable: Any, initial: Any, /) -> Any:
    """`functools.reduce` with an initial value."""
    result = initial
    for item in iterable:
        result = function(result, item)
    return result


def mapped(function: Any, iterable: Any, /) -> Any:
    """`map` over one iterable."""
    return [function(item) for item in iterable]


def mapped_over_two(function: Any, first: Any, second: Any, /) -> Any:
    """`map` over two iterables."""
    return [function(a, b) for a, b in zip(first, second)]


def mapped_over_three(function: Any, first: Any, second: Any, third: Any, /) -> Any:
    """`map` over three iterables."""
    return [function(a, b, c) for a, b, c in zip(first, second, third)]


def filtered(function: Any, iterable: Any, /) -> Any:
    """`filter`."""
    return [item for item in iterable if (item if function is None else function(item))]


def zipped(first: Any, second: Any, /) -> Any:
    """`zip` of two iterables."""
    return [(a, b) for a, b in zip(first, second)]


def zipped_three(first: Any, second: Any, third: Any, /) -> Any:
    """`zip` of three iterables."""
    return [(a, b, c) for a, b, c in zip(first, second, third)]


def numbered(iterable: Any, start: Any = 0) -> Any:
    """`enumerate`."""
    return [(number, item) for number, item in enumerate(iterable, start)]


def backwards(sequence: Any, /) -> Any:
    """`reversed`."""
    return [item for item in reversed(sequence)]


def added_up(iterable: Any, /, start: Any = 0) -> Any:
    """`sum` of what is not numbers: lists, tuples, objects."""
    result = start
    for item in iterable:
        result = result + item
    return result


def sum_listed(iterable: Any, /, start: Any = 0) -> Any:
    """`sum` of an iterator of numbers."""
    return sum([item for item in iterable], start)


def fsum_listed(iterable: Any, /) -> Any:
    """`math.fsum` of an iterator."""
    return math.fsum([item for item in iterable])


def multiplied(iterable: Any, /, *, start: Any = 1) -> Any:
    """`math.prod`."""
    result = start
    for item in iterable:
        result = result * item
    return result


def mean_listed(data: Any) -> Any:
    """`statistics.mean` of an iterator."""
    return statistics.mean([item for item in data])


def harmonic_mean_listed(data: Any, weights: Any = None) -> Any:
    """`statistics.harmonic_mean` of an iterator."""
    return statistics.harmonic_mean([item for item in data], weights)


def variance_listed(data: Any, xbar: Any = None) -> Any:
    """`statistics.variance` of an iterator."""
    return statistics.variance([item for item in data], xbar)


def pvariance_listed(data: Any, mu: Any = None) -> Any:
    """`statistics.pvariance` of an iterator."""
    return statistics.pvariance([item for item in data], mu)


def stdev_listed(data: Any, xbar: Any = None) -> Any:
    """`statistics.stdev` of an iterator."""
    return statistics.stdev([item for item in data], xbar)


def pstdev_listed(data: Any, mu: Any = None) -> Any:
    """`statistics.pstdev` of an iterator."""
    return statistics.pstdev([item for item in data], mu)


STATISTICS: Mapping[Any, Any] = {
    statistics.mean: mean_listed,
    statistics.harmonic_mean: harmonic_mean_listed,
    statistics.variance: variance_listed,
    statistics.pvariance: pvariance_listed,
    statistics.stdev: stdev_listed,
    statistics.pstdev: pstdev_listed,
}
"""Functions of `statistics` on iterators."""


def largest(iterable: Any, /, *, key: Any = None) -> Any:
    """`max` of an iterator."""
    items = [item for item in iterable]
    return max(items) if key is None else max(items, key=key)


def smallest(iterable: Any, /, *, key: Any = None) -> Any:
    """`min` of an iterator."""
    items = [item for item in iterable]
    return min(items) if key is None else min(items, key=key)


def largest_number(items: Any, /) -> Any:
    """`max` of a list of numbers."""
    return items[place_of_largest(items)]


def smallest_number(items: Any, /) -> Any:
    """`min` of a list of numbers."""
    return items[place_of_smallest(items)]


def largest_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """`max` of an iterable that may be empty."""
    items = [item for item in iterable]
    return default if len(items) == 0 else largest(items, key=key)


def smallest_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """`min` of an iterable that may be empty."""
    items = [item for item in iterable]
    return default if len(items) == 0 else smallest(items, key=key)


def largest_by(iterable: Any, /, *, key: Any = None) -> Any:
    """`max` by a key that does something, or of what can be changed."""
    items, keys = [], []
    for item in iterable:
        items.append(item)
        keys.append(item if key is None else key(item))
    return items[place_of_largest(keys)]


def smallest_by(iterable: Any, /, *, key: Any = None) -> Any:
    """`min` by a key that does something, or of what can be changed."""
    items, keys = [], []
    for item in iterable:
        items.append(item)
        keys.append(item if key is None else key(item))
    return items[place_of_smallest(keys)]


def largest_by_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """`max` by such a key of an iterable that may be empty."""
    items = [item for item in iterable]
    return default if len(items) == 0 else largest_by(items, key=key)


def smallest_by_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """`min` by such a key of an iterable that may be empty."""
    items = [item for item in iterable]
    return default if len(items) == 0 else smallest_by(items, key=key)


def largest_of_several(*items: Any, key: Any = None) -> Any:
    """`max` of several arguments by such a key."""
    return largest_by(items, key=key)


def smallest_of_several(*items: Any, key: Any = None) -> Any:
    """`min` of several arguments by such a key."""
    return smallest_by(items, key=key)


def named(**items: Any) -> Any:
    """`dict` of keyword arguments."""
    return items


def copied_dict(items: Any, /) -> Any:
    """`dict` of a dict, and its `copy.copy`."""
    return items.copy()


def paired(pairs: Any, /) -> Any:
    """`dict` of an iterable of pairs."""
    result: dict[Any, Any] = {}
    for key, value in pairs:
        result[key] = value
    return result


def paired_or_copied(items: Any, /) -> Any:
    """`dict` of what may be a mapping or an iterable of pairs."""
    result: dict[Any, Any] = {}
    if is_copied_by_c(items):
        result = plain_dict(items)
    elif hasattr(items, "keys"):
        for key in items.keys():  # noqa: SIM118  (as `dict` does)
            result[key] = items[key]
    else:
        for key, value in items:
            result[key] = value
    return result


def itself(value: Any) -> Any:
    """`copy.copy` of what is immutable."""
    return value


def entry(value: Any, index: Any, /) -> Any:
    """`operator.getitem`."""
    return value[index]


def store_entry(container: Any, index: Any, value: Any, /) -> None:
    """`operator.setitem`."""
    container[index] = value


def delete_entry(container: Any, index: Any, /) -> None:
    """`operator.delitem`."""
    del container[index]


def joined_sequences(first: Any, second: Any, /) -> Any:
    """`operator.concat`, for sequences alone."""
    if isinstance(first, np.ndarray) or not hasattr(first, "__getitem__"):
        raise TypeError(f"{type(first).__name__!r} object can't be concatenated")
    return first + second


def extended_sequence(first: Any, second: Any, /) -> Any:
    """`operator.iconcat`, for sequences alone."""
    if isinstance(first, np.ndarray) or not hasattr(first, "__getitem__"):
        raise TypeError(f"{type(first).__name__!r} object can't be concatenated")
    first += second
    return first


def called(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`operator.call`."""
    return function(*args, **kwargs)


def decorated(
    wrapper: Any,
    wrapped: Any,
    assigned: Any = functools.WRAPPER_ASSIGNMENTS,
    updated: Any = functools.WRAPPER_UPDATES,
) -> Any:
    """`functools.update_wrapper`, which gives back the function that it labels."""
    label(wrapper, wrapped, assigned, updated)
    return wrapper


def copied(value: Any) -> Any:
    """`copy.copy` of a list or an array."""
    return value.copy()


def unzipped(rows: Any, /) -> Any:
    """`zip(*rows)`."""
    columns = [[item for item in row] for row in rows]
    if len(columns) == 0:
        return []
    count = min([len(column) for column in columns])
    return [tuple([column[position] for column in columns]) for position in range(count)]


def unzipped_numbers(rows: Any, /) -> Any:
    """`zip(*rows)` of rows of numbers."""
    return columns(rows)


def chained(*iterables: Any) -> Any:
    """`itertools.chain`."""
    return [item for iterable in iterables for item in iterable]


def chained_each(iterables: Any, /) -> Any:
    """`itertools.chain.from_iterable`, and `itertools.chain` of unpacked arguments."""
    return [item for iterable in iterables for item in iterable]


def product_of_two(first: Any, second: Any, /) -> Any:
    """`itertools.product` of two iterables."""
    inner = [b for b in second]
    return [(a, b) for a in first for b in inner]


def product_of_three(first: Any, second: Any, third: Any, /) -> Any:
    """`itertools.product` of three iterables."""
    middle = [b for b in second]
    inner = [c for c in third]
    return [(a, b, c) for a in first for b in middle for c in inner]


def neighbours(iterable: Any, /) -> Any:
    """`itertools.pairwise`."""
    items = [item for item in iterable]
    return [(items[position], items[position + 1]) for position in range(len(items) - 1)]


def zipped_longest(first: Any, second: Any, /, *, fillvalue: Any = None) -> Any:
    """`itertools.zip_longest` of two iterables."""
    left = [item for item in first]
    right = [item for item in second]
    return [
        (
            left[place] if place < len(left) else fillvalue,
            right[place] if place < len(right) else fillvalue,
        )
        for place in range(max(len(left), len(right)))
    ]


def groups(iterable: Any, key: None = None) -> Any:
    """`itertools.groupby` of what is equal, with lists of the items."""
    items = [item for item in iterable]
    result, start = [], 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and items[start] == items[stop]:
            stop += 1
        result.append((items[start], items[start:stop]))
        start = stop
    return result


def groups_by(iterable: Any, key: Any) -> Any:
    """`itertools.groupby` of what has an equal key, with lists of the items."""
    items = [item for item in iterable]
    keys = [key(item) for item in items]
    result, start = [], 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and keys[start] == keys[stop]:
            stop += 1
        result.append((keys[start], items[start:stop]))
        start = stop
    return result


def beginning(iterable: Any, stop: Any, /) -> Any:
    """`itertools.islice` up to a position."""
    itertools.islice((), stop)
    items = [item for item in iterable]
    return items[:stop]


def section(iterable: Any, start: Any, stop: Any, step: Any = 1, /) -> Any:
    """`itertools.islice` from a position."""
    itertools.islice((), start, stop, step)
    items = [item for item in iterable]
    return items[start:stop:step]


def starmapped(function: Any, iterable: Any, /) -> Any:
    """`itertools.starmap`."""
    return [function(*items) for items in iterable]


def running_sums(iterable: Any, func: None = None, /) -> Any:
    """`itertools.accumulate` with `+`."""
    items = [item for item in iterable]
    if len(items) == 0:
        return []
    total = items[0]
    result = [total]
    for position in range(1, len(items)):
        total = total + items[position]
        result.append(total)
    return result


def running(iterable: Any, func: Any) -> Any:
    """`itertools.accumulate` with a function."""
    items = [item for item in iterable]
    if len(items) == 0:
        return []
    total = items[0]
    result = [total]
    for position in range(1, len(items)):
        total = func(total, items[position])
        result.append(total)
    return result


def running_sums_from(iterable: Any, func: None = None, /, *, initial: Any) -> Any:
    """`itertools.accumulate` with `+` that begins with something, if with anything."""
    items = [item for item in iterable]
    if initial is None:
        if len(items) == 0:
            return []
        initial = items.pop(0)
    total = initial
    result = [total]
    for item in items:
        total = total + item
        result.append(total)
    return result


def running_from(iterable: Any, func: Any, *, initial: Any) -> Any:
    """The same with a function."""
    items = [item for item in iterable]
    if initial is None:
        if len(items) == 0:
            return []
        initial = items.pop(0)
    total = initial
    result = [total]
    for item in items:
        total = func(total, item)
        result.append(total)
    return result


def combined(iterable: Any, r: Any) -> Any:
    """`itertools.combinations`."""
    items = [item for item in iterable]
    chosen = list(itertools.combinations(range(len(items)), r))
    return [tuple([items[position] for position in positions]) for positions in chosen]


def compressed(data: Any, selectors: Any) -> Any:
    """`itertools.compress`."""
    return [item for item, selector in zip(data, selectors) if selector]


def repeated(value: Any, times: Any) -> Any:
    """`itertools.repeat`, a number of times."""
    return [value for _ in range(times)]


def taken_while(predicate: Any, iterable: Any, /) -> Any:
    """`itertools.takewhile`."""
    result = []
    for item in iterable:
        if not predicate(item):
            break
        result.append(item)
    return result


# --------------------------------------------------------------------------------- copies and records


def copied_number(value: Any) -> Any:
    """`copy.copy` and `copy.deepcopy` of what is a number or an array."""
    return value.copy() if isinstance(value, np.ndarray) else value


def copied_shallowly(x: Any) -> Any:
    """`copy.copy` of what may be anything."""
    return duplicate(x)


def copied_deeply(x: Any, memo: Any = None) -> Any:
    """`copy.deepcopy` of what may be anything."""
    return duplicate_deeply(x, memo)


def with_changes(obj: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace`."""
    for name in kept_fields(obj, list(changes)):
        changes[name] = getattr(obj, name)
    return type(obj)(**changes)


def as_dict(obj: Any, *, dict_factory: Any = None) -> Any:
    """`dataclasses.asdict`."""
    factory = dict if dict_factory is None else dict_factory
    names = names_of_fields(obj, "asdict")
    return factory([(name, inner_dicts(getattr(obj, name), factory)) for name in names])


def inner_dicts(value: Any, factory: Any) -> Any:
    """What `dataclasses.asdict` makes of a field's value."""
    if is_dataclass_instance(value):
        names = names_of_fields(value, "asdict")
        return factory([(name, inner_dicts(getattr(value, name), factory)) for name in names])
    if is_named_tuple(value):
        return type(value)(*[inner_dicts(item, factory) for item in value])
    if isinstance(value, list | tuple):
        return type(value)([inner_dicts(item, factory) for item in value])
    if isinstance(value, dict):
        pairs = [(inner_dicts(key, factory), inner_dicts(item, factory)) for key, item in value.items()]
        return type(value)(pairs)
    return copy.deepcopy(value)


def as_tuple(obj: Any, *, tuple_factory: Any = None) -> Any:
    """`dataclasses.astuple`."""
    factory = tuple if tuple_factory is None else tuple_factory
    names = names_of_fields(obj, "astuple")
    return factory([inner_tuples(getattr(obj, name), factory) for name in names])


def inner_tuples(value: Any, factory: Any) -> Any:
    """What `dataclasses.astuple` makes of a field's value."""
    if is_dataclass_instance(value):
        names = names_of_fields(value, "astuple")
        return factory([inner_tuples(getattr(value, name), factory) for name in names])
    if is_named_tuple(value):
        return type(value)(*[inner_tuples(item, factory) for item in value])
    if isinstance(value, list | tuple):
        return type(value)([inner_tuples(item, factory) for item in value])
    if isinstance(value, dict):
        pairs = [(inner_tuples(key, factory), inner_tuples(item, factory)) for key, item in value.items()]
        return type(value)(pairs)
    return copy.deepcopy(value)


def with_fields(record: Any, /, **given: Any) -> Any:
    """`_replace` of a named tuple."""
    names = record._fields
    unexpected = [name for name in given if name not in names]
    if unexpected:
        raise UNEXPECTED(f"Got unexpected field names: {unexpected!r}")
    items = [given[names[k]] if names[k] in given else record[k] for k in range(len(names))]
    return like_tuple(type(record), items)


def made_of(cls: Any, iterable: Any) -> Any:
    """`_make` of a named tuple's class."""
    items = [item for item in iterable]
    if len(items) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(items)}")
    return like_tuple(cls, items)


def fields_by_name(record: Any) -> Any:
    """`_asdict` of a named tuple."""
    result: dict[str, Any] = {}
    for position, name in enumerate(record._fields):
        result[name] = record[position]
    return result


# ------------------------------------------------------------------------------------- growing dicts


def updated(table: Any, other: Any = (), /, **items: Any) -> None:
    """`dict.update`, with a mapping or with pairs, and with keywords."""
    if hasattr(other, "keys"):
        for key in other.keys():  # noqa: SIM118  (as `dict` does)
            table[key] = other[key]
    else:
        for key, value in other:
            table[key] = value
    for name in items:
        table[name] = items[name]


def made_dict(other: Any = (), /, **items: Any) -> Any:
    """`dict` of a mapping or of pairs, and of keywords."""
    if is_copied_by_c(other):
        return {**plain_dict(other), **items}
    return asked_dict(other, **items)


def asked_dict(other: Any = (), /, **items: Any) -> Any:
    """The same, where a mapping is asked for what it holds."""
    result: dict[Any, Any] = {}
    if hasattr(other, "keys"):
        for key in other.keys():  # noqa: SIM118  (as `dict` does)
            result[key] = other[key]
    else:
        for key, value in other:
            result[key] = value
    for name in items:
        result[name] = items[name]
    return result


def from_keys(keys: Any, value: Any = None, /) -> Any:
    """`dict.fromkeys`."""
    result: dict[Any, Any] = {}
    for key in keys:
        result[key] = value
    return result


def refilled(instance: Any, items: Any) -> None:
    """How `copy.copy` fills a list of another class."""
    for item in items:
        instance.append(item)


def refilled_deeply(instance: Any, items: Any, memo: Any) -> None:
    """How `copy.deepcopy` does."""
    for item in items:
        instance.append(duplicate_deeply(item, memo))


def refilled_table(instance: Any, table: Any) -> None:
    """How `copy.copy` fills a dict of another class."""
    for key, value in table.items():
        instance[key] = value


def refilled_table_deeply(instance: Any, table: Any, memo: Any) -> None:
    """How `copy.deepcopy` does."""
    for key, value in table.items():
        new_key = duplicate_deeply(key, memo)
        instance[new_key] = duplicate_deeply(value, memo)


def grown_set(elements: Any, /, *iterables: Any) -> None:
    """`set.update`."""
    for iterable in iterables:
        for item in iterable:
            elements.add(item)


def shrunk_set(elements: Any, /, *iterables: Any) -> None:
    """`set.difference_update`."""
    for iterable in iterables:
        for item in iterable:
            elements.discard(item)


def extended(items: Any, iterable: Any, /) -> None:
    """`list.extend` of what has no length."""
    for item in iterable:
        items.append(item)


def joined_text(text: Any, parts: Any, /) -> Any:
    """`str.join` of what has no length."""
    listed = [part for part in parts]
    return text.join(listed)


def _are_bounds_first() -> bool:
    """Whether this Python finds the bounds of a slice before it computes the items that are stored there."""
    items = [0]
    items[1:] = (items.append(1) or 2 for _ in range(1))  # type: ignore[func-returns-value]
    return items == [0, 2, 1]


BOUNDS_FIRST = _are_bounds_first()


def with_slice(items: Any, where: Any, iterable: Any, /) -> None:
    """`items[where] = iterable` of what has no length, which may change the list while it is walked over."""
    start, stop, step = where.indices(len(items))
    count = len(range(start, stop, step))
    new = [item for item in iterable]
    if not BOUNDS_FIRST:
        items[where] = new
        return
    if step != 1 and len(new) != count:
        raise ValueError(f"attempt to assign sequence of size {len(new)} to extended slice of size {count}")
    items[start : None if stop < 0 else stop : step] = new


def array_of_rows(object: Any, dtype: Any = None, copy: Any = True) -> Any:
    """`np.array` of rows of several sorts: lists, tuples, arrays."""
    rows = as_rows(object)
    return rows if dtype is None else np.array(rows, dtype)


def stacked_rows(arrays: Any, axis: Any = 0) -> Any:
    """`np.stack` of such rows."""
    return joining.stack([as_rows(row) for row in arrays], axis)


def concatenated_rows(arrays: Any, axis: Any = 0) -> Any:
    """`np.concatenate` of such rows."""
    return joining.concatenate([as_rows(row) for row in arrays], axis)


def rows_above_each_other(tup: Any) -> Any:
    """`np.vstack` of such rows."""
    return joining.vstack([as_rows(row) for row in tup])


def rows_beside_each_other(tup: Any) -> Any:
    """`np.hstack` of such rows."""
    return joining.hstack([as_rows(row) for row in tup])


def rows_as_columns(tup: Any) -> Any:
    """`np.column_stack` of such rows."""
    return joining.column_stack([as_rows(row) for row in tup])


def rows_behind_each_other(tup: Any) -> Any:
    """`np.dstack` of such rows."""
    return joining.dstack([as_rows(row) for row in tup])


def selected(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """`np.select`."""
    if len(condlist) != len(choicelist) or len(condlist) == 0:
        return np.select([], [], 0)  # which says what is wrong
    result = default
    for position in range(len(condlist) - 1, -1, -1):
        result = np.where(condlist[position], choicelist[position], result)
    return result


def resized(a: Any, new_shape: Any) -> Any:
    """`np.resize`."""
    flat = np.ravel(a)
    size = int(np.prod(new_shape))
    if size == 0 or flat.size == 0:
        return np.zeros_like(flat, shape=new_shape)
    return np.reshape(np.concatenate((flat,) * -(-size // flat.size))[:size], new_shape)


def array_of_items(iter: Any, dtype: Any, count: Any = -1, *, like: Any = None) -> Any:
    """`np.fromiter`."""
    items = [item for item in (iter if count < 0 else itertools.islice(iter, count))]
    if len(items) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return np.array(items, dtype=dtype)


def open_mesh(*args: Any) -> Any:
    """`np.ix_` of numbers that are no indices."""
    count = len(args)
    return tuple(
        [np.reshape(args[axis], (1,) * axis + (-1,) + (1,) * (count - axis - 1)) for axis in range(count)]
    )


def joined_along(parts: Any, dtype: Any, axes: Any) -> Any:
    """`np.r_` and `np.c_` of numbers and arrays, as numbers of a dtype: along an axis of so many at least,
    among which those that a part has stand at a place, counted from the last one if it is negative."""
    axis, least, place = axes
    joined = []
    for part in parts:
        missing = least - np.ndim(part)
        array = np.asarray(part, dtype)
        if missing > 0:
            before = place + missing + 1 if place < 0 else min(place, missing)
            array = np.reshape(array, (1,) * before + np.shape(part) + (1,) * (missing - before))
        joined.append(array)
    return np.concatenate(joined, axis=axis)
