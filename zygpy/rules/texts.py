"""Reading the texts of a rule: the parameters of its call and the trees of its contributions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from zygpy.rules.declare import Rule

MEASUREMENTS = ("shape", "ndim", "size", "length", "dtype", "shapes", "nesting", "reals")
"""Functions of a parameter that the forward takes, so that the parameter need not be kept."""

NO_MORE = "_"
"""What a bare star in a rule's call is written with, behind which parameters are given by name."""

_SYMBOLS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a rule's call; `default` is a literal's value, `required` if there is none."""

    name: str
    required: bool = True
    default: Any = None
    starred: bool = False
    keyword_only: bool = False


@dataclass(frozen=True)
class Texts:
    """What a rule says, parsed: parameters in order, and contributions by parameter, to cotangents and of
    tangents."""

    parameters: tuple[Parameter, ...]
    operator: str | None
    bars: Mapping[str, ast.expr]
    dots: Mapping[str, ast.expr]

    def names(self) -> tuple[str, ...]:
        """The parameters' names, in order."""
        return tuple(parameter.name for parameter in self.parameters)


@cache
def texts(rule: Rule) -> Texts:
    """Parse a rule's texts (once)."""
    bars, dots = _parsed(rule.bars), _parsed(rule.dots)
    if not rule.call:
        return Texts((), None, bars, dots)
    assignment = ast.parse(rule.call.replace(", *,", f", *{NO_MORE},")).body[0]
    assert isinstance(assignment, ast.Assign)
    return Texts(*_call(assignment.value), bars, dots)


def _parsed(found: Mapping[str, str]) -> dict[str, ast.expr]:
    """Texts as trees."""
    return {name: ast.parse(text, mode="eval").body for name, text in found.items() if text.strip()}


def _call(tree: ast.expr) -> tuple[tuple[Parameter, ...], str | None]:
    match tree:
        case ast.BinOp(left=ast.Name(id=left), op=op, right=ast.Name(id=right)):
            return (Parameter(left), Parameter(right)), _SYMBOLS[type(op)]
        case ast.UnaryOp(op=op, operand=ast.Name(id=name)):
            return (Parameter(name),), _SYMBOLS[type(op)]
        case ast.Call(args=args, keywords=keywords):
            return _parameters(args, keywords), None
    raise ValueError(f"not the call of a rule: {ast.unparse(tree)}")


def _parameters(args: list[ast.expr], keywords: list[ast.keyword]) -> tuple[Parameter, ...]:
    found, stars = [], []
    for arg in args:
        if isinstance(arg, ast.Starred):
            assert isinstance(arg.value, ast.Name)
            stars.append(arg.col_offset)
            if arg.value.id != NO_MORE:
                found.append(Parameter(arg.value.id, required=False, default=(), starred=True))
        else:
            assert isinstance(arg, ast.Name)
            found.append(Parameter(arg.id))
    for keyword in keywords:
        assert keyword.arg is not None
        default = ast.literal_eval(keyword.value)
        after_star = any(star < keyword.col_offset for star in stars)
        found.append(Parameter(keyword.arg, False, default, keyword_only=after_star))
    return tuple(found)


def mentioned(tree: ast.expr) -> frozenset[str]:
    """The names that a contribution mentions.

    >>> sorted(mentioned(ast.parse("y_bar * conj(np.cos(x))", mode="eval").body))
    ['conj', 'np', 'x', 'y_bar']
    """
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
