"""The part of Python's own library that is about programs, files and texts: nothing in it has a gradient."""

from __future__ import annotations

from collections import namedtuple
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

_ABOUT_PROGRAMS = "abc _py_abc typing inspect dis opcode ast tokenize linecache traceback importlib pkgutil"
_ABOUT_FILES = "zipimport platform sysconfig site warnings os posixpath ntpath genericpath stat pathlib"
_ABOUT_TEXTS = (
    "glob fnmatch shutil tempfile re sre_compile sre_parse textwrap locale gettext codecs encodings"
)
MODULES = frozenset(f"{_ABOUT_PROGRAMS} {_ABOUT_FILES} {_ABOUT_TEXTS}".split())
"""Modules, and packages with all that is in them."""

MAKING_CLASSES = frozenset({namedtuple})
"""Functions of other modules that make classes of texts."""


MAXIMUM_DEPTH = 20
"""How deep lists and tuples lie in each other that are looked at."""


def is_administrative(function: Any, args: tuple[Any, ...] = ()) -> bool:
    """Whether a call is that of a function of this part, given nothing that may have a gradient: it is made
    as it stands.

    >>> import inspect, statistics
    >>> is_administrative(inspect.cleandoc, ("text",)), is_administrative(statistics.mean, ("text",))
    (True, False)
    """
    return type(function) is FunctionType and _is_of_part(function) and all(map(_is_inert, args))


def _is_of_part(function: FunctionType) -> bool:
    module = function.__globals__.get("__name__")
    return function in MAKING_CLASSES or (isinstance(module, str) and module.partition(".")[0] in MODULES)


def _is_inert(value: Any, depth: int = 0) -> bool:
    """Whether nothing in a value may have a gradient; of what lies too deep, as in a list that holds itself,
    nobody asks."""
    if isinstance(value, tuple | list):
        return depth < MAXIMUM_DEPTH and all(_is_inert(item, depth + 1) for item in value)
    return value is None or isinstance(value, INERT)


def is_making_code(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call makes code for functions that are given to it, as decorators do that wait for the first
    call: where nothing active is in global variables, it has nothing to do with what has a gradient.

    >>> def compiled(function):
    ...     function.__code__ = (lambda x: x + 1).__code__
    >>> is_making_code(compiled, (makes_code,)), is_making_code(compiled, (makes_code, 1.0))
    (True, False)
    """
    return makes_code(function) and bool(args) and all(map(_is_program, args))


def makes_code(function: Any) -> bool:
    """Whether a function in Python makes functions of texts, or gives them new code."""
    return type(function) is FunctionType and not MAKING_CODE.isdisjoint(function.__code__.co_names)


def _is_program(value: Any) -> bool:
    """Whether a value is inert, or a function of a module that captures nothing."""
    plain = type(value) is FunctionType and value.__closure__ is None and "<locals>" not in value.__qualname__
    return plain or _is_inert(value)


MAKING_CODE = frozenset({"__code__", "exec"})
"""What functions mention that make a function of a text, or give one new code, when it is first called."""

INERT = (bool, str, bytes, type, ModuleType, BuiltinFunctionType)
"""Classes of what can lead to nothing that has a gradient."""
