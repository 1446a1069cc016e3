"""What is known of the variables of a function that puts tangents of cotangents together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from zygpy.ir.nodes import argument_list, assigned_names, gast, names_in, nodes, parameter_name
from zygpy.simplify.purity import Purity, original, path_of
from zygpy.simplify.trees import Node, assigned_name, times_bound
from zygpy.tangent.array_code import UFUNCS


def _parameters(function: Node) -> frozenset[str]:
    return frozenset(parameter_name(parameter) for parameter in argument_list(function.args))


def _gathered(function: Node) -> frozenset[str]:
    """The variables that hold zeros, made for them, which are written to and returned, and nothing else."""
    bound = times_bound(function)
    made = {
        assigned_name(statement)
        for statement in function.body
        if isinstance(statement, gast.Assign) and _is_zeros(statement.value)
    }
    mentions = Counter(names_in(function.body))
    written = Counter(
        node.value.id
        for node in nodes(function.body)
        if isinstance(node, gast.Subscript)
        and isinstance(node.ctx, gast.Store)
        and isinstance(node.value, gast.Name)
    )
    returned = Counter(names_in(function.body[-1]))
    return frozenset(
        name
        for name in made
        if name is not None
        and bound[name] == 1
        and mentions[name] == 1 + written[name] + returned[name]
        and isinstance(function.body[-1], gast.Return)
    )


def _is_zeros(value: Node) -> bool:
    path = path_of(value.func) if isinstance(value, gast.Call) else ()
    plain = len(path) == 2 and (original(path[0]), path[1]) == ("np", "zeros")
    return plain and len(value.args) == 1 and not value.keywords


@dataclass(frozen=True)
class Known:
    """What is known of a function's variables."""

    purity: Purity
    real: frozenset[str]
    gathered: frozenset[str]

    @classmethod
    def of(cls, function: Node, real: frozenset[str]) -> Known:
        """What is known of these: `real` never hold anything but arrays of doubles."""
        own = frozenset(assigned_names(function)) | _parameters(function)
        return cls(Purity(own), real, _gathered(function))

    def stored(self, statement: Node) -> str | None:
        """The variable of zeros to a part of which a statement adds doubles, or in which it stores them."""
        target: Node = None
        if isinstance(statement, gast.AugAssign):
            target = statement.target
        elif isinstance(statement, gast.Assign):
            target = statement.targets[0]
        if not (isinstance(target, gast.Subscript) and is_part(target.slice)):
            return None
        owner: Node = target.value
        fits = isinstance(owner, gast.Name) and owner.id in self.gathered and self.is_real(statement.value)
        return str(owner.id) if fits else None

    def is_quiet(self, statement: Node) -> bool:
        """Whether a statement changes nothing but a variable that it assigns, or zeros that it writes to."""
        if self.stored(statement) is not None:
            return True
        return assigned_name(statement) is not None and self.purity.is_pure(statement.value)

    def is_real(self, node: Node) -> bool:
        """Whether an expression gives doubles, and does nothing else."""
        match node:
            case gast.Constant(value=value):
                return type(value) in (int, float)
            case gast.Name(id=name):
                return name in self.real
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.is_real(operand)
            case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult(), left=left, right=right):
                return self.is_real(left) and self.is_real(right)
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                return name in self.real and is_part(index)
            case gast.Call(func=func, args=args, keywords=[]):
                return self._is_real_function(path_of(func)) and all(map(self.is_real, args))
        return False

    def _is_real_function(self, path: tuple[str, ...]) -> bool:
        if not path or path[0] in self.purity.own:
            return False
        if len(path) == 1:
            return original(path[0]) == "power_base"
        return len(path) == 2 and original(path[0]) == "np" and path[1] in UFUNCS


def is_part(index: Node) -> bool:
    """Whether an index is spelled out, and gives a part of an array at every place once."""
    if isinstance(index, gast.Tuple):
        return all(map(is_part, index.elts))
    if not isinstance(index, gast.Slice):
        return False
    return all(bound is None or _is_whole(bound) for bound in (index.lower, index.upper, index.step))


def _is_whole(node: Node) -> bool:
    inner = node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
    return isinstance(inner, gast.Constant) and type(inner.value) is int
