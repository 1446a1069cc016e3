"""Exceptions: whether what they bring may have a gradient, and whether somebody looks at it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

import numpy as np

from zygpy.analyse import fields
from zygpy.analyse.facts import KEPT, ByRule, Direct, Dynamic, Facts, Intrinsic, Plain
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, join_environments
from zygpy.ir import core, kinds
from zygpy.ir.access import index_atoms, operands, read
from zygpy.ir.kinds import Kind, Object
from zygpy.runtime import standard_library


def is_looked_at(run: Run, statement: core.Assign) -> bool:
    """Whether an exception is not only raised: something in this function may look into it."""
    for other in run.facts.statements:
        if isinstance(other, core.Attempt):
            return True
        if statement.target in read(other) and not isinstance(other, core.Raise):
            return True
    return False


def may_bring(run: Run, body: core.Block, failure: str) -> bool:
    """Whether an exception from a block may have been made of active values by a function called there, or
    knows one whose values are in variables."""
    if knows_others(run.facts, failure):
        return True
    for statement in core.walk(body):
        if kept_for(statement) == failure:  # of which nothing is read but a text
            continue
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.Call | core.CallMethod):
            values = (run.facts.value(statement, atom) for atom in operands(statement.op))
            entered = not isinstance(run.facts.calls.get(id(statement)), ByRule)
            if entered and any(value.active for value in values):
                return True
    return False


def may_be_active(facts: Facts, body: core.Block, failure: str | None = None) -> bool:
    """Whether an exception from a block, in `failure`, may hold active values: where something is called,
    raised or asked that may have put them there. (What is found by identity may be found by others.)"""
    if facts.way.identity or facts.brings:
        return True
    if any(_finds_handled(facts, statement) for statement in facts.statements):
        return True
    if knows_others(facts, failure):
        return True
    return any(_may_raise_active(facts, one) for one in core.walk(body) if kept_for(one) is None)


def knows_others(facts: Facts, failure: str | None) -> bool:
    """Whether an exception may be, or know, one whose active values are in variables, but for those that the
    handler of `failure` itself takes from there: as these are raised or handled in its block, or it is caught
    where these are handled. None stands for the exceptions that leave the function."""
    given = {kept_for(one) for one in facts.keeping_exceptions if _is_given_active(facts, one)} - {failure}
    if not given or failure is None:
        return bool(given)
    statements = facts.statements
    attempts = [one for one in statements if isinstance(one, core.Attempt) and one.failure == failure]
    inside = [inner for one in attempts for inner in core.walk(one.body)]
    if any(kept_for(one) in given or _handled(one) in given for one in inside):
        return True
    handling = [one for one in statements if isinstance(one, core.Handle) and _handled(one) in given]
    within = [inner for one in handling for inner in core.walk(one.body)]
    return any(isinstance(one, core.Attempt) and one.failure == failure for one in within)


def _handled(statement: core.Statement) -> str | None:
    """The variable of the exception that a statement handles."""
    return getattr(statement.failure, "name", None) if isinstance(statement, core.Handle) else None


def kept_for(statement: core.Statement) -> str | None:
    """The exception in which nothing active is found, as it is in variables, if a statement makes one: called
    by the variable that it is caught in. (One that is raised while it is handled knows it, and so whoever
    catches that.)"""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or op.func != KEPT:
        return None
    return str(getattr(op.args[0], "value", ""))


def _is_given_active(facts: Facts, statement: core.Assign) -> bool:
    """Whether one that makes an exception whose values are in variables makes it of what is active."""
    return any(facts.value(statement, atom).active for atom in operands(statement.op))


def keeps_more_than_data(facts: Facts, body: core.Block, failure: str | None) -> bool:
    """Whether a block whose exceptions are in variables does something with objects, which may raise others,
    or with what is not known."""
    statements = list(core.walk(body))
    if failure is None or failure not in map(kept_for, statements):
        return False
    return any(not _is_of_data(facts, one) for one in statements if isinstance(one, core.Assign))


def _is_of_data(facts: Facts, statement: core.Assign) -> bool:
    if isinstance(statement.op, core.Copy | core.Read):
        return True
    given = list(operands(statement.op))[2:] if kept_for(statement) is not None else operands(statement.op)
    return all(_is_data(facts.value(statement, atom).kind) for atom in given)


def _is_data(kind: Kind) -> bool:
    """Whether values of a kind are numbers, arrays and texts, and Python's containers of these."""
    if isinstance(kind, kinds.Tuple):
        return all(map(_is_data, kind.items))
    if isinstance(kind, kinds.List | kinds.Row):
        return _is_data(kind.element)
    if isinstance(kind, kinds.Known):
        return isinstance(kind.value, type) and kind.value.__module__ in ("builtins", "numpy")
    return kinds.is_numeric(kind) or isinstance(kind, kinds.Text | kinds.Nothing | kinds.Never)


def _finds_handled(facts: Facts, statement: core.Statement) -> bool:
    """Whether exceptions find one that holds active values: the one that is handled when they are raised, or
    whatever a context manager of which nothing is known has to do with."""
    match statement:
        case core.Handle(failure):
            return facts.value(statement, failure).active
        case core.Assign(
            op=core.CallMethod(core.Var(name), "__enter__")
        ):  # which may do anything when it is left
            manager = facts.values.get((id(statement), name))  # None as long as nothing has come there
            return manager is not None and not _is_known_manager(manager.kind)
    return isinstance(statement, core.Assign) and getattr(statement.op, "name", "") == "__context__"


def _is_known_manager(kind: Kind) -> bool:
    """Whether what a context manager does when it is left is known."""
    return isinstance(kind, Object) and (kind.fields is not None or kind.cls is suppress)


def _may_raise_active(facts: Facts, statement: core.Statement) -> bool:
    if any(facts.value(statement, atom).active for atom in _told(statement)):
        return True
    found = facts.calls.get(id(statement))
    match statement:
        case core.Assign(op=core.Copy() | core.Compare("is" | "is not")):
            return False
        case core.Assign() if id(statement) in facts.bringing:
            return True
        case core.Assign(op=core.Call() | core.CallMethod()) if not isinstance(found, ByRule | Intrinsic):
            if isinstance(found, Direct) or id(statement) in facts.entered:
                return False
            active = any(facts.value(statement, atom).active for atom in operands(statement.op))
            return active or not isinstance(found, Plain)
        case core.Raise(None):
            return True
    values = (facts.values.get((id(statement), name)) for name in read(statement))
    return any(value is not None and value.active and _is_thing(value.kind) for value in values)


def _told(statement: core.Statement) -> Iterable[core.Atom]:
    """What an exception of Python's own operations tells beside a text: the key, or whose attribute there
    is none."""
    match statement:
        case core.DelItem(_, index) | core.AugmentItem(_, index) | core.Assign(op=core.GetItem(_, index)):
            return index_atoms(index)
        case core.Assign(op=core.GetAttr(value, name)) if not hasattr(np.ndarray, name):
            return (value,)
        case core.Assign(op=core.CallMethod(value, name)) if name in TELLING or not hasattr(np.ndarray, name):
            return operands(statement.op)
        case core.Assign(op=core.Call(core.Path(names))) if names[-1] in TELLING:
            return operands(statement.op)
    return ()


TELLING = frozenset({"pop", "remove", "move_to_end", "getitem", "delitem", "__getitem__", "__delitem__"})
"""Names of functions and methods whose exceptions hold what they are given."""


def _is_thing(kind: Kind) -> bool:
    """Whether asking a value of this kind may run code that raises what it likes."""
    return isinstance(kind, kinds.Iterator) or fields.may_have_code(kind)


def may_leave_changes(run: Run, body: core.Block) -> bool:
    """Whether a function that is called in a block may change a variable of this one, or what it is given,
    before it fails."""
    calls = [run.facts.calls.get(id(statement)) for statement in core.walk(body)]
    if run.facts.function.cells and any(isinstance(found, Dynamic) for found in calls):
        return True
    summaries = [found.summary for found in calls if isinstance(found, Direct) and not _fails_at_once(found)]
    spoilt = any(active for summary in summaries for _, _, active in summary.raised)
    return spoilt or any(summary.writes for summary in summaries)


FAILING_AT_ONCE = (standard_library.popped, standard_library.popped_largest)
"""Programs that fail because a heap is empty, before they have changed it, where its items compare."""

COMPARING = (
    *(standard_library.pushed, standard_library.pushed_and_popped),
    *(standard_library.heaped, standard_library.heaped_largest),
)
"""Those that do not fail where its items compare."""


def _fails_at_once(found: Direct) -> bool:
    """Whether a call fails before it has changed anything, if it does."""
    if found.function not in FAILING_AT_ONCE + COMPARING:
        return False
    heap, *items = (value.kind for value in found.values)
    return isinstance(heap, kinds.List) and all(map(_surely_compares, (heap.element, *items)))


def _surely_compares(kind: Kind) -> bool:
    """Whether values of a kind compare with each other by `<`: real numbers, texts, and tuples of these."""
    if isinstance(kind, kinds.Tuple):
        return all(map(_surely_compares, kind.items))
    if isinstance(kind, kinds.Number):
        return "complex" not in kind.types
    return isinstance(kind, kinds.RealScalar | kinds.Never) or kind == kinds.TEXT


def behind_failures(run: Run, body: core.Block, env: Environment) -> Environment:
    """What is known behind a block, with what functions that are called in it may have changed when they
    fail."""
    for statement in core.walk(body):
        failed = run.facts.failed.get(id(statement))
        if failed is not None:
            env = join_environments(env, {name: value for name, value in failed.items() if name in env})
    return env


def looked_into(function: core.Function) -> frozenset[str]:
    """The variables of exceptions from blocks, of which a program reads an attribute or which it hands on."""
    statements = list(core.walk(function.body))
    held = _held(function, statements)
    used = {name for statement in statements for name in _used(statement)}
    return frozenset().union(*(held[name] for name in used if name in held))


def _used(statement: core.Statement) -> Collection[str]:
    """The variables that a statement does something with but ask what is in them, or raise it."""
    match statement:
        case core.Assign(op=core.Copy() | core.Compare() | core.Truth()):
            return ()
        case core.Assign(op=core.Call(func)) if _asks_only(func):
            return ()
        case core.Raise() | core.If() | core.Loop() | core.With() | core.Attempt() | core.Handle():
            return ()
    return read(statement)


def _held(function: core.Function, statements: list[core.Statement]) -> dict[str, set[str]]:
    """By variable the blocks, called by their variables, that an exception in it may be from."""
    failures = {statement.failure for statement in statements if isinstance(statement, core.Attempt)}
    held = {failure: {failure} for failure in failures if failure is not None}
    passed = list(_raised_again(function.body))
    passed += [
        (statement.target, getattr(statement.op.value, "name", ""))
        for statement in statements
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.Copy)
    ]
    count = -1
    while count != (count := sum(map(len, held.values()))):
        for target, source in passed:
            if source in held:
                held.setdefault(target, set()).update(held[source])
    return held


def _raised_again(
    block: core.Block, handled: str | None = None, failure: str | None = None
) -> Iterator[tuple[str, str]]:
    """The variables in which exceptions are caught that were raised again, and those they were in before."""
    for statement in block:
        if isinstance(statement, core.Raise) and failure is not None:
            again = handled if statement.exception is None else getattr(statement.exception, "name", None)
            if again is not None:
                yield failure, again
        inside = getattr(statement.failure, "name", None) if isinstance(statement, core.Handle) else handled
        around = (isinstance(statement, core.Attempt) and statement.failure) or failure
        for inner in core.blocks(statement):
            yield from _raised_again(inner, inside, around)


def _asks_only(func: core.Path | core.Var) -> bool:
    """Whether a callee only asks for the type of an exception, or for its text."""
    return isinstance(func, core.Path) and func.names[-1] in ASKING


ASKING = frozenset({"is_caught", "isinstance", "print", "repr", "str", "traceback_of", "type"})
