"""What a function finds outside when it runs, told by what it shows: it computes the same while that is the
same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

SETTLED = frozenset({float, int, str, bool, type(None)})
"""Classes of numbers and texts that the result may depend on."""

ROWS = frozenset({tuple, list})
AS_MANY = 256
"""Tables outside may have so many entries: each outermost call looks at all of them."""

Form: TypeAlias = "tuple[type, bool]"
Outside: TypeAlias = tuple[tuple[Mapping[str, Any], str, Form], ...]
"""Variables outside, by the names in which they are, and of what form a function expects them."""


def form_of(value: Any) -> Form:
    """Whether a table has nothing in it that can be changed itself, or shares its memory, and its class; of
    all numbers and texts the same.

    >>> form_of([1.0, (2.0, "a")]), form_of({"k": [1.0]}), form_of(2.0), form_of(True)
    ((<class 'list'>, True), (<class 'dict'>, False), (<class 'object'>, True), (<class 'object'>, True))
    """
    cls = type(value)
    if cls in SETTLED:
        return object, True
    if cls is np.ndarray:
        return cls, value.ndim <= 1
    items = items_of(value)
    return cls, all(type(item) in SETTLED or (type(item) is tuple and form_of(item)[1]) for item in items)


def is_shown(value: Any) -> bool:
    """Whether a value may be told by what it shows: numbers, texts, and small tables of these, or of such
    tables.

    >>> is_shown([1.0, ("a", None)]), is_shown({"k": {1.0}}), is_shown([0.0] * 1000), is_shown(np.zeros(3))
    (True, False, False, True)
    """
    if type(value) is np.ndarray:
        return value.dtype.kind in "fiubc" and value.size <= AS_MANY
    return _size(value) <= AS_MANY and (form_of(value)[1] or all(map(_is_flat, items_of(value))))


def items_of(table: Any) -> Any:
    """The items of a list, tuple or dict."""
    return table.values() if type(table) is dict else table


def _is_flat(item: Any) -> bool:
    return type(item) in SETTLED or form_of(item)[1]


def _size(value: Any) -> int:
    """How many numbers a table has; more than there may be where it has anything else, or has itself."""
    size, waiting = 0, [value]
    while waiting and size <= AS_MANY:
        found = waiting.pop()
        cls = type(found)
        size += 1
        if cls in ROWS:
            size += len(found)
            waiting.extend(found[:AS_MANY])
        elif cls is dict:
            size += 2 * len(found)
            waiting.extend(list(found)[:AS_MANY])
            waiting.extend(list(found.values())[:AS_MANY])
        elif cls not in SETTLED:
            size += AS_MANY + 1
    return size


def shown(outside: Outside) -> Any:
    """What variables outside show now, to be compared; None where that cannot be told, or is of another
    form.

    >>> tables = [1.0], [1.0], [1], (1.0,), [[1.0]]
    >>> found = [shown((({"k": table}, "k", (list, True)),)) for table in tables]
    >>> found[0] == found[1], found[0] == found[2], found[3:]
    (True, False, [None, None])
    """
    found = [(space.get(name, MISSING), form) for space, name, form in outside]
    same = all(is_shown(value) and form_of(value) == form for value, form in found)
    return tuple([_shown(value) for value, _ in found]) if same else None


MISSING = object()


def _shown(value: Any) -> Any:
    cls = type(value)
    if cls in ROWS:
        return (cls, tuple(map(_shown, value)))
    if cls is dict:
        return (cls, tuple([(_shown(key), _shown(item)) for key, item in value.items()]))
    if cls is np.ndarray:
        return (cls, value.dtype.str, value.shape, value.tobytes())
    return (cls, repr(value))


class Tables:
    """Tables of what is kept: another one as soon as what is outside has changed, or one is full."""

    def __init__(self, outside: Outside, room: int) -> None:
        self.outside, self.room = outside, room
        self.now: tuple[Any, dict[Any, Any]] = ((), {})

    def current(self) -> dict[Any, Any] | None:
        """The table of what is outside now; None where that is nothing that can be compared.

        >>> tables = Tables((), 2)
        >>> known = tables.current()
        >>> known.update(a=1), tables.current() is known, known.update(b=2), tables.current()
        (None, True, None, {})
        """
        seen = shown(self.outside) if self.outside else ()
        before, known = self.now
        if seen is None:
            return None
        if seen != before or len(known) >= self.room:
            known = {}
            self.now = seen, known
        return known
