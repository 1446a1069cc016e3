"""Calls of `functools.reduce` by a function that the program itself has made, which has captured something:
loops that call it.

    reduce(lambda s, c: s * x + c, cs, 0.0)     ->      folded = 0.0
                                                        for item in cs:
                                                            folded = lambda_(folded, item)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from zygpy.ir import core
from zygpy.transform.bodies import Around, bindings_of


def with_folds_in_place(program: core.Function, builtin: Callable[[core.Path], Any]) -> core.Function:
    """The program with such calls as loops; the very same if there is none. `builtin` gives what a path leads
    to."""
    statements = list(core.walk(program.body))
    bound = bindings_of(statements)
    made = {name for name in map(function_made, statements) if name and bound[name] == 1}
    folds = [call for one in statements if (call := _fold(one, made)) is not None]
    if not any(builtin(call.func) is functools.reduce for call in folds if isinstance(call.func, core.Path)):
        return program
    around = Around(program)

    def spelled(statement: core.Statement) -> core.Block:
        call = _fold(statement, made)
        if call is None or not isinstance(call.func, core.Path) or builtin(call.func) is not functools.reduce:
            return (statement,)
        assert isinstance(statement, core.Assign)
        return tuple(_loop(around, statement, call, call.func))

    return replace(program, body=core.rewritten(program.body, spelled))


def function_made(statement: core.Statement) -> str:
    """The name of the function that a statement makes, if that captures something."""
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.MakeFunction):
        return ""
    return statement.target if statement.op.captured else ""


def _fold(statement: core.Statement, made: Collection[str]) -> core.Call | None:
    """A call with three arguments, the first of which is such a function."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or len(op.args) != 3 or op.keywords:
        return None
    function = op.args[0]
    plain = not any(isinstance(arg, core.Star) for arg in op.args)
    return op if plain and isinstance(function, core.Var) and function.name in made else None


def _loop(around: Around, statement: core.Assign, call: core.Call, path: core.Path) -> list[core.Statement]:
    function, items, start = call.args
    assert isinstance(function, core.Var)
    assert not isinstance(items, core.Star)
    assert not isinstance(start, core.Star)
    names, loc = around.names, statement.loc
    folded, item = names.fresh("folded"), names.fresh("item")
    step = core.Assign(folded, core.Call(function, (core.Var(folded), core.Var(item))), loc)
    return [
        core.Assign(names.temporary(), core.Read(path), loc),  # everything rests on what that names
        core.Assign(folded, core.Copy(start), loc),
        core.For(item, items, (step,), loc),
        replace(statement, op=core.Copy(core.Var(folded))),
    ]
