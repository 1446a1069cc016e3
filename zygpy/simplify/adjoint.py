"""The rewrites of the adjoint, in order."""

from __future__ import annotations

from zygpy.ir.nodes import argument_list, assigned_names, gast, parameter_name
from zygpy.simplify.borrow import borrow
from zygpy.simplify.common_factors import share_factors
from zygpy.simplify.delay import delay_assignments, has_copies
from zygpy.simplify.effects import Effects
from zygpy.simplify.fewer_signs import with_fewer_signs
from zygpy.simplify.fields import without_putting_back
from zygpy.simplify.fold_cotangents import fold_cotangents
from zygpy.simplify.liveness import Liveness, is_supported
from zygpy.simplify.ownership import sole_holders
from zygpy.simplify.purity import Purity, has_scope
from zygpy.simplify.rename_targets import rename_targets
from zygpy.simplify.signs import without_double_sign
from zygpy.simplify.trees import Block, changed, map_blocks, reads
from zygpy.simplify.unread_counts import without_unread_counts

ROUNDS = 2
"""Delaying an assignment lets copies be folded that it stood in the way of."""


def simplify_adjoint(adjoint: gast.FunctionDef) -> gast.FunctionDef:
    """The adjoint with what nobody reads left out and what is read once written where it is read.

    Requires: the adjoint is one that `transform` wrote; any other is returned as it is.
    """
    if not is_supported(adjoint.body):
        return adjoint
    parameters = frozenset(parameter_name(parameter) for parameter in argument_list(adjoint.args))
    purity = Purity(parameters | frozenset(assigned_names(adjoint)))
    switches = reads(adjoint.body, "_"), has_scope(adjoint.body)
    live = Liveness(purity, *switches)
    body = share_factors(adjoint.body, Effects(purity, sole_holders(parameters, adjoint.body, purity)))
    body = rename_targets(live.block(body, {}), live.uses)
    effects = Effects(purity, sole_holders(parameters, body, purity))
    for _ in range(ROUNDS):
        body = fold_cotangents(body, live.uses, effects)
        live = Liveness(purity, *switches)
        body = live.block(body, {})
        if not has_copies(body):
            break
        body = delay_assignments(body, live.uses, effects)
        live = Liveness(purity, *switches)
        body = live.block(body, {})
    effects = Effects(purity, sole_holders(parameters, body, purity))
    turned = with_fewer_signs(body, effects)
    if turned is not body:
        live = Liveness(purity, *switches)
        turned = live.block(turned, {})
        effects = Effects(purity, sole_holders(parameters, turned, purity))
        body = fold_cotangents(turned, live.uses, effects)
        body = Liveness(purity, *switches).block(body, {})
    body = without_putting_back(borrow(body, effects))
    body = body if reads(body, "_") else without_unread_counts(body)
    result: gast.FunctionDef = changed(adjoint, body=_signed(body))
    return result


def _signed(block: Block) -> Block:
    return [without_double_sign(map_blocks(statement, _signed)) for statement in block]
