"""What the text of a `class` in a function computes when it is run: from globals, by calls, in order."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.units import options


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with options(specialise=request.param):
        yield


X = np.array([0.7, -1.3, 1.9])
TABLE: dict[str, Any] = {}
LEVEL: Any = 0.0
size = 2.0


class Kept:
    level: Any = 0.0


def set_level(level: Any) -> None:
    global LEVEL
    LEVEL = level
    TABLE["level"] = level
    Kept.level = level


def raised(by: Any) -> Any:
    """Changes what classes read, and gives something else."""
    set_level(LEVEL * 0.5 + by)
    return by * 3.0


def current() -> Any:
    return LEVEL * 2.0


def item_of_a_global(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        p = x[1] * 3.0
        q = TABLE["level"]

    return Made.p * Made.q


def global_variable(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        p = x[1] * 3.0
        q = LEVEL

    return Made.p * Made.q


def global_alone(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q = LEVEL

    return Made().q ** 2


def annotated(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q: Any = LEVEL
        n: ClassVar[int] = 2

    return Made.q**Made.n


def field_of_a_global_class(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q = Kept.level

    return Made.q**2


def call(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q = current()

    return Made.q**2


def changed_by_what_stands_in_front(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        p = raised(x[1])
        q = LEVEL
        r = current()

    return Made.p * Made.q + Made.r


def changed_by_what_reads_nothing(x: np.ndarray) -> Any:
    set_level(x[0])

    def doubled() -> float:
        set_level(LEVEL * 2.0)
        return 1.0

    class Made:
        one = doubled()
        q = x[1] * LEVEL

    return Made.q * Made.one


def behind_what_reads(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q = LEVEL
        p = raised(x[1])

    return Made.p * Made.q + LEVEL


def statement(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        q = LEVEL
        raised(x[1])
        r = LEVEL

    return Made.q * Made.r


def statement_of_a_list(x: np.ndarray) -> Any:
    items = [x[0]]

    class Made:
        items.append(x[1])
        last = items[-1]

    return Made.last * items[0] * len(items)


def several_targets(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        p, (q, *r) = LEVEL, (x[1], x[2], 3.0)
        s = t = LEVEL * p

    return Made.p * Made.q + Made.r[0] * Made.s + Made.t


def comprehension(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        items: ClassVar[Any] = [LEVEL * v for v in x]
        squares: ClassVar[Any] = [v * v for v in items]

    return sum(Made.items) + sum(Made.squares)


def function_in_the_class(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        level = LEVEL
        scaled = lambda self, v: LEVEL * v  # noqa: E731

    set_level(x[1])
    return Made().scaled(x[2]) * Made.level


def global_of_the_same_name(x: np.ndarray) -> Any:
    global LEVEL
    LEVEL = x[0]

    class Made:
        LEVEL = LEVEL * 2.0
        twice = LEVEL * 2.0

    return Made.LEVEL * Made.twice


def name_that_only_the_module_has(x: np.ndarray) -> Any:
    def inner(size: Any) -> Any:
        class Made:
            size = size
            scaled = x[0] * 3.0

        return Made.size * Made.scaled * size

    return inner(x[1])


def outer_name_in_a_function(x: np.ndarray) -> Any:
    p = x[0]

    class Made:
        p = x[1] * 2.0
        get = lambda self: p  # noqa: E731

    return Made().get() * Made.p


def private_names(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        __level = LEVEL
        __twice = __level * 2.0

        def get(self) -> Any:
            return self.__level * self.__twice

    return Made().get()


def property_of_a_lambda(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        twice = property(lambda self: self.level * 2.0)
        level = LEVEL

        def get(self) -> Any:
            return self.level

        got = property(get)
        more = LEVEL * 3.0

    return Made().twice * Made().got * Made.more


def in_a_loop(x: np.ndarray) -> Any:
    set_level(x[0])
    total = 0.0
    for v in x:

        class Made:
            q = LEVEL
            p = raised(v)

        total += Made.p * Made.q
    return total


def list_that_changes(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        items: ClassVar[Any] = [LEVEL, x[1]]
        names: ClassVar[list[str]] = []

        def put(self, v: Any) -> None:
            self.items.append(v * LEVEL)

    Made().put(x[2])
    return sum(v * (i + 1) for i, v in enumerate(Made.items))


def enumeration_of_constants(x: np.ndarray) -> Any:
    class Sort(enum.Enum):
        FIRST = enum.auto()
        SECOND = len("ab")
        THIRD = size

    return x[Sort.FIRST.value] * Sort.SECOND.value


def named_tuple(x: np.ndarray) -> Any:
    class Pair(NamedTuple):
        p: Any
        q: Any = size

    pair = Pair(x[0])
    return pair.p * pair.q


def dataclass_of_fields(x: np.ndarray) -> Any:
    @dataclass
    class Made:
        p: Any
        items: list[Any] = field(default_factory=list)
        scale: float = size

    made = Made(x[0])
    made.items.append(x[1])
    return made.p * made.items[0] * made.scale


def derived_with_constants(x: np.ndarray) -> Any:
    class Base:
        scale = size

    class Made(Base):
        factor = np.sqrt(4.0)
        both = (size, factor)

        def get(self, v: Any, by: Any = size) -> Any:
            return v * by * self.scale * self.factor * self.both[1]

    return Made().get(x[0])


def text_with_loops(x: np.ndarray) -> Any:
    class Made:
        total = 0.0
        for v in (size, 3.0):
            total += v
        if total > 1.0:
            name = "large"

    return x[0] * Made.total * len(Made.name)


PROGRAMS = tuple(
    program
    for name, program in list(globals().items())
    if getattr(program, "__module__", None) == __name__
    and callable(program)
    and not isinstance(program, type)
    and name not in ("_both_ways", "set_level", "raised", "current")
)


def value_of_a_dataclass(x: np.ndarray) -> Any:
    set_level(x[0])

    @dataclass
    class Made:
        p: Any = LEVEL

    return Made().p ** 2


def value_of_a_derived_class(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made(Kept):
        p = TABLE["level"]

    return Made().p ** 2


def call_in_a_derived_class(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made(Kept):
        p = current()

    return Made().p ** 2


def default_of_a_method(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        def get(self, p: Any = LEVEL) -> Any:
            return p * p

    return Made().get()


def default_that_is_computed(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        def get(self, *, p: Any = current()) -> Any:  # noqa: B008
            return p * p

    return Made().get()


def loop_in_the_text(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        total = 0.0
        for _ in range(2):
            total += LEVEL

    return Made.total


def augmented_in_the_text(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        total = 1.0
        total += LEVEL

    return Made.total


def class_in_the_text(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        class Inside:
            level = LEVEL

    return Made.Inside.level


def scaled_by(level: Any) -> Callable[[Any], Any]:
    return lambda method: lambda self: level * method(self)


def decorator_in_the_text(x: np.ndarray) -> Any:
    set_level(x[0])

    class Made:
        @scaled_by(LEVEL)
        def get(self) -> Any:
            return 2.0

    return Made().get()


REFUSED = (
    value_of_a_dataclass,
    value_of_a_derived_class,
    call_in_a_derived_class,
    default_of_a_method,
    default_that_is_computed,
    loop_in_the_text,
    augmented_in_the_text,
    class_in_the_text,
    decorator_in_the_text,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program: Callable[[Any], Any]) -> None:
    value, back = zg.pullback(program, X)
    assert float(value) == float(program(X))
    (gradient,) = back(1.0)
    np.testing.assert_allclose(gradient, differences(program, X), rtol=1e-7, atol=1e-8)


SOME = PROGRAMS if "ZYGPY_ALL_CASES" in os.environ else PROGRAMS[::2]


@pytest.mark.parametrize("program", SOME, ids=lambda program: program.__name__)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9])

    def along(x: Any) -> Any:
        return zg.gradient(program, x)[0] @ v

    np.testing.assert_allclose(zg.hvp(program, X, v), differences(along, X), rtol=1e-6, atol=1e-7)


MESSAGE = "while (it|a class) is made is not followed"


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_is_refused(program: Callable[[Any], Any]) -> None:
    program(X)
    with pytest.raises(zg.ZygpyError, match=MESSAGE):
        zg.gradient(program, X)


ALONG: tuple[Callable[[Any], Any], ...] = (
    lambda program: zg.pushforward(program, X)(X),
    lambda program: np.max(zg.hvp(program, X, X)),
)


@pytest.mark.parametrize("along", ALONG, ids=["pushforward", "hvp"])
@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_along_a_direction_nothing_is_known(
    program: Callable[[Any], Any], along: Callable[[Any], Any]
) -> None:
    try:
        found = along(program)
    except zg.ZygpyError as error:
        found = np.nan if re.search(MESSAGE, str(error)) else 0.0
    assert np.isnan(found)
