"""Looking up what a class has, without running anything of it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from numbers import Number
from types import FunctionType, MemberDescriptorType, SimpleNamespace
from typing import Any

import numpy as np

from zygpy.runtime.platform_code import is_platform

MISSING = object()
"""What stands for an attribute that there is not."""

_order = type.__dict__["__mro__"].__get__
_own = type.__dict__["__dict__"].__get__


def in_class(cls: type, name: str, default: Any = None) -> Any:
    """What a class has for its objects by a name, itself or by one behind it; its metaclass is not asked.

    >>> in_class(bool, "bit_length") is int.__dict__["bit_length"], in_class(bool, "mro", 3)
    (True, 3)
    """
    for entry in _order(cls):
        if name in _own(entry):
            return _own(entry)[name]
    return default


def looked_up(table: Mapping[Any, Any], function: Any) -> Any:
    """What a table of functions has for one; None for a callable object whose class says in Python what is
    equal: nobody asks it, and nothing is known of it.

    >>> looked_up({len: "length"}, len), looked_up({len: "length"}, [].append)
    ('length', None)
    """
    if compares_in_python(function):
        return None
    try:
        return table.get(function)
    except TypeError:  # unhashable
        return None


def is_among(function: Any, functions: Container[Any]) -> bool:
    """Whether a function is in a set of them, or in a table, in the same way."""
    if compares_in_python(function):
        return False
    try:
        return function in functions
    except TypeError:  # unhashable
        return False


def compares_in_python(value: Any) -> bool:
    """Whether a hash of a value is computed by code in Python, which may do anything.

    >>> class Named:
    ...     def __hash__(self): return 1
    >>> compares_in_python(Named()), compares_in_python(Named), compares_in_python(len)
    (True, False, False)
    """
    return type(type(value).__hash__) is FunctionType


def reads_plainly(cls: type) -> bool:
    """Whether attributes of the objects of a class are read as those of `object` are.

    >>> reads_plainly(SimpleNamespace), reads_plainly(type)
    (True, False)
    """
    return in_class(cls, "__getattribute__") in (object.__getattribute__, SimpleNamespace.__getattribute__)


def acts_at_its_end(cls: type) -> bool:
    """Whether the objects of a class run code of a program when nothing holds them any more.

    >>> acts_at_its_end(float)
    False
    """
    found = in_class(cls, "__del__", None)
    acting = isinstance(found, FunctionType) and bool(found.__code__.co_names)
    return acting and not is_platform(found.__code__.co_filename)


AT_ITS_END = (
    "what the pullback needs is held until then, so that '__del__' would run later than in a plain call",
    "do what it does in a method that is called, or in the '__exit__' of a context manager",
)
"""Why objects with a `__del__` of their own are refused, and what to do."""


def sets_plainly(cls: type) -> bool:
    """Whether attributes of the objects of a class are set in the same way.

    >>> sets_plainly(SimpleNamespace), sets_plainly(type)
    (True, False)
    """
    return in_class(cls, "__setattr__") in (object.__setattr__, SimpleNamespace.__setattr__)


def own_fields(value: Any) -> Any:
    """The fields of an object by name, or what a class has; nothing for an object without a dict, whatever
    its class would make up when it is asked for an attribute.

    >>> own_fields(1.5), own_fields(NotGiven)["__doc__"] == NotGiven.__doc__
    ({}, True)
    """
    cls = type(value)
    if cls.__dictoffset__ and isinstance(cls.__getattribute__, FunctionType):
        return object.__getattribute__(value, "__dict__")
    return value.__dict__ if cls.__dictoffset__ else {}


def own_slots(value: Any) -> list[tuple[str, Any]]:
    """What an object has in its slots, by the names that the code of other classes has for them.

    >>> own_slots(type("Pair", (), {"__slots__": ("x", "__y")})())
    []
    """
    return [(name, slot.__get__(value)) for name, slot in filled_slots(value)]


def own_things(value: Any) -> dict[str, Any]:
    """The fields of an object that has all of them in its dict, or all of them in slots.

    >>> Pair = type("Pair", (), {"__slots__": ("x", "y")})
    >>> pair = Pair()
    >>> pair.x = 1.5
    >>> own_things(pair), own_things(contextlib.suppress())
    ({'x': 1.5}, {'_exceptions': ()})
    """
    cls: type = type(value)
    found: dict[str, Any] = dict(own_slots(value)) if has_only_slots(cls) else value.__dict__
    return found


def columns_of(values: Sequence[Any]) -> list[tuple[str, list[Any]]] | None:
    """What objects of one class have in each of their fields; None if they do not all have the same ones.

    >>> Pair = type("Pair", (), {"__slots__": ("x", "y")})
    >>> pair = Pair()
    >>> pair.x = 1.5
    >>> columns_of([pair, pair]), columns_of([pair, Pair()])
    ([('x', [1.5, 1.5])], None)
    """
    if len(values) == 1:
        return [(name, [found]) for name, found in own_things(values[0]).items()]
    cls: type = type(values[0])
    if has_only_slots(cls):
        return _columns_of_slots(cls, values)
    held = [value.__dict__ for value in values]
    names = set(map(frozenset, held))
    if len(names) > 1:
        return None
    return [(name, list(map(operator.itemgetter(name), held))) for name in held[0]]


def _columns_of_slots(cls: type, values: Sequence[Any]) -> list[tuple[str, list[Any]]] | None:
    filled = dict(filled_slots(values[0]))
    try:
        columns = [(name, list(map(slot.__get__, values))) for name, slot in filled.items()]
    except AttributeError:  # one has less than the first
        return None
    same = len(filled) == len(slots_of(cls)) or all(
        len(filled_slots(value)) == len(filled) for value in values
    )
    return columns if same else None


def has_own(value: Any, name: str) -> bool:
    """Whether `value.name` is a field of such an object, in front of which its class has nothing."""
    found = in_class(type(value), name)
    if is_slot(type(value), found):
        return any(name == filled for filled, _ in filled_slots(value))
    return not hasattr(type(found), "__set__") and name in own_things(value)


def is_slot(cls: type, found: Any) -> bool:
    """Whether what stands in a class is a slot, and its objects have nothing but these."""
    return type(found) is MemberDescriptorType and has_only_slots(cls)


@functools.lru_cache(maxsize=4096)
def has_only_slots(cls: type) -> bool:
    """Whether the objects of a class hold what they do in slots alone: a class in Python, as all those are
    that it inherits from, without a method that makes attributes up.

    >>> has_only_slots(type("Pair", (), {"__slots__": ("x", "y")})), has_only_slots(type("Open", (), {}))
    (True, False)
    """
    in_python = bool(cls.__flags__ & HEAP_TYPE) and not issubclass(cls, Fraction)  # which is a number
    if cls.__dictoffset__ or not in_python or in_class(cls, "__getattr__") is not None:
        return False
    return bool(slots_of(cls)) and all(base is object or "__slots__" in _own(base) for base in _order(cls))


MEASURED = (np.ndarray, np.generic, Number, list, tuple)


@functools.lru_cache(maxsize=4096)
def makes_array(cls: Any) -> bool:
    """Whether NumPy makes an array of an object of a class without asking code of its for items, of which
    there may be no end.

    >>> makes_array(float), makes_array(type("Endless", (), {"__getitem__": lambda self, i: i}))
    (True, False)
    """
    return not cls.__flags__ & HEAP_TYPE or issubclass(cls, MEASURED) or hasattr(cls, "__array__")


HEAP_TYPE = 1 << 9
"""The flag of classes that are written in Python."""


def filled_slots(value: Any) -> list[tuple[str, MemberDescriptorType]]:
    """The slots of an object in which there is something, by the names that `own_slots` gives them."""
    found = []
    cls: type = type(value)
    for name, slot in slots_of(cls):
        with contextlib.suppress(AttributeError):  # nothing is there yet
            slot.__get__(value)
            found.append((name, slot))
    return found


@functools.lru_cache(maxsize=4096)
def slots_of(cls: type) -> tuple[tuple[str, MemberDescriptorType], ...]:
    """The slots of a class by the names that `own_slots` gives them."""
    found = []
    for base in _order(cls):
        given = _own(base).get("__slots__", ())
        for name in (given,) if isinstance(given, str) else given:
            slot = _own(base).get(_mangled(base, name))
            if isinstance(slot, MemberDescriptorType):
                found.append((_mangled(base, name), slot))
    return tuple(found)


def _mangled(cls: type, name: str) -> str:
    """A private name as the class's own code has it."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{cls.__name__.lstrip('_')}{name}" if private else name


def static_place(owner: Any, name: str) -> Any:
    """Where `inspect.getattr_static` finds an attribute: "own" if in the object itself, the class whose it
    is, or None.

    >>> static_place(3, "bit_length") is int, static_place(3, "nothing")
    (True, None)
    """
    if isinstance(owner, type):
        return next((cls for cls in (*_order(owner), *_order(type(owner))) if name in _own(cls)), None)
    cls = next((cls for cls in _order(type(owner)) if name in _own(cls)), None)
    fields = own_fields(owner)
    if type(fields) is not dict or name not in fields:
        return cls
    return "own" if inspect.getattr_static(owner, name) is fields[name] else cls


def is_plain_attribute(cls: type, name: str) -> bool:
    """Whether what a class has by this name is nothing that says itself what reading it gives."""
    return not hasattr(type(_own(cls)[name]), "__get__")


def is_computed_of_class(cls: type, name: str) -> bool:
    """Whether reading an attribute of a class runs code in Python: of a descriptor, or of its metaclass.

    >>> class Asked(type):
    ...     held = property(lambda cls: 2.0)
    >>> is_computed_of_class(Asked("Made", (), {}), "held"), is_computed_of_class(float, "real")
    (True, False)
    """
    found = next((_own(entry)[name] for entry in _order(cls) if name in _own(entry)), None)
    if found is not None:
        return isinstance(getattr(type(found), "__get__", None), FunctionType)
    if type(cls) is type:
        return False
    found = next((_own(entry)[name] for entry in _order(type(cls)) if name in _own(entry)), None)
    if found is None:
        return any(isinstance(_own(entry).get("__getattr__"), FunctionType) for entry in _order(type(cls)))
    return isinstance(found, property) or isinstance(getattr(type(found), "__get__", None), FunctionType)


def described_attribute(owner: Any, name: str) -> Any:
    """`inspect.getattr_static` of a method, a property or the like, or of nothing."""
    return inspect.getattr_static(owner, name)


class NotGiven:
    """Stands for a default that is not given."""


def is_written(method: Any) -> bool:
    """Whether a method is in Python, and its text is in a file: not so what `dataclass` makes of a class."""
    return isinstance(method, FunctionType) and method.__code__.co_filename != "<string>"


def defining_class(owner: Any, name: str) -> Any:
    """The class in which what a class, or module, has by a name is found: itself, one behind it, or one that
    it is an object of; the class itself where there is none.

    >>> defining_class(bool, "real").__name__
    'int'
    """
    behind = (*(_order(owner) if isinstance(owner, type) else ()), *_order(type(owner)))
    return next((cls for cls in behind if name in _own(cls)), owner)
