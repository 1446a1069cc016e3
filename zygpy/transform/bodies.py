"""Bodies of functions that come to stand in a program, in place of a call or of a loop over a generator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from zygpy.analyse.liveness import live_after
from zygpy.analyse.stillness import IN_CLASS
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, mentioned, read
from zygpy.ir.names import Names, is_temporary
from zygpy.ir.nodes import local_names, names_in
from zygpy.ir.renaming import renamed

MOST_STATEMENTS = 150
"""So many statements may come to stand where there was one loop, or the calls of one function."""


@dataclass(frozen=True)
class Body:
    """The body of a function as a program, for a call: `given` tells the parameters, `free` the variables
    that it has from around it, `path` the name by which it was found, if it was, or `method` the object and
    the name; `eager` tells of one that
    gives items that what is in front of its first `yield` is done where it is called."""

    program: core.Function
    given: tuple[tuple[str, core.Atom], ...]
    free: frozenset[str]
    path: core.Path | None = None
    method: tuple[core.Var, str] | None = None
    eager: bool = False

    def begun(self, names: Names, loc: core.Loc) -> Iterator[core.Statement]:
        """What happens where it is called: the name is read, as everything rests on what that names, and the
        parameters are bound."""
        yield from self.begun_by(names, loc)
        yield from self.program.body[: self._in_front()]

    def begun_by(self, names: Names, loc: core.Loc) -> Iterator[core.Statement]:
        """What a call does before anything of the body: see `begun`."""
        if self.path is not None:
            yield core.Assign(names.temporary(), core.Read(self.path), loc)
        if self.method is not None:
            receiver, name = self.method
            yield core.Assign(names.temporary(), core.Call(IN_CLASS, (receiver, core.Const(name))), loc)
        for name, atom in self.given:
            yield core.Assign(name, core.Copy(atom), loc)

    def rest(self) -> Body:
        """What happens where the items are asked for."""
        return replace(self, program=replace(self.program, body=self.program.body[self._in_front() :]))

    def _in_front(self) -> int:
        """How many statements are done where it is called."""
        body = self.program.body if self.eager else ()
        return next((place for place, one in enumerate(body) if yields_in((one,))), 0)


@dataclass
class Around:
    """A program that bodies come to stand in: its variables, and fresh names for theirs."""

    program: core.Function
    variables: set[str] = field(init=False)
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        program = self.program
        self.variables = {*mentioned(program), *program.captured, *program.cells}
        self.names = Names(self.variables | _outside(program))

    def fitting(self, body: Body) -> Body | None:
        """A body whose variables have names of their own here; None where it means something outside by what
        is a variable here."""
        program, outside = body.program, _outside(body.program)
        if not outside.isdisjoint(self.variables):
            return None
        self.names.taken |= outside
        own = (assigned_inside(program.body) | set(program.params.names)) - body.free
        walked = _walked(program, body.given)
        new = {name: self._named(name) for name in sorted(own - walked.keys(), key=_order)}
        self.variables.update(new.values())
        given = tuple((new[name], atom) for name, atom in body.given if name not in walked)
        new |= walked
        return replace(body, program=replace(program, body=renamed(program.body, new)), given=given)

    def _named(self, name: str) -> str:
        if is_temporary(name):
            return self.names.temporary()
        taken = name in self.names.taken
        return self.names.fresh(f"{name}_in_place" if taken and is_temporary(f"{name}_1") else name)


def _order(name: str) -> tuple[bool, int, str]:
    return is_temporary(name), len(name), name


def _outside(program: core.Function) -> set[str]:
    """The names by which a program means something outside of all functions."""
    found: set[str] = set()
    for statement in core.walk(program.body):
        if isinstance(statement, core.WriteGlobal):
            found.add(statement.name)
        found |= {path.names[0] for path in _paths(statement) if path.scope in ("global", "builtin")}
    for op in made_in(program):
        found |= set(names_in(op.node)) - local_names(op.node) - set(op.captured)
    return found


def made_in(program: core.Function) -> Iterator[core.MakeFunction]:
    """The functions that a program makes."""
    for statement in core.walk(program.body):
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
            yield statement.op


def handed_on_unbound(program: core.Function) -> list[str]:
    """The variables that a program has captured, and functions that it makes take, and that may have no
    value."""
    taken = {name for op in made_in(program) for name in op.captured}
    return [name for name in program.unbound if name in program.captured and name in taken]


def _paths(statement: core.Statement) -> Iterator[core.Path]:
    if isinstance(statement, core.For):
        yield from _paths_in(statement.iterable)
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.Read):
        yield op.path
    if isinstance(op, core.Call) and isinstance(op.func, core.Path):
        yield op.func


def _paths_in(iterable: core.Atom | core.Iterate) -> Iterator[core.Path]:
    if isinstance(iterable, core.Iterate):
        yield iterable.func
        for arg in iterable.args:
            yield from _paths_in(arg)


def _walked(program: core.Function, given: Iterable[tuple[str, core.Atom]]) -> dict[str, str]:
    """The parameters that hold what has no name where it is given, and is walked over, with what holds it
    there: a generator, perhaps, which nobody knows any more when this one is left, and which may come to
    stand in place itself."""
    loops = [loop.iterable for loop in core.walk(program.body) if isinstance(loop, core.For)]
    rebound = assigned_inside(program.body)
    return {
        name: atom.name
        for name, atom in given
        if isinstance(atom, core.Var)
        and is_temporary(atom.name)
        and name not in rebound
        and core.Var(name) in loops
    }


FRAMES = frozenset({"super"})
"""What looks into the function that it is called in."""


def may_stand_elsewhere(body: Body) -> bool:
    """Whether a body does the same in place, what takes its items behind its `yield`s: no handler of its own
    is around them."""
    handlers = (
        one for one in core.walk(body.program.body) if isinstance(one, core.With | core.Attempt | core.Handle)
    )
    return not any(yields_in(one.body) for one in handlers) and means_the_same_elsewhere(body)


def means_the_same_elsewhere(body: Body) -> bool:
    """Whether the statements of a body do the same in place: no variable is read that the run before may have
    bound, and no function is made that shares its own."""
    program, free = body.program, body.free
    own = (assigned_inside(program.body) | set(program.params.names)) - free
    for statement in core.walk(program.body):
        if isinstance(statement, core.Refuse) or any(path.names[0] in FRAMES for path in _paths(statement)):
            return False
    if any(not own.isdisjoint(op.captured) for op in made_in(program)):
        return False
    first = core.Assign("", core.Copy(core.Const(None)), core.Loc(1, 0))
    live = live_after(replace(program, body=(first, *program.body[:-1])))[id(first)]
    return live <= free | set(program.params.names)


def yields_in(block: core.Block) -> list[core.Statement]:
    """The `yield`s of a block."""
    ops = (statement for statement in core.walk(block) if isinstance(statement, core.Assign))
    return [statement for statement in ops if isinstance(statement.op, core.Yield)]


def captured_by(statement: core.Statement) -> tuple[str, ...]:
    """The variables that a function captures, if a statement makes one."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return op.captured if isinstance(op, core.MakeFunction) else ()


def reads_of(statements: Iterable[core.Statement]) -> Counter[str]:
    """How often variables are read, or captured."""
    return Counter(name for one in statements for name in (*read(one), *captured_by(one)))


def bindings_of(statements: Iterable[core.Statement]) -> Counter[str]:
    """How often variables are bound, or deleted."""
    return Counter(name for one in statements for name in assigned(one))


# ------------------------------------------------------------------------- what is not needed any more


def without_unread_functions(program: core.Function) -> core.Function:
    """The program without the functions that nobody calls any more, and with variables that no function
    shares any more as ordinary ones."""
    statements = list(core.walk(program.body))
    reads = reads_of(statements)
    unread = {id(one) for one in statements if _is_unread(one, reads)}
    if not unread:
        return _with_plain_variables(program)
    kept = core.rewritten(program.body, lambda one: () if id(one) in unread else (one,))
    return without_unread_functions(replace(program, body=kept))


def _is_unread(statement: core.Statement, reads: Counter[str]) -> bool:
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.MakeFunction):
        return False
    return not reads[statement.target]


def _with_plain_variables(program: core.Function) -> core.Function:
    shared = {name for op in made_in(program) for name in op.captured}
    plain = frozenset(program.cells) - shared - set(program.captured) - set(program.unbound)
    if not plain:
        return program

    def new(statement: core.Statement) -> core.Block:
        if isinstance(statement, core.WriteCell) and statement.name in plain:
            if statement.value == core.Var(statement.name):  # a parameter
                return ()
            return (core.Assign(statement.name, core.Copy(statement.value), statement.loc),)
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.ReadCell):
            name = statement.op.name
            return (replace(statement, op=core.Copy(core.Var(name))),) if name in plain else (statement,)
        return (statement,)

    cells = tuple(name for name in program.cells if name not in plain)
    return replace(program, body=core.rewritten(program.body, new), cells=cells)
