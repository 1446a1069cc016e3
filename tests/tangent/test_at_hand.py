"""Second derivatives and Jacobians that were found at a call before: what they must not miss."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import at_hand
from zygpy.derivatives import hvp_by_reverse, withjacobian_by_reverse
from zygpy.kept import NUMBER, kept_at_hand
from zygpy.units import options

X, V = np.linspace(-1.5, 1.5, 40), np.cos(np.arange(40.0))


def valley(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def coupled(x: Any) -> Any:
    return np.sum(np.exp(x) * np.sum(x**2))


def field(x: Any) -> Any:
    return np.tanh(x) * np.sum(x) + x * x


def shifted(x: Any) -> Any:
    return x[1:] * x[:-1]


def itself(x: Any) -> Any:
    return x


def twice(call: Any) -> Any:
    """The results of a first and a second call, which are the same and share nothing."""
    first, second = call(), call()
    np.testing.assert_array_equal(first, second)
    assert not np.may_share_memory(first, second)
    assert second.flags.writeable
    return second


@pytest.mark.parametrize("function", [valley, coupled])
def test_products_and_hessians(function: Any) -> None:
    expected = zg.hessian_reverse(function, X)
    np.testing.assert_allclose(twice(lambda: zg.hvp(function, X, V)), expected @ V, rtol=1e-10)
    np.testing.assert_allclose(twice(lambda: zg.hessian(function, X)), expected, rtol=1e-10, atol=1e-10)
    assert kept_at_hand("gradient", function, 1) is not None
    assert kept_at_hand("gradient, columns", function, 1) is not None


@pytest.mark.parametrize("function", [field, shifted, itself])
def test_jacobians(function: Any) -> None:
    expected = withjacobian_by_reverse(function, X).grad[0]
    np.testing.assert_allclose(twice(lambda: zg.jacobian(function, X)[0]), expected, rtol=1e-12, atol=1e-14)
    assert kept_at_hand("push, columns", function, 1) is not None


def test_directions_and_arguments_are_left_alone() -> None:
    x, v = X.copy(), V.copy()
    for _ in range(3):
        made = zg.hvp(valley, x, v), zg.hessian(valley, x), zg.jacobian(itself, x)[0]
        for result in made:
            assert not np.may_share_memory(result, x)
            assert not np.may_share_memory(result, v)
            result[...] = 7.0
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(v, V)
    np.testing.assert_allclose(zg.hvp(valley, x, x), zg.hessian_reverse(valley, x) @ x, rtol=1e-12)


@pytest.mark.parametrize(
    ("x", "v"),
    [
        (X[:7], V[:7]),
        (X[::2], V[::2]),
        (X[:8].reshape(2, 4), V[:8].reshape(2, 4)),
        (np.asfortranarray(X[:8].reshape(2, 4)), V[:8].reshape(4, 2).T),
        (X[:5].astype(np.float32), V[:5].astype(np.float32)),
        (X[:5], V[:5].astype(np.float32)),
        (X[:5], np.arange(5)),
        (np.arange(1, 6), V[:5]),
        (X[:1], V[:1]),
        (X[:0], V[:0]),
        (np.array(1.5), np.array(2.0)),
        (X[:5].astype(">f8"), V[:5]),
    ],
)
def test_other_arguments_behind_it(x: Any, v: Any) -> None:
    zg.hvp(coupled, X, V), zg.hessian(coupled, X), zg.jacobian(field, X)
    for _ in range(2):
        found, expected = zg.hvp(coupled, x, v), hvp_by_reverse(coupled, x, v)
        np.testing.assert_allclose(found, expected, rtol=1e-5)
        assert found.dtype.char == expected.dtype.char
        np.testing.assert_allclose(
            zg.hessian(coupled, x), zg.hessian_reverse(coupled, x), rtol=1e-5, atol=1e-5
        )
        np.testing.assert_allclose(
            zg.jacobian(field, x)[0], withjacobian_by_reverse(field, x).grad[0], rtol=1e-5, atol=1e-6
        )


def test_directions_of_another_form_are_refused_as_before() -> None:
    zg.hvp(valley, X, V)
    with pytest.raises(zg.CotangentShapeError, match="the direction has shape"):
        zg.hvp(valley, X, V[:-1])


FACTOR = 2.0


def helper(x: Any) -> Any:
    return x**3


def calling(x: Any) -> Any:
    return np.sum(FACTOR * helper(x))


def listing(x: Any) -> Any:
    return FACTOR * helper(x)


def test_what_is_redefined_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> list[float]:
        rows = zg.hvp(calling, X, V)[3], zg.hessian(calling, X)[3, 3], zg.jacobian(listing, X)[0][3, 3]
        return [float(entry) for entry in rows]

    x, v = X[3], V[3]
    for _ in range(2):
        assert ask() == pytest.approx([12.0 * x * v, 12.0 * x, 6.0 * x**2])
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert ask() == pytest.approx([30.0 * x * v, 30.0 * x, 15.0 * x**2])
    monkeypatch.setitem(globals(), "helper", lambda x: x**2)
    for _ in range(2):
        assert ask() == pytest.approx([10.0 * v, 10.0, 10.0 * x])
    monkeypatch.setattr(np, "sum", lambda x: 3.0 * x[3])
    assert ask()[:2] == pytest.approx([30.0 * v, 30.0])


def test_code_and_defaults_that_are_set_later() -> None:
    def loss(x: Any) -> Any:
        return np.sum(x**3)

    def other(x: Any) -> Any:
        return np.sum(x**2)

    for _ in range(2):
        assert zg.hvp(loss, X, V)[3] == pytest.approx(6.0 * X[3] * V[3])
    loss.__code__ = other.__code__
    for _ in range(2):
        assert zg.hvp(loss, X, V)[3] == pytest.approx(2.0 * V[3])

    def powered(x: Any, n: Any = 3) -> Any:
        return np.sum(x**n)

    for n in (3, 2, 4):
        powered.__defaults__ = (n,)
        assert zg.hvp(powered, X, V)[3] == pytest.approx(n * (n - 1) * X[3] ** (n - 2) * V[3])


def test_a_rule_that_is_declared_later() -> None:
    def ruled(x: Any) -> Any:
        return x * 2.0

    def loss(x: Any) -> Any:
        return np.sum(ruled(x) ** 2)

    def made(x: Any) -> Any:
        return np.sum(x**2)

    def ask() -> tuple[float, float]:
        return float(zg.hvp(loss, X, V)[3]), float(zg.hvp(made, X, V)[3])

    for _ in range(2):
        assert ask() == pytest.approx((8.0 * V[3], 2.0 * V[3]))
    zg.adjoint(ruled)(lambda x: (x * 2.0, lambda y_bar: (y_bar * 10.0,)))
    zg.adjoint(made)(lambda x: (np.sum(x**2), lambda y_bar: (y_bar * x**2,)))
    for _ in range(2):
        assert ask() == pytest.approx((40.0 * V[3], 2.0 * X[3] * V[3]))


def test_functions_of_one_code() -> None:
    def make(n: int) -> Any:
        def power(x: Any) -> Any:
            return np.sum(x**n)

        return power

    powers = [make(n) for n in (2, 3, 4)]
    for _ in range(2):
        for n, power in zip((2, 3, 4), powers, strict=True):
            assert zg.hvp(power, X, V)[3] == pytest.approx(n * (n - 1) * X[3] ** (n - 2) * V[3])


def test_without_specialisation() -> None:
    expected = zg.hvp(valley, X, V)
    for _ in range(2):
        with options(specialise=False):
            np.testing.assert_allclose(zg.hvp(valley, X, V), expected)
            np.testing.assert_allclose(zg.hessian(valley, X) @ V, expected)


def test_nested() -> None:
    def slope(v: Any) -> Any:
        return np.sum(zg.hvp(coupled, X, v) * V)

    def total(x: Any) -> Any:
        return np.sum(zg.jacobian(field, x)[0] ** 2) + np.sum(zg.hessian(coupled, x) ** 2)

    for _ in range(2):
        zg.hvp(coupled, X, V), zg.jacobian(field, X), zg.hessian(coupled, X)
        np.testing.assert_allclose(zg.gradient(slope, V)[0], zg.hvp(coupled, X, V), rtol=1e-10)
        step = 1e-6 * V[:4]
        slope_of_total = (total(X[:4] + step) - total(X[:4] - step)) / 2e-6
        assert zg.gradient(total, X[:4])[0] @ V[:4] == pytest.approx(slope_of_total, rel=1e-6)


LEVELS: list[int] = []


def noting(x: Any) -> Any:
    LEVELS.append(zg.nestlevel())
    return np.sum(x**3)


def test_levels_of_nesting() -> None:
    LEVELS.clear()
    for _ in range(3):
        zg.hvp(noting, X, V)
    assert len(set(LEVELS)) == 1


def picking(x: Any) -> Any:
    if x[0] > 5.0:
        return np.sum(x / np.zeros(3))
    return np.sum(x**2)


def test_exceptions_name_the_users_line() -> None:
    raised = []
    for _ in range(3):
        with pytest.raises(ValueError, match="broadcast") as caught:
            zg.hvp(picking, X + 10.0, V)
        raised.append(getattr(caught.value, "__notes__", None))
        np.testing.assert_allclose(zg.hvp(picking, X, V), 2.0 * V)
    assert raised[0]
    assert raised == raised[:1] * 3


def lengths(x: Any) -> Any:
    return x * 2.0 if x[0] < 5.0 else np.sum(x * x)


def test_results_of_another_form() -> None:
    for _ in range(2):
        np.testing.assert_array_equal(zg.jacobian(lengths, X)[0], 2.0 * np.eye(40))
    far = X + 10.0
    for _ in range(2):
        np.testing.assert_allclose(zg.jacobian(lengths, far)[0], 2.0 * far)


def flat(x: Any) -> Any:
    return np.sum(x) * 2.0


def constant(x: Any) -> Any:
    return 3.0


@pytest.mark.parametrize("function", [flat, constant])
def test_no_curvature(function: Any) -> None:
    for _ in range(3):
        assert zg.hvp(function, X, V).tolist() == [0.0] * 40
        assert zg.hessian(function, X).tolist() == np.zeros((40, 40)).tolist()


def test_checking_looks_at_every_call() -> None:
    zg.hvp(valley, X, V)
    with zg.checking():
        np.testing.assert_allclose(zg.hvp(valley, X, V), zg.hvp(valley, X, V))


def test_many_threads() -> None:
    expected = {n: zg.hessian_reverse(coupled, X[:n]) for n in (3, 20, 40)}
    wrong: list[Any] = []

    def work(n: int) -> None:
        for _ in range(30):
            found = zg.hessian(coupled, X[:n]), zg.hvp(coupled, X[:n], V[:n])
            if not np.allclose(found[0], expected[n]) or not np.allclose(found[1], expected[n] @ V[:n]):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in (3, 20, 40) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_is_at_hand_once_all_is_dropped() -> None:
    zg.hvp(valley, X, V), zg.hvp(valley, X, V)
    assert at_hand.product(valley, X, V) is not None
    zg.refresh()
    assert at_hand.product(valley, X, V) is None


def test_functions_that_are_gone_are_not_kept() -> None:
    def fresh(x: Any) -> Any:
        return np.sum(x**2)

    for _ in range(3):
        zg.hvp(fresh, X, V)
    gone = weakref.ref(fresh)
    del fresh
    gc.collect()
    assert gone() is None


def test_nothing_is_at_hand_before_a_call() -> None:
    def fresh(x: Any) -> Any:
        return np.sum(x**2)

    assert at_hand.product(fresh, X, V) is None
    assert at_hand.columns(fresh, "gradient, columns", X) is None


def cubed(x: Any) -> Any:
    return FACTOR * helper(x) + x


def test_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    for x in (0.5, -2.0, 0.0):
        for _ in range(3):
            found = zg.hvp(cubed, x, 0.25)
            assert type(found) is float
            assert found == pytest.approx(3.0 * x)
            assert zg.hvp(cubed, x, 1) == pytest.approx(12.0 * x)
            assert zg.hvp(cubed, np.float64(x), 1.0) == pytest.approx(12.0 * x)
            assert zg.hvp(cubed, int(x), 1.0) == pytest.approx(12.0 * int(x))
    assert kept_at_hand("gradient", cubed, NUMBER) is not None
    monkeypatch.setitem(globals(), "helper", lambda x: x**2)
    for _ in range(2):
        assert zg.hvp(cubed, 3.0, 0.5) == pytest.approx(2.0)


def test_numbers_without_curvature() -> None:
    for function in (lambda x: x * 2.0, lambda x: 3.0, lambda x: np.float64(x) * 2.0):
        found = [zg.hvp(function, 1.5, 2.0) for _ in range(3)]
        assert found == [0.0] * 3
        assert {type(one) for one in found} == {float}


def test_a_number_that_is_ruled_later() -> None:
    def loss(x: Any) -> Any:
        return x**2

    for _ in range(2):
        assert zg.hvp(loss, 1.5, 1.0) == pytest.approx(2.0)
    zg.adjoint(loss)(lambda x: (x**2, lambda y_bar: (y_bar * x**2,)))
    for _ in range(2):
        assert zg.hvp(loss, 1.5, 1.0) == pytest.approx(3.0)


def test_an_exception_brings_nothing_of_another_run() -> None:
    def thrown(x: Any) -> Any:
        if x > 2.0:
            raise ValueError(x)
        try:
            raise KeyError(x * x)
        except KeyError as error:
            return error.args[0] * x

    for _ in range(3):
        with pytest.raises(ValueError, match=r"3\.0") as caught:
            zg.hvp(thrown, 3.0, 1.0)
        assert set(vars(caught.value)) <= {"__notes__"}
        assert zg.hvp(thrown, 1.5, 1.0) == pytest.approx(9.0)


def captured(power: Any, weights: Any) -> Any:
    def loss(x: Any) -> Any:
        return x**power * weights[0]

    return loss


def test_what_functions_capture() -> None:
    for _ in range(3):
        for power in (2, 3.0):
            for weights in ([2.0], np.array([5.0]), {0: 0.5}):
                expected = power * (power - 1) * 1.5 ** (power - 2) * weights[0]
                assert zg.hvp(captured(power, weights), 1.5, 1.0) == pytest.approx(expected)


def test_what_is_captured_and_bound_anew_or_changed() -> None:
    factor, table = 2.0, [1.0]

    def loss(x: Any) -> Any:
        return factor * table[0] * x**3

    for _ in range(2):
        assert zg.hvp(loss, 1.0, 1.0) == pytest.approx(12.0)
    factor = 3
    for _ in range(2):
        assert zg.hvp(loss, 1.0, 1.0) == pytest.approx(18.0)
    table[0] = 4.0
    assert zg.hvp(loss, 1.0, 1.0) == pytest.approx(72.0)
    table[:] = [7.0, "unused"]
    factor = np.float64(1.0)
    assert zg.hvp(loss, 1.0, 1.0) == pytest.approx(42.0)


def test_functions_that_are_captured() -> None:
    def of(inner: Any) -> Any:
        return lambda x: inner(x) ** 2

    def doubled(x: Any) -> Any:
        return 2.0 * x

    for _ in range(3):
        assert zg.hvp(of(doubled), 1.5, 1.0) == pytest.approx(8.0)
        assert zg.hvp(of(lambda x: x * x), 1.5, 1.0) == pytest.approx(27.0)
        assert zg.hvp(of(math.exp), 0.5, 1.0) == pytest.approx(4.0 * math.exp(1.0))


def test_one_of_several_closures_has_a_rule() -> None:
    def of(n: int) -> Any:
        return lambda x: x**n

    plain, ruled = of(3), of(3)
    for _ in range(2):
        assert zg.hvp(plain, 1.5, 1.0) == zg.hvp(ruled, 1.5, 1.0) == pytest.approx(9.0)
    zg.adjoint(ruled)(lambda x: (x**3, lambda y_bar: (y_bar * x**2,)))
    for _ in range(2):
        assert zg.hvp(ruled, 1.5, 1.0) == pytest.approx(3.0)
        assert zg.hvp(plain, 1.5, 1.0) == pytest.approx(9.0)


def test_a_counter_that_is_captured() -> None:
    count = 0

    def loss(x: Any) -> Any:
        nonlocal count
        count = count + 1
        return x**3 * count

    found = []
    for _ in range(3):
        before = count
        product = zg.hvp(loss, 1.0, 1.0)
        found.append(product == pytest.approx(6.0 * (before + 1)))
    assert all(found)


def test_an_array_that_is_captured_and_the_argument() -> None:
    held = X.copy()

    def loss(x: Any) -> Any:
        return np.sum(held * x**2)

    for _ in range(3):
        np.testing.assert_allclose(zg.hvp(loss, X, V), 2.0 * X * V)
        np.testing.assert_allclose(zg.hvp(loss, held, V), 2.0 * X * V)
    held *= 3.0
    np.testing.assert_allclose(zg.hvp(loss, X, V), 6.0 * X * V)
