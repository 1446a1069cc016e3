"""The last lowering: a tree with structured exits becomes a program in the core language."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.names import Names
from zygpy.ir.nodes import argument_list, gast, parameter_name
from zygpy.normalise.lower import calls, conditions, expressions, functions, refusals, yields
from zygpy.normalise.lower.expressions import walruses_in
from zygpy.normalise.lower.state import Bound, Harmless, State, nothing_is_bound
from zygpy.normalise.lower.statements import lower_block
from zygpy.normalise.scopes import find_scope

__all__ = ["calls", "conditions", "expressions", "functions", "lower", "yields"]


def lower(
    tree: Any,
    names: Names,
    captured: tuple[str, ...],
    rebound: tuple[str, ...],
    flags: frozenset[str],
    harmless: Harmless,
    unbound: frozenset[str] = frozenset(),
    bound: Bound = nothing_is_bound,
    shadowed: frozenset[str] = frozenset(),
) -> core.Function:
    """The function in A-normal form; `flags` are variables that hold genuine bools, `unbound` those that
    may have no value where a function captures them, and `shadowed` names of builtins that mean something
    else.

    Requires: exits are structured; comprehension variables are named apart; no `match`, no `assert`, one
    context manager for each `with`.
    Ensures: what `ir.core` states and `ir.verify` checks.
    """
    scope = find_scope(tree, captured, rebound, unbound)
    params = parameters(tree.args)
    first = next(iter(params.positional_only + params.positional), None)
    state = State(names, scope, walruses_in(tree.body), flags, harmless, first, bound, shadowed)
    loc = state.loc(tree)
    for name in params.names:
        if name in scope.cells:
            state.emit(core.WriteCell(name, core.Var(name), loc))
    body = (*state.out, *lower_block(state, tree.body))
    cells = tuple(sorted(scope.cells))
    return core.Function(tree.name, params, body, captured, cells, unbound=tuple(sorted(unbound)))


def refused_function(tree: Any, captured: tuple[str, ...]) -> core.Function | None:
    """The program of a coroutine, whose call does not run its body; None for any other function."""
    if not isinstance(tree, gast.AsyncFunctionDef):
        return None
    state = State(
        Names(), find_scope(tree, captured, ()), frozenset(), frozenset(), lambda path, count: False
    )
    refusals.refuse(state, tree)
    end = core.Return(core.Const(None), state.loc(tree))
    return core.Function(tree.name, parameters(tree.args), (*state.out, end), captured)


def parameters(arguments: Any) -> core.Params:
    """The parameters in Python's groups."""
    assert all(isinstance(parameter, gast.Name) for parameter in argument_list(arguments))
    return core.Params(
        tuple(map(parameter_name, arguments.posonlyargs)),
        tuple(map(parameter_name, arguments.args)),
        parameter_name(arguments.vararg) if arguments.vararg else None,
        tuple(map(parameter_name, arguments.kwonlyargs)),
        parameter_name(arguments.kwarg) if arguments.kwarg else None,
    )
