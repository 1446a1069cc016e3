"""What a loop binds in each round, as statements."""

from __future__ import annotations

from zygpy.ir import core
from zygpy.ir.names import Names


def bound_to(target: core.Target, item: core.Atom, names: Names, loc: core.Loc) -> core.Block:
    """The assignment of an item to a loop's target.

    >>> here = core.Loc(1, 0)
    >>> [type(one).__name__ for one in bound_to(("a", ("b", "c")), core.Var("x"), Names(), here)]
    ['Unpack', 'Unpack']
    """
    if isinstance(target, str):
        return (core.Assign(target, core.Copy(item), loc),)
    parts = [part if isinstance(part, str) else names.temporary() for part in target]
    inner = [
        statement
        for part, name in zip(target, parts, strict=True)
        if not isinstance(part, str)
        for statement in bound_to(part, core.Var(name), names, loc)
    ]
    return (core.Unpack(tuple(parts), None, item, loc), *inner)
