"""What lowering carries along: the statements made so far, the names, and who lowers which node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from zygpy.ir import core
from zygpy.ir.classes import CLASS
from zygpy.ir.names import Names
from zygpy.ir.nodes import gast
from zygpy.normalise.scopes import Scope

Harmless = Callable[[core.Path, int], bool]
"""Whether a call of a callee with so many positional arguments writes nothing that the caller sees."""
Operation = Callable[["State", Any], core.Op]
Lower = Callable[["State", Any], None]
Into = Callable[["State", str, Any], None]

OPERATIONS: dict[type, Operation] = {}
"""Who gives the operation of an expression, after emitting what its operands need."""

INTO: dict[type, Into] = {}
"""Who assigns the value of an expression with branches of its own to a variable."""

STATEMENTS: dict[type, Lower] = {}
"""Who emits a statement."""

SPECIAL = ("builtin", "helper")


Bound: TypeAlias = "Callable[[str], bool]"
"""Whether an attribute, or a global, may be bound to another function while arguments are evaluated."""


def nothing_is_bound(name: str) -> bool:
    """As in code that does no such thing."""
    return False


class State:
    """The lowering of one function."""

    def __init__(
        self,
        names: Names,
        scope: Scope,
        walruses: frozenset[str],
        flags: frozenset[str],
        harmless: Harmless,
        first: str | None = None,
        bound: Bound = nothing_is_bound,
        shadowed: frozenset[str] = frozenset(),
    ) -> None:
        self.names = names
        self.scope = scope
        self.walruses = walruses
        self.flags = set(flags)
        self.harmless = harmless
        self.first = first
        self.bound = bound
        self.shadowed = shadowed
        self.made: set[str] = set()
        self.begun: set[str] = set()
        self.out: list[core.Statement] = []
        self.here = core.Loc(1, 0)
        self.guarded = 0

    def emit(self, statement: core.Statement) -> None:
        self.out.append(statement)

    def temporary(self) -> str:
        name = self.names.temporary()
        self.made.add(name)
        return name

    def assign(self, op: core.Op, loc: core.Loc) -> core.Var:
        """Give the operation a fresh temporary."""
        target = self.temporary()
        self.emit(core.Assign(target, op, loc))
        return core.Var(target)

    def loc(self, node: Any) -> core.Loc:
        """Where a node stands; where the statement stands for a node without a place."""
        if not hasattr(node, "lineno"):
            return self.here
        return core.Loc(
            node.lineno,
            node.col_offset,
            getattr(node, "end_lineno", None) or 0,
            getattr(node, "end_col_offset", None) or 0,
        )

    def kind(self, name: str) -> str:
        """What a name is: "local", "cell", "captured", "global", "builtin" or "helper"."""
        special, colon, _ = name.partition(":")
        if colon:
            return special
        return "local" if name in self.made else self.scope.kind(name)

    def is_builtin(self, name: str) -> bool:
        """Whether a name means what Python gives under it."""
        return self.kind(name) == "global" and name not in self.shadowed

    def path(self, node: Any) -> core.Path | None:
        """The path that a name or a chain of attributes is, if its root is no local variable."""
        parts: list[str] = []
        while isinstance(node, gast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or self.kind(node.id) in ("local", "cell"):
            return None
        if parts and node.id == CLASS:  # a class like one in a variable: what it has may be bound anew
            return None
        root = node.id.rpartition(":")[2]
        return core.Path((root, *reversed(parts)), self.kind(node.id))

    @contextmanager
    def block(self) -> Iterator[list[core.Statement]]:
        """Collect what is emitted meanwhile as a block of its own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def refuse(self, construct: str, why: str, instead: str, node: Any) -> None:
        self.emit(core.Refuse(construct, why, instead, self.loc(node)))
