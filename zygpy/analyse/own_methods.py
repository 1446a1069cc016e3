"""Methods that an object keeps which are bound to itself.

self.step = self.euler                          self.handlers = {"up": self.on_up, "down": self.on_down}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType

from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import Dict, Kind, List, LocalFunction, Object, OneOf, Tuple
from zygpy.runtime.lookup import in_class


def holds_own_methods(program: core.Function, statement: core.Statement, kind: Kind, stored: Kind) -> bool:
    """Whether a statement stores in a field of an object, of this kind, nothing but methods of that very
    object, or a container of them that the program makes: what their kinds say that they are bound to is the
    object that holds them."""
    if not isinstance(statement, core.SetAttr) or not isinstance(statement.target, core.Var):
        return False
    if not isinstance(kind, Object) or kind.fields is None or not _has_bound(stored):
        return False
    made: dict[str, list[core.Statement]] = {}
    for one in core.walk(program.body):
        for name in assigned(one):
            made.setdefault(name, []).append(one)
    owner = statement.target.name
    is_fixed = owner in program.params.names and owner not in made
    return is_fixed and _Own(owner, kind, made).are_in(statement.value, frozenset())


def _has_bound(kind: Kind) -> bool:
    """Whether something is, or holds, functions that are known to carry something."""
    if isinstance(kind, OneOf):
        return all(map(_has_bound, kind.options))
    if isinstance(kind, Tuple):
        return any(map(_has_bound, kind.items))
    return _has_bound(kind.element) if isinstance(kind, List | Dict) else isinstance(kind, LocalFunction)


@dataclass(frozen=True)
class _Own:
    """The methods of an object that a variable holds all the time."""

    owner: str
    kind: Object
    made: Mapping[str, list[core.Statement]]

    def are_in(self, atom: core.Atom | core.Star | None, above: frozenset[str]) -> bool:
        """Whether an atom is a constant, such a method wherever it is bound, or made of such."""
        if isinstance(atom, core.Const):
            return True
        if not isinstance(atom, core.Var) or atom.name in above or atom.name not in self.made:
            return False
        return all(self._gives(one, above | {atom.name}) for one in self.made[atom.name])

    def _gives(self, statement: core.Statement, above: frozenset[str]) -> bool:
        match statement:
            case core.Assign(op=core.GetAttr(core.Var(name), method)):
                return name == self.owner and self._is_method(method)
            case core.Assign(op=core.Copy(atom)):
                return self.are_in(atom, above)
            case core.Assign(op=core.Display("list" | "tuple", items)):
                return all(self.are_in(item, above) for item in items)
            case core.Assign(op=core.DictDisplay(items)):
                return all(self.are_in(part, above) for item in items for part in item)
        return False

    def _is_method(self, name: str) -> bool:
        """Whether the class has a method by a name, in front of which the object has nothing of its own."""
        found = in_class(self.kind.cls, name, None)
        return isinstance(found, FunctionType) and name not in dict(self.kind.fields or ())
