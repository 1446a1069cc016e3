"""Cotangents of `functools.partial` objects: an entry for everything that one carries."""

from __future__ import annotations
import __future__

import functools
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType, GenericAlias, MethodType, MethodWrapperType
from typing import Any, Generic

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.marks import is_marked
from zygpy.runtime.cells import content

CARRIES = "__zygpy_carries__"
"""The attribute of classes whose objects are functions with values bound to them."""

FUNCTION = "__wrapped__"
"""The entry of the function itself (of what it has captured)."""


CACHED = type(functools.cache(lambda: None))
"""What `functools.lru_cache` makes of a function."""

BY_CLASS: Any = functools.singledispatch(lambda value: value)


def is_generic(function: Any) -> bool:
    """Whether a function is what `functools.singledispatch` made."""
    return type(function) is FunctionType and function.__code__ is BY_CLASS.__code__


def takes_parameters(cls: Any) -> bool:
    """Whether a class is a generic one, so that `cls[...]` makes what it makes.

    >>> takes_parameters(list), takes_parameters(int)
    (True, False)
    """
    if not isinstance(cls, type) or hasattr(type(cls), "__getitem__"):
        return False
    base, found = _class_getitem(cls)
    return found is not None and (base is Generic or not isinstance(found, FunctionType))


def _class_getitem(cls: type) -> tuple[Any, Any]:
    """Which class says what `cls[...]` gives, and what it says that by."""
    for base in cls.__mro__:
        found = base.__dict__.get("__class_getitem__")
        if found is not None:
            return base, getattr(found, "__func__", found)
    return None, None


def class_getitem(cls: Any) -> FunctionType | None:
    """The function in Python of a program's own that says what `cls[...]` gives; None where there is none.

    >>> class_getitem(list) is None, class_getitem(Generic) is None
    (True, True)
    """
    if not isinstance(cls, type) or hasattr(type(cls), "__getitem__"):
        return None
    base, found = _class_getitem(cls)
    return found if isinstance(found, FunctionType) and base is not Generic else None


@functools.lru_cache(maxsize=256)
def with_parameters(cls: Any) -> Any:
    """What stands for `cls[...]` before it is known with which parameters."""
    return GenericAlias(cls, (Any,))


CARRIED = frozenset(
    {"args", "keywords", "func", "__wrapped__", "__defaults__", "__kwdefaults__", "__closure__"}
)
"""Attributes by which what a function carries is read past it."""


def holds_numbers(value: Any) -> bool:
    """Whether something that a function carries is a number, or has numbers in it that no place holds.

    >>> holds_numbers((1.5, "text")), holds_numbers(([1.5],)), holds_numbers({"k": 2.0})
    (True, False, True)
    """
    if isinstance(value, dict):
        return holds_numbers(tuple(value.values()))
    if isinstance(value, tuple):
        return any(map(holds_numbers, value))
    if isinstance(value, CellType):
        return holds_numbers(content(value))
    return isinstance(value, float | complex | np.inexact)


METHODS = (MethodType, BuiltinFunctionType, MethodWrapperType)
"""Functions that are bound to what they are methods of (one of a module is bound to the module)."""

RECEIVER = "__self__"
"""The entry of what a method is bound to."""

FUNCTIONS = (FunctionType, functools.partial, *METHODS)
"""Classes of functions, by which is known what they carry."""


def is_function_like(cls: type) -> bool:
    """Whether the cotangents of what an object of the class carries belong to the variable that holds
    it, as they do for the captured variables of a function."""
    return issubclass(cls, FUNCTIONS) or is_marked(cls, CARRIES)


def carried_values(function: Any) -> dict[str, Any]:
    """What a function carries, under the names that its cotangent has for it; of other things that are
    like functions nothing.

    >>> carried_values(functools.partial(int, "11", base=2))
    {'__wrapped__': <class 'int'>, 'args[0]': '11', 'base': 2}
    """
    if isinstance(function, functools.partial):
        places = {position(index): arg for index, arg in enumerate(function.args)}
        return {FUNCTION: function.func, **places, **function.keywords}
    if isinstance(function, METHODS):
        return {RECEIVER: function.__self__}
    if not isinstance(function, FunctionType):
        return {}
    captured = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {**{name: content(cell) for name, cell in captured}, **_default_values(function)}


def captured(function: Any, name: str) -> Any:
    """What a function has captured by a name, or carries in an entry of its cotangent.

    >>> def growing(c):
    ...     return lambda y: c * y
    >>> captured(growing(0.5), "c")
    0.5
    """
    if isinstance(function, FunctionType):
        cells = function.__closure__ or ()
        return cells[function.__code__.co_freevars.index(name)].cell_contents
    if isinstance(function, functools.partial):
        place = position_in(name)
        return function.keywords[name] if place is None else function.args[place]
    return function.__self__ if name == RECEIVER else captured(function.__func__, name)


def position_in(name: str) -> int | None:
    """Which positional argument an entry is; None if it is one by name.

    >>> position_in(position(2)), position_in("args")
    (2, None)
    """
    return int(name[len("args[") : -1]) if name.startswith("args[") else None


def name_of_wrapped(function: FunctionType) -> str | None:
    """The captured variable in which a function has what `functools.wraps` says it wraps; None if in none.

    >>> inner = lambda v: v
    >>> name_of_wrapped(functools.wraps(inner)(lambda v: inner(v))) is None  # it is no captured variable here
    True
    """
    wrapped = vars(function).get("__wrapped__")
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return next((name for name, cell in cells if wrapped is not None and content(cell) is wrapped), None)


def not_captured() -> UnsupportedSyntaxError:
    """The error for what a function wraps that it has not captured."""
    return UnsupportedSyntaxError(
        "'__wrapped__' of a function is read, which has not captured what it wraps.",
        why="where the cotangents of what that carries belong is not known",
        instead="keep the function that is wrapped in a variable of your own",
    )


def _default_values(function: FunctionType) -> dict[str, Any]:
    """The default values of a function's parameters, under the names that its cotangent has for them."""
    code, given = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount][code.co_argcount - len(given) :]
    defaults = {**dict(zip(names, given, strict=True)), **(function.__kwdefaults__ or {})}
    return {f"{name}=": value for name, value in defaults.items()}


def label(wrapper: Any, wrapped: Any, assigned: Any, updated: Any) -> None:
    """Give a function the name, the docstring and the like of another."""
    functools.update_wrapper(wrapper, wrapped, assigned, updated)


def label_local(
    function: Any,
    name: str,
    parameters: str = "",
    texts: str = "",
    annotations: Callable[[], tuple[Any, ...]] = tuple,
) -> None:
    """Give a function that is made in another the name and the annotations that it was written with: their
    texts, a line for each, where its module postpones them.

    >>> def t_1(a): return a
    >>> label_local(t_1, "square", "a", "float", lambda: (float,))
    >>> t_1.__name__, t_1.__annotations__
    ('square', {'a': 'float'})
    """
    postponed = function.__globals__.get("annotations") is __future__.annotations
    function.__qualname__ = f"{function.__qualname__.removesuffix(function.__name__)}{name}"
    function.__name__ = name
    found = texts.splitlines() if postponed else annotations()
    function.__annotations__ = dict(zip(parameters.split(), found, strict=True))


def position(index: int) -> str:
    """The entry of a positional argument."""
    return f"args[{index}]"


def carried_count(function: Any) -> int | None:
    """How many positional arguments a partial carries that Python makes one with another partial of it; None
    of any other function, a partial with attributes among them, which that one would call.

    >>> carried_count(functools.partial(int, "11")), carried_count(int)
    (1, None)
    """
    if not isinstance(function, functools.partial) or functools.partial(function).func is function:
        return None
    return len(function.args)


def carried_parts(bar: Any, inner: int | None, count: int, names: tuple[str, ...]) -> tuple[Any, ...]:
    """The cotangents of the arguments of `partial(f, *args, **keywords)`: f, `count` positional ones
    and those of these names. `inner` is what `carried_count(f)` was."""
    entries = _entries(inner, count, names)
    if bar is None:
        return (None,) * (1 + len(entries))
    own = bar.get(FUNCTION)
    if inner is not None:
        own = {name: value for name, value in bar.items() if name not in entries}
    return (own, *[bar.get(name) for name in entries])


def gathered_parts(
    parts: tuple[Any, ...] | None, inner: int | None, count: int, names: tuple[str, ...]
) -> Any:
    """The transpose of `carried_parts`: the cotangent of the partial object from those of its parts."""
    if parts is None:
        return None
    own, *rest = parts
    found = {FUNCTION: own} if inner is None else dict(own or {})
    return {**found, **dict(zip(_entries(inner, count, names), rest, strict=True))}


def _entries(inner: int | None, count: int, names: tuple[str, ...]) -> list[str]:
    first = inner or 0
    return [*(position(first + index) for index in range(count)), *names]
