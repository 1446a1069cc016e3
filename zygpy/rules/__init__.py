"""Rules of primitives, one module for each part of the library that it is about."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys

MACHINERY = frozenset({"custom", "declare", "texts"})

OPTIONAL = {
    "scipy.special": f"{__name__}.scipy_special",
    "scipy.linalg": f"{__name__}.scipy_linalg",
}
"""Rules of libraries that zygpy does not need, by the module that they are about."""


def load() -> None:
    """Import every module of rules that is about something which is there: rules of an optional library
    once the program has imported it."""
    _load_own()
    for library, module in OPTIONAL.items():
        if library in sys.modules and module not in sys.modules:
            importlib.import_module(module)


@functools.cache
def _load_own() -> None:
    for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        if module not in MACHINERY and f"{__name__}.{module}" not in OPTIONAL.values():
            importlib.import_module(f"{__name__}.{module}")
