"""A call that is ready to be made, and what pulls its cotangents back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CellType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.layout import Layout, text_of
from zygpy.load.code import annotate
from zygpy.pipeline import Pair
from zygpy.runtime.storage import Cotangents


def as_it_is(value: Any) -> Any:
    """What the forward returns is the call's value."""
    return value


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that is ready to be made: the pair, its canonical arguments, and the way back."""

    pair: Pair
    values: list[Any]
    layout: Layout
    finish: Callable[[Any], Any] = as_it_is


@dataclass(frozen=True, slots=True, eq=False)
class Pullback:
    """What `back` is: pulls the cotangent of a value back to the callee and its arguments.

    With `count` it is the public one: cotangents of the first `count` arguments only. `cells` are
    shared variables that the call may have rebound: their cotangents are in the caller's store.
    """

    pair: Pair
    stash: Any
    layout: Layout
    count: int | None = None
    cells: tuple[CellType, ...] = ()

    def text(self, names: Sequence[str]) -> str:
        """What it returns, as an expression on the canonical cotangents."""
        if self.count is None:
            return self.layout.text(names)
        parts = [text_of(part, names) for part in self.layout.arguments[: self.count]]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def __call__(self, y_bar: Any, store: Cotangents | None = None) -> tuple[Any, ...]:
        if y_bar is None and not self.pair.writes:
            return self._returned((None,) * len(self.pair.slots))
        posts = (*self._contents(store), *(None,) * (len(self.pair.writes) - len(self.cells)))
        try:
            bars = self.pair.adjoint(self.stash, y_bar, *posts)
        except Exception as error:
            annotate(error)
            raise
        return self._returned(bars)

    def _contents(self, store: Cotangents | None) -> list[Any]:
        """The cotangents of what the shared variables held after the call."""
        if store is None and self.cells:
            raise UnsupportedSyntaxError(
                f"'{self.pair.program.name}' rebinds a variable of an enclosing function (nonlocal) and was "
                "called from a function that does not see that variable.",
                why="the caller's adjoint would have to carry the variable's cotangent",
                instead="return the new value instead of rebinding the variable",
            )
        return [store.take_cell(cell) for cell in self.cells] if store is not None else []

    def _returned(self, bars: Sequence[Any]) -> tuple[Any, ...]:
        found = self.layout.spread(bars)
        return found if self.count is None else found[1 : 1 + self.count]


def back_of(pair: Pair, stash: Any, layout: Layout, values: Sequence[Any]) -> Pullback:
    """The pullback of a call that was made with these canonical arguments."""
    if not pair.cells:
        return Pullback(pair, stash, layout)
    return Pullback(pair, stash, layout, None, tuple([values[position] for position in pair.cells]))


def make_back(pair: Pair, stash: Any, layout: Layout, count: int | None = None) -> Pullback:
    """The pullback of a call that was made; a function, so that it can have a rule."""
    return Pullback(pair, stash, layout, count)
