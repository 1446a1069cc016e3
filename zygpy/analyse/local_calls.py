"""Calls of functions that a program has made itself: they read what these have captured."""

from __future__ import annotations

from dataclasses import replace

from zygpy.analyse.facts import Facts
from zygpy.ir import core


def with_carried(program: core.Function, facts: Facts) -> core.Function:
    """The same program with calls that name what the functions have captured; the very same if there is
    nothing to name."""
    body = _block(program.body, facts)
    return program if body is program.body else replace(program, body=body)


def _block(block: core.Block, facts: Facts) -> core.Block:
    made = tuple(_statement(statement, facts) for statement in block)
    return block if all(new is old for new, old in zip(made, block, strict=True)) else made


def _statement(statement: core.Statement, facts: Facts) -> core.Statement:
    match statement:
        case core.Assign(op=core.Call(func=core.Var() as func, carried=()) as op):
            made = facts.value(statement, func).made
            carried = () if made is None else made.captured
            return replace(statement, op=replace(op, carried=carried)) if carried else statement
        case core.If():
            then, orelse = _block(statement.then, facts), _block(statement.orelse, facts)
            same = then is statement.then and orelse is statement.orelse
            return statement if same else replace(statement, then=then, orelse=orelse)
        case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
            body = _block(statement.body, facts)
            return statement if body is statement.body else replace(statement, body=body)
    return statement
