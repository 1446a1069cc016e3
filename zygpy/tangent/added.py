"""What is added to items of arrays, as often as they are named (`np.add.at`): so are the tangents."""

from __future__ import annotations

from zygpy.analyse.array_writes import AT
from zygpy.ir import core
from zygpy.ir.kinds import FLOATING, Array, Kind, List, NumberOrArray, Row, is_scalar
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def is_added(op: core.Op) -> bool:
    """Whether an operation is such a call."""
    path = op.func if isinstance(op, core.Call) else None
    return isinstance(path, core.Path) and path.scope == "helper" and path.names[-1] in AT.values()


def add(t: Tangents, statement: core.Assign) -> None:
    """The call, and the same of the tangents."""
    op = statement.op
    assert isinstance(op, core.Call) and isinstance(op.func, core.Path)
    ufunc, array, indices, value = [arg for arg in op.args if not isinstance(arg, core.Star)]
    t.emit("$y = $v", y=statement.target, v=primal.expression(t.ctx, op))
    if not t.is_active(statement, value):
        return
    if not (isinstance(array, core.Var) and array.name in t.paired):
        raise NotPushed("a call that writes to an argument", statement.loc)
    _check(t, statement, t.value(statement, array).kind, t.value(statement, value).kind)
    given = [primal_atom(atom) for atom in (ufunc, indices)]
    t.emit(
        "$add($ufunc, $array, $indices, $value)",
        add=primal.path_expression(t.ctx, op.func),
        ufunc=given[0],
        array=t.dot(array.name),
        indices=given[1],
        value=t.tangent(statement, value),
    )


def _check(t: Tangents, statement: core.Assign, array: Kind, value: Kind) -> None:
    """Refuse what is added to whole numbers, or of what tells nothing; and where a call that fails, half way,
    must leave both as they were."""
    if t.count or t.attempted:
        raise NotPushed("items that are added to, in a 'try' or along several directions", statement.loc)
    known = is_scalar(value) or isinstance(value, Array | NumberOrArray | List | Row)
    if not (isinstance(array, Array) and array.dtype in FLOATING and known):
        raise NotPushed("a call that writes to an argument", statement.loc)
