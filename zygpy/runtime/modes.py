"""Ways to take the entry points that few programs ask for: until one does, nobody looks."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, ClassVar, TypeAlias

Handler: TypeAlias = "Callable[[str, Callable[..., Any], tuple[Any, ...], Mapping[str, Any]], Any]"
"""Given an entry point's name, the function and its arguments: what the entry point gives; None if this
handler has nothing to do with the call."""

Inside: TypeAlias = "Callable[[str, tuple[Any, ...], Mapping[str, Any], Any], Any]"
"""Given an entry point's name, its arguments and the way that the caller is derived in: the call of what does
the same and can be derived itself; None if this has nothing to do with the call."""

CHECKING: ContextVar[bool] = ContextVar("zygpy_checking", default=os.environ.get("ZYGPY_CHECK") == "1")
"""Whether gradients of the running code are compared with numerical ones."""


class Modes:
    """The handlers, by what they are for; `on` once there are any."""

    on = CHECKING.get()
    handlers: ClassVar[dict[str, Handler]] = {}
    inside: ClassVar[list[Inside]] = []


def add_mode(name: str, handler: Handler, inside: Inside | None = None, *, first: bool = False) -> None:
    """Let a handler see every call of an entry point, maybe before all others, and another those in code that
    is differentiated."""
    Modes.handlers = {name: handler, **Modes.handlers} if first else {**Modes.handlers, name: handler}
    Modes.on = True
    if inside is not None:
        Modes.inside.append(inside)


def inside(entry: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Any) -> Any:
    """What the handlers give for a call of an entry point in code that is differentiated."""
    found = (handler(entry, args, kwargs, way) for handler in Modes.inside)
    return next((call for call in found if call is not None), None)


def by_mode(entry: str, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a handler gives for a call of an entry point; None if it is taken as it stands."""
    if CHECKING.get() and "checking" not in Modes.handlers:
        importlib.import_module("zygpy.tools.checking")
    for handler in Modes.handlers.values():
        found = handler(entry, f, args, kwargs)
        if found is not None:
            return found
    return None
