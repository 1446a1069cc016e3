"""Writes to parts of values: items, attributes, and what is found by a global name."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from zygpy.analyse import fields, transfer
from zygpy.analyse.containers import note_key
from zygpy.analyse.data_of_classes import is_data, keeps_data
from zygpy.analyse.effects import (
    NO_CONTENT,
    activate,
    changed_one,
    escape,
    is_apart,
    note_inside,
    note_write,
    store_into,
    store_into_field,
)
from zygpy.analyse.held_kinds import as_shown, with_content
from zygpy.analyse.iterated import element_of
from zygpy.analyse.opaque import note_objects_outside, run_by_an_operation
from zygpy.analyse.plain_entries import note_store
from zygpy.analyse.questions import is_lost_index, refuse_lost_answer
from zygpy.analyse.run import Run
from zygpy.analyse.sites import OUTSIDE, everything, extracted, reachable, sites_of, with_holders
from zygpy.analyse.values import Environment, Value, is_inert_outside, make
from zygpy.ir import core
from zygpy.ir.access import OF_EXCEPTIONS, index_atoms, read
from zygpy.ir.classes import HEAP_TYPE, STATEFUL
from zygpy.ir.kinds import (
    NEVER,
    NOTHING,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    Object,
    Optional,
    Text,
    Unknown,
    is_mutable,
    is_numeric,
    join_all,
    kind_of,
)
from zygpy.marks import is_marked
from zygpy.runtime.lookup import AT_ITS_END, acts_at_its_end, in_class


def note_escape(run: Run, stored: Value) -> None:
    """What others find by the variable that they share, they find by identity."""
    if run.facts.way.identity:
        run.facts.shared |= reachable(stored.sites)


def write(run: Run, statement: core.Statement, env: Environment) -> None:
    """A write to a part of what a variable holds."""
    _note_method(run, statement, env)
    _note_code(run, statement, env)
    match statement:
        case core.SetItem(target, index, value, _):
            _note_flat(run, run.value(target, env), run.value(value, env))
            _note_slice(run, target, index, run.value(value, env), env)
            _note_index(run, statement, env)
            _refuse_converted(run, statement, run.value(target, env), run.value(value, env))
            note_store(run, statement, env)
            stored = _stored_items(run, run.value(target, env), index, run.value(value, env), env)
            stored = _under_key(run, run.value(target, env), index, stored, env)
            store_into(run, statement, target, stored, env, index)
        case core.AugmentItem(target, index, _, value, _):
            _note_index(run, statement, env)
            _note_flat(run, run.value(target, env), run.value(value, env))
            _note_slice(run, target, index, run.value(value, env), env)
            _changes_an_item(run, statement, target, run.value(value, env), env)
            _grow_items(run, statement, run.value(value, env), env)
            added = _stored_items(run, run.value(target, env), index, run.value(value, env), env)
            added = _under_key(run, run.value(target, env), index, added, env)
            store_into(run, statement, target, added, env, keys=NEVER)  # it has the key
        case core.SetAttr(name=name) if name in OF_EXCEPTIONS:
            pass
        case core.SetAttr(target, _, value, _) | core.AugmentAttr(target, _, _, value, _):
            _grow_items(run, statement, run.value(value, env), env)
            _refuse_acting(run, statement, run.value(target, env), run.value(value, env))
            _write_attribute(run, statement, target, run.value(value, env), env)
        case core.DelItem(target):
            _note_deletion(run, run.value(target, env))
            _note_index(run, statement, env)
            store_into(run, statement, target, NO_CONTENT, env)
        case core.DelAttr(target):
            _write_attribute(run, statement, target, NO_CONTENT, env)


def _under_key(run: Run, target: Value, index: core.Index, stored: Value, env: Environment) -> Value:
    """What is stored: what is read from a dict is followed where a number that may have a gradient becomes a
    key of it, or a part of one: `d[x, y] = v`."""
    carries = any(note_key(run, target, run.value(atom, env)) for atom in index_atoms(index))
    return make(UNKNOWN, True, stored.sites) if carries else stored


def _stored_items(run: Run, target: Value, index: core.Index, stored: Value, env: Environment) -> Value:
    """What becomes an item of a list: each item of what is stored in a slice of it."""
    if not isinstance(target.kind, List):
        return stored
    if isinstance(index, core.Slice):
        return element_of(stored)
    if transfer.may_be_slice(index, lambda atom: run.value(atom, env).kind):
        return make(UNKNOWN, stored.active, everything(stored.sites))
    return stored


def _refuse_converted(run: Run, statement: core.SetItem, target: Value, stored: Value) -> None:
    """An array of numbers keeps what it makes of an object that is stored in it."""
    converted = isinstance(stored.kind, Object) and stored.kind.cls.__flags__ & HEAP_TYPE
    if converted and stored.active and isinstance(target.kind, Array):
        why = "an object is stored in an array of numbers, and what NumPy makes of it is not seen"
        run.refuse(statement, why, "store a number or an array that a method gives, as `float(...)` does")


def _refuse_acting(
    run: Run, statement: core.SetAttr | core.AugmentAttr, target: Value, stored: Value
) -> None:
    """What an object does at its end, it does with what it is given."""
    acting = isinstance(target.kind, Object) and acts_at_its_end(target.kind.cls)
    if acting and (stored.active or run.facts.way.identity):
        run.refuse(statement, *AT_ITS_END)


def _note_index(
    run: Run, statement: core.SetItem | core.AugmentItem | core.DelItem, env: Environment
) -> None:
    """A method of a thing outside may keep the index by which it changes something."""
    target = run.value(statement.target, env)
    given = any(run.value(atom, env).active for atom in index_atoms(statement.index))
    if given and isinstance(target.kind, Unknown | Object) and is_inert_outside(target):
        run.everywhere()


def _note_deletion(run: Run, container: Value) -> None:
    """Of a list, what is behind an item moves, and of a container of unknown kind it is not known."""
    if isinstance(container.kind, Unknown) and container.active:
        run.by_identity()


def _note_method(run: Run, statement: core.Statement, env: Environment) -> None:
    """A change of an item that a method of the user's makes is followed by identity."""
    if not isinstance(statement, core.SetItem | core.AugmentItem | core.DelItem):
        return
    if is_lost_index(statement.index, lambda atom: run.value(atom, env)):
        refuse_lost_answer(run, statement)
    kind = run.value(statement.target, env).kind
    cls = kind.cls if isinstance(kind, Object) and not is_marked(kind.cls, STATEFUL) else object
    methods = (in_class(cls, name) for name in CHANGING_ITEMS)
    active = any(run.value(core.Var(name), env).active for name in read(statement))
    if active and any(isinstance(method, FunctionType) for method in methods):
        run.by_identity()


def _note_operation(run: Run, statement: core.Statement, env: Environment) -> None:
    """What a write gives to a method of a class may be used, and kept, by code in Python."""
    values = [run.value(core.Var(name), env) for name in read(statement)]
    if isinstance(statement, core.AugmentItem):
        target = run.value(statement.target, env)
        item = make(_kind_in(target.kind, statement.index), False, extracted(target.sites))
        unknown = isinstance(item.kind, Unknown) and not run.facts.way.guarded
        if unknown and is_inert_outside(item) and any(value.active for value in values):
            run.everywhere()  # it may be an object that is changed in place
        note_objects_outside(run, statement, [*values, item])
    elif isinstance(statement, core.SetItem | core.DelItem):
        target = run.value(statement.target, env)
        if isinstance(target.kind, List | Dict):  # which asks nothing of what is put there
            values = [run.value(atom, env) for atom in index_atoms(statement.index)]
    run_by_an_operation(run, statement, values, env)


def _kind_in(kind: Kind, index: core.Index) -> Kind:
    """The kind of what an index finds in a container."""
    if isinstance(kind, Dict):
        items: dict[Any, Kind] = dict(kind.items or ())
        if isinstance(index, core.Const) and index.value in items:
            return items[index.value]
        return join_all([*items.values(), kind.element])
    return kind.element if isinstance(kind, List) else NOTHING


def _note_code(run: Run, statement: core.Statement, env: Environment) -> None:
    """Code of a class may run where an item is changed."""
    if isinstance(statement, core.SetItem | core.AugmentItem | core.DelItem):
        _note_operation(run, statement, env)
        asked = [run.value(atom, env) for atom in (statement.target, *index_atoms(statement.index))]
        augmented = isinstance(statement, core.AugmentItem) and fields.may_have_code(asked[0].kind)
        if augmented or any(map(fields.may_run, asked)):
            fields.forget(run, env)
        if isinstance(statement, core.AugmentItem) and isinstance(asked[0].kind, List | Dict):
            added = run.value(statement.value, env).kind
            if not is_apart(run, asked[0]):
                item = transfer.binary(statement.op, asked[0].kind.element, added)
                fields.store_items(run, env, item, changed_one(run, asked[0], statement.index, env))


CHANGING_ITEMS = ("__setitem__", "__delitem__")


def _note_flat(run: Run, target: Value, stored: Value) -> None:
    """What is written to an array through its `flat` is followed by identity."""
    flat = isinstance(target.kind, Object) and target.kind.cls is np.flatiter
    if flat and (target.active or stored.active):
        run.by_identity()


def _note_slice(run: Run, target: core.Atom, index: core.Index, stored: Value, env: Environment) -> None:
    """What takes the place of a list's slice is known when the program runs."""
    value = run.value(target, env)
    whole = isinstance(index, core.Slice) or (
        isinstance(index, core.Var) and not is_numeric(run.value(index, env).kind)
    )
    if isinstance(value.kind, List) and whole and (value.active or stored.active):
        run.by_identity()


def _changes_an_item(
    run: Run, statement: core.Statement, target: core.Atom, added: Value, env: Environment
) -> None:
    """`xs[i] op= v` may change the item itself, which others may hold."""
    value = run.value(target, env)
    active = value.active or added.active
    if isinstance(target, core.Var) and target.name in env and not isinstance(value.kind, Array) and active:
        if isinstance(value.kind, List | Dict) and not any(map(is_mutable, _kinds_of_items(value.kind))):
            return
        if not isinstance(value.kind, Unknown) or run.facts.way.identity:
            run.by_identity()
            note_write(run, statement, target.name, env)
            note_inside(run, target.name, env)
            if added.active:
                activate(env, everything(value.sites))


def _grow_items(run: Run, statement: core.Statement, added: Value, env: Environment) -> None:
    """`xs[i] += ys` and `o.name += ys`: a list or dict that is found there has more in it by all names."""
    if not isinstance(statement, core.AugmentItem | core.AugmentAttr):
        return
    if is_numeric(added.kind) or isinstance(added.kind, Text):
        return
    value, item = run.value(statement.target, env), grown_by(statement.op, added)
    fields.store_items(run, env, item.kind)
    changed = with_holders(extracted(value.sites))
    for name, other in list(env.items()):
        live = isinstance(other.kind, List | Dict | Iterator | Optional)
        if live and not other.sites.isdisjoint(changed - value.sites):
            env[name] = as_shown(with_content(other, item, UNKNOWN), UNKNOWN, item.kind, UNKNOWN)


def _kinds_of_items(kind: List | Dict) -> list[Kind]:
    """The kinds of what is found in a list or dict by indices or keys."""
    known = kind.items or () if isinstance(kind, Dict) else ()
    return [kind.element, *[item for _, item in known]]


def _write_attribute(
    run: Run, statement: AttributeWrite, target: core.Atom, stored: Value, env: Environment
) -> None:
    """`target.name = stored`: an object's fields are found by identity."""
    value = run.value(target, env)
    if stored.active or value.active:
        run.by_identity()
    if isinstance(value.kind, Known) and isinstance(target, core.Var):
        _write_to_known(run, statement, target.name, stored, env)
    elif isinstance(target, core.Var) and _is_field(run, statement, value.kind, stored.kind):
        stored = stored._replace(kind=_set_kind(run, statement, value.kind, stored.kind))
        store_into_field(run, statement, target.name, statement.name, stored, env)
    else:
        if isinstance(value.kind, Array):  # `b.real = ...`: through a door, which knows memory alone
            run.facts.shared |= reachable(value.sites) | reachable(stored.sites)
        if not value.sites and isinstance(target, core.Var):  # one of several classes, modules or functions
            env[target.name] = make(value.kind, value.active, sites_of(OUTSIDE))
        fields.forget(run, env)
        _note_operation(run, statement, env)
        store_into(run, statement, target, stored, env)


AttributeWrite: TypeAlias = core.SetAttr | core.AugmentAttr | core.DelAttr


def _write_to_known(
    run: Run, statement: AttributeWrite, target: str, stored: Value, env: Environment
) -> None:
    """A class, a module or a function holds data."""
    kind: Kind = UNKNOWN
    if keeps_data(run, statement, env[target], stored):
        kind = env[target].kind
    else:
        fields.forget(run, env)
    escape(run, env, stored)
    write_outside(run, statement, stored)
    everywhere = run.facts.way.everywhere
    run.facts.writes[id(statement)] = frozenset({target})
    env[target] = make(UNKNOWN if everywhere else kind, everywhere, sites_of(OUTSIDE))


def _is_field(run: Run, statement: AttributeWrite, kind: Kind, stored: Kind) -> bool:
    """Whether a write to an attribute sets a field, and runs no code."""
    run.facts.fields.discard(id(statement))
    if isinstance(statement, core.DelAttr) or not fields.may_set(run, kind, statement.name):
        return False
    if isinstance(statement, core.AugmentAttr):
        before = _before(run, statement, kind)
        if before is None or fields.may_have_code(before) or fields.may_have_code(stored):
            return False
    run.facts.fields.add(id(statement))
    return True


def _before(run: Run, statement: core.AugmentAttr, kind: Kind) -> Kind | None:
    """The kind of what a field has that is changed, or a class in its place."""
    found = fields.field_of(run, kind, statement.name)
    return fields.number_with_default(run, kind, statement.name) if found is None else found


def _set_kind(run: Run, statement: AttributeWrite, kind: Kind, stored: Kind) -> Kind:
    """The kind of what a write leaves in a field."""
    if not isinstance(statement, core.AugmentAttr):
        return stored
    before = _before(run, statement, kind)
    assert before is not None
    return transfer.binary(statement.op, before, stored)


def write_outside(run: Run, statement: core.Statement, value: Value) -> None:
    run.facts.outside = True
    run.facts.fills |= value.active or not is_data(value.kind)
    run.facts.written |= sites_of(OUTSIDE)
    if run.facts.way.guarded and isinstance(statement, core.WriteGlobal) and isinstance(value.kind, Unknown):
        run.facts.guarded.add(id(statement))
    elif value.active or _is_made_later(run, statement, value):
        run.everywhere()


def _is_made_later(run: Run, statement: core.Statement, value: Value) -> bool:
    """Whether something that can be changed is bound where there is nothing of the sort as yet, so that what
    is read there is taken for something else."""
    if not is_mutable(value.kind) or isinstance(value.kind, Known | Closure):
        return False
    if isinstance(statement, core.WriteGlobal):
        present = run.scope.globals.get(statement.name)
    else:
        assert isinstance(statement, core.SetAttr | core.AugmentAttr)
        owner = run.facts.value(statement, statement.target).kind
        present = inspect.getattr_static(getattr(owner, "value", None), statement.name, None)
    return not is_mutable(kind_of(present))


def grown_by(symbol: str, added: Value) -> Value:
    """What a list takes from `+=`, or a dict from `|=`."""
    if symbol != "|":
        return element_of(added)
    kind = added.kind.element if isinstance(added.kind, Dict) else UNKNOWN
    return make(kind, added.active, extracted(added.sites))
