"""The classes that values of a kind are instances of, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from zygpy.ir.kinds import Array, Dict, Kind, Known, List, Number, NumpyScalar, RealScalar, Tuple

NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex, "exact": Fraction}
SCALARS: dict[str, type] = {
    "f8": np.float64,
    "f4": np.float32,
    "c16": np.complex128,
    "c8": np.complex64,
    "i": np.int64,
    "b": np.bool_,
}


CLASSES: dict[type[Kind], type] = {Array: np.ndarray, Tuple: tuple, List: list, Dict: dict}
"""Of kinds whose values are instances of one class, unless they tell another."""


def classes_of(kind: Kind) -> tuple[type, ...] | None:
    """What a value of this kind is an instance of, one of these; None where that is not known.

    >>> from zygpy.ir.kinds import FLOAT, UNKNOWN
    >>> classes_of(FLOAT), classes_of(UNKNOWN)
    ((<class 'float'>,), None)
    """
    found = getattr(kind, "cls", None) or CLASSES.get(type(kind))
    if found is not None:
        return (found,)
    match kind:
        case Number(types):
            return tuple(sorted([NUMBERS[name] for name in types], key=lambda cls: cls.__name__))
        case NumpyScalar(dtype):
            return (SCALARS[dtype],) if dtype in SCALARS else None
        case RealScalar("f8"):
            return (float, np.float64)
        case Known(value):
            return (type(value),)
    return None
