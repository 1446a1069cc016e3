"""Masked arrays are refused, by all that makes them; there once a program has imported `numpy.ma`."""

from __future__ import annotations

from types import FunctionType

import numpy as np

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import kinds_of_arrays

stands_for(np.ma.MaskedArray, kinds_of_arrays.masked)
for _name in np.ma.__all__:
    if isinstance(getattr(np.ma, _name), FunctionType) and getattr(np.ma, _name) is not np.ma.isMaskedArray:
        stands_for(getattr(np.ma, _name), kinds_of_arrays.masked)
non_differentiable(np.ma.isMaskedArray, kind="bool")
