"""pair -> pair."""

from __future__ import annotations

from zygpy.ir.nodes import gast


def simplify(forward: gast.FunctionDef, adjoint: gast.FunctionDef) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """The pair, as a person would have written it."""
    return forward, adjoint
