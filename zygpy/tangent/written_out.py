"""What functions store in arrays given as `out`: its tangent is that of what it gives without."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.zeros import check_kept_by
from zygpy.tangent.state import Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def is_stored(op: core.Op) -> bool:
    """Whether an operation makes what is stored in such an array."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
        return False
    plain = not op.keywords and not any(isinstance(arg, core.Star) for arg in op.args)
    return plain and op.func.scope == "helper" and op.func.names == ("written_out",)


def store(t: Tangents, statement: core.Assign, op: Any) -> None:
    """What is stored, and its tangent."""
    t.settle()
    out, value = op.args[:2]
    check = t.ctx.cell("check_kept_by", check_kept_by)
    t.emit("$check($out, $v)", check=check, out=primal_atom(out), v=primal_atom(value))
    again = core.Var(statement.target) in op.args
    y = t.ctx.names.temporary() if again else statement.target
    t.emit("$y = $v", y=y, v=primal.expression(t.ctx, op))
    if statement.target in t.paired:
        t.emit("$y = $v", y=t.dot(statement.target), v=t.tangent(statement, value))
    if again:
        t.emit("$y = $v", y=statement.target, v=name_node(y))
    t.start = len(t.ctx.code)
