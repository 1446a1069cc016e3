"""What is asked of classes and callables before their kinds are told: whether code of theirs runs, and what
they are marked as."""

from __future__ import annotations

import dis
import functools
import inspect
import sys
import sysconfig
import types
from collections import namedtuple
from typing import Any


@functools.lru_cache(maxsize=256)
def computes(metaclass: type) -> bool:
    """Whether operations on a class, or attributes of it, may run code in Python that its metaclass has.

    >>> computes(type), computes(type("Asked", (type,), {"__getitem__": lambda cls, key: key}))
    (False, True)
    """
    if metaclass is type:
        return False
    own = [base for base in metaclass.__mro__ if base.__module__ not in _HARMLESS]
    entries = (vars(base) for base in own if base.__flags__ & HEAP_TYPE)
    return any(
        isinstance(found, types.FunctionType | property) and name not in _MAKING
        for entry in entries
        for name, found in entry.items()
        if name.startswith("__") or isinstance(found, property)
    )


@functools.lru_cache(maxsize=256)
def is_plain_module_class(cls: type) -> bool:
    """Whether what a module gives is what is in it, and no code in Python that a class of modules has.

    >>> class Lazy(types.ModuleType):
    ...     loaded = property(lambda module: True)
    >>> is_plain_module_class(types.ModuleType), is_plain_module_class(Lazy)
    (True, False)
    """
    entries = (vars(base) for base in cls.__mro__ if base.__flags__ & HEAP_TYPE)
    return not any(isinstance(found, WITH_CODE) for entry in entries for found in entry.values())


WITH_CODE = (types.FunctionType, property, classmethod, staticmethod)
"""What holds code in Python in a class."""


_HARMLESS = frozenset({"abc", "enum", "typing", "typing_extensions", "ctypes"})
"""The modules of Python's own metaclasses, which keep nothing that they are given."""


_MAKING = frozenset(
    {"__new__", "__init__", "__call__", "__prepare__", "__instancecheck__", "__subclasscheck__"}
)
"""Methods of a metaclass that make a class or its objects, or answer which these are."""


@functools.lru_cache(maxsize=4096)
def is_record_class(cls: type) -> bool:
    """Whether a class of tuples is a named one whose items and fields are those of the tuple.

    >>> from typing import NamedTuple
    >>> class Point(NamedTuple):
    ...     x: float
    >>> class Doubled(Point):
    ...     x = property(lambda self: 2.0 * self[0])
    >>> is_record_class(Point), is_record_class(Doubled), is_record_class(tuple)
    (True, False, False)
    """
    if not hasattr(cls, "_fields"):
        return False
    if any(isinstance(getattr(cls, name, None), types.FunctionType) for name in ITEMS):
        return False
    return not any(_is_hidden(cls, name) for name in cls._fields)


ITEMS = ("__getitem__", "__iter__", "__len__", "__reversed__", "__getattribute__")
"""The methods that say what the items and fields of a tuple are."""


def _is_hidden(cls: type, name: str) -> bool:
    """Whether a field of a named tuple is something else in a class behind it."""
    entries = [vars(base)[name] for base in cls.__mro__ if name in vars(base)]
    return any(isinstance(entry, FIELD) for entry in entries[1:]) and not isinstance(entries[0], FIELD)


FIELD = type(vars(namedtuple("FIELD", "x"))["x"])
"""What a field of a named tuple is in its class."""


def has_operators(cls: type) -> bool:
    """Whether operators on tuples of a class are methods in Python.

    >>> from typing import NamedTuple
    >>> class Vector(NamedTuple):
    ...     x: float
    ...     def __add__(self, other):
    ...         return Vector(self.x + other.x)
    >>> has_operators(Vector), has_operators(tuple)
    (True, False)
    """
    return any(isinstance(getattr(cls, name, None), types.FunctionType) for name in OPERATORS)


_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod"),
    *("and", "or", "xor", "lshift", "rshift"),
)


OPERATORS = (
    *(f"__{before}{name}__" for name in _BINARY for before in ("", "r", "i")),
    *("__neg__", "__pos__", "__abs__", "__invert__"),
)
"""The methods behind operators."""


def makes_generators(function: Any) -> bool:
    """Whether a call of a function makes a generator."""
    code = getattr(function, "__code__", None)
    return code is not None and bool(code.co_flags & inspect.CO_GENERATOR)


def is_foreign(function: types.FunctionType) -> bool:
    """Whether a function is an installed package's that may keep what it is given."""
    if not function.__code__.co_filename.startswith(PACKAGES):
        return False
    return str(function.__globals__.get("__name__")).partition(".")[0] not in KEEPING_NOTHING


@functools.lru_cache(maxsize=4096)
def is_foreign_class(cls: type) -> bool:
    """Whether a class is an installed package's.

    >>> is_foreign_class(type("Own", (), {"__module__": "numpy"})), is_foreign_class(int)
    (True, False)
    """
    module = sys.modules.get(str(cls.__module__))
    return str(getattr(module, "__file__", "")).startswith(PACKAGES)


PACKAGES = tuple(sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
"""Where the code of installed packages is."""


KEEPING_NOTHING = frozenset({"numpy", "scipy", "zygpy"})
"""Installed packages whose functions keep nothing that they are given."""


def carries_values(function: Any) -> bool:
    """Whether a function may carry active values: captured ones, or defaults of an inner function."""
    if captures(function):
        return True
    inner = "<locals>" in function.__qualname__
    return inner and bool(function.__defaults__ or function.__kwdefaults__)


def captures(function: Any) -> bool:
    """Whether a function carries captured variables: more than the class in whose text it stands."""
    return function.__closure__ is not None and class_around(function) is None


CLASS = "__class__"
"""The captured variable that holds the class in whose text a method stands."""


def class_around(function: Any) -> type | None:
    """The class in whose text a method stands, if it has captured that, as whoever calls `super()` does, and
    nothing else. None where the method binds that variable, or hands it on to a function inside it, or makes
    objects or generators, and of classes in functions: the next call makes another one of the same text.

    >>> from configparser import ConfigParser
    >>> class_around(ConfigParser.set) is ConfigParser, class_around(ConfigParser.get)
    (True, None)
    """
    code = function.__code__
    if code.co_freevars != (CLASS,) or code.co_name == "__new__" or makes_generators(function):
        return None
    if not hands_on_nothing(code):
        return None
    try:
        found = function.__closure__[0].cell_contents
    except ValueError:  # the class is being made
        return None
    return found if isinstance(found, type) and "<locals>" not in found.__qualname__ else None


def hands_on_nothing(code: types.CodeType) -> bool:
    """Whether code reads what it has captured, and no code inside it speaks of a class around it."""
    inside = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    if not BINDING.isdisjoint(code.co_code[::2]) and any(
        step.opcode in BINDING and step.argval in code.co_freevars for step in dis.get_instructions(code)
    ):
        return False
    return not any(
        CLASS in (*one.co_freevars, *one.co_cellvars) or not hands_on_nothing(one) for one in inside
    )


BINDING = frozenset({dis.opmap["STORE_DEREF"], dis.opmap["DELETE_DEREF"]})
"""The instructions that bind a captured variable, or delete it."""


def is_generated(function: Any) -> bool:
    """Whether a function was written by zygpy: its cells hold code, never data.

    A function of the user's that was made inside generated code is not meant.
    """
    return GENERATED in function.__dict__


UNLIKE = "__zygpy_unlike__"
"""Marks the class whose objects stand for those of many classes."""

INERT = "__zygpy_inert__"
"""The attribute of classes whose instances carry nothing to be differentiated."""


PLAIN_ARRAY = "__zygpy_array__"
"""The attribute of classes of arrays that are treated as arrays of NumPy's own class."""


PURE = "__zygpy_pure__"
"""The attribute of classes whose calls write nothing and return nothing that the object holds."""


HEAP_TYPE = 1 << 9
"""The flag of classes that are made by a `class` statement."""


STATEFUL = "__zygpy_stateful__"
"""The attribute of classes whose instances hold cotangents, and are changed while they are used: the
names of the methods that give an array of theirs."""


GENERATED = "__zygpy_generated__"
"""The attribute by which `load` marks the functions that it made."""
