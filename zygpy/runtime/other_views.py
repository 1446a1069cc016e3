"""Views of an array's memory in other terms: complex numbers as their parts, and the other way round, and by
any strides."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError, no_rule_on_arrays_of
from zygpy.runtime.memory import places
from zygpy.runtime.zeros import CannotPush

Array = np.ndarray[Any, Any]


def viewed(a: Any, dtype: Any = None, type: Any = None) -> Any:
    """`a.view(dtype, type)` that gives the same numbers, or the parts of them."""
    wanted = wanted_dtype(a, dtype, type)
    if wanted is None:
        return a.view()
    return viewed_as(a, wanted)


def wanted_dtype(a: Any, *given: Any) -> Any:
    """The dtype that a view is wanted of, None if it is the array's own; others than that of the parts, and
    classes of arrays, are refused, after what NumPy raises itself.

    >>> wanted_dtype(np.ones(2), float), wanted_dtype(np.ones(2), complex)
    (None, dtype('complex128'))
    """
    found = None
    for one in given:
        if one is None or one is np.ndarray:
            continue
        if is_class_of_arrays(one):
            a.view(one)
            raise no_rule_on_arrays_of("view", one)
        if np.dtype(one) != a.dtype:
            a.view(one)
            found = np.dtype(one)
            _check_parts(a.dtype, found)
    return found


def is_class_of_arrays(wanted: Any) -> bool:
    """Whether it is a class of arrays, and no dtype."""
    return isinstance(wanted, type) and issubclass(wanted, np.ndarray)


def _check_parts(own: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    pair = {own.kind, wanted.kind}
    if pair == {"f", "c"} and np.finfo(own).dtype == np.finfo(wanted).dtype:
        return
    raise MissingRuleError(
        f"a view of an array of {own} as {wanted} has no rule.",
        why="its numbers are made of bits of those of the array",
        instead="convert the numbers with `x.astype(dtype)`; complex numbers may be viewed as their parts",
    )


def viewed_as(a: Any, dtype: Any) -> Any:
    """`a.view(dtype)`: the real and imaginary parts of complex numbers in turn, or the other way round."""
    return a.view(dtype)


def viewed_along(a_dot: Any, own: Any, dtype: Any) -> Any:
    """The tangent of that: the same view of the tangent of `a`, which is of dtype `own`."""
    whole = np.asarray(a_dot, own)
    return (whole if whole.flags.c_contiguous else np.ascontiguousarray(whole)).view(dtype)


def viewed_back(bar: Any, own: Any) -> Any:
    """What comes back to an array of dtype `own` in `viewed_as`.

    >>> viewed_back(np.array([1.0, 2.0, 3.0, 4.0]), np.dtype(complex)).tolist()
    [(1+2j), (3+4j)]
    >>> viewed_back(np.array([1 + 2j]), np.dtype(float)).tolist()
    [1.0, 2.0]
    """
    if own.kind == "c":
        return bar[..., ::2] + 1j * bar[..., 1::2]
    parts = np.stack([np.real(bar), np.imag(bar)], axis=-1)
    return np.reshape(parts, (*np.shape(bar)[:-1], 2 * np.shape(bar)[-1]))


def strided(x: Any, shape: Any = None, strides: Any = None, subok: Any = False, writeable: Any = True) -> Any:
    """`np.lib.stride_tricks.as_strided`."""
    return strided_view(x, strided_places(x, shape, strides), shape, strides, subok, writeable)


def strided_view(x: Any, chosen: Any, shape: Any, strides: Any, subok: Any, writeable: Any) -> Any:
    """The same, where it is known which elements of `x` are chosen."""
    return np.lib.stride_tricks.as_strided(x, shape, strides, subok, writeable)


def strided_along(x_dot: Any, x: Any, shape: Any, strides: Any) -> Any:
    """The tangent of that: the same view of the tangent of `x`, if that lies in memory as `x` does."""
    if not isinstance(x, np.ndarray) or not isinstance(x_dot, np.ndarray):
        raise CannotPush
    if (x_dot.strides, x_dot.dtype) != (x.strides, x.dtype):
        raise CannotPush
    return np.lib.stride_tricks.as_strided(x_dot, shape, strides)


def strided_places(x: Any, shape: Any = None, strides: Any = None) -> Array:
    """The places, counted along `x`, of the elements of `as_strided(x, shape, strides)`.

    >>> strided_places(np.ones(4), (3, 2), (8, 8)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    array = np.asarray(x)
    own = places(array).ravel()
    order = np.argsort(own, kind="stable")
    wanted = places(np.lib.stride_tricks.as_strided(array, shape, strides, writeable=False))
    found = np.minimum(np.searchsorted(own[order], wanted), own.size - 1)
    if wanted.size and np.any(own[order][found] != wanted):
        raise MissingRuleError(
            "'as_strided' gives what is no element of the array that it is given.",
            why="it reads between its elements, or beyond them, where there is no cotangent of its",
            instead="give it the whole array that the memory belongs to",
        )
    chosen: Array = order[found]
    return chosen
