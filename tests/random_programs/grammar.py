"""The register of statements and expressions, and the choice among them.

A family adds itself by decorating functions: a statement is made by a function of the scope, an expression by
one of the scope, the kind and how deep it may nest. Either answers None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.random_programs.kinds import (
    FLOAT,
    VECTOR,
    Array,
    Dict,
    Float,
    Function,
    Kind,
    List,
    Named,
    Object,
    Texts,
    Tuple,
)
from tests.random_programs.scope import Lines, Scope, indented


@dataclass(frozen=True)
class Choice:
    """Something that can be written, and how often."""

    family: str
    weight: float
    make: Callable[..., Any]


STATEMENTS: list[Choice] = []
EXPRESSIONS: dict[type, list[Choice]] = {}
CONDITIONS: list[Choice] = []


def statement(family: str, weight: float = 1.0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function `scope -> lines or None`."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        STATEMENTS.append(Choice(family, weight, make))
        return make

    return register


def expression(
    kind: type, family: str, weight: float = 1.0
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function `(scope, kind, depth) -> text or None` for kinds of a type."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        EXPRESSIONS.setdefault(kind, []).append(Choice(family, weight, make))
        return make

    return register


def condition(family: str, weight: float = 1.0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function `scope -> text or None`."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        CONDITIONS.append(Choice(family, weight, make))
        return make

    return register


def chosen(scope: Scope, choices: list[Choice], *args: Any, tries: int = 8) -> Any:
    """What one of the choices makes; None if none of some tries applies."""
    weights = [choice.weight * scope.world.emphasis[choice.family] for choice in choices]
    for choice in scope.random.choices(choices, weights, k=tries):
        made = choice.make(scope, *args)
        if made is not None:
            return made
    return None


def expr(scope: Scope, kind: Kind = FLOAT, depth: int = 1) -> str:
    """An expression of a kind."""
    if depth > 0:
        made: str | None = chosen(scope, EXPRESSIONS[type(kind)], kind, depth)
        if made is not None:
            return made
    place = scope.place(kind)
    return place if place is not None else simplest(scope, kind)


def simplest(scope: Scope, kind: Kind) -> str:
    """An expression that is always possible."""
    match kind:
        case Float():
            return f"{scope.random.randint(-15, 15) / 8 + 0.05:.3f}"
        case Array(shape=shape):
            return f"np.full({shape}, {atom(scope)})"
        case Function():
            return scope.pick(("math.sin", "math.cos", "abs"))
        case Texts():
            return '{"a", "b"}'
    return simplest_holder(scope, kind)


def simplest_holder(scope: Scope, kind: Kind) -> str:
    """The same of what has parts."""

    def of_each(kinds: Sequence[Kind]) -> str:
        return ", ".join(expr(scope, item, 0) for item in kinds)

    match kind:
        case List(of=of):
            return f"[{of_each((of, of))}]"
        case Dict(of=of):
            return f'{{"a": {expr(scope, of, 0)}, "b": {expr(scope, of, 0)}}}'
        case Tuple(of=of):
            return f"({of_each(of)})"
        case Named():
            return f"Both({of_each((FLOAT, VECTOR))})"
        case Object(name=name):
            return f"{name}({of_each(scope.world.classes[name].takes)})"
    raise TypeError(f"nothing of kind {kind} can be made")


def atom(scope: Scope) -> str:
    """A number that is a variable, now and then a constant."""
    return expr(scope, FLOAT, 0) if scope.chance(0.85) else simplest(scope, FLOAT)


def test(scope: Scope) -> str:
    """A condition."""
    made: str | None = chosen(scope, CONDITIONS)
    return made if made is not None else f"{atom(scope)} > 0.1111"


def block(scope: Scope, least: int = 1, most: int = 2) -> Lines:
    """Some statements; the scope knows afterwards what they bind."""
    lines: Lines = []
    for _ in range(scope.random.randint(least, most)):
        if not scope.world.spend():
            scope.depth = 0
        lines += chosen(scope, STATEMENTS, tries=12) or []
        if scope.depth == 0 and scope.world.budget < 0:
            break
    return lines or ["pass"]


def suite(head: str, scope: Scope, least: int = 1, most: int = 2) -> Lines:
    """A compound statement's head with a block of its own."""
    return [head, *indented(block(scope, least, most))]
