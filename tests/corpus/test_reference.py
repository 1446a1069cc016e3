"""The corpus itself, without the engine: programs do what their tags say, references are accurate."""

from __future__ import annotations

import pytest

from tests.corpus.reference import cases, complex_step, plain, problem, programs, slopes
from zygpy.testing import trees
from zygpy.testing.compare import one_hot
from zygpy.testing.compare import reference as slope_along

PLAIN = [case for case in cases(raising=False) if "nested" not in programs()[case[0]].tags]


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(programs()) >= 400


@pytest.mark.parametrize("case", PLAIN, ids=str)
def test_programs_do_what_their_tags_say(case: tuple[str, int]) -> None:
    program, outcome = programs()[case[0]], plain(*case)
    assert outcome.failure is None
    wrote = not trees.same(outcome.arguments, program.argument_sets[case[1]])
    assert wrote == ("writes-arguments" in program.tags)
    assert bool(outcome.printed or outcome.logged) == ("effects" in program.tags)


@pytest.mark.parametrize("case", cases(raising=True), ids=str)
def test_programs_that_raise_do(case: tuple[str, int]) -> None:
    assert plain(*case).failure is not None


@pytest.mark.parametrize("case", PLAIN, ids=str)
def test_references_are_accurate(case: tuple[str, int]) -> None:
    coarse = problem(*case).precision > 1e-8
    for path, leaf in trees.leaves(programs()[case[0]].argument_sets[case[1]]):
        if trees.is_integer(leaf):
            continue
        for index, _, estimate in slopes(*case, path):
            limit = (1e-2 if coarse else 1e-7) * max(1.0, abs(estimate.value))
            assert estimate.error <= limit, f"argument {path}, index {index}: {estimate}"


@pytest.mark.parametrize("case", [c for c in PLAIN if "analytic" in programs()[c[0]].tags], ids=str)
def test_complex_step_agrees_with_differences(case: tuple[str, int]) -> None:
    for path, leaf in trees.leaves(programs()[case[0]].argument_sets[case[1]]):
        direction = one_hot(leaf, (0,) * getattr(leaf, "ndim", 0), 1.0)
        differences = slope_along(problem(*case), path, leaf, direction)
        assert differences is not None
        exact = complex_step(problem(*case), path, leaf, direction).value
        assert abs(exact - differences.value) <= 4 * differences.error + 1e-12 * abs(exact)


@pytest.mark.parametrize("case", [c for c in PLAIN if programs()[c[0]].gradient], ids=str)
def test_closed_forms_are_right(case: tuple[str, int]) -> None:
    program = programs()[case[0]]
    args = program.argument_sets[case[1]]
    assert program.gradient is not None
    for position, expected in enumerate(program.gradient(*args)):
        if expected is not None:
            ((_, _, estimate),) = slopes(*case, (position,))
            assert abs(estimate.value - expected) <= 4 * estimate.error + 1e-12 * abs(expected)
