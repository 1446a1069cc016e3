"""What programs do to lists that C code takes as they are, whatever their class: the functions of `heapq`.

The program is known, and is called by the door for functions that change what they are given. Lists of other
classes have no methods that C code asks: they are left to reverse mode.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.runtime.standard_library import done_to_list
from zygpy.runtime.zeros import check_list
from zygpy.tangent.state import Tangents
from zygpy.transform.stash import primal_atom


def is_done(op: core.Op, facts: Any) -> bool:
    """Whether a program that is known is done to what may be a list."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or not facts.way.identity:
        return False
    return facts.objects.get(op.func.names) is done_to_list


def as_call(t: Tangents, op: core.Call) -> core.Call:
    """The call of that program, before which it is checked that it is given a list."""
    program, items, *others = [arg for arg in op.args if not isinstance(arg, core.Star)]
    t.settle()
    t.emit("$check($xs)", check=t.ctx.cell("check_list", check_list), xs=primal_atom(items))
    assert isinstance(program, core.Var)
    return core.Call(program, (items, *others))
