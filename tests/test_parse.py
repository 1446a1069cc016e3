"""parse keeps the user's positions; the fence refuses with line, column, caret, reason and remedy."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

from zygpy.errors import UnsupportedSyntaxError
from zygpy.ir.nodes import gast, to_python_ast
from zygpy.parse import fence, parse, refusals
from zygpy.source import Source, find_source

FILENAME = "<fenced>"


def define(text: str, **names: Any) -> Source:
    """The source of the function `f` that the text defines, as it would be in a file."""
    text = textwrap.dedent(text)
    linecache.cache[FILENAME] = (len(text), None, text.splitlines(True), FILENAME)
    namespace = dict(names)
    exec(compile(text, FILENAME, "exec"), namespace)
    function = namespace["f"]
    return find_source(function() if names.get("call") else function)


@pytest.fixture(autouse=True)
def _forget_text() -> Iterator[None]:
    yield
    linecache.cache.pop(FILENAME, None)


def positions(tree: ast.AST) -> list[tuple[str, int, int, int, int]]:
    """The statements, names and numbers of a tree, with their positions."""
    return sorted(
        (type(node).__name__, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt | ast.Name | ast.Constant | ast.BinOp)
    )


class Holder:
    def method(self, x: float, *rest: float, scale: float = 2.0) -> float:
        """Over several
        lines."""
        if x > scale:
            return x * 2 + sum(rest)
        return -x

    spread = staticmethod(
        lambda x: (
            x
            + 1
        )
    )  # fmt: skip


def in_file(source: Source) -> ast.AST:
    """The same function in the tree of the whole file, by the standard library alone."""
    with open(source.filename, encoding="utf-8") as file:  # noqa: PTH123
        tree = ast.parse(file.read())
    kinds = (ast.FunctionDef, ast.Lambda)
    place = (source.line, source.column)
    found = [
        node for node in ast.walk(tree) if isinstance(node, kinds) and (node.lineno, node.col_offset) == place
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("function", [Holder.method, Holder.spread, positions])
def test_positions_are_those_of_the_file(function: Any) -> None:
    source = find_source(function)
    tree = to_python_ast(parse(source))
    expected = in_file(source)
    assert positions(tree) == positions(expected)
    assert ast.dump(tree) == ast.dump(expected)


def test_columns_are_counted_in_characters() -> None:
    source = define("class ααα: f = lambda β: 'ββ' + β\nf = ααα.f")
    tree = parse(source)
    assert isinstance(tree, gast.Lambda)
    right = tree.body.right  # type: ignore[attr-defined]
    assert (right.lineno, right.col_offset) == (1, len("class ααα: f = lambda β: 'ββ' + "))
    inside = define("def f(α):\n    return 'αα' + α")
    last = parse(inside).body[0].value.right  # type: ignore[index, union-attr]
    assert (last.lineno, last.col_offset) == (2, len("    return 'αα' + "))


def test_decorators_are_left_out_and_strings_over_lines_are_kept() -> None:
    source = define(
        """\
        def mark(function): return function
        class A:
            @mark
            def f(self):
                return '''a
            b'''
        f = A.f
        """
    )
    tree = parse(source)
    assert isinstance(tree, gast.FunctionDef)
    assert tree.decorator_list == []
    assert (tree.lineno, tree.col_offset) == (4, 4)
    assert tree.body[0].value.value == "a\n    b"  # type: ignore[attr-defined]


REFUSED = {
    # name: (text, mark whose start is the place, construct, remedy)
    "await": ("async def f(x):\n    y = x\n    return await y", "async", "'async def'", "plain function"),
    "in a class": ("def f(x):\n    class A:\n        y = eval('x')", "eval", "'eval'", "call a function"),
    "eval": ("def f(x):\n    return eval('x')", "eval", "'eval'", "call a function"),
    "exec": ("def f(x):\n    exec('x')", "exec", "'exec'", "call a function"),
    "locals": ("def f(x):\n    return locals()", "locals", "'locals'", "name the variables"),
    "locals as value": (
        "def f(x):\n    g = locals\n    return g()",
        "locals",
        "'locals'",
        "name the variables",
    ),
    "globals": ("def f(x):\n    return globals()['y']", "globals", "'globals'", "global variables"),
    "vars": ("def f(x):\n    return vars()", "vars", "'vars()'", "name the variables"),
    "dir": ("def f(x):\n    return dir()", "dir", "'dir()'", "name the variables"),
    "frame": ("def f(x):\n    return sys._getframe()", "sys._getframe", "'sys._getframe'", "as an argument"),
    "inspect": (
        "def f(x):\n    return inspect.currentframe()",
        "inspect",
        "'inspect.currentframe'",
        "argument",
    ),
    "frame by name": ("def f(x):\n    return peek(0)", "peek", "'sys._getframe'", "as an argument"),
    "starred index": (
        "def f(x, i):\n    return x[0, *i]",
        "x[",
        "a starred expression",
        "`x[tuple(indices)]`",
    ),
    "nested async def": ("def f(x):\n    async def g(): pass", "async", "'async def'", "plain function"),
    "in a comprehension": ("def f(x):\n    return [eval(y) for y in x]", "eval", "'eval'", "call a function"),
    "in a default": ("def f(x):\n    return lambda y=eval('x'): y", "eval", "'eval'", "call a function"),
}
NAMES = {"sys": sys, "inspect": inspect, "peek": sys._getframe}
if sys.version_info >= (3, 12):
    REFUSED["type"] = ("def f(x):\n    type A = int", "type", "'type' inside a function", "top of the module")


@pytest.mark.parametrize("name", REFUSED)
def test_the_fence_says_where_why_and_what_instead(name: str) -> None:
    text, mark, construct, remedy = REFUSED[name]
    source = define(text, **NAMES)
    with pytest.raises(UnsupportedSyntaxError) as caught:
        fence(parse(source), source)
    error = caught.value
    before = text[: text.index(mark)]
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1)
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)
    assert error.place.text == text.split("\n")[line - 1]
    assert error.message.startswith(construct)
    assert error.message.endswith("cannot be differentiated.")
    assert len(error.why) > 15
    assert remedy in error.instead
    shown, caret = str(error).split("\n")[1:3]
    assert shown[caret.index("^") :].startswith(mark)


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("await x", "'await'"),
        ("async with x: pass", "'async with'"),
        ("async for y in x: pass", "'async for'"),
        ("return [y async for y in x]", "'async for'"),
    ],
)
def test_each_asynchronous_construct_is_among_the_refusals(body: str, construct: str) -> None:
    source = define(f"async def f(x):\n    {body}")
    found = refusals(parse(source), source)
    assert [refusal.construct for refusal in found] == ["'async def'", construct]


def test_refusals_come_in_the_order_of_the_text() -> None:
    source = define("def f(x):\n    y = eval('a') if locals() else exec('b')")
    constructs = ["'eval'", "'locals'", "'exec'"]
    assert [refusal.construct for refusal in refusals(parse(source), source)] == constructs


ACCEPTED = {
    "everything plain": """
        def f(x, *a, k=1, **b):
            global counter
            counter = 1
            y, *z = a
            del b["k"], x.y, x[0]
            for i in range(3):
                if i: break
            else:
                x += 1
            while not (n := x): continue
            with x as c, y as d: pass
            match x:
                case {"a": [1, *r], **s} if r: pass
                case _: raise ValueError from None
            assert x, f"{x!r:>{k}}"
            return {**b}, [*a], {1, 2}, x[1:2, ...], not x @ y, print(*a, **b), x if y else (lambda: 0)
        """,
    "nested functions are looked at when they are entered": """
        def f(x):
            def g():
                yield locals()
                try: import math
                finally: pass
            h = lambda: eval("x")
            return g, h
        """,
    "try in all its parts": """
        def f(x):
            try: y = x
            except (E, F) as e: y = e
            except G: raise
            except: pass
            else: y = 1
            finally: return y
        """,
    "parameters and variables that shadow": """
        def f(eval, x):
            locals = eval
            vars = dir = x
            return locals(vars(), dir())
        """,
    "a global that shadows": "def eval(x): return x\ndef f(x): return eval(x)",
    "a method of that name": "def f(model):\n    model.eval()\n    return model.super().locals",
    "with arguments": "def f(x):\n    return vars(x), dir(x), super(int, x)",
    "a module's own name": "def f(x, sys):\n    return sys._getframe()",
    "decorators and defaults of the function itself": "def f(x, y=eval('1')):\n    return x",
    "annotations": "def f(x):\n    y: eval('int') = x\n    return y",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_let_through(name: str) -> None:
    source = define(ACCEPTED[name].lstrip("\n"))
    tree = parse(source)
    assert refusals(tree, source) == []
    fence(tree, source)


def test_a_captured_name_that_shadows() -> None:
    source = define(
        "def f():\n    def eval(x): return x\n    def g(x): return eval(x)\n    return g", call=True
    )
    assert source.name == "g"
    assert refusals(parse(source), source) == []


def test_a_captured_variable_that_is_not_assigned_yet() -> None:
    source = define("def f():\n    def g(x): return later(x)\n    return g\n    later = 1", call=True)
    assert refusals(parse(source), source) == []


def test_modules_are_not_asked_for_what_they_would_have_to_import() -> None:
    class Lazy(type(sys)):  # type: ignore[misc]
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

    source = define("def f(x):\n    return lazy.sub.function(x)", lazy=Lazy("lazy"))
    assert refusals(parse(source), source) == []
