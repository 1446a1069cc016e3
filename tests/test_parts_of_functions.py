"""What is read of functions past their calls, and copies of functions: what they carry keeps its gradient."""

from __future__ import annotations

import copy
import functools
import inspect
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


def closure(k: Any) -> Any:
    def inner(v: Any) -> Any:
        return v * k

    return inner


def wrapper(k: Any) -> Any:
    inner = closure(k)

    @functools.wraps(inner)
    def twice(v: Any) -> Any:
        return 2 * inner(v)

    return twice


class Caller:
    def __init__(self, function: Any) -> None:
        self.function, self.call = function, function.__call__

    def fire(self, v: Any) -> Any:
        return self.function.__call__(v) * self.call(v)


@program
def a_call_by_the_name_of_calls(x: Any) -> Any:
    return Caller(closure(x)).fire(x) * closure(x).__call__(2.0)


@program
def a_call_that_is_asked_for(x: Any) -> Any:
    name = "__call__"
    found = getattr(closure(x), name)(2.0) * getattr(closure(x), "__call__")(3.0)  # noqa: B004, B009
    return found * operator.methodcaller("__call__", 2.0)(closure(x))


@program
def calls_by_name_in_a_list(x: Any) -> Any:
    found = [closure(x).__call__, Holder(x).times, functools.partial(operator.mul, x)]
    return sum(f(x) for f in found) + operator.attrgetter("__call__")(closure(x))(x)


@program
def what_a_decorator_wraps(x: Any) -> Any:
    @functools.wraps(closure)
    def other(v: Any) -> Any:
        return v

    found = wrapper(x)
    inner = found.__wrapped__
    return found(2.0) * found.__wrapped__(x) * inner(3.0) * other(x)


@program
def what_is_unwrapped(x: Any) -> Any:
    found = [functools.wraps(wrapper)(wrapper(x))]
    return inspect.unwrap(wrapper(x))(x) * found[0](x) * USES[0](wrapper(x))


def use_what_is_wrapped(f: Any) -> Any:
    function = f
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function(3.0) * f.__wrapped__.__call__(1.0)


USES = [use_what_is_wrapped]
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


def test_what_is_wrapped_and_not_captured_is_refused() -> None:
    def program(x: Any) -> Any:
        @functools.wraps(closure(x))
        def other(v: Any) -> Any:
            return v

        return other.__wrapped__(2.0)

    with pytest.raises(zygpy.UnsupportedSyntaxError, match="has not captured what it wraps"):
        zygpy.gradient(program, X)


def called_as_a_key(x: Any) -> Any:
    return sum(f(v) for f, v in {closure(x): 2.0}.items())


def called_in_a_key(x: Any) -> Any:
    ((f, _), v), *_ = {(closure(x), 1): 2.0}.items()
    return f(v)


def called_of_keys(x: Any) -> Any:
    table: dict[Any, float] = {}
    table[functools.partial(operator.mul, x)] = 1.0
    return next(iter(table))(2.0)


def called_when_taken_out(x: Any) -> Any:
    table = {**dict.fromkeys([closure(x)], 2.0)}
    f, v = table.popitem()
    return f(v)


@pytest.mark.parametrize(
    "function",
    [called_as_a_key, called_in_a_key, called_of_keys, called_when_taken_out],
    ids=lambda f: f.__name__,
)
def test_functions_that_are_keys_and_called_are_refused(function: Callable[[Any], Any]) -> None:
    """Their gradient was missing."""
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="a key of a dict is called"):
        zygpy.gradient(function, X)


def test_functions_that_are_keys_and_carry_nothing_may_be_called() -> None:
    def double(v: Any) -> Any:
        return 2 * v

    holder = Holder(3.0)

    def program(x: Any) -> Any:
        holder.v = x
        hooks = {double: x, holder.times: 2.0}
        return sum(f(x) * v for f, v in hooks.items())

    expected = slope(lambda t: 2 * (X + t) ** 2 + 2 * (X + t) ** 2, STEP).value
    assert zygpy.gradient(program, X)[0] == pytest.approx(expected)
