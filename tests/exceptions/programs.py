"""Programs in which exceptions carry what is differentiated, each a function of three numbers."""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

PROGRAMS: dict[str, Callable[[Any], Any]] = {}
PULLED: list[str] = []
"""Those whose tangent function is written, and differentiated for second derivatives."""


def pulled(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PULLED.append(program.__name__)
    return followed(program)


def followed(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PROGRAMS[program.__name__] = program
    return program


class Diverged(Exception):
    """One with fields, a property, a method and a text."""

    def __init__(self, x: Any, n: int = 0) -> None:
        super().__init__(f"diverged after {n}")
        self.x = x
        self.n = n

    @property
    def double(self) -> Any:
        return self.x * 2.0

    def scaled(self, factor: Any) -> Any:
        return self.x * factor

    def __str__(self) -> str:
        return f"x={self.x}"


class Plain(Exception):
    """One that has nothing but its arguments."""


class Listed(ValueError):
    def __init__(self, *items: Any) -> None:
        self.items = list(items)
        super().__init__(*items)


class Slotted(Exception):
    __slots__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v


class MadeByNew(Exception):
    def __new__(cls, v: Any) -> MadeByNew:
        self = super().__new__(cls, v * 3.0)
        self.w = v  # type: ignore[attr-defined]
        return self


class Halving:
    x: Any

    def half(self) -> Any:
        return self.x / 2.0


class Mixed(Diverged, Halving):
    pass


class Named(Exception):
    def __init__(self, *, v: Any) -> None:
        super().__init__(v)
        self.v = v


class Base(Exception):
    scale = 3.0

    def __init__(self, v: Any) -> None:
        super().__init__(v)


class Child(Base):
    def __init__(self, v: Any, w: Any) -> None:
        super().__init__(v * w)
        self.w = w


class Answering(Exception):
    def __init__(self, x: Any) -> None:
        self.x = x

    def __getattr__(self, name: str) -> Any:
        if name == "z":
            return self.x * 2
        raise AttributeError(name)


@dataclass
class Data(Exception):
    v: Any
    w: float = 2.0


class Keeping:
    """A context manager that swallows an exception, and keeps it."""

    error: Any = None

    def __enter__(self) -> Keeping:
        return self

    def __exit__(self, cls: Any, error: Any, traceback: Any) -> bool:
        self.error = error
        return True


class State:
    def __init__(self, a: Any) -> None:
        self.a = a
        self.last: Any = None

    def step(self, t: Any) -> None:
        try:
            self.a = self.a + check(t)
        except Diverged as error:
            self.last = error
            self.a = self.a * error.x


def check(t: Any) -> Any:
    if t > 1.0:
        raise Diverged(t * t)
    return t**3


def deep(t: Any) -> Any:
    return check(t) + check(t * 0.9)


def made(x: Any) -> Diverged:
    return Diverged(x[0] * x[1])


def handle(error: Diverged, factor: Any) -> Any:
    return error.x * factor


def failing_deep(t: Any, n: int) -> Any:
    if n == 0:
        raise Plain(t * t)
    try:
        return failing_deep(t * 1.1, n - 1)
    except Plain as error:
        raise Plain(error.args[0] * t) from error


@pulled
def always_raised(x: Any) -> Any:
    try:
        raise ValueError(x[0] * x[1])
    except ValueError as error:
        return error.args[0] * 2.0 * x[2]


@pulled
def always_raised_before_finally(x: Any) -> Any:
    total = x[0]
    try:
        y = x[1] * x[2]
        z = y * y
        raise KeyError(y, z)
    except LookupError as error:
        total = total * error.args[0] + error.args[1]
    finally:
        total = total * x[0]
    return total


@pulled
def always_raised_in_a_loop(x: Any) -> Any:
    total = 1.0
    for t in x:
        try:
            try:
                raise ArithmeticError(t * t)
            finally:
                total = total + t
        except ArithmeticError as error:
            total = total * error.args[0]
            continue
    return total


@pulled
def raised_by_assert(x: Any) -> Any:
    try:
        assert x[0] > 5.0, x[1] * x[2]
    except AssertionError as error:
        return error.args[0] ** 2


@pulled
def field(x: Any) -> Any:
    total = 0.0
    for i, t in enumerate(x):
        try:
            total = total + check(t)
        except Diverged as error:
            total = total + error.x**2 * (i + error.n)
    return total * total


@pulled
def argument(x: Any) -> Any:
    total = 0.0
    for t in x:
        try:
            if t > 1.0:
                raise ValueError(t * t)
            total = total + t**3
        except ValueError as error:
            total = total + error.args[0] ** 2
    return total * total


@pulled
def from_two_levels_below(x: Any) -> Any:
    total = 0.0
    for t in x:
        try:
            total = total + deep(t)
        except Diverged as error:
            total = total + error.double * t
    return total * total


@pulled
def method(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        return error.scaled(x[0]) ** 2


@followed
def list_in_a_field(x: Any) -> Any:
    try:
        raise Listed(x[0], x[1], x[0] * x[1])
    except Listed as error:
        error.items.append(x[2])
        return sum([item * item for item in error.items])


@followed
def slots(x: Any) -> Any:
    try:
        raise Slotted(x[0] * x[1])
    except Slotted as error:
        return error.v**2


@followed
def made_by_new(x: Any) -> Any:
    try:
        raise MadeByNew(x[0] * x[1])
    except MadeByNew as error:
        return error.w * error.args[0]  # type: ignore[attr-defined]


@pulled
def of_two_classes(x: Any) -> Any:
    try:
        raise Mixed(x[0] * x[1])
    except Mixed as error:
        return error.half() * error.double


@followed
def keyword(x: Any) -> Any:
    try:
        raise Named(v=x[0] * x[1])
    except Named as error:
        return error.v * error.args[0]


@pulled
def inherited_initialisation(x: Any) -> Any:
    try:
        raise Child(x[0], x[1])
    except Base as error:
        return error.args[0] * error.w * error.scale  # type: ignore[attr-defined]


@followed
def computed_attribute(x: Any) -> Any:
    try:
        raise Answering(x[0] * x[1])
    except Answering as error:
        return error.z**2


@followed
def data_class(x: Any) -> Any:
    try:
        raise Data(x[0] * x[1])
    except Data as error:
        return error.v**2 * error.w


@pulled
def raised_again(x: Any) -> Any:
    try:
        try:
            check(x[1])
        except Diverged:
            raise
    except Diverged as error:
        return error.x * x[0]


@pulled
def raised_from_none(x: Any) -> Any:
    try:
        try:
            check(x[1])
        except Diverged as error:
            raise Plain(error.x * x[0]) from None
    except Plain as error:
        return error.args[0] ** 2 + error.__context__.x * x[2]  # type: ignore[union-attr]


@pulled
def cause(x: Any) -> Any:
    try:
        raise Plain(x[0] * x[1]) from Diverged(x[2] ** 2)
    except Plain as error:
        return error.args[0] * error.__cause__.x  # type: ignore[union-attr]


@pulled
def raised_in_finally(x: Any) -> Any:
    try:
        try:
            raise Plain(x[0] ** 2)
        finally:
            raise Diverged(x[1] ** 2)
    except Diverged as error:
        return error.x * error.__context__.args[0]  # type: ignore[union-attr]


@pulled
def returned(x: Any) -> Any:
    error = made(x)
    return error.x**2


@followed
def of_the_same_class(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        try:
            raise type(error)(error.x * x[0])
        except Diverged as other:
            return other.x**2


@followed
def copied(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        other = copy.copy(error)
        return other.x**2


@followed
def arguments_assigned(x: Any) -> Any:
    error = Plain(x[0])
    other = error
    with contextlib.suppress(Plain):
        raise other
    error.args = (x[1] * x[1], x[0])
    a, b = other.args
    return a * b * x[2]


@followed
def field_assigned(x: Any) -> Any:
    error = Diverged(x[0])
    error.y = x[1] * x[2]  # type: ignore[attr-defined]
    try:
        raise error
    except Diverged as other:
        other.x = other.x * x[1]
        return other.y * error.x  # type: ignore[attr-defined]


@followed
def by_its_dict(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        return vars(error)["x"] ** 2 + getattr(error, "x") * x[0] + error.__dict__["x"]  # noqa: B009


@pulled
def ways_out_of_a_loop(x: Any) -> Any:
    total = 0.0
    for i, t in enumerate(x):
        try:
            if t > 2:
                raise Plain(t, i)
            total = total + t * t
            continue
        except Plain as error:
            if error.args[1] > 1 and error.args[0] > 2:
                total = total * error.args[0]
                break
        finally:
            total = total + 0.5 * t
    return total * total


@pulled
def return_in_finally(x: Any) -> Any:
    def inner() -> Any:
        try:
            return check(x[1])
        finally:
            return x[0] ** 3  # noqa: B012, SIM107

    return inner()


@followed
def groups(x: Any) -> Any:
    try:
        raise ExceptionGroup("several", [Diverged(x[0] * x[1]), Plain(x[2])])
    except* Diverged as group:
        first = group.exceptions[0].x ** 2  # type: ignore[union-attr]
    except* Plain as group:
        second = group.exceptions[0].args[0] ** 3
    return first * second


@followed
def result_of_a_generator(x: Any) -> Any:
    def items() -> Iterator[Any]:
        yield x[0]
        return x[1] * x[2]

    walk = items()
    first = next(walk)
    try:
        next(walk)
    except StopIteration as error:
        return error.value * first * first


@pulled
def class_raised(x: Any) -> Any:
    try:
        raise Diverged
    except (Diverged, TypeError):
        return np.sum(x**3)


@followed
def kept_in_a_dict(x: Any) -> Any:
    found = {}
    for i, t in enumerate(x):
        try:
            check(t * 1.5)
        except Diverged as error:
            found[i] = error
    return sum([found[k].x * found[k].scaled(x[0]) for k in found])


@pulled
def kept_in_a_list(x: Any) -> Any:
    found = []
    for t in x:
        try:
            check(t)
        except Diverged as error:
            found.append(error)
    return sum([error.x**2 for error in found])


@followed
def kept_by_a_context(x: Any) -> Any:
    with Keeping() as keeping:
        check(x[1])
    return keeping.error.x**2 * x[0]


@followed
def array_that_is_written_to(x: Any) -> Any:
    y = x * 1.0
    try:
        y[0] = x[1] ** 2
        raise Plain(y)
    except Plain as error:
        held = error.args[0]
        held[1] = held[0] * held[2]
        return np.sum(y * held)


@followed
def list_that_grows(x: Any) -> Any:
    items = [x[0]]
    try:
        items.append(x[1] * x[0])
        raise Plain(items)
    except Plain as error:
        error.args[0].append(x[2])
        return items[0] * items[1] * items[2]


@pulled
def dict_inside(x: Any) -> Any:
    try:
        raise Plain({"a": x[0], "b": [x[1], x[2]]})
    except Plain as error:
        return error.args[0]["a"] * error.args[0]["b"][1] ** 2


@pulled
def recursion(x: Any) -> Any:
    try:
        return failing_deep(x[0], 3)
    except Plain as error:
        return error.args[0]


@pulled
def kept_by_an_object(x: Any) -> Any:
    state = State(x[0] * 1.0)
    for t in x:
        state.step(t)
    return state.a + state.last.x * state.a


@pulled
def asked_for_its_class(x: Any) -> Any:
    try:
        check(x[1])
    except Exception as error:
        if isinstance(error, Diverged):
            return error.x * x[0] ** 2
        return x[0]


@pulled
def kept_behind_the_handler(x: Any) -> Any:
    error = None
    try:
        check(x[1])
    except Diverged as caught:
        error = caught
    return (error.x if error is not None else x[0]) ** 3 * len(str(error)) / len(str(error))


@pulled
def captured(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        held = error
        inner = lambda factor: held.x * factor  # noqa: E731
        return inner(x[0]) ** 2


@pulled
def handed_on(x: Any) -> Any:
    try:
        check(x[1])
    except Diverged as error:
        return handle(error, x[0]) ** 2


@pulled
def of_pythons_own(x: Any) -> Any:
    try:
        math.sqrt(x[0] - 5.0)
    except ValueError:
        return x[0] ** 3 * x[1]


@followed
def values_and_exceptions(x: Any) -> Any:
    out = []
    for t in x:
        try:
            out.append(check(t))
        except Diverged as error:
            out.append(error)
    return sum([one.x if isinstance(one, Diverged) else one for one in out]) ** 2


@followed
def stop_iteration(x: Any) -> Any:
    total = x[0]
    while True:
        try:
            total = total * 1.5
            if total > 3.0:
                raise StopIteration(total * x[1])
        except StopIteration as error:
            return error.value**2


@pulled
def shared_variable(x: Any) -> Any:
    total = 0.0

    def add(t: Any) -> None:
        nonlocal total
        total = total + t
        if t > 1:
            raise Diverged(total * t)

    for t in x:
        try:
            add(t)
        except Diverged as error:
            total = total * error.x
    return total


@followed
def unpacked(x: Any) -> Any:
    try:
        raise Plain(*[t * t for t in x])
    except Plain as error:
        a, *rest = error.args
        return sum([one * t for one, t in zip(error.args, x, strict=True)]) * a + rest[-1]
