"""Gradients by pairs that were found at a call before: what they must not miss."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pairs_at_hand
from zygpy.units import options

X = np.linspace(-1.5, 1.5, 40)


def valley(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def slope_of_valley(x: Any) -> Any:
    """By hand."""
    slope, rest = np.zeros(len(x)), x[1:] - x[:-1] ** 2
    slope[1:] = 200.0 * rest
    slope[:-1] -= 400.0 * rest * x[:-1] + 2.0 * (1.0 - x[:-1])
    return slope


def is_at_hand(function: Any, *args: Any) -> bool:
    return pairs_at_hand.run(function, args) is not None


def test_a_second_call_is_at_hand_and_gives_the_same() -> None:
    for _ in range(3):
        found = zg.gradient(valley, X)[0]
        np.testing.assert_allclose(found, slope_of_valley(X), rtol=1e-13)
        value, (grad,) = zg.withgradient(valley, X)
        np.testing.assert_array_equal(grad, found)
        assert value == valley(X)
        assert found.flags.writeable
        assert not np.may_share_memory(found, grad)
        assert not np.may_share_memory(found, X)
        found[...] = 7.0
    assert is_at_hand(valley, X)


def test_pullbacks_are_at_hand_and_keep_what_was() -> None:
    def doubled(x: Any) -> Any:
        return x * x

    for _ in range(3):
        x = X.copy()
        y, back = zg.pullback(doubled, x)
        np.testing.assert_array_equal(y, X * X)
        x[...] = 0.0
        for _ in range(2):
            (bar,) = back(np.ones(40))
            np.testing.assert_array_equal(bar, 2.0 * X)
            bar[...] = 7.0
        assert back(None) == (None,)
        with pytest.raises(zg.CotangentShapeError):
            back(np.ones(3))
    assert pairs_at_hand.run(doubled, (X,), pairs_at_hand.COPYING_PAIRS) is not None


def test_pullbacks_hand_nothing_of_their_own_out() -> None:
    shift = X.copy()

    def shifted(x: Any) -> Any:
        return x + shift

    for _ in range(3):
        seed = np.ones(40)
        y, back = zg.pullback(shifted, X)
        (bar,) = back(seed)
        assert not any(np.may_share_memory(bar, other) for other in (seed, X, shift, y))
        bar[...] = 7.0
        np.testing.assert_array_equal(back(seed)[0], np.ones(40))


@pytest.mark.parametrize(
    "x",
    [
        X[::2],
        X.astype(np.float32),
        X.astype(">f8"),
        X + 0.0j,
        np.arange(1, 6),
        X[:8].reshape(2, 4),
        np.asfortranarray(X[:8].reshape(2, 4)),
        np.array(1.5),
        X[:0],
        1.5,
        3,
        np.float64(1.5),
        np.float32(1.5),
    ],
)
def test_other_arguments_behind_it(x: Any) -> None:
    def total(x: Any) -> Any:
        return np.sum(abs(x * x * x))

    zg.gradient(total, X), zg.gradient(total, X)
    expected = 3.0 * np.abs(x) * x
    for _ in range(3):
        (found,) = zg.gradient(total, x)
        np.testing.assert_allclose(found, expected, rtol=1e-5)
        known = type(x) if isinstance(x, np.generic) else float if isinstance(x, int | float) else np.ndarray
        assert type(found) is known
        if isinstance(x, np.ndarray):
            assert found.dtype == (x.dtype if x.dtype.kind in "fc" else np.float64)
            assert found.shape == x.shape
    np.testing.assert_allclose(zg.gradient(total, X)[0], 3.0 * np.abs(X) * X, rtol=1e-12)


def test_a_gradient_for_each_argument() -> None:
    def mixed(x: Any, n: Any, flag: Any, name: Any, a: Any) -> Any:
        return np.sum(x * n) * a if flag and name else 0.0

    x = X + 2.0
    for _ in range(3):
        found = zg.gradient(mixed, x, 3, True, "on", 2.0)
        np.testing.assert_array_equal(found[0], np.full(40, 6.0))
        np.testing.assert_allclose(found[1], np.sum(2.0 * x), rtol=1e-14)
        assert found[2:] == (None, None, np.sum(3 * x))
        assert type(found[4]) is float
    assert is_at_hand(mixed, X, 3, True, "on", 2.0)


FACTOR: Any = 2.0


def helper(x: Any) -> Any:
    return 3.0 * x


def by_helper(x: Any) -> Any:
    return np.sum(helper(x) * FACTOR)


def test_what_is_redefined_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert zg.gradient(by_helper, X)[0][0] == 6.0
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert zg.gradient(by_helper, X)[0][0] == 15.0
    monkeypatch.setitem(globals(), "FACTOR", np.full(40, 7.0))
    for _ in range(2):
        assert zg.gradient(by_helper, X)[0][0] == 21.0
    monkeypatch.setitem(globals(), "helper", lambda x: x * x)
    for _ in range(2):
        assert zg.gradient(by_helper, X)[0][0] == 14.0 * X[0]
    monkeypatch.setattr(helper, "__code__", (lambda x: 9.0 * x).__code__)
    monkeypatch.undo()
    assert zg.gradient(by_helper, X)[0][0] == 6.0


def test_another_code_of_the_function_itself_is_seen() -> None:
    def function(x: Any) -> Any:
        return np.sum(x)

    def other(x: Any) -> Any:
        return np.sum(x * x)

    for _ in range(2):
        assert zg.gradient(function, X)[0][0] == 1.0
    function.__code__ = other.__code__
    for _ in range(2):
        assert zg.gradient(function, X)[0][0] == 2.0 * X[0]


def test_rules_that_are_declared_are_seen() -> None:
    def inner(x: Any) -> Any:
        return x * x

    def outer(x: Any) -> Any:
        return np.sum(inner(x))

    for _ in range(2):
        assert zg.gradient(outer, X)[0][0] == 2.0 * X[0]

    @zg.adjoint(inner)
    def _(x: Any) -> Any:
        return x * x, lambda y_bar: (100.0 * y_bar,)

    for _ in range(2):
        assert zg.gradient(outer, X)[0][0] == 100.0

    @zg.adjoint(outer)
    def _(x: Any) -> Any:
        return np.sum(x), lambda y_bar: (7.0 * y_bar * np.ones(40),)

    for _ in range(2):
        assert zg.gradient(outer, X)[0][0] == 7.0


def scaling(factor: Any) -> Callable[[Any], Any]:
    def scaled(x: Any) -> Any:
        return np.sum(factor * x)

    return scaled


def test_functions_of_one_code_have_rules_of_their_own() -> None:
    plain, ruled = scaling(2.0), scaling(2.0)

    @zg.adjoint(ruled)
    def _(x: Any) -> Any:
        return np.sum(x), lambda y_bar: (7.0 * y_bar * np.ones(40),)

    for _ in range(3):
        assert zg.gradient(plain, X)[0][0] == 2.0
        assert zg.gradient(ruled, X)[0][0] == 7.0
    assert not is_at_hand(ruled, X)


def test_what_is_captured_is_read_at_every_call() -> None:
    for factor in (2.0, 3.0, 4, np.float32(5.0), np.full(40, 6.0), np.arange(40.0), 7):
        for _ in range(2):
            expected = factor * np.ones(40)
            np.testing.assert_array_equal(zg.gradient(scaling(factor), X)[0], expected)
    assert is_at_hand(scaling(1.0), X)


def test_functions_that_are_captured() -> None:
    def applying(function: Any) -> Callable[[Any], Any]:
        return lambda x: np.sum(function(x))

    for _ in range(2):
        assert zg.gradient(applying(np.exp), X)[0][3] == np.exp(X[3])
        assert zg.gradient(applying(np.cos), X)[0][3] == -np.sin(X[3])
        assert zg.gradient(applying(lambda x: x * x), X)[0][3] == 2.0 * X[3]


def test_a_variable_that_is_rebound() -> None:
    factor = 2.0

    def scaled(x: Any) -> Any:
        return np.sum(factor * x)

    for _ in range(3):
        assert zg.gradient(scaled, X)[0][0] == factor
        factor += 1.0


def test_a_variable_that_has_no_value_yet() -> None:
    def late(*, asking: bool) -> None:
        def scaled(x: Any) -> Any:
            return np.sum(factor * x)

        if asking:
            with pytest.raises(NameError):
                zg.gradient(scaled, X)
        factor = 2.0
        for _ in range(2):
            assert zg.gradient(scaled, X)[0][0] == 2.0

    for asking in (True, False, True):
        late(asking=asking)


def test_functions_of_one_code_with_other_globals() -> None:
    for factor in (2.0, 3.0, np.full(40, 4.0)):
        own = FunctionType(by_helper.__code__, {**globals(), "FACTOR": factor})
        for _ in range(2):
            assert zg.gradient(own, X)[0][0] == 3.0 * np.max(factor)


def test_other_numbers_of_arguments() -> None:
    def power(x: Any, n: Any = 2.0, *, scale: Any = 1.0) -> Any:
        return x**n * scale

    def plain(x: Any, n: Any = 2.0) -> Any:
        return x**n

    for _ in range(3):
        assert zg.gradient(power, 3.0) == (6.0,)
        assert zg.gradient(plain, 3.0) == (6.0,)
        assert zg.gradient(plain, 3.0, 3.0)[0] == 27.0
        assert zg.gradient(plain, 3.0, n=3.0) == (27.0,)
    plain.__defaults__ = (3.0,)
    assert zg.gradient(plain, 3.0) == (27.0,)
    with pytest.raises(TypeError):
        zg.gradient(plain)
    with pytest.raises(TypeError):
        zg.gradient(plain, 1.0, 2.0, 3.0)


def test_switches_are_parts_of_what_is_kept() -> None:
    for switches in ({}, {"simplify": False}, {"specialise": False}, {}):
        with options(**switches):
            for _ in range(3):
                np.testing.assert_allclose(zg.gradient(valley, X)[0], slope_of_valley(X), rtol=1e-13)


def test_results_that_have_no_gradient_are_refused() -> None:
    def itself(x: Any) -> Any:
        return x * 2.0

    for _ in range(3):
        assert zg.gradient(itself, 1.0) == (2.0,)
        for value in (X, 1j, np.complex128(1.0)):
            with pytest.raises(zg.NotScalarError):
                zg.gradient(itself, value)


def test_exceptions_are_the_programs_own_and_say_where() -> None:
    def root(x: Any) -> Any:
        return math.sqrt(x) + np.sum(X)

    for _ in range(2):
        assert zg.gradient(root, 4.0) == (0.25,)
    with pytest.raises(ValueError, match="domain error") as caught:
        zg.gradient(root, -4.0)
    assert any("in root" in note for note in caught.value.__notes__)
    assert zg.gradient(root, 4.0) == (0.25,)


def test_levels_of_nesting_are_the_same() -> None:
    levels = []

    def told(x: Any) -> Any:
        return x * (1.0 + zg.nestlevel())

    def watched(bar: Any) -> Any:
        levels.append(zg.nestlevel())
        return bar

    def hooked(x: Any) -> Any:
        return zg.hook(watched, x) * 2.0

    for _ in range(3):
        assert zg.gradient(told, 1.0) == (2.0,)
        assert zg.gradient(lambda x: x * zg.gradient(told, x)[0], 1.0) == (3.0,)
        assert zg.gradient(hooked, 1.0) == (2.0,)
    assert levels == [0, 0, 0]


def test_arguments_that_are_changed_and_containers() -> None:
    def changing(x: Any) -> Any:
        x[0] = 5.0 * x[1]
        return np.sum(x)

    def first(values: Any) -> Any:
        return values[0] * 2.0

    for _ in range(3):
        np.testing.assert_array_equal(zg.gradient(changing, np.ones(3))[0], [0.0, 6.0, 1.0])
        assert zg.gradient(first, [1.0, 2.0]) == ([2.0, 0.0],)
        assert zg.gradient(first, (1.0, 2.0)) == ((2.0, None),)
        np.testing.assert_array_equal(zg.gradient(first, np.ones(2))[0], [2.0, 0.0])


def test_modes_see_every_call() -> None:
    def loss(x: Any) -> Any:
        return np.sum(x * X)

    for _ in range(2):
        zg.gradient(loss, np.ones(40))
    grads = zg.gradient(lambda: loss(np.ones(40)), zg.Params([X]))
    np.testing.assert_array_equal(grads[X], np.ones(40))
    np.testing.assert_array_equal(zg.gradient(loss, np.ones(40))[0], X)
    with zg.checking():
        np.testing.assert_array_equal(zg.gradient(loss, np.ones(40))[0], X)


def test_nothing_is_at_hand_once_all_is_dropped() -> None:
    zg.gradient(valley, X), zg.gradient(valley, X)
    assert is_at_hand(valley, X)
    zg.refresh()
    assert not is_at_hand(valley, X)


def test_no_data_of_users_are_kept() -> None:
    class Data(np.ndarray[Any, Any]):
        pass

    values = np.arange(40.0)
    scaled = scaling(values)
    for _ in range(3):
        zg.gradient(scaled, X)
    gone = weakref.ref(scaled), weakref.ref(values)
    del scaled, values
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_many_functions_and_many_kinds() -> None:
    for rank in range(1, 6):
        for dtype in (np.float64, np.float32, np.int64, np.int32):
            x = np.ones((2,) * rank, dtype)
            np.testing.assert_array_equal(zg.gradient(scaling(2.0), x)[0], 2.0 * np.ones_like(x))
    for number in range(pairs_at_hand.PAIRS_KEPT + 10):
        function = FunctionType(helper.__code__.replace(co_firstlineno=number + 1), globals())
        pairs_at_hand.keep(function, (1.0,))
    assert len(pairs_at_hand.PAIRS) <= pairs_at_hand.PAIRS_KEPT


def test_threads() -> None:
    found: list[Any] = []

    def work(factor: float) -> None:
        found.extend(zg.gradient(scaling(factor), X)[0][0] == factor for _ in range(50))

    threads = [threading.Thread(target=work, args=(float(factor),)) for factor in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 200
