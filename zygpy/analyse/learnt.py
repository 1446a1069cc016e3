"""What the arms of an `if` know by the answer to its question."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from zygpy.analyse.known_tests import is_none, is_of
from zygpy.analyse.run import Run
from zygpy.analyse.something import narrow
from zygpy.analyse.values import Environment, remade
from zygpy.ir import core
from zygpy.ir.kinds import (
    NEVER,
    NONE,
    UNKNOWN,
    Kind,
    Known,
    NumberOrArray,
    OneOf,
    OnlyNone,
    Optional,
    Unknown,
    is_real_scalar,
    is_same,
    join_all,
    told_by,
    told_by_itself,
)
from zygpy.runtime.options import is_one
from zygpy.runtime.zeros import are_numbers


class Question(NamedTuple):
    """What is `asked`, and whether the `if` asks that as it is (`plainly`; False: its negation). `things` are
    the variables that are asked for their truth on the way, with the same of each."""

    asked: core.Compare | core.Call | None
    plainly: bool
    things: tuple[tuple[str, bool], ...]


NUMBER_OR_ARRAY = NumberOrArray(real=False)

FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


def question_before(block: core.Block, position: int) -> Question | None:
    """What the `if` at a position of a block asks, just before it."""
    statement = block[position]
    assert isinstance(statement, core.If)
    if not isinstance(statement.test, core.Var):
        return None
    name, plainly = statement.test.name, True
    things = [(name, True)]
    for before in reversed(block[:position]):
        if not isinstance(before, core.Assign) or before.target != name:
            break
        match before.op:
            case core.Compare() | core.Call() as found:
                return Question(found, plainly, tuple(things))
            case core.Truth(core.Var(name)):
                things.append((name, plainly))
            case core.Unary("not", core.Var(name)):
                plainly = not plainly
                things.append((name, plainly))
            case _:
                break
    return Question(None, plainly, tuple(things))


def learnt(comparison: core.Compare, holds: bool) -> str | None:
    """The variable that is not negative if a comparison holds, or does not hold."""
    symbol, left, right = comparison.op, comparison.left, comparison.right
    if isinstance(left, core.Const):
        symbol, left, right = FLIPPED.get(symbol, ""), right, left
    if not (isinstance(left, core.Var) and isinstance(right, core.Const)):
        return None
    if type(right.value) not in (int, float) or right.value < 0:
        return None
    return left.name if symbol in ((">", ">=") if holds else ("<", "<=")) else None


def note_learnt(run: Run, env: Environment, question: Question | None, answer: bool) -> Environment:
    """The same, where a question is answered so (in place)."""
    if question is None:
        return env
    if not run.is_own():
        _note_truth(env, question, answer)
    asked, holds = question.asked, question.plainly is answer
    if isinstance(asked, core.Compare) and asked.op in ("is", "is not"):
        _note_something(run, env, asked, holds)
    elif isinstance(asked, core.Compare):
        name = learnt(asked, holds)
        if name is not None and name in env and is_real_scalar(env[name].kind):
            env[name] = env[name]._replace(never_negative=True)
    elif isinstance(asked, core.Call):
        _note_answer(run, env, asked, holds)
    return env


def _note_truth(env: Environment, question: Question, answer: bool) -> None:
    """What is true is not None."""
    for name, plainly in question.things:
        if plainly is answer and name in env:
            narrow(env, name)


def _note_answer(run: Run, env: Environment, asked: core.Call, holds: bool) -> None:
    """What is known by the answer of a function that was asked."""
    function = run.facts.objects.get(asked.func.names) if isinstance(asked.func, core.Path) else None
    if function is are_numbers and holds:
        _note_numbers(env, asked)
    elif function is isinstance:
        _note_options(env, asked, holds, is_of)
    elif function is is_one:
        _note_options(env, asked, holds, _is_one)


def _note_options(
    env: Environment, asked: core.Call, holds: bool, answered: Callable[[Kind, Kind], bool | None]
) -> None:
    """What is one of several things is one of those to which the answer applies."""
    thing = asked.args[0]
    value = env.get(thing.name) if isinstance(thing, core.Var) else None
    if value is None or not isinstance(value.kind, OneOf):
        return
    assert isinstance(thing, core.Var)
    what = _asked_for(asked, env)
    answers = [answered(option, what) for option in value.kind.options]
    left = [one for one, answer in zip(value.kind.options, answers, strict=True) if answer in (holds, None)]
    env[thing.name] = remade(value, join_all(left), value.active, value.sites)


def _asked_for(asked: core.Call, env: Environment) -> Kind:
    """The kind of the class, or the function, for which something is asked."""
    if asked.stand_in is not None:
        return Known(asked.stand_in)
    known = env.get(asked.args[1].name) if isinstance(asked.args[1], core.Var) else None
    return UNKNOWN if known is None else known.kind


def _is_one(option: Kind, what: Kind) -> bool | None:
    """Whether values of a kind are what another kind names; None where that is not known."""
    if not isinstance(what, Known):
        return None
    return is_same(told_by(option), told_by_itself(what.value))


def is_ruled_out(env: Environment, question: Question | None, answer: bool) -> bool:
    """Whether a question cannot be answered so, as far as is known: of what is always None, or never."""
    if question is None or not isinstance(question.asked, core.Compare):
        return False
    asked, holds = question.asked, question.plainly is answer
    if asked.op not in ("is", "is not") or asked.right != core.Const(None):
        return False
    value = env.get(asked.left.name) if isinstance(asked.left, core.Var) else None
    known = None if value is None else is_none(value.kind)
    return known is not None and known is not ((asked.op == "is") is holds)


def _note_something(run: Run, env: Environment, asked: core.Compare, holds: bool) -> None:
    """What may be None, and is not where it was asked, is what else it may be: nothing where it was never
    anything else, as far as is known yet."""
    if not isinstance(asked.left, core.Var) or asked.right != core.Const(None):
        return
    value, is_none = env.get(asked.left.name), (asked.op == "is") is holds
    if value is None:
        return
    kind = value.kind
    if isinstance(kind, Optional):
        kind = NONE if is_none else kind.kind
    elif isinstance(kind, OnlyNone) and not (is_none or run.is_own()):
        kind = NEVER
    env[asked.left.name] = remade(value, kind, value.active, value.sites)


def _note_numbers(env: Environment, asked: core.Call) -> None:
    for atom in asked.args:
        if isinstance(atom, core.Var) and atom.name in env and isinstance(env[atom.name].kind, Unknown):
            env[atom.name] = env[atom.name]._replace(kind=NUMBER_OR_ARRAY)
