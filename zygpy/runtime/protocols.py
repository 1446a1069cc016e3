"""Questions that Python asks objects: comparisons, truth, membership, length.

Their answers carry no gradient, and the methods that give them are run as they are.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.lookup import in_class

METHODS: Mapping[str, tuple[str, ...]] = {
    "<": ("__lt__", "__gt__"),
    ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"),
    ">=": ("__ge__", "__le__"),
    "==": ("__eq__",),
    "!=": ("__ne__", "__eq__"),
    "in": ("__contains__", "__iter__", "__next__", "__getitem__"),
    "not in": ("__contains__", "__iter__", "__next__", "__getitem__"),
    "bool": ("__bool__", "__len__"),
    "len": ("__len__",),
}
"""The methods that may be asked."""

WRITING = frozenset(
    {
        *("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL"),
        *("DELETE_ATTR", "DELETE_SUBSCR", "DELETE_GLOBAL"),
    }
)
"""Instructions that change what others know."""

CHANGING = frozenset(
    {"append", "extend", "pop", "insert", "remove", "clear", "update", "setdefault", "popitem", "setattr"}
)
"""Names of what changes a list, dict or object."""


def check_answer(question: str, answer: Any, *asked: Any) -> None:
    """Refuse an answer that a method of the user's gave if it is a number, or if the method changes things.

    >>> check_answer("<", True, 1.0, 2.0)
    """
    for value in asked:
        cls = type(value)
        if cls.__module__ != "builtins" and cls.__module__ != "numpy":
            _check_methods(question, answer, cls)


INERT = (bool, str, bytes, type, type(None), ModuleType, FunctionType, BuiltinFunctionType)
"""What a global variable may be set to without anybody missing a cotangent."""


def check_global(value: Any) -> None:
    """Refuse to store what may have a gradient in a global variable that is not expected to have one.

    >>> check_global("text")
    """
    if not isinstance(value, INERT) or getattr(value, "__closure__", None):
        raise UnsupportedSyntaxError(
            f"a {type(value).__name__} is stored in a global variable.",
            why="whoever reads it was derived as if it had no gradient",
            instead="call the function that does so by its own name, or return the value",
        )


def _check_methods(question: str, answer: Any, cls: type) -> None:
    for name in METHODS[question]:
        found = in_class(cls, name, None)
        if not isinstance(found, FunctionType):
            continue
        if _changes_something(found.__code__):
            raise UnsupportedSyntaxError(
                f"'{found.__qualname__}' changes something when it is asked.",
                why="questions are answered by the methods as they are, whose changes would be lost",
                instead="change it in a method that is called by its name",
            )
        if question != "len" and name == METHODS[question][0] and not _is_truth(answer):
            raise UnsupportedSyntaxError(
                f"'{found.__qualname__}' gives a {type(answer).__name__}.",
                why="no gradient goes through the answer to a question",
                instead="give True or False, and compute numbers in a method that is called by its name",
            )


def _is_truth(answer: Any) -> bool:
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind not in "fcO"
    return not isinstance(answer, float | complex | np.inexact) and type(answer).__module__ in TRUE


TRUE = frozenset({"builtins", "numpy"})
"""Where the types of what is no object of the user's are from."""


@functools.lru_cache(maxsize=1024)
def _changes_something(code: CodeType) -> bool:
    """Whether a method's own code may change what others know."""
    writes = any(instruction.opname in WRITING for instruction in dis.get_instructions(code))
    return writes or not CHANGING.isdisjoint(code.co_names)
