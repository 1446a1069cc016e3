"""Numbers, texts and the like that a program keeps in a class, a module or a function: `Thing.count += 1`.

Such a write runs no code, and what is known of the fields of objects stays known: what is stored describes
no attribute. (A name that is bound to something of another kind, or to what had been a property, is looked up
from then on, see `replacing`.)
"""

from __future__ import annotations

from abc import ABCMeta
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

from zygpy.analyse.bound_kinds import Change
from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import Array, Kind, Known, Nothing, Text, is_scalar, kind_of
from zygpy.runtime.lookup import in_class

Write: TypeAlias = core.SetAttr | core.AugmentAttr | core.DelAttr

PLAIN = (type, ABCMeta, ModuleType, FunctionType)
"""What keeps an attribute that it is given, and asks nobody."""


def keeps_data(run: Run, statement: Write, owner: Value, stored: Value) -> bool:
    """Whether a write stores data in a class, a module or a function, and nothing else happens."""
    kind, name = owner.kind, statement.name
    if not isinstance(kind, Known) or type(kind.value) not in PLAIN or name.startswith("__"):
        return False
    if isinstance(statement, core.DelAttr) or stored.active or not is_data(stored.kind):
        return False
    return not isinstance(statement, core.AugmentAttr) or _adds(run, statement, kind.value, stored.kind)


def is_data(kind: Kind) -> bool:
    """Whether something is a number, a text or None."""
    return is_scalar(kind) or isinstance(kind, Text | Nothing)


def _adds(run: Run, statement: core.AugmentAttr, owner: Any, added: Kind) -> bool:
    """Whether what is there is data as well, and stays of that kind, in which the change runs no code."""
    name = statement.name
    if name in run.facts.way.replaced or name in run.scope.replaced:
        return False
    found = in_class(owner, name, MISSING) if isinstance(owner, type) else vars(owner).get(name, MISSING)
    kind = kind_of(found)
    if found is MISSING or isinstance(kind, Array) or not is_data(kind):
        return False
    if not Change(added, statement.op).keeps(kind):
        return False
    run.note(Guard(owner, name, kind=kind))
    return True
