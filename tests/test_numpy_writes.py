"""Functions of NumPy that write into an array and are refused: where, why, and what to write instead."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy
from tests.differences import differences
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError

V = np.array([0.5, -1.5, 2.0, 0.25])


def multiply_at(v: Any) -> Any:
    y = v * 2
    np.multiply.at(y, [0, 0], v[:2])
    return y.sum()


def maximum_at(v: Any) -> Any:
    y = v * 2
    np.maximum.at(y, [0, 0], v[:2])
    return y.sum()


def resized(v: Any) -> Any:
    y = v * 2
    y.resize(2)
    return y[0]


def overwritten(v: Any) -> Any:
    y = v * 2
    np.nan_to_num(y, copy=False)
    return y[0]


def unpacked(v: Any) -> Any:
    arguments = (v, v, v * 2)
    np.multiply(*arguments)
    return arguments[2][0]


def dtype_of_its_own(v: Any) -> Any:
    y = v * 2
    np.add(v, v, out=y, dtype=float)
    return y[0]


def overlapping_join(v: Any) -> Any:
    y = v * 2
    np.concatenate((y[2:], y[:2]), out=y)
    return y[0]


def placed_from_itself(v: Any) -> Any:
    y = v * 2
    np.place(y[1:], v[1:] < 9, y[:-1])
    return y[0]


def flat_from_itself(v: Any) -> Any:
    y = v * 2
    y[1:].flat = y[:-1]
    return y[0]


def not_there(v: Any) -> Any:
    table: dict[str, Any] = {}
    y = np.add(v, v, out=table.get("buffer"))
    return y[0]


def dots(v: Any) -> Any:
    return np.add(v, v, out=...)[0]


ROWS: list[tuple[Callable[..., Any], str, type[Exception], str]] = [
    (resized, "y.resize(2)", UnsupportedSyntaxError, "assign to an item or a slice"),
    (overwritten, "np.nan_to_num(y", UnsupportedSyntaxError, "assign to an item or a slice"),
    (unpacked, "np.multiply(*arguments)", UnsupportedSyntaxError, "call the function by its own name"),
    (overlapping_join, "np.concatenate", UnsupportedSyntaxError, "give it a copy of what it reads"),
    (placed_from_itself, "np.place", UnsupportedSyntaxError, "give it a copy of what it reads"),
    (flat_from_itself, "y[1:].flat", UnsupportedSyntaxError, "give it a copy of what it reads"),
    (not_there, "np.add(v, v", UnsupportedSyntaxError, "leave 'out' away"),
    (dots, "out=...", UnsupportedSyntaxError, "np.asarray"),
]


@pytest.mark.parametrize(
    ("function", "fragment", "error", "remedy"), ROWS, ids=[row[0].__name__ for row in ROWS]
)
def test_where_and_what_instead(
    function: Callable[..., Any], fragment: str, error: type[Exception], remedy: str
) -> None:
    lines, first = inspect.getsourcelines(function)
    line = first + next(number for number, text in enumerate(lines) if fragment in text)
    with pytest.raises(error) as caught:
        zygpy.gradient(function, V)
    message = str(caught.value)
    assert f"test_numpy_writes.py:{line}:" in message
    assert remedy in message
    assert "Why: " in message


def axes_in_lists(v: Any) -> Any:
    return np.einsum(v, [0], v, [0], [])


def axes_of_one_operand_in_lists(v: Any) -> Any:
    return np.einsum(v * 2, [0], [])


@pytest.mark.parametrize(
    "function", [axes_in_lists, axes_of_one_operand_in_lists, multiply_at, maximum_at, dtype_of_its_own]
)
def test_odd_forms(function: Callable[..., Any]) -> None:
    zygpy.testing.check_gradient(function, V)


def copied_iterator(v: Any) -> Any:
    y = v * v
    return y.flat.copy().sum()


def iterator_as_array(v: Any) -> Any:
    y = v * v
    return np.sum(y.flat)


def test_a_copied_iterator_is_refused() -> None:
    with pytest.raises(MissingRuleError):
        zygpy.gradient(copied_iterator, V)


def test_an_iterator_is_an_array_for_functions_of_numpy() -> None:
    assert zygpy.gradient(iterator_as_array, V)[0].tolist() == (2 * V).tolist()


def filled(v: Any) -> Any:
    y = v * 2
    np.copyto(y, v, where=v > 0)
    np.sin(y, out=y)
    y[1:].sort()
    return y @ y


def test_the_text_names_what_is_stored() -> None:
    text = str(zygpy.show_adjoint(filled, V))
    assert "np.sin(y)" in text
    assert "y[...] = " in text


def test_functions_that_write_may_be_differentiated_directly() -> None:
    y, back = zygpy.pullback(functools.partial(np.multiply, V, 2.0), out=np.zeros(4))
    np.testing.assert_array_equal(y, 2 * V)
    assert back(np.ones(4)) == ()


@pytest.mark.parametrize("name", ["hfft", "ifft2", "irfft2", "fft2"])
def test_an_out_that_numpy_ignores(name: str) -> None:
    transform = getattr(np.fft, name)
    square = V.reshape(2, 2)
    buffer = np.zeros_like(transform(square))

    def program(x: Any) -> Any:
        out = np.zeros_like(buffer)
        y = transform(x, out=out)
        return np.sum(np.abs(out)) + np.sum(y.real * np.arange(4.0).reshape(2, 2))

    def without(x: Any) -> Any:
        return np.sum(transform(x).real * np.arange(4.0).reshape(2, 2))

    is_old = np.lib.NumpyVersion(np.__version__) < "2.5.0"
    value, back = zygpy.pullback(program, square)
    assert value == program(square)
    if name != "fft2" and is_old:
        assert value == without(square)
        assert np.array_equal(back(1.0)[0], zygpy.gradient(without, square)[0])
    else:
        assert value > without(square)


@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.parametrize("source", [1 + 2j, np.complex128(1 + 2j), np.full(4, 1 + 2j)])
def test_complex_numbers_are_copied_into_real_arrays(source: Any) -> None:
    def program(z: Any, where: Any) -> Any:
        a = np.zeros(4)
        if where is None:
            np.copyto(a, z, casting="unsafe")
        else:
            np.copyto(a, z, casting="unsafe", where=where)
        return a @ np.arange(1.0, 5.0)

    for where, weights in (
        (None, np.arange(1.0, 5.0)),
        ([True, False, True, False], np.array([1.0, 0, 3.0, 0])),
    ):
        value, back = zygpy.pullback(program, source, where)
        assert value == program(source, where) == np.sum(weights)
        expected = weights if np.ndim(source) else np.sum(weights)
        np.testing.assert_array_equal(zygpy.gradient(program, source, where)[0], expected)
        assert back(0.0)[1] is None


@pytest.mark.parametrize("dtype", [">f8", "<f8", ">f4", ">c16"])
def test_resized_arrays_have_the_dtype_that_numpy_gives(dtype: str) -> None:
    a = np.arange(1, 5).astype(dtype)
    for shape in (3, (2, 3), (4,), (0,), ()):
        expected = np.resize(a, shape)
        value, back = zygpy.pullback(lambda a, s=shape: np.resize(a, s), a)
        assert value.dtype == expected.dtype
        np.testing.assert_array_equal(value, expected)
        counts = np.bincount(np.arange(np.size(expected)) % 4, minlength=4)
        np.testing.assert_array_equal(back(np.ones(np.shape(expected)))[0], counts)


def test_copies_with_positional_arguments() -> None:
    def program(x: Any, *how: Any) -> Any:
        y = np.full(3, 0.5, np.float32)
        np.copyto(y, x, how[0], how[1])
        return np.sum(y * np.arange(1.0, 4.0))

    x, weights = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    for mask in (True, np.array([True, False, True])):
        np.testing.assert_array_equal(zygpy.gradient(program, x, "same_kind", mask)[0], weights * mask)
    single = lambda x: np.copyto(y := np.zeros(3), x, "unsafe") or np.sum(y * weights)  # noqa: E731
    np.testing.assert_array_equal(zygpy.gradient(single, x)[0], weights)
    with pytest.raises(TypeError, match="according to the rule 'no'"):
        zygpy.gradient(program, x, "no", True)


def put_into_a_number(x: Any) -> Any:
    np.put(x, 0, 2.0)
    return x * x


def fill_a_number(x: Any) -> Any:
    x.fill(2.0)
    return x * x


def test_writes_to_numbers_of_numpy() -> None:
    """Which change nothing."""
    assert put_into_a_number(np.float64(3.0)) == 9.0
    with pytest.raises(UnsupportedSyntaxError, match="a write goes to a number, a 'float64'"):
        zygpy.gradient(put_into_a_number, np.float64(3.0))
    assert zygpy.gradient(fill_a_number, np.float64(3.0)) == (6.0,)
    assert zygpy.gradient(put_into_a_number, np.array(3.0)) == (0.0,)


class Held:
    def __init__(self, y: Any) -> None:
        self.y = y


def sorted_in_a_field(v: Any, **how: Any) -> Any:
    y = Held(v * 2).y
    y.sort(**how)
    return y @ np.arange(4.0)


def test_ways_of_sorting_in_place() -> None:
    for how in ({"stable": True}, {"stable": False}, {"kind": "stable"}):
        found = zygpy.gradient(lambda v, how=how: sorted_in_a_field(v, **how), V)[0]
        assert found.tolist() == [4.0, 0.0, 6.0, 2.0]
    with pytest.raises(MissingRuleError, match="'descending='"):
        zygpy.gradient(lambda v: sorted_in_a_field(v, descending=True), V)


def filled_by_methods(v: Any) -> Any:
    rows = np.full((3, 4), 0.5)
    np.multiply.outer(v[:2], v, out=rows[:2])
    np.add.reduceat(v, [0, 2, 1, 3], 0, None, rows[2])
    total = np.zeros((1, 4))
    np.add.reduce(rows, 0, None, total, True)
    np.multiply.accumulate(rows, axis=1, out=rows)
    return (
        total @ np.array([1.0, 2.0, -1.0, 0.5]) + np.add.reduce(rows, 0, None, total[0])[1] ** 2 + total[0, 0]
    )


def reduced_into(v: Any, out: Any = None) -> Any:
    return np.add.reduce(v * v, 0, None, out, True, 0.5, v > -1.0).sum()


def reduced_twice(v: Any) -> Any:
    place = np.zeros(1)
    return reduced_into(v) * reduced_into(v * 2, place) + place[0]


def behind_out(v: Any) -> Any:
    out = np.zeros((1, 2))
    pairs = v.reshape(2, 2)
    np.std(pairs, 0, None, out, 0, True)
    found = out @ [1.0, 2.0] + np.median(pairs, 1, None, False) @ [1.0, 3.0]
    found += np.take(v, [1, 6], 0, np.zeros(2), "wrap") @ [1.0, 2.0]
    return found[0] * np.quantile(v, 0.4, overwrite_input=False) + np.sort(v, order=None)[1]


@pytest.mark.parametrize("function", [behind_out, reduced_twice, filled_by_methods])
def test_out_of_methods_and_what_stands_behind_it(function: Callable[..., Any]) -> None:
    scalar = functools.partial(_summed, function)
    point = np.array([0.7, -0.4, 1.3, 0.25])
    expected = differences(scalar, point)
    value, back = zygpy.pullback(scalar, point)
    assert value == scalar(point)
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-7)
    direction = np.array([1.0, -0.5, 0.3, 2.0])
    np.testing.assert_allclose(zygpy.pushforward(scalar, point)(direction), expected @ direction, rtol=1e-7)


def _summed(function: Callable[..., Any], v: Any) -> Any:
    return np.sum(function(v))


@pytest.mark.filterwarnings("ignore:Casting complex")
def test_real_numbers_about_a_complex_mean() -> None:
    def spread(x: Any) -> Any:
        return np.nanvar(
            x.reshape(2, 3), axis=1, mean=np.array([[0.2 + 0.5j], [0.1 - 0.3j]]), keepdims=True
        ).sum()

    point = np.array([0.3, 0.8, -0.4, 1.0, 0.2, 0.5])
    with np.errstate(all="ignore"):
        expected = differences(spread, point)
        np.testing.assert_allclose(zygpy.gradient(spread, point)[0], expected, rtol=1e-7)
