"""What functions under a cache give of numbers, and by how much that changes with each of them: found once.

The pair of such a function computes from its arguments alone, and its adjoint is linear in the cotangent that
it is given. So a call of it is made once for each tuple of arguments; what its adjoint gives for the seed 1
is found with it, and is multiplied by the cotangent wherever the same was asked for. Equal numbers may come
from different things: each call has cotangents of its own. (What has several parts stands in
`several_results`.)

What is found outside is looked at by the outermost call alone: those that it leads to change nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.asked_again import (
    PRESENT,
    Given,
    Run,
    Under,
    check_same,
    key_of,
    present_run,
    within,
)
from zygpy.runtime.several_results import Several, form_of, scaled
from zygpy.runtime.shown_outside import Outside

STANDS_FOR = "__zygpy_stands_for__"
"""The attribute of a function that asks what is kept: what it calls otherwise, and is derived as."""

ROOM = 1 << 16
"""So many results are kept at most; then all are dropped."""

NUMBERS = frozenset({float, int, np.float64})
"""Classes of results that are kept with nothing but their slopes."""

Row = tuple[Any, ...]
Result = tuple[Any, Any]


def kept_pair(
    forward: FunctionType,
    adjoint: FunctionType,
    outside: Outside,
    count: int,
    *,
    typed: bool = False,
    under: Under | None = None,
) -> tuple[Any, Any]:
    """A pair that gives the same as `forward` and `adjoint`, of `count` cotangents (0: of a single one, in no
    tuple), and asks them once, for what an outermost call leads to; `outside` are the variables in which the
    function finds numbers. `typed`: it may be given numbers of several classes, or tuples of some. What was
    given in the same run for equal arguments, as the cache that it is `under` looks them up, is given again,
    as the cache would.

    >>> kept, back = kept_pair(lambda x: (print("asked"), (x * x, x))[1], lambda x, y: (2 * x * y,), (), 1)
    >>> (y, found), (_, again) = kept(3.0), kept(3.0)
    asked
    asked
    >>> y, back(found, 10.0), back(again, 1.0), back(again, None)
    (9.0, (60.0,), (6.0,), (None,))
    """
    told, running = Told(adjoint, count), threading.local()
    numbers = not (typed or (under is not None and under.typed))
    alone = under is not None and under.positional == 1

    def kept_forward(*args: Any) -> Result:
        around = getattr(running, "around", None)
        now = _around(told, outside, under) if around is None else around
        same = numbers and not (alone and type(args[0]) is int)
        looked_up = args if same or under is None else key_of(under, args)
        first = now.asked.get(looked_up) if now.asked else None
        if first is not None and now.sure and first.by is told:
            return _another(first.found)
        key = args if not typed and all(args) else _key(args)
        found = now.known.get(key) if now.known else None
        if found is None:
            found = forward(*args) if around is not None else _outermost(forward, args, running, now, told)
            told.keep(now.known, key, found)
        if now.asked is not None:
            now.note(looked_up, args, first, Given(found[0], told, found))
        return _another(found)

    def kept_adjoint(stash: Any, y_bar: Any) -> Any:
        return told.pulled(stash, y_bar)

    for own, other in ((kept_forward, forward), (kept_adjoint, adjoint)):
        setattr(own, STANDS_FOR, other)
        own.__name__, own.__qualname__ = other.__name__, other.__qualname__
    return kept_forward, kept_adjoint


def _another(found: Result) -> Result:
    """What was found, as one that nobody else has."""
    y, stash = found
    return np.array(y) if type(y) is np.ndarray else y, stash


class Around(NamedTuple):
    """What the calls know that an outermost one leads to: the run, what was given in it, whether the cache
    keeps all of that, and what is kept."""

    run: Run | None
    asked: dict[Any, Given] | None
    sure: bool
    known: dict[Any, Any] | None

    under: Under | None = None

    def note(self, looked_up: Any, args: Row, first: Given | None, found: Given) -> None:
        """Note what is given in the run, and was given for equal arguments before; what is another thing at
        each call is given no more."""
        if self.run is None or self.under is None:
            return
        if first is not None:
            check_same(self.under, first, found)
        else:
            found.by = None if form_of(found.y) is None else found.by
            self.run.note(self.under, looked_up, args, found)


def _around(told: Told, outside: Outside, under: Under | None) -> Around:
    """What is kept ends with the run: what others gave in it, which caches give once more, is in that."""
    run = present_run()
    if run is None:
        return Around(None, None, False, {})
    known = run.known(told, outside, ROOM)
    if under is None:
        return Around(run, None, False, known)
    asked, sure = run.asked(under), run.keeps_all(under)
    return Around(run, asked, sure, known if sure or known is None else {}, under)


class Told:
    """What an adjoint of `count` cotangents (0: of a single one, in no tuple) gives, by the stash, which is
    all that it knows: of several results that have the same stash it is the same.

    The stash itself is what it is where nothing is kept, so that `back` can be differentiated.
    """

    def __init__(self, adjoint: FunctionType, count: int) -> None:
        self.adjoint, self.count = adjoint, count
        self.known: dict[int, tuple[Any, Row | None, Several | None]] = {}

    def make_room(self) -> None:
        """Drop everything, if it is too much: what is asked for later is asked of the adjoint."""
        if len(self.known) >= 2 * ROOM:
            self.known = {}

    def keep(self, known: dict[Any, Result] | None, key: Any, found: Result) -> None:
        """Keep what a call has given, where it is looked up by something, and gave no thing that is another
        one at each call."""
        y, stash = found
        form = form_of(y)
        if form is None or key is None or known is None:
            return
        known[key] = found
        before = self.known.get(id(stash))
        if form in NUMBERS:
            if before is None:
                self.known[id(stash)] = stash, self._slopes(stash), None
            elif before[2] is not None:
                self.known[id(stash)] = stash, None, None
        elif before is None:
            self.known[id(stash)] = stash, None, Several(y, stash, form)
        elif before[2] is None or before[2].form != form:
            self.known[id(stash)] = stash, None, None

    def _slopes(self, stash: Any) -> Row | None:
        """What the adjoint gives for the seed 1; None where it fails, which is said where it is asked."""
        try:
            slopes = self.adjoint(stash, 1.0)
        except (ArithmeticError, ZygpyError):
            return None
        return slopes if self.count else (slopes,)

    def pulled(self, stash: Any, y_bar: Any) -> Any:
        """What the adjoint gives."""
        found = self.known.get(id(stash))
        if found is None:
            return self.adjoint(stash, y_bar)
        _, slopes, several = found
        if slopes is not None:
            bars = [scaled(slope, y_bar) for slope in slopes]
            return tuple(bars) if self.count else bars[0]
        return (
            self.adjoint(stash, y_bar) if several is None else several.pulled(self.adjoint, y_bar, self.count)
        )


KEYS = frozenset(
    {
        *(float, int, bool, str, type(None), complex, Fraction),
        *(np.float64, np.float32, np.complex128, np.complex64, np.int64, np.int32, np.bool_),
    }
)
"""Classes of arguments that are looked up by what they show, alone or in tuples."""


def _key(args: Row) -> Any:
    """What a call is looked up by: equal numbers differ by their classes, and zeros by their signs; None
    where an argument is nothing that can be looked up so.

    >>> [_key((value,)) == _key((0.0,)) for value in (0.0, -0.0, 0)]
    [True, False, False]
    >>> [_key((value,)) == _key(((0.0, 1.0),)) for value in ((0.0, 1.0), (-0.0, 1.0), (0.0, 1))]
    [True, False, False]
    >>> _key(([1.0],)) is None
    True
    """
    classes = [type(value) for value in args]
    if KEYS.issuperset(classes):
        return (args, repr(args), *classes)
    return (args, repr(args), _classes(args)) if all(map(is_looked_up, args)) else None


def is_looked_up(value: Any) -> bool:
    """Whether an argument is looked up by what it shows."""
    return all(map(is_looked_up, value)) if type(value) is tuple else type(value) in KEYS


def _classes(value: Any) -> Any:
    return tuple(map(_classes, value)) if type(value) is tuple else type(value)


def _outermost(
    forward: Callable[..., Result], args: Row, running: threading.local, now: Around, told: Told
) -> Result:
    """A call that none of the same function's has led to."""

    def there() -> Result:
        running.around = now
        try:
            return forward(*args)
        finally:
            del running.around

    told.make_room()
    return within(now.run, PRESENT.state, there)
