"""Cotangents of items of items: rows of lists, and what is under the keys of dicts, added to in place.

The outer list or dict, and all lists and dicts in it, belong to the adjoint alone.
"""

from __future__ import annotations

from typing import Any

from zygpy.runtime.accumulate import accumulate, checked_keys


def row_at(bars: list[Any], index: int, length: int, entry: Any) -> list[Any]:
    """The cotangents of the items of a list that is an item itself; `entry` where nothing has come in.

    >>> bars = [None, [1.0]]
    >>> row_at(bars, 0, 2, 0.0)[1] += 3.0
    >>> bars
    [[0.0, 3.0], [1.0]]
    """
    row = bars[index]
    if not isinstance(row, list):
        row = bars[index] = _listed(row, length, entry)
    return row


def row_under(bars: dict[Any, Any], key: Any, length: int, entry: Any) -> list[Any]:
    """The same of a list in a dict."""
    row = bars.get(key)
    if not isinstance(row, list):
        row = bars[key] = _listed(row, length, entry)
    return row


def _listed(row: tuple[Any, ...] | None, length: int, entry: Any) -> list[Any]:
    """The cotangents of a tuple, or none, in a list."""
    return [entry] * length if row is None else list(row)


def keys_at(bars: list[Any], index: int) -> dict[Any, Any]:
    """The cotangents of the values of a dict that is an item of a list."""
    keyed = bars[index]
    if keyed is None:
        keyed = bars[index] = {}
    return checked_keys(keyed)


def keys_under(bars: dict[Any, Any], key: Any) -> dict[Any, Any]:
    """The same of a dict in a dict."""
    keyed = bars.get(key)
    if keyed is None:
        keyed = bars[key] = {}
    return checked_keys(keyed)


def add_to_number(row: list[Any], place: int, added: Any) -> None:
    """Add to the cotangent of a number in a list; where nothing has come in there may be None."""
    before = row[place]
    row[place] = added if before is None else before + added


def add_to_named(keyed: dict[Any, Any], key: Any, added: Any) -> None:
    """Add to the cotangent of a number that is under a key, or in a field.

    >>> keyed = {"x": 1.0}
    >>> add_to_named(keyed, "x", 2.0)
    >>> keyed
    {'x': 3.0}
    """
    before = keyed.get(key)
    keyed[key] = added if before is None else before + added


def add_to_row(bars: list[Any], index: int, length: int, place: int, added: Any) -> None:
    """Add to the cotangent of a number in a list that is an item itself.

    >>> bars = [None, [1.0]]
    >>> add_to_row(bars, 0, 2, -1, 3.0)
    >>> bars
    [[0.0, 3.0], [1.0]]
    """
    row = bars[index]
    if not isinstance(row, list):
        row = bars[index] = _listed(row, length, 0.0)
    before = row[place]
    row[place] = added if before is None else before + added


def add_to_place(bars: Any, place: Any, added: Any) -> None:
    """Add to the cotangent of an item of a list or dict, whatever it is."""
    before = bars.get(place) if isinstance(bars, dict) else bars[place]
    bars[place] = accumulate(before, owned_rows(added))


def owned_rows(value: Any) -> Any:
    """The same cotangents in lists and dicts that nobody else has, however deep.

    >>> inner = [1.0]
    >>> owned = owned_rows([inner, None, {"a": inner}])
    >>> owned[0] is inner, owned
    (False, [[1.0], None, {'a': [1.0]}])
    """
    if isinstance(value, list):
        return [owned_rows(item) for item in value]
    if isinstance(value, dict):
        return {key: owned_rows(item) for key, item in value.items()}
    return value


def owned_list_of_rows(value: Any, length: int) -> list[Any]:
    """The cotangents of a list of lists or dicts, which may be None: all of them nobody else has."""
    return [None] * length if value is None else list(map(owned_rows, value))


def owned_dict_of_rows(value: Any) -> dict[Any, Any]:
    """The same of a dict or an object."""
    return {} if value is None else {key: owned_rows(item) for key, item in checked_keys(value).items()}
