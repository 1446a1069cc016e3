"""Cotangents of arguments by which a function has no derivative that could be computed.

Whether anybody wants such a cotangent is seen only where it arrives: the order of a Bessel function that an
object carries, or a closure, is computed along with everything else and then dropped. It is nan, so that it
can never be taken for a number, and where it becomes the gradient of an argument it is refused.
"""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Iterator
from threading import Lock
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.records import Record


class UnknownCotangent(np.ndarray[Any, Any]):
    """An array of nan (0 where nothing came in) that says of which function and argument it is.

    Arithmetic on it gives others that say the same. What is put into an array of numbers is nan there, and
    known by the bits of that (`check_entries`).
    """

    __zygpy_array__ = True

    why: str = ""
    made_at: tuple[str, int] = ("", 0)

    def __array_finalize__(self, made_from: Any) -> None:
        self.why = getattr(made_from, "why", "")
        self.made_at = getattr(made_from, "made_at", ("", 0))

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return self._same(array)

    def __getitem__(self, index: Any) -> Any:
        return self._same(super().__getitem__(index))

    def _same(self, value: Any) -> Any:
        result = np.asarray(value).view(UnknownCotangent)
        result.why, result.made_at = self.why, self.made_at
        return result


def unknown_derivative(g: Any, x: Any, why: str, result: Any = 0.0) -> Any:
    """The cotangent of `x` for a cotangent `g` of the result: 0 where that is 0, and for integers, else nan.

    It depends on all that the `result` does, so that its own derivatives are no more known.

    >>> unknown_derivative(0.0, 1.5, "jv by v"), unknown_derivative(1.0, 2, "jv by v")
    (0.0, 0.0)
    >>> bool(np.isnan(unknown_derivative(1.0, 1.5, "jv by v")))
    True
    """
    zeros = np.zeros(np.shape(g), np.float32 if np.result_type(g, np.float16) == np.float32 else np.float64)
    if np.asarray(x).dtype.kind in "iub" or not np.any(g):
        return zeros[()] if zeros.ndim or isinstance(g, np.generic | np.ndarray) else 0.0
    frame: Any = sys._getframe(1)
    while frame.f_code.co_filename == __file__:
        frame = frame.f_back
    made_at = frame.f_code.co_filename, frame.f_lineno
    marked = np.where(np.equal(g, 0), zeros, _marked_nan(why, made_at))
    result = marked.astype(zeros.dtype).view(UnknownCotangent)
    result.why, result.made_at = why, made_at
    return result


def unknown_cotangent(g: Any, x: Any, why: str, result: Any = 0.0) -> Any:
    """The same in the shape of `x`, where the result may be a tuple or have fields; None counts as zero.

    >>> unknown_cotangent((None, 0.0), np.ones(2), "pbdv by v")
    array([0., 0.])
    """
    comes = any(np.any(part) for part in _parts(g))
    wide = np.full(np.shape(x), float(comes), np.float32 if np.asarray(x).dtype == np.float32 else np.float64)
    return unknown_derivative(wide[()], x, why)


def unknown_by_whole(g: Any, why: str) -> Any:
    """The same of a whole number that a program counts with, where `g` is a plain number: a plain nan, which
    is known by its bits. (There are many of them, of which few are asked for.)

    >>> unknown_by_whole(0.0, "f by n"), bool(np.isnan(unknown_by_whole(2.0, "f by n")))
    (0.0, True)
    """
    if g is not None and type(g) is not float:
        return unknown_cotangent(g, 0.0, why)
    return _number(why) if g else 0.0


def unknown_by_parts(g: Any, value: Any, why: str) -> Any:
    """The same of a value that consists of whole numbers and of what has no gradient.

    >>> unknown_by_parts(0.0, (1, ("a", 2)), "f by n")
    (0.0, (None, 0.0))
    """
    if type(value) is tuple:
        return tuple([unknown_by_parts(g, part, why) for part in value])
    return unknown_by_whole(g, why) if isinstance(value, int) else None


@functools.lru_cache(maxsize=256)
def _number(why: str) -> float:
    return float(_marked_nan(why, (__file__, 0)))


def unknown_parts(g: Any, parts: Any, why: str) -> Any:
    """The cotangents of the parts of a result, or of its cotangent, on which a cotangent depends that is not
    known: None where there is none.

    >>> unknown_parts(0.0, (None, np.ones(3), {"U": np.ones(2)}), "f by x")
    (None, array([0., 0., 0.]), {'U': array([0., 0.])})
    """
    if parts is None:
        return None
    if isinstance(parts, dict):
        return {key: unknown_parts(g, part, why) for key, part in parts.items()}
    if isinstance(parts, tuple | list):
        return tuple(unknown_parts(g, part, why) for part in parts)
    return unknown_cotangent(g, parts, why)


def _parts(value: Any) -> Iterator[Any]:
    """The numbers and arrays that a cotangent consists of."""
    if isinstance(value, Record):
        value = value._asdict()
    value = getattr(value, "_grads", value)  # of implicit parameters
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list | deque):
        for item in value:
            yield from _parts(item)
    elif isinstance(value, np.ndarray | np.generic | float | complex):
        yield value


_TAG = 0b1010_0101_1100
_NUMBERS = 10
_PAYLOAD = 22
"""A nan has bits that mean nothing: 22 of them in single precision, which are the first ones in double
precision. Ours have a tag there, and the number of what is not known, which arithmetic hands on."""

_reasons: dict[tuple[str, tuple[str, int]], int] = {}
"""What was not known, and where, with its number; there are as many as there are such places in programs."""

_lock = Lock()


def _marked_nan(why: str, made_at: tuple[str, int]) -> Any:
    """A nan that tells what is not known when it lies among other numbers."""
    with _lock:
        number = _reasons.setdefault((why, made_at), min(len(_reasons), (1 << _NUMBERS) - 1))
    payload = (_TAG << _NUMBERS | number) << 51 - _PAYLOAD
    return np.uint64(0x7FF8 << 48 | payload).view(np.float64)


def check_entries(grads: Any) -> None:
    """Refuse gradients in which something is not known that was put into an array with others."""
    if not _reasons:
        return
    for part in _parts(grads):
        array = np.asarray(part)
        for numbers in (array.real, array.imag) if array.dtype.kind == "c" else (array,):
            if numbers.dtype in (np.float64, np.float32) and np.isnan(numbers).any():
                _check_marks(numbers[np.isnan(numbers)])


def _check_marks(found: Any) -> None:
    """Refuse a nan that is one of ours."""
    wide = found.dtype == np.float64
    bits = found.view(np.uint64 if wide else np.uint32) >> (51 - _PAYLOAD if wide else 0)
    payload = bits & ((1 << _PAYLOAD) - 1)
    ours = payload[payload >> _NUMBERS == _TAG]
    for (why, made_at), number in tuple(_reasons.items()):
        if ours.size and number == int(ours[0]) & ((1 << _NUMBERS) - 1):
            raise _refused(why, made_at)


def check_known(bar: Any) -> None:
    """Refuse a cotangent that is not known."""
    if isinstance(bar, UnknownCotangent) and np.isnan(bar).any():
        raise _refused(bar.why, bar.made_at)


def _refused(reason: str, made_at: tuple[str, int]) -> MissingRuleError:
    """The error for a gradient by an argument of which there is none."""
    name, _, why = reason.partition(": ")
    error = MissingRuleError(
        f"There is no rule for {name}.",
        why=why,
        instead="let it be a constant (a variable of the function's own, or one that it captures), give it "
        "as an integer, or declare a rule of your own.",
    )
    error.made_at = made_at  # type: ignore[attr-defined]
    return error
