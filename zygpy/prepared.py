"""A call that is ready to be made, and what pulls its cotangents back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zygpy.layout import Layout, text_of
from zygpy.load.code import annotate
from zygpy.pipeline import Pair
from zygpy.runtime.cells import Cells


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

    With `count` it is the public one: cotangents of the first `count` arguments only.
    """

    __zygpy_pure__ = True

    pair: Pair
    stash: Any
    layout: Layout
    count: int | None = None

    def text(self, names: Sequence[str]) -> str:
        """What it returns, as an expression on the canonical cotangents."""
        if self.count is None:
            return self.layout.text(names)
        parts = [text_of(part, names) for part in self.layout.arguments[: self.count]]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def __call__(self, y_bar: Any, cells: Cells | None = None) -> tuple[Any, ...]:
        pair = self.pair
        if y_bar is None and not pair.writes and not pair.carries:
            return self._returned((None,) * len(pair.slots))
        carried = (Cells() if cells is None else cells,) if pair.carries else ()
        try:
            bars = pair.adjoint(self.stash, y_bar, *(None,) * len(pair.writes), *carried)
        except Exception as error:
            annotate(error)
            raise
        return self._returned(bars)

    @property
    def slots(self) -> tuple[str, ...]:
        """What is known of the arguments' cotangents, if they are the first that the adjoint returns."""
        return self.pair.slots if self.layout.in_order else ()

    def _returned(self, bars: Sequence[Any]) -> tuple[Any, ...]:
        found = self.layout.spread(bars)
        return found if self.count is None else found[1 : 1 + self.count]


def make_back(pair: Pair, stash: Any, layout: Layout, count: int | None = None) -> Pullback:
    """The pullback of a call that was made; a function, so that it can have a rule."""
    return Pullback(pair, stash, layout, count)
