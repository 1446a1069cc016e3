"""Programs for calls with `order=`: in which order the elements of an array are read, which for "A" and "K"
is told by how the array lies in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime import methods

Array = np.ndarray[Any, Any]


def ravel(a: Any, order: Any = "C") -> Any:
    """`np.ravel` in an order."""
    return np.ravel(np.transpose(a, axes_as_read(a, order)))


def flatten(a: Any, order: Any = "C") -> Any:
    """`a.flatten(order)`."""
    return methods.flatten(np.transpose(a, axes_as_read(a, order)))


def reshape(a: Any, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    """`np.reshape` in an order."""
    return reshaped(a, shape, settled_order(a, order), copy)


def reshape_method(a: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    """`a.reshape(..., order=order)`."""
    return reshaped(a, shape[0] if len(shape) == 1 else shape, settled_order(a, order), copy)


def reshaped(a: Any, shape: Any, order: Any, copy: Any = None) -> Any:
    """`np.reshape` in the order "C" or "F"."""
    options = {} if copy is None else {"copy": copy}  # since NumPy 2.1
    return np.reshape(a, shape, order=order, **options)


def ravel_along(tangent: Any, a: Any, order: Any) -> Any:
    """The tangent of `a.ravel(order)`, read as the array itself is."""
    return np.ravel(np.transpose(tangent, axes_as_read(a, order)))


def flatten_along(tangent: Any, a: Any, order: Any) -> Any:
    """The tangent of `a.flatten(order)`, read as the array itself is."""
    return np.ravel(np.transpose(tangent, axes_as_read(a, order))).copy()


def reshape_along(tangent: Any, a: Any, shape: Any, order: Any) -> Any:
    """The tangent of `a.reshape(shape, order=order)`, read as the array itself is."""
    return reshaped(tangent, shape, settled_order(a, order))


def settled_order(a: Any, order: Any) -> str:
    """The order "C" or "F" in which `np.reshape` reads this array.

    >>> settled_order(np.ones((2, 3)).T, "A"), settled_order(np.ones((2, 3)), "A")
    ('F', 'C')
    """
    word = _letter(order)
    if word == "K":
        np.reshape(a, -1, order=order)  # raises NumPy's own exception
    return ("F" if _is_fortran(a) else "C") if word == "A" else word


def axes_as_read(a: Any, order: Any) -> tuple[int, ...]:
    """The axes of an array such that `np.ravel(a, order)` reads the last of them first.

    Raises what NumPy raises for something else than an order.

    >>> a = np.ones((2, 3, 4)).transpose(1, 2, 0)
    >>> [axes_as_read(a, order) for order in "CFAK"]
    [(0, 1, 2), (2, 1, 0), (0, 1, 2), (2, 0, 1)]
    """
    axes = tuple(range(np.ndim(a)))
    word = _letter(order)
    if word == "K":
        return _axes_in_memory(np.asarray(a))
    backwards = _is_fortran(a) if word == "A" else word == "F"
    return axes[::-1] if backwards else axes


def _letter(order: Any) -> str:
    if order is None:
        return "C"
    if order not in LETTERS:
        np.ravel(np.zeros(()), order)  # raises NumPy's own exception
    return str(order).upper()


LETTERS = frozenset("CFAKcfak")


def _is_fortran(a: Any) -> bool:
    return isinstance(a, np.ndarray) and np.isfortran(a)


def _axes_in_memory(a: Array) -> tuple[int, ...]:
    """The axes from that with the longest steps in memory to that with the shortest.

    NumPy's iterator is asked, as it knows where axes without steps belong: about an array whose steps are as
    long, none of them backwards, with at most two elements along each axis.
    """
    axes = tuple(range(a.ndim))
    if a.flags.c_contiguous or a.flags.f_contiguous or not a.size:
        return axes if a.flags.c_contiguous else axes[::-1]
    lengths = [min(length, 2) for length in a.shape]
    steps = [abs(step) for step in a.strides]
    small = np.lib.stride_tricks.as_strided(a, lengths, steps, writeable=False)  # which nobody reads
    walk: Any = np.nditer(small, flags=["multi_index"], order="K")
    found = [axis for axis in axes if a.shape[axis] == 1]
    for place in range(a.ndim - len(found) - 1, -1, -1):
        walk.iterindex = 2**place
        found.append(walk.multi_index.index(1))
    return tuple(found)


def copied(a: Array) -> Array:
    """A copy that is read as the array itself in each order.

    >>> a = np.ones((4, 6))[::2, ::2].T  # neither in the order "C" nor in "F"
    >>> np.isfortran(np.array(a)), np.isfortran(copied(a))
    (True, False)
    """
    made = np.array(a)
    if a.flags.forc or not (np.isfortran(made) or 0 in a.strides):
        return made
    axes = _axes_in_memory(a)
    *others, last = (a.shape[axis] for axis in axes)
    apart = np.empty((*others, last + 1), a.dtype)[..., :-1]  # so that no order is that of memory
    result = apart.transpose([axes.index(axis) for axis in range(a.ndim)])
    result[...] = a
    return result
