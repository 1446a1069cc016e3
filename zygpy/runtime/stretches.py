"""Loops that are run in stretches, each of which is run once more in the backward pass."""

from __future__ import annotations

import copy
import functools
import hashlib
import operator
import random
import sys
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.gauges import Gauge
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.records import fields_of

STRETCHES = "__zygpy_stretches__"
"""The attribute of a function whose loops are run in stretches: how they are divided."""

PART = "__zygpy_part__"
"""The attribute of a function that runs one stretch of a loop: what it is made from."""

RUN = "__zygpy_run__"
"""The attribute of the forward of such a function: by which name it calls what runs the stretch."""


@dataclass(frozen=True)
class Plan:
    """How loops are divided: `n` iterations into about `sqrt(n)` stretches; with `segments` into so many,
    each of which is divided again."""

    segments: int | None = None


# ------------------------------------------------------------------------------------ what is walked over


WALKABLE = (range, list, tuple, str, bytes, np.ndarray)
"""What a loop in stretches may walk over: sequences whose slices are what the loop would be given."""


def check_walkable(value: Any) -> None:
    """Refuse what can be walked over only once, or runs code when it is walked over."""
    if type(value) not in WALKABLE:
        raise UnsupportedSyntaxError(
            f"a checkpointed loop walks over a {type(value).__name__}.",
            why="stretches of the loop are run once more, so that the items must be there again",
            instead="make a list of it beforehand, or write a `while` loop",
        )


def check_unchanged(value: Any, count: int, first: int, items: Any) -> None:
    """Refuse a list that is changed by the loop that walks over it."""
    if type(value) is not list:
        return
    now = value[first : first + len(items)]
    if len(value) != count or len(now) != len(items) or not all(map(operator.is_, now, items)):
        raise UnsupportedSyntaxError(
            "a checkpointed loop changes the list that it walks over.",
            why="the items of a stretch are taken before it is run",
            instead="walk over a copy of the list, or write a `while` loop",
        )


# --------------------------------------------------------------------------------------- copies of state


def apart(value: Any) -> Any:
    """Copies of several values, which share nothing with them that can be changed, and with each other what
    these share; functions stay themselves.

    Raises UnsupportedSyntaxError where something cannot be copied.

    >>> whole = np.zeros(3)
    >>> ours, view = apart((whole, whole[1:]))
    >>> view[0] = 1.0
    >>> ours, whole
    (array([0., 1., 0.]), array([0., 0., 0.]))
    """
    memo: dict[int, Any] = {}
    arrays = []
    for found in _reachable(value):
        if isinstance(found, np.ndarray):
            arrays.append(found)
        elif type(found) in FLAT and _is_flat(found):
            memo[id(found)] = found.copy()
    for group in _by_memory(arrays):
        if len(group) > 1:
            memo.update({id(array): moved for array, moved in zip(group, _moved(group), strict=True)})
    try:
        return tuple([_copied(item, memo) for item in value])
    except (TypeError, RecursionError) as error:
        raise UnsupportedSyntaxError(
            f"what a checkpointed loop uses cannot be copied: {error}.",
            why="every stretch of the loop is run once more, from the state in which it was run before",
            instead="make it inside the loop, or outside of what the loop is given",
        ) from error


def things_of(values: Any) -> Any:
    """All that can be changed and is reached from values, in an order that is the same for copies of them."""
    found = tuple([value for value in _reachable(values) if not isinstance(value, CALLED)])
    for value in found:
        _check_content(value)
    return found


def _check_content(value: Any) -> None:
    """Refuse things that hold values of which copies would not tell which is which."""
    cls = type(value)
    step = getattr(cls, "__next__", None)
    if isinstance(value, BaseException) or (step is not None and not isinstance(step, FunctionType)):
        raise UnsupportedSyntaxError(
            f"a checkpointed loop that changes things is given a {cls.__name__}.",
            why="the loop is run once more with a copy, and what that holds cannot be told from what it was",
            instead="make it inside the loop, or use a list and an index",
        )


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    if type(value) is np.ndarray and value.dtype != object and id(value) not in memo:
        memo[id(value)] = value.copy(order="K")
        memo.setdefault(-1, []).append(value)  # as long as the memo is there, the identity is the array's
    return copy.deepcopy(value, memo)


def _reachable(values: Any) -> Iterator[Any]:
    """Everything that values consist of, each thing once."""
    waiting, seen = list(values), set()
    while waiting:
        value = waiting.pop()
        if type(value) in ATOMS or id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        parts = _parts(value)
        if not ATOMS.issuperset(map(type, parts)):
            waiting += parts


NUMPYS = (np.float64, np.float32, np.int64, np.int32, np.bool_, np.complex128, np.complex64)

ATOMS = frozenset({int, float, complex, bool, str, bytes, type(None), range, type, Gauge, *NUMPYS})

FLAT = frozenset({list, dict, deque})
"""Containers that are copied as a whole where they hold atoms only."""


BARE = frozenset({*FLAT, tuple})
"""Containers that have nothing but their items."""


def _is_flat(value: Any) -> bool:
    items = value.values() if type(value) is dict else value
    return ATOMS.issuperset(map(type, items)) and (
        type(value) is not dict or ATOMS.issuperset(map(type, value))
    )


CALLED = (FunctionType, BuiltinFunctionType)
"""What copies have in common with what they are copies of."""


def _parts(value: Any) -> list[Any]:
    if type(value) in BARE:
        return [*value, *value.values()] if type(value) is dict else [*value]
    if isinstance(value, np.ndarray | FunctionType):
        return []
    if isinstance(value, dict):
        return [*value.keys(), *value.values(), *[item for _, item in fields_of(value)]]
    if isinstance(value, set | frozenset):
        _check_elements(value)
    if isinstance(value, list | tuple | set | frozenset) or type(value).__name__ == "deque":
        return [*value, *[item for _, item in fields_of(value)]]
    if hasattr(value, "__self__"):
        return [value.__self__]
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    return [item for _, item in fields_of(value)]


def _check_elements(value: Any) -> None:
    """Refuse sets whose order is not that of copies of them."""
    for element in value:
        if type(element) not in ATOMS and not isinstance(element, np.generic | tuple):
            raise UnsupportedSyntaxError(
                f"a checkpointed loop uses a set with a {type(element).__name__} in it.",
                why="a copy of the set would have its elements in another order",
                instead="keep the elements in a list or a dict",
            )


def _root(array: Any) -> Any:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _by_memory(arrays: list[Any]) -> list[list[Any]]:
    """Arrays in groups of those that are parts of one."""
    groups: dict[int, list[Any]] = {}
    for array in arrays:
        groups.setdefault(id(_root(array)), []).append(array)
    return list(groups.values())


def _moved(group: list[Any]) -> list[Any]:
    """Arrays with the same places in a copy of the memory that they are parts of."""
    bounds = [_bounds(array) for array in group]
    start = min(first for first, _ in bounds)
    size = max(last for _, last in bounds) - start
    dtype = group[0].dtype if len({array.dtype for array in group}) == 1 else np.dtype(np.uint8)
    memory = np.empty(-(-size // dtype.itemsize), dtype)
    moved = []
    for array in group:
        offset = array.__array_interface__["data"][0] - start
        view: Any = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
        view[...] = array
        moved.append(view)
    return moved


def _bounds(array: Any) -> tuple[int, int]:
    """The first address of an array, and that behind the last."""
    address = array.__array_interface__["data"][0]
    steps = [stride * (count - 1) for stride, count in zip(array.strides, array.shape, strict=True) if count]
    first = address + sum(step for step in steps if step < 0)
    return first, address + sum(step for step in steps if step > 0) + (array.itemsize if array.size else 0)


# ---------------------------------------------------------------- what a stretch finds where it looks itself


class Moment:
    """What is not given to a stretch and has to be as it was when it is run once more: the random numbers,
    what NumPy does about errors, and the data that functions have captured or find in global variables."""

    def __init__(self, around: Any, given: Any, gauge: Gauge) -> None:
        functions, self.places = around
        self.functions = (*functions, *[value for value in _reachable(given) if isinstance(value, CALLED)])
        self.held = _digest(self.functions, self.places)
        self.random: Any = _random_state()
        self.errors = np.geterr()
        self.notes = gauge.notes

    def passed(self, gauge: Gauge, stash: Any, given: Any) -> None:
        """Forget the random numbers if none were taken, and note what was kept, unless that was noted of
        stretches of the stretch."""
        if _same_random(self.random, _random_state()):
            self.random = None
        if gauge.notes == self.notes:
            gauge.note(stash, given)

    def come_back(self) -> Any:
        """Check that all is as it was, and give the random numbers again; what they are now."""
        if _digest(self.functions, self.places) != self.held:
            raise UnsupportedSyntaxError(
                "what a checkpointed loop finds in global or captured variables has changed since then.",
                why="the loop is run once more in the backward pass, and would read something else",
                instead="pass what changes as an argument, or keep it in a local variable",
            )
        now = None if self.random is None else _random_state()
        return now, go_on((self.random, self.errors))


def moment(around: Any, given: Any, gauge: Gauge) -> Moment:
    """What a stretch finds now where it looks itself: `around` are functions and places that its text
    mentions, `given` its arguments."""
    return Moment(around, given, gauge)


def passed(before: Moment, gauge: Gauge, stash: Any, given: Any) -> None:
    """Note that the stretch was run for the first time, what it would have kept, and its arguments."""
    before.passed(gauge, stash, given)


def come_back(before: Moment) -> Any:
    """Let all be as it was at a moment; gives what to `go_on` with."""
    return before.come_back()


def go_on(state: Any) -> Any:
    """Set the random numbers, unless nothing was kept of them, and what NumPy does about errors, which was
    set to what is given back."""
    numbers, errors = state
    if numbers is not None:
        random.setstate(numbers[0])
        np.random.set_state(numbers[1])  # noqa: NPY002 (what is meant is the global one)
    return np.seterr(**errors)


def _random_state() -> Any:
    return random.getstate(), np.random.get_state()  # noqa: NPY002


def _same_random(before: Any, now: Any) -> bool:
    ours, theirs = before[1], now[1]
    same = all(a == b for a, b in zip(ours, theirs, strict=True) if not isinstance(a, np.ndarray))
    return before[0] == now[0] and same and bool(np.array_equal(ours[1], theirs[1]))


def surroundings(namespace: dict[str, Any], names: Any) -> tuple[Any, ...]:
    """Of names that a program mentions, the functions that they stand for, and the namespace and name of what
    is data."""
    there = [name for name in names if name in namespace]
    functions = [namespace[name] for name in there if isinstance(namespace[name], FunctionType)]
    data = [
        (namespace, name)
        for name in there
        if not (isinstance(namespace[name], FunctionType) or _is_inert(namespace[name]))
    ]
    return tuple(functions), tuple(data)


def _is_inert(value: Any) -> bool:
    """Whether there is no data in a value that could change, or it is that of random numbers which are given
    again."""
    if isinstance(value, BuiltinFunctionType):
        owner = value.__self__
        return (
            owner is None
            or isinstance(owner, type | ModuleType)
            or any(owner is one for one in GLOBAL_RANDOM)
        )
    return isinstance(value, type | ModuleType | np.ufunc)


GLOBAL_RANDOM = (random._inst, np.random.mtrand._rand)
"""What the functions of `random` and `np.random` take their numbers from."""


def _digest(functions: Any, places: Any) -> bytes:
    return hashlib.blake2b(repr(_held(functions, places)).encode()).digest()


def _held(functions: Any, places: Any) -> list[Any]:
    """What tells whether data is still the same that functions, and places, lead to."""
    tokens: list[Any] = []
    waiting = [*(namespace.get(name) for namespace, name in places), *functions]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or _is_inert(value):
            continue
        if isinstance(value, NUMBERS):
            tokens.append(value)
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            waiting += found_by(value)
        else:
            tokens.append(_token(value))
            waiting += _parts(value)
    return tokens


NUMBERS = (bool, int, float, complex, np.generic, str, bytes, type(None))


def _token(value: Any) -> Any:
    """What tells whether a value is still the same, apart from what it consists of."""
    if isinstance(value, np.ndarray):
        return (id(value), value.shape, zlib.crc32(value.tobytes()))
    if isinstance(value, np.random.Generator):
        return repr(value.bit_generator.state)
    if isinstance(value, np.random.RandomState):
        state: Any = value.get_state(legacy=False)
        return zlib.crc32(state["state"]["key"].tobytes()), state["state"]["pos"], state["gauss"]
    if isinstance(value, random.Random):
        return value.getstate()
    if hasattr(type(value), "__next__"):
        raise UnsupportedSyntaxError(
            f"a checkpointed loop asks a {type(value).__name__} in a global or captured variable.",
            why="when the loop is run once more, that gives other items",
            instead="make a list of it beforehand",
        )
    return id(value), len(value) if hasattr(type(value), "__len__") else 0


def found_by(function: Any) -> list[Any]:
    """What a function has captured or finds in global variables, if these are a program's."""
    space = {} if is_platform(function.__code__.co_filename) else function.__globals__
    names = [name for name in dict.fromkeys(_mentioned(function.__code__)) if name in space]
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_bound(cell)]
    return [*(space[name] for name in names), *cells, *(function.__defaults__ or ())]


def _mentioned(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _mentioned(constant)


def _is_bound(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


# ------------------------------------------------------------------------------------------ cotangents


def let_go(store: Any) -> None:
    """Take the cotangents out of a store of things that nobody else refers to any more, as those that were
    made in a stretch which has been reversed: they will not be asked for."""
    store.memory.views.clear()
    store.memory.forget_taken()
    for table in (store.memory.buffers, store.places, store.lists, store.objects):
        for key in [key for key in table if references(table, key) <= ALONE]:
            del table[key]


def references(table: dict[int, Any], key: int) -> int:
    """How many references there are to the thing that an entry of a store is about."""
    return sys.getrefcount(table[key][0])


ALONE = references({0: (object(), None)}, 0)
