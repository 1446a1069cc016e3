"""`return`, `break`, `continue`, loop `else` and `while` tests: structured exits.

Code behind an `if` of which one arm leaves moves into the arm that does not. Where both arms may go on
and an exit hides deeper, the exit sets a flag that is asked behind the `if`. Blocks are never copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from zygpy.ir.names import Names
from zygpy.ir.nodes import constant, gast, name, quote
from zygpy.normalise import tries
from zygpy.normalise.trees import at, changed

Statements: TypeAlias = list[Any]


Quiet: TypeAlias = Callable[[Any], bool]
"""Whether the context manager that an expression gives is known to let every exception pass."""


def every_manager_is_quiet(context: Any) -> bool:
    """What is assumed where nobody is asked."""
    return True


class Leave(gast.Pass):  # type: ignore[misc, unused-ignore]
    """The function is left here; the variable `result` has its value already."""


class Due(gast.Pass):  # type: ignore[misc, unused-ignore]
    """The function is left here with the value that `result` has; no flag tells of it yet."""


class Out(gast.Break):  # type: ignore[misc, unused-ignore]
    """The loop is left here; whatever flags tell of it are set already."""


FLAGS: dict[type, str] = {Leave: "returned", Out: "broke", gast.Continue: "continued"}
EXITS = tuple(FLAGS)


@dataclass(frozen=True)
class Place:
    """What exits mean at one place: `returned` and `broke` are the flags that they set on their way."""

    loop: bool = False
    returned: str | None = None
    broke: str | None = None

    def before_a_last_word(self) -> Place:
        """The same for a block whose exits may still be taken back: they set no flag."""
        return Place() if self.returned or self.broke else self


@dataclass
class Block:
    """Statements whose exits are all the last thing on their path.

    `leaves`: there is an exit. `ends`: the lists of statements (inside `ifs` in last place) behind
    which the code goes on.
    """

    statements: Statements = field(default_factory=list)
    leaves: bool = False
    ends: list[Statements] = field(default_factory=list)


def structure_exits(
    tree: Any, names: Names, quiet: Quiet = every_manager_is_quiet
) -> tuple[Any, frozenset[str]]:
    """The function with structured exits, and the flags that it asks (they hold genuine bools).

    Requires: no `Match`, no `Assert`. `quiet` tells which context managers let every exception pass.
    Ensures: one `Return`, the last statement; no `Continue`; every `While` tests the constant True; no loop
    has an `else`; a `Break` is the last statement of its block, as are the `If`s around it, and is not
    inside a `With`.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     if x: return 1
    ...     while x < 3: x += 1
    ... ''').body[0]
    >>> print(ast.unparse(to_python_ast(structure_exits(tree, Names())[0])))
    def f(x):
        if x:
            result = 1
        else:
            while True:
                if x < 3:
                    x += 1
                else:
                    break
            result = None
        return result
    """
    returns = [node for node in own_statements(tree.body) if isinstance(node, gast.Return)]
    if returns and returns != tree.body[-1:]:
        return _with_result(tree, names, quiet)
    exits = Exits(names, "", quiet)
    body = exits.block(tree.body[: len(tree.body) - len(returns)], Place()).statements
    body += returns or [at(tree, gast.Return(constant(None, at=tree)))]
    return changed(tree, body=body), frozenset(exits.flags)


def _with_result(tree: Any, names: Names, quiet: Quiet) -> tuple[Any, frozenset[str]]:
    result = names.fresh("result")
    exits = Exits(names, result, quiet)
    block = exits.block(tree.body, Place())
    for end in block.ends:
        end.extend(quote("$r = None", at=tree, r=result))
    for tail, _ in list(tails(block.statements)):
        tail.pop()
    body = [*block.statements, at(tree, gast.Return(name(result, at=tree)))]
    return changed(tree, body=body), frozenset(exits.flags)


def own_statements(body: Statements) -> Iterator[Any]:
    """Every statement of a block and of the blocks inside it, functions not entered."""
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting.extend(reversed(inner_statements(statement)))


def inner_statements(statement: Any) -> Statements:
    """The statements of the blocks directly inside a statement."""
    if isinstance(statement, gast.If | gast.For | gast.While | gast.With):
        return [*statement.body, *getattr(statement, "orelse", ())]
    if isinstance(statement, gast.Try):
        handlers = [inner for clause in statement.handlers for inner in clause.body]
        return [*statement.body, *handlers, *statement.orelse, *statement.finalbody]
    return []


def tails(block: Statements) -> Iterator[tuple[Statements, Any]]:
    """Each exit in last place and the list that it ends."""
    waiting = [block]
    while waiting:
        statements = waiting.pop()
        last = statements[-1] if statements else None
        if isinstance(last, EXITS):
            yield statements, last
        elif isinstance(last, gast.If):
            waiting.extend((last.orelse, last.body))


def has_own_break(body: Statements) -> bool:
    """Whether a `break` in the body of a loop is this loop's."""
    waiting = list(body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, gast.Break):
            return True
        if isinstance(statement, gast.If | gast.With | gast.Try):
            waiting.extend(inner_statements(statement))
        elif isinstance(statement, gast.For | gast.While):
            waiting.extend(statement.orelse)
    return False


def has_return(body: Statements) -> bool:
    return any(isinstance(statement, gast.Return) for statement in own_statements(body))


def is_endless(statement: Any) -> bool:
    """Whether a loop is `while True`, or another true constant."""
    test = getattr(statement, "test", None)
    return isinstance(test, gast.Constant) and bool(test.value)


class Exits:
    """Structures one function; `result` is the variable of the function's value."""

    def __init__(self, names: Names, result: str, quiet: Quiet) -> None:
        self.names = names
        self.quiet = quiet
        self.result = result
        self.flags: set[str] = set()

    def block(self, statements: Statements, place: Place) -> Block:
        """The statements with every exit in last place."""
        block = Block()
        out: Statements | None = block.statements
        waiting = list(reversed(statements))
        while waiting and out is not None:
            piece = self.statement(waiting.pop(), waiting, place)
            out.extend(piece.statements)
            block.leaves = block.leaves or piece.leaves
            if len(piece.ends) == 1:
                out = out if piece.ends[0] is piece.statements else piece.ends[0]
            elif not piece.ends:
                out = None
            elif not waiting:
                block.ends = piece.ends
                return block
            elif len(waiting) == 1 and _is_small_exit(waiting[0]):
                for end in piece.ends:
                    end.extend(self.leave(waiting[0], place))
                return block
            else:
                self.go_on(out, piece, waiting)
        block.ends = [] if out is None else [out]
        return block

    def go_on(self, out: Statements, piece: Block, waiting: Statements) -> None:
        """Let the code behind an `if` with exits run where none of them was taken, by flags."""
        condition = out.pop()
        inits, asks = self.by_flags(piece.statements, condition)
        out.extend([*inits, condition])
        waiting.extend(asks)

    def by_flags(self, block: Statements, where: Any) -> tuple[Statements, Statements]:
        """Turn a block's exits into flags; gives their initialisations and, to be put behind, their tests."""
        flags: dict[type, str] = {}
        inits: Statements = []
        for tail, leaving in list(tails(block)):
            kind = type(leaving)
            flags[kind] = flags.get(kind) or self.flag(FLAGS[kind], where, inits)
            tail[-1:] = quote("$f = True", at=leaving, f=flags[kind])
        asks = [
            at(where, gast.If(name(flag, at=where), [at(where, kind())], [])) for kind, flag in flags.items()
        ]
        return inits, asks

    def statement(self, statement: Any, waiting: Statements, place: Place) -> Block:
        """One statement, structured; what belongs behind it is pushed on `waiting`."""
        match statement:
            case gast.Return() | Leave() | Due() | gast.Break() | gast.Continue():
                return Block(self.leave(statement, place), leaves=True)
            case gast.Raise():
                return Block([statement])
            case gast.If():
                return self.condition(statement, place)
            case gast.For() | gast.While():
                return self.loop(statement, waiting, place)
            case gast.With():
                return self.context(statement, waiting, place)
            case gast.Try() if (known := tries.generated(statement)) is not None:
                waiting.extend(reversed(known[1:]))
                return self.statement(known[0], waiting, place)
            case gast.Try():
                return self.attempt(tries.split_finally(statement), waiting, place)
        return _plain([statement])

    def leave(self, statement: Any, place: Place) -> Statements:
        """An exit: what it assigns, then its marker."""
        match statement:
            case Out() | gast.Continue():
                return [statement]
            case gast.Break():
                told = quote("$f = True", at=statement, f=place.broke) if place.broke else []
                return [*told, at(statement, Out())]
        value = getattr(statement, "value", None) or constant(None, at=statement)
        out = (
            []
            if isinstance(statement, Leave | Due)
            else quote("$r = $v", at=statement, r=self.result, v=value)
        )
        if not place.loop:
            return [*out, at(statement, Leave())]
        if place.returned and not isinstance(statement, Leave):
            out.extend(quote("$f = True", at=statement, f=place.returned))
        return [*out, at(statement, Out())]

    def condition(self, statement: Any, place: Place) -> Block:
        then, orelse = self.block(statement.body, place), self.block(statement.orelse, place)
        whole = changed(statement)
        whole.body, whole.orelse = then.statements, orelse.statements  # the very lists that `ends` names
        ends = [*then.ends, *orelse.ends]
        if then.leaves or orelse.leaves or not ends:
            return Block([whole], then.leaves or orelse.leaves, ends)
        return _plain([whole])

    def loop(self, statement: Any, waiting: Statements, place: Place) -> Block:
        returns, breaks = has_return(statement.body), has_own_break(statement.body)
        sure = is_endless(statement) and not breaks  # behind it there is only what returned
        returned, broke = place.returned, None
        inits: Statements = []
        if returns and not sure and not returned:
            returned = self.flag("returned", statement, inits)
        if statement.orelse and breaks:
            broke = self.flag("broke", statement, inits)
        inside = Place(True, returned, broke)
        waiting.extend(reversed(self.behind(statement, returns, sure, inside)))
        return _plain([*inits, self.loop_itself(statement, inside)])

    def flag(self, wish: str, where: Any, inits: Statements) -> str:
        flag = self.names.fresh(wish)
        self.flags.add(flag)
        inits.extend(quote("$f = False", at=where, f=flag))
        return flag

    def behind(self, statement: Any, returns: bool, sure: bool, inside: Place) -> Statements:
        """What follows a loop: its `else`, unless it was left by `break`, and the rest of a `return`."""
        orelse = statement.orelse
        if inside.broke:
            orelse = [at(statement, gast.If(name(inside.broke, at=statement), [_nothing(statement)], orelse))]
        if not returns:
            return [] if is_endless(statement) and not inside.broke else orelse
        leaving = at(statement, Leave())
        if sure:
            return [leaving]
        return [at(statement, gast.If(name(inside.returned or "", at=statement), [leaving], orelse))]

    def loop_itself(self, statement: Any, inside: Place) -> Any:
        body = self.block(statement.body, inside).statements
        for tail, leaving in list(tails(body)):
            tail[-1:] = [] if isinstance(leaving, gast.Continue) else [at(leaving, gast.Break())]
        if isinstance(statement, gast.For):
            return changed(statement, body=body, orelse=[])
        if not is_endless(statement):
            done = [at(statement, gast.Break())]
            body = [at(statement, gast.If(statement.test, body, done))]
        return at(statement, gast.While(constant(True, at=statement), body, []))

    def context(self, statement: Any, waiting: Statements, place: Place) -> Block:
        """A `with`, out of which no exit leads: flags are set inside and asked behind."""
        own = isinstance(statement, tries.Attempting | tries.Handling)
        if not own and not self.quiet(statement.items[0].context_expr):
            return self.managed(statement, waiting, place)
        body = self.block(statement.body, place).statements
        inits, asks = self.by_flags(body, statement)
        waiting.extend(reversed(asks))
        return _plain([*inits, changed(statement, body=body)])

    def managed(self, statement: Any, waiting: Statements, place: Place) -> Block:
        """A `with` whose manager may swallow exceptions, or is written in Python."""
        failure, manager = self.names.fresh("failure"), self.names.fresh("manager")
        before, inside = tries.entering(statement, manager, self.names)
        inits, body, asks = self.before_the_last_word(inside, statement, place)
        waiting.append(tries.leaving(statement, manager, failure, asks))
        return _plain([*before, *inits, tries.attempting(statement, failure, body)])

    def attempt(self, statement: Any, waiting: Statements, place: Place) -> Block:
        """A `try`: flags are set inside and asked where the body ran to its end."""
        failure = self.names.fresh("failure")
        if statement.finalbody:
            inits, body, asks = self.before_the_last_word(statement.body, statement, place)
        else:
            body = self.block(statement.body, place).statements
            inits, asks = self.by_flags(body, statement)
        waiting.append(tries.behind(statement, failure, asks, self.names))
        return _plain([*inits, tries.attempting(statement, failure, body)])

    def before_the_last_word(
        self, body: Statements, where: Any, place: Place
    ) -> tuple[Statements, Statements, Statements]:
        """A body whose exits a `finally` or `__exit__` may still replace by one of its own, or an exception.

        Gives the initialisations, the body, and the tests behind the last word: only these tell the loops
        around that they are left.
        """
        inside = place.before_a_last_word()
        statements = self.block(body, inside).statements
        inits, asks = self.by_flags(statements, where)
        if inside is not place:
            asks = [changed(ask, body=[_untold(where, ask.body[0])]) for ask in asks]
        return inits, statements, asks


def _untold(where: Any, leaving: Any) -> Any:
    """An exit that still has to set the flags of the loops that it leaves."""
    match leaving:
        case Leave():
            return at(where, Due())
        case Out():
            return at(where, gast.Break())
    return leaving


def _is_small_exit(statement: Any) -> bool:
    """Whether an exit is one word or two, so that writing it twice is clearer than a flag."""
    if isinstance(statement, gast.Return):
        return statement.value is None or isinstance(statement.value, gast.Name | gast.Constant)
    return isinstance(statement, (gast.Break, *EXITS))


def _plain(statements: Statements) -> Block:
    return Block(statements, ends=[statements])


def _nothing(where: gast.AST) -> Any:
    return at(where, gast.Pass())
