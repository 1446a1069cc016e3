"""What functions under a cache have given in the run that is being differentiated.

They are entered where the cache would be asked. It would give once more what it has given before, whatever
has changed meanwhile, and for an argument that is equal but another thing (-0.0 for 0.0, True for 1.0). So
what is given is noted by what a cache looks it up by: what is kept anyway is given once more, and another
value, or one that now comes from something else, is refused.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import Any, NamedTuple, TypeVar
from weakref import ref

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.cache_entries import Entries, inside, under_all, values_given
from zygpy.runtime.caches import entered_again, is_settled
from zygpy.runtime.levels import outermost
from zygpy.runtime.partials import CACHED
from zygpy.runtime.reads import LEAVES, NUMBERS
from zygpy.runtime.shown_outside import Outside, Tables
from zygpy.runtime.stack import with_room
from zygpy.runtime.state_of_functions import is_as_it_was, parts_of, state_of

T = TypeVar("T")

RUN = "what zygpy knows that caches have given"
"""The name under which the frame of what is being differentiated has its run: it ends with that."""

DEPTH = 8
"""So deep in containers and objects what is given is compared."""


NOTHING: Mapping[Any, Any] = {}


class Under(NamedTuple):
    """A call of a function under a cache, as far as it is looked up by: the cache, how many arguments are
    positional, and the names of the others; `typed` if equal ones of different classes are different."""

    known: ref[Any]
    positional: int
    names: tuple[str, ...]
    typed: bool

    @property
    def cache(self) -> Any:
        """The cache, which is there as long as it is called."""
        return self.known()

    @property
    def room(self) -> float:
        """How many results the cache keeps."""
        room = self.cache.cache_parameters()["maxsize"]
        return math.inf if room is None else room

    @property
    def function(self) -> Any:
        """What is under the cache, and under all others in between."""
        return under_all(self.cache)


def under_cache(cache: Any, positional: int, names: Iterable[str]) -> Under:
    """Such a call."""
    return Under(ref(cache), positional, tuple(names), cache.cache_parameters()["typed"])


class Given:
    """What was given first for some arguments: by which pair, if it is one that keeps it, with what it found,
    and where its numbers came from."""

    __slots__ = ("by", "found", "given", "state", "y")

    def __init__(self, y: Any, by: Any = None, found: Any = None, state: Mapping[Any, Any] = NOTHING) -> None:
        self.y, self.by, self.found, self.state = y, by, found, state
        self.given: tuple[Any, ...] = ()


class Run:
    """What functions under caches have given, by the calls that they are looked up by.

    In the table of each of these caches there is a key that belongs to the run, and to nothing else: it is
    gone when the cache has been emptied, whoever did that.
    """

    def __init__(self) -> None:
        self.tables: dict[Under, dict[Any, Given]] = {}
        self.entries: dict[Under, Entries] = {}
        self.kept: dict[Any, Tables] = {}
        self.unnoted: dict[int, list[tuple[Any, set[ref[Any]], Mapping[Any, Any]]]] = {}
        self.noted: dict[int, list[tuple[Any, ref[Any], Mapping[Any, Any]]]] = {}
        self.states: dict[Under, Mapping[Any, Any]] = {}
        self.key = object()
        self.marked: dict[ref[Any], dict[Any, Any]] = {}

    def __del__(self) -> None:
        for entries in self.marked.values():
            entries.pop(self.key, None)

    def look_at(self, known: ref[Any]) -> None:
        """Forget what a cache has given, if it has been emptied since it was looked at."""
        entries = self.marked.get(known)
        if entries is not None and self.key in entries:
            return
        if entries is None:
            entries = self.marked[known] = inside(known())[0]
        else:
            self._forget(known)
        entries[self.key] = None

    def asked(self, under: Under) -> dict[Any, Given]:
        """What has been given by calls of this form."""
        self.look_at(under.known)
        found = self.tables.get(under)
        if found is None:
            found = self.tables[under] = {}
            self.entries[under] = Entries(under.cache, under.positional, under.names, typed=under.typed)
            if under.room != math.inf:
                self.states[under] = state_of(under.function, ())
        return found

    def keeps_all(self, under: Under) -> bool:
        """Whether the cache has room for what was given by calls of any form, and for what it has itself."""
        room = under.room
        if room == math.inf:
            return True
        given = sum(len(found) for one, found in self.tables.items() if one.known == under.known)
        return given + len(self.entries[under].entries) - 1 < room

    def note(self, under: Under, looked_up: Any, given: tuple[Any, ...], found: Given) -> None:
        """Note what a call has given for the first time, which is refused if the cache has something else
        already: from a call in which nothing varies."""
        self.look_at(under.known)
        entries = self.entries[under]
        if len(entries.entries) > 1 and (stored := entries.stored(given)) and not is_same(stored[0], found.y):
            raise _asked_again(under, "and the cache has another value for them")
        found.given = given
        self.tables[under][looked_up] = found
        if given and not isinstance(given[0], LEAVES):
            states = self.noted.setdefault(id(given[0]), [])
            if not any(known == under.known and before is found.state for _, known, before in states):
                states.append((given[0], under.known, found.state))

    def check_end(self) -> None:
        """Refuse what a cache was asked for by code that is not differentiated itself, and found another
        value for than was given before."""
        for known in [*self.marked]:
            self.look_at(known)
        for under, found in self.tables.items():
            entries = self.entries[under]
            if under in self.states and entries.count() != entries.counted and not self.keeps_all(under):
                self._check_crowded(under)
            for first in [*found.values()] if entries.are_more() else ():
                stored = entries.stored(first.given)
                if stored is not None and not is_same(stored[0], first.y):
                    raise _asked_again(under, "by code in which nothing varies, and has another value then")

    def _check_crowded(self, under: Under) -> None:
        """Refuse that a cache was asked by others which has no room for all: it may have dropped another
        result than it would have, and computed that anew from something else."""
        now = state_of(under.function, ())
        check_same(under, Given(None, state=self.states[under]), Given(None, state=now))

    def known(self, told: Any, outside: Outside, room: int) -> dict[Any, Any] | None:
        """What is kept by one that depends on these variables outside, as long as they are what they are."""
        tables = self.kept.get(told)
        if tables is None:
            tables = self.kept[told] = Tables(outside, room)
        return tables.current()

    def _forget(self, known: ref[Any]) -> None:
        """Forget what a cache has given that is empty now, or has something else."""
        for under in [one for one in self.tables if one.known == known]:
            self.tables[under].clear()
            self.entries[under].missed = self.entries[under].misses()
        self.kept.clear()
        for entries in self.unnoted.values():
            for _, asked, _ in entries:
                asked.discard(known)
        for place, states in self.noted.items():
            self.noted[place] = [one for one in states if one[1] != known]

    def check_still(
        self, under: Under, given: tuple[Any, ...], state: Mapping[Any, Any], asks: frozenset[ref[Any]]
    ) -> None:
        """Refuse a call of a method whose cache was asked for the same object without a note, where it reads
        something else now; note that it asks these caches in its turn."""
        if not given or not (asks or self.unnoted):
            return
        for known in asks:
            self.look_at(known)
        for _, known, before in self.noted.get(id(given[0]), ()) if asks else ():
            if known in asks:
                check_same(under, Given(None, state=before), Given(None, state=state))
        entries = self.unnoted.setdefault(id(given[0]), [])
        for _, asked, before in entries:
            if under.known in asked or not asked.isdisjoint(asks):
                check_same(under, Given(None, state=before), Given(None, state=state))
        if asks and not any(asked == asks for _, asked, _ in entries):
            entries.append((given[0], {*asks}, state))


class _Present(threading.local):
    """The run to which the outermost call of a function under a cache belongs, and where the numbers of that
    call come from."""

    run: Run | None = None
    state: Mapping[Any, Any] | None = None


PRESENT = _Present()


def present_run() -> Run | None:
    """The run to which the code belongs that calls this; None where nothing is differentiated."""
    if PRESENT.run is not None:
        return PRESENT.run
    frame = outermost(sys._getframe(1))
    if frame is None:
        return None
    names: Any = frame.f_locals
    run: Run | None = names.get(RUN)
    if run is None:
        run = names[RUN] = Run()
        BEGUN.add(ref(run, BEGUN.discard))
    return run


def known_run() -> Run | None:
    """The same; None also where no function under a cache has been entered yet."""
    frame = outermost(sys._getframe(1)) if BEGUN and PRESENT.run is None else None
    return PRESENT.run if frame is None else frame.f_locals.get(RUN)


BEGUN: set[ref[Run]] = set()
"""All runs that there are: most often none."""


def check_end(frame: FrameType) -> None:
    """Look at what caches have been asked for, if this is the frame of what is differentiated."""
    run = frame.f_locals.get(RUN)
    if run is not None:
        run.check_end()


def within(run: Run | None, state: Any, work: Callable[[], T]) -> T:
    """What `work()` gives, which is the outermost call of a function under a cache: what it leads to belongs
    to the same run. Between two of these there is a frame more than in the program, for which there may be
    no room."""

    def there() -> T:
        before = PRESENT.run, PRESENT.state
        PRESENT.run, PRESENT.state = run, state
        try:
            return work()
        finally:
            PRESENT.run, PRESENT.state = before

    try:
        return there()
    except RecursionError:
        return with_room(there, deep=True)


def check_info(asked: Any) -> None:
    """Refuse to ask a cache what it was asked for before, or a function that may do so, in a run that has
    entered what is under it: the cache does not know of that.

    Raises: UnsupportedSyntaxError.
    """
    cache = getattr(asked, "__func__", asked)
    run = known_run()
    marked = () if run is None else run.marked
    entered = ref(cache) in marked or not _keeps(cache) if isinstance(cache, CACHED) else bool(marked)
    if entered:
        _refuse_info(asked)


def refuse_info(asked: Any) -> None:
    """Refuse what asks a cache so where it is not called at once.

    Raises: UnsupportedSyntaxError.
    """
    if isinstance(getattr(asked, "__func__", asked), CACHED):
        _refuse_info(asked)


def note_given(cache: Any, y: Any, *args: Any, **kwargs: Any) -> None:
    """Note what a cache itself has given to a program that enters its function elsewhere: it is refused where
    that is not what the function gave before for equal arguments.

    Raises: UnsupportedSyntaxError.
    """
    run = known_run()
    if run is None or not run.tables:
        return
    under = under_cache(cache, len(args), kwargs)
    if under.known in run.marked:
        run.look_at(under.known)
    asked, given = run.tables.get(under), values_given(under.function, args, kwargs)
    first = asked.get(key_of(under, given)) if asked else None
    if first is not None:
        check_same(under, first, Given(y))


def is_noted(under: Under) -> bool:
    """Whether a cache gives anything once more."""
    return under.room > 0


def noted(
    called: Callable[..., Any],
    under: Under,
    places: tuple[int, ...],
    depth: int,
    asks: frozenset[ref[Any]] = frozenset(),
    *,
    again: bool = False,
) -> Callable[..., Any]:
    """The same as `called`, which is given the arguments at these places among others, and gives the value so
    `depth` in tuples; what it gives is noted, and given `again` for the same arguments, as the cache would.
    What caches are asked by it that it `asks` is not: what their functions read of the first argument may not
    change."""

    def noted_call(*args: Any) -> Any:
        run = present_run()
        if run is None:
            return called(*args)
        given = tuple([args[place] for place in places])
        looked_up, asked = key_of(under, given), run.asked(under)
        first = asked.get(looked_up)
        outer = PRESENT.state
        state = state_of(under.function, given) if outer is None else outer
        run.check_still(under, given, state, asks)
        if again and first is not None and first.by is called and run.keeps_all(under):
            before, result = first.found
            if all(map(_is_the_same, before, args)) and is_settled(result):
                return result
        result = called(*args) if outer is not None else within(run, state, lambda: called(*args))
        y = result
        for _ in range(depth):
            y = y[0]
        found = Given(y, called, (args, result), state)
        first = asked.get(looked_up, first)  # the call itself may have led to another one
        if first is None:
            run.note(under, looked_up, given, found)
        else:
            check_same(under, first, found)
        return result

    noted_call.__name__, noted_call.__qualname__ = called.__name__, called.__qualname__
    return noted_call


def _is_the_same(one: Any, other: Any) -> bool:
    """Whether two arguments are one, or numbers that nobody can tell from each other.

    >>> _is_the_same(1.5, 3 / 2), _is_the_same(0.0, -0.0), _is_the_same(1, True), _is_the_same([], [])
    (True, False, False, False)
    """
    if one is other:
        return True
    same = type(one) is type(other) and isinstance(one, NUMBERS)
    return same and bool(one == other) and repr(one) == repr(other)


def key_of(under: Under, given: tuple[Any, ...]) -> Any:
    """What a call is looked up by among those of its form: a whole number or text alone stands for itself.

    Raises: what Python raises of arguments that cannot be looked up.
    """
    try:
        hash(given)
    except TypeError:
        given = _passed(under.function, given)
        hash(given)
    if under.typed:
        return given, tuple(map(type, given))
    if under.positional == 1 and not under.names and type(given[0]) in (int, str):
        return given, "alone"
    return given


def _passed(function: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same values without defaults, and of keywords that are gathered in a dict what is in it.

    >>> items = [2.0]
    >>> _passed(lambda x, y=items, **named: 0, (1.0, items, {"k": 3.0}))
    (1.0, (('k', 3.0),))
    """
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    own = [value for value in given if not any(value is default for default in defaults)]
    gathers = function.__code__.co_flags & KEYWORDS and own and type(own[-1]) is dict
    return (*own[:-1], tuple(own[-1].items())) if gathers else tuple(own)


KEYWORDS = 8
"""The flag of code that gathers keywords in a dict."""


def check_same(under: Under, first: Given, now: Given) -> None:
    """Refuse a value that the cache would not give, or one that comes from something else."""
    if not is_same(first.y, now.y):
        raise _asked_again(under, "and would give another value than before")
    changed = [
        name
        for name, before in first.state.items()
        if now.state and not is_as_it_was(now.state, name, before)
    ]
    if changed:
        raise _asked_again(under, f"after '{changed[0][1]}' was changed, which it reads")


def _keeps(cache: Any) -> bool:
    return bool(cache.cache_parameters()["maxsize"] != 0)


def _refuse_info(asked: Any) -> None:
    name = getattr(asked, "__qualname__", asked)
    raise UnsupportedSyntaxError(
        f"'{name}' is asked what a cache was asked for, by 'cache_info'.",
        why="functions under a cache are entered where values are differentiated: it does not count that",
        instead="ask it outside of what is differentiated, or count the calls in a variable of your own",
    )


def _asked_again(under: Under, why: str) -> UnsupportedSyntaxError:
    return entered_again(under.function, f"is called again with equal arguments, {why}")


def is_same(one: Any, other: Any, depth: int = 0) -> bool:
    """Whether nobody can tell two results from each other, but for the class of equal numbers.

    >>> is_same((1.0, [np.zeros(2)]), (1.0, [np.zeros(2)])), is_same(0.0, -0.0), is_same(2, 2.0)
    (True, False, True)
    """
    if one is other or depth > DEPTH:
        return True
    if isinstance(one, NUMBERS) or isinstance(other, NUMBERS):
        return _are_same_numbers(one, other)
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and one.dtype != object:
        same = one.dtype == other.dtype and one.shape == other.shape
        return bool(same and one.tobytes() == other.tobytes())
    parts, others = [*parts_of(one)], [*parts_of(other)]
    return len(parts) == len(others) and all(
        name == same and is_same(part, found, depth + 1)
        for (name, part), (same, found) in zip(parts, others, strict=True)
    )


def _are_same_numbers(one: Any, other: Any) -> bool:
    if isinstance(one, complex) or isinstance(other, complex):
        return bool(one == other) or repr(one) == repr(other)
    if isinstance(one, np.inexact | float) and isinstance(other, np.inexact | float) and not one:
        return not other and math.copysign(1, one) == math.copysign(1, other)
    same = isinstance(one, NUMBERS) and isinstance(other, NUMBERS)
    return same and (bool(one == other) or bool(one != one and other != other))
