"""Arguments that a program finds by a global or captured variable too, and does not change: what it reads by
that variable is no part of the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options

POINT = np.array([0.3, 1.0, 2.5])
HELD = [POINT]


class Thing:
    value: Any


class Made:
    held = POINT

    def __init__(self, value: Any) -> None:
        self.value = value

    def by_global(self) -> Any:
        return np.sum(np.sin(self.value * POINT))

    def by_class(self) -> Any:
        return np.sum(np.sin(self.value * self.held))


class Changing(Made):
    def put(self, value: Any) -> None:
        self.value[0] = value


def plainly(y: Any) -> Any:
    return np.sum(np.sin(y * POINT))


def in_a_list(y: Any) -> Any:
    items = [y]
    same = items
    same.append(y * 2.0)
    items[0] = items[1] * POINT
    return np.sum(np.sin(items[0] * POINT))


def in_an_object(y: Any) -> Any:
    thing = Thing()
    thing.value = y
    same = thing
    same.value = same.value * POINT
    return np.sum(np.sin(thing.value * y))


def in_one_that_is_made(y: Any) -> Any:
    return np.sum(np.sin(Made(y).value * POINT))


def by_a_method(y: Any) -> Any:
    return Made(y).by_global() * y[0]


def by_a_class(y: Any) -> Any:
    return Made(y * 1.0).by_class() + Made(y).by_class() ** 2


def in_a_list_of_them(y: Any) -> Any:
    made = [Made(array) for array in (y, HELD[0])]
    return np.sum(np.sin(made[0].value * made[1].value))


def reversed_in_an_object(y: Any) -> Any:
    made = Made(y[::-1])
    made.other = HELD[0][1:]
    return np.sum(np.sin(made.value[1:] * made.other)) * y[0]


def with_a_default(y: Any, other: Any = POINT) -> Any:
    return np.sum(y * other)


def by_a_default(y: Any) -> Any:
    return with_a_default(y) * y[1] ** 2


def in_place(y: Any) -> Any:
    s = np.zeros(3)
    t = s
    t += y * HELD[0]
    s *= y
    return np.sum(np.sin(t))


def with_a_gradient_inside(y: Any) -> Any:
    def inner(z: Any) -> Any:
        return np.sum(np.sin(z * POINT))

    return np.sum(zg.gradient(inner, y)[0] * y)


def with_a_gradient_by_another(y: Any) -> Any:
    def inner(z: Any) -> Any:
        return np.sum(np.sin(z * y * POINT))

    return np.sum(zg.gradient(inner, y)[0] ** 2)


def capturing(array: Any) -> Callable[[Any], Any]:
    def program(y: Any) -> Any:
        items = [y]
        same = items
        same[0] = same[0] * array
        return np.sum(np.cos(items[0]) * y)

    return program


PROGRAMS = [plainly, in_a_list, in_an_object, in_place, with_a_gradient_inside, with_a_gradient_by_another]
PROGRAMS += [capturing(POINT), by_a_default]

OF_OBJECTS = [in_one_that_is_made, by_a_method, by_a_class, in_a_list_of_them, reversed_in_an_object]


def capturing_in_an_object(array: Any) -> Callable[[Any], Any]:
    return lambda y: np.sum(np.sin(Made(y).value * array))


OF_OBJECTS.append(capturing_in_an_object(POINT))

SECOND: dict[str, Callable[[Any, Any], Any]] = {
    "hessian": zg.hessian,
    "hessian by reverse mode": zg.hessian_reverse,
    "jacobian of the gradient": lambda f, x: zg.jacobian(lambda y: zg.gradient(f, y)[0], x)[0],
    "product": lambda f, x: np.stack([zg.hvp(f, x, unit) for unit in np.eye(3)]),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[[Any], Any]) -> None:
    assert zg.gradient(program, POINT)[0] == pytest.approx(slopes(program, POINT), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", OF_OBJECTS)
def test_gradients_of_objects(program: Callable[[Any], Any], specialise: bool) -> None:
    expected = slopes(program, POINT)
    with options(specialise=specialise):
        y, back = zg.pullback(program, POINT)
    assert y == program(POINT)
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert back(2.0)[0] == pytest.approx(2.0 * expected, rel=1e-7, abs=1e-7)


def test_what_is_given_back_is_the_argument() -> None:
    def gives_back(y: Any) -> Any:
        made = Made(y)
        made.value = made.value + POINT
        return y

    y, back = zg.pullback(gives_back, POINT)
    assert y is POINT
    assert back(np.ones(3))[0] == pytest.approx(np.ones(3))


def changed_by_the_argument(y: Any) -> Any:
    Changing(y).put(y[1] * 2.0)
    return np.sum(y * POINT) + POINT[0] ** 2


def changed_by_the_global(y: Any) -> Any:
    made = Made(y)
    POINT[1:] = made.value[:-1] * POINT[2]
    return np.sum(np.sin(made.value) * POINT)


def changed_by_both(y: Any) -> Any:
    made = Made(y[1:])
    made.value[:] = POINT[:2] * made.value
    POINT[...] = POINT * y
    return np.sum(np.sin(y) * HELD[0])


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [changed_by_the_argument, changed_by_the_global, changed_by_both])
def test_what_is_changed_is_one_thing_by_all_of_its_names(
    program: Callable[[Any], Any], specialise: bool
) -> None:
    before = POINT.copy()

    def at(point: Any) -> Any:
        POINT[...] = point
        return program(POINT)

    try:
        expected = slopes(at, before)
        y, after = at(before), POINT.copy()
        POINT[...] = before
        with options(specialise=specialise):
            found, back = zg.pullback(program, POINT)
        assert found == y
        assert after.tolist() == POINT.tolist()
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)
    finally:
        POINT[...] = before


@pytest.mark.parametrize("second", SECOND.values(), ids=SECOND)
@pytest.mark.parametrize("program", PROGRAMS)
def test_second_derivatives(program: Callable[[Any], Any], second: Callable[[Any, Any], Any]) -> None:
    expected = [slopes(lambda y, k=k: slopes(program, y)[k], POINT, 1e-4) for k in range(3)]
    assert second(program, POINT) == pytest.approx(np.array(expected), rel=1e-4, abs=1e-4)


def slopes(program: Callable[[Any], Any], x: Any, step: float = 1e-5) -> Any:
    """Central differences, at points that are arrays of their own."""
    return np.array(
        [(program(x + step * unit) - program(x - step * unit)) / (2 * step) for unit in np.eye(3)]
    )


def changing_the_global(y: Any) -> Any:
    items = [y]
    same = items
    same.append(1.0)
    POINT[0] = 7.0
    return np.sum(items[0] ** 2)


def test_a_global_that_is_changed_by_its_name_is_the_argument() -> None:
    before = POINT[0]
    try:
        found = zg.gradient(changing_the_global, POINT)[0]
        assert POINT[0] == 7.0
        assert found == pytest.approx([0.0, *(2.0 * POINT_AT_FIRST[1:])])
    finally:
        POINT[0] = before
    assert zg.gradient(changing_the_global, POINT.copy())[0] == pytest.approx(2.0 * POINT_AT_FIRST)
    POINT[0] = before


def changed_to_what_it_was(y: Any) -> Any:
    made = Changing(y)
    made.put(y[0] * 1.0)
    return np.sum(np.sin(made.value * POINT))


def changed_nowhere(y: Any) -> Any:
    made = Changing(y * 2.0)
    made.put(y[1])
    return np.sum(np.sin(made.value) * y) + len(POINT)


def test_where_it_is_not_known_whether_it_is_changed_is_the_gradient_right_either_way() -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match=r"(?s)given as an argument.*pass a copy"):
        zg.gradient(changed_to_what_it_was, POINT)
    expected = slopes(changed_to_what_it_was, POINT)
    assert zg.gradient(changed_to_what_it_was, POINT.copy())[0] == pytest.approx(expected, abs=1e-7)
    expected = slopes(changed_nowhere, POINT)
    assert zg.gradient(changed_nowhere, POINT)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)


POINT_AT_FIRST = POINT.copy()

NAMED: dict[str, Any] = {}


def doubled_by_name(x: Any) -> Any:
    NAMED["rows"][0][0] = NAMED["rows"][0][0] * 2.0
    return np.sum(x**3)


def overwritten_by_name(x: Any) -> Any:
    NAMED["rows"][0][0] = 5.0
    return np.sum(x**3)


def changed_in_a_view(x: Any) -> Any:
    view = NAMED["rows"][0][1:]
    view[0] = view[0] ** 2
    return np.sum(x**3)


def changed_in_an_object(x: Any) -> Any:
    NAMED["thing"].value[0] *= 3.0
    return np.sum(x**3)


def named(x: Any) -> Any:
    """The array, held by the global dict too."""
    thing = Thing()
    thing.value = x
    NAMED.update(rows=[x], thing=thing)
    return x


BY_NAME = [doubled_by_name, overwritten_by_name, changed_in_a_view, changed_in_an_object]


@pytest.mark.parametrize("program", BY_NAME, ids=lambda program: program.__name__)
def test_what_is_changed_by_another_name_alone_is_right_or_refused(program: Callable[[Any], Any]) -> None:
    step = 1e-6 * np.eye(3)
    slopes = [(program(named(POINT + h)) - program(named(POINT - h))) / 2e-6 for h in step]
    for _ in range(2):
        found, refused = slopes, "given as an argument is changed"
        try:
            (found,) = zg.gradient(program, named(POINT.copy()))
        except zg.UnsupportedSyntaxError as error:
            refused = str(error)
        assert "given as an argument is changed" in refused
        np.testing.assert_allclose(found, slopes, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("second", SECOND.values(), ids=SECOND)
@pytest.mark.parametrize("program", BY_NAME, ids=lambda program: program.__name__)
def test_second_derivatives_of_what_is_changed_by_another_name_are_refused(
    program: Callable[[Any], Any], second: Callable[[Any, Any], Any]
) -> None:
    message = r"given as an argument, and changed|what is its argument"
    with pytest.raises(zg.UnsupportedSyntaxError, match=message):
        second(program, named(POINT.copy()))
    NAMED.update(rows=[np.ones(3)], thing=Thing())
    NAMED["thing"].value = np.ones(3)
    np.testing.assert_allclose(second(program, POINT), np.diag(6.0 * POINT_AT_FIRST))


class Keeping:
    """An object that is called, and keeps what it was given."""

    def __init__(self) -> None:
        self.last: Any = None

    def __call__(self, x: Any) -> Any:
        self.last = x
        return np.sum(x * x)

    def step(self, x: Any) -> Any:
        self.last = x
        return np.sum(x * x * x)


def test_an_argument_that_the_called_object_holds_already_has_its_gradient() -> None:
    keeping, x = Keeping(), np.array([1.0, 2.0])
    for _ in range(3):
        np.testing.assert_array_equal(zg.gradient(keeping, x)[0], 2.0 * x)
        np.testing.assert_array_equal(zg.gradient(keeping.step, x)[0], 3.0 * x * x)
        _, back = zg.pullback(keeping, x)
        np.testing.assert_array_equal(back(2.0)[0], 4.0 * x)
    assert keeping.last is x
