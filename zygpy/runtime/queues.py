"""Queues: what the methods of a `deque` do to its items, undone by position."""

from __future__ import annotations

import operator
import sys
from collections import deque
from typing import Any

from zygpy.runtime.native import native, size_of
from zygpy.runtime.places import Appended, Changed, CopyOf, Rearranged, Removed, answered, sequence


def queue_limit(maxlen: Any) -> int:
    """How many items a queue with this `maxlen` has at most.

    >>> queue_limit(3), queue_limit(None) == sys.maxsize
    (3, True)
    """
    found: int | None = deque(maxlen=maxlen).maxlen
    return sys.maxsize if found is None else found


def turns(steps: Any, size: int) -> int:
    """How often the last of so many items comes to stand in front when they go round by a number of steps.

    >>> turns(5, 3), turns(-1, 3), turns(2, 0)
    (2, 2, 0)
    """
    return operator.index(steps) % size if size else 0


class FirstAppended:
    """`q.appendleft(v)`."""

    def __init__(self, owner: Any, length: int) -> None:
        self.owner, self.length = owner, length

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, store.entries(self.owner, self.length + 1).pop(0))


class FirstRemoved:
    """`y = q.popleft()`."""

    def __init__(self, owner: Any, length: int, value: Any) -> None:
        self.owner, self.length, self.value = owner, length, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.entries(self.owner, self.length - 1).insert(0, store.add(self.value, y_bar))
        return (None,)


MOVING = frozenset(
    {
        *("append", "appendleft", "extend", "extendleft", "insert"),
        *("pop", "popleft", "remove", "clear", "reverse", "rotate", "__iadd__", "__imul__"),
    }
)
"""The methods that change a queue."""


def queue_method(value: Any, name: str, args: Any) -> Any:
    """`value.name(*args)` for a `deque`: the result and its pullback."""
    if name == "copy":
        result = native(value, name)()
        return result, CopyOf(value, result)
    if name not in MOVING:
        return answered(value, name, args, {})
    length = size_of(value)
    if length != value.maxlen and name in ("append", "appendleft") and len(args) == 1:
        native(value, name)(*args)
        return None, (Appended if name == "append" else FirstAppended)(value, length)
    if name in ("pop", "popleft") and not args:
        item = native(value, name)()
        return item, (Removed if name == "pop" else FirstRemoved)(value, length, item)
    return _moved(value, name, args)


def _moved(value: Any, name: str, args: Any) -> Any:
    """A method that is done to the positions of the items as well."""
    length, count = size_of(value), 1 + len(args)
    sources: Any = deque(range(length), value.maxlen)
    items = given = None
    of_its_own = False  # which it may be given to take items from
    if name in ("append", "appendleft"):
        getattr(sources, name)(-1)
        given = 1
    elif name == "insert":
        _insert(sources, args)
        given = 2
    elif name == "remove":
        del sources[native(value, "index")(args[0])]
    elif name in ("extend", "extendleft", "__iadd__"):
        of_its_own = args[0] is value
        items = sequence(list(value) if of_its_own else args[0])
        args = (items,)
        getattr(sources, name)([-1 - place for place in range(len(items))])
        given = 1
    else:
        getattr(sources, name)(*args)
    result = native(value, name)(*args)
    kept = Kept(value, length, list(sources), 1 if items is None else len(items))
    owner = value if of_its_own else items
    return result, Changed(kept, count, given or 0, owner, items is None)


def _insert(sources: Any, args: Any) -> None:
    """Insert the new item's position (of a full queue `insert` itself says that it cannot)."""
    if len(sources) != sources.maxlen:
        sources.insert(args[0], -1)


class Kept(Rearranged):
    """A change of a queue which may have dropped items, new ones among them."""

    def __init__(self, owner: Any, length: int, sources: Any, added: int) -> None:
        super().__init__(owner, length, sources)
        self.added = added

    def __call__(self, store: Any) -> Any:
        kept = sorted([-1 - source for source in self.sources if source < 0])
        renamed = {place: number for number, place in enumerate(kept)}
        given = self.sources
        sources = [source if source >= 0 else -1 - renamed[-1 - source] for source in given]
        new = Rearranged(self.owner, self.length, sources)(store)
        return [new[renamed[place]] if place in renamed else None for place in range(self.added)]
