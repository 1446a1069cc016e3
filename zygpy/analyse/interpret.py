"""The abstract interpretation: kinds, activity and storage, forward over the core language."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from zygpy.analyse import fields
from zygpy.analyse.by_methods import in_parts
from zygpy.analyse.effects import is_container, settle_shared_storage
from zygpy.analyse.exceptions import (
    behind_failures,
    keeps_more_than_data,
    looked_into,
    may_be_active,
    may_bring,
    may_leave_changes,
)
from zygpy.analyse.facts import ByRule, Dynamic, Facts, Intrinsic, Oracle
from zygpy.analyse.handled import note_asking
from zygpy.analyse.iterated import bind_targets
from zygpy.analyse.learnt import Question, is_ruled_out, note_learnt, question_before
from zygpy.analyse.liveness import ending_with, live_after
from zygpy.analyse.mixed_lists import settle_lists
from zygpy.analyse.named_by_classes import groups_by_name
from zygpy.analyse.opaque import passed_on
from zygpy.analyse.paths import Scope
from zygpy.analyse.replacing import note_replaced
from zygpy.analyse.run import Run
from zygpy.analyse.sites import (
    OUTSIDE,
    Sites,
    everything,
    names_of_parameters,
    parameter_site,
    sites_of,
    with_holders,
    with_newest,
)
from zygpy.analyse.something import note_something
from zygpy.analyse.spelling import may_run_code
from zygpy.analyse.statements import simple
from zygpy.analyse.values import Environment, Value, join_environments, make
from zygpy.ir import core
from zygpy.ir.access import assigned, iterable_atoms, read
from zygpy.ir.classes import STATEFUL
from zygpy.ir.kinds import UNKNOWN, Object, Row, Tuple
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
    facts = Facts(function, way, groups=groups_by_name(function))
    live = live_after(function)
    ending = ending_with(function, live)
    rebound, stored = _rebound(function), _stored(function)
    run = Run(facts, scope, oracle, live, _numbers(function), rebound, ending, stored, _attempted(function))
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
        if way.identity and isinstance(value.kind, Tuple | Row):
            facts.shared |= value.sites
    walker = _Walker(run)
    walker.block(function.body, environment)
    _write_what_escaped(facts)
    settle_shared_storage(run)
    if not way.identity:
        settle_lists(facts)
    known = way.identity or not facts.needs.identity  # else it is asked again when more is known
    if known and ((facts.trusts and _may_change_globals(facts)) or fields.may_change_trusted(facts)):
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
    facts.written |= with_newest(facts.escaped)
    facts.written_parameters |= names_of_parameters(facts.escaped)


def _may_change_globals(facts: Facts) -> bool:
    """Whether a program may change a list or dict that others know, itself or by what it calls."""
    return facts.outside or any(isinstance(found, Dynamic) for found in facts.calls.values())


def _sites_of_argument(name: str, arguments: Mapping[str, Value], way: Way, apart: bool) -> Sites:
    """Where things are found by identity, arguments may be one another, or lie in one another; not so an
    object that is new."""
    if way.identity and not (apart or arguments[name].new):
        known = [other for other, value in arguments.items() if not value.new]
        return with_holders(sites_of(*map(parameter_site, known)))
    return sites_of(parameter_site(name))


def _numbers(function: core.Function) -> dict[int, int]:
    return {id(statement): number for number, statement in enumerate(core.walk(function.body))}


def _attempted(function: core.Function) -> frozenset[int]:
    attempts = [one for one in core.walk(function.body) if isinstance(one, core.Attempt)]
    return frozenset([id(inner) for one in attempts for inner in core.walk(one.body)])


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
    reading: dict[int, set[str]] = field(default_factory=dict)  # by statements
    asked: dict[int, Question | None] = field(default_factory=dict)  # by `if`s
    leaves_out: bool = False  # whether arms that are not reached, as far as is known yet, are left out
    left_out: bool = False  # whether one was

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
        if self.leaves_out and self._has_no_value(statement, env):
            self.left_out = True
            return None
        note_something(self.run, statement, self._read(statement), env)
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
        if parts := in_parts(self.run, statement, env):
            self._parts(parts, env)
        else:
            simple(self.run, statement, env)
        self._note_results(statement, env)
        return env

    def _parts(self, parts: core.Block, env: Environment) -> None:
        """Interpret what stands for a statement; nobody sees its variables."""
        known = set(env)
        for part in parts:
            self.statement(part, env)
        for name in set(env) - known - self.run.live[id(parts[-1])]:
            del env[name]

    def _compound(self, statement: core.Statement, env: Environment) -> Environment | None:
        """A statement with blocks inside."""
        match statement:
            case core.If():
                return self._if(statement, env)
            case core.For() if parts := in_parts(self.run, statement, env):
                self._parts(parts[:-1], env)
                return self.statement(parts[-1], env)
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

    def _has_no_value(self, statement: core.Statement, env: Environment) -> bool:
        """Whether a statement reads a variable that nothing was bound to, as far as is known yet: what an
        iteration binds for the next one."""
        return not self._read(statement) <= env.keys()

    def _read(self, statement: core.Statement) -> set[str]:
        """The variables that a statement itself reads."""
        key = id(statement)
        if key not in self.reading:
            self.reading[key] = read(statement)
        return self.reading[key]

    def _note_reads(self, statement: core.Statement, env: Environment) -> None:
        key, values = id(statement), self.run.facts.values
        if key not in self.mentioned:
            self.mentioned[key] = self._read(statement) | assigned(statement)
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
        then = self._arm(statement, env, True)
        orelse = self._arm(statement, env, False)
        if then is None or orelse is None:
            joined = orelse if then is None else then
        else:
            joined = join_environments(then, orelse)
        if joined is not None:
            facts.exits[id(statement)] = dict(joined)
        return joined

    def _arm(self, statement: core.If, env: Environment, answer: bool) -> Environment | None:
        """What an arm of an `if` leaves; None where it is left out, as nothing gets there."""
        asked = self.asked.get(id(statement))
        if self.leaves_out and is_ruled_out(env, asked, answer):
            self.left_out = True
            return None
        arm = statement.then if answer else statement.orelse
        return self.block(arm, note_learnt(self.run, dict(env), asked, answer))

    def _brought(self, statement: core.Attempt) -> Sites:
        """Where what an exception holds may lie: outside, or in what the block has worked with, where that is
        asked for."""
        sites = sites_of(OUTSIDE)
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
        active = may_be_active(facts, statement.body, statement.failure)
        looked_into = statement.failure in self.looked_into
        brings = active and looked_into and may_bring(self.run, statement.body, statement.failure)
        objects = keeps_more_than_data(facts, statement.body, statement.failure)
        if brings or objects or may_leave_changes(self.run, statement.body):
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
        outermost = not self.breaks
        # what zygpy's own programs call in arms that are not taken tells what they may do
        self.leaves_out |= outermost and not self.run.is_own()
        while True:
            self.breaks.append([])
            inner = dict(head)
            if isinstance(loop, core.For):
                bind_targets(self.run, loop.target, loop.iterable, dict(inner), inner)
                _note_walk(self.run, loop.iterable, inner)
            facts.entries[id(loop.body)] = dict(inner)
            end = self.block(loop.body, inner)
            broken = self.breaks.pop()
            grown = head if end is None else join_environments(head, end)
            if grown == head and not (outermost and self.left_out):
                break
            if grown == head:  # what nothing gets to has to be known as well
                self.leaves_out = self.left_out = False
            head = grown
        self.leaves_out &= not outermost
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
        """A `with` whose manager takes no part in a computation; others are calls and `try` by now."""
        self.run.facts.entries[id(statement)] = dict(env)
        context = self.run.value(statement.context, env)
        if statement.target is not None:
            sites = context.sites | sites_of(OUTSIDE)
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
