"""Calls: what is called, how it will be differentiated, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any, cast

from zygpy.analyse import containers, replaced
from zygpy.analyse.arguments import ABSENT
from zygpy.analyse.binding import Bindings, CannotBind, bind_function, bind_rule
from zygpy.analyse.effects import activate, mark_written, note_write, store_into, unknown_effects
from zygpy.analyse.facts import Bound, ByRule, DictBound, Direct, Dynamic, Guard, Intrinsic, Plain, Summary
from zygpy.analyse.paths import MISSING
from zygpy.analyse.reach import has_path
from zygpy.analyse.rule_kinds import rule_kind
from zygpy.analyse.run import Run
from zygpy.analyse.values import (
    INERT,
    OUTSIDE,
    Environment,
    Site,
    Value,
    contained,
    everything,
    is_held,
    let_go,
    make,
    reachable,
    with_holders,
)
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import (
    INERT as INERT_CLASS,
)
from zygpy.ir.kinds import (
    NOTHING,
    PURE,
    UNKNOWN,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    Never,
    Object,
    Tuple,
    is_numeric,
    join,
    join_all,
    kind_of,
)
from zygpy.rules import declare
from zygpy.rules.declare import Rule
from zygpy.rules.texts import texts
from zygpy.runtime.replaced import put_in_order

Arguments = tuple[core.Atom | core.Star, ...]


def resolve_call(run: Run, statement: core.Assign, op: core.Call, env: Environment) -> Value:
    """The value of `func(...)`."""
    values = [run.value(atom, env) for atom in operands(op)]
    callee = _callee(run, op.func, env)
    if any(isinstance(value.kind, Never) for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(Never())
    if callee is MISSING and isinstance(values[0].kind, Object) and hasattr(values[0].kind.cls, PURE):
        return _pullback(run, statement, values, env)
    if callee is MISSING:
        return _dynamic(run, statement, values, env)
    return call_known(run, statement, callee, (op.args, op.keywords), values, env)


def _callee(run: Run, func: core.Path | core.Var, env: Environment) -> Any:
    if isinstance(func, core.Var):
        kind = env[func.name].kind if func.name in env else UNKNOWN
        return kind.value if isinstance(kind, Known) else MISSING
    found = run.resolve(func)
    if found.depth < len(func.names):
        return MISSING
    return found.value


def call_known(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call whose callee is known now."""
    intrinsic = containers.call_value(run, statement, callee, call, env)
    if intrinsic is not None:
        return intrinsic
    if any(value.active for value in values):
        standing = _replaced(run, statement, callee, call, values, env)
        if standing is not None:
            return standing
    rule = declare.find(callee)
    if rule is not None:
        return _by_rule(run, statement, rule, call, values, env)
    if isinstance(callee, FunctionType) and isinstance(kind_of(callee), Known):
        return _user_function(run, statement, callee, call, values, env)
    if isinstance(callee, type) and not any(value.active for value in values):
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        kind = NOTHING if hasattr(callee, INERT_CLASS) else Object(callee)
        return make(kind, False, _reachable(run, statement, values, env))
    return _dynamic(run, statement, values, env)


def _replaced(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """The value of a builtin on containers that a program stands for, else None."""
    kinds = [run.value(arg, env).kind for arg in call[0] if not isinstance(arg, core.Star)]
    found = replaced.program_for(callee, call, kinds)
    if replaced.is_lazy(callee) and replaced.is_only_looked_at(run, statement):
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        return make(Iterator(UNKNOWN), False, _reachable(run, statement, values, env))
    if replaced.is_lazy(callee) and (
        found is None or not replaced.is_consumed_at_once(run, statement, callee)
    ):
        name = getattr(callee, "__name__", "iterator")
        run.refuse(
            statement,
            f"the iterator that '{name}' makes of active values is not taken whole where it is made",
            f"make it a list where it is made: 'list({name}(...))'",
        )
        return make(UNKNOWN, True, _reachable(run, statement, values, env))
    if found is None:
        return None
    program, (args, keywords) = found
    return _user_function(run, statement, program, (args, keywords), values, env)


def _reachable(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> frozenset[Site]:
    site = frozenset({run.allocate(statement, env), OUTSIDE})
    return site.union(*(value.sites for value in values))


def _dynamic(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> Value:
    active = any(value.active for value in values)
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    if active:
        run.facts.unseen.add(id(statement))
    unknown_effects(run, values)
    for value in values:
        if isinstance(value.kind, List | Dict | Tuple):
            _change_kinds(env, value.sites, UNKNOWN)
    return make(UNKNOWN, active, _reachable(run, statement, values, env))


def _pullback(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> Value:
    """The call of a pullback: it writes nothing, and what it returns is fresh or comes from the seed,
    never from what it carries."""
    active = any(value.active for value in values)
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    if active:
        run.facts.unseen.add(id(statement))
    site = frozenset({run.allocate(statement, env)})
    given = frozenset[Site]().union(*(everything(value.sites) for value in values[1:]))
    return make(UNKNOWN, active, site | given | contained(site | given))


def _by_rule(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    active = any(value.active for value in values)
    holds = bool(rule.shares) and all(name.startswith("in ") for name in _names(rule.shares))
    site = frozenset({run.allocate(statement, env, container=holds)})
    if rule.style == "none":
        run.facts.calls[id(statement)] = Plain()
        if rule.writes:
            _refuse_write(run, statement, rule, active)
            unknown_effects(run, values)
        kind = _inert_kind(run, rule, call, env)
        return make(kind, False, site.union(*(value.sites for value in values)))
    try:
        bound = bind_rule(texts(rule).parameters, *call)
    except CannotBind:
        return _dynamic(run, statement, values, env)
    return _bound_rule(run, statement, rule, bound, active, site, env)


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
    return rule_kind(
        rule, {name: (_bound_value(run, item, env).kind, _literal(item)) for name, item in bound}
    )


def _bound_rule(
    run: Run,
    statement: core.Assign,
    rule: Rule,
    bound: Bindings,
    active: bool,
    site: frozenset[Site],
    env: Environment,
) -> Value:
    given = {name: _bound_value(run, item, env) for name, item in bound}
    kinds = {
        name: (value.kind, _literal(item)) for (name, item), value in zip(bound, given.values(), strict=True)
    }
    kind = rule_kind(rule, kinds)
    shared = [_shared_sites(given, name) for name in _names(rule.shares)]
    reached = any(given[name].active for name in rule.bars)
    reached = reached and has_path(rule, (given[name].kind for name in rule.bars))
    result = make(kind, reached, site.union(*shared))
    unknown = [
        name for name in rule.bars if given[name].active and not (rule.containers or _inlinable(given[name]))
    ]
    if rule.writes in rule.bars:
        return _write_rule(run, statement, rule, bound, given, env)
    if rule.writes:
        _refuse_write(run, statement, rule, active)
        unknown_effects(run, list(given.values()))
    if unknown and reached:
        run.facts.calls[id(statement)] = Dynamic()
        return make(UNKNOWN if rule.kind == "unknown" else kind, True, result.sites)
    run.facts.calls[id(statement)] = ByRule(rule, bound) if result.active else Plain()
    return result


def _refuse_write(run: Run, statement: core.Assign, rule: Rule, active: bool) -> None:
    if active:
        why = f"'{rule.function.__name__}' writes its argument in place"
        run.refuse(statement, why, "assign to an item or a slice of the array")


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


def _shared_sites(given: Mapping[str, Value], name: str) -> frozenset[Site]:
    if name.startswith("in "):
        return contained(given[name.removeprefix("in ")].sites)
    return given[name].sites


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _inlinable(value: Value) -> bool:
    kind = value.kind
    if isinstance(kind, Tuple):
        return kind.cls is None and all(
            is_numeric(item) or not make(item, True).active or isinstance(item, Tuple | List)
            for item in kind.items
        )
    if isinstance(kind, List):
        return is_numeric(kind.element) or isinstance(kind.element, Never | List | Tuple)
    return is_numeric(kind)


def _literal(bound: Bound) -> Any:
    return bound.value if isinstance(bound, core.Const) else ABSENT


def _bound_value(run: Run, bound: Bound, env: Environment) -> Value:
    if isinstance(bound, tuple):
        items = [run.value(atom, env) for atom in bound]
        sites = frozenset[Site]().union(*(item.sites for item in items))
        return make(Tuple(tuple(item.kind for item in items)), any(item.active for item in items), sites)
    if isinstance(bound, DictBound):
        items = [run.value(atom, env) for _, atom in bound.items]
        kind = Dict(
            tuple((name, run.value(atom, env).kind) for name, atom in bound.items),
            join_all(item.kind for item in items),
        )
        sites = frozenset[Site]().union(*(item.sites for item in items))
        return make(kind, any(item.active for item in items), sites)
    return run.value(bound, env)


def _user_function(
    run: Run,
    statement: core.Assign,
    function: FunctionType,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    signature = run.oracle.parameters(function)
    if signature is None:
        return _dynamic(run, statement, values, env)
    try:
        bound = bind_function(*signature, *call)
    except CannotBind:
        return _dynamic(run, statement, values, env)
    run.note(Guard(function, "__code__", function.__code__))
    run.note(Guard(function, "__defaults__", function.__defaults__))
    run.note(Guard(function, "__kwdefaults__", function.__kwdefaults__))
    given = tuple(_bound_value(run, item, env) for _, item in bound)
    summary = run.oracle.summary(function, given)
    if summary is None:
        return _dynamic(run, statement, values, env)
    return _summarised(run, statement, function, bound, given, summary, env)


def _summarised(
    run: Run,
    statement: core.Assign,
    function: FunctionType,
    bound: Bindings,
    given: tuple[Value, ...],
    summary: Summary,
    env: Environment,
) -> Value:
    for guard in summary.guards:
        run.note(guard)
    active = any(value.active for value in given)
    names = dict(zip((name for name, _ in bound), given, strict=True))
    result = _result(run, statement, summary, names, env)
    if summary.outside:
        run.facts.outside = True
        run.facts.written.add(OUTSIDE)
    written = [(name, item) for name, item in bound if name in summary.writes]
    if written:
        _written_arguments(run, statement, written, names, active, env)
    for name, kind in summary.exits:
        _change_kinds(env, names[name].sites, kind)
    if active and (result.active or written or summary.refuses):
        run.facts.calls[id(statement)] = Direct(function, bound, given, summary, result)
    else:
        run.facts.calls[id(statement)] = Plain()
    return result


def _result(
    run: Run, statement: core.Assign, summary: Summary, names: dict[str, Value], env: Environment
) -> Value:
    sites: frozenset[Site] = frozenset({run.allocate(statement, env)})
    for site in summary.result.sites:
        base = let_go(site)
        if base[0] == "param":
            found = names[str(site[1])].sites
            sites |= contained(found) if is_held(site) else found
        elif base == OUTSIDE:
            sites |= {site}
    return make(summary.result.kind, summary.result.active, sites)


def _change_kinds(env: Environment, sites: frozenset[Site], kind: Kind) -> None:
    """A callee may have stored other kinds of values in a list or dict than were in it."""
    reached = with_holders(sites)
    for name, value in env.items():
        container = isinstance(value.kind, List | Dict | Tuple)
        if container and not value.sites.isdisjoint(reached):
            same = isinstance(kind, List | Dict) and type(kind) is type(value.kind)
            env[name] = make(join(value.kind, kind) if same else UNKNOWN, value.active, value.sites)


def _written_arguments(
    run: Run,
    statement: core.Assign,
    written: list[tuple[str, Bound]],
    names: dict[str, Value],
    active: bool,
    env: Environment,
) -> None:
    for name, item in written:
        if not isinstance(item, core.Var):
            mark_written(run, names[name].sites)
            if active:
                run.refuse(
                    statement, "a called function writes an argument given as a temporary", "name it first"
                )
            continue
        note_write(run, statement, item.name, env)
        overlapping = [
            other
            for key, other in names.items()
            if key != name and not reachable(other.sites).isdisjoint(reachable(names[name].sites))
        ]
        if overlapping and active:
            run.refuse(
                statement,
                "the called function writes an argument that another argument may share",
                "pass a copy",
            )
        if active:
            activate(env, env[item.name].sites)


def resolve_method(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> Value:
    """The value of `value.name(...)`."""
    values = [run.value(atom, env) for atom in operands(op)]
    if any(isinstance(value.kind, Never) for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(Never())
    receiver = values[0]
    if receiver.kind == UNKNOWN and op.name in MUTATORS and any(value.active for value in values):
        return _update(run, statement, op, values, env)
    if isinstance(receiver.kind, List) and op.name == "sort" and receiver.active:
        call = ((op.value, *op.args), op.keywords)
        return _user_function(run, statement, cast(FunctionType, put_in_order), call, values, env)
    intrinsic = containers.method_value(run, statement, op, receiver, env)
    if intrinsic is not None:
        return intrinsic
    if is_numeric(receiver.kind) and op.name in declare.METHODS:
        call = ((op.value, *op.args), op.keywords)
        rule = declare.find(declare.METHODS[op.name])
        if rule is not None:
            return _by_rule(run, statement, rule, call, values, env)
    return _dynamic(run, statement, values, env)


MUTATORS = frozenset(
    {
        "append",
        "extend",
        "pop",
        "insert",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
    }
)
"""Methods that change a list or dict, as far as a value of unknown kind is one."""


def _update(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value:
    """A method that may change its receiver, whose kind is not known."""
    for value in values[1:] or [INERT]:
        store_into(run, statement, op.value, value, env)
    if isinstance(op.value, core.Var) and op.value.name in env:
        current = env[op.value.name]
        env[op.value.name] = make(UNKNOWN, True, current.sites)
    if op.keywords or any(isinstance(arg, core.Star) for arg in op.args):
        run.refuse(
            statement, f"'{op.name}' is called with unpacked or keyword arguments", "pass them one by one"
        )
    run.facts.calls[id(statement)] = Intrinsic("update")
    return make(UNKNOWN, True, _reachable(run, statement, values, env))
