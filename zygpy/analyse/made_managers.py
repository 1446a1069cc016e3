"""Context managers that `contextlib.contextmanager` makes: the generator functions behind them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.cells import content


@contextlib.contextmanager
def _example() -> Iterator[None]:
    yield


MAKER: Any = _example
"""What `contextmanager` gives, whatever it is given: functions of this code."""


def generator_behind(made: Any) -> FunctionType | None:
    """The generator function behind what gives a context manager; None of anything else.

    >>> generator_behind(_example).__name__, generator_behind(len)
    ('_example', None)
    """
    if type(made) is not FunctionType or made.__code__ is not MAKER.__code__:
        return None
    if is_ruled(made) or declare.find(made) is not None or len(made.__closure__ or ()) != 1:
        return None
    function = content(made.__closure__[0])  # type: ignore[index]
    return function if type(function) is FunctionType else None


def conditions(made: Any, function: FunctionType) -> Iterator[Guard]:
    """What it rests on that this is the generator function behind it, and that Python's own manager is made
    of it."""
    yield Guard(made, "__code__", made.__code__)
    yield Guard(made.__closure__[0], "cell_contents", function)
    manager: Any = contextlib._GeneratorContextManager
    yield Guard(contextlib, "_GeneratorContextManager", manager)
    for name in ("__enter__", "__exit__"):
        yield Guard(manager, name, getattr(manager, name))
