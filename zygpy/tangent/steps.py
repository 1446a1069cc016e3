"""Iterators that are stepped by hand: beside each steps one over the tangents of the items.

iterator = iter(x)              iterator_dot = iter(x_dot)
first = next(iterator)          first_dot = next(iterator_dot)
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import Array, List, Row, Tuple
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.runtime.tangent_items import check_steps, items_of
from zygpy.tangent import generators
from zygpy.tangent.state import Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom

COUNTS = {iter: (1,), next: (1, 2)}
"""What makes an iterator, or steps one, and how many arguments it takes."""


def is_step(op: core.Op, facts: Any) -> bool:
    """Whether an operation makes an iterator over something, or takes the next item from one."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return False
    if any(isinstance(arg, core.Star) for arg in op.args):
        return False
    callee = facts.objects.get(op.func.names)
    return any(callee is known and len(op.args) in counts for known, counts in COUNTS.items())


def step(t: Tangents, statement: core.Assign, op: core.Op, y: str, dot: str) -> None:
    """The step, and that of the tangents."""
    assert isinstance(op, core.Call)
    assert isinstance(op.func, core.Path)
    atoms = [arg for arg in op.args if not isinstance(arg, core.Star)]
    callee, function = primal.path_expression(t.ctx, op.func), t.ctx.facts.objects[op.func.names]

    def both(beside: gast.expr) -> None:
        t.emit("$y = $call", y=y, call=gast.Call(callee, [primal_atom(atom) for atom in atoms], []))
        t.emit("$y = $call", y=dot, call=beside)

    if function is next:
        generators.step(t, statement, atoms, y, dot, lambda: both(_of_next(t, statement, callee, atoms)))
    else:
        items = _items(t, statement, atoms[0])
        generators.begin(t, statement, atoms[0], y, dot, lambda: both(gast.Call(callee, [items], [])))


def _of_next(t: Tangents, statement: core.Assign, callee: gast.expr, atoms: list[core.Atom]) -> gast.expr:
    """The next tangent, which is there whenever there is an item."""
    dots = [t.tangent(statement, atom) for atom in atoms]
    check = t.ctx.cell("check_steps", check_steps)
    t.emit("$check($it, $dot)", check=check, it=primal_atom(atoms[0]), dot=dots[0])
    return gast.Call(callee, dots, [])


def _items(t: Tangents, statement: core.Assign, atom: core.Atom) -> gast.expr:
    """The tangents of the items of what is walked over."""
    named = isinstance(atom, core.Var) and atom.name in t.paired
    if named and isinstance(t.value(statement, atom).kind, Array | List | Tuple | Row):
        return t.tangent(statement, atom)
    dot = t.tangent(statement, atom) if named else constant(None)
    items = t.ctx.cell("items_of", items_of)
    return quote_expression("$f($dot, $x)", f=items, dot=dot, x=primal_atom(atom))
