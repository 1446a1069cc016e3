"""Random programs run before and after simplification: the same values, effects and their order."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.simplify.running import adjoint, bits, forward, function_of

SEEDS = range(100)


class Forward:
    """Writes a random forward function in A-normal form, with calls that note that they were made."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.count = 0
        self.users = ["x", "y", "z"]
        self.lines: list[str] = []

    def text(self) -> str:
        self.block(1, 9)
        returned = ", ".join(self.users)
        return "\n".join(
            ["def f_forward(x, y):", "    z = 1.5", *self.lines, f"    return ({returned}), None"]
        )

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def temporary(self) -> str:
        self.count += 1
        return f"t_{self.count}"

    def expression(self, depth: int, levels: int) -> str:
        """Emit what computes an expression in A-normal form; the atom that holds it."""
        kind = self.choose.randrange(6) if levels else 0
        if kind <= 1:
            return self.choose.choice([*self.users, "2.0", "0.5"])
        if kind == 5:
            return self.decided(depth, levels)
        parts = [self.expression(depth, levels - 1) for _ in range(2)]
        target = self.temporary()
        operation = [f"{parts[0]} + {parts[1]}", f"note({parts[0]}, {parts[1]})", f"{parts[0]} * {parts[1]}"]
        self.emit(depth, f"{target} = {operation[kind - 2]}")
        return target

    def decided(self, depth: int, levels: int) -> str:
        """`a and b`, `a or b` or `b if a else c`."""
        target, truth = self.temporary(), self.temporary()
        self.emit(depth, f"{target} = {self.expression(depth, levels - 1)}")
        self.emit(depth, f"{truth} = bool({target})")
        self.emit(depth, f"if {self.choose.choice(['', 'not '])}{truth}:")
        self.emit(depth + 1, f"{target} = {self.expression(depth + 1, levels - 1)}")
        if self.choose.random() < 0.3:
            self.emit(depth, "else:")
            self.emit(depth + 1, f"{target} = {self.expression(depth + 1, levels - 1)}")
        return target

    def block(self, depth: int, size: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kind = self.choose.randrange(6)
        if kind == 0 and depth < 3:
            test = self.expression(depth, 2)
            self.emit(depth, f"if {test}:")
            self.block(depth + 1, 2)
        elif kind == 1 and depth < 3:
            self.emit(depth, f"for i in range({self.choose.randrange(3)}):")
            self.block(depth + 1, 2)
        elif kind == 2:
            first, second = self.choose.sample(self.users, 2)
            target = self.temporary()
            for line in (f"{target} = {first}", f"{first} = {second}", f"{second} = {target}"):
                self.emit(depth, line)
        else:
            held = self.expression(depth, 3)
            line = f"note({held})" if kind == 3 else f"{self.choose.choice(self.users)} = {held}"
            self.emit(depth, f"{self.temporary()} = {line}" if kind == 3 else line)


def run_forward(text: str) -> Any:
    log: list[Any] = []

    def note(*values: float) -> float:
        log.append(values)
        return sum(values) % 7.0 - 2.0

    with np.errstate(all="ignore"):
        value = function_of(text, note=note)(1.25, -0.75)
    return bits(value), bits(log)


@pytest.mark.parametrize("seed", SEEDS)
def test_forward(seed: int) -> None:
    text = Forward(seed).text()
    short = forward(text)
    assert run_forward(text) == run_forward(short)
    assert len(short) < len(text)


class Adjoint:
    """Writes a random adjoint on three arrays with views, updates in place and pullbacks."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.names = ["y_bar", "a", "b"]
        self.buffers: list[str] = []
        self.lines: list[str] = []

    def text(self) -> str:
        for _ in range(14):
            self.statement("    ", self.choose.randrange(9))
        result = ", ".join(dict.fromkeys(self.choose.choices(self.names, k=3)))
        return "\n".join(
            ["def g_adjoint(stash, y_bar):", "    a, b, back = stash", *self.lines, f"    return ({result},)"]
        )

    def pick(self) -> str:
        return self.choose.choice(self.names)

    def fresh(self) -> str:
        name = f"v{len(self.names)}_bar" if self.choose.random() < 0.8 else self.choose.choice(self.names)
        return name if name not in ("a", "b", *self.buffers) else f"v{len(self.names)}_bar"

    def statement(self, indent: str, kind: int) -> None:
        one, two = self.pick(), self.pick()
        owned = self.choose.choice(self.buffers) if self.buffers else None
        if kind in (0, 1) or (kind in (5, 6, 7) and owned is None):
            self.bind(indent, f"{one} {self.choose.choice('+*-')} {two}", buffer=kind == 0)
        elif kind == 2:
            self.bind(indent, one)
        elif kind == 3:
            self.bind(indent, f"{one}[::-1]")
        elif kind == 4:
            self.bind(indent, f"back({one})")
        elif kind == 5:
            self.lines.append(f"{indent}{owned} += {self.choose.choice(['', '-'])}{one}")
        elif kind == 6:
            self.lines.append(f"{indent}{owned}[1] = {one}[0]")
        elif kind == 7:
            self.lines.append(f"{indent}{owned}[:2] += {one}[:2]")
        else:
            self.loop(indent)

    def loop(self, indent: str) -> None:
        """Twice the same statements, which bind nothing that did not exist."""
        first, second, third = self.pick(), self.pick(), self.pick()
        if first in ("a", "b", *self.buffers):
            first = "y_bar"
        self.lines += [
            f"{indent}for k in range(2):",
            f"{indent}    u_bar = {first}",
            f"{indent}    w_bar = {second} * k",
            f"{indent}    {first} = u_bar * {third}",
            f"{indent}    {first} = {first} + w_bar",
        ]

    def bind(self, indent: str, value: str, *, buffer: bool = False) -> None:
        name = f"v{len(self.names)}_bar" if buffer else self.fresh()
        self.lines.append(f"{indent}{name} = {value}")
        if name not in self.names:
            self.names.append(name)
        if buffer:
            self.buffers.append(name)


def run_adjoint(text: str) -> Any:
    generator = np.random.default_rng(1)
    a, b, y_bar = (generator.normal(size=3) for _ in range(3))
    log: list[Any] = []

    def back(value: Any) -> Any:
        log.append(bits(value))
        return value * 0.5

    with np.errstate(all="ignore"):
        result = function_of(text)((a, b, back), y_bar)
    return bits(result), log, bits((a, b, y_bar))


@pytest.mark.parametrize("seed", SEEDS)
def test_adjoint(seed: int) -> None:
    text = Adjoint(seed).text()
    assert run_adjoint(text) == run_adjoint(adjoint(text))
