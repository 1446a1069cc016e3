"""Kinds of what is drawn from sources of random numbers: those of what NumPy gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.analyse.random_draws import BY_LENGTHS, COUNTS, PARAMETERS, kind_of_draw
from zygpy.ir.kinds import kind_of

GIVEN: dict[str, tuple[Any, ...]] = {
    "uniform": (0.0, 1.0),
    "triangular": (0.0, 0.5, 1.0),
    "integers": (0, 5),
    "randint": (0, 5),
    "binomial": (3, 0.5),
    "negative_binomial": (3, 0.5),
    "hypergeometric": (3, 4, 2),
    "zipf": (2.0,),
    "choice": (5,),
}
SIZES: tuple[Any, ...] = (3, (2, 3), (), (4,), np.int64(2))


@pytest.mark.parametrize("name", [*PARAMETERS, *COUNTS])
def test_kinds(name: str) -> None:
    given = GIVEN.get(name, (0.3, 0.5)[: {**PARAMETERS, **COUNTS}[name]])
    kinds, sources = [kind_of(value) for value in given], [np.random.default_rng(1), np.random.RandomState(1)]
    drawn = [
        method for source in (*sources, np.random) if (method := getattr(source, name, None)) is not None
    ]
    assert drawn
    for draw in drawn:
        assert kind_of(draw(*given)) == kind_of_draw(name, kinds, {})
        for size in SIZES if name not in BY_LENGTHS else ():
            expected = kind_of(draw(*given, size=size))
            assert kind_of_draw(name, kinds, {"size": kind_of(size)}) == expected
            assert kind_of_draw(name, [*kinds, kind_of(size)], {}) == expected
        for lengths in ((2,), (2, 3)) if name in BY_LENGTHS else ():
            assert kind_of_draw(name, [kind_of(one) for one in lengths], {}) == kind_of(draw(*lengths))


def simulated(x: Any, y: Any) -> Any:
    rng, total = np.random.default_rng(1), 0.0
    noise = np.concatenate([rng.normal(-1, 0.5, 4), rng.standard_normal(3)]) * y
    for _ in range(3):
        total += rng.random() * x + rng.integers(1, 5) * y
    return total + np.sum(noise * x)


class Walker:
    def __init__(self, seed: int) -> None:
        self.rng, self.steps = np.random.RandomState(seed), 0

    def step(self, x: Any) -> Any:
        self.steps += 1
        return x + self.rng.randn() * 0.1 * x


def walked(x: Any, y: Any) -> Any:
    walker = Walker(3)
    for _ in range(4):
        x = walker.step(x)
    return x * y * walker.steps


def of_all(x: Any, y: Any) -> Any:
    return x * random.random() + np.sum(np.random.rand(3) * y)  # noqa: NPY002


@pytest.mark.parametrize("program", [simulated, walked, of_all], ids=lambda program: program.__name__)
def test_nothing_is_looked_up_when_it_is_called(program: Callable[..., Any]) -> None:
    def seeded(call: Callable[..., Any], *args: Any) -> Any:
        random.seed(2)
        np.random.seed(2)  # noqa: NPY002
        return call(*args)

    step = 1e-6
    slopes = [
        (seeded(program, 0.7 + step, 1.3) - seeded(program, 0.7 - step, 1.3)) / (2 * step),
        (seeded(program, 0.7, 1.3 + step) - seeded(program, 0.7, 1.3 - step)) / (2 * step),
    ]
    value, gradients = seeded(zg.withgradient, program, 0.7, 1.3)
    assert value == seeded(program, 0.7, 1.3)
    np.testing.assert_allclose(gradients, slopes, rtol=1e-7)
    assert "pull" not in zg.show_adjoint(program, 0.7, 1.3)


def test_a_function_that_is_replaced_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(x: Any) -> Any:
        return np.random.default_rng(1).random() * x + np.random.rand() * 0.0 * x  # noqa: NPY002

    first = zg.gradient(drawn, 2.0)[0]
    assert first == np.random.default_rng(1).random()

    class Fixed:
        def random(self) -> float:
            return 5.0

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Fixed())
    monkeypatch.setattr(np.random, "rand", lambda: np.ones(()))
    assert zg.gradient(drawn, 2.0) == (5.0,)
    monkeypatch.undo()
    assert zg.gradient(drawn, 2.0) == (first,)
