"""Operations on what is one of several things: they are asked for which one it is.

y = f(x)                ->              t_1 = is_one(f, relu)
                                        if t_1:
                                            y = f(x)
                                        else:
                                            y = f(x)
"""

from __future__ import annotations

import math
from dataclasses import replace

from zygpy.analyse.facts import Facts
from zygpy.analyse.run import Run
from zygpy.analyse.something import with_check
from zygpy.analyse.values import Environment, remade
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Known, LocalFunction, Object, OneOf, told_by_itself
from zygpy.ir.names import Names
from zygpy.runtime.options import check_one, check_something, is_one

IS_ONE, CHECK_ONE = core.Path(("is_one",), "helper"), core.Path(("check_one",), "helper")


def arms(run: Run, statement: core.Statement, env: Environment) -> list[Environment]:
    """What is known in front of a statement where it is known of which kind it is that decides what it does:
    for each kind; none where that does not have to be asked."""
    asked = None if run.oracle.is_generated() else _asked(statement, env)
    if asked is None:
        run.facts.asked.pop(id(statement), None)
        return []
    run.facts.asked[id(statement)] = asked
    name, kind = asked
    value = env[name]
    return [{**env, name: remade(value, option, value.active, value.sites)} for option in kind.options]


def is_question(run: Run, op: core.Call) -> bool:
    """Whether a call asks for which of several things one is."""
    found = run.resolve(op.func).value if isinstance(op.func, core.Path) else None
    return any(found is question for question in QUESTIONS)


QUESTIONS = (is_one, check_one, check_something)


def with_questions(program: core.Function, facts: Facts) -> core.Function:
    """The same program with branches for such operations; the very same if there are none."""
    if not (facts.asked or facts.checked):
        return program
    names = Names(mentioned(program))

    def spelled(statement: core.Statement) -> core.Block:
        if id(statement) in facts.checked:
            return with_check(statement, facts.checked[id(statement)], names)
        if id(statement) not in facts.asked:
            return (statement,)
        name, kind = facts.asked[id(statement)]
        return _branches(statement, core.Var(name), _things(kind), names)

    return replace(program, body=core.rewritten(program.body, spelled))


def _branches(statement: core.Statement, thing: core.Var, things: list[object], names: Names) -> core.Block:
    """The statement, in a branch for each thing that it may be about."""
    test, loc = names.temporary(), statement.loc
    if len(things) == 1:
        check = core.Assign(test, core.Call(CHECK_ONE, (thing,), stand_in=things[0]), loc)
        checked = type(told_by_itself(things[0])) is tuple
        return (check, replace(statement)) if checked else (replace(statement),)
    question = core.Call(IS_ONE, (thing,), stand_in=things[0])
    orelse = _branches(statement, thing, things[1:], names)
    return (
        core.Assign(test, question, loc),
        core.If(core.Var(test), (replace(statement),), orelse, loc),
    )


def _things(kind: OneOf) -> list[object]:
    """By what the program tells what something is: a class, a function."""
    return [_thing(option) for option in kind.options]


def _thing(option: object) -> object:
    if isinstance(option, Object):
        return option.cls
    if isinstance(option, LocalFunction):
        return option.function
    assert isinstance(option, Known)
    return option.value


def _asked(statement: core.Statement, env: Environment) -> tuple[str, OneOf] | None:
    """The variable whose kind decides what a statement does, and that kind, if it is one of several; none if
    these are too many."""
    found = [
        (atom.name, env[atom.name].kind)
        for atom in _deciding(statement)
        if isinstance(atom, core.Var) and atom.name in env and env[atom.name].certain
    ]
    asked = [(name, kind) for name, kind in found if isinstance(kind, OneOf)]
    many = math.prod(len(kind.options) for _, kind in asked) > MAXIMUM_ARMS
    return None if many or not asked else asked[0]


MAXIMUM_ARMS = 24
"""Into so many branches at most an operation is taken apart."""


def _deciding(statement: core.Statement) -> tuple[object, ...]:
    """What decides what a statement does."""
    match statement:
        case core.Assign(op=core.Call(func=core.Var() as func, carried=())):
            return (func,)
        case core.Assign(op=core.CallMethod(value) | core.GetAttr(value) | core.GetItem(value)):
            return (value,)
        case core.Assign(op=core.Binary(_, left, right)):
            return left, right
        case core.Assign(op=core.Compare(symbol, left, right)) if symbol not in ("is", "is not"):
            return left, right
        case core.Assign(op=core.Unary(_, value)):
            return (value,)
        case (
            core.SetAttr(target) | core.AugmentAttr(target) | core.SetItem(target) | core.AugmentItem(target)
        ):
            return (target,)
    return ()
