"""zygpy: reverse-mode automatic differentiation of plain Python and NumPy by source transformation."""

import importlib
from typing import TYPE_CHECKING, Any

from zygpy.api import (
    ValueAndGradient,
    derivative,
    differentiable,
    forward,
    gradient,
    pullback,
    refresh,
    show_adjoint,
    withgradient,
)
from zygpy.errors import (
    AmbiguousRuleError,
    CotangentShapeError,
    MissingRuleError,
    NotScalarError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    ZygpyError,
)
from zygpy.runtime.records import Record

if TYPE_CHECKING:
    from zygpy import testing

__all__ = [
    "AmbiguousRuleError",
    "CotangentShapeError",
    "MissingRuleError",
    "NotScalarError",
    "Record",
    "SourceNotFoundError",
    "UnsupportedSyntaxError",
    "ValueAndGradient",
    "ZygpyError",
    "derivative",
    "differentiable",
    "forward",
    "gradient",
    "pullback",
    "refresh",
    "show_adjoint",
    "testing",
    "withgradient",
]


def __getattr__(name: str) -> Any:
    if name == "testing":  # it is large, and needed by tests only
        return importlib.import_module("zygpy.testing")
    raise AttributeError(f"module 'zygpy' has no attribute {name!r}")
