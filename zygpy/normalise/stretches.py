"""Loops in stretches: a function whose outermost loops are left to functions of their own, each call of which
runs a stretch of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from zygpy.analyse.liveness import live_after
from zygpy.errors import UnsupportedSyntaxError, locate
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, read
from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, own_nodes
from zygpy.normalise.trees import identifiers

Places = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Stretched:
    """A program, and the programs that run stretches of its loops, by name."""

    program: core.Function
    parts: dict[str, core.Function]


def places_of_loops(tree: gast.AST) -> Places:
    """Where the loops stand that are written as statements."""
    loops = [node for node in own_nodes(tree) if isinstance(node, gast.For | gast.While)]
    return frozenset((node.lineno, node.col_offset) for node in loops)


def in_stretches(
    program: core.Function,
    loops: Places,
    filename: str,
    is_builtin: Callable[[str], bool],
    taken: tuple[frozenset[str], frozenset[str]],
    segments: int | None = None,
) -> Stretched:
    """The program with a call for every stretch of an outermost loop that is at one of these places.

    Requires: a flat program. `is_builtin` says whether a global name means what Python means by it; `taken`
    are names that parts may not have: those in the function's text, and global ones. With
    `segments` a part of more iterations calls itself for so many parts of its own.
    Ensures: what a loop binds and is read later comes back from its part, everything that it reads is
    given to it. Breaks set a flag that the part gives back.

    Raises UnsupportedSyntaxError where a loop cannot be made a function.
    """
    maker = _Maker(program, loops, filename, is_builtin, *taken, segments)
    maker.check_function()
    bound = {*program.params.names}
    body = maker.block(program.body, bound)
    return Stretched(replace(program, body=body), maker.parts)


@dataclass
class _Maker:
    program: core.Function
    loops: Places
    filename: str
    is_builtin: Callable[[str], bool]
    own: frozenset[str]
    taken: frozenset[str]
    segments: int | None
    parts: dict[str, core.Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        mentioned = {name for statement in core.walk(self.program.body) for name in _mentioned(statement)}
        self.names = Names(mentioned | set(self.program.params.names) | self.own | self.taken)
        self.live = live_after(self.program)

    def check_function(self) -> None:
        """Refuse generator functions."""
        if self.program.generator:
            raise self._refusal(self.program.body[0], "a generator function has a checkpointed loop")

    # -- where loops are

    def block(self, block: core.Block, bound: set[str]) -> core.Block:
        """A block with its loops in stretches; `bound`, which grows, has the variables that are bound."""
        result: list[core.Statement] = []
        for statement in block:
            result.extend(self._statement(statement, bound))
        return tuple(result)

    def _statement(self, statement: core.Statement, bound: set[str]) -> Iterator[core.Statement]:
        match statement:
            case core.For() | core.Loop() if self._is_marked(statement):
                yield from self._loop(statement, bound)
                bound |= surely_bound((statement,))
            case core.If():
                then, orelse = set(bound), set(bound)
                arms = self.block(statement.then, then), self.block(statement.orelse, orelse)
                yield replace(statement, then=arms[0], orelse=arms[1])
                bound |= surely_bound((statement,))
            case core.With():
                bound |= assigned(statement)
                yield replace(statement, body=self.block(statement.body, bound))
            case core.Attempt() | core.Handle() if any(map(self._is_marked, core.walk(statement.body))):
                raise self._refusal(
                    next(inner for inner in core.walk(statement.body) if self._is_marked(inner)),
                    "a checkpointed loop stands in a `try`, or in a `with` that may catch exceptions",
                    "put the loop into a checkpointed function of its own that is called there",
                )
            case _:
                yield statement
                bound |= surely_bound((statement,))
                bound -= {statement.name} if isinstance(statement, core.DelName) else set()

    def _is_marked(self, statement: core.Statement) -> bool:
        loop = isinstance(statement, core.For | core.Loop)
        return loop and (statement.loc.line, statement.loc.column) in self.loops

    # -- one loop

    def _loop(self, loop: core.For | core.Loop, bound: set[str]) -> Iterator[core.Statement]:
        self._check(loop)
        before = _Caller(self, loop)
        walked, target = before.walked()
        leaves = _breaks(loop.body)
        left = (self.names.fresh("left"),) if leaves else ()
        inner = core.For(target, walked, _flagged(loop.body, left), loop.loc)
        results = (*left, *self._results(loop))
        start = tuple(core.Assign(name, core.Copy(core.Const(False)), loop.loc) for name in left)
        part = self._part(loop, (*start, inner), results, tuple(before.given))
        state = [name for name in part.params.names if name not in before.given]
        unbound = [name for name in state if name not in {*bound, *self.program.captured}]
        self._check_bound(loop, unbound)
        captured = {name: self.names.fresh(name) for name in state if name in self.program.captured}
        for name, fresh in captured.items():
            yield core.Assign(fresh, core.Read(core.Path((name,), "captured")), loop.loc)
        args = (*before.given.values(), *(core.Var(captured.get(name, name)) for name in state))
        call = core.Call(core.Path((part.name,)), args)
        around = before.around((*self._taken(call, results, loop.loc), *before.behind), left)
        yield from before.ahead
        for name in unbound:
            yield core.Assign(name, core.Copy(core.Const(None)), loop.loc)
        yield around

    def _results(self, loop: core.For | core.Loop) -> tuple[str, ...]:
        """The variables that the loop binds and that are read behind it, or by its next iteration."""
        wanted = self.live[id(loop)] | _exposed(loop)
        return tuple(sorted(assigned_inside((loop,)) & wanted))

    def _part(
        self, loop: core.Statement, body: core.Block, results: tuple[str, ...], given: tuple[str, ...]
    ) -> core.Function:
        """The function that runs a stretch."""
        loc, name = loop.loc, self.names.fresh(f"{self.program.name}_loop")
        ending: core.Block = (core.Return(core.Var(results[0]) if results else core.Const(None), loc),)
        if len(results) > 1:
            together = self.names.temporary()
            display = core.Display("tuple", tuple(map(core.Var, results)))
            ending = (core.Assign(together, display, loc), core.Return(core.Var(together), loc))
        inside, captured = _without_captured(body, self.names)
        state = sorted((needed_before(inside, ending) | captured) - set(given))
        if self.segments:
            inside = self._again_divided(inside, core.Path((name,)), (given[0], *state), results)
        part = core.Function(name, core.Params(positional=(*given, *state)), (*inside, *ending))
        self.parts[name] = part
        return part

    def _again_divided(
        self, block: core.Block, part: core.Path, known: tuple[str, ...], results: tuple[str, ...]
    ) -> core.Block:
        """The body of a part that calls itself unless it is short; `known` are its gauge and the state."""
        *start, loop = block
        gauge, *state = known
        assert isinstance(loop, core.For)
        left = tuple(name for statement in start for name in assigned(statement))
        before = _Caller(self, loop, core.Var(gauge))
        before.walked()
        call = core.Call(part, (*before.given.values(), *map(core.Var, state)))
        around = before.around((*self._taken(call, results, loop.loc), *before.behind), left)
        size, test = before.count, self.names.fresh("short")
        short = core.Assign(test, _call("is_short", before.gauge, size, core.Const(self.segments)), loop.loc)
        return (*start, *before.ahead, short, core.If(core.Var(test), (loop,), (around,), loop.loc))

    def _taken(self, call: core.Call, results: tuple[str, ...], loc: core.Loc) -> core.Block:
        """The call of a part, whose results are the loop's variables."""
        if len(results) == 1:
            return (core.Assign(results[0], call, loc),)
        together = self.names.temporary()
        unpacked = (core.Unpack(results, None, core.Var(together), loc),) if results else ()
        return (core.Assign(together, call, loc), *unpacked)

    # -- what cannot be done

    def _check(self, loop: core.For | core.Loop) -> None:
        cells = set(self.program.cells)
        for statement in core.walk((loop,)):
            shared = _cells_of(statement) & cells
            if shared:
                raise self._refusal(
                    statement,
                    f"a checkpointed loop uses '{min(shared)}', which functions share and rebind",
                    "keep it in a list or an object, or give an inner function its value as a default",
                )
            if isinstance(statement, core.WriteGlobal):
                raise self._refusal(statement, "a checkpointed loop rebinds a global variable")

    def _check_bound(self, loop: core.Statement, unbound: list[str]) -> None:
        """Refuse variables of the user's that may have no value; others are read where flags say that they
        have one."""
        for name in unbound:
            if name in self.own:
                raise self._refusal(
                    loop,
                    f"'{name}' may have no value before a checkpointed loop that may leave it as it is",
                    f"give '{name}' a value before the loop",
                )

    def _refusal(self, statement: core.Statement, message: str, instead: str = "") -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(
            f"{message}.",
            locate(self.filename, statement.loc.line, statement.loc.column, self.program.name),
            why="parts of the loop are run once more in the backward pass, as functions of what they read",
            instead=instead or "do that outside the loop",
        )


class _Caller:
    """What stands around the calls of a part: how long stretches are, and what they walk over."""

    def __init__(self, maker: _Maker, loop: core.For | core.Loop, gauge: core.Var | None = None) -> None:
        self.maker = maker
        self.loop = loop
        self.names = maker.names
        self.ahead: list[core.Statement] = []
        self.inside: list[core.Statement] = []
        self.behind: list[core.Statement] = []
        self.given: dict[str, core.Atom] = {}
        self.lengths: list[core.Atom] = []
        self.count: core.Atom = core.Const(0)
        self.segments = (core.Const(maker.segments),) if maker.segments else ()
        self.gauge = gauge or self._kept(_call("new_gauge"), "gauge")
        self._give("gauge", self.gauge)

    def walked(self) -> tuple[core.Atom | core.Iterate, core.Target]:
        """What the part's loop walks over, and its target."""
        if isinstance(self.loop, core.Loop):
            self.count = core.Var(self.names.fresh("count"))
            bounds = self._give("start", core.Const(0)), self._give("stop", self.count)
            return core.Iterate(RANGE, bounds), self.names.temporary()
        self.first, self.last = self.names.fresh("first"), self.names.fresh("last")
        return self._walked(self.loop.iterable, back=False), self.loop.target

    def around(self, calls: core.Block, left: tuple[str, ...]) -> core.Statement:
        """The loop over stretches."""
        loc = self.loop.loc
        leaving = tuple(core.If(core.Var(name), (core.Break(loc),), (), loc) for name in left)
        if isinstance(self.loop, core.Loop):
            assert isinstance(self.count, core.Var)
            self._assign(self.ahead, self.count.name, self._next_length(core.Const(0)))
            grown = core.Assign(self.count.name, self._next_length(self.count), loc)
            return core.Loop((*calls, *leaving, grown), loc)
        self.count = self.size()
        self._assign(self.ahead, self.first, core.Copy(core.Const(0)))
        over, first, last = self.names.temporary(), core.Var(self.first), core.Var(self.last)
        end = _call("stretch_end", self.gauge, first, self.count, *self.segments)
        before = (
            core.Assign(over, core.Compare(">=", first, self.count), loc),
            core.If(core.Var(over), (core.Break(loc),), (), loc),
            core.Assign(self.last, end, loc),
        )
        return core.Loop(
            (*before, *self.inside, *calls, *leaving, core.Assign(self.first, core.Copy(last), loc)), loc
        )

    def _next_length(self, length: core.Atom) -> core.Op:
        return _call("next_length", self.gauge, length, *self.segments)

    def size(self) -> core.Atom:
        """The number of iterations."""
        if len(self.lengths) == 1:
            return self.lengths[0]
        return self._kept(core.Call(core.Path(("min",), "builtin"), tuple(self.lengths)))

    def _walked(self, iterable: core.Atom | core.Iterate, *, back: bool) -> core.Atom | core.Iterate:
        if not isinstance(iterable, core.Iterate):
            return self._items(iterable, back=back)
        name = iterable.func.names[0]
        if not self.maker.is_builtin(name):
            raise self.maker._refusal(
                self.loop, f"what a checkpointed loop walks over is made by another '{name}'"
            )
        if name == "range":
            return self._range(iterable, back=back)
        if name == "enumerate":
            return self._enumerated(iterable)
        if not iterable.args or any(keyword.name == "strict" for keyword in iterable.keywords):
            raise self.maker._refusal(
                self.loop, "a checkpointed loop walks over a strict or empty `zip`", "compare the lengths"
            )
        inner = tuple(self._walked(item, back=name == "reversed") for item in iterable.args)
        return replace(iterable, args=inner)

    def _items(self, atom: core.Atom, *, back: bool) -> core.Atom:
        """Items of a list or array."""
        if isinstance(atom, core.Const):
            atom = self._kept(core.Copy(atom))
        assert isinstance(atom, core.Var)
        self._kept(_call("check_walkable", atom))
        length = self._length(atom)
        lower, upper = self._bounds(length, back=back)
        items = self._inside(core.GetItem(atom, core.Slice(lower, upper, None)))
        self.behind.append(
            core.Assign(
                self.names.temporary(), _call("check_unchanged", atom, length, lower, items), self.loop.loc
            )
        )
        return self._give("items", items)

    def _range(self, iterable: core.Iterate, *, back: bool) -> core.Iterate:
        args = [arg for arg in iterable.args if not isinstance(arg, core.Iterate)]
        length = self._length(self._kept(core.Call(core.Path(("range",), "builtin"), tuple(args))))
        lower, upper = self._bounds(length, back=back)
        if len(args) == 1:
            bounds = [lower, upper]
        else:
            start, step = args[0], args[2] if len(args) == 3 else core.Const(1)
            bounds = [self._shifted(start, bound, step) for bound in (lower, upper)]
        given = [self._give(name, bound) for name, bound in zip(("start", "stop"), bounds, strict=True)]
        steps = [self._give("step", args[2])] if len(args) == 3 else []
        return core.Iterate(RANGE, (*given, *steps))

    def _shifted(self, start: core.Atom, bound: core.Atom, step: core.Atom) -> core.Atom:
        """`start + bound * step`."""
        if step != core.Const(1):
            bound = self._inside(core.Binary("*", bound, step))
        return self._inside(core.Binary("+", start, bound))

    def _enumerated(self, iterable: core.Iterate) -> core.Iterate:
        starts = [*iterable.args[1:], *(keyword.value for keyword in iterable.keywords)]
        inner = self._walked(iterable.args[0], back=False)
        start: core.Atom = core.Var(self.first)
        if starts and not isinstance(starts[0], core.Iterate):
            start = self._inside(core.Binary("+", starts[0], start))
        return core.Iterate(iterable.func, (inner,), (core.Keyword("start", self._give("start", start)),))

    def _length(self, atom: core.Atom) -> core.Atom:
        length = self._kept(core.Call(core.Path(("len",), "builtin"), (atom,)), "count")
        self.lengths.append(length)
        return length

    def _bounds(self, length: core.Atom, *, back: bool) -> tuple[core.Atom, core.Atom]:
        """Where the items of a stretch begin and end; counted from the end with `back`."""
        first, last = core.Var(self.first), core.Var(self.last)
        if not back:
            return first, last
        lower = self._inside(core.Binary("-", length, last))
        return lower, self._inside(core.Binary("-", length, first))

    def _give(self, wish: str, atom: core.Atom) -> core.Var:
        name = self.names.fresh(wish)
        self.given[name] = atom
        return core.Var(name)

    def _kept(self, op: core.Op, wish: str = "") -> core.Var:
        """The result of an operation in front of the loop."""
        name = self.names.fresh(wish) if wish else self.names.temporary()
        self._assign(self.ahead, name, op)
        return core.Var(name)

    def _inside(self, op: core.Op) -> core.Var:
        """The result of an operation in front of each call."""
        name = self.names.temporary()
        self._assign(self.inside, name, op)
        return core.Var(name)

    def _assign(self, where: list[core.Statement], name: str, op: core.Op) -> None:
        where.append(core.Assign(name, op, self.loop.loc))


RANGE = core.Path(("range",), "builtin")


def _call(helper: str, *args: core.Atom) -> core.Call:
    return core.Call(core.Path((helper,), "helper"), args)


# ------------------------------------------------------------------------------------------- variables


def _mentioned(statement: core.Statement) -> Iterator[str]:
    yield from assigned(statement)
    yield from read(statement)
    yield from _cells_of(statement)
    op = statement.op if isinstance(statement, core.Assign) else None
    path = op.path if isinstance(op, core.Read) else getattr(op, "func", None)
    if isinstance(path, core.Path):
        yield path.names[0]
    if isinstance(op, core.MakeFunction):
        yield from identifiers(op.node)


def _cells_of(statement: core.Statement) -> set[str]:
    """The variables that a statement may know by their cells."""
    if isinstance(statement, core.WriteCell | core.DelCell):
        return {statement.name}
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.ReadCell):
        return {op.name}
    return set(op.captured) if isinstance(op, core.MakeFunction) else set()


def _exposed(loop: core.For | core.Loop) -> set[str]:
    """What an iteration may read that another one, or code in front of the loop, has bound."""
    return needed_before((loop,))


def needed_before(block: core.Block, ending: core.Block = ()) -> set[str]:
    """What a block reads that it may not have bound, and what `ending` reads behind it that the block, whose
    loops have an iteration, may not have bound."""
    sure = surely_bound(tuple(map(_run_once, block)))
    return _read_first(block) | (_read_first((*block, *ending)) - sure)


def _read_first(block: core.Block) -> set[str]:
    """What a block reads that it may not have bound."""
    here = core.Loc(1, 0)
    start = core.Assign("", core.Copy(core.Const(None)), here)
    return set(live_after(core.Function("", core.Params(), (start, *block)))[id(start)])


def _run_once(statement: core.Statement) -> core.Statement:
    """One iteration of a loop, as a loop that is left at its end."""
    if isinstance(statement, core.For):
        target = core.Unpack(tuple(assigned(statement)), None, core.Const(None), statement.loc)
        body = statement.body
        return core.Loop((target, *body, core.Break(statement.loc)), statement.loc)
    return statement


def surely_bound(block: core.Block) -> set[str]:
    """The variables that have a value whenever a block has run to its end."""
    found, _ = _bound(block)
    return set() if found is None else found


def _bound(block: core.Block) -> tuple[set[str] | None, list[set[str]]]:
    """The variables bound at the end of a block, None if it is never reached, and at each of its breaks."""
    bound: set[str] = set()
    exits: list[set[str]] = []
    for statement in block:
        if isinstance(statement, core.Break):
            return None, [*exits, bound]
        if isinstance(statement, core.Raise | core.Refuse):
            return None, exits
        ends, breaks = _bound_by(statement)
        exits += [bound | inner for inner in breaks]
        if ends is None:
            return None, exits
        bound = bound | ends
        bound -= {statement.name} if isinstance(statement, core.DelName) else set()
    return bound, exits


def _bound_by(statement: core.Statement) -> tuple[set[str] | None, list[set[str]]]:
    if isinstance(statement, core.If):
        (then, exits), (orelse, more) = _bound(statement.then), _bound(statement.orelse)
        return _both(then, orelse), exits + more
    if isinstance(statement, core.Loop):
        _, exits = _bound(statement.body)
        return (set.intersection(*exits) if exits else None), []
    if isinstance(statement, core.With):
        inner, exits = _bound(statement.body)
        return None if inner is None else inner | assigned(statement), exits
    return (set() if isinstance(statement, core.For | core.Handle) else assigned(statement)), []


def _both(then: set[str] | None, orelse: set[str] | None) -> set[str] | None:
    if then is None or orelse is None:
        return orelse if then is None else then
    return then & orelse


# ---------------------------------------------------------------------------------------------- exits


def _breaks(block: core.Block) -> bool:
    """Whether a block may leave the loop that it is the body of."""
    inner = [arm for statement in block if isinstance(statement, core.If) for arm in core.blocks(statement)]
    return any(isinstance(statement, core.Break) for statement in block) or any(map(_breaks, inner))


def _flagged(block: core.Block, left: tuple[str, ...]) -> core.Block:
    """A loop's body that says by a flag that it has left the loop."""
    result: list[core.Statement] = []
    for statement in block:
        if isinstance(statement, core.Break):
            result += [core.Assign(name, core.Copy(core.Const(True)), statement.loc) for name in left]
        elif isinstance(statement, core.If):
            then, orelse = _flagged(statement.then, left), _flagged(statement.orelse, left)
            statement = replace(statement, then=then, orelse=orelse)
        result.append(statement)
    return tuple(result)


# ------------------------------------------------------------------------------------ captured variables


def _without_captured(block: core.Block, names: Names) -> tuple[core.Block, set[str]]:
    """A block that reads what its function has captured as variables, and the names of these."""
    found: set[str] = set()
    return _uncaptured(block, names, found), found


def _uncaptured(block: core.Block, names: Names, found: set[str]) -> core.Block:
    result: list[core.Statement] = []
    for statement in block:
        if isinstance(statement, core.If):
            then, orelse = (_uncaptured(arm, names, found) for arm in core.blocks(statement))
            result.append(replace(statement, then=then, orelse=orelse))
        elif isinstance(statement, core.HOLDING):
            result.append(replace(statement, body=_uncaptured(statement.body, names, found)))
        elif isinstance(statement, core.Assign):
            result.extend(_by_variables(statement, names, found))
        else:
            result.append(statement)
    return tuple(result)


def _by_variables(statement: core.Assign, names: Names, found: set[str]) -> Iterator[core.Statement]:
    op = statement.op
    path = op.path if isinstance(op, core.Read) else getattr(op, "func", None)
    if not isinstance(path, core.Path) or path.scope != "captured":
        yield statement
        return
    found.add(path.names[0])
    value = core.Var(path.names[0])
    for name in path.names[1:-1]:
        temporary = names.temporary()
        yield core.Assign(temporary, core.GetAttr(value, name), statement.loc)
        value = core.Var(temporary)
    yield replace(statement, op=_by_variable(op, value, path.names[1:]))


def _by_variable(op: core.Op, value: core.Var, rest: tuple[str, ...]) -> core.Op:
    if isinstance(op, core.Call):
        if rest:
            return core.CallMethod(value, rest[-1], op.args, op.keywords)
        return replace(op, func=value)
    return core.GetAttr(value, rest[-1]) if rest else core.Copy(value)
