"""Whatever code changes an array in what it is given: the caller sees it by every name."""

from __future__ import annotations

import re
import zlib

import numpy as np
import pytest

import zygpy as zg
from tests.handing_in.callees import CALLEES
from tests.handing_in.ways import HOLDERS, STARTS
from tests.written import module_of
from zygpy import units

POINT = np.array([1.1, 0.7, 1.3])

HEADER = """
import contextlib
import dataclasses
import functools

from tests.handing_in.ways import *
"""

WRITES = (
    ("{b}[:] = {x}**2",),
    ("q = {b}", "q += {x}**2"),
    ("np.square({x}, out={b})",),
    ("{b}.fill({x}[0])",),
    ("for i in range(3):", "    {b}[i] = {x}[i]**2"),
    ("q = {b}[1:]", "q[:] = {x}[1:]**2"),
)

READS = (
    ("return np.sum(b * x)",),
    ("return np.sum({in_h} * x)",),
    ("b *= x", "return np.sum({in_h} * x)"),
    ("c = b * b", "b[:] = x", "return np.sum(c * b)"),
)

CASES = [(callee, turn) for callee in CALLEES for turn in range(4)]

REFUSED = {("setter", 3), ("cached property", 2)}
"""Where what is changed is what a function gives, which others may find."""


def text(callee: str, turn: int) -> str:
    """The text of a module with one program."""
    number = zlib.crc32(callee.encode()) + turn
    holder = list(HOLDERS)[(number + 5 * turn) % len(HOLDERS)]
    made, b, x = HOLDERS[holder]
    definition, call = CALLEES[callee]
    lines = [line.replace("{b}", b).replace("{x}", x) for line in WRITES[number % len(WRITES)]]
    definition, call = (_filled(part, lines) for part in (definition, call))
    in_h = "h" + b.removeprefix("t")
    after = [line.replace("{in_h}", in_h) for line in READS[turn]]
    program = [STARTS[number % 2], f"h = {made}", *call.strip("\n").split("\n"), *after]
    body = "\n".join(f"    {line}" for line in program)
    return f"{HEADER}\n\n{definition}\n\n\ndef program(x):\n{body}\n"


def _filled(part: str, lines: list[str]) -> str:
    """The text with the lines in the place that is marked, as deep as the mark."""
    return re.sub(
        r"^( *)@@$", lambda found: "\n".join(found[1] + line for line in lines), part, flags=re.MULTILINE
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_the_caller_sees_it(case: tuple[str, int], tmp_path_factory: pytest.TempPathFactory) -> None:
    program = module_of(text(*case), "program_of_a_callee", tmp_path_factory).program
    if case in REFUSED:
        with pytest.raises(
            zg.UnsupportedSyntaxError, match=r"called by a name that was not known|that others may find"
        ):
            zg.gradient(program, POINT.copy())
        return
    with units.options(specialise=case[1] > 0):
        (gradient,) = zg.gradient(program, POINT.copy())
    gradient = np.zeros(3) if gradient is None else gradient
    steps = 1e-6 * np.eye(3)
    differences = [(program(POINT + step) - program(POINT - step)) / 2e-6 for step in steps]
    assert gradient == pytest.approx(differences, rel=1e-6, abs=1e-7)
