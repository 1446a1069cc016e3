"""Masked arrays are refused, by all that makes them; there once a program has imported `numpy.ma`."""

from __future__ import annotations

from types import FunctionType

import numpy as np

from zygpy.rules.declare import stands_for
from zygpy.runtime import kinds_of_arrays

stands_for(np.ma.MaskedArray, kinds_of_arrays.masked)
for _name in np.ma.__all__:
    if isinstance(getattr(np.ma, _name), FunctionType):
        stands_for(getattr(np.ma, _name), kinds_of_arrays.masked)
