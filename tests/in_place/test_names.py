"""Names that mean one thing in a body and another around it, where the body runs in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import zygpy as zg
from tests.in_place.judge import LOG, Program, check_first_order, check_second_order

scale = 3.0


def own_variable(x: Any) -> Iterator[Any]:
    scale = x * 2.0
    yield scale
    yield scale * scale


def global_variable(x: Any) -> Iterator[Any]:
    yield x * scale
    yield scale + x


def builtins(x: Any) -> Iterator[Any]:
    for k in range(2):
        yield max(x, 1.0) * abs(k - x)


def own_and_global(x: Any) -> Iterator[Any]:
    for scaled in global_variable(x):
        yield scaled * x


def a_global_beside_the_bodys_variable(x: Any) -> Any:
    return sum(own_variable(x)) * scale


def a_global_in_a_function_beside_the_bodys_variable(x: Any) -> Any:
    times = lambda t: t * scale  # noqa: E731
    return sum(own_variable(x)) * times(x)


def a_variable_beside_the_bodys_global(x: Any) -> Any:
    scale = x * x
    return sum(global_variable(x)) * scale


def a_variable_beside_an_inner_bodys_global(x: Any) -> Any:
    scale = x * x
    return sum(own_and_global(x)) * scale


def a_parameter_beside_the_bodys_global(scale: Any) -> Any:
    return sum(global_variable(scale * scale))


def a_loops_variable_beside_the_bodys_global(x: Any) -> Any:
    total = x
    for scale in (x, 2.0):
        for v in global_variable(x):
            total = total + v * scale
    return total


def a_variable_beside_the_bodys_builtin(x: Any) -> Any:
    max, range, abs = x * 5.0, 2.0, x
    return sum(builtins(x)) * max * range + abs


def one_body_beside_the_global_of_the_next(x: Any) -> Any:
    return sum(own_variable(x)) * sum(global_variable(x)) * sum(own_variable(x * x))


def a_global_beside_a_local_generators_variable(x: Any) -> Any:
    def inner() -> Iterator[Any]:
        scale = x
        yield scale * 2.0

    return sum(inner()) * scale


def a_global_beside_a_shared_functions_variable(x: Any) -> Any:
    total = 0.0

    def put(t: Any) -> None:
        nonlocal total
        scale = t * 2.0
        total = total + scale

    put(x)
    put(x * x)
    return total * scale


def capturing(scale: Any) -> Program:
    def a_captured_variable_beside_the_bodys_global(x: Any) -> Any:
        return sum(global_variable(x)) * scale

    return a_captured_variable_beside_the_bodys_global


def functions_in_the_loops_body(x: Any) -> Any:
    kept = []
    for v in own_variable(x):
        w = v * 2.0
        kept.append(lambda: w * x)  # noqa: B023
        kept.append(lambda v=v: w * v)  # noqa: B023
    return sum([f() for f in kept])


def told(x: Any) -> Iterator[Any]:
    def inner() -> Iterator[Any]:
        LOG.append((yield x))
        yield x * 2.0

    def handing_on() -> Iterator[Any]:
        yield from inner()

    items = handing_on()
    first = items.send(None)
    yield first + items.send(5)


def a_delegation_that_is_told_something(x: Any) -> Any:
    total = 0.0
    for v in told(x):
        total = total + v * v
    return total


def replaced(x: Any) -> Iterator[Any]:
    yield x


def replacement(x: Any) -> Iterator[Any]:
    yield x * x


def replace_it(by: Any) -> None:
    global replaced
    replaced = by


def replaced_by_the_program(x: Any) -> Any:
    global replaced
    before, total = replaced, 0.0
    for v in replaced(x):
        total = total + v
    replaced = replacement
    for v in replaced(x):
        total = total * v
    replaced = before
    return total


def replaced_by_what_it_calls(x: Any) -> Any:
    before = replaced
    replace_it(replacement)
    total = 0.0
    for v in replaced(x):
        total = total + v
    replace_it(before)
    return total * sum(replaced(x))


PROGRAMS: tuple[Program, ...] = (
    a_global_beside_the_bodys_variable,
    a_global_in_a_function_beside_the_bodys_variable,
    a_variable_beside_the_bodys_global,
    a_variable_beside_an_inner_bodys_global,
    a_parameter_beside_the_bodys_global,
    a_loops_variable_beside_the_bodys_global,
    a_variable_beside_the_bodys_builtin,
    one_body_beside_the_global_of_the_next,
    a_global_beside_a_local_generators_variable,
    a_global_beside_a_shared_functions_variable,
    capturing(10.0),
    functions_in_the_loops_body,
    a_delegation_that_is_told_something,
    replaced_by_the_program,
    replaced_by_what_it_calls,
)


@pytest.mark.parametrize("x", [0.7, 1.3])
@pytest.mark.parametrize("f", PROGRAMS)
def test_values_effects_and_gradients(f: Program, x: float) -> None:
    check_first_order(f, x)


@pytest.mark.parametrize("f", PROGRAMS[:12])
def test_second_derivatives_and_tangents(f: Program) -> None:
    check_second_order(f, 1.3)


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("enumerate", lambda items: [(10.0, item) for item in items], 10.0 * (2.0 + 8.0 * 1.3)),
        ("iter", lambda items: [2.0 * item for item in items], 2.0),
    ],
)
def test_a_builtin_that_is_not_called_any_more_has_another_meaning(
    name: str, other: Any, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def f(x: Any) -> Any:
        total = 0.0
        for k, v in enumerate(own_variable(x)):
            total = total + k * v
        return total

    def g(x: Any) -> Any:
        return sum(given(iter([x, 1.0])))

    program = {"enumerate": f, "iter": g}[name]
    assert zg.gradient(program, 1.3) == pytest.approx(({"enumerate": 8.0 * 1.3, "iter": 1.0}[name],))
    monkeypatch.setitem(globals(), name, other)
    assert zg.gradient(program, 1.3) == pytest.approx((expected,))


def given(items: Any) -> Iterator[Any]:
    for item in items:
        yield 1.0 * item
