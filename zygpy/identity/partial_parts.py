"""What is read of a partial call: its function, its arguments and its keywords, where it carries numbers."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import FUNCTION, position


def read_part(value: Any, name: str) -> Any:
    """`value.name`; None where that is no part of a partial call."""
    if not isinstance(value, functools.partial) or name not in PARTS:
        return None
    if in_class(type(value), name) is not in_class(functools.partial, name):
        return None
    if name == "func":
        return value.func, FunctionRead(value.func)
    if name == "args":
        return value.args, ArgumentsRead(value.args)
    keywords = Keywords(value.keywords)
    return keywords, KeywordsRead(keywords)


PARTS = ("func", "args", "keywords")


class FunctionRead:
    """`y = p.func`; called, the cotangent of `p`."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, y_bar: Any, store: Any) -> Any:
        left = store.add(self.function, y_bar)
        return (None if left is None else {FUNCTION: left},)


class ArgumentsRead:
    """`y = p.args`; called, the cotangent of `p`."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is None:
            return (None,)
        bars = enumerate(zip(self.args, y_bar, strict=True))
        return ({position(place): store.add(arg, bar) for place, (arg, bar) in bars},)


class KeywordsRead:
    """`y = p.keywords`; called, the cotangent of `p`."""

    def __init__(self, keywords: Keywords) -> None:
        self.keywords = keywords

    def __call__(self, y_bar: Any, store: Any) -> Any:
        found = self.keywords
        return ({name: store.add(found[name], store.take_key(found, name)) for name in found},)


class Keywords(dict[str, Any]):
    """The keywords of a partial call, in which nothing can be stored: what is stored in a partial call would
    have to be followed where it is called."""

    def _refused(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedSyntaxError(
            "the keywords of a partial call are changed.",
            why="the cotangents of what a partial call carries are found when it is called",
            instead="make another one: `functools.partial(p, k=...)`",
        )

    __setitem__ = __delitem__ = __ior__ = _refused
    clear = pop = popitem = setdefault = update = _refused
