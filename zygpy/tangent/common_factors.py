"""Sums of multiples of 2, in tangents of cotangents: multiplied once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from zygpy.ir.nodes import constant, gast, names_in
from zygpy.simplify.trees import Block, Node, assigned_name, changed, times_bound
from zygpy.tangent.known import Known


class Multiples:
    """`t = 2.0 * a` that is read once, in `t - 6.0 * b`, becomes `2.0 * (a - 3.0 * b)`.

    The factor is a power of two, so that nothing is rounded in another way.
    """

    def __init__(self, function: Node, known: Known) -> None:
        self.known = known
        bound = times_bound(function)
        mentions = Counter(names_in(function.body))
        self.once = {name for name in bound if bound[name] == 1 and mentions[name] == 2}

    def block(self, block: Block) -> Block:
        """The statements with such sums."""
        waiting: dict[str, tuple[int, Node]] = {}
        done: list[Node | None] = []
        for statement in block:
            if not self.known.is_quiet(statement):
                waiting.clear()
                done.append(statement)
                continue
            value = statement.value
            if self.known.is_real(value):
                values = {name: found for name, (_, found) in waiting.items()}
                new = _with_factor_in_front(value, values)
                for gone in _put_in(value, new, values):
                    done[waiting.pop(gone)[0]] = None
                statement = changed(statement, value=new) if new is not value else statement
            name = assigned_name(statement)
            for other in [other for other, (_, found) in waiting.items() if name in names_in(found)]:
                del waiting[other]
            if name is not None and name in self.once and self.known.is_real(statement.value):
                waiting[name] = len(done), statement.value
            done.append(statement)
        return [statement for statement in done if statement is not None]


def _put_in(old: Node, new: Node, values: Mapping[str, Node]) -> set[str]:
    """The variables whose values stand in the new expression in their place."""
    kept, found = set(names_in(new)), set[str]()
    waiting = [old] if new is not old else []
    while waiting:
        gone = (set(names_in(waiting.pop())) & values.keys()) - kept - found
        found |= gone
        waiting += [values[name] for name in sorted(gone)]
    return found


def _with_factor_in_front(node: Node, values: Mapping[str, Node]) -> Node:
    """A sum as a power of two times another one, where that saves a product; `values` are those of variables
    that are read nowhere else."""
    if not isinstance(node, gast.BinOp):
        return node
    if isinstance(node.op, gast.Add | gast.Sub):
        for factor in sorted(set(_factors(node, values)), key=abs, reverse=True):
            found = _divided(node, factor, values)
            if found is not None and found[1] > 1:
                return gast.BinOp(constant(factor), gast.Mult(), found[0])
    left, right = _with_factor_in_front(node.left, values), _with_factor_in_front(node.right, values)
    same = left is node.left and right is node.right
    return node if same else changed(node, left=left, right=right)


def _factors(node: Node, values: Mapping[str, Node]) -> Iterator[float]:
    """The powers of two that stand in front of the terms of a sum."""
    match node:
        case gast.Name(id=name) if name in values:
            yield from _factors(values[name], values)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
            yield from _factors(left, values)
            yield from _factors(right, values)
        case gast.BinOp(left=gast.Constant(value=float(value)), op=gast.Mult()):
            if value and abs(math.frexp(value)[0]) == 0.5 and 1.0 < value < LARGEST:
                yield value


LARGEST = 2.0**20


def _divided(node: Node, factor: float, values: Mapping[str, Node]) -> tuple[Node, int] | None:
    """A sum divided by a factor of its terms, and how many products that saves; None where there is a term
    without it."""
    match node:
        case gast.Name(id=name) if name in values:
            return _divided(values[name], factor, values)
        case gast.BinOp(left=gast.Constant(value=float(value)), op=gast.Mult(), right=right):
            if value == factor:
                return right, 1
            if not 1e-100 < abs(value) < 1e100:
                return None
            return changed(node, left=constant(value / factor)), 0
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
            first, second = _divided(left, factor, values), _divided(right, factor, values)
            if first is None or second is None:
                return None
            return changed(node, left=first[0], right=second[0]), first[1] + second[1]
    return None
