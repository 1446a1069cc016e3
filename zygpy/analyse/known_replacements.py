"""`dataclasses.replace` of objects whose class is known: the class is called with the fields that stay.

t_1 = replace(s, x=a)           t_2 = s.y
                                t_3 = type(s)
                                t_1 = t_3(x=a, y=t_2)
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import replace
from typing import Any

from zygpy.analyse.facts import Dynamic, Facts
from zygpy.analyse.run import Run
from zygpy.analyse.sites import contained, sites_of
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Object, Unknown, unfolded
from zygpy.ir.names import Names
from zygpy.runtime.lookup import in_class


def with_known_replacements(program: core.Function, facts: Facts) -> core.Function:
    """The same program with these calls spelled out; the very same if there is none."""
    wanted = {id(found): fields for found in core.walk(program.body) if (fields := _fields(found, facts))}
    if not wanted:
        return program
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        fields = wanted.get(id(statement))
        return _spelled(statement, fields, names) if fields else (statement,)

    return replace(program, body=core.rewritten(program.body, spelled))


def _fields(statement: core.Statement, facts: Facts) -> tuple[str, ...]:
    """The fields of the object that a statement replaces some of; none where it is no such statement."""
    match statement:
        case core.Assign(op=core.Call(core.Path() as path, (core.Var() as thing,), keywords)):
            if facts.objects.get(path.names) is not dataclasses.replace:
                return ()
            found = facts.values.get((id(statement), thing.name))
            return _replaced(found, keywords) if found is not None else ()
    return ()


def _replaced(value: Value, keywords: tuple[core.Keyword, ...]) -> tuple[str, ...]:
    names = _names_of(value.kind) if value.certain else ()
    return names if {keyword.name for keyword in keywords} <= set(names) else ()


def replaced_value(
    run: Run, statement: core.Assign, callee: Any, values: list[Value], env: Environment
) -> Value | None:
    """What such a call gives, which is spelled out when all is known; None of any other call."""
    call = statement.op
    if callee is not dataclasses.replace or not isinstance(call, core.Call) or run.oracle.is_generated():
        return None
    alone = len(call.args) == 1 and isinstance(call.args[0], core.Var)
    if not (alone and _replaced(values[0], call.keywords)):
        return None
    assert isinstance(call.func, core.Path)
    for guard in run.resolve(call.func).guards:  # the name is gone when the call is spelled out
        run.note_lasting(guard)
    kind = values[0].kind
    assert isinstance(kind, Object)
    given = {str(item.name): run.value(item.value, env).kind for item in call.keywords}
    fields = tuple([(name, given.get(name, old)) for name, old in unfolded(kind).fields or ()])
    run.facts.calls[id(statement)] = Dynamic()
    sites = sites_of(run.allocate(statement, env)).union(*(contained(value.sites) for value in values))
    return make(Object(kind.cls, fields), any(value.active for value in values), sites)


def _names_of(kind: Any) -> tuple[str, ...]:
    if not isinstance(kind, Object) or kind.fields is None or not _is_plain(kind.cls):
        return ()
    names = tuple([field.name for field in dataclasses.fields(kind.cls)])
    known = dict(kind.fields)
    return names if all(not isinstance(known.get(name), Unknown | None) for name in names) else ()


@functools.lru_cache(maxsize=1024)
def _is_plain(cls: type) -> bool:
    """Whether objects of a class are made from their fields, and nothing else."""
    if not dataclasses.is_dataclass(cls) or type(cls) is not type:
        return False
    own = in_class(cls, "__replace__"), in_class(cls, "__getattribute__")
    if own != (_REPLACE, object.__getattribute__):
        return False
    declared = vars(cls).get("__dataclass_fields__", {}).values()  # with those that are given and not kept
    kept = dataclasses.fields(cls)
    whole = all(one in kept or _is_of_class(one) for one in declared)
    return whole and all(one.init for one in kept)


def _is_of_class(declared: Any) -> bool:
    """Whether a declaration is one of a variable of the class."""
    return getattr(getattr(declared, "_field_type", None), "name", "") == "_FIELD_CLASSVAR"


@dataclasses.dataclass
class _Sample:
    x: float = 0.0


_REPLACE = in_class(_Sample, "__replace__")


def _spelled(statement: core.Statement, fields: tuple[str, ...], names: Names) -> core.Block:
    assert isinstance(statement, core.Assign)
    assert isinstance(statement.op, core.Call)
    (thing,), loc = statement.op.args, statement.loc
    assert isinstance(thing, core.Var)
    given = {keyword.name: keyword.value for keyword in statement.op.keywords}
    kept = {name: names.temporary() for name in fields if name not in given}
    cls = names.temporary()
    values = [core.Keyword(name, given[name] if name in given else core.Var(kept[name])) for name in fields]
    return (
        *[core.Assign(held, core.GetAttr(thing, name), loc) for name, held in kept.items()],
        core.Assign(cls, core.Call(core.Path(("type",), "builtin"), (thing,)), loc),
        core.Assign(statement.target, core.Call(core.Var(cls), (), tuple(values)), loc),
    )
