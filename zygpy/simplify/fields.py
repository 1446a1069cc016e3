"""What is taken out of the cotangent of a field or item and added to it again at once is only looked at."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.trees import Block, Node, assigned_name, changed, map_blocks


def without_putting_back(block: Block) -> Block:
    """The block with `v_bar = store.field(o, k)` for `v_bar = store.take_field(o, k)` followed by
    `store.add_to_field(o, k, v_bar)`, as the reverse of `o.k += v` has it; and without `x[i] = 0.0` and
    `x[i] += v_bar` behind `v_bar = x[i]`, as that of `x[i] += v` has it.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> body = quote("v = s.take_field(o, 'x'); w = -v; s.add_to_field(o, 'x', v); s.add_to_field(p, 'x', w)")
    >>> for statement in without_putting_back(body):
    ...     print(ast.unparse(to_python_ast(statement)))
    v = s.field(o, 'x')
    w = -v
    s.add_to_field(p, 'x', w)
    >>> body = quote("v = s.take_field(o, 'x'); v = -v; s.add_to_field(o, 'x', v)")
    >>> len(without_putting_back(body))
    3
    >>> body = quote("v = x[i]; x[i] = 0.0; x[i] += v; w = x[i]; x[i] = 0.0; x[j] += w")
    >>> for statement in without_putting_back(body):
    ...     print(ast.unparse(to_python_ast(statement)))
    v = x[i]
    w = x[i]
    x[i] = 0.0
    x[j] += w
    """
    result: Block = []
    left = list(block)
    while left:
        statement = left.pop(0)
        if _is_item_put_back(statement, *left[:2]):
            del left[:2]
        place = _place_of_return(statement, left)
        if place is not None:
            del left[place]
            func = changed(statement.value.func, attr="field")
            statement = changed(statement, value=changed(statement.value, func=func))
        result.append(map_blocks(statement, without_putting_back))
    return result


def _is_item_put_back(taken: Node, *behind: Node) -> bool:
    """Whether an item is read, cleared and set to what was read."""
    if len(behind) < 2 or assigned_name(taken) is None or not _is_item(getattr(taken, "value", None)):
        return False
    cleared, added = behind
    zero = isinstance(cleared, gast.Assign) and _text(cleared.value) == _text(gast.Constant(0.0, None))
    if not zero or not isinstance(added, gast.AugAssign) or not isinstance(added.op, gast.Add):
        return False
    items = [taken.value, cleared.targets[0], added.target]
    same = all(_is_item(item) and _parts(item) == _parts(taken.value) for item in items)
    return same and _text(added.value) == assigned_name(taken)


def _is_item(node: Any) -> bool:
    """Whether a node is `x[i]` for a variable, and a variable or literal."""
    simple = gast.Name | gast.Constant
    return (
        isinstance(node, gast.Subscript)
        and isinstance(node.value, gast.Name)
        and isinstance(node.slice, simple)
    )


def _parts(item: Any) -> list[object]:
    return [_text(item.value), _text(item.slice)]


def _place_of_return(taken: Node, behind: Block) -> int | None:
    """Where what a statement takes out of a field is added to it again, behind nothing but arithmetic."""
    if not (isinstance(taken, gast.Assign) and _is_call(taken.value, "take_field")):
        return None
    for place, statement in enumerate(behind):
        if _puts_back(taken, statement):
            return place
        name = assigned_name(statement) if isinstance(statement, gast.Assign) else None
        if name is None or name in names_in(taken) or _calls(statement):
            return None
    return None


def _calls(statement: Node) -> bool:
    return any(isinstance(node, gast.Call) for node in nodes(statement))


def _puts_back(taken: Node, added: Node) -> bool:
    """Whether a statement adds to a field just what the one before took out of it."""
    if not (isinstance(taken, gast.Assign) and isinstance(added, gast.Expr)):
        return False
    take: Any = taken.value
    add: Any = added.value
    if not (_is_call(take, "take_field") and _is_call(add, "add_to_field")):
        return False
    expected = [take.func.value, *take.args, *taken.targets]
    return [_text(node) for node in (add.func.value, *add.args)] == [_text(node) for node in expected]


def _is_call(node: Node, method: str) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == method


def _text(node: Node) -> object:
    """What tells names and literals apart; every other expression differs from all."""
    if isinstance(node, gast.Name):
        return node.id
    return (type(node.value), node.value) if isinstance(node, gast.Constant) else id(node)
