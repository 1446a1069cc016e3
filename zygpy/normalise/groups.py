"""`except*`: the parts of a group of exceptions are taken out of it clause by clause."""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, name, nodes, quote
from zygpy.normalise.trees import at, changed, rewrite


def spell_groups(tree: Any, names: Names) -> Any:
    """The function with each `except*` as a `try` with one handler.

    Ensures: no `TryStar` is left; helpers are the names `helper:...`, builtins `builtin:...`.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     try:
    ...         g(x)
    ...     except* KeyError as group:
    ...         h(group)
    ... ''').body[0]
    >>> print(ast.unparse(to_python_ast(spell_groups(tree, Names()))))
    def f(x):
        left = None
        try:
            g(x)
        except builtin:BaseException as error:
            part, rest = helper:taken_from(error, KeyError)
            ended = None
            again = False
            if part is not None:
                group = part
                try:
                    h(group)
                except builtin:BaseException as failed:
                    ended = failed
                group = None
                del group
            left = helper:left_over(error, rest, (ended,), (again,))
        if left is not None:
            raise left
    """
    return rewrite(tree, lambda node: _spelled(node, names) if isinstance(node, gast.TryStar) else None)


def _spelled(node: Any, names: Names) -> list[Any]:
    left, error = names.fresh("left"), names.fresh("error")
    clauses = [_Clause(clause, names) for clause in node.handlers]
    before = [error, *[clause.rest for clause in clauses]]
    handling = [
        line for clause, rest in zip(clauses, before, strict=False) for line in clause.statements(rest)
    ]
    reset, attempt, raising = quote(
        HANDLED,
        at=node,
        left=left,
        error=error,
        body=node.body,
        everything=EVERYTHING,
        handling=handling,
        left_over="helper:left_over",
        rest=before[-1],
        ended=_tuple([clause.ended for clause in clauses], node),
        again=_tuple([clause.again for clause in clauses], node),
    )
    whole = [reset, changed(attempt, orelse=node.orelse), raising]
    return [at(node, gast.Try(whole, [], [], node.finalbody))] if node.finalbody else whole


EVERYTHING = "builtin:BaseException"

HANDLED = """
$left = None
try:
    $body
except $everything as $error:
    $handling
    $left = $left_over($error, $rest, $ended, $again)
if $left is not None:
    raise $left
"""
TAKEN = """
$part, $left = $taken_from($rest, $kinds)
$ended = None
$again = False
if $part is not None:
    $handler
"""
KEPT = """
try:
    $body
except $everything as $failed:
    $ended = $failed
"""


def _tuple(variables: list[str], node: Any) -> Any:
    return at(node, gast.Tuple([name(each, at=node) for each in variables], gast.Load()))


class _Clause:
    """One `except* kinds as variable`, and the variables that tell what it left and how it ended."""

    def __init__(self, clause: Any, names: Names) -> None:
        self.clause = clause
        self.part, self.rest = names.fresh("part"), names.fresh("rest")
        self.ended, self.again, self.failed = (
            names.fresh("ended"),
            names.fresh("again"),
            names.fresh("failed"),
        )

    def statements(self, rest: str) -> list[Any]:
        """What the clause does about what is left of the exception."""
        return quote(
            TAKEN,
            at=self.clause,
            part=self.part,
            left=self.rest,
            taken_from="helper:taken_from",
            rest=rest,
            kinds=self.clause.type,
            ended=self.ended,
            again=self.again,
            handler=self.handler(),
        )

    def handler(self) -> list[Any]:
        """The body of the clause, whose exception is kept."""
        clause = self.clause
        kept = quote(
            KEPT,
            at=clause,
            body=self.telling(clause.body),
            everything=EVERYTHING,
            failed=self.failed,
            ended=self.ended,
        )
        if clause.name is None:
            return kept
        bound = quote("$e = $part", at=clause, e=clause.name.id, part=self.part)
        return [*bound, *kept, *quote("$e = None\ndel $e", at=clause, e=clause.name.id)]

    def telling(self, body: list[Any]) -> list[Any]:
        """The statements, in which a `raise` that raises the part once more says so."""
        inside = [clause for clause in nodes(body) if isinstance(clause, gast.ExceptHandler)]
        others = {id(node) for node in nodes(inside) if isinstance(node, gast.Raise)}

        def tell(node: gast.AST) -> list[Any] | None:
            if not isinstance(node, gast.Raise) or node.exc is not None or id(node) in others:
                return None
            return quote("$again = True\nraise $part", at=node, again=self.again, part=self.part)

        told: list[Any] = rewrite(gast.Module(body, []), tell).body
        return told
