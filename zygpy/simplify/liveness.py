"""Which names of the adjoint are read again, and how often: unread assignments are left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from zygpy.ir.nodes import gast, names_in, nodes, quote_expression
from zygpy.simplify.purity import Purity, has_scope
from zygpy.simplify.trees import SCOPES, Block, Names, Node, assigned_name, changed, mentions, target_names

MANY = 1 << 20
"""Stands for reads that cannot be counted, or that nothing may be folded into."""

Reads = dict[str, int]


class Uses:
    """How many mentions read the value that an assignment gives a name: each once, in the same block
    and where something may be folded into; MANY if there are others."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str], int] = {}
        self._statements: list[Node] = []  # an id stands for a statement only while that exists

    def put(self, statement: Node, name: str, count: int) -> None:
        """Settle the uses of what `statement` binds to `name`."""
        self._statements.append(statement)
        self._counts[id(statement), name] = count

    def of(self, statement: Node, name: str) -> int:
        """The uses of what `statement` binds to `name`; MANY if they were not counted."""
        return self._counts.get((id(statement), name), MANY)


@dataclass
class Liveness:
    """One backward walk over an adjoint: what is left of it, and the uses of what it binds."""

    purity: Purity
    keeps_underscore: bool = False
    has_scopes: bool = True  # whether there may be functions or comprehensions anywhere
    uses: Uses = field(default_factory=Uses)
    _exposed: dict[int, frozenset[str]] = field(default_factory=dict)
    _mentions: Names = field(default_factory=mentions)

    def block(self, block: Block, reads: Reads) -> Block:
        """The block without what nobody reads; `reads` is what is read behind it, then before it."""
        kept: Block = []
        for statement in reversed(block):
            new = self._statement(statement, reads)
            if new is not None:
                kept.append(new)
        kept.reverse()
        return kept

    def _statement(self, statement: Node, reads: Reads) -> Node | None:
        if isinstance(statement, gast.Assign):
            return self._assign(statement, reads)
        if isinstance(statement, gast.If):
            return self._branch(statement, reads)
        if isinstance(statement, gast.For):
            return self._loop(statement, reads)
        return self._plain(statement, reads)

    def _plain(self, statement: Node, reads: Reads) -> Node | None:
        if isinstance(statement, gast.Pass) or (
            isinstance(statement, gast.Expr) and self._is_idle(statement)
        ):
            return None
        if isinstance(statement, gast.Return):
            reads.clear()
        if isinstance(statement, gast.AugAssign):
            self._augment(statement, reads)
        else:
            self._read(statement, reads)
        return statement

    def _is_idle(self, statement: Node) -> bool:
        kept = isinstance(statement.value, gast.Constant | gast.Name)  # a name may have no value
        return not kept and self.purity.is_pure(statement.value)

    def _augment(self, statement: Node, reads: Reads) -> None:
        if isinstance(statement.target, gast.Name):
            name = statement.target.id
            self.uses.put(statement, name, reads.pop(name, 0))
            reads[name] = 1
        else:
            self._read_place(statement.target, reads)
        self._read(statement.value, reads)

    def _assign(self, statement: Node, reads: Reads) -> Node | None:
        (target,) = statement.targets
        if isinstance(target, gast.Subscript | gast.Attribute):
            self._read_place(target, reads)
            self._read(statement.value, reads)
            return statement
        names = target_names(target)
        if any(name in reads for name in names):
            new = statement if assigned_name(statement) else self._without_unread(statement, reads)
        elif self.purity.is_pure(statement.value):
            return None
        else:
            new = gast.copy_location(gast.Expr(statement.value), statement)
        for name in names:
            self.uses.put(new, name, reads.pop(name, 0))
        self._read(statement.value, reads)
        return new

    def _without_unread(self, statement: Node, reads: Reads) -> Node:
        """Targets that nobody reads are called `_`."""
        target = self._tidied(statement.targets[0], reads)
        return statement if target is statement.targets[0] else changed(statement, targets=[target])

    def _tidied(self, target: Node, reads: Reads) -> Node:
        if isinstance(target, gast.Name) and not self.keeps_underscore and target.id not in reads:
            return target if target.id == "_" else changed(target, id="_")
        if isinstance(target, gast.Tuple):
            items = [self._tidied(item, reads) for item in target.elts]
            if any(new is not old for new, old in zip(items, target.elts, strict=True)):
                return changed(target, elts=items)
        return target

    def _branch(self, statement: Node, reads: Reads) -> Node | None:
        then, orelse = dict.fromkeys(reads, MANY), dict.fromkeys(reads, MANY)
        body, rest = self.block(statement.body, then), self.block(statement.orelse, orelse)
        mentioned = self._mentions.inside(statement)
        for name in then.keys() | orelse.keys():
            reads[name] = MANY if name in mentioned else reads[name]
        for name in [name for name in reads if name not in then and name not in orelse]:
            del reads[name]
        if not body and not rest and self.purity.is_pure(statement.test):
            return None
        self._read(statement.test, reads)
        return _branch_of(statement, body, rest)

    def _loop(self, statement: Node, reads: Reads) -> Node | None:
        exposed = self._exposed_by(statement)
        inside = dict.fromkeys((*reads, *exposed), MANY)
        body = self.block(statement.body, inside)
        names = target_names(statement.target)
        if not body and self.purity.is_pure(statement.iter) and not any(name in reads for name in names):
            return None
        target = self._tidied(statement.target, inside)
        for name in names:
            inside.pop(name, None)
        mentioned = self._mentions.inside(statement)
        for name in inside:
            reads[name] = MANY if name in mentioned else reads[name]
        self._read(statement.iter, reads)
        return changed(statement, target=target, body=body or [gast.Pass()])

    def _read(self, node: Node, reads: Reads) -> None:
        """Count the mentions in a tree."""
        for name in names_in(node):
            reads[name] = reads.get(name, 0) + 1
        if self.has_scopes and has_scope(node):
            for scope in nodes(node):
                if isinstance(scope, SCOPES):
                    reads.update(dict.fromkeys(names_in(scope), MANY))

    def _read_place(self, target: Node, reads: Reads) -> None:
        """The object that is written to must stay under its name; its index is read like any other."""
        reads.update(dict.fromkeys(names_in(target.value), MANY))
        if isinstance(target, gast.Subscript):
            self._read(target.slice, reads)

    def _exposed_by(self, loop: Node) -> frozenset[str]:
        """The names that an iteration may read from before it."""
        if id(loop) not in self._exposed:
            found = self._before(loop.body, frozenset())
            self._exposed[id(loop)] = found - frozenset(target_names(loop.target))
        return self._exposed[id(loop)]

    def _before(self, block: Block, after: frozenset[str]) -> frozenset[str]:
        needed = set(after)
        for statement in reversed(block):
            if isinstance(statement, gast.If):
                here = frozenset(needed)
                needed = {*self._before(statement.body, here), *self._before(statement.orelse, here)}
                needed.update(names_in(statement.test))
            elif isinstance(statement, gast.For):
                needed.update(self._exposed_by(statement), names_in(statement.iter))
            else:
                _step_back(statement, needed)
        return frozenset(needed)


def _step_back(statement: Node, needed: set[str]) -> None:
    if isinstance(statement, gast.Assign) and not isinstance(
        statement.targets[0], gast.Subscript | gast.Attribute
    ):
        needed.difference_update(target_names(statement.targets[0]))
        needed.update(names_in(statement.value))
    else:
        needed.update(names_in(statement))


def _branch_of(statement: Node, body: Block, rest: Block) -> Node:
    """The branch with these arms; an empty first arm is turned round."""
    if body or not rest:
        return changed(statement, body=body or [gast.Pass()], orelse=rest)
    test = statement.test
    opposite = test.operand if _is_negation(test) else quote_expression("not $t", t=test)
    return changed(statement, test=opposite, body=rest, orelse=[])


def _is_negation(test: Node) -> bool:
    return isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not)


SUPPORTED = (
    gast.Assign,
    gast.AugAssign,
    gast.Expr,
    gast.For,
    gast.If,
    gast.Pass,
    gast.Return,
    gast.Raise,
)


def is_supported(block: Block) -> bool:
    """Whether a body is made of the statements that the adjoint generator writes."""
    return all(
        isinstance(statement, SUPPORTED)
        and len(getattr(statement, "targets", (0,))) == 1
        and not (isinstance(statement, gast.For) and statement.orelse)
        and is_supported(getattr(statement, "body", []))
        and is_supported(getattr(statement, "orelse", []))
        for statement in block
    )
