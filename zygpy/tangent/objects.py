"""Objects: the tangent of one is a partner, whose fields are made, read and changed beside the object's."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import Made
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Array, Kind, List, Object, is_scalar
from zygpy.ir.nodes import constant, gast
from zygpy.runtime.partner_fields import check_left_field
from zygpy.runtime.zeros import Partner
from zygpy.tangent import doors, outside
from zygpy.tangent.calls import direct
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def make(t: Tangents, statement: core.Assign, found: Made) -> None:
    """An object is made, and initialised along with its partner."""
    op, target = statement.op, statement.target
    if t.count:
        raise NotPushed("several directions through an object", statement.loc)
    t.settle()
    again = core.Var(target) in operands(op)  # its old value is among the arguments
    made = t.ctx.names.fresh(target) if again else target
    paired = target in t.paired
    dot = t.ctx.names.fresh(f"{target}_dot") if again or not paired else t.dot(target)
    t.emit("$y = $object.__new__($cls)", y=made, object=t.ctx.builtin("object"), cls=primal.called(t.ctx, op))
    t.emit("$dot = $partner()", dot=dot, partner=t.ctx.cell("Partner", Partner))
    t.emit("$y = $call", y=t.unused, call=direct(t, statement, found, instance=(made, dot)))
    if again:
        t.emit("$y = $x", y=target, x=made)
    if again and paired:
        t.emit("$y = $x", y=t.dot(target), x=dot)
    t.start = len(t.ctx.code)


def is_field(t: Tangents, statement: core.Statement, value: core.Atom) -> bool:
    """Whether an attribute that is read or written is a field of an object with a partner."""
    known = id(statement) in t.ctx.facts.fields and isinstance(value, core.Var) and value.name in t.paired
    known = known and not _is_of_class(t, statement, value)
    if known and t.count:
        raise NotPushed("several directions through an object", statement.loc)
    return known


def _is_of_class(t: Tangents, statement: core.Statement, value: core.Atom) -> bool:
    """Whether what is read is surely what the class has for all of its objects, and no partner has."""
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.GetAttr):
        return False
    kind = t.value(statement, value).kind
    return isinstance(kind, Object) and kind.fields is not None and statement.op.name not in dict(kind.fields)


def field_dot(t: Tangents, statement: core.Statement, value: core.Atom, name: str) -> gast.Attribute:
    """The tangent of a field."""
    return gast.Attribute(t.tangent(statement, value), name, gast.Load())


def set_field(t: Tangents, statement: core.SetAttr) -> None:
    """`o.x = v`."""
    if outside.is_attribute(t, statement):
        outside.set_attribute(t, statement)
        return
    if id(statement) not in t.ctx.facts.fields and _has_partner(t, statement.target):
        doors.store(t, statement)
        return
    _check_field(t, statement)
    field = gast.Attribute(primal_atom(statement.target), statement.name, gast.Load())
    t.emit("$field = $v", field=field, v=primal_atom(statement.value))
    if is_field(t, statement, statement.target):
        dot = field_dot(t, statement, statement.target, statement.name)
        t.emit("$field = $v", field=dot, v=t.tangent(statement, statement.value))


def delete_field(t: Tangents, statement: core.DelAttr) -> None:
    """`del o.x`, of an object that turns out to have such a field, and of its partner."""
    if t.count or outside.is_attribute(t, statement) or not _has_partner(t, statement.target):
        raise NotPushed("an attribute that is deleted here", statement.loc)
    held = [primal_atom(statement.target), t.tangent(statement, statement.target)]
    parts = {"x": held[0], "dot": held[1], "name": constant(statement.name)}
    t.emit("$check($dot, $x, $name)", check=t.ctx.cell("check_left_field", check_left_field), **parts)
    for whole in held:
        t.ctx.code.append(gast.Delete([gast.Attribute(whole, statement.name, gast.Del())]))


def is_set_by_call(t: Tangents, statement: core.Assign) -> bool:
    """Whether an assignment is `object.__setattr__(o, "x", v)` of a field."""
    return isinstance(statement.op, core.Call) and id(statement) in t.ctx.facts.fields


def set_by_call(t: Tangents, statement: core.Assign) -> None:
    """The same, in an object that lets itself not be changed otherwise; its partner does."""
    assert isinstance(statement.op, core.Call)
    holder, name, value = statement.op.args
    if statement.target in t.paired or isinstance(holder, core.Star) or isinstance(value, core.Star):
        raise NotPushed("a call that sets a field", statement.loc)
    assert isinstance(name, core.Const)
    t.emit("$y = $v", y=statement.target, v=primal.expression(t.ctx, statement.op))
    if is_field(t, statement, holder):
        dot = field_dot(t, statement, holder, str(name.value))
        t.emit("$field = $v", field=dot, v=t.tangent(statement, value))


def _has_partner(t: Tangents, atom: core.Atom) -> bool:
    return isinstance(atom, core.Var) and atom.name in t.paired


def _check_field(t: Tangents, statement: core.SetAttr | core.AugmentAttr) -> None:
    """Refuse attributes of which it is not known what is behind them."""
    if id(statement) not in t.ctx.facts.fields:
        raise NotPushed("an attribute that is perhaps no field", statement.loc)


def augment_field(t: Tangents, statement: core.AugmentAttr) -> None:
    """`o.x += v`."""
    if outside.is_attribute(t, statement):
        outside.augment_attribute(t, statement)
        return
    if id(statement) not in t.ctx.facts.fields and _has_partner(t, statement.target):
        doors.augment_attribute(t, statement)
        return
    _check_field(t, statement)
    field = gast.Attribute(primal_atom(statement.target), statement.name, gast.Load())
    if is_field(t, statement, statement.target):
        dot = field_dot(t, statement, statement.target, statement.name)
        _augment(t, statement, _kind_of_field(t, statement), field, dot)
    t.emit(f"$field {statement.op}= $v", field=field, v=primal_atom(statement.value))


def _kind_of_field(t: Tangents, statement: core.AugmentAttr) -> Kind | None:
    kind = t.value(statement, statement.target).kind
    return dict(kind.fields or ()).get(statement.name) if isinstance(kind, Object) else None


PRODUCTS = {
    "*": ("$dot = $dot * $v", "$dot = $dot * $v + $field * $v_dot"),
    "/": ("$dot = $dot / $v", "$dot = ($dot - $field / $v * $v_dot) / $v"),
}
"""What becomes of the tangent of a number, where the other is constant, and where it is not."""


def _augment(t: Tangents, statement: core.AugmentAttr, kind: Kind | None, field: Any, dot: Any) -> None:
    value = statement.value
    active, given = t.is_active(statement, value), t.value(statement, value).kind
    number = kind is not None and is_scalar(kind) and is_scalar(given)
    array = (
        isinstance(kind, Array)
        and kind.dtype in ("f8", "c16")
        and (is_scalar(given) or isinstance(given, Array))
    )
    if statement.op in ("+", "-") and (number or array):
        if active:
            t.emit(f"$dot {statement.op}= $v", dot=dot, v=t.tangent(statement, value))
    elif number and statement.op in PRODUCTS:
        v, v_dot = primal_atom(value), t.tangent(statement, value)
        t.emit(PRODUCTS[statement.op][active], dot=dot, field=field, v=v, v_dot=v_dot)
    elif isinstance(kind, List) and isinstance(given, List) and statement.op == "+":
        t.emit("$dot += $v", dot=dot, v=t.tangent(statement, value))
    else:
        raise NotPushed(f"'{statement.op}=' on this field", statement.loc)
