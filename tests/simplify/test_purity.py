"""The list of helpers that write to an argument is complete, as far as their source tells."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent

import pytest

from zygpy.runtime import helpers
from zygpy.simplify.purity import WRITING_HELPERS

WRITING_METHODS = frozenset(
    {"add", "append", "clear", "extend", "fill", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)
FUNCTIONS = [name for name in helpers.__all__ if inspect.isfunction(inspect.unwrap(getattr(helpers, name)))]


def owner(node: ast.AST) -> str | None:
    """The variable whose object `x[i]`, `x.a` or `x[i].a` is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def written(node: ast.AST) -> list[str | None]:
    """The variables whose objects a single node of a function writes to."""
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return [owner(node)]
    if isinstance(node, ast.AugAssign):
        return [owner(node.target)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in WRITING_METHODS:
            return [owner(node.func.value)]
        return [owner(node.args[0])] if node.func.attr == "at" else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRITING_HELPERS:
        return [owner(node.args[0])]
    return []


def writes_to_an_argument(name: str) -> bool:
    """Whether the function's source writes to an argument that it does not bind anew."""
    source = dedent(inspect.getsource(inspect.unwrap(getattr(helpers, name))))
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    stored = [node for node in ast.walk(function) if isinstance(node, ast.Name | ast.Subscript)]
    rebound = {node.id for node in stored if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    parameters = {argument.arg for argument in function.args.args} - rebound
    return any(found in parameters for node in ast.walk(function) for found in written(node))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_helpers_that_write_are_known(name: str) -> None:
    assert name in WRITING_HELPERS or not writes_to_an_argument(name)


def test_the_search_finds_what_is_known() -> None:
    found = {name for name in FUNCTIONS if writes_to_an_argument(name)}
    assert {"add_at", "add_slice", "clear_at", "put_back", "split_tail", "take_out"} <= found
