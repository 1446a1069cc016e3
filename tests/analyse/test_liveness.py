"""Which temporaries nobody asks for behind a block."""

from __future__ import annotations

import textwrap

from zygpy.analyse.liveness import ending_with, live_after
from zygpy.ir import core
from zygpy.ir.nodes import parse_text
from zygpy.normalise import normalise


def ending(text: str) -> list[tuple[str, list[str]]]:
    """The temporaries that end with each block, by the statement that holds it, in order."""
    program = normalise(parse_text(textwrap.dedent(text)).body[0])
    found = ending_with(program, live_after(program))
    holders = [
        (statement, block) for statement in core.walk(program.body) for block in core.blocks(statement)
    ]
    return [
        (type(statement).__name__, sorted(found[id(block)]))
        for statement, block in holders
        if id(block) in found
    ]


def test_temporaries_of_an_arm_end_with_it() -> None:
    text = """
        def f(x, y):
            if x > y:
                y = (x + 1) * y
            return y
    """
    assert ending(text) == [("If", ["t_3"])]


def test_temporaries_of_a_round_end_with_it() -> None:
    text = """
        def f(x, n):
            for i in range(n):
                x = (x + i) * x
            return x
    """
    assert ending(text) == [("For", ["t_1"])]


def test_a_loop_that_may_be_left_in_the_middle_keeps_them() -> None:
    text = """
        def f(x):
            while True:
                x = (x + 1) * x
                if x > 9:
                    break
            return x
    """
    assert ending(text) == []
