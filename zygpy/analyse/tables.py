"""Tables that a program fills, and asks, under keys which vary: that what they are asked for was put there by
the same call is checked.

if x not in kept:                       if x not in kept:
    kept[x] = f(x)                          kept[x] = f(x)
return kept[x]                  ->          note_entry(kept, x)
                                        check_entry(kept, x)
                                        return kept[x]
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from zygpy.analyse.facts import Facts
from zygpy.analyse.sites import BY_NAME, names_of_parameters
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import assigned, atoms, mentioned, read
from zygpy.ir.kinds import Dict, Iterator, Kind, Number, NumpyScalar, Object, RealScalar, Tuple, Unknown
from zygpy.ir.names import Names

NOTE, CHECK = core.Path(("note_entry",), "helper"), core.Path(("check_entry",), "helper")
NOTE_COPY, CHECK_LEFT = core.Path(("note_copy",), "helper"), core.Path(("check_left_entry",), "helper")

Entry = tuple[core.Atom, core.Atom]

GETTING, PUTTING = frozenset({"get", "pop", "setdefault"}), frozenset({"setdefault"})
"""Names of the methods of dicts by which entries are read, and made."""

MAKERS = frozenset({"dict", "defaultdict", "OrderedDict"})
"""Names by which tables are made."""


def with_checked_tables(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such checks; the very same if there are none, or if it has them.

    All that is put is noted. What is read is checked strictly where the same function puts something in a
    table that may be older; elsewhere it may be what has always been in a table of constants.
    """
    statements = list(core.walk(program.body))
    if any(_is_checked(one) for one in statements):
        return program
    private = _private(statements)
    puts = {id(one): put for one in statements if (put := _put(one, facts, private))}
    gets = {id(one): got for one in statements if (got := _got(one, facts))}
    notes = _all_filled(statements, facts, private, bool(puts))
    if not (puts or notes or gets):
        return program
    strict = any(_is_kept(one, *puts[id(one)], facts) for one in statements if id(one) in puts)
    names, check = Names(mentioned(program)), CHECK if strict else CHECK_LEFT

    def spelled(statement: core.Statement) -> core.Block:
        key = id(statement)
        before = [(check, gets[key])] if key in gets else []
        behind = [*([(NOTE, puts[key])] if key in puts else []), *notes.get(key, [])]
        return (
            *[_call(path, entry, names, statement) for path, entry in before],
            statement,
            *[_call(path, entry, names, statement) for path, entry in behind],
        )

    return replace(program, body=core.rewritten(program.body, spelled))


def _call(path: core.Path, entry: Entry, names: Names, statement: core.Statement) -> core.Assign:
    return core.Assign(names.temporary(), core.Call(path, entry), getattr(statement, "loc", core.Loc(0, 0)))


def _is_checked(statement: core.Statement) -> bool:
    op = getattr(statement, "op", None)
    return isinstance(op, core.Call) and op.func in (NOTE, CHECK, NOTE_COPY, CHECK_LEFT)


def _private(statements: list[core.Statement]) -> set[str]:
    """The variables of tables that are made here, and nowhere else: nobody else finds what they are given."""
    made: set[str] = set()
    others = set(itertools.chain.from_iterable(map(_handed_on, statements)))
    for one in statements:
        (made if _makes_table(one) else others).update(assigned(one))
    return made - others


def _makes_table(statement: core.Statement) -> bool:
    match statement:
        case core.Assign(op=core.DictDisplay()):
            return True
        case core.Assign(op=core.Call(core.Path(parts))):
            return parts[-1] in MAKERS
    return False


def _handed_on(statement: core.Statement) -> set[str]:
    """The variables that a statement hands on, or stores: what they hold may be found elsewhere."""
    match statement:
        case core.Assign(op=core.GetItem(table)) | core.Assign(op=core.CallMethod(table)):
            pass
        case core.SetItem(target=table) | core.AugmentItem(target=table):
            pass
        case _:
            return read(statement)
    given = [atom for atom in atoms(statement) if isinstance(atom, core.Var)]
    return {atom.name for atom in given if given.count(atom) > 1 or atom != table}


def _put(statement: core.Statement, facts: Facts, private: set[str]) -> Entry | None:
    """The table and the key under which a statement makes an entry; None of any other."""
    match statement:
        case core.SetItem(table, core.Var() as key) | core.AugmentItem(table, core.Var() as key):
            pass
        case core.Assign(op=core.CallMethod(table, name, (core.Var() as key, *_))) if name in PUTTING:
            pass
        case _:
            return None
    if not _may_be_table(facts.value(statement, table).kind):
        return None
    found_again = isinstance(table, core.Var) and table.name not in private and _varies(statement, key, facts)
    return (table, key) if found_again or _is_kept(statement, table, key, facts) else None


def _got(statement: core.Statement, facts: Facts) -> Entry | None:
    """The same of a statement that reads one."""
    match statement:
        case core.Assign(op=core.GetItem(table, core.Var() as key)):
            return (table, key) if _is_kept(statement, table, key, facts) else None
        case core.Assign(op=core.CallMethod(table, name, (core.Var() as key, *_))) if name in GETTING:
            return (table, key) if _is_kept(statement, table, key, facts) else None
    return None


def _all_filled(
    statements: list[core.Statement], facts: Facts, private: set[str], puts: bool
) -> dict[int, list[tuple[core.Path, Entry]]]:
    """What is to be noted behind statements that fill tables from others. What nothing is known of may be a
    table as well, where the program is one that makes entries under such keys."""
    filled = {id(one): found for one in statements if (found := _filled(one, facts, private, puts))}
    return _all_filled(statements, facts, private, True) if filled and not puts else filled


def _filled(
    statement: core.Statement, facts: Facts, private: set[str], puts: bool
) -> list[tuple[core.Path, Entry]]:
    """What is to be noted of a table that a statement makes with entries, or fills with those of another."""
    match statement:
        case core.Assign(made, core.DictDisplay(items)) if made not in private:
            keys = [key for key, _ in items if isinstance(key, core.Var) and _varies(statement, key, facts)]
            return [
                *[(NOTE, (core.Var(made), key)) for key in keys],
                *[(NOTE_COPY, (core.Var(made), held)) for held in _copied(statement, items, facts, puts)],
            ]
        case core.Assign(table, core.CallMethod(core.Var() as given, "copy", ())):
            sources = [given]
        case core.Assign(table, core.Call(core.Path(("dict",)), (core.Var() as given,), ())):
            sources = [given]
        case core.Assign(table, core.Binary("|", core.Var() as left, core.Var() as right)):
            sources = [left, right]
        case core.Assign(op=core.CallMethod(core.Var(table), "update", (core.Var() as given,), ())):
            sources = [given] if not isinstance(facts.value(statement, given).kind, Iterator) else []
        case core.AugmentName(table, "|", core.Var() as given):
            sources = [given]
        case _:
            return []
    copied = _copied(statement, [(None, source) for source in sources], facts, puts)
    return [(NOTE_COPY, (core.Var(table), held)) for held in copied]


def _copied(
    statement: core.Statement,
    items: Sequence[tuple[core.Atom | None, core.Atom]],
    facts: Facts,
    puts: bool,
) -> list[core.Atom]:
    """What is among the entries with all of its own, as far as keys there may be real numbers."""
    whole = [(held, facts.value(statement, held).kind) for key, held in items if key is None]
    return [held for held, kind in whole if _has_real_keys(kind) and (puts or not isinstance(kind, Unknown))]


def _is_kept(statement: core.Statement, table: core.Atom, key: core.Atom, facts: Facts) -> bool:
    """Whether a table may be older than the call, and a key may have a real number in it that varies."""
    holder, value = facts.value(statement, table), facts.value(statement, key)
    if not value.active or not _may_be_table(holder.kind) or _is_made_here(holder):
        return False
    known = not isinstance(holder.kind, Unknown)
    return (known or not isinstance(value.kind, Unknown)) and _may_be_real(value.kind)


def _varies(statement: core.Statement, key: core.Var, facts: Facts) -> bool:
    value = facts.value(statement, key)
    return value.active and _may_be_real(value.kind) and not isinstance(value.kind, Unknown)


def _may_be_table(kind: Kind) -> bool:
    return isinstance(kind, Dict | Unknown) or (isinstance(kind, Object) and issubclass(kind.cls, dict))


def _is_made_here(value: Value) -> bool:
    return BY_NAME.isdisjoint(value.sites) and not names_of_parameters(value.sites)


def _has_real_keys(kind: Kind) -> bool:
    """Whether what a table is filled from may have keys with real numbers in them."""
    if isinstance(kind, Unknown):
        return True
    if isinstance(kind, Dict):
        return kind.items is None and _may_be_real(kind.key)
    pair = getattr(kind, "element", None)
    if not isinstance(pair, Tuple) or len(pair.items) != 2:
        return False
    return not isinstance(pair.items[0], Unknown) and _may_be_real(pair.items[0])


def _may_be_real(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return any(map(_may_be_real, kind.items))
    if isinstance(kind, Number):
        return not kind.types <= {"int", "bool", "exact"}
    return isinstance(kind, NumpyScalar | RealScalar | Unknown)
