"""pair -> pair: the generated code as a person would have written it, with the same meaning."""

from __future__ import annotations

from zygpy.ir.nodes import gast
from zygpy.simplify.adjoint import simplify_adjoint
from zygpy.simplify.fold_temporaries import fold_temporaries


def simplify(forward: gast.FunctionDef, adjoint: gast.FunctionDef) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """The pair, as a person would have written it."""
    simplified: gast.FunctionDef = fold_temporaries(forward)
    return simplified, simplify_adjoint(adjoint)
