"""Calls of primitives, whose rules tell what they give and how they are differentiated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from zygpy.analyse.arguments import ABSENT
from zygpy.analyse.array_writes import (
    given_out,
    ignores_out,
    is_numpys,
    may_write,
    named_behind_out,
    overwrites,
)
from zygpy.analyse.binding import Bindings, CannotBind, bind_rule
from zygpy.analyse.effects import (
    is_container,
    is_of_containers,
    store_into,
    unknown_effects,
)
from zygpy.analyse.facts import (
    Bound,
    ByRule,
    DictBound,
    Dynamic,
    Intrinsic,
    Plain,
)
from zygpy.analyse.opaque import Arguments, dynamic_call
from zygpy.analyse.reach import has_path
from zygpy.analyse.rule_kinds import rule_kind
from zygpy.analyse.run import Run
from zygpy.analyse.signs import never_gives_negative
from zygpy.analyse.sites import NOWHERE, Sites, all_of, contained, reachable, sites_of
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.kinds import (
    NOTHING,
    UNKNOWN,
    Dict,
    Kind,
    List,
    Never,
    Object,
    Row,
    Tuple,
    is_list_of_numbers,
    is_mutable,
    is_numeric,
    is_real,
    is_scalar,
    is_whole,
    join_all,
    may_be_anything,
)
from zygpy.rules.declare import Rule, of_constants, sharing_of
from zygpy.rules.texts import texts
from zygpy.runtime.array_writes import write_items
from zygpy.runtime.writing_programs import writing_program


def by_rule(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    if is_numpys(rule.function) and may_write(rule.function, *call):
        _refuse_ignored_out(run, statement, rule, values)
        return _with_out(run, statement, rule, call, values, env)
    call = named_behind_out(rule.function, *call)
    active = any(value.active for value in values)
    if any(value.active and is_of_containers(value.kind) for value in values):
        run.by_identity()
    if overwrites(rule.function, *call):
        _refuse_write(run, statement, rule, active)
        return dynamic_call(run, statement, values, env)
    holds = bool(rule.shares) and all(name.startswith("in ") for name in _names(rule.shares))
    site = sites_of(run.allocate(statement, env, container=holds))
    if rule.style == "none":
        return _without_gradient(run, statement, rule, call, values, site, env)
    try:
        bound = bind_rule(texts(rule).parameters, *call)
    except CannotBind:
        return dynamic_call(run, statement, values, env, writes=False)
    return _bound_rule(run, statement, rule, bound, active, site, env)


def _without_gradient(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    site: Sites,
    env: Environment,
) -> Value:
    """A call of a primitive that gives nothing with a gradient."""
    active = any(value.active for value in values)
    if active and _is_found(statement, rule):
        run.by_identity()
        return dynamic_call(run, statement, values, env)
    run.facts.calls[id(statement)] = Plain()
    if rule.writes:
        _refuse_write(run, statement, rule, active)
        unknown_effects(run, values)
        if call[0] and isinstance(call[0][0], core.Var):
            store_into(run, statement, call[0][0], make(NOTHING), env)
    kind = _inert_kind(run, rule, call, env)
    anew = is_numpys(rule.function) and rule.function is not np.ix_  # which gives views
    given = () if (rule.call and not rule.shares) or anew else values
    return make(kind, False, site.union(*(value.sites for value in given)))


def _with_out(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call that may write to `out`, and was not taken apart: by a name or a method whose function was not
    known, or with unpacked arguments. It is found when it is made."""
    active = any(value.active for value in values)
    out = given_out(rule.function, *call)
    if isinstance(out, core.Var):
        if active:
            run.by_identity()
        store_into(run, statement, out, make(UNKNOWN, active), env)
    return dynamic_call(run, statement, values, env)


def _inert_kind(
    run: Run, rule: Rule, call: tuple[Arguments, tuple[core.Keyword, ...]], env: Environment
) -> Kind:
    """The kind of what a primitive without a gradient gives."""
    if not rule.call:
        return rule_kind(rule, {})
    try:
        bound = bind_rule(texts(rule).parameters, *call)
    except CannotBind:
        return UNKNOWN
    return rule_kind(rule, {name: (bound_value(run, item, env).kind, _literal(item)) for name, item in bound})


def _bound_rule(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    bound: Bindings,
    active: bool,
    site: Sites,
    env: Environment,
) -> Value:
    given = {name: bound_value(run, item, env) for name, item in bound}
    kinds = {
        name: (value.kind, _literal(item)) for (name, item), value in zip(bound, given.values(), strict=True)
    }
    kind = rule_kind(rule, kinds)
    orders = frozenset(name for name in rule.refused if is_whole(given[name].kind))
    rule = of_constants(rule, orders) if orders else rule
    shared = [_shared_sites(given, name) for name in _sharing(rule, kinds)]
    reached = any(given[name].active for name in rule.bars)
    reached = reached and has_path(rule, (given[name].kind for name in rule.bars))
    result = make(kind, reached, site.union(*shared))
    several = [atom for _, item in bound for atom in (item if isinstance(item, tuple) else ())]
    items = [(atom, run.value(atom, env)) for atom in several]
    if is_scalar(kind) and is_real(kind) and never_gives_negative(rule.function, items):
        result = result._replace(never_negative=True)
    unknown = [
        name for name in rule.bars if given[name].active and not (rule.containers or _inlinable(given[name]))
    ]
    if rule.writes in rule.bars:
        return _write_rule(run, statement, rule, bound, given, env)
    if rule.writes:
        _refuse_write(run, statement, rule, active)
        unknown_effects(run, list(given.values()))
    if run.facts.way.identity and _has_things(rule, given, kind):
        unknown = list(rule.bars)
    if not rule.containers:
        unknown += [name for name in rule.bars if _may_be_of_arrays(given[name].kind)]
    if unknown and reached:
        run.facts.calls[id(statement)] = Dynamic()
        if run.facts.way.identity:
            run.found_when_run(statement)
        return make(UNKNOWN if rule.kind == "unknown" else kind, True, result.sites)
    run.facts.calls[id(statement)] = ByRule(rule, bound) if result.active else Plain()
    return result


def _may_be_of_arrays(kind: Kind) -> bool:
    """Whether a value may be an array of another class than NumPy's own, which says what functions do."""
    return may_be_anything(kind) or (isinstance(kind, Object) and issubclass(kind.cls, np.ndarray))


def _has_things(rule: Rule, given: Mapping[str, Value], result: Kind) -> bool:
    """Whether a primitive takes or gives what has its cotangent in the store, and is not known to do no
    more than to read numbers from lists, for a number: what is recorded of such a list is a copy."""
    if is_container(result):
        return True
    if all(is_scalar(value.kind) or is_list_of_numbers(value.kind) for value in given.values()):
        return False
    return any(given[name].active and is_container(given[name].kind) for name in rule.bars)


def _is_found(statement: core.Assign, rule: Rule) -> bool:
    """Whether a function that writes is found by another name than its own: by that, it is a statement."""
    op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
    by_path = isinstance(op, core.Call) and isinstance(op.func, core.Path)
    return not by_path and writing_program(rule.function) is not None


def _refuse_write(run: Run, statement: core.Assign, rule: Rule, active: bool) -> None:
    if active:
        name = "ufunc.at" if rule.function is write_items else rule.function.__name__
        run.refuse(
            statement, f"'{name}' writes its argument in place", "assign to an item or a slice of the array"
        )


def _refuse_ignored_out(run: Run, statement: core.Assign, rule: Rule, values: list[Value]) -> None:
    if ignores_out(rule.function) and any(value.active for value in values):
        why = f"this version of NumPy writes nothing to the 'out' of '{rule.function.__name__}'"
        run.refuse(statement, why, "use the result, and leave 'out' away")


def _write_rule(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    bound: Bindings,
    given: Mapping[str, Value],
    env: Environment,
) -> Value:
    """A primitive that changes an argument in place and says how its cotangent changes."""
    target = dict(bound)[str(rule.writes)]
    active = any(given[name].active for name in rule.bars)
    if not isinstance(target, core.Var):
        _refuse_write(run, statement, rule, active)
        return make(NOTHING)
    for name in rule.bars:
        if name != rule.writes:
            store_into(run, statement, target, given[name], env)
    run.facts.calls[id(statement)] = Intrinsic("write rule") if active else Plain()
    run.facts.write_rules[id(statement)] = ByRule(rule, bound)
    return make(NOTHING)


def _sharing(rule: Rule, kinds: Mapping[str, tuple[Kind, Any]]) -> list[str]:
    """The parameters whose storage a result may share: "x where n=0" unless n is another literal, "x unless
    n=1" unless it is this one."""
    found = []
    for text in _names(rule.shares):
        name, parameter, wanted, unless = sharing_of(text)
        literal = kinds[parameter][1] if parameter else ABSENT
        if literal is ABSENT or (literal == wanted) is not unless:
            found.append(name)
    return found


def _shared_sites(given: Mapping[str, Value], name: str) -> Sites:
    if name.startswith("in "):
        holder = given[name.removeprefix("in ")]
        return NOWHERE if _has_nothing_changeable(holder.kind) else contained(holder.sites)
    if name.startswith("single "):
        value = given[name.removeprefix("single ")]
        single = isinstance(value.kind, Tuple) and len(value.kind.items) == 1
        return reachable(value.sites) if single else NOWHERE
    value = given[name]
    return value.sites | reachable(value.sites) if isinstance(value.kind, Tuple | Row) else value.sites


def _has_nothing_changeable(kind: Kind) -> bool:
    """Whether nothing can be written to that lies in a value: its items are numbers, or tuples of such."""
    if isinstance(kind, List | Row):
        return not is_mutable(kind.element)
    return is_numeric(kind) or (isinstance(kind, Tuple) and not is_mutable(kind))


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _inlinable(value: Value) -> bool:
    kind = value.kind
    if isinstance(kind, Tuple):
        return kind.cls is None and all(
            is_numeric(item) or not make(item, True).active or isinstance(item, Tuple | List | Row)
            for item in kind.items
        )
    if isinstance(kind, List | Row):
        return is_numeric(kind.element) or isinstance(kind.element, Never | List | Tuple | Row)
    return is_numeric(kind)


def _literal(bound: Bound) -> Any:
    return bound.value if isinstance(bound, core.Const) else ABSENT


def bound_value(run: Run, bound: Bound, env: Environment) -> Value:
    if isinstance(bound, tuple):
        items = [run.value(atom, env) for atom in bound]
        sites = all_of(contained(item.sites) for item in items)
        return make(Tuple(tuple(item.kind for item in items)), any(item.active for item in items), sites)
    if isinstance(bound, DictBound):
        items = [run.value(atom, env) for _, atom in bound.items]
        kind = Dict(
            tuple((name, run.value(atom, env).kind) for name, atom in bound.items),
            join_all(item.kind for item in items),
        )
        sites = all_of(contained(item.sites) for item in items)
        return make(kind, any(item.active for item in items), sites)
    return run.value(bound, env)
