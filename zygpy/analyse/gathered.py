"""Keywords for which a function has no parameter are gathered in a dict, in front of the call.

y = f(x, rate=r)        ->              t_1 = {"rate": r}
                                        y = f(x, **t_1)

Where things are found by identity, what comes in for the dict has a place by that: the function may hand it
on, or change it.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

from zygpy.analyse.binding import Bindings
from zygpy.analyse.facts import DictBound, Facts
from zygpy.analyse.run import Run
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names
from zygpy.runtime.platform_code import is_platform


def gathers(run: Run, statement: core.Assign, function: FunctionType, bound: Bindings) -> bool:
    """Whether a call can be made directly in which each dict that is made for it has a name: there is none,
    or it is about to be made in front of the call."""
    dicts = [item for _, item in bound if isinstance(item, DictBound)]
    if not dicts:
        return True
    op, given = statement.op, dict(dicts[0].items)
    if is_platform(function.__code__.co_filename):
        return False  # what such functions are given is looked at when they are called
    if not isinstance(op, core.Call | core.CallMethod):
        return id(statement) in run.facts.read_in_front  # it is about to be a call
    if not given.items() <= {keyword.name: keyword.value for keyword in op.keywords}.items():
        return False
    run.facts.gathered[id(statement)] = tuple(given)
    return True


def with_gathered(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such dicts; the very same if there are none."""
    if not facts.gathered:
        return program
    names = Names(mentioned(program))

    def spelled(statement: core.Statement) -> core.Block:
        if id(statement) not in facts.gathered:
            return (statement,)
        assert isinstance(statement, core.Assign)
        return _behind_dict(statement, facts.gathered[id(statement)], core.Var(names.temporary()))

    return replace(program, body=core.rewritten(program.body, spelled))


def _behind_dict(statement: core.Assign, keys: tuple[str, ...], whole: core.Var) -> core.Block:
    """A call that is given the dict, which is made in front of it."""
    op = statement.op
    assert isinstance(op, core.Call | core.CallMethod)
    given = tuple([(core.Const(key.name), key.value) for key in op.keywords if key.name in keys])
    others = tuple([key for key in op.keywords if key.name not in keys])
    keywords = (*others, core.Keyword(None, whole, whole=True))
    made = core.Assign(whole.name, core.DictDisplay(given), statement.loc)
    return (made, replace(statement, op=replace(op, keywords=keywords)))
