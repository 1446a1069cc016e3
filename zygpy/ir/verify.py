"""Checks that a program keeps the rules that `ir.core` states; run between passes in tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.ir import core
from zygpy.ir.names import is_temporary
from zygpy.ir.show import show_statement

OPERATORS = {
    core.Unary: frozenset({"-", "+", "~", "not"}),
    core.Binary: frozenset(["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"]),
    core.Compare: frozenset({"<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"}),
}
SCOPES = frozenset({"global", "captured", "builtin", "helper"})
ITERATORS = frozenset({"range", "zip", "enumerate", "reversed"})


class InvalidProgram(AssertionError):
    """A program breaks a rule of the core language: a mistake in the pass that made it."""


def verify(function: core.Function) -> None:
    """Raise `InvalidProgram` if the program breaks a rule stated in `ir.core`.

    >>> verify(core.Function("f", core.Params(), ()))
    Traceback (most recent call last):
    ...
    zygpy.ir.verify.InvalidProgram: f: the last statement is not a Return
    """
    try:
        _check_return(function)
        _check_blocks(function.body)
        for statement in core.walk(function.body):
            _check_statement(statement, function)
        _check_variables(function)
    except _Broken as broken:
        raise InvalidProgram(f"{function.name}: {broken}") from None


class _Broken(Exception):
    """What is wrong, without the name of the function."""


def _require(condition: bool, text: str, statement: Any = None) -> None:
    if not condition:
        where = (
            "" if statement is None else f" (line {statement.loc.line}: {show_statement_safely(statement)})"
        )
        raise _Broken(text + where)


def show_statement_safely(statement: Any) -> str:
    """A statement's first line, or its name where it is too broken to be shown."""
    try:
        return f"if {statement.test}" if isinstance(statement, core.If) else show_statement(statement)
    except (TypeError, AttributeError):
        return type(statement).__name__


def _check_return(function: core.Function) -> None:
    last = function.body[-1] if function.body else None
    _require(isinstance(last, core.Return), "the last statement is not a Return")
    returns = [statement for statement in core.walk(function.body) if isinstance(statement, core.Return)]
    _require(len(returns) == 1, "there is more than one Return", returns[0])


def _check_blocks(body: core.Block) -> None:
    """A Break is inside a loop, last on its path, and not inside a With."""
    waiting: list[tuple[core.Block, bool]] = [(body, False)]
    while waiting:
        block, may_break = waiting.pop()
        for position, statement in enumerate(block):
            last = position == len(block) - 1
            if isinstance(statement, core.Break):
                _require(may_break and last, "a Break is not the last thing on its path in a loop", statement)
            inside = isinstance(statement, core.For | core.Loop)
            inside = inside or (isinstance(statement, core.If) and may_break and last)
            waiting.extend((inner, inside) for inner in core.blocks(statement))


def _check_statement(statement: Any, function: core.Function) -> None:
    _require(isinstance(getattr(statement, "loc", None), core.Loc), f"{statement!r} has no place")
    for part in parts(statement):
        _check_part(part, statement, function)
    match statement:
        case core.Unpack(targets, star):
            _require(
                star is None or 0 <= star < len(targets), "the star is outside of the targets", statement
            )
        case core.WriteCell(name) | core.DelCell(name):
            _require(name in function.cells, f"{name} is not a cell", statement)
        case core.If(test):
            _require(isinstance(test, core.Var | core.Const), "the test is not an atom", statement)
        case core.AugmentName(_, op) | core.AugmentItem(_, _, op) | core.AugmentAttr(_, _, op):
            _require(op in OPERATORS[core.Binary], f"unknown operator {op!r}", statement)


def parts(node: Any) -> Iterator[Any]:
    """The atoms, operations, paths and the like of a statement, its blocks left out."""
    waiting = [getattr(node, field) for field in _fields(node)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif _is_part(part):
            yield part
            if not isinstance(part, core.Const):
                waiting.extend(getattr(part, field) for field in _fields(part))


def _fields(node: Any) -> list[str]:
    hidden = {"body", "then", "orelse", "loc", "node"}
    return [field for field in getattr(node, "__dataclass_fields__", ()) if field not in hidden]


def _is_part(part: Any) -> bool:
    return hasattr(part, "__dataclass_fields__") and not isinstance(part, core.Loc)


def _check_part(part: Any, statement: Any, function: core.Function) -> None:
    match part:
        case core.Var(name):
            start = isinstance(statement, core.WriteCell) and name in function.params.names
            _require(name not in function.cells or start, f"the cell {name} is used as a variable", statement)
        case core.ReadCell(name):
            _require(name in function.cells, f"{name} is not a cell", statement)
        case core.Path(names, scope):
            _require(bool(names) and scope in SCOPES, f"not a path: {part!r}", statement)
            if scope == "captured":
                _require(names[0] in function.captured, f"{names[0]} is not captured", statement)
        case core.Unary(op) | core.Binary(op) | core.Compare(op):
            _require(op in OPERATORS[type(part)], f"unknown operator {op!r}", statement)
        case core.Iterate(func):
            _require(func.names[0] in ITERATORS, f"{func.names[0]} is no Iterate", statement)


def _check_variables(function: core.Function) -> None:
    """Every variable that is read is assigned somewhere; a temporary, on the path before its use."""
    assigned = set(function.params.names)
    refuses = False
    for statement in core.walk(function.body):
        assigned.update(targets(statement))
        refuses = refuses or isinstance(statement, core.Refuse | core.DelName)
    for statement in core.walk(function.body):
        for name in targets(statement):
            _require(name not in function.cells, f"the cell {name} is assigned as a variable", statement)
        for name in reads(statement):
            known = name in assigned or (refuses and not is_temporary(name))
            _require(known, f"{name} is read and never assigned", statement)
    _check_temporaries(function)


def _check_temporaries(function: core.Function) -> None:
    waiting: list[tuple[core.Block, set[str]]] = [(function.body, set(function.params.names))]
    while waiting:
        block, defined = waiting.pop()
        for statement in block:
            for name in reads(statement):
                fine = not is_temporary(name) or name in defined
                _require(fine, f"{name} is read before it is assigned", statement)
            before = defined.union(targets(statement))
            waiting.extend((inner, set(before)) for inner in core.blocks(statement))
            defined |= _assigned_within(statement)


def _assigned_within(statement: core.Statement) -> set[str]:
    """What a statement, or a statement inside it, assigns."""
    return {name for inner in core.walk((statement,)) for name in targets(inner)}


def targets(statement: Any) -> list[str]:
    """The variables that a statement itself assigns.

    >>> targets(core.Unpack(("a", "b"), None, core.Var("x"), core.Loc(1, 0)))
    ['a', 'b']
    """
    match statement:
        case core.Assign(target):
            return [target]
        case core.Unpack(names):
            return list(names)
        case core.For(target):
            return _flat(target)
        case core.With(_, str(target)):
            return [target]
        case core.Attempt(str(failure)):
            return [failure]
    return []


def _flat(target: core.Target) -> list[str]:
    return [target] if isinstance(target, str) else [name for item in target for name in _flat(item)]


def reads(statement: Any) -> list[str]:
    """The variables that a statement itself reads; a function that it makes captures more."""
    found = [part.name for part in parts(statement) if isinstance(part, core.Var)]
    return found + ([statement.target] if isinstance(statement, core.AugmentName) else [])
