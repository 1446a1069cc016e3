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

from zygpy.analyse.dispatched import decides_dispatch
from zygpy.analyse.facts import Facts
from zygpy.analyse.named_by_classes import asks_for_class
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
    asked = None if run.oracle.is_generated() else _asked(run, statement, env)
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
    return replace(program, body=_spelled(program.body, facts, Names(mentioned(program))))


def _spelled(block: core.Block, facts: Facts, names: Names) -> core.Block:
    """A block with branches for such operations, in which those stand that are asked for together."""
    found: list[core.Statement] = []
    place = 0
    while place < len(block):
        statement, count = block[place], 1
        if core.blocks(statement):
            found.append(_inside(statement, facts, names))
        elif id(statement) in facts.checked:
            found.extend(with_check(statement, facts.checked[id(statement)], names))
        elif id(statement) in facts.asked:
            name, kind = facts.asked[id(statement)]
            count = facts.groups.get(id(statement), 1)
            found.extend(_branches(block[place : place + count], core.Var(name), _things(kind), names))
        else:
            found.append(statement)
        place += count
    return tuple(found)


def _inside(statement: core.Statement, facts: Facts, names: Names) -> core.Statement:
    """A statement with the same done in the blocks inside of it."""
    if isinstance(statement, core.If):
        then, orelse = (_spelled(arm, facts, names) for arm in (statement.then, statement.orelse))
        return replace(statement, then=then, orelse=orelse)
    assert isinstance(statement, core.HOLDING)
    return replace(statement, body=_spelled(statement.body, facts, names))


def _branches(block: core.Block, thing: core.Var, things: list[object], names: Names) -> core.Block:
    """The statements, in a branch for each thing that they may be about."""
    test, loc = names.temporary(), block[0].loc
    copied = core.rewritten(block, lambda statement: (replace(statement),))
    if len(things) == 1:
        check = core.Assign(test, core.Call(CHECK_ONE, (thing,), stand_in=things[0]), loc)
        checked = type(told_by_itself(things[0])) is tuple
        return (check, *copied) if checked else copied
    question = core.Call(IS_ONE, (thing,), stand_in=things[0])
    orelse = _branches(block, thing, things[1:], names)
    return (core.Assign(test, question, loc), core.If(core.Var(test), copied, orelse, loc))


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


def _asked(run: Run, statement: core.Statement, env: Environment) -> tuple[str, OneOf] | None:
    """The variable whose kind decides what a statement does, and that kind, if it is one of several; none if
    these are too many."""
    found = [
        (atom.name, env[atom.name].kind)
        for atom in (*_deciding(statement), *_by_class(run, statement, env))
        if isinstance(atom, core.Var) and atom.name in env and env[atom.name].certain
    ]
    asked = [(name, kind) for name, kind in found if isinstance(kind, OneOf)]
    many = math.prod(len(kind.options) for _, kind in asked) > MAXIMUM_ARMS
    return None if many or not asked else asked[0]


MAXIMUM_ARMS = 24
"""Into so many branches at most an operation is taken apart."""


def _by_class(run: Run, statement: core.Statement, env: Environment) -> tuple[core.Var, ...]:
    """The variable by whose class a method, or a function, is found."""
    named = asks_for_class(statement) if id(statement) in run.facts.groups else None
    thing = named or decides_dispatch(run, statement, env)
    return () if thing is None else (thing,)


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
