"""What the corpus is compared with: plain calls, complex steps and finite differences."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tests.corpus.registry import LOG, PROGRAMS, Program
from zygpy.testing import trees
from zygpy.testing.check import functional, widened
from zygpy.testing.compare import Problem, one_hot, unit_directions
from zygpy.testing.compare import reference as slope_along
from zygpy.testing.numeric import Estimate

MODULES = (
    "aliased_arrays",
    "aliased_dicts",
    "aliased_lists",
    "array_writes",
    "arrays",
    "augmented",
    "builtins_on_containers",
    "changing_objects",
    "closures",
    "local_functions",
    "containers",
    "called_by_names",
    "container_classes",
    "containers_more",
    "control_flow",
    "effects",
    "equal_reads",
    "exceptions",
    "fields",
    "kept",
    "functions",
    "given_functions",
    "generators",
    "loops_exits",
    "mixed",
    "names",
    "nested_gradients",
    "numbers_and_kinds",
    "numpy_calls",
    "numpy_writes",
    "objects_more",
    "odds",
    "raised_again",
    "recursion",
    "scalars",
    "sequences",
    "sets",
    "shared_further_in",
    "shared_variables",
    "science",
    "stencils",
)
COMPLEX_STEP = 1e-200


def programs() -> dict[str, Program]:
    """Every program of the corpus, by name."""
    for module in MODULES:
        importlib.import_module(f"tests.corpus.{module}")
    return PROGRAMS


def cases(*, raising: bool) -> list[tuple[str, int]]:
    """The (program, argument set) pairs, of the programs that raise or of the others."""
    chosen = [p for p in programs().values() if ("raises" in p.tags) == raising]
    return [(p.name, position) for p in chosen for position in range(len(p.argument_sets))]


@dataclass(frozen=True)
class Outcome:
    """Everything that can be observed of a call."""

    value: Any
    failure: tuple[type[BaseException], str] | None
    printed: str
    logged: tuple[Any, ...]
    arguments: tuple[Any, ...]


def observe(call: Callable[[tuple[Any, ...]], Any], args: tuple[Any, ...]) -> Outcome:
    """Run `call` on a copy of the arguments and note value, exception, prints, logs and writes."""
    LOG.clear()
    given, output, value, failure = trees.copy(args), io.StringIO(), None, None
    with contextlib.redirect_stdout(output):
        try:
            value = call(given)
        except Exception as error:
            failure = (type(error), str(error))
    return Outcome(value, failure, output.getvalue(), tuple(LOG), given)


@functools.cache
def plain(name: str, position: int) -> Outcome:
    """What a plain call of the program does."""
    program = programs()[name]
    return observe(lambda args: program.function(*args), program.argument_sets[position])


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without its prints."""

    def silenced(*args: Any) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return function(*args)

    return silenced


@functools.cache
def problem(name: str, position: int) -> Problem:
    """The program, reduced to a real function, at one of its argument sets."""
    program, value = programs()[name], plain(name, position).value
    args = program.argument_sets[position]
    rounding = trees.precision((args, value))
    return widened(Problem(quiet(program.function), args, functional(value, 0), rounding, 0))


Slope: TypeAlias = tuple[tuple[int, ...], complex, Estimate]
"""An index, 1 or 1j, and the derivative with respect to that part of that entry."""


@functools.cache
def slopes(name: str, position: int, path: trees.Path) -> tuple[Slope, ...]:
    """The reference of every entry of one argument leaf (integers that cannot be varied left out)."""
    leaf = trees.lookup(programs()[name].argument_sets[position], path)
    found = []
    for index, unit in unit_directions(leaf):
        estimate = entry_slope(name, position, path, leaf, one_hot(leaf, index, unit))
        if estimate is not None:
            found.append((index, unit, estimate))
    return tuple(found)


def entry_slope(name: str, position: int, path: trees.Path, leaf: Any, direction: Any) -> Estimate | None:
    """By complex step where the program is analytic, else by differences."""
    case = problem(name, position)
    if "analytic" in programs()[name].tags:
        return complex_step(case, path, leaf, direction)
    return slope_along(case, path, leaf, direction)


def complex_step(case: Problem, path: trees.Path, leaf: Any, direction: Any) -> Estimate:
    """The derivative of a holomorphic program, to the last digit (W. Squire and G. Trapp, 1998)."""
    value = case.function(*trees.replace(case.args, path, leaf + 1j * COMPLEX_STEP * direction))
    moved = dict(trees.leaves(value))
    weighted = (np.sum(np.imag(weight * moved[place])) for place, weight in trees.leaves(case.weights))
    total = float(sum(weighted))
    return Estimate(total / COMPLEX_STEP, 1e-12 * abs(total / COMPLEX_STEP))
