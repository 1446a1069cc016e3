"""In which order Python evaluates what a statement reads, and how far that order fixes things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zygpy.ir.nodes import FUNCTIONS, argument_list, assigned_names, gast, names_in, nodes, parameter_name
from zygpy.simplify.trees import SCOPES, Block, Node

ACTS = None
"""Stands for "here something may happen": an operation, a call, a read that may see a change."""

Event = Node | None


@dataclass(frozen=True)
class Variables:
    """The names of a function: `steady` ones only its own statements can bind anew, `local` are all
    that it binds, and `hidden` are mentioned inside inner functions as well."""

    steady: frozenset[str]
    local: frozenset[str]
    hidden: frozenset[str]

    def is_steady(self, node: Node) -> bool:
        """Whether reading the expression earlier or later, in the same statement, is the same."""
        return isinstance(node, gast.Constant) or (isinstance(node, gast.Name) and node.id in self.steady)


def variables(function: Node) -> Variables:
    """The names of a function, sorted by who can bind them.

    >>> from zygpy.ir.nodes import quote
    >>> text = "def f(x):\\n    y = x\\n    def g():\\n        nonlocal y\\n        y = x\\n    g()"
    >>> found = variables(quote(text)[0])
    >>> sorted(found.steady), sorted(found.hidden)
    (['g', 'x'], ['x', 'y'])
    """
    parameters = {parameter_name(parameter) for parameter in argument_list(function.args)}
    local = parameters | set(assigned_names(function))
    telling = [node for node in nodes(function.body) if isinstance(node, (*REBINDING, *SCOPES))]
    rebound: set[str] = set()
    for node in telling:
        if isinstance(node, REBINDING):
            rebound.update(names_in(node.target) if isinstance(node, gast.NamedExpr) else node.names)
    hidden = names_in([node for node in telling if isinstance(node, SCOPES)])
    return Variables(frozenset(local - rebound), frozenset(local), frozenset(hidden))


REBINDING = (gast.Global, gast.Nonlocal, gast.NamedExpr)


def hidden_names(body: Block) -> frozenset[str]:
    """The names that are mentioned inside inner functions and comprehensions.

    >>> from zygpy.ir.nodes import quote
    >>> sorted(hidden_names(quote("y = [z for z in x]")))
    ['x', 'z']
    """
    scopes = [node for node in nodes(body) if isinstance(node, SCOPES)]
    return frozenset(names_in(scopes))


def header(statement: Node) -> list[Node]:
    """The expressions that a statement itself evaluates, in Python's order."""
    match statement:
        case gast.Assign():
            places = [part for target in statement.targets for part in _place(target)]
            return [statement.value, *places]
        case gast.AugAssign():
            return [*_place(statement.target), statement.value]
        case gast.If() | gast.While():
            return [statement.test]
        case gast.For() | gast.With():
            return [statement.iter if isinstance(statement, gast.For) else statement.items[0].context_expr]
        case gast.Expr() | gast.Return():
            return _present(statement.value)
        case gast.Raise():
            return _present(statement.exc, statement.cause)
        case gast.Delete():
            return [part for target in statement.targets for part in _place(target)]
    return []


def _present(*parts: Node | None) -> list[Node]:
    return [part for part in parts if part is not None]


def _place(target: Node) -> list[Node]:
    if isinstance(target, gast.Subscript):
        return [target.value, target.slice]
    return [target.value] if isinstance(target, gast.Attribute) else []


def events(node: Node, local: frozenset[str]) -> Iterator[Event]:
    """The names that an expression reads and the things that happen in it, in Python's order.

    A callee that is a dotted global name counts as read when the call is made, as in A-normal form.

    >>> from zygpy.ir.nodes import quote_expression
    >>> found = events(quote_expression("np.f(a + b, c)"), frozenset("abc"))
    >>> [event.id if event is not None else "acts" for event in found]
    ['a', 'b', 'acts', 'c', 'acts']
    """
    if isinstance(node, gast.Name):
        yield node
    elif isinstance(node, gast.Call):
        yield from _callee(node.func, local)
        for argument in (*node.args, *node.keywords):
            yield from events(argument, local)
        yield ACTS
    elif isinstance(node, (*FUNCTIONS, *SCOPES)):
        yield ACTS
    elif isinstance(node, gast.IfExp | gast.BoolOp):
        yield from events(node.test if isinstance(node, gast.IfExp) else node.values[0], local)
        yield ACTS
    else:
        for part in _operands(node):
            yield from events(part, local)
        if not isinstance(node, QUIET):
            yield ACTS


QUIET = (gast.Constant, gast.Tuple, gast.List, gast.Slice, gast.keyword)
"""What happens without anything that a program could notice."""


def _callee(func: Node, local: frozenset[str]) -> Iterator[Event]:
    """What is evaluated in front of the arguments; looking up the method itself is left to the call."""
    while isinstance(func, gast.Attribute):
        func = func.value
        if not isinstance(func, gast.Attribute | gast.Name):
            yield from events(func, local)
            return
    if isinstance(func, gast.Name):
        if func.id in local:
            yield func
    else:
        yield from events(func, local)


def _operands(node: Node) -> list[Node]:
    """The parts of an operation in Python's order."""
    if isinstance(node, gast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [part for pair in pairs for part in pair if part is not None]
    fields = OPERANDS.get(type(node), ("value",))
    found: list[Node] = []
    for field in fields:
        part = getattr(node, field, None)
        found += part if isinstance(part, list) else [part] if isinstance(part, gast.AST) else []
    return found


OPERANDS: dict[type, tuple[str, ...]] = {
    gast.BinOp: ("left", "right"),
    gast.Compare: ("left", "comparators"),
    gast.FormattedValue: ("value", "format_spec"),
    gast.JoinedStr: ("values",),
    gast.List: ("elts",),
    gast.Set: ("elts",),
    gast.Slice: ("lower", "upper", "step"),
    gast.Subscript: ("value", "slice"),
    gast.Tuple: ("elts",),
    gast.UnaryOp: ("operand",),
}
"""The fields that an operation evaluates, in order; `value` for any other."""
