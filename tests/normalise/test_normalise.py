"""What normalise makes, as text: short programs before and after, refusals, places and long functions."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.counting import counted
from zygpy.ir import core
from zygpy.ir.nodes import gast, is_generator
from zygpy.ir.show import show
from zygpy.ir.verify import verify
from zygpy.normalise import normalise


def program(text: str, **options: Any) -> core.Function:
    made = normalise(gast.parse(textwrap.dedent(text)).body[0], **options)
    verify(made)
    return made


def body(text: str, **options: Any) -> str:
    """The shown body of a function, for `text` as the body of `f(x, y, a)`."""
    lines = show(program("def f(x, y, a):\n" + textwrap.indent(textwrap.dedent(text), "    "), **options))
    return textwrap.dedent(lines.partition("\n")[2]).removesuffix("\nreturn None")


GOLDEN = {
    "y = np.sin(x * 2)": "t_1 = x * 2\ny = np.sin(t_1)",
    "x, y = y, x + y": "t_1 = x + y\nx = y\ny = t_1",
    "x, y = y, x": "t_1 = x\nx = y\ny = t_1",
    "x, y = g(a), h(a)": "x = g(a)\ny = h(a)",
    "x = y if a else -y": "t_1 = truth(a)\nif t_1:\n    x = y\nelse:\n    x = -y",
    "x = 1 < y < a": "t_1 = 1 < y\nt_2 = truth(t_1)\nif t_2:\n    x = y < a\nelse:\n    x = t_1",
    "if x is None: y = 1": "t_1 = x is None\nif t_1:\n    y = 1",
    "if not x: y = 1": "t_1 = not x\nif t_1:\n    y = 1",
    "a[x] += y": "a[x] += y",
    "a.b.c(np.pi)": "t_1 = a.b\nt_2 = np.pi\nt_3 = t_1.c(t_2)",
    "a[x, 1:] = y": "a[x, 1:] = y",
    "return x": "return x",
    "if x: return 1\nreturn y": (
        "t_1 = truth(x)\nif t_1:\n    result = 1\nelse:\n    result = y\nreturn result"
    ),
    "for i in range(x): y += i": "for i in range(x):\n    y += i",
    "for i, v in enumerate(zip(a, g(x))): pass": (
        "t_1 = g(x)\nfor (i, v) in enumerate(zip(a, t_1)):\n    pass"
    ),
    "while x < 3: x += 1": (
        "loop:\n    t_1 = x < 3\n    t_2 = truth(t_1)\n    if t_2:\n        x += 1\n    else:\n        break"
    ),
    "y = [v * 2 for v in a]": "t_1 = []\nfor v in a:\n    t_2 = v * 2\n    t_3 = t_1.append(t_2)\ny = t_1",
    "y = sum(v for v in a)": "t_1 = []\nfor v in a:\n    t_2 = t_1.append(v)\ny = sum(t_1)",
    "y = f'{x!r:>{a}}!'": "t_1 = format('>', a)\ny = format(x!r:t_1, '!')",
    "assert x, y": "t_1 = not x\nif t_1:\n    t_2 = builtin:AssertionError(y)\n    raise t_2",
    "y = lambda v, w=x: v + a": "y = function lambda_[a, =x]",
    "x, *y = a": "x, *y, = a",
    "(x, y.b) = a": "x, t_1, = a\ny.b = t_1",
    "y = -1": "y = -1",
    "del x, a[0]": "del x\ndel a[0]",
    "y = x and a": "t_1 = truth(x)\nif t_1:\n    y = a\nelse:\n    y = x",
    "with x as y: y()": "with x as y:\n    t_1 = y()",
    "y = yield x": "y = yield x",
    "yield": "t_1 = yield None",
    "y = 2 * (yield)": "t_1 = yield None\ny = 2 * t_1",
}


@pytest.mark.parametrize("text", GOLDEN)
def test_text(text: str) -> None:
    assert body(text) == GOLDEN[text]


def test_return_out_of_a_loop_sets_a_flag() -> None:
    assert body("for v in a:\n    if v: return v\nx = g(v)\nreturn x") == textwrap.dedent("""\
        returned = False
        for v in a:
            t_1 = truth(v)
            if t_1:
                result = v
                returned = True
                break
        if returned:
            pass
        else:
            x = g(v)
            result = x
        return result""")


def test_a_variable_bound_after_capture_is_a_cell() -> None:
    made = program("def f(x):\n g = lambda: x\n x = 2\n return g()")
    assert made.cells == ("x",)
    assert show(made).splitlines()[2:4] == ["    cell x = x", "    g = function lambda_[x]"]


def test_a_variable_bound_before_capture_is_none() -> None:
    assert program("def f(x):\n x = x + 2\n return lambda: x").cells == ()


def test_a_variable_that_a_generator_captures_is_a_cell_if_it_is_bound_again() -> None:
    text = "def f(x):\n x = x + 2\n def g():\n  yield x\n return g()"
    assert program(text).cells == ("x",)
    assert program(text.replace(" x = x + 2\n", "")).cells == ()


def test_yield_from_hands_on_what_is_sent_and_thrown() -> None:
    assert body("y = yield from x") == textwrap.dedent("""\
        t_1 = builtin:iter(x)
        t_2 = None
        t_3 = None
        t_4 = None
        loop:
            t_5 = helper:delegated(t_1, t_2, t_3)
            t_6, t_4, = t_5
            t_7 = truth(t_6)
            if t_7:
                t_2 = None
                attempt t_3:
                    t_2 = yield t_4
            else:
                break
        y = t_4""")


def test_generator_functions_are_known_as_such() -> None:
    texts = ("def f(x):\n yield x", "def f(x):\n return x\n yield", "def f(x):\n return lambda: (yield x)")
    assert [program(text).generator for text in texts] == [True, True, False]


@pytest.mark.parametrize(
    "text", ["y = (v for v in a)", "y = any((lambda: v)() for v in a)", "y = list(map(g, (v for v in a)))"]
)
def test_generator_expressions_become_generator_functions(text: str) -> None:
    made = [getattr(statement, "op", None) for statement in program(f"def f(x, a, g):\n {text}").body]
    assert [is_generator(op.node) for op in made if isinstance(op, core.MakeFunction)] == [True]


def test_captured_names_that_others_rebind_are_cells() -> None:
    made = program("def f(): return a + b", captured=("a", "b"), captured_rebound=("a",))
    assert made.cells == ("a",)
    assert show(made).splitlines()[3:5] == ["    t_1 = cell a", "    t_2 = captured:b"]


def test_harmless_callees_leave_augmented_items_whole() -> None:
    assert body("a[x] += np.sin(y)").splitlines() == [
        "t_1 = a[x]",
        "t_2 = np.sin(y)",
        "t_1 += t_2",
        "a[x] = t_1",
    ]
    assert body("a[x] += np.sin(y)", harmless=lambda path, count: True).splitlines() == [
        "before = a[x]",
        "t_1 = np.sin(y)",
        "a[x] += t_1",
    ]


def test_private_names_are_mangled_in_functions_inside_too() -> None:
    made = program("def f(self, __x):\n g = lambda: self.__y + __x\n return g(__x=1)", mangling_class="_Box")
    assert made.params.names == ("self", "_Box__x")
    function = made.body[0].op.node  # type: ignore[union-attr]
    assert {node.attr for node in gast.walk(function) if isinstance(node, gast.Attribute)} == {"_Box__y"}
    assert made.body[1].op.keywords[0].name == "_Box__x"  # type: ignore[union-attr]


def test_names_that_the_function_mentions_are_not_taken() -> None:
    made = program(
        "def f(t_1, result):\n for returned in t_1:\n  if returned: return result\n return t_1 + 1 + 2"
    )
    names = {name for statement in core.walk(made.body) for name in [getattr(statement, "target", None)]}
    assert {"result_1", "returned_1"} <= names
    assert "t_1" not in names - {None}


REFUSED = {
    "y = locals()": ("what looks into the running frame", "name the values that you need"),
    "y = x.f_locals": ("what looks into the running frame", "name the values that you need"),
    "y = super().f()": ("what looks into the running frame", "name the values that you need"),
    "global x_1\ndel x_1": ("del of a global variable", "assign None to it"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_say_what_and_where(text: str) -> None:
    made = program("def f(x, y, a):\n" + textwrap.indent(text, " "))
    refusals = [statement for statement in core.walk(made.body) if isinstance(statement, core.Refuse)]
    assert [(refusal.construct, refusal.instead) for refusal in refusals] == [REFUSED[text]]
    assert refusals[0].loc.line == 1 + len(text.splitlines())


def test_a_coroutine_is_refused_as_a_whole() -> None:
    made = program("async def f(x):\n return await x")
    assert [type(statement).__name__ for statement in made.body] == ["Refuse", "Return"]


def test_every_statement_has_its_place() -> None:
    made = program("def f(x):\n  y = (x +\n    1) * 2\n  if y:\n    return g(y)\n  return 3")
    shown = {type(s).__name__ + str(s.loc.line) for s in core.walk(made.body)}
    assert {"Assign2", "If4", "Assign5", "Assign6", "Return1"} <= shown
    first = made.body[0].loc
    assert (first.line, first.column, first.end_line, first.end_column) == (2, 7, 3, 5)


# Programs of n parts each, and an n to begin with.
LONG: dict[str, tuple[Callable[[int], str], int]] = {
    "statements": (lambda n: "".join(f" y{i} = np.sin(x) * {i} + x[{i}]\n" for i in range(n)), 250),
    "elif": (
        lambda n: " if x == 0: y = 0\n" + "".join(f" elif x == {i}: y = {i}\n" for i in range(1, n)),
        50,
    ),
    "returning elif": (
        lambda n: " if x == 0: return 0\n" + "".join(f" elif x == {i}: return {i}\n" for i in range(1, n)),
        50,
    ),
    "early returns": (lambda n: "".join(f" if x == {i}: return {i}\n" for i in range(n)), 50),
    "sum": (lambda n: " return " + " + ".join(f"x[{i}]" for i in range(n)) + "\n", 125),
    "and": (lambda n: " return " + " and ".join(f"x[{i}]" for i in range(n)) + "\n", 50),
    "conditional": (
        lambda n: " return " + "".join(f"{i} if x == {i} else " for i in range(n)) + "3\n",
        30,
    ),
}


@contextmanager
def deep_parsing() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("name", LONG)
def test_long_functions_need_no_deep_stack_and_work_in_proportion(name: str) -> None:
    program_of, parts = LONG[name]
    with deep_parsing():
        short, long = (gast.parse(f"def f(x):\n{program_of(n)}").body[0] for n in (parts, 4 * parts))
    made, calls = counted(lambda: normalise(long))
    assert calls < 5 * counted(lambda: normalise(short))[1]
    verify(made)
    assert len(show(made).splitlines()) > 250
