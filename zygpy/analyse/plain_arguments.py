"""Unpacked arguments, spelled out: `f(*args, **kwargs)` where it is known how many and which there are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from inspect import CO_VARARGS
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.analyse.facts import Facts
from zygpy.analyse.outside import calls_functions_alone
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import MAXIMUM_ITEMS, Dict, Known, List, LocalFunction, Object, Row, Tuple, row_of
from zygpy.ir.names import Names
from zygpy.rules import declare
from zygpy.runtime.lookup import in_class

Calling: TypeAlias = core.Call | core.CallMethod

TUPLE = core.Path(("tuple",), "builtin")


def with_plain_arguments(program: core.Function, facts: Facts) -> core.Function:
    """The same program with `t = args[0]`, `u = kwargs["key"]`, `f(t, key=u)` for `f(*args, **kwargs)`, where
    the items of the tuple and the keys of the dict are known; the very same if there is none."""
    if not any(map(_unpacks, core.walk(program.body))):
        return program
    spelling = _Spelling(facts, Names(mentioned(program)))
    body = core.rewritten(program.body, spelling.statement)
    return replace(program, body=body) if spelling.found else program


def _unpacks(statement: core.Statement) -> bool:
    """Whether a statement is a call with unpacked arguments."""
    op = getattr(statement, "op", None)
    if not isinstance(op, core.Call | core.CallMethod):
        return False
    starred = any(isinstance(arg, core.Star) and not arg.whole for arg in op.args)
    return starred or any(map(_is_spread, op.keywords))


def _is_spread(keyword: core.Keyword) -> bool:
    return keyword.name is None and not keyword.whole


def _callee(facts: Facts, statement: core.Assign, op: Calling) -> Any:
    """What is called, if it is a function in Python, or a class that one in Python initialises; None of
    others, which have been looked at before their arguments are known."""
    if isinstance(op, core.CallMethod):
        kind = facts.value(statement, op.value).kind
        callee = in_class(kind.cls, op.name) if isinstance(kind, Object) else None
    elif isinstance(op.func, core.Var):
        callee = _function(facts.value(statement, op.func))
    else:
        callee = facts.objects.get(op.func.names)
    in_python = isinstance(callee, FunctionType | staticmethod | classmethod) or _is_initialised(callee)
    return callee if in_python and declare.find(callee) is None else None


def _is_initialised(cls: Any) -> bool:
    """Whether something is a class of which a call does nothing but initialise an object, in Python."""
    new: Any = getattr(cls, "__new__", None)
    plain = type(cls) is type and new is object.__new__
    return plain and isinstance(in_class(cls, "__init__"), FunctionType)


def _takes_as_rest(callee: Any, op: Calling) -> bool:
    """Whether what a call gives in the end, unpacked, is all of what the callee has as its `*args`."""
    function = in_class(callee, "__init__") if isinstance(callee, type) else callee
    bound = isinstance(callee, type | classmethod) or (
        isinstance(op, core.CallMethod) and not isinstance(callee, staticmethod)
    )
    function = function.__func__ if isinstance(function, staticmethod | classmethod) else function
    code = function.__code__
    if not code.co_flags & CO_VARARGS or hasattr(function, "__wrapped__"):
        return False
    *before, last = op.args or (None,)
    starred = [arg for arg in op.args if isinstance(arg, core.Star)]
    return starred == [last] and len(before) + bound == code.co_argcount


def _function(value: Value) -> Any:
    """What a variable's value calls, if that is known."""
    if value.made is not None:
        return _function
    if isinstance(value.kind, LocalFunction) and not value.kind.partial:
        return value.kind.function if calls_functions_alone(value.kind) else None
    return value.kind.value if isinstance(value.kind, Known) else None


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    found: list[core.Statement] = field(default_factory=list)

    def statement(self, statement: core.Statement) -> core.Block:
        if not _unpacks(statement):
            return (statement,)
        assert isinstance(statement, core.Assign)
        assert isinstance(statement.op, core.Call | core.CallMethod)
        callee = _callee(self.facts, statement, statement.op)
        if callee is None:
            return (statement,)
        before: list[core.Statement] = []
        args = tuple(new for arg in statement.op.args for new in self._positional(statement, arg, before))
        if args == statement.op.args and _takes_as_rest(callee, statement.op):
            args = (*args[:-1], self._rest(statement, args[-1], before))
        keywords = tuple(new for key in statement.op.keywords for new in self._named(statement, key, before))
        if (args, keywords) == (statement.op.args, statement.op.keywords) or _is_double(keywords):
            return (statement,)
        self.found.append(statement)
        return (*before, replace(statement, op=replace(statement.op, args=args, keywords=keywords)))

    def _positional(
        self, statement: core.Assign, arg: core.Atom | core.Star, before: list[core.Statement]
    ) -> list[core.Atom | core.Star]:
        kind = self.facts.value(statement, arg.value).kind if isinstance(arg, core.Star) else None
        if not isinstance(arg, core.Star) or not isinstance(kind, Tuple) or kind.cls is not None:
            return [arg]
        if len(kind.items) > MAXIMUM_ITEMS:
            return [arg]
        return [self._item(statement, arg.value, place, before) for place in range(len(kind.items))]

    def _rest(
        self, statement: core.Assign, arg: core.Atom | core.Star, before: list[core.Statement]
    ) -> core.Atom | core.Star:
        """An unpacked list or tuple of any length, as a tuple; if nothing would be known of that, it stays
        as it is."""
        assert isinstance(arg, core.Star)
        kind = self.facts.value(statement, arg.value).kind
        if isinstance(kind, Row):
            return replace(arg, whole=True)
        if not isinstance(kind, List) or not isinstance(row_of(kind.element), Row):
            return arg
        name = self.names.temporary()
        before.append(core.Assign(name, core.Call(TUPLE, (arg.value,)), statement.loc))
        return core.Star(core.Var(name), whole=True)

    def _named(
        self, statement: core.Assign, keyword: core.Keyword, before: list[core.Statement]
    ) -> list[core.Keyword]:
        kind = None if not _is_spread(keyword) else self.facts.value(statement, keyword.value).kind
        if not isinstance(kind, Dict) or kind.items is None or not _are_names(kind):
            return [keyword]
        keys = [str(key) for key, _ in kind.items]
        return [core.Keyword(key, self._item(statement, keyword.value, key, before)) for key in keys]

    def _item(
        self, statement: core.Assign, holder: core.Atom, key: int | str, before: list[core.Statement]
    ) -> core.Var:
        name = self.names.temporary()
        before.append(core.Assign(name, core.GetItem(holder, core.Const(key)), statement.loc))
        return core.Var(name)


def _are_names(kind: Dict) -> bool:
    return all(isinstance(key, str) for key, _ in kind.items or ())


def _is_double(keywords: tuple[core.Keyword, ...]) -> bool:
    """Whether a keyword would be given twice, which Python refuses when the call is made."""
    names = [keyword.name for keyword in keywords if keyword.name is not None]
    return len(set(names)) < len(names)
