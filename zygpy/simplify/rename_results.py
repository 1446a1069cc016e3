"""`t_1 = []; ...; squares = t_1` is written `squares = []; ...`: what is built under a temporary name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from zygpy.ir.names import is_temporary
from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.evaluation import Variables
from zygpy.simplify.trees import MARKS, Block, Node, assigned_name, changed, map_blocks


def rename_results(function: Node, names: Variables) -> Node:
    """Give a temporary that is copied to a variable the variable's name from the start.

    Ensures: all mentions of the temporary are in the statements from its first assignment to the
    copy, and none of those mentions the variable, so that they are never both in use.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.evaluation import variables
    >>> import ast
    >>> text = "def f(x):\\n    t_1 = []\\n    t_1.append(x)\\n    y = t_1\\n    return y"
    >>> function = quote(text)[0]
    >>> print(ast.unparse(to_python_ast(rename_results(function, variables(function)))))
    def f(x):
        y = []
        y.append(x)
        return y
    """
    if not any(_result(node) is not None for node in nodes(function.body)):
        return function
    mentions = Counter(names_in(function.body))
    free = names.steady - names.hidden

    def block(statements: Block) -> Block:
        lines = list(statements)
        first: dict[str, int] = {}
        place = 0
        while place < len(lines):
            statement = lines[place]
            name = assigned_name(statement)
            start = _start(statement, first, free)
            if start is not None and _is_free(lines[start:place], statement, mentions):
                found = {statement.value.id: name}.get
                lines[start : place + 1] = [_renamed(line, found) for line in lines[start:place]]
                first = {old: begin for old, begin in first.items() if begin < start}
                place -= 1
                continue
            if name is not None and is_temporary(name):
                first.setdefault(name, place)
            place += 1
        # Of a `try` that fails, the variable must not have what was being built.
        return [line if isinstance(line, gast.Try) else map_blocks(line, block) for line in lines]

    return changed(function, body=block(function.body))


def _result(statement: Node) -> str | None:
    """The temporary that a statement copies to a variable."""
    name = assigned_name(statement)
    if name is None or is_temporary(name) or not isinstance(statement.value, gast.Name):
        return None
    return statement.value.id if is_temporary(statement.value.id) else None


def _start(copy: Node, first: dict[str, int], free: frozenset[str]) -> int | None:
    """Where the temporary that is copied is first assigned, if both names may be renamed."""
    temporary = _result(copy)
    if temporary is None or not {temporary, assigned_name(copy)} <= free:
        return None
    return first.get(temporary)


def _is_free(lines: Block, copy: Node, mentions: Counter[str]) -> bool:
    inside = Counter(names_in(lines))
    temporary = copy.value.id
    return inside[temporary] == mentions[temporary] - 1 and not inside[assigned_name(copy) or ""]


def _renamed(node: Node, found: Callable[[str], str | None]) -> Node:
    if isinstance(node, gast.Name):
        new = found(node.id)
        return node if new is None else changed(node, id=new)
    fields = {field: _renamed_field(getattr(node, field, None), found) for field in node._fields}
    return changed(node, **fields)


def _renamed_field(value: object, found: Callable[[str], str | None]) -> object:
    if isinstance(value, list):
        return [_renamed_field(item, found) for item in value]
    if isinstance(value, gast.AST) and not isinstance(value, MARKS):
        return _renamed(value, found)
    return value
