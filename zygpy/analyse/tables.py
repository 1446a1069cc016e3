"""Tables that a program fills, and asks, under keys which vary: that what they are asked for was put there by
the same call is checked.

if x not in kept:                       if x not in kept:
    kept[x] = f(x)                          kept[x] = f(x)
return kept[x]                  ->          note_entry(kept, x)
                                        check_entry(kept, x)
                                        return kept[x]
"""

from __future__ import annotations

from dataclasses import replace

from zygpy.analyse.facts import Facts
from zygpy.analyse.sites import BY_NAME, names_of_parameters
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Dict, Kind, Number, NumpyScalar, RealScalar, Tuple, Unknown
from zygpy.ir.names import Names

NOTE, CHECK = core.Path(("note_entry",), "helper"), core.Path(("check_entry",), "helper")

GETTING, PUTTING = frozenset({"get", "pop", "setdefault"}), frozenset({"setdefault"})
"""Names of the methods of dicts by which entries are read, and made."""


def with_checked_tables(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such checks; the very same if there are none, or if it has them."""
    statements = list(core.walk(program.body))
    if not any(_put(one, facts) for one in statements) or not any(_got(one, facts) for one in statements):
        return program
    if any(_is_checked(one) for one in statements):
        return program
    names = Names(mentioned(program))

    def spelled(statement: core.Statement) -> core.Block:
        got, put = _got(statement, facts), _put(statement, facts)
        before = (_call(CHECK, got, names, statement),) if got else ()
        behind = (_call(NOTE, put, names, statement),) if put else ()
        return (*before, statement, *behind)

    return replace(program, body=core.rewritten(program.body, spelled))


def _call(
    path: core.Path, entry: tuple[core.Atom, core.Atom], names: Names, statement: core.Statement
) -> core.Assign:
    return core.Assign(names.temporary(), core.Call(path, entry), getattr(statement, "loc", core.Loc(0, 0)))


def _is_checked(statement: core.Statement) -> bool:
    op = getattr(statement, "op", None)
    return isinstance(op, core.Call) and op.func in (NOTE, CHECK)


def _put(statement: core.Statement, facts: Facts) -> tuple[core.Atom, core.Atom] | None:
    """The table and the key under which a statement makes an entry; None of any other."""
    match statement:
        case core.SetItem(target, core.Var() as key):
            return (target, key) if _is_kept(statement, target, key, facts) else None
    return _by_method(statement, PUTTING, facts)


def _got(statement: core.Statement, facts: Facts) -> tuple[core.Atom, core.Atom] | None:
    """The same of a statement that reads one."""
    match statement:
        case core.Assign(op=core.GetItem(table, core.Var() as key)):
            return (table, key) if _is_kept(statement, table, key, facts) else None
    return _by_method(statement, GETTING, facts)


def _by_method(
    statement: core.Statement, names: frozenset[str], facts: Facts
) -> tuple[core.Atom, core.Atom] | None:
    match statement:
        case core.Assign(op=core.CallMethod(table, name, (core.Var() as key, *_))) if name in names:
            return (table, key) if _is_kept(statement, table, key, facts) else None
    return None


def _is_kept(statement: core.Statement, table: core.Atom, key: core.Var, facts: Facts) -> bool:
    """Whether a table may be older than the call, and a key may have a real number in it that varies."""
    holder, value = facts.value(statement, table), facts.value(statement, key)
    if not value.active or not isinstance(holder.kind, Dict | Unknown) or _is_made_here(holder):
        return False
    known = isinstance(holder.kind, Dict)
    return (known or not isinstance(value.kind, Unknown)) and _may_be_real(value.kind)


def _is_made_here(value: Value) -> bool:
    return BY_NAME.isdisjoint(value.sites) and not names_of_parameters(value.sites)


def _may_be_real(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return any(map(_may_be_real, kind.items))
    if isinstance(kind, Number):
        return not kind.types <= {"int", "bool", "exact"}
    return isinstance(kind, NumpyScalar | RealScalar | Unknown)
