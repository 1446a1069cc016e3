"""Array methods and attributes whose signature no NumPy function has: the array comes first."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape, casts_to_integer
from zygpy.runtime.indexing import dtype_kept, float_dtype


def reshape(a: Any, *shape: Any, order: Any = None, copy: Any = None) -> Any:
    """`a.reshape(...)`."""
    options = {} if copy is None else {"copy": copy}  # since NumPy 2.1
    return a.reshape(*shape, order=order, **options)


def transpose(a: Any, *axes: Any) -> Any:
    """`a.transpose(...)`."""
    return a.transpose(*axes)


def ravel(a: Any, order: Any = None) -> Any:
    """`a.ravel(...)`."""
    return a.ravel(order)


def flatten(a: Any, order: Any = None) -> Any:
    """`a.flatten(...)`."""
    return a.flatten(order)


def copy(a: Any, order: Any = "C") -> Any:
    """`a.copy(...)`, which gives a scalar of NumPy's again where `np.copy` gives an array."""
    return np.ndarray.copy(a, order) if isinstance(a, np.ndarray) else np.generic.copy(a)


def view(a: Any) -> Any:
    """`a.view()`, of the same type and dtype."""
    return a.view()


def conjugate(x: Any) -> Any:
    """`x.conjugate()`, which of a real array is the array itself."""
    return x.conjugate()


def astype(
    a: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: Any = True
) -> Any:
    """`a.astype(...)`."""
    return a.astype(dtype, order=order, casting=casting, subok=subok, copy=copy)


def item(a: Any, *args: Any) -> Any:
    """`a.item(...)`."""
    return a.item(*args)


def part_of_number(a: Any, index: Any) -> Any:
    """`a[index]` of a NumPy scalar: `a[()]` is the number itself, `a[None]` an array."""
    return a[index]


def tolist(a: Any) -> Any:
    """`a.tolist()`."""
    return a.tolist()


def compress(a: Any, condition: Any, axis: Any = None) -> Any:
    """`a.compress(...)`."""
    return a.compress(condition, axis)


def fill(a: Any, value: Any) -> None:
    """`a.fill(value)`."""
    a.fill(value)


def sort(a: Any, axis: Any = -1, kind: Any = None) -> None:
    """`a.sort(...)`."""
    a.sort(axis, kind)


def partition(a: Any, kth: Any, axis: Any = -1) -> None:
    """`a.partition(...)`."""
    a.partition(kth, axis)


def put(a: Any, indices: Any, values: Any, mode: Any = "raise") -> None:
    """`a.put(...)`."""
    a.put(indices, values, mode)


def resize(a: Any, *shape: Any, **keywords: Any) -> None:
    """`a.resize(...)`."""
    a.resize(*shape, **keywords)


def dtype(a: Any) -> Any:
    """`a.dtype`."""
    return a.dtype


def device(a: Any) -> Any:
    """`a.device`."""
    return a.device


def to_device(a: Any, device: Any, stream: Any = None) -> Any:
    """`a.to_device(device)`, which is the array itself."""
    return a.to_device(device, stream=stream)


def setflags(a: Any, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """`a.setflags()`: what may be done with an array, of which numbers know nothing."""
    a.setflags(write, align, uic)


def tobytes(a: Any, order: Any = "C") -> Any:
    """`a.tobytes(...)`."""
    return a.tobytes(order)


def is_integer(a: Any) -> bool:
    """`x.is_integer()` of a number."""
    return bool(a.is_integer())


def bit_length(a: Any) -> int:
    """`n.bit_length()` of an integer."""
    return int(a.bit_length())


def bit_count(a: Any) -> int:
    """`n.bit_count()` of an integer."""
    return int(a.bit_count())


def nbytes(a: Any) -> Any:
    """`a.nbytes`."""
    return a.nbytes


def itemsize(a: Any) -> Any:
    """`a.itemsize`."""
    return a.itemsize


def strides(a: Any) -> Any:
    """`a.strides`."""
    return a.strides


def flags(a: Any) -> Any:
    """`a.flags`."""
    return a.flags


def given_axes(axes: tuple[Any, ...]) -> Any:
    """The permutation that `a.transpose(*axes)` was given: numbers, one tuple, or None.

    >>> given_axes((1, 0)), given_axes(((1, 0),)), given_axes(())
    ((1, 0), (1, 0), None)
    """
    if len(axes) == 1 and not isinstance(axes[0], int | np.integer):
        return axes[0]
    return axes or None


def item_transpose(value: Any, shape: Shape, args: tuple[Any, ...]) -> Any:
    """The transpose of `a.item(*args)` on an array of this shape."""
    result = np.zeros(shape, float_dtype(value))
    result[_item_index(args, shape)] = value
    return result[()]


def item_of(a: Any, args: tuple[Any, ...]) -> Any:
    """The transpose of `item_transpose`."""
    return np.asarray(a)[_item_index(args, np.shape(a))]


def _item_index(args: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    if len(args) == 1 and isinstance(args[0], tuple):
        return args[0]
    if len(args) == 1 and len(shape) != 1:
        return tuple(np.unravel_index(args[0] % int(np.prod(shape)), shape))
    return args or (0,) * len(shape)


def uncast(value: Any, source: Any, target: Any) -> Any:
    """The cotangent through a cast from the dtype `source` to `target`, in the source's precision.

    Of integers that become others nothing is lost.
    """
    if casts_to_integer(dtype_kept(target, source)):
        return np.zeros(np.shape(value))[()]
    given = np.dtype(source)
    if given.kind == "f" and np.iscomplexobj(value):
        value = np.real(value)
    if given.kind == "c" and not np.iscomplexobj(value):
        given = np.dtype(given.type(0).real)
    return np.asarray(value).astype(given, copy=False)[()] if given.kind in "fc" else value
