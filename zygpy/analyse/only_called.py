"""Functions inside that are given what they would capture, and are only ever called, by each other too: what
they change is known at their calls.

def f(x):                                   def leg(leg, table, x, n):
    table = {}                                  if n not in table:
    def leg(n):                      ->             table[n] = x * leg(leg, table, x, n - 1)
        ...                                     return table[n]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.nodes import argument_list, gast, parameter_name


def is_only_called(function: core.Function, target: str) -> bool:
    """Whether a variable holds a function that carries nothing, and is nothing but called, or given to such
    functions by the same name, which do nothing else with it.

    Requires: the variable is that of a function which the program makes.
    """
    group = _group(function)
    if target not in group or target in function.cells:
        return False
    statements = list(core.walk(function.body))
    if sum(target in assigned(statement) for statement in statements) != 1:
        return False
    return all(_only_calls(statement, target, group) for statement in statements) and all(
        _only_called_in(node, target, group) for node in group.values()
    )


def _group(function: core.Function) -> dict[str, Any]:
    """The functions that a program makes which carry nothing, by variable."""
    statements = [found for found in core.walk(function.body) if isinstance(found, core.Assign)]
    made = [(found.target, found.op) for found in statements if isinstance(found.op, core.MakeFunction)]
    return {name: op.node for name, op in made if not (op.captured or op.defaults)}


def _only_calls(statement: core.Statement, target: str, group: Mapping[str, Any]) -> bool:
    """Whether a statement of the program does with a function only what is known."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.MakeFunction):
        return target not in op.captured
    if isinstance(op, core.Call) and isinstance(op.func, core.Var) and op.func.name in group:
        given = [getattr(atom, "name", "") for atom in op.args]
        named = [keyword.value for keyword in op.keywords]
        return core.Var(target) not in named and _fits(given, target, group[op.func.name])
    return target not in read(statement)


def _fits(given: list[str], target: str, callee: Any) -> bool:
    """Whether a function is given another one by the name that this has, if at all."""
    names = [*map(parameter_name, argument_list(callee.args))]
    places = [place for place, name in enumerate(given) if name == target]
    return all(place < len(names) and names[place] == target for place in places)


def _only_called_in(node: Any, target: str, group: Mapping[str, Any]) -> bool:
    """Whether a function of the group does with what it knows by a name only what is known."""
    known: set[int] = set()
    for call in gast.walk(node):
        called = getattr(call.func, "id", "") if isinstance(call, gast.Call) else ""
        if isinstance(call, gast.Call) and called in group:
            callee = group[called]
            given = [getattr(arg, "id", "") for arg in call.args]
            if _fits(given, target, callee):
                known.update(map(id, [call.func, *call.args]))
    named = [found for found in gast.walk(node) if isinstance(found, gast.Name) and found.id == target]
    return all(id(found) in known or isinstance(found.ctx, gast.Param) for found in named)
