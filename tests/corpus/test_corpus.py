"""Every program of the corpus under every switch, against plain calls and numerical references."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from types import CodeType
from typing import Any

import numpy as np
import pytest

import zygpy
from tests.corpus.reference import cases, observe, plain, problem, programs, quiet, slopes
from tests.corpus.refusals import REFUSALS, entry, judged, refused
from zygpy import units
from zygpy.testing import trees
from zygpy.testing.check import Engine, checked_gradient, random_weight
from zygpy.testing.compare import Problem, Settings, part, summed, tolerance_of

ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether second derivatives are taken at every point and with every switch, which takes a while."""
OLDEST = sys.version_info < (3, 12)
SWITCHES = [(True, True), (True, False), (False, True), (False, False)]
SPELLED = ["specialised-simplified", "specialised-raw", "generic-simplified", "generic-raw"]
ENGINE = Engine(lambda *args: zygpy.pullback(*args), lambda *args: zygpy.gradient(*args))
SMOOTH = cases(raising=False)
RAISING = cases(raising=True)
SECOND = [case for case in SMOOTH if "order1-only" not in programs()[case[0]].tags]


PLAIN_MODULES = frozenset(
    (
        "arrays",
        "control_flow",
        "equal_reads",
        "functions",
        "loops_exits",
        "names",
        "nested_gradients",
        "numbers_and_kinds",
        "numpy_calls",
        "recursion",
        "scalars",
    )
)
"""The parts of the corpus in which few programs have things that are found by identity."""


def spelled(case: tuple[str, int]) -> str:
    return f"{case[0]}-{case[1]}"


@pytest.fixture(params=SWITCHES, ids=SPELLED)
def switches(request: pytest.FixtureRequest) -> Iterator[tuple[bool, bool]]:
    """Every combination of the pipeline's options."""
    specialise, simplify = request.param
    with units.options(specialise=specialise, simplify=simplify):
        yield request.param


def first_runs() -> list[Any]:
    """Each program as it is derived by default, and on the oldest Python every fourth one (of those that take
    longer every eighth) at its first point in one of the other ways in turn; everything if that is wanted."""
    runs = []
    for case in SMOOTH:
        rest, turn = divmod(zlib.crc32(case[0].encode()), 3)
        seldom = rest % (4 if case[0].split(".")[0] in PLAIN_MODULES else 8)
        also = OLDEST and case[1] == 0 and not seldom
        for number, (specialise, simplify) in enumerate(SWITCHES):
            if ALL or number == 0 or (number == 1 + turn and also):
                runs.append(
                    pytest.param(case, (specialise, simplify), id=f"{SPELLED[number]}-{spelled(case)}")
                )
    return runs


@pytest.mark.parametrize(("case", "switches"), first_runs(), indirect=["switches"])
def test_value_and_effects_are_those_of_a_plain_call(case: tuple[str, int], switches: Any) -> None:
    judged("value", case, lambda: compare_value(case), specialised=switches[0])


def compare_value(case: tuple[str, int]) -> None:
    """The call of `pullback` does what a plain call does."""
    program, expected = programs()[case[0]], plain(*case)
    found = observe(lambda args: zygpy.pullback(program.function, *args)[0], program.argument_sets[case[1]])
    if found.failure is not None and issubclass(found.failure[0], zygpy.ZygpyError):
        raise found.failure[0](found.failure[1])
    assert found.failure is None
    assert trees.same(found.value, expected.value), f"{found.value!r} is not {expected.value!r}"
    assert (found.printed, found.logged) == (expected.printed, expected.logged)
    assert trees.same(found.arguments, expected.arguments)


@pytest.mark.parametrize("case", RAISING, ids=spelled)
def test_exceptions_are_those_of_a_plain_call(case: tuple[str, int], switches: Any) -> None:
    program = programs()[case[0]]
    if entry("value", case, specialised=switches[0]) in refused():
        with pytest.raises(REFUSALS, match="Why: "):
            zygpy.pullback(program.function, *trees.copy(program.argument_sets[case[1]]))
        return
    expected = plain(*case)
    found = observe(lambda args: zygpy.pullback(program.function, *args)[0], program.argument_sets[case[1]])
    assert expected.failure is not None
    assert found.failure == expected.failure
    assert (found.printed, found.logged) == (expected.printed, expected.logged)
    assert trees.same(found.arguments, expected.arguments)


@pytest.mark.parametrize(("case", "switches"), first_runs(), indirect=["switches"])
def test_first_order(case: tuple[str, int], switches: Any) -> None:
    judged("back", case, lambda: compare_first(case), specialised=switches[0])


def compare_first(case: tuple[str, int]) -> None:
    """Cotangents along a fixed seed, entry by entry."""
    bars = repeatable_bars(case)
    args = programs()[case[0]].argument_sets[case[1]]
    found = trees.parts_of(args, bars)
    for path, leaf in trees.leaves(args):
        bar = summed(leaf, found.get(path, []), path, 0)
        if not (bar is None and trees.is_integer(leaf)):
            compare_entries(case, path, bar)


def repeatable_bars(case: tuple[str, int]) -> Any:
    """What `back` gives, twice."""
    args = trees.copy(programs()[case[0]].argument_sets[case[1]])
    weights = problem(*case).weights
    with contextlib.redirect_stdout(io.StringIO()):
        _, back = zygpy.pullback(programs()[case[0]].function, *args)
        state = trees.copy((args, weights))
        bars = trees.copy(back(weights))
        again = back(weights)
    assert trees.same((args, weights), state), "back wrote to the arguments or to its seed"
    assert trees.same(bars, trees.copy(again)), "back gives something else the second time"
    return bars


def compare_entries(case: tuple[str, int], path: trees.Path, bar: Any) -> None:
    """Compare one cotangent with the reference, entry by entry."""
    tolerance = tolerance_of(problem(*case), bar, Settings())
    for index, unit, estimate in slopes(*case, path):
        found = part(bar, index, unit)
        assert tolerance.covers(found, estimate), f"argument {path}, index {index}: {found!r}, not {estimate}"


@pytest.mark.parametrize("case", SMOOTH if ALL else SMOOTH[::2], ids=spelled)
def test_types_of_the_gradient(case: tuple[str, int]) -> None:
    judged("gradient", case, lambda: compare_types(case))


(REDUCED,) = [code for code in checked_gradient.__code__.co_consts if isinstance(code, CodeType)]
"""The code of the function that the checker differentiates."""


def compare_types(case: tuple[str, int]) -> None:
    """`gradient` gives what belongs to the arguments, in their types."""
    for unit in units.UNITS.values():  # each program is looked at as if it were the only one
        if unit.code is REDUCED:
            unit.pairs.clear()
            unit.found.clear()
    args = programs()[case[0]].argument_sets[case[1]]
    with contextlib.redirect_stdout(io.StringIO()):
        gradient = checked_gradient(ENGINE, programs()[case[0]].function, args, problem(*case).weights, 0)
    found = trees.parts_of(args, gradient)
    for path, leaf in trees.leaves(args):
        bar = summed(leaf, found.get(path, []), path, 0)
        if not (bar is None and trees.is_integer(leaf)):
            compare_entries(case, path, bar)


@pytest.mark.parametrize("case", [c for c in SMOOTH if programs()[c[0]].gradient], ids=spelled)
def test_closed_forms(case: tuple[str, int], switches: Any) -> None:
    judged("back", case, lambda: compare_closed_form(case), specialised=switches[0])


def compare_closed_form(case: tuple[str, int]) -> None:
    """`gradient` gives the closed form that the program was registered with."""
    program = programs()[case[0]]
    assert program.gradient is not None
    args = program.argument_sets[case[1]]
    found = zygpy.gradient(program.function, *trees.copy(args))
    for bar, expected in zip(found, program.gradient(*args), strict=True):
        assert (bar or 0.0) == pytest.approx(expected or 0.0, rel=1e-12, abs=1e-14)
        assert expected is not None or bar is None or "nested" in program.tags


def second_runs() -> Iterator[Any]:
    """Second derivatives: every fourth program, at its first point with one combination of switches, and
    where things are found by identity, which takes longer, every 48th; always as users have it, those that
    say so; everything if that is asked for."""
    for case in SECOND:
        rest, turn = divmod(zlib.crc32(case[0].encode()), 8)
        seldom = rest % (2 if case[0].split(".")[0] in PLAIN_MODULES else 36)
        for number, switches in enumerate(SWITCHES):
            always = number == 0 and "order2" in programs()[case[0]].tags
            if ALL or always or (turn == number and case[1] == 0 and not seldom):
                yield pytest.param(case, switches, id=f"{SPELLED[number]}-{spelled(case)}")


@pytest.mark.parametrize(("case", "chosen"), list(second_runs()))
def test_second_order(case: tuple[str, int], chosen: tuple[bool, bool]) -> None:
    with units.options(specialise=chosen[0], simplify=chosen[1]):
        judged("second", case, lambda: compare_second(case), specialised=chosen[0])


def compare_second(case: tuple[str, int]) -> None:
    """The gradient of `<v, gradient>` along a random direction of every argument leaf."""
    function, args = programs()[case[0]].function, programs()[case[0]].argument_sets[case[1]]
    weights, random = problem(*case).weights, np.random.default_rng(3)
    directions = trees.weights_of(lambda leaf: random_weight(random, leaf), args, carried=True)
    product = trees.product_with(directions)

    def bars(*args: Any) -> Any:
        _, back = zygpy.pullback(function, *args)
        return back(weights)

    def weighted(*args: Any) -> Any:
        _, back = zygpy.pullback(function, *args)
        return product(directions, back(weights))

    for helper in (bars, weighted):  # each program is looked at as if it were the only one
        units.unit_of(helper).pairs.clear()
        units.unit_of(helper).found.clear()
    second = quiet(zygpy.gradient)(weighted, *trees.copy(args))
    first_order = problem(*case)
    reference = Problem(quiet(bars), first_order.args, directions, first_order.precision, 0)
    found = trees.parts_of(args, second)
    for path, leaf in trees.leaves(args):
        if not trees.is_integer(leaf):
            bar = summed(leaf, found.get(path, []), path, 0)
            compare_direction(reference, path, leaf, bar, random)


def compare_direction(
    reference: Problem, path: trees.Path, leaf: Any, bar: Any, random: np.random.Generator
) -> None:
    """Compare one cotangent with the reference along a random direction."""
    direction = trees.random_like(random, leaf)
    estimate = reference.slope(path, direction)
    found = float(trees.inner(bar, direction))
    size = 0.0 if bar is None else float(np.linalg.norm(np.asarray(bar, complex) * direction))
    tolerance = tolerance_of(reference, bar, Settings())
    assert tolerance.covers(found, estimate, size), f"{found!r}, not {estimate}"


def test_every_refusal_is_about_a_case() -> None:
    known = {
        entry("value", case, specialised=specialised)
        for case in (*SMOOTH, *RAISING)
        for specialised in (True, False)
    }
    names = {line.split(" ", 1)[1] for line in known}
    assert {line.split(" ", 1)[1] for line in refused()} <= names
