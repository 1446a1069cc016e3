"""What `functools.update_wrapper` copies from a function to what wraps it."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from zygpy.runtime.lookup import own_fields
from zygpy.runtime.partials import label
from zygpy.runtime.store import place_of_fields
from zygpy.runtime.ways import Way

WRAPPED, FIELDS = "__wrapped__", "__dict__"


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`label(wrapper, wrapped, assigned, updated)`, which copies fields that may have a gradient; None for
    anything else."""
    if function is not label:
        return None
    wrapper, wrapped, assigned, updated = args
    function(*args)
    names = [name for name in own_fields(wrapped) if name in assigned or FIELDS in updated]
    return None, Copied(wrapper, wrapped, [name for name in names if name != WRAPPED])


class Copied:
    """The pullback of copying fields. A function that wraps another has captured that, as far as is known;
    any other object has it in a field."""

    def __init__(self, wrapper: Any, wrapped: Any, names: list[str]) -> None:
        self.wrapper, self.wrapped, self.names = wrapper, wrapped, names

    def __call__(self, y_bar: Any, store: Any) -> Any:
        mine, other = place_of_fields(self.wrapper), place_of_fields(self.wrapped)
        own = None if isinstance(self.wrapper, FunctionType) else store.take_key(mine, WRAPPED)
        for name in self.names:
            store.add_key(other, name, store.take_key(mine, name))
        return (None, None, own, None, None)
