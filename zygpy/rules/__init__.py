"""Rules of primitives, one module for each part of the library that it is about."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys

MACHINERY = frozenset({"custom", "declare", "texts"})


def load() -> None:
    """Import every module of rules that is about something which is there: rules of an optional library
    once the program has imported it."""
    _load_own()
    for library in [name for name in tuple(_waiting) if name in sys.modules]:
        for module in _waiting.get(library, ()):
            importlib.import_module(module)
        _waiting.pop(library, None)


def _modules() -> dict[str, list[str]]:
    """The modules of rules by the library that they are about, "" for those that are always there."""
    found: dict[str, list[str]] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(__path__)):
        if module not in MACHINERY:
            waits = module.startswith(("scipy_", "concurrent_")) or module == "numpy_ma"
            library = ".".join(module.split("_")[:2]) if waits else ""
            found.setdefault(library, []).append(f"{__name__}.{module}")
    return found


_waiting = _modules()
_own = _waiting.pop("")

SOLVERS = {
    "scipy.integrate": (
        "zygpy.solvers.integrals",
        "zygpy.solvers.samples",
        "zygpy.solvers.trajectories",
        "zygpy.solvers.boundary_values",
    ),
    "scipy.optimize": (
        "zygpy.solvers.roots",
        "zygpy.solvers.minima",
        "zygpy.solvers.fits",
        "zygpy.solvers.linear_programs",
        "zygpy.solvers.by_name",
        "zygpy.solvers.by_constraints",
        "zygpy.solvers.rosenbrock",
        "zygpy.solvers.refused",
    ),
    "scipy.sparse": ("zygpy.solvers.sparse_steps",),
}
"""Modules of programs above the engine, which are about what calls a user's function."""

for _library, _programs in SOLVERS.items():
    _waiting.setdefault(_library, []).extend(_programs)


@functools.cache
def _load_own() -> None:
    for module in _own:
        importlib.import_module(module)
