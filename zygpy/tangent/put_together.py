"""Tangents of cotangents that are put together part by part: each part is stored where it can be, instead of
added to zeros, and two for one place are one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from zygpy.ir.nodes import argument_list, assigned_names, constant, gast, names_in, nodes, parameter_name
from zygpy.simplify.purity import Purity, original, path_of
from zygpy.simplify.trees import Block, Node, assigned_name, changed, times_bound
from zygpy.tangent.array_code import UFUNCS


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
    places = [place for place, statement in enumerate(function.body) if assigned_name(statement) == seed]
    if len(places) != 1:
        return function
    front, behind = function.body[: places[0] + 1], function.body[places[0] + 1 :]
    known = Known.of(function, real)
    return changed(function, body=[*front, *_parts(_Factors(function, known).block(behind), known)])


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
    mentions = Counter(node.id for node in nodes(function.body) if isinstance(node, gast.Name))
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
        if not (isinstance(target, gast.Subscript) and _is_part(target.slice)):
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
                return name in self.real and _is_part(index)
            case gast.Call(func=func, args=args, keywords=[]):
                return self._is_real_function(path_of(func)) and all(map(self.is_real, args))
        return False

    def _is_real_function(self, path: tuple[str, ...]) -> bool:
        if not path or path[0] in self.purity.own:
            return False
        if len(path) == 1:
            return original(path[0]) == "power_base"
        return len(path) == 2 and original(path[0]) == "np" and path[1] in UFUNCS


def _is_part(index: Node) -> bool:
    """Whether an index is spelled out, and gives a part of an array at every place once."""
    if isinstance(index, gast.Tuple):
        return all(map(_is_part, index.elts))
    if not isinstance(index, gast.Slice):
        return False
    return all(bound is None or _is_whole(bound) for bound in (index.lower, index.upper, index.step))


def _is_whole(node: Node) -> bool:
    inner = node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
    return isinstance(inner, gast.Constant) and type(inner.value) is int


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
        self.mentions = Counter(node.id for node in nodes(function.body) if isinstance(node, gast.Name))

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
