"""What a call has changed in the things that it was given."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.callables import functions_in
from zygpy.runtime.cells import content
from zygpy.runtime.given import is_given
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.protocols import INERT
from zygpy.runtime.store import CELL, IMMUTABLE, Held, carried_by, content_of, described, is_method


class Contents:
    """What described things held at one moment."""

    def __init__(self, what: Any) -> None:
        self.things: list[tuple[Held, dict[Any, Any]]] = []
        self.arrays: list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = []
        self.functions: list[tuple[FunctionType, dict[str, Any]]] = []
        self._note(what, set())

    def _note(self, what: Any, seen: set[int]) -> None:
        if isinstance(what, tuple):
            for item in what:
                self._note(item, seen)
        elif isinstance(what, np.ndarray) and id(what) not in seen:
            seen.add(id(what))
            if what.dtype.kind in "fc":
                self.arrays.append((what, what.copy()))
        elif isinstance(what, Held) and id(what) not in seen:
            seen.add(id(what))
            if isinstance(what.owner, FunctionType):  # whose variables are found by themselves
                self.functions.append((what.owner, dict(vars(what.owner))))
            elif what.form not in ("function", CELL) and not _is_own(what.owner):
                self.things.append((what, dict(content_of(what.owner, what.form))))
            self._note(tuple(what.items.values()), seen)

    def changed(self) -> Any:
        """A thing that has lost or got something since which may have a gradient, or an array that has
        changed; None if there is none."""
        return next(self.all_changed(), None)

    def all_changed(self) -> Iterator[Any]:
        """All such things."""
        for held, before in self.things:
            made = getattr(held.owner, "default_factory", None)
            if _has_changed(before, dict(content_of(held.owner, held.form)), made):
                yield held.owner
        yield from (function for function, fields in self.functions if _has_changed(fields, vars(function)))
        yield from (array for array, old in self.arrays if not _is_equal(array, old))


def _has_changed(before: dict[Any, Any], after: dict[Any, Any], made: Any = None) -> bool:
    return any(
        not _is_same(before.get(key, ABSENT), after.get(key, ABSENT), made) for key in {**before, **after}
    )


def _is_equal(array: np.ndarray[Any, Any], before: np.ndarray[Any, Any]) -> bool:
    return array.shape == before.shape and bool(np.array_equal(array, before, equal_nan=True))


def contents_now(things: tuple[Any, ...]) -> Contents:
    """What things hold now.

    >>> contents_now(({"a": 1.0},)).changed()
    """
    return Contents(described(things))


def objects_now(things: tuple[Any, ...]) -> Contents:
    """What those of some things hold now that operators may change in ways of their own.

    >>> objects_now((1.0, np.zeros(3))).changed()
    """
    return Contents(described(tuple([thing for thing in things if not isinstance(thing, NUMBERS)])))


NUMBERS = (int, float, complex, np.generic, np.ndarray)
"""Classes of numbers and arrays, which operators leave alone."""


def check_left_alone(before: Contents, given: tuple[Any, ...] = ()) -> None:
    """Refuse what a call has done to things that are not expected to hold what has a gradient. What was
    `given` to a function that its caller has not known is looked at by the caller.

    >>> check_left_alone(contents_now(([1.0],)))
    """
    changed = next((thing for thing in before.all_changed() if not is_given(thing, given)), None)
    if changed is not None:
        raise UnsupportedSyntaxError(
            f"a call changes a {type(changed).__name__} that others find without being given it.",
            why="whoever reads it was derived as if nothing in it had a gradient",
            instead="call the function that does so by its own name, or return the value",
        )


def check_harmless(things: tuple[Any, ...]) -> None:
    """Refuse what an iterator is given that may change something when its items are asked for, which is
    later than anybody looks.

    >>> check_harmless((lambda x: x * 2.0,))
    """
    for function in chain.from_iterable(map(functions_in, things)):
        if not is_harmless(function, object):
            raise UnsupportedSyntaxError(
                f"'{function.__name__}', which may change what others find, is given to an iterator that "
                "calls it when an item is asked for.",
                why="whoever reads what it changes was derived as if nothing in it had a gradient",
                instead="write a loop that calls the function, or a comprehension",
            )


def _is_own(value: Any) -> bool:
    """Whether a thing is a part of a derivation, which may keep what it has computed."""
    return type(value).__module__.startswith("zygpy.")


class _Absent:
    """Stands for what a thing does not have."""


ABSENT = _Absent()


def _is_same(before: Any, after: Any, made: Any) -> bool:
    """Whether the caller need not know that a place of a thing holds something else; `made` is the class of
    what a `defaultdict` makes for a key that is read, which is nothing else."""
    if before is after or (before is ABSENT and type(after) is made):
        return True
    return all(item is ABSENT or isinstance(item, INERT) for item in (before, after))


def can_be_changed(value: Any, seen: set[int] | None = None) -> bool:
    """Whether something that a value consists of can be changed in place. Variables that functions share
    are not of it: their cotangents are found by themselves."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return False
    seen.add(id(value))
    if isinstance(value, CellType):
        return can_be_changed(content(value), seen)
    if isinstance(value, tuple | FunctionType):
        items = value if isinstance(value, tuple) else [item for _, item in carried_by(value)]
        return any(can_be_changed(item, seen) for item in items)
    if is_method(value):
        return can_be_changed(value.__self__, seen)
    return not isinstance(value, IMMUTABLE)


def keeps_nothing(value: Any) -> bool:
    """Whether a value is a function that carries variables, and changes none of them, nor what is in them;
    nor does it have fields.

    >>> def factory(step):
    ...     return lambda x: x + step
    >>> keeps_nothing(factory(1.0)), keeps_nothing(factory([]))
    (True, False)
    >>> def counted(f):
    ...     def wrapper(x):
    ...         wrapper.calls = getattr(wrapper, "calls", 0) + 1
    ...         return f(x)
    ...     return wrapper
    >>> keeps_nothing(counted(abs)), keeps_nothing(counted(factory(1.0)))
    (False, False)
    """
    return (
        isinstance(value, FunctionType) and value.__closure__ is not None and not _keeps(value, {id(value)})
    )


def are_given_fields(args: Sequence[Any]) -> bool:
    """Whether a function among arguments, or in a list, tuple or dict among them, gives fields to itself, or
    to another that it carries: whoever is given it may ask for them.

    >>> def counted(x):
    ...     counted.calls += 1
    ...     return x
    >>> counted.calls = 0
    >>> are_given_fields((counted, 1.0)), are_given_fields(([abs, counted],)), are_given_fields((abs, [1.0]))
    (True, True, False)
    """
    found: list[Any] = []
    for arg in args:
        if isinstance(arg, float | np.ndarray):
            continue
        found += islice(arg.values() if type(arg) is dict else arg, FEW) if type(arg) in HOLDING else (arg,)
    return any(isinstance(function, FunctionType) and _gives_fields(function) for function in found)


HOLDING = (list, tuple, dict)
FEW = 16
"""So many items are looked at."""


def _gives_fields(function: FunctionType) -> bool:
    carried = [value for value in map(content, function.__closure__ or ()) if isinstance(value, FunctionType)]
    known = {*vars(function)} - {"__wrapped__"} or function in carried
    return bool(known or carried) and _sets_fields(function.__code__)


STORING = frozenset({"STORE_ATTR", "DELETE_ATTR"})
"""Instructions that change a field of something."""

BY_FUNCTIONS = frozenset({"setattr", "delattr", "vars", "__dict__", "__setattr__", "update_wrapper", "wraps"})
"""Names by which code changes a field of something in other ways."""


def _keeps(function: FunctionType, seen: set[int]) -> bool:
    """Whether a function keeps anything in its variables, in its fields, or in those of functions that it
    carries."""
    cells = function.__closure__ or ()
    if {*vars(function)} - {"__wrapped__"} or any(map(can_be_changed, cells)):
        return True
    carried = [value for value in map(content, cells) if isinstance(value, FunctionType)]
    code, free = function.__code__, function.__code__.co_freevars
    knows_itself = any(value is function for value in carried)  # and may ask for a field that it gets later
    if knows_itself or _rebinds(code, free) or (carried and _sets_fields(code)):
        return True
    new = [value for value in carried if id(value) not in seen]
    seen.update(map(id, new))
    return any(_keeps(value, seen) for value in new)


def _rebinds(code: CodeType, variables: tuple[str, ...]) -> bool:
    """Whether code, or that of a function in it, binds one of these captured variables again."""
    steps = dis.get_instructions(code)
    own = any(step.opname == "STORE_DEREF" and step.argval in variables for step in steps)
    return own or any(_rebinds(inner, variables) for inner in _inner(code))


@lru_cache(maxsize=4096)
def _sets_fields(code: CodeType) -> bool:
    """Whether code, or that of a function in it, changes fields of anything."""
    stores = any(step.opname in STORING for step in dis.get_instructions(code))
    by_name = not BY_FUNCTIONS.isdisjoint(code.co_names)
    return stores or by_name or any(map(_sets_fields, _inner(code)))


def _inner(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions in it."""
    return (part for part in code.co_consts if isinstance(part, CodeType))
