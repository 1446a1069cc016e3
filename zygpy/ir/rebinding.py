"""How often a function binds its variables, in a tree of `ast` or of `gast`.

The function that has a variable, and those inside that take it, are looked at apart, one perhaps in the text
that was generated of it: both have to come to the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

FUNCTIONS = ("FunctionDef", "AsyncFunctionDef", "Lambda")
LOOPS = ("For", "AsyncFor", "While")
BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


def times_bound(statements: Iterable[Any], given: frozenset[int] = frozenset()) -> Counter[str]:
    """How often a run through statements binds each name, at most; what a loop binds counts twice.

    Of two branches only one is run, so that `x = a if c else b` binds as often as the same in two branches.
    Names whose nodes are `given`, by id, are left out.

    >>> import ast
    >>> text = "x = 1\\nif x: y = z = 2\\nelse: y = 3\\nfor i in x: w = 1"
    >>> sorted(times_bound(ast.parse(text).body).items())
    [('i', 2), ('w', 2), ('x', 1), ('y', 1), ('z', 1)]
    """
    found: Counter[str] = Counter()
    for statement in statements:
        found += _in_statement(statement, given)
    return found


def _in_statement(statement: Any, given: frozenset[int]) -> Counter[str]:
    kind = type(statement).__name__
    if kind in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
        return Counter([statement.name, *bound_by(run_where_it_stands(statement), given)])
    if kind == "Match":
        return _in_cases(statement, given)
    parts = [getattr(statement, block, None) for block in BLOCKS]
    blocks = [times_bound(part, given) for part in parts if isinstance(part, list)]
    head = Counter([*named(statement), *bound_by(heads_of(statement), given)])
    if kind == "If":
        then, orelse = blocks
        return head + (then | orelse)
    total = head
    for block in blocks:
        total = total + block
    return total + total if kind in LOOPS else total


def _in_cases(match: Any, given: frozenset[int]) -> Counter[str]:
    most: Counter[str] = Counter()
    for case in match.cases:
        most |= _in_statement(case, given)
    return most + Counter(bound_by([match.subject], given))


def run_where_it_stands(definition: Any) -> list[Any]:
    """What of a definition runs where it stands."""
    arguments = getattr(definition, "args", None)
    defaults = [] if arguments is None else [*arguments.defaults, *arguments.kw_defaults]
    return [*definition.decorator_list, *defaults, *getattr(definition, "bases", ())]


def heads_of(statement: Any) -> list[Any]:
    """The parts of a statement that are no statements themselves."""
    fields = (name for name in statement._fields if name not in BLOCKS)
    return [getattr(statement, name, None) for name in fields]


def bound_by(roots: list[Any], given: frozenset[int] = frozenset()) -> list[str]:
    """The names that expressions, targets and patterns bind in the function that they stand in."""
    found: list[str] = []
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif hasattr(node, "_fields") and id(node) not in given:
            found += named(node)
            waiting.extend(_below(node))
    return found


def named(node: Any) -> list[str]:
    """The names that a node itself binds."""
    kind = type(node).__name__
    if kind == "Name":
        return [] if type(node.ctx).__name__ == "Load" else [node.id]
    name = getattr(node, "asname", None) or getattr(node, "name", None) or getattr(node, "rest", None)
    patterns = ("MatchAs", "MatchStar", "MatchMapping", "ExceptHandler", "alias")
    return [name] if kind in patterns and isinstance(name, str) else []


def _below(node: Any) -> list[Any]:
    """The parts of a node that are in the same function; of a comprehension what may hold a walrus."""
    if type(node).__name__ == "Lambda":
        return [*node.args.defaults, *node.args.kw_defaults]
    if hasattr(node, "generators"):
        return [part for part in _parts(node) if type(part).__name__ == "NamedExpr"]
    return [getattr(node, name, None) for name in node._fields]


def _parts(node: Any) -> list[Any]:
    found, waiting = [], [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif hasattr(part, "_fields"):
            found.append(part)
            waiting.extend(getattr(part, name, None) for name in part._fields)
    return found
