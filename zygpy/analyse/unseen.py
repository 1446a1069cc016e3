"""Code that a statement may run without calling it: operators, questions and attributes of classes."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.exceptions import looked_into
from zygpy.analyse.facts import ByRule, Dynamic, Facts, Intrinsic, Plain
from zygpy.analyse.plain_entries import CHANGES_OF_ENTRIES
from zygpy.analyse.run import Run
from zygpy.analyse.something import is_asked_for_its_truth
from zygpy.analyse.values import Environment, Value
from zygpy.ir import core
from zygpy.ir.access import index_atoms, operands
from zygpy.ir.kinds import (
    Array,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    LocalFunction,
    Never,
    NumberOrArray,
    Object,
    Row,
    Text,
    Tuple,
    options_of,
    something,
)
from zygpy.rules.declare import LOOKING
from zygpy.runtime import answers, attempts, matching, options, paired_generators, tables
from zygpy.runtime.asked_again import check_info, note_given, refuse_info
from zygpy.runtime.inherited import (
    called_behind,
    called_in_class,
    descriptor_in_class,
    is_kept,
    note_kept,
    setter_in_class,
)
from zygpy.runtime.partials import captured
from zygpy.runtime.still_objects import check_still

ASKING_NOTHING = (
    *(isinstance, issubclass, type, id, callable, range, enumerate, zip),
    *(attempts.is_caught, attempts.traceback_of, matching.match_attribute, captured),
    *(attempts.exception_kept, attempts.refusal_of_others),
    *(
        options.is_one,
        options.check_one,
        options.check_something,
        called_behind,
        called_in_class,
        descriptor_in_class,
        is_kept,
        note_kept,
        setter_in_class,
    ),
    *(tables.check_entry, tables.check_left_entry, tables.note_copy, tables.note_entry),
    *(check_info, note_given, refuse_info),
    *(answers.as_length, answers.as_truth, paired_generators.is_paired, paired_generators.nothing_sent),
    check_still,
)
"""Builtins and helpers that run no code of what they are given, or none that changes anything."""

HOLDING = (Tuple, List, Dict, Iterator, Row)
"""Kinds of Python's own containers, of which a question is not one to what they hold."""

PLAIN_METHODS = frozenset(
    {"append", "extend", "insert", "pop", "clear", "reverse", "copy", "get", "items", "keys", "values"}
    | {"setdefault", "update"}
)
"""Methods of lists and dicts that ask nothing of what they hold."""


LOOKS = (core.Unary, core.Binary, core.Compare, core.GetAttr, core.GetItem, core.Truth, core.Format)
"""Operations that run code of a class where they are on its objects."""


def operations_by_quiet(program: core.Function, facts: Facts) -> Mapping[bool, Set[int]]:
    """The `id`s of the operations of a program by whether they surely run no code of a class, of those that
    do on objects, or code that changes nothing; one that stands in several places may be among both."""
    found: dict[bool, set[int]] = {True: set(), False: set()}
    seen = _of_which_exceptions_are_seen(program)
    for statement in core.walk(program.body):
        if isinstance(statement, core.Assign):
            op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
            silent = statement.op is op and id(statement) in facts.silent - seen
            found[silent or _is_quiet(facts, statement, op)].add(id(op))
    return found


def _of_which_exceptions_are_seen(program: core.Function) -> Set[int]:
    """The statements in attempts with exceptions that something looks into, or may ask for: these may have a
    gradient, which is followed where the call is caught by itself."""
    statements = list(core.walk(program.body))
    handled = [one for one in statements if isinstance(one, core.Handle)]
    asked = {getattr(one.failure, "name", "") for one in handled if any(map(_may_ask, core.walk(one.body)))}
    used = looked_into(program) | asked
    attempts = [one for one in statements if isinstance(one, core.Attempt)]
    return {id(inner) for one in attempts if one.failure in used for inner in core.walk(one.body)}


def _may_ask(statement: core.Statement) -> bool:
    """Whether a statement may call what asks for the exception that is being handled."""
    op = statement.op if isinstance(statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.Call):
        return not (isinstance(op.func, core.Path) and op.func.scope in ("helper", "builtin"))
    return isinstance(op, core.Yield) or (isinstance(op, core.CallMethod) and op.name not in PLAIN_METHODS)


PLAINLY = (bool, float, int, len, isinstance, type)
"""Builtins that change nothing where they run no code of a class."""


def _is_quiet(facts: Facts, statement: core.Assign, op: core.Op) -> bool:
    if not (isinstance(op, LOOKS) or _calls_plainly(facts, statement, op)) or id(statement) in facts.entered:
        return False
    atoms = list(operands(op))
    known = all(isinstance(atom, core.Const) or (id(statement), atom.name) in facts.values for atom in atoms)
    return known and not runs_code(facts, statement, op, [facts.value(statement, atom) for atom in atoms])


def _calls_plainly(facts: Facts, statement: core.Assign, op: core.Op) -> bool:
    """Whether an operation is a call of a builtin, or of what has a rule, that changes nothing itself."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
        return False
    found = facts.calls.get(id(statement))
    if isinstance(found, ByRule):
        return found.rule.writes is None
    callee = facts.objects.get(op.func.names)
    return isinstance(found, Plain | Intrinsic) and any(callee is known for known in PLAINLY)


def note_unseen_code(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> None:
    """Forget what is known of fields where a statement may have run code that may have changed them."""
    if runs_code(run.facts, statement, statement.op, values):
        fields.forget(run, env)


def runs_code(facts: Facts, statement: core.Assign, op: core.Op, values: list[Value]) -> bool:
    """Whether an operation may run code of a class; what calls of known functions do is noted elsewhere."""
    kinds = [value.kind for value in values]
    if is_asked_for_its_truth(facts, statement) or any(isinstance(kind, Never) for kind in kinds):
        return False  # where there is no value yet, the operation is not come to
    entered = isinstance(op, core.GetItem | core.Binary | core.Unary) and id(statement) in facts.entered
    return not entered and _may_run_code(facts, statement, op, kinds)


def _may_run_code(facts: Facts, statement: core.Assign, op: core.Op, kinds: list[Kind]) -> bool:
    match op:
        case core.Copy() | core.Read() | core.ReadCell() | core.MakeFunction() | core.Caught():
            return False
        case core.Compare("is" | "is not"):
            return False
        case core.Truth() | core.Unary("not"):
            kind = something(kinds[0])
            return not isinstance(kind, HOLDING) and fields.may_have_code(kind)
        case core.GetAttr():
            plain = id(statement) in facts.fields or id(statement) in facts.entered
            return not plain and fields.may_run(Value(kinds[0]))
        case core.GetItem(_, index):
            return _item_runs_code(kinds, len(list(index_atoms(index))))
        case core.Display(kind):
            return kind == "set" and any(map(fields.may_have_code, kinds))
        case core.Call() | core.CallMethod():
            return _call_runs_code(facts, statement, op, kinds)
    asked = _asked_in_dict(op, kinds) if isinstance(op, core.DictDisplay) else kinds
    return any(map(fields.may_have_code, asked))


def _asked_in_dict(op: core.DictDisplay, kinds: list[Kind]) -> list[Kind]:
    """The kinds of the keys that a dict is made of, and of what it is filled with."""
    asked = {value if key is None else key for key, value in op.items}
    return [kind for atom, kind in zip(operands(op), kinds, strict=True) if atom in asked]


def _item_runs_code(kinds: list[Kind], count: int) -> bool:
    known = isinstance(kinds[0], (*HOLDING, Array, NumberOrArray, Text))
    return not known or any(map(fields.may_have_code, kinds[1 : 1 + count]))


def _call_runs_code(
    facts: Facts, statement: core.Assign, op: core.Call | core.CallMethod, kinds: list[Kind]
) -> bool:
    if id(statement) in facts.entered or isinstance(facts.calls.get(id(statement)), Dynamic):
        return False  # what these do is noted where they are found
    if facts.calls.get(id(statement)) in CHANGES_OF_ENTRIES:
        return False
    if isinstance(op, core.CallMethod):
        plain = isinstance(kinds[0], List | Dict) and op.name in PLAIN_METHODS
        return any(map(_asks, kinds[1:])) if plain else any(map(fields.may_have_code, kinds))
    callee: Any = facts.objects.get(op.func.names) if isinstance(op.func, core.Path) else None
    if any(callee is known for known in ASKING_NOTHING):
        return False
    if any(callee is known for known in LOOKING):
        return any(fields.may_have_code(kind) and not _is_of_scipy(kind) for kind in kinds)
    if callee in (len, list, tuple) and len(kinds) == 1:
        return fields.may_run(Value(kinds[0]))
    return any(map(fields.may_have_code, kinds))


def _is_of_scipy(kind: Kind) -> bool:
    """Whether something is an object of a class of SciPy's, and of no other one that inherits from it."""
    return isinstance(kind, Object) and kind.cls.__module__.partition(".")[0] == "scipy"


def _asks(kind: Kind) -> bool:
    """Whether an argument of a plain method may be walked over, or looked up, by code of its own."""
    asks_nothing = isinstance(kind, Object) or is_still_function(kind)
    return isinstance(kind, Iterator) or (fields.may_run(Value(kind)) and not asks_nothing)


def is_still_function(kind: Kind) -> bool:
    """Whether what is of a kind is a function in Python, of which no other code is run than it is."""
    return all(isinstance(option, LocalFunction | Known) for option in options_of(kind))
