"""Rules of primitives, one module for each part of the library that it is about."""

from __future__ import annotations

import functools
import importlib
import pkgutil

MACHINERY = frozenset({"declare", "texts"})


@functools.cache
def load() -> None:
    """Import every module of rules."""
    for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        if module not in MACHINERY:
            importlib.import_module(f"{__name__}.{module}")
