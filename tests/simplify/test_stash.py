"""The two sides of the stash change together: entries that the adjoint does not read go from both."""

from __future__ import annotations

import pytest

from tests.simplify.running import text_of, trees
from zygpy.simplify import simplify

LOOP = """
def f_forward(x, n):
    x_1 = x
    tape = []
    for i in range(n):
        x_2 = x
        tape.append((x_2, i, n))
        x = x * i
    return x, (tape, x_1, n)

def f_adjoint(stash, y_bar):
    tape, x_1, n = stash
    x_bar = y_bar
    for x, i, n in {walk}:
        t_bar = x_bar * x
        x_bar = x_bar * i
    return x_bar, {last}
"""


def simplified(text: str) -> tuple[str, str]:
    """The texts of a pair once simplified."""
    forward, adjoint = simplify(*trees(text))  # type: ignore[arg-type]
    return text_of(forward), text_of(adjoint)


def test_what_is_not_read_is_not_stashed() -> None:
    forward, adjoint = simplified(LOOP.format(walk="reversed(tape)", last="None"))
    assert "tape.append(i)" in forward and "return (x, tape)" in forward
    assert "x_1" not in forward and "x_2" not in forward
    assert "tape = stash" in adjoint and "for i in reversed(tape):" in adjoint


def test_a_position_beside_the_tape_stays() -> None:
    walk = "zip(reversed(range(len(tape))), reversed(tape))"
    text = LOOP.format(walk=walk, last="None").replace("for x, i, n in", "for k, (x, i, n) in")
    forward, adjoint = simplified(text.replace("x_bar * i\n", "x_bar * i * k\n"))
    assert "tape.append(i)" in forward
    assert f"for k, i in {walk}:" in adjoint.replace("(k, i)", "k, i")


def test_a_tape_that_only_counts_keeps_its_length() -> None:
    text = LOOP.format(walk="reversed(tape)", last="None").replace("x_bar * i\n", "x_bar * 2.0\n")
    forward, adjoint = simplified(text)
    assert forward.count("tape.append(") == 1 and "in reversed(tape):" in adjoint


def test_nested_tapes() -> None:
    forward, adjoint = simplified(
        """
        def f_forward(x):
            outer = []
            for i in range(3):
                inner = []
                for j in range(i):
                    inner.append((x, j))
                    x = x * j
                outer.append((inner, i))
            return x, (x, outer)

        def f_adjoint(stash, y_bar):
            x, outer = stash
            x_bar = y_bar
            for inner, i in reversed(outer):
                for x, j in reversed(inner):
                    x_bar = x_bar * j
            return x_bar,
        """
    )
    assert (
        "inner.append(j)" in forward and "outer.append(inner)" in forward and "return (x, outer)" in forward
    )
    assert "for inner in reversed(outer):" in adjoint and "for j in reversed(inner):" in adjoint


def test_a_stash_that_nobody_reads_is_none() -> None:
    forward, _ = simplified("def f(x):\n    return x, (x, 1)\ndef g(stash, y_bar):\n    return y_bar,")
    assert "return (x, None)" in forward


def test_what_is_stashed_twice_is_stashed_once() -> None:
    forward, adjoint = simplified(
        "def f(x, y):\n    return y, (x, y, x)\n"
        "def g(stash, y_bar):\n    x, y, x_1 = stash\n    return x * y_bar, x_1 * y"
    )
    assert "return (y, (x, y))" in forward
    assert "x, y = stash" in adjoint.replace("(x, y)", "x, y") and "return (x * y_bar, x * y)" in adjoint


def test_what_is_stashed_twice_and_bound_again_stays() -> None:
    forward, _ = simplified(
        "def f(x, y):\n    return y, (x, y, x)\n"
        "def g(stash, y_bar):\n    x, y, x_1 = stash\n    for x in y:\n        y_bar += x\n"
        "    return x, x_1, y_bar"
    )
    assert "return (y, (x, y, x))" in forward


@pytest.mark.parametrize(
    "adjoint",
    [
        "    x, _ = stash\n    return x * _,",
        "    x, y = stash\n    z = helper(stash)\n    return z * x,",
    ],
    ids=["variable called _", "stash read as a whole"],
)
def test_what_is_left_alone(adjoint: str) -> None:
    forward, _ = simplified(f"def f(x, y):\n    return x, (x, y)\ndef g(stash, y_bar):\n{adjoint}")
    assert "return (x, (x, y))" in forward
