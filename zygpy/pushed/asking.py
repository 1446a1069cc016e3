"""Calls of what asks for items, and iterators, with tangents beside them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from zygpy.pushed.found import called, run, stand_in
from zygpy.pushed.generators import (
    branched,
    check_standing_in,
    iteration_method,
    ready_generator,
    standing_in,
    taken,
    with_items,
)
from zygpy.pushed.in_order import called_in_order
from zygpy.runtime.paired_generators import InPairs


def asked(function: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool) -> tuple[Any, Any]:
    """What a builtin gives that asks for items: all at once, or one by one as a function in Python."""
    if function is itertools.tee:
        return branched(args, *iterated(args[:1], dots[:1]))
    program = standing_in(function)
    if program is not function:
        check_standing_in(function, args)
        return called_in_order(program, None, args, dots, changing)
    given, along = with_items(args, dots)
    if function is list or function is tuple:
        return taken(function, given, along)
    return called(function, None, given, along, changing)


def generator_made(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[Any, Any]:
    """What `pushed_generator` does, in the same way."""
    ready = ready_generator(function, names, args, dots)
    return stand_in(ready), run(ready, args, dots, ())


def iterated(args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `pushed_iteration` does, in the same way."""
    begun, beside = args[0], dots[0]
    method = iteration_method(begun, "__iter__")
    if method is not None:
        begun, beside = called_in_order(method, None, args, dots, True)
    step = iteration_method(begun, "__next__")
    if step is None:
        return begun, beside
    return InPairs(type(begun).__name__, True), stepped(step, begun, beside)


def stepped(step: Any, iterator: Any, beside: Any) -> Iterator[Any]:
    """The items of an iterator that is written in Python, in pairs with their tangents."""
    while True:
        try:
            item, dot = called_in_order(step, None, (iterator,), (beside,), True)
        except StopIteration:
            return
        yield item, dot
