"""Calls and methods of Python's own containers, whose kinds and storage are known here."""

from __future__ import annotations

from zygpy.analyse import transfer
from zygpy.analyse.effects import store_into
from zygpy.analyse.facts import Dynamic, Intrinsic, Plain
from zygpy.analyse.run import Run
from zygpy.analyse.values import INERT, Environment, Value, contained, extracted, make
from zygpy.ir import core
from zygpy.ir.kinds import (
    INT,
    NOTHING,
    TEXT,
    UNKNOWN,
    Array,
    Dict,
    Iterator,
    Kind,
    List,
    Text,
    Tuple,
)

Call = tuple[tuple[core.Atom | core.Star, ...], tuple[core.Keyword, ...]]

READ_ONLY = frozenset({"index", "count", "keys", "__len__", "__contains__"})
"""Methods of lists and dicts through which no gradient goes and which write nothing."""


def call_value(
    run: Run, statement: core.Assign, callee: object, call: Call, env: Environment
) -> Value | None:
    """The value of a call that makes a container from another one, else None."""
    args, keywords = call
    if callee not in (list, tuple) or keywords or len(args) != 1 or isinstance(args[0], core.Star):
        return None
    value = run.value(args[0], env)
    if not isinstance(value.kind, List | Tuple | Array | Iterator):
        return None
    site = frozenset({run.allocate(statement, env)})
    result = make(_converted(callee, value.kind), value.active, site | contained(value.sites))
    run.facts.calls[id(statement)] = Plain()
    if result.active:
        known = not isinstance(value.kind, Iterator)
        run.facts.calls[id(statement)] = Intrinsic("converted") if known else Dynamic()
    return result


def _converted(callee: object, kind: Kind) -> Kind:
    if callee is list:
        return List(transfer.element(kind))
    return kind if isinstance(kind, Tuple) and kind.cls is None else UNKNOWN


def method_value(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, env: Environment
) -> Value | None:
    """The value of a method of a list, dict or string, else None."""
    if isinstance(receiver.kind, Text):
        run.facts.calls[id(statement)] = Plain()
        return make(TEXT if op.name in ("format", "join", "strip", "lower", "upper") else UNKNOWN)
    if op.keywords or any(isinstance(arg, core.Star) for arg in op.args):
        return None
    args = [run.value(arg, env) for arg in op.args if not isinstance(arg, core.Star)]
    if isinstance(receiver.kind, List):
        return _list_method(run, statement, op, receiver, args, env)
    if isinstance(receiver.kind, Dict):
        return _dict_method(run, statement, op, receiver, args, env)
    return None


def _list_method(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value | None:
    if op.name in READ_ONLY:
        run.facts.calls[id(statement)] = Plain()
        return make(INT)
    if op.name in ("append", "extend") and len(args) == 1:
        return _grow(run, statement, op, receiver, args[0], env)
    if op.name == "copy":
        site = frozenset({run.allocate(statement, env)})
        run.facts.calls[id(statement)] = Intrinsic("converted") if receiver.active else Plain()
        return make(receiver.kind, receiver.active, site | contained(receiver.sites))
    if op.name == "pop" and not args:
        store_into(run, statement, op.value, INERT, env)
        element = transfer.element(receiver.kind)
        run.facts.calls[id(statement)] = Intrinsic("pop") if receiver.active else Plain()
        return make(element, receiver.active, extracted(receiver.sites))
    return _other_method(run, statement, op, receiver, args, env)


def _grow(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, added: Value, env: Environment
) -> Value | None:
    if op.name == "extend" and not isinstance(added.kind, List | Tuple):
        return _other_method(run, statement, op, receiver, [added], env)
    element = added if op.name == "append" else make(transfer.element(added.kind), added.active, extracted(added.sites))
    store_into(run, statement, op.value, element, env)
    assert isinstance(op.value, core.Var)
    active = op.value.name in env and env[op.value.name].active
    run.facts.calls[id(statement)] = Intrinsic(op.name) if active else Plain()
    return make(NOTHING)


def _other_method(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value:
    for value in args or [INERT]:
        store_into(run, statement, op.value, value, env)
    active = receiver.active or any(value.active for value in args)
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    if active:
        run.refuse(
            statement,
            f"'{op.name}' changes a container that holds active values in a way that cannot be reversed yet",
            "build a new container instead",
        )
    return make(UNKNOWN, active, receiver.sites)


def _dict_method(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value | None:
    assert isinstance(receiver.kind, Dict)
    if op.name in READ_ONLY:
        run.facts.calls[id(statement)] = Plain()
        return make(Iterator(TEXT if receiver.kind.items is not None else UNKNOWN))
    if op.name == "get" and 1 <= len(args) <= 2:
        return _get(run, statement, receiver, args)
    if op.name in ("values", "items", "copy"):
        return _dict_view(run, statement, op.name, receiver)
    return _other_method(run, statement, op, receiver, args, env)


def _get(run: Run, statement: core.Assign, receiver: Value, args: list[Value]) -> Value:
    default = args[1] if len(args) == 2 else INERT
    active = receiver.active or default.active
    run.facts.calls[id(statement)] = Intrinsic("dict get") if active else Plain()
    return make(UNKNOWN, active, extracted(receiver.sites) | default.sites)


def _dict_view(run: Run, statement: core.Assign, name: str, receiver: Value) -> Value:
    assert isinstance(receiver.kind, Dict)
    kind: Kind = receiver.kind.element
    if name == "items":
        kind = Tuple((TEXT if receiver.kind.items is not None else UNKNOWN, kind))
    run.facts.calls[id(statement)] = Intrinsic(f"dict {name}") if receiver.active else Plain()
    result = receiver.kind if name == "copy" else Iterator(kind)
    return make(result, receiver.active, receiver.sites)
