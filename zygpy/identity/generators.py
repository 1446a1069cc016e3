"""Generators: calls of generator functions, and the methods of what they give."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Mapping
from types import FunctionType, MappingProxyType, MethodType
from typing import Any

from zygpy import dispatch, units
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import Bound, OfMethod, Prefixed, call, guarded, is_unseen
from zygpy.identity.classes import python_method
from zygpy.identity.exceptions import arguments_of
from zygpy.identity.iteration import step_or_failure
from zygpy.identity.left_behind import is_watchful
from zygpy.ir.classes import HEAP_TYPE, is_generated
from zygpy.ir.kinds import carries_gradient, kind_of
from zygpy.ir.names import is_temporary
from zygpy.load.code import annotate
from zygpy.prepared import Prepared, left_over
from zygpy.rules import custom
from zygpy.runtime.accumulate import KEYS, RE_ITERABLE
from zygpy.runtime.attempts import check_is_undone
from zygpy.runtime.generators import Generator, Run, Traits, Turn, delegated, is_generator
from zygpy.runtime.iteration import END, is_walk, left_alone
from zygpy.runtime.lazy import ASKING, LAZY, check_taken, sought
from zygpy.runtime.lookup import is_among
from zygpy.runtime.native import is_of_another_class, items_of
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import check_answer, check_truth, may_change, searched
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A generator function, or what asks a generator for an item; None for anything else."""
    asked = caught(way, function, args)
    if asked is not None:
        return _raising(asked)
    if isinstance(function, MethodType):
        return _by_method(way, function, args, kwargs)
    if function is sought and not is_generator(args[0]):
        return _sought(way, *args)
    if is_among(function, ASKING) and args and (is_generator(args[0]) or function is itertools.tee):
        return call(way, ASKING[function], *args, **kwargs)
    if is_among(function, LAZY):
        return _lazy(way, function, args, kwargs)
    if _is_generator_function(function) and not dispatch.has_own_way(function, args, kwargs):
        return suspended(way, function, args, kwargs)
    return _by_object(way, function, args, kwargs)


def _by_object(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An object whose `__call__` is a generator function."""
    if not type(function).__flags__ & HEAP_TYPE or isinstance(function, type):
        return None
    method = python_method(function, "__call__")
    if not _is_generator_function(method) or custom.is_ruled_object(type(function)):
        return None
    y, back = suspended(way, method, (function, *args), kwargs)
    return y, OfObject(back)


class OfObject:
    """The pullback of a method's call as that of the object which is called."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return tuple(self.back(y_bar, store)[1:])


def _by_method(way: Way, function: MethodType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A generator's own method, or a method that is a generator function."""
    if is_generator(function.__self__):
        y, back = method(way, function.__self__, function.__name__, args)
        return y, Bound(back)
    if _is_generator_function(function.__func__):
        y, back = suspended(way, function.__func__, (function.__self__, *args), kwargs)
        return y, OfMethod(back)
    return None


def _sought(way: Way, container: Any, item: Any) -> Any:
    """`item in container`, which is no generator."""
    method = python_method(container, "__contains__")
    if method is not None:
        y, back = call(way, method, container, item)
        check_truth("in", y, method)
        return bool(y), back
    if isinstance(container, list | tuple) and any(
        may_change("==", type(part)) for part in (item, *items_of(container))
    ):
        return call(way, searched, container, item)
    found = item in container
    check_answer("in", found, item, container)
    return found, Ignored(3)


def _compares_with_effects(*values: Any) -> bool:
    return any(may_change("==", cls) for cls in set(map(type, values)))


OF_NUMBERS = (itertools.repeat, itertools.count)
"""Lazy builtins that are given numbers, where others have counts."""


def _lazy(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A lazy builtin: the generator function that stands for it, where values may take part."""
    own = python_method(args[0], "__reversed__") if function is reversed else None
    if own is not None:
        return call(way, own, *args)
    if function is reversed and _knows_its_steps(args[0]):
        return function(*args), Ignored(2)  # whose steps are known where they are taken
    inert: Any = range | str | bytes if function in OF_NUMBERS else range | str | bytes | int
    given = [value for value in (*args, *kwargs.values()) if not isinstance(value, inert)]
    if any(carries_gradient(kind_of(value)) or callable(value) for value in given):
        return _begun(way, function, args, kwargs)
    return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))


BEGINNING: frozenset[Any] = frozenset(
    {
        *(zip, map, filter, enumerate, itertools.filterfalse, itertools.starmap, itertools.islice),
        *(itertools.takewhile, itertools.dropwhile, itertools.accumulate, itertools.pairwise),
        *(itertools.compress, itertools.cycle, itertools.zip_longest, itertools.groupby),
    }
)
"""Lazy builtins that call the `__iter__` of what they are given when they are called."""


def _begun(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The generator that stands for a lazy builtin, which has asked objects for their iterators."""
    asked, given = {}, list(args)
    check_taken(function, args, kwargs)
    for place, value in enumerate(args if function in BEGINNING else ()):
        if python_method(value, "__iter__") is not None and not (place == 0 and callable(value)):
            given[place], asked[place + 1] = call(way, iter, value)
    y, back = call(way, LAZY[function], *given, **kwargs)
    return y, Begun(back, asked) if asked else back


class Begun:
    """Its pullback: what an iterator gets goes to what was asked for it."""

    def __init__(self, back: Any, asked: dict[int, Any]) -> None:
        self.back, self.asked = back, asked

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = list(self.back(y_bar, store))
        for place in reversed(list(self.asked)):
            bars[place] = self.asked[place](bars[place], store)[1]
        return tuple(bars)


def _knows_its_steps(value: Any) -> bool:
    """Whether what `reversed` makes of a value says where it is."""
    of_another = isinstance(value, list) and is_of_another_class(value)
    return of_another or isinstance(value, (dict, MappingProxyType, *RE_ITERABLE, KEYS))


def _is_generator_function(function: Any) -> bool:
    return isinstance(function, FunctionType) and bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def suspended(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The call of a generator function."""
    prepared = guarded(way, lambda way: dispatch.prepare_generator(function, args, kwargs, way))
    if is_unseen(prepared, way):
        raise dispatch.unseen_write(prepared)
    start = functools.partial(annotated, prepared.pair.forward, prepared.values)
    run = Run(start, prepared.pair.adjoint, traits_of(function))
    return Generator(run), Suspended(run, prepared)


def traits_of(function: FunctionType) -> Traits:
    """What is known of a generator function before it runs."""
    name = "<genexpr>" if is_temporary(function.__name__) else function.__name__
    watchful = not is_generated(function) and is_watchful(function, units.unit_of(function))
    return Traits(name, watchful)


def annotated(forward: Any, values: Any) -> Any:
    """Begin a forward; an exception names the user's lines too."""
    try:
        return forward(*values)
    except Exception as error:
        annotate(error)
        raise


def followed_generator(args: tuple[Any, ...]) -> Any:
    """The making of a generator in a gradient that is differentiated once more."""
    found = Generator(*args)
    found.followed = True
    return found, Ignored(1 + len(args))


class Suspended:
    """The pullback of the call of a generator function, whose turns have been reversed by then."""

    def __init__(self, run: Run, prepared: Prepared) -> None:
        self.run, self.prepared = run, prepared

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.run.begun(store)
        if bars is None:
            return self.prepared.layout.spread((None,) * len(self.prepared.values))
        return left_over(self.prepared.values, self.prepared.layout, bars, store)


# ------------------------------------------------------------------------------- asking for items

METHODS = frozenset({"__next__", "send", "throw", "close"})


def method(way: Way, generator: Generator, name: str, args: tuple[Any, ...]) -> Any:
    """`generator.name(*args)`; the first cotangent is the receiver's."""
    if name == "__iter__":
        return generator, Ignored(1)
    return _raising(caught_method(way, generator, name, args))


def caught_method(way: Way, generator: Generator, name: str, args: tuple[Any, ...]) -> Any:
    """The same, with the exception as a value."""
    run, places = generator.run, (None,) * (1 + len(args))
    if name == "throw":
        return _answer(run, run.turn(None, _thrown(*args)), places)
    if name == "close":
        return _closed(run)
    return _answer(run, run.turn(*args[:1] or (None,)), (None, "sent")[: 1 + len(args)])


def caught(way: Way, function: Any, args: tuple[Any, ...]) -> Any:
    """A call of what asks a generator for an item, with the exception as a value; None for any other."""
    if function is delegated:
        return _delegated(way, *args)
    if function is left_alone:
        return _left_alone(args[0])
    if not (function is next and args and is_generator(args[0])):
        return None
    run = args[0].run
    turn = run.turn(None)
    if len(args) == 2 and turn[0] is END and turn[2] is None:
        return (args[1], None), Defaulted(turn[1])
    return _answer(run, turn, (None,) * (1 + len(args)))


def _raising(found: Any) -> Any:
    (y, failure), back = found
    if failure is not None:
        raise failure
    return y, Alone(back)


class Alone:
    """The pullback of a call that did not fail."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back((y_bar, None), store)


class Defaulted:
    """The pullback of `next(generator, default)` that gave the default."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(None, store)
        return (None, None, None if y_bar is None else y_bar[0])


def _answer(run: Run, turn: Any, places: tuple[Any, ...]) -> Any:
    """What a turn gave, or the exception that it ended with."""
    y, back, failure = turn
    if y is not END:
        return (y, None), Asked(back, places, None)
    if failure is not None:
        return (None, failure), Asked(back, places, None)
    value = run.returned()
    stop = StopIteration() if value is None else StopIteration(value)
    return (None, stop), Asked(back, places, stop)


class Asked:
    """The pullback of asking for an item: what came in an exception at the end is what was returned."""

    def __init__(self, back: Any, places: tuple[Any, ...], stop: StopIteration | None) -> None:
        self.back, self.places, self.stop = back, places, stop

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = None if y_bar is None else y_bar[0]
        if self.stop is not None:
            (returned,) = arguments_of(self.stop, 1, store)
            bar = None if returned is None else (returned, None)
        sent = self.back(bar, store)
        return tuple([sent if place == "sent" else None for place in self.places])


def _thrown(kind: Any, value: Any = None, trace: Any = None) -> BaseException:
    """The exception that `throw` is asked for."""
    if isinstance(kind, BaseException):
        return kind
    if isinstance(value, BaseException):
        return value
    error: BaseException = kind() if value is None else kind(value)
    return error


def _closed(run: Run) -> Any:
    """`generator.close()`: what it does by then is a turn of its own."""
    if run.is_suspended():
        y, back, failure = run.turn(None, GeneratorExit())
        if y is not END:
            failure = RuntimeError("generator ignored GeneratorExit")
        quiet = isinstance(failure, GeneratorExit)
        return (None, None if quiet else failure), Asked(back, (None,), None)
    run.close()
    return (None, None), Ignored(1)


def _left_alone(walk: Any) -> Any:
    """A loop is over: a generator of which nobody else knows is closed."""
    iterator = walk.iterator if is_walk(walk) else walk
    if not is_generator(iterator):
        return (None, None), Ignored(2)
    outcome, back = _closed(iterator.run)
    return outcome, Prefixed(back)


# --------------------------------------------------------------------------------------- yield from


def _delegated(way: Way, iterator: Any, sent: Any, failure: BaseException | None) -> Any:
    try:
        turn = _delegated_turn(way, iterator, sent, failure)
    except UnsupportedSyntaxError:
        raise
    except BaseException as error:
        if error is not failure:
            check_is_undone(error)
        return (None, error), Ignored(4)
    y, back, ended = turn
    if ended is not None:
        return (None, ended), Delegated(back, -1)
    if y is not END:
        return ((True, y), None), Delegated(back, 1)
    value = iterator.run.returned() if is_generator(iterator) else None
    return ((False, value), None), Delegated(back, 0)


def _delegated_turn(way: Way, iterator: Any, sent: Any, failure: BaseException | None) -> Any:
    """The item or END, its pullback, and the exception that came out of the iterator."""
    if is_generator(iterator) and isinstance(failure, GeneratorExit):
        _, back = _closed(iterator.run)
        return None, lambda y_bar, store: back(None, store)[0], failure
    if is_generator(iterator):
        return iterator.run.turn(sent, failure)
    if failure is not None or sent is not None:
        delegated(iterator, sent, failure)  # which raises, as such iterators are sent nothing
        raise UnsupportedSyntaxError(
            f"'yield from' hands on to a {type(iterator).__name__} what was sent or thrown in.",
            why="what becomes of it there is not recorded",
            instead="delegate to a generator",
        )
    return step_or_failure(way, iterator)


class Delegated:
    """The pullback of a step of `yield from`: an item, or what the iterator returned in the end."""

    def __init__(self, back: Any, form: int) -> None:
        self.back, self.form = back, form

    def __call__(self, y_bar: Any, store: Any) -> Any:
        pair = None if y_bar is None else y_bar[0]
        bar = None if pair is None or self.form < 0 else pair[1]
        if self.form == 0 and bar is not None:
            bar = (bar, None)
        found = self.back(bar, store)
        return (None, found, None, None) if not isinstance(self.back, Turn) else (None, None, found, None)
