"""The abstract interpretation: kinds, activity and storage, forward over the core language."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from zygpy.analyse import fields, transfer
from zygpy.analyse.calls import resolve_call
from zygpy.analyse.classes import shares_data, with_members
from zygpy.analyse.containers import note_key
from zygpy.analyse.effects import (
    NO_CONTENT,
    activate,
    as_shown,
    comes_to_hold_itself,
    escape,
    hand_to_sharers,
    is_apart,
    is_container,
    note_given_away,
    note_held,
    note_inside,
    note_write,
    settle_shared_storage,
    store_into,
    store_into_field,
    with_content,
)
from zygpy.analyse.exceptions import behind_failures, looked_into, may_be_active, may_bring, may_leave_changes
from zygpy.analyse.facts import ByRule, Dynamic, Facts, Intrinsic, Oracle, Plain
from zygpy.analyse.handled import note_asking
from zygpy.analyse.learnt import Question, note_learnt, question_before
from zygpy.analyse.liveness import ending_with, live_after
from zygpy.analyse.methods import resolve_method
from zygpy.analyse.mixed_lists import settle_lists
from zygpy.analyse.opaque import dynamic_call, note_objects_outside, passed_on, run_by_an_operation
from zygpy.analyse.operations import operation_value
from zygpy.analyse.operators import bound_anew, by_method
from zygpy.analyse.paths import Scope
from zygpy.analyse.plain_entries import note_store
from zygpy.analyse.questions import is_lost_key, lost_answer, refuse_lost_answer
from zygpy.analyse.replacing import note_replaced
from zygpy.analyse.run import Run
from zygpy.analyse.signs import gives_no_negative, real_power
from zygpy.analyse.unseen import note_unseen_code
from zygpy.analyse.values import (
    INERT,
    OUTSIDE,
    Environment,
    Site,
    Value,
    cell_variable,
    contained,
    everything,
    extracted,
    holds_inert_outside,
    is_inert_outside,
    join_environments,
    make,
    parameter_site,
    reachable,
    remade,
    with_holders,
    with_newest,
)
from zygpy.analyse.walks import may_run_code
from zygpy.ir import core
from zygpy.ir.access import OF_EXCEPTIONS, assigned, index_atoms, iterable_atoms, operands, read
from zygpy.ir.kinds import (
    HEAP_TYPE,
    INT,
    NOTHING,
    STATEFUL,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    NumberOrArray,
    Object,
    Text,
    Tuple,
    Unknown,
    is_mutable,
    is_numeric,
    join_all,
    kind_of,
)
from zygpy.marks import is_marked
from zygpy.runtime.ways import PLAIN, Way


def interpret(
    function: core.Function,
    arguments: Mapping[str, Value],
    scope: Scope,
    oracle: Oracle,
    way: Way = PLAIN,
    *,
    apart: bool = False,
) -> Facts:
    """Run the interpretation for these abstract arguments.

    Requires: `arguments` has a value for every parameter; their sites are replaced by the
    parameters' own; if `apart`, arguments share nothing that is written. Ensures: facts for every
    reachable statement, at the fixed point.
    """
    facts = Facts(function, way)
    live = live_after(function)
    ending = ending_with(function, live)
    rebound, stored = _rebound(function), _stored(function)
    run = Run(facts, scope, oracle, live, _numbers(function), rebound, ending, stored)
    for guard in scope.rests_on:
        run.note(guard)
    environment = {
        name: make(value.kind, value.active, _sites_of_argument(name, arguments, way, apart))
        for name, value in arguments.items()
    }
    facts.arguments = dict(environment)
    for value in environment.values():
        if isinstance(value.kind, Object) and is_marked(value.kind.cls, STATEFUL):
            run.by_identity()
        if way.identity and isinstance(value.kind, Tuple):
            facts.shared |= value.sites
    walker = _Walker(run)
    walker.block(function.body, environment)
    _write_what_escaped(facts)
    settle_shared_storage(run)
    if not way.identity:
        settle_lists(facts)
    if facts.trusts and _may_change_globals(facts):
        facts.needs = facts.needs._replace(changing=True)
    note_replaced(run)
    if not scope.in_place.isdisjoint(facts.needs.replaced):  # generators that are called
        run.by_identity()
    return facts


def _may_make_exceptions(statement: core.Statement) -> bool:
    """Whether a statement may put something of its operands into an exception."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(statement, core.Raise) or isinstance(op, core.Call | core.CallMethod | core.Caught)


def _write_what_escaped(facts: Facts) -> None:
    """Where something outside may change, so may whatever was stored there at any time."""
    if OUTSIDE not in facts.written:
        return
    facts.written |= with_newest(frozenset(facts.escaped))
    facts.written_parameters |= {str(site[1]) for site in facts.escaped if site[0] == "param"}


def _may_change_globals(facts: Facts) -> bool:
    """Whether a program may change a list or dict that others know, itself or by what it calls."""
    return facts.outside or any(isinstance(found, Dynamic) for found in facts.calls.values())


def _sites_of_argument(name: str, arguments: Mapping[str, Value], way: Way, apart: bool) -> frozenset[Site]:
    """Where things are found by identity, arguments may be one another, or lie in one another; not so an
    object that is new."""
    if way.identity and not (apart or arguments[name].new):
        known = [other for other, value in arguments.items() if not value.new]
        return with_holders(frozenset(map(parameter_site, known)))
    return frozenset({parameter_site(name)})


def _numbers(function: core.Function) -> dict[int, int]:
    return {id(statement): number for number, statement in enumerate(core.walk(function.body))}


def _rebound(function: core.Function) -> frozenset[str]:
    names: set[str] = set()
    for statement in core.walk(function.body):
        if not isinstance(statement, core.AugmentName):
            names |= assigned(statement)
    return frozenset(names)


def _stored(function: core.Function) -> frozenset[tuple[str, ...]]:
    """The names by which a program knows attributes that it sets, of classes and modules above all."""
    statements = list(core.walk(function.body))
    setting = [found for each in statements if (found := _set_attribute(each)) is not None]
    if not setting:
        return frozenset()
    read = {
        each.target: each.op.path.names
        for each in statements
        if isinstance(each, core.Assign) and isinstance(each.op, core.Read)
    }
    return frozenset((*read[owner], name) for owner, name in setting if owner in read)


def _set_attribute(statement: core.Statement) -> tuple[str, str] | None:
    """The variable and the attribute of what is known by it that a statement sets, or deletes."""
    match statement:
        case core.SetAttr(core.Var(owner), name) | core.AugmentAttr(core.Var(owner), name):
            return owner, name
        case core.DelAttr(core.Var(owner), name):
            return owner, name
        case core.Assign(op=core.Call(core.Path(("setattr",)), (core.Var(owner), core.Const(str(name)), *_))):
            return owner, name
    return None


@dataclass
class _Walker:
    run: Run
    breaks: list[list[Environment]] = field(default_factory=list)
    mentioned: dict[int, set[str]] = field(default_factory=dict)  # by statements
    asked: dict[int, Question | None] = field(default_factory=dict)  # by `if`s

    @functools.cached_property
    def looked_into(self) -> frozenset[str]:
        """The exceptions that the program does more with than to raise them and to ask for their type."""
        return looked_into(self.run.facts.function)

    def block(self, block: core.Block, environment: Environment | None) -> Environment | None:
        """Interpret a block in `environment` (changed in place); None where it is never left."""
        for position, statement in enumerate(block):
            if environment is None:
                return None
            if isinstance(statement, core.If):
                self.asked[id(statement)] = question_before(block, position)
            environment = self.statement(statement, environment)
        if environment is not None:
            _leave(self.run, block, environment)
        return environment

    def statement(self, statement: core.Statement, env: Environment) -> Environment | None:
        """Interpret one statement in `env`, which may be changed."""
        self._note_reads(statement, env)
        if core.blocks(statement):
            return self._compound(statement, env)
        match statement:
            case core.Break():
                self.breaks[-1].append(env)
                return None
            case core.Raise():
                self.run.facts.note_raised(env)
                return None
            case core.Refuse():
                self.run.facts.refused = True
                return None
            case core.Return():
                self._return(statement, env)
                return env
        simple(self.run, statement, env)
        self._note_results(statement, env)
        return env

    def _compound(self, statement: core.Statement, env: Environment) -> Environment | None:
        """A statement with blocks inside."""
        match statement:
            case core.If():
                return self._if(statement, env)
            case core.For() | core.Loop():
                return self._loop(statement, env)
            case core.With():
                return self._with(statement, env)
            case core.Attempt():
                return self._attempt(statement, env)
        assert isinstance(statement, core.Handle)
        self.run.facts.entries[id(statement)] = dict(env)
        left = self.block(statement.body, env)
        note_asking(self.run, statement.body)
        return left

    def _note_reads(self, statement: core.Statement, env: Environment) -> None:
        key, values = id(statement), self.run.facts.values
        if key not in self.mentioned:
            self.mentioned[key] = read(statement) | assigned(statement)
        for name in self.mentioned[key]:
            if name in env:
                values[key, name] = env[name]

    def _note_results(self, statement: core.Statement, env: Environment) -> None:
        key, results = id(statement), self.run.facts.results
        for name in assigned(statement) | self.run.facts.writes.get(key, frozenset()):
            if name in env:
                results[key, name] = env[name]

    def _return(self, statement: core.Return, env: Environment) -> None:
        self.run.facts.result = self.run.value(statement.value, env)
        self.run.facts.exits[id(self.run.facts.function)] = dict(env)

    def _if(self, statement: core.If, env: Environment) -> Environment | None:
        facts = self.run.facts
        facts.entries[id(statement)] = dict(env)
        asked = self.asked.get(id(statement))
        then = self.block(statement.then, note_learnt(self.run, dict(env), asked, True))
        orelse = self.block(statement.orelse, note_learnt(self.run, dict(env), asked, False))
        if then is None or orelse is None:
            joined = orelse if then is None else then
        else:
            joined = join_environments(then, orelse)
        if joined is not None:
            facts.exits[id(statement)] = dict(joined)
        return joined

    def _brought(self, statement: core.Attempt) -> frozenset[Site]:
        """Where what an exception holds may lie: outside, or in what the block has worked with, where that is
        asked for."""
        sites = frozenset({OUTSIDE})
        if statement.failure not in self.looked_into:
            return sites
        facts = self.run.facts
        for inner in filter(_may_make_exceptions, core.walk(statement.body)):
            if isinstance(facts.calls.get(id(inner)), ByRule | Intrinsic):
                continue
            found = [facts.values.get((id(inner), name)) for name in self.mentioned.get(id(inner), ())]
            sites = sites.union(*(everything(value.sites) for value in found if value is not None))
        return sites

    def _attempt(self, statement: core.Attempt, env: Environment) -> Environment | None:
        """A body that may fail: nothing that it has done can be noticed then."""
        facts = self.run.facts
        facts.entries[id(statement)] = dict(env)
        done = self.block(statement.body, dict(env))
        if statement.failure is None:
            return done
        active = may_be_active(facts, statement.body)
        brings = active and statement.failure in self.looked_into and may_bring(self.run, statement.body)
        if brings or may_leave_changes(self.run, statement.body):
            self.run.by_identity()
        left = dict(env) if done is None else join_environments(done, env)
        left = behind_failures(self.run, statement.body, left)
        left[statement.failure] = make(UNKNOWN, active, self._brought(statement))
        facts.results[id(statement), statement.failure] = left[statement.failure]
        facts.exits[id(statement)] = dict(left)
        return left

    def _loop(self, loop: core.For | core.Loop, env: Environment) -> Environment | None:
        facts = self.run.facts
        facts.entries[id(loop)] = dict(env)
        head = dict(env)
        while True:
            self.breaks.append([])
            inner = dict(head)
            if isinstance(loop, core.For):
                bind_target(loop.target, iterable_value(self.run, loop.iterable, inner), inner)
                _note_walk(self.run, loop.iterable, inner)
            facts.entries[id(loop.body)] = dict(inner)
            end = self.block(loop.body, inner)
            broken = self.breaks.pop()
            grown = head if end is None else join_environments(head, end)
            if grown == head:
                break
            head = grown
        if isinstance(loop, core.For):
            self._note_reads_of_iterations(loop, head)
        leaving = [*broken, head] if isinstance(loop, core.For) else broken
        if not leaving:
            facts.note_raised(head)
            return None
        result = leaving[0]
        for other in leaving[1:]:
            result = join_environments(result, other)
        facts.exits[id(loop)] = dict(result)
        return dict(result)

    def _note_reads_of_iterations(self, loop: core.For, head: Environment) -> None:
        """What a loop walks over is read when an iteration begins: others may have changed it."""
        for atom in iterable_atoms(loop.iterable):
            if isinstance(atom, core.Var) and atom.name in head:
                self.run.facts.values[id(loop), atom.name] = head[atom.name]

    def _with(self, statement: core.With, env: Environment) -> Environment | None:
        self.run.facts.entries[id(statement)] = dict(env)
        context = self.run.value(statement.context, env)
        if context.active and runs_python(context.kind):
            self.run.refuse(
                statement,
                "what the context manager does on entry and exit takes part in the computation",
                "call what it does before and behind a plain block",
            )
        if statement.target is not None:
            sites = context.sites | {OUTSIDE}
            env[statement.target] = make(UNKNOWN, context.active, sites)
        fields.forget(self.run, env)
        left = self.block(statement.body, env)
        if left is not None:
            fields.forget(self.run, left)
            self.run.facts.exits[id(statement)] = dict(left)
        return left


def _leave(run: Run, block: core.Block, env: Environment) -> None:
    """Forget the temporaries of a block, but those that hold arrays: the adjoint may have to know what is
    written to these later."""
    for name in run.ending.get(id(block), ()):
        value = env.get(name)
        if value is not None and (not value.sites or is_container(value.kind)):
            del env[name]


def _note_walk(run: Run, iterable: core.Atom | core.Iterate, env: Environment) -> None:
    """The step that gave an item may have run code, which may have changed what it can reach."""
    for atom in iterable_atoms(iterable):
        value = run.value(atom, env)
        run.note_taking_apart(value)
        if fields.may_run(value):
            fields.forget(run, env)
        if run.facts.way.identity and may_run_code(value):
            passed_on(run, [value], env, active=True)


def runs_python(kind: Kind) -> bool:
    """Whether a context manager of this kind may run code in Python."""
    if isinstance(kind, Object):
        return isinstance(inspect.getattr_static(kind.cls, "__enter__", None), FunctionType)
    return isinstance(kind, Unknown)


def iterable_value(run: Run, iterable: core.Atom | core.Iterate, env: Environment) -> Value:
    """The value of one element of what a `For` walks over."""
    if not isinstance(iterable, core.Iterate):
        return element_of(with_members(run.value(iterable, env), everywhere=run.facts.way.everywhere))
    name = iterable.func.names[-1]
    if name == "range":
        return make(INT)
    inner = [iterable_value(run, arg, env) for arg in iterable.args]
    if name == "zip":
        return tuple_value(tuple(inner))
    if name == "enumerate":
        return tuple_value((make(INT), inner[0]))
    return inner[0]


def element_of(value: Value) -> Value:
    """One element of an iterable value."""
    return make(transfer.element(value.kind), value.active, extracted(value.sites))


def tuple_value(items: tuple[Value, ...]) -> Value:
    """The value of a tuple of values."""
    sites = frozenset[tuple[str, str | int, bool]]().union(*(item.sites for item in items))
    kind = Tuple(tuple(item.kind for item in items))
    return make(kind, any(item.active for item in items), sites)


def bind_target(target: core.Target, value: Value, env: Environment) -> None:
    """Bind a loop's target to a value."""
    if isinstance(target, str):
        env[target] = value
        return
    for item, part in zip(target, parts_of(value, len(target)), strict=True):
        bind_target(item, part, env)


def parts_of(value: Value, count: int) -> list[Value]:
    """The values that unpacking into `count` names gives."""
    if isinstance(value.kind, Tuple) and len(value.kind.items) == count:
        return [make(kind, value.active, extracted(value.sites)) for kind in value.kind.items]
    return [element_of(value)] * count


def simple(run: Run, statement: core.Statement, env: Environment) -> None:
    """A statement without blocks: update the environment in place."""
    match statement:
        case core.Assign(target, op, _):
            _assign(run, statement, target, op, env)
        case core.Unpack():
            _unpack(run, statement, env)
        case core.AugmentName():
            _augment_name(run, statement, env)
        case core.DelName(name):
            env.pop(name, None)
        case core.WriteCell(name, value):
            stored = run.value(value, env)
            note_held(run, stored.sites)
            note_given_away(run, stored.sites)
            _note_escape(run, stored)
            run.facts.keeps_variables |= stored.active and name in run.facts.function.captured
            env[cell_variable(name)] = make(UNKNOWN, True, stored.sites | {OUTSIDE})
            hand_to_sharers(name, stored, env)
        case core.WriteGlobal(_, value):
            _note_escape(run, run.value(value, env))
            escape(run, env, run.value(value, env))
            _write_outside(run, statement, run.value(value, env))
        case _:
            _write(run, statement, env)


def _note_escape(run: Run, stored: Value) -> None:
    """What others find by the variable that they share, they find by identity."""
    if run.facts.way.identity:
        run.facts.shared |= reachable(stored.sites)


def _write(run: Run, statement: core.Statement, env: Environment) -> None:
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
            if _keys_carry(run, run.value(target, env), index, env):
                stored = make(UNKNOWN, True, stored.sites)  # so that what is read from the dict is followed
            store_into(run, statement, target, stored, env, index)
        case core.AugmentItem(target, index, _, value, _):
            _note_index(run, statement, env)
            _note_flat(run, run.value(target, env), run.value(value, env))
            _note_slice(run, target, index, run.value(value, env), env)
            _changes_an_item(run, statement, target, run.value(value, env), env)
            _grow_items(run, statement, run.value(value, env), env)
            added = _stored_items(run, run.value(target, env), index, run.value(value, env), env)
            store_into(run, statement, target, added, env)
        case core.SetAttr(name=name) if name in OF_EXCEPTIONS:
            pass
        case core.SetAttr(target, _, value, _) | core.AugmentAttr(target, _, _, value, _):
            _grow_items(run, statement, run.value(value, env), env)
            _write_attribute(run, statement, target, run.value(value, env), env)
        case core.DelItem(target):
            _note_deletion(run, run.value(target, env))
            _note_index(run, statement, env)
            store_into(run, statement, target, NO_CONTENT, env)
        case core.DelAttr(target):
            _write_attribute(run, statement, target, NO_CONTENT, env)


def _keys_carry(run: Run, target: Value, index: core.Index, env: Environment) -> bool:
    """Whether a number that may have a gradient becomes a key of a dict, or a part of one: `d[x, y] = v`."""
    return any(note_key(run, target, run.value(atom, env)) for atom in index_atoms(index))


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
    if isinstance(statement.index, core.Var) and is_lost_key(run.value(statement.index, env)):
        refuse_lost_answer(run, statement)
    kind = run.value(statement.target, env).kind
    cls = kind.cls if isinstance(kind, Object) and not is_marked(kind.cls, STATEFUL) else object
    methods = (inspect.getattr_static(cls, name, None) for name in CHANGING_ITEMS)
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
                fields.store_items(run, env, transfer.binary(statement.op, asked[0].kind.element, added))


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
    value, item = run.value(statement.target, env), _grown_by(statement.op, added)
    fields.store_items(run, env, item.kind)
    changed = with_holders(extracted(value.sites))
    for name, other in list(env.items()):
        live = isinstance(other.kind, List | Dict | Iterator)
        if live and not other.sites.isdisjoint(changed - value.sites):
            env[name] = as_shown(with_content(other, item), UNKNOWN, item.kind)


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
        # A class or function that holds data.
        fields.forget(run, env)
        escape(run, env, stored)
        _write_outside(run, statement, stored)
        run.facts.writes[id(statement)] = frozenset({target.name})
        env[target.name] = make(UNKNOWN, run.facts.way.everywhere, frozenset({OUTSIDE}))
    elif isinstance(target, core.Var) and _is_field(run, statement, value.kind, stored.kind):
        stored = stored._replace(kind=_set_kind(run, statement, value.kind, stored.kind))
        store_into_field(run, statement, target.name, statement.name, stored, env)
    else:
        if isinstance(value.kind, Array):  # `b.real = ...`: through a door, which knows memory alone
            run.facts.shared |= reachable(value.sites) | reachable(stored.sites)
        if not value.sites and isinstance(target, core.Var):  # one of several classes, modules or functions
            env[target.name] = make(value.kind, value.active, frozenset({OUTSIDE}))
        fields.forget(run, env)
        _note_operation(run, statement, env)
        store_into(run, statement, target, stored, env)


AttributeWrite: TypeAlias = core.SetAttr | core.AugmentAttr | core.DelAttr


def _is_field(run: Run, statement: AttributeWrite, kind: Kind, stored: Kind) -> bool:
    """Whether a write to an attribute sets a field, and runs no code."""
    run.facts.fields.discard(id(statement))
    if isinstance(statement, core.DelAttr) or not fields.may_set(run, kind, statement.name):
        return False
    if isinstance(statement, core.AugmentAttr):
        before = fields.field_of(run, kind, statement.name)
        if before is None or fields.may_have_code(before) or fields.may_have_code(stored):
            return False
    run.facts.fields.add(id(statement))
    return True


def _set_kind(run: Run, statement: AttributeWrite, kind: Kind, stored: Kind) -> Kind:
    """The kind of what a write leaves in a field."""
    if not isinstance(statement, core.AugmentAttr):
        return stored
    before = fields.field_of(run, kind, statement.name)
    assert before is not None
    return transfer.binary(statement.op, before, stored)


def _write_outside(run: Run, statement: core.Statement, value: Value) -> None:
    run.facts.outside = True
    run.facts.written.add(OUTSIDE)
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


def _assign(run: Run, statement: core.Assign, target: str, op: core.Op, env: Environment) -> None:
    values = [run.value(atom, env) for atom in operands(op)]
    if lost_answer(op, None, lambda atom: run.value(atom, env)):
        refuse_lost_answer(run, statement)
    match op:
        case core.Call():
            value = resolve_call(run, statement, op, env)
        case core.CallMethod():
            value = resolve_method(run, statement, op, env)
        case _:
            value = by_method(run, statement, op, env) or operation_value(run, statement, op, env)
            run.facts.calls.setdefault(id(statement), Plain())
    if _is_done_for_its_effect(run, statement, values) and run.by_identity():
        value = dynamic_call(run, statement, values, env)
    env[target] = with_shared_data(run, value)
    note_unseen_code(run, statement, values, env)


def with_shared_data(run: Run, value: Value) -> Value:
    """A value by which something is found that has a gradient, though it holds nothing of the sort: what its
    class has, or what the methods of its class read."""
    if value.active or not run.facts.way.everywhere or not shares_data(value.kind):
        return value
    return remade(value, value.kind, True, value.sites)


def _is_done_for_its_effect(run: Run, statement: core.Assign, values: list[Value]) -> bool:
    """Whether nobody reads what an operation gives that is found when it is made, and a thing outside may
    keep what it is given then."""
    if not isinstance(run.facts.calls.get(id(statement)), Dynamic) or id(statement) in run.facts.unseen:
        return False
    dead = statement.target not in run.live[id(statement)] and not run.is_own()
    outside = [value for value in values if holds_inert_outside(value) and fields.may_have_code(value.kind)]
    return dead and bool(outside) and any(value.active for value in values)


def _unpack(run: Run, statement: core.Unpack, env: Environment) -> None:
    value = with_members(run.value(statement.value, env), everywhere=run.facts.way.everywhere)
    run.note_taking_apart(value)
    if fields.may_run(value):
        fields.forget(run, env)
    count = len(statement.targets)
    if statement.star is None:
        parts = parts_of(value, count)
    else:
        parts = _starred_parts(run, statement, value, statement.star)
    for name, part in zip(statement.targets, parts, strict=True):
        env[name] = part


def _starred_parts(run: Run, statement: core.Unpack, value: Value, star: int) -> list[Value]:
    count = len(statement.targets)
    site = run.allocate(statement)
    kinds: list[Kind]
    if isinstance(value.kind, Tuple) and len(value.kind.items) >= count - 1:
        items = list(value.kind.items)
        stop = len(items) - (count - 1 - star)
        middle = join_all(items[star:stop])
        kinds = [*items[:star], List(middle), *items[stop:]]
    else:
        kind = transfer.element(value.kind)
        kinds = [kind] * count
        kinds[star] = List(kind)
    return [
        make(kind, value.active, extracted(value.sites) | ({site} if at == star else frozenset()))
        for at, kind in enumerate(kinds)
    ]


def _augment_name(run: Run, statement: core.AugmentName, env: Environment) -> None:
    name = statement.target
    current, value = env.get(name, INERT), run.value(statement.value, env)
    anew = bound_anew(run, statement.op, [current, value])
    if anew is not None:  # which is spelled out then
        sites = everything(current.sites | value.sites) | {run.allocate(statement, env)}
        env[name] = make(anew.kind, current.active or value.active, sites)
        return
    run_by_an_operation(run, statement, [current, value], env)
    current, value = env.get(name, INERT), run.value(statement.value, env)
    _note_augmented(run, current, value.kind, env)
    note_held(run, value.sites)
    active = current.active or value.active
    if active and _is_followed_by_identity(current.kind, value.kind, statement.op):
        run.by_identity()
    exponent = statement.value.value if isinstance(statement.value, core.Const) else None
    kind = transfer.binary(statement.op, current.kind, value.kind, exponent)
    if isinstance(current.kind, Array) and is_numeric(value.kind):
        # In place: the array keeps its dtype and shape.
        kind = current.kind
    if active and _may_change_outside(run, current):
        run.everywhere()
    if current.sites:
        note_write(run, statement, name, env, with_holders(current.sites))
        sites = current.sites | contained(value.sites)
        env[name] = make(kind, active, sites | {run.allocate(statement, env)})
        _activate_aliases(env, current, active)
        if isinstance(current.kind, List | Dict | Unknown) and statement.op in ("+", "|"):
            added = _grown_by(statement.op, value)
            _grow_aliases(name, current, added, env)
            if not isinstance(value.kind, Unknown) and comes_to_hold_itself(current, added):
                run.by_identity()
    else:
        kind = real_power(current, value.kind, kind) if statement.op == "**" else kind
        result = make(kind, active, contained(value.sites) | {run.allocate(statement, env)})
        positive = gives_no_negative(statement.op, [current, value], statement.value)
        env[name] = result._replace(never_negative=True) if positive else result


def _grown_by(symbol: str, added: Value) -> Value:
    """What a list takes from `+=`, or a dict from `|=`."""
    if symbol != "|":
        return element_of(added)
    kind = added.kind.element if isinstance(added.kind, Dict) else UNKNOWN
    return make(kind, added.active, extracted(added.sites))


def _grow_aliases(name: str, current: Value, added: Value, env: Environment) -> None:
    """A list or dict that has grown in place has more in it by all of its names."""
    changed = with_holders(current.sites)
    for other, value in list(env.items()):
        if other != name and not value.sites.isdisjoint(changed):
            env[other] = as_shown(with_content(value, added), current.kind, added.kind)


def _may_change_outside(run: Run, current: Value) -> bool:
    """Whether an augmented assignment may change in place what others find: an array, say, as which a value
    of unknown kind counts unless it is looked at as the program runs."""
    if isinstance(current.kind, Unknown) and not (run.facts.way.guarded or run.is_own()):
        return is_inert_outside(current)
    return OUTSIDE in current.sites and isinstance(current.kind, Array | NumberOrArray | List | Dict)


def _note_augmented(run: Run, current: Value, added: Kind, env: Environment) -> None:
    """What `x op= v` does to the fields of objects: a list grows, or code runs."""
    kind = current.kind
    if isinstance(kind, List | Dict) and not fields.may_run(make(added)):
        if not is_apart(run, current):
            fields.store_items(run, env, transfer.element(added))
    elif fields.may_have_code(kind) or fields.may_have_code(added):
        fields.forget(run, env)


def _is_followed_by_identity(current: Kind, added: Kind, symbol: str) -> bool:
    """Whether an augmented assignment changes a container, or runs code of a class."""
    if (is_numeric(current) and is_numeric(added)) or isinstance(current, Tuple):
        return False
    if isinstance(current, List):
        return not isinstance(added, List | Unknown) or symbol != "+"
    return isinstance(current, Array | Dict | Object) and not isinstance(added, Unknown)


def _activate_aliases(env: Environment, current: Value, active: bool) -> None:
    if not active:
        return
    for name, value in env.items():
        if not value.active and not current.sites.isdisjoint(reachable(value.sites)):
            env[name] = remade(value, value.kind, True, value.sites)
