"""Modules that are imported when they are first used."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

from zygpy.runtime.stack import with_room

_lock = threading.RLock()


class LazyModule:
    """Stands for a module of this package; what was asked for once is found at once from then on.

    `then` is called once, when the module has been imported and before anybody gets to use it.
    """

    def __init__(self, name: str, then: Callable[[Any], None] | None = None) -> None:
        self._name_of_module = name
        self._then = then

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._load(), name)
        setattr(self, name, value)
        return value

    def _load(self) -> ModuleType:
        with _lock:
            module = with_room(lambda: importlib.import_module(self._name_of_module))
            then, self._then = self._then, None
            if then is not None:
                then(module)
            return module
