"""`yield` and `yield from`.

result = yield from xs:     it, sent, failure = iter(xs), None, None
                            loop:
                                more, item = delegated(it, sent, failure)
                                if not more: break
                                attempt failure:
                                    sent = yield item
                            result = item
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.normalise.lower.expressions import atom
from zygpy.normalise.lower.state import OPERATIONS, State

DELEGATED = core.Path(("delegated",), "helper")
NOTHING = core.Const(None)


def _yield(state: State, node: Any) -> core.Op:
    value = NOTHING if node.value is None else atom(state, node.value)
    return core.Yield(value)


def _yield_from(state: State, node: Any) -> core.Op:
    """What is sent in, or thrown in, goes to the iterator that the items come from."""
    loc = state.loc(node)
    iterator = state.assign(core.Call(core.Path(("iter",), "builtin"), (atom(state, node.value),)), loc)
    sent, failure, item = state.temporary(), state.temporary(), state.temporary()
    state.emit(core.Assign(sent, core.Copy(NOTHING), loc))
    state.emit(core.Assign(failure, core.Copy(NOTHING), loc))
    state.emit(core.Assign(item, core.Copy(NOTHING), loc))
    with state.block() as body:
        both, more = state.temporary(), state.temporary()
        given = (iterator, core.Var(sent), core.Var(failure))
        state.emit(core.Assign(both, core.Call(DELEGATED, given), loc))
        state.emit(core.Unpack((more, item), None, core.Var(both), loc))
        test = state.assign(core.Truth(core.Var(more)), loc)
        forgotten = core.Assign(sent, core.Copy(NOTHING), loc)
        received = core.Assign(sent, core.Yield(core.Var(item)), loc)
        going_on = (forgotten, core.Attempt(failure, (received,), loc))
        state.emit(core.If(test, going_on, (core.Break(loc),), loc))
    state.emit(core.Loop(tuple(body), loc))
    return core.Copy(core.Var(item))


OPERATIONS[gast.Yield] = _yield
OPERATIONS[gast.YieldFrom] = _yield_from
