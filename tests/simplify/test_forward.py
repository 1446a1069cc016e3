"""Rewrites of the forward function: what they make of it, and what they must leave as it is."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.simplify.running import body, forward


def simplified(lines: str, parameters: str = "x, y") -> str:
    """The simplified body of a forward function that has these lines."""
    inner = dedent(lines).strip("\n").replace("\n", "\n    ")
    return body(forward(f"def f_forward({parameters}):\n    {inner}"))


FOLDED = {
    "expression": (
        "t_1 = x * y\nt_2 = math.sin(x)\nz = t_1 + t_2\nreturn z, None",
        "z = x * y + math.sin(x)",
    ),
    "call in a call": ("t_1 = h(x)\nt_2 = g(t_1, y)\nreturn t_2, None", "return (g(h(x), y), None)"),
    "method of a result": ("t_1 = x @ y\nt_2 = t_1.sum()\nreturn t_2, None", "return ((x @ y).sum(), None)"),
    "call for its effect": ("t_1 = print(x)\nreturn x, None", "print(x)"),
    "item assignment": ("t_1 = x + 1\ny[0] = t_1\nreturn y, None", "y[0] = x + 1"),
    "augmented item": ("t_1 = x + 1\ny[0] += t_1\nreturn y, None", "y[0] += x + 1"),
    "iterable": ("t_1 = h(x)\nfor i in t_1:\n    y += i\nreturn y, None", "for i in h(x):"),
    "behind a record": ("t_1 = x * y\ntape.append(x)\nz = t_1 + 1\nreturn z, tape", "z = x * y + 1"),
    "test": ("t_1 = x > y\nt_2 = bool(t_1)\nif t_2:\n    x = y\nreturn x, None", "if x > y:"),
    "negated test": ("t_1 = x > y\nt_2 = bool(t_1)\nif not t_2:\n    x = y\nreturn x, None", "if not x > y:"),
    "conditional expression": (
        "t_2 = bool(x)\nif t_2:\n    t_1 = y\nelse:\n    t_1 = 2\nz = t_1 * 3\nreturn z, None",
        "z = (y if bool(x) else 2) * 3",
    ),
    "and": ("t_1 = h(x)\nt_2 = bool(t_1)\nif t_2:\n    t_1 = g(y)\nreturn t_1, None", "h(x) and g(y)"),
    "or": ("t_1 = h(x)\nt_2 = bool(t_1)\nif not t_2:\n    t_1 = g(y)\nreturn t_1, None", "h(x) or g(y)"),
    "and in a test": (
        """
        t_2 = x > 0
        t_3 = bool(t_2)
        if t_3:
            t_4 = y > 0
            t_1 = bool(t_4)
        else:
            t_1 = t_3
        if t_1:
            x = y
        return x, None
        """,
        "if x > 0 and y > 0:",
    ),
    "while": (
        "while True:\n    t_1 = x < y\n    t_2 = bool(t_1)\n    if not t_2:\n        break\n"
        "    x += 1\nreturn x, None",
        "while x < y:\n    x += 1",
    ),
    "else if": (
        """
        if x:
            z = 1
        else:
            t_1 = h(y)
            t_2 = bool(t_1)
            if t_2:
                z = 2
            else:
                z = 3
        z += 1
        return z, None
        """,
        "elif h(y):",
    ),
    "an arm that returns": (
        """
        if x:
            z = h(x)
            t_1 = None
        else:
            z = h(y)
            t_1 = z, y
        return z, t_1
        """,
        "if x:\n    return (h(x), None)\nz = h(y)\nreturn (z, (z, y))",
    ),
    "arms that return in order": (
        """
        if x:
            z = h(x)
            y = h(y)
        else:
            z = y
        return y, z
        """,
        "if x:\n    z = h(x)\n    return (h(y), z)\n",
    ),
    "captured result": (
        """
        def read():
            return z
        if x:
            z = h(read)
        else:
            z = y
        return z, None
        """,
        "if x:\n    z = h(read)\nelse:\n    z = y\nreturn (z, None)",
    ),
    "named result": ("t_1 = []\nfor i in x:\n    t_1.append(i)\nz = t_1\nreturn z, None", "z.append(i)"),
    "raise": ("t_1 = ValueError(x)\nraise t_1", "raise ValueError(x)"),
}


@pytest.mark.parametrize(("lines", "expected"), FOLDED.values(), ids=FOLDED)
def test_what_is_written(lines: str, expected: str) -> None:
    assert expected in simplified(lines)
    assert "t_" not in simplified(lines)


KEPT = {
    "read twice": "t_1 = x * y\nz = t_1 + t_1\nreturn (z, None)",
    "stashed": "t_1 = x * y\nreturn (t_1 + x, t_1)",
    "calls in another order": "t_1 = h(x)\nz = g(y) - t_1\nreturn (z, None)",
    "past a call": "t_1 = x * y\nprint(x)\nz = t_1 + 1\nreturn (z, None)",
    "past an assignment": "t_1 = x * y\nx = 2\nz = t_1 + x\nreturn (z, None)",
    "copy past an assignment": "t_1 = x\nx = y\ny = t_1\nreturn (x, y)",
    "past an item assignment": "t_1 = x[0]\nx[0] = y\nz = t_1 + 1\nreturn (z, None)",
    "into a loop": "t_1 = h(x)\nfor i in y:\n    x += t_1\nreturn (x, None)",
    "into an arm": "t_1 = h(x)\nif y:\n    x = t_1\nreturn (x, None)",
    "into a function": "t_1 = h(x)\n\ndef inner(z=t_1):\n    return z\nreturn (inner(), None)",
    "user's variable": "z = x * y\nreturn (z + 1, None)",
    "augmented assignment": "x += y\nx = x + y\nreturn (x, None)",
    "behind a global": "t_1 = h(x)\nz = LIMIT * t_1\nreturn (z, None)",
    "test that is stashed": "t_2 = bool(x > y)\nif t_2:\n    x = y\nreturn (x, t_2)",
    "user's bool": "z = bool(x)\nif z:\n    x = y\nreturn (x, None)",
    "loop with a first statement": "while True:\n    x += 1\n    if x:\n        break\nreturn (x, None)",
    "arms with more": "if x:\n    t_1 = h(y)\n    z = 1\nelse:\n    t_1 = 2\n    z = 2\nreturn [t_1, z]",
}


@pytest.mark.parametrize("lines", KEPT.values(), ids=KEPT)
def test_what_is_left_alone(lines: str) -> None:
    assert simplified(lines).strip() == lines


def test_a_captured_variable_is_read_when_it_was() -> None:
    lines = """
        def bump():
            nonlocal total
            total = total + 1
            return total
        t_1 = total
        t_2 = bump()
        z = t_2 - t_1
        return z, None
        """
    text = simplified("total = x\n" + dedent(lines))
    assert "t_1 = total\nz = bump() - t_1" in text


def test_a_captured_variable_keeps_the_order_of_the_expression() -> None:
    lines = """
        def bump():
            nonlocal total
            total = total + 1
            return total
        t_1 = total
        t_2 = bump()
        z = t_1 - t_2
        return z, None
        """
    assert "z = total - bump()" in simplified("total = x\n" + dedent(lines))


def test_wide_expressions_stay_in_pieces() -> None:
    wide = " + ".join(["variable_with_a_long_name"] * 4)
    text = simplified(f"t_1 = {wide}\nz = t_1 * y\nreturn z, None", "variable_with_a_long_name, y")
    assert text.startswith(f"t_1 = {wide}\nz = t_1 * y")
