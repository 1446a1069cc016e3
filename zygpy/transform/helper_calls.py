"""A helper called in the text of a contribution, as far as it is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zygpy.ir.kinds import Kind, rank_of
from zygpy.ir.nodes import gast


@dataclass(frozen=True)
class HelperCall:
    """A helper called in a contribution's text, and the kinds and literals of the parameters."""

    args: tuple[Any, ...]
    kinds: Mapping[str, Kind]
    literals: Mapping[str, Any]

    def parameter(self, position: int) -> str | None:
        """The parameter that an argument is about: `b` in `b`, `conj(b)` and `shape(b)`."""
        tree = self.args[position]
        while isinstance(tree, gast.Call) and len(tree.args) == 1:
            tree = tree.args[0]
        return tree.id if isinstance(tree, gast.Name) else None

    def kind(self, position: int) -> Kind | None:
        """The kind of the parameter that an argument is."""
        tree = self.args[position] if position < len(self.args) else None
        return self.kinds.get(tree.id) if isinstance(tree, gast.Name) else None

    def rank(self, position: int) -> int | None:
        """The rank of the parameter that an argument is about."""
        kind = self.kinds.get(self.parameter(position) or "")
        return None if kind is None else rank_of(kind)

    def literal(self, position: int, default: Any) -> Any:
        """The value of an argument that is a literal, else the HelperCall itself."""
        if position >= len(self.args):
            return default
        return self.literals.get(self.parameter(position) or "", self)


Form = Callable[[HelperCall], str | None]
"""What a helper comes to, as a text, the arguments being _0, _1, ...; None where the helper has to do it."""
