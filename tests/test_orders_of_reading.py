"""`order=`: arrays are read, copied and made in all four orders, however they lie in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.layouts import axes_as_read
from zygpy.testing import check_gradient

Program = Callable[[Any, Any], Any]


def numbers(*shape: int) -> Any:
    return np.sin(1.0 + 2.3 * np.arange(np.prod(shape, dtype=int))).reshape(shape)


LAYOUTS = {
    "C": numbers(3, 4),
    "F": np.asfortranarray(numbers(3, 4)),
    "sliced": numbers(6, 8)[::2, ::2],
    "sliced and transposed": numbers(8, 6)[::2, ::2].T,
    "backwards": np.asfortranarray(numbers(3, 4))[:, ::-1],
    "permuted": numbers(2, 3, 4).transpose(1, 2, 0),
    "permuted and sliced": numbers(2, 3, 4).transpose(2, 0, 1)[::2],
    "one row": numbers(4, 1, 3).T,
    "vector": numbers(5)[::-1],
    "number": np.array(1.3),
    "empty": np.zeros((0, 3)),
}


def constant(x: Any) -> Any:
    return np.full(x.shape, 1.5)


def written(x: Any, order: Any) -> Any:
    y = np.empty_like(x, order=order)
    y[...] = x * x
    return np.ravel(y, "K") + 0.0


def scaled(x: Any, order: Any) -> Any:
    y = np.array(x, order=order)
    y *= 2
    z = np.ravel(y, "K")
    return z * z


READING: dict[str, Program] = {
    "ravel": lambda x, order: np.ravel(x, order=order),
    "ravel by position": lambda x, order: np.ravel(x, order) ** 2,
    "reshape": lambda x, order: np.reshape(x, (-1,), order=order),
    "reshape backwards": lambda x, order: np.reshape(x, x.shape[::-1], order),
    "of a sum": lambda x, order: np.ravel(x * 2 + constant(x), order),
    "of a transpose": lambda x, order: np.ravel(np.sin(x.T + constant(x.T)), order),
    "of a flip": lambda x, order: np.ravel(np.flip(x) ** 2, order),
    "method": lambda x, order: x.ravel(order) ** 2,
    "method by name": lambda x, order: np.sin(x).ravel(order=order),
    "flat copy": lambda x, order: x.flatten(order) ** 2,
    "method for shapes": lambda x, order: x.reshape((-1,), order=order),
    "method for lengths": lambda x, order: (x * x).reshape(1, *x.shape[::-1], order=order),
    "twice": lambda x, order: np.reshape(np.ravel(x * x, order), x.shape, order="A"),
}
MAKING: dict[str, Program] = {
    "np.copy": lambda x, order: np.ravel(np.copy(x, order=order), "K"),
    "copy": lambda x, order: np.ravel(x.copy(order), "K"),
    "astype": lambda x, order: np.ravel(x.astype(complex, order=order), "K").real,
    "array": lambda x, order: np.ravel(np.array(x, order=order), "K"),
    "asarray": lambda x, order: np.ravel(np.asarray(x, order=order), "K"),
    "ufunc": lambda x, order: np.ravel(np.multiply(x, x, order=order), "K"),
    "full_like": lambda x, order: np.ravel(np.full_like(x, np.sum(x), order=order) + x, "K"),
    "zeros_like": lambda x, order: np.ravel(np.zeros_like(x, order=order) + x * x, "K"),
    "written": written,
    "scaled": scaled,
}
FORMS = READING | MAKING


def forms() -> Iterator[Any]:
    for name, x in LAYOUTS.items():
        for order in "CFAK":
            yield name, order, x


@pytest.mark.parametrize("name", FORMS)
def test_values_and_gradients_in_all_orders(name: str) -> None:
    """What is read is where NumPy reads it: of numbers that are told apart the place of each is known."""
    program = FORMS[name]
    for layout, order, x in forms():
        if not is_taken(program, order):
            continue
        value, back = zg.pullback(program, x, order)
        expected = program(x, order)
        assert np.array_equal(value, expected), (layout, order)
        assert value.strides == expected.strides, (layout, order)
        if order in "AK" or not x.size:
            continue
        weights = numbers(*value.shape)
        slope = slopes(program, x, order, weights)
        assert np.allclose(back(weights)[0], slope, atol=1e-6), (layout, order)


def slopes(program: Program, x: Any, order: Any, weights: Any) -> Any:
    """Central differences in arrays that lie in memory as the given one does."""
    result = np.zeros(x.shape)
    for place in np.ndindex(*x.shape):
        values = []
        for step in (1e-6, -1e-6):
            moved = alike(x)
            moved[place] += step
            values.append(np.sum(weights * program(moved, order)))
        result[place] = (values[0] - values[1]) / 2e-6
    return result


def alike(x: Any) -> Any:
    """A copy in memory of its own, with steps of the same lengths and signs."""
    low = sum(min(0, step * (length - 1)) for step, length in zip(x.strides, x.shape, strict=True))
    high = sum(max(0, step * (length - 1)) for step, length in zip(x.strides, x.shape, strict=True))
    made = np.ndarray(x.shape, x.dtype, np.zeros((high - low) // 8 + 1), -low, x.strides)
    made[...] = x
    return made


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("order", "AK")
def test_orders_that_memory_tells(name: str, order: str) -> None:
    """First and second derivatives and tangents, whose layouts are others than the array's."""
    program = FORMS[name]
    for layout, x in LAYOUTS.items():
        if not x.size or not is_taken(program, order):
            continue
        weights = numbers(*program(x, order).shape)
        slope = slopes(program, x, order, weights)
        assert np.allclose(zg.pullback(program, x, order)[1](weights)[0], slope, atol=1e-6), layout
        tangent = numbers(*x.shape[::-1]).T.copy()
        pushed = zg.pushforward(lambda v, program=program: program(v, order), x)(tangent)
        assert np.isclose(np.sum(weights * pushed), np.sum(slope * tangent), atol=1e-6), layout
        check_second(lambda v, program=program: program(v, order), x, tangent, weights)


def is_taken(program: Program, order: str) -> bool:
    """Whether NumPy takes this order: `np.reshape` does not take "K"."""
    try:
        program(LAYOUTS["C"], order)
    except ValueError:
        return False
    return True


def check_second(program: Callable[[Any], Any], x: Any, direction: Any, weights: Any) -> None:
    def cubes(v: Any) -> Any:
        return np.sum(weights * program(v) ** 3)

    def slope(step: float) -> Any:
        moved = alike(x)
        moved += step * direction
        return zg.gradient(cubes, moved)[0]

    expected = (slope(1e-5) - slope(-1e-5)) / 2e-5
    assert np.allclose(zg.hvp(cubes, x, direction), expected, atol=1e-5)


def test_axes_without_steps_are_read_where_numpy_reads_them() -> None:
    random = np.random.default_rng(4)
    memory = np.arange(2000)[1000:]
    for _ in range(300):
        shape = random.integers(1, 4, random.integers(0, 6))
        steps = random.choice([0, 8, 16, 24, 48, 64, -8, -24], len(shape))
        x = np.lib.stride_tricks.as_strided(memory, shape, steps)
        for order in "CFAK":
            read = np.ravel(np.transpose(x, axes_as_read(x, order)))
            assert np.array_equal(read, np.ravel(x, order)), (shape, steps, order)


def test_other_sorts_of_numbers() -> None:
    single = np.asfortranarray(numbers(3, 4).astype(np.float32))
    gradient = zg.gradient(lambda x: np.sum(np.ravel(x, "K") * np.arange(12, dtype=np.float32)), single)[0]
    assert gradient.dtype == np.float32
    assert np.array_equal(gradient, np.arange(12).reshape(4, 3).T)
    check_gradient(lambda z: np.ravel(z, "K") ** 2, single * np.exp(1j * single.astype(float)))
    check_gradient(lambda x, y: np.ravel([[x, y], [y * y, x]], order="F"), 1.5, 0.5, order=2)
    assert zg.gradient(lambda x: np.ravel(x, "K")[0] ** 2, 1.5) == (3.0,)
    check_gradient(lambda x: np.reshape(x, (4, 3), order="A", copy=True) ** 2, LAYOUTS["F"])


@pytest.mark.parametrize("order", ["Z", 3])
def test_what_is_no_order(order: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as expected:
        np.ravel(LAYOUTS["C"], order)
    with pytest.raises(type(expected.value), match="order"):
        zg.pullback(lambda x: np.ravel(x, order), LAYOUTS["C"])
    with pytest.raises(ValueError, match="not permitted"):
        zg.pullback(lambda x: np.reshape(x, -1, order="K"), LAYOUTS["C"])


def through_a_view(x: Any) -> Any:
    y = x.T * 1.0
    y.ravel(order="K")[1:4] *= x[0, 0]
    return np.sum(y * y * np.arange(y.size).reshape(y.shape))


def test_methods_written_down_and_views_of_what_they_read() -> None:
    """Orders that stand in the program, in code that is specialised and in code that is not."""
    x = np.asfortranarray(numbers(3, 2))
    weights = np.arange(6.0)
    for program in (
        lambda x: np.sum(x.ravel("K") * weights),
        lambda x: np.sum(x.T.flatten("A") * weights),
        lambda x: np.sum(x.reshape(6, order="A") * weights),
        lambda x: np.sum([getattr][0](x, "ravel")("A") * weights),
        lambda x: np.sum([x][0].reshape((6,), order="A") * weights),
    ):
        found = zg.gradient(program, x)[0]
        assert np.array_equal(found, slopes_of_numbers(program, x).round(6)), program
    check_gradient(through_a_view, numbers(2, 3), order=2)


def slopes_of_numbers(program: Callable[[Any], Any], x: Any) -> Any:
    return slopes(lambda v, order: program(v), x, None, 1.0)
