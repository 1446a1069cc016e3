"""Functions that decorators make of a text, some of them when they are first called, and methods of
containers that are kept under other names."""

from __future__ import annotations

import linecache
import math
import sysconfig
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient

PLACE = f"{sysconfig.get_path('purelib')}/makes_code_late.py"
"""A file as that of an installed package."""


def called_by_text(function: Any) -> Any:
    """A decorator that calls a function by a text, which it leaves in an attribute."""
    text = "def called(x, *more, scale=1.0):\n    return scale * inner(x, *more)"
    space: dict[str, Any] = {"inner": function}
    exec(compile(text, f"<called {function.__name__}>", "exec"), space)
    made: Any = space["called"]
    made.text = text
    return made


def called_by_another_text(function: Any) -> Any:
    """The same with an attribute that is not its text."""
    made = called_by_text(function)
    made.text = made.text.replace("scale *", "2 * scale *")
    return made


@called_by_text
def area(x: Any, y: Any) -> Any:
    return x * math.sin(y)


@called_by_another_text
def area_of_a_lost_text(x: Any, y: Any) -> Any:
    return x * math.sin(y)


def of_a_kept_text(x: Any, y: Any) -> Any:
    return area(x, y, scale=3.0) + area(y, x)


def test_the_text_that_a_function_has_in_an_attribute() -> None:
    check_gradient(of_a_kept_text, 0.7, 1.3)


def test_a_text_that_is_another_one_is_not_taken() -> None:
    with pytest.raises(zg.SourceNotFoundError, match="area"):
        zg.gradient(lambda x: area_of_a_lost_text(x, x), 0.7)


LIBRARY = """
import re

class Late:
    count = 0

    def __call__(self, function):
        def late(*args, __made=None, **kwargs):
            return Late.make(__made)(*args, **kwargs)

        late.__defaults__ = function.__defaults__
        late.__qualname__, late.__wrapped__ = function.__qualname__, function
        late.__kwdefaults__["_Late__made"] = late
        return late

    @staticmethod
    def make(function):
        Late.count += 1
        name = re.sub("[^a-z_]", "_", function.__qualname__)
        text = "\\n".join(Late.lines(name))
        space = {"wrapped": function.__wrapped__}
        exec(compile(text, f"<late {Late.count}>", "exec"), space)
        function.__code__ = space[name].__code__
        function.__globals__.update(wrapped=function.__wrapped__)
        function.text = text
        return function

    @staticmethod
    def lines(name):
        yield f"def {name}(x, y=1.0):"
        yield "    return wrapped(x, y)"
"""
"""A decorator whose function gets its code when it is first called."""


def loaded(text: str) -> dict[str, Any]:
    """What the file of an installed package has in its variables."""
    space: dict[str, Any] = {"__name__": "makes_code_late", "__file__": PLACE}
    linecache.cache[PLACE] = (len(text), None, text.splitlines(keepends=True), PLACE)
    exec(compile(text, PLACE, "exec"), space)
    return space


def hypotenuse(x: Any, y: Any = 2.0) -> Any:
    return math.sqrt(x * x + y * y)


KEPT: dict[str, Any] = {}


def test_a_function_that_is_compiled_at_its_first_call() -> None:
    late = loaded(LIBRARY)["Late"]
    called = late()(hypotenuse)

    def of_a_late_function(x: Any, y: Any) -> Any:
        return called(x, y) * called(y)

    assert zg.pullback(of_a_late_function, 0.7, 1.3)[0] == hypotenuse(0.7, 1.3) * hypotenuse(1.3)
    assert late.count == 1
    check_gradient(of_a_late_function, 0.7, 1.3)


def test_the_same_where_active_values_are_kept_outside() -> None:
    called = loaded(LIBRARY)["Late"]()(hypotenuse)

    def keeping(x: Any, y: Any) -> Any:
        KEPT["x"] = x * 2
        return called(x, y) * KEPT["x"] ** 2

    assert zg.pullback(keeping, 0.7, 1.3)[0] == hypotenuse(0.7, 1.3) * 1.4**2
    check_gradient(keeping, 0.7, 1.3)


# ------------------------------------------------------ methods of containers under other names

WEIGHTS = {"a": 1.0, "b": 2.0, "c": 3.0}


class View:
    """What looks at a dict by its methods."""

    def __init__(self, data: Any) -> None:
        self.items, self.get, self.values = data.items, data.get, data.values

    def total(self) -> Any:
        total = 0.0
        for key, value in self.items():
            total = total + WEIGHTS[key] * value
        return total

    def weighted(self) -> Any:
        for key, value in self.items():
            yield WEIGHTS[key], value


class Stack:
    """What changes a list by its methods."""

    def __init__(self) -> None:
        self.data: list[Any] = []
        self.push, self.pop, self.extend = self.data.append, self.data.pop, self.data.extend


def items_by_a_field(x: Any, y: Any) -> Any:
    return View({"a": x, "b": x * y}).total()


def items_in_a_generator(x: Any, y: Any) -> Any:
    return sum(weight * value for weight, value in View({"a": x, "b": x * y}).weighted())


def items_after_a_change(x: Any, y: Any) -> Any:
    data = {"a": x, "b": x * y}
    view = View(data)
    data["a"], data["c"] = 3 * y, x
    return view.get("a") * view.total() + sum(view.values()) * view.get("d", y)


def dicts_in_a_dict(x: Any, y: Any) -> Any:
    view = View({"a": {"w": x}, "b": {"w": x * y}})
    view.get("a")["w"] *= y
    return sum(WEIGHTS[key] * inner["w"] for key, inner in view.items())


def stack_by_fields(x: Any, y: Any) -> Any:
    stack = Stack()
    stack.push(x * y)
    stack.extend([x, y * y])
    stack.data[0] = stack.data[0] * x
    last = stack.pop()
    return last * stack.data[0] + stack.pop()


@pytest.mark.parametrize(
    "function",
    [items_by_a_field, items_in_a_generator, items_after_a_change, dicts_in_a_dict, stack_by_fields],
)
def test_methods_of_containers_that_are_kept_in_fields(function: Any) -> None:
    assert zg.pullback(function, 0.5, 1.25)[0] == function(0.5, 1.25)
    check_gradient(function, 0.5, 1.25)
