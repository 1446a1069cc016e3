"""Hypothesis strategies: broadcastable arrays, straight-line expressions, structured programs."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st

NAMES = ("a", "b", "c")
SMOOTH = ("math.sin({})", "math.cos({})", "math.tanh({})", "math.atan({})", "math.exp(-{0} * {0})")
COMBINED = ("{} + {}", "{} - {}", "{} * {}", "{} / (2.0 + {} ** 2)", "math.hypot({}, {} + 3.0) / 2")
ARRAY_SMOOTH = (
    "np.sin({})",
    "np.tanh({})",
    "np.sqrt(1.0 + {} ** 2)",
    "np.exp(-({} ** 2))",
    "-{}",
    "(a + {}).T.T",
)
ARRAY_COMBINED = ("{} + {}", "{} - {}", "{} * {}", "{} / (2.0 + {} ** 2)", "np.arctan2({}, 3.0 + {} ** 2)")
CONSTANTS = ("0.5", "1.0", "-0.75", "2", "0.25")


def bounded(examples: int) -> settings:
    """The same examples in every run; a failure is shrunk, but not explained, which takes minutes."""
    phases = (Phase.explicit, Phase.generate, Phase.shrink)
    return settings(max_examples=examples, deadline=None, derandomize=True, phases=phases, database=None)


@dataclass(frozen=True)
class Sample:
    """A generated function with its text (shown when a test fails) and arguments."""

    text: str
    function: Callable[..., Any]
    args: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"{self.text}\nargs = {self.args!r}"


def compiled(text: str) -> Callable[..., Any]:
    """The function `program` of a text, with its source where `inspect` looks for it."""
    filename = f"<program {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(compile("import math\nimport numpy as np\n", filename, "exec"), namespace)
    exec(compile(text, filename, "exec"), namespace)
    function: Callable[..., Any] = namespace["program"]
    return function


def floats() -> st.SearchStrategy[float]:
    """Numbers of moderate size, away from nothing in particular."""
    return st.integers(-96, 96).map(lambda k: k / 64 + 0.003)


@st.composite
def broadcastable_shapes(draw: st.DrawFn, count: int = 2, rank: int = 3) -> list[tuple[int, ...]]:
    """Shapes that broadcast with one another: axes of the result dropped or shrunk to one."""
    result = draw(st.lists(st.integers(1, 3), min_size=0, max_size=rank))
    shapes = []
    for _ in range(count):
        kept = draw(st.integers(0, len(result)))
        axes = result[len(result) - kept :]
        shrunk = draw(st.lists(st.booleans(), min_size=kept, max_size=kept))
        shapes.append(tuple(1 if one else n for n, one in zip(axes, shrunk, strict=True)))
    return shapes


@st.composite
def arrays(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    """An array of a shape, reproducible from one number."""
    return np.random.default_rng(draw(st.integers(0, 999))).uniform(-1.5, 1.5, shape)


@st.composite
def broadcastable_arrays(draw: st.DrawFn, count: int = 2) -> tuple[Any, ...]:
    """Arrays whose shapes broadcast with one another."""
    return tuple(draw(arrays(shape)) for shape in draw(broadcastable_shapes(count)))


@st.composite
def atoms(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A variable, now and then a constant."""
    return draw(st.sampled_from(names * 3 + CONSTANTS[:3]))


@st.composite
def expressions(
    draw: st.DrawFn,
    names: tuple[str, ...],
    smooth: tuple[str, ...] = SMOOTH,
    combined: tuple[str, ...] = COMBINED,
) -> str:
    """An expression of one or two operations on the given names."""
    left, right = draw(atoms(names)), draw(atoms(names))
    inner = draw(st.sampled_from(combined)).format(left, right)
    return draw(st.sampled_from((*smooth, "{}"))).format(f"({inner})")


@st.composite
def straight_lines(draw: st.DrawFn) -> Sample:
    """A function of three numbers: assignments, some of them over earlier variables."""
    names: tuple[str, ...] = NAMES
    lines: list[str] = []
    for k in range(draw(st.integers(1, 8))):
        target = draw(st.sampled_from((*names, f"v{k}")))
        lines.append(f"    {target} = {draw(expressions(names))}")
        names = tuple(dict.fromkeys((*names, target)))
    lines.append(f"    return {draw(expressions(names))} + {names[-1]}")
    return sample(lines, draw(st.tuples(floats(), floats(), floats())))


@st.composite
def array_lines(draw: st.DrawFn) -> Sample:
    """A function of three arrays that broadcast with one another."""
    names: tuple[str, ...] = NAMES
    lines: list[str] = []
    for k in range(draw(st.integers(1, 6))):
        names = (*names, f"v{k}")
        lines.append(f"    v{k} = {draw(expressions(names[:-1], ARRAY_SMOOTH, ARRAY_COMBINED))}")
    lines.append(f"    return ({draw(expressions(names, ARRAY_SMOOTH, ARRAY_COMBINED))}) * {names[-1]}")
    return sample(lines, draw(broadcastable_arrays(3)))


@st.composite
def structured_programs(draw: st.DrawFn) -> Sample:
    """A function of three numbers with loops, branches, breaks, continues and early returns.

    Conditions depend on loop counters and on the numbers; counters bound every loop.
    """
    lines = draw(blocks(depth=3, loops=(), indent="    "))
    lines.append("    return a * b + math.sin(c)")
    return sample(lines, draw(st.tuples(floats(), floats(), floats())))


@st.composite
def blocks(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    """One to three statements."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kinds = (["for", "while", "if"] if depth else []) + ["assign", "assign", "augment", "leave"]
        kind = draw(st.sampled_from(kinds))
        lines += draw(STATEMENTS[kind](depth, loops, indent))
    return lines


@st.composite
def assignments(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    target = draw(st.sampled_from(NAMES))
    return [f"{indent}{target} = math.tanh({draw(expressions(NAMES + loops))})"]


@st.composite
def augments(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    target, operator = draw(st.sampled_from(NAMES)), draw(st.sampled_from(("+=", "-=", "*=")))
    return [f"{indent}{target} {operator} math.cos({draw(expressions(NAMES + loops))})"]


@st.composite
def conditions(draw: st.DrawFn, loops: tuple[str, ...]) -> str:
    """A condition; thresholds are odd fractions, so that no value sits on one."""
    number = f"{draw(st.sampled_from(NAMES))} > {draw(st.integers(-3, 3))} / 7.001"
    if not loops:
        return number
    counted = f"({' + '.join(loops)}) % {draw(st.integers(2, 3))} == {draw(st.integers(0, 1))}"
    return draw(st.sampled_from((number, counted, f"{counted} and {number}", f"not {counted} or {number}")))


@st.composite
def branches(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    lines = [f"{indent}if {draw(conditions(loops))}:", *draw(blocks(depth - 1, loops, indent + "    "))]
    if draw(st.booleans()):
        lines += [f"{indent}else:", *draw(blocks(depth - 1, loops, indent + "    "))]
    return lines


@st.composite
def for_loops(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    counter = f"i{len(loops)}"
    body = draw(blocks(depth - 1, (*loops, counter), indent + "    "))
    lines = [f"{indent}for {counter} in range({draw(st.integers(0, 3))}):", *body]
    if draw(st.booleans()):
        lines += [f"{indent}else:", *draw(blocks(0, loops, indent + "    "))]
    return lines


@st.composite
def while_loops(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    counter = f"i{len(loops)}"
    body = draw(blocks(depth - 1, (*loops, counter), indent + "    "))
    limit = draw(st.integers(0, 3))
    head = [f"{indent}{counter} = 0", f"{indent}while {counter} < {limit}:", f"{indent}    {counter} += 1"]
    return head + body


@st.composite
def leaves(draw: st.DrawFn, depth: int, loops: tuple[str, ...], indent: str) -> list[str]:
    """A break, continue or return under a condition."""
    exits = ["return a + b * c", "return math.sin(b)"] + (["break", "continue"] * 2 if loops else [])
    return [f"{indent}if {draw(conditions(loops))}:", f"{indent}    {draw(st.sampled_from(exits))}"]


STATEMENTS: dict[str, Callable[..., st.SearchStrategy[list[str]]]] = {
    "assign": assignments,
    "augment": augments,
    "if": branches,
    "for": for_loops,
    "while": while_loops,
    "leave": leaves,
}


def sample(lines: list[str], args: tuple[Any, ...]) -> Sample:
    """The lines as the body of a function of `NAMES`."""
    text = "\n".join([f"def program({', '.join(NAMES)}):", *lines, ""])
    return Sample(text, compiled(text), args)
