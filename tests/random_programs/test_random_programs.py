"""Random programs against differences, and whether the generator and its judge are what they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import zygpy
from tests.random_programs import grammar
from tests.random_programs.judge import FINE, RIGHT, judge
from tests.random_programs.program import Program, program
from tests.random_programs.shrink import shrunk
from tests.random_programs.subject import Mode, compiled, performed

PROGRAMS = 40


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_program_is_right_or_refused(seed: int) -> None:
    written = program(seed)
    verdict = judge(written, seconds=None)
    assert verdict.outcome in FINE, f"{written.text}\n{verdict.outcome}: {verdict.detail}"


@pytest.mark.parametrize("seed", [48, 49, 50, 51, 52, 54, 55, 56])
def test_program_in_other_words_is_right_or_refused(seed: int) -> None:
    written = program(seed, changes=6)
    assert written.text != program(seed).text
    verdict = judge(written, seconds=None)
    assert verdict.outcome in FINE, f"{written.text}\n{verdict.outcome}: {verdict.detail}"


def test_all_other_words_can_be_compiled() -> None:
    for seed in range(60):
        text = program(seed, changes=12).text
        compile(text, f"<program {seed}>", "exec", dont_inherit=True)


def test_programs_run() -> None:
    failures = Counter[str]()
    for seed in range(150):
        with compiled(program(seed), Mode()) as subject, np.errstate(all="ignore"):
            call = performed(subject, subject.arguments(subject.numbers(), 1), subject.names["program"])
            failures[type(call.failure).__name__] += 1
    assert failures["NoneType"] >= 140, failures


def test_everything_in_the_grammar_is_written() -> None:
    used: set[Any] = set()

    def noted(choice: grammar.Choice) -> grammar.Choice:
        def make(*args: Any) -> Any:
            made = choice.make(*args)
            if made is not None:
                used.add(choice.make)
            return made

        return replace(choice, make=make)

    registers = [grammar.STATEMENTS, grammar.CONDITIONS, *grammar.EXPRESSIONS.values()]
    before = [list(register) for register in registers]
    try:
        for register in registers:
            register[:] = [noted(choice) for choice in register]
        for seed in range(2000):
            program(seed)
    finally:
        for register, choices in zip(registers, before, strict=True):
            register[:] = choices
    unused = {f"{c.family}.{c.make.__name__}" for choices in before for c in choices if c.make not in used}
    assert not unused


def test_a_seed_gives_one_program() -> None:
    code = "from tests.random_programs.program import program\nprint(*(program(k).text for k in range(15)))"
    texts = set()
    for hashes in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, check=True
        )
        texts.add(done.stdout)
    assert len(texts) == 1


def simple(body: str) -> Program:
    """A program of the first parameters, which all programs have, and a text of its own."""
    head = "import numpy as np\nSTATE = {'a': 1.0}\n\n\ndef program(a, b, v, *rest):\n"
    return replace(program(0), text=head + body, parameters=program(0).parameters[:3])


WORKING = simple("    v[0] += a * b\n    STATE['a'] = v[0]\n    return (v * v).sum() * b\n")


def test_what_is_right_is_found_right() -> None:
    assert judge(WORKING, Mode()).outcome == RIGHT


def test_what_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(f: Any, *args: Any) -> Any:
        value, back = original(f, *args)
        return value, lambda seed: spoilt(back(seed))

    original, factor = zygpy.pullback, [1.0]

    def spoilt(bars: Any) -> Any:
        return (bars[0], bars[1] * factor[0], *bars[2:])

    monkeypatch.setattr(zygpy, "pullback", wrong)
    assert judge(WORKING, Mode()).outcome == RIGHT
    factor[0] = 1.001
    assert judge(WORKING, Mode()).outcome == "gradient"


def test_another_value_or_effect_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_effect(f: Any, *args: Any) -> Any:
        value = f(*args[:2], args[2].copy(), *args[3:])
        return value, lambda seed: ()

    monkeypatch.setattr(zygpy, "pullback", without_effect)
    assert judge(WORKING, Mode()).outcome == "value"


def test_programs_are_made_smaller() -> None:
    text = "def program(a):\n    c = a + 1.0\n    for k in range(3):\n        c = c * f(k)\n    return c\n"
    assert shrunk(text, lambda smaller: "f(" in smaller).count("\n") <= 3
