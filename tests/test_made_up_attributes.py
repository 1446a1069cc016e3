"""Objects without a dict whose class makes up whatever attribute it is asked for, and private slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient
from zygpy.units import options


class Bound:
    """A function of a library, by its name, and its parts by theirs."""

    __slots__ = ("library", "name")

    def __init__(self, library: Any, name: str) -> None:
        self.library, self.name = library, name

    def __call__(self, x: Any) -> Any:
        return x * len(self.name)

    def __getattr__(self, name: str) -> Any:
        return Bound(self.library, name)


class Library:
    __slots__ = ("k",)

    def __init__(self, k: Any) -> None:
        self.k = k

    def __getattr__(self, name: str) -> Any:
        return Bound(self, name)


class Private:
    __slots__ = "__held"

    def __init__(self, held: Any) -> None:
        self.__held = held

    def held(self) -> Any:
        return self.__held

    def double(self) -> None:
        self.__held = self.__held * 2


KNOWN = Library(2.0)
PRIVATE = Private(None)


def called_by_name(x: float) -> float:
    return KNOWN.three(x) * x


def made_and_called(x: float) -> float:
    library = Library(x)
    return library.four(x) * library.k


def kept_in_what_is_found(x: float) -> float:
    found = Library(x).four
    return found.library.k * found(x)


def changed_in_a_list(x: float) -> float:
    libraries = [Library(x)]
    for library in libraries:
        library.k *= 2
    return libraries[0].k * libraries[0].four(x)


def by_names_in_text(x: float) -> float:
    library = Library(x)
    setattr(library, "k", x * x)  # noqa: B010
    return getattr(library, "k") * getattr(library, "four")(x)  # noqa: B009


def changed_in_an_attempt(x: float) -> float:
    library = Library(x)
    try:
        library.k = x * 3
    except ValueError:
        return 0.0
    return library.k + library.five(x)


def mapped(x: float) -> float:
    return sum(map(KNOWN.four, [x, x * x]))


def key_of_an_order(x: float) -> float:
    return sorted([x, x * x], key={"a": KNOWN.four}["a"])[0] * x


def in_a_private_slot(x: float) -> float:
    private = Private(x)
    private.double()
    return private.held() * x


def in_a_private_slot_of_a_global(x: float) -> float:
    PRIVATE.__init__([x])
    kept = list(map(lambda _: PRIVATE.held()[0] * x, [1, 2]))  # noqa: C417
    PRIVATE.held()[0] = 1.0
    return sum(kept) + PRIVATE.held()[0] * x


PROGRAMS = [
    called_by_name,
    made_and_called,
    kept_in_what_is_found,
    changed_in_a_list,
    by_names_in_text,
    changed_in_an_attempt,
    mapped,
    key_of_an_order,
    in_a_private_slot,
    in_a_private_slot_of_a_global,
]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[[float], float], specialise: bool) -> None:
    with options(specialise=specialise):
        check_gradient(program, 1.3)


@pytest.mark.parametrize("program", [made_and_called, kept_in_what_is_found, in_a_private_slot])
def test_second_derivatives(program: Callable[[float], float]) -> None:
    check_gradient(lambda x: zg.gradient(program, x)[0], 1.3)


def test_gradient_of_the_object() -> None:
    of_library, of_x = zg.gradient(lambda library, x: library.four(x) * library.k, Library(3.0), 1.3)
    assert of_library == {"k": 4 * 1.3}
    assert of_x == 4 * 3.0
