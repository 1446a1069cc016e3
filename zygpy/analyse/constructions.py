"""Calls of classes, and what makes objects without them."""

from __future__ import annotations

from typing import Any

from zygpy.analyse import exceptions, fields, objects, replaced
from zygpy.analyse.callees import MAKING_INERT
from zygpy.analyse.effects import unknown_effects
from zygpy.analyse.facts import Plain
from zygpy.analyse.opaque import Arguments, call_sites, dynamic_call, forget_kinds
from zygpy.analyse.run import Run
from zygpy.analyse.sites import all_of, contained, sites_of
from zygpy.analyse.summaries import object_made
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.classes import INERT as INERT_CLASS
from zygpy.ir.classes import STATEFUL
from zygpy.ir.kinds import NOTHING, Known, List, Object, Unknown, is_mutable
from zygpy.marks import is_marked
from zygpy.runtime.lookup import AT_ITS_END, acts_at_its_end
from zygpy.runtime.protocols import is_computed


def construct(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """An object is made; what it is made of may become active later, and the object with it."""
    active = any(value.active for value in values)
    if cls in MAKING_INERT and not active:
        run.facts.calls[id(statement)] = Plain()
        return make(Object(cls), False, sites_of(run.allocate(statement, env)))
    return _object_made(run, statement, cls, call, values, env)


def _object_made(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """The same of a class whose objects may hold something that has a gradient."""
    active = any(value.active for value in values)
    _refuse_acting(run, statement, cls, active)
    reached = call_sites(run, statement, values, env)
    is_exception = issubclass(cls, BaseException)
    run.facts.brings |= is_exception and active
    if is_marked(cls, INERT_CLASS) or (
        is_exception and not (active and exceptions.is_looked_at(run, statement))
    ):
        run.facts.calls[id(statement)] = Plain()
        forget_kinds(env, values if is_exception else [])
        return make(NOTHING if is_marked(cls, INERT_CLASS) else Object(cls), False, reached)
    whole = is_exception or replaced.has_program(cls)  # which is made as it stands, of constants
    made = None if whole else _initialised(run, statement, cls, call, env, active=active)
    if made is not None:
        return made
    in_python = is_exception or cls is super or objects.is_filled(cls)
    if is_marked(cls, STATEFUL) or (active and in_python):
        run.by_identity()
    if active and not run.facts.way.guarded and objects.stores_elsewhere(run, cls, call, values):
        run.everywhere()
    of_data = not active and objects.is_made_of_plain_data(cls, values)
    if active or (run.facts.way.everywhere and not of_data):
        result = dynamic_call(run, statement, values, env)
    else:
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        fields.forget(run, env)
        forget_kinds(env, values)
        result = make(Object(cls), False, reached)
    if cls is super:  # what is done to it is done to the object
        return make(result.kind, result.active, all_of(value.sites for value in values))
    if not objects.is_plain(cls) or objects.makes_known(run, cls, call, values):
        return result
    held = all_of(contained(value.sites) for value in values)
    return make(Object(cls), result.active, held | sites_of(run.allocate(statement, env)))


def _refuse_acting(run: Run, statement: core.Assign, cls: type, active: bool) -> None:
    """Refuse an object that does something at its end, which would come later."""
    if acts_at_its_end(cls) and (active or run.facts.way.identity):
        run.refuse(statement, *AT_ITS_END)


def _initialised(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
    *,
    active: bool,
) -> Value | None:
    """The value of an object whose initialisation is followed beforehand; None where it is not."""
    if objects.is_made_empty(run, cls, call):
        return _without_fields(run, statement, cls, env)
    function = objects.initialiser(run, cls, call)
    if function is None or (active and not run.by_identity()):
        return None
    return object_made(run, statement, cls, function, call, env)


def bare(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """The value of `object.__new__(cls)`; None of anything else."""
    if not objects.is_bare(run, callee, call, values):
        return None
    kind = values[-1].kind
    assert isinstance(kind, Known)
    return _without_fields(run, statement, kind.value, env)


def _without_fields(run: Run, statement: core.Assign, cls: type, env: Environment) -> Value:
    """An object that has just been made, and has no fields."""
    return new_thing(run, statement, Object(cls, ()), env)


def new_thing(run: Run, statement: core.Assign, kind: Object | List, env: Environment) -> Value:
    """A thing that was made without anything that others know, or any code of theirs."""
    run.facts.entered.add(id(statement))
    run.facts.calls[id(statement)] = Plain()
    site = sites_of(run.allocate(statement, env, container=True))
    held = [kind.element] if isinstance(kind, List) else [item for _, item in kind.fields or ()]
    if any(map(is_mutable, held)):
        site |= contained(sites_of(run.allocate(statement, env)))
    return make(kind, run.facts.way.everywhere, site)


def reads_with_effects(args: Arguments, values: list[Value], *, unknown: bool = False) -> bool:
    """Whether asking for an attribute runs code that may change something; `unknown`: if nothing is known
    of the object."""
    name = getattr(args[1], "value", None) if len(args) > 1 else None
    before = max(len(values) - len(args), 0)  # a variable that holds the function
    for value in values[before : before + 1]:
        if value.active and isinstance(value.kind, Unknown):
            return unknown
        if value.active and isinstance(value.kind, Object):
            names = [name] if isinstance(name, str) else [*dir(value.kind.cls), ""]
            return any(is_computed(value.kind.cls, one) for one in names)
    return False
