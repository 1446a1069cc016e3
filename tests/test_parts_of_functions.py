"""What is read of functions past their calls, and copies of functions: what they carry keeps its gradient."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable
from typing import Any

import pytest

import zygpy
from zygpy.testing.numeric import slope

X, STEP = 1.5, 0.02
PROGRAMS: list[Callable[[Any], Any]] = []
TABLE: dict[str, Any] = {}


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add a function of one number to the programs."""
    PROGRAMS.append(function)
    return function


def scaled(a: Any, *, k: Any = 1.0, m: Any = 2.0) -> Any:
    return a * k * m


class Holder:
    def __init__(self, v: Any) -> None:
        self.v = v

    def times(self, u: Any) -> Any:
        return self.v * u


@program
def arguments_of_a_partial_call(x: Any) -> Any:
    p = functools.partial(scaled, x, k=x * x)
    return p.args[0] * p()


@program
def keywords_of_a_partial_call(x: Any) -> Any:
    p = functools.partial(scaled, x, k=x * x)
    total = sum(p.keywords.values()) + len(p.keywords)
    for name, value in p.keywords.items():
        total = total + value * (name == "k")
    return total * p.keywords.get("k") * p.keywords["k"]


@program
def a_partial_call_made_of_another(x: Any) -> Any:
    p = functools.partial(scaled, x, k=x * x)
    q = functools.partial(p.func, *p.args, **{**p.keywords, "m": x})
    return q()


@program
def keywords_copied_and_changed(x: Any) -> Any:
    p = functools.partial(scaled, x, k=x)
    given = dict(p.keywords)
    given["k"] = given["k"] * x
    return p.func(*p.args, **given)


@program
def lists_among_the_arguments(x: Any) -> Any:
    ps = [functools.partial(scaled, [x], k=x), functools.partial(scaled, x, k=x * x)]
    ps[0].args[0].append(x * x)
    return ps[0].args[0][1] * ps[1]()


@program
def the_function_of_a_partial_call(x: Any) -> Any:
    def inner(v: Any) -> Any:
        return v * x

    p = functools.partial(inner, x)
    return p.func(3.0) * p()


@program
def the_function_of_a_partial_call_alone(x: Any) -> Any:
    def inner(v: Any) -> Any:
        return v * x

    return functools.partial(inner, x).func(3.0)


@program
def the_function_of_a_partial_call_kept(x: Any) -> Any:
    def inner(v: Any) -> Any:
        return v * x

    held = [functools.partial(inner)]
    found = held[0].func
    return found(x * x) * held[0](3.0)


@program
def a_copied_partial_call(x: Any) -> Any:
    return copy.copy(functools.partial(scaled, x, k=x * x))()


@program
def a_copied_partial_call_with_a_list(x: Any) -> Any:
    p = functools.partial(lambda items, v: items[0] * v, [x], x)
    q = copy.copy(p)
    q.args[0][0] = x * x
    return p() * q()


@program
def a_deep_copy_of_a_partial_call(x: Any) -> Any:
    p = functools.partial(lambda items, v: items[0] * v, [x], x)
    q = copy.deepcopy(p)
    q.args[0][0] = q.args[0][0] * x
    return p() * q()


@program
def a_copied_function(x: Any) -> Any:
    def inner(v: Any) -> Any:
        return v * x

    return copy.copy(inner)(3.0) * copy.deepcopy(inner)(x)


@program
def a_copied_method(x: Any) -> Any:
    holder = Holder(x)
    times = copy.copy(holder.times)
    holder.v = x * x
    return times(x)


@program
def a_copied_method_of_a_number(x: Any) -> Any:
    return copy.copy((x * x).__mul__)(2.0)


@program
def a_copied_method_of_a_list(x: Any) -> Any:
    return copy.copy([x, x * x].pop)() * copy.copy({"k": x}.get)("k")


@program
def the_object_of_a_copied_method(x: Any) -> Any:
    times = copy.deepcopy(Holder(x).times)
    return times(x) * times.__self__.v


@program
def a_partial_call_of_a_builtin(x: Any) -> Any:
    p = functools.partial(operator.mul, x)
    return p.func(x * x, 2.0) * p(3.0)


def items_of(v: Any) -> Any:
    yield v
    yield v * v


def total(values: Any, x: Any) -> Any:
    return sum(values) * x


@program
def a_partial_call_of_a_generator(x: Any) -> Any:
    return sum(MAKERS[0](items_of, x)()) * x


@program
def a_partial_call_of_a_set(x: Any) -> Any:
    return MAKERS[0](total, {x, x * x})(x)


@program
def a_partial_call_of_a_partial_call(x: Any) -> Any:
    return MAKERS[0](MAKERS[0](scaled, x), k=x * x)(m=x)


MAKERS = [functools.partial]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_first_and_second_derivatives(function: Callable[[Any], Any]) -> None:
    first = slope(lambda t: function(X + t), STEP)
    second = slope(lambda t: slope(lambda s: function(X + t + s), STEP).value, STEP)
    assert zygpy.gradient(function, X)[0] == pytest.approx(first.value, rel=1e-8)
    assert zygpy.hvp(function, X, 1.0) == pytest.approx(second.value, rel=1e-6)
    assert zygpy.pushforward(function, X)(1.0) == pytest.approx(first.value, rel=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_where_they_are_called_by_another_name(function: Callable[[Any], Any]) -> None:
    def through_a_table(x: Any) -> Any:
        TABLE["f"] = function
        return TABLE["f"](x)

    expected = slope(lambda t: function(X + t), STEP).value
    assert zygpy.gradient(through_a_table, X)[0] == pytest.approx(expected, rel=1e-8)


def test_keywords_of_partial_calls_are_not_changed() -> None:
    """What is stored in them would be found where the partial call is called; that gradient was missing."""

    def stored(x: Any) -> Any:
        p = functools.partial(scaled, 2.0)
        p.keywords["k"] = x
        return p() * x

    def updated(x: Any) -> Any:
        p = functools.partial(scaled, 2.0, k=x)
        p.keywords.update(k=x * x)
        return p()

    for function in (stored, updated):
        with pytest.raises(zygpy.UnsupportedSyntaxError, match="keywords of a partial call are changed"):
            zygpy.gradient(function, X)


def test_a_copy_of_a_partial_call_with_attributes_is_refused() -> None:
    def labelled(x: Any) -> Any:
        p = functools.partial(scaled, x)
        p.label = x  # type: ignore[attr-defined]
        return copy.copy(p).label * x

    with pytest.raises(zygpy.UnsupportedSyntaxError, match="attributes of its own"):
        zygpy.gradient(labelled, X)
