"""Operations and calls of which it is found when they are made what they are.

The tangent of each goes through a door that finds the tangent function for the values that have come
(`zygpy.pushed.doors`)."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from zygpy.ir import core
from zygpy.ir.access import assigned, index_atoms, operands
from zygpy.ir.kinds import Array, Closure, Kind, Object, is_mutable, may_be_anything, may_be_object
from zygpy.ir.nodes import constant, gast, is_generator, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules import declare
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.copies import duplicate, duplicate_deeply
from zygpy.runtime.instead import is_entry_point
from zygpy.runtime.lookup import is_among
from zygpy.runtime.operations import BINARY, UNARY
from zygpy.runtime.partner_fields import holds_field, takes_field
from zygpy.runtime.set_tangents import SETS
from zygpy.runtime.subclasses import inherited_container, is_unbound
from zygpy.runtime.sums import adds_numbers
from zygpy.runtime.tangent_items import items_of
from zygpy.runtime.tangents import alike, in_form
from zygpy.runtime.zeros import (
    Carried,
    are_numbers,
    check_item,
    check_numbers,
    check_slice,
    check_store,
    has_parts,
    is_plain_number,
    parts_of,
)
from zygpy.tangent import by_name, gathered, generators, heaps, shared, steps, written_out
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.containers import default_atoms
from zygpy.transform.forward import define
from zygpy.transform.stash import primal_atom, primal_index


def goes_through(statement: core.Statement, facts: Any) -> bool:
    """Whether there is a door for what is found when it is made."""
    return isinstance(statement, core.Assign) and is_open(statement, statement.op, facts)


def is_open(statement: core.Assign, op: core.Op, facts: Any) -> bool:
    """The same of the operation of a statement, or of one whose exception it catches."""
    if isinstance(statement.op, core.Caught) and isinstance(op, core.Call) and isinstance(op.func, core.Path):
        return (is_positional(op) and _is_known_path(op.func, facts)) or steps.is_step(op, facts)
    if isinstance(op, core.GetItem):
        kind = facts.value(statement, op.value).kind
        return may_be_anything(kind) or gathered.has_item_method(kind, "__getitem__") or _holds_items(kind)
    if isinstance(op, core.Call):
        plain = _is_plain_call(op, facts) or _is_written_out(op, facts)
        known = written_out.is_stored(op) or heaps.is_done(op, facts)
        return plain or by_name.is_asking(op, facts) or known
    if isinstance(op, core.GetAttr):
        return _may_be_an_object(facts.value(statement, op.value).kind)
    if isinstance(op, core.CallMethod):
        plain = is_positional(by_position(op)) or by_name.is_arranged(op)
        return plain and _may_be_an_object(facts.value(statement, op.value).kind)
    if not isinstance(op, core.Binary | core.Unary):
        return False
    kinds = [facts.value(statement, atom).kind for atom in operands(op)]
    known = op.op in (BINARY if isinstance(op, core.Binary) else UNARY)
    return known and not any(isinstance(kind, Closure) for kind in kinds)


def _is_plain_call(op: core.Call, facts: Any) -> bool:
    """Whether it is a variable that is called with positional arguments alone, or a function with a rule."""
    if not is_positional(op):
        if _is_by_keyword(op, facts) or not isinstance(op.func, core.Path):
            return True
        return gathered.is_class(op.func, facts) or _is_known_path(op.func, facts)
    if isinstance(op.func, core.Var):
        return True
    if not facts.way.identity or facts.way.everywhere:
        return _is_known_path(op.func, facts)
    found = facts.objects.get(op.func.names)
    if op.func.scope == "helper":
        return False
    known = is_entry_point(found) or makes_new(found) or generators.makes_generator(found)
    return known or is_among(found, FOLLOWED) or _is_container(found)


def _is_by_keyword(op: core.Call, facts: Any) -> bool:
    """Whether it is a function with a rule that is called with keywords, and nothing is unpacked."""
    unpacked = [isinstance(arg, core.Star) for arg in op.args]
    unpacked += [one.name is None for one in op.keywords]
    if any(unpacked) or not isinstance(op.func, core.Path) or op.func.scope == "helper":
        return False
    function = facts.objects.get(op.func.names)
    return makes_new(function) if facts.way.identity else declare.find(function) is not None


def store(t: Tangents, statement: core.SetAttr) -> None:
    """`o.x = v`, of an object of which it is found then whether that is a field."""
    if t.count:
        raise NotPushed("several directions into what is found when it runs", statement.loc)
    target, value = statement.target, statement.value
    atoms = checked(t, statement, (target, value))
    parts = {"dot": dot_of(t, statement, target), "x": primal_atom(target), "name": constant(statement.name)}
    test = quote_expression("$f($dot, $x, $name)", f=_helper(t, takes_field), **parts)

    def written_out() -> None:
        for whole, part in ((parts["x"], primal_atom(value)), (parts["dot"], t.tangent(statement, value))):
            field: Any = gast.Attribute(whole, statement.name, gast.Load())
            t.emit("$field = $v", field=field, v=part)

    def by_door() -> None:
        door = t.ctx.cell("pushed_store", t.doors["store"])
        given = _given(t, statement, atoms, Tangents.tangent)
        t.emit("$door($name, $args, $dots)", door=door, name=constant(statement.name), **given)

    inline, orelse = _with_code(t, written_out), _with_code(t, by_door)
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=inline, orelse=orelse)


def is_positional(op: core.Call | core.CallMethod) -> bool:
    """Whether all arguments are positional, and none is unpacked."""
    return not op.keywords and not any(isinstance(arg, core.Star) for arg in op.args)


def by_position(op: core.CallMethod) -> core.CallMethod:
    """A call of a method with its only keyword by position, where it is known which that is."""
    named = [one.name for one in op.keywords]
    if named == ["last"] and len(op.args) == LAST.get(op.name):
        return replace(op, args=(*op.args, op.keywords[0].value), keywords=())
    return op


LAST = {"popitem": 0, "move_to_end": 1}
"""Methods with a parameter `last`, and its position."""


def _may_be_an_object(kind: Kind) -> bool:
    """Whether something may be an object of a class written in Python."""
    return may_be_object(kind)


def _is_known_path(path: core.Path, facts: Any) -> bool:
    """Whether a path leads to a function that is written in Python, or has a rule."""
    found = facts.objects.get(path.names)
    users = type(found) is FunctionType and not str(found.__module__).startswith("zygpy.")
    known = users or is_entry_point(found) or declare.find(found) is not None or is_among(found, FOLLOWED)
    return path.scope != "helper" and (known or _is_container(found))


def _is_container(found: Any) -> bool:
    """Whether it is a class in Python whose objects are lists or dicts, or a method that these inherit."""
    return is_unbound(found) or (type(found) is type and inherited_container(found) is not None)


def _holds_items(kind: Kind) -> bool:
    """Whether something is an object of such a class, or a dict of `collections`."""
    return isinstance(kind, Object) and (inherited_container(kind.cls) is not None or kind.cls in DICTS)


DICTS = (OrderedDict, Counter, defaultdict)


MADE_EMPTY = (*SETS, *DICTS)
"""Classes of containers that a door makes."""

FOLLOWED = (*MADE_EMPTY, itertools.tee, duplicate, duplicate_deeply)
"""What has no rule, and a door does."""


def makes_new(function: Any) -> bool:
    """Whether it is a function with a rule that writes to nothing and gives, of numbers and arrays that are
    given by position, new ones."""
    rule = declare.find(function)
    return rule is not None and not rule.writes and (not rule.shares or function is np.array)


def through(t: Tangents, statement: core.Assign) -> None:
    """The operation, or call, and its tangent, both from the door."""
    op = statement.op
    if t.count:
        raise NotPushed("several directions through what is found when it runs", statement.loc)
    if isinstance(op, core.GetItem):
        _item(t, statement, op)
        return
    if isinstance(op, core.GetAttr) and _has_dot(t, op.value) and statement.target in t.paired:
        _field(t, statement, op)
        return
    if written_out.is_stored(op):
        written_out.store(t, statement, op)
        return
    if _is_written_out(op, t.ctx.facts):
        _step(t, statement, op)
        return
    if isinstance(op, core.Binary) and _is_arithmetic(t, statement, op):
        _arithmetic(t, statement, op)
        return
    linear = _linear(t, op)
    if linear is not None:
        _linear_in(t, statement, *linear)
        return
    made = call(t, statement, op)
    t.settle()
    dot = t.dot(statement.target) if statement.target in t.paired else t.unused
    t.emit("$y, $dot = $call", y=statement.target, dot=dot, call=made)
    t.start = len(t.ctx.code)


def _field(t: Tangents, statement: core.Assign, op: core.GetAttr) -> None:
    """An attribute of what turns out to have a field of that name; else what the door finds."""
    t.settle()
    value, dot = primal_atom(op.value), dot_of(t, statement, op.value)
    parts = {"dot": dot, "x": value, "name": constant(op.name)}
    test = quote_expression("$f($dot, $x, $name)", f=_helper(t, holds_field), **parts)
    again = statement.target in names_of(op)
    y = t.ctx.names.temporary() if again else statement.target

    def written_out() -> None:
        t.emit("$y = $x", y=y, x=gast.Attribute(value, op.name, gast.Load()))
        t.emit("$y = $x", y=t.dot(statement.target), x=gast.Attribute(dot, op.name, gast.Load()))
        if again:
            t.emit("$y = $x", y=statement.target, x=name_node(y))

    _else_by_door(t, statement, test, _with_code(t, written_out))


def take_all(t: Tangents, statement: core.Assign, op: Any, *, own: bool) -> None:
    """What a builtin makes of all items of a generator, a list of which is what its rule is for, or of a list
    that is the program's `own`."""
    t.settle()
    function = t.ctx.facts.objects[op.func.names]
    atom = op.args[0]
    items, dots = (atom.name, t.dot(atom.name)) if own else generators.listed(t, statement, atom)
    target, dot = statement.target, t.dot(statement.target) if statement.target in t.paired else t.unused
    if function is list or function is tuple:
        for name, xs in ((target, items), (dot, dots)):
            made = quote_expression("$f($xs)", f=t.ctx.builtin(function.__name__), xs=name_node(xs))
            t.emit("$y = $made", y=name, made=made)
    else:
        t.emit(
            "$y, $dot = $door($f, None, ($xs,), ($dots,), True)",
            y=target,
            dot=dot,
            door=t.ctx.cell("pushed_call", t.doors["call"]),
            f=_callee(t, op),
            xs=name_node(items),
            dots=name_node(dots),
        )
    t.start = len(t.ctx.code)


def _is_written_out(op: core.Op, facts: Any) -> bool:
    """Whether an operation is done to the tangents of items in the same way."""
    if steps.is_step(op, facts):
        return True
    if not isinstance(op, core.Call) or not gathered.is_gathering(op, facts):
        return False
    return not facts.way.identity and not _is_plain_call(op, facts)  # a method may have kept what is in it


def _step(t: Tangents, statement: core.Assign, op: core.Op) -> None:
    """A step of an iterator, or one that is made; or what takes all items of something."""
    t.settle()
    target, given = statement.target, names_of(op)
    y, dot = (t.ctx.names.temporary() for _ in range(2)) if target in given else (target, t.dot(target))
    if steps.is_step(op, t.ctx.facts):
        steps.step(t, statement, op, y, dot)
    else:
        _gather(t, statement, op, y, dot)
    if target in given:
        t.emit("$x, $x_dot = $y, $y_dot", x=target, x_dot=t.dot(target), y=y, y_dot=dot)
    t.start = len(t.ctx.code)


def _gather(t: Tangents, statement: core.Assign, op: core.Op, y: str, dot: str) -> None:
    """A sum, by its rule if what is added up turns out to be numbers in a list; or what takes all items."""
    inline = _with_code(t, lambda: gathered.gather(t, statement, op, y, dot))
    if not gathered.is_sum_of_one(op, t.ctx.facts):
        t.ctx.code += inline
        return
    assert isinstance(op, core.Call)
    made = _called(t, statement, op)
    door = _with_code(t, lambda: t.emit("$y, $dot = $call", y=y, dot=dot, call=made))
    (things,) = operands(op)
    parts = {"dot": dot_of(t, statement, things), "x": primal_atom(things)}
    test = quote_expression("$f($dot, $x)", f=_helper(t, adds_numbers), **parts)
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=door, orelse=inline)


def call(t: Tangents, statement: core.Assign, op: core.Op) -> gast.expr:
    """The call of the door, which gives the value and its tangent."""
    match op:
        case core.Call():
            return _called(t, statement, op)
        case core.CallMethod():
            return _method_called(t, statement, by_position(op))
        case core.GetAttr():
            return _of_object(t, statement, "attribute", constant(op.name), [op.value])
        case core.GetItem(value, index):
            assert not isinstance(index, core.IndexTuple | core.Slice)
            still = _dot_unless_still(t, statement, [value, index])
            return _of_object(t, statement, "method", constant("__getitem__"), [value, index], still)
    assert isinstance(op, core.Binary | core.Unary)
    return _operated(t, statement, op)


def _is_arithmetic(t: Tangents, statement: core.Assign, op: core.Binary) -> bool:
    """Whether an operation is one on numbers and arrays, if it is anything that has a tangent here."""
    if any(isinstance(t.value(statement, atom).kind, Object) for atom in (op.left, op.right)):
        return False
    if op.op == "**":  # by a number of which the power below is one too
        return isinstance(op.right, core.Const) and type(op.right.value) is int and op.right.value > 1
    return op.op in ("+", "-", "*", "/")


def _arithmetic(t: Tangents, statement: core.Assign, op: core.Binary) -> None:
    """Arithmetic of what turns out to be numbers and arrays, and else what the operator's door does."""
    t.settle()
    a, b = primal_atom(op.left), primal_atom(op.right)
    again = statement.target in names_of(op)
    y = t.ctx.names.temporary() if again else statement.target
    inline = _with_code(t, lambda: _inline(t, op, y, t.dot(statement.target)))
    if again:
        inline += _with_code(t, lambda: t.emit("$x = $y", x=statement.target, y=name_node(y)))
    dots = [
        t.dot(atom.name) for atom in (op.left, op.right) if isinstance(atom, core.Var) and _has_dot(t, atom)
    ]
    asked = [a, b, *map(name_node, dict.fromkeys(dots))]
    _else_by_door(t, statement, gast.Call(name_node(_helper(t, are_numbers)), asked, []), inline)


def _inline(t: Tangents, op: core.Binary, y: str, y_dot: str, moving: str | None = None) -> None:
    """An operation on numbers and arrays, written out; there is a tangent of the variable `moving`, too."""
    a, b = primal_atom(op.left), primal_atom(op.right)

    def dot_if_any(atom: core.Atom) -> gast.expr | None:
        moves = isinstance(atom, core.Var) and (atom.name == moving or _has_dot(t, atom))
        return name_node(t.dot(atom.name)) if moves else None  # type: ignore[union-attr]

    a_dot, b_dot = dot_if_any(op.left), dot_if_any(op.right)
    t.emit(f"$y = $a {op.op} $b", y=y, a=a, b=b)
    text = SLOPES[op.op, a_dot is not None, b_dot is not None]
    parts: dict[str, Any] = {"a": a, "b": b, "y": name_node(y), "a_dot": a_dot, "b_dot": b_dot}
    dot = quote_expression(text, **{name: parts[name] for name in re.findall(r"\$(\w+)", text)})
    t.emit("$dot = $f($v, $y)", dot=y_dot, f=_helper(t, in_form), v=dot, y=name_node(y))


Linear: TypeAlias = "Callable[..., gast.expr]"
"""How what is linear is written, of an operand or its tangent."""


def _linear(t: Tangents, op: core.Op) -> tuple[core.Var, Linear] | None:
    """The operand that something is linear in, and how that is written; None where it is nothing that is
    linear, or nothing has a tangent."""
    if isinstance(op, core.Unary) and op.op == "-":
        operand, written = op.operand, _negative
    elif isinstance(op, core.Call) and _is_unbroadcast(t, op):
        (operand, shape), f = operands(op), _helper(t, unbroadcast)
        written = functools.partial(quote_expression, "$f($x, $shape)", f=f, shape=primal_atom(shape))
    else:
        return None
    return (operand, written) if isinstance(operand, core.Var) and _has_dot(t, operand) else None


def _is_unbroadcast(t: Tangents, op: core.Call) -> bool:
    """Whether it is the call of that helper, of a cotangent and a shape."""
    return isinstance(op.func, core.Path) and t.ctx.facts.objects.get(op.func.names) is unbroadcast


def _negative(*, x: Any) -> gast.expr:
    return quote_expression("-$x", x=x)


def _linear_in(t: Tangents, statement: core.Assign, operand: core.Var, written: Linear) -> None:
    """What is linear of what turns out to be a number or an array, and else what the door does. The result is
    a view of the operand exactly where its tangent is one of the operand's."""
    t.settle()
    x, x_dot = name_node(operand.name), name_node(t.dot(operand.name))
    again = statement.target in names_of(statement.op)
    y = t.ctx.names.temporary() if again else statement.target
    form = "$f($dot, $y)" if written is _negative else "$f($dot, $y, $x_dot, $x)"
    parts = {"dot": written(x=x_dot), "y": name_node(y), "x_dot": x_dot, "x": x}
    parts = {name: part for name, part in parts.items() if f"${name}" in re.findall(r"\$\w+", form)}

    def write() -> None:
        t.emit("$y = $made", y=y, made=written(x=x))
        f = _helper(t, in_form if written is _negative else alike)
        t.emit("$dot = $made", dot=t.dot(statement.target), made=quote_expression(form, f=f, **parts))
        if again:
            t.emit("$x = $y", x=statement.target, y=name_node(y))

    test = gast.Call(name_node(_helper(t, are_numbers)), [x, x_dot], [])
    _else_by_door(t, statement, test, _with_code(t, write))


def _with_code(t: Tangents, write: Callable[[], None]) -> list[gast.stmt]:
    """The statements that something writes, by themselves."""
    outer, t.ctx.code = t.ctx.code, []
    write()
    made, t.ctx.code = t.ctx.code, outer
    return made


def _helper(t: Tangents, function: Any) -> Any:
    """A function of the run time's, by its own name."""
    return t.ctx.cell(function.__name__, function)


def _else_by_door(t: Tangents, statement: core.Assign, test: gast.expr, inline: list[gast.stmt]) -> None:
    """What is written out for the ordinary case, and for any other the call of the door."""
    made, dot = call(t, statement, statement.op), t.dot(statement.target)
    door = _with_code(t, lambda: t.emit("$y, $dot = $call", y=statement.target, dot=dot, call=made))
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=inline, orelse=door)
    t.start = len(t.ctx.code)


SLOPES = {
    ("+", True, True): "$a_dot + $b_dot",
    ("+", True, False): "$a_dot",
    ("+", False, True): "$b_dot",
    ("-", True, True): "$a_dot - $b_dot",
    ("-", True, False): "$a_dot",
    ("-", False, True): "-$b_dot",
    ("*", True, True): "$a_dot * $b + $a * $b_dot",
    ("*", True, False): "$a_dot * $b",
    ("*", False, True): "$a * $b_dot",
    ("/", True, True): "($a_dot - $y * $b_dot) / $b",
    ("/", True, False): "$a_dot / $b",
    ("/", False, True): "-$y * $b_dot / $b",
    ("**", True, False): "$b * $a ** ($b - 1) * $a_dot",
}
"""The tangent of what an operator gives, for which of the operands has one."""


def _item(t: Tangents, statement: core.Assign, op: core.GetItem) -> None:
    """An item, or a part, of what turns out to be an array, a list, a tuple or a dict; else what a method
    gives."""
    t.settle()
    value, dot = primal_atom(op.value), dot_of(t, statement, op.value)
    whole = isinstance(op.index, core.IndexTuple | core.Slice)
    if whole and gathered.has_item_method(t.value(statement, op.value).kind, "__getitem__"):
        made = _item_of_object(t, statement, "__getitem__", op.value, op.index)
        t.emit("$y, $dot = $call", y=statement.target, dot=t.dot(statement.target), call=made)
        t.start = len(t.ctx.code)
        return
    inline = _with_code(t, lambda: _inline_item(t, statement, op, None if whole else dot))
    if whole:  # an index that is no value
        t.ctx.code += inline
        t.start = len(t.ctx.code)
    else:
        _else_by_door(t, statement, _has_parts(t, dot, value), inline)


def _item_of_object(
    t: Tangents, statement: Any, method: str, value: core.Atom, index: Any, stored: tuple[core.Atom, ...] = ()
) -> gast.expr:
    """What a method does that is given an index of several parts, or a slice, none of which varies."""
    checked(t, statement, [value, *index_atoms(index), *stored])
    if any(t.is_active(statement, atom) for atom in index_atoms(index)):
        raise NotPushed("an index that varies", statement.loc)
    dots = [dot_of(t, statement, value), constant(None), *(dot_of(t, statement, v) for v in stored)]
    args = [primal_atom(value), gathered.index_value(t, index), *map(primal_atom, stored)]
    return quote_expression(
        "$door($name, $args, $dots)",
        door=t.ctx.cell("pushed_method", t.doors["method"]),
        name=constant(method),
        args=gast.Tuple(args, gast.Load()),
        dots=gast.Tuple(dots, gast.Load()),
    )


def _has_parts(t: Tangents, dot: Any, value: Any) -> Any:
    return quote_expression("$f($dot, $x)", f=_helper(t, has_parts), dot=dot, x=value)


def _inline_item(t: Tangents, statement: core.Assign, op: core.GetItem, known: Any) -> None:
    """An item of what has items, and that of its tangent, if that is `known` to have them too."""
    value, target = primal_atom(op.value), statement.target
    held = known
    if held is None:
        held = name_node(t.ctx.names.fresh("held_dot"))
        dot = dot_of(t, statement, op.value)
        t.emit("$held = $f($dot, $x)", held=held.id, f=_helper(t, parts_of), dot=dot, x=value)
    again = target in names_of(op)
    y = t.ctx.names.temporary() if again else target
    t.emit("$y = $x", y=y, x=gast.Subscript(value, primal_index(op.index), gast.Load()))
    new = gast.Subscript(held, primal_index(op.index), gast.Load())
    t.emit("$y = $x", y=t.dot(target), x=new)
    if again:
        t.emit("$y = $x", y=target, x=name_node(y))


def set_item(t: Tangents, statement: core.SetItem, dot: gast.expr) -> None:
    """`x[i] = v` of an x that turns out to be a list, a dict or an array; else a method of an object."""
    if t.count:
        raise NotPushed("several directions into what is found when it runs", statement.loc)
    target, index, value = statement.target, statement.index, statement.value

    def written_out() -> None:
        parts = {"dot": dot_of(t, statement, target), "x": primal_atom(target), "v": primal_atom(value)}
        t.emit("$check($dot, $x, $v)", check=_helper(t, check_store), **parts)
        if isinstance(index, core.Slice):
            t.emit("$check($x, $v, $d)", check=_helper(t, check_slice), x=parts["x"], v=parts["v"], d=dot)
        for whole, part in ((parts["x"], parts["v"]), (parts["dot"], dot)):
            item: Any = gast.Subscript(whole, primal_index(index), gast.Load())
            t.emit("$item = $v", item=item, v=part)

    inline = _with_code(t, written_out)
    whole = isinstance(index, core.IndexTuple | core.Slice)
    if whole and gathered.has_item_method(t.value(statement, target).kind, "__setitem__"):
        made = _item_of_object(t, statement, "__setitem__", target, index, (value,))
        t.emit("$y = $call", y=t.unused, call=made)
        return
    if whole:
        t.ctx.code += inline
        return
    made = _of_object(t, statement, "method", constant("__setitem__"), [target, index, value])
    test = _has_parts(t, dot_of(t, statement, target), primal_atom(target))
    door = _with_code(t, lambda: t.emit("$y = $call", y=t.unused, call=made))
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=inline, orelse=door)


def augment_item(t: Tangents, statement: core.AugmentItem) -> None:
    """`x[i] op= v`, of an item that turns out to be a number, or a part of an array; else by the methods of
    an object, or of a dict that makes what is not there."""
    if t.count or statement.op not in ("+", "-", "*", "/"):
        raise NotPushed("an item that is found when it runs, and changed", statement.loc)
    inline = _with_code(t, lambda: _augment_parts(t, statement))
    target = statement.target
    if isinstance(statement.index, core.IndexTuple | core.Slice):
        t.ctx.code += inline
        return
    test = _has_parts(t, dot_of(t, statement, target), primal_atom(target))
    door = _with_code(t, lambda: _augment_by_methods(t, statement, statement.index))
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=inline, orelse=door)


def _augment_by_methods(t: Tangents, statement: core.AugmentItem, index: Any) -> None:
    """The same by `__getitem__` and `__setitem__`."""
    before, new = t.ctx.names.temporary(), t.ctx.names.temporary()
    target = statement.target
    made = _of_object(t, statement, "method", constant("__getitem__"), [target, index])
    t.emit("$y, $dot = $call", y=before, dot=t.dot(before), call=made)
    _change(t, statement, before, statement.value, new)
    given = _given(t, statement, checked(t, statement, [target, index]))
    given["args"].elts.append(name_node(new))
    given["dots"].elts.append(name_node(t.dot(new)))
    method = t.ctx.cell("pushed_method", t.doors["method"])
    t.emit("$door($name, $args, $dots)", door=method, name=constant("__setitem__"), **given)


def _augment_parts(t: Tangents, statement: core.AugmentItem) -> None:
    """The same of a list, a dict or an array, written out."""
    target, value, index = statement.target, statement.value, statement.index
    whole, whole_dot, v = primal_atom(target), dot_of(t, statement, target), primal_atom(value)
    before, new = t.ctx.names.temporary(), t.ctx.names.temporary()
    t.emit("$check($dot, $x, $v)", check=_helper(t, check_store), dot=whole_dot, x=whole, v=v)
    for name, held in ((before, whole), (t.dot(before), whole_dot)):
        t.emit("$y = $x", y=name, x=gast.Subscript(held, primal_index(index), gast.Load()))
    t.emit("$check($x, $y)", check=_helper(t, check_item), x=whole, y=name_node(before))
    t.emit("$check($a, $b)", check=_helper(t, check_numbers), a=name_node(before), b=v)
    _inline(t, core.Binary(statement.op, core.Var(before), value), new, t.dot(new), moving=before)
    for name, held in ((new, whole), (t.dot(new), whole_dot)):
        item: Any = gast.Subscript(held, primal_index(index), gast.Load())
        t.emit("$item = $y", item=item, y=name_node(name))


def augment_item_in_place(t: Tangents, statement: core.AugmentItem) -> None:
    """`x[i] op= v` of an item that may be an array, or a list: it is taken out, changed, and put in again."""
    target, index, value = statement.target, statement.index, statement.value
    if t.count or statement.op not in BINARY:
        raise NotPushed("an augmented assignment to an item that may be an array", statement.loc)
    before, new = t.ctx.names.temporary(), t.ctx.names.temporary()
    held = [primal_atom(target), dot_of(t, statement, target)]
    for name, whole in zip((before, t.dot(before)), held, strict=True):
        t.emit("$y = $x", y=name, x=gast.Subscript(whole, primal_index(index), gast.Load()))
    _change(t, statement, before, value, new)
    for name, whole in zip((new, t.dot(new)), held, strict=True):
        item: Any = gast.Subscript(whole, primal_index(index), gast.Load())
        t.emit("$item = $y", item=item, y=name_node(name))


def _change(t: Tangents, statement: Any, before: str, value: core.Atom, new: str) -> None:
    """What an operator in place makes of a variable."""
    checked(t, statement, [value])
    t.emit(
        "$y, $dot = $door($f, ($x, $v), ($x_dot, $v_dot))",
        y=new,
        dot=t.dot(new),
        door=t.ctx.cell("pushed_change", t.doors["change"]),
        f=t.ctx.cell(BINARY[statement.op].__name__, BINARY[statement.op]),
        x=name_node(before),
        x_dot=name_node(t.dot(before)),
        v=primal_atom(value),
        v_dot=dot_of(t, statement, value),
    )


def augment_attribute(t: Tangents, statement: core.AugmentAttr) -> None:
    """`o.x op= v` of an object of which it is found then what that is."""
    if t.count:
        raise NotPushed("several directions into what is found when it runs", statement.loc)
    before, new = t.ctx.names.temporary(), t.ctx.names.temporary()
    door = _with_code(t, lambda: _augment_by_door(t, statement, before, new))
    if statement.op not in ("+", "-", "*", "/"):
        t.ctx.code += door
        return
    inline = _with_code(t, lambda: _augment_field(t, statement, before, new))
    target, value = statement.target, statement.value
    test = quote_expression(
        "$holds($dot, $x, $name) and $takes($dot, $x, $name) and $plain($field) and $numbers($v)",
        holds=_helper(t, holds_field),
        takes=_helper(t, takes_field),
        plain=_helper(t, is_plain_number),
        numbers=_helper(t, are_numbers),
        dot=dot_of(t, statement, target),
        x=primal_atom(target),
        name=constant(statement.name),
        field=gast.Attribute(primal_atom(target), statement.name, gast.Load()),
        v=primal_atom(value),
    )
    t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=inline, orelse=door)


def _augment_field(t: Tangents, statement: core.AugmentAttr, before: str, new: str) -> None:
    """The same of a field that holds a number, by one."""
    held = [primal_atom(statement.target), dot_of(t, statement, statement.target)]
    fields: list[Any] = [gast.Attribute(whole, statement.name, gast.Load()) for whole in held]
    for name, field in zip((before, t.dot(before)), fields, strict=True):
        t.emit("$y = $x", y=name, x=field)
    op = core.Binary(statement.op, core.Var(before), statement.value)
    _inline(t, op, new, t.dot(new), moving=before)
    for name, field in zip((new, t.dot(new)), fields, strict=True):
        t.emit("$field = $y", field=field, y=name_node(name))


def _augment_by_door(t: Tangents, statement: core.AugmentAttr, before: str, new: str) -> None:
    """The same of anything else: it is taken out, changed, and put in again."""
    target, value = statement.target, statement.value
    parts = _given(t, statement, checked(t, statement, (target,)))
    name = constant(statement.name)
    attribute = t.ctx.cell("pushed_attribute", t.doors["attribute"])
    t.emit(
        "$y, $dot = $door($name, $args, $dots)",
        y=before,
        dot=t.dot(before),
        door=attribute,
        name=name,
        **parts,
    )
    _change(t, statement, before, value, new)
    t.emit(
        "$door($name, ($x, $y), ($x_dot, $y_dot))",
        door=t.ctx.cell("pushed_store", t.doors["store"]),
        name=name,
        x=primal_atom(target),
        x_dot=dot_of(t, statement, target),
        y=name_node(new),
        y_dot=name_node(t.dot(new)),
    )


def walked_over(op: core.Op) -> core.Atom | None:
    """What an operation says of that a loop walks over it, or that it is unpacked; None of any other."""
    match op:
        case core.Call(core.Path(names, "helper"), (core.Var() | core.Const() as thing, *_)):
            return thing if names[-1] in ("walked", "watched", "taken_apart") else None
    return None


def items_dot(t: Tangents, statement: Any, atom: core.Atom) -> gast.expr:
    """The tangents of the items of something of which it is not known what it is."""
    if t.count:
        raise NotPushed("several directions through what is found when it runs", statement.loc)
    return quote_expression(
        "$f($dot, $x)", f=_helper(t, items_of), dot=dot_of(t, statement, atom), x=primal_atom(atom)
    )


def names_of(op: core.Op) -> set[str]:
    return {atom.name for atom in operands(op) if isinstance(atom, core.Var)}


def augment(t: Tangents, statement: core.AugmentName) -> None:
    """`x op= v` of an x that turns out to be a number, or is changed in place."""
    if t.count:
        raise NotPushed("several directions through what is found when it runs", statement.loc)
    target, dot = core.Var(statement.target), t.dot(statement.target)
    op = core.Binary(statement.op, target, statement.value)
    made = _operation(t, statement, BINARY[statement.op], [target, statement.value], door="change")
    door = _with_code(t, lambda: t.emit("$x, $dot = $call", x=target.name, dot=dot, call=made))
    if statement.op not in ("+", "-", "*", "/"):
        t.ctx.code += door
        return
    y = t.ctx.names.temporary()

    def written_out() -> None:
        _inline(t, op, y, dot)  # of what the variable holds before
        t.emit("$x = $y", x=target.name, y=name_node(y))

    test = quote_expression(
        "$f($a) and $g($b)",
        f=_helper(t, is_plain_number),
        a=name_node(target.name),
        g=_helper(t, are_numbers),
        b=primal_atom(statement.value),
    )
    t.emit(
        "if $test:\n    $then\nelse:\n    $orelse", test=test, then=_with_code(t, written_out), orelse=door
    )


def _operated(t: Tangents, statement: core.Assign, op: core.Binary | core.Unary) -> gast.expr:
    function = (BINARY if isinstance(op, core.Binary) else UNARY)[op.op]
    return _operation(t, statement, function, list(operands(op)))


def _operation(
    t: Tangents, statement: Any, function: Any, atoms: list[core.Atom], *, door: str = "operation"
) -> gast.expr:
    dot = _dot_unless_still(t, statement, atoms) if door == "operation" else dot_of
    return quote_expression(
        "$door($f, $args, $dots)",
        door=t.ctx.cell(f"pushed_{door}", t.doors[door]),
        f=t.ctx.cell(function.__name__, function),
        **_given(t, statement, checked(t, statement, atoms), dot),
    )


def _method_called(t: Tangents, statement: core.Assign, op: core.CallMethod) -> gast.expr:
    """What a method gives, perhaps of arguments that it is given by name."""
    if by_name.is_arranged(op):
        checked(t, statement, [op.value, *gathered.atoms_of(op)])
        return by_name.method_called(t, statement, op, dot_of(t, statement, op.value))
    dot = Tangents.tangent if op.name == "__init__" else dot_of
    return _of_object(t, statement, "method", constant(op.name), [op.value, *op.args], dot)


def _of_object(
    t: Tangents, statement: Any, door: str, name: gast.expr, args: list[Any], dot: DotOf | None = None
) -> gast.expr:
    """What is asked of an object by name: an attribute, or what a method gives."""
    return quote_expression(
        "$door($name, $args, $dots)",
        door=t.ctx.cell(f"pushed_{door}", t.doors[door]),
        name=name,
        **_given(t, statement, checked(t, statement, args), dot or dot_of),
    )


def checked(t: Tangents, statement: Any, args: Any) -> list[core.Atom]:
    """The arguments of what is not known; what can be changed of them has a tangent."""
    atoms = [arg for arg in args if not isinstance(arg, core.Star)]
    for atom in atoms:
        kind = t.value(statement, atom).kind
        if is_mutable(kind) and not isinstance(kind, Array) and not _has_dot(t, atom):
            raise NotPushed(
                "something that can be changed, given to a function that is not known", statement.loc
            )
    return atoms


def _called(t: Tangents, statement: core.Assign, op: core.Call) -> gast.expr:
    if heaps.is_done(op, t.ctx.facts):
        op = heaps.as_call(t, op)
    atoms = gathered.atoms_of(op)
    if by_name.is_asking(op, t.ctx.facts):
        checked(t, statement, atoms)
        return by_name.asked(t, statement, op)
    captured = _captured_by_generator(t, op)
    if captured is not None:
        checked(t, statement, atoms)
        return _generator(t, statement, op, atoms, captured)
    if _is_entry(t, op) or _makes_with(t, op):
        checked(t, statement, [atom for atom in atoms if not _is_function(t, statement, atom)])
    elif not _writes_nothing(t, op):
        checked(t, statement, atoms)
    return quote_expression(
        "$door($f, $carried, $args, $dots, $changing)",
        door=t.ctx.cell("pushed_call", t.doors["call"]),
        changing=constant(t.ctx.facts.way.identity),
        f=_callee(t, op),
        carried=constant(None) if isinstance(op.func, core.Path) else dot_of(t, statement, op.func),
        **(
            gathered.arguments(t, statement, op) if gathered.is_unpacking(op) else _given(t, statement, atoms)
        ),
    )


def _captured_by_generator(t: Tangents, op: core.Call) -> tuple[str, ...] | None:
    """What a generator function captures that is defined in the program, and nowhere else by that name; None
    of anything else."""
    if not isinstance(op.func, core.Var) or not is_positional(op) or op.func.name not in t.paired:
        return None
    name = op.func.name
    made = [one for one in core.walk(t.ctx.facts.function.body) if name in assigned(one)]
    ops = [getattr(one, "op", None) for one in made]
    known = len(ops) == 1 and isinstance(ops[0], core.MakeFunction) and is_generator(ops[0].node)
    cells = t.ctx.facts.function.cells
    return ops[0].captured if known and name not in (*ops[0].captured, *cells) else None  # type: ignore[union-attr]


def _generator(
    t: Tangents, statement: core.Assign, op: Any, atoms: list[core.Atom], captured: tuple[str, ...]
) -> gast.expr:
    """The door of generator functions, that is given what they capture."""
    carried = {name: _carried(t, name) for name in captured}
    names = [name for name in captured if carried[name] is not None]
    given = _given(t, statement, atoms)
    given["args"].elts += [carried[name].elts[0] for name in names]
    given["dots"].elts += [carried[name].elts[1] for name in names]
    return quote_expression(
        "$door($f, $names, $args, $dots)",
        door=t.ctx.cell("pushed_generator", t.doors["generator"]),
        f=primal_atom(op.func),
        names=gast.Tuple([constant(name) for name in names], gast.Load()),
        **given,
    )


def _is_entry(t: Tangents, op: core.Call) -> bool:
    """Whether it is an entry point, of which it is found then whether the function that it is given writes to
    what it captures: that has no tangent."""
    return isinstance(op.func, core.Path) and is_entry_point(t.ctx.facts.objects.get(op.func.names))


def _makes_with(t: Tangents, op: core.Call) -> bool:
    """Whether it is a `defaultdict` that is made, of which it is found then what its function captures."""
    return isinstance(op.func, core.Path) and t.ctx.facts.objects.get(op.func.names) is defaultdict


def _is_function(t: Tangents, statement: Any, atom: core.Atom) -> bool:
    return isinstance(t.value(statement, atom).kind, Closure)


def _callee(t: Tangents, op: core.Call) -> gast.expr:
    """What is called, together with the names of its last arguments if these are given by keyword."""
    if not isinstance(op.func, core.Path):
        return gathered.callee(t, op, primal_atom(op.func))
    if not op.keywords or gathered.is_unpacking(op):
        return gathered.callee(t, op, primal.path_expression(t.ctx, op.func))
    names = tuple(str(one.name) for one in op.keywords)
    function = t.ctx.facts.objects[op.func.names]
    return name_node(t.ctx.cell("_by_".join((op.func.names[-1], *names)), ByKeyword(function, names)))


def _writes_nothing(t: Tangents, op: core.Call) -> bool:
    """Whether it is a function with a rule that writes to nothing: what it gives has a tangent if it may hold
    what has one."""
    rule = declare.find(t.ctx.facts.objects.get(op.func.names)) if isinstance(op.func, core.Path) else None
    return rule is not None and not rule.writes


def only_reads(t: Tangents, statement: core.Assign) -> bool:
    """Whether a call does nothing but give what has no tangent."""
    op = statement.op
    if statement.target in t.paired or not isinstance(op, core.Call) or not _writes_nothing(t, op):
        return False
    return not any(_has_dot(t, atom) for atom in operands(op))


def _has_dot(t: Tangents, atom: core.Atom) -> bool:
    return isinstance(atom, core.Var) and atom.name in t.paired


def dot_of(t: Tangents, statement: Any, atom: core.Atom) -> Any:
    """The tangent of an operand, None where it has none."""
    return t.tangent(statement, atom) if _has_dot(t, atom) else constant(None)


DotOf: TypeAlias = "Callable[[Tangents, Any, core.Atom], Any]"


def _dot_unless_still(t: Tangents, statement: Any, atoms: list[core.Atom]) -> DotOf:
    """The tangents of operands; None where nothing varies in one while it does in another: that a method of
    the first stores something in it, which is not expected, is refused then."""
    if not any(t.is_active(statement, atom) for atom in atoms):
        return dot_of
    return lambda t, statement, atom: dot_of(t, statement, atom if t.is_active(statement, atom) else NO_ATOM)


NO_ATOM = core.Const(None)


def _given(t: Tangents, statement: Any, atoms: list[core.Atom], dot: DotOf = dot_of) -> dict[str, Any]:
    """The arguments and their tangents: None where there is none."""
    return {
        "args": gast.Tuple([primal_atom(atom) for atom in atoms], gast.Load()),
        "dots": gast.Tuple([dot(t, statement, atom) for atom in atoms], gast.Load()),
    }


def _carried(t: Tangents, name: str) -> Any:
    """What a function captures by a name, and its tangent; None if it has none."""
    if name in t.ctx.facts.function.cells:
        return shared.cells_of(t, name) if shared.is_read_with_tangent(t, name) else None
    if name not in t.paired:
        return None
    return gast.Tuple([name_node(name), name_node(t.dot(name))], gast.Load())


def make_function(t: Tangents, statement: core.Assign) -> None:
    """A function that is defined here, and beside it what tells what it captures, with the tangents: it is
    asked when the function is called, as what that captures may be assigned later."""
    op, target = statement.op, statement.target
    assert isinstance(op, core.MakeFunction)
    told = any(_has_dot(t, atom) for atom in op.defaults)
    if t.count or (told and (is_generator(op.node) or target not in t.paired)):
        raise NotPushed("a function that is defined here", statement.loc)
    t.settle()
    if isinstance(op.node, gast.FunctionDef):
        define(t.ctx, target, primal.definition(op))
        if primal.cells_handed_on(t.ctx, op):
            same = primal.with_cells_handed_on(t.ctx, op, name_node(target))
            t.emit("$f = $shared", f=target, shared=same)
    else:
        t.emit("$y = $v", y=target, v=primal.expression(t.ctx, op))
    if target in t.paired:
        found = {name: _carried(t, name) for name in op.captured}
        names = [name for name in found if found[name] is not None]
        if not (names or told):
            t.emit("$dot = None", dot=t.dot(target))
            t.start = len(t.ctx.code)
            return
        pairs = gast.Dict([constant(name) for name in names], [found[name] for name in names])
        captured = quote_expression("lambda: $pairs", pairs=pairs)
        given = [captured, *_defaults(t, statement, op, told=told)]
        made = gast.Call(name_node(t.ctx.cell("Carried", Carried)), given, [])
        t.emit("$dot = $made", dot=t.dot(target), made=made)
    t.start = len(t.ctx.code)


def _defaults(t: Tangents, statement: Any, op: core.MakeFunction, *, told: bool) -> list[gast.expr]:
    """The default values that have tangents, with these, as they are where the function is defined."""
    if not told:
        return []
    found = {key[:-1]: atom for key, atom in default_atoms(op) if _has_dot(t, atom)}
    pairs = [[primal_atom(atom), t.tangent(statement, atom)] for atom in found.values()]
    return [gast.Dict(list(map(constant, found)), [gast.Tuple(pair, gast.Load()) for pair in pairs])]
