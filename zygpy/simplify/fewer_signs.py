"""`t_bar = -s_bar; x_bar += t_bar * a` is written `x_bar -= s_bar * a`: signs go where they cost nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.effects import Effects, bound_names
from zygpy.simplify.signs import OPPOSITE, is_linear, without_sign
from zygpy.simplify.stashes import name_of
from zygpy.simplify.trees import Block, Node, assigned_name, changed, is_cotangent, map_blocks

DEPTH = 6
"""How many variables in a row change their sign at most."""

REACH = 48
"""How many statements behind the last reader of such a variable stands at most; keeps the pass linear."""


def with_fewer_signs(body: Block, effects: Effects, ours: Callable[[str], bool] = is_cotangent) -> Block:
    """Turn the sign of variables round whose readers can all do so for nothing, and that are `ours`.

    Ensures: the same numbers bit for bit, but for the signs of zeros, as `a + -b` is `a - b`, and a product
    or quotient with a factor of the other sign has the other sign. A variable that becomes another name of an
    object is used up before any object is changed.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.purity import Purity
    >>> body = quote("t_bar = -s / b; u_bar = t_bar * c; x += u_bar * d; y -= u_bar; z = t_bar * e + z")
    >>> for statement in with_fewer_signs(body, Effects(Purity(frozenset("sbcdexyz")), frozenset())):
    ...     print(ast.unparse(to_python_ast(statement)))
    t_bar = s / b
    u_bar = t_bar * c
    x -= u_bar * d
    y += u_bar
    z = z - t_bar * e
    """
    signs = _Signs(Counter(names_in(body)), effects, ours)
    turned = signs.block(body)
    return turned if signs.any_turned else body


@dataclass
class _Signs:
    """The pass; `mentions` are those in the whole adjoint, which stay as many."""

    mentions: Counter[str]
    effects: Effects
    ours: Callable[[str], bool]
    any_turned: bool = False

    def block(self, block: Block) -> Block:
        if not any(isinstance(node, gast.UnaryOp) for node in nodes(block)):
            return block
        lines = [map_blocks(statement, self.block) for statement in block]
        for place in range(len(lines)):
            statement = lines[place]  # as those in front have left it
            value = without_sign(statement.value) if assigned_name(statement) else None
            turned = None if value is None else self._turned(lines, place, value, DEPTH)
            if turned is not None:
                lines, self.any_turned = turned, True
        return lines

    def _turned(self, lines: Block, place: int, value: Node, depth: int) -> Block | None:
        """The lines with one variable's sign turned round, its value now being `value`."""
        name = assigned_name(lines[place])
        if name is None or not self.ours(name) or name in names_in(value) or not depth:
            return None
        left = self.mentions[name] - 1
        lines = [*lines[:place], changed(lines[place], value=value), *lines[place + 1 :]]
        looked_at = None if isinstance(value, gast.BinOp) else frozenset(names_in(value))
        for behind in range(place + 1, min(place + 1 + REACH, len(lines))):
            found = names_in(lines[behind]).count(name)
            turned = self._read(lines, behind, name, depth, looked_at) if found else None
            if found and turned is None:
                return None
            lines, left = turned or lines, left - found
            if left <= 0:
                return lines if left == 0 else None
            if looked_at is not None and self._changes(lines[behind], looked_at):
                return None
        return None

    def _changes(self, statement: Node, looked_at: frozenset[str]) -> bool:
        return self.effects.writes(statement) or not looked_at.isdisjoint(bound_names(statement))

    def _read(
        self, lines: Block, place: int, name: str, depth: int, looked_at: frozenset[str] | None
    ) -> Block | None:
        """The lines where the one at `place` reads the variable with the other sign."""
        statement = lines[place]
        if not isinstance(statement, gast.Assign | gast.AugAssign):
            return None
        if names_in(statement.value).count(name) != names_in(statement).count(name):  # it is bound anew
            return None
        if isinstance(statement.value, gast.Name) and looked_at is not None:
            return None
        if not self.effects.purity.is_pure(statement.value):  # its parts may change places
            return None
        new = _absorbed(statement, name)
        if new is not None:
            return [*lines[:place], new, *lines[place + 1 :]]
        alone = names_in(statement.value).count(name) == 1
        if alone and isinstance(statement, gast.Assign) and _is_factor(statement.value, name):
            return self._turned(lines, place, statement.value, depth - 1)
        return None


def _absorbed(statement: Node, name: str) -> Node | None:
    """The statement that reads a variable with the other sign and does what it did."""
    value = statement.value
    if names_in(value).count(name) > 1:
        sum_ = _sum_with_turned(value, name) if isinstance(statement, gast.Assign) else None
        return None if sum_ is None else changed(statement, value=sum_)
    positive = without_sign(value)
    if positive is not None and _is_factor(positive, name):
        return changed(statement, value=positive)
    if isinstance(statement, gast.AugAssign):
        turns = type(statement.op) in OPPOSITE and _is_factor(value, name)
        return changed(statement, op=OPPOSITE[type(statement.op)]()) if turns else None
    sum_ = _sum_with_turned(value, name)
    return None if sum_ is None else changed(statement, value=sum_)


def _sum_with_turned(value: Node, name: str) -> Node | None:
    """A sum of several that reads a variable with the other sign and gives what it did."""
    if not (isinstance(value, gast.BinOp) and type(value.op) in OPPOSITE):
        return None
    in_left, in_right = (names_in(side).count(name) for side in (value.left, value.right))
    if in_right > 1 or (in_right and not _is_factor(value.right, name)):
        return None
    if in_right:
        value = changed(value, op=OPPOSITE[type(value.op)]())
    if not in_left:
        return value
    if in_left == 1 and _is_factor(value.left, name):
        alone = isinstance(value.op, gast.Add) and not in_right
        return gast.BinOp(value.right, gast.Sub(), value.left) if alone else None
    left = _sum_with_turned(value.left, name)
    return None if left is None else changed(value, left=left)


def _is_factor(value: Node, name: str) -> bool:
    """Whether an expression changes its sign, and nothing else, with that of a variable."""
    if isinstance(value, gast.Name):
        return name_of(value) == name
    if isinstance(value, gast.UnaryOp):
        return isinstance(value.op, gast.USub) and _is_factor(value.operand, name)
    if isinstance(value, gast.BinOp):
        product = isinstance(value.op, gast.Mult | gast.Div | gast.MatMult)
        return product and (_is_factor(value.left, name) or _is_factor(value.right, name))
    return is_linear(value) and _is_factor(value.args[0], name)
