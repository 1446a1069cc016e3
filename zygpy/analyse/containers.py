"""Calls and methods of Python's own containers, whose kinds and storage are known here."""

from __future__ import annotations

import functools
from collections import namedtuple
from types import FunctionType
from typing import Any

from zygpy.analyse import transfer
from zygpy.analyse.binding import CannotBind, bind_function
from zygpy.analyse.effects import NO_CONTENT, store_into
from zygpy.analyse.facts import Dynamic, Intrinsic, Plain
from zygpy.analyse.opaque import dynamic_call
from zygpy.analyse.run import Run
from zygpy.analyse.sites import all_of, contained, everything, extracted, sites_of
from zygpy.analyse.values import Environment, Value, join_values, make
from zygpy.ir import core
from zygpy.ir.access import index_atoms, operands
from zygpy.ir.classes import is_record_class, makes_generators
from zygpy.ir.kinds import (
    BOOL,
    CLOSURE,
    INT,
    NEVER,
    NONE,
    NOTHING,
    TEXT,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    LocalFunction,
    Object,
    Row,
    Text,
    Tuple,
    Unknown,
    carrying,
    exact,
    is_list_of_numbers,
    join,
    keys_of,
    may_be_anything,
    row_of,
)
from zygpy.runtime.lookup import in_class
from zygpy.runtime.native import SETS
from zygpy.runtime.partials import position

Call = tuple[tuple[core.Atom | core.Star, ...], tuple[core.Keyword, ...]]

SET_MUTATORS = frozenset(
    {
        *("discard", "difference_update", "intersection_update", "symmetric_difference_update"),
        "add",
    }
)
"""Methods that change a set alone; one that is called `add` is given one argument."""


def may_change_a_set(name: str, count: int) -> bool:
    """Whether a method of this name, given so many arguments, may be one that changes a set.

    >>> may_change_a_set("add", 1), may_change_a_set("add", 2), may_change_a_set("union", 1)
    (True, False, False)
    """
    return name in SET_MUTATORS and (name != "add" or count == 1)


READING = frozenset(
    {"get", "keys", "values", "items", "index", "count", "copy", "format", "join", "split", "strip", "lower"}
)
"""Methods of builtin types that change nothing."""

READ_ONLY = frozenset({"index", "count", "keys", "__len__", "__contains__"})
"""Methods of lists and dicts through which no gradient goes and which write nothing."""


def call_value(
    run: Run, statement: core.Assign, callee: object, call: Call, env: Environment
) -> Value | None:
    """The value of a call that makes a container from another one, else None."""
    args, keywords = call
    if callee is functools.partial:
        return _partial(run, statement, call, env)
    if isinstance(callee, type) and is_record(callee):
        return _record(run, statement, callee, call, env)
    if callee in SETS:
        return _set(run, statement, callee, call, env)
    if callee in (list, dict) and not args and not keywords:
        return _empty(run, statement, callee)
    if callee in (list, tuple) and not keywords and len(args) == 1 and not isinstance(args[0], core.Star):
        return _converted_value(run, statement, callee, args[0], env)
    return None


def _converted_value(
    run: Run, statement: core.Assign, callee: object, atom: core.Atom, env: Environment
) -> Value | None:
    """The value of `list(x)` and `tuple(x)`."""
    value = run.value(atom, env)
    if isinstance(value.kind, Dict):
        return _keys(run, statement, callee, value, env)
    if callee is list and may_be_anything(value.kind):
        return _listed(run, statement, value, env)
    if run.facts.way.identity and value.active and is_list_of_numbers(value.kind):
        return None  # a program makes it
    walked = isinstance(value.kind, Iterator) and not value.active
    if not walked and not isinstance(value.kind, List | Tuple | Row | Array):
        return None
    plain = isinstance(value.kind, Row) or (isinstance(value.kind, Tuple) and value.kind.cls is None)
    if callee is tuple and plain:
        run.facts.calls[id(statement)] = Intrinsic("copy", (atom,))  # which it is itself
        return value
    site = sites_of(run.allocate(statement, env, container=True))
    result = make(_converted(callee, value.kind), value.active, site | transfer.contents(value))
    run.facts.calls[id(statement)] = Plain()
    if result.active:
        run.facts.calls[id(statement)] = Intrinsic("converted", (atom,))
    return result


def _empty(run: Run, statement: core.Assign, callee: object) -> Value:
    """`list()` and `dict()`, which are `[]` and `{}`."""
    site = sites_of(run.allocate(statement, container=True))
    run.facts.calls[id(statement)] = Plain()
    return make(List(NEVER) if callee is list else Dict((), NEVER), False, site)


def _set(run: Run, statement: core.Assign, callee: Any, call: Call, env: Environment) -> Value:
    """`set(x)` and `frozenset(x)`: a new set, whatever is in it."""
    args, keywords = call
    atoms = [*(arg.value if isinstance(arg, core.Star) else arg for arg in args)]
    values = [run.value(atom, env) for atom in (*atoms, *(keyword.value for keyword in keywords))]
    active = any(value.active for value in values)
    if active:
        run.by_identity()
    if active or run.facts.way.everywhere:
        dynamic_call(run, statement, values, env)
    else:
        run.facts.calls[id(statement)] = Plain()
    site = sites_of(run.allocate(statement, env, container=True))
    held = all_of(contained(everything(value.sites)) for value in values)
    return make(Object(callee), active, site | held)


def _keys(run: Run, statement: core.Assign, callee: object, value: Value, env: Environment) -> Value | None:
    """The keys of a dict, which have no gradient; where some may have had one that is asked when the
    program runs."""
    if run.facts.way.identity and value.active:
        return None
    run.facts.calls[id(statement)] = Plain()
    site = sites_of(run.allocate(statement, env, container=True))
    return make(List(transfer.element(value.kind)) if callee is list else UNKNOWN, False, site)


def _listed(run: Run, statement: core.Assign, value: Value, env: Environment) -> Value:
    """`list(x)` of anything: a new list, whatever is in it."""
    site = sites_of(run.allocate(statement, env, container=True))
    run.facts.calls[id(statement)] = Dynamic() if value.active else Plain()
    return make(List(UNKNOWN), value.active, site | contained(everything(value.sites)))


def _partial(run: Run, statement: core.Assign, call: Call, env: Environment) -> Value | None:
    """The value of `functools.partial(f, x, y=y)`."""
    args, keywords = call
    plain = [atom for atom in args if not isinstance(atom, core.Star)]
    if not args or len(plain) != len(args) or any(keyword.name is None for keyword in keywords):
        return None
    atoms = (*plain, *(keyword.value for keyword in keywords))
    values = [run.value(atom, env) for atom in atoms]
    sites = sites_of(run.allocate(statement, env)).union(*(everything(value.sites) for value in values))
    active = any(value.active for value in values)
    run.facts.calls[id(statement)] = Intrinsic("partial", atoms) if active else Plain()
    return make(_kind_of_partial(values, len(args) - 1, keywords), active, sites)


def _kind_of_partial(values: list[Value], count: int, keywords: tuple[core.Keyword, ...]) -> Closure:
    """The kind of a partial call with so many positional arguments: what it calls may be known."""
    function = values[0].kind
    called = function.value if isinstance(function, Known) else None
    if isinstance(function, LocalFunction) and not function.captured:
        called = function.function
    if not isinstance(called, FunctionType) or makes_generators(called):
        return CLOSURE
    names = [*map(position, range(count)), *(str(keyword.name) for keyword in keywords)]
    captured = zip(names, (value.kind for value in values[1:]), strict=True)
    return carrying(called, tuple(captured), partial=True)


def is_record(cls: type) -> bool:
    """Whether a class is a namedtuple whose instances are made as `collections.namedtuple` says."""
    if not issubclass(cls, tuple) or not hasattr(cls, "_field_defaults") or not is_record_class(cls):
        return False
    module = getattr(getattr(cls.__new__, "__globals__", None), "get", lambda name: "")("__name__")
    return str(module).startswith("namedtuple_") and cls.__init__ is object.__init__


def _record(run: Run, statement: core.Assign, cls: Any, call: Call, env: Environment) -> Value | None:
    """The value of `Point(x, y=y)`."""
    try:
        bound = bind_function(core.Params(positional=cls._fields), cls._field_defaults, *call)
    except CannotBind:
        return None
    atoms = tuple(atom for _, atom in bound if isinstance(atom, core.Var | core.Const))
    values = [run.value(atom, env) for atom in atoms]
    site = sites_of(run.allocate(statement, env, container=True))
    sites = site.union(*(contained(value.sites) for value in values))
    kind = Tuple(tuple(value.kind for value in values), cls)
    result = make(kind, any(value.active for value in values), sites)
    run.facts.calls[id(statement)] = Intrinsic("record", atoms) if result.active else Plain()
    return result


def _replace(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, kind: Tuple, env: Environment
) -> Value | None:
    """The value of `point._replace(x=x)`: an atom for every field, the receiver itself where it stays."""
    names: tuple[str, ...] = getattr(kind.cls, "_fields", ())
    given = {keyword.name: keyword.value for keyword in op.keywords}
    if op.args or not isinstance(kind.cls, type) or not is_record(kind.cls) or not given.keys() <= set(names):
        return None
    if getattr(in_class(kind.cls, "_replace"), "__code__", None) is not REPLACING:
        return None  # which is a method of the class's own
    atoms = tuple(given.get(name, op.value) for name in names)
    values = [run.value(atom, env) for atom in given.values()]
    kinds = dict(zip(names, kind.items, strict=True)) | {
        str(name): run.value(atom, env).kind for name, atom in given.items()
    }
    run.facts.calls[id(statement)] = Intrinsic("replaced fields", atoms)
    sites = receiver.sites.union(*(contained(value.sites) for value in values))
    return make(Tuple(tuple(kinds.values()), kind.cls), True, sites)


_Example = namedtuple("_Example", ())

REPLACING = _Example._replace.__code__
"""The code by which named tuples are made with other fields."""


def _converted(callee: object, kind: Kind) -> Kind:
    if callee is list:
        return List(transfer.element(kind))
    return Tuple(kind.items) if isinstance(kind, Tuple) else row_of(transfer.element(kind))


def _may_take_turns(run: Run, op: core.CallMethod, env: Environment) -> bool:
    """Whether a method is `str.join` of what may be a generator, which is asked for its items."""
    atoms = [arg for arg in op.args if not isinstance(arg, core.Star)] if op.name == "join" else []
    return run.facts.way.identity and any(isinstance(run.value(a, env).kind, Unknown | Object) for a in atoms)


def method_value(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, env: Environment
) -> Value | None:
    """The value of a method of a list, dict or string, else None."""
    if isinstance(receiver.kind, Text):
        if _may_take_turns(run, op, env):
            return None
        return _of_text(run, statement, receiver, op.name, env)
    if isinstance(receiver.kind, Tuple) and op.name == "_replace" and receiver.active:
        return _replace(run, statement, op, receiver, receiver.kind, env)
    if op.keywords or any(isinstance(arg, core.Star) for arg in op.args):
        return _spread_method(run, statement, op, receiver, env)
    args = [run.value(arg, env) for arg in op.args if not isinstance(arg, core.Star)]
    if isinstance(receiver.kind, List):
        return _list_method(run, statement, op, receiver, args, env)
    if isinstance(receiver.kind, Dict):
        return _dict_method(run, statement, op, receiver, args, env)
    if isinstance(receiver.kind, Tuple) and _is_asked(receiver.kind, op.name):
        run.facts.calls[id(statement)] = Plain()
        return make(INT)
    return None


def _is_asked(kind: Tuple, name: str) -> bool:
    """Whether a method of a tuple is one of Python's through which no gradient goes. (A named tuple may have
    a field of that name.)"""
    asked = name in READ_ONLY and hasattr(tuple, name)
    return asked and getattr(kind.cls or tuple, name) is getattr(tuple, name)


def _of_text(run: Run, statement: core.Assign, receiver: Value, name: str, env: Environment) -> Value:
    """What a method of a text gives: a text, or a list in which something may be stored later."""
    run.facts.calls[id(statement)] = Plain()
    if name in GIVING_TEXT:
        return make(receiver.kind)
    return make(UNKNOWN, False, sites_of(run.allocate(statement, env, container=True)))


GIVING_TEXT = frozenset({"format", "join", "strip", "lower", "upper"})
"""Methods of texts that give a text. (So do others, of which nothing has to be known.)"""


def _spread_method(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, env: Environment
) -> Value | None:
    """A method called with unpacked or keyword arguments."""
    if not isinstance(receiver.kind, List | Dict):
        return None
    return _other_method(run, statement, op, receiver, [run.value(atom, env) for atom in operands(op)], env)


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
    if op.name == "copy" and not args:
        site = sites_of(run.allocate(statement, env))
        run.facts.calls[id(statement)] = Intrinsic("converted") if receiver.active else Plain()
        return make(receiver.kind, receiver.active, site | transfer.contents(receiver))
    if op.name == "pop" and len(args) <= 1:
        element = make(transfer.element(receiver.kind), receiver.active, extracted(receiver.sites))
        return _mutate(run, statement, op, NO_CONTENT, element, env)
    if op.name == "insert" and len(args) == 2:
        return _mutate(run, statement, op, args[1], make(NOTHING), env)
    if (op.name, len(args)) in (("remove", 1), ("clear", 0), ("reverse", 0)):
        return _mutate(run, statement, op, NO_CONTENT, make(NOTHING), env)
    return _other_method(run, statement, op, receiver, args, env)


def _mutate(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    stored: Value,
    result: Value,
    env: Environment,
    name: str = "",
    keys: Kind = UNKNOWN,
) -> Value:
    """A method that changes its receiver; the transformation knows it by its name. `keys` are those under
    which a dict is given something."""
    store_into(run, statement, op.value, stored, env, keys=keys)
    active = isinstance(op.value, core.Var) and op.value.name in env and env[op.value.name].active
    run.facts.calls[id(statement)] = Intrinsic(name or op.name) if active else Plain()
    return result


def _grow(
    run: Run, statement: core.Assign, op: core.CallMethod, receiver: Value, added: Value, env: Environment
) -> Value | None:
    if op.name == "extend" and not isinstance(added.kind, List | Tuple):
        return _other_method(run, statement, op, receiver, [added], env)
    element = added if op.name == "append" else element_of(added)
    store_into(run, statement, op.value, element, env)
    assert isinstance(op.value, core.Var)
    active = op.value.name in env and env[op.value.name].active
    run.facts.calls[id(statement)] = Intrinsic(op.name) if active else Plain()
    return make(NOTHING)


def element_of(value: Value) -> Value:
    """One element of an iterable value."""
    return make(transfer.element(value.kind), value.active, extracted(value.sites))


def _other_method(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value:
    for value in args or [NO_CONTENT]:
        store_into(run, statement, op.value, value, env)
    if receiver.active or any(value.active for value in args):
        run.by_identity()
        return dynamic_call(run, statement, [receiver, *args], env)
    run.facts.calls[id(statement)] = Plain()
    return make(UNKNOWN, False, receiver.sites)


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
        keys = Iterator(transfer.element(receiver.kind))
        if op.name != "keys" or not receiver.active or not run.facts.way.identity:
            return make(keys)
        run.found_when_run(statement)
        return make(keys, True, receiver.sites)
    if op.name == "get" and 1 <= len(args) <= 2:
        return _get(run, statement, op.args[0], receiver, args)
    if op.name in ("values", "items") and not args:
        return _dict_view(run, statement, op.name, receiver)
    if op.name == "copy" and not args:
        site = sites_of(run.allocate(statement, env))
        run.facts.calls[id(statement)] = Intrinsic("dict copy") if receiver.active else Plain()
        return make(receiver.kind, receiver.active, site | transfer.contents(receiver))
    return _dict_write(run, statement, op, receiver, args, env)


def _dict_write(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value:
    if op.name in ("pop", "setdefault") and 1 <= len(args) <= 2:
        return _taken(run, statement, op, receiver, args, env)
    if op.name == "update" and len(args) == 1 and isinstance(args[0].kind, Dict):
        added = make(args[0].kind.element, args[0].active, extracted(args[0].sites))
        keys = keys_of(args[0].kind)
        return _mutate(run, statement, op, added, make(NOTHING), env, "dict update", keys=keys)
    if op.name == "clear" and not args:
        return _mutate(run, statement, op, NO_CONTENT, make(NOTHING), env)
    return _other_method(run, statement, op, receiver, args, env)


def _taken(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    receiver: Value,
    args: list[Value],
    env: Environment,
) -> Value:
    """`d.pop(k)`, `d.pop(k, default)` and `d.setdefault(k, default)`."""
    assert isinstance(receiver.kind, Dict)
    kept = op.name == "setdefault"
    default = args[1] if len(args) == 2 else make(NOTHING) if kept else NO_CONTENT
    if kept and note_key(run, receiver, args[0]):
        default = make(UNKNOWN, True, default.sites)
    if default.active and not (kept or receiver.active):
        return _other_method(run, statement, op, receiver, args, env)
    kind = join_values(make(receiver.kind.element), make(default.kind)).kind
    result = make(kind, receiver.active or default.active, extracted(receiver.sites) | default.sites)
    keys = exact(args[0].kind)
    return _mutate(run, statement, op, default if kept else NO_CONTENT, result, env, keys=keys)


def note_key(run: Run, holder: Value, key: Value) -> bool:
    """Note, and tell, that a number which may have a gradient becomes a key: where the key is read as a
    number, that is refused."""
    found = key.active and may_have_a_point(key.kind) and _may_be_a_dict(holder.kind)
    if found:
        run.by_identity()
    return found


def _may_be_a_dict(kind: Kind) -> bool:
    if isinstance(kind, Object):
        return issubclass(kind.cls, dict)
    return isinstance(kind, Dict | Unknown)


def note_missing_key(run: Run, statement: core.Assign, op: core.GetItem, env: Environment) -> None:
    """Reading an item of a dict that fills itself may make an entry under that key."""
    holder = run.value(op.value, env)
    if not isinstance(op.value, core.Var) or not isinstance(holder.kind, Object):
        return
    cls = holder.kind.cls
    if issubclass(cls, dict) and in_class(cls, "__missing__") is not None:
        keys = [run.value(atom, env) for atom in index_atoms(op.index)]
        if any(note_key(run, holder, key) for key in keys):
            store_into(run, statement, op.value, make(UNKNOWN, True), env)


def may_have_a_point(kind: Kind) -> bool:
    """Whether a key or an index may be a number with a point, or hold one."""
    if isinstance(kind, Tuple):
        return any(may_have_a_point(item) for item in kind.items)
    return kind not in (INT, BOOL, TEXT)


def _get(
    run: Run, statement: core.Assign, key: core.Atom | core.Star, receiver: Value, args: list[Value]
) -> Value:
    """`d.get(k)` and `d.get(k, default)`."""
    assert not isinstance(key, core.Star)
    default = args[1] if len(args) == 2 else make(NONE)
    active = receiver.active or default.active
    run.facts.calls[id(statement)] = Intrinsic("dict get") if active else Plain()
    kind = receiver.kind
    assert isinstance(kind, Dict)
    known: dict[Any, Kind] = dict(kind.items or ())
    found = known.get(key.value, kind.element) if isinstance(key, core.Const) else kind.element
    return make(join(found, default.kind), active, extracted(receiver.sites) | default.sites)


def _dict_view(run: Run, statement: core.Assign, name: str, receiver: Value) -> Value:
    assert isinstance(receiver.kind, Dict)
    kind: Kind = receiver.kind.element
    if name == "items":
        kind = Tuple((transfer.element(receiver.kind), kind))
    run.facts.calls[id(statement)] = Intrinsic(f"dict {name}") if receiver.active else Plain()
    return make(Iterator(kind), receiver.active, receiver.sites)
