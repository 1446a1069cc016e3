"""Where functions stand that programs make: in the user's file, in whatever generated one their code is."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

from zygpy.codes import PLACE_OF_CODE, Place
from zygpy.ir import core
from zygpy.ir.nodes import to_python_ast
from zygpy.ir.source import Source, character_column
from zygpy.load.code import file_of
from zygpy.source.match import Node, definition_at, find_definition

DEFINITIONS = frozenset({"Lambda", "FunctionDef", "AsyncFunctionDef"})


def positions(trees: Sequence[Any]) -> tuple[tuple[int, int] | None, ...]:
    """Where the functions stand that are made inside of these, in the order of the trees; None of those which
    stand nowhere.

    >>> positions(ast.parse("def f(x):\\n    return [lambda: x, (lambda y: y)]").body)
    ((2, 12), (2, 24))
    """
    return tuple([_position(node) for node in _made_in(trees)])


def _position(node: Any) -> tuple[int, int] | None:
    line = getattr(node, "lineno", None)
    return None if line is None else (line, node.col_offset)


def _made_in(trees: Sequence[Any]) -> Iterator[Any]:
    """The definitions inside of others, in the order of Python's own trees."""
    whole, waiting = set(map(id, trees)), list(reversed(trees))
    while waiting:
        node = waiting.pop()
        if type(node).__name__ in DEFINITIONS and id(node) not in whole:
            yield node
        waiting += [child for child in _children(node) if hasattr(child, "_fields")][::-1]


def _children(node: Any) -> Iterator[Any]:
    for field in getattr(ast, type(node).__name__)._fields:
        value = getattr(node, field, None)
        yield from value if type(value) is list else (value,)


def place_of_code(code: CodeType) -> Place | None:
    """Where the function stands that has this code; None where that is not known."""
    text = _text(code.co_filename)
    found = find_definition(code, text)
    return None if found is None else _users(_place(code.co_filename, found.node, text))


PLACE_OF_CODE.append(place_of_code)


def place_of_made(op: core.MakeFunction, outer: Source) -> Place | None:
    """Where a function stands that a program makes; None where what stands there is something else."""
    filename, at = outer.filename, _position(op.node)
    text = _text(filename)
    found = None if at is None else definition_at(text, at)
    if found is None or at is None or not _is_same(op.node, found):
        return None
    return _users((filename, *at))


def _is_same(node: Any, found: Node) -> bool:
    """Whether a function has the name, the parameters and the body of a definition."""
    if getattr(node, "name", "") != getattr(found, "name", ""):
        return False
    again: Any = to_python_ast(node)
    return _dumped(again) == _dumped(found)


def _dumped(node: Any) -> list[str]:
    body = node.body if isinstance(node.body, list) else [node.body]
    parameters = [one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)]
    return [*parameters, *map(ast.dump, body)]


def _place(filename: str, node: Node, text: str) -> Place:
    line = text.split("\n")[node.lineno - 1]
    return filename, node.lineno, character_column(line, node.col_offset)


def _users(place: Place) -> Place | None:
    """The place in the user's file of what stands at a place of a generated one."""
    file = file_of(place[0])
    while file is not None:
        trees = ast.parse(file.text.source).body
        here = [_place(place[0], node, file.text.source) for node in _made_in(trees)]
        there = dict(zip(here, file.text.made, strict=False)) if len(here) == len(file.text.made) else {}
        at = there.get(place)
        if at is None:
            return None
        place = file.origin.filename, *at
        file = file_of(place[0])
    return place


def _text(filename: str) -> str:
    return "".join(linecache.getlines(filename))
