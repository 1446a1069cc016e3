"""Arrays of objects as arguments, and what is refused of them; programs that make them are in the corpus."""

from __future__ import annotations

from collections import deque, namedtuple
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError

Pair = namedtuple("Pair", "a b")


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v


def array_of(*items: Any) -> Any:
    array = np.empty(len(items), object)
    for place, item in enumerate(items):
        array[place] = item
    return array


def test_gradients_of_numbers_are_an_array_of_objects() -> None:
    given = array_of(1.5, 2.5, 4.0)
    (bar,) = zg.gradient(lambda a: a[0] ** 2 * a[1], given)
    assert bar.dtype == object and bar.tolist() == [7.5, 2.25, 0.0]


@pytest.mark.parametrize(
    "loss",
    [
        lambda a: sum([v * v for v in a]),
        lambda a: sum(v * v for v in a),
        lambda a: np.sum(a * a),
        lambda a: np.sum(a.astype(float) ** 2),
        lambda a: sum(p * q for p, q in zip(a, a[:], strict=True)),
        lambda a: sum(map(lambda v: v * v, a.tolist())),  # noqa: C417
        lambda a: sum(v * v for v in a[::-1]),
        lambda a: sum(v * v for v in a.reshape(1, -1)[0]),
    ],
)
def test_every_way_to_walk_over_the_numbers(loss: Callable[[Any], Any]) -> None:
    (bar,) = zg.gradient(loss, array_of(1.5, 2.5))
    assert bar.tolist() == [3.0, 5.0]


def test_containers_and_objects_in_it_have_gradients_of_their_own() -> None:
    given = array_of({"v": 1.5}, Box(2.5), Pair(2.0, 3.0), [4.0, 5.0], np.array([1.0, 2.0]))
    (bar,) = zg.gradient(
        lambda a: a[0]["v"] * a[1].v * a[2].a * a[3][1] * np.sum(a[4] ** 2),
        given,
    )
    value = 1.5 * 2.5 * 2.0 * 5.0 * 5.0
    assert bar[0] == {"v": value / 1.5}
    assert bar[1] == {"v": value / 2.5}
    assert bar[2] == Pair(value / 2.0, None)
    assert bar[3] == [0.0, value / 5.0]
    np.testing.assert_allclose(bar[4], value / 5.0 * 2.0 * given[4])


def test_matrix_of_objects_and_its_transpose() -> None:
    given = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=object)
    (bar,) = zg.gradient(lambda a: a.T[0, 1] * a[0, 1], given)
    assert bar.tolist() == [[0.0, 3.0], [2.0, 0.0]]
    (bar,) = zg.gradient(lambda a: a[0, 1] * a[1, 1], given.T)
    assert bar.tolist() == [[0.0, 4.0], [0.0, 3.0]]
    (bar,) = zg.gradient(lambda a: a[0] * a[1], given[:, 1])
    assert bar.tolist() == [4.0, 2.0]


def test_array_in_a_container_and_twice() -> None:
    given = array_of(1.5, 2.5)
    (bar,) = zg.gradient(lambda d: d["k"][0] * d["k"][1] ** 2, {"k": given})
    assert bar["k"].tolist() == [6.25, 7.5]
    first, second = zg.gradient(lambda a, b: a[0] * b[1], array_of(1.5, 2.5), array_of(3.0, 4.0))
    assert (first.tolist(), second.tolist()) == ([4.0, 0.0], [0.0, 1.5])


def test_back_can_be_called_twice() -> None:
    def program(a: Any) -> Any:
        a[0] = a[0] * a[1]
        return a[0] * a[1]

    given = array_of(1.5, 2.5)
    y, back = zg.pullback(program, given)
    assert y == 1.5 * 2.5**2 and given[0] == 1.5 * 2.5
    assert [back(1.0)[0].tolist() for _ in range(2)] == [[6.25, 7.5]] * 2


@pytest.mark.parametrize(
    "loss",
    [
        lambda a: np.dot(a, a),
        lambda a: a @ a,
        lambda a: np.mean(a),
        lambda a: np.max(a),
        lambda a: np.sum(np.where(np.array([True, False]), a, 0.0)),
        lambda a: np.concatenate([a, a])[0],
        lambda a: a.item(0),
        lambda a: (-a)[0],
        lambda a: np.diag(a)[0, 1],
        lambda a: np.array(a, dtype=float, ndmin=2)[0, 1],
        lambda a: np.full((2, 2), [a[0], a[1]], dtype=object)[0, 1],
    ],
)
def test_functions_of_arrays_of_numbers_are_refused(loss: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError):
        zg.gradient(loss, array_of(1.5, 2.5))


def test_augmented_assignment_of_the_whole_is_refused_before_it_is_done() -> None:
    def program(a: Any) -> Any:
        a *= 2
        return a[0]

    given = array_of(1.5, 2.5)
    with pytest.raises(MissingRuleError):
        zg.gradient(program, given)
    assert given.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    "write",
    [
        lambda a, v: np.add.at(a, [0], v),
        lambda a, v: np.put(a, [0], [v]),
        lambda a, v: np.place(a, [True, False], [v]),
        lambda a, v: np.copyto(a, np.array([v, v])),
        lambda a, v: np.multiply(a, v, out=a),
        lambda a, v: a.fill(v),
        lambda a, v: a.sort(),
    ],
)
def test_functions_that_write_numbers_are_refused(write: Callable[[Any, Any], Any]) -> None:
    def program(x: Any) -> Any:
        a = np.array([x[0], x[1]], dtype=object)
        write(a, x[1])
        return a[0]

    with pytest.raises((MissingRuleError, UnsupportedSyntaxError)):
        zg.gradient(program, np.array([1.5, 2.5]))


def test_several_arrays_written_at_once_are_refused() -> None:
    def program(x: Any) -> Any:
        a = np.empty((2, 2), dtype=object)
        a[:] = [[x[0], x[1]], [x[1], x[0]]]
        return a[0, 0]

    with pytest.raises(UnsupportedSyntaxError, match="several elements"):
        zg.gradient(program, np.array([1.0, 2.0]))


RECORDS = np.array([(1.5, 2.5), (3.0, 4.0)], dtype=[("a", float), ("b", float)])


@pytest.mark.parametrize(
    ("loss", "given"),
    [
        (lambda s: np.sum(s["a"]), RECORDS),
        (lambda s: s[0]["a"], RECORDS),
        (lambda s: sum(row["a"] for row in s), RECORDS),
        (lambda s: np.sum(s.a), RECORDS.view(np.recarray)),
        (lambda row: row["a"] * row["b"], RECORDS[0]),
    ],
)
def test_records_are_refused(loss: Callable[[Any], Any], given: Any) -> None:
    with pytest.raises((MissingRuleError, UnsupportedSyntaxError)):
        zg.gradient(loss, given)


def test_field_of_records_is_an_array_like_any_other() -> None:
    (bar,) = zg.gradient(lambda a: np.sum(a**2), RECORDS["b"])
    np.testing.assert_array_equal(bar, [5.0, 8.0])


def test_exact_numbers_in_a_list() -> None:
    given = [Fraction(3, 2), Fraction(5, 2)]
    assert zg.gradient(lambda a: a[0] * a[1] ** 2, given) == ([Fraction(25, 4), Fraction(15, 2)],)
    assert zg.gradient(lambda a: sum(v * v for v in a), given) == ([3, 5],)


def test_containers_of_other_classes() -> None:
    assert zg.gradient(lambda a: a[0] * a[1], deque([1.5, 2.5])) == (deque([2.5, 1.5]),)
    assert zg.gradient(lambda a: sum(v * v for v in a), {"a": 1.5, "b": 2.5}.values()) == ([3.0, 5.0],)


def test_seed_of_a_result_that_is_an_array_of_objects() -> None:
    def program(x: Any) -> Any:
        result = np.empty((2, 2), dtype=object, order="F")
        for row in range(2):
            for column in range(2):
                result[row, column] = x[row] * x[column + 1]
        return result

    x = np.array([1.5, 2.5, 4.0])
    seed = np.array([[1.0, 10.0], [100.0, None]], dtype=object)
    _, back = zg.pullback(program, x)
    (bar,) = back(seed)
    np.testing.assert_allclose(bar, [2.5 + 10 * 4.0, 1.5 + 2 * 100 * 2.5, 10 * 1.5])


def minus_numpys(x: Any) -> Any:
    return float(np.sum(np.float32(2.5) - np.array([x, 2 * x], dtype=object)))


def times_numpys(x: Any) -> Any:
    return (np.array([x, 2 * x], dtype=object) * np.array([2.3, 2.5], np.float32))[0] * x


def times_a_scalar(x: Any) -> Any:
    return (np.array([3.0, 2 * x], dtype=object) * np.float64(x))[1]


@pytest.mark.parametrize("program", [minus_numpys, times_numpys, times_a_scalar])
def test_numpys_numbers_become_objects(program: Any) -> None:
    """NumPy makes numbers of Python's of them, which compute in double precision."""
    value = zg.withgradient(program, 0.7).val
    assert (value, type(value)) == (program(0.7), type(program(0.7)))
    zg.testing.check_gradient(program, 0.7)
