"""Whether what gives items one by one is walked over at once, and by whom: then it may be a list."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Iterable, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.analyse.changed_meanwhile import bindings, may_change, may_run_code
from zygpy.analyse.replaced import CALLING, REARRANGING, WHOLE, acts_when_called, is_lazy, may_act
from zygpy.analyse.run import Run
from zygpy.analyse.sites import reachable, sites_of
from zygpy.analyse.values import Environment, Value
from zygpy.ir import core
from zygpy.ir.access import assigned, atoms, captured, iterable_atoms, read
from zygpy.ir.kinds import Closure, Known, LocalFunction, Object, Unknown
from zygpy.ir.nodes import gast, local_names
from zygpy.rules import declare
from zygpy.runtime.lookup import is_among, looked_up

SILENT = (core.Copy, core.Read, core.Display, core.MakeFunction)


def only_reader(run: Run, name: str) -> core.Statement | None:
    """The one statement that reads a variable that is bound once, and reads it once."""
    found = [
        other
        for other in core.walk(run.facts.function.body)
        for atom in atoms(other)
        if atom == core.Var(name)
    ]
    return found[0] if len(found) == 1 and bindings(run.facts.function, name) == 1 else None


def is_only_looked_at(run: Run, statement: core.Assign) -> bool:
    """Whether the one who reads what a statement makes is a function without a gradient (`any`)."""
    reader = only_reader(run, statement.target)
    if not isinstance(reader, core.Assign) or not isinstance(reader.op, core.Call):
        return False
    func = reader.op.func
    rule = declare.find(run.resolve(func).value) if isinstance(func, core.Path) else None
    return rule is not None and rule.style == "none" and not rule.writes


def is_consumed_at_once(
    run: Run, statement: core.Assign, callee: Any, env: Environment, walked: Sequence[Value] = ()
) -> bool:
    """Whether nobody can tell the iterator that a statement makes from a list of its items; `walked` is what
    iterators among its arguments walk over."""
    name = statement.target
    reader = only_reader(run, name)
    if reader is None or may_run_code(run, statement) or _sees_who_takes(run, statement, reader, callee, env):
        return False
    if callee not in TAKING_ALL:
        walked = [*walked, *(run.value(core.Var(name), env) for name in read(statement))]
    following = _following(run.facts.function.body, statement)
    made = _made_before(run, following, reader)
    if isinstance(reader, core.For) and may_change(run, reader, walked, env, made):
        return False
    if callee is itertools.groupby and not _takes_groups(run, statement, reader, env):
        return False
    for other in following:
        if other is reader:
            calls = looked_up(CALLING, callee) is not None
            return _consumes(run, other, name, calls=calls) and _is_consumed_in_turn(run, other, env, walked)
        if not (isinstance(other, core.Assign) and isinstance(other.op, SILENT)):
            return False
    return False


def _sees_who_takes(
    run: Run, statement: core.Assign, reader: core.Statement, callee: Any, env: Environment
) -> bool:
    """Whether a function that is called for the items may see the list that they are appended to, one by one,
    by `extend`."""
    owner = _extended(run, reader)
    if owner is None or looked_up(CALLING, callee) is None:
        return False
    values = [run.value(core.Var(name), env) for name in read(statement)]
    if not all(_is_blind(run, value) for value in values):
        return True
    own = env[owner].sites if owner in env else sites_of()
    return any(not reachable(value.sites).isdisjoint(reachable(own)) for value in values)


def _extended(run: Run, reader: core.Statement) -> str | None:
    """The variable with what an iterator is taken by in the end, if that is `extend`."""
    op = reader.op if isinstance(reader, core.Assign) else None
    if isinstance(op, core.CallMethod) and op.name == "extend" and isinstance(op.value, core.Var):
        return op.value.name
    if not isinstance(reader, core.Assign) or not isinstance(op, core.Call):
        return None
    lazy = isinstance(op.func, core.Path) and is_lazy(run.resolve(op.func).value)
    further = only_reader(run, reader.target) if lazy else None
    return None if further is None else _extended(run, further)


def _is_blind(run: Run, value: Value) -> bool:
    """Whether a value is no function, or one that knows nothing but its arguments, builtins and modules."""
    if value.made is not None:
        node = value.made.node
        named = {one.id for one in ast.walk(node) if isinstance(one, gast.Name)} - local_names(node)
        found = [run.resolve(core.Path((name,))) for name in named]
        known = all(isinstance(one.value, (*KNOWING_NOTHING, type)) for one in found if one.depth)
        return known and not value.made.captured
    kind = value.kind
    function = kind.function if isinstance(kind, LocalFunction) else getattr(kind, "value", None)
    if isinstance(kind, LocalFunction | Known) and isinstance(function, FunctionType):
        others = [function.__globals__.get(name) for name in function.__code__.co_names]
        return not function.__closure__ and all(isinstance(one, KNOWING_NOTHING) for one in others)
    return isinstance(kind, Known) or not isinstance(kind, Closure | Object | Unknown | LocalFunction)


KNOWING_NOTHING = (type(None), ModuleType, BuiltinFunctionType, np.ufunc)


def _made_before(run: Run, following: Iterable[core.Statement], reader: core.Statement) -> set[str]:
    """The variables that are bound to new containers before an iterator is read, and nowhere else: nothing
    that was there when the iterator was made is changed by changing these."""
    made = set()
    for other in itertools.takewhile(lambda other: other is not reader, following):
        if isinstance(other, core.Assign) and isinstance(other.op, core.Display | core.DictDisplay):
            made.add(other.target)
    return {name for name in made if bindings(run.facts.function, name) == 1}


def _is_consumed_in_turn(run: Run, reader: core.Statement, env: Environment, walked: Sequence[Value]) -> bool:
    """The same of the one who reads it, where that is lazy too."""
    op = reader.op if isinstance(reader, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
        return True
    callee = run.resolve(op.func).value
    assert isinstance(reader, core.Assign)
    return not is_lazy(callee) or is_consumed_at_once(run, reader, callee, env, walked)


def _takes_groups(run: Run, statement: core.Assign, reader: core.Statement, env: Environment) -> bool:
    """Whether nobody can tell the groups that a loop walks over from lists: each is taken at once, in its own
    round, and nothing is done to find them but what cannot be noticed."""
    if not isinstance(reader, core.For) or not isinstance(reader.target, tuple) or len(reader.target) != 2:
        return False
    call, group = statement.op, reader.target[1]
    if not isinstance(call, core.Call) or not isinstance(group, str):
        return False
    keys = [*call.args[1:], *[keyword.value for keyword in call.keywords]]
    quiet = all(not isinstance(key, core.Star) and _is_quiet(run.value(key, env)) for key in keys)
    return quiet and _is_taken_in_round(run, reader, group)


def _is_taken_in_round(run: Run, loop: core.For, name: str) -> bool:
    """Whether all that is done with what a loop binds a variable to is to take its items, once in a round."""
    statements = list(core.walk(run.facts.function.body))
    if [one for one in statements if name in assigned(one)] != [loop]:
        return False
    readers = [one for one in statements if name in (*read(one), *captured(one))]
    once = _in_round(loop.body)
    whole = all(any(one is other for other in once) and _consumes_whole(run, one, name) for one in readers)
    return whole and len(readers) < 2


def _consumes_whole(run: Run, reader: core.Statement, name: str) -> bool:
    """Whether a statement takes all items of a group, and is not lazy."""
    op = reader.op if isinstance(reader, core.Assign) else None
    path = op.func if isinstance(op, core.Call) else None
    callee = run.resolve(path).value if isinstance(path, core.Path) else None
    return _consumes(run, reader, name, calls=False) and not is_lazy(callee)


def _in_round(block: core.Block) -> list[core.Statement]:
    """The statements that are run once in a round of a loop, at most."""
    found: list[core.Statement] = []
    for statement in block:
        found.append(statement)
        if isinstance(statement, core.If):
            found += _in_round(statement.then) + _in_round(statement.orelse)
    return found


QUIET = frozenset({"abs", "bool", "float", "int", "len", "round", "str"})
"""Functions whose calls nobody notices."""


def _is_quiet(value: Value) -> bool:
    """Whether a key does nothing that can be noticed, be it called earlier, or for more items."""
    kind = value.kind
    if isinstance(kind, LocalFunction) and not kind.captured and isinstance(kind.function, FunctionType):
        return QUIET.issuperset(kind.function.__code__.co_names) or not acts_when_called(kind.function)
    if value.made is None:
        picks = isinstance(kind, Object) and kind.cls is operator.itemgetter
        return picks or not may_act(value)
    calls = [node for node in ast.walk(value.made.node) if isinstance(node, gast.Call | gast.NamedExpr)]
    named = {getattr(getattr(one, "func", None), "id", "") for one in calls}
    return not value.made.captured and named <= QUIET


TAKING_ALL = (itertools.product, itertools.combinations, itertools.repeat)
"""Lazy builtins that take all that they are given when they are called."""


def _following(block: core.Block, statement: core.Statement) -> tuple[core.Statement, ...]:
    """What comes behind a statement in its own block."""
    for index, other in enumerate(block):
        if other is statement:
            return block[index + 1 :]
        for inner in core.blocks(other):
            found = _following(inner, statement)
            if found:
                return found
    return ()


def _consumes(run: Run, reader: core.Statement, name: str, *, calls: bool) -> bool:
    if isinstance(reader, core.Unpack):
        return True
    if isinstance(reader, core.For):
        return not calls and core.Var(name) in tuple(iterable_atoms(reader.iterable))
    if not isinstance(reader, core.Assign):
        return False
    op = reader.op
    if isinstance(op, core.Display | core.Call) and core.Star(core.Var(name)) in _arguments(op):
        return True
    if isinstance(op, core.CallMethod):
        return op.name == "extend" and op.args == (core.Var(name),)
    return isinstance(op, core.Call) and _takes_all(run, op, name, calls=calls)


def _takes_all(run: Run, op: core.Call, name: str, *, calls: bool) -> bool:
    """Whether a call takes all items, and does nothing of its own while functions are called."""
    if not isinstance(op.func, core.Path):
        return False
    found = run.resolve(op.func)
    if found.depth < len(op.func.names):
        return False
    if calls:
        keyed = any(keyword.name == "key" and found.value is not sorted for keyword in op.keywords)
        return not keyed and is_among(found.value, WHOLE) and core.Var(name) in op.args[:1]
    lazy = is_among(found.value, REARRANGING) or is_among(found.value, CALLING)
    return (lazy or is_among(found.value, WHOLE)) and core.Var(name) in op.args


def _arguments(op: core.Display | core.Call) -> tuple[core.Atom | core.Star, ...]:
    return op.items if isinstance(op, core.Display) else op.args
