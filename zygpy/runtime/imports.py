"""Imports that are done when the program comes to them."""

from __future__ import annotations

import importlib
import sys
from typing import Any


def imported(name: str) -> Any:
    """What `import a.b.c as module` binds: the module of that dotted name.

    >>> imported("os.path") is __import__("os").path
    True
    """
    return importlib.import_module(name)


def imported_top(name: str) -> Any:
    """What `import a.b.c` binds: the package at the top, once the module is imported."""
    importlib.import_module(name)
    return sys.modules[name.partition(".")[0]]


def imported_from(package: str, level: int, module: str, name: str) -> Any:
    """What `from module import name` binds, in a module of this package.

    >>> imported_from("os", 1, "path", "join") is imported_from("", 0, "os.path", "join")
    True
    >>> imported_from("", 0, "math", "nothing")
    Traceback (most recent call last):
    ...
    ImportError: cannot import name 'nothing' from 'math'
    """
    found = __import__(module, {"__package__": package}, None, (name,), level)
    try:
        return getattr(found, name)
    except AttributeError:
        inner = sys.modules.get(f"{found.__name__}.{name}")
        if inner is None:
            message = f"cannot import name {name!r} from {found.__name__!r}"
            raise ImportError(message, name=found.__name__, path=getattr(found, "__file__", None)) from None
        return inner
