"""Programs of the corpus in forward mode: against reverse mode and against differences."""

from __future__ import annotations

import contextlib
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zygpy
from tests.corpus.reference import LOG, cases, plain, problem, programs, quiet
from zygpy import pushing, tangent_functions
from zygpy.runtime.directions import inner
from zygpy.runtime.tangents import is_apart
from zygpy.runtime.zeros import CannotPush
from zygpy.testing import trees
from zygpy.testing.check import random_weight
from zygpy.testing.compare import Problem


def spelled(case: tuple[str, int]) -> str:
    return f"{case[0]}-{case[1]}"


LIST = Path(__file__).with_name("pushed.txt")
"""The cases that have tangent functions; `python -m tests.tangent.test_corpus` writes it anew."""

PUSHED = frozenset(LIST.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("case", [c for c in cases(raising=False) if spelled(c) in PUSHED], ids=spelled)
def test_tangents_agree(case: tuple[str, int]) -> None:
    name, position = case
    program = programs()[name]
    args = program.argument_sets[position]
    found = push(case)
    assert isinstance(found, pushing.Push), found.why
    directions = directions_of(args)
    weights = problem(name, position).weights
    y, y_dot = quiet(found.run)(directions)
    assert trees.same(y, plain(name, position).value)
    assert trees.same([found.values[place] for place in found.own], list(plain(name, position).arguments))
    pushed = float(trees.product_with(weights)(weights, y_dot))
    _, back = quiet(zygpy.pullback)(program.function, *trees.copy(args))
    tolerance = 1e-10 if trees.precision((args, y)) < 1e-12 else 1e-4
    assert pushed == pytest.approx(inner(back(weights), directions), rel=tolerance, abs=tolerance)
    compare_with_differences(problem(name, position), directions, pushed)


def compare_with_differences(case: Problem, directions: Any, pushed: Any) -> None:
    """The tangent along directions of all arguments is the sum of the slopes along each of them."""
    leaves = list(trees.leaves(case.args))
    if any(
        trees.is_integer(leaf) or isinstance(leaf, Fraction) for _, leaf in leaves if trees.is_numeric(leaf)
    ):
        return  # which cannot be varied
    estimates = [
        case.slope(path, trees.lookup(directions, path))
        for path, leaf in leaves
        if trees.lookup(directions, path) is not None
    ]
    total, error = sum(one.value for one in estimates), sum(one.error for one in estimates)
    assert abs(pushed - total) <= error + 1e-5 * (1 + abs(total)), (pushed, total, error)


@pytest.mark.parametrize("case", cases(raising=False)[::25], ids=spelled)
def test_the_list_is_complete(case: tuple[str, int]) -> None:
    assert is_pushed(case) == (spelled(case) in PUSHED)


def directions_of(args: Any) -> Any:
    """A random tangent of each argument; what is one array has one."""
    random = np.random.default_rng(5)
    made: dict[int, Any] = {}

    def direction(leaf: Any) -> Any:
        found = random_weight(random, leaf)
        return made.setdefault(id(leaf), found) if isinstance(leaf, np.ndarray) else found

    return trees.weights_of(direction, args)


def is_pushed(case: tuple[str, int]) -> bool:
    """Whether a case has a tangent function that does not leave it to reverse mode when it runs."""
    found = push(case)
    if isinstance(found, tangent_functions.Refused):
        return False
    try:
        quiet(found.run)(directions_of(programs()[case[0]].argument_sets[case[1]]))
    except CannotPush:
        return False
    return True


def push(case: tuple[str, int]) -> Any:
    """The call of a program in forward mode, which may write to what has one tangent."""
    zygpy.gradient(np.sin, 1.0)  # after which entry points are known to programs that call them
    program = programs()[case[0]]
    args = trees.copy(program.argument_sets[case[1]])
    may = is_apart(tuple(args))
    LOG.clear()
    with contextlib.redirect_stdout(io.StringIO()):
        return pushing.push_of(
            program.function, args, any_result=True, at_once=True, changing=may, elsewhere=may
        )


if __name__ == "__main__":
    LIST.write_text("".join(sorted(f"{spelled(case)}\n" for case in cases(raising=False) if is_pushed(case))))
