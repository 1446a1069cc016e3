"""Values that reach a result on ways that are easily overlooked: followed, or refused."""

from __future__ import annotations

import ctypes
import functools
import struct
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient


class Table:
    """Computes its items."""

    scale = 2.0

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return index.start * self.scale
        return index[0] * index[1] if isinstance(index, tuple) else index * index * self.scale

    def __contains__(self, item: Any) -> bool:
        return bool(item > 1)


class Kept:
    """Keeps what it computes of an index."""

    def __init__(self) -> None:
        self.kept = 1.0

    def __setitem__(self, index: Any, value: Any) -> None:
        self.kept = index * value


TABLE = Table()


def computed_where_it_is_stored(x: float) -> Any:
    kept = Kept()
    kept[x * x] = x
    return kept.kept


FOLLOWED: list[Callable[..., Any]] = [
    lambda x: TABLE[x * x] * x,
    computed_where_it_is_stored,
    lambda x: Table()[x * x] * x,
    lambda x: TABLE[x, x * x] * x,
    lambda x: TABLE[x] * (2 if x in TABLE else 3),
    lambda x: functools.partial(max, x * x, 0.0)(x) * x,
    lambda x: functools.partial(max, x * x, 0.0).args[0] * x,
    lambda x: functools.partial(pow, exp=x * x).keywords["exp"] * x,
    lambda x: iter([x * x]).__next__() * x,
    lambda x: next(iter((x * x, x))) * x,
    lambda x: np.sum(np.r_[x * x, np.array([x, 2.0]), 3] ** 2),
    lambda x: np.sum(np.r_[np.array([x, 2.0])] ** 2),
    lambda x: np.sum(np.c_[np.array([x, 2.0]), np.array([[x * x, 1.0], [x, x]])] ** 2),
    lambda x: np.sum(np.ix_([x, 2.0], [x * x])[0] * x),
    lambda x: np.sum(np.select([x < 0, x < 2], [x, np.array([x * x, 1.0])], x) ** 2),
    lambda x: np.sum(np.resize(np.array([x, x * x]), (2, 3)) * np.arange(6.0).reshape(2, 3)),
    lambda x: np.sum(np.fromiter((x * k for k in range(4)), float) ** 2),
]


@pytest.mark.parametrize("function", FOLLOWED)
def test_what_is_followed(function: Callable[..., Any]) -> None:
    check_gradient(function, 1.5)


def test_an_object_that_is_an_argument() -> None:
    assert zg.gradient(lambda x, table: table[x] * x, 1.5, Table())[0] == pytest.approx(3 * 2.0 * 1.5**2)


def default(x: float) -> Any:
    def f(a: float = x * x) -> float:
        return a

    assert f.__defaults__ is not None
    return f.__defaults__[0] * x


def keyword_default(x: float) -> Any:
    def f(*, a: float = x * x) -> float:
        return a

    assert f.__kwdefaults__ is not None
    return f.__kwdefaults__["a"] * x


def captured(x: float) -> Any:
    y = x * x

    def f() -> float:
        return y

    assert f.__closure__ is not None
    return f.__closure__[0].cell_contents * x


REFUSED: list[Callable[..., Any]] = [
    lambda x: slice(x * x, None).start * x,
    lambda x: TABLE[x * x :] * x,
    lambda x: type("Made", (), {"value": x * x}).value * x,  # type: ignore[attr-defined]
    lambda x: np.mgrid[0 : x * x : 0.5].sum() * x,
    default,
    keyword_default,
    captured,
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("function", REFUSED)
def test_what_is_refused(function: Callable[..., Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):  # noqa: SIM117
        with pytest.raises((zg.UnsupportedSyntaxError, zg.MissingRuleError), match="Why: "):
            zg.gradient(function, 1.5)


class Measured:
    """A number that code which is not written in Python asks for."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __float__(self) -> float:
        return float(self.v)

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> Any:
        return [self.v, self.v * 2][index]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: weakref.proxy(Measured(x)).v * x,
        lambda x: struct.unpack("d", struct.pack("d", Measured(x)))[0] * x,
        lambda x: ctypes.c_double(Measured(x)).value * x,
        lambda x: np.full(2, Measured(x))[0] * x,
        lambda x: Measured(x).__getstate__()["v"] * x,  # type: ignore[attr-defined]
    ],
)
@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_what_foreign_code_asks_an_object_is_refused(
    function: Callable[..., Any], *, specialise: bool
) -> None:
    with units.options(specialise=specialise):  # noqa: SIM117
        with pytest.raises(zg.MissingRuleError, match="Why: "):
            zg.gradient(function, 1.5)


def by_the_methods_of_object(x: float) -> Any:
    held = Measured(x)
    held.__setattr__("v", held.__getattribute__("v") * x)
    read = held.v
    held.__delattr__("v")
    return read * x


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("function", [by_the_methods_of_object, lambda x: [x, *np.array([x, 1.0])][1] * x])
def test_fields_and_items_by_their_methods(function: Callable[..., Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        check_gradient(function, 1.5)
