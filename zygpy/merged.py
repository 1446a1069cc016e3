"""The gradient of a function as one function: the forward of a pair with the adjoint behind it.

What the one stashes for the other are variables here, so that it is known of each whether it has a tangent.
"""

from __future__ import annotations

import ast
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from zygpy.ir.access import assigned_inside
from zygpy.ir.kinds import ABSENT, is_exact, is_real, is_scalar
from zygpy.ir.names import Names
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import Origin, load
from zygpy.load.spaces import bound_names
from zygpy.runtime.levels import is_deeper
from zygpy.units import Pair

SEEDS: WeakKeyDictionary[CodeType, str] = WeakKeyDictionary()
"""Of each such function the variable for the seed, at whose assignment the adjoint begins."""

WANTED: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
"""Which of the cotangents that a merged gradient gives are asked for."""


def merged_gradient(pair: Pair) -> FunctionType | None:
    """The function of a pair's parameters that gives all their cotangents for the seed 1; None where the pair
    does not consist of two plain functions of a number."""
    if "merged" not in pair.companions:
        pair.companions["merged"] = _merged(pair) if _is_plain(pair) else None
    function: FunctionType | None = pair.companions["merged"]
    return function


def _is_plain(pair: Pair) -> bool:
    kind = pair.result.kind
    plain = not (pair.identity or pair.writes or pair.carries or pair.followed)
    return plain and is_scalar(kind) and is_real(kind) and not is_exact(kind) and pair.single is None


def _merged(pair: Pair) -> FunctionType | None:
    forward, adjoint = ast.parse(pair.text.source).body
    assert isinstance(forward, ast.FunctionDef)
    assert isinstance(adjoint, ast.FunctionDef)
    *body, last = forward.body
    if any(isinstance(node, ast.Return) for statement in body for node in ast.walk(statement)):
        return None
    if not (isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple) and len(last.value.elts) == 2):
        return None
    cells = {**bound_names(pair.forward), **bound_names(pair.adjoint)}
    names = Names(
        {FILLER} | {node.id for node in ast.walk(forward) if isinstance(node, ast.Name)} | cells.keys()
    )
    names.taken |= {node.id for node in ast.walk(adjoint) if isinstance(node, ast.Name)}
    names.taken |= {
        node.arg for tree in (forward, adjoint) for node in ast.walk(tree) if isinstance(node, ast.arg)
    }
    if not _asks_for_none(adjoint):
        body = _with_fillers(body, pair)
        cells[FILLER] = ABSENT
    stash, seed = (arg.arg for arg in adjoint.args.args)
    value = last.value.elts[0]
    if not isinstance(value, ast.Name | ast.Constant):  # it may raise something
        body.append(_assign(names.fresh("y"), value))
    handed_on = [
        *_handed_on(adjoint.body, stash, last.value.elts[1], names),
        _assign(seed, ast.Constant(1.0)),
    ]
    base = pair.forward.__name__.removesuffix("_forward")
    name = names.fresh(f"{base}_gradient")
    rest = _with_seed(adjoint.body[1:] if _takes_apart(adjoint.body, stash) else adjoint.body, seed)
    whole = ast.FunctionDef(name, forward.args, [*body, *handed_on, *rest], [])
    text = Text(ast.unparse(ast.fix_missing_locations(whole)) + "\n", {})
    origin = Origin(pair.forward.__code__.co_filename, base)
    cells = {key: value for key, value in cells.items() if key != name}
    function = load(text, [name], cells, pair.forward.__globals__, generated_file(name), origin)[name]
    SEEDS[function.__code__] = seed
    return is_deeper(function)


def _with_seed(body: list[ast.stmt], seed: str) -> list[ast.stmt]:
    """The statements of an adjoint with the number 1.0 as a factor in place of the seed, if that keeps it."""
    bound = any(
        isinstance(node, ast.Name) and node.id == seed and not isinstance(node.ctx, ast.Load)
        for statement in body
        for node in ast.walk(statement)
    )
    return body if bound else [_Seeded(seed).visit(statement) for statement in body]


class _Seeded(ast.NodeTransformer):
    """Puts 1.0 in place of the seed in products and as an argument, and numbers in place of its multiples.

    >>> tree = ast.parse("x_bar = (y_bar * 100.0 * f(y_bar, x), y_bar)")
    >>> ast.unparse(_Seeded("y_bar").visit(tree))
    'x_bar = (100.0 * f(1.0, x), y_bar)'
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = self._number(node.left), self._number(node.right)
        if isinstance(node.op, ast.Mult) and type(left) is float and type(right) in (int, float):
            return ast.Constant(left * right)
        if isinstance(node.op, ast.Mult | ast.Div):
            node.left, node.right = self._seeded(node.left), self._seeded(node.right)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        node.args = [self._seeded(arg) for arg in node.args]
        return node

    def _number(self, node: ast.expr) -> Any:
        found = self._seeded(node)
        return found.value if isinstance(found, ast.Constant) else None

    def _seeded(self, node: ast.expr) -> ast.expr:
        return ast.Constant(1.0) if isinstance(node, ast.Name) and node.id == self.seed else node


FILLER = "absent"
"""The name of what is stashed by those branches where the adjoint reads nothing."""


def _asks_for_none(adjoint: ast.FunctionDef) -> bool:
    """Whether an adjoint asks of something whether it is None, as of the stash of a branch that may not have
    been taken."""
    return any(
        isinstance(node, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops)
        for node in ast.walk(adjoint)
    )


def _with_fillers(body: list[ast.stmt], pair: Pair) -> list[ast.stmt]:
    """The statements of a forward with `absent` in place of each None that stands for what is not stashed."""
    own = frozenset(pair.program.params.names) | assigned_inside(pair.program.body)
    filled = _Fillers(own)
    return [filled.visit(statement) for statement in body]


class _Fillers(ast.NodeTransformer):
    """None is stashed in the program's own variables only where the program says so."""

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id not in self.own:
            node.value = _filled(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "append" and len(node.args) == 1:
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id not in self.own:
                node.args = [_filled(node.args[0])]
        return node


def _filled(value: ast.expr) -> ast.expr:
    """What is stashed, with its fillers."""
    if isinstance(value, ast.Tuple):
        return ast.Tuple([_filled(item) for item in value.elts], ast.Load())
    if isinstance(value, ast.Constant) and value.value is None:
        return ast.Name(FILLER, ast.Load())
    return value


def _takes_apart(body: list[ast.stmt], stash: str) -> bool:
    """Whether an adjoint begins by taking the stash apart."""
    first = body[0]
    return isinstance(first, ast.Assign) and isinstance(first.value, ast.Name) and first.value.id == stash


def _handed_on(body: list[ast.stmt], stash: str, stashed: ast.expr, names: Names) -> list[ast.stmt]:
    """The assignments of what is stashed to the adjoint's variables, all at once."""
    first: Any = body[0]
    if not _takes_apart(body, stash):
        return [_assign(stash, stashed)]
    targets, values = _items(first.targets[0]), _items(stashed)
    if len(targets) != len(values) or not all(isinstance(target, ast.Name) for target in targets):
        return [_assign(stash, stashed), first]
    changing = [
        (target.id, value)
        for target, value in zip(targets, values, strict=True)
        if not (isinstance(value, ast.Name) and value.id == target.id)
    ]
    mentioned = [node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)]
    if not {target for target, _ in changing} & set(mentioned):
        return [_assign(target, value) for target, value in changing]
    between = [names.fresh(f"{target}_kept") for target, _ in changing]
    ahead = [_assign(name, value) for name, (_, value) in zip(between, changing, strict=True)]
    behind = [
        _assign(target, ast.Name(name, ast.Load()))
        for name, (target, _) in zip(between, changing, strict=True)
    ]
    return ahead + behind


def _items(tree: Any) -> list[Any]:
    return list(tree.elts) if isinstance(tree, ast.Tuple) else [tree]


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)
