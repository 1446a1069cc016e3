"""Whether a method in Python may change what others know, as far as names in its code tell."""

from __future__ import annotations

import builtins
import dis
import functools
import itertools
import re
import sys
from collections.abc import Collection, Iterator, ValuesView
from dataclasses import dataclass, field
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from zygpy.runtime.lookup import in_class, own_fields, own_slots

WRITING = frozenset(
    {
        *("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL"),
        *("DELETE_ATTR", "DELETE_SUBSCR", "DELETE_GLOBAL"),
    }
)
"""Instructions that change what others know."""

CHANGING = frozenset(
    {
        *("append", "extend", "pop", "insert", "remove", "clear", "update", "setdefault", "popitem"),
        *("appendleft", "extendleft", "popleft", "rotate", "sort", "reverse", "move_to_end"),
        *("setattr", "delattr", "next", "send", "__setattr__", "__setitem__", "__delattr__", "__delitem__"),
    }
)
"""Names of what changes a list, dict, object or iterator."""

FILLING = frozenset(
    {
        *("fill", "put", "partition", "resize", "itemset", "setfield", "at", "shuffle"),
        *("copyto", "place", "putmask", "put_along_axis", "fill_diagonal"),
        *("heappush", "heappop", "heapify", "heapreplace", "heappushpop", "insort", "insort_left"),
    }
)
"""Names of what changes an array or a heap when it is called; fields may be named so too."""

SHARED = ("STORE_DEREF", "DELETE_DEREF")
"""Instructions that change a variable of a function further out, if it is one."""

LOADS = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")

MARKED = ("LOAD_GLOBAL",) if sys.version_info < (3, 12) else ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_SUPER_ATTR")
"""Instructions whose argument tells by its lowest bit that a call follows."""

OF_SETS = frozenset(
    {"add", "discard", "difference_update", "intersection_update", "symmetric_difference_update"}
)
"""Names of what changes a set, and may be anything else."""

READING = (
    frozenset().union(*map(dir, (str, list, dict, tuple, set, float, complex, np.ndarray)))
    - CHANGING
    - OF_SETS
)
"""Names of methods of builtin types that change nothing."""


@dataclass
class Reading:
    """What the code of some functions tells: whether it changes something, what it calls that is not known by
    name (a method of something else, or "" for what a variable holds), which attributes it reads, and which
    things it finds by global and shared variables."""

    cls: type
    changes: bool = False
    unknown: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    seen: set[CodeType] = field(default_factory=set)
    things: list[Any] = field(default_factory=list)

    def read(self, function: Any) -> None:
        """Read a function that is no library's, and all that it calls by a name that is known."""
        if not _is_of_a_library(getattr(function, "__func__", function)):
            self.method(function)

    def method(self, function: Any) -> None:
        """Read what a class has as a method."""
        function = getattr(function, "__func__", function)
        if isinstance(function, FunctionType) and function.__code__ not in self.seen:
            self._code(function.__code__, function)

    def _code(self, code: CodeType, function: FunctionType) -> None:
        self.seen.add(code)
        self.changes |= _changes_what_it_is_given(code)
        calls = 0
        before: Any = None
        for instruction in _instructions(code):
            calls += _calls(instruction)
            self._instruction(instruction, before, code, function)
            before = instruction
        if calls > 0:
            self.unknown.add("")
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, function)

    def _instruction(
        self, instruction: dis.Instruction, before: Any, code: CodeType, function: FunctionType
    ) -> None:
        name, opname = instruction.argval, instruction.opname
        shared = opname in SHARED and name in code.co_freevars
        if opname in WRITING or shared:
            self.changes = True
        elif opname == "LOAD_GLOBAL":
            self.changes |= name in CHANGING or name in FILLING
            self._find(_global(function, name))
        elif opname == "LOAD_DEREF" and name in function.__code__.co_freevars:
            self._find(_content(function, name))
        elif opname in LOADS:
            self._attribute(instruction, before, function)

    def _find(self, found: Any) -> None:
        """What a variable from further out holds."""
        self.read(found)
        if not isinstance(found, (*PLAIN, BuiltinFunctionType, MethodType)):
            self.things.append(found)

    def _attribute(self, instruction: dis.Instruction, before: Any, function: FunctionType) -> None:
        name = instruction.argval
        self.attributes.add(name)
        self.changes |= name in CHANGING or (name in FILLING and _is_called(instruction))
        found = in_class(self.cls, name, None)
        if isinstance(found, property | functools.cached_property):
            self.read(getattr(found, "fget", None) or getattr(found, "func", None))
        elif found is not None and not isinstance(found, MemberDescriptorType):
            self.method(found)
        elif _is_called(instruction) and name not in READING and not _of_a_module(before, function):
            self.unknown.add(name)


@functools.lru_cache(maxsize=1024)  # the methods of a class are read for each of those that call them
def _instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    return tuple(dis.get_instructions(code))


@functools.lru_cache(maxsize=1024)
def _changes_what_it_is_given(code: CodeType) -> bool:
    return _gives_out(code) or _adds_in_place(code)


def _gives_out(code: CodeType) -> bool:
    """Whether a call in the code gives something by the name of `out`."""
    return any(isinstance(constant, tuple) and "out" in constant for constant in code.co_consts)


def _adds_in_place(code: CodeType) -> bool:
    """Whether the code has an augmented assignment of what may be an array: of anything but a variable that
    starts as a constant."""
    steps = _instructions(code)
    stored: dict[str, bool] = {}
    augmented: set[str] = set()
    for before, step in itertools.pairwise(steps):
        adds = before.opname == "BINARY_OP" and before.argrepr.endswith("=")
        name = _stored(step)
        if adds and name is None:
            return True
        if adds:
            augmented.add(str(name))
        elif name is not None:
            stored[name] = stored.get(name, True) and before.opname == "LOAD_CONST"
    return any(not stored.get(name, False) for name in augmented)


def _stored(step: dis.Instruction) -> str | None:
    """The local variable that an instruction binds first."""
    if not step.opname.startswith("STORE_FAST"):
        return None
    return str(step.argval[0] if isinstance(step.argval, tuple) else step.argval)


def _is_of_a_library(function: Any) -> bool:
    top = str(getattr(function, "__module__", None) or "").partition(".")[0]
    return top in sys.stdlib_module_names or top == "numpy"


def _calls(instruction: dis.Instruction) -> int:
    """1 for a call, -1 for what brings a callee that is known by name: what is left are calls of others."""
    name = instruction.opname
    if name.startswith("CALL") and not name.startswith("CALL_INTRINSIC"):
        return 1
    marked = name in MARKED and bool((instruction.arg or 0) & 1)
    return -1 if marked or name == "LOAD_METHOD" else 0


def _is_called(instruction: dis.Instruction) -> bool:
    return _calls(instruction) < 0


def _of_a_module(before: Any, function: FunctionType) -> bool:
    """Whether an attribute is one of a module that has just been loaded."""
    if before is None or before.opname != "LOAD_GLOBAL":
        return False
    return isinstance(_global(function, before.argval), ModuleType)


def _global(function: FunctionType, name: str) -> Any:
    return function.__globals__.get(name, getattr(builtins, name, None))


def _content(function: FunctionType, name: str) -> Any:
    cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
    try:
        return cell.cell_contents
    except ValueError:
        return None


def reading_of(function: FunctionType, cls: type) -> Reading:
    """What the code of a method of a class tells."""
    reading = Reading(cls)
    reading.method(function)
    return reading


def is_harmless(function: FunctionType, cls: type) -> bool:
    """Whether a method surely changes nothing.

    >>> is_harmless(lambda self: self.x > len(self.y), object)
    True
    >>> is_harmless(lambda self: self.log.append(1), object), is_harmless(lambda self: self.f(1), object)
    (False, False)
    """
    reading = reading_of(function, cls)
    return not reading.changes and not reading.unknown


def changes_something(function: FunctionType, owner: Any, seen: Collection[Any] = ()) -> bool:
    """Whether a method of an object changes something, as far as can be told: what the object holds under
    a name that is called is read too, and so are methods of this name of what it holds, or finds.

    >>> class Counter:
    ...     total = 0
    ...     def count(self): self.total += 1
    >>> class Owner:
    ...     def __init__(self, counter): self.counter = counter
    ...     def __len__(self): return self.counter.count() or 1
    >>> Owner.__module__ = Counter.__module__ = "elsewhere"
    >>> changes_something(Owner.__len__, Owner(Counter())), changes_something(Owner.__len__, Owner([]))
    (True, False)
    """
    reading = reading_of(function, type(owner))
    unknown = frozenset(reading.unknown)
    for held in _held(owner, unknown):
        reading.read(held)
    if reading.changes or len(seen) > PARTS:
        return reading.changes
    called = unknown | (reading.attributes & READING)
    parts = [*reading.things, *(held_under(owner, name) for name in reading.attributes)]
    return any(
        changes_something(method, part, seen := [*seen, (type(part), name)])
        for part in _and_items(parts)
        for name in called
        if (type(part), name) not in seen and (method := _written_method(part, name)) is not None
    )


def _and_items(parts: list[Any]) -> list[Any]:
    """Things, and what is in those that are lists, tuples and dicts."""
    held = [part.values() if isinstance(part, dict) else part for part in parts]
    items = [item for part in held if isinstance(part, list | tuple | ValuesView) for item in part]
    return [part for part in [*parts, *items][:PARTS] if not isinstance(part, PLAIN)]


def _written_method(part: Any, name: str) -> FunctionType | None:
    """The method of a thing that is written in Python, and in no library."""
    found = in_class(type(part), name, None)
    method = getattr(found, "__func__", found)
    return method if isinstance(method, FunctionType) and not _is_of_a_library(method) else None


def _held(owner: Any, names: frozenset[str]) -> Iterator[Any]:
    """The functions that an object holds under such names."""
    for name in names:
        found = held_under(owner, name)
        if isinstance(found, FunctionType | MethodType):
            yield found
        elif found is not None:
            yield in_class(type(found), "__call__", None)


def held_under(owner: Any, name: str) -> Any:
    """What an object has in a field or slot of this name, or None."""
    if isinstance(in_class(type(owner), name, None), MemberDescriptorType):
        return getattr(owner, name, None)
    return own_fields(owner).get(name)


SPECIAL = re.compile(
    r"__(?!(init|new|del|call|class|set_name|enter|exit|reduce|getstate|setstate|set|delete)__)"
    r"(?!(setitem|delitem|setattr|delattr|init_subclass|class_getitem)__)"
    r"(?!i(add|sub|mul|truediv|floordiv|mod|pow|matmul|and|or|xor|lshift|rshift|concat)__)\w+__"
)
"""Methods that Python calls by itself for operators, questions, items and attributes that are read; what
stores something, or calls an object, says so in the code that does it."""

PARTS = 50
"""So many parts of an object are looked at."""


_CHANGING: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def _changes_unasked(cls: type) -> bool:
    """Whether a method of a class that operators, questions or attributes call changes something."""
    if cls not in _CHANGING:
        _CHANGING[cls] = _has_changing_methods(cls)
    return _CHANGING[cls]


def _has_changing_methods(cls: type) -> bool:
    return any(
        reading_of(method, cls).changes
        for base in cls.__mro__
        for name, found in vars(base).items()
        for method in (found.fget if isinstance(found, property) else found,)
        if isinstance(method, FunctionType) and (isinstance(found, property) or SPECIAL.fullmatch(name))
    )


def changes_by_its_parts(method: FunctionType, owner: Any) -> bool:
    """Whether a method of an object reads a field in which there is another one whose operators, questions or
    attributes change something: the method may use them, and its code does not name them.

    >>> class Log(list):
    ...     def __contains__(self, item):
    ...         self.append(item)
    ...         return True
    >>> Log.__module__ = "elsewhere"
    >>> class Owner:
    ...     def __init__(self, log):
    ...         self.log = log
    ...     def __bool__(self):
    ...         return 1 in self.log
    >>> [changes_by_its_parts(Owner.__bool__, Owner(log)) for log in (Log(), [[1.0]], {"a": [Log()]})]
    [True, False, True]
    """
    left = [held_under(owner, name) for name in _fields_read(method, type(owner))]
    seen: set[int] = set()
    while left and len(seen) < PARTS:
        part = left.pop()
        if isinstance(part, PLAIN) or id(part) in seen or _is_own(type(part)):
            continue
        seen.add(id(part))
        if _changes_unasked(type(part)):
            return True
        left += _parts_of(part)
    return False


_FIELDS: WeakKeyDictionary[type, dict[CodeType, frozenset[str]]] = WeakKeyDictionary()


def _fields_read(method: FunctionType, cls: type) -> frozenset[str]:
    """The attributes that a method reads, itself or by other methods of its class."""
    known = _FIELDS.setdefault(cls, {})
    if method.__code__ not in known:
        known[method.__code__] = frozenset(reading_of(method, cls).attributes)
    return known[method.__code__]


PLAIN = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type,
    type(None),
    np.ndarray,
    np.generic,
    FunctionType,
    ModuleType,
)


def _is_own(cls: type) -> bool:
    """Whether a class is one of ours, whose changes are followed."""
    return cls.__module__.startswith("zygpy.") and cls.__qualname__ in vars(sys.modules[cls.__module__])


def _parts_of(value: Any) -> list[Any]:
    """What an object, list, tuple or dict holds."""
    if isinstance(value, list | tuple):
        return list(value[:PARTS])
    if isinstance(value, dict):
        return list(itertools.islice(value.values(), PARTS))
    return [*own_fields(value).values(), *(held for _, held in own_slots(value))]
