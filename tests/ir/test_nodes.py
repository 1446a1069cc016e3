"""Quoting and walking: what a quotation may hold, and what belongs to a scope."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from zygpy.ir import nodes
from zygpy.ir.nodes import gast, name, parse_text, quote, quote_expression, to_python_ast


def text_of(statements: list[gast.stmt]) -> str:
    return "\n".join(ast.unparse(to_python_ast(statement)) for statement in statements)


@pytest.mark.parametrize("path", [Path(__file__), Path(ast.__file__)], ids=lambda path: path.name)
def test_gast_gives_the_tree_back_with_its_positions(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    again = to_python_ast(nodes.from_python_ast(tree))
    assert ast.dump(again, include_attributes=True) == ast.dump(tree, include_attributes=True)


def test_identifiers_of_every_sort_are_replaced() -> None:
    quoted = quote(
        "def $f($x, $y=1, *$z):\n    global $g\n    return $x.$field($key=$y)",
        f="f", x="x", y="y", z="z", g="g", field="real", key="axis",
    )  # fmt: skip
    assert text_of(quoted) == "def f(x, y=1, *z):\n    global g\n    return x.real(axis=y)"


def test_parts_are_stored_where_the_placeholder_is_stored() -> None:
    pair = quote_expression("a, [b[0], *c.d]")
    (assignment,) = quote("$pair = $pair", pair=pair)
    assert ast.dump(to_python_ast(assignment)) == ast.dump(
        ast.parse("a, [b[0], *c.d] = a, [b[0], *c.d]").body[0]
    )
    assert isinstance(pair.ctx, gast.Load)  # type: ignore[attr-defined]


def test_a_template_is_not_changed_by_use() -> None:
    assert text_of(quote("$x = 1", x="a")) == "a = 1"
    assert text_of(quote("$x = 1", x="b")) == "b = 1"


def test_text_in_strings_is_left_alone() -> None:
    assert text_of(quote("x = 'quoted__y'")) == "x = 'quoted__y'"


def test_quoted_nodes_take_the_location_they_are_given_and_parts_keep_theirs() -> None:
    place = parse_text("\n\n  \nx = 1").body[0]
    part = parse_text("\n\n\n\n\n\ny").body[0].value  # type: ignore[attr-defined]
    (statement,) = quote("a = $y + 1", at=place, y=part)
    assert statement.lineno == 4
    assert statement.value.left.lineno == 7  # type: ignore[attr-defined]
    assert statement.value.right.lineno == 4  # type: ignore[attr-defined]


def test_mistakes_in_quotations_are_told() -> None:
    with pytest.raises(KeyError, match="y"):
        quote("$x = $y", x="x")
    with pytest.raises(TypeError, match=r"\$f stands for an identifier"):
        quote("x.$f", f=name("y"))
    with pytest.raises(TypeError, match=r"\$x stands for an expression"):
        quote("y = $x", x=[])
    with pytest.raises(ValueError, match="not an expression"):
        quote_expression("x) = (1")


def test_every_way_to_bind_a_name() -> None:
    tree = parse_text(
        """
def f(p, *q):
    global g
    a = b = 1
    (c, [*d]), e.x, h[i] = 1
    j += 1
    k: int = 1
    del l
    for m, n in o: pass
    with o as r: pass
    import s.t, u as v
    def w(aa): bb = 1
    class x: cc = 1
    [dd for dd, ee in o if (y := dd)]
    {ff: gg for ff, gg in o}
    match o:
        case [z, *za] | {'a': zb, **zc} | P(zd) as ze: pass
    try: pass
    except E as zf: pass
    g = 1
"""
    ).body[0]
    expected = [*"abcdjklmnrsvwxyz", "za", "zb", "zc", "zd", "ze", "zf", "g"]
    found = nodes.assigned_names(tree)
    assert sorted(found) == sorted(expected)
    assert len(found) == len(set(found))
    assert isinstance(tree, gast.FunctionDef)
    assert nodes.local_names(tree) == {"p", "q", *expected} - {"g"}


def test_a_long_expression_is_walked_without_recursion() -> None:
    tree: gast.expr = name("x")
    for _ in range(10_000):
        tree = gast.UnaryOp(op=gast.USub(), operand=tree)
    assert sum(isinstance(node, gast.UnaryOp) for node in nodes.own_nodes(tree)) == 10_000
