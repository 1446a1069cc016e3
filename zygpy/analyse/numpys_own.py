"""NumPy's functions that are written in Python and are differentiated through their own source."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

ENTERED: tuple[Any, ...] = (
    np.apply_over_axes,
    np.corrcoef,
    np.cov,
    np.histogram,
    np.histogram2d,
    np.histogram_bin_edges,
    np.histogramdd,
    np.piecewise,
    np.poly,
    np.polyadd,
    np.polyder,
    np.polyfit,
    np.polyint,
    np.polysub,
)
"""Functions that dispatch to another library's, where they are given its arrays, and else do this."""

IMPLEMENTATIONS: Mapping[Any, FunctionType] = {function: inspect.unwrap(function) for function in ENTERED}
"""What they do with NumPy's own arrays."""
