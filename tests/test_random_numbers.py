"""Random numbers that are drawn by code in C, in programs that keep what is active where others find it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.runtime import draw_programs
from zygpy.testing import check_gradient

POINT = np.array([0.7, 1.3, 0.4])
DIRECTION = np.array([0.3, -0.8, 0.5])
KEPT: dict[str, Any] = {}


class Layer:
    def __init__(self, weights: Any) -> None:
        self.params = {"weights": weights}

    def __call__(self, given: Any) -> Any:
        return self.params["weights"] * given


class Network:
    def __init__(self, *layers: Layer) -> None:
        self.layers = list(layers)

    def __call__(self, given: Any) -> Any:
        for layer in self.layers:
            given = layer(given)
        return given

    def parameters(self) -> Iterator[Any]:
        for layer in self.layers:
            yield from layer.params.values()


class Sampler:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def draw(self, mean: Any, deviation: Any) -> Any:
        return mean + deviation * self.rng.standard_normal(3)


def initialised(x: Any) -> Any:
    rng = np.random.default_rng(0)
    network = Network(Layer(rng.normal(size=3) * x), Layer(rng.normal(0.0, 0.5, size=3)))
    return np.sum(network(np.ones(3))) + sum(np.sum(p * p) for p in network.parameters())


def by_samples(x: Any) -> Any:
    sampler = Sampler(3)
    return sum(np.sum(sampler.draw(x, x[0]) ** 2) for _ in range(3))


def of_the_module(x: Any) -> Any:
    np.random.seed(0)  # noqa: NPY002 (as older programs do)
    KEPT["x"] = x * np.random.normal(0.0, 1.0, 3)  # noqa: NPY002
    return np.sum(KEPT["x"] ** 2)


def of_an_older_generator(x: Any) -> Any:
    state = np.random.RandomState(0)
    KEPT["x"] = x * state.uniform(0.0, 2.0)
    KEPT["y"] = x[state.permutation(3)]
    return np.sum(KEPT["x"] ** 2 * KEPT["y"])


def of_integers(x: Any) -> Any:
    KEPT["x"] = x * 2.0
    rng = np.random.default_rng(0)
    places = rng.integers(0, 3, size=4)
    weights = rng.choice([0.5, 1.5], size=4, p=[0.3, 0.7])
    return np.sum(KEPT["x"][places] ** 2 * weights)


PROGRAMS = [initialised, by_samples, of_the_module, of_an_older_generator, of_integers]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    """All are polynomials of low degree, so that differences of this order are exact but for rounding."""
    with units.options(specialise=specialise):
        (gradient,) = zg.gradient(program, POINT.copy())
    steps = np.eye(3) * 1e-2
    near = np.array([(program(POINT + step) - program(POINT - step)) / 2e-2 for step in steps])
    far = np.array([(program(POINT + 2 * step) - program(POINT - 2 * step)) / 4e-2 for step in steps])
    assert gradient == pytest.approx((4.0 * near - far) / 3.0, rel=1e-9)


DISTRIBUTIONS: dict[str, tuple[Any, ...]] = {
    "normal": (0.3, 1.7),
    "uniform": (0.3, 1.7),
    "exponential": (1.7,),
    "gumbel": (0.3, 1.7),
    "laplace": (0.3, 1.7),
    "logistic": (0.3, 1.7),
    "lognormal": (0.3, 0.7),
    "rayleigh": (1.7,),
    "weibull": (1.7,),
    "pareto": (3.7,),
    "power": (1.7,),
}
SOURCES = {"generator": np.random.default_rng, "older": np.random.RandomState}


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_draws_are_functions_of_the_parameters(name: str, made: Any) -> None:
    """With the source in a given state, so that differences can be taken."""
    parameters = DISTRIBUTIONS[name]

    def function(*given: Any) -> Any:
        source = made(5)
        one, some = getattr(source, name)(*given), getattr(source, name)(*given, size=(2, 3))
        arrays = getattr(source, name)(*[value * np.array([1.0, 1.2]) for value in given])
        return one * np.sum(some**2) + np.sum(arrays**2) * source.random(1)[0]

    value, back = zg.pullback(function, *parameters)
    assert value == pytest.approx(function(*parameters), rel=1e-12)
    assert len(back(1.0)) == len(parameters)
    check_gradient(function, *parameters, order=2)
    check_gradient(
        lambda *given: function(*[value[0] for value in given]), *[np.array([p]) for p in parameters]
    )


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_draws_are_those_of_numpy(name: str, made: Any) -> None:
    program = draw_programs.OF_NUMBERS[name]
    for size in (None, 3, (2, 3), ()):
        mine, numpys = made(5), made(5)
        parameters = [value * np.array([1.0, 1.2, 0.9]) for value in DISTRIBUTIONS[name]]
        found = program(mine, *DISTRIBUTIONS[name], size=size)
        expected = getattr(numpys, name)(*DISTRIBUTIONS[name], size=size)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
        assert np.shape(found) == np.shape(expected)
        if size != ():
            wide = None if size is None else (2, 3)
            expected = getattr(numpys, name)(*parameters, size=wide)
            np.testing.assert_allclose(program(mine, *parameters, size=wide), expected, rtol=1e-13)
        assert mine.random(2).tolist() == numpys.random(2).tolist()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_parameters_of_other_types(name: str) -> None:
    of_lists = [[value, value * 1.2] for value in DISTRIBUTIONS[name]]
    singles = [np.float32(value) for value in DISTRIBUTIONS[name]]
    for parameters in (
        of_lists,
        [tuple(one) for one in of_lists],
        [np.array(one, np.float32) for one in of_lists],
        singles,
    ):
        mine, numpys = np.random.default_rng(5), np.random.default_rng(5)
        found = draw_programs.OF_NUMBERS[name](mine, *parameters)
        np.testing.assert_allclose(found, getattr(numpys, name)(*parameters), rtol=1e-13)
        assert np.asarray(found).dtype == np.float64


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_bad_parameters_are_refused_as_numpy_does(name: str) -> None:
    source, program = np.random.default_rng(1), draw_programs.OF_NUMBERS[name]
    bad = [2.0, -1.0] if name == "uniform" else [*DISTRIBUTIONS[name][:-1], -1.0]
    with pytest.raises(ValueError, match=r"< 0|<= 0") as numpys:
        getattr(source, name)(*bad)
    with pytest.raises(ValueError, match=r"< 0|<= 0") as mine:
        program(source, *bad)
    assert str(mine.value)[:4] == str(numpys.value)[:4]
    with pytest.raises(TypeError, match="complex"):
        program(source, *[np.array([value + 1j]) for value in DISTRIBUTIONS[name]])
    with pytest.raises(ValueError, match=r"size|shape"):
        program(source, *[value * np.ones((2, 3)) for value in DISTRIBUTIONS[name]], size=3)


def in_order(x: Any, made: Any) -> Any:
    source = made(3)
    rows, items = np.outer(x, x), list(x)
    chosen = source.choice(x, size=(2, 2)) * source.choice(items, 2, False)
    weighed = source.choice(x, 2, p=[0.2, 0.3, 0.5])
    mixed = source.permutation(rows) @ source.permutation(x)
    source.shuffle(rows)
    source.shuffle(items)
    places = list(range(3))
    source.shuffle(places)
    return np.sum(chosen**2) + np.sum(weighed) + mixed[0] + rows[0] @ rows[1] + items[0] * x[places[0]]


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES)
def test_what_is_chosen_and_arranged(made: Any) -> None:
    value, _ = zg.pullback(in_order, POINT, made)
    assert value == pytest.approx(in_order(POINT, made), rel=1e-12)
    check_gradient(lambda x: in_order(x, made), POINT)


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES)
def test_second_derivatives_of_what_is_chosen_and_arranged(made: Any) -> None:
    """They are polynomials of degree four: central differences of the gradient in two sizes are exact."""

    def slope(step: float) -> Any:
        high = zg.gradient(in_order, POINT + step * DIRECTION, made)[0]
        return (high - zg.gradient(in_order, POINT - step * DIRECTION, made)[0]) / (2 * step)

    expected = (4 * slope(0.01) - slope(0.02)) / 3
    assert zg.hvp(lambda x: in_order(x, made), POINT, DIRECTION) == pytest.approx(expected, rel=1e-9)


class Walk:
    """A simulation whose sizes and seeds are fields like any others."""

    def __init__(self, start: Any, drift: Any, steps: int, seed: int) -> None:
        self.start, self.drift, self.steps = start, drift, steps
        self.rng, self.random = np.random.default_rng(seed), random.Random(seed)

    def run(self) -> Any:
        path = [self.start]
        for noise in self.rng.standard_normal(self.steps):
            path.append(path[-1] + self.drift * noise + self.random.gauss(self.drift, 0.1))
        path.append(path[self.rng.integers(self.steps)] * self.random.randint(1, self.steps))
        path.append(self.rng.normal(self.drift, abs(self.start)) * self.rng.poisson(self.steps))
        self.random.shuffle(path)
        return path[0] * path[1] + sum(self.random.sample(path, 2))


def test_sizes_and_seeds_in_fields() -> None:
    def function(start: Any, drift: Any) -> Any:
        return Walk(start, drift, 4, 7).run()

    check_gradient(function, 0.7, 0.3, order=2)
    pushed = zg.pushforward(function, 0.7, 0.3)(1.0, 0.0)
    assert pushed == pytest.approx(zg.gradient(function, 0.7, 0.3)[0])


def test_a_size_that_is_an_argument() -> None:
    def function(x: Any, size: int, seed: int) -> Any:
        return np.sum(np.random.default_rng(seed).standard_normal(size) * x)

    found = zg.gradient(function, 0.7, 4, 3)
    assert found[0] == pytest.approx(np.sum(np.random.default_rng(3).standard_normal(4)))
    assert found[1:] == (None, None)


def test_parameters_of_what_rejects_numbers_are_refused() -> None:
    def program(x: Any) -> Any:
        KEPT["x"] = x
        return np.sum(np.random.default_rng(0).gamma(KEPT["x"], 1.0))

    with pytest.raises(zg.MissingRuleError, match="gamma"):
        zg.gradient(program, POINT)


def test_what_is_written_by_a_draw_is_refused() -> None:
    def program(x: Any) -> Any:
        y = x * 1.0
        np.random.default_rng(0).standard_normal(out=y)
        return np.sum(y * x)

    with pytest.raises(zg.ZygpyError):
        zg.gradient(program, POINT)


SOURCE = random.Random(3)


def drawn(rng: random.Random, x: Any) -> Any:
    return rng.random() * x


HANDING: dict[str, Callable[[Any], Any]] = {
    "a method in Python": lambda x: SOURCE.uniform(0.0, x),
    "an argument": lambda x: drawn(SOURCE, x),
    "in a dict": lambda x: {"rng": SOURCE}["rng"].uniform(x, 3.0),
    "of its own": lambda x: drawn(random.Random(2), x),
}


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("name", HANDING)
def test_a_source_of_the_standard_library_is_handed_on(name: str, *, specialise: bool) -> None:
    def seeded(x: Any) -> Any:
        SOURCE.seed(5)
        return HANDING[name](x)

    with units.options(specialise=specialise):
        slope = (seeded(1.3 + 1e-3) - seeded(1.3 - 1e-3)) / 2e-3  # they are linear
        SOURCE.seed(5)
        assert zg.gradient(HANDING[name], 1.3)[0] == pytest.approx(slope)
    assert zg.gradient(drawn, SOURCE, 1.3)[0] is None
