"""Values that a library computes, with the derivatives of what plain operations compute beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError


def as_given(value: Any, computed: Any) -> Any:
    """The value, whose derivative is that of what was computed.

    Raises MissingRuleError where that is no number and no array of numbers, and where a library has left
    something out that was computed with.
    """
    found = _of_numbers(np.array(value))
    if found.dtype.kind == "f" and np.iscomplexobj(computed) and np.any(np.imag(computed)):
        raise MissingRuleError(
            "a function of a library gives real numbers for complex ones.",
            why="it leaves imaginary parts out, which may be meant for one of its arguments only",
            instead="give it the real parts, 'np.real(x)'",
        )
    return found[()]


def check_real(function: str, *given: Any) -> None:
    """Raise MissingRuleError where one of these numbers or arrays is complex: a library may leave the
    imaginary part out, or not, in different places of one computation."""
    if any(np.iscomplexobj(one) for one in given):
        raise MissingRuleError(
            f"'{function}' has no rule for complex parameters.",
            why="it leaves imaginary parts out in some places and not in others",
            instead="give it the real parts, 'np.real(x)'",
        )


def cast_as_given(value: Any, computed: Any) -> Any:
    """The same of a value that may have another type: 0 is the derivative of one of integers."""
    return _of_numbers(np.array(value))[()]


def _of_numbers(found: Any) -> Any:
    """An array, if it is one of numbers: nothing else is taken for known by code that was written before."""
    if found.dtype.kind not in "biufc":
        raise MissingRuleError(
            f"a function of a library gives an array of type {found.dtype}.",
            why="only numbers have derivatives",
            instead="give it numbers and arrays of numbers",
        )
    return found


def as_computed(value: Any, computed: Any, like: Any = None, output: Any = None) -> Any:
    """The same of a value that, unless the type of the `output` was asked for, is complex only where what was
    computed is, and of double precision and as many axes if that and `like` are: so that it is known of it
    what is known of that.

    Raises MissingRuleError for any other value.

    >>> as_computed(np.ones(2, int), np.zeros(2)).tolist()
    [1, 1]
    """
    found = np.asarray(cast_as_given(value, computed))
    if output is None and not _fits(found, np.asarray(computed), like):
        raise MissingRuleError(
            f"a function of a library gives an array of type {found.dtype} with {found.ndim} axes.",
            why=f"its derivative is that of one of type {np.asarray(computed).dtype} with "
            f"{np.ndim(computed)} axes",
            instead="leave the type of the result to the library, and cast what it gives",
        )
    return found[()]


def _fits(found: Any, computed: Any, like: Any) -> bool:
    """Whether a value is of the type, and has the axes, that are known beforehand."""
    if np.shape(like) and is_double(like) and is_double(computed):
        return bool(found.dtype == computed.dtype and found.ndim == computed.ndim)
    return bool(found.dtype.kind != "c" or computed.dtype.kind == "c")


def is_double(x: Any) -> bool:
    """Whether something is an array, or a number, of double precision, real or complex."""
    return np.asarray(x).dtype in (np.float64, np.complex128)


def like_given(value: Any, computed: Any) -> Any:
    """The same, an array of rank 0 where a library gives that."""
    found = as_given(value, computed)
    return np.asarray(found) if isinstance(value, np.ndarray) else found


def depending(value: Any, options: Any) -> Any:
    """The value of a program in whose result these options have a part that is not followed.

    A program refuses such an option when it runs, and runs only where its result depends on something that
    is differentiated: the option itself may be all that is.
    """
    return value


def told_by(function: Any, given: Any, keywords: Any) -> Any:
    """What a function of a library gives, without gradients; keywords that are None are left out."""
    return function(*given, **{name: value for name, value in keywords.items() if value is not None})
