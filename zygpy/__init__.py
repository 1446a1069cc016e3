"""zygpy: reverse-mode automatic differentiation of plain Python and NumPy by source transformation."""

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
    "withgradient",
]
