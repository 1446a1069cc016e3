"""Functions that a program makes and never reads: their calls are calls of their pairs."""

from __future__ import annotations

from zygpy.ir.nodes import gast, nodes
from zygpy.simplify.trees import Block, Node, assigned_name, map_blocks


def drop_unread_functions(function: gast.FunctionDef) -> gast.FunctionDef:
    """The function without the functions inside it that it does not read.

    >>> import ast
    >>> from zygpy.ir.nodes import parse_text, to_python_ast
    >>> tree = parse_text('''
    ... def f_forward(x):
    ...     def g(z):
    ...         return z * x
    ...     h = lambda z: z
    ...     return g_forward(x, h)
    ... ''')
    >>> print(ast.unparse(to_python_ast(drop_unread_functions(tree.body[0]))))
    def f_forward(x):
        h = lambda z: z
        return g_forward(x, h)
    """
    made = {name for statement in nodes(function.body) if (name := _made(statement)) is not None}
    unread = made and made - {name for node in nodes(function.body) for name in _needed(node)}
    if not unread:
        return function

    def block(statements: Block) -> Block:
        kept = [statement for statement in statements if _made(statement) not in unread]
        return [map_blocks(statement, block) for statement in kept] or [gast.Pass()]

    result: gast.FunctionDef = map_blocks(function, block)
    return result


def _needed(node: Node) -> list[str]:
    """The names that a node reads, deletes, or says to be others' variables."""
    if isinstance(node, gast.Global | gast.Nonlocal):
        return list(node.names)
    return [node.id] if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load | gast.Del) else []


def _made(statement: Node) -> str | None:
    """The name to which a statement gives a new function, if it does nothing else."""
    if isinstance(statement, gast.FunctionDef):
        args = statement.args
        plain = not (statement.decorator_list or args.defaults or any(args.kw_defaults))
        return str(statement.name) if plain else None
    if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Lambda):
        args = statement.value.args
        return None if args.defaults or any(args.kw_defaults) else assigned_name(statement)
    return None
