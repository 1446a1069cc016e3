"""Cotangents for every unit seed of a result: the rows of Jacobians, several at once.

An adjoint is linear in the cotangent that it is given, so that its tangents along the unit vectors of that
are what it gives for them: they are found by the tangent code of several directions that is written for the
adjoint, which has the rules' care for zeros and infinities in it as before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.api import known
from zygpy.columns import ENTRIES, MANY, size_of
from zygpy.prepared import Pullback, each_of
from zygpy.pushing import Push, Several, push_of_adjoint
from zygpy.runtime.tangents import any_seed
from zygpy.runtime.ways import KEPT

ENOUGH = 8
"""Of fewer seeds nothing is gained that is worth the code."""

Back = Callable[[Any], tuple[Any, ...]]


def pull(function: Any, args: tuple[Any, ...]) -> tuple[Any, Back, Any]:
    """The value of a function, its pullback to the arguments, and the pullback as it was made."""
    y, raw = dispatch.pull_with(function, args, {}, way=KEPT)

    def back(seed: Any) -> tuple[Any, ...]:
        bars: tuple[Any, ...] = known(raw(seed)[1 : 1 + len(args)])
        return bars

    return y, back, raw


def at_once(raw: Any, y: Any, args: Sequence[Any]) -> list[Any] | None:
    """For each argument the cotangents for all unit seeds of an array, along the first axis, None in place of
    zeros; None instead where no code is written for several seeds, or that is no better."""
    width = ENTRIES // max([size_of(x) for x in (*args, y)])
    several = _several(raw, y) if y.size >= ENOUGH <= width else None
    if several is None or y.size < (MANY if several.has_numbers else ENOUGH):
        return None
    parts = []
    for start in range(0, y.size, width):
        count = min(width, y.size - start)
        seeds = np.eye(count, y.size, start).reshape(count, *y.shape)
        try:
            _, dots = several.run(count, [seeds])
        except Exception:
            return None  # what it raises comes again where it is run for one seed, if it is no fault of this
        if dots is None:
            return None  # there is no path at all
        bars = raw.layout.spread(each_of(raw.pair, dots))[1 : 1 + len(args)]
        if not all(_is_plain(bar, (count, *np.shape(x))) for bar, x in zip(bars, args, strict=True)):
            return None
        parts.append(bars)
    return [_joined([part[place] for part in parts]) for place in range(len(args))]


def _is_plain(bar: Any, shape: tuple[int, ...]) -> bool:
    """Whether cotangents are an array of reals, or none at all."""
    return bar is None or (type(bar) is np.ndarray and bar.shape == shape and bar.dtype == np.float64)


def _several(raw: Any, y: Any) -> Several | None:
    """The adjoint of a call, along several directions of the cotangent that it is given."""
    if type(raw) is not Pullback or raw.shared or raw.count is not None:
        return None
    pair = raw.pair
    if pair.identity or pair.writes or pair.carries or pair.always or pair.primitive:
        return None
    push = push_of_adjoint(pair.adjoint, raw.stash, any_seed(y))
    return push.several() if isinstance(push, Push) else None


def _joined(parts: list[Any]) -> Any:
    """The rows of one argument."""
    if parts[0] is None:
        return None
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
