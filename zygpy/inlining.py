"""The functions that a program calls whose bodies may run in place: generators whose items are taken there
(`transform/inline.py`), and its own that share variables with it (`transform/inline_calls.py`)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any, NamedTuple

from zygpy.analyse.facts import Guard
from zygpy.analyse.made_managers import conditions, generator_behind
from zygpy.analyse.never_stopping import METHODS, is_harmless, never_stops
from zygpy.analyse.paths import Scope, resolve
from zygpy.analyse.takers import constructor_of, takes_first
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.inlining_listed import Quiet, listing_of, lists_hold, with_all_looked_at
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.nodes import gast, nodes
from zygpy.local_functions import with_captured_first
from zygpy.normalise.generators import is_plain_function, is_plain_generator, spell_delegations
from zygpy.normalise.lambdas import may_stop_a_walk
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.source.stops import speaks_of_ends
from zygpy.transform import walks
from zygpy.transform.bodies import Body
from zygpy.transform.inline import inlined
from zygpy.transform.inline_calls import with_shared_in_place
from zygpy.transform.inline_managers import with_managers_in_place
from zygpy.transform.inline_next import with_asked_in_place
from zygpy.transform.inline_receivers import with_receivers_in_place
from zygpy.transform.stopping import is_told_apart, with_all_told, with_stops_told
from zygpy.units import Unit, unit_of


class InPlace(NamedTuple):
    """A program with bodies in place, what that rests on, and the names by which they were found."""

    program: core.Function
    guards: tuple[Guard, ...] = ()
    names: frozenset[str] = frozenset()


def in_place(unit: Unit, scope: Scope) -> InPlace:
    """The program of a unit with bodies in place; the very same if there are none."""
    program = unit.program
    if unit.generated or unit.followed or unit.plan is not None or unit.given is not None:
        return InPlace(with_stops_told(program, Bodies(unit, scope, program, [], []).may_end))
    quiet = Quiet(scope.replaced, [])
    made = _in_place(Bodies(unit, scope, program, [], [], quiet=quiet))
    if lists_hold(unit, made.program, quiet):
        looked_at = with_all_looked_at(unit, made.program)
        return made._replace(program=looked_at, guards=(*made.guards, *quiet.guards))
    return _in_place(Bodies(unit, scope, program, [], []))


def _in_place(bodies: Bodies) -> InPlace:
    made = replace(bodies, program=bodies.in_place()).with_shared()
    return InPlace(made, tuple(bodies.guards), frozenset(bodies.found))


@dataclass(frozen=True)
class Bodies:
    """The functions that one program calls; `entered` are those that it is the body of. With `quiet`, which
    tells of what changes nothing, there are lists of the items of generators that ask for their own."""

    unit: Unit
    scope: Scope
    program: core.Function
    guards: list[Guard]
    found: list[str]
    entered: tuple[Any, ...] = ()
    quiet: Quiet | None = None

    def in_place(self) -> core.Function:
        """The program with generators in place, and those in place that these are given; those of context
        managers, too."""
        program = with_stops_told(self.program, self.may_end)
        program = inlined(program, self.body, self.named, self.takes, self.may_end)
        program = with_asked_in_place(program, self.body, self.named, self.never_stop)
        program = with_managers_in_place(program, self.manager)
        program = with_receivers_in_place(program, self.receiver, self.makes_generator)
        return program if program is self.program else replace(self, program=program).in_place()

    def with_shared(self) -> core.Function:
        """The program with functions in place that share variables with it."""
        return with_shared_in_place(self.program, self._of_shared)

    def _inside(self, program: core.Function, function: Any) -> core.Function:
        """The program of a generator function with those in place that it calls itself."""
        return replace(self, program=program, entered=(*self.entered, function)).in_place()

    def named(self, path: core.Path) -> Any:
        """What a path leads to now; None if it leads nowhere."""
        found = resolve(path, self.scope)
        return found.value if found.depth == len(path.names) else None

    def body(self, call: core.Call, own: core.MakeFunction | None, looped: bool) -> Body | None:
        """The body of what a call makes; None if that is no generator of which everything is known. `looped`
        tells that a loop takes its items."""
        if call.carried or any(isinstance(arg, core.Star) for arg in call.args):
            return None
        if own is not None:
            return self._of_local(call, own)
        if not isinstance(call.func, core.Path):
            return None
        return self._of_walk(call, call.func, looped) or self._of_path(call, call.func)

    # -- functions that are given one

    def never_stop(self, block: core.Block) -> bool:
        """Whether nothing that a block calls raises StopIteration."""
        ops = [one.op for one in core.walk(block) if isinstance(one, core.Assign)]
        methods = [op for op in ops if isinstance(op, core.CallMethod)]
        if not all(op.name in METHODS for op in methods):
            return False
        if any(isinstance(one, core.Attempt) for one in core.walk(self.program.body)):  # it tells them apart
            own = {one.target for one in core.walk(block) if isinstance(one, core.Assign) and _makes(one.op)}
            if not all(isinstance(op.value, core.Var) and op.value.name in own for op in methods):
                return False
        paths = [op.func for op in ops if isinstance(op, core.Call)]
        return all(isinstance(path, core.Path) and self._never_stops(path) for path in paths)

    def _never_stops(self, path: core.Path) -> bool:
        if path.scope == "helper":
            return True
        called = self.named(path)
        return path.names[-1] in METHODS if called is None else is_harmless(called)

    def may_end(self, statement: core.Statement) -> bool:
        """Whether a statement may raise StopIteration: one that calls what is not known to raise none, where
        the file speaks of such ends, or a function that does."""
        op = statement.op if isinstance(statement, core.Assign) else None
        if isinstance(op, core.CallMethod):
            return op.name not in METHODS and speaks_of_ends(self.unit.source)
        if not isinstance(op, core.Call):
            return False
        if isinstance(op.func, core.Path):
            unknown = op.func.names[0] not in self.unit.listed and not self._never_stops(op.func)
            known = isinstance(self.named(op.func), FunctionType)
            return unknown and (known or speaks_of_ends(self.unit.source))
        own = self._made(op.func.name) if isinstance(op.func, core.Var) else None
        return (own is None or not self._is_quiet(own)) and speaks_of_ends(self.unit.source)

    def _is_quiet(self, own: core.MakeFunction) -> bool:
        """Whether a function that the program makes calls nothing that may raise StopIteration."""
        return all(self._never_stops(core.Path(names)) for names in _called_in(own.node))

    def takes(self, call: core.Call, name: str) -> bool:
        """Whether a call of a function or class of the program takes all items of what a variable holds
        before it does anything else."""
        assert isinstance(call.func, core.Path)
        found = self._entered_by(self.named(call.func))
        if found is None or call.carried or any(isinstance(arg, core.Star) for arg in call.args):
            return False
        called, guards = found
        if called is not tuple:
            taken = self._taken_by(called, call, name, bool(guards))
            if taken is None:
                return False
            guards = (*guards, *taken)
        elif call.args != (core.Var(name),) or call.keywords:
            return False
        self.guards.extend(guards)
        self.found.append(call.func.names[-1])
        return True

    def receiver(self, statement: core.Assign, call: core.Call | core.CallMethod) -> Body | None:
        """The body of the function that a call gives generators; None if that is something else."""
        if not isinstance(call, core.Call) or not isinstance(call.func, core.Path) or call.carried:
            return None
        if any(isinstance(arg, core.Star) for arg in call.args):
            return None
        called = self.named(call.func)
        if called is functools.reduce:
            return self._of_folding(call, call.func)
        if len(call.func.names) != 1:
            return None
        body = self.of_receiver(call, called, call.func.names[0])
        return None if body is None else replace(body, path=call.func)

    def _of_folding(self, call: core.Call, path: core.Path) -> Body | None:
        """The body of `functools.reduce`, which is given generators by a call."""
        text = walks.text_of_receiver(functools.reduce, call)
        function = call.args[0] if call.args else None
        if text is None or not isinstance(function, core.Var) or not self._has_builtins():
            return None
        tree = walks.tree_of(text, (function.name,))
        walk = core.MakeFunction(tree.name, tree, (function.name,), ())
        found = self._body(core.Call(core.Var(tree.name), call.args[1:]), walk, lambda tree: tree)
        return None if found is None else replace(found, path=path)

    def of_receiver(self, call: core.Call, function: Any, name: str) -> Body | None:
        """The body of a function that is found by a name, and given generators by a call."""
        unit = self._plain(function) if self._is_around(function) else None
        if unit is None or function in self.entered:
            return None
        return self._of_function(call, name, function, unit.program)

    def of_generator(self, call: core.Call, function: Any, name: str) -> Body | None:
        """The body of a generator function that is found by a name, for a call."""
        if not self._is_alike(function) or function in self.entered:
            return None
        return self._of_function(call, name, function, unit_of(function).plain_generator)

    def of_listed(self, call: core.Call, function: Any, name: str, quiet: Quiet) -> Body | None:
        """The body of a generator that walks over a list of the items of a generator function."""
        if not self._is_alike(function) or function in self.entered:
            return None
        program = listing_of(self.unit, self.program, function, quiet)
        return None if program is None else self._of_function(call, name, function, program)

    def makes_generator(self, statement: core.Assign, call: core.Call | core.CallMethod) -> bool:
        """Whether a call by a name makes a generator whose body may stand in a loop."""
        path = call.func if isinstance(call, core.Call) else None
        return isinstance(path, core.Path) and self._generator_at(path) is not None

    def _entered_by(self, called: Any) -> tuple[Any, tuple[Guard, ...]] | None:
        """The function that a call goes to, or `tuple`, and what that rests on."""
        if not self.scope.replaced.isdisjoint(("__init__", "__new__", "__code__")):
            return None
        return constructor_of(called) if isinstance(called, type) else (called, ())

    def _taken_by(
        self, function: Any, call: core.Call, name: str, is_method: bool
    ) -> tuple[Guard, ...] | None:
        """What it rests on that a function takes all items of an argument first; None if it does not."""
        unit = self._plain(function)
        if unit is None:
            return None
        program = unit.program
        names = program.params.names[is_method:]
        values = function.__defaults__ or ()
        defaults = dict.fromkeys(names[len(names) - len(values) :], core.Const(None))
        given = dict(bound_to_names(names, call, defaults) or ())
        known = [param for param, atom in given.items() if atom == core.Var(name)]
        scope = Scope(unit.source.globals, {}, {})
        path = (
            takes_first(program, known[0], lambda path: resolve(path, scope).value)
            if len(known) == 1
            else None
        )
        if path is None:
            return None
        code = Guard(function, "__code__", function.__code__)
        return (code, Guard(function, "__defaults__", function.__defaults__), *resolve(path, scope).guards)

    def _plain(self, function: Any) -> Unit | None:
        """The unit of a function of which its text tells everything."""
        if type(function) is not FunctionType or function.__closure__ or function.__kwdefaults__:
            return None
        if hasattr(function, "__wrapped__") or is_ruled(function) or declare.find(function) is not None:
            return None
        try:
            unit = unit_of(function)
            known = is_plain_function(unit.parsed()) and bool(unit.program)
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        others = unit.ruled is not None or unit.generated or unit.is_own or unit.plan
        return unit if known and not others else None

    # -- functions that the program makes

    def _of_local(self, call: core.Call, own: core.MakeFunction) -> Body | None:
        assert isinstance(call.func, core.Var)
        if not is_plain_generator(own.node) or own.node in self.entered:
            return None
        if call.func.name in own.captured:
            return None  # one that calls itself would never be in place as a whole
        found = self._body(call, own, spell_delegations)
        return found and replace(found, program=self._inside(found.program, own.node))

    def _of_shared(self, call: core.Call, own: core.MakeFunction) -> Body | None:
        plain = not call.carried and not any(isinstance(arg, core.Star) for arg in call.args)
        if not plain or not is_plain_function(own.node) or own.node in self.entered:
            return None
        found = self._body(call, own, lambda tree: tree)
        if found is None:
            return None
        inside = replace(self, program=found.program, entered=(*self.entered, own.node))
        return replace(found, program=inside.with_shared())

    def _body(self, call: core.Call, own: core.MakeFunction, spelled: Callable[[Any], Any]) -> Body | None:
        outer = self.program
        if not set(own.captured).isdisjoint(outer.unbound):
            return None
        shared = tuple(name for name in own.captured if name in outer.cells or name in outer.captured)
        first = tuple(name for name in own.captured if name not in shared)
        rebound = tuple(name for name in shared if name in outer.cells)
        program = self._flat(own, spelled, (first, shared, rebound))
        names = program.params.names[len(first) :]
        defaults = dict(zip(names[len(names) - len(own.defaults) :], own.defaults, strict=True))
        given = bound_to_names(names, call, defaults)
        return None if given is None else Body(program, given, frozenset(own.captured))

    def _flat(
        self, own: core.MakeFunction, spelled: Callable[[Any], Any], variables: tuple[tuple[str, ...], ...]
    ) -> core.Function:
        """The program of such a function, which a unit keeps."""
        kept, key = self.unit.bodies, (id(own.node), *variables)
        if key not in kept:
            first, shared, rebound = variables
            tree = spelled(with_captured_first(own, first))
            kept[key] = own.node, self.unit.flat(tree, shared, rebound)
        return kept[key][1]

    def _of_walk(self, call: core.Call, path: core.Path, looped: bool) -> Body | None:
        """The body of a builtin that gives items when it is asked for them."""
        called = self.named(path)
        text = walks.text_of(called, call, looped=looped) if callable(called) else None
        if text is None or not self._has_builtins():
            return None
        atoms = walks.functions_of(called, call)
        if not all(self._may_be_called(atom, called, looped) for atom in atoms):
            return None
        names = tuple(atom.name for atom in atoms if isinstance(atom, core.Var))
        tree = walks.tree_of(text, names)
        walk = core.MakeFunction(tree.name, tree, names, ())
        given = core.Call(core.Var(tree.name), walks.iterables_of(called, call))
        found = self._body(given, walk, lambda tree: tree)
        return None if found is None else replace(found, path=path, eager=walks.takes_whole(called))

    def _has_builtins(self) -> bool:
        """Whether the names of Python's own functions mean these here."""
        return all(self.named(core.Path((name,))) is known for name, known in walks.BUILTINS.items())

    def _may_be_called(self, atom: core.Atom | core.Star, called: Any, looped: bool) -> bool:
        """Whether a function that a builtin is given may be called in place: nothing in it ends the builtin's
        own iteration."""
        if not isinstance(atom, core.Var):
            return False
        own = self._made(atom.name)
        if own is not None:
            return bool(own.captured or looped) and not may_stop_a_walk(own.node)
        return looped and never_stops(self._read(atom.name))

    def _read(self, name: str) -> Any:
        """What a variable holds that is bound once, to what has a name; None of any other."""
        bound = [one for one in core.walk(self.program.body) if name in assigned(one)]
        op = bound[0].op if len(bound) == 1 and isinstance(bound[0], core.Assign) else None
        return self.named(op.path) if isinstance(op, core.Read) else None

    def _made(self, name: str) -> core.MakeFunction | None:
        """The function that a variable holds, if the program makes it and binds the variable once."""
        bound = [one for one in core.walk(self.program.body) if name in assigned(one)]
        op = bound[0].op if len(bound) == 1 and isinstance(bound[0], core.Assign) else None
        return op if isinstance(op, core.MakeFunction) else None

    # -- functions that it finds

    def _of_path(self, call: core.Call, path: core.Path) -> Body | None:
        function = self._generator_at(path)
        if function is None:
            return None
        program = unit_of(function).plain_generator
        if self._calls(function, function, set()):
            quiet = self.quiet
            program = None if quiet is None else listing_of(self.unit, self.program, function, quiet)
        body = None if program is None else self._of_function(call, path.names[0], function, program)
        return None if body is None else replace(body, path=path)

    def manager(self, statement: core.Assign, call: core.Call | core.CallMethod) -> Body | None:
        """The body of the generator function behind what gives a context manager; None if that is something
        else."""
        plain = isinstance(call, core.Call) and isinstance(call.func, core.Path) and not call.carried
        if not plain or any(isinstance(arg, core.Star) for arg in call.args):
            return None
        assert isinstance(call, core.Call) and isinstance(call.func, core.Path)
        made = self.named(call.func)
        body = self.of_manager(call, made, call.func.names[0])
        return None if body is None else replace(body, path=call.func)

    def of_manager(self, call: core.Call, made: Any, name: str) -> Body | None:
        """The body of the generator function behind what makes a context manager, and is found by a name, for
        a call; None of anything else."""
        function = generator_behind(made)
        if function is None or function in self.entered or not self._is_alike(function):
            return None
        body = self._of_function(call, name, function, unit_of(function).plain_manager)
        if body is None or not is_told_apart(body.program.body, self.may_end):
            return None
        self.guards.extend(conditions(made, function))
        return replace(body, program=with_all_told(body.program, self.may_end))

    def _of_function(
        self, call: core.Call, name: str, function: FunctionType, program: core.Function | None
    ) -> Body | None:
        """The body of a function that is found by a name, for a call."""
        unit = unit_of(function)
        if program is None or unit.fixed or unit.ruled is not None or unit.plan is not None:
            return None
        names, values = program.params.names, function.__defaults__ or ()
        defaults = dict(zip(names[len(names) - len(values) :], map(core.Const, values), strict=True))
        given = bound_to_names(names, call, defaults)
        if given is None:
            return None
        code = Guard(function, "__code__", function.__code__)
        self.guards.extend([code, Guard(function, "__defaults__", function.__defaults__)])
        self.found.append(name)
        return Body(self._inside(program, function), given, frozenset())

    def _generator_at(self, path: core.Path) -> FunctionType | None:
        """The generator function that a path leads to, if its body may stand here."""
        function = self.named(path)
        return function if self._is_alike(function) else None

    def _calls(self, function: FunctionType, sought: FunctionType, seen: set[FunctionType]) -> bool:
        """Whether a generator function asks for items of another one, or of one that does: one that asks for
        its own would never be in place as a whole."""
        seen.add(function)
        program = unit_of(function).plain_generator
        calls = [getattr(one, "op", None) for one in core.walk(program.body)] if program is not None else []
        paths = [op.func for op in calls if isinstance(op, core.Call) and isinstance(op.func, core.Path)]
        found = [one for one in map(self._generator_at, paths) if one is not None]
        return sought in found or any(self._calls(one, sought, seen) for one in found if one not in seen)

    def _is_alike(self, function: Any) -> bool:
        """Whether something is a generator function in the same surroundings that has no rule."""
        return self._is_around(function) and bool(function.__code__.co_flags & inspect.CO_GENERATOR)

    def _is_around(self, function: Any) -> bool:
        """Whether something is a function in the same surroundings that has no rule."""
        if type(function) is not FunctionType:
            return False
        source = self.unit.source
        same = function.__globals__ is source.globals and function.__code__.co_filename == source.filename
        plain = not (function.__closure__ or function.__kwdefaults__ or hasattr(function, "__wrapped__"))
        return same and plain and not is_ruled(function) and declare.find(function) is None


def bound_to_names(
    names: tuple[str, ...], call: core.Call, defaults: Mapping[str, core.Atom]
) -> tuple[tuple[str, core.Atom], ...] | None:
    """What each parameter is given; None where that is for Python to say, or a default value is more than a
    constant."""
    if len(call.args) > len(names) or any(keyword.name is None for keyword in call.keywords):
        return None
    given: dict[str, core.Atom] = {}
    for name, arg in zip(names, call.args, strict=False):
        assert not isinstance(arg, core.Star)
        given[name] = arg
    for keyword in call.keywords:
        if keyword.name in given or keyword.name not in names:
            return None
        given[str(keyword.name)] = keyword.value
    for name in names:
        default = defaults.get(name)
        if name in given:
            continue
        if not isinstance(default, core.Const) or not isinstance(default.value, CONSTANTS):
            return None
        given[name] = default
    return tuple(given.items())


CONSTANTS = (int, float, complex, str, bytes, type(None))
"""What a default value may be."""


def _makes(op: core.Op) -> bool:
    """Whether an operation makes a container."""
    return isinstance(op, core.Display | core.DictDisplay)


def _called_in(tree: Any) -> Iterator[tuple[str, ...]]:
    """The names by which functions are found that are called in a function; "" is what has none."""
    for node in nodes(tree):
        if isinstance(node, gast.Call):
            called: Any = node.func
            whole = getattr(called, "value", None)
            names = (str(getattr(whole, "id", "")),) if whole is not None else ()
            yield (*names, str(getattr(called, "attr", getattr(called, "id", ""))))
