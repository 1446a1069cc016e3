"""Arithmetic in memory that nobody reads any more: what is written to, and what is not."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.gradients_pushed import gradient_push
from zygpy.ir.nodes import quote, to_python_ast
from zygpy.tangent.in_place import in_place
from zygpy.tangent.known import Known
from zygpy.tangent.shapes import Shapes

REAL = frozenset({"a", "b", "c", "d", "e", "t"})


def rewritten(*lines: str) -> str:
    body = quote("\n".join(("z = np.zeros(s)", *lines, "return (z,)")))
    function = quote("def g(a, b, s, h):\n    $body", body=body)[0]
    ranks = dict.fromkeys(REAL - {"b"}, 1)
    shapes = Shapes(function, ranks, frozenset({"h"}), frozenset(), {"b": "a"})
    known = Known.of(function, REAL | {"h"})
    made: Any = to_python_ast(in_place(function, known, shapes, lambda wish, value: wish))
    return "\n".join(ast.unparse(statement) for statement in made.body[1:-1])


def test_a_chain_is_in_one_memory() -> None:
    text = rewritten("c = a * b", "d = c - h", "e = 3.0 * d", "z[1:] += e")
    assert text == "c = a * b\nc -= h\nc *= 3.0\nz_1 = z[1:]\nz_1 += c"


def test_a_stored_value_goes_where_it_belongs() -> None:
    assert rewritten("z[1:] = a[1:] * b[1:]") == "multiply(a[1:], b[1:], z[1:])"


@pytest.mark.parametrize(
    "lines",
    [
        ("c = a * b", "d = c * a", "e = c * d", "z[1:] = e"),  # it is read once more
        ("c = a * b", "d = c * c", "z[1:] = d"),
        ("c = a", "d = c * b", "z[1:] = d"),  # it has another name
        ("c = a * b", "e = c", "d = c * b", "z[1:] = d", "z[1:] += e"),
        ("c = a * b", "e = c[:]", "d = c * b", "z[1:] = d", "z[1:] += e"),  # there is a part of it
        ("c = a * b", "e = abs(c)", "d = c * b", "z[1:] = d", "z[1:] += e"),
        ("c = np.sin(a)", "d = c * b", "z[1:] = d"),
        ("c = a[:]", "d = c * b", "z[1:] = d"),
        ("c = a * t", "d = c * t", "z[1:] = d"),  # the shapes may differ
        ("c = a * b", "c = c * b", "z[1:] = c"),
    ],
)
def test_what_is_not_written_to(lines: tuple[str, ...]) -> None:
    scope = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 5.0]), "t": np.array([7.0, 11.0]), "np": np}
    results = []
    for text in ("\n".join(lines), rewritten(*lines)):
        names: dict[str, Any] = {
            **scope,
            "z": np.zeros(3),
            "multiply": np.multiply,
            "subtract": np.subtract,
        }
        exec(text, names)
        results.append(names["z"])
        assert names["a"].tolist() == [1.0, 2.0] and names["b"].tolist() == [3.0, 5.0]
    assert results[0].tolist() == results[1].tolist()


def linked(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def products(x: Any) -> Any:
    y = x[1:] * x[:-1]
    return np.sum((y - x[1:] ** 2) ** 2 * y + y**2)


def in_parts(x: Any) -> Any:
    y = x**2 - 3.0 * x
    return np.sum((y[1:] - y[:-1]) ** 2 + (2.0 * y[1:]) ** 2)


def columns(x: Any) -> Any:
    y = x[:, None] ** 2 - x
    return np.sum((y - y**2) ** 2)


@pytest.mark.parametrize("f", [linked, products, in_parts, columns])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_products_with_hessians(f: Any, size: int) -> None:
    """Beside differences of gradients; given arrays stay as they are, and calls do not see each other."""
    x, v = np.linspace(-1.0, 1.3, size), np.cos(np.arange(float(size)))
    given = x.copy(), v.copy()
    step = 1e-6
    expected = (zg.gradient(f, x + step * v)[0] - zg.gradient(f, x - step * v)[0]) / (2.0 * step)
    found = [zg.hvp(f, x, v) for _ in range(3)]
    for product in found:
        assert np.allclose(product, expected, rtol=1e-5, atol=1e-6)
        assert product.tobytes() == found[0].tobytes()
    assert (x == given[0]).all() and (v == given[1]).all()
    assert not any(np.shares_memory(product, array) for product in found for array in (x, v))


def test_what_meets_an_infinity_is_computed_with_guards() -> None:
    x, v = np.array([0.0, 1e200, 0.5]), np.array([1.0, 1.0, 0.0])
    assert gradient_push(linked, (x,)).tangent.unguarded is not None
    with np.errstate(all="ignore"):
        results = [zg.hvp(linked, x, v) for _ in range(3)]
    assert all(result.tobytes() == results[0].tobytes() for result in results)
