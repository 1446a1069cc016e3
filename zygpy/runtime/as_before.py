"""What functions change in their arguments is put back, for those who call a function more than once."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.runtime.given import things_in
from zygpy.runtime.lookup import own_fields, own_slots


class AsBefore:
    """Values as they are now: what is in them can be put back when it was changed.

    >>> values = {"a": [1.0, np.ones(2)]}
    >>> before = AsBefore((values,))
    >>> values["a"][1][0] = 5.0
    >>> values["a"].append(values.pop("a"))
    >>> before.put_back()
    >>> values
    {'a': [1.0, array([1., 1.])]}
    >>> ordered = OrderedDict(a=1.0, b=2.0)
    >>> before = AsBefore((ordered,))
    >>> ordered.move_to_end("a")
    >>> before.put_back()
    >>> list(ordered)
    ['a', 'b']
    """

    def __init__(self, values: tuple[Any, ...]) -> None:
        self._contents = [(thing, _content(thing), _fields(thing)) for thing in things_in(values, None)]

    def put_back(self) -> None:
        """Let all that was found in the values hold what it held."""
        for thing, content, (fields, slots) in self._contents:
            _fill(thing, content)
            _set_fields(thing, fields, slots)

    def anew(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, of which every call finds the values as they were."""

        def called(*args: Any) -> Any:
            self.put_back()
            return function(*args)

        return called


def _content(thing: Any) -> Any:
    """The items of a container or array; None of anything else."""
    if isinstance(thing, np.ndarray):
        return thing.copy() if thing.flags.writeable else None
    if isinstance(thing, dict):
        return dict(_class_of(thing).items(thing))
    return list(thing) if isinstance(thing, list | set | deque) else None


def _fill(thing: Any, content: Any) -> None:
    if isinstance(thing, np.ndarray) and content is not None:
        thing[...] = content
    elif isinstance(thing, list):
        list.__setitem__(thing, slice(None), content)
    elif isinstance(thing, dict):
        cls = _class_of(thing)
        cls.clear(thing)
        for key, value in content.items():
            cls.__setitem__(thing, key, value)
    elif isinstance(thing, set):
        set.clear(thing)
        set.update(thing, content)
    elif isinstance(thing, deque):
        thing.clear()
        thing.extend(content)


def _class_of(thing: dict[Any, Any]) -> type[dict[Any, Any]]:
    """The class whose methods see, and change, all of a dict: its order too, where that is kept beside."""
    return OrderedDict if isinstance(thing, OrderedDict) else dict


def _fields(thing: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of an object, and what is in its slots."""
    return dict(own_fields(thing)), dict(own_slots(thing))


def _set_fields(thing: Any, fields: dict[str, Any], slots: dict[str, Any]) -> None:
    now = own_fields(thing)
    if fields or now:
        now.clear()
        now.update(fields)
    for name, _ in own_slots(thing):
        if name not in slots:
            object.__delattr__(thing, name)
    for name, value in slots.items():
        object.__setattr__(thing, name, value)
