"""Generators of programs whose things are found by identity: what a run was, turn by turn, and back.

A *turn* is what a generator does between being asked for an item and giving it, or ending. The forward of a
generator function is a generator; so is its adjoint, which is driven backwards: it gives the cotangent of
what was sent into a turn and takes that of the item of the turn before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from inspect import isgenerator
from types import GeneratorType
from typing import Any, NamedTuple, TypeGuard

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.iteration import END


class Generator:
    """What the call of a generator function gives: for the program, a generator.

    Its items are asked for by run-time doors, which keep how each is pulled back.
    """

    __slots__ = ("__weakref__", "followed", "run")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.followed = False  # whether it belongs to a gradient that is differentiated once more

    __class__ = property(lambda self: GeneratorType)  # so that `isinstance` says so

    def __repr__(self) -> str:
        return f"<generator object {self.run.name} at {id(self):#x}>"

    def __iter__(self) -> Generator:
        return self

    def __next__(self) -> Any:
        raise taken_elsewhere(self.run.name)

    def send(self, value: Any) -> Any:
        raise taken_elsewhere(self.run.name)

    def throw(self, *what: Any) -> Any:
        raise taken_elsewhere(self.run.name)

    def close(self) -> None:
        self.run.close()

    def __del__(self) -> None:
        if not getattr(self, "followed", True):  # one that was never made has no fields
            self.run.close()


def is_generator(value: Any) -> TypeGuard[Generator]:
    """Whether a value is a generator whose turns are kept for the adjoint at hand."""
    return type(value) is Generator and not value.followed


def is_generator_inside(value: Any) -> bool:
    """The same asked in a gradient that is differentiated once more."""
    return type(value) is Generator and value.followed


def taken_elsewhere(name: str) -> UnsupportedSyntaxError:
    """The refusal to give items to who does not say where they go."""
    return UnsupportedSyntaxError(
        f"code that is not written in Python asks for the items of the generator '{name}'.",
        why="which item went where is not recorded",
        instead=f"make a list of it first: `list({name}(...))`",
    )


LEAVING: ContextVar[bool] = ContextVar("LEAVING", default=False)
"""Whether a generator is being left in the middle, and so are those that it has its items from."""


WATCHED: ContextVar[list[Run]] = ContextVar("WATCHED")
"""The runs of generators of the call at hand whose handlers may change something."""


@contextmanager
def none_left() -> Iterator[None]:
    """A call in the course of which no generator may be left in the middle whose handlers change something:
    Python runs them when nobody knows the generator any more, while the pullbacks of its items still do."""
    runs: list[Run] = []
    before = WATCHED.set(runs)
    try:
        yield
    finally:
        WATCHED.reset(before)
    for run in runs:
        run.check_not_left()


class Traits(NamedTuple):
    """What is known of a generator function: its name, and whether handlers may run that change something
    when it is left in the middle."""

    name: str
    watchful: bool


class Run:
    """The run of a generator: the forward, suspended or not, and its turns so far.

    `start` calls the forward, `adjoint` is the pair's other half.
    """

    def __init__(
        self, start: Callable[[], Any], adjoint: Callable[[Any, Any, Any], Any], traits: Traits
    ) -> None:
        self.start, self.adjoint = start, adjoint
        self.name, self.watchful = traits.name, traits.watchful
        if self.watchful:
            WATCHED.get().append(self)
        self.forward: Any = None
        self.turns: list[tuple[Any, Any]] = []  # what was sent in, and the item
        self.ended = False
        self.running = False
        self.closed = False
        self.left = False
        self.pulled_back = False  # whether it was closed for that, and would have gone on
        self.outcome: tuple[Any, Any] = (None, None)  # what it returned, or the exception that left it
        self.stash: Any = None
        self.reversed = 0  # how many turns, since the call was pulled back last

    # -- forwards

    def turn(self, sent: Any, thrown: BaseException | None = None) -> Any:
        """The next item, or END; how that is pulled back; and the exception that left the generator."""
        if self.running:
            return END, nothing, ValueError("generator already executing")
        if self.ended or self.closed:
            self._check_not_pulled_back()
            return END, nothing, thrown
        if self.forward is None and thrown is not None:
            self.closed = True
            return END, nothing, thrown
        if self.forward is None and sent is not None:
            return END, nothing, TypeError("can't send non-None value to a just-started generator")
        self.left = LEAVING.get() and isinstance(thrown, GeneratorExit)
        item = self._resume(sent, thrown)
        back = Turn(self, len(self.turns))
        self.turns.append((sent, self.outcome if self.ended else item))
        return (END, back, _seen(self.outcome[1])) if self.ended else (item, back, None)

    def step(self) -> Any:
        """The next item or END, and its pullback; an exception that leaves the generator is raised."""
        item, back, failure = self.turn(None)
        if failure is not None:
            raise failure
        return item, back

    def _resume(self, sent: Any, thrown: BaseException | None) -> Any:
        self.running = True
        try:
            if self.forward is None:
                self.forward = self.start()
                if not isgenerator(self.forward):  # its text has no `yield` that could be reached
                    self._finish(self.forward)
                    return END
                return next(self.forward)
            return self.forward.send(sent) if thrown is None else self.forward.throw(thrown)
        except StopIteration as stop:
            self._finish(stop.value)
            return END
        except BaseException:
            self.closed = True
            raise
        finally:
            self.running = False

    def _finish(self, found: Any) -> None:
        self.outcome, self.stash = found
        self.ended = True

    def is_suspended(self) -> bool:
        """Whether it has begun, and has not ended."""
        return self.forward is not None and not (self.ended or self.closed or self.running)

    def returned(self) -> Any:
        """What it returned, when it is asked for the first time; nothing behind that."""
        value, self.outcome = self.outcome[0], (None, None)
        return value

    def check_not_left(self) -> None:
        """Refuse a run whose handlers change something, where the garbage collector is to run them."""
        if self.watchful and (self.left or not (self.forward is None or self.ended)):
            raise UnsupportedSyntaxError(
                f"the generator '{self.name}' was left in the middle, and its handlers change something.",
                why="when they ran is decided by the garbage collector, and is not recorded",
                instead="close it, or take all its items",
            )

    def _check_not_pulled_back(self) -> None:
        """Refuse to end where the program's own generator would go on."""
        if self.pulled_back:
            raise UnsupportedSyntaxError(
                f"the generator '{self.name}' is asked for more items when it has been pulled back.",
                why="it was left in the middle for that, and cannot go on",
                instead="make a list of its items in the call that makes it, or make it anew",
            )

    def close(self) -> None:
        """Leave the forward in the middle, as the garbage collector does, which takes no notice of the
        exception that handlers pass on."""
        if self.is_suspended():
            with suppress(GeneratorExit):
                self._leave()
        self.closed = True

    def _leave(self) -> None:
        before = LEAVING.set(True)
        try:
            self.forward.throw(GeneratorExit())
        except StopIteration as stop:
            self.outcome, self.stash = stop.value
            self.outcome = (None, None)
            self.closed = True
            return
        finally:
            LEAVING.reset(before)
        raise RuntimeError("generator ignored GeneratorExit")

    # -- backwards

    def reverse(self, number: int, bar: Any, store: Any) -> Any:
        """Reverse the turns down to the one of this number, whose item's cotangent is `bar`; gives the
        cotangent of what was sent in."""
        state = store.keys(self)
        left = state.get("left", len(self.turns))
        sent_bar = None
        while left > number:
            left -= 1
            sent_bar = self._reverse_turn(left, bar if left == number else None, state, store)
            state["left"] = left
        return sent_bar

    def _reverse_turn(self, number: int, bar: Any, state: Any, store: Any) -> Any:
        sent, given = self.turns[number]
        self.reversed += 1
        if self.ended and number == len(self.turns) - 1:
            found = self._primed(store.exchange(given, bar), state, store)
        else:
            if "adjoint" not in state:
                self._primed(None, state, store)
            found = self._driven(state, lambda adjoint: adjoint.send(store.exchange(given, bar)))
        return None if found is None else store.add(sent, found[0])

    def _primed(self, seed: Any, state: Any, store: Any) -> Any:
        """The adjoint is run to the last `yield`."""
        self.check_not_left()
        if not self.ended and not self.closed:
            self._leave()
            self.pulled_back = True
        adjoint = self.adjoint(self.stash, seed, store)
        if not isgenerator(adjoint):
            state["bars"], state["adjoint"] = adjoint, None
            return None
        state["adjoint"] = adjoint
        return self._driven(state, next)

    def _driven(self, state: Any, drive: Callable[[Any], Any]) -> Any:
        try:
            return drive(state["adjoint"])
        except StopIteration as stop:
            state["bars"] = stop.value
            return None

    def begun(self, store: Any) -> Any:
        """Reverse what is left; the cotangents of the parameters, or None.

        Refused is what has asked for items by a name that was not known, and kept their cotangents to itself.
        """
        self.reverse(0, None, store)
        count, self.reversed = self.reversed, 0
        if count > len(self.turns):
            raise UnsupportedSyntaxError(
                f"items of the generator '{self.name}' were asked for by code that did not expect one.",
                why="their cotangents have not come back to the call that gave the generator",
                instead="ask for the items in the function that calls it, or hand the generator on by itself",
            )
        return store.take_keys(self).get("bars")


def _seen(failure: BaseException | None) -> BaseException | None:
    """The exception that a caller sees: no `StopIteration` leaves a generator."""
    if not isinstance(failure, StopIteration):
        return failure
    error = RuntimeError("generator raised StopIteration")
    error.__cause__ = error.__context__ = failure
    return error


class Turn:
    """The pullback of a turn: from the cotangent of the item to that of what was sent in."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.run.reverse(self.number, y_bar, store)


def nothing(y_bar: Any, store: Any) -> Any:
    """The pullback of what has no cotangent."""
    return None


def delegated(iterator: Any, sent: Any, failure: BaseException | None) -> tuple[bool, Any]:
    """One step of `yield from`: whether there is an item, and the item, or what the iterator returned.

    >>> it = iter([1])
    >>> delegated(it, None, None), delegated(it, None, None)
    ((True, 1), (False, None))
    """
    try:
        if isinstance(failure, GeneratorExit):
            if hasattr(iterator, "close"):
                iterator.close()
            raise failure
        if failure is not None and not hasattr(iterator, "throw"):
            raise failure
        if failure is not None:
            return True, iterator.throw(failure)
        return True, next(iterator) if sent is None else iterator.send(sent)
    except StopIteration as stop:
        if stop is failure:
            raise
        return False, stop.value
