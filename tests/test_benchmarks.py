"""The benchmarks compare like with like: every gradient in them is right. Times are never tested."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import zygpy as zg
from benchmarks.__main__ import main
from benchmarks.case import Case, Reading
from benchmarks.measure import HAND, PRIMAL, ZYGPY, best_times, measure
from benchmarks.probes import derivation, memory
from benchmarks.programs import CASES, scalar_loop
from benchmarks.report import case_result, case_table, reading_result, reading_table
from zygpy.derivation import DOORS

cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def along(arguments, directions, step):
    return [
        value if direction is None else value + step * direction
        for value, direction in zip(arguments, directions, strict=True)
    ]


@cases
def test_the_gradient_by_hand_agrees_with_differences(case):
    random = np.random.default_rng(1)
    arguments = case.arguments()
    value, gradient = case.hand(*arguments)
    assert value == case.primal(*arguments)
    directions = [None if bar is None else random.normal(size=np.shape(bar)) for bar in gradient]
    slopes = [
        (case.primal(*along(arguments, directions, h)) - case.primal(*along(arguments, directions, -h)))
        / (2 * h)
        for h in (1e-4, 5e-5)
    ]
    slope = (4 * slopes[1] - slopes[0]) / 3  # Richardson: the error is of fourth order
    pairs = zip(gradient, directions, strict=True)
    assert slope == pytest.approx(sum(np.sum(g * d) for g, d in pairs if g is not None), rel=1e-6)


@cases
def test_nothing_is_found_when_it_is_called(case):
    text = str(zg.show_adjoint(case.primal, *case.arguments()))
    called = set(re.findall(r"\b(\w+)\(", text)) & {name for name, _ in DOORS}
    assert called <= ({"pull_method"} if "objects" in case.name else set())  # `append` to a list of objects


@cases
def test_zygpy_agrees_with_the_gradient_by_hand(case):
    arguments = case.arguments()
    value, gradient = zg.withgradient(case.primal, *arguments)
    expected_value, expected = case.hand(*arguments)
    assert value == expected_value
    for bar, expected_bar in zip(gradient, expected, strict=True):
        assert (bar is None) == (expected_bar is None)
        if bar is not None:
            np.testing.assert_allclose(bar, expected_bar, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", [c for c in CASES if c.over], ids=lambda case: case.name)
def test_the_program_for_other_libraries_is_the_same(case):
    arguments = case.arguments()
    assert case.over(np)(*arguments) == pytest.approx(case.primal(*arguments), rel=1e-12)


@pytest.mark.acceptance
def test_a_case_is_measured():
    seconds = measure(scalar_loop.CASE, repeats=1)
    assert {PRIMAL, HAND, ZYGPY} <= set(seconds)
    assert all(0 < value < math.inf for value in seconds.values())


def test_a_wrong_gradient_is_not_timed():
    def square(x):
        return x * x

    wrong = Case("wrong", square, lambda x: (x * x, (3 * x,)), lambda: (2.0,))
    with pytest.raises(ArithmeticError, match="wrong: zygpy differs in argument 0"):
        measure(wrong, repeats=1)


def test_contestants_are_interleaved():
    calls = []
    best_times({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repeats=2)
    order = [call for call, before in zip(calls[1:], calls, strict=False) if call != before]
    assert order == ["b", "a", "b", "a", "b"]


def test_the_programs_to_derive_are_programs():
    twenty = derivation.functions([derivation.TWENTY_LINES.format(name="program")], ["program"])[0]
    assert len(derivation.TWENTY_LINES.splitlines()) == 20
    assert math.isfinite(twenty(0.5, 3))
    assert derivation.straight_line(3)(1.0) == pytest.approx(
        math.sin(math.sin(1.0) + 0.5) + 0.5 * 1.0, rel=1e-15
    )


def test_peak_memory_sees_what_is_allocated():
    assert 8 * 10**6 <= memory.peak(lambda: np.ones(10**6), repeats=2) < 9 * 10**6


def test_tables_mark_what_is_beyond_its_limit():
    case = Case("loop", abs, divmod, tuple, None, 1.2, 3.5)
    text = case_table([case_result(case, {PRIMAL: 1e-3, HAND: 2e-3, ZYGPY: 3e-3})])
    assert " ".join(text.splitlines()[1].split()) == "loop 1 2 3 - - - 1.50 !> 1.2 3.00 <= 3.5"
    text = reading_table([reading_result(Reading("tape", 2.0, "KiB"))])
    assert text.splitlines()[1].split() == ["tape", "2.00", "KiB"]


def test_the_command_prints_json(capsys):
    assert main(["--only", "import", "--json", "--repeats", "1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["programs"] == []
    assert [number["name"] for number in printed["numbers"]] == ["import zygpy over numpy"]


def test_an_unknown_name_gets_the_names_and_status_2(capsys):
    assert main(["--only", "quicksort"]) == 2
    assert "there are: scalar loop, " in capsys.readouterr().err
