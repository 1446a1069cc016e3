"""Methods that change something, called by code which is not written in Python: refused, never left out."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with options(specialise=request.param):
        yield


class Counted:
    """Grows whenever it is asked for its hash or its length."""

    def __init__(self, x: Any) -> None:
        self.total = x

    def __hash__(self) -> int:
        self.total = self.total * 2.0
        return 3

    def __eq__(self, other: object) -> bool:
        return self is other

    def __len__(self) -> int:
        self.total = self.total * 3.0
        return 2

    def __iter__(self) -> Iterator[Any]:
        return iter([1.0, 2.0])


def got(x: Any) -> Any:
    key = Counted(x)
    return {2: x}.get(key, x) * key.total


def set_by_default(x: Any) -> Any:
    key, table = Counted(x), {}
    table.setdefault(key, x)
    return key.total * len(table)


def popped(x: Any) -> Any:
    key = Counted(x)
    return {2: x}.pop(key, x) * key.total


def added(x: Any) -> Any:
    key, seen = Counted(x), {1}
    seen.add(key)
    return key.total * len(seen)


def discarded(x: Any) -> Any:
    key, seen = Counted(x), {1}
    seen.discard(key)
    return key.total


def within_a_tuple(x: Any) -> Any:
    key = Counted(x)
    table = {(1, key): x}
    return table[(1, key)] * key.total


def of_pairs(x: Any) -> Any:
    key = Counted(x)
    return len(dict([(key, 1.0)])) * key.total  # noqa: C406


def unpacked(x: Any) -> Any:
    def second(p: Any, q: Any) -> Any:
        return q

    counted = Counted(x)
    return second(*counted) * counted.total


def unpacked_into_a_list(x: Any) -> Any:
    counted = Counted(x)
    return sum([*counted, x]) * counted.total


def as_a_list(x: Any) -> Any:
    counted = Counted(x)
    return sum(list(counted)) * counted.total


def as_a_tuple(x: Any) -> Any:
    counted = Counted(x)
    return sum(tuple(counted)) * counted.total


def as_a_sorted_list(x: Any) -> Any:
    counted = Counted(x)
    return sorted(counted)[0] * counted.total


class Shown:
    """Computes what it is shown by when it is shown."""

    def __init__(self, x: Any) -> None:
        self.x, self.text, self.known = x, "", 0.0

    def __repr__(self) -> str:
        if not self.text:
            self.known, self.text = self.x * 2.0, "shown"
        return self.text


def one_of(thing: Any) -> Any:
    """A thing of which nothing is known."""
    return [thing, "text", None, 1.0, {}][0]


def by_percent(x: Any) -> Any:
    thing = Shown(x)
    text = "%s" % thing  # noqa: UP031
    return thing.known * len(text)


def among_others(x: Any) -> Any:
    thing = Shown(x)
    text = "%d: %s" % (1, [thing])  # noqa: UP031
    return thing.known * len(text)


def by_name_in_a_format(x: Any) -> Any:
    thing = Shown(x)
    text = "{thing!s}".format(thing=thing)  # noqa: UP032
    return thing.known * len(text)


def by_a_map_for_a_format(x: Any) -> Any:
    thing = Shown(x)
    text = "{thing}".format_map({"thing": thing})
    return thing.known * len(text)


LOGGER = logging.getLogger("zygpy.tests")


def logged(x: Any) -> Any:
    thing = Shown(x)
    LOGGER.warning("%s", thing)
    return thing.known * x


def brought_by_an_exception(x: Any) -> Any:
    thing = Shown(x)
    try:
        raise ValueError(thing)
    except ValueError as error:
        text = str(error)
    return thing.known * len(text)


def unknown_in_a_text(x: Any) -> Any:
    thing = one_of(Shown(x))
    text = "%s" % (thing,)  # noqa: UP031
    return thing.known * len(text)


def in_an_unknown_text(x: Any) -> Any:
    thing, text = Shown(x), one_of("%s")
    text = text % thing
    return thing.known * len(text)


PROGRAMS = (
    by_percent,
    among_others,
    by_name_in_a_format,
    by_a_map_for_a_format,
    logged,
    brought_by_an_exception,
    unknown_in_a_text,
    in_an_unknown_text,
    got,
    set_by_default,
    popped,
    added,
    discarded,
    within_a_tuple,
    of_pairs,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_is_refused(program: Callable[[Any], Any]) -> None:
    program(1.5)
    with pytest.raises(zg.UnsupportedSyntaxError, match=r"may change something|changes something"):
        zg.gradient(program, 1.5)


def in_a_loop(x: Any) -> Any:
    counted = Counted(x)
    return sum(v * x for v in counted) * counted.total


def into_names(x: Any) -> Any:
    counted = Counted(x)
    p, q = counted
    return (p + q) * counted.total


def length(x: Any) -> Any:
    counted = Counted(x)
    return len(counted) * counted.total


class Lazy:
    def __init__(self, x: Any) -> None:
        self.x = x

    @functools.cached_property
    def area(self) -> Any:
        return self.x**2


def asked_whether_it_has(x: Any) -> Any:
    lazy = Lazy(x)
    return lazy.area * x if hasattr(lazy, "area") else x


def asked_by_another_name(x: Any) -> Any:
    lazy, has = Lazy(x), hasattr
    return lazy.area * x if has(lazy, "area") else x


def asked_by_names(x: Any) -> Any:
    lazy, names = Lazy(x), ["x"]
    names.append("area")
    return lazy.area * sum([hasattr(lazy, name) for name in names])


FOLLOWED = (
    (asked_whether_it_has, 6.75),
    (asked_by_another_name, 6.75),
    (asked_by_names, 6.0),
    (in_a_loop, 9.0),
    (into_names, 3.0),
    (length, 6.0),
    (unpacked, 6.0),
    (unpacked_into_a_list, 18.0),
    (as_a_list, 9.0),
    (as_a_tuple, 9.0),
    (as_a_sorted_list, 3.0),
)


@pytest.mark.parametrize(("program", "slope"), FOLLOWED, ids=[program.__name__ for program, _ in FOLLOWED])
def test_what_is_followed(program: Callable[[Any], Any], slope: float) -> None:
    assert zg.withgradient(program, 1.5) == (program(1.5), (slope,))


class Called:
    """Is called, and can be told apart by code of its own."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.asked: list[str] = []

    def __call__(self, y: Any) -> Any:
        return self.x * y

    def __hash__(self) -> int:
        self.asked.append("hash")
        return 3

    def __eq__(self, other: object) -> bool:
        self.asked.append("equal")
        return True

    def __bool__(self) -> bool:
        self.asked.append("true")
        return False


def in_a_finally(called: Called) -> Any:
    def inner() -> Any:
        try:
            return called(2.0)
        finally:
            called(3.0)

    return inner()


def by_a_generator(called: Called) -> Any:
    def inner() -> Iterator[Any]:
        yield called(1.0)
        got = yield called(2.0)
        yield got * called(3.0)

    steps = inner()
    first = next(steps)
    return first * next(steps) * steps.send(called.x)  # type: ignore[attr-defined]


def as_a_key(called: Called) -> Any:
    return max([1.0, 2.0], key=called) * sorted([2.0, 1.0], key=called)[0] * called(1.0)


def mapped(called: Called) -> Any:
    return sum(map(called, [1.0, 2.0]))


def held(called: Called) -> Any:
    return {"f": called}["f"](1.0) + [called][0](2.0) + (called, 1)[0](3.0)


@pytest.mark.parametrize(
    "program", [in_a_finally, by_a_generator, as_a_key, mapped, held], ids=lambda program: program.__name__
)
def test_what_is_called_is_asked_nothing(program: Callable[[Any], Any]) -> None:
    called = Called(1.5)
    zg.gradient(lambda x: program(_with(called, x)), 1.5)
    assert called.asked == []
    assert zg.gradient(program, called)[0] is not None
    assert called.asked == []


def _with(called: Called, x: Any) -> Called:
    called.x = x
    return called


class Totals:
    def __init__(self, x: Any) -> None:
        self.total = x

    def grow(self) -> float:
        self.total = self.total * 2.0
        return 1.0

    def count(self) -> float:
        return self.grow()


class Through:
    """Changes what it holds, by a method of that."""

    def __init__(self, totals: Any) -> None:
        self.totals = totals
        self.listed = [totals]

    def __len__(self) -> int:
        self.totals.grow()
        return 2

    def __bool__(self) -> bool:
        return self.totals.count() > 0.0

    def __str__(self) -> str:
        return "".join(str(totals.grow()) for totals in self.listed)


SHARED_TOTALS = Totals(1.0)


class Elsewhere:
    def __len__(self) -> int:
        SHARED_TOTALS.grow()
        return 2


def made_inside(x: Any) -> Any:
    totals = Totals(x)
    through = Through(totals)

    def inside() -> Any:
        class Made:
            size = len(through)
            is_true = bool(through)
            text = str(through)

        return totals.total * Made.size if Made.is_true and Made.text else x

    return inside()


def got_from_inside(x: Any) -> Any:
    totals = Totals(x)
    through = Through(totals)

    def inside() -> Any:
        class Made:
            def get(self) -> Any:
                return through

        return totals.total * len(Made().get()) + totals.total * len(str(Made().get()))

    return inside()


def by_a_global_object(x: Any) -> Any:
    elsewhere = Elsewhere()
    SHARED_TOTALS.total = x

    def inside() -> Any:
        class Made:
            size = len(elsewhere)

        return SHARED_TOTALS.total * Made.size

    return inside()


@pytest.mark.parametrize(
    "program", [made_inside, got_from_inside, by_a_global_object], ids=lambda program: program.__name__
)
def test_what_is_changed_by_a_method_of_another_is_right_or_refused(program: Callable[[Any], Any]) -> None:
    slope = (program(1.5 + 1e-3) - program(1.5 - 1e-3)) / 2e-3  # they are linear
    try:
        found = zg.gradient(program, 1.5)[0]
    except zg.UnsupportedSyntaxError as error:
        found = slope if "chang" in str(error) else None
    assert found == pytest.approx(slope)
