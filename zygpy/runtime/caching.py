"""What `functools.lru_cache` makes of a function, as a program: of those that a program itself puts under it.

What is given by whole numbers, texts and the like is kept, and is one thing however often it is asked for.
Called with other numbers a function is entered, and a call that the cache would answer is refused: two that
are equal may have gradients of their own. So may whole numbers, which is seen where the gradient of one comes
to be asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from zygpy.errors import UnsupportedSyntaxError

KEYS = (int, str, bytes, bool, type(None), type, range, slice)
"""Classes of arguments that have no gradient, and can be looked up in a dict."""


def may_be_kept(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether what a function gives for these arguments is kept.

    >>> may_be_kept((1, ("a", None)), {"k": 2}), may_be_kept((1.5,), {})
    (True, False)
    """
    return all(map(_is_key, args)) and all(map(_is_key, kwargs.values()))


def _is_key(value: Any) -> bool:
    return all(map(_is_key, value)) if type(value) in (tuple, frozenset) else isinstance(value, KEYS)


def alone(value: Any) -> Any:
    """A whole number, or a tuple of some, by which what is looked up has no derivative that is known.

    >>> alone(3)
    3
    """
    return value


def are_whole(*args: Any) -> bool:
    """Whether all arguments are plain whole numbers, by which a cache is asked most often.

    >>> are_whole(1, 2), are_whole(1, True), are_whole(1.0)
    (True, False, False)
    """
    return all(map(_is_whole, args))


def _is_whole(value: Any) -> bool:
    return type(value) is int


def alone_and_whole(number: int) -> int:
    """The same as `alone`, of what is known to be a plain whole number.

    >>> alone_and_whole(3)
    3
    """
    return number


def key_of_call(args: tuple[Any, ...], kwargs: dict[str, Any], *, typed: bool) -> Any:
    """What a cache looks a call up by: a whole number or text that is given alone stands for itself.

    >>> key_of_call((1,), {}, typed=False) == key_of_call((True,), {}, typed=False)
    False
    >>> key_of_call((1, 2), {}, typed=False) == key_of_call((True, 2), {}, typed=False)
    True
    """
    if not (kwargs or typed) and len(args) == 1 and type(args[0]) in (int, str):
        return args[0]
    types = (tuple(map(type, args)), tuple(map(type, kwargs.values()))) if typed else ()
    return (args, tuple(kwargs.items()), types)


class Asked:
    """The calls that a cache would know again, by the hashes of their arguments."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kept: set[int] = set()
        self.entered: set[int] = set()
        self.other: set[int] = set()


class AskedByName(str):
    """The same as a text, which can hold nothing that has a gradient."""

    def __init__(self, name: str) -> None:
        self.calls = Asked(name)
        self.order: OrderedDict[Any, None] = OrderedDict()


def asked_by_name(name: str) -> AskedByName:
    """No calls so far, of a function of this name.

    >>> asked_by_name("leg").calls.name
    'leg'
    """
    return AskedByName(name)


def asked(function: Any) -> Asked:
    """No calls so far, of a function."""
    return Asked(getattr(function, "__qualname__", repr(function)))


def note_call(calls: Asked, args: tuple[Any, ...], kwargs: dict[str, Any], *, kept: bool) -> None:
    """Note a call that enters the function, and refuse it where the cache would give what it has.

    Raises: what Python raises of arguments that cannot be looked up.
    """
    found = hash((args, tuple(kwargs.items())))
    if found in calls.entered or (found in calls.kept and not kept):
        raise _asked_again(calls.name)
    (calls.kept if kept else calls.entered).add(found)


def _asked_again(name: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"'{name}', a function under a cache, is called again with what it was given before.",
        why="the cache gives what it has for equal numbers, which may have gradients of their own",
        instead="keep what it gives in a variable, or call it without the cache",
    )


def note_whole(calls: AskedByName, *args: int) -> None:
    """Note a call by whole numbers of which the cache knows nothing yet (see `note_call`)."""
    if len(args) > 1:  # one that is alone stands for itself
        _check_not_equal(calls.calls.other, calls, args)
    note_call(calls.calls, args, {}, kept=True)


def note_other_key(calls: AskedByName, *args: Any) -> None:
    """Note a call by texts and the like of which the cache knows nothing yet."""
    if len(args) > 1:
        _check_not_equal(calls.calls.kept, calls, args)
    calls.calls.other.add(hash((args, ())))


def note_other(calls: AskedByName, *args: Any) -> None:
    """Note a call that enters the function, and refuse it where the cache would give what it has."""
    _check_not_equal(calls.calls.other, calls, args)
    note_call(calls.calls, args, {}, kept=False)


def is_still_kept(calls: AskedByName, key: Any) -> bool:
    """Whether a cache that drops something has what it is asked for, which it has been asked for last then.

    >>> calls = asked_by_name("leg")
    >>> [is_newly_kept(calls, key, 2) for key in (1, 2, 2)], is_still_kept(calls, 1)
    ([True, True, False], True)
    >>> is_newly_kept(calls, 3, 2), is_still_kept(calls, 1), is_still_kept(calls, 2)
    (True, True, False)
    """
    if key not in calls.order:
        return False
    calls.order.move_to_end(key)
    return True


def is_newly_kept(calls: AskedByName, key: Any, room: int) -> bool:
    """Drop what was asked for least recently, where there is no room for one more; False where the key is
    known by now: the call itself has led to another one."""
    if key in calls.order:
        return False
    calls.order[key] = None
    if len(calls.order) > room:
        calls.order.popitem(last=False)
    return True


def note_dropped(calls: AskedByName, room: int) -> None:
    """Note that a cache keeps what is not kept in the program, for which it may drop something.

    >>> calls = asked_by_name("leg")
    >>> is_newly_kept(calls, 1, 1), note_dropped(calls, 1), is_still_kept(calls, 1)
    (True, None, False)
    """
    is_newly_kept(calls, object(), room)


def _check_not_equal(known: set[int], calls: AskedByName, args: tuple[Any, ...]) -> None:
    if hash((args, ())) in known:
        raise _asked_again(calls.calls.name)


def _given(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([_given(item) for item in value])
    return alone(value) if isinstance(value, int) else value


def under_a_cache(user_function: Any, maxsize: Any, typed: Any, cache_info: Any, /) -> Any:
    """`functools._lru_cache_wrapper(user_function, maxsize, typed, cache_info)`."""
    kept: dict[Any, Any] = {}
    last_asked: list[Any] = []
    calls = asked(user_function)

    def ask(*args: Any, **kwargs: Any) -> Any:
        if maxsize == 0:
            return user_function(*args, **kwargs)
        if not may_be_kept(args, kwargs):
            note_call(calls, args, kwargs, kept=False)
            result = user_function(*args, **kwargs)
            _drop(kept, last_asked, None, maxsize)
            return result
        key = key_of_call(args, kwargs, typed=typed)
        if key in kept:
            if maxsize is not None:
                last_asked.remove(key)
                last_asked.append(key)
            return kept[key]
        note_call(calls, args, kwargs, kept=True)
        given = [_given(value) for value in args]
        result = user_function(*given, **{name: _given(value) for name, value in kwargs.items()})
        if maxsize is None or key not in kept:  # the call itself may have led to another one
            kept[key] = result
            _drop(kept, last_asked, key, maxsize)
        return result

    def clear() -> None:
        kept.clear()
        last_asked.clear()

    ask.cache_clear = clear  # type: ignore[attr-defined]
    ask.cache_info = _tells_nothing  # type: ignore[attr-defined]
    return ask


def _drop(kept: dict[Any, Any], last_asked: list[Any], key: Any, maxsize: Any) -> None:
    """Note what was asked for last (None: something that is not kept here, but by the cache), and drop what
    there is no room for then."""
    if maxsize is None:
        return
    last_asked.append(key)
    if len(last_asked) > maxsize:
        dropped = last_asked.pop(0)
        if dropped is not None:
            del kept[dropped]


def _tells_nothing() -> Any:
    raise UnsupportedSyntaxError(
        "'cache_info' of a function that is put under a cache in the program is called.",
        why="what the cache would have been asked for is not counted",
        instead="count the calls in a variable of your own",
    )
