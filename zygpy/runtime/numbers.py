"""Numbers and arrays of any kind alike: their zeros, conjugates, signs and symbolic-zero entries."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np


def is_numpy(value: Any) -> bool:
    """Whether a value is an array or a NumPy scalar, whose arithmetic never raises."""
    return isinstance(value, np.ndarray | np.generic)


def zero(value: Any) -> Any:
    """The zero of a value's kind and shape; integers, which carry no cotangent, give a float's.

    >>> from fractions import Fraction
    >>> zero(2.5), zero(3), zero(Fraction(1, 2))
    (0.0, 0.0, Fraction(0, 1))
    """
    if is_numpy(value):
        dtype = value.dtype if value.dtype.kind in "fcO" else np.float64
        return np.zeros(value.shape, dtype)[()]
    return 0.0 if isinstance(value, int) else type(value)(0)


def conj(value: Any) -> Any:
    """The complex conjugate of a number of any kind, exact numbers included; of a list, that of its array.

    >>> conj(2 + 3j), conj([1, 2j]).tolist()
    ((2-3j), [(1-0j), -2j])
    """
    return np.conjugate(value) if isinstance(value, list | tuple) else value.conjugate()


def as_real_as(value: Any, dtype: Any) -> Any:
    """A contribution to the cotangent of an operand of this dtype: its real part where that is real.

    >>> as_real_as(2 + 3j, np.dtype(float)), as_real_as(2 + 3j, np.dtype(complex))
    (2.0, (2+3j))
    """
    if type(value) is float:
        return value
    real = np.dtype(dtype).kind in "fiub" and np.iscomplexobj(value)
    return np.real(value) if real else value


def conj_as(value: Any, dtype: Any) -> Any:
    """The conjugate of what stands for something of this dtype, if that is complex.

    >>> conj_as(2 + 3j, np.dtype(float)), conj_as(2 + 3j, np.dtype(complex))
    ((2+3j), (2-3j))
    """
    return conj(value) if np.dtype(dtype).kind == "c" else value


def widened(x: Any) -> Any:
    """An operand as the formulas of derivatives compute with it: small integers as doubles, since their
    squares overflow, and NumPy takes their logarithms in half precision.

    >>> float(widened(np.uint8(200)) ** 2), widened(np.float32(0.5)).dtype.name
    (40000.0, 'float32')
    """
    return x.astype(float) if is_numpy(x) and x.dtype.kind in "iu" else x


def unit(x: Any) -> Any:
    """The sign of a real number, and `x / |x|` of a complex one; 0 at 0.

    >>> unit(-2.0), unit(0.0), unit(3j)
    (-1, 0, 1j)
    """
    if type(x) is not float:
        if is_numpy(x):
            return np.sign(x)
        if isinstance(x, complex):
            return x / abs(x) if x else x
    return (x > 0) - (x < 0) if x == x else x


def real_like(value: Any, model: Any) -> Any:
    """The real part where the model has nothing else."""
    return value if np.iscomplexobj(model) else np.real(value)


def part(bars: Sequence[Any], index: int) -> Any:
    """One entry of a tuple's cotangent, a symbolic zero made into a number.

    >>> part((None, 2.0), 0), part((None, 2.0), 1)
    (0.0, 2.0)
    """
    entry = bars[index]
    return 0.0 if entry is None else entry


def part_inside(bars: Sequence[Any], index: int, place: int, count: int) -> Any:
    """The same of a tuple of so many entries inside of the tuple.

    >>> part_inside((None, (None, 2.0)), 1, 1, 2), part_inside((None, 2.0), 0, 1, 2)
    (2.0, 0.0)
    """
    inside = bars[index]
    return 0.0 if inside is None else part(inside, place)


def placed_inside(value: Any, bars: Sequence[Any], index: int, place: int, count: int) -> Any:
    """The transpose of `part_inside`; None where there was nothing to be taken.

    >>> placed_inside(2.0, (None, (None, 1.0)), 1, 1, 2), placed_inside(2.0, (None, 1.0), 0, 1, 2)
    ((None, (None, 2.0)), None)
    """
    if bars[index] is None:
        return None
    return placed(placed(value, place, count), index, len(bars))


def placed(value: Any, index: int, count: int) -> tuple[Any, ...]:
    """The cotangent of a tuple of which one entry was used.

    >>> placed(2.0, 1, 3)
    (None, 2.0, None)
    """
    return tuple(value if position == index else None for position in range(count))


def unless(modulus: Any, value: Any) -> Any:
    """`value` where there is no modulus, else 0: three-argument `pow` has no derivative."""
    return value if modulus is None else 0


def plain_number(value: Any) -> Any:
    """The number that a member of an enumeration is; anything else as it is.

    >>> class Level(enum.IntEnum):
    ...     HIGH = 2
    >>> type(plain_number(Level.HIGH)).__name__, plain_number("text")
    ('int', 'text')
    """
    if not isinstance(value, enum.Enum):
        return value
    if isinstance(value, int):
        return int.__int__(value)
    return float.__float__(value) if isinstance(value, float) else value
