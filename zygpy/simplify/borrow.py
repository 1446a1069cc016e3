"""`t_bar = x_bar[1:].copy()` is written `t_bar = x_bar[1:]` where that is used up before anything changes."""

from __future__ import annotations

from collections import Counter

from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.effects import Effects, bound_names
from zygpy.simplify.stashes import name_of
from zygpy.simplify.trees import Block, Node, assigned_name, changed, is_cotangent, map_blocks

REACH = 48
"""How many statements behind the last reader of a copy stands at most; keeps the pass linear."""


def borrow(body: Block, effects: Effects) -> Block:
    """Leave out copies that nothing can tell from what they are copies of.

    Ensures: a variable loses its copy only if all its mentions are in the statements that follow at once,
    which compute something new from it; and if only the last of them may change an object. The variable
    itself is never changed. An operand of arithmetic needs no copy at all.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.purity import Purity
    >>> body = quote("t_bar = x[1:].copy(); y += t_bar @ b; s_bar = x[0].copy(); x[0] += c; y += s_bar * b")
    >>> for statement in borrow(body, Effects(Purity(frozenset("xybc")), frozenset("y"))):
    ...     print(ast.unparse(to_python_ast(statement)))
    t_bar = x[1:]
    y += t_bar @ b
    s_bar = x[0].copy()
    x[0] += c
    y += s_bar * b
    """
    if not any(_is_copy(node) for node in nodes(body)):
        return body
    return _borrowed(body, Counter(names_in(body)), effects)


def _borrowed(block: Block, mentions: Counter[str], effects: Effects) -> Block:
    lines = [map_blocks(statement, lambda inner: _borrowed(inner, mentions, effects)) for statement in block]
    for place, statement in enumerate(lines):
        if isinstance(statement, gast.Assign | gast.AugAssign) and effects.purity.is_pure(statement.value):
            lines[place] = statement = changed(statement, value=_with_bare_operands(statement.value))
        name = assigned_name(statement)
        if name is None or not is_cotangent(name):
            continue
        value = _without_copy(statement.value)
        behind = lines[place + 1 : place + 1 + REACH]
        if value is not None and _is_used_up(name, value, behind, mentions[name] - 1, effects):
            lines[place] = changed(statement, value=value)
    return lines


def _is_copy(node: Node) -> bool:
    """Whether an expression is `x[i].copy()`."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr == "copy"
        and isinstance(node.func.value, gast.Subscript)
        and not node.args
        and not node.keywords
    )


def _without_copy(value: Node) -> Node | None:
    """What a value is a copy of, which may be summed to a shape; None if it is no copy."""
    if _is_copy(value):
        inner: Node = value.func.value
        return inner
    function = value.func if isinstance(value, gast.Call) else None
    if name_of(function) == "unbroadcast" and _is_copy(value.args[0]):
        return changed(value, args=[value.args[0].func.value, *value.args[1:]])
    return None


def _with_bare_operands(value: Node) -> Node:
    """An expression of arithmetic whose operands are no copies."""
    if isinstance(value, gast.UnaryOp):
        return changed(value, operand=_bare_operand(value.operand))
    if isinstance(value, gast.BinOp):
        return changed(value, left=_bare_operand(value.left), right=_bare_operand(value.right))
    return value


def _bare_operand(operand: Node) -> Node:
    found = _without_copy(operand)
    return _with_bare_operands(operand) if found is None else found


def _is_used_up(name: str, value: Node, behind: Block, left: int, effects: Effects) -> bool:
    """Whether all `left` mentions of a name come before what its value looks at may have changed."""
    looked_at = set(names_in(value))
    for statement in behind:
        count = names_in(statement).count(name)
        if count and not _consumes(statement, name, effects):
            return False
        left -= count
        if left <= 0:
            return left == 0
        if effects.writes(statement) or not looked_at.isdisjoint(bound_names(statement)):
            return False
    return False


def _consumes(statement: Node, name: str, effects: Effects) -> bool:
    """Whether a statement makes something new of a variable's object, wherever it mentions that."""
    if not (isinstance(statement, gast.Assign | gast.AugAssign) and effects.purity.is_pure(statement.value)):
        return False
    target = statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]
    operands = [found for node in nodes(statement.value) for found in _operands(node)]
    inside = sum(name_of(operand) == name for operand in operands)
    return name not in names_in(target) and inside == names_in(statement.value).count(name)


def _operands(node: Node) -> list[Node]:
    """What arithmetic makes something new of."""
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    return [node.operand] if isinstance(node, gast.UnaryOp) else []
