"""Operations other than calls: their abstract values and how they will be differentiated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from inspect import CO_GENERATOR
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.analyse import fields, inner_text, objects, plain_entries, transfer
from zygpy.analyse.arguments import ABSENT
from zygpy.analyse.array_writes import WRITING_METHODS
from zygpy.analyse.binding import bind_rule
from zygpy.analyse.calls import call_known
from zygpy.analyse.candidates import is_changing_method
from zygpy.analyse.classes import class_asked_for, class_of, with_members
from zygpy.analyse.consumed import only_reader
from zygpy.analyse.containers import may_change_a_set, note_key, note_missing_key
from zygpy.analyse.effects import is_of_containers, is_set_kind, mark_written, sites_by_name
from zygpy.analyse.facts import BoundMethod, ByRule, Direct, Dynamic, Guard, Intrinsic, Plain
from zygpy.analyse.fresh import makes_afresh
from zygpy.analyse.only_called import is_only_called
from zygpy.analyse.opaque import (
    changed_by_constants,
    dynamic_call,
    forget_kinds,
    handed_out,
    kept_by_methods,
    note_objects_outside,
    run_by_an_operation,
    run_by_methods,
)
from zygpy.analyse.outside import kind_of_function_outside, kind_of_objects_outside, kind_outside
from zygpy.analyse.paths import MISSING, Resolved
from zygpy.analyse.questions import note_questions
from zygpy.analyse.reach import has_path
from zygpy.analyse.rule_kinds import rule_kind
from zygpy.analyse.run import Run
from zygpy.analyse.signs import is_never_negative, real_power
from zygpy.analyse.sites import (
    BY_NAME,
    NAMED,
    NOWHERE,
    OUTSIDE,
    Sites,
    cell_site,
    contained,
    everything,
    extracted,
    sites_of,
)
from zygpy.analyse.summaries import user_function
from zygpy.analyse.values import Environment, Value, cell_variable, make
from zygpy.ir import core
from zygpy.ir.access import MUTATORS, index_atoms, operands
from zygpy.ir.classes import HEAP_TYPE, STATEFUL, has_operators
from zygpy.ir.kinds import (
    BOOL,
    CLOSURE,
    TEXT,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    LocalFunction,
    Number,
    NumpyScalar,
    Object,
    Row,
    Text,
    Tuple,
    Unknown,
    carrying,
    exact,
    is_numeric,
    is_scalar,
    join_all,
    kind_of,
    may_be_anything,
    row_of,
    something,
)
from zygpy.ir.nodes import is_generator, names_in
from zygpy.marks import is_marked
from zygpy.rules import custom, declare
from zygpy.rules.texts import Parameter, texts
from zygpy.runtime.lookup import in_class, is_computed_of_class
from zygpy.runtime.operations import BINARY, UNARY
from zygpy.runtime.partials import (
    CARRIED,
    RECEIVER,
    class_getitem,
    is_generic,
    takes_parameters,
    with_parameters,
)
from zygpy.runtime.protocols import is_computed
from zygpy.runtime.writing_programs import WRITING_ITSELF


def operation_value(run: Run, statement: core.Assign, op: core.Op, env: Environment) -> Value:
    """The value of an operation; how it is differentiated is noted in the facts."""
    note_questions(run, op, None, env)
    kept_by_methods(run, op, env)
    _note_things(run, op, env)
    match op:
        case core.Copy(value):
            run.facts.calls[id(statement)] = Intrinsic("copy")
            return run.value(value, env)
        case core.Binary() | core.Unary():
            return _arithmetic(run, statement, op, env)
        case core.GetItem():
            return _getitem(run, statement, op, env)
        case core.GetAttr():
            return _getattr(run, statement, op, env)
        case core.Display() | core.DictDisplay():
            return _display(run, statement, op, env)
        case core.MakeFunction():
            return _make_function(run, statement, op, env)
        case core.Caught() | core.Yield():
            return _caught(run, statement, op, env)
    return _read_shared(run, statement, op, env) or _inert(run, statement, op, env)


def _known_field(kind: Kind, name: str) -> Any:
    """The function that reads an attribute of an object of a library's and has a rule; else None."""
    return declare.FIELDS.get((kind.cls, name)) if isinstance(kind, Object) else None


def _note_things(run: Run, op: core.Op, env: Environment) -> None:
    if not _handles_known_fields(run, op, env):
        objects.note_things(run, [run.value(atom, env) for atom in operands(op)])


def _handles_known_fields(run: Run, op: core.Op, env: Environment) -> bool:
    """Whether objects whose attributes have rules are handed on, or one of these is read, and nothing else:
    they are containers, too, whose items are found by identity."""
    if isinstance(op, core.GetAttr):
        return _known_field(run.value(op.value, env).kind, op.name) is not None
    if not isinstance(op, core.Copy | core.Display):
        return False
    kinds = [run.value(atom, env).kind for atom in operands(op)]
    return any(_known_field(kind, "x") is not None for kind in kinds)


def _caught(run: Run, statement: core.Assign, op: core.Caught | core.Yield, env: Environment) -> Value:
    """The value of a call, and its exception; or what is sent in, where an exception is Python's."""
    if isinstance(op, core.Yield):
        return _suspended(run, statement, env)._replace(kind=UNKNOWN)
    if isinstance(op.call, core.Yield):
        return _suspended(run, statement, env)
    values = [run.value(atom, env) for atom in operands(op)]
    found = dynamic_call(run, statement, values, env)
    run.found_when_run(statement)
    failure = NOWHERE if makes_afresh(run, op, env) else sites_of(OUTSIDE)
    return make(Tuple((UNKNOWN, UNKNOWN)), True, found.sites | contained(found.sites) | failure)


def _suspended(run: Run, statement: core.Assign, env: Environment) -> Value:
    """What is sent to a generator: meanwhile others may have changed everything that they know."""
    run.by_identity()
    known = [value for value in env.values() if value.active or NAMED not in value.sites]
    dynamic_call(run, statement, known, env)
    run.found_when_run(statement)
    return make(Tuple((UNKNOWN, UNKNOWN)), True, sites_of(OUTSIDE, run.allocate(statement, env)))


def _read_shared(run: Run, statement: core.Assign, op: core.Op, env: Environment) -> Value | None:
    """The value of a variable that other functions rebind; None where it is nothing of the sort."""
    match op:
        case core.Read(path) if run.facts.way.everywhere and _may_be_rebound(run, path):
            run.facts.calls[id(statement)] = Intrinsic("read global")
            return make(UNKNOWN, True, BY_NAME)
        case core.ReadCell(name):
            run.by_identity()
            run.facts.calls[id(statement)] = Intrinsic("read cell")
            content = env.get(cell_variable(name))
            sites = sites_of(OUTSIDE) if content is None else content.sites
            return make(UNKNOWN, True, sites)
    return None


def _may_be_rebound(run: Run, path: core.Path) -> bool:
    """Whether a path is the name of a global variable that holds data."""
    found = run.resolve(path)
    if path.scope == "global" and path.names[0] in run.scope.replaced:
        return len(path.names) == 1
    if path.scope != "global" or found.depth != len(path.names) or path.names[0] not in run.scope.globals:
        return False
    if type(found.value) in (list, dict, tuple):
        return True
    return not isinstance(kind_of(found.value), Known | Text) and not isinstance(found.value, bool)


def _inert(run: Run, statement: core.Assign, op: core.Op, env: Environment) -> Value:
    match op:
        case core.Read(path):
            return with_members(read_path(run, path), everywhere=run.facts.way.everywhere)
        case core.Compare(symbol, left, right):
            values = [run.value(left, env), run.value(right, env)]
            note_objects_outside(run, statement, values)
            kind = transfer.comparison(symbol, values[0].kind, values[1].kind)
            return handed_out(values, make(kind, False, sites_of(run.allocate(statement, env))))
        case core.Truth():
            return make(BOOL)
        case core.Format():
            return make(TEXT)
    return make(UNKNOWN, False, sites_of(OUTSIDE))


def read_path(run: Run, path: core.Path) -> Value:
    """The value of a global or captured name: never active, and reachable by others."""
    found = run.resolve(path)
    if found.depth == len(path.names):
        kind = (
            _kind_of_function(run, found)
            or kind_of_objects_outside(run, found)
            or kind_outside(run, kind_of(found.value))
        )
        return make(kind, False, sites_by_name(found.value))
    return make(UNKNOWN, False, BY_NAME)


def _kind_of_function(run: Run, found: Resolved) -> Kind | None:
    """The kind of a function that carries something, as long as the name stands for that very function; None
    of anything else."""
    kind: Kind | None = kind_of_function_outside(run, found.value) if found.guards else None
    if is_generic(found.value) and found.guards and not run.is_own():  # it is found by classes what it calls
        kind = Known(found.value)
    if kind is not None:
        last = found.guards[-1]
        run.note(Guard(last.owner, last.name, found.value))
    return kind


def _arithmetic(run: Run, statement: core.Assign, op: core.Binary | core.Unary, env: Environment) -> Value:
    values = [run.value(atom, env) for atom in operands(op)]
    result = handed_out(values, _arithmetic_on(run, statement, op, values, env))
    return result._replace(never_negative=True) if is_never_negative(op, values) else result


def _arithmetic_on(
    run: Run, statement: core.Assign, op: core.Binary | core.Unary, values: list[Value], env: Environment
) -> Value:
    active = any(value.active for value in values)
    if not active:
        changed_by_constants(env, values)
    if isinstance(op, core.Unary):
        kind = transfer.unary(op.op, values[0].kind)
        rule = declare.find(UNARY[op.op]) if op.op in UNARY else None
    else:
        exponent = op.right.value if isinstance(op.right, core.Const) else None
        kind = transfer.binary(op.op, values[0].kind, values[1].kind, exponent)
        kind = real_power(values[0], values[1].kind, kind) if op.op == "**" else kind
        rule = declare.find(BINARY[op.op])
    if any(map(_is_of_methods, values)):
        kind = UNKNOWN
    container = isinstance(kind, List | Tuple | Row)
    site = sites_of(run.allocate(statement, env, container=container))
    known = all(is_numeric(value.kind) for value in values)
    if not known and isinstance(kind, List | Tuple | Dict | Unknown):
        site = site.union(*(_within(value) for value in values))
    if not active or op.op == "not" or (known and (rule is None or rule.style == "none")):
        return make(kind, False, site)
    if rule is not None and not has_path(rule, (v.kind for v in values)):
        return make(kind, False, site)
    if _is_done_for_its_effect(run, statement, values) and run.by_identity():
        return dynamic_call(run, statement, values, env)
    result = _active_arithmetic(run, statement, op, values, make(kind, True, site))
    run_by_an_operation(run, statement, values, env)
    return result


def _is_done_for_its_effect(run: Run, statement: core.Assign, values: list[Value]) -> bool:
    """Whether nobody reads what an operator gives (`log << x`), and it may be a method."""
    methods = any(isinstance(value.kind, Unknown) or _has_operators(value.kind) for value in values)
    return methods and _is_read_by_none(run, statement)


def _is_read_by_none(run: Run, statement: core.Assign) -> bool:
    return not run.is_own() and statement.target not in run.live[id(statement)]


def _active_arithmetic(
    run: Run, statement: core.Assign, op: core.Binary | core.Unary, values: list[Value], result: Value
) -> Value:
    calls, key = run.facts.calls, id(statement)
    # A new object, which may hold what its operands hold (lists), but is neither of them.
    sites = result.sites.union(*(_within(value) for value in values))
    if all(is_numeric(value.kind) for value in values):
        rule = declare.find(BINARY[op.op] if isinstance(op, core.Binary) else UNARY[op.op])
        assert rule is not None
        names = texts(rule).names()
        calls[key] = ByRule(rule, tuple(zip(names, operands(op), strict=True)))
        return result
    if run.facts.way.identity and not isinstance(result.kind, Tuple):
        run.found_when_run(statement)
    elif any(map(_is_of_methods, values)):
        calls[key] = Dynamic()
        run.by_identity()
    elif isinstance(op, core.Binary) and op.op == "+" and isinstance(result.kind, List | Tuple | Row):
        calls[key] = Intrinsic("concatenate")
    elif isinstance(op, core.Binary) and op.op == "*" and _repeats(*(value.kind for value in values)):
        calls[key] = Intrinsic("repeat")
    else:
        calls[key] = Dynamic()
        if any(_has_operators(value.kind) or isinstance(value.kind, Dict) for value in values):
            run.by_identity()
    return make(result.kind, True, sites)


def _is_of_methods(value: Value) -> bool:
    """Whether a value is a named tuple whose operators are methods."""
    return isinstance(value.kind, Tuple) and _has_operators(value.kind)


def _repeats(left: Kind, right: Kind) -> bool:
    """Whether a product is that of a list or tuple and a whole number."""
    if isinstance(right, List | Tuple | Row):
        left, right = right, left
    whole = isinstance(right, Number) and right.types <= {"bool", "int"}
    return isinstance(left, List | Tuple | Row) and (whole or right in (NumpyScalar("i"), NumpyScalar("b")))


def _has_operators(kind: Kind) -> bool:
    """Whether operators on objects of a class may run code in Python."""
    if isinstance(kind, Tuple):
        return kind.cls is not None and has_operators(kind.cls)
    return isinstance(kind, Object) and bool(kind.cls.__flags__ & HEAP_TYPE)


def _within(value: Value) -> Sites:
    """What an object can reach that is made of a value, or of its elements."""
    known = isinstance(value.kind, List | Dict)
    return transfer.contents(value) if known else contained(value.sites)


def _run_by_an_index(
    run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment
) -> None:
    """Reading an item may run code in Python; not that of a builtin container, by what is not known to be an
    object: a number, a text, or something with no more than a hash."""
    asked = [run.value(atom, env) for atom in operands(op)]
    by_object = any(isinstance(index.kind, Object) for index in asked[1:])
    builtin = isinstance(kind, List | Dict | Tuple | Row | Array | Text)
    if run.facts.way.identity or by_object or not builtin:
        run_by_an_operation(run, statement, asked, env)


def _getitem(run: Run, statement: core.Assign, op: core.GetItem, env: Environment) -> Value:
    note_missing_key(run, statement, op, env)
    value = with_members(_asked_for_an_item(run, op, env), everywhere=run.facts.way.everywhere)
    by_method = _item_by_method(run, statement, op, value.kind, env)
    if by_method is not None:
        return by_method
    kind = transfer.getitem(value.kind, op.index, lambda atom: run.value(atom, env).kind)
    unknown = transfer.may_be_slice(op.index, lambda atom: run.value(atom, env).kind)
    if isinstance(value.kind, List) and isinstance(op.index, core.Slice):
        site = run.allocate(statement, env, container=True)
        sites = contained(extracted(value.sites)) | sites_of(site)
    else:
        sites = extracted(value.sites) | sites_of(run.allocate(statement, env))
        sites |= contained(sites) if unknown else NOWHERE

    _run_by_an_index(run, statement, op, value.kind, env)
    if _computes_items(run, value, op.index, env):
        if run.by_identity():
            run.found_when_run(statement)
        return make(UNKNOWN, True, everything(sites) | sites_of(OUTSIDE))
    if value.active and _is_missing(value.kind, op.index):
        return make(kind, False)  # reading it raises what Python raises
    if value.active and unknown and isinstance(value.kind, List | Tuple | Row):
        run.found_when_run(statement)
    elif value.active:
        _note_item(run, statement, op, value.kind, env)
    result = make(kind, value.active, sites)
    return _by_its_method(run, op, result, env) if isinstance(value.kind, Object | Known) else result


def _by_its_method(run: Run, op: core.GetItem, result: Value, env: Environment) -> Value:
    """What a method of an object gives, which may be the index too."""
    return handed_out([run.value(atom, env) for atom in operands(op)], result)


def _item_by_method(
    run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment
) -> Value | None:
    """`C[...]` of a class, and `o[...]` that nobody reads, where what varies in the index may be there to be
    kept; None of any other item."""
    if may_be_anything(kind) and _is_read_by_none(run, statement):
        given = any(run.value(atom, env).active for atom in index_atoms(op.index))
        if given and run.by_identity():
            return dynamic_call(run, statement, [run.value(atom, env) for atom in operands(op)], env)
    return _item_of_class(run, statement, op, kind, env)


def _item_of_class(
    run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment
) -> Value | None:
    """`C[...]` of a generic class, and of one that says in Python what that gives, which may be anything, and
    may keep what it is given; None of anything else."""
    cls = kind.value if isinstance(kind, Known) else None
    if takes_parameters(cls):
        return make(Known(with_parameters(cls)))
    if class_getitem(cls) is None:
        return None
    values = [run.value(atom, env) for atom in operands(op)]
    if any(value.active for value in values):
        run.everywhere()
    return dynamic_call(run, statement, values, env)


def _asked_for_an_item(run: Run, op: core.GetItem, env: Environment) -> Value:
    """What is asked for an item: of unknown kind, it may be an object that computes with the index."""
    value = run.value(op.value, env)
    given = any(run.value(atom, env).active for atom in index_atoms(op.index))
    return value._replace(active=True) if given and may_be_anything(value.kind) else value


def _note_item(run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment) -> None:
    """How the reading of an item is differentiated."""
    found = run.facts.values.get((id(statement), getattr(op.index, "name", "")))
    listed = found is not None and isinstance(found.kind, List | Tuple | Row)
    if isinstance(kind, Array) and not (listed and run.facts.way.identity):
        run.facts.calls[id(statement)] = Intrinsic("array item")
    elif plain_entries.note_read(run, statement, op, kind, env):
        return
    elif run.facts.way.identity and not (isinstance(kind, Tuple) and _is_literal(op.index)):
        run.found_when_run(statement)
    elif isinstance(kind, Tuple | List | Row | Dict):
        run.facts.calls[id(statement)] = Intrinsic("item")
    else:
        run.facts.calls[id(statement)] = Dynamic()


def _computes_items(run: Run, value: Value, index: core.Index, env: Environment) -> bool:
    """Whether an object may compute with the index, or with what it holds, when it is asked for an item."""
    if not isinstance(value.kind, Object) or is_marked(value.kind.cls, STATEFUL):
        return False
    if issubclass(value.kind.cls, np.ndarray):
        return False
    if issubclass(value.kind.cls, dict):
        return value.active  # where a key is missing, another class of dicts may compute what it gives
    method = in_class(value.kind.cls, "__getitem__")
    given = (run.value(atom, env) for atom in index_atoms(index))
    return isinstance(method, FunctionType) and (value.active or any(item.active for item in given))


def _is_missing(kind: Kind, index: core.Index) -> bool:
    """Whether an index is known to be no index of a tuple."""
    if not (isinstance(kind, Tuple) and isinstance(index, core.Const)):
        return False
    count = len(kind.items)
    return not isinstance(index.value, int) or not -count <= index.value < count


def _is_literal(index: core.Index) -> bool:
    """Whether an index is known beforehand."""
    if isinstance(index, core.Slice):
        return transfer.constant_slice(index) is not None
    return isinstance(index, core.Const)


INERT_ATTRIBUTES = frozenset(
    {"__class__", "__doc__", "__module__", "__name__", "__qualname__", "__traceback__"}
)
"""Attributes that hold no numbers."""


def _getattr(run: Run, statement: core.Assign, op: core.GetAttr, env: Environment) -> Value:
    value = run.value(op.value, env)
    if is_numeric(value.kind) and op.name in declare.ATTRIBUTES:
        return by_rule_unary(run, statement, declare.ATTRIBUTES[op.name], op.value, env)
    known = _known_field(value.kind, op.name)
    if known is not None and not run.facts.way.identity:
        return by_rule_unary(run, statement, known, op.value, env)
    if isinstance(value.kind, Known):
        return _attribute_of_known(run, statement, op.name, value.kind.value)
    found = _class_of(run, statement, op, value) or _by_custom_rule(run, statement, op, value, env)
    found = found or _attribute_of_data(run, statement, op, value, env)
    if found is not None:
        return found
    return _attribute_found(run, statement, op, value, env)


def _attribute_found(
    run: Run, statement: core.Assign, op: core.GetAttr, value: Value, env: Environment
) -> Value:
    """The value of `o.name` where that is found when the program runs, and may run code."""
    if _runs_code(value, op.name):
        run_by_methods(run, statement, [value], env)
        forget_kinds(env, [value])
        if value.active and isinstance(value.kind, Object) and not run.is_own():
            run.by_identity()
    given = any(other.active for other in env.values())
    active = given and _may_give_active(value, op.name)
    found_by_identity = _is_found_by_identity(run, value.kind, op.name, active=active, given=given)
    if found_by_identity or (given and is_changing_method(run, value.kind, op.name)):
        run.by_identity()
    if given and _may_bind_a_change(value.kind, op.name):
        mark_written(run, value.sites)
    if active:
        run.found_when_run(statement)
        if op.name in ("flat", "__dict__"):
            run.by_identity()
    elif op.name == "flat" and isinstance(value.kind, Array):
        return make(Object(np.flatiter), False, value.sites)
    return make(UNKNOWN, active, _sites_of_attribute(value, op.name))


def _runs_code(value: Value, name: str) -> bool:
    """Whether reading an attribute of an object runs code in Python that its class brings."""
    if isinstance(value.kind, Unknown):
        return True
    if not isinstance(value.kind, Object):
        return False
    asked = in_class(value.kind.cls, "__getattribute__", None)
    return (
        is_computed(value.kind.cls, name) or isinstance(asked, FunctionType) or _is_given_by_code(value, name)
    )


def _class_of(run: Run, statement: core.Assign, op: core.GetAttr, value: Value) -> Value | None:
    """The value of `o.__class__`, in which what is stored is outside; None of another attribute, or where the
    object says itself what that is."""
    if op.name != "__class__":
        return None
    cls = class_of(value.kind)
    plain = cls is None or in_class(cls, "__class__") is in_class(object, "__class__")
    if plain and cls is not None and in_class(cls, "__getattribute__") is object.__getattribute__:
        run.facts.entered.add(id(statement))  # it runs no code
    return class_asked_for(run, value.kind) if plain else None


def _may_give_active(value: Value, name: str) -> bool:
    """Whether what an attribute gives may be active, or, as the keywords of a partial call, become so."""
    if isinstance(value.kind, Closure) and name == "keywords":
        return True
    return value.active and name not in INERT_ATTRIBUTES


def _sites_of_attribute(value: Value, name: str) -> Sites:
    """Where what an attribute gives may lie: in the object, or in its class, which is outside."""
    if name == "__class__":
        return BY_NAME
    if is_numeric(value.kind):
        return value.sites
    own = _is_own(value.kind, name) and not _is_given_by_code(value, name)
    return everything(value.sites if own else value.sites | BY_NAME)


def _is_given_by_code(value: Value, name: str) -> bool:
    """Whether an object in a class gives an attribute, by a `__get__` in Python, or a property does that
    caches what it gives: they may give anything."""
    found = in_class(value.kind.cls, name) if isinstance(value.kind, Object) else None
    if isinstance(found, functools.cached_property):
        return not value.active
    return isinstance(in_class(type(found), "__get__", None), FunctionType)


def _by_custom_rule(
    run: Run, statement: core.Assign, op: core.GetAttr, value: Value, env: Environment
) -> Value | None:
    """The value of `o.name` where a user has declared how that is differentiated; None of any other."""
    cls = getattr(value.kind, "cls", None)
    if not value.active or cls is None or not custom.ATTRIBUTES:
        return None
    stand_in = run.oracle.stand_in_of_attribute(cls, op.name)
    if stand_in is None:
        return None
    if run.facts.way.identity:
        return dynamic_call(run, statement, [value], env)
    return user_function(run, statement, stand_in, ((op.value,), ()), [value], env)


GROWING = MUTATORS | {"appendleft", "extendleft"}
"""The names of methods by which containers of other classes may get something."""

CHANGING = frozenset({"__setitem__", "__iadd__", "__imul__", "__ior__", "__init__"})
"""The names of methods behind statements and constructors by which a container may get something."""

OF_CONTAINERS = frozenset().union(*map(dir, (list, dict, set)))
"""The names of the methods of containers."""


def _is_found_by_identity(run: Run, kind: Kind, name: str, *, active: bool, given: bool) -> bool:
    """Whether an attribute is followed by identity alone: what a function carries, whatever a container of
    another class has, and a method that may give what is active in a container to whoever calls it, or by
    which the container may be `given` what is active. (zygpy's own programs call such methods themselves.)"""
    if given and not isinstance(kind, Unknown) and _may_bind_a_change(kind, name):
        return True
    if isinstance(kind, List | Dict) or is_set_kind(kind):
        return active and name in OF_CONTAINERS and not run.is_own()
    if isinstance(kind, Closure):
        return active and name in CARRIED
    return active and is_of_containers(kind)


def _may_bind_a_change(kind: Kind, name: str) -> bool:
    """Whether an attribute may be a method of a container, or of an array, by which somebody may change it
    later."""
    if isinstance(kind, Array):
        return name in WRITING_METHODS or name in WRITING_ITSELF
    if isinstance(kind, List | Dict | Unknown) or is_set_kind(kind):
        return name in MUTATORS or name in CHANGING or may_change_a_set(name, 1)
    return is_of_containers(kind) and (name in GROWING or name in CHANGING)


def _attribute_of_known(run: Run, statement: core.Assign, name: str, owner: Any) -> Value:
    """An attribute of a class, module or function that is known."""
    if isinstance(owner, type) and is_computed_of_class(owner, name):
        if run.facts.way.everywhere:
            run.found_when_run(statement)
        return make(UNKNOWN, run.facts.way.everywhere, BY_NAME)
    found = getattr(owner, name, None)
    kind = UNKNOWN if name in run.scope.replaced else kind_of(found)
    if run.facts.way.everywhere and not isinstance(kind, Known):
        run.found_when_run(statement)
        return make(UNKNOWN, True, BY_NAME)
    if not hasattr(owner, name):  # what runs only where it has one
        run.note(Guard(owner, name, MISSING))
    elif not isinstance(kind, Known):
        run.note(Guard(owner, name, kind=kind_of(found)))
    elif getattr(owner, name, None) is found:  # and not made each time that it is asked for
        run.note(Guard(owner, name, found))
    return make(kind_outside(run, kind), False, BY_NAME)


def _is_own(kind: Kind, name: str) -> bool:
    """Whether an attribute is an object's own, not one that its class has for all of them. (Where the
    class is not known, that is asked when it is read.)"""
    if isinstance(kind, Array) and name == "flat":
        return True
    if isinstance(kind, Object):
        found = in_class(kind.cls, name)
        return not (isinstance(found, list | dict | np.ndarray) or _is_data(found))
    return isinstance(kind, Unknown)


def _is_data(found: Any) -> bool:
    """Whether what a class has is an object of another one, no function or the like."""
    return isinstance(kind_of(found), Object) and not hasattr(type(found), "__get__")


def _field(run: Run, statement: core.Assign, op: core.GetAttr, value: Value, kind: Tuple) -> Value:
    fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
    if op.name not in fields:
        if value.active and run.facts.way.identity:
            run.found_when_run(statement)
        elif value.active:
            run.facts.calls[id(statement)] = Dynamic()
        return make(UNKNOWN, value.active, value.sites | BY_NAME)
    if value.active:
        run.facts.calls[id(statement)] = Intrinsic("field")
    return make(kind.items[fields.index(op.name)], value.active, extracted(value.sites))


def _attribute_of_data(
    run: Run, statement: core.Assign, op: core.GetAttr, value: Value, env: Environment
) -> Value | None:
    """The value of `o.name` where the kind of a namedtuple, or of an object, tells what that is."""
    if isinstance(value.kind, Tuple) and value.kind.cls is not None:
        computed = fields.of_named_tuple(run, value.kind.cls, op.name)
        if isinstance(computed, property):
            return _of_property(run, statement, computed, op, value, env)
        return _field(run, statement, op, value, value.kind)
    kind = fields.field_of(run, value.kind, op.name)
    run.facts.fields.discard(id(statement))
    if kind is not None:
        return _field_of_object(run, statement, value, kind)
    computed = fields.of_class(run, value.kind, op.name)
    if isinstance(computed, property) and isinstance(computed.fget, FunctionType):
        return _of_property(run, statement, computed, op, value, env)
    if isinstance(computed, FunctionType):
        return _bound_method(run, statement, value, computed, env)
    return _number_or_constant(run, statement, op, value)


def _of_property(
    run: Run, statement: core.Assign, computed: property, op: core.GetAttr, value: Value, env: Environment
) -> Value:
    result = call_known(run, statement, computed.fget, ((op.value,), ()), [value], env)
    if isinstance(run.facts.calls.get(id(statement)), Direct):
        run.facts.entered.add(id(statement))  # what code it runs is known
    return result


def _number_or_constant(run: Run, statement: core.Assign, op: core.GetAttr, value: Value) -> Value | None:
    """The value of `o.name` where it is a number of the object's own or, as long as it has none, of its
    class; or a constant of the class. None of anything else."""
    constant = fields.constant_of_class(run, value.kind, op.name)
    number = fields.number_with_default(run, value.kind, op.name) if constant is None else None
    if constant is None and number is None:
        return None
    run.facts.fields.add(id(statement))
    if number is not None and value.active:
        run.found_when_run(statement)
        return make(number, True, extracted(value.sites))
    run.facts.calls[id(statement)] = Plain()
    return make(number or kind_outside(run, constant or UNKNOWN), False, BY_NAME)


def _bound_method(
    run: Run, statement: core.Assign, value: Value, function: FunctionType, env: Environment
) -> Value | None:
    """The value of `o.name` where it is a method of the object, which is no generator, and has no rule."""
    if function.__code__.co_flags & CO_GENERATOR or not isinstance(kind_of(function), Known):
        return None
    run.facts.entered.add(id(statement))  # it runs no code
    run.facts.calls[id(statement)] = Intrinsic("bound method") if value.active else BoundMethod()
    kind = carrying(function, ((RECEIVER, value.kind),))
    return make(kind, value.active, sites_of(run.allocate(statement, env)) | value.sites)


def _is_in_store(kind: Kind) -> bool:
    """Whether a value of this kind has all of its cotangent in the store."""
    if isinstance(kind, Object):
        return fields.has_fields(kind.cls)
    return isinstance(kind, Array | List | Dict)


def _has_parts_told_apart(kind: Kind) -> bool:
    """Whether it is known what of a value's cotangent is in the store."""
    known = plain_entries.has_places(kind) or plain_entries.is_followed_tuple(kind)
    return is_scalar(kind) or _is_in_store(kind) or known


def _field_of_object(run: Run, statement: core.Assign, value: Value, kind: Kind) -> Value:
    """The value of `o.name` where it is a field of the object."""
    run.facts.fields.add(id(statement))
    result = make(kind, value.active, extracted(value.sites))
    if not result.active:
        run.facts.calls[id(statement)] = Plain()
    elif run.facts.way.identity and not (
        isinstance(kind, LocalFunction) or _has_parts_told_apart(something(kind))
    ):
        run.found_when_run(statement)  # it may hold something of its own besides what is in the store
    else:
        run.facts.calls[id(statement)] = Intrinsic("attribute")
    return result


def by_rule_unary(
    run: Run, statement: core.Assign, function: Callable[..., Any], atom: core.Atom, env: Environment
) -> Value:
    """The value of a primitive of one argument, such as an attribute of an array."""
    rule = declare.find(function)
    value = run.value(atom, env)
    if rule is None:
        run.facts.calls[id(statement)] = Dynamic() if value.active else Plain()
        return make(UNKNOWN, value.active, value.sites)
    bound = bind_rule(texts(rule).parameters or (Parameter("x"),), (atom,), ())
    atoms = [(name, item) for name, item in bound if isinstance(item, core.Var | core.Const)]
    kinds = {name: (run.value(item, env).kind, _literal(item)) for name, item in atoms}
    kind = rule_kind(rule, kinds)
    active = value.active and bool(rule.bars)
    sites = sites_of(run.allocate(statement, env)) | (value.sites if rule.shares else NOWHERE)
    result = make(kind, active, sites)
    run.facts.calls[id(statement)] = ByRule(rule, bound) if result.active else Plain()
    return result


def _literal(atom: core.Atom) -> Any:
    return atom.value if isinstance(atom, core.Const) else ABSENT


def _display(
    run: Run, statement: core.Assign, op: core.Display | core.DictDisplay, env: Environment
) -> Value:
    everywhere = run.facts.way.everywhere
    values = [with_members(run.value(atom, env), everywhere=everywhere) for atom in operands(op)]
    active = any(value.active for value in values)
    for item in op.items if isinstance(op, core.Display) else ():
        if isinstance(item, core.Star):
            run.note_taking_apart(run.value(item.value, env))
    site = sites_of(run.allocate(statement, env, container=True))
    sites = site.union(*(contained(value.sites) for value in values))
    if isinstance(op, core.DictDisplay):
        result = make(_dict_kind(op, run, env), active, sites)
        keys = [run.value(key, env) for key, _ in op.items if key is not None]
        if any(note_key(run, result, key) for key in keys):
            result = make(Dict(None, UNKNOWN), True, sites)
        name = "dict display"
    else:
        walked = not active and isinstance(only_reader(run, statement.target), core.For)
        result = make(_display_kind(op, values, walked=walked), active, sites)
        name = "display"
        if op.kind == "set" and active:
            run.by_identity()
    if result.active:
        run.facts.calls[id(statement)] = Intrinsic(name)
    return result


def _display_kind(op: core.Display, values: list[Value], *, walked: bool) -> Any:
    """The kind of a display; of a set, which may be given other elements, its elements' kind is known where a
    loop walks over it and nobody else knows it."""
    starred = [isinstance(item, core.Star) for item in op.items]
    if op.kind == "tuple" and not any(starred):
        return Tuple(tuple(value.kind for value in values))
    if op.kind == "tuple":
        return _starred_tuple(values, starred)
    kind = _joined(values, starred)
    if op.kind == "list":
        return List(kind)
    return Iterator(kind) if walked else Object(set)


def _joined(values: list[Value], starred: list[bool]) -> Any:
    """The kind that holds all items of a display."""
    pairs = zip(values, starred, strict=True)
    return join_all(transfer.element(value.kind) if star else value.kind for value, star in pairs)


def _starred_tuple(values: list[Value], starred: list[bool]) -> Any:
    items: list[Any] = []
    for value, star in zip(values, starred, strict=True):
        if not star:
            items.append(value.kind)
        elif isinstance(value.kind, Tuple):
            items.extend(value.kind.items)
        elif isinstance(value.kind, List | Row | Array):
            return row_of(_joined(values, starred))
        else:
            return UNKNOWN
    return Tuple(tuple(items))


def _dict_kind(op: core.DictDisplay, run: Run, env: Environment) -> Dict:
    element = join_all(run.value(value, env).kind for _, value in op.items)
    items: dict[Any, Any] = {}
    for key, value in op.items:
        if not (isinstance(key, core.Const) and type(key.value) is str):
            spread = any(key is None for key, _ in op.items)
            keys = join_all(exact(run.value(key, env).kind) for key, _ in op.items if key is not None)
            return Dict(None, UNKNOWN) if spread else Dict(None, element, keys)
        items[key.value] = run.value(value, env).kind
    return Dict(tuple(items.items()), element)


def _make_function(run: Run, statement: core.Assign, op: core.MakeFunction, env: Environment) -> Value:
    captured = [env[name] for name in op.captured if name in env]
    captured += [run.value(atom, env) for atom in op.defaults]
    cells = [name for name in op.captured if name in run.facts.function.cells]
    active = bool(cells) or any(value.active for value in captured) or is_generator(op.node)
    if active:
        run.facts.calls[id(statement)] = Intrinsic("closure")
    if is_generator(op.node) or (
        inner_text.changes_something(op.node) and not is_only_called(run.facts.function, statement.target)
    ):
        run.by_identity()
    unknown = inner_text.changes_what_it_was_handed(op.node, op.captured)
    unknown = unknown or inner_text.stores_in_one_of(op.node, cells)  # who else has it is not known in there
    if unknown or inner_text.stores_outside(op.node, op.captured, run.scope.globals):
        run.everywhere()
    sites = sites_of(run.allocate(statement, env)).union(*(value.sites for value in captured))
    sites = sites.union(*(_in_cell(name, env) for name in cells))
    if not _is_called_directly(run, statement, op):
        return make(Closure(is_generator(op.node)), active, sites)
    return make(_kind_of_made(run, op, env), active, sites)._replace(made=op)


def _kind_of_made(run: Run, op: core.MakeFunction, env: Environment) -> Closure:
    """The kind of a function that the program makes, whose calls may be given what it captured."""
    others = [name for name in op.captured if name != op.name]  # what it is itself is known when it is called
    known = all(name in env and env[name].certain for name in others)
    function = run.oracle.local(op) if known else None
    if function is None:
        return CLOSURE
    kinds = {name: env[name].kind for name in others}
    return carrying(function, tuple([(name, kinds.get(name, CLOSURE)) for name in op.captured]))


def _in_cell(name: str, env: Environment) -> Sites:
    """What a function can reach by a variable that others rebind, or that it rebinds itself."""
    content = env.get(cell_variable(name))
    return sites_of(cell_site(name)) | (contained(content.sites - sites_of(OUTSIDE)) if content else NOWHERE)


def _is_called_directly(run: Run, statement: core.Assign, op: core.MakeFunction) -> bool:
    """Whether calls by this program may give the function what it captured as arguments."""
    if is_generator(op.node):
        return False
    if not all(isinstance(atom, core.Const) for atom in op.defaults):
        return False
    if (statement.target in op.captured and statement.target != op.name) or not {
        "super",
        "__class__",
    }.isdisjoint(names_in(op.node)):
        return False
    return set(run.facts.function.cells).isdisjoint(op.captured)
