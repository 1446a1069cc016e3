"""What others can reach, in programs that store there what varies: its tangents are found by its place, for
the duration of a run (`runtime/mirrors.py`)."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

from zygpy.analyse.facts import Dynamic, Intrinsic, Plain
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Known
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.mirrors import held_dot, put_there
from zygpy.runtime.zeros import check_sought, gives_partners
from zygpy.tangent import doors
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def finds(t: Tangents, statement: core.Assign) -> bool:
    """An assignment of what is found by a name, or of what a method of that gives; whether it is one."""
    write = next((write for asked, write in FINDING if asked(t, statement)), None)
    if write is not None:
        t.settle()
        write(t, statement)
        t.start = len(t.ctx.code)
    return write is not None


def is_read(t: Tangents, statement: core.Assign) -> bool:
    """Whether an assignment is one of what is found by a name, and has a tangent."""
    if not t.ctx.facts.way.everywhere or statement.target not in t.paired:
        return False
    return isinstance(statement.op, core.Read)


def read(t: Tangents, statement: core.Assign) -> None:
    """What is found by a name, and the tangent beside it."""
    assert isinstance(statement.op, core.Read)
    if isinstance(t.ctx.facts.after(statement, statement.target).kind, Known):  # which itself has no tangent
        t.emit("$y = $v", y=statement.target, v=primal.path_expression(t.ctx, statement.op.path))
        t.emit("$dot = None", dot=t.dot(statement.target))
        return
    if t.ctx.facts.calls.get(id(statement)) != Intrinsic("read global"):
        raise NotPushed("something of others that is found by this name", statement.loc)
    read_path(t, statement.op.path, statement.target, t.dot(statement.target))


def read_path(t: Tangents, path: core.Path, target: str, dot: str) -> None:
    """What a dotted name leads to, and its tangent: the last part is a place of the module, class or function
    before, or an attribute of an object."""
    if path.scope != "global" or path.names[0] not in t.ctx.globals:
        raise NotPushed("something of others that is found by this name")
    *front, last = path.names
    owner = None if not front else t.ctx.found_at(tuple(front))
    if not isinstance(owner, type | FunctionType | ModuleType | None):
        _attribute(t, core.Path(tuple(front), path.scope), last, target, dot)
        return
    t.emit("$y = $v", y=target, v=primal.path_expression(t.ctx, path))
    place = t.ctx.namespace() if owner is None else _table(t, owner)
    t.emit("$dot = $v", dot=dot, v=_place(t, place, last, name_node(target), held_dot))


def _attribute(t: Tangents, front: core.Path, name: str, target: str, dot: str) -> None:
    """The same of an attribute of an object that a name leads to."""
    owner, owner_dot = t.ctx.names.temporary(), t.ctx.names.temporary()
    read_path(t, front, owner, owner_dot)
    t.emit(
        "$y, $dot = $door($name, ($x,), ($x_dot,))",
        y=target,
        dot=dot,
        door=t.ctx.cell("pushed_attribute", t.doors["attribute"]),
        name=constant(name),
        x=name_node(owner),
        x_dot=name_node(owner_dot),
    )


def is_method(t: Tangents, statement: core.Assign) -> bool:
    """Whether it is the call of a method of something that is found by a name, but no class or module."""
    path = statement.op.func if isinstance(statement.op, core.Call) else None
    if not (t.ctx.facts.way.everywhere and isinstance(path, core.Path) and len(path.names) > 1):
        return False
    if path.scope != "global" or path.names[0] not in t.ctx.globals:
        return False
    if not isinstance(t.ctx.facts.calls.get(id(statement)), Dynamic):
        return False
    return not isinstance(t.ctx.found_at(path.names[:-1]), type | FunctionType | ModuleType)


def call_method(t: Tangents, statement: core.Assign) -> None:
    """Such a call."""
    op = statement.op
    assert isinstance(op, core.Call)
    assert isinstance(op.func, core.Path)
    if not doors.is_positional(op):
        raise NotPushed("a method that is called by name", statement.loc)
    owner, owner_dot = t.ctx.names.temporary(), t.ctx.names.temporary()
    read_path(t, core.Path(op.func.names[:-1], op.func.scope), owner, owner_dot)
    given = doors.checked(t, statement, op.args)
    args = [name_node(owner), *map(primal_atom, given)]
    dots = [name_node(owner_dot), *(doors.dot_of(t, statement, atom) for atom in given)]
    t.emit(
        "$y, $dot = $door($name, $args, $dots)",
        y=statement.target,
        dot=t.dot(statement.target) if statement.target in t.paired else t.unused,
        door=t.ctx.cell("pushed_method", t.doors["method"]),
        name=constant(op.func.names[-1]),
        args=gast.Tuple(args, gast.Load()),
        dots=gast.Tuple(dots, gast.Load()),
    )


def is_of_known(t: Tangents, statement: core.Assign) -> bool:
    """Whether it reads an attribute of a class, module or function that is known."""
    op = statement.op
    if not (t.ctx.facts.way.everywhere and isinstance(op, core.GetAttr) and statement.target in t.paired):
        return False
    return isinstance(t.value(statement, op.value).kind, Known)


def read_of_known(t: Tangents, statement: core.Assign) -> None:
    """Such an attribute, and the tangent beside it."""
    op = statement.op
    assert isinstance(op, core.GetAttr)
    owner: Any = getattr(t.value(statement, op.value).kind, "value", None)
    if not isinstance(owner, type | FunctionType | ModuleType):
        raise NotPushed("an attribute of this", statement.loc)
    y = t.ctx.names.temporary()
    t.emit("$y = $v", y=y, v=primal.expression(t.ctx, op))
    t.emit(
        "$dot = $v",
        dot=t.dot(statement.target),
        v=_place(t, _table(t, owner), op.name, name_node(y), held_dot),
    )
    t.emit("$x = $y", x=statement.target, y=name_node(y))


def makes(t: Tangents, statement: core.Assign) -> bool:
    """Whether an object is made of nothing that varies, of a class of which something may."""
    op = statement.op
    if not (t.ctx.facts.way.everywhere and isinstance(op, core.Call) and statement.target in t.paired):
        return False
    plain = isinstance(t.ctx.facts.calls.get(id(statement)), Plain | Dynamic) and isinstance(
        op.func, core.Path
    )
    found = t.ctx.facts.objects.get(op.func.names) if plain and isinstance(op.func, core.Path) else None
    return type(found) is type and gives_partners(found) and doors.is_positional(op)


def make(t: Tangents, statement: core.Assign) -> None:
    """Such an object, by the door."""
    made = doors.call(t, statement, statement.op)
    t.emit("$y, $dot = $call", y=statement.target, dot=t.dot(statement.target), call=made)


def is_sought(t: Tangents, statement: core.Assign) -> bool:
    """Whether it is asked whether something is in what is found elsewhere, or not known."""
    path = statement.op.func if isinstance(statement.op, core.Call) else None
    sought = isinstance(path, core.Path) and path.scope == "helper" and path.names == ("sought",)
    return sought and t.ctx.facts.way.identity


def seek(t: Tangents, statement: core.Assign) -> None:
    """Such a question, of keys that are plain."""
    assert isinstance(statement.op, core.Call)
    container, item = map(primal_atom, operands(statement.op))
    t.emit("$check($xs, $x)", check=t.ctx.cell("check_sought", check_sought), xs=container, x=item)
    t.emit("$y = $x in $xs", y=statement.target, x=item, xs=container)
    if statement.target in t.paired:
        t.emit("$dot = None", dot=t.dot(statement.target))


FINDING = (
    (is_read, read),
    (is_method, call_method),
    (is_of_known, read_of_known),
    (makes, make),
    (is_sought, seek),
)
"""What is found by a name, and how that is written."""


def _table(t: Tangents, owner: Any) -> gast.expr:
    """What the attributes of a class, module or function are in."""
    return name_node(t.ctx.cell("owner", owner if isinstance(owner, type) else vars(owner)))


def _place(t: Tangents, owner: gast.expr, name: str, value: gast.expr, door: Any) -> gast.expr:
    parts: dict[str, Any] = {
        "f": t.ctx.cell(door.__name__, door),
        "owner": owner,
        "name": constant(name),
        "v": value,
    }
    return quote_expression("$f($owner, $name, $v)[$again]", again=constant(name), **parts)


def write_global(t: Tangents, statement: core.WriteGlobal) -> None:
    """A global variable is bound, and its tangent is put beside it, if it may have one."""
    if not t.ctx.facts.way.everywhere:
        if t.is_active(statement, statement.value):
            raise NotPushed("a change of what others can reach", statement.loc)
        t.emit("$x = $v", x=statement.name, v=primal_atom(statement.value))
        return
    value = primal_atom(statement.value)
    dot = t.tangent(statement, statement.value)
    t.emit("$x = $v", x=statement.name, v=value)
    place: Any = _place(t, t.ctx.namespace(), statement.name, value, put_there)
    t.emit("$place = $dot", place=place, dot=dot)


def is_attribute(t: Tangents, statement: core.SetAttr | core.AugmentAttr | core.DelAttr) -> bool:
    """Whether an attribute of a class or function is set that is known."""
    return isinstance(t.value(statement, statement.target).kind, Known)


def set_attribute(t: Tangents, statement: core.SetAttr) -> None:
    """An attribute of a class, module or function is set, and its tangent put beside it."""
    owner: Any = getattr(t.value(statement, statement.target).kind, "value", None)
    if not t.ctx.facts.way.everywhere or not _holds_data(owner, statement.name):
        raise NotPushed("a change of what others can reach", statement.loc)
    value = primal_atom(statement.value)
    attribute: Any = gast.Attribute(primal_atom(statement.target), statement.name, gast.Load())
    dot = t.tangent(statement, statement.value)
    t.emit("$x = $v", x=attribute, v=value)
    where: Any = _place(t, _table(t, owner), statement.name, value, put_there)
    t.emit("$place = $dot", place=where, dot=dot)


def augment_attribute(t: Tangents, statement: core.AugmentAttr) -> None:
    """An attribute of a class or function is changed, by the doors."""
    owner: Any = getattr(t.value(statement, statement.target).kind, "value", None)
    if not (t.ctx.facts.way.everywhere and isinstance(owner, type | FunctionType)):
        raise NotPushed("a change of what others can reach", statement.loc)
    doors.augment_attribute(t, statement)


def _holds_data(owner: Any, name: str) -> bool:
    """Whether what is set in a class, module or function is nothing but kept there."""
    if isinstance(owner, FunctionType | ModuleType):
        return not (name.startswith("__") and name.endswith("__"))
    return type(owner) is type and not (name.startswith("__") and name.endswith("__"))
