"""The gradient of a function as one function: the forward of a pair with the adjoint behind it.

What the one stashes for the other are variables here, so that it is known of each whether it has a tangent.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeAlias
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
from zygpy.where_made import positions

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
    ends = _ends(forward.body)
    if ends is None or len(ends) > MOST_ENDS:
        return None
    cells = {**bound_names(pair.forward), **bound_names(pair.adjoint)}
    names = Names(
        {FILLER} | {node.id for node in ast.walk(forward) if isinstance(node, ast.Name)} | cells.keys()
    )
    names.taken |= {node.id for node in ast.walk(adjoint) if isinstance(node, ast.Name)}
    names.taken |= {
        node.arg for tree in (forward, adjoint) for node in ast.walk(tree) if isinstance(node, ast.arg)
    }
    body = forward.body
    if not _asks_for_none(adjoint):
        body = _with_fillers(body, pair)
        cells[FILLER] = ABSENT
    stash, seed = (arg.arg for arg in adjoint.args.args)
    own = _stores(body) + Counter(node.arg for node in ast.walk(forward.args) if isinstance(node, ast.arg))

    def behind(end: ast.Return, holds: dict[str, bool]) -> list[ast.stmt]:
        kept = {name: taken for name, taken in holds.items() if own[name] == 1}
        return _behind(end, adjoint.body, (stash, seed), names, kept)

    whole_body = _with_adjoints(body, behind, {})
    base = pair.forward.__name__.removesuffix("_forward")
    name = names.fresh(f"{base}_gradient")
    whole = ast.FunctionDef(name, forward.args, whole_body, [])
    made = positions([whole])
    text = Text(ast.unparse(ast.fix_missing_locations(whole)) + "\n", {}, made=made)
    origin = Origin(pair.forward.__code__.co_filename, base)
    cells = {key: value for key, value in cells.items() if key != name}
    function = load(text, [name], cells, pair.forward.__globals__, generated_file(name), origin)[name]
    if ends == forward.body[-1:]:
        SEEDS[function.__code__] = seed
    return is_deeper(function)


MOST_ENDS = 3
"""So many places at which a forward may return: behind each of them the adjoint is written once more."""


def _ends(body: list[ast.stmt]) -> list[ast.Return] | None:
    """The statements by which a forward returns a value and a stash; None where one is in a loop."""
    found: list[ast.Return] = []
    for statement in body:
        if isinstance(statement, ast.If):
            for block in (statement.body, statement.orelse):
                inside = _ends(block)
                if inside is None:
                    return None
                found += inside
        elif isinstance(statement, ast.Return):
            if not (isinstance(statement.value, ast.Tuple) and len(statement.value.elts) == 2):
                return None
            found.append(statement)
        elif any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            return None
    return found


Ended: TypeAlias = "Callable[[ast.Return, dict[str, bool]], list[ast.stmt]]"


def _with_adjoints(body: list[ast.stmt], behind: Ended, holds: dict[str, bool]) -> list[ast.stmt]:
    """The statements of a forward with the adjoint in place of each that returns; `holds` has the variables
    of which it is known there whether they are true."""
    made: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Return):
            made += behind(statement, holds)
        elif isinstance(statement, ast.If):
            name = statement.test.id if isinstance(statement.test, ast.Name) else ""
            blocks = [
                _with_adjoints(block, behind, {**holds, name: taken})
                for block, taken in ((statement.body, True), (statement.orelse, False))
            ]
            made.append(ast.If(statement.test, *blocks))
            if isinstance(statement.body[-1], ast.Return):
                holds = {**holds, name: False}
        else:
            made.append(statement)
    return made


def _behind(
    end: ast.Return, adjoint: list[ast.stmt], given: tuple[str, str], names: Names, holds: dict[str, bool]
) -> list[ast.stmt]:
    """The adjoint behind one end of the forward, of which it is known what it stashes."""
    stash, seed = given
    assert isinstance(end.value, ast.Tuple)
    adjoint = copy.deepcopy(adjoint)
    value, stashed = end.value.elts
    evaluated = [] if isinstance(value, ast.Name | ast.Constant) else [_assign(names.fresh("y"), value)]
    handed_on = _handed_on(adjoint, stash, stashed, names)
    rest = adjoint[1:] if _takes_apart(adjoint, stash) else adjoint
    rest = _Followed(adjoint, stash, stashed, holds).block(rest)
    return [*evaluated, *handed_on, _assign(seed, ast.Constant(1.0)), *_with_seed(rest, seed)]


def _stores(body: list[ast.stmt]) -> Counter[str]:
    """How often each variable is bound."""
    found = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name))
    return Counter(node.id for node in found if not isinstance(node.ctx, ast.Load))


class _Followed:
    """An adjoint behind an end of which it is known what branches stash: what is done of the branches there.

    >>> body = ast.parse("if b is not None:\\n    x, c = b\\n    if c is None:\\n        y = x").body
    >>> stashed = ast.parse("(1.0, None)", mode="eval").body
    >>> for statement in _Followed(body, "b", stashed, {}).block(body):
    ...     print(ast.unparse(statement))
    x, c = b
    y = x
    """

    def __init__(
        self, adjoint: list[ast.stmt], stash: str, stashed: ast.expr, holds: dict[str, bool]
    ) -> None:
        self.bound, self.holds = _stores(adjoint), holds
        self.known: dict[str, ast.expr] = {}
        self._note(ast.Name(stash, ast.Store()), stashed)
        self._unpacked(adjoint[0])

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            if not isinstance(statement, ast.If):
                self._unpacked(statement)
                made.append(statement)
                continue
            taken = self._is_taken(statement.test)
            if taken is None:
                made.append(statement)
            else:
                made += self.block(statement.body if taken else statement.orelse)
        return made

    def _unpacked(self, statement: ast.stmt) -> None:
        """A statement that takes apart what is known."""
        match statement:
            case ast.Assign([ast.Tuple(targets)], ast.Name(name)):
                value = self.known.get(name)
                if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
                    for target, item in zip(targets, value.elts, strict=True):
                        self._note(target, item)

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and self.bound[target.id] <= 1:
            self.known[target.id] = value

    def _is_taken(self, test: ast.expr) -> bool | None:
        """What a condition is, such as `branch is not None`, where that is known."""
        match test:
            case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as op], [ast.Constant(None)]):
                value = self.known.get(name)
                if isinstance(value, ast.Tuple) or (isinstance(value, ast.Constant) and value.value is None):
                    return isinstance(value, ast.Tuple) is isinstance(op, ast.IsNot)
            case ast.Name(name):
                value = self.known.get(name)
                return self.holds.get(value.id) if isinstance(value, ast.Name) else None
        return None


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
