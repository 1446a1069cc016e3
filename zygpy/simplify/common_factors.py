"""`t_bar = y_bar / b; b_bar = -(y_bar / b * y)` is written `t_bar = y_bar / b; b_bar = -(t_bar * y)`."""

from __future__ import annotations

from zygpy.ir.nodes import gast, names_in
from zygpy.ir.nodes import name as name_node
from zygpy.simplify.effects import Effects, bound_names
from zygpy.simplify.trees import Block, Node, assigned_name, changed, is_cotangent, map_blocks

KNOWN = 16
"""How many quotients are remembered; keeps the pass linear."""


def share_factors(block: Block, effects: Effects) -> Block:
    """What a cotangent was just set to is not computed once more as a part of another expression.

    Ensures: between, nothing that the expression reads is assigned or changed, nor the cotangent; and what
    is shared is an operand of arithmetic, so that no two variables come to hold one object.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.purity import Purity
    >>> body = quote("t_bar = y / b; x = y / b * c; y += x; z = y / b * c")
    >>> for statement in share_factors(body, Effects(Purity(frozenset("xyzbc")), frozenset("xyz"))):
    ...     print(ast.unparse(to_python_ast(statement)))
    t_bar = y / b
    x = t_bar * c
    y += x
    z = y / b * c
    """
    known: dict[str, tuple[Node, str]] = {}
    done: Block = []
    for statement in block:
        new = map_blocks(statement, lambda inner: share_factors(inner, effects))
        if known and isinstance(new, gast.Assign | gast.AugAssign):
            value = _shared(new.value, known)
            new = new if value is new.value else changed(new, value=value)
        _forget(new, known, effects)
        name = assigned_name(new)
        if name is not None and is_cotangent(name) and _is_quotient(new.value, besides=name):
            known[_key(new.value)] = new.value, name
            if len(known) > KNOWN:
                del known[next(iter(known))]
        done.append(new)
    return done


def _forget(statement: Node, known: dict[str, tuple[Node, str]], effects: Effects) -> None:
    """Drop what is no longer so behind a statement."""
    if known and effects.writes(statement):
        known.clear()
    changing = set(bound_names(statement)) if known else set()
    for key, (value, name) in list(known.items()):
        if name in changing or not changing.isdisjoint(names_in(value)):
            del known[key]


def _is_quotient(value: Node, besides: str = "") -> bool:
    """Whether an expression is `a / b`: divisions take longest, and what is divided and the divisor both need
    the same one."""
    if not (isinstance(value, gast.BinOp) and isinstance(value.op, gast.Div)):
        return False
    return all(isinstance(side, gast.Name) and side.id != besides for side in (value.left, value.right))


def _shared(node: Node, known: dict[str, tuple[Node, str]]) -> Node:
    """The expression with the operands that are known already read from their variables."""
    if isinstance(node, gast.UnaryOp):
        return _with(node, known, "operand")
    return _with(node, known, "left", "right") if isinstance(node, gast.BinOp) else node


def _with(node: Node, known: dict[str, tuple[Node, str]], *fields: str) -> Node:
    fresh = {}
    for field in fields:
        part = getattr(node, field)
        found = known.get(_key(part)) if _is_quotient(part) else None
        new = _shared(part, known) if found is None else name_node(found[1])
        if new is not part:
            fresh[field] = new
    return changed(node, **fresh) if fresh else node


def _key(value: Node) -> str:
    return f"{value.left.id} / {value.right.id}"
