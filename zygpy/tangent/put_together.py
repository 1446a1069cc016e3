"""Tangents of cotangents that are put together part by part: each part is stored where it can be, instead of
added to zeros, and two for one place are one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from zygpy.ir.nodes import constant, gast, names_in
from zygpy.simplify.trees import Block, Node, assigned_name, changed, times_bound
from zygpy.tangent.common_factors import Multiples
from zygpy.tangent.known import Known
from zygpy.tangent.shared_parts import share_parts


def put_together(function: Node, seed: str, real: frozenset[str]) -> Node:
    """The function with fewer passes over arrays behind the assignment of the seed; `real` are the variables
    that never hold anything but arrays of doubles.

    Ensures: numbers are what they were but for rounding, and the sign of zeros; nothing is raised, and no nan
    comes up, that was not before.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> text = "y_bar = 1.0; t = 200.0 * a; d = np.zeros(s); d[1:] += b; c = 2.0 * (b * t); d[1:] -= c"
    >>> function = quote("def g(a, b, s):\\n    $body", body=quote(text + "; return d"))[0]
    >>> print(ast.unparse(to_python_ast(put_together(function, "y_bar", frozenset("abct")))))
    def g(a, b, s):
        y_bar = 1.0
        d = np.zeros(s)
        c = 400.0 * (b * a)
        d[1:] = b - c
        return d
    """
    function = share_parts(function, real)
    places = [place for place, statement in enumerate(function.body) if assigned_name(statement) == seed]
    if len(places) != 1:
        return function
    front, behind = function.body[: places[0] + 1], function.body[places[0] + 1 :]
    known = Known.of(function, real)
    behind = _parts(_Factors(function, known).block(behind), known)
    function = changed(function, body=[*front, *behind])
    return changed(function, body=[*front, *Multiples(function, known).block(behind)])


# --------------------------------------------------------------------------------------------- parts


@dataclass
class _Part:
    """What was stored last in an array of zeros: where that stands among the statements, and of what."""

    place: int
    index: str
    value: Node


@dataclass
class _Lines:
    """The statements so far, the arrays that have nothing but zeros as yet, and what was stored last."""

    done: list[Node | None] = field(default_factory=list)
    zeros: set[str] = field(default_factory=set)
    parts: dict[str, _Part] = field(default_factory=dict)

    def assigned(self, name: str) -> None:
        """A variable is bound anew: what mentions it stays where it is."""
        for array, part in list(self.parts.items()):
            if name in names_in(part.value):
                del self.parts[array]


def _parts(block: Block, known: Known) -> Block:
    """The statements with parts stored, and two that are added to the same place as one."""
    lines = _Lines()
    for statement in block:
        array = known.stored(statement)
        if array is not None:
            _store(statement, array, lines)
            continue
        name = assigned_name(statement)
        if name is None or not known.is_quiet(statement):
            lines.parts.clear()
            lines.zeros.difference_update(names_in(statement))  # it may write to them
        elif name in known.gathered:
            lines.zeros.add(name)
        else:
            lines.assigned(name)
        lines.done.append(statement)
    return [statement for statement in lines.done if statement is not None]


def _store(statement: Node, array: str, lines: _Lines) -> None:
    """Add a statement that stores in, or adds to, a part of an array."""
    last = lines.parts.pop(array, None)
    first = array in lines.zeros
    lines.zeros.discard(array)
    value = _stored_value(statement, last, first)
    if value is None:
        lines.done.append(statement)
        return
    if last is not None:
        lines.done[last.place] = None
    target = statement.target
    lines.parts[array] = _Part(len(lines.done), _spelled(target.slice), value)
    lines.done.append(gast.copy_location(gast.Assign([target], value, None), statement))


def _stored_value(statement: Node, last: _Part | None, first: bool) -> Node | None:
    """What a part of an array is after a statement, if that is known: it was zero, or is what was stored."""
    if not isinstance(statement, gast.AugAssign):
        return None
    if first:
        return statement.value if isinstance(statement.op, gast.Add) else None
    target: Node = statement.target
    plain = isinstance(statement.op, gast.Add | gast.Sub)
    if last is None or last.index != _spelled(target.slice) or not plain:
        return None
    return gast.BinOp(last.value, statement.op, statement.value)


def _spelled(index: Node) -> str:
    return str(gast.dump(index))


# ------------------------------------------------------------------------------------------- factors


class _Factors:
    """`t = 200.0 * a` that is read once, in `2.0 * (b * t)`, becomes `400.0 * (b * a)`."""

    def __init__(self, function: Node, known: Known) -> None:
        self.known = known
        self.bound = times_bound(function)
        self.mentions = Counter(names_in(function.body))

    def block(self, block: Block) -> Block:
        """The statements with such factors in one."""
        waiting: dict[str, tuple[int, Node]] = {}
        done: list[Node | None] = []
        for statement in block:
            if not self.known.is_quiet(statement):
                waiting.clear()
            else:
                for name in [name for name in names_in(statement.value) if name in waiting]:
                    place, value = waiting.pop(name)
                    new = _multiplied(statement.value, name, value)
                    if new is not statement.value:
                        statement, done[place] = changed(statement, value=new), None
                self._assigned(assigned_name(statement), statement, waiting, len(done))
            done.append(statement)
        return [statement for statement in done if statement is not None]

    def _assigned(
        self, name: str | None, statement: Node, waiting: dict[str, tuple[int, Node]], place: int
    ) -> None:
        for other, (_, value) in list(waiting.items()):
            if name in (other, value.right.id):
                del waiting[other]
        if name is not None and self._is_multiple(name, statement.value):
            waiting[name] = place, statement.value

    def _is_multiple(self, name: str, value: Node) -> bool:
        """Whether a variable that is read once is an array times a number."""
        once = self.bound[name] == 1 and self.mentions[name] == 2
        match value:
            case gast.BinOp(left=gast.Constant(value=float()), op=gast.Mult(), right=gast.Name(id=array)):
                return once and array in self.known.real and name in self.known.real
        return False


def _multiplied(node: Node, name: str, multiple: Node) -> Node:
    """The expression with a number times the variable as one number times what that is a multiple of."""
    if not isinstance(node, gast.BinOp):
        return node
    match node:
        case gast.BinOp(left=gast.Constant(value=float(factor)), op=gast.Mult(), right=product):
            both = _one_factor(factor, multiple.left.value)
            rest = None if both is None else _without_factor(product, name, multiple.right)
            if rest is not None:
                return changed(node, left=constant(both), right=rest)
    left, right = _multiplied(node.left, name, multiple), _multiplied(node.right, name, multiple)
    same = left is node.left and right is node.right
    return node if same else changed(node, left=left, right=right)


def _without_factor(node: Node, name: str, array: Node) -> Node | None:
    """The variable, or a product with it, with the array in its place; None of anything else."""
    match node:
        case gast.Name(id=found) if found == name:
            return array
        case gast.BinOp(left=gast.Name(id=found), op=gast.Mult()) if found == name:
            return changed(node, left=array)
        case gast.BinOp(op=gast.Mult(), right=gast.Name(id=found)) if found == name:
            return changed(node, right=array)
    return None


def _one_factor(one: float, other: float) -> float | None:
    """The product of two numbers, unless it is out of what numbers usually are."""
    product = one * other
    return product if SMALLEST < abs(product) < 1.0 / SMALLEST else None


SMALLEST = 1e-100
