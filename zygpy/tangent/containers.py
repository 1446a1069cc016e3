"""Containers: the tangent of a list, tuple or dict is one of the same form, made and changed beside it."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import Dynamic, Intrinsic
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import (
    INT,
    Array,
    Dict,
    Kind,
    List,
    LocalFunction,
    NumberOrArray,
    Row,
    Tuple,
    Unknown,
    carries_gradient,
    is_numeric,
    is_scalar,
    is_whole,
    may_be_anything,
)
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime import zeros
from zygpy.runtime.partials import RECEIVER
from zygpy.runtime.partner_partials import partial_dot
from zygpy.runtime.set_tangents import beside_elements
from zygpy.runtime.tangent_items import PairTangents
from zygpy.tangent import doors, several
from zygpy.tangent.paired import changeable
from zygpy.tangent.state import RESULT, NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom, primal_index

CHANGES = frozenset({"append", "extend", "insert", "pop", "clear", "reverse", "update", "setdefault"})
"""Methods that change a list or dict, and are done to its tangent in the same way."""

REFUSED = frozenset({"remove", "sort", "popitem"})
"""Methods that ask for the values."""


def is_change(op: core.Op, t: Tangents, statement: core.Assign) -> bool:
    """Whether an operation changes a list or dict that has a tangent."""
    if not (isinstance(op, core.CallMethod) and isinstance(op.value, core.Var) and op.value.name in t.paired):
        return False
    kind = t.value(statement, op.value).kind
    return isinstance(kind, List | Dict) and op.name in CHANGES | REFUSED


def change(t: Tangents, statement: core.Assign) -> None:
    """The change, of the container and of its tangent."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    keywords = _check_change(t, statement, op)
    t.emit("$y = $v", y=statement.target, v=primal.expression(t.ctx, op))
    args = [arg for arg in op.args if not isinstance(arg, core.Star)]
    if op.name == "setdefault":
        check_key(t, statement, args[0])
    given = [
        (several.walked if op.name == "extend" else Tangents.tangent)(t, statement, arg)
        if position in _stored(op)
        else primal_atom(arg)
        for position, arg in enumerate(args)
    ]
    call = gast.Call(quote_expression(f"$xs.{op.name}", xs=t.dot(op.value.name)), given, keywords)
    if statement.target in t.paired:
        t.emit("$y = $call", y=t.dot(statement.target), call=call)
    else:
        t.ctx.code.append(gast.Expr(call))


def _check_change(t: Tangents, statement: core.Assign, op: core.CallMethod) -> list[gast.keyword]:
    """The tangents of what a change is given by keywords, which are keys of a dict that is updated; refuse
    what is not done to tangents in the same way."""
    by_name = bool(op.keywords) and op.name != "update"
    given = [arg for arg in op.args if not isinstance(arg, core.Star)]
    if op.name in REFUSED or by_name or len(given) < len(op.args):
        raise NotPushed(f"the method '{op.name}'", statement.loc)
    if op.name == "update":
        pairs = [*given, *(one.value for one in op.keywords if one.name is None)]
        if not all(isinstance(t.value(statement, pair).kind, Dict) for pair in pairs):
            raise NotPushed("keys and values in pairs", statement.loc)
    return [gast.keyword(one.name, t.tangent(statement, one.value)) for one in op.keywords]


def check_key(t: Tangents, statement: core.Statement, key: core.Atom) -> None:
    """Leave it to reverse mode to make a key of something with a tangent: who walks over a dict is given its
    keys as they are, without tangents."""
    if not (isinstance(key, core.Var) and key.name in t.paired):
        return
    kind = t.value(statement, key).kind
    if is_scalar(kind) and not t.is_active(statement, key):
        return
    if isinstance(kind, Unknown):
        check = t.ctx.cell("check_key", zeros.check_key)
        t.emit("$check($x, $dot)", check=check, x=primal_atom(key), dot=t.tangent(statement, key))
    elif _may_vary(kind):
        raise NotPushed("a key of a dict that has a tangent", statement.loc)


def _may_vary(kind: Kind) -> bool:
    """Whether a key may be a number with a point, or hold one: whole numbers say nothing of a tangent."""
    if isinstance(kind, Tuple) and kind.cls is None:
        return any(map(_may_vary, kind.items))
    return carries_gradient(kind) and not is_whole(kind)


def _stored(op: core.CallMethod) -> tuple[int, ...]:
    """Which arguments of a method are values that are stored, or stand for what is not there."""
    if op.name in ("append", "extend", "update"):
        return (0,)
    return (1,) if op.name in ("insert", "setdefault") or (op.name == "pop" and len(op.args) == 2) else ()


def is_known(t: Tangents, statement: core.Assign) -> bool:
    """Whether an operation that is found by identity in reverse mode is one on a list, tuple, dict or array
    that is known to be that."""
    op = statement.op
    match op:
        case core.GetItem():
            return _has_items(t, statement, op)
        case core.CallMethod(value, name):
            kind = t.value(statement, value).kind
            return isinstance(kind, List | Dict) and name in CHANGES | READING
        case core.Display() | core.DictDisplay():
            return True
        case core.Call(core.Path() as path) if len(op.args) == 1 and not op.keywords:
            return _takes_all(t, statement, t.ctx.facts.objects.get(path.names), op.args[0])
        case core.Binary("+" | "*" as symbol, left, right):
            return _is_joined(symbol, t.value(statement, left).kind, t.value(statement, right).kind)
    return False


def _has_items(t: Tangents, statement: core.Assign, op: core.GetItem) -> bool:
    """Whether something is a container, or an array as anything numeric is that has items."""
    return isinstance(t.value(statement, op.value).kind, Array | NumberOrArray | List | Tuple | Row | Dict)


def _is_joined(symbol: str, left: Kind, right: Kind) -> bool:
    """Whether an operator joins two lists, or two plain tuples, or repeats one."""
    if symbol == "*":
        return _is_listed(left) and right == INT
    return _is_listed(left) and _is_listed(right) and isinstance(left, List) is isinstance(right, List)


def _is_listed(kind: Kind) -> bool:
    """Whether a value is a list, or a plain tuple."""
    return isinstance(kind, List | Row) or (isinstance(kind, Tuple) and kind.cls is None)


READING = frozenset({"values", "items", "copy", "get"})
"""Methods whose results have tangents where the dict's items have."""


def _is_plain(kind: Kind) -> bool:
    """Whether walking over something runs no code, and gives the items that it has, at once."""
    return isinstance(kind, List | Tuple | Row | Array)


def _takes_all(t: Tangents, statement: core.Assign, callee: Any, arg: Any) -> bool:
    """Whether a builtin is given all items of what is surely a list, a tuple or an array."""
    if not isinstance(arg, core.Var) or not _is_plain(t.value(statement, arg).kind):
        return False
    return callee in (list, tuple) or (callee is sum and _adds_numbers(t, statement, arg))


def _adds_numbers(t: Tangents, statement: core.Assign, things: core.Var) -> bool:
    """Whether everything in something is surely a number or an array, no object that is added its way."""
    kind: Any = t.value(statement, things).kind
    if isinstance(kind, Array):
        return True
    return all(map(is_numeric, kind.items if isinstance(kind, Tuple) else [kind.element]))


def keeps_things(op: core.Op) -> bool:
    """Whether an operation makes a container, or takes something out of one, so that what it gives has to
    have the very tangents of what is in it."""
    return isinstance(op, core.Display | core.DictDisplay | core.GetItem)


def tangent(t: Tangents, statement: core.Assign, found: Any) -> gast.expr | None:
    """The tangent of what an operation on containers gives; None where it is zero."""
    op = statement.op
    match op:
        case core.Display("set", items):
            return _elements(t, statement, items)
        case core.Display(kind, items):
            return _display(t, statement, kind, items)
        case core.DictDisplay(items):
            return _keyed(t, statement, items)
        case core.GetItem(core.Var(name)) if name in t.paired:
            return _item(t, statement, op)
        case core.GetItem():
            return None
        case core.Binary(symbol, left, right) if found in (Intrinsic("concatenate"), Intrinsic("repeat")):
            return _joined(t, statement, symbol, left, right, repeat=found.name == "repeat")
    return _of_call(t, statement, found)


def _display(t: Tangents, statement: core.Assign, kind: str, items: Any) -> gast.expr:
    parts: list[gast.expr] = []
    for item in items:
        if isinstance(item, core.Star):
            parts.append(gast.Starred(_unpacked(t, statement, item.value), gast.Load()))
        else:
            parts.append(t.tangent(statement, item))
    return gast.Tuple(parts, gast.Load()) if kind == "tuple" else gast.List(parts, gast.Load())


def _elements(t: Tangents, statement: core.Assign, items: Any) -> gast.expr:
    """The tangent of a set: those of its elements, under them."""
    if t.count:
        raise NotPushed("several directions through a set", statement.loc)
    if not items:
        return gast.Dict([], [])
    given: list[gast.expr] = [
        gast.Starred(primal_atom(item.value), gast.Load())
        if isinstance(item, core.Star)
        else primal_atom(item)
        for item in items
    ]
    beside = t.ctx.cell("beside_elements", beside_elements)
    dots = _display(t, statement, "list", items)
    return quote_expression("$f($xs, $dots)", f=beside, xs=gast.List(given, gast.Load()), dots=dots)


def _unpacked(t: Tangents, statement: core.Assign, value: core.Atom) -> Any:
    """The tangents of the items of what is unpacked in a list or tuple."""
    kind = t.value(statement, value).kind
    if isinstance(kind, List | Tuple | Row | Array):
        return several.walked(t, statement, value)
    if not isinstance(kind, Unknown):
        raise NotPushed("an unpacked iterator", statement.loc)
    return doors.items_dot(t, statement, value)


def _keyed(t: Tangents, statement: core.Assign, items: Any) -> gast.expr:
    for key, _ in items:
        if key is not None:
            check_key(t, statement, key)
    keys = [None if key is None else primal_atom(key) for key, _ in items]
    return gast.Dict(keys, [t.tangent(statement, value) for _, value in items])


def _item(t: Tangents, statement: core.Assign, op: core.GetItem) -> gast.expr | None:
    """The tangent of an item or a part."""
    if not _has_items(t, statement, op):
        _check_constant(t, statement)
        return None
    kind = t.value(statement, op.value).kind
    if t.count and isinstance(kind, Array | NumberOrArray):
        return several.item_dot(t, statement, op)
    dot = t.tangent(statement, op.value)
    if isinstance(kind, NumberOrArray):
        dot = quote_expression("$np.asarray($v)", np=t.ctx.helper("np"), v=dot)
    return gast.Subscript(dot, primal_index(op.index), gast.Load())


def _check_constant(t: Tangents, statement: core.Assign) -> None:
    """Refuse an item that varies, or is written to."""
    if not _is_constant(t, statement):
        raise NotPushed("an item of this", statement.loc)


def _is_constant(t: Tangents, statement: core.Assign) -> bool:
    """Whether what an operation gives does not vary, and is never written to."""
    found = t.ctx.facts.after(statement, statement.target)
    return not found.active and changeable(found).isdisjoint(t.ctx.facts.written)


def is_unknown_item(t: Tangents, statement: core.Assign) -> bool:
    """Whether it is an item, of something of which it is not known what it is, that has to have the tangent
    which it has there."""
    op = statement.op
    if not isinstance(op, core.GetItem) or statement.target not in t.paired or _is_constant(t, statement):
        return False
    has_dot = isinstance(op.value, core.Var) and op.value.name in t.paired
    return has_dot and may_be_anything(t.value(statement, op.value).kind)


def _joined(
    t: Tangents, statement: core.Assign, symbol: str, left: core.Atom, right: core.Atom, *, repeat: bool
) -> gast.expr:
    """`xs + ys` and `xs * n`."""

    def side(atom: core.Atom) -> gast.expr:
        whole = not isinstance(t.value(statement, atom).kind, List | Tuple | Row)
        return primal_atom(atom) if repeat and whole else t.tangent(statement, atom)

    return quote_expression(f"$a {symbol} $b", a=side(left), b=side(right))


def _of_call(t: Tangents, statement: core.Assign, found: Any) -> gast.expr:
    op, name = statement.op, getattr(found, "name", "")
    if isinstance(found, Dynamic):
        return _of_known(t, statement)
    if name == "captured" and isinstance(op, core.Call):
        return _captured(t, statement, op)
    if name == "bound method" and isinstance(op, core.GetAttr):
        given = {"x": primal_atom(op.value), "dot": t.tangent(statement, op.value)}
        return quote_expression("$f($x, $dot)", f=t.ctx.cell("bound_dot", zeros.bound_dot), **given)
    return _of_intrinsic(t, statement, found)


def of_method(t: Tangents, statement: core.Assign) -> gast.expr | None:
    """The tangent of a method that is read of something with a tangent, and does not vary; or of what a
    function has captured. None of anything else."""
    op, kind = statement.op, t.ctx.facts.after(statement, statement.target).kind
    atoms = [atom for atom in operands(op) if isinstance(atom, core.Var) and atom.name in t.paired]
    if t.count or not atoms:
        return None
    if isinstance(op, core.GetAttr) and isinstance(kind, LocalFunction):
        if [name for name, _ in kind.captured] != [RECEIVER]:
            return None
        given = [name_node(RESULT), primal_atom(op.value), t.tangent(statement, op.value)]
        return gast.Call(name_node(t.ctx.cell("method_dot", zeros.method_dot)), given, [])
    if isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.func.names == ("captured",):
        return _captured(t, statement, op, zeros.captured_or_apart)
    return None


READ = ("dict values", "dict items", "dict copy", "converted")
"""The methods of containers whose tangent is what they give of that of the container."""


def _captured(
    t: Tangents, statement: core.Assign, op: core.Call, found: Any = zeros.captured_dot
) -> gast.expr:
    """The tangent of what a function has captured."""
    function, name = op.args
    assert isinstance(function, core.Var)
    assert isinstance(name, core.Const)
    parts = {"dot": t.tangent(statement, function), "x": primal_atom(function), "k": primal_atom(name)}
    return quote_expression("$f($dot, $x, $k)", f=t.ctx.cell(found.__name__, found), **parts)


def _of_intrinsic(t: Tangents, statement: core.Assign, found: Any) -> gast.expr:
    op, name = statement.op, getattr(found, "name", "")
    if name == "converted" and isinstance(op, core.Call) and isinstance(op.func, core.Path):
        arg = op.args[0]
        if isinstance(arg, core.Var):
            callee = primal.path_expression(t.ctx, op.func)
            return gast.Call(callee, [several.walked(t, statement, arg)], [])
    if isinstance(op, core.CallMethod) and name in READ and not found.atoms:
        return _read(t, statement, op)
    if isinstance(op, core.CallMethod) and name == "dict get":
        return _get(t, statement, op)
    if name == "partial" and isinstance(op, core.Call):
        return _partial(t, statement, op)
    return _of_record(t, statement, name)


def _of_record(t: Tangents, statement: core.Assign, name: str) -> gast.expr:
    """The tangent of a named tuple, or of one of its fields."""
    op = statement.op
    if name == "record" and isinstance(op, core.Call) and isinstance(op.func, core.Path):
        found: Any = t.ctx.facts.calls[id(statement)]
        cls = primal.path_expression(t.ctx, op.func)
        return gast.Call(cls, [t.tangent(statement, atom) for atom in found.atoms], [])
    if name == "replaced fields" and isinstance(op, core.CallMethod):
        return _with_fields(t, statement, op)
    if name == "field" and isinstance(op, core.GetAttr):
        return gast.Attribute(t.tangent(statement, op.value), op.name, gast.Load())
    raise NotPushed("an operation on containers without a tangent", statement.loc)


def _with_fields(t: Tangents, statement: core.Assign, op: core.CallMethod) -> gast.expr:
    """The tangent of `point._replace(x=x)`."""
    given = [gast.keyword(one.name, t.tangent(statement, one.value)) for one in op.keywords]
    return gast.Call(gast.Attribute(t.tangent(statement, op.value), op.name, gast.Load()), [], given)


def _partial(t: Tangents, statement: core.Assign, op: core.Call) -> gast.expr:
    """The tangent of `partial(f, x, y=y)`."""
    unpacked = any(isinstance(arg, core.Star) for arg in op.args)
    if t.count or unpacked or any(one.name is None for one in op.keywords):
        raise NotPushed("arguments that are unpacked and bound", statement.loc)
    given: list[Any] = [*op.args, *(one.value for one in op.keywords)]
    function, atoms = given[0], given[1:]
    has_dot = isinstance(function, core.Var) and function.name in t.paired
    return quote_expression(
        "$make($f, $dot, $args, $dots, $names)",
        make=t.ctx.cell("partial_dot", partial_dot),
        f=primal_atom(function),
        dot=t.tangent(statement, function) if has_dot else constant(None),
        args=gast.Tuple([primal_atom(atom) for atom in atoms], gast.Load()),
        dots=gast.Tuple([t.tangent(statement, atom) for atom in atoms], gast.Load()),
        names=gast.Tuple([constant(one.name) for one in op.keywords], gast.Load()),
    )


def _of_known(t: Tangents, statement: core.Assign) -> gast.expr:
    """What is found by identity in reverse mode: of a list or dict that is known to be one."""
    op = statement.op
    if isinstance(op, core.CallMethod) and op.name == "get":
        return _get(t, statement, op)
    if isinstance(op, core.CallMethod) and not op.args and op.name in READING:
        return _read(t, statement, op)
    if isinstance(op, core.Binary):
        return _joined(t, statement, op.op, op.left, op.right, repeat=op.op == "*")
    if isinstance(op, core.Call) and isinstance(op.func, core.Path):
        arg = op.args[0]
        assert isinstance(arg, core.Var)
        callee = primal.path_expression(t.ctx, op.func)
        return gast.Call(callee, [several.walked(t, statement, arg)], [])
    raise NotPushed("an operation on containers without a tangent", statement.loc)


def _read(t: Tangents, statement: core.Assign, op: core.CallMethod) -> gast.expr:
    """The tangents of `d.items()`, `d.values()` or `d.copy()`."""
    dots = t.tangent(statement, op.value)
    if op.name == "items":
        return quote_expression("$f($dots)", f=t.ctx.cell("PairTangents", PairTangents), dots=dots)
    return gast.Call(gast.Attribute(dots, op.name, gast.Load()), [], [])


def _get(t: Tangents, statement: core.Assign, op: core.CallMethod) -> gast.expr:
    key, *rest = [arg for arg in op.args if not isinstance(arg, core.Star)]
    given = [primal_atom(key), *(t.tangent(statement, arg) for arg in rest)]
    return gast.Call(gast.Attribute(t.tangent(statement, op.value), "get", gast.Load()), given, [])
