"""What a statement of the adjoint binds, and which objects it may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zygpy.ir.nodes import gast, nodes
from zygpy.simplify.purity import Purity
from zygpy.simplify.trees import Names, Node, target_names


@dataclass(frozen=True)
class Effects:
    """Judges statements; `sole` are the variables whose objects no other variable holds."""

    purity: Purity
    sole: frozenset[str]

    def writes(self, statement: Node) -> bool:
        """Whether the statement, or one in it, may change an object that several variables hold.

        >>> from zygpy.ir.nodes import quote
        >>> effects = Effects(Purity(frozenset("axy")), frozenset("a"))
        >>> [effects.writes(quote(text)[0]) for text in ("a += x", "x[0] += a", "y = f(x)", "y = a * x")]
        [False, True, True, False]
        """
        return any(self._writes(inner) for inner in statements_in(statement))

    def _writes(self, statement: Node) -> bool:
        if isinstance(statement, gast.AugAssign) or _stores_item(statement):
            target = statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]
            owner = target if isinstance(target, gast.Name) else getattr(target, "value", None)
            if not (isinstance(owner, gast.Name) and owner.id in self.sole):
                return True
        acting = (found for found in _evaluated(statement) if self.purity.acts(found))
        return any(not self._writes_own(call) for call in acting)

    def _writes_own(self, call: Node) -> bool:
        """`add_at(x, ...)` where only `x` holds its object."""
        first = call.args[0] if isinstance(call, gast.Call) and call.args else None
        own = isinstance(first, gast.Name) and first.id in self.sole
        return own and self.purity.keeps_nothing(call)


def statements_in(statement: Node) -> Iterator[Node]:
    """The statement and those in it."""
    waiting = [statement]
    while waiting:
        found = waiting.pop()
        yield found
        for field in ("orelse", "body"):
            waiting += reversed(getattr(found, field, ()))


def bound_names(statement: Node) -> list[str]:
    """The names that the statement, or one in it, binds anew, or whose objects it changes.

    >>> from zygpy.ir.nodes import quote
    >>> [bound_names(quote(text)[0]) for text in ("a, b = c", "a[0].b += c", "add_at(a, i, c)")]
    [['a', 'b'], ['a'], ['a']]
    """
    return [name for inner in statements_in(statement) for name in _bound(inner)]


def bindings() -> Names:
    """The same of many statements that may be in each other."""
    return Names(lambda one: _bound(one) if isinstance(one, gast.If | gast.For) else bound_names(one))


def _bound(statement: Node) -> list[str]:
    found = [name for target in _targets(statement) for name in target_names(_owner(target))]
    return found + _written_arguments(statement)


def _targets(statement: Node) -> list[Node]:
    """What a statement assigns to."""
    targets: list[Node] | None = getattr(statement, "targets", None)
    if targets is not None:
        return targets
    target = getattr(statement, "target", None)
    return [] if target is None else [target]


def _owner(target: Node) -> Node:
    while isinstance(target, PLACES):
        target = target.value
    return target


def _written_arguments(statement: Node) -> list[str]:
    """The variable that a statement like `add_at(x, i, v)` changes."""
    call = statement.value if isinstance(statement, gast.Expr) else None
    if isinstance(call, gast.Call) and call.args:
        return target_names(call.args[0])
    return []


def _stores_item(statement: Node) -> bool:
    return isinstance(statement, gast.Assign) and isinstance(statement.targets[0], PLACES)


PLACES = (gast.Subscript, gast.Attribute)
"""Targets that are in an object."""


def read_field(statement: Node) -> str | None:
    """The field of a statement with the expression that it evaluates first."""
    if isinstance(statement, VALUED):
        return "value" if statement.value is not None else None
    if isinstance(statement, gast.If):
        return "test"
    return "iter" if isinstance(statement, gast.For) else None


VALUED = (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)


def _evaluated(statement: Node) -> Iterator[Node]:
    """The nodes of the expressions that the statement itself evaluates."""
    field = read_field(statement)
    if field is not None:
        yield from nodes(getattr(statement, field))
    for target in _targets(statement):
        if isinstance(target, PLACES):
            yield from nodes(target)
