"""Generators that ask for their own items, as a tree's does, in lists: a generator function that gives items
and does nothing else may be asked for all of them at once, where all are taken and nothing is changed
meanwhile.

    for v in walk(tree):             for v in walk_listed(tree):
        total += v           ->          total += v

What `walk_listed` gives is what `list(walk(tree))` would (`units.listing_function`), and it is derived as any
function is. That nothing is changed is told by the texts of the generator, of what the loop does, and of the
classes of the program.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope
from zygpy.analyse.shared_iterators import Walks, gives_what_it_walks_over
from zygpy.analyse.stillness import CHECK, Still
from zygpy.errors import ZygpyError
from zygpy.ir import core
from zygpy.ir.access import assigned, iterable_atoms, mentioned, read
from zygpy.ir.names import Names
from zygpy.normalise.generators import gives_items_plainly, is_plain_generator
from zygpy.rules.custom import is_ruled
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.still_objects import GIVING
from zygpy.runtime.stillness import all_still, methods_named
from zygpy.units import Unit, listing_function, unit_of


def listing_of(
    unit: Unit, program: core.Function, function: FunctionType, quiet: Quiet
) -> core.Function | None:
    """A generator's body that walks over a list of the items of a generator function, in the program of a
    unit; None where a list may not stand for it."""
    if not quiet.gives_items(function) or not all_still(unit.source.globals):
        return None
    plain = unit_of(function).plain_generator
    assert plain is not None
    listing = listing_function(function)
    listing.__dict__[GIVING] = quiet.methods(function)
    checked = unit.lists and unit.source.name == listing.__name__  # which asks for items further down
    return _walking(plain, core.Path((_name_in(unit, program, listing),)), checked=checked)


def _name_in(unit: Unit, program: core.Function, listing: FunctionType) -> str:
    """The name by which a unit's program finds the function that gives the list."""
    for name, known in unit.listed.items():
        if known is listing:
            return name
    name = Names({*mentioned(program), *unit.source.globals, *unit.given_names}).fresh(listing.__name__)
    unit.listed[name] = listing
    return name


def _walking(plain: core.Function, path: core.Path, *, checked: bool) -> core.Function:
    """A generator with the parameters of another one that gives what a function gives in a list; the objects
    that it is given are looked at first."""
    names, loc = Names(plain.params.names), plain.body[-1].loc
    listed, item, sent = names.fresh("listed"), names.fresh("item"), names.temporary()
    given = tuple(map(core.Var, plain.params.names))
    known = core.Var(names.temporary())
    check = (
        core.Assign(known.name, core.Read(path), loc),
        core.Assign(names.temporary(), core.Call(CHECK, (known, *given)), loc),
    )
    body: core.Block = (
        core.Assign(listed, core.Call(path, given), loc),
        core.For(item, core.Var(listed), (core.Assign(sent, core.Yield(core.Var(item)), loc),), loc),
        core.Return(core.Const(None), loc),
    )
    return core.Function(plain.name, plain.params, body if checked else (*check, *body))


@dataclass(frozen=True)
class Quiet:
    """The functions of a program that leave everything as it is: which these are, where some names may come
    to mean something else, rests on the `guards`; `known` are those that are being asked."""

    replaced: frozenset[str]
    guards: list[Guard]
    known: frozenset[FunctionType] = frozenset()

    def gives_items(self, function: FunctionType) -> bool:
        """Whether a generator function gives items and does nothing else; so do those whose items it asks
        for."""
        methods = self.methods(function)
        if not all(type(one) is FunctionType and _is_plain(one) for one in methods):
            return False
        quiet = self
        for one in methods:
            quiet = quiet._asking(one)
        return all(quiet._gives_items(one) for one in {function, *methods})

    def _gives_items(self, function: FunctionType) -> bool:
        program = _items_of(function)
        if program is None:
            return False
        names = frozenset({function.__name__} if self.methods(function) else ())
        still = replace(
            self._asking(function).still(unit_of(function), program, of_generator=True), methods=names
        )
        return all(map(still.leaves, core.walk(program.body))) and not gives_what_it_walks_over(
            still.scope, program
        )

    def methods(self, function: FunctionType) -> frozenset[Any]:
        """What the classes that are found from a generator function have by its name, if it calls methods by
        that."""
        program = _items_of(function)
        called = [getattr(one, "op", None) for one in core.walk(program.body)] if program is not None else []
        name = function.__name__
        if not any(isinstance(op, core.CallMethod) and op.name == name for op in called):
            return frozenset()
        return frozenset({function, *methods_named(function.__globals__, name)})

    def leaves(self, function: FunctionType) -> bool:
        """Whether a call of a function leaves everything as it is, and asks for items of nothing but its
        own."""
        if function in self.known:
            return True
        program = self._program(function)
        if program is None:
            return False
        still = self._asking(function).still(unit_of(function), program)
        if not Walks(still.scope, program, ()).are_own(program.body):
            return False
        return all(still.leaves(one) or _is_filled(program, None, one) for one in core.walk(program.body))

    def _program(self, function: FunctionType) -> core.Function | None:
        """The program of a function of the user's, if its text is there, and tells everything."""
        file = function.__code__.co_filename
        if function.__closure__ or is_platform(file) or is_installed(file) or is_ruled(function):
            return None
        try:
            unit = unit_of(function)
            if function.__code__.co_flags & inspect.CO_GENERATOR:
                return unit.plain_generator if self.gives_items(function) else None
            return unit.program if unit.ruled is None and unit.plan is None else None
        except (ZygpyError, SyntaxError):
            return None

    def _is_asked(self, function: FunctionType) -> bool:
        """Whether what a generator calls leaves everything as it is but iterators, of which nobody else asks
        for items meanwhile."""
        if function in self.known:
            return True
        made = function.__code__.co_flags & inspect.CO_GENERATOR
        return self._program(function) is not None if made else self.leaves(function)

    def _asking(self, function: FunctionType) -> Quiet:
        self.guards.append(Guard(function, "__code__", function.__code__))
        return replace(self, known=self.known | {function})

    def still(self, unit: Unit, program: core.Function, *, of_generator: bool = False) -> Still:
        """What the statements of a unit's program do."""
        scope = Scope(unit.source.globals, {}, {}, unit.given_names, self.replaced)
        return Still(scope, program, self._is_asked if of_generator else self.leaves, self.guards)


def _items_of(function: FunctionType) -> core.Function | None:
    """The program of a generator function, if its text tells that it gives items and nothing else."""
    try:
        unit = unit_of(function)
        tree = unit.parsed()
        plain = is_plain_generator(tree) and gives_items_plainly(tree)
        return unit.plain_generator if plain else None
    except (ZygpyError, SyntaxError):
        return None


def _is_plain(function: FunctionType) -> bool:
    """Whether a method is just what its text says."""
    return not (function.__closure__ or hasattr(function, "__wrapped__") or is_ruled(function))


# -- what takes the items


def lists_hold(unit: Unit, program: core.Function, quiet: Quiet) -> bool:
    """Whether all lists stand for generators whose items they are: the loops over them go to their ends, and
    leave everything as it is but the variables of the program, and lists that are only filled there. What was
    done before a generator failed is not asked for."""
    statements = list(core.walk(program.body))
    found = {name for one in statements if (name := _listed_by(unit, one)) is not None}
    if not found:
        return True
    if any(isinstance(one, core.Attempt | core.Handle | core.With) for one in statements):
        return False
    still = quiet.still(unit, program)
    walks = Walks(still.scope, program, tuple(unit.listed))
    loops = [one for one in statements if isinstance(one, core.For) and not found.isdisjoint(_walked(one))]
    return all(_is_still(still, program, loop) and walks.are_own_in(loop) for loop in loops)


def with_all_looked_at(unit: Unit, program: core.Function) -> core.Function:
    """The program in which everything that the loops over lists have from before is looked at with what the
    generators are given: an operator of any of it may change what these go through."""
    statements = list(core.walk(program.body))
    found = {name for one in statements if (name := _listed_by(unit, one)) is not None}
    if not found:
        return program
    loops = [one for one in statements if isinstance(one, core.For) and not found.isdisjoint(_walked(one))]
    wanted = {name for loop in loops for one in core.walk(loop.body) for name in read(one)} - found
    bound = [name for name in program.params.names if name in wanted]
    body: list[core.Statement] = []
    for statement in program.body:
        body += core.rewritten((statement,), partial(_looking_at, tuple(map(core.Var, bound))))
        bound += [name for name in assigned(statement) if name in wanted and _may_be_object(statement)]
    return replace(program, body=tuple(body))


def _looking_at(more: tuple[core.Var, ...], statement: core.Statement) -> core.Block:
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or op.func != CHECK:
        return (statement,)
    assert isinstance(statement, core.Assign)
    given = tuple(dict.fromkeys((*op.args, *more)))
    return (replace(statement, op=replace(op, args=given)),)


def _may_be_object(statement: core.Statement) -> bool:
    """Whether a statement surely binds its variables, to something that may be an object."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if op is None or op == core.Display("list", ()):
        return isinstance(statement, core.Unpack)
    return not (isinstance(op, core.Copy) and isinstance(op.value, core.Const))


def _listed_by(unit: Unit, statement: core.Statement) -> str | None:
    """The variable that a statement binds to a list of items."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.func.scope != "global":
        return None
    assert isinstance(statement, core.Assign)
    return statement.target if op.func.names[0] in unit.listed else None


def _walked(loop: core.For) -> set[str]:
    return {atom.name for atom in iterable_atoms(loop.iterable) if isinstance(atom, core.Var)}


def _is_still(still: Still, program: core.Function, loop: core.For) -> bool:
    if any(isinstance(one, core.Break | core.Return) for one in core.of_loop(loop.body)):
        return False
    return all(still.leaves(one) or _is_filled(program, loop, one) for one in core.walk(loop.body))


def _is_filled(program: core.Function, loop: core.For | None, statement: core.Statement) -> bool:
    """Whether a statement puts something into a list that nothing else holds meanwhile: it is made empty, and
    only filled where it is mentioned before the loop ends; or all through the program, if it is returned."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.CallMethod) or op.name != "append" or not isinstance(op.value, core.Var):
        return False
    name = op.value.name
    asking = [one for one in core.walk(program.body) if name in (*read(one), *assigned(one))]
    if name in program.cells or name in program.captured or name in program.params.names:
        return False
    if all(_fills(one, name) or _makes(one, name) or _returns(program, one) for one in asking):
        return sum(_makes(one, name) for one in asking) == 1
    return loop is not None and _is_filled_by(_block_of(program.body, loop), loop, name)


def _is_filled_by(block: core.Block, loop: core.For, name: str) -> bool:
    """The same of a list that is made in front of the loop in the same block."""
    place = next(place for place, one in enumerate(block) if one is loop)
    begun = next((at for at in reversed(range(place)) if name in assigned(block[at])), None)
    if begun is None or not _makes(block[begun], name):
        return False
    asking = core.walk(block[begun + 1 : place + 1])
    return all(_fills(one, name) for one in asking if name in (*read(one), *assigned(one)))


def _makes(statement: core.Statement, name: str) -> bool:
    """Whether a statement makes an empty list."""
    made = isinstance(statement, core.Assign) and statement.op == core.Display("list", ())
    return made and name in assigned(statement)


def _returns(program: core.Function, statement: core.Statement) -> bool:
    """Whether a statement returns something, or gives it a name by which it is returned."""
    if isinstance(statement, core.Return):
        return True
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Copy):
        return False
    named = statement.target
    return all(isinstance(one, core.Return) for one in core.walk(program.body) if named in read(one))


def _fills(statement: core.Statement, name: str) -> bool:
    """Whether a statement puts something that is not the list itself into a list."""
    op = statement.op if isinstance(statement, core.Assign) and statement.target != name else None
    if not isinstance(op, core.CallMethod) or op.name != "append" or op.value != core.Var(name):
        return False
    return core.Var(name) not in op.args


def _block_of(block: core.Block, loop: core.For) -> core.Block:
    """The block in which a loop stands."""
    if any(one is loop for one in block):
        return block
    inner = (_block_of(each, loop) for one in block for each in core.blocks(one))
    return next((found for found in inner if found), ())
