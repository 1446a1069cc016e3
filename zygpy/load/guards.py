"""The conditions of a derivation, arranged so that checking them costs little at every call."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from numpy import ndarray

from zygpy.analyse.facts import Guard
from zygpy.analyse.families import conforms
from zygpy.analyse.fields import kind_outside
from zygpy.analyse.paths import MISSING
from zygpy.errors import UnsupportedSyntaxError
from zygpy.ir.kinds import Object, kind_of
from zygpy.runtime.lookup import in_class
from zygpy.runtime.platform_code import is_platform

_NUMBERS = frozenset({bool, int, float, complex})


@dataclass(frozen=True, eq=False, slots=True)
class Checks:
    """Guards in five parts: entries of dicts and attributes, compared by identity, variables that hold
    numbers, compared by type, those that hold arrays, compared by dtype and rank, and all others. The entries
    that are there, and those that are not, are in `present` and `absent` once more; `simple` if there is
    nothing but those that are there, `only_arrays` if there are but arrays beside. `functions` are those of
    the entries and attributes which are functions, classes and modules that are not the platform's: what a
    program may replace while it runs."""

    __zygpy_inert__ = True

    entries: tuple[tuple[Mapping[str, Any], str, Any], ...]
    attributes: tuple[tuple[Any, str, Any], ...]
    numbers: tuple[tuple[Mapping[str, Any], str, type, Guard], ...]
    arrays: tuple[tuple[Mapping[str, Any], str, Any, int, Guard], ...]
    others: tuple[Guard, ...]
    present: tuple[tuple[dict[str, Any], str, Any], ...] = field(init=False)
    absent: tuple[tuple[Mapping[str, Any], str, Any], ...] = field(init=False)
    simple: bool = field(init=False)
    only_arrays: bool = field(init=False)
    functions: tuple[tuple[Any, str, Any], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Tell the entries that are there from those that are not: these take longer to look for."""
        there = [type(entry[0]) is dict and entry[2] is not MISSING for entry in self.entries]
        for name, kept in (("present", True), ("absent", False)):
            found = [entry for entry, is_there in zip(self.entries, there, strict=True) if is_there is kept]
            object.__setattr__(self, name, tuple(found))
        rest = self.numbers or self.absent or self.attributes or self.others
        object.__setattr__(self, "simple", not (rest or self.arrays))
        object.__setattr__(self, "only_arrays", not rest)
        functions = [entry for entry in (*self.entries, *self.attributes) if _is_of_a_program(entry[2])]
        object.__setattr__(self, "functions", tuple(functions))

    def replaced(self) -> str | None:
        """The name of a function, class or module that is another one than it was, if there is one."""
        for owner, name, value in self.functions:
            entry = isinstance(owner, Mapping)
            found = owner.get(name, MISSING) if entry else getattr(owner, name, MISSING)
            if found is not value:
                return name
        return None

    def hold(self) -> bool:
        """Whether everything is still as it was."""
        try:
            for entries, name, value in self.present:
                if entries[name] is not value:
                    return False
        except KeyError:
            return False
        if self.simple:
            return True
        for owner, key, dtype, rank, guard in self.arrays:
            found: Any = owner.get(key)
            plain = type(found) is ndarray and found.dtype is dtype and found.ndim == rank
            if not plain and not _holds(guard):
                return False
        return self.only_arrays or self._others_hold()

    def _others_hold(self) -> bool:
        """The same of what is neither an entry that is there nor an array: the variables that hold numbers
        hold some of these types, or something else of these kinds."""
        for owner, name, cls, guard in self.numbers:
            if type(owner.get(name)) is not cls and not _holds(guard):
                return False
        for owner, name, value in self.absent:
            if owner.get(name, MISSING) is not value:
                return False
        for owner, name, value in self.attributes:
            if getattr(owner, name, MISSING) is not value:
                return False
        return not self.others or all(_holds(guard) for guard in self.others)


def _is_of_a_program(value: Any) -> bool:
    """Whether a value is a function, class or module in Python that is not the platform's.

    >>> _is_of_a_program(lambda: None), _is_of_a_program(np), _is_of_a_program(2.0)
    (True, False, False)
    """
    if isinstance(value, FunctionType):
        return not is_platform(value.__code__.co_filename)
    module = sys.modules.get(value.__module__) if isinstance(value, type) else value
    if not isinstance(module, ModuleType) or module is builtins:
        return False
    return not is_platform(getattr(module, "__file__", None))


def arrange(guards: Iterable[Guard]) -> Checks:
    """The checks of these guards, which hold now."""
    entries: list[tuple[Mapping[str, Any], str, Any]] = []
    attributes: list[tuple[Any, str, Any]] = []
    numbers: list[tuple[Mapping[str, Any], str, type, Guard]] = []
    arrays: list[tuple[Mapping[str, Any], str, Any, int, Guard]] = []
    others: list[Guard] = []
    for guard in guards:
        found = list(_entries(guard))
        entries += found
        if guard.kind is not None and (cls := _number_type(guard)) is not None:
            numbers.append((guard.owner, guard.name, cls, guard))
        elif guard.kind is not None and (array := _array(guard)) is not None:
            arrays.append((guard.owner, guard.name, array.dtype, array.ndim, guard))
        elif not (
            found
            or isinstance(guard.owner, dict)
            or guard.kind is not None
            or guard.raw
            or type(guard.value) is MethodType
        ):
            attributes.append((guard.owner, guard.name, guard.value))
        elif not found:
            others.append(guard)
    return Checks(tuple(entries), tuple(attributes), tuple(numbers), tuple(arrays), tuple(others))


def together(first: Checks, second: Checks) -> Checks:
    """The checks of both, each once.

    >>> here = arrange([Guard({"x": 1.0}, "x", 1.0)])
    >>> together(here, here) == here, len(together(here, here).entries)
    (False, 1)
    """
    return Checks(
        _joined(first.entries, second.entries),
        _joined(first.attributes, second.attributes),
        _joined(first.numbers, second.numbers),
        _joined(first.arrays, second.arrays),
        _joined(first.others, second.others),
    )


def _joined(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is in either, each once: conditions are told apart by what they consist of, not by values."""
    found = {
        tuple(map(_told_by, part)) if isinstance(part, tuple) else id(part): part for part in first + second
    }
    return tuple(found.values())


def _told_by(part: Any) -> Any:
    """What tells a part of a condition from others."""
    if isinstance(part, Guard):
        return id(part.owner), part.name, id(part.value), part.kind
    return part if isinstance(part, str) else id(part)


def rests_on_no_more(checks: Checks, others: Checks) -> bool:
    """Whether some conditions are among others."""
    entries = {(id(owner), name, id(value)) for owner, name, value in (*others.entries, *others.attributes)}
    guards = kind_guards(others)
    return all(
        (id(owner), name, id(value)) in entries
        for owner, name, value in (*checks.entries, *checks.attributes)
    ) and all(any(_is_same(guard, other) for other in guards) for guard in kind_guards(checks))


def check_not_replaced(name: str, checks: Checks) -> None:
    """Refuse a call, when it has been made, in which code that nobody has looked at replaced what it rests
    on: what ran is what was there before."""
    replaced = checks.replaced() if checks.functions else None
    if replaced is not None:
        raise UnsupportedSyntaxError(
            f"'{replaced}' was replaced by another one while '{name}' ran.",
            why="the functions that are called by a name are chosen before a program runs, and nothing that "
            "it calls by a name replaces this one",
            instead="replace it before the call, pass the function as an argument, or call what replaces it "
            "by its name",
        )


def kind_guards(checks: Checks) -> list[Guard]:
    """Those of the conditions that are not compared by identity alone."""
    found = [*checks.others, *[guard for *_, guard in checks.numbers]]
    return found + [guard for *_, guard in checks.arrays]


def _is_same(guard: Guard, other: Guard) -> bool:
    """Whether two conditions are one."""
    same = guard.owner is other.owner and guard.name == other.name
    return same and guard.value is other.value and guard.kind == other.kind


def _number_type(guard: Guard) -> type | None:
    """The type that tells the kind of a variable which holds a number, None of any other variable."""
    found = guard.owner.get(guard.name, MISSING) if isinstance(guard.owner, dict) else MISSING
    return type(found) if type(found) in _NUMBERS and kind_of(found) == guard.kind else None


def _array(guard: Guard) -> np.ndarray[Any, Any] | None:
    """The array whose dtype and rank tell the kind of a variable, None of any other variable."""
    found = guard.owner.get(guard.name, MISSING) if isinstance(guard.owner, dict) else MISSING
    return found if type(found) is np.ndarray and kind_of(found) == guard.kind else None


def _entries(guard: Guard) -> Iterator[tuple[Mapping[str, Any], str, Any]]:
    """The guard as entries of dicts; nothing if it is not of that sort."""
    owner = vars(guard.owner) if isinstance(guard.owner, ModuleType) else guard.owner
    if guard.kind is not None or not isinstance(owner, dict):
        return
    if guard.name in owner:
        yield owner, guard.name, guard.value
    elif not isinstance(guard.owner, ModuleType):  # a builtin name that no global name hides
        yield owner, guard.name, MISSING
        yield vars(builtins), guard.name, guard.value


def _holds(guard: Guard) -> bool:
    found = found_by(guard)
    if guard.kind is None:  # a method is bound anew whenever it is asked for
        return found is guard.value or (type(found) is MethodType and found == guard.value)
    if found is MISSING:
        return False
    if guard.deep and isinstance(guard.kind, Object) and conforms(found, guard.kind):
        return True
    return (kind_outside(found) if guard.deep else kind_of(found)) == guard.kind


def found_by(guard: Guard) -> Any:
    """What a guard is about, as it is now."""
    owner = guard.owner
    if guard.raw:
        return in_class(owner, guard.name, MISSING)
    if not isinstance(owner, dict):
        return getattr(owner, guard.name, MISSING)
    found = owner.get(guard.name, MISSING)
    return getattr(builtins, guard.name, MISSING) if found is MISSING else found
