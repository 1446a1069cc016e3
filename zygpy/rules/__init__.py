"""Rules of primitives, one module for each part of the library that it is about."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys

MACHINERY = frozenset({"custom", "declare", "texts"})

OPTIONAL = {
    "scipy_integrate": "scipy.integrate",
    "scipy_linalg": "scipy.linalg",
    "scipy_signal": "scipy.signal",
    "scipy_special": "scipy.special",
}
"""The libraries that zygpy does not need, by how the names of the modules with their rules begin."""


def load() -> None:
    """Import every module of rules that is about something which is there: rules of an optional library
    once the program has imported it."""
    _load_own()
    for library in [name for name in _waiting if name in sys.modules]:
        for module in _waiting[library]:
            importlib.import_module(module)
        _waiting.pop(library, None)


def _modules() -> dict[str, list[str]]:
    """The modules of rules by the library that they are about, "" for those that are always there."""
    found: dict[str, list[str]] = {"": []}
    for module in sorted(one.name for one in pkgutil.iter_modules(__path__)):
        if module not in MACHINERY:
            library = next((OPTIONAL[name] for name in OPTIONAL if module.startswith(name)), "")
            found.setdefault(library, []).append(f"{__name__}.{module}")
    return found


_waiting = _modules()


@functools.cache
def _load_own() -> None:
    for module in _waiting.pop(""):
        importlib.import_module(module)
