"""Second derivatives of array code that is put together at random, against reverse mode over reverse mode."""

from __future__ import annotations

import linecache
import random
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.derivatives import hvp_by_reverse
from zygpy.units import options

SCALE = np.linspace(0.3, 0.9, 9)


class _Writer:
    """Writes functions of one vector: each variable is a vector that is so much shorter."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.known = {"x": 0}
        self.lines: list[str] = []

    def part(self, name: str, short: int) -> str:
        """A variable, or a part of it, that is shorter by so many."""
        rest = short - self.known[name]
        start = self.random.randint(0, rest)
        end = f"-{rest - start}" if rest > start else ""
        return f"{name}[{start or ''}:{end}]" if rest or self.random.random() < 0.2 else name

    def operand(self, short: int) -> str:
        names = [name for name in self.known if self.known[name] <= short]
        return self.part(self.random.choice(names), short)

    def expression(self, short: int) -> str:
        a, b, c = (self.operand(short) for _ in range(3))
        number = self.random.choice(("2.0", "4.0", "0.5", "1.0", "3", "0.3"))
        return self.random.choice(
            (
                *(f"{number} * {a} ** 2", f"({a} - {b}) ** 2", f"{a} * {b}", f"{a} - {b} ** 2 + {number}"),
                *(f"np.sin({a}) * {b}", f"np.tanh({a} * {b})", f"-{a} ** 2 * {b}", f"{number} - {a}"),
                *(
                    f"{a} ** 3 - {b} * {c}",
                    f"{a} / (1.0 + {b} ** 2)",
                    f"np.exp(-{a} ** 2)",
                    f"{a}[::-1] * {b}",
                ),
                f"np.where({a} > 0.1, {b} ** 2, {c})",
            )
        )

    def function(self) -> str:
        """The text of a function."""
        for number in range(self.random.randint(1, 5)):
            short = self.random.randint(0, 3)
            self.lines.append(f"    t{number} = {self.expression(short)}")
            self.known[f"t{number}"] = short
            if self.random.random() < 0.3:
                self.lines.append(
                    f"    u{number} = np.zeros(9)\n    u{number}[3:] += {self.operand(3)} * 2.0"
                )
                self.known[f"u{number}"] = 0
        total = " + ".join(f"np.sum({self.expression(self.random.randint(0, 3))})" for _ in range(2))
        if self.random.random() < 0.5:
            total += f" * {self.operand(3)}[2] + {self.operand(3)}[0] * {self.operand(3)}[-1]"
        last = list(self.known)[-1]
        return "\n".join(["def f(x):", *self.lines, f"    return {total} + np.sum({last} ** 2)", ""])


def function_of(text: str, seed: int) -> Any:
    filename = f"<random array code {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("seed", range(60))
def test_products_with_hessians(seed: int) -> None:
    text = _Writer(seed).function()
    f = function_of(text, seed)
    x, v = np.sin(1.0 + np.arange(9.0)) * SCALE, np.cos(np.arange(9.0))
    x[3], v[4] = 0.0, 0.0
    expected, before = hvp_by_reverse(f, x, v), (x.copy(), v.copy())
    for _ in range(2):
        np.testing.assert_allclose(zg.hvp(f, x, v), expected, rtol=1e-9, atol=1e-9, err_msg=text)
        np.testing.assert_allclose(zg.hessian(f, x) @ v, expected, rtol=1e-9, atol=1e-9, err_msg=text)
    with options(simplify=False):
        np.testing.assert_allclose(zg.hvp(f, x, v), expected, rtol=1e-9, atol=1e-9, err_msg=text)
    step = 1e-5
    slopes = [zg.gradient(f, x + sign * step * v)[0] for sign in (1, -1)]
    np.testing.assert_allclose((slopes[0] - slopes[1]) / (2 * step), expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(v, before[1])
