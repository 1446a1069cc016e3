"""Tangents of zeros, in the form of the values that they belong to.

What lies in a container once has one tangent, however often it lies there; arrays in one memory have tangents
in one memory; and the tangent of an object is a `Partner`, whose fields are the tangents of its fields.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Set
from types import CellType, FunctionType, GeneratorType, MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.lookup import HEAP_TYPE, has_only_slots, own_things
from zygpy.runtime.memory import base_of, buffer_for, window
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.partials import RECEIVER, captured
from zygpy.runtime.project import zero_like
from zygpy.runtime.shown import shown_dict
from zygpy.runtime.subclasses import items_as

TANGENT = "zygpy_tangent"
"""The attribute of an exception that holds its partner, by which handlers find it, wherever it was raised."""

RUN = "zygpy_run"
"""The attribute that tells in which run it was made."""


class Runs(threading.local):
    """The runs of tangent code that have begun and not ended, the last one known by `now`; `mirrors` has the
    tangents of what it finds elsewhere, if it stores what varies there."""

    now: object = None
    mirrors: Any = None


RUNS = Runs()


class Begun:
    """One run of tangent code, in a `with`: what exceptions bring from others is none of its tangents.

    >>> error = ValueError(1.0)
    >>> with Begun():
    ...     bring(error, Partner())
    ...     inside = brought_by(error)
    >>> inside, brought_by(error)
    (Partner(), None)
    """

    __slots__ = ("before", "mirrors")

    def __init__(self, mirrors: Any = None) -> None:
        self.mirrors = mirrors

    def __enter__(self) -> None:
        self.before = RUNS.now, RUNS.mirrors
        RUNS.now, RUNS.mirrors = object(), self.mirrors

    def __exit__(self, *raised: object) -> None:
        RUNS.now, RUNS.mirrors = self.before


class CannotPush(Exception):
    """A direction, or an argument, for which no tangent code is written."""


def let_pass(error: BaseException) -> None:
    """Raise again what no handler of the program's is for, and forget what it brings of another run."""
    if isinstance(error, CannotPush):
        raise error
    if TANGENT in vars(error) and brought_by(error) is None:
        let_go(error)


def not_recorded(error: BaseException) -> None:
    """Leave a program to reverse mode, which says what it refuses: an exception in a `try` that came from
    where none is expected."""
    raise CannotPush from error


class Partner:
    """The tangent of an object: where the object has a field, it has the field's tangent.

    >>> dot = Partner()
    >>> dot.x = 2.0
    >>> dot
    Partner(x=2.0)
    """

    __zygpy_unlike__ = True

    def __repr__(self) -> str:
        return f"Partner({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def brought_by(error: BaseException) -> Partner | None:
    """The partner of an exception; None if it was made where there were no tangents, or in another run."""
    held = vars(error)
    found: Partner | None = held[TANGENT] if TANGENT in held and held[RUN] is RUNS.now else None
    return found


def bring(error: BaseException, partner: Partner) -> None:
    """Let an exception bring its partner to where it is caught."""
    setattr(error, TANGENT, partner)
    setattr(error, RUN, RUNS.now)


def let_go(error: BaseException) -> None:
    """Take their partners from an exception that leaves a program, and from those behind it.

    >>> cause, error = ValueError(2.0), KeyError("a")
    >>> error.__cause__ = cause
    >>> bring(cause, Partner())
    >>> let_go(error)
    >>> vars(cause)
    {}
    """
    waiting: list[BaseException | None] = [error]
    seen = set[int]()
    while waiting:
        found = waiting.pop()
        if found is not None and id(found) not in seen:
            seen.add(id(found))
            for name in (TANGENT, RUN):
                vars(found).pop(name, None)
            waiting += [found.__cause__, found.__context__]


class Carried:
    """The tangent of a function that was made in the program: `pairs` tells the variables that it captures
    with their tangents, by name; `defaults` are those of its default values that have tangents, in the same
    way, of which who calls it has to know (`zygpy.pushed.defaults`)."""

    def __init__(
        self,
        captured: Callable[[], dict[str, tuple[Any, Any]]],
        defaults: dict[str, tuple[Any, Any]] | None = None,
    ) -> None:
        self.captured = captured
        self.defaults = defaults

    def pairs(self) -> dict[str, tuple[Any, Any]]:
        """What the function captures.

        Raises CannotPush where that is not all that it has of its own.
        """
        if self.defaults is not None:
            raise CannotPush
        return self.captured()


def bound_dot(value: Any, dot: Any) -> Carried:
    """The tangent of a method that is bound to a value."""
    return Carried(lambda: {RECEIVER: (value, dot)})


def method_dot(method: Any, value: Any, dot: Any) -> Carried:
    """The tangent of a method that was read of a value.

    Raises CannotPush where it is bound to something else.
    """
    check_bound_to(method, value)
    return bound_dot(value, dot)


def check_bound_to(method: Any, value: Any) -> None:
    """Leave to reverse mode a method of something else, which a field holds.

    >>> check_bound_to((5).bit_length, 5)
    """
    if getattr(method, RECEIVER, None) is not value:
        raise CannotPush


def captured_dot(dot: Any, function: Any, name: str) -> Any:
    """The tangent of what a function has captured by a name, of that of the function.

    Raises CannotPush where that does not tell.
    """
    if not isinstance(dot, Carried | None):
        raise CannotPush
    pair = dot.pairs().get(name) if dot is not None else None
    return zero_tangent(captured(function, name)) if pair is None else pair[1]


def captured_or_apart(dot: Any, function: Any, name: str) -> Any:
    """The same of what does not vary; zeros where the tangent of the function does not tell of it.

    Raises CannotPush where it may lie in what has a tangent.
    """
    pair = dot.pairs().get(name) if type(dot) is Carried else None
    return zeros_apart(captured(function, name), function) if pair is None else pair[1]


def has_parts(dot: Any, value: Any) -> bool:
    """Whether something is surely an array, a list, a tuple or a dict, with a tangent of its form.

    >>> has_parts([0.0], [1.0]), has_parts(None, "text"), has_parts(Partner(), object())
    (True, False, False)
    """
    if type(dot) is type(value):
        return isinstance(value, np.ndarray | list | tuple | dict)
    return type(dot) in (list, dict) and type(dot) is items_as(value)


def parts_of(dot: Any, value: Any) -> Any:
    """The tangent of something that is surely an array, a list, a tuple or a dict, of which an item is taken.

    Raises CannotPush for anything else.
    """
    if not has_parts(dot, value):
        raise CannotPush
    return dot


VIEWS = (type(dict[Any, Any]().values()), type(dict[Any, Any]().items()))


def check_store(dot: Any, target: Any, value: Any) -> None:
    """Leave the store of an item to reverse mode if it is not into a list, a dict, or an array that keeps the
    numbers that it is given.

    >>> check_store({}, {}, "text")
    """
    if type(dot) in (list, dict, OrderedDict) and type(dot) is items_as(target):
        return
    if type(target) is not np.ndarray or type(dot) is not np.ndarray or not _keeps_all(target, value):
        raise CannotPush


def _keeps_all(array: np.ndarray[Any, Any], value: Any) -> bool:
    """Whether an array takes a number, an array, or a list of numbers as they are."""
    if type(value) is not list and type(value) is not tuple:
        return keeps_numbers(array, value)
    return all(is_plain_number(item) and keeps_numbers(array, item) for item in value)


def or_zeros(dot: Any, value: Any) -> Any:
    """A tangent, zeros where there is none."""
    return zero_tangent(value) if dot is None else dot


def of_key(cls: Any, name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`d.get`, `d.pop` and `d.setdefault` as a class has them, with what stands for what is not there.

    >>> of_key(dict, "get", ({"a": 1.0}, "b", 2.0), ({"a": 3.0}, None, None))
    (2.0, 0.0)
    """
    d, d_dot = args[0], dots[0]
    rest = [or_zeros(dots[2], args[2])] if len(args) == 3 else []
    return getattr(cls, name)(d, *args[1:]), getattr(d_dot, name)(args[1], *rest)


def check_key(key: Any, dot: Any) -> None:
    """Leave it to reverse mode to make a key of something with a tangent: who walks over a dict is given its
    keys as they are.

    >>> check_key(0.5, 0.0), check_key((2, "text"), (0.0, None))
    (None, None)
    """
    if isinstance(key, tuple) and isinstance(dot, tuple):
        for item, part in zip(key, dot, strict=True):
            check_key(item, part)
    elif isinstance(key, float | complex | np.inexact):
        if np.any(dot):
            raise CannotPush
    elif isinstance(key, FunctionType) or has_partner(key):
        raise CannotPush


def check_slice(target: Any, value: Any, dot: Any) -> None:
    """Leave it to reverse mode to put what is no list, tuple or array into a part of a list.

    >>> check_slice([1.0, 2.0], (3.0,), (0.5,))
    """
    if isinstance(target, list) and not (
        type(value) in (list, tuple, np.ndarray) and type(dot) is type(value)
    ):
        raise CannotPush


def check_sought(container: Any, item: Any) -> None:
    """Leave it to reverse mode to look for what may run code of its own, or in what does.

    >>> check_sought({1: 2.0}, 1)
    """
    cls = items_as(container)
    listed = cls in (list, tuple) and all(map(_is_unchangeable, container))
    if not (listed or cls in KEYED) or not _is_unchangeable(item):
        raise CannotPush


KEYED = (dict, OrderedDict, defaultdict, Counter, set, frozenset)
"""Classes of what is looked up by hashes, in C code."""


def keeps_numbers(array: np.ndarray[Any, Any], value: Any) -> bool:
    """Whether numbers that an array takes stay as they are, but for their precision.

    >>> keeps_numbers(np.ones(2), 1.0), keeps_numbers(np.ones(2), 1j), keeps_numbers(np.array([1]), 1.0)
    (True, False, False)
    """
    if not is_number_or_array(value) or array.dtype.kind not in "fc":
        return False
    return array.dtype.kind == "c" or not np.iscomplexobj(value)


def check_kept_by(out: Any, value: Any) -> None:
    """Leave it to reverse mode to store an array in one that does not keep it as it is.

    >>> check_kept_by(np.ones(2), np.zeros(2))
    """
    arrays = type(out) is np.ndarray is type(value)
    if not arrays or out.dtype.kind not in "fc" or (out.dtype, out.shape) != (value.dtype, value.shape):
        raise CannotPush


def check_item(target: Any, item: Any) -> None:
    """Leave the change of an item of a list or dict that may be changed itself to reverse mode.

    >>> check_item([1.0], 1.0)
    """
    if type(target) is not np.ndarray and not is_plain_number(item):
        raise CannotPush


def is_number_or_array(value: Any) -> bool:
    """Whether a value is a number, or an array of numbers.

    >>> is_number_or_array(1.0), is_number_or_array(np.ones(2)), is_number_or_array([1.0])
    (True, True, False)
    """
    return value.dtype.kind in "fciu" if type(value) is np.ndarray else type(value) in NUMBERS


def are_numbers(*values: Any) -> bool:
    """Whether all these are numbers, or arrays of numbers.

    >>> are_numbers(1.0, np.float32(2.0), np.ones(2)), are_numbers(1.0, "text")
    (True, False)
    """
    return all(map(is_number_or_array, values))


def check_numbers(*values: Any) -> None:
    """Leave arithmetic on anything but numbers and arrays of them to reverse mode.

    >>> check_numbers(1.0, np.float32(2.0), np.ones(2))
    """
    if not are_numbers(*values):
        raise CannotPush


def check_scalar(value: Any) -> None:
    """Leave the change of what is no number, and may be changed in place, to reverse mode.

    >>> check_scalar(np.float32(2.0))
    """
    if not is_plain_number(value):
        raise CannotPush


def is_plain_number(value: Any) -> bool:
    """Whether a value is a number of Python's or NumPy's own, but no truth value.

    >>> class Rounded(float):
    ...     pass
    >>> is_plain_number(np.complex64(1)), is_plain_number(True), is_plain_number(Rounded(1))
    (True, False, False)
    """
    return type(value) in NUMBERS


CODES = np.typecodes["AllInteger"] + np.typecodes["AllFloat"]

NUMBERS = frozenset({int, float, complex, *(np.dtype(code).type for code in CODES)})
"""The classes of numbers whose operators are those of Python and NumPy."""


def zero_tangent(value: Any) -> Any:
    """A tangent of zeros for a value of any form; None for what has no tangent.

    >>> zero_tangent([1.0, (2, "text")]), zero_tangent({"a": np.ones(2)})
    ([0.0, (0.0, None)], {'a': array([0., 0.])})

    Raises CannotPush where the memory of several arrays is used for numbers of different sorts, and for what
    may have its tangent among those of what is found elsewhere (`mirrors.mirror_of`).
    """
    if isinstance(value, np.ndarray) and RUNS.mirrors is None:
        return zero_array(value)
    if isinstance(value, int | float | complex | str | None | FunctionType):
        return zero_like(value)
    if holds_constants(value) and (type(value) is tuple or RUNS.mirrors is None):
        if type(value) is tuple:
            return tuple([zero_like(item) for item in value])
        return {key: zero_like(item) for key, item in value.items()}
    if RUNS.mirrors is not None:
        raise CannotPush
    try:
        return Zeros().of(value)
    except (ZygpyError, RecursionError) as error:
        raise CannotPush from error


def entries_dot(dot: Any, value: Any, length: int) -> Any:
    """The tangents of the entries of a cotangent, which may be zero as a whole, or that of None.

    >>> entries_dot(0.0, None, 2), entries_dot(None, (1.0, None), 2), entries_dot((0.5, 0.0), (1.0, 2.0), 2)
    ((None, None), (0.0, 0.0), (0.5, 0.0))
    """
    if isinstance(dot, tuple | list | np.ndarray):
        return dot
    return (None,) * length if value is None else zero_tangent(value)


def holds_constants(value: Any) -> bool:
    """Whether a value is a tuple or dict in which there are numbers, texts, functions and None alone.

    >>> holds_constants(()), holds_constants({"a": 1.0}), holds_constants(([],))
    (True, True, False)
    """
    if type(value) is not tuple and type(value) is not dict:
        return False
    items = value.values() if type(value) is dict else value
    return all(isinstance(item, int | float | complex | str | None | FunctionType) for item in items)


def zeros_apart(value: Any, *given: Any) -> Any:
    """The zeros of a value that has to have memory of its own.

    >>> zeros_apart(2, [1.0]), zeros_apart(np.ones(2), np.ones(2))
    (0.0, array([0., 0.]))

    Raises CannotPush where it may lie in what was given.
    """
    check_apart(value, given)
    return zero_tangent(value)


def check_apart(value: Any, given: tuple[Any, ...]) -> None:
    """Leave it to reverse mode to tell whether a value is part of something else: none are values that cannot
    be changed, and arrays of numbers in memory of their own."""
    if _is_unchangeable(value) or _is_beside_sets(value, given):
        return
    arrays = [value, *[one for one in given if not _is_unchangeable(one)]]
    plain = all(type(one) is np.ndarray and one.dtype.kind != "O" for one in arrays)
    if not plain or any(np.may_share_memory(value, one) for one in arrays[1:]):
        raise CannotPush


def _is_beside_sets(value: Any, given: tuple[Any, ...]) -> bool:
    """Whether a value is a set, or list, that lies in none of the sets that were given: no set holds such."""
    if type(value) not in (set, frozenset, list) or not all(map(_is_unchangeable, value)):
        return False
    known = all(type(one) in (set, frozenset) or _is_unchangeable(one) for one in given)
    return known and not any(value is one for one in given if type(one) is set)


def check_plain(*given: Any) -> None:
    """Leave it to reverse mode to call a function with something that may run code of its own: numbers,
    texts, arrays of numbers, and lists and tuples of these do not.

    >>> check_plain(1.0, np.ones(2), [None, "text"])
    """
    for value in given:
        if type(value) in (list, tuple):
            check_plain(*value)
        elif not _is_unchangeable(value) and (type(value) is not np.ndarray or value.dtype.kind == "O"):
            raise CannotPush


def check_list(value: Any) -> None:
    """Leave it to reverse mode to do to a list of another class what is done to Python's own.

    >>> check_list([1.0])
    """
    if type(value) is not list:
        raise CannotPush


UNCHANGEABLE = (int, float, complex, str, bytes, type(None))
"""Values that cannot be changed, nor hold what can be; no objects of classes behind them."""


def _is_unchangeable(value: Any) -> bool:
    if isinstance(value, np.number | np.bool_ | np.dtype | np.finfo):
        return True
    parts = value if type(value) is tuple else (value,)
    return all(type(part) in UNCHANGEABLE or type(part) is bool for part in parts)


def zero_array(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Zeros in the form, and the memory order, of an array.

    >>> zero_array(np.array([1, 2]))
    array([0., 0.])
    """
    return np.zeros_like(value, value.dtype if value.dtype.kind in "fc" else float)


class Zeros:
    """The zeros of everything that can be reached from one value."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.buffers: dict[int, np.ndarray[Any, Any]] = {}

    def of(self, value: Any) -> Any:
        """The tangent of something, which is the same one each time it is asked for."""
        if isinstance(value, tuple):
            parts = [self.of(item) for item in value]
            return like_tuple(type(value), parts)
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, BaseException):
            return brought_by(value)
        if isinstance(value, np.ndarray):
            return self._keep(value, self._array(value))
        if isinstance(value, list):
            listed = self._keep(value, [])
            listed += [self.of(item) for item in value]
            return listed
        if isinstance(value, dict):
            keyed = self._keep(value, OrderedDict() if type(value) is OrderedDict else {})
            keyed.update({key: self.of(item) for key, item in value.items()})
            return keyed
        return self._of_others(value)

    def _of_others(self, value: Any) -> Any:
        if isinstance(value, GeneratorType) and type(value) is not GeneratorType:
            raise CannotPush  # it stands for one of another run
        if has_partner(value):
            return self._partner(value)
        if isinstance(value, VIEWS):
            raise CannotPush  # the dict whose items it shows is not told by it
        if isinstance(value, MappingProxyType):
            return self._of_shown(value)
        if isinstance(value, CellType):
            return self._cell(value)
        if type(value) in (set, frozenset):  # under every element its own
            return self._keep(value, {item: self.of(item) for item in value})
        return None if isinstance(value, deque | Set) else zero_like(value)  # which no item is taken of

    def _of_shown(self, value: Any) -> Any:
        """Those of the dict that a proxy shows, which are not told where it has the names of a class."""
        found = shown_dict(value)
        if found is value:
            raise CannotPush
        return self.of(found)

    def _keep(self, value: Any, tangent: Any) -> Any:
        self.made[id(value)] = tangent
        return tangent

    def _partner(self, value: Any) -> Partner:
        partner = self._keep(value, Partner())
        vars(partner).update({name: self.of(item) for name, item in own_things(value).items()})
        return partner  # type: ignore[no-any-return]

    def _cell(self, cell: CellType) -> CellType:
        """The cell of the tangent of a variable that functions share."""
        made: CellType = self._keep(cell, CellType())
        try:
            held = cell.cell_contents
        except ValueError:  # a variable that has no value
            return made
        made.cell_contents = self.of(held)
        return made

    def _array(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Zeros that lie in the memory of others where the array does."""
        base = base_of(array)
        if array.dtype.kind not in "fciub" or base.dtype.kind not in "fciub":
            return zero_array(array)
        if id(base) not in self.buffers:
            self.buffers[id(base)] = buffer_for(base)
        return window(self.buffers[id(base)], base, array)


def has_partner(value: Any) -> bool:
    """Whether a value is an object whose fields may have tangents.

    >>> class Point:
    ...     pass
    >>> has_partner(Point()), has_partner(Point), has_partner("text")
    (True, False, False)
    """
    return gives_partners(type(value))


def gives_partners(cls: type) -> bool:
    """Whether the objects of a class are such."""
    in_python = bool(cls.__flags__ & HEAP_TYPE) and (bool(cls.__dictoffset__) or has_only_slots(cls))
    return (in_python and not issubclass(cls, type | BaseException)) or cls is SimpleNamespace
