"""Objects that are made when the code runs, with their tangents beside them."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from zygpy.pushed.in_order import called_in_order
from zygpy.pushed.subclasses import (
    empty_tangent,
    filled,
    initialiser,
    is_held_class,
)
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.lookup import in_class
from zygpy.runtime.mirrors import has_table
from zygpy.runtime.subclasses import bare
from zygpy.runtime.zeros import (
    CannotPush,
    Partner,
    gives_partners,
)
from zygpy.source.initialisers import written_initialiser


def is_of_class(function: Any) -> bool:
    """Whether what is called is a method of a class, in a run that stores there what varies."""
    return type(function) is MethodType and has_table(function.__self__)


def is_class(function: Any) -> bool:
    """Whether what is called, perhaps by keyword, is such a class as `is_plain_class` knows."""
    cls = class_of(function)
    return isinstance(cls, type) and (is_held_class(cls) or is_plain_class(cls))


def is_plain_class(cls: type) -> bool:
    """Whether the objects of a class are made by `object`, and initialised in Python; a class with a rule is
    none, nor is one that Python has.

    Raises CannotPush for a class in Python that is not.
    """
    if declare.find(cls) is not None or is_ruled(cls) or not gives_partners(cls):
        return False
    plain = type(cls) is type and in_class(cls, "__new__", None) is object.__new__
    init = in_class(cls, "__init__", None)
    if not plain or not (type(init) is FunctionType or init is object.__init__):
        raise CannotPush
    return True


def constructed(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """An object that is made, and its partner."""
    plain = class_of(cls)
    if is_held_class(plain):
        return held_constructed(cls, args, dots)
    made, partner = object.__new__(plain), Partner()
    names = cls.names if cls is not plain else ()
    init = initialiser_of(plain, args, names)
    if init is not None:
        named = ByKeyword(init, names) if names else init
        called_in_order(named, None, (made, *args), (partner, *dots), True)
    return made, partner


def held_constructed(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of a class whose objects are lists or dicts."""
    plain = class_of(cls)
    made = bare(plain)
    beside = empty_tangent(made)
    init = initialiser(plain)
    names = cls.names if cls is not plain else ()
    if type(init) is FunctionType:
        named = ByKeyword(init, names) if names else init
        called_in_order(named, None, (made, *args), (beside, *dots), True)
    else:
        filled((made, *args), (beside, *dots), names)
    return made, beside


def class_of(cls: Any) -> Any:
    """The class, or method, itself of what may be one with the names of arguments."""
    return cls.function if type(cls) is ByKeyword else cls


def initialiser_of(cls: type, args: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """The `__init__` of a class, or what stands for that of a dataclass, for these arguments, the last of
    which have names; None if that does nothing."""
    init = in_class(cls, "__init__", None)
    if init is not object.__init__:
        return _with_text(cls, init, len(args) - len(names), names)
    if args:
        raise TypeError(f"{cls.__name__}() takes no arguments")
    return None


def _with_text(cls: type, init: FunctionType, count: int, names: tuple[str, ...]) -> FunctionType:
    """An `__init__`, or a function with a text that does what one does which a decorator has written."""
    owner = next(base for base in cls.__mro__ if "__init__" in base.__dict__)
    return written_initialiser(owner, (count, names)) or init
