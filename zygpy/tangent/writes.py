"""Statements that bind several variables, or write into something: done to the tangents in the same way."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import ByRule
from zygpy.analyse.transfer import binary, keeps
from zygpy.ir import core
from zygpy.ir.access import index_atoms
from zygpy.ir.kinds import (
    FLOATING,
    INT,
    Array,
    Dict,
    Kind,
    List,
    NumberOrArray,
    Object,
    Row,
    Tuple,
    Unknown,
    is_scalar,
)
from zygpy.ir.nodes import gast, names_in, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules import declare
from zygpy.rules.texts import texts
from zygpy.runtime.operations import BINARY
from zygpy.runtime.zeros import check_numbers
from zygpy.simplify.trees import replace_names
from zygpy.tangent import attempts, containers, doors, objects, outside, several, shared, unseen
from zygpy.tangent.rules import elementwise
from zygpy.tangent.state import RESULT, NotPushed, Tangents, with_result
from zygpy.transform.contributions import guarded
from zygpy.transform.stash import primal_atom, primal_index


def write(t: Tangents, statement: core.Statement) -> None:
    """A statement and what it does to tangents."""
    match statement:
        case core.Unpack():
            _unpack(t, statement)
        case core.AugmentName():
            _augment_name(t, statement)
        case core.DelName(variable):
            t.ctx.code.append(gast.Delete([name_node(variable, gast.Del)]))
        case core.Raise():
            attempts.raised(t, statement)
        case _:
            _write_inside(t, statement)


def _write_inside(t: Tangents, statement: core.Statement) -> None:
    """A change of an item or an attribute."""
    match statement:
        case core.SetItem():
            _set_item(t, statement)
        case core.AugmentItem():
            _augment_item(t, statement)
        case core.WriteCell():
            shared.write_cell(t, statement)
        case core.WriteGlobal():
            outside.write_global(t, statement)
        case core.SetAttr():
            objects.set_field(t, statement)
        case core.AugmentAttr():
            objects.augment_field(t, statement)
        case core.DelAttr() | core.DelItem():
            _delete(t, statement)
        case _:
            raise NotPushed(f"this statement ({type(statement).__name__})", statement.loc)


def _unpack(t: Tangents, statement: core.Unpack) -> None:
    names = list(statement.targets)
    t.emit("$x = $v", x=_targets(names, statement.star), v=primal_atom(statement.value))
    paired = [name for name in names if name in t.paired]
    if not paired:
        return
    if not (isinstance(statement.value, core.Var) and statement.value.name in t.paired):
        raise NotPushed("numbers that are unpacked from a constant", statement.loc)
    dots = [t.dot(name) if name in t.paired else t.unused for name in names]
    unknown = isinstance(t.value(statement, statement.value).kind, Unknown)
    walked = doors.items_dot if unknown else several.walked
    t.emit("$x = $v", x=_targets(dots, statement.star), v=walked(t, statement, statement.value))


def _targets(names: list[str], star: int | None) -> gast.expr:
    parts: list[gast.expr] = [name_node(name) for name in names]
    if star is not None:
        parts[star] = gast.Starred(parts[star], gast.Load())
    return gast.Tuple(parts, gast.Load())


def _delete(t: Tangents, statement: core.DelItem | core.DelAttr) -> None:
    if isinstance(statement, core.DelAttr):
        objects.delete_field(t, statement)
        return
    target, index = statement.target, statement.index
    unseen.check_all(t, statement, [target])
    t.ctx.code.append(gast.Delete([gast.Subscript(primal_atom(target), primal_index(index), gast.Del())]))
    if isinstance(target, core.Var) and target.name in t.paired:
        dot = name_node(t.dot(target.name))
        t.ctx.code.append(gast.Delete([gast.Subscript(dot, primal_index(index), gast.Del())]))


# ----------------------------------------------------------------------------------------- into items


def _set_item(t: Tangents, statement: core.SetItem) -> None:
    target, index, value = statement.target, statement.index, statement.value
    if not isinstance(t.value(statement, target).kind, Array | List):
        for atom in index_atoms(index):
            containers.check_key(t, statement, atom)
    if _is_unknown(t, statement):
        doors.set_item(t, statement, t.tangent(statement, value))
        return
    item: Any = gast.Subscript(primal_atom(target), primal_index(index), gast.Load())
    t.emit("$item = $v", item=item, v=primal_atom(value))
    if not (isinstance(target, core.Var) and target.name in t.paired):
        return
    kind = t.value(statement, target).kind
    _check_store(t, statement, kind, value)
    place = _place(t, statement, target, index)
    if isinstance(kind, Array) and not t.is_active(statement, value):
        t.emit("$item = 0.0", item=place)
    else:
        t.emit("$item = $v", item=place, v=_stored(t, statement, value))


def _is_unknown(t: Tangents, statement: core.SetItem | core.AugmentItem) -> bool:
    """Whether it is found when it runs what something with a tangent is, into which is stored."""
    target = statement.target
    paired = isinstance(target, core.Var) and target.name in t.paired
    return paired and isinstance(t.value(statement, target).kind, Unknown | Object)


def _place(t: Tangents, statement: Any, target: core.Var, index: core.Index) -> Any:
    """The part of a tangent that belongs to a part of a container."""
    parts = t.count and isinstance(t.value(statement, target).kind, Array)
    own = several.index_of(t, statement, index) if parts else primal_index(index)
    return gast.Subscript(name_node(t.dot(target.name)), own, gast.Load())


def _stored(t: Tangents, statement: Any, value: core.Atom) -> Any:
    """The tangent of what is put into a part of a container."""
    if t.count and isinstance(t.value(statement, statement.target).kind, Array):
        return several.stored_dot(t, statement, value)
    return t.tangent(statement, value)


def _check_store(t: Tangents, statement: Any, kind: Kind, value: core.Atom) -> None:
    """Refuse stores that make whole numbers of what is stored."""
    if not isinstance(kind, Array | List | Dict):
        raise NotPushed("a store into this", statement.loc)
    stored = t.value(statement, value).kind
    if isinstance(kind, Array) and not keeps(kind, _written(statement, kind, stored)):
        raise NotPushed("a store into an array of whole numbers", statement.loc)
    if isinstance(kind, Array) and t.is_active(statement, value) and not _fits(t, stored):
        if t.count or not isinstance(stored, Unknown):
            raise NotPushed("a store of a list into an array", statement.loc)
        t.emit("$check($v)", check=t.ctx.cell("check_numbers", check_numbers), v=primal_atom(value))


def _fits(t: Tangents, stored: Kind) -> bool:
    """Whether the tangent of what is stored into an array is surely put there as that is: one of numbers
    and arrays, and for one direction one of rows of these too."""
    if isinstance(stored, List | Tuple):
        items = (stored.element,) if isinstance(stored, List) else stored.items
        return not t.count and all(is_scalar(item) or isinstance(item, Array) for item in items)
    return (
        is_scalar(stored) or isinstance(stored, Array) or (isinstance(stored, NumberOrArray) and not t.count)
    )


def _written(statement: Any, array: Array, stored: Kind) -> Kind:
    """What is written into an array: the value itself, or what it and the item before give."""
    return binary(statement.op, array, stored) if isinstance(statement, core.AugmentItem) else stored


def _augment_item(t: Tangents, statement: core.AugmentItem) -> None:
    target, index, value = statement.target, statement.index, statement.value
    if _is_unknown(t, statement):
        doors.augment_item(t, statement)
        return
    item: Any = gast.Subscript(primal_atom(target), primal_index(index), gast.Load())
    paired = isinstance(target, core.Var) and target.name in t.paired
    if paired:
        assert isinstance(target, core.Var)
        _check_store(t, statement, t.value(statement, target).kind, value)
        place = _place(t, statement, target, index)
        held = t.value(statement, target).kind
        if isinstance(held, List | Dict) and not is_scalar(getattr(held, "element", held)):
            _augment_held(t, statement, held.element, item, place)
            return
        if statement.op in ("+", "-"):
            if t.is_active(statement, value):
                t.emit(_in_place(t, held, statement.op), item=place, v=_stored(t, statement, value))
        else:
            _augment_place(t, statement, item, place, value)
    t.emit(f"$item {statement.op}= $v", item=item, v=primal_atom(value))


def _augment_held(
    t: Tangents, statement: core.AugmentItem, held: Kind, item: gast.expr, place: gast.expr
) -> None:
    """`xs[i] op= v` of an array or a list that lies in a list or dict, in its memory."""
    op, value = statement.op, statement.value
    parts: dict[str, Any] = {"item": item, "place": place, "v": primal_atom(value)}
    if not t.count and op == "+" and isinstance(held, List):
        beside = _walked(t, statement, value)
        t.emit("$item += $v", **_only(parts, "item", "v"))
        t.emit("$place += $dot", place=place, dot=beside)
    elif not t.count and op in ("+", "-", "*", "/") and _keeps(t, statement, held):
        _augment_array(t, statement, parts)
    elif t.ctx.facts.way.identity:
        doors.augment_item_in_place(t, statement)
    else:
        raise NotPushed("an augmented assignment to an item that may be an array", statement.loc)


def _only(parts: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: parts[name] for name in names}


def _keeps(t: Tangents, statement: core.AugmentItem, held: Kind) -> bool:
    """Whether something is an array that is changed in place by numbers, all of which it can hold."""
    stored = t.value(statement, statement.value).kind
    if not isinstance(held, Array) or held.dtype not in FLOATING:
        return False
    return (is_scalar(stored) or isinstance(stored, Array)) and keeps(held, _written(statement, held, stored))


def _augment_array(t: Tangents, statement: core.AugmentItem, parts: dict[str, Any]) -> None:
    """The change of an array, and of its tangent, which is computed from what both are before."""
    op, active = statement.op, t.is_active(statement, statement.value)
    dot = t.tangent(statement, statement.value) if active else None
    if op in ("+", "-"):
        t.emit(f"$item {op}= $v", **_only(parts, "item", "v"))
        if active:
            t.emit(f"$place {op}= $dot", place=parts["place"], dot=dot)
        return
    text = {"*": "$place * $v + $item * $dot", "/": "($place - $item / $v * $dot) / $v"}[op]
    new = t.ctx.names.temporary()
    if active:
        t.emit(f"$new = {text}", new=new, dot=dot, **parts)
    else:
        t.emit(f"$new = $place {op} $v", new=new, **_only(parts, "place", "v"))
    t.emit(f"$item {op}= $v", **_only(parts, "item", "v"))
    t.emit("$place[...] = $new", place=parts["place"], new=name_node(new))


def _walked(t: Tangents, statement: Any, value: core.Atom) -> gast.expr:
    """The tangents of what a list is extended by, found before that is done."""
    known = isinstance(t.value(statement, value).kind, List | Row | Array)
    if t.count and not known:
        raise NotPushed("what a list is extended by", statement.loc)
    held = t.ctx.names.temporary()
    t.emit("$y = $v", y=held, v=(several.walked if known else doors.items_dot)(t, statement, value))
    return name_node(held)


def _in_place(t: Tangents, kind: Kind, op: str) -> str:
    """What is added to a tangent in place, but to the tangents of a number, which others may hold too."""
    return f"$item = $item {op} $v" if t.count and not isinstance(kind, Array) else f"$item {op}= $v"


def _augment_place(t: Tangents, statement: core.AugmentItem, item: Any, place: Any, value: core.Atom) -> None:
    """`x[i] *= v` and `x[i] /= v`."""
    active, v, dot = t.is_active(statement, value), primal_atom(value), _stored(t, statement, value)
    if statement.op == "*":
        text = "$place = $place * $v + $item * $dot" if active else "$place = $place * $v"
    elif statement.op == "/":
        text = "$place = ($place - $item / $v * $dot) / $v" if active else "$place = $place / $v"
    else:
        raise NotPushed(f"'{statement.op}=' on an item", statement.loc)
    t.emit(text, place=place, item=item, v=v, dot=dot)


# ------------------------------------------------------------------------------------------ in place


def _augment_name(t: Tangents, statement: core.AugmentName) -> None:
    target, value = statement.target, statement.value
    if target not in t.paired:
        t.emit(f"$x {statement.op}= $v", x=target, v=primal_atom(value))
        return
    kind = t.value(statement, core.Var(target)).kind
    if isinstance(kind, List) and statement.op == "+":
        _extend(t, statement)
    elif isinstance(kind, List) and statement.op == "*" and t.value(statement, value).kind == INT:
        for name in (target, t.dot(target)):
            t.emit("$x *= $v", x=name, v=primal_atom(value))
    elif isinstance(kind, Array | NumberOrArray) or is_scalar(kind):
        _augment_number(t, statement, kind)
    elif isinstance(kind, Unknown | Object) and statement.op in BINARY:
        doors.augment(t, statement)
    else:
        raise NotPushed(f"'{statement.op}=' on this", statement.loc)


def _extend(t: Tangents, statement: core.AugmentName) -> None:
    """`xs += v` of a list, by what may be walked over without running any code."""
    beside = _walked(t, statement, statement.value)
    t.emit("$x += $v", x=statement.target, v=primal_atom(statement.value))
    t.emit("$x += $v", x=t.dot(statement.target), v=beside)


def _augment_number(t: Tangents, statement: core.AugmentName, kind: Kind) -> None:
    target, value, op = statement.target, statement.value, statement.op
    result = t.ctx.facts.after(statement, target)
    moving = [t.is_active(statement, atom) for atom in (core.Var(target), value)]
    in_place = not is_scalar(kind)
    kept = (
        kind.dtype in FLOATING or (kind.dtype in ("i", "real") and not t.attempted)
        if isinstance(kind, Array)
        else True
    )
    if in_place and not kept:
        raise NotPushed("an array of which it is not known what it holds, that is written to", statement.loc)
    if isinstance(kind, NumberOrArray) and (
        op not in ("+", "-") or not _may_be_added(t, statement, moving[1])
    ):
        doors.augment(t, statement)
        return
    if op in ("+", "-") and not (is_scalar(kind) and not is_scalar(result.kind)):
        if moving[1]:
            _add(t, statement, kind)
        t.emit(f"$x {op}= $v", x=target, v=primal_atom(value))
        return
    if not any(moving):
        t.emit(f"$x {op}= $v", x=target, v=primal_atom(value))
        if not in_place:
            t.emit("$x = $v", x=t.dot(target), v=t.zero(result.kind, name_node(target)))
        return
    _by_rule(t, statement, result.kind, in_place=in_place)


def _add(t: Tangents, statement: core.AugmentName, kind: Kind) -> None:
    """The tangent of what is added is added to the tangent."""
    dot, value, op = t.dot(statement.target), statement.value, statement.op
    if not t.count:
        t.emit(f"$x {op}= $v", x=dot, v=t.tangent(statement, value))
    elif is_scalar(kind):
        t.emit(f"$x = $x {op} $v", x=dot, v=several.operand_dot(t, statement, value, kind))
    else:
        t.emit(f"$x {op}= $v", x=dot, v=several.operand_dot(t, statement, value, kind))


def _may_be_added(t: Tangents, statement: core.AugmentName, moving: bool) -> bool:
    """Whether the tangent of a sum surely has its shape."""
    return moving or is_scalar(t.value(statement, statement.value).kind)


def _by_rule(t: Tangents, statement: core.AugmentName, result: Kind, *, in_place: bool) -> None:
    """`x op= v` by the operator's rule; of an array into the tangent's own memory."""
    rule = declare.find(BINARY[statement.op])
    if rule is None or rule.style != "elementwise":
        raise NotPushed(f"'{statement.op}='", statement.loc)
    names = texts(rule).names()
    bounds: tuple[core.Atom, core.Atom] = (core.Var(statement.target), statement.value)
    found = guarded(ByRule(rule, tuple(zip(names, bounds, strict=True))), result)
    active = tuple(name for name, atom in found.arguments if t.is_active(statement, atom))  # type: ignore[arg-type]
    dot = elementwise(t, statement, found, active, result)
    used = set(names_in(dot))
    target = t.dot(statement.target)
    store = "$x[...] = $v" if in_place else "$x = $v"
    if RESULT not in used:
        t.emit(store, x=target, v=dot)
        t.emit(f"$x {statement.op}= $v", x=statement.target, v=primal_atom(statement.value))
    elif statement.target not in used:
        dot = _with_value_before(t, statement, dot) if in_place else dot
        t.emit(f"$x {statement.op}= $v", x=statement.target, v=primal_atom(statement.value))
        t.emit(store, x=target, v=with_result(dot, statement.target))
    elif in_place:
        raise NotPushed(f"'{statement.op}=' on an array", statement.loc)
    else:
        new = t.ctx.names.temporary()
        call = quote_expression(f"$a {statement.op} $b", a=statement.target, b=primal_atom(statement.value))
        t.emit("$y = $v", y=new, v=call)
        t.emit("$x = $v", x=target, v=with_result(dot, new))
        t.emit("$y = $v", y=statement.target, v=name_node(new))


def _with_value_before(t: Tangents, statement: core.AugmentName, dot: gast.expr) -> gast.expr:
    """A tangent that reads the value of `x op= v` after x has changed, which v may be a part of."""
    value = statement.value
    if not isinstance(value, core.Var) or is_scalar(t.value(statement, value).kind):
        return dot
    before = t.ctx.names.temporary()
    t.emit("$y = $copy($v)", y=before, copy=t.ctx.helper("snapshot"), v=primal_atom(value))
    read: gast.expr = replace_names(dot, {value.name: name_node(before)}.get)
    return read
