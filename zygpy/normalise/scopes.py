"""Which variable a name means: local, explicit cell, captured or global."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from zygpy.ir.nodes import (
    FUNCTIONS,
    argument_list,
    assigned_names,
    declared_names,
    gast,
    is_generator,
    local_names,
    nodes,
    own_nodes,
    parameter_name,
)
from zygpy.ir.rebinding import times_bound
from zygpy.ir.unbound import names_declared, unbound_when_captured
from zygpy.runtime.cells import with_shared_cells


@dataclass(frozen=True)
class Scope:
    """The names of one function. `locals` are ordinary variables, `cells` are not among them."""

    locals: frozenset[str]
    cells: frozenset[str]
    captured: tuple[str, ...]
    globals: frozenset[str]

    def kind(self, name: str) -> str:
        """What a name is: "local", "cell", "captured" or "global"."""
        if name in self.cells:
            return "cell"
        if name in self.locals:
            return "local"
        return "captured" if name in self.captured and name not in self.globals else "global"


def find_scope(
    tree: Any, captured: tuple[str, ...], rebound: tuple[str, ...], unbound: frozenset[str] = frozenset()
) -> Scope:
    """The names of a function whose exits are structured; `unbound` are those that may have no value where a
    function captures them.

    A local variable is a cell if it is one of those, or if a function inside rebinds it, or if some binding
    of it may run after a function that captures it was made, or if it is bound more than once and captured
    two functions further in, or by a generator function, or if the methods of a class that is made here know
    it; a captured one if it is rebound, here or in a function inside, or known to such methods.
    """
    own = local_names(tree)
    outer = declared_names(tree, gast.Nonlocal) | frozenset(rebound)
    cells: frozenset[str] = frozenset()
    if any(isinstance(node, DEFINITIONS) for node in nodes(_body(tree))):
        inner = [node for node in own_nodes(tree) if isinstance(node, FUNCTIONS)]
        written = frozenset().union(*(rebound_names(node) for node in inner))
        held = _held_by_classes(tree)
        outer |= written | held
        late = _bound_later(tree) | unbound
        cells = own & (written | held | late | (_handed_on(inner) & _bound_again(tree)))
    cells |= frozenset(captured) - own & outer
    return Scope(own - cells, cells, captured, declared_names(tree, gast.Global))


def names_captured_unbound(tree: Any, *, generated: bool) -> frozenset[str]:
    """The variables of a function as it is written that may have no value where another captures them."""
    if generated and not isinstance(tree, gast.Lambda):
        return names_declared(tree.body)
    if not any(isinstance(node, FUNCTIONS) for node in own_nodes(tree)):
        return frozenset()
    parameters = [parameter_name(argument) for argument in argument_list(tree.args)]
    body = [gast.Expr(tree.body)] if isinstance(tree, gast.Lambda) else tree.body
    return unbound_when_captured(body, parameters, free_names) & local_names(tree)


DEFINITIONS = (*FUNCTIONS, gast.ClassDef)
"""What may capture variables of the function around it."""


def free_names(function: Any) -> frozenset[str]:
    """The names that a nested function, or one inside it, takes from outside (globals among them).

    >>> from zygpy.ir.nodes import quote_expression
    >>> sorted(free_names(quote_expression("lambda a: [a + b + c for c in d] + (lambda e: e + f)(g)")))
    ['b', 'd', 'f', 'g']
    """
    hidden = local_names(function) | declared_names(function, gast.Global)
    body = [function.body] if isinstance(function, gast.Lambda) else function.body
    return frozenset(mentioned_names(body, hidden))


def mentioned_names(roots: Iterable[Any], hidden: frozenset[str]) -> Iterator[str]:
    """The names that some code mentions, or declares `nonlocal`, and does not bind in an inner scope."""
    for node, _, shadowed in visible_nodes(roots, hidden):
        if isinstance(node, gast.Name) and node.id not in shadowed:
            yield node.id
        elif isinstance(node, gast.Nonlocal):
            yield from (name for name in node.names if name not in shadowed)


def visible_nodes(
    roots: Iterable[Any], hidden: frozenset[str] = frozenset(), nested: bool = False
) -> Iterator[tuple[Any, bool, frozenset[str]]]:
    """Every node below, whether a nested function stands around it, and the names that inner scopes hide."""
    waiting = [(root, nested, hidden) for root in roots]
    while waiting:
        node, inside, shadowed = waiting.pop()
        yield node, inside, shadowed
        waiting.extend(_inner(node, inside, shadowed))


def _inner(node: Any, inside: bool, shadowed: frozenset[str]) -> list[tuple[Any, bool, frozenset[str]]]:
    if isinstance(node, FUNCTIONS):
        own = local_names(node) | declared_names(node, gast.Global)
        body = [node.body] if isinstance(node, gast.Lambda) else node.body
        outside = [*getattr(node, "decorator_list", ()), *_defaults(node)]
        return [(child, inside, shadowed) for child in outside] + [
            (child, True, shadowed | own) for child in body
        ]
    if hasattr(node, "generators"):
        own = comprehension_targets(node)
        first = node.generators[0].iter
        rest = [child for child in comprehension_parts(node) if child is not first]
        return [(first, inside, shadowed), *((child, inside, shadowed | own) for child in rest)]
    hidden = getattr(node, "annotation", None)
    return [(child, inside, shadowed) for child in gast.iter_child_nodes(node) if child is not hidden]


def _defaults(node: Any) -> list[Any]:
    return [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]


def comprehension_parts(node: Any) -> list[Any]:
    """The expressions and targets of a comprehension."""
    results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    return results + [
        part for generator in node.generators for part in (generator.target, generator.iter, *generator.ifs)
    ]


def comprehension_targets(node: Any) -> frozenset[str]:
    """The variables of a comprehension."""
    return frozenset(
        inner.id
        for generator in node.generators
        for inner in gast.walk(generator.target)
        if isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Store)
    )


def rebound_names(function: Any) -> frozenset[str]:
    """The names that a nested function, or one inside it, rebinds in a function outside of it."""
    inner = [node for node in own_nodes(function) if isinstance(node, FUNCTIONS)]
    deeper = frozenset().union(*(rebound_names(node) for node in inner))
    return declared_names(function, gast.Nonlocal) | (deeper - local_names(function))


def _held_by_classes(tree: Any) -> frozenset[str]:
    """The names that classes take from outside which functions inside this one make."""
    classes = [node for node in nodes(_body(tree)) if isinstance(node, gast.ClassDef)]
    return frozenset().union(*(mentioned_names([node], frozenset()) for node in classes))


def _handed_on(functions: list[Any]) -> frozenset[str]:
    """The names that functions inside these take from outside of both, or that generators take."""
    found: set[str] = set()
    for function in functions:
        inner = [node for node in own_nodes(function) if isinstance(node, FUNCTIONS)]
        taken = frozenset().union(*map(free_names, inner))
        free = free_names(function)
        found |= free if is_generator(function) else free & taken
    return frozenset(found)


def _bound_again(tree: Any) -> frozenset[str]:
    """The names that are bound more than once, or in a loop. A function that is given cells is bound once:
    nothing has it before."""
    body = [gast.Expr(tree.body)] if isinstance(tree, gast.Lambda) else tree.body
    again = frozenset(id(name) for node in own_nodes(body) for name in _given_targets(node))
    counts = times_bound(body, again)
    counts.update(parameter_name(argument) for argument in argument_list(tree.args))
    return frozenset(name for name, count in counts.items() if count > 1)


def _given_targets(statement: Any) -> list[Any]:
    """The target of `f = with_shared_cells(f, ...)`."""
    given = _given_cells(statement) if isinstance(statement, gast.Assign) else None
    return [target for target in getattr(statement, "targets", ()) if getattr(target, "id", "") == given]


@dataclass(frozen=True)
class Event:
    """A binding or a capturing: the number of its statement and the loops around it."""

    name: str
    number: int
    loops: frozenset[int]


@dataclass
class Events:
    bindings: list[Event] = field(default_factory=list)
    captures: list[Event] = field(default_factory=list)


def _bound_later(tree: Any) -> frozenset[str]:
    """The names of which a binding may run after a function that captures them was made."""
    events = _events(tree)
    by_name: dict[str, list[Event]] = {}
    for binding in events.bindings:
        by_name.setdefault(binding.name, []).append(binding)
    return frozenset(
        capture.name
        for capture in events.captures
        for binding in by_name.get(capture.name, ())
        if binding.number >= capture.number or binding.loops & capture.loops
    )


def _events(tree: Any) -> Events:
    """The bindings and capturings of a function, in the order of its text."""
    events = Events()
    waiting: list[tuple[Any, frozenset[int]]] = [(node, frozenset()) for node in reversed(_body(tree))]
    number = 0
    while waiting:
        statement, loops = waiting.pop()
        number += 1
        if isinstance(statement, gast.For | gast.While):
            loops |= {number}
        _record(statement, number, loops, events)
        waiting.extend((inner, loops) for inner in reversed(_inner_statements(statement)))
    return events


def _body(tree: Any) -> list[Any]:
    return [tree.body] if isinstance(tree, gast.Lambda) else list(tree.body)


def _inner_statements(statement: Any) -> list[Any]:
    if isinstance(statement, gast.If | gast.For | gast.While | gast.With):
        return [*statement.body, *getattr(statement, "orelse", ())]
    return []  # a `try` is one statement: its parts may run in more than one order


def _record(statement: Any, number: int, loops: frozenset[int], events: Events) -> None:
    inner = set(map(id, _inner_statements(statement)))
    own = [child for child in gast.iter_child_nodes(statement) if id(child) not in inner]
    is_definition = isinstance(statement, FUNCTIONS)
    heads = [statement] if is_definition else own
    for name in assigned_names(heads):
        if name != _given_cells(statement):
            events.bindings.append(Event(name, number, loops))
    defined = _definition(statement)
    for node in own_nodes(heads):
        if isinstance(node, FUNCTIONS):
            for name in free_names(node):
                itself = defined == (name, node)
                events.captures.append(Event(name, number + itself, loops))


def _given_cells(statement: Any) -> str | None:
    """The variable of `f = with_shared_cells(f, ...)`, or of the same as a recorded call."""
    call = statement.value if isinstance(statement, gast.Assign) else None
    if not isinstance(call, gast.Call):
        return None
    for place, function in enumerate([call.func, *call.args[:1]]):
        if isinstance(function, gast.Name) and function.id.startswith(with_shared_cells.__name__):
            return getattr(call.args[place], "id", None)
    return None


def _definition(statement: Any) -> tuple[str, Any] | None:
    """The function that a statement defines, and its name: by that name it may call itself."""
    if isinstance(statement, gast.FunctionDef) and not statement.decorator_list:
        return statement.name, statement
    match statement:
        case gast.Assign(targets=[gast.Name(id=str(name))], value=gast.Lambda() as function):
            return name, function
    return None
