"""Lazy builtins that functions give which were not known when their caller was derived, and what asks for
their items there: the gradient of the items comes back, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


def mapped(x: Any) -> Any:
    return map(x.__mul__, [x, x])


def filtered(x: Any) -> Any:
    return filter(lambda item: item * x > 0, [x * x, x])


def zipped(x: Any) -> Any:
    return zip([x * x, x], [x, x], strict=True)


def inside(x: Any) -> Any:
    return [map(x.__mul__, [x, x]), 1]


def total(items: Any) -> Any:
    return sum(items)


def total_by_keyword(*, items: Any) -> Any:
    return sum(items)


def total_of_first(held: Any) -> Any:
    return sum(held[0])


def product_of_pairs(items: Any) -> Any:
    result = 0.0
    for a, b in items:
        result = result + a * b
    return result


class Scale:
    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def total(self, items: Any) -> Any:
        return sum(items) * self.factor


def of_map(x: Any) -> Any:
    functions: list[Any] = [mapped, total]
    return functions[1](functions[0](x))


def of_map_in_a_program_that_stores(x: Any) -> Any:
    functions: list[Any] = [mapped, total]
    kept = [x]
    items = functions[0](x)
    kept[0] = x * x
    return functions[1](items) * kept[0]


def of_filter(x: Any) -> Any:
    functions: list[Any] = [filtered, total]
    return functions[1](functions[0](x))


def of_zip(x: Any) -> Any:
    functions: list[Any] = [zipped, product_of_pairs]
    return functions[1](functions[0](x))


def by_a_method(x: Any) -> Any:
    functions: list[Any] = [mapped, Scale(x)]
    return functions[1].total(functions[0](x))


def by_keyword(x: Any) -> Any:
    functions: list[Any] = [mapped, total_by_keyword]
    return functions[1](items=functions[0](x))


def in_a_list(x: Any) -> Any:
    functions: list[Any] = [mapped, total_of_first]
    return functions[1]([functions[0](x)])


def given_in_a_list(x: Any) -> Any:
    functions: list[Any] = [inside, total_of_first]
    return functions[1](functions[0](x))


FOLLOWED = [
    of_map,
    of_map_in_a_program_that_stores,
    of_filter,
    of_zip,
    by_a_method,
    by_keyword,
    in_a_list,
    given_in_a_list,
]


def check(program: Callable[[Any], Any]) -> None:
    _, back = zg.pullback(program, 1.5)
    step = 1e-3
    near = program(1.5 + step) - program(1.5 - step)
    far = program(1.5 + 2 * step) - program(1.5 - 2 * step)
    assert [back(1.0), back(1.0)] == [(pytest.approx((8 * near - far) / (12 * step), rel=1e-9),)] * 2


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", FOLLOWED)
def test_gradients(program: Callable[[Any], Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        check(program)
