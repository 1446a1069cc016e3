"""A program is interpreted, and spelled out further, until nothing more is known of it."""

from __future__ import annotations

import abc
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from zygpy.analyse.asked_caches import with_asked_caches
from zygpy.analyse.by_methods import with_calls_of_methods
from zygpy.analyse.cached_properties import with_cached_properties
from zygpy.analyse.caught_operations import with_caught_operations
from zygpy.analyse.decorators import conditions_of
from zygpy.analyse.descriptors import with_descriptors
from zygpy.analyse.facts import Facts, Guard, Summary
from zygpy.analyse.gathered import with_gathered
from zygpy.analyse.handed_over import with_copies, with_writes
from zygpy.analyse.inherited import with_inherited
from zygpy.analyse.interpret import interpret
from zygpy.analyse.known_iterators import with_known_iterators
from zygpy.analyse.known_matches import with_known_matches
from zygpy.analyse.known_replacements import with_known_replacements
from zygpy.analyse.known_tests import with_known_tests
from zygpy.analyse.left_generators import with_left_generators
from zygpy.analyse.local_calls import with_carried
from zygpy.analyse.namespaces import with_namespaces
from zygpy.analyse.options import with_questions
from zygpy.analyse.paths import Scope, resolve
from zygpy.analyse.plain_arguments import with_plain_arguments
from zygpy.analyse.plain_items import with_plain_items
from zygpy.analyse.read_before import spelled_in_attempts, with_readings
from zygpy.analyse.replacing import replaced_among
from zygpy.analyse.tables import with_checked_tables
from zygpy.analyse.unseen import operations_by_quiet
from zygpy.analyse.values import Value
from zygpy.analyse.walks import with_walks
from zygpy.derivation.callees import Callees
from zygpy.inlining import in_place
from zygpy.inlining_methods import OfMethods, bodies_of_methods, may_call_such_methods
from zygpy.inlining_thrown import thrown_in_variables
from zygpy.ir import core
from zygpy.transform.array_writes import as_stores
from zygpy.transform.attempts import has_attempts, split_attempts
from zygpy.transform.flatten import flatten
from zygpy.transform.iterators_alike import with_one_name
from zygpy.transform.lift import lift
from zygpy.transform.plain_dicts import as_plain_dicts
from zygpy.transform.plain_queues import as_lists
from zygpy.transform.unrolled_names import with_names_unrolled
from zygpy.units import HELPERS, Unit

MOST_INSIDE = 8
"""So often it is looked what methods are called by the bodies of others that were put in place."""


class Interpretations(Callees, abc.ABC):
    """Programs as they are derived: with what is known of them spelled out, and the facts about them."""

    @abc.abstractmethod
    def summary(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """What a call of the function with these arguments does."""

    @abc.abstractmethod
    def summary_by_identity(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """The same in the way that the function needs, by identity."""

    def _lifted(self, unit: Unit, cells: Mapping[str, Any]) -> tuple[core.Function, Scope]:
        unit.look_up_names(self.way.replaced)
        scope = Scope(unit.source.globals, cells, HELPERS, unit.fixed, self.way.replaced)
        program, guards, names = in_place(unit, scope)
        if not (self.way.identity or self.forward):
            program, of_thrown, more = thrown_in_variables(unit, scope, program)
            guards, names = (*guards, *of_thrown), names | more
        scope = replace(scope, fixed=unit.given_names)
        if not (unit.generated or unit.followed or unit.is_own):
            program, of_names, constants = with_names_unrolled(program, scope)
            guards, names = (*guards, *of_names), names | constants
        program, of_dicts = as_plain_dicts(program, scope)
        program, of_queues = as_lists(program, scope)
        named = [resolve(core.Path((name,)), scope).guards for name in sorted(unit.builtins)]
        named += [conditions_of(each, scope) for each in unit.decorators.values()]
        scope = replace(scope, rests_on=(*chain(*named), *guards, *of_dicts, *of_queues), in_place=names)
        program = lift(as_stores(with_one_name(program), scope), scope)
        return replace(program, body=spelled_in_attempts(program.body)), scope

    def _walked(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with the bodies in place of managers and generators that methods make, as long as these
        are the same when everything else is known; its attempts split and as much spelled out as is known,
        and the facts about it."""
        found = self._with_methods(unit, program, scope, values)
        if found is not None:
            walked = self._in_attempts(unit, found.program, found.scope, values)
            if found.hold(*walked):
                return walked
        return self._in_attempts(unit, program, scope, values)

    def _with_methods(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> OfMethods | None:
        """The program with such bodies in place; None if there are none."""
        if unit.generated or unit.followed or unit.is_own or unit.plan is not None:
            return None
        asking: set[Any] = set()
        while True:
            known = len(asking)
            found = self._with_methods_but(asking, unit, program, scope, values)
            if len(asking) == known:
                return found

    def _with_methods_but(
        self, asking: set[Any], unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> OfMethods | None:
        """The same, but for generators that ask for their own items, and would never be in place as a whole;
        those that are found to are put among these."""
        found = None
        for _ in range(MOST_INSIDE):
            if not may_call_such_methods(unit, scope, program):
                break
            facts = self._interpret(unit, program, scope, values)
            more = bodies_of_methods(unit, scope, program, facts, found, asking)
            if more is None:
                break
            found, program, scope = more, more.program, more.scope
        return found

    def _in_attempts(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with its attempts split and as much spelled out as is known, and the facts about it."""
        if self.forward or not (self.way.identity and has_attempts(program)):
            return self._spelled_out(unit, self._in_parts(unit, program), scope, values)
        found = operations_by_quiet(program, self._interpret(unit, program, scope, values))
        quiet = found[True] - found[False]
        while True:
            walked = self._spelled_out(unit, self._in_parts(unit, program, quiet), scope, values)
            noisy = quiet & operations_by_quiet(*walked)[False]
            if not noisy:
                return walked
            quiet -= noisy

    def _in_parts(self, unit: Unit, program: core.Function, quiet: Collection[int] = ()) -> core.Function:
        """The program with its attempts split: for a tangent function no further than it is noticed which
        variables are assigned, as that does what the program does until it fails."""
        objects = self.way.identity and not self.forward
        return split_attempts(program, unit.callees, objects=objects, quiet=quiet)

    def _spelled_out(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with its iterations over objects spelled out, and the facts about it."""
        lasting: list[Guard] = []
        replaced = frozenset[str]()
        while True:
            facts = self._interpret(unit, program, scope, values)
            spelled = self._told_apart(unit, program, facts, scope)
            if spelled is not program:  # nothing else is known of these before
                lasting += facts.lasting
                program = spelled
                continue
            spelled = with_calls_of_methods(program, facts)
            spelled = with_gathered(with_plain_arguments(with_readings(spelled, facts), facts), facts)
            if not (unit.followed or unit.generated):
                spelled = with_namespaces(with_known_replacements(spelled, facts), facts)
                spelled = _with_known_branches(spelled, facts, of_none=not unit.is_own)
                spelled = with_inherited(spelled, facts)
            lasting += facts.lasting
            replaced |= facts.needs.replaced & {guard.name for guard in lasting}
            replaced |= replaced_among(lasting, facts)
            spelled = with_plain_items(spelled, facts)
            spelled = with_carried(spelled, facts)
            if spelled is program:  # what is asked of unknown things is asked when no more can be known
                spelled = self._with_questions_when_run(unit, program, facts, scope)
            if spelled is program:
                facts.guards |= {(id(guard.owner), guard.name): guard for guard in lasting}
                facts.needs = facts.needs._replace(replaced=facts.needs.replaced | replaced)
                return program, facts
            program = spelled

    def _told_apart(self, unit: Unit, program: core.Function, facts: Facts, scope: Scope) -> core.Function:
        """The program in which what may be of several sorts is asked first what it is, and where iterators
        are known, what they walk over."""
        spelled = with_questions(program, facts)
        if spelled is program and unit.generated and not self.copied:
            spelled = with_writes(program, facts, scope)
        if spelled is program and not (unit.followed or unit.generated or unit.is_own):
            spelled = with_descriptors(with_cached_properties(program, facts), facts)
        return with_known_iterators(program, facts) if spelled is program else spelled

    def _with_questions_when_run(
        self, unit: Unit, program: core.Function, facts: Facts, scope: Scope
    ) -> core.Function:
        """The program with what it asks when it is run; the very same if it asks nothing more."""
        users = not (unit.followed or unit.generated)
        spelled = with_asked_caches(program, scope) if users else program
        if unit.generated:
            spelled = with_copies(program, scope)
        if spelled is program and self.way.identity and users:
            spelled = with_checked_tables(program, facts)
        if spelled is program:
            spelled = with_walks(program, facts, checks=users)
        if spelled is program and self.way.identity:
            spelled = with_left_generators(program, facts, scope)
        if spelled is program and users and not self.forward:
            spelled = with_caught_operations(program, facts)
        return spelled

    def _interpret(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> Facts:
        arguments = dict(zip(program.params.names, values, strict=True))
        self.walked.append(unit)
        try:
            facts = interpret(program, arguments, scope, self, self.way, apart=unit.reverses)
        finally:
            self.walked.pop()
        if unit.reverses:  # neither what was stashed nor the seed is ever written to
            facts.written_parameters.difference_update(program.params.names[:2])
        return facts


def _with_known_branches(program: core.Function, facts: Facts, *, of_none: bool) -> core.Function:
    """The program with what is taken in place of branches whose tests are known: where that always leaves,
    the arm beside it goes on behind the branch."""
    known = with_known_tests(with_known_matches(program, facts), facts, of_none=of_none)
    return program if known is program else flatten(known)
