"""What a class defines in Python."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any


def python_method(value: Any, name: str) -> Any:
    """A method that a class defines in Python, else None."""
    found = inspect.getattr_static(type(value), name, None)
    return found if isinstance(found, FunctionType) else None


MISSING = object()
