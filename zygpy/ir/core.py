"""The core language: what `normalise` produces and what `analyse` and `transform` read.

A program is one `Function`. Its body is a `Block` of statements; every statement does one operation
on *atoms* (a variable or a constant). Control flow is structured: a block leaves a loop only through
a `Break` that is the last thing its path does, and a function has one `Return`, its last statement.

Everything here is a frozen dataclass; nothing is ever hung on a node. `ir.verify` checks the rules
stated in the docstrings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Loc:
    """A place in the user's file: 1-based line, 0-based column (and the end of the construct)."""

    line: int
    column: int
    end_line: int = 0
    end_column: int = 0


# --------------------------------------------------------------------------------------- atoms


@dataclass(frozen=True, slots=True)
class Var:
    """A local variable of the function (a parameter, a user's variable or a temporary)."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: int, float, complex, str, bytes, bool, None or Ellipsis."""

    value: Any


Atom: TypeAlias = Var | Const


@dataclass(frozen=True, slots=True)
class Path:
    """A dotted name whose root is not a local variable: `np.linalg.solve`, `helper`, `range`.

    `scope` says where the root is found: "global" (module, then builtins), "captured" (a closure
    cell of the function), "builtin" (the genuine builtin, whatever the user calls by that name:
    what normalise itself asks for), "helper" (a name exported by `zygpy.runtime.helpers`).
    """

    names: tuple[str, ...]
    scope: str = "global"


@dataclass(frozen=True, slots=True)
class Star:
    """`*atom` in a call or a display. It is `whole` where it is a tuple, and all that the callee has as its
    `*args`."""

    value: Atom
    whole: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Slice:
    """`lower:upper:step` inside an index."""

    lower: Atom | None
    upper: Atom | None
    step: Atom | None


@dataclass(frozen=True, slots=True)
class IndexTuple:
    """`a[i, 2:3, ...]`: several indices in one subscript (none of them nested tuples)."""

    items: tuple[Atom | Slice, ...]


Index: TypeAlias = Atom | Slice | IndexTuple


# ---------------------------------------------------------------------------------- operations


@dataclass(frozen=True, slots=True)
class Copy:
    """`y = x`: another name for the same value.

    What a loop walks over may be evaluated long before it. Then `begins` is the function ("iter" or
    "reversed") that Python calls here: it is called if that runs code of the user's, and the loop goes on
    with what it gave.
    """

    value: Atom
    begins: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """`y = np.pi`: a global, captured or builtin name (with attributes), read at this moment."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReadCell:
    """`y = x` where x is an explicit cell (see `Function.cells`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # "-", "+", "~", "not"
    operand: Atom


@dataclass(frozen=True, slots=True)
class Binary:
    op: str  # "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"
    left: Atom
    right: Atom


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison; a chain is several of them under `If`."""

    op: str  # "<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"
    left: Atom
    right: Atom


@dataclass(frozen=True, slots=True)
class Truth:
    """`bool(value)`, as Python's own `if` takes it. The test of every `If` is such a result."""

    value: Atom


@dataclass(frozen=True, slots=True)
class GetAttr:
    value: Atom
    name: str


@dataclass(frozen=True, slots=True)
class GetItem:
    value: Atom
    index: Index


@dataclass(frozen=True, slots=True)
class Keyword:
    """`name=value` in a call; `**value` where name is None. It is `whole` where the dict has been made for
    the call, and is what the callee has as its `**kwargs`."""

    name: str | None
    value: Atom
    whole: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`func(*args, **keywords)`; `func` is a path or a local variable. `carried` are the variables that a
    function reads which the same program has made, and captured; where another program has made it, they
    hold what was read out of it, as is right for the function for which `stand_in` stands."""

    func: Path | Var
    args: tuple[Atom | Star, ...]
    keywords: tuple[Keyword, ...] = ()
    carried: tuple[str, ...] = ()
    stand_in: Any = None


@dataclass(frozen=True, slots=True)
class CallMethod:
    """`value.name(*args, **keywords)` where value is a local variable or a constant."""

    value: Atom
    name: str
    args: tuple[Atom | Star, ...]
    keywords: tuple[Keyword, ...] = ()


@dataclass(frozen=True, slots=True)
class Yield:
    """`yield value` of a generator function; the value of the operation is what was sent in."""

    value: Atom


@dataclass(frozen=True, slots=True)
class Caught:
    """A call, or a `yield`, whose exception is a value: `(y, None)`, or `(None, failure)`."""

    call: Call | CallMethod | Yield


@dataclass(frozen=True, slots=True)
class Display:
    """A tuple, list or set display: `(a, b)`, `[a, *b]`, `{a}`."""

    kind: str  # "tuple", "list", "set"
    items: tuple[Atom | Star, ...]


@dataclass(frozen=True, slots=True)
class DictDisplay:
    """`{k: v, **d}`; a key of None (not Const(None)) marks `**d`."""

    items: tuple[tuple[Atom | None, Atom], ...]


@dataclass(frozen=True, slots=True)
class Format:
    """An f-string. Each part is a literal str, or (atom, conversion, format spec).

    conversion is "", "r", "s" or "a"; the spec is an atom or None. No gradient goes through it.
    """

    parts: tuple[str | tuple[Atom, str, Atom | None], ...]


@dataclass(frozen=True, slots=True)
class MakeFunction:
    """A lambda or a nested `def`; `node` is its gast tree, rendered in the forward with its `defaults`.

    `captured` lists the enclosing function's variables (locals, its own captured ones, cells) that
    the body, or a function inside it, reads. `defaults` are the atoms of the default values, in the
    order `node.args.defaults` then `node.args.kw_defaults` (what the node holds there only says where).
    """

    name: str
    node: Any
    captured: tuple[str, ...]
    defaults: tuple[Atom, ...] = ()


Op: TypeAlias = (
    Copy
    | Read
    | ReadCell
    | Unary
    | Binary
    | Compare
    | Truth
    | GetAttr
    | GetItem
    | Call
    | CallMethod
    | Yield
    | Caught
    | Display
    | DictDisplay
    | Format
    | MakeFunction
)


# ---------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = op`. A call made for its effect assigns to a fresh temporary."""

    target: str
    op: Op
    loc: Loc


@dataclass(frozen=True, slots=True)
class Unpack:
    """`a, *b, c = value`; `star` is the position of the starred target or None."""

    targets: tuple[str, ...]
    star: int | None
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class WriteCell:
    """`x = value` where x is an explicit cell."""

    name: str
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class WriteGlobal:
    """`x = value` under `global x`."""

    name: str
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class SetItem:
    """`target[index] = value`."""

    target: Atom
    index: Index
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class SetAttr:
    """`target.name = value`."""

    target: Atom
    name: str
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class AugmentName:
    """`target op= value` on a local variable: in place where the value's type does it in place."""

    target: str
    op: str
    value: Atom
    loc: Loc


@dataclass(frozen=True, slots=True)
class AugmentItem:
    """`target[index] op= value`. Where computing `value` takes statements, `before` is the variable to which
    the item was read in front of these: it is what is changed, unless none of them can have changed it."""

    target: Atom
    index: Index
    op: str
    value: Atom
    loc: Loc
    before: str = ""


@dataclass(frozen=True, slots=True)
class AugmentAttr:
    """`target.name op= value`; `before` as in `AugmentItem`."""

    target: Atom
    name: str
    op: str
    value: Atom
    loc: Loc
    before: str = ""


@dataclass(frozen=True, slots=True)
class DelItem:
    target: Atom
    index: Index
    loc: Loc


@dataclass(frozen=True, slots=True)
class DelAttr:
    target: Atom
    name: str
    loc: Loc


@dataclass(frozen=True, slots=True)
class DelName:
    name: str
    loc: Loc


@dataclass(frozen=True, slots=True)
class DelCell:
    """`del name` of a shared variable, which has no value then, for whoever reads it."""

    name: str
    loc: Loc


@dataclass(frozen=True, slots=True)
class Raise:
    exception: Atom | None
    cause: Atom | None
    loc: Loc


@dataclass(frozen=True, slots=True)
class If:
    """`test` is an atom holding a bool (the result of `Truth`, `Compare` of numbers, `not`)."""

    test: Atom
    then: Block
    orelse: Block
    loc: Loc


Target: TypeAlias = "str | tuple[Target, ...]"


@dataclass(frozen=True, slots=True)
class Iterate:
    """What a `For` walks over where it is written as a call there: `range(n)`, `zip(xs, ys)`,
    `enumerate(reversed(xs))`. Arguments are atoms or further `Iterate`s. Only `range`, `zip`,
    `enumerate` and `reversed` are kept in this form; any other iterable is an atom."""

    func: Path
    args: tuple[Atom | Iterate, ...]
    keywords: tuple[Keyword, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for target in iterable: body`. Targets are names, nested in tuples without stars; anything
    else is unpacked in the body. `of_generator` tells that the body is that of a generator expression."""

    target: Target
    iterable: Atom | Iterate
    body: Block
    loc: Loc
    of_generator: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """`while True: body`; it is left by `Break` alone."""

    body: Block
    loc: Loc


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop. It is the last statement of its block, and the `If`s around it,
    up to the loop's body, are each the last statement of theirs. Not inside `With`."""

    loc: Loc


@dataclass(frozen=True, slots=True)
class With:
    """`with context as target: body`, one context manager; no `Break` or `Return` inside."""

    context: Atom
    target: str | None
    body: Block
    loc: Loc


@dataclass(frozen=True, slots=True)
class Attempt:
    """`body`, of which every exception is caught: `failure` is the exception, or None where the body
    ran to its end; no `Break` or `Return` inside. Without a `failure`, an exception that leaves the
    body is refused: it would be caught in the wrong place.

    Behind `analyse.attempts.split` nothing that a body has done when it fails can be noticed.
    """

    failure: str | None
    body: Block
    loc: Loc


@dataclass(frozen=True, slots=True)
class Handle:
    """`body`, run while the exception in a variable is being handled; no `Break` or `Return` inside."""

    failure: Atom
    body: Block
    loc: Loc


@dataclass(frozen=True, slots=True)
class Refuse:
    """Raises UnsupportedSyntaxError if it is reached: stands for a construct that the fence lets
    through in callees (`construct`, `why` and `instead` are the error's texts)."""

    construct: str
    why: str
    instead: str
    loc: Loc


@dataclass(frozen=True, slots=True)
class Return:
    """The function's last statement, and the only one of its kind."""

    value: Atom
    loc: Loc


Statement: TypeAlias = (
    Assign
    | Unpack
    | WriteCell
    | WriteGlobal
    | SetItem
    | SetAttr
    | AugmentName
    | AugmentItem
    | AugmentAttr
    | DelItem
    | DelAttr
    | DelName
    | DelCell
    | Raise
    | If
    | For
    | Loop
    | Break
    | With
    | Attempt
    | Handle
    | Refuse
    | Return
)
Block: TypeAlias = tuple[Statement, ...]


# ------------------------------------------------------------------------------------- program


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters in Python's groups. `names` gives the canonical order of every pair."""

    positional_only: tuple[str, ...] = ()
    positional: tuple[str, ...] = ()
    vararg: str | None = None
    keyword_only: tuple[str, ...] = ()
    kwarg: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters: positional, `*args`, keyword-only, `**kwargs`."""
        vararg = (self.vararg,) if self.vararg else ()
        kwarg = (self.kwarg,) if self.kwarg else ()
        return self.positional_only + self.positional + vararg + self.keyword_only + kwarg


@dataclass(frozen=True, slots=True)
class Function:
    """A program in the core language.

    `captured`: names found in the function's own closure cells, in the order of
    `code.co_freevars`; read through `Path(scope="captured")`, or as cells where they are rebound
    here through `nonlocal`.
    `cells`: names that are explicit cells: local variables (parameters too) that an inner function
    captures and that are bound more than once or rebound by an inner function, and captured names
    that this function rebinds. They are read by `ReadCell` and written by `WriteCell` only. A
    parameter that is a cell is first written by `WriteCell(p, Var(p))` at the function's start.
    `unbound`: those of them that may have no value when a function captures them.
    `generator`: a call does not run the body, but makes an iterator that does.
    `boxes`: local variables that hold a list in place of one which functions inside share.
    """

    name: str
    params: Params
    body: Block
    captured: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    generator: bool = False
    unbound: tuple[str, ...] = ()
    boxes: frozenset[str] = frozenset()


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks directly inside a statement."""
    if type(statement) not in _COMPOUND:
        return ()
    if isinstance(statement, If):
        return (statement.then, statement.orelse)
    return (statement.body,) if isinstance(statement, HOLDING) else ()


def rewritten(block: Block, new: Callable[[Statement], Block]) -> Block:
    """The block with what `new` makes of each statement that has no blocks inside."""
    found: list[Statement] = []
    for statement in block:
        if isinstance(statement, If):
            then, orelse = rewritten(statement.then, new), rewritten(statement.orelse, new)
            found.append(replace(statement, then=then, orelse=orelse))
        elif isinstance(statement, HOLDING):
            found.append(replace(statement, body=rewritten(statement.body, new)))
        else:
            found.extend(new(statement))
    return tuple(found)


HOLDING = (For, Loop, With, Attempt, Handle)
"""Statements with one block inside."""

COMPOUND = (If, *HOLDING)
"""Statements with blocks inside."""

_COMPOUND = frozenset(COMPOUND)


def walk(block: Block) -> Iterator[Statement]:
    """Every statement of a block, outer before inner, in order.

    >>> here = Loc(1, 0)
    >>> inner = Assign("y", Copy(Var("x")), here)
    >>> [type(s).__name__ for s in walk((Loop((inner, Break(here)), here),))]
    ['Loop', 'Assign', 'Break']
    """
    waiting = list(reversed(block))
    while waiting:
        statement = waiting.pop()
        yield statement
        if type(statement) in _COMPOUND:
            for inner in reversed(blocks(statement)):
                waiting.extend(reversed(inner))


def of_loop(block: Block) -> Iterator[Statement]:
    """The statements of a loop's body that are in no other loop, outer before inner, in order.

    >>> here = Loc(1, 0)
    >>> [type(s).__name__ for s in of_loop((Loop((Break(here),), here), Break(here)))]
    ['Loop', 'Break']
    """
    for statement in block:
        yield statement
        if not isinstance(statement, For | Loop):
            for inner in blocks(statement):
                yield from of_loop(inner)
