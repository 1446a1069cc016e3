"""Exceptions that are made of values with tangents: each brings its partner to where it is caught."""

from __future__ import annotations

import builtins
from types import FunctionType, WrapperDescriptorType
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class
from zygpy.runtime.zeros import CannotPush, Partner, bring
from zygpy.tangent.doors import checked, dot_of, is_positional, names_of
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def makes_exception(op: core.Op, facts: Any) -> bool:
    """Whether an exception is made, of positional arguments."""
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.args and is_positional(op)):
        return False
    found = facts.objects.get(op.func.names)
    return op.func.scope != "helper" and isinstance(found, type) and issubclass(found, BaseException)


def exception(t: Tangents, statement: core.Assign, op: core.Op, target: str, dot: str) -> None:
    """An exception that is made, and its partner, which it brings to where it is caught."""
    assert isinstance(op, core.Call)
    assert isinstance(op.func, core.Path)
    cls = t.ctx.facts.objects[op.func.names]
    try:
        init = initialisation(cls)
    except CannotPush as error:
        raise NotPushed("an exception of this class", statement.loc) from error
    atoms = checked(t, statement, op.args)
    args = [primal_atom(atom) for atom in atoms]
    dots = gast.Tuple([t.tangent(statement, atom) for atom in atoms], gast.Load())
    path = primal.path_expression(t.ctx, op.func)
    t.emit(
        "$check($cls, $init)",
        check=t.ctx.cell("check_made", check_made),
        cls=path,
        init=constant(init is not None),
    )
    if init is None:
        t.emit("$y = $call", y=target, call=gast.Call(path, args, []))
    else:
        t.emit(
            "$y = $call", y=target, call=gast.Call(quote_expression("$c.__new__", c=path), [path, *args], [])
        )
    t.emit("$dot = $partner()", dot=dot, partner=t.ctx.cell("Partner", Partner))
    t.emit("$dot.args = $dots", dot=dot, dots=dots)
    t.emit("$bring($y, $dot)", bring=t.ctx.cell("bring", bring), y=target, dot=dot)
    if init is not None:
        own = {"args": [name_node(target), *args], "dots": [name_node(dot), *dots.elts]}
        t.emit(
            "$door($cls.__init__, None, $args, $dots, True)",
            door=t.ctx.cell("pushed_call", t.doors["call"]),
            cls=path,
            **{part: gast.Tuple(held, gast.Load()) for part, held in own.items()},
        )


def make_exception(t: Tangents, statement: core.Assign) -> None:
    """The same of a statement of its own."""
    target = statement.target
    t.settle()
    again = target in names_of(statement.op)
    made = t.ctx.names.fresh(target) if again else target
    paired = target in t.paired
    dot = t.ctx.names.fresh(f"{target}_dot") if again or not paired else t.dot(target)
    exception(t, statement, statement.op, made, dot)
    if again:
        t.emit("$y = $x", y=target, x=name_node(made))
    if again and paired:
        t.emit("$y = $x", y=t.dot(target), x=name_node(dot))
    t.start = len(t.ctx.code)


def is_super(op: core.Op, facts: Any) -> bool:
    """Whether it is `super(C, o)`."""
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path) and len(op.args) == 2):
        return False
    return op.func.scope != "helper" and facts.objects.get(op.func.names) is super and is_positional(op)


def inherited(t: Tangents, statement: core.Assign) -> None:
    """What gives the methods that an object inherits: its tangent is the object's partner."""
    op = statement.op
    assert isinstance(op, core.Call)
    t.settle()
    t.emit("$y = $v", y=statement.target, v=primal.expression(t.ctx, op))
    if statement.target in t.paired:
        of_object = op.args[1]
        assert not isinstance(of_object, core.Star)
        t.emit("$dot = $v", dot=t.dot(statement.target), v=dot_of(t, statement, of_object))
    t.start = len(t.ctx.code)


def initialisation(cls: type) -> Any:
    """The `__init__` of a class of exceptions if it is written in Python, else None.

    Raises CannotPush where one is made in another way.
    """
    init = in_class(cls, "__init__")
    in_c = type(init) is WrapperDescriptorType and init.__objclass__ in PLAIN_EXCEPTIONS
    if (
        type(cls) is not type
        or isinstance(cls.__new__, FunctionType)
        or getattr(cls.__new__, "__self__", None) not in PLAIN_EXCEPTIONS
        or not (in_c or type(init) is FunctionType)
        or is_ruled(cls)
    ):
        raise CannotPush
    return None if in_c else init


def check_made(cls: type, written: bool) -> None:
    """Leave to reverse mode a class that makes its exceptions in another way than it did: with an `__init__`
    that is `written` in Python, or without one."""
    if (initialisation(cls) is not None) is not written:
        raise CannotPush


PLAIN_EXCEPTIONS = tuple(
    cls
    for cls in vars(builtins).values()
    if isinstance(cls, type)
    and issubclass(cls, BaseException)
    and not issubclass(cls, StopIteration | SystemExit | OSError | BaseExceptionGroup)
)
"""Those of Python's own that hold nothing but their arguments."""
