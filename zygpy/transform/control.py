"""The adjoints of branches, loops and `with`: Python's own control flow, mirrored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from zygpy.analyse.values import INERT, Value
from zygpy.analyse.versions import Region
from zygpy.ir import core
from zygpy.ir.access import leaves, target_names
from zygpy.ir.kinds import UNKNOWN, NumberOrArray
from zygpy.ir.nodes import gast, quote, quote_expression
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    Emitted,
    State,
    TupleBar,
    certainly,
    cotangent_expression,
    has_zero,
    is_keyed,
    make_owned,
    materialise,
    measure_after,
    measure_before,
    name,
    settle,
    take,
)
from zygpy.transform.elements import deliver_elements, finish_walks
from zygpy.transform.recomputed import compute_from_values
from zygpy.transform.shapes import read_from_values
from zygpy.transform.stash import Item

Walk: TypeAlias = "Callable[[Context, core.Block], None]"


# ------------------------------------------------------------------------------------------ branches


def adjoint_if(ctx: Context, statement: core.If, walk: Walk) -> None:
    """The adjoint of a branch: the same branch, each arm mirrored."""
    if leaves(statement.then) or leaves(statement.orelse):
        _one_arm(ctx, statement, walk)
        return
    before = dict(ctx.bars)
    then, then_bars = _arm(ctx, statement.then, before, walk)
    orelse, orelse_bars = _arm(ctx, statement.orelse, before, walk)
    ctx.at(statement.loc)
    _join_arms(ctx, statement, (then, then_bars), (orelse, orelse_bars))


def _one_arm(ctx: Context, statement: core.If, walk: Walk) -> None:
    """An arm that raises has no adjoint; one that leaves a loop is reversed with the iteration."""
    walk(ctx, statement.then if leaves(statement.orelse) else statement.orelse)


def _arm(ctx: Context, block: core.Block, before: State, walk: Walk) -> tuple[list[gast.stmt], State]:
    """The adjoint of one arm, with its part of the stash unpacked in front."""
    outer, ctx.code, ctx.bars = ctx.code, [], dict(before)
    walk(ctx, block)
    code, bars = ctx.code, ctx.bars
    ctx.code = outer
    return code, bars


def unpack_items(ctx: Context, items: list[Item], source: gast.expr) -> list[gast.stmt]:
    """The statement that gives a region's recorded values their names."""
    if not items:
        return []
    if len(items) == 1:
        return quote("$x = $source", ctx.place, x=items[0].name, source=source)
    targets = gast.Tuple([name(item.name) for item in items], gast.Load())
    return quote("$x = $source", ctx.place, x=targets, source=source)


def _join_arms(
    ctx: Context,
    statement: core.If,
    then: tuple[list[gast.stmt], State],
    orelse: tuple[list[gast.stmt], State],
) -> None:
    """Emit both arms so that they agree on which cotangents exist behind them."""
    _agree_arms(ctx, statement, [then, orelse])
    if not then[0] and not orelse[0]:
        return
    test = ctx.recorder.value(statement, statement.test)
    first = _with_stash(ctx, statement, statement.then, then[0])
    second = _with_stash(ctx, statement, statement.orelse, orelse[0])
    if first and second:
        ctx.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=first, orelse=second)
    elif first:
        ctx.emit("if $test:\n    $then", test=test, then=first)
    else:
        ctx.emit("if not $test:\n    $orelse", test=test, orelse=second)


def _agree_arms(
    ctx: Context, statement: core.If | core.Attempt, arms: list[tuple[list[gast.stmt], State]]
) -> None:
    """Give every arm the cotangents that any of them has, and go on with their common state."""
    entry = ctx.facts.entries.get(id(statement), {})
    state: State = {}
    for variable in sorted(set().union(*(bars for _, bars in arms))):
        found = [bars.get(variable) for _, bars in arms]
        if found[0] is not None and all(bar == found[0] for bar in found):
            state[variable] = found[0]
            continue
        value = entry.get(variable, INERT)
        if _may_be_stored(ctx, value, found):
            value = value._replace(kind=UNKNOWN)
        joined = [_in_arm(ctx, statement, arm, variable, value) for arm in arms]
        owned, maybe = all(bar.owned for bar in joined), any(bar.maybe for bar in joined)
        state[variable] = Bar(ctx.bar_name(variable), owned, maybe)
    ctx.bars = state


def _may_be_stored(ctx: Context, value: Value, found: list[Cotangent | None]) -> bool:
    """Whether a cotangent is a number's, or that of an array, whose own is in the store."""
    kept = any(isinstance(bar, Bar) and bar.maybe for bar in found)
    return kept and ctx.facts.way.identity and isinstance(value.kind, NumberOrArray)


def _with_stash(
    ctx: Context, statement: core.If | core.Attempt, block: core.Block, code: list[gast.stmt]
) -> list[gast.stmt]:
    region = ctx.versions.arm(statement, block)
    items = ctx.recorder.of_region(region)
    if not items or not code:
        return code
    source = ctx.recorder.region_stash(region, "branch")
    return [*unpack_items(ctx, items, source), *code]


def _in_arm(
    ctx: Context,
    statement: core.If | core.Attempt,
    arm: tuple[list[gast.stmt], State],
    variable: str,
    value: Value,
) -> Bar:
    """Make the variable's cotangent exist, as one value, at the end of an arm."""
    code, bars = arm
    outer_code, outer_bars, ctx.code, ctx.bars = ctx.code, ctx.bars, code, dict(bars)
    if variable in bars:
        bar = settle(ctx, variable)
    else:
        materialise(ctx, variable, value, measure_before(ctx, statement, variable))
        bar = settle(ctx, variable)
    ctx.code, ctx.bars = outer_code, outer_bars
    assert bar is not None
    return bar


# --------------------------------------------------------------------------------------------- with


def adjoint_with(ctx: Context, statement: core.With | core.Attempt | core.Handle, walk: Walk) -> None:
    """The body ran to its end (the forward makes sure), so its adjoint is the body's."""
    outer, ctx.code = ctx.code, []
    walk(ctx, statement.body)
    code, ctx.code = ctx.code, outer
    region = ctx.versions.regions[id(statement.body)]
    items = ctx.recorder.of_region(region)
    if items and code:
        ctx.code.extend(unpack_items(ctx, items, ctx.recorder.region_stash(region, "inside")))
    ctx.code.extend(code)


def adjoint_attempt(ctx: Context, statement: core.Attempt, walk: Walk) -> None:
    """What ran to its end is reversed; what failed has left nothing behind."""
    if statement.failure is None:
        adjoint_with(ctx, statement, walk)
        return
    carried = take(ctx, statement.failure)
    _check_exception(ctx, statement, statement.failure, carried)
    if leaves(statement.body):
        return
    before = dict(ctx.bars)
    done, failed = _arm(ctx, statement.body, before, walk), (list[gast.stmt](), dict(before))
    ctx.at(statement.loc)
    _agree_arms(ctx, statement, [done, failed])
    first = _with_stash(ctx, statement, statement.body, done[0])
    if not first and not failed[0]:
        return
    ran = ctx.recorder.ran(statement, statement.failure)
    if first and failed[0]:
        ctx.emit("if $ran:\n    $first\nelse:\n    $second", ran=ran, first=first, second=failed[0])
    elif first:
        ctx.emit("if $ran:\n    $first", ran=ran, first=first)
    else:
        ctx.emit("if not $ran:\n    $second", ran=ran, second=failed[0])


def _check_exception(ctx: Context, statement: core.Attempt, failure: str, carried: Cotangent | None) -> None:
    """An exception that comes from elsewhere must have brought nothing that the result depends on."""
    if ctx.identity:
        if statement.body and isinstance(statement.body[-1], core.Raise):
            return  # what is raised here is recorded where it was made
        error = ctx.recorder.reference(statement, failure, after=True)
        ctx.emit("$store.check_inert($error)", store=ctx.carrier, error=error)
    elif carried is not None:
        bar = cotangent_expression(carried)
        ctx.emit("$check($bar)", check=ctx.helper("check_exception_is_inert"), bar=bar)


# -------------------------------------------------------------------------------------------- loops


@dataclass(frozen=True)
class Exit:
    """A way out of a loop's body that has an adjoint: the arm that leaves, and its number.

    Numbers fall from the first exit to the last, and 0 is the end of the body: an iteration that
    left by number n ran through the code behind every exit whose number is above n.
    """

    statement: core.If
    arm: core.Block
    index: int
    number: int


def adjoint_loop(ctx: Context, loop: core.For | core.Loop, walk: Walk) -> None:
    """The adjoint of a loop: its iterations from the last to the first."""
    if range_arguments(loop) is not None and not _may_break(loop):
        assert isinstance(loop, core.For)
        ctx.recorder.counters[id(ctx.versions.regions[id(loop.body)])] = str(loop.target)
    exits = active_exits(ctx, loop, walk)
    body = _settled_body(ctx, loop, exits, walk)
    if body is None:
        return
    if not exits:
        region = ctx.versions.regions[id(loop.body)]
        body = [*read_from_values(ctx, region), *compute_from_values(ctx, region), *body]
    _drop_unchanged(ctx, loop)
    ctx.at(loop.loc)
    _emit_loop(ctx, loop, body)


def _exit_arms(loop: core.For | core.Loop) -> list[tuple[core.If, core.Block, int]]:
    found = []
    for index, statement in enumerate(loop.body):
        if isinstance(statement, core.If):
            found += [(statement, arm, index) for arm in active_breaks(statement)]
    return found


def active_breaks(statement: core.If) -> list[core.Block]:
    """The arms of a branch that leave the loop around it."""
    return [arm for arm in (statement.then, statement.orelse) if leaves(arm) and _breaks(arm)]


def _breaks(block: core.Block) -> bool:
    return any(isinstance(statement, core.Break) for statement in _own(block))


def _own(block: core.Block) -> list[core.Statement]:
    """The statements of a block and of the branches in it, but not of the loops in it."""
    found: list[core.Statement] = []
    for statement in block:
        found.append(statement)
        if isinstance(statement, core.If):
            found += _own(statement.then) + _own(statement.orelse)
    return found


def active_exits(ctx: Context, loop: core.For | core.Loop, walk: Walk) -> list[Exit]:
    """The exits behind which something of the unfinished iteration has to be reversed: be it that it took
    the element that is read behind the loop."""
    found: list[tuple[core.If, core.Block, int]] = []
    read = isinstance(loop, core.For) and any(name in ctx.bars for name in target_names(loop.target))
    for statement, arm, index in _exit_arms(loop):
        if read or _has_adjoint(ctx, (*loop.body[:index], *arm), walk):
            found.append((statement, arm, index))
    exits = [Exit(*parts, len(found) - order) for order, parts in enumerate(found)]
    ctx.exit_numbers.update({id(exit.statement): exit.number for exit in exits})
    return exits


def _has_adjoint(ctx: Context, block: core.Block, walk: Walk) -> bool:
    """Whether anything has to be done to reverse a block: it is walked as far as the first thing."""
    bars = dict(ctx.bars)
    with _trial_run(ctx, bars, asking=True):
        try:
            walk(ctx, block)
            return bool(ctx.code) or ctx.bars != bars
        except Emitted:
            ctx.spread.clear()
            return True


@contextmanager
def _trial_run(ctx: Context, bars: State, *, asking: bool = False) -> Iterator[None]:
    """What is done inside starts with these cotangents, and leaves nothing behind."""
    saved, before = ctx.save(), (ctx.bars, ctx.code, ctx.wanted, ctx.asking, ctx.trying)
    ctx.bars, ctx.code, ctx.wanted, ctx.asking, ctx.trying = dict(bars), [], set(), asking or ctx.asking, True
    try:
        yield
    finally:
        ctx.restore(saved)
        ctx.bars, ctx.code, ctx.wanted, ctx.asking, ctx.trying = before


def _trial(
    ctx: Context, loop: core.For | core.Loop, exits: list[Exit], state: State, walk: Walk
) -> tuple[State, set[str], bool]:
    """Run the body's adjoint without keeping anything: the state behind it, and what it wanted owned."""
    with _trial_run(ctx, state):
        _iteration(ctx, loop, exits, walk)
        return ctx.bars, ctx.wanted, bool(ctx.code)


def _settled_body(
    ctx: Context, loop: core.For | core.Loop, exits: list[Exit], walk: Walk
) -> list[gast.stmt] | None:
    """The adjoint of an iteration, and in front of the loop what it needs; None if there is nothing to do.

    A first trial tells nearly always which cotangents exist at the end of every iteration: the body is
    written for these, and written again only if it turns out to leave others.
    """
    search = _Search(ctx, loop)
    after, wanted, emitted = _trial(ctx, loop, exits, search.state, walk)
    grown = search.grown(after, wanted)
    if grown == search.state == after and not emitted:
        return None
    while True:
        search.state = grown
        saved, before = ctx.save(), (len(ctx.code), dict(ctx.bars), set(ctx.wanted))
        _prepare(ctx, loop, search.state)
        body, after, wanted = _body(ctx, loop, exits, walk)
        if search.grown(after, wanted) == search.state:
            return body or None
        ctx.restore(saved)
        length, ctx.bars, ctx.wanted = before
        del ctx.code[length:]
        grown = search.grown(after, wanted)


class _Search:
    """The cotangents that exist at the end of every iteration, as far as they are known.

    What an iteration updates in place is made owned in front of the loop, and stays so, where the
    kind behind the loop says what to make.
    """

    def __init__(self, ctx: Context, loop: core.For | core.Loop) -> None:
        behind = ctx.facts.exits.get(id(loop), {})
        self.ctx = ctx
        self.head = _at_head(ctx, loop)
        self.makeable = {name for name, value in behind.items() if has_zero(ctx, value)}
        self.keyed = {name for name, value in behind.items() if is_keyed(value.kind)}
        self.outside = frozenset(ctx.bars)
        self.state: State = dict(ctx.bars)
        self.kept: set[str] = set()

    def grown(self, after: State, wanted: set[str]) -> State:
        """What is known together with what an iteration left, given what it wanted owned."""
        self.kept |= wanted & (self.makeable | self.keyed)
        grown = _merge(self.ctx, self.state, after, self.kept, self.keyed)
        for variable in grown.keys() - self.outside - self.makeable:
            grown[variable] = Bar(self.ctx.bar_name(variable), variable in self.kept, True)
        for variable in grown.keys() - after.keys():
            if not self._has_zero_at_head(variable):
                grown[variable] = Bar(self.ctx.bar_name(variable), variable in self.kept, True)
        return grown

    def _has_zero_at_head(self, variable: str) -> bool:
        """Whether there is a zero for what the variable holds where an iteration begins."""
        value = self.head.get(variable, INERT)
        return has_zero(self.ctx, value)


def _at_head(ctx: Context, loop: core.For | core.Loop) -> Mapping[str, Value]:
    """What is known of the variables where an iteration begins. What those that it binds held before cannot
    be measured."""
    head = ctx.facts.entries.get(id(loop.body), {})
    exits = ctx.facts.exits.get(id(loop), {})
    bound = target_names(loop.target) if isinstance(loop, core.For) else ()
    return {**head, **{name: exits[name]._replace(certain=False) for name in bound if name in exits}}


def _merge(ctx: Context, state: State, after: State, kept: set[str], keyed: set[str]) -> State:
    grown = dict(state)
    for variable, bar in after.items():
        target = ctx.bar_name(variable)
        old = state.get(variable)
        if old is None:
            known = bar if isinstance(bar, Bar) else Bar(target)
            grown[variable] = Bar(target, known.owned, known.maybe)
        elif old != bar:
            grown[variable] = _meet(target, old, bar)
    for variable in kept & set(grown):
        current = grown[variable]
        if isinstance(current, Bar):
            grown[variable] = Bar(current.name, True, current.maybe and variable in keyed)
    return grown


def _meet(target: str, a: Bar | TupleBar, b: Bar | TupleBar) -> Bar:
    both = [bar for bar in (a, b) if isinstance(bar, Bar)]
    owned = len(both) == 2 and all(bar.owned for bar in both)
    return Bar(target, owned, any(bar.maybe for bar in both))


def _prepare(ctx: Context, loop: core.For | core.Loop, state: State) -> None:
    """In front of the adjoint loop: make every cotangent of the state exist."""
    exit_values = ctx.facts.exits.get(id(loop), {})
    for variable in sorted(state):
        wanted = state[variable]
        if isinstance(wanted, TupleBar):
            continue
        value = exit_values.get(variable, INERT)
        current = settle(ctx, variable)
        measure = measure_after(ctx, loop, variable)
        if current is None:
            materialise(ctx, variable, value, measure)
        elif wanted.owned and not current.owned:
            ctx.wanted.add(variable)  # so that a loop around this one has it owned before it begins
            make_owned(ctx, variable, current.name, value.kind, measure)
        elif current.maybe and not wanted.maybe:
            materialise_missing(ctx, variable, value, measure)
    ctx.bars = dict(state)


def _body(
    ctx: Context, loop: core.For | core.Loop, exits: list[Exit], walk: Walk
) -> tuple[list[gast.stmt], State, set[str]]:
    """The adjoint of an iteration, the cotangents behind it, and what it wanted owned."""
    outer, ctx.code = ctx.code, []
    wanted, ctx.wanted = ctx.wanted, set()
    state = dict(ctx.bars)
    _iteration(ctx, loop, exits, walk)
    after, own = dict(ctx.bars), ctx.wanted
    ctx.wanted = wanted | own
    _agree(ctx, loop, state)
    body, ctx.code = ctx.code, outer
    return body, after, own


def _agree(ctx: Context, loop: core.For | core.Loop, state: State) -> None:
    """At the end of the adjoint body: the state must be the one that its beginning expects."""
    head = _at_head(ctx, loop)
    for variable in sorted(state):
        wanted = state[variable]
        if ctx.bars.get(variable) == wanted or isinstance(wanted, TupleBar):
            continue
        value = head.get(variable, INERT)
        current = settle(ctx, variable)
        measure = loop_head_measure(ctx, loop, variable)
        if current is None:
            materialise(ctx, variable, value, measure)
        elif wanted.owned and not current.owned:
            make_owned(ctx, variable, current.name, value.kind, measure)
        elif current.maybe and not wanted.maybe:
            materialise_missing(ctx, variable, value, measure)
    ctx.bars = dict(state)


def materialise_missing(
    ctx: Context, variable: str, value: Value, measure: Callable[[str], gast.expr]
) -> None:
    """Replace a None by a zero."""
    bar = settle(ctx, variable)
    assert bar is not None
    ctx.bars[variable] = certainly(ctx, bar, value.kind, measure)


def loop_head_measure(ctx: Context, loop: core.For | core.Loop, variable: str) -> Callable[[str], gast.expr]:
    """Measurements of what the variable holds when an iteration begins."""
    region = ctx.versions.regions[id(loop.body)]
    return lambda what: ctx.recorder.measure_head(what, region, loop, variable)


def _iteration(ctx: Context, loop: core.For | core.Loop, exits: list[Exit], walk: Walk) -> None:
    """The adjoint of one iteration, from its end (or the exit that it took) to its beginning."""
    if not exits:
        walk(ctx, loop.body)
    else:
        _segments(ctx, loop, exits, walk)
    if isinstance(loop, core.For):
        ctx.at(loop.loc)
        ctx.statement = loop
        deliver_elements(ctx, loop)


def _segments(ctx: Context, loop: core.For | core.Loop, exits: list[Exit], walk: Walk) -> None:
    """The parts of the body between exits; `left` tells by which exit the iteration left."""
    left = ctx.recorder.exit_number(ctx.versions.regions[id(loop.body)])
    end = len(loop.body)
    for found in reversed(exits):
        before = dict(ctx.bars)
        stayed = _arm(ctx, loop.body[found.index + 1 : end], before, walk)
        leaving = _arm(ctx, found.arm, before, walk)
        passed = [] if found is exits[0] else [_arm(ctx, (), before, walk)]
        end = found.index
        ctx.at(found.statement.loc)
        _join_exit(ctx, found, left, [stayed, leaving, *passed])
    walk(ctx, loop.body[:end])


def _join_exit(ctx: Context, found: Exit, left: str, arms: list[tuple[list[gast.stmt], State]]) -> None:
    """What ran behind the exit, what ran in its arm, and nothing for who left earlier."""
    _agree_arms(ctx, found.statement, arms)
    codes = [code for code, _ in arms]
    codes[1] = _with_stash(ctx, found.statement, found.arm, codes[1])
    tests = [f"$left < {found.number}", f"$left == {found.number}", "True"]
    chain: list[gast.stmt] = []
    for code, test in reversed(list(zip(codes, tests, strict=False))):
        if code is codes[-1]:
            chain = code
        elif code or chain:
            text = f"if {test}:\n    $code\nelse:\n    $chain" if chain else f"if {test}:\n    $code"
            parts = {"chain": chain} if chain else {}
            chain = quote(text, ctx.place, left=left, code=code or quote("pass"), **parts)
    ctx.code.extend(chain)


def _drop_unchanged(ctx: Context, loop: core.For | core.Loop) -> None:
    """Variables of the body alone have no cotangent in front of the loop."""
    entry = ctx.facts.entries.get(id(loop), {})  # there is none where a loop is never reached
    for variable in [variable for variable in ctx.bars if variable not in entry]:
        del ctx.bars[variable]


# ------------------------------------------------------------------------- the adjoint loop's header


def _emit_loop(ctx: Context, loop: core.For | core.Loop, body: list[gast.stmt]) -> None:
    region = ctx.versions.regions[id(loop.body)]
    items = ctx.recorder.of_region(region)
    counted = range_arguments(loop)
    position = ctx.positions.get(id(loop))
    if counted is not None and not _may_break(loop) and isinstance(loop, core.For):
        _emit_counted(ctx, loop, items, counted, body)
        return
    finish_walks(ctx, loop, lambda: _iterations(ctx, region, items))
    _emit_taped(ctx, region, items, position, body)


def _may_break(loop: core.For | core.Loop) -> bool:
    return bool(_exit_arms(loop)) or (bool(loop.body) and isinstance(loop.body[-1], core.Break))


def range_arguments(loop: core.For | core.Loop) -> tuple[core.Atom, ...] | None:
    """The arguments of `range` if that is what the loop walks over with a plain variable."""
    if not (isinstance(loop, core.For) and isinstance(loop.iterable, core.Iterate)):
        return None
    if loop.iterable.func.names[-1] != "range" or not isinstance(loop.target, str):
        return None
    args = tuple(arg for arg in loop.iterable.args if not isinstance(arg, core.Iterate))
    return args if len(args) == len(loop.iterable.args) and not loop.iterable.keywords else None


def _emit_counted(
    ctx: Context, loop: core.For, items: list[Item], counted: tuple[core.Atom, ...], body: list[gast.stmt]
) -> None:
    """A loop over a `range` that ran to its end: the same range, backwards."""
    index = ctx.recorder.take_loop_variable(ctx.versions.regions[id(loop.body)], str(loop.target))
    items = [item for item in items if item is not index]
    args = [ctx.recorder.value(loop, atom) for atom in counted] if index or not items else []
    counted_range: gast.expr = gast.Call(name("range"), args, [])
    tape = ctx.recorder.tape(ctx.versions.regions[id(loop.body)]) if items else None
    if tape is None:
        text = "for $i in reversed($range):\n    $body" if index else "for $i in $range:\n    $body"
        ctx.emit(text, i=index.name if index else "_", range=counted_range, body=body)
    elif index is None:
        _emit_walk(ctx, items, "reversed($tape)", {"tape": tape}, body, None)
    else:
        text = "zip(reversed($range), reversed($tape))"
        _emit_walk(ctx, items, text, {"range": counted_range, "tape": tape}, body, index.name)


def _emit_walk(
    ctx: Context,
    items: list[Item],
    text: str,
    parts: dict[str, gast.expr],
    body: list[gast.stmt],
    index: str | None,
) -> None:
    names = [name(item.name) for item in items]
    target: gast.expr = names[0] if len(names) == 1 else gast.Tuple(names, gast.Load())
    if index is not None:
        target = gast.Tuple([name(index), target], gast.Load())
    ctx.emit(f"for $target in {text}:\n    $body", target=target, body=body, **parts)


def _iterations(ctx: Context, region: Region, items: list[Item]) -> gast.expr:
    """How many iterations were recorded."""
    if not items:
        return ctx.recorder.count(region)
    return quote_expression("len($tape)", tape=ctx.recorder.tape(region))


def _emit_taped(
    ctx: Context,
    region: Region,
    items: list[Item],
    position: str | None,
    body: list[gast.stmt],
) -> None:
    if not items:
        text = "for $k in reversed(range($n)):\n    $body" if position else "for $k in range($n):\n    $body"
        ctx.emit(text, k=position or "_", n=ctx.recorder.count(region), body=body)
        return
    tape = ctx.recorder.tape(region)
    if position:
        text = "zip(reversed(range(len($tape))), reversed($tape))"
        _emit_walk(ctx, items, text, {"tape": tape}, body, position)
    else:
        _emit_walk(ctx, items, "reversed($tape)", {"tape": tape}, body, None)
