"""Generators: one that gives its items in pairs with their tangents runs beside what stands for the
program's own.

yield x                  yield x, x_dot
for x in g:              for x, x_dot in g_dot:
x = next(g)              x, x_dot = next(g_dot)

Where it is not known whether something is such a generator, it is asked when the code runs.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import CO_GENERATOR
from types import FunctionType
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import Closure, Kind, Object, is_mutable, may_be_anything
from zygpy.ir.nodes import gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.generators import delegated
from zygpy.runtime.iteration import left_alone
from zygpy.runtime.lazy import LAZY
from zygpy.runtime.lookup import in_class, is_among
from zygpy.runtime.paired_generators import (
    TAKING_ALL,
    InPairs,
    check_paired,
    delegated_in_pairs,
    is_paired,
    items_apart,
)
from zygpy.runtime.tangent_items import has_items_beside, items_of
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform.stash import primal_atom


def makes_generator(function: Any) -> bool:
    """Whether a function is one of the user's that makes generators, or a builtin for which one stands."""
    if type(function) is FunctionType:
        return not str(function.__module__).startswith("zygpy.") and _is_generator_function(function)
    return is_among(function, LAZY)


def _is_generator_function(function: Any) -> bool:
    return type(function) is FunctionType and bool(function.__code__.co_flags & CO_GENERATOR)


def is_left_alone(op: core.Op, facts: Any) -> bool:
    """Whether an operation says that nobody knows a generator any more."""
    path = op.func if isinstance(op, core.Call) else None
    return isinstance(path, core.Path) and facts.objects.get(path.names) is left_alone


def leave(t: Tangents, statement: core.Assign, op: core.Call) -> None:
    """It is closed then, if it is one."""
    (walk,) = [arg for arg in op.args if not isinstance(arg, core.Star)]
    t.settle()
    _where_it_is(t, statement, walk, lambda: t.emit("$dot.close()", dot=t.tangent(statement, walk)), None)
    t.start = len(t.ctx.code)


def give(t: Tangents, statement: core.Assign, op: core.Yield) -> None:
    """`yield`: the item goes out with its tangent, and what comes in does."""
    t.settle()
    dot = t.dot(statement.target) if statement.target in t.paired else None
    if t.reads.get(statement.target, 0):
        take_in(t, statement, op, statement.target, dot)
    else:
        t.emit("yield $y, $dot", y=primal_atom(op.value), dot=_dot_of_item(t, statement, op.value))
    t.start = len(t.ctx.code)


def take_in(t: Tangents, statement: core.Assign, op: core.Yield, target: str, dot: str | None) -> None:
    """The same where what is sent in is read: nothing is, if `next` asks for the item."""
    both = t.ctx.names.temporary()
    item, item_dot = primal_atom(op.value), _dot_of_item(t, statement, op.value)
    t.emit("$both = yield $y, $dot", both=both, y=item, dot=item_dot)
    t.emit("$x = None if $both is None else $both[0]", x=target, both=name_node(both))
    if dot is not None:
        t.emit("$x = None if $both is None else $both[1]", x=dot, both=name_node(both))


def _dot_of_item(t: Tangents, statement: core.Assign, atom: core.Atom) -> gast.expr:
    """The tangent of an item; what can be changed has to have one, as others may change it meanwhile."""
    has_dot = isinstance(atom, core.Var) and atom.name in t.paired
    if not has_dot and is_mutable(t.value(statement, atom).kind):
        raise NotPushed("an item of a generator that can be changed, and has no tangent", statement.loc)
    return t.tangent(statement, atom)


def walk(t: Tangents, statement: core.Assign, atom: core.Atom) -> bool:
    """What is walked over in place of an object whose class says it in Python; whether it is such a one."""
    kind = t.value(statement, atom).kind
    named = isinstance(atom, core.Var) and atom.name in t.paired and statement.target in t.paired
    if t.count or not named or not is_walked_by_method(kind) or is_known(t, statement, atom):
        return False
    t.settle()
    t.emit(
        "$y, $dot = $door(($x,), ($x_dot,))",
        y=statement.target,
        dot=t.dot(statement.target),
        door=t.ctx.cell("pushed_iteration", t.doors["iteration"]),
        x=primal_atom(atom),
        x_dot=t.tangent(statement, atom),
    )
    t.start = len(t.ctx.code)
    return True


def is_delegated(op: core.Op, facts: Any) -> bool:
    """Whether an operation is a step of a `yield from`."""
    path = op.func if isinstance(op, core.Call) else None
    return isinstance(path, core.Path) and facts.objects.get(path.names) is delegated


def delegate(t: Tangents, statement: core.Assign, op: core.Call) -> None:
    """The step, and what it gives with its tangent."""
    t.settle()
    iterator, sent, failure = [arg for arg in op.args if not isinstance(arg, core.Star)]
    given = [primal_atom(iterator), t.tangent(statement, iterator), primal_atom(sent)]
    given += [t.tangent(statement, sent), primal_atom(failure)]
    made = gast.Call(name_node(t.ctx.cell("delegated_in_pairs", delegated_in_pairs)), given, [])
    dot = t.dot(statement.target) if statement.target in t.paired else t.unused
    t.emit("$y, $dot = $call", y=statement.target, dot=dot, call=made)
    t.start = len(t.ctx.code)


# --------------------------------------------------------------------------------- what is known to be one


def is_known(t: Tangents, statement: Any, atom: core.Atom) -> bool | None:
    """Whether something is a generator with its pairs beside it; None if that is found when the code runs."""
    if t.count or not (isinstance(atom, core.Var) and atom.name in t.paired and t.ctx.facts.way.identity):
        return False
    kind = t.value(statement, atom).kind
    return _known_of(t, atom.name, frozenset()) if may_be_anything(kind) else _known_by(kind)


def _known_by(kind: Kind) -> bool | None:
    if isinstance(kind, Object):
        return kind.cls is InPairs
    return None if may_be_anything(kind) else False


def _known_of(t: Tangents, name: str, asked: frozenset[str]) -> bool | None:
    """The same of all that a variable is ever bound to."""
    if name in asked:
        return None
    facts, found = t.ctx.facts, set[bool | None]()
    if name in facts.arguments:
        found.add(_known_by(facts.arguments[name].kind))
    for statement in core.walk(facts.function.body):
        if name in assigned(statement):
            found.add(_known_as(t, statement, asked | {name}))
    return found.pop() if len(found) == 1 else None


def _known_as(t: Tangents, statement: core.Statement, asked: frozenset[str]) -> bool | None:
    """The same of what a statement binds."""
    op = getattr(statement, "op", None)
    if isinstance(op, core.GetAttr | core.GetItem) or isinstance(statement, core.For):
        return None if _makes_some(t) else False
    if not isinstance(op, core.Copy | core.Call):
        return None
    if is_taking_apart(op):
        return False
    if isinstance(op, core.Call) and _makes(t, statement, op):
        return True
    atom = op.value if isinstance(op, core.Copy) else _handed_on(t, op)
    if not isinstance(atom, core.Var) or atom.name not in t.paired:
        return None
    kind = t.value(statement, atom).kind
    if isinstance(op, core.Call) and isinstance(kind, Object) and is_walked_by_method(kind):
        return _is_generator_function(in_class(kind.cls, "__iter__", None)) or None
    return _known_of(t, atom.name, asked) if may_be_anything(kind) else _known_by(kind)


def is_walked_by_method(kind: Any) -> bool:
    """Whether the class of an object says in Python what is walked over."""
    return isinstance(kind, Object) and type(in_class(kind.cls, "__iter__", None)) is FunctionType


def _makes_some(t: Tangents) -> bool:
    """Whether the program itself makes generators: else none are expected in what it takes out of containers
    and objects, and that there are is left to reverse mode when it is found."""
    return bool(t.ctx.facts.generators) or t.suspends


def _handed_on(t: Tangents, op: core.Call) -> core.Atom | None:
    """What a call gives that does nothing but say that it is walked over."""
    known = isinstance(op.func, core.Path) and op.func.scope == "helper"
    first = op.args[0] if known and op.func.names[-1] in ("walked", "watched") and op.args else None  # type: ignore[union-attr]
    return None if isinstance(first, core.Star) else first


def _makes(t: Tangents, statement: core.Statement, op: core.Call) -> bool:
    """Whether a call goes through a door, and gives a generator."""
    if isinstance(op.func, core.Path):
        return makes_generator(t.ctx.facts.objects.get(op.func.names))
    kind = t.value(statement, op.func).kind
    return isinstance(kind, Closure) and kind.generator


def _where_it_is(
    t: Tangents, statement: Any, atom: core.Atom, then: Callable[[], None], orelse: Callable[[], None] | None
) -> None:
    """What is done with a generator, and with anything else."""
    known = is_known(t, statement, atom)
    if known:
        then()
    elif known is None:
        body, other = _code(t, then), [] if orelse is None else _code(t, orelse)
        test = _is_paired(t, atom)
        if other:
            t.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=body, orelse=other)
        else:
            t.emit("if $test:\n    $then", test=test, then=body)
    elif orelse is not None:
        orelse()


def _is_paired(t: Tangents, atom: core.Atom) -> gast.expr:
    return quote_expression("$f($g)", f=t.ctx.cell("is_paired", is_paired), g=primal_atom(atom))


def _code(t: Tangents, write: Callable[[], None]) -> list[gast.stmt]:
    """The statements that something writes, by themselves."""
    outer, t.ctx.code = t.ctx.code, []
    write()
    made, t.ctx.code = t.ctx.code, outer
    return made


# ---------------------------------------------------------------------------- where items are asked for


def in_pairs(t: Tangents, loop: Any, iterable: core.Atom) -> gast.expr | None:
    """What gives the items of what is known to be a generator together with their tangents."""
    return t.tangent(loop, iterable) if is_known(t, loop, iterable) else None


def begin_apart(
    t: Tangents, loop: Any, iterable: core.Atom, dots: gast.expr, *, together: bool
) -> tuple[str, str]:
    """What gives the items of something, and what gives their tangents, for a loop over both.

    Where other things are walked over `together` with it, which may ask the same iterator, or end before it,
    each tangent is taken behind its item.
    """
    xs, beside = t.ctx.names.temporary(), t.ctx.names.temporary()

    def split(pairs: gast.expr) -> None:
        t.emit("$xs, $it = $f($g)", xs=xs, it=beside, f=t.ctx.cell("items_apart", items_apart), g=pairs)

    def apart() -> None:
        split(t.tangent(loop, iterable))

    def otherwise() -> None:
        if together:
            split(quote_expression("$zip($x, $d)", zip=t.ctx.builtin("zip"), x=primal_atom(iterable), d=dots))
            return
        t.emit("$xs = $x", xs=xs, x=primal_atom(iterable))
        t.emit("$it = $iter($dots)", it=beside, iter=t.ctx.builtin("iter"), dots=dots)

    _where_it_is(t, loop, iterable, apart, otherwise)
    return xs, beside


def step(
    t: Tangents, statement: Any, given: list[core.Atom], y: str, dot: str, otherwise: Callable[[], None]
) -> None:
    """`next(g)`, or `next(g, default)`."""

    def beside() -> None:
        asked: list[gast.expr] = [t.tangent(statement, given[0])]
        if len(given) == 2:
            asked.append(gast.Tuple([primal_atom(given[1]), t.tangent(statement, given[1])], gast.Load()))
        made = gast.Call(name_node(t.ctx.builtin("next")), asked, [])
        t.emit("$y, $dot = $call", y=y, dot=dot, call=made)

    _where_it_is(t, statement, given[0], beside, otherwise)


def begin(t: Tangents, statement: Any, atom: core.Atom, y: str, dot: str, otherwise: Any) -> None:
    """`iter(g)`, which is the generator itself."""

    def same() -> None:
        t.emit("$y = $g", y=y, g=primal_atom(atom))
        t.emit("$y = $g", y=dot, g=t.tangent(statement, atom))

    _where_it_is(t, statement, atom, same, otherwise)


def is_taking_apart(op: core.Op) -> bool:
    """Whether an operation takes what is unpacked out of something."""
    path = op.func if isinstance(op, core.Call) else None
    return isinstance(path, core.Path) and path.scope == "helper" and path.names[-1] == "taken_apart"


def take_apart(t: Tangents, statement: core.Assign, op: Any, otherwise: Callable[[], None]) -> None:
    """Items that are unpacked: a list of them, and one of their tangents."""
    atom, count = op.args
    target = statement.target
    t.settle()

    def some() -> None:
        items = t.ctx.names.temporary()
        enough = "" if count.value < 0 else f"\n    if len($xs) > {count.value}:\n        break"
        _list(t, statement, atom, items, enough)
        begin = t.ctx.builtin("iter")  # Python says of a list how many items there are, if these are too many
        t.emit("$y = $iter($xs)", y=target, iter=begin, xs=name_node(items))
        if target in t.paired:
            t.emit("$y = $iter($xs)", y=t.dot(target), iter=begin, xs=name_node(t.dot(items)))

    _where_it_is(t, statement, atom, some, otherwise)
    t.settle()
    t.start = len(t.ctx.code)


def _list(
    t: Tangents, statement: Any, generator: core.Atom, items: str, enough: str = "", pairs: str | None = None
) -> None:
    """Items of a generator, or of what has them in `pairs`, and their tangents, in two lists."""
    item = t.ctx.names.temporary()
    parts = {"xs": items, "dots": t.dot(items), "x": item, "x_dot": t.dot(item)}
    text = "$xs = []\n$dots = []\nfor $x, $x_dot in $g:\n    $xs.append($x)\n    $dots.append($x_dot)"
    walked = t.tangent(statement, generator) if pairs is None else name_node(pairs)
    t.emit(text + enough, g=walked, **parts)


def takes_all(t: Tangents, statement: core.Assign) -> bool:
    """Whether a statement takes all items of what is a generator, or may be."""
    op = statement.op
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.args) or op.keywords:
        return False
    first, *rest = op.args
    plain = not any(isinstance(arg, core.Star) for arg in op.args)
    taking = is_among(t.ctx.facts.objects.get(op.func.names), TAKING_ALL)
    return plain and not rest and taking and is_known(t, statement, first) is not False  # type: ignore[arg-type]


def listed(t: Tangents, statement: Any, generator: core.Atom) -> tuple[str, str]:
    """A list of the items of what is found to be a generator, or a set, and one of their tangents."""
    items = t.ctx.names.temporary()
    pairs = None
    if not is_known(t, statement, generator):
        pairs = t.ctx.names.temporary()
        _find_pairs(t, statement, generator, pairs)
    _list(t, statement, generator, items, pairs=pairs)
    return items, t.dot(items)


def _find_pairs(t: Tangents, statement: Any, things: core.Atom, pairs: str) -> None:
    """The pairs that a generator gives, or those of what has the tangents of all its items beside it."""
    t.emit(
        "if $beside($g, $g_dot):\n    $pairs = $list($zip($g, $items($g_dot, $g)))\n"
        "else:\n    $check($g)\n    $pairs = $g_dot",
        beside=t.ctx.cell("has_items_beside", has_items_beside),
        items=t.ctx.cell("items_of", items_of),
        list=t.ctx.builtin("list"),
        zip=t.ctx.builtin("zip"),
        check=t.ctx.cell("check_paired", check_paired),
        g=primal_atom(things),
        g_dot=t.tangent(statement, things),
        pairs=pairs,
    )
