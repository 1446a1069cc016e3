"""What the user sees: the generated text, tracebacks through it, and its source."""

from __future__ import annotations

import functools
import inspect
import math
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.rules import declare

HERE = Path(__file__)

POW = """\
def pow_forward(x, n):
    r = 1
    tape = []
    for _ in range(n):
        tape.append(r)
        r = r * x
    return r, (x, tape)

def pow_adjoint(stash, y_bar):
    x, tape = stash
    r_bar = y_bar
    x_bar = 0.0
    for r in reversed(tape):
        x_bar += r_bar * r
        r_bar = r_bar * x
    return x_bar, None
"""

SHOWN = (
    "mixed.perceptron",
    "mixed.kepler",
    "array_writes.overlapping_views",
    "closures.nonlocal_accumulator",
    "loops_exits.every_exit_of_one_loop",
    "containers.nested_parameters",
    "recursion.mutual_recursion",
    "control_flow.match_on_structure",
)

SHOW_ALL = """
from tests.corpus.reference import programs
import zygpy
for name in {names!r}:
    program = programs()[name]
    print(zygpy.show_adjoint(program.function, *program.argument_sets[0]))
    print(zygpy.show_adjoint(program.function))
"""


def pow(x, n):
    r = 1
    for _ in range(n):
        r = r * x
    return r


def planted(x: float) -> float:
    return x - 1.0


def fails_forward(x):
    y = x * 2
    z = math.log(y - 100)
    return z * y


def fails_backward(x):
    y = x * 2
    z = planted(y - 100)
    return z * y


@pytest.fixture
def planted_rule() -> Iterator[None]:
    """A rule that fails in the adjoint where the value is not positive."""
    declare.elementwise(planted, "y = planted(x)", x_bar="y_bar * math.log(y)")
    yield
    del declare.REGISTRY[planted]


def code_lines(text: str) -> list[str]:
    """The lines that are neither blank nor comments."""
    lines = (line.split("  #")[0].rstrip() for line in text.splitlines())
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def frames_of(error: BaseException) -> list[FrameType]:
    return [frame for frame, _ in traceback.walk_tb(error.__traceback__)]


def names_place(error: BaseException, line: int) -> bool:
    """Whether the printed traceback names this file and that line together."""
    text = "".join(traceback.format_exception(error))
    return re.search(rf"{re.escape(HERE.name)}\D{{1,10}}{line}\b", text) is not None


def test_pow_reads_as_a_person_would_have_written_it() -> None:
    assert code_lines(str(zg.show_adjoint(pow, 2.0, 3))) == code_lines(POW)


def test_the_text_runs_by_itself() -> None:
    namespace: dict[str, Any] = {}
    exec(str(zg.show_adjoint(pow, 2.0, 3)), namespace)
    value, stash = namespace["pow_forward"](2.0, 3)
    assert value == 8.0 and namespace["pow_adjoint"](stash, 1.0)[0] == 12.0


def test_without_arguments_the_generic_pair_is_shown() -> None:
    text = str(zg.show_adjoint(pow))
    assert "def pow_forward(x, n):" in text and "def pow_adjoint(stash, y_bar" in text


class Model:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, x: float) -> float:
        return self.weight * x

    def value(self, x: float) -> float:
        return self.weight * x * x

    @staticmethod
    def doubled(x: float) -> float:
        return 2 * x


def made(scale: float) -> Any:
    return lambda x: scale * x


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (Model(2.0).value, "value"),
        (Model(2.0), "__call__"),
        (Model.doubled, "doubled"),
        (made(2.0), "lambda_"),
        (functools.partial(pow, n=3), "pow"),
        (zg.differentiable(pow), "pow"),
    ],
)
def test_callables_of_every_sort_are_shown(function: Any, name: str) -> None:
    for arguments in ((2.0,), ()) if function is not pow else ((2.0, 3), ()):
        text = str(zg.show_adjoint(function, *arguments))
        assert f"def {name}_forward(" in text and f"def {name}_adjoint(stash, y_bar" in text


@pytest.mark.parametrize("function", [math.sin, np.sin])
def test_a_primitive_is_shown_for_arguments_only(function: Any) -> None:
    assert "def sin_adjoint(stash, y_bar" in str(zg.show_adjoint(function, 1.0))
    with pytest.raises(zg.ZygpyError, match="give arguments"):
        zg.show_adjoint(function)


@pytest.mark.parametrize("thing", [3.0, None, math])
def test_what_cannot_be_called_is_refused(thing: Any) -> None:
    with pytest.raises(zg.ZygpyError):
        zg.show_adjoint(thing)


def test_it_prints_well_in_a_notebook() -> None:
    text = zg.show_adjoint(lambda x: x * 2 if x < 3 else x, 1.0)
    assert text._repr_markdown_() == f"```python\n{text}\n```"
    assert "x &lt; 3" in text._repr_html_() and "<pre>" in text._repr_html_()


@pytest.mark.acceptance
def test_it_is_the_same_text_under_two_hash_seeds() -> None:
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SHOW_ALL.format(names=SHOWN)]
        done = subprocess.run(
            command, env=environment, cwd=HERE.parent.parent, capture_output=True, text=True, check=True
        )
        return done.stdout

    first, second = run("0"), run("4242")
    assert first == second
    assert first.count("_adjoint(stash") >= 2 * len(SHOWN)


def test_the_first_thing_in_a_process_may_be_to_look() -> None:
    command = [
        sys.executable,
        "-c",
        "import zygpy as zg; from tests.test_show_adjoint import adds; print(zg.show_adjoint(adds))",
    ]
    done = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip() == str(zg.show_adjoint(adds)).rstrip()
    assert "y_bar" in done.stdout.split("_adjoint(stash", 1)[1].split("\n", 1)[1]


def adds(x, f):
    return f(x) + f(x * x)


def test_a_failure_in_the_forward_names_the_users_line() -> None:
    with pytest.raises(ValueError, match="math domain error") as caught:
        zg.gradient(fails_forward, 1.5)
    assert names_place(caught.value, fails_forward.__code__.co_firstlineno + 2)
    text = "".join(traceback.format_exception(caught.value))
    assert "fails_forward_forward" in text and "math.log(" in text


def test_a_failure_in_the_adjoint_names_the_users_line(planted_rule: None) -> None:
    _, back = zg.pullback(fails_backward, 1.5)
    with pytest.raises(ValueError, match="math domain error") as caught:
        back(1.0)
    assert names_place(caught.value, fails_backward.__code__.co_firstlineno + 2)
    text = "".join(traceback.format_exception(caught.value))
    assert "fails_backward_adjoint" in text and "math.log(" in text


def test_generated_functions_have_source(planted_rule: None) -> None:
    _, back = zg.pullback(fails_backward, 1.5)
    with pytest.raises(ValueError, match="math domain error") as backward:
        back(1.0)
    with pytest.raises(ValueError, match="math domain error") as forward:
        zg.gradient(fails_forward, 1.5)
    frames = frames_of(backward.value) + frames_of(forward.value)
    sources = {frame.f_code.co_name: inspect.getsource(frame.f_code) for frame in frames}
    assert sources["fails_backward_adjoint"].startswith("def fails_backward_adjoint(stash, y_bar")
    assert sources["fails_forward_forward"].startswith("def fails_forward_forward(x)")
