"""zygpy: reverse-mode automatic differentiation of plain Python and NumPy by source transformation."""

import importlib
from typing import TYPE_CHECKING, Any

from zygpy.api import (
    ValueAndGradient,
    differentiable,
    forward,
    gradient,
    pullback,
    refresh,
    show_adjoint,
    show_tangent,
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
    from zygpy.declarations import (
        adjoint,
        non_differentiable,
        opt_out,
        rrule,
        scalar_rule,
        which_rule,
    )
    from zygpy.derivatives import (
        ValueAndJacobian,
        derivative,
        diaghessian,
        hessian,
        hessian_reverse,
        hvp,
        jacobian,
        pushforward,
        withjacobian,
    )
    from zygpy.runtime.measures import NoTangent, ZeroTangent
    from zygpy.tools.checking import checking
    from zygpy.tools.checkpoint import checkpoint
    from zygpy.tools.checkpointed import checkpointed
    from zygpy.tools.hooks import eager_update, hook, ignore, showgrad
    from zygpy.tools.implicit import Grads, Params
    from zygpy.tools.levels import isderiving, nestlevel

__all__ = [
    "AmbiguousRuleError",
    "CotangentShapeError",
    "Grads",
    "MissingRuleError",
    "NoTangent",
    "NotScalarError",
    "Params",
    "Record",
    "SourceNotFoundError",
    "UnsupportedSyntaxError",
    "ValueAndGradient",
    "ValueAndJacobian",
    "ZeroTangent",
    "ZygpyError",
    "adjoint",
    "checking",
    "checkpoint",
    "checkpointed",
    "derivative",
    "diaghessian",
    "differentiable",
    "eager_update",
    "forward",
    "gradient",
    "hessian",
    "hessian_reverse",
    "hook",
    "hvp",
    "ignore",
    "isderiving",
    "jacobian",
    "nestlevel",
    "non_differentiable",
    "opt_out",
    "pullback",
    "pushforward",
    "refresh",
    "rrule",
    "scalar_rule",
    "show_adjoint",
    "show_tangent",
    "showgrad",
    "testing",
    "which_rule",
    "withgradient",
    "withjacobian",
]


_ELSEWHERE = {
    "zygpy.derivatives": (
        "ValueAndJacobian derivative diaghessian hessian hessian_reverse hvp jacobian pushforward"
        " withjacobian"
    ),
    "zygpy.declarations": "adjoint non_differentiable opt_out rrule scalar_rule which_rule",
    "zygpy.runtime.measures": "NoTangent ZeroTangent",
    "zygpy.tools.checking": "checking",
    "zygpy.tools.checkpoint": "checkpoint",
    "zygpy.tools.checkpointed": "checkpointed",
    "zygpy.tools.hooks": "eager_update hook ignore showgrad",
    "zygpy.tools.implicit": "Grads Params",
    "zygpy.tools.levels": "isderiving nestlevel",
}
"""Modules that are imported when one of these names is asked for."""


def __getattr__(name: str) -> Any:
    if name == "testing":  # it is large, and needed by tests only
        return importlib.import_module("zygpy.testing")
    for module, names in _ELSEWHERE.items():
        if name in names.split():
            found = globals()[name] = getattr(importlib.import_module(module), name)
            return found
    raise AttributeError(f"module 'zygpy' has no attribute {name!r}")
