"""Whether what is walked over may change before its items have been taken."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import BuiltinFunctionType
from typing import Any

from zygpy.analyse.run import Run
from zygpy.analyse.sites import OUTSIDE, all_of, everything
from zygpy.analyse.values import Environment, Value
from zygpy.ir import core
from zygpy.ir.access import assigned, operands, read, target_names
from zygpy.ir.kinds import (
    Dict,
    Kind,
    List,
    Row,
    Text,
    Tuple,
    is_numeric,
    may_be_object,
)
from zygpy.rules import declare


def may_change(
    run: Run, loop: core.For, values: Sequence[Value], env: Environment, made: Collection[str] = ()
) -> bool:
    """Whether the body of a loop may change what is walked over, as far as names tell; `made` are variables
    that hold containers made after that."""
    sites = everything(all_of(value.sites for value in values))
    bound = _bound_in(loop)
    fresh = {name for name in bound if _is_new(loop.body, name)}
    if all(_holds_numbers(value.kind) for value in values):
        fresh |= set(target_names(loop.target)) - bound

    def may_be_there(name: str) -> bool:
        known = name in env and (name not in bound)
        return not known or not everything(run.value(core.Var(name), env).sites).isdisjoint(sites)

    if OUTSIDE in sites and any(_calls_somebody(run, other) for other in core.walk(loop.body)):
        return True
    lists = {name for name in bound if _is_new(loop.body, name, (core.Display, core.DictDisplay))}
    lists |= set(made)
    fresh |= set(made)
    changed = {name for other in core.walk(loop.body) for name in _changed_by(run, other, env, lists)}
    augmented = {name for other in core.walk(loop.body) for name in _augmented_inside(run, other, loop, env)}
    if augmented:
        changed, fresh = changed | augmented, fresh - augmented
    return any(may_be_there(name) for name in changed - fresh)


def _augmented_inside(
    run: Run, statement: core.Statement, loop: core.For, env: Environment
) -> tuple[str, ...]:
    """The variable by which an augmented assignment in a loop may change a thing that is not new there:
    `c = a; c += v`, or `c[0] += v`, where what is in `c` is changed."""
    target = getattr(statement, "target", None)
    match statement:
        case core.AugmentItem() | core.AugmentAttr() if isinstance(target, core.Var):
            inside = target.name not in env or target.name in _bound_in(loop)
            return (target.name,) if inside and not _holds_new_numbers(run, target.name) else ()
        case core.AugmentName(target=bound):
            others = [one for one in _binding(loop.body, bound) if not isinstance(one, core.AugmentName)]
            return () if all(map(_binds_what_is_new, others)) else (bound,)
        case _:
            return ()


def _bound_in(loop: core.For) -> set[str]:
    return {name for other in core.walk(loop.body) for name in assigned(other)}


def _binds_what_is_new(statement: core.Statement) -> bool:
    """Whether a statement binds a variable to what it makes, or to a constant."""
    op = getattr(statement, "op", None)
    return isinstance(op, MAKING) or (isinstance(op, core.Copy) and isinstance(op.value, core.Const))


def _holds_new_numbers(run: Run, name: str) -> bool:
    """Whether all that a variable is ever bound to are displays of constants, perhaps repeated, in which
    nothing is stored but constants, and what augmented assignments make of these."""
    block = run.facts.function.body
    binding = _binding(block, name)
    stores = [one for one in core.walk(block) if _stored_to(one) == core.Var(name)]
    return bool(binding) and all(_is_of_constants(block, one) for one in binding) and not stores


def _stored_to(statement: core.Statement) -> Any:
    """What a statement stores something in that is no constant, by an index or a method."""
    match statement:
        case core.SetItem(target=target, value=value) if not isinstance(value, core.Const):
            return target
        case core.Assign(op=core.CallMethod(value)):
            return value
        case _:
            return None


def _is_of_constants(block: core.Block, statement: core.Statement) -> bool:
    """Whether a statement makes a list or tuple of constants, or repeats one that another has made."""
    op = getattr(statement, "op", None)
    if isinstance(op, core.Binary) and op.op == "*" and isinstance(op.left, core.Var):
        binding = _binding(block, op.left.name)
        return len(binding) == 1 and binding[0] is not statement and _is_of_constants(block, binding[0])
    return isinstance(op, core.Display) and all(isinstance(item, core.Const) for item in op.items)


def _binding(block: core.Block, name: str) -> list[core.Statement]:
    return [other for other in core.walk(block) if name in assigned(other)]


MAKING = (core.Binary, core.Unary, core.Display, core.DictDisplay, core.Compare)


def _is_new(block: core.Block, name: str, making: tuple[type, ...] = MAKING) -> bool:
    """Whether all that a block binds a variable to are things that it makes."""
    return all(isinstance(getattr(other, "op", None), making) for other in _binding(block, name))


def _holds_numbers(kind: Kind) -> bool:
    """Whether what is walked over gives numbers."""
    return is_numeric(kind.element) if isinstance(kind, List | Row) else is_numeric(kind)


def _changed_by(
    run: Run, statement: core.Statement, env: Environment, lists: Collection[str] = ()
) -> tuple[str, ...]:
    """The variables whose values a statement may change; `lists` are those that hold builtin containers."""
    match statement:
        case core.SetItem() | core.AugmentItem() | core.DelItem() | core.SetAttr() | core.AugmentAttr():
            atoms: tuple[Any, ...] = (statement.target,)
        case core.AugmentName(target):
            atoms = (core.Var(target),) if target in env and run.value(core.Var(target), env).sites else ()
        case core.Assign(op=core.Call(core.Path() as path) as op):
            atoms = () if _changes_nothing(run, path) else tuple(operands(op))
        case core.Assign(op=core.CallMethod(value)) if getattr(value, "name", "") in lists or _is_builtin(
            run.value(value, env).kind
        ):
            atoms = (value,)
        case core.Assign(op=core.Call() | core.CallMethod() | core.Caught() as op):
            atoms = tuple(operands(op))
        case _:
            atoms = ()
    return tuple(atom.name for atom in atoms if isinstance(atom, core.Var))


def _calls_somebody(run: Run, statement: core.Statement) -> bool:
    """Whether a statement calls what may change things that it is not given."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.Call) and isinstance(op.func, core.Path):
        return not _changes_nothing(run, op.func)
    return isinstance(op, core.Call | core.Caught)


def _changes_nothing(run: Run, path: core.Path) -> bool:
    """Whether a callee is known to change nothing that it is given."""
    found = run.resolve(path)
    rule = declare.find(found.value) if found.depth == len(path.names) else None
    if isinstance(found.value, BuiltinFunctionType | type):
        return getattr(found.value, "__module__", None) in ("builtins", "math", "operator")
    return rule is not None and not rule.writes


def _is_builtin(kind: Kind) -> bool:
    """Whether methods of a kind change nothing but the value itself."""
    return isinstance(kind, List | Dict | Tuple | Row | Text) or is_numeric(kind)


def may_run_code(run: Run, statement: core.Assign) -> bool:
    """Whether what a builtin is given may run code when its items are asked for."""
    given = [run.facts.values.get((id(statement), name)) for name in read(statement)]
    kinds = [value.kind for value in given if value is not None]
    return run.facts.way.identity and any(map(may_be_object, kinds))


def bindings(function: core.Function, name: str) -> int:
    bound: list[Any] = [*function.params.names]
    for other in core.walk(function.body):
        bound += [getattr(other, "target", None), *getattr(other, "targets", ())]
    return bound.count(name)
