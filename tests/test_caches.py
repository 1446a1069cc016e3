"""Functions under a cache: those that are given nothing differentiated, in programs that store in what others
find (what the cache keeps is one thing, however often it is asked for), and those that give what can be
changed, which are entered, and would give another every time."""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.runtime import asked_again
from zygpy.runtime.cache_entries import inside


class Holder:
    def __init__(self, value: float) -> None:
        self.value = value


@functools.lru_cache
def holder() -> Holder:
    return Holder(3.0)


@functools.cache
def table(count: int) -> list[float]:
    return [float(number) for number in range(count)]


@functools.cache
def fibonacci(number: int) -> int:
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


class Library:
    @functools.lru_cache  # noqa: B019
    def holder(self) -> Holder:
        return Holder(2.0)


LIBRARY = Library()
KEPT = [1.0]


@pytest.fixture(autouse=True)
def _as_they_were() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    holder.cache_clear()
    table.cache_clear()
    Library.holder.cache_clear()
    KEPT[:] = [1.0]


def object_of_a_cache(x: float) -> Any:
    kept = holder()
    kept.value = x
    return holder().value * x


def object_of_a_method(x: float) -> Any:
    LIBRARY.holder().value = x
    return LIBRARY.holder().value * x


def list_of_a_cache(x: float) -> Any:
    table(3)[0] = x
    return table(3)[0] * x + table(3)[2]


def number_of_a_cache(x: float) -> Any:
    KEPT[0] = x * x
    return KEPT[0] * fibonacci(7) + len(table(4)) * x


PROGRAMS = [object_of_a_cache, object_of_a_method, list_of_a_cache, number_of_a_cache]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize(
    "program", [object_of_a_cache, object_of_a_method, list_of_a_cache, number_of_a_cache]
)
def test_a_cache_gives_one_thing(program: Callable[[float], Any], *, specialise: bool) -> None:
    def plain(x: float) -> Any:
        forget()
        return program(x)

    forget()
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 2.0)
    assert value == plain(2.0)
    slope = (8 * (plain(2.001) - plain(1.999)) - (plain(2.002) - plain(1.998))) / 12e-3
    assert [back(1.0), back(1.0)] == [(pytest.approx(slope, rel=1e-9),)] * 2


# ---------------------------------------------------------------- functions that give what can be changed


@functools.cache
def kept_list(x: Any) -> list[Any]:
    return [x, 0.0]


@functools.cache
def kept_array(x: Any) -> Any:
    return np.array([x, 2 * x])


@functools.cache
def kept_holder(x: Any) -> Holder:
    return Holder(x)


@functools.cache
def what_is_kept(number: int) -> Any:
    return [KEPT, number]


def stored_in_its_list(x: Any) -> Any:
    kept_list(x)[1] = x
    return kept_list(x)[1]


def stored_by_a_function(x: Any) -> Any:
    def fill(items: Any) -> None:
        items.append(x)

    fill(kept_list(x))
    return kept_list(x)[-1]


def stored_in_its_array(x: Any) -> Any:
    kept_array(x)[0] = x * x
    return kept_array(x)[0]


def stored_in_its_object(x: Any) -> Any:
    kept_holder(x).value = x * x
    return kept_holder(x).value


def stored_by_another_name(x: Any) -> Any:
    [kept_list][0](x)[1] = x
    return [kept_list][0](x)[1]


def stored_in_what_it_found(x: Any) -> Any:
    what_is_kept(1)[0] = x
    KEPT[0] = x
    return what_is_kept(1)[0]


REFUSED = [
    *(
        stored_in_its_list,
        stored_by_a_function,
        stored_in_its_array,
        stored_in_its_object,
        stored_by_another_name,
    ),
    stored_in_what_it_found,
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", REFUSED)
def test_refused(program: Callable[[Any], Any], *, specialise: bool) -> None:
    """Another thing would be given every time, or something would be done twice."""
    with (
        units.options(specialise=specialise),
        pytest.raises(zg.UnsupportedSyntaxError, match="under a cache"),
    ):
        zg.gradient(program, 0.6)


def under_its_own_cache(x: Any) -> Any:
    @functools.cache
    def power(n: int) -> Any:
        return x**n

    return power(2) + power(2)


def by_equal_numbers(x: Any, n: Any) -> Any:
    @functools.cache
    def power(n: int) -> Any:
        return x**n

    return power(n) + power(3)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_caches_of_what_is_differentiated(*, specialise: bool) -> None:
    """Equal integers may depend on different things, which a table does not tell apart."""
    with units.options(specialise=specialise):
        assert zg.gradient(under_its_own_cache, 0.6) == (pytest.approx(2.4, rel=1e-12),)
        assert zg.gradient(lambda x: by_equal_numbers(x, 3), 0.6) == (pytest.approx(6 * 0.36, rel=1e-12),)
        with pytest.raises(zg.MissingRuleError, match="under a cache gives, by a whole number"):
            zg.gradient(lambda n: by_equal_numbers(0.6, n), 3)
        with pytest.raises(zg.MissingRuleError, match="under a cache gives, by a whole number"):
            zg.pushforward(lambda n: by_equal_numbers(0.6, n), 3)(1.0)


def read_alone(x: Any) -> Any:
    kept = kept_list(x)
    return kept_array(x)[0] * kept_array(x)[1] * kept[0] * sum([*kept, x])


def test_what_is_only_read() -> None:
    assert zg.gradient(read_alone, 0.6) == (pytest.approx(4 * 4 * 0.6**3, rel=1e-12),)


# ---------------------------------------------------------------- what is found once for equal numbers

SCALE = 0.5
FACTOR: list[float] = [0.5]


@functools.cache
def doubling(n: int, x: Any) -> Any:
    return math.sin(x) if n == 0 else doubling(n - 1, x) * SCALE + doubling(n - 1, x) ** 2


def undone(n: int, x: Any, scale: Any) -> Any:
    y = math.sin(x)
    for _ in range(n):
        y = y * scale + y**2
    return y


def slope_of(function: Callable[[float], Any], x: float) -> float:
    return (8 * (function(x + 1e-3) - function(x - 1e-3)) - function(x + 2e-3) + function(x - 2e-3)) / 12e-3


def scaled_slope(n: int, x: float, scale: float) -> float:
    """The slope of `doubling`, by hand."""
    y, slope = math.sin(x), math.cos(x)
    for _ in range(n):
        y, slope = y * scale + y**2, slope * (scale + 2 * y)
    return slope


SPECIALISED = pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])


def test_as_many_calls_as_the_cache_makes() -> None:
    """2 to the 60th would be made otherwise."""
    for x in (0.3, 0.3, -0.7):
        value, back = zg.pullback(lambda x: doubling(60, x) * 1.0, x)
        assert value == undone(60, x, SCALE)
        assert [back(seed)[0] for seed in (1.0, 3.0, 0.0, 1.0)] == pytest.approx(
            [scaled_slope(60, x, SCALE) * seed for seed in (1.0, 3.0, 0.0, 1.0)], rel=1e-12
        )


@SPECIALISED
@pytest.mark.parametrize("scale", [0.5, 0.25, 2, True])
def test_numbers_that_it_finds_outside(
    scale: Any, monkeypatch: pytest.MonkeyPatch, *, specialise: bool
) -> None:
    monkeypatch.setitem(globals(), "SCALE", scale)
    with units.options(specialise=specialise):
        assert zg.gradient(lambda x: doubling(3, x) * 1.0, 0.4)[0] == pytest.approx(
            scaled_slope(3, 0.4, scale)
        )


def rebinding(x: Any) -> Any:
    global SCALE
    SCALE = 0.75
    first = doubling(3, x)
    SCALE = 0.5
    return first + doubling(3, x) * x


def varying_outside(x: Any) -> Any:
    global SCALE
    SCALE = x
    found = doubling(3, 0.4)
    SCALE = 0.5
    return found


@functools.cache
def signed(x: Any) -> Any:
    return x * math.copysign(2.0, x)


@functools.cache
def power(n: int, x: Any) -> Any:
    return 1.0 if n == 0 else x * power(n - 1, x)


@functools.cache
def checked(n: int, x: Any) -> Any:
    if n == 2:
        raise ValueError(n)
    return x if n == 0 else checked(n - 1, x) * x


def failing(x: Any) -> Any:
    total = 0.0
    for n in range(4):
        try:
            total += checked(n, x)
        except ValueError:
            total += x * x
    return total


@functools.cache
def by_a_list(n: int, x: Any) -> Any:
    return x * FACTOR[0] if n == 0 else by_a_list(n - 1, x) + by_a_list(n - 1, x)


def changing_the_list(x: Any) -> Any:
    first = by_a_list(2, x)
    FACTOR[0] = 3.0
    second = by_a_list(2, x + 0.0)
    FACTOR[0] = 0.5
    return first * 0.0 + second


@functools.cache
def there(n: int, x: Any) -> Any:
    return x if n == 0 else back_again(n - 1, x) * x + back_again(n - 1, x)


@functools.cache
def back_again(n: int, x: Any) -> Any:
    return 1.0 if n == 0 else there(n - 1, x) * 0.3


def two_numbers(x: Any, y: Any) -> Any:
    return 3.0 * power(4, x) + power(4, y)


def of_an_array(xs: Any) -> Any:
    return sum([power(2, x) * signed(x) for x in xs])


@SPECIALISED
def test_equal_numbers_that_are_different_things(*, specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(two_numbers, 0.5, 0.5) == (pytest.approx(1.5), pytest.approx(0.5))
        assert [zg.gradient(lambda x: signed(x) * 1.0, x)[0] for x in (0.0, -0.0, 0.0, -0.0)] == [
            2,
            -2,
            2,
            -2,
        ]
        found = zg.gradient(of_an_array, np.array([0.5, -0.5, 0.0, 0.5]))[0]
        assert found == pytest.approx([1.5, -1.5, 0.0, 1.5]) and found.dtype == np.float64
        assert [zg.gradient(lambda x: power(3, x) * 1.0, x)[0] for x in (2, 2.0, np.float32(2.0))] == [
            12.0
        ] * 3
        assert zg.pullback(lambda x: power(3, x) * 1.0, 2.0 + 0j)[1](1.0) == (12.0,)


@SPECIALISED
def test_what_changes_meanwhile(*, specialise: bool) -> None:
    with units.options(specialise=specialise):
        expected = scaled_slope(3, 0.4, 0.75) * 1.4 + undone(3, 0.4, 0.75)  # the cache gives the first again
        doubling.cache_clear()
        assert zg.withgradient(rebinding, 0.4) == (rebinding(0.4), (pytest.approx(expected),))
        expected = slope_of(lambda scale: undone(3, 0.4, scale), 0.6)
        doubling.cache_clear()
        assert zg.gradient(varying_outside, 0.6)[0] == pytest.approx(expected)
        assert zg.gradient(failing, 0.6)[0] == pytest.approx(slope_of(failing_in_text, 0.6))
        for factor in (0.5, 2.0):
            FACTOR[0] = factor
            assert zg.gradient(lambda x: by_a_list(3, x) * 1.0, 0.4)[0] == pytest.approx(8 * factor)
        FACTOR[0] = 0.5


def failing_in_text(x: float) -> float:
    return x + x * x + 2 * x * x


@functools.cache
def hooked(n: int, x: Any) -> Any:
    return x if n == 0 else zg.hook(halved_above_one, hooked(n - 1, x)) * 2.0


def halved_above_one(x_bar: Any) -> Any:
    return x_bar if x_bar <= 1 else x_bar / 2


def bounded(x: Any) -> Any:
    return x * 3.0


@functools.cache
def by_a_rule(n: int, x: Any) -> Any:
    return x if n == 0 else bounded(by_a_rule(n - 1, x))


zg.adjoint(bounded)(lambda x: (bounded(x), lambda y_bar: (min(y_bar, 1.0) * 3.0,)))


@SPECIALISED
def test_adjoints_that_are_not_linear(*, specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(lambda x: hooked(2, x) * 0.5, 0.6)[0] == 1.0
        assert zg.gradient(lambda x: hooked(2, x) * 1.0, 0.6)[0] == 1.0
        assert zg.gradient(lambda x: by_a_rule(2, x) * 0.25, 0.6)[0] == 0.75 * 3
        assert zg.gradient(lambda x: by_a_rule(2, x) * 1.0, 0.6)[0] == 3.0


@SPECIALISED
def test_higher_orders_of_what_is_kept(*, specialise: bool) -> None:
    def mutual(x: Any) -> Any:
        return there(4, x) * 1.0

    with units.options(specialise=specialise):
        assert zg.gradient(mutual, 0.5)[0] == pytest.approx(slope_of(mutual, 0.5))
        first = zg.derivative(lambda x: power(5, x) * 1.0)
        assert zg.derivative(first)(2.0) == pytest.approx(160.0)
        assert zg.hvp(lambda x: power(5, x) * 1.0, 2.0, 1.0) == pytest.approx(160.0)
        assert zg.pushforward(lambda x: power(5, x) * 1.0, 2.0)(1.0) == pytest.approx(80.0)
    assert zg.gradient(lambda x: math.sqrt(power(2, x)), 0.0)[0] == 0.0


# ---------------------------------------------------------------- results, arguments, tables of other sorts


@functools.cache
def pair_of(n: int, x: Any) -> Any:
    if n < 2:
        return (x, (x * n, "text", None), True)
    a, b = pair_of(n - 1, x), pair_of(n - 2, x)
    return (a[0] * 0.5 + b[1][0], (b[0] - 0.3 * a[1][0] * x, "text", None), n > 3)


def parts_of_a_tuple(x: Any) -> Any:
    first, (second, text, nothing), large = pair_of(7, x)
    total = sum(pair_of(k, x)[0] for k in range(7)) * 0.25
    return first + 2 * second + total if large and nothing is None and text == "text" else first


@functools.cache
def row_of(n: int, x: Any) -> Any:
    return np.array([x, n * x, x * x]) if n < 2 else 0.5 * row_of(n - 1, x) ** 2 + 0.3 * row_of(n - 2, x) * x


def rows_by_turns(x: Any) -> Any:
    changed = row_of(4, x) + 0.0
    changed += row_of(4, x)
    changed[0] = x
    return changed.sum() + sum(row_of(k, x)[k % 3] * row_of(5, x)[(k + 1) % 3] for k in range(6))


@functools.cache
def of_complex(n: int, z: Any) -> Any:
    if n < 2:
        return z * z
    return 0.5 * of_complex(n - 1, z) + 0.3j * of_complex(n - 2, z) * z.conjugate()


@functools.cache
def length_of(n: int, z: Any) -> Any:
    return abs(z) if n < 2 else length_of(n - 1, z) * 0.5 + length_of(n - 2, z)


def complex_numbers(x: Any) -> Any:
    turned = of_complex(6, x * 1j)
    return abs(of_complex(7, x + 0.3j)) + turned.real + 2 * turned.imag + length_of(6, x + 0.4j)


@functools.cache
def by_tuples(n: int, p: Any) -> Any:
    if n < 2:
        return p[0] * p[1][0]
    return by_tuples(n - 1, p) * 0.5 + by_tuples(n - 2, (p[0] * 2, p[1])) * p[1][1]


def tuples_given(x: Any) -> Any:
    return by_tuples(6, (x, (x * x, 2.0))) + by_tuples(4, (x, (1, 2))) + by_tuples(4, (x, (1.0, 2.0)))


MATRIX = [[0.5, 0.2], [0.3, 0.1]]
WEIGHTS = np.array([0.5, 0.3])
NAMED: dict[str, Any] = {"a": 0.5, "b": (0.3, 2)}
COUNTED = [0]


@functools.cache
def by_tables(n: int, x: Any) -> Any:
    if n < 2:
        return x * WEIGHTS[0]
    scale = 0.0
    for key, value in NAMED.items():
        scale += 1.0 if key == "a" else value[0]
    first = by_tables(n - 1, x) * MATRIX[0][n % 2] * NAMED["a"] + np.dot(WEIGHTS, WEIGHTS) * x
    return first + by_tables(n - 2, x) * MATRIX[1][0] * scale * np.sin(WEIGHTS)[1] * MODULE.K


MODULE: Any = types.ModuleType("module_of_numbers")
MODULE.K = 1.3


def tables_changed(x: Any) -> Any:
    first = by_tables(5, x)
    MATRIX[0][1], WEIGHTS[0], NAMED["a"], MODULE.K = 0.9, 0.8, 0.7, 0.6
    second = by_tables(5, x * 1.0000001)
    MATRIX[0][1], WEIGHTS[0], NAMED["a"], MODULE.K = 0.2, 0.5, 0.5, 1.3
    return first + 3 * second


def module_varied(x: Any) -> Any:
    MODULE.K = x
    found = by_tables(5, 0.3) + by_tables(4, x)
    MODULE.K = 1.3
    return found


@functools.cache
def counting(n: int, x: Any) -> Any:
    counted = COUNTED
    counted[0] += 1
    return x if n < 2 else counting(n - 1, x) * 0.5 + counting(n - 2, x)


@functools.cache
def changing_a_row(n: int, x: Any) -> Any:
    row = MATRIX[0]
    row[1] = 0.2
    return x * row[1] if n < 2 else changing_a_row(n - 1, x) + changing_a_row(n - 2, x)


@functools.cache
def changing_a_view(n: int, x: Any) -> Any:
    np.add(WEIGHTS, 0.0, WEIGHTS)
    return x * WEIGHTS[0] if n < 2 else changing_a_view(n - 1, x) + changing_a_view(n - 2, x)


SEVERAL = [parts_of_a_tuple, rows_by_turns, complex_numbers, tuples_given, tables_changed, module_varied]


def as_called(program: Callable[[float], Any], x: float) -> Any:
    """What comes of caches that keep nothing from before."""
    for function in (pair_of, row_of, of_complex, length_of, by_tuples, by_tables):
        function.cache_clear()
    return program(x)


@SPECIALISED
@pytest.mark.parametrize("program", SEVERAL)
def test_parts_and_tables(program: Callable[[float], Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        for x in (0.7, 1.1):
            expected = slope_of(lambda x: as_called(program, x), x)
            value, back = as_called(lambda x: zg.pullback(program, x), x)
            assert value == as_called(program, x)
            found = [back(seed)[0] for seed in (1.0, -2.0, 1.0, 0.0, 1.0)]
            assert found[0] == found[2] == found[4] == as_called(lambda x: zg.gradient(program, x)[0], x)
            assert found == pytest.approx([expected * seed for seed in (1, -2, 1, 0, 1)], rel=1e-7)


@functools.cache
def by_attempts(n: int, x: Any) -> Any:
    try:
        return by_failing(n, x) if n < 2 else by_attempts(n - 1, x).real * 0.6 + by_attempts(n - 2, x) * 0.5
    except ValueError:
        return x * x


@functools.cache
def by_failing(n: int, x: Any) -> Any:
    y = math.sin(x)
    if n == 1:
        raise ValueError(y)
    return y * n + x


@functools.cache
def by_an_attempt(n: int, x: Any) -> Any:
    try:
        return x * n if n < 2 else by_an_attempt(n - 1, x) * 0.6 + by_an_attempt(n - 2, x) * 0.5
    except ValueError:
        return 0.0


@SPECIALISED
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_attempts_in_what_is_kept(n: int, *, specialise: bool) -> None:
    def program(x: Any) -> Any:
        return by_attempts(n, x) * x

    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 0.7)
        assert value == program(0.7)
        slope = slope_of(program, 0.7)
        assert [back(seed)[0] for seed in (1.0, 2.0, 1.0)] == pytest.approx(
            [slope, 2 * slope, slope], rel=1e-7
        )


@pytest.mark.parametrize("function", [pair_of, row_of, of_complex, by_tables, by_an_attempt])
def test_parts_are_asked_for_as_often_as_the_cache_is(function: Any) -> None:
    """Some 10 to the 20th calls would be made otherwise."""

    def program(x: Any) -> Any:
        y = function(90, x)
        return y[0] if function is pair_of else abs(y) if function is of_complex else np.sum(y)

    def found(x: float) -> Any:
        function.cache_clear()
        return program(x)

    assert zg.gradient(program, 0.6)[0] == pytest.approx(slope_of(found, 0.6), rel=1e-6)


@SPECIALISED
@pytest.mark.parametrize("function", [counting, changing_a_row, changing_a_view])
def test_tables_that_it_changes(function: Any, *, specialise: bool) -> None:
    with units.options(specialise=specialise), pytest.raises(zg.UnsupportedSyntaxError):
        zg.gradient(lambda x: function(4, x) * 1.0, 0.6)


@SPECIALISED
def test_what_is_kept_is_differentiated_when_it_is_called(*, specialise: bool) -> None:
    """The stash of a call that was kept is what the adjoint's own derivative unpacks."""
    with units.options(specialise=specialise):
        for program in (lambda x: power(3, x) * 1.0, lambda x: pair_of(4, x)[0] * 1.0):
            _, back = zg.pullback(program, 0.7)
            slope = zg.gradient(program, 0.7)[0]
            assert zg.gradient(lambda s, back=back: back(s)[0] * s, 1.5)[0] == pytest.approx(3 * slope)


@SPECIALISED
def test_seeds_of_what_was_kept(*, specialise: bool) -> None:
    """The pullback was made where nothing is differentiated, and is run where its seed is."""
    with units.options(specialise=specialise):
        _, back = zg.pullback(lambda x: power(3, x) * 1.0, 2.0)
        assert zg.gradient(lambda seed: back(seed)[0] * seed, 1.5) == (pytest.approx(36.0),)
        assert zg.pushforward(lambda seed: back(seed)[0] * seed, 1.5)(1.0) == pytest.approx(36.0)
        assert zg.hvp(lambda seed: back(seed)[0] * seed, 1.5, 1.0) == pytest.approx(24.0)


def by_seed_and_argument(x: Any) -> Any:
    back, other = (zg.pullback(lambda z: power(3, z) * 1.0, given)[1] for given in (2.0, x))
    return back(x)[0] + other(x)[0] * other(1.0)[0]


@SPECIALISED
def test_both_within(*, specialise: bool) -> None:
    """12 x and 9 x to the fifth."""
    with units.options(specialise=specialise):
        assert zg.gradient(by_seed_and_argument, 1.5)[0] == pytest.approx(12 + 45 * 1.5**4)
        assert zg.pushforward(by_seed_and_argument, 1.5)(1.0) == pytest.approx(12 + 45 * 1.5**4)
        assert zg.hvp(by_seed_and_argument, 1.5, 1.0) == pytest.approx(180 * 1.5**3)


NUMBERS_OF_IT = {0: 1.0}
BY_OBJECTS = np.frompyfunc(lambda n: NUMBERS_OF_IT[0] * n, 1, 1)


@functools.cache
def by_a_function_of_objects(n: int, x: Any) -> Any:
    return x * float(BY_OBJECTS(n))


def test_what_runs_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(lambda x: by_a_function_of_objects(2, x) * 1.0, 3.0) == (2.0,)
    monkeypatch.setitem(NUMBERS_OF_IT, 0, 5.0)
    by_a_function_of_objects.cache_clear()
    assert zg.gradient(lambda x: by_a_function_of_objects(2, x) * 1.0, 3.0) == (10.0,)


# ---------------------------------------------------------------- what a cache would give once more, changed


@functools.cache
def row_kept(x: Any) -> Any:
    return np.array([x, 2 * x])


@functools.cache
def list_and_row(x: Any) -> Any:
    return [x, 2.0], np.array([x, 1.0])


def row_of_another(x: Any) -> Any:
    return row_kept(x)


def put_in_front(row: Any) -> None:
    row[0] = 3.0


def a_number_stored(x: Any) -> Any:
    row_kept(x)[0] = 3.0
    return row_kept(x)[0] * x


def by_a_factor(x: Any) -> Any:
    row = row_kept(x)
    row[0] *= 3.0
    return row_kept(x)[0] * x


def through_a_view(x: Any) -> Any:
    view = row_kept(x)[:1]
    view[0] = 3.0
    return row_kept(x)[0] * x


def by_another_function(x: Any) -> Any:
    put_in_front(row_of_another(x))
    return row_kept(x)[0] * x


def in_what_is_taken_apart(x: Any) -> Any:
    listed, _ = list_and_row(x)
    listed[0] = 3.0
    return list_and_row(x)[0][0] * x


def held_by_a_dict(x: Any) -> Any:
    holder = {"row": row_kept(x)}
    holder["row"][0] = 3.0
    return row_kept(x)[0] * x


@pytest.mark.parametrize(
    "program",
    [
        *(a_number_stored, by_a_factor, through_a_view, by_another_function),
        *(in_what_is_taken_apart, held_by_a_dict),
    ],
)
@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_what_a_cache_gives_is_not_changed(program: Any, specialise: bool) -> None:
    """Numbers, too, in which nothing varies: the cache would give the changed thing (1.8 came for 3)."""
    with units.options(specialise=specialise):
        for ask in (zg.gradient, zg.pullback):
            with pytest.raises(zg.UnsupportedSyntaxError, match="gives a thing that can be changed"):
                ask(program, 0.9)


def beside_what_is_kept(x: Any) -> Any:
    rows = [row_kept(x), None]
    rows[1] = 3.0
    other = row_kept(x) + 1.0
    other[0] = 3.0
    return rows[0][0] * row_kept(x)[1] * (other.sum() + rows[1])


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_what_holds_it_may_be_changed(specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(beside_what_is_kept, 0.9)[0] == pytest.approx(28 * 0.9 + 12 * 0.9**2)


# ------------------------------------------- what the cache gives once more, though something has changed


class Scaled:
    k: Any = 1.0

    def __init__(self, k: Any) -> None:
        self.k = k

    @functools.lru_cache  # noqa: B019
    def of(self, n: Any) -> Any:
        return self.k * n

    @classmethod
    @functools.cache
    def of_class(cls, n: Any) -> Any:
        return cls.k * n

    @functools.cache  # noqa: B019
    def doubled(self, n: int, x: Any) -> Any:
        return self.k * x if n == 0 else self.doubled(n - 1, x) + self.doubled(n - 1, x)


class Alike(Scaled):
    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return True


SCALED = Scaled(1.0)
OUTSIDE = [1.0]


@functools.cache
def by_what_is_outside(x: Any) -> Any:
    return OUTSIDE[0] * x


@functools.cache
def in_an_attempt(x: Any) -> Any:
    try:
        return OUTSIDE[0] * x
    except ValueError:
        return 0.0


@functools.lru_cache(maxsize=1)
def the_last_alone(x: Any) -> Any:
    return OUTSIDE[0] * x


@functools.lru_cache(maxsize=0)
def never_kept(x: Any) -> Any:
    return OUTSIDE[0] * x


@functools.lru_cache(typed=True)
def by_class(x: Any) -> Any:
    return x / 2 if isinstance(x, int) else x * 3.0


@functools.cache
def with_sign(x: Any) -> Any:
    return math.copysign(2.0, x) * x + math.copysign(1.0, x)


def field_of_another(x: Any) -> Any:
    SCALED.k = x
    first = SCALED.of(3.0)
    SCALED.k = 2 * x
    return first + SCALED.of(3.0) * x


def field_of_its_own(x: Any) -> Any:
    scaled = Scaled(x)
    first = scaled.of(3.0)
    scaled.k = 2 * x
    return first + scaled.of(3.0) * x


def constant_field(x: Any) -> Any:
    scaled = Scaled(0.5)
    first = scaled.of(x)
    scaled.k = 2.0
    return first + scaled.of(x) * x


def field_of_the_same_value(x: Any) -> Any:
    scaled = Scaled(x)
    first = scaled.of(3.0)
    scaled.k = x * x
    return first + scaled.of(3.0) * x


def field_times_zero(x: Any) -> Any:
    scaled = Scaled(x)
    first = scaled.of(x - 1.0)
    scaled.k = 3 * x
    return first + scaled.of(x - 1.0)


def field_of_a_class(x: Any) -> Any:
    Scaled.k = x
    first = Scaled.of_class(3.0)
    Scaled.k = 2 * x
    second = Scaled.of_class(3.0)
    Scaled.k = 1.0
    return first + second * x


def inside_a_recursion(x: Any) -> Any:
    scaled = Scaled(0.5)
    first = scaled.doubled(3, x)
    scaled.k = 2.0
    return first + scaled.doubled(1, x)


def equal_objects(x: Any) -> Any:
    return Alike(x).of(2.0) + Alike(3 * x).of(2.0) * x


def number_in_a_list(x: Any) -> Any:
    OUTSIDE[0] = x
    first = by_what_is_outside(3.0)
    OUTSIDE[0] = x * 2
    return first + by_what_is_outside(3.0) * x


def constant_in_a_list(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = by_what_is_outside(x)
    OUTSIDE[0] = 5.0
    return first + by_what_is_outside(x) * x


def constant_of_an_attempt(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = in_an_attempt(x)
    OUTSIDE[0] = 5.0
    return first + in_an_attempt(x) * x


def forgotten_by_the_cache(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = the_last_alone(x) + the_last_alone(2 * x)
    OUTSIDE[0] = 5.0
    return first + the_last_alone(x) * x


def not_kept_by_the_cache(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = never_kept(x)
    OUTSIDE[0] = 5.0
    return first + never_kept(x) * x


def emptied(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = by_what_is_outside(x)
    by_what_is_outside.cache_clear()
    OUTSIDE[0] = 5.0
    return first + by_what_is_outside(x) * x


def method_emptied(x: Any) -> Any:
    scaled = Scaled(x)
    first = scaled.of(3.0)
    Scaled.of.cache_clear()
    scaled.k = 2 * x
    second = scaled.of(3.0)
    scaled.of.cache_clear()
    scaled.k = 3 * x
    return first + second * x + scaled.of(3.0)


def named_arguments(x: Any) -> Any:
    OUTSIDE[0] = 2.0
    first = by_what_is_outside(x=x)
    OUTSIDE[0] = 5.0
    return first + by_what_is_outside(x) * x


def both_zeros(x: Any) -> Any:
    return x * (with_sign(x * 0.0) + 10 * with_sign(-x * 0.0))


def one_and_another(x: Any) -> Any:
    return by_class(int(x / x)) * x + by_class(x / x) * x


def nothing_changed(x: Any) -> Any:
    scaled = Scaled(x)
    return scaled.of(2.0) + scaled.of(2.0) * x + scaled.doubled(3, x) * scaled.doubled(2, x)


SHOWN = [
    *(field_of_another, field_of_its_own, constant_field, field_of_the_same_value, field_times_zero),
    *(field_of_a_class, inside_a_recursion, equal_objects, number_in_a_list, constant_in_a_list),
    *(constant_of_an_attempt, forgotten_by_the_cache, not_kept_by_the_cache, emptied, method_emptied),
    *(named_arguments, both_zeros, one_and_another, nothing_changed),
]
FOLLOWED = (not_kept_by_the_cache, emptied, method_emptied, named_arguments, one_and_another, nothing_changed)


AGAIN = "is called again with equal arguments"


def afresh(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The program on caches that keep nothing from before."""

    def run(x: Any) -> Any:
        for cache in (
            *(Scaled.of, Scaled.of_class, Scaled.doubled, by_what_is_outside, in_an_attempt),
            *(the_last_alone, never_kept, by_class, with_sign),
        ):
            cache.cache_clear()
        OUTSIDE[0], SCALED.k, Scaled.k = 1.0, 1.0, 1.0
        return program(x)

    return run


@SPECIALISED
@pytest.mark.parametrize("program", SHOWN)
def test_what_the_cache_gives_again(program: Callable[[Any], Any], *, specialise: bool) -> None:
    """The value and the slope of the plain program on an empty cache, or a refusal; never what the function
    would compute now."""
    run, found = afresh(program), []
    with units.options(specialise=specialise):
        for x in (1.3, 1.0):
            slope = slope_of(run, x)
            for ask in (by_pullback, by_pushforward):
                OUTSIDE[0], SCALED.k, Scaled.k = 1.0, 1.0, 1.0
                try:
                    value, slopes = ask(program, x)
                except zg.UnsupportedSyntaxError as error:
                    found.append(AGAIN in str(error) and program not in FOLLOWED)
                    continue
                found.append(value == run(x))
                assert slopes == pytest.approx([slope] * len(slopes), rel=1e-7, abs=1e-9)
    assert found == [True] * 4


def by_pullback(program: Callable[[Any], Any], x: float) -> tuple[Any, list[Any]]:
    value, back = zg.pullback(program, x)
    return value, [back(1.0)[0], back(1.0)[0]]


def by_pushforward(program: Callable[[Any], Any], x: float) -> tuple[Any, list[Any]]:
    return afresh(program)(x), [afresh(lambda x: zg.pushforward(program, x)(1.0))(x)]


@SPECIALISED
@pytest.mark.parametrize("program", [number_in_a_list, both_zeros])
def test_what_the_cache_gives_again_in_second_derivatives(program: Any, *, specialise: bool) -> None:
    run = afresh(program)
    slope = (run(1.301) - 2 * run(1.3) + run(1.299)) / 1e-6
    with units.options(specialise=specialise):
        for ask in (lambda: zg.hvp(program, 1.3, 1.0), lambda: zg.derivative(zg.derivative(program))(1.3)):
            OUTSIDE[0], SCALED.k = 1.0, 1.0
            with contextlib.suppress(zg.UnsupportedSyntaxError):  # said of value and slope above
                assert ask() == pytest.approx(slope, abs=1e-4)


# ---------------------------------------------------------------- methods that read numbers of their object


class Growth:
    rate: Any = 0.5

    def __init__(self, start: Any, scale: Any = 0.25) -> None:
        self.start, self.scale = start, scale

    @functools.cache  # noqa: B019
    def after(self, n: int, x: Any = 0.5) -> Any:
        if n == 0:
            return self.start * x
        return self.step(n) + self.after(n - 1, x) * self.rate

    def step(self, n: int) -> Any:
        return self.after(n - 1) * self.after(n=n - 1) * self.scale

    @classmethod
    @functools.cache
    def of_class(cls, n: int, x: Any) -> Any:
        return x if n == 0 else cls.of_class(n - 1, x) * cls.rate + cls.of_class(n - 1, x) ** 2 * 0.25


class Faster(Growth):
    def step(self, n: int) -> Any:
        return math.sin(self.after(n - 1)) * self.after(n=n - 1) * self.scale


class Computed(Growth):
    @property
    def rate(self) -> Any:  # type: ignore[override]
        return self.start * 0.5

    @rate.setter
    def rate(self, value: Any) -> None:
        raise AttributeError


GROWTH = Growth(0.7)


def growth(n: int, start: Any, scale: Any, rate: Any, sine: bool = False) -> Any:
    """The same without a cache: of the default argument, whose value is what all steps ask for."""
    y = start * 0.5
    for _ in range(n):
        y = (math.sin(y) if sine else y) * y * scale + y * rate
    return y


def made_here(x: Any) -> Any:
    return Growth(x, x * x).after(12)


def made_of_a_subclass(x: Any) -> Any:
    return Faster(x, x * x).after(12)


def field_set(x: Any) -> Any:
    GROWTH.start, GROWTH.rate = x, x * 0.3
    return GROWTH.after(12)


def of_its_class(x: Any) -> Any:
    return Growth.of_class(12, x * 0.5)


def with_a_property(x: Any) -> Any:
    return Computed(x).after(2)


def with_a_method_of_its_own(x: Any) -> Any:
    made = Growth(x)
    made.step = lambda n: x * n  # type: ignore[method-assign]
    return made.after(4)


def changed_between(x: Any) -> Any:
    made = Growth(x)
    first = made.after(4)
    made.start = x * x
    return first + made.after(2)


METHODS: list[Any] = [
    (made_here, lambda x: growth(12, x, x * x, 0.5)),
    (made_of_a_subclass, lambda x: growth(12, x, x * x, 0.5, True)),
    (field_set, lambda x: growth(12, x, 0.25, x * 0.3)),
    (of_its_class, lambda x: growth(12, x, 0.25, 0.5)),
    (with_a_property, lambda x: growth(2, x, 0.25, x * 0.5)),
    (with_a_method_of_its_own, lambda x: ((((x * 0.5 * 0.5 + x) * 0.5 + 2 * x) * 0.5) + 3 * x) * 0.5 + 4 * x),
]


@SPECIALISED
@pytest.mark.parametrize(("program", "written_out"), METHODS)
def test_methods_of_numbers(program: Any, written_out: Any, *, specialise: bool) -> None:
    """As a function of what they read: 3 to the 12th calls would be made otherwise."""
    with units.options(specialise=specialise):
        for x in (0.7, 0.6, 0.7):
            Growth.after.cache_clear()
            value, back = zg.pullback(program, x)
            assert value == pytest.approx(written_out(x), rel=1e-12)
            expected = slope_of(written_out, x)
            assert [back(seed)[0] for seed in (1.0, 2.0, 1.0)] == pytest.approx(
                [expected, 2 * expected, expected], rel=1e-7
            )


@SPECIALISED
def test_objects_of_methods_of_numbers(*, specialise: bool) -> None:
    with units.options(specialise=specialise):
        found = zg.gradient(lambda made: made.after(12) * 1.0, Growth(0.7, 0.4))[0]
        assert found.start == pytest.approx(
            slope_of(lambda start: growth(12, start, 0.4, 0.5), 0.7), rel=1e-7
        )
        assert found.scale == pytest.approx(
            slope_of(lambda scale: growth(12, 0.7, scale, 0.5), 0.4), rel=1e-7
        )
        with pytest.raises(zg.UnsupportedSyntaxError, match=AGAIN):
            zg.gradient(changed_between, 0.7)


def test_methods_that_become_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert zg.gradient(made_here, 0.7)[0] == pytest.approx(
            slope_of(lambda x: growth(12, x, x * x, 0.5), 0.7), rel=1e-7
        )
    monkeypatch.setattr(Growth, "step", Faster.step)
    Growth.after.cache_clear()
    for _ in range(2):
        assert zg.gradient(made_here, 0.7)[0] == pytest.approx(
            slope_of(lambda x: growth(12, x, x * x, 0.5, True), 0.7), rel=1e-7
        )


# --------------------------------------------- what caches have from elsewhere, and of several run together


FACTOR_OF_ALL: Any = 0.5


def factor(value: Any) -> None:
    global FACTOR_OF_ALL
    FACTOR_OF_ALL = value


@functools.cache
def scaled(x: Any, plus: Any = 0.0) -> Any:
    return FACTOR_OF_ALL * x + plus


@functools.lru_cache(maxsize=2)
def scaled_of_two(x: Any) -> Any:
    return FACTOR_OF_ALL * x


@functools.cache
def twice_scaled(x: Any) -> Any:
    return scaled(x) + scaled(x)


@functools.cache
def of_any(*xs: Any, **named: Any) -> Any:
    return FACTOR_OF_ALL * (sum(xs) + sum(named.values()))


@functools.cache
def with_a_list(x: Any, items: Any = [3.0]) -> Any:  # noqa: B006
    return items[0] * x


@functools.cache
def by_kind(n: Any) -> Any:
    return n / 2 if isinstance(n, int) else n * 3.0


over_another = functools.cache(scaled)


def in_front(x: Any) -> Any:
    first = scaled(1.0)
    factor(3.0)
    return first + scaled(x / x) * x


def behind(x: Any) -> Any:
    first = scaled(x / x)
    factor(3.0)
    return first + scaled(1.0) * x


def elsewhere() -> Any:
    return sum(map(scaled, [1.0, 2.0]))


def behind_elsewhere(x: Any) -> Any:
    first = scaled(x / x)
    factor(3.0)
    return first + elsewhere() * x


def by_truth(x: Any) -> Any:
    return by_kind(x / x) + by_kind(True) * x


def by_truth_first(x: Any) -> Any:
    return by_kind(True) * x + by_kind(x / x)


def whole_alone(x: Any) -> Any:
    first = scaled(x / x)
    factor(3.0)
    return first + scaled(round(x / x)) * x


def pushed_out(x: Any) -> Any:
    first = scaled_of_two(x)
    scaled_of_two(5.0)
    scaled_of_two(6.0)
    factor(3.0)
    return first + scaled_of_two(x) * x


def pushed_out_by_names(x: Any) -> Any:
    first = scaled_of_two(x) + scaled_of_two(x=2 * x) + scaled_of_two(x=3 * x)
    factor(3.0)
    return first + scaled_of_two(x) * x


def one_in_another(x: Any) -> Any:
    first = scaled(x)
    factor(3.0)
    return first + twice_scaled(x) * x


def one_alone(x: Any) -> Any:
    factor(3.0)
    return twice_scaled(x) * x


def over_a_cache(x: Any) -> Any:
    first = over_another(x)
    factor(3.0)
    scaled.cache_clear()
    return first + over_another(x) * x + scaled(x)


def any_number(x: Any) -> Any:
    first = of_any(1.0, 2.0) + of_any(a=1.0)
    factor(3.0)
    return first + of_any(x / x, 2.0) * x + of_any(a=x / x)


def gathered(x: Any) -> Any:
    first = of_any(x, a=x)
    factor(3.0)
    return first + of_any(x, a=x) * x


def lists_as_defaults(x: Any) -> Any:
    return with_a_list(x) + with_a_list(x) * x


def kept_again(x: Any) -> Any:
    first = scaled(x)
    factor(3.0)
    return first + scaled(x) * x + scaled(x, 2.0)


TOGETHER = [
    *(in_front, behind, behind_elsewhere, by_truth, by_truth_first, whole_alone, pushed_out),
    *(pushed_out_by_names, one_in_another, one_alone, over_a_cache, any_number, gathered),
    *(lists_as_defaults, kept_again),
]


def emptied_all(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        for cache in (
            *(scaled, scaled_of_two, twice_scaled, of_any, with_a_list, by_kind, over_another),
            *(emptying_itself, Nested.inner, Nested.outer, Nested.through_others),
        ):
            cache.cache_clear()
        factor(0.5)
        return program(x)

    return run


@SPECIALISED
@pytest.mark.parametrize("program", TOGETHER)
def test_several_caches_and_plain_calls(program: Any, *, specialise: bool) -> None:
    """What a program on empty caches gives, or a refusal; whatever was kept in runs before it."""
    run = emptied_all(program)
    with units.options(specialise=specialise):
        for x in (1.3, 1.0, 1.3):
            if x == 1.3:  # what is found here is not to be found below
                with contextlib.suppress(zg.UnsupportedSyntaxError):
                    emptied_all(lambda x: zg.gradient(one_in_another, x))(x)
            slope = slope_of(run, x)
            for ask in (by_pullback, lambda program, x: (None, [zg.pushforward(program, x)(1.0)])):
                try:
                    value, slopes = emptied_all(lambda x: ask(program, x))(x)  # noqa: B023
                except zg.UnsupportedSyntaxError:
                    assert program not in (one_alone, lists_as_defaults, whole_alone, kept_again)
                    continue
                assert value in (None, run(x))
                assert slopes == pytest.approx([slope] * len(slopes), rel=1e-7)


def test_second_derivatives_of_what_is_given_again() -> None:
    slope = emptied_all(lambda x: zg.hvp(kept_again, x, 1.0))(1.3)
    assert slope == pytest.approx(1.0)  # first + S x * x with S = 0.5, and 3 x


def emptied_later(x: Any) -> Any:
    clear = scaled.cache_clear
    first = scaled(x)
    clear()
    factor(3.0)
    return first + scaled(x) * x


CLEAR, ALL_OF_THEM = scaled.cache_clear, [scaled, by_kind]


def clear() -> None:
    scaled.cache_clear()


def clear_all() -> None:
    for cache in ALL_OF_THEM:
        cache.cache_clear()


def emptied_by_a_function(x: Any) -> Any:
    first = scaled(x) + scaled(2.0)
    clear()
    factor(3.0)
    second = scaled(x) * x + scaled(2.0)
    clear()
    factor(x)
    return first + second * scaled(x) + scaled(2.0) * x


def emptied_by_c(x: Any) -> Any:
    first = scaled(x)
    operator.methodcaller("cache_clear")(scaled)
    factor(3.0)
    second = scaled(x) * x
    CLEAR()
    factor(2.0)
    return first + second + scaled(x) * 5


def emptied_in_a_list(x: Any) -> Any:
    first = scaled(x)
    clear_all()
    factor(3.0)
    return first + scaled(x) * x


def emptied_in_an_attempt(x: Any) -> Any:
    first = scaled(x)
    try:
        raise ValueError
    except ValueError:
        clear()
    finally:
        factor(3.0)
    return first + scaled(x) * x


def emptied_and_filled(x: Any) -> Any:
    first = sum(map(scaled, [1.0, 2.0, 3.0])) + scaled(5 * x)
    clear()
    second = sum(map(scaled, [1.0, 2.0, 3.0]))
    factor(3.0)
    return first + second * x + scaled(5 * x) * x


def a_small_one_emptied(x: Any) -> Any:
    first = scaled_of_two(x) + sum(map(scaled_of_two, [1.0, 2.0, 3.0]))
    list(map(operator.methodcaller("cache_clear"), [scaled_of_two]))
    factor(3.0)
    return first + scaled_of_two(x) * x + sum(map(scaled_of_two, [1.0, 2.0])) * x


def another_emptied(x: Any) -> Any:
    first = scaled(x)
    list(map(operator.methodcaller("cache_clear"), [by_kind]))
    factor(3.0)
    return first + scaled(x) * x


def inside_others(x: Any) -> Any:
    first = twice_scaled(x)
    clear()
    factor(3.0)
    return first + twice_scaled(x) * x + scaled(x)  # the outer one has kept what it has


def as_often_as_before(x: Any) -> Any:
    first = sum(map(scaled, [7.0, 8.0, 9.0])) + scaled(x / x)
    clear()
    factor(3.0)
    second = scaled(x / x)
    factor(4.0)
    return first * x + second * x + sum(map(scaled, [1.0, 2.0, 3.0])) * x


def before_a_checkpoint(x: Any) -> Any:
    first = scaled(x)
    clear()
    factor(3.0)
    return first + zg.checkpoint(lambda x: scaled(x) * x, x)


@functools.cache
def emptying_itself(x: Any) -> Any:
    CLEAR_ITSELF[0]()
    return FACTOR_OF_ALL * x


CLEAR_ITSELF = [emptying_itself.cache_clear]


def one_that_empties_itself(x: Any) -> Any:
    first = emptying_itself(x)
    factor(3.0)
    return first + emptying_itself(x) * x


class Nested:
    k: Any = 0.5

    @functools.cache  # noqa: B019
    def inner(self, x: Any) -> Any:
        return self.k * x

    @functools.cache  # noqa: B019
    def outer(self, x: Any) -> Any:
        return self.inner(x) + self.inner(2 * x)

    @functools.cache  # noqa: B019
    def through_others(self, x: Any) -> Any:
        return math.sin(self.times(x))

    def times(self, x: Any) -> Any:
        return self.k * x


def inner_behind_outer(x: Any) -> Any:
    nested = Nested()
    first = nested.outer(x)
    nested.k = 3.0
    return first + nested.inner(x) * x


def outer_behind_inner(x: Any) -> Any:
    nested = Nested()
    first = nested.inner(x)
    nested.k = 3.0
    return first + nested.outer(x) * x


def inner_emptied(x: Any) -> Any:
    nested = Nested()
    first = nested.outer(x)
    Nested.inner.cache_clear()
    nested.k = 3.0
    return first + nested.inner(x) * x


def equal_for_other_reasons(x: Any) -> Any:
    nested = Nested()
    nested.k = x
    first = nested.through_others(2.0)
    nested.k = x * (x - 0.3)
    return first + nested.through_others(2.0) * x


def of_other_arguments(x: Any) -> Any:
    nested = Nested()
    first = nested.inner(x)
    nested.k = 3.0
    return first + nested.inner(2 * x)


def no_room_for_others(x: Any) -> Any:
    first = scaled_of_two(x)
    second = sum(map(scaled_of_two, [1.0, 2.0]))
    factor(3.0)
    return first + second * x + sum(map(scaled_of_two, [2.0, 1.0])) * x


def room_taken_from_others(x: Any) -> Any:
    first = sum(map(scaled_of_two, [1.0])) + scaled_of_two(x) + scaled_of_two(2 * x)
    factor(3.0)
    return first + sum(map(scaled_of_two, [1.0])) * x


EMPTYING = [
    *(no_room_for_others, room_taken_from_others),
    *(inner_behind_outer, outer_behind_inner, inner_emptied, equal_for_other_reasons, of_other_arguments),
    *(emptied_later, emptied_by_a_function, emptied_by_c, emptied_in_a_list, emptied_in_an_attempt),
    *(emptied_and_filled, a_small_one_emptied, another_emptied, inside_others, as_often_as_before),
    *(before_a_checkpoint, one_that_empties_itself),
]
MAY_BE_REFUSED = (
    *(another_emptied, inside_others, as_often_as_before, one_that_empties_itself),
    *(no_room_for_others, room_taken_from_others, a_small_one_emptied),
    *(inner_behind_outer, outer_behind_inner, equal_for_other_reasons),
)


def by_arrays(program: Any, x: float) -> Any:
    rows = emptied_all(lambda x: zg.jacobian(lambda v: np.array([program(v[0]), v[0]]), x))
    return None, [rows(np.array([x]))[0][0, 0] for _ in range(3)]


def by_parameters(program: Any, x: float) -> Any:
    array = np.array([x])
    value, back = zg.pullback(lambda: program(array[0]) * 1.0, zg.Params([array]))
    return value, [back(1.0)[array][0], back(1.0)[array][0]]


@SPECIALISED
@pytest.mark.parametrize("program", EMPTYING)
def test_caches_emptied_by_anything(program: Any, *, specialise: bool) -> None:
    """Whoever empties a cache, and by whatever name: the plain program's value and slope, or a refusal."""
    run = emptied_all(program)
    slope = slope_of(run, 1.3)
    with units.options(specialise=specialise):
        for ask in (by_pullback, by_arrays, by_parameters):
            try:
                value, slopes = emptied_all(lambda x: ask(program, x))(1.3)  # noqa: B023
            except zg.UnsupportedSyntaxError:
                assert program in MAY_BE_REFUSED
                continue
            assert value is None or value == run(1.3)
            assert slopes == pytest.approx([slope] * len(slopes), rel=1e-7)
    gc.collect()
    assert scaled.cache_info().currsize == len(inside(scaled)[0])


def test_second_derivatives_with_caches_emptied() -> None:
    program = emptied_in_a_list
    run = emptied_all(program)
    slope = (run(1.301) - 2 * run(1.3) + run(1.299)) / 1e-6
    for ask in (lambda x: zg.hvp(program, x, 1.0), zg.derivative(zg.derivative(program))):
        assert emptied_all(ask)(1.3) == pytest.approx(slope, abs=1e-4)


def hits(x: Any) -> Any:
    first = scaled(x) + scaled(x)
    return first * scaled.cache_info().hits


def hits_in_a_list(x: Any) -> Any:
    first, count = scaled(x) + scaled(x), 0
    for cache in [scaled]:
        count += cache.cache_info().misses
    return first * count


def hits_by_name(x: Any) -> Any:
    first = scaled(x) + scaled(x)
    return first * getattr(scaled, "cache_info")()[0]  # noqa: B009


def told() -> Any:
    return scaled.cache_info().hits


def told_by_another() -> Any:
    return told() + 1


def hits_told(x: Any) -> Any:
    first = scaled(x) + scaled(x)
    return first * told_by_another()


@functools.lru_cache(maxsize=0)
def not_kept(x: Any) -> Any:
    return x * 2.0


def hits_of_one_without_room(x: Any) -> Any:
    return not_kept(x) * not_kept.cache_info().misses


def asked_before(x: Any) -> Any:
    count = told() + scaled.cache_info().hits + by_kind.cache_info().misses
    first = scaled(x) + scaled(x)
    return first * (1 + count) * (1 + by_kind.cache_info().hits)


@SPECIALISED
@pytest.mark.parametrize(
    "program", [hits, hits_in_a_list, hits_by_name, hits_told, hits_of_one_without_room, asked_before]
)
def test_what_caches_were_asked_for(program: Any, *, specialise: bool) -> None:
    """A cache does not count what is entered: to ask it for that is refused; followed where it is right."""
    with units.options(specialise=specialise):
        for ask in (by_pullback, by_parameters, lambda *given: (None, [zg.pushforward(*given)(1.0)])):
            run = emptied_all(lambda x: ask(program, x))  # noqa: B023
            if program is asked_before:
                value, slopes = run(1.3)
                assert value in (None, 1.3) and slopes == [1.0] * len(slopes)
                continue
            with pytest.raises(
                zg.UnsupportedSyntaxError, match="is asked what a cache was asked for"
            ) as caught:
                run(1.3)
            assert "count the calls in a variable of your own" in str(caught.value)


def unhashable(x: Any) -> Any:
    try:
        return np.sum(scaled(np.array([x, x])))
    except TypeError:
        return 7.0 * x


@SPECIALISED
def test_arguments_that_no_cache_takes(*, specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(unhashable, 1.3) == (7.0,)
        with pytest.raises(TypeError, match="unhashable"):
            zg.gradient(lambda x: np.sum(scaled(x)), np.ones(2))


def test_runs_end_with_what_is_differentiated() -> None:
    gc.collect()
    before = set(asked_again.BEGUN)  # what exceptions keep that somebody has kept
    zg.gradient(emptied_all(lambda x: scaled(x) * 1.0), 1.3)
    _, back = zg.pullback(emptied_all(lambda x: scaled(x) + scaled(2 * x)), 1.3)
    gc.collect()
    assert before >= asked_again.BEGUN and back(1.0) == (1.5,)


@functools.lru_cache(maxsize=None)  # noqa: UP033
def legendre(n: int) -> tuple[float, ...]:
    """Coefficients, made in a list of the function's own from those that the cache has."""
    if n < 2:
        return (0.0,) * n + (1.0,)
    made = [0.0] * (n + 1)
    for place, value in enumerate(legendre(n - 1)):
        made[place + 1] += (2 * n - 1) / n * value
    for place, value in enumerate(legendre(n - 2)):
        made[place] -= (n - 1) / n * value
    return tuple(made)


def in_powers(c: list[Any], x: Any) -> Any:
    powers = [0.0] * len(c)
    for degree, value in enumerate(c):
        for place, factor in enumerate(legendre(degree)):
            powers[place] += value * factor
    return sum(value * x**place for place, value in enumerate(powers))


def test_tables_that_recur_in_lists_of_their_own_are_no_changes() -> None:
    x = 0.37
    c_bar, x_bar = zg.gradient(in_powers, [0.3, -0.5, 0.8, 0.1], x)
    expected = [1.0, x, (3 * x**2 - 1) / 2, (5 * x**3 - 3 * x) / 2]
    assert c_bar == pytest.approx(expected, rel=1e-13)
    assert x_bar == pytest.approx(-0.5 + 0.8 * 3 * x + 0.1 * (15 * x**2 - 3) / 2, rel=1e-13)
