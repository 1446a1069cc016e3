"""Questions whose answers are given by methods that may change something: the methods are entered."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Mapping
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import call
from zygpy.identity.classes import python_method
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.lookup import in_class
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import (
    ASKING,
    HOLDING,
    ITEMWISE,
    asked,
    check_all_comparing,
    check_truth,
    each_is_true,
    holds_such,
    is_written_representation,
    same_items,
    some_is_true,
    text_of_fields,
)
from zygpy.runtime.ways import Way

COMPARING: Mapping[str, tuple[str, str]] = {
    "<": ("__lt__", "__gt__"),
    ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"),
    ">=": ("__ge__", "__le__"),
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
}
"""The methods of the left operand and of the right one."""


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A question; None for any other function."""
    if function is asked:
        asking = Asking(way, args[1:])
        return answer(asking, args[0], *args[1:]), asking
    question = _is_asking(function) and not kwargs and QUESTIONS[function]
    if not question:
        return None
    if any(holds_such(question, value) for value in args):
        return Asked.of(call(way, asked, question, *args))
    if question in ABOUT_TRUTH and len(args) == 1 and _answers_by_itself(args[0]):
        return function(args[0]), Ignored(2)
    return None


ABOUT_TRUTH = frozenset({"bool", "any", "all"})
"""Questions that no rule answers of containers which have no kind of their own."""


def _answers_by_itself(value: Any) -> bool:
    """Whether a container is asked for its items, and how many they are, by no method in Python."""
    own = (python_method(value, name) for name in ("__bool__", "__len__", "__iter__"))
    return isinstance(value, deque | dict | set | frozenset) and not any(own)


def _is_asking(function: Any) -> bool:
    return isinstance(function, BuiltinFunctionType | type) and function in QUESTIONS


QUESTIONS: Mapping[Any, str] = {function: question for question, function in ASKING.items()}
"""What builtins ask, where they are found when the program runs."""


class Asked:
    """The pullback of a builtin that asks, as that of the question."""

    def __init__(self, back: Any) -> None:
        self.back = back

    @classmethod
    def of(cls, made: tuple[Any, Any]) -> tuple[Any, Asked]:
        """The answer with its pullback."""
        return made[0], cls(made[1])

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.back(y_bar, store)
        return (None, *bars[2:])


class Asking:
    """The methods that were called to answer a question, and the pullback of them all."""

    def __init__(self, way: Way, given: tuple[Any, ...]) -> None:
        self.way, self.given = way, given
        self.calls: list[tuple[Any, tuple[int, ...]]] = []

    def method(self, value: Any, name: str, *others: Any) -> Any:
        """What a method of a value answers; NotImplemented where its class has none in Python and says so."""
        found = python_method(value, name)
        if found is None:
            return getattr(type(value), name)(value, *others)
        order = tuple(0 if part is self.given[0] else 1 for part in (value, *others))
        return self.entered(found, order, value, *others)

    def entered(self, method: Any, order: tuple[int, ...], *values: Any) -> Any:
        """What a method in Python answers, and how it is pulled back; the order is that of its arguments
        among what is asked."""
        y, back = call(self.way, method, *values)
        self.calls.append((back, order))
        return y

    def program(self, function: Any, *values: Any) -> Any:
        """What a program answers that stands for code which is not written in Python."""
        y, back = call(self.way, function, *values)
        self.calls.append((back, tuple(range(len(values)))))
        return y

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars: list[Any] = [None] * len(self.given)
        for back, order in reversed(self.calls):
            for place, bar in zip(order, back(None, store)[1:], strict=True):
                if place < len(bars):
                    bars[place] = accumulate(bars[place], bar)
        return (None, None, *bars)


def answer(asking: Asking, question: str, value: Any, *more: Any) -> Any:
    if question in COMPARING:
        return _compared(asking, question, value, *more)
    return ANSWERING[question](asking, value, *more)


def _compared(asking: Asking, symbol: str, a: Any, b: Any) -> Any:
    """`a op b` by Python's protocol of the two methods."""
    if symbol in ("==", "!=") and isinstance(a, list | tuple) and type(a) is type(b):
        return asking.program(same_items, a, b) is (symbol == "==")
    if _compares_items(a, b):
        check_all_comparing([a, b], ITEMWISE[symbol])
    forward, backward = COMPARING[symbol]
    steps = [(a, forward, b), (b, backward, a)]
    own = in_class(type(b), backward, None) is not in_class(type(a), backward, None)
    if type(a) is not type(b) and issubclass(type(b), type(a)) and own:
        steps.reverse()
    for value, name, other in steps:
        y = _different(asking, value, other) if name == "__ne__" else asking.method(value, name, other)
        if y is not NotImplemented:
            method = python_method(value, name) or python_method(value, "__eq__")
            if method is not None:
                check_truth(symbol, y, method)
            return y
    if symbol in ("==", "!="):
        return (a is b) is (symbol == "==")
    left, right = type(a).__name__, type(b).__name__
    raise TypeError(f"'{symbol}' not supported between instances of {left!r} and {right!r}")


def _compares_items(a: Any, b: Any) -> bool:
    """Whether what is in two things may be compared when they are: containers leave others to their methods,
    but arrays compare their items with anything."""
    of_arrays = isinstance(a, np.ndarray) or isinstance(b, np.ndarray)
    return of_arrays or (isinstance(a, HOLDING) and isinstance(b, HOLDING))


def _different(asking: Asking, value: Any, other: Any) -> Any:
    """`value.__ne__(other)`, which is the opposite of `__eq__` unless a class has its own."""
    if in_class(type(value), "__ne__", None) is not object.__ne__:
        return asking.method(value, "__ne__", other)
    y = asking.method(value, "__eq__", other)
    return y if y is NotImplemented else not y


def _truth(asking: Asking, value: Any) -> bool:
    if in_class(type(value), "__bool__", None) is None:
        return in_class(type(value), "__len__", None) is None or _length(asking, value) != 0
    y = asking.method(value, "__bool__")
    if type(y) is not bool:
        raise TypeError(f"__bool__ should return bool, returned {type(y).__name__}")
    return y


def _length(asking: Asking, value: Any) -> int:
    y = operator.index(asking.method(value, "__len__"))
    if y < 0:
        raise ValueError("__len__() should return >= 0")
    return y


def _text(asking: Asking, value: Any) -> str:
    if in_class(type(value), "__str__", None) is object.__str__:
        return _representation(asking, value)
    return _checked(asking.method(value, "__str__"), "__str__")


def _representation(asking: Asking, value: Any) -> str:
    if isinstance(value, HOLDING):
        raise UnsupportedSyntaxError(
            f"what is in a {type(value).__name__} may change something when it is asked for its text.",
            why="they are asked by code that is not written in Python",
            instead="put the text together in a loop",
        )
    if is_written_representation(python_method(value, "__repr__"), type(value)):
        return str(asking.program(text_of_fields, value))
    return _checked(asking.method(value, "__repr__"), "__repr__")


def _formatted(asking: Asking, value: Any, spec: str = "") -> str:
    if in_class(type(value), "__format__", None) is object.__format__:
        return format(_text(asking, value), spec)
    return _checked(asking.method(value, "__format__", spec), "__format__")


def _checked(text: Any, name: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name} returned non-string (type {type(text).__name__})")
    return text


def _integer(asking: Asking, value: Any, *base: Any) -> int:
    names = [
        name for name in ("__int__", "__index__", "__trunc__") if in_class(type(value), name) is not None
    ]
    if base or not names:
        return int(value, *base)
    return int(asking.method(value, names[0]))


def _hash(asking: Asking, value: Any) -> int:
    return hash(value) if python_method(value, "__hash__") is None else hash(asking.method(value, "__hash__"))


ANSWERING: Mapping[str, Any] = {
    "any": lambda asking, values: asking.program(some_is_true, values),
    "all": lambda asking, values: asking.program(each_is_true, values),
    "bool": _truth,
    "len": _length,
    "str": _text,
    "repr": _representation,
    "format": _formatted,
    "int": _integer,
    "hash": _hash,
}
"""What answers the questions about one value."""
